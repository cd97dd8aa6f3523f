"""A program as plain data, which the scheduler makes and the engines execute.

The text of a source or destination is that of OpenASIP's assembler: `RF0.3` is a register,
`ALU0.out1` a port, `ALU0.in1t.add` the port that triggers an operation, `42` a constant, and
`loop` the address of the block of that name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from polycl.dialects.tta.machine import Guard, Machine


class Register(NamedTuple):
    file: str
    index: int  # pyright: ignore[reportIncompatibleMethodOverride]

    def __str__(self) -> str:
        return f"{self.file}.{self.index}"


class UnitPort(NamedTuple):
    """A port of a unit, with an operation if a move to the port triggers it."""

    unit: str
    port: str
    operation: str | None = None

    def __str__(self) -> str:
        return ".".join(part for part in (self.unit, self.port, self.operation) if part)


class Immediate(NamedTuple):
    """A constant: 32 bits, 0 ... 2**32 - 1."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class Label(NamedTuple):
    """The address of a block: the number of its first instruction."""

    block: str

    def __str__(self) -> str:
        return self.block


Destination = Register | UnitPort
Source = Register | UnitPort | Immediate | Label

NAME = "[A-Za-z_][A-Za-z0-9_]*"
_REGISTER = re.compile(rf"({NAME})\.([0-9]+)")
_PORT = re.compile(rf"({NAME})\.({NAME})(?:\.({NAME}))?")
_LABEL = re.compile(NAME)


def parse_end(text: str) -> Source:
    """The source or destination of a text. Raises ValueError."""
    if text.isdecimal() and int(text) < 1 << 32:
        return Immediate(int(text))
    if match := _REGISTER.fullmatch(text):
        return Register(match[1], int(match[2]))
    if match := _PORT.fullmatch(text):
        return UnitPort(*match.groups())
    if _LABEL.fullmatch(text):
        return Label(text)
    raise ValueError(
        f"expected a register, a port, a 32-bit constant or the name of a block, got '{text}'"
    )


def parse_guard(text: str) -> Guard:
    """The guard `BOOL0.3`, or `!BOOL0.3` if it is inverted. Raises ValueError."""
    match = _REGISTER.fullmatch(text.removeprefix("!"))
    if match is None:
        raise ValueError(f"expected a guard such as BOOL0.3 or !BOOL0.3, got '{text}'")
    return Guard(match[1], int(match[2]), text.startswith("!"))


@dataclass(frozen=True)
class Move:
    """A transport on the bus of index `bus`; `note` describes its origin for people."""

    bus: int
    source: Source
    destination: Destination
    guard: Guard | None = None
    note: str = field(default="", compare=False)

    def __str__(self) -> str:
        ends = f"{self.source} -> {self.destination}"
        if self.guard is None:
            return ends
        return f"{'' if self.guard.inverted else '?'}{self.guard} {ends}"


@dataclass(frozen=True)
class LongImmediate:
    """A constant that an instruction's template encodes: it is in the register afterwards."""

    register: Register
    value: Immediate | Label
    template: str

    def __str__(self) -> str:
        return f"[{self.register}={self.value}]"


@dataclass(frozen=True)
class Instruction:
    """The moves of one cycle, in the order of their buses, and its long immediate."""

    moves: tuple[Move, ...] = ()
    immediate: LongImmediate | None = None


@dataclass(frozen=True)
class Block:
    """Consecutive instructions; a jump takes effect at the end."""

    name: str | None
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True)
class Program:
    """Execution begins at the first instruction, and ends after the last one."""

    machine: Machine
    blocks: tuple[Block, ...]
    name: str = "main"

    @cached_property
    def addresses(self) -> dict[str, int]:
        """The number of the first instruction of each block that has a name."""
        found: dict[str, int] = {}
        at = 0
        for block in self.blocks:
            if block.name is not None:
                found[block.name] = at
            at += len(block.instructions)
        return found
