"""Geometric functions (OpenCL 1.2, section 6.12.5); sums run from the first element to the last."""

from __future__ import annotations

from functools import reduce

from xdsl.dialects import math
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from polycl.dialects.vec import count_of, element_of, width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule


def _dot(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """((x0*y0 + x1*y1) + x2*y2) + x3*y3."""
    return reduce(e.addf, e.elements(e.mulf(x, y)))


def _fast_length(e: Build, x: SSAValue) -> SSAValue:
    """sqrt(dot(x, x)), which overflows if a square does."""
    return e.emit(math.SqrtOp(_dot(e, x, x)))


def _fast_distance(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    return _fast_length(e, e.subf(x, y))


def _fast_normalize(e: Build, x: SSAValue) -> SSAValue:
    """x / fast_length(x); a vector of length 0 stays as it is."""
    length = _fast_length(e, x)
    is_zero = e.compare("oeq", length, e.constant(0.0, length.type))
    return e.select(is_zero, x, e.divf(x, e.splat(length, x.type)))


def _is_rare(e: Build, square: SSAValue) -> SSAValue:
    """Whether a square of a length is none, or not exact: it overflows or underflows."""
    least, most = (2.0**-100, 2.0**127) if width_of(square.type) == 32 else (2.0**-900, 2.0**1023)
    is_small = e.compare("ult", square, e.constant(least, square.type))
    return e.or_(is_small, e.compare("ugt", square, e.constant(most, square.type)))


def _powers(e: Build, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Powers of 2, at least and at most 1: squares of `x` times both are in range."""
    exponents = (-50, 100, 62, -66) if width_of(x.type) == 32 else (-400, 600, 500, -600)
    type = element_of(x.type)
    low, raise_by, high, lower_by, one = (
        e.constant(2.0**exponent, type) for exponent in (*exponents, 0)
    )
    largest = reduce(e.maxf, e.elements(e.absf(x)))
    up = e.select(e.compare("olt", largest, low), raise_by, one)
    down = e.select(e.compare("ogt", largest, high), lower_by, one)
    return e.splat(up, x.type), e.splat(down, x.type)


def _length(e: Build, x: SSAValue) -> SSAValue:
    """sqrt(dot(x, x)); where that overflows or underflows, of `x` times a power of 2."""
    if width_of(x.type) < 32:
        return e.to_float(_length(e, e.to_float(x, f32)), element_of(x.type))

    def rare() -> list[SSAValue]:
        power = e.mulf(*_powers(e, x))
        return [e.divf(_fast_length(e, e.mulf(x, power)), e.element(power, 0))]

    square = _dot(e, x, x)
    usual = e.emit(math.SqrtOp(square))
    return e.choose(_is_rare(e, square), rare, lambda: [usual])[0]


def _distance(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    return _length(e, e.subf(x, y))


def _normalize(e: Build, x: SSAValue) -> SSAValue:
    """x / length(x), of floats x * (1 / length(x)); a vector of length 0 stays as it is. If an
    element is infinite, the others count as 0, and the infinite ones as 1 with their sign."""
    if width_of(x.type) < 32:
        return e.to_float(_normalize(e, e.to_float(x, f32)), element_of(x.type))

    def rare() -> list[SSAValue]:
        one, zero = (e.constant(value, x.type) for value in (1.0, 0.0))
        signs = e.copysign(e.select(e.is_infinite(x), one, zero), x)
        is_infinite = e.is_infinite(reduce(e.maxf, e.elements(e.absf(x))))
        finite = e.select(is_infinite, signs, x)
        up, down = _powers(e, finite)
        raised = e.mulf(finite, up)
        length = e.splat(_fast_length(e, e.mulf(raised, down)), x.type)
        # Small elements times `down` may not be in range; the quotient is.
        normalized = e.mulf(e.divf(raised, length), down)
        return [e.select(e.compare("oeq", length, zero), x, normalized)]

    square = _dot(e, x, x)
    length = e.emit(math.SqrtOp(square))
    if width_of(x.type) == 64:
        usual = e.divf(x, e.splat(length, x.type))
    else:
        inverse = e.divf(e.constant(1.0, square.type), length)
        usual = e.mulf(x, e.splat(inverse, x.type))
    return e.choose(_is_rare(e, square), rare, lambda: [usual])[0]


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
    "fast_length": _fast_length,
    "distance": _distance,
    "fast_distance": _fast_distance,
    "normalize": _normalize,
    "fast_normalize": _fast_normalize,
    "cross": _cross,
}
