"""`wg-spread-loops` keeps every bit where outputs of a work-item are at distances from arguments:
long ones, and those at which iterations write the same elements in turn. There is one work-item
then, as several would race."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNELS = """
kernel void planes(global const int *in, global int *out, ARG n, ARG m) {
  TYPE id = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    TYPE i = 4 * id + k;
    int a = in[i], b = in[64 + i];
    out[i] = a + b;
    out[n + i] = a - b;
    out[m + i] = a * b;
  }
}
kernel void in_place(global int *in, global int *out, ARG n, ARG m) {
  TYPE id = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    TYPE i = 4 * id + k;
    int a = out[i] + in[i], b = out[n + i];
    out[i] = a + 3 * b;
    out[n + i] = a - b;
    out[2 * n + i] += b;
  }
}
"""
BEFORE = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=ITEMS,1,1},ocl-to-wg,"
    "ocl-expand-builtins,wg-lower-contexts,index-arithmetic"
)
SPREAD = "wg-spread-loops{distinct=true}"


LONG = [(64, 128), (512, 64), (700, 300)]
SHORT = [(3, 700), (1, 2), (700, 702), (0, 4), (4, 8), (2, 2)]


def run(
    kernel: polycl.Kernel, distances: tuple[int, int], device: str, pipeline: str | None
) -> np.ndarray:
    items = 16 if distances in LONG else 1
    values = np.random.default_rng(7).integers(-99, 99, 2048).astype(np.int32)
    out = values[::-1].copy()
    passes = None if pipeline is None else pipeline.replace("ITEMS", str(items))
    sizes = {"global_size": items, "local_size": items}
    kernel(values, out, *distances, **sizes, device=device, pipeline=passes)
    return out


@pytest.mark.parametrize("name", ["planes", "in_place"])
@pytest.mark.parametrize(
    ("distances", "type"), list(zip(LONG + SHORT, 3 * ["int", "long", "size_t"], strict=True))
)
def test_results_are_the_same(name: str, type: str, distances: tuple[int, int]):
    options = [f"-DTYPE={type}", f"-DARG={'ulong' if type == 'size_t' else type}"]
    kernel = polycl.load(KERNELS, options, language="cl").kernel(name)
    expected = run(kernel, distances, "interp", BEFORE)
    with collect_remarks() as remarks:
        np.testing.assert_array_equal(
            run(kernel, distances, "interp", f"{BEFORE},{SPREAD}"), expected
        )
    assert any("if they are apart" in r.message for r in remarks)
    pipeline = f"{BEFORE},{SPREAD},wg-vectorize"
    np.testing.assert_array_equal(run(kernel, distances, "interp", pipeline), expected)
    np.testing.assert_array_equal(run(kernel, distances, "cpu", None), expected)


CHANNELS = """
kernel void channels(global const uchar *in, global uchar *out, int width, int height) {
  TYPE x = get_global_id(0), y = get_global_id(1), w = width, h = height;
  for (int c = 0; c < COUNT; c++) {
    int sum = 0;
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++)
        sum += (i + 2) * in[(clamp((int)y + j, 0, (int)h - 1) * w
                             + clamp((int)x + i, 0, (int)w - 1)) * COUNT + c];
    out[(y * w + x) * COUNT + c] = sum;
  }
}
"""


@pytest.mark.parametrize(
    ("type", "channels", "is_spread"), [("int", 3, True), ("uint", 4, False), ("size_t", 2, True)]
)
def test_channels_inside_of_a_picture(type: str, channels: int, is_spread: bool):
    """Unsigned numbers may wrap around, so that neighbours need not be next to each other."""
    options = [f"-DTYPE={type}", f"-DCOUNT={channels}"]
    kernel = polycl.load(CHANNELS, options, language="cl").kernel("channels")
    before = BEFORE.replace("ITEMS,1,1", "32,1,1")
    split = f"{before},wg-split-borders,{SPREAD}"
    messages: list[str] = []
    # One group at both borders, and groups with one of them and none; the interpreter takes long.
    for width, height in ((32, 2), (96, 1)):
        values = np.random.default_rng(7).integers(0, 256, width * height * channels)
        found: list[np.ndarray] = []
        for device, passes in (("interp", before), ("interp", split), ("cpu", None)):
            out = np.zeros(values.size, np.uint8)
            arguments = (values.astype(np.uint8), out, width, height)
            sizes = {"global_size": (width, height), "local_size": (32, 1)}
            with collect_remarks() as remarks:
                kernel(*arguments, **sizes, device=device, pipeline=passes)
            messages += [remark.message for remark in remarks]
            found.append(out)
        np.testing.assert_array_equal(found[1], found[0])
        np.testing.assert_array_equal(found[2], found[0])
    assert any("times as many work-items" in message for message in messages) == is_spread
