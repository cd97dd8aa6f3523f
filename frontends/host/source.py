"""The bytes of a host program in C -> libclang's tree, or clang's own diagnostics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from polycl.errors import SourceError
from polycl.frontends.opencl_c.source import Source, decode, parse_with

_HEADERS = Path(__file__).resolve().parent / "headers"
OPENCL_HEADERS = _HEADERS / "opencl"
"""The folder with `CL/cl.h`, for any C compiler."""
_C_HEADERS = _HEADERS / "c"
_MISSING = re.compile(r"error: '(.*)' file not found\n#\s*include\s*<")


def parse_host(data: bytes | str, filename: str, options: Sequence[str] = ()) -> Source:
    """Parse C for the host; `options` are -D and -I as clang takes them.

    A header of the system that is not in this package, `#include <unistd.h>`, is assumed to be
    empty: the importer does not know its functions.

    Raises:
        SourceError: clang found errors; its text shows all of them as clang does.
    """
    arguments = [
        *("-x", "c", "-std=gnu99", "-target", "x86_64-unknown-linux-gnu"),
        *("-nostdinc", f"-I{OPENCL_HEADERS}", f"-I{_C_HEADERS}"),
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
