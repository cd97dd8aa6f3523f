"""Rules that carry vectors through a program: `vect` into functions, `asVector` past the rest.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern, vec
from polycl.dialects.pattern import ArrayType
from polycl.lowering.pattern.rules.build import element_of, inline, make_lambda, splat
from polycl.lowering.pattern.rules.conditions import condition, divides, expect, producer
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, function_rule


@condition("the array has one dimension")
def one_dimension(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.OneToOneOp)
    if isinstance(element_of(producer(op.input, pattern.OneToOneOp).input), ArrayType):
        raise Refused("the array has several dimensions; asVector acts on the innermost one")


@condition("n divides m, if the rows have one dimension")
def divides_rows(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.AsVectorOp)
    row = element_of(producer(op.input, pattern.JoinOp).input)
    assert isinstance(row, ArrayType)
    if not isinstance(row.element_type, ArrayType):
        divides("n", "m").check(op, sizes)


@function_rule("x.vect")
def vect_in_place(op: Operation) -> Rewrite:
    """vect^n(f) -> f, with operations on vectors

    Captured values are the same in all lanes.

    An equation cannot state it: it changes the scalar operations of f.
    """
    op = expect(op, pattern.VectOp)

    def rewrite(b: Builder) -> list[SSAValue]:
        lanes: dict[SSAValue, SSAValue] = {}
        lanes.update(zip(op.body.block.args, op.inputs, strict=True))

        def widened(value: SSAValue) -> SSAValue:
            if value not in lanes:
                lanes[value] = splat(b, value, op.width)
            return lanes[value]

        for inner in op.body.block.ops:
            if isinstance(inner, pattern.YieldOp):
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


@function_rule("x.vect-fuse")
def fuse_vect(op: Operation) -> Rewrite:
    """vect^n(f)(..., vect^n(g)(x), ...) -> vect^n(f o g)(..., x, ...)

    This holds for all operands that are made by a vect without other uses.

    An equation cannot state it: a vect has any number of operands, and any of them may be a vect's.
    """
    op = expect(op, pattern.VectOp)
    inner = {
        value: made
        for value in op.inputs
        if isinstance(made := value.owner, pattern.VectOp)
        and len(made.outputs) == 1
        and value.has_one_use()
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
        return list(b.insert(pattern.VectOp(inputs, make_lambda(types, both))).outputs)

    return rewrite


RULES = (
    vect_in_place,
    fuse_vect,
    rule(
        "x.vec-out",
        "map-k(f o asVector^n) -> map-k(f) o asVector^n",
        note="f needs its argument as vectors only.",
    ),
    rule("x.scal-out", "map-k(asScalar o f) -> asScalar o map-k(f)"),
    rule("x.split-vec", "split^m o asVector^n -> asVector^n o split^(m*n)", [one_dimension]),
    rule(
        "x.split-scal",
        "split^m o asScalar^n -> asScalar o split^(m/n)",
        [one_dimension, divides("n", "m")],
    ),
    rule(
        "x.vec-split",
        "asVector^n o split^m -> split^(m/n) o asVector^n",
        [one_dimension, divides("n", "m")],
    ),
    rule("x.vec-join", "asVector^n o join^m -> join o asVector^n", [divides_rows]),
    rule("x.join-scal", "asScalar o join -> join o asScalar"),
    rule("x.scal-join", "join o asScalar -> asScalar o join"),
)
