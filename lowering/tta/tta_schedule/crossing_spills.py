"""Spills values that are live in more than one block, if there are not enough registers.

Each such value gets a word in memory. It is stored where it is computed, a block argument at the
end of the predecessors. Each other block that reads it loads it before the first reader.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import Float32Type, IntegerAttr, IntegerType, i1, i32
from xdsl.ir import Block, Operation, SSAValue

from polycl.dialects.tta import LoadOp, Machine, StoreOp
from polycl.lowering.tta.tta_schedule.build_graph import SAME_BITS, source_of
from polycl.lowering.tta.tta_schedule.registers import Point, edges, live_at


def spill_crossing(
    function: func.FuncOp, machine: Machine, spare: int, slots: Iterator[int]
) -> dict[SSAValue, int]:
    """Spills values until `spare` registers for words are free at all block boundaries.

    Returns the address of each value that is spilled.
    """
    at = live_at(function)
    limit = sum(len(f.allocatable) for f in machine.register_files if f.width == 32) - spare
    narrow = sum(len(f.allocatable) for f in machine.register_files if f.width == 1)
    narrow -= len(machine.guard_registers)
    spilled = {value: next(slots) for value in _chosen(function, at, limit, narrow)}
    for value, address in spilled.items():
        _spill(function, value, address)
    return spilled


def _chosen(
    function: func.FuncOp, at: Mapping[Point, Mapping[SSAValue, SSAValue]], limit: int, narrow: int
) -> list[SSAValue]:
    """The values with the least spill cost: few accesses for a long live range."""
    points: dict[SSAValue, int] = defaultdict(int)
    for values in at.values():
        for value in values:
            points[value] += 1
    depth = _depths(list(function.body.blocks))
    cost = {value: _cost(value, depth) / points[value] for value in points}
    chosen: dict[SSAValue, None] = {}
    first = function.body.blocks[0]
    for (block, is_end), values in at.items():
        if block is first and not is_end:
            continue  # the arguments of the function
        left = [value for value in values if value not in chosen]
        truths = sum(value.type == i1 for value in left)
        excess = len(left) - truths + max(0, truths - narrow) - limit
        words = [value for value in left if value.type != i1 or truths > narrow]
        # The order of `words` is that of the program, and sorting keeps it.
        chosen.update(dict.fromkeys(sorted(words, key=cost.__getitem__)[: max(0, excess)]))
    return list(chosen)


def _cost(value: SSAValue, depth: Mapping[Block, int]) -> int:
    """The loads and stores of a spilled value, where each loop around one counts tenfold."""
    blocks = {owner for use in value.uses if (owner := use.operation.parent) is not None}
    definer = value.owner if isinstance(value.owner, Block) else value.owner.parent
    assert definer is not None
    return 10 ** depth[definer] + sum(10 ** depth[block] for block in blocks)


def _depths(blocks: list[Block]) -> dict[Block, int]:
    """The loop depth of each block: a loop spans from the target of a back edge to its source."""
    position = {block: i for i, block in enumerate(blocks)}
    depth = dict.fromkeys(blocks, 0)
    for i, block in enumerate(blocks):
        for successor, _ in edges(block):
            for inside in blocks[position[successor] : i + 1]:
                depth[inside] += 1
    return depth


def _spill(function: func.FuncOp, value: SSAValue, address: int) -> None:
    owner = value.owner
    definer = owner if isinstance(owner, Block) else owner.parent
    assert definer is not None
    passed = isinstance(owner, Block) and owner is not function.body.blocks[0]
    _load_where_read(value, None if passed else definer, address)
    if not passed:
        before = definer.first_op if isinstance(owner, Block) else owner.next_op
        assert before is not None
        _store(before, value, address)
        return
    index = value.index  # pyright: ignore
    for block in function.body.blocks:
        last = block.last_op
        if last is not None and definer in last.successors:
            _store_passed(last, definer, index, address)
    definer.erase_arg(value)  # pyright: ignore


def _load_where_read(value: SSAValue, definer: Block | None, address: int) -> None:
    """Makes readers of `value` in blocks other than `definer` read a load in their own block."""
    work = [value]
    loads: dict[tuple[Block, SSAValue], SSAValue] = {}
    while work:
        same = work.pop()
        inside = (
            same.owner.parent
            if isinstance(same.owner, Operation) and same is not value
            else definer
        )
        for use in list(same.uses):
            user = use.operation
            block = user.parent
            assert block is not None
            if block is not inside:
                key = block, same
                if key not in loads:
                    loads[key] = _load(_first_reader(same, block), same, address)
                user.operands[use.index] = loads[key]
            elif isinstance(user, SAME_BITS):
                work.append(user.results[0])


def _first_reader(value: SSAValue, block: Block) -> Operation:
    readers = {use.operation for use in value.uses}
    return next(op for op in block.ops if op in readers)


def _load(before: Operation, value: SSAValue, address: int) -> SSAValue:
    assert isinstance(value.type, IntegerType | Float32Type)
    constant = arith.ConstantOp(IntegerAttr(address, i32))
    load = LoadOp("ld32", constant.result, value.type)
    load.location = before.location
    assert before.parent is not None
    before.parent.insert_ops_before([constant, load], before)
    return load.result


def _store(before: Operation, value: SSAValue, address: int) -> None:
    constant = arith.ConstantOp(IntegerAttr(address, i32))
    store = StoreOp("st32", constant.result, value)
    store.location = before.location
    assert before.parent is not None
    before.parent.insert_ops_before([constant, store], before)


def _store_passed(branch: Operation, target: Block, index: int, address: int) -> None:
    """Stores the value that a branch passes to an argument of `target`, and drops the argument."""

    def without(block: Block, values: tuple[SSAValue, ...]) -> tuple[SSAValue, ...]:
        if block is not target:
            return values
        _store(branch, source_of(values[index]), address)
        return values[:index] + values[index + 1 :]

    if isinstance(branch, cf.BranchOp):
        new: Operation = cf.BranchOp(target, *without(target, tuple(branch.arguments)))
    else:
        assert isinstance(branch, cf.ConditionalBranchOp)
        new = cf.ConditionalBranchOp(
            branch.cond,
            branch.then_block,
            without(branch.then_block, tuple(branch.then_arguments)),
            branch.else_block,
            without(branch.else_block, tuple(branch.else_arguments)),
        )
    new.location = branch.location
    new.attributes = dict(branch.attributes)
    assert branch.parent is not None
    branch.parent.insert_op_before(new, branch)
    branch.detach()
    branch.erase()
