"""erf and erfc."""

from __future__ import annotations

from polycl.lowering.math import constants as c
from polycl.lowering.math.exponential import exp
from polycl.lowering.math.values import Real, Rule


def _small_erf(x: Real) -> Real:
    """erf(x) = x + x p(x^2) for |x| <= 1."""
    return x.fma((x * x).polynomial(c.ERF), x)


def erf(x: Real) -> Real:
    """x + x p(x^2) up to 1; above, 1 - e^q(|x|), with the sign of x: 1 from 4 on."""
    size = abs(x)
    large = 1.0 - exp(size.at_most(4.0).polynomial(c.ERF_TAIL))
    return (size < 1.0).choose(_small_erf(x), large.copysign(x))


def erfc(x: Real) -> Real:
    """1 - erf(x) for |x| < 1/2; else e^(-x^2) g(u) / (1 + 2|x|), u = (|x| - 4) / (|x| + 4), taken
    from 2 for x < 0.

    An error of x^2 would be one of the result, times x^2: with s = x^2 rounded and d the rest,
    e^(-x^2) = e^-s (1 - d). From 10.1 on the result is 0.
    """
    size = abs(x).at_most(10.1)
    square = size * size
    rest = size.fma(size, -square)
    power = exp(-square)
    u = (size - 4.0) / (size + 4.0)
    g = u.polynomial(c.ERFC) / size.fma(2.0, 1.0)
    tail = power.fma(-rest, power) * g
    result = (x < 0.0).choose(2.0 - tail, tail)
    return (size < 0.5).choose(1.0 - _small_erf(x), result)


SINGLE: dict[str, Rule] = {"erf": erf, "erfc": erfc}
DOUBLE: dict[str, Rule] = {}
