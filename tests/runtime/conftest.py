"""A device that computes nothing: what reaches it is what the API made of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.device import Device, Executable, KernelArg, NDRange
from polycl.runtime import devices
from polycl.runtime.parameters import Parameter
from polycl.runtime.program import load


@dataclass
class Launch:
    """One launch of one compiled kernel."""

    kernel: str
    compiled_for: NDRange
    pipeline: str | None
    args: tuple[KernelArg, ...]
    ndrange: NDRange


class Recorder(Device):
    """Counts compilations, records launches, and adds 1 to each byte of the first argument."""

    name = "recorder"

    def __init__(self) -> None:
        self.compilations = 0
        self.launches: list[Launch] = []

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> Executable:
        self.compilations += 1
        return RecorderExecutable(self, kernel, ndrange, pipeline)


@dataclass
class RecorderExecutable:
    device: Recorder
    kernel: str
    compiled_for: NDRange
    pipeline: str | None

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        launch = Launch(self.kernel, self.compiled_for, self.pipeline, tuple(args), ndrange)
        self.device.launches.append(launch)
        if args and isinstance(args[0], np.ndarray):
            first = args[0].reshape(-1).view(np.uint8)
            first += np.uint8(1)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """The recording device; `device="recorder"` names it, too."""
    device = Recorder()
    known = devices.device
    monkeypatch.setattr(
        devices, "device", lambda name, **o: device if name == "recorder" else known(name, **o)
    )
    devices.default_device.cache_clear()
    yield device
    devices.default_device.cache_clear()


def parameter_of(type: str, spelling: str = "", *, const: bool = False) -> Parameter:
    """The only parameter, named `p`, of a kernel `k`."""
    spelled = f', ocl.type = "{spelling}"' if spelling else ""
    flags = ", ocl.const" if const else ""
    text = f'ocl.kernel @k(%p: {type} {{ocl.name = "p"{spelled}{flags}}}) {{\n  ocl.return\n}}'
    return load(text).kernel("k").parameter("p")


MakeParameter = Callable[..., Parameter]


@pytest.fixture
def make_parameter() -> MakeParameter:
    return parameter_of
