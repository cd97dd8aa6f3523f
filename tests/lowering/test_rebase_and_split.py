"""`wg-rebase-loops`, `wg-split-guards`, `wg-split-rows`, `wg-spread-loops`, `wg-turn-loops`,
`wg-run-once`, `wg-split-ids`, `wg-tile-rows`, `wg-fold-columns`, `wg-read-rows`,
`wg-unroll-rows`, `wg-read-ahead`, `wg-join-elements` and `join-components` keep every bit: the
work-group form runs alike before and after them. In a convolution clamped at the borders, most
groups have no guard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

import polycl
from launches import Launch, launches_of
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_of
from polycl.remarks import collect_remarks

ROOT = Path(__file__).resolve().parent.parent.parent
KERNELS = ROOT / "tests/kernels"
READ_AHEAD = "share-values,wg-read-ahead{distinct=true small_buffers=true}"
READ_ROWS = "share-values,wg-read-rows{distinct=true small_buffers=true}"
ROW_PAIRS = (
    "share-values,wg-unroll-rows{small_buffers=true},wg-read-rows{distinct=true small_buffers=true}"
)
TURN_LOOPS = "share-values,widen-indices,wg-turn-loops{distinct=true}"
FOLD_COLUMNS = "share-values,widen-indices,wg-fold-columns{distinct=true small_buffers=true}"
JOIN_ELEMENTS = (
    "split-structs,promote-private-arrays,share-values,"
    "wg-join-elements{distinct=true small_buffers=true}"
)
DONE = (
    "rebased",
    "split",
    "spread",
    "turned",
    "rows",
    "a short row",
    "its components",
    "with its",
    "work-items",
    "4 ",
    "in tiles",
    "in rows",
    "reads",
)
"""How the remarks of the passes begin."""
PASSES = {
    "clamped_loops.cl": ("wg-rebase-loops", "wg-rebase-loops,widen-indices,wg-split-guards"),
    "guarded_groups.cl": ("wg-split-guards",),
    "grid_stride.cl": (
        "wg-rebase-loops,wg-hoist-grid-loops",
        "wg-rebase-loops,widen-indices,wg-split-guards",
    ),
    "block_loops.cl": (
        "index-arithmetic,wg-spread-loops{distinct=true}",
        "wg-spread-loops{distinct=true},wg-vectorize{width=4}",
    ),
    "joined_elements.cl": (JOIN_ELEMENTS, f"{JOIN_ELEMENTS},wg-vectorize{{width=4}}"),
    "row_ends.cl": (READ_AHEAD, f"{READ_AHEAD},wg-vectorize{{width=4}}"),
    "own_rows.cl": (READ_ROWS, f"{READ_ROWS},wg-vectorize{{width=4}}"),
    "components.cl": ("join-components", "join-components,wg-vectorize{width=4}"),
    "row_pairs.cl": (ROW_PAIRS, f"{ROW_PAIRS},wg-vectorize{{width=4}}"),
    "work_item_rows.cl": (TURN_LOOPS, f"{TURN_LOOPS},wg-clip-guards,wg-vectorize{{width=4}}"),
    "same_items.cl": (
        "wg-run-once{distinct=true}",
        "wg-run-once{distinct=true},wg-clip-guards,wg-vectorize{width=4}",
    ),
    "transposes.cl": (
        f"index-arithmetic,wg-tile-rows,{FOLD_COLUMNS}",
        f"wg-tile-rows,{FOLD_COLUMNS},{READ_ROWS},wg-vectorize{{width=4}}",
    ),
    "divided_ids.cl": (
        "wg-split-ids",
        "wg-split-ids,widen-indices,wg-vectorize{width=4}",
    ),
    "rows.cl": (
        "wg-split-rows",
        "wg-split-rows,wg-rebase-loops",
        "wg-split-rows,widen-indices,wg-split-guards,wg-vectorize{width=4}",
    ),
}
UNCHANGED = {
    PASSES["block_loops.cl"][0]: ("steps", "pairs"),
    PASSES["block_loops.cl"][1]: ("block", "steps", "pairs", "exchange"),
    **dict.fromkeys(
        PASSES["joined_elements.cl"],
        ("records", "doubles", "bytes", "moves", "again"),
    ),
    **dict.fromkeys(PASSES["components.cl"], ("depending", "others")),
    **dict.fromkeys(PASSES["transposes.cl"], ("two", "flat")),
    **dict.fromkeys(PASSES["divided_ids.cl"], ("odd", "bytes", "moved_rest")),
}
"""The kernels to which the passes alone do nothing."""
LAUNCHES = [launch for file in PASSES for launch in launches_of(KERNELS / file)]


def group_form(size: tuple[int, ...]) -> str:
    local_size = ",".join(map(str, (*size, 1, 1)[:3]))
    return (
        f"inline-functions,ocl-set-local-size{{size={local_size}}},ocl-to-wg,"
        "ocl-expand-builtins,wg-lower-contexts"
    )


def run(launch: Launch, passes: str, module: ModuleOp | None = None) -> dict[str, Any]:
    """The arrays after a launch of the kernel, as it is in `module`, after passes."""
    program = launch.load() if module is None else polycl.Program(module)
    arguments = launch.values()
    program.kernel(launch.kernel)(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=polycl.device("interp"),
        pipeline=passes,
    )
    return arguments


@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_keeps_every_bit(launch: Launch):
    assert launch.local_size is not None
    module = only_kernel(launch.load().module, launch.kernel)
    run_pipeline(module, group_form(launch.local_size))
    expected = run(launch, "", module)
    for passes in PASSES[launch.path.name]:
        with collect_remarks() as remarks:
            found = run(launch, passes, module)
        changed = any(r.message.startswith(DONE) for r in remarks)
        assert changed == (launch.kernel not in UNCHANGED.get(passes, ())), passes
        np.testing.assert_array_equal(found["out"], expected["out"], passes)


@pytest.mark.parametrize(
    "launch", launches_of(KERNELS / "block_loops_kept.cl"), ids=lambda launch: launch.kernel
)
def test_a_loop_with_dependent_iterations_stays(launch: Launch):
    assert launch.local_size is not None
    before = group_form(launch.local_size)
    with collect_remarks() as remarks:
        found = run(launch, f"{before},index-arithmetic,wg-spread-loops{{distinct=true}}")
    assert not any(r.message.startswith("spread") for r in remarks)
    np.testing.assert_array_equal(found["out"], run(launch, before)["out"])


@pytest.mark.parametrize(
    "launch", launches_of(KERNELS / "work_item_rows_kept.cl"), ids=lambda launch: launch.kernel
)
def test_a_row_with_dependent_elements_stays(launch: Launch):
    assert launch.local_size is not None
    with collect_remarks() as remarks:
        run(launch, f"{group_form(launch.local_size)},{TURN_LOOPS}")
    assert any(r.message.startswith("not turned: iterations may access") for r in remarks)


@pytest.mark.parametrize("distinct", ["true", "false"])
def test_rows_of_buffers_that_overlap_are_not_turned(distinct: str):
    (launch, *_) = launches_of(KERNELS / "work_item_rows.cl")
    with collect_remarks() as remarks:
        run(launch, f"{group_form((32,))},wg-turn-loops{{distinct={distinct}}}")
    assert any(r.message.startswith("turned") for r in remarks) == (distinct == "true")


@pytest.mark.parametrize(
    "launch", launches_of(KERNELS / "same_items_kept.cl"), ids=lambda launch: launch.kernel
)
def test_work_items_that_count_do_not_run_once(launch: Launch):
    assert launch.local_size is not None
    before = group_form(launch.local_size)
    with collect_remarks() as remarks:
        run(launch, f"{before},wg-run-once{{distinct=true}}")
    assert not any(r.pass_name == "wg-run-once" for r in remarks)


@pytest.mark.parametrize("distinct", ["true", "false"])
def test_buffers_that_overlap_are_not_spread(distinct: str):
    (launch,) = (x for x in launches_of(KERNELS / "block_loops.cl") if x.kernel == "numbers")
    with collect_remarks() as remarks:
        run(launch, f"{group_form((8,))},wg-spread-loops{{distinct={distinct}}}")
    assert any(r.message.startswith("spread") for r in remarks) == (distinct == "true")


@pytest.mark.parametrize(
    ("launch", "passes"),
    [
        *((launch, READ_ROWS) for launch in launches_of(KERNELS / "own_rows_kept.cl")),
        *((launch, READ_AHEAD) for launch in launches_of(KERNELS / "row_ends_kept.cl")),
    ],
    ids=lambda launch: getattr(launch, "kernel", None),
)
def test_a_row_that_is_written_stays(launch: Launch, passes: str):
    assert launch.local_size is not None
    before = group_form(launch.local_size)
    with collect_remarks() as remarks:
        found = run(launch, f"{before},{passes}")
    assert not any(r.message.startswith(("rows", "reads")) for r in remarks)
    np.testing.assert_array_equal(found["out"], run(launch, before)["out"])


@pytest.mark.parametrize("distinct", ["true", "false"])
def test_rows_of_buffers_that_overlap_stay(distinct: str):
    line = (
        KERNELS.joinpath("own_rows.cl").read_text().split("kernel void copied")[0].count("\n") + 1
    )
    (launch,) = (x for x in launches_of(KERNELS / "own_rows.cl") if x.kernel == "copied")
    with collect_remarks() as remarks:
        run(launch, f"{group_form((17,))},wg-read-rows{{distinct={distinct}}}")
    lines = [r.location[1] - line for r in remarks if r.location and r.message.startswith("rows")]
    assert any(0 < line < 5 for line in lines) == (distinct == "true")


@pytest.mark.parametrize("form", ["int", "long"])
def test_a_convolution_has_no_guards_inside(form: str):
    path = ROOT / "bench/kernels/convolution.cl"
    module = polycl.load(path, [f"-DID={form}"]).module.clone()
    passes = "wg-rebase-loops,widen-indices,wg-split-guards,wg-vectorize"
    run_pipeline(module, f"{group_form((16, 16))},{passes}")
    inside, sides, border = [r for r in module.walk() if isinstance(r, wg.ParallelOp)]
    ops = list(inside.walk())
    assert not any(isinstance(op, scf.IfOp | scf.WhileOp | wg.GatherOp) for op in ops)
    # Neighbours of the picture at once, and one element of the mask for all.
    (pixels,) = [op for op in ops if isinstance(op, wg.LoadOp)]
    assert pixels.mask is None
    assert [op.pointer.name_hint for op in ops if isinstance(op, ocl.LoadOp)] == ["mask"]
    # At the left and right border, the guard of each column is around the loop over rows.
    for region, guards in ((sides, 1), (border, 2)):
        assert len(operations_of(region.body, scf.IfOp)) == guards
        assert [op.mask is None for op in operations_of(region.body, wg.LoadOp)] == [False]
