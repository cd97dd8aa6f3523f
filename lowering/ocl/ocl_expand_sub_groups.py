"""`ocl-expand-sub-groups`: queries of sub-groups become arithmetic on local ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import SubGroupField, sub_group_size_of
from polycl.dialects.ocl.kernel import ENQUEUED_LOCAL_SIZE, NON_UNIFORM
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
        for kernel in functions_of(op, ocl.KernelOp):
            width = sub_group_size_of(kernel)
            for query in operations_of(kernel.body, ocl.SubGroupOp):
                value = _value(Build(query), query.field.data, kernel, width)
                Rewriter.replace_op(query, [], [value])


def _value(build: Build, field: SubGroupField, kernel: ocl.KernelOp, width: int) -> SSAValue:
    if field is SubGroupField.MAX_SIZE:
        return build.index(width)
    sizes = _sizes(build, kernel, enqueued=field is SubGroupField.ENQUEUED_COUNT)
    if field in (SubGroupField.COUNT, SubGroupField.ENQUEUED_COUNT):
        rounded = build.add(group_size(build, sizes), build.index(width - 1))
        return build.emit(arith.DivUIOp(rounded, build.index(width)))
    ids = [build.emit(ocl.LocalIdOp(dimension)) for dimension in range(3)]
    match field:
        case SubGroupField.ID:
            return build.emit(arith.DivUIOp(linear_id(build, ids, sizes), build.index(width)))
        case SubGroupField.LOCAL_ID:
            rest = ids[0] if _rows_are_whole(sizes, width) else linear_id(build, ids, sizes)
            return build.and_(rest, build.index(width - 1))
        case _:
            first = first_of_sub_group(build, ids, sizes, width)
            left = build.sub(group_size(build, sizes), first)
            return build.min(left, build.index(width), signed=False)


def _sizes(build: Build, kernel: ocl.KernelOp, *, enqueued: bool) -> Sequence[SSAValue]:
    """The local size of the group, or the one given at the launch."""
    given = kernel.attributes.get(ENQUEUED_LOCAL_SIZE)
    if enqueued and isinstance(given, DenseArrayBase):
        return [build.index(int(size)) for size in given.get_values()]
    # The last groups may be smaller than the required size, unless the kernel is specialised.
    if kernel.required_size is not None and (NON_UNIFORM not in kernel.attributes or given):
        return [build.index(size) for size in kernel.required_size]
    query = ocl.EnqueuedLocalSizeOp if enqueued else ocl.LocalSizeOp
    return [build.emit(query(dimension)) for dimension in range(3)]


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


def first_of_sub_group(
    build: Build, ids: Sequence[SSAValue], sizes: Sequence[SSAValue], width: int
) -> SSAValue:
    """The linear id of the first work-item of the sub-group."""
    if not _rows_are_whole(sizes, width):
        return build.and_(linear_id(build, ids, sizes), build.index(-width))
    # Along x: the passes for vectors know that neighbours have the same one.
    first = build.and_(ids[0], build.index(-width))
    return linear_id(build, [first, *ids[1:]], sizes)


def _rows_are_whole(sizes: Sequence[SSAValue], width: int) -> bool:
    """Whether each row along x consists of whole sub-groups."""
    number = constant_index(sizes[0])
    return number is not None and number % width == 0 or _is_row(sizes)


def _is_row(sizes: Sequence[SSAValue]) -> bool:
    return all(constant_index(size) == 1 for size in sizes[1:])
