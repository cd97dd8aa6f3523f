"""Scans, scatters, filters, sorts and iterations against numpy, on the interpreter and the CPU.

`test_pattern_to_ocl.py` runs the same programs with the race detector.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.errors import LaunchError, PolyclError
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.runtime.pattern.functions import Function
from polycl.runtime.pattern.pattern_program import LoweredFunction

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples/pattern"
FUNCTIONS: dict[str, Function] = {
    name: function
    for file in ("scans", "scatters", "permutations")
    for name, function in polycl.load(HERE / f"programs/{file}.mlir").functions.items()
}

LENGTHS = (0, 1, 2, 7, 64, 131)

devices = pytest.mark.parametrize("device", ["interp", "cpu"])
lengths = pytest.mark.parametrize("n", LENGTHS)


def integers(*shape: int, low: int = -100, high: int = 100) -> NDArray[np.int32]:
    return np.random.default_rng(sum(shape)).integers(low, high, shape).astype(np.int32)


def run(name: str, *args: Any, device: str) -> Any:
    return FUNCTIONS[name](*args, device=device)


@lengths
@devices
def test_scans_are_running_sums(n: int, device: str):
    x = integers(n).astype(np.float32)
    assert (run("inclusive", x, device=device) == np.cumsum(x)).all()
    for m in (1, 5):
        y = integers(m, n)
        sums = np.cumsum(y, axis=1, dtype=np.int32)
        assert (run("exclusive", y, 7, device=device) == sums - y + 7).all()
        if n:
            z, down = y[-1].copy(), np.cumsum(y, axis=0, dtype=np.int32)
            inclusive, exclusive = run("scan_of_rows", y, z, device=device)
            assert (inclusive == down + z).all()
            assert (exclusive == down - y + z).all()


@devices
def test_a_scan_combines_from_left_to_right(device: str):
    """The composition of affine functions is associative, not commutative."""
    a, b = integers(50, low=1, high=4), integers(50, low=-3, high=3)
    slope, constant = np.int32(1), np.int32(0)
    slopes, constants = run("scan_of_pairs", a, b, device=device)
    with np.errstate(over="ignore"):
        for i in range(50):
            slope, constant = slope * a[i], constant * a[i] + b[i]
            assert (slopes[i], constants[i]) == (slope, constant)


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 256])
def test_the_script_of_the_scan_is_right_for_any_size(n: int):
    scan = polycl.load(EXAMPLES / "scan.mlir").function("scan")
    derived = scan.derived(EXAMPLES / "scan.any.deriv", block=64, rows=2, lanes=8)
    x = integers(n, low=-8, high=8).astype(np.float32)
    assert (derived(x, device="cpu") == np.cumsum(x)).all()


@lengths
@devices
def test_scatters_combine_in_order(n: int, device: str):
    x, ids = integers(2 * n), integers(2 * n, low=0, high=32)
    start = integers(32)
    sums, last = start.copy(), start.copy()
    np.add.at(sums, ids, x)
    for i, value in zip(ids, x, strict=True):
        last[i] = value
    assert (run("by_key", x, ids, start, device=device) == sums).all()
    assert (run("last", x, ids.astype(np.int64), start, device=device) == last).all()
    counts = np.bincount(ids, minlength=256)
    assert (run("histogram", ids, device=device) == counts).all()
    rows, row_ids, row_start = integers(n, 3), ids[:n], integers(32, 3)
    row_sums, turned = row_start.copy(), row_start.copy()
    np.add.at(row_sums, row_ids, rows)
    for i, row in zip(row_ids, rows, strict=True):
        turned[i] = np.roll(turned[i], 1) + row
    assert (run("rows_by_key", rows, row_ids, row_start, device=device) == row_sums).all()
    assert (run("turned_rows", rows, row_ids, row_start, device=device) == turned).all()


@pytest.mark.parametrize("index", [-1, 256])
def test_an_index_outside_of_the_results_is_an_error(index: int):
    with pytest.raises(LaunchError, match=rf"scatters.mlir:\d+:3: error: index {index} is outside"):
        run("histogram", np.array([0, index], np.int32), device="interp")


def test_copies_of_the_results_run_in_parallel():
    derived = FUNCTIONS["by_key"].derived(
        Derivation.parse("x.scatter-split n=N/2\n4a.global @map/in/in1/map\n4a.global @map\n")
    )
    x, ids, start = integers(120), integers(120, low=0, high=32), integers(32)
    expected = start.copy()
    np.add.at(expected, ids, x)
    assert (derived(x, ids, start, device="cpu") == expected).all()


@lengths
@devices
def test_a_filter_keeps_the_order(n: int, device: str):
    x = integers(n, low=-4, high=5).astype(np.float32)
    y, count = run("positive", x, device=device)
    assert count.tolist() == [(x > 0).sum()]
    assert (y == np.concatenate([x[x > 0], x[~(x > 0)]])).all()
    rows = integers(3, n, low=-4, high=5)
    found = run("filtered_rows", rows, device=device)
    for row, got in zip(rows, found, strict=True):
        assert (got == np.concatenate([row[row < 0], row[row >= 0]])).all()


@lengths
@devices
def test_a_sort_is_stable(n: int, device: str):
    keys = integers(n, low=-9, high=9)
    order = np.argsort(keys, kind="stable")
    assert (run("sorted", keys, device=device) == keys[order]).all()
    values = np.arange(n, dtype=np.float32)
    found_keys, found = run("sorted_by_key", keys, values, device=device)
    assert (found_keys == keys[order]).all()
    assert (found == values[order]).all()
    table = integers(n, 3, low=-9, high=9)
    by_first = table[np.argsort(table[:, 0], kind="stable")]
    assert (run("sorted_by_first", table, device=device) == by_first).all()
    rows = integers(3, n).astype(np.float32)
    assert (run("sorted_rows", rows, device=device) == np.sort(rows, axis=1)).all()


def test_a_sort_of_what_has_no_order_loses_nothing():
    """Both directions of a merge may take the same element."""
    rows = np.random.default_rng(3).random((40, 131), np.float32)
    rows[rows < 0.2] = np.nan
    found = run("sorted_rows", rows, device="cpu")
    np.testing.assert_array_equal(np.sort(found), np.sort(rows))


@pytest.mark.parametrize("iterations", range(1, 4))
def test_iterations_of_one_size_share_kernels(iterations: int):
    """4, 7 or 10 iterations, of two launches each; there are kernels for four, at any number."""
    x, m = integers(13), np.zeros(iterations, np.int32)
    repeated = FUNCTIONS["repeated"]
    assert (repeated(x, m, device="cpu") == repeated(x, m)).all()
    lowered = repeated.lowered({"N": 13, "M": iterations})
    launches = [op for op in lowered.host.walk() if op.name == "pattern.launch"]
    assert len(launches) == 2 * (3 * iterations + 1)
    assert len(lowered.program.kernels) == 2 * 4


def test_a_sort_of_any_size_has_no_kernels():
    with pytest.raises(PolyclError, match="the number of steps depends on the size N"):
        LoweredFunction(FUNCTIONS["sorted"].op, {"N": 8}, specialize=False)


def test_the_host_needs_a_number_of_iterations():
    with pytest.raises(PolyclError, match=r"the function 3\*M \+ 1 times, which is no number"):
        LoweredFunction(FUNCTIONS["repeated"].op, {"N": 8, "M": 2}, specialize=False)


@devices
def test_an_integral_image_is_two_scans(device: str):
    x = integers(17, 23)
    image = polycl.load(EXAMPLES / "integral_image.mlir").function("integral_image")
    expected = x.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    assert (image(x, device=device) == expected).all()


@lengths
@devices
def test_sums_of_runs_of_equal_keys(n: int, device: str):
    keys, values = np.sort(integers(n, low=0, high=9)), integers(n)
    runs = polycl.load(EXAMPLES / "reduce_by_key.mlir").function("reduce_by_key")
    found_keys, sums, count = runs(keys, values, device=device)
    expected = np.unique(keys)
    assert count.tolist() == [len(expected)]
    assert (found_keys[: len(expected)] == expected).all()
    assert sums[: len(expected)].tolist() == [values[keys == key].sum() for key in expected]


LAST = """
func.func @last(%x: !pattern.array<N + 1, i32>, %init: !pattern.array<M, i32>)
    -> (!pattern.array<M, i32>, !pattern.array<1, i32>) {
  %zero = arith.constant 0 : i32
  %sums = pattern.scan %x init %zero as %p: i32, %q: i32 EXCLUSIVE {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<N + 1, i32>
  BEFORE
  %all = pattern.scatter %x to %sums init %init as %old: i32, %new: i32 {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<M, i32>
  AFTER
  func.return %all, %r : !pattern.array<M, i32>, !pattern.array<1, i32>
}
"""
_DROP = """%end = pattern.drop %sums by N : !pattern.array<1, i32>
  """
_REDUCE = """%r = pattern.reduce %end init %zero as %p: i32, %q: i32 {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>"""
_COPY = """%r = pattern.KIND %end as %e: i32 {
    pattern.yield %e : i32
  } : !pattern.array<1, i32>"""
_PAD = """%more = pattern.pad %sums left 2 right 0 constant %zero : !pattern.array<N + 3, i32>
  %end = pattern.drop %more by N + 2 : !pattern.array<1, i32>
  """
_FIRST = """%end = pattern.take %sums by 1 : !pattern.array<1, i32>
  """


@pytest.mark.parametrize(
    ("exclusive", "before", "after", "kernels"),
    [
        ("", "", _DROP + _REDUCE, 1),
        ("", _DROP, _REDUCE, 1),
        ("", "", _PAD + _REDUCE, 1),
        ("exclusive", "", _DROP + _REDUCE, 1),
        ("", "", _FIRST + _REDUCE, 1),
        ("", _DROP + _REDUCE, "", 1),
        ("", "", _DROP + _COPY.replace("KIND", "map_global"), 2),
        ("", "", _DROP + _COPY.replace("KIND", "map"), 2),
        ("", _DROP + _COPY.replace("KIND", "map_seq"), "", 1),
        ("", "", _FIRST + _COPY.replace("KIND", "map"), 2),
    ],
)
def test_the_last_element_of_a_scan_that_a_scatter_reads(
    exclusive: str, before: str, after: str, kernels: int
):
    """Only reductions after the scatter need no memory for it."""
    text = LAST.replace("EXCLUSIVE", exclusive).replace("BEFORE", before).replace("AFTER", after)
    last = polycl.load(text, language="mlir").function("last")
    for n in (1, 2, 13):
        x, init = integers(n + 1, low=0, high=3), integers(40)
        for found, expected in zip(last(x, init, device="cpu"), last(x, init), strict=True):
            assert (found == expected).all()
    lowered = last.lowered({"N": 12, "M": 40})
    assert len(lowered.program.kernels) == kernels
    has_memory = "temp" in str(lowered.program.module)
    assert has_memory == (exclusive != "" or "reduce" not in after or _FIRST in after)


@devices
def test_a_histogram(device: str):
    x = integers(1000, low=0, high=256)
    histogram = polycl.load(EXAMPLES / "histogram.mlir").function("histogram")
    assert (histogram(x, device=device) == np.bincount(x, minlength=256)).all()


def test_an_empty_array_has_no_element_to_pad_with():
    text = """
func.func @padded(%x: !pattern.array<N, i32>) -> !pattern.array<N + 1, i32> {
  %y = pattern.pad %x left 1 right 0 clamp : !pattern.array<N + 1, i32>
  func.return %y : !pattern.array<N + 1, i32>
}
"""
    padded = polycl.load(text, language="mlir").function("padded")
    with pytest.raises(LaunchError, match=":3:3: error: no elements to pad with"):
        padded(np.empty(0, np.int32))
