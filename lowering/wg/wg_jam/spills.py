"""How many registers are written to the stack and read again where operations use more than there
are."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One operation: the values that it reads and makes, by any names of them."""

    reads: Sequence[object]
    makes: Sequence[object]


def moves_to_stack(steps: Sequence[Step], sizes: dict[object, int], registers: int) -> int:
    """The registers that are written to the stack, and those that are read from it.

    `sizes` has the registers of each value. Where a value does not fit, the one that is read last
    of all goes to the stack (Belady's rule); what no step makes needs no register.
    """
    reads: defaultdict[object, deque[float]] = defaultdict(deque)
    for number, step in enumerate(steps):
        for value in step.reads:
            reads[value].append(number)
    held: dict[object, None] = {}
    on_stack: set[object] = set()
    used = moves = 0

    def next_read(value: object) -> float:
        return reads[value][0] if reads[value] else math.inf

    def hold(value: object, needed: Sequence[object]) -> None:
        nonlocal used, moves
        while used + sizes[value] > registers:
            last = max((v for v in held if v not in needed), key=next_read, default=None)
            if last is None:
                return
            if last not in on_stack:
                on_stack.add(last)
                moves += sizes[last]
            del held[last]
            used -= sizes[last]
        held[value] = None
        used += sizes[value]

    for number, step in enumerate(steps):
        for value in step.reads:
            if value in on_stack and value not in held:
                moves += sizes[value]
                hold(value, step.reads)
        for value in step.reads:
            while reads[value] and reads[value][0] == number:
                reads[value].popleft()
            if not reads[value] and value in held:
                del held[value]
                used -= sizes[value]
        for value in step.makes:
            if reads[value]:
                hold(value, step.reads)
    return moves
