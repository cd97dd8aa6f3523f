"""Preset machines: `paper`, a small one and a wide one.

`paper` is the machine of [pocl15], Table 2: 4 integer register files of 32, 5 boolean ones of 16,
4 integer ALUs, 4 float adders, 4 float multipliers and 9 load-store units. The table does not
specify the number of buses, nor the units that compare and convert floats: as in the machine that
pocl is tested with, there is one unit for each. The latencies are also those of that machine.
Integer multiplication is a parameter, since the ALU does not have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import signature

from polycl.dialects.tta.adf import from_adf
from polycl.dialects.tta.adf_writer import to_adf
from polycl.dialects.tta.machine import (
    AddressSpace,
    Bus,
    ControlUnit,
    FunctionUnit,
    Guard,
    Machine,
    Port,
    RegisterFile,
    Socket,
    UnitOperation,
)
from polycl.dialects.tta.opset import OPSET, Kind

INTEGER = (
    "add sub and ior xor shl shr shru eq ne lt ltu le leu gt gtu ge geu min minu max maxu sxqw sxhw"
).split()
MULTIPLY = "mul mulhi mulhiu".split()
FLOAT_COMPARE = "eqf nef ltf lef gtf gef absf negf".split()
CONVERT = "cif cifu cfi cfiu".split()
MEMORY = "ld32 ld16 ldu16 ld8 ldu8 st32 st16 st8".split()

LATENCY = {
    **dict.fromkeys(INTEGER + FLOAT_COMPARE, 1),
    **dict.fromkeys(MULTIPLY, 3),
    **dict.fromkeys(CONVERT, 4),
    **dict.fromkeys(("addf", "subf", "mulf"), 5),
    **dict.fromkeys(MEMORY, 3),
}


@dataclass(frozen=True)
class Unit:
    """`count` units of one kind, named `name`0, `name`1, ..."""

    name: str
    count: int
    operations: Sequence[str]


def build(
    buses: int,
    units: Iterable[Unit],
    integer_files: tuple[int, int],
    boolean_files: tuple[int, int],
    guards_per_file: int,
) -> Machine:
    """A machine in which every bus connects to every port; files are given as (count, size)."""
    guards = tuple(
        Guard(f"BOOL{file}", index, inverted)
        for file in range(boolean_files[0])
        for index in range(guards_per_file)
        for inverted in (False, True)
    )
    sockets: list[Socket] = []

    def port(part: str, name: str, takes: bool, width: int = 32, triggers: bool = False) -> Port:
        sockets.append(Socket(f"{part}_{name}", takes, tuple(range(buses))))
        return Port(name, sockets[-1].name, width, triggers)

    def unit(name: str, operations: Sequence[str]) -> FunctionUnit:
        memory = any(OPSET[op].kind is not Kind.PURE for op in operations)
        ports = [port(name, "in1t", True, triggers=True)]
        if any(OPSET[op].inputs > 1 for op in operations):
            ports.append(port(name, "in2", True))
        ports.append(port(name, "out1", False))
        bound = tuple(_bind(op) for op in operations)
        return FunctionUnit(name, tuple(ports), bound, "data" if memory else None)

    def file(name: str, size: int, width: int) -> RegisterFile:
        read, write = port(name, "rd", False, width), port(name, "wr", True, width)
        return RegisterFile(name, size, width, (read,), (write,))

    function_units = tuple(
        unit(f"{kind.name}{i}", kind.operations) for kind in units for i in range(kind.count)
    )
    files = [file(f"RF{i}", integer_files[1], 32) for i in range(integer_files[0])]
    files += [file(f"BOOL{i}", boolean_files[1], 1) for i in range(boolean_files[0])]
    control = ControlUnit(
        "gcu",
        (port("gcu", "pc", True, triggers=True),),
        (UnitOperation("jump", ("pc",), 0),),
        space="instructions",
    )
    return Machine(
        tuple(Bus(f"B{i}", guards) for i in range(buses)),
        tuple(sockets),
        function_units,
        tuple(files),
        (
            AddressSpace("data", 0, 2**28 - 1, (0, 1, 2, 3, 5)),
            AddressSpace("instructions", 0, 2**20),
        ),
        control,
    )


def _bind(name: str) -> UnitOperation:
    op = OPSET[name]
    ports = ("in1t", "in2")[: op.inputs] + ("out1",) * op.outputs
    return UnitOperation(name, ports, LATENCY[name] if op.outputs else 0)


def paper(buses: int = 24, multipliers: int = 0) -> Machine:
    """The machine of [pocl15]; `multipliers` is the number of integer multipliers."""
    units = [
        Unit("ALU", 4, INTEGER),
        Unit("FADD", 4, ("addf", "subf")),
        Unit("FMUL", 4, ("mulf",)),
        Unit("LSU", 9, MEMORY),
        Unit("FCMP", 1, FLOAT_COMPARE),
        Unit("FCNV", 1, CONVERT),
        Unit("MUL", multipliers, MULTIPLY),
    ]
    # Wires from a boolean register to every bus are expensive: four registers of a file have them.
    return build(buses, units, (4, 32), (5, 16), guards_per_file=4)


def minimal(buses: int = 3) -> Machine:
    """One unit of each kind, two small register files, three buses."""
    units = [
        Unit("ALU", 1, INTEGER),
        Unit("FPU", 1, ["addf", "subf", "mulf", *FLOAT_COMPARE, *CONVERT]),
        Unit("LSU", 1, MEMORY),
    ]
    return build(buses, units, (2, 16), (1, 4), guards_per_file=2)


def wide(buses: int = 32) -> Machine:
    """About twice the machine of [pocl15], with integer multipliers."""
    units = [
        Unit("ALU", 8, INTEGER),
        Unit("MUL", 2, MULTIPLY),
        Unit("FADD", 8, ("addf", "subf")),
        Unit("FMUL", 8, ("mulf",)),
        Unit("LSU", 16, MEMORY),
        Unit("FCMP", 2, FLOAT_COMPARE),
        Unit("FCNV", 2, CONVERT),
    ]
    return build(buses, units, (8, 32), (8, 16), guards_per_file=2)


PRESETS: dict[str, Callable[..., Machine]] = {"paper": paper, "minimal": minimal, "wide": wide}


MANY = 256
"""The most buses or units of a preset."""


def describe(machine: Machine) -> str:
    """The name and options of the preset that equals `machine`, or else its ADF text."""
    for name in PRESETS:
        text = f"{name} buses={len(machine.buses)}"
        if machine == parse_machine(text):
            return text if machine != PRESETS[name]() else name
    return to_adf(machine)


@cache
def parse_machine(text: str) -> Machine:
    """The machine with a description such as `paper`, `wide buses=16`, or `<adf ...`.

    Raises SourceError for ADF text that is refused, ValueError for other texts.
    """
    if text.lstrip().startswith("<"):
        return from_adf(text)
    name, *options = text.split()
    if name not in PRESETS:
        raise ValueError(f"expected one of {', '.join(PRESETS)} or an ADF text, got '{name}'")
    values: dict[str, int] = {}
    for option in options:
        key, _, value = option.partition("=")
        known = key in signature(PRESETS[name]).parameters and value.isdecimal()
        least = 1 if key == "buses" else 0
        if not known or not least <= int(value) <= MANY:
            raise ValueError(f"machine '{name}' has no option '{option}'")
        values[key] = int(value)
    return PRESETS[name](**values)
