"""`wg-spread-loops`: the iterations of a work-item's loop over its own outputs are work-items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.addresses import address_of, is_parameter, size_of_access
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.wg.attributes import SPREAD
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused, replace_by_block
from polycl.lowering.wg.lifting import NotLiftable
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_hoist_grid_loops import has_else, only_effect
from polycl.lowering.wg.wg_split_guards import GroupCheck, Refusal
from polycl.lowering.wg.wg_split_rows import QUOTIENTS, REMAINDERS, row_width
from polycl.lowering.wg.wg_spread_loops.in_steps import LoopInSteps
from polycl.remarks import emit_remark

MOST_ITERATIONS = 64
"""Work-items that one becomes."""

MOST_OPERATIONS = 400
"""A larger loop is not looked at."""

_MOST_DISTANCES = 16
"""That a group compares."""

Access = ocl.LoadOp | ocl.StoreOp
_TERMINATORS = (scf.YieldOp, scf.ConditionOp)


@dataclass(frozen=True)
class WgSpreadLoopsPass(ModulePass):
    """Let a region run for each iteration of a loop that is all that its work-items do.

    ```
    wg.parallel (%x, %y, %z) in (%c64, ...) {      wg.parallel (%x, %y, %z) in (%c256, ...) {
      scf.for %k = %c0 to %c4 step %c1 {
        ... 4 * %x + %k ...                   ->     ... %x ...
      }
    }                                              }
    ```

    Neighbouring work-items then access neighbouring elements, though each work-item of the kernel
    has several outputs. The number of iterations is constant and at most 64, the loop carries no
    values, and everything in it depends on `%x` and `%k` by `4 * %x + %k` alone. A guard around
    the loop stays, if it is the same along the dimension.

    Work-items are independent; iterations are if none accesses what another one writes. Accesses to
    a buffer that the loop writes may be at distances that the group computes (`out[i]` and
    `out[n + i]`): the region is there twice, and is spread where each distance is longer than what
    all iterations of a work-item access. With `distinct`, buffers of different parameters do not
    overlap: the launch checks it. An address may have `i / width` and `i % width`, of an `i` that
    counts the outputs, if the group finds that rows are as long as one or more work-items: then the
    outputs of each are next to each other in one row.

    A loop in steps of the group, from the number of a work-item to a constant, is such a loop, too,
    if it divides that number by a constant:

    ```
    wg.parallel (%x, %y, %z) in (%c16, %c16, %c1) {      wg.parallel (%x, %y, %z) in (%c324, ...) {
      scf.for %k = 16 * %y + %x to %c324 step %c256 {
        ... %k / 18 ... %k % 18 ...                 ->     ... %x / 18 ... %x % 18 ...
      }
    }                                                    }
    ```

    It fills a tile with a border, whose rows `wg-split-ids` finds. Each iteration writes places of
    its own: they move with the counter, or with its quotient and its remainder.
    """

    name = "wg-spread-loops"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.walk() if isinstance(f, wg.FuncOp)]:
            # Where the local size is an attribute, the sizes of regions need not tell it.
            if function.local_size is None:
                continue
            for region in [r for r in function.body.walk() if isinstance(r, wg.ParallelOp)]:
                if region.step is not None or (loop := only_loop(region)) is None:
                    continue
                in_steps = LoopInSteps(region, loop, self.distinct)
                if in_steps.may_spread():
                    emit_remark(loop, self.name, f"spread over {in_steps.end} work-items")
                    in_steps.spread()
                else:
                    self._spread(region, loop, function)

    def _spread(self, region: wg.ParallelOp, loop: scf.ForOp, function: wg.FuncOp) -> None:
        count = trip_count(loop)
        if count is None or not 2 <= count <= MOST_ITERATIONS:
            return
        if sum(1 for _ in loop.walk()) > MOST_OPERATIONS:
            return
        for dimension in range(3):
            sums = _Sums(region, loop, dimension, count)
            if not sums.are_next_to_each_other():
                continue
            if not sums.is_all():
                emit_remark(loop, self.name, "not spread: not all depends on an output's number")
            elif (distances := sums.distances(self.distinct)) is None:
                emit_remark(loop, self.name, "not spread: iterations may access the same elements")
            elif not distances and not sums.divisions:
                emit_remark(loop, self.name, f"spread over {sums.work_items()}")
                sums.spread()
                return
            else:
                self._spread_if_apart(sums, distances, function)
                return

    def _spread_if_apart(
        self, sums: _Sums, distances: Sequence[Linear], function: wg.FuncOp
    ) -> None:
        """Spread a copy, for groups in which all distances are longer than a work-item's span."""
        if is_too_large(sums.region, self.name):
            return
        check = GroupCheck(sums.region, Uniformity(function))
        try:
            tests = [
                check.or_(check.is_natural(each - sums.span), check.is_natural(-each - sums.span))
                for each in distances
            ]
            for op, dividend in sums.divisions.items():
                tests += self._is_in_row(op, dividend, sums, check)
        except (Refusal, NotLiftable):
            check.erase_unused()
            emit_remark(sums.loop, self.name, "not spread: distances are not the group's")
            return
        emit_remark(sums.loop, self.name, f"spread over {sums.work_items()}, if they are apart")
        copy = two_versions(sums.region, check.conjunction(tests))
        loop = only_loop(copy)
        assert loop is not None
        of_copy = _Sums(copy, loop, sums.dimension, sums.count)
        is_all = of_copy.is_all()
        assert is_all
        of_copy.spread()

    def _is_in_row(
        self, op: Operation, dividend: Linear, sums: _Sums, check: GroupCheck
    ) -> list[SSAValue]:
        """Tests that all iterations of a work-item divide numbers with the same quotient.

        They are as many as `sums.count`: it divides the width, and the first dividend.
        """
        count, zero = check.index(sums.count), check.index(0)
        width, _ = row_width(check, op, op.operands[1])
        first = check.smallest(dividend)
        return [
            check.compare("slt", zero, width),
            check.is_natural(dividend),
            check.is_natural(-dividend + (2**31 - sums.count)),
            *(
                check.compare("eq", check.emit(arith.RemUIOp(value, count)), zero)
                for value in (width, first)
            ),
        ]


def only_loop(region: wg.ParallelOp, *besides: type[Operation]) -> scf.ForOp | None:
    """The loop that is all that a region does, but for guards and operations of `besides`."""
    if region.res:
        return None
    found = only_effect(region.body.block, *besides)
    while isinstance(found, scf.IfOp) and not found.results and not has_else(found):
        found = only_effect(found.true_region.block, *besides)
    return found if isinstance(found, scf.ForOp) and not found.iter_args else None


class _Sums:
    """The values of a loop that grow with `count * id + iteration`, the new id."""

    def __init__(self, region: wg.ParallelOp, loop: scf.ForOp, dimension: int, count: int):
        self.region = region
        self.loop = loop
        self.dimension = dimension
        self.count = count
        self.id = region.local_ids[dimension]
        self.counter = loop.body.block.args[0]
        self.step = constant_index(loop.step) or 0
        self.start = linear(loop.lb)
        self.accesses = [op for op in loop.body.walk() if isinstance(op, Access)]
        self.found: dict[SSAValue, int] = {}
        """The values to replace, and by how much each grows with the new id."""
        self.divisions: dict[Operation, Linear] = {}
        """Quotients and remainders of the outputs' numbers, each with the first dividend of a
        work-item: within one, quotients are to be the same."""
        self.span = 0
        """The bytes from the first element that the iterations of a work-item access, in an array
        where they are next to each other, to the one after the last."""

    def _grows(self, value: Linear) -> tuple[int, int]:
        """By how much a sum grows with the id, and with the number of the iteration."""
        of_counter = value.factors.get(self.counter, 0)
        of_id = value.factors.get(self.id, 0)
        return of_id + of_counter * self.start.factors.get(self.id, 0), of_counter * self.step

    def _grows_in_row(self, value: Linear) -> tuple[int, int]:
        """The same where the divisions of a work-item's iterations have one quotient."""
        of_id, of_iteration = self._grows(value)
        for each, times in value.factors.items():
            if isinstance(each.owner, REMAINDERS) and self._is_division(each.owner):
                of_id += times * self.count
                of_iteration += times
        return of_id, of_iteration

    def _is_division(self, op: Operation) -> bool:
        """Whether it divides a number that grows by 1 with the new id; if so, it is noted."""
        if op not in self.divisions:
            dividend, width = linear(op.operands[0]), op.operands[1]
            is_inside = self.loop.body.block.is_ancestor(op)
            if not is_inside or self._grows(dividend) != (self.count, 1) or self._varies(width):
                return False
            # For the first iteration.
            factor = dividend.factors.get(self.counter, 0)
            first = dividend + (self.start - linear(self.counter)) * factor
            if any(self._varies(value) for value in first.atoms - {self.id}):
                return False
            self.divisions[op] = first
        return True

    def _is_fixed(self, value: SSAValue) -> bool:
        """Whether a value is the same in all iterations of a work-item, if rows are long."""

        def is_quotient(each: SSAValue) -> bool:
            return isinstance(each.owner, QUOTIENTS) and self._is_division(each.owner)

        return _is_computed(value, self.loop.body.block, is_quotient)

    def _varies(self, value: SSAValue) -> bool:
        """Whether a value is not the same for all work-items and iterations, or may not be."""
        return not _is_computed(value, self.region.body.block, lambda _: False)

    # Whether it can be done, and pays

    def are_next_to_each_other(self) -> bool:
        """Whether new neighbours access neighbouring elements somewhere."""
        sums = [(address_of(op)[1], size_of_access(op)) for op in self.accesses]
        sizes = [(self._grows_in_row(sum), size) for sum, size in sums]
        return any(grows == (self.count * size, size) for grows, size in sizes)

    def is_all(self) -> bool:
        """Whether what the loop does depends on the new id alone; fills `found`."""
        unknown: set[SSAValue] = {self.id}
        for op in self.region.body.block.walk():
            if op is self.loop:
                self._find(self.counter, unknown)
                continue
            depends = not unknown.isdisjoint(op.operands)
            if depends and self._has_effect(op):
                return False
            # What an operation with blocks carries or yields is what their terminators have.
            for result in op.results if depends else ():
                self._find(result, unknown)
        return True

    def _find(self, value: SSAValue, unknown: set[SSAValue]) -> None:
        """Put a value that depends on the id or the iteration into `found` or `unknown`."""
        factor = None
        if isinstance(value.type, IndexType | IntegerType):
            sum = linear(value)
            of_id, of_iteration = self._grows(sum)
            rest = sum.atoms - {self.id, self.counter}
            if of_iteration and of_id == self.count * of_iteration and unknown.isdisjoint(rest):
                factor = of_iteration
        if factor is None:
            unknown.add(value)
        else:
            self.found[value] = factor

    def _has_effect(self, op: Operation) -> bool:
        return bool(op.regions) or isinstance(op, _TERMINATORS) or not is_side_effect_free(op)

    def distances(self, distinct: bool) -> list[Linear] | None:
        """How far apart, in bytes, accesses are that must not meet, so that the iterations of a
        work-item can run in any order: at least `span`. None if they cannot."""
        for op in self.loop.body.walk():
            if isinstance(op, Access):
                if op.volatile is not None or not is_parameter(address_of(op)[0]):
                    return None
            elif not (op.regions or isinstance(op, _TERMINATORS) or is_side_effect_free(op)):
                return None
        stores = [op for op in self.accesses if isinstance(op, ocl.StoreOp)]
        written = {address_of(op)[0] for op in stores}
        places: dict[SSAValue, list[_Place]] = {}
        self.divisions.clear()
        for op in self.accesses:
            root, start = address_of(op)
            # Without `distinct`, all are in one buffer.
            if root not in written:
                places.setdefault(root, [])
                continue
            step = self._grows_in_row(start)[1]
            self.span = max(self.span, self.count * abs(step))
            place = _Place(start, step, size_of_access(op), isinstance(op, ocl.StoreOp))
            places.setdefault(root, []).append(place)
        if not distinct and len(places) > 1:
            return None
        found: dict[Linear, None] = {}
        for each in places.values():
            for a, b in combinations_with_replacement(dict.fromkeys(each), 2):
                if not (a.is_written or b.is_written):
                    continue
                if not (self._is_row(a) and self._is_row(b)):
                    return None
                distance = a.start - b.start
                if a.step != b.step or any(map(self._varies, distance.atoms)):
                    return None
                if distance.constant is None:
                    if max(a.size, b.size) > abs(a.step):
                        return None
                    if -distance not in found:
                        found[distance] = None
                elif self._meet(distance.constant, a, b):
                    return None
        return list(found) if len(found) <= _MOST_DISTANCES else None

    def _is_row(self, place: _Place) -> bool:
        """Whether what an access does in the iterations of a work-item depends on their number
        alone: an inner loop may go on to where another iteration is."""
        known = {self.counter, *(op.results[0] for op in self.divisions)}
        return all(value in known or self._is_fixed(value) for value in place.start.atoms)

    def _meet(self, distance: int, a: _Place, b: _Place) -> bool:
        """Whether two iterations of a work-item access the same byte, at a constant distance."""
        gaps = (distance + a.step * n for n in range(1 - self.count, self.count) if n)
        return any(-a.size < gap < b.size for gap in gaps)

    # The rewriting

    def work_items(self) -> str:
        """How many run the loop's body, for a remark."""
        size = constant_index(self.region.sizes[self.dimension])
        times = f"{self.count} times as many" if size is None else f"{size * self.count}"
        return f"{times} work-items"

    def spread(self) -> None:
        """Run the loop's body for a work-item for each iteration."""
        self.region.attributes[SPREAD] = UnitAttr()
        for value, factor in self.found.items():
            self._replace(value, factor)
        build, size = Build(self.region), self.region.sizes[self.dimension]
        known = constant_index(size)
        self.region.operands[self.dimension] = (
            build.mul(size, build.index(self.count))
            if known is None
            else build.index(known * self.count)
        )
        replace_by_block(self.loop, self.loop.body.block, [self.loop.lb])
        erase_unused(self.region.body)

    def _replace(self, value: SSAValue, factor: int) -> None:
        """Compute a value for the first id and iteration, and add what the new id adds."""
        owner, uses = value.owner, list(value.uses)
        if isinstance(owner, Operation):
            build = Build(owner, InsertPoint.after(owner))
        else:
            build = Build(self.loop, InsertPoint.at_start(owner))
        first = self._first(value, build, {self.id: build.index(0)})
        grown = build.index_cast(self.id, value.type)
        if factor != 1:
            grown = build.mul(grown, build.constant(factor, value.type))
        sum = build.add(first, grown)
        sum.name_hint = value.name_hint
        for use in uses:
            use.operation.operands[use.index] = sum

    def _first(self, value: SSAValue, build: Build, known: dict[SSAValue, SSAValue]) -> SSAValue:
        """A value for the first id and iteration."""
        if value is self.counter:
            value = self.loop.lb
        if value not in known:
            factors, owner = linear(value).factors, value.owner
            if isinstance(owner, Block) or not (self.id in factors or self.counter in factors):
                return value
            operands = [self._first(operand, build, known) for operand in owner.operands]
            copy = owner.clone(dict(zip(owner.operands, operands, strict=True)))
            known[value] = build.emit(copy)
        return known[value]


@dataclass(frozen=True)
class _Place:
    """Where an access begins, how far it moves with each iteration, and its bytes."""

    start: Linear
    step: int
    size: int
    is_written: bool


def _is_computed(value: SSAValue, block: Block, is_known: Callable[[SSAValue], bool]) -> bool:
    """Whether a value is computed from known ones and those outside of a block, by arithmetic."""
    seen, todo = {value}, [value]
    while todo:
        each = todo.pop()
        owner = each.owner
        if not block.is_ancestor(_block_of(each)) or is_known(each):
            continue
        if not isinstance(owner, Operation) or owner.regions or not is_side_effect_free(owner):
            return False
        new = [operand for operand in owner.operands if operand not in seen]
        seen.update(new)
        todo += new
    return True


def _block_of(value: SSAValue) -> Block:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    assert block is not None
    return block
