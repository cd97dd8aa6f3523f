"""Registers of the values that live in more than one basic block.

Such a value has the same register in all blocks. Block arguments are written at the end of the
predecessors. Within a block, the scheduler assigns registers to the other values
(register_assignment.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from polycl.dialects.tta import Machine, Register, StoreOp
from polycl.errors import error_at
from polycl.lowering.tta.tta_schedule.build_graph import constant_of, source_of

Point = tuple[Block, bool]
"""The beginning of a block, or (True) its end."""


@dataclass
class Crossing:
    """The values that are live at block boundaries."""

    at: dict[Point, dict[SSAValue, SSAValue]]
    """The values that are live at a point; at the end of a block, arguments of the successors are
    mapped to the values that are passed to them."""
    registers: dict[SSAValue, Register]


def edges(block: Block) -> list[tuple[Block, tuple[SSAValue, ...]]]:
    """The successors of a block, and the values that are passed to their arguments."""
    match block.last_op:
        case cf.BranchOp() as op:
            return [(op.successor, tuple(op.arguments))]
        case cf.ConditionalBranchOp() as op:
            return [
                (op.then_block, tuple(op.then_arguments)),
                (op.else_block, tuple(op.else_arguments)),
            ]
        case func.ReturnOp() as op if not op.arguments:
            return []
        case None:
            raise ValueError("a block without a terminator")
        case op:
            raise error_at(op, "expected cf.br, cf.cond_br or func.return without values")


def assign(
    function: func.FuncOp,
    machine: Machine,
    copy_guards: bool,
    at: dict[Point, dict[SSAValue, SSAValue]],
) -> Crossing:
    """Assigns a register to each value that crosses blocks.

    `at` is `live_at(function)`. With `copy_guards`, guards read copies, so no such value needs a
    guard register.

    Raises:
        PolyclError: there are not enough registers.
    """
    # A point and a content have numbers, as they are looked up often.
    number = {point: i for i, point in enumerate(at)}
    contents: dict[SSAValue, int] = {}
    points: dict[SSAValue, list[tuple[int, int, int]]] = defaultdict(list)
    """Where a value lives: the points, each with the begin of that block if it is its end, else
    -1, and with the content."""
    for point, values in at.items():
        block, is_end = point
        begin = number[block, False] if is_end else -1
        for value, content in values.items():
            found = contents.setdefault(content, len(contents))
            points[value].append((number[point], begin, found))
    registers_for_words = len(_candidates(machine, truth=False, guards=False))
    for (block, _), values in at.items():
        # At the end of a block, arguments to which the same value is passed can share a register.
        if sum(value.type != i1 for value in {*values.values()}) > registers_for_words:
            raise error_at(block.first_op or function, _too_many(points, registers_for_words))
    incoming = _incoming(list(function.body.blocks))
    guards = set[SSAValue]() if copy_guards else _guarding(function)
    neighbours = _read_together(function)
    registers: dict[SSAValue, Register] = {}
    load: dict[str, int] = defaultdict(int)
    # Sets of registers as bits: all that are used at a point, and those used for one content.
    every = [Register(f.name, i) for f in machine.register_files for i in range(f.size)]
    bit = {register: 1 << i for i, register in enumerate(every)}
    used = [0] * len(number)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    kinds = {
        (truth, guard): _candidates(machine, truth, guard)
        for truth in (False, True)
        for guard in (False, True)
    }
    for value in points:
        taken = avoid = 0
        for point, begin, content in points[value]:
            if begin >= 0:
                # Two arguments to which the same value is passed can share a register.
                taken |= used[point] & ~shared[point, content]
                avoid |= used[begin]
            else:
                taken |= used[point]
        wanted = [registers[v] for v in incoming.get(value, ()) if v in registers]
        candidates = kinds[value.type == i1, value in guards]
        free = [r for r in candidates if not bit[r] & taken]
        if not free:
            raise error_at(
                value.owner if isinstance(value.owner, Operation) else function,
                _too_many(points, len(candidates)),
            )
        beside = {registers[v].file for v in neighbours[value] if v in registers}
        # The arguments of a loop's block are read in its first cycles.
        arguments = value.owner.args if isinstance(value.owner, Block) else ()
        near = [registers[v].file for v in arguments if v in registers]
        best = min(
            free,
            key=lambda r: (
                r not in wanted,
                bit[r] & avoid != 0,
                r.file in beside,
                near.count(r.file),
                load[r.file],
            ),
        )
        registers[value] = best
        load[best.file] += 1
        for point, _, content in points[value]:
            used[point] |= bit[best]
            shared[point, content] |= bit[best]
    return Crossing(at, registers)


def _too_many(values: Collection[SSAValue], registers: int) -> str:
    return (
        f"{len(values)} values live in more than one block, which is too many for the "
        f"{registers} registers that the machine has for them"
    )


def live_at(function: func.FuncOp) -> dict[Point, dict[SSAValue, SSAValue]]:
    """For each point the content of `Crossing.at`."""
    blocks = list(function.body.blocks)
    live_in = live_in_blocks(blocks)
    at: dict[Point, dict[SSAValue, SSAValue]] = {}
    for block in blocks:
        at[block, False] = {v: v for v in (*live_in[block], *block.args)}
        end: dict[SSAValue, SSAValue] = {}
        for successor, arguments in edges(block):
            end.update((v, v) for v in live_in[successor])
        for successor, arguments in edges(block):
            end.update((a, source_of(v)) for a, v in zip(successor.args, arguments, strict=True))
        at[block, True] = end
    return at


def live_in_blocks(blocks: list[Block]) -> dict[Block, dict[SSAValue, None]]:
    """The values of other blocks that are read in a block or after it."""
    uses: dict[Block, dict[SSAValue, None]] = {}
    home: dict[SSAValue, Block | None] = {}
    for block in blocks:
        found = uses[block] = dict[SSAValue, None]()
        for op in block.ops:
            for operand in map(source_of, op.operands):
                if constant_of(operand) is None and operand not in found:
                    owner = operand.owner
                    home[operand] = owner if isinstance(owner, Block) else owner.parent
                    if home[operand] is not block:
                        found[operand] = None
    # Values are only added, in order: those that an edge has not passed on yet are the last ones.
    passed = {(block, successor): 0 for block in blocks for successor, _ in edges(block)}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            found = uses[block]
            before = len(found)
            for successor, _ in edges(block):
                known = passed[block, successor]
                more = list(islice(uses[successor], known, None))
                passed[block, successor] = known + len(more)
                found.update(dict.fromkeys(v for v in more if home[v] is not block))
            changed |= len(found) != before
    return uses


def _incoming(blocks: list[Block]) -> dict[SSAValue, list[SSAValue]]:
    """For each argument: the values that are passed to it, and arguments that get the same ones."""
    found: dict[SSAValue, list[SSAValue]] = defaultdict(list)
    for block in blocks:
        pairs = [
            (argument, source_of(value))
            for successor, values in edges(block)
            for argument, value in zip(successor.args, values, strict=True)
        ]
        for argument, value in pairs:
            found[argument].append(value)
            found[value].append(argument)
            found[argument] += [a for a, v in pairs if v is value and a is not argument]
    return found


def _guarding(function: func.FuncOp) -> set[SSAValue]:
    """The conditions of selects, branches and stores."""
    found: set[SSAValue] = set()
    for op in function.walk():
        match op:
            case arith.SelectOp():
                found.add(source_of(op.cond))
            case cf.ConditionalBranchOp():
                found.add(source_of(op.cond))
            case StoreOp() if op.condition is not None:
                found.add(source_of(op.condition))
            case _:
                pass
    return found


def _read_together(function: func.FuncOp) -> dict[SSAValue, list[SSAValue]]:
    """The other operands of each operand's readers: preferably in different register files,
    since each file has its own read ports."""
    found: dict[SSAValue, list[SSAValue]] = defaultdict(list)
    for op in function.walk():
        if isinstance(op, cf.BranchOp | cf.ConditionalBranchOp):
            continue
        operands = [source_of(v) for v in op.operands]
        for value in operands:
            found[value] += [other for other in operands if other is not value]
    return found


def _candidates(machine: Machine, truth: bool, guards: bool) -> list[Register]:
    """The registers that a value can have, in order of preference."""
    usable = machine.register_files
    guarding = set(machine.guard_registers)
    narrow = [Register(f.name, i) for f in usable if f.width == 1 for i in f.allocatable]
    guards_only = [Register(f.name, i) for f in usable for i in f.guarding]
    words = [Register(f.name, i) for f in usable if f.width == 32 for i in f.allocatable]
    if guards:
        return [r for r in guards_only if (r.file, r.index) in guarding]
    if truth:
        return [r for r in narrow if (r.file, r.index) not in guarding] + words
    return [r for r in words if (r.file, r.index) not in guarding]
