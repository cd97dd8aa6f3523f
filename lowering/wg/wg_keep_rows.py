"""`wg-keep-rows`: a row that a loop reads in each iteration of another one is read once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial, reduce

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import address_in_small_buffer, are_apart
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.wg.before_vectors import Edit, edit_for_vectors, is_far
from polycl.lowering.wg.two_versions import MOST_OPERATIONS
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT
from polycl.remarks import emit_remark

MOST_ELEMENTS = 64
"""Of a row: those of 16 work-items have 4 KiB, and a tile has several vectors."""

LEAST_READS = 4
"""Iterations of the outer loop: the row is read, written and read again for the first one."""


@dataclass(frozen=True)
class WgKeepRowsPass(ModulePass):
    """Copy a row of each work-item's own to private memory before the loop that reads it again.

    ```
                                                    scf.for %k = %c0 to %d step %c1 {
                                                      %v = ocl.load %a[%row + %k]
                                                      ocl.store %v, %copy[%k]
                                                    }
    scf.for %j = %c0 to %n step %c1 {               scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %d step %c1 {         ->    scf.for %k = %c0 to %d step %c1 {
        %v = ocl.load %a[%row + %k]                     %v = ocl.load %copy[%k]
        %w = ocl.load %b[%j * %d + %k]                  %w = ocl.load %b[%j * %d + %k]
        ...                                             ...
    ```

    Points are compared with all others: the rows of neighbouring work-items are far apart, so that
    vectors of work-items gather each element for each other point. In private memory, the elements
    of lanes lie side by side. Where the lengths are not known, a copy of the region does so for
    groups whose rows have at most 64 elements and are read at least four times.

    The outer loop writes nothing to the row. With `distinct`, buffers of different parameters do
    not overlap, and with `small_buffers` none has 2^32 bytes: the launch checks it.
    """

    name = "wg-keep-rows"

    distinct: bool = False
    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops: dict[wg.ParallelOp, list[tuple[scf.ForOp, scf.ForOp]]] = defaultdict(list)

        def find(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> list[Edit]:
            edits: list[Edit] = []
            if len(operations_in(region.body)) > MOST_OPERATIONS:
                return edits
            for load in operations_of(region.body, ocl.LoadOp):
                pair = self._loops_around(load, region, facts)
                if pair is not None and is_far(load, facts, dimension):
                    loops[region].append(pair)
                    edits.append((load, partial(_keep, load, *pair)))
            return edits

        def condition_of(region: wg.ParallelOp) -> SSAValue | None:
            tests = [
                test
                for outer, inner in dict.fromkeys(loops[region])
                for test in (
                    *_count_tests(inner, region, "sle", MOST_ELEMENTS),
                    *_count_tests(outer, region, "sge", LEAST_READS),
                )
            ]
            return reduce(Build(region).and_, tests) if tests else None

        for load in edit_for_vectors(
            op,
            find,
            small_buffers=self.small_buffers,
            processor=self.processor,
            may_edit=lambda region: bool(operations_of(region.body, scf.ForOp)),
            condition_of=condition_of,
        ):
            emit_remark(load, self.name, "a row that is read again is kept in private memory")

    def _loops_around(
        self, load: ocl.LoadOp, region: wg.ParallelOp, facts: Uniformity
    ) -> tuple[scf.ForOp, scf.ForOp] | None:
        """The two loops, the outer one first, where the load reads the same row in each iteration
        of the outer one, each of its elements once."""
        inner = load.parent_op()
        outer = inner.parent_op() if inner is not None else None
        if not isinstance(inner, scf.ForOp) or not isinstance(outer, scf.ForOp):
            return None
        bounds = (inner.lb, inner.ub, outer.lb, outer.ub)
        if constant_value(inner.step) != 1 or constant_value(outer.step) != 1:
            return None
        if UNSIGNED in inner.attributes or UNSIGNED in outer.attributes:
            return None
        if not all(is_hoistable(bound, region) for bound in bounds):
            return None
        counts = trip_count(inner), trip_count(outer)
        if (counts[0] or 1) > MOST_ELEMENTS or (counts[1] or LEAST_READS) < LEAST_READS:
            return None
        counter = inner.body.block.args[0]
        address = [load.pointer] if load.index is None else [load.pointer, load.index]
        if not all(is_hoistable(value, outer, [counter]) for value in address):
            return None
        # Where an unsigned sum wraps, it is another element, too.
        grows = address_in_small_buffer(load)[1].factors.get(counter, 0) != 0
        return (outer, inner) if grows and self._is_kept(load, outer) else None

    def _is_kept(self, load: ocl.LoadOp, outer: scf.ForOp) -> bool:
        """Whether nothing in a loop writes what a load in it reads."""
        for op in operations_in(outer):
            if isinstance(op, ocl.StoreOp):
                if not are_apart(op.pointer, load.pointer, self.distinct):
                    return False
            elif not (op.regions or isinstance(op, ocl.LoadOp | scf.YieldOp | scf.ConditionOp)):
                if not is_side_effect_free(op):
                    return False
        return True


def _count_tests(
    loop: scf.ForOp, region: wg.ParallelOp, predicate: str, number: int
) -> list[SSAValue]:
    """Tests that compare how many iterations a loop has with a number, where that is not known."""
    if trip_count(loop) is not None:
        return []
    count, tests = _iterations(loop, region)
    build = Build(region)
    return [*tests, build.compare(predicate, count, build.constant(number, count.type))]


def _iterations(loop: scf.ForOp, region: wg.ParallelOp) -> tuple[SSAValue, list[SSAValue]]:
    """The distance of a loop's bounds, and tests that it does not wrap."""
    build = Build(region)
    lb, ub = (hoisted(bound, region) for bound in (loop.lb, loop.ub))
    if constant_value(loop.lb) == 0:
        return ub, []
    zero = build.constant(0, lb.type)
    return build.sub(ub, lb), [build.compare("sge", bound, zero) for bound in (lb, ub)]


def _keep(load: ocl.LoadOp, outer: scf.ForOp, inner: scf.ForOp) -> None:
    """Copy the row that `inner` reads before `outer`, and read the copy."""
    build, type = Build(outer), load.result.type
    count = trip_count(inner) or MOST_ELEMENTS
    array = build.emit(ocl.AllocaOp(ocl.ArrayType(count, type)))
    copy = build.emit(ocl.CastOp(array, ocl.PtrType(type, AddressSpace.PRIVATE)))
    copy.name_hint = "copy"
    lb, ub, step = (hoisted(bound, outer) for bound in (inner.lb, inner.ub, inner.step))
    with build.loop(lb, ub, step) as counter:
        counter.name_hint = inner.body.block.args[0].name_hint
        known: dict[SSAValue, SSAValue] = {inner.body.block.args[0]: counter}
        index = None if load.index is None else hoisted(load.index, outer, known, build.point)
        pointer = hoisted(load.pointer, outer, known, build.point)
        element = build.emit(ocl.LoadOp(pointer, index))
        build.emit_void(ocl.StoreOp(element, copy, _number(build, counter, lb)))
    again = Build(load)
    kept = ocl.LoadOp(copy, _number(again, inner.body.block.args[0], lb))
    Rewriter.replace_op(load, kept)


def _number(build: Build, counter: SSAValue, lb: SSAValue) -> SSAValue:
    """The number of an iteration, as an index."""
    number = counter if constant_value(lb) == 0 else build.sub(counter, lb)
    return build.index_cast(number, IndexType())
