"""Counters come from the text of blocks and how often they ran."""

from __future__ import annotations

from polycl.backends.tta.counters import count
from polycl.backends.tta.interpreter import interpret
from polycl.dialects.tta import parse_tceasm
from polycl.dialects.tta.presets import minimal

TEXT = """CODE ;
    5 -> RF0.0, 0 -> RF1.0, ... ;
loop:
    RF0.0 -> ALU0.in1t.sub, 1 -> ALU0.in2, RF0.0 -> RF1.1 ;
    ALU0.out1 -> ALU0.in1t.gt, 0 -> ALU0.in2, ALU0.out1 -> RF0.0 ;
    ALU0.out1 -> BOOL0.0, ..., ... ;
    ?BOOL0.0 loop -> gcu.pc.jump, !BOOL0.0 7 -> RF1.2, ... ;
    ... ;
    ... ;
    ... ;
"""


def test_the_uses_of_a_loop_of_five_rounds():
    program = parse_tceasm(TEXT, minimal())
    result = interpret(program, bytearray())
    counters = count(program, result.block_counts)
    assert counters.cycles == result.cycles == 1 + 5 * 7
    assert counters.buses == {0: 1 + 5 * 4, 1: 1 + 5 * 3, 2: 5 * 2}
    uses = {("ALU0", "sub"): 5, ("ALU0", "gt"): 5, ("gcu", "jump"): 5}
    assert counters.operations == uses
    assert counters.triggers("ALU0") == 10
    # RF0.0 goes to two buses through one port; the squashed move to RF1.2 counts each time.
    assert counters.reads == {"RF0": 5}
    assert counters.writes == {"RF0": 1 + 5, "RF1": 1 + 5 * 2, "BOOL0": 5}
    assert counters.guard_reads == {"BOOL0": 10}
