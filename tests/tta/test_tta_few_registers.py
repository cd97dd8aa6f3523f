"""Schedules for machines with few registers: they end, are right, or name what is missing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from test_tta_schedule import many_values
from tta_functions import check, parse_function, random_function

from polycl.dialects.tta import Machine, ShortImmediate, parse_machine
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import schedule
from polycl.lowering.tta.tta_schedule.block_graph import Value
from polycl.lowering.tta.tta_schedule.spilling import SpillingPlacement


def small(words: int, truths: int = 2, buses: int = 3) -> Machine:
    """`minimal` with so many registers in each file."""
    machine = parse_machine(f"minimal buses={buses}")
    sizes = {32: words, 1: truths}
    files = tuple(replace(file, size=sizes[file.width]) for file in machine.register_files)
    return replace(machine, register_files=files)


@pytest.fixture
def spills(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values were spilled for each root, at most as many as the machine has registers."""
    counts = [0]
    outer: list[Value] = []
    place, make_room = SpillingPlacement.place, SpillingPlacement._make_room  # pyright: ignore

    def counted(placement: SpillingPlacement, root: Value) -> None:
        if not outer:
            counts.append(0)
        outer.append(root)
        try:
            place(placement, root)
        finally:
            outer.pop()

    def spilled(placement: SpillingPlacement, root: Value, kind: str | None) -> bool:
        found = make_room(placement, root, kind)
        counts[-1] += found
        assert counts[-1] <= sum(file.size for file in placement.machine.register_files)
        return found

    monkeypatch.setattr(SpillingPlacement, "place", counted)
    monkeypatch.setattr(SpillingPlacement, "_make_room", spilled)
    return counts


def pairs(kept: int) -> str:
    """Operations on two loads that are read again; `kept` constants for the next block have
    registers meanwhile."""
    lines = [f"%c{i} = arith.constant {4 * i} : i32" for i in range(12 + kept)]
    for i in range(2):
        lines += [
            f'%x{i} = tta.load "ld32" %c{i} : i32',
            f'%y{i} = tta.load "ld32" %c{i + 1} : i32',
            f"%s{i} = arith.xori %x{i}, %y{i} : i32",
            f"%t{i} = arith.andi %s{i}, %x{i} : i32",
            f"%u{i} = arith.ori %t{i}, %y{i} : i32",
            f'tta.store "st32" %c{i + 4}, %u{i} : i32',
            f'tta.store "st32" %c{i + 8}, %t{i} : i32',
        ]
    arguments = [f"%k{i} : i32" for i in range(kept)]
    passed = ", ".join(f"%c{i}" for i in range(kept))
    lines.append(f"cf.br ^next({passed} : {', '.join(['i32'] * kept)})")
    lines.append(f"^next({', '.join(arguments)}):")
    lines += [f'tta.store "st32" %c{12 + i}, %k{i} : i32' for i in range(kept)]
    body = "\n".join(lines)
    return f"func.func @pairs() {{\n{body}\nfunc.return\n}}"


@pytest.mark.parametrize("words", [1, 2, 4])
def test_parts_of_a_tree_are_not_spilled_for_each_other(words: int, spills: list[int]):
    # One register is free: two loads would take it from each other for ever.
    scheduled, _ = check(pairs(2 * words - 1), small(words, buses=2), [])
    assert max(spills) > 0
    assert len(scheduled.private) > 0


@pytest.mark.parametrize("seed", range(24))
def test_random_functions(seed: int, spills: list[int]):
    rng = random.Random(seed)
    machine = small(rng.choice([2, 3]), rng.choice([1, 2]), rng.choice([2, 3]))
    text, arguments = random_function(rng, operations=rng.choice([3, 6, 12])), [7, 1 << 31, 9]
    if seed % 4 == 0:
        text, arguments = many_values(rng.choice([4, 8]), rng.randrange(3)), [10]
    check(text, machine, arguments)


def test_more_arguments_than_registers_are_an_error():
    text = random_function(random.Random(0), operations=3)
    with pytest.raises(PolyclError, match="too many for the 2 registers"):
        schedule(parse_function(text), small(1))


JUMP = """
func.func @jump(%a : i32, %b : i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %first = arith.cmpi slt, %a, %b : i32
  %second = arith.cmpi sgt, %a, %c4 : i32
  %x = arith.select %second, %a, %b : i32
  %y = arith.select %first, %x, %c4 : i32
  tta.store "st32" %c0, %y : i32
  cf.cond_br %first, ^then, ^end
^then:
  tta.store "st32" %c4, %a : i32
  cf.br ^end
^end:
  func.return
}"""


@pytest.mark.parametrize("words", [2, 16])
def test_the_condition_of_a_jump_is_spilled(words: int, spills: list[int]):
    # There is one guard.
    for arguments in ([3, 9], [9, 3]):
        scheduled, _ = check(JUMP, small(words, truths=1), arguments)
        assert len(scheduled.private) > 0
    assert max(spills) > 0


def test_an_error_counts_the_registers():
    lines = [f"%c{i} = arith.constant {4 * i} : i32" for i in range(4)]
    lines += [f'%v{i} = tta.load "ld32" %c{i} : i32' for i in range(4)]
    lines.append("%c = arith.cmpi slt, %v0, %v1 : i32")
    lines.append("%x = arith.select %c, %v2, %v3 : i32")
    lines.append("%y = arith.select %c, %v1, %x : i32")
    lines.append('tta.store "st32" %x, %y if %c : i32')
    body = "\n".join(lines)
    text = f"func.func @chosen() {{\n{body}\nfunc.return\n}}"
    machine = small(1)
    files = tuple(file for file in machine.register_files if file.name != "RF1")
    with pytest.raises(PolyclError, match=r"cannot schedule .* \(1 for words, 0 of them"):
        schedule(parse_function(text), replace(machine, register_files=files))


def test_a_jump_that_no_bus_reaches_under_its_guard_is_an_error():
    machine = parse_machine("minimal")
    buses = (
        replace(machine.buses[0], guards=()),
        *(replace(bus, immediate=ShortImmediate(4, False)) for bus in machine.buses[1:]),
    )
    with pytest.raises(PolyclError, match="no bus transports the address of a block"):
        schedule(parse_function(JUMP), replace(machine, buses=buses))


def exits(rng: random.Random) -> str:
    """A loop with several exits that meet again; what it carries is read after them."""
    blocks = rng.randrange(1, 4)
    lines = [f"%c{i} = arith.constant {i} : i32" for i in range(12)]
    lines += ["cf.br ^loop(%c0, %a, %c1 : i32, i32, i32)", "^loop(%i : i32, %x : i32, %w : i32):"]
    lines += [
        "%f = arith.bitcast %w : i32 to f32",
        "%d = arith.addf %f, %f : f32",
        "%w2 = arith.bitcast %d : f32 to i32",
        "%x2 = arith.addi %x, %i : i32",
        "%i2 = arith.addi %i, %c1 : i32",
    ]
    for j in range(blocks):
        lines.append(f"%q{j} = arith.cmpi sgt, %x2, %c{rng.randrange(6, 12)} : i32")
        lines += [f"cf.cond_br %q{j}, ^exit{j}, ^next{j}", f"^next{j}:"]
    lines.append("%more = arith.cmpi slt, %i2, %c4 : i32")
    carried = "%i2, %x2, %w2 : i32, i32, i32"
    lines.append(f"cf.cond_br %more, ^loop({carried}), ^exit{blocks}")
    for j in range(blocks + 1):
        lines.append(f"^exit{j}:")
        value = rng.choice(["%x", "%w", "%w2", "%i"])
        lines.append(f'tta.store "st32" %c{4 * rng.randrange(3)}, {value} : i32')
        lines.append("cf.br ^meet" if j == blocks or rng.random() < 0.5 else f"cf.br ^exit{j + 1}")
    lines += ["^meet:", "%s = arith.addi %x, %w : i32", 'tta.store "st32" %b, %s : i32']
    body = "\n".join(lines)
    return f"func.func @exits(%a : i32, %b : i32) {{\n{body}\nfunc.return\n}}"


@pytest.mark.parametrize("seed", range(12))
def test_loops_with_several_exits(seed: int):
    text = exits(random.Random(seed))
    for machine in (parse_machine("paper"), parse_machine("minimal")):
        check(text, machine, [seed % 5, 12])
