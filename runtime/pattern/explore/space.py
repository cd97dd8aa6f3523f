"""The parameters of a derivation, and their legal combinations.

A space is a tree: each level is one parameter, each path from the root to a leaf is a
configuration that satisfies all constraints. So counting, random draws and steps to neighbours need
not reject configurations.

A. Rasch, R. Schulze, M. Steuwer, S. Gorlatch: Efficient auto-tuning of parallel programs with
interdependent tuning parameters via auto-tuning framework (ATF). ACM TACO 18(1), 2021.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

from polycl.dialects.pattern import NatAttr, nat

Configuration = dict[str, int]


class Constraint(Protocol):
    """A constraint on parameters and sizes."""

    @property
    def variables(self) -> frozenset[str]: ...

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it holds; `values` has all of its variables."""
        ...


@dataclass(frozen=True)
class Divides:
    """`divisor` divides `number`; both are texts of sizes: `Divides("n*m", "N")`."""

    divisor: str
    number: str

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(_nat(self.divisor).variables) | frozenset(_nat(self.number).variables)

    def holds(self, values: Mapping[str, int]) -> bool:
        return _nat(self.number).evaluate(values) % _nat(self.divisor).evaluate(values) == 0

    def __str__(self) -> str:
        return f"{self.divisor} divides {self.number}"


@dataclass(frozen=True)
class AtMost:
    """`left` is at most `right`; `what` is the name of the resource: `local memory`."""

    left: str
    right: str
    what: str = ""

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(_nat(self.left).variables) | frozenset(_nat(self.right).variables)

    def holds(self, values: Mapping[str, int]) -> bool:
        return _nat(self.left).evaluate(values) <= _nat(self.right).evaluate(values)

    def __str__(self) -> str:
        return f"{self.left} <= {self.right}" + (f" ({self.what})" if self.what else "")


@cache
def _nat(text: str) -> NatAttr:
    return nat(text)


@dataclass(frozen=True)
class Tunable:
    """A parameter and its values without constraints, smallest first."""

    name: str
    values: tuple[int, ...]


def powers_of_two(least: int, most: int) -> tuple[int, ...]:
    """1, 2, 4, ... between `least` and `most`, both included."""
    return tuple(1 << k for k in range(most.bit_length()) if least <= 1 << k <= most)


@cache
def near_divisors(values: tuple[int, ...], number: int) -> tuple[int, ...]:
    """For each of the values the divisor of a number that is nearest, within a factor of 1.4: the
    values themselves for a power of two, 2, 4, 8, 20, 40, 50, 125... for 1000."""
    small = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    divisors = [*small, *(number // d for d in small)]

    def distance(divisor: int, value: int) -> float:
        return abs(math.log(divisor / value))

    nearest = (min(divisors, key=lambda d, v=value: distance(d, v)) for value in values)
    pairs = zip(nearest, values, strict=True)
    return tuple(d for d, value in pairs if distance(d, value) < math.log(2) / 2)


@dataclass(frozen=True)
class _Node:
    value: int
    leaves: int
    children: tuple[_Node, ...]


@dataclass(frozen=True)
class Space:
    """All configurations of `tunables` that satisfy `constraints`, given the `sizes`."""

    tunables: tuple[Tunable, ...]
    constraints: tuple[Constraint, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()

    @cached_property
    def _root(self) -> tuple[_Node, ...]:
        names = [name for name, _ in self.sizes]
        checks: list[list[Constraint]] = [[] for _ in self.tunables]
        for constraint in self.constraints:
            # It is checked as soon as its last variable has a value.
            last = -1
            for level, tunable in enumerate(self.tunables):
                if tunable.name in constraint.variables:
                    last = level
            unknown = constraint.variables - {t.name for t in self.tunables} - set(names)
            assert not unknown, f"{constraint}: no parameter or size {sorted(unknown)}"
            if last >= 0:
                checks[last].append(constraint)
            elif not constraint.holds(dict(self.sizes)):
                return ()
        return self._grow(checks, dict(self.sizes), 0)

    def _grow(
        self, checks: Sequence[Sequence[Constraint]], values: dict[str, int], level: int
    ) -> tuple[_Node, ...]:
        if level == len(self.tunables):
            return ()
        tunable = self.tunables[level]
        nodes: list[_Node] = []
        for value in tunable.values:
            values[tunable.name] = value
            if not all(constraint.holds(values) for constraint in checks[level]):
                continue
            if level + 1 == len(self.tunables):
                nodes.append(_Node(value, 1, ()))
                continue
            children = self._grow(checks, values, level + 1)
            if children:
                nodes.append(_Node(value, sum(child.leaves for child in children), children))
        values.pop(tunable.name, None)
        return tuple(nodes)

    def __len__(self) -> int:
        if not self.tunables:
            return int(all(c.holds(dict(self.sizes)) for c in self.constraints))
        return sum(node.leaves for node in self._root)

    def __getitem__(self, index: int) -> Configuration:
        """The configuration with this number, in lexicographic order."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        found: Configuration = {}
        nodes = self._root
        for tunable in self.tunables:
            for node in nodes:
                if index < node.leaves:
                    break
                index -= node.leaves
            else:
                raise AssertionError("the leaves are counted wrongly")
            found[tunable.name] = node.value
            nodes = node.children
        return found

    def __iter__(self) -> Iterator[Configuration]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, configuration: Mapping[str, int]) -> bool:
        nodes = self._root
        for tunable in self.tunables:
            for node in nodes:
                if node.value == configuration.get(tunable.name):
                    break
            else:
                return False
            nodes = node.children
        return len(configuration) == len(self.tunables) and len(self) > 0

    def nearest(self, ranks: Mapping[str, int]) -> Configuration:
        """A configuration whose values have about these numbers among those of their parameters:
        each is the nearest that is legal after the parameters before it."""
        found: Configuration = {}
        nodes = self._root
        for tunable in self.tunables:
            near = {value: abs(i - ranks[tunable.name]) for i, value in enumerate(tunable.values)}
            node = min(nodes, key=lambda node: near[node.value])
            found[tunable.name] = node.value
            nodes = node.children
        return found

    def sample(self, count: int, chance: random.Random) -> list[Configuration]:
        """At most `count` different configurations, drawn uniformly."""
        total = len(self)
        return [self[index] for index in chance.sample(range(total), min(count, total))]

    def neighbours(self, configuration: Configuration) -> list[Configuration]:
        """The configurations where one parameter has its next or previous value, or where one has
        its next and another its previous value, as for parameters with a bounded product."""
        found: list[Configuration] = []
        ranks = {t.name: t.values.index(configuration[t.name]) for t in self.tunables}

        def moved(steps: Mapping[str, int]) -> None:
            changed = dict(configuration)
            for tunable in self.tunables:
                rank = ranks[tunable.name] + steps.get(tunable.name, 0)
                if not 0 <= rank < len(tunable.values):
                    return
                changed[tunable.name] = tunable.values[rank]
            if changed in self:
                found.append(changed)

        names = list(ranks)
        for name in names:
            moved({name: 1})
            moved({name: -1})
        for up in names:
            for down in names:
                if up != down:
                    moved({up: 1, down: -1})
        return found
