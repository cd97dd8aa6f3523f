"""Images of the device (OpenCL 1.2, section 5.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    StringAttr,
    f16,
    f32,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import MemoryAllocEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.host.buffer_type import BufferType
from polycl.dialects.ocl.images import ImageKind

CHANNEL_ORDERS: dict[str, tuple[int, int]] = {
    "r": (0x10B0, 1),
    "a": (0x10B1, 1),
    "rg": (0x10B2, 2),
    "ra": (0x10B3, 2),
    "rgba": (0x10B5, 4),
    "bgra": (0x10B6, 4),
    "argb": (0x10B7, 4),
    "intensity": (0x10B8, 1),
    "luminance": (0x10B9, 1),
    "depth": (0x10BD, 1),
}
"""The number of each order of channels in CL/cl.h, and how many channels it has."""

CHANNEL_TYPES: dict[str, tuple[int, Attribute]] = {
    "snorm_int8": (0x10D0, i8),
    "snorm_int16": (0x10D1, i16),
    "unorm_int8": (0x10D2, i8),
    "unorm_int16": (0x10D3, i16),
    "signed_int8": (0x10D7, i8),
    "signed_int16": (0x10D8, i16),
    "signed_int32": (0x10D9, i32),
    "unsigned_int8": (0x10DA, i8),
    "unsigned_int16": (0x10DB, i16),
    "unsigned_int32": (0x10DC, i32),
    "half_float": (0x10DD, f16),
    "float": (0x10DE, f32),
}
"""The number of each type of channels in CL/cl.h, and the elements that are these channels."""

_SIZES = {
    ImageKind.IMAGE1D: 1,
    ImageKind.IMAGE1D_ARRAY: 2,
    ImageKind.IMAGE2D: 2,
    ImageKind.IMAGE2D_ARRAY: 3,
    ImageKind.IMAGE3D: 3,
}


@irdl_op_definition
class ImageOp(IRDLOperation):
    """`clCreateImage`: an image as a buffer of its channels, row after row, uninitialised.

    `%d = host.image "image2d" [640, 480] "rgba" "unorm_int8" : !host.buffer<i8>`

    The sizes are width, height, and depth or number of images, as far as the kind has them. What
    transfers do with buffers they do with its pixels; a launch takes it for an image only.
    """

    name = "host.image"

    kind = prop_def(StringAttr)
    sizes = prop_def(DenseArrayBase.constr(i64))
    order = prop_def(StringAttr)
    channel = prop_def(StringAttr)
    result = result_def(BufferType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "$kind $sizes $order $channel attr-dict `:` type($result)"

    def __init__(self, kind: ImageKind, sizes: Sequence[int], order: str, channel: str):
        super().__init__(
            properties={
                "kind": StringAttr(kind.value),
                "sizes": DenseArrayBase.from_list(i64, sizes),
                "order": StringAttr(order),
                "channel": StringAttr(channel),
            },
            result_types=[BufferType(CHANNEL_TYPES[channel][1])],
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The width, and the height, depth or number of images that the kind has."""
        sizes: DenseArrayBase[I64] = self.sizes
        return tuple(sizes.get_values())

    @property
    def channels(self) -> int:
        """The number of channels of a pixel."""
        return CHANNEL_ORDERS[self.order.data][1]

    @property
    def elements(self) -> int:
        """The number of channels of all pixels."""
        return math.prod(self.shape) * self.channels

    def verify_(self) -> None:
        kinds = {kind.value: count for kind, count in _SIZES.items()}
        kinds |= {f"{kind}_depth": kinds[kind] for kind in ("image2d", "image2d_array")}
        for what, name, known in (
            ("kind of image", self.kind.data, kinds),
            ("order of channels", self.order.data, CHANNEL_ORDERS),
            ("type of channels", self.channel.data, CHANNEL_TYPES),
        ):
            if name not in known:
                raise VerifyException(
                    f"unknown {what} '{name}'; expected one of {', '.join(known)}"
                )
        count = kinds[self.kind.data]
        if len(self.shape) != count or min(self.shape) < 1:
            raise VerifyException(
                f"an {self.kind.data} has {count} sizes of at least 1, got {list(self.shape)}"
            )
        if self.kind.data.endswith("_depth") != (self.order.data == "depth"):
            raise VerifyException(
                f"an {self.kind.data} cannot have the channels '{self.order.data}'"
            )
        element = CHANNEL_TYPES[self.channel.data][1]
        if self.result.type != BufferType(element):
            raise VerifyException(
                f"an image of {self.channel.data} is {BufferType(element)}, got {self.result.type}"
            )
