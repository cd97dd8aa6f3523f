"""How long it takes from a source to its first result, with an empty cache.

    python -m bench.first_result [--every N]

For every Nth launch of `tests/kernels` and `examples`: `polycl.load` and one launch in a process
that has loaded polycl and its arguments, with a warm server and without one.
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


def seconds(path: Path, number: int, server: str) -> float | None:
    """The time of a launch; None if it is refused."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(ROOT / "tests"), str(path), str(number)],
        env={**os.environ, "POLYCL_SERVER": server},
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=10, metavar="N")
    every = parser.parse_args().every
    from launches import all_launches, launches_of

    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        launches = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")[::every]
        paths = [(launch.path, launches_of(launch.path).index(launch)) for launch in launches]
        # The first starts the server.
        seconds(*paths[0], "1")
        time.sleep(5)
        print("ms with a warm server, without one; kernel")
        columns: list[list[float]] = [[], []]
        for path, number in paths:
            times = [seconds(path, number, server) for server in ("1", "0")]
            if times[0] is not None and times[1] is not None:
                print(f"{times[0] * 1e3:7.0f} {times[1] * 1e3:7.0f}  {path.stem}:{number}")
                for column, value in zip(columns, times, strict=True):
                    column.append(value or 0.0)
        for name, column in zip(("with", "without"), columns, strict=True):
            middle, most = statistics.median(column), max(column)
            print(f"{name}: {len(column)} kernels, median {middle:.3f} s, most {most:.3f} s")


if __name__ == "__main__":
    main()
