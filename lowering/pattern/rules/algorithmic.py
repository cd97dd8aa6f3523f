"""Figure 3 of the paper: the algorithmic rules.

Read `f o g` as "f of what g makes". A rule stands at the operation that makes the value of its
left-hand side, the leftmost pattern in the equation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from xdsl.builder import Builder
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from polycl.dialects.pattern import (
    AsScalarOp,
    AsVectorOp,
    IterateOp,
    JoinOp,
    MapBase,
    MapOp,
    MapSeqOp,
    NatAttr,
    PartRedOp,
    ReduceOp,
    ReduceSeqOp,
    ReorderOp,
    SplitOp,
    array,
    nat,
)
from polycl.dialects.pattern.types import nats_in
from polycl.lowering.pattern.rules.build import (
    call,
    call_reducer,
    element_of,
    make_lambda,
    map_like,
    map_rows,
    map_with_body,
    one,
    part_red_like,
    reduce_like,
    size_of,
)
from polycl.lowering.pattern.rules.conditions import (
    associative,
    commutative,
    divide,
    divisors,
    expect,
    neutral,
    producer,
    used_once,
)
from polycl.lowering.pattern.rules.rule import Counts, Refused, Rewrite, Sizes, rule


@rule("3a", m=Counts(lambda op: range(1, op.count) if isinstance(op, IterateOp) else ()))
def iterate_in_two(op: Operation, m: int) -> Rewrite:
    """iterate^(m+n)(f) -> iterate^m(f) o iterate^n(f)

    m is at least 1 and less than the number of iterations.
    """
    op = expect(op, IterateOp)
    if not 0 < m < op.count:
        raise Refused(f"m = {m} must be at least 1 and less than the {op.count} iterations")

    def rewrite(b: Builder) -> SSAValue:
        first = b.insert(IterateOp(op.input, op.count - m, op.body.clone(), op.symbol))
        return b.insert(IterateOp(first.result, m, op.body.clone(), op.symbol)).result

    return rewrite


@rule("3b.out")
def reorder_out(op: Operation) -> Rewrite:
    """map(f) o reorder -> reorder o map(f)"""
    op = expect(op, MapOp)
    reorder = producer(op.input, ReorderOp)

    def rewrite(b: Builder) -> SSAValue:
        mapped = b.insert(map_like(op, reorder.input)).result
        return b.insert(ReorderOp(mapped)).result

    return rewrite


@rule("3b.in")
def reorder_in(op: Operation) -> Rewrite:
    """reorder o map(f) -> map(f) o reorder"""
    op = expect(op, ReorderOp)
    mapping = producer(op.input, MapOp)
    used_once(mapping)

    def rewrite(b: Builder) -> SSAValue:
        reordered = b.insert(ReorderOp(mapping.input)).result
        return b.insert(map_like(mapping, reordered)).result

    return rewrite


@rule("3c", n=Sizes(divisors))
def split_join(op: Operation, n: NatAttr) -> Rewrite:
    """map(f) -> join o map(map(f)) o split^n

    n divides the size.
    """
    op = expect(op, MapOp)
    divide(op, size_of(op.input), n, "n")

    def rewrite(b: Builder) -> SSAValue:
        chunks = b.insert(SplitOp(op.input, n)).result
        return b.insert(JoinOp(map_rows(b, op, chunks))).result

    return rewrite


@rule("3d.reduce", m=Sizes(divisors))
def reduce_partially(op: Operation, m: NatAttr) -> Rewrite:
    """reduce(f,z) -> reduce(f,z) o part-red(f,z)

    To m elements first. m divides the size; f is associative; z, which counts m times more, is
    neutral.
    """
    op = expect(op, ReduceOp)
    associative(op)
    neutral(op)
    if m == size_of(op.input):
        raise Refused(f"m = {m} is the whole size: nothing would be reduced")
    divide(op, size_of(op.input), m, "m")

    def rewrite(b: Builder) -> SSAValue:
        part = b.insert(part_red_like(op, op.input, m)).result
        return b.insert(reduce_like(op, part)).result

    return rewrite


@rule("3d.full")
def part_red_is_reduce(op: Operation) -> Rewrite:
    """part-red(f,z) -> reduce(f,z)

    The result is an array of one.
    """
    op = expect(op, PartRedOp)
    if size_of(op.result) != one():
        raise Refused(f"it leaves {size_of(op.result)} elements, where reduce leaves 1")
    return lambda b: b.insert(reduce_like(op, op.input)).result


@rule("3d.reorder")
def part_red_reordered(op: Operation) -> Rewrite:
    """part-red(f,z) -> part-red(f,z) o reorder

    f is associative and commutative.
    """
    op = expect(op, PartRedOp)
    associative(op)
    commutative(op)

    def rewrite(b: Builder) -> SSAValue:
        reordered = b.insert(ReorderOp(op.input)).result
        return b.insert(part_red_like(op, reordered, size_of(op.result))).result

    return rewrite


@rule("3d.split", n=Sizes(divisors))
def part_red_split(op: Operation, n: NatAttr) -> Rewrite:
    """part-red(f,z) -> join o map(part-red(f,z)) o split^n

    n divides the size, and the chunks share the results out: their number divides m.
    """
    op = expect(op, PartRedOp)
    chunks = divide(op, size_of(op.input), n, "n")
    each = divide(op, size_of(op.result), chunks, "the number of chunks, size/n")

    def rewrite(b: Builder) -> SSAValue:
        def reduce_chunk(b: Builder, chunk: SSAValue) -> SSAValue:
            return b.insert(part_red_like(op, chunk, each)).result

        split = b.insert(SplitOp(op.input, n)).result
        mapped = b.insert(MapOp(split, make_lambda([element_of(split)], reduce_chunk))).result
        return b.insert(JoinOp(mapped)).result

    return rewrite


def _iterations(op: Operation) -> Iterator[int]:
    if isinstance(op, PartRedOp):
        factor = size_of(op.input).exact_div(size_of(op.result))
        if factor is not None and factor.is_constant:
            yield from (n for n in range(1, factor.value.bit_length()) if _root(factor.value, n))


@rule("3d.iterate", n=Counts(_iterations))
def part_red_iterated(op: Operation, n: int) -> Rewrite:
    """part-red(f,z) -> iterate^n(part-red(f,z))

    Each time k elements become one: the size is k^n times m. f is associative, z neutral.
    """
    op = expect(op, PartRedOp)
    associative(op)
    neutral(op)
    factor = divide(op, size_of(op.input), size_of(op.result), "m")
    k = _root(factor.value, n) if factor.is_constant and n > 0 else None
    if k is None:
        raise Refused(f"it reduces {factor} elements to one; expected k^{n} for some k > 1")

    def rewrite(b: Builder) -> SSAValue:
        def step(b: Builder, values: SSAValue) -> SSAValue:
            return b.insert(part_red_like(op, values, size)).result

        symbol = _new_variable(op)
        size = nat(symbol)
        body = make_lambda([array(size * k, element_of(op.input))], step)
        return b.insert(IterateOp(op.input, n, body, symbol)).result

    return rewrite


def _root(number: int, n: int) -> int | None:
    """k > 1 with k^n = number."""
    k = round(number ** (1 / n))
    return k if k > 1 and k**n == number else None


def _new_variable(op: Operation) -> str:
    """A size variable that nothing in the function around `op` uses."""
    top = op
    while (parent := top.parent_op()) is not None and not isinstance(top, FuncOp):
        top = parent
    used: set[str] = set()
    for inner in top.walk():
        blocks = [block for region in inner.regions for block in region.blocks]
        values = [*inner.results, *(arg for block in blocks for arg in block.args)]
        used.update(v for value in values for size in nats_in(value.type) for v in size.variables)
    names = itertools.chain(["S"], (f"S{i}" for i in itertools.count(1)))
    return next(name for name in names if name not in used)


@rule("3e.split-join")
def split_join_is_id(op: Operation) -> Rewrite:
    """split^n o join^n -> id

    The rows that join puts one after the other have n elements.
    """
    op = expect(op, SplitOp)
    join = producer(op.input, JoinOp)
    if join.input.type != op.result.type:
        raise Refused(f"join makes {join.input.type} one array, split makes {op.result.type} of it")
    return lambda b: join.input


@rule("3e.join-split")
def join_split_is_id(op: Operation) -> Rewrite:
    """join^n o split^n -> id"""
    split = producer(expect(op, JoinOp).input, SplitOp)
    return lambda b: split.input


@rule("3e.vec-scal")
def as_vector_as_scalar_is_id(op: Operation) -> Rewrite:
    """asVector^n o asScalar^n -> id

    The vectors that asScalar takes apart have n elements.
    """
    op = expect(op, AsVectorOp)
    scalars = producer(op.input, AsScalarOp)
    if scalars.input.type != op.result.type:
        raise Refused(f"asScalar takes {scalars.input.type}, asVector makes {op.result.type}")
    return lambda b: scalars.input


@rule("3e.scal-vec")
def as_scalar_as_vector_is_id(op: Operation) -> Rewrite:
    """asScalar^n o asVector^n -> id"""
    vectors = producer(expect(op, AsScalarOp).input, AsVectorOp)
    return lambda b: vectors.input


_SIMPLIFICATIONS = {
    SplitOp: split_join_is_id,
    JoinOp: join_split_is_id,
    AsVectorOp: as_vector_as_scalar_is_id,
    AsScalarOp: as_scalar_as_vector_is_id,
}


@rule("3e")
def simplify(op: Operation) -> Rewrite:
    """split^n o join^n | join^n o split^n | asVector^n o asScalar^n | asScalar^n o asVector^n -> id

    That of the four that begins with the pattern here.
    """
    return _SIMPLIFICATIONS[type(expect(op, *_SIMPLIFICATIONS))].match(op)


@rule("3f.map")
def fuse_maps(op: Operation) -> Rewrite:
    """map(f) o map(g) -> map(f o g)

    Of two maps of the same kind, in the same dimension; nothing else needs what g makes.
    """
    op = expect(op, MapBase)
    first = producer(op.input, type(op))
    if first.properties != op.properties:
        raise Refused("the two maps are of different dimensions, or only one is unrolled")
    used_once(first)

    def rewrite(b: Builder) -> SSAValue:
        def both(b: Builder, *element: SSAValue):
            return call(b, op.body, call(b, first.body, element))

        body = make_lambda([arg.type for arg in first.body.block.args], both)
        return map_with_body(b, op, first.input, body)

    return rewrite


@rule("3f.reduce")
def fuse_map_into_reduce(op: Operation) -> Rewrite:
    """reduce-seq(f,z) o map-seq(g) -> reduce-seq(\\acc,x: f(acc, g(x)), z)

    Nothing else needs what g makes.
    """
    op = expect(op, ReduceSeqOp)
    mapping = producer(op.input, MapSeqOp)
    used_once(mapping)

    def rewrite(b: Builder) -> SSAValue:
        accumulators = len(op.accumulator_args)

        def both(b: Builder, *arguments: SSAValue):
            element = call(b, mapping.body, arguments[accumulators:])
            return call_reducer(b, op, arguments[:accumulators], element)

        types = [arg.type for arg in (*op.accumulator_args, *mapping.body.block.args)]
        body = make_lambda(types, both)
        unroll = op.unroll is not None
        return b.insert(ReduceSeqOp(mapping.input, op.init, body, unroll=unroll)).result

    return rewrite
