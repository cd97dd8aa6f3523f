"""Forward analyses of structured control flow: a fact for each value, joined where paths meet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator

FactT = TypeVar("FactT")


class ForwardAnalysis(ABC, Generic[FactT]):
    """The facts of all values. Facts form a finite lattice, so that the loops reach a fixpoint."""

    unknown: FactT
    """The fact of a value that was not reached."""

    def __init__(self) -> None:
        self.facts: dict[SSAValue, FactT] = {}

    def of(self, value: SSAValue) -> FactT:
        """The fact of a value."""
        return self.facts.get(value, self.unknown)

    @abstractmethod
    def of_operation(self, op: Operation) -> FactT:
        """The fact of the results of an operation that is not a branch or loop."""

    @abstractmethod
    def joined(self, a: FactT, b: FactT) -> FactT:
        """The fact of a value that comes from one of two places."""

    @abstractmethod
    def decided(self, fact: FactT, by: Sequence[SSAValue]) -> FactT:
        """The fact of a value that depends on where control goes, which `by` decide."""

    @abstractmethod
    def counter(self, loop: scf.ForOp) -> FactT:
        """The fact of a loop's counter."""

    def chosen(self, condition: SSAValue, then: SSAValue, orelse: SSAValue) -> FactT:
        """The fact of the value that a condition chooses."""
        return self.decided(self.joined(self.of(then), self.of(orelse)), [condition])

    def visit_block(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            self.visit(op)
            op = op.next_op

    def visit(self, op: Operation) -> None:
        if not op.regions:
            self.set_all(op.results, self.of_operation(op))
            return
        match op:
            case scf.IfOp():
                for region in op.regions:
                    for block in region.blocks:
                        self.visit_block(block)
                for index, result in enumerate(op.results):
                    then, orelse = (terminator(side.block).operands[index] for side in op.regions)
                    self.facts[result] = self.chosen(op.cond, then, orelse)
            case scf.ForOp():
                body = op.body.block
                self.facts[body.args[0]] = self.counter(op)
                self._loop(body.args[1:], op.iter_args, [body])
                self._leave(op, body.args[1:], (op.lb, op.ub, op.step))
            case scf.WhileOp():
                before, after = op.before_region.block, op.after_region.block
                self._loop(before.args, op.arguments, [before, after])
                condition = condition_of(op)
                self._leave(op, condition.args, [condition.condition])
            case _:
                self.set_all(op.results, self.of_operation(op))

    def set_all(self, values: Sequence[SSAValue], fact: FactT) -> None:
        for value in values:
            self.facts[value] = fact

    def _set_from(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> None:
        for target, source in zip(targets, sources, strict=True):
            self.facts[target] = self.of(source)

    def _leave(
        self, op: Operation, values: Sequence[SSAValue], decisions: Sequence[SSAValue]
    ) -> None:
        for result, value in zip(op.results, values, strict=True):
            self.facts[result] = self.decided(self.of(value), decisions)

    def _loop(
        self, carried: Sequence[SSAValue], start: Sequence[SSAValue], blocks: Sequence[Block]
    ) -> None:
        """Join what a loop carries from iteration to iteration, until nothing changes.

        A loop in a loop starts with what it has carried in the outer one's iteration before: that
        is no more than it will carry.
        """
        for target, source in zip(carried, start, strict=True):
            fact = self.of(source)
            known = self.facts.get(target)
            self.facts[target] = fact if known is None else self.joined(known, fact)
        while True:
            for block, next_block in zip(blocks, [*blocks[1:], None], strict=True):
                self.visit_block(block)
                if next_block is not None:
                    self._set_from(next_block.args, terminator(block).operands[1:])
            before = [self.of(arg) for arg in carried]
            pairs = zip(before, terminator(blocks[-1]).operands, strict=True)
            after = [self.joined(fact, self.of(value)) for fact, value in pairs]
            if before == after:
                return
            for arg, fact in zip(carried, after, strict=True):
                self.facts[arg] = fact
