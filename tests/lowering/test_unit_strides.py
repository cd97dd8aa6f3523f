"""`wg-unit-strides` keeps every bit, whatever the stride is, and so do `wg-hoist-grid-loops` and
`wg-split-rows` in loops in steps of the group."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.backends.device import Device
from polycl.remarks import collect_remarks

KERNELS = {
    "dot": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  float sum = 0;
  while (i < n) { sum += p[i * s + 100] * p[t * i + 100]; i += get_global_size(0); }
  out[get_global_id(0)] = sum;
}""",
    "swap": """
kernel void k(global const float *p, global float *out, int n, uint s, long t) {
  uint i = get_global_id(0);
  if (i >= n) return;
  out[100 + i * t] = p[100 - (i - get_global_id(0)) + s * i] + out[100 + i * t];
}""",
    "rows": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  for (int j = 0; j < n; j++) out[100 + i] += p[i * s + 100] * p[i * t + j + 100];
}""",
    "struct": """
typedef struct { long strides[2]; } Info;
kernel void k(global const float *p, global float *out, int n, const Info info) {
  int i = get_global_id(0);
  out[100 + i * info.strides[0]] = p[100 + i * info.strides[1]] * 3 + p[i];
}""",
    "dilation": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  for (int j = 0; j < 5; j++) {
    int at = j * t + s * i - 3;
    out[100 + i] += at >= 0 && at < n ? p[at + 100] : j;
  }
}""",
    "window": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < t + 2; j++) {
    int at = i * s - t + j;
    if (at < 0 || at >= n) continue;
    sum += p[at] * p[100 + j];
  }
  out[100 + i] = sum;
}""",
    "clamped window": """
kernel void k(global const float *p, global float *out, int n, uint s, short t) {
  uint i = get_global_id(0);
  for (int j = -t; j <= t; j++) out[100 + i] += p[clamp((int)(i * s) + j, 0, n - 1)];
}""",
    "pooling": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0), first = max(i * s - t, 0), end = min(i * s - t + 3, n);
  float most = -1, sum = 0;
  for (int j = first; j < end; j++) {
    most = fmax(most, p[j]);
    sum += j * p[100 + j - first];
  }
  out[100 + i] = most + sum;
}""",
    "window in two directions": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int x = get_global_id(0), y = get_global_id(1) + t;
  float sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += p[(y * s + i) * 8 + x * s + j];
  out[100 + x] = sum;
}""",
}
BYTES = {
    "tensor": """
kernel void k(global const char *p, global char *out, int n, int m, ulong s, ulong t) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0))
    *(global float *)(out + 400 + get_group_id(0) * 160 + i * t) =
        *(global const float *)(p + 400 + i * s) + *(global const float *)(p + i % m * s + 100);
}""",
    "words": """
kernel void k(global const char *p, global char *out, int n, int m, int s, uint t) {
  uint i = get_global_id(0);
  global const short *q = (global const short *)(p + 1600) + (int)i * s;
  out += t * (i + 3);
  *(global float *)(out + 1600) = q[0] + q[1] + q[m / 99 - 3];
}""",
    "backwards": """
kernel void k(global const char *p, global char *out, int n, int m, int s, int t) {
  int i = get_global_id(0);
  *(global float *)(out + 1600 + t * i) = *(global const float *)(p + 1600 - i * s);
  *(global float *)(out + 2600 + t * i) = *(global const float *)(out + 1600 + t * i) + n;
}""",
}
"""Strides in bytes, and the sizes of elements."""
ROWS = {
    "tensor": BYTES["tensor"],
    "blocks": """
kernel void k(global const char *p, global char *out, int n, int m, int s, int t) {
  if (get_group_id(0) > 5) return;
  float f = ((global const float *)p)[get_group_id(0)];
  int at = get_group_id(0) * get_local_size(0) * 3 + get_local_id(0);
  for (int e = 0; e < 3; e++) {
    if (at < 5 * n)
      ((global float *)out)[at] = ((global const float *)p)[at / m] * f + at % m;
    at += (int)get_local_size(0);
  }
}""",
    "unsigned": """
kernel void k(global const char *p, global char *out, int n, uint m, int s, int t) {
  for (uint i = get_local_id(0); i < n; i += get_local_size(0))
    ((global float *)out)[i] = ((global const float *)p)[i % m] + i / m;
}""",
    "far": """
kernel void k(global const char *p, global char *out, int n, int m, int s, int t) {
  global float *q = (global float *)out;
  int start = get_local_id(0) - 40;
  for (int i = start; i < n; i += get_local_size(0))
    q[i + 60] = i % m + i / m * 1000;
}""",
}
"""Loops in steps of the group that divide, with rows of `m`."""


@cache
def device(name: str) -> Device:
    return polycl.device(name, contract=False) if name == "cpu" else polycl.device(name)


def compare(text: str, all_numbers: Sequence[tuple[int, int, int, int]], pass_name: str):
    """The CPU's results are those of the interpreter, and a pass has done something."""
    kernel = polycl.load(text.encode(), language="cl").kernel("k")
    with collect_remarks() as remarks:
        for numbers in all_numbers:
            results: list[NDArray[np.float32]] = []
            for name in ("interp", "cpu"):
                random = np.random.default_rng(1)
                read, out = random.random(1200, np.float32), random.random(1200, np.float32)
                kernel(
                    read.view(np.int8),
                    out.view(np.int8),
                    *numbers,
                    global_size=64,
                    local_size=16,
                    device=device(name),
                )
                results.append(out)
            np.testing.assert_array_equal(results[1], results[0], f"{numbers}")
    assert any(remark.pass_name == pass_name for remark in remarks)


@pytest.mark.parametrize("kernel", BYTES)
def test_bytes_keep_every_bit(kernel: str):
    strides = ((1, 4), (3, 8)) if kernel == "words" else ((4, 4), (8, 4), (4, 12))
    n = 21 if kernel == "tensor" else 37
    compare(BYTES[kernel], [(n, 9, *pair) for pair in strides], "wg-unit-strides")


@pytest.mark.parametrize("kernel", ROWS)
def test_rows_in_steps_of_the_group_keep_every_bit(kernel: str):
    sizes = ((37, 100), (37, 37), (33, 16), (37, 1), (0, 5), (35, 17))
    compare(ROWS[kernel], [(n, m, 4, 4) for n, m in sizes], "wg-hoist-grid-loops")


def run(kernel: str, strides: tuple[int, int], device: str, **options: Any) -> NDArray[np.float32]:
    random = np.random.default_rng(1)
    out = random.random(300, np.float32)
    loaded = polycl.load(KERNELS[kernel].encode(), language="cl").kernel("k")
    dtype = loaded.parameters[3].dtype
    loaded(
        random.random(300, np.float32),
        out,
        np.int32(37),
        *(strides if dtype.fields is None else [np.array((strides,), dtype)[()]]),
        global_size=32,
        local_size=16,
        device=polycl.device(device, **options),
    )
    return out


@pytest.mark.parametrize("kernel", KERNELS)
def test_keeps_every_bit(kernel: str):
    for strides in ((1, 1), (1, 2), (2, 1), (3, 3)):
        expected = run(kernel, strides, "interp")
        with collect_remarks() as remarks:
            found = run(kernel, strides, "cpu", contract=False)
        np.testing.assert_array_equal(found, expected, f"{kernel}, {strides}")
        assert any(remark.pass_name == "wg-unit-strides" for remark in remarks)


PIXELS = {
    "z": """
  if (x >= n || z >= c) return;
  int at = x * c + y * n * c + z, back = (n - 1 - x) * c + (hn - 1 - y) * n * c + z;
  out[back] = in[at] + (x + 1 < n ? in[at + c] : 9);""",
    "z, in rows of a pitch": """
  if (x >= n || z >= c) return;
  out[y * 260 + (n - 1 - x) * c + z] = in[y * 260 + x * c + z] * 3;""",
    "loop": """
  if (x >= n || z > 0) return;
  int from = in[x * c] % 3, at = (y * n + x) * c;
  for (int k = 0; k < c; k++) out[at + k] = in[(x - from >= 0 ? at - from * c : at) + k] + from;""",
    "fields": """
  if (x >= n || z > 0 || d == 0) return;
  global uchar *p = out + (y * n + x) * d;
  int grey = in[n * y * c + x * c] + in[n * y * c + x * c + 1] * 2 + in[n * y * c + x * c + 2];
  if (grey > 300) p[0] = grey / 4;
  if (d > 1) p[1] = grey;""",
}


@pytest.mark.parametrize(
    ("body", "type"), list(zip(PIXELS, ("uint", "int", "uchar", "ulong"), strict=True))
)
def test_pixels_of_an_argument_keep_every_byte(body: str, type: str):
    text = f"""
kernel void k(global const uchar *in, global uchar *out, {type} c, {type} d, int n, int hn) {{
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
{PIXELS[body]}
}}"""
    kernel = polycl.load(text.encode(), language="cl").kernel("k")
    random = np.random.default_rng(1)
    source = random.integers(0, 256, 3000, np.uint8)
    first = random.integers(0, 256, 3000, np.uint8)
    with collect_remarks() as remarks:
        devices = [polycl.device("interp"), polycl.device("cpu")]
        for c, d in ((3, 3), (4, 4), (1, 1), (3, 4), (4, 1), (2, 2), (5, 5), (0, 0)):
            found: list[NDArray[np.uint8]] = []
            for device in devices:
                out = first.copy()
                arguments = source, out, c, d, 29, 3
                kernel(*arguments, global_size=(32, 3, 4), local_size=(16, 1, 1), device=device)
                found.append(out)
            np.testing.assert_array_equal(found[1], found[0], f"{body}, {c}, {d}")
    assert any("pixels are 3 numbers" in str(remark) for remark in remarks)


def test_a_part_of_a_struct_that_only_one_region_reads_is_a_stride():
    text = b"""
typedef struct { long v[2]; } Strides;
typedef struct { int n; Strides strides; uchar c; } Info;
kernel void k(global const double *in, global double *out, global double *last, Info info) {
  int x = get_global_id(0), y = get_global_id(1);
  double s = 0;
  for (int j = 0; j < (info.c & 7); j++) s += in[(y * 20 + x) * info.strides.v[1]];
  out[y * 20 + x] = s;
  last[(y * 20 + x) * info.strides.v[1]] = s + 1;
}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    for stride in (1, 2, 3, 4):
        found: list[NDArray[np.float64]] = []
        for name in ("interp", "cpu"):
            out, last = np.zeros(80), np.zeros(400)
            info = {"n": 3, "strides": {"v": [5, stride]}, "c": 3}
            sizes: dict[str, Any] = {"global_size": (20, 4), "local_size": (10, 2)}
            kernel(np.arange(400.0), out, last, info, **sizes, device=device(name))
            found.append(np.concatenate((out, last)))
        np.testing.assert_array_equal(found[1], found[0], f"{stride}")
