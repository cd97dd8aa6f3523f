"""MLIR's types for data in memory -> the types of the `ocl` dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    VectorType,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation

from polycl.dialects.gpu_ext import AddressSpaceAttr, AddressSpaceEnum
from polycl.dialects.ocl import AddressSpace, StructType
from polycl.dialects.ocl.attributes import is_scalar, is_vector
from polycl.errors import error_at

_SPACES = {
    AddressSpaceEnum.GLOBAL: AddressSpace.GLOBAL,
    AddressSpaceEnum.WORKGROUP: AddressSpace.LOCAL,
    AddressSpaceEnum.PRIVATE: AddressSpace.PRIVATE,
    AddressSpaceEnum.CONSTANT: AddressSpace.CONSTANT,
}

# The numbers that NVVM and ROCDL agree on; SPIR has another meaning for 2, so 2 is refused.
_NUMBERS = {
    1: AddressSpace.GLOBAL,
    3: AddressSpace.LOCAL,
    4: AddressSpace.CONSTANT,
    5: AddressSpace.PRIVATE,
}


def address_space(op: Operation, type: MemRefType, default: AddressSpace) -> AddressSpace:
    """The address space of memory of `type`; `default` if the type specifies none.

    Raises:
        PolyclError: at `op`: the space has no counterpart.
    """
    match type.memory_space:
        case NoneAttr():
            return default
        case AddressSpaceAttr(data=space):
            return _SPACES[space]
        case IntegerAttr() as number if number.value.data == 0:
            return default
        case IntegerAttr() as number if number.value.data in _NUMBERS:
            return _NUMBERS[number.value.data]
        case space:
            raise error_at(
                op,
                f"memory space {space} of {type} is not supported; expected "
                "#gpu.address_space<global|workgroup|private|constant> or 1, 3, 4, 5 "
                "(global, workgroup, constant, private)",
            )


def stored_type(op: Operation, type: Attribute) -> Attribute:
    """The type in memory of a value of `type`: i64 for `index`, and i8 for i1.

    Raises:
        PolyclError: at `op`: no OpenCL type corresponds to it.
    """
    if type == IndexType():
        return i64
    if type == i1:
        return i8
    if is_scalar(type) or is_vector(type) or isinstance(type, StructType):
        return type
    hint = "; a vector has 2, 3, 4, 8 or 16 elements" if isinstance(type, VectorType) else ""
    raise error_at(op, f"{type} in memory is not supported; expected a type of OpenCL C{hint}")
