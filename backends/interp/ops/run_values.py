"""Values of `ocl`: struct fields, vector literals, reinterpretation, conversions, shuffles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.backends.interp.codec import reinterpret
from polycl.backends.interp.conversions import (
    float_to_float,
    float_to_int,
    int_to_float,
    int_to_int,
)
from polycl.backends.interp.elementwise import (
    elementwise,
    format_of,
    is_integer,
    whole,
    width_of,
)
from polycl.backends.interp.floats import RoundTo
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl


def _field(struct: SSAValue, name: str) -> int:
    assert isinstance(struct.type, ocl.StructType)
    return struct.type.field_index(name)


def _extract(op: ocl.ExtractOp, t: Translator) -> Step:
    place = _field(op.struct, op.field.data)
    return whole(op, t, lambda fields: fields[place])


def _insert(op: ocl.InsertOp, t: Translator) -> Step:
    place = _field(op.struct, op.field.data)
    return whole(op, t, lambda value, fields: (*fields[:place], value, *fields[place + 1 :]))


def _concat(op: ocl.ConcatOp, t: Translator) -> Step:
    parts = tuple((t.slot(part), isinstance(part.type, VectorType)) for part in op.parts)
    target = t.slot(op.result)

    def step(frame: Frame) -> None:
        elements: list[Any] = []
        for slot, is_vector in parts:
            if is_vector:
                elements += frame[slot]
            else:
                elements.append(frame[slot])
        frame[target] = tuple(elements)

    return step


def _bitcast(op: ocl.BitcastOp, t: Translator) -> Step:
    return whole(op, t, reinterpret(op.source.type, op.result.type))


def _convert(op: ocl.ConvertOp, t: Translator) -> Step:
    return elementwise(op, t, _conversion(op))


def _conversion(op: ocl.ConvertOp) -> Callable[[Any], Any]:
    source, target = op.source.type, op.result.type
    from_signed, to_signed = op.from_unsigned is None, op.to_unsigned is None
    mode = None if op.rounding is None else RoundTo(op.rounding.data.value)
    saturates = op.saturate is not None
    match is_integer(source), is_integer(target):
        case True, True:
            return int_to_int(
                width_of(source),
                width_of(target),
                from_signed=from_signed,
                to_signed_type=to_signed,
                saturates=saturates,
            )
        case True, False:
            mode = mode or RoundTo.NEAREST_EVEN
            width, to = width_of(source), format_of(target)
            return int_to_float(width, to, is_signed=from_signed, mode=mode)
        case False, True:
            return float_to_int(
                width_of(target),
                is_signed=to_signed,
                mode=mode or RoundTo.ZERO,
                saturates=saturates,
            )
        case _:
            return float_to_float(format_of(target), mode or RoundTo.NEAREST_EVEN)


def _elements(type: Attribute) -> int:
    assert isinstance(type, VectorType)
    return type.element_count()


def _shuffle(op: ocl.ShuffleOp, t: Translator) -> Step:
    count = _elements(op.source.type)

    def shuffle(source: Sequence[Any], mask: Sequence[int]) -> tuple[Any, ...]:
        return tuple([source[place % count] for place in mask])

    return whole(op, t, shuffle)


def _shuffle2(op: ocl.Shuffle2Op, t: Translator) -> Step:
    count = 2 * _elements(op.x.type)

    def shuffle(x: Sequence[Any], y: Sequence[Any], mask: Sequence[int]) -> tuple[Any, ...]:
        both = (*x, *y)
        return tuple([both[place % count] for place in mask])

    return whole(op, t, shuffle)


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.ExtractOp: _extract,
    ocl.InsertOp: _insert,
    ocl.ConcatOp: _concat,
    ocl.BitcastOp: _bitcast,
    ocl.ConvertOp: _convert,
    ocl.ShuffleOp: _shuffle,
    ocl.Shuffle2Op: _shuffle2,
}
