"""The parameter search: it chooses the next structure and the values of its parameters.

The first trials are of many structures, with their best values in the cost model: of each kind of
strategies one, then those that the model, corrected by the times until then, finds best. After that
optuna's sampler (TPE) proposes structures with values: it models the parameters of fast trials and
those of others. Its samples are moved to legal configurations. Every fourth trial is near the best
one, which a sampler with few trials neglects. The proposals depend only on the seed and on the
times until then.

J. Bergstra, R. Bardenet, Y. Bengio, B. Kegl: Algorithms for hyper-parameter optimization. NIPS
2011.
"""

from __future__ import annotations

import math
import random
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from polycl.errors import ArgumentError
from polycl.runtime.pattern.explore.correction import Correction
from polycl.runtime.pattern.explore.space import Configuration
from polycl.runtime.pattern.explore.structures import Structure

_KINDS_SHARE = 0.5
"""The share of the first trials that are of different kinds."""
_FAR = 4.0
"""How many times the best estimate is too much for these."""
_EVERY = 4
"""After the first ones, every so many trials are of another structure."""
_DRAWS = 16
"""The most samples for one proposal: others were tried already."""
_FAILED = math.log(1e4)
"""What counts as the logarithm of the seconds of a trial that failed."""


@dataclass(frozen=True)
class Proposal:
    structure: Structure
    values: Configuration


class Tuner:
    """Proposes trials by the times of earlier ones. Raises ArgumentError without optuna."""

    def __init__(self, structures: Sequence[Structure], seed: int, first: int):
        """`first`: the number of trials of different structures at the beginning."""
        try:
            import optuna
        except ImportError as error:
            raise ArgumentError("exploring needs optuna: pip install 'polycl[explore]'") from error
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._optuna: Any = optuna
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)
        self._study = optuna.create_study(sampler=sampler)
        self._structures = list(structures)
        self._numbers = {s.key: number for number, s in enumerate(self._structures)}
        self._untried = list(structures)
        self._kinds: Counter[tuple[str, ...]] = Counter()
        self._correction = Correction.of(structures)
        self._first = first
        self._count = 0
        self._chance = random.Random(seed)
        self._tried: dict[str, dict[str, float]] = {}
        """For each structure, the time for each configuration; infinite until it is known."""
        self._best: dict[str, tuple[float, Configuration]] = {}
        self._choices = range(max(1, len(structures)))
        self._distributions: dict[str, Any] = {
            "structure": optuna.distributions.CategoricalDistribution(self._choices)
        }

    def propose(self) -> Proposal | None:
        """A new trial; None at the end of the space."""
        self._count += 1
        proposal = None
        if self._count <= self._first or self._count % _EVERY == 0:
            proposal = self._other_structure()
        elif self._count % _EVERY == 2:
            proposal = self._neighbour()
        proposal = proposal or self._sampled() or self._neighbour() or self._other_structure()
        if proposal is not None:
            self._note(proposal, math.inf)
        return proposal

    def end_first(self) -> None:
        """The trials of different structures at the beginning have taken long enough."""
        self._first = min(self._first, self._count)

    def tell(self, proposal: Proposal, seconds: float) -> None:
        """The time of a trial; infinite where it failed. It may be one that was not proposed."""
        structure, values = proposal.structure, proposal.values
        self._note(proposal, seconds)
        if values == structure.start:
            self._correction.tell(structure, seconds)
        if seconds < self._best.get(structure.key, (math.inf, {}))[0]:
            self._best[structure.key] = seconds, values
        number = self._numbers[structure.key]
        parameters: dict[str, int] = {"structure": number}
        for tunable in structure.space.tunables:
            name = f"{number}.{tunable.name}"
            parameters[name] = tunable.values.index(values[tunable.name])
            self._distribution(name, len(tunable.values))
        self._study.add_trial(
            self._optuna.create_trial(
                params=parameters,
                distributions={name: self._distributions[name] for name in parameters},
                value=math.log(seconds) if math.isfinite(seconds) else _FAILED,
            )
        )

    def _note(self, proposal: Proposal, seconds: float) -> None:
        key = proposal.structure.key
        if key not in self._tried:
            self._untried.remove(proposal.structure)
            self._kinds[proposal.structure.plan.kind] += 1
        self._tried.setdefault(key, {})[str(proposal.values)] = seconds

    def _distribution(self, name: str, count: int) -> Any:
        if name not in self._distributions:
            kind = self._optuna.distributions.IntDistribution
            self._distributions[name] = kind(0, count - 1)
        return self._distributions[name]

    def _other_structure(self) -> Proposal | None:
        """The best one that was not tried; among the first ones, those of few strategies."""
        seconds = {s.key: self._correction.seconds(s) * s.effort for s in self._untried}
        if not seconds:
            return None
        far = _FAR * min(seconds.values())
        of_kinds = self._count <= self._first * _KINDS_SHARE

        def rank(structure: Structure) -> tuple[float, ...]:
            expected = seconds[structure.key]
            if not of_kinds:
                return (expected,)
            plan = structure.plan
            return expected > far, self._kinds[plan.kind], len(plan.moves), expected

        found = min(self._untried, key=rank)
        return Proposal(found, found.start)

    def _sampled(self) -> Proposal | None:
        if not self._best:
            return None
        for _ in range(_DRAWS):
            trial = self._study.ask()
            number = trial.suggest_categorical("structure", self._choices)
            structure = self._structures[number]
            ranks: dict[str, int] = {}
            for tunable in structure.space.tunables:
                top = len(tunable.values) - 1
                ranks[tunable.name] = trial.suggest_int(f"{number}.{tunable.name}", 0, top)
            # What is told is the legal configuration, as a trial of its own.
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
            if structure.key not in self._tried:
                return Proposal(structure, structure.start)
            values = structure.space.nearest(ranks)
            if structure.key in self._best and str(values) not in self._tried[structure.key]:
                return Proposal(structure, values)
        return None

    def _neighbour(self) -> Proposal | None:
        """One that is near the best values of the fastest structure that has such."""
        for key in sorted(self._best, key=lambda key: self._best[key][0]):
            structure = self._structures[self._numbers[key]]
            near = structure.space.neighbours(self._best[key][1])
            for values in near + structure.space.sample(_DRAWS, self._chance):
                if str(values) not in self._tried[key]:
                    return Proposal(structure, values)
        return None
