"""Facts: index polynomials that are not negative, such as `n - 1 - i` where `i < n`.

Comparisons give facts; facts imply others (`is_proved`) and ranges (`sharpened`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polycl.analysis.ocl.index_expr import Env, Expr, Range, integer, var
from polycl.analysis.ocl.index_ranges import is_nonneg
from polycl.dialects.comparisons import OPPOSITES


def compared(predicate: str, x: Expr, y: Expr, holds: bool) -> Iterator[Expr]:
    """The facts where `x predicate y` holds, or does not; `predicate` is that of `arith.cmpi`.

    `x < y` unsigned bounds x on both sides: y is taken for a size, less than 2^31.
    """
    match predicate if holds else OPPOSITES[predicate]:
        case "eq":
            yield from (x - y, y - x)
        case "slt":
            yield y - 1 - x
        case "sle":
            yield y - x
        case "ult":
            yield from (y - 1 - x, x)
        case "ule":
            yield from (y - x, x)
        case "sgt":
            yield x - 1 - y
        case "sge":
            yield x - y
        case _:
            pass


def is_proved(goal: Expr, env: Env, facts: Sequence[Expr]) -> bool:
    """Whether `goal >= 0` follows from ranges and at most two of the facts."""
    number = goal.constant
    if number is not None or is_nonneg(goal, env):
        return number is None or number >= 0
    names = goal.variables
    facts = [fact for fact in facts if names & fact.variables]
    for index, fact in enumerate(facts):
        if is_nonneg(goal - fact, env):
            return True
        if any(is_nonneg(goal - fact - other, env) for other in facts[index + 1 :]):
            return True
    return False


def sharpened(env: dict[str, Range], facts: Sequence[Expr]) -> dict[str, Range]:
    """Ranges with the bounds that follow from facts: `n - 1 - x` with `x >= 0` makes n positive."""
    for fact in facts:
        for monomial, coefficient in fact.terms:
            if coefficient != 1 or len(monomial) != 1 or not isinstance(monomial[0], str):
                continue
            name = monomial[0]
            least = _least(var(name) - fact, env)
            old = env.get(name, Range(None, None))
            if least is not None and old.low is None:
                env[name] = Range(integer(least), old.high)
    return env


def _least(expr: Expr, env: Env) -> int | None:
    """A proved lower bound of `expr`, 1 or 0."""
    return next((number for number in (1, 0) if is_nonneg(expr - number, env)), None)
