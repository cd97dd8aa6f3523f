"""Values that may be unset: variables without a value on a path, and what comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import scf, ub, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.forward import ForwardAnalysis
from polycl.dialects import ocl

Places: TypeAlias = frozenset[int]
"""The elements of a vector that may be unset; of another value, 0 if it may be."""

SET: Places = frozenset()


class UnsetValues(ForwardAnalysis[Places]):
    """The places of each value in a kernel that may be unset."""

    unknown = SET

    def __init__(self, kernel: ocl.KernelLike):
        super().__init__()
        self.visit_block(kernel.body.block)

    def of_operation(self, op: Operation) -> Places:
        type = op.results[0].type if op.results else None
        match op:
            case ub.PoisonOp():
                return _all(op.result.type)
            case vector.InsertOp() if not op.dynamic_position:
                (place,) = op.static_position.get_values()
                rest = self.of(op.dest) - {place}
                return rest | {place} if self.of(op.source) else rest
            case vector.ExtractOp() if not op.dynamic_position:
                (place,) = op.static_position.get_values()
                return frozenset({0}) if place in self.of(op.vector) else SET
            case vector.ShuffleOp():
                first, count = op.v1.type, 0
                assert isinstance(first, VectorType)
                count = first.element_count()
                both = self.of(op.v1) | {count + place for place in self.of(op.v2)}
                mask = op.mask.get_values()
                return frozenset(to for to, place in enumerate(mask) if place in both)
            case _ if type is None or op.regions:
                return SET
            case _:
                found = frozenset[int]().union(*map(self.of, op.operands))
                shapes = {_count(operand.type) for operand in op.operands}
                return found if shapes == {_count(type)} or not found else _all(type)

    def joined(self, a: Places, b: Places) -> Places:
        return a | b

    def decided(self, fact: Places, by: Sequence[SSAValue]) -> Places:
        # A condition may not be unset: that is a finding of its own.
        return fact

    def counter(self, loop: scf.ForOp) -> Places:
        return SET


def _count(type: Attribute) -> int:
    return type.element_count() if isinstance(type, VectorType) else 1


def _all(type: Attribute) -> Places:
    return frozenset(range(_count(type)))
