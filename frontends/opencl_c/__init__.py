"""OpenCL C -> the `ocl` dialect.

source.py          bytes -> libclang's tree, or clang's diagnostics
read_*.py          cursors -> the typed tree (tree.py), every conversion explicit
structure.py       break, continue, return and switch -> if and loops
jumps.py ...       functions with goto -> a graph of blocks -> cf (joins.py, emit_jumps.py)
liveness.py        the variables that are results of loops and branches
statements.py ...  the typed tree -> operations
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.module import build_module
from polycl.frontends.opencl_c.options import parse_options
from polycl.frontends.opencl_c.read_functions import read_program
from polycl.frontends.opencl_c.source import included_files, parse

__all__ = ["import_source"]

_RECURSION_LIMIT = 10_000


def import_source(
    data: bytes | str,
    filename: str = "<string>",
    options: Sequence[str] = (),
    included: list[str] | None = None,
) -> ModuleOp:
    """Compile OpenCL C to a module of the `ocl` dialect.

    `filename` names the source in locations; relative includes start from its folder.
    `options` are those of clBuildProgram: `-D X=1`, `-I dir`, `-cl-std=CL2.0`, ...
    The paths of the included files are appended to `included`.

    Raises:
        SourceError: clang's errors, as clang shows them.
        UnsupportedError: legal OpenCL C that this compiler does not support.
        ArgumentError: an unknown option.
    """
    source = parse(data, filename, parse_options(options))
    if included is not None:
        included += included_files(source.tu)
    # Nothing that is made here is garbage before the end, and the collector would traverse these
    # many objects several times.
    collects = gc.isenabled()
    gc.disable()
    limit = sys.getrecursionlimit()
    # A long sum or chain of else-ifs is a deep tree.
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        return build_module(read_program(source))
    except (RecursionError, ctypes.ArgumentError) as error:
        # ctypes wraps an exception of the conversion of an argument.
        if "RecursionError" not in f"{type(error).__name__}: {error}":
            raise
        message = "statements or expressions are nested too deeply; use fewer levels"
        raise UnsupportedError(message, filename, 1, 1) from error
    finally:
        if collects:
            gc.enable()
        sys.setrecursionlimit(limit)
