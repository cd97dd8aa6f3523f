"""tta-schedule: a function of basic blocks -> a program of moves for one machine.

The input is a `func.func` without calls, made of blocks that end in `cf.br`, `cf.cond_br` or the
one `func.return`. Its values are i32, f32 and i1; its operations are those of `arith` that a unit
of the machine executes, and `tta.load`, `tta.store` and `tta.compute`. The parts:

- build_graph.py: a block as a graph (block_graph.py);
- edges.py: edges on which registers can be written early;
- registers.py: registers of values that cross blocks; crossing_spills.py: spills of such values;
- order.py: what is placed together, and in which order; block.py: the orders that are tried;
- placement.py: the cycle of each operation; feasible_cycles.py: the cycles that need be tried;
  schedule_operations.py: the unit and the operands; register_assignment.py: ports and registers;
- spilling.py: spills within a block;
- tables.py: the reservation tables; connections.py: which buses connect what;
- bounds.py: lower bounds of a schedule's length;
- modulo_pipeline.py: modulo scheduling, with modulo_tables.py and loop_dependences.py;
- source_notes.py: the work-item and source line of each move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects import cf, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block as IRBlock
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.tta import check_schedule
from polycl.dialects.tta import (
    Block,
    Instruction,
    Label,
    Machine,
    Move,
    Program,
    Register,
    UnitPort,
    parse_machine,
    problems,
    to_ir,
)
from polycl.errors import PolyclError, error_at
from polycl.lowering.tta.tta_schedule.block import Exit, schedule_block
from polycl.lowering.tta.tta_schedule.block_graph import Graph, order_memory
from polycl.lowering.tta.tta_schedule.bounds import BlockBound, moves_bounds
from polycl.lowering.tta.tta_schedule.build_graph import Builder, constant_of, source_of
from polycl.lowering.tta.tta_schedule.connections import Connections
from polycl.lowering.tta.tta_schedule.crossing_spills import spill_crossing
from polycl.lowering.tta.tta_schedule.edges import separate_arguments
from polycl.lowering.tta.tta_schedule.modulo_pipeline import (
    NotOverlapped,
    Overlapped,
    Searched,
    overlap,
)
from polycl.lowering.tta.tta_schedule.order import drop_dead
from polycl.lowering.tta.tta_schedule.register_assignment import BlockRegisters
from polycl.lowering.tta.tta_schedule.registers import (
    Crossing,
    Point,
    assign,
    live_at,
    live_in_blocks,
)
from polycl.lowering.tta.tta_schedule.spilling import Slots
from polycl.lowering.tta.tta_schedule.tables import Tables
from polycl.remarks import emit_remark

SPARE = (0, 8, 16)
"""Numbers of registers that values of several blocks leave free; the next where one fails."""


@dataclass(frozen=True)
class Schedule:
    """A program, the registers of its arguments, and its lower bounds."""

    program: Program
    arguments: tuple[Register, ...]
    bounds: tuple[BlockBound, ...]
    origins: dict[str, int]
    """For each named block of the program: the index of the function's block that it is part of."""
    private: range = range(0)
    """The memory addresses of spilled values."""
    homes: Mapping[SSAValue, list[Register | int]] = field(
        default_factory=dict[SSAValue, list[Register | int]], repr=False
    )
    """The registers of the function's values that live in several blocks, or where these are
    spilled."""

    def report(self) -> str:
        """A line for each block, such as `loop: latency bound 13, achieved 14`."""
        return "\n".join(map(str, self.bounds))


@dataclass(frozen=True)
class TtaSchedulePass(ModulePass):
    """Schedules functions for a machine, such as `paper` or `paper buses=12`."""

    name = "tta-schedule"

    machine: str = "paper"
    check: bool = True
    """Whether each program is proved equivalent to its function (analysis/tta)."""
    pipeline: bool = False
    """Whether loops are modulo scheduled, if that makes them faster."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            machine = parse_machine(self.machine)
        except ValueError as error:
            raise PolyclError(f"tta-schedule: {error}") from None
        for function in list(op.ops):
            if isinstance(function, func.FuncOp):
                scheduled = schedule(function, machine, self.check, self.pipeline)
                emit_remark(function, self.name, scheduled.report())
                Rewriter.replace_op(function, to_ir(scheduled.program))


def schedule(
    function: func.FuncOp, machine: Machine, check: bool = True, pipeline: bool = False
) -> Schedule:
    """Schedules a function for a machine.

    With `check`, the schedule is proved equivalent to the function. With `pipeline`, iterations of
    loops overlap if that makes loops faster (and, with `check`, if the proof succeeds).

    Raises:
        PolyclError: with its location, if the machine lacks an operation or registers.
    """
    values: dict[SSAValue, SSAValue] = {}
    clone = function.clone(values)
    same = {value: [new] for value, new in values.items()}
    scheduled = _schedule_clone(clone, machine, pipeline, same)
    return proved(scheduled, function, machine, pipeline) if check else scheduled


def proved(
    scheduled: Schedule, function: func.FuncOp, machine: Machine, pipeline: bool
) -> Schedule:
    """A schedule that is proved equivalent to its function: `scheduled`, or one without overlap."""
    arguments, private = scheduled.arguments, scheduled.private
    try:
        check_schedule(function, scheduled.program, arguments, private, scheduled.homes)
    except PolyclError as error:
        if not pipeline:
            raise
        message = f"iterations of loops do not overlap: the result is not proved right: {error}"
        emit_remark(function, "tta-schedule", message)
        return schedule(function, machine)
    return scheduled


def _schedule_clone(
    function: func.FuncOp,
    machine: Machine,
    pipeline: bool,
    same: Mapping[SSAValue, list[SSAValue]],
) -> Schedule:
    """`same` are the values of `function` by those of the function that it is a clone of."""
    while separated := separate_arguments(function, live_in_blocks(list(function.body.blocks))):
        value, argument = separated
        next(new for new in same.values() if value in new).append(argument)
    slots = Slots()
    spilled: dict[SSAValue, int] = {}
    error: PolyclError | None = None
    for spare in SPARE:
        if spare:
            spilled |= spill_crossing(function, machine, spare, slots)
        at = live_at(function)
        # There may be too few guard registers for values with long live ranges.
        for copy_guards in (False, True):
            try:
                scheduled, registers = _schedule(
                    function, machine, pipeline, copy_guards, slots, at
                )
                homes = {
                    value: [home[v] for v in new if v in home]
                    for home in [registers | spilled]
                    for value, new in same.items()
                }
                return replace(scheduled, homes={v: home for v, home in homes.items() if home})
            except PolyclError as found:
                error = found
    assert error is not None
    raise error


def _schedule(
    function: func.FuncOp,
    machine: Machine,
    pipeline: bool,
    copy_guards: bool,
    slots: Slots,
    at: dict[Point, dict[SSAValue, SSAValue]],
) -> tuple[Schedule, dict[SSAValue, Register]]:
    """The schedule, and the registers of values that live in several blocks.

    `at` is `live_at(function)`.
    """
    blocks = _layout(function)
    crossing = assign(function, machine, copy_guards, at)
    names = {block: f"block{i}" for i, block in enumerate(blocks)}
    origin = {block: i for i, block in enumerate(function.body.blocks)}
    done: list[Block] = []
    report: list[BlockBound] = []
    origins: dict[str, int] = {}
    searched: Searched = {}
    connections = Connections(machine)
    first = slots.following
    for i, block in enumerate(blocks):
        # What a block spills on its own is not read after it.
        slots.following = first
        following = blocks[i + 1] if i + 1 < len(blocks) else None
        exit_, bridge = _exit(block, following)
        copies = _copies(block, crossing)
        graph = _graph(block, exit_, machine, crossing.registers, copies, copy_guards)
        ends = crossing.at[block, True]
        registers = BlockRegisters(connections, (crossing.registers[value] for value in ends))
        instructions, limits = schedule_block(
            function, graph, exit_, machine, registers, names, slots
        )
        if pipeline and _is_loop(block):
            parts = _overlap(
                block, graph, machine, registers, names, following, instructions, searched
            )
            if parts:
                done += (part for part, _ in parts)
                origins |= {limit.block: origin[block] for _, limit in parts}
                report += (limit for _, limit in parts)
                continue
        done.append(Block(names[block], instructions))
        origins[names[block]] = origin[block]
        report.append(BlockBound(names[block], len(instructions), limits))
        if bridge is not None:
            # Neither successor follows, so a second jump leads to the other one.
            done.append(_bridge(block, names[bridge], connections))
    arguments = tuple(crossing.registers[argument] for argument in function.body.blocks[0].args)
    program = Program(machine, tuple(done), function.sym_name.data)
    if any(bus.immediate.width < 32 for bus in machine.buses):
        for problem in problems(program):
            raise error_at(function, f"the program is too long for the machine: {problem.message}")
    return Schedule(program, arguments, tuple(report), origins, slots.used), crossing.registers


def _layout(function: func.FuncOp) -> list[IRBlock]:
    """The blocks in their order, the returning one last: a program ends after its last block."""
    blocks = list(function.body.blocks)
    returning = [b for b in blocks if isinstance(b.last_op, func.ReturnOp)]
    if len(returning) != 1:
        raise error_at(function, f"expected one block that returns, got {len(returning)}")
    if returning[0] is blocks[0] and len(blocks) > 1:
        raise error_at(function, "expected the first block to reach the others")
    return [b for b in blocks if b is not returning[0]] + returning


def _exit(block: IRBlock, following: IRBlock | None) -> tuple[Exit | None, IRBlock | None]:
    """The jump of a block, and the successor that needs another jump after it, if any."""
    match block.last_op:
        case cf.BranchOp() as op:
            return (None if op.successor is following else Exit(op.successor)), None
        case cf.ConditionalBranchOp() as op if op.then_block is op.else_block:
            raise error_at(op, "expected different blocks: select the arguments instead")
        case cf.ConditionalBranchOp() as op:
            condition = constant_of(source_of(op.cond))
            if condition is not None:
                target = op.then_block if condition else op.else_block
                return (None if target is following else Exit(target)), None
            if op.then_block is following:
                return Exit(op.else_block, True, True), None
            bridge = None if op.else_block is following else op.else_block
            return Exit(op.then_block, True), bridge
        case _:
            return None, None


def _copies(block: IRBlock, crossing: Crossing) -> list[tuple[SSAValue, Register]]:
    """The values that live after a block, with their registers: all but those of other blocks that
    it does not read, which stay where they are."""
    own = {*block.args, *(result for op in block.ops for result in op.results)}
    read = {source_of(operand) for op in block.ops for operand in op.operands}
    return [
        (content, crossing.registers[value])
        for value, content in crossing.at[block, True].items()
        if value is not content or value in own or value in read
    ]


def _graph(
    block: IRBlock,
    exit_: Exit | None,
    machine: Machine,
    registers: dict[SSAValue, Register],
    copies: Sequence[tuple[SSAValue, Register]],
    copy_guards: bool,
) -> Graph:
    """The graph of a block, with `copies` to the registers of values that live after it."""
    builder = Builder(machine, registers, copy_guards)
    builder.block(block)
    last = block.last_op
    assert last is not None
    for content, register in copies:
        builder.copy(last, content, register)
    if exit_ is not None:
        condition = last.operands[0] if exit_.conditional else None
        builder.jump(last, condition)
    drop_dead(builder.graph)
    order_memory(builder.graph)
    return builder.graph


def _is_loop(block: IRBlock) -> bool:
    """Whether a block is a loop of its own that may end."""
    op = block.last_op
    return (
        isinstance(op, cf.ConditionalBranchOp)
        and block in op.successors
        and constant_of(source_of(op.cond)) is None
    )


def _overlap(
    block: IRBlock,
    graph: Graph,
    machine: Machine,
    registers: BlockRegisters,
    names: dict[IRBlock, str],
    following: IRBlock | None,
    instructions: tuple[Instruction, ...],
    searched: Searched,
) -> list[tuple[Block, BlockBound]]:
    """The blocks of a modulo-scheduled loop; none if that is not faster than one by one."""
    op = block.last_op
    assert isinstance(op, cf.ConditionalBranchOp)
    target = op.else_block if op.then_block is block else op.then_block
    moves = sum(len(instruction.moves) for instruction in instructions)
    # Fewer moves may do, as more results are read from their ports.
    first = -(-moves // len(machine.buses)) * 15 // 16
    try:
        found = overlap(
            graph,
            op.else_block is block,
            machine,
            registers,
            first,
            len(instructions) - 1,
            "tta.parallel" in op.attributes,
            searched,
        )
    except NotOverlapped as reason:
        emit_remark(op, "tta-schedule", f"iterations of the loop do not overlap: {reason}")
        return []
    parts = found.blocks(names[block], names[target], target is following)
    return [(part, _part_bound(part, found, machine)) for part in parts]


def is_kernel(name: str) -> bool:
    """Whether a block is the kernel of an overlapped loop, or a part of an unrolled one."""
    return "_kernel" in name and "_drain" not in name


def _part_bound(part: Block, found: Overlapped, machine: Machine) -> BlockBound:
    assert part.name is not None
    limits = found.limits if is_kernel(part.name) else moves_bounds(part.instructions, machine)
    return BlockBound(part.name, len(part.instructions), limits)


def _bridge(block: IRBlock, target: str, connections: Connections) -> Block:
    """The jump to `target` that follows the one at the end of `block`."""
    control = connections.machine.control
    destination = UnitPort(control.name, control.unit.trigger.name, "jump")
    tables = Tables(connections)
    at = next((c for c in range(3) if tables.move(c, Label(target), destination)), None)
    if at is None:
        assert block.last_op is not None
        raise error_at(block.last_op, "no bus transports the address of a block to a jump")
    length = at + 1 + control.delay_slots
    moves = [[Move(m.bus, m.source, m.destination) for m in tables.moves[c]] for c in range(length)]
    immediates = tables.immediates
    return Block(
        None, tuple(Instruction(tuple(moves[c]), immediates.get(c)) for c in range(length))
    )
