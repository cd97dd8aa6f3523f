"""C11 atomics of OpenCL C 2.0 on every type, with every order and scope; on floats as well."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import polycl
from polycl import PolyclError

OPTIONS = ["-cl-std=CL3.0"]
N = 137

TYPES = {
    "int": "int",
    "uint": "uint",
    "long": "long",
    "ulong": "ulong",
    "intptr_t": "long",
    "uintptr_t": "ulong",
    "size_t": "ulong",
    "ptrdiff_t": "long",
}
"""The types, and those of arguments: kernels have none of type size_t."""

DTYPES = {"int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64}
DEVICES = ("interp", "cpu")

ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
SCOPES = ("work_item", "work_group", "device", "all_svm_devices", "all_devices")
ARGUMENTS = list(itertools.product(ORDERS, SCOPES))


def forms(name: str, arguments: str, number: int) -> str:
    """A call without an order, with one, or with one and a scope, as the number says."""
    if number % 3 == 0:
        return f"{name}({arguments})"
    order, scope = ARGUMENTS[number % len(ARGUMENTS)]
    last = f", memory_scope_{scope}" if number % 3 == 1 else ""
    return f"{name}_explicit({arguments}, memory_order_{order}{last})"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("number", range(3))
def test_fetch_and_modify(type: str, device: str, number: int) -> None:
    """Each function once for each work-item, on an object in global and one in local memory."""
    plain = TYPES[type]
    names = ("add", "sub", "min", "max", "and", "or", "xor")
    calls = "\n".join(
        f"{forms(f'atomic_fetch_{name}', f'{place} + {at}, ({type})x[i]', number + at)};"
        for place in ("out", "shared")
        for at, name in enumerate(names)
    )
    starts = "\n".join(f"atomic_init(shared + {at}, start[{at}]);" for at in range(len(names)))
    stores = "\n".join(
        f"done[{at}] = {forms('atomic_load', f'shared + {at}', 3)};" for at in range(len(names))
    )
    source = f"""
    kernel void k(global const {plain} *x, global const {plain} *start,
                  global atomic_{type} *out, global {plain} *done) {{
      local atomic_{type} shared[{len(names)}];
      size_t i = get_local_id(0);
      if (i == 0) {{ {starts} }}
      barrier(CLK_LOCAL_MEM_FENCE);
      {calls}
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 0) {{ {stores} }}
    }}"""
    dtype = np.dtype(DTYPES[plain])
    random = np.random.default_rng(1)
    x, start = (random.integers(0, 256, n * dtype.itemsize, np.uint8).view(dtype) for n in (N, 7))
    out, done = start.copy(), np.zeros(7, dtype)
    kernel = polycl.load(source, OPTIONS).kernel("k")
    kernel(x, start, out, done, global_size=N, local_size=N, device=device)
    total = np.add.reduce(x, dtype=dtype, keepdims=True)
    wanted = [
        *(start[:1] + total),
        *(start[1:2] - total),
        min(start[2], x.min()),
        max(start[3], x.max()),
        start[4] & np.bitwise_and.reduce(x),
        start[5] | np.bitwise_or.reduce(x),
        start[6] ^ np.bitwise_xor.reduce(x),
    ]
    np.testing.assert_array_equal(out, np.array(wanted, dtype))
    np.testing.assert_array_equal(done, np.array(wanted, dtype))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("type", ["int", "ulong", "float", "double"])
def test_exchanges(type: str, device: str) -> None:
    source = f"""
    kernel void k(global atomic_{type} *object, global {type} *seen, global int *turns) {{
      {type} expected = atomic_load(object), mine = (({type})get_global_id(0)) + 1;
      int tries = 0;
      while (!atomic_compare_exchange_weak_explicit(
                 object, &expected, expected + mine, memory_order_acq_rel, memory_order_relaxed,
                 memory_scope_device))
        tries++;
      {type} other = -1;
      bool wrong = atomic_compare_exchange_strong(object + 1, &other, ({type})5);
      turns[get_global_id(0)] = wrong * 2 + (other == 7);
      seen[get_global_id(0)] = atomic_exchange_explicit(object + 2, mine, memory_order_acq_rel);
      atomic_store(object + 3, ({type})9);
    }}"""
    dtype = np.dtype({"int": "i4", "ulong": "u8", "float": "f4", "double": "f8"}[type])
    objects = np.array([100, 7, 0, 0], dtype)
    seen, turns = np.zeros(N, dtype), np.zeros(N, np.int32)
    kernel = polycl.load(source, OPTIONS).kernel("k")
    kernel(objects, seen, turns, global_size=N, local_size=1, device=device)
    assert objects[[0, 1, 3]].tolist() == [100 + N * (N + 1) // 2, 7, 9]
    assert turns.tolist() == [1] * N
    assert sorted([*seen.tolist(), objects[2].item()]) == list(range(N + 1))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("type", ["float", "double"])
def test_float_atomics(type: str, device: str) -> None:
    """Sums of small integers are exact; the other one is taken where one is NaN."""
    bits = 32 if type == "float" else 64
    source = f"""
    #if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp{bits}_global_atomic_add) || \\
        !defined(__opencl_c_ext_fp{bits}_local_atomic_min_max)
    #error a macro is missing
    #endif
    kernel void k(global const {type} *x, global atomic_{type} *out, global {type} *done) {{
      local atomic_{type} shared[4];
      size_t i = get_local_id(0);
      if (i < 4) atomic_init(shared + i, ({type})3);
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_fetch_add(out, x[i]);
      atomic_fetch_sub_explicit(out + 1, x[i], memory_order_relaxed);
      atomic_fetch_min_explicit(out + 2, x[i], memory_order_relaxed, memory_scope_device);
      atomic_fetch_max(out + 3, x[i]);
      atomic_fetch_add_explicit(shared, x[i], memory_order_relaxed);
      atomic_fetch_sub(shared + 1, x[i]);
      atomic_fetch_min(shared + 2, x[i]);
      atomic_fetch_max_explicit(shared + 3, x[i], memory_order_acq_rel, memory_scope_work_group);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i < 4) done[i] = atomic_load(shared + i);
    }}"""
    dtype = np.dtype("f4" if type == "float" else "f8")
    x = np.random.default_rng(2).integers(-1000, 1000, N).astype(dtype)
    for nans in (False, True):
        out, done = np.full(4, 3, dtype), np.zeros(4, dtype)
        if nans:
            out[2:] = np.nan
        kernel = polycl.load(source, OPTIONS).kernel("k")
        kernel(x, out, done, global_size=N, local_size=N, device=device)
        wanted = [3 + x.sum(), 3 - x.sum(), min(3, x.min()), max(3, x.max())]
        assert done.tolist() == wanted
        assert out.tolist() == ([*wanted[:2], x.min(), x.max()] if nans else wanted)


def test_atomics_on_half_are_refused() -> None:
    source = "kernel void k(global atomic_half *x) { atomic_store(x, (half)1); }"
    with pytest.raises(PolyclError, match=r"1:\d+: error: call to 'atomic_store' is ambiguous"):
        polycl.load(source, OPTIONS)


@pytest.mark.parametrize("type", ["int", "uint", "long", "ulong", "float"])
@pytest.mark.parametrize("device", DEVICES)
def test_atomics_on_private_memory(device: str, type: str) -> None:
    """An object of one work-item, by its name and through a pointer."""
    counts = type != "float"
    source = f"""
    {type} swap(atomic_{type} *p, {type} v) {{ return atomic_exchange(p, v); }}
    kernel void k(global {type} *out) {{
      int i = get_global_id(0);
      atomic_{type} object;
      atomic_init(&object, 3);
      {type} first = {"atomic_fetch_add" if counts else "atomic_exchange"}(&object, ({type})i);
      {type} expected = 5;
      bool same = atomic_compare_exchange_strong(&object, &expected, ({type})9);
      {type} last = swap(&object, 7);
      out[5 * i] = first;
      out[5 * i + 1] = same;
      out[5 * i + 2] = expected;
      out[5 * i + 3] = last;
      out[5 * i + 4] = atomic_load(&object);
    }}
    """
    out = np.zeros((N, 5), np.float32 if type == "float" else DTYPES[type])
    kernel = polycl.load(source, OPTIONS).kernel("k")
    kernel(out, global_size=N, device=polycl.device(device))
    for i, row in enumerate(out):
        then = 3 + i if counts else i
        same = then == 5
        assert list(row) == [3, same, 5 if same else then, 9 if same else then, 7]


@pytest.mark.parametrize("device", DEVICES)
def test_flags_in_private_memory(device: str) -> None:
    source = """
    kernel void k(global int *out) {
      atomic_flag flag;
      atomic_flag_clear(&flag);
      out[0] = atomic_flag_test_and_set(&flag);
      out[1] = atomic_flag_test_and_set(&flag);
    }
    """
    out = np.full(2, 5, np.int32)
    kernel = polycl.load(source, OPTIONS).kernel("k")
    kernel(out, global_size=1, device=polycl.device(device))
    assert list(out) == [0, 1]


@pytest.mark.parametrize("device", DEVICES)
def test_flags_and_fences(device: str) -> None:
    source = """
    global atomic_int counter = ATOMIC_VAR_INIT(5);
    kernel void k(global atomic_flag *flag, global int *won, global int *count) {
      if (!atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, memory_scope_device))
        won[0]++;
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
      atomic_flag_clear(flag + 1);
      bool set = atomic_flag_test_and_set(flag + 1);
      atomic_flag_clear_explicit(flag + 1, memory_order_release);
      if (atomic_fetch_add(&counter, 1) == 5 + (int)get_global_size(0) - 1) *count = 1 + set;
    }"""
    flag, won, count = np.zeros(2, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    kernel = polycl.load(source, OPTIONS).kernel("k")
    kernel(flag, won, count, global_size=64, local_size=1, device=device)
    assert (flag.tolist(), won[0]) == ([1, 0], 1)
    assert count[0] in (1, 2)
