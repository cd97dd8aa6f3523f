"""`wg-scan-rows`: what a loop carries and stores is the same by vectors, for all sizes."""

from __future__ import annotations

import builtins
import math
from operator import add, mul
from typing import Any

import numpy as np
import pytest
from bench.lift_scans import as_parts

import polycl
import polycl.pattern as p
from polycl.pattern import Array, N, f32, f64, map, program, zip
from polycl.remarks import Remark, collect_remarks
from polycl.runtime.pattern.python_program import PythonProgram

SIZES = (0, 1, 2, 15, 16, 17, 97, 256)

FORMS = {
    "inclusive": "s = OP(s, x[i]); out[i] = s;",
    "exclusive": "out[i] = s; s = OP(s, x[i]);",
    "computed": "s = OP(x[i] * (TYPE)3 - (TYPE)i, s); out[i + 1] = s ^ x[i] ? s : (TYPE)5;",
    "two": "t = OP(t, x[i]); s = OP(s, t); out[i] = s; x[i] = t;",
    "shifted": "s = OP(s, x[i + 3]); out[i + 1] = s;",
    # These stay loops: an element that the loop has written, and what is carried twice.
    "written": "s = OP(s, x[i]); x[i + 3] = s; out[i] = s;",
    "twice": "s = OP(s, s ^ x[i]); out[i] = s;",
}
OPERATIONS = {
    "add": "((a) + (b))",
    "mul": "((a) * (b))",
    "and": "((a) & (b))",
    "or": "((a) | (b))",
    "xor": "((a) ^ (b))",
    "max": "max((TYPE)(a), (TYPE)(b))",
    "min": "min((TYPE)(a), (TYPE)(b))",
}
TYPES = {"int": np.int32, "uint": np.uint32, "ushort": np.uint16, "long": np.int64}
CASES = [
    *(("inclusive", "int", name) for name in OPERATIONS),
    *(("exclusive", "uint", name) for name in ("add", "max", "min")),
    *(("computed", "long", name) for name in ("mul", "min")),
    *(("two", "int", name) for name in ("xor", "max")),
    *(("shifted", "ushort", name) for name in ("max", "min")),
    *(("written", "int", name) for name in ("add", "max")),
    ("twice", "int", "add"),
]
KERNEL = """
kernel void scan(global TYPE *x, global TYPE *out, int n, TYPE s) {
  TYPE t = s;
  for (int i = 0; i < n; i++) { BODY }
  out[300] = s;
}
"""


@pytest.mark.parametrize(("form", "type", "name"), CASES, ids=str)
def test_integers_are_combined_in_any_order(form: str, type: str, name: str):
    head = f"#define TYPE {type}\n#define OP(a, b) {OPERATIONS[name]}"
    scan = polycl.load(head + KERNEL.replace("BODY", FORMS[form]), language="cl").kernel("scan")
    limits = np.iinfo(TYPES[type])
    rng = np.random.default_rng(1)
    x = rng.integers(limits.min, limits.max, 304, TYPES[type], endpoint=True)
    with collect_remarks() as remarks:
        for n in SIZES:
            results: list[Any] = []
            for device in ("cpu", "interp"):
                a, out = x.copy(), np.zeros_like(x)
                scan(a, out, n, TYPES[type](3), global_size=1, device=device)
                results.append([a, out])
            np.testing.assert_array_equal(*results)
    assert is_scanned(remarks) == (form not in ("written", "twice"))


def is_scanned(remarks: list[Remark]) -> bool:
    return any(remark.pass_name == "wg-scan-rows" for remark in remarks)


@program
def largest(x: Array[f32, N]):
    return p.scan(p.max, 0.0, x)


@program
def least(x: Array[f64, N]):
    return p.scan(p.min, math.nan, x), p.scan(p.min, math.inf, x, exclusive=True)


@program
def products(x: Array[f32, N]):
    return (
        p.scan(mul, 3.0)
        @ map(lambda e, i: e * f32(1 - i % 2 * 2))
        @ zip(x, p.generate(N, lambda i: i))
    )


@program
def sums(x: Array[f32, N]):
    """Of squares, and before each element; small integers."""
    squares = map(lambda e: e * e, x)
    return p.scan(add, 1.0, squares), p.scan(add, -0.0, x, exclusive=True)


@pytest.mark.parametrize("scan", [largest, least, products, sums])
def test_floats(scan: PythonProgram):
    rng = np.random.default_rng(2)
    dtype = np.float64 if scan is least else np.float32
    for n in (1, 2, 17, 97, 256):
        rows = [rng.choice([-2, -1, 1, 0.5], n)]
        if scan is not products:
            rows += [rng.choice([-2, -1, -0.0, 0.0, 1, 2], n)]
        if scan in (largest, least):
            rows += [rng.permutation(np.linspace(-9, 9, n)), rng.choice([-np.inf, -0.0, 1], n)]
            rows += [np.where(np.arange(n) == n // 2, sign * np.nan, rows[1]) for sign in (-1, 1)]
        with collect_remarks() as remarks:
            for row in rows:
                x = row.astype(dtype)
                found, expected = (as_parts(scan(x, device=device)) for device in ("cpu", "interp"))
                for part, right in builtins.zip(found, expected, strict=True):
                    np.testing.assert_array_equal(part, right)
                    signs, numbers = np.signbit(part) == np.signbit(right), ~np.isnan(right)
                    assert signs[numbers].all()
        assert is_scanned(remarks) == (n >= 16)
