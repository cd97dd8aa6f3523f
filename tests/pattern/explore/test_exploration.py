"""Whole explorations, small ones: what they find is right, and is found again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.runtime.pattern.explore import Exploration, exploration, explore
from polycl.runtime.pattern.explore.building import Candidate
from polycl.runtime.pattern.explore.database import Trial
from polycl.runtime.pattern.explore.executors import Workers
from polycl.runtime.pattern.explore.measuring import Measurement, measure_together
from polycl.runtime.pattern.explore.trials import Outcome, run_trial
from polycl.runtime.program import Program

ASUM = Path(__file__).parents[3] / "examples" / "pattern" / "asum.mlir"


@pytest.fixture
def one_thread() -> Iterator[Executor]:
    """It starts at once, and knows the modules."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


def decisions(trials: Sequence[Trial]) -> list[Any]:
    """All but how long the exploration took."""
    return [(t.derivation, t.parameters, t.status, t.seconds, t.estimate) for t in trials]


def dry_run(**options: Any) -> Exploration:
    options = {"sizes": {"N": 1 << 20}, "depth": 1, "trials": 12, **options}
    return explore(ASUM, dry_run=True, **options)


@pytest.mark.parametrize("device", ["interp", "cpu", "opencl:intel"])
def test_the_best_derivation_is_one_that_anyone_can_replay(device: str, one_thread: Executor):
    found = explore(ASUM, sizes={"N": 512}, device=device, depth=1, trials=5, executor=one_thread)
    assert found.best is not None
    assert {trial.status for trial in found.trials} <= {"ok", "slow"}
    source = polycl.load(ASUM)
    low = Derivation.parse(found.script()).replay(source.module, "asum")
    x = np.linspace(-1, 1, 512, dtype=np.float32)
    (result,) = Program(low).function("asum")(x)
    assert result == pytest.approx(np.abs(x).sum(), rel=1e-5)


def test_the_number_of_workers_does_not_matter(one_thread: Executor):
    one, two = dry_run(executor=one_thread), dry_run(jobs=2)
    assert len(one.trials) == 12
    assert all(trial.time == trial.estimate for trial in one.trials)
    assert decisions(one.trials) == decisions(two.trials)


def test_the_seed_chooses_other_parameters(one_thread: Executor):
    first, other, again = (dry_run(seed=s, executor=one_thread) for s in (0, 1, 0))
    assert decisions(first.trials) != decisions(other.trials)
    assert decisions(first.trials) == decisions(again.trials)


def test_more_trials_find_nothing_slower(one_thread: Executor):
    few, many = (dry_run(trials=n, executor=one_thread) for n in (6, 30))
    assert few.best is not None
    assert many.best is not None
    assert many.best.time <= few.best.time


def test_an_exploration_that_was_killed_goes_on_where_it_was(tmp_path: Path, one_thread: Executor):
    path = tmp_path / "trials.jsonl"
    command = [sys.executable, "-m", "polycl.tools.polycl", "explore", str(ASUM), "--dry-run"]
    command += ["--size", "N=1048576", "--depth", "1", "--trials", "24"]
    command += ["--database", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        while not path.exists() or path.read_bytes().count(b"\n") < 3:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = path.read_bytes()
    # It may have been killed within a line.
    path.write_bytes(before + before.splitlines()[0][:50])
    known = before.count(b"\n")
    # Which trials are made depends on their number.
    found = dry_run(trials=24, database=path, executor=one_thread)
    whole = dry_run(trials=24, executor=one_thread)
    assert decisions(found.trials[:known]) == decisions(whole.trials[:known])
    assert len({trial.key for trial in found.trials}) == len(found.trials) == 24
    lines = path.read_bytes()
    assert lines.startswith(before)
    assert len([line for line in lines.splitlines() if is_json(line)]) == 24


def is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_measured_trials_are_not_made_again(tmp_path: Path, one_thread: Executor):
    path = tmp_path / "trials.jsonl"
    options: dict[str, Any] = {"sizes": {"N": 256}, "device": "interp", "depth": 1, "trials": 3}
    first = explore(ASUM, database=path, executor=one_thread, **options)
    times = {t.key: t.elapsed for t in first.trials}
    second = explore(ASUM, database=path, executor=one_thread, **options)
    assert {t.key: t.elapsed for t in second.trials} == times


def test_another_seed_starts_from_what_is_known(tmp_path: Path, one_thread: Executor):
    path = tmp_path / "trials.jsonl"
    first = dry_run(trials=12, database=path, executor=one_thread)
    second = dry_run(trials=16, seed=1, database=path, executor=one_thread)
    assert first.best is not None
    assert second.best is not None
    # The data of a dry run is the same for all seeds.
    assert second.best.time <= first.best.time
    assert [t.key for t in second.trials[:12]] == [t.key for t in first.trials]
    assert len({t.key for t in second.trials}) == 16


def test_no_time_gives_no_trials(one_thread: Executor):
    found = dry_run(seconds=0.001, executor=one_thread)
    assert (found.trials, found.best) == ([], None)
    with pytest.raises(polycl.PolyclError, match="no derivation was found"):
        found.script()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"function": "sum"}, "there is no function 'sum'; the pattern programs: asum"),
        ({"sizes": {"M": 4}}, "function 'asum' has no size 'M'; its sizes: N"),
        ({"arguments": {"y": "1"}, "dry_run": False}, "has no parameter 'y'"),
        ({"device": "tpu"}, "unknown device 'tpu'"),
    ],
)
def test_what_makes_no_sense_is_said(options: dict[str, Any], message: str, one_thread: Executor):
    with pytest.raises(polycl.ArgumentError, match=message):
        explore(ASUM, **{"dry_run": True, "depth": 1, "executor": one_thread, **options})


@pytest.mark.parametrize("kind", [".svg", ".png"])
def test_plots(tmp_path: Path, kind: str, one_thread: Executor):
    found = dry_run(trials=4, executor=one_thread)
    path = tmp_path / f"trials{kind}"
    found.plot(path)
    assert path.stat().st_size > 1000
    with pytest.raises(polycl.ArgumentError, match="cannot plot to"):
        found.plot(tmp_path / "trials.abc")


@pytest.mark.cluster
@pytest.mark.parametrize("resources", [None, {"device": 1}], ids=["build", "measure"])
def test_a_dask_cluster_finds_the_same(resources: dict[str, int] | None, one_thread: Executor):
    """Two worker processes; in one case they measure, too."""
    from distributed import LocalCluster

    options: dict[str, Any] = {"sizes": {"N": 256}, "device": "interp", "depth": 1, "trials": 4}
    cluster: Any = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", resources=resources
    )
    with cluster:
        address = cluster.scheduler_address
        found = explore(ASUM, scheduler=address, **options)
        there = dry_run(scheduler=address)
    assert decisions(there.trials) == decisions(dry_run(executor=one_thread).trials)
    assert [trial.status for trial in found.trials].count("ok") >= 1
    assert {trial.status for trial in found.trials} <= {"ok", "slow"}


def test_nobody_at_the_scheduler():
    with pytest.raises(polycl.PolyclError, match="no dask scheduler answers at"):
        dry_run(scheduler="tcp://127.0.0.1:9")


class _FirstIsSlow(Executor):
    """The first trial ends after 20 others."""

    def __init__(self) -> None:
        self.first: Future[Any] | None = None
        self.ended = 0
        self.outcome = Outcome(Candidate("a program"), Measurement("ok", (1.0, 1.0)))

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if fn is not run_trial:
            # No final runs.
            future.set_result([] if fn is measure_together else fn(*args))
            return future
        if self.first is None:
            self.first = future
            return future
        future.set_result(self.outcome)
        self.ended += 1
        if self.ended == 20:
            self.first.set_result(self.outcome)
        return future


@pytest.mark.parametrize(("workers", "expected"), [(2, 3), (4, 24)])
def test_many_workers_do_not_wait_for_a_slow_trial(
    workers: int, expected: int, monkeypatch: pytest.MonkeyPatch
):
    """Two take the results in order, so that only those under way end; these are kept."""
    executor = _FirstIsSlow()
    made = nullcontext(Workers(executor, executor, workers))
    monkeypatch.setattr(exploration, "_workers", lambda *_: made)
    found = explore(ASUM, sizes={"N": 1 << 20}, depth=1, trials=24, seconds=4)
    assert len(found.trials) == expected
