"""Kernels with atomic operations on several threads: the form whose operations are plain ones."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.cpu import CpuDevice, llvm_process, own_form
from polycl.backends.cpu.launch import CpuExecutable
from polycl.backends.cpu.own_form import MOST_THREADS, OwnChoice
from polycl.backends.cpu.turns import Turns, turns
from polycl.backends.device import Executable

# Local memory, values and arrays: `sum` has a place of its own in each form.
TEXT = """
kernel void count(global int *bins, int step, local int *sum, global const int *keys) {
  int l = get_local_id(0);
  sum[l] = keys[get_global_id(0)] + step;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(bins + (sum[get_local_size(0) - 1 - l] & 7), 1);
  atomic_max(bins + 8, sum[l]);
}"""
SIZE = 64 * 48


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_form, "WORTH_NS", 0)


def _bound(device: CpuDevice, step: int, bins: np.ndarray, keys: np.ndarray) -> Any:
    kernel = polycl.load(TEXT).kernel("count")
    return kernel.bind(
        bins, step, polycl.Local(256), keys, global_size=SIZE, local_size=64, device=device
    )


def _wait_for_own(executable: Executable) -> CpuExecutable:
    assert isinstance(executable, CpuExecutable)
    form = executable.own_form
    assert form is not None
    for _ in range(3000):
        if form.executable is not None:
            return form.executable
        time.sleep(0.01)
    raise AssertionError("the second form is not there after 30 s")


def _expected(keys: np.ndarray, step: int, launches: int) -> list[int]:
    counts = np.bincount((keys + step) & 7, minlength=8) * launches
    return [*counts.tolist(), int((keys + step).max())]


def test_both_forms_do_the_same() -> None:
    keys = np.random.default_rng(1).integers(0, 100, SIZE).astype(np.int32)
    bins = np.zeros(9, np.int32)
    bound = _bound(CpuDevice(threads=2), 3, bins, keys)
    bound.launch()
    executable = bound.compiled
    assert isinstance(executable, CpuExecutable)
    own = _wait_for_own(executable)
    assert (executable.threads, executable.compiled.facts.alone) == (2, False)
    assert (own.threads, own.compiled.facts.alone) == (1, True)
    choice = bound.prepared._own_choice
    for is_own in (True, False, True):
        choice._is_own, choice._left = is_own, 1 << 40
        bound.launch()
    assert bins.tolist() == _expected(keys, 3, 4)


def test_repeated_calls_have_their_own_arguments() -> None:
    kernel = polycl.load(TEXT).kernel("count")
    device = CpuDevice(threads=2)
    rng = np.random.default_rng(2)
    for launch in range(300):
        keys = rng.integers(0, 100, SIZE).astype(np.int32)
        bins = np.zeros(9, np.int32)
        sizes = {"global_size": SIZE, "local_size": 64, "device": device}
        kernel(bins, launch, polycl.Local(256), keys, **sizes)
        assert bins.tolist() == _expected(keys, launch, 1)
        if launch == 0:
            bound = kernel.bind(bins, launch, polycl.Local(256), keys, **sizes)
            _wait_for_own(bound.compiled)


def test_launches_of_both_forms_from_several_python_threads() -> None:
    """No sum is lost to one whose operations are not locked."""
    keys = np.random.default_rng(3).integers(0, 100, SIZE).astype(np.int32)
    bins = np.zeros(9, np.int32)
    launches = [_bound(CpuDevice(threads=threads), 0, bins, keys) for threads in (1, 2, 2, 2)]
    for bound in launches:
        bound.launch()
        if bound.compiled.threads > 1:
            _wait_for_own(bound.compiled)

    def run(bound: Any) -> None:
        for number in range(200):
            if bound.compiled.threads > 1:
                choice = bound.prepared._own_choice
                choice._is_own, choice._left = number % 3 != 0, 1 << 40
            bound.launch()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, launches))
    assert bins.tolist() == _expected(keys, 0, 4 * 201)


def _run(shared: int, own: int, launches: int, apart: int = 0) -> list[bool]:
    """Which launches are of the second form, where they take so long."""
    choice = OwnChoice()
    history = np.array([0, shared, apart, 0, apart != 0], np.int64)
    taken = list[bool]()
    for _ in range(launches):
        is_own = choice.next_is_own()
        choice.ended(is_own, own if is_own else shared, history)
        taken.append(is_own)
    return taken


@pytest.mark.parametrize(("shared", "own", "apart"), [(1000, 200, 0), (1000, 900, 1500)])
def test_the_faster_form_stays(shared: int, own: int, apart: int) -> None:
    assert sum(_run(shared, own, 5000, apart)) > 4900
    assert sum(_run(own, shared, 5000, 0)) < 50


def test_what_one_thread_takes_with_locked_operations_counts() -> None:
    assert sum(_run(1000, 500, 5000, apart=400)) < 50


def test_groups_that_may_wait_for_each_other_have_no_second_form() -> None:
    """There are as many threads as groups."""
    meet = """
    kernel void meet(global int *arrived) {
      atomic_inc(arrived);
      int n = get_num_groups(0), expected = (atomic_add(arrived, 0) + n - 1) / n * n;
      for (int i = 0; i < 1000000 && atomic_add(arrived, 0) < expected; i++);
    }"""
    arrived = np.zeros(1, np.int32)
    kernel = polycl.load(meet).kernel("meet")
    bound = kernel.bind(arrived, global_size=2, local_size=1, device=CpuDevice(threads=2))
    for _ in range(3):
        bound.launch()
    assert arrived[0] == 6
    assert isinstance(bound.compiled, CpuExecutable)
    assert bound.compiled.own_form is not None
    assert not bound.compiled.own_form._started


@pytest.mark.parametrize(("threads", "options"), [(MOST_THREADS + 1, ()), (2, ("-g",))])
def test_without_a_second_form_launches_take_turns(threads: int, options: tuple[str, ...]) -> None:
    """They do not run beside launches of other devices that lock nothing."""
    keys, bins = np.zeros(SIZE, np.int32), np.zeros(9, np.int32)
    kernel = polycl.load(TEXT, options=options).kernel("count")
    arguments = bins, 0, polycl.Local(256), keys
    device = CpuDevice(threads=threads)
    bound = kernel.bind(*arguments, global_size=SIZE, local_size=64, device=device)
    with turns.alone(), ThreadPoolExecutor(1) as pool:
        launch = pool.submit(bound.launch)
        time.sleep(0.1)
        assert not bins.any()
        turns.end_alone()
        launch.result(10)
    assert bins[0] == SIZE


def test_an_interrupted_wait_leaves_no_turn_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns()

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(turns._changed, "wait_for", interrupt)
        with pytest.raises(KeyboardInterrupt), turns.alone():
            pass
    with turns.shared():
        assert not turns.begin_alone()
    assert turns.begin_alone()


def test_one_that_waits_goes_first() -> None:
    """Launches that begin alone one after the other would leave it waiting."""
    turns = Turns()
    assert turns.begin_alone()
    turns._waiting = 1
    turns.end_alone()
    assert not turns.begin_alone()
    turns._waiting = 0
    assert turns.begin_alone()


def test_a_process_may_fork_while_the_second_form_is_compiled() -> None:
    """The compilation has locks that nobody releases in the forked process."""
    llvm_process.start_llvm()
    process = llvm_process._process
    assert process is not None
    with ThreadPoolExecutor(1) as pool:
        # It holds the buffer's lock while it waits for a byte.
        replies: Any = process.replies
        pool.submit(replies.peek, 1)
        time.sleep(0.1)
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        until = time.monotonic() + 10
        while (ended := os.waitpid(pid, os.WNOHANG)) == (0, 0) and time.monotonic() < until:
            time.sleep(0.01)
        if ended == (0, 0):
            os.kill(pid, signal.SIGKILL)
        # The pool's thread reads until the process has ended.
        llvm_process._stop()
    assert ended == (pid, 0)
