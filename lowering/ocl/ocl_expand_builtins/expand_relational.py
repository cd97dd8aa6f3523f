"""Relational functions (OpenCL 1.2, section 6.12.6)."""

from __future__ import annotations

from functools import reduce

from xdsl.ir import SSAValue

from polycl.lowering.build import Build, is_float
from polycl.lowering.ocl.float_format import float_format
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule


def _isfinite(e: Build, x: SSAValue) -> SSAValue:
    """|x| < inf."""
    return e.compare("olt", e.absf(x), e.constant(float("inf"), x.type))


def _isnormal(e: Build, x: SSAValue) -> SSAValue:
    """smallest normal <= |x| < inf."""
    size = e.absf(x)
    smallest = e.constant(float_format(x.type).smallest_normal, x.type)
    is_finite = e.compare("olt", size, e.constant(float("inf"), x.type))
    return e.and_(e.compare("oge", size, smallest), is_finite)


def _signbit(e: Build, x: SSAValue) -> SSAValue:
    """Whether the uppermost bit is set, of NaN too."""
    return e.is_negative(e.bits(x))


def _any(e: Build, x: SSAValue) -> SSAValue:
    """The uppermost bits of all elements, combined by `or`."""
    return reduce(e.or_, e.elements(e.is_negative(x)))


def _all(e: Build, x: SSAValue) -> SSAValue:
    return reduce(e.and_, e.elements(e.is_negative(x)))


def _bitselect(e: Build, a: SSAValue, b: SSAValue, mask: SSAValue) -> SSAValue:
    """(a & ~mask) | (b & mask)."""
    type = a.type
    a, b, mask = (e.bits(value) if is_float(type) else value for value in (a, b, mask))
    chosen = e.or_(e.and_(a, e.not_(mask)), e.and_(b, mask))
    return e.from_bits(chosen, type) if is_float(type) else chosen


RULES: dict[str, Rule] = {
    "isfinite": _isfinite,
    "isinf": Build.is_infinite,
    "isnormal": _isnormal,
    "signbit": _signbit,
    "any": _any,
    "all": _all,
    "bitselect": _bitselect,
}
