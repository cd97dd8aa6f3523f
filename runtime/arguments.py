"""Arguments of a call -> arguments of a device. Everything is checked before anything runs.

Buffers are numpy arrays, updated in place. For a pointer to

- a scalar: an array of exactly that type, of any shape;
- `void`: an array of any type;
- a vector of n elements (3 count as 4): an array of the element type whose last dimension is n,
  a one-dimensional one of a multiple of n elements, or one of a structured type with the same
  layout; the same holds for arrays, with as many trailing dimensions;
- a structure or union: an array of a structured type with the same offsets and size.

`polycl.runtime.value_arguments` encodes arguments passed by value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import VectorType

from polycl.backends.device import DeviceArray, KernelArg, LocalMemory
from polycl.diagnostics import unknown_name
from polycl.dialects.ocl import (
    AddressSpace,
    ImageType,
    PipeType,
    SamplerType,
    StructType,
    UnionType,
)
from polycl.errors import ArgumentError
from polycl.runtime.dtypes import (
    Element,
    describe_dtype,
    element_of,
    layout_mismatch,
    scalar_fits,
)
from polycl.runtime.images import Image, Sampler
from polycl.runtime.implied import fill_implied
from polycl.runtime.parameters import Parameter
from polycl.runtime.pipes import Pipe
from polycl.runtime.value_arguments import describe_value, encode

MOST_LOCAL_BYTES = 1 << 30
"""No device has as much; each thread of the device cpu has its own."""


def match_arguments(
    kernel: str, parameters: Sequence[Parameter], args: Sequence[Any], named: Mapping[str, Any]
) -> list[Any]:
    """The arguments in the order of `parameters`.

    Raises:
        ArgumentError: one is missing, too many, unknown or given twice.
    """
    names = [p.name for p in parameters]
    count = f"{len(names)} argument{'s' * (len(names) != 1)}"
    if len(args) > len(names):
        have = f" ({', '.join(names)})" if names else ""
        raise ArgumentError(f"kernel '{kernel}' takes {count}{have}, got {len(args)}")
    values = dict(zip(names, args, strict=False))
    for name, value in named.items():
        if name not in names:
            unknown = unknown_name("parameter", name, names)
            have = f" (its parameters: {', '.join(names) or 'none'})"
            raise ArgumentError(f"kernel '{kernel}': {unknown}{have}")
        if name in values:
            raise ArgumentError(f"kernel '{kernel}': parameter '{name}' is given twice")
        values[name] = value
    values = fill_implied(parameters, values)
    missing = [f"'{p.name}' ({p.type_text})" for p in parameters if p.name not in values]
    if missing:
        raise ArgumentError(
            f"kernel '{kernel}' takes {count}, got {len(values)}: missing {', '.join(missing)}"
        )
    return [values[name] for name in names]


def to_kernel_arg(parameter: Parameter, value: Any) -> KernelArg:
    """`value` as a device takes it.

    Raises:
        ArgumentError: it does not fit `parameter`.
    """
    if isinstance(parameter.type, ImageType):
        return _image(parameter, value)
    if isinstance(parameter.type, SamplerType):
        return _sampler(parameter, value)
    if isinstance(parameter.type, PipeType):
        return _pipe(parameter, value)
    if parameter.space is None:
        return encode(parameter, value)
    if parameter.space is AddressSpace.LOCAL:
        return _local(parameter, value)
    if value is None:
        return None
    return _buffer(parameter, value)


def _image(parameter: Parameter, value: Any) -> NDArray[Any]:
    assert isinstance(parameter.type, ImageType)
    if not isinstance(value, Image):
        raise parameter.error(f"expected a polycl.Image, got {describe_value(value)}")
    if value.kind != parameter.type.kind.value:
        raise parameter.error(
            f"expected an image with kind={parameter.type.kind.value!r}, got {value.kind!r}"
        )
    return value.storage


def _pipe(parameter: Parameter, value: Any) -> NDArray[Any]:
    if not isinstance(value, Pipe):
        raise parameter.error(f"expected a polycl.Pipe, got {describe_value(value)}")
    return value.storage


def _sampler(parameter: Parameter, value: Any) -> bytes:
    if not isinstance(value, Sampler):
        raise parameter.error(f"expected a polycl.Sampler, got {describe_value(value)}")
    return value.bits.to_bytes(4, "little")


def _local(parameter: Parameter, value: Any) -> LocalMemory:
    if not isinstance(value, LocalMemory):
        raise parameter.error(f"expected polycl.Local(bytes), got {describe_value(value)}")
    if isinstance(value.nbytes, bool) or not isinstance(value.nbytes, int | np.integer):
        raise parameter.error(
            f"expected an integer number of bytes, got {describe_value(value.nbytes)}"
        )
    if value.nbytes < 1:
        raise parameter.error(f"expected at least 1 byte of local memory, got {value.nbytes}")
    if value.nbytes > MOST_LOCAL_BYTES:
        raise parameter.error(
            f"expected at most {MOST_LOCAL_BYTES} bytes of local memory, got {value.nbytes}; "
            "it is the size for one work-group"
        )
    return LocalMemory(int(value.nbytes))


def _buffer(parameter: Parameter, value: Any) -> NDArray[Any] | DeviceArray:
    if isinstance(value, DeviceArray):
        problem = None if parameter.is_void_pointer else _type_problem(parameter, value)
        if problem is not None:
            raise parameter.error(problem)
        return value
    if not isinstance(value, np.ndarray):
        hint = "; local memory goes to local pointers" if isinstance(value, LocalMemory) else ""
        raise parameter.error(
            f"expected a numpy array of {parameter.dtype_text}, got {describe_value(value)}{hint}"
        )
    problem = None if parameter.is_void_pointer else _type_problem(parameter, value)
    if problem is not None:
        raise parameter.error(problem)
    if value.dtype.hasobject:
        raise parameter.error("an array of Python objects has no representation on a device")
    if not value.flags.c_contiguous:
        raise parameter.error(
            "the array is not C-contiguous; pass a copy made by np.ascontiguousarray "
            "(the kernel then writes into the copy)"
        )
    if not value.flags.aligned:
        raise parameter.error("the array is not aligned; pass a copy made by np.require(.., 'A')")
    if not parameter.const and not value.flags.writeable:
        raise parameter.error(
            "the array is read-only, but the kernel may write through this parameter; "
            "pass a copy, or declare the parameter const"
        )
    return value


def _type_problem(parameter: Parameter, array: NDArray[Any] | DeviceArray) -> str | None:
    """The reason why `array` does not fit the pointee, or None where it does."""
    if array.dtype.names is not None:
        wrong = layout_mismatch(array.dtype, parameter.pointee, parameter.spelling)
        return None if wrong is None else f"{_got(parameter, array)}: {wrong}"
    element = element_of(parameter.pointee)
    if isinstance(element.base, UnionType) and array.dtype.itemsize == parameter.dtype.itemsize:
        return None
    if isinstance(element.base, StructType | UnionType):
        return f"{_got(parameter, array)}; see Kernel.dtype"
    if not scalar_fits(array.dtype, element.base, parameter.spelling):
        return _got(parameter, array) + _advice(parameter, array)
    return _shape_problem(parameter, element, array)


def _got(parameter: Parameter, array: NDArray[Any] | DeviceArray) -> str:
    return f"expected an array of {parameter.dtype_text}, got one of {describe_dtype(array.dtype)}"


def _advice(parameter: Parameter, array: NDArray[Any] | DeviceArray) -> str:
    base = parameter.dtype.base
    if array.dtype.itemsize == base.itemsize and array.dtype.isnative:
        return f"; pass .view(np.{base.name}) of it to keep the bits, or convert it with .astype"
    return f"; convert it with .astype(np.{base.name})"


def _shape_problem(
    parameter: Parameter, element: Element, array: NDArray[Any] | DeviceArray
) -> str | None:
    rank = len(element.shape)
    if array.shape[array.ndim - rank :] == element.shape and array.ndim >= rank:
        return None
    if array.ndim == 1 and array.size % element.count == 0:
        return None
    shape = "x".join(map(str, array.shape))
    trailing = ", ".join(map(str, element.shape))
    text = (
        f"expected an array whose shape ends in ({trailing}), or a one-dimensional one of a "
        f"multiple of {element.count} elements, got shape {shape}"
    )
    if isinstance(parameter.pointee, VectorType) and parameter.pointee.element_count() == 3:
        text += "; in memory a 3-element vector takes the space of 4 elements"
    return text
