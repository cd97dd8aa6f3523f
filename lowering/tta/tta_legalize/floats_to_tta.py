"""Legalisation of single-precision operations that units lack, by comparisons and bits."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from polycl.lowering.tta.word_builder import WordBuilder

_DIRECT = ("oeq", "ogt", "oge", "olt", "ole", "une")
_INVERSES = {"ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt"}
_SIGN = 0x80000000


def compare(w: WordBuilder, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
    """`arith.cmpf` with any predicate; unordered predicates (u...) hold for NaN."""
    match predicate:
        case "false" | "true":
            return w.flag(predicate == "true")
        case _ if predicate in _DIRECT:
            return w.compare_floats(predicate, a, b)
        case _ if predicate in _INVERSES:
            return w.invert(w.compare_floats(_INVERSES[predicate], a, b))
        case "one":
            return w.either(w.compare_floats("olt", a, b), w.compare_floats("ogt", a, b))
        case "ord":
            return w.both(w.compare_floats("oeq", a, a), w.compare_floats("oeq", b, b))
        case "ueq":
            return w.invert(compare(w, "one", a, b))
        case _:
            return w.invert(compare(w, "ord", a, b))


def negate(w: WordBuilder, a: SSAValue) -> SSAValue:
    return w.as_float(w.xor(w.bits(a), _SIGN))


def absolute(w: WordBuilder, a: SSAValue) -> SSAValue:
    return w.as_float(w.and_(w.bits(a), ~_SIGN & 0xFFFFFFFF))


def copy_sign(w: WordBuilder, size: SSAValue, sign: SSAValue) -> SSAValue:
    magnitude = w.and_(w.bits(size), ~_SIGN & 0xFFFFFFFF)
    return w.as_float(w.or_(magnitude, w.and_(w.bits(sign), _SIGN)))


def extreme(
    w: WordBuilder, predicate: str, a: SSAValue, b: SSAValue, *, keeps_nan: bool
) -> SSAValue:
    """The minimum ("olt") or the maximum ("ogt"); -0 is less than +0.

    With `keeps_nan` the result is NaN if an operand is, else the other operand.
    """
    first = w.compare_floats(predicate, a, b)
    equal = w.compare_floats("oeq", a, b)
    # Equal numbers differ at most in the sign of a zero.
    join = w.or_ if predicate == "olt" else w.and_
    same = w.as_float(join(w.bits(a), w.bits(b)))
    chosen = w.select(first, a, w.select(equal, same, b))
    if not keeps_nan:
        return w.select(w.compare_floats("une", b, b), a, chosen)
    return w.select(w.compare_floats("une", a, a), a, chosen)


def half_bits(number: float) -> int:
    """The bits of a number in half precision."""
    return int(np.float16(number).view(np.uint16))


def double_bits(number: float) -> int:
    """The bits of a number in double precision."""
    return int(np.float64(number).view(np.uint64))
