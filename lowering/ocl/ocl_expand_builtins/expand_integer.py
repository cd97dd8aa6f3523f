"""Integer functions (OpenCL 1.2, section 6.12.3).

Notation: w is the width of an element, MIN and MAX the limits of the type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import SSAValue

from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule


def _s_abs(e: Build, x: SSAValue) -> SSAValue:
    """x < 0 ? -x : x, which is MIN for MIN: its bits are those of the unsigned result."""
    return e.select(e.is_negative(x), e.neg(x), x)


def _abs_diff(e: Build, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
    """x > y ? x - y : y - x, modulo 2^w."""
    greater = e.compare("sgt" if signed else "ugt", x, y)
    return e.select(greater, e.sub(x, y), e.sub(y, x))


def _s_limit(e: Build, x: SSAValue) -> SSAValue:
    """x < 0 ? MIN : MAX."""
    width = width_of(x.type)
    return e.xor(e.shr(x, width - 1, signed=True), e.constant((1 << (width - 1)) - 1, x.type))


def _s_add_sat(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """The sum overflows where its sign differs from that of both operands."""
    total = e.add(x, y)
    overflow = e.is_negative(e.and_(e.xor(x, total), e.xor(y, total)))
    return e.select(overflow, _s_limit(e, x), total)


def _u_add_sat(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """The sum overflows where it is less than an operand."""
    total = e.add(x, y)
    return e.select(e.compare("ult", total, x), e.constant(-1, x.type), total)


def _s_sub_sat(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """The difference overflows where the signs differ and its own is not that of x."""
    difference = e.sub(x, y)
    overflow = e.is_negative(e.and_(e.xor(x, y), e.xor(x, difference)))
    return e.select(overflow, _s_limit(e, x), difference)


def _u_sub_sat(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """x < y ? 0 : x - y."""
    return e.select(e.compare("ult", x, y), e.constant(0, x.type), e.sub(x, y))


def _hadd(e: Build, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
    """(x + y) >> 1 = (x & y) + ((x ^ y) >> 1)."""
    return e.add(e.and_(x, y), e.shr(e.xor(x, y), 1, signed=signed))


def _rhadd(e: Build, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
    """(x + y + 1) >> 1 = (x | y) - ((x ^ y) >> 1)."""
    return e.sub(e.or_(x, y), e.shr(e.xor(x, y), 1, signed=signed))


def _mul_hi(e: Build, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
    """The upper w bits of the product of 2w bits."""
    width = width_of(x.type)
    if width <= 32:
        wide = [e.resize(value, 2 * width, signed=signed) for value in (x, y)]
        product = e.shr(e.mul(*wide), width, signed=signed)
        return e.resize(product, width, signed=signed)
    return _mul_hi_in_halves(e, x, y, signed=signed)


def _mul_hi_in_halves(e: Build, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
    """Schoolbook multiplication on halves of h = w/2 bits (Warren, Hacker's Delight, 8-2).

    x*y = x1*y1*2^w + (x1*y0 + x0*y1)*2^h + x0*y0, with x0, y0 unsigned.
    """
    half = width_of(x.type) // 2
    mask = e.constant((1 << half) - 1, x.type)
    x0, y0 = e.and_(x, mask), e.and_(y, mask)
    x1, y1 = e.shr(x, half, signed=signed), e.shr(y, half, signed=signed)
    low = e.shr(e.mul(x0, y0), half, signed=False)
    middle = e.add(e.mul(x1, y0), low)
    other = e.add(e.mul(x0, y1), e.and_(middle, mask))
    carried = e.add(e.shr(middle, half, signed=signed), e.shr(other, half, signed=signed))
    return e.add(e.mul(x1, y1), carried)


def _mad_hi(e: Build, a: SSAValue, b: SSAValue, c: SSAValue, *, signed: bool) -> SSAValue:
    """mul_hi(a, b) + c."""
    return e.add(_mul_hi(e, a, b, signed=signed), c)


def _mad_sat(e: Build, a: SSAValue, b: SSAValue, c: SSAValue, *, signed: bool) -> SSAValue:
    """a * b + c, saturated: in 2w bits, which hold it, then compared with the limits."""
    width = width_of(a.type)
    if width > 32:
        return _mad_sat_in_two(e, a, b, c, signed=signed)
    wide = [e.resize(value, 2 * width, signed=signed) for value in (a, b, c)]
    total = e.add(e.mul(wide[0], wide[1]), wide[2])
    bits = width - 1 if signed else width
    total = e.min(total, e.constant((1 << bits) - 1, total.type), signed=signed)
    if signed:
        total = e.max(total, e.constant(-(1 << bits), total.type), signed=True)
    return e.resize(total, width, signed=signed)


def _mad_sat_in_two(e: Build, a: SSAValue, b: SSAValue, c: SSAValue, *, signed: bool) -> SSAValue:
    """a * b + c as an upper and a lower word; it fits where the upper one only extends."""
    width = width_of(a.type)
    zero = e.constant(0, a.type)
    low = e.mul(a, b)
    total = e.add(low, c)
    carry = e.resize(e.compare("ult", total, low), width, signed=False)
    high = e.add(_mul_hi(e, a, b, signed=signed), carry)
    if not signed:
        return e.select(e.compare("ne", high, zero), e.constant(-1, a.type), total)
    high = e.add(high, e.shr(c, width - 1, signed=True))
    fits = e.compare("eq", high, e.shr(total, width - 1, signed=True))
    return e.select(fits, total, _s_limit(e, high))


def _mad24(e: Build, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
    """mul24(x, y) + z."""
    return e.add(e.mul(x, y), z)


def _rotate(e: Build, x: SSAValue, count: SSAValue) -> SSAValue:
    """x << (i mod w) | x >> (-i mod w)."""
    mask = e.constant(width_of(x.type) - 1, x.type)
    left, right = e.and_(count, mask), e.and_(e.neg(count), mask)
    return e.or_(e.shl(x, left), e.shr(x, right, signed=False))


def _upsample(e: Build, high: SSAValue, low: SSAValue) -> SSAValue:
    """hi << w | lo, in 2w bits."""
    width = width_of(high.type)
    high, low = (e.resize(value, 2 * width, signed=False) for value in (high, low))
    return e.or_(e.shl(high, width), low)


def _clamp(e: Build, x: SSAValue, low: SSAValue, high: SSAValue, *, signed: bool) -> SSAValue:
    """min(max(x, lo), hi)."""
    return e.min(e.max(x, low, signed=signed), high, signed=signed)


_BY_SIGN: dict[str, Callable[..., SSAValue]] = {
    "abs_diff": _abs_diff,
    "hadd": _hadd,
    "rhadd": _rhadd,
    "mul_hi": _mul_hi,
    "mad_hi": _mad_hi,
    "mad_sat": _mad_sat,
    "clamp": _clamp,
}

RULES: dict[str, Rule] = {
    **{f"s_{name}": partial(rule, signed=True) for name, rule in _BY_SIGN.items()},
    **{f"u_{name}": partial(rule, signed=False) for name, rule in _BY_SIGN.items()},
    "s_abs": _s_abs,
    "s_add_sat": _s_add_sat,
    "u_add_sat": _u_add_sat,
    "s_sub_sat": _s_sub_sat,
    "u_sub_sat": _u_sub_sat,
    # Defined for operands of 24 bits only, for which the product is the same.
    "s_mul24": Build.mul,
    "u_mul24": Build.mul,
    "s_mad24": _mad24,
    "u_mad24": _mad24,
    "rotate": _rotate,
    "upsample": _upsample,
}
