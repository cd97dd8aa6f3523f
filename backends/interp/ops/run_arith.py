"""`arith`, on scalars and on vectors; and `ub.poison`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from polycl.backends.interp import floats, integers
from polycl.backends.interp.codec import UnsupportedType
from polycl.backends.interp.conversions import float_to_float, float_to_int, int_to_float
from polycl.backends.interp.elementwise import (
    Maker,
    bitcast,
    elementwise,
    format_of,
    handlers,
    is_integer,
    on_floats,
    on_integers,
    two_results,
    width_of,
    zero,
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

_DIVISIONS: dict[type[Operation], Callable[[int], integers.Binary]] = {
    arith.DivUIOp: integers.div_unsigned,
    arith.DivSIOp: integers.div_signed,
    arith.FloorDivSIOp: integers.floor_div_signed,
    arith.CeilDivSIOp: integers.ceil_div_signed,
    arith.CeilDivUIOp: integers.ceil_div_unsigned,
    arith.RemUIOp: integers.rem_unsigned,
    arith.RemSIOp: integers.rem_signed,
}


def is_signed_division(op: Operation) -> bool:
    return not isinstance(op, arith.DivUIOp | arith.CeilDivUIOp | arith.RemUIOp)


def _division(op: Operation) -> integers.Binary:
    type = op.results[0].type
    width = width_of(type)
    divide = _DIVISIONS[op.__class__](width)
    if not isinstance(type, IndexType):
        return divide
    # Passes divide indices by numbers that they know; the cpu device does not check them, either.
    undefined = integers.undefined_division(width, is_signed=is_signed_division(op))

    def checked(a: int, b: int) -> int:
        if reason := undefined(a, b):
            raise integers.UndefinedOperation(reason)
        return divide(a, b)

    return checked


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


def _select(op: arith.SelectOp, t: Translator) -> Step:
    condition, a, b = t.slots(op.operands)
    target = t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = frame[a] if frame[condition] else frame[b]

    return step


def _sign_extend(op: vec.AnyExtSI | vec.AnyIndexCast) -> Callable[[int], int]:
    return integers.sign_extend(width_of(op.operands[0].type), width_of(op.results[0].type))


def _int_to_float(op: vec.AnySIToFP | vec.AnyUIToFP) -> Callable[[int], float]:
    source, target = width_of(op.operands[0].type), format_of(op.results[0].type)
    return int_to_float(source, target, is_signed=isinstance(op, vec.AnySIToFP))


def _float_to_int(op: vec.AnyFPToSI | vec.AnyFPToUI) -> Callable[[float], int]:
    width, is_signed = width_of(op.results[0].type), isinstance(op, vec.AnyFPToSI)
    return float_to_int(width, is_signed=is_signed, mode=RoundTo.ZERO)


def _add_extended(op: arith.AddUIExtendedOp) -> Callable[[int, int], tuple[int, int]]:
    width = width_of(op.sum.type)
    mask = (1 << width) - 1
    return lambda a, b: ((a + b) & mask, (a + b) >> width)


def _mul_extended(
    op: arith.MulUIExtendedOp | arith.MulSIExtendedOp,
) -> Callable[[int, int], tuple[int, int]]:
    width = width_of(op.low.type)
    mask = (1 << width) - 1
    read = integers.signed(width) if isinstance(op, arith.MulSIExtendedOp) else int

    def multiply(a: int, b: int) -> tuple[int, int]:
        product = read(a) * read(b)
        return product & mask, (product >> width) & mask

    return multiply


_BY_ELEMENT: dict[type[Operation], Maker] = {
    **on_integers(_INTEGER),
    **dict.fromkeys(_DIVISIONS, _division),
    **on_floats(_FLOAT),
    **on_floats(dict.fromkeys((arith.ExtFOp, arith.TruncFOp), float_to_float)),
    arith.NegfOp: lambda op: operator.neg,
    arith.CmpiOp: lambda op: integers.compare(predicate_of(op), width_of(op.lhs.type)),
    arith.CmpfOp: lambda op: _CMPF[op.predicate.value.data],
    arith.ExtUIOp: lambda op: int,
    arith.ExtSIOp: _sign_extend,
    arith.IndexCastOp: _sign_extend,
    arith.TruncIOp: lambda op: integers.truncate(width_of(op.results[0].type)),
    arith.SIToFPOp: _int_to_float,
    arith.UIToFPOp: _int_to_float,
    arith.FPToSIOp: _float_to_int,
    arith.FPToUIOp: _float_to_int,
}


def _lookup(op: vec.LookupOp) -> Callable[[int], float]:
    table = op.table.get_values()
    last = len(table) - 1
    return lambda index: float(table[index & last])


_TWO_RESULTS: dict[type[Operation], Maker] = {
    arith.AddUIExtendedOp: _add_extended,
    arith.MulUIExtendedOp: _mul_extended,
    arith.MulSIExtendedOp: _mul_extended,
}

OPERATIONS: dict[type[Operation], OpHandler] = {
    **vec.with_vectors(handlers(elementwise, _BY_ELEMENT)),
    **handlers(elementwise, {vec.SelectOp: lambda op: lambda c, a, b: a if c else b}),
    **handlers(elementwise, {vec.LookupOp: _lookup}),
    **handlers(two_results, _TWO_RESULTS),
    arith.ConstantOp: _constant,
    arith.SelectOp: _select,
    arith.BitcastOp: bitcast,
    ub.PoisonOp: zero,  # Any value is right; zero is deterministic.
}
