"""The uses of buses, units and register files, from the execution counts of blocks.

An instruction always uses the same resources, so the execution counts suffice. A move whose guard
is false counts, since no other move can use its bus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from polycl.dialects.tta import Block, Program, Register, UnitPort


@dataclass
class Counters:
    """Uses of each resource in `cycles` cycles."""

    cycles: int = 0
    buses: Counter[int] = field(default_factory=Counter[int])
    """Index of a bus -> moves."""
    operations: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """(unit, operation) -> triggers."""
    reads: Counter[str] = field(default_factory=Counter[str])
    """Register file -> registers read; once per cycle if several buses read the same one."""
    writes: Counter[str] = field(default_factory=Counter[str])
    """Register file -> moves to its registers."""
    guard_reads: Counter[str] = field(default_factory=Counter[str])
    """Register file -> moves that its registers guard."""

    def triggers(self, unit: str) -> int:
        """The operations that a unit executed."""
        return sum(n for (name, _), n in self.operations.items() if name == unit)


def count(program: Program, block_counts: Sequence[int]) -> Counters:
    """The uses of an execution with the given execution counts of blocks."""
    total = Counters()
    for block, times in zip(program.blocks, block_counts, strict=True):
        once = count_block(block)
        total.cycles += times * once.cycles
        for name in ("buses", "operations", "reads", "writes", "guard_reads"):
            uses: Counter[object] = getattr(total, name)
            for key, n in getattr(once, name).items():
                uses[key] += times * n
    return total


def count_block(block: Block) -> Counters:
    """The uses of one execution of a block."""
    counters = Counters(len(block.instructions))
    for instruction in block.instructions:
        read = {m.source for m in instruction.moves if isinstance(m.source, Register)}
        counters.reads.update(register.file for register in read)
        for move in instruction.moves:
            counters.buses[move.bus] += 1
            if move.guard is not None:
                counters.guard_reads[move.guard.register_file] += 1
            match move.destination:
                case Register(file):
                    counters.writes[file] += 1
                case UnitPort(unit, _, str(operation)):
                    counters.operations[unit, operation] += 1
                case UnitPort():
                    pass
    return counters
