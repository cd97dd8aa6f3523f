"""Rules for reductions that [lift15] does not have, but that its Figure 9 and a fast gemv need.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr, nat
from polycl.dialects.pattern.types import is_scalar
from polycl.lowering.pattern.rules.build import (
    Values,
    element_of,
    fit,
    inline,
    make_lambda,
    size_of,
)
from polycl.lowering.pattern.rules.conditions import (
    associative,
    commutative,
    condition,
    divide,
    divides,
    divisors,
    expect,
    holds,
    neutral,
    used_once,
)
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.opencl import WIDTHS, vectorizable
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, Sizes, function_rule


@condition("z is a scalar")
def from_scalar(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.PartRedOp)
    if not is_scalar(op.init.type):
        raise Refused(f"there are no vectors of {op.init.type}")


@function_rule("x.reduce-split", n=Sizes(divisors))
def reduce_in_chunks(op: Operation, n: NatAttr) -> Rewrite:
    """reduce-seq(f,z) -> reduce-seq(\\acc,xs: at0 o reduce-seq(f,acc)(xs),z) o split^n

    n divides N.

    An equation cannot state it: the inner reduction starts at an argument, and its result is an
    array of one element.
    """
    op = expect(op, pattern.ReduceSeqOp)
    divide(op, size_of(op.input), n, "n")

    def rewrite(b: Builder) -> SSAValue:
        def chunk(b: Builder, acc: SSAValue, xs: SSAValue) -> SSAValue:
            inner = b.insert(pattern.ReduceSeqOp(xs, acc, op.body.clone(), op.unroll is not None))
            inner.attributes.update(op.attributes)
            zero = b.insert(arith.ConstantOp.from_int_and_width(0, IndexType()))
            return b.insert(pattern.AtOp(inner.result, zero.result)).result

        chunks = b.insert(pattern.SplitOp(op.input, n)).result
        body = make_lambda([op.init.type, element_of(chunks)], chunk)
        return b.insert(pattern.ReduceSeqOp(chunks, op.init, body)).result

    return rewrite


@function_rule("x.reduce-rest", n=Sizes(lambda op: ()))
def reduce_rest_apart(op: Operation, n: NatAttr) -> Rewrite:
    """reduce(f,z) o h -> map(f) o zip(reduce(f,z) o h o take^m, reduce(f,z) o h o drop^m)

    h is a map, or missing; m is the largest multiple of n below N, which is a number. So tiles of n
    fit in the first part. f is associative, z neutral.

    An equation cannot state it: m is a remainder.
    """
    op = expect(op, pattern.ReduceOp)
    size = size_of(op.input)
    if not size.is_constant or not n.is_constant or n.value < 1:
        raise Refused(f"expected numbers, got the size {size} and n = {n}")
    whole = size.value - size.value % n.value
    if whole in (0, size.value):
        raise Refused(f"{size} elements are no multiple of {n} and a rest")
    return _in_two(op, nat(whole))


@function_rule("x.reduce-head", n=Sizes(lambda op: ()))
def reduce_head_apart(op: Operation, n: NatAttr) -> Rewrite:
    """reduce(f,z) o h -> map(f) o zip(reduce(f,z) o h o take^n, reduce(f,z) o h o drop^n)

    h is a map, or missing. So the second part may begin where memory is aligned. f is associative,
    z neutral, and 0 < n < N.

    An equation cannot state it: h may be missing.
    """
    op = expect(op, pattern.ReduceOp)
    size = size_of(op.input)
    rest = size - n
    if not n.is_constant or n.value < 1 or (rest.is_constant and rest.value < 1):
        raise Refused(f"expected a number of elements between 0 and {size}, got {n}")
    return _in_two(op, n)


def _in_two(op: pattern.ReduceOp, whole: NatAttr) -> Rewrite:
    """The first `whole` elements, which are not all, apart from the others."""
    associative.check(op, {})
    neutral.check(op, {})
    mapped = op.input.owner if isinstance(op.input.owner, pattern.MapOp) else None
    if mapped is not None:
        used_once(mapped)

    def rewrite(b: Builder) -> SSAValue:
        def reduced(part: SSAValue) -> SSAValue:
            if mapped is not None:
                part = b.insert(pattern.MapOp(part, mapped.body.clone())).result
            return b.insert(op.clone({op.input: part})).results[0]

        source = op.input if mapped is None else mapped.input
        first = reduced(b.insert(pattern.TakeOp(source, whole)).result)
        rest = reduced(b.insert(pattern.DropOp(source, whole)).result)
        pairs = b.insert(pattern.ZipOp(first, rest)).result
        element = element_of(first)

        def combine(b: Builder, x: SSAValue, y: SSAValue) -> Values:
            count = len(op.body.block.args) // 2
            return inline(b, op.body, [*fit(b, [x], count), *fit(b, [y], count)])

        return b.insert(pattern.MapOp(pairs, make_lambda([element, element], combine))).result

    return rewrite


RULES = (
    reduce_in_chunks,
    reduce_rest_apart,
    reduce_head_apart,
    rule(
        "x.map-reduce-seq",
        r"map(reduce-seq(f,z)) -> transpose o reduce-seq(\accs,xs: map(f) o zip(accs,xs),z^N)"
        " o transpose",
        note="As x.map-reduce.",
    ),
    rule(
        "x.reduce-one",
        "reduce(f,z) | part-red(f,z) -> id",
        [neutral, holds("N is 1", "it reduces {N} elements, expected 1")],
    ),
    rule(
        "x.part-red-vect",
        "part-red^m(f,z) -> asScalar o part-red^(m/n)(vect^n(f),vect^n(z)) o asVector^n",
        [associative, commutative, divides("n"), divides("n", "m"), from_scalar, vectorizable],
        n=WIDTHS,
    ),
    rule(
        "x.accumulators",
        r"part-red^m(f,z) -> join o reduce(\accs,xs: map(f) o zip(accs,xs),z^m) o split^m",
        [
            associative,
            commutative,
            divides("m"),
            holds("m is not 1", "it leaves one element: there would be one accumulator"),
        ],
        "m accumulators go through the array side by side: result i combines the elements i, i+m,"
        " i+2m...",
    ),
    rule(
        "x.map-reduce",
        r"map(reduce(f,z)) -> transpose o reduce(\accs,xs: map(f) o zip(accs,xs),z^N) o transpose",
        note="The rows are reduced side by side, an accumulator for each; f and z are the same for"
        " all rows.",
    ),
)
