"""`tta-count-groups`: the loop over work-groups counts each dimension instead of dividing."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.lowering.build import Build
from polycl.lowering.tta.carried_values import LoopBuild

_index = IndexType()


@dataclass(frozen=True)
class TtaCountGroupsPass(ModulePass):
    """Carry the ids of a work-group, and products of them, in the loop over work-groups.

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

    The loop is the one that `wg-to-launch` makes: it is at the top level of the function, its step
    is 1, and no divisor is 0. A division takes long where there is no unit for it. With `whole`,
    each run of the function is a whole launch: the first group has the number 0, and so have all
    its ids, without a division before the loop.
    """

    name = "tta-count-groups"

    whole: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, FuncOp)]:
            if self.whole:
                begin = function.args[2]
                begin.replace_all_uses_with(
                    Build(function, InsertPoint.at_start(function.body.block)).index(0)
                )
            for loop in [o for o in function.body.block.ops if isinstance(o, scf.ForOp)]:
                _Loop(loop).count()


@dataclass(frozen=True)
class _Counter:
    """A value that grows by `step` in each iteration (if `grows` is given, only if that is 1), and
    is reset to 0 if `ends` is 1. The conditions are known at the end of an iteration."""

    start: SSAValue
    step: SSAValue
    grows: SSAValue | None = None
    ends: SSAValue | None = None


class _Loop:
    def __init__(self, loop: scf.ForOp):
        self.loop = loop
        self.build = LoopBuild(loop)
        self.counters: dict[SSAValue, _Counter] = {}
        self.carried: list[tuple[SSAValue, _Counter]] = []
        self.ends: dict[tuple[SSAValue, SSAValue], SSAValue] = {}
        """For a counter and a divisor: whether the next remainder would equal the divisor."""

    def count(self) -> None:
        loop, block = self.loop, self.loop.body.block
        if constant_index(loop.step) != 1:
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
        if counter is None or self.build.has(op.rhs) or counter.ends is not None:
            return
        if op.result.type != _index or constant_index(counter.step) != 1:
            return
        divisor = op.rhs
        remainder = self._start(arith.RemUIOp, counter, divisor)
        ends = self.ends.get((op.lhs, divisor))
        if ends is None:
            argument = self._argument()
            following = self.build.end.add(argument, counter.step)
            ends = self.build.end.compare("eq", following, divisor)
            if counter.grows is not None:
                ends = self.build.end.and_(ends, counter.grows)
            self.ends[op.lhs, divisor] = ends
            self._carry(argument, _Counter(remainder, counter.step, counter.grows, ends))
        else:
            argument = next(a for a, c in self.carried if c.ends is ends)
        if isinstance(op, arith.DivUIOp):
            argument = self._argument()
            start = self._start(arith.DivUIOp, counter, divisor)
            self._carry(argument, _Counter(start, counter.step, ends))
        Rewriter.replace_op(op, [], [argument])

    def _multiply(self, op: arith.MuliOp) -> None:
        value, factor = (op.lhs, op.rhs) if op.lhs in self.counters else (op.rhs, op.lhs)
        counter = self.counters.get(value)
        number = constant_index(factor)
        if counter is None or not _has_word(op.result):
            return
        if number is None and self.build.has(factor):
            return
        by = self.build.as_index(factor) if number is None else self.build.index(number)
        start = self._start(arith.MuliOp, counter, by)
        step = self.build.mul(counter.step, by)
        argument = self._argument()
        self._carry(argument, _Counter(start, step, counter.grows, counter.ends))
        if op.result.type == _index:
            Rewriter.replace_op(op, [], [argument])
        else:
            cast = arith.IndexCastOp(argument, op.result.type)
            Rewriter.replace_op(op, cast)
            self.counters[cast.result] = self.counters[argument]

    def _start(self, kind: type[Operation], counter: _Counter, by: SSAValue) -> SSAValue:
        """What `kind` makes of the first value of a counter: nothing of 0."""
        if constant_index(counter.start) == 0:
            return counter.start
        return self.build.alike(kind, counter.start, by)

    def _argument(self) -> SSAValue:
        block = self.loop.body.block
        return block.insert_arg(_index, len(block.args))

    def _carry(self, argument: SSAValue, counter: _Counter) -> None:
        self.counters[argument] = counter
        self.carried.append((argument, counter))

    def _rebuild(self) -> None:
        ends: list[SSAValue] = []
        for argument, counter in self.carried:
            following = self.build.end.add(argument, counter.step)
            if counter.ends is not None:
                zero = self.build.index(0)
                following = self.build.end.select(counter.ends, zero, following)
            if counter.grows is not None:
                following = self.build.end.select(counter.grows, following, argument)
            ends.append(following)
        self.build.also_carry([counter.start for _, counter in self.carried], ends)


def _has_word(value: SSAValue) -> bool:
    """Whether a value has exactly the 32 bits of an index."""
    return value.type == _index or value.type == IntegerType(32)
