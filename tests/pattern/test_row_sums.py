"""Sums of rows that no derivation maps: a group for each long row, as exact as the order allows."""

from __future__ import annotations

import math
from operator import add, mul
from typing import Any

import numpy as np
import pytest

import polycl
import polycl.pattern as p
from polycl.dialects.pattern.launch import LaunchOp
from polycl.lowering.pattern.rules import rows
from polycl.lowering.pattern.rules.rows import SHORT
from polycl.pattern import Array, K, L, M, N, f32, f64, i32, map, program, reduce, zip
from polycl.runtime.pattern.python_program import PythonProgram


@program
def gemv(A: Array[f32, M, K], x: Array[f32, K], y: Array[f32, M], a: f32):
    z = p.join @ map(lambda row: map(lambda e: a * e) @ reduce(add, 0.0) @ map(mul) @ zip(row, x))
    return map(add) @ zip(z @ A, y)


@program
def distances(A: Array[f64, M, K], B: Array[f64, M, K]):
    def distance(r: Any, s: Any):
        return reduce(add, 0.0) @ map(lambda a, b: (a - b) * (a - b)) @ zip(r, s)

    return map(distance) @ zip(A, B)


@program
def of_each_matrix(A: Array[f32, L, M, K], B: Array[f32, L, K]):
    """A batch of products."""

    def product(a: Any, b: Any):
        return p.join @ map(lambda row: reduce(add, 0.0) @ map(mul) @ zip(row, b)) @ a

    return map(product) @ zip(A, B)


@program
def largest(A: Array[f32, M, K]):
    return p.join @ map(reduce(p.max, -np.inf)) @ A


@program
def columns(A: Array[f32, M, K]):
    """The elements of a column lie apart."""
    return p.join @ map(reduce(add, 0.0)) @ p.transpose(A)


@program
def whole_numbers(A: Array[i32, M, K]):
    return p.join @ map(reduce(add, 0)) @ A


@program
def from_three(A: Array[f32, M, K]):
    """The start is not neutral."""
    return map(reduce(add, 3.0)) @ A


@program
def in_order(A: Array[f32, M, K]):
    """A subtraction is not associative."""
    return p.join @ map(reduce(lambda a, b: a - b, 0.0)) @ A


@program
def shares(A: Array[f32, M, K]):
    """Each row is computed twice, and written once."""

    def share(row: Any):
        s = reduce(add, 0.0, row)
        return map(lambda e: e / s[0], row)

    return map(share) @ A


def arguments(sums: PythonProgram, m: int, k: int) -> list[Any]:
    """Small whole numbers: sums are exact in any order."""
    rng = np.random.default_rng(m * k)
    shapes = {"A": (m, k), "B": (m, k), "x": k, "y": m, "a": ()}
    if sums is of_each_matrix:
        shapes["A"] = (m, m, k)
    dtype = {distances: np.float64, whole_numbers: np.int32}.get(sums, np.float32)
    found = [rng.integers(1, 9, shapes[each.name]).astype(dtype) for each in sums.parameters]
    return [each if each.ndim else float(each) for each in found]


@pytest.mark.parametrize(
    ("sums", "in_groups"),
    [
        *[(gemv, True), (distances, True), (largest, True), (of_each_matrix, True)],
        *[(each, False) for each in (columns, whole_numbers, from_three, in_order, shares)],
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_who_adds_the_elements_of_a_row(sums: PythonProgram, in_groups: bool):
    """Groups have 5 rows, 6, one, or the last ones have rows that are computed twice."""
    device = polycl.device("cpu", threads=2)
    for m, k in ((5, SHORT + 3), (18, SHORT), (11, SHORT + 1), (1, SHORT), (18, SHORT - 1)):
        args = arguments(sums, m, k)
        np.testing.assert_allclose(sums(*args, device=device), sums(*args), rtol=1e-6)
        lowered = sums.lowered(sums.sizes(*args))
        by_group = "ocl.barrier" in str(lowered.program.module)
        assert by_group == (in_groups and k >= SHORT)


@program
def norms(A: Array[f32, M, K]):
    """Of the columns; the map after the sum is not part of it."""
    squares = reduce(add, 0.0) @ map(lambda e: 2.0 * e * e)
    return p.join @ map(lambda column: map(lambda s: s + 1.0) @ squares @ column) @ p.transpose(A)


@pytest.mark.parametrize("sums", [columns, norms])
def test_columns_of_a_large_matrix_are_summed_a_few_rows_at_a_time(
    sums: PythonProgram, monkeypatch: pytest.MonkeyPatch
):
    """Not those of a prime number of rows, or of narrow rows."""
    monkeypatch.setattr(rows, "LARGE", 4000)
    for m, k, launches in ((60, 70, 2), (60, 66, 1), (61, 70, 1), (128, 60, 1)):
        args = arguments(sums, m, k)
        np.testing.assert_array_equal(sums(*args, device="cpu"), sums(*args))
        host = sums.lowered({"M": m, "K": k}).host
        assert len([op for op in host.walk() if isinstance(op, LaunchOp)]) == launches


@program
def products(A: Array[f32, L, M, K], B: Array[f32, L, K, N]):
    def product(a: Any, b: Any):
        def row(r: Any):
            column = reduce(add, 0.0) @ map(mul)
            return p.join @ map(lambda c: column @ zip(r, c)) @ p.transpose(b)

        return map(row) @ a

    return map(product) @ zip(A, B)


def test_a_batch_of_matrix_products_has_a_work_item_for_each_row():
    """Those of few rows have one for each product, as rows do not fill a vector."""
    for m, items in ((16, 32), (3, 2)):
        a, b = np.ones((2, m, 5), np.float32), np.ones((2, 5, 7), np.float32)
        a[1, 2], b[0, :, 3] = 2, 3
        np.testing.assert_array_equal(products(a, b, device="cpu"), a @ b)
        host = products.lowered({"L": 2, "M": m, "K": 5, "N": 7}).host
        (launch,) = (op for op in host.walk() if isinstance(op, LaunchOp))
        assert math.prod(size.value for size in launch.global_size) == items
