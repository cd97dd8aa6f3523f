"""What `polycl explore` finds from plain programs, against the best derivations written by hand.

`python -m bench.lift_explore` explores each program for `--time` seconds, then calls what it found
and all derivations written by hand in turns, in one process, on the same arrays. A ratio above 1:
what was found is faster than the fastest of the others, each by its least time: on one thread that
of the processor, so that other programs have no part in it.

`--workers` counts the trials of a minute with one, two, ... workers of a dask cluster on this
machine.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import polycl
from bench.lift_sizes import in_turns
from bench.runtimes import ROOT
from polycl.runtime.pattern.explore import Exploration, explore
from polycl.runtime.pattern.explore.data import arguments

PROGRAMS = ROOT / "examples" / "pattern"
OUT = ROOT / "build" / "lift_explore"


@dataclass(frozen=True)
class Goal:
    name: str
    sizes: Mapping[str, int]
    written: Sequence[tuple[str, Mapping[str, int]]]
    """The derivations written by hand, with their tunables."""
    data: Mapping[str, str] = field(default_factory=dict[str, str])
    tolerance: float = 1e-4


GOALS = (
    Goal(
        "matmul",
        {"M": 1024, "K": 1024, "N": 1024},
        [
            *(
                ("matmul.blocks", {"columns": c, "rows": r})
                for c in (16, 32, 64)
                for r in (4, 6, 8, 12)
            ),
            ("matmul.cpu", {}),
        ],
    ),
    Goal("stencil2d", {"M": 4096, "N": 4096}, [("stencil2d.cpu", {}), ("stencil2d.gpu", {})]),
    Goal(
        "softmax",
        {"M": 1024, "K": 1024},
        [("softmax.cpu", {"lanes": n}) for n in (16, 32, 64, 128)],
        {"x": "rand:f32:*"},
    ),
    *(
        Goal(
            "layernorm",
            {"M": 1024, "K": k},
            [("layernorm.cpu", {"lanes": n}) for n in lanes],
            {"part": f"{1 / k}f", "epsilon": "1e-5f"},
        )
        for k, lanes in ((1000, (8, 20, 40, 125, 250)), (4096, (16, 32, 64, 128)))
    ),
    Goal(
        "dot",
        {"N": 1 << 24},
        [
            ("asum.any", {}),
            *(("dot.cpu", {"chunk": c, "streams": s}) for c in (65536, 262144) for s in (2, 4, 8)),
        ],
    ),
    Goal(
        "gemv",
        {"M": 4096, "K": 4096},
        [
            ("gemv.any", {}),
            *(("gemv.cpu", {"rows": r, "lanes": n}) for r in (4, 8) for n in (16, 32)),
        ],
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lift_explore", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument("--time", type=float, default=600, help="seconds of each (default: 600)")
    parser.add_argument("--trials", type=int, default=400, help="at most (default: 400)")
    parser.add_argument("--threads", type=int, default=1, help="of what is timed (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--rounds", type=int, default=40, help="turns of each (default: 40)")
    parser.add_argument("--workers", type=int, nargs="+", help="count trials with these workers")
    args = parser.parse_args()
    goals = [goal for goal in GOALS if not args.names or goal.name in args.names]
    OUT.mkdir(parents=True, exist_ok=True)
    if args.workers:
        for goal in goals:
            count_trials(goal, args.workers, args.time)
        return
    print(f"{os.cpu_count()} cores, threads={args.threads}, jobs={args.jobs}")
    print(
        f"{'program':10} {'sizes':>17} {'seconds':>8} {'trials':>7} {'found ms':>9}"
        f" {'written ms':>10}  {'by':34} {'ratio':>5}"
    )
    for goal in goals:
        row = measure(goal, args)
        with (OUT / "results.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(
            f"{row['program']:10} {row['sizes']:>17} {row['seconds']:8.0f} {row['trials']:7}"
            f" {row['found']:9.3f} {row['written']:10.3f}  {row['by']:34} {row['ratio']:5.2f}",
            flush=True,
        )


def measure(goal: Goal, args: argparse.Namespace) -> dict[str, Any]:
    found = explore(
        PROGRAMS / f"{goal.name}.mlir",
        sizes=goal.sizes,
        arguments=goal.data,
        device_options={"threads": args.threads},
        seconds=args.time,
        trials=args.trials,
        jobs=args.jobs,
        tolerance=goal.tolerance,
        progress=True,
    )
    script = OUT / f"{goal.name}.deriv"
    script.write_text(found.script())
    calls = {"found": call(goal, script, {}, args.threads)}
    for name, tunables in goal.written:
        label = " ".join([name, *(f"{key}={value}" for key, value in tunables.items())])
        calls[label] = call(goal, PROGRAMS / f"{name}.deriv", tunables, args.threads)
    clock = time.thread_time if args.threads == 1 else time.perf_counter
    millis = {name: 1e3 * seconds for name, seconds in in_turns(calls, args.rounds, clock).items()}
    written, by = min((ms, name) for name, ms in millis.items() if name != "found")
    return {
        "program": goal.name,
        "sizes": "x".join(map(str, goal.sizes.values())),
        "seconds": max((t.elapsed for t in found.trials), default=0.0),
        "trials": len(found.trials),
        "found": millis["found"],
        "written": written,
        "by": by,
        "ratio": written / millis["found"],
        "all": millis,
    }


def call(
    goal: Goal, script: Path, tunables: Mapping[str, int], threads: int
) -> Callable[[], object]:
    """The public call, with arrays of its own for the result."""
    program = polycl.load(PROGRAMS / f"{goal.name}.mlir").function(goal.name)
    args = arguments(program, goal.sizes, goal.data, seed=0)
    device = polycl.device("cpu", threads=threads)
    function = program.derived(script, **tunables)
    args = [a if isinstance(a, np.ndarray) else float(a) for a in args]
    out = function(*args, device=device)
    return lambda: function(*args, device=device, out=out)


def count_trials(goal: Goal, workers: Sequence[int], seconds: float) -> None:
    """The trials of a minute with so many workers of a cluster, each of which measures."""
    from distributed import LocalCluster

    one = 0.0
    for count in workers:
        # What another number of workers has compiled is not there.
        cache = tempfile.TemporaryDirectory()
        os.environ["POLYCL_CACHE_DIR"] = cache.name
        cluster: Any = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            resources={"device": 1},
        )
        with cluster:
            found = explore(
                PROGRAMS / f"{goal.name}.mlir",
                sizes=goal.sizes,
                arguments=goal.data,
                device_options={"threads": 1},
                seconds=seconds,
                trials=10_000,
                depth=1,
                scheduler=cluster.scheduler_address,
            )
        rate = per_minute(found)
        one = one or rate
        times = f" ({rate / one:.2f} times)" if one else ""
        print(
            f"{goal.name}: {count} workers: {len(found.trials)} trials,"
            f" {rate:.1f} a minute after the first one{times}",
            flush=True,
        )


def per_minute(found: Exploration) -> float:
    """Of the trials after the first one, which waits for the structures."""
    times = [trial.elapsed for trial in found.trials]
    return 60 * (len(times) - 1) / (max(times) - times[0]) if len(times) > 1 else 0.0


if __name__ == "__main__":
    main()
