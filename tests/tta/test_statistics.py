"""A loop of five iterations: 36 cycles. The figures follow from its text."""

from __future__ import annotations

import json

from polycl.backends.tta.counters import Counters
from polycl.backends.tta.engine import Engine
from polycl.backends.tta.interpreter import interpret
from polycl.backends.tta.statistics import FileUse, Use, statistics, summarise
from polycl.dialects.tta import parse_tceasm
from polycl.dialects.tta.presets import minimal

PROGRAM = parse_tceasm(
    """CODE ;
        5 -> RF0.0, 0 -> RF1.0, ... ;
    loop:
        RF0.0 -> ALU0.in1t.sub, 1 -> ALU0.in2, RF0.0 -> RF1.1 ;
        ALU0.out1 -> ALU0.in1t.gt, 0 -> ALU0.in2, ALU0.out1 -> RF0.0 ;
        ALU0.out1 -> BOOL0.0, ..., ... ;
        ?BOOL0.0 loop -> gcu.pc.jump, ..., ... ;
        ... ;
        ... ;
        ... ;
    """,
    minimal(),
)

TEXT = """\
36 cycles, 42 moves

buses:
  B0           21   58.3 %
  B1           11   30.6 %
  B2           10   27.8 %

function units:
  ALU0           10   27.8 %
  FPU0            0    0.0 %
  LSU0            0    0.0 %
  gcu             5   13.9 %

operations:
  sub             5   33.3 %
  gt              5   33.3 %
  jump            5   33.3 %

register files:
               reads                writes                guards
  RF0              5   13.9 %            6   16.7 %            0
  RF1              0    0.0 %            6   16.7 %            0
  BOOL0            0    0.0 %            5   13.9 %            5
"""


def test_the_text():
    assert statistics(PROGRAM, interpret(PROGRAM, bytearray())).as_text() == TEXT


def test_both_engines_give_the_same():
    compiled = statistics(PROGRAM, Engine(PROGRAM).run(bytearray()))
    assert compiled == statistics(PROGRAM, interpret(PROGRAM, bytearray()))


def test_json():
    found = json.loads(json.dumps(statistics(PROGRAM, interpret(PROGRAM, bytearray())).as_json()))
    assert (found["cycles"], found["moves"]) == (36, 42)
    assert found["units"]["ALU0"] == {"count": 10, "percent": 27.78}
    assert found["register_files"]["BOOL0"] == {
        "reads": {"count": 0, "percent": 0.0},
        "writes": {"count": 5, "percent": 13.89},
        "guards": 5,
    }


def test_nothing_was_executed():
    nothing = summarise(minimal(), Counters())
    assert nothing.buses["B0"] == Use(0, 0.0)
    assert nothing.register_files["RF0"] == FileUse(Use(0, 0.0), Use(0, 0.0), 0)
