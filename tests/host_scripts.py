"""Runs written hosts, C or Python, against a real OpenCL loader, in a process of their own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from judge.runtime import Judge

ROOT = Path(__file__).resolve().parents[1]
HEADERS = ROOT / "frontends/opencl_host/headers/opencl"

_CALL_C = """
import ctypes, pickle, sys
import numpy as np
with open(sys.argv[2], "rb") as file:
    name, args, types, result = pickle.load(file)
function = getattr(ctypes.CDLL(sys.argv[1]), name)
function.restype = getattr(ctypes, result) if result else None
values = [
    value.ctypes.data_as(ctypes.c_void_p) if type is None else getattr(ctypes, type)(value)
    for value, type in zip(args, types)
]
found = function(*values)
with open(sys.argv[2], "wb") as file:
    pickle.dump((args, found), file)
"""

_CALL_PYTHON = """
import importlib.util, pickle, sys
spec = importlib.util.spec_from_file_location("written", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
with open(sys.argv[2], "rb") as file:
    name, args = pickle.load(file)
found = getattr(module, name)(*args)
with open(sys.argv[2], "wb") as file:
    pickle.dump((args, found), file)
"""


def compile_c(text: str, folder: Path) -> Path:
    """A shared library of the C in `text`; warnings are errors."""
    source, library = folder / "host.c", folder / "host.so"
    source.write_text(text)
    flags = ["-std=gnu11", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-I", str(HEADERS)]
    command = ["cc", *flags, str(source), "-o", str(library), "-l:libOpenCL.so.1", "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    return library


def run_c(
    library: Path, name: str, args: Sequence[Any], types: Sequence[str | None], judge: Judge
) -> tuple[list[Any], Any]:
    """The arguments after a call of a function that returns an int or nothing, and its result.

    `types` are those of `ctypes`, None for an array.
    """
    result = types[-1]
    return _run(_CALL_C, library, (name, list(args), list(types[:-1]), result), judge)


def run_python(script: str, name: str, args: Sequence[Any], folder: Path, judge: Judge) -> Any:
    """The arguments after a call of a function in `script`, and its result."""
    path = folder / "host.py"
    path.write_text(script)
    return _run(_CALL_PYTHON, path, (name, list(args)), judge)


def _run(code: str, program: Path, job: object, judge: Judge) -> tuple[list[Any], Any]:
    data = program.with_suffix(".pickle")
    data.write_bytes(pickle.dumps(job))
    command = [sys.executable, "-W", "error", "-c", code, str(program), str(data)]
    environment = judge.environment
    # Some loaders want a folder.
    environment["OCL_ICD_VENDORS"] = str(Path(environment["OCL_ICD_VENDORS"]).parent)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=program.parent,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return pickle.loads(data.read_bytes())


def assert_as_expected(args: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compare the arrays; a platform may fuse a product and a sum."""
    arrays = [argument for argument in args if isinstance(argument, np.ndarray)]
    for array, wanted in zip(arrays, expected, strict=True):
        if array.dtype == np.float32:
            np.testing.assert_allclose(array, wanted, rtol=1e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(array, wanted)
