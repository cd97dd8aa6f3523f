"""C++ for OpenCL (tests/kernels/cpp_classes.cl has what is supported), and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.errors import PolyclError

REFUSED = {
    "virtual functions": "struct A { virtual int f() { return 1; } };\nkernel void k() { A a; }",
    "destructors": (
        "struct A { int *a; ~A() { *a = 1; } };\n"
        "kernel void k(global int *o) { int i; { A a; a.a = &i; } o[0] = i; }"
    ),
    "several or virtual base classes": (
        "struct A { int a; };\nstruct B { int b; };\nstruct C : A, B {};\n"
        "kernel void k() { C c; c.a = 1; }"
    ),
    "needs its constructor": (
        "struct A { int a; A() : a(3) {} };\nstruct B { A a; };\n"
        "kernel void k() { B b; b.a.a = 1; }"
    ),
    "has a copy constructor": (
        "struct A { int a; A(int a) : a(a) {} A(const A &other) : a(other.a + 1) {} };\n"
        "struct B { A a; B() : a(1) {} };\n"
        "kernel void k(global int *o) { B b; B c = b; o[0] = c.a.a; }"
    ),
    "has a copy constructor or assignment": (
        "struct A { int a; A &operator=(const A &other) { a = other.a + 1; return *this; } };\n"
        "struct B { A a[2]; }; struct C : B {};\n"
        "kernel void k(global int *o) { C b, c; b.a[0].a = o[0]; c = b; o[0] = c.a[0].a; }"
    ),
    "an array whose elements have constructors": (
        "struct A { int a; A() : a(3) {} };\n"
        "kernel void k(global int *o) { A a[2]; o[0] = a[1].a; }"
    ),
    "captures more than variables": (
        "struct A { int a; int f() { auto g = [this]() { return a; }; return g(); } };\n"
        "kernel void k(global int *o) { A a; a.a = 1; o[0] = a.f(); }"
    ),
    "a list without all fields": (
        "struct A { int a; int b = 5; };\n"
        "kernel void k(global int *o) { A x[2] = {{1}, {2}}; o[0] = x[1].b; }"
    ),
    "recursion": (
        "template <int N> struct F { static int f(int n) { return n ? f(n - 1) : N; } };\n"
        "kernel void k(global int *o) { o[0] = F<3>::f(2); }"
    ),
    "static variables of a class": (
        "struct A { static constexpr int n[2] = {1, 2}; };\n"
        "kernel void k(global int *o) { o[0] = A::n[o[1]]; }"
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_is_refused_by_name(what: str) -> None:
    with pytest.raises(PolyclError) as caught:
        polycl.load(REFUSED[what], ["-cl-std=CLC++"], language="cl")
    assert what in str(caught.value)


PROGRAMS = {
    "default arguments": ("int f(int a, int b = 5) { return a + b; }", "f(2)", 7),
    "default values of fields": ("struct A { int a = 4; int b = 5; };", "A().b + A().a", 9),
    "arrays in classes": (
        "struct A { int a[2][2]; int b[2] = {3, 4}; A(int n) { a[1][0] = n; } };\n"
        "struct B : A { B() : A(5) {} };",
        "B().a[1][0] * 10 + B().b[1]",
        54,
    ),
    "lists": (
        "struct A { int a; int b; int sum() const { return a + b; } };\n"
        "int f(A a) { return a.sum(); }",
        "f({1, 2}) * 100 + f(A{3}) * 10 + A{4, 5}.sum()",
        339,
    ),
    "an empty class": (
        "struct Less { bool operator()(int a, int b) { return a < b; } };\n"
        "template <typename C> int f(C c) { return c(1, 2); }",
        "f(Less())",
        1,
    ),
    "a template's recursion": (
        "template <int N> struct F { static constexpr int value = N * F<N - 1>::value; };\n"
        "template <> struct F<0> { static constexpr int value = 1; };",
        "F<5>::value",
        120,
    ),
    "a function that returns a reference": (
        "int &first(int *p) { return p[0]; }\n"
        "int f() { int a[2] = {1, 2}; first(a) = 6; return a[0] + a[1]; }",
        "f()",
        8,
    ),
    "a reference in a class": (
        "struct R { int &r; R(int &r) : r(r) {} void add(int n) { r += n; } };\n"
        "int f() { int x = 1; R r(x); r.add(4); return x; }",
        "f()",
        5,
    ),
    "constructors that differ": (
        "struct A { int a; A() : a(1) {} A(int b) : a(b) {} A(const A &o) : a(o.a + 10) {} };\n"
        "int f() { A a, b(2), c = b; return a.a + b.a + c.a; }",
        "f()",
        15,
    ),
    "conversions": ("struct A { int a; operator int() const { return a * 2; } };", "A{4} + 1", 9),
    "enum class and using": (
        "enum class E { one = 1, two };\nusing number = int;",
        "static_cast<number>(E::two)",
        2,
    ),
    "a lambda without captures": ("auto twice = [](int n) { return n * 2; };\n", "1", 1),
    "values that clang computes": (
        "constexpr float half_of(int n) { return n / 2.0f; }\nconstexpr float x = half_of(5);\n"
        "constexpr int three() { return 3; }\nconst int n = three();",
        "x * 2 + n",
        8,
    ),
    "bits of a vector": ("", "reinterpret_cast<long>((int2)(3, 1)) >> 32", 1),
    "a class in a macro": (
        "#define CLASS(T) struct T { int a; T(int x) : a(x + 1) {}  \\\n"
        "  T(const T &o) : a(o.a * 2) {} };\n"
        "CLASS(A)\nint f() { A a(3), b = a; return a.a * 10 + b.a; }",
        "f()",
        48,
    ),
    "a constructor behind its class": (
        "struct A { int a; A(int x); int twice() const; };\nA::A(int x) : a(x + 1) {}\n"
        "int A::twice() const { return 2 * a; }",
        "A(3).twice()",
        8,
    ),
    "a constant reference to a value": ("int f(const int &n) { return n + 1; }", "f(3 + 4)", 8),
    "swizzles": ("float4 f(float4 v) { return v.wzyx; }", "f((float4)(1, 2, 3, 4)).x", 4),
    "variadic templates": (
        "int sum() { return 0; }\n"
        "template <typename... T> int sum(int a, T... rest) { return a + sum(rest...); }",
        "sum(1, 2, 3)",
        6,
    ),
    "conditions that are places": (
        "int f(bool c) { int x = 1, y = 2; int &r = c ? x : y; r = 5; (c ? y : x) += 10;\n"
        "  return x * 100 + y; }",
        "f(true) + f(false)",
        512 + 1105,
    ),
    "assignments that are places": (
        "void add(int &n) { n += 10; }\n"
        "int f() { int x = 1, y = 2; add(++x); add(y = 5); (x += 1) *= 2; return x * 100 + y; }",
        "f()",
        2615,
    ),
    "if constexpr": (
        "template <bool b> int f() { if constexpr (b) { return 1; } else { return 2; } }",
        "f<true>() * 10 + f<false>()",
        12,
    ),
    "type traits": (
        "template <typename T> struct Size { enum { value = sizeof(T) }; };",
        "Size<long>::value",
        8,
    ),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_programs(what: str) -> None:
    source, expression, expected = PROGRAMS[what]
    source += f"\nkernel void k(global int *out) {{ out[0] = {expression}; }}\n"
    kernel = polycl.load(source, ["-cl-std=CLC++"], language="cl").kernel("k")
    for device in ("interp", "cpu"):
        out = np.zeros(1, np.int32)
        kernel(out, global_size=1, device=device)
        assert out[0] == expected, device
