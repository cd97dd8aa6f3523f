"""Which expression of a `_Generic` selection clang has chosen, which libclang does not say.

The types of the associations are not in its tree either: they are read from the printed text,
as clang writes them. The expression is the one whose type is that of the operand, else the default
one (C11, section 6.5.1.1).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

from clang.cindex import Cursor, TranslationUnit, Type

from polycl.frontends.opencl_c import clang_api
from polycl.frontends.opencl_c.clang_api import CursorKind, TypeKind

DEFAULT = "default"
"""The association for all other types, in the place of a type."""

_Level: TypeAlias = frozenset[str]
_Shape: TypeAlias = tuple[str, tuple[_Level, ...]]
"""The spelling of what a type points to at last, and qualifiers: its own, then a pointer's each."""

_WORDS = r"__private|__global|__local|__constant|__generic|const|volatile|restrict|__restrict"
_QUALIFIER = re.compile(rf"\b(?:{_WORDS})\b")
_PARTS = re.compile(r"\*|\w+|[^\s\w*]+")
_typedefs: WeakKeyDictionary[TranslationUnit, dict[str, Type]] = WeakKeyDictionary()


def selected(operand: Cursor, types: Sequence[str]) -> int | None:
    """The number of the association whose type is that of the operand, or of the default one.

    None: a type is written in a way that is not understood here.
    """
    wanted = _shapes_of(clang_api.type_of(operand))
    shapes = [None if text == DEFAULT else _shape_of_text(text, operand) for text in types]
    found = [number for number, shape in enumerate(shapes) if shape in wanted]
    if len(found) == 1:
        return found[0]
    understood = all(shape or text == DEFAULT for shape, text in zip(shapes, types, strict=True))
    return list(types).index(DEFAULT) if not found and understood and DEFAULT in types else None


def _shapes_of(type: Type) -> list[_Shape]:
    """The shapes that are compatible with a type: an enumeration is one of its integers, too."""
    canonical = clang_api.canonical_type(type)
    if canonical.kind is TypeKind.ENUM:
        integer = canonical.get_declaration().enum_type
        return [_shape(canonical), _shape(clang_api.canonical_type(integer))]
    return [_shape(canonical)]


def _shape(canonical: Type) -> _Shape:
    levels: list[_Level] = []
    while canonical.kind is TypeKind.POINTER:
        levels.append(_qualifiers(canonical))
        canonical = clang_api.canonical_type(canonical.get_pointee())
    levels.append(_qualifiers(canonical))
    base = " ".join(_QUALIFIER.sub(" ", canonical.spelling).split())
    # A value has no qualifiers: those of the type itself are dropped.
    return base, (frozenset(), *levels[1:])


def _qualifiers(type: Type) -> _Level:
    """The qualifiers in a type's spelling that are its own, not those of what it points to."""
    return frozenset(_QUALIFIER.findall(type.spelling.rpartition("*")[2]))


def _shape_of_text(text: str, cursor: Cursor) -> _Shape | None:
    """The shape of a type that clang has printed; None if it is not a scalar, vector or record, or
    a pointer to one."""
    words: list[str] = []
    levels: list[set[str]] = [set()]
    for part in _PARTS.findall(text):
        if part == "*":
            levels.append(set())
        elif _QUALIFIER.fullmatch(part):
            levels[-1].add(part)
        elif not part.isidentifier() or len(levels) > 1:
            return None
        else:
            words.append(part)
    base = " ".join(words)
    inner: list[_Level] = []
    if len(words) == 1:
        typedef = _typedefs_of(cursor._tu).get(base)
        if typedef is not None:
            base, more = _shape(typedef)
            # A pointer that a typedef names has its own qualifiers at the first level of the text.
            levels[0] |= _qualifiers(typedef)
            inner = list(more[1:])
    if not base:
        return None
    # From the outermost pointer to what it points to at last, as `_shape` has them.
    outer = [frozenset(level) for level in reversed(levels)]
    return base, (frozenset(), *outer[1:], *inner)


def _typedefs_of(unit: TranslationUnit) -> dict[str, Type]:
    """The types with names at file scope."""
    found = _typedefs.get(unit)
    if found is None:
        found = _typedefs[unit] = {
            clang_api.spelling(cursor): clang_api.canonical_type(cursor.underlying_typedef_type)
            for cursor in clang_api.children(unit.cursor)
            if clang_api.kind_of(cursor) is CursorKind.TYPEDEF_DECL
        }
    return found
