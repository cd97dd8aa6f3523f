"""Launches on several workers against one launch; the arrays are compared bit by bit."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from worker_threads import worker_threads

import polycl
from launches import Launch, launches_of, sampled
from polycl.runtime.poly.distribute import worker
from polycl.runtime.poly.distribute.cluster import connected

FOLDER = Path(__file__).parent / "distributed"
FIFTEEN = launches_of(FOLDER / "fifteen.cl")
SPELLINGS = launches_of(FOLDER / "spellings.cl")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with worker_threads(4) as client:
        yield client


def copies(values: dict[str, Any]) -> dict[str, Any]:
    return {n: v.copy() if isinstance(v, np.ndarray) else v for n, v in values.items()}


def kernel_of(launch: Launch) -> polycl.Kernel:
    return launch.load().kernel(launch.kernel)


def sizes_of(launch: Launch) -> dict[str, Any]:
    return {
        "global_size": launch.global_size,
        "local_size": launch.local_size,
        "global_offset": launch.global_offset,
    }


@pytest.mark.parametrize("launch", sampled(FIFTEEN, 2))
def test_equal_to_one_launch(client: Any, launch: Launch) -> None:
    equal_to_one_launch(client, launch, (2, 3))


@pytest.mark.parametrize("launch", SPELLINGS, ids=str)
def test_kernels_as_people_write_them(client: Any, launch: Launch) -> None:
    equal_to_one_launch(client, launch, (3,))


def test_equal_with_worker_processes() -> None:
    with connected("local:2") as client:
        for launch in FIFTEEN[1:16:7]:
            equal_to_one_launch(client, launch, (1, 2))


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_equal_with_one_to_four_worker_processes() -> None:
    """All kernels and launches, which have odd sizes and offsets; `-s` shows the table."""
    with connected("local:4") as client:
        for launch in FIFTEEN:
            moved = equal_to_one_launch(client, launch, (1, 2, 3, 4))
            print(f"{launch.kernel:<14}{launch.line:>4}", *(f"{ratio:8.3f}" for ratio in moved))


def equal_to_one_launch(client: Any, launch: Launch, numbers: Sequence[int]) -> list[float]:
    """For each number of workers, what moved by what had to."""
    kernel, values, sizes = kernel_of(launch), launch.values(), sizes_of(launch)
    expected = copies(values)
    kernel(**expected, **sizes)
    moved: list[float] = []
    for workers in numbers:
        given = copies(values)
        distributed = polycl.distribute(kernel, client, workers=workers)
        written = distributed(**given, **sizes)
        report = distributed.report
        assert report is not None
        assert len(report.plan.chunks) == workers
        for name, value in expected.items():
            if isinstance(value, np.ndarray):
                assert given[name].tobytes() == value.tobytes(), (name, workers)
        assert all(given[name] is array for name, array in written.items())
        # What was planned moved, and hardly more than isl counts.
        assert report.moved == report.plan.moved
        assert report.moved <= 1.1 * report.plan.bound
        moved.append(report.moved / report.plan.bound)
    return moved


STEP = """
kernel void step(global const float *x, global float *y, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i > 0 && j > 0 && i < w - 1 && j < h - 1)
    y[j * w + i] = 0.25f * (x[j * w + i - 1] + x[j * w + i + 1]
                            + x[(j - 1) * w + i] + x[(j + 1) * w + i]);
}
"""
MATMUL = """
kernel void matmul(global const float *a, global const float *b, global float *c, int n, int k) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int p = 0; p < k; p++)
    sum += a[i * k + p] * b[p * n + j];
  c[i * n + j] = sum;
}
"""
ADD = """
kernel void add(global const float *x, global float *y, float a) {
  y[get_global_id(0)] += a * x[get_global_id(0)];
}
"""


def picture(h: int = 50, w: int = 30) -> Any:
    return np.random.default_rng(1).random((h, w), np.float32)


def test_arrays_that_stay_move_only_halos(client: Any) -> None:
    kernel = polycl.load(STEP).kernel("step")
    step = polycl.distribute(kernel, client)
    a = picture()
    b = a.copy()
    x, y = polycl.ClusterArray(a.copy()), polycl.ClusterArray(b.copy())
    sizes: dict[str, Any] = {"global_size": (32, 52), "local_size": (8, 4)}
    moved: list[int] = []
    for _ in range(6):
        kernel(a, b, 30, 50, **sizes)
        step(x, y, 30, 50, **sizes)
        assert step.report is not None
        assert step.report.moved == step.report.plan.moved == step.report.plan.bound
        moved.append(step.report.moved)
        a, b, x, y = b, a, y, x
    assert (x.get() == a).all()
    assert (np.asarray(y) == b).all()
    # After the first launches, each worker lacks the rows and columns that its neighbours wrote.
    assert 0 < max(moved[2:]) < a.nbytes / 4


def test_gaussian_elimination_in_a_loop(client: Any) -> None:
    program = polycl.load(FIFTEEN[0].path)
    n = 20
    start = np.random.default_rng(2).random((n, n), np.float32) + np.eye(n, dtype=np.float32) * n
    m, a = np.zeros_like(start), start.copy()
    there_m, there_a = polycl.ClusterArray(m.copy()), polycl.ClusterArray(a.copy())
    fan1 = polycl.distribute(program.kernel("fan1"), client)
    fan2 = polycl.distribute(program.kernel("fan2"), client)
    for t in range(n - 1):
        program.kernel("fan1")(m, a, n, t, global_size=20, local_size=4)
        program.kernel("fan2")(m, a, n, t, global_size=(20, 20), local_size=(4, 4))
        fan1(there_m, there_a, n, t, global_size=20, local_size=4)
        fan2(there_m, there_a, n, t, global_size=(20, 20), local_size=(4, 4))
    assert (there_a.get() == a).all()
    assert (there_m.get() == m).all()


def test_files_and_dask_arrays(client: Any, tmp_path: Path) -> None:
    import dask.array as da

    kernel = polycl.load(STEP).kernel("step")
    step = polycl.distribute(kernel, client)
    sizes: dict[str, Any] = {"global_size": (32, 52), "local_size": (8, 4)}
    a = picture()
    expected = np.ones_like(a)
    kernel(a, expected, 30, 50, **sizes)

    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", a.dtype, a.shape)
    y = np.lib.format.open_memmap(tmp_path / "y.npy", "w+", a.dtype, a.shape)
    x[...], y[...] = a, 1
    x.flush()
    y.flush()
    step(x, y, 30, 50, **sizes)
    y.flush()
    assert (np.load(tmp_path / "y.npy") == expected).all()

    chunks: Any = (13, 7)
    lazy = da.from_array(a, chunks=chunks)
    ones = da.ones(a.shape, dtype=np.float32, chunks=(20, 30))
    written = step(lazy, ones, 30, 50, **sizes)
    assert isinstance(written["y"], da.Array)
    assert written["y"].chunks[0] == ones.chunks[0]
    assert (written["y"].compute() == expected).all()


def test_a_report_and_its_picture(client: Any, tmp_path: Path) -> None:
    source = """
    kernel void k(global const float *x, global const int *at, global float *y) {
      y[get_global_id(0)] = x[at[get_global_id(0)]];
    }
    """
    gather = polycl.distribute(polycl.load(source).kernel("k"), client, workers=2)
    x, y = np.ones((2, 4096), np.float32)
    gather(x, np.zeros(4096, np.int32), y, global_size=4096, local_size=64)
    report = gather.report
    assert report is not None
    text = str(report)
    assert "in 2 chunks (2) on 2 workers" in text
    assert text.count(" ms: chunk ") == 2
    assert "3:29: remark: 'x' is read at addresses that depend on a value" in text
    assert "all of its 16384 bytes go to each worker" in text
    report.plot(tmp_path / "run.svg")
    assert "1 on 1, " in (tmp_path / "run.svg").read_text()
    report.plan.plot(tmp_path / "plan.svg")
    with pytest.raises(polycl.ArgumentError, match="expected a name in .svg"):
        report.plot(tmp_path / "run.txt")


def test_memory_that_a_worker_has_not_got(client: Any) -> None:
    source = """
    kernel void k(global float *y, local float *t) {
      t[get_local_id(0)] = get_local_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      y[get_global_id(0)] = t[7 - get_local_id(0)];
    }
    """
    kernel = polycl.distribute(polycl.load(source).kernel("k"), client)
    y = np.zeros(64, np.float32)
    with pytest.raises(polycl.ArgumentError, match="bytes of local memory"):
        kernel(y, polycl.Local(1 << 50), global_size=64, local_size=8)
    assert not y.any()


def test_zarr_arrays(client: Any, tmp_path: Path) -> None:
    import zarr

    kernel = polycl.load(STEP).kernel("step")
    step = polycl.distribute(kernel, client)
    sizes: dict[str, Any] = {"global_size": (32, 52), "local_size": (8, 4)}
    a, start = picture(), np.ones((50, 30), np.float32)
    expected = start.copy()
    kernel(a, expected, 30, 50, **sizes)
    x = zarr.create_array(tmp_path / "x.zarr", data=a, chunks=(13, 7))
    y = zarr.create_array(tmp_path / "y.zarr", data=start, chunks=(20, 11))
    written = step(x, y, 30, 50, **sizes)
    assert written["y"] is y
    found = zarr.open_array(tmp_path / "y.zarr", mode="r")
    assert (np.asarray(found[...]) == expected).all()
    with pytest.raises(polycl.ArgumentError, match="'y' .*: the array is read-only"):
        step(x, found, 30, 50, **sizes)
    stays = polycl.ClusterArray(x)
    step(stays, y, 30, 50, **sizes)
    assert (stays.get() == a).all()


def test_memory_makes_smaller_chunks(client: Any) -> None:
    kernel = polycl.load(STEP).kernel("step")
    a = picture(400, 30)
    expected = np.zeros_like(a)
    sizes: dict[str, Any] = {"global_size": (32, 400), "local_size": (8, 4)}
    kernel(a, expected, 30, 400, **sizes)
    given = np.zeros_like(a)
    step = polycl.distribute(kernel, client, workers=2, memory=20_000)
    step(a, given, 30, 400, **sizes)
    assert (given == expected).all()
    report = step.report
    assert report is not None
    assert len(report.plan.chunks) > 8
    assert max(chunk.nbytes() for chunk in report.plan.chunks) <= 20_000
    assert report.moved <= report.plan.moved <= 1.5 * report.plan.bound
    with pytest.raises(polycl.ArgumentError, match="the smallest chunk needs .* bytes"):
        polycl.distribute(kernel, client, memory=100)(a, given, 30, 400, **sizes)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("x[i / 2] = i;", "2:29: error: .* may write element"),
        (
            "x[y[i]] = i;",
            r"2:29: error: .* may write element 0 of 'x'.*\n.*2:29: the write of .*depend.*2:31\)",
        ),
        ("y[i] = atomic_inc(x);", "2:.*: error: .* 'x'"),
        (
            "x[i] = 1; x[i + 1] = 2;",
            "2:39: error: .* may write element 5 of 'x'.*\n.*2:39: .*\n.*2:29: ",
        ),
        ('printf("%d", i);', "printf is not supported"),
    ],
)
def test_refused_before_anything_is_sent(body: str, text: str) -> None:
    source = (
        "kernel void k(global int *x, global int *y) {\n  int i = get_global_id(0); " + body + "\n}"
    )
    kernel = polycl.load(source).kernel("k")
    distributed = polycl.distribute(kernel)
    x = np.zeros(17, np.int32)
    with pytest.raises(polycl.PolyclError, match=text):
        distributed.plan(x, x.copy(), global_size=16, local_size=1, workers=3)


def test_refused_arguments() -> None:
    kernel = polycl.load(ADD).kernel("add")
    distributed = polycl.distribute(kernel)
    x = np.zeros(16, np.float32)
    with pytest.raises(polycl.ArgumentError, match="shares memory with that of 'x'"):
        distributed.plan(x, x, 1.0, global_size=16, workers=2)
    with pytest.raises(polycl.ArgumentError, match="distributed without a client"):
        distributed(x, x.copy(), 1.0, global_size=16)
    with pytest.raises(polycl.ArgumentError, match="expected at least one worker"):
        distributed.plan(x, x.copy(), 1.0, global_size=16, workers=0)
    with pytest.raises(polycl.ArgumentError, match="expected a kernel"):
        polycl.distribute(polycl.load(ADD))  # pyright: ignore[reportArgumentType]


def test_a_failing_chunk_raises_what_a_launch_does(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(text: str, name: str) -> Any:
        raise polycl.LaunchError(f"kernel '{name}' needs what the device has not got")

    # The workers are in this process.
    monkeypatch.setattr(worker, "_kernel", failing)
    x, y = np.ones((2, 16), np.float32)
    with pytest.raises(polycl.LaunchError, match="has not got\nin chunk . of 4, work-groups"):
        polycl.distribute(polycl.load(ADD).kernel("add"), client)(
            x, y, 1.0, global_size=16, local_size=4
        )
    assert (y == 1).all()


def test_assumptions_are_checked_before_anything_is_sent() -> None:
    source = """
    kernel void k(global const float *x, global float *y, int n) {
      int i = get_global_id(0);
      if (i < n) y[i] = x[i];
    }
    """
    kernel = polycl.load(source).kernel("k").assuming("n <= 64")
    x = np.zeros(64, np.float32)
    with pytest.raises(polycl.ArgumentError, match="assumes 'n <= 64'"):
        polycl.distribute(kernel).plan(x, x.copy(), 100, global_size=64, workers=2)


def test_a_thousand_workers_on_paper() -> None:
    kernel = polycl.load(STEP).kernel("step")
    # Memory that nothing touches.
    x, y = np.empty((2, 1 << 15, 1 << 15), np.float32)
    plan = polycl.distribute(kernel).plan(
        x, y, 1 << 15, 1 << 15, global_size=(1 << 15, 1 << 15), local_size=(16, 16), workers=1000
    )
    assert len(plan.chunks) == 1000
    # Blocks have shorter borders than rows.
    assert plan.cut in ((40, 25, 1), (25, 40, 1))
    assert plan.moved == plan.bound
    assert "1000 chunks (" in str(plan)


def test_all_workers_die(tmp_path: Path) -> None:
    """The tasks of the only worker go to the one that comes after it."""
    kernel = polycl.load(ADD).kernel("add")
    with connected("local:1") as client:
        add = polycl.distribute(kernel, client)
        x, y = np.ones((2, 64), np.float32)
        there = polycl.ClusterArray(y)
        add(x, there, 1.0, global_size=64, local_size=8)
        (pid,) = client.run(os.getpid).values()
        os.kill(pid, signal.SIGKILL)
        add(x, there, 1.0, global_size=64, local_size=8)
        assert (there.get() == 3).all()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_worker_processes_that_are_killed(tmp_path: Path) -> None:
    """Twenty kills during fifty launches, each at a random moment, change no result."""
    kernel = polycl.load(STEP).kernel("step")
    a = picture(400, 300)
    b = a.copy()
    with connected("local:3") as client:
        step = polycl.distribute(kernel, client)
        x, y = polycl.ClusterArray(a.copy()), polycl.ClusterArray(b.copy())
        rng = random.Random(3)
        kills = set(rng.sample(range(50), 20))
        killed: list[int] = []
        timer: threading.Timer | None = None
        sizes: dict[str, Any] = {"global_size": (304, 400), "local_size": (16, 16)}
        for launch in range(50):
            kernel(a, b, 300, 400, **sizes)
            if launch in kills:
                if timer is not None:
                    timer.join()
                pids: dict[str, int] = {}
                while not pids:
                    # A worker may just be dying.
                    pids = client.run(os.getpid, on_error="ignore")
                pid = rng.choice(sorted(pids.values()))
                timer = threading.Timer(rng.random() * 0.2, os.kill, (pid, signal.SIGKILL))
                timer.start()
                killed.append(pid)
            step(x, y, 300, 400, **sizes)
            a, b, x, y = b, a, y, x
            print(f"{launch + 1} launches, {len(killed)} kills", flush=True)
        assert len(killed) == 20
        assert (x.get() == a).all()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_data_larger_than_the_memory_of_workers(tmp_path: Path) -> None:
    """A stencil on files of four times what two workers have together."""
    kernel = polycl.load(STEP).kernel("step")
    limit, w = 400_000_000, 8192
    h = -(-2 * 4 * limit // (2 * 4 * w))
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (h, w))
    y = np.lib.format.open_memmap(tmp_path / "y.npy", "w+", np.float32, (h, w))
    x[:, ::7] = 1
    x.flush()
    with connected("local:2", limit) as client:
        step = polycl.distribute(kernel, client)
        step(x, y, w, h, global_size=(w, -(-h // 16) * 16), local_size=(64, 4))
        assert step.report is not None
        assert x.nbytes + y.nbytes >= 4 * 2 * limit
        assert max(chunk.nbytes() for chunk in step.report.plan.chunks) <= limit // 4
    rows = [1, 2, h // 2, h - 2]
    for row in rows:
        inner = x[row, :-2] + x[row, 2:] + x[row - 1, 1:-1] + x[row + 1, 1:-1]
        assert np.allclose(y[row, 1:-1], 0.25 * inner)
    assert not y[0].any()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_product_of_matrices_larger_than_the_memory_of_workers(tmp_path: Path) -> None:
    """Files of four times what two workers have together; chunks read rows and columns."""
    kernel = polycl.load(MATMUL).kernel("matmul")
    limit, k = 400_000_000, 64
    # Most bytes are those of the product.
    n = 16 * -(-int((4 * 2 * limit / 4) ** 0.5) // 16)
    rng = np.random.default_rng(5)

    def file(name: str, shape: tuple[int, int]) -> Any:
        return np.lib.format.open_memmap(tmp_path / name, "w+", np.float32, shape)

    a, b, c = file("a.npy", (n, k)), file("b.npy", (k, n)), file("c.npy", (n, n))
    a[...], b[...] = rng.random((n, k), np.float32), rng.random((k, n), np.float32)
    a.flush()
    b.flush()
    with connected("local:2", limit) as client:
        product = polycl.distribute(kernel, client)
        product(a, b, c, n, k, global_size=(n, n), local_size=(16, 16))
        report = product.report
        assert report is not None
        assert a.nbytes + b.nbytes + c.nbytes >= 4 * 2 * limit
        assert max(chunk.nbytes() for chunk in report.plan.chunks) <= limit // 4
        # Chunks of a worker share rows or columns.
        assert report.moved <= 1.1 * report.plan.bound
    rows = rng.integers(0, n, 20)
    assert np.allclose(c[rows], a[rows] @ b, rtol=1e-5)
