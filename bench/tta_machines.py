"""Which architecture definitions of a folder load, and which kernels run right on them.

    python -m bench.tta_machines FOLDER [--processes N] [--memory BYTES] [--kernels NAME,...]
                                        [--kept FILE] [--page FILE]

For each `.adf` file below FOLDER: whether it loads, and whether saxpy, a reduction over a barrier
and the DCT of 8x8 blocks leave what the interpreter leaves, with their cycles; else the reason.
Files with equal machines are tried once. Data memories smaller than BYTES (default 64 KiB) are
enlarged, since a kernel needs 17 KiB and its arrays: such files are marked with `+`. Each machine's
results are added to FILE as they come, and machines that are in FILE are not tried again. `--page`
writes the table as docs/tta/machines.md has it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import polycl
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.machine_table import aligned
from polycl.dialects.tta import Machine, from_adf
from polycl.errors import PolyclError

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Trial:
    """A kernel, its launch and its arrays."""

    path: str
    kernel: str
    size: tuple[int, ...]
    local: tuple[int, ...]

    def values(self) -> dict[str, Any]:
        numbers = np.random.default_rng(0).uniform(-8, 8, 64).astype(np.float32)
        match self.kernel:
            case "saxpy":
                return {"x": numbers[:16], "y": numbers[16:32].copy(), "a": 1.5}
            case "reduce":
                out = np.zeros(2, np.float32)
                return {"in": numbers[:32], "out": out, "tile": polycl.Local(64)}
            case _:
                return {"in": numbers.reshape(8, 8), "out": np.zeros((8, 8), np.float32)}


TRIALS = {
    "saxpy": Trial("examples/saxpy.cl", "saxpy", (16,), (4,)),
    "reduce": Trial("examples/reduce.cl", "reduce", (32,), (16,)),
    "dct": Trial("tests/kernels/dct8.cl", "dct", (8, 8), (8, 8)),
}


def enlarged(machine: Machine, memory: int) -> Machine:
    """The machine with at least `memory` bytes of data memory."""
    spaces = tuple(
        replace(space, minimum=0, maximum=max(space.maximum, memory - 1))
        if space.name == machine.data_space
        else space
        for space in machine.spaces
    )
    return replace(machine, spaces=spaces)


@dataclass(frozen=True)
class Found:
    """What a kernel did on a machine."""

    kernel: str
    cycles: int | None
    """None if it does not run right."""
    seconds: float
    """Those of compiling, simulating and interpreting."""
    reason: str = ""

    def __str__(self) -> str:
        return "-" if self.cycles is None else str(self.cycles)


def attempt(machine: Machine, names: tuple[str, ...]) -> list[Found]:
    """What each trial did."""
    found: list[Found] = []
    for name in names:
        begin, cycles, reason = time.perf_counter(), None, ""
        try:
            cycles = _run(machine, TRIALS[name])
        except PolyclError as error:
            reason = str(error).split(": error: ")[-1].splitlines()[0]
        found.append(Found(name, cycles, round(time.perf_counter() - begin, 2), reason))
    return found


def _run(machine: Machine, trial: Trial) -> int:
    kernel = polycl.load(ROOT / trial.path).kernel(trial.kernel)
    device = TtaDevice(machine)
    results: list[Mapping[str, object]] = []
    for target in (device, polycl.device("interp")):
        values = trial.values()
        kernel(**values, global_size=trial.size, local_size=trial.local, device=target)
        results.append(values)
    for key, value in results[0].items():
        if isinstance(value, np.ndarray):
            expected = results[1][key]
            assert isinstance(expected, np.ndarray)
            assert np.array_equal(value.view(np.uint32), expected.view(np.uint32)), key
    assert device.result is not None
    return device.result.cycles


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--memory", type=int, default=1 << 16, metavar="BYTES")
    parser.add_argument("--kernels", default=",".join(TRIALS), metavar="NAME,...")
    parser.add_argument("--kept", type=Path, metavar="FILE")
    parser.add_argument("--page", type=Path, metavar="FILE")
    args = parser.parse_args()
    names = tuple(args.kernels.split(","))
    machines: dict[Path, Machine] = {}
    refused: dict[Path, str] = {}
    small: set[Path] = set()
    files = sorted(args.folder.rglob("*.adf"))
    for path in files:
        try:
            machine = from_adf(path.read_text(encoding="utf-8"), path.name)
        except (PolyclError, UnicodeDecodeError) as error:
            refused[path] = str(error).splitlines()[0]
            continue
        machines[path] = enlarged(machine, args.memory)
        if machines[path] != machine:
            small.add(path)
    unique = {machine: path for path, machine in reversed(machines.items())}
    keys = {machine: str(path.relative_to(args.folder)) for machine, path in unique.items()}
    results = _kept(args.kept)
    waiting = [machine for machine, key in reversed(keys.items()) if key not in results]
    with ProcessPoolExecutor(args.processes) as pool:
        futures = {pool.submit(attempt, machine, names): keys[machine] for machine in waiting}
        for done in tqdm(as_completed(futures), total=len(futures), unit="machine"):
            key = futures[done]
            results[key] = done.result()
            if args.kept is not None:
                with args.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, [vars(one) for one in results[key]]]) + "\n")
    rows: list[Row] = []
    for path in files:
        name = str(path.relative_to(args.folder))
        if path in refused:
            rows.append(Row(name, "no", tuple("-" for _ in names), (refused[path],)))
            continue
        found = results[keys[machines[path]]]
        reasons = tuple(dict.fromkeys(one.reason for one in found if one.reason))
        loads = "yes+" if path in small else "yes"
        rows.append(Row(name, loads, tuple(map(str, found)), reasons))
    titles = ["file", "loads", *names, "reason"]
    print(aligned([titles, *([r.file, r.loads, *r.cycles, "; ".join(r.reasons)] for r in rows)]))
    able = sum(machine.lacks() is None for machine in machines.values())
    print(f"{len(machines)} of {len(files)} load; {able} have the parts that every program needs")
    for i, name in enumerate(names):
        count = sum(row.cycles[i] != "-" for row in rows)
        print(f"{name}: {count}, {100 * count / max(able, 1):.0f} % of those")
    if args.page is not None:
        args.page.write_text(page(names, rows), encoding="utf-8")


@dataclass(frozen=True)
class Row:
    """A file of the table."""

    file: str
    loads: str
    cycles: tuple[str, ...]
    reasons: tuple[str, ...]


def page(names: tuple[str, ...], rows: list[Row]) -> str:
    """The table in Markdown, with the reasons as numbers that are explained below it."""
    known = Counter(reason for row in rows for reason in row.reasons)
    number = {reason: i for i, (reason, _) in enumerate(known.most_common(), 1)}
    lines = [f"| file | loads | {' | '.join(names)} | reason |", "|---" * (len(names) + 3) + "|"]
    for row in rows:
        reasons = ", ".join(str(number[reason]) for reason in row.reasons)
        lines.append(f"| `{row.file}` | {row.loads} | {' | '.join(row.cycles)} | {reasons} |")
    lines += ["", "| reason | files | |", "|---|---|---|"]
    for reason, i in number.items():
        text = reason.removeprefix("device 'tta': the machine runs no kernel: ")
        lines.append(f"| {i} | {known[reason]} | {text} |")
    return "\n".join(lines) + "\n"


def _kept(path: Path | None) -> dict[str, list[Found]]:
    """The results in a file by the name of the architecture definition."""
    if path is None or not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {name: [Found(**one) for one in found] for name, found in lines}


if __name__ == "__main__":
    main()
