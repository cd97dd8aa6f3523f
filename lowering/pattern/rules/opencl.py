"""Figure 4 of the paper: rules that choose what of OpenCL a pattern becomes."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.ir import Operation, Region, SSAValue

from polycl.dialects.pattern import (
    AsScalarOp,
    AsVectorOp,
    MapGlobalOp,
    MapLocalOp,
    MapOp,
    MapSeqOp,
    MapWorkgroupOp,
    NatAttr,
    ParallelMapBase,
    ReduceBase,
    ReduceOp,
    ReduceSeqOp,
    ReorderOp,
    ReorderStrideOp,
    ToGlobalOp,
    ToLocalOp,
    ToMemoryBase,
    VectOp,
    nat,
)
from polycl.dialects.pattern.hierarchy import why_not_lower_to
from polycl.dialects.pattern.types import innermost, is_scalar, vector_of
from polycl.lowering.pattern.rules.build import element_of, make_lambda, size_of
from polycl.lowering.pattern.rules.conditions import divide, divisors, expect, parents, short
from polycl.lowering.pattern.rules.rule import (
    Counts,
    PatternRule,
    Refused,
    Rewrite,
    Sizes,
    rule,
)

DIMENSIONS = Counts(lambda _: range(3))
WIDTHS = Counts(lambda _: (2, 4, 8, 16))
"""OpenCL's vectors that are no larger than needed; those of 3 are stored as 4."""


def _parallel_map(level: str, kind: type[ParallelMapBase]) -> PatternRule:
    def lower(op: Operation, dim: int = 0) -> Rewrite:
        op = expect(op, MapOp)
        if dim not in range(3):
            raise Refused(f"dim = {dim} must be 0, 1 or 2")
        why_not = why_not_lower_to(op, kind, dim)
        if why_not is not None:
            raise Refused(why_not)
        return lambda b: b.insert(kind(op.input, op.body.clone(), dim, dict(op.attributes))).result

    lower.__doc__ = f"map(f) -> map-{level}(f)"
    return rule(f"4a.{level}", dim=DIMENSIONS)(lower)


map_workgroup = _parallel_map("workgroup", MapWorkgroupOp)
map_local = _parallel_map("local", MapLocalOp)
map_global = _parallel_map("global", MapGlobalOp)


@rule("4a.seq")
def map_seq(op: Operation) -> Rewrite:
    """map(f) -> map-seq(f)"""
    op = expect(op, MapOp)
    why_not = why_not_lower_to(op, MapSeqOp)
    if why_not is not None:
        raise Refused(why_not)
    return lambda b: (
        b.insert(MapSeqOp(op.input, op.body.clone(), attributes=dict(op.attributes))).result
    )


@rule("4b")
def reduce_seq(op: Operation) -> Rewrite:
    """reduce(f,z) -> reduce-seq(f,z)"""
    op = expect(op, ReduceOp)
    return lambda b: (
        b.insert(
            ReduceSeqOp(op.input, op.init, op.body.clone(), attributes=dict(op.attributes))
        ).result
    )


@rule("4c.stride", s=Sizes(divisors))
def reorder_by_stride(op: Operation, s: NatAttr) -> Rewrite:
    """reorder -> reorder-stride^s

    s divides the size.
    """
    op = expect(op, ReorderOp)
    divide(op, size_of(op.input), s, "s")
    return lambda b: b.insert(ReorderStrideOp(op.input, s)).result


@rule("4c.id")
def reorder_is_id(op: Operation) -> Rewrite:
    """reorder -> id"""
    op = expect(op, ReorderOp)
    return lambda b: op.input


def to_memory(op: Operation, kind: type[ToMemoryBase]) -> Rewrite:
    """`op`, its value in memory of that kind; refused where it is marked already."""
    for use in op.results[0].uses:
        if isinstance(use.operation, ToMemoryBase):
            raise Refused(f"it is marked {short(use.operation)} already")
    return lambda b: b.insert(kind(b.insert(op.clone()).results[0])).result


def _within_workgroup(op: Operation) -> None:
    if not any(isinstance(parent, MapWorkgroupOp) for parent in parents(op)):
        raise Refused("it is in no map-workgroup, which local memory and barriers belong to")


@rule("4d.global")
def to_global(op: Operation) -> Rewrite:
    """map-local(f) -> toGlobal(map-local(f))

    In a map-workgroup.
    """
    op = expect(op, MapLocalOp)
    _within_workgroup(op)
    return to_memory(op, ToGlobalOp)


@rule("4d.local")
def to_local(op: Operation) -> Rewrite:
    """map-local(f) -> toLocal(map-local(f))

    In a map-workgroup.
    """
    op = expect(op, MapLocalOp)
    _within_workgroup(op)
    return to_memory(op, ToLocalOp)


@rule("4e", n=WIDTHS)
def vectorize(op: Operation, n: int) -> Rewrite:
    """map(f) -> asScalar o map(vect^n(f)) o asVector^n

    n divides the size; f is arithmetic on scalars (a tuple of them if it takes it apart), and has
    not been vectorized.
    """
    op = expect(op, MapOp)
    divide(op, size_of(op.input), nat(n), "n")
    check_vectorizable(op.body)
    if vector_of(innermost(op.input.type), n) is None:
        raise Refused(f"there are no vectors of {element_of(op.input)}")

    def rewrite(b: Builder) -> SSAValue:
        vectors = b.insert(AsVectorOp(op.input, n)).result
        mapped = b.insert(MapOp(vectors, vect_lambda(op, n))).result
        return b.insert(AsScalarOp(mapped)).result

    return rewrite


def vect_lambda(op: MapOp | ReduceBase, n: int) -> Region:
    """`vect^n` of the function of a pattern, as a function of vectors."""
    types = [vector_of(arg.type, n) for arg in op.body.block.args]

    def apply(b: Builder, *vectors: SSAValue):
        return b.insert(VectOp(vectors, op.body.clone(), dict(op.attributes))).results

    return make_lambda([type for type in types if type is not None], apply)


def check_vectorizable(body: Region) -> None:
    """Refuse a function that is not element-wise arithmetic on scalars."""
    for arg in body.block.args:
        if not is_scalar(arg.type):
            raise Refused(f"the function takes {arg.type}, expected scalars")
    for op in body.block.ops:
        if op.name == "pattern.yield":
            continue
        if op.dialect_name() not in ("arith", "math") or op.regions:
            raise Refused(f"the function has {op.name}, which has no form for vectors")
        for value in (*op.operands, *op.results):
            if not is_scalar(value.type):
                raise Refused(f"{op.name} has a value of type {value.type}, expected scalars")
