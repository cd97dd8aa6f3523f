"""Few long rows that no derivation maps: a kernel for each reduction, and one for all elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl.pattern as p
from polycl.dialects.pattern.launch import LaunchOp
from polycl.lowering.pattern.rules import long_rows
from polycl.pattern import Array, K, M, exp, f32, i32, map, max, program, reduce, zip
from polycl.runtime.pattern.python_program import PythonProgram


def total(row: Any) -> Any:
    return reduce(lambda a, b: a + b, 0.0, row)


@program
def shares(x: Array[f32, M, K], w: Array[f32, K]):
    """A vector that is the same for all rows is read, too."""

    def row(r: Any):
        s = total(r)
        return map(lambda e, u: e / s[0] * u) @ zip(r, w)

    return map(row) @ x


@program
def softmax(x: Array[f32, M, K]):
    """The second reduction needs the first, and the elements need both."""

    def row(r: Any):
        m = reduce(max, -np.inf, r)
        e = map(lambda v: exp(v - m[0]), r)
        s = total(e)
        return map(lambda v: v / s[0], e)

    return map(row) @ x


@program
def of_two(x: Array[f32, M, K], y: Array[f32, M, K]):
    """A sum of one of two rows; a scalar is computed from it once for the row."""

    def row(r: Any, s: Any):
        norm = map(lambda e: p.sqrt(e)) @ total(map(lambda e: e * e, s))
        return map(lambda e, f: e + f * norm[0]) @ zip(r, s)

    return map(row) @ zip(x, y)


@program
def of_pairs(x: Array[f32, M, K], y: Array[f32, M, K]):
    """The function takes a pair of rows as one value."""

    def row(both: Any):
        s = total(both[0])
        return map(lambda e: e * s[0]) @ both[1]

    return map(row) @ zip(x, y)


@program
def in_order(x: Array[i32, M, K]):
    """What may not be reordered is reduced by a work-item a row."""

    def row(r: Any):
        h = reduce(lambda a, e: 3 * a - e, 1, r)
        return map(lambda e: e + h[0]) @ r

    return map(row) @ x


@program
def twice(x: Array[f32, M, K]):
    """Elements that are read twice are in memory of the work-item of their row."""

    def row(r: Any):
        s = total(r)
        e = map(lambda v: v * s[0], r)
        return map(lambda u, v: u * v + 1.0) @ zip(e, e)

    return map(row) @ x


@program
def sums_only(x: Array[f32, M, K]):
    """Nothing is read again."""
    return map(total) @ x


@pytest.mark.parametrize(
    ("rows", "kernels"),
    [
        (shares, 2),
        (softmax, 3),
        (of_two, 2),
        (of_pairs, 2),
        (in_order, 2),
        (twice, 2),
        (sums_only, 1),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_reductions_of_few_long_rows_have_kernels_of_their_own(
    rows: PythonProgram, kernels: int, monkeypatch: pytest.MonkeyPatch
):
    """The elements of all rows are computed side by side, but for those that a work-item keeps."""
    monkeypatch.setattr(long_rows, "LONG", 20)
    rng = np.random.default_rng(1)
    for m, k, few in ((3, 70, True), (1, 20, True), (3, 19, False), (16, 20, False)):
        shapes = {"x": (m, k), "y": (m, k), "w": (k,)}
        dtype = np.int32 if rows is in_order else np.float32
        args = [rng.integers(1, 9, shapes[each.name]).astype(dtype) for each in rows.parameters]
        np.testing.assert_allclose(rows(*args, device="cpu"), rows(*args), rtol=1e-5)
        host = rows.lowered(rows.sizes(*args)).host
        launches = [op for op in host.walk() if isinstance(op, LaunchOp)]
        assert len(launches) == (kernels if few else 1)
        if few and rows not in (twice, sums_only):
            assert [size.value for size in launches[-1].global_size][1:] == ([m] if m > 1 else [])
