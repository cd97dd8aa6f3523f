"""What the OpenCL driver costs a program, beside other drivers.

    python -m bench.icd [--peer NAME=LIBRARY.so ...] [--rounds 5]

Each driver runs `host.c` in a process of its own, in turns; the table has the minimum and the
median of all rounds in microseconds, and the ratio of the best peer's minimum to ours. "cold" is
the first process with an empty cache (our compiler's server is warm, as it is after the first
program of an account), all others are warm. A loader of the system is needed (Debian's
ocl-icd-opencl-dev).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from polycl.runtime.icd.driver import DRIVER, FOLDER, build_driver

HOST = Path(__file__).with_name("host.c")
CACHES = ("POLYCL_CACHE_DIR", "POCL_CACHE_DIR", "XDG_CACHE_HOME")
"""The variables in which the drivers look for the folder of their cache."""

Results = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.icd", description=__doc__)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=LIBRARY.so")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polycl-") as folder:
        own = Path(folder, DRIVER)
        build_driver(own)
        drivers = {"polycl": str(own)} | dict(peer.split("=", 1) for peer in args.peer)
        host = Path(folder, "host")
        compiler = shutil.which("cc") or "cc"
        command = [compiler, "-O2", f"-I{FOLDER}", str(HOST), "-o", str(host), "-lOpenCL"]
        subprocess.run([*command, "-pthread"], check=True)
        results = {name: measure_cold(host, library, folder) for name, library in drivers.items()}
        for _ in range(args.rounds):
            for name, library in drivers.items():
                for what, value in run(host, library, Path(folder, "caches", name)).items():
                    results[name].setdefault(what, []).append(value)
    print_table(results)


def measure_cold(host: Path, library: str, folder: str) -> Results:
    """The build with an empty cache, after one run that loads files from disk."""
    times: list[float] = []
    for n in range(3):
        cache = Path(folder, f"cold-{n}-{time.time_ns()}")
        times.append(run(host, library, cache)["build"])
    return {"build_cold": times[1:]}


def run(host: Path, library: str, cache: Path) -> dict[str, float]:
    """The lines of one process, and the time of listing the platform."""
    cache.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"OCL_ICD_VENDORS": library, "POLYCL_PYTHON": sys.executable}
    environment |= dict.fromkeys(CACHES, str(cache))
    done = subprocess.run([host], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    lines = dict(line.split() for line in done.stdout.splitlines())
    if shutil.which("clinfo"):
        start = time.perf_counter()
        subprocess.run(["clinfo", "-l"], env=environment, stdout=subprocess.DEVNULL, check=True)
        lines["clinfo"] = str((time.perf_counter() - start) * 1e6)
    return {what: float(value) for what, value in lines.items()}


def print_table(results: dict[str, Results]) -> None:
    peers = [name for name in results if name != "polycl"]
    print(f"{'us (minimum, median)':<22}" + "".join(f"{n:>24}" for n in results) + f"{'ratio':>9}")
    for what, ours in results["polycl"].items():
        cells = "".join(f"{_cell(results[name].get(what, [])):>24}" for name in results)
        best = min((min(results[n][what]) for n in peers if results[n].get(what)), default=0.0)
        print(f"{what:<22}{cells}{best / min(ours) if best else 0:>9.2f}")


def _cell(values: list[float]) -> str:
    return f"{min(values):,.3f} {statistics.median(values):,.3f}" if values else "-"


if __name__ == "__main__":
    main()
