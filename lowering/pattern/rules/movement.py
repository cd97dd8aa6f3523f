"""Rules that move patterns past each other, so that others apply.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType, NatAttr
from polycl.dialects.pattern.lambdas import int_attr
from polycl.lowering.pattern.rules import apart
from polycl.lowering.pattern.rules.build import Values, call, element_of, fit, inline, make_lambda
from polycl.lowering.pattern.rules.conditions import (
    divides,
    divisors,
    expect,
    only,
    producer,
    short,
    used_once,
)
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, Sizes, function_rule


@function_rule("x.transpose-zip")
def transpose_before_zip(op: Operation) -> Rewrite:
    """transpose o map(\\row: zip(x, row)) -> map(\\x,col: map(\\e: {x, e}) col) o zip(x, transpose)

    x, first or second in the zip, does not depend on the row.

    An equation cannot state it: x is any value, and the new pairs keep the order of the zip.
    """
    op = expect(op, pattern.TransposeOp)
    rows = producer(op.input, pattern.MapOp)
    used_once(rows)
    pairs = only(rows, pattern.ZipOp)
    if len(pairs.inputs) != 2 or sum(value in rows.element_args for value in pairs.inputs) != 1:
        raise Refused("expected a function that zips its argument with something else")
    place = 0 if pairs.inputs[0] in rows.element_args else 1
    shared = pairs.inputs[1 - place]
    if len(rows.element_args) != 1 or shared.owner is rows.body.block:
        raise Refused("what the row is zipped with depends on the row")

    def rewrite(b: Builder) -> SSAValue:
        columns = b.insert(pattern.TransposeOp(rows.input)).result
        both = b.insert(pattern.ZipOp(shared, columns)).result

        def pair_all(b: Builder, x: SSAValue, column: SSAValue) -> SSAValue:
            def pair(b: Builder, e: SSAValue) -> Values:
                return [e, x] if place == 0 else [x, e]

            return b.insert(pattern.MapOp(column, make_lambda([element_of(column)], pair))).result

        body = make_lambda([element_of(shared), element_of(columns)], pair_all)
        return b.insert(pattern.MapOp(both, body)).result

    return rewrite


@function_rule("x.zip-map")
def fuse_map_into_zip(op: Operation) -> Rewrite:
    """map(f) o zip(..., map(g) a, ...) -> map(f o (..., g, ...)) o zip(..., a, ...)

    This holds for all inputs of the zip that are made by maps without other uses.

    An equation cannot state it: a zip has any number of inputs, and a map may make any of them.
    """
    op = expect(op, pattern.MapOp)
    pairs = producer(op.input, pattern.ZipOp)
    used_once(pairs)
    maps = [
        value.owner if isinstance(value.owner, pattern.MapOp) and value.has_one_use() else None
        for value in pairs.inputs
    ]
    if not any(maps):
        raise Refused("no input of the zip is made by a map for this one alone")

    def rewrite(b: Builder) -> SSAValue:
        inputs = [
            value if mapping is None else mapping.input
            for value, mapping in zip(pairs.inputs, maps, strict=True)
        ]

        def all_of_them(b: Builder, *elements: SSAValue) -> Values:
            parts: list[SSAValue] = []
            for element, mapping in zip(elements, maps, strict=True):
                values = [element] if mapping is None else call(b, mapping.body, [element])
                parts += fit(b, values, 1)
            return call(b, op.body, parts)

        body = make_lambda([element_of(value) for value in inputs], all_of_them)
        return b.insert(pattern.MapOp(b.insert(pattern.ZipOp(*inputs)).result, body)).result

    return rewrite


@function_rule("x.zip-join")
def zip_before_join(op: Operation) -> Rewrite:
    """zip(join a, b, ...) -> join o map(zip) o zip(a, split^n b, ...)

    The rows of a have n elements.

    An equation cannot state it: a zip has any number of inputs, and join may make any of them.
    """
    op = expect(op, pattern.ZipOp)
    joins = [value.owner for value in op.inputs if isinstance(value.owner, pattern.JoinOp)]
    if not joins:
        raise Refused("no input is made by join")
    size = _row_size(joins[0])

    def rewrite(b: Builder) -> SSAValue:
        inputs = [
            value.owner.input
            if isinstance(value.owner, pattern.JoinOp) and _row_size(value.owner) == size
            else b.insert(pattern.SplitOp(value, size)).result
            for value in op.inputs
        ]

        def zipped(b: Builder, *values: SSAValue) -> SSAValue:
            return b.insert(pattern.ZipOp(*values)).result

        body = make_lambda([element_of(value) for value in inputs], zipped)
        rows = b.insert(pattern.MapOp(zipped(b, *inputs), body)).result
        return b.insert(pattern.JoinOp(rows)).result

    return rewrite


@function_rule("x.pad-map", n=Sizes(lambda _: ()))
def pad_before_map(op: Operation, n: NatAttr) -> Rewrite:
    """map(f) -> take^N o map(f) o pad-0-n-clamp

    n elements more, whose results are left out, so that tiles fit. n is at least 0.

    An equation cannot state it: the notation has no pad.
    """
    op = expect(op, pattern.MapOp)
    if any(coefficient < 0 for _, coefficient in n.terms):
        raise Refused(f"n = {n} is negative")
    assert isinstance(op.input.type, ArrayType)
    size = op.input.type.size

    def rewrite(b: Builder) -> SSAValue:
        more = b.insert(pattern.PadOp(op.input, 0, n)).result
        mapped = b.insert(pattern.MapOp(more, op.body.clone())).result
        return b.insert(pattern.TakeOp(mapped, size)).result

    return rewrite


@function_rule("x.first-item", n=Sizes(lambda _: ()))
def begin_at_item(op: Operation, n: NatAttr) -> Rewrite:
    """map-global(f) -> map-global^n(f)

    The first n work-items have nothing to do, so that rows of work-items begin where memory is
    aligned. n is a number.

    An equation cannot state it: the notation does not say who computes what.
    """
    op = expect(op, pattern.MapGlobalOp)
    if not n.is_constant or n.denominator != 1 or n.value < 0:
        raise Refused(f"n = {n}: expected a number of work-items")

    def rewrite(b: Builder) -> SSAValue:
        moved = op.clone()
        moved.first = int_attr(n.value)
        return b.insert(moved).result

    return rewrite


@function_rule("x.split-zip", n=Sizes(divisors))
def split_before_zip(op: Operation, n: NatAttr) -> Rewrite:
    """split^n o zip(a, b, ...) -> map(zip) o zip(split^n a, split^n b, ...)

    The rows have n elements.

    An equation cannot state it: a zip has any number of inputs.
    """
    op = expect(op, pattern.SplitOp)
    pairs = producer(op.input, pattern.ZipOp)
    used_once(pairs)
    if op.size != n:
        raise Refused(f"the rows have {op.size} elements, not {n}")

    def rewrite(b: Builder) -> SSAValue:
        rows = [b.insert(pattern.SplitOp(value, n)).result for value in pairs.inputs]

        def zipped(b: Builder, *values: SSAValue) -> SSAValue:
            return b.insert(pattern.ZipOp(*values)).result

        body = make_lambda([element_of(value) for value in rows], zipped)
        return b.insert(pattern.MapOp(zipped(b, *rows), body)).result

    return rewrite


@function_rule("x.fission-first")
def split_off_first(op: Operation) -> Rewrite:
    """map(f o g) -> map(f) o map(g)

    g is the only pattern of the function that needs the element.

    An equation cannot state it: x.fission has the same one, and takes the last pattern as f.
    """
    op = expect(op, pattern.MapOp)
    args = op.body.block.args
    uses = [use.operation for arg in args for use in arg.uses]
    if len(args) != 1 or len(uses) != 1:
        raise Refused("expected a function that needs its argument once")
    (made,) = uses
    inside = [value for inner in op.body.block.ops for value in inner.results]
    if made.parent is not op.body.block or len(made.results) != 1 or made in _enders(op):
        raise Refused("expected one pattern of the element, and others after it")
    if any(value in inside for inner in made.walk() for value in inner.operands):
        raise Refused(f"{short(made)} needs more than the element")

    def rewrite(b: Builder) -> SSAValue:
        def g(b: Builder, element: SSAValue) -> SSAValue:
            return b.insert(made.clone({op.body.block.args[0]: element})).results[0]

        mapped = b.insert(pattern.MapOp(op.input, make_lambda([element_of(op.input)], g))).result
        return b.insert(pattern.MapOp(mapped, apart.without_first(op.body))).result

    return rewrite


def _enders(op: pattern.MapBase) -> list[Operation]:
    """The operations that make the yielded values."""
    return [value.owner for value in op.yielded if isinstance(value.owner, Operation)]


@function_rule("x.hoist")
def hoist(op: Operation) -> Rewrite:
    """map(\\a: f(a, c)) -> map(\\a: f(a, x)), where x = c is computed once, outside

    c does not depend on a. The rule is applied at c.

    An equation cannot state it: it is applied at c, inside of the function that changes.
    """
    around = op.parent_op()
    if not isinstance(around, pattern.MapBase | pattern.ReduceBase):
        raise Refused("it is in no function of a map or a reduction")
    if not op.results:
        raise Refused(f"{short(op)} makes no value")
    inside: set[SSAValue] = set(around.body.block.args)
    for inner in around.body.block.ops:
        inside.update(inner.results)
    if any(inside.intersection(inner.operands) for inner in op.walk()):
        raise Refused(f"{short(op)} depends on the element")

    def rewrite(b: Builder) -> Values:
        return Builder(InsertPoint.before(around)).insert(op.clone()).results

    return rewrite


@function_rule("x.interchange")
def interchange_maps(op: Operation) -> Rewrite:
    """map(\\a: map(\\b: f(a,b)) bs) as -> transpose o map(\\b: map(\\a: f(a,b)) as) bs

    bs does not depend on a.

    An equation cannot state it: f is the function of one map and captures the argument of another.
    """
    op = expect(op, pattern.MapOp)
    inner = only(op, pattern.MapOp)
    if inner.input in op.body.block.args:
        raise Refused("the inner map goes over the element of the outer one")

    def rewrite(b: Builder) -> SSAValue:
        def for_b(b: Builder, *element: SSAValue) -> SSAValue:
            def for_a(b: Builder, *outer: SSAValue) -> Values:
                captured: dict[SSAValue, SSAValue] = {}
                captured.update(zip(op.body.block.args, outer, strict=True))
                return inline(b, inner.body, element, captured)

            return b.insert(
                pattern.MapOp(
                    op.input, make_lambda([arg.type for arg in op.body.block.args], for_a)
                )
            ).result

        mapped = b.insert(
            pattern.MapOp(
                inner.input, make_lambda([arg.type for arg in inner.body.block.args], for_b)
            )
        ).result
        return b.insert(pattern.TransposeOp(mapped)).result

    return rewrite


def _row_size(join: pattern.JoinOp) -> NatAttr:
    row = element_of(join.input)
    assert isinstance(row, ArrayType)
    return row.size


RULES = (
    rule("x.map-join", "map(f) o join -> join o map(map(f))"),
    rule("x.split-map", "split^n o map(f) -> map(map(f)) o split^n"),
    rule(
        "x.transpose-map",
        "transpose o map(map(f)) -> map(map(f)) o transpose",
        note="f depends on the element only, not on the row.",
    ),
    rule("x.transpose-maps", "map(map(f)) -> transpose o map(map(f)) o transpose"),
    transpose_before_zip,
    rule("x.transpose-transpose", "transpose o transpose -> id"),
    fuse_map_into_zip,
    zip_before_join,
    rule(
        "x.fission",
        "map(f o g) -> map(f) o map(g)",
        note="f is the last pattern of the function, g what makes its first operand. Nothing else"
        " in f depends on the element.",
    ),
    split_off_first,
    split_before_zip,
    pad_before_map,
    begin_at_item,
    hoist,
    interchange_maps,
    rule(
        "x.reorder-blocks",
        "map(f) -> join o reorder-stride^(N/n/s) o split^n o map(f)"
        " o join o reorder-stride^s o split^n",
        [divides("n"), divides("s", "N/n")],
        "f sees every s-th block of n elements first.",
        n=Sizes(divisors),
        s=Sizes(divisors),
    ),
    rule(
        "x.slide-tile",
        "map(f) o slide(k,s) -> join o map(map(f) o slide(k,s)) o slide(n*s+k-s,n*s)",
        [divides("n")],
        "Tiles of n windows, which overlap; N is the number of windows.",
        n=Sizes(divisors),
    ),
)
