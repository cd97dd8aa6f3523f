"""Atomic operations of several lanes: on one element at once, on several in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.remarks import collect_remarks

SOURCE = """
kernel void k(global const T *x, global const int *at, volatile global T *one,
              volatile global T *many, int n, T c) {
  local T shared[16];
  int i = get_global_id(0), l = get_local_id(0);
  if (l < 16) shared[l] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  F(many + at[i], x[i]);
  F(shared + (at[i] & 15), x[i]);
  if (i % 3 != n) {
    ONE(one, x[i]);
    ONE(one + 1, c);
    F(many + 16 + at[i], c);
    AGAIN(shared + (at[i] & 7), c);
  }
  if (n == 7) ONE((volatile global T *)0, c);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) F(many + 32 + 16 * get_group_id(0) + l, shared[l]);
}"""


def results(kind: str, type: str, dtype: Any, device: Any) -> np.ndarray:
    name = f"{'atom' if 'long' in type else 'atomic'}_{kind}"
    # The order of exchanges by one statement is that of the lanes, of several anything.
    one = "atomic_or" if kind == "xchg" else name
    one = one.replace("atomic", "atom") if "long" in type else one
    again = "(p,x)=(void)x" if kind == "xchg" else f"={name}"
    options = [f"-DT={type}", f"-DF={name}", f"-DONE={one}", f"-DAGAIN{again}"]
    rng = np.random.default_rng(5)
    size, local = 192, 48
    x = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, size, dtype, endpoint=True)
    at = rng.integers(0, 16, size, np.int32)
    first, many = np.full(2, 9, dtype), np.arange(32 + 16 * (size // local), dtype=dtype)
    kernel = polycl.load(SOURCE, options, language="cl").kernel("k")
    number = np.array(77, dtype)[()]
    kernel(x, at, first, many, 1, number, global_size=size, local_size=local, device=device)
    return np.concatenate([first, many])


CASES = [(kind, "int", np.int32) for kind in ("add", "sub", "and", "or", "xor", "xchg")]
CASES += [(kind, "uint", np.uint32) for kind in ("min", "max")]
CASES += [(kind, "long", np.int64) for kind in ("add", "min", "max")]


@pytest.mark.parametrize(("kind", "type", "dtype"), CASES)
def test_they_leave_what_single_work_items_leave(kind: str, type: str, dtype: Any) -> None:
    expected = results(kind, type, dtype, polycl.device("interp"))
    for device in (
        CpuDevice(threads=1, enable=["vectors"]),
        CpuDevice(threads=1, enable=["vectors"], without_features=["avx512"]),
    ):
        np.testing.assert_array_equal(results(kind, type, dtype, device), expected)
    if kind != "xchg":
        shared = results(kind, type, dtype, CpuDevice(threads=2, enable=["vectors"]))
        np.testing.assert_array_equal(shared, expected)


PLACES = """
kernel void k(global const int *x, volatile global T *one, global T *out, int n, T c) {
  local T shared;
  int i = get_global_id(0);
  if (get_local_id(0) == 0) shared = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  T a = ADD(one, c), b = 0, d = 0;
  if (x[i] > n) b = ADD(&shared, 2);
  if (x[i] & 1) d = SUB(one + 1, c);
  out[3 * i] = a;
  out[3 * i + 1] = b;
  out[3 * i + 2] = d;
}"""


@pytest.mark.parametrize(
    ("type", "dtype", "local"), [("int", np.int32, 21), ("ulong", np.uint64, 64)]
)
def test_each_gets_a_place_of_its_own(type: str, dtype: Any, local: int) -> None:
    prefix = "atom" if type == "ulong" else "atomic"
    options = [f"-DT={type}", f"-DADD={prefix}_add", f"-DSUB={prefix}_sub"]
    kernel = polycl.load(PLACES, options, language="cl").kernel("k")
    x = np.random.default_rng(6).integers(0, 100, 4 * local, np.int32)
    found = []
    for device in (
        polycl.device("interp"),
        CpuDevice(threads=1, enable=["vectors"]),
        CpuDevice(threads=1, enable=["vectors"], without_features=["avx512"]),
    ):
        one, out = np.full(2, 9, dtype), np.zeros(3 * x.size, dtype)
        number = np.array(5, dtype)[()]
        kernel(x, one, out, 40, number, global_size=x.size, local_size=local, device=device)
        found.append(np.concatenate([one, out]))
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])


FLOATS = """
#pragma OPENCL EXTENSION cl_ext_float_atomics : enable
kernel void k(global const float *x, global const int *at, global atomic_float *sums) {
  int i = get_global_id(0);
  atomic_fetch_add_explicit(sums + at[i], x[i], memory_order_relaxed);
  if (x[i] > 0) atomic_fetch_max_explicit(sums + 4 + at[i] / 2, x[i], memory_order_relaxed);
}"""


def test_floats_are_added_in_the_order_of_lanes() -> None:
    rng = np.random.default_rng(6)
    x = rng.standard_normal(256).astype(np.float32)
    at = rng.integers(0, 4, 256, np.int32)
    kernel = polycl.load(FLOATS, ["-cl-std=CL3.0"], language="cl").kernel("k")
    found: list[np.ndarray] = []
    for device in ("interp", CpuDevice(threads=1), CpuDevice(threads=1, enable=["vectors"])):
        sums = np.zeros(6, np.float32)
        kernel(x, at, sums, global_size=256, local_size=64, device=device)
        found.append(sums)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


POINTERS = """
kernel void k(global const int *x, global int *a, global int *b, global int *old) {
  local int even, odd;
  int i = get_global_id(0);
  if (get_local_id(0) == 0) even = odd = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  global int *p = x[i] & 1 ? a : b;
  local int *q = x[i] & 1 ? &odd : &even;
  atomic_add(p, x[i]);
  atomic_add(q, 1);
  atomic_xchg(p + 1 + i, x[i]);
  old[i] = atomic_add(p + 65 + i, x[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  old[64 + i] = even + 100 * odd;
}"""


def test_lanes_have_pointers_of_their_own() -> None:
    x = np.random.default_rng(7).integers(0, 50, 64, np.int32)
    kernel = polycl.load(POINTERS, language="cl").kernel("k")
    found: list[list[np.ndarray]] = []
    for device in (
        "interp",
        CpuDevice(threads=1, enable=["vectors"]),
        CpuDevice(threads=1, enable=["vectors"], without_features=["avx512"]),
        CpuDevice(threads=2, enable=["vectors"]),
    ):
        arrays = [np.arange(129, dtype=np.int32), np.zeros(129, np.int32), np.zeros(128, np.int32)]
        kernel(x, *arrays, global_size=64, local_size=32, device=device)
        found.append(arrays)
    for arrays in found[1:]:
        np.testing.assert_array_equal(np.concatenate(arrays), np.concatenate(found[0]))


LOCKS = {
    "a ticket": (
        "int t = atomic_inc(p); while (atomic_add(p + 1, 0) != t);",
        "atomic_inc(p + 1);",
    ),
    "a counter": ("while (atomic_inc(p) != 0) atomic_dec(p);", "atomic_dec(p);"),
    "an exchange": (
        "bool wants = true; while (wants) { if (atomic_xchg(p, 1) == 0) wants = false; }",
        "atomic_xchg(p, 0);",
    ),
    "a comparison": ("while (atomic_cmpxchg(p, 0, 1) != 0);", "atomic_xchg(p, 0);"),
}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lane_that_has_a_lock_goes_on(lock: str) -> None:
    """Work-items of a vector that want the same lock would wait for each other."""
    take, give = LOCKS[lock]
    source = f"""kernel void k(volatile global int *p, volatile global int *sum) {{
  int i = get_global_id(0);
  {take} *sum += i; {give}
}}"""
    p, total = np.zeros(2, np.int32), np.zeros(1, np.int32)
    with collect_remarks() as remarks:
        launch = polycl.load(source, language="cl").kernel("k").bind(
            p, total, global_size=64, local_size=16, device=CpuDevice(threads=1, enable=["vectors"])
        )  # fmt: skip
    assert any("may wait" in remark.message for remark in remarks)
    launch.launch()
    assert total[0] == 64 * 63 // 2
