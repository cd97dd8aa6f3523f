"""The runtimes that programs run on, and what is done to the programs before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.backends.device import Device
from polycl.backends.opencl_c.device import OpenclDevice
from polycl.backends.opencl_c.write_module import Emission
from polycl.backends.pipeline import run_pipeline
from polycl.runtime.host.host_program import HostFunction

PROGRAMS = Path(__file__).resolve().parent.parent.parent / "examples" / "host"


@dataclass(frozen=True)
class Runtime:
    """Where programs run, and which platform the passes take it for."""

    platform: str
    selection: str | None
    """A part of the OpenCL platform's name; None is polycl's own cpu device, `cuda` its device."""

    def device(self, profile: bool = False) -> Device:
        """With one thread for each core, as every runtime has them by default."""
        if self.selection is None:
            return CpuDevice()
        if self.selection == "cuda":
            return polycl.device("cuda", profile=profile)
        return OpenclDevice(self.selection, profile=profile)


RUNTIMES = {
    "intel": Runtime("intel-rt", "intel"),
    "pocl": Runtime("pocl-cpu", "pocl"),
    "pocl7": Runtime("pocl7-cpu", "pocl"),
    "cpu": Runtime("polycl-cpu", None),
    "nvidia": Runtime("nvidia-h200", "nvidia"),
    "cuda": Runtime("nvidia-h200", "cuda"),
}

SETTINGS: dict[str, tuple[str, ...]] = {
    "original": (),
    "threads": ("ocl-reorganize-threads",),
    "layout": ("ocl-data-layout",),
    "vectorize": ("ocl-holistic-vectorize",),
    "threads+layout": ("ocl-reorganize-threads", "ocl-data-layout"),
    "all": ("ppopencl",),
}
"""The passes of each setting. [ppopencl19] Figure 11 adds one optimization after the other:
threads, threads+layout, all. The other settings measure each optimization alone."""


def transformed(
    name: str, setting: str, platform: str, written_for: str | None = None
) -> HostFunction:
    """The host function of a program, ready to run, in a setting; `written_for` is a platform whose
    layouts the program has before."""
    module: ModuleOp = polycl.load(PROGRAMS / name / "host.c").module.clone()
    if written_for is not None:
        run_pipeline(module, f"ocl-data-layout{{platform={written_for}}}")
    for pass_name in SETTINGS[setting]:
        run_pipeline(module, f"{pass_name}{{platform={platform}}}")
    return polycl.Program(module, name).host(name)


class SourceDevice(OpenclDevice):
    """Builds a program's kernels.cl as it is, for what is compared with the original."""

    def __init__(self, selection: str, source: Path, profile: bool = False):
        super().__init__(selection, profile=profile)
        self._text = source.read_text()

    def program(self, emission: Emission):
        return super().program(replace(emission, text=self._text))
