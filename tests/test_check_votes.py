"""Checks in native code: the last branch of a kernel has a barrier that some may not reach."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.interp.checks import CheckError

ITEMS, GROUP = 64, 16

REVERSED = """
kernel void reverse(global int *x, global const int *n) {
  local int t[16];
  int i = get_global_id(0), l = get_local_id(0);
  if (i >= n[0]) return;
  t[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = t[15 - l];
}
"""

ONLY_A_BARRIER = """
kernel void reverse(global int *x, global const int *n) {
  if (get_global_id(0) >= n[0]) return;
  barrier(CLK_LOCAL_MEM_FENCE);
}
"""

INNER_LOOP = """
kernel void reverse(global int *x, global const int *n) {
  int i = get_global_id(0);
  if (i >= n[0]) return;
  for (int k = 0; k < n[1]; k++)
    barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = 1;
}
"""

BARRIER_AFTER = """
kernel void reverse(global int *x, global const int *n) {
  int i = get_global_id(0);
  if (i < n[0])
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
"""


def _launch(
    tmp_path: Path, source: str, n: int, threads: int
) -> tuple[CheckedExecutable, np.ndarray, bool]:
    path = tmp_path / "kernel.cl"
    path.write_text(source)
    x = np.arange(ITEMS, dtype=np.int32)
    bound = (
        polycl.load(path)
        .kernel("reverse")
        .bind(
            x=x,
            n=np.array([n, 0], np.int32),
            global_size=(ITEMS,),
            local_size=(GROUP,),
            device=polycl.device("cpu", check=True, threads=threads),
        )
    )
    failed = False
    try:
        bound.launch()
    except CheckError:
        failed = True
    executable = bound.compiled
    assert isinstance(executable, CheckedExecutable)
    return executable, x, failed


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("n", [0, 16, 48, 64])
def test_groups_that_decide_alike_are_not_suspected(tmp_path: Path, n: int, threads: int):
    executable, x, failed = _launch(tmp_path, REVERSED, n, threads)
    expected = np.arange(ITEMS, dtype=np.int32)
    expected[:n] = expected[:n].reshape(-1, GROUP)[:, ::-1].ravel()
    assert (executable.why, executable.suspects, failed) == ("", 0, False)
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("n", [1, 15, 33, 63])
@pytest.mark.parametrize("source", [REVERSED, ONLY_A_BARRIER])
def test_a_group_that_does_not_is_found(tmp_path: Path, source: str, n: int, threads: int):
    executable, _, failed = _launch(tmp_path, source, n, threads)
    assert (executable.why, executable.suspects, failed) == ("", 1, True)
    assert {finding.kind for finding in executable.findings} == {"barrier"}


@pytest.mark.parametrize("source", [INNER_LOOP, BARRIER_AFTER])
def test_where_differing_may_be_right_the_interpreter_runs(tmp_path: Path, source: str):
    executable, _, _ = _launch(tmp_path, source, 33, 1)
    assert "a barrier that some work-items may not reach" in executable.why
