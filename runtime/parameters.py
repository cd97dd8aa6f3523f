"""The parameters of a kernel as a caller sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute

from polycl.dialects.ocl import AddressSpace, KernelLike, PtrType
from polycl.dialects.ocl.kernel import PARAM_IMPLIED, PARAM_UNSIGNED, PARAM_VARIABLES
from polycl.errors import ArgumentError
from polycl.runtime.dtypes import describe_dtype, dtype_of, element_name, signedness


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel."""

    kernel: str
    name: str
    type: Attribute
    """Its type in the `ocl` dialect."""

    spelling: str
    """Its type in the source, for example "uint4*"; "" where the module does not have it."""

    const: bool
    """Whether the kernel cannot write through it: `const` pointers and `constant` ones."""

    implied: str = ""
    """The source of the value if a caller leaves it out: "x.size0" is the size of the first
    dimension of the array of parameter x; see `polycl.runtime.implied`."""

    unsigned_fields: frozenset[str] = frozenset()
    """The paths of a structure's unsigned fields, for example "inner.flags"."""

    owner: str = "kernel"
    """The word of messages for what `kernel` names."""

    @property
    def space(self) -> AddressSpace | None:
        """The address space of a pointer; None for a parameter passed by value."""
        return self.type.address_space if isinstance(self.type, PtrType) else None

    @property
    def pointee(self) -> Attribute:
        """The type that a pointer points to; the type itself of a value."""
        return self.type.pointee if isinstance(self.type, PtrType) else self.type

    @property
    def is_void_pointer(self) -> bool:
        return isinstance(self.type, PtrType) and element_name(self.spelling) == "void"

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the value, or of one element of the buffer."""
        signed = signedness(self.spelling)
        return dtype_of(
            self.pointee, signed, in_buffer=self.space is not None, unsigned=self.unsigned_fields
        )

    @property
    def type_text(self) -> str:
        """The type in words: `global const float*`, `uint`, or of the host `array of int32`."""
        if self.space is None:
            return self.spelling or str(self.type)
        if self.owner != "kernel":
            return f"array of {self.dtype_text}"
        words = [self.space.value]
        if self.const and self.space is AddressSpace.GLOBAL:
            words.append("const")
        words.append(self.spelling or f"{_short(self.pointee)}*")
        return " ".join(words)

    @property
    def dtype_text(self) -> str:
        """`dtype` in words."""
        if self.space is AddressSpace.LOCAL:
            return "polycl.Local(bytes)"
        return "any" if self.is_void_pointer else describe_dtype(self.dtype)

    def error(self, message: str) -> ArgumentError:
        """The error that this parameter's argument does not fit."""
        return ArgumentError(
            f"{self.owner} '{self.kernel}', parameter '{self.name}' ({self.type_text}): {message}"
        )


def _short(type: Attribute) -> str:
    tag = getattr(type, "tag", None)
    return str(type) if tag is None else tag.data


def _text(attribute: Attribute | None) -> str:
    return attribute.data if isinstance(attribute, StringAttr) else ""


def _texts(attribute: Attribute | None) -> list[str]:
    return [_text(entry) for entry in attribute] if isinstance(attribute, ArrayAttr) else []


def parameters_of(kernel: KernelLike) -> tuple[Parameter, ...]:
    """The parameters of `kernel` that a caller passes, in order."""
    return tuple(
        Parameter(
            kernel.sym_name.data,
            name,
            type,
            spelling,
            "ocl.const" in attrs
            or (isinstance(type, PtrType) and type.address_space is AddressSpace.CONSTANT),
            _text(attrs.get(PARAM_IMPLIED)),
            frozenset(_texts(attrs.get(PARAM_UNSIGNED))),
        )
        for name, type, spelling, attrs in zip(
            kernel.param_names,
            kernel.function_type.inputs,
            kernel.param_type_names,
            kernel.param_attrs,
            strict=True,
        )
        if PARAM_VARIABLES not in attrs
    )


def variables_of(kernel: KernelLike) -> tuple[str, ...]:
    """The names of the initial data of the remaining parameters, the program's variables."""
    return tuple(
        name.root_reference.data
        for attrs in kernel.param_attrs
        if isinstance(name := attrs.get(PARAM_VARIABLES), SymbolRefAttr)
    )
