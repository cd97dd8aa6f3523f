"""erf and erfc."""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.exponential import exp, exp_f64
from polycl.lowering.llvm.expand_math.math_values import Real, Rule


def _exp(x: Real) -> Real:
    return exp_f64(x) if x.is_f64 else exp(x)


def _small_erf(x: Real) -> Real:
    """erf(x) = x + x p(x^2) for |x| <= 1."""
    return x.fma((x * x).polynomial("ERF"), x)


def erf(x: Real) -> Real:
    """x + x p(x^2) up to 1; above, 1 - e^q(|x|), with the sign of x: 1 from 4 (f64: 6) on."""
    size = abs(x)
    tail = size.at_most(x.pick(4.0, 6.0)).polynomial("ERF_TAIL")
    large = 1.0 - _exp(tail)
    return (size < 1.0).choose(_small_erf(x), large.copysign(x))


def erfc(x: Real) -> Real:
    """1 - erf(x) for |x| < 1/2; else e^(-x^2) g(u) / (1 + 2|x|), u = (|x| - 4) / (|x| + 4), taken
    from 2 for x < 0.

    A relative error of x^2 is multiplied by x^2 in the result: with s = x^2 rounded and d the rest,
    e^(-x^2) = e^-s (1 - d). From 10.1 (f64: 27.3) on the result is 0, at the bound without an
    underflow.
    """
    size = abs(x).at_most(x.pick(10.9, 30.8))
    square = size * size
    rest = size.product_error(size, square)
    power = _exp(-square)
    u = (size - 4.0) / (size + 4.0)
    g = u.polynomial("ERFC") / size.fma(2.0, 1.0)
    tail = power.fma(-rest, power) * g
    result = (x < 0.0).choose(2.0 - tail, tail)
    return (size < 0.5).choose(1.0 - _small_erf(x), result)


SINGLE: dict[str, Rule] = {"erf": erf, "erfc": erfc}
DOUBLE: dict[str, Rule] = SINGLE
