"""What Oclgrind finds of the defects planted in tests/oracle: `python -m bench.oclgrind_planted`.

Each kernel `bug` and its twin `clean` is launched by a process of its own under
`oclgrind --data-races --uninitialized`. A table says for each kind how many kernels it has a
message about, in whatever words, and about how many twins.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 60


def main() -> None:
    parser = argparse.ArgumentParser(description="Oclgrind on the planted defects.")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true", help="name what it does not find")
    parser.add_argument("--launch", nargs=2, metavar=("FILE", "KERNEL"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.launch:
        launch(Path(args.launch[0]), args.launch[1])
        return
    files = sorted((ROOT / "tests" / "oracle").glob("*.cl"))
    pairs = [(file, kernel) for file in files for kernel in ("bug", "clean")]
    counts: Counter[tuple[str, str]] = Counter()
    with ThreadPoolExecutor(args.jobs) as pool:
        for (file, kernel), found in zip(pairs, pool.map(has_message, pairs), strict=True):
            kind = (re.findall(r"^// EXPECT: (\w+)", file.read_text(), re.M) or ["?"])[0]
            counts[kind, kernel] += 1
            counts[kind, f"{kernel} found"] += found
            if args.verbose and found != (kernel == "bug"):
                print(f"{file.stem} {kernel}: {'a message' if found else 'nothing'}")
    print(f"{'kind':<16}{'planted':>8}{'found':>8}{'false alarms':>14}")
    for kind in dict.fromkeys(kind for kind, _ in counts):
        row = [counts[kind, what] for what in ("bug", "bug found", "clean found")]
        print(f"{kind:<16}{row[0]:>8}{row[1]:>8}{row[2]:>14}")


def has_message(pair: tuple[Path, str]) -> bool:
    file, kernel = pair
    own = [sys.executable, "-m", "bench.oclgrind_planted", "--launch", str(file), kernel]
    command = ["oclgrind", "--data-races", "--uninitialized", *own]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode and "pyopencl" in done.stderr:
        print(f"{file.stem} {kernel}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    text = re.sub(r"^.*(warning:|Warning).*$", "", done.stderr, flags=re.M)
    return bool(re.search(r"Invalid|race|Uninitialized|divergen|unaligned|Unaligned|Work-", text))


def launch(file: Path, kernel: str) -> None:
    """Launch a planted kernel on the first OpenCL platform."""
    import numpy as np
    import pyopencl as cl

    sys.path.insert(0, str(ROOT / "tests"))
    import polycl
    from launches import launches_of  # pyright: ignore[reportMissingImports]
    from polycl.backends.device import LocalMemory

    (found,) = (one for one in launches_of(file) if one.kernel == kernel)
    bound = found.bound(polycl.device("interp"))
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, file.read_text()).build(list(found.build_options))
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    compiled = cl.Kernel(program, kernel)
    args = [
        cl.Buffer(context, flags, hostbuf=arg)
        if isinstance(arg, np.ndarray)
        else cl.LocalMemory(arg.nbytes)
        if isinstance(arg, LocalMemory)
        else arg
        for arg in bound.args
    ]
    compiled.set_args(*args)
    cl.enqueue_nd_range_kernel(queue, compiled, found.global_size, found.local_size)
    queue.finish()


if __name__ == "__main__":
    main()
