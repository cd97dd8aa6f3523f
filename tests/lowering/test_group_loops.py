"""Loops of one work-item and of the group, on the device beside numpy: `wg-merge-groups`,
`carry-stores`, `wg-unroll-steps` and `wg-compact-trees`."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

GROUPS = 131
"""Three more than run as one."""

OPTIONS = ["-cl-std=CL2.0", "-cl-uniform-work-group-size"]

SOURCE = """
kernel void sums(global const int *in, global int *out, global int *totals) {
  local int a[2][130];
  int l = get_local_id(0) + get_local_size(0) * get_local_id(1), n = 128;
  int g = get_group_id(0) + get_num_groups(0) * get_group_id(1);
  local int *from = a[0], *to = a[1];
  from[l] = in[g * n + l];
  for (int k = 0; k < 3; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = from[n - 1 - l] + k;
    local int *other = from; from = to; to = other;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) {
    for (int i = 1; i < n; i++) from[i] += from[i - 1];
    int total = 0;
    for (int i = 0; i < n; i++) total = total * 3 + from[i];
    totals[g] = total;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g * n + l] = from[l];
}

int at(const int *p, int i) { return p[i]; }
kernel void either(global const int *in, global int *totals, int from_memory) {
  local int a[128];
  int l = get_local_id(0), g = get_group_id(0);
  const int *p = from_memory ? (const int *)(in + g * 128) : (const int *)a;
  a[l] = in[g * 128 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int total = 0;
    for (int i = 0; i < 128; i++) total = total * 3 + at(p, i);
    totals[g] = total;
  }
}
"""


def _totals(rows: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        powers = np.array([pow(3, 127 - i, 1 << 32) for i in range(128)], np.uint32)
        return (rows.astype(np.uint32) * powers).sum(axis=1, dtype=np.uint32).astype(np.int32)


def test_groups_in_lanes_have_their_own_memory() -> None:
    rows = np.random.default_rng(1).integers(-9, 9, (2 * GROUPS, 128), np.int32)
    sums = polycl.load(SOURCE, OPTIONS).kernel("sums")
    device = polycl.device("cpu", threads=2)
    expected = (rows[:, ::-1] + 3).cumsum(axis=1, dtype=np.int32)
    out, totals = np.zeros_like(rows), np.zeros(2 * GROUPS, np.int32)
    with collect_remarks() as remarks:
        sums(rows, out, totals, global_size=(16 * GROUPS, 16), local_size=(16, 8), device=device)
    assert {"carry-stores", "wg-merge-groups"} <= {remark.pass_name for remark in remarks}
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(totals, _totals(expected))


def test_generic_pointers_may_lead_to_memory_of_one_group_only() -> None:
    rows = np.random.default_rng(2).integers(-9, 9, (GROUPS, 128), np.int32)
    kernel = polycl.load(SOURCE, OPTIONS).kernel("either")
    for from_memory in (0, 1):
        totals = np.zeros(GROUPS, np.int32)
        kernel(rows, totals, from_memory, global_size=rows.size, local_size=128)
        np.testing.assert_array_equal(totals, _totals(rows))


RECURRENCES = """
kernel void forward(global const float *x, global float *y, global float *z, int n, int first) {
  global const float *in = x + get_global_id(0) * 24;
  global float *out = y + get_global_id(0) * 24, *other = z + get_global_id(0) * 24;
  for (int i = first; i < n; i++) {
    out[i] = in[i] + 0.5f * out[i - 1] - 0.25f * out[i - 3];
    other[i] = other[i - 2] + out[i - 1];
  }
}
kernel void backward(global const float *x, global float *y, global float *z, int n, int first) {
  int row = get_global_id(0) * 24;
  for (int i = n - 1 - first; i >= 0; i--) {
    y[row + i] = x[row + i] + 0.5f * y[row + i + 2];
    z[row + i] = z[row + i + 1] * 0.5f + y[row + i + 1];
  }
}
kernel void pairs(global const float *x, global float *y, global float *z, int n, int first) {
  global float *out = y + get_global_id(0) * 24;
  for (int i = first + 1; i < n; i += 2) {
    out[i] = out[i - 4] + x[i];
    z[get_global_id(0) * 24 + i] = out[i - 2];
  }
}
"""


def _forward(x: np.ndarray, y: np.ndarray, z: np.ndarray, n: int, first: int) -> None:
    for i in range(first, n):
        y[:, i] = x[:, i] + y[:, i - 1] / 2 - y[:, i - 3] / 4
        z[:, i] = z[:, i - 2] + y[:, i - 1]


def _backward(x: np.ndarray, y: np.ndarray, z: np.ndarray, n: int, first: int) -> None:
    for i in range(n - 1 - first, -1, -1):
        y[:, i] = x[:, i] + y[:, i + 2] / 2
        z[:, i] = z[:, i + 1] / 2 + y[:, i + 1]


def _pairs(x: np.ndarray, y: np.ndarray, z: np.ndarray, n: int, first: int) -> None:
    for i in range(first + 1, n, 2):
        y[:, i] = y[:, i - 4] + x[0, i]
        z[:, i] = y[:, i - 2]


@pytest.mark.parametrize(("expect", "number"), [(_forward, 4), (_backward, 3), (_pairs, 2)])
def test_recurrences_are_carried(expect: Callable[..., None], number: int) -> None:
    kernel = polycl.load(RECURRENCES).kernel(expect.__name__[1:])
    device = polycl.device("cpu", threads=1)
    with collect_remarks() as remarks:
        for n in (3, 4, 5, 23):
            random = np.random.default_rng(n)
            arrays = [random.integers(-9, 9, (128, 24)).astype(np.float32) for _ in range(3)]
            expected = [array.astype(np.float64) for array in arrays]
            expect(*expected, n, 3)
            kernel.bind(*arrays, n, 3, global_size=128, local_size=64, device=device).launch()
            for array, exact in zip(arrays, expected, strict=True):
                np.testing.assert_allclose(array, exact, rtol=1e-5, atol=1e-4)
    assert len({r.location for r in remarks if r.pass_name == "carry-stores"}) == number


BLOCKS = """
kernel void whole(global const int *in, global int *out, local int *t, uint w) {
  uint x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * w + get_global_id(0);
  t[y * 8 + x] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (uint k = 0; k < 8; k++) sum += t[y * 8 + k] * (int)(k + 1) + t[k * 8 + x];
  out[i] = sum;
}
kernel void kept(global const int *in, global int *out, local int *t, uint w) {
  uint x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * w + get_global_id(0);
  t[y * 8 + x] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (uint k = 0; k < 8; k++) sum += t[y * 8 + k] * (int)(k + 1) + t[k * 8 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[x * 8 + y] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += t[y * 8 + x];
  out[i] = sum;
}
"""


def test_groups_of_narrow_rows_have_their_own_memory() -> None:
    """131 groups along x, three more than take their steps together, and 3 of too few."""
    blocks = polycl.load(BLOCKS)
    for groups, name in ((GROUPS, "whole"), (GROUPS, "kept"), (3, "whole")):
        rows = np.random.default_rng(4).integers(-99, 99, (16, 8 * groups), np.int32)
        each = rows.reshape(2, 8, groups, 8)
        factors = np.arange(1, 9, dtype=np.int32)
        expected = (each * factors).sum(3, keepdims=True) + each.sum(1, keepdims=True)
        out = np.zeros_like(rows)
        args = (rows, out, polycl.Local(256), np.uint32(8 * groups))
        with collect_remarks() as remarks:
            blocks.kernel(name)(*args, global_size=rows.shape[::-1], local_size=(8, 8))
        is_merged = "wg-merge-groups" in {remark.pass_name for remark in remarks}
        # The last launch has code already.
        assert is_merged == (name == "whole" and groups == GROUPS), name
        np.testing.assert_array_equal(out, expected.reshape(rows.shape), name)


TREES = """
#define TREE(name, ID, GUARD, TO, LEFT, LAST) \\
  kernel void name(global const int *in, global int *totals) { \\
    local int a[64]; \\
    ID l = get_local_id(0), g = get_group_id(0), step = 1, mask = 1; \\
    a[l] = in[g * 64 + l]; \\
    do { \\
      barrier(CLK_LOCAL_MEM_FENCE); \\
      if (GUARD) { a[TO] = a[LEFT] * 3 + a[LEFT + step]; } \\
      step *= 2; \\
      mask = 2 * mask + 1; \\
    } while (step < 64); \\
    if (l == (LAST)) totals[g] = a[l]; \\
  }
TREE(multiples, int, l % (2 * step) == 0, l, l, 0)
TREE(unsigned_ids, uint, l % (2 * step) == 0, l, l, 0)
TREE(unsigned_products, uint, 2 * step * l < 64, 2 * step * l, 2 * step * l, 0)
TREE(products, int, l < 32 / step, 2 * step * l, 2 * step * l, 0)
TREE(masks, uint, (l & (2 * step - 1)) == 0, l, l, 0)
TREE(carried_masks, long, !(l & mask), l, l, 0)
TREE(ends, int, ((l + 1) & (2 * step - 1)) == 0, l, l - step, (int)get_local_size(0) - 1)
TREE(multiple_ends, size_t, (l + 1) % (2 * step) == 0, l, l - step, 63)
TREE(other_rests, uint, (l & mask) == step - 1, l + step, l, 63)
TREE(not_all, int, l % (2 * step) == 0 && a[l] > 0, l, l, 0)
"""

KEEPS = """
#define KEEP(name, LEVEL) \\
  kernel void name(global const int *in, global int *out) { \\
    local int a[128], b[64]; \\
    int l = get_local_id(0), g = get_group_id(0); \\
    a[l] = in[g * 64 + l]; \\
    a[l + 64] = -l; \\
    b[l] = l; \\
    for (int step = 1; step < 64; step *= 2) { \\
      barrier(CLK_LOCAL_MEM_FENCE); \\
      if (l % (2 * step) == 0) { LEVEL } \\
    } \\
    if (l == 0) { out[2 * g] = a[0]; out[2 * g + 1] = b[0]; } \\
  }
KEEP(most, if (a[l + step] > a[l]) a[l] = a[l + step];)
KEEP(kept, if (!(a[l + step] <= a[l])) { b[0] = g; a[l] = a[l + step] * 2 - a[l]; })
KEEP(other_side, if (a[l + step] < a[l]) b[l] += b[l + step]; else a[l] = a[l + step];)
KEEP(place, if (a[l + step] > a[l]) { a[l] = a[l + step]; b[l] = b[l + step]; })
KEEP(ties, if (a[l] < a[l + step] || (a[l] == a[l + step] && b[l + step] > b[l]))
  { b[l] = b[l + step]; a[l] = a[l + step]; })
KEEP(twice, if (a[l + step] > a[l]) a[l] = a[l + step]; if (a[l] & 1) a[l] += 2;)
KEEP(by_data, if (a[l + step] > 4) a[(l + (a[l] & 64))] = a[l + step];)
KEEP(inner, if (a[l + step] > 4) { if (a[l] < 5) a[l] = a[l + step]; })
KEEP(read_after, if (a[l + step] > a[l]) a[l] = a[l + step]; b[l] = b[l + step] * 2 + a[l];)
KEEP(swap, int x = a[l]; int y = a[l + step]; if (x > y) { a[l] = y; a[l + step] = x; }
  b[l] += a[l];)
KEEP(stored_before, int x = a[l]; a[l] = 7; if (x > 5) a[l] = x * 2;)
KEEP(of_one, if (a[1] < g && a[l] > 5) a[1] = g;)
"""


def test_levels_of_trees_that_keep_what_is_there() -> None:
    rows = np.random.default_rng(3).integers(1, 9, (5, 64), np.int32)
    trees = polycl.load(KEEPS)
    for name in trees.kernels:
        results = [np.zeros((5, 2), np.int32) for _ in range(2)]
        for device, found in zip(("interp", "cpu"), results, strict=True):
            kernel, where = trees.kernel(name), polycl.device(device)
            kernel(rows, found, global_size=320, local_size=64, device=where)
        np.testing.assert_array_equal(results[1], results[0], name)


def test_trees_whose_levels_are_side_by_side() -> None:
    rows = np.random.default_rng(3).integers(1, 9, (5, 64), np.int32)
    level = rows
    while level.shape[1] > 1:
        level = level[:, ::2] * 3 + level[:, 1::2]
    trees = polycl.load(TREES)
    for name in trees.kernels:
        totals = np.zeros(5, np.int32)
        with collect_remarks() as remarks:
            trees.kernel(name)(rows, totals, global_size=320, local_size=64)
        is_compact = "wg-compact-trees" in {remark.pass_name for remark in remarks}
        assert is_compact == (name != "not_all"), name
        np.testing.assert_array_equal(totals, level[:, 0], name)


LEVELS = """
#define LEVELS(name, ID, LEVEL, RESULT) \\
  kernel void name(global const int *in, global int *totals) { \\
    local int a[64]; \\
    ID l = get_local_id(0), g = get_group_id(0); \\
    int v = in[g * 64 + l], x = 0; \\
    a[l] = v; \\
    for (ID d = 32; d > 0; d /= 2) { barrier(CLK_LOCAL_MEM_FENCE); LEVEL } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    if (l == 0) totals[g] = RESULT; \\
  }
#define WAIT barrier(CLK_LOCAL_MEM_FENCE);
LEVELS(before, int, x = l < d ? a[l + d] : 0; WAIT a[l] = a[l] * 3 + x;, a[0])
LEVELS(guarded, uint, if (l < d) x = a[l + d]; WAIT if (l < d) a[l] = a[l] * 3 + x;, a[l])
LEVELS(in_register, size_t, if (l < d) a[l] = v = v * 3 + a[l + d];, v)
LEVELS(pairs, uint, x = l < d ? a[2 * l] * 3 + a[2 * l + 1] : 0; WAIT if (l < d) a[l] = x;, a[0])
LEVELS(all, long, x = a[l ^ d]; WAIT a[l] = a[l] * 3 + x;, a[0])
LEVELS(around, uint, x = a[(l + d) % 64]; WAIT a[l] = a[l] * 3 + x;, a[0])
LEVELS(from_the_end, int, if (l >= d && l < 2 * d) a[l - d] = a[l - d] * 3 + a[l];, a[0])
LEVELS(of_volatile, int, volatile local int *t = a; if (l < d) t[l] = t[l] * 3 + t[l + d];, *a)
LEVELS(by_data, int, x = a[l ^ d]; WAIT a[l] = a[l] * 3 + x;, a[in[g] / 16])
"""


def test_levels_run_for_the_work_items_that_are_read() -> None:
    rows = np.random.default_rng(4).integers(1, 9, (5, 64), np.int32)
    level = rows
    while level.shape[1] > 1:
        half = level.shape[1] // 2
        level = level[:, :half] * 3 + level[:, half:]
    trees = polycl.load(LEVELS)
    for name in trees.kernels:
        totals = np.zeros(5, np.int32)
        with collect_remarks() as remarks:
            trees.kernel(name)(rows, totals, global_size=320, local_size=64)
        is_clipped = "wg-clip-items" in {remark.pass_name for remark in remarks}
        assert is_clipped == (name not in ("by_data", "of_volatile")), name
        np.testing.assert_array_equal(totals, level[:, 0], name)


ROWS = """
#define ROWS(name, ID, FIRST, LEVEL, LAST) \\
  kernel void name(global const int *in, global int *out) { \\
    local int a[64]; \\
    ID l = get_local_id(0), g = get_group_id(0), x = 0; \\
    a[l] = in[g * 64 + l]; \\
    for (ID d = FIRST; d > 0 && d < 64; d = NEXT) { barrier(CLK_LOCAL_MEM_FENCE); LEVEL } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    out[g * 64 + l] = LAST; \\
  }
#define WAIT barrier(CLK_LOCAL_MEM_FENCE);
#define NEXT (d * 2)
ROWS(bits, int, 1, if (l & d) a[l] += a[(l & ~(d - 1)) - 1] * 3;, a[l])
ROWS(quotients, uint, 1, if (l / d % 2) a[l] += a[l / d * d - 1] * 3;, a[l])
ROWS(others, size_t, 1, if (!(l & d)) a[l] = a[l | d] * 2 - a[l];, a[l])
ROWS(read_before, int, 1, x = l & d ? a[l ^ d] : 0; WAIT a[l] += x * l;, a[l])
ROWS(downwards, int, 1, if (l % (2 * d) >= d) a[l] -= a[64 / (2 * d) * 2 * d - 1 - l];, a[l])
ROWS(with_data, uint, 1, if ((l & d) && a[l - d] > 4) a[l] += a[l - d];, a[l])
ROWS(columns, short, 1, if (l & d) a[l] += a[l & 7 & (d - 1)];, a[l])
ROWS(parts, int, 1, if (l % 24 >= 12) a[l] += a[l - 12];, a[l])
ROWS(stored, int, 1, if (l & d) { out[g * 64 + l] = d; a[l] += out[g * 64 + l]; }, a[l])
#undef NEXT
#define NEXT (d / 2)
ROWS(sort, int, 32, if (!(l & d)) { int s = a[l]; int t = a[l ^ d];
  if ((s > t) == !(l & 32)) { a[l] = t; a[l ^ d] = s; } }, a[l])
ROWS(segments, uint, 8, if ((l & 15) < d) a[l] += a[l + d] * 3;, a[l & ~15])
ROWS(all_of_segments, int, 8, if (l % 16 < d) a[l] += a[l + d] * 3;, a[l])
ROWS(middles, int, 8, if ((l & 15) >= d && (l & 15) < 2 * d) a[l] += a[l - d] * d;, a[l])
ROWS(not_read, int, 8, if ((l & 15) < d) a[l] += a[l + d];, a[l % 16 < 4 ? l / 16 * 16 : 3])
"""


def test_rows_of_work_items_that_run() -> None:
    rows = np.random.default_rng(5).integers(1, 9, (5, 64), np.int32)
    scans, in_rows = polycl.load(ROWS), set[str]()
    for name in scans.kernels:
        results = [np.zeros_like(rows) for _ in range(2)]
        with collect_remarks() as remarks:
            for device, found in zip(("interp", "cpu"), results, strict=True):
                kernel, where = scans.kernel(name), polycl.device(device)
                kernel(rows, found, global_size=320, local_size=64, device=where)
        np.testing.assert_array_equal(results[1], results[0], name)
        if any(" rows of " in str(r) and r.pass_name == "wg-clip-items" for r in remarks):
            in_rows.add(name)
    assert set(scans.kernels) - in_rows == {"read_before", "with_data", "parts", "middles"}


def _in_rows(source: str, values: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """What a kernel `k` computes in five groups of 128, and the lengths of the rows in which its
    regions run."""
    out = np.zeros_like(values)
    kernel = polycl.load(source.encode(), language="cl").kernel("k")
    with collect_remarks() as remarks:
        kernel(values, out, global_size=5 * 128, local_size=128)
    found = (re.search(r"in rows of (\d+) work-items", str(remark)) for remark in remarks)
    return out, [int(match[1]) for match in found if match]


BUTTERFLIES = (
    "l / h * 2 * h + l % h",
    "(l / h << 1) * h + (l & (h - 1))",
    "2 * l - (l & (h - 1))",
    "(l & ~(h - 1)) * 2 | (l & (h - 1))",
)
"""The first of the two elements of a work-item in a step over the distance h."""


@pytest.mark.parametrize("index", BUTTERFLIES)
@pytest.mark.parametrize("type", ["int", "uint"])
def test_butterflies(index: str, type: str) -> None:
    source = f"""kernel void k(global const int *in, global int *out) {{
      local int s[256];
      {type} l = get_local_id(0), g = get_group_id(0) * 256;
      s[l] = in[g + l]; s[l + 128] = in[g + l + 128];
      barrier(CLK_LOCAL_MEM_FENCE);
      for ({type} h = 1; h < 256; h *= 2) {{
        {type} i = {index};
        int a = s[i], b = s[i + h];
        s[i] = a + b; s[i + h] = a - b;
        barrier(CLK_LOCAL_MEM_FENCE);
      }}
      out[g + l] = s[l]; out[g + l + 128] = s[l + 128];
    }}"""
    values = np.random.default_rng(0).integers(-99, 99, (5, 256), np.int32)
    out, rows = _in_rows(source, values)
    expected = values.copy()
    for h in (1 << k for k in range(8)):
        pairs = expected.reshape(5, -1, 2, h)
        a, b = pairs[:, :, 0].copy(), pairs[:, :, 1].copy()
        pairs[:, :, 0], pairs[:, :, 1] = a + b, a - b
    assert np.array_equal(out, expected)
    assert {16, 32, 64} <= set(rows)


def test_loops_in_unrolled_ones() -> None:
    source = """kernel void k(global const int *in, global int *out) {
      local int a[256];
      int l = get_local_id(0), g = get_group_id(0) * 256;
      a[l] = in[g + l]; a[l + 128] = in[g + l + 128];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int size = 2; size <= 256; size <<= 1)
        for (int h = size / 2; h > 0; h >>= 1) {
          int i = 2 * l - (l & (h - 1)), down = (l & (size / 2)) != 0;
          int x = a[i], y = a[i + h];
          if ((x > y) != down) { a[i] = y; a[i + h] = x; }
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      out[g + l] = a[l]; out[g + l + 128] = a[l + 128];
    }"""
    values = np.random.default_rng(0).integers(-999, 999, (5, 256), np.int32)
    out, rows = _in_rows(source, values)
    assert np.array_equal(out, np.sort(values, axis=1))
    assert rows.count(16) == 4


def test_fourier_transform() -> None:
    source = """kernel void k(global const float2 *in, global float2 *out) {
      local float2 x[256];
      int l = get_local_id(0), g = get_group_id(0) * 256;
      x[l] = in[g + l]; x[l + 128] = in[g + l + 128];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int p = 1; p < 256; p <<= 1) {
        int k = l & (p - 1), j = ((l - k) << 1) + k;
        float2 a = x[l], b = x[l + 128];
        float c = cospi((float)k / p), s = -sinpi((float)k / p);
        b = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
        barrier(CLK_LOCAL_MEM_FENCE);
        x[j] = a + b; x[j + p] = a - b;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[g + l] = x[l]; out[g + l + 128] = x[l + 128];
    }"""
    values = np.random.default_rng(0).normal(size=(5, 256, 2)).astype(np.float32)
    out, rows = _in_rows(source, values)
    expected = np.fft.fft(values[..., 0] + 1j * values[..., 1])
    assert np.allclose(out[..., 0] + 1j * out[..., 1], expected, atol=1e-4)
    assert 64 in rows
