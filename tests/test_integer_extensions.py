"""Dot products of bytes and bit fields, in OpenCL C, against numpy; and their code."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.jit import has_feature
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.device import NDRange
from polycl.backends.pipeline import run_passes

N = 203
"""Not a multiple of any vector's size."""

SIGNS = ("uu", "us", "su", "ss")


def bytes_of(values: NDArray[np.uint8], sign: str) -> NDArray[np.int64]:
    return values.view(np.int8 if sign == "s" else np.uint8).astype(np.int64)


@pytest.fixture
def factors() -> list[NDArray[np.uint8]]:
    random = np.random.default_rng(5)
    found = [random.integers(0, 256, (N, 4), np.uint8) for _ in range(2)]
    edges = np.array(list(itertools.product((0, 127, 128, 255), repeat=2)), np.uint8)
    for values, edge in zip(found, edges.T, strict=True):
        values[: len(edge)] = edge[:, None]
    return found


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("signs", SIGNS)
def test_dot_products(device: str, signs: str, factors: list[NDArray[np.uint8]]) -> None:
    left, right = ("uchar4" if sign == "u" else "char4" for sign in signs)
    result = "uint" if signs == "uu" else "int"
    source = f"""
    kernel void k(global const uint *a, global const uint *b, global const {left} *va,
                  global const {right} *vb, global const {result} *c, global {result} *out) {{
      size_t i = get_global_id(0);
      out[6 * i] = dot_4x8packed_{signs}_{result}(a[i], b[i]);
      out[6 * i + 1] = dot_acc_sat_4x8packed_{signs}_{result}(a[i], b[i], c[i]);
      out[6 * i + 2] = dot(va[i], vb[i]);
      out[6 * i + 3] = dot_acc_sat(va[i], vb[i], c[i]);
      {left} x = va[i];
      {right} y = vb[i].wzyx;
      out[6 * i + 4] = dot(x, y.wzyx);
      x.y += 1;
      out[6 * i + 5] = dot(x, vb[i]);
    }}"""
    dtype = np.dtype(np.uint32 if signs == "uu" else np.int32)
    info = np.iinfo(dtype)
    sums = np.resize(np.array([0, info.max, info.min, info.max - 1000], dtype), N)
    out = np.zeros((N, 6), dtype)
    a, b = factors
    packed = [values.view(np.uint32)[:, 0].copy() for values in (a, b)]
    views = [v.view(np.int8 if s == "s" else np.uint8) for v, s in zip((a, b), signs, strict=True)]
    kernel = polycl.load(source).kernel("k")
    kernel(*packed, *views, sums, out, global_size=N, local_size=N, device=device)
    x, y = (bytes_of(values, sign) for values, sign in zip((a, b), signs, strict=True))
    moved = a.copy()
    moved[:, 1] += 1
    dots = (x * y).sum(axis=1)
    saturated = np.clip(dots + sums.astype(np.int64), info.min, info.max)
    last = (bytes_of(moved, signs[0]) * y).sum(axis=1)
    wanted = np.stack([dots, saturated, dots, saturated, dots, last], axis=1)
    np.testing.assert_array_equal(out.astype(np.int64), wanted)


def test_dot_products_in_a_branch(factors: list[NDArray[np.uint8]]) -> None:
    source = """
    kernel void k(global const uint *a, global const uint *b, global int *out) {
      size_t i = get_global_id(0);
      int sum = -1;
      if (a[i] & 1)
        for (uint k = 0; k < (b[i] & 7); k++) sum += dot_4x8packed_us_int(a[i] + k, b[i]);
      out[i] = sum;
    }"""
    packed = [values.view(np.uint32)[:, 0].copy() for values in factors]
    found: list[list[int]] = []
    for device in ("interp", "cpu"):
        out = np.zeros(N, np.int32)
        polycl.load(source).kernel("k")(*packed, out, global_size=N, local_size=7, device=device)
        found.append(out.tolist())
    assert found[0] == found[1]


@pytest.mark.skipif(not has_feature("avx512vnni"), reason="the processor has no VNNI")
@pytest.mark.parametrize("signs", SIGNS)
def test_code_of_dot_products(signs: str) -> None:
    """One instruction for 16 work-items, or two where the signs are the same."""
    result = "uint" if signs == "uu" else "int"
    source = f"""
    kernel void k(global const uint *a, global const uint *b, global {result} *out) {{
      size_t i = get_global_id(0);
      out[i] += dot_4x8packed_{signs}_{result}(a[i], b[i]);
    }}"""
    module = polycl.load(source).module.clone()
    passes = CpuDevice().own_passes(NDRange((64, 1, 1), (64, 1, 1)))
    text = run_passes(module, passes, lambda program: llvm_ir(program, False))
    assert "llvm.x86.avx512.vpdpbusd.512" in text
    assert "mul <" not in text


INTEGERS = {
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
}


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("width", ["", "3", "8"])
@pytest.mark.parametrize("type", INTEGERS)
def test_bit_fields(type: str, width: str, device: str) -> None:
    unsigned = type if type[0] == "u" else f"u{type}"
    base, full = unsigned[1:], f"{type}{width}"
    lanes = int(width or "1")
    load = f"vload{width}(i, {{0}})" if width else "{0}[i]"
    store = f"vstore{width}({{0}}, i, {{1}})" if width else "{1}[i] = {0}"

    def write(value: str, target: str) -> str:
        return store.format(value, target) + ";"

    source = f"""
    kernel void k(global const {type} *a, global const {type} *b, global const uint *offset,
                  global const uint *count, global {type} *inserted, global {base} *s,
                  global {unsigned} *u, global {type} *reversed) {{
      size_t i = get_global_id(0);
      {full} x = {load.format("a")}, y = {load.format("b")};
      {write("bitfield_insert(x, y, offset[i], count[i])", "inserted")}
      {write("bitfield_extract_signed(x, offset[i], count[i])", "s")}
      {write("bitfield_extract_unsigned(x, offset[i], count[i])", "u")}
      {write("bit_reverse(x)", "reversed")}
    }}"""
    dtype = np.dtype(INTEGERS[type])
    bits = 8 * dtype.itemsize
    random = np.random.default_rng(bits)
    a, b = (random.integers(0, 256, (N, lanes * dtype.itemsize), np.uint8) for _ in range(2))
    offset = random.integers(0, bits + 1, N, np.uint32)
    count = random.integers(0, bits + 1, N, np.uint32) % (bits + 1 - offset)
    offset[:2], count[:2] = (0, bits), (bits, 0)
    wide = np.dtype(f"u{dtype.itemsize}")
    outs = [np.zeros((N, lanes), wide) for _ in range(4)]
    views = [a.view(dtype), b.view(dtype), offset, count, outs[0].view(dtype)]
    views += [outs[1].view(INTEGERS[base]), outs[2], outs[3].view(dtype)]
    kernel = polycl.load(source).kernel("k")
    kernel(*views, global_size=N, local_size=29, device=device)
    mask = (1 << bits) - 1
    for i, lane in itertools.product(range(N), range(lanes)):
        x, y = (int(values.view(wide)[i, lane]) for values in (a, b))
        at, n = int(offset[i]), int(count[i])
        field = (1 << n) - 1
        assert int(outs[0][i, lane]) == x & ~(field << at) & mask | (y & field) << at
        part = x >> at & field
        assert int(outs[2][i, lane]) == part
        negative = n > 0 and part >> (n - 1) & 1
        assert int(outs[1][i, lane]) == (part - (1 << n) if negative else part) & mask
        assert int(outs[3][i, lane]) == int(f"{x:0{bits}b}"[::-1], 2)


def test_macros() -> None:
    source = """
    #if !defined(cl_khr_integer_dot_product) || !defined(cl_khr_extended_bit_ops) || \\
        !defined(__opencl_c_integer_dot_product_input_4x8bit) || \\
        !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
    #error a macro is missing
    #endif
    kernel void k(global float *x) { x[0] = dot((float2)(1, 2), (float2)(3, 4)); }"""
    for standard in ("CL1.0", "CL1.2", "CL2.0", "CL3.0"):
        x = np.zeros(1, np.float32)
        polycl.load(source, [f"-cl-std={standard}"]).kernel("k")(x, global_size=1)
        assert x[0] == 11
