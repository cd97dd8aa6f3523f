"""polycl's own devices, asked as the other runtimes are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import Arg, LocalBytes
from bench.changing import NotingDevice
from bench.protocol import Build, aligned_copy
from polycl import Local, device, load
from polycl.backends.cpu.launch import CpuExecutable
from polycl.backends.device import Device
from polycl.lowering.ocl.ocl_free_groups import OclFreeGroupsPass


class PolyclRuntime:
    """The cpu device; `without` are passes of its pipeline that are left out, by commas;
    `constants`: integer arguments are known when kernels are compiled; `setting`: the passes of
    one of `bench.study`'s settings, for vectors of `width` work-items."""

    def __init__(
        self,
        threads: str,
        without: str = "",
        constants: str = "",
        setting: str = "",
        width: str = "8",
    ):
        self._constants = bool(constants)
        self._threads = int(threads)
        self._without = tuple(without.split(",")) if without else ()
        self._device: Device = self._device_without(())
        self.code = b""
        """The machine code of the last kernel that was prepared."""
        self.groups_are_chosen = False
        """Whether it runs in other groups than those of the launch."""
        self.title = f"polycl cpu, {threads} threads" + (f", without {without}" if without else "")
        if setting:
            from bench.study.settings import StudyDevice, no_vectors_by_llvm

            no_vectors_by_llvm()
            self._device = StudyDevice(setting, int(width), int(threads))
            self.title += f", {setting}, vectors of {width}"
        self.title += ", with integer arguments as constants" if constants else ""
        self._args: list[Any] = []
        self._initial: dict[int, NDArray[Any]] = {}

    def load(self, args: Sequence[Arg]) -> None:
        self._args, self._initial = [], {}
        for index, arg in enumerate(args):
            if isinstance(arg, np.ndarray):
                self._initial[index] = arg
                self._args.append(aligned_copy(arg))
            elif isinstance(arg, LocalBytes):
                self._args.append(Local(arg.nbytes))
            else:
                self._args.append(arg)

    def prepare(self, build: Build) -> Callable[[], object]:
        device = self._device_without(build.without) if build.without else self._device
        return self.prepare_on(build, device)

    def prepare_noting(self, build: Build) -> tuple[Callable[[], object], list[str]]:
        """As `prepare`, and the passes for speed without which the code may be another."""
        device = NotingDevice(threads=self._threads, disable=self._without)
        launch = self.prepare_on(build, device)
        # The launch in other groups is not a change of the module.
        groups = [OclFreeGroupsPass.name] if self.groups_are_chosen else []
        return launch, list(dict.fromkeys(groups + device.changing))

    def prepare_on(self, build: Build, device: Device) -> Callable[[], object]:
        kernel = load(build.path, build.options).kernel(build.kernel)
        bound = kernel.bind(
            *self._args,
            global_size=build.global_size,
            local_size=build.local_size,
            device=device,
            constants=self._constants,
        )
        executable = bound.compiled
        self.groups_are_chosen = executable is not bound.executable
        self.code = (
            executable.compiled.object_code if isinstance(executable, CpuExecutable) else b""
        )
        return bound.launch

    def _device_without(self, passes: tuple[str, ...]) -> Device:
        return device("cpu", threads=self._threads, disable=(*self._without, *passes))

    def restore(self) -> None:
        for index, array in self._initial.items():
            self._args[index][...] = array

    def read(self) -> dict[int, NDArray[Any]]:
        return {index: self._args[index] for index in self._initial}
