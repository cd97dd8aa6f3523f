"""`wg-rebase-loops`: work-items that start a loop at different places count from the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.lane_stride import Lanes
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.uniformity import Uniformity, constant_index, constant_value
from polycl.analysis.wg.clamps import Term, largest_of, smallest_of
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.lowering.build import Build
from polycl.lowering.wg.building import IndexConstants
from polycl.lowering.wg.lifting import GroupBuilder, NotLiftable
from polycl.lowering.wg.wg_vectorize.shape import largest_sizes
from polycl.remarks import emit_remark
from polycl.symbolic import atom

SAFE_BITS = 60
"""Terms of so many bits can be added and subtracted a few times in 64 bits."""

FAR = (1 << 63) - (1 << 40)
"""Farther than any loop counts; the extent of a group more or less does not wrap."""

MOST_IDLE = 256
"""Iterations that a loop may have more than the longest of its work-items."""


@dataclass(frozen=True)
class WgRebaseLoopsPass(ModulePass):
    """Let all work-items of a group count alike in a loop whose bounds differ between them.

    ```
    %lb = max(0, %x - %r)
    %ub = min(%w, %x + %r + 1)
    %s = scf.for %i = %lb to %ub step %c1 iter_args(%a = %zero) -> (f32) {
      %b = ...                                    // reads in[%i] and mask[%i - (%x - %r)]
      scf.yield %b : f32
    }
    ```

    becomes

    ```
    %base = %x - %r
    %s = scf.for %k = %lo to %hi step %c1 iter_args(%a = %zero) -> (f32) {
      %i = %base + %k
      %in = 0 <= %i && %i < %w
      %b1 = scf.if %in -> (f32) {
        %b = ...
        scf.yield %b : f32
      } else {
        scf.yield %a : f32
      }
      scf.yield %b1 : f32
    }
    ```

    Each work-item does its own iterations in its own order. `%lo` and `%hi` are the same for all
    work-items of the group: the smallest and the largest `%k` that one of them needs, computed
    from the terms of the bounds at the corners of the group. Here `%lo = max(0, 0 - %base)` at
    the largest x, `%hi = min(2 * %r + 1, %w - %base)` at the smallest. Neighbouring work-items
    then read neighbours in `in`, and all of them the same element of `mask`.

    Each bound must be a maximum (the lower one) or minimum of terms that grow by known numbers
    from one work-item to the next, and the start must differ between work-items, or the end if the
    loop goes in steps of an argument, or of the launch's size (`for (i = n - 1 - id; i >= 0;
    i -= size)` counts from 0 to `n - id`). A start that is
    a maximum of several terms can be rebased only for step 1: else the first iteration would
    depend on which term it is. Where both ends are clamped, the loop may have some iterations
    that no work-item needs; one with more than 256 of them stays as it was.
    """

    name = "wg-rebase-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            if not operations_of(function.body, scf.ForOp):
                continue
            facts, constants = Uniformity(function), IndexConstants(function)
            for region in operations_of(function.body, wg.ParallelOp):
                if region.step is not None:
                    continue
                # Outer loops first: the bounds of the inner ones may depend on their counters.
                for loop in operations_of(region.body, scf.ForOp):
                    if facts.is_uniform(loop.lb) and facts.is_uniform(loop.ub):
                        continue
                    try:
                        plan = _plan(loop, region, facts)
                    except _Refusal as refusal:
                        emit_remark(loop, self.name, f"not rebased: {refusal}")
                        continue
                    message = "rebased: all work-items count alike"
                    if plan.lower or plan.upper:
                        message += ", each skips the iterations that are not its own"
                    emit_remark(loop, self.name, message)
                    _rewrite(loop, region, plan, facts, constants)
                    facts = Uniformity(function)


class _Refusal(Exception):
    """Why a loop stays as it is."""


@dataclass(frozen=True)
class _Plan:
    """The counter is `base + k`."""

    base: Term
    all_lower: Sequence[Term]
    all_upper: Sequence[Term]
    lower: Sequence[Term]
    """What the counter must be compared with, as its distance from the base is not uniform."""
    upper: Sequence[Term]


def _plan(loop: scf.ForOp, region: wg.ParallelOp, facts: Uniformity) -> _Plan:
    if not isinstance(loop.lb.type, IndexType):
        raise _Refusal(f"the counter has type {loop.lb.type}, not index")
    lower, upper = largest_of(loop.lb), smallest_of(loop.ub)
    for term in (*lower, *upper):
        if not _is_affine(term.lanes(facts)):
            raise _Refusal("the bounds do not grow by known numbers between work-items")
    starts = [term for term in lower if not term.lanes(facts).is_uniform]
    if not starts and constant_value(loop.step) is None:
        # In steps of the launch `wg-hoist-grid-loops` takes it then.
        starts = list(lower)
    if not starts:
        raise _Refusal("the work-items start alike; only the end differs")
    ends = [term.lanes(facts) for term in upper]
    # The distance between two ends that differ alike does not: that of a window, or of the borders.
    alike = [term for term in (*starts, *lower) if term.lanes(facts) in ends]
    alike = [term for term in alike if not _is_edge(term, lower, upper, facts)] or alike
    base = next((term for term in alike if not _is_border(term)), (*alike, *starts)[0])
    if base.bits > SAFE_BITS:
        raise _Refusal("the start may be any 64-bit number, so that counting from it may wrap")
    if not facts.is_uniform(loop.step):
        raise _Refusal("the step differs between work-items")
    if len(lower) > 1 and constant_value(loop.step) != 1:
        raise _Refusal("the start is clamped and the step is not 1")
    from_base = base.lanes(facts)
    plan = _Plan(
        base,
        lower,
        upper,
        [term for term in lower if term.lanes(facts) != from_base],
        [term for term in upper if term.lanes(facts) != from_base],
    )
    sizes = largest_sizes(region)
    spreads = sorted(
        _spread(term.lanes(facts) - from_base, sizes) for term in (*plan.lower, *plan.upper)
    )
    if sum(spreads[:-1]) > MOST_IDLE:
        raise _Refusal("the clamped ends are too far apart between work-items")
    return plan


def _is_affine(lanes: Lanes) -> bool:
    return all(isinstance(stride, int) for stride in lanes.strides)


def _is_edge(term: Term, lower: Sequence[Term], upper: Sequence[Term], facts: Uniformity) -> bool:
    """Whether a start is where the data begin as an id sees it, `r - x`, beside a window from 0 on:
    it falls with the id, and its end is as far as the data are long."""
    if all(stride >= 0 for stride in _strides(term.lanes(facts))):
        return False
    length = _length(term, upper, facts)
    lengths = [_length(other, upper, facts) for other in lower]
    return length is None or any(other is not None and other < length for other in lengths)


def _length(term: Term, upper: Sequence[Term], facts: Uniformity) -> int | None:
    """How far the end is that differs alike between work-items, if that is a number."""
    alike = (end for end in upper if end.lanes(facts) == term.lanes(facts))
    found = [(_sum(end) - _sum(term)).constant for end in alike]
    return min((length for length in found if length is not None), default=None)


def _sum(term: Term) -> Linear:
    return sum((linear(by) * sign for sign, by in term.shifts), linear(term.value))


def _is_border(term: Term) -> bool:
    """Whether a start is a sum of ids, or 0: where the data begin, not a window around an id."""
    if any(constant_value(by) != 0 for _, by in term.shifts):
        return False
    sum = linear(term.value)
    return sum.number == 0 and all(map(_is_coordinate, sum.factors))


def _is_coordinate(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, Block):
        return isinstance(owner.parent_op(), wg.ParallelOp)
    return isinstance(owner, ocl.GroupIdOp | ocl.GlobalOffsetOp | arith.DivUIOp | arith.RemUIOp)


def _spread(lanes: Lanes, sizes: Sequence[int | None]) -> int:
    """By how much a term differs within the group."""
    if None in sizes:
        raise _Refusal("the local size is not constant")
    most = [size - 1 for size in sizes if size is not None]
    return sum(abs(s) * n for s, n in zip(_strides(lanes), most, strict=True))


def _strides(lanes: Lanes) -> list[int]:
    return [stride for stride in lanes.strides if isinstance(stride, int)]


def _rewrite(
    loop: scf.ForOp,
    region: wg.ParallelOp,
    plan: _Plan,
    facts: Uniformity,
    constants: IndexConstants,
) -> None:
    build = _Indices(loop, region, constants)
    base = build.term(plan.base)
    from_base = plan.base.lanes(facts)
    values = {plan.base: base}
    for term in (*plan.all_lower, *plan.all_upper):
        if term not in values:
            values[term] = build.term(term)

    def extreme(term: Term, sign: int) -> SSAValue:
        """The smallest (sign 1) or largest (-1) distance of a term from the base in the group."""
        narrow = term.bits <= SAFE_BITS
        distance = build.difference(values[term], base, exact=narrow)
        return build.at_corner(distance, term.lanes(facts) - from_base, sign)

    # The distance of the base from itself: the first k is never negative.
    firsts = [extreme(term, 1) for term in plan.all_lower if term != plan.base]
    lasts = [extreme(term, -1) for term in plan.all_upper]
    first = reduce(partial(build.max, signed=True), firsts, build.index(0))
    last = reduce(partial(build.min, signed=True), lasts)
    for value, name in ((first, "first"), (last, "last"), (base, "base")):
        value.name_hint = value.name_hint or name

    old = loop.body.block
    counter, *carried = old.args
    body = Block(arg_types=[arg.type for arg in old.args])
    body.args[0].name_hint = "k"
    for arg, new in zip(carried, body.args[1:], strict=True):
        new.name_hint = arg.name_hint
    rebased = scf.ForOp(first, last, loop.step, loop.iter_args, Region(body))
    rebased.attributes = dict(loop.attributes)
    inner = Build(loop, body)
    place = inner.add(base, body.args[0])
    place.name_hint = counter.name_hint
    tests = [inner.compare("sge", place, values[term]) for term in plan.lower]
    tests += [inner.compare("slt", place, values[term]) for term in plan.upper]
    if not tests:
        Rewriter.inline_block(old, InsertPoint.at_end(body), [place, *body.args[1:]])
    else:
        inside = reduce(inner.and_, tests)
        inside.name_hint = "inside"
        then = Block()
        Rewriter.inline_block(old, InsertPoint.at_end(then), [place, *body.args[1:]])
        orelse = Block()
        if carried:
            Build(loop, orelse).emit_void(scf.YieldOp(*body.args[1:]))
        sides = Region(then), Region(orelse) if carried else None
        branch = scf.IfOp(inside, [arg.type for arg in carried], *sides)
        inner.emit_void(branch)
        inner.emit_void(scf.YieldOp(*branch.results))
    _count_from_base(rebased, place, plan.base)
    for result, new in zip(loop.results, rebased.results, strict=True):
        new.name_hint = result.name_hint
    build.emit_void(rebased)
    bounds = (loop.lb, loop.ub)
    Rewriter.replace_op(loop, [], rebased.results)
    _lift_range(rebased, region)
    for bound in (*bounds, first, last):
        _erase_unused(bound)


def _count_from_base(loop: scf.ForOp, place: SSAValue, base: Term) -> None:
    """Say what the body computes from the counter in terms of `k`.

    `i`, narrowed as the base is, is the sum in that width; `i - base` is `k`.
    """
    counter = loop.body.block.args[0]
    for op in operations_in(loop.body.block):
        if isinstance(op, arith.IndexCastOp) and op.input is place:
            if op.result.type == base.value.type and not base.shifts:
                build = Build(op)
                narrow = build.index_cast(counter, op.result.type)
                Rewriter.replace_op(op, arith.AddiOp(base.value, narrow))
        elif isinstance(op, arith.SubiOp) and linear(op.result) == atom(counter):
            build = Build(op)
            Rewriter.replace_op(op, [], [build.index_cast(counter, op.result.type)])


def _lift_range(loop: scf.ForOp, region: wg.ParallelOp) -> None:
    """Compute the range outside of the region, so that it is plainly the same for all."""
    group = GroupBuilder(region)
    for index in (0, 1):
        try:
            loop.operands[index] = group.lifted(loop.operands[index])
        except NotLiftable:
            break
    group.erase_unused()


def _erase_unused(value: SSAValue) -> None:
    """Erase what computed a bound, where nothing else uses it."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.parent is not None and is_side_effect_free(owner):
        if all(result.first_use is None for result in owner.results):
            operands = list(owner.operands)
            Rewriter.erase_op(owner)
            for operand in operands:
                _erase_unused(operand)


class _Indices(Build):
    """Adds operations on numbers of type index before a loop."""

    def __init__(self, loop: scf.ForOp, region: wg.ParallelOp, constants: IndexConstants):
        super().__init__(loop)
        self._region = region
        self._constants = constants

    def index(self, number: int) -> SSAValue:
        return self._constants(number)

    def as_index(self, x: SSAValue) -> SSAValue:
        number = constant_value(x)
        return super().as_index(x) if number is None else self.index(number)

    def term(self, term: Term) -> SSAValue:
        result = self.as_index(term.value)
        for sign, by in term.shifts:
            result = (self.add if sign > 0 else self.sub)(result, self.as_index(by))
        return result

    def difference(self, a: SSAValue, b: SSAValue, *, exact: bool) -> SSAValue:
        """a - b; the nearest 64-bit number, where it is not known that it is one."""
        result = self.sub(a, b)
        if exact:
            return result
        # It wraps where the signs of a and b differ, and those of a and the result do.
        signs = self.xor(a, b)
        wrapped = self.and_(signs, self.xor(a, result))
        zero = self.index(0)
        wraps = self.compare("slt", wrapped, zero)
        negative = self.compare("slt", a, zero)
        least, most = self.index(-FAR), self.index(FAR)
        nearest = self.select(negative, least, most)
        result = self.select(wraps, nearest, result)
        return self.max(self.min(result, most, signed=True), least, signed=True)

    def at_corner(self, value: SSAValue, lanes: Lanes, sign: int) -> SSAValue:
        """The smallest (sign 1) or largest (-1) that a value gets in the group.

        `value + stride * (corner - id)` along each dimension, at the first id or the last one.
        """
        ids, sizes = self._region.local_ids, self._region.sizes
        corner = 0
        for id, stride, size in zip(ids, _strides(lanes), sizes, strict=True):
            if stride == 0:
                continue
            value = self._add(value, id, -stride)
            if stride * sign > 0:
                continue
            number = constant_index(size)
            if number is None:
                value = self._add(value, size, stride)
            corner += stride * ((number or 0) - 1)
        return self.add(value, self.index(corner)) if corner else value

    def _add(self, value: SSAValue, by: SSAValue, factor: int) -> SSAValue:
        step = by if abs(factor) == 1 else self.mul(by, self.index(abs(factor)))
        return (self.add if factor > 0 else self.sub)(value, step)
