"""Translates the moves of a block to LLVM IR, with the value that each source has in its cycle.

The order within a cycle is the interpreter's, so both find the same fault first.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from polycl.backends.tta.llvm_function import (
    SIZES,
    Fault,
    Flight,
    Flights,
    Origin,
    Translation,
)
from polycl.backends.tta.llvm_operations import COMPUTE
from polycl.dialects.tta import (
    Guard,
    Immediate,
    Instruction,
    Kind,
    Label,
    Operation,
    Register,
    Source,
    UnitOperation,
    UnitPort,
)

Port = tuple[str, str]
"""The names of a unit and of its port."""

RETURN_ADDRESS = "ra"
"""The cell of the return address register."""


@dataclass(frozen=True)
class Value:
    bits: str
    """An i32."""
    known: str
    """An i1: whether it was written."""


@dataclass(frozen=True)
class _Result:
    """A result in flight; `value.known` is the condition of its trigger."""

    value: Value
    origin: str
    """An i32, the number of the origin."""


@dataclass(frozen=True)
class _Store:
    condition: str
    address: str
    pointer: str
    value: str
    size: int


@dataclass(frozen=True)
class _Jump:
    condition: str
    target: str


class BlockTranslation:
    """The translation of one block that begins with `flights`."""

    def __init__(self, translation: Translation, block: int, flights: Flights):
        self.shared = translation
        self.code = translation.code
        self.program = translation.program
        self.machine = translation.program.machine
        self.block = block
        self.flights = flights
        self.instruction = 0
        self.values: dict[Hashable, Value] = {}
        self.changed: set[Hashable] = set()
        self.arrivals: dict[int, dict[Port, _Result]] = {}
        """Cycle from the entry of the block -> output port -> the result that arrives."""
        self.past: dict[Register, list[Value]] = {}
        """The values of late guards in each earlier cycle, those of the last block first."""
        self.jump: _Jump | None = None

    def translate(self) -> None:
        instructions = self.program.blocks[self.block].instructions
        label = self.shared.label(self.block, self.flights)
        self.code.lines.append(f"{label[1:]}:")
        self._count(len(instructions))
        for flight in self.flights:
            self._enter(flight)
        late = self.shared.late_guards
        for register, delay in late.items():
            steps = range(delay - 1, 0, -1)
            self.past[register] = [self._load(("past", register, k)) for k in steps]
        for at, instruction in enumerate(instructions):
            self.instruction = at
            self._arrive(at)
            for register in late:
                self.past[register].append(self._value(register))
            self._execute(instruction)
        self._leave(len(instructions))

    def _count(self, length: int) -> None:
        code = self.code
        before = code.let(f"load i64, ptr %n{self.block}")
        after = code.let(f"add i64 {before}, 1")
        code.lines.append(f"  store i64 {after}, ptr %n{self.block}")
        fuel = code.let("load i64, ptr %fuel")
        left = code.let(f"sub i64 {fuel}, {length}")
        empty = code.let(f"icmp slt i64 {left}, 0")
        rest = code.let(f"trunc i64 {fuel} to i32")
        self.shared.fault(empty, rest, Fault("limit", self.block, 0))
        self.shared.stop_if_pending()
        code.lines.append(f"  store i64 {left}, ptr %fuel")

    # The state between blocks.

    def _enter(self, flight: Flight) -> None:
        value = self._load(("result", flight.port, flight.due))
        origin = self._load(("origin", flight.port, flight.due)).bits
        if flight.certain:
            value = replace(value, known="true")
        self.arrivals.setdefault(flight.due, {})[flight.port] = _Result(value, origin)

    def _leave(self, length: int) -> None:
        self._arrive(length)
        for key in self.values:
            if key in self.changed:
                self._store(key, self.values[key])
        for register, values in self.past.items():
            now = [*values, self._value(register)]
            for k in range(1, self.shared.late_guards[register]):
                self._store(("past", register, k), now[-1 - k])
        flights: list[Flight] = []
        for cycle in sorted(self.arrivals):
            for port, result in sorted(self.arrivals[cycle].items()):
                due, known = cycle - length, result.value.known
                flights.append(Flight(port, due, known == "true"))
                self._store(("result", port, due), result.value)
                self._store(("origin", port, due), Value(result.origin, "true"))
        self._branch(tuple(flights))

    def _branch(self, flights: Flights) -> None:
        following = self.shared.label(self.block + 1, flights)
        lines = self.code.lines
        if self.jump is None:
            lines.append(f"  br label {following}")
            return
        condition, target = self.jump.condition, self.jump.target
        if not target.startswith("%"):
            taken = self.shared.label(self.shared.addresses.index(int(target)), flights)
        else:
            taken = f"%jump{len(lines)}"
        lines.append(f"  br i1 {condition}, label {taken}, label {following}")
        if target.startswith("%"):
            lines.append(f"{taken[1:]}:")
            labels = [self.shared.label(i, flights) for i in range(len(self.shared.addresses))]
            self._switch(target, labels[-1], labels)

    def _switch(self, target: str, default: str, labels: list[str]) -> None:
        cases = " ".join(
            f"i32 {a}, label {name}" for a, name in zip(self.shared.addresses, labels, strict=True)
        )
        self.code.lines.append(f"  switch i32 {target}, label {default} [{cases}]")

    def _load(self, key: Hashable) -> Value:
        cell = self.shared.cell(key)
        bits = self.code.let(f"load i32, ptr %v{cell}")
        return Value(bits, self.code.let(f"load i1, ptr %d{cell}"))

    def _store(self, key: Hashable, value: Value) -> None:
        cell = self.shared.cell(key)
        self.code.lines.append(f"  store i32 {value.bits}, ptr %v{cell}")
        self.code.lines.append(f"  store i1 {value.known}, ptr %d{cell}")

    def _value(self, key: Hashable) -> Value:
        if key not in self.values:
            self.values[key] = self._load(key)
        return self.values[key]

    def _change(self, key: Hashable, value: Value) -> None:
        self.values[key] = value
        self.changed.add(key)

    # A cycle.

    def _arrive(self, cycle: int) -> None:
        for port, result in self.arrivals.pop(cycle, {}).items():
            present, bits = result.value.known, result.value.bits
            self._change(port, self._merge(present, bits, port, self.values))

    def _execute(self, instruction: Instruction) -> None:
        triggered: list[tuple[UnitPort, str, str]] = []
        written: dict[Hashable, Value] = {}
        for move in instruction.moves:
            condition = "true" if move.guard is None else self._guard(move.guard)
            bits = self._read(move.source, condition)
            end = move.destination
            if isinstance(end, Register):
                file = self.machine.register_file(end.file)
                assert file is not None
                key, bits = end, self._clip(bits, file.width)
            elif self._is_return_address(end):
                key = RETURN_ADDRESS
            else:
                unit = self.machine.unit(end.unit)
                port = None if unit is None else unit.port(end.port)
                assert port is not None
                key, bits = (end.unit, end.port), self._clip(bits, port.width)
                if end.operation is not None:
                    triggered.append((end, condition, bits))
            written[key] = self._merge(condition, bits, key, written)
        if (long := instruction.immediate) is not None:
            written[long.register] = Value(self._read(long.value, "true"), "true")
        for key, value in written.items():
            self._change(key, value)
        self._trigger(triggered)

    def _is_return_address(self, end: UnitPort) -> bool:
        control = self.machine.control
        address = control.return_address
        return address is not None and (end.unit, end.port) == (control.name, address[0].name)

    def _merge(
        self, condition: str, bits: str, key: Hashable, first: dict[Hashable, Value]
    ) -> Value:
        """`bits` if the condition is true, else the value in `first` or in the cell."""
        if condition == "true":
            return Value(bits, "true")
        old = first.get(key) or self._value(key)
        chosen = self.code.let(f"select i1 {condition}, i32 {bits}, i32 {old.bits}")
        return Value(chosen, self.code.either(condition, old.known))

    def _clip(self, bits: str, width: int) -> str:
        return bits if width >= 32 else self.code.let(f"and i32 {bits}, {(1 << width) - 1}")

    def _guard(self, guard: Guard) -> str:
        register = Register(guard.register_file, guard.index)
        value = self._value(register)
        if register in self.past:
            value = self.past[register][-self.shared.late_guards[register]]
        self._fault(self.code.negate(value.known), "0", Fault("guard", *self._here(), guard))
        predicate = "eq" if guard.inverted else "ne"
        return self.code.let(f"icmp {predicate} i32 {value.bits}, 0")

    def _read(self, source: Source, condition: str) -> str:
        match source:
            case Immediate():
                return str(source.value)
            case Label():
                return str(self.program.addresses[source.block])
            case Register():
                key = source
            case UnitPort():
                key = (source.unit, source.port)
                if self._is_return_address(source):
                    key = RETURN_ADDRESS
        value = self._value(key)
        missing = self.code.both(condition, self.code.negate(value.known))
        self._fault(missing, "0", Fault("read", *self._here(), source))
        if condition == "true":
            self.values[key] = replace(value, known="true")
        return value.bits

    def _trigger(self, triggered: list[tuple[UnitPort, str, str]]) -> None:
        """Executes operations, each with its condition and the value of its trigger port."""
        stores: list[_Store] = []
        loads: list[str] = []
        loaded: list[str] = []
        stored: list[str] = []
        for end, condition, moved in triggered:
            unit = self.machine.unit(end.unit)
            operation = None if unit is None else unit.operation(end.operation or "")
            assert unit is not None and operation is not None
            inputs: list[str] = []
            for port in operation.inputs:
                if port == end.port:
                    inputs.append(moved)
                    continue
                value = self._value((end.unit, port))
                missing = self.code.both(condition, self.code.negate(value.known))
                self._fault(missing, "0", Fault("operand", *self._here(), (end, port)))
                if condition == "true":
                    self.values[end.unit, port] = replace(value, known="true")
                inputs.append(value.bits)
            semantics = operation.semantics
            result = None
            match semantics.kind:
                case Kind.PURE:
                    result = COMPUTE[operation.name](self.code, *inputs)
                case Kind.LOAD:
                    pointer = self._address(end, condition, inputs[0], semantics.size)
                    result = self._load_memory(loads, pointer, semantics)
                    loaded += self._access(end, condition, inputs[0])
                case Kind.STORE:
                    pointer = self._address(end, condition, inputs[0], semantics.size)
                    store = _Store(condition, inputs[0], pointer, inputs[1], semantics.size)
                    self._check_stores(stores, store)
                    stores.append(store)
                    stored += self._access(end, condition, inputs[0])
                case Kind.CONTROL:
                    self._jump(end, condition, inputs[0])
            if result is not None and operation.output is not None:
                self._send(end, operation, Value(result, condition))
        self.shared.stop_if_pending()
        self.code.lines += loads
        for store in stores:
            self._store_memory(store)
        self.code.lines += loaded + stored

    def _send(self, end: UnitPort, operation: UnitOperation, value: Value) -> None:
        assert operation.output is not None
        latency, port = operation.latency, (end.unit, operation.output)
        due = self.arrivals.setdefault(self.instruction + latency, {})
        origin = str(self.shared.origin(Origin(*self._here(), end, latency)))
        if (other := due.get(port)) is not None:
            both = self.code.both(value.known, other.value.known)
            fault = Fault("meet", *self._here(), end, latency=latency)
            self._fault(both, other.origin, fault)
            if value.known != "true":
                choice = f"select i1 {value.known}, i32"
                bits = self.code.let(f"{choice} {value.bits}, i32 {other.value.bits}")
                origin = self.code.let(f"{choice} {origin}, i32 {other.origin}")
                value = Value(bits, self.code.either(value.known, other.value.known))
        due[port] = _Result(value, origin)

    # Memory.

    def _address(self, end: UnitPort, condition: str, address: str, size: int) -> str:
        """The pointer of an access; it points to the state if the condition is false."""
        space = self.machine.space_of(end.unit)
        number = self.shared.space(space)
        wide = self.code.let(f"zext i32 {address} to i64")
        offset = self.code.let(f"sub i64 {wide}, %s{number}.0")
        wrong = self.code.let(f"icmp uge i64 {offset}, %s{number}.{2 + SIZES.index(size)}")
        if size > 1:
            low = self.code.let(f"and i32 {address}, {size - 1}")
            wrong = self.code.either(wrong, self.code.let(f"icmp ne i32 {low}, 0"))
        fault = Fault("address", *self._here(), end, size, space)
        self._fault(self.code.both(condition, wrong), address, fault)
        pointer = self.code.let(f"getelementptr i8, ptr %m{number}, i64 {offset}")
        if condition == "true":
            return pointer
        return self.code.let(f"select i1 {condition}, ptr {pointer}, ptr %state")

    def _access(self, end: UnitPort, condition: str, address: str) -> list[str]:
        """The code that the cache, if there is one, sees of an access."""
        if self.shared.cache is None:
            return []
        space = self.machine.space_of(end.unit)
        wide, key = self.code.name(), self.code.name()
        return [
            f"  {wide} = zext i32 {address} to i64",
            f"  {key} = or i64 {wide}, {self.machine.spaces.index(space) << 32}",
            f"  call void @access(ptr %cache, i1 {condition}, i64 {key})",
        ]

    def _load_memory(self, loads: list[str], pointer: str, operation: Operation) -> str:
        """The result of a load; its code is added to `loads`, after the checks of the cycle."""
        bits, size = self.code.name(), operation.size
        loads.append(f"  {bits} = load i{8 * size}, ptr {pointer}, align 1")
        if size == 4:
            return bits
        result, extend = self.code.name(), "sext" if operation.signed else "zext"
        loads.append(f"  {result} = {extend} i{8 * size} {bits} to i32")
        return result

    def _check_stores(self, stores: list[_Store], store: _Store) -> None:
        """Aligned accesses overlap if their addresses, aligned to the larger size, are equal."""
        first = "-1"
        for other in stores:
            differ = self.code.let(f"xor i32 {store.address}, {other.address}")
            differ = self.code.let(f"and i32 {differ}, {-max(store.size, other.size)}")
            meet = self.code.let(f"icmp eq i32 {differ}, 0")
            meet = self.code.both(meet, self.code.both(store.condition, other.condition))
            at = self.code.two("umax", store.address, other.address)
            at = self.code.let(f"select i1 {meet}, i32 {at}, i32 -1")
            first = self.code.two("umin", first, at)
        if stores:
            found = self.code.let(f"icmp ne i32 {first}, -1")
            self._fault(found, first, Fault("stores", *self._here()))

    def _store_memory(self, store: _Store) -> None:
        lines, bits = self.code.lines, store.value
        if store.size < 4:
            bits = self.code.let(f"trunc i32 {bits} to i{8 * store.size}")
        line = f"  store i{8 * store.size} {bits}, ptr {store.pointer}, align 1"
        if store.condition == "true":
            lines.append(line)
            return
        at = len(lines)
        lines.append(f"  br i1 {store.condition}, label %store{at}, label %stored{at}")
        lines += [f"store{at}:", line, f"  br label %stored{at}", f"stored{at}:"]

    # Control.

    def _jump(self, end: UnitPort, condition: str, target: str) -> None:
        fault = Fault("jump", *self._here(), end)
        if target.startswith("%"):
            lost = "true"
            for address in self.shared.addresses:
                other = self.code.let(f"icmp ne i32 {target}, {address}")
                lost = self.code.both(lost, other)
        else:
            lost = str(int(target) not in self.shared.addresses).lower()
        self._fault(self.code.both(condition, lost), target, fault)
        if lost == "true":
            return
        if end.operation == "call":
            address = self.shared.addresses[self.block + 1]
            value = self._merge(condition, str(address), RETURN_ADDRESS, {})
            self._change(RETURN_ADDRESS, value)
        self.jump = _Jump(condition, target)

    def _here(self) -> tuple[int, int]:
        return self.block, self.instruction

    def _fault(self, condition: str, value: str, fault: Fault) -> None:
        self.shared.fault(condition, value, fault)
