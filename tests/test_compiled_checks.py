"""Checks in compiled code find what the interpreter's checks find.

`pytest -m slow tests/test_compiled_checks.py` compares 2,000 random kernels.
"""

from __future__ import annotations

import pytest

import polycl
from fuzz.defects import DefectLaunch, defects
from launches import Launch
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.interp.checks import CheckError
from polycl.backends.interp.device import InterpExecutable
from polycl.runtime.kernel import BoundKernel
from test_oracle import BUGS, TWINS, _found, expected

THREADS = (1, 4)
FEW, MANY, PART = 40, 2000, 50

Checked = InterpExecutable | CheckedExecutable


def launched(bound: BoundKernel) -> Checked:
    """What ran the launch."""
    executable = bound.compiled
    assert isinstance(executable, Checked)
    try:
        bound.launch()
    except CheckError:
        pass
    return executable


def run(launch: DefectLaunch, device: polycl.Device) -> Checked:
    bound = (
        polycl.load(launch.text, ["-cl-std=CL3.0"])
        .kernel("k")
        .bind(
            *launch.arguments(),
            global_size=launch.global_size,
            local_size=launch.local_size,
            global_offset=launch.global_offset,
            device=device,
        )
    )
    return launched(bound)


def findings(executable: Checked) -> list[tuple[str, str, tuple[int, ...]]]:
    """Kinds, severities and lines, in any order."""
    return sorted(
        (f.kind, f.severity, tuple(sorted({line for _, line, _ in f.locations})))
        for f in executable.findings
    )


def check(launch: Launch, threads: int) -> CheckedExecutable:
    executable = launched(launch.bound(polycl.device("cpu", check=True, threads=threads)))
    assert isinstance(executable, CheckedExecutable)
    return executable


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("launch", BUGS, ids=lambda launch: launch.path.stem)
def test_planted_bug_is_found(launch: Launch, threads: int):
    assert sorted(map(_found, check(launch, threads).findings)) == expected(launch)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("launch", TWINS, ids=lambda launch: launch.path.stem)
def test_twin_is_clean(launch: Launch, threads: int):
    assert not check(launch, threads).findings


def agree(launch: DefectLaunch) -> None:
    expected = findings(run(launch, polycl.device("interp", check=True)))
    for threads in THREADS:
        found = findings(run(launch, polycl.device("cpu", check=True, threads=threads)))
        assert found == expected, f"{threads} threads: {launch}\n{launch.text}"


@pytest.mark.parametrize("seed", range(FEW))
def test_random_kernels_have_the_same_findings(seed: int):
    agree(defects(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, FEW + MANY, PART))
def test_many_random_kernels_have_the_same_findings(first: int):
    for seed in range(first, first + PART):
        agree(defects(seed))


OVERLOOKED = {
    # Of the work-items 7 and 8, the local ids 7 and 0 are not next to each other.
    "far_local_ids": DefectLaunch(
        "kernel void k(global int *a, global int *b, int n, int m) {\n"
        "  int g = get_global_id(0), l = get_local_id(0), w = get_group_id(0);\n"
        "  if (g >= n && g <= m)\n"
        "    b[l + w * 7] = g;\n"
        "}\n",
        global_size=(16,),
        local_size=(8,),
        global_offset=(0,),
        lengths=(64, 64),
        same=False,
        numbers=(7, 8),
    ),
    # The step of the inner loop is 0 in the first iteration of the outer one only.
    "step_of_first_iteration": DefectLaunch(
        "kernel void k(global int *a, global int *b, int n, int m) {\n"
        "  int k = 0, q = 0;\n"
        "  for (int i = 0; i < m; i++) {\n"
        "    for (int j = 0; j < m; j++) {\n"
        "      b[q] = 1;\n"
        "      q += k * 2;\n"
        "    }\n"
        "    k = 5;\n"
        "  }\n"
        "}\n",
        global_size=(1,),
        local_size=(1,),
        global_offset=(0,),
        lengths=(4, 4),
        same=False,
        numbers=(0, 3),
    ),
}


@pytest.mark.parametrize("name", OVERLOOKED)
def test_overlooked_once(name: str):
    assert findings(run(OVERLOOKED[name], polycl.device("interp", check=True)))
    agree(OVERLOOKED[name])
