"""The parameter search: it chooses the next structure and the values of its parameters.

First each structure is tried with its best values in the cost model. Then the fastest structures
get most of the trials: neighbours of their best values, and sometimes random values. The proposals
depend only on the seed and on the times until then.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from polycl.runtime.pattern.explore.space import Configuration
from polycl.runtime.pattern.explore.structures import Structure

ANYWHERE = 0.2
"""The share of proposals that are drawn from the whole space."""
_DRAWS = 8


@dataclass(frozen=True)
class Proposal:
    structure: Structure
    values: Configuration


@dataclass
class Tuner:
    """Proposes trials by the times of earlier ones."""

    structures: Sequence[Structure]
    seed: int
    first: int
    """The number of structures to try."""
    _chance: random.Random = field(init=False)
    _tried: dict[str, dict[str, float]] = field(init=False)
    """For each structure, the time for each configuration."""

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self._tried = {}
        self._queue = [Proposal(s, s.start) for s in diverse(self.structures, self.first)]
        self._structures = {p.structure.key: p.structure for p in self._queue}
        self._best: dict[str, tuple[float, Configuration]] = {}

    def propose(self, count: int) -> list[Proposal]:
        """At most `count` new trials; none at the end of the space."""
        found: list[Proposal] = []
        while len(found) < count:
            proposal = self._queue.pop(0) if self._queue else self._next()
            if proposal is None:
                break
            tried = self._tried.setdefault(proposal.structure.key, {})
            tried[str(proposal.values)] = float("inf")
            found.append(proposal)
        return found

    def tell(self, proposal: Proposal, seconds: float) -> None:
        """The time of a trial; infinite where it failed."""
        key = proposal.structure.key
        self._tried.setdefault(key, {})[str(proposal.values)] = seconds
        if seconds < self._best.get(key, (float("inf"), {}))[0]:
            self._best[key] = seconds, proposal.values

    def _next(self) -> Proposal | None:
        ranked = sorted(self._best, key=lambda key: self._best[key][0])
        # The best one gets half of the proposals, the next one half of the others, ...
        while ranked:
            rank = 0
            while rank + 1 < len(ranked) and self._chance.random() < 0.5:
                rank += 1
            key = ranked.pop(rank)
            values = self._untried(key)
            if values is not None:
                return Proposal(self._structures[key], values)
        return None

    def _untried(self, key: str) -> Configuration | None:
        structure, tried = self._structures[key], self._tried[key]
        near = structure.space.neighbours(self._best[key][1])
        anywhere = structure.space.sample(_DRAWS, self._chance)
        self._chance.shuffle(near)
        choices = [anywhere, near] if self._chance.random() < ANYWHERE else [near, anywhere]
        for values in (values for group in choices for values in group):
            if str(values) not in tried:
                return values
        return None


def diverse(structures: Sequence[Structure], count: int) -> list[Structure]:
    """The first `count` structures, one of each kind before the second of any."""
    rounds: list[tuple[int, int, Structure]] = []
    kinds: Counter[tuple[str, ...]] = Counter()
    for number, structure in enumerate(structures):
        kind = structure.plan.kind
        rounds.append((kinds[kind], number, structure))
        kinds[kind] += 1
    rounds.sort(key=lambda entry: entry[:2])
    return [structure for _, _, structure in rounds[:count]]
