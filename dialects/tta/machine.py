"""A transport-triggered processor as data: function units, register files and buses.

A program specifies which value is moved on which bus in which cycle. An operation starts when a
value is moved to the *trigger* port of a function unit. The names are those of OpenASIP's
architecture definition files (adf.py, adf_writer.py).

Timing, in cycles from the move t that triggers:

- a result of latency L is in the output port from t + L on, until the next result of the unit;
- operand ports keep their values, so that an operand need not be moved again;
- a register written at t is read from t + 1 on; as a guard from t + guard latency on;
- after a jump at t, the instructions t + 1 ... t + delay slots are still executed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from polycl.dialects.tta.opset import OPSET, Kind, Operation


@dataclass(frozen=True)
class Kept:
    """An element of an architecture definition that nothing here uses: it is written as it was."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    children: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class Guard:
    """The condition of a move: the register `register_file.index` is 1 (0 if `inverted`)."""

    register_file: str
    index: int
    inverted: bool = False

    def __str__(self) -> str:
        return f"{'!' if self.inverted else ''}{self.register_file}.{self.index}"

    def excludes(self, other: Guard | None) -> bool:
        """Whether at most one of the two guards is true."""
        return (
            other is not None
            and (self.register_file, self.index) == (other.register_file, other.index)
            and self.inverted != other.inverted
        )


@dataclass(frozen=True)
class ShortImmediate:
    """Constants in an instruction: `width` bits, extended with their sign or with zeros.

    A width of 0 means that there are none.
    """

    width: int = 32
    signed: bool = False

    def holds(self, value: int) -> bool:
        """Whether the extension of the low `width` bits of `value` is `value`."""
        if self.width == 0:
            return False
        low = value & ((1 << self.width) - 1)
        if self.signed and low << 1 >> self.width:
            low -= 1 << self.width
        return (low - value) % (1 << 32) == 0


@dataclass(frozen=True)
class Bus:
    """A bus transports one value of `width` bits per cycle."""

    name: str
    guards: tuple[Guard, ...] = ()
    immediate: ShortImmediate = ShortImmediate()
    width: int = 32
    segments: tuple[Kept, ...] = ()
    """The segments, if there are several: only the first one is used."""
    kept: tuple[Kept, ...] = ()
    """Guards that are not used: on ports, of several terms, or never true."""

    @property
    def segment(self) -> str:
        """The name of the segment that moves use."""
        return dict(self.segments[0].attributes)["name"] if self.segments else "seg1"

    @cached_property
    def guard_set(self) -> frozenset[Guard]:
        return frozenset(self.guards)


@dataclass(frozen=True)
class Socket:
    """Connects ports to buses: an `input` socket reads the buses, another one writes them."""

    name: str
    input: bool
    buses: tuple[int, ...]
    """Indices into `Machine.buses`, ascending."""
    kept: tuple[Kept, ...] = ()
    """Connections to segments that are not used."""


@dataclass(frozen=True)
class Port:
    """A port of a unit or register file. A move to a port that `triggers` names an operation."""

    name: str
    socket: str
    """Empty if the port is connected to nothing."""
    width: int = 32
    triggers: bool = False
    kept: tuple[Kept, ...] = ()
    """Further sockets, and flags of ports whose operations are not scheduled."""


@dataclass(frozen=True)
class UnitOperation:
    """An operation of a unit: the port of each operand, inputs first, and the latency."""

    name: str
    ports: tuple[str, ...]
    latency: int
    """Cycles from the trigger until the result is readable; 0 if there is no result."""
    spelling: str = ""
    """The name in the architecture definition, if that is another one: `ldw` for `ld32`."""

    @cached_property
    def semantics(self) -> Operation:
        return OPSET[self.name]

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        return self.ports[: self.semantics.inputs]

    @cached_property
    def output(self) -> str | None:
        return self.ports[-1] if self.semantics.outputs else None


@dataclass(frozen=True)
class FunctionUnit:
    """Starts one operation per cycle (all are pipelined); `space` is that of its accesses."""

    name: str
    ports: tuple[Port, ...]
    operations: tuple[UnitOperation, ...]
    space: str | None = None
    kept: tuple[Kept, ...] = ()
    """Operations that are not scheduled."""

    def port(self, name: str) -> Port | None:
        return self._ports.get(name)

    @cached_property
    def _ports(self) -> dict[str, Port]:
        return {port.name: port for port in self.ports}

    def operation(self, name: str) -> UnitOperation | None:
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, UnitOperation]:
        return {op.name: op for op in self.operations}

    @cached_property
    def trigger(self) -> Port:
        """The one port that starts operations."""
        return next(p for p in self.ports if p.triggers)


@dataclass(frozen=True)
class RegisterFile:
    """`size` registers of `width` bits (1: booleans).

    Each read port reads one register per cycle, for any number of buses. Each write port accepts
    one value per cycle. Ports may connect to different buses.
    Nothing is kept in a file that is not `normal`, nor in register 0 if that is always `zero`.
    """

    name: str
    size: int
    width: int
    reads: tuple[Port, ...]
    writes: tuple[Port, ...]
    guard_latency: int = 0
    """Cycles in addition to the guard latency of the control unit."""
    zero: bool = False
    kind: str = "normal"
    limits: tuple[int, int] | None = None
    """The most reads and writes per cycle, if they are not the numbers of ports."""
    unused: tuple[Port, ...] = ()
    """Ports that are connected to nothing."""

    @property
    def most_reads(self) -> int:
        """The registers that can be read in one cycle."""
        return min(len(self.reads), self.limits[0]) if self.limits else len(self.reads)

    @property
    def most_writes(self) -> int:
        """The registers that can be written in one cycle."""
        return min(len(self.writes), self.limits[1]) if self.limits else len(self.writes)

    @property
    def allocatable(self) -> range:
        """The numbers of the registers that can hold values."""
        return self.guarding if self.most_reads else range(0)

    @property
    def guarding(self) -> range:
        """The numbers of the registers that can be written: guards need no read port."""
        usable = self.kind == "normal" and self.most_writes
        return range(int(self.zero), self.size if usable else 0)


@dataclass(frozen=True)
class Template:
    """An instruction template: the slots whose bits encode a constant, with their widths.

    A slot is a bus, which moves nothing in that instruction, or one of its own.
    """

    name: str
    slots: tuple[tuple[str, int], ...] = ()

    @property
    def width(self) -> int:
        """The bits of the constant."""
        return sum(width for _, width in self.slots)


@dataclass(frozen=True)
class ImmediateUnit:
    """Registers for long immediates: the constants that instructions of a template encode.

    A constant that is encoded in cycle t is readable from t + `latency` on.
    """

    name: str
    size: int
    width: int
    reads: tuple[Port, ...]
    templates: tuple[Template, ...]
    signed: bool = False
    latency: int = 1
    kind: str = "normal"
    limits: tuple[int, int] | None = None
    guard_latency: int = 0


@dataclass(frozen=True)
class ControlUnit:
    """Executes `jump` and `call`."""

    name: str
    ports: tuple[Port, ...]
    operations: tuple[UnitOperation, ...]
    delay_slots: int = 3
    guard_latency: int = 1
    space: str | None = None
    """The address space of the instructions, which is not readable."""
    return_address: tuple[Port, Port] | None = None
    """The write port and the read port of the return address register, with the same name."""
    kept: tuple[Kept, ...] = ()
    """Operations and special ports that are not used."""

    @cached_property
    def unit(self) -> FunctionUnit:
        """The control unit as a function unit."""
        return FunctionUnit(self.name, self.ports, self.operations, self.space, self.kept)


@dataclass(frozen=True)
class Encoding:
    """A template as the way to write a constant to a register of an immediate unit."""

    template: str
    unit: str
    registers: int
    immediate: ShortImmediate
    """The constants that it can encode."""
    buses: frozenset[int]
    """The buses that move nothing in an instruction of this template."""


@dataclass(frozen=True)
class AddressSpace:
    """Addresses `minimum` ... `maximum` of units of `width` bits.

    `ids` are the OpenCL address spaces in it.
    """

    name: str
    minimum: int
    maximum: int
    ids: tuple[int, ...] = ()
    width: int = 8
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class Machine:
    """A processor. Two machines are equal if all their parts are.

    `control` has no name in a file that describes only parts of a processor.
    """

    buses: tuple[Bus, ...]
    sockets: tuple[Socket, ...]
    units: tuple[FunctionUnit, ...]
    register_files: tuple[RegisterFile, ...]
    spaces: tuple[AddressSpace, ...]
    control: ControlUnit
    immediate_units: tuple[ImmediateUnit, ...] = ()
    little_endian: bool = True
    """Whether the operations of the file are the little-endian ones; memory is, in any case."""
    kept: tuple[Kept, ...] = ()
    apart: tuple[str, ...] = ()
    """Of the connected part of a machine (core.py): the operations that only other parts have."""

    def unit(self, name: str) -> FunctionUnit | None:
        """The function unit of that name, which may be the control unit."""
        return self._units.get(name)

    def register_file(self, name: str) -> RegisterFile | None:
        """The register file of that name, or the registers of an immediate unit."""
        return self._files.get(name)

    def space(self, name: str | None) -> AddressSpace | None:
        return next((s for s in self.spaces if s.name == name), None)

    def space_of(self, unit: str) -> AddressSpace:
        """The address space of a unit that accesses memory."""
        found = self.unit(unit)
        space = None if found is None else self.space(found.space)
        assert space is not None
        return space

    def units_with(self, operation: str) -> tuple[FunctionUnit, ...]:
        """The units that execute an operation, in the order of the machine.

        Loads and stores are those of the data memory.
        """
        return self._executing.get(operation, ())

    @cached_property
    def _executing(self) -> dict[str, tuple[FunctionUnit, ...]]:
        found: dict[str, tuple[FunctionUnit, ...]] = {}
        for unit in self._units.values():
            for op in unit.operations:
                accesses = op.name in OPSET and OPSET[op.name].kind in (Kind.LOAD, Kind.STORE)
                if not accesses or unit.space == self.data_space:
                    found[op.name] = (*found.get(op.name, ()), unit)
        return found

    def least_latency(self, operation: str) -> int:
        """The cycles until a result can be moved, of the fastest unit; 0 if no unit has it."""
        return self._latencies.get(operation, 0)

    @cached_property
    def _latencies(self) -> dict[str, int]:
        return {
            name: min(op.latency for unit in units if (op := unit.operation(name)) is not None)
            for name, units in self._executing.items()
        }

    @cached_property
    def data_space(self) -> str | None:
        """The address space of bytes in which words are loaded and stored; the largest one."""
        found = [
            space
            for space in self.spaces
            if space.width == 8
            and all(
                any(u.space == space.name and u.operation(op) for u in self.units)
                for op in ("ld32", "st32")
            )
        ]
        best = max(found, key=lambda space: space.maximum - space.minimum, default=None)
        return None if best is None else best.name

    def buses_of(self, port: Port) -> frozenset[int]:
        """The buses that a port is connected to."""
        return self._reach.get(port.socket, frozenset())

    @cached_property
    def immediates(self) -> tuple[tuple[ShortImmediate, int], ...]:
        """The encodings of constants, each with its buses as bits."""
        found: dict[ShortImmediate, int] = {}
        for index, bus in enumerate(self.buses):
            found[bus.immediate] = found.get(bus.immediate, 0) | 1 << index
        return tuple(found.items())

    def takes(self, port: Port) -> bool:
        """Whether moves write a port (else they read it)."""
        return port.socket in self._inputs

    def guard_delay(self, file: RegisterFile) -> int:
        """Cycles from a write of a register of `file` until it guards with the new value."""
        return self.control.guard_latency + file.guard_latency

    def lacks(self) -> str | None:
        """What every program needs and the machine does not have; None if it has all of that."""
        if not self.control.name:
            return "there is no global-control-unit: the file describes parts of a processor"
        if self.control.unit.operation("jump") is None:
            return f"the control unit '{self.control.name}' has no 'jump' that can be scheduled"
        if self.data_space is None:
            words = "'ld32' and 'st32'" if self.little_endian else "'ldw' and 'stw'"
            return (
                "no address-space of bytes has units that load and store words: "
                f"expected {words}, found {self._accesses()}"
            )
        if not any(file.allocatable and file.width == 32 for file in self.register_files):
            return "no register-file of 32 bits can be read and written"
        if not self.guard_registers:
            return "no bus has guards 'simple-expr' and 'inverted-expr' on a register"
        return None

    def _accesses(self) -> str:
        """The operations of the units with an address space; those that are kept have a mark."""
        names: set[str] = set()
        for unit in self.units:
            if unit.space is None:
                continue
            names |= {f"'{operation.name}'" for operation in unit.operations}
            names |= {
                f"'{child.text.strip()}' (cannot be scheduled)"
                for kept in unit.kept
                if kept.tag == "operation"
                for child in kept.children
                if child.tag == "name"
            }
        return ", ".join(sorted(names)) or "no unit with an address-space"

    @cached_property
    def is_sparse(self) -> bool:
        """Whether there is one bus, or not every bus connects to every socket."""
        every = tuple(range(len(self.buses)))
        return len(every) == 1 or any(s.buses and s.buses != every for s in self.sockets)

    @cached_property
    def guard_registers(self) -> tuple[tuple[str, int], ...]:
        """The registers that can guard a move on every bus, also inverted, in machine order.

        Where there are none, those that guard moves on the most buses.
        """
        found: dict[tuple[str, int], int] = {}
        for file in self.register_files:
            for index in file.guarding:
                both = {Guard(file.name, index), Guard(file.name, index, True)}
                found[file.name, index] = sum(both <= bus.guard_set for bus in self.buses)
        most = max(found.values(), default=0)
        return tuple(register for register, buses in found.items() if buses == most > 0)

    @cached_property
    def _units(self) -> dict[str, FunctionUnit]:
        return {u.name: u for u in (*self.units, self.control.unit)}

    @cached_property
    def _files(self) -> dict[str, RegisterFile]:
        immediates = (
            RegisterFile(unit.name, unit.size, unit.width, unit.reads, (), 0)
            for unit in self.immediate_units
        )
        return {file.name: file for file in (*immediates, *self.register_files)}

    @cached_property
    def encodings(self) -> tuple[Encoding, ...]:
        """The ways to encode a long immediate, those that use the fewest buses first.

        Only templates that write one immediate unit are used, and no slow or narrow unit.
        """
        uses: dict[str, list[ImmediateUnit]] = {}
        for unit in self.immediate_units:
            for template in unit.templates:
                if template.slots:
                    uses.setdefault(template.name, []).append(unit)
        index = {bus.name: i for i, bus in enumerate(self.buses)}
        found: list[Encoding] = []
        for name, units in uses.items():
            unit = units[0]
            template = next(t for t in unit.templates if t.name == name)
            if len(units) > 1 or unit.width < 32 or unit.latency != 1 or not unit.reads:
                continue
            immediate = ShortImmediate(min(template.width, 32), unit.signed)
            buses = frozenset(index[slot] for slot, _ in template.slots if slot in index)
            found.append(Encoding(name, unit.name, unit.size, immediate, buses))
        return tuple(sorted(found, key=lambda e: (len(e.buses), e.immediate.width)))

    @cached_property
    def _reach(self) -> dict[str, frozenset[int]]:
        return {socket.name: frozenset(socket.buses) for socket in self.sockets}

    @cached_property
    def _inputs(self) -> frozenset[str]:
        return frozenset(socket.name for socket in self.sockets if socket.input)
