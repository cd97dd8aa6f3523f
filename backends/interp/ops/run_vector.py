"""`vector`, on vectors of one dimension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from polycl.backends.interp import floats, integers
from polycl.backends.interp.codec import UnsupportedType
from polycl.backends.interp.elementwise import (
    bitcast,
    elementwise,
    format_of,
    handlers,
    is_integer,
    on_floats,
    whole,
    width_of,
)
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import OpHandler, Step, Translator

_INTEGER_KINDS: dict[str, Callable[[int], integers.Binary]] = {
    "add": integers.add,
    "mul": integers.mul,
    "and": integers.bit_and,
    "or": integers.bit_or,
    "xor": integers.bit_xor,
    "minui": integers.min_unsigned,
    "maxui": integers.max_unsigned,
    "minsi": integers.min_signed,
    "maxsi": integers.max_signed,
}
_FLOAT_KINDS: dict[str, Callable[[floats.Format], Callable[[float, float], float]]] = {
    "add": lambda f: f.add,
    "mul": lambda f: f.mul,
    "minnumf": lambda _: floats.min_num,
    "maxnumf": lambda _: floats.max_num,
    "minimumf": lambda _: floats.minimum,
    "maximumf": lambda _: floats.maximum,
}


def _count(type: Attribute) -> int:
    """The number of elements of a vector of one dimension."""
    if not isinstance(type, VectorType) or len(type.get_shape()) != 1:
        raise UnsupportedType(f"the interpreter has vectors of one dimension, got {type}")
    return type.element_count()


def _shuffle(op: vector.ShuffleOp, t: Translator) -> Step:
    _count(op.v1.type)
    mask = tuple(int(place) for place in op.mask.get_values())

    def shuffle(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, ...]:
        both = (*a, *b)
        # -1 means an undefined element.
        return tuple([both[place] if place >= 0 else both[0] for place in mask])

    return whole(op, t, shuffle)


def _position(op: vector.ExtractOp | vector.InsertOp, t: Translator) -> int:
    """The slot of the one position, static or dynamic."""
    (position,) = op.get_mixed_position()
    return t.constant_slot(position) if isinstance(position, int) else t.slot(position)


def _checked(op: Operation, frame: Frame, place: int, count: int) -> int:
    if place >= count:
        where = integers.to_signed(place, 64)
        raise run_error(op, frame[0], f"element {where} of a vector of {count} elements")
    return place


def _extract(op: vector.ExtractOp, t: Translator) -> Step:
    count, place = _count(op.vector.type), _position(op, t)
    source, target = t.slot(op.vector), t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = frame[source][_checked(op, frame, frame[place], count)]

    return step


def _insert(op: vector.InsertOp, t: Translator) -> Step:
    count, place = _count(op.dest.type), _position(op, t)
    value, source, target = t.slots((op.source, op.dest, op.result))

    def step(frame: Frame) -> None:
        elements = list(frame[source])
        elements[_checked(op, frame, frame[place], count)] = frame[value]
        frame[target] = tuple(elements)

    return step


def _broadcast(op: vector.BroadcastOp, t: Translator) -> Step:
    count = _count(op.vector.type)
    if isinstance(op.source.type, VectorType):
        repeats = count // _count(op.source.type)
        return whole(op, t, lambda value: value * repeats)
    return whole(op, t, lambda value: (value,) * count)


def _reduction(op: vector.ReductionOp, t: Translator) -> Step:
    kind, type = op.kind.data.value, op.dest.type
    if is_integer(type):
        combine: Callable[[Any, Any], Any] = _INTEGER_KINDS[kind](width_of(type))
    else:
        combine = _FLOAT_KINDS[kind](format_of(type))
    # In order, from the accumulator on: floats are not reassociated.
    if op.acc is None:
        return whole(op, t, lambda elements: reduce(combine, elements))
    return whole(op, t, lambda elements, first: reduce(combine, elements, first))


def _create_mask(op: vector.CreateMaskOp, t: Translator) -> Step:
    count = _count(op.mask_vector.type)

    def mask(size: int) -> tuple[int, ...]:
        ones = min(max(integers.to_signed(size, 64), 0), count)
        return (1,) * ones + (0,) * (count - ones)

    return whole(op, t, mask)


OPERATIONS: dict[type[Operation], OpHandler] = {
    **handlers(elementwise, on_floats({vector.FMAOp: lambda f: f.fma})),
    vector.ShuffleOp: _shuffle,
    vector.ExtractOp: _extract,
    vector.InsertOp: _insert,
    vector.BroadcastOp: _broadcast,
    vector.BitcastOp: bitcast,
    vector.ReductionOp: _reduction,
    vector.CreateMaskOp: _create_mask,
}
