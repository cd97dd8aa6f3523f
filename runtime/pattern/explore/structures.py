"""The structural search for strategies, their places and their order, with open parameters.

It is a beam search: from the high-level program on, all strategies are applied to the best drafts
of the previous level. The score of a draft is that of its best low-level completion in the cost
model; these completions are built and timed. Levels are synchronised, and ties are broken by text:
the result is the same for any number of workers.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from xdsl.dialects.builtin import ModuleOp

from polycl.backends.pipeline import make_context
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.runtime.pattern.explore.cost_model import estimate
from polycl.runtime.pattern.explore.database import digest
from polycl.runtime.pattern.explore.draft import Draft, Plan
from polycl.runtime.pattern.explore.executors import in_order
from polycl.runtime.pattern.explore.limits import device_limits
from polycl.runtime.pattern.explore.lowerings import completions
from polycl.runtime.pattern.explore.machines import Machine
from polycl.runtime.pattern.explore.space import Configuration, Space
from polycl.runtime.pattern.explore.strategies import successors

BEAM = 8
"""Drafts of a level that are developed further."""
ALIKE = 3
"""Among these, drafts with the same strategies at different places or in another order."""
SAMPLES = 12
"""Configurations that are estimated for a structure."""


@dataclass(frozen=True)
class Problem:
    """The problem of a search, as texts and numbers."""

    program: str
    function: str
    sizes: tuple[tuple[str, int], ...]
    machine: Machine
    seed: int


@dataclass(frozen=True)
class Structure:
    """A derivation of a low-level program, with open parameters."""

    plan: Plan
    space: Space
    key: str
    """A name of the resulting program, to which several derivations may lead."""
    estimate: float
    """Estimated seconds with the best of the estimated configurations."""
    start: Configuration
    """This configuration."""

    @property
    def effort(self) -> float:
        """A factor for times: of about equally fast ones the simplest is first."""
        return 1 + 0.02 * len(self.plan.moves)

    @property
    def rank(self) -> tuple[float, int, str]:
        """The best is the smallest."""
        return self.estimate * self.effort, len(self.plan.steps), self.plan.script


@dataclass(frozen=True)
class _Expansion:
    plan: Plan
    key: str
    structures: tuple[Structure, ...]

    @property
    def rank(self) -> tuple[float, int, str]:
        best = min((each.rank[0] for each in self.structures), default=float("inf"))
        return best, len(self.plan.steps), self.plan.script


def search_structures(
    problem: Problem, executor: Executor, depth: int, deadline: float = float("inf")
) -> list[Structure]:
    """Low-level programs for `problem`, the most promising first.

    It ends at `deadline`, a time of `time.monotonic`, with what was found until then.
    """
    found: dict[str, Structure] = {}
    seen: set[str] = set()
    beam = [Plan()]
    for level in range(depth):
        # A worker's clock is another one, of the same time.
        end = time.time() + deadline - time.monotonic()
        tasks = [(problem, plan, level == 0, end) for plan in beam]
        expansions = [e for es in in_order(executor, _expand, tasks, deadline) for e in es]
        expansions.sort(key=lambda expansion: expansion.rank)
        fresh: list[_Expansion] = []
        for expansion in expansions:
            for structure in expansion.structures:
                found.setdefault(structure.key, structure)
            if expansion.key not in seen:
                seen.add(expansion.key)
                fresh.append(expansion)
        beam = _diverse(fresh)
        if not beam or time.monotonic() > deadline:
            break
    return sorted(found.values(), key=lambda structure: structure.rank)


def _diverse(expansions: Sequence[_Expansion]) -> list[Plan]:
    chosen: list[Plan] = []
    alike: Counter[tuple[str, ...]] = Counter()
    for expansion in expansions:
        kind = expansion.plan.kind
        if alike[kind] < ALIKE and len(chosen) < BEAM:
            alike[kind] += 1
            chosen.append(expansion.plan)
    return chosen


def _expand(task: tuple[Problem, Plan, bool, float]) -> list[_Expansion]:
    """The drafts of each strategy, until a time of `time.time`; with `itself` also the draft."""
    problem, plan, itself, end = task
    draft = Draft.of(parsed(problem.program), problem.function, plan)
    found: list[_Expansion] = []
    for each in chain([draft] if itself else [], successors(draft, problem.machine)):
        if time.time() > end:
            break
        structures = tuple(_structures(problem, each))
        found.append(_Expansion(each.plan, program_key(each), structures))
    return found


def _structures(problem: Problem, draft: Draft) -> list[Structure]:
    sizes = dict(problem.sizes)
    found: list[Structure] = []
    for complete in completions(draft):
        plan, limits = complete.plan, device_limits(complete, problem.machine)
        space = plan.space(sizes, limits)
        # The program has typical values of some parameters: estimates for others would be wrong.
        typical = tuple(
            replace(tunable, values=(c.typical,)) if c.typical is not None else tunable
            for tunable, c in zip(space.tunables, plan.choices, strict=True)
        )
        chance = random.Random(f"{problem.seed} {plan.script}")
        rated = [
            (estimate(complete.function, plan.environment(sizes, values), problem.machine), values)
            for values in replace(space, tunables=typical).sample(SAMPLES, chance)
        ]
        if rated:
            best, start = min(rated, key=lambda pair: pair[0])
            found.append(Structure(plan, space, program_key(complete), best, start))
    return found


def program_key(draft: Draft) -> str:
    """A name of the program of a draft."""
    return digest(str(draft.module))


def concrete(problem: Problem, plan: Plan, values: Configuration) -> Draft:
    """The low-level program with these values of the parameters. Raises Inapplicable."""
    choices = tuple(replace(c, typical=values[c.name]) for c in plan.choices)
    origin = parsed(problem.program)
    return Draft.of(origin, problem.function, replace(plan, choices=choices))


@lru_cache(maxsize=4)
def parsed(program: str) -> ModuleOp:
    """The module of a text. It must not be changed."""
    return parse_mlir(make_context(), program.encode(), "<program>")
