"""Whether `wg_method="auto"` chooses well: its cycles against those of every candidate.

    python -m bench.tta_auto [KERNEL...] [--machine NAME] [--processes N]

For the first launch of each kernel of tests/kernels, all methods and unroll factors that `auto`
considers are scheduled once and simulated. The table has what `auto` chose, its cycles, the best
candidate, how many times as many cycles `auto` takes, and the seconds of the processor's time that
it took to schedule all candidates. All candidates must leave the same values. A launch that the
processor refuses has the reason.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.cpu.compile import no_collection
from polycl.backends.device import Executable, KernelArg, NDRange
from polycl.backends.tta.choose_method import Candidate, candidates, near
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.launch import TtaExecutable
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.try_methods import best_of
from polycl.errors import PolyclError

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from launches import launches_of  # noqa: E402


class _EveryDevice(TtaDevice):
    """A launch executes each candidate, on arguments of its own."""

    seconds = 0.0
    chosen: str
    """What `auto` chooses."""
    runs: list[tuple[Candidate, int]]
    """The candidates and their simulated cycles."""

    def compile(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> Executable:
        begin = process_time()
        with no_collection():
            legalise, types = self.legaliser(module, kernel, ndrange)
            of_method = self.of_method(legalise, ndrange)
            found = list(candidates(of_method, self.core, ndrange, self.unroll, True))
        self.seconds = process_time() - begin
        every = _Every(self)
        for candidate in found:
            execute = self.simulator(candidate.scheduled)
            executable = TtaExecutable(candidate.function, types, ndrange, execute)
            every.pairs.append((candidate, executable))
        return every


@dataclass
class _Every(Executable):
    device: _EveryDevice
    pairs: list[tuple[Candidate, TtaExecutable]] = field(
        default_factory=list[tuple[Candidate, TtaExecutable]]
    )

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.device.runs = []
        of = {str(candidate): executable for candidate, executable in self.pairs}
        contenders = sorted(near([c for c, _ in self.pairs]), key=lambda c: c.cycles)
        self.device.chosen = str(best_of(contenders, lambda c: of[str(c)], args, ndrange))
        first: list[bytes] | None = None
        for candidate, executable in self.pairs:
            own = [_copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
            executable.run(own, ndrange)
            found = [arg.tobytes() for arg in own if isinstance(arg, np.ndarray)]
            first = first or found
            assert found == first, f"{candidate} leaves other values than {self.pairs[0][0]}"
            assert self.device.result is not None
            self.device.runs.append((candidate, self.device.result.cycles))


def _copy(array: NDArray[Any]) -> NDArray[Any]:
    """With the padding of structures, which numpy's copies leave unset."""
    return np.frombuffer(bytearray(array.tobytes()), array.dtype).reshape(array.shape)


def row(machine: str, name: str) -> list[str]:
    launch = launches_of(ROOT / "tests" / "kernels" / f"{name}.cl")[0]
    device = _EveryDevice(machine, wg_method="auto")
    try:
        launch.bound(device).prepared()
    except PolyclError as error:
        return [name, "-", "-", "-", "-", "-", str(error).splitlines()[0][-70:]]
    own = next(cycles for candidate, cycles in device.runs if str(candidate) == device.chosen)
    best, least = min(device.runs, key=lambda run: run[1])
    seconds = f"{device.seconds:.1f}"
    every = ", ".join(f"{c} {c.cycles}/{cycles}" for c, cycles in device.runs)
    return [name, device.chosen, str(own), f"{best} {least}", f"{own / least:.2f}", seconds, every]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--machine", default="paper", metavar="NAME")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    args = parser.parse_args()
    every = sorted(path.stem for path in (ROOT / "tests" / "kernels").glob("*.cl"))
    names = args.kernels or every
    rows: list[list[str]] = []
    with ProcessPoolExecutor(args.processes) as pool:
        for found in tqdm(pool.map(partial(row, args.machine), names), total=len(names)):
            rows.append(found)
            print("  ".join(found), file=sys.stderr, flush=True)
    head = ["kernel", "auto", "cycles", "best", "times the best", "seconds", "estimated/simulated"]
    print(aligned([head, *rows]))
    factors = [float(found[4]) for found in rows if found[4] != "-"]
    worse = sum(factor > 1.1 for factor in factors)
    print(f"{len(factors)} kernels, {worse} of them more than 1.1 times the best", end="")
    print(f"; at most {max(factors):.2f}" if factors else "")


if __name__ == "__main__":
    main()
