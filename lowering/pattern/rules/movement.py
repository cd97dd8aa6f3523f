"""Rules that move patterns past each other, so that others apply."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from polycl.dialects.pattern import (
    ArrayType,
    JoinOp,
    MapBase,
    MapOp,
    NatAttr,
    ReduceBase,
    SlideOp,
    SplitOp,
    TransposeOp,
    YieldOp,
    ZipOp,
)
from polycl.lowering.pattern.rules.build import (
    Values,
    call,
    element_of,
    fit,
    inline,
    make_lambda,
    map_like,
    map_rows,
    size_of,
)
from polycl.lowering.pattern.rules.conditions import (
    divide,
    divisors,
    expect,
    only,
    producer,
    short,
    used_once,
)
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, Sizes, rule


@rule("x.map-join")
def map_before_join(op: Operation) -> Rewrite:
    """map(f) o join -> join o map(map(f))"""
    op = expect(op, MapOp)
    join = producer(op.input, JoinOp)

    def rewrite(b: Builder) -> SSAValue:
        return b.insert(JoinOp(map_rows(b, op, join.input))).result

    return rewrite


@rule("x.split-map")
def split_before_map(op: Operation) -> Rewrite:
    """split^n o map(f) -> map(map(f)) o split^n"""
    op = expect(op, SplitOp)
    mapping = producer(op.input, MapOp)
    used_once(mapping)

    def rewrite(b: Builder) -> SSAValue:
        return map_rows(b, mapping, b.insert(SplitOp(mapping.input, op.size)).result)

    return rewrite


@rule("x.transpose-map")
def transpose_before_map(op: Operation) -> Rewrite:
    """transpose o map(map(f)) -> map(map(f)) o transpose

    f depends on the element only, not on the row.
    """
    op = expect(op, TransposeOp)
    rows = producer(op.input, MapOp)
    used_once(rows)
    elements = only(rows, MapOp)
    if elements.input not in rows.element_args:
        raise Refused("the inner map has another input than the row")
    if _uses_any(elements, rows.element_args):
        raise Refused("the inner function uses the row itself")

    def rewrite(b: Builder) -> SSAValue:
        return map_rows(b, elements, b.insert(TransposeOp(rows.input)).result)

    return rewrite


@rule("x.transpose-zip")
def transpose_before_zip(op: Operation) -> Rewrite:
    """transpose o map(\\row: zip(x, row)) -> map(\\x,col: map(\\e: {x, e}) col) o zip(x, transpose)

    x, first or second in the zip, does not depend on the row.
    """
    op = expect(op, TransposeOp)
    rows = producer(op.input, MapOp)
    used_once(rows)
    pairs = only(rows, ZipOp)
    if len(pairs.inputs) != 2 or sum(value in rows.element_args for value in pairs.inputs) != 1:
        raise Refused("expected a function that zips its argument with something else")
    place = 0 if pairs.inputs[0] in rows.element_args else 1
    shared = pairs.inputs[1 - place]
    if len(rows.element_args) != 1 or shared.owner is rows.body.block:
        raise Refused("what the row is zipped with depends on the row")

    def rewrite(b: Builder) -> SSAValue:
        columns = b.insert(TransposeOp(rows.input)).result
        both = b.insert(ZipOp(shared, columns)).result

        def pair_all(b: Builder, x: SSAValue, column: SSAValue) -> SSAValue:
            def pair(b: Builder, e: SSAValue) -> Values:
                return [e, x] if place == 0 else [x, e]

            return b.insert(MapOp(column, make_lambda([element_of(column)], pair))).result

        body = make_lambda([element_of(shared), element_of(columns)], pair_all)
        return b.insert(MapOp(both, body)).result

    return rewrite


@rule("x.transpose-transpose")
def transpose_twice_is_id(op: Operation) -> Rewrite:
    """transpose o transpose -> id"""
    inner = producer(expect(op, TransposeOp).input, TransposeOp)
    return lambda b: inner.input


@rule("x.zip-map")
def fuse_map_into_zip(op: Operation) -> Rewrite:
    """map(f) o zip(..., map(g) a, ...) -> map(f o (..., g, ...)) o zip(..., a, ...)

    Of all inputs of the zip that a map makes which nothing else needs.
    """
    op = expect(op, MapOp)
    pairs = producer(op.input, ZipOp)
    used_once(pairs)
    maps = [
        value.owner if isinstance(value.owner, MapOp) and value.has_one_use() else None
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
        return b.insert(MapOp(b.insert(ZipOp(*inputs)).result, body)).result

    return rewrite


@rule("x.zip-join")
def zip_before_join(op: Operation) -> Rewrite:
    """zip(join a, b, ...) -> join o map(zip) o zip(a, split^n b, ...)

    The rows of a have n elements.
    """
    op = expect(op, ZipOp)
    joins = [value.owner for value in op.inputs if isinstance(value.owner, JoinOp)]
    if not joins:
        raise Refused("no input is made by join")
    row = element_of(joins[0].input)
    assert isinstance(row, ArrayType)
    size = row.size

    def rewrite(b: Builder) -> SSAValue:
        inputs = [
            value.owner.input
            if isinstance(value.owner, JoinOp) and _row_size(value.owner) == size
            else b.insert(SplitOp(value, size)).result
            for value in op.inputs
        ]
        body = make_lambda(
            [element_of(value) for value in inputs], lambda b, *rows: b.insert(ZipOp(*rows)).result
        )
        rows = b.insert(MapOp(b.insert(ZipOp(*inputs)).result, body)).result
        return b.insert(JoinOp(rows)).result

    return rewrite


@rule("x.fission")
def split_function(op: Operation) -> Rewrite:
    """map(f o g) -> map(f) o map(g)

    f is the last pattern of the function, g what makes its first operand. Nothing else in f
    depends on the element.
    """
    op = expect(op, MapOp)
    if len(op.yielded) != 1 or not isinstance(last := op.yielded[0].owner, Operation):
        raise Refused("the function yields no value of a pattern")
    if last.parent is not op.body.block or not last.operands or len(last.results) != 1:
        raise Refused("the function does not end in a pattern of one value")
    middle = last.operands[0]
    if not isinstance(middle.owner, Operation) or middle.owner.parent is not op.body.block:
        raise Refused(f"{short(last)} is all that the function does")
    if not middle.has_one_use() or not last.results[0].has_one_use():
        raise Refused(f"the input or the value of {short(last)} has other uses")
    inside = [value for inner in op.body.block.ops for value in inner.results]
    others = [value for value in (*op.body.block.args, *inside) if value is not middle]
    if _uses_any(last, others):
        raise Refused(f"{short(last)} needs more of the element than its first operand")

    def rewrite(b: Builder) -> SSAValue:
        first = op.body.clone()
        end = first.block.last_op
        assert isinstance(end, YieldOp) and isinstance(end.values[0].owner, Operation)
        copy = end.values[0].owner
        end.operands[0] = copy.operands[0]
        copy.detach()
        copy.erase()
        mapped = b.insert(MapOp(op.input, first)).result

        def rest(b: Builder, element: SSAValue) -> SSAValue:
            return b.insert(last.clone({middle: element})).results[0]

        return b.insert(MapOp(mapped, make_lambda([middle.type], rest))).result

    return rewrite


@rule("x.hoist")
def hoist(op: Operation) -> Rewrite:
    """map(\\a: f(a, c)) -> map(\\a: f(a, x)), where x = c is computed once, outside

    c does not depend on a. The place is that of c.
    """
    around = op.parent_op()
    if not isinstance(around, MapBase | ReduceBase):
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


@rule("x.interchange")
def interchange_maps(op: Operation) -> Rewrite:
    """map(\\a: map(\\b: f(a,b)) bs) as -> transpose o map(\\b: map(\\a: f(a,b)) as) bs

    bs does not depend on a.
    """
    op = expect(op, MapOp)
    inner = only(op, MapOp)
    if inner.input in op.body.block.args:
        raise Refused("the inner map goes over the element of the outer one")

    def rewrite(b: Builder) -> SSAValue:
        def for_b(b: Builder, *element: SSAValue) -> SSAValue:
            def for_a(b: Builder, *outer: SSAValue) -> Values:
                captured: dict[SSAValue, SSAValue] = {}
                captured.update(zip(op.body.block.args, outer, strict=True))
                return inline(b, inner.body, element, captured)

            return b.insert(MapOp(op.input, make_lambda(_types(op), for_a))).result

        mapped = b.insert(MapOp(inner.input, make_lambda(_types(inner), for_b))).result
        return b.insert(TransposeOp(mapped)).result

    return rewrite


@rule("x.slide-tile", n=Sizes(divisors))
def tile_slide(op: Operation, n: NatAttr) -> Rewrite:
    """map(f) o slide(k,s) -> join o map(map(f) o slide(k,s)) o slide(n*s+k-s, n*s)

    Tiles of n windows, which overlap. n divides the number of windows.
    """
    op = expect(op, MapOp)
    slide = producer(op.input, SlideOp)
    divide(op, size_of(op.input), n, "n")

    def rewrite(b: Builder) -> SSAValue:
        def map_tile(b: Builder, tile: SSAValue) -> SSAValue:
            windows = b.insert(SlideOp(tile, slide.size, slide.step)).result
            return b.insert(map_like(op, windows)).result

        step = slide.step * n
        tiles = b.insert(SlideOp(slide.input, step + slide.size - slide.step, step)).result
        mapped = b.insert(MapOp(tiles, make_lambda([element_of(tiles)], map_tile))).result
        return b.insert(JoinOp(mapped)).result

    return rewrite


def _uses_any(op: Operation, values: Values | tuple[SSAValue, ...]) -> bool:
    """Whether `op` needs one of the values in its lambda, or as another operand than the first."""
    wanted = set(values)
    if wanted.intersection(op.operands[1:]):
        return True
    return any(wanted.intersection(inner.operands) for inner in op.walk() if inner is not op)


def _types(op: MapOp) -> list[Attribute]:
    """The types of the arguments of a map's function."""
    return [arg.type for arg in op.body.block.args]


def _row_size(join: JoinOp) -> NatAttr:
    row = element_of(join.input)
    assert isinstance(row, ArrayType)
    return row.size
