"""The types of the LLVM dialect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerType,
    VectorType,
    i8,
    i64,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl import (
    AddressSpace,
    ArrayType,
    EventType,
    PtrType,
    StructType,
    UnionType,
)
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of

POINTER = llvm.LLVMPointerType()


class Spaces(NamedTuple):
    """The number of each address space in LLVM; the default is one memory."""

    private: int = 0
    global_: int = 0
    constant: int = 0
    local: int = 0
    generic: int = 0

    def pointer(self, space: AddressSpace) -> llvm.LLVMPointerType:
        """The type of pointers into `space`."""
        return _pointer(getattr(self, "global_" if space == "global" else space.value))


@cache
def _pointer(number: int) -> llvm.LLVMPointerType:
    return llvm.LLVMPointerType(IntAttr(number)) if number else POINTER


FLAT = Spaces()


@cache
def llvm_type(type: Attribute, spaces: Spaces = FLAT) -> Attribute:
    """The type of a value. A struct becomes a literal struct of its fields, for any layout.

    A union in a struct becomes a vector of its bytes.

    Raises:
        TypeError: `type` has no values in LLVM.
    """
    match type:
        case IntegerType() | Float16Type() | Float32Type() | Float64Type():
            return type
        case IndexType() | EventType():
            return i64
        case PtrType():
            return spaces.pointer(type.address_space)
        case VectorType():
            return VectorType(llvm_type(type.element_type, spaces), type.shape)
        case StructType():
            fields = [llvm_type(t, spaces) for t in type.field_types]
            return llvm.LLVMStructType.from_type_list(fields)
        case ArrayType():
            return llvm.LLVMArrayType(type.size, llvm_type(type.element, spaces))
        case UnionType():
            return VectorType(i8, [size_of(type)])
        case _:
            raise TypeError(f"{type} has no values in LLVM")


def returned_type(outputs: Sequence[Attribute], spaces: Spaces = FLAT) -> Attribute | None:
    """What a function returns: several values are the fields of a struct.

    Raises:
        TypeError: an output has no values in LLVM.
    """
    types = [llvm_type(output, spaces) for output in outputs]
    if len(types) > 1:
        return llvm.LLVMStructType.from_type_list(types)
    return types[0] if types else None


def bits_of(type: Attribute) -> int:
    """The bits of a scalar or of a vector's elements."""
    match element_of(type):
        case IntegerType() as integer:
            return integer.width.data
        case Float16Type():
            return 16
        case Float32Type():
            return 32
        case _:
            return 64


def mangled(type: Attribute) -> str:
    """The suffix of the name of an intrinsic for `type`: `v4f32`."""
    letter = "i" if isinstance(element_of(type), IntegerType) else "f"
    scalar = f"{letter}{bits_of(type)}"
    return f"v{count_of(type)}{scalar}" if isinstance(type, VectorType) else scalar
