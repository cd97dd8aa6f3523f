"""Values of a parallel region that are the same for all work-items, computed for the group."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import vec, wg
from polycl.lowering.wg.building import Builder

_LIFTED = vec.both(
    arith.ConstantOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.CmpiOp,
    arith.SelectOp,
)
"""Operations that may run where the region might not: without effect, and always defined."""


class NotLiftable(Exception):
    """A value is not computed from arguments and ids alone."""


class GroupBuilder(Builder):
    """Adds operations before a region."""

    def __init__(self, region: wg.ParallelOp):
        super().__init__(region, InsertPoint.before(region))
        self._region = region
        self._lifted: dict[SSAValue, SSAValue] = {}
        self._numbers: dict[int, SSAValue] = {}
        self._added: list[Operation] = []

    def add_void(self, op: Operation) -> None:
        self._added.append(op)
        super().add_void(op)

    def erase_unused(self) -> None:
        """Erase what was added in vain."""
        for op in reversed(self._added):
            if all(result.first_use is None for result in op.results):
                Rewriter.erase_op(op)

    def lifted(self, value: SSAValue) -> SSAValue:
        """A value that is the same for all work-items, computed for the one with the ids 0.

        Raises:
            NotLiftable: it depends on memory, on a loop, or on an operation with effects.
        """
        owner = value.owner
        if owner is self._region.body.block:
            return self.number(0)
        if not self._region.is_ancestor(owner):
            return value
        if value not in self._lifted:
            if not isinstance(owner, _LIFTED):
                raise NotLiftable
            operands = [self.lifted(operand) for operand in owner.operands]
            copy = owner.clone(dict(zip(owner.operands, operands, strict=True)))
            self._lifted[value] = self.add(copy)
        return self._lifted[value]

    def number(self, number: int) -> SSAValue:
        if number not in self._numbers:
            self._numbers[number] = self.add(arith.ConstantOp(IntegerAttr(number, IndexType())))
            self._numbers[number].name_hint = f"c{number}"
        return self._numbers[number]

    def as_index(self, value: SSAValue) -> SSAValue:
        if isinstance(value.type, IndexType):
            return value
        return self.add(arith.IndexCastOp(value, IndexType()))
