"""Checks in native code: barriers that some work-items may not reach."""

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

BOTH_SIDES = """
kernel void reverse(global int *x, global const int *n) {
  local int t[16];
  int i = get_global_id(0), l = get_local_id(0);
  if (i < n[0]) {
    for (int k = 0; k < 3; k++) {
      t[l] = x[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[i] = t[15 - l];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  } else {
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = t[l];
  }
}
"""

LOOP = """
kernel void reverse(global int *x, global const int *n) {
  local int t[16];
  int i = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < (i < n[0]); k++) {
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = t[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
"""

WHILE_LOOP = """
kernel void reverse(global int *x, global const int *n) {
  int i = get_global_id(0);
  if (i < n[0])
    barrier(CLK_LOCAL_MEM_FENCE);
  while (x[i] > n[1])
    x[i] /= 2;
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
@pytest.mark.parametrize("source", [REVERSED, BOTH_SIDES, LOOP])
def test_groups_that_decide_alike_are_not_suspected(
    tmp_path: Path, source: str, n: int, threads: int
):
    executable, x, failed = _launch(tmp_path, source, n, threads)
    expected = np.arange(ITEMS, dtype=np.int32)
    expected[:n] = expected[:n].reshape(-1, GROUP)[:, ::-1].ravel()
    assert (executable.why, executable.suspects, failed) == ("", 0, False)
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("n", [1, 15, 33, 63])
@pytest.mark.parametrize("source", [REVERSED, ONLY_A_BARRIER, BARRIER_AFTER, BOTH_SIDES, LOOP])
def test_a_group_that_does_not_is_found(tmp_path: Path, source: str, n: int, threads: int):
    executable, _, failed = _launch(tmp_path, source, n, threads)
    assert (executable.why, executable.suspects, failed) == ("", 1, True)
    assert {finding.kind for finding in executable.findings} == {"barrier"}


def test_where_differing_is_right_the_results_are_right(tmp_path: Path):
    executable, x, failed = _launch(tmp_path, INNER_LOOP, 33, 1)
    # The interpreter has run all groups.
    assert (executable.why, executable.suspects, failed) == ("", ITEMS // GROUP, False)
    expected = np.arange(ITEMS)
    expected[:33] = 1
    np.testing.assert_array_equal(x, expected)


def test_loops_that_may_not_end_are_refused(tmp_path: Path):
    executable, _, _ = _launch(tmp_path, WHILE_LOOP, 33, 1)
    assert "a barrier that some work-items may not reach, beside a loop" in executable.why
