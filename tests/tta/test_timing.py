"""A small program for each rule of timing, with results that were worked out by hand.

All are for the machine `minimal`, with its three buses, unless stated otherwise.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from polycl.backends.tta.interpreter import Result, SimulationError, interpret
from polycl.dialects.tta import Machine, Register, UnitOperation, parse_tceasm
from polycl.dialects.tta.presets import minimal, paper

MINIMAL = minimal()


def run(text: str, machine: Machine = MINIMAL, memory: bytearray | None = None) -> Result:
    program = parse_tceasm(f"CODE ;\n{text}", machine)
    return interpret(program, bytearray(64) if memory is None else memory, max_cycles=1000)


def values(result: Result, *names: str) -> list[int]:
    pairs = (name.split(".") for name in names)
    return [result.registers[Register(file, int(index))] for file, index in pairs]


def test_a_register_is_read_from_the_next_cycle_on():
    result = run("""
        1 -> RF0.0, ..., ... ;
        2 -> RF0.0, RF0.0 -> RF1.0, ... ;   # The old value.
        RF0.0 -> RF1.1, ..., ... ;
    """)
    assert values(result, "RF1.0", "RF1.1") == [1, 2]
    assert result.cycles == 3


def test_a_result_of_latency_1_is_read_in_the_next_cycle():
    result = run("""
        40 -> ALU0.in2, 2 -> ALU0.in1t.add, ... ;
        ALU0.out1 -> RF0.0, ..., ... ;
    """)
    assert values(result, "RF0.0") == [42]


def test_before_its_latency_the_port_has_the_older_result():
    """`mulf` takes 5 cycles, `gtf` of the same unit 1: 3 * 2 = 6 arrives in cycle 6."""
    result = run("""
        0x40000000 -> FPU0.in2, 0x40400000 -> FPU0.in1t.gtf, ... ;
        0x40400000 -> FPU0.in1t.mulf, ..., ... ;
        ... ;
        ... ;
        ... ;
        FPU0.out1 -> RF0.0, ..., ... ;
        FPU0.out1 -> RF0.1, ..., ... ;
    """)
    assert values(result, "RF0.0", "RF0.1") == [1, 0x40C00000]


def test_operand_ports_keep_their_values():
    result = run("""
        10 -> ALU0.in2, 1 -> ALU0.in1t.add, ... ;
        2 -> ALU0.in1t.add, ALU0.out1 -> RF0.0, ... ;
        ALU0.out1 -> RF0.1, ..., ... ;
    """)
    assert values(result, "RF0.0", "RF0.1") == [11, 12]


def test_an_operand_behind_the_trigger_is_too_late():
    result = run("""
        10 -> ALU0.in2, 1 -> ALU0.in1t.add, ... ;
        20 -> ALU0.in2, 2 -> ALU0.in1t.add, ... ;
        30 -> ALU0.in2, ALU0.out1 -> RF0.0, ... ;
    """)
    assert values(result, "RF0.0") == [22]


def test_an_operation_starts_in_each_cycle():
    """Three products are on their way at once."""
    result = run("""
        0x40000000 -> FPU0.in2, 0x3f800000 -> FPU0.in1t.mulf, ... ;
        0x40000000 -> FPU0.in1t.mulf, ..., ... ;
        0x40400000 -> FPU0.in1t.mulf, ..., ... ;
        ... ;
        ... ;
        FPU0.out1 -> RF0.0, ..., ... ;
        FPU0.out1 -> RF0.1, ..., ... ;
        FPU0.out1 -> RF0.2, ..., ... ;
    """)
    assert values(result, "RF0.0", "RF0.1", "RF0.2") == [0x40000000, 0x40800000, 0x40C00000]


def test_a_result_that_nothing_takes_is_found():
    result = run("""
        10 -> ALU0.in2, 1 -> ALU0.in1t.add, ... ;
        2 -> ALU0.in1t.add, ..., ... ;
        ALU0.out1 -> RF0.0, ..., ... ;
    """)
    assert values(result, "RF0.0") == [12]
    assert result.findings == (
        "cycle 0, block number 0, instruction 0: 'ALU0.in1t.add': "
        "nothing takes the result before cycle 2",
    )


def test_a_result_waits_in_its_port_and_is_read_twice():
    result = run("""
        10 -> ALU0.in2, 1 -> ALU0.in1t.add, ... ;
        ... ;
        ... ;
        ALU0.out1 -> RF0.0, ..., ... ;
        ALU0.out1 -> RF0.1, ..., ... ;
    """)
    assert values(result, "RF0.0", "RF0.1") == [11, 11]
    assert result.findings == ()


def test_a_guard_is_of_the_cycle_before():
    result = run("""
        0 -> BOOL0.0, ..., ... ;
        1 -> BOOL0.0, ?BOOL0.0 1 -> RF0.0, !BOOL0.0 1 -> RF1.0 ;
        ?BOOL0.0 2 -> RF0.1, !BOOL0.0 2 -> RF1.1, ... ;
    """)
    assert values(result, "RF1.0", "RF0.1") == [1, 2]
    assert Register("RF0", 0) not in result.registers
    assert Register("RF1", 1) not in result.registers


def test_a_register_file_may_guard_a_cycle_later():
    files = tuple(
        replace(file, guard_latency=1 if file.width == 1 else 0) for file in MINIMAL.register_files
    )
    result = run(
        """
        0 -> BOOL0.0, ..., ... ;
        ... ;
        1 -> BOOL0.0, ..., ... ;
        ?BOOL0.0 1 -> RF0.0, !BOOL0.0 1 -> RF1.0, ... ;
        ?BOOL0.0 2 -> RF0.1, !BOOL0.0 2 -> RF1.1, ... ;
        """,
        replace(MINIMAL, register_files=files),
    )
    assert values(result, "RF1.0", "RF0.1") == [1, 2]
    assert Register("RF0", 0) not in result.registers
    assert Register("RF1", 1) not in result.registers


def test_a_guard_sees_nothing_in_the_cycle_after_the_first_write_if_it_is_late():
    files = tuple(
        replace(file, guard_latency=1 if file.width == 1 else 0) for file in MINIMAL.register_files
    )
    with pytest.raises(SimulationError, match=r"cycle 1, .*'BOOL0.0', which nothing wrote"):
        run(
            "1 -> BOOL0.0, ..., ... ;\n?BOOL0.0 1 -> RF0.0, ..., ... ;",
            replace(MINIMAL, register_files=files),
        )


def test_two_moves_to_one_register_of_which_one_happens():
    result = run("""
        1 -> BOOL0.0, ..., ... ;
        ?BOOL0.0 7 -> RF0.0, !BOOL0.0 8 -> RF0.0, ... ;
    """)
    assert values(result, "RF0.0") == [7]


def test_a_squashed_trigger_starts_nothing():
    result = run("""
        0 -> BOOL0.0, 5 -> ALU0.in2, 6 -> ALU0.in1t.add ;
        ?BOOL0.0 9 -> ALU0.in1t.sub, ..., ... ;
        ALU0.out1 -> RF0.0, ..., ... ;
    """)
    assert values(result, "RF0.0") == [11]


def test_three_instructions_behind_a_jump_are_executed():
    result = run("""
        end -> gcu.pc.jump, ..., ... ;
        1 -> RF0.1, ..., ... ;
        2 -> RF0.2, ..., ... ;
        3 -> RF0.3, ..., ... ;
        4 -> RF0.4, ..., ... ;
    end:
        5 -> RF0.5, ..., ... ;
    """)
    assert sorted(register.index for register in result.registers) == [1, 2, 3, 5]
    assert result.cycles == 5
    assert result.block_counts == (1, 0, 1)


def test_a_jump_whose_guard_is_false_goes_on():
    result = run("""
        0 -> BOOL0.0, ..., ... ;
        ?BOOL0.0 end -> gcu.pc.jump, ..., ... ;
        ... ;
        ... ;
        ... ;
        4 -> RF0.4, ..., ... ;
    end:
        5 -> RF0.5, ..., ... ;
    """)
    assert values(result, "RF0.4", "RF0.5") == [4, 5]
    assert result.cycles == 7


def test_a_loop_counts_its_rounds():
    """The sum of 5, 4, 3, 2, 1; the comparison for the jump is made before the sum is."""
    result = run("""
        5 -> RF0.0, 0 -> RF1.0, ... ;
    loop:
        RF0.0 -> ALU0.in1t.sub, 1 -> ALU0.in2, ... ;
        ALU0.out1 -> ALU0.in1t.gt, 0 -> ALU0.in2, ALU0.out1 -> RF1.1 ;
        ALU0.out1 -> BOOL0.0, RF0.0 -> ALU0.in2, RF1.0 -> ALU0.in1t.add ;
        ?BOOL0.0 loop -> gcu.pc.jump, ALU0.out1 -> RF1.0, ... ;
        RF1.1 -> RF0.0, ..., ... ;
        ... ;
        ... ;
    """)
    assert values(result, "RF1.0", "RF0.0") == [15, 0]
    assert result.cycles == 1 + 5 * 7
    assert result.block_counts == (1, 5)


def test_pipelines_go_on_across_blocks():
    result = run("""
        0x3f800000 -> FPU0.in2, 0x3f800000 -> FPU0.in1t.addf, ... ;
        next -> gcu.pc.jump, ..., ... ;
        ... ;
        ... ;
        ... ;
    next:
        FPU0.out1 -> RF0.0, ..., ... ;
    """)
    assert values(result, "RF0.0") == [0x40000000]


def test_a_load_takes_three_cycles_and_samples_at_once():
    """The store in the cycle behind the load comes too late for it."""
    memory = bytearray(16)
    memory[4:8] = (7).to_bytes(4, "little")
    result = run(
        """
        4 -> LSU0.in1t.ld32, ..., ... ;
        4 -> LSU0.in1t.st32, 9 -> LSU0.in2, ... ;
        4 -> LSU0.in1t.ld32, ..., ... ;
        LSU0.out1 -> RF0.0, ..., ... ;
        ... ;
        LSU0.out1 -> RF0.1, ..., ... ;
        """,
        memory=memory,
    )
    assert values(result, "RF0.0", "RF0.1") == [7, 9]
    assert memory[4] == 9


@pytest.mark.parametrize(
    ("operation", "expected"),
    [("ld8", 0xFFFFFF80), ("ldu8", 0x80), ("ld16", 0xFFFFFF80), ("ldu16", 0xFF80)],
)
def test_loads_extend_signs_or_zeros(operation: str, expected: int):
    result = run(
        f"""
        2 -> LSU0.in1t.{operation}, ..., ... ;
        ... ;
        ... ;
        LSU0.out1 -> RF0.0, ..., ... ;
        """,
        memory=bytearray([1, 2, 0x80, 0xFF]),
    )
    assert values(result, "RF0.0") == [expected]


def test_stores_write_their_bytes_only():
    memory = bytearray([0xFF] * 8)
    run(
        """
        0x11223344 -> LSU0.in2, 0 -> LSU0.in1t.st8, ... ;
        2 -> LSU0.in1t.st16, ..., ... ;
        4 -> LSU0.in1t.st32, ..., ... ;
        """,
        memory=memory,
    )
    assert memory.hex() == "44ff443344332211"


def test_a_call_keeps_where_it_came_from():
    """The address 4 is that of the instruction behind the delay slots."""
    text = "sub -> gcu.pc.call, ..., ... ;\n... ;\n... ;\n... ;\n" + (
        "9 -> RF0.0, end -> gcu.pc.jump, ... ;\n... ;\n... ;\n... ;\n"
        "sub: gcu.ra -> gcu.pc.jump, gcu.ra -> RF1.0, ... ;\n... ;\n... ;\n... ;\n"
        "end: ... ;"
    )
    result = run(text, with_calls())
    assert values(result, "RF0.0", "RF1.0") == [9, 4]
    assert result.cycles == 4 + 4 + 4 + 1


def with_calls() -> Machine:
    """`minimal` with a return address."""
    into, out = MINIMAL.register_files[0].writes[0], MINIMAL.register_files[0].reads[0]
    control = replace(
        MINIMAL.control,
        operations=(*MINIMAL.control.operations, UnitOperation("call", ("pc",), 0)),
        return_address=(replace(into, name="ra"), replace(out, name="ra")),
    )
    return replace(MINIMAL, control=control)


NOTHING = "which nothing wrote"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RF0.3 -> RF1.0, ..., ... ;", f"cycle 0.*'RF0.3' is read, {NOTHING}"),
        ("ALU0.out1 -> RF1.0, ..., ... ;", f"'ALU0.out1' is read, {NOTHING}"),
        ("1 -> ALU0.in1t.add, ..., ... ;", f"needs the operand 'ALU0.in2', {NOTHING}"),
        ("?BOOL0.1 1 -> RF1.0, ..., ... ;", f"guard BOOL0.1 reads 'BOOL0.1', {NOTHING}"),
        ("2 -> LSU0.in1t.ld32, ..., ... ;", "address 2, which is no multiple of 4"),
        ("64 -> LSU0.in1t.ld32, ..., ... ;", r"address 64; the memory is 0 \.\.\. 63"),
        ("4294967292 -> LSU0.in1t.ld32, ..., ... ;", "'data' is 0 ... 268435455"),
        ("77 -> gcu.pc.jump, ..., ... ;\n... ;\n... ;\n... ;", "to 77, where no block begins"),
        ("1 -> gcu.pc.jump, ..., ... ;\n... ;\n... ;\n... ;", "to 1, where no block begins"),
        ("l: l -> gcu.pc.jump, ..., ... ;\n... ;\n... ;\n... ;", "not end after 1000 cycles"),
    ],
)
def test_what_has_no_meaning_is_an_error(text: str, message: str):
    with pytest.raises(SimulationError, match=message):
        run(text)


def test_results_that_meet_in_a_port_are_an_error():
    """The product is due in cycle 5, as is the comparison that begins in cycle 4."""
    with pytest.raises(SimulationError, match="cycle 4.*'FPU0.in1t.gtf' and cycle 0.*mulf.*same"):
        run("""
            0 -> FPU0.in2, 0 -> FPU0.in1t.mulf, ... ;
            ... ;
            ... ;
            ... ;
            0 -> FPU0.in1t.gtf, ..., ... ;
        """)


def test_two_stores_to_one_byte_in_a_cycle_are_an_error():
    with pytest.raises(SimulationError, match="two stores write address 6 in one cycle"):
        run(
            "1 -> LSU0.in2, 4 -> LSU0.in1t.st32, 2 -> LSU1.in2, 6 -> LSU1.in1t.st8 ;",
            paper(buses=4),
        )
