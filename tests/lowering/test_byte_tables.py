"""Bytes that lanes look up in tables of at most 256: as the interpreter has them, under masks,
and without touching a page that has none of them."""

from __future__ import annotations

import numpy as np
import pytest

from gathers import between_pages, compare, kernel_of
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import Device

ITEMS = 128

INDICES = {
    "byte": "x",
    "nibble": "x & 15",
    "seven bits": "x & 127",
    "after others": "300 + x",
    "part of a range": "(x & 127) + 3",
    "signed": "(char)x + 128",
    "sum": "(x >> 1) + (x >> 2)",
    "too large": "x + x",
    "chain": "t[t[x] ^ 7]",
}


@pytest.fixture(scope="module")
def cpu() -> Device:
    return CpuDevice(enable=["vectors"])


def _bytes(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, count).astype(np.uint8)


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("guard", ["true", "x % 3", "n > 5"])
def test_buffers(index: str, guard: str, cpu: Device) -> None:
    kernel = kernel_of(f"""
    kernel void k(global const uchar *in, global const uchar *t, int n, global uchar *out) {{
      int i = get_global_id(0);
      uchar x = in[i], v = 9;
      if ({guard}) for (int j = 0; j < 2; j++) v += t[{INDICES[index]}] * 3, x ^= 1;
      out[i] = v;
    }}""")
    out = np.zeros(ITEMS, np.uint8)
    compare(kernel, cpu, ITEMS, _bytes(ITEMS, 1), _bytes(600), np.int32(4), out)
    compare(kernel, cpu, ITEMS, _bytes(ITEMS, 1), _bytes(600), np.int32(6), out)


@pytest.mark.parametrize("type", ["uchar", "char"])
@pytest.mark.parametrize("count", [16, 64, 100, 128, 150, 256, 300])
def test_local_arrays(count: int, type: str, cpu: Device) -> None:
    """Of any size; the largest one is gathered from."""
    kernel = kernel_of(f"""
    kernel void k(global const uchar *in, global const {type} *t, global {type} *out) {{
      local {type} own[{count}];
      int i = get_global_id(0), l = get_local_id(0);
      for (int j = l; j < {count}; j += 64) own[j] = t[j] + get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      {type} v = own[in[i] % {count}] + own[(3 * in[i] + 5) % {count}];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 16) own[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (in[i] & 1) v ^= own[in[i] & 15];
      out[i] = v;
    }}""")
    dtype = np.dtype(np.uint8 if type == "uchar" else np.int8)
    t, out = _bytes(300).view(dtype), np.zeros(ITEMS, dtype)
    compare(kernel, cpu, ITEMS, _bytes(ITEMS, 1), t, out)


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("guard", ["true", "x > 3", "i == 77"])
@pytest.mark.parametrize("count", [1, 10, 70, 130, 250])
def test_other_pages_are_left_alone(count: int, guard: str, at_end: bool, cpu: Device) -> None:
    """A table with fewer elements than its index may have values: what lies after it may be in no
    page of the process. Lanes that are off have indices that name no element."""
    kernel = kernel_of(f"""
    kernel void k(global const uchar *in, global const uchar *t, global uchar *out) {{
      int i = get_global_id(0);
      uchar x = in[i], y = in[i], v = 1;
      if (!({guard})) y = 255;
      if ({guard}) v = t[x] + t[{count - 1} - y];
      out[i] = v;
    }}""")
    table = between_pages(count, np.uint8, at_end=at_end)
    table[:] = _bytes(count)
    compare(kernel, cpu, ITEMS, _bytes(ITEMS, 1) % count, table, np.zeros(ITEMS, np.uint8))


ROWS = {
    "no lane is on": """
      global const uchar *row = t + (n + 1) * 256;
      if (x > 255 - n) v = row[x];""",
    "rows up to a count": """
      for (int j = 0; j < 4; j++) {
        global const uchar *row = t + j * 256;
        if (j < x % (n + 1)) v = v * 3 + row[x];
      }""",
    "the first is before the array": """
      global const uchar *row = t - 100;
      v = row[max(x, (uchar)100)];""",
}


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("rows", ROWS)
def test_bytes_that_no_lane_asks_for_are_left_alone(rows: str, at_end: bool, cpu: Device) -> None:
    kernel = kernel_of(f"""
    kernel void k(global const uchar *in, global const uchar *t, int n, global uchar *out) {{
      int i = get_global_id(0);
      uchar x = in[i], v = 1;{ROWS[rows]}
      out[i] = v;
    }}""")
    table = between_pages(256, np.uint8, at_end=at_end)
    table[:] = _bytes(256)
    for n in (0, 1):
        read = np.minimum(_bytes(ITEMS, 1), 254)
        compare(kernel, cpu, ITEMS, read, table, np.int32(n), np.zeros(ITEMS, np.uint8))
