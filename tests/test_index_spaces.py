"""Launches of every shape: smaller last groups, wide ids, large groups."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl import ArgumentError
from polycl.backends.cpu import CpuDevice

NON_UNIFORM = ["-cl-std=CL3.0"]

QUERIES = """
kernel void queries(global ulong *out, local uint *tile) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  size_t i = get_global_linear_id();
  size_t l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  tile[l] = (uint)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint neighbour = tile[n - 1 - l];
  global ulong *o = out + 20 * i;
  o[0] = x;
  o[1] = y;
  o[2] = z;
  for (int d = 0; d < 3; d++) {
    o[3 + d] = get_local_id(d);
    o[6 + d] = get_local_size(d);
    o[9 + d] = get_enqueued_local_size(d);
    o[12 + d] = get_group_id(d);
    o[15 + d] = get_num_groups(d);
  }
  o[18] = neighbour;
  o[19] = n - 1 - l;
}
"""


def expected_queries(
    size: tuple[int, ...], local: tuple[int, ...], offset: tuple[int, ...]
) -> NDArray[np.uint64]:
    """What `queries` writes (OpenCL 3.0, section 3.2.1)."""
    size3, local3 = (*size, 1, 1)[:3], (*local, 1, 1)[:3]
    offset3 = (*offset, 0, 0)[:3]
    groups = tuple(-(-g // n) for g, n in zip(size3, local3, strict=True))
    rows: list[list[int]] = []
    linear: dict[tuple[int, ...], int] = {}
    for z, y, x in itertools.product(*(range(n) for n in reversed(size3))):
        at = (x, y, z)
        group = tuple(a // n for a, n in zip(at, local3, strict=True))
        id = tuple(a % n for a, n in zip(at, local3, strict=True))
        own = tuple(min(n, g - k * n) for g, n, k in zip(size3, local3, group, strict=True))
        place = (id[2] * own[1] + id[1]) * own[0] + id[0]
        linear[*group, place] = len(rows)
        starts = [a + o for a, o in zip(at, offset3, strict=True)]
        rows.append([*starts, *id, *own, *local3, *group, *groups, 0, math.prod(own) - 1 - place])
    for row in rows:
        row[18] = linear[row[12], row[13], row[14], row[19]]
    return np.array(rows, np.uint64)


SHAPES = [
    ((10,), (4,), (0,)),
    ((10,), (16,), (5,)),
    ((37,), (16,), (0,)),
    ((1,), (7,), (3,)),
    ((7, 5), (3, 2), (1, 2)),
    ((33, 3), (32, 3), (0, 0)),
    ((7, 5, 6), (3, 2, 4), (0, 3, 1)),
    ((5, 5, 5), (8, 1, 4), (0, 0, 0)),
    ((64,), (16,), (0,)),
]


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize(("size", "local", "offset"), SHAPES)
def test_queries_in_smaller_groups(
    device: str, size: tuple[int, ...], local: tuple[int, ...], offset: tuple[int, ...]
) -> None:
    kernel = polycl.load(QUERIES, NON_UNIFORM).kernel("queries")
    out = np.zeros((math.prod(size), 20), np.uint64)
    kernel(
        out,
        polycl.Local(4 * math.prod(local)),
        global_size=size,
        local_size=local,
        global_offset=offset,
        device=device,
    )
    np.testing.assert_array_equal(out, expected_queries(size, local, offset))


@pytest.mark.parametrize("options", [[], ["-cl-std=CL3.0", "-cl-uniform-work-group-size"]])
def test_uniform_programs_refuse_smaller_groups(options: list[str]) -> None:
    kernel = polycl.load("kernel void k(global int *x) { x[0] = 1; }", options).kernel("k")
    with pytest.raises(ArgumentError, match="10 is not a multiple of 4; smaller last groups need"):
        kernel(np.zeros(1, np.int32), global_size=10, local_size=4)


def test_required_size_is_that_of_the_launch() -> None:
    source = """
    kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global int *x) {
      x[get_global_id(0)] = 100 * get_enqueued_local_size(0) + get_local_size(0);
    }"""
    kernel = polycl.load(source, NON_UNIFORM).kernel("k")
    for device in ("interp", "cpu"):
        x = np.zeros(13, np.int32)
        kernel(x, global_size=13, device=device, local_size=8)
        assert x.tolist() == [808] * 8 + [805] * 5


def test_reduction_in_smaller_groups() -> None:
    """A barrier in a loop over the group's size, atomics, and threads."""
    source = """
    kernel void sum(global const uint *x, global uint *total, local uint *tile) {
      size_t l = get_local_id(0);
      tile[l] = x[get_global_id(0)];
      for (size_t left = get_local_size(0); left > 1; ) {
        size_t middle = (left + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < left / 2) tile[l] += tile[l + middle];
        left = middle;
      }
      if (l == 0) atomic_add(total, tile[0]);
    }"""
    kernel = polycl.load(source, NON_UNIFORM).kernel("sum")
    for n in (1, 255, 256, 257, 70_001):
        x = np.arange(n, dtype=np.uint32) * 7 + 1
        total = np.zeros(1, np.uint32)
        kernel(x, total, polycl.Local(1024), global_size=n, local_size=256)
        assert total[0] == x.sum(dtype=np.uint32)


def test_printf_of_all_parts(capfd: pytest.CaptureFixture[str]) -> None:
    source = 'kernel void k() { printf("%d\\n", (int)get_global_id(0)); }'
    kernel = polycl.load(source, NON_UNIFORM).kernel("k")
    kernel(global_size=7, local_size=3, device=CpuDevice(threads=1))
    assert capfd.readouterr().out.split() == [str(i) for i in range(7)]


WIDE = """
kernel void wide(global ulong *out, ulong first, global uint *at) {
  size_t id = get_global_id(0);
  int i = get_global_id(0);
  uint u = get_global_id(0);
  global ulong *o = out + 8 * (id - first);
  o[0] = id;
  o[1] = (long)i;
  o[2] = u;
  o[3] = get_global_offset(0);
  o[4] = get_group_id(0) * get_local_size(0);
  o[5] = (short)id;
  o[6] = i < 0 ? 1 : 2;
  o[7] = (long)(i + 1 - (int)first);
  at[u - (uint)first] = u;
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("first", [5_000_000_000, 2**31 - 20, 2**32 - 33, 2**40 + 7])
def test_wide_ids(device: str, first: int) -> None:
    kernel = polycl.load(WIDE, NON_UNIFORM).kernel("wide")
    n = 70
    out, at = np.zeros((n, 8), np.uint64), np.zeros(n, np.uint32)
    kernel(out, first, at, global_size=n, local_size=32, global_offset=first, device=device)
    ids = first + np.arange(n, dtype=np.int64)
    signed = ids.astype(np.int32).astype(np.int64)
    wanted = np.stack(
        [
            ids,
            signed,
            ids.astype(np.uint32).astype(np.int64),
            np.full(n, first),
            (ids - first) // 32 * np.where(ids - first < 64, 32, 6),
            ids.astype(np.int16).astype(np.int64),
            np.where(signed < 0, 1, 2),
        ],
        axis=1,
    )
    np.testing.assert_array_equal(out[:, :7].astype(np.int64), wanted)
    np.testing.assert_array_equal(at, ids.astype(np.uint32))


def test_wide_group_ids_and_sizes() -> None:
    source = """
    kernel void k(global ulong *out) {
      if (get_global_id(1) == 4294967300u - 1 + 3) {
        out[0] = get_global_size(1);
        out[1] = get_num_groups(1);
        out[2] = get_group_id(1);
        out[3] = (uint)get_num_groups(1);
      }
    }"""
    kernel = polycl.load(source).kernel("k")
    out = np.zeros(4, np.uint64)
    size, offset = (1, 40), (0, 2**32 - 33)
    kernel(out, global_size=size, local_size=(1, 8), global_offset=offset)
    at = 4294967302 - offset[1]
    assert out.tolist() == [40, 5, at // 8, 5]


@pytest.mark.slow
def test_more_than_2_to_the_32_work_items() -> None:
    source = """
    kernel void k(global uint *hits) {
      if (get_global_id(0) % 1000003u == 5) atomic_inc(hits);
    }"""
    kernel = polycl.load(source, NON_UNIFORM).kernel("k")
    n, hits = 2**32 + 5, np.zeros(1, np.uint32)
    kernel(hits, global_size=n, local_size=8192)
    assert hits[0] == len(range(5, n, 1000003))


def test_a_changed_module_has_small_ids() -> None:
    program = polycl.load("kernel void k(global int *x) { x[0] = get_global_id(0); }")
    assert program.module
    with pytest.raises(ArgumentError, match="global ids reach 2\\^31"):
        program.kernel("k")(np.zeros(1, np.int32), global_size=1, global_offset=2**31)


def test_assumptions_hold_for_wide_ids_too() -> None:
    kernel = polycl.load("kernel void k(global ulong *x, int n) { x[n] = get_global_id(0); }")
    assumed = kernel.kernel("k").assuming("n >= 1")
    x = np.zeros(2, np.uint64)
    assumed(x, 1, global_size=1, global_offset=2**33)
    assert x.tolist() == [0, 2**33]
    with pytest.raises(ArgumentError):
        assumed(x, 0, global_size=1, global_offset=2**33)


def test_large_groups() -> None:
    """8192 work-items with private arrays that live across barriers."""
    source = """
    kernel void k(global uint *x, local uint *tile) {
      uint own[8];
      size_t l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1);
      for (int i = 0; i < 8; i++) own[i] = (uint)l * 8 + i;
      for (int round = 0; round < 3; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] = own[round];
        barrier(CLK_LOCAL_MEM_FENCE);
        own[round + 1] += tile[(l + 1) % n];
      }
      x[l] = own[3];
    }"""
    kernel = polycl.load(source, NON_UNIFORM).kernel("k")
    found: list[Any] = []
    for shape in ((8192,), (64, 128)):
        x = np.zeros(8192, np.uint32)
        kernel(x, polycl.Local(4 * 8192), global_size=shape, local_size=shape)
        found.append(x)
    own = [np.arange(8192, dtype=np.uint32) * 8 + i for i in range(4)]
    for i in range(3):
        own[i + 1] = own[i + 1] + np.roll(own[i], -1)
    for x in found:
        np.testing.assert_array_equal(x, own[3])
