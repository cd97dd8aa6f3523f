"""What the structural search finds, and how the parameter search goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.runtime.pattern.explore.building import build
from polycl.runtime.pattern.explore.data import arguments
from polycl.runtime.pattern.explore.machines import GPU, Machine, cpu_machine
from polycl.runtime.pattern.explore.structures import Problem, Structure, search_structures
from polycl.runtime.pattern.explore.tuning import Tuner

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
        ("dot", {"N": 1 << 20}),
        ("scal", {"N": 1 << 20}),
        ("gemv", {"M": 1024, "K": 1024}),
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
    """The structures of [lift15] Figure 9, from two strategies."""
    cpu = structures(problem("asum", {"N": 1 << 24}), depth=2)[:8]
    assert any("vectors" in " ".join(s.plan.moves) or "columns" in s.plan.moves[-1] for s in cpu)
    gpu = structures(problem("asum", {"N": 1 << 24}, GPU), depth=2)[0]
    assert any(move.startswith("interleaved chunks") for move in gpu.plan.moves)


def test_each_structure_is_tried_before_any_is_tuned():
    found = structures(problem("asum", {"N": 1 << 20}))
    tuner = Tuner(found, seed=0, first=6)
    first = tuner.propose(6)
    assert len({proposal.structure.key for proposal in first}) == 6
    assert all(proposal.values == proposal.structure.start for proposal in first)


def test_the_fastest_is_tuned_most_and_nothing_is_tried_twice():
    found = structures(problem("asum", {"N": 1 << 20}))
    tuner = Tuner(found, seed=0, first=6)
    tried: list[tuple[str, str]] = []
    favourite = ""
    for number in range(40):
        for proposal in tuner.propose(1):
            if number == 3:
                favourite = proposal.structure.key
            fast = proposal.structure.key == favourite
            tuner.tell(proposal, 1.0 if fast else 2.0 + number)
            tried.append((proposal.structure.key, str(proposal.values)))
    assert len(set(tried)) == len(tried)
    later = [key for key, _ in tried[6:]]
    assert later.count(favourite) >= max(later.count(key) for key in set(later))


def test_what_failed_is_not_tuned():
    tuner = Tuner(structures(problem("asum", {"N": 1 << 20})), seed=0, first=2)
    bad, good = tuner.propose(2)
    tuner.tell(bad, float("inf"))
    tuner.tell(good, 1.0)
    assert {p.structure.key for p in tuner.propose(10)} == {good.structure.key}


def test_nothing_is_proposed_when_all_was_tried():
    found = structures(problem("asum", {"N": 64}))
    tuner = Tuner(found[:1], seed=0, first=1)
    count = 0
    while proposals := tuner.propose(4):
        for proposal in proposals:
            tuner.tell(proposal, 1.0)
        count += len(proposals)
    assert 1 <= count <= len(found[0].space)
