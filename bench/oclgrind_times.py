"""Oclgrind's time for the launches of `bench.checks`: `python -m bench.oclgrind_times [NAME...]`.

Each is launched once, by a process of its own under `oclgrind --data-races --uninitialized`, which
has a minute. The time is that of the launch alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from bench.case import Case
from bench.measure import build_of
from bench.own_cases import own_cases
from bench.suite_kernels import suite_cases

LIMIT_S = 60


def main() -> None:
    parser = argparse.ArgumentParser(description="Oclgrind's time for the benchmarks' launches.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only cases that contain it")
    parser.add_argument("--suites", type=Path, metavar="DIR", help="Rodinia and Parboil, too")
    parser.add_argument("--launch", metavar="NAME", help=argparse.SUPPRESS)
    args = parser.parse_args()
    cases = [*own_cases(), *(suite_cases(args.suites) if args.suites else [])]
    if args.launch:
        print(seconds_of_launch(next(case for case in cases if case.name == args.launch)))
        return
    for case in cases:
        if not args.names or any(name in case.name for name in args.names):
            print(f"{case.name}: {time_of(case, args.suites)}", flush=True)


def time_of(case: Case, suites: Path | None) -> str:
    own = [sys.executable, "-m", "bench.oclgrind_times", "--launch", case.name]
    if suites is not None:
        own += ["--suites", str(suites)]
    command = ["oclgrind", "--data-races", "--uninitialized", *own]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"more than {LIMIT_S} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1]
    return f"{float(done.stdout.split()[-1]):.3f} s"


def seconds_of_launch(case: Case) -> float:
    # Late: it looks for platforms.
    from bench.opencl_runtime import OpenCLRuntime

    runtime = OpenCLRuntime()
    runtime.load(case.args())
    launch = runtime.prepare(build_of(case, case.variants()[0]))
    start = time.perf_counter()
    launch()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
