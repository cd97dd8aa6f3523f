"""The threads that share the work-groups of a launch."""

from __future__ import annotations

import multiprocessing
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.cpu import CpuDevice, pool
from polycl.backends.cpu.launch import CpuExecutable, PreparedLaunch
from polycl.backends.device import ArgumentFacts, NDRange

Parse = Callable[[str], ModuleOp]

# Each work-item counts to %n in its own element: the time of a group is the caller's choice.
COUNT = """
ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = arith.index_cast %n : i32 to index
  scf.for %j = %c0 to %end step %c1 {
    %p = ocl.offset %x[%i] : !ocl.ptr<i32, global>
    %old = ocl.atomic_rmw add %p, %one : !ocl.ptr<i32, global>
  }
  ocl.return
}"""
LOCAL = 8


@pytest.fixture
def compiled(parse: Parse) -> Callable[[int], CpuExecutable]:
    module = parse(COUNT)

    def compile(threads: int) -> CpuExecutable:
        return CpuDevice(threads=threads).compile(module, "k", ndrange(1))

    return compile


def ndrange(groups: int) -> NDRange:
    return NDRange((groups * LOCAL, 1, 1), (LOCAL, 1, 1))


def prepared(executable: CpuExecutable, groups: int, n: int) -> tuple[PreparedLaunch, np.ndarray]:
    x = np.zeros(groups * LOCAL, np.int32)
    return executable.prepare([x, n.to_bytes(4, "little")], ndrange(groups)), x


@pytest.mark.parametrize("threads", [1, 2, 3, 16])
@pytest.mark.parametrize("groups", [1, 2, 7, 300])
@pytest.mark.parametrize("n", [0, 1, 200])
def test_each_group_runs_once_in_each_launch(compiled, threads: int, groups: int, n: int) -> None:
    """Quick launches that stay with the caller, and longer ones; more threads than cores."""
    launch, x = prepared(compiled(threads), groups, n)
    for _ in range(30):
        launch()
    assert (x == 30 * n).all()


LONG, NEVER = 1 << 50, 1 << 40


@pytest.mark.parametrize(
    ("together", "is_alone", "ends_alone"),
    [(LONG, 0, True), (LONG, 1, False), (1, 0, False), (1, 1, False)],
)
@pytest.mark.parametrize("is_trial", [True, False])
def test_a_launch_may_run_on_one_thread(
    compiled, together: int, is_alone: int, ends_alone: bool, is_trial: bool
) -> None:
    """Threads that needed `together` nanoseconds, and one for ever in an earlier trial. Without a
    trial nothing changes, unless one thread takes longer."""
    launch, x = prepared(compiled(2), 300, 20)
    history = launch.history
    history[1:5] = together, LONG, 0 if is_trial else NEVER, is_alone
    launch()
    assert (x == 20).all()
    if is_trial:
        assert history[4] == ends_alone
        assert history[3] == (64 * 64 if ends_alone else 256)
    else:
        assert history[4] == (is_alone and together == LONG)
    for _ in range(10):
        launch()
    assert (x == 220).all()


def test_groups_that_may_wait_for_each_other_run_on_all_threads(compiled) -> None:
    """There are as many threads as groups."""
    launch, x = prepared(compiled(3), 3, 2000)
    launch.history[1:5] = LONG, 1, 0, 0
    launch()
    assert launch.history[4] == 0
    assert (x == 2000).all()


def test_workers_take_part() -> None:
    """Each of two groups waits for the other, for seconds at most."""
    meet = polycl.load("""
    kernel void meet(volatile global int *here, global int *met) {
      atomic_inc(here);
      for (int i = 0; i < 1000000000 && atomic_add(here, 0) < 2; ++i) {}
      met[get_global_id(0)] = atomic_add(here, 0);
    }""").kernel("meet")
    here, met = np.zeros(1, np.int32), np.zeros(2, np.int32)
    meet(here, met, global_size=2, local_size=1, device=CpuDevice(threads=2))
    assert met.tolist() == [2, 2]


def test_several_python_threads_launch_at_the_same_time(compiled) -> None:
    launches = [
        prepared(compiled(threads), groups, n)
        for threads in (1, 2, 3)
        for groups, n in ((1, 500), (40, 1), (40, 300), (500, 3))
    ]

    def run(launch: PreparedLaunch) -> None:
        for _ in range(200):
            launch()

    with ThreadPoolExecutor(len(launches)) as threads:
        list(threads.map(run, [launch for launch, _ in launches]))
    for (_, x), n in zip(launches, [500, 1, 300, 3] * 3, strict=True):
        assert (x == 200 * n).all()


SUM = """
kernel void sum(volatile global int *total, global float *mass, global const int *x, int n) {
  for (int i = 0; i < n; i++) {
    atomic_add(total + (x[get_global_id(0)] & 1), x[i]);
    atomic_max(total + 2, x[i]);
    union { uint u; float f; } old, new;
    do {
      old.f = mass[0];
      new.f = old.f + 1;
    } while (atomic_cmpxchg((volatile global uint *)mass, old.u, new.u) != old.u);
  }
}"""


@pytest.mark.parametrize("threads", [1, 2])
def test_several_python_threads_add_to_the_same_elements(threads: int) -> None:
    """On devices of one thread, whose launches take turns, no operation is locked."""
    kernel = polycl.load(SUM).kernel("sum")
    device, other = CpuDevice(threads=threads), CpuDevice(threads=threads)
    n = 4096
    x = np.arange(n, dtype=np.int32) % 8
    total, mass = np.zeros(3, np.int32), np.zeros(1, np.float32)

    start = threading.Barrier(4)

    def run(local_size: int, device: CpuDevice) -> None:
        for count in (0, *[n] * 10):
            kernel(total, mass, x, count, global_size=64, local_size=local_size, device=device)
            if count == 0:
                start.wait()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, [64, 16, 8, 64], [device, device, other, other]))
    assert total.tolist() == [40 * 32 * x.sum()] * 2 + [7]
    assert mass[0] == 40 * 64 * n
    compiled = kernel.bind(total, mass, x, n, global_size=64, device=device).compiled
    assert isinstance(compiled, CpuExecutable)
    locked_exchange = re.search(rb"\xf0[\x40-\x4f]?\x0f\xb1", compiled.compiled.object_code)
    assert (locked_exchange is not None) == (threads > 1)


def test_code_for_one_thread_does_not_run_on_several(parse: Parse) -> None:
    alone = replace(ndrange(1), facts=ArgumentFacts(alone=True))
    executable = CpuDevice(threads=2).compile(parse(COUNT), "k", alone)
    assert executable.threads == 1


def test_a_launch_does_not_wait_for_another(compiled) -> None:
    long, x = prepared(compiled(2), 64, 400_000)
    short, y = prepared(compiled(2), 64, 1)
    thread = threading.Thread(target=long)
    thread.start()
    while not x.any():
        time.sleep(0.001)
    short()
    still_running = thread.is_alive()
    thread.join()
    assert still_running
    assert (y == 1).all()
    assert (x == 400_000).all()


def test_where_no_thread_can_be_started_the_caller_does_all(compiled, monkeypatch) -> None:
    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = len(pool.workers)
    launch, x = prepared(compiled(before + 3), 64, 1000)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        launch()
    assert len(pool.workers) == before
    launch()
    assert len(pool.workers) == before + 2
    assert (x == 2000).all()


def _in_child(launch: PreparedLaunch, x: np.ndarray, connection) -> None:
    x[:] = 0
    for _ in range(20):
        launch()
    connection.send((len(pool.workers), int(x.min()), int(x.max())))


def test_a_forked_process_has_workers_of_its_own(compiled) -> None:
    launch, x = prepared(compiled(3), 64, 1000)
    launch()
    assert len(pool.workers) >= 2
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_in_child, args=(launch, x, sender))
    process.start()
    assert receiver.poll(60)
    assert receiver.recv() == (2, 20_000, 20_000)
    process.join(60)
    assert process.exitcode == 0
    launch()
    assert (x == 2000).all()


SCRIPT = """
import sys, time
import numpy as np
import polycl
kernel = polycl.load('''
kernel void k(global int *x, int n) {{
  for (int i = 0; i < n; ++i) atomic_inc(x + get_global_id(0));
}}''').kernel("k")
x = np.zeros(512, np.int32)
device = polycl.device("cpu", threads=3)
{rest}
"""


def script(rest: str) -> list[str]:
    return [sys.executable, "-c", SCRIPT.format(rest=rest)]


@pytest.mark.parametrize("sleep", ["0", "0.01"])
def test_the_process_ends_while_workers_look_out_or_sleep(sleep: str) -> None:
    command = script(f"kernel(x, 2000, global_size=512, device=device); time.sleep({sleep})")
    for _ in range(3):
        done = subprocess.run(command, timeout=60, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_is_seen_when_the_launch_is_over() -> None:
    # A process that is started in the background ignores the signal unless it says otherwise. The
    # first launch compiles: CPython ends the process by the signal, even when the exception was
    # caught, where the signal came during an `exec` of a text, as in the import of a dataclass.
    rest = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
kernel(x, 1, global_size=512, device=device)
print("ready", flush=True)
try:
    while True:
        kernel(x, 50_000, global_size=512, device=device)
except KeyboardInterrupt:
    print("interrupted", (x == x[0]).all(), flush=True)
"""
    with subprocess.Popen(script(rest), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted True\n"
        assert process.returncode == 0


def test_the_first_launches_of_a_process_come_from_several_threads() -> None:
    """They all find the pool without its code, and without workers."""
    rest = """
import threading
xs = [np.zeros(512, np.int32) for _ in range(8)]
start = threading.Barrier(8)
def run(y):
    start.wait()
    for _ in range(50):
        kernel(y, 200, global_size=512, local_size=8, device=device)
threads = [threading.Thread(target=run, args=(y,)) for y in xs]
for thread in threads: thread.start()
for thread in threads: thread.join()
print([int(y.min()) for y in xs] == [int(y.max()) for y in xs] == [10_000] * 8)
"""
    done = subprocess.run(script(rest), timeout=120, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
