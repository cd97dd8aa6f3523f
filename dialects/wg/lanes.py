"""Memory for several work-items at once: what a vectorised parallel region reads and writes with.

Lane l of a vector belongs to the l-th work-item of a tile. A mask has one i1 for each lane; a
lane that is off neither reads nor writes, and what it reads is zero.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, VectorType, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.layout import size_of


def _verify_lanes(values: Attribute, pointer: Attribute, mask: SSAValue | None) -> None:
    assert isinstance(values, VectorType) and isinstance(pointer, PtrType)
    if len(values.get_shape()) != 1:
        raise VerifyException(f"expected a vector of one dimension, got {values}")
    if values.element_type != pointer.pointee:
        raise VerifyException(f"{values} does not have the element type of {pointer}")
    expected = VectorType(i1, values.get_shape())
    if mask is not None and mask.type != expected:
        raise VerifyException(f"expected a mask of type {expected}, got {mask.type}")


def _verify_indices(indices: Attribute, values: Attribute) -> None:
    assert isinstance(values, VectorType)
    expected = VectorType(IndexType(), values.get_shape())
    if indices != expected:
        raise VerifyException(f"expected indices of type {expected}, got {indices}")


def _verify_writable(pointer: Attribute) -> None:
    assert isinstance(pointer, PtrType)
    if pointer.address_space == AddressSpace.CONSTANT:
        raise VerifyException(f"cannot write through {pointer}: constant memory is read-only")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Neighbouring elements: lane l reads p[i + l], aligned as one element.

    `%v = wg.load %p[%i] mask %m : vector<16xi1> : !ocl.ptr<f32, global> -> vector<16xf32>`
    """

    name = "wg.load"

    pointer = operand_def(PtrType)
    index = operand_def(IndexType)
    mask = opt_operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$pointer `[` $index `]` (`mask` $mask^ `:` type($mask))? attr-dict "
        "`:` type($pointer) `->` type($result)"
    )

    def __init__(
        self, pointer: SSAValue, index: SSAValue, lanes: int, mask: SSAValue | None = None
    ):
        assert isinstance(pointer.type, PtrType)
        super().__init__(
            operands=[pointer, index, mask],
            result_types=[VectorType(pointer.type.pointee, [lanes])],
        )

    def verify_(self) -> None:
        _verify_lanes(self.result.type, self.pointer.type, self.mask)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Neighbouring elements: lane l writes p[i + l], aligned as one element.

    `wg.store %v, %p[%i] mask %m : vector<16xi1> : vector<16xf32>, !ocl.ptr<f32, global>`
    """

    name = "wg.store"

    value = operand_def(VectorType)
    pointer = operand_def(PtrType)
    index = operand_def(IndexType)
    mask = opt_operand_def(VectorType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$value `,` $pointer `[` $index `]` (`mask` $mask^ `:` type($mask))? attr-dict "
        "`:` type($value) `,` type($pointer)"
    )

    def __init__(
        self, value: SSAValue, pointer: SSAValue, index: SSAValue, mask: SSAValue | None = None
    ):
        super().__init__(operands=[value, pointer, index, mask])

    def verify_(self) -> None:
        _verify_lanes(self.value.type, self.pointer.type, self.mask)
        _verify_writable(self.pointer.type)


def _stride_attr(stride: int | None) -> IntegerAttr | None:
    return None if stride is None else IntegerAttr(stride, i64)


def stride_in_bytes(op: GatherOp | ScatterOp) -> int:
    """The bytes that one step of the index moves: an element's size where none is given."""
    if op.stride is not None:
        return op.stride.value.data
    assert isinstance(op.pointer.type, PtrType)
    return size_of(op.pointer.type.pointee)


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Elements anywhere: lane l reads at p + i[l] * stride bytes; by default an element's size.

    `%v = wg.gather %p[%i] : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>`
    """

    name = "wg.gather"

    pointer = operand_def(PtrType)
    indices = operand_def(VectorType)
    mask = opt_operand_def(VectorType)
    stride = opt_prop_def(IntegerAttr)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$pointer `[` $indices `]` (`stride` $stride^)? (`mask` $mask^ `:` type($mask))? attr-dict "
        "`:` type($indices) `,` type($pointer) `->` type($result)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        indices: SSAValue,
        mask: SSAValue | None = None,
        stride: int | None = None,
    ):
        assert isinstance(pointer.type, PtrType) and isinstance(indices.type, VectorType)
        super().__init__(
            operands=[pointer, indices, mask],
            properties={"stride": _stride_attr(stride)},
            result_types=[VectorType(pointer.type.pointee, indices.type.get_shape())],
        )

    def verify_(self) -> None:
        _verify_lanes(self.result.type, self.pointer.type, self.mask)
        _verify_indices(self.indices.type, self.result.type)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Elements anywhere: lane l writes at p + i[l] * stride bytes, the last lane last.

    `wg.scatter %v, %p[%i] : vector<16xf32>, vector<16xindex>, !ocl.ptr<f32, global>`
    """

    name = "wg.scatter"

    value = operand_def(VectorType)
    pointer = operand_def(PtrType)
    indices = operand_def(VectorType)
    mask = opt_operand_def(VectorType)
    stride = opt_prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$value `,` $pointer `[` $indices `]` (`stride` $stride^)? "
        "(`mask` $mask^ `:` type($mask))? attr-dict "
        "`:` type($value) `,` type($indices) `,` type($pointer)"
    )

    def __init__(
        self,
        value: SSAValue,
        pointer: SSAValue,
        indices: SSAValue,
        mask: SSAValue | None = None,
        stride: int | None = None,
    ):
        super().__init__(
            operands=[value, pointer, indices, mask],
            properties={"stride": _stride_attr(stride)},
        )

    def verify_(self) -> None:
        _verify_lanes(self.value.type, self.pointer.type, self.mask)
        _verify_indices(self.indices.type, self.value.type)
        _verify_writable(self.pointer.type)


@irdl_op_definition
class AnyLaneOp(IRDLOperation):
    """Whether any lane of a mask is on: `%b = wg.any_lane %m : vector<16xi1>`."""

    name = "wg.any_lane"

    mask = operand_def(VectorType)
    result = result_def(i1)

    traits = traits_def(Pure())

    assembly_format = "$mask attr-dict `:` type($mask)"

    def __init__(self, mask: SSAValue):
        super().__init__(operands=[mask], result_types=[i1])

    def verify_(self) -> None:
        assert isinstance(self.mask.type, VectorType)
        if self.mask.type.element_type != i1:
            raise VerifyException(f"expected a mask of i1, got {self.mask.type}")
