"""`wg-interchange`, `wg-replicate` and `tta-join-loops` change no bit: each launch of tests/kernels
on the interpreter, before and after them. By default each meets one of them; `-m slow` runs all."""

from __future__ import annotations

from pathlib import Path

import pytest

from group_forms import GroupForm
from launches import Launch, all_launches, launches_of
from polycl.remarks import collect_remarks
from polycl.runtime.compare import compare

ROOT = Path(__file__).resolve().parent.parent.parent
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")

REPLICATE = "wg-replicate{max_items=256}"
JOIN = "tta-join-loops{items=4}"


def interchange_differences(launch: Launch) -> list[str]:
    """The arrays that come out otherwise where uniform loops stand around the work-items."""
    expected, found = GroupForm(launch), GroupForm(launch, early="wg-interchange")
    pairs = ((name, compare(v, found.expected[name])) for name, v in expected.expected.items())
    return [f"{name}: {difference}" for name, difference in pairs if difference]


@pytest.mark.parametrize("launch", LAUNCHES[::16], ids=str)
def test_interchanged(launch: Launch):
    assert not interchange_differences(launch)


@pytest.mark.parametrize("launch", LAUNCHES[4::16], ids=str)
def test_replicated(launch: Launch):
    assert not GroupForm(launch).differences(REPLICATE)


@pytest.mark.parametrize("launch", LAUNCHES[8::16], ids=str)
def test_joined(launch: Launch):
    assert not GroupForm(launch).differences(JOIN)


@pytest.mark.slow
@pytest.mark.parametrize("launch", LAUNCHES, ids=str)
def test_all(launch: Launch):
    assert not interchange_differences(launch)
    assert not GroupForm(launch).differences(REPLICATE)
    assert not GroupForm(launch).differences(JOIN)


@pytest.mark.parametrize(
    ("file", "size"), [("matmul_rect", (4, 2)), ("dct8", (8, 8)), ("barrier_3d", (4, 2, 2))]
)
def test_one_after_the_other(file: str, size: tuple[int, ...]):
    """Bodies of interchanged loops, side by side: all of a group's work-items at once."""
    launch = launches_of(ROOT / "tests" / "kernels" / f"{file}.cl")[0]
    expected = GroupForm(launch, size)
    with collect_remarks() as remarks:
        interchanged = GroupForm(launch, size, early="wg-interchange")
        found = interchanged.run(interchanged.after(REPLICATE))
    assert any(remark.message.startswith("replicated") for remark in remarks)
    assert not any(compare(value, found[name]) for name, value in expected.expected.items())


def test_loops_are_interchanged():
    """Some of the loops of these kernels are: else the tests above compare less than they say."""
    chosen: list[str] = []
    for launch in LAUNCHES[::16]:
        with collect_remarks() as remarks:
            GroupForm(launch, early="wg-interchange")
        chosen += {r.pass_name for r in remarks if r.message.startswith("interchanged")}
    assert len(chosen) > 3
