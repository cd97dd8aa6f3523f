"""What is known of the device that an exploration is for."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polycl.runtime.devices import device
from polycl.runtime.explore.cost import GPU, Machine, cpu_machine


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
