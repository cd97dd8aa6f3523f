"""The types of the LLVM dialect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
    i8,
    i64,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, EventType, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of

POINTER = llvm.LLVMPointerType()


@cache
def llvm_type(type: Attribute) -> Attribute:
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
            return POINTER
        case VectorType():
            return VectorType(llvm_type(type.element_type), type.shape)
        case StructType():
            return llvm.LLVMStructType.from_type_list([llvm_type(t) for t in type.field_types])
        case ArrayType():
            return llvm.LLVMArrayType(type.size, llvm_type(type.element))
        case UnionType():
            return VectorType(i8, [size_of(type)])
        case _:
            raise TypeError(f"{type} has no values in LLVM")


def returned_type(outputs: Sequence[Attribute]) -> Attribute | None:
    """What a function returns: several values are the fields of a struct.

    Raises:
        TypeError: an output has no values in LLVM.
    """
    types = [llvm_type(output) for output in outputs]
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
