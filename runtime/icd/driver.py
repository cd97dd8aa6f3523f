"""Where the OpenCL driver is, and how it is built.

setup.py uses this file alone: it must import nothing of polycl.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
"""The folder with the driver's sources, and with the driver."""

DRIVER = "libpolycl_opencl.so.1"
"""Its name: what ends in `.so` looks like a module of Python to who walks over the package."""

INTERPRETER = "interpreter.txt"
"""The file beside the driver that names the Python interpreter of its compiler."""

COMPILERS = ("cc", "gcc", "clang")


class BuildError(Exception):
    """The driver cannot be built here."""


def build_driver(target: Path, environment: Mapping[str, str] = os.environ) -> None:
    """Compile the driver to the file `target`, with $CC or the first of COMPILERS.

    Raises:
        BuildError: there is no C compiler, or it failed; the message says what to do.
    """
    if not sys.platform.startswith("linux"):
        raise BuildError(f"the OpenCL driver needs Linux, and this is {sys.platform}")
    chosen = environment.get("CC")
    command = shlex.split(chosen) if chosen else [c for c in COMPILERS if shutil.which(c)][:1]
    if not command:
        raise BuildError(
            f"there is no C compiler ({', '.join(COMPILERS)}) in PATH; install one, or name one "
            "in the variable CC"
        )
    sources = sorted(str(path) for path in FOLDER.glob("*.c"))
    # A process that has loaded an older driver keeps that file.
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".build-") as folder:
        made = Path(folder, target.name)
        command += ["-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"]
        # Some systems check the sizes of buffers anyway.
        command += ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]
        # Its own functions, not those of the loader with the same names; its threads and what it
        # does at the exit need its code until the end.
        command += ["-Wl,-Bsymbolic", "-Wl,-z,nodelete"]
        command += ["-I", str(FOLDER), *sources, "-o", str(made), "-ldl", "-lm"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise BuildError(f"cannot run '{command[0]}': {error.strerror}") from error
        if done.returncode:
            raise BuildError(f"'{command[0]}' failed:\n{done.stderr.strip()}")
        made.replace(target)


def remember_interpreter(folder: Path = FOLDER) -> bool:
    """Name this interpreter beside the driver in `folder`. Returns whether that was possible."""
    file = folder / INTERPRETER
    try:
        if not file.exists() or file.read_text(encoding="utf-8") != f"{sys.executable}\n":
            file.write_text(f"{sys.executable}\n", encoding="utf-8")
    except OSError:
        return False
    return True
