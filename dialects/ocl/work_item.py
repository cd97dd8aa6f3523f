"""Work-item queries (OpenCL 1.2, section 6.12.1). Ids do not wrap: a launch checks their range."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import I32, IndexType, IntegerAttr, i32
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


class _DimensionQuery(IRDLOperation):
    """A query of one dimension of the NDRange."""

    dim = prop_def(IntegerAttr[I32])
    result = result_def(IndexType)

    traits = traits_def(Pure())

    assembly_format = "$dim attr-dict `:` type($result)"

    def __init__(self, dim: int):
        super().__init__(properties={"dim": IntegerAttr(dim, i32)}, result_types=[IndexType()])

    @property
    def dimension(self) -> int:
        """0, 1 or 2."""
        return self.dim.value.data

    def verify_(self) -> None:
        if not 0 <= self.dimension < 3:
            raise VerifyException(f"dimension must be 0, 1 or 2, got {self.dimension}")


@irdl_op_definition
class GlobalIdOp(_DimensionQuery):
    """`%i = ocl.global_id 0 : index`: the work-item's id in the NDRange, offset included."""

    name = "ocl.global_id"


@irdl_op_definition
class LocalIdOp(_DimensionQuery):
    """`%i = ocl.local_id 0 : index`: the work-item's id in its work-group."""

    name = "ocl.local_id"


@irdl_op_definition
class GroupIdOp(_DimensionQuery):
    """`%i = ocl.group_id 0 : index`: the work-group's id."""

    name = "ocl.group_id"


@irdl_op_definition
class GlobalSizeOp(_DimensionQuery):
    """`%n = ocl.global_size 0 : index`: the number of work-items."""

    name = "ocl.global_size"


@irdl_op_definition
class LocalSizeOp(_DimensionQuery):
    """`%n = ocl.local_size 0 : index`: the number of work-items in this work-group."""

    name = "ocl.local_size"


@irdl_op_definition
class EnqueuedLocalSizeOp(_DimensionQuery):
    """`%n = ocl.enqueued_local_size 0 : index`: the local size given at the launch, that of every
    group which is not the last of a non-uniform launch."""

    name = "ocl.enqueued_local_size"


@irdl_op_definition
class NumGroupsOp(_DimensionQuery):
    """`%n = ocl.num_groups 0 : index`: the number of work-groups."""

    name = "ocl.num_groups"


@irdl_op_definition
class GlobalOffsetOp(_DimensionQuery):
    """`%n = ocl.global_offset 0 : index`: the offset given at the launch."""

    name = "ocl.global_offset"


@irdl_op_definition
class WorkDimOp(IRDLOperation):
    """`%n = ocl.work_dim : index`: the number of dimensions of the launch."""

    name = "ocl.work_dim"

    result = result_def(IndexType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self) -> None:
        super().__init__(result_types=[IndexType()])


DimensionQuery: TypeAlias = (
    GlobalIdOp
    | LocalIdOp
    | GroupIdOp
    | GlobalSizeOp
    | LocalSizeOp
    | EnqueuedLocalSizeOp
    | NumGroupsOp
    | GlobalOffsetOp
)
