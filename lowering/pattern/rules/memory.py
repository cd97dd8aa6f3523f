"""Rules for copies, memory and unrolled loops. `terms.py` has the notation."""

from __future__ import annotations

from xdsl.ir import Operation

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType
from polycl.lowering.pattern.rules.build import size_of
from polycl.lowering.pattern.rules.conditions import condition
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.opencl import unmarked
from polycl.lowering.pattern.rules.rule import Refused


@condition("X makes an array")
def makes_array(op: Operation, sizes: Environment) -> None:
    if len(op.results) != 1 or not isinstance(op.results[0].type, ArrayType):
        raise Refused(f"expected a pattern that makes an array, got {op.name}")


@condition("it is not unrolled yet; N is a constant")
def unrollable(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.MapSeqOp | pattern.ReduceSeqOp)
    if op.unroll is not None:
        raise Refused("it is unrolled already")
    if not size_of(op.input).is_constant:
        raise Refused(f"it has {size_of(op.input)} elements, expected a constant")


RULES = (
    rule(
        "x.id",
        "X -> map(id) o X",
        [makes_array],
        "A copy, which can then be made in parallel and to another memory.",
    ),
    rule(
        "x.to-private",
        "map-seq(f) -> toPrivate(map-seq(f)), reduce-seq(f,z) -> toPrivate(reduce-seq(f,z))",
        [unmarked],
        "Each work-item has a copy of its own.",
    ),
    rule(
        "x.unroll",
        "map-seq(f) -> map-seq-unroll(f), reduce-seq(f,z) -> reduce-seq-unroll(f,z)",
        [unrollable],
    ),
)
