"""How the lanes of an access lie in memory: at one place, side by side, or anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, i64
from xdsl.ir import Attribute, SSAValue

from polycl.analysis.ocl.addresses import is_parameter
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of
from polycl.lowering.wg.wg_vectorize.lane_values import Pointers, Scalar
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter


@dataclass(frozen=True)
class Spaced:
    """Lane l accesses `pointer[index]`, moved by l * stride bytes."""

    pointer: SSAValue
    index: SSAValue | None
    stride: int


Place: TypeAlias = "Spaced | Pointers"


Cast: TypeAlias = arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp | arith.TruncIOp


def place_of(e: Emitter, pointer: SSAValue, index: SSAValue | None, size: int) -> Place:
    """Where the lanes of an access to `pointer[index]` are; the index counts `size` bytes."""
    base = e.value(pointer)
    if isinstance(base, Scalar):
        if index is None:
            return Spaced(base.value, None, base.stride)
        progression = None
        if not _is_private_row(e, pointer, index):
            progression = first_index(e, index) or _first_in_buffer(e, pointer, index, size)
        if progression is not None:
            first, step = progression
            if pointer in e.interleaved:
                first = e.scaled(first, e.lanes)
            return Spaced(base.value, first, base.stride + step * size)
    pointers = e.pointers(pointer)
    return pointers if index is None else moved(e, pointer, pointers, index, size)


def _is_private_row(e: Emitter, pointer: SSAValue, index: SSAValue) -> bool:
    """Whether lanes index their own interleaved memory differently."""
    return pointer in e.interleaved and not e.is_uniform(index)


def moved(e: Emitter, old: SSAValue, pointers: Pointers, index: SSAValue, size: int) -> Pointers:
    """Pointers moved by an index that counts `size` bytes."""
    if old in e.interleaved:
        size *= e.lanes
    value = e.value(old)
    if isinstance(value, Scalar) and value.stride == 0:
        return Pointers(value.value, e.vector(index), size)
    unit = gcd(pointers.stride, size)
    steps = e.scaled(e.vector(index), size // unit)
    indices = e.add(e.scaled(pointers.indices, pointers.stride // unit), steps)
    return Pointers(pointers.base, indices, unit)


def first_index(
    e: Emitter, index: SSAValue, *, wraps: bool = False, is_part: bool = False
) -> tuple[SSAValue, int] | None:
    """The index of lane 0, and by how much the index grows from lane to lane; for addresses only.

    Unsigned arithmetic of 32 bits may wrap between two lanes. An index just below 2^32 names no
    element where buffers are small (a launch checks it). So where lane 0 has such an index it
    is a negative number in truth, one of a lane that is off while the others may be on. Of such a
    part of a sum (`is_part`) nothing is known. With `wraps`, both numbers are modulo 2^32. Sums of
    64 bits may wrap: so do addresses.
    """
    value = e.value(index)
    if isinstance(value, Scalar):
        return value.value, value.stride
    owner = index.owner
    match owner:
        case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp() if wraps:
            found = first_index(e, owner.input, wraps=True) if _keeps_32_bits(owner) else None
            if found is None:
                return None
            return e.emit_copy(owner, [found[0]], [owner.results[0].type]).results[0], found[1]
        case arith.IndexCastOp() | arith.ExtSIOp():
            return _through(e, owner, is_part)
        case arith.ExtUIOp():
            return None if is_part else _widened(e, owner)
        case ocl.BitcastOp(source=source) if source.type == owner.result.type == i64:
            return first_index(e, source, wraps=wraps, is_part=is_part)
        case arith.AddiOp() | arith.SubiOp():
            sides = owner.lhs, owner.rhs
            x, y = (first_index(e, side, wraps=wraps, is_part=True) for side in sides)
            if x is None or y is None:
                return None
            sign = 1 if isinstance(owner, arith.AddiOp) else -1
            return e.emit(type(owner)(x[0], y[0])), x[1] + sign * y[1]
        case arith.MuliOp():
            for x, y in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
                factor = constant_value(y)
                if factor is None:
                    continue
                found = first_index(e, x, wraps=wraps, is_part=True)
                if found is not None:
                    scalar = e.value(y)
                    assert isinstance(scalar, Scalar)
                    return e.mul(found[0], scalar.value), found[1] * factor
            return None
        case _:
            return None


def _first_in_buffer(
    e: Emitter, pointer: SSAValue, index: SSAValue, size: int
) -> tuple[SSAValue, int] | None:
    """The same for elements of `size` bytes in a small buffer: the lower 32 bits of an index say
    which element it is, whichever sums have wrapped, as all indices in it are 31 bits and a sign,
    or those from its start 32 bits."""
    stride = index_stride_in_buffer(e.facts, pointer, index, size, e.dimension)
    if stride is None or abs(stride) * e.lanes >= MAX_REACH // 2:
        return None
    found = first_index(e, index, wraps=True)
    if found is None:
        return None
    low = e.resize(e.index_cast(found[0], i64), 32, signed=True)
    if size > 1:
        return e.as_index(low), stride
    return _above_margin(e, low, IndexType()), stride


def index_stride_in_buffer(
    facts: Uniformity, pointer: SSAValue, index: SSAValue, size: int, dimension: int
) -> int | None:
    """By how much an index in a small buffer grows from lane to lane, if it does."""
    if not facts.small_buffers or not (size > 1 or is_parameter(pointer)):
        return None
    return index_stride(facts, index, dimension, wraps=True) or None


def _keeps_32_bits(cast: Cast) -> bool:
    return all(bits_of(value.type) >= 32 for value in (cast.input, cast.results[0]))


def index_stride(
    facts: Uniformity,
    index: SSAValue,
    dimension: int,
    *,
    wraps: bool = False,
    is_part: bool = False,
) -> int | None:
    """By how much `first_index` finds that an index grows from lane to lane."""
    stride = facts.lanes(index).strides[dimension]
    if isinstance(stride, int):
        return stride
    match index.owner:
        case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp() if wraps:
            if not _keeps_32_bits(index.owner):
                return None
            return index_stride(facts, index.owner.input, dimension, wraps=True)
        case arith.IndexCastOp(input=source) | arith.ExtSIOp(input=source):
            narrow = isinstance(source.type, IntegerType) and source.type.width.data < 64
            return None if narrow else index_stride(facts, source, dimension, is_part=is_part)
        case arith.ExtUIOp(input=source) if _may_widen(facts, source) and not is_part:
            stride = facts.lanes(source).strides[dimension]
            return stride if isinstance(stride, int) else None
        case ocl.BitcastOp(source=source, result=result) if source.type == result.type == i64:
            return index_stride(facts, source, dimension, wraps=wraps, is_part=is_part)
        case arith.AddiOp(lhs=lhs, rhs=rhs) | arith.SubiOp(lhs=lhs, rhs=rhs):
            x, y = (
                index_stride(facts, side, dimension, wraps=wraps, is_part=True)
                for side in (lhs, rhs)
            )
            if x is None or y is None:
                return None
            return x + y if isinstance(index.owner, arith.AddiOp) else x - y
        case arith.MuliOp(lhs=lhs, rhs=rhs):
            for side, other in ((lhs, rhs), (rhs, lhs)):
                factor = constant_value(other)
                if factor is None:
                    continue
                stride = index_stride(facts, side, dimension, wraps=wraps, is_part=True)
                if stride is not None:
                    return stride * factor
            return None
        case _:
            return None


def pointer_stride(facts: Uniformity, pointer: SSAValue, dimension: int) -> int | None:
    """By how many bytes a pointer grows from lane to lane, where that is known."""
    stride = facts.lanes(pointer).strides[dimension]
    if isinstance(stride, int):
        return stride
    match pointer.owner:
        case ocl.OffsetOp() as op:
            base = pointer_stride(facts, op.pointer, dimension)
            step = index_stride(facts, op.index, dimension)
            if base is None or step is None:
                return None
            return base + step * pointee_stride(op.pointer)
        case ocl.CastOp() | ocl.MemberOp() as op:
            return pointer_stride(facts, op.pointer, dimension)
        case _:
            return None


def _through(
    e: Emitter, op: arith.IndexCastOp | arith.ExtSIOp, is_part: bool
) -> tuple[SSAValue, int] | None:
    source = op.operands[0]
    # A sign extension of what may wrap is not exact; only one of 64 bits changes nothing.
    if isinstance(source.type, IntegerType) and source.type.width.data < 64:
        return None
    found = first_index(e, source, is_part=is_part)
    if found is None:
        return None
    copy = e.emit_copy(op, [found[0]], [op.results[0].type])
    return copy.results[0], found[1]


def _may_widen(facts: Uniformity, source: SSAValue) -> bool:
    """Whether a wrapped 32-bit index would name no element."""
    return facts.small_buffers and source.type == IntegerType(32)


def _widened(e: Emitter, op: arith.ExtUIOp) -> tuple[SSAValue, int] | None:
    source = e.value(op.input)
    if not isinstance(source, Scalar) or not _may_widen(e.facts, op.input):
        return None
    if abs(source.stride) * e.lanes >= MAX_REACH:
        return None
    return _above_margin(e, source.value, op.result.type), source.stride


def _above_margin(e: Emitter, number: SSAValue, type: Attribute) -> SSAValue:
    """An unsigned number of 32 bits in a wider type; just below 2^32 it is negative."""
    # Where all lanes are off, too, the address should not be far: the processor takes hundreds of
    # cycles for a masked access to a page that does not exist.
    shifted = e.add(number, e.constant(MAX_REACH, number.type))
    wide = e.resize(shifted, 64, signed=False)
    wide = e.as_index(wide) if type == IndexType() else wide
    return e.sub(wide, e.constant(MAX_REACH, type))


MAX_REACH = 1 << 12
"""How far below 2^32 an index counts as negative: buffers are smaller than 2^32 - MAX_REACH
bytes."""


def cast_to(e: Emitter, pointer: SSAValue, element: ocl.PtrType) -> SSAValue:
    return pointer if pointer.type == element else e.emit(ocl.CastOp(pointer, element))


def element_pointer(e: Emitter, pointer: SSAValue, index: SSAValue | None) -> SSAValue:
    """The address `pointer[index]`."""
    return pointer if index is None else e.emit(ocl.OffsetOp(pointer, index))


def pointee_stride(pointer: SSAValue) -> int:
    return stride_of(ocl.pointee_of(pointer))
