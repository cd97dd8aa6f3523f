"""The constants of `expand-math` are those that the fitting script writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "bench" / "fit_polynomials.py"


def test_constants_are_those_that_are_fitted():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
