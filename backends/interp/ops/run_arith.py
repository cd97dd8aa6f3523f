"""`arith`, on scalars and on vectors; and `ub.poison`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from polycl.backends.interp import floats, integers
from polycl.backends.interp.codec import UnsupportedType, codec_of, reinterpret
from polycl.backends.interp.conversions import float_to_float, float_to_int, int_to_float
from polycl.backends.interp.elementwise import (
    elementwise,
    format_of,
    is_integer,
    whole,
    width_of,
)
from polycl.backends.interp.floats import Format, RoundTo
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import vec
from polycl.dialects.comparisons import predicate_of

_INTEGER: dict[type[Operation], Callable[[int], integers.Binary]] = {
    arith.AddiOp: integers.add,
    arith.SubiOp: integers.sub,
    arith.MuliOp: integers.mul,
    arith.DivUIOp: integers.div_unsigned,
    arith.DivSIOp: integers.div_signed,
    arith.FloorDivSIOp: integers.floor_div_signed,
    arith.CeilDivSIOp: integers.ceil_div_signed,
    arith.CeilDivUIOp: integers.ceil_div_unsigned,
    arith.RemUIOp: integers.rem_unsigned,
    arith.RemSIOp: integers.rem_signed,
    arith.MinUIOp: integers.min_unsigned,
    arith.MaxUIOp: integers.max_unsigned,
    arith.MinSIOp: integers.min_signed,
    arith.MaxSIOp: integers.max_signed,
    arith.AndIOp: integers.bit_and,
    arith.OrIOp: integers.bit_or,
    arith.XOrIOp: integers.bit_xor,
    arith.ShLIOp: integers.shift_left,
    arith.ShRUIOp: integers.shift_right_unsigned,
    arith.ShRSIOp: integers.shift_right_signed,
}


def _rounded(
    exact: Callable[[float, float], float],
) -> Callable[[Format], Callable[[float, float], float]]:
    """The operation in binary64 with its result rounded to the format."""

    def make(to: Format) -> Callable[[float, float], float]:
        if to.bits == 64:
            return exact
        rounding = to.round
        return lambda a, b: rounding(exact(a, b))

    return make


_FLOAT: dict[type[Operation], Callable[[Format], Callable[[float, float], float]]] = {
    arith.AddfOp: _rounded(operator.add),
    arith.SubfOp: _rounded(operator.sub),
    arith.MulfOp: _rounded(operator.mul),
    arith.DivfOp: _rounded(floats.divide),
    arith.MinnumfOp: lambda _: floats.min_num,
    arith.MaxnumfOp: lambda _: floats.max_num,
    arith.MinimumfOp: lambda _: floats.minimum,
    arith.MaximumfOp: lambda _: floats.maximum,
}

_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    # Python's != is true for a NaN, the ordered comparison is not.
    "ne": lambda a, b: a < b or a > b,
}
_CMPF: tuple[Callable[[float, float], bool], ...] = (
    lambda a, b: False,
    *(_ORDERED[name] for name in ("eq", "gt", "ge", "lt", "le", "ne")),
    lambda a, b: a == a and b == b,
    lambda a, b: not (a < b or a > b),  # ueq
    lambda a, b: not a <= b,  # ugt
    lambda a, b: not a < b,  # uge
    lambda a, b: not a >= b,  # ult
    lambda a, b: not a > b,  # ule
    lambda a, b: a != b,  # une
    lambda a, b: a != a or b != b,
    lambda a, b: True,
)
"""The predicates of `arith.cmpf` in the order of their numbers."""


def _integer(op: Operation, t: Translator) -> Step:
    return elementwise(op, t, _INTEGER[type(op)](width_of(op.results[0].type)))


def _float(op: Operation, t: Translator) -> Step:
    return elementwise(op, t, _FLOAT[type(op)](format_of(op.results[0].type)))


def _constant(op: arith.ConstantOp, t: Translator) -> None:
    t.constant(op.result, constant_value(op.value, op.result.type))


def constant_value(attribute: Attribute, type: Attribute) -> Any:
    """The value of a constant attribute of a scalar or vector type."""
    match attribute:
        case IntegerAttr():
            return attribute.value.data & ((1 << width_of(type)) - 1)
        case FloatAttr():
            return format_of(type).round(attribute.value.data)
        case DenseIntOrFPElementsAttr() if isinstance(type, VectorType):
            numbers: tuple[Any, ...] = tuple(attribute.get_values())
            if len(numbers) == 1:
                numbers *= type.element_count()
            if is_integer(type):
                mask = (1 << width_of(type)) - 1
                return tuple(int(number) & mask for number in numbers)
            rounding = format_of(type).round
            return tuple(rounding(float(number)) for number in numbers)
        case _:
            raise UnsupportedType(f"expected a number or a vector of numbers, got {attribute}")


def _poison(op: ub.PoisonOp, t: Translator) -> None:
    # Any value is right; zero is deterministic.
    t.constant(op.result, codec_of(op.result.type).zero)


def _negf(op: arith.NegfOp, t: Translator) -> Step:
    return elementwise(op, t, operator.neg)


def _cmpi(op: vec.AnyCmpi, t: Translator) -> Step:
    predicate = predicate_of(op)
    return elementwise(op, t, integers.compare(predicate, width_of(op.lhs.type)))


def _cmpf(op: vec.AnyCmpf, t: Translator) -> Step:
    return elementwise(op, t, _CMPF[op.predicate.value.data])


def _select_lanes(op: vec.SelectOp, t: Translator) -> Step:
    return elementwise(op, t, lambda c, a, b: a if c else b)


def _select(op: arith.SelectOp, t: Translator) -> Step:
    condition, a, b = t.slots(op.operands)
    target = t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = frame[a] if frame[condition] else frame[b]

    return step


def _extui(op: vec.AnyExtUI, t: Translator) -> Step:
    return elementwise(op, t, int)


def _extsi(op: vec.AnyExtSI | vec.AnyIndexCast, t: Translator) -> Step:
    source, target = width_of(op.operands[0].type), width_of(op.results[0].type)
    return elementwise(op, t, integers.sign_extend(source, target))


def _trunci(op: vec.AnyTruncI, t: Translator) -> Step:
    source, target = width_of(op.operands[0].type), width_of(op.results[0].type)
    return elementwise(op, t, integers.zero_extend(source, target))


def _int_to_float(op: vec.AnySIToFP | vec.AnyUIToFP, t: Translator) -> Step:
    source, target = width_of(op.operands[0].type), format_of(op.results[0].type)
    is_signed = isinstance(op, vec.AnySIToFP)
    return elementwise(op, t, int_to_float(source, target, is_signed=is_signed))


def _float_to_int(op: vec.AnyFPToSI | vec.AnyFPToUI, t: Translator) -> Step:
    width = width_of(op.results[0].type)
    is_signed = isinstance(op, vec.AnyFPToSI)
    return elementwise(op, t, float_to_int(width, is_signed=is_signed, mode=RoundTo.ZERO))


def _float_to_float(op: vec.AnyExtF | vec.AnyTruncF, t: Translator) -> Step:
    return elementwise(op, t, float_to_float(format_of(op.results[0].type)))


def _bitcast(op: arith.BitcastOp, t: Translator) -> Step:
    return whole(op, t, reinterpret(op.operands[0].type, op.results[0].type))


def _add_extended(op: arith.AddUIExtendedOp, t: Translator) -> Step:
    width = width_of(op.sum.type)
    mask = (1 << width) - 1
    return _pair(op, t, lambda a, b: ((a + b) & mask, (a + b) >> width))


def _mul_extended(op: arith.MulUIExtendedOp | arith.MulSIExtendedOp, t: Translator) -> Step:
    width = width_of(op.low.type)
    mask = (1 << width) - 1
    is_signed = isinstance(op, arith.MulSIExtendedOp)
    read = integers.signed(width) if is_signed else int

    def multiply(a: int, b: int) -> tuple[int, int]:
        product = read(a) * read(b)
        return product & mask, (product >> width) & mask

    return _pair(op, t, multiply)


def _pair(op: Operation, t: Translator, function: Callable[[int, int], tuple[int, int]]) -> Step:
    """`op` with two operands and two results."""
    a, b = t.slots(op.operands)
    first, second = t.slots(op.results)
    is_vector = isinstance(op.results[0].type, VectorType)

    def step(frame: Frame) -> None:
        if is_vector:
            pairs = tuple(map(function, frame[a], frame[b]))
            frame[first], frame[second] = (tuple(part) for part in zip(*pairs, strict=True))
        else:
            frame[first], frame[second] = function(frame[a], frame[b])

    return step


OPERATIONS: dict[type[Operation], OpHandler] = vec.with_vectors(
    {
        **dict.fromkeys(_INTEGER, _integer),
        **dict.fromkeys(_FLOAT, _float),
        arith.ConstantOp: _constant,
        arith.NegfOp: _negf,
        arith.CmpiOp: _cmpi,
        arith.CmpfOp: _cmpf,
        arith.SelectOp: _select,
        vec.SelectOp: _select_lanes,
        arith.ExtUIOp: _extui,
        arith.ExtSIOp: _extsi,
        arith.IndexCastOp: _extsi,
        arith.TruncIOp: _trunci,
        arith.SIToFPOp: _int_to_float,
        arith.UIToFPOp: _int_to_float,
        arith.FPToSIOp: _float_to_int,
        arith.FPToUIOp: _float_to_int,
        arith.ExtFOp: _float_to_float,
        arith.TruncFOp: _float_to_float,
        arith.BitcastOp: _bitcast,
        arith.AddUIExtendedOp: _add_extended,
        arith.MulUIExtendedOp: _mul_extended,
        arith.MulSIExtendedOp: _mul_extended,
        ub.PoisonOp: _poison,
    }
)
