"""Legalisation of `arith`, `math` and `ub`, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, math, ub
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    f16,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import vec
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.ocl import NO_CONTRACT
from polycl.dialects.vec import element_of
from polycl.errors import error_at
from polycl.lowering.tta.tta_legalize import floats_to_tta as floats
from polycl.lowering.tta.tta_legalize import integers_to_tta as integers
from polycl.lowering.tta.tta_legalize.function_to_tta import Converter, FunctionLowering
from polycl.lowering.tta.tta_legalize.integers_to_tta import Value
from polycl.lowering.tta.tta_legalize.types_to_tta import parts_of, width_of
from polycl.lowering.tta.word_builder import WordBuilder

_FLOAT_BINARY: dict[type[Operation], Callable[..., Operation]] = {
    arith.AddfOp: arith.AddfOp,
    arith.SubfOp: arith.SubfOp,
    arith.MulfOp: arith.MulfOp,
    arith.DivfOp: arith.DivfOp,
}

_EXTREMES: dict[type[Operation], tuple[str, bool]] = {
    arith.MinnumfOp: ("olt", False),
    arith.MaxnumfOp: ("ogt", False),
    arith.MinimumfOp: ("olt", True),
    arith.MaximumfOp: ("ogt", True),
}


def _has_constant(op: Operation) -> bool:
    return any(isinstance(operand.owner, arith.ConstantOp) for operand in op.operands)


def _each(low: FunctionLowering, op: Operation) -> list[tuple[Value, ...]]:
    """For each element of the result, its operands."""
    return list(zip(*(low.elements(operand) for operand in op.operands), strict=True))


def _joined(elements: Sequence[Value]) -> list[Value]:
    """One result with the given elements."""
    return [[word for element in elements for word in element]]


def _constant(op: arith.ConstantOp, low: FunctionLowering) -> list[Value]:
    low.types(op.result.type)
    value: Any = op.value
    if isinstance(value, IntegerAttr | FloatAttr):
        numbers = [value.value.data]
    elif isinstance(value, DenseIntOrFPElementsAttr):
        numbers = list(value.get_values())
    else:
        raise error_at(op, f"a constant of type {op.result.type} has no form on this processor")
    parts = parts_of(op.result.type)
    if len(numbers) == 1:
        numbers *= len(parts)
    pairs = zip(numbers, parts, strict=True)
    return _joined([_number(op, low, number, part) for number, part in pairs])


def _number(op: Operation, low: FunctionLowering, number: Any, type: Attribute) -> Value:
    if type == f32:
        return [low.float_constant(float(number))]
    if type == f16:
        return [low.constant(floats.half_bits(float(number)))]
    if type == f64:
        number = floats.double_bits(float(number))
    if type == i1:
        return [low.flag(bool(number))]
    if isinstance(type, IndexType) and not -(1 << 31) <= number < 1 << 32:
        raise error_at(op, f"sizes and indices have 32 bits on this processor, got {number}")
    number = int(number)
    if type != i32 and width_of(type) < 32:
        return [low.constant(number & (1 << width_of(type)) - 1)]
    if width_of(type) == 64:
        return [low.constant(number), low.constant(number >> 32)]
    return [low.constant(number)]


def _integer_binary(op: Operation, low: FunctionLowering) -> list[Value]:
    rule, width = integers.BINARY[type(op)], width_of(element_of(op.results[0].type))
    if isinstance(op, arith.MuliOp) and width > 1 and not _has_constant(op):
        low.need("mul" if width <= 32 else "mulhiu")
    return _joined([rule(low, width, a, b) for a, b in _each(low, op)])


def _float_binary(op: Operation, low: FunctionLowering) -> list[Value]:
    make = _FLOAT_BINARY[type(op)]
    if element_of(op.results[0].type) != f32:
        raise error_at(
            op, f"'{op.name}' on {op.results[0].type} is left: run tta-expand-arith before"
        )
    if isinstance(op, arith.DivfOp):
        low.need("divf")
    found: list[Value] = []
    for (a,), (b,) in _each(low, op):
        new = make(a, b)
        if NO_CONTRACT in op.attributes:
            new.attributes[NO_CONTRACT] = op.attributes[NO_CONTRACT]
        found.append([low.emit(new)])
    return _joined(found)


def _unary(rule: Callable[[WordBuilder, SSAValue], SSAValue]) -> Converter:
    return lambda op, low: _joined([[rule(low, a)] for ((a,),) in _each(low, op)])


def _float_extreme(op: Operation, low: FunctionLowering) -> list[Value]:
    predicate, keeps = _EXTREMES[type(op)]
    return _joined(
        [[floats.extreme(low, predicate, a, b, keeps_nan=keeps)] for (a,), (b,) in _each(low, op)]
    )


def _copy_sign(op: Operation, low: FunctionLowering) -> list[Value]:
    return _joined([[floats.copy_sign(low, a, b)] for (a,), (b,) in _each(low, op)])


def _compare_integers(op: vec.AnyCmpi, low: FunctionLowering) -> list[Value]:
    predicate = predicate_of(op)
    width = width_of(element_of(op.lhs.type))
    return _joined([[integers.compare(low, predicate, width, a, b)] for a, b in _each(low, op)])


def _compare_floats(op: vec.AnyCmpf, low: FunctionLowering) -> list[Value]:
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    return _joined([[floats.compare(low, predicate, a, b)] for (a,), (b,) in _each(low, op)])


def _select(op: vec.AnySelect, low: FunctionLowering) -> list[Value]:
    then, otherwise = low.elements(op.lhs), low.elements(op.rhs)
    conditions = low.elements(op.cond)
    if len(conditions) == 1:
        conditions *= len(then)
    return _joined(
        [
            integers.selected(low, condition, a, b)
            for (condition,), a, b in zip(conditions, then, otherwise, strict=True)
        ]
    )


def _extend(signed: bool) -> Converter:
    def convert(op: Operation, low: FunctionLowering) -> list[Value]:
        have = width_of(element_of(op.operands[0].type))
        want = width_of(element_of(op.results[0].type))
        values = low.elements(op.operands[0])
        return _joined([integers.extended(low, x, have, want, signed) for x in values])

    return convert


def _int_to_float(signed: bool) -> Converter:
    def convert(op: Operation, low: FunctionLowering) -> list[Value]:
        width = width_of(element_of(op.operands[0].type))
        found: list[Value] = []
        for word, *_ in low.elements(op.operands[0]):
            (word,) = integers.extended(low, [word], width, 32, signed)
            new = (arith.SIToFPOp if signed else arith.UIToFPOp)(word, f32)
            found.append([low.emit(new)])
        return _joined(found)

    return convert


def _float_to_int(operation: str) -> Converter:
    def convert(op: Operation, low: FunctionLowering) -> list[Value]:
        width = width_of(element_of(op.results[0].type))
        found: list[Value] = []
        for (value,) in low.elements(op.operands[0]):
            word = low.compute(operation, value)
            found.append(integers.truncated(low, [word], width))
        return _joined(found)

    return convert


def _bitcast(op: Operation, low: FunctionLowering) -> list[Value]:
    return [regrouped(low, op.operands[0], op.results[0].type)]


def regrouped(low: FunctionLowering, value: SSAValue, type: Attribute) -> Value:
    """The same bits as another type, which has at most as many bits."""
    have, want = parts_of(value.type), parts_of(type)
    pieces: list[tuple[SSAValue, int]] = []
    words = iter(low.values[value])
    for part in have:
        for _ in range(2 if width_of(part) == 64 else 1):
            pieces.append((low.bits(next(words)), min(width_of(part), 32)))
    found: list[SSAValue] = []
    for part in want:
        width = min(width_of(part), 32)
        for _ in range(2 if width_of(part) == 64 else 1):
            word = _take(low, pieces, width)
            found.append(low.as_float(word) if part == f32 else word)
    return found


def _take(low: FunctionLowering, pieces: list[tuple[SSAValue, int]], width: int) -> SSAValue:
    """The next `width` bits; the rest of a piece is put back."""
    if not pieces:
        return low.constant(0)
    word, have = pieces.pop(0)
    if have > width:
        pieces.insert(0, (low.shru(word, width), have - width))
        return integers.narrowed(low, width, word)
    while have < width and pieces:
        more, count = pieces.pop(0)
        word = low.or_(word, low.shl(more, have))
        have += count
    return word


def _absolute(op: math.AbsIOp, low: FunctionLowering) -> list[Value]:
    width = width_of(element_of(op.result.type))
    zero = [low.constant(0)] * (2 if width == 64 else 1)
    found: list[Value] = []
    for (value,) in _each(low, op):
        negative = integers.compare(low, "slt", width, value, zero)
        minus = integers.BINARY[arith.SubiOp](low, width, zero, value)
        found.append(integers.selected(low, negative, minus, value))
    return _joined(found)


def _add_with_carry(op: arith.AddUIExtendedOp, low: FunctionLowering) -> list[Value]:
    width = width_of(element_of(op.lhs.type))
    sums: list[Value] = []
    carries: list[Value] = []
    for a, b in _each(low, op):
        total = integers.BINARY[arith.AddiOp](low, width, a, b)
        sums.append(total)
        carries.append([integers.compare(low, "ult", width, total, a)])
    return [*_joined(sums), *_joined(carries)]


def _multiply_extended(signed: bool) -> Converter:
    operation = "mulhi" if signed else "mulhiu"

    def convert(op: Operation, low: FunctionLowering) -> list[Value]:
        low.need(operation)
        if element_of(op.operands[0].type) != i32:
            raise error_at(op, f"'{op.name}' is left: run tta-expand-arith before")
        pairs = _each(low, op)
        lower = [[low.mul(a, b)] for (a,), (b,) in pairs]
        upper = [[low.compute(operation, a, b)] for (a,), (b,) in pairs]
        return [*_joined(lower), *_joined(upper)]

    return convert


def _square_root(op: math.SqrtOp, low: FunctionLowering) -> list[Value]:
    low.need("sqrtf")
    return _joined([[low.compute("sqrtf", a, to=f32)] for ((a,),) in _each(low, op)])


def _poison(op: ub.PoisonOp, low: FunctionLowering) -> list[Value]:
    zeros = {i1: low.flag(False), f32: low.as_float(low.constant(0)), i32: low.constant(0)}
    return [[zeros[type] for type in low.types(op.result.type)]]


CONVERTERS: dict[type[Operation], Any] = vec.with_vectors(
    {
        **dict.fromkeys(integers.BINARY, _integer_binary),
        **dict.fromkeys(_FLOAT_BINARY, _float_binary),
        **dict.fromkeys(_EXTREMES, _float_extreme),
        arith.ConstantOp: _constant,
        arith.NegfOp: _unary(floats.negate),
        math.AbsFOp: _unary(floats.absolute),
        math.CopySignOp: _copy_sign,
        arith.CmpiOp: _compare_integers,
        arith.CmpfOp: _compare_floats,
        arith.SelectOp: _select,
        arith.ExtSIOp: _extend(signed=True),
        arith.ExtUIOp: _extend(signed=False),
        arith.TruncIOp: _extend(signed=False),
        arith.IndexCastOp: _extend(signed=True),
        arith.SIToFPOp: _int_to_float(signed=True),
        arith.UIToFPOp: _int_to_float(signed=False),
        arith.FPToSIOp: _float_to_int("cfi"),
        arith.FPToUIOp: _float_to_int("cfiu"),
        arith.BitcastOp: _bitcast,
        arith.MulSIExtendedOp: _multiply_extended(signed=True),
        arith.MulUIExtendedOp: _multiply_extended(signed=False),
        math.AbsIOp: _absolute,
        math.SqrtOp: _square_root,
        arith.AddUIExtendedOp: _add_with_carry,
        ub.PoisonOp: _poison,
    }
)
