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
_STARTUP = 4
"""The trials after which optuna's sampler models them; it draws at random before."""
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
        self._seed = seed
        self._study = self._new_study(seed)
        """Of the structures."""
        self._studies: dict[int, Any] = {}
        """Of the values of each structure's parameters, by its number: one study of all would
        sample the parameters of all structures for each proposal."""
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
        choices = range(max(1, len(structures)))
        self._choice = {"structure": optuna.distributions.CategoricalDistribution(choices)}

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
        value = math.log(seconds) if math.isfinite(seconds) else _FAILED
        self._add(self._study, {"structure": number}, self._choice, value)
        if tunables := structure.space.tunables:
            ranks = {t.name: t.values.index(values[t.name]) for t in tunables}
            self._add(self._study_of(number), ranks, self._ranks(structure), value)

    def _add(
        self, study: Any, params: dict[str, int], distributions: dict[str, Any], value: float
    ) -> None:
        trial = self._optuna.create_trial(params=params, distributions=distributions, value=value)
        study.add_trial(trial)

    def _ask(self, study: Any, distributions: dict[str, Any]) -> dict[str, int]:
        trial = study.ask(distributions)
        # What is told is the legal configuration, as a trial of its own.
        study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        return trial.params

    def _ranks(self, structure: Structure) -> dict[str, Any]:
        """The distributions of a structure's parameters: positions among their values."""
        rank = self._optuna.distributions.IntDistribution
        return {t.name: rank(0, len(t.values) - 1) for t in structure.space.tunables}

    def _new_study(self, seed: int) -> Any:
        optuna = self._optuna
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=seed, multivariate=True, n_startup_trials=_STARTUP
            )
        return optuna.create_study(sampler=sampler)

    def _study_of(self, number: int) -> Any:
        if number not in self._studies:
            self._studies[number] = self._new_study(self._seed + 1 + number)
        return self._studies[number]

    def _note(self, proposal: Proposal, seconds: float) -> None:
        key = proposal.structure.key
        if key not in self._tried:
            self._untried.remove(proposal.structure)
            self._kinds[proposal.structure.plan.kind] += 1
        self._tried.setdefault(key, {})[str(proposal.values)] = seconds

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
            number = self._ask(self._study, self._choice)["structure"]
            structure = self._structures[number]
            if structure.key not in self._tried:
                return Proposal(structure, structure.start)
            ranks = self._ask(self._study_of(number), self._ranks(structure))
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
