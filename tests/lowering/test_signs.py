"""Unsigned sums that wrap, and become signed elsewhere: passes compute signed ones in more bits."""

from __future__ import annotations

import re

import numpy as np
import pytest

import polycl

TEXT = """
typedef struct { U a, b; } S;
typedef union { U u; I i; } Both;
U sum(U a, U b) { return a + b; }
I same(I a) { return a; }
S pair(U a, U b) { S e = {a, a + b}; return e; }
void put(I *p, U v) { *p = v; }
void write(U *p, U v) { *p = v; }
"""
FORMS = {
    "sum": "I hi = s + n;",
    "result": "I hi = sum(s, n);",
    "argument": "I hi = same(s + n);",
    "field": "S e = pair(s, n); I hi = e.b;",
    "element": "U e[2]; e[0] = s; e[1] = s + n; I hi = e[1];",
    "loop's element": "U e[4]; for (int k = 0; k < 4; k++) e[k] = s + n * (k == 1); I hi = e[1];",
    "component": "U2 e = (U2)(s, s) + (U2)(0, n); I hi = e.y;",
    "vector": "U2 e = (U2)(s, s) + (U2)(0, n); I2 f = as_I2(e); I hi = f.y;",
    "converted": "U2 e = (U2)(s, s) + (U2)(0, n); I hi = convert_I2(e).y;",
    "loop": "U v = s; for (U k = 0; k < n; k++) v++; I hi = v;",
    "branch": "U v = s; if (n > 3) v += n; else v -= 1; I hi = v;",
    "pointer": "I hi; put(&hi, s + n);",
    "what folds": "U v = (s + n) | 0; I hi = v;",
    "union": "Both e; e.u = s + n; I hi = e.i;",
    "read": "U v = s + n; I hi = *(I *)&v;",
    "written": "I hi; write((U *)&hi, s + n);",
    "array": "U e[2] = {s, s + n}; I *p = (I *)e; I hi = p[1];",
    "pair": "U e[2] = {s, s + n}; I hi = vload2(0, (I *)e).y;",
    "anything": "U v = s + n; void *p = &v; I hi = *(I *)p;",
    "global memory": "out[g + 16] = s + n; I hi = out[g + 16];",
    "local memory": "local U e[16]; e[g] = s + n; I hi = e[g];",
}
USES = """
  I c = 0, i = s;
  for (I k = s; k < hi; k++) c += 3;
  while (i < hi) { c += 100; i++; }
  out[g] = c + (hi < (I)s + 5) * 1000 + (I)((long)hi / 7);
"""


# Pointers without an address space are generic in the later one.
@pytest.mark.parametrize(
    ("unsigned", "signed", "standard"), [("uint", "int", "CL1.2"), ("ulong", "long", "CL3.0")]
)
@pytest.mark.parametrize("form", FORMS)
def test_an_unsigned_sum_wraps(form: str, unsigned: str, signed: str, standard: str) -> None:
    body = f"size_t g = get_global_id(0); {FORMS[form]} {USES}"
    text = f"{TEXT} kernel void k(U s, U n, global I *out) {{ {body} }}"
    text = re.sub(r"\bU(2?)\b", rf"{unsigned}\1", text)
    text = re.sub(r"\b(as_|convert_|)I(2?)\b", rf"\1{signed}\2", text)
    kernel = polycl.load(text, options=[f"-cl-std={standard}"], language="cl").kernel("k")
    dtype = np.dtype(np.int32 if signed == "int" else np.int64)
    for start in (10, np.iinfo(dtype).max - 4):
        found: list[list[int]] = []
        for device in ("interp", "cpu"):
            out = np.zeros(32, dtype)
            kernel(int(start), 8, out, global_size=16, local_size=16, device=device)
            found.append(out.tolist())
        assert found[0] == found[1], start
