"""The format of an image, in the header that kernels get in front of its pixels.

The fields of the header are in `ocl_expand_images/image_functions.cl`.
"""

from __future__ import annotations

import struct
from typing import TypeAlias

ImageFormat: TypeAlias = tuple[int, ...]
"""The values of `FORMAT_FIELDS`."""

FORMAT_FIELDS = ("type", "channels", "to_color", "from_color", "pixel")
"""The fields of the header that follow from the format alone."""

_HEADER = struct.Struct("<12xi4x3i24x2i32xq")
"""These fields, `packed` and `linear`."""


def image_format(header: bytes | memoryview) -> ImageFormat | None:
    """The format of an image; None if it is one of those that are read with further fields.

    These are packed formats and sRGB.
    """
    *fields, packed, linear = _HEADER.unpack_from(header)
    return None if packed or linear else tuple(fields)
