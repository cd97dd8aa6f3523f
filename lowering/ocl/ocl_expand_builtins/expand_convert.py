"""`convert_*` with saturation and rounding modes (OpenCL 1.2, section 6.2.3), exactly.

Between integers no rounding happens; saturation clamps. From a float, the float is rounded to an
integer first; with saturation, a value out of range gives the limit and NaN gives 0, without it
the result is undefined. Toward a float, `arith` rounds to nearest even; the other modes correct
that by one step of the bit pattern, since neighbouring floats have neighbouring bits.
"""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.dialects.builtin import Float16Type, f32
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import Rounding
from polycl.dialects.vec import element_of, same_shape, width_of
from polycl.lowering.build import Build, is_float
from polycl.lowering.ocl.float_format import float_format

_TO_INTEGRAL = {
    Rounding.RTE: math.RoundEvenOp,
    Rounding.RTP: math.CeilOp,
    Rounding.RTN: math.FloorOp,
    Rounding.RTZ: math.TruncOp,
}


def expand_convert(e: Build, op: ocl.ConvertOp) -> SSAValue:
    """The converted value."""
    source, target = op.source, op.result.type
    saturate = op.saturate is not None
    from_signed, to_signed = op.from_unsigned is None, op.to_unsigned is None
    rounding = op.rounding.data if op.rounding is not None else None
    match is_float(source.type), is_float(target):
        case False, False:
            return _int_to_int(e, source, width_of(target), from_signed, to_signed, saturate)
        case True, False:
            mode = rounding or Rounding.RTZ
            return _float_to_int(e, source, width_of(target), mode, to_signed, saturate)
        case False, _:
            mode = rounding or Rounding.RTE
            return _int_to_float(e, source, op, mode, from_signed)
        case _:
            return _float_to_float(e, source, op, rounding or Rounding.RTE)


def _limits(width: int, signed: bool) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    if signed:
        return -(1 << (width - 1)), (1 << (width - 1)) - 1
    return 0, (1 << width) - 1


def _int_to_int(
    e: Build, x: SSAValue, width: int, from_signed: bool, to_signed: bool, saturate: bool
) -> SSAValue:
    """Clamp in the source type to the range of the target type, then extend or truncate."""
    if saturate:
        low, high = _limits(width_of(x.type), from_signed)
        target_low, target_high = _limits(width, to_signed)
        if target_low > low:
            x = e.max(x, e.constant(target_low, x.type), signed=from_signed)
        if target_high < high:
            x = e.min(x, e.constant(target_high, x.type), signed=from_signed)
    return e.resize(x, width, signed=from_signed)


def _float_to_int(
    e: Build, x: SSAValue, width: int, mode: Rounding, signed: bool, saturate: bool
) -> SSAValue:
    """Round; for saturation, replace values out of range before and after the conversion.

    The limits are low (exact) and high + 1 (a power of two, so exact too); f16 does not reach
    them and is widened.
    """
    if isinstance(element_of(x.type), Float16Type):
        x = e.to_float(x, f32)
    if mode != Rounding.RTZ or saturate:
        x = e.emit(_TO_INTEGRAL[mode](x))
    if not saturate:
        return e.float_to_int(x, width, signed=signed)
    low, high = _limits(width, signed)
    above = e.compare("oge", x, e.constant(float(high + 1), x.type))
    below = e.compare("olt", x, e.constant(float(low), x.type))
    outside = e.or_(e.or_(above, below), e.is_nan(x))
    inside = e.select(outside, e.constant(0.0, x.type), x)
    result = e.float_to_int(inside, width, signed=signed)
    result = e.select(above, e.constant(high, result.type), result)
    return e.select(below, e.constant(low, result.type), result)


def _int_to_float(
    e: Build, x: SSAValue, op: ocl.ConvertOp, mode: Rounding, signed: bool
) -> SSAValue:
    """Directed modes: convert the upper bits, which is exact, then step over the lower ones.

    With p the precision of the float, |x| is cut to its p uppermost bits; where bits are lost
    and the mode goes away from zero, the next float is the result. An f16 is made from the f32
    that the same mode gives: the values of f16 are a part of those of f32.
    """
    element = element_of(op.result.type)
    if mode == Rounding.RTE:
        return e.int_to_float(x, element, signed=signed)
    if isinstance(element, Float16Type):
        single = _directed_int_to_float(e, x, f32, mode, signed)
        return _directed_narrowing(e, single, element, mode)
    return _directed_int_to_float(e, x, element, mode, signed)


def _directed_int_to_float(
    e: Build, x: SSAValue, element: Attribute, mode: Rounding, signed: bool
) -> SSAValue:
    width, precision = width_of(x.type), float_format(element).mantissa + 1
    if width - signed <= precision:
        return e.int_to_float(x, element, signed=signed)
    zero = e.constant(0, x.type)
    negative = e.is_negative(x) if signed else None
    size = x if negative is None else e.select(negative, e.neg(x), x)
    extra = e.sub(e.constant(width - precision, x.type), e.leading_zeros(size))
    extra = e.max(extra, zero, signed=True)
    ones = e.constant(-1, x.type)
    lost = e.and_(size, e.not_(e.shl(ones, extra)))
    kept = e.int_to_float(e.xor(size, lost), element, signed=False)
    is_inexact = e.compare("ne", lost, zero)
    if mode == Rounding.RTZ:
        result = kept
    elif negative is None:
        result = _step(e, kept, is_inexact, up=True) if mode == Rounding.RTP else kept
    else:
        away = negative if mode == Rounding.RTN else e.not_(negative)
        result = _step(e, kept, e.and_(is_inexact, away), up=True)
    if negative is None:
        return result
    return e.select(negative, e.negf(result), result)


def _step(e: Build, x: SSAValue, where: SSAValue, *, up: bool) -> SSAValue:
    """The neighbour of greater (less) magnitude where the condition holds."""
    bits = e.bits(x)
    moved = (e.add if up else e.sub)(bits, e.constant(1, bits.type))
    return e.from_bits(e.select(where, moved, bits), x.type)


def _float_to_float(e: Build, x: SSAValue, op: ocl.ConvertOp, mode: Rounding) -> SSAValue:
    """Only narrowing rounds."""
    element = element_of(op.result.type)
    if mode == Rounding.RTE or width_of(element) >= width_of(x.type):
        return e.to_float(x, element)
    return _directed_narrowing(e, x, element, mode)


def _directed_narrowing(e: Build, x: SSAValue, element: Attribute, mode: Rounding) -> SSAValue:
    """Narrow to nearest even, widen again, and step back where the result is on the wrong side.

    An overflow to infinity steps back to the largest finite number. NaN compares false.
    """
    y = e.to_float(x, element)
    back = e.to_float(y, element_of(x.type))
    if mode == Rounding.RTZ:
        return _step(e, y, e.compare("ogt", e.absf(back), e.absf(x)), up=False)
    wrong = e.compare("olt" if mode == Rounding.RTP else "ogt", back, x)
    bits = e.bits(y)
    one = e.constant(1, bits.type)
    grows = e.is_negative(bits) if mode == Rounding.RTN else e.not_(e.is_negative(bits))
    moved = e.select(grows, e.add(bits, one), e.sub(bits, one))
    type = same_shape(element, x.type)
    return e.from_bits(e.select(wrong, moved, bits), type)
