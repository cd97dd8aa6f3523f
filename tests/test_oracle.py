"""The checks of the interpreter find the planted bugs of tests/oracle, and nothing else.

Each file there has a kernel `bug` with one known defect and its twin `clean`. Its EXPECT lines
state the findings in `bug`: the kind, `warning` if it is not an error, and the line and column of
the places involved, in any order:

    // EXPECT: race 10:3 11:10
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polycl
from fuzz.kernels import kernels
from launches import Launch, all_launches, sampled
from polycl.backends.interp.checks import CheckError, Finding
from polycl.backends.interp.checks.findings import KINDS
from polycl.backends.interp.device import InterpExecutable
from test_fuzz import SETTINGS, run

ROOT = Path(__file__).resolve().parent.parent
PLANTED = all_launches(ROOT / "tests" / "oracle")
BUGS = [launch for launch in PLANTED if launch.kernel == "bug"]
TWINS = [launch for launch in PLANTED if launch.kernel == "clean"]
KERNELS = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")

WORK_GROUP = "inline-functions,ocl-to-wg"
# What ocl-to-wg has decided can no longer be found: where the barriers were and what they fenced,
# when an asynchronous copy ended, and that the rounds of a loop with a barrier overlapped.
NOT_AT_WG = (
    "barrier_",
    "async_",
    "race_global_wrong_fence",
    "race_local_wrong_fence",
    "race_local_next_tile",
)

_EXPECT = re.compile(r"^// EXPECT: (.+)$", re.M)


def check(launch: Launch, pipeline: str | None = None) -> list[Finding]:
    """What the checks find in a launch on fresh arguments."""
    bound = launch.bound(polycl.device("interp", check=True), pipeline)
    assert isinstance(bound.executable, InterpExecutable)
    try:
        bound.launch()
    except CheckError:
        pass
    return list(bound.executable.findings)


def expected(launch: Launch) -> list[str]:
    return sorted(_normal(text) for text in _EXPECT.findall(launch.path.read_text()))


def _normal(text: str) -> str:
    """The places in order."""
    words = text.split()
    places = [word for word in words if ":" in word]
    return " ".join([word for word in words if ":" not in word] + sorted(places))


def _found(finding: Finding) -> str:
    places = [f"{line}:{col}" for _, line, col in finding.locations]
    severity = ["warning"] if finding.severity == "warning" else []
    return _normal(" ".join([finding.kind, *severity, *places]))


def test_the_suite_is_large_and_has_every_kind():
    assert len(BUGS) >= 40
    assert [bug.path for bug in BUGS] == [twin.path for twin in TWINS]
    kinds = {text.split()[0] for bug in BUGS for text in expected(bug)}
    assert kinds == KINDS.keys() - {"other"}


def test_the_page_counts_the_suite():
    page = (ROOT / "docs" / "oracle.md").read_text()
    # A file is named for the kind of its defect; its first finding may be a consequence.
    kinds = Counter(bug.path.stem.partition("_")[0] for bug in BUGS)
    for kind, text in KINDS.items():
        count = kinds[kind]
        row = f"| [{kind}](#{kind}) | {text} | {count} | {count} | 0 |"
        assert row in page or kind == "other"
    assert f"| **all** | | **{len(BUGS)}** | **{len(BUGS)}** | **0** |" in page


@pytest.mark.parametrize("launch", BUGS, ids=lambda launch: launch.path.stem)
def test_planted_bug_is_found(launch: Launch):
    findings = check(launch)
    assert sorted(map(_found, findings)) == expected(launch), "\n".join(map(str, findings))


@pytest.mark.parametrize("launch", TWINS, ids=lambda launch: launch.path.stem)
def test_twin_is_clean(launch: Launch):
    assert not check(launch)


@pytest.mark.parametrize("launch", BUGS, ids=lambda launch: launch.path.stem)
def test_work_group_form(launch: Launch):
    if launch.path.stem == "async_some_work_items":
        with pytest.raises(polycl.PolyclError, match="not proven uniform"):
            check(launch, WORK_GROUP)
        return
    twin = next(twin for twin in TWINS if twin.path == launch.path)
    assert not check(twin, WORK_GROUP)
    if not launch.path.stem.startswith(NOT_AT_WG):
        findings = check(launch, WORK_GROUP)
        assert sorted(map(_found, findings)) == expected(launch), "\n".join(map(str, findings))


@settings(max_examples=20, **SETTINGS)
@given(kernels(), st.integers(0, 5), st.sampled_from([None, WORK_GROUP]))
def test_no_false_alarm_on_random_kernels(text: str, n: int, pipeline: str | None):
    checked = run(text, n, polycl.device("interp", check=True), pipeline)
    np.testing.assert_array_equal(checked, run(text, n, polycl.device("interp")))


@pytest.mark.parametrize("launch", sampled(KERNELS, 4))
def test_no_false_alarm(launch: Launch):
    findings = check(launch)
    # This kernel is about shifts by the width and more, which OpenCL C defines.
    if launch.path.stem == "shifts":
        findings = [finding for finding in findings if finding.kind != "shift"]
    # The work-items of these kernels all do the same: they race, and write equal values.
    if launch.path.stem.startswith("same_items"):
        findings = [f for f in findings if (f.kind, f.severity) != ("race", "warning")]
    assert not findings, "\n".join(map(str, findings))
