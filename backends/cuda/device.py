"""The device `cuda`: kernels as PTX, which NVIDIA's driver compiles and runs."""

from __future__ import annotations

import ctypes
import math
import pickle
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.cache import current_cache, key_of
from polycl.backends.cuda.compile import PtxKernel, launch_value, ptx_kernel
from polycl.backends.cuda.driver import Gpu, gpu
from polycl.backends.device import (
    Device,
    DeviceArray,
    Executable,
    KernelArg,
    KernelTime,
    LocalMemory,
    NDRange,
)
from polycl.backends.pipeline import parse_passes
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.errors import ArgumentError, LaunchError
from polycl.lowering.llvm.ocl_to_nvvm.nvvm_memory import ALIGNMENT, MOST_STATIC


class CudaDevice(Device):
    """An NVIDIA GPU. `number` is its place among the GPUs; `contract=False` rounds each operation
    on its own, and division and square root correctly. With `profile`, `times` has the time of each
    launch."""

    name = "cuda"
    compiles_parts = True
    most_groups = (2**31 - 1, 65535, 65535)

    def __init__(self, number: int = 0, contract: bool = True, profile: bool = False):
        self.gpu: Gpu = gpu(number)
        self.title = self.gpu.name
        self.capability = self.gpu.capability
        self.contract = contract
        self.profile = profile
        self.times: list[KernelTime] = []
        """The times of the launches so far, in order; only with `profile`."""

    def array(self, values: NDArray[np.generic]) -> CudaArray:
        """A copy of `values` in the GPU's memory. Launches use it without a copy; `get()` copies it
        back."""
        values = np.ascontiguousarray(values)
        made = CudaArray(self, values.dtype, values.shape)
        made.set(values)
        return made

    def memory(self, nbytes: int) -> CudaArray:
        """`nbytes` bytes of the GPU's memory, not initialised."""
        return CudaArray(self, np.dtype(np.uint8), (nbytes,))

    def finish(self) -> None:
        """Wait for all launches."""
        self.gpu.finish()

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> CudaExecutable:
        self._check(kernel, ndrange)
        compiled = ptx_kernel(
            module,
            kernel,
            ndrange,
            self.gpu.processor,
            contract=self.contract,
            passes=None if pipeline is None else parse_passes(pipeline),
        )
        return CudaExecutable(self, compiled)

    def _check(self, kernel: str, ndrange: NDRange) -> None:
        size = math.prod(ndrange.groups.size)
        if size > self.gpu.max_threads or ndrange.groups.size[2] > 64:
            text = "x".join(map(str, ndrange.groups.size))
            raise ArgumentError(
                f"kernel '{kernel}': local size {text} has {size} work-items; a group has at most "
                f"{self.gpu.max_threads} on {self.title}, and at most 64 in dimension 2"
            )

    def kept(
        self, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> CudaExecutable | None:
        cache = current_cache()
        data = None if cache is None else cache.get(self._key(content(), kernel, ndrange))
        return None if data is None else CudaExecutable(self, pickle.loads(data))

    def keep(
        self, executable: Executable, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> None:
        cache = current_cache()
        if cache is not None and isinstance(executable, CudaExecutable):
            data = pickle.dumps(executable.compiled, pickle.HIGHEST_PROTOCOL)
            cache.put(self._key(content(), kernel, ndrange), data)

    def _key(self, content: str, kernel: str, ndrange: NDRange) -> str:
        groups = (ndrange.groups.size, ndrange.local_size, ndrange.is_uniform_part)
        sizes = repr((*groups, ndrange.wide_ids))
        return key_of(self.name, self.gpu.processor, str(self.contract), sizes, content, kernel)


class CudaArray(DeviceArray):
    """Memory of a GPU."""

    def __init__(
        self,
        device: CudaDevice,
        dtype: np.dtype[Any],
        shape: tuple[int, ...],
        within: tuple[CudaArray, int] | None = None,
    ):
        """New memory, or that `within` an array, which starts at a byte of it."""
        super().__init__(device, dtype, shape)
        self._gpu = device.gpu
        self._owner = None if within is None else within[0]
        if within is not None:
            self.address = within[0].address + within[1]
            return
        self.address = self._gpu.allocate(self.nbytes)
        weakref.finalize(self, self._gpu.free, self.address).atexit = False

    def get(self) -> NDArray[np.generic]:
        found = np.empty(self.shape, self.dtype)
        self._gpu.read(self.address, found.ctypes.data, found.nbytes)
        return found

    def set(self, values: NDArray[np.generic]) -> None:
        self.check_like(values)
        values = np.ascontiguousarray(values)
        self._gpu.write(self.address, values.ctypes.data, values.nbytes)

    def write_part(self, offset: int, data: NDArray[np.uint8]) -> None:
        data = np.ascontiguousarray(data)
        self._gpu.write(self.address + offset, data.ctypes.data, data.nbytes)

    def read_part(self, offset: int, into: NDArray[np.uint8]) -> None:
        self._gpu.read(self.address + offset, into.ctypes.data, into.nbytes)

    def part(self, offset: int, nbytes: int) -> CudaArray:
        if not 0 <= offset <= offset + nbytes <= self.nbytes:
            raise ArgumentError(
                f"bytes {offset} to {offset + nbytes} of a buffer of {self.nbytes} bytes"
            )
        assert isinstance(self.device, CudaDevice)
        return CudaArray(self.device, np.dtype(np.uint8), (nbytes,), (self, offset))

    def copy_part(self, offset: int, source: DeviceArray, start: int, nbytes: int) -> None:
        assert isinstance(source, CudaArray)
        self._gpu.copy(self.address + offset, source.address + start, nbytes)


class CudaExecutable(Executable):
    """A kernel that the driver has compiled."""

    def __init__(self, device: CudaDevice, compiled: PtxKernel):
        self.device = device
        self.compiled = compiled
        self.source = compiled.text
        """The PTX."""
        self.function = device.gpu.function(compiled.text, compiled.name)

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.prepare(args, ndrange)()

    def prepare(self, args: Sequence[KernelArg], ndrange: NDRange) -> Callable[[], None]:
        """A launch that can be repeated. Each time it copies arrays to the GPU and back; a
        `DeviceArray` is not copied.

        Raises:
            ArgumentError: the arguments or the sizes do not fit this kernel.
        """
        launch = self.prepare_queued(args, ndrange)

        def run() -> None:
            launch.write()
            launch()
            self.device.finish()
            launch.read()
            if self.compiled.prints:
                # The driver prints through C.
                ctypes.CDLL(None).fflush(None)

        return run

    def prepare_queued(self, args: Sequence[KernelArg], ndrange: NDRange) -> _Launch:
        """Like `prepare` if all arrays are `DeviceArray`s; the launch does not wait for the end."""
        compiled, title = self.compiled, f"kernel '{self.compiled.name}'"
        if (ndrange.groups.size, ndrange.local_size) != compiled.sizes:
            raise ArgumentError(
                f"{title} was compiled for groups of {compiled.sizes[0]}, got {ndrange.groups.size}"
            )
        if len(args) != len(compiled.types):
            raise ArgumentError(f"{title} takes {len(compiled.types)} arguments, got {len(args)}")
        return _Launch(self, args, ndrange)


class _Launch:
    """One launch with its arguments."""

    def __init__(self, executable: CudaExecutable, args: Sequence[KernelArg], ndrange: NDRange):
        self._executable = executable
        self._device = executable.device
        self._compiled = compiled = executable.compiled
        self._groups = ndrange.groups
        self._arrays: dict[tuple[int, int], tuple[NDArray[Any], CudaArray, bool]] = {}
        self._keep = tuple(args)
        self._local_bytes = compiled.local_bytes
        values = [self._value(n, arg) for n, arg in enumerate(args)]
        values += [_word(launch_value(ndrange, name)) for name in compiled.launch_arguments]
        self._refuse_overlaps()
        if self._local_bytes > self._device.gpu.max_local:
            raise LaunchError(
                f"kernel '{compiled.name}': {self._local_bytes} bytes of local memory; "
                f"{self._device.title} has {self._device.gpu.max_local} for a group"
            )
        if self._local_bytes > MOST_STATIC:
            self._device.gpu.allow_local(executable.function, self._local_bytes)
        self._values = [ctypes.create_string_buffer(value, len(value)) for value in values]
        addresses = [ctypes.addressof(value) for value in self._values]
        self._arguments = (ctypes.c_void_p * max(1, len(addresses)))(*addresses)

    def _value(self, position: int, arg: KernelArg) -> bytes:
        """The bytes of a parameter."""
        type = self._compiled.types[position]
        is_pointer = isinstance(type, PtrType)
        match arg:
            case LocalMemory() if is_pointer and type.address_space is AddressSpace.LOCAL:
                start = self._local_bytes
                self._local_bytes += round_up(arg.nbytes, ALIGNMENT)
                return _word(start)
            case None:
                return _word(0)
            case CudaArray():
                return _word(arg.address)
            case np.ndarray():
                return _word(self._array(arg, self._compiled.reads_only[position]).address)
            case bytes() if is_pointer or len(arg) == size_of(type):
                return arg
            case _:
                raise ArgumentError(
                    f"kernel '{self._compiled.name}': argument {position} is not a value for "
                    f"{type}: {arg!r:.60}"
                )

    def _array(self, array: NDArray[Any], reads_only: bool) -> CudaArray:
        """The GPU's copy of an array, which is the same if the array is passed several times."""
        key = (array.ctypes.data, array.nbytes)
        known = self._arrays.get(key)
        copy = self._device.memory(array.nbytes) if known is None else known[1]
        self._arrays[key] = (array, copy, reads_only and (known is None or known[2]))
        return copy

    def _refuse_overlaps(self) -> None:
        end = 0
        for address, nbytes in sorted(self._arrays):
            if nbytes and address < end:
                raise LaunchError(
                    f"kernel '{self._compiled.name}': two arrays overlap in part, and each has a "
                    "copy on the GPU; pass one array, or copies"
                )
            end = max(end, address + nbytes)

    def replace(self, position: int, data: bytes) -> None:
        """Replace an argument that is passed by value by `data`, which has the same size."""
        self._values[position].raw = data

    def write(self) -> None:
        """Copy the arrays to the GPU."""
        for array, copy, _ in self._arrays.values():
            if array.nbytes:
                self._device.gpu.write(copy.address, array.ctypes.data, array.nbytes)

    def read(self) -> None:
        """Copy what the kernel may have written to the arrays."""
        for array, copy, reads_only in self._arrays.values():
            if array.nbytes and not reads_only:
                self._device.gpu.read(copy.address, array.ctypes.data, array.nbytes)

    def __call__(self) -> None:
        gpu, groups = self._device.gpu, self._groups
        first = gpu.event() if self._device.profile else None
        gpu.launch(
            self._executable.function,
            groups.groups,
            groups.size,
            self._local_bytes,
            self._arguments,
        )
        if first is not None:
            seconds = gpu.seconds_between((first, gpu.event()))
            self._device.times.append(KernelTime(self._compiled.name, seconds))


def _word(value: int) -> bytes:
    return value.to_bytes(8, "little")
