"""exp, exp2 and exp10 by a table of 16 numbers (f64: 8), which is in a register.

b^x = 2^n b^r, where n = x log2(b) rounded to sixteenths (f64: eighths) and r = x - n log_b(2),
which is small. 2^n is the power of n rounded down, by which `scale_near_one` multiplies, and that
of the fraction, which the table has. The bounds are those of exponential.py.
"""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.exponential import bounded
from polycl.lowering.llvm.expand_math.math_values import (
    Real,
    Rounding,
    Rule,
    minus_multiple,
    round_to_int,
    scale_near_one,
)


def power_of_base(n: Rounding, r: Real, rest: str, x: Real) -> Real:
    """2^n (1 + r p(r)), with p the polynomial of that name; NaN where x is."""
    t = n.bits.choose_number(r.table("POWERS"), r.type)
    return scale_near_one((r * t).fma(r.polynomial(rest), t), n, x)


def exp(x: Real) -> Real:
    """e^x = 2^n e^r, r = x - n log(2)."""
    x = bounded(x, "exp")
    n = round_to_int(x, x.table("LOG2_E")[0], x.pick(4, 3))
    r = minus_multiple(x, n.number, x.table("LN2"), 12)
    return power_of_base(n, r, "EXP_REST", x)


def exp2(x: Real) -> Real:
    """2^x = 2^n 2^r, r = x - n without an error."""
    x = bounded(x, "exp2")
    n = round_to_int(x, 1.0, x.pick(4, 3))
    return power_of_base(n, x - n.number, "EXP2_REST", x)


def exp10(x: Real) -> Real:
    """10^x = 2^n 10^r, r = x - n log10(2)."""
    x = bounded(x, "exp10")
    n = round_to_int(x, 1.0 / x.table("LOG10_2")[0], x.pick(4, 3))
    r = minus_multiple(x, n.number, x.table("LOG10_2"), 12)
    return power_of_base(n, r, "EXP10_REST", x)


RULES: dict[str, Rule] = {"exp": exp, "exp2": exp2, "exp10": exp10}
