"""Mistakes that beginners make: the first finding is the cause, and its remedy mends the kernel.

Each file of tests/mistakes is launched twice: as it is, when the first finding has the kind and the
places of the line FIRST and the remedy of the line REMEDY; and with -DMENDED, as the remedy has it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import polycl
from launches import Launch, all_launches
from polycl.backends.interp.checks import CheckError

LAUNCHES = all_launches(Path(__file__).parent / "mistakes")
MISTAKES = [launch for launch in LAUNCHES if not launch.options]
MENDED = [launch for launch in LAUNCHES if launch.options]


def _line(launch: Launch, name: str) -> str:
    found = re.search(rf"^// {name}: (.+)$", launch.path.read_text(), re.M)
    assert found is not None
    return found[1]


def test_each_mistake_is_mended():
    assert [launch.path for launch in MISTAKES] == [launch.path for launch in MENDED]


@pytest.mark.parametrize("launch", MISTAKES, ids=lambda launch: launch.path.stem)
def test_the_first_finding_is_the_cause(launch: Launch):
    bound = launch.bound(polycl.device("cpu", check=True))
    with pytest.raises(CheckError) as caught:
        bound.launch()
    first = caught.value.findings[0]
    places = [f"{line}:{column}" for _, line, column in first.locations]
    assert " ".join([first.kind, *places]) == _line(launch, "FIRST")
    assert _line(launch, "REMEDY") in first.remedy
    assert f"  to mend it: {first.remedy}" in str(caught.value)


@pytest.mark.parametrize("launch", MENDED, ids=lambda launch: launch.path.stem)
def test_the_remedy_mends_it(launch: Launch):
    launch.bound(polycl.device("interp", check="strict")).launch()
