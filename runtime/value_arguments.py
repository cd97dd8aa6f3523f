"""Arguments passed by value: numbers, vectors and structures -> their bytes in device layout.

A number is a Python or numpy number that the parameter's type can hold; an integer parameter
takes no float. A vector is a sequence or array of its numbers. A structure is a numpy
structured scalar with the same layout, a dictionary with a value for each field, or the bytes
themselves; of a union a dictionary names one field.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute

from polycl.backends.device import LocalMemory
from polycl.dialects.ocl import ArrayType, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import field_offset, size_of, stride_of
from polycl.runtime.dtypes import (
    describe_dtype,
    dtype_of,
    layout_mismatch,
    signedness,
    without_padding,
)
from polycl.runtime.parameters import Parameter


class _Misfit(Exception):
    """The reason why a value does not fit; `encode` adds the parameter."""


def encode(parameter: Parameter, value: Any) -> bytes:
    """The bytes of `value` in the layout of the by-value `parameter`.

    Raises:
        ArgumentError: `value` does not fit.
    """
    try:
        return _encode(parameter.type, parameter.spelling, value, "")
    except _Misfit as misfit:
        raise parameter.error(str(misfit)) from None


def describe_value(value: Any) -> str:
    """An argument in a few words: `an array of float64, shape 3x4`, `str 'abc'`."""
    match value:
        case None:
            return "None"
        case LocalMemory():
            return f"polycl.Local({value.nbytes})"
        case np.ndarray():
            shape = "x".join(map(str, value.shape)) or "()"
            return f"an array of {describe_dtype(value.dtype)}, shape {shape}"
        case np.generic():
            return f"{describe_dtype(value.dtype)} {value}"
        case _:
            text = repr(value)
            return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def _encode(type: Attribute, spelling: str, value: Any, path: str) -> bytes:
    match type:
        case VectorType():
            return _vector(type, spelling, value, path)
        case StructType() | UnionType():
            return _record(type, value, path)
        case ArrayType():
            values = _items(value, type.size.data, path)
            stride = stride_of(type.element)
            return b"".join(
                _encode(type.element, "", v, f"{path}[{i}]").ljust(stride, b"\0")
                for i, v in enumerate(values)
            )
        case _:
            return _scalar(type, spelling, value, path)


def _scalar(type: Attribute, spelling: str, value: Any, path: str) -> bytes:
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(type, IntegerType | PtrType):
        return _integer(type, spelling, value, path)
    if not isinstance(value, bool | int | float | np.bool_ | np.integer | np.floating):
        raise _Misfit(f"{_at(path)}expected a number, got {describe_value(value)}")
    dtype = dtype_of(type)
    try:
        with np.errstate(over="ignore"):
            result = np.array(value).astype(dtype) if _is_numpy(value) else dtype.type(float(value))
    except OverflowError:
        result = dtype.type(math.inf)
    if np.isinf(result) and not (isinstance(value, float | np.floating) and np.isinf(value)):
        raise _Misfit(f"{_at(path)}{value} is too large for {dtype.name}")
    return result.tobytes()


def _is_numpy(value: Any) -> bool:
    # A NaN keeps its bits on the way from numpy to numpy.
    return isinstance(value, np.generic)


def _integer(type: IntegerType | PtrType, spelling: str, value: Any, path: str) -> bytes:
    if not isinstance(value, bool | int | np.bool_ | np.integer):
        is_float = isinstance(value, float | np.floating)
        hint = "; convert it with int()" if is_float else ""
        raise _Misfit(f"{_at(path)}expected an integer, got {describe_value(value)}{hint}")
    number = int(value)
    size = size_of(type)
    signed = signedness(spelling)
    low = 0 if signed is False else -(1 << (8 * size - 1))
    high = (1 << (8 * size)) - 1 if signed is not True else (1 << (8 * size - 1)) - 1
    if not low <= number <= high:
        raise _Misfit(f"{_at(path)}{number} is out of range; expected {low} to {high}")
    return (number & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def _vector(type: VectorType, spelling: str, value: Any, path: str) -> bytes:
    if isinstance(value, np.void | np.ndarray) and value.dtype.names is not None:
        return _structured(type, spelling, value, path)
    values = _items(value, type.element_count(), path)
    parts = [_scalar(type.element_type, spelling, v, f"{path}[{i}]") for i, v in enumerate(values)]
    return b"".join(parts).ljust(size_of(type), b"\0")


def _record(type: StructType | UnionType, value: Any, path: str) -> bytes:
    if isinstance(value, bytes):
        if len(value) != size_of(type):
            raise _Misfit(f"{_at(path)}expected {size_of(type)} bytes, got {len(value)}")
        return value
    if isinstance(value, np.void | np.ndarray):
        return _structured(type, "", value, path)
    if not isinstance(value, Mapping):
        raise _Misfit(
            f"{_at(path)}expected a numpy structured scalar or a dictionary with the fields "
            f"{_names(type)}, got {describe_value(value)}"
        )
    names = [name for name, _ in type.fields]
    unknown = [name for name in value if name not in names]
    if unknown:
        raise _Misfit(f"{_at(path)}there is no field '{unknown[0]}'; the fields: {_names(type)}")
    if isinstance(type, UnionType) and len(value) != 1:
        raise _Misfit(f"{_at(path)}expected a value for one of the fields {_names(type)}")
    result = bytearray(size_of(type))
    for name, field in type.fields:
        if name not in value:
            if isinstance(type, UnionType):
                continue
            raise _Misfit(f"{_at(path)}the field '{name}' has no value")
        part = _encode(field, "", value[name], f"{path}.{name}" if path else name)
        offset = field_offset(type, name)
        result[offset : offset + len(part)] = part
    return bytes(result)


def _structured(type: Attribute, spelling: str, value: Any, path: str) -> bytes:
    """The bytes of a numpy structured scalar."""
    if value.shape != ():
        raise _Misfit(f"{_at(path)}expected one value, got {describe_value(value)}")
    wrong = layout_mismatch(value.dtype, type, spelling)
    if wrong is not None:
        raise _Misfit(f"{_at(path)}got {describe_dtype(value.dtype)}: {wrong}")
    # numpy's padding differs from run to run.
    return without_padding(type, value.tobytes())


def _items(value: Any, count: int, path: str) -> list[Any]:
    """The `count` items of a sequence or of the first dimension of an array."""
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    if not is_array and (isinstance(value, str | bytes) or not isinstance(value, Sequence)):
        raise _Misfit(
            f"{_at(path)}expected a sequence of {count} numbers, got {describe_value(value)}"
        )
    if len(value) != count:
        raise _Misfit(f"{_at(path)}expected {count} numbers, got {len(value)}")
    return list(value)


def _names(type: StructType | UnionType) -> str:
    return ", ".join(name for name, _ in type.fields)


def _at(path: str) -> str:
    return f"'{path}': " if path else ""
