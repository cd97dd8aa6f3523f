"""The cost model, corrected by what was measured.

The model misjudges some strategies on some machines. How much, a ridge regression of the logarithm
of measured over estimated time finds, with a variable for each strategy. So the structures that
were not tried are ordered by the estimate and by the times of those that have strategies in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.runtime.pattern.explore.structures import Structure

_TRUST = 1.0
"""The number of measurements that weigh as much as the model's own word."""


@dataclass
class Correction:
    """The factors of the strategies."""

    strategies: list[str]
    _rows: list[NDArray[Any]] = field(default_factory=list[NDArray[Any]])
    _errors: list[float] = field(default_factory=list[float])
    _factors: NDArray[Any] | None = None

    @staticmethod
    def of(structures: Iterable[Structure]) -> Correction:
        return Correction(sorted({name for s in structures for name in s.plan.kind}))

    def tell(self, structure: Structure, seconds: float) -> None:
        """What a structure took with the values for which `estimate` holds."""
        if math.isfinite(seconds) and structure.estimate > 0:
            self._rows.append(self._row(structure))
            self._errors.append(math.log(seconds / structure.estimate))
            self._factors = None

    def seconds(self, structure: Structure) -> float:
        """The corrected estimate."""
        if not self._rows:
            return structure.estimate
        factors = self._factors
        if factors is None:
            rows, errors = np.array(self._rows), np.array(self._errors)
            weights = rows.T @ rows + _TRUST * np.eye(rows.shape[1])
            factors = self._factors = np.linalg.solve(weights, rows.T @ errors)
        return structure.estimate * math.exp(float(self._row(structure) @ factors))

    def _row(self, structure: Structure) -> NDArray[Any]:
        """1 for all programs, and the count of each strategy."""
        counts = [structure.plan.kind.count(name) for name in self.strategies]
        return np.array([1, *counts], np.float64)
