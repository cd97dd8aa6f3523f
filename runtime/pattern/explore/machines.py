"""The device of an exploration in numbers."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polycl.runtime.devices import device


@dataclass(frozen=True)
class Machine:
    """The numbers of a device for the cost model."""

    units: int
    """Cores or multiprocessors: work-groups that run at once."""
    lanes: int
    """Work-items, or 32-bit elements of a vector, that one instruction computes."""
    clock: float
    """Instructions that a unit starts in a second."""
    latency: int
    """The latency of an addition in instructions."""
    bandwidth: float
    """Bytes in a second, of all units."""
    group_seconds: float
    """Seconds to start one work-group."""
    launch_seconds: float
    barrier_seconds: float
    items_to_fill: int
    """Work-items that are needed for the full bandwidth."""
    max_local_size: int
    local_bytes: int
    registers: int
    """32-bit numbers that a work-item, with all its vectors, holds in registers."""
    is_gpu: bool = False


def cpu_machine(threads: int) -> Machine:
    """A CPU with vectors of 64 bytes.

    Groups and barriers are parts of a function's loops: programs of 64 to 4096 groups with up to
    four barriers took 1 to 3 ns more for each.
    """
    return Machine(threads, 16, 6e9, 8, 45e9, 3e-9, 5e-6, 3e-9, threads, 1024, 1 << 15, 16 * 24)


_OPENCL_GPU = 1 << 2
"""CL_DEVICE_TYPE_GPU."""

GPU = Machine(132, 32, 6e9, 16, 4e12, 1e-8, 5e-6, 2e-8, 132 * 1024, 1024, 48 << 10, 128, True)


def machine_of(name: str, options: Mapping[str, Any]) -> Machine:
    """The cost model's numbers for a device. Raises ArgumentError where there is no such device."""
    handle = getattr(device(name, **options), "handle", None)
    if handle is None:
        return cpu_machine(options.get("threads") or len(os.sched_getaffinity(0)))
    base = GPU if handle.type & _OPENCL_GPU else cpu_machine(handle.max_compute_units)
    return replace(
        base,
        units=handle.max_compute_units,
        max_local_size=handle.max_work_group_size,
        local_bytes=handle.local_mem_size,
    )


def driver_of(name: str, options: Mapping[str, Any]) -> str:
    """The compilers and drivers of the device with versions, and the machine."""
    target = device(name, **options)
    handle = getattr(target, "handle", None)
    if handle is None:
        driver = f"llvmlite {version('llvmlite')}, {_processor()}"
    else:
        driver = f"{getattr(target, 'title', handle.name)} {handle.driver_version}"
    return f"polycl {version('polycl')}, {driver}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
