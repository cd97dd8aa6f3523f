"""Candidates from derivations: the low-level program to time, and a small one for its check."""

from __future__ import annotations

import math
from dataclasses import dataclass

from polycl.dialects.pattern import sizes_of
from polycl.runtime.pattern.explore.cost_model import estimate
from polycl.runtime.pattern.explore.draft import Draft, Inapplicable, Plan
from polycl.runtime.pattern.explore.lowerings import in_sequence
from polycl.runtime.pattern.explore.measuring import Check
from polycl.runtime.pattern.explore.space import Configuration
from polycl.runtime.pattern.explore.structures import Problem, concrete, parsed

_GROUPS = 3
"""The factor of split size variables in the small check: more than one, and not a power of two."""
_SMALL = 8
"""The value of an independent size variable in the small check."""


@dataclass(frozen=True)
class Candidate:
    """A low-level program as text, or the reason why there is none."""

    text: str = ""
    check: Check | None = None
    estimate: float = float("inf")
    problem: str = ""


def build(problem: Problem, plan: Plan, values: Configuration) -> Candidate:
    """The candidate with these values of the parameters."""
    try:
        draft = concrete(problem, plan, values)
        check = _check(problem, plan)
    except Inapplicable as error:
        return Candidate(problem=str(error).splitlines()[0])
    environment = plan.environment(dict(problem.sizes), values)
    seconds = estimate(draft.function, environment, problem.machine)
    return Candidate(str(draft.module), check, seconds)


def build_baseline(problem: Problem) -> str:
    """The program without any parallelism. Raises Inapplicable."""
    origin = parsed(problem.program)
    return str(in_sequence(Draft(origin, origin, problem.function)).module)


def _check(problem: Problem, plan: Plan) -> Check:
    """The program with the smallest values of the parameters, at a size that fits them."""
    values = {choice.name: choice.tunable.values[0] for choice in plan.choices}
    draft = concrete(problem, plan, values)
    known = sizes_of(Draft(parsed(problem.program), draft.origin, draft.name).function)
    factors = {root: names for root, _, names in plan.multiples}
    sizes: Configuration = {}
    for name, _ in problem.sizes:
        step = math.prod(values[factor] for factor in factors.get(name, ()))
        if name in known:
            step = math.lcm(step, known[name].divisible_by.data)
        sizes[name] = step * (_GROUPS if name in factors else _SMALL)
    return Check(str(draft.module), tuple(sorted(sizes.items())))
