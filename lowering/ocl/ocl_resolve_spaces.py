"""`ocl-resolve-spaces`: the address space of generic pointers is known, or found by addresses."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp, i1, i64
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import size_of
from polycl.errors import error_at
from polycl.lowering.build import Build


@dataclass(frozen=True)
class OclResolveSpacesPass(ModulePass):
    """Replace `ocl.is_in` by a constant where the pointer comes from one address space.

    ```
    %g = ocl.cast %p : ... local> to ... generic>
    %t = ocl.is_in local %g                         ->    %t = arith.constant true
    ```

    Elsewhere the address is compared with the kernel's own memory: a pointer to none of its local
    and private variables, and not null, points into global memory. Calls are inlined before.
    """

    name = "ocl-resolve-spaces"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [kernel for kernel in op.ops if isinstance(kernel, ocl.KernelOp)]:
            for query in operations_of(kernel, ocl.IsInOp):
                _resolve(query, kernel)


def _resolve(query: ocl.IsInOp, kernel: ocl.KernelOp) -> None:
    b = Build(query)
    found = _spaces(query.pointer)
    if found is None:
        result = _by_address(query, kernel, b)
    elif query.space not in found:
        result = b.constant(0, i1)
    elif found == {query.space}:
        result = b.constant(1, i1)
    elif found == {query.space, None}:
        result = _is_not_null(query.pointer, b)
    else:
        result = _by_address(query, kernel, b)
    query.result.replace_all_uses_with(result)
    Rewriter.erase_op(query)


def _spaces(pointer: SSAValue) -> set[AddressSpace | None] | None:
    """The spaces that a pointer comes from, with None for null; None if one is not known."""
    found: set[AddressSpace | None] = set()
    waiting, seen = [pointer], {pointer}
    while waiting:
        value = waiting.pop()
        space = ocl.space_of(value)
        if isinstance(value.owner, ocl.NullOp):
            found.add(None)
        elif space is not AddressSpace.GENERIC:
            found.add(space)
        else:
            sources = _sources(value)
            if sources is None:
                return None
            waiting += [source for source in sources if source not in seen]
            seen.update(sources)
    return found


def _sources(value: SSAValue) -> list[SSAValue] | None:
    """The pointers that a generic pointer is computed from; None if they are not known."""
    match value.owner:
        case ocl.CastOp(pointer=pointer) | ocl.OffsetOp(pointer=pointer):
            return [pointer]
        case ocl.MemberOp(pointer=pointer):
            return [pointer]
        case arith.SelectOp(lhs=first, rhs=second):
            return [first, second]
        case scf.IfOp() as branch if isinstance(value, OpResult):
            regions = [region for region in branch.regions if region.blocks]
            return [terminator(region.block).operands[value.index] for region in regions]
        case scf.ForOp() as loop if isinstance(value, OpResult):
            return [loop.iter_args[value.index], terminator(loop.body.block).operands[value.index]]
        case Block() as block:
            return _sources_of_argument(block, value)
        case _:
            return None


def _sources_of_argument(block: Block, value: SSAValue) -> list[SSAValue] | None:
    loop = block.parent_op()
    index = list(block.args).index(value)  # pyright: ignore[reportArgumentType]
    if isinstance(loop, scf.ForOp) and index > 0:
        return [loop.iter_args[index - 1], terminator(block).operands[index - 1]]
    return None


def _by_address(query: ocl.IsInOp, kernel: ocl.KernelOp, b: Build) -> SSAValue:
    if query.space is not AddressSpace.GLOBAL:
        return _points_into(query, kernel, query.space, b)
    result = _is_not_null(query.pointer, b)
    for space in (AddressSpace.LOCAL, AddressSpace.PRIVATE):
        other = _points_into(query, kernel, space, b)
        outside = b.emit(arith.XOrIOp(other, b.constant(1, i1)))
        result = b.emit(arith.AndIOp(result, outside))
    return result


def _is_not_null(pointer: SSAValue, b: Build) -> SSAValue:
    address = b.emit(ocl.PtrToIntOp(pointer))
    return b.emit(arith.CmpiOp(address, b.constant(0, i64), "ne"))


def _points_into(
    query: ocl.IsInOp, kernel: ocl.KernelOp, space: AddressSpace, b: Build
) -> SSAValue:
    """Whether the address is in one of the kernel's variables in `space`, or at its end."""
    address = b.emit(ocl.PtrToIntOp(query.pointer))
    result = b.constant(0, i1)
    for variable in _variables(query, kernel, space):
        start = b.emit(ocl.PtrToIntOp(variable))
        distance = b.emit(arith.SubiOp(address, start))
        size = b.constant(size_of(ocl.pointee_of(variable)), i64)
        is_inside = b.emit(arith.CmpiOp(distance, size, "ult"))
        result = b.emit(arith.OrIOp(result, is_inside))
    return result


def _variables(query: ocl.IsInOp, kernel: ocl.KernelOp, space: AddressSpace) -> list[SSAValue]:
    """The kernel's variables in local or private memory."""
    kind = ocl.LocalAllocOp if space is AddressSpace.LOCAL else ocl.AllocaOp
    of_caller = [
        argument
        for argument in kernel.body.blocks[0].args
        if isinstance(argument.type, ocl.PtrType) and ocl.space_of(argument) is space
    ]
    found: list[Operation] = operations_of(kernel, kind)
    if of_caller or any(op.parent is not kernel.body.blocks[0] for op in found):
        raise error_at(
            query,
            "the address space of this generic pointer is not known: it comes from memory or from "
            "several spaces, and the kernel has local memory of unknown size",
        )
    return [op.results[0] for op in found]
