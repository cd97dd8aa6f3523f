"""Random programs for transport-triggered processors.

A program is a row of blocks. Some jump forward (past others, sometimes to an address that a
register holds), some back, as often as a counter allows, so that every program ends. Moves are
random as far as checks.py allows; what a program does while it runs may be an error, rarely: in
most moves sources were written before, and addresses are valid. Operations are triggered close to
the ends of blocks, too: their results are on their way where the next one begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from polycl.dialects.tta import (
    Block,
    Destination,
    Guard,
    Immediate,
    Instruction,
    Kind,
    Label,
    Machine,
    Move,
    Program,
    Register,
    Source,
    UnitOperation,
    UnitPort,
)
from polycl.dialects.tta.checks import instruction_problems
from polycl.dialects.tta.presets import minimal, paper, wide

MEMORY = 256
"""Bytes, from address `BASE` on."""
BASE = 64
_NUMBERS = [0, 1, 2, 31, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
_FLOATS = [0x3F800000, 0xC0490FDB, 0x00000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345]


@dataclass(frozen=True)
class Case:
    program: Program
    registers: dict[Register, int]
    memory: bytes


def random_machine(random: Random) -> Machine:
    """A preset, with other latencies of guards, other delay slots, and calls at times."""
    machine = minimal(buses=random.choice([3, 6]))
    if random.random() < 0.2:
        machine = random.choice([paper(buses=8, multipliers=1), wide(buses=6)])
    control = machine.control
    if random.random() < 0.5:
        control = replace(
            control,
            delay_slots=random.choice([0, 1, 3]),
            guard_latency=random.choice([1, 2, 3]),
        )
    if random.random() < 0.3:
        # Any sockets will do: these reach all buses.
        ends = (replace(machine.units[0].ports[0], name="ra", triggers=False),)
        out = replace(machine.units[0].ports[-1], name="ra")
        operations = (*control.operations, UnitOperation("call", ("pc",), 0))
        control = replace(control, operations=operations, return_address=(ends[0], out))
    return replace(machine, control=control)


def random_case(seed: int) -> Case:
    random = Random(seed)
    machine = random_machine(random)
    gaps = 0.02 if random.random() < 0.1 else 0
    registers = {
        Register(file.name, index): _number(random) & ((1 << file.width) - 1)
        for file in machine.register_files
        for index in range(file.size)
        if random.random() >= gaps
    }
    count = random.randint(1, 6)
    loops = [i for i in range(count) if random.random() < 0.4][:4]
    for i, _ in enumerate(loops):
        registers[_counter(i)] = random.randint(1, 12)
    writer = _Writer(random, machine, count, {block: i for i, block in enumerate(loops)})
    blocks = (writer.prelude(), *(writer.block(i) for i in range(count)))
    return Case(Program(machine, blocks), registers, random.randbytes(MEMORY))


def _number(random: Random) -> int:
    kind = random.random()
    if kind < 0.3:
        return random.choice(_NUMBERS)
    if kind < 0.6:
        return random.choice(_FLOATS)
    if kind < 0.8:
        return random.randrange(64)
    return random.getrandbits(32)


def _counter(loop: int) -> Register:
    """The registers that loops count in; random moves leave them alone."""
    return Register("RF1", loop)


CONDITION = Register("BOOL0", 0)
ADDRESS = Register("RF0", 0)
"""Holds the address of a block where a jump takes it."""


@dataclass
class _Writer:
    random: Random
    machine: Machine
    count: int
    loops: dict[int, int]
    """Block that jumps back -> its counter."""
    known: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Ports that moves wrote or results came to, in the order of the text."""

    def prelude(self) -> Block:
        """Writes the ports of all units, most times; results of them may come later."""
        instructions: list[Instruction] = []
        for unit in self.machine.units:
            if self.random.random() < 0.003:
                continue
            operation = max(unit.operations, key=lambda op: op.latency * len(op.inputs))
            moves: list[Move] = []
            for port in unit.ports:
                if self.machine.takes(port):
                    end = UnitPort(unit.name, port.name, operation.name if port.triggers else None)
                    moves.append(Move(len(moves), Immediate(BASE), end))
                self.known.add((unit.name, port.name))
            instructions.append(Instruction(tuple(moves)))
        if self.machine.control.return_address is not None:
            move = Move(0, Immediate(5), UnitPort(self.machine.control.name, "ra"))
            instructions.append(Instruction((move,)))
        wait = max(op.latency for unit in self.machine.units for op in unit.operations)
        return Block("start", (*instructions, *(Instruction() for _ in range(wait))))

    def block(self, number: int) -> Block:
        random, control = self.random, self.machine.control
        length = random.randint(1, 8)
        fixed: dict[int, list[Move]] = {}
        if number in self.loops:
            length = max(length, 4 + control.guard_latency + control.delay_slots)
            target = Label(f"b{random.randint(max(0, number - 3), number)}")
            fixed = self._count(self.loops[number])
            self._jump(fixed, length, target, Guard(CONDITION.file, CONDITION.index))
        elif random.random() < 0.4:
            length = max(length, control.delay_slots + 2)
            fixed = self._forward(number, length)
        results: dict[int, list[tuple[str, str]]] = {}
        instructions: list[Instruction] = []
        for at in range(length):
            self.known.update(results.get(at, []))
            instructions.append(self._instruction(at, fixed.get(at, []), results))
        for at in results:
            self.known.update(results[at])
        return Block(f"b{number}", tuple(instructions))

    def _count(self, loop: int) -> dict[int, list[Move]]:
        """Counts down in cycles 0 ... 2: the condition is whether the count is positive still."""
        counter = _counter(loop)
        one, zero, result = Immediate(1), Immediate(0), UnitPort("ALU0", "out1")
        operand = UnitPort("ALU0", "in2")
        return {
            0: [Move(0, counter, UnitPort("ALU0", "in1t", "sub")), Move(1, one, operand)],
            1: [
                Move(0, result, counter),
                Move(1, result, UnitPort("ALU0", "in1t", "gt")),
                Move(2, zero, operand),
            ],
            2: [Move(0, result, CONDITION)],
        }

    def _forward(self, number: int, length: int) -> dict[int, list[Move]]:
        random = self.random
        if number + 1 == self.count:
            return {}
        target: Source = Label(f"b{random.randint(number + 1, self.count - 1)}")
        fixed: dict[int, list[Move]] = {}
        guard = random.choice([None, *random.sample(self.machine.buses[0].guards, 3)])
        if random.random() < 0.3:
            fixed[0] = [Move(0, target, ADDRESS)]
            target = ADDRESS
        self._jump(fixed, length, target, guard)
        return fixed

    def _jump(
        self, fixed: dict[int, list[Move]], length: int, target: Source, guard: Guard | None
    ) -> None:
        control = self.machine.control
        name = self.random.choice(control.operations).name
        at = length - 1 - control.delay_slots
        taken = {move.bus for move in fixed.get(at, [])}
        bus = next(i for i in range(3) if i not in taken)
        end = UnitPort(control.name, "pc", name)
        fixed.setdefault(at, []).append(Move(bus, target, end, guard))

    def _instruction(
        self, at: int, fixed: list[Move], results: dict[int, list[tuple[str, str]]]
    ) -> Instruction:
        moves = list(fixed)
        free = set(range(len(self.machine.buses))) - {move.bus for move in moves}
        for bus in sorted(free):
            if self.random.random() < 0.3:
                continue
            candidate = [*moves, *self._moves(bus, at, fixed, results)]
            if not any(instruction_problems(self.machine, Instruction(tuple(candidate)))):
                moves = candidate
        moves.sort(key=lambda move: move.bus)
        for move in moves:
            end = move.destination
            if isinstance(end, UnitPort) and move.guard is None:
                self.known.add((end.unit, end.port))
            if isinstance(end, UnitPort) and end.operation is not None:
                unit = self.machine.unit(end.unit)
                operation = None if unit is None else unit.operation(end.operation)
                if operation is not None and operation.output is not None:
                    due = results.setdefault(at + operation.latency, [])
                    due.append((end.unit, operation.output))
        return Instruction(tuple(moves))

    def _moves(
        self, bus: int, at: int, fixed: list[Move], results: dict[int, list[tuple[str, str]]]
    ) -> list[Move]:
        random = self.random
        # Where the loop counts nothing else uses its unit.
        control = bool(fixed) and at < 3
        if random.random() < 0.35:
            files = random.choice(self.machine.register_files)
            end = Register(files.name, random.randrange(files.size))
            if end in (CONDITION, ADDRESS) or end.file == "RF1" and end.index < 4:
                return []
            return [Move(bus, self._source(), end, self._guard())]
        unit = random.choice(self.machine.units)
        if control and unit.name == "ALU0":
            return []
        if random.random() < 0.3:
            port = random.choice(unit.ports)
            if self.machine.takes(port) and not port.triggers:
                source = self._source()
                return [Move(bus, source, UnitPort(unit.name, port.name), self._guard())]
        operation = random.choice(unit.operations)
        if (unit.name, operation.output) in results.get(at + operation.latency, []):
            return []
        guard = self._guard()
        found: list[Move] = []
        for port in reversed(operation.inputs):
            trigger = port == unit.trigger.name
            if not trigger and (unit.name, port) in self.known and random.random() < 0.6:
                continue
            source = self._source()
            if operation.semantics.kind is not Kind.PURE and port == operation.inputs[0]:
                source = self._address(operation.semantics.size)
            end: Destination = UnitPort(unit.name, port, operation.name if trigger else None)
            found.append(Move((bus + len(found)) % len(self.machine.buses), source, end, guard))
        return found

    def _guard(self) -> Guard | None:
        if self.random.random() < 0.75:
            return None
        return self.random.choice(self.machine.buses[0].guards)

    def _source(self) -> Source:
        random = self.random
        kind = random.random()
        outputs = sorted(
            (u.name, u.ports[-1].name) for u in self.machine.units if _known(u.name, self.known)
        )
        if kind < 0.45 and outputs:
            return UnitPort(*random.choice(outputs))
        if 0.45 < kind < 0.452:
            return UnitPort(random.choice(self.machine.units).name, "out1")
        if 0.452 < kind < 0.455 and self.machine.control.return_address is not None:
            return UnitPort(self.machine.control.name, "ra")
        if kind < 0.8:
            file = random.choice(self.machine.register_files)
            return Register(file.name, random.randrange(file.size))
        return Immediate(_number(random))

    def _address(self, size: int) -> Source:
        if self.random.random() < 0.003:
            return self._source()
        return Immediate(BASE + self.random.randrange(MEMORY // size) * size)


def _known(unit: str, known: set[tuple[str, str]]) -> bool:
    return (unit, "out1") in known
