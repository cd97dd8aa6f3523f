"""Arrays with symbolic sizes, and the types of their elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    TupleType,
    VectorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import NatAttr, nat, read_nat


@irdl_attr_definition
class ArrayType(ParametrizedAttribute, TypeAttribute):
    """`size` elements of one type: `!pattern.array<64*N, f32>`.

    Arrays of arrays are written with their sizes in order, the outermost first:
    `!pattern.array<M, K, f32>` is M rows of K numbers.
    """

    name = "pattern.array"

    size: NatAttr
    element_type: TypeAttribute

    def verify(self) -> None:
        if not is_element(self.element_type):
            raise VerifyException(
                f"an array cannot have elements of type {self.element_type}; expected a scalar, "
                "a vector of one dimension, a tuple or an array"
            )
        if self.size.is_constant and (self.size.denominator != 1 or self.size.value < 1):
            raise VerifyException(f"expected an array size of at least 1, got {self.size}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            sizes = [read_nat(parser)]
            parser.parse_punctuation(",")
            while (element := parser.parse_optional_type()) is None:
                sizes.append(read_nat(parser))
                parser.parse_punctuation(",")
        for size in reversed(sizes[1:]):
            element = ArrayType(size, element)
        return sizes[0], element

    def print_parameters(self, printer: Printer) -> None:
        element: Attribute = self
        with printer.in_angle_brackets():
            while isinstance(element, ArrayType):
                printer.print_string(f"{element.size}, ")
                element = element.element_type
            printer.print_attribute(element)


def array(size: int | str | NatAttr, element: Attribute) -> ArrayType:
    """The type of `size` elements of type `element`."""
    assert isinstance(element, TypeAttribute)
    return ArrayType(nat(size), element)


def is_scalar(type: Attribute) -> bool:
    """Whether it is an integer, an index or a float."""
    return isinstance(type, IntegerType | IndexType | AnyFloat)


def is_element(type: Attribute) -> bool:
    """Whether an array can have elements of the type."""
    match type:
        case VectorType():
            return len(type.get_shape()) == 1 and is_scalar(type.element_type)
        case TupleType():
            return all(is_element(part) for part in type.types)
        case _:
            return is_scalar(type) or isinstance(type, ArrayType)


def parts_of(type: Attribute) -> tuple[Attribute, ...]:
    """The types of a tuple's parts; any other type is its own only part."""
    return tuple(type.types) if isinstance(type, TupleType) else (type,)


def tuple_of(types: Sequence[Attribute]) -> TypeAttribute:
    """The type of a value that has these parts: a tuple where there are several."""
    if len(types) == 1:
        (only,) = types
        assert isinstance(only, TypeAttribute)
        return only
    return TupleType(tuple(type for type in types if isinstance(type, TypeAttribute)))


def innermost(type: Attribute) -> Attribute:
    """The type of the innermost elements of nested arrays, which are not arrays."""
    while isinstance(type, ArrayType):
        type = type.element_type
    return type


def with_innermost(type: Attribute, new: Attribute) -> TypeAttribute:
    """The same nest of arrays around another innermost type."""
    if isinstance(type, ArrayType):
        return ArrayType(type.size, with_innermost(type.element_type, new))
    assert isinstance(new, TypeAttribute)
    return new


def nats_in(type: Attribute) -> Iterator[NatAttr]:
    """All sizes in a type."""
    match type:
        case ArrayType():
            yield type.size
            yield from nats_in(type.element_type)
        case TupleType():
            for part in type.types:
                yield from nats_in(part)
        case _:
            return


def substitute(type: Attribute, env: dict[str, NatAttr]) -> TypeAttribute:
    """The type with size variables replaced by sizes."""
    match type:
        case ArrayType():
            return ArrayType(type.size.substitute(env), substitute(type.element_type, env))
        case TupleType():
            return TupleType(tuple(substitute(part, env) for part in type.types))
        case _:
            assert isinstance(type, TypeAttribute)
            return type


def vector_of(type: Attribute, n: int) -> TypeAttribute | None:
    """`n` scalars as a vector, a tuple part by part; None for types without vectors."""
    if not all(is_scalar(part) for part in parts_of(type)):
        return None
    return tuple_of([VectorType(part, [n]) for part in parts_of(type)])


def width_of(type: Attribute) -> int | None:
    """The number of scalars in the vectors of a type, tuples part by part; None without vectors."""
    match type:
        case VectorType():
            return type.get_shape()[0]
        case TupleType():
            widths = {width_of(part) for part in type.types}
            return widths.pop() if len(widths) == 1 else None
        case _:
            return None


def scalar_of(type: Attribute) -> TypeAttribute:
    """The element of a vector, tuples part by part."""
    match type:
        case VectorType():
            element = type.element_type
            assert isinstance(element, TypeAttribute)
            return element
        case TupleType():
            return TupleType(tuple(scalar_of(part) for part in type.types))
        case _:
            assert isinstance(type, TypeAttribute)
            return type
