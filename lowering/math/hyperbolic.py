"""sinh, cosh and tanh.

With |x| = n log(2) + r, a = (2^n + 2^-n)/2 and b = (2^n - 2^-n)/2, sinh |x| = a sinh(r) + b cosh(r)
and cosh |x| = a cosh(r) + b sinh(r). Little cancels: b = 0 for n = 0, and for n >= 1 b is more than
twice |a sinh(r)|. cosh(r) is used as 1 + d: a and b are almost exact, cosh(r) rounded is not.
"""

from __future__ import annotations

from polycl.lowering.math import constants as c
from polycl.lowering.math.values import Int, Real, Rule, low_bits, power_of_two, round_to_int


def _parts(size: Real) -> tuple[Real, Real, Real, Real]:
    """a/2, b/2, sinh(r) and cosh(r) - 1; halves, since a is infinite before the functions are."""
    n = round_to_int(size, c.LOG2_E[0])
    high, low = c.LN2
    r = n.number.fma(-low, n.number.fma(-high, size))
    z = r * r
    sinh = (r * z).fma(z.polynomial(c.SINH), r)
    rest = (z * z).fma(z.polynomial(c.COSH), z * 0.5)
    exponent = low_bits(n)
    up = power_of_two(exponent - 2, size.type)
    # 2^-n does not count any more when it has no exponent of a normal number.
    down = power_of_two((0 - _at_most(exponent, 100)) - 2, size.type)
    return up + down, up - down, sinh, rest


def _at_most(n: Int, high: int) -> Int:
    return n.compare("slt", high).choose_int(n, high)


_TINY = 2.0**-13
"""Below, sinh(x) and tanh(x) are x: x^2/3 is less than a quarter of a unit in the last place."""

_INFINITE = 89.6
"""Above, sinh and cosh are infinite; here 2^n still has a half that is a normal number."""


def _half_sinh(a: Real, b: Real, sinh: Real, rest: Real) -> Real:
    return b + a.fma(sinh, b * rest)


def _half_cosh(a: Real, b: Real, sinh: Real, rest: Real) -> Real:
    return a + b.fma(sinh, a * rest)


def sinh(x: Real) -> Real:
    """b + (a sinh(r) + b d), with the sign of x."""
    y = _half_sinh(*_parts(abs(x).at_most(_INFINITE))) * 2.0
    return (abs(x) < _TINY).choose(x, y.copysign(x))


def cosh(x: Real) -> Real:
    """a + (b sinh(r) + a d)."""
    return _half_cosh(*_parts(abs(x).at_most(_INFINITE))) * 2.0


def tanh(x: Real) -> Real:
    """sinh(x) / cosh(x): 1 from 10 on."""
    parts = _parts(abs(x).at_most(10.0))
    y = _half_sinh(*parts) / _half_cosh(*parts)
    return (abs(x) < _TINY).choose(x, y.copysign(x))


SINGLE: dict[str, Rule] = {"sinh": sinh, "cosh": cosh, "tanh": tanh}
DOUBLE: dict[str, Rule] = {}
