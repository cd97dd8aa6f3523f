"""Values of the `pattern` dialect as numpy arrays, and the other way round.

array of scalars            an array of one dimension
array of arrays             one more dimension before the others
vector                      one more dimension after the others
tuple, array of tuples      a Python tuple, one numpy value for each part
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    TupleType,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.types import innermost, scalar_of, with_innermost
from polycl.errors import ArgumentError


def dtype_of(type: Attribute) -> np.dtype[Any]:
    """The numpy type of a scalar; integers are signed. Raises ArgumentError."""
    match type:
        case Float16Type() | Float32Type() | Float64Type():
            return np.dtype(f"f{type.bitwidth // 8}")
        case IndexType():
            return np.dtype(np.int64)
        case IntegerType() if type.width.data == 1:
            return np.dtype(np.bool_)
        case IntegerType() if type.width.data in (8, 16, 32, 64):
            return np.dtype(f"i{type.width.data // 8}")
        case _:
            raise ArgumentError(f"numpy has no type for {type}")


def parts(type: Attribute) -> list[Attribute] | None:
    """For a tuple, or an array of tuples, the types of the parts' values; else None."""
    inner = innermost(type)
    if not isinstance(inner, TupleType):
        return None
    return [with_innermost(type, part) for part in inner.types]


def value_of(type: Attribute, data: Any) -> Any:
    """The interpreter's value of numpy data, whose shape fits the type."""
    pieces = parts(type)
    if pieces is not None:
        values = [value_of(piece, part) for piece, part in zip(pieces, data, strict=True)]
        return _zipped(type, values)
    dtype = dtype_of(scalar_of(innermost(type)))
    if isinstance(data, int):
        # The interpreter stores integers as bit patterns.
        mask = (1 << 8 * dtype.itemsize) - 1
        return data & mask if dtype.kind == "i" else dtype.type(data).item()
    array = np.asarray(data, dtype)
    if dtype.kind == "i":
        array = array.view(f"u{dtype.itemsize}")
    return _lists(type, array.tolist())


def array_of(type: Attribute, value: Any) -> Any:
    """The numpy data of an interpreter's value."""
    pieces = parts(type)
    if pieces is not None:
        return tuple(
            array_of(piece, _part(type, value, number)) for number, piece in enumerate(pieces)
        )
    dtype = dtype_of(scalar_of(innermost(type)))
    if dtype.kind == "i":
        return np.array(value, f"u{dtype.itemsize}").view(dtype)
    return np.array(value, dtype)


def _lists(type: Attribute, data: Any) -> Any:
    if isinstance(type, VectorType):
        return tuple(data)
    if isinstance(type, ArrayType) and isinstance(innermost(type), VectorType):
        return [_lists(type.element_type, row) for row in data]
    return data


def _zipped(type: Attribute, values: list[Any]) -> Any:
    """One value for each part as one value of tuples."""
    if not isinstance(type, ArrayType):
        return tuple(values)
    return [_zipped(type.element_type, list(row)) for row in zip(*values, strict=True)]


def _part(type: Attribute, value: Any, number: int) -> Any:
    """Part `number` of every tuple in a value."""
    if not isinstance(type, ArrayType):
        return value[number]
    return [_part(type.element_type, row, number) for row in value]
