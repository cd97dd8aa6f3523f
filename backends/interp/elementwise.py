"""Steps that apply a scalar function to scalars or, element by element, to vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from polycl.backends.interp.codec import UnsupportedType
from polycl.backends.interp.floats import F16, F32, F64, Format
from polycl.backends.interp.integers import UndefinedOperation
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import Step, Translator


def element_of(type: Attribute) -> Attribute:
    """The element type of a vector, or the scalar itself."""
    return type.element_type if isinstance(type, VectorType) else type


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
