"""The semantics of `arith` (`integers.py`) on arrays of numpy: a number of each work-item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation

from polycl.analysis.ocl.integers import BUILTINS, BY_BITS, bits_of
from polycl.dialects import ocl
from polycl.dialects.comparisons import is_unsigned, predicate_of

Numbers: TypeAlias = NDArray[np.int64]
"""A number of each work-item, or one of all (without dimensions)."""
Lanes: TypeAlias = NDArray[np.bool_]
"""Some of the work-items."""


def computed(op: Operation, *numbers: Numbers) -> Numbers | None:
    """The result of an operation on integers; None if it is not one, or not defined."""
    if not all(is_integer(value.type) for value in (*op.operands, *op.results)):
        return None
    rule = _RULES.get(type(op))
    if rule is not None:
        type_ = op.results[0].type
        found = rule(numbers[0], numbers[1], type_)
        return None if found is None else wrapped(found, type_)
    match op:
        case ocl.BuiltinOp():
            function = _BUILTINS.get(op.function.data)
            return None if function is None else wrapped(function(*numbers), op.results[0].type)
        case arith.CmpiOp():
            return _compared(op, *numbers)
        case arith.ExtUIOp():
            return _unsigned(numbers[0], op.input.type)
        case arith.ExtSIOp() | arith.IndexCastOp() | arith.TruncIOp():
            (number,) = numbers
            if bits_of(op.input.type) == 1 and isinstance(op, arith.ExtSIOp):
                number = -number
            return wrapped(number, op.results[0].type)
        case _:
            return None


def is_integer(type: Attribute) -> bool:
    """Whether a type is one of integers of at most 64 bits."""
    return isinstance(type, IndexType) or (isinstance(type, IntegerType) and bits_of(type) <= 64)


def chosen(where: Any, then: Numbers | None, orelse: Numbers | None) -> Numbers | None:
    """What a condition chooses, where all of it is known."""
    if then is None or orelse is None:
        return None
    if where is None:
        return then if np.array_equal(then, orelse) else None
    return np.where(where, then, orelse)


def wrapped(numbers: Numbers, type: Attribute) -> Numbers:
    """The signed numbers of the lowest bits; of an i1, 0 or 1."""
    bits = bits_of(type)
    if bits == 1:
        return numbers & 1
    if bits == 64:
        return numbers
    half = 1 << (bits - 1)
    return ((numbers + half) & ((1 << bits) - 1)) - half


def _unsigned(numbers: Numbers, type: Attribute) -> Numbers | None:
    """The unsigned numbers; None where they need 64 bits."""
    bits = bits_of(type)
    if bits < 64:
        return numbers & ((1 << bits) - 1)
    return numbers if bool(np.all(numbers >= 0)) else None


def _compared(op: arith.CmpiOp, a: Numbers, b: Numbers) -> Numbers:
    compare = _COMPARISONS[predicate_of(op)[-2:]]
    if is_unsigned(op):
        first, second = (number.astype(np.uint64) for number in (a, b))
        mask = np.uint64((1 << bits_of(op.lhs.type)) - 1)
        return np.asarray(compare(first & mask, second & mask)).astype(np.int64)
    if bits_of(op.lhs.type) == 1:
        a, b = -a, -b
    return np.asarray(compare(a, b)).astype(np.int64)


_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}

Rule: TypeAlias = Callable[[Numbers, Numbers, Attribute], Numbers | None]


def _quotient(a: Numbers, b: Numbers, type: Attribute) -> Numbers | None:
    if not np.all(b):
        return None
    rounded = a // b
    # Rounded to zero, as in C.
    return rounded + ((rounded < 0) & (rounded * b != a))


def _remainder(a: Numbers, b: Numbers, type: Attribute) -> Numbers | None:
    return None if not np.all(b) else np.fmod(a, b)


def _natural(rule: Rule) -> Rule:
    def of_natural(a: Numbers, b: Numbers, type: Attribute) -> Numbers | None:
        first, second = _unsigned(a, type), _unsigned(b, type)
        return None if first is None or second is None else rule(first, second, type)

    return of_natural


def _shift(change: Callable[[Numbers, Numbers], Numbers]) -> Rule:
    def shifted(a: Numbers, b: Numbers, type: Attribute) -> Numbers | None:
        return change(a, b) if np.all((b >= 0) & (b < bits_of(type))) else None

    return shifted


_RULES: Mapping[type[Operation], Rule] = {
    **BY_BITS,
    arith.DivSIOp: _quotient,
    arith.RemSIOp: _remainder,
    arith.MaxSIOp: lambda a, b, _: np.maximum(a, b),
    arith.MinSIOp: lambda a, b, _: np.minimum(a, b),
    arith.DivUIOp: _natural(_quotient),
    arith.RemUIOp: _natural(_remainder),
    arith.MaxUIOp: _natural(lambda a, b, _: np.maximum(a, b)),
    arith.MinUIOp: _natural(lambda a, b, _: np.minimum(a, b)),
    arith.ShLIOp: _shift(np.left_shift),
    arith.ShRSIOp: _shift(np.right_shift),
    arith.ShRUIOp: lambda a, b, type: (
        None if (first := _unsigned(a, type)) is None else _shift(np.right_shift)(first, b, type)
    ),
}

_BUILTINS: Mapping[str, Callable[..., Any]] = {
    **BUILTINS,
    # Python's min and max take no arrays.
    "s_clamp": lambda x, low, high: np.minimum(np.maximum(x, low), high),
}
