"""Rules that carry vectors through a program: `vect` into functions, `asVector` past the rest."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Operation, SSAValue

from polycl.dialects import vec
from polycl.dialects.pattern import (
    ArrayType,
    AsScalarOp,
    AsVectorOp,
    JoinOp,
    MapBase,
    SplitOp,
    VectOp,
    YieldOp,
    nat,
)
from polycl.dialects.pattern.types import width_of
from polycl.lowering.pattern.rules.build import element_of, inline, make_lambda, map_with_body
from polycl.lowering.pattern.rules.conditions import divide, expect, producer
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, rule


def splat(b: Builder, scalar: SSAValue, n: int) -> SSAValue:
    """A vector of n times the same scalar."""
    owner = scalar.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr | IntegerAttr):
        number, type = owner.value.value.data, VectorType(owner.value.type, [n])
        dense = DenseIntOrFPElementsAttr.from_list(type, [number])  # pyright: ignore
        return b.insert(arith.ConstantOp(dense)).result
    return b.insert(vector.BroadcastOp(scalar, VectorType(scalar.type, [n]))).vector


@rule("x.vect")
def vect_in_place(op: Operation) -> Rewrite:
    """vect^n(f) -> f, with operations on vectors

    What f captures is the same in each lane.
    """
    op = expect(op, VectOp)

    def rewrite(b: Builder) -> list[SSAValue]:
        lanes: dict[SSAValue, SSAValue] = {}
        lanes.update(zip(op.body.block.args, op.inputs, strict=True))

        def widened(value: SSAValue) -> SSAValue:
            if value not in lanes:
                lanes[value] = splat(b, value, op.width)
            return lanes[value]

        for inner in op.body.block.ops:
            if isinstance(inner, YieldOp):
                break
            if isinstance(inner, arith.ConstantOp):
                lanes[inner.result] = splat(b, inner.result, op.width)
                continue
            operands = [widened(operand) for operand in inner.operands]
            new = vec.form_of(type(inner), operands[0].type).create(
                operands=operands,
                result_types=[VectorType(result.type, [op.width]) for result in inner.results],
                properties=dict(inner.properties),
                attributes=dict(inner.attributes),
            )
            b.insert(new)
            for old, result in zip(inner.results, new.results, strict=True):
                result.name_hint = old.name_hint
                lanes[old] = result
        return [widened(value) for value in op.yielded]

    return rewrite


@rule("x.vect-fuse")
def fuse_vect(op: Operation) -> Rewrite:
    """vect^n(f)(..., vect^n(g)(x), ...) -> vect^n(f o g)(..., x, ...)

    Of all operands that a vect makes which nothing else needs.
    """
    op = expect(op, VectOp)
    inner = {
        value: value.owner
        for value in op.inputs
        if isinstance(value.owner, VectOp) and len(value.owner.outputs) == 1 and value.has_one_use()
    }
    if not inner:
        raise Refused("no operand is made by another vect for this one alone")

    def rewrite(b: Builder) -> list[SSAValue]:
        inputs: list[SSAValue] = []
        for value in op.inputs:
            inputs += inner[value].inputs if value in inner else [value]

        def both(b: Builder, *scalars: SSAValue):
            rest = list(scalars)
            arguments: list[SSAValue] = []
            for value in op.inputs:
                count = len(inner[value].inputs) if value in inner else 1
                mine, rest = rest[:count], rest[count:]
                arguments += inline(b, inner[value].body, mine) if value in inner else mine
            return inline(b, op.body, arguments)

        types = [value.type.element_type for value in inputs if isinstance(value.type, VectorType)]
        return list(b.insert(VectOp(inputs, make_lambda(types, both))).outputs)

    return rewrite


@rule("x.vec-out")
def as_vector_out_of_map(op: Operation) -> Rewrite:
    """map(f o asVector^n) -> map(f) o asVector^n

    f needs its argument as vectors only.
    """
    op = expect(op, MapBase)
    args = op.body.block.args
    uses = [use.operation for arg in args for use in arg.uses]
    if len(args) != 1 or len(uses) != 1 or not isinstance(uses[0], AsVectorOp):
        raise Refused("expected a function that needs its argument for asVector only")
    as_vector = uses[0]

    def rewrite(b: Builder) -> SSAValue:
        vectors = b.insert(AsVectorOp(op.input, as_vector.width)).result
        body = op.body.clone()
        (arg,) = body.block.args
        (use,) = arg.uses
        inner = use.operation
        new_arg = body.block.insert_arg(element_of(vectors), 1)
        inner.results[0].replace_all_uses_with(new_arg)
        inner.detach()
        inner.erase()
        body.block.erase_arg(arg)
        return map_with_body(b, op, vectors, body)

    return rewrite


@rule("x.scal-out")
def as_scalar_out_of_map(op: Operation) -> Rewrite:
    """map(asScalar o f) -> asScalar o map(f)"""
    op = expect(op, MapBase)
    if len(op.yielded) != 1:
        raise Refused("expected a function that yields one array")
    as_scalar = producer(op.yielded[0], AsScalarOp)

    def rewrite(b: Builder) -> SSAValue:
        body = op.body.clone()
        end = body.block.last_op
        assert isinstance(end, YieldOp)
        old = producer(end.values[0], AsScalarOp)
        end.operands[0] = old.input
        if not old.result.uses:
            old.detach()
            old.erase()
        return b.insert(AsScalarOp(map_with_body(b, op, op.input, body))).result

    if as_scalar.parent is not op.body.block:
        raise Refused("the function yields what was made outside of it")
    return rewrite


@rule("x.split-vec")
def split_before_as_vector(op: Operation) -> Rewrite:
    """split^m o asVector^n -> asVector^n o split^(m*n)

    On an array of one dimension.
    """
    op = expect(op, SplitOp)
    vectors = producer(op.input, AsVectorOp)
    _one_dimension(vectors.input)

    def rewrite(b: Builder) -> SSAValue:
        chunks = b.insert(SplitOp(vectors.input, op.size * vectors.width)).result
        return b.insert(AsVectorOp(chunks, vectors.width)).result

    return rewrite


@rule("x.split-scal")
def split_before_as_scalar(op: Operation) -> Rewrite:
    """split^m o asScalar^n -> asScalar^n o split^(m/n)

    On an array of one dimension; n divides m.
    """
    op = expect(op, SplitOp)
    scalars = producer(op.input, AsScalarOp)
    _one_dimension(scalars.input)
    width = width_of(element_of(scalars.input))
    assert width is not None
    size = divide(op, op.size, nat(width), "n")
    return lambda b: b.insert(AsScalarOp(b.insert(SplitOp(scalars.input, size)).result)).result


@rule("x.vec-split")
def as_vector_before_split(op: Operation) -> Rewrite:
    """asVector^n o split^m -> split^(m/n) o asVector^n

    On an array of one dimension; n divides m.
    """
    op = expect(op, AsVectorOp)
    split = producer(op.input, SplitOp)
    _one_dimension(split.input)
    size = divide(op, split.size, nat(op.width), "n")

    def rewrite(b: Builder) -> SSAValue:
        return b.insert(SplitOp(b.insert(AsVectorOp(split.input, op.width)).result, size)).result

    return rewrite


@rule("x.vec-join")
def as_vector_before_join(op: Operation) -> Rewrite:
    """asVector^n o join -> join o asVector^n

    n divides the size of the rows, if these are of one dimension.
    """
    op = expect(op, AsVectorOp)
    join = producer(op.input, JoinOp)
    row = element_of(join.input)
    assert isinstance(row, ArrayType)
    if not isinstance(row.element_type, ArrayType):
        divide(op, row.size, nat(op.width), "n")
    return lambda b: b.insert(JoinOp(b.insert(AsVectorOp(join.input, op.width)).result)).result


@rule("x.join-scal")
def join_before_as_scalar(op: Operation) -> Rewrite:
    """asScalar o join -> join o asScalar"""
    op = expect(op, AsScalarOp)
    join = producer(op.input, JoinOp)
    return lambda b: b.insert(JoinOp(b.insert(AsScalarOp(join.input)).result)).result


@rule("x.scal-join")
def as_scalar_before_join(op: Operation) -> Rewrite:
    """join o asScalar -> asScalar o join"""
    op = expect(op, JoinOp)
    scalars = producer(op.input, AsScalarOp)
    return lambda b: b.insert(AsScalarOp(b.insert(JoinOp(scalars.input)).result)).result


def _one_dimension(value: SSAValue) -> None:
    if isinstance(element_of(value), ArrayType):
        raise Refused("the array has several dimensions; asVector acts on the innermost one")
