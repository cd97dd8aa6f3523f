"""How long it takes to schedule each kernel for the simulated processor.

    python -m bench.tta_times [KERNEL...] [--machine NAME] [--method NAME] [--processes N]

For each launch of tests/kernels (default: of all of them), compiled as the tests of the device do:
the seconds of the processor's time for the passes before the scheduler, and for the scheduler with
the proof of its result. The table has the slowest launches; below it are the median and the most.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from tqdm import tqdm
from xdsl.dialects.func import FuncOp

from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.interpreter import Result
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.pipeline import METHODS, WgMethod
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import Schedule

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from launches import Launch, launches_of  # noqa: E402

SHOWN = 20
"""The launches of the table."""


class _TimedDevice(TtaDevice):
    scheduling = 0.0

    def executor(
        self, function: FuncOp, scheduled: Schedule | None = None
    ) -> Callable[[bytearray, int], Result]:
        begin = process_time()
        found = super().executor(function, scheduled)
        self.scheduling = process_time() - begin
        return found


def times(machine: str, method: WgMethod, launch: Launch) -> tuple[float, float] | str:
    """The seconds before and of scheduling, or why the processor refuses a launch."""
    device = _TimedDevice(machine, wg_method=method)
    begin = process_time()
    try:
        launch.bound(device)
    except PolyclError as error:
        return str(error).splitlines()[0]
    return process_time() - begin - device.scheduling, device.scheduling


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--machine", default="paper", metavar="NAME")
    parser.add_argument("--method", default="loops", choices=METHODS)
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    args = parser.parse_args()
    folder = ROOT / "tests" / "kernels"
    names = args.kernels or sorted(path.stem for path in folder.glob("*.cl"))
    launches = [launch for name in names for launch in launches_of(folder / f"{name}.cl")]
    with ProcessPoolExecutor(args.processes) as pool:
        work = pool.map(partial(times, args.machine, args.method), launches)
        found = list(tqdm(work, total=len(launches)))
    done = [(x, time) for x, time in zip(launches, found, strict=True) if not isinstance(time, str)]
    done.sort(key=lambda pair: -pair[1][1])
    rows = [[str(x), x.kernel, f"{a:.2f}", f"{b:.2f}"] for x, (a, b) in done[:SHOWN]]
    print(aligned([["launch", "kernel", "passes", "scheduling"], *rows]))
    seconds = [scheduling for _, (_, scheduling) in done]
    print(f"{len(done)} launches scheduled, {len(found) - len(done)} are refused")
    if seconds:
        print(f"median {median(seconds):.2f} s, most {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
