"""`ocl.builtin`: dispatch by name; geometric and relational functions (6.12.5, 6.12.6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from polycl.backends.interp.elementwise import (
    elementwise,
    format_of,
    is_integer,
    two_results,
    whole,
    width_of,
)
from polycl.backends.interp.floats import F32, Format, bits_of, from_bits
from polycl.backends.interp.ops.run_float_builtins import ONE_RESULT, TWO_RESULTS
from polycl.backends.interp.ops.run_integer_builtins import integer_builtin
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl
from polycl.errors import error_at

Vector: TypeAlias = Sequence[float]


def _dot(f: Format, x: Vector, y: Vector) -> float:
    """((x0*y0 + x1*y1) + x2*y2) + ..."""
    return reduce(f.add, map(f.mul, x, y))


def _fast_length(f: Format, x: Vector) -> float:
    return f.sqrt(_dot(f, x, x))


def _fast_distance(f: Format, x: Vector, y: Vector) -> float:
    return _fast_length(f, tuple(map(f.sub, x, y)))


def _fast_normalize(f: Format, x: Vector) -> Vector:
    length = _fast_length(f, x)
    return tuple(f.div(element, length) for element in x) if length != 0.0 else x


def _is_rare(f: Format, square: float) -> bool:
    """Whether a square of a length is none, or not exact: it overflows or underflows."""
    least, most = (2.0**-100, 2.0**127) if f.bits == 32 else (2.0**-900, 2.0**1023)
    return not least <= square <= most


def _powers(f: Format, x: Vector) -> tuple[float, float]:
    """Powers of 2, at least and at most 1: squares of `x` times both are in range."""
    exponents = (-50, 100, 62, -66) if f.bits == 32 else (-400, 600, 500, -600)
    low, raise_by, high, lower_by = (2.0**exponent for exponent in exponents)
    largest = max((abs(element) for element in x if element == element), default=math.nan)
    return raise_by if largest < low else 1.0, lower_by if largest > high else 1.0


def _length(f: Format, x: Vector) -> float:
    """The length, even where a square would overflow or underflow."""
    if f.bits < 32:
        return f.round(_length(F32, x))
    square = _dot(f, x, x)
    if not _is_rare(f, square):
        return f.sqrt(square)
    up, down = _powers(f, x)
    return f.div(_fast_length(f, tuple(f.mul(element, up * down) for element in x)), up * down)


def _distance(f: Format, x: Vector, y: Vector) -> float:
    return _length(f, tuple(map(f.sub, x, y)))


def _normalize(f: Format, x: Vector) -> Vector:
    """If an element is infinite, the others count as 0, and it as 1 with its sign."""
    if f.bits < 32:
        return tuple(map(f.round, _normalize(F32, x)))
    square = _dot(f, x, x)
    if not _is_rare(f, square):
        length = f.sqrt(square)
        if f.bits == 64:
            return tuple(f.div(element, length) for element in x)
        inverse = f.div(1.0, length)
        return tuple(f.mul(element, inverse) for element in x)
    finite = x
    if any(map(math.isinf, x)):
        finite = tuple(math.copysign(float(math.isinf(element)), element) for element in x)
    up, down = _powers(f, finite)
    raised = tuple(f.mul(element, up) for element in finite)
    length = _fast_length(f, tuple(f.mul(element, down) for element in raised))
    if length == 0.0:
        return x
    return tuple(f.mul(f.div(element, length), down) for element in raised)


def _cross(f: Format, a: Vector, b: Vector) -> Vector:
    pairs = ((1, 2), (2, 0), (0, 1))
    parts = tuple(f.sub(f.mul(a[i], b[j]), f.mul(a[j], b[i])) for i, j in pairs)
    return (*parts, 0.0) if len(a) == 4 else parts


# On whole vectors; a scalar is a vector of one element.
_TO_SCALAR: dict[str, Callable[..., float]] = {
    "dot": _dot,
    "length": _length,
    "fast_length": _fast_length,
    "distance": _distance,
    "fast_distance": _fast_distance,
}
_TO_VECTOR: dict[str, Callable[..., Vector]] = {
    "normalize": _normalize,
    "fast_normalize": _fast_normalize,
    "cross": _cross,
}


def _isnormal(f: Format) -> Callable[[float], bool]:
    smallest = math.ldexp(1.0, f.min_exponent)
    return lambda x: smallest <= abs(x) < math.inf


_CLASSIFY: dict[str, Callable[[Format], Callable[[float], bool]]] = {
    "isfinite": lambda _: math.isfinite,
    "isinf": lambda _: math.isinf,
    "isnormal": _isnormal,
    "signbit": lambda _: lambda x: math.copysign(1.0, x) < 0.0,
}


def _bitselect(type: Attribute) -> Callable[[Any, Any, Any], Any]:
    """Each bit of b where that of the mask is set, else that of a."""

    def select(a: int, b: int, mask: int) -> int:
        return (a & ~mask) | (b & mask)

    if is_integer(type):
        return select
    bits = format_of(type).bits
    return lambda *values: from_bits(select(*(bits_of(value, bits) for value in values)), bits)


def _builtin(op: ocl.BuiltinOp, t: Translator) -> Step:
    name, type = op.function.data, op.arguments[0].type
    if name in ("any", "all"):
        return _uppermost_bits(op, t, any if name == "any" else all)
    if name == "bitselect":
        return elementwise(op, t, _bitselect(type))
    if is_integer(type) and name != "nan":
        function = integer_builtin(name, width_of(type))
        if function is not None:
            return elementwise(op, t, function)
    else:
        return _float_builtin(op, t, name, format_of(op.res[0].type if name == "nan" else type))
    raise error_at(op, f"the interpreter does not know the builtin '{name}'")


def _float_builtin(op: ocl.BuiltinOp, t: Translator, name: str, f: Format) -> Step:
    if name in _CLASSIFY:
        return elementwise(op, t, _CLASSIFY[name](f))
    if name in _TO_SCALAR or name in _TO_VECTOR:
        return _geometric(op, t, name, f)
    if name in ONE_RESULT:
        return elementwise(op, t, ONE_RESULT[name](f))
    if name in TWO_RESULTS:
        return two_results(op, t, TWO_RESULTS[name](f))
    raise error_at(op, f"the interpreter does not know the builtin '{name}'")


def _uppermost_bits(op: ocl.BuiltinOp, t: Translator, combine: Callable[..., bool]) -> Step:
    type = op.arguments[0].type
    top = width_of(type) - 1
    if isinstance(type, VectorType):
        return whole(op, t, lambda x: combine(element >> top for element in x))
    return whole(op, t, lambda x: x >> top)


def _geometric(op: ocl.BuiltinOp, t: Translator, name: str, f: Format) -> Step:
    is_vector = isinstance(op.arguments[0].type, VectorType)

    def vectors(values: Sequence[Any]) -> Sequence[Vector]:
        return values if is_vector else [(value,) for value in values]

    if name in _TO_SCALAR:
        scalar = _TO_SCALAR[name]
        return whole(op, t, lambda *values: scalar(f, *vectors(values)))
    function = _TO_VECTOR[name]
    if is_vector:
        return whole(op, t, lambda *values: function(f, *values))
    return whole(op, t, lambda *values: function(f, *vectors(values))[0])


OPERATIONS: dict[type[Operation], OpHandler] = {ocl.BuiltinOp: _builtin}
