"""The time from a source to machine code, by phase: `python -m bench.compile_time [FILE.cl ...]`.

Each kernel is compiled in a process forked from one in which all modules are loaded. The time is
that of the processor, the least of the rounds. Without files: 60 kernels of the benchmarks, of
the examples and generated ones, from 10 to 60,000 operations. `--against DIR` compares with
another checkout in turn, whose commit may be older than this file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.compile_phases import Compiled
from bench.compile_shapes import SHAPES, mixed
from bench.poly_compile_time import options

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("bench/kernels", "bench/kernels/study", "examples", "tests/kernels")
GENERATED = (30, 100, 300, 1000, 3000)
"""Groups of statements; 20 operations each."""
NUMBER = 60
SMALL = 500
"""Operations of a small kernel."""


@dataclass(frozen=True)
class Input:
    name: str
    source: str
    options: tuple[str, ...]
    kernel: str


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path, metavar="DIR", help="a checkout to compare with")
    parser.add_argument("--option", action="append", default=[], help="a build option of the files")
    arguments = parser.parse_args(argv)
    inputs = [i for file in arguments.files for i in _inputs_of(file, arguments.option)] or _usual()
    trees = [ROOT, *([arguments.against.resolve()] if arguments.against else [])]
    totals: list[list[float]] = []
    small: list[float] = []
    phases: dict[str, float] = {}
    memory = 0.0
    with ExitStack() as stack:
        workers = [stack.enter_context(_Worker(tree)) for tree in trees]
        for item in inputs:
            runs = [[worker.compile(item) for worker in workers] for _ in range(arguments.rounds)]
            best = [min(column, key=lambda run: run.total) for column in zip(*runs, strict=True)]
            ours = best[0]
            totals.append([run.total for run in best])
            memory = max(memory, ours.mebibytes)
            if ours.operations < SMALL:
                small.append(ours.total)
            for phase, seconds in ours.seconds.items():
                phases[phase] = phases.get(phase, 0.0) + seconds
            print(_row(item, best), flush=True)
    for column, tree in zip(zip(*totals, strict=True), trees, strict=True):
        print(f"{tree.name}: {len(column)} kernels, median {median(column):.3f} s, ", end="")
        print(f"sum {sum(column):.2f} s")
    if small:
        print(f"below {SMALL} operations: {len(small)}, slowest {max(small):.3f} s")
    print(f"largest memory: {memory:.0f} MiB")
    whole = sum(phases.values())
    for phase, seconds in sorted(phases.items(), key=lambda pair: -pair[1]):
        print(f"{phase:24} {seconds:8.3f} s {100 * seconds / whole:5.1f} %")
    return 0


def _row(item: Input, best: Sequence[Compiled]) -> str:
    ours = best[0]
    times = " ".join(f"{run.total:8.3f}" for run in best)
    long = sorted(ours.seconds.items(), key=lambda pair: -pair[1])[:4]
    phases = ", ".join(f"{phase} {seconds * 1e3:.0f}" for phase, seconds in long)
    size = f"{ours.operations:6} {ours.most_operations:7}"
    return f"{times} s {size} {ours.mebibytes:5.0f} MiB  {item.name}: {phases}"


def _usual() -> list[Input]:
    found = [Input(f"{g} mixed groups", mixed(g), (), "k") for g in GENERATED]
    found += [Input(f"8 {name}", shape.source(8), (), "k") for name, shape in SHAPES.items()]
    files = [f for folder in FOLDERS for f in sorted((ROOT / folder).glob("*.cl"))]
    inputs = [next(_inputs_of(file, ())) for file in files]
    return found + inputs[: NUMBER - len(found)]


def _inputs_of(path: Path, more: Sequence[str]) -> Iterator[Input]:
    """Every kernel of a file."""
    import polycl

    words = (*options(path), *more)
    for name in polycl.load(path, words).kernels:
        yield Input(f"{path.stem}:{name}", str(path), words, name)


class _Worker:
    """A process with the compiler of a checkout, which compiles in processes forked from it."""

    def __init__(self, tree: Path):
        # The files of this checkout measure, as another one may not have them.
        path = os.pathsep.join((str(tree / "src"), str(ROOT)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.compile_phases"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, "POLYCL_CACHE_DIR": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *details: object) -> None:
        self._process.communicate()

    def compile(self, item: Input) -> Compiled:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(
            json.dumps((item.source, item.options, item.kernel)),
            file=self._process.stdin,
            flush=True,
        )
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{item.name} does not compile; see the error above")
        return Compiled(**json.loads(answer))


if __name__ == "__main__":
    sys.exit(main())
