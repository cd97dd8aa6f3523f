"""polycl: an OpenCL compiler whose every step is a named pass on readable IR.

    import numpy as np
    import polycl

    program = polycl.load("saxpy.cl")
    x, y = np.ones(1024, np.float32), np.zeros(1024, np.float32)
    program.kernel("saxpy")(x, y, 2.0, global_size=1024)

Names are imported when they are first used: `import polycl` itself loads neither clang nor LLVM.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polycl.backends.cache import cache_in
    from polycl.backends.device import Device
    from polycl.backends.device import LocalMemory as Local
    from polycl.backends.phases import collect_phases
    from polycl.errors import (
        ArgumentError,
        LaunchError,
        PolyclError,
        SourceError,
        UnsupportedError,
    )
    from polycl.notebooks import load_ipython_extension
    from polycl.runtime.devices import device, devices
    from polycl.runtime.host.record import record
    from polycl.runtime.images import Image, Sampler
    from polycl.runtime.kernel import BoundKernel, Kernel
    from polycl.runtime.pattern.explore import Exploration, explore
    from polycl.runtime.pattern.functions import Function
    from polycl.runtime.pipes import Pipe
    from polycl.runtime.poly.distribute.arrays import ClusterArray
    from polycl.runtime.poly.distribute.launcher import distribute
    from polycl.runtime.program import Program, load

_EXPORTS = {
    "ArgumentError": "polycl.errors:ArgumentError",
    "BoundKernel": "polycl.runtime.kernel:BoundKernel",
    "ClusterArray": "polycl.runtime.poly.distribute.arrays:ClusterArray",
    "Device": "polycl.backends.device:Device",
    "Exploration": "polycl.runtime.pattern.explore:Exploration",
    "Function": "polycl.runtime.pattern.functions:Function",
    "Image": "polycl.runtime.images:Image",
    "Kernel": "polycl.runtime.kernel:Kernel",
    "LaunchError": "polycl.errors:LaunchError",
    "Local": "polycl.backends.device:LocalMemory",
    "Pipe": "polycl.runtime.pipes:Pipe",
    "PolyclError": "polycl.errors:PolyclError",
    "Program": "polycl.runtime.program:Program",
    "Sampler": "polycl.runtime.images:Sampler",
    "SourceError": "polycl.errors:SourceError",
    "UnsupportedError": "polycl.errors:UnsupportedError",
    "cache_in": "polycl.backends.cache:cache_in",
    "collect_phases": "polycl.backends.phases:collect_phases",
    "device": "polycl.runtime.devices:device",
    "devices": "polycl.runtime.devices:devices",
    "distribute": "polycl.runtime.poly.distribute.launcher:distribute",
    "explore": "polycl.runtime.pattern.explore:explore",
    "load": "polycl.runtime.program:load",
    "load_ipython_extension": "polycl.notebooks:load_ipython_extension",
    "record": "polycl.runtime.host.record:record",
}

__version__: str
"""Of the installed package."""

__all__ = [
    "ArgumentError",
    "BoundKernel",
    "ClusterArray",
    "Device",
    "Exploration",
    "Function",
    "Image",
    "Kernel",
    "LaunchError",
    "Local",
    "Pipe",
    "PolyclError",
    "Program",
    "Sampler",
    "SourceError",
    "UnsupportedError",
    "cache_in",
    "collect_phases",
    "device",
    "devices",
    "distribute",
    "explore",
    "load",
    "load_ipython_extension",
    "record",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # Late: this module takes longer to load than everything else here.
        from importlib.metadata import version

        return version("polycl")
    if name not in _EXPORTS:
        raise AttributeError(f"module 'polycl' has no attribute {name!r}")
    module, _, attribute = _EXPORTS[name].partition(":")
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
