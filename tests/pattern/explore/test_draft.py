"""Derivations with open sizes, and the cost model that compares what they lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from polycl.dialects.pattern import ToLocalOp, nat
from polycl.runtime.pattern.explore.cost_model import estimate
from polycl.runtime.pattern.explore.draft import Draft, Inapplicable, places
from polycl.runtime.pattern.explore.lowerings import (
    completions,
    global_items,
    global_items_of_rows,
    groups_of_items,
    in_sequence,
    one_item_groups,
)
from polycl.runtime.pattern.explore.machines import GPU, Machine, cpu_machine
from polycl.runtime.pattern.explore.strategies import strategies, strategy, successors
from polycl.runtime.pattern.explore.structures import parsed

EXAMPLES = Path(__file__).parents[3] / "examples" / "pattern"
CPU = cpu_machine(2)
chunk_reduce = strategy("chunks for the reduction").apply
stride_reduce = strategy("interleaved chunks for the reduction").apply
vector_reduce = strategy("accumulators that are vectors for the reduction").apply
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


def test_what_each_work_item_of_a_row_computes_counts_for_each():
    rows = {"M": 64, "K": 1024}
    once = global_items(draft("softmax"))
    for_each = global_items_of_rows(draft("softmax"))
    assert estimate(for_each.function, rows, CPU) > 100 * estimate(once.function, rows, CPU)


def test_the_largest_of_a_row_is_found_in_vectors_and_its_sum_in_order():
    rows = {"M": 64, "K": 1024}
    row = groups_of_items(draft("softmax"))
    largest = groups_of_items(stride_reduce(draft("softmax"), "fn/in/fn/in/in1/in", CPU))
    total = groups_of_items(stride_reduce(draft("softmax"), "fn/fn/in1/in", CPU))

    def of(draft: Draft) -> float:
        return estimate(draft.function, draft.plan.environment(rows, {"l1": 32}), CPU)

    assert of(row) > 0.9 * of(largest) > 2 * of(total)


def test_neighbours_of_a_gpu_should_read_neighbours():
    apart = global_items(chunk_reduce(draft("asum"), "", GPU))
    beside = global_items(stride_reduce(draft("asum"), "", GPU))
    assert seconds(apart, GPU, n1=4096) > 2 * seconds(beside, GPU, l1=4096)


def test_few_work_items_do_not_fill_a_gpu():
    beside = global_items(stride_reduce(draft("asum"), "", GPU))
    assert seconds(beside, GPU, l1=1 << 6) > 4 * seconds(beside, GPU, l1=1 << 12)


def test_a_group_without_maps_has_no_items():
    with pytest.raises(Inapplicable, match="no map there for work-items"):
        groups_of_items(draft("asum"))


def test_a_strategy_is_defined_once_and_called_with_open_sizes():
    steps = stride_reduce(chunk_reduce(draft("dot"), "", CPU), "in/in/fn", CPU).plan.steps
    assert sum(step.startswith("def pull(") for step in steps) == 1
    assert steps[-1] == "lanes_of_reduction(?l1, ?n2) @in/in/fn"


def test_the_same_strategy_at_all_reductions_of_a_row():
    first = "fn/fn/in1/in"
    found = strategy("interleaved chunks for all reductions").apply(draft("softmax"), first, CPU)
    calls = [step for step in found.plan.steps if step.startswith("lanes_of_reduction(")]
    assert [call.partition(" @")[0] for call in calls] == ["lanes_of_reduction(?l1, K1)"] * 2
    with pytest.raises(Inapplicable, match="there are not several of K elements"):
        strategy("interleaved chunks for all reductions").apply(
            draft("gemv"), "in/in/in/fn/in", CPU
        )


def test_what_items_of_a_group_read_of_others_is_in_local_memory():
    """Also where it is computed for a result that is in local memory."""
    first = "fn/in/fn/in1/in/in"
    found = strategy("interleaved chunks for all reductions").apply(draft("layernorm"), first, CPU)
    group = groups_of_items(found)
    assert sum(isinstance(op, ToLocalOp) for op in group.function.walk()) == 3


def test_tiles_of_a_square_matrix_cut_one_size_twice():
    module = parsed((EXAMPLES / "matmul.mlir").read_text().replace("M,", "N,"))
    square = strategy("tiles of elements for the map").apply(
        Draft(module, module, "matmul"), "", CPU
    )
    assert square.plan.multiples == (("N", "N2", ("r1", "c1")),)
    assert square.plan.steps[-1] == "tiles(?r1, N2*?c1, ?c1, N2*?r1) @"


@pytest.mark.parametrize(
    ("about", "name", "at", "machine"),
    [
        ("groups that add in trees for the reduction", "asum", "", GPU),
        ("tiles of elements for the map", "matmul", "", CPU),
        ("tiles of copied columns for the map", "matmul", "", CPU),
        ("tiles in registers for the map", "matmul", "", CPU),
        ("tiles in local memory for the map", "matmul", "", GPU),
        ("one map over the rows for the map", "gemv", "", CPU),
        ("a row of work-items for each row for the map", "gemv", "", CPU),
        ("rows of windows below each other for the map", "stencil2d", "", CPU),
    ],
)
def test_what_strategies_make_is_a_program(about: str, name: str, at: str, machine: Machine):
    found = strategy(about).apply(draft(name), at, machine)
    found.module.verify()
    for complete in completions(found):
        complete.module.verify()


def test_strategies_have_different_names():
    names = [each.about for each in strategies()]
    assert len(set(names)) == len(names)


def test_work_items_do_not_read_what_others_compute():
    """Without a barrier, a global map in another one must not feed a reduction in it."""
    steps = global_items_of_rows(draft("gemv")).plan.steps
    assert "4a.global @in/in/in/fn" in steps
    assert "4a.global @in/in/in/fn/in/in" not in steps
