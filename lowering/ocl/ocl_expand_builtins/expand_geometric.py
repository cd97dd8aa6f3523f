"""Geometric functions (OpenCL 1.2, section 6.12.5); sums run from the first element to the last."""

from __future__ import annotations

from functools import reduce

from xdsl.dialects import math
from xdsl.ir import SSAValue

from polycl.dialects.vec import count_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule


def _dot(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """((x0*y0 + x1*y1) + x2*y2) + x3*y3."""
    return reduce(e.addf, e.elements(e.mulf(x, y)))


def _length(e: Build, x: SSAValue) -> SSAValue:
    """sqrt(dot(x, x))."""
    return e.emit(math.SqrtOp(_dot(e, x, x)))


def _distance(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """length(x - y)."""
    return _length(e, e.subf(x, y))


def _normalize(e: Build, x: SSAValue) -> SSAValue:
    """x / length(x); a vector of length 0 stays as it is."""
    length = _length(e, x)
    is_zero = e.compare("oeq", length, e.constant(0.0, length.type))
    return e.select(is_zero, x, e.divf(x, e.splat(length, x.type)))


def _cross(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """(a1*b2 - a2*b1, a2*b0 - a0*b2, a0*b1 - a1*b0), and 0 as the fourth element."""
    a, b = ([e.element(value, i) for i in range(3)] for value in (x, y))
    parts = [e.subf(e.mulf(a[i], b[j]), e.mulf(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))]
    if count_of(x.type) == 4:
        parts.append(e.constant(0.0, parts[0].type))
    return e.joined(parts)


RULES: dict[str, Rule] = {
    "dot": _dot,
    "length": _length,
    "fast_length": _length,
    "distance": _distance,
    "fast_distance": _distance,
    "normalize": _normalize,
    "fast_normalize": _normalize,
    "cross": _cross,
}
