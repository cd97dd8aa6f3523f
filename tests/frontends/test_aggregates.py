"""Structs, unions, arrays and their initial values in all forms, on the interpreter and the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

CASES = {
    # A scalar initialises a whole vector, and the fields of the next struct follow.
    """typedef struct { float4 a; int b; float2 c[2]; } s_t;
    s_t s = {1.0f, 2, {3.0f, 4.0f}}, t = {.a = 2.0f}, z = {0};
    o[0] = s.a.x + s.b; o[1] = s.c[1].y; o[2] = t.a.w; o[3] = z.a.x;""": [3, 4, 2, 0],
    """typedef struct {} none_t; typedef struct { int a; none_t e; int b; } t_t;
    none_t e; t_t t = {1, {}, 3}; none_t f = e; t_t u = t;
    o[0] = sizeof(none_t) + sizeof(t_t); o[1] = u.b;""": [8, 3],
    """typedef struct { int a; float b[3]; } s_t;
    typedef struct { s_t s[2]; union { int i; float f; } u; } t_t;
    t_t t = {.s[1].b[2] = 7, .u.f = 2}; t_t u = t;
    s_t *p = &(s_t){.b = {[1] = 5}}; int *q = (int[]){1, 2, n};
    o[0] = t.s[1].b[2] + u.u.f; o[1] = p->b[1] + q[2]; o[2] = (int[2]){5, 6}[1];
    for (int i = 0; i < 3; i++) { int *r = &(int){i}; *r += 1; o[3] += *r; }
    t.s[0] = (s_t){t.s[1].b[2], {1, 2, 3}}; o[6] = t.s[0].a + t.s[0].b[2];""": [
        *(9, 5 + 7, 6, 6, 0, 0, 10)
    ],
    """int m[2][3] = {[1] = {[2] = 5}, [0][1] = 4}, r[] = {[5] = 1}, s[4] = {[0 ... 2] = 7};
    o[0] = m[1][2] + m[0][1]; o[1] = sizeof(r); o[2] = s[2] + s[3];""": [9, 24, 7],
    """typedef struct { union { struct { int x, y; }; int v[2]; long l; }; enum { A, B = 5, C } e; }
      s_t;
    s_t s; s.x = 1; s.y = 2; s.e = C; s_t t = {.x = 3, .y = 4}, u = {{.l = 5}};
    o[0] = s.v[1]; o[1] = s.e; o[2] = t.v[0] + t.v[1]; o[3] = u.x;""": [2, 6, 7, 5],
    """typedef union { float4 f4; float f[4]; uint u[4]; struct { short a, b; } s; char c[16]; }
      u_t;
    u_t w = {.u = {1, 2, 3, 4}}, z = {{1, 2, 3, 4}}; u_t y = z;
    o[0] = w.u[3]; o[1] = y.f4.y; o[2] = y.f[2]; o[3] = w.s.a + w.c[4];""": [4, 2, 3, 3],
    """typedef struct __attribute__((packed)) { char a; int b; } p_t;
    typedef struct { char a; int b; } __attribute__((packed, aligned(8))) q_t;
    typedef struct { char a __attribute__((aligned(16))); int b; } r_t;
    p_t p = {1, 2}; q_t q = {1, n}; r_t r; r.b = 3;
    o[0] = sizeof(p_t); o[1] = sizeof(q_t); o[2] = sizeof(r_t); o[3] = p.b + q.b + r.b;""": [
        *(5, 8, 16, 12)
    ],
}


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("body", CASES)
def test_initial_values(body: str, device: str) -> None:
    check(f"kernel void k(global int *o, int n) {{ {body} }}", CASES[body], device)


def check(source: str, expected: list[int], device: str) -> None:
    out = np.zeros(8, np.int32)
    kernel = polycl.load(source, language="cl", options=["-cl-std=CL3.0"]).kernel("k")
    kernel(out, 7, global_size=1, local_size=1, device=device)
    assert out[: len(expected)].tolist() == expected


PROGRAMS = {
    # Arrays inside of values that are passed and returned.
    """typedef struct { struct { int q[2]; float4 v; } in[2]; } s_t;
    typedef struct { s_t s[2]; } b_t;
    b_t next(b_t b) { b.s[1].in[0].q[1]++; return b; }
    int sum(int a[4], int m[2][3], int (*p)[3]) { return a[0] + m[1][2] + p[1][1]; }
    kernel void k(global int *o, int n) {
      b_t b; b.s[1].in[0].q[1] = n; b = next(b); b_t c[2]; c[1] = b;
      int a[4] = {1}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
      o[0] = next(next(c[1])).s[1].in[0].q[1]; o[1] = sum(a, m, m); o[2] = next(b).s[1].in->q[1];
    }""": [10, 12, 9],
    """typedef struct { int n; short data[]; } f_t; typedef struct { char c; int none[0]; } g_t;
    kernel void k(global int *o, int n) {
      o[0] = 2; o[1] = 3 | 4 << 16; global f_t *f = (global f_t *)o;
      for (int i = 0; i < f->n; i++) o[2] += f->data[i];
      f->data[6] = sizeof(f_t) + sizeof(g_t); o[5] = &f->data[2] == (global short *)(o + 2);
    }""": [2, 3 | 4 << 16, 7, 0, 8, 1],
    """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global int *o, int n) {
      half h = n; o[0] = 1.0f16 / (h / 14); o[1] = (half)(1.5h + h) * 2; o[2] = sizeof(1.0f16);
    }""": [2, 17, 2],
}


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("source", PROGRAMS)
def test_programs(source: str, device: str) -> None:
    check(source, PROGRAMS[source], device)
