"""Synchronisation between work-items: barriers, fences, atomics, async copies; and printf."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import (
    AddressSpace,
    AtomicKind,
    AtomicKindAttr,
    EventType,
    FenceOrder,
    FenceOrderAttr,
    PtrType,
    is_scalar,
    is_vector,
)
from polycl.dialects.ocl.kernel import KernelOp
from polycl.dialects.ocl.memory import POINTEE, POINTER_TO_T, pointer_type
from polycl.dialects.parents import parents


def _unit(flag: bool) -> UnitAttr | None:
    return UnitAttr() if flag else None


@irdl_op_definition
class CommitCopiesOp(IRDLOperation):
    """`ocl.commit_copies`: the asynchronous copies of the work-item since the last one are a group.

    A store with the attribute `ocl.async` of a value that is loaded for it alone is an asynchronous
    copy: it ends before a later `ocl.wait_copies` says so, or at once. No OpenCL C has it; it is
    `cp.async` of NVIDIA's GPUs.
    """

    name = "ocl.commit_copies"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


@irdl_op_definition
class WaitCopiesOp(IRDLOperation):
    """`ocl.wait_copies 1`: of the work-item's groups of copies at most the last one goes on.

    `ocl.wait_copies 1 for_products`: after a barrier `ocl.wgmma` sees them, too.
    """

    name = "ocl.wait_copies"

    pending = prop_def(IntegerAttr)
    for_products = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$pending (`for_products` $for_products^)? attr-dict"

    def __init__(self, pending: int, *, for_products: bool = False):
        properties = {"pending": IntegerAttr(pending, i64), "for_products": _unit(for_products)}
        super().__init__(properties=properties)


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """`ocl.barrier local global`: no work-item of the group continues before all have arrived.

    The words name the memory whose accesses are made visible (OpenCL 1.2, section 6.12.8). With
    `sub_group`, the group is the sub-group (OpenCL C 3.0, section 6.15.8).
    """

    name = "ocl.barrier"

    sub_group = opt_prop_def(UnitAttr)
    local = opt_prop_def(UnitAttr)
    global_ = opt_prop_def(UnitAttr, prop_name="global")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "(`sub_group` $sub_group^)? (`local` $local^)? (`global` $global^)? attr-dict"

    def __init__(self, *, local: bool = False, global_: bool = False, sub_group: bool = False):
        super().__init__(
            properties={
                "sub_group": _unit(sub_group),
                "local": _unit(local),
                "global": _unit(global_),
            }
        )

    @property
    def is_sub_group(self) -> bool:
        return self.sub_group is not None

    def verify_(self) -> None:
        for parent in parents(self):
            if isinstance(parent, KernelOp | FuncOp):
                return
            if isinstance(parent, ModuleOp) or parent.name.startswith("wg."):
                raise VerifyException(
                    "a barrier must be in an ocl.kernel or in a function that one calls, "
                    f"found in '{parent.name}'"
                )


@irdl_op_definition
class FenceOp(IRDLOperation):
    """`ocl.fence acq_rel local global`: orders one work-item's accesses (OpenCL 1.2, 6.12.9)."""

    name = "ocl.fence"

    order = prop_def(FenceOrderAttr)
    local = opt_prop_def(UnitAttr)
    global_ = opt_prop_def(UnitAttr, prop_name="global")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$order (`local` $local^)? (`global` $global^)? attr-dict"

    def __init__(self, order: FenceOrder, *, local: bool = False, global_: bool = False):
        super().__init__(
            properties={
                "order": FenceOrderAttr(order),
                "local": _unit(local),
                "global": _unit(global_),
            }
        )


def _verify_atomic_pointer(type: PtrType) -> None:
    if type.address_space in (AddressSpace.PRIVATE, AddressSpace.CONSTANT):
        raise VerifyException(
            f"an atomic works on global or local memory, got a {type.address_space.value} pointer"
        )


FLOAT_ATOMICS = (AtomicKind.FADD, AtomicKind.FMIN, AtomicKind.FMAX)
"""The kinds for floats (cl_ext_float_atomics)."""


def _is_word(type: Attribute) -> bool:
    return isinstance(type, IntegerType) and type.width.data in (8, 16, 32, 64)


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Atomic read-modify-write; the result is the old value (OpenCL 1.2, section 6.12.11).

    `%old = ocl.atomic_rmw add %p, %v : !ocl.ptr<i32, global>`
    """

    name = "ocl.atomic_rmw"

    kind = prop_def(AtomicKindAttr)
    pointer = operand_def(POINTER_TO_T)
    value = operand_def(POINTEE)
    result = result_def(POINTEE)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$kind $pointer `,` $value attr-dict `:` type($pointer)"

    def __init__(self, kind: AtomicKind, pointer: SSAValue, value: SSAValue):
        super().__init__(
            operands=[pointer, value],
            properties={"kind": AtomicKindAttr(kind)},
            result_types=[value.type],
        )

    def verify_(self) -> None:
        _verify_atomic_pointer(pointer_type(self.pointer))
        kind, type = self.kind.data, self.value.type
        is_float = isinstance(type, Float32Type | Float64Type)
        if not (is_float or _is_word(type)):
            raise VerifyException(f"an atomic works on 8, 16, 32 or 64 bits, got {type}")
        if is_float and kind not in (AtomicKind.XCHG, *FLOAT_ATOMICS):
            raise VerifyException(f"atomic {kind.value} works on integers, got {type}")
        if not is_float and kind in FLOAT_ATOMICS:
            raise VerifyException(f"atomic {kind.value} works on floats, got {type}")


@irdl_op_definition
class AtomicCmpXchgOp(IRDLOperation):
    """Atomic compare and exchange; the result is the old value (OpenCL 1.2, section 6.12.11).

    `%old = ocl.atomic_cmpxchg %p, %expected, %new : !ocl.ptr<i32, global>`
    """

    name = "ocl.atomic_cmpxchg"

    pointer = operand_def(POINTER_TO_T)
    expected = operand_def(POINTEE)
    desired = operand_def(POINTEE)
    result = result_def(POINTEE)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$pointer `,` $expected `,` $desired attr-dict `:` type($pointer)"

    def __init__(self, pointer: SSAValue, expected: SSAValue, desired: SSAValue):
        super().__init__(operands=[pointer, expected, desired], result_types=[expected.type])

    def verify_(self) -> None:
        _verify_atomic_pointer(pointer_type(self.pointer))
        type = self.expected.type
        if not _is_word(type):
            raise VerifyException(f"compare and exchange works on 8, 16, 32 or 64 bits, got {type}")


OWN = "ocl.own"
"""On an atomic operation: no other thread sees the memory while the launch runs."""


def is_own_atomic(op: AtomicRMWOp | AtomicCmpXchgOp) -> bool:
    """Whether only the thread that runs the group sees the memory in the meantime."""
    is_local = pointer_type(op.pointer).address_space is AddressSpace.LOCAL
    return is_local or OWN in op.attributes


@irdl_op_definition
class AsyncCopyOp(IRDLOperation):
    """The group copies `count` elements from `source` to `target` (OpenCL 1.2, 6.12.10).

    `%e = ocl.async_copy %dst, %src, %n, %e0 : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>`

    With `stride %s`, the side in global memory moves by s elements at each step. All work-items
    of a group reach it with the same operands.
    """

    name = "ocl.async_copy"

    target = operand_def(PtrType)
    source = operand_def(PtrType)
    count = operand_def(IndexType)
    event = operand_def(EventType)
    stride = opt_operand_def(IndexType)
    result = result_def(EventType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$target `,` $source `,` $count `,` $event (`stride` $stride^)? attr-dict "
        "`:` type($target) `,` type($source)"
    )

    def __init__(
        self,
        target: SSAValue,
        source: SSAValue,
        count: SSAValue,
        event: SSAValue,
        stride: SSAValue | None = None,
    ):
        super().__init__(
            operands=[target, source, count, event, stride], result_types=[EventType()]
        )

    def verify_(self) -> None:
        target, source = pointer_type(self.target), pointer_type(self.source)
        spaces = {target.address_space, source.address_space}
        if spaces != {AddressSpace.LOCAL, AddressSpace.GLOBAL}:
            raise VerifyException(
                "an async copy goes between local and global memory, got "
                f"{source.address_space.value} to {target.address_space.value}"
            )
        if target.pointee != source.pointee:
            raise VerifyException(f"copies {source.pointee} to {target.pointee}")


@irdl_op_definition
class WaitEventsOp(IRDLOperation):
    """Wait for async copies: `ocl.wait_events %n, %events : !ocl.ptr<!ocl.event, private>`.

    All work-items of a group reach it (OpenCL 1.2, section 6.12.10).
    """

    name = "ocl.wait_events"

    count = operand_def(IndexType)
    events = operand_def(PtrType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$count `,` $events attr-dict `:` type($events)"

    def __init__(self, count: SSAValue, events: SSAValue):
        super().__init__(operands=[count, events])

    def verify_(self) -> None:
        if pointer_type(self.events).pointee != EventType():
            raise VerifyException(f"expected a pointer to events, got {self.events.type}")


@irdl_op_definition
class PrintfOp(IRDLOperation):
    """Formatted output of one work-item (OpenCL 1.2, section 6.12.13); the result is a status.

    `%r = ocl.printf "%d %v4hlf\\n"(%i, %v) : (i32, vector<4xf32>) -> i32`

    A `%s` argument is a pointer to constant characters; the importer puts a string literal into the
    format.
    """

    name = "ocl.printf"

    format = prop_def(StringAttr)
    arguments = var_operand_def()
    result = result_def(i32)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$format `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)"
    )

    def __init__(self, format: str, arguments: Sequence[SSAValue]):
        super().__init__(
            operands=[arguments],
            properties={"format": StringAttr(format)},
            result_types=[i32],
        )

    def verify_(self) -> None:
        for argument in self.arguments:
            type = argument.type
            if not (is_scalar(type) or is_vector(type) or isinstance(type, PtrType)):
                raise VerifyException(f"cannot print a value of type {type}")
