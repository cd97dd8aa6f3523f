"""`p[x / 2]`, `p[x >> 1]`: neighbours share elements, which are a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.attributes import is_scalar
from polycl.lowering.wg.wg_vectorize.lane_values import Lanes, Scalar, lanes_type
from polycl.lowering.wg.wg_vectorize.shuffles import shuffled
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

_SHIFTS = (arith.ShRSIOp, arith.ShRUIOp)
_Quotient = arith.DivSIOp | arith.DivUIOp | arith.ShRSIOp | arith.ShRUIOp


@dataclass(frozen=True)
class Repeated:
    """An index that is the same for `count` neighbours, then one more."""

    quotient: _Quotient
    """Of a number that grows by one from lane to lane."""
    count: int
    path: tuple[Operation, ...]
    """From the quotient to the index: conversions to more bits, sums with what all lanes have."""


def repeated_index(
    index: SSAValue, lanes: int, stride_of: Callable[[SSAValue], Stride | None]
) -> Repeated | None:
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
                return Repeated(owner, count, tuple(reversed(path)))
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


def repeated_load(
    e: Emitter, op: ocl.LoadOp | ocl.VLoadOp, otherwise: Callable[[], SSAValue]
) -> Lanes | None:
    """The elements as a row and a shuffle, where the first lane's number is a multiple of the lanes
    and no negative one, as it is in launches without an offset; else what `otherwise` emits."""
    if e.mask is not None or not isinstance(op, ocl.LoadOp) or op.volatile is not None:
        return None
    if op.index is None or not is_scalar(op.result.type):
        return None
    pointer, found = e.value(op.pointer), repeated_index(op.index, e.lanes, e.stride)
    if found is None or not isinstance(pointer, Scalar) or pointer.stride:
        return None
    numbers, divisor = e.value(found.quotient.lhs), e.value(found.quotient.rhs)
    sides = [[e.value(side) for side in step.operands] for step in found.path]
    if not (isinstance(numbers, Scalar) and isinstance(divisor, Scalar)):
        return None
    first, type = numbers.value, found.quotient.lhs.type
    low_and_sign = e.lanes - 1 - (1 << (bits_of(type) - 1))
    is_row = e.compare("eq", e.and_(first, e.constant(low_and_sign, type)), e.constant(0, type))
    result = lanes_type(op.result.type, e.lanes)
    together, apart = Block(), Block()
    with e.inside(together):
        index = e.emit_copy(found.quotient, [first, divisor.value], [type]).results[0]
        for step, values in zip(found.path, sides, strict=True):
            operands = [
                other.value if isinstance(other, Scalar) and other.stride == 0 else index
                for other in values
            ]
            index = e.emit_copy(step, operands, [step.results[0].type]).results[0]
        row = e.emit(wg.LoadOp(pointer.value, index, e.lanes // found.count))
        order = [lane // found.count for lane in range(e.lanes)]
        e.emit_void(scf.YieldOp(shuffled(e, row, row, order)))
    with e.inside(apart):
        e.emit_void(scf.YieldOp(otherwise()))
    return Lanes((e.emit(scf.IfOp(is_row, [result], Region(together), Region(apart))),))
