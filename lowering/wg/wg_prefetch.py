"""`wg-prefetch`: a work-group touches neighbouring ranges of memory in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, MemoryEffectKind

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import effects_of
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import count_of
from polycl.dialects.wg.attributes import IN_ORDER
from polycl.lowering.build import Build
from polycl.lowering.wg.wg_hoist_grid_loops import is_of_launch
from polycl.remarks import emit_remark
from polycl.symbolic import atom

PAGE = 4096
"""Bytes in which a processor follows one stream: further apart, two do not disturb each other."""

LEAST_BYTES = 512
"""Of ranges that are read in order: shorter ones lose 3 % by it (measured with Zen 4)."""

ITEMS_AHEAD = 128
"""Work-items between a prefetch and the read: some hundred cycles."""

_OF_A_GROUP = (ocl.AddressSpace.LOCAL, ocl.AddressSpace.PRIVATE)
_OF_ALL_GROUPS = (ocl.AddressSpace.GLOBAL, ocl.AddressSpace.CONSTANT)


@dataclass(frozen=True)
class WgPrefetchPass(ModulePass):
    """Read or prefetch what a region reads from several ranges that lie close together, in order.

    The first step of a sum over local memory reads two consecutive ranges:

    ```
    wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) step (16, 1, 1) {
      %i = arith.addi %start, %x : index
      %a = wg.load %in[%i] : !ocl.ptr<f32, global> -> vector<16xf32>
      %j = arith.addi %i, %c256 : index
      %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
      ...
    ```

    A processor sees in[0], in[256], in[16], in[272], ... and fetches ahead of both streams: the
    first one runs into what the second has read, and both start again in the next group. In order,
    there is one stream through all groups. So the first range is read in front of the region:

    ```
    scf.for %k = %c0 to %c256 step %c16 {
      %a = wg.load %in[%start + %k] {wg.in_order}
      wg.store %a, %copy[%k]
    }
    ```

    LLVM unrolls both loops, so that a copy that fits the registers is in them. It does not reorder
    loads with the attribute, which those of the last range in the region have, too. That is done
    for all ranges but the last one, where the region runs along one dimension, each range is read
    by all work-items, and a page has room for all of them.

    Where the region writes to global memory, and where ranges are short, they are fetched instead:

    ```
    scf.for %k = %c0 to %c256 step %c16 {
      %p = ocl.offset %in[%start + %k]
      ocl.prefetch %p[%c16]
    }
    ```

    In a grid-stride loop (`wg-hoist-grid-loops`), a group reads a short range in each iteration,
    and the next one is far away: a processor sees no stream at all. Where work-items run one after
    the other, they are too many instructions for it to begin the next iteration meanwhile, as it
    does with vectors. Each range is fetched some iterations before:

    ```
    scf.for %k = %c0 to %n step %global_size {          scf.for %k = ... {
      wg.parallel (%x, %y, %z) in (%c32, ...) {           %next = %k + 4 * %global_size
        %i = arith.addi %x, %k : index                    scf.if %next < %n {
        %a = ocl.load %in[%i]                     ->        ocl.prefetch %in[%next] ...
                                                          }
                                                          wg.parallel ...
    ```

    A loop of vectors that gathers (a product of a sparse matrix whose elements lie column by
    column) has few iterations in flight, and where each reads a row of another page, no stream is
    seen, either. So it fetches what the next vector of the group reads in the same iteration:

    ```
    scf.for %k = ... {                                  scf.for %k = ... {
      %c = wg.load %columns[%far + %x]        ->          ocl.prefetch %columns[%far + %x + 16]
      ... wg.gather %in[%c]                               %c = wg.load %columns[%far + %x]
    ```
    """

    name = "wg-prefetch"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for region in operations_of(op, wg.ParallelOp):
            for ranges in _neighbours(region):
                read = _can_be_read_before(region, ranges)
                if read:
                    ranges[-1].access.attributes[IN_ORDER] = UnitAttr()
                emit_remark(
                    ranges[0].access,
                    self.name,
                    f"{'read in order' if read else 'prefetched'}: the work-items read "
                    f"{len(ranges)} ranges in one page, one element of each in turn",
                )
                for some in ranges[:-1]:
                    if read:
                        _read_before(region, some)
                    else:
                        _prefetch(Build(some.access, InsertPoint.before(region)), some)
            if (loop := _grid_loop_around(region)) is not None:
                _prefetch_ahead(region, loop)
            for loop in operations_of(region.body, scf.ForOp):
                _prefetch_beside(region, loop)


@dataclass(frozen=True)
class _Range:
    """What the work-items read in one operation."""

    access: wg.LoadOp | ocl.LoadOp
    start: Linear
    """The index of the first element, in values from outside of the region."""
    count: int

    @property
    def element_bytes(self) -> int:
        type = self.access.pointer.type
        assert isinstance(type, ocl.PtrType)
        return size_of(type.pointee)


def _neighbours(region: wg.ParallelOp) -> Iterator[list[_Range]]:
    """Ranges of one array that do not overlap and fit into a page, in order; two at least."""
    groups: dict[tuple[SSAValue, frozenset[tuple[SSAValue, int]]], list[_Range]] = {}
    for some in _ranges(region):
        if isinstance(some.access, ocl.LoadOp):
            continue  # Work-items one after the other are not as fast as memory.
        key = some.access.pointer, frozenset(some.start.factors.items())
        groups.setdefault(key, []).append(some)
    for ranges in groups.values():
        ranges.sort(key=lambda r: r.start.number)
        numbers = [r.start.number for r in ranges]
        count, last = ranges[0].count, numbers[-1] + ranges[0].count
        apart = all(b - a >= count for a, b in zip(numbers, numbers[1:], strict=False))
        if len(ranges) > 1 and apart and (last - numbers[0]) * ranges[0].element_bytes <= PAGE:
            yield ranges


def _ranges(region: wg.ParallelOp) -> Iterator[_Range]:
    sizes = [constant_index(size) for size in region.sizes]
    steps = region.steps
    dimension = steps.index(max(steps))
    count = sizes[dimension]
    if count is None or any(sizes[d] != 1 for d in range(3) if d != dimension):
        return
    id = region.local_ids[dimension]
    for op in region.body.block.ops:
        if not isinstance(op, wg.LoadOp | ocl.LoadOp) or op.index is None:
            continue
        if isinstance(op, wg.LoadOp) and op.mask is not None:
            continue
        if ocl.space_of(op.pointer) not in _OF_ALL_GROUPS:
            continue
        index = linear(op.index)
        start = index.where(lambda monomial: id not in monomial)
        values = (op.pointer, *start.factors)
        is_known_before = not any(region.body.block.is_ancestor(value.owner) for value in values)
        if index.factors.get(id) == 1 and is_known_before:
            yield _Range(op, start, count)


def _grid_loop_around(region: wg.ParallelOp) -> scf.ForOp | None:
    """The loop in steps of the launch in whose iterations a region runs at most once."""
    parent = region.parent_op()
    while isinstance(parent, scf.IfOp):
        parent = parent.parent_op()
    return parent if isinstance(parent, scf.ForOp) and is_of_launch(parent.step) else None


def _prefetch_ahead(region: wg.ParallelOp, loop: scf.ForOp) -> None:
    """Fetch what the region reads in a later iteration of a grid-stride loop."""
    counter = loop.body.block.args[0]
    found = [
        some
        for some in _ranges(region)
        if isinstance(some.access, ocl.LoadOp) and some.start.factors.get(counter) == 1
    ]
    ranges = {(some.access.pointer, some.start): some for some in found}.values()
    if not ranges:
        return
    iterations = max(1, ITEMS_AHEAD // found[0].count)
    emit_remark(
        found[0].access,
        WgPrefetchPass.name,
        f"prefetched: each of {len(ranges)} ranges, {iterations} iterations of the launch before",
    )
    build = Build(loop, InsertPoint.before(region))
    distance = build.mul(loop.step, build.index(iterations))
    with build.when(build.compare("slt", build.add(counter, distance), loop.ub)):
        for some in ranges:
            later = some.start + atom(distance)
            _prefetch(build, replace(some, start=later))


def _prefetch_beside(region: wg.ParallelOp, loop: scf.ForOp) -> None:
    """Fetch what the next vector reads in an iteration of a loop that gathers."""
    gathers = any(
        isinstance(op, wg.GatherOp) and ocl.space_of(op.pointer) in _OF_ALL_GROUPS
        for op in loop.body.block.ops
    )
    if not gathers or all(
        step is None or step == 1 or (count is not None and count <= step)
        for count, step in zip(map(constant_index, region.sizes), region.steps, strict=True)
    ):
        return
    strides = LoopStrides(loop)
    for op in loop.body.block.ops:
        if isinstance(op, wg.LoadOp) and _goes_to_other_pages(op, strides):
            emit_remark(op, WgPrefetchPass.name, "prefetched: what the next vector reads")
            build = Build(op)
            count = build.index(count_of(op.result.type))
            address = build.emit(ocl.OffsetOp(op.pointer, build.add(op.index, count)))
            build.emit_void(ocl.PrefetchOp(address, count))


def _goes_to_other_pages(op: wg.LoadOp, loop: LoopStrides) -> bool:
    """Whether the next iteration reads a row somewhere else."""
    base, step = loop.of(op.pointer).x, loop.of(op.index).x
    if ocl.space_of(op.pointer) not in _OF_ALL_GROUPS:
        return False
    if isinstance(base, int) and isinstance(step, int):
        return abs(base + step * size_of(ocl.pointee_of(op.pointer))) >= PAGE
    return True


def _can_be_read_before(region: wg.ParallelOp, ranges: Sequence[_Range]) -> bool:
    """Whether vectors of numbers read whole ranges, which nothing in the region may change."""
    if ranges[0].count * ranges[0].element_bytes < LEAST_BYTES:
        return False
    lanes = max(region.steps)
    return all(
        some.access.result.type == VectorType(ocl.pointee_of(some.access.pointer), [lanes])
        and some.count % lanes == 0
        for some in ranges
    ) and not any(_may_write_global(op) for op in operations_in(region.body.block))


def _may_write_global(op: Operation) -> bool:
    if op.regions or op.has_trait(IsTerminator):
        return False  # What is inside is asked, too.
    if isinstance(op, wg.StoreOp | ocl.StoreOp):
        return ocl.space_of(op.pointer) not in _OF_A_GROUP
    effects = effects_of(op)
    return effects is None or any(e.kind == MemoryEffectKind.WRITE for e in effects)


def _read_before(region: wg.ParallelOp, some: _Range) -> None:
    """Read a range in front of the region, which finds it in memory of the group."""
    access = some.access
    function = next(op for op in parents(region) if isinstance(op, wg.FuncOp))
    memory = Build(access, InsertPoint.at_start(function.body.block))
    type = ocl.PtrType(ocl.pointee_of(access.pointer), ocl.AddressSpace.LOCAL)
    array = memory.emit(ocl.LocalAllocOp(ocl.ArrayType(some.count, type.pointee)))
    copy = memory.emit(ocl.CastOp(array, type))
    lanes = count_of(access.result.type)
    build = Build(access, InsertPoint.before(region))
    start = _start(build, some)
    with build.loop(build.index(0), build.index(some.count), build.index(lanes)) as number:
        read = wg.LoadOp(access.pointer, build.add(start, number), lanes)
        read.attributes = access.attributes | {IN_ORDER: UnitAttr()}
        build.emit_void(wg.StoreOp(build.emit(read), copy, number))
    id = region.local_ids[region.steps.index(max(region.steps))]
    found = wg.LoadOp(copy, id, lanes)
    found.location = access.location
    Rewriter.replace_op(access, found)


def _start(build: Build, some: _Range) -> SSAValue:
    """The index of the first element."""
    factors = some.start.factors.items()
    return build.linear(
        chain([(None, some.start.number)], ((build.as_index(v), factor) for v, factor in factors))
    )


def _prefetch(build: Build, some: _Range) -> None:
    """One operation for each line."""
    start = _start(build, some)
    line = build.index(max(1, LINE // some.element_bytes))
    with build.loop(build.index(0), build.index(some.count), line) as number:
        address = build.emit(ocl.OffsetOp(some.access.pointer, build.add(start, number)))
        build.emit_void(ocl.PrefetchOp(address, line))
