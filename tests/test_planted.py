"""Compiled checks find in random kernels with planted defects what the interpreter's checks find.

`pytest -m slow tests/test_planted.py` runs 2,000 of them.
"""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from fuzz.planted import PlantedLaunch, planted
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.interp.checks import CheckError
from polycl.backends.interp.device import InterpExecutable

FEW, MANY, PART = 40, 2000, 50

Found = list[tuple[object, ...]]


def run(launch: PlantedLaunch, device: polycl.Device) -> InterpExecutable | CheckedExecutable:
    """What ran the launch, on fresh arguments."""
    sources, results = launch.elements
    bound = (
        polycl.load(launch.text)
        .kernel("k")
        .bind(
            np.arange(1, sources + 1, dtype=np.int32),
            np.zeros(results, np.int32),
            launch.n,
            launch.m,
            global_size=launch.global_size,
            local_size=launch.local_size,
            global_offset=launch.offset,
            device=device,
        )
    )
    executable = bound.compiled
    assert isinstance(executable, InterpExecutable | CheckedExecutable)
    try:
        bound.launch()
    except CheckError:
        pass
    return executable


def findings(executable: InterpExecutable | CheckedExecutable) -> Found:
    """Kinds, severities and lines, in any order."""
    return sorted(
        (f.kind, f.severity, *sorted({line for _, line, _ in f.locations}))
        for f in executable.findings
    )


def check(seed: int) -> None:
    launch = planted(seed)
    expected = findings(run(launch, polycl.device("interp", check=True)))
    for threads in (1, 4):
        found = findings(run(launch, polycl.device("cpu", check=True, threads=threads)))
        assert found == expected, f"seed {seed}, {threads} threads: {launch}\n{launch.text}"


@pytest.mark.parametrize("seed", range(FEW))
def test_compiled_checks_agree(seed: int):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, FEW + MANY, PART))
def test_compiled_checks_agree_on_many(first: int):
    for seed in range(first, first + PART):
        check(seed)
