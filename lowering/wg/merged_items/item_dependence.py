"""Which values differ between the rows and the vectors that are jammed into one body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free


@dataclass(frozen=True)
class Axes:
    """Whether something differs between rows, and between vectors."""

    row: bool = False
    vector: bool = False

    def __or__(self, other: Axes) -> Axes:
        return Axes(self.row or other.row, self.vector or other.vector)

    def without(self, other: Axes) -> Axes:
        return Axes(self.row and not other.row, self.vector and not other.vector)

    def __bool__(self) -> bool:
        return self.row or self.vector


NONE = Axes()
ROW = Axes(row=True)
VECTOR = Axes(vector=True)
BOTH = Axes(True, True)

_SCALAR_ACCESSES = (ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp)
_SHARED_ACCESSES = (*_SCALAR_ACCESSES, wg.LoadOp, wg.StoreOp, wg.GatherOp, wg.ScatterOp)


class Dependence:
    """The axes along which each value of `body` differs."""

    def __init__(self, body: Block, arguments: Sequence[Axes] = ()):
        self._axes: dict[SSAValue, Axes] = dict(zip(body.args, arguments, strict=False))
        self._visit_block(body)

    def of(self, value: SSAValue) -> Axes:
        """The axes of a value; one from outside of the region is the same everywhere."""
        return self._axes.get(value, NONE)

    def of_all(self, values: Sequence[SSAValue]) -> Axes:
        axes = NONE
        for value in values:
            axes |= self.of(value)
        return axes

    def of_operation(self, op: Operation) -> Axes:
        """The axes along which an operation is done again."""
        return self.of_all(op.operands) | self._own(op)

    def splits(self, op: Operation) -> Axes:
        """The axes along which a branch or loop is taken apart: one for each row, or vector.

        A loop or branch that runs while any lane is active need not be: a tile without an active
        lane does nothing in it. But code outside of vectors may not run for such a tile.
        """
        match op:
            case scf.ForOp():
                return self.of_all((op.lb, op.ub, op.step))
            case scf.IfOp():
                condition = op.cond
            case scf.WhileOp():
                condition = condition_of(op).condition
            case _:
                return NONE
        axes = self.of(condition)
        if not isinstance(condition.owner, wg.AnyLaneOp):
            return axes
        needs_lanes = NONE
        for inner in op.walk():
            if isinstance(inner, _SCALAR_ACCESSES) or not _is_known(inner):
                needs_lanes |= self.of_operation(inner)
        return Axes(axes.row and needs_lanes.row, axes.vector and needs_lanes.vector)

    def _own(self, op: Operation) -> Axes:
        """The axes of an operation that each work-item does for itself."""
        return NONE if _is_known(op) else BOTH

    def _visit_block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case scf.IfOp():
                    self._visit_if(op)
                case scf.ForOp():
                    self._visit_for(op)
                case scf.WhileOp():
                    self._visit_while(op)
                case _:
                    axes = self.of_operation(op)
                    for result in op.results:
                        self._axes[result] = axes

    def _visit_if(self, op: scf.IfOp) -> None:
        for region in op.regions:
            for block in region.blocks:
                self._visit_block(block)
        split = self.of(op.cond)
        for index, result in enumerate(op.results):
            yields = [terminator(region.block).operands[index] for region in op.regions]
            self._axes[result] = self.of_all(yields) | split

    def _visit_for(self, op: scf.ForOp) -> None:
        bounds = self.of_all((op.lb, op.ub, op.step))
        body = op.body.block
        induction, *carried = body.args
        self._axes[induction] = bounds
        self._fixpoint(carried, op.iter_args, body, [body])
        for result, arg in zip(op.results, carried, strict=True):
            self._axes[result] = self.of(arg) | bounds

    def _visit_while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        condition = condition_of(op)

        def pass_on() -> None:
            for arg, value in zip(after.args, condition.args, strict=True):
                self._axes[arg] = self.of(value)

        self._fixpoint(before.args, op.arguments, after, [before, after], pass_on)
        split = self.of(condition.condition)
        for result, value in zip(op.results, condition.args, strict=True):
            self._axes[result] = self.of(value) | split

    def _fixpoint(
        self,
        carried: Sequence[SSAValue],
        start: Sequence[SSAValue],
        last: Block,
        blocks: Sequence[Block],
        between: Callable[[], None] = lambda: None,
    ) -> None:
        for arg, value in zip(carried, start, strict=True):
            self._axes[arg] = self.of(value)
        while True:
            for block in blocks:
                self._visit_block(block)
                between()
            changed = False
            for arg, value in zip(carried, terminator(last).operands, strict=True):
                axes = self.of(arg) | self.of(value)
                changed |= axes != self.of(arg)
                self._axes[arg] = axes
            if not changed:
                return


def dependence_of(region: wg.ParallelOp, row: int | None, vector: int) -> Dependence:
    """That of the region's body, where rows and vectors follow each other along dimensions."""
    return Dependence(region.body.block, [Axes(d == row, d == vector) for d in range(3)])


def _is_known(op: Operation) -> bool:
    """Whether doing the operation once serves all tiles for which its operands are the same.

    Memory that several work-items see holds the same at the same address: else they would race.
    """
    if isinstance(op, _SHARED_ACCESSES):
        return getattr(op, "volatile", None) is None
    if isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp | scf.YieldOp | scf.ConditionOp):
        return True
    return isinstance(op, wg.YieldOp | ocl.PrefetchOp) or is_side_effect_free(op)
