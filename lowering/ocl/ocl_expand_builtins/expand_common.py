"""Common functions (OpenCL 1.2, section 6.12.4); each operation rounds to the type."""

from __future__ import annotations

import math

from xdsl.ir import SSAValue

from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule


def clamp(e: Build, x: SSAValue, low: SSAValue, high: SSAValue) -> SSAValue:
    """fmin(fmax(x, lo), hi)."""
    return e.minf(e.maxf(x, low), high)


def _mix(e: Build, x: SSAValue, y: SSAValue, a: SSAValue) -> SSAValue:
    """x + (y - x) * a."""
    return e.addf(x, e.mulf(e.subf(y, x), a))


def _degrees(e: Build, x: SSAValue) -> SSAValue:
    """x * (180 / pi)."""
    return e.mulf(x, e.constant(180 / math.pi, x.type))


def _radians(e: Build, x: SSAValue) -> SSAValue:
    """x * (pi / 180)."""
    return e.mulf(x, e.constant(math.pi / 180, x.type))


def _step(e: Build, edge: SSAValue, x: SSAValue) -> SSAValue:
    """x < edge ? 0 : 1."""
    zero, one = e.constant(0.0, x.type), e.constant(1.0, x.type)
    return e.select(e.compare("olt", x, edge), zero, one)


def _smoothstep(e: Build, edge0: SSAValue, edge1: SSAValue, x: SSAValue) -> SSAValue:
    """t * t * (3 - 2 * t) with t = clamp((x - edge0) / (edge1 - edge0), 0, 1)."""
    zero, one = e.constant(0.0, x.type), e.constant(1.0, x.type)
    two, three = e.constant(2.0, x.type), e.constant(3.0, x.type)
    t = clamp(e, e.divf(e.subf(x, edge0), e.subf(edge1, edge0)), zero, one)
    return e.mulf(e.mulf(t, t), e.subf(three, e.mulf(two, t)))


def _sign(e: Build, x: SSAValue) -> SSAValue:
    """x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0, which keeps the sign of zero and gives 0 for NaN."""
    zero = e.constant(0.0, x.type)
    result = e.select(e.is_nan(x), zero, x)
    result = e.select(e.compare("olt", x, zero), e.constant(-1.0, x.type), result)
    return e.select(e.compare("ogt", x, zero), e.constant(1.0, x.type), result)


RULES: dict[str, Rule] = {
    "clamp": clamp,
    "mix": _mix,
    "degrees": _degrees,
    "radians": _radians,
    "step": _step,
    "smoothstep": _smoothstep,
    "sign": _sign,
}
