"""`python -m bench.lift_emit FOLDER`: derived programs as OpenCL C, for `bench.lift_gpu`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from bench.lift_ours import PROGRAMS, Memory, Plan, plan_of
from bench.lift_works import Work, works
from polycl.backends.opencl_c.emit import emit


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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lift_emit", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="gpu", help="whose scripts: NAME.TARGET.deriv")
    args = parser.parse_args()
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
