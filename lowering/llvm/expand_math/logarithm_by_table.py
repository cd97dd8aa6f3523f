"""log, log2 and log10 by two tables of 16 numbers (f64: 8), each of which is in a register.

x = 2^e m with 11/16 <= m < 11/8 (f64: 17/24 <= m < 17/12). The next bits of x choose c, which is
nearly 1/m, and -log_b(c): with f = m c - 1, which is small and rounded once,

    log_b(x) = (e log_b(2) - log_b(c)) + log_b(1 + f)

and log_b(1 + f) = f slope + f (slope_low + f p(f)). c is such that its logarithm is almost a short
number, and log_b(2) is a short number and a rest, so that the first sum is exact. Where m is nearly
1, c is 1.
"""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.logarithm import log_by_parts
from polycl.lowering.llvm.expand_math.math_values import Int, Real, Rule
from polycl.lowering.ocl.float_format import float_format

LEAST = 11 / 16, 17 / 24
"""The bounds of m, for f32 and f64."""


def place_of(offset: Int, m: Real) -> Int:
    """The place in the tables by the bits of m above `LEAST`."""
    return offset >> (float_format(m.type).mantissa - m.pick(4, 3))


def _log(name: str) -> Rule:
    """The logarithm whose numbers in coefficients.toml have that name."""

    def of_parts(exponent: Real, m: Real, offset: Int) -> Real:
        place = place_of(offset, m)
        c, log = (place.choose_number(m.table(f"{name}_{letter}"), m.type) for letter in "CL")
        f = m.fma(c, -1.0)
        step, step_low = m.table(f"{name}_STEP")
        slope, slope_low = m.table(f"{name}_SLOPE")
        p = f.polynomial(f"{name}_REST")
        rest = f.fma(p, slope_low) if slope_low else f * p
        rest = f.fma(rest, exponent * step_low) if step_low else f * rest
        return exponent.fma(step, log) + (f + rest if slope == 1.0 else f.fma(slope, rest))

    return log_by_parts(of_parts, LEAST)


RULES: dict[str, Rule] = {name: _log(name.upper()) for name in ("log", "log2", "log10")}
