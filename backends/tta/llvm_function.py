"""Translates a program for a transport-triggered processor to an equivalent LLVM function.

The arrival of results is known statically, so buses, ports and pipelines need not be simulated:
llvm_block.py resolves the value of each move. The state between blocks (registers, ports, results
in flight) is in *cells*, variables that LLVM turns into SSA values.

A block is translated once for each set of results that are in flight at its begin.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from polycl.backends.tta.cache import Cache, access_function
from polycl.backends.tta.llvm_operations import DECLARATIONS, Code
from polycl.dialects.tta import AddressSpace, Program, Register, UnitPort

FUEL, FAULT, FAULT_VALUE, HEADER = 0, 1, 2, 3
"""Words of the state: the remaining cycles, the number of the fault, and its value."""
SIZES = (1, 2, 4)
"""The bytes of loads and stores."""
SPACE_WORDS = 2 + len(SIZES)
"""The words of a space: its first address, its offset in memory, the valid addresses by size."""


@dataclass(frozen=True)
class Origin:
    """The move that triggered an operation."""

    block: int
    instruction: int
    end: UnitPort
    latency: int


@dataclass(frozen=True)
class Flight:
    """A result in flight at the begin of a block."""

    port: tuple[str, str]
    due: int
    """Cycles until it arrives."""
    certain: bool
    """Whether its trigger has no guard; else a variable has the guard's value."""


Flights = tuple[Flight, ...]


@dataclass(frozen=True)
class Fault:
    """A possible error at an instruction of a block.

    `what` is the static part of the message, for example the source of a read.
    """

    kind: str
    block: int
    instruction: int
    what: Any = None
    size: int = 0
    space: AddressSpace | None = None
    latency: int = 0


@dataclass
class Function:
    """The text, and the layout of its inputs and outputs in the state (64-bit words).

    After the header follow the spaces, the execution counts of the blocks, two words for each
    register of `registers`: its value, and whether it was written; and the state of the cache.
    """

    text: str
    faults: list[Fault]
    origins: list[Origin]
    spaces: list[AddressSpace]
    registers: list[Register]
    blocks: int
    cache: Cache | None = None

    @property
    def counts_at(self) -> int:
        return HEADER + len(self.spaces) * SPACE_WORDS

    @property
    def registers_at(self) -> int:
        return self.counts_at + self.blocks

    @property
    def cache_at(self) -> int:
        return self.registers_at + 2 * len(self.registers)

    @property
    def words(self) -> int:
        return self.cache_at + (2 + self.cache.lines if self.cache is not None else 0)


@dataclass
class Translation:
    """The state that the translations of all blocks share."""

    program: Program
    cache: Cache | None = None
    code: Code = field(default_factory=Code)
    cold: list[str] = field(default_factory=list[str])
    """The code of faults, which is placed after all other code."""
    faults: list[Fault] = field(default_factory=list[Fault])
    pending: list[tuple[str, str, Fault]] = field(default_factory=list[tuple[str, str, Fault]])
    """Conditions, values and faults that have no branch yet, in order."""
    origins: list[Origin] = field(default_factory=list[Origin])
    """The origins of results; the code has their indices."""
    spaces: list[AddressSpace] = field(default_factory=list[AddressSpace])
    cells: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    """Cell -> the number of its variables: %v is the value, %d whether it was written."""
    labels: dict[tuple[int, Flights], str] = field(default_factory=dict[tuple[int, Flights], str])
    """Block and results in flight -> label."""
    waiting: list[tuple[int, Flights]] = field(default_factory=list[tuple[int, Flights]])

    @cached_property
    def addresses(self) -> list[int]:
        """The addresses of the blocks, and the address after the last one."""
        lengths = (len(block.instructions) for block in self.program.blocks)
        return [0, *accumulate(lengths)]

    @cached_property
    def late_guards(self) -> dict[Register, int]:
        """The guards with a delay of more than one cycle, with their delays."""
        found: dict[Register, int] = {}
        for block in self.program.blocks:
            for instruction in block.instructions:
                for move in instruction.moves:
                    if (guard := move.guard) is not None:
                        file = self.program.machine.register_file(guard.register_file)
                        assert file is not None
                        delay = self.program.machine.guard_delay(file)
                        if delay > 1:
                            found[Register(guard.register_file, guard.index)] = delay
        return found

    def cell(self, key: Hashable) -> int:
        return self.cells.setdefault(key, len(self.cells))

    def label(self, block: int, flights: Flights) -> str:
        """The label of a block; the number of blocks is the end of the program."""
        if block == len(self.program.blocks):
            return "%finish"
        key = (block, flights)
        if key not in self.labels:
            self.labels[key] = f"%b{block}.{len(self.labels)}"
            self.waiting.append(key)
        return self.labels[key]

    def origin(self, origin: Origin) -> int:
        self.origins.append(origin)
        return len(self.origins) - 1

    def space(self, space: AddressSpace) -> int:
        if space not in self.spaces:
            self.spaces.append(space)
        return self.spaces.index(space)

    def fault(self, condition: str, value: str, fault: Fault) -> None:
        """Requests a stop if `condition` (an i1) is true; `value` is an i32 of the message."""
        if condition != "false":
            self.pending.append((condition, value, fault))

    def stop_if_pending(self) -> None:
        """Adds one branch that stops at the first fault since the last call, if any."""
        if not self.pending:
            return
        found = "false"
        for condition, _, _ in self.pending:
            found = self.code.either(found, condition)
        at = len(self.faults)
        branch = f"  br i1 {found}, label %fault{at}, label %on{at}, !prof !0"
        self.code.lines += [branch, f"on{at}:"]
        number, about = "0", "0"
        self.cold.append(f"fault{at}:")
        for condition, value, fault in reversed(self.pending):
            self.faults.append(fault)
            names = self.code.name(), self.code.name()
            this = len(self.faults)
            self.cold += [
                f"  {names[0]} = select i1 {condition}, i64 {this}, i64 {number}",
                f"  {names[1]} = select i1 {condition}, i32 {value}, i32 {about}",
            ]
            number, about = names
        self.cold += [
            f"  store i64 {number}, ptr %w{FAULT}",
            f"  store i32 {about}, ptr %w{FAULT_VALUE}",
            "  br label %stop",
        ]
        self.pending.clear()


def assemble(translation: Translation, initial: Iterable[Register]) -> Function:
    """The function, after all blocks were translated; `initial` are the registers with a value."""
    program = translation.program
    registers = sorted(
        (key for key in translation.cells if isinstance(key, Register)),
        key=lambda r: (r.file, r.index),
    )
    function = Function(
        "",
        translation.faults,
        translation.origins,
        translation.spaces,
        registers,
        len(program.blocks),
        translation.cache,
    )
    begin = [f"  %w{i} = getelementptr i64, ptr %state, i64 {i}" for i in range(function.cache_at)]
    begin.append(f"  %cache = getelementptr i64, ptr %state, i64 {function.cache_at}")
    end: list[str] = []
    for space in range(len(function.spaces)):
        for i in range(SPACE_WORDS):
            at = HEADER + space * SPACE_WORDS + i
            begin.append(f"  %s{space}.{i} = load i64, ptr %w{at}")
        begin.append(f"  %m{space} = getelementptr i8, ptr %memory, i64 %s{space}.1")
    begin += ["  %fuel = alloca i64", "  %f = load i64, ptr %w0", "  store i64 %f, ptr %fuel"]
    for block in range(function.blocks):
        begin += [f"  %n{block} = alloca i64", f"  store i64 0, ptr %n{block}"]
        end.append(f"  %c{block} = load i64, ptr %n{block}")
        end.append(f"  store i64 %c{block}, ptr %w{function.counts_at + block}")
    given = set(initial)
    for key, cell in translation.cells.items():
        # Guards that read older values read the initial values at first.
        if isinstance(key, tuple) and not isinstance(key, Register) and key[0] == "past":
            source: Hashable = key[1]
        else:
            source = key
        begin += [f"  %v{cell} = alloca i32", f"  %d{cell} = alloca i1"]
        value = "0"
        if source in given:
            assert isinstance(source, Register)
            if source in registers:
                at = function.registers_at + 2 * registers.index(source)
                begin.append(f"  %i{cell} = load i32, ptr %w{at}")
                value = f"%i{cell}"
        begin.append(f"  store i32 {value}, ptr %v{cell}")
        begin.append(f"  store i1 {str(source in given).lower()}, ptr %d{cell}")
    for i, register in enumerate(registers):
        cell = translation.cells[register]
        at = function.registers_at + 2 * i
        end += [
            f"  %r{i} = load i32, ptr %v{cell}",
            f"  %h{i} = load i1, ptr %d{cell}",
            f"  %z{i} = zext i1 %h{i} to i64",
            f"  store i32 %r{i}, ptr %w{at}",
            f"  store i64 %z{i}, ptr %w{at + 1}",
        ]
    lines = [
        DECLARATIONS,
        access_function(translation.cache) if translation.cache is not None else "",
        "define void @run(ptr noalias %memory, ptr noalias %state) {",
        "entry:",
        *begin,
        f"  br label {translation.labels[0, ()]}",
        *translation.code.lines,
        "finish:",
        *end,
        "  br label %stop",
        *translation.cold,
        "stop:",
        "  %left = load i64, ptr %fuel",
        "  store i64 %left, ptr %w0",
        "  ret void",
        "}",
        '!0 = !{!"branch_weights", i32 1, i32 1000000}',
        "",
    ]
    function.text = "\n".join(lines)
    return function
