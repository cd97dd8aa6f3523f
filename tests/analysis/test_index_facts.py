"""Facts of comparisons, compared with the comparisons; what is proved from facts."""

from __future__ import annotations

import operator
from itertools import product

import pytest
from xdsl.dialects.arith import CMPI_COMPARISON_OPERATIONS

from polycl.analysis.ocl.index_expr import Range, evaluate, integer, var
from polycl.analysis.ocl.index_facts import compared, is_proved, sharpened

X, Y, N = var("x"), var("y"), var("n")


@pytest.mark.parametrize("predicate", CMPI_COMPARISON_OPERATIONS)
@pytest.mark.parametrize("holds", [True, False])
def test_facts_hold_where_the_comparison_does(predicate: str, holds: bool):
    facts = list(compared(predicate, X, Y, holds))
    compare, is_unsigned = getattr(operator, predicate[-2:]), predicate.startswith("u")
    met: set[bool] = set()
    for x, y in product(range(-3, 4), range(0, 4)):
        a, b = (x % 2**32, y % 2**32) if is_unsigned else (x, y)
        is_met = all(evaluate(fact, {"x": x, "y": y}) >= 0 for fact in facts)
        if compare(a, b) == holds:
            assert is_met, (x, y)
        elif facts:
            # What does not hold meets no facts: they say all that the comparison does.
            assert not is_met, (x, y)
        met.add(is_met)
    assert bool(facts) == (False in met)


def test_two_facts_prove_a_third():
    facts = [Y - 1 - X, N - Y]
    assert is_proved(N - 1 - X, {}, facts)
    assert not is_proved(N - 2 - X, {}, facts)
    assert not is_proved(N - 1 - X, {}, facts[:1])
    assert not is_proved(integer(-1), {}, facts)


def test_a_fact_makes_a_range():
    assert sharpened({"x": Range(integer(0), None)}, [N - 1 - X])["n"].low == integer(1)
    assert "n" not in sharpened({}, [N - 1 - X])
