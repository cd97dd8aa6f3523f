"""The devices by name. Each is imported at its first use."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from polycl.backends.device import Device
from polycl.diagnostics import unknown_name
from polycl.errors import ArgumentError

DEVICES = {
    "cpu": "polycl.backends.cpu:cpu_device",
    "cuda": "polycl.backends.cuda.device:CudaDevice",
    "interp": "polycl.backends.interp:InterpDevice",
    "opencl": "polycl.backends.opencl_c.device:OpenclDevice",
    "tta": "polycl.backends.tta.device:TtaDevice",
}
"""Name -> `module:class`, or `module:function` that makes the device from its options."""


def devices() -> tuple[str, ...]:
    """The names that `device` takes."""
    return tuple(DEVICES)


def device(name: str, **options: Any) -> Device:
    """The device `name` with its `options`, say `device("cpu", threads=2)`.

    - `cpu`: native code; `threads` (default: one for each core), `contract=False` (round
      `a * b + c` twice; else it may be rounded once, as OpenCL C allows), `debug_info=True`
      (debuggers show source lines), `disable=["wg-vectorize"]` (leave out passes that only make
      kernels faster); `check=True` finds data races, uses of uninitialised values and other errors
      (`"strict"`: warnings are errors).
    - `cuda`, `cuda:1`: an NVIDIA GPU, by its number; `contract=False`, `profile=True`
      (docs/cuda-device.md).
    - `interp`: runs one work-item after another, slow and simple; `check` is the same.
    - `opencl`, `opencl:intel`, `opencl:0:0`: an OpenCL platform, by a part of its name or by the
      numbers of platform and device; `contract=False`, `options=["-cl-fast-relaxed-math"]`,
      `profile=True`, `via="ptx"` or `via="spirv"` (docs/opencl-device.md).
    - `tta`: a simulated transport-triggered processor; `machine="paper"` (or the name of an ADF
      file), `buses=24`, `wg_method="horizontal"` (or `"loops"`, `"replicate"`,
      `"auto"`), `unroll=4`, `pipeline_loops=True` (iterations of loops overlap),
      `memory="sets=64 ways=2 line=32 miss=20"` (a cache).

    Raises:
        ArgumentError: there is no such device, or it has no such option.
    """
    name, colon, selection = str(name).partition(":")
    if colon and name == "opencl":
        options = {"selection": selection, **options}
    elif colon and name == "cuda" and selection.isdigit():
        options = {"number": int(selection), **options}
    elif colon:
        name = f"{name}:{selection}"
    known = options_of(name)
    for option in options:
        if option not in known:
            have = ", ".join(known) or "none"
            raise ArgumentError(f"device '{name}' has no option '{option}'; its options: {have}")
    return _factory(name)(**options)


def options_of(name: str) -> tuple[str, ...]:
    """The names of the options of a device. Raises ArgumentError where there is no such device."""
    if name.startswith(("opencl:", "cuda:")):
        name = name.partition(":")[0]
    if name not in DEVICES:
        raise ArgumentError(
            f"{unknown_name('device', str(name), DEVICES)} (the devices: {', '.join(DEVICES)})"
        )
    return tuple(inspect.signature(_factory(name)).parameters)


def _factory(name: str) -> Callable[..., Device]:
    module, _, attribute = DEVICES[name].partition(":")
    return getattr(import_module(module), attribute)


@cache
def default_device(name: str = "cpu") -> Device:
    """The device of launches that give a name or no device.

    There is one for each name, so that launches share compiled code.
    """
    return device(name)
