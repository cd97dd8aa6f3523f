"""Assumptions of kernels as sets of parameters."""

from __future__ import annotations

import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.dialects.poly import AssumeOp
from polycl.dialects.poly.assumptions import assumptions_of
from polycl.dialects.wg import FuncOp
from polycl.errors import PolyclError

SOURCE = """__attribute__((annotate("assume: local_size0 <= width and vs >= 1")))
kernel void f(global int *x, int width, int vs) { x[0] = width + vs; }"""


def function_of(source: str, passes: str = "ocl-to-wg") -> FuncOp:
    module = polycl.load(source).module
    run_pipeline(module, passes)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return function


def texts(function: FuncOp, names: dict[str, str] | None = None) -> list[str]:
    return [found.data for found in assumptions_of(function, names)]


def test_sets():
    function = function_of(SOURCE)
    assert texts(function) == ["[L0, vs, width] -> { : vs > 0 and width >= L0 }"]
    assert texts(function, {"vs": "r"}) == ["[L0, r, width] -> { : r > 0 and width >= L0 }"]


def test_a_local_size_that_is_known():
    function = function_of(SOURCE, "ocl-set-local-size{size=64,1,1},ocl-to-wg")
    assert texts(function) == ["[vs, width] -> { : vs > 0 and width >= 64 }"]


def test_no_assumptions():
    assert texts(function_of(SOURCE.partition("\n")[2])) == []


def test_a_contradiction_has_a_place():
    source = SOURCE.replace("vs >= 1", "vs >= 1 and vs < 1")
    with pytest.raises(PolyclError, match=r"^<source>.cl:2:\d+: error: no launch satisfies"):
        assumptions_of(function_of(source))


EXTRACT = "ocl-set-local-size{size=64,1,1},ocl-to-wg,poly-extract{annotate=false}"
HEAD = "kernel void f(global int *out, int n, int k, uint m) { int x = get_global_id(0);"


def assumed(body: str, text: str) -> list[str]:
    """The `poly.assume` of a kernel."""
    function = function_of(f'__attribute__((annotate("assume: {text}"))) {HEAD} {body} }}', EXTRACT)
    return [op.set.data for op in function.walk() if isinstance(op, AssumeOp)]


def test_what_follows_for_the_parameters_of_a_region():
    """k is in no address and no condition, nor is the size of the launch."""
    body = "if (x < n) out[x] = k;"
    assert assumed(body, "n >= k and k > 9") == ["[n] -> { : n >= 10 }"]
    assert assumed(body, "n >= 1 and global_size0 <= k") == ["[n] -> { : n > 0 }"]
    assert assumed(body, "k >= 64") == []


def test_an_unsigned_argument_that_is_read_as_a_signed_one():
    """The signed one is another parameter, of which nothing is known."""
    assert assumed("if (x < (int)m) out[x] = k;", "m >= 3000000000") == []
    assert assumed("if (x < (int)m) out[x] = k; if ((uint)x < m) out[x] = 1;", "m >= 5") == [
        "[m_1] -> { : m_1 >= 5 }"
    ]
    body = "if ((uint)x < (uint)n) out[x] = k;"
    assert assumed(body, "n >= -5") == ["[n_1] -> { : n_1 >= -5 }"]
