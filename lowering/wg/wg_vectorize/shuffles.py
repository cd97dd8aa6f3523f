"""The lanes of vectors in another order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects import vector
from xdsl.dialects.builtin import I64, DenseArrayBase, i64
from xdsl.ir import SSAValue

from polycl.dialects.vec import element_of, vector_of

if TYPE_CHECKING:
    from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter


def shuffled(e: Emitter, x: SSAValue, y: SSAValue, order: Sequence[int]) -> SSAValue:
    """The elements of `x` and `y`, one after the other, in this order."""
    type = vector_of(element_of(x.type), len(order))
    return e.emit(vector.ShuffleOp(x, y, _positions(tuple(order)), result_type=type))


@cache
def _positions(order: tuple[int, ...]) -> DenseArrayBase[I64]:
    """An attribute is checked when it is made, which takes time for each element."""
    return DenseArrayBase.from_list(i64, order)


def reversed_lanes(e: Emitter, x: SSAValue) -> SSAValue:
    return shuffled(e, x, x, list(range(e.lanes - 1, -1, -1)))


def repeated(e: Emitter, x: SSAValue, count: int) -> SSAValue:
    """x0 x1 ... as x0 x0 ... x1 x1 ..., each `count` times."""
    if count == 1:
        return x
    return shuffled(e, x, x, [i // count for i in range(count * e.lanes)])


def deinterleaved(e: Emitter, row: SSAValue, count: int) -> list[SSAValue]:
    """x0 y0 x1 y1 ... as x0 x1 ..., y0 y1 ..."""
    if count == 1:
        return [row]
    return [shuffled(e, row, row, list(range(i, count * e.lanes, count))) for i in range(count)]


def interleaved(e: Emitter, parts: Sequence[SSAValue]) -> SSAValue:
    """The opposite of `deinterleaved`."""
    joined = list(parts)
    count = len(parts)
    if count == 1:
        return joined[0]
    padded = 1 << (count - 1).bit_length()
    joined += [joined[-1]] * (padded - count)
    width = e.lanes
    while len(joined) > 1:
        joined = [
            shuffled(e, a, b, list(range(2 * width)))
            for a, b in zip(joined[::2], joined[1::2], strict=True)
        ]
        width *= 2
    row = joined[0]
    order = [part * e.lanes + lane for lane in range(e.lanes) for part in range(count)]
    return shuffled(e, row, row, order)
