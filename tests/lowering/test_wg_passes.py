"""The passes on the wg form change no bit, whatever the local size: each launch of tests/kernels
on the interpreter before and after them, and on the cpu device.

By default each launch meets a few passes, such that all of them meet each pass; `-m slow` runs
the whole product.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import polycl
from group_forms import GroupForm
from launches import Launch, Size, all_launches, launches_of
from polycl.errors import LaunchError, UnsupportedError
from polycl.runtime.compare import compare

ROOT = Path(__file__).resolve().parent.parent.parent
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")

WIDTHS = (2, 4, 8, 16, 32)
VECTORIZE = tuple(
    f"wg-vectorize{{width={width} dim={dim}}}" for width, dim in product(WIDTHS, range(3))
)
JAM = tuple(
    f"wg-vectorize{{width=4}},wg-jam{{rows={rows} vectors={vectors}}}"
    for rows, vectors in product(range(1, 5), range(1, 5))
    if rows * vectors > 1
)
TOGETHER = (
    "widen-indices,wg-clip-guards,wg-vectorize{width=2},wg-interleave{vectors=2}",
    "index-arithmetic,wg-rebase-loops,wg-hoist-grid-loops,widen-indices,wg-clip-guards,"
    "wg-unswitch,wg-vectorize,wg-prefetch,wg-jam,wg-interleave",
    "wg-vectorize{width=2 dim=1},wg-jam,wg-interleave{vectors=3},wg-local-atomics,wg-skip-atomics",
    "wg-vectorize{width=8 masks=false},wg-jam",
    "widen-indices,wg-clip-guards,wg-split-guards,wg-merge-groups{fewest=1},"
    "wg-vectorize{masks=false always=true},"
    "wg-jam{avx512=false},wg-interleave{avx512=false}",
    "widen-indices,wg-clip-guards,carry-stores,"
    "wg-merge-groups{groups=4 fewest=1 iterations=0},wg-read-rows,wg-vectorize",
    "wg-clip-guards,wg-unroll-steps,wg-clip-items,wg-split-guards,wg-compact-trees,wg-vectorize",
)
ALL = (*VECTORIZE, *JAM, *TOGETHER)

ODD: dict[int, tuple[Size, ...]] = {
    1: ((5,), (33,), (7,), (1,), (13,)),
    2: ((7, 3), (1, 16), (5, 5), (17, 1)),
    3: ((3, 5, 2), (1, 3, 2), (2, 1, 3)),
}
"""Local sizes by the number of dimensions, none of which fills tiles."""


def odd_form(launch: Launch, size: Size) -> GroupForm | None:
    """The launch in groups of `size`; None where the kernel cannot run in such groups."""
    if any(part > whole for part, whole in zip(size, launch.global_size, strict=True)):
        return None
    try:
        return GroupForm(launch, size)
    except (LaunchError, UnsupportedError):
        # Its arrays are too small, or it requires another size.
        return None


def odd_forms(launch: Launch) -> list[GroupForm]:
    forms = [odd_form(launch, size) for size in ODD[len(launch.global_size)]]
    return [form for form in forms if form is not None]


def some_odd_form(launch: Launch, number: int) -> GroupForm:
    """The launch in odd groups, which differ with `number`; in its own where none will do."""
    sizes = ODD[len(launch.global_size)]
    turned = [sizes[(number + i) % len(sizes)] for i in range(len(sizes))]
    forms = (odd_form(launch, size) for size in turned)
    return next((form for form in forms if form is not None), None) or GroupForm(launch)


def some_correct_form(launch: Launch, number: int) -> GroupForm:
    """The same, where the kernel has no errors in such groups, as to read what no one wrote."""
    form = some_odd_form(launch, number)
    return form if form.is_correct() else GroupForm(launch)


def numbered(launches: list[Launch]) -> list[object]:
    return [pytest.param(i, launch, id=str(launch)) for i, launch in enumerate(launches)]


@pytest.mark.parametrize(("number", "launch"), numbered(LAUNCHES[::10]))
def test_results_are_the_same(number: int, launch: Launch):
    assert not GroupForm(launch).differences(ALL[number % len(ALL)])
    assert not some_odd_form(launch, number).differences(ALL[(number + 7) % len(ALL)])


@pytest.mark.parametrize("width", [4, 16])
@pytest.mark.parametrize(
    "launch", launches_of(ROOT / "tests/kernels/stores_in_branches.cl"), ids=str
)
def test_lanes_that_are_off_write_what_was_there(launch: Launch, width: int):
    assert not GroupForm(launch).differences(f"wg-vectorize{{width={width} masks=false}}")


def test_lanes_that_are_off_may_read_behind_an_array():
    """Rows of bytes, of which the last one ends with the array."""
    for launch in launches_of(ROOT / "tests/kernels/histogram.cl"):
        form = GroupForm(launch, (5,))
        assert not form.differences("wg-vectorize{width=8 masks=false},wg-jam")


@pytest.mark.parametrize(("number", "launch"), numbered(LAUNCHES[::11]))
def test_nothing_else_is_read_or_written(number: int, launch: Launch):
    """The checks find no access of a lane that is off, or that a work-item would not make."""
    form = some_correct_form(launch, number)
    form.run(form.after(VECTORIZE[number % len(VECTORIZE)]), check=True)


def cpu_differences(form: GroupForm) -> list[str]:
    """What the cpu device computes otherwise than the interpreter."""
    arguments = form.launch.values()
    form.launch.load().kernel(form.launch.kernel)(
        **arguments,
        global_size=form.global_size,
        local_size=form.local_size[: len(form.global_size)],
        global_offset=form.launch.global_offset,
        device=polycl.device("cpu", threads=1, contract=False),
    )
    pairs = ((name, compare(value, arguments[name])) for name, value in form.expected.items())
    return [f"{form.local_size}: {name}: {difference}" for name, difference in pairs if difference]


@pytest.mark.parametrize(("number", "launch"), numbered(LAUNCHES[1::19]))
def test_native_code(number: int, launch: Launch):
    assert not cpu_differences(some_correct_form(launch, number))


@pytest.mark.slow
@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_all_passes_at_all_sizes(launch: Launch):
    for form in (GroupForm(launch), *odd_forms(launch)):
        assert not [found for passes in ALL for found in form.differences(passes)]


@pytest.mark.slow
@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_native_code_at_all_sizes(launch: Launch):
    forms = [form for form in odd_forms(launch) if form.is_correct()]
    assert not [found for form in forms for found in cpu_differences(form)]


def test_launches_are_run_in_odd_groups():
    """Most kernels can be: else the tests above compare less than they say."""
    odd = [x for x in LAUNCHES[::20] if any(odd_form(x, s) for s in ODD[len(x.global_size)])]
    assert len(odd) > len(LAUNCHES[::20]) * 3 // 4


@pytest.mark.parametrize("passes", ["", "wg-vectorize,", "wg-vectorize{width=4},wg-jam,"])
def test_iterations_that_a_guard_stops_are_left_out(passes: str):
    for launch in launches_of(ROOT / "tests/kernels/guarded_loops.cl"):
        assert not GroupForm(launch).differences(f"{passes}wg-shorten-loops,wg-mask-rows")
