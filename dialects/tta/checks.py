"""Static checks of a program for its machine.

The verifiers of the `tta` operations and the assembly parser report these problems. The simulator
reports results that collide in an output port, uninitialised reads and wrong memory accesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from polycl.dialects.tta.machine import Encoding, Machine, Port, RegisterFile
from polycl.dialects.tta.program import (
    Block,
    Immediate,
    Instruction,
    Label,
    LongImmediate,
    Move,
    Program,
    Register,
    UnitPort,
)


@dataclass(frozen=True)
class Problem:
    """A problem at an instruction of a block (indices from 0; None for the whole block)."""

    block: int
    instruction: int | None
    message: str


def problems(program: Program) -> Iterator[Problem]:
    """All problems of a program, in program order."""
    for i, block in enumerate(program.blocks):
        for at, message in block_problems(program, block):
            yield Problem(i, at, message)
        for at, instruction in enumerate(block.instructions):
            for message in instruction_problems(program.machine, instruction):
                yield Problem(i, at, message)


def block_problems(program: Program, block: Block) -> Iterator[tuple[int | None, str]]:
    """Problems with jumps and labels, each with the index of its instruction."""
    if not block.instructions:
        yield None, "a block has at least one instruction"
    if block.name is not None and [other.name for other in program.blocks].count(block.name) > 1:
        yield None, f"there are several blocks called '{block.name}'"
    control = program.machine.control
    jump_at = len(block.instructions) - 1 - control.delay_slots
    jumps = 0
    for at, instruction in enumerate(block.instructions):
        long = instruction.immediate
        if long is not None and isinstance(long.value, Label):
            yield from ((at, m) for m in _long_label_problems(program, long))
        for move in instruction.moves:
            if isinstance(move.source, Label):
                yield from ((at, m) for m in _label_problems(program, move.source, move))
            if isinstance(move.destination, UnitPort) and move.destination.unit == control.name:
                if move.destination.operation is None:
                    continue
                jumps += 1
                if at != jump_at:
                    yield (
                        at,
                        f"a jump has {control.delay_slots} delay slots, which end its block; "
                        f"{len(block.instructions) - 1 - at} instructions follow",
                    )
                elif jumps > 1:
                    yield at, "there is another jump in this block"


def _label_problems(program: Program, label: Label, move: Move) -> Iterator[str]:
    address = program.addresses.get(label.block)
    if address is None:
        yield f"there is no block called '{label.block}'"
    elif address >> _width_of(program.machine, move.destination):
        yield f"the address {address} of '{label.block}' does not fit '{move.destination}'"
    elif 0 <= move.bus < len(program.machine.buses):
        if not program.machine.buses[move.bus].immediate.holds(address):
            yield f"the address {address} of '{label.block}' does not fit the bus's immediates"


def _width_of(machine: Machine, end: Register | UnitPort) -> int:
    """The bits of an address that a jump takes; 32 for other destinations."""
    if not isinstance(end, UnitPort) or end.unit != machine.control.name:
        return 32
    try:
        return port_of(machine, end, True).width
    except ValueError:
        return 32  # another problem


def _long_label_problems(program: Program, long: LongImmediate) -> Iterator[str]:
    address = program.addresses.get(str(long.value))
    encoding = _encoding(program.machine, long)
    if address is None:
        yield f"there is no block called '{long.value}'"
    elif encoding is not None and not encoding.immediate.holds(address):
        yield f"the address {address} of '{long.value}' does not fit template '{long.template}'"


def _encoding(machine: Machine, long: LongImmediate) -> Encoding | None:
    wanted = long.template, long.register.file
    return next((e for e in machine.encodings if (e.template, e.unit) == wanted), None)


def _immediate_problems(machine: Machine, instruction: Instruction) -> Iterator[str]:
    """Problems of the long immediate with its template and the buses that are slots of it."""
    long = instruction.immediate
    if long is None:
        return
    encoding = _encoding(machine, long)
    if encoding is None:
        yield f"'{long}': template '{long.template}' encodes no constant for '{long.register.file}'"
        return
    if long.register.index >= encoding.registers:
        yield f"'{long}': immediate unit '{encoding.unit}' ends at {encoding.registers - 1}"
    if isinstance(long.value, Immediate) and not encoding.immediate.holds(long.value.value):
        yield f"'{long}': the constant does not fit template '{long.template}'"
    for move in instruction.moves:
        if move.bus in encoding.buses:
            yield f"'{move}': bus {move.bus} is a slot of template '{long.template}'"


def instruction_problems(machine: Machine, instruction: Instruction) -> Iterator[str]:
    """Problems with connections, guards, immediates and conflicts of moves in one cycle."""
    found = [message for move in instruction.moves for message in _move_problems(machine, move)]
    found += _immediate_problems(machine, instruction)
    yield from found
    if not found:
        yield from _bus_conflicts(instruction.moves)
        yield from _port_conflicts(instruction.moves, machine)
        ends = [end for move in instruction.moves for end in (move.source, move.destination)]
        used = {end.file for end in ends if isinstance(end, Register)}
        for file in machine.register_files:
            if file.name in used:
                yield from _register_conflicts(machine, file, instruction.moves)


def _move_problems(machine: Machine, move: Move) -> Iterator[str]:
    if not 0 <= move.bus < len(machine.buses):
        yield f"'{move}': there is no bus {move.bus}, the machine has {len(machine.buses)}"
        return
    bus = machine.buses[move.bus]
    if move.guard is not None and move.guard not in bus.guard_set:
        yield f"'{move}': bus '{bus.name}' has no guard {move.guard}"
    source, destination = move.source, move.destination
    if isinstance(source, Immediate):
        if not bus.immediate.holds(source.value):
            yield f"'{move}': {source} does not fit {_immediates(machine, move.bus)}"
    elif not isinstance(source, Label):
        yield from _end_problems(machine, move, source, False)
    yield from _width_problems(machine, move)
    yield from _end_problems(machine, move, destination, True)


def _width_problems(machine: Machine, move: Move) -> Iterator[str]:
    """A bus transports the bits of its width, which must be all of the source or destination."""
    width = machine.buses[move.bus].width
    if width >= 32:
        return
    try:
        takes = port_of(machine, move.destination, True).width
        source = move.source
        gives = (
            32 if isinstance(source, Immediate | Label) else port_of(machine, source, False).width
        )
    except ValueError:
        return
    if min(takes, gives) > width:
        yield f"'{move}': bus '{machine.buses[move.bus].name}' transports {width} bits"


def _immediates(machine: Machine, bus: int) -> str:
    immediate = machine.buses[bus].immediate
    kind = "signed" if immediate.signed else "unsigned"
    return f"the {immediate.width}-bit {kind} immediates of bus '{machine.buses[bus].name}'"


def _end_problems(
    machine: Machine, move: Move, end: Register | UnitPort, takes: bool
) -> Iterator[str]:
    """The problems of the destination (`takes`) or the source of a move."""
    try:
        port = port_of(machine, end, takes)
    except ValueError as error:
        yield f"'{move}': {error}"
        return
    ports = (port,)
    if isinstance(end, Register) and (file := machine.register_file(end.file)) is not None:
        ports = file.writes if takes else file.reads
    if not any(move.bus in machine.buses_of(p) for p in ports):
        way = "to" if takes else "from"
        yield f"'{move}': bus '{machine.buses[move.bus].name}' does not connect {way} '{end}'"


def port_of(machine: Machine, end: Register | UnitPort, takes: bool) -> Port:
    """The port that a move writes (`takes`) or reads. Raises ValueError."""
    if isinstance(end, Register):
        return _register_port(machine, end, takes)
    control = machine.control
    if control.return_address is not None and end.unit == control.name:
        if end.port == control.return_address[0].name and end.operation is None:
            return control.return_address[0 if takes else 1]
    unit = machine.unit(end.unit)
    if unit is None:
        raise ValueError(f"there is no function unit '{end.unit}'")
    port = unit.port(end.port)
    if port is None:
        raise ValueError(f"unit '{end.unit}' has no port '{end.port}'")
    if machine.takes(port) != takes:
        raise ValueError(f"'{end.unit}.{end.port}' is an {'out' if takes else 'in'}put")
    if end.operation is None and takes and port.triggers:
        raise ValueError(f"'{end}' triggers; expected an operation, as in '{end}.add'")
    if end.operation is not None:
        if not port.triggers:
            raise ValueError(f"'{end.unit}.{end.port}' does not trigger operations")
        if unit.operation(end.operation) is None:
            raise ValueError(f"unit '{end.unit}' has no operation '{end.operation}'")
    return port


def _register_port(machine: Machine, register: Register, takes: bool) -> Port:
    file = machine.register_file(register.file)
    if file is None:
        raise ValueError(f"there is no register file '{register.file}'")
    if register.index >= file.size:
        raise ValueError(f"register file '{file.name}' ends at {file.name}.{file.size - 1}")
    if register.index == 0 and file.zero:
        raise ValueError(f"'{register}' is always 0 in this machine: use the constant")
    ports = file.writes if takes else file.reads
    if not ports:
        raise ValueError(f"register file '{file.name}' has no port for it")
    return ports[0]


def _bus_conflicts(moves: Sequence[Move]) -> Iterator[str]:
    users: dict[int, Move] = {}
    for move in moves:
        first = users.setdefault(move.bus, move)
        if first is not move:
            yield f"'{first}' and '{move}' use bus {move.bus} in the same cycle"


def _port_conflicts(moves: Sequence[Move], machine: Machine) -> Iterator[str]:
    """Each port of a unit takes one value per cycle, and each unit one operation."""
    users: dict[tuple[str, str], Move] = {}
    for move in moves:
        end = move.destination
        if not isinstance(end, UnitPort):
            continue
        first = users.setdefault((end.unit, end.port), move)
        if first is move:
            continue
        alternatives = first.guard is not None and first.guard.excludes(move.guard)
        if end.operation is not None or not alternatives:
            yield f"'{first}' and '{move}' write one port in the same cycle"


def _register_conflicts(
    machine: Machine, file: RegisterFile, moves: Sequence[Move]
) -> Iterator[str]:
    reads = [(m, s) for m in moves if isinstance(s := m.source, Register) and s.file == file.name]
    writes = [
        (m, d) for m in moves if isinstance(d := m.destination, Register) and d.file == file.name
    ]
    different = sorted({r.index for _, r in reads})
    if len(different) > file.most_reads or not _assignable(
        machine, file.reads, reads, _same_register
    ):
        names = ", ".join(f"{file.name}.{i}" for i in different)
        yield f"{names} are read in the same cycle, through {file.most_reads} port(s)"
    for at, (move, register) in enumerate(writes):
        for other, same in writes[:at]:
            if register == same and not _exclusive(move, other):
                yield f"'{other}' and '{move}' write one register in the same cycle"
    most = file.most_writes
    if not _assignable(machine, file.writes, writes, lambda a, b: _exclusive(a[0], b[0]), most):
        names = ", ".join(f"'{m}'" for m, _ in writes)
        yield f"{names} write in the same cycle, through {file.most_writes} port(s)"


Access = tuple[Move, Register]


def _same_register(one: Access, other: Access) -> bool:
    return one[1] == other[1]


def _exclusive(one: Move, other: Move) -> bool:
    return one.guard is not None and one.guard.excludes(other.guard)


def _assignable(
    machine: Machine,
    ports: Sequence[Port],
    accesses: Sequence[Access],
    shares: Callable[[Access, Access], bool],
    most: int | None = None,
) -> bool:
    """Whether each access can use a port that its bus reaches, with those that it `shares` with.

    At most `most` ports are used.
    """
    used: list[list[Access]] = [[] for _ in ports]

    def assign(at: int) -> bool:
        if at == len(accesses):
            return most is None or sum(map(bool, used)) <= most
        access = accesses[at]
        tried: list[tuple[frozenset[int], list[Access]]] = []
        for port, there in zip(ports, used, strict=True):
            buses = machine.buses_of(port)
            if access[0].bus not in buses or (buses, there) in tried:
                continue
            tried.append((buses, list(there)))
            if all(shares(access, other) for other in there):
                there.append(access)
                if assign(at + 1):
                    return True
                there.pop()
        return False

    return assign(0)
