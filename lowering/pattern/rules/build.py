"""The building blocks of right-hand sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from polycl.dialects.pattern import (
    ArrayType,
    GetOp,
    MapBase,
    MapOp,
    PartRedOp,
    ReduceBase,
    ReduceOp,
    TupleOp,
    YieldOp,
    array,
    nat,
)
from polycl.dialects.pattern.lambdas import yielded_type
from polycl.dialects.pattern.nat import NatAttr

Values = Sequence[SSAValue]


def array_type(value: SSAValue) -> ArrayType:
    """The type of a value that is known to be an array."""
    assert isinstance(value.type, ArrayType)
    return value.type


def size_of(value: SSAValue) -> NatAttr:
    """The number of elements of an array."""
    return array_type(value).size


def element_of(value: SSAValue) -> Attribute:
    """The type of the elements of an array."""
    return array_type(value).element_type


def make_lambda(types: Sequence[Attribute], make: Callable[..., SSAValue | Values]) -> Region:
    """A function of these parameters; `make(builder, *arguments)` returns what it yields."""
    block = Block(arg_types=types)
    builder = Builder(InsertPoint.at_end(block))
    values = make(builder, *block.args)
    builder.insert(YieldOp(*([values] if isinstance(values, SSAValue) else values)))
    return Region(block)


def inline(
    b: Builder,
    body: Region,
    arguments: Values,
    captured: Mapping[SSAValue, SSAValue] | None = None,
) -> Values:
    """The operations of a copy of `body`, with its arguments replaced; returns what it yields.

    Values that the body captures are shared with the copy, or replaced as `captured` says.
    """
    copied = Region()
    body.clone_into(copied, value_mapper=dict(captured or {}))
    copy = copied.block
    for old, new in zip(copy.args, arguments, strict=True):
        if new.name_hint is None:
            new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    end = copy.last_op
    assert isinstance(end, YieldOp)
    values = list(end.values)
    end.detach()
    end.erase()
    for op in list(copy.ops):
        op.detach()
        b.insert(op)
    return values


def fit(b: Builder, values: Values, count: int) -> Values:
    """The same element in `count` values: a tuple as one value, or taken apart."""
    if len(values) == count:
        return values
    if count == 1:
        return [b.insert(TupleOp(*values)).result]
    assert len(values) == 1
    return [b.insert(GetOp(values[0], i)).result for i in range(count)]


def call(b: Builder, body: Region, element: Values) -> Values:
    """A map's function applied to an element, which is one value or the parts of a tuple."""
    return inline(b, body, fit(b, element, len(body.block.args)))


def call_reducer(b: Builder, op: ReduceBase, accumulator: Values, element: Values) -> Values:
    """A reduction's function applied to an accumulator and an element."""
    left = fit(b, accumulator, len(op.accumulator_args))
    right = fit(b, element, len(op.element_args))
    return inline(b, op.body, [*left, *right])


def map_like(op: MapBase, input: SSAValue) -> MapOp:
    """A map of `input` by the function of `op`, which keeps its name."""
    return MapOp(input, op.body.clone(), attributes=dict(op.attributes))


def map_rows(b: Builder, op: MapOp, rows: SSAValue) -> SSAValue:
    """`map(map(f))` of rows, with the function of `op`."""

    def map_row(b: Builder, row: SSAValue) -> SSAValue:
        return b.insert(map_like(op, row)).result

    return b.insert(MapOp(rows, make_lambda([element_of(rows)], map_row))).result


def map_with_body(b: Builder, op: MapBase, input: SSAValue, body: Region) -> SSAValue:
    """The same kind of map as `op` with another function."""
    new = type(op).create(
        operands=[input],
        result_types=[array(size_of(input), yielded_type(body))],
        properties=dict(op.properties),
        regions=[body],
    )
    return b.insert(new).result


def reduce_like(op: ReduceOp | PartRedOp, input: SSAValue) -> ReduceOp:
    """The reduction of `input` by the function, initial value and flags of `op`."""
    return ReduceOp(
        input,
        op.init,
        op.body.clone(),
        assoc=op.assoc is not None,
        comm=op.comm is not None,
        neutral=op.neutral is not None,
        attributes=dict(op.attributes),
    )


def part_red_like(op: ReduceOp | PartRedOp, input: SSAValue, size: NatAttr) -> PartRedOp:
    """The same, to `size` elements."""
    return PartRedOp(
        input,
        op.init,
        op.body.clone(),
        size,
        assoc=op.assoc is not None,
        comm=op.comm is not None,
        neutral=op.neutral is not None,
        attributes=dict(op.attributes),
    )


def one() -> NatAttr:
    """The size of arrays that stand for a single value."""
    return nat(1)
