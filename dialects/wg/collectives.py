"""Collective functions: operations of the whole group on context arrays.

A row is `width` consecutive slots in the order of linear local ids, `(z * Ly + y) * Lx + x`; the
last one may have fewer. With `active %m`, only the slots of work-items whose flag in %m is set
count.
"""

from __future__ import annotations

from xdsl.dialects.builtin import I32, IndexType, IntegerAttr, UnitAttr, i1, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.collectives import CombineKind, CombineKindAttr, verify_combination
from polycl.dialects.wg.attributes import ContextType

_T: VarConstraint = VarConstraint("T", AnyAttr())
_CONTEXT_OF_T = ParamAttrConstraint(ContextType, (_T,))


@irdl_op_definition
class PeekOp(IRDLOperation):
    """The slot of the work-item with a linear local id: `%v = wg.peek %c[%i] : !wg.context<f32>`.

    Without a work-item of that id, the value is undefined.
    """

    name = "wg.peek"

    context = operand_def(_CONTEXT_OF_T)
    index = operand_def(IndexType)
    result = result_def(_T)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$context `[` $index `]` attr-dict `:` type($context)"

    def __init__(self, context: SSAValue, index: SSAValue):
        assert isinstance(context.type, ContextType)
        super().__init__(operands=[context, index], result_types=[context.type.element])


class Combination(IRDLOperation):
    """The slots of `source`, combined by `kind`; in rows of `width`."""

    kind = prop_def(CombineKindAttr)
    width = prop_def(IntegerAttr[I32])
    source = operand_def(_CONTEXT_OF_T)
    active = opt_operand_def(ContextType(i1))

    @property
    def row(self) -> int:
        """The number of slots of a row."""
        return int(self.width.value.data)

    def verify_(self) -> None:
        assert isinstance(self.source.type, ContextType)
        verify_combination(self.kind.data, self.source.type.element)
        if self.row not in (1, 2, 4, 8, 16, 32):
            raise VerifyException(f"a row has a power of two of slots up to 32, got {self.row}")


@irdl_op_definition
class ReduceOp(Combination):
    """All slots, combined: `%r = wg.reduce add 16 %c : !wg.context<f32>`.

    The rows are combined element by element, then the halves of the row that is left, and so on.
    """

    name = "wg.reduce"

    result = result_def(_T)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$kind $width $source (`active` $active^)? attr-dict `:` type($source)"

    def __init__(
        self, kind: CombineKind, width: int, source: SSAValue, active: SSAValue | None = None
    ):
        assert isinstance(source.type, ContextType)
        super().__init__(
            operands=[source, active],
            properties={"kind": CombineKindAttr(kind), "width": IntegerAttr(width, i32)},
            result_types=[source.type.element],
        )


@irdl_op_definition
class ReduceRowsOp(Combination):
    """Each row, combined, into each of its slots of another array: halves first, then quarters.

    `wg.reduce_rows add 16 %c to %d : !wg.context<f32>`
    """

    name = "wg.reduce_rows"

    target = operand_def(_CONTEXT_OF_T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$kind $width $source `to` $target (`active` $active^)? attr-dict `:` type($source)"
    )

    def __init__(
        self,
        kind: CombineKind,
        width: int,
        source: SSAValue,
        target: SSAValue,
        active: SSAValue | None = None,
    ):
        super().__init__(
            operands=[target, source, active],
            properties={"kind": CombineKindAttr(kind), "width": IntegerAttr(width, i32)},
        )


@irdl_op_definition
class ScanOp(Combination):
    """The slots up to each one, combined, into its slot of another array.

    `wg.scan add 16 %c to %d : !wg.context<f32>` scans each row on its own, `wg.scan whole exclusive
    add 16 ...` the whole group, and leaves out the own slot.
    """

    name = "wg.scan"

    whole = opt_prop_def(UnitAttr)
    exclusive = opt_prop_def(UnitAttr)
    target = operand_def(_CONTEXT_OF_T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "(`whole` $whole^)? (`exclusive` $exclusive^)? $kind $width $source `to` $target "
        "(`active` $active^)? attr-dict `:` type($source)"
    )

    def __init__(
        self,
        kind: CombineKind,
        width: int,
        source: SSAValue,
        target: SSAValue,
        active: SSAValue | None = None,
        *,
        whole: bool = False,
        exclusive: bool = False,
    ):
        super().__init__(
            operands=[target, source, active],
            properties={
                "kind": CombineKindAttr(kind),
                "width": IntegerAttr(width, i32),
                "whole": UnitAttr() if whole else None,
                "exclusive": UnitAttr() if exclusive else None,
            },
        )
