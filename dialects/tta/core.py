"""The part of a sparsely connected machine in which every register reaches every unit.

The scheduler moves a value from a port or a register to any operand, and from any port to some
register. Where buses do not connect all of these, it uses the part that is connected in this way:
register files that are connected to each other, and operations all of whose operands can be moved
from them, and whose results can be moved to them. Loads and stores
are those of the one address space that has the data.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from polycl.dialects.tta.machine import (
    FunctionUnit,
    Guard,
    Machine,
    Port,
    RegisterFile,
    UnitOperation,
)
from polycl.dialects.tta.opset import COMPARISONS, Kind


@cache
def connected_core(machine: Machine) -> Machine:
    """The largest connected part around one register file; `machine` itself if that is all."""
    words = [file for file in machine.register_files if file.allocatable and file.width == 32]
    best: Machine | None = None
    for seed in words:
        found = _around(machine, seed, words)
        if best is None or _size(found) > _size(best):
            best = found
    if best is None:
        return machine
    same = best.units == machine.units and best.register_files == machine.register_files
    return machine if same else best


def disconnected(machine: Machine, core: Machine) -> str | None:
    """Why the connected part runs no program, for messages; None if it loads, stores and adds."""
    for names in (("ld32",), ("st32",), ("add", "sub")):
        units = [unit.name for name in names for unit in machine.units_with(name)]
        if units and not any(core.units_with(name) for name in names):
            return (
                "the buses connect no register-file of 32 bits with all operands and the result "
                f"of '{names[0]}' in {', '.join(units)}"
            )
    return None


def _size(machine: Machine) -> tuple[int, int, int]:
    """The different operations, then all operations, then the registers."""
    names = {op.name for unit in machine.units for op in unit.operations}
    operations = sum(len(unit.operations) for unit in machine.units)
    return len(names), operations, sum(file.size for file in machine.register_files)


def _around(machine: Machine, seed: RegisterFile, words: list[RegisterFile]) -> Machine:
    units = tuple(_reduced(machine, unit, seed) for unit in machine.units)
    kept = [seed]
    for file in words:
        if file is not seed and all(_copied(machine, file, other) for other in kept):
            if all(_reduced(machine, unit, file) == unit for unit in units):
                kept.append(file)
    files: list[RegisterFile] = []
    for file in machine.register_files:
        if file in kept:
            files.append(file)
        elif file.guarding and all(_linked(machine, f.reads, file.writes) for f in kept):
            # A register that is not read everywhere guards only.
            read = all(_linked(machine, file.reads, f.writes) for f in kept) and all(
                _reads(machine, unit, op, file) for unit in units for op in unit.operations
            )
            files.append(file if read and file.width == 1 else replace(file, reads=()))
    every, own = (
        {op.name for unit in of for op in unit.operations} for of in (machine.units, units)
    )
    apart = tuple(sorted(every - own))
    return replace(machine, units=units, register_files=tuple(files), apart=apart)


def _reduced(machine: Machine, unit: FunctionUnit, file: RegisterFile) -> FunctionUnit:
    """The unit with the operations whose operands and results move from and to `file`."""
    operations = tuple(
        op
        for op in unit.operations
        if (op.semantics.kind is Kind.PURE or unit.space == machine.data_space)
        and _has_all_bits(machine, unit, op)
        and _reads(machine, unit, op, file)
        and all(_constants(machine, _port(unit, name)) for name in op.inputs)
        and (op.output is None or _linked(machine, (_port(unit, op.output),), file.writes))
    )
    return unit if operations == unit.operations else replace(unit, operations=operations)


def _has_all_bits(machine: Machine, unit: FunctionUnit, operation: UnitOperation) -> bool:
    """Whether the ports of an operation have all bits of what it computes with.

    A port with addresses may have fewer, if no other unit has more; so may that of the number of
    bits of a shift.
    """
    semantics = operation.semantics
    needed = [32] * semantics.inputs
    if semantics.kind is not Kind.PURE:
        needed[0] = max(
            _port(other, op.inputs[0]).width
            for other in machine.units_with(operation.name)
            if (op := other.operation(operation.name)) is not None
        )
        needed[1:] = [8 * semantics.size] * len(needed[1:])
    elif operation.name in ("shl", "shr", "shru"):
        needed[1] = 5
    if semantics.outputs:
        needed.append(1 if operation.name in COMPARISONS else 32)
    return all(
        _port(unit, name).width >= bits for name, bits in zip(operation.ports, needed, strict=True)
    )


def _reads(
    machine: Machine, unit: FunctionUnit, operation: UnitOperation, file: RegisterFile
) -> bool:
    return all(_linked(machine, file.reads, (_port(unit, name),)) for name in operation.inputs)


def _copied(machine: Machine, one: RegisterFile, other: RegisterFile) -> bool:
    return _linked(machine, one.reads, other.writes) and _linked(machine, other.reads, one.writes)


def _port(unit: FunctionUnit, name: str) -> Port:
    port = unit.port(name)
    assert port is not None
    return port


def _linked(machine: Machine, sources: tuple[Port, ...], ends: tuple[Port, ...]) -> bool:
    """Whether a bus connects one of the sources to one of the ends."""
    if not sources or not ends:
        return False
    buses = _buses(machine, sources) & _buses(machine, ends)
    width = min(sources[0].width, ends[0].width)
    return any(machine.buses[bus].width >= width for bus in buses)


@cache
def constant_bits(machine: Machine) -> int:
    """The bits of the constants that can be moved to every operand, at most 32."""
    least = 32
    for unit in (*machine.units, machine.control.unit):
        for op in unit.operations:
            for name in op.inputs:
                port = _port(unit, name)
                least = min(least, _most_bits(machine, port))
    return least


@cache
def guards_words(machine: Machine) -> bool:
    """Whether a word can be moved from a register to another one under a guard; else guards are
    good for jumps only."""
    words = [file for file in machine.register_files if file.allocatable and file.width == 32]
    reads = {bus for file in words for bus in _buses(machine, file.reads)}
    writes = {bus for file in words for bus in _buses(machine, file.writes)}
    guards = {Guard(file, index) for file, index in machine.guard_registers}
    return any(guards & machine.buses[bus].guard_set for bus in reads & writes)


def _most_bits(machine: Machine, port: Port) -> int:
    immediates = [machine.buses[bus].immediate for bus in machine.buses_of(port)]
    for unit in machine.immediate_units:
        if _linked(machine, unit.reads, (port,)):
            immediates += [e.immediate for e in machine.encodings if e.unit == unit.name]
    # Of sign-extended constants, those with a leading 0 are used.
    found = max((i.width - (i.signed and i.width < 32) for i in immediates), default=0)
    return 32 if found >= port.width else found


def _buses(machine: Machine, ports: tuple[Port, ...]) -> set[int]:
    return {bus for port in ports for bus in machine.buses_of(port)}


def _constants(machine: Machine, port: Port) -> bool:
    """Whether a constant can be moved to a port."""
    buses = machine.buses_of(port)
    if any(machine.buses[bus].immediate.width and machine.buses[bus].width >= 32 for bus in buses):
        return True
    return any(_linked(machine, unit.reads, (port,)) for unit in machine.immediate_units)
