"""`ocl.concat`, `ocl.shuffle` and `ocl.shuffle2` on upstream's vector operations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.build import Build


def expand_concat(e: Build, op: ocl.ConcatOp) -> SSAValue:
    """All elements of the parts in order; a broadcast where they are one scalar."""
    parts = list(op.parts)
    if len(set(parts)) == 1 and not isinstance(parts[0].type, VectorType):
        return e.splat(parts[0], op.result.type)
    if len(parts) == 1:
        return parts[0]
    return e.joined([element for part in parts for element in e.elements(part)])


def expand_shuffle(e: Build, op: ocl.ShuffleOp) -> SSAValue:
    """Element `mask[i] mod n` for each i, where n is the number of elements of the source."""
    return _pick(e, op.source, op.mask)


def expand_shuffle2(e: Build, op: ocl.Shuffle2Op) -> SSAValue:
    """The same on the concatenation of both sources."""
    count = count_of(op.x.type)
    both = VectorType(element_of(op.x.type), [2 * count])
    order = DenseArrayBase.from_list(i64, list(range(2 * count)))
    joined = e.emit(vector.ShuffleOp(op.x, op.y, order, result_type=both))
    return _pick(e, joined, op.mask)


def _pick(e: Build, source: SSAValue, mask: SSAValue) -> SSAValue:
    # The number of elements is a power of two: the remainder is the lower bits.
    count = count_of(source.type)
    known = _numbers(mask)
    if known is not None:
        places = DenseArrayBase.from_list(i64, [number % count for number in known])
        type = VectorType(element_of(source.type), [len(known)])
        return e.emit(vector.ShuffleOp(source, source, places, result_type=type))
    lower_bits = e.constant(count - 1, mask.type)
    numbers: Sequence[SSAValue] = e.elements(e.and_(mask, lower_bits))
    positions = [e.emit(arith.IndexCastOp(number, IndexType())) for number in numbers]
    return e.joined([e.element(source, position) for position in positions])


def _numbers(value: SSAValue) -> list[int] | None:
    """The elements of an integer or vector whose source has a constant for each; else None."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as number):
            return [number.value.data]
        case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as numbers):
            return [number for number in numbers.get_values() if isinstance(number, int)]
        case ocl.ConcatOp() as concat:
            parts = [_numbers(part) for part in concat.parts]
            known = [part for part in parts if part is not None]
            return list(chain(*known)) if len(known) == len(parts) else None
        case _:
            return None
