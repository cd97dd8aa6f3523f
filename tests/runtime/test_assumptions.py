"""Launches that an assumption refuses, and all forms of assumptions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.dialects.ocl.assumptions import AssumptionError, check_assumption, parse_assumption
from polycl.errors import ArgumentError, SourceError

PLAIN = "kernel void f(global int *x, int width, uint n) { x[get_global_id(0)] = width + n; }"
IN_SOURCE = '__attribute__((annotate("assume: width >= 64 and width % 8 = 0")))' + PLAIN
IN_MLIR = """
ocl.kernel @f(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %width: i32 {ocl.name = "width"})
    attributes {assume = ["width >= 64"]} {
  ocl.store %width, %x : !ocl.ptr<i32, global>
  ocl.return
}
"""


def launch(kernel: polycl.Kernel, width: int, n: int = 0, device: str = "interp", size: int = 4):
    x = np.zeros(size, np.int32)
    kernel(x, width, n, global_size=size, device=device)
    return x


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_an_attribute_of_the_source(device: str):
    kernel = polycl.load(IN_SOURCE).kernel("f")
    assert kernel.assumptions == ("width >= 64 and width % 8 = 0",)
    assert (launch(kernel, 64, device=device) == 64).all()
    with pytest.raises(ArgumentError) as refused:
        launch(kernel, 65, device=device)
    assert str(refused.value) == (
        "kernel 'f' assumes 'width >= 64 and width % 8 = 0', which does not hold for this launch: "
        "width = 65"
    )


def test_an_attribute_in_mlir():
    kernel = polycl.load(IN_MLIR).kernel("f")
    kernel(x := np.zeros(1, np.int32), 64, global_size=1, device="interp")
    assert x[0] == 64
    with pytest.raises(ArgumentError, match="width = 63"):
        kernel(x, 63, global_size=1, device="interp")


def test_from_python():
    kernel = polycl.load(PLAIN).kernel("f")
    assuming = kernel.assuming("width >= 64").assuming("global_size0 <= n")
    assert kernel.assumptions == ()
    assert assuming.assumptions == ("width >= 64", "global_size0 <= n")
    assert 'assume = ["width >= 64", "global_size0 <= n"]' in str(assuming.module)
    assert (launch(assuming, 64, 4) == 68).all()
    assert (launch(kernel, 63, 3) == 66).all()
    with pytest.raises(ArgumentError, match="width = 63"):
        launch(assuming, 63, 4)
    with pytest.raises(ArgumentError, match="global_size0 = 4, n = 3"):
        launch(assuming, 64, 3)


def test_repeated_and_bound_launches_are_checked_too():
    kernel = polycl.load(PLAIN).kernel("f").assuming("width >= 64")
    for _ in range(3):
        launch(kernel, 64, device="cpu")
    with pytest.raises(ArgumentError, match="width = 1"):
        launch(kernel, 1, device="cpu")
    with pytest.raises(ArgumentError, match="width = 1"):
        kernel.bind(np.zeros(4, np.int32), 1, 0, global_size=4)


def test_unsigned_arguments_are_not_negative():
    kernel = polycl.load(PLAIN).kernel("f").assuming("n >= 4000000000")
    assert (launch(kernel, 1, 2**32 - 1) == 0).all()
    signed = polycl.load(PLAIN).kernel("f").assuming("width < 0")
    assert (launch(signed, -5) == -5).all()


def test_very_large_arguments_cannot_be_assumed_anything_of():
    """The passes compute with signed 64-bit integers."""
    source = "kernel void f(global int *x, ulong n) { x[0] = n; }"
    kernel = polycl.load(source).kernel("f").assuming("n >= 4")
    kernel(np.zeros(1, np.int32), 2**63 - 1, global_size=1, device="interp")
    with pytest.raises(
        ArgumentError, match="'n' must be less than 2\\^63, got 9223372036854775808"
    ):
        kernel(np.zeros(1, np.int32), 2**63, global_size=1, device="interp")


def test_what_is_cached_belongs_to_its_assumptions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A pass may use them, so the object code for one set is not that for another."""
    monkeypatch.setenv("POLYCL_CACHE_DIR", str(tmp_path))
    contents = {
        polycl.load(PLAIN).kernel("f").assuming(*texts)._module.content()
        for texts in ((), ("width >= 64",), ("width >= 65",), ("width >= 64", "n >= 1"))
    }
    assert len(contents) == 4
    launch(polycl.load(IN_SOURCE).kernel("f"), 64, device="cpu")
    again = polycl.load(IN_SOURCE).kernel("f")
    with pytest.raises(ArgumentError, match="width = 65"):
        launch(again, 65, device="cpu")


def test_errors_have_a_caret():
    with pytest.raises(SourceError) as of_source:
        polycl.load(IN_SOURCE.replace("width >=", "wide >="))
    assert str(of_source.value) == (
        "<source>.cl:1:16: error: assumption: unknown integer argument 'wide'; "
        "did you mean 'width'?\n  wide >= 64 and width % 8 = 0\n  ^"
    )
    with pytest.raises(SourceError) as of_mlir:
        polycl.load(IN_MLIR.replace(">= 64", ">= "))
    assert str(of_mlir.value) == (
        "<source>.mlir:2:1: error: 'ocl.kernel': assumption: expected a number or an argument's "
        "name, got the end\n  width >= \n          ^"
    )
    with pytest.raises(ArgumentError) as of_call:
        polycl.load(PLAIN).kernel("f").assuming("n * width > 1")
    assert str(of_call.value) == (
        "kernel 'f': assumption: a product of two arguments is not affine\n  n * width > 1\n      ^"
    )


VALUES = [dict(n=n, m=m, local_size0=8) for n in (-9, -1, 0, 1, 2, 7, 8) for m in (-3, 0, 5)]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("n >= 2", lambda n, m, **_: n >= 2),
        ("0 <= m < n", lambda n, m, **_: 0 <= m < n),
        ("n = 2*m + 2 && n != m", lambda n, m, **_: n == 2 * m + 2 and n != m),
        ("n % 4 == 3", lambda n, m, **_: n % 4 == 3),
        ("2m - 3*(n - m) > -5", lambda n, m, **_: 2 * m - 3 * (n - m) > -5),
        ("-(n + 1) mod 3 <= 1", lambda n, m, **_: -(n + 1) % 3 <= 1),
        ("(-n) % 3 <= 1 and m > local_size0 - 9", lambda n, m, **_: -n % 3 <= 1 and m > -1),
        ("(2*n) % 8 = 0", lambda n, m, **_: 2 * n % 8 == 0),
        ("n - m - 1 <= 0", lambda n, m, **_: n - m - 1 <= 0),
    ],
)
def test_meaning(text: str, meaning):
    """For the launch, and for isl, which the passes ask."""
    from polycl.dialects.poly import SetAttr

    assumption = parse_assumption(text)
    found = SetAttr(assumption.isl_text({"local_size0": "L0"})).isl
    for values in VALUES:
        assert assumption.holds(values) == meaning(**values), values
        named = {{"local_size0": "L0"}.get(k, k): values[k] for k in assumption.names}
        point = " and ".join(f"{k} = {v}" for k, v in named.items())
        there = SetAttr(f"[{', '.join(named)}] -> {{ : {point} }}").isl
        assert there.is_subset(found) == meaning(**values), values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a number or an argument's name, got the end"),
        ("n >= 1 and", "expected a number or an argument's name, got the end"),
        ("n >= 1 n", "expected 'and' or the end, got 'n'"),
        ("(n >= 1", r"expected '\)', got '>='"),
        ("n % 0 = 0", "expected a positive number behind '%', got '0'"),
        ("n < 1.5", r"unexpected '\.'"),
        ("not n > 1", "expected a number or an argument's name, got 'not'"),
        ("k > 1", "unknown integer argument 'k'"),
    ],
)
def test_refusals(text: str, message: str):
    with pytest.raises(AssumptionError, match=message):
        check_assumption(text, ["n"])
