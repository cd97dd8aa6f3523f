"""`tta-count-groups`: the loop over work-groups counts in each dimension, and divides no more."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

_index = IndexType()


@dataclass(frozen=True)
class TtaCountGroupsPass(ModulePass):
    """Carry the ids of a work-group, and products with them, from one group to the next.

    ```
    scf.for %g = %begin to %end step %c1 {       scf.for ... iter_args(%x = .., %q = .., %p = ..) {
      %x = arith.remui %g, %nx                     ...
      %q = arith.divui %g, %nx                     %last = arith.cmpi eq, %x + 1, %nx
      %p = arith.muli %q, %width             ->    %x' = arith.select %last, 0, %x + 1
      ...                                          %q' = arith.select %last, %q + 1, %q
    }                                              %p' = arith.select %last, %p + %width, %p
                                                   scf.yield %x', %q', %p'
                                                 }
    ```

    The loop is the one that `wg-to-launch` makes: it stands in the function itself, its step is 1,
    and no divisor is 0. Where division is a function that loops over bits, this is most of what a
    small work-group takes.
    """

    name = "tta-count-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, FuncOp)]:
            for loop in [o for o in function.body.block.ops if isinstance(o, scf.ForOp)]:
                _Loop(loop).count()


@dataclass(frozen=True)
class _Counter:
    """A value that grows by `step` in each round, or in those in which `grows` is 1; if `ends`
    is 1, it is 0 then. The conditions are known at the end of a round."""

    start: SSAValue
    step: SSAValue
    grows: SSAValue | None = None
    ends: SSAValue | None = None


class _Loop:
    def __init__(self, loop: scf.ForOp):
        self.loop = loop
        self.counters: dict[SSAValue, _Counter] = {}
        self.carried: list[tuple[SSAValue, _Counter]] = []
        self.ends: dict[tuple[SSAValue, SSAValue], SSAValue] = {}
        """For a counter and a divisor: whether the remainder would be the divisor next."""

    def count(self) -> None:
        loop, block = self.loop, self.loop.body.block
        if _constant_of(loop.step) != 1:
            return
        self.counters[block.args[0]] = _Counter(loop.lb, loop.step)
        for op in list(block.ops):
            match op:
                case arith.RemUIOp() | arith.DivUIOp():
                    self._divide(op)
                case arith.MuliOp():
                    self._multiply(op)
                case arith.IndexCastOp() if op.input in self.counters and _has_word(op.result):
                    self.counters[op.result] = self.counters[op.input]
                case _:
                    pass
        if self.carried:
            self._rebuild()

    def _divide(self, op: arith.RemUIOp | arith.DivUIOp) -> None:
        counter = self.counters.get(op.lhs)
        if counter is None or self._inside(op.rhs) or counter.ends is not None:
            return
        if op.result.type != _index or _constant_of(counter.step) != 1:
            return
        divisor = op.rhs
        remainder = self._before(arith.RemUIOp(counter.start, divisor))
        ends = self.ends.get((op.lhs, divisor))
        if ends is None:
            argument = self._argument()
            following = self._behind(arith.AddiOp(argument, counter.step))
            ends = self._behind(arith.CmpiOp(following, divisor, "eq"))
            if counter.grows is not None:
                ends = self._behind(arith.AndIOp(ends, counter.grows))
            self.ends[op.lhs, divisor] = ends
            self._carry(argument, _Counter(remainder, counter.step, counter.grows, ends))
        else:
            argument = next(a for a, c in self.carried if c.ends is ends)
        if isinstance(op, arith.DivUIOp):
            argument = self._argument()
            start = self._before(arith.DivUIOp(counter.start, divisor))
            self._carry(argument, _Counter(start, counter.step, ends))
        Rewriter.replace_op(op, [], [argument])

    def _multiply(self, op: arith.MuliOp) -> None:
        value, factor = (op.lhs, op.rhs) if op.lhs in self.counters else (op.rhs, op.lhs)
        counter = self.counters.get(value)
        if counter is None or self._inside(factor) or not _has_word(op.result):
            return
        by = self._as_index(factor)
        start, step = (
            self._before(arith.MuliOp(part, by)) for part in (counter.start, counter.step)
        )
        argument = self._argument()
        self._carry(argument, _Counter(start, step, counter.grows, counter.ends))
        if op.result.type == _index:
            Rewriter.replace_op(op, [], [argument])
        else:
            cast = arith.IndexCastOp(argument, op.result.type)
            Rewriter.replace_op(op, cast)
            self.counters[cast.result] = self.counters[argument]

    def _argument(self) -> SSAValue:
        block = self.loop.body.block
        return block.insert_arg(_index, len(block.args))

    def _carry(self, argument: SSAValue, counter: _Counter) -> None:
        self.counters[argument] = counter
        self.carried.append((argument, counter))

    def _rebuild(self) -> None:
        """The loop with what it carries besides."""
        loop = self.loop
        end = loop.body.block.last_op
        assert isinstance(end, scf.YieldOp)
        ends: list[SSAValue] = []
        for argument, counter in self.carried:
            following = self._behind(arith.AddiOp(argument, counter.step))
            if counter.ends is not None:
                zero = self._before(arith.ConstantOp(IntegerAttr(0, _index)))
                following = self._behind(arith.SelectOp(counter.ends, zero, following))
            if counter.grows is not None:
                following = self._behind(arith.SelectOp(counter.grows, following, argument))
            ends.append(following)
        Rewriter.replace_op(end, scf.YieldOp(*end.operands, *ends))
        inits = [*loop.iter_args, *(counter.start for _, counter in self.carried)]
        new = scf.ForOp(loop.lb, loop.ub, loop.step, inits, loop.detach_region(loop.body))
        new.location = loop.location
        new.attributes = dict(loop.attributes)
        Rewriter.replace_op(loop, new, list(new.results)[: len(loop.results)])

    def _inside(self, value: SSAValue) -> bool:
        owner = value.owner
        at = owner.parent_op() if isinstance(owner, Block) else owner
        return at is not None and self.loop.is_ancestor(at)

    def _before(self, op: Operation) -> SSAValue:
        op.location = self.loop.location
        Rewriter.insert_op(op, InsertPoint.before(self.loop))
        return op.results[0]

    def _behind(self, op: Operation) -> SSAValue:
        end = self.loop.body.block.last_op
        assert end is not None
        op.location = self.loop.location
        Rewriter.insert_op(op, InsertPoint.before(end))
        return op.results[0]

    def _as_index(self, value: SSAValue) -> SSAValue:
        return value if value.type == _index else self._before(arith.IndexCastOp(value, _index))


def _constant_of(value: SSAValue) -> int | None:
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as attribute):
            return attribute.value.data
        case _:
            return None


def _has_word(value: SSAValue) -> bool:
    """Whether a value is its lower 32 bits, all of which an index has."""
    return value.type == _index or value.type == IntegerType(32)
