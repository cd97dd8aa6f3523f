"""Interprets a program for a transport-triggered processor, cycle by cycle, with all checks.

It is the oracle of the compiled engine: slow and short. A cycle t has these phases:

1. Results that are due at t arrive in the output ports.
2. All sources and guards are read. Sources read registers as they were before the cycle, guards as
   they were before the guard latency. A move whose guard is false does not happen.
3. Destinations are written: registers (visible from t + 1 on) and operand ports.
4. Triggered operations read the operand ports as they are now. Loads and stores access memory in
   this cycle, the loads first; results arrive after the latency.
5. The next instruction follows, or the target of a jump after its delay slots.

A program ends after its last instruction. Results that have not arrived then are lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polycl.backends.tta.cache import Accesses, Cache, CacheState
from polycl.dialects.tta import (
    Guard,
    Immediate,
    Instruction,
    Kind,
    Label,
    Program,
    Register,
    Source,
    UnitOperation,
    UnitPort,
    problems,
)
from polycl.errors import LaunchError

Port = tuple[str, str]
"""The names of a unit and of its port."""


class SimulationError(LaunchError):
    """A program did something undefined; the message has the place and the cycle."""


@dataclass(frozen=True)
class Result:
    """The result of an execution, except the memory, which is changed in place."""

    cycles: int
    registers: dict[Register, int]
    """The registers that were written."""
    block_counts: tuple[int, ...]
    """How often each block was executed."""
    findings: tuple[str, ...]
    """Results that no move read before the next result arrived: allowed, but useless."""
    accesses: Accesses = Accesses()
    """Those of a cache, if there is one."""

    @property
    def with_stalls(self) -> int:
        """The cycles of the schedule and those that the processor waited for memory."""
        return self.cycles + self.accesses.stalls


@dataclass
class _Jump:
    target: int
    at: int
    """The cycle in which the instruction at `target` is executed."""


@dataclass
class _State:
    registers: dict[Register, int]
    guard_history: list[dict[Register, int | None]] = field(
        default_factory=list[dict[Register, int | None]]
    )
    """The old values of registers that the recent cycles wrote, the last cycle first."""
    ports: dict[Port, int] = field(default_factory=dict[Port, int])
    unread: dict[Port, str] = field(default_factory=dict[Port, str])
    """The origins of results in output ports that no move has read yet."""
    arrivals: dict[int, dict[Port, tuple[int, str]]] = field(
        default_factory=dict[int, dict[Port, tuple[int, str]]]
    )
    """Cycle -> output port -> result and its origin."""
    return_address: int | None = None
    jump: _Jump | None = None


def interpret(
    program: Program,
    memory: bytearray,
    *,
    base: int = 0,
    registers: Mapping[Register, int] | None = None,
    max_cycles: int = 10**9,
    cache: Cache | None = None,
) -> Result:
    """Executes a program; `memory` holds the bytes from address `base` on and is changed.

    `max_cycles` does not count those that the processor waits for a `cache`.

    Raises:
        SimulationError: an uninitialised read; two results for one port, or two stores to one byte,
            in one cycle; an access that is misaligned, out of the memory or out of the unit's
            address space; a jump out of the program; more than `max_cycles` cycles.
        ValueError: the program breaks a rule of checks.py.
    """
    for problem in problems(program):
        raise ValueError(problem.message)
    state = CacheState(cache) if cache is not None else None
    return _Interpreter(program, memory, base, dict(registers or {}), state).run(max_cycles)


class _Interpreter:
    def __init__(
        self,
        program: Program,
        memory: bytearray,
        base: int,
        registers: dict[Register, int],
        cache: CacheState | None,
    ):
        self.program = program
        self.machine = program.machine
        self.memory = memory
        self.base = base
        self.cache = cache
        self.state = _State(registers)
        self.history = max(map(self.machine.guard_delay, self.machine.register_files), default=1)
        self.places = [
            (b, i) for b, block in enumerate(program.blocks) for i in range(len(block.instructions))
        ]
        self.cycle = 0
        self.pc = 0
        self.findings: list[str] = []

    def run(self, max_cycles: int) -> Result:
        counts = [0] * len(self.program.blocks)
        state = self.state
        while self.pc < len(self.places):
            if self.cycle >= max_cycles:
                raise self._error(f"the program did not end after {max_cycles} cycles")
            block, index = self.places[self.pc]
            if index == 0:
                counts[block] += 1
            self._arrive()
            self._execute(self.program.blocks[block].instructions[index])
            self.cycle += 1
            self.pc += 1
            if state.jump is not None and state.jump.at == self.cycle:
                self.pc, state.jump = state.jump.target, None
        accesses = self.cache.accesses() if self.cache is not None else Accesses()
        return Result(self.cycle, state.registers, tuple(counts), tuple(self.findings), accesses)

    def _error(self, message: str) -> SimulationError:
        return SimulationError(f"{self._place()}: {message}")

    def _place(self) -> str:
        block, index = self.places[min(self.pc, len(self.places) - 1)]
        name = self.program.blocks[block].name or f"number {block}"
        return f"cycle {self.cycle}, block {name}, instruction {index}"

    def _arrive(self) -> None:
        state = self.state
        for port, (value, origin) in state.arrivals.pop(self.cycle, {}).items():
            lost = state.unread.get(port)
            if lost is not None:
                self.findings.append(f"{lost}: nothing takes the result before cycle {self.cycle}")
            state.ports[port] = value
            state.unread[port] = origin

    def _execute(self, instruction: Instruction) -> None:
        state = self.state
        triggered: list[UnitPort] = []
        written: dict[Register, int] = {}
        operands: dict[Port, int] = {}
        return_address = state.return_address
        taken: list[Port] = []
        for move in instruction.moves:
            if isinstance(move.source, UnitPort):
                taken.append((move.source.unit, move.source.port))
            if move.guard is not None and not self._holds(move.guard):
                continue
            value = self._read(move.source)
            end = move.destination
            if isinstance(end, Register):
                written[end] = self._clip(end, value)
            elif self._is_return_address(end):
                return_address = value
            else:
                operands[end.unit, end.port] = self._clip_port(end, value)
                if end.operation is not None:
                    triggered.append(end)
        if (long := instruction.immediate) is not None:
            written[long.register] = self._read(long.value)
        for port in taken:
            state.unread.pop(port, None)
        state.return_address = return_address
        state.ports.update(operands)
        state.guard_history.insert(0, {r: state.registers.get(r) for r in written})
        del state.guard_history[self.history :]
        state.registers.update(written)
        self._trigger(triggered)

    def _clip(self, register: Register, value: int) -> int:
        file = self.machine.register_file(register.file)
        assert file is not None
        return value & ((1 << file.width) - 1)

    def _clip_port(self, end: UnitPort, value: int) -> int:
        unit = self.machine.unit(end.unit)
        port = None if unit is None else unit.port(end.port)
        assert port is not None
        return value & ((1 << port.width) - 1)

    def _is_return_address(self, end: UnitPort) -> bool:
        address = self.machine.control.return_address
        return (
            address is not None
            and end.unit == self.machine.control.name
            and end.port == address[0].name
        )

    def _holds(self, guard: Guard) -> bool:
        """The guard with the value of its register `guard_delay` cycles ago."""
        register = Register(guard.register_file, guard.index)
        file = self.machine.register_file(register.file)
        assert file is not None
        value = self.state.registers.get(register)
        # A delay of 1 sees the writes of the last cycle, as every read of a register does.
        for older in self.state.guard_history[: self.machine.guard_delay(file) - 1]:
            value = older.get(register, value)
        if value is None:
            raise self._error(f"the guard {guard} reads '{register}', which was not written")
        return bool(value) != guard.inverted

    def _read(self, source: Source) -> int:
        match source:
            case Immediate():
                return source.value
            case Label():
                return self.program.addresses[source.block]
            case Register():
                value = self.state.registers.get(source)
            case UnitPort():
                if self._is_return_address(source):
                    value = self.state.return_address
                else:
                    value = self.state.ports.get((source.unit, source.port))
        if value is None:
            raise self._error(f"'{source}' is read, which was not written")
        return value

    def _trigger(self, triggered: list[UnitPort]) -> None:
        stores: dict[int, int] = {}
        loaded: list[tuple[str, int]] = []
        stored: list[tuple[str, int]] = []
        for end in triggered:
            unit = self.machine.unit(end.unit)
            operation = None if unit is None else unit.operation(end.operation or "")
            assert unit is not None and operation is not None
            inputs = [self._operand(end, port) for port in operation.inputs]
            semantics = operation.semantics
            match semantics.kind:
                case Kind.PURE:
                    assert semantics.compute is not None
                    self._result(end, operation, semantics.compute(*inputs))
                case Kind.LOAD:
                    at = self._address(end, inputs[0], semantics.size)
                    loaded.append((end.unit, inputs[0]))
                    data = self.memory[at : at + semantics.size]
                    value = int.from_bytes(data, "little", signed=semantics.signed)
                    self._result(end, operation, value & 0xFFFFFFFF)
                case Kind.STORE:
                    at = self._address(end, inputs[0], semantics.size)
                    stored.append((end.unit, inputs[0]))
                    for i in range(semantics.size):
                        if at + i in stores:
                            address = self.base + at + i
                            raise self._error(f"two stores write address {address} in one cycle")
                        stores[at + i] = inputs[1] >> (8 * i) & 0xFF
                case Kind.CONTROL:
                    self._jump(end, inputs[0])
        for at, byte in stores.items():
            self.memory[at] = byte
        if self.cache is not None:
            for unit, address in loaded + stored:
                space = self.machine.space_of(unit)
                self.cache.access(self.machine.spaces.index(space), address)

    def _operand(self, end: UnitPort, port: str) -> int:
        value = self.state.ports.get((end.unit, port))
        if value is None:
            raise self._error(
                f"'{end}' needs the operand '{end.unit}.{port}', which was not written"
            )
        return value

    def _result(self, end: UnitPort, operation: UnitOperation, value: int) -> None:
        assert operation.output is not None
        due = self.state.arrivals.setdefault(self.cycle + operation.latency, {})
        port = (end.unit, operation.output)
        origin = f"{self._place()}: '{end}'"
        if port in due:
            raise self._error(f"'{end}' and {due[port][1]} have their results in the same cycle")
        due[port] = (value, origin)

    def _address(self, end: UnitPort, address: int, size: int) -> int:
        """The index into the memory of an access of `size` bytes."""
        space = self.machine.space_of(end.unit)
        if address % size:
            raise self._error(f"'{end}' at address {address}, which is not a multiple of {size}")
        if not space.minimum <= address <= space.maximum + 1 - size:
            where = f"{space.minimum} ... {space.maximum}"
            raise self._error(f"'{end}' at address {address}; '{space.name}' is {where}")
        at = address - self.base
        if not 0 <= at <= len(self.memory) - size:
            where = f"{self.base} ... {self.base + len(self.memory) - 1}"
            raise self._error(f"'{end}' at address {address}; the memory is {where}")
        return at

    def _jump(self, end: UnitPort, target: int) -> None:
        ends = target == len(self.places)
        if not ends and (target > len(self.places) or self.places[target][1] != 0):
            raise self._error(f"'{end}' to {target}, where no block begins")
        distance = 1 + self.machine.control.delay_slots
        if end.operation == "call":
            self.state.return_address = self.pc + distance
        self.state.jump = _Jump(target, self.cycle + distance)
