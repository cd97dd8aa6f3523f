"""`python -m bench.lift_emit FOLDER`: derived programs as OpenCL C, for `bench.lift_gpu`.

`python -m bench.lift_emit --check FILE.npz` compares the results that `bench.lift_gpu` saved with
those of the cpu device.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import polycl
from bench.lift_ours import PROGRAMS, Memory, Plan, our_contender, plan_of
from bench.lift_works import Work, works
from polycl.backends.opencl_c.write_module import emit


def entry_of(work: Work, plan: Plan, source: str) -> dict[str, Any]:
    """What `bench.lift_gpu.Program` takes."""
    numbers = {id(buffer): number for number, buffer in enumerate(plan.buffers)}

    def argument(arg: Memory | str | int) -> dict[str, Any]:
        if isinstance(arg, Memory):
            return {"buffer": numbers[id(arg)]}
        return {"argument": arg} if isinstance(arg, str) else {"long": arg}

    return {
        "work": work.label,
        "variant": "derived",
        "source": source,
        "buffers": [
            {"argument": buffer.argument}
            if buffer.argument
            else {"bytes": int(np.prod(buffer.shape)) * buffer.dtype.itemsize}
            for buffer in plan.buffers
        ],
        "results": [numbers[id(buffer)] for buffer in plan.result],
        "launches": [
            {
                "kernel": launch.kernel,
                "global": launch.global_size,
                "local": launch.local_size,
                "args": [argument(arg) for arg in launch.args],
            }
            for launch in plan.launches
        ],
    }


def check(path: Path) -> None:
    """Prints how far results of another machine are from those of the cpu device."""
    saved = np.load(path)
    device = polycl.device("cpu")
    for work in works():
        if work.label not in saved:
            continue
        values = work.inputs()
        contender = our_contender(work, values, device)
        contender.call()
        ours, theirs = contender.result().reshape(-1), saved[work.label]
        off = float(np.abs(ours[: len(theirs)] - theirs).max() / np.abs(theirs).max())
        print(f"{work.label}: the first {len(theirs)} elements differ by up to {off:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lift_emit", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--check", type=Path, metavar="FILE.npz")
    parser.add_argument("--target", default="gpu", help="whose scripts: NAME.TARGET.deriv")
    args = parser.parse_args()
    if args.check:
        check(args.check)
    if args.folder is None:
        return
    args.folder.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    for work in works():
        if not (PROGRAMS / f"{work.name}.{args.target}.deriv").exists():
            continue
        plan = plan_of(work, args.target)
        source = f"{work.name}-{work.size}.cl"
        (args.folder / source).write_text(emit(plan.program.module).text)
        entries.append(entry_of(work, plan, source))
        print(f"{work.label}: {', '.join(launch.kernel for launch in plan.launches)}")
    (args.folder / "programs.json").write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
