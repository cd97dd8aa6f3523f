"""NVIDIA's driver, `libcuda`, by ctypes: no toolkit is needed.

Each function raises a LaunchError with the driver's message. Names are the CUDA driver API's.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_void_p
from functools import cache
from typing import Any

from polycl.backends.device import Size3
from polycl.errors import ArgumentError, LaunchError

_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

MAX_THREADS, MAX_LOCAL, MAJOR, MINOR = 1, 97, 75, 76
"""Attributes of a device: the most work-items of a group, the most bytes of its local memory, and
the two numbers of its compute capability."""

_DYNAMIC_BYTES = 8
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"""
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6
"""Options of cuModuleLoadDataEx."""


@cache
def _libcuda() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise ArgumentError(
            f"device 'cuda' needs NVIDIA's driver, which is not on this machine: {error}; "
            "other devices are 'cpu' and 'opencl'"
        ) from None
    code = library.cuInit(0)
    if code:
        raise ArgumentError(f"device 'cuda': {_message(library, code)}; is there a GPU?")
    return library


def _message(library: ctypes.CDLL, code: int) -> str:
    name, text = c_char_p(), c_char_p()
    library.cuGetErrorName(code, byref(name))
    library.cuGetErrorString(code, byref(text))
    return f"{(text.value or b'unknown error').decode()} ({(name.value or b'?').decode()}, {code})"


def _call(where: str, function: str, *arguments: Any) -> None:
    library = _libcuda()
    code = getattr(library, function)(*arguments)
    if code:
        raise LaunchError(f"{where}: {function}: {_message(library, code)}")


class Gpu:
    """One GPU with its primary context and a stream, in which everything happens in order."""

    def __init__(self, number: int):
        count = c_int()
        _call("device 'cuda'", "cuDeviceGetCount", byref(count))
        if not 0 <= number < count.value:
            raise ArgumentError(f"no device 'cuda:{number}'; there are {count.value} GPUs here")
        self.where = f"device 'cuda:{number}'"
        handle = c_int()
        self.call("cuDeviceGet", byref(handle), c_int(number))
        self._handle = handle
        name = ctypes.create_string_buffer(200)
        self.call("cuDeviceGetName", name, c_int(200), handle)
        self.name = name.value.decode()
        self._context = c_void_p()
        self.call("cuDevicePrimaryCtxRetain", byref(self._context), handle)
        self.activate()
        self.stream = c_void_p()
        self.call("cuStreamCreate", byref(self.stream), c_uint(1))
        self.capability = 10 * self.attribute(MAJOR) + self.attribute(MINOR)
        # With what later processors do not have, for the one where it runs (PTX ISA, `.target`).
        self.processor = f"sm_{self.capability}" + ("a" if self.capability == 90 else "")
        self.max_threads = self.attribute(MAX_THREADS)
        self.max_local = self.attribute(MAX_LOCAL)

    def call(self, function: str, *arguments: Any) -> None:
        _call(self.where, function, *arguments)

    def attribute(self, number: int) -> int:
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), c_int(number), self._handle)
        return value.value

    def activate(self) -> None:
        """Make the context that of the calling thread."""
        self.call("cuCtxSetCurrent", self._context)

    def allocate(self, nbytes: int) -> int:
        """The address of new memory, aligned to 256 bytes at least."""
        self.activate()
        address = c_void_p()
        self.call("cuMemAlloc_v2", byref(address), c_size_t(max(1, nbytes)))
        return address.value or 0

    def free(self, address: int) -> None:
        self.activate()
        self.call("cuMemFree_v2", c_void_p(address))

    def write(self, to: int, data: int, nbytes: int) -> None:
        """Copy from the host's address `data`; the memory there may change after the call."""
        self.activate()
        self.call(
            "cuMemcpyHtoDAsync_v2", c_void_p(to), c_void_p(data), c_size_t(nbytes), self.stream
        )
        self.finish()

    def read(self, source: int, into: int, nbytes: int) -> None:
        """Copy to the host's address `into`, after all that is in the stream."""
        self.activate()
        self.call(
            "cuMemcpyDtoHAsync_v2", c_void_p(into), c_void_p(source), c_size_t(nbytes), self.stream
        )
        self.finish()

    def copy(self, to: int, source: int, nbytes: int) -> None:
        self.activate()
        self.call(
            "cuMemcpyDtoDAsync_v2", c_void_p(to), c_void_p(source), c_size_t(nbytes), self.stream
        )

    def finish(self) -> None:
        """Wait for everything in the stream."""
        self.activate()
        self.call("cuStreamSynchronize", self.stream)

    def function(self, text: str, name: str) -> c_void_p:
        """The kernel `name` of a text of PTX, which is compiled.

        Raises:
            LaunchError: the driver does not take the text; the message has its log.
        """
        self.activate()
        log = ctypes.create_string_buffer(8192)
        options = (c_int * 2)(_ERROR_LOG, _ERROR_LOG_BYTES)
        values = (c_void_p * 2)(ctypes.addressof(log), len(log))
        module, found = c_void_p(), c_void_p()
        try:
            self.call(
                "cuModuleLoadDataEx", byref(module), text.encode(), c_uint(2), options, values
            )
        except LaunchError as error:
            raise LaunchError(f"kernel '{name}': {error}\n{log.value.decode().strip()}") from None
        self.call("cuModuleGetFunction", byref(found), module, name.encode())
        return found

    def allow_local(self, function: c_void_p, nbytes: int) -> None:
        """Launches of `function` may add so much local memory: without this, 48 KiB."""
        self.activate()
        self.call("cuFuncSetAttribute", function, c_int(_DYNAMIC_BYTES), c_int(nbytes))

    def launch(
        self, function: c_void_p, groups: Size3, size: Size3, local_bytes: int, arguments: Any
    ) -> None:
        """Start a launch; `arguments` is an array of addresses."""
        self.activate()
        self.call(
            "cuLaunchKernel",
            function,
            *map(c_uint, (*groups, *size, local_bytes)),
            self.stream,
            arguments,
            None,
        )

    def event(self) -> c_void_p:
        """An event in the stream."""
        self.activate()
        event = c_void_p()
        self.call("cuEventCreate", byref(event), c_uint(0))
        self.call("cuEventRecord", event, self.stream)
        return event

    def seconds_between(self, events: Sequence[c_void_p]) -> float:
        """The time between two events, which are destroyed."""
        first, last = events
        self.call("cuEventSynchronize", last)
        milliseconds = c_float()
        self.call("cuEventElapsedTime", byref(milliseconds), first, last)
        for event in events:
            self.call("cuEventDestroy_v2", event)
        return milliseconds.value * 1e-3


@cache
def gpu(number: int) -> Gpu:
    """The GPU with that number. Raises ArgumentError where there is none."""
    return Gpu(number)
