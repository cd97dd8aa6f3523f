"""Which structs are split, and their leaves: scalars, vectors and pointers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Attribute

from polycl.dialects import ocl

MOST = 64
"""A struct with more leaves is not split: it is more like an array."""


def leaves_of(type: Attribute) -> list[tuple[str, Attribute]]:
    """The name and the type of each leaf: `pos_x`, `history_3`; a union is one leaf."""
    match type:
        case ocl.StructType():
            parts = type.fields
        case ocl.ArrayType():
            parts = [(str(i), type.element) for i in range(type.size.data)]
        case _:
            return [("", type)]
    return [
        (f"{name}_{path}" if path else name, leaf)
        for name, part in parts
        for path, leaf in leaves_of(part)
    ]


def elements_of(
    type: Attribute, places: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Attribute]]:
    """The places and the type of each element of an array of arrays; others have one, at ()."""
    if not isinstance(type, ocl.ArrayType):
        yield places, type
        return
    for place in range(type.size.data):
        yield from elements_of(type.element, (*places, place))


def is_split(type: Attribute) -> bool:
    """Whether values of this type are split."""
    if not isinstance(type, ocl.StructType) or _count(type) > MOST:
        return False
    return not any(isinstance(leaf, ocl.UnionType) for _, leaf in leaves_of(type))


def _count(type: Attribute) -> int:
    match type:
        case ocl.StructType():
            return sum(map(_count, type.field_types))
        case ocl.ArrayType():
            return type.size.data * _count(type.element)
        case _:
            return 1


def split_types(types: Sequence[Attribute]) -> list[Attribute]:
    """`types` with the leaves of each struct that is split."""
    found: list[Attribute] = []
    for type in types:
        found += [leaf for _, leaf in leaves_of(type)] if is_split(type) else [type]
    return found


def leaves_in(struct: Attribute, field: str, places: Sequence[int] = ()) -> slice:
    """The position of the leaves of a field, or of its element, among those of its struct."""
    assert isinstance(struct, ocl.StructType)
    number = struct.field_index(field)
    start = sum(map(_count, struct.field_types.data[:number]))
    type = struct.field_types.data[number]
    for place in places:
        assert isinstance(type, ocl.ArrayType)
        type = type.element
        start += place * _count(type)
    return slice(start, start + _count(type))


def has_array(type: Attribute) -> bool:
    """Whether an array is a part of a struct."""
    if isinstance(type, ocl.StructType):
        return any(map(has_array, type.field_types))
    return isinstance(type, ocl.ArrayType)


def joined(*names: str | None) -> str | None:
    """The name of a part: `%v` and `x` make `%v_x`; the part of a value without a name has none."""
    return None if names[0] is None else "_".join(name for name in names if name)
