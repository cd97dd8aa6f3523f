"""The blocks that the function executes while a block of the program runs.

That is one block, except in a modulo-scheduled loop: there it includes the iterations that have
begun, which are known to be executed. If the program does something that is not on the path yet,
the path is extended, provided that the next block is known by then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from polycl.analysis.tta.run_function import BlockValues, Code, Number
from polycl.analysis.tta.symbolic_memory import Memory, Refused, StoreKey
from polycl.analysis.tta.terms import Term, Terms

Tests: TypeAlias = tuple[tuple[Term, bool], ...]

MOST_STEPS = 40
"""The longest path; only the path of a wrong program exceeds it."""


class Path:
    """Blocks of the function in the order of execution; at least one."""

    def __init__(self, code: Code, entry: Mapping[Number, Term], terms: Terms):
        self.terms = terms
        self.memory = Memory(terms)
        self.steps: list[BlockValues] = []
        self.choices: list[bool | None] = []
        """For each step but the last one: whether its first successor follows; None if there is
        one successor only."""
        self._append(code, entry)

    def copy(self) -> Path:
        copy = object.__new__(Path)
        copy.terms = self.terms
        copy.memory = self.memory.copy()
        copy.steps, copy.choices = list(self.steps), list(self.choices)
        return copy

    def _append(self, code: Code, entry: Mapping[Number, Term]) -> None:
        self.memory.step = len(self.steps)
        self.memory.parallel = code.parallel
        self.steps.append(BlockValues(code, self.terms, self.memory, entry))

    # Longer paths.

    def known(self, tests: Tests) -> bool | None:
        """The value of the last step's condition, if the program tested it."""
        condition = self.steps[-1].condition
        for tested, holds in tests:
            if tested == condition:
                return holds
            if condition is not None and tested == self.terms.inverse(condition):
                return not holds
        return None

    def constant(self) -> bool | None:
        """The value of the last step's condition, if it is a constant."""
        condition = self.steps[-1].condition
        constant = None if condition is None else self.terms.value(condition)
        return None if constant is None else bool(constant)

    def go(self, choice: bool | None) -> bool:
        """Appends a step: the first successor if `choice`. Returns False if that is not known."""
        last = self.steps[-1]
        ways = last.code.ways
        if not ways or (len(ways) == 2 and choice is None) or len(self.steps) == MOST_STEPS:
            return False
        successor, passed = ways[1 if len(ways) == 2 and not choice else 0]
        entry = {number: last.values[before] for number, before in passed}
        self.choices.append(choice if len(ways) == 2 else None)
        self._append(successor, entry)
        return True

    def extend(self, tests: Tests) -> bool:
        """Appends a step if the successor is known; returns whether it is."""
        known = self.known(tests)
        return self.go(self.constant() if known is None else known)

    def is_impossible(self, tests: Tests) -> bool:
        """Whether the tests contradict the choices of the path."""
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

    # Accesses of the program.

    def load(self, operation: str, address: Term, done: int, tests: Tests) -> Term:
        return self._longer(lambda: self.memory.run_load(operation, address, done), tests)

    def store(self, access: StoreKey, done: int, running: int, tests: Tests) -> int:
        return self._longer(lambda: self.memory.run_store(access, done, running), tests)

    def _longer(self, attempt: Callable[[], Term], tests: Tests) -> Term:
        """An access of the program, which may belong to a later step of the path."""
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
