"""The lanes of vectors in another order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects import vector
from xdsl.dialects.builtin import I64, DenseArrayBase, i1, i64
from xdsl.ir import SSAValue

from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of, vector_of

if TYPE_CHECKING:
    from polycl.lowering.build import Build
    from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter


def shuffled(e: Build, x: SSAValue, y: SSAValue, order: Sequence[int]) -> SSAValue:
    """The elements of `x` and `y`, one after the other, in this order."""
    type = vector_of(element_of(x.type), len(order))
    return e.emit(vector.ShuffleOp(x, y, _positions(tuple(order)), result_type=type))


@cache
def _positions(order: tuple[int, ...]) -> DenseArrayBase[I64]:
    """An attribute is checked when it is made, which takes time for each element."""
    return DenseArrayBase.from_list(i64, order)


def reversed_lanes(e: Emitter, x: SSAValue, count: int = 1) -> SSAValue:
    """The lanes in the opposite order; the `count` elements of each keep theirs."""
    order = [lane * count + i for lane in reversed(range(e.lanes)) for i in range(count)]
    return shuffled(e, x, x, order)


def repeated(e: Emitter, x: SSAValue, count: int) -> SSAValue:
    """x0 x1 ... as x0 x0 ... x1 x1 ..., each `count` times."""
    if count == 1:
        return x
    return shuffled(e, x, x, [i // count for i in range(count * e.lanes)])


_BLOCK_BYTES = 16
"""Shuffles inside of as many bytes, the same in all of a register, are the fastest ones."""


def deinterleaved(e: Emitter, row: SSAValue, count: int) -> list[SSAValue]:
    """x0 y0 x1 y1 ... as x0 x1 ..., y0 y1 ..."""
    if count == 1:
        return [row]
    if element_of(row.type) == i1:
        # LLVM takes long rows of truth values apart bit by bit.
        bytes = e.resize(row, 8, signed=True)
        return [e.is_negative(part) for part in deinterleaved(e, bytes, count)]
    block = _block(e, row, count)
    if block is None:
        return [shuffled(e, row, row, list(range(i, count * e.lanes, count))) for i in range(count)]
    parts: list[SSAValue] = []
    for first in range(0, count, block):
        rows = [
            shuffled(e, row, row, _elements(range(lane, e.lanes, block), count, first, block))
            for lane in range(block)
        ]
        parts += _transposed(e, rows, block)
    return parts


def interleaved(e: Emitter, parts: Sequence[SSAValue]) -> SSAValue:
    """The opposite of `deinterleaved`."""
    count = len(parts)
    if count == 1:
        return parts[0]
    block = _block(e, parts[0], count)
    if block is None:
        order = [part * e.lanes + lane for lane in range(e.lanes) for part in range(count)]
        row = joined(e, parts)
        return shuffled(e, row, row, order)
    rows = [
        row
        for first in range(0, count, block)
        for row in _transposed(e, parts[first : first + block], block)
    ]
    # Row number `lane % block` of those of a block of columns has this lane's elements.
    order = [
        (first + lane % block) * e.lanes + lane // block * block + i
        for lane in range(e.lanes)
        for first in range(0, count, block)
        for i in range(block)
    ]
    row = joined(e, rows)
    return shuffled(e, row, row, order)


def _block(e: Emitter, row: SSAValue, count: int) -> int | None:
    """The elements of a block, if lanes have whole ones, and as many lanes as that are there."""
    element = element_of(row.type)
    if element == i1:
        return None
    block = _BLOCK_BYTES // size_of(element)
    return block if block > 1 and count % block == 0 and e.lanes % block == 0 else None


def _elements(lanes: Iterable[int], count: int, first: int, number: int) -> list[int]:
    """Where those from `first` on are that some lanes have in a row."""
    return [lane * count + first + i for lane in lanes for i in range(number)]


def _transposed(e: Emitter, rows: Sequence[SSAValue], block: int, unit: int = 1) -> list[SSAValue]:
    """In each block, the elements of as many rows as columns; `unit` of them stay together."""
    if len(rows) == 1:
        return list(rows)
    found: list[SSAValue] = []
    for half in (0, block // 2):
        order = [
            which * e.lanes + start + half + at + i
            for start in range(0, e.lanes, block)
            for at in range(0, block // 2, unit)
            for which in (0, 1)
            for i in range(unit)
        ]
        pairs = zip(rows[::2], rows[1::2], strict=True)
        found += _transposed(e, [shuffled(e, x, y, order) for x, y in pairs], block, 2 * unit)
    return found


def joined(e: Emitter, parts: Sequence[SSAValue]) -> SSAValue:
    """All elements of vectors of the same length, one after the other; what follows is anything."""
    rows = list(parts)
    rows += [rows[-1]] * ((1 << (len(rows) - 1).bit_length()) - len(rows))
    width = count_of(rows[0].type)
    while len(rows) > 1:
        pairs = zip(rows[::2], rows[1::2], strict=True)
        rows = [shuffled(e, x, y, list(range(2 * width))) for x, y in pairs]
        width *= 2
    return rows[0]
