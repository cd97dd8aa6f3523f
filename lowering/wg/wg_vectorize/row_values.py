"""Which values of OpenCL C vector types are computed as rows.

The vectors of a tile's lanes have two forms. In one, each element has a vector over the lanes:
single elements of all lanes, as `v.x` or a dot product need them, cost nothing, but a load or
store of neighbouring vectors has to take the elements apart or put them together. The other is a
row, one vector in the order of memory, where it is the other way round. Values that are computed
from each other element by element have the same form, that with fewer shuffles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from xdsl.dialects import scf, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.ocl.split_vectors import sets_all
from polycl.lowering.wg.wg_vectorize.accesses import (
    Access,
    access_size,
    access_stride,
    accessed_type,
    is_gathered_as_row,
)
from polycl.lowering.wg.wg_vectorize.profit import LOOP_WEIGHT

_PLAIN_DIALECTS = ("arith.", "math.", "vec.")


def is_elementwise(op: Operation) -> bool:
    """Whether each element of the results depends on that element of the operands."""
    return op.name.startswith(_PLAIN_DIALECTS) and not op.regions


def values_as_rows(body: Block, facts: Uniformity, dimension: int) -> set[SSAValue]:
    """The values in `body` that take fewer shuffles as rows."""
    values = (value for op in operations_in(body) for value in op.results)
    if not any(isinstance(value.type, VectorType) for value in values):
        return set()
    choice = _Choice(facts, dimension)
    choice.visit(body, 1)
    return choice.rows()


class _Choice:
    def __init__(self, facts: Uniformity, dimension: int):
        self._facts = facts
        self._dimension = dimension
        self._same: dict[SSAValue, SSAValue] = {}
        """A value -> another one of the same form."""
        self._gains: dict[SSAValue, float] = defaultdict(float)
        """The shuffles that a row saves."""

    def rows(self) -> set[SSAValue]:
        gains: dict[SSAValue, float] = defaultdict(float)
        for value, gain in self._gains.items():
            gains[self._first(value)] += gain
        return {value for value in self._same if gains[self._first(value)] > 0}

    def visit(self, block: Block, weight: float) -> None:
        for op in block.ops:
            self._operation(op, weight)
            inside = LOOP_WEIGHT if isinstance(op, scf.ForOp | scf.WhileOp) else 1
            for region in op.regions:
                for inner in region.blocks:
                    self.visit(inner, weight * inside)

    def _operation(self, op: Operation, weight: float) -> None:
        match op:
            case scf.YieldOp() | scf.ConditionOp():
                pass
            case scf.IfOp():
                self._if(op, weight)
            case scf.ForOp():
                yielded = terminator(op.body.block).operands
                self._joined(op.body.block.args[1:], op.iter_args, yielded, op.results)
            case scf.WhileOp():
                before, after = op.before_region.block, op.after_region.block
                condition = terminator(before)
                assert isinstance(condition, scf.ConditionOp)
                self._joined(before.args, op.arguments, terminator(after).operands)
                self._joined(condition.args, after.args, op.results)
            case ocl.LoadOp() | ocl.VLoadOp():
                self._gain(op.result, weight * self._of_access(op))
            case ocl.StoreOp() | ocl.VStoreOp():
                self._gain(op.value, weight * self._of_access(op))
            case vector.BroadcastOp():
                self._gain(op.vector, -weight * count_of(op.vector.type))
            case vector.ShuffleOp():
                self._join(op.v1, op.v2, op.result)
                self._gain(op.result, -weight * count_of(op.result.type))
            case vector.InsertOp() if sets_all(op):
                # It is put together at its end, from vectors of the elements.
                self._gain(op.result, -weight * _conversion(op.result))
            case vector.InsertOp() if not op.dynamic_position:
                self._join(op.dest, op.result)
                self._gain(op.result, -weight * count_of(op.result.type))
            case vector.ExtractOp() if not op.dynamic_position:
                self._gain(op.vector, -weight * (count_of(op.vector.type) - 1))
            case ocl.BitcastOp() if count_of(op.source.type) == count_of(op.result.type):
                self._join(op.source, op.result)
            case ocl.BitcastOp():
                for value in (op.source, op.result):
                    self._gain(value, weight * _conversion(value))
            case vector.FMAOp():
                self._join(op.lhs, op.rhs, op.acc, op.res)
            case _ if is_elementwise(op):
                self._elementwise(op, weight)
            case _:
                for value in (*op.operands, *op.results):
                    self._gain(value, -weight * _conversion(value))

    def _if(self, op: scf.IfOp, weight: float) -> None:
        for region in op.regions:
            if region.blocks:
                self._joined(op.results, terminator(region.block).operands)
        if not self._is_same_for_all(op.cond):
            for result in op.results:
                self._gain(result, -weight * count_of(result.type))

    def _elementwise(self, op: Operation, weight: float) -> None:
        vectors = [v for v in (*op.operands, *op.results) if isinstance(v.type, VectorType)]
        self._join(*vectors)
        for operand in op.operands:
            # A condition, say, that all elements share.
            if not isinstance(operand.type, VectorType) and not self._is_same_for_all(operand):
                for result in op.results:
                    self._gain(result, -weight * count_of(result.type))

    def _of_access(self, op: Access) -> float:
        """The shuffles of a load or store that a row saves, or needs."""
        type = accessed_type(op)
        if not isinstance(type, VectorType):
            return 0
        size = count_of(type) * size_of(element_of(type))
        stride = access_stride(self._facts, op, self._dimension)
        value = op.result if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value
        is_row = is_gathered_as_row(count_of(type)) or (
            stride in (size, -size) and size == access_size(op)
        )
        return _conversion(value) * (1 if is_row else -1)

    def _joined(self, *lists: Sequence[SSAValue]) -> None:
        for values in zip(*lists, strict=True):
            self._join(*values)

    def _join(self, *values: SSAValue) -> None:
        """They have the same form."""
        varying = [value for value in values if self._varies(value)]
        for value in varying:
            self._same[self._first(value)] = self._first(varying[0])

    def _gain(self, value: SSAValue, shuffles: float) -> None:
        if self._varies(value):
            self._gains[self._first(value)] += shuffles

    def _varies(self, value: SSAValue) -> bool:
        """Whether it is a vector that differs between the lanes."""
        return isinstance(value.type, VectorType) and not self._is_same_for_all(value)

    def _is_same_for_all(self, value: SSAValue) -> bool:
        return self._facts.lanes(value).strides[self._dimension] == 0

    def _first(self, value: SSAValue) -> SSAValue:
        """The value that stands for all of the same form."""
        same = self._same.setdefault(value, value)
        while same is not self._same[same]:
            same = self._same[value] = self._same[same]
        return same


def _conversion(value: SSAValue) -> int:
    """The shuffles from one form to the other: each new vector has parts of all old ones."""
    count = count_of(value.type)
    return count * (count - 1)
