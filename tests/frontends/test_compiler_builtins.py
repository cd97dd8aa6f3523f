"""clang's own builtins: what they compute on the devices, and those that are refused by name."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.opencl_c.write_module import emit
from polycl.errors import PolyclError, UnsupportedError
from polycl.frontends.opencl_c import import_source

INTEGERS = {
    "__builtin_popcount(a)": 3,
    "__builtin_popcountl(-1L)": 64,
    "__builtin_clz(a)": 25,
    "__builtin_clzs((ushort)a)": 9,
    "__builtin_clzl((ulong)a)": 57,
    "__builtin_ctz(a * 8)": 4,
    "__builtin_ctzll((ulong)a << 40)": 41,
    "__builtin_ffs(a) + 10 * __builtin_ffs(a - a)": 2,
    "__builtin_parity(a) + __builtin_parityl(3L * a)": 1,
    "__builtin_clrsb(a) + 100 * __builtin_clrsb(~a)": 24 + 2400,
    "__builtin_bswap16((ushort)0x1234)": 0x3412,
    "__builtin_bswap32(0x01020300 + a - 70)": 0x00030201,
    "__builtin_bswap64(0x0102030405060708UL) == 0x0807060504030201UL": 1,
    "__builtin_bitreverse8((uchar)(a - 69))": 0x80,
    "__builtin_bitreverse32(0x80000001u << (a - 70)) == 0x80000001u": 1,
    "__builtin_bitreverse64((ulong)(a - 69)) == 1UL << 63": 1,
    "__builtin_rotateleft32(a, 4)": 70 << 4,
    "__builtin_rotateright32(a, 1)": 35,
    "__builtin_rotateright8((uchar)a, 4)": 0x64,
    "__builtin_abs(-a) + __builtin_labs(-1L)": 71,
    "__builtin_expect(a, 0)": 70,
    "__builtin_expect_with_probability(a, 0, 0.5)": 70,
    "__builtin_unpredictable(a)": 70,
    "__builtin_choose_expr(sizeof(a) == 4, a, v.x)": 70,
    "__builtin_choose_expr(sizeof(a) == 3, v.x, a + 1)": 71,
    "__builtin_types_compatible_p(int, int) + 2 * __builtin_types_compatible_p(int, float)": 1,
    "__builtin_constant_p(3) + 2 * __builtin_constant_p(a)": 1,
    "__builtin_offsetof(s_t, b[1].y)": 16,
    "__builtin_align_up(a, 16) + __builtin_align_down(a, 16)": 80 + 64,
    "__builtin_is_aligned(a, 2) + 2 * __builtin_is_aligned(a, 4)": 1,
    "__builtin_isnan(v.x) + 2 * __builtin_isnan(v.x / (v.x - 1.5f) * 0)": 2,
    "__builtin_isinf_sign(-v.x / 0) + 10 * __builtin_isinf_sign(v.x)": -1,
    "__builtin_isfinite(v.x) + 2 * __builtin_isnormal(1e-40f * v.x)": 1,
    "__builtin_isless(v.x, v.y) + 2 * __builtin_isgreater(v.x, v.y)": 1,
    "__builtin_signbit(-v.x) != 0": 1,
    "__builtin_fpclassify(1, 2, 3, 4, 5, v.x) * 10 + __builtin_fpclassify(1, 2, 3, 4, 5, 0.0f)": 35,
    "__builtin_fpclassify(1, 2, 3, 4, 5, v.x / 0) * 10 + __builtin_isinf(v.x)": 20,
    "__builtin_reduce_add((int4)(a, 2, 3, 4))": 79,
    "__builtin_reduce_mul((int4)(a, 2, 3, 4))": 70 * 24,
    "__builtin_reduce_xor((uint2)(a, 1)) + __builtin_reduce_or((int2)(a, 1))": 71 + 71,
    "__builtin_reduce_max((int4)(a, 200, -3, 4)) + __builtin_reduce_min((int2)(a, -3))": 197,
    "__builtin_elementwise_max(a, 80) + __builtin_elementwise_abs(-a)": 150,
    "__builtin_elementwise_add_sat(0x7fffffff, a)": 0x7FFFFFFF,
    "__builtin_elementwise_bitreverse((uchar2)(1, 2)).y": 0x40,
    "__builtin_add_overflow(a, 0x7fffffff, &r) * 2 + (r < 0)": 3,
    "__builtin_sub_overflow(a, 71u, &u) * 2 + (u == 0xffffffffu)": 3,
    "__builtin_mul_overflow(a, 3, &r) * 1000 + r": 210,
    "__builtin_mul_overflow(0x10001u, 0xffffu, &u) * 2 + (u == 0xffffffffu)": 1,
    "__builtin_smulll_overflow(0x7fffffffffffffffL, (long)a, &l)": 1,
    "__builtin_smull_overflow(-1L, (long)a, &l) * 100 + (int)l": -70,
    "__builtin_umull_overflow(1UL << 60, (ulong)a, &ul)": 1,
    "__builtin_saddl_overflow(0x7fffffffffffffffL, 1L, &l) * 2 + (l < 0)": 3,
    "__builtin_ssubl_overflow(-1L, 0x7fffffffffffffffL, &l) * 2 + (l < 0)": 1,
    "__builtin_usubl_overflow(0UL, 1UL, &ul) + __builtin_uaddl_overflow(~0UL, 1UL, &ul)": 2,
    "__builtin_addc(0xffffffffu, 0u, 1u, &u) * 2 + u": 1,
    "__builtin_subcb(1, 2, 0, &c) * 2 + c": 0xFF * 2 + 1,
}
"""With a = 70 and v = (1.5, 2, -3, 4)."""

FLOATS = {
    "__builtin_fabsf(-v.x)": 1.5,
    "__builtin_fmaf(v.x, v.y, 1.0f)": 4,
    "__builtin_fmaxf(v.x, v.y)": 2,
    "__builtin_sqrtf(v.w)": 2,
    "__builtin_floor(-1.5)": -2,
    "__builtin_roundevenf(v.x + 1)": 2,
    "__builtin_powif(v.y, 5)": 32,
    "__builtin_copysignf(v.x, v.z)": -1.5,
    "__builtin_scalbnf(v.x, 3)": 12,
    "__builtin_lrintf(v.x) + 10 * __builtin_lroundf(-v.x)": -18,
    "__builtin_huge_valf()": np.inf,
    "-__builtin_inf()": -np.inf,
    '__builtin_nanf("")': np.nan,
    "__builtin_convertvector(as_int4(v), float4).y / 1073741824": 1,
    "__builtin_shufflevector(v, v * 10, 0, 5, -1, 7).y": 20,
    "__builtin_shufflevector(v, v, 3, 1)[0]": 4,
    "__builtin_elementwise_min(v, v.yxwz).w": -3,
    "__builtin_elementwise_sqrt(v).w": 2,
    "__builtin_reduce_max(v)": 4,
    "__builtin_nontemporal_load(&o[0]) * 0": 0,
}

SOURCE = """
typedef struct { int a; struct { float x, y; } b[2]; } s_t;
kernel void k(global float *o, int a, global int *results, float4 v) {
  int r; uint u; long l; ulong ul; uchar c;
  __builtin_assume(a > 3 && v.x > 0);
  __builtin_prefetch(o);
%s
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_values(device: str) -> None:
    lines = [f"  results[{n}] = {text};" for n, text in enumerate(INTEGERS)]
    lines += [f"  o[{n}] = {text};" for n, text in enumerate(FLOATS)]
    kernel = polycl.load(SOURCE % "\n".join(lines), language="cl").kernel("k")
    results, floats = np.zeros(len(INTEGERS), np.int32), np.zeros(len(FLOATS), np.float32)
    v = np.array([1.5, 2, -3, 4], np.float32)
    kernel(floats, 70, results, v, global_size=1, local_size=1, device=device)
    assert dict(zip(INTEGERS, results.tolist(), strict=True)) == INTEGERS
    for text, found, expected in zip(FLOATS, floats, FLOATS.values(), strict=True):
        np.testing.assert_array_equal(found, expected, text)


BYTES = """
kernel void k(global int *o, global const int *in, int n) {
  int t[4];
  __builtin_memcpy(t, in, sizeof(t));
  __builtin_memset(o, 0, 16);
  __builtin_memcpy(o + 4, t, 16);
  __builtin_memset(o + 8, 0x101, n);
  __builtin_bzero(o + 9, 2);
  if (n > 100) __builtin_unreachable();
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_bytes(device: str) -> None:
    out = np.full(12, -1, np.int32)
    kernel = polycl.load(BYTES, language="cl").kernel("k")
    kernel(out, np.arange(4, dtype=np.int32), 6, global_size=1, local_size=1, device=device)
    assert out.tolist() == [0, 0, 0, 0, 0, 1, 2, 3, 0x01010101, -65536, -1, -1]


MOVES = """
kernel void k(global int *o, int n, float f, float2 g) {
  int t[4] = {7, 8, 9, 10};
  __builtin_memmove(o, o + 1, 12);
  __builtin_memmove(o + 9, o + 8, n);
  __builtin_memmove(t + 1, t, sizeof(int) * 3);
  for (int i = 0; i < 4; i++) o[4 + i] = t[i];
  o[12] = __builtin_bit_cast(int, f);
  o[13] = (int)(__builtin_bit_cast(ulong, g) >> 32);
  __builtin_memmove(o + 14, t, 8);
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_bytes_that_overlap_and_bits(device: str) -> None:
    out = np.arange(16, dtype=np.int32)
    pair = np.array((2, -1), np.float32)
    kernel = polycl.load(MOVES, language="cl").kernel("k")
    kernel(out, 11, 1.0, pair, global_size=1, local_size=1, device=device)
    assert out[:9].tolist() == [1, 2, 3, 3, 7, 7, 8, 9, 8]
    # Eleven bytes, of which three are of a second number.
    assert out[9:14].tolist() == [8, 9, 10, 0x3F800000, -0x40800000]
    assert out[14:].tolist() == [7, 7]


ATOMICS = """
kernel void k(global int *p, global atomic_int *a, global int *o, global float *f) {
  int e = 1, v = 30;
  o[0] = __atomic_fetch_add(p, 3, __ATOMIC_RELAXED);
  o[1] = __atomic_add_fetch(p, 4, __ATOMIC_SEQ_CST);
  o[2] = __atomic_exchange_n(p, 100, __ATOMIC_ACQ_REL);
  o[3] = __atomic_compare_exchange_n(p, &e, 5, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  o[4] = e;
  o[5] = __atomic_compare_exchange_n(p, &e, 6, true, __ATOMIC_SEQ_CST, __ATOMIC_CONSUME);
  o[6] = __atomic_load_n(p, __ATOMIC_CONSUME);
  __atomic_load(p, o + 7, __ATOMIC_ACQUIRE);
  __c11_atomic_init(a, 12);
  o[8] = __c11_atomic_fetch_max(a, 40, __ATOMIC_RELAXED);
  o[9] = __c11_atomic_exchange(a, v, __ATOMIC_RELAXED);
  o[10] = __c11_atomic_compare_exchange_strong(a, &v, 31, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  o[11] = __opencl_atomic_fetch_or(a, 32, memory_order_relaxed, memory_scope_device);
  o[12] = __opencl_atomic_load(a, memory_order_acquire, memory_scope_work_group);
  __atomic_store_n(p, 77, __ATOMIC_RELEASE);
  __atomic_store(p + 1, o + 4, __ATOMIC_RELEASE);
  o[13] = (int)__atomic_fetch_add(f, 1.5f, __ATOMIC_RELAXED);
  o[14] = __atomic_fetch_min(p + 2, -5, __ATOMIC_RELAXED);
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_atomics(device: str) -> None:
    p, a, o = np.arange(1, 4, dtype=np.int32), np.zeros(1, np.int32), np.zeros(15, np.int32)
    f = np.full(1, 2.25, np.float32)
    kernel = polycl.load(ATOMICS, ["-cl-std=CL3.0"]).kernel("k")
    kernel(p, a, o, f, global_size=1, local_size=1, device=device)
    assert o.tolist() == [1, 8, 8, 0, 100, 1, 6, 6, 12, 40, 1, 31, 63, 2, 3]
    assert (p.tolist(), a[0], f[0]) == ([77, 100, -5], 63, 3.75)


REFUSED = {
    "__builtin_trap()": (3, "builtin '__builtin_trap' is not supported: a kernel cannot end"),
    "o[0] = __builtin_readcyclecounter()": (10, "builtin '__builtin_readcyclecounter' is not"),
    "o[0] = __builtin_add_overflow(1L, 2, &l)": (10, "with operands of 64 bits is supported for"),
    "o[0] = __builtin_strlen(s)": (27, "builtin '__builtin_strlen' is not supported"),
}


@pytest.mark.parametrize("statement", REFUSED)
def test_refusals(statement: str) -> None:
    column, message = REFUSED[statement]
    source = f"kernel void k(global int *o, global char *s) {{\n  long l;\n  {statement};\n}}"
    with pytest.raises(UnsupportedError, match=message) as error:
        import_source(source, "file.cl")
    assert (error.value.line, error.value.col) == (3, column)


NARROW = """
kernel void k(global TYPE *p, global int *o) {
  local TYPE shared[4];
  size_t i = get_global_id(0);
  if (i < 4) shared[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  __atomic_fetch_add(p + i % 3, 3, __ATOMIC_RELAXED);
  __atomic_fetch_max(p + 3, (TYPE)(i * 37), __ATOMIC_SEQ_CST);
  __atomic_fetch_min(p + 4, (TYPE)(i * 37), __ATOMIC_SEQ_CST);
  __atomic_fetch_xor(p + 5, (TYPE)(i * 5), __ATOMIC_RELAXED);
  __atomic_sub_fetch(shared + i % 4, 130, __ATOMIC_RELAXED);
  TYPE expected = 7;
  o[i] = __atomic_compare_exchange_n(p + 6, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  o[i] += 10 * expected + __atomic_exchange_n(p + 8 + i, 5, __ATOMIC_RELAXED);
  barrier(CLK_LOCAL_MEM_FENCE);
  o[64 + i] = __atomic_load_n(shared + i % 4, __ATOMIC_ACQUIRE);
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("type", ["char", "uchar", "short", "ushort"])
def test_atomics_of_8_and_16_bits(type: str, device: str) -> None:
    dtype = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16}[type]
    p, o = np.full(72, 7, dtype), np.zeros(128, np.int32)
    kernel = polycl.load(NARROW.replace("TYPE", type)).kernel("k")
    kernel(p, o, global_size=64, local_size=64, device=device)
    ids = np.arange(64)
    sums = [int((ids % 3 == n).sum()) * 3 + 7 for n in range(3)]
    values = (ids * 37).astype(dtype)
    mixed = np.bitwise_xor.reduce((ids * 5).astype(dtype)) ^ dtype(7)
    extremes = [max(7, values.max()), min(7, values.min())]
    assert p[:8].tolist() == [*np.array(sums).astype(dtype), *extremes, mixed, 9, 7]
    # One work-item has exchanged 7 for 9; the others have found 9.
    assert sorted(o[:64].tolist()) == [78, *[97] * 63]
    assert (p[8:] == 5).all()
    assert o[64:].tolist() == (ids % 4 - 16 * 130).astype(dtype).tolist()


def test_narrow_atomics_are_not_in_opencl_c() -> None:
    module = polycl.load(NARROW.replace("TYPE", "char")).module
    with pytest.raises(PolyclError, match="OpenCL C has no atomics on char"):
        emit(module)
