"""Loops that count towards a number and may end before, as loops of a known number of rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.counters_within import counters_within
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copied
from polycl.symbolic import atom, integer

_LAST: dict[tuple[int, str], int] = {
    **{(1, "slt"): -1, (1, "ult"): -1, (1, "sle"): 0, (1, "ule"): 0},
    **{(-1, "sgt"): 1, (-1, "ugt"): 1, (-1, "sge"): 0, (-1, "uge"): 0},
}
"""From what a counter is compared with to the last value in the loop, by its step."""


@dataclass(frozen=True)
class CountedSearch:
    """A loop whose counter goes up or down by one and at most to a number, or to the end of a
    private array that its condition reads.

    ```
    %j = scf.while (%i = %start) {               %go, %j = scf.for %t = 0 to %start + 1
      %c = %i >= 0 && %v[%i] > %x                        iter_args(%live = true, %i = %start) {
      scf.condition(%c) %i                         %n = %start - %t
    } do {                                   ->    %c = scf.if %live { %n >= 0 && %v[%n] > %x }
      ...                                                      else { false }
      scf.yield %i - 1                             %k = scf.if %c { ... %n - 1 } else { %i }
    }                                              scf.yield %c, %k
                                                 }
    ```
    """

    loop: scf.WhileOp
    counter: int
    """Its place among the values that are carried."""
    step: int
    last: int
    """The value in the last round, if no other condition ends the loop."""

    @classmethod
    def of(cls, value: SSAValue) -> CountedSearch | None:
        """The loop in which `value` is the counter, before or after the condition."""
        block = value.owner
        loop = block.parent_op() if isinstance(block, Block) else None
        if not isinstance(loop, scf.WhileOp):
            return None
        before, after = loop.before_region.block, loop.after_region.block
        condition = condition_of(loop)
        # Then the results are the last values.
        if not passes_all_on(loop):
            return None
        if not all(_is_pure(op) for op in before.ops if op is not condition):
            return None
        if any(isinstance(op, ocl.BarrierOp) for op in after.walk()):
            return None
        assert isinstance(value, BlockArgument)
        place = value.index
        step = linear(terminator(after).operands[place]) - _atom(after.args[place])
        if step.factors or step.number not in (1, -1):
            return None
        last = _last(condition.condition, before.args[place], step.number)
        if last is None:
            last = _last_within(before, before.args[place], step.number)
        return None if last is None else cls(loop, place, step.number, last)

    @property
    def rounds(self) -> Linear:
        """The largest number of rounds."""
        start = linear(self.loop.arguments[self.counter])
        return (integer(self.last) - start) * self.step + integer(1)

    def as_for(self) -> scf.ForOp:
        """Replace the loop."""
        loop, build = self.loop, Build(self.loop)
        start = loop.arguments[self.counter]
        rounds = self.rounds
        terms = [*rounds.factors.items(), (None, rounds.number)]
        typed = [(v if v is None else build.as_index(v), factor) for v, factor in terms]
        zero, one = build.index(0), build.index(1)
        carried = [build.constant(1, i1), *loop.arguments]
        types = [value.type for value in carried]
        body = Block(arg_types=[zero.type, *types])
        new = scf.ForOp(zero, build.linear(typed), one, carried, Region(body))
        Rewriter.insert_op(new, InsertPoint.before(loop))
        inside = Build(new, InsertPoint.at_end(body))
        live, *values = body.args[1:]
        counter = inside.index_cast(body.args[0], start.type)
        counter = (inside.add if self.step > 0 else inside.sub)(start, counter)
        known = [counter if i == self.counter else value for i, value in enumerate(values)]
        test = loop.before_region.block
        goes_on = _if(inside, live, test, known, [condition_of(loop).condition], None)
        after = loop.after_region.block
        next = _if(inside, goes_on[0], after, known, terminator(after).operands, values)
        inside.emit_void(scf.YieldOp(goes_on[0], *next))
        Rewriter.replace_op(loop, [], list(new.results[1:]))
        return new


def _if(
    build: Build,
    condition: SSAValue,
    block: Block,
    args: Sequence[SSAValue],
    results: Sequence[SSAValue],
    otherwise: Sequence[SSAValue] | None,
) -> Sequence[SSAValue]:
    """`results` of a copy of `block`, if a condition holds, and other values or false if not."""
    return build.choose(
        condition,
        lambda: copied(block, args, build.point, results),
        lambda: [build.constant(0, i1)] if otherwise is None else otherwise,
    )


def _atom(value: SSAValue) -> Linear:
    return atom(value)


def _is_pure(op: Operation) -> bool:
    return all(
        is_side_effect_free(inner) or isinstance(inner, ocl.LoadOp | scf.YieldOp | scf.IfOp)
        for inner in op.walk()
    )


def _last_within(block: Block, counter: SSAValue, step: int) -> int | None:
    """The last value of the counter with which `block` accesses private arrays within them."""
    within = counters_within(block, counter)
    return None if within is None else max(within, key=lambda value: value * step, default=None)


def _last(condition: SSAValue, counter: SSAValue, step: int) -> int | None:
    """The last value of the counter for which `condition` may hold, and be computed."""
    match condition.owner:
        case arith.AndIOp() as both:
            last = _last(both.lhs, counter, step)
            return _last(both.rhs, counter, step) if last is None else last
        case scf.IfOp() as op if op.false_region.blocks:
            otherwise = terminator(op.false_region.block).operands[op.results.index(condition)]
            if constant_value(otherwise) != 0:
                return None
            last = _last(op.cond, counter, step)
            return _last_within(op.true_region.block, counter, step) if last is None else last
        case arith.CmpiOp() as test:
            offset, bound = linear(test.lhs) - _atom(counter), linear(test.rhs)
            key = (step, predicate_of(test))
            if offset.factors or bound.factors or key not in _LAST:
                return None
            return bound.number - offset.number + _LAST[key]
        case _:
            return None
