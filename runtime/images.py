"""Images and samplers that a caller passes to kernels (OpenCL 1.2, sections 5.3 and 5.5).

image = polycl.Image(np.zeros((480, 640, 4), np.uint8))          # rgba, read as 0.0 to 1.0
kernel(image, polycl.Sampler(filter="linear"), global_size=(640, 480))
image.array                                                      # what it holds now
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.errors import ArgumentError

HEADER_BYTES = 128
"""The size of the header; `ocl_expand_images/image_functions.cl` has its fields."""

_ZERO, _ONE = 4, 5
_ORDERS: dict[str, tuple[int, tuple[int, int, int, int], tuple[int, ...]]] = {
    "r": (0x10B0, (0, _ZERO, _ZERO, _ONE), (0,)),
    "a": (0x10B1, (_ZERO, _ZERO, _ZERO, 0), (3,)),
    "rg": (0x10B2, (0, 1, _ZERO, _ONE), (0, 1)),
    "ra": (0x10B3, (0, _ZERO, _ZERO, 1), (0, 3)),
    "rgb": (0x10B4, (0, 1, 2, _ONE), (0, 1, 2)),
    "rgba": (0x10B5, (0, 1, 2, 3), (0, 1, 2, 3)),
    "bgra": (0x10B6, (2, 1, 0, 3), (2, 1, 0, 3)),
    "argb": (0x10B7, (1, 2, 3, 0), (3, 0, 1, 2)),
    "intensity": (0x10B8, (0, 0, 0, 0), (0,)),
    "luminance": (0x10B9, (0, 0, 0, _ONE), (0,)),
    "depth": (0x10BD, (0, _ZERO, _ZERO, _ONE), (0,)),
}
"""Name -> CLK_* constant, the sources of r g b a, and the colour in each channel of memory."""
_DEFAULT_ORDER = {1: "r", 2: "rg", 3: "rgb", 4: "rgba"}
_TYPES = {
    "int8": (0x10D7, 0x10D0),
    "int16": (0x10D8, 0x10D1),
    "int32": (0x10D9, 0x10D9),
    "uint8": (0x10DA, 0x10D2),
    "uint16": (0x10DB, 0x10D3),
    "uint32": (0x10DC, 0x10DC),
    "float16": (0x10DD, 0x10DD),
    "float32": (0x10DE, 0x10DE),
}
"""numpy type -> CLK_* constant as it is, and normalized."""
_DEPTHS = (("float32", True), ("float32", False), ("uint16", True))
"""The types of depths, and whether they are normalized."""


IMAGE_SHAPES = {
    "image1d": ("width",),
    "image1d_buffer": ("width",),
    "image1d_array": ("images", "width"),
    "image2d": ("height", "width"),
    "image2d_array": ("images", "height", "width"),
    "image3d": ("depth", "height", "width"),
    "image2d_depth": ("height", "width"),
    "image2d_array_depth": ("images", "height", "width"),
}
"""The dimensions of the array of each kind of image; its channels may follow."""


class Image:
    """An image: `array` has the shape (height, width) or (height, width, channels).

    This is the default `kind`, image2d. Others have other dimensions before the channels: (width)
    for image1d and image1d_buffer, (images, width) for image1d_array, (images, height, width) for
    image2d_array, (depth, height, width) for image3d. Images of the kinds image2d_depth and
    image2d_array_depth have one number for each pixel, a float or a normalized uint16.

    The pixels are copied; `image.array` is the content of the image, and changes when a kernel
    writes to it. `channels` names them: r, a, rg, ra, rgb, rgba, bgra, argb, intensity or
    luminance (default: by their number). With `normalized`, integers of 8 and 16 bits are read
    and written as floats of 0 or -1 to 1; without it, and for 32 bits, as integers.

    Raises:
        ArgumentError: the shape, the type or the number of channels does not fit.
    """

    def __init__(
        self,
        array: NDArray[Any],
        channels: str | None = None,
        normalized: bool = True,
        kind: str = "image2d",
    ):
        array = np.asarray(array)
        if kind not in IMAGE_SHAPES:
            raise ArgumentError(f"unknown kind={kind!r}; expected one of {', '.join(IMAGE_SHAPES)}")
        sizes = IMAGE_SHAPES[kind]
        if array.ndim - len(sizes) not in (0, 1) or array.size == 0:
            raise ArgumentError(
                f"the array of an {kind} has the shape ({', '.join(sizes)}) or "
                f"({', '.join(sizes)}, channels), got {array.shape}"
            )
        lengths = dict(zip(sizes, array.shape, strict=False))
        depth = lengths.get("depth", lengths.get("images", 1))
        height, width = lengths.get("height", 1), lengths["width"]
        pixels = array.reshape(depth, height, width, -1)
        count = pixels.shape[3]
        is_depth = kind.endswith("_depth")
        order = channels or ("depth" if is_depth else _DEFAULT_ORDER.get(count, ""))
        if order not in _ORDERS or len(_ORDERS[order][2]) != count:
            known = ", ".join(_ORDERS)
            raise ArgumentError(
                f"an image with {count} channels cannot have channels={channels!r}; "
                f"expected one of {known} with as many"
            )
        if array.dtype.name not in _TYPES:
            raise ArgumentError(
                f"an image cannot hold {array.dtype.name}; expected one of {', '.join(_TYPES)}"
            )
        if is_depth != (order == "depth"):
            raise ArgumentError(f"an {kind} cannot have channels={order!r}")
        if is_depth and (array.dtype.name, normalized) not in _DEPTHS:
            raise ArgumentError(
                f"an {kind} holds float32, or uint16 with normalized=True; got {array.dtype.name}"
            )
        self.kind = kind
        self.channels = order
        self.normalized = normalized
        code, to_color, from_color = _ORDERS[order]
        pitch = width * count * array.dtype.itemsize
        self.storage: NDArray[np.uint8] = np.zeros(HEADER_BYTES + depth * height * pitch, np.uint8)
        """The memory that a device gets: the header and the pixels."""
        type_code = _TYPES[array.dtype.name][int(normalized)]
        header = struct.pack(
            *("<8i3q2i", width, height, code, type_code, depth, count),
            *(_nibbles(to_color), _nibbles(from_color)),
            *(HEADER_BYTES, pitch, height * pitch, count * array.dtype.itemsize, 0),
        )
        self.storage[: len(header)] = np.frombuffer(header, np.uint8)
        self._pixels = self.storage[HEADER_BYTES:].view(array.dtype).reshape(pixels.shape)
        self._pixels[...] = pixels
        self._shape = array.shape

    @property
    def array(self) -> NDArray[Any]:
        """The current pixels, in the shape of the array from which the image was made."""
        return self._pixels.reshape(self._shape)

    def copy(self) -> Image:
        """Another image with the same pixels."""
        return Image(self.array, self.channels, self.normalized, self.kind)

    def __repr__(self) -> str:
        sizes = self._shape[: len(IMAGE_SHAPES[self.kind])]
        text = f"{'x'.join(map(str, reversed(sizes)))}, {self.channels}, {self._pixels.dtype.name}"
        return (
            f"polycl.Image({text})"
            if self.kind == "image2d"
            else f"polycl.Image({text}, {self.kind})"
        )


def array_of(value: NDArray[Any] | Image) -> NDArray[Any]:
    """The content of a buffer or an image."""
    return value.array if isinstance(value, Image) else value


_ADDRESS = {"none": 0, "clamp_to_edge": 2, "clamp": 4, "repeat": 6, "mirrored_repeat": 8}
_FILTER = {"nearest": 0x10, "linear": 0x20}


class Sampler:
    """How a kernel reads an image between and outside of its pixels.

    `address` is none, clamp_to_edge, clamp, repeat or mirrored_repeat (the last two need
    `normalized` coordinates); `filter` is nearest or linear.

    Raises:
        ArgumentError: an unknown name.
    """

    def __init__(
        self, address: str = "clamp_to_edge", filter: str = "nearest", normalized: bool = False
    ):
        for what, name, known in (("address", address, _ADDRESS), ("filter", filter, _FILTER)):
            if name not in known:
                raise ArgumentError(
                    f"a sampler cannot have {what}={name!r}; expected one of {', '.join(known)}"
                )
        if address in ("repeat", "mirrored_repeat") and not normalized:
            raise ArgumentError(f"a sampler with address={address!r} needs normalized=True")
        self.bits = _ADDRESS[address] | _FILTER[filter] | int(normalized)

    def __repr__(self) -> str:
        return f"polycl.Sampler({self.bits:#x})"


def _nibbles(places: tuple[int, ...]) -> int:
    return sum(place << (4 * n) for n, place in enumerate(places))
