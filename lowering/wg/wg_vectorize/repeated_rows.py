"""`p[x / 2]`, `p[x ^ j]`: neighbours share elements, or have each other's, which are a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.attributes import is_scalar
from polycl.lowering.wg.wg_vectorize.lane_values import Lanes, Scalar
from polycl.lowering.wg.wg_vectorize.shuffles import shuffled
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

_SHIFTS = (arith.ShRSIOp, arith.ShRUIOp)
_Quotient = arith.DivSIOp | arith.DivUIOp | arith.ShRSIOp | arith.ShRUIOp


@dataclass(frozen=True)
class TileIndex:
    """An index of an element that some lane of a tile has."""

    op: _Quotient | arith.XOrIOp
    """The quotient that `count` neighbours share, or the number of another lane, `x ^ j`."""
    number: SSAValue
    """What grows by one from lane to lane."""
    by: SSAValue
    """The divisor, or the distance, which all lanes have."""
    count: int
    """1 for another lane."""
    path: tuple[Operation, ...]
    """From `op` to the index: conversions to more bits, sums with what all lanes have."""

    @property
    def is_partner(self) -> bool:
        return self.count == 1


def tile_index(
    index: SSAValue, lanes: int, stride_of: Callable[[SSAValue], Stride | None]
) -> TileIndex | None:
    """What is known of an index; `stride_of` gives the steps of values from lane to lane."""
    path: list[Operation] = []
    while True:
        owner = index.owner
        match owner:
            case arith.AddiOp(lhs=lhs, rhs=rhs) if bits_of(index.type) == 64:
                if stride_of(lhs) == 0:
                    index = rhs
                elif stride_of(rhs) == 0:
                    index = lhs
                else:
                    return None
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp():
                index = owner.operands[0]
            case arith.DivSIOp() | arith.DivUIOp() | arith.ShRSIOp() | arith.ShRUIOp():
                count = _divisor(owner)
                if count is None or stride_of(owner.lhs) != 1 or not 2 <= count < lanes:
                    return None
                return TileIndex(owner, owner.lhs, owner.rhs, count, tuple(reversed(path)))
            case arith.XOrIOp(lhs=number, rhs=by):
                if stride_of(by) != 0:
                    number, by = by, number
                if stride_of(number) != 1 or stride_of(by) != 0:
                    return None
                return TileIndex(owner, number, by, 1, tuple(reversed(path)))
            case _:
                return None
        path.append(owner)


def _divisor(op: _Quotient) -> int | None:
    """A power of two."""
    number = constant_value(op.rhs)
    if number is None or number < 1:
        return None
    if isinstance(op, _SHIFTS):
        return 1 << number if number < bits_of(op.result.type) else None
    return number if number & (number - 1) == 0 else None


def tile_load(
    e: Emitter, op: ocl.LoadOp | ocl.VLoadOp, otherwise: Callable[[], SSAValue]
) -> Lanes | None:
    """The elements as a row and shuffles, where the first lane's number is a multiple of the lanes
    and no negative one, as it is in launches without an offset; else what `otherwise` emits."""
    if e.mask is not None or not isinstance(op, ocl.LoadOp) or op.volatile is not None:
        return None
    if op.index is None or not is_scalar(op.result.type):
        return None
    pointer, found = e.value(op.pointer), tile_index(op.index, e.lanes, e.stride)
    if found is None or not isinstance(pointer, Scalar) or pointer.stride:
        return None
    number, by = e.value(found.number), e.value(found.by)
    sides = [[e.value(side) for side in step.operands] for step in found.path]
    if not (isinstance(number, Scalar) and isinstance(by, Scalar)):
        return None
    first, type = number.value, found.number.type
    low_and_sign = e.lanes - 1 - (1 << (bits_of(type) - 1))
    is_row = e.compare("eq", e.and_(first, e.constant(low_and_sign, type)), e.constant(0, type))

    def together() -> Sequence[SSAValue]:
        index = e.emit_copy(found.op, [first, by.value], [type]).results[0]
        if found.is_partner:
            index = e.and_(index, e.constant(-e.lanes, type))
        for step, values in zip(found.path, sides, strict=True):
            operands = [
                value.value if isinstance(value, Scalar) and value.stride == 0 else index
                for value in values
            ]
            index = e.emit_copy(step, operands, [step.results[0].type]).results[0]
        row = e.emit(wg.LoadOp(pointer.value, index, e.lanes // found.count))
        if found.is_partner:
            return [_exchanged(e, row, by.value)]
        return [shuffled(e, row, row, [lane // found.count for lane in range(e.lanes)])]

    return Lanes(tuple(e.choose(is_row, together, lambda: [otherwise()])))


def _exchanged(e: Emitter, row: SSAValue, distance: SSAValue) -> SSAValue:
    """Lane l has the element of lane `l ^ distance`, by the bits of the distance that are below the
    number of lanes."""
    for bit in (1 << k for k in range(e.lanes.bit_length() - 1)):
        swapped = shuffled(e, row, row, [lane ^ bit for lane in range(e.lanes)])
        zero = e.constant(0, distance.type)
        is_on = e.compare("ne", e.and_(distance, e.constant(bit, distance.type)), zero)
        row = e.select(is_on, swapped, row)
    return row
