"""`wg-join-elements`: neighbouring elements of one work-item are read or written at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial, reduce

from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import (
    address_in_small_buffer,
    address_of,
    may_share_bytes,
    root_of,
)
from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import vector_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.widen_indices import LEAST_GATHERED
from polycl.lowering.wg.before_vectors import (
    ROW_BYTES,
    Access,
    Edit,
    edit_for_vectors,
    is_far,
    joined,
)
from polycl.lowering.wg.wg_vectorize.accesses import access_stride, accessed_type
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, Cycles, cycles_of
from polycl.lowering.wg.wg_vectorize.interleaved_rows import (
    Addresses,
    near_loads,
    near_stores,
)
from polycl.lowering.wg.wg_vectorize.near_lanes import is_near
from polycl.lowering.wg.wg_vectorize.profit import Verdict, vectors_pay
from polycl.lowering.wg.wg_vectorize.shape import largest_sizes, natural_width
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgJoinElementsPass(ModulePass):
    """Let a work-item read or write up to 16 bytes at once where it accesses all elements in them.

    ```
    %x = ocl.load %p[%i] : f64                %v = ocl.vload (%p + %i)[0] -> vector<2xf64>
    %y = ocl.load %p[%i + 1] : f64     ->     %x = %v[0]
                                              %y = %v[1]
    ```

    The elements of neighbouring work-items are far apart, or anywhere: records of many numbers, or
    those that an index chooses. Vectors of work-items would gather each of them; now they load
    what a work-item has and transpose it. So are two or three words of a record, outside of
    branches, and two elements that an index chooses, without other neighbours, as of the pixels
    around a point, if one gather is shorter by the table of the processor. Where no vectors are
    made, all stays as it is. With `distinct`, buffers of different parameters do not overlap.
    """

    name = "wg-join-elements"

    distinct: bool = False
    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        find = partial(
            _edits,
            distinct=self.distinct,
            small_buffers=self.small_buffers,
            processor=self.processor,
        )
        for first in edit_for_vectors(
            op, find, small_buffers=self.small_buffers, processor=self.processor
        ):
            emit_remark(first, self.name, "with its neighbours at once")


WORD, PAIR = 4, 2
"""The bytes of elements of records, and the elements from anywhere, of which fewer than 16 bytes
are joined, too."""


def _edits(
    region: wg.ParallelOp,
    facts: Uniformity,
    dimension: int,
    *,
    distinct: bool,
    small_buffers: bool,
    processor: str,
) -> list[Edit]:
    edits: list[Edit] = []
    joined: set[Access] = set()
    # Nothing changes before all edits are found.
    kept = cache(address_in_small_buffer if small_buffers else address_of)
    far = [
        op
        for op in operations_of(region.body, ocl.LoadOp, ocl.StoreOp)
        if is_far(op, facts, dimension) and ROW_BYTES // size_of(accessed_type(op)) > 1
    ]

    def is_record(op: Access) -> bool:
        """Whether lanes that are all on have words at a known distance."""
        is_known = access_stride(facts, op, dimension) is not None
        return is_known and size_of(accessed_type(op)) == WORD and op.parent is region.body.block

    def is_anywhere(op: Access) -> bool:
        """Whether lanes that are vectors in any case gather from anywhere, not near each other."""
        if not isinstance(op, ocl.LoadOp) or access_stride(facts, op, dimension) is not None:
            return False
        is_shorter = _is_shorter(size_of(accessed_type(op)), cycles_of(processor))
        return is_shorter and not is_near(op, width(), stride_of) and pays()

    def is_in_row(group: Sequence[Access]) -> bool:
        """Whether there is another neighbour: LLVM makes vectors of rows of one work-item."""
        root, place = kept(group[0])
        size = size_of(accessed_type(group[0]))
        beside = (-size, size * len(group))
        others = (kept(other) for other in far if isinstance(other, ocl.LoadOp))
        return any(
            it is root and its.factors == place.factors and its.number - place.number in beside
            for it, its in others
        )

    @cache
    def width() -> int:
        return natural_width(region, facts, dimension, largest_sizes(region)[dimension] or 1)

    def stride_of(value: SSAValue) -> Stride | None:
        return facts.lanes(value).strides[dimension]

    @cache
    def pays() -> bool:
        body, cycles = region.body.block, cycles_of(processor)
        return vectors_pay(body, facts, dimension, width(), cycles=cycles) is Verdict.PAYS

    order = _Order({op: number for number, op in enumerate(far)})
    # Rows that begin at a multiple of their size first: they leave no single elements.
    for most, is_aligned in ((ROW_BYTES, True), (ROW_BYTES, False), (3, False), (2, False)):
        for op in far:
            if op in joined:
                continue
            count = min(most, ROW_BYTES // size_of(accessed_type(op)))
            is_whole = most == ROW_BYTES or is_record(op)
            if not is_whole and not (most == PAIR and is_anywhere(op)):
                continue
            group = _neighbours(op, count, kept, joined, is_aligned, distinct)
            if not is_whole and group and is_in_row(group):
                continue
            if group and not order.is_changed_by(group):
                joined.update(group)
                order.groups.append(group)
                join = _load if isinstance(op, ocl.LoadOp) else _store
                edits.append((op, partial(join, op, group)))
    return edits


@dataclass(frozen=True)
class _Order:
    """In which order joined accesses are made: loads with their first one, stores with their last.

    `p[1] = 4; p[0] += 1; p[1] += 2;`: both loads may be made with the first one, or both of the
    first stores with the second one, but not both, as `p[1]` would be read too early.
    """

    numbers: Mapping[Access, int]
    groups: list[Sequence[Access]] = field(default_factory=list[Sequence[Access]])

    def is_changed_by(self, group: Sequence[Access]) -> bool:
        """Whether a load would be made before a store that writes what it reads."""
        if isinstance(group[0], ocl.LoadOp):
            return any(self._is_changed(group, it) for it in self.groups if _are_stores(it))
        return any(self._is_changed(it, group) for it in self.groups if not _are_stores(it))

    def _is_changed(self, loads: Sequence[Access], stores: Sequence[Access]) -> bool:
        # Accesses between which one of another array is that may be the same are not joined.
        if root_of(loads[0].pointer) is not root_of(stores[0].pointer):
            return False
        numbers = self.numbers
        if min(map(numbers.__getitem__, loads)) > max(map(numbers.__getitem__, stores)):
            return False
        return any(
            numbers[store] < numbers[load] and may_share_bytes(load, store)
            for load in loads
            for store in stores
        )


def _is_shorter(size: int, cycles: Cycles) -> bool:
    """Whether one gather of two elements takes less time than two, of which the second reads in the
    lines of the first: two bytes cross words, which is slow where the processor gathers words."""
    apart = 2 * cycles.gathered(size)
    if size < LEAST_GATHERED:
        apart = min(cycles.gathered(size), cycles.gathered_word) + cycles.gathered_beside
    return cycles.gathered(PAIR * size) < apart


def _are_stores(group: Sequence[Access]) -> bool:
    return isinstance(group[0], ocl.StoreOp)


def _neighbours(
    op: Access,
    count: int,
    address_of: Addresses,
    joined: set[Access],
    is_aligned: bool,
    distinct: bool,
) -> Sequence[Access]:
    """So many accesses in the order of memory, `op` among them, that can be made together."""
    size = size_of(accessed_type(op))
    found: dict[int, Access] = {}
    near = (
        ((distance, load) for load, distance in near_loads(op, count, address_of, distinct).items())
        if isinstance(op, ocl.LoadOp)
        else near_stores(op, count, address_of, distinct).items()
    )
    for distance, access in near:
        if access not in joined:
            found.setdefault(distance, access)
    number = address_of(op)[1].number
    for low in range(1 - count, 1):
        if all(low + i in found for i in range(count)):
            if not is_aligned or (number + low * size) % ROW_BYTES == 0:
                return [found[low + i] for i in range(count)]
    return []


def _load(first: ocl.LoadOp, group: Sequence[ocl.LoadOp]) -> None:
    build = Build(first)
    start = _start(build, first, -group.index(first))
    type = vector_of(first.result.type, len(group))
    row = build.emit(ocl.VLoadOp(start, build.index(0), type))
    elements = [
        build.emit(vector.ExtractOp(row, [number], first.result.type))
        for number in range(len(group))
    ]
    for load, element in zip(group, elements, strict=True):
        Rewriter.replace_op(load, [], [element])


def _store(first: ocl.StoreOp, group: Sequence[ocl.StoreOp]) -> None:
    start = _start(Build(first), first, -group.index(first))
    last = reduce(lambda one, other: other if one.is_before_in_block(other) else one, group)
    build = Build(last)
    row = joined(build, [store.value for store in group])
    build.emit_void(ocl.VStoreOp(row, start, build.index(0)))
    for store in group:
        Rewriter.erase_op(store)


def _start(build: Build, op: Access, by: int) -> SSAValue:
    """The address of an access, moved by some elements."""
    index = build.index(0) if op.index is None else op.index
    if by:
        index = build.add(index, build.constant(by, index.type))
    return build.emit(ocl.OffsetOp(op.pointer, index))
