"""The arguments of a launch, in the device's memory."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.ir import Attribute

from polycl.backends.device import KernelArg, LocalMemory
from polycl.backends.opencl_c.resident import Resident
from polycl.dialects.ocl import ImageAccess, ImageKind, ImageType, SamplerType
from polycl.errors import ArgumentError, LaunchError

if TYPE_CHECKING:
    import pyopencl as cl

    from polycl.backends.opencl_c.device import OpenclDevice

Parameter = tuple[str, Attribute, bool]
"""The name, the type, and whether the kernel only reads it."""

_HEADER = struct.Struct("<5i12xq")
"""The first fields of an image's block: width, height, channel order and type, depth or number of
images, and, after others, the offset of the pixels (`ocl_expand_images/image_functions.cl`)."""


class Arguments:
    """The arguments of launches; `values` has them as pyopencl takes them.

    `write` copies arrays to the device, and `read` copies them back. A device that shares the
    host's memory uses the arrays themselves.
    """

    def __init__(
        self,
        device: OpenclDevice,
        kernel: str,
        parameters: Sequence[Parameter],
        args: Sequence[KernelArg],
    ):
        self._device = device
        self._cl = device.cl
        self._shares = bool(device.handle.host_unified_memory)
        self._buffers: dict[tuple[int, int], tuple[cl.Buffer, np.ndarray, bool]] = {}
        self._images: list[tuple[cl.Image, np.ndarray, bool, tuple[int, ...]]] = []
        self.values: list[Any] = []
        if len(args) != len(parameters):
            raise ArgumentError(
                f"kernel '{kernel}' takes {len(parameters)} arguments, got {len(args)}"
            )
        for parameter, arg in zip(parameters, args, strict=True):
            self.values.append(self._value(parameter, arg))
        self._refuse_overlaps(kernel)

    def _value(self, parameter: Parameter, arg: KernelArg) -> Any:
        _, type, const = parameter
        match arg:
            case np.ndarray() if isinstance(type, ImageType):
                return self._image(type, arg)
            case np.ndarray():
                return self._buffer(arg, const)
            case Resident():
                return arg.buffer
            case LocalMemory():
                return self._cl.LocalMemory(arg.nbytes)
            case bytes() if isinstance(type, SamplerType):
                return _sampler(self._device, int.from_bytes(arg, "little"))
            case _:
                return arg

    def _buffer(self, array: np.ndarray, const: bool) -> cl.Buffer:
        """The buffer of an array, which is the same if the array is passed several times."""
        key = (array.ctypes.data, array.nbytes)
        known = self._buffers.get(key)
        if known is not None:
            self._buffers[key] = (known[0], known[1], known[2] and const)
            return known[0]
        flags = self._cl.mem_flags.READ_WRITE
        if array.nbytes == 0:
            buffer = self._cl.Buffer(self._device.context, flags, 1)
        elif self._shares and array.flags.writeable:
            flags |= self._cl.mem_flags.USE_HOST_PTR
            buffer = self._cl.Buffer(self._device.context, flags, hostbuf=array)
        else:
            buffer = self._cl.Buffer(self._device.context, flags, array.nbytes)
        self._buffers[key] = (buffer, array, const)
        return buffer

    def _refuse_overlaps(self, kernel: str) -> None:
        end = 0
        for address, nbytes in sorted(self._buffers):
            if nbytes and address < end:
                raise LaunchError(
                    f"kernel '{kernel}': two arrays overlap in part, and OpenCL's buffers do not; "
                    "pass one array, or copies"
                )
            end = max(end, address + nbytes)

    def _image(self, type: ImageType, block: np.ndarray) -> cl.Image:
        width, height, order, code, depth, first_pixel = _HEADER.unpack_from(block.tobytes())
        access = type.access.data
        flags = {
            ImageAccess.READ: self._cl.mem_flags.READ_ONLY,
            ImageAccess.WRITE: self._cl.mem_flags.WRITE_ONLY,
            ImageAccess.READ_WRITE: self._cl.mem_flags.READ_WRITE,
        }[access]
        kind = type.kind
        # pyopencl does not copy to images of one dimension.
        shapes: dict[ImageKind, tuple[int, ...]] = {
            ImageKind.IMAGE2D: (width, height),
            ImageKind.IMAGE2D_ARRAY: (width, height, depth),
            ImageKind.IMAGE3D: (width, height, depth),
        }
        if kind.of_colours not in shapes:
            raise LaunchError(f"device 'opencl' does not make an {kind.value} yet; pass a buffer")
        is_array = kind.of_colours is ImageKind.IMAGE2D_ARRAY
        format = self._cl.ImageFormat(order, code)
        image = self._cl.Image(
            self._device.context, flags, format, shape=shapes[kind.of_colours], is_array=is_array
        )
        pixels = block[first_pixel:]
        is_written = access is not ImageAccess.READ
        self._images.append((image, pixels, is_written, (width, height, depth)))
        return image

    def write(self) -> None:
        """Copy the arrays to the device."""
        queue = self._device.queue
        for buffer, array, _ in self._buffers.values():
            if not array.nbytes:
                continue
            if self._is_shared(buffer):
                self._map(buffer, array, self._cl.map_flags.WRITE_INVALIDATE_REGION)
            else:
                self._cl.enqueue_copy(queue, buffer, array)
        for image, pixels, _, region in self._images:
            self._cl.enqueue_copy(queue, image, pixels, origin=(0, 0, 0), region=region)

    def read(self) -> None:
        """Copy what the kernel may have written to the arrays."""
        queue = self._device.queue
        for buffer, array, const in self._buffers.values():
            if const or not array.nbytes:
                continue
            if self._is_shared(buffer):
                self._map(buffer, array, self._cl.map_flags.READ)
            else:
                self._cl.enqueue_copy(queue, array, buffer)
        for image, pixels, written, region in self._images:
            if written:
                self._cl.enqueue_copy(queue, pixels, image, origin=(0, 0, 0), region=region)

    def _map(self, buffer: cl.Buffer, array: np.ndarray, flags: cl.map_flags) -> None:
        """Map and unmap memory that the host and the device share, so that each sees the other's
        writes. The platform copies if it uses a copy internally."""
        queue, shape, of = self._device.queue, (array.nbytes,), np.dtype(np.uint8)
        mapped, _ = self._cl.enqueue_map_buffer(queue, buffer, flags, 0, shape, of)
        mapped.base.release(queue)

    def _is_shared(self, buffer: cl.Buffer) -> bool:
        return bool(buffer.flags & self._cl.mem_flags.USE_HOST_PTR)


def _sampler(device: OpenclDevice, bits: int) -> cl.Sampler:
    """The sampler of the bits of CLK_* (frontends/opencl_c)."""
    modes = device.cl.addressing_mode
    addressing = {
        0: modes.NONE,
        2: modes.CLAMP_TO_EDGE,
        4: modes.CLAMP,
        6: modes.REPEAT,
        8: modes.MIRRORED_REPEAT,
    }[bits & 0xE]
    filter = device.cl.filter_mode.LINEAR if bits & 0x20 else device.cl.filter_mode.NEAREST
    return device.cl.Sampler(device.context, bool(bits & 1), addressing, filter)
