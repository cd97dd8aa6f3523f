"""Loops that end at a bound, as counted loops: as the interpreter runs them without."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.frontends.opencl_c import import_source

BEFORE = "inline-functions,split-structs,promote-private-memory"
COUNTED = f"{BEFORE},count-loops"

COUNTS = {
    "signed": "int i; for (i = x[1]; i < x[0]; i++) { a[i & 3] += i; } x[9] = i;",
    "unsigned": "uint i; for (i = x[1]; i < (uint)x[0]; i++) { a[i & 3] += i; } x[9] = i;",
    "long": "long i; for (i = x[1]; i < (long)x[0] * 2; i++) { a[i & 3] += i; } x[9] = i;",
    "carried": "int s = 1; for (int i = x[1]; i < x[0]; i++) a[i & 3] = s = s * 3 + i; x[9] = s;",
    "struct": "global S *p = (global S *)x; for (int i = 2; i < p->n; i++) a[i & 3] += i;",
    "nested": "for (int i = 0; i < x[2]; i++) for (int j = i; j < x[0]; j++) a[j & 3] ^= i * j;",
    "vector beside it": "int i = x[1]; while (vload2(0, x + 2), i < x[0]) a[i++ & 3] += i;",
    "exchanged": "int u = 7; for (int i = 0; i < x[0]; i++) { int v = u; u = a[1]; a[1] = v; }",
}
KEPT = {
    "its own bound": "for (int i = 0; i < x[0]; i++) { x[0] -= 1; a[i & 3] += i; }",
    "the bound of all": "for (int i = 0; i < x[i]; i++) a[i & 3] += i;",
    "volatile": "volatile global int *v = x; for (int i = 0; i < v[0]; i++) a[i & 3] += i;",
    "atomic": "for (int i = 0; i < x[0]; i++) { atomic_inc(x + 4); a[i & 3] += i; }",
    "two": "for (int i = 0; i < x[0]; i += 2) a[i & 3] += i;",
    "stores in its condition": "int i = 0; while (a[i & 3] += 1, i < x[0]) i++;",
    "volatile beside it": "volatile global int *v = x; int i = 0; while (v[1], i < x[0]) i++;",
    "inclusive": "for (int i = 0; i <= x[0]; i++) a[i & 3] += i;",
    "ulong": "for (ulong i = 0; i < (ulong)x[0]; i++) a[i & 3] += i;",
}


def text_of(loop: str) -> str:
    return f"""
    typedef struct {{ int m, n; }} S;
    kernel void k(global int *x) {{
      int a[4] = {{1, 2, 3, 4}};
      {loop}
      for (int i = 0; i < 4; i++) x[5 + i] = a[i];
    }}"""


def loops_after(loop: str, pipeline: str) -> int:
    module = import_source(text_of(loop).encode(), "k.cl")
    run_pipeline(module, pipeline)
    return sum(op.name == "scf.while" for op in module.walk())


def assert_the_same(loop: str, starts: Sequence[Sequence[int]], *pipelines: str) -> None:
    """What a loop computes from each start is the same after each of the pipelines."""
    kernel = polycl.load(text_of(loop), language="cl").kernel("k")
    for start in starts:
        results: list[list[int]] = []
        for pipeline in pipelines:
            x = np.zeros(10, np.int32)
            x[:3] = start
            kernel(x, global_size=1, device="interp", pipeline=pipeline)
            results.append(x.tolist())
        assert all(result == results[0] for result in results), start


@pytest.mark.parametrize("name", COUNTS)
def test_counted_loops_compute_the_same(name: str) -> None:
    starts = [[9, 2, 3], [-3, 2, 1], [5, 5, 0], [3, -2, 4]]
    if name == "unsigned":
        starts = [[abs(number) for number in start] for start in starts]
    assert loops_after(COUNTS[name], BEFORE) > loops_after(COUNTS[name], COUNTED) == 0
    assert_the_same(COUNTS[name], starts, BEFORE, COUNTED)


@pytest.mark.parametrize("name", KEPT)
def test_loops_whose_bound_may_change_stay(name: str) -> None:
    assert loops_after(KEPT[name], COUNTED) == 1


BODY = "a[i & 3] = a[i & 3] * 3 + i;"
SPELLINGS = {
    "step before": f"int k = m; while (k < n) {{ int i = k++; {BODY} }} x[9] = k;",
    "step in the middle": f"int i = m; while (i < n) {{ {BODY} i += 1; {BODY} }} x[9] = i;",
    "down": f"int i = n; while (i > m) {{ --i; {BODY} }} x[9] = i;",
    "down to it": f"int i = n; while (i >= m) {{ {BODY} --i; {BODY} }} x[9] = i;",
    "bound on the left": f"int k = n; while (m < k) {{ int i = --k; {BODY} }} x[9] = k;",
    "number left": f"uint k = u; int i = m; while (k) {{ {BODY} i++; k--; }} x[9] = i;",
    "number left, do": f"uint k = u + 1; int i = m; do {{ {BODY} i++; }} while (--k); x[9] = i;",
    "do": f"int k = m; do {{ int i = k++; {BODY} }} while (k < n); x[9] = k;",
    "do, old value": f"int k = m; do {{ int i = k; {BODY} }} while (k++ < n); x[9] = k;",
    "do, down": f"int i = n; do {{ i--; {BODY} }} while (i > m); x[9] = i;",
    "do, exact": f"int i = m; do {{ {BODY} }} while (++i != m + (int)u + 1); x[9] = i;",
    "break at the end": f"int i = m; while (true) {{ {BODY} i++; if (i >= n) break; }} x[9] = i;",
    "break where equal": f"int i = m; for (;;) {{ {BODY} if (++i == m + (int)u + 1) break; }}",
    "in steps of 3": f"int k = m; while (k <= n) {{ int i = k; k += 3; {BODY} }} x[9] = k;",
    "in steps of 3, down": f"int k = n; while (k > m) {{ int i = k; k -= 3; {BODY} }} x[9] = k;",
    "in pairs": f"int k = m; while (k + 1 < n) {{ int i = k; k += 2; {BODY} }} x[9] = k;",
    "in pairs, do": f"int k = m; do {{ int i = k; k += 2; {BODY} }} while (k < n); x[9] = k;",
    "unsigned to the end": f"uint k = ~(u & 3); while (k < ~0u) {{ int i = k++; {BODY} }}",
    "unsigned past the end": f"uint k = -1; do {{ int i = k; {BODY} }} while (++k < u); x[9] = k;",
    "signed to the end": f"int k = INT_MAX - 3; while (k < INT_MAX) {{ int i = k++; {BODY} }}",
    "ulong to the end": f"ulong k = -4; while (k < (ulong)-1) {{ int i = k++; {BODY} }} x[9] = k;",
    "ulong": f"ulong k = u; while (k > 0) {{ int i = --k; {BODY} }} x[9] = k;",
    "long": f"long k = n; while (k != n - (long)u) {{ int i = --k; {BODY} }} x[9] = k;",
    "pointers": f"global int *p = x, *e = x + u; while (p < e) {{ int i = *p++; {BODY} }}",
    "pointers, for": f"for (global int *p = x, *e = p + u; p != e; p++) {{ int i = *p; {BODY} }}",
    "pointers, down": f"global int *p = x + u; while (p > x) {{ int i = *--p; {BODY} }}",
    "pointers, do": f"global int *p = x + u; do {{ int i = *p--; {BODY} }} while (p >= x);",
    "pointers, by 2": f"global int *p = x; while (p < x + u) {{ int i = *p; p += 2; {BODY} }}",
    "pointers, parts": (
        f"global int *p = x + (n & 1), *e = p + u;"
        f" while (p < e) {{ int i = *p++; {BODY} }} x[9] = *p;"
    ),
    "pointers, chosen": (
        f"global int *p = x + 1, *e = n > 3 ? x + 4 : p;"
        f" while (p != e) {{ int i = *p++; {BODY} }} x[9] = p - x;"
    ),
    "two tests": (
        f"int k = 0; for (; k < 6 && m + k < n; k++) {{ int i = m + k; {BODY} }} x[9] = k;"
    ),
    "two bounds": f"int i = m; while (i < n && i != m + (int)u) {{ {BODY} i++; }} x[9] = i;",
    "break first": (
        f"int k = 0; for (; k < 6; k++) {{ int i = m + k; if (i >= n) break; {BODY} }} x[9] = k;"
    ),
    "break first, sum": (
        f"int s = 1; for (int k = 4; k > 0; k--) {{ if (n + k <= m + 4) break;"
        f" int i = s; {BODY} s = s * 5 + a[k & 3]; }} x[9] = s;"
    ),
    "break first, down": f"for (int k = 9; k; k--) {{ if (n + k <= 6) break; int i = k; {BODY} }}",
    "break first, in threes": (
        f"for (int k = 0; k < 8; k++) {{ int i = m + 3 * k; if (!(i < n)) break; {BODY} }}"
    ),
    "break first, past the end": (
        f"int b = INT_MAX - (int)(u & 3);"
        f" for (int k = 0; k < 8; k++) {{ int i = b + k; if (i >= INT_MAX) break; {BODY} }}"
    ),
    "break first, unsigned": (
        f"uint b = u - 2; for (uint k = 0; k < 9; k++) {{"
        f" uint i = b + k; if (i >= 5) break; {BODY} }}"
    ),
    "break first, unsigned to the end": (
        f"for (uint k = 0; k < 9; k++) {{ uint i = k - 4 - u; if (i >= -2) break; {BODY} }}"
    ),
    "break first, size_t": (
        f"for (uint k = 0; k < 9; k++) {{ size_t i = m + (size_t)k; if (i >= n) break; {BODY} }}"
    ),
    "break first, pointers": (
        f"global int *p = x, *e = x + u; for (int k = 0; k < 4; k++, p++) {{"
        f" if (p >= e) break; int i = k; {BODY} }}"
    ),
    "pointers, wide": (
        f"private int3 v[4]; for (int k = 0; k < 4; k++) v[k] = k + n; private int3 *p = v;"
        f" while (p < v + (u & 3)) {{ int i = p->y; ++p; {BODY} }}"
    ),
}
UNCOUNTED = {
    "another break": "int i = 0; for (;;) { if (a[i & 3] == 5) break; i++; if (i >= n) break; }",
    "another step": "int i = 0; while (i < n) { if (a[i & 3] & 1) i++; i++; }",
    "a product": "int i = 1; while (i < n) { int k = i; i *= 2; a[k & 3] += k; }",
    "a moving bound": "int k = n, i = 0; while (i < k) { a[i & 3] += k; ++i; k -= a[0] & 1; }",
    "away": "uint i = u; while (i > 3) { a[i & 3] += i; ++i; if (i == 9) i = 0; }",
    "unsigned steps of 2": "uint i = u; while (i > 1) { a[i & 3] += i; i -= 2; }",
    "break after a store": "for (int k = 0; k < 6; k++) { a[k & 3] += 5; if (m + k >= n) break; }",
    "break, and a flag": "int f = 0; for (int k = 0; k < 6; k++) if (m + k >= n) { f = 1; break; }"
    " else a[k & 3] += k; x[9] = f;",
    "break by data": "for (int k = 0; k < 6; k++) { if (a[k & 3] >= n) break; a[k & 3] += k; }",
    "break, unsigned down": "for (int k = 0; k < 6; k++) { if (u - k >= 5) break; a[k & 3] += k; }",
    "two breaks": "for (int k = 0; k < 7; k++) { if (k >= (int)u) break; if (m + k > n) break;"
    " a[k & 3] += k; }",
    "break, a product": "for (int k = 0; k < 6; k++) { if (k * k >= n) break; a[k & 3] += k; }",
    "break, a narrow sum": (
        "for (int k = 0; k < 6; k++) { if ((uchar)(u + 250 + k) >= 255) break; a[k & 3] += k; }"
    ),
    "all unsigned numbers": (
        "uint e = -1 - (u >> 8), i = e - 2;"
        " for (int k = 0; k < 6 && i <= e; k++, i++) a[k & 3] += i;"
    ),
    "break, all unsigned numbers": (
        "for (uint k = 0; k < 6; k++) { if (u - k < u >> 8) break; a[k & 3] += k; }"
    ),
    "a pointer that moves away": (
        "global int *p = x + u;"
        " for (int k = 0; k < 6 && p != x; k++, p++) a[k & 3] += p - x; x[9] = p - x;"
    ),
    "a narrow number": "uchar i = 250 + u; while (i != 3) { a[i & 3] += i; i++; }",
}


@pytest.mark.parametrize("name", [*SPELLINGS, *UNCOUNTED])
def test_spellings_compute_the_same(name: str) -> None:
    loop = (SPELLINGS | UNCOUNTED)[name]
    loop = f"const int n = x[0], m = x[1]; const uint u = x[2]; {loop}"
    assert loops_after(loop, COUNTED) == (0 if name in SPELLINGS else 1)
    starts = [[7, 2, 3], [-3, 2, 0], [5, 5, 1], [3, -2, 4]]
    assert_the_same(loop, starts, BEFORE, COUNTED, f"{COUNTED},index-by-counter")


SUMS = {
    "for": "for (int i = 0; i < n; i++) s += x[n * g + i];",
    "while": "int i = 0; while (i < n) { s += x[n * g + i]; i++; }",
    "step before": "int k = 0; while (k < n) { int i = k++; s += x[n * g + i]; }",
    "break": "int i = 0; while (true) { if (i >= n) break; s += x[n * g + i]; i++; }",
    "pointers": "global float *p = x + n * g, *e = p + n; while (p < e) s += *p++;",
    "pointers, for": "for (global float *p = x + n * g, *e = p + n; p != e; ++p) s += *p;",
    "number left": "global float *p = x + n * g; int k = n; while (k) { s += *p++; k--; }",
}
"""Sums of a row."""


@pytest.mark.parametrize("name", SUMS)
def test_rows_are_read_alike(name: str) -> None:
    """Each spelling has one counted loop with one load of an address that goes on with it."""
    text = f"""
    kernel void k(global float *x, global float *y, int n) {{
      int g = get_global_id(0);
      float s = 0;
      {SUMS[name]}
      y[g] = s;
    }}"""
    module = import_source(text.encode(), "k.cl")
    run_pipeline(module, f"{COUNTED},index-by-counter,ocl-set-local-size{{size=64}},ocl-to-wg")
    [loop] = [op for op in module.walk() if op.name in ("scf.for", "scf.while")]
    assert loop.name == "scf.for"
    assert len(loop.results) == 1
    assert sum(op.name == "ocl.load" for op in loop.walk()) == 1


ENDS = {
    "an id added twice": """size_t g = get_global_id(0), w = get_global_size(0);
      global const int *row = x + g; row += w; global const int *end = row + w;
      for (; row != end; row++) s += *row;""",
    "as far as the start": """int g = get_global_id(0);
      global const int *p = x + g, *end = p + g; while (p < end) s = s * 3 + *p++;""",
    "an end in an element": """global T *p = (global T *)x, *end = (global T *)(x + 7);
      while (p < end) { s += p->a[1]; ++p; }""",
    "down to the middle of one": """global T *p = (global T *)(x + 7), *end = (global T *)(x + 9);
      while (p >= end) { s += p->a[1]; --p; }""",
    "an address in an element": """global const int *p = x;
      ulong end = (ulong)((global const char *)x + 6); while ((ulong)p < end) s += *p++ + 1;""",
    "numbers far from each other": """long k = (long)x[0] << 63, end = LONG_MAX - x[2];
      k += (long)x[1] << 63; while (k > end) { --k; s++; }""",
    "a number that goes past the largest": """uint k = x[0]; int n = x[1] * 0x60000001;
      while ((int)k < n) { s++; k += 0x30000000u; }""",
    "an id, and the largest number": """size_t k = get_global_id(0);
      while (k < (size_t)-1 && k < 9) s = s * 3 + x[k++];""",
    "an unsigned number that does": """uint k = get_global_id(0), n = x[1] * 0xf0000000u;
      while (k < n) { s++; k += 0x70000000u; }""",
}


@pytest.mark.parametrize("name", ENDS)
def test_how_loops_end(name: str) -> None:
    """The interpreter runs `while` loops as they are."""
    text = f"""
    typedef struct {{ int a[3]; }} T;
    kernel void k(global int *x, global int *out) {{
      int s = 0;
      {ENDS[name]}
      out[get_global_id(0)] = s;
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    found: list[list[int]] = []
    for device in ("interp", "cpu"):
        out = np.zeros(16, np.int32)
        kernel(np.arange(64, dtype=np.int32), out, global_size=16, local_size=8, device=device)
        found.append(out.tolist())
    assert found[0] == found[1]


def test_a_negative_step_of_an_unsigned_counter() -> None:
    text = """
    kernel void k(global int *x, global int *out) {
      int s = 0;
      for (uint k = get_global_id(0); k < 20; k += -1) s += x[k];
      out[get_global_id(0)] = s;
    }"""
    kernel = polycl.load(text, language="cl").kernel("k")
    for device in ("interp", "cpu"):
        out = np.zeros(16, np.int32)
        kernel(np.arange(64, dtype=np.int32), out, global_size=16, local_size=8, device=device)
        assert out.tolist() == np.arange(16).cumsum().tolist()


FAR = {
    "down": "for (long j = b[g]; j > a[g]; j--) s++;",
    "down to it": "for (long j = b[g]; j >= a[g]; j--) s++; s -= b[g] >= a[g];",
    "down by 3": "for (long j = b[g]; j > a[g]; j -= 3) s += 3;",
    "down, number": "for (long j = b[g]; j > -3; j--) s++; s = b[g] > -3 ? 3 : s;",
    "up": "long j = a[g]; while (j < b[g]) { s++; j++; }",
    "break": "for (long j = b[g];; s++) { if (j <= a[g]) break; j--; }",
}


@pytest.mark.parametrize("device", ["interp", "cpu"])
@pytest.mark.parametrize("loop", FAR.values(), ids=FAR)
def test_ends_that_are_too_far_from_each_other(loop: str, device: str) -> None:
    """Their difference wraps around, where the loop does not run."""
    a = np.array([5, 2 - 2**63, 0, 2**63 - 2], np.int64)
    b = np.array([-(2**63), 5 - 2**63, 3, 4 - 2**63], np.int64)
    text = f"""kernel void k(global const long *a, global const long *b, global long *o) {{
      long g = get_global_id(0), s = 0; {loop} o[g] = s; }}"""
    counts = np.full(4, -1, np.int64)
    polycl.load(text, language="cl").kernel("k")(a, b, counts, global_size=4, device=device)
    expected = [0, 0, 3, 0] if "-3;" in loop else [0, 3, 3, 0]
    assert list(counts) == expected


FOUR = {
    "break": "int i = 4 * g; for (int k = 0; k < 4; k++) { int j = i + k; if (j >= n) break; %s }",
    "test": "int i = 4 * g; for (int k = 0; k < 4 && i + k < n; k++) { int j = i + k; %s }",
    "a bound of its own": "int i = 4 * g; for (int k = 0; k < 4 && k < x[g] && i + k < n; k++) {"
    " int j = i + k; %s }",
    "return": "for (int k = 0; k < 4; k++) { int j = get_global_id(0) * 4 + k;"
    " if (j >= n) return; %s }",
    "from the id": "int i = 4 * g; for (int j = i; j != i + 4; ++j) { if (j >= n) break; %s }",
    "size_t": "size_t i = get_global_id(0) * 4; for (uint k = 0; k < 4; ++k) {"
    " size_t j = i + k; if (j >= n) break; %s }",
    "down": "int i = 4 * g + 3; for (int k = 0; k < 4; k++) {"
    " int j = i - k; if (j < n / 7) break; %s }",
    "do": "int k = 0, j = 4 * g; if (j < n) do { %s j++; k++; } while (k < 4 && j < n);",
    "do, at least once": "int k = 0, j = 4 * g; do { %s j++; k++; } while (k < 4 && j < n);",
    "a sum that wraps": "uint j = 4 * g - 1; for (int k = 0; k < 4 && j + 1 < n; k++) { j++; %s }",
    "carried beside it": "int i = 4 * g; float f = 2; int h = n; for (int k = 0; k < 4; k++) {"
    " if (i + k >= n) break; int j = i + k; f = f == 3 ? 2 : f; h ^= 0; %s } s += (int)f + h;",
    "pairs": "int i = 8 * g; for (int k = 0; k < 4; k++) {"
    " int j = i + 2 * k; if (j + 1 >= n) break; %s }",
    "chosen": "for (int k = 0; k < 4; k++) { int j = 4 * g + k - 3;"
    " if (j < 0) break; if (j >= n) break; %s }",
}
"""Four elements of each work-item, of which there may be fewer."""


@pytest.mark.parametrize("loop", FOUR.values(), ids=FOUR)
def test_four_elements_of_each_work_item(loop: str) -> None:
    text = f"""
    kernel void k(global const int *x, global int *y, int n) {{
      int g = get_global_id(0), s = 0;
      {loop % "y[j] = x[j] * 3 + g;"}
    }}
    kernel void sum(global const int *x, global int *y, int n) {{
      int g = get_global_id(0), s = 1;
      {loop.replace("return", "break") % "s = s * 3 + x[j];"}
      y[g] = s;
    }}"""
    program, size = polycl.load(text, language="cl"), 101
    x = np.random.default_rng(1).integers(-9, 9, 4096).astype(np.int32)
    for name in ("k", "sum"):
        for n in (0, 1, 4 * size - 5, 4 * size, 9 * size):
            found: list[list[int]] = []
            for device in ("interp", "cpu"):
                y = np.full(4096, -1, np.int32)
                program.kernel(name)(x, y, n, global_size=size, device=device)
                found.append(y.tolist())
            assert all(each == found[0] for each in found), (name, n)


STRIDES = {
    "pointers": "global const int *p = x + g, *e = x + n; for (; p < e; p += s) y[p - x] = *p * 3;",
    "two pointers": "global const int *p = x + g; global int *q = y + g;"
    " while (p <= x + n - 1) { *q = *p * 3; p += s; q += s; }",
    "pointers, down": "global const int *p = x + n - 1 - g;"
    " for (; p >= x; p -= s) y[p - x] = *p * 3;",
    "down": "for (int i = n - 1 - g; i >= 0; i -= s) y[i] = x[i] * 3;",
    "down, while": "long i = n - 1 - g;"
    " while (i > -1) { y[i] = x[i] * 3; i -= get_global_size(0); }",
    "down, size_t": "for (int i = n - 1 - (int)get_global_id(0); i >= 0;"
    " i -= (int)(get_num_groups(0) * get_local_size(0))) y[i] = x[i] * 3;",
    "sums": "int t = 1; for (int i = n - 1 - g; i >= 0; i -= s) t = t * 3 + x[i]; y[g] = t;",
    "sums, pointers": "int t = 1; global const int *p = x + g;"
    " for (; p < x + n; p += s) t = t * 3 + *p; y[g] = t;",
}
"""Loops in steps of the launch."""


@pytest.mark.parametrize("loop", STRIDES.values(), ids=STRIDES)
def test_steps_of_the_launch(loop: str) -> None:
    text = f"""
    kernel void k(global const int *x, global int *y, int n) {{
      int g = get_global_id(0), s = get_global_size(0);
      {loop}
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    x = np.random.default_rng(1).integers(-9, 9, 1024).astype(np.int32)
    for n in (0, 1, 63, 200, 1000):
        found: list[list[int]] = []
        for device in ("interp", "cpu"):
            y = np.full(1024, -1, np.int32)
            kernel(x, y, n, global_size=96, local_size=32, device=device)
            found.append(y.tolist())
        assert found[0] == found[1], n


ARGUMENTS = {
    "int": "for (int k = g; k < n; k += by) { S }",
    "uint": "for (uint k = g; k < (uint)n; k += by) { S }",
    "size_t": "for (size_t k = get_global_id(0); k < n; k += by) { S }",
    "size_t of a row": "size_t k = get_global_id(0) * 4, e = k + 4;"
    " for (; k <= e; k += (uint)by) { S }",
    "long": "for (long k = get_global_id(0); k <= n; k = by + k) { S }",
    "ulong": "ulong k = g; while (k < (ulong)n) { k += (uint)by; S }",
    "down": "for (int k = n - g; k > 3; k -= by) { S }",
    "down, uint": "for (uint k = n; k > (uint)g + 50; k -= by) { S }",
    "down, long": "for (long k = n - g; k >= 0; k -= by) { S }",
    "pointers": "for (global const int *p = x + g; p < x + n; p += by) { int k = *p; S }",
    "pointers, down": "for (global const int *p = x + n - g; p >= x; p -= by) { int k = *p; S }",
    "two pointers": "global const int *p = x + g, *q = p;"
    " for (; p <= x + n; p += by, q += 2 * by) { int k = *p; S s += q - x; }",
    "its end": "int k = g; while (k < n) { S k += by; } s += k;",
    "wraps": "int k = g - n; while (k < 0) k += by; while (k >= n) k -= by; { S }",
    "twice": "for (int k = g; k < n; k += by) for (int j = k; j < n; j += by * 3) { S s += j; }",
}
"""Loops in steps of an argument."""

AROUND = {
    "int": [(2**31 - 50, 2**31 - 50)],
    "uint": [(90, -7), (-100, -100), (2**31 - 1, 2**30)],
    "size_t": [(90, -7), (2**31 - 1, 2**30)],
    "long": [(2**31 - 1, 2**30), (-5, 9)],
}
"""Launches in which steps are negative, or go past the largest number."""


@pytest.mark.parametrize("name", ARGUMENTS)
def test_steps_of_an_argument(name: str) -> None:
    body = "s = s * 3 + (int)k + x[k & 255];"
    text = f"""
    kernel void k(global const int *x, global int *y, int n, int by) {{
      int g = get_global_id(0), s = 1;
      {ARGUMENTS[name].replace("S ", body)}
      y[g] = s;
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    x = np.arange(1024, dtype=np.int32)
    for n, by in [(0, 1), (1, 7), (40, 3), (150, 40), *AROUND.get(name, [])]:
        found: list[list[int]] = []
        for device in ("interp", "cpu"):
            y = np.full(36, -1, np.int32)
            kernel(x, y, n, by, global_size=36, local_size=18, device=device)
            found.append(y.tolist())
        assert found[0] == found[1], (n, by)
