"""`python -m bench.ppopencl.costs`: the cost model of the host passes against measurement.

Each program runs as it is, as `ppopencl` makes it for the platform, and in variants that decide one
thing in another way: another dimension or factor of merging, another layout, other vectors. The
table compares the order of the variants as the model predicts it with the measured one (Spearman's
rank correlation), and has the loss of the model's choice: its time over the least of all variants.

Times are those of the processor in all threads of the process, not of the clock, as other programs
may run beside it (but of the clock on a GPU): of the commands of the device, and of whole calls.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp

import polycl
from bench.ppopencl.__main__ import difference
from bench.ppopencl.predicted import predicted
from bench.ppopencl.settings import PROGRAMS, RUNTIMES, Runtime
from bench.programs.inputs import INPUTS, SIZES, Arguments, Size, inputs
from bench.report import print_columns
from bench.runtimes import ROOT
from polycl.analysis.host.platforms import Platform, platform
from polycl.backends.device import Device
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError
from polycl.runtime.host.host_program import HostFunction

Decisions: TypeAlias = tuple[str, str, str]
"""Threads, layout and vectors."""

THREADS = {
    "no": "",
    "model": "ocl-reorganize-threads{{platform={0} before_vectors={1}}}",
    "x16": "ocl-reorganize-threads{{platform={0} dimension=x factor=16}}",
    "y16": "ocl-reorganize-threads{{platform={0} dimension=y factor=16}}",
}
LAYOUTS = {
    "no": "",
    "model": "ocl-data-layout{{platform={0}}}",
    "other": "ocl-data-layout{{platform={0} always=true}}",
}
VECTORS = {
    "no": "",
    "model": "ocl-holistic-vectorize{{platform={0}}}",
    "16": "ocl-holistic-vectorize{{platform={0} factor=16}}",
}
CHOICE: Decisions = ("model", "model", "model")
ORIGINAL: Decisions = ("no", "no", "no")

CLOSE = 1.3
"""Variants within this factor of the best are measured in all rounds, others twice."""


ENOUGH = 4.0
"""Seconds of all runs, after which only the asked number of rounds goes on: of short programs the
least of few times is still a matter of chance."""


def variants() -> list[Decisions]:
    """The original, what the model chooses in parts or altogether, and its neighbours."""
    parts = ("no", "model")
    found = [(threads, layout, v) for threads in parts for layout in parts for v in parts]
    found += [(t, "model", v) for t in ("x16", "y16") for v in parts]
    found += [(t, "other", v) for t in parts for v in parts]
    found += [(t, "model", "16") for t in parts]
    return found


def pipelines(decisions: Decisions, platform: str) -> list[str]:
    threads, layout, vectors = decisions
    before = str(vectors != "no").lower()
    prepare = "ppopencl{{platform={0} reorganize=false layout=false vectorize=false}}"
    texts = [prepare, THREADS[threads], LAYOUTS[layout], VECTORS[vectors]]
    return [text.format(platform, before) for text in texts if text]


@dataclass
class Variant:
    """One program that decisions give, and its times."""

    decisions: list[Decisions]
    function: HostFunction
    predicted: float
    whole: list[float] = field(default_factory=list[float])
    device: list[float] = field(default_factory=list[float])

    @property
    def text(self) -> str:
        return " = ".join("/".join(decisions) for decisions in self.decisions)


def made(name: str, target: Platform, given: Arguments) -> list[Variant]:
    """The different programs of all decisions."""
    found: dict[str, Variant] = {}
    loaded = polycl.load(PROGRAMS / name / "host.c").module
    steps: dict[tuple[str, ...], ModuleOp] = {}

    def after(texts: tuple[str, ...]) -> ModuleOp:
        # Many variants begin in the same way.
        if texts not in steps:
            module = after(texts[:-1]).clone() if texts else loaded
            if texts:
                run_pipeline(module, texts[-1])
            steps[texts] = module
        return steps[texts]

    for decisions in variants():
        module = after(tuple(pipelines(decisions, target.name)))
        key = str(module)
        if key not in found:
            cycles = predicted(module, target, given)
            function = polycl.Program(module.clone(), name).host(name)
            function.clock = clock_of(target)
            found[key] = Variant([], function, cycles)
        found[key].decisions.append(decisions)
    return list(found.values())


def clock_of(target: Platform) -> Callable[[], float]:
    """The processor's time; a GPU's is not in it, and nothing else runs there."""
    return time.perf_counter if target.is_gpu else time.process_time


def run(variant: Variant, device: Device, given: Arguments) -> Arguments:
    """Run a variant, and return its arguments with what it leaves in them."""
    args: Arguments = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in given.items()}
    clock = variant.function.clock
    begin = clock()
    variant.function(**args, device=device)
    variant.whole.append(clock() - begin)
    commands = [t for t in variant.function.times if t.command.startswith("host.")]
    variant.device.append(sum(t.seconds for t in commands))
    return args


def measure(name: str, runtime: Runtime, size: Size, rounds: int) -> list[Variant]:
    """All variants of a program in turns; each result is compared with the original's."""
    device = runtime.device(profile=True)
    given = inputs(name, size)
    found = made(name, platform(runtime.platform), given)
    right: Arguments = {}
    for variant in list(found):
        # The first call compiles.
        result = run(variant, device, given)
        right = right or result
        if (worst := difference(right, result)) is not None:
            raise PolyclError(f"{name}, {variant.text}: {worst}")
        variant.whole.clear()
        variant.device.clear()
    begin = time.process_time()
    for number in range(10 * rounds):
        if number >= rounds and time.process_time() - begin > ENOUGH:
            break
        best = min((min(v.whole, default=0) for v in found), default=0)
        # In another order each time: whether new buffers lie on pages that are there already
        # depends on what ran before.
        for variant in random.Random(number).sample(found, len(found)):
            is_choice = CHOICE in variant.decisions
            if number == 0 or is_choice or min(variant.whole) < CLOSE * best:
                run(variant, device, given)
    return found


def ranks(values: Sequence[float]) -> list[float]:
    """The places of values in their order; equal ones share the mean."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Spearman's, or None where one of the orders has no differences."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(ranks(xs), ranks(ys))


def described(name: str, found: Sequence[Variant]) -> dict[str, Any]:
    """What is printed and kept of a program."""
    (choice,) = (v for v in found if CHOICE in v.decisions)
    best = min(found, key=lambda v: min(v.whole))
    return {
        "name": name,
        "variants": len(found),
        "rank": correlation([v.predicted for v in found], [min(v.whole) for v in found]),
        "loss": min(choice.whole) / min(best.whole),
        "device_loss": min(choice.device) / min(min(v.device) for v in found),
        "best": best.text,
        "all": [
            {"decisions": v.text, "predicted": v.predicted, "whole": v.whole, "device": v.device}
            for v in sorted(found, key=lambda v: min(v.whole))
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ppopencl.costs", description=__doc__)
    parser.add_argument("programs", nargs="*", choices=[*INPUTS, []], metavar="PROGRAM")
    parser.add_argument("--runtime", choices=RUNTIMES, default="pocl")
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "ppopencl_costs.json")
    args = parser.parse_args()
    runtime = RUNTIMES[args.runtime]
    rows: list[dict[str, Any]] = []
    for name in args.programs or INPUTS:
        row = described(name, measure(name, runtime, args.size, args.rounds))
        rows.append(row)
        print(f"{name}: loss {row['loss']:.2f}")
        for v in row["all"]:
            times = f"{min(v['whole']) * 1e3:8.4g} ms, device {min(v['device']) * 1e3:8.4g}"
            print(f"  {times}, predicted {v['predicted']:8.3g}: {v['decisions']}", flush=True)
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(rows, indent=1))
    lines = [["program", "variants", "rank correlation", "loss", "loss, device", "best"]]
    for row in rows:
        rank = "-" if row["rank"] is None else f"{row['rank']:.2f}"
        losses = [f"{row[key]:.2f}" for key in ("loss", "device_loss")]
        lines.append([row["name"], str(row["variants"]), rank, *losses, row["best"]])
    print_columns(lines)


if __name__ == "__main__":
    main()
