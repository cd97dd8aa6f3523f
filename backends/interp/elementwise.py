"""Steps that apply a scalar function to scalars or, element by element, to vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from polycl.backends.interp.codec import UnsupportedType, codec_of, reinterpret
from polycl.backends.interp.floats import F16, F32, F64, Format
from polycl.backends.interp.integers import UndefinedOperation
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects.vec import element_of

Maker: TypeAlias = Callable[[Any], Callable[..., Any]]
"""Gives the function that an operation applies to the values of its operands."""


def is_integer(type: Attribute) -> bool:
    """Whether the elements are integers or indices."""
    return isinstance(element_of(type), IntegerType | IndexType)


def width_of(type: Attribute) -> int:
    """The bits of an integer or index, or of a vector's elements."""
    match element_of(type):
        case IntegerType() as element:
            return element.width.data
        case IndexType():
            return 64
        case _:
            raise UnsupportedType(f"expected integers, got {type}")


def format_of(type: Attribute) -> Format:
    """The format of a float, or of a vector's elements."""
    match element_of(type):
        case Float16Type():
            return F16
        case Float32Type():
            return F32
        case Float64Type():
            return F64
        case _:
            raise UnsupportedType(f"the interpreter has no floats of type {type}")


def elementwise(op: Operation, t: Translator, function: Callable[..., Any]) -> Step:
    """`op` as `function` of its operands; on vectors for each element on its own."""
    if isinstance(op.results[0].type, VectorType):
        return whole(op, t, lambda *operands: tuple(map(function, *operands)))
    return whole(op, t, function)


def whole(op: Operation, t: Translator, function: Callable[..., Any]) -> Step:
    """`op` as `function` of its operands' values as they are; one result."""
    target = t.slot(op.results[0])
    sources = t.slots(op.operands)

    # One form for each number of operands: a call with *operands takes twice as long.
    match sources:
        case (a,):

            def step(frame: Frame) -> None:
                try:
                    frame[target] = function(frame[a])
                except UndefinedOperation as error:
                    raise run_error(op, frame[0], str(error)) from None

        case (a, b):

            def step(frame: Frame) -> None:
                try:
                    frame[target] = function(frame[a], frame[b])
                except UndefinedOperation as error:
                    raise run_error(op, frame[0], str(error)) from None

        case _:

            def step(frame: Frame) -> None:
                try:
                    frame[target] = function(*[frame[source] for source in sources])
                except UndefinedOperation as error:
                    raise run_error(op, frame[0], str(error)) from None

    return step


def two_results(op: Operation, t: Translator, function: Callable[..., tuple[Any, Any]]) -> Step:
    """`op` as `function` of its operands, which gives two results; on vectors for each element."""
    sources = t.slots(op.operands)
    first, second = t.slots(op.results)
    is_vector = isinstance(op.results[0].type, VectorType)

    def step(frame: Frame) -> None:
        values = [frame[source] for source in sources]
        if is_vector:
            frame[first], frame[second] = zip(*map(function, *values), strict=True)
        else:
            frame[first], frame[second] = function(*values)

    return step


def handlers(
    form: Callable[[Operation, Translator, Callable[..., Any]], Step],
    makers: Mapping[type[Operation], Maker],
) -> dict[type[Operation], OpHandler]:
    """The handlers that apply `form`, say `elementwise`, to the function of each operation."""

    def handler(make: Maker) -> OpHandler:
        return lambda op, t: form(op, t, make(op))

    return {op: handler(make) for op, make in makers.items()}


def on_integers(makers: Mapping[type[Operation], Callable[[int], Any]]) -> dict[Any, Maker]:
    """Functions that depend on the width of the result."""

    def maker(make: Callable[[int], Any]) -> Maker:
        return lambda op: make(width_of(op.results[0].type))

    return {op: maker(make) for op, make in makers.items()}


def on_floats(makers: Mapping[type[Operation], Callable[[Format], Any]]) -> dict[Any, Maker]:
    """Functions that depend on the format of the result."""

    def maker(make: Callable[[Format], Any]) -> Maker:
        return lambda op: make(format_of(op.results[0].type))

    return {op: maker(make) for op, make in makers.items()}


def bitcast(op: Operation, t: Translator) -> Step:
    """The same bytes as a value of the result's type."""
    return whole(op, t, reinterpret(op.operands[0].type, op.results[0].type))


def zero(op: Operation, t: Translator) -> None:
    """The value whose bytes are all zero."""
    t.constant(op.results[0], codec_of(op.results[0].type).zero)
