"""Values of `ocl`: struct fields, vector literals, reinterpretation, conversions, shuffles."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.backends.interp.conversions import (
    float_to_float,
    float_to_int,
    int_to_float,
    int_to_int,
)
from polycl.backends.interp.elementwise import (
    bitcast,
    elementwise,
    format_of,
    handlers,
    is_integer,
    whole,
    width_of,
)
from polycl.backends.interp.floats import RoundTo
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl
from polycl.dialects.vec import count_of


def _field(struct: SSAValue, name: str) -> int:
    assert isinstance(struct.type, ocl.StructType)
    return struct.type.field_index(name)


def _extract(op: ocl.ExtractOp) -> Callable[[Any], Any]:
    place, indices = _field(op.struct, op.field.data), op.indices
    if not indices:
        return operator.itemgetter(place)
    return lambda fields: reduce(operator.getitem, indices, fields[place])


def _insert(op: ocl.InsertOp) -> Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]:
    place = _field(op.struct, op.field.data)
    return lambda value, fields: (*fields[:place], value, *fields[place + 1 :])


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


def _shuffle(op: ocl.ShuffleOp | ocl.Shuffle2Op) -> Callable[..., tuple[Any, ...]]:
    sources = op.operands[:-1]
    count = len(sources) * count_of(sources[0].type)

    def shuffle(source: Sequence[Any], mask: Sequence[int]) -> tuple[Any, ...]:
        return tuple([source[place % count] for place in mask])

    return shuffle if len(sources) == 1 else lambda x, y, mask: shuffle((*x, *y), mask)


OPERATIONS: dict[type[Operation], OpHandler] = {
    **handlers(
        whole,
        {
            ocl.ExtractOp: _extract,
            ocl.InsertOp: _insert,
            ocl.ShuffleOp: _shuffle,
            ocl.Shuffle2Op: _shuffle,
        },
    ),
    **handlers(elementwise, {ocl.ConvertOp: _conversion}),
    ocl.ConcatOp: _concat,
    ocl.BitcastOp: bitcast,
}
