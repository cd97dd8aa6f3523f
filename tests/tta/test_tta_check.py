"""The checker of schedules accepts other orders and registers, and refuses wrong programs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tta_functions import parse_function

from polycl.analysis.tta import check_schedule
from polycl.analysis.tta.run_schedule import Outcome, Run, State
from polycl.dialects.tta import (
    Block,
    Instruction,
    Machine,
    Move,
    Program,
    Register,
    UnitPort,
    parse_machine,
)
from polycl.dialects.tta.program import parse_end, parse_guard
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import schedule

PAPER = parse_machine("paper")
ARGUMENTS = (Register("RF0", 0), Register("RF1", 0), Register("RF2", 0))


def program(text: str, machine: Machine = PAPER) -> Program:
    """A line for each cycle, of moves such as `?BOOL0.1 4 -> RF0.0`; `name:` begins a block."""
    blocks: list[tuple[str, list[Instruction]]] = []
    for line in text.strip().splitlines():
        if line.endswith(":"):
            blocks.append((line[:-1].strip(), []))
            continue
        moves = [_move(bus, part) for bus, part in enumerate(line.split("|")) if part.strip()]
        blocks[-1][1].append(Instruction(tuple(moves)))
    return Program(machine, tuple(Block(name, tuple(cycles)) for name, cycles in blocks))


def _move(bus: int, text: str) -> Move:
    source, _, end = text.strip().partition(" -> ")
    guard = None
    if " " in source:
        condition, source = source.split()
        guard = parse_guard(condition.removeprefix("?"))
    destination = parse_end(end)
    assert isinstance(destination, Register | UnitPort)
    return Move(bus, parse_end(source), destination, guard)


def check(function: str, text: str, private: range = range(0)) -> None:
    """Raises PolyclError where the program is refused."""
    parsed = parse_function(function)
    arguments = ARGUMENTS[: len(parsed.body.blocks[0].args)]
    check_schedule(parsed, program(text), arguments, private)


TWO_BLOCKS = """
func.func @f(%p : i32, %x : f32) {
  %y = arith.mulf %x, %x : f32
  cf.br ^next
^next:
  tta.store "st32" %p, %y : f32
  func.return
}"""


CROSSING = """a:
  RF1.0 -> FMUL0.in1t.mulf | RF1.0 -> FMUL0.in2

b:



  RF0.0 -> LSU0.in1t.st32 | FMUL0.out1 -> LSU0.in2"""


def test_results_may_be_on_their_way_from_block_to_block():
    check(TWO_BLOCKS, CROSSING)
    with pytest.raises(PolyclError, match="block b, instruction 2: 'FMUL0.out1' is read, but"):
        check(TWO_BLOCKS, CROSSING.replace("b:\n\n", "b:\n"))


LOOP = """
func.func @f(%p : i32, %n : i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  cf.br ^loop(%c0 : i32)
^loop(%i : i32):
  %j = arith.addi %i, %c1 : i32
  %more = arith.cmpi slt, %j, %n : i32
  cf.cond_br %more, ^loop(%j : i32), ^end
^end:
  tta.store "st32" %p, %j : i32
  func.return
}"""
COUNTING = """a:
  0 -> RF3.0
loop:
  RF3.0 -> ALU0.in1t.add | 1 -> ALU0.in2
  ALU0.out1 -> RF3.0 | ALU0.out1 -> ALU0.in1t.lt | RF1.0 -> ALU0.in2
  ALU0.out1 -> BOOL0.0
  ?BOOL0.0 loop -> gcu.pc.jump



end:
  RF0.0 -> LSU0.in1t.st32 | RF3.0 -> LSU0.in2"""


def test_which_registers_hold_values_is_found():
    check(LOOP, COUNTING)
    check(LOOP, COUNTING.replace("RF3.0", "RF3.7").replace("BOOL0.0", "BOOL2.1"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("?BOOL0.0 loop", "!BOOL0.0 loop", "'loop' follows, but not in the function"),
        ("1 -> ALU0.in2", "2 -> ALU0.in2", "the function tests lt"),
        ("0 -> RF3.0", "1 -> RF3.0", r"tests lt\(1, %n\), the program lt\(2, %n\)"),
        ("ALU0.out1 -> RF3.0 |", "", r"tests lt\(%i \+ 1, %n\), the program lt\(1, %n\)"),
        ("ALU0.out1 -> BOOL0.0", "", "BOOL0.0 reads a register with no known value"),
        ("RF0.0 -> LSU0.in1t.st32 |", "", "'st32' of .* does not happen"),
        ("RF0.0 -> LSU0", "RF1.0 -> LSU0", "'RF1.0' is read, but has no known value"),
    ],
)
def test_a_wrong_loop_is_refused(old: str, new: str, message: str):
    assert old in COUNTING
    with pytest.raises(PolyclError, match=message):
        check(LOOP, COUNTING.replace(old, new))


MEMORY = """
func.func @f(%p : i32, %q : i32, %x : i32) {{
  %c4 = arith.constant 4 : i32
  %r = arith.addi %p, %c4 : i32
  tta.store "st32" %p, %x {first} : i32
  %y = tta.load "ld32" {address} {second} : i32
  tta.store "st32" %c4, %y {{alias = #tta.alias<2, -1, -1>}} : i32
  func.return
}}"""
SETS = {"first": "{alias = #tta.alias<0, -1, -1>}", "second": "{alias = #tta.alias<1, -1, -1>}"}
ITEMS = {"first": "{alias = #tta.alias<0, 0, 0>}", "second": "{alias = #tta.alias<0, 1, 0>}"}
NOTHING = {"first": "{alias = #tta.alias<0, -1, -1>}", "second": "{alias = #tta.alias<0, 3, 5>}"}


@pytest.mark.parametrize(
    ("address", "facts", "apart"),
    [
        ("%q", SETS, True),
        ("%q", ITEMS, True),
        ("%q", NOTHING, False),
        ("%r", NOTHING, True),  # by its offset
        ("%p", NOTHING, False),
    ],
)
def test_loads_go_before_stores_that_they_cannot_meet(
    address: str, facts: dict[str, str], apart: bool
):
    function = MEMORY.format(address=address, **facts)
    load = {"%q": "RF1.0", "%p": "RF0.0", "%r": "ALU0.out1"}[address]
    early = f"""a:
      RF0.0 -> ALU0.in1t.add | 4 -> ALU0.in2
      {load} -> LSU1.in1t.ld32
      RF0.0 -> LSU0.in1t.st32 | RF2.0 -> LSU0.in2

      4 -> LSU0.in1t.st32 | LSU1.out1 -> LSU0.in2"""
    if apart:
        check(function, early)
    else:
        with pytest.raises(PolyclError, match="'ld32' at .* is before 'st32' of %x at %p, which"):
            check(function, early)


GUARDED = """
func.func @f(%p : i32, %x : i32, %y : i32) {
  %c = arith.cmpi slt, %x, %y : i32
  %least = arith.select %c, %x, %y : i32
  tta.store "st32" %p, %least : i32
  tta.store "st8" %p, %x if %c : i32
  func.return
}"""
SELECTING = """a:
  RF1.0 -> ALU0.in1t.lt | RF2.0 -> ALU0.in2
  ALU0.out1 -> BOOL0.0 | RF2.0 -> RF3.0
  ?BOOL0.0 RF1.0 -> RF3.0
  RF0.0 -> LSU0.in1t.st32 | RF3.0 -> LSU0.in2
  ?BOOL0.0 RF0.0 -> LSU0.in1t.st8 | RF1.0 -> LSU0.in2"""


def test_guards_select():
    check(GUARDED, SELECTING)
    exclusive = SELECTING.replace(" | RF2.0 -> RF3.0", "").replace(
        "RF1.0 -> RF3.0", "RF1.0 -> RF3.0 | !BOOL0.0 RF2.0 -> RF3.0"
    )
    check(GUARDED, exclusive)
    # Where a register held 1, a guarded write of 0 leaves the condition itself in it.
    zero = GUARDED.replace("%least", "%zero = arith.constant 0 : i32\n  %least", 1)
    zero = zero.replace("%c, %x, %y", "%c, %x, %zero")
    written = SELECTING.replace("RF2.0 -> RF3.0", "1 -> RF3.0").replace(
        "?BOOL0.0 RF1.0 -> RF3.0", "!BOOL0.0 0 -> RF3.0 | ?BOOL0.0 RF1.0 -> RF3.0"
    )
    check(zero, written)
    with pytest.raises(PolyclError, match="which the function does not"):
        check(zero, written.replace("!BOOL0.0 0", "!BOOL0.0 2"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("?BOOL0.0 RF0.0", "!BOOL0.0 RF0.0", "if not.*, which the function does not"),
        ("?BOOL0.0 RF0.0", "RF0.0", "which the function does not"),
        ("?BOOL0.0 RF1.0", "RF1.0", "which the function does not"),
        (" | RF2.0 -> RF3.0", "", "'RF3.0' is read, but has no known value"),
        ("ALU0.out1 -> BOOL0.0", "ALU0.out1 -> BOOL0.1", "reads a register"),
    ],
)
def test_wrong_guards_are_refused(old: str, new: str, message: str):
    with pytest.raises(PolyclError, match=message):
        check(GUARDED, SELECTING.replace(old, new))


SPILLED = """a:
  RF1.0 -> FMUL0.in1t.mulf | RF1.0 -> FMUL0.in2




  8 -> LSU1.in1t.st32 | FMUL0.out1 -> LSU1.in2
  RF1.0 -> FMUL0.in1t.mulf | 0 -> FMUL0.in2
b:
  8 -> LSU1.in1t.ld32


  RF0.0 -> LSU0.in1t.st32 | LSU1.out1 -> LSU0.in2"""


@pytest.mark.parametrize(
    ("first", "second"), [(SETS["second"], ""), ("", SETS["second"]), ("", "")]
)
def test_two_loads_of_the_same_bytes_share_what_is_known(first: str, second: str):
    # The second load is compared, or computed with, as the first one was.
    function = f"""
func.func @f(%p : i32, %q : i32, %x : i32) {{
  %c4 = arith.constant 4 : i32
  %y = tta.load "ld32" %q {first} : i32
  tta.store "st32" %p, %x {SETS["first"]} : i32
  %z = tta.load "ld32" %q {second} : i32
  %w = arith.subi %z, %y : i32
  tta.store "st32" %c4, %w {{alias = #tta.alias<2, -1, -1>}} : i32
  func.return
}}"""
    late = """a:
      RF1.0 -> LSU0.in1t.ld32
      RF0.0 -> LSU1.in1t.st32 | RF2.0 -> LSU1.in2
      RF1.0 -> LSU0.in1t.ld32
      LSU0.out1 -> ALU0.in2

      LSU0.out1 -> ALU0.in1t.sub
      4 -> LSU0.in1t.st32 | ALU0.out1 -> LSU0.in2"""
    check(function, late)
    # Only one load, whose bytes no store changes if one of the two facts says so.
    early = """a:
      RF1.0 -> LSU0.in1t.ld32
      RF0.0 -> LSU1.in1t.st32 | RF2.0 -> LSU1.in2

      LSU0.out1 -> ALU0.in1t.sub | LSU0.out1 -> ALU0.in2
      4 -> LSU0.in1t.st32 | ALU0.out1 -> LSU0.in2"""
    if first or second:
        check(function, early)
    else:
        with pytest.raises(PolyclError, match="'st32' stores 0 at 4, which the function does not"):
            check(function, early)


def test_spilled_values():
    check(TWO_BLOCKS, SPILLED, private=range(8, 16))
    with pytest.raises(PolyclError, match="'st32' stores .* at 8, which the function does not"):
        check(TWO_BLOCKS, SPILLED)
    with pytest.raises(PolyclError, match="spilled to 12 is read, but has no known value"):
        check(TWO_BLOCKS, SPILLED.replace("8 -> LSU1.in1t.ld32", "12 -> LSU1.in1t.ld32"), range(64))


def test_rounds_that_overlap():
    text = """
func.func @f(%p : i32, %q : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%p, %q, %c0 : i32, i32, i32)
^loop(%from : i32, %to : i32, %i : i32):
  %x = tta.load "ld32" %from {alias = #tta.alias<0, -1, -1>} : f32
  %y = arith.mulf %x, %x : f32
  tta.store "st32" %to, %y {alias = #tta.alias<1, -1, -1>} : f32
  %f = arith.addi %from, %c4 : i32
  %t = arith.addi %to, %c4 : i32
  %j = arith.addi %i, %c1 : i32
  %more = arith.cmpi slt, %j, %n : i32
  cf.cond_br %more, ^loop(%f, %t, %j : i32, i32, i32), ^end
^end:
  func.return
}"""
    function = parse_function(text)
    scheduled = schedule(function, PAPER, pipeline=True)
    names = [block.name for block in scheduled.program.blocks]
    assert "block1_kernel" in names
    # Without facts, no load goes before the stores of earlier iterations.
    unknown = parse_function(text.replace("#tta.alias<1,", "#tta.alias<0,"))
    with pytest.raises(PolyclError, match="'ld32' at .*, which may overlap|no known"):
        check_schedule(unknown, scheduled.program, scheduled.arguments)


NESTED = """
func.func @f(%p : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^outer(%c0, %c0 : i32, i32)
^outer(%i : i32, %sum : i32):
  cf.br ^inner(%c0, %sum : i32, i32)
^inner(%j : i32, %part : i32):
  %next = arith.addi %part, %i : i32
  %k = arith.addi %j, %c1 : i32
  %more = arith.cmpi slt, %k, %n : i32
  cf.cond_br %more, ^inner(%k, %next : i32, i32), ^rest
^rest:
  %h = arith.addi %i, %c1 : i32
  %again = arith.cmpi slt, %h, %n : i32
  cf.cond_br %again, ^outer(%h, %next : i32, i32), ^end
^end:
  tta.store "st32" %p, %next : i32
  func.return
}"""


def test_with_the_registers_of_values_each_block_is_executed_once(monkeypatch: pytest.MonkeyPatch):
    function = parse_function(NESTED)
    scheduled = schedule(function, PAPER, check=False)
    executed: list[int] = []
    outcomes = Run.outcomes

    def counted(self: Run, block: int, state: State) -> Iterator[Outcome]:
        executed.append(block)
        return outcomes(self, block, state)

    monkeypatch.setattr(Run, "outcomes", counted)
    check_schedule(function, scheduled.program, scheduled.arguments, homes=scheduled.homes)
    assert sorted(executed) == [*range(len(scheduled.program.blocks))]
    executed.clear()
    check_schedule(function, scheduled.program, scheduled.arguments)
    assert len(executed) > len(scheduled.program.blocks)


def test_wrong_registers_of_values_change_no_verdict():
    function = parse_function(NESTED)
    scheduled = schedule(function, PAPER, check=False)
    places = list(scheduled.homes.values())
    wrong = dict(zip(scheduled.homes, [*places[1:], places[0]], strict=True))
    check_schedule(function, scheduled.program, scheduled.arguments, homes=wrong)
    other = parse_function(
        NESTED.replace("%next = arith.addi %part, %i", "%next = arith.addi %part, %j")
    )
    for homes in ({}, wrong, scheduled.homes):
        with pytest.raises(PolyclError, match="the schedule of 'f' is wrong"):
            check_schedule(other, scheduled.program, scheduled.arguments, homes=homes)
