"""What the structural search finds, and how the parameter search goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.runtime.pattern.explore.building import build
from polycl.runtime.pattern.explore.correction import Correction
from polycl.runtime.pattern.explore.data import arguments
from polycl.runtime.pattern.explore.machines import GPU, Machine, cpu_machine
from polycl.runtime.pattern.explore.structures import Problem, Structure, search_structures
from polycl.runtime.pattern.explore.tuning import Proposal, Tuner

EXAMPLES = Path(__file__).parents[3] / "examples" / "pattern"
CPU = cpu_machine(2)


def problem(name: str, sizes: dict[str, int], machine: Machine = CPU) -> Problem:
    text = (EXAMPLES / f"{name}.mlir").read_text()
    return Problem(text, name, tuple(sorted(sizes.items())), machine, seed=0)


def structures(problem: Problem, depth: int = 1) -> list[Structure]:
    with ThreadPoolExecutor(1) as executor:
        return search_structures(problem, executor, depth)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("asum", {"N": 1 << 20}),
        pytest.param("dot", {"N": 1 << 20}, marks=pytest.mark.slow),
        pytest.param("scal", {"N": 1 << 20}, marks=pytest.mark.slow),
        ("gemv", {"M": 1024, "K": 1024}),
        ("matmul", {"M": 256, "K": 256, "N": 256}),
        pytest.param("stencil2d", {"M": 256, "N": 256}, marks=pytest.mark.slow),
        ("softmax", {"M": 256, "K": 256}),
    ],
)
def test_every_structure_computes_the_program(name: str, sizes: dict[str, int]):
    goal = problem(name, sizes)
    high = polycl.load(goal.program, language="mlir").function(name)
    found = structures(goal)
    assert len(found) >= 5
    for structure in found:
        candidate = build(goal, structure.plan, structure.start)
        assert candidate.problem == ""
        check = candidate.check
        assert check is not None
        args = arguments(high, dict(check.sizes), {}, seed=1)
        low = polycl.load(check.candidate, language="mlir").function(name)
        assert close(low(*args), high(*args)), structure.plan.script


def close(found: Any, expected: Any) -> bool:
    return np.allclose(np.asarray(found), np.asarray(expected), rtol=1e-6, atol=1e-6)


def test_a_cpu_wants_vectors_and_a_gpu_neighbours():
    """The structure of [lift15, Figure 9] for each, of two strategies."""
    cpu = structures(problem("asum", {"N": 1 << 24}), depth=2)[:8]
    assert any("vectors" in " ".join(s.plan.moves) or "columns" in s.plan.moves[-1] for s in cpu)
    gpu = structures(problem("asum", {"N": 1 << 24}, GPU), depth=2)[0]
    assert any(move.startswith("interleaved chunks") for move in gpu.plan.moves)


def test_several_structures_are_tried_first():
    found = structures(problem("asum", {"N": 1 << 20}))
    tuner = Tuner(found, seed=0, first=6)
    first = proposals(tuner, 6)
    assert len({proposal.structure.key for proposal in first}) == 6
    assert all(proposal.values == proposal.structure.start for proposal in first)


def proposals(tuner: Tuner, count: int) -> list[Proposal]:
    found = [tuner.propose() for _ in range(count)]
    return [proposal for proposal in found if proposal is not None]


def test_the_fastest_is_tuned_most_and_nothing_is_tried_twice():
    found = structures(problem("asum", {"N": 1 << 20}))
    tuner = Tuner(found, seed=0, first=6)
    tried: list[tuple[str, str]] = []
    favourite = ""
    for number in range(60):
        for proposal in proposals(tuner, 1):
            if not favourite and len(proposal.structure.space) > 12:
                favourite = proposal.structure.key
            fast = proposal.structure.key == favourite
            tuner.tell(proposal, 1.0 if fast else 20.0 + number)
            tried.append((proposal.structure.key, str(proposal.values)))
    assert len(set(tried)) == len(tried)
    later = [key for key, _ in tried[10:]]
    assert later.count(favourite) == max(later.count(key) for key in set(later)) >= 10


def test_what_failed_is_not_tuned():
    tuner = Tuner(structures(problem("asum", {"N": 1 << 20}))[:2], seed=0, first=2)
    bad, good = proposals(tuner, 2)
    tuner.tell(bad, float("inf"))
    tuner.tell(good, 1.0)
    assert {p.structure.key for p in proposals(tuner, 10)} == {good.structure.key}


def test_nothing_is_proposed_when_all_was_tried():
    found = structures(problem("asum", {"N": 64}))
    tuner = Tuner(found[:1], seed=0, first=1)
    count = 0
    while (proposal := tuner.propose()) is not None:
        tuner.tell(proposal, 1.0)
        count += 1
    assert count == len(found[0].space)


def test_the_cost_model_is_corrected_by_what_was_measured():
    """One strategy is ten times slower than the model says, in all programs with it."""
    found = structures(problem("asum", {"N": 1 << 20}), depth=2)
    correction = Correction.of(found)
    odd = next(name for name in found[0].plan.kind if name != found[-1].plan.kind[0])
    told = found[: len(found) // 2]
    for structure in told:
        correction.tell(structure, structure.estimate * (10 if odd in structure.plan.kind else 1))
    for structure in found[len(told) :]:
        factor = correction.seconds(structure) / structure.estimate
        assert (factor > 5) == (odd in structure.plan.kind)
