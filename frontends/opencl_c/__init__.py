"""OpenCL C -> the `ocl` dialect.

source.py          bytes -> libclang's tree, or clang's diagnostics
read_*.py          cursors -> the typed tree (tree.py), every conversion explicit
structure.py       break, continue, return and switch -> if and loops
jumps.py ...       functions with goto -> a graph of blocks -> cf (joins.py, emit_jumps.py)
liveness.py        the variables that are results of loops and branches
linking.py         the trees of several sources -> one
statements.py ...  the typed tree -> operations
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp

from polycl.deep_calls import deep_calls
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.linking import link
from polycl.frontends.opencl_c.module import build_module
from polycl.frontends.opencl_c.options import Options, parse_options
from polycl.frontends.opencl_c.read_functions import Program, read_program
from polycl.frontends.opencl_c.source import included_files, parse

__all__ = ["import_programs", "import_source", "read_source"]


def import_source(
    data: bytes | str,
    filename: str = "<string>",
    options: Sequence[str] = (),
    included: list[str] | None = None,
    *,
    wide_ids: bool = False,
) -> ModuleOp:
    """Compile OpenCL C to a module of the `ocl` dialect.

    `filename` names the source in locations; relative includes start from its folder.
    `options` are those of clBuildProgram: `-D X=1`, `-I dir`, `-cl-std=CL2.0`, ...
    The paths of the included files are appended to `included`. The module is for launches whose
    ids and sizes are below 2^31, so that an `int` holds them, or with `wide_ids` for all.

    Raises:
        SourceError: clang's errors, as clang shows them.
        UnsupportedError: legal OpenCL C that this compiler does not support.
        ArgumentError: an unknown option.
    """
    # One collection at the end, not one for each step.
    with _deep_trees(filename):
        program = read_source(data, filename, parse_options(options), included)
        return import_programs([program], filename, wide_ids=wide_ids)


def read_source(
    data: bytes | str,
    filename: str,
    options: Options,
    included: list[str] | None = None,
    files: Mapping[str, str] | None = None,
    *,
    whole: bool = False,
) -> Program:
    """The typed trees of one source; see `import_source`.

    Only the functions that its kernels reach are read, or all with `whole`: another source that
    is linked may call them.

    `files` are the texts of included files that are not on disk, by their paths. Functions may be
    declared only, for `import_programs` to find them in another source.

    Raises:
        SourceError: clang's errors, as clang shows them.
        UnsupportedError: legal OpenCL C that this compiler does not support.
    """
    source = parse(data, filename, options, list((files or {}).items()))
    if included is not None:
        included += included_files(source.tu)
    with _deep_trees(filename):
        return read_program(source, whole=whole)


def import_programs(
    programs: Iterable[Program], filename: str = "<string>", *, wide_ids: bool = False
) -> ModuleOp:
    """The module of sources that `read_source` has read; they cannot be used again.

    `wide_ids`: see `import_source`.

    Raises:
        SourceError: two sources define the same name.
        UnsupportedError: a construct that this compiler does not support, or a function that no
            source defines.
    """
    with _deep_trees(filename):
        return build_module(link(list(programs)), wide_ids)


@contextmanager
def _deep_trees(filename: str) -> Generator[None]:
    """Python's settings for trees with many nodes."""
    # Nothing that is made here is garbage before the end, and the collector would traverse these
    # many objects several times.
    collects = gc.isenabled()
    gc.disable()
    try:
        # A long sum or chain of else-ifs is a deep tree.
        with deep_calls():
            yield
    except (RecursionError, ctypes.ArgumentError) as error:
        # ctypes wraps an exception of the conversion of an argument.
        if "RecursionError" not in f"{type(error).__name__}: {error}":
            raise
        message = "statements or expressions are nested too deeply; use fewer levels"
        raise UnsupportedError(message, filename, 1, 1) from error
    finally:
        if collects:
            gc.enable()
