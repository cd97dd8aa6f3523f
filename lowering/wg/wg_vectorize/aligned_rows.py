"""Tiles are aligned: which lanes share a row, such as a sub-group, and where they are in it."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64
from xdsl.ir import BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.attributes import is_scalar
from polycl.lowering.wg.wg_vectorize.lane_values import Lanes, Scalar, lanes_type
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

_OF_LOW_BITS: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
}
"""Operations whose low bits depend on the low bits of the operands only."""
_CASTS = (arith.IndexCastOp, arith.TruncIOp, arith.ExtSIOp, arith.ExtUIOp)


def masked_id(e: Emitter, op: arith.AndIOp) -> Scalar | None:
    """`x & -16` and `x & 15` of the local id along the lanes, where 16 is a multiple of the lanes.

    The first one is the same for all lanes, the second one grows by one.
    """
    number = constant_index(op.rhs)
    id = e.value(op.lhs)
    if number is None or not _is_local_id(e, op.lhs) or not isinstance(id, Scalar):
        return None
    row = -number if number < 0 else number + 1
    if row & (row - 1) or row % e.lanes:
        return None
    return Scalar(e.and_(id.value, e.constant(number, op.lhs.type)), int(number >= 0))


def row_load(e: Emitter, op: ocl.LoadOp | ocl.VLoadOp) -> Lanes | None:
    """The elements of a whole row in another order, as one load and a shuffle.

    The index is `first | (i & 15)` with 16 lanes, where i is different for each of them and known.
    """
    if e.mask is not None or not isinstance(op, ocl.LoadOp) or op.volatile is not None:
        return None
    if op.index is None or not isinstance(op.index.owner, arith.OrIOp):
        return None
    first, place = op.index.owner.lhs, op.index.owner.rhs
    pointer, start = e.value(op.pointer), e.value(first)
    if not is_scalar(op.result.type) or not isinstance(place.owner, arith.AndIOp):
        return None
    if not (isinstance(pointer, Scalar) and isinstance(start, Scalar)):
        return None
    if pointer.stride or start.stride or constant_index(place.owner.rhs) != e.lanes - 1:
        return None
    places = _low_bits(e, place)
    if _low_bits(e, first) != [0] * e.lanes or places is None or len(set(places)) < e.lanes:
        return None
    row = e.emit(wg.LoadOp(pointer.value, start.value, e.lanes))
    type = lanes_type(op.result.type, e.lanes)
    mask = DenseArrayBase.from_list(i64, places)
    return Lanes((e.emit(vector.ShuffleOp(row, row, mask, result_type=type)),))


def _is_local_id(e: Emitter, value: SSAValue) -> bool:
    """Whether a value is the local id along the lanes; that of a tile is a multiple of them."""
    if not isinstance(value, BlockArgument) or value.index != e.dimension:
        return False
    return isinstance(value.block.parent_op(), wg.ParallelOp)


def _low_bits(e: Emitter, value: SSAValue) -> list[int] | None:
    """For each lane, the value modulo the number of lanes, where that is known."""
    if _is_local_id(e, value):
        return list(range(e.lanes))
    number = constant_index(value)
    if number is not None:
        return [number % e.lanes] * e.lanes
    owner = value.owner
    if isinstance(value.type, IntegerType) and 1 << value.type.width.data < e.lanes:
        return None
    if isinstance(owner, _CASTS):
        return _low_bits(e, owner.operands[0])
    if isinstance(owner, arith.MuliOp) and any(_is_multiple(x, e.lanes) for x in owner.operands):
        return [0] * e.lanes
    if not isinstance(owner, Operation) or type(owner) not in _OF_LOW_BITS:
        return None
    if isinstance(owner, arith.AndIOp) and _is_multiple(owner.rhs, e.lanes):
        return [0] * e.lanes
    sides = [_low_bits(e, operand) for operand in owner.operands]
    if sides[0] is None or sides[1] is None:
        return None
    of = _OF_LOW_BITS[type(owner)]
    return [of(a, b) % e.lanes for a, b in zip(sides[0], sides[1], strict=True)]


def _is_multiple(value: SSAValue, lanes: int) -> bool:
    number = constant_index(value)
    return number is not None and number % lanes == 0
