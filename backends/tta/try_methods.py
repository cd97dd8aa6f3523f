"""The method with the fewest cycles, for the arguments of the first launch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from polycl.backends.device import Executable, KernelArg, NDRange
from polycl.backends.tta.choose_method import Candidate
from polycl.backends.tta.interpreter import SimulationError
from polycl.backends.tta.launch import TtaExecutable
from polycl.remarks import emit_remark

MOST_GROUPS = 8
"""Launches of more groups are tried with three of them: the first, the middle one and the last."""
MOST_CYCLES = 10**7
"""A group that waits for others would run for ever alone."""


class TriedExecutable(Executable):
    """A kernel whose first launch tries several methods; it and all later ones run the best."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        trial: Callable[[Candidate], TtaExecutable],
        proved: Callable[[Candidate], TtaExecutable],
    ):
        """`candidates`: the best by its estimate first. `trial` makes an executable whose schedule
        need not be proved right, since only its cycles count."""
        self._candidates = candidates
        self._trial = trial
        self._proved = proved
        self.chosen: TtaExecutable | None = None

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Raises as `TtaExecutable.run`."""
        if self.chosen is None:
            best = best_of(self._candidates, self._trial, args, ndrange)
            self.chosen = self._proved(best)
        self.chosen.run(args, ndrange)

    def dispatch(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """As `TtaExecutable.dispatch`, of the chosen method, after a launch."""
        assert self.chosen is not None
        self.chosen.dispatch(args, ndrange)


def best_of(
    candidates: Sequence[Candidate],
    trial: Callable[[Candidate], TtaExecutable],
    args: Sequence[KernelArg],
    ndrange: NDRange,
) -> Candidate:
    """The candidate with the fewest cycles in some groups of a launch, which are simulated. No
    array changes. If each fails, as the launch will, it is the first one.

    Raises ArgumentError if arguments or sizes do not fit."""
    best, least = candidates[0], MOST_CYCLES
    cycles: dict[str, int] = {}
    for candidate in candidates:
        executable = trial(candidate)
        executable.check(args, ndrange)
        try:
            found = sum(
                executable.cycles(args, ndrange, groups, least)
                for groups in _sample(prod(ndrange.num_groups))
            )
        except SimulationError:
            # It takes more cycles than the best one, or the kernel fails: its launch says why.
            continue
        cycles[str(candidate)] = found
        if found < least:
            best, least = candidate, found
    tried = ", ".join(f"{name} {number}" for name, number in cycles.items()) or "none"
    emit_remark(best.function, "tta", f"method {best}; cycles of some groups: {tried}")
    return best


def _sample(groups: int) -> list[tuple[int, int]]:
    if groups <= MOST_GROUPS:
        return [(0, groups)]
    return [(at, at + 1) for at in (0, groups // 2, groups - 1)]
