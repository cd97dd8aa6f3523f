"""Programs of Rodinia and Parboil as they are: recorded, replayed, transformed and replayed.

    python -m bench.recordings --rodinia FOLDER --parboil FOLDER [--build FOLDER] [PROGRAM ...]

The folders are checkouts of github.com/yuhc/gpu-rodinia and gpu-parboil, which are copied, and
built with their own Makefiles (Parboil: its sources and `parboil_opencl.c`) against libOpenCL and
its headers (Debian: `ocl-icd-opencl-dev`). Their data are not in these checkouts:
`bench/recordings_data.py` makes small ones of the same form.

A row has `yes` where a step was successful: `runs` on the platform, `recorded`, `replayed` with the
recorded results, then after `-p ppopencl{platform=P}` for each P of `--platforms`; `time` is that
of the commands of the program for `polycl-cpu` by that of the program as it is, on this device, or
`same` if nothing was to be changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.recordings_data import DATA, LARGE, OPTIONS
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError
from polycl.runtime.host.driver_log import read_log
from polycl.runtime.host.host_program import HostFunction
from polycl.runtime.host.recorded_data import TOLERANCE, differences, distance
from polycl.runtime.icd.driver import DRIVER, FOLDER
from polycl.runtime.program import load

_COMPILERS = {"gcc": "-fcommon", "cc": "-fcommon", "g++": "-fpermissive -std=gnu++98"}
"""What compilers of today need for these sources."""

DEVICE = "polycl-cpu"
"""The platform of the device `cpu`."""

REPLAYS = 3
"""Replays of the program as it is, to find results that differ from run to run."""

SECONDS = 5.0
"""Of the processor, after which short programs are measured no more."""

PLATFORMS = ("intel-rt", DEVICE)

_UNOPTIMISED = ("kmeans", "parboil sgemm")
"""Programs with functions that have a result and no `return`: with optimisation, GCC ends them in
what follows."""


@dataclass(frozen=True)
class Case:
    """A program that is built: its command runs in a folder."""

    name: str
    folder: Path
    command: tuple[str, ...]


@dataclass
class Row:
    """What became of a program."""

    name: str
    runs: str = ""
    recorded: str = ""
    commands: str = ""
    replayed: str = ""
    transformed: str = ""
    time: str = ""
    note: str = ""

    def text(self) -> str:
        cells = (self.name, self.runs, self.recorded, self.commands, self.replayed)
        return f"| {' | '.join((*cells, self.transformed, self.time, self.note))} |"


def _compilers(build: Path, program: str) -> dict[str, str]:
    """An environment in which compilers take the old sources of a program."""
    last = " -O0" if program in _UNOPTIMISED else ""
    folder = build / f"compilers{last.replace(' ', '')}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, flags in _COMPILERS.items():
        real = shutil.which(name, path=os.defpath + ":/usr/bin")
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {real} -w {flags} "$@"{last}\n')
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def rodinia(
    source: Path, build: Path, wanted: Callable[[str], bool], large: bool = False
) -> Iterator[Case]:
    """Its programs, built; those that cannot be built are reported."""
    target = build / "rodinia"
    for name, (program, *arguments) in OPTIONS["rodinia"].items():
        if not wanted(name):
            continue
        if not target.exists():
            shutil.copytree(source, target)
        folder = target / "opencl" / program.partition("/")[0]
        binary = folder / program.partition("/")[2]
        if not binary.exists():
            paths = [f"{p}_{w}=/usr/{d}" for p in ("OPENCL", "NV_OPENCL")
                     for w, d in (("INC", "include"), ("LIB", "lib"))]  # fmt: skip
            _do(["make", "-k", *paths], folder, _compilers(build, name))
        yield Case(name, folder, (f"./{binary.name}", *_arguments(name, arguments, large)))


def parboil(
    source: Path, build: Path, wanted: Callable[[str], bool], large: bool = False
) -> Iterator[Case]:
    """Its programs, built of all their sources."""
    target = build / "parboil"
    for name, (program, *arguments) in OPTIONS["parboil"].items():
        if not wanted(name):
            continue
        if not target.exists():
            shutil.copytree(source, target)
        benchmark, _, version = program.partition("/")
        folder = target / "benchmarks" / benchmark
        helpers = folder / "common_src/convert-dataset"
        sources = [
            file
            for place in (folder / "src" / version, helpers)
            if place.exists()
            for file in sorted(place.iterdir())
            if file.suffix in (".c", ".cc", ".cpp") and file.stem not in ("main_debug", "test")
        ]
        binary = folder / f"{version}.out"
        common = target / "common"
        objects: list[str] = []
        environment = _compilers(build, name)
        for file in [*sources, common / "src/parboil_opencl.c"]:
            compiler = "gcc" if file.suffix == ".c" else "g++"
            objects.append(f"{binary}.{file.stem}.o")
            include = [f"-I{common}/include", f"-I{helpers}"]
            _do(
                [compiler, "-O2", *include, "-c", str(file), "-o", objects[-1]], folder, environment
            )
        _do(["g++", *objects, "-o", str(binary), "-lOpenCL", "-lm"], folder, environment)
        yield Case(name, folder, (f"./{binary.name}", *_arguments(name, arguments, large)))


def _arguments(name: str, arguments: list[str], large: bool) -> Sequence[str]:
    return LARGE.get(name, arguments) if large else arguments


def _do(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace"
    )
    if done.returncode:
        print(f"{folder}: {' '.join(command[:3])} ...: {done.stderr[-300:]}", file=sys.stderr)


def make_data(case: Case, large: bool) -> None:
    """Make the files that a program reads."""
    if case.name in DATA:
        DATA[case.name](case.folder, large)


def measure(
    case: Case, recordings: Path, platforms: Sequence[str], limit: float, large: bool
) -> Row:
    """All steps for a program."""
    row = Row(case.name)
    make_data(case, large)
    folder = recordings / case.name
    shutil.rmtree(folder, ignore_errors=True)
    if not (case.folder / case.command[0]).exists():
        row.runs = "not built"
        return row
    failed = _run(case, limit)
    row.runs = "yes" if failed is None else failed
    if failed is not None:
        return row
    failed = _run(case, limit, folder)
    if failed is not None:
        row.recorded = failed
        return row
    log = next(folder.glob("*.log"), None)
    if log is None:
        row.recorded = "no context"
        return row
    try:
        module = read_log(log)
        text = str(module)
        row.commands = f"{text.count('host.launch')} in {text.count('scf.for')}"
        output = log.with_suffix(".mlir")
        output.write_text(text + "\n", encoding="utf-8")
        row.recorded = "yes"
        plain = load(output).host()
        if unstable := _unstable(plain):
            row.note = f"its replays differ among themselves in {', '.join(unstable)}"
        row.replayed = _replay(plain, unstable)
        for platform in platforms:
            changed = load(output).module.clone()
            original = str(changed)
            run_pipeline(changed, f"ppopencl{{platform={platform}}}")
            transformed = log.with_name(f"{platform}.mlir")
            transformed.write_text(f"{changed!s}\n", encoding="utf-8")
            host = load(transformed).host()
            equal = _replay(host, unstable)
            if row.transformed in ("", "yes"):
                row.transformed = equal
            if platform == DEVICE:
                row.time = "same" if str(changed) == original else f"{_ratio(host, plain):.2f}"
    except PolyclError as error:
        row.note = str(error).splitlines()[0].replace(str(folder), "").replace("|", "/")[:160]
    return row


def driver_environment() -> dict[str, str]:
    """The environment of a program on the platform."""
    return {
        **os.environ,
        "OCL_ICD_VENDORS": str(FOLDER / DRIVER),
        "POLYCL_PYTHON": sys.executable,
        "POLYCL_DEVICE_TYPE": "gpu",
    }


def _run(case: Case, limit: float, record: Path | None = None) -> str | None:
    """Why a program failed on the platform; None if it did not."""
    environment = driver_environment()
    if record is not None:
        environment["POLYCL_RECORD"] = str(record)
    try:
        done = subprocess.run(
            case.command, cwd=case.folder, env=environment, capture_output=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return f"more than {limit:.0f} s"
    return None if done.returncode == 0 else f"exit {done.returncode}"


def _results(host: HostFunction) -> dict[str, Any]:
    """The arguments of a program after a replay."""
    values = {name: array.first() for name, array in host.recorded.items()}
    host(*values.values())
    return values


def _unstable(host: HostFunction) -> set[str]:
    """The results in which replays of the program as it is differ: what its own races decide."""
    first = _results(host)
    found: set[str] = set()
    for _ in range(REPLAYS):
        again = _results(host)
        for name, array in host.recorded.items():
            if array.is_expected and (distance(again[name], first[name]) or 0) > TOLERANCE:
                found.add(name)
    return found


def _replay(host: HostFunction, unstable: set[str]) -> str:
    """Whether a program reads what was recorded."""
    found = differences(host.recorded, _results(host))
    largest = max((d for name, d in found.items() if d and name not in unstable), default=0.0)
    return "yes" if largest <= TOLERANCE else f"differs by {largest:.1g}"


def _ratio(changed: HostFunction, plain: HostFunction) -> float:
    """The time of the commands of a program by that of another, in turns: of the fastest of 5,
    and of short programs of up to 50. It is the processor's, as others may run beside them."""
    times: dict[HostFunction, list[float]] = {changed: [], plain: []}
    changed.clock = plain.clock = time.process_time
    begin = time.process_time()
    for number in range(50):
        if number >= 5 and time.process_time() - begin > SECONDS:
            break
        for host, found in times.items():
            host(*(array.first() for array in host.recorded.values()))
            found.append(sum(t.seconds for t in host.times if t.command.startswith("host.")))
    return min(times[changed]) / min(times[plain])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rodinia", type=Path)
    parser.add_argument("--parboil", type=Path)
    parser.add_argument("--build", type=Path, default=Path("build/recordings"))
    parser.add_argument("--platforms", type=lambda text: text.split(","), default=PLATFORMS)
    parser.add_argument("--large", action="store_true", help="data that take the kernels longer")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a run")
    parser.add_argument("programs", nargs="*", help="those whose names begin so")
    args = parser.parse_args()
    build = args.build.resolve()

    def wanted(name: str) -> bool:
        return not args.programs or any(name.startswith(p) for p in args.programs)

    head = Row("program", "runs", "recorded", "launches in loops", "replayed", "transformed",
               "time", "")  # fmt: skip
    print(head.text(), "|---" * 8 + "|", sep="\n", flush=True)
    cases = [
        case
        for source, suite in ((args.rodinia, rodinia), (args.parboil, parboil))
        if source is not None
        for case in suite(source.resolve(), build, wanted, args.large)
    ]
    for case in cases:
        row = measure(case, build / "recorded", args.platforms, args.limit, args.large)
        print(row.text(), flush=True)


if __name__ == "__main__":
    main()
