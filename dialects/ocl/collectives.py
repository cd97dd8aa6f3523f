"""Collective functions of a work-group or a sub-group (OpenCL C 3.0, sections 6.15.16 and 6.15.19).

A sub-group is a row of at most `sub_group_size_of(kernel)` work-items whose linear local ids,
`(z * Ly + y) * Lx + x`, follow each other; the last one of a group may have fewer.
"""

from __future__ import annotations

from math import inf

from xdsl.dialects.builtin import I32, IndexType, IntegerAttr, IntegerType, UnitAttr, i32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from polycl.dialects.ocl.attributes import is_scalar, is_vector

SUB_GROUP_SIZES = (8, 16, 32)
"""The sizes that a kernel may require (cl_intel_required_subgroup_size)."""
SUB_GROUP_SIZE = 16
"""The size of the sub-groups of a kernel that requires none: 512 bits of 32-bit values."""
REQUIRED_SUB_GROUP_SIZE = "ocl.sub_group_size"
"""Key of a kernel's attribute (IntegerAttr): the size of its sub-groups."""


def sub_group_size_of(kernel: Operation) -> int:
    """The size of the sub-groups of an `ocl.kernel` or a `wg.func`, but for the last of a group."""
    required = kernel.attributes.get(REQUIRED_SUB_GROUP_SIZE)
    return int(required.value.data) if isinstance(required, IntegerAttr) else SUB_GROUP_SIZE


class GroupScope(StrEnum):
    WORK_GROUP = "work_group"
    SUB_GROUP = "sub_group"


class CombineKind(StrEnum):
    """How two values are combined; `min` and `max` of integers are signed."""

    ADD = "add"
    MUL = "mul"
    MIN = "min"
    MAX = "max"
    UMIN = "umin"
    UMAX = "umax"
    AND = "and"
    OR = "or"
    XOR = "xor"


FLOAT_KINDS = (CombineKind.ADD, CombineKind.MUL, CombineKind.MIN, CombineKind.MAX)


class SubGroupField(StrEnum):
    SIZE = "size"
    MAX_SIZE = "max_size"
    COUNT = "count"
    ENQUEUED_COUNT = "enqueued_count"
    ID = "id"
    LOCAL_ID = "local_id"


@irdl_attr_definition
class GroupScopeAttr(EnumAttribute[GroupScope], SpacedOpaqueSyntaxAttribute):
    name = "ocl.group_scope"


@irdl_attr_definition
class CombineKindAttr(EnumAttribute[CombineKind], SpacedOpaqueSyntaxAttribute):
    name = "ocl.combine_kind"


@irdl_attr_definition
class SubGroupFieldAttr(EnumAttribute[SubGroupField], SpacedOpaqueSyntaxAttribute):
    name = "ocl.sub_group_field"


def verify_combination(kind: CombineKind, type: Attribute) -> None:
    """Refuse a kind that has no meaning for values of `type`.

    Raises:
        VerifyException: naming both.
    """
    if not is_scalar(type):
        raise VerifyException(f"combines scalars of 8 to 64 bits, got {type}")
    if not isinstance(type, IntegerType) and kind not in FLOAT_KINDS:
        raise VerifyException(f"{kind.value} combines integers, got {type}")


def identity_of(kind: CombineKind, type: Attribute) -> int | float:
    """The value that combined with any other one gives that one."""
    if not isinstance(type, IntegerType):
        return {"add": -0.0, "mul": 1.0, "min": inf, "max": -inf}[kind.value]
    half = 1 << (type.width.data - 1)
    match kind:
        case CombineKind.MIN:
            return half - 1
        case CombineKind.MAX:
            return -half
        case CombineKind.UMIN | CombineKind.AND:
            return -1
        case CombineKind.MUL:
            return 1
        case _:
            return 0


_T: VarConstraint = VarConstraint("T", AnyAttr())


class Collective(IRDLOperation):
    """An operation that the work-items of a group execute together.

    With `non_uniform`, those that reach it take part (the extensions cl_khr_subgroup_*); without,
    all work-items of the group must reach it.
    """

    scope = prop_def(GroupScopeAttr)
    non_uniform = opt_prop_def(UnitAttr)
    value = operand_def(_T)
    result = result_def(_T)

    # As a barrier: it must not move to where other work-items are active.
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @property
    def is_sub_group(self) -> bool:
        return self.scope.data is GroupScope.SUB_GROUP

    def verify_(self) -> None:
        if self.non_uniform is not None and not self.is_sub_group:
            raise VerifyException("only operations of a sub-group can be non_uniform")


@irdl_op_definition
class GroupReduceOp(Collective):
    """The values of all work-items of the group, combined: the same result for all of them.

    `%r = ocl.group_reduce sub_group add %x : f32`

    Floats are combined in a fixed order: a work-group adds up its rows of sub-groups element by
    element; then the halves of a row are combined, then the quarters, and so on. With `cluster
    4`, each 4 consecutive work-items of the sub-group combine theirs.
    """

    name = "ocl.group_reduce"

    kind = prop_def(CombineKindAttr)
    cluster = opt_prop_def(IntegerAttr[I32])

    assembly_format = (
        "$scope $kind $value (`cluster` $cluster^)? (`non_uniform` $non_uniform^)? "
        "attr-dict `:` type($value)"
    )

    def __init__(
        self,
        scope: GroupScope,
        kind: CombineKind,
        value: SSAValue,
        *,
        cluster: int | None = None,
        non_uniform: bool = False,
    ):
        super().__init__(
            operands=[value],
            properties={
                "scope": GroupScopeAttr(scope),
                "kind": CombineKindAttr(kind),
                "cluster": None if cluster is None else IntegerAttr(cluster, i32),
                "non_uniform": UnitAttr() if non_uniform else None,
            },
            result_types=[value.type],
        )

    @property
    def cluster_size(self) -> int | None:
        return None if self.cluster is None else int(self.cluster.value.data)

    def verify_(self) -> None:
        super().verify_()
        verify_combination(self.kind.data, self.value.type)
        size = self.cluster_size
        if size is None:
            return
        if not self.is_sub_group:
            raise VerifyException("only a sub-group has clusters")
        if size not in (1, 2, 4, 8, 16, 32):
            raise VerifyException(f"a cluster has a power of two of work-items, got {size}")


@irdl_op_definition
class GroupScanOp(Collective):
    """The values of the work-items up to this one, combined, in the order of linear local ids.

    `%r = ocl.group_scan sub_group exclusive add %x : f32`

    With `exclusive` the own value is left out; the first work-item gets the identity: 0 for add,
    the largest number or infinity for min, and so on.
    """

    name = "ocl.group_scan"

    kind = prop_def(CombineKindAttr)
    exclusive = opt_prop_def(UnitAttr)

    assembly_format = (
        "$scope (`exclusive` $exclusive^)? $kind $value (`non_uniform` $non_uniform^)? "
        "attr-dict `:` type($value)"
    )

    def __init__(
        self,
        scope: GroupScope,
        kind: CombineKind,
        value: SSAValue,
        *,
        exclusive: bool = False,
        non_uniform: bool = False,
    ):
        super().__init__(
            operands=[value],
            properties={
                "scope": GroupScopeAttr(scope),
                "kind": CombineKindAttr(kind),
                "exclusive": UnitAttr() if exclusive else None,
                "non_uniform": UnitAttr() if non_uniform else None,
            },
            result_types=[value.type],
        )

    def verify_(self) -> None:
        super().verify_()
        verify_combination(self.kind.data, self.value.type)


@irdl_op_definition
class GroupShuffleOp(Collective):
    """The value of another work-item of the group.

    `%r = ocl.group_shuffle sub_group %x[%i] : f32`

    The index is a local id in the sub-group, modulo the size of sub-groups, or the linear local id
    in the work-group. The value of a work-item that does not take part is undefined.
    """

    name = "ocl.group_shuffle"

    index = operand_def(IndexType)

    assembly_format = (
        "$scope $value `[` $index `]` (`non_uniform` $non_uniform^)? attr-dict `:` type($value)"
    )

    def __init__(
        self, scope: GroupScope, value: SSAValue, index: SSAValue, *, non_uniform: bool = False
    ):
        super().__init__(
            operands=[index, value],
            properties={
                "scope": GroupScopeAttr(scope),
                "non_uniform": UnitAttr() if non_uniform else None,
            },
            result_types=[value.type],
        )

    def verify_(self) -> None:
        super().verify_()
        if not (is_scalar(self.value.type) or is_vector(self.value.type)):
            raise VerifyException(f"work-items pass scalars and vectors on, got {self.value.type}")


@irdl_op_definition
class SubGroupOp(IRDLOperation):
    """A query of the sub-groups: `%n = ocl.sub_group local_id : index`.

    `size` is that of this sub-group, `max_size` that of all but the last one of a group, `id` its
    number in the work-group, `local_id` the work-item's number in it; `count` and
    `enqueued_count` are the numbers of sub-groups of a work-group, of this one and of the launch.
    """

    name = "ocl.sub_group"

    field = prop_def(SubGroupFieldAttr)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    assembly_format = "$field attr-dict `:` type($result)"

    def __init__(self, field: SubGroupField):
        super().__init__(properties={"field": SubGroupFieldAttr(field)}, result_types=[IndexType()])
