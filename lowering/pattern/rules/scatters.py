"""Rules for scatters: chunks of the elements at the same time."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr
from polycl.lowering.pattern.rules.build import (
    element_of,
    make_lambda,
    neutral_value,
    size_of,
)
from polycl.lowering.pattern.rules.conditions import (
    associative,
    divide,
    divisors,
    expect,
    has_neutral,
)
from polycl.lowering.pattern.rules.rule import Rewrite, Sizes, function_rule


@function_rule("x.scatter-split", n=Sizes(divisors))
def scatter_in_copies(op: Operation, n: NatAttr) -> Rewrite:
    r"""scatter(f)(x,is,a) -> join o map(\v,vs: reduce(f,v)(vs)) o zip(a, transpose o map(\xs,js: scatter(f)(xs,js,e^M)) o zip(split^n x, split^n is))

    n divides N; f is associative and has a neutral element e. Each chunk of n elements has a copy of
    the M results.

    An equation cannot state it: its notation has patterns of one array.
    """  # noqa: E501
    op = expect(op, pattern.ScatterOp)
    associative.check(op, {})
    has_neutral.check(op, {})
    divide(op, size_of(op.input), n, "n")

    def rewrite(b: Builder) -> SSAValue:
        start = neutral_value(b, op)
        assert start is not None
        empty = b.insert(
            pattern.GenerateOp(size_of(op.init), make_lambda([IndexType()], lambda b, _: start))
        ).result

        def chunk(b: Builder, xs: SSAValue, js: SSAValue) -> SSAValue:
            inner = pattern.ScatterOp(xs, js, empty, op.body.clone(), attributes=op.attributes)
            inner.properties.update(op.properties)
            return b.insert(inner).result

        def total(b: Builder, v: SSAValue, vs: SSAValue) -> SSAValue:
            reduced = pattern.ReduceOp(vs, v, op.body.clone(), attributes=op.attributes)
            reduced.properties.update(op.properties)
            return b.insert(reduced).result

        xs = b.insert(pattern.SplitOp(op.input, n)).result
        js = b.insert(pattern.SplitOp(op.indices, n)).result
        pairs = b.insert(pattern.ZipOp(xs, js)).result
        body = make_lambda([element_of(xs), element_of(js)], chunk)
        copies = b.insert(pattern.MapOp(pairs, body)).result
        columns = b.insert(pattern.TransposeOp(copies)).result
        both = b.insert(pattern.ZipOp(op.init, columns)).result
        body = make_lambda([element_of(op.init), element_of(columns)], total)
        return b.insert(pattern.JoinOp(b.insert(pattern.MapOp(both, body)).result)).result

    return rewrite


RULES = (scatter_in_copies,)
