"""The kernels of `bench.study` give the right results in each of its settings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.backends.device import Device, NDRange

ROOT = Path(__file__).resolve().parents[2]
# Benchmarks are not part of the package.
sys.path.append(str(ROOT))

from bench.case import Case, LocalBytes  # noqa: E402
from bench.check import Buffers, difference, expected_buffers  # noqa: E402
from bench.study.cases import small_cases  # noqa: E402
from bench.study.settings import SETTINGS, StudyDevice  # noqa: E402
from bench.study.shares import parts_of  # noqa: E402

CASES = {case.name: case for case in small_cases()}


def buffers(case: Case, device: Device | str) -> Buffers:
    """The buffers after one launch, by the index of their argument."""
    args: list[Any] = []
    for arg in case.args():
        args.append(polycl.Local(arg.nbytes) if isinstance(arg, LocalBytes) else arg)
    (variant,) = case.variants()
    kernel = polycl.load(case.path, case.forms[variant.form]).kernel(case.kernel)
    size = variant.local_size
    kernel(*args, global_size=case.global_size, local_size=size, device=device)
    return {i: arg for i, arg in enumerate(args) if isinstance(arg, np.ndarray)}


@pytest.fixture(scope="module", params=CASES)
def judged(request: pytest.FixtureRequest) -> tuple[Case, Buffers]:
    """A kernel, and its results as scalar code, which are numpy's and the interpreter's."""
    case = CASES[request.param]
    found = buffers(case, StudyDevice("scalar", width=8, contract=False))
    assert difference(expected_buffers(case, case.args()), found, case.tolerance) is None
    assert difference(buffers(case, "interp"), found, case.tolerance) is None
    return case, found


@pytest.mark.parametrize("setting", [*SETTINGS, "ours"])
def test_a_setting_changes_no_bit(judged: tuple[Case, Buffers], setting: str):
    case, right = judged
    if setting == "ours":
        device = CpuDevice(threads=1, contract=False)
    else:
        device = StudyDevice(setting, width=8, contract=False)
    found = buffers(case, device)
    for index, array in right.items():
        np.testing.assert_array_equal(found[index], array)


def test_settings_are_kept_apart():
    """What one device compiled is not taken for another's."""
    devices = [StudyDevice(setting, width) for setting in SETTINGS for width in (8, 16)]
    launch = NDRange((64, 1, 1), (64, 1, 1))
    keys = {device._key("content", "kernel", launch) for device in devices}
    assert len(keys) == len(devices)


def test_shares_count_all_work_items():
    case = CASES["convolution2d"]
    (part,) = parts_of(case, width=8)
    assert [share.name for share in part.shares] == ["interior", "mixed", "divergent"]
    assert sum(share.items for share in part.shares) == np.prod(case.global_size)


def test_gaussian_runs_along_its_second_dimension():
    """The example of [split16]: neighbours along dimension 1 are neighbours in memory."""
    (part,) = parts_of(CASES["fan2"], width=8)
    vectors = [share for share in part.shares if share.is_vector]
    assert vectors
    assert all(share.codelet.along.value.data == 1 for share in vectors)


def test_parts_between_barriers_are_counted_by_their_rounds():
    """A binomial tree of 30 steps: the loop has 15 iterations with two parts each."""
    case = CASES["binomial-option"]
    counts = [sum(share.items for share in part.shares) for part in parts_of(case, width=8)]
    groups = 3
    leaves = 31 * groups
    # In iteration k work-items below 30 - 2k and 29 - 2k are busy; whole vectors run for them.
    assert counts[0] == leaves
    assert sum(range(2, 31, 2)) * groups <= counts[1] <= 15 * leaves
    assert sum(range(1, 30, 2)) * groups <= counts[2] <= counts[1]


@pytest.mark.timeout(120)
def test_the_study_is_measured_and_drawn(tmp_path: Path):
    figures = tmp_path / "study.json"
    command = [sys.executable, "-m", "bench.study", "lu-combine", "--rounds", "1"]
    command += ["--settings", "scalar,ours", "--json", str(figures), "--plots", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(figures.read_text())["results"]
    assert result["failures"] == []
    assert result["checked_against"] == "numpy"
    assert set(result["times"]) == {"scalar", "ours"}
    assert (tmp_path / "study-figure12.svg").exists()


def test_an_unknown_kernel_is_an_error():
    command = [sys.executable, "-m", "bench.study", "lu-combined"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no such kernel: lu-combined" in done.stderr
