"""Random loops for the scheduler: arrays, carried values, conditions, chains of operations."""

from __future__ import annotations

import random

ARRAYS = 3
STEP = 4
WORDS = 24
"""The elements of each array: the most iterations of a loop."""

SIZE = 4 * WORDS * ARRAYS + 64
"""Bytes of memory that a loop needs."""


def random_loop(rng: random.Random, operations: int, trips: int) -> str:
    """A loop over arrays of words at 64, 160, 256; its results are stored at 0, 4, 8.

    The first array is only read, the others are read and written at the same, earlier or later
    elements. `trips` is the trip count of the loop, at least 1.
    """
    lines: list[str] = []
    words = ["%x", "%y", "%n"]
    truths: list[str] = []

    def access(array: int) -> tuple[str, str]:
        """An address and what is known of it."""
        pointer = f"%p{array}"
        offset = rng.choice([0, 0, 0, 4, 8])
        if offset:
            name = f"%a{len(lines)}"
            lines.append(f"  {name} = arith.addi {pointer}, %c{offset} : i32")
            pointer = name
        return pointer, f"{{alias = #tta.alias<{array}, -1, -1>}}" if rng.random() < 0.8 else ""

    for _ in range(operations):
        name = f"%v{len(lines)}"
        x, y = rng.choice(words), rng.choice(words[-3:])
        match rng.randrange(8):
            case 0 | 1:
                address, facts = access(rng.randrange(ARRAYS))
                lines.append(f'  {name} = tta.load "ld32" {address} {facts} : i32')
            case 2:
                address, facts = access(rng.randrange(1, ARRAYS))
                guard = f" if {rng.choice(truths)}" if truths and rng.random() < 0.4 else ""
                lines.append(f'  tta.store "st32" {address}, {y}{guard} {facts} : i32')
                continue
            case 3:
                lines.append(f"  {name} = arith.cmpi slt, {x}, {y} : i32")
                truths.append(name)
                continue
            case 4 if truths:
                lines.append(f"  {name} = arith.select {rng.choice(truths)}, {x}, {y} : i32")
            case 5 | 6:
                lines.append(f"  {name}f = arith.bitcast {x} : i32 to f32")
                lines.append(f"  {name}g = arith.bitcast {y} : i32 to f32")
                operation = rng.choice(["addf", "subf", "mulf"])
                lines.append(f"  {name}h = arith.{operation} {name}f, {name}g : f32")
                lines.append(f"  {name} = arith.bitcast {name}h : f32 to i32")
            case _:
                operation = rng.choice("addi subi andi ori xori shli minsi".split())
                lines.append(f"  {name} = arith.{operation} {x}, {y} : i32")
        words.append(name)
    results = [rng.choice(words[-5:]) for _ in "xy"]
    steps = [rng.choice([STEP, STEP, 0]) if i else STEP for i in range(ARRAYS)]
    return f"""
func.func @loop() {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %begin0 = arith.constant 64 : i32
  %begin1 = arith.constant {64 + 4 * WORDS} : i32
  %begin2 = arith.constant {64 + 8 * WORDS} : i32
  %n = tta.load "ld32" %c8 : i32
  cf.br ^loop(%c0, %begin0, %begin1, %begin2, %n, %c1 : i32, i32, i32, i32, i32, i32)
^loop(%i : i32, %p0 : i32, %p1 : i32, %p2 : i32, %x : i32, %y : i32):
{chr(10).join(lines)}
  %q0 = arith.addi %p0, %s0 : i32
  %q1 = arith.addi %p1, %s1 : i32
  %q2 = arith.addi %p2, %s2 : i32
  %j = arith.addi %i, %c1 : i32
  %more = arith.cmpi slt, %j, %trips : i32
  cf.cond_br %more, ^loop(%j, %q0, %q1, %q2, {", ".join(results)} : i32, i32, i32, i32, i32, i32),
    ^end({rng.choice(words)}, %x : i32, i32)
^end(%last : i32, %before : i32):
  tta.store "st32" %c0, %last : i32
  tta.store "st32" %c4, %before : i32
  tta.store "st32" %c8, %j : i32
  func.return
}}""".replace(
        "  %n = tta",
        f"  %trips = arith.constant {trips} : i32\n"
        + "".join(f"  %s{i} = arith.constant {step} : i32\n" for i, step in enumerate(steps))
        + "  %n = tta",
    )
