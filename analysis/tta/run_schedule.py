"""Symbolic execution of blocks of the program, move by move, with the interpreter's rules.

The order within a cycle is that of `backends/tta/interpreter.py`. Errors of the interpreter are
refused here, as are reads of registers and ports without a known value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from polycl.analysis.tta.path import Path, Tests
from polycl.analysis.tta.symbolic_memory import Refused
from polycl.analysis.tta.terms import Term, Terms
from polycl.dialects.tta import (
    FunctionUnit,
    Guard,
    Immediate,
    Instruction,
    Kind,
    Label,
    Machine,
    Program,
    Register,
    Source,
    UnitOperation,
    UnitPort,
)
from polycl.dialects.tta import Port as MachinePort

Port: TypeAlias = tuple[str, str]
"""The names of a unit and of its port."""


@dataclass(frozen=True)
class Slot:
    """Four bytes of memory that only the scheduler uses, for a spilled value."""

    address: int


@dataclass(frozen=True)
class Arriving:
    """The result that arrives in an output port after some cycles."""

    port: Port
    cycles: int


@dataclass(frozen=True)
class Previous:
    """The old value of a register that one of the last cycles wrote (0: the last cycle)."""

    register: Register
    cycles: int


Place: TypeAlias = Register | Port | Slot | Arriving | Previous
"""A place that may hold a value when a block begins."""


@dataclass
class State:
    """The values of all places, and the events since the block began."""

    path: Path
    """The blocks that the function executes meanwhile."""
    tests: Tests = ()
    """The conditions that the program tested, with their values."""
    constant_tests: int = 0
    """The number of tests of constants."""
    held: dict[Register | Port | Slot, Term] = field(
        default_factory=dict[Register | Port | Slot, Term]
    )
    arrivals: dict[int, dict[Port, tuple[Term, Term]]] = field(
        default_factory=dict[int, dict[Port, tuple[Term, Term]]]
    )
    """Cycle -> port -> the result, and the condition under which it arrives."""
    history: list[dict[Register, Term]] = field(default_factory=list[dict[Register, Term]])
    """The old values of registers that the recent cycles wrote, the last cycle first."""
    cycle: int = 0
    done: int = 0
    """The function's stores that have happened, as bits."""

    def copy(self) -> State:
        arrivals = {cycle: dict(ports) for cycle, ports in self.arrivals.items()}
        history = list(self.history)
        path = self.path.copy()
        return State(
            path=path,
            tests=self.tests,
            constant_tests=self.constant_tests,
            held=dict(self.held),
            arrivals=arrivals,
            history=history,
            cycle=self.cycle,
            done=self.done,
        )

    def places(self, terms: Terms) -> dict[Place, Term]:
        """All known values at the end of a block."""
        found: dict[Place, Term] = {**self.held}
        for cycle, ports in self.arrivals.items():
            for port, (result, comes) in ports.items():
                surely = terms.value(comes) == 1
                found[Arriving(port, cycle - self.cycle)] = result if surely else terms.unknown()
        for cycles, registers in enumerate(self.history):
            for register, old in registers.items():
                found[Previous(register, cycles)] = old
        return found

    @staticmethod
    def at_places(places: dict[Place, Term], path: Path, done: int) -> State:
        """The state at the begin of a block."""
        state = State(path, done=done)
        for place, term in places.items():
            match place:
                case Arriving():
                    arriving = state.arrivals.setdefault(place.cycles, {})
                    arriving[place.port] = (term, path.terms.one)
                case Previous():
                    while len(state.history) <= place.cycles:
                        state.history.append({})
                    state.history[place.cycles][place.register] = term
                case _:
                    state.held[place] = term
        return state


@dataclass
class Outcome:
    """An edge out of a block, with the state on it."""

    target: int
    """The index of the next block; the number of blocks if the program ends."""
    state: State


class Run:
    """Executes a block and the following blocks without names."""

    def __init__(self, program: Program, terms: Terms, private: range):
        """Addresses that are constants in `private` are slots."""
        self.program = program
        self.machine: Machine = program.machine
        self.terms = terms
        self.private = private
        delays = map(self.machine.guard_delay, self.machine.register_files)
        self.history = max(delays, default=1) - 1
        self.place = (0, 0)
        """The block and instruction, for messages."""
        self.blocks = {b.name: i for i, b in enumerate(program.blocks) if b.name is not None}

    def outcomes(self, block: int, state: State) -> Iterator[Outcome]:
        """Raises Refused; `state` is changed."""
        jump: tuple[int, Term] | None = None
        for at, instruction in enumerate(self.program.blocks[block].instructions):
            self.place = block, at
            jump = self._cycle(instruction, state) or jump
        ways: list[tuple[int, State]]
        match jump:
            case None:
                ways = [(block + 1, state)]
            case target, condition if self.terms.value(condition) is not None:
                # A jump whose guard is never true was dropped.
                ways = [(target, state)]
            case target, condition:
                jumped = state.copy()
                jumped.tests += ((condition, True),)
                state.tests += ((condition, False),)
                ways = [(target, jumped), (block + 1, state)]
        for target, after in ways:
            following = self.program.blocks[target : target + 1]
            if after.path.is_impossible(after.tests):
                continue
            if following and following[0].name is None:
                yield from self.outcomes(target, after)
            else:
                yield Outcome(target, after)

    def _cycle(self, instruction: Instruction, state: State) -> tuple[int, Term] | None:
        """Executes one instruction; returns its jump with the condition, if any."""
        terms = self.terms
        for port, (result, comes) in state.arrivals.pop(state.cycle, {}).items():
            state.held[port] = self._chosen(state, comes, result, port)
        written: dict[Register, Term] = {}
        operands: dict[Port, Term] = {}
        triggered: list[tuple[UnitPort, Term]] = []
        for move in instruction.moves:
            happens = terms.one if move.guard is None else self._guard(state, move.guard)
            if isinstance(move.source, Label) and move.guard is not None:
                state.constant_tests += terms.value(happens) is not None
            if happens == terms.zero:
                continue
            value = self._read(state, move.source, happens)
            end = move.destination
            if isinstance(end, Register):
                old = written[end] if end in written else state.held.get(end)
                written[end] = self._select(happens, self._clip_register(end, value), old)
            else:
                port = end.unit, end.port
                old = operands[port] if port in operands else state.held.get(port)
                operands[port] = self._select(happens, self._clip_port(end, value), old)
                if end.operation is not None:
                    triggered.append((end, happens))
        if (long := instruction.immediate) is not None:
            written[long.register] = self._read(state, long.value, terms.one)
        if self.history:
            unknown = terms.unknown
            before = {r: state.held[r] if r in state.held else unknown() for r in written}
            state.history = [before, *state.history][: self.history]
        state.held |= written
        state.held |= operands
        jump = self._trigger(triggered, state)
        state.cycle += 1
        return jump

    # Reading and writing.

    def _chosen(self, state: State, happens: Term, value: Term, place: Register | Port) -> Term:
        return self._select(happens, value, state.held.get(place))

    def _select(self, happens: Term, value: Term, old: Term | None) -> Term:
        """The value of a place after a conditional write."""
        if happens == self.terms.one:
            return value
        return self.terms.select(happens, value, self.terms.unknown() if old is None else old)

    def _guard(self, state: State, guard: Guard) -> Term:
        """Whether a move happens: the value of the register `guard_delay` cycles ago."""
        register = Register(guard.register_file, guard.index)
        file = self.machine.register_file(register.file)
        assert file is not None
        value = state.held.get(register)
        for older in state.history[: self.machine.guard_delay(file) - 1]:
            value = older.get(register, value)
        if value is None or self.terms.is_partial(value):
            raise Refused(f"the guard {guard} reads a register with no known value")
        truth = self.terms.truth(value)
        return self.terms.inverse(truth) if guard.inverted else truth

    def _read(self, state: State, source: Source, happens: Term) -> Term:
        match source:
            case Immediate():
                return self.terms.constant(source.value)
            case Label():
                # Only jumps use addresses of instructions; they read the name of the block.
                return self.terms.leaf(source)
            case Register():
                value = state.held.get(source)
            case UnitPort():
                value = state.held.get((source.unit, source.port))
        if value is not None:
            value = self.terms.where(value, happens)
        if value is None or self.terms.is_partial(value):
            raise Refused(f"'{source}' is read, but has no known value on some path to here")
        return value

    def _clip_register(self, register: Register, value: Term) -> Term:
        file = self.machine.register_file(register.file)
        assert file is not None
        if isinstance(self.terms.name(value), Label):
            return value
        return self.terms.clipped(value, file.width)

    def _clip_port(self, end: UnitPort, value: Term) -> Term:
        unit = self.machine.unit(end.unit)
        port = None if unit is None else unit.port(end.port)
        if port is None or (end.unit == self.machine.control.name and end.operation is None):
            raise Refused(f"'{end}' is written: calls are not supported")
        if isinstance(self.terms.name(value), Label):
            return value  # The address of a block fits the port (checks.py).
        space = self.machine.space(None if unit is None else unit.space)
        if space is not None and space.maximum < 1 << port.width and self._is_address(unit, port):
            return value  # All addresses of the space fit the port.
        return self.terms.clipped(value, port.width)

    def _is_address(self, unit: FunctionUnit | None, port: MachinePort) -> bool:
        """Whether a port of a unit takes addresses only."""
        operations = () if unit is None else unit.operations
        taken = [op for op in operations if port.name in op.inputs]
        memory = (Kind.LOAD, Kind.STORE)
        return all(op.semantics.kind in memory and op.ports[0] == port.name for op in taken)

    # Operations.

    def _trigger(
        self, triggered: list[tuple[UnitPort, Term]], state: State
    ) -> tuple[int, Term] | None:
        jump: tuple[int, Term] | None = None
        running = state.done
        for end, happens in triggered:
            unit = self.machine.unit(end.unit)
            operation = None if unit is None else unit.operation(end.operation or "")
            assert operation is not None
            inputs = [self._operand(state, end, port, happens) for port in operation.inputs]
            name = operation.name
            match operation.semantics.kind:
                case Kind.PURE:
                    result = self.terms.operation(name, *inputs)
                    self._arrive(state, end, operation, result, happens)
                case Kind.LOAD:
                    result = self._load(state, name, inputs[0])
                    self._arrive(state, end, operation, result, happens)
                case Kind.STORE:
                    running = self._store(state, name, inputs[0], inputs[1], happens, running)
                case Kind.CONTROL:
                    jump = self._jump(end, inputs[0]), happens
        state.done = running
        return jump

    def _operand(self, state: State, end: UnitPort, port: str, happens: Term) -> Term:
        value = state.held.get((end.unit, port))
        if value is not None:
            value = self.terms.where(value, happens)
        if value is None or self.terms.is_partial(value):
            raise Refused(
                f"'{end}' needs the operand '{end.unit}.{port}', which has no known value"
            )
        return value

    def _arrive(
        self, state: State, end: UnitPort, operation: UnitOperation, result: Term, happens: Term
    ) -> None:
        assert operation.output is not None
        due = state.arrivals.setdefault(state.cycle + operation.latency, {})
        port = end.unit, operation.output
        if port in due:
            other, comes = due[port]
            if comes != self.terms.inverse(happens):
                raise Refused(f"'{end}' and an earlier operation have results in the same cycle")
            result, happens = self.terms.select(happens, result, other), self.terms.one
        due[port] = result, happens

    def _slot(self, operation: str, address: Term) -> Slot | None:
        constant = self.terms.value(address)
        if constant is None or constant not in self.private:
            return None
        if operation not in ("ld32", "st32") or constant % 4:
            raise Refused(f"'{operation}' of a spilled value at {constant}")
        return Slot(constant)

    def _load(self, state: State, operation: str, address: Term) -> Term:
        slot = self._slot(operation, address)
        if slot is None:
            return state.path.load(operation, address, state.done, state.tests)
        if slot not in state.held or self.terms.is_partial(state.held[slot]):
            raise Refused(f"the word spilled to {slot.address} is read, but has no known value")
        return state.held[slot]

    def _store(
        self, state: State, operation: str, address: Term, value: Term, happens: Term, running: int
    ) -> int:
        slot = self._slot(operation, address)
        if slot is not None:
            # Loads of this cycle were executed before, so they see the old content.
            state.held[slot] = self._select(happens, value, state.held.get(slot))
            return running
        condition = None if happens == self.terms.one else happens
        access = operation, address, value, condition
        return running | state.path.store(access, state.done, running, state.tests)

    def _jump(self, end: UnitPort, target: Term) -> int:
        label = self.terms.name(target)
        if end.operation != "jump" or not isinstance(label, Label):
            raise Refused(f"'{end}' goes to an address that is computed: only labels are supported")
        return self.blocks[label.block]
