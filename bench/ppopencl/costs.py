"""`python -m bench.ppopencl --costs`: the cost model of the host passes against measurement.

Each program runs as it is, as `ppopencl` makes it for the platform, and in variants that decide one
thing in another way: another dimension or factor of merging, another layout, other vectors. The
table has the order of the variants as the model predicts it and as they are measured (the rank
correlation of Spearman), and the loss of the model's choice: its time over the least of all variants.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import polycl
from bench.ppopencl.settings import PROGRAMS, RUNTIMES, Runtime
from bench.programs.inputs import Arguments, inputs
from polycl.analysis.host.platforms import platform
from polycl.backends.device import Device
from polycl.backends.opencl_c.device import OpenclDevice
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError
from polycl.runtime.host.host_program import HostFunction

PREPARE = "ppopencl{reorganize=false layout=false vectorize=false platform=P}"
THREADS = {
    "none": "",
    "model": "ocl-reorganize-threads{platform=P before_vectors=B}",
    **{
        f"{d}{factor}": f"ocl-reorganize-threads{{platform=P dimension={d} factor={factor}}}"
        for d in "xy"
        for factor in (4, 16)
    },
}
LAYOUTS = {
    "none": "",
    "model": "ocl-data-layout{platform=P}",
    "other": "ocl-data-layout{platform=P always=true}",
}
VECTORS = {
    "none": "",
    "model": "ocl-holistic-vectorize{platform=P}",
    **{str(n): f"ocl-holistic-vectorize{{platform=P factor={n}}}" for n in (4, 8, 16)},
}
CHOICE = ("model", "model", "model")


def variants() -> list[tuple[str, str, str]]:
    """The decisions (threads, layout, vectors): all subsets of the model's, and those that differ
    from the model's in one."""
    found = {CHOICE: None}
    found |= {
        (t, l, v): None
        for t in ("none", "model")
        for l in ("none", "model")
        for v in ("none", "model")
    }
    found |= {(t, "model", v): None for t in THREADS for v in ("none", "model")}
    found |= {(t, "other", v): None for t in ("none", "model") for v in ("none", "model")}
    found |= {("none", "model", v): None for v in VECTORS}
    found |= {("model", "model", v): None for v in VECTORS}
    return list(found)


def pipelines(decisions: tuple[str, str, str], name: str) -> list[str]:
    threads, layout, vectors = decisions
    texts = [PREPARE, THREADS[threads], LAYOUTS[layout], VECTORS[vectors]]
    before = "false" if vectors == "none" else "true"
    return [
        text.replace("P}", name + "}").replace("=P ", f"={name} ").replace("=B", "=" + before)
        for text in texts
        if text
    ]


@dataclass
class Variant:
    decisions: list[str]
    """All decisions that give this program."""
    function: HostFunction
    seconds: list[float] = field(default_factory=list)
    kernels: list[float] = field(default_factory=list)


def made(name: str, target: str) -> list[Variant]:
    found: dict[str, Variant] = {}
    for decisions in variants():
        module = polycl.load(PROGRAMS / name / "host.c").module.clone()
        try:
            for text in pipelines(decisions, target):
                run_pipeline(module, text)
            key = str(module)
            if key not in found:
                found[key] = Variant([], polycl.Program(module, name).host(name))
        except PolyclError as error:
            print("   ", decisions, str(error).splitlines()[0])
            continue
        found[key].decisions.append("/".join(decisions))
    return list(found.values())


def run(variant: Variant, device: Device, given: Arguments) -> Arguments:
    args = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in given.items()}
    if isinstance(device, OpenclDevice):
        device.times.clear()
    begin = time.perf_counter()
    variant.function(**args, device=device)
    variant.seconds.append(time.perf_counter() - begin)
    if isinstance(device, OpenclDevice):
        variant.kernels.append(sum(t.seconds for t in device.times))
    else:
        launches = [
            t
            for t in variant.function.times
            if t.command.startswith(("host.launch", "host.transpose"))
        ]
        variant.kernels.append(sum(t.seconds for t in launches))
    return args


def measure(name: str, runtime: Runtime, size: str, rounds: int, budget: float) -> list[Variant]:
    from bench.ppopencl.__main__ import difference

    device = runtime.device(profile=True)
    given = inputs(name, size)
    found = made(name, runtime.platform)
    right: Arguments = {}
    begin = time.perf_counter()
    for variant in list(found):
        try:
            result = run(variant, device, given)
        except PolyclError as error:
            print("   ", variant.decisions, str(error).splitlines()[0])
            found.remove(variant)
            continue
        right = right or result
        if worst := difference(right, result):
            print("   WRONG", variant.decisions, worst)
            found.remove(variant)
        # The first call compiles; it tells roughly how long the kernels take.
        variant.seconds.clear()
    for number in range(rounds):
        quick = min(min(v.kernels) for v in found)
        best = min((min(v.seconds, default=1e9) for v in found), default=0)
        for variant in found:
            ours = "model/model/model" in variant.decisions
            if (
                ours
                or (
                    min(variant.seconds, default=0) < 1.3 * best
                    and min(variant.kernels) < 3 * quick + 0.005
                )
                or (number == 0 and min(variant.kernels) < 2)
            ):
                run(variant, device, given)
        if time.perf_counter() - begin > budget:
            break
    for variant in found:
        variant.seconds = variant.seconds or [min(variant.kernels)]
    return found


def main() -> None:
    import sys

    which, label, size, rounds, budget, *names = sys.argv[1:]
    runtime = RUNTIMES[which]
    result = {}
    path = Path(f"/tmp/costs/{label}.json")
    for name in names:
        try:
            found = measure(name, runtime, size, int(rounds), float(budget))
        except Exception as error:
            print(name, repr(error))
            continue
        result[name] = [[v.decisions, v.seconds, v.kernels] for v in found]
        best = min(min(v.seconds) for v in found)
        bk = min(min(v.kernels) for v in found)
        (ours,) = (v for v in found if "model/model/model" in v.decisions)
        print(
            name,
            len(found),
            "variants; all",
            f"{min(ours.seconds) * 1e3:.4g} ms, loss whole {min(ours.seconds) / best:.3f}, kernels {min(ours.kernels) / bk:.3f}",
            flush=True,
        )
        for v in sorted(found, key=lambda v: min(v.seconds)):
            print(
                f"    {min(v.seconds) * 1e3:9.4g} {min(v.kernels) * 1e3:9.4g} {v.decisions}",
                flush=True,
            )
        path.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
