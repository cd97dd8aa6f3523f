"""Test programs of OpenCL drivers: each in a process of its own, and a table of the verdicts.

`bench/cts.py` and `bench/clients.py` use it.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

VERDICTS = ("passed", "failed", "skipped", "crashed", "timed out")
_LAST_LINES = 8
"""Lines of a failed test's output in the list of failures."""


@dataclass(frozen=True)
class Test:
    """A command that is one test of a group."""

    group: str
    name: str
    command: Sequence[str | Path]
    folder: Path
    """Where it runs."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    judge: Callable[[str, int], str] | None = None
    """The verdict from the output and the exit status; without it status 0 is `passed`."""


@dataclass(frozen=True)
class Result:
    """What one test did."""

    test: Test
    verdict: str
    seconds: float
    output: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that all suites have."""
    parser.add_argument("--driver", type=Path, help="the driver's shared object (default: all)")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="tests at the same time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one test")
    parser.add_argument("--logs", type=Path, help="folder for the output of each test")
    parser.add_argument("--only", metavar="TEXT", help="tests whose name contains TEXT")
    parser.add_argument("-q", "--quiet", action="store_true", help="the table, no failures")


def driver_environment(driver: Path | None) -> dict[str, str]:
    """The environment in which the loader finds this driver only."""
    return {**os.environ, **({} if driver is None else {"OCL_ICD_VENDORS": str(driver.resolve())})}


def run_tests(tests: Sequence[Test], args: argparse.Namespace) -> list[Result]:
    """Run tests as the options say; failures are printed as they happen."""
    environment = driver_environment(args.driver)
    chosen = [test for test in tests if args.only is None or args.only in test.name]

    def run(test: Test) -> Result:
        result = _run(test, environment, args.timeout)
        if args.logs:
            log = args.logs / test.group / f"{test.name.replace('/', '_')}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(result.output, encoding="utf-8")
        if not args.quiet and result.verdict not in ("passed", "skipped"):
            lines = [line for line in result.output.splitlines() if line.strip()][-_LAST_LINES:]
            head = f"{result.verdict}: {test.group} {test.name} ({result.seconds:.1f} s)"
            print("\n    ".join([head, *lines]), flush=True)
        return result

    with ThreadPoolExecutor(args.jobs) as pool:
        return list(pool.map(run, chosen))


def _run(test: Test, environment: Mapping[str, str], timeout: float) -> Result:
    start = time.perf_counter()
    with subprocess.Popen(
        # Lines are written at once, so that the last one of a test that crashes is there.
        ["stdbuf", "-oL", *map(str, test.command)],
        cwd=test.folder,
        env={**environment, **test.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
            verdict = ""
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            verdict = "timed out"
    text = output.decode(errors="replace")
    if not verdict and process.returncode < 0:
        verdict = "crashed"
        text += f"\n{signal.Signals(-process.returncode).name}\n"
    if not verdict and test.judge is not None:
        verdict = test.judge(text, process.returncode)
    if not verdict:
        verdict = "failed" if process.returncode else "passed"
    return Result(test, verdict, time.perf_counter() - start, text)


def print_table(results: Sequence[Result]) -> None:
    """One line for each group, and the sum."""
    groups = {result.test.group: None for result in results}
    width = max(map(len, [*groups, "all"]), default=3)
    print(f"{'':<{width}}  {'  '.join(f'{verdict:>9}' for verdict in VERDICTS)}        s")
    for group in [*groups, None]:
        chosen = [result for result in results if group in (None, result.test.group)]
        counts = Counter(result.verdict for result in chosen)
        cells = "  ".join(f"{counts[verdict]:>9}" for verdict in VERDICTS)
        seconds = sum(result.seconds for result in chosen)
        print(f"{group or 'all':<{width}}  {cells}  {seconds:>7.1f}")


def exit_status(results: Sequence[Result]) -> int:
    """1 if a test neither passed nor was skipped."""
    return int(any(result.verdict not in ("passed", "skipped") for result in results))


def fail(message: str) -> None:
    """End the program with a message."""
    sys.exit(f"error: {message}")
