"""What the function executes while a block of the program runs: one of its blocks, or several.

Mostly that is one block. Where the rounds of a loop overlap it is some rounds more: those that have
begun, of which it is known that they are executed. A path gets longer where the program does
something that is not on it yet, if it is known by then which block comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import Block, SSAValue

from polycl.analysis.tta.run_function import BlockValues, edges
from polycl.analysis.tta.symbolic_memory import Memory, Refused, StoreKey
from polycl.analysis.tta.terms import Term, Terms

Tests: TypeAlias = tuple[tuple[Term, bool], ...]

MOST_STEPS = 40
"""The longest path; only that of a wrong program goes on for ever."""

PARALLEL = "tta.parallel"
"""On the branch at the end of a loop's block: accesses of different rounds never overlap."""


class Path:
    """Blocks of the function in the order in which they are executed; at least one."""

    def __init__(
        self,
        block: Block,
        entry: Mapping[SSAValue, Term],
        live: Mapping[Block, Sequence[SSAValue]],
        terms: Terms,
    ):
        self.terms = terms
        self.live = live
        self.memory = Memory(terms)
        self.steps: list[BlockValues] = []
        self.choices: list[bool | None] = []
        """How each step but the last one ends, if it has two successors."""
        self._append(block, entry)

    def copy(self) -> Path:
        copy = object.__new__(Path)
        copy.terms, copy.live = self.terms, self.live
        copy.memory = self.memory.copy()
        copy.steps, copy.choices = list(self.steps), list(self.choices)
        return copy

    def _append(self, block: Block, entry: Mapping[SSAValue, Term]) -> None:
        self.memory.step = len(self.steps)
        self.memory.parallel = block.last_op is not None and PARALLEL in block.last_op.attributes
        self.steps.append(BlockValues(block, self.terms, self.memory, entry))

    # Longer paths.

    def known(self, tests: Tests) -> bool | None:
        """How the last step ends, if the program tested its condition."""
        condition = self.steps[-1].condition
        for tested, holds in tests:
            if tested == condition:
                return holds
            if condition is not None and tested == self.terms.inverse(condition):
                return not holds
        return None

    def constant(self) -> bool | None:
        """How the last step ends, if its condition is a constant."""
        condition = self.steps[-1].condition
        constant = None if condition is None else self.terms.value(condition)
        return None if constant is None else bool(constant)

    def go(self, choice: bool | None) -> bool:
        """One step more: to the first successor if `choice`; False where that is not known."""
        last = self.steps[-1]
        ways = edges(last.block)
        if not ways or (len(ways) == 2 and choice is None) or len(self.steps) == MOST_STEPS:
            return False
        successor, passed = ways[1 if len(ways) == 2 and not choice else 0]
        become: dict[SSAValue, SSAValue] = dict(zip(successor.args, passed, strict=True))
        entry = {v: last.of(become.get(v, v)) for v in self.live[successor]}
        self.choices.append(choice if len(ways) == 2 else None)
        self._append(successor, entry)
        return True

    def extend(self, tests: Tests) -> bool:
        """One step more, if it is known where to."""
        known = self.known(tests)
        return self.go(self.constant() if known is None else known)

    def is_impossible(self, tests: Tests) -> bool:
        """Whether the tests contradict what is known of the path."""
        decided = {
            step.condition: choice
            for step, choice in zip(self.steps, self.choices, strict=False)
            if choice is not None
        }
        inverse = self.terms.inverse
        return any(
            decided.get(tested, holds) != holds or decided.get(inverse(tested), not holds) == holds
            for tested, holds in tests
        )

    # What the program does.

    def load(self, operation: str, address: Term, done: int, tests: Tests) -> Term:
        return self._longer(lambda: self.memory.run_load(operation, address, done), tests)

    def store(self, access: StoreKey, done: int, running: int, tests: Tests) -> int:
        return self._longer(lambda: self.memory.run_store(access, done, running), tests)

    def _longer(self, attempt: Callable[[], Term], tests: Tests) -> Term:
        """An access of the program, which may belong to a step that is not there yet."""
        try:
            return attempt()
        except Refused as refused:
            first = refused
        while self.extend(tests):
            try:
                return attempt()
            except Refused:
                pass
        raise first
