"""`wg-split-borders`: work-items whose neighbours are inside of an array run without the border."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, ModuleOp, UnitAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_index, constant_value
from polycl.analysis.wg.borders import Quotients, Remainder
from polycl.analysis.wg.wrapping_loops import WrappingLoop
from polycl.dialects import ocl, wg
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.wg.attributes import LANES, LIKELY, RARE
from polycl.lowering.build import Build
from polycl.lowering.wg.building import run_from
from polycl.lowering.wg.two_versions import MOST_OPERATIONS
from polycl.lowering.wg.wg_select_loads import is_selectable
from polycl.lowering.wg.wg_split_borders.plan import (
    Piece,
    Place,
    Plan,
    Planner,
    Small,
    is_mask,
    smallest,
)
from polycl.lowering.wg.wg_split_guards import GroupCheck, settle
from polycl.lowering.wg.wg_vectorize.accesses import (
    Access,
    access_stride,
    accessed_type,
    accesses_in,
)
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, Cycles, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import Verdict, tile_costs, verdict_of
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.lowering.wg.wg_vectorize.tile import Costs
from polycl.remarks import emit_remark

LEAST_WIDTH = 4
"""The least vector width for which splitting pays."""


@dataclass(frozen=True)
class WgSplitBordersPass(ModulePass):
    """Split regions whose addresses clamp, mirror or wrap a neighbour's coordinate.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
      %i = arith.addi %first, %x : index
      %inside = arith.cmpi ugt, %i, %c0 : index
      %left = arith.subi %i, %c1 : index
      %l = arith.select %inside, %left, %c0 : index
      %v = ocl.load %in[%l]
    ```

    becomes

    ```
    scf.if %all {
      wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) { %v = ocl.load %in[%left] ... }
    } else {
      %from = 1 - %first ...                      // rounded to vectors, and so is %n
      wg.parallel (%x, %y, %z) in (%n, %c1, %c1) { ... }  // the same from %from on
      scf.for ... { wg.parallel ... }                     // as it was, before and behind
    }
    ```

    The work-items are those for which each comparison of an address has the outcome that it has
    far from all borders, each minimum and maximum is the operand, and each remainder has the
    quotient; a loop that wraps a coordinate runs as often, and any other one, as one that reflects
    it, has no iteration. All of these are about sums of ids, of counters of loops and of values of
    the group, so they hold on an interval of work-items along the dimension of vectors; what
    depends on other ids must hold for all of them. The first version, for whole groups, has no
    border along other dimensions either. What holds whatever the launch, as that `x + 1` is not
    negative, is left out on either side, too.

    Unsigned sums are right where they do not wrap, which is asked as well. A region is split if an
    access becomes consecutive, or neighbours access elements at most four apart (the colours of
    pixels) or fields of such records, other than of local memory, whose elements are gathered from
    the first-level cache. Not split are regions of more than 400 operations, times the estimated
    gain of work-items inside: there are three copies to compile. Nor are parts of groups in which
    `wg-select-loads` makes loads of rows under masks of all of these.
    """

    name = "wg-split-borders"

    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            if function.local_size is None:
                continue
            regions = [r for r in operations_of(function.body, wg.ParallelOp) if _may_split(r)]
            if regions:
                facts = Uniformity(function, small_buffers=self.small_buffers)
                for region in regions:
                    _split(region, function, facts, self.processor)


def _may_split(region: wg.ParallelOp) -> bool:
    is_new = LANES not in region.attributes and RARE not in region.attributes
    return region.step is None and not region.res and is_new


def _split(region: wg.ParallelOp, function: wg.FuncOp, facts: Uniformity, processor: str) -> None:
    sizes = largest_sizes(region)
    dimension = best_dimension(region, facts, sizes)
    size = None if dimension is None else sizes[dimension]
    if dimension is None or size is None:
        return
    accesses = list(_irregular(region, facts, dimension))
    width = natural_width(region, facts, dimension, size) if accesses else 0
    if width < LEAST_WIDTH:
        return
    split = _Estimate(region, facts, dimension, width, cycles_of(processor))
    if split.is_too_large({op: size_of(accessed_type(op)) for op in accesses}):
        # Not even if all of them became rows.
        return
    if constant_index(region.sizes[dimension]) is None and all(
        isinstance(op, ocl.LoadOp) and is_selectable(op, facts, dimension) for op in accesses
    ):
        # A part of a group has a few vectors: half of them may be at the border.
        return
    check = GroupCheck(region, facts)
    planner = Planner(region, function, facts, dimension, check)
    plan = planner.plan(accesses)
    if plan is not None:
        rows = planner.consecutive(plan.inside.choices, accesses)
        strides: dict[Operation, int] = {
            op: step * place.size
            for op, step in rows.items()
            if (place := Place.of(op)) is not None
        }
        verdict = split.verdict(strides)
        if verdict is Verdict.PAYS and not split.is_too_large(strides):
            text = f"inside, neighbours read neighbours in {len(rows)} more access"
            text = f"split along {'xyz'[dimension]}: {text}{'es' if len(rows) > 1 else ''}"
            emit_remark(region, WgSplitBordersPass.name, text)
            _emit(region, check, plan, dimension, width)
        elif verdict is not Verdict.PAYS:
            emit_remark(region, WgSplitBordersPass.name, f"not split: {verdict.value}")
    check.erase_unused()


@dataclass(frozen=True)
class _Estimate:
    """What a region costs as it is, and where accesses have other strides."""

    region: wg.ParallelOp
    facts: Uniformity
    dimension: int
    width: int
    cycles: Cycles

    def verdict(self, strides: Mapping[Operation, int]) -> Verdict:
        return verdict_of(self._costs(strides), self.region.body.block)

    def is_too_large(self, strides: Mapping[Operation, int]) -> bool:
        """Whether copies take longer to compile than they save, which is a remark.

        A region has `MOST_OPERATIONS` if they save little, and as many times more as work-items
        inside are faster.
        """
        count = len(operations_in(self.region.body))
        if count <= MOST_OPERATIONS:
            return False
        before = self._costs({})
        gain = min(before.vector, before.scalar) / self._costs(strides).vector
        if count <= MOST_OPERATIONS * gain:
            return False
        text = f"not split: {count} operations are too many to be {gain:.1f} times as fast"
        emit_remark(self.region, WgSplitBordersPass.name, text)
        return True

    def _costs(self, strides: Mapping[Operation, int]) -> Costs:
        body = self.region.body.block
        cycles = self.cycles
        return tile_costs(body, self.facts, self.dimension, self.width, strides, cycles=cycles)


def _irregular(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> Iterator[Access]:
    for op in accesses_in(region.body):
        place = Place.of(op)
        if place is None or ocl.space_of(op.pointer) is ocl.AddressSpace.LOCAL:
            continue
        if access_stride(facts, op, dimension) not in (0, place.size, -place.size):
            if facts.lanes(place.array).strides[dimension] == 0:
                yield op


def _emit(
    region: wg.ParallelOp,
    check: GroupCheck,
    plan: Plan,
    dimension: int,
    width: int,
) -> None:
    all = region.sizes[dimension]
    is_any, first, end = _interval(plan.inside, region, check, dimension)
    tests = [
        check.compare("eq", first, check.index(0)),
        check.compare("eq", end, all),
    ]
    tests += [is_any] if is_any is not None else []
    known = {frozenset(sum.coefficients.items()) for sum in plan.inside.conditions}
    more = [s for s in plan.whole.conditions if frozenset(s.coefficients.items()) not in known]
    tests += [check.is_natural(sum) for sum in more]
    tests += [is_mask(check, mask) for mask in plan.whole.masks if mask not in plan.inside.masks]
    is_whole = check.conjunction(tests)
    told = [1, 1, 1]
    told[dimension] = width

    # What is computed for groups at the border only is in their branch: others are many.
    border = Build(region, Block())
    zero, lanes = border.index(0), border.index(width)
    tiles = border.emit(arith.DivUIOp(border.add(first, border.index(width - 1)), lanes))
    start = border.min(border.mul(tiles, lanes), all, signed=True)
    length = border.max(border.sub(end, start), zero, signed=True)
    tiles = border.emit(arith.DivUIOp(length, lanes))
    if is_any is not None:
        tiles = border.select(is_any, tiles, zero)
    count = border.mul(tiles, lanes)
    behind = border.add(start, count)
    left = border.sub(all, behind)

    def parts(small: Small) -> Iterator[Operation]:
        """The work-items inside, and those on either side of them."""
        inside = run_from(_copy(region, plan.inside, small), dimension, start, count)
        body = Block(arg_types=[IndexType()])
        loop = scf.ForOp(border.index(0), border.index(2), border.index(1), [], body)
        in_loop = Build(region, body)
        is_first = in_loop.compare("eq", body.args[0], zero)
        from_ = in_loop.select(is_first, zero, behind)
        length = in_loop.select(is_first, start, left)
        rest = run_from(_copy(region, plan.always, small), dimension, from_, length)
        in_loop.emit_void(rest)
        in_loop.emit_void(scf.YieldOp())
        for part in (inside, rest):
            part.attributes[LANES] = DenseArrayBase.from_list(i64, told)
        yield from (inside, loop)

    if plan.is_small is None:
        all_parts = [*parts(plan.small)]
    else:
        small, others = [*parts(plan.small), scf.YieldOp()], [*parts({}), scf.YieldOp()]
        all_parts = [scf.IfOp(plan.is_small, [], small, others)]
    for op in (*all_parts, scf.YieldOp()):
        border.emit_void(op)

    whole = [_copy(region, plan.whole), scf.YieldOp()]
    split = scf.IfOp(is_whole, [], whole, Region(border.block))
    split.attributes[LIKELY] = UnitAttr()
    Rewriter.replace_op(region, split, [])


def _interval(
    piece: Piece, region: wg.ParallelOp, check: GroupCheck, dimension: int
) -> tuple[SSAValue | None, SSAValue, SSAValue]:
    """Whether there is an interval of work-items, its first one, and the one after its last."""
    id, all = region.local_ids[dimension], region.sizes[dimension]
    first, end = check.index(0), all
    tests = [is_mask(check, mask) for mask in piece.masks]
    for sum in piece.conditions:
        factor = sum.factors.get(id, 0)
        if factor == 0 or abs(factor).bit_count() > 1:
            tests.append(check.is_natural(sum))
            continue
        rest, number = smallest(check, sum.where(lambda monomial: monomial != (id,)))
        rest = check.add(rest, check.index(number)) if number else rest
        if factor > 0:
            # x >= -rest / factor, rounded up.
            least = check.sub(check.index(0), _quotient(check, rest, factor))
            first = check.max(first, least, signed=True)
        else:
            most = check.add(_quotient(check, rest, -factor), check.index(1))
            end = check.min(end, most, signed=True)
    first, end = check.min(first, all, signed=True), check.max(end, check.index(0), signed=True)
    return check.conjunction(tests) if tests else None, first, end


def _quotient(check: GroupCheck, value: SSAValue, divisor: int) -> SSAValue:
    """By a power of two, rounded down."""
    bits = divisor.bit_length() - 1
    return check.shr(value, bits, signed=True) if bits else value


def _copy(region: wg.ParallelOp, piece: Piece, small: Small | None = None) -> wg.ParallelOp:
    """A region in which choices are made, and other remainders of `small` are differences."""
    copy = region.clone()
    copies = dict(zip(operations_in(region.body), operations_in(copy.body), strict=True))
    order = sorted(piece.choices.items(), key=lambda item: not isinstance(item[0], arith.CmpiOp))
    for op, choice in order:
        made = copies[op]
        # A branch that is not taken is gone.
        if copy.is_ancestor(made):
            _choose(made, choice)
    for op, quotients in (small or {}).items():
        if op not in piece.choices and copy.is_ancestor(copies[op]):
            _subtract(copies[op], quotients)
    for op in piece.widened:
        made = copies[op]
        if copy.is_ancestor(made):
            assert isinstance(made, arith.ExtUIOp)
            Rewriter.replace_op(made, arith.ExtSIOp(made.input, made.result.type))
    return copy


def _subtract(op: Operation, quotients: Quotients) -> None:
    """Make a remainder subtract: its quotient is in a range.

    Vectors cannot divide, and a border would take longer than all else.
    """
    assert isinstance(op, Remainder)
    if isinstance(op, scf.WhileOp):
        _unroll(op, quotients)
        return
    least, most = quotients
    below = "ult" if isinstance(op, arith.RemUIOp) else "slt"
    build, divisor, values = Build(op), op.rhs, [op.lhs]
    if isinstance(op, arith.AndIOp):
        divisor = build.add(divisor, build.constant(1, divisor.type))
    for _ in range(most):
        values.append(build.sub(values[-1], divisor))
    if isinstance(op, arith.AndIOp) and least < 0:
        values.insert(0, build.add(op.lhs, divisor))
    *others, value = values[max(least, 0) :]
    for other in reversed(others):
        # Each difference is one side of one selection, so that there is a load of each at most.
        value = build.select(build.compare(below, other, divisor), other, value)
    if least >= 0:
        for use in list(op.result.uses):
            if _asks_for_sign(use.operation):
                settle(use.operation.results[0], False)
    Rewriter.replace_op(op, [], [value])


def _unroll(op: scf.WhileOp, quotients: Quotients) -> None:
    """Make a loop that wraps a value select how often it does."""
    build, loop, values = Build(op), WrappingLoop.of(op), [op.arguments[0]]
    assert loop is not None
    bound, step = (_outside(build, value) for value in (loop.bound, loop.step))
    least, most = sorted(-loop.sign * quotient for quotient in quotients)
    for _ in range(most):
        change = build.add if loop.sign > 0 else build.sub
        values.append(change(values[-1], step))
    *others, value = values[least:]
    for other in reversed(others):
        value = build.select(build.compare(loop.predicate, other, bound), value, other)
    Rewriter.replace_op(op, [], [value])


def _test_once(loop: scf.WhileOp) -> None:
    """Leave out the iterations of a loop whose first test fails."""
    condition = condition_of(loop)
    Rewriter.inline_block(loop.before_region.block, InsertPoint.before(loop), loop.arguments)
    Rewriter.replace_op(loop, [], list(condition.args))
    Rewriter.erase_op(condition)


def _outside(build: Build, value: SSAValue) -> SSAValue:
    """A value outside of a loop: a constant may be inside of it."""
    number = constant_value(value)
    return value if number is None else build.constant(number, value.type)


def _asks_for_sign(op: Operation) -> bool:
    """Whether it is `x < 0`."""
    if not isinstance(op, arith.CmpiOp) or constant_value(op.rhs) != 0:
        return False
    return predicate_of(op) == "slt"


def _choose(op: Operation, choice: int) -> None:
    match op:
        case arith.CmpiOp():
            settle(op.result, bool(choice))
        case arith.RemSIOp() | arith.RemUIOp():
            build, value = Build(op), op.lhs
            for _ in range(choice):
                value = build.sub(value, op.rhs)
            Rewriter.replace_op(op, [], [value])
        case scf.WhileOp() if WrappingLoop.of(op) is None:
            _test_once(op)
        case scf.WhileOp():
            _unroll(op, (choice, choice))
        case arith.AndIOp():
            Rewriter.replace_op(op, [], [op.lhs])
        case arith.MaxSIOp() | arith.MinSIOp() | arith.MaxUIOp() | arith.MinUIOp():
            Rewriter.replace_op(op, [], [op.operands[choice]])
        case _:
            # Selections and branches have gone with their comparisons.
            pass
