"""`ocl-expand-sub-groups`: queries of sub-groups become arithmetic on local ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.ocl import SubGroupField, sub_group_size_of
from polycl.lowering.build import Build


@dataclass(frozen=True)
class OclExpandSubGroupsPass(ModulePass):
    """Compute each `ocl.sub_group` of a kernel from the local ids and the local size.

    A sub-group is a row of 16 work-items (or of as many as the kernel requires) in the order of
    their linear local ids. For a local size of 64x4:

    ```
                                              %x = ocl.local_id 0 : index
    %n = ocl.sub_group local_id : index  ->   %y = ocl.local_id 1 : index
                                              %linear = %y * 64 + %x
                                              %n = arith.andi %linear, %c15 : index
    ```
    """

    name = "ocl-expand-sub-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [k for k in op.walk() if isinstance(k, ocl.KernelOp)]:
            width = sub_group_size_of(kernel)
            for query in [q for q in kernel.body.walk() if isinstance(q, ocl.SubGroupOp)]:
                value = _value(Build(query), query.field.data, kernel, width)
                Rewriter.replace_op(query, [], [value])


def _value(build: Build, field: SubGroupField, kernel: ocl.KernelOp, width: int) -> SSAValue:
    if field is SubGroupField.MAX_SIZE:
        return build.index(width)
    sizes = _sizes(build, kernel)
    if field in (SubGroupField.COUNT, SubGroupField.ENQUEUED_COUNT):
        rounded = build.add(group_size(build, sizes), build.index(width - 1))
        return build.emit(arith.DivUIOp(rounded, build.index(width)))
    ids = [build.emit(ocl.LocalIdOp(dimension)) for dimension in range(3)]
    linear = linear_id(build, ids, sizes)
    match field:
        case SubGroupField.ID:
            return build.emit(arith.DivUIOp(linear, build.index(width)))
        case SubGroupField.LOCAL_ID:
            return build.and_(linear, build.index(width - 1))
        case _:
            left = build.sub(group_size(build, sizes), build.and_(linear, build.index(-width)))
            return build.min(left, build.index(width), signed=False)


def _sizes(build: Build, kernel: ocl.KernelOp) -> Sequence[SSAValue]:
    if kernel.required_size is not None:
        return [build.index(size) for size in kernel.required_size]
    return [build.emit(ocl.LocalSizeOp(dimension)) for dimension in range(3)]


def group_size(build: Build, sizes: Sequence[SSAValue]) -> SSAValue:
    """The number of work-items of a group."""
    numbers = [constant_index(size) for size in sizes]
    if None not in numbers:
        x, y, z = (number or 0 for number in numbers)
        return build.index(x * y * z)
    return build.mul(build.mul(sizes[0], sizes[1]), sizes[2])


def linear_id(build: Build, ids: Sequence[SSAValue], sizes: Sequence[SSAValue]) -> SSAValue:
    """(z * Ly + y) * Lx + x, without the dimensions of size 1."""
    total: SSAValue | None = None
    for id, size in zip(reversed(ids), reversed(sizes), strict=True):
        if constant_index(size) == 1:
            continue
        total = id if total is None else build.add(build.mul(total, size), id)
    return build.index(0) if total is None else total
