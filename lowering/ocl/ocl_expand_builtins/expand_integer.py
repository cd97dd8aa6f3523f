"""Integer functions (OpenCL 1.2, section 6.12.3).

Notation: w is the width of an element, MIN and MAX the limits of the type.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from polycl.lowering.build import Build, width_of
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule, Types, Values


def _s_abs(e: Build, args: Values, _: Types) -> Values:
    """x < 0 ? -x : x, which is MIN for MIN: its bits are those of the unsigned result."""
    (x,) = args
    return [e.select(e.is_negative(x), e.neg(x), x)]


def _abs_diff(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """x > y ? x - y : y - x, modulo 2^w."""
        x, y = args
        greater = e.compare("sgt" if signed else "ugt", x, y)
        return [e.select(greater, e.sub(x, y), e.sub(y, x))]

    return rule


def _s_limit(e: Build, x: SSAValue) -> SSAValue:
    """x < 0 ? MIN : MAX."""
    width = width_of(x.type)
    return e.xor(e.shr(x, width - 1, signed=True), e.constant((1 << (width - 1)) - 1, x.type))


def _s_add_sat(e: Build, args: Values, _: Types) -> Values:
    """The sum overflows where its sign differs from that of both operands."""
    x, y = args
    total = e.add(x, y)
    overflow = e.is_negative(e.and_(e.xor(x, total), e.xor(y, total)))
    return [e.select(overflow, _s_limit(e, x), total)]


def _u_add_sat(e: Build, args: Values, _: Types) -> Values:
    """The sum overflows where it is less than an operand."""
    x, y = args
    total = e.add(x, y)
    return [e.select(e.compare("ult", total, x), e.constant(-1, x.type), total)]


def _s_sub_sat(e: Build, args: Values, _: Types) -> Values:
    """The difference overflows where the signs differ and its own is not that of x."""
    x, y = args
    difference = e.sub(x, y)
    overflow = e.is_negative(e.and_(e.xor(x, y), e.xor(x, difference)))
    return [e.select(overflow, _s_limit(e, x), difference)]


def _u_sub_sat(e: Build, args: Values, _: Types) -> Values:
    """x < y ? 0 : x - y."""
    x, y = args
    return [e.select(e.compare("ult", x, y), e.constant(0, x.type), e.sub(x, y))]


def _hadd(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """(x + y) >> 1 = (x & y) + ((x ^ y) >> 1)."""
        x, y = args
        return [e.add(e.and_(x, y), e.shr(e.xor(x, y), 1, signed=signed))]

    return rule


def _rhadd(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """(x + y + 1) >> 1 = (x | y) - ((x ^ y) >> 1)."""
        x, y = args
        return [e.sub(e.or_(x, y), e.shr(e.xor(x, y), 1, signed=signed))]

    return rule


def mul_hi(e: Build, x: SSAValue, y: SSAValue, *, signed: bool) -> SSAValue:
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


def _mul_hi(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        x, y = args
        return [mul_hi(e, x, y, signed=signed)]

    return rule


def _mad_hi(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """mul_hi(a, b) + c."""
        a, b, c = args
        return [e.add(mul_hi(e, a, b, signed=signed), c)]

    return rule


def _mad_sat(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """a * b + c, saturated: in 2w bits, which hold it, then compared with the limits."""
        a, b, c = args
        width = width_of(a.type)
        if width > 32:
            return [_mad_sat_in_two(e, a, b, c, signed=signed)]
        wide = [e.resize(value, 2 * width, signed=signed) for value in args]
        total = e.add(e.mul(wide[0], wide[1]), wide[2])
        bits = width - 1 if signed else width
        total = e.min(total, e.constant((1 << bits) - 1, total.type), signed=signed)
        if signed:
            total = e.max(total, e.constant(-(1 << bits), total.type), signed=True)
        return [e.resize(total, width, signed=signed)]

    return rule


def _mad_sat_in_two(e: Build, a: SSAValue, b: SSAValue, c: SSAValue, *, signed: bool) -> SSAValue:
    """a * b + c as an upper and a lower word; it fits where the upper one only extends."""
    width = width_of(a.type)
    zero = e.constant(0, a.type)
    low = e.mul(a, b)
    total = e.add(low, c)
    carry = e.resize(e.compare("ult", total, low), width, signed=False)
    high = e.add(mul_hi(e, a, b, signed=signed), carry)
    if not signed:
        return e.select(e.compare("ne", high, zero), e.constant(-1, a.type), total)
    high = e.add(high, e.shr(c, width - 1, signed=True))
    fits = e.compare("eq", high, e.shr(total, width - 1, signed=True))
    return e.select(fits, total, _s_limit(e, high))


def _mul24(e: Build, args: Values, _: Types) -> Values:
    """x * y: defined for operands of 24 bits only, for which the product is the same."""
    x, y = args
    return [e.mul(x, y)]


def _mad24(e: Build, args: Values, _: Types) -> Values:
    """mul24(x, y) + z."""
    x, y, z = args
    return [e.add(e.mul(x, y), z)]


def _rotate(e: Build, args: Values, _: Types) -> Values:
    """x << (i mod w) | x >> (-i mod w)."""
    x, count = args
    mask = e.constant(width_of(x.type) - 1, x.type)
    left, right = e.and_(count, mask), e.and_(e.neg(count), mask)
    return [e.or_(e.shl(x, left), e.shr(x, right, signed=False))]


def _upsample(e: Build, args: Values, _: Types) -> Values:
    """hi << w | lo, in 2w bits."""
    width = width_of(args[0].type)
    high, low = (e.resize(value, 2 * width, signed=False) for value in args)
    return [e.or_(e.shl(high, width), low)]


def _clamp(signed: bool) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """min(max(x, lo), hi)."""
        x, low, high = args
        return [e.min(e.max(x, low, signed=signed), high, signed=signed)]

    return rule


RULES: dict[str, Rule] = {
    "s_abs": _s_abs,
    "s_abs_diff": _abs_diff(True),
    "u_abs_diff": _abs_diff(False),
    "s_add_sat": _s_add_sat,
    "u_add_sat": _u_add_sat,
    "s_sub_sat": _s_sub_sat,
    "u_sub_sat": _u_sub_sat,
    "s_hadd": _hadd(True),
    "u_hadd": _hadd(False),
    "s_rhadd": _rhadd(True),
    "u_rhadd": _rhadd(False),
    "s_mul_hi": _mul_hi(True),
    "u_mul_hi": _mul_hi(False),
    "s_mad_hi": _mad_hi(True),
    "u_mad_hi": _mad_hi(False),
    "s_mad_sat": _mad_sat(True),
    "u_mad_sat": _mad_sat(False),
    "s_mul24": _mul24,
    "u_mul24": _mul24,
    "s_mad24": _mad24,
    "u_mad24": _mad24,
    "rotate": _rotate,
    "upsample": _upsample,
    "s_clamp": _clamp(True),
    "u_clamp": _clamp(False),
}
