"""Executes programs compiled for this CPU, thousands of times faster than the interpreter.

Memory, registers, cycles, block counts and error messages are those of interpreter.py. There are
two differences: there are no findings about unread results, and a block that exceeds `max_cycles`
is not begun.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polycl.backends.cpu.jit import NativeCode, native_code
from polycl.backends.tta.cache import Cache, accesses
from polycl.backends.tta.interpreter import Result, SimulationError
from polycl.backends.tta.llvm_block import BlockTranslation
from polycl.backends.tta.llvm_function import (
    FAULT,
    FAULT_VALUE,
    FUEL,
    HEADER,
    SIZES,
    SPACE_WORDS,
    Fault,
    Function,
    Origin,
    Translation,
    assemble,
)
from polycl.dialects.tta import AddressSpace, Program, Register, problems

MOST_BLOCKS = 16
MOST_MOVES = 1500
"""LLVM optimises a program with more of both in minutes (of 2,000 moves in 0.3 s without
optimisation, in 27 s with), which few programs run long enough to repay."""


def translate(
    program: Program, initial: Iterable[Register] = (), cache: Cache | None = None
) -> Function:
    """A program as LLVM IR; `initial` are the registers with an initial value."""
    translation = Translation(program, cache)
    translation.label(0, ())
    while translation.waiting:
        BlockTranslation(translation, *translation.waiting.pop()).translate()
    return assemble(translation, initial)


class Engine:
    """Compiles a program when it is first run, once for each set of initial registers.

    `level` is LLVM's optimisation; by default 1, or 0 for programs of many moves in many blocks.

    Raises ValueError if the program breaks a rule of dialects/tta/checks.py.
    """

    def __init__(self, program: Program, level: int | None = None, cache: Cache | None = None):
        for problem in problems(program):
            raise ValueError(problem.message)
        self.program = program
        self.cache = cache
        self.level = _level(program) if level is None else level
        self._compiled: dict[frozenset[Register], tuple[Function, NativeCode]] = {}

    def run(
        self,
        memory: bytearray,
        *,
        base: int = 0,
        registers: Mapping[Register, int] | None = None,
        max_cycles: int = 10**9,
    ) -> Result:
        """As `interpret`. After a SimulationError, the memory is as it was at the error."""
        given = dict(registers or {})
        function, code = self._compile(frozenset(given))
        state = (ctypes.c_uint64 * function.words)()
        state[FUEL] = max_cycles
        for i, space in enumerate(function.spaces):
            at = HEADER + i * SPACE_WORDS
            state[at : at + SPACE_WORDS] = _space_words(space, base, len(memory))
        for i, register in enumerate(function.registers):
            state[function.registers_at + 2 * i] = given.get(register, 0)
        data = (ctypes.c_char * len(memory)).from_buffer(memory)
        run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code.addresses["run"])
        run(ctypes.addressof(data), ctypes.addressof(state))
        del data  # A buffer with an exported pointer cannot be resized.
        if state[FAULT]:
            stop = _Stop(
                self.program,
                function.faults[state[FAULT] - 1],
                function.origins,
                max_cycles - state[FUEL],
                state[FAULT_VALUE],
                (base, base + len(memory) - 1),
            )
            raise SimulationError(f"{stop.place()}: {stop.message()}")
        counts = state[function.counts_at : function.registers_at]
        for i, register in enumerate(function.registers):
            at = function.registers_at + 2 * i
            if state[at + 1]:
                given[register] = state[at]
        count, misses = 0, 0
        if self.cache is not None:
            count, misses = state[function.cache_at : function.cache_at + 2]
        seen = accesses(self.cache, count, misses)
        return Result(max_cycles - state[FUEL], given, tuple(counts), (), seen)

    def _compile(self, initial: frozenset[Register]) -> tuple[Function, NativeCode]:
        if initial not in self._compiled:
            function = translate(self.program, initial, self.cache)
            self._compiled[initial] = (function, native_code(function.text, ["run"], self.level))
        return self._compiled[initial]


def _level(program: Program) -> int:
    moves = sum(len(i.moves) for block in program.blocks for i in block.instructions)
    return 0 if len(program.blocks) > MOST_BLOCKS and moves > MOST_MOVES else 1


@dataclass(frozen=True)
class _Stop:
    """A fault that happened: the message is made here, not in the compiled code."""

    program: Program
    fault: Fault
    origins: Sequence[Origin]
    cycles: int
    """The cycles at the end of the block, or at its begin if the limit is exceeded."""
    value: int
    memory: tuple[int, int]
    """The first and the last address of the memory."""

    def place(self) -> str:
        fault = self.fault
        if fault.kind == "limit":
            return self._place(self.cycles + self.value, fault.block, self.value)
        return self._place(self._cycle(), fault.block, fault.instruction)

    def _cycle(self) -> int:
        block = self.program.blocks[self.fault.block]
        return self.cycles - len(block.instructions) + self.fault.instruction

    def _place(self, cycle: int, block: int, instruction: int) -> str:
        name = self.program.blocks[block].name or f"number {block}"
        return f"cycle {cycle}, block {name}, instruction {instruction}"

    def message(self) -> str:
        match self.fault.kind, self.fault.what:
            case "limit", _:
                return f"the program did not end after {self.cycles + self.value} cycles"
            case "guard", guard:
                register = Register(guard.register_file, guard.index)
                return f"the guard {guard} reads '{register}', which was not written"
            case "read", source:
                return f"'{source}' is read, which was not written"
            case "operand", (end, port):
                return f"'{end}' needs the operand '{end.unit}.{port}', which was not written"
            case "meet", end:
                other = self.origins[self.value]
                cycle = self._cycle() + self.fault.latency - other.latency
                place = self._place(cycle, other.block, other.instruction)
                return f"'{end}' and {place}: '{other.end}' have their results in the same cycle"
            case "stores", _:
                return f"two stores write address {self.value} in one cycle"
            case "jump", end:
                return f"'{end}' to {self.value}, where no block begins"
            case kind, end:
                assert kind == "address"
                return f"'{end}' at address {self.value}{self._address()}"

    def _address(self) -> str:
        space, size = self.fault.space, self.fault.size
        assert space is not None
        if self.value % size:
            return f", which is not a multiple of {size}"
        if not space.minimum <= self.value <= space.maximum + 1 - size:
            return f"; '{space.name}' is {space.minimum} ... {space.maximum}"
        return f"; the memory is {self.memory[0]} ... {self.memory[1]}"


def _space_words(space: AddressSpace, base: int, size: int) -> list[int]:
    """The words of a space for the compiled code: the addresses in both the space and memory."""
    first = max(space.minimum, base)
    length = max(0, min(space.maximum + 1, base + size) - first)
    return [first, (first - base) % (1 << 64), *(max(0, length - n + 1) for n in SIZES)]
