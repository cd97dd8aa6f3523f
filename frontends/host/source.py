"""The bytes of a host program in C -> libclang's tree, or clang's own diagnostics."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from polycl.errors import SourceError
from polycl.frontends.opencl_c.source import Source, decode, parse_with

_HEADERS = Path(__file__).resolve().parent / "headers"
OPENCL_HEADERS = _HEADERS / "opencl"
"""The folder with `CL/cl.h`, for any C compiler."""
_C_HEADERS = _HEADERS / "c"
_MISSING = re.compile(r"error: '(.*)' file not found.*\n#\s*include\s*<")


@cache
def system_headers() -> tuple[str, ...]:
    """The folders in which the C compiler of this machine finds headers; none without one."""
    compiler = shutil.which("cc")
    if compiler is None:
        return ()
    command = [compiler, "-E", "-v", "-x", "c", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, errors="replace").stderr
    _, _, found = said.partition("#include <...> search starts here:")
    return tuple(found.partition("End of search list")[0].split())


def parse_program(filename: str, options: Sequence[str] = ()) -> Source:
    """Parse a file of a whole program, with the headers of the system.

    Raises:
        SourceError: clang found errors, or the file cannot be read.
    """
    folders = [*system_headers(), str(OPENCL_HEADERS)]
    if len(folders) == 1:
        folders.append(str(_C_HEADERS))
    found = [argument for folder in folders for argument in ("-isystem", folder)]
    # Without vector registers, CL/cl_platform.h includes no headers of compilers for them.
    plain = ["-U__SSE__", "-U__SSE2__", "-U__MMX__", "-U__AVX__"]
    # Those that a program includes itself have GCC's builtin functions, which clang does not know:
    # they are taken to be included already.
    plain += [f"-D_{name}INTRIN_H_INCLUDED" for name in ("XMM", "EMM", "IMM", "X86")]
    return _parse(Path(filename).read_bytes(), filename, [*plain, *options, *found])


def parse_host(data: bytes | str, filename: str, options: Sequence[str] = ()) -> Source:
    """Parse C for the host; `options` are -D and -I as clang takes them.

    A header of the system that is not in this package, `#include <unistd.h>`, is assumed to be
    empty: the importer does not know its functions.

    Raises:
        SourceError: clang found errors; its text shows all of them as clang does.
    """
    return _parse(data, filename, [f"-I{OPENCL_HEADERS}", f"-I{_C_HEADERS}", *options])


def _parse(data: bytes | str, filename: str, options: Sequence[str]) -> Source:
    arguments = [
        *("-x", "c", "-std=gnu99", "-target", "x86_64-unknown-linux-gnu", "-nostdinc"),
        # Benchmarks leave out headers; an undeclared function is an unknown one.
        *("-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int"),
        *("-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion"),
        *("-D__OPENCL_HOST__=1", *options),
    ]
    empty: list[tuple[str, str]] = []
    while True:
        try:
            return parse_with(arguments, decode(data), filename, more=empty)
        except SourceError as error:
            missing = _MISSING.search(str(error))
            path = str(_C_HEADERS / missing[1]) if missing else ""
            if not missing or (path, "") in empty:
                raise
            empty.append((path, ""))
