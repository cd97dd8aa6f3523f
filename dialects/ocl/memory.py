"""Pointers and memory: allocation, loads and stores, address arithmetic."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr, UnitAttr, VectorType, i1, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import (
    VECTOR_WIDTHS,
    AddressSpace,
    AddressSpaceAttr,
    ArrayType,
    EventType,
    PtrType,
    StructType,
    UnionType,
)
from polycl.dialects.ocl.kernel import KernelLike
from polycl.dialects.ocl.layout import field_offset

ANY_POINTER: VarConstraint = VarConstraint("P", base(PtrType))
POINTEE: VarConstraint = VarConstraint("T", AnyAttr())
POINTER_TO_T = ParamAttrConstraint(PtrType, (POINTEE, base(AddressSpaceAttr)))


def pointer_type(value: SSAValue) -> PtrType:
    """The type of a pointer."""
    assert isinstance(value.type, PtrType)
    return value.type


def pointee_of(pointer: SSAValue) -> Attribute:
    """The type that a pointer points to."""
    return pointer_type(pointer).pointee


def space_of(pointer: SSAValue) -> AddressSpace:
    """The address space that a pointer points into."""
    return pointer_type(pointer).address_space


def verify_value_type(type: Attribute) -> None:
    """Refuse the types that no SSA value has.

    Raises:
        VerifyException: an array or a union.
    """
    if isinstance(type, ArrayType | UnionType):
        raise VerifyException(
            f"a value of type {type} lives in memory only; access its elements instead"
        )


def verify_writable(type: PtrType) -> None:
    """Refuse a pointer to constant memory."""
    if type.address_space == AddressSpace.CONSTANT:
        raise VerifyException(f"cannot write through {type}: constant memory is read-only")


class _Allocation(IRDLOperation, ABC):
    """Memory for one value of a type, in the address space of the operation."""

    SPACE: ClassVar[AddressSpace]

    result = result_def(PtrType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, pointee: Attribute):
        super().__init__(result_types=[PtrType(pointee, self.SPACE)])

    def verify_(self) -> None:
        type = pointer_type(self.result)
        if type.address_space != self.SPACE:
            raise VerifyException(f"allocates {self.SPACE.value} memory, got {type}")


@irdl_op_definition
class AllocaOp(_Allocation):
    """Private memory of one work-item: `%a = ocl.alloca : !ocl.ptr<!ocl.array<8 x f32>, private>`.

    It lives until the function or kernel returns.
    """

    name = "ocl.alloca"
    SPACE: ClassVar[AddressSpace] = AddressSpace.PRIVATE


@irdl_op_definition
class LocalAllocOp(_Allocation):
    """Memory that a work-group shares: `%t = ocl.local_alloc : !ocl.ptr<i32, local>`.

    Every work-item of a group gets the same address (OpenCL 1.2, section 6.5.2).
    """

    name = "ocl.local_alloc"
    SPACE: ClassVar[AddressSpace] = AddressSpace.LOCAL

    def verify_(self) -> None:
        super().verify_()
        if isinstance(self.parent_op(), FuncOp) or not isinstance(self.parent_op(), KernelLike):
            raise VerifyException(
                "local memory is allocated at the top level of a kernel, not inside "
                f"'{getattr(self.parent_op(), 'name', 'nothing')}'"
            )


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Read a value: `%v = ocl.load %p[%i] : !ocl.ptr<f32, global>`; the index counts pointees."""

    name = "ocl.load"

    pointer = operand_def(POINTER_TO_T)
    index = opt_operand_def(IndexType)
    volatile = opt_prop_def(UnitAttr)
    result = result_def(POINTEE)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "(`volatile` $volatile^)? $pointer (`[` $index^ `]`)? attr-dict `:` type($pointer)"
    )

    def __init__(self, pointer: SSAValue, index: SSAValue | None = None, *, volatile: bool = False):
        super().__init__(
            operands=[pointer, index],
            properties={"volatile": UnitAttr() if volatile else None},
            result_types=[pointer_type(pointer).pointee],
        )

    def verify_(self) -> None:
        verify_value_type(self.result.type)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Write a value: `ocl.store %v, %p[%i] : !ocl.ptr<f32, global>`; the index counts pointees."""

    name = "ocl.store"

    value = operand_def(POINTEE)
    pointer = operand_def(POINTER_TO_T)
    index = opt_operand_def(IndexType)
    volatile = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "(`volatile` $volatile^)? $value `,` $pointer (`[` $index^ `]`)? attr-dict "
        "`:` type($pointer)"
    )

    def __init__(
        self,
        value: SSAValue,
        pointer: SSAValue,
        index: SSAValue | None = None,
        *,
        volatile: bool = False,
    ):
        super().__init__(
            operands=[value, pointer, index],
            properties={"volatile": UnitAttr() if volatile else None},
        )

    def verify_(self) -> None:
        verify_value_type(self.value.type)
        verify_writable(pointer_type(self.pointer))


@irdl_op_definition
class VLoadOp(IRDLOperation):
    """`vloadn`: n elements at `p + i*n` (OpenCL 1.2, section 6.12.7), aligned as one element.

    `%v = ocl.vload %p[%i] : !ocl.ptr<f32, global> -> vector<4xf32>`
    """

    name = "ocl.vload"

    pointer = operand_def(PtrType)
    index = operand_def(IndexType)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$pointer `[` $index `]` attr-dict `:` type($pointer) `->` type($result)"

    def __init__(self, pointer: SSAValue, index: SSAValue, result_type: VectorType):
        super().__init__(operands=[pointer, index], result_types=[result_type])

    def verify_(self) -> None:
        _verify_vector_access(self.result.type, pointer_type(self.pointer))


@irdl_op_definition
class VStoreOp(IRDLOperation):
    """`vstoren`: n elements at `p + i*n` (OpenCL 1.2, section 6.12.7), aligned as one element.

    `ocl.vstore %v, %p[%i] : vector<4xf32>, !ocl.ptr<f32, global>`
    """

    name = "ocl.vstore"

    value = operand_def(VectorType)
    pointer = operand_def(PtrType)
    index = operand_def(IndexType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$value `,` $pointer `[` $index `]` attr-dict `:` type($value) `,` type($pointer)"
    )

    def __init__(self, value: SSAValue, pointer: SSAValue, index: SSAValue):
        super().__init__(operands=[value, pointer, index])

    def verify_(self) -> None:
        _verify_vector_access(self.value.type, pointer_type(self.pointer))
        verify_writable(pointer_type(self.pointer))


def _verify_vector_access(vector: Attribute, pointer: PtrType) -> None:
    assert isinstance(vector, VectorType)
    if vector.get_shape() not in {(n,) for n in VECTOR_WIDTHS}:
        raise VerifyException(f"expected a vector of 2, 3, 4, 8 or 16 elements, got {vector}")
    if vector.element_type != pointer.pointee:
        raise VerifyException(f"{vector} does not have the element type of {pointer}")


@irdl_op_definition
class OffsetOp(IRDLOperation):
    """Pointer arithmetic: `%q = ocl.offset %p[%i] : !ocl.ptr<f32, global>` moves by i pointees."""

    name = "ocl.offset"

    pointer = operand_def(ANY_POINTER)
    index = operand_def(IndexType)
    result = result_def(ANY_POINTER)

    traits = traits_def(Pure())

    assembly_format = "$pointer `[` $index `]` attr-dict `:` type($pointer)"

    def __init__(self, pointer: SSAValue, index: SSAValue):
        super().__init__(operands=[pointer, index], result_types=[pointer.type])


@irdl_op_definition
class MemberOp(IRDLOperation):
    """The address of a struct's or union's field.

    `%q = ocl.member %p["pos"] : !ocl.ptr<!ocl.struct<...>, global> -> !ocl.ptr<f32, global>`
    """

    name = "ocl.member"

    pointer = operand_def(PtrType)
    field = prop_def(StringAttr)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$pointer `[` $field `]` attr-dict `:` type($pointer) `->` type($result)"

    def __init__(self, pointer: SSAValue, field: str):
        super().__init__(
            operands=[pointer],
            properties={"field": StringAttr(field)},
            result_types=[_member_type(pointer, field)],
        )

    def verify_(self) -> None:
        field, result = self.field.data, self.result.type
        expected = _member_type(self.pointer, field)
        if result != expected:
            raise VerifyException(f"field '{field}' is {expected}, got {result}")

    @property
    def offset(self) -> int:
        """Where the field is, in bytes."""
        record = pointer_type(self.pointer).pointee
        assert isinstance(record, StructType | UnionType)
        return field_offset(record, self.field.data)


def _member_type(pointer: SSAValue, field: str) -> PtrType:
    source = pointer_type(pointer)
    record = source.pointee
    if not isinstance(record, StructType | UnionType):
        raise VerifyException(f"expected a pointer to a struct or union, got {source}")
    type = record.field_type(field)
    if type is None:
        raise VerifyException(f"{record} has no field '{field}'")
    return PtrType(type, source.space)


@irdl_op_definition
class CastOp(IRDLOperation):
    """Another view of the same address: another pointee, or another address space.

    `%q = ocl.cast %p : !ocl.ptr<!ocl.array<8 x f32>, local> to !ocl.ptr<f32, local>`

    Address spaces are disjoint; only casts to and from generic change one (OpenCL 2.0, 6.5.5).
    One to the same type says that integers have another sign in the source from here on.
    """

    name = "ocl.cast"

    pointer = operand_def(PtrType)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$pointer attr-dict `:` type($pointer) `to` type($result)"

    def __init__(self, pointer: SSAValue, result_type: PtrType):
        super().__init__(operands=[pointer], result_types=[result_type])

    @property
    def changes_sign(self) -> bool:
        """Whether nothing is new but the sign of integers in the source."""
        return self.pointer.type == self.result.type

    def verify_(self) -> None:
        source, target = pointer_type(self.pointer), pointer_type(self.result)
        spaces = {source.address_space, target.address_space}
        if len(spaces) == 1:
            return
        if AddressSpace.GENERIC not in spaces or AddressSpace.CONSTANT in spaces:
            raise VerifyException(
                f"cannot cast a {source.address_space.value} pointer to the "
                f"{target.address_space.value} address space: they are disjoint"
            )


@irdl_op_definition
class IsInOp(IRDLOperation):
    """Whether a pointer points into an address space (OpenCL 2.0, section 6.13.9).

    `%t = ocl.is_in local %p : !ocl.ptr<f32, generic>` (i1)

    The null pointer points into none. Constant memory is not asked for.
    """

    name = "ocl.is_in"

    address_space = prop_def(AddressSpaceAttr)
    pointer = operand_def(PtrType)
    result = result_def(i1)

    traits = traits_def(Pure())

    assembly_format = "$address_space $pointer attr-dict `:` type($pointer)"

    def __init__(self, pointer: SSAValue, space: AddressSpace):
        super().__init__(
            operands=[pointer],
            result_types=[i1],
            properties={"address_space": AddressSpaceAttr(space)},
        )

    @property
    def space(self) -> AddressSpace:
        return self.address_space.data

    def verify_(self) -> None:
        if self.space not in (AddressSpace.GLOBAL, AddressSpace.LOCAL, AddressSpace.PRIVATE):
            raise VerifyException(
                f"expected global, local or private memory, got {self.space.value}"
            )


@irdl_op_definition
class PtrToIntOp(IRDLOperation):
    """The address as a number of bytes: `%a = ocl.ptr_to_int %p : !ocl.ptr<f32, global>` (i64)."""

    name = "ocl.ptr_to_int"

    pointer = operand_def(PtrType)
    result = result_def(i64)

    traits = traits_def(Pure())

    assembly_format = "$pointer attr-dict `:` type($pointer)"

    def __init__(self, pointer: SSAValue):
        super().__init__(operands=[pointer], result_types=[i64])


@irdl_op_definition
class IntToPtrOp(IRDLOperation):
    """A pointer from a number of bytes: `%p = ocl.int_to_ptr %a : !ocl.ptr<f32, global>`."""

    name = "ocl.int_to_ptr"

    address = operand_def(i64)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$address attr-dict `:` type($result)"

    def __init__(self, address: SSAValue, result_type: PtrType):
        super().__init__(operands=[address], result_types=[result_type])


@irdl_op_definition
class NullOp(IRDLOperation):
    """The null pointer: `%p = ocl.null : !ocl.ptr<f32, global>`."""

    name = "ocl.null"

    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, result_type: PtrType):
        super().__init__(result_types=[result_type])


@irdl_op_definition
class NullEventOp(IRDLOperation):
    """The null event that starts a new async copy: `%e = ocl.null_event`."""

    name = "ocl.null_event"

    result = result_def(EventType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[EventType()])


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """A hint that `count` pointees at `pointer` are read soon (OpenCL 1.2, section 6.12.10)."""

    name = "ocl.prefetch"

    pointer = operand_def(PtrType)
    count = operand_def(IndexType)

    # Without a write effect the hint would be dead code: it has no result.
    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$pointer `[` $count `]` attr-dict `:` type($pointer)"

    def __init__(self, pointer: SSAValue, count: SSAValue):
        super().__init__(operands=[pointer, count])
