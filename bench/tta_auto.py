"""Whether `wg_method="auto"` chooses well: its cycles against those of every candidate.

    python -m bench.tta_auto [KERNEL...] [--machine NAME] [--processes N]

For the first launch of each kernel of tests/kernels (default: all whose candidates are scheduled in
a few seconds each), every method and unroll factor that `auto` considers is simulated. The table
has what `auto` chose, its cycles, the best candidate, and how many times as many cycles `auto`
takes. A launch that the processor refuses has the reason.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import prod
from pathlib import Path

from tqdm import tqdm

import polycl
from polycl.backends.tta.choose_method import ways
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.pipeline import WgMethod
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from launches import Launch, launches_of  # noqa: E402


def cycles(launch: Launch, device: TtaDevice) -> int:
    """Runs a launch. Raises PolyclError."""
    polycl.load(launch.path, launch.build_options).kernel(launch.kernel)(
        **launch.values(),
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=device,
    )
    assert device.result is not None
    return device.result.cycles


def row(machine: str, name: str) -> list[str]:
    launch = launches_of(ROOT / "tests" / "kernels" / f"{name}.cl")[0]
    try:
        with collect_remarks() as remarks:
            own = cycles(launch, TtaDevice(machine, wg_method="auto"))
    except PolyclError as error:
        return [name, "-", "-", "-", str(error).splitlines()[0][-70:]]
    texts = (str(r).split("method ")[1] for r in remarks if "cycles are estimated" in str(r))
    chosen = next(texts).split(":")[0]
    found: list[tuple[int, WgMethod, int]] = []
    for method, unroll in ways(prod(launch.local_size or (1,)), 1):
        try:
            device = TtaDevice(machine, wg_method=method, unroll=unroll, pipeline_loops=True)
            found.append((cycles(launch, device), method, unroll))
        except PolyclError:
            continue
    least, method, unroll = min(found)
    best = method if unroll == 1 else f"{method} unroll {unroll}"
    return [name, chosen, str(own), f"{best} {least}", f"{own / least:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--machine", default="paper", metavar="NAME")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    args = parser.parse_args()
    every = sorted(path.stem for path in (ROOT / "tests" / "kernels").glob("*.cl"))
    names = args.kernels or every
    with ProcessPoolExecutor(args.processes) as pool:
        rows = list(tqdm(pool.map(partial(row, args.machine), names), total=len(names)))
    print(aligned([["kernel", "auto", "cycles", "best", "times the best"], *rows]))


if __name__ == "__main__":
    main()
