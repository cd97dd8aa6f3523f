"""The forms of `forms.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.protocol import Build

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Computation:
    name: str
    builds: dict[str, Build]
    """By the name of the form."""
    restore: bool
    """A launch leaves nothing to do for the next: buffers are filled anew before each."""


def computations() -> list[Computation]:
    """All, in the order of the file."""
    table = tomllib.loads((FOLDER / "forms.toml").read_text())
    sets = table.pop("sets")
    found: list[Computation] = []
    for name, row in table.items():
        forms: dict[str, Any] = {}
        for each in row["sets"]:
            forms |= sets[each]
        # A form of the computation's own goes before one of a set.
        forms |= row.get("forms", {})
        builds = {form: _build(row, entry) for form, entry in forms.items()}
        found.append(Computation(name, builds, row.get("restore", False)))
    return found


def _build(row: dict[str, Any], entry: str | dict[str, Any]) -> Build:
    form: dict[str, Any] = {"options": entry} if isinstance(entry, str) else entry
    file, kernel = row["kernel"].split()
    # Each kernel is compiled alone: a form need not exist for the others of its file.
    options = f"-I {FOLDER / 'kernels'} -D{kernel.upper()} "
    options += f"{row.get('options', '')} {form.get('options', '')}"
    size, local = list(form.get("global", row["global"])), form.get("local", row["local"])
    size[0] = size[0] // form.get("items", 1) + form.get("more", 0) * local[0]
    if form.get("flat"):
        size, local = [int(np.prod(size))], [int(np.prod(local))]
    path = str(FOLDER / "kernels" / file)
    return Build(path, tuple(options.split()), kernel, tuple(size), tuple(local))
