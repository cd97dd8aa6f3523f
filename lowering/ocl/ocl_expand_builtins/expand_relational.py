"""Relational functions (OpenCL 1.2, section 6.12.6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from xdsl.ir import SSAValue

from polycl.lowering.build import Build, is_float
from polycl.lowering.ocl.float_format import float_format
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule, Types, Values


def _isfinite(e: Build, args: Values, _: Types) -> Values:
    """|x| < inf."""
    (x,) = args
    return [e.compare("olt", e.absf(x), e.constant(float("inf"), x.type))]


def _isinf(e: Build, args: Values, _: Types) -> Values:
    """|x| = inf."""
    return [e.is_infinite(args[0])]


def _isnormal(e: Build, args: Values, _: Types) -> Values:
    """smallest normal <= |x| < inf."""
    (x,) = args
    size = e.absf(x)
    smallest = e.constant(float_format(x.type).smallest_normal, x.type)
    is_finite = e.compare("olt", size, e.constant(float("inf"), x.type))
    return [e.and_(e.compare("oge", size, smallest), is_finite)]


def _signbit(e: Build, args: Values, _: Types) -> Values:
    """Whether the uppermost bit is set, of NaN too."""
    return [e.is_negative(e.bits(args[0]))]


def _reduction(combine: Callable[[Build], Callable[[SSAValue, SSAValue], SSAValue]]) -> Rule:
    def rule(e: Build, args: Values, _: Types) -> Values:
        """The uppermost bits of all elements, combined."""
        return [reduce(combine(e), e.elements(e.is_negative(args[0])))]

    return rule


def _bitselect(e: Build, args: Values, _: Types) -> Values:
    """(a & ~mask) | (b & mask)."""
    type = args[0].type
    a, b, mask = (e.bits(value) if is_float(type) else value for value in args)
    chosen = e.or_(e.and_(a, e.not_(mask)), e.and_(b, mask))
    return [e.from_bits(chosen, type) if is_float(type) else chosen]


RULES: dict[str, Rule] = {
    "isfinite": _isfinite,
    "isinf": _isinf,
    "isnormal": _isnormal,
    "signbit": _signbit,
    "any": _reduction(lambda e: e.or_),
    "all": _reduction(lambda e: e.and_),
    "bitselect": _bitselect,
}
