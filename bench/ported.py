"""Programs of Rodinia and Parboil, unchanged: with POLYCL_PORT against without.

    python -m bench.ported --rodinia FOLDER --parboil FOLDER [--small] [PROGRAM ...]

Each program is built as in `bench/recordings.py`, recorded, and its launches are tried as by
`polycl port`. Then it runs with and without the decisions, in turns whose order changes, on one
thread. `kernels` is their share of the time of a run without decisions, `kernels faster` the
quotient of their least times, without decisions by with. `run faster` is that of the processor time
of the whole process, which other programs disturb little, and `by the clock` that of its time by
the clock. Each round has a second run without decisions: `noise` is the quotient of the processor
time of the whole process by that one, which a quiet machine has at 1.00; there are more rounds, up
to three times as many, until it is within 0.02 of that. A gain or loss that is not larger than it
shows nothing. `equal` compares what the host reads in a run with decisions with what it read when
it was recorded, both with the same time of day (`other input`: the program writes other data in
each run).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import tempfile
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.recordings import Case, driver_environment, make_data, parboil, rodinia
from polycl.errors import PolyclError
from polycl.runtime.host.driver_log import read_log
from polycl.runtime.host.host_program import HostFunction
from polycl.runtime.host.port.decisions import keep
from polycl.runtime.host.port.trials import Outcome, decide
from polycl.runtime.host.recorded_data import TOLERANCE, differences
from polycl.runtime.program import load

_TRANSFERS = ("read ", "write ", "copy ", "fill ", "command", "marker", "barrier")
"""How the names of transfers and waits start (`runtime/icd/trace.c`)."""

NOISE = 0.02
"""How much two equal runs may differ."""


@dataclass(frozen=True)
class Times:
    """Seconds of a run."""

    processor: float
    """Of the process, in all its threads."""
    clock: float
    kernels: float

    def least(self, other: Times) -> Times:
        """The least of each."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Times(*(min(pair) for pair in pairs))


def run(case: Case, limit: float, **variables: str) -> Times:
    """One run of a program. Raises PolyclError if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder, "trace.json")
        environment = {**driver_environment(), "POLYCL_TRACE": str(trace), **variables}
        start, before = perf_counter(), _processor_seconds()
        try:
            done = subprocess.run(
                case.command, cwd=case.folder, env=environment, capture_output=True, timeout=limit
            )
        except subprocess.TimeoutExpired:
            raise PolyclError(f"more than {limit:.0f} s") from None
        processor, clock = _processor_seconds() - before, perf_counter() - start
        if done.returncode:
            raise PolyclError(f"exit {done.returncode}")
        return Times(processor, clock, _kernel_seconds(trace))


def _processor_seconds() -> float:
    """Of all processes that were waited for: the compiler's server is none of them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _kernel_seconds(trace: Path) -> float:
    events = json.loads(trace.read_text().rstrip().rstrip(",") + "]")
    return sum(
        event["dur"] * 1e-6
        for event in events
        if event.get("cat") == "command" and not event["name"].startswith(_TRANSFERS)
    )


def _at_one_time(folder: Path) -> Path:
    """A library with which a program that takes its random numbers from the time of day has the
    same ones in each run."""
    library = folder / "one_time.so"
    if not library.exists():
        source = folder / "one_time.c"
        source.write_text("long time(long *at) { if (at) *at = 1; return 1; }\n")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-fno-builtin", "-o", library, source], check=True
        )
    return library


def record(case: Case, folder: Path, limit: float, **variables: str) -> Path:
    """The log of a recorded run."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    library = _at_one_time(folder.parent)
    run(case, limit, POLYCL_RECORD=str(folder), LD_PRELOAD=str(library), **variables)
    log = next(folder.glob("*.log"), None)
    if log is None:
        raise PolyclError("no context")
    return log


def _host(log: Path) -> HostFunction:
    output = log.with_suffix(".mlir")
    output.write_text(f"{read_log(log)!s}\n", encoding="utf-8")
    return load(output).host()


def compare(log: Path, other: Path) -> str:
    """Whether the host read the same in two runs, but for rounding."""
    first, second = _host(log).recorded, _host(other).recorded
    given = [
        {name: array.path.name for name, array in run.items() if not array.is_expected}
        for run in (first, second)
    ]
    if first.keys() != second.keys() or given[0] != given[1]:
        return "other input"
    found = differences(first, {name: array.load() for name, array in second.items()})
    return "yes" if all(d is None or d <= TOLERANCE for d in found.values()) else "no"


@dataclass(frozen=True)
class Gain:
    """By how much a run was faster."""

    processor: float
    clock: float


def measure(
    case: Case, build: Path, runs: int, limit: float, large: bool
) -> tuple[str, Gain | None]:
    """The row of a program, and its gain; None: kernels are less than half of the time."""
    make_data(case, large)
    recorded, decided = build / "recorded" / case.name, build / "port" / case.name
    try:
        log = record(case, recorded, limit)
        outcomes = decide(log)
        shutil.rmtree(decided, ignore_errors=True)
        keep((outcome.decision for outcome in outcomes), decided)
        other = record(case, build / "again" / case.name, limit, POLYCL_PORT=str(decided))
        equal = compare(log, other)
        share, plain, ported, again = _least(case, runs, limit, decided)
    except (PolyclError, OSError) as error:
        return f"| {case.name} | | | | | | | {str(error).splitlines()[0][-120:]} |", None
    gain = Gain(plain.processor / ported.processor, plain.clock / ported.clock)
    numbers = (
        f"{share:.0%}",
        f"{plain.kernels / ported.kernels:.2f}",
        f"{gain.processor:.2f}",
        f"{gain.clock:.2f}",
        f"{plain.processor / again.processor:.2f}",
    )
    row = f"| {case.name} | {' | '.join(numbers)} | {equal} | {_decided(outcomes)} |"
    return row, gain if share >= 0.5 else None


def _least(case: Case, runs: int, limit: float, decided: Path) -> tuple[float, Times, Times, Times]:
    """The share of kernels, and the least times without decisions, with them, and without them
    once more.

    Only the two without decisions say when to stop, so that the quotient of interest cannot."""
    ways: tuple[dict[str, str], ...] = {}, {"POLYCL_PORT": str(decided)}, {}
    for way in ways[:2]:
        run(case, limit, **way)
    shares: list[float] = []
    least = [Times(math.inf, math.inf, math.inf)] * len(ways)
    for number in range(3 * runs):
        for shift in range(len(ways)):
            place = (number + shift) % len(ways)
            time = run(case, limit, **ways[place])
            least[place] = least[place].least(time)
            if not ways[place]:
                shares.append(time.kernels / time.clock)
        noise = least[0].processor / least[2].processor
        if number + 1 >= runs and abs(noise - 1) <= NOISE:
            break
    return median(shares), least[0], least[1], least[2]


def _decided(outcomes: list[Outcome]) -> str:
    """What was decided, in words."""
    found: dict[str, None] = {}
    for outcome in outcomes:
        decision = outcome.decision
        kinds = {
            "constants": decision.constants,
            "groups": decision.group,
            "no AVX-512": decision.features,
            **{f"no {name}": True for name in decision.without},
            **{name: True for name in decision.enable},
        }
        found |= {kind: None for kind, is_there in kinds.items() if is_there}
    return ", ".join(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rodinia", type=Path)
    parser.add_argument("--parboil", type=Path)
    parser.add_argument("--build", type=Path, default=Path("build/recordings"))
    parser.add_argument("--small", action="store_true", help="the data of bench/recordings.py")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--limit", type=float, default=120, help="seconds for a run")
    parser.add_argument("programs", nargs="*", help="those whose names begin so")
    args = parser.parse_args()
    os.environ["POLYCL_THREADS"] = str(args.threads)
    build = args.build.resolve()

    def wanted(name: str) -> bool:
        return not args.programs or any(name.startswith(p) for p in args.programs)

    columns = ("kernels", "kernels faster", "run faster", "by the clock", "noise", "equal")
    print(f"| program | {' | '.join(columns)} | decided |")
    print("|---" * 8 + "|", flush=True)
    counted: list[Gain] = []
    for source, suite in ((args.rodinia, rodinia), (args.parboil, parboil)):
        if source is None:
            continue
        for case in suite(source.resolve(), build, wanted, not args.small):
            row, gain = measure(case, build, args.runs, args.limit, not args.small)
            print(row, flush=True)
            counted += [gain] if gain else []
    if counted:
        for name, quotients in (
            ("processor time", [gain.processor for gain in counted]),
            ("time by the clock", [gain.clock for gain in counted]),
        ):
            mean = math.exp(sum(map(math.log, quotients)) / len(quotients))
            print(
                f"\nRuns of which kernels are half at least, {name}: {mean:.2f} in geometric mean, "
                f"{min(quotients):.2f} at least"
            )


if __name__ == "__main__":
    main()
