"""How long it takes from a source to its first result, with an empty cache.

    python -m bench.first_result [--every N] [--peer NAME=LIBRARY.so ...]

For every Nth launch of `tests/kernels` and `examples`: `polycl.load` and one launch in a process
that has loaded polycl and its arguments, with a warm server and without one. A peer is an OpenCL
driver: its program is built and launched in a process that has its context and the buffers.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

PROGRAM = """
import json, sys, tempfile, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import polycl
from launches import launches_of
launch = launches_of(Path(sys.argv[2]))[int(sys.argv[3])]
values, load, device = launch.values(), polycl.load, polycl.device("cpu")
sizes = {"global_size": launch.global_size, "local_size": launch.local_size}
with tempfile.TemporaryDirectory() as folder, polycl.cache_in(folder):
    start = time.perf_counter()
    kernel = load(launch.path, launch.build_options).kernel(launch.kernel)
    kernel(**values, **sizes, global_offset=launch.global_offset, device=device)
    print(json.dumps(time.perf_counter() - start))
"""


PEER = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import numpy as np, polycl
from bench.case import LocalBytes
from bench.opencl_runtime import OpenCLRuntime
from bench.protocol import Build
from launches import launches_of
from polycl.backends.device import LocalMemory
path = Path(sys.argv[2])
launch = launches_of(path)[int(sys.argv[3])]
bound = launch.bound(polycl.device("interp"))
runtime = OpenCLRuntime()
args = [LocalBytes(a.nbytes) if isinstance(a, LocalMemory) else a for a in bound.args]
runtime.load(args)
space = launch.global_size, launch.local_size
build = Build(str(path), tuple(launch.build_options), launch.kernel, *space)
start = time.perf_counter()
runtime.prepare(build)()
print(json.dumps(time.perf_counter() - start))
"""


def seconds(program: str, path: Path, number: int, **variables: str) -> float | None:
    """The time of a launch; None if it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", program, str(ROOT / "tests"), str(path), str(number)],
            env={**os.environ, "POCL_CACHE_DIR": folder, "PYOPENCL_NO_CACHE": "1", **variables},
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=10, metavar="N")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=LIBRARY.so")
    args = parser.parse_args()
    every: int = args.every
    peers = dict(peer.split("=", 1) for peer in args.peer)
    from launches import all_launches, launches_of

    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        launches = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")[::every]
        paths = [(launch.path, launches_of(launch.path).index(launch)) for launch in launches]
        # The first starts the server.
        seconds(PROGRAM, *paths[0], POLYCL_SERVER="1")
        time.sleep(5)
        names = ("with a warm server", "without one", *peers)
        print(f"ms {', '.join(names)}; kernel")
        columns: list[list[float]] = [[] for _ in names]
        for path, number in paths:
            own = [seconds(PROGRAM, path, number, POLYCL_SERVER=server) for server in ("1", "0")]
            others = [
                seconds(PEER, path, number, OCL_ICD_VENDORS=driver, OCL_ICD_FILENAMES=driver)
                for driver in peers.values()
            ]
            times = [time for time in (*own, *others) if time is not None]
            if len(times) < len(names):
                # What one of them refuses cannot be compared.
                continue
            print(*(f"{time * 1e3:7.0f}" for time in times), f" {path.stem}:{number}", flush=True)
            for column, value in zip(columns, times, strict=True):
                column.append(value)
        for name, column in zip(names, columns, strict=True):
            middle, most = statistics.median(column), max(column)
            print(f"{name}: {len(column)} kernels, median {middle:.3f} s, most {most:.3f} s")


if __name__ == "__main__":
    main()
