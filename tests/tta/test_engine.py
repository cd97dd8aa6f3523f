"""The compiled engine does what the interpreter does: memory, registers, cycles, counts, errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tta_programs import BASE, Case, random_case

from polycl.backends.tta.cache import Cache
from polycl.backends.tta.engine import Engine, translate
from polycl.backends.tta.interpreter import Result, SimulationError, interpret
from polycl.backends.tta.llvm_operations import COMPUTE
from polycl.dialects.tta import (
    OPSET,
    Kind,
    Machine,
    Program,
    Register,
    parse_tceasm,
    problems,
)
from polycl.dialects.tta.presets import minimal, paper

MINIMAL = minimal()


def parse(text: str, machine: Machine = MINIMAL) -> Program:
    return parse_tceasm(f"CODE ;\n{text}", machine)


def outcome(
    run: Callable[[bytearray], Result], memory: bytes
) -> tuple[object, bytes] | tuple[str, bytes]:
    """What an execution does: results, or its error; and the memory it leaves."""
    data = bytearray(memory)
    try:
        result = run(data)
    except SimulationError as error:
        return str(error), bytes(data)
    return (result.cycles, result.registers, result.block_counts, result.accesses), bytes(data)


def compare(case: Case, max_cycles: int = 2000) -> object:
    """Runs a program on both engines; the same outcome is returned."""
    options = {"base": BASE, "registers": case.registers, "max_cycles": max_cycles}
    cache = Cache(sets=2, ways=2, line=4)
    engine = Engine(case.program, cache=cache)
    expected, before = outcome(
        lambda m: interpret(case.program, m, cache=cache, **options), case.memory
    )
    got, after = outcome(lambda m: engine.run(m, **options), case.memory)
    assert got == expected
    # A block that the limit would cut off is not begun.
    if not (isinstance(expected, str) and "did not end" in expected):
        assert after == before
    return expected


def check(first: int, count: int) -> int:
    """Compares random programs; how many of them came to their end."""
    ended = 0
    for seed in range(first, first + count):
        case = random_case(seed)
        assert not list(problems(case.program)), f"seed {seed}"
        try:
            ended += not isinstance(compare(case), str)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return ended


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_programs(first: int):
    assert check(first, 10) >= 5


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_a_thousand_random_programs(first: int):
    assert check(first, 100) >= 60


def test_every_pure_operation_is_compiled():
    assert set(COMPUTE) == {name for name, op in OPSET.items() if op.kind is Kind.PURE}


VALUES = [0, 1, 2, 31, 33, 0x7F, 0x80, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xCF000001]
VALUES += [0x3F800000, 0xBF800000, 0x4F800000, 0x00000001, 0x80000001, 0x7F7FFFFF, 0x7F800000]
VALUES += [0xFF800000, 0x7FC00000, 0xFFC12345, 0x7F800001, 0x3EAAAAAB]


@pytest.mark.parametrize("inputs", [1, 2])
def test_operations_compute_what_their_reference_does(inputs: int):
    """All operations of so many inputs in one program: each pair of values is two registers."""
    operations = [
        op
        for unit in paper(multipliers=1).units
        for op in unit.operations
        if op.semantics.kind is Kind.PURE and len(op.inputs) == inputs
    ]
    names = dict.fromkeys(op.name for op in operations)
    machine = paper(multipliers=1)
    lines: list[str] = []
    for i, name in enumerate(names):
        unit = machine.units_with(name)[0]
        second = f"RF1.0 -> {unit.name}.in2" if inputs == 2 else "..."
        empty = ", ..." * (len(machine.buses) - 2)
        lines.append(f"RF0.0 -> {unit.name}.in1t.{name}, {second}{empty} ;")
        operation = unit.operation(name)
        assert operation is not None
        lines += [f"...{', ...' * (len(machine.buses) - 1)} ;"] * (operation.latency - 1)
        lines.append(f"{unit.name}.out1 -> RF{2 + i // 30}.{i % 30}, ...{empty} ;")
    engine = Engine(parse("\n".join(lines), machine))
    first, second = Register("RF0", 0), Register("RF1", 0)
    for a in VALUES:
        for b in VALUES if inputs == 2 else [0]:
            result = engine.run(bytearray(), registers={first: a, second: b})
            for i, name in enumerate(names):
                compute = OPSET[name].compute
                assert compute is not None
                expected = compute(*(a, b)[:inputs])
                got = result.registers[Register(f"RF{2 + i // 30}", i % 30)]
                assert got == expected, f"{name} {a:#x} {b:#x}: {got:#x}, not {expected:#x}"


def test_results_on_their_way_make_a_block_another_one():
    """The loop is entered with nothing on its way, and from its end with a product."""
    function = translate(
        parse("""
            0x40000000 -> FPU0.in2, 3 -> RF0.0, ... ;
        loop:
            1 -> ALU0.in2, RF0.0 -> ALU0.in1t.sub, ... ;
            ALU0.out1 -> RF0.0, 0 -> ALU0.in2, ALU0.out1 -> ALU0.in1t.gt ;
            ALU0.out1 -> BOOL0.0, ..., ... ;
            ?BOOL0.0 loop -> gcu.pc.jump, ..., ... ;
            ... ; ... ;
            0x40400000 -> FPU0.in1t.mulf, ..., ... ;
        """)
    )
    labels = [line for line in function.text.splitlines() if line.startswith("b1.")]
    assert len(labels) == 2


def test_an_engine_is_used_again():
    engine = Engine(
        parse("""
            RF0.0 -> ALU0.in2, 1 -> ALU0.in1t.add, ... ;
            ALU0.out1 -> RF0.1, ..., ... ;
        """)
    )
    for x in (1, 41):
        assert engine.run(bytearray(), registers={Register("RF0", 0): x}).registers == {
            Register("RF0", 0): x,
            Register("RF0", 1): x + 1,
        }
    with pytest.raises(SimulationError, match="'RF0.0' is read, which was not written"):
        engine.run(bytearray())


@pytest.mark.parametrize("limit", [0, 1, 7, 20])
def test_a_program_that_does_not_end(limit: int):
    program = parse("loop: loop -> gcu.pc.jump, ..., ... ;\n ... ; ... ; ... ;")
    found = compare(Case(program, {}, b""), max_cycles=limit)
    assert f"did not end after {limit} cycles" in str(found)


@pytest.mark.parametrize(("target", "error"), [(3, None), (4, None), (1, "to 1, where no block")])
def test_jumps_to_addresses_in_registers(target: int, error: str | None):
    """One block of three instructions, one of one: the addresses 3 and, after all, 4."""
    machine = replace(MINIMAL, control=replace(MINIMAL.control, delay_slots=0))
    program = parse(
        """
        ... ; ... ;
        RF0.0 -> gcu.pc.jump, ..., ... ;
        last: ... ;
        """,
        machine,
    )
    found = compare(Case(program, {Register("RF0", 0): target}, b""))
    assert isinstance(found, str) if error else not isinstance(found, str)
    assert error is None or error in str(found)


def test_stores_that_meet_are_found_where_the_interpreter_finds_them():
    machine = paper(buses=6)
    cases = [(66, "st8", 64, "st32"), (64, "st32", 67, "st8"), (64, "st32", 68, "st32")]
    for a, first, b, second in cases:
        text = f"{a} -> LSU0.in1t.{first}, 1 -> LSU0.in2, {b} -> LSU1.in1t.{second}, 2 -> LSU1.in2"
        program = parse(f"{text}, ..., ... ;", machine)
        found = compare(Case(program, {}, bytes(256)))
        assert isinstance(found, str) == (b != 68)
