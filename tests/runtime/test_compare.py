"""Differences of results, and pictures."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from polycl import ArgumentError, PolyclError
from polycl.runtime.compare import compare
from polycl.runtime.pictures import load_picture, picture_problem, save_picture


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i8", "u8", "i4,f4", "?"])
def test_equal_arrays(dtype: str) -> None:
    array = np.zeros((2, 3), dtype)
    assert compare(array, array.copy()) is None


def test_nan_is_nan() -> None:
    quiet, other = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)
    assert compare(np.array([quiet]), np.array([other])) is None
    difference = compare(np.array([quiet, 1], np.float32), np.ones(2, np.float32))
    assert difference is not None
    assert difference.max_ulp == math.inf
    assert str(difference).startswith("1 of 2 elements differ, by at most NaN, infinitely many ULP")


@pytest.mark.parametrize(
    ("left", "right", "ulp", "absolute"),
    [
        (np.float32(1), np.nextafter(np.float32(1), np.float32(2)), 1, 2.0**-23),
        (np.float32(0.0), np.float32(-0.0), 1, 0),
        (np.float64(-5e-324), np.float64(5e-324), 3, 1e-323),
        (np.float16(1), np.float16(2), 1024, 1),
        (np.int8(-128), np.int8(127), 255, 255),
        (np.uint64(0), np.uint64(2**64 - 1), 2**64, 2**64),
    ],
)
def test_distance(left: Any, right: Any, ulp: float, absolute: float) -> None:
    a, b = np.zeros((2, 2), left.dtype), np.zeros((2, 2), left.dtype)
    a[1, 0], b[1, 0] = left, right
    difference = compare(a, b)
    assert difference is not None
    assert (difference.count, difference.total, difference.first) == (1, 4, "[1, 0]")
    assert difference.max_ulp == ulp
    assert difference.max_abs == pytest.approx(absolute, abs=0)


def test_structures_are_compared_field_by_field() -> None:
    dtype = np.dtype({"names": ["p", "i"], "formats": [("f4", 3), "i4"], "offsets": [0, 16]})
    a, b = np.zeros(3, dtype), np.zeros(3, dtype)
    a.view(np.uint8)[12:16] = 7  # padding
    assert compare(a, b) is None
    b["i"][2] = 5
    assert str(compare(a, b)) == "1 of 12 elements differ, by at most 5 ULP and 5; " + (
        "first at [2].i: 0 and 5"
    )


@given(st.floats(width=32, allow_nan=False), st.floats(width=32, allow_nan=False))
def test_distance_is_symmetric_and_zero_only_for_equal_bits(a: float, b: float) -> None:
    left, right = np.array([a], np.float32), np.array([b], np.float32)
    one, other = compare(left, right), compare(right, left)
    assert (one is None) == (left.tobytes() == right.tobytes())
    if one is not None and other is not None:
        assert one.max_ulp == other.max_ulp > 0


def test_pictures_keep_their_pixels(tmp_path: Path) -> None:
    for shape in ((4, 6), (4, 6, 1), (4, 6, 2), (4, 6, 3), (4, 6, 4)):
        pixels = np.arange(math.prod(shape), dtype=np.uint8).reshape(shape)
        with (tmp_path / "p.png").open("wb") as file:
            save_picture(pixels, file)
        loaded = load_picture(tmp_path / "p.png", np.dtype(np.uint8))
        assert (loaded.reshape(shape) == pixels).all()
        assert load_picture(tmp_path / "p.png", np.dtype(np.uint8), 4).shape == (4, 6, 4)
        scaled = load_picture(tmp_path / "p.png", np.dtype(np.float32))
        assert (scaled == (loaded / 255).astype(np.float32)).all()


def test_palettes_and_16_bits(tmp_path: Path) -> None:
    Image.new("P", (2, 2)).save(tmp_path / "palette.png")
    assert load_picture(tmp_path / "palette.png", np.dtype(np.uint8)).shape == (2, 2, 3)
    Image.fromarray(np.array([[0x12FF]], np.uint16)).save(tmp_path / "deep.png")
    assert load_picture(tmp_path / "deep.png", np.dtype(np.uint8)).tolist() == [[0x12]]


def test_floats_are_clipped_and_rounded() -> None:
    file = io.BytesIO()
    save_picture(np.array([[-1, 0.5, 2, np.nan]], np.float32), file)
    assert np.asarray(Image.open(file)).tolist() == [[0, 128, 255, 0]]


def test_what_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(PolyclError, match=r"text\.png' is not a picture"):
        load_picture(tmp_path / "text.png", np.dtype(np.uint8))
    with pytest.raises(PolyclError, match=r"cannot open '.*absent\.png': No such file"):
        load_picture(tmp_path / "absent.png", np.dtype(np.uint8))
    with pytest.raises(ArgumentError, match="a picture has elements of type uint8, .* not int32"):
        load_picture(tmp_path / "text.png", np.dtype(np.int32))
    assert picture_problem((4, 4), np.dtype(np.float32)) is None
    assert picture_problem((4, 4), np.dtype(np.int32)) is not None
    for shape in ((16,), (4, 4, 5), (0, 4), (1, 2, 3, 4)):
        assert picture_problem(shape, np.dtype(np.uint8)) is not None
