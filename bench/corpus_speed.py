"""Speed of the kernels of public programs beside other runtimes: `python -m bench.corpus_speed`.

    python -m bench.corpus_speed FOLDER --icd pocl72=FILE.icd --only Rodinia

`FOLDER` is that of `bench.corpus`. Nobody chose these kernels for speed. Their arguments are
invented: numbers are `SIZE`, buffers have random values, and there is a work-item for each of
`ITEMS` elements, so that a kernel measures what its text does with plausible data. Each launch
begins with the first contents of the buffers, since values that grow or fade take longer. A kernel
that fails on a runtime, or whose results the runtimes do not agree upon (it races, or reads what
nothing has set), is listed and not compared.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.traits import SymbolTable

import polycl
from bench import runtimes
from bench.case import Arg, LocalBytes
from bench.corpus import ProjectFiles, projects
from bench.invented import invented_argument
from bench.protocol import Build
from bench.runtimes import RuntimeProcess, Spec
from bench.suites import find_options
from polycl.analysis.ocl.calls import called_functions
from polycl.dialects import ocl
from polycl.errors import PolyclError
from polycl.runtime.kernel import Kernel
from polycl.runtime.parameters import Parameter

SIZE = 64
"""Of each integer argument: a width, a number of iterations, a stride."""
ITEMS = 16384
ELEMENTS = 1 << 20
"""Of each buffer: what `SIZE` and the ids can reach, mostly."""
_LOCAL_SIZES = {1: (64,), 2: (16, 4), 3: (16, 4, 1)}
_GLOBAL_SIZES = {1: (ITEMS,), 2: (256, 64), 3: (64, 64, 4)}
_ANSWER_SECONDS = 40.0
_STEADY = 30e-6
"""Seconds below which a launch measures the runtime's queue, not the kernel."""


@dataclass
class Measured:
    """One kernel: the least time of each runtime, or why there is none."""

    path: str
    kernel: str
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    failed: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def ratio(self) -> float:
        """The best peer's time over ours."""
        peers = [seconds for name, seconds in self.seconds.items() if name != "polycl"]
        return min(peers) / self.seconds["polycl"]

    @property
    def is_compared(self) -> bool:
        return "polycl" in self.seconds and len(self.seconds) > 1


class Bench:
    """The runtimes' processes, which are started again after a crash."""

    def __init__(self, specs: Sequence[Spec], threads: int, folder: Path):
        self._specs, self._threads, self._folder = specs, threads, folder
        self._processes: dict[str, RuntimeProcess] = {}

    def _process(self, spec: Spec) -> RuntimeProcess:
        found = self._processes.get(spec.name)
        if found is None or not found.alive:
            found = self._processes[spec.name] = spec.start(self._threads, self._folder)
        return found

    def measure(self, result: Measured, args: list[Arg], build: Build, rounds: int) -> None:
        """Add the times of a kernel to `result`."""
        expected: dict[int, NDArray[Any]] | None = None
        ready: list[tuple[str, RuntimeProcess]] = []
        for spec in self._specs:
            try:
                process = self._process(spec)
                process.ask("load", args)
                process.ask("build", "k", build)
                found = process.ask("check", "k")
            except (RuntimeError, OSError) as error:
                result.failed[spec.name] = str(error).partition("\n")[0][:120]
                continue
            if expected is None:
                expected = found
            elif (where := _difference(expected, found)) is not None:
                result.failed[spec.name] = f"differs from {ready[0][0]} in argument {where}"
                continue
            ready.append((spec.name, process))
        for _ in range(rounds):
            for name, process in ready:
                try:
                    least = process.ask("run", "k", 0.03, True).least(self._threads)
                except RuntimeError as error:
                    result.failed[name] = str(error)
                    continue
                result.seconds[name] = min(result.seconds.get(name, least), least)

    def close(self) -> None:
        for process in self._processes.values():
            process.close()


def _difference(expected: dict[int, NDArray[Any]], found: dict[int, NDArray[Any]]) -> int | None:
    for index, a in expected.items():
        b = found[index]
        if names := a.dtype.names:
            fields = ({n: x[name] for n, name in enumerate(names)} for x in (a, b))
            if _difference(*fields) is not None:
                return index
            continue
        with np.errstate(all="ignore"):
            if a.dtype.kind == "f":
                near = np.abs(a - b) <= 1e-2 * np.maximum(1, np.abs(a))
                same = near | (a == b) | ~np.isfinite(a) | ~np.isfinite(b)
            else:
                same = a == b
        # A rounding that decides a branch changes a few.
        if np.count_nonzero(~same) > a.size / 1000:
            return index
    return None


def _argument(parameter: Parameter, random: np.random.Generator) -> Arg | None:
    """An argument for a parameter; None if it is neither a number nor a buffer of numbers."""
    if parameter.space is not None and parameter.space.value == "local":
        return LocalBytes(16 * 1024)
    return invented_argument(parameter, random, ELEMENTS, SIZE)


def _dimensions(kernel: Kernel) -> int:
    """The number of dimensions whose ids the kernel or a function that it calls reads."""
    function = SymbolTable.lookup_symbol(kernel.module, kernel.name)
    assert function is not None
    ids = (ocl.GlobalIdOp, ocl.LocalIdOp, ocl.GroupIdOp)
    bodies = [function, *called_functions(function)]
    return max(
        (op.dim.value.data + 1 for body in bodies for op in body.walk() if isinstance(op, ids)),
        default=1,
    )


def kernels_of(suite: ProjectFiles, path: Path) -> Iterator[tuple[Kernel, bytes, tuple[str, ...]]]:
    options = find_options(suite, path)
    text = suite.text(path)
    program = polycl.load(text, options, language="cl")
    for name in program.kernels:
        yield program.kernel(name), text, options


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--only", metavar="TEXT", help="projects or paths with TEXT in them")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N files of a project")
    parser.add_argument("--icd", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="all times")
    args = parser.parse_args(argv)
    runtimes.LIMIT = _ANSWER_SECONDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peers, missing = runtimes.peers(args.icd, folder)
        for peer, why in missing.items():
            print(f"{peer} is left out: {why}", file=sys.stderr)
        bench = Bench([Spec("polycl", "polycl"), *peers], args.threads, folder)
        found: list[Measured] = []
        try:
            for project in projects():
                suite = ProjectFiles(args.folder, project)
                files = [
                    p for p in suite.kernel_files() if (args.only or "") in f"{project.name} {p}"
                ]
                step = max(1, -(-len(files) // args.sample)) if args.sample else 1
                for path in files[::step]:
                    for result in _measure_file(bench, suite, path, folder, args.rounds):
                        report(result, found, args.json)
        finally:
            bench.close()
    print_means(found)
    return 0


def _measure_file(
    bench: Bench, suite: ProjectFiles, path: Path, folder: Path, rounds: int
) -> Iterator[Measured]:
    try:
        kernels = list(kernels_of(suite, path))
    except PolyclError:
        return
    for kernel, text, options in kernels:
        random = np.random.default_rng(0)
        arguments = [_argument(parameter, random) for parameter in kernel.parameters]
        given = [a for a in arguments if a is not None]
        if len(given) < len(arguments) or not any(isinstance(a, np.ndarray) for a in given):
            continue
        dimensions = _dimensions(kernel)
        required = kernel.required_local_size
        local = tuple(required[:dimensions]) if required else _LOCAL_SIZES[dimensions]
        whole = _GLOBAL_SIZES[dimensions]
        if required:
            whole = tuple(-(-n // s) * s for n, s in zip(whole, local, strict=True))
            if any(n > 1 for n in required[dimensions:]):
                continue
        source = folder / "kernel.cl"
        source.write_bytes(text)
        build = Build(str(source), options, kernel.name, whole, local)
        result = Measured(f"{suite.name} {path.relative_to(suite.root)}", kernel.name)
        bench.measure(result, given, build, rounds)
        yield result


def report(result: Measured, found: list[Measured], file: Path | None) -> None:
    """Print a result and add it to those that were found; all of them go into `file`, if any."""
    found.append(result)
    print_result(result)
    if file:
        file.write_text(json.dumps([asdict(r) for r in found]))


def print_result(result: Measured) -> None:
    what = f"{result.path} {result.kernel}"
    if result.is_compared:
        times = "  ".join(f"{name} {s * 1e6:.0f}" for name, s in result.seconds.items())
        print(f"{result.ratio:8.2f}  {what}: {times}", end="")
    else:
        print(f"       -  {what}", end="")
    print("".join(f"; {name}: {why}" for name, why in result.failed.items()), flush=True)


def print_means(found: Sequence[Measured]) -> None:
    compared = [r for r in found if r.is_compared and max(r.seconds.values()) > _STEADY]
    if not compared:
        return
    ratios = np.array([r.ratio for r in compared])
    print(
        f"{len(compared)} kernels: geometric mean {np.exp(np.log(ratios).mean()):.2f}, "
        f"{np.count_nonzero(ratios < 0.95)} below 0.95, least {ratios.min():.2f}"
    )
    for result in sorted(compared, key=lambda r: r.ratio)[:40]:
        print_result(result)


if __name__ == "__main__":
    sys.exit(main())
