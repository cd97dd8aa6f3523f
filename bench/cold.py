"""How long a new process takes to its first result, compiling included.

Three times for each runtime: until it is loaded (for polycl: Python, numpy and polycl; for the
others: Python, numpy, pyopencl and a context), from there to the first result without anything
in a cache, and the same in the next process, which finds what the first one left in its cache.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.case import Arg, Case
from bench.measure import build_of
from bench.report import print_columns
from bench.runtimes import Spec


def print_cold_starts(cases: Sequence[Case], specs: Sequence[Spec], threads: int) -> None:
    print(f"\n{threads} thread(s); ms to load / to the first result / the same with a cache")
    lines = [["kernel", *(spec.name for spec in specs)]]
    for case in cases:
        args = case.args()
        lines.append([case.name, *(_cell(case, args, spec, threads) for spec in specs)])
    print_columns(lines)


def _cell(case: Case, args: list[Arg], spec: Spec, threads: int) -> str:
    try:
        with tempfile.TemporaryDirectory() as folder:
            load, first = _start(case, args, spec, threads, Path(folder))
            _, again = _start(case, args, spec, threads, Path(folder))
    except RuntimeError as error:
        return f"failed: {str(error).splitlines()[0][:60]}"
    return " / ".join(f"{seconds * 1e3:.0f}" for seconds in (load, first, again))


def _start(
    case: Case, args: list[Arg], spec: Spec, threads: int, folder: Path
) -> tuple[float, float]:
    """Seconds to load the runtime, and from there to the first result; copies do not count."""
    process = spec.start(threads, folder)
    try:
        process.ask("load", args)
        begin = time.monotonic()
        end: float = process.ask("first", "k", build_of(case, case.variants()[0]))
        return process.start_seconds, end - begin
    finally:
        process.close()
