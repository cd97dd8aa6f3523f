"""The schedule of one block: the best of several attempts.

No order of placement is best for all blocks: the lengths of large blocks, which units and ports
limit, differ by a third. So several orders are tried, until one schedule is as short as the lower
bound of the block. If registers run out with all orders, values are spilled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.ir import Block as IRBlock

from polycl.dialects.tta import Guard, Instruction, Label, Machine, Move, UnitPort
from polycl.errors import error_at
from polycl.lowering.tta.tta_schedule.block_graph import COPY, JUMP, Graph, Value
from polycl.lowering.tta.tta_schedule.bounds import bounds, cycles_left
from polycl.lowering.tta.tta_schedule.order import needed, placement_order
from polycl.lowering.tta.tta_schedule.placement import Placement, PlacementError
from polycl.lowering.tta.tta_schedule.register_assignment import BlockRegisters
from polycl.lowering.tta.tta_schedule.source_notes import source_notes
from polycl.lowering.tta.tta_schedule.spilling import SpillingPlacement
from polycl.lowering.tta.tta_schedule.tables import Tables


@dataclass(frozen=True)
class Exit:
    """The jump at the end of a block: to `target`, if `condition` (or its inverse) holds."""

    target: IRBlock
    conditional: bool = False
    inverse: bool = False


@dataclass(frozen=True)
class Strategy:
    """The most operations of a tree, and the order in which trees are placed."""

    tree: int
    in_program_order: bool
    """If false, the operands of a store are placed just before it."""
    late: bool
    """Whether a value with several readers is placed as late as the first of them needs it."""
    ends_first: bool = False
    """Whether what the jump and the next blocks read is placed first: it may be a long chain."""


STRATEGIES = (
    Strategy(4, True, False),
    Strategy(4, True, True),
    Strategy(4, True, False, True),
    Strategy(8, False, False),
    Strategy(4, False, False),
)
LAST = Strategy(2, True, True)
"""The strategy with spills, for which registers suffice."""
WORK = 6000
"""No more attempts are made after so many values were placed."""

Scheduled: TypeAlias = tuple[tuple[Instruction, ...], tuple[tuple[str, int], ...]]
"""The instructions of a block, and its bounds, the highest first."""


def schedule_block(
    function: func.FuncOp,
    graph: Graph,
    exit_: Exit | None,
    machine: Machine,
    registers: BlockRegisters,
    names: Mapping[IRBlock, str],
    slots: Iterator[int],
) -> Scheduled:
    """`slots` are addresses for spilled values."""
    limits = bounds(graph, machine)
    best: tuple[Instruction, ...] | None = None
    done = 0
    failed = False
    tried: dict[tuple[int, ...], bool] = {}
    """The orders that were tried, each with whether it matters how late values are placed."""
    for strategy in STRATEGIES:
        if best is not None and (len(best) <= limits[0][1] or done > WORK):
            break
        if failed and not strategy.late:
            continue  # it needs as many registers as the one that failed
        attempted = graph.copy()
        order = placement_order(attempted, strategy.tree, strategy.in_program_order)
        if strategy.ends_first and attempted.jump is not None:
            ends = [value for value in attempted.values if value.operation in (COPY, JUMP)]
            first = needed(ends) - {*ends}
            order.sort(key=lambda root: root not in first)
        done += len(attempted.values)
        position = attempted.positions()
        key = tuple(position[root] for root in order)
        if key in tried and not (strategy.late and tried[key]):
            continue  # it would do the same once more
        placement = Placement(attempted, Tables(registers.connections), registers, strategy.late)
        try:
            found = _attempt(placement, order, exit_, names, None if best is None else len(best))
        except PlacementError:
            found, failed = None, True
        tried[key] = placement.late_differs
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    if best is None:
        attempted = graph.copy()
        order = placement_order(attempted, LAST.tree, LAST.in_program_order)
        placement = SpillingPlacement(
            attempted, Tables(registers.connections), registers, LAST.late, slots
        )
        try:
            best = _attempt(placement, order, exit_, names, None)
            assert best is not None
        except PlacementError as error:
            value = error.value
            message = f"cannot schedule '{value.operation}': {error}"
            if placement.short is not None:
                message += f" ({registers.count(placement.short)})"
            raise error_at(value.source or function, message) from None
    assert len(best) >= limits[0][1], f"{len(best)} cycles, but the bound is {limits[0]}"
    return best, limits


def _attempt(
    placement: Placement,
    order: list[Value],
    exit_: Exit | None,
    names: Mapping[IRBlock, str],
    best: int | None,
) -> tuple[Instruction, ...] | None:
    """The schedule; None if it cannot take less than `best` cycles. Raises PlacementError."""
    left = None if best is None else cycles_left(placement.graph, placement.machine)
    for root in order:
        if root.operation != JUMP:
            placement.place(root)
            if left is not None and best is not None:
                if placement.cycles[root] + left[root] >= best:
                    return None
    jump = placement.graph.jump
    control = placement.machine.control
    if jump is not None and exit_ is not None:
        if isinstance(jump.guard, Value):
            placement.place(jump.guard)  # again, if it was spilled
        _place_jump(jump, exit_, placement, names)
    moves = placement.tables.moves
    immediates = placement.tables.immediates
    length = max((cycle for cycle, at in moves.items() if at), default=0) + 1
    if jump is not None:
        length = max(length, placement.cycles[jump] + 1 + control.delay_slots)
    note = source_notes(placement.triggered, lambda value: placement.results[value].ready)
    return tuple(
        Instruction(
            tuple(
                Move(m.bus, m.source, m.destination, m.guard, note(m))
                for m in sorted(moves.get(cycle, ()), key=lambda m: m.bus)
            ),
            immediates.get(cycle),
        )
        for cycle in range(length)
    )


def _place_jump(
    jump: Value, exit_: Exit, placement: Placement, names: Mapping[IRBlock, str]
) -> None:
    """Places the jump as early as its guard allows, followed by at most its delay slots.

    Raises PlacementError where no bus has both the guard and the address.
    """
    tables = placement.tables
    control = placement.machine.control
    destination = UnitPort(control.name, control.unit.trigger.name, "jump")
    last = max((cycle for cycle, at in tables.moves.items() if at), default=0)
    first = max(0, last - control.delay_slots)
    for cycle in range(first, tables.last(first, last) + 1):
        mark = tables.mark()
        guard: Guard | None = None
        if isinstance(jump.guard, Value):
            guard = placement.guard(jump.guard, cycle)
            if guard is not None and exit_.inverse:
                guard = Guard(guard.register_file, guard.index, True)
        if guard is not None or jump.guard is None:
            if tables.move(cycle, Label(names[exit_.target]), destination, guard) is not None:
                placement.cycles[jump] = cycle
                return
        tables.undo(mark)
    raise PlacementError(jump, "no bus transports the address of a block to it under its guard")
