"""The kernels of `bench.everyday`: each file describes a launch, whose results are right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bench.case import Tolerance
from bench.check import difference
from bench.everyday.launches import EverydayLaunch, launches, read_launch
from bench.polycl_runtime import PolyclRuntime

from launches import sampled
from polycl.backends.cpu.pipeline import FOR_SPEED

ROOT = Path(__file__).resolve().parent.parent
ALL = list(launches())

_KERNEL = """//: global 64
//: local 8
//: data n = 64
//: arg r.random(n, np.float32)
//: arg np.int32(n)
kernel void twice(global float *a, int n) { a[get_global_id(0)] *= 2; }
"""


def _read(folder: Path, text: str) -> EverydayLaunch:
    path = folder / "k.cl"
    path.write_text(text)
    return read_launch(path)


def test_a_launch_is_read_from_comments(tmp_path: Path):
    launch = _read(tmp_path, _KERNEL)
    assert (launch.kernel, launch.global_size, launch.local_size) == ("twice", (64,), (8,))
    numbers, count = launch.args()
    assert isinstance(numbers, np.ndarray)
    assert numbers.shape == (64,)
    assert count == np.int32(64)


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        ("//: local 8\n", "", "expected one '//: global SIZES' and one '//: local SIZES'"),
        ("//: local 8", "//: lokal 8", "'//: lokal' is not known"),
        ("kernel void twice", "void twice", "expected one kernel"),
    ],
)
def test_what_describes_no_launch_is_an_error(
    tmp_path: Path, line: str, instead: str, message: str
):
    with pytest.raises(ValueError, match=message):
        _read(tmp_path, _KERNEL.replace(line, instead))


@pytest.mark.timeout(120)
def test_a_folder_is_measured(tmp_path: Path):
    """Beside another checkout, whose environment is its own."""
    tree = tmp_path / "tree"
    python = tree / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (tree / "bench").symlink_to(ROOT / "bench")
    (tmp_path / "kernels").mkdir()
    _read(tmp_path / "kernels", _KERNEL)
    command = [sys.executable, "-m", "bench.everyday", "--folder", str(tmp_path / "kernels")]
    command += ["--no-peers", "--tree", str(tree), "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"k.cl twice: polycl \d+  tree \d+", done.stdout), done.stdout


@pytest.mark.parametrize("launch", sampled(ALL, 10))
def test_passes_for_speed_change_no_result(launch: EverydayLaunch):
    args = launch.args()
    found = []
    for without in ((), tuple(FOR_SPEED)):
        runtime = PolyclRuntime("1")
        runtime.load(args)
        runtime.prepare(launch.build(without))()
        found.append(runtime.read())
    assert difference(found[1], found[0], Tolerance(1e-3, strays=1e-3)) is None
