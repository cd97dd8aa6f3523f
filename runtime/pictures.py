"""Picture files as arrays: height x width x channels, and back."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from polycl.errors import ArgumentError, PolyclError

MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
"""Number of channels -> their meaning: grey (L), colours, opacity (A)."""


def load_picture(
    path: str | Path, dtype: np.dtype[Any], channels: int | None = None
) -> NDArray[Any]:
    """The picture in `path` as `dtype`: `uint8`, or a float type with values from 0 to 1.

    Its shape is (height, width, channels), or (height, width) for a grey picture. With
    `channels` the picture is converted: 1 grey, 2 grey and opacity, 3 RGB, 4 RGBA. Of 16-bit
    pictures the upper 8 bits are kept.

    Raises:
        PolyclError: there is no picture in `path`.
        ArgumentError: `dtype` is neither `uint8` nor a float type.
    """
    if dtype != np.uint8 and dtype.kind != "f":
        raise ArgumentError(
            f"'{path}': a picture has elements of type uint8, float16, float32 or float64, "
            f"not {dtype.name}"
        )
    try:
        with Image.open(path) as image:
            pixels = _read(image, channels)
    except UnidentifiedImageError as error:
        raise PolyclError(f"'{path}' is not a picture") from error
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PolyclError(f"cannot open '{path}': {reason}") from error
    if dtype.kind == "f":
        return np.ascontiguousarray((pixels / np.float64(255)).astype(dtype))
    return np.array(pixels)


def _read(image: Image.Image, channels: int | None) -> NDArray[np.uint8]:
    if image.mode.startswith("I"):
        # Pillow would clip, not scale.
        image = Image.fromarray((np.asarray(image).astype(np.uint16) >> 8).astype(np.uint8))
    return np.asarray(image.convert(_mode(image, channels)))


def _mode(image: Image.Image, channels: int | None) -> str:
    if channels is not None:
        return MODES[channels]
    if image.mode in ("1", *MODES.values()):
        return "L" if image.mode == "1" else image.mode
    has_opacity = "A" in image.getbands() or "transparency" in image.info
    return "RGBA" if has_opacity else "RGB"


def picture_problem(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str | None:
    """The reason why an array is not a picture, or None where it is one."""
    if dtype not in (np.uint8, np.bool_) and dtype.kind != "f":
        return f"a picture has elements of type uint8 or float, not {dtype.name}"
    if 0 not in shape and (len(shape) == 2 or (len(shape) == 3 and shape[2] in MODES)):
        return None
    return (
        "a picture has shape (height, width) or (height, width, 1 to 4 channels), "
        f"not {'x'.join(map(str, shape))}"
    )


def save_picture(array: NDArray[Any], file: IO[bytes]) -> None:
    """Writes `array` as PNG: `uint8`, or floats from 0 to 1, which are rounded and clipped."""
    if array.dtype.kind == "f":
        scaled = np.nan_to_num(array.astype(np.float64), nan=0.0) * 255
        array = np.clip(np.rint(scaled), 0, 255).astype(np.uint8)
    elif array.dtype == np.bool_:
        array = array.astype(np.uint8) * 255
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    Image.fromarray(np.ascontiguousarray(array)).save(file, format="PNG")
