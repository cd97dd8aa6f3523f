"""What loops along rows load and compute element by element, as vectors of several iterations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.addresses import address_of, size_of_access
from polycl.dialects import ocl, vec
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.vec import vector_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import is_hoistable
from polycl.lowering.wg.before_vectors import Access, first_element
from polycl.lowering.wg.wg_vectorize.row_values import is_elementwise


def is_row(op: Access, loop: scf.ForOp) -> bool:
    """Whether an access goes on by one element in each iteration of a loop whose step is 1."""
    counter = loop.body.block.args[0]
    value = op.result if isinstance(op, ocl.LoadOp) else op.value
    root, place = address_of(op)
    return (
        op.volatile is None
        and is_element(value.type)
        and UNSIGNED not in loop.attributes
        and not loop.is_ancestor(root.owner)
        and place.factors.get(counter) == size_of_access(op)
        and all(v is counter or is_hoistable(v, loop) for v in place.factors)
    )


def is_element(type: Attribute) -> bool:
    """Whether vectors of this type are loaded and stored."""
    if isinstance(type, IntegerType):
        return type.width.data in (8, 16, 32, 64)
    return isinstance(type, AnyFloat) and not isinstance(type, BFloat16Type)


def is_vectorizable(op: Operation) -> bool:
    """Whether an operation on scalars has a form for vectors."""
    types = [value.type for value in (*op.operands, *op.results)]
    return is_elementwise(op) and all(
        is_element(type) or type == i1 or isinstance(type, IndexType) for type in types
    )


def computed_in(values: Sequence[SSAValue], loop: scf.ForOp) -> list[Operation] | None:
    """The operations in the body of a loop that compute these values from loads, in order, without
    the loads and their addresses. None if one of them has no form for vectors."""
    body, needed, pending = loop.body.block, set[Operation](), list(values)
    while pending:
        op = pending.pop().owner
        if not isinstance(op, Operation) or not loop.is_ancestor(op) or op in needed:
            continue
        if isinstance(op, ocl.LoadOp) and op.parent is body:
            continue
        if op.parent is not body or not is_vectorizable(op):
            return None
        needed.add(op)
        pending += op.operands
    return [op for op in body.ops if op in needed]


def whole_rows(loop: scf.ForOp, count: int) -> tuple[Build, SSAValue]:
    """A builder before the loop, and where the last whole block of `count` iterations ends."""
    before, type = Build(loop), loop.lb.type
    last = before.max(loop.ub, loop.lb, signed=True)
    rest = before.and_(before.sub(last, loop.lb), before.constant(count - 1, type))
    return before, before.sub(last, rest)


class LoopRows:
    """The values of `lanes` iterations of a loop, of which `first` is the counter of the first."""

    def __init__(self, loop: scf.ForOp, lanes: int, build: Build, first: SSAValue):
        self.loop, self.lanes, self.build = loop, lanes, build
        self.counter = loop.body.block.args[0]
        self.scalars: dict[SSAValue, SSAValue] = {self.counter: first}
        """Values of the first iteration: addresses."""
        self.vectors: dict[SSAValue, SSAValue] = {}
        self._compute_first()

    def _compute_first(self) -> None:
        """What does not depend on memory, as the first iteration has it."""
        for op in self.loop.body.block.ops:
            if isinstance(op, scf.YieldOp) or not is_side_effect_free(op):
                continue
            if all(
                value in self.scalars or not self.loop.is_ancestor(value.owner)
                for value in op.operands
            ):
                self.build.emit_void(op.clone(self.scalars))

    def load(self, op: ocl.LoadOp) -> None:
        start = first_element(self.build, op, self.scalars)
        row = vector_of(op.result.type, self.lanes)
        self.vectors[op.result] = self.build.emit(ocl.VLoadOp(start, self.build.index(0), row))

    def store(self, op: ocl.StoreOp) -> None:
        start, value = first_element(self.build, op, self.scalars), self.vector(op.value)
        self.build.emit_void(ocl.VStoreOp(value, start, self.build.index(0)))

    def compute(self, op: Operation) -> None:
        if isinstance(op, arith.ConstantOp):
            return
        operands = [self.vector(value) for value in op.operands]
        new = vec.form_of(type(op), operands[0].type).create(
            operands=operands,
            result_types=[vector_of(result.type, self.lanes) for result in op.results],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        self.build.emit_void(new)
        self.vectors.update(zip(op.results, new.results, strict=True))

    def vector(self, value: SSAValue) -> SSAValue:
        """The values of all iterations."""
        if value not in self.vectors:
            row = vector_of(value.type, self.lanes)
            found = self.build.splat(self.scalars.get(value, value), row)
            if value is self.counter:
                element = value.type
                assert isinstance(element, IntegerType | IndexType)
                numbers = DenseIntOrFPElementsAttr.from_list(
                    VectorType(element, [self.lanes]), list(range(self.lanes))
                )
                found = self.build.add(found, self.build.emit(arith.ConstantOp(numbers)))
            self.vectors[value] = found
        return self.vectors[value]
