"""Derivations with open sizes, and the cost model that compares what they lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from polycl.dialects.pattern import nat
from polycl.runtime.pattern.explore.cost_model import estimate
from polycl.runtime.pattern.explore.draft import Draft, Inapplicable, places
from polycl.runtime.pattern.explore.lowerings import (
    global_items,
    groups_of_items,
    in_sequence,
    one_item_groups,
)
from polycl.runtime.pattern.explore.machines import GPU, cpu_machine
from polycl.runtime.pattern.explore.moves import (
    chunk_reduce,
    stride_reduce,
    successors,
    vector_reduce,
)
from polycl.runtime.pattern.explore.structures import parsed

EXAMPLES = Path(__file__).parents[3] / "examples" / "pattern"
CPU = cpu_machine(2)
SIZES = {"N": 1 << 24}


def draft(name: str) -> Draft:
    module = parsed((EXAMPLES / f"{name}.mlir").read_text())
    return Draft(module, module, name)


def seconds(draft: Draft, machine=CPU, **values: int) -> float:
    return estimate(draft.function, draft.plan.environment(SIZES, values), machine)


def test_a_size_is_cut_once_and_then_its_parts():
    first, chunk, count = draft("asum").cut(nat("N"), (2, 4))
    assert (chunk, count) == ("?n1", "N1")
    second, inner, outer = first.cut(nat("n1"), (2, 4))
    assert (inner, outer) == ("?n2", "?n3")
    assert second.plan.steps == ("size N = ?n2*?n3*N1",)
    third, _, _ = second.cut(nat("N1"), (2,))
    assert [str(c) for c in third.plan.space({"N": 64}).constraints] == ["n2*n3*n1 divides N"]
    values = {"n2": 2, "n3": 4, "n1": 2}
    assert third.plan.environment({"N": 64}, values) == {"N": 64, **values, "N2": 4}


def test_what_has_a_fixed_size_is_not_cut():
    with pytest.raises(Inapplicable, match="the size 64 is fixed"):
        draft("asum").cut(nat(64), (2,))


def test_every_place_leads_back_to_its_operation():
    from polycl.lowering.pattern.rules.places import locate, parse_place

    chunked = chunk_reduce(draft("dot"), "", CPU)
    for op, at in places(chunked.function).items():
        assert next(locate(chunked.function, parse_place(at))) is op


@pytest.mark.parametrize("name", ["asum", "dot", "gemv", "scal"])
def test_every_program_has_strategies(name: str):
    assert list(successors(draft(name), CPU))


def test_a_plan_gives_its_draft_again():
    plan = vector_reduce(chunk_reduce(draft("asum"), "", CPU), "in/in/fn", CPU).plan
    origin = draft("asum").module
    assert str(Draft.of(origin, "asum", plan).module) == str(
        vector_reduce(chunk_reduce(draft("asum"), "", CPU), "in/in/fn", CPU).module
    )


def test_work_groups_and_vectors_are_estimated_to_pay():
    chunked = chunk_reduce(draft("asum"), "", CPU)
    sequence = seconds(in_sequence(draft("asum")))
    groups = seconds(one_item_groups(chunked), n1=1 << 16)
    vectors = one_item_groups(vector_reduce(chunked, "in/in/fn", CPU))
    wide = seconds(vectors, n1=1 << 10, w1=16, k1=4)
    assert sequence > 1.5 * groups > 1.5 * 2 * wide


def test_neighbours_of_a_gpu_should_read_neighbours():
    apart = global_items(chunk_reduce(draft("asum"), "", GPU))
    beside = global_items(stride_reduce(draft("asum"), "", GPU))
    assert seconds(apart, GPU, n1=4096) > 2 * seconds(beside, GPU, n1=4096)


def test_few_work_items_do_not_fill_a_gpu():
    beside = global_items(stride_reduce(draft("asum"), "", GPU))
    assert seconds(beside, GPU, n1=1 << 18) > 4 * seconds(beside, GPU, n1=1 << 12)


def test_a_group_without_maps_has_no_items():
    with pytest.raises(Inapplicable, match="no map there for work-items"):
        groups_of_items(draft("asum"))
