"""Which values differ between the rows and the vectors that are jammed into one body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.forward import ForwardAnalysis
from polycl.analysis.ocl.terminators import condition_of
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import Kinds


@dataclass(frozen=True)
class Axes:
    """Whether something differs between rows, and between vectors."""

    row: bool = False
    vector: bool = False

    def __or__(self, other: Axes) -> Axes:
        if self.row >= other.row and self.vector >= other.vector:
            return self
        return Axes(self.row or other.row, self.vector or other.vector)

    def without(self, other: Axes) -> Axes:
        return Axes(self.row and not other.row, self.vector and not other.vector)

    def __bool__(self) -> bool:
        return self.row or self.vector


NONE = Axes()
ROW = Axes(row=True)
VECTOR = Axes(vector=True)
BOTH = Axes(True, True)

_SCALAR = (ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp)
_SCALAR_ACCESSES = Kinds(*_SCALAR)
_SHARED_ACCESSES = Kinds(*_SCALAR, wg.LoadOp, wg.StoreOp, wg.GatherOp, wg.ScatterOp)
_CONTROL = Kinds(
    *(scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp, wg.YieldOp, ocl.PrefetchOp)
)


class Dependence(ForwardAnalysis[Axes]):
    """The axes along which each value of `body` differs.

    A value from outside of the region is the same everywhere.
    """

    unknown = NONE

    def __init__(self, body: Block, arguments: Sequence[Axes] = ()):
        super().__init__()
        self._outside: dict[Operation, Axes] = {}
        self.facts.update(zip(body.args, arguments, strict=False))
        self.visit_block(body)

    def of_all(self, values: Sequence[SSAValue]) -> Axes:
        return reduce(or_, map(self.of, values), NONE)

    def joined(self, a: Axes, b: Axes) -> Axes:
        return a | b

    def decided(self, fact: Axes, by: Sequence[SSAValue]) -> Axes:
        return fact | self.of_all(by)

    def counter(self, loop: scf.ForOp) -> Axes:
        return self.of_all((loop.lb, loop.ub, loop.step))

    def of_operation(self, op: Operation) -> Axes:
        """The axes along which an operation is done again."""
        return self.of_all(op.operands) | self._own(op)

    def splits(self, op: Operation) -> Axes:
        """The axes along which a branch or loop is taken apart: one for each row, or vector.

        A loop or branch that runs while any lane is active need not be: a tile without an active
        lane does nothing in it. But code outside of vectors may not run for such a tile.
        """
        if not op.regions:
            return NONE
        match op:
            case scf.ForOp():
                return self.counter(op)
            case scf.IfOp():
                condition = op.cond
            case scf.WhileOp():
                condition = condition_of(op).condition
            case _:
                return NONE
        axes = self.of(condition)
        if not isinstance(condition.owner, wg.AnyLaneOp):
            return axes
        needs_lanes = self._needs_lanes(op)
        return Axes(axes.row and needs_lanes.row, axes.vector and needs_lanes.vector)

    def _needs_lanes(self, op: Operation) -> Axes:
        """The axes of the code outside of vectors that is in `op`, found once for each."""
        if op not in self._outside:
            is_outside = _SCALAR_ACCESSES[type(op)] or not _is_known(op)
            axes = self.of_operation(op) if is_outside else NONE
            for region in op.regions:
                for block in region.blocks:
                    axes = reduce(or_, map(self._needs_lanes, block.ops), axes)
            self._outside[op] = axes
        return self._outside[op]

    def _own(self, op: Operation) -> Axes:
        """The axes of an operation that each work-item does for itself."""
        return NONE if _is_known(op) else BOTH


def dependence_of(region: wg.ParallelOp, row: int | None, vector: int) -> Dependence:
    """That of the region's body, where rows and vectors follow each other along dimensions."""
    return Dependence(region.body.block, [Axes(d == row, d == vector) for d in range(3)])


def _is_known(op: Operation) -> bool:
    """Whether doing the operation once serves all tiles for which its operands are the same.

    Memory that several work-items see holds the same at the same address: else they would race.
    """
    if _SHARED_ACCESSES[type(op)]:
        return getattr(op, "volatile", None) is None
    return _CONTROL[type(op)] or is_side_effect_free(op)
