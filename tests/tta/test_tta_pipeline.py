"""Loops whose iterations overlap do the same as their functions, for any trip count."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any

import pytest
from tta_functions import DOT, check, parse_function
from tta_loops import SIZE, random_loop

from polycl.dialects.tta import parse_machine
from polycl.lowering.tta.tta_schedule import is_kernel, modulo_pipeline, schedule
from polycl.lowering.tta.tta_schedule.block_graph import ENTRY, Graph, Value, tree_of
from polycl.lowering.tta.tta_schedule.order import root_of
from polycl.remarks import collect_remarks

PAPER = parse_machine("paper")
MACHINES = [PAPER, parse_machine("minimal"), parse_machine("wide"), parse_machine("paper buses=8")]
NAMES = ["paper", "minimal", "wide", "narrow"]

# Each number is the third power of that before: 3 + 5 + 5 + 1 cycles through memory.
THROUGH_MEMORY = """
func.func @power(%n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%c0, %c0 : i32, i32)
^loop(%p : i32, %k : i32):
  %q = arith.addi %p, %c4 : i32
  %x = tta.load "ld32" %p : f32
  %y = arith.mulf %x, %x : f32
  %z = arith.mulf %y, %x : f32
  tta.store "st32" %q, %z : f32
  %k2 = arith.addi %k, %c1 : i32
  %c = arith.cmpi ult, %k2, %n : i32
  cf.cond_br %c, ^loop(%q, %k2 : i32, i32), ^end
^end:
  func.return
}"""


# The address of the store is needed for longer than the interval.
SAXPY = """
func.func @saxpy(%p : i32, %q : i32, %n : i32, %a : f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%p, %q, %c0 : i32, i32, i32)
^loop(%from : i32, %to : i32, %k : i32):
  %x = tta.load "ld32" %from {alias = #tta.alias<0, -1, -1>} : f32
  %y = tta.load "ld32" %to {alias = #tta.alias<1, -1, -1>} : f32
  %z = arith.mulf %x, %a : f32
  %w = arith.addf %z, %y : f32
  tta.store "st32" %to, %w {alias = #tta.alias<1, -1, -1>} : f32
  %from2 = arith.addi %from, %c4 : i32
  %to2 = arith.addi %to, %c4 : i32
  %k2 = arith.addi %k, %c1 : i32
  %more = arith.cmpi ult, %k2, %n : i32
  cf.cond_br %more, ^loop(%from2, %to2, %k2 : i32, i32, i32), ^end {tta.parallel}
^end:
  func.return
}"""


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_kernels_are_unrolled_for_values_that_live_long(machine):
    for trips in range(1, 9):
        scheduled, _ = check(SAXPY, machine, [0, 64, trips, 0x3F000000], pipeline=True)
        assert "block1_kernel1" in [block.name for block in scheduled.program.blocks]


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
@pytest.mark.parametrize("trips", range(1, 7))
def test_any_trip_count(trips: int, machine):
    check(DOT, machine, [0, 64, 4, trips, 128], pipeline=True)


def test_a_round_more_takes_as_long_as_the_interval():
    cycles = [check(DOT, PAPER, [0, 64, 4, n, 128], pipeline=True)[1].cycles for n in range(2, 8)]
    intervals = {later - earlier for earlier, later in pairwise(cycles)}
    scheduled, _ = check(DOT, PAPER, [0, 64, 4, 1, 128], pipeline=True)
    (kernel,) = (bound for bound in scheduled.bounds if bound.block == "block1_kernel")
    assert intervals == {kernel.achieved}
    assert kernel.bounds[0] == ("recurrence", 5)
    assert kernel.achieved <= 7
    # Without overlap it is the latency.
    serial, _ = check(DOT, PAPER, [0, 64, 4, 1, 128])
    assert serial.bounds[1].achieved == 14


@pytest.mark.parametrize("machine", MACHINES[:2], ids=NAMES[:2])
@pytest.mark.parametrize("seed", range(12))
def test_random_loops(seed: int, machine):
    """Up to twice as many iterations as overlap, and only one."""
    rng = random.Random(seed)
    text = random_loop(rng, rng.choice([6, 10, 16]), trips=7)
    for trips in (1, 2, 3, 7):
        changed = text.replace("%trips = arith.constant 7", f"%trips = arith.constant {trips}")
        check(changed, machine, [], SIZE, pipeline=True)


def test_what_found_no_place_is_placed_first(monkeypatch: pytest.MonkeyPatch):
    """The interval becomes shorter; without a retry, the order of placement is always the same."""
    text = random_loop(random.Random(1), 10, trips=7)
    found: list[int] = []
    for retries in (0, modulo_pipeline.RETRIES):
        monkeypatch.setattr(modulo_pipeline, "RETRIES", retries)
        scheduled, _ = check(text, MACHINES[1], [], SIZE, pipeline=True)
        (kernel,) = (b for b in scheduled.bounds if b.block.endswith("_kernel"))
        found.append(kernel.achieved)
    assert found[1] < found[0]


def test_no_attempt_is_made_twice(monkeypatch: pytest.MonkeyPatch):
    place, failed = modulo_pipeline._Attempt.place, list[Any]()  # pyright: ignore

    def recorded(attempt: modulo_pipeline._Attempt) -> bool:  # pyright: ignore
        placed = place(attempt)
        if not placed:
            position = attempt.graph.positions()
            order = tuple(position[root] for root in attempt.order)
            late = attempt.placement._late  # pyright: ignore[reportPrivateUsage]
            failed.append((attempt.interval, attempt.tables.copies, late, order))
        return placed

    monkeypatch.setattr(modulo_pipeline._Attempt, "place", recorded)  # pyright: ignore
    count = 0
    for seed in range(4):
        failed.clear()
        text = random_loop(random.Random(seed), 12, trips=5)
        schedule(parse_function(text), MACHINES[1], check=False, pipeline=True)
        count += len(failed)
        assert len(failed) == len(set(failed))
    assert count > 0


@pytest.mark.parametrize("fails", [False, True])
def test_where_the_longest_interval_fails_no_other_is_tried(
    fails: bool, monkeypatch: pytest.MonkeyPatch
):
    attempt, tried = modulo_pipeline._Search.attempt, list[int]()  # pyright: ignore

    def recorded(
        search: modulo_pipeline._Search,  # pyright: ignore[reportPrivateUsage]
        interval: int,
        *how: Any,
    ) -> modulo_pipeline.Overlapped | None:
        tried.append(interval)
        return None if fails else attempt(search, interval, *how)

    monkeypatch.setattr(modulo_pipeline._Search, "attempt", recorded)  # pyright: ignore
    monkeypatch.setattr(modulo_pipeline, "MOST_VALUES", 0)
    check(SAXPY, PAPER, [0, 64, 5, 0x3F000000], pipeline=True)
    assert (len(set(tried)) == 1) == fails


def test_what_is_placed_first_follows_what_it_needs(monkeypatch: pytest.MonkeyPatch):
    """Also the other operands of a tree of which one value found no place."""
    in_front = modulo_pipeline._in_front  # pyright: ignore[reportPrivateUsage]
    rng, tried = random.Random(3), 0

    def checked(order: list[Value], graph: Graph, urgent: list[int]) -> list[Value]:
        nonlocal tried
        for value in graph.values:
            place = {root: n for n, root in enumerate(in_front(order, graph, [value.index]))}
            for root in order:
                needed = [
                    o for node in tree_of(root) for o in node.operands if isinstance(o, Value)
                ]
                roots = [root_of(each) for each in needed if each.operation != ENTRY]
                assert all(place[each] <= place[root] for each in roots)
                tried += 1
        return in_front(order, graph, urgent)

    monkeypatch.setattr(modulo_pipeline, "_in_front", checked)
    for _ in range(3):
        check(random_loop(rng, 12, trips=5), PAPER, [], SIZE, pipeline=True, prove=False)
    schedule(parse_function(THROUGH_MEMORY), PAPER, pipeline=True)
    assert tried > 1000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_random_loops(seed: int):
    """Executed only: the checker refuses what is right for some (ROADMAP)."""
    rng = random.Random(seed)
    text = random_loop(rng, rng.choice([4, 8, 12, 20]), trips=rng.randrange(1, 15))
    for machine in MACHINES:
        check(text, machine, [], SIZE, pipeline=True, prove=False)


def test_what_a_round_needs_of_the_one_before_is_kept():
    scheduled, _ = check(THROUGH_MEMORY, PAPER, [9], pipeline=True)
    assert [bound.block for bound in scheduled.bounds] == ["block0", "block1", "block2"]
    with collect_remarks() as remarks:
        schedule(parse_function(THROUGH_MEMORY), PAPER, pipeline=True)
    assert [str(r.message) for r in remarks] == [
        "iterations of the loop do not overlap: memory (an iteration may access what the previous "
        "one stores) bound 14, and without overlap one takes 14"
    ]


def test_a_load_before_the_pointer_waits_for_the_last_store():
    """Offsets are modulo 2^32: four bytes before the pointer are not four billion after it."""
    text = THROUGH_MEMORY.replace('"ld32" %p', '"ld32" %before').replace('"st32" %q', '"st32" %p')
    text = text.replace("^loop(%c0, %c0 :", "^loop(%c4, %c0 :").replace(
        "  %x =",
        "  %back = arith.constant -4 : i32\n  %before = arith.addi %p, %back : i32\n  %x =",
    )
    with collect_remarks() as remarks:
        check(text, PAPER, [9], pipeline=True)
    assert not [str(r.message) for r in remarks if "not proved" in str(r.message)]


def test_parallel_rounds_are_taken_at_their_word():
    text = THROUGH_MEMORY.replace("^end\n^end", "^end {tta.parallel}\n^end")
    scheduled = schedule(parse_function(text), PAPER, pipeline=True)
    kernel = scheduled.bounds[2]
    assert kernel.block == "block1_kernel"
    assert kernel.achieved < 14


@pytest.mark.parametrize(("last", "searches"), [("addf", 1), ("subf", 2)])
def test_loops_that_differ_in_registers_only_are_searched_once(
    last: str, searches: int, monkeypatch: pytest.MonkeyPatch
):
    """The second loop, which goes back over the array that the first one wrote."""
    loop = SAXPY[SAXPY.index("^loop(%from") : SAXPY.index("^end:")]
    begin, end = "^loop(%p, %q, %c0 : i32, i32, i32)", "^end {tta.parallel}"
    assert begin in SAXPY
    assert loop.count(end) == 1
    again = begin.replace("^loop(%p, %q", "^again(%q, %p")
    second = loop.replace("^loop", "^again").replace("addf", last)
    for name in "from to k x y z w from2 to2 k2 more".split():
        second = re.sub(rf"%{name}\b", f"%{name}_again", second)
    first = loop.replace(end, f"^between {{tta.parallel}}\n^between:\n  cf.br {again}")
    text = SAXPY.replace(loop, first + second)
    shortest, tried = modulo_pipeline._Search.shortest, 0  # pyright: ignore[reportPrivateUsage]

    def counted(*arguments: Any) -> modulo_pipeline.Overlapped:
        nonlocal tried
        tried += 1
        return shortest(*arguments)

    monkeypatch.setattr(modulo_pipeline._Search, "shortest", counted)  # pyright: ignore
    scheduled = schedule(parse_function(text), PAPER, pipeline=True)
    kernels = {b.block: b.achieved for b in scheduled.bounds if is_kernel(b.block)}
    assert kernels["block1_kernel"] == kernels["block3_kernel"]
    assert tried == searches
    check(text, PAPER, [0, 64, 5, 0x3F000000], pipeline=True)


def test_a_loop_whose_first_trip_count_is_known():
    """On the first visit the loop has many iterations, later perhaps one: its end is reached from
    the first iteration, too, which no iteration comes before."""
    text = """
func.func @rows(%n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c9 = arith.constant 9 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  cf.br ^row(%c0 : i32)
^row(%i : i32):
  %begin = arith.addi %i, %c1 : i32
  cf.br ^loop(%begin, %zero : i32, f32)
^loop(%j : i32, %s : f32):
  %p = arith.shli %j, %c2 : i32
  %x = tta.load "ld32" %p {alias = #tta.alias<0, -1, -1>} : f32
  %y = arith.mulf %x, %x : f32
  %t = arith.addf %s, %y : f32
  %to = arith.addi %p, %c64 : i32
  tta.store "st32" %to, %i {alias = #tta.alias<1, -1, -1>} : i32
  %k = arith.addi %j, %c1 : i32
  %more = arith.cmpi ult, %k, %c9 : i32
  cf.cond_br %more, ^loop(%k, %t : i32, f32), ^done {tta.parallel}
^done:
  %q = arith.shli %i, %c2 : i32
  tta.store "st32" %q, %t {alias = #tta.alias<0, -1, -1>} : f32
  %next = arith.addi %i, %c1 : i32
  %again = arith.cmpi ult, %next, %n : i32
  cf.cond_br %again, ^row(%next : i32), ^end
^end:
  func.return
}"""
    scheduled, _ = check(text, PAPER, [8], pipeline=True)
    assert any(is_kernel(bound.block) for bound in scheduled.bounds)
