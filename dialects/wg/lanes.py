"""Vector accesses to memory: how a vectorised parallel region reads and writes.

Lane l of a vector belongs to the l-th work-item of a tile. A mask has one i1 for each lane; a lane
that is masked off does not access memory, and a load gives zero for it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, VectorType, i1, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl import AtomicKind, AtomicKindAttr, PtrType
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointer_type, verify_writable
from polycl.dialects.vec import vector_of


def _verify_lanes(
    values: SSAValue, pointer: SSAValue, mask: SSAValue | None, lanes: int | None = None
) -> None:
    type, pointee = values.type, pointer_type(pointer).pointee
    assert isinstance(type, VectorType)
    if len(type.get_shape()) != 1:
        raise VerifyException(f"expected a vector of one dimension, got {type}")
    if type.element_type != pointee:
        raise VerifyException(f"{type} does not have the element type of {pointer.type}")
    expected = VectorType(i1, type.get_shape() if lanes is None else [lanes])
    if mask is not None and mask.type != expected:
        raise VerifyException(f"expected a mask of type {expected}, got {mask.type}")


def _verify_rows(op: GatherOp | ScatterOp, values: SSAValue) -> None:
    """Check an access of as many elements for each lane as `values` has for each index."""
    assert isinstance(values.type, VectorType) and isinstance(op.indices.type, VectorType)
    lanes, elements = op.indices.type.element_count(), values.type.element_count()
    if op.indices.type != VectorType(IndexType(), [lanes]) or elements % lanes:
        expected = VectorType(IndexType(), values.type.get_shape())
        raise VerifyException(f"expected indices of type {expected}, got {op.indices.type}")
    _verify_lanes(values, op.pointer, op.mask, lanes)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Consecutive elements: lane l reads p[i + l], aligned as one element.

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
        super().__init__(
            operands=[pointer, index, mask],
            result_types=[vector_of(pointer_type(pointer).pointee, lanes)],
        )

    def verify_(self) -> None:
        _verify_lanes(self.result, self.pointer, self.mask)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Consecutive elements: lane l writes p[i + l], aligned as one element.

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
        _verify_lanes(self.value, self.pointer, self.mask)
        verify_writable(pointer_type(self.pointer))


def _stride_attr(stride: int | None) -> IntegerAttr | None:
    return None if stride is None else IntegerAttr(stride, i64)


def stride_in_bytes(op: GatherOp | ScatterOp | UpdateOp) -> int:
    """The bytes between two consecutive indices: by default an element's size."""
    if op.stride is not None:
        return op.stride.value.data
    return size_of(pointer_type(op.pointer).pointee)


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Elements at any addresses: lane l reads at p + i[l] * stride bytes (default: an element's).

    `%v = wg.gather %p[%i] : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>`

    Of a result with `count` times as many elements as there are lanes, each lane has `count` of
    them, which it reads side by side; the stride is that of one element by default here, too.
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
        count: int = 1,
    ):
        assert isinstance(indices.type, VectorType)
        elements = count * indices.type.element_count()
        super().__init__(
            operands=[pointer, indices, mask],
            properties={"stride": _stride_attr(stride)},
            result_types=[vector_of(pointer_type(pointer).pointee, elements)],
        )

    def verify_(self) -> None:
        _verify_rows(self, self.result)


_ANYWHERE = (
    "$value `,` $pointer `[` $indices `]` (`stride` $stride^)? "
    "(`mask` $mask^ `:` type($mask))? attr-dict "
    "`:` type($value) `,` type($indices) `,` type($pointer)"
)


class _AnywhereOp(IRDLOperation):
    """What changes elements at any addresses: lane l those at p + i[l] * stride bytes."""

    value = operand_def()
    pointer = operand_def(PtrType)
    indices = operand_def(VectorType)
    mask = opt_operand_def(VectorType)
    stride = opt_prop_def(IntegerAttr)

    assembly_format = _ANYWHERE

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


@irdl_op_definition
class ScatterOp(_AnywhereOp):
    """Elements at any addresses: lane l writes at p + i[l] * stride bytes, the last lane last.

    Each lane writes as many elements side by side as there are values for each index.

    `wg.scatter %v, %p[%i] : vector<16xf32>, vector<16xindex>, !ocl.ptr<f32, global>`
    """

    name = "wg.scatter"

    value = operand_def(VectorType)

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_rows(self, self.value)
        verify_writable(pointer_type(self.pointer))


@irdl_op_definition
class UpdateOp(_AnywhereOp):
    """Changes elements at any addresses, lane after lane: several may have the same.

    `wg.update add %n, %p[%i] : i32, vector<16xindex>, !ocl.ptr<i32, local>`

    The kinds are those of `ocl.atomic_rmw`; the value is one for all lanes, or a vector.
    """

    name = "wg.update"

    kind = prop_def(AtomicKindAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = f"$kind {_ANYWHERE}"

    def __init__(
        self,
        kind: AtomicKind,
        value: SSAValue,
        pointer: SSAValue,
        indices: SSAValue,
        mask: SSAValue | None = None,
        stride: int | None = None,
    ):
        super().__init__(value, pointer, indices, mask, stride)
        self.kind = AtomicKindAttr(kind)

    def verify_(self) -> None:
        type, pointer = self.indices.type, pointer_type(self.pointer)
        assert isinstance(type, VectorType)
        lanes = type.get_shape()
        if type != VectorType(IndexType(), lanes) or len(lanes) != 1:
            raise VerifyException(f"expected a vector of indices, got {type}")
        element = pointer.pointee
        if self.value.type not in (element, VectorType(element, lanes)):
            expected = VectorType(element, lanes)
            raise VerifyException(
                f"expected a value of type {element} or {expected}, got {self.value.type}"
            )
        if self.mask is not None and self.mask.type != VectorType(i1, lanes):
            expected = VectorType(i1, lanes)
            raise VerifyException(f"expected a mask of type {expected}, got {self.mask.type}")
        verify_writable(pointer)


@irdl_op_definition
class LaneBitsOp(IRDLOperation):
    """A number with bit l set for each lane l that is on, of at most 64:
    `%b = wg.lane_bits %m : vector<16xi1>`."""

    name = "wg.lane_bits"

    mask = operand_def(VectorType)
    result = result_def(i64)

    traits = traits_def(Pure())

    assembly_format = "$mask attr-dict `:` type($mask)"

    def __init__(self, mask: SSAValue):
        super().__init__(operands=[mask], result_types=[i64])

    def verify_(self) -> None:
        assert isinstance(self.mask.type, VectorType)
        if self.mask.type.element_type != i1 or self.mask.type.element_count() > 64:
            raise VerifyException(f"expected a mask of at most 64 i1, got {self.mask.type}")


@irdl_op_definition
class AnyLaneOp(IRDLOperation):
    """Whether any lane of a mask is active: `%b = wg.any_lane %m : vector<16xi1>`."""

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
