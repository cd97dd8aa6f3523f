"""What an access to memory costs: that of a tile as vectors, and those of its work-items."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from xdsl.dialects.builtin import AnyFloat, IntegerType, i1
from xdsl.ir import Attribute, SSAValue

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.tables import (
    PAIR_BYTES,
    WORD_LANES,
    bytes_looked_up,
    in_planes,
    pairs_of,
    table_of,
)
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of, vector_of
from polycl.lowering.llvm.widen_indices import LEAST_GATHERED
from polycl.lowering.wg.wg_vectorize.accesses import (
    SLOTS,
    SMALL,
    THREE,
    Access,
    access_stride,
    accessed_type,
    are_three_a_row,
    gap_of,
    in_slots,
    is_gathered_as_row,
)
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.lane_addresses import pointer_stride
from polycl.lowering.wg.wg_vectorize.near_lanes import is_near
from polycl.lowering.wg.wg_vectorize.repeated_rows import tile_index
from polycl.lowering.wg.wg_vectorize.tile import Costs, Tile
from polycl.lowering.wg.wg_vectorize.vector_memory import runs_of_access

NEAR_TESTS = 8
"""For each register, operations that test whether lanes read what is near, and load it."""


@cache
def registers_of(type: Attribute, lanes: int) -> float:
    element = element_of(type)
    size = 0.5 if element == i1 else bytes_of(element)
    return max(1.0, count_of(type) * lanes * size / REGISTER_BYTES)


def jump_cost(
    op: Access | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, tile: Tile, stride: int | None
) -> float:
    """What one work-item pays where its loop goes on to another cache line each time, which it
    shares with its neighbours."""
    if tile.loop is None or stride == 0 or stride is None or abs(stride) >= LINE:
        return 0
    if ocl.space_of(op.pointer) != ocl.AddressSpace.GLOBAL:
        return 0
    if isinstance(op, Access):
        step = access_stride(tile.loop, op, 0)
    else:
        step = pointer_stride(tile.loop, op.pointer, 0)
    return tile.cycles.jumped if step is None or abs(step) >= LINE else 0


def _conflict(op: Access, tile: Tile, stride: int | None) -> float:
    """What each lane pays where each writes along a row of its own in global memory, which one
    work-item would write as a whole: all lanes come back to their lines, which share a set where
    rows lie a power of two apart. Their length is no known number."""
    if tile.loop is None or not tile.is_row or stride is not None:
        return 0
    if ocl.space_of(op.pointer) != ocl.AddressSpace.GLOBAL:
        return 0
    if any(tile.stride_of(index) is VARYING for index in _indices(op)):
        return 0
    step = access_stride(tile.loop, op, 0)
    return tile.cycles.jumped / 2 if step and abs(step) < LINE else 0


def _is_row(op: Access, tile: Tile) -> bool:
    """Whether all lanes use the same element, each of its own array."""
    return all(tile.is_uniform(index) for index in _indices(op))


def _indices(op: Access) -> Iterator[SSAValue]:
    """Of an access, and of the pointers that its pointer comes from."""
    pointer = op.pointer
    if op.index is not None:
        yield op.index
    while isinstance(pointer.owner, ocl.OffsetOp | ocl.CastOp | ocl.MemberOp):
        if isinstance(pointer.owner, ocl.OffsetOp):
            yield pointer.owner.index
        pointer = pointer.owner.pointer


def bytes_of(element: Attribute) -> int:
    return size_of(element) if isinstance(element, IntegerType | AnyFloat) else 8


def access_costs(op: Access, tile: Tile) -> Costs:
    lanes = tile.lanes
    type = accessed_type(op)
    stride = tile.stride_of_access(op)
    scalar = lanes * (tile.cycles.access * registers_of(type, 1) + jump_cost(op, tile, stride))
    if isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.volatile is not None:
        return Costs(lanes * tile.cycles.alone, scalar)
    if stride == 0:
        return Costs(tile.cycles.access, scalar)
    if isinstance(type, ocl.StructType):
        return Costs(lanes * tile.cycles.alone, scalar)
    size = bytes_of(element_of(type))
    if in_slots(op) and (isinstance(op, ocl.LoadOp) or stride == SLOTS * size):
        type = vector_of(element_of(type), SLOTS)
    if stride is not None and abs(stride) == count_of(type) * size:
        shuffles = (count_of(type) - 1).bit_length() * tile.cycles.shuffled
        turned = tile.cycles.reversed if stride < 0 else 0
        each = tile.cycles.access + shuffles + turned
        return Costs(registers_of(type, lanes) * each, scalar)
    steps = gap_of(stride, size)
    if steps is not None and count_of(type) == 1:
        assert stride is not None
        turned = tile.cycles.reversed if stride < 0 else 0
        each = tile.cycles.strided * steps + turned
        return Costs(registers_of(type, lanes) * each, scalar)
    if isinstance(op, ocl.LoadOp) and op.index is not None and count_of(type) == 1:
        found = tile_index(op.index, lanes, tile.stride_of)
        if found is not None:
            each = tile.cycles.access + tile.cycles.repeated
            if found.is_partner:
                each += tile.cycles.reversed * (lanes.bit_length() - 1)
            return Costs(registers_of(type, lanes) * each, scalar)
    table = table_of(op.pointer) if tile.tables and isinstance(op, ocl.LoadOp) else None
    if table is not None:
        if in_planes(table):
            return Costs(tile.cycles.words * -(-lanes // WORD_LANES), scalar)
        each = tile.cycles.narrowed + tile.cycles.permuted * pairs_of(table)
        return Costs(registers_of(type, lanes) * each, scalar)
    runs = runs_of_access(op, lanes, tile.facts, tile.dimension, tile.masks)
    if runs is not None:
        each = 2 * tile.cycles.access * registers_of(type, lanes) + tile.cycles.repeated
        return Costs(runs.most(lanes) * each, scalar)
    if isinstance(op, ocl.LoadOp) and tile.tables and is_near(op, lanes, tile.stride_of):
        each = tile.cycles.access + tile.cycles.narrowed + tile.cycles.permuted
        return Costs(registers_of(type, lanes) * (each + NEAR_TESTS * tile.cycles.vector), scalar)
    if isinstance(op, ocl.LoadOp) and tile.tables and tile.is_uniform(op.pointer):
        looked_up = bytes_looked_up(op)
        if looked_up is not None:
            # Each register of a pair is loaded, too.
            pairs = -(-len(looked_up) // PAIR_BYTES)
            each = tile.cycles.narrowed + pairs * (tile.cycles.permuted + 2 * tile.cycles.access)
            return Costs(registers_of(type, lanes) * each, scalar)
    if ocl.space_of(op.pointer) == ocl.AddressSpace.PRIVATE and _is_row(op, tile):
        # The lanes' elements lie side by side where they use them one by one.
        return Costs(tile.cycles.access * registers_of(type, lanes), scalar)
    count = count_of(type)
    if count == THREE and are_three_a_row(element_of(type)):
        count = SLOTS
    if is_gathered_as_row(count) and count * size > SMALL:
        each = tile.cycles.row * registers_of(type, 1)
        if stride is None:
            each += (
                tile.cycles.address
                if isinstance(op, ocl.LoadOp | ocl.VLoadOp)
                else 2 * tile.cycles.address
            )
        shuffles = registers_of(type, lanes) * (count - 1).bit_length()
        return Costs(lanes * each + shuffles * tile.cycles.shuffled, scalar)
    if is_gathered_as_row(count):
        size, count = count * size, 1
    each = tile.cycles.gathered(size) * count
    if isinstance(op, ocl.LoadOp) and size * count < LEAST_GATHERED:
        if tile.masks and (tile.is_masked or tile.cycles.gathers_words):
            each = tile.cycles.gathered_word * count
        elif _is_beside_another(op, size):
            return Costs(lanes * tile.cycles.gathered_beside, scalar)
    if isinstance(op, ocl.StoreOp | ocl.VStoreOp):
        each *= _scattering(size, tile)
        each += _conflict(op, tile, stride)
    if ocl.space_of(op.pointer) == ocl.AddressSpace.GLOBAL:
        each += tile.cycles.line_fetched * _lines(op, tile, stride, size)
    return Costs(lanes * each, scalar)


def _lines(op: Access, tile: Tile, stride: int | None, size: int) -> float:
    """How many lines of a buffer a gather fetches for each lane: neighbours may share one, another
    gather may have read in it, or the iteration before (measured with words and larger elements:
    scatters and gathers of smaller ones cost more than that)."""
    is_load = isinstance(op, ocl.LoadOp)
    if is_load and _is_beside_another(op, size):
        return 0
    lines = 1 if stride is None else min(1, abs(stride) / LINE)
    if not is_load or tile.loop is None or size < LEAST_GATHERED:
        return lines
    step = access_stride(tile.loop, op, 0)
    return lines if step is None else min(lines, max(abs(step) / LINE, 1 / tile.iterations))


def _scattering(size: int, tile: Tile) -> float:
    """How many times as long as a lane of a gather one of a scatter takes. Elements that are too
    small for either are read and stored one by one."""
    if not tile.masks:
        return tile.cycles.stored_by_lane
    return tile.cycles.scattered if size >= LEAST_GATHERED else 1


def _is_beside_another(op: ocl.LoadOp, size: int) -> bool:
    """Whether a load of the same block has read an element nearby, at a known distance."""
    block = op.parent
    if block is None or op.index is None:
        return False
    place = linear(op.index)
    for other in block.ops:
        if other is op:
            return False
        if isinstance(other, ocl.LoadOp) and other.pointer is op.pointer and other.index:
            distance = linear(other.index) - place
            if not distance.factors and abs(distance.number) * size < LINE:
                return True
    return False
