"""Arithmetic of numbers and vectors: operations of `arith`, `math` and `vector`."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from polycl.dialects.pattern import AtOp, DropOp, GenerateOp, NatAttr, YieldOp, nat
from polycl.frontends.pattern.sizes import Size
from polycl.frontends.pattern.trace import add, current, emit, fail, size_here
from polycl.frontends.pattern.types import type_text
from polycl.frontends.pattern.values import Number, Value, describe, is_number, result
from polycl.symbolic import Poly

_BINARY: dict[str, tuple[type[Operation] | None, type[Operation] | None]] = {
    "+": (arith.AddfOp, arith.AddiOp),
    "-": (arith.SubfOp, arith.SubiOp),
    "*": (arith.MulfOp, arith.MuliOp),
    "/": (arith.DivfOp, None),
    "&": (None, arith.AndIOp),
    "|": (None, arith.OrIOp),
    "^": (None, arith.XOrIOp),
    "<<": (None, arith.ShLIOp),
    ">>": (None, arith.ShRSIOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "//": (arith.DivfOp, arith.DivSIOp),
    "%": (None, arith.RemSIOp),
}
"""The operation of each operator for floats and for integers."""

_COMPARISONS = {
    "<": ("olt", "slt"),
    "<=": ("ole", "sle"),
    ">": ("ogt", "sgt"),
    ">=": ("oge", "sge"),
    "==": ("oeq", "eq"),
    "!=": ("une", "ne"),
}


def scalar_of(type: Attribute) -> Attribute:
    """The type of a vector's elements; a scalar's own type."""
    return type.element_type if isinstance(type, VectorType) else type


def is_float(type: Attribute) -> bool:
    """Whether it is a float, or a vector of floats."""
    return isinstance(scalar_of(type), AnyFloat)


def constant(number: object, type: Attribute) -> Value:
    """A number of Python as a constant. Raises SourceError where the type does not hold it."""
    if not is_number(type):
        raise fail(
            f"the number {number} does not fit the type {type_text(type)}; for rows write "
            "map(f, x), where f takes one of them, or make an array: generate(n, lambda i: f32(0))"
        )
    scalar = scalar_of(type)
    if hasattr(number, "item") and getattr(number, "shape", None) == ():
        number = getattr(number, "item")()  # noqa: B009  a numpy scalar
    if not isinstance(number, int | float):
        raise fail(f"expected a number of type {type_text(type)}, got {describe(number)}")
    if isinstance(scalar, AnyFloat):
        attribute: FloatAttr[Any] | IntegerAttr[Any] = FloatAttr(float(number), scalar)
    elif isinstance(number, float):
        raise fail(
            f"the float {number} does not fit the type {type_text(type)}; write an integer, or "
            "convert the other operand: f32(x)"
        )
    else:
        assert isinstance(scalar, IntegerType | IndexType)
        bits = scalar.width.data if isinstance(scalar, IntegerType) else 64
        lowest, highest = (0, 1) if bits == 1 else (-(1 << bits - 1), (1 << bits - 1) - 1)
        if not lowest <= number <= highest:
            raise fail(f"{number} does not fit the type {type_text(type)}")
        attribute = IntegerAttr(int(number), scalar)
    if isinstance(type, VectorType):
        values = [attribute.value.data] * type.get_shape()[0]
        dense = DenseIntOrFPElementsAttr.from_list(type, values)  # pyright: ignore
        return result(add(arith.ConstantOp(dense, type)))
    return result(add(arith.ConstantOp(attribute)))


def size_value(size: Size) -> Value:
    """A size as a number of type index.

    The dialect has no operation for it: the first of the elements 0, 1, ... after as many. Where
    that might be a negative number, N - 1, it is the difference of two of them.
    """
    amount = size_here(size)
    if amount.is_constant:
        return constant(amount.value, IndexType())
    taken = NatAttr(Poly((v, -c) for v, c in amount.terms if c < 0))
    if taken.data.coefficients:
        scale = amount.denominator
        value = _count(amount * scale + taken) - _count(taken)
        return value // scale if scale > 1 else value
    return _count(amount)


def _count(amount: NatAttr) -> Value:
    """A size that is never negative as an index."""
    if amount.is_constant:
        return constant(amount.value, IndexType())
    block = Block(arg_types=[IndexType()])
    block.add_op(YieldOp(block.args[0]))
    indices = emit(GenerateOp, amount + nat(1), Region(block))
    return result(emit(DropOp, indices.result, amount))[0]


def numeric(value: object, like: Attribute, what: str = "") -> Value:
    """A number, a size or a value as a value of type `like`. Raises SourceError."""
    if isinstance(value, Size):
        return convert(size_value(value), like)
    if not isinstance(value, Value):
        return constant(value, like)
    if value.type == like:
        return value
    if isinstance(like, VectorType) and value.type == like.element_type:
        return result(emit(vector.BroadcastOp, value.ssa, like))
    raise fail(f"{what}expected {type_text(like)}, got {type_text(value.type)}")


def operands(sign: str, a: Any, b: Any) -> tuple[Value, Value]:
    """Two operands of one type. Raises SourceError."""
    for value in (a, b):
        if isinstance(value, Value) and not is_number(value.type):
            raise fail(
                f"'{sign}' is for numbers, this is {value}; for each element write "
                "map(lambda e: ..., x), and x[i] for a part or an element"
            )
        if not isinstance(value, Value | Size | int | float) and not hasattr(value, "item"):
            raise fail(f"'{sign}': expected a number, got {describe(value)}")
        if getattr(value, "shape", ()) != () and not isinstance(value, Value):
            raise fail(f"'{sign}': expected a number, got {describe(value)}")
    if not isinstance(a, Value):
        if not isinstance(b, Value):
            raise fail(
                f"'{sign}': expected a value of the program, got {a!r} and {b!r}; for numbers of "
                "Python write its own: builtins.max, or 'import polycl.pattern as p' and p.max here"
            )
        return numeric(a, b.type), b
    if not isinstance(b, Value) or isinstance(a.type, VectorType):
        return a, numeric(b, a.type, f"'{sign}': ")
    if isinstance(b.type, VectorType):
        return numeric(a, b.type, f"'{sign}': "), b
    if a.type != b.type:
        x, y = type_text(a.type), type_text(b.type)
        wide = x if is_float(a.type) or not is_float(b.type) else y
        raise fail(
            f"'{sign}': the operands have the types {x} and {y}, expected one type; "
            f"convert one of them: {wide}(...)"
        )
    return a, b


def binary(sign: str, a: Any, b: Any) -> Value:
    """`a sign b`."""
    x, y = operands(sign, a, b)
    float_op, integer_op = _BINARY[sign]
    op = float_op if is_float(x.type) else integer_op
    if op is None:
        remedy = {
            "/": "write a // b for the quotient rounded down, or f32(a) / f32(b)",
            "%": "write x - floor(x / y) * y",
            "&": "put comparisons in parentheses: (x > a) & (x < b), or convert them: i32(x)",
            "|": "put comparisons in parentheses: (x < a) | (x > b), or convert them: i32(x)",
        }.get(sign, "convert them to integers: i32(x)")
        raise fail(f"'{sign}' is not defined for {type_text(x.type)}; {remedy}")
    value = result(emit(op, x.ssa, y.ssa))
    if sign == "//" and is_float(x.type):
        return floor(value)
    if sign in ("//", "%") and not (_is_natural(x.ssa) and _is_natural(y.ssa)):
        return _rounded_down(sign, x, y, value)
    return value


def _is_natural(value: SSAValue) -> bool:
    """Whether it is an index that is not negative, as it is made of counters and sizes."""
    match value.owner:
        case Block():
            return value in current().counters
        case arith.ConstantOp(value=IntegerAttr() as number):
            return isinstance(value.type, IndexType) and number.value.data >= 0
        case arith.AddiOp() | arith.MuliOp() | arith.DivSIOp() | arith.RemSIOp() as op:
            return all(_is_natural(operand) for operand in op.operands)
        case AtOp(input=OpResult(op=DropOp(input=OpResult(op=GenerateOp() as source)))):
            return isinstance(source.body.block.first_op, YieldOp)
        case _:
            return False


def _rounded_down(sign: str, x: Value, y: Value, value: Value) -> Value:
    """The quotient or remainder of Python from that of C, which rounds to zero."""
    rest = value if sign == "%" else result(emit(arith.RemSIOp, x.ssa, y.ssa))
    differs = (rest != 0) & ((rest ^ y) < 0)
    return where(differs, value - 1 if sign == "//" else value + y, value)


def power(a: Any, b: Any) -> Value:
    """`a ** b`: products for a small integer."""
    if isinstance(b, int) and isinstance(a, Value) and 1 <= b <= 16:
        if b == 1:
            return a
        half = power(a, b // 2)
        return half * half * a if b % 2 else half * half
    x, y = operands("**", a, b)
    if not is_float(x.type):
        raise fail("'**': expected a float, or an exponent from 1 to 16; convert it: f32(x) ** y")
    return result(emit(math.PowFOp, x.ssa, y.ssa))


def negate(a: Value) -> Value:
    """`-a`."""
    _number("-", a)
    if is_float(a.type):
        return result(emit(arith.NegfOp, a.ssa))
    return binary("-", 0, a)


def invert(a: Value) -> Value:
    """`~a`: not, or all bits changed."""
    _number("~", a)
    if is_float(a.type):
        raise fail("'~' is for integers and conditions, this is " + str(a))
    return binary("^", a, 1 if scalar_of(a.type) == i1 else -1)


def absolute(a: Value) -> Value:
    """`abs(a)`."""
    _number("abs", a)
    return result(emit(math.AbsFOp if is_float(a.type) else math.AbsIOp, a.ssa))


def _number(what: str, a: object) -> None:
    if not isinstance(a, Value) or not is_number(a.type):
        raise fail(
            f"'{what}': expected a number, got {describe(a)}; for each element of an array write "
            "map(f, x)"
        )


def compare(sign: str, a: Any, b: Any) -> Value:
    """`a sign b`, of type i1."""
    x, y = operands(sign, a, b)
    of_floats, of_integers = _COMPARISONS[sign]
    if is_float(x.type):
        return result(emit(arith.CmpfOp, x.ssa, y.ssa, of_floats))
    return result(emit(arith.CmpiOp, x.ssa, y.ssa, of_integers))


def extract(a: Value, key: object) -> Value:
    """An element of a vector, whose number is a constant."""
    assert isinstance(a.type, VectorType)
    width = a.type.get_shape()[0]
    if not isinstance(key, int) or not 0 <= key < width:
        raise fail(f"a vector of {width} has no element {key}; expected 0 to {width - 1}")
    element = a.type.element_type
    return Value(emit(vector.ExtractOp, a.ssa, [key], element).results[0])


def as_index(key: object, size: NatAttr) -> Value:
    """The index of an element of an array of this size. Raises SourceError."""
    if isinstance(key, Size | int) and not isinstance(key, bool):
        rest = size - size_here(key)
        if rest.is_constant and rest.value < 1:
            raise fail(f"an array of {size} elements has no element {key}; the first is x[0]")
    if isinstance(key, Size):
        return size_value(key)
    if isinstance(key, Value):
        if not isinstance(key.type, IntegerType | IndexType):
            raise fail(f"expected an integer as an index, got {key}; convert it: index(x)")
        return key
    if isinstance(key, int) and key < 0:
        raise fail(f"expected an index of at least 0, got {key}; the last element is x[x.size - 1]")
    return constant(key, IndexType())


def convert(value: Any, to: Attribute) -> Value:
    """A value or a number as one of type `to`: floats are rounded to zero as in C."""
    if isinstance(value, Size):
        value = size_value(value)
    if not isinstance(value, Value):
        return constant(value, to)
    _number(type_text(to), value)
    source = value.type
    if source == to:
        return value
    if isinstance(source, VectorType):
        raise fail(f"vectors are not converted: {type_text(source)} to {type_text(to)}")
    if isinstance(source, IndexType) or isinstance(to, IndexType):
        return _convert_index(value, to)
    if isinstance(source, AnyFloat):
        if isinstance(to, AnyFloat):
            wider = to.bitwidth > source.bitwidth
            return result(emit(arith.ExtFOp if wider else arith.TruncFOp, value.ssa, to))
        if to == i1:
            return value != 0
        return result(emit(arith.FPToSIOp, value.ssa, to))
    assert isinstance(source, IntegerType)
    if isinstance(to, AnyFloat):
        unsigned = source == i1
        return result(emit(arith.UIToFPOp if unsigned else arith.SIToFPOp, value.ssa, to))
    assert isinstance(to, IntegerType)
    if to == i1:
        return value != 0
    if to.width.data < source.width.data:
        return result(emit(arith.TruncIOp, value.ssa, to))
    return result(emit(arith.ExtUIOp if source == i1 else arith.ExtSIOp, value.ssa, to))


def _convert_index(value: Value, to: Attribute) -> Value:
    if isinstance(to, AnyFloat):
        return convert(result(emit(arith.IndexCastOp, value.ssa, i64)), to)
    if isinstance(value.type, AnyFloat):
        return _convert_index(convert(value, i64), to)
    if value.type == i1:
        return _convert_index(convert(value, i64), to)
    if to == i1:
        return value != 0
    return result(emit(arith.IndexCastOp, value.ssa, to))


# ---- functions of the user ----


def where(condition: Value, then: Number, other: Number) -> Value:
    """`then` where the condition, a number of type i1, holds, else `other`."""
    if not isinstance(condition, Value) or condition.type != i1:
        raise fail(f"where: expected a condition, got {describe(condition)}; write a comparison")
    if not isinstance(then, Value) and not isinstance(other, Value):
        raise fail(f"where: the type of two numbers of Python is not known; {_typed(then)}")
    a, b = operands("where", then, other)
    return result(emit(arith.SelectOp, condition.ssa, a.ssa, b.ssa))


def _typed(number: Number) -> str:
    """How to give a number a type, for messages."""
    return f"write {'f32' if isinstance(number, float) else 'i32'}({number})"


def max(a: Number, b: Number) -> Value:
    """The larger number; NaN if one is."""
    return binary("max", a, b)


def min(a: Number, b: Number) -> Value:
    """The smaller number; NaN if one is."""
    return binary("min", a, b)


def vector_of(x: Number, width: int) -> Value:
    """A vector of `width` times the same number."""
    if not isinstance(x, Value):
        raise fail(f"vector_of: the type of a number of Python is not known; {_typed(x)}")
    return numeric(x, VectorType(x.type, [width]))


def _function(name: str, op: Callable[[Any], Operation]) -> Callable[[Value], Value]:
    def apply(x: Value) -> Value:
        if not isinstance(x, Value) and isinstance(x, int | float):
            x = constant(x, f32)
        _number(name, x)
        if not is_float(x.type):
            raise fail(f"'{name}' is for floats, this is {x}; convert it: {name}(f32(x))")
        return result(emit(op, x.ssa))  # pyright: ignore[reportArgumentType]

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"`math.{name}` of a float or a vector of floats."
    return apply


sqrt = _function("sqrt", math.SqrtOp)
rsqrt = _function("rsqrt", math.RsqrtOp)
cbrt = _function("cbrt", math.CbrtOp)
exp = _function("exp", math.ExpOp)
exp2 = _function("exp2", math.Exp2Op)
expm1 = _function("expm1", math.ExpM1Op)
log = _function("log", math.LogOp)
log2 = _function("log2", math.Log2Op)
log10 = _function("log10", math.Log10Op)
log1p = _function("log1p", math.Log1pOp)
sin = _function("sin", math.SinOp)
cos = _function("cos", math.CosOp)
tan = _function("tan", math.TanOp)
asin = _function("asin", math.AsinOp)
acos = _function("acos", math.AcosOp)
atan = _function("atan", math.AtanOp)
sinh = _function("sinh", math.SinhOp)
cosh = _function("cosh", math.CoshOp)
tanh = _function("tanh", math.TanhOp)
erf = _function("erf", math.ErfOp)
floor = _function("floor", math.FloorOp)
ceil = _function("ceil", math.CeilOp)
trunc = _function("trunc", math.TruncOp)
rint = _function("rint", math.RoundEvenOp)


def abs(x: Value) -> Value:
    """The absolute value, as Python's `abs`."""
    return builtins.abs(x)


def atan2(y: Number, x: Number) -> Value:
    """The angle of the point (x, y)."""
    a, b = operands("atan2", y, x)
    return result(emit(math.Atan2Op, a.ssa, b.ssa))


def fma(a: Number, b: Number, c: Number) -> Value:
    """`a * b + c`, rounded once."""
    x, y = operands("fma", a, b)
    return result(emit(math.FmaOp, x.ssa, y.ssa, numeric(c, x.type, "fma: ").ssa))
