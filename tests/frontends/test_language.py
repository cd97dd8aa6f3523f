"""What kernels compute: the interpreter runs the imported IR, Python computes the same."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import make_context
from polycl.frontends.mlir.mlir_text import parse_mlir


def run(
    body: str, inputs: list[int], *, n: int | None = None, before: str = "", size: int = 16
) -> list[int]:
    """The ints that one work-item leaves in `o`; `i` holds the inputs, `n` is their number."""
    source = f"{before}\nkernel void k(global int *o, global const int *i, int n) {{\n{body}\n}}"
    out = np.zeros(size, np.int32)
    data = np.array([*inputs, 0], np.int32)
    program = polycl.load(source)
    program.module.verify()
    kernel = program.kernel("k")
    device = polycl.device("interp")
    count = len(inputs) if n is None else n
    kernel(out, data, count, global_size=1, local_size=1, device=device)
    return out.tolist()


def test_swizzles_in_macros() -> None:
    before = """
    #define REVERSED(v) (v).wzyx
    #define SQUARE(v) ((v) * (v))
    #define PAIRS(v) (v).xxyy
    #define AT(p, k) p[k].zw
    #define LOW .lo
    """
    body = """
    int4 a = (int4)(1, 2, 3, 4), p[2] = {a, a * 10};
    a = REVERSED(a);
    vstore4(a, 0, o);
    vstore4(SQUARE(a) + PAIRS(a), 1, o);
    vstore2(AT(p, 1), 4, o);
    AT(p, 0) = p[1] LOW;
    vstore4(p[0].wzyx, 3, o);
    """
    assert run(body, [], before=before) == [
        *(4, 3, 2, 1),
        *(16 + 4, 9 + 4, 4 + 3, 1 + 3),
        *(30, 40, 0, 0),
        *(20, 10, 2, 1),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("as_int4(as_uint4(a).wzyx)", [4, 3, 2, 1]),
        ("as_int4((a + b).wzyx)", [44, 33, 22, 11]),
        ("as_int4((a + (int4)1).wzyx + b)", [15, 24, 33, 42]),
        ("as_int4((n ? a : b).wzyx)", [4, 3, 2, 1]),
        ("as_int4(((int4)(n, 5, 6, 7)).wzyx)", [7, 6, 5, 1]),
        ("as_int4((as_uint4(a) * as_uint4(b)).s3210)", [160, 90, 40, 10]),
        ("as_int4(n ? as_uint4(a) : as_uint4(a).wzyx)", [1, 2, 3, 4]),
        ("LAST(a, p, k)", [14, 14, 13, 13]),
        ("FIRST(a, p, k)", [14, 13, 12, 11]),
        ("OF_LITERAL(p)", [13, 12, 11, 10]),
        ("TWICE(p, p)", [11, 12, 13, 14]),
        ("OF_BITS(as_uint4(a))", [4, 3, 2, 1]),
        ("as_int4((made(a).v).wzyx)", [4, 3, 2, 1]),
        ("as_int4((made(a).v).xxyy)", [1, 1, 2, 2]),
        ("as_int4((a.xxyy + (int4)1).wzyx)", [3, 3, 2, 2]),
        ("as_int4((-a.xxyy).wzyx)", [-2, -2, -1, -1]),
        ("as_int4(a.xxyy.wzyx)", [2, 2, 1, 1]),
        ("as_int4((a.wzyx + (int4)(n, 2, 3, 4)).wzyx)", [5, 5, 5, 5]),
        ("as_int4(((int4)(n, 2, 3, 4)).xxyy)", [1, 1, 2, 2]),
        ("as_int4((a + (int4)sizeof(int)).wzyx)", [8, 7, 6, 5]),
        ("as_int4((&a)->wzyx)", [4, 3, 2, 1]),
        ("as_int4(_Generic(n, int: (int4)(n, 2, 3, 4).wzyx, default: a))", [4, 3, 2, 1]),
    ],
)
def test_swizzles_of_all_elements_of_values_in_macros(value: str, expected: list[int]) -> None:
    before = """
    typedef struct { int4 v; int k; } pair;
    pair made(int4 v) { pair p = {v, 1}; return p; }
    #define LAST(a, p, k) as_int4((a + p[k]).wwzz)
    #define FIRST(a, p, k) as_int4(p[k - 1].wzyx + p[k])
    #define OF_LITERAL(p) as_int4((*p + (int4)9).wzyx)
    #define TWICE(p, q) as_int4(((*p + (int4)10).wzyx).wzyx)
    #define OF_BITS(v) as_int4(as_int4(v).wzyx)
    """
    body = f"""
    int4 a = (int4)(1, 2, 3, 4), b = a * 10, p[2] = {{a, (int4)(10, 10, 10, 10)}};
    int k = n;
    vstore4({value}, 0, o);
    """
    assert run(body, [], n=1, before=before, size=4) == expected


def test_generic_selections() -> None:
    before = """
    typedef global const int *ints;
    typedef float real;
    typedef real real2 __attribute__((ext_vector_type(2)));
    typedef struct { int a; } pair;
    struct other { int b; };
    typedef enum { ONE, TWO } number;
    #define TAG(x) _Generic((x), float: 1, int: 2, default: 3, global const int *: 4, float4: 5, \
                            pair: 6, struct other: 7, uint: 8, real2: 9, global int *: 10)
    #define PLUS(x) _Generic((x), int: plus_int(x), float: (plus_float(x)))
    float plus_float(float x) { return x + 1; }
    int plus_int(int x) { return x + 2; }
    """
    body = """
    float f = 0.5f; float4 v = (float4)(10, 20, 30, 40); pair p; struct other s; uint u = 3;
    const int c = n; real r = f; float a[3]; number e = TWO; p.a = 8;
    int k = 0;
    o[k++] = TAG(f), o[k++] = TAG(i), o[k++] = TAG(o), o[k++] = TAG(v), o[k++] = TAG(p);
    o[k++] = TAG(s), o[k++] = TAG(u), o[k++] = TAG(r), o[k++] = TAG(v.xy), o[k++] = TAG(c);
    o[k++] = TAG((char)1), o[k++] = TAG(a), o[k++] = TAG(n ? f : c);
    o[k++] = _Generic(c, float4: v.y, int: plus_int(f) + v.z, pair: p.a ? 1 : 2) + v.w;
    o[k++] = PLUS(c) * 100 + PLUS(f);
    o[k++] = _Generic(f, float: sqrt, default: cos)(v.w + 9.0f);
    _Generic(f, float: o[k], default: o[0]) = 33, k++;
    o[k++] = _Generic(i, ints: _Generic(&a[0], const private float *: 5, private float *: 6)) + v.x;
    o[k++] = _Generic(e, pair: 1, uint: 2);
    o[k++] = _Generic(k++, int: k, default: k++);
    """
    expected = [1, 4, 10, 5, 6, 7, 8, 1, 9, 2, 3, 3, 1, 72, 901, 7, 33, 16, 2]
    assert run(body, [0] * 7, before=before, size=20) == [*expected, len(expected)]


@pytest.mark.parametrize("x", range(-2, 9))
def test_switch(x: int) -> None:
    body = """
    int r = 0;
    switch (i[0]) {
    case 0: r += 1;
    case 1: r += 10; if (n == 1 && i[0]) break; r += 100;
    default: r += 1000;
    case 3: r += 2; break;
    case 4 ... 6: if (i[0] == 5) { r = 5; break; } r = 46; break;
    case 7: return;
    }
    o[0] = r; o[1] = 1;
    """
    expected = {0: 1113, 1: 10, 3: 2, 4: 46, 5: 5, 6: 46}.get(x, 1002)
    assert run(body, [x])[:2] == ([0, 0] if x == 7 else [expected, 1])


@pytest.mark.parametrize("n", [0, 1, 5, 8])
def test_jumps_out_of_nested_loops(n: int) -> None:
    body = """
    int s = 0, a, b;
    for (a = 0; a < n; a++) {
      if (a == 6) break;
      for (b = 0; b < 4; b++) {
        if (b == a) continue;
        if (i[b] > 9) { o[2] = b; return; }
        if (b == 3) break;
        s = s * 3 + b + a;
      }
      s += b;
    }
    o[0] = s; o[1] = a;
    """
    for data in ([1, 2, 3, 4], [1, 99, 3, 4]):
        assert run(body, data, n=n)[:3] == nested_loops(data, n)


def nested_loops(data: list[int], n: int) -> list[int]:
    s = a = 0
    while a < n and a != 6:
        b = 0
        while b < 4:
            if b != a:
                if data[b] > 9:
                    return [0, 0, b]
                if b == 3:
                    break
                s = s * 3 + b + a
            b += 1
        s += b
        a += 1
    return [(s + 2**31) % 2**32 - 2**31, a, 0]


COUNTED = {
    "int k = 0; k < 5; k++": range(0, 5),
    "int k = 5; k > -4; k -= 3": range(5, -4, -3),
    "int k = 7; k >= 0; --k": range(7, -1, -1),
    "int k = 2; 9 >= k; k = k + 2": range(2, 10, 2),
    "uint k = 3; k > 0; k--": range(3, 0, -1),
    "uchar k = 250; k < 254; k++": range(250, 254),
    "long k = -2; k <= 2; k += 2": range(-2, 3, 2),
    "int k = 9; k < 3; k++": range(0),
    "size_t k = get_global_id(0); k < get_global_size(0) + 3; k += get_local_size(0)": range(4),
    "short k = 3; k != 6; k++": range(3, 6),
    "int k = -1; k < 3u; k++": range(0),
    "int k = get_global_id(0); k < 5u; k += get_global_size(0)": range(5),
    "int k = 2; k != 6; k++": range(2, 6),
    "int k = 6; 2 != k; --k": range(6, 2, -1),
    "uint k = 0; k != 4; ++k": range(4),
    "size_t k = get_local_size(0) + 3; k != 0; k--": range(4, 0, -1),
    "uint k = 4294967294u; k != 2; k++": range(-2, 2),
    "ulong k = 1; k != 18446744073709551614ul; k--": range(1, -2, -1),
    "char k = -127; k != 125; k--": (-127, -128, 127, 126),
    "char k = 126; k != -127; k++": (126, 127, -128),
    "short k = get_global_id(0); k <= (short)get_global_size(0) + 2; k++": range(4),
    "short k = 2; k > -(int)get_global_size(0) - 1; k--": range(2, -2, -1),
    "ushort k = 4; k >= (uchar)get_global_size(0); k--": range(4, 0, -1),
    "uchar k = 3; k < -(int)get_global_size(0); k++": range(0),
}


@pytest.mark.parametrize("head", COUNTED)
def test_counted_loops(head: str) -> None:
    turns = list(COUNTED[head])
    got = run(f"int c = 0; for ({head}) o[1 + c++] = k; o[0] = c;", [])
    assert got[: len(turns) + 1] == [len(turns), *turns]
    assert not any(got[len(turns) + 1 :])


def test_variable_keeps_its_value_behind_a_counted_loop() -> None:
    assert run("int k; for (k = 1; k < 6; k += 2) o[1] += k; o[0] = k;", [])[:2] == [7, 9]
    assert run("int k = 4; for (; k >= 0; k -= 3) ; o[0] = k;", [])[0] == -2


def test_short_circuit_skips_loads_and_assignments() -> None:
    body = """
    int t = 1;
    if (n > 100 && i[1000]) o[0] = 1;
    if (n == 1 || i[1000]) o[1] = 1;
    o[2] = (n == 7 && (t = 5)) + t;
    o[3] = n == 1 ? t : i[1000];
    """
    assert run(body, [3])[:4] == [0, 1, 1, 1]


def test_variable_that_only_a_condition_sets() -> None:
    assert run("int t; if (n == 9 || (t = 5) > i[0]) o[0] = t;", [3])[0] == 5


def test_initialisers() -> None:
    before = """
    typedef struct { int a[2]; struct { int x, y; } p; union { int u; float f; }; } s_t;
    constant s_t table[2] = {{{1, 2}, 3, 4, 5}, {.p.y = 6, .u = 7}};
    """
    body = """
    s_t s = {.a[1] = 8, .p = {9}};
    int z[20] = {[3] = 2, 1}, m[2][2] = {1, 2, 3};
    o[0] = table[0].a[1] + table[0].p.y * 10 + table[0].u * 100;
    o[1] = table[1].a[0] + table[1].p.y * 10 + table[1].u * 100;
    o[2] = s.a[0] + s.a[1] * 10 + s.p.x * 100 + s.p.y + s.u;
    o[3] = z[3] + z[4] * 10 + z[19];
    o[4] = m[0][1] + m[1][0] * 10 + m[1][1];
    """
    assert run(body, [], before=before)[:5] == [542, 760, 980, 12, 32]


def test_a_scalar_initialises_a_whole_vector_of_an_array() -> None:
    body = """
    int4 a[] = {1, 2, (int4)(5, 6, 7, 8), {9, 10, 11, 12}};
    struct { int2 v; int k; } s = {3, 4};
    o[0] = sizeof(a) / sizeof(int4);
    o[1] = a[0].w + a[1].z * 10 + a[2].y * 100 + a[3].x * 1000;
    o[2] = s.v.y * 10 + s.k;
    """
    assert run(body, [])[:3] == [4, 9621, 34]


def test_shifts_take_their_amount_modulo_the_width() -> None:
    body = "o[0] = i[0] << i[1]; o[1] = i[0] >> i[1]; o[2] = (int)((ulong)i[0] << i[2] >> 32);"
    assert run(body, [-6, 33, 100])[:3] == [-12, -3, -6 << 4]


def test_declarations_in_loops_run_each_time() -> None:
    body = "for (int k = 0; k < 3; k++) { int a[2] = {k}; a[1] += a[0]; o[k] = a[1]; int *p = a; }"
    assert run(body, [])[:3] == [0, 1, 2]


def test_fields_of_temporary_unions() -> None:
    before = """
    typedef union { struct { int x, y; }; int2 v; } pair_t;
    typedef struct { int k; pair_t pair; } s_t;
    pair_t make(int x, int y) { pair_t p; p.x = x; p.y = y; return p; }
    s_t wrap(pair_t p) { s_t s; s.k = 0; s.pair = p; return s; }
    """
    body = """
    pair_t p = make(i[0], i[1]), q = make(i[2], i[3]);
    o[0] = make(p.y, q.x).v.y;
    o[1] = (n > 2 ? p : q).y;
    o[2] = (p = q).x;
    o[3] = wrap(make(5, 6)).pair.v.x;
    for (int k = 0; k < 3; ++k) o[4] += make(k, 2 * k).y;
    o[5] = n > 2 || make(o[6]++, 1).x ? 7 : 8;
    """
    found = run(body, [1, 2, 3, 4], before=before)
    assert found[:7] == [3, 2, 3, 5, 6, 7, 0]


def test_union_argument_comes_as_its_bytes() -> None:
    source = """typedef union { int i; float f; uchar b[4]; } word_t;
    kernel void k(word_t w, global int *o) { o[0] = w.i; w.f += 1.0f; o[1] = w.b[3]; }"""
    out = np.zeros(2, np.int32)
    kernel = polycl.load(source).kernel("k")
    for device in ("interp", "cpu"):
        kernel(bytes([0, 0, 128, 63]), out, global_size=1, device=device)
        assert out.tolist() == [0x3F800000, 0x40]


def test_overloaded_functions() -> None:
    before = """
    int __attribute__((overloadable)) twice(int x) { return 2 * x; }
    float __attribute__((overloadable)) twice(float x) { return x + x + 0.5f; }
    int __attribute__((overloadable)) twice(int x, int y) {
      return twice(x) + (int)twice((float)y);
    }
    """
    body = "o[0] = twice(i[0]); o[1] = (int)(twice(1.5f) * 2); o[2] = twice(i[0], i[1]);"
    assert run(body, [4, 10], before=before, size=3) == [8, 7, 28]


def test_names_with_numbers_survive_the_round_trip() -> None:
    source = "kernel void k(global int *p_1_2, int q_3) { int r_4_5[2]; p_1_2[r_4_5[q_3]] = 1; }"
    text = str(polycl.load(source).module)
    assert str(parse_mlir(make_context(), text.encode(), "k.mlir")) == text


def test_contraction_is_off_from_its_pragma_to_the_next() -> None:
    source = """
    float a(float x) { return x * x + 1.0f; }
    #pragma OPENCL FP_CONTRACT OFF
    float b(float x) { return x * x + 1.0f; }
    #pragma OPENCL FP_CONTRACT ON
    float c(float x) { return x * x + 1.0f; }
    float d(float x) {
      #pragma OPENCL FP_CONTRACT OFF
      return x * x + 1.0f;
    }
    float e(float x) { return x * x + 1.0f; }
    """
    functions = polycl.load(source).module.body.block.ops
    rounded = ["ocl.no_contract" in str(function) for function in functions]
    assert rounded == [False, True, False, True, False]


def test_kernel_exec_is_a_kernel_with_hints() -> None:
    (kernel,) = polycl.load("__kernel_exec(64, float4) void k() {}").module.body.block.ops
    assert "work_group_size_hint = array<i64: 64, 1, 1>" in str(kernel)
    assert '"float4"' in str(kernel)


def test_parts_of_temporaries() -> None:
    types = "typedef struct { int a[2]; union { int i; float f; } u; } s_t;\n"
    types += "s_t f(int x) { s_t s; s.a[0] = 7; s.a[1] = x; s.u.f = x; return s; }\n"
    source = types + "kernel void k(global int *o) { o[0] = f(1).a[1] + f(2).u.f + f(3).a[0]; }"
    out = np.zeros(1, np.int32)
    polycl.load(source).kernel("k")(out, global_size=1, device="interp")
    assert out[0] == 10


def test_names_that_are_numbers() -> None:
    """Such as `_1_3` for a third: names in the IR have letters."""
    source = """
    float f(uint _1, float _2_) {
      float _3 = _1 * _2_;
      for (int _4 = 0; _4 < 2; _4++) _3++;
      return _3;
    }
    kernel void k(global float *_1, float _1_3, uint _2) {
      uint _9[2] = {_2, 2};
      for (int _5 = 0; _5 < 2; _5++) _1[_5] = f(_9[_5], _1_3);
    }
    """
    out = np.zeros(2, np.float32)
    for options in ([], ["-g"]):
        kernel = polycl.load(source, options).kernel("k")
        kernel(out, 3.0, 1, global_size=1, device="interp")
        assert out.tolist() == [5, 8]


def test_names_of_builtins_in_parentheses() -> None:
    """So that a macro of the same name is not expanded."""
    source = """
    #define min(a, b) a + b
    kernel void k(global const float *x, global float *y) {
      y[0] = (min)(x[0], x[1]);
      y[1] = ((max))(x[0], x[1]);
      y[2] = ((float4)((fmin)(vload4(0, x), 2.0f))).w;
    }
    """
    x = np.array([3, 1, 4, 5], np.float32)
    y = np.zeros(3, np.float32)
    polycl.load(source).kernel("k")(x, y, global_size=1, device="interp")
    assert y.tolist() == [1, 3, 2]


def test_decimal_literals_of_2_to_the_63_and_more_are_unsigned() -> None:
    """clang calls them `long long`, which is not a type of OpenCL C."""
    source = """
    kernel void k(float f, ulong u, global ulong *o) {
      o[0] = f > 18446744073709551615;
      o[1] = (18446744073709551615 >> 63);
      o[2] = u > 14695981039346656037;
      o[3] = u % 14695981039346656037;
      o[4] = (9223372036854775808 - 1) > 0;
      o[5] = 14695981039346656037 * u;
      o[6] = 100;
      o[6] /= 14695981039346656037;
      o[7] = 9223372036854775808 / (f > 0 ? 4 : 1);
      o[8] = -9223372036854775808;
      o[9] = (f > 0 ? 18446744073709551615 : (long)u) > 1;
    }
    """
    u, fnv = 2**64 - 5, 14695981039346656037
    out = np.zeros(10, np.uint64)
    polycl.load(source).kernel("k")(2000.0, u, out, global_size=1, device="interp")
    assert out.tolist() == [0, 1, 1, u % fnv, 1, fnv * u % 2**64, 0, 2**61, 2**63, 1]
