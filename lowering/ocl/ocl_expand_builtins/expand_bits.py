"""Bit fields and dot products of bytes (cl_khr_extended_bit_ops, cl_khr_integer_dot_product)."""

from __future__ import annotations

from functools import partial

from xdsl.ir import SSAValue

from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule


def _bit_reverse(e: Build, x: SSAValue) -> SSAValue:
    """Neighbouring groups of 1, 2, 4, ... bits change places."""
    width = width_of(x.type)
    size = 1
    while size < width:
        mask = sum(((1 << size) - 1) << at for at in range(0, width, 2 * size))
        lower = e.constant(mask, x.type)
        high = e.and_(e.shr(x, size, signed=False), lower)
        x = e.or_(high, e.shl(e.and_(x, lower), size))
        size *= 2
    return x


def _amount(e: Build, x: SSAValue, number: SSAValue) -> SSAValue:
    """A number of bits, modulo the width of x, in the type of x."""
    width = width_of(x.type)
    return e.and_(e.resize(number, width, signed=False), e.constant(width - 1, x.type))


def _low_bits(e: Build, x: SSAValue, count: SSAValue) -> SSAValue:
    """2^count - 1, in the type of x."""
    ones = e.constant(-1, x.type)
    mask = e.shr(ones, _amount(e, x, e.neg(count)), signed=False)
    none = e.compare("eq", count, e.constant(0, count.type))
    return e.select(none, e.constant(0, x.type), mask)


def _insert(e: Build, base: SSAValue, field: SSAValue, at: SSAValue, count: SSAValue) -> SSAValue:
    """base & ~mask | field << at & mask."""
    offset = _amount(e, base, at)
    mask = e.shl(_low_bits(e, base, count), offset)
    return e.or_(e.and_(base, e.not_(mask)), e.and_(e.shl(field, offset), mask))


def _extract_unsigned(e: Build, base: SSAValue, at: SSAValue, count: SSAValue) -> SSAValue:
    """base >> at & mask."""
    field = e.shr(base, _amount(e, base, at), signed=False)
    return e.and_(field, _low_bits(e, base, count))


def _extract_signed(e: Build, base: SSAValue, at: SSAValue, count: SSAValue) -> SSAValue:
    """The field, moved to the top of the word and back."""
    above = _amount(e, base, e.neg(e.add(at, count)))
    field = e.shr(e.shl(base, above), _amount(e, base, e.neg(count)), signed=True)
    none = e.compare("eq", count, e.constant(0, count.type))
    return e.select(none, e.constant(0, base.type), field)


def _dot(e: Build, x: SSAValue, y: SSAValue, *, signs: str) -> SSAValue:
    """The sum of the four products; no product and no sum overflows."""
    total: SSAValue | None = None
    for up in (24, 16, 8, 0):
        fields = [
            e.shr(e.shl(value, up) if up else value, 24, signed=sign == "s")
            for value, sign in zip((x, y), signs, strict=True)
        ]
        product = e.mul(*fields)
        total = product if total is None else e.add(total, product)
    assert total is not None
    return total


RULES: dict[str, Rule] = {
    "bit_reverse": _bit_reverse,
    "bitfield_extract_signed": _extract_signed,
    "bitfield_extract_unsigned": _extract_unsigned,
    "bitfield_insert": _insert,
    "dot_4x8packed_ss_int": partial(_dot, signs="ss"),
    "dot_4x8packed_su_int": partial(_dot, signs="su"),
    "dot_4x8packed_us_int": partial(_dot, signs="us"),
    "dot_4x8packed_uu_uint": partial(_dot, signs="uu"),
}
