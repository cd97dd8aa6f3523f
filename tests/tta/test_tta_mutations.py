"""Schedules with a mistake are refused, wherever executing them shows that it is one.

An invisible change (a move to a register that is not read any more, an earlier cycle for a move
that has time) is not a mistake. A mutant counts if it breaks a static rule, ends in an error of the
simulator, or leaves other memory, for one of some random inputs.
By default that is at least 15 of each of eight programs, and some of the transform.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from tta_functions import DOT, parse_function, random_function
from tta_mutations import mutants
from xdsl.dialects.func import FuncOp

import polycl
from launches import launches_of
from polycl.analysis.tta import check_schedule
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.interpreter import Result, interpret
from polycl.dialects.tta import Machine, Program, Register, parse_machine
from polycl.errors import PolyclError
from polycl.lowering.tta.memory_map import END
from polycl.lowering.tta.tta_schedule import Schedule, schedule

KERNELS = Path(__file__).parents[1] / "kernels"


@dataclass
class Case:
    function: FuncOp
    scheduled: Schedule
    inputs: list[tuple[dict[Register, int], bytes]]
    """Registers and memory."""


def random_case(seed: int, machine: Machine, operations: int, pipeline: bool) -> Case:
    random = Random(seed)
    function = parse_function(random_function(random, operations))
    scheduled = schedule(function, machine, pipeline=pipeline)
    inputs: list[tuple[dict[Register, int], bytes]] = []
    for _ in range(4):
        numbers = [random.getrandbits(32), random.randrange(8), random.choice([5, 0x3F800000])]
        registers = dict(zip(scheduled.arguments, numbers, strict=True))
        inputs.append((registers, random.randbytes(512)))
    return Case(function, scheduled, inputs)


def dot_case(pipeline: bool) -> Case:
    """A dot product of 1 to 6 elements."""
    function = parse_function(DOT)
    scheduled = schedule(function, parse_machine("paper"), pipeline=pipeline)
    inputs = [
        (dict(zip(scheduled.arguments, [64, 128, 4, n, 0], strict=True)), Random(n).randbytes(256))
        for n in (1, 2, 6)
    ]
    return Case(function, scheduled, inputs)


class _Watched(TtaDevice):
    """Keeps what it ran, and the memory before."""

    ran: tuple[FuncOp, bytes]

    def executor(
        self, function: FuncOp, scheduled: Schedule | None = None
    ) -> Callable[[bytearray, int], Result]:
        execute = super().executor(function, scheduled)

        def watched(memory: bytearray, most: int) -> Result:
            self.ran = function, bytes(memory)
            return execute(memory, most)

        return watched


def dct_case() -> Case:
    """One work-group of the discrete cosine transform."""
    launch = launches_of(KERNELS / "dct8.cl")[0]
    device = _Watched(wg_method="horizontal")
    polycl.load(launch.path).kernel(launch.kernel)(
        **launch.values(),
        global_size=launch.global_size,
        local_size=launch.local_size,
        device=device,
    )
    function, before = device.ran
    memory = bytearray(before)
    memory[END : END + 4] = (1).to_bytes(4, "little")
    assert device.schedule is not None
    return Case(function, device.schedule, [({}, bytes(memory))])


def outcome(
    program: Program, registers: dict[Register, int], memory: bytes, limit: int, private: range
) -> bytes:
    """The memory afterwards, without what was spilled; nothing where the program is in error."""
    after = bytearray(memory)
    try:
        interpret(program, after, registers=dict(registers), max_cycles=limit)
    except (PolyclError, ValueError):
        return b""
    return bytes(after[: private.start] + after[private.stop :])


def refused(case: Case, mutant: Program) -> bool:
    try:
        scheduled = case.scheduled
        check_schedule(
            case.function, mutant, scheduled.arguments, scheduled.private, scheduled.homes
        )
    except PolyclError:
        return True
    return False


def wrong_mutants(case: Case, tries: int) -> int:
    """How many of the mutants do something else; all of them must be refused."""
    program, private = case.scheduled.program, case.scheduled.private
    assert not refused(case, program)
    runs: list[tuple[dict[Register, int], bytes, int, bytes]] = []
    for registers, memory in case.inputs:
        cycles = interpret(program, bytearray(memory), registers=dict(registers)).cycles
        limit = cycles + cycles // 4 + 100
        expected = outcome(program, registers, memory, limit, private)
        runs.append((registers, memory, limit, expected))
    count = 0
    found = mutants(program, Random(7))
    for _ in range(tries):
        kind, mutant = next(found)
        if any(outcome(mutant, r, m, n, private) != expected for r, m, n, expected in runs):
            assert refused(case, mutant), kind
            count += 1
    return count


@pytest.mark.parametrize("machine", ["paper", "minimal", "wide"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_functions(seed: int, machine: str):
    # On `minimal`, values are spilled.
    operations = 45 if machine == "minimal" else 15
    case = random_case(seed, parse_machine(machine), operations, pipeline=seed == 2)
    assert len(case.scheduled.private) > 0 or machine != "minimal"
    assert wrong_mutants(case, 50) >= 15


@pytest.mark.parametrize("pipeline", [False, True])
def test_dot_product(pipeline: bool):
    assert wrong_mutants(dot_case(pipeline), 50) >= 15


def test_discrete_cosine_transform():
    assert wrong_mutants(dct_case(), 8) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("machine", ["paper", "minimal", "wide", "paper buses=8"])
@pytest.mark.parametrize("pipeline", [False, True])
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_random_functions(seed: int, pipeline: bool, machine: str):
    operations = 5 if machine == "minimal" else 30
    case = random_case(seed, parse_machine(machine), operations, pipeline)
    assert wrong_mutants(case, 200) >= 100


@pytest.mark.slow
def test_many_of_the_discrete_cosine_transform():
    assert wrong_mutants(dct_case(), 400) >= 200
