"""Recorded programs after the host passes that `POLYCL_PORT` does not apply: layouts, coarsening.

    python -m bench.recorded_ways FOLDER/*/*.log [--runs N]

The logs are those of POLYCL_RECORD (`bench.ported` leaves them in `build/recordings/recorded`).
Each is replayed on the device `cpu`, on one thread, as it is and after each way that changes it:
`ocl-data-layout` for each platform, `ocl-reorganize-threads` by 2, 4 and 8 along x and y. A row has
the processor time of the launches as they are, of those of the way, and of its transposes; the last
two are shares of the first. A way would pay if their sum is below 1. `equal` compares what the host
reads with the recording.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from polycl.backends.cpu.device import CpuDevice
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError
from polycl.runtime.host.driver_log import read_log
from polycl.runtime.host.host_program import HostFunction
from polycl.runtime.host.recorded_data import TOLERANCE, differences
from polycl.runtime.program import load

_PLATFORMS = ("polycl-cpu", "intel-cpu", "amd-cpu", "nvidia-gpu", "amd-gpu", "tilera")
_LAYOUT = "ocl-data-layout"


def ways() -> Iterator[str]:
    """The pipelines that are tried."""
    for platform in _PLATFORMS:
        yield f"{_LAYOUT}{{platform={platform}}}"
    for dimension in "xy":
        for factor in (2, 4, 8):
            yield f"ocl-reorganize-threads{{dimension={dimension} factor={factor}}}"


def changed(module: ModuleOp, way: str) -> ModuleOp | None:
    """The module after a way; None if that changes nothing, or is refused."""
    result = module.clone()
    try:
        run_pipeline(result, way)
    except PolyclError:
        return None
    return None if result.is_structurally_equivalent(module) else result


def host_of(module: ModuleOp, path: Path) -> HostFunction:
    """The program of a module, which is beside the recorded data."""
    path.write_text(f"{module!s}\n", encoding="utf-8")
    host = load(path).host()
    host.clock = time.process_time
    return host


def run(host: HostFunction, device: CpuDevice) -> tuple[float, float, bool]:
    """The seconds of launches and of transposes, and whether all reads gave what was recorded."""
    values = {name: array.first() for name, array in host.recorded.items()}
    host(*values.values(), device=device)
    moves = ("host code", "host.launch @transpose")
    moved = sum(t.seconds for t in host.times if t.command.startswith(moves))
    launches = sum(t.seconds for t in host.times if t.command.startswith("host.launch"))
    launches -= sum(t.seconds for t in host.times if t.command.startswith(moves[1]))
    found = differences(host.recorded, values).values()
    return launches, moved, all(d is None or d <= TOLERANCE for d in found)


def rows(log: Path, runs: int) -> Iterator[str]:
    """The rows of a log: of each way that changes it in a way of its own."""
    module = read_log(log)
    device = CpuDevice(threads=1)
    plain = host_of(module, log.with_name("as_is.mlir"))
    known: list[ModuleOp] = []
    for way in ways():
        result = changed(module, way)
        if result is None or any(result.is_structurally_equivalent(other) for other in known):
            continue
        known.append(result)
        try:
            other = host_of(result, log.with_name("way.mlir"))
            pairs = [(run(plain, device), run(other, device)) for _ in range(1 + runs)][1:]
        except PolyclError as error:
            yield f"| {log.stem} | {way} | | | | {str(error).splitlines()[0][-90:]} |"
            continue
        before = min(old[0] for old, _ in pairs)
        after, moved = min(new[0] for _, new in pairs), min(new[1] for _, new in pairs)
        moved -= min(old[1] for old, _ in pairs)
        equal = "yes" if all(new[2] for _, new in pairs) else "no"
        numbers = f"{before * 1e3:.1f} ms | {after / before:.2f} | {moved / before:.2f}"
        yield f"| {log.stem} | {way} | {numbers} | {equal} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    print("| program | way | launches | after the way | transposes | equal |")
    print("|---" * 6 + "|", flush=True)
    for log in args.logs:
        try:
            for row in rows(log, args.runs):
                print(row, flush=True)
        except PolyclError as error:
            print(f"| {log.stem} | | | | | {str(error).splitlines()[0][-90:]} |", flush=True)


if __name__ == "__main__":
    main()
