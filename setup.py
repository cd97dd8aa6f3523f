"""Stops a build from a checkout whose symbolic links were lost (git's `core.symlinks=false`).

Such a checkout has text files in the place of `src/polycl/dialects` and its like, and a wheel
built from it would lack them without a word. Everything else is in pyproject.toml.
"""

from pathlib import Path

from setuptools import setup

PACKAGE = Path(__file__).resolve().parent / "src" / "polycl"
FOLDERS = ("analysis", "backends", "dialects", "frontends", "lowering", "runtime", "tools")

lost = [name for name in FOLDERS if not (PACKAGE / name / "__init__.py").is_file()]
if lost:
    raise SystemExit(
        f"error: src/polycl/{lost[0]} must be a symbolic link to the folder {lost[0]}; "
        "clone again with 'git clone -c core.symlinks=true' (on Windows: in developer mode)"
    )
setup()
