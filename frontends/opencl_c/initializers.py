"""Initialiser lists: brace elision, designators and zero fill (C99, section 6.7.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.constants import fold_cast
from polycl.frontends.opencl_c.effects import has_effects
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import (
    Aggregate,
    Cast,
    Const,
    Expr,
    String,
    VectorLiteral,
)
from polycl.frontends.opencl_c.types import CType, Kind

Designator: TypeAlias = str | int | range
"""A field, an element, or several elements (`[2 ... 5]` of GNU C)."""


@dataclass(eq=False)
class InitList(Expr):
    """`{...}` as written: items, each with its designators."""

    items: list[tuple[tuple[Designator, ...], Expr]]


def resolve(type: CType, value: Expr) -> Expr:
    """The initial value of an object of `type`, with every element in its place."""
    if isinstance(value, String) and type.kind is Kind.ARRAY:
        data = value.text.encode("latin-1", "replace")[: type.count]
        letters: dict[str | int, Expr] = {
            n: Const(value.location, type.element, byte) for n, byte in enumerate(data)
        }
        return Aggregate(value.location, type, letters)
    if not isinstance(value, InitList):
        return _converted(type, value)
    if type.is_scalar or type.kind in (Kind.POINTER, Kind.EVENT):
        if not value.items:
            return Const(value.location, type, 0)
        return resolve(type, value.items[0][1])
    if type.kind is Kind.VECTOR:
        parts = [item for _, item in value.items]
        # A `cl_float4` of the host is a union with an array in it: `{{1, 2, 3, 4}}`.
        if len(parts) == 1 and isinstance(parts[0], InitList):
            return resolve(type, parts[0])
        return _vector(type, parts, value.location)
    return _Filler(value.items).fill(type, value.location, braced=True)


def path_to_field(type: CType, name: str) -> list[tuple[str, CType]] | None:
    """The fields to go through to reach `name`, unnamed structs and unions included."""
    for field, field_type in type.fields:
        if field == name:
            return [(field, field_type)]
    for field, field_type in type.fields:
        if field.startswith("anon") and field_type.is_record:
            rest = path_to_field(field_type, name)
            if rest is not None:
                return [(field, field_type), *rest]
    return None


class _Filler:
    """Distributes the items of one brace level over the elements of an aggregate."""

    def __init__(self, items: Sequence[tuple[tuple[Designator, ...], Expr]]):
        self.items = list(items)

    def fill(self, type: CType, location: Location, *, braced: bool) -> Expr:
        result = Aggregate(location, type, {})
        keys: list[str | int] = (
            list(range(type.count))
            if type.kind is Kind.ARRAY
            else [name for name, _ in type.fields]
        )
        if type.kind is Kind.UNION:
            keys = keys[:1]
        place = 0
        while self.items:
            designators, item = self.items[0]
            if designators:
                if not braced:
                    break
                self.items.pop(0)
                place = self._designated(result, designators, item)
                continue
            if place >= len(keys):
                break
            key = keys[place]
            result.entries[key] = self._element(_part(type, key), location)
            place += 1
        part = type.element if type.kind is Kind.ARRAY else type
        if part.has_field_values and len(result.entries) < len(keys):
            raise UnsupportedError(
                f"a list without all fields of '{part.spelling}' is not supported, since its "
                "fields have values of their own; write all of them",
                *location,
            )
        return result

    def _element(self, type: CType, location: Location) -> Expr:
        item = self.items[0][1]
        if isinstance(item, InitList) or item.type.value == type.value:
            self.items.pop(0)
            return resolve(type, item)
        if type.kind is Kind.ARRAY or type.is_record:
            return self.fill(type, location, braced=False)
        self.items.pop(0)
        return _converted(type, item)

    def _designated(
        self, result: Aggregate, designators: tuple[Designator, ...], item: Expr
    ) -> int:
        """Store the item at its designators; returns the following position."""
        first, *rest = designators
        if isinstance(first, range):
            if has_effects(item):
                raise UnsupportedError(
                    "a value with an effect is not supported for several elements",
                    *item.location,
                )
            for number in first:
                self._designated(result, (number, *rest), item)
            return first.stop
        path: list[Any] = [first]
        if isinstance(first, str):
            found = path_to_field(result.type, first)
            path = [name for name, _ in found] if found else [first]
        path += rest
        target: Aggregate = result
        if any(isinstance(key, range) for key in path):
            raise UnsupportedError("'...' is supported in the first index only", *item.location)
        for key in path[:-1]:
            inner = target.entries.get(key)
            if not isinstance(inner, Aggregate):
                inner = Aggregate(item.location, _part(target.type, key), {})
                target.entries[key] = inner
            target = inner
        target.entries[path[-1]] = resolve(_part(target.type, path[-1]), item)
        if isinstance(path[0], int):
            return path[0] + 1
        return [name for name, _ in result.type.fields].index(path[0]) + 1


def _part(type: CType, key: str | int) -> CType:
    return type.field(key) if isinstance(key, str) else type.element


def _vector(type: CType, parts: list[Expr], location: Location) -> Expr:
    if len(parts) == 1 and parts[0].type.value == type.value:
        return parts[0]
    count = sum(part.type.count if part.type.kind is Kind.VECTOR else 1 for part in parts)
    parts = [
        part if part.type.kind is Kind.VECTOR else _converted(type.element, part) for part in parts
    ]
    zeros: list[Expr] = [Const(location, type.element, 0)] * (type.count - count)
    return VectorLiteral(location, type, [*parts, *zeros])


def _converted(type: CType, value: Expr) -> Expr:
    if type.kind is Kind.VECTOR and value.type.is_scalar:
        # A scalar initialises the whole vector, as in an assignment, not one element.
        return Cast(value.location, type, _converted(type.element, value))
    if value.type.same_value(type) or type.kind not in (Kind.INT, Kind.BOOL, Kind.FLOAT):
        return value
    if not value.type.is_scalar:
        raise UnsupportedError(
            f"cannot initialise '{type.spelling}' from '{value.type.spelling}'", *value.location
        )
    return fold_cast(value, type) or Cast(value.location, type, value)
