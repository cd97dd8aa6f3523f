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

HEADER_BYTES = 64
"""In front of the pixels; its fields are those of lowering/image_functions.cl."""

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
}
"""Name -> CLK_* constant, where r g b a come from, and what goes to each channel of memory."""
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


class Image:
    """A two-dimensional image: `array` has the shape (height, width) or (height, width, channels).

    The pixels are copied; `image.array` is what the image holds, and changes when a kernel
    writes to it. `channels` names them: r, a, rg, ra, rgb, rgba, bgra, argb, intensity or
    luminance (default: by their number). With `normalized`, integers of 8 and 16 bits are read
    and written as floats of 0 or -1 to 1; without it, and for 32 bits, as integers.

    Raises:
        ArgumentError: the array has another shape or type, or `channels` another number.
    """

    def __init__(self, array: NDArray[Any], channels: str | None = None, normalized: bool = True):
        array = np.asarray(array)
        if array.ndim not in (2, 3) or array.size == 0:
            raise ArgumentError(
                "an image's array has the shape (height, width) or (height, width, channels), "
                f"got {array.shape}"
            )
        pixels = array.reshape(*array.shape[:2], -1)
        height, width, count = pixels.shape
        order = channels or _DEFAULT_ORDER.get(count, "")
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
        self.channels = order
        self.normalized = normalized
        code, to_color, from_color = _ORDERS[order]
        pitch = width * count * array.dtype.itemsize
        self.storage: NDArray[np.uint8] = np.zeros(HEADER_BYTES + height * pitch, np.uint8)
        """The block that a device gets: the header and the pixels."""
        type_code = _TYPES[array.dtype.name][int(normalized)]
        header = struct.pack(
            *("<8i", width, height, code, type_code, count, pitch),
            *(_nibbles(to_color), _nibbles(from_color)),
        )
        self.storage[: len(header)] = np.frombuffer(header, np.uint8)
        self._pixels = self.storage[HEADER_BYTES:].view(array.dtype).reshape(pixels.shape)
        self._pixels[...] = pixels
        self._shape = array.shape

    @property
    def array(self) -> NDArray[Any]:
        """The pixels now, in the shape of the array that the image was made of."""
        return self._pixels.reshape(self._shape)

    def __repr__(self) -> str:
        size = f"{self._shape[1]}x{self._shape[0]}"
        return f"polycl.Image({size}, {self.channels}, {self._pixels.dtype.name})"


_ADDRESS = {"none": 0, "clamp_to_edge": 2, "clamp": 4, "repeat": 6, "mirrored_repeat": 8}
_FILTER = {"nearest": 0x10, "linear": 0x20}


class Sampler:
    """How a kernel reads an image between and outside of its pixels.

    `address` is none, clamp_to_edge, clamp, repeat or mirrored_repeat (the last two need
    `normalized` coordinates); `filter` is nearest or linear.

    Raises:
        ArgumentError: a name that is none of these.
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
