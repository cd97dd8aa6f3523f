"""How long it takes to schedule each kernel for the simulated processor.

    python -m bench.tta_times [KERNEL...] [--machine NAME] [--method NAME] [--processes N]
                              [--browser N]

For each launch of tests/kernels (default: of all of them), compiled as the tests of the device do:
the seconds of the processor's time for the passes before the scheduler, and for the scheduler with
the proof of its result, and for the page of the schedule (`ocl-run --schedule`), with its size. The
table has the slowest launches; below it are the median and the most. With `--browser`, Chromium
opens the N largest pages: the seconds until it has written the picture, beside those of an empty
page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from tqdm import tqdm
from xdsl.dialects.func import FuncOp

from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.interpreter import Result
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.pipeline import METHODS, WgMethod
from polycl.backends.tta.schedule_page import BlockRun, schedule_page
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import Schedule

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "runtime")]

from explorer_scenes import take_picture  # noqa: E402

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


@dataclass(frozen=True)
class Times:
    """Seconds of the processor's time for one launch, and the page of its schedule."""

    passes: float
    scheduling: float
    writing: float
    page: str

    @property
    def size(self) -> int:
        return len(self.page.encode())


def times(machine: str, method: WgMethod, launch: Launch) -> Times | str:
    """The times of a launch, or why the processor refuses it."""
    device = _TimedDevice(machine, wg_method=method)
    begin = process_time()
    try:
        launch.bound(device)
    except PolyclError as error:
        return str(error).splitlines()[0]
    passes = process_time() - begin - device.scheduling
    assert device.schedule is not None
    program = device.schedule.program
    begin = process_time()
    blocks = [
        BlockRun(block.name or "jump", 1, len(block.instructions), "", 0)
        for block in program.blocks
    ]
    page = schedule_page(program, blocks, program.name)
    return Times(passes, device.scheduling, process_time() - begin, page)


def opened(pages: list[str]) -> list[float]:
    """The seconds from the start of Chromium until it has written the picture of each page."""
    found: list[float] = []
    with TemporaryDirectory() as folder:
        for page in pages:
            file, shot = Path(folder, "page.html"), Path(folder, "shot.png")
            file.write_text(page, encoding="utf-8")
            begin = perf_counter()
            take_picture(file.as_uri(), shot, Path(folder))
            found.append(perf_counter() - begin)
            assert shot.exists()
            shot.unlink()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--machine", default="paper", metavar="NAME")
    parser.add_argument("--method", default="loops", choices=METHODS)
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--browser", type=int, default=0, metavar="N")
    args = parser.parse_args()
    folder = ROOT / "tests" / "kernels"
    names = args.kernels or sorted(path.stem for path in folder.glob("*.cl"))
    launches = [launch for name in names for launch in launches_of(folder / f"{name}.cl")]
    with ProcessPoolExecutor(args.processes) as pool:
        work = pool.map(partial(times, args.machine, args.method), launches)
        found = list(tqdm(work, total=len(launches)))
    done = [(x, time) for x, time in zip(launches, found, strict=True) if isinstance(time, Times)]
    done.sort(key=lambda pair: -pair[1].scheduling)
    rows = [
        [
            str(x),
            x.kernel,
            f"{t.passes:.2f}",
            f"{t.scheduling:.2f}",
            f"{t.writing:.2f}",
            f"{t.size:,}",
        ]
        for x, t in done[:SHOWN]
    ]
    print(aligned([["launch", "kernel", "passes", "scheduling", "page", "bytes"], *rows]))
    print(f"{len(done)} launches scheduled, {len(found) - len(done)} are refused")
    if done:
        seconds = [t.scheduling for _, t in done]
        print(f"scheduling: median {median(seconds):.2f} s, most {max(seconds):.2f} s")
        most, size = max(t.writing for _, t in done), max(t.size for _, t in done)
        print(f"pages: most {most:.2f} s to write, most {size:,} bytes")
        largest = sorted(done, key=lambda pair: -pair[1].size)[: args.browser]
        if largest:
            empty, *seconds = opened(["<!doctype html>", *(t.page for _, t in largest)])
            print(f"Chromium: {empty:.1f} s for an empty page")
            for (x, t), took in zip(largest, seconds, strict=True):
                print(f"{x}: {t.size:,} bytes, {took:.1f} s")


if __name__ == "__main__":
    main()
