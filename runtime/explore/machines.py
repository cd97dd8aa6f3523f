"""What is known of the device that an exploration is for."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polycl.runtime.devices import device


@dataclass(frozen=True)
class Machine:
    """What an estimate knows of a device."""

    units: int
    """Cores or multiprocessors: work-groups that run at once."""
    lanes: int
    """Work-items, or 32-bit elements of a vector, that one instruction computes."""
    clock: float
    """Instructions of a unit that start, a second."""
    latency: int
    """Instructions that could have started until a sum can be used."""
    bandwidth: float
    """Bytes a second, of all units."""
    group_seconds: float
    """To start one work-group."""
    launch_seconds: float
    barrier_seconds: float
    items_to_fill: int
    """Work-items that must be there for the full bandwidth."""
    max_local_size: int
    local_bytes: int
    registers: int
    """32-bit numbers that a work-item, with all its vectors, holds in registers."""
    is_gpu: bool = False


def cpu_machine(threads: int) -> Machine:
    """A CPU with vectors of 64 bytes."""
    return Machine(threads, 16, 6e9, 8, 45e9, 2e-7, 2e-5, 1e-7, threads, 1024, 1 << 15, 16 * 24)


GPU = Machine(132, 32, 6e9, 16, 4e12, 1e-8, 5e-6, 2e-8, 132 * 1024, 1024, 48 << 10, 128, True)


def machine_of(name: str, options: Mapping[str, Any]) -> Machine:
    """The cost model's numbers for a device. Raises ArgumentError where there is no such device."""
    if getattr(device(name, **options), "is_gpu", False):
        return GPU
    return cpu_machine(options.get("threads") or len(os.sched_getaffinity(0)))


def driver_of(name: str, options: Mapping[str, Any]) -> str:
    """What compiles and runs there, with versions, and on which machine."""
    driver = getattr(device(name, **options), "driver", None)
    own = f"polycl {version('polycl')}, {driver or 'llvmlite ' + version('llvmlite')}"
    return f"{own}, {_processor()}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
