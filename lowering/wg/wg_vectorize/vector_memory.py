"""Loads and stores: one for all lanes, one of neighbouring elements, or a gather."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, IntegerType, UnitAttr, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from polycl.analysis.ocl.addresses import is_parameter, root_of
from polycl.analysis.ocl.intervals import ANY, LARGEST, bounds
from polycl.analysis.ocl.tables import bytes_looked_up, table_of
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.vec import count_of, element_of
from polycl.dialects.wg.attributes import IN_REACH, MAPPED, NEAR, TABLE
from polycl.lowering.llvm.widen_indices import LEAST_GATHERED
from polycl.lowering.wg.wg_vectorize.accesses import (
    LEAST_MASKED,
    SLOTS,
    THREE,
    Access,
    access_size,
    accessed_type,
    are_three_a_row,
    gap_of,
    holds_in_lanes,
    in_slots,
    is_gathered_as_row,
)
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.interleaved_rows import (
    neighbouring_loads,
    neighbouring_stores,
)
from polycl.lowering.wg.wg_vectorize.lane_addresses import (
    Place,
    Spaced,
    cast_to,
    element_pointer,
    place_of,
    pointee_stride,
)
from polycl.lowering.wg.wg_vectorize.lane_values import (
    Lanes,
    Pointers,
    Row,
    Scalar,
    Value,
)
from polycl.lowering.wg.wg_vectorize.near_lanes import is_near
from polycl.lowering.wg.wg_vectorize.owned_elements import value_before
from polycl.lowering.wg.wg_vectorize.private_rows import is_inside
from polycl.lowering.wg.wg_vectorize.repeated_rows import tile_load
from polycl.lowering.wg.wg_vectorize.runs import Runs, parts_of, runs_of
from polycl.lowering.wg.wg_vectorize.shuffles import (
    interleaved,
    joined,
    repeated,
    reversed_lanes,
    shuffled,
)
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

PAGE_BYTES = 4096
"""Of the smallest pages of any system."""


def access_place(e: Emitter, op: Access) -> Place:
    return place_of(e, op.pointer, op.index, access_size(op))


def is_at_one_place(e: Emitter, op: Access) -> bool:
    """Whether all lanes access the same address."""
    operands = (op.pointer, *(() if op.index is None else (op.index,)))
    return all(e.is_uniform(operand) for operand in operands)


def load(e: Emitter, op: ocl.LoadOp | ocl.VLoadOp) -> Value:
    """What the lanes read."""
    if op in e.loaded:
        return Lanes((e.loaded.pop(op),))
    place = access_place(e, op)
    type = op.result.type
    if isinstance(place, Spaced) and place.stride == 0:
        index = () if place.index is None else (place.index,)
        return Scalar(e.emit_copy(op, [place.pointer, *index], [type]).results[0])
    place = _to_elements(e, op, place)
    _note(e, op)
    if isinstance(op, ocl.LoadOp) and _load_neighbours(e, op, place):
        return Lanes((e.loaded.pop(op),))
    if isinstance(place, Pointers):
        row = tile_load(e, op, lambda: e.parts(_read(e, place, 1, access_size(op)))[0])
        if row is not None:
            return row
        if (
            runs := runs_of_access(op, e.lanes, e.facts, e.dimension, e.functions.masks)
        ) is not None:
            return _read_runs(e, op, runs)
    how: dict[str, Attribute] = {}
    if isinstance(op, ocl.LoadOp):
        if is_near(op, e.lanes, e.stride):
            how = {NEAR: UnitAttr()}
        elif isinstance(place, Pointers) and e.is_uniform(op.pointer):
            place, how = _in_table(e, op, place)
    with e.under(None if is_row_for_all(e, op) else e.mask):
        return _read(e, place, count_of(type), access_size(op), how)


def _in_table(e: Emitter, op: ocl.LoadOp, place: Pointers) -> tuple[Pointers, dict[str, Attribute]]:
    """The place from the first byte on that lanes may read, and attributes of the gather, if they
    look bytes up in a table."""
    places = bytes_looked_up(op)
    if places is None:
        return place, {}
    how: dict[str, Attribute] = {TABLE: IntegerAttr(len(places), i64)}
    if not is_parameter(root_of(op.pointer)):
        how[MAPPED] = UnitAttr()
    if places.start == 0:
        return place, how
    base = e.emit(ocl.OffsetOp(place.base, e.index(places.start)))
    first = e.per_lane([places.start] * e.lanes, element_of(place.indices.type))
    return Pointers(base, e.sub(place.indices, first), place.stride), how


def store(e: Emitter, op: ocl.StoreOp | ocl.VStoreOp) -> None:
    """Write what the lanes hold."""
    if isinstance(op, ocl.StoreOp) and op in e.stored:
        _store_row(e, op, e.stored.pop(op))
        return
    place = access_place(e, op)
    value = e.value(op.value)
    at_one_place = isinstance(place, Spaced) and place.stride == 0
    if at_one_place and isinstance(value, Scalar) and value.stride == 0:
        assert isinstance(place, Spaced)
        index = () if place.index is None else (place.index,)
        e.emit_copy(op, [value.value, place.pointer, *index], [])
        return
    if isinstance(op.value.type, ocl.PtrType):
        # The address comes before the addresses that are stored.
        place = _to_elements(e, op, place)
    if isinstance(op, ocl.StoreOp) and isinstance(op.value.type, IntegerType | AnyFloat):
        place = _to_elements(e, op, place)
        if _stores_later(e, op, place):
            return
    size, count = access_size(op), count_of(op.value.type)
    before = _value_before(e, op, place)
    if before is not None:
        _write_back(e, op, _to_elements(e, op, place), before)
        return
    _note(e, op)
    if isinstance(place, Pointers):
        runs = runs_of_access(op, e.lanes, e.facts, e.dimension, e.functions.masks)
        if runs is not None:
            _write_runs(e, op, runs)
            return
    if e.mask is not None and is_row_for_all(e, op):
        parts = e.vectors(op.value)
        place = _to_elements(e, op, place)
        mask = e.mask
        with e.under(None):
            old = e.parts(_read(e, place, count, size))
            parts = tuple(e.select(mask, x, y) for x, y in zip(parts, old, strict=True))
            _write(e, place, parts, size)
    elif count > 1 and isinstance(e.value(op.value), Row):
        row = e.row(op.value, count)
        place = _to_elements(e, op, place)
        if _is_dense(place, count, size, _element(place)):
            _write_row(e, place, row, count)
        elif _is_dense_backwards(place, count, size, _element(place)):
            _write_row_backwards(e, place, row, count)
        elif is_gathered_as_row(count):
            _scatter_row(e, as_pointers(e, place, count), row)
        else:
            _write(e, place, e.vectors(op.value), size)
    else:
        parts = e.vectors(op.value)
        _write(e, _to_elements(e, op, place), parts, size)


def runs_of_access(
    op: Access, lanes: int, facts: Uniformity, dimension: int, masks: bool
) -> Runs | None:
    """The runs of neighbours that lanes access, where one masked access each beats a gather."""
    type, size = accessed_type(op), access_size(op)
    is_shared = ocl.space_of(op.pointer) in (
        ocl.AddressSpace.GLOBAL,
        ocl.AddressSpace.CONSTANT,
        ocl.AddressSpace.LOCAL,
    )
    if not is_shared or not isinstance(element_of(type), IntegerType | AnyFloat):
        return None
    if size != count_of(type) * size_of(element_of(type)) or table_of(op.pointer) is not None:
        return None
    if isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.volatile is not None:
        return None
    runs = runs_of(
        op.pointer,
        op.index,
        size,
        lanes,
        lambda value: facts.lanes(value).strides[dimension],
        facts.small_buffers,
    )
    return runs if runs is not None and (masks or runs.are_row) else None


def _read_runs(e: Emitter, op: ocl.LoadOp | ocl.VLoadOp, runs: Runs) -> Lanes | Row:
    """The elements of each run in turn."""
    size, count = access_size(op), count_of(op.result.type)
    row: SSAValue | None = None
    for run in parts_of(e, runs, op.pointer, op.index):
        place = _to_elements(e, op, Spaced(run.pointer, run.index, size))
        with e.under(run.mask):
            found = _read(e, place, count, size)
        part = found.elements if isinstance(found, Row) else found.parts[0]
        if row is not None and run.mask is not None:
            part = e.select(repeated(e, run.mask, count), part, row)
        row = part
    assert row is not None
    return Lanes((row,)) if count == 1 else Row(row)


def _write_runs(e: Emitter, op: ocl.StoreOp | ocl.VStoreOp, runs: Runs) -> None:
    size, count = access_size(op), count_of(op.value.type)
    row = e.row(op.value, count)
    for run in parts_of(e, runs, op.pointer, op.index):
        place = _to_elements(e, op, Spaced(run.pointer, run.index, size))
        with e.under(run.mask):
            _write_row(e, place, row, count)


def _load_neighbours(e: Emitter, op: ocl.LoadOp, place: Place) -> bool:
    """Load the elements between one lane's and the next one's at once, where several are used."""
    gap = _steps_between(e, place, count_of(op.result.type), access_size(op))
    if gap is None or op.volatile is not None:
        return False
    found = neighbouring_loads(op, gap, e.address_of, e.functions.distinct, _left_for_later(e))
    used = {distance - found.low for distance in found.distances.values()}
    if len(used) == 1:
        return False
    assert isinstance(place, Spaced)
    with _forwards(e, place, gap) as first:
        start = e.add(_start(e, first), e.index(found.low))
        row = _load_some(e, first, start, gap, used)
    order = 1 if first is place else -1
    each = {
        i: shuffled(e, row, row, list(range(i, gap * e.lanes, gap))[::order]) for i in sorted(used)
    }
    e.loaded.update((load, each[d - found.low]) for load, d in found.distances.items())
    return True


def _left_for_later(e: Emitter) -> Iterator[ocl.StoreOp]:
    """The stores so far that a later one is to make, too."""
    for row in e.stored.values():
        yield from (store for store in row.stores.values() if store not in e.stored)


@dataclass(frozen=True)
class StoredRow:
    """Stores of a work-item to neighbouring elements, which are made together by the last one."""

    place: Spaced
    gap: int
    """The elements from one lane's to the next one's."""
    stores: dict[int, ocl.StoreOp]
    """By their distances from `place`."""


def _stores_later(e: Emitter, op: ocl.StoreOp, place: Place) -> bool:
    """Leave a store to the last one of those between one lane's element and the next one's."""
    if op.volatile is not None:
        return False
    gap = _steps_between(e, place, 1, access_size(op))
    stores = {} if gap is None else neighbouring_stores(op, gap, e.address_of, e.functions.distinct)
    if gap is None or len(stores) < 2:
        return False
    assert isinstance(place, Spaced)
    row = StoredRow(place, gap, stores)
    e.stored.update((store, row) for store in stores.values() if store is not op)
    return True


def _store_row(e: Emitter, op: ocl.StoreOp, row: StoredRow) -> None:
    """Write the elements of a row, if `op` is its last store."""
    *_, last = row.stores.values()
    if op is not last:
        return
    slots = range(min(row.stores), min(row.stores) + row.gap)
    values = [e.vectors(row.stores.get(slot, last).value)[0] for slot in slots]
    on = [int(slot in row.stores) for slot in slots] * e.lanes
    with _forwards(e, row.place, row.gap) as first:
        if first is not row.place:
            values = [reversed_lanes(e, value) for value in values]
        start = e.add(_start(e, first), e.index(slots[0]))
        _store_some(e, first.pointer, start, interleaved(e, values), row.gap, on)


@contextmanager
def _forwards(e: Emitter, place: Spaced, steps: int) -> Iterator[Spaced]:
    """The place as it is for lanes in the order of their addresses, which are active meanwhile.
    Its index counts elements. It is another one if addresses fall from lane to lane, by so many
    elements."""
    if place.stride > 0:
        yield place
        return
    start = e.sub(_start(e, place), e.index(steps * (e.lanes - 1)))
    with e.under(None if e.mask is None else reversed_lanes(e, e.mask)):
        yield Spaced(place.pointer, start, -place.stride)


def _note(e: Emitter, op: Access) -> None:
    if e.mask is None and isinstance(op, ocl.LoadOp | ocl.StoreOp):
        e.made_by_all.add(op)


def _value_before(e: Emitter, op: Access, place: Place) -> SSAValue | None:
    """What the lanes that are off may write, where that is faster than a mask."""
    if not e.may_write_back or e.mask is None or not isinstance(op, ocl.StoreOp):
        return None
    is_row = isinstance(place, Spaced) and place.stride == stride_of(op.value.type)
    is_row &= not in_slots(op)
    return value_before(op, e.made_by_all) if is_row and holds_in_lanes(op.value.type) else None


def _write_back(e: Emitter, op: ocl.StoreOp | ocl.VStoreOp, place: Place, old: SSAValue) -> None:
    """Write the elements of all lanes: those of lanes that are off as they are."""
    count = count_of(op.value.type)
    mask = _mask_of_row(e, count)
    assert mask is not None
    row = e.select(mask, e.row(op.value, count), e.row(old, count))
    with e.under(None):
        _write_row(e, place, row, count)


def is_row_for_all(e: Emitter, op: Access) -> bool:
    """Whether all lanes have the element, side by side, so that a lane that is off may keep its own
    by writing it again. LLVM has no values of its own for memory that is accessed under masks."""
    if isinstance(op, ocl.VLoadOp | ocl.VStoreOp) or op.pointer not in e.interleaved:
        return False
    return (op.index is None or e.is_uniform(op.index)) and is_inside(op)


def _to_elements(e: Emitter, op: Access, place: Place) -> Place:
    """The place with its index applied to the pointer, which points to scalars."""
    type, packed = accessed_type(op), isinstance(op, ocl.VLoadOp | ocl.VStoreOp)
    element = i64 if isinstance(type, ocl.PtrType) else element_of(type)
    to = ocl.PtrType(element, ocl.space_of(op.pointer))
    if isinstance(place, Pointers):
        return Pointers(cast_to(e, place.base, to), place.indices, place.stride)
    pointer, index = place.pointer, place.index
    if packed or pointer.type == to:
        return Spaced(cast_to(e, pointer, to), index, place.stride)
    return Spaced(cast_to(e, element_pointer(e, pointer, index), to), None, place.stride)


def _read(
    e: Emitter, place: Place, count: int, size: int, how: dict[str, Attribute] | None = None
) -> Lanes | Row:
    """`count` elements of each lane, side by side; from one lane's to the next are `size` bytes.
    `how` has attributes for what lanes gather."""
    element = _element(place)
    if count == THREE and size == SLOTS * size_of(element):
        return Lanes(e.parts(_read(e, place, SLOTS, size, how))[:THREE])
    if _is_dense(place, count, size, element):
        assert isinstance(place, Spaced)
        index = _packed_index(e, place, count)
        row = _read_row(e, place.pointer, index, count)
        return Lanes((row,)) if count == 1 else Row(row)
    if _is_dense_backwards(place, count, size, element):
        with _forwards(e, _in_elements(e, place, count), count) as first:
            row = _read_row(e, first.pointer, _start(e, first), count)
        row = reversed_lanes(e, row, count)
        return Lanes((row,)) if count == 1 else Row(row)
    gaps = _steps_between(e, place, count, size)
    if gaps is not None:
        assert isinstance(place, Spaced)
        with _forwards(e, place, gaps) as first:
            row = _load_some(e, first, _start(e, first), gaps, {0})
        order = list(range(0, gaps * e.lanes, gaps))[:: 1 if first is place else -1]
        return Lanes((shuffled(e, row, row, order),))
    pointers = as_pointers(e, place, count)
    if is_gathered_as_row(count) or (count == THREE and are_three_a_row(element)):
        rows, each = [pointers.base], count
    else:
        rows, each = _bases(e, pointers.base, count), 1
    gathers = [
        _in_reach(e, wg.GatherOp(base, pointers.indices, e.mask, pointers.stride, each))
        for base in rows
    ]
    for gather in gathers:
        gather.attributes.update(how or {})
    if each > 1:
        return Row(e.emit(gathers[0]))
    return Lanes(tuple(e.emit(gather) for gather in gathers))


def _in_reach(e: Emitter, gather: wg.GatherOp) -> wg.GatherOp:
    """Say that what lanes gather is near the pointer if its numbers are small, or if that is the
    start of a small buffer or of an array: one that was moved may point anywhere. Not of private
    arrays, which lanes have often just written: gathers in two halves wait less (a stack of
    subsets in private memory takes 0.95 of the time).

    What is before a field may be read through it, too, unless its number is that of a record. Only
    the distances of words may be negative: those of parts of words are numbers without a sign.
    """
    start, stride = gather.pointer, wg.stride_in_bytes(gather)
    are_words = size_of(element_of(gather.result.type)) >= LEAST_GATHERED
    while isinstance(start.owner, ocl.CastOp | ocl.MemberOp):
        outer = start.owner.pointer
        if isinstance(start.owner, ocl.MemberOp) and not are_words:
            if stride < pointee_stride(outer):
                break
        start = outer
    is_small = e.facts.small_buffers and is_parameter(start)
    is_array = isinstance(start.owner, ocl.LocalAllocOp | ocl.AddressOfOp)
    least, most = ANY if isinstance(start.owner, ocl.AllocaOp) else bounds(gather.indices)
    is_near = 0 <= least and most * stride < LARGEST
    if is_small or is_array or is_near:
        gather.attributes[IN_REACH] = UnitAttr()
    return gather


def _read_row(e: Emitter, pointer: SSAValue, index: SSAValue, each: int) -> SSAValue:
    """Neighbouring elements, so many of each lane. Where the processor has no masks for elements as
    small as these, those of lanes that are off are read, too, if they are in a page with others."""
    nbytes, count = size_of(ocl.pointee_of(pointer)), each * e.lanes
    if e.mask is None or e.functions.masks or nbytes >= LEAST_MASKED:
        row = _load_on(e, pointer, index, each, [1] * count)
        return row if count_of(row.type) == count else shuffled(e, row, row, list(range(count)))
    mask = _mask_of_row(e, each)
    assert mask is not None
    under_mask = wg.LoadOp(pointer, index, count, mask)
    start = e.emit(ocl.PtrToIntOp(e.emit(ocl.OffsetOp(pointer, index))))
    place = e.and_(start, e.constant(PAGE_BYTES - 1, i64))
    fits = e.compare("ule", place, e.constant(PAGE_BYTES - nbytes * count, i64))
    whole = wg.LoadOp(pointer, index, count)
    whole.attributes[MAPPED] = UnitAttr()
    then, orelse = (Region(Block([side, scf.YieldOp(side.result)])) for side in (whole, under_mask))
    is_mapped = e.and_(fits, e.any_lane(mask))
    return e.emit(scf.IfOp(is_mapped, [under_mask.result.type], then, orelse))


def _write(e: Emitter, place: Place, parts: Sequence[SSAValue], size: int) -> None:
    element = _element(place)
    count = len(parts)
    if _is_dense(place, count, size, element):
        assert isinstance(place, Spaced)
        _write_row(e, place, interleaved(e, parts), count)
        return
    if _is_dense_backwards(place, count, size, element):
        _write_row_backwards(e, place, interleaved(e, parts), count)
        return
    gaps = _steps_between(e, place, count, size)
    if gaps is not None:
        assert isinstance(place, Spaced)
        with _forwards(e, place, gaps) as first:
            part = parts[0] if first is place else reversed_lanes(e, parts[0])
            row = shuffled(e, part, part, [i // gaps for i in range(gaps * e.lanes)])
            on = [int(i % gaps == 0) for i in range(gaps * e.lanes)]
            _store_some(e, first.pointer, _start(e, first), row, gaps, on)
        return
    if count == THREE:
        slots = interleaved(e, (*parts, parts[-1]))
        is_row = size == SLOTS * size_of(element)
        is_row &= e.mask is None or e.functions.masks or size_of(element) >= LEAST_MASKED
        if is_row and isinstance(place, Spaced) and place.stride == size:
            on = [int(i % SLOTS < THREE) for i in range(SLOTS * e.lanes)]
            _store_some(e, place.pointer, _start(e, place), slots, SLOTS, on)
            return
        if are_three_a_row(element):
            some = [i for i in range(SLOTS * e.lanes) if i % SLOTS < THREE]
            _scatter_row(e, as_pointers(e, place, count), shuffled(e, slots, slots, some))
            return
    pointers = as_pointers(e, place, count)
    if is_gathered_as_row(count):
        _scatter_row(e, pointers, interleaved(e, parts))
        return
    for part, base in zip(parts, _bases(e, pointers.base, count), strict=True):
        e.emit_void(wg.ScatterOp(part, base, pointers.indices, e.mask, pointers.stride))


def _scatter_row(e: Emitter, pointers: Pointers, row: SSAValue) -> None:
    base, indices, stride = pointers.base, pointers.indices, pointers.stride
    e.emit_void(wg.ScatterOp(row, base, indices, e.mask, stride))


def _write_row(e: Emitter, place: Place, row: SSAValue, count: int) -> None:
    """Write all elements of all lanes, which lie side by side."""
    assert isinstance(place, Spaced)
    index = _packed_index(e, place, count)
    _store_some(e, place.pointer, index, row, count, [1] * (count * e.lanes))


def _write_row_backwards(e: Emitter, place: Place, row: SSAValue, count: int) -> None:
    """The same for elements that lie side by side in the opposite order of lanes."""
    with _forwards(e, _in_elements(e, place, count), count) as first:
        row = reversed_lanes(e, row, count)
        _store_some(e, first.pointer, _start(e, first), row, count, [1] * (count * e.lanes))


def _mask_of_row(e: Emitter, count: int) -> SSAValue | None:
    return None if e.mask is None else repeated(e, e.mask, count)


def _steps_between(e: Emitter, place: Place, count: int, size: int) -> int | None:
    """How many elements on the next lane's is, where one access to all of them and what is between
    them, which is masked off, beats a gather."""
    if not isinstance(place, Spaced) or count != 1:
        return None
    nbytes = size_of(_element(place))
    if e.mask is not None and not e.functions.masks and nbytes < LEAST_MASKED:
        return None
    steps = gap_of(place.stride, nbytes)
    # The index counts elements, not what a pointer to a larger type would move by.
    return steps if place.index is None or size == nbytes else None


def _load_some(e: Emitter, place: Spaced, start: SSAValue, gap: int, used: set[int]) -> SSAValue:
    """A row with those of each `gap` elements that are used; it fills whole registers."""
    count = gap * e.lanes
    in_register = REGISTER_BYTES // size_of(_element(place))
    whole = -(-count // in_register) * in_register if count > in_register // 2 else count
    on = [int(i < count and i % gap in used) for i in range(whole)]
    return _load_on(e, place.pointer, start, gap, on)


def _load_on(
    e: Emitter, pointer: SSAValue, start: SSAValue, gap: int, on: Sequence[int]
) -> SSAValue:
    """A row of `gap` elements of each lane, of which those that are `on` are read; there may be
    more elements after them, whose values are undefined."""
    parts: list[SSAValue] = []
    for piece in _pieces(e, len(on), size_of(ocl.pointee_of(pointer))):
        index = e.add(start, e.index(piece.start)) if piece.start else start
        mask = _mask_of_elements(e, on, gap, piece)
        parts.append(e.emit(wg.LoadOp(pointer, index, len(piece), mask)))
    return joined(e, parts)


def _store_some(
    e: Emitter, pointer: SSAValue, start: SSAValue, row: SSAValue, gap: int, on: Sequence[int]
) -> None:
    """Write those elements of a row, `gap` of each lane, that are `on`."""
    for piece in _pieces(e, len(on), size_of(ocl.pointee_of(pointer))):
        index = e.add(start, e.index(piece.start)) if piece.start else start
        # The mask is off for elements after the last one.
        order = [min(i, len(on) - 1) for i in piece]
        part = row if len(piece) == count_of(row.type) else shuffled(e, row, row, order)
        e.emit_void(wg.StoreOp(part, pointer, index, _mask_of_elements(e, on, gap, piece)))


def _pieces(e: Emitter, count: int, nbytes: int) -> list[range]:
    """The elements of a row that are accessed together: all, or those of each register where lanes
    may be off and the elements are no power of two. LLVM computes masks of such lengths bit by bit,
    in 600 instructions for 16 lanes of six elements. Smaller elements stay together, shorts with
    others behind them up to a power of two: LLVM's code generator does not end on registers of
    three bytes of each lane, nor on 32 lanes of three bytes and as many elements as make 128.
    """
    if e.mask is None or count & count - 1 == 0 or nbytes == 1:
        return [range(count)]
    if nbytes < LEAST_MASKED:
        return [range(1 << count.bit_length())]
    in_register = min(REGISTER_BYTES // nbytes, 1 << count.bit_length())
    return [range(first, first + in_register) for first in range(0, count, in_register)]


def _mask_of_elements(e: Emitter, on: Sequence[int], gap: int, piece: range) -> SSAValue | None:
    """Which elements of a piece of a row, `gap` of each lane, are accessed: those of `on` whose
    lane is."""
    used = [on[i] if i < len(on) else 0 for i in piece]
    some = None if all(used) else e.per_lane(used, i1)
    if e.mask is None:
        return some
    lanes = [min(i // gap, e.lanes - 1) for i in piece]
    active = e.mask if lanes == list(range(e.lanes)) else shuffled(e, e.mask, e.mask, lanes)
    return active if some is None else e.and_(active, some)


def _element(place: Place) -> Attribute:
    pointer = place.pointer if isinstance(place, Spaced) else place.base
    return ocl.pointee_of(pointer)


def _is_dense(place: Place, count: int, size: int, element: Attribute) -> bool:
    """Whether the elements of all lanes lie side by side, without gaps."""
    return isinstance(place, Spaced) and place.stride == size == count * size_of(element)


def _is_dense_backwards(place: Place, count: int, size: int, element: Attribute) -> bool:
    """The same, but each lane's elements lie before those of the previous one."""
    if not isinstance(place, Spaced) or place.stride != -size:
        return False
    return size == count * size_of(element)


def _in_elements(e: Emitter, place: Place, count: int) -> Spaced:
    """The same place, whose index counts elements."""
    assert isinstance(place, Spaced)
    return Spaced(place.pointer, _packed_index(e, place, count), place.stride)


def _start(e: Emitter, place: Spaced) -> SSAValue:
    return e.index(0) if place.index is None else place.index


def _packed_index(e: Emitter, place: Spaced, count: int) -> SSAValue:
    """The index of lane 0's first element; vloadn counts n elements."""
    return e.index(0) if place.index is None else e.scaled(place.index, count)


def as_pointers(e: Emitter, place: Place, count: int) -> Pointers:
    """The place of each lane's elements, as addresses that may be anywhere."""
    if isinstance(place, Pointers):
        return place
    base = place.pointer
    if place.index is not None:
        base = e.emit(ocl.OffsetOp(base, e.scaled(place.index, count)))
    unit = abs(place.stride) or 1
    sign = (place.stride > 0) - (place.stride < 0)
    return Pointers(base, e.lane_numbers(IndexType(), sign), unit)


def _bases(e: Emitter, base: SSAValue, count: int) -> list[SSAValue]:
    """The address of each element of a lane."""
    return [base] + [e.emit(ocl.OffsetOp(base, e.index(i))) for i in range(1, count)]
