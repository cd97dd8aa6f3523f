"""The numbers of coefficients.toml, which bench/fit_polynomials.py writes, by format and name."""

from __future__ import annotations

import tomllib
from pathlib import Path

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
F32: dict[str, list[float]] = _TABLES["f32"]
F64: dict[str, list[float]] = _TABLES["f64"]
CHUNK: int = _TABLES["CHUNK"]
"""The bits of each of `TWO_OVER_PI_CHUNKS`."""
