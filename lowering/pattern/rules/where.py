"""Conditions on sizes in a script: `where M >= 2 and N < 64 and lanes >= 16`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from polycl.lowering.pattern.rules.lines import NAME, Line

LANES = "lanes"
"""The floats that a vector of the device has, among the sizes."""


@dataclass(frozen=True)
class SizeCondition:
    """A size variable and a number that is its least value, or above its largest one."""

    variable: str
    relation: Literal[">=", "<"]
    number: int

    def holds(self, sizes: Mapping[str, int]) -> bool:
        """Whether it holds; not for a size that is not known."""
        size = sizes.get(self.variable)
        if size is None:
            return False
        return size >= self.number if self.relation == ">=" else size < self.number


def all_hold(conditions: Sequence[SizeCondition], sizes: Mapping[str, int]) -> bool:
    return all(condition.holds(sizes) for condition in conditions)


def parse_where(line: Line, *, of_step: bool = False) -> tuple[SizeCondition, ...]:
    """Reads the conditions after `where`, with `and` between them; none without a `where`.

    Raises:
        DerivationError: at a malformed condition; `of_step`: also at one on the device.
    """
    if not line.accept(r"where\b"):
        return ()
    start = line.here
    found = [_condition(line)]
    while line.accept(r"and\b"):
        found.append(_condition(line))
    if of_step and any(condition.variable == LANES for condition in found):
        raise start.error("a step depends on sizes only, expected a tunable where lanes >= ...")
    return tuple(found)


def _condition(line: Line) -> SizeCondition:
    variable = line.expect(NAME, "a size variable, as in 'where N >= 1000'")
    relation = line.expect(">=|<", "'>=' or '<'")
    number = int(line.expect(r"\d+", "a number"))
    return SizeCondition(variable, cast(Literal[">=", "<"], relation), number)
