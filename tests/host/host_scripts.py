"""Runs written hosts, C or Python, against a real OpenCL loader, in a process of their own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import Float32Type, IntegerType, MemRefType, i1
from xdsl.ir import Attribute

from judge.runtime import Judge
from polycl.runtime.host.host_program import HostFunction

ROOT = Path(__file__).resolve().parents[2]
LOADER = str(Path(sys.prefix) / "lib")
HEADERS = ROOT / "frontends/host/headers/opencl"

_CALLER = """
import ctypes, importlib.util, os, pickle, sys
import numpy as np

def call_c(path, name, args, types, result):
    function = getattr(ctypes.CDLL(path), name)
    function.restype = getattr(ctypes, result) if result else None
    return function(*(
        value.ctypes.data_as(ctypes.c_void_p) if type is None else getattr(ctypes, type)(value)
        for value, type in zip(args, types)
    ))

def call_python(path, name, args, types, result):
    spec = importlib.util.spec_from_file_location("written", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)(*args)

with open(sys.argv[1], "rb") as file:
    jobs = pickle.load(file)
found = []
for path, name, args, types, result in jobs:
    print("running", path, flush=True)
    os.chdir(os.path.dirname(path))
    call = call_python if path.endswith(".py") else call_c
    found.append((args, call(path, name, args, types, result)))
with open(sys.argv[1], "wb") as file:
    pickle.dump(found, file)
"""


@dataclass(frozen=True)
class Call:
    """A call of a function in a shared library or a script."""

    program: Path
    function: str
    arguments: Sequence[Any]
    types: Sequence[str | None] = ()
    """Those of `ctypes`, None for an array; only for C."""

    result: str | None = None


def compile_c(text: str, folder: Path) -> Path:
    """A shared library of the C in `text`; warnings are errors."""
    folder.mkdir(exist_ok=True)
    source, library = folder / "host.c", folder / "host.so"
    source.write_text(text)
    flags = ["-std=gnu11", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-I", str(HEADERS)]
    # The loader that the judge's package brings: a system need not have one.
    loader = ["-L", LOADER, f"-Wl,-rpath,{LOADER}", "-l:libOpenCL.so.1"]
    command = ["cc", *flags, str(source), "-o", str(library), *loader, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    return library


def call_of(library: Path, host: HostFunction, arguments: Sequence[Any]) -> Call:
    """The call of a host function that was written as C."""
    types = [_ctype(type) for type in host.op.function_type.inputs]
    result = _ctype(host.results[0]) if host.results else None
    return Call(library, host.name, arguments, types, result)


def _ctype(type: Attribute) -> str | None:
    match type:
        case MemRefType():
            return None
        case Float32Type():
            return "c_float"
        case IntegerType():
            return "c_bool" if type == i1 else f"c_int{type.width.data}"
        case _:
            return "c_int64"


def run_calls(calls: Sequence[Call], judge: Judge, folder: Path) -> list[tuple[list[Any], Any]]:
    """The arguments after each call, and its result; all run in one process."""
    data = folder / "calls.pickle"
    jobs = [(str(c.program), c.function, list(c.arguments), c.types, c.result) for c in calls]
    data.write_bytes(pickle.dumps(jobs))
    environment = judge.environment
    # Some loaders want a folder.
    environment["OCL_ICD_VENDORS"] = str(Path(environment["OCL_ICD_VENDORS"]).parent)
    done = subprocess.run(
        [sys.executable, "-c", _CALLER, str(data)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
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
