"""Types in the annotations of programs: `f32`, `Array[f32, M, K]`, `Vector[f32, 4]`.

A type checker sees each type as that of values, and `Array[f32, N]` as annotated, so that sizes may
be any expressions (as in jaxtyping).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import GenericAlias
from typing import TYPE_CHECKING, Any, get_args, get_origin

from xdsl.dialects import builtin
from xdsl.dialects.builtin import TupleType, VectorType
from xdsl.ir import Attribute, TypeAttribute

from polycl.dialects.pattern import ArrayType, SizeAttr, array
from polycl.dialects.pattern.types import is_element, is_scalar
from polycl.frontends.pattern.places import error_here
from polycl.frontends.pattern.sizes import Size, nat_of

if TYPE_CHECKING:
    from polycl.frontends.pattern.values import Value


@dataclass(frozen=True)
class Type:
    """A type of the dialect, with what its sizes assume."""

    attribute: TypeAttribute
    assumptions: Mapping[str, SizeAttr] = field(default_factory=dict[str, SizeAttr])

    def __str__(self) -> str:
        return type_text(self.attribute)


class Scalar(Type):
    """The type of a number. As a function it makes a number of this type, or converts to it."""

    def __call__(self, value: Any) -> Value:
        # Late: conversions are made of types.
        from polycl.frontends.pattern.arithmetic import convert

        return convert(value, self.attribute)


class _Array:
    """`Array[f32, M, K]`: M rows of K elements."""

    def __getitem__(self, parameters: Any) -> Type:
        given = parameters if isinstance(parameters, tuple) else (parameters,)
        if len(given) < 2:
            raise error_here("expected an element type and sizes, as in Array[f32, N]")
        element, *sizes = given
        found = type_of(element)
        if not is_element(found.attribute):
            raise error_here(f"an array cannot have elements of type {found}")
        assumptions, attribute = dict(found.assumptions), found.attribute
        for size in reversed(sizes):
            if isinstance(size, Type):
                raise error_here(
                    f"expected a size after the element type, got the type {size}; "
                    "the element type comes first: Array[f32, N]"
                )
            amount = nat_of(size)
            if amount.is_constant and (amount.denominator != 1 or amount.value < 1):
                raise error_here(f"expected a size of at least 1, got {amount}")
            attribute = array(amount, attribute)
            assumptions |= size.assumptions if isinstance(size, Size) else {}
        return Type(attribute, assumptions)


class _Vector:
    """`Vector[f32, 4]`: four numbers that one operation computes."""

    def __getitem__(self, parameters: tuple[Any, int]) -> Type:
        element, width = parameters
        found = type_of(element)
        if not is_scalar(found.attribute) or not isinstance(width, int) or width < 2:
            raise error_here("expected a scalar type and 2 or more of them, as in Vector[f32, 4]")
        return Type(VectorType(found.attribute, [width]))


def type_of(annotation: Any) -> Type:
    """The type that an annotation specifies. Raises SourceError."""
    if isinstance(annotation, Type):
        return annotation
    if isinstance(annotation, GenericAlias) and get_origin(annotation) is tuple:
        parts = [type_of(part) for part in get_args(annotation)]
        assumptions = {name: a for part in parts for name, a in part.assumptions.items()}
        return Type(TupleType(tuple(part.attribute for part in parts)), assumptions)
    remedy = {float: "f32", int: "i32", bool: "i1"}.get(annotation, "f32, i32 or Array[f32, N]")
    name = getattr(annotation, "__name__", repr(annotation))
    raise error_here(f"expected a type of polycl.pattern, got {name}; write {remedy}")


def type_text(type: Attribute) -> str:
    """A type as the user writes it."""
    match type:
        case ArrayType():
            sizes: list[str] = []
            while isinstance(type, ArrayType):
                sizes.append(str(type.size))
                type = type.element_type
            return f"Array[{', '.join([type_text(type), *sizes])}]"
        case TupleType():
            return f"tuple[{', '.join(map(type_text, type.types))}]"
        case VectorType():
            return f"Vector[{type_text(type.element_type)}, {type.get_shape()[0]}]"
        case _:
            return str(type)


def in_python(message: str) -> str:
    """A message with types of the IR as the user writes them."""
    pattern = re.compile(r"!pattern\.array<([^<>]*)>|tuple<([^<>]*)>|vector<(\d+)x(\w+)>")

    def written(match: re.Match[str]) -> str:
        array, parts, width, scalar = match.groups()
        if array is not None:
            *sizes, element = _outside_of_brackets(array)
            if element.startswith("Array["):
                element, *inner = _outside_of_brackets(element.removeprefix("Array[")[:-1])
                sizes += inner
            return f"Array[{', '.join([element, *sizes])}]"
        return f"tuple[{parts}]" if parts is not None else f"Vector[{scalar}, {width}]"

    before = ""
    while before != message:
        before, message = message, pattern.sub(written, message)
    return message


def _outside_of_brackets(text: str) -> list[str]:
    """The parts between the commas outside of brackets."""
    return re.split(r", (?![^\[]*\])", text)


if TYPE_CHECKING:
    from typing import Annotated as Array
    from typing import Annotated as Vector

    from polycl.frontends.pattern.values import Value as f16
    from polycl.frontends.pattern.values import Value as f32
    from polycl.frontends.pattern.values import Value as f64
    from polycl.frontends.pattern.values import Value as i1
    from polycl.frontends.pattern.values import Value as i8
    from polycl.frontends.pattern.values import Value as i16
    from polycl.frontends.pattern.values import Value as i32
    from polycl.frontends.pattern.values import Value as i64
    from polycl.frontends.pattern.values import Value as index
else:
    Array = _Array()
    Vector = _Vector()
    f16, f32, f64 = Scalar(builtin.f16), Scalar(builtin.f32), Scalar(builtin.f64)
    i1, i8, i16 = Scalar(builtin.i1), Scalar(builtin.i8), Scalar(builtin.i16)
    i32, i64, index = Scalar(builtin.i32), Scalar(builtin.i64), Scalar(builtin.IndexType())

__all__ = [
    "Array",
    "Scalar",
    "Type",
    "Vector",
    "f16",
    "f32",
    "f64",
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "in_python",
    "index",
    "type_of",
    "type_text",
]
