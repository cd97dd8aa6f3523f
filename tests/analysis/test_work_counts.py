"""Counts of operations as polynomials are those of counting one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import polycl
from polycl.analysis.ocl.module_parts import find_kernel
from polycl.analysis.ocl.work_counts import Count, WorkCounts, name, number, show, summed
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of

_PASSES = "inline-functions,promote-private-memory,ocl-set-local-size{size=4,1,1},simplify-loops"


def counts_of(body: str) -> tuple[WorkCounts, ocl.StoreOp]:
    source = f"kernel void k(global int *x, int n, int m) {{ int g = get_global_id(0); {body} }}"
    module = polycl.load(source).kernel("k").module.clone()
    run_pipeline(module, _PASSES)
    kernel = find_kernel(module, "k")
    return WorkCounts(kernel), operations_of(kernel.body, ocl.StoreOp)[-1]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("x[g] = 1;", lambda g, n, m: 1),
        ("for (int i = 0; i < n; i++) x[g] = i;", lambda g, n, m: n),
        ("for (int i = 2; i < n; i++) for (int j = 0; j < m; j++) x[g] = i + j;",
         lambda g, n, m: (n - 2) * m),
        ("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) x[g] = j;",
         lambda g, n, m: n * (n + 1) // 2),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++) "
         "x[g] = k;", lambda g, n, m: n * (n - 1) * (n - 2) // 6),
        ("for (int i = 0; i <= g; i++) x[g] = i;", lambda g, n, m: g + 1),
        ("for (int i = 0; i < n; i += 3) x[g] = i;", lambda g, n, m: -(-n // 3)),
        ("for (int i = 0; i < n / 4; i++) x[g] = i;", lambda g, n, m: n // 4),
        ("for (int i = 0; i < n >> 2; i++) x[g] = i;", lambda g, n, m: n // 4),
        ("for (int i = 0; i < 4 * n; i += 4) for (int j = i; j < i + m; j++) x[g] = j;",
         lambda g, n, m: n * m),
    ],
)  # fmt: skip
def test_a_loop_nest_is_counted(body: str, count: Callable[[int, int, int], int]) -> None:
    counts, store = counts_of(body)
    for n, m, g in ((8, 5, 3), (7, 2, 0), (16, 1, 9)):
        known = {"n": n, "m": m, "id x": g, "global size x": 12}
        assert counts.value(counts.of(store), known, {}) == count(g, n, m)
        total = counts.value(counts.total(counts.of(store)), {**known, **ONES}, {})
        assert total == sum(count(item, n, m) for item in range(12))


ONES = {"global size y": 1, "global size z": 1}


def test_what_the_text_does_not_decide_has_a_name() -> None:
    counts, store = counts_of("for (int i = 0; i < x[0]; i++)\nif (x[i] > 3)\nx[g] = i;")
    atoms = counts.of(store).atoms
    assert atoms == {"iterations of line 1", "share of line 2"}
    (branch,) = (u.op for text, u in counts.unknown.items() if text == "share of line 2")
    assert counts.value(counts.of(store), {}, {}) == 4
    assert counts.value(counts.of(store), {}, {branch: 0.25}) == 2


@given(st.lists(st.integers(-4, 4), max_size=5), st.integers(0, 12))
def test_a_sum_over_a_counter_is_that_of_its_values(factors: list[int], end: int) -> None:
    t: Count = name("t")
    polynomial = number(0)
    for factor in factors:
        polynomial = polynomial * t + number(factor)
    total = summed(polynomial, "t", name("n")).evaluate({"n": Fraction(end)}.__getitem__)
    values = (polynomial.evaluate({"t": Fraction(i)}.__getitem__) for i in range(end))
    assert total == sum(values)


def test_polynomials_are_shown() -> None:
    n = name("n")
    assert show(n * n * number(2) - n * number(Fraction(1, 2)) + number(3000)) == (
        "2 n^2 - n / 2 + 3,000"
    )
    assert show(number(0)) == "0"
