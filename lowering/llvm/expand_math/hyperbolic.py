"""sinh, cosh and tanh.

With |x| = n log(2) + r, a = (2^n + 2^-n)/2 and b = (2^n - 2^-n)/2, sinh |x| = a sinh(r) + b cosh(r)
and cosh |x| = a cosh(r) + b sinh(r). Little cancels: b = 0 for n = 0, and for n >= 1 b is more than
twice |a sinh(r)|. cosh(r) is used as 1 + d: a and b are almost exact, cosh(r) rounded is not.
"""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.math_values import (
    Bool,
    Int,
    Real,
    Rule,
    low_bits,
    minus_multiple,
    power_of_two,
    round_to_int,
)


def _parts(size: Real) -> tuple[Real, Real, Real, Real]:
    """a/2, b/2, sinh(r) and cosh(r) - 1; halves, since a is infinite before the functions are."""
    n = round_to_int(size, size.table("LOG2_E")[0])
    r = minus_multiple(size, n.number, size.table("LN2"), 8)
    z = r * r
    sinh = (r * z).fma(z.polynomial("SINH"), r)
    rest = (z * z).fma(z.polynomial("COSH"), z * 0.5)
    exponent = low_bits(n)
    up = power_of_two(exponent - 2, size.type)
    # 2^-n does not count if its exponent is not that of a normal number.
    down = power_of_two((0 - _at_most(exponent, size.pick(100, 1000))) - 2, size.type)
    return up + down, up - down, sinh, rest


def _at_most(n: Int, high: int) -> Int:
    return n.compare("slt", high).choose_int(n, high)


def _is_tiny(x: Real) -> Bool:
    """sinh(x) and tanh(x) are x: x^2/3 is less than a quarter of a unit in the last place."""
    return abs(x) < x.pick(2.0**-13, 2.0**-28)


def _size(x: Real) -> Real:
    """|x|, or a number whose sinh and cosh are infinite, and 2^n has a quarter that is a float."""
    return abs(x).at_most(x.pick(89.6, 710.7))


def _half_sinh(a: Real, b: Real, sinh: Real, rest: Real) -> Real:
    return b + a.fma(sinh, b * rest)


def _half_cosh(a: Real, b: Real, sinh: Real, rest: Real) -> Real:
    return a + b.fma(sinh, a * rest)


def sinh(x: Real) -> Real:
    """b + (a sinh(r) + b d), with the sign of x."""
    y = _half_sinh(*_parts(_size(x))) * 2.0
    return _is_tiny(x).choose(x, y.copysign(x))


def cosh(x: Real) -> Real:
    """a + (b sinh(r) + a d)."""
    return _half_cosh(*_parts(_size(x))) * 2.0


def tanh(x: Real) -> Real:
    """sinh(x) / cosh(x): 1 from 10 on, in f64 from 20 on."""
    parts = _parts(abs(x).at_most(x.pick(10.0, 20.0)))
    y = _half_sinh(*parts) / _half_cosh(*parts)
    return _is_tiny(x).choose(x, y.copysign(x))


SINGLE: dict[str, Rule] = {"sinh": sinh, "cosh": cosh, "tanh": tanh}
DOUBLE: dict[str, Rule] = SINGLE
