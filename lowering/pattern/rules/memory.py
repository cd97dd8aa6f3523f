"""Rules for copies, for where values lie, and for loops written out."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.dialects.pattern import (
    ArrayType,
    MapOp,
    MapSeqOp,
    ReduceSeqOp,
    ToPrivateOp,
    VectOp,
)
from polycl.lowering.pattern.rules.build import element_of, make_lambda
from polycl.lowering.pattern.rules.conditions import expect
from polycl.lowering.pattern.rules.opencl import to_memory
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, rule


@rule("x.id")
def copy(op: Operation) -> Rewrite:
    """X -> map(id) o X

    A copy, which can then be made in parallel and to another memory.
    """
    if len(op.results) != 1 or not isinstance(op.results[0].type, ArrayType):
        raise Refused(f"expected a pattern that makes an array, got {op.name}")

    def rewrite(b: Builder) -> SSAValue:
        value = b.insert(op.clone()).results[0]
        return b.insert(MapOp(value, make_lambda([element_of(value)], identity))).result

    return rewrite


def identity(b: Builder, value: SSAValue) -> SSAValue:
    """id; of vectors, `vect^n(id)`."""
    if not isinstance(value.type, VectorType):
        return value
    scalar = make_lambda([value.type.element_type], lambda b, scalar: scalar)
    return b.insert(VectOp([value], scalar)).outputs[0]


@rule("x.to-private")
def to_private(op: Operation) -> Rewrite:
    """map-seq(f) -> toPrivate(map-seq(f)), reduce-seq(f,z) -> toPrivate(reduce-seq(f,z))

    Each work-item has a copy of its own.
    """
    op = expect(op, MapSeqOp, ReduceSeqOp)
    return to_memory(op, ToPrivateOp)


@rule("x.unroll")
def unroll(op: Operation) -> Rewrite:
    """map-seq(f) -> map-seq-unroll(f), reduce-seq(f,z) -> reduce-seq-unroll(f,z)

    The number of elements is a constant.
    """
    op = expect(op, MapSeqOp, ReduceSeqOp)
    assert isinstance(op.input.type, ArrayType)
    if op.unroll is not None:
        raise Refused("it is unrolled already")
    if not op.input.type.size.is_constant:
        raise Refused(f"it has {op.input.type.size} elements, expected a constant")

    def rewrite(b: Builder) -> SSAValue:
        if isinstance(op, MapSeqOp):
            new = MapSeqOp(op.input, op.body.clone(), True, dict(op.attributes))
        else:
            new = ReduceSeqOp(op.input, op.init, op.body.clone(), True, dict(op.attributes))
        return b.insert(new).result

    return rewrite
