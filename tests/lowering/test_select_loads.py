"""`wg-select-loads` keeps every bit: borders of each kind, odd sizes and offsets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

BEFORE = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=32,1,1},ocl-to-wg,"
    "ocl-expand-builtins,wg-lower-contexts,index-arithmetic,wg-split-borders"
)
BORDERS = {
    "clamp": "x >= k ? x - k : 0 | x + k < n ? x + k : n - 1",
    "nested": "x >= k ? (x - k < n ? x - k : n - 1) : 0 | x + k < n ? x + k : n - 1",
    "min, max": "max(x, k) - k | min((ID)(x + k), (ID)(n - 1))",
    "clamp()": "clamp((int)x - (int)k, 0, (int)n - 1) | clamp((int)(x + k), 0, (int)n - 1)",
    "long clamp()": "clamp((long)x - (long)k, 0L, (long)n - 1) | min((long)(x + k), (long)n - 1)",
    "mirror": "x >= k ? x - k : k - x | x + k < n ? x + k : 2 * n - 2 - x - k",
    "if": "x - k; if (x < k) $ = k - x | x + k; if ($ >= n) $ = 2 * (n - 1) - $",
    "wrap": "x >= k ? x - k : x + n - k | x + k < n ? x + k : x + k - n",
    "%": "(x + n - k) % n | (x + k) % n",
}
"""The neighbours of x at the distance k below and above it, of n."""


def source(border: str, type: str) -> str:
    below, above = BORDERS[border].split(" | ")
    return (
        f"#define ID {type}\n"
        "kernel void k(global const uint *in, global uint *out, uint size, uint radius) {\n"
        "  ID x = get_global_id(0) - get_global_offset(0), n = size, k = radius;\n"
        "  if (x >= n) return;\n"
        f"  ID i = {below.replace('$', 'i')};\n  ID j = {above.replace('$', 'j')};\n"
        "  out[x] = 3 * in[i] + 5 * in[j];\n}\n"
    )


def run(
    text: str, size: int, radius: int, offset: int, device: str, **options: Any
) -> NDArray[np.uint32]:
    values = np.arange(size, dtype=np.uint32) * np.uint32(2654435761)
    out = np.zeros(size, np.uint32)
    polycl.load(text, language="cl").kernel("k")(
        values,
        out,
        np.uint32(size),
        np.uint32(radius),
        global_size=(-(-size // 32) * 32,),
        local_size=(32,),
        global_offset=(offset,),
        device=polycl.device(device),
        **options,
    )
    return out


@pytest.mark.parametrize("type", ["int", "uint", "size_t"])
@pytest.mark.parametrize("border", BORDERS)
def test_keeps_every_bit(border: str, type: str):
    text = source(border, type)
    for size, radius in ((1, 0), (5, 4), (64, 1), (103, 2)):
        x = np.arange(size)
        values = x.astype(np.uint32) * np.uint32(2654435761)
        i, j = neighbours(border, x, radius, size)
        expected = np.uint32(3) * values[i] + np.uint32(5) * values[j]
        np.testing.assert_array_equal(run(text, size, radius, 7, "cpu"), expected, text)
    for size, radius in ((5, 4), (67, 2)):
        expected = run(text, size, radius, 0, "interp", pipeline=BEFORE)
        for passes in ("wg-select-loads", "wg-select-loads,wg-vectorize"):
            found = run(text, size, radius, 0, "interp", pipeline=f"{BEFORE},{passes}")
            np.testing.assert_array_equal(found, expected, text)


def neighbours(
    border: str, x: NDArray[np.int64], k: int, n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if "clamp" in border or border in ("nested", "min, max"):
        return np.maximum(x - k, 0), np.minimum(x + k, n - 1)
    if border in ("mirror", "if"):
        return np.abs(x - k), n - 1 - np.abs(n - 1 - x - k)
    return (x - k) % n, (x + k) % n


@pytest.mark.parametrize("border", BORDERS)
def test_loads_are_selected(border: str):
    with collect_remarks() as remarks:
        run(source(border, "int"), 64, 1, 0, "interp", pipeline=f"{BEFORE},wg-select-loads")
    assert any("loads of selected addresses" in r.message for r in remarks)


def test_rows_of_a_group_are_clamped_alike():
    """A row's coordinate, which differs along y only, is not a selection of addresses."""
    text = (
        "kernel void k(global const int *in, global int *out, int w, int h) {\n"
        "  int x = get_global_id(0), y = get_global_id(1), sum = 0;\n"
        "  for (int j = -1; j <= 1; j++)\n"
        "    for (int i = -1; i <= 1; i++)\n"
        "      sum += (j * 3 + i + 5) * in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];\n"
        "  out[y * w + x] = sum;\n}\n"
    )
    passes = f"{BEFORE.replace('32,1,1', '16,4,1')},wg-select-loads"
    for w, h in ((16, 4), (96, 8)):
        kernel = polycl.load(text, language="cl").kernel("k")
        values = (np.arange(h * w) * 37 % 251).astype(np.int32).reshape(h, w)
        padded = np.pad(values, 1, "edge")
        expected = sum(
            (j * 3 + i + 5) * padded[j + 1 : j + 1 + h, i + 1 : i + 1 + w]
            for j in (-1, 0, 1)
            for i in (-1, 0, 1)
        )
        size, group = (w, h), (16, 4)
        out = np.zeros((h, w), np.int32)
        kernel(values, out, w, h, global_size=size, local_size=group, device="cpu")
        np.testing.assert_array_equal(out, expected)
        out[...] = 0
        with collect_remarks() as remarks:
            kernel(
                *(values, out, w, h),
                global_size=size,
                local_size=group,
                device="interp",
                pipeline=passes,
            )
        np.testing.assert_array_equal(out, expected)
        assert any("loads of selected addresses" in r.message for r in remarks)
