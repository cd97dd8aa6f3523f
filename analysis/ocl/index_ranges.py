"""Bounds of index expressions, and proofs that one is not negative."""

from __future__ import annotations

from polycl.analysis.ocl.index_expr import Atom, Env, Expr, Range, integer


def is_nonneg(expr: Expr, env: Env, depth: int = 4) -> bool:
    """Whether `expr >= 0` can be proved by bounds in place of variables."""
    low, _ = bounds(expr, env)
    if low is not None and low >= 0:
        return True
    if not depth:
        return False
    for atom in sorted(expr.atoms, key=str):
        range_ = _range_of(atom, env, depth)
        for bound, sign in ((range_.high, -1), (range_.low, 1)):
            if bound is None or bound == integer(0):
                continue
            replaced = _bound_terms(expr, atom, bound, sign, env)
            if replaced != expr and is_nonneg(replaced, env, depth - 1):
                return True
    return False


def bounds(expr: Expr, env: Env) -> tuple[int | None, int | None]:
    """Inclusive bounds of the value; None where none was found."""
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in expr.terms:
        term: tuple[int | None, int | None] = (coefficient, coefficient)
        for atom in monomial:
            term = _times(term, number_range(atom, env))
        low = None if low is None or term[0] is None else low + term[0]
        high = None if high is None or term[1] is None else high + term[1]
    return low, high


def is_below(x: Expr, y: Expr, env: Env) -> bool:
    """Whether `0 <= x < y`."""
    if not x.terms:
        return True
    return is_nonneg(x, env) and is_nonneg(y - 1 - x, env)


def _bound_terms(expr: Expr, atom: Atom, bound: Expr, sign: int, env: Env) -> Expr:
    """`expr` or less: `bound` for `atom` in the terms of this sign whose other factors are >= 0."""
    result = expr
    for monomial, coefficient in expr.terms:
        if atom not in monomial or (coefficient > 0) != (sign > 0):
            continue
        others = list(monomial)
        others.remove(atom)
        if all(_is_zero_up(other, env) for other in others):
            term = Expr(((tuple(others), coefficient),))
            result = result - Expr(((monomial, coefficient),)) + term * bound
    return result


def _is_zero_up(atom: Atom, env: Env) -> bool:
    low, _ = number_range(atom, env)
    return low is not None and low >= 0


def _range_of(atom: Atom, env: Env, depth: int) -> Range:
    """Bounds of `atom` that may contain variables."""
    if isinstance(atom, str):
        return env.get(atom, Range(None, None))
    if atom.kind == "%":
        return Range(integer(0), atom.y - 1)
    if atom.kind == "min":
        return Range(None, atom.x)
    if atom.kind == "max":
        return Range(atom.x, None)
    if is_nonneg(atom.x, env, depth - 1):
        return Range(integer(0), atom.x)
    return Range(None, None)


def number_range(atom: Atom, env: Env) -> tuple[int | None, int | None]:
    """Bounds of `atom` that are numbers."""
    if isinstance(atom, str):
        range_ = env.get(atom)
        if range_ is None:
            return None, None
        low = None if range_.low is None else bounds(range_.low, env)[0]
        high = None if range_.high is None else bounds(range_.high, env)[1]
        return low, high
    (xl, xh), (yl, yh) = bounds(atom.x, env), bounds(atom.y, env)
    match atom.kind:
        case "%":
            high = None if yh is None else yh - 1
            if xl is not None and xl >= 0 and xh is not None:
                high = xh if high is None else min(high, xh)
            return 0, high
        case "//":
            yl = max(yl or 1, 1)
            low = high = None
            if xl is not None:
                low = xl // yl if xl < 0 else xl // yh if yh else 0
            if xh is not None:
                high = xh // yl if xh >= 0 else xh // yh if yh else -1
            return low, high
        case "min":
            low = None if xl is None or yl is None else min(xl, yl)
            highs = [h for h in (xh, yh) if h is not None]
            if (total := (atom.x + atom.y).constant) is not None:
                # At most half of their sum.
                highs.append(total // 2)
            return low, min(highs, default=None)
        case _:
            lows = [bound for bound in (xl, yl) if bound is not None]
            if (total := (atom.x + atom.y).constant) is not None:
                lows.append(-(-total // 2))
            high = None if xh is None or yh is None else max(xh, yh)
            return max(lows, default=None), high


def _times(
    a: tuple[int | None, int | None], b: tuple[int | None, int | None]
) -> tuple[int | None, int | None]:
    """The range of products of numbers in two ranges."""
    if None not in a and None not in b:
        products = [x * y for x in a for y in b if x is not None and y is not None]
        return min(products), max(products)
    (al, ah), (bl, bh) = a, b
    if al is not None and bl is not None and al >= 0 and bl >= 0:
        return al * bl, None
    if ah is not None and bl is not None and ah <= 0 and bl >= 0:
        return None, ah * bl
    if bh is not None and al is not None and bh <= 0 and al >= 0:
        return None, bh * al
    return None, None
