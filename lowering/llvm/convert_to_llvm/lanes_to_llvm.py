"""Memory accesses of several lanes: vector loads and stores, with masks, and gathers."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, llvm, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl, vec, wg
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.dialects.wg.attributes import IN_ORDER
from polycl.lowering.llvm.alignment import pointer_alignment
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import move, move_bytes, offset_from_null
from polycl.lowering.llvm.convert_to_llvm.near_to_llvm import gather_from_table, gather_near
from polycl.lowering.llvm.convert_to_llvm.numbers_to_llvm import (
    gather_elements,
    gather_numbers,
    has_numbers,
)
from polycl.lowering.llvm.convert_to_llvm.tables_to_llvm import look_up
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import llvm_type, mangled
from polycl.lowering.llvm.widen_indices import LEAST_GATHERED


def _first(
    low: FunctionLowering, op: wg.LoadOp | wg.StoreOp, element: Attribute
) -> tuple[SSAValue, int]:
    """The address of lane 0 and its alignment."""
    size = size_of(element)
    address = move(low, low.value(op.pointer), low.value(op.index), size)
    return address, min(pointer_alignment(op.pointer), size)


def _load(op: wg.LoadOp, low: FunctionLowering) -> SSAValue:
    type = llvm_type(op.result.type)
    address, alignment = _first(low, op, element_of(op.result.type))
    if op.mask is None and IN_ORDER in op.attributes:
        # LLVM orders other loads as suits registers.
        return low.emit(llvm_ext.VolatileLoadOp(address, type, alignment))
    if op.mask is None:
        return low.emit(llvm.LoadOp(address, type, alignment))
    on = None if low.conventions.masks else _lanes_on(op.mask)
    if on:
        return _load_span(low, type, on, address, alignment)
    args = [address, low.value(op.mask), low.constant(0, type)]
    return low.intrinsic_named(f"llvm.masked.load.{mangled(type)}.p0", args, type)


def _store(op: wg.StoreOp, low: FunctionLowering) -> None:
    value = low.value(op.value)
    address, alignment = _first(low, op, element_of(op.value.type))
    if op.mask is None:
        if not low.conventions.masks and _keeps_lanes(op.value.owner):
            # LLVM's code generator would make a masked store of it.
            value = low.emit(llvm_ext.FreezeOp(value))
        low.emit_void(llvm.StoreOp(value, address, alignment))
        return
    on = None if low.conventions.masks else _lanes_on(op.mask)
    if on is not None:
        _store_runs(low, value, on, address, alignment)
        return
    name = f"llvm.masked.store.{mangled(value.type)}.p0"
    low.intrinsic_void(name, [value, address, low.value(op.mask)])


def _lanes_on(mask: SSAValue) -> list[int] | None:
    """The active lanes of a mask; None if it is not constant."""
    if not isinstance(mask.owner, arith.ConstantOp):
        return None
    assert isinstance(mask.owner.value, DenseIntOrFPElementsAttr)
    numbers: Any = mask.owner.value.get_values()
    return [lane for lane, number in enumerate(numbers) if number]


def _keeps_lanes(value: Operation | Block) -> bool:
    """Whether a value that is stored is in some lanes what was read before."""
    return isinstance(value, vec.SelectOp) and any(
        isinstance(side.owner, wg.LoadOp) for side in (value.lhs, value.rhs)
    )


def _load_span(
    low: FunctionLowering, type: Attribute, on: list[int], address: SSAValue, alignment: int
) -> SSAValue:
    """All from the first active lane to the last one: what is between them is in the same array.
    The lanes outside are zero."""
    first, count = on[0], on[-1] - on[0] + 1
    span = VectorType(element_of(type), [count])
    start = move_bytes(low, address, first * size_of(element_of(type)))
    found = low.emit(llvm.LoadOp(start, span, alignment))
    order = [lane - first if first <= lane <= on[-1] else count for lane in range(count_of(type))]
    return low.shuffle(found, low.constant(0, span), order)


def _store_runs(
    low: FunctionLowering, value: SSAValue, on: list[int], address: SSAValue, alignment: int
) -> None:
    """A store for each run of neighbouring active lanes."""
    size = size_of(element_of(value.type))
    starts = [lane for lane in on if lane - 1 not in on]
    ends = [lane + 1 for lane in on if lane + 1 not in on]
    for start, end in zip(starts, ends, strict=True):
        run = low.shuffle(value, value, list(range(start, end)))
        low.emit_void(llvm.StoreOp(run, move_bytes(low, address, start * size), alignment))


def _mask_of(low: FunctionLowering, op: wg.GatherOp | wg.ScatterOp | wg.UpdateOp) -> SSAValue:
    if op.mask is not None:
        return low.value(op.mask)
    return low.constant(1, VectorType(i1, [count_of(op.indices.type)]))


SMALL = 8
"""The bytes of a lane up to which a gather of integers reads all of them at once."""


def _addresses(
    low: FunctionLowering, op: wg.GatherOp | wg.ScatterOp | wg.UpdateOp
) -> tuple[SSAValue, SSAValue]:
    """The address of each lane, and the mask."""
    mask, indices, stride = _mask_of(low, op), low.value(op.indices), wg.stride_in_bytes(op)
    offset = offset_from_null(op.pointer)
    if offset is None:
        return low.emit(llvm_ext.LaneAddressesOp(low.value(op.pointer), indices, stride)), mask
    # Each lane has an address of its own. For LLVM, what is computed from null points nowhere.
    type = indices.type
    bytes_ = low.emit(llvm.MulOp(indices, low.constant(stride, type)))
    addresses = low.emit(llvm.AddOp(bytes_, low.constant(offset, type)))
    return low.emit(llvm_ext.LanePointersOp(addresses)), mask


def _gather(op: wg.GatherOp, low: FunctionLowering) -> SSAValue:
    type = llvm_type(op.result.type)
    found = look_up(op, low) if low.conventions.tables else None
    found = found or gather_from_table(op, low)
    if found is None and offset_from_null(op.pointer) is None:
        found = gather_near(op, low)
    if found is not None:
        return found
    units = _units(op.indices, type)
    if units is None:
        return _gather_rows(op, low)
    by_words = op.mask is not None or low.conventions.words
    if by_words and low.conventions.masks and _is_in_word(op, units):
        found = _gather_from_words(op, low, size_of(element_of(units)))
        return found if found.type == type else low.emit(llvm.BitcastOp(found, type))
    found = gather_elements(low, op, units, _mask_of(low, op)) if has_numbers(low, op) else None
    if found is None:
        found = _gather_by_addresses(low, op, units)
    return found if units == type else low.emit(llvm.BitcastOp(found, type))


def _gather_by_addresses(low: FunctionLowering, op: wg.GatherOp, units: Attribute) -> SSAValue:
    addresses, mask = _addresses(low, op)
    if op.mask is not None and not low.conventions.masks:
        addresses, mask = _all_somewhere(low, addresses, mask, low.zeros(SMALL, SMALL))
    name = f"llvm.masked.gather.{mangled(units)}.v{count_of(units)}p0"
    return low.intrinsic_named(name, [addresses, mask, low.constant(0, units)], units)


def _is_in_word(op: wg.GatherOp, units: Attribute) -> bool:
    """Whether what a lane reads is a part of an aligned word."""
    nbytes = size_of(element_of(units))
    return (
        nbytes < LEAST_GATHERED
        and pointer_alignment(op.pointer) >= nbytes
        and wg.stride_in_bytes(op) % nbytes == 0
        and offset_from_null(op.pointer) is None
    )


def _gather_from_words(op: wg.GatherOp, low: FunctionLowering, nbytes: int) -> SSAValue:
    """Gather the aligned words with the elements, which are mapped where those are: of elements as
    small LLVM would make a load for each lane, and a branch where it may be off."""
    lanes = count_of(op.indices.type)
    words = VectorType(i32, [lanes])
    base, mask = low.value(op.pointer), _mask_of(low, op)
    start = low.emit(llvm.PtrToIntOp(base, i64))
    rest = low.emit(llvm.AndOp(start, low.constant(LEAST_GATHERED - 1, i64)))
    down = low.intrinsic_named(
        "llvm.ptrmask.p0.i64", [base, low.constant(-LEAST_GATHERED, i64)], base.type
    )
    by_numbers = has_numbers(low, op)
    places = words if by_numbers else VectorType(i64, [lanes])
    indices = low.value(op.indices)
    if by_numbers:
        indices, rest = low.emit(llvm.TruncOp(indices, words)), low.emit(llvm.TruncOp(rest, i32))
    distance = low.emit(llvm.MulOp(indices, low.constant(wg.stride_in_bytes(op), places)))
    place = low.emit(llvm.AddOp(distance, _in_all(low, rest, places)))
    if by_numbers:
        # The last byte is less than 2^32 bytes from the word that the first one is in.
        numbers = low.emit(llvm.LShrOp(place, low.constant(2, words)))
        found = gather_numbers(low, down, numbers, LEAST_GATHERED, words, mask)
        inside = place
    else:
        aligned = low.emit(llvm.AndOp(place, low.constant(-LEAST_GATHERED, places)))
        addresses = low.emit(llvm_ext.LaneAddressesOp(down, aligned, 1))
        found = low.intrinsic_named(
            f"llvm.masked.gather.v{lanes}i32.v{lanes}p0",
            [addresses, mask, low.constant(0, words)],
            words,
        )
        inside = low.emit(llvm.TruncOp(place, words))
    inside = low.emit(llvm.AndOp(inside, low.constant(LEAST_GATHERED - 1, words)))
    bits = low.emit(llvm.ShlOp(inside, low.constant(3, words)))
    moved = low.emit(llvm.LShrOp(found, bits))
    return low.emit(llvm.TruncOp(moved, VectorType(IntegerType(8 * nbytes), [lanes])))


def _scatter(op: wg.ScatterOp, low: FunctionLowering) -> None:
    value = low.value(op.value)
    units = _units(op.indices, value.type)
    if units is None:
        _scatter_rows(op, low)
        return
    addresses, mask = _addresses(low, op)
    if op.mask is not None and not low.conventions.masks:
        addresses, mask = _all_somewhere(low, addresses, mask, low.allocate(SMALL, SMALL))
    if units != value.type:
        value = low.emit(llvm.BitcastOp(value, units))
    name = f"llvm.masked.scatter.{mangled(units)}.v{count_of(units)}p0"
    low.intrinsic_void(name, [value, addresses, mask])


def _all_somewhere(
    low: FunctionLowering, addresses: SSAValue, mask: SSAValue, other: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """The address `other` for lanes that are off, and no mask: LLVM makes a branch for each lane
    where the processor has no such mask, which is taken at random."""
    lanes = count_of(mask.type)
    zeros = low.constant(0, VectorType(i64, [lanes]))
    others = low.emit(llvm_ext.LaneAddressesOp(other, zeros, 1))
    return low.select(mask, addresses, others), low.constant(1, mask.type)


def _units(indices: SSAValue, type: Attribute) -> Attribute | None:
    """A vector with what each lane accesses as one element; None if that is too large."""
    lanes = count_of(indices.type)
    if count_of(type) == lanes:
        return type
    nbytes = count_of(type) // lanes * size_of(element_of(type))
    return VectorType(IntegerType(8 * nbytes), [lanes]) if nbytes <= SMALL else None


def _gather_rows(op: wg.GatherOp, low: FunctionLowering) -> SSAValue:
    """Load what each lane reads: that is much faster than to gather its elements one by one."""
    lanes, row = _row_of_lane(op, llvm_type(op.result.type))
    nothing = None if op.mask is None else low.zeros(size_of(row), _LARGEST_ROW)
    rows = [
        low.emit(llvm.LoadOp(address, row, _row_alignment(op)))
        for address in _address_of_each(op, low, nothing)
    ]
    count, slots = count_of(row), 1 << (count_of(row) - 1).bit_length()
    if count < slots:
        rows = [low.resized(row, slots) for row in rows]
    while len(rows) > 1:
        rows = [_joined(low, x, y) for x, y in zip(rows[::2], rows[1::2], strict=True)]
    if count < slots:
        order = [i for i in range(lanes * slots) if i % slots < count]
        return low.shuffle(rows[0], rows[0], order)
    return rows[0]


def _scatter_rows(op: wg.ScatterOp, low: FunctionLowering) -> None:
    """Store what each lane writes; that of lanes which are off goes where nothing reads it."""
    shuffle, order = op.value.owner, list(range(count_of(op.value.type)))
    if isinstance(shuffle, vector.ShuffleOp) and shuffle.v1 is shuffle.v2:
        # LLVM would put a row of three elements of each lane together before it takes it apart.
        value, order = low.value(shuffle.v1), [int(i) for i in shuffle.mask.get_values()]
    else:
        value = low.value(op.value)
    _, row = _row_of_lane(op, op.value.type)
    nowhere = None if op.mask is None else low.allocate(size_of(row), _LARGEST_ROW)
    count = count_of(row)
    for lane, address in enumerate(_address_of_each(op, low, nowhere)):
        part = low.shuffle(value, value, order[lane * count : (lane + 1) * count])
        low.emit_void(llvm.StoreOp(part, address, _row_alignment(op)))


_LARGEST_ROW = 128
"""Bytes: of a double16."""


def _row_of_lane(op: wg.GatherOp | wg.ScatterOp, type: Attribute) -> tuple[int, VectorType]:
    """The number of lanes, and the type of what each of them accesses."""
    lanes = count_of(op.indices.type)
    return lanes, VectorType(element_of(type), [count_of(type) // lanes])


def _row_alignment(op: wg.GatherOp | wg.ScatterOp) -> int:
    return min(pointer_alignment(op.pointer), size_of(ocl.pointee_of(op.pointer)))


def _address_of_each(
    op: wg.GatherOp | wg.ScatterOp, low: FunctionLowering, other: SSAValue | None
) -> list[SSAValue]:
    """A scalar for each lane; lanes that are off have the address `other`."""
    lanes, source = count_of(op.indices.type), op.indices.owner
    if other is None and isinstance(source, arith.ConstantOp):
        assert isinstance(source.value, DenseIntOrFPElementsAttr)
        base, stride = low.value(op.pointer), wg.stride_in_bytes(op)
        numbers: Any = source.value.get_values()
        return [move_bytes(low, base, number * stride) for number in numbers]
    addresses, mask = _addresses(low, op)
    if other is not None:
        addresses, _ = _all_somewhere(low, addresses, mask, other)
    return [low.extract_element(addresses, lane) for lane in range(lanes)]


def _joined(low: FunctionLowering, x: SSAValue, y: SSAValue) -> SSAValue:
    return low.shuffle(x, y, list(range(2 * count_of(x.type))))


def _add_together(op: wg.UpdateOp, low: FunctionLowering) -> None:
    """Of lanes with the same element, the last one writes last: it adds for those before, too."""
    addresses, mask = _addresses(low, op)
    lanes = count_of(op.indices.type)
    type = VectorType(i32, [lanes])
    # Elements of local memory are less than 2^32 apart.
    indices = low.emit(llvm.TruncOp(low.value(op.indices), type))
    same = low.intrinsic_named(f"llvm.x86.avx512.conflict.d.{32 * lanes}", [indices], type)
    if op.mask is not None:
        bits = low.emit(llvm.BitcastOp(mask, IntegerType(lanes)))
        same = low.emit(llvm.AndOp(same, _in_all(low, low.emit(llvm.ZExtOp(bits, i32)), type)))
    before = low.intrinsic("ctpop", [same], of=type)
    times = low.emit(llvm.AddOp(before, low.constant(1, type)))
    more = low.emit(llvm.MulOp(times, _in_all(low, low.value(op.value), type)))
    old = low.intrinsic_named(
        f"llvm.masked.gather.v{lanes}i32.v{lanes}p0", [addresses, mask, low.constant(0, type)], type
    )
    name = f"llvm.masked.scatter.v{lanes}i32.v{lanes}p0"
    low.intrinsic_void(name, [low.emit(llvm.AddOp(old, more)), addresses, mask])


def _in_all(low: FunctionLowering, value: SSAValue, type: VectorType) -> SSAValue:
    """A vector with the same number in all lanes."""
    first = low.insert_element(low.poison(type), value, 0)
    return low.shuffle(first, first, [0] * count_of(type))


def _any_lane(op: wg.AnyLaneOp, low: FunctionLowering) -> SSAValue:
    mask = low.value(op.mask)
    name = f"llvm.vector.reduce.or.{mangled(mask.type)}"
    return low.intrinsic_named(name, [mask], i1)


def _lane_bits(op: wg.LaneBitsOp, low: FunctionLowering) -> SSAValue:
    mask = low.value(op.mask)
    lanes = count_of(mask.type)
    bits = low.emit(llvm.BitcastOp(mask, IntegerType(lanes)))
    return bits if lanes == 64 else low.emit(llvm.ZExtOp(bits, i64))


CONVERTERS: dict[type[Operation], Converter] = {
    wg.LoadOp: _load,
    wg.StoreOp: _store,
    wg.GatherOp: _gather,
    wg.ScatterOp: _scatter,
    wg.UpdateOp: _add_together,
    wg.AnyLaneOp: _any_lane,
    wg.LaneBitsOp: _lane_bits,
}
