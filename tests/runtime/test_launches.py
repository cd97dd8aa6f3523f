"""The whole way from OpenCL C to results, on every device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl import ArgumentError, Device, Kernel, Local, PolyclError


@pytest.fixture(scope="module", params=("cpu", "interp"))
def device(request: pytest.FixtureRequest) -> Device:
    return polycl.device(request.param)


def kernel_of(text: str) -> Kernel:
    [kernel] = polycl.load(text).kernels.values()
    return kernel


def test_arrays_are_updated_in_place(device: Device) -> None:
    kernel = kernel_of(
        "kernel void k(global const float *x, global float *y, float a) {"
        "  int i = get_global_id(0); y[i] = a * x[i] + y[i]; }"
    )
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    x.flags.writeable = False
    kernel(x, y, 2, global_size=100, device=device)
    assert (y == 2 * x + 1).all()
    kernel(y, y, -1, global_size=50, global_offset=50, device=device)
    assert (y[:50] == 2 * x[:50] + 1).all()
    assert not y[50:].any()


@pytest.mark.parametrize(
    ("c_type", "dtype", "value"),
    [
        ("char", "i1", -100),
        ("uchar", "u1", 200),
        ("short", "i2", -30000),
        ("ushort", "u2", 60000),
        ("int", "i4", -(2**31)),
        ("uint", "u4", 2**32 - 1),
        ("long", "i8", -(2**63)),
        ("ulong", "u8", 2**64 - 1),
        ("float", "f4", 0.1),
        ("double", "f8", 0.1),
    ],
)
def test_scalars(device: Device, c_type: str, dtype: str, value: Any) -> None:
    kernel = kernel_of(
        f"kernel void k(global {c_type} *x, {c_type} a) {{ x[1] = a; x[2] = x[0]; }}"
    )
    x = np.array([value, 0, 0], dtype)
    kernel(x, value, global_size=1, device=device)
    assert x[0] == x[1] == x[2] == np.array(value, dtype)


@pytest.mark.parametrize("width", [2, 3, 4, 8, 16])
def test_vectors(device: Device, width: int) -> None:
    kernel = kernel_of(
        f"kernel void k(global float{width} *x, float{width} a) {{ x[get_global_id(0)] += a; }}"
    )
    stored = 4 if width == 3 else width
    flat = np.zeros(5 * stored + 1, np.float32)
    # Not aligned to the vector's size: a view into the middle of other data.
    x = flat[1:].reshape(5, stored)
    kernel(x, np.arange(width), global_size=5, device=device)
    assert (x[:, :width] == np.arange(width)).all()
    kernel(flat[1:], [1] * width, global_size=5, device=device)
    assert (x[:, :width] == np.arange(width) + 1).all()
    assert flat[0] == 0


def test_structures(device: Device) -> None:
    kernel = kernel_of(
        "typedef struct { char tag; float3 pos; union { int i; float f; } u; short s[3]; } body;"
        "kernel void k(global body *b, const body by) { int i = get_global_id(0);"
        "  b[i].pos += by.pos; b[i].tag = by.tag + 1; b[i].u.i = by.u.i; b[i].s[i] = by.s[2]; }"
    )
    b = np.zeros(3, kernel.dtype("b"))
    b["pos"] = 1
    by = {"tag": 7, "pos": (1, 2, 3), "u": {"f": 1.5}, "s": (4, 5, 6)}
    kernel(b, by, global_size=3, device=device)
    assert (b["pos"] == (2, 3, 4)).all()
    assert (b["tag"] == 8).all()
    assert (b["u"]["f"] == 1.5).all()
    assert (b["s"] == np.eye(3) * 6).all()
    kernel(b, b[0], global_size=3, device=device)
    assert b["pos"][2].tolist() == [4, 6, 8]


def test_local_memory_and_barriers(device: Device) -> None:
    kernel = kernel_of(
        "kernel void k(global const int *x, global int *sum, local int *tile) {"
        "  int l = get_local_id(0); tile[l] = x[get_global_id(0)];"
        "  for (int n = get_local_size(0) / 2; n > 0; n /= 2) {"
        "    barrier(CLK_LOCAL_MEM_FENCE); if (l < n) tile[l] += tile[l + n]; }"
        "  if (l == 0) sum[get_group_id(0)] = tile[0]; }"
    )
    x, sums = np.arange(64, dtype=np.int32), np.zeros(4, np.int32)
    kernel(x, sums, Local(64), global_size=64, local_size=16, device=device)
    assert sums.tolist() == x.reshape(4, 16).sum(1).tolist()


def test_index_space(device: Device) -> None:
    kernel = kernel_of(
        "kernel void k(global uint *x) {"
        "  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1) -"
        "    get_global_offset(1)) * get_global_size(0) + get_global_id(0);"
        "  x[i] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_work_dim(); }"
    )
    x = np.zeros((2, 6, 10), np.uint32)
    kernel(x, global_size=(10, 6, 2), global_offset=(0, 3, 0), local_size=(5, 3, 1), device=device)
    assert (x == 30305).all()


def test_null_and_empty_buffers(device: Device) -> None:
    kernel = kernel_of(
        "kernel void k(global int *x, global int *y, constant int *z) {"
        "  x[get_global_id(0)] = y == 0 ? 1 : 2; }"
    )
    x = np.zeros(4, np.int32)
    kernel(x, None, None, global_size=4, device=device)
    assert x.tolist() == [1] * 4
    kernel(x, np.zeros(0, np.int32), np.zeros(0, np.int32), global_size=4, device=device)
    assert x.tolist() == [2] * 4


def test_bound_kernels(device: Device) -> None:
    kernel = kernel_of("kernel void k(global int *x, int a) { x[get_global_id(0)] += a; }")
    x = np.zeros(64, np.int32)
    bound = kernel.bind(x, 3, global_size=64, device=device)
    for _ in range(4):
        bound.launch()
    x[:32] = 0
    bound.launch()
    assert x.tolist() == [3] * 32 + [15] * 32


def test_work_group_functions_run(device: Device) -> None:
    text = """
    wg.func @k(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}) {
      %one = arith.constant 1 : index
      %n = ocl.local_size 0 : index
      %g = ocl.group_id 0 : index
      %start = arith.muli %g, %n : index
      wg.parallel (%i, %j, %k) in (%n, %one, %one) {
        %at = arith.addi %start, %i : index
        %v = arith.index_cast %at : index to i32
        ocl.store %v, %x[%at] : !ocl.ptr<i32, global>
      }
      wg.return
    }
    """
    x = np.zeros(32, np.int32)
    polycl.load(text).kernel("k")(x, global_size=32, local_size=8, device=device)
    assert x.tolist() == list(range(32))


def test_errors_of_devices_are_polycl_errors(device: Device) -> None:
    kernel = kernel_of("kernel void k(global int *x) { x[get_global_id(0)] = 1; }")
    x = np.zeros(4, np.int32)
    with pytest.raises(ArgumentError, match="pipeline 'nothing': unknown pass 'nothing'"):
        kernel(x, global_size=4, device=device, pipeline="nothing")
    with pytest.raises(PolyclError):
        kernel(x, global_size=4, device=device, pipeline="ocl-to-wg{unknown=1}")
    assert not x.any()
