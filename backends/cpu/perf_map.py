"""Kernels by their names in profiles: the file /tmp/perf-PID.map, which perf and others read.

It has a line for each function that was linked into this process, if POLYCL_PERF=1 is in the
environment when it is linked. The format is that of perf's jit-interface.txt.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from polycl.backends.cpu.elf import function_sizes


def add_to_perf_map(object_code: bytes, addresses: Mapping[str, int]) -> None:
    """Name the functions of an object file that are at these addresses, if that is wanted.

    The map is for people: if it cannot be written, launches go on.
    """
    if os.environ.get("POLYCL_PERF", "0") in ("", "0"):
        return
    sizes = function_sizes(object_code)
    lines = [
        f"{address:x} {sizes[name]:x} polycl:{name}\n"
        for name, address in addresses.items()
        if name in sizes
    ]
    path = Path(f"/tmp/perf-{os.getpid()}.map")
    try:
        # Another user may have put a link there: only a file of one's own is extended.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError:
        return
