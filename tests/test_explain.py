"""`ocl-run --explain` names the causes of slow kernels at their lines, and no cause of good ones.

Each file of tests/explain has a slow form, with a comment `// explain: CAUSE` on its line, and the
form that the advice leads to. Nothing here is timed: `python -m bench.explain` does that.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import polycl
from polycl.analysis.ocl.work_counts import WorkCounts, name, number, show, summed
from polycl.backends.cpu import machine_limits as limits
from polycl.backends.cpu.machine_limits import Level, MachineLimits
from polycl.runtime.explain import Explanation
from polycl.runtime.explain.causes import CAUSES
from tests.launches import Launch, all_launches, launches_of, sampled

FOLDER = Path(__file__).parent / "explain"
FILES = sorted(FOLDER.glob("*.cl"))
_MARK = re.compile(r"// explain: (\S+)")


@pytest.fixture(autouse=True)
def _a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that do not depend on the machine and the moment."""
    levels = (
        Level("L1", 32 << 10, 280.0),
        Level("L2", 1 << 20, 170.0),
        Level("L3", 16 << 20, 130.0),
        Level("memory", 0, 40.0),
    )
    machine = MachineLimits(2, levels, 230.0, 2.8e-10)
    monkeypatch.setattr("polycl.runtime.explain.explanation.machine_limits", lambda _: machine)
    assert limits.machine_limits is not None


def explained(launch: Launch) -> Explanation:
    return launch.bound(polycl.device("cpu", threads=2)).explain()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cause_is_named_at_its_line(path: Path) -> None:
    slow, _ = launches_of(path)
    lines = path.read_text().splitlines()
    marked = {(_MARK.search(text)[1], n) for n, text in enumerate(lines, 1) if _MARK.search(text)}  # pyright: ignore[reportOptionalSubscript]
    found = explained(slow)
    assert {(a.cause, a.location[1]) for a in found.advice} == marked
    text = str(found)
    for advice in found.advice:
        assert advice.message in text and advice.remedy in text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_advised_form_has_that_cause_no_more(path: Path) -> None:
    slow, advised = launches_of(path)
    causes = set(_MARK.findall(path.read_text()))
    found = {advice.cause for advice in explained(advised).advice}
    assert not found & causes, slow


def test_each_cause_is_tested_or_in_the_documentation() -> None:
    page = (Path(__file__).parents[1] / "docs" / "explain.md").read_text()
    tested = {cause for path in FILES for cause in _MARK.findall(path.read_text())}
    assert len(tested) >= 12
    for cause in CAUSES:
        assert f"`{cause.name}`" in page
    assert tested <= {cause.name for cause in CAUSES}


KERNELS = Path(__file__).parent / "kernels"


@pytest.mark.parametrize("launch", sampled(all_launches(KERNELS), 12, 5))
def test_any_kernel_is_explained(launch: Launch) -> None:
    found = explained(launch)
    assert str(found) and found.data()
    assert sum(place.share for place in found.facts.places) <= 1.0001
