"""The building blocks of right-hand sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.nat import NatAttr
from polycl.dialects.pattern.neutral import is_neutral, neutral_elements

Values = Sequence[SSAValue]


def size_of(value: SSAValue) -> NatAttr:
    """The number of elements of an array."""
    assert isinstance(value.type, ArrayType)
    return value.type.size


def element_of(value: SSAValue) -> Attribute:
    """The type of the elements of an array."""
    assert isinstance(value.type, ArrayType)
    return value.type.element_type


def make_lambda(types: Sequence[Attribute], make: Callable[..., SSAValue | Values]) -> Region:
    """A function of these parameters; `make(builder, *arguments)` returns the yielded values."""
    block = Block(arg_types=types)
    builder = Builder(InsertPoint.at_end(block))
    values = make(builder, *block.args)
    builder.insert(pattern.YieldOp(*([values] if isinstance(values, SSAValue) else values)))
    return Region(block)


def inline(
    b: Builder, body: Region, arguments: Values, captured: Mapping[SSAValue, SSAValue] | None = None
) -> Values:
    """The operations of a copy of `body`, with its arguments replaced; returns the yielded values.

    Captured values are shared with the copy, or replaced by `captured`.
    """
    copied = Region()
    body.clone_into(copied, value_mapper=dict(captured or {}))
    copy = copied.block
    for old, new in zip(copy.args, arguments, strict=True):
        old.replace_all_uses_with(new)
    end = copy.last_op
    assert isinstance(end, pattern.YieldOp)
    values = list(end.values)
    end.detach()
    end.erase()
    for op in list(copy.ops):
        op.detach()
        b.insert(op)
    return values


def fit(b: Builder, values: Values, count: int) -> Values:
    """The same element in `count` values: a tuple as one value, or its parts."""
    if len(values) == count:
        return values
    if count == 1:
        return [b.insert(pattern.TupleOp(*values)).result]
    assert len(values) == 1
    return [b.insert(pattern.GetOp(values[0], i)).result for i in range(count)]


def call(b: Builder, body: Region, element: Values) -> Values:
    """A map's function applied to an element, which is one value or the parts of a tuple."""
    return inline(b, body, fit(b, element, len(body.block.args)))


def neutral_value(b: Builder, op: pattern.ReduceBase | pattern.ScatterOp) -> SSAValue | None:
    """The neutral element of a function: the initial value of its reduction, or constants."""
    if isinstance(op, pattern.ReduceBase) and is_neutral(op):
        return op.init
    numbers = neutral_elements(op)
    if numbers is None:
        return None
    values = [
        b.insert(constant(number, value.type)).result
        for number, value in zip(numbers, op.yielded, strict=True)
    ]
    return fit(b, values, 1)[0]


def constant(number: int | float, type: Attribute) -> arith.ConstantOp:
    """A scalar constant."""
    if isinstance(type, AnyFloat):
        return arith.ConstantOp(FloatAttr(number, type))
    assert isinstance(type, IntegerType | IndexType)
    return arith.ConstantOp(IntegerAttr(int(number), type))


def splat(b: Builder, scalar: SSAValue, n: int) -> SSAValue:
    """A vector of n times the same scalar."""
    owner = scalar.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr | IntegerAttr):
        number, type = owner.value.value.data, VectorType(owner.value.type, [n])
        dense = DenseIntOrFPElementsAttr.from_list(type, [number])  # pyright: ignore
        return b.insert(arith.ConstantOp(dense)).result
    return b.insert(vector.BroadcastOp(scalar, VectorType(scalar.type, [n]))).vector
