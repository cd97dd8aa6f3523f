"""Loads and stores of `ocl` types as loads and stores of words."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
    f32,
    i8,
    i32,
)
from xdsl.ir import Attribute, SSAValue

from polycl.dialects.ocl import ArrayType, StructType, UnionType
from polycl.dialects.ocl.layout import field_offsets, size_of, stride_of
from polycl.dialects.tta import LoadOp, StoreOp
from polycl.lowering.tta.tta_legalize.integers_to_tta import Value
from polycl.lowering.tta.word_builder import WordBuilder


def move(w: WordBuilder, address: SSAValue, index: SSAValue, stride: int) -> SSAValue:
    return w.add(address, w.times(index, stride))


def load(w: WordBuilder, address: SSAValue, type: Attribute, alignment: int) -> list[SSAValue]:
    """The words of a value of `type`, an `ocl` type, in memory."""
    return [
        word
        for offset, scalar in _scalars(type, 0)
        for word in _load(w, w.add(address, offset), scalar, _at(alignment, offset))
    ]


def store(w: WordBuilder, value: Value, address: SSAValue, type: Attribute, alignment: int) -> None:
    words = iter(value)
    for offset, scalar in _scalars(type, 0):
        _store(w, words, w.add(address, offset), scalar, _at(alignment, offset))


def _at(alignment: int, offset: int) -> int:
    return min(alignment, offset & -offset) if offset else alignment


def _scalars(type: Attribute, at: int) -> Iterator[tuple[int, Attribute]]:
    """The byte offset and type of each scalar, in the order of `parts_of`."""
    match type:
        case VectorType():
            size = size_of(type.element_type)
            for i in range(type.element_count()):
                yield at + i * size, type.element_type
        case ArrayType():
            for i in range(type.size.data):
                yield from _scalars(type.element, at + i * stride_of(type.element))
        case StructType():
            for offset, field in zip(field_offsets(type), type.field_types, strict=True):
                yield from _scalars(field, at + offset)
        case UnionType():
            for i in range(size_of(type)):
                yield at + i, i8
        case _:
            yield at, type


def _load(w: WordBuilder, address: SSAValue, type: Attribute, alignment: int) -> list[SSAValue]:
    size = size_of(type)
    if size == 8:
        lower = _load_word(w, address, 4, alignment)
        if isinstance(type, IntegerType | Float64Type):
            return [lower, _load_word(w, w.add(address, 4), 4, _at(alignment, 4))]
        # Addresses and indices have 32 bits here.
        return [lower]
    if isinstance(type, Float32Type):
        if alignment >= 4:
            return [w.emit(LoadOp("ld32", address, f32, w.alias))]
        return [w.as_float(_load_word(w, address, 4, alignment))]
    return [_load_word(w, address, size, alignment)]


def _load_word(w: WordBuilder, address: SSAValue, size: int, alignment: int) -> SSAValue:
    """`size` bytes as an integer; unaligned bytes are loaded in parts."""
    if alignment >= size:
        names = {1: "ldu8", 2: "ldu16", 4: "ld32"}
        return w.emit(LoadOp(names[size], address, i32, w.alias))
    half = size // 2
    lower = _load_word(w, address, half, alignment)
    upper = _load_word(w, w.add(address, half), half, alignment)
    return w.or_(lower, w.shl(upper, 8 * half))


def _store(
    w: WordBuilder, words: Iterator[SSAValue], address: SSAValue, type: Attribute, alignment: int
) -> None:
    size = size_of(type)
    word = next(words)
    if size < 8:
        if alignment < size:
            word = w.bits(word)
        _store_word(w, word, address, size, alignment)
        return
    _store_word(w, word, address, 4, alignment)
    match type:
        case IntegerType() | Float64Type():
            upper = next(words)
        case IndexType():
            # The sign extension to 64 bits.
            upper = w.shr(word, 31)
        case _:
            upper = w.constant(0)
    _store_word(w, upper, w.add(address, 4), 4, _at(alignment, 4))


def _store_word(
    w: WordBuilder, word: SSAValue, address: SSAValue, size: int, alignment: int
) -> None:
    if alignment >= size:
        w.emit_void(StoreOp(f"st{8 * size}", address, word, alias=w.alias))
        return
    half = size // 2
    _store_word(w, word, address, half, alignment)
    upper = w.shru(word, 8 * half)
    _store_word(w, upper, w.add(address, half), half, alignment)
