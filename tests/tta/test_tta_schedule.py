"""Schedules compute the results of their functions, and are as short as they should be."""

from __future__ import annotations

import random
import re

import pytest
from tta_functions import DOT, check, parse_function, random_function

from polycl.dialects.tta import Machine, Register, parse_machine
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import schedule
from polycl.lowering.tta.tta_schedule.block_graph import Value
from polycl.lowering.tta.tta_schedule.placement import Placement

PAPER = parse_machine("paper")
MACHINES = [PAPER, parse_machine("minimal"), parse_machine("wide"), parse_machine("paper buses=8")]

STRAIGHT = """
func.func @straight(%a : i32, %b : i32) {
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %sum = arith.addi %a, %b : i32
  %difference = arith.subi %a, %b : i32
  %x = arith.xori %sum, %difference : i32
  %y = arith.addi %sum, %x : i32
  tta.store "st32" %c4, %y : i32
  tta.store "st32" %c8, %difference : i32
  func.return
}"""

SWAP = """
func.func @swap(%a : i32, %b : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%a, %b, %c0 : i32, i32, i32)
^loop(%x : i32, %y : i32, %k : i32):
  %k2 = arith.addi %k, %c1 : i32
  %c = arith.cmpi slt, %k2, %n : i32
  cf.cond_br %c, ^loop(%y, %x, %k2 : i32, i32, i32), ^end
^end:
  tta.store "st32" %c0, %x : i32
  tta.store "st32" %c4, %y : i32
  func.return
}"""

GUARDS = """
func.func @guards(%a : i32, %b : i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %less = arith.cmpi slt, %a, %b : i32
  %one = arith.constant true
  %not = arith.xori %less, %one : i1
  %least = arith.select %less, %a, %b : i32
  %bits = arith.extui %less : i1 to i32
  %sum = arith.addi %least, %bits : i32
  tta.store "st32" %c0, %sum if %less : i32
  tta.store "st32" %c4, %b if %not : i32
  %both = arith.select %not, %less, %not : i1
  cf.cond_br %both, ^then, ^else
^then:
  tta.store "st8" %c8, %a : i32
  cf.br ^end
^else:
  tta.store "st16" %c8, %b : i32
  cf.br ^end
^end:
  func.return
}"""


@pytest.mark.parametrize("machine", MACHINES, ids=["paper", "minimal", "wide", "narrow"])
@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (STRAIGHT, [7, 9]),
        (DOT, [0, 64, 4, 8, 128]),
        (SWAP, [1, 2, 1]),
        (SWAP, [1, 2, 4]),
        (GUARDS, [3, 4]),
        (GUARDS, [4, 3]),
    ],
)
def test_schedules_do_what_functions_say(text: str, arguments: list[int], machine: Machine):
    check(text, machine, arguments)


def test_the_loop_of_a_dot_product_takes_as_long_as_its_latencies():
    scheduled, _ = check(DOT, PAPER, [0, 64, 4, 8, 128])
    assert scheduled.bounds[1].achieved == 14
    assert str(scheduled.bounds[1]) == "block1: latency bound 14, achieved 14"


@pytest.mark.parametrize("machine", MACHINES, ids=["paper", "minimal", "wide", "narrow"])
@pytest.mark.parametrize("seed", range(25))
def test_random_functions(seed: int, machine: Machine):
    rng = random.Random(seed)
    text = random_function(rng, operations=rng.choice([5, 15, 40]))
    check(text, machine, [rng.randrange(1 << 32) for _ in range(3)])


def test_single_use_values_never_see_a_register():
    scheduled, _ = check(STRAIGHT, PAPER, [7, 9])
    moves = [m for i in scheduled.program.blocks[0].instructions for m in i.moves]
    assert not any(isinstance(m.destination, Register) for m in moves)


def test_an_operation_that_no_unit_does_is_an_error():
    text = STRAIGHT.replace("arith.xori", "arith.muli")
    with pytest.raises(PolyclError, match="'arith.muli' needs 'mul', which no unit"):
        check(text, PAPER, [7, 9])


def many_values(count: int, blocks: int) -> str:
    """Loads `count` bytes, then stores their sums with the next ones, `blocks` blocks later.

    The loads come first, as nothing is known about where `%p` points.
    """
    constants = [f"%c{i} = arith.constant {i} : i32" for i in range(count)]
    loads = [f'%v{i} = tta.load "ldu8" %c{i} : i32' for i in range(count)]
    jumps = [line for i in range(blocks) for line in (f"cf.br ^b{i}", f"^b{i}:")]
    stores = [
        line
        for i in reversed(range(count))
        for line in (
            f"%s{i} = arith.addi %v{i}, %v{(i + 1) % count} : i32",
            f"%a{i} = arith.addi %p, %c{i} : i32",
            f'tta.store "st8" %a{i}, %s{i} : i32',
        )
    ]
    lines = "\n".join([*constants, *loads, *jumps, *stores])
    return f"func.func @many(%p : i32) {{\n{lines}\nfunc.return\n}}"


@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_values_that_find_no_register_go_to_memory(blocks: int):
    # `minimal` has 32 registers, `paper` 128.
    scheduled, _ = check(many_values(45, blocks), parse_machine("minimal"), [10], size=128)
    assert len(scheduled.private) > 0
    scheduled, _ = check(many_values(45, blocks), PAPER, [10], size=128)
    assert len(scheduled.private) == 0


def test_blocks_spill_to_the_same_memory():
    minimal = parse_machine("minimal")
    text = many_values(45, 0)
    one, _ = check(text, minimal, [10], size=128)
    head, body = text.removesuffix("\nfunc.return\n}").split("\n", 1)
    again = re.sub(r"%([acsv])", r"%\1_", body)
    both = f"{head}\n{body}\ncf.br ^next\n^next:\n{again}\nfunc.return\n}}"
    two, _ = check(both, minimal, [10], size=128)
    assert one.private == two.private != range(0)


@pytest.mark.parametrize("seed", range(3))
def test_cycles_in_which_no_register_is_free_are_skipped(
    seed: int, monkeypatch: pytest.MonkeyPatch
):
    """The schedule is the same as if they were tried, in which case they fail."""
    machine = parse_machine("minimal")
    values = many_values(45, seed)
    functions = [values, random_function(random.Random(seed), operations=80)]
    register_from, place_root = Placement._register_from, Placement._place_root  # pyright: ignore
    tried = 0

    def counted(placement: Placement, root: Value, cycle: int) -> bool:
        nonlocal tried
        tried += 1
        return place_root(placement, root, cycle)

    def any_cycle(placement: Placement, root: Value) -> int | None:
        return None if register_from(placement, root) is None else 0

    monkeypatch.setattr(Placement, "_place_root", counted)
    found: list[tuple[list[str], int]] = []
    for replaced in (register_from, any_cycle):
        monkeypatch.setattr(Placement, "_register_from", replaced)
        tried = 0
        schedules = [schedule(parse_function(text), machine, check=False) for text in functions]
        found.append(([str(s.program) for s in schedules], tried))
    (skipped, few), (all_tried, many) = found
    assert skipped == all_tried
    assert few < many


def outer_product(size: int) -> str:
    """A product of matrices, whose rows are loaded once for `size` columns (2 * size**3 flops)."""
    lines = [f"%c{4 * i} = arith.constant {4 * i} : i32" for i in range(size**2)]
    read, write = "{alias = #tta.alias<0, -1, -1>}", "{alias = #tta.alias<1, -1, -1>}"
    for i in range(size):
        for k in range(size):
            lines.append(f"%a{i}_{k} = arith.addi %p, %c{4 * (size * i + k)} : i32")
            lines.append(f'%x{i}_{k} = tta.load "ld32" %a{i}_{k} {read} : f32')
            for j in range(size):
                name = f"{i}_{k}_{j}"
                lines.append(f"%b{name} = arith.addi %q, %c{4 * (size * k + j)} : i32")
                lines.append(f'%y{name} = tta.load "ld32" %b{name} {read} : f32')
                lines.append(f"%m{name} = arith.mulf %x{i}_{k}, %y{name} : f32")
                if k:
                    before = f"%m{i}_0_{j}" if k == 1 else f"%s{i}_{k - 1}_{j}"
                    lines.append(f"%s{name} = arith.addf {before}, %m{name} : f32")
        for j in range(size):
            lines.append(f"%d{i}_{j} = arith.addi %r, %c{4 * (size * i + j)} : i32")
            content = f"%s{i}_{size - 1}_{j}"
            lines.append(f'tta.store "st32" %d{i}_{j}, {content} {write} : f32')
    body = "\n".join(lines)
    return f"func.func @product(%p : i32, %q : i32, %r : i32) {{\n{body}\nfunc.return\n}}"


def test_a_large_block_is_near_its_bound():
    """Where units are short, and not latencies, two thirds of their cycles are used."""
    scheduled, _ = check(outer_product(6), PAPER, [0, 144, 288], size=432)
    block = scheduled.bounds[0]
    assert block.bounds[0][0] == "ALU0..ALU3"
    assert block.achieved <= 1.5 * block.bounds[0][1]


def test_a_schedule_is_the_same_each_time():
    function = parse_function(outer_product(4))
    assert schedule(function, PAPER, check=False) == schedule(function, PAPER, check=False)
