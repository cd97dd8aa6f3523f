"""Math functions on the parts of a float: sign, exponent, mantissa (OpenCL 1.2, section 6.12.2).

Each is exact, subnormal numbers included, and has no counterpart in `math`.
Notation: m is the number of stored mantissa bits, w the width, bias that of the exponent.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import f16, f32
from xdsl.ir import Attribute, SSAValue

from polycl.dialects.vec import element_of, same_shape
from polycl.lowering.build import Build
from polycl.lowering.ocl.float_format import FloatFormat, float_format
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule, Values

ILOGB_ZERO = -(2**31)
"""FP_ILOGB0 of OpenCL C."""
ILOGB_NAN = 2**31 - 1
"""FP_ILOGBNAN of OpenCL C, and the result for infinities."""


@dataclass(frozen=True)
class _Parts:
    """x, its magnitude's bits, and floor(log2 |x|) where x is finite and not 0."""

    format: FloatFormat
    bits: SSAValue
    magnitude: SSAValue
    exponent: SSAValue
    is_zero: SSAValue
    is_special: SSAValue
    """Infinite or NaN."""
    is_subnormal: SSAValue


def _parts(e: Build, x: SSAValue) -> _Parts:
    """Take x apart.

    exponent = field - bias where the exponent field is not 0, else (position of the uppermost
    bit of the magnitude) - m + 1 - bias.
    """
    fmt = float_format(x.type)
    bits = e.bits(x)
    type = bits.type
    magnitude = e.and_(bits, e.constant(fmt.sign_mask - 1, type))
    field = e.shr(magnitude, fmt.mantissa, signed=False)
    top = e.sub(e.constant(fmt.width - 1, type), e.leading_zeros(magnitude))
    is_subnormal = e.compare("eq", field, e.constant(0, type))
    exponent = e.select(
        is_subnormal,
        e.sub(top, e.constant(fmt.mantissa + fmt.bias - 1, type)),
        e.sub(field, e.constant(fmt.bias, type)),
    )
    return _Parts(
        fmt,
        bits,
        magnitude,
        exponent,
        is_zero=e.compare("eq", magnitude, e.constant(0, type)),
        is_special=e.compare("uge", magnitude, e.constant(fmt.exponent_mask, type)),
        is_subnormal=is_subnormal,
    )


def _ilogb(e: Build, x: SSAValue) -> SSAValue:
    """floor(log2 |x|); FP_ILOGB0 for 0, FP_ILOGBNAN for NaN, INT_MAX for infinities."""
    parts = _parts(e, x)
    result = e.resize(parts.exponent, 32, signed=True)
    result = e.select(parts.is_zero, e.constant(ILOGB_ZERO, result.type), result)
    return e.select(parts.is_special, e.constant(ILOGB_NAN, result.type), result)


def _logb(e: Build, x: SSAValue) -> SSAValue:
    """floor(log2 |x|) as a float; -inf for 0, +inf for infinities, NaN for NaN."""
    parts = _parts(e, x)
    result = e.int_to_float(parts.exponent, element_of(x.type), signed=True)
    result = e.select(parts.is_zero, e.constant(float("-inf"), x.type), result)
    return e.select(parts.is_special, e.absf(x), result)


def _frexp(e: Build, x: SSAValue) -> Values:
    """x = f * 2^n with 1/2 <= |f| < 1; x itself and 0 for zeros, infinities and NaN.

    The mantissa is combined with the exponent field of 1/2; that of a subnormal number is shifted
    up until its uppermost bit is the hidden one.
    """
    parts = _parts(e, x)
    fmt, type = parts.format, parts.bits.type
    mantissa_mask = e.constant(fmt.mantissa_mask, type)
    up = e.sub(e.leading_zeros(parts.magnitude), e.constant(fmt.width - 1 - fmt.mantissa, type))
    up = e.select(parts.is_subnormal, up, e.constant(0, type))
    mantissa = e.and_(e.shl(parts.magnitude, up), mantissa_mask)
    sign = e.and_(parts.bits, e.constant(fmt.sign_mask, type))
    half = e.constant((fmt.bias - 1) << fmt.mantissa, type)
    fraction = e.from_bits(e.or_(e.or_(sign, half), mantissa), x.type)
    exponent = e.resize(e.add(parts.exponent, e.constant(1, type)), 32, signed=True)
    unchanged = e.or_(parts.is_zero, parts.is_special)
    return [
        e.select(unchanged, x, fraction),
        e.select(unchanged, e.constant(0, exponent.type), exponent),
    ]


def _ldexp(e: Build, x: SSAValue, n: SSAValue) -> Values:
    """x * 2^n, rounded once.

    f16 is scaled in f32, where the product is exact, and then rounded; n is clamped to a range
    beyond which the result is infinite or 0 anyway. f32 and f64 are scaled by three factors, of
    which only the last can round: while n is below the smallest exponent e, by 2^(e + 53), in f32
    by 2^(e + 24), which keeps a bit to spare.
    """
    element = element_of(x.type)
    if element == f16:
        n = e.max(n, e.constant(-60, n.type), signed=True)
        n = e.min(n, e.constant(60, n.type), signed=True)
        product = e.mulf(e.to_float(x, f32), _power_of_two(e, n, f32))
        return [e.to_float(product, element)]
    form = float_format(element)
    most, least, down = form.bias, 1 - form.bias, form.mantissa + 2 - form.bias
    for _step in range(2):
        above = e.compare("sgt", n, e.constant(most, n.type))
        below = e.compare("slt", n, e.constant(least, n.type))
        factor = e.select(below, e.constant(2.0**down, x.type), e.constant(1.0, x.type))
        factor = e.select(above, e.constant(2.0**most, x.type), factor)
        moved = e.select(below, e.constant(down, n.type), e.constant(0, n.type))
        moved = e.select(above, e.constant(most, n.type), moved)
        x, n = e.mulf(x, factor), e.sub(n, moved)
    n = e.max(n, e.constant(least, n.type), signed=True)
    n = e.min(n, e.constant(most, n.type), signed=True)
    return [e.mulf(x, _power_of_two(e, n, element))]


def _power_of_two(e: Build, n: SSAValue, element: Attribute) -> SSAValue:
    """2^n, for n within the normal exponents of the format."""
    fmt = float_format(element)
    bits = e.resize(e.add(n, e.constant(fmt.bias, n.type)), fmt.width, signed=True)
    bits = e.shl(bits, fmt.mantissa)
    return e.from_bits(bits, same_shape(element, n.type))


def _nextafter(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """The neighbour of x in the direction of y; y where they are equal, NaN where one is NaN.

    As an integer, the magnitude of a float grows by one from neighbour to neighbour. The neighbour
    of 0 is the smallest number with the sign of y.
    """
    fmt = float_format(x.type)
    bits = e.bits(x)
    one, zero = e.constant(1, bits.type), e.constant(0.0, x.type)
    away = e.xor(e.compare("olt", x, y), e.is_negative(bits))
    moved = e.select(away, e.add(bits, one), e.sub(bits, one))
    smallest = e.or_(e.and_(e.bits(y), e.constant(fmt.sign_mask, bits.type)), one)
    moved = e.select(e.compare("oeq", x, zero), smallest, moved)
    result = e.select(e.compare("oeq", x, y), y, e.from_bits(moved, x.type))
    return e.select(e.compare("uno", x, y), e.addf(x, y), result)


def _nan(e: Build, payload: SSAValue) -> SSAValue:
    """A quiet NaN that holds the lower bits of the argument."""
    assert e.source is not None
    type = e.source.results[0].type
    fmt = float_format(type)
    quiet = fmt.exponent_mask | 1 << (fmt.mantissa - 1)
    kept = e.and_(payload, e.constant((1 << (fmt.mantissa - 1)) - 1, payload.type))
    return e.from_bits(e.or_(kept, e.constant(quiet, payload.type)), type)


RULES: dict[str, Rule] = {
    "ilogb": _ilogb,
    "logb": _logb,
    "frexp": _frexp,
    "ldexp": _ldexp,
    "nextafter": _nextafter,
    "nan": _nan,
}
