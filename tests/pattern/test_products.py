"""Products of rows with rows that no derivation maps: the right matrix is copied into columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl.pattern as p
from polycl.dialects.pattern.launch import LaunchOp
from polycl.lowering.pattern.rules import products
from polycl.pattern import Array, K, L, M, N, f32, i32, map, program, reduce, zip
from polycl.runtime.pattern.python_program import PythonProgram


def dot(a: Any, b: Any) -> Any:
    return reduce(lambda u, v: u + v, 0.0) @ map(lambda u, v: u * v) @ zip(a, b)


def rows_by_rows(x: Any, y: Any) -> Any:
    return map(lambda a: p.join @ map(lambda b: dot(a, b)) @ y) @ x


@program
def given(x: Array[f32, M, K], y: Array[f32, N, K]):
    return rows_by_rows(x, y)


@program
def computed(x: Array[f32, M, K], y: Array[f32, N, K]):
    """The right matrix is computed by a kernel of its own."""

    def less_the_sum(row: Any) -> Any:
        s = reduce(lambda u, v: u + v, 0.0, row)
        return map(lambda e: e - s[0], row)

    return rows_by_rows(x, map(less_the_sum) @ y)


@program
def transposed_twice(x: Array[f32, M, K], y: Array[f32, N, K]):
    """As a product that is called with a transposed matrix."""
    columns = p.transpose @ p.transpose(y)
    return map(lambda a: p.join @ map(lambda b: dot(a, b)) @ columns) @ x


@program
def in_order(x: Array[i32, M, K], y: Array[i32, N, K]):
    """Not a sum, and the order counts."""
    horner = reduce(lambda acc, e: 3 * acc - e, 1)
    return (
        map(lambda a: p.join @ map(lambda b: horner @ map(lambda u, v: u - v) @ zip(a, b)) @ y) @ x
    )


@program
def columns(x: Array[f32, M, K], y: Array[f32, K, N]):
    """They lie side by side already."""
    return rows_by_rows(x, p.transpose(y))


@program
def batch(x: Array[f32, L, M, K], y: Array[f32, L, N, K]):
    """Each product has a right matrix of its own."""
    return map(rows_by_rows) @ zip(x, y)


@program
def shared(x: Array[f32, L, M, K], y: Array[f32, N, K]):
    """All products have the same right matrix."""
    return map(lambda a: rows_by_rows(a, y)) @ x


@program
def squares(x: Array[f32, L, N, K]):
    """The right matrix is the left one, which is read as it is."""
    return map(lambda a: rows_by_rows(a, a)) @ x


@program
def first_ones(x: Array[f32, M, K], y: Array[f32, N, K]):
    """Rows are not read along."""
    return map(lambda a: map(lambda b: a[0] * b[0]) @ y) @ x


@pytest.mark.parametrize(
    ("product", "copied"),
    [
        *[(each, True) for each in (given, computed, transposed_twice, in_order, batch, shared)],
        *[(each, False) for each in (columns, squares, first_ones)],
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_right_matrix_is_copied_where_it_is_read_by_rows(
    product: PythonProgram, copied: bool, monkeypatch: pytest.MonkeyPatch
):
    """Not for fewer rows than a vector has elements, nor for few rows times a large matrix."""
    monkeypatch.setattr(products, "LARGE", 300)
    rng = np.random.default_rng(1)
    sizes = [(3, 7, 17, True), (16, 20, 16, True), (3, 20, 16, False), (3, 7, 15, False)]
    for m, k, n, pays in sizes if product is given else sizes[:1]:
        shapes: dict[str, tuple[int, ...]] = {"x": (m, k), "y": (n, k)}
        if product is columns:
            shapes["y"] = k, n
        if product in (batch, shared, squares):
            shapes["x"] = 2, m, k
        if product is batch:
            shapes["y"] = 2, n, k
        dtype = np.int32 if product is in_order else np.float32
        sizes_of = [shapes[each.name] for each in product.parameters]
        args = [rng.integers(-4, 5, shape).astype(dtype) for shape in sizes_of]
        np.testing.assert_array_equal(product(*args, device="cpu"), product(*args))
        host = product.lowered(product.sizes(*args)).host
        launches = len([op for op in host.walk() if isinstance(op, LaunchOp)])
        assert launches == (2 if product is computed else 1) + (copied and pays)
