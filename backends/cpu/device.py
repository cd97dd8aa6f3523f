"""The device `cpu`: kernels compiled to native code of this machine."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.backends.cache import Cache, current_cache, key_of
from polycl.backends.cpu.jit import has_feature, leaving_out, link_object, processor
from polycl.backends.cpu.launch import CompiledKernel, CpuExecutable, sizes_of
from polycl.backends.cpu.llvm_process import start_llvm
from polycl.backends.cpu.own_form import MOST_THREADS, OwnForm
from polycl.backends.device import INLINING_BUDGET, Device, Executable, NDRange
from polycl.dialects.ocl.debug import is_debug_build
from polycl.errors import ArgumentError
from polycl.remarks import remarks_wanted

if TYPE_CHECKING:
    from polycl.backends.interp.checks import Check

# The compiler is imported late: with a full cache nothing is compiled.


class CpuDevice(Device):
    """Native code. `threads` run work-groups (default: one for each core of this machine);
    `contract` allows fused multiply-adds, as OpenCL C does by default; with `debug_info` the
    code has its source lines, which debuggers show; `disable` names optimisations to leave out;
    where a kernel would exceed `inlining_budget` operations, it calls functions. With `any_size`,
    code reads the local size at the launch: it is slower, but compiled faster. Code does not use
    features of the processor whose names, by LLVM, start as in `without_features`."""

    name = "cpu"
    compiles_parts = True

    def __init__(
        self,
        threads: int | None = None,
        contract: bool = True,
        debug_info: bool = False,
        disable: Sequence[str] = (),
        inlining_budget: int = INLINING_BUDGET,
        any_size: bool = False,
        without_features: Sequence[str] = (),
        enable: Sequence[str] = (),
    ):
        if threads is None:
            threads = len(os.sched_getaffinity(0))
        if threads < 1:
            raise ArgumentError(f"device 'cpu': threads must be at least 1, got {threads}")
        if inlining_budget < 0:
            raise ArgumentError(
                f"device 'cpu': inlining_budget must be at least 0, got {inlining_budget}"
            )
        self.threads = threads
        self.contract = contract
        self.debug_info = debug_info
        self.disable = tuple(disable)
        self.inlining_budget = inlining_budget
        self.any_size = any_size
        self.without_features = tuple(without_features)
        self.enable = tuple(enable)
        with leaving_out(self.without_features):
            self.lanes = 16 if has_feature("avx512f") else 8 if has_feature("avx2") else 4

    @property
    def runs_alone(self) -> bool:
        return self.threads == 1

    def with_own_form(self, executable: Executable, make: Callable[[], Executable]) -> None:
        if isinstance(executable, CpuExecutable):
            # Without a form of its own, too, it does not run beside those of other devices.
            may = 1 < executable.threads <= MOST_THREADS
            executable.own_form = OwnForm(make if may else None)

    @property
    def chooses_groups(self) -> bool:
        return not self.any_size and "ocl-free-groups" not in self.disable

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        return self._pipeline(ndrange)

    def passes_for(self, module: ModuleOp, ndrange: NDRange) -> tuple[ModulePass, ...]:
        """`own_passes`, or the passes of a module that is for a debugger."""
        if is_debug_build(module):
            return self._pipeline(ndrange, debug=True)
        return self.own_passes(ndrange)

    def _pipeline(self, ndrange: NDRange, debug: bool = False) -> tuple[ModulePass, ...]:
        from polycl.backends.cpu.pipeline import cpu_pipeline

        with leaving_out(self.without_features):
            return cpu_pipeline(
                ndrange,
                contract=self.contract,
                disable=self.disable,
                enable=self.enable,
                inlining_budget=self.inlining_budget,
                any_size=self.any_size,
                debug=debug,
            )

    def address_of_variables(self, memory: NDArray[np.uint8]) -> int:
        return memory.ctypes.data

    def kept(
        self, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> CpuExecutable | None:
        cache = self._cache()
        # A pass emits remarks only if it runs.
        if cache is None or remarks_wanted():
            return None
        data = cache.get(self._key(content(), kernel, ndrange))
        return None if data is None else self.restore(data)

    def keep(
        self, executable: Executable, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> None:
        cache = self._cache()
        if cache is not None:
            cache.put(self._key(content(), kernel, ndrange), self.save(executable))

    @property
    def is_remote(self) -> bool:
        # The server knows no subclass.
        return type(self) is CpuDevice

    def save(self, executable: Executable) -> bytes:
        assert isinstance(executable, CpuExecutable)
        return pickle.dumps(executable.compiled, pickle.HIGHEST_PROTOCOL)

    def restore(self, data: bytes) -> CpuExecutable:
        kept: CompiledKernel = pickle.loads(data)
        return self._executable(kept)

    def _executable(self, compiled: CompiledKernel) -> CpuExecutable:
        code = link_object(compiled.object_code, [compiled.name])
        # One work-item after the other can be followed on one thread only.
        threads = 1 if compiled.is_debug_build or compiled.facts.alone else self.threads
        return CpuExecutable(compiled, code, threads)

    def _cache(self) -> Cache | None:
        # Debug information names files and folders, which the key does not.
        return None if self.debug_info else current_cache()

    def _key(self, content: str, kernel: str, ndrange: NDRange) -> str:
        """The key of everything that `compile` reads, which the number of threads is not."""
        options = {name: value for name, value in vars(self).items() if name != "threads"}
        sizes = repr((sizes_of(ndrange), ndrange.facts))
        return key_of(self.name, processor(), repr(options), sizes, content, kernel)

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> CpuExecutable:
        # It starts while the compiler is imported.
        start_llvm()
        from polycl.backends.cpu.compile import compile_kernel
        from polycl.backends.pipeline import parse_passes

        if pipeline is None:
            passes = self.passes_for(module, ndrange)
        else:
            passes = parse_passes(pipeline)
        with leaving_out(self.without_features):
            compiled = compile_kernel(module, kernel, ndrange, passes, debug_info=self.debug_info)
        return self._executable(compiled)


def cpu_device(
    threads: int | None = None,
    contract: bool = True,
    debug_info: bool = False,
    disable: Sequence[str] = (),
    inlining_budget: int = INLINING_BUDGET,
    any_size: bool = False,
    check: Check = False,
) -> Device:
    """A `CpuDevice`; with `check`, one whose launches report what is wrong (docs/oracle.md)."""
    device = CpuDevice(threads, contract, debug_info, disable, inlining_budget, any_size)
    if check is False:
        return device
    from polycl.backends.cpu.checked import CheckedDevice

    return CheckedDevice(device, check)
