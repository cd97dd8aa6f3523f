"""`--arg NAME=SPEC` -> the arguments of a launch.

SPEC is a text that `polycl.runtime.dataspec` reads, or one of

    @FILE.png                 a picture, converted to the parameter's element type: floats from
                              0 to 1 or uint8; to RGBA for 4-element vectors and images
    @FILE.png:T               the picture in grey, as an array of type T (u8, f16, f32 or f64)
    like:NAME                 zeros, as many as argument NAME has elements, in its shape
    V,V,...                   a vector passed by value
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import VectorType

from polycl.diagnostics import unknown_name
from polycl.dialects.ocl import (
    AddressSpace,
    ImageType,
    PipeType,
    SamplerType,
    StructType,
    UnionType,
)
from polycl.runtime.dataspec import parse_data
from polycl.runtime.dtypes import dtype_of, element_of, signedness
from polycl.runtime.images import IMAGE_SHAPES, Image
from polycl.runtime.parameters import Parameter
from polycl.runtime.pictures import load_picture
from polycl.runtime.type_names import SCALAR_TYPES, type_name, value_text
from polycl.tools.driver import UsageError

_PICTURE = re.compile(r"@(?P<path>.+\.png)(:(?P<type>\w+))?", re.IGNORECASE)
_RANDOM = ("rand:", "bits:", "edges:", "perm:")


class Named(Protocol):
    """A parameter or a result."""

    @property
    def name(self) -> str: ...


class HasParameters(Protocol):
    """A kernel, a function, or the results of a function."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Sequence[Named]: ...


class TakesArguments(Protocol):
    """A kernel or a host function."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> tuple[Parameter, ...]: ...

    def parameter(self, name: str) -> Parameter: ...


def named_specs(flag: str, texts: Sequence[str], kernel: HasParameters) -> dict[str, str]:
    """`NAME=VALUE` texts of the option `flag` by the names of the kernel's parameters."""
    known = [p.name for p in kernel.parameters]
    specs: dict[str, str] = {}
    for text in texts:
        name, equals, spec = text.partition("=")
        if not equals or not name or not spec:
            raise UsageError(f"{flag} {text}: expected {flag} NAME=VALUE")
        if name not in known:
            raise UsageError(
                f"{flag} {text}: {unknown_name('parameter', name, known)} (those of kernel "
                f"'{kernel.name}': {', '.join(known) or 'none'})"
            )
        if name in specs:
            raise UsageError(f"{flag}: '{name}' is given twice")
        specs[name] = spec
    return specs


def read_arguments(
    kernel: TakesArguments,
    texts: Sequence[str],
    count: int,
    seed: int | None = None,
    all_needed: bool = True,
) -> dict[str, Any]:
    """The arguments by name, in the parameters' order; `count` is for examples in messages.

    Raises:
        PolyclError: one is missing, unknown or malformed.
    """
    specs = named_specs("--arg", texts, kernel)
    # The launch computes implied arguments.
    missing = [p for p in kernel.parameters if p.name not in specs and not p.implied]
    if missing and all_needed:
        first = missing[0]
        others = ", ".join(f"'{p.name}'" for p in missing[1:])
        raise UsageError(
            f"{first.owner} '{kernel.name}': no --arg for parameter '{first.name}' "
            f"({first.type_text}); for example --arg {first.name}={example(first, count)}"
            + (f" (missing, too: {others})" if others else "")
        )
    values: dict[str, Any] = {}
    given = [p for p in kernel.parameters if p.name in specs]
    for parameter in given:
        spec = specs[parameter.name]
        if not spec.startswith("like:"):
            values[parameter.name] = _read(parameter, spec, seed)
    for parameter in given:
        spec = specs[parameter.name]
        if spec.startswith("like:"):
            values[parameter.name] = _like(kernel, parameter, spec, values)
    return {p.name: values[p.name] for p in given}


def _read(parameter: Parameter, spec: str, seed: int | None) -> Any:
    if picture := _PICTURE.fullmatch(spec):
        return _picture(parameter, picture["path"], picture["type"])
    if isinstance(parameter.type, VectorType) and "," in spec and "(" not in spec:
        return [parse_data(part, parameter.name) for part in spec.split(",")]
    return parse_data(with_seed(spec, seed, parameter.name), parameter.name)


def with_seed(spec: str, seed: int | None, name: str) -> str:
    """The specification of the argument `name` with random numbers that depend on `seed`."""
    if seed is None or not spec.startswith(_RANDOM) or ":seed=" in spec:
        return spec
    # Two arguments must not get the same numbers.
    return f"{spec}:seed={zlib.crc32(f'{seed} {name}'.encode())}"


def _picture(parameter: Parameter, path: str, grey_type: str | None) -> NDArray[Any] | Image:
    if grey_type is not None:
        if grey_type not in SCALAR_TYPES:
            raise parameter.error(f"unknown type '{grey_type}'; expected u8, f16, f32 or f64")
        return load_picture(path, dtype_of(SCALAR_TYPES[grey_type]), 1)
    if isinstance(parameter.type, ImageType):
        return Image(load_picture(path, np.dtype(np.uint8), 4))
    if parameter.space in (None, AddressSpace.LOCAL):
        raise parameter.error(f"'{path}' is a picture; expected {example(parameter, 1024)}")
    element = element_of(parameter.pointee)
    if isinstance(element.base, StructType) or len(element.shape) > 1:
        raise parameter.error(f"the picture '{path}' is not an array of {parameter.dtype_text}")
    base = parameter.dtype.base
    dtype = np.dtype(np.uint8) if parameter.is_void_pointer else base
    return load_picture(path, dtype, element.count if element.shape else None)


def _like(
    kernel: TakesArguments, parameter: Parameter, spec: str, values: dict[str, Any]
) -> NDArray[Any]:
    name = spec.removeprefix("like:")
    other = values.get(name)
    if not isinstance(other, np.ndarray):
        raise parameter.error(
            f"cannot read '{spec}': '{name}' is not an array argument of this launch"
        )
    if parameter.space in (None, AddressSpace.LOCAL):
        raise parameter.error(f"'{spec}' is an array; expected {example(parameter, 1024)}")
    return np.zeros(_item_shape(kernel.parameter(name), other), parameter.dtype)


def _item_shape(parameter: Parameter, array: NDArray[Any]) -> tuple[int, ...]:
    """The shape of `array` in elements of the type that `parameter` points to."""
    element = element_of(parameter.pointee)
    rank = len(element.shape)
    if array.dtype.names is not None or not rank:
        return array.shape
    if array.shape[array.ndim - rank :] == element.shape and array.ndim >= rank:
        return array.shape[: array.ndim - rank]
    return (array.size // element.count,)


def example(parameter: Parameter, count: int) -> str:
    """A specification that fits `parameter`, for `count` work-items."""
    match parameter.type:
        case ImageType():
            kind = parameter.type.kind.value
            sizes = ["64"] * len(IMAGE_SHAPES[kind])
            channels = [] if parameter.type.kind.is_depth else ["4"]
            return f"{kind}:rand:f32:{'x'.join(sizes + channels)}"
        case PipeType():
            return f"pipe:{count}:iota:i32:{count}"
        case SamplerType():
            return "sampler:clamp_to_edge:nearest"
        case _ if parameter.space is AddressSpace.LOCAL:
            return "local:1024"
        case _:
            pass
    signed = signedness(parameter.spelling) is not False
    name = type_name(parameter.pointee, signed)
    if parameter.space is not None:
        spec = f"rand:{name}:{count}"
        # A shell would expand the braces.
        return f"'{spec}'" if "{" in spec else spec
    match parameter.type:
        case VectorType():
            return ",".join(str(i + 1) for i in range(parameter.type.element_count()))
        case StructType() | UnionType():
            return f"'{value_text(name, repeat(0))}'"
        case _:
            return "1.0" if parameter.dtype.kind == "f" else "1"
