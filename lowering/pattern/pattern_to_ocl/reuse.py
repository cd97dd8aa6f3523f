"""Cleanup of a complete kernel: dead code, and its local and private memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import Kernel
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import Buffer

_KEPT = (
    ocl.StoreOp,
    ocl.VStoreOp,
    ocl.BarrierOp,
    ocl.CommitCopiesOp,
    ocl.WaitCopiesOp,
    ocl.WgmmaOp,
)


def remove_dead_code(kernel: Kernel) -> None:
    """Remove operations that no store needs; views generate some."""

    def clean(block: Block) -> None:
        for op in reversed(list(block.ops)):
            for region in op.regions:
                for nested in region.blocks:
                    clean(nested)
            is_needed = (
                op.name == "scf.yield"
                or isinstance(op, _KEPT)
                or any(result.uses for result in op.results)
                or any(_has_effects(region.block) for region in op.regions)
            )
            if not is_needed:
                kernel.accesses.pop(op, None)
                Rewriter.erase_op(op)

    clean(kernel.block)


def _has_effects(block: Block) -> bool:
    return any(isinstance(op, _KEPT) for op in block.walk())


def reuse_local_memory(kernel: Kernel) -> None:
    """Let local buffers that are not live at the same time share memory.

    Two buffers are enough for an `iterate` of any number of iterations.
    """
    order = {op: i for i, op in enumerate(kernel.block.walk())}
    ranges: list[tuple[int, int, Buffer]] = []
    for buffer in kernel.allocations:
        if buffer.space is AddressSpace.LOCAL:
            uses = [op for op, access in kernel.accesses.items() if access.buffer is buffer]
            if uses:
                ranges.append((*_live_range(uses, order), buffer))
    slots: list[tuple[int, list[Buffer]]] = []
    for start, end, buffer in sorted(ranges, key=lambda r: r[:2]):
        for i, (last, buffers) in enumerate(slots):
            if last < start and buffers[0].element == buffer.element:
                slots[i] = (end, [*buffers, buffer])
                break
        else:
            slots.append((end, [buffer]))
    for _, buffers in slots:
        _merge(kernel, buffers)


def _live_range(uses: Sequence[Operation], order: dict[Operation, int]) -> tuple[int, int]:
    """From the first to the last operation of the innermost block that has all uses in it."""
    chains = [_ancestors(op) for op in uses]
    depth = 0
    while all(len(c) > depth + 1 for c in chains) and len({c[depth] for c in chains}) == 1:
        depth += 1
    # At this depth the uses are in different operations, or there is only one.
    tops = [chain[min(depth, len(chain) - 1)] for chain in chains]
    first = min(order[op] for op in tops)
    last = max(order[nested] for op in tops for nested in op.walk())
    return first, last


def _ancestors(op: Operation) -> list[Operation]:
    """The operations around `op` in the kernel, the outermost first, and itself."""
    chain = [op]
    while (parent := chain[0].parent_op()) is not None:
        chain.insert(0, parent)
    return chain


def _merge(kernel: Kernel, buffers: Sequence[Buffer]) -> None:
    """Replace several buffers by the first one."""
    kept, *others = buffers
    sizes = [buffer.size.constant or 0 for buffer in buffers]
    allocation, cast = kernel.allocations.pop(kept)
    if others:
        larger = ocl.LocalAllocOp(ocl.ArrayType(max(sizes), kept.element))
        larger.result.name_hint = kept.name
        allocation.results[0].replace_all_uses_with(larger.result)
        allocation = larger
    for other in others:
        old, old_cast = kernel.allocations.pop(other)
        old_cast.results[0].replace_all_uses_with(cast.results[0])
        old_cast.erase()
        old.erase()
        for op, access in kernel.accesses.items():
            if access.buffer is other:
                kernel.accesses[op] = replace(access, buffer=kept)
    kernel.allocations[kept] = (allocation, cast)


def split_private_arrays(kernel: Kernel) -> None:
    """Private arrays with constant indices become a variable for each element, a register.

    An array that is written as vectors has a variable for each vector.
    """
    for buffer in list(kernel.allocations):
        if buffer.space is AddressSpace.PRIVATE:
            allocation, cast = kernel.allocations[buffer]
            if _split(kernel, buffer, cast.results[0]):
                Rewriter.erase_op(cast)
                Rewriter.erase_op(allocation)
                del kernel.allocations[buffer]


def _split(kernel: Kernel, buffer: Buffer, pointer: SSAValue) -> bool:
    uses = [use.operation for use in pointer.uses]
    places = [_place(op) for op in uses]
    known = [place for place in places if place is not None]
    lanes = max((lanes for _, lanes in known), default=1)
    for op, place in zip(uses, places, strict=True):
        is_load = isinstance(op, ocl.LoadOp)
        if place is None or place[1] != lanes and not (place[1] == 1 and is_load):
            return False
    variables: dict[int, SSAValue] = {}

    def variable(number: int) -> SSAValue:
        if number not in variables:
            type = VectorType(buffer.element, [lanes]) if lanes > 1 else buffer.element
            new = ocl.AllocaOp(type)
            new.result.name_hint = buffer.name
            first = kernel.block.first_op
            assert first is not None
            kernel.block.insert_op_before(new, first)
            variables[number] = new.result
        return variables[number]

    _rewrite_accesses(uses, known, lanes, variable)
    for value in variables.values():
        _forward(value)
    return True


def _rewrite_accesses(
    uses: Sequence[Operation],
    places: Sequence[tuple[int, int]],
    lanes: int,
    variable: Callable[[int], SSAValue],
) -> None:
    """Access variables of `lanes` scalars in the place of an array."""
    for op, (index, count) in zip(uses, places, strict=True):
        match op:
            case ocl.StoreOp() | ocl.VStoreOp():
                Rewriter.replace_op(op, ocl.StoreOp(op.value, variable(index)))
            case _ if count == lanes:
                Rewriter.replace_op(op, ocl.LoadOp(variable(index)))
            case _:
                load = ocl.LoadOp(variable(index // lanes))
                scalar = op.results[0].type
                element = vector.ExtractOp(load.result, [index % lanes], scalar)
                Rewriter.replace_op(op, [load, element], [element.result])


def _forward(variable: SSAValue) -> None:
    """A variable that is written once, before it is read, is the value that is written."""
    uses = [use.operation for use in variable.uses]
    stores = [op for op in uses if isinstance(op, ocl.StoreOp)]
    loads = [op for op in uses if isinstance(op, ocl.LoadOp)]
    if len(stores) != 1 or not all(_is_behind(load, stores[0]) for load in loads):
        return
    for load in loads:
        Rewriter.replace_op(load, [], [stores[0].value])
    Rewriter.erase_op(stores[0])
    assert isinstance(variable.owner, Operation)
    Rewriter.erase_op(variable.owner)


def _is_behind(op: Operation, first: Operation) -> bool:
    """Whether `first` has run whenever `op` runs."""
    where: Operation | None = op
    while where is not None and where.parent is not first.parent:
        where = where.parent_op()
    return where is not None and first.is_before_in_block(where)


def _place(op: Operation) -> tuple[int, int] | None:
    """The constant index of an access in units of its size, and how many scalars it is for."""
    match op:
        case ocl.LoadOp() | ocl.StoreOp() if op.index is not None:
            index, lanes = op.index, 1
        case ocl.VLoadOp():
            assert isinstance(op.result.type, VectorType)
            index, lanes = op.index, op.result.type.element_count()
        case ocl.VStoreOp():
            assert isinstance(op.value.type, VectorType)
            index, lanes = op.index, op.value.type.element_count()
        case _:
            return None
    number = constant_value(index)
    return None if number is None else (number, lanes)
