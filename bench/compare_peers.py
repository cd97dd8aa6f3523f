"""Our cpu device against other CPU runtimes for OpenCL, on the kernels in examples/.

    python bench/compare_peers.py [--threads N] [--rounds N] [--icd NAME=FILE.icd] [CASE ...]

Peers: Intel's CPU runtime, where its Python packages are installed, and PoCL, where the system
has it (Debian: pocl-opencl-icd); `--icd` adds others. Each runs in a process of its own. Rounds
are interleaved, so that what else the machine does strikes all alike. A peer's results are
compared with ours in the same run. Times are those of a launch, from the call until all
work-items are done; a ratio above 1 says that we are faster than the best peer.
"""

from __future__ import annotations

import argparse
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
from machine import copy_bandwidth, fma_peak

import polycl
from polycl.backends.device import LocalMemory
from polycl.runtime.arguments import to_kernel_arg
from polycl.runtime.dataspec import parse_data

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"

INTEL = {
    "intel-opencl-rt": "libintelocl.so",
    "intel-cmplr-lib-rt": "libsvml.so",
    "tbb": "libtbb.so.12",
}
"""Distribution -> a library in it, whose folder the loader must know."""
POCL = Path("/etc/OpenCL/vendors/pocl.icd")


@dataclass(frozen=True)
class Case:
    """One launch; `args` in the words of `ocl-run --arg`. What it does at least, for rates."""

    file: str
    kernel: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    args: dict[str, str]
    flops: int = 0
    bytes: int = 0
    tolerance: float = 1e-4
    """Relative to the largest value: sums may be added in another order, or be contracted."""
    strays: float = 0.0
    """Share of the elements that may differ by more."""


_N, _BODIES, _MATRIX, _SIDE = 1 << 24, 4096, 512, 512
_REDUCED = 1 << 22
_BODY = "{pos:f32x4,vel:f32x4}"

CASES = {
    "saxpy": Case(
        "saxpy.cl",
        "saxpy",
        (_N,),
        (256,),
        {"x": f"rand:f32:{_N}", "y": f"rand:f32:{_N}", "a": "0.5"},
        flops=2 * _N,
        bytes=12 * _N,
    ),
    "matmul": Case(
        "matmul.cl",
        "matmul",
        (_MATRIX, _MATRIX),
        (16, 16),
        {
            "a": f"rand:f32:{_MATRIX}x{_MATRIX}:-1:1",
            "b": f"rand:f32:{_MATRIX}x{_MATRIX}:-1:1",
            "c": f"zeros:f32:{_MATRIX}x{_MATRIX}",
            "n": str(_MATRIX),
        },
        flops=2 * _MATRIX**3,
    ),
    "nbody": Case(
        "nbody.cl",
        "advance",
        (_BODIES,),
        (64,),
        {
            "bodies": f"rand:{_BODY}:{_BODIES}",
            "next": f"zeros:{_BODY}:{_BODIES}",
            "portion": "local:1024",
            "dt": "0.01",
        },
        # For each pair: 3 differences, 6 for the square, 3 for the factor, 8 for the force.
        flops=20 * _BODIES**2,
        tolerance=1e-3,
    ),
    "reduce": Case(
        "reduce.cl",
        "reduce",
        (_REDUCED,),
        (256,),
        {
            "in": f"rand:f32:{_REDUCED}",
            "out": f"zeros:f32:{_REDUCED // 256}",
            "tile": "local:1024",
        },
        flops=_REDUCED,
        bytes=4 * _REDUCED,
    ),
    "mandelbrot": Case(
        "mandelbrot.cl",
        "mandelbrot",
        (_SIDE, _SIDE),
        (64, 4),
        {
            "grey": f"zeros:u8:{_SIDE}x{_SIDE}",
            "x0": "-2.2",
            "y0": "-1.2",
            "size": "2.4",
            "most": "256",
        },
        # One bit decides at the edge of the set.
        strays=2e-3,
    ),
}


class Peer:
    """The process of one runtime. Raises RuntimeError where it does not start."""

    def __init__(self, name: str, environment: dict[str, str]):
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "peer_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment, "PYOPENCL_NO_CACHE": "1"},
        )
        self.title: str = self._answer()

    def ask(self, name: str, *values: Any) -> Any:
        assert self._process.stdin is not None
        try:
            pickle.dump((name, *values), self._process.stdin)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise RuntimeError("its process ended") from None
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        try:
            answer = pickle.load(self._process.stdout)
        except EOFError:
            raise RuntimeError(f"its process ended with status {self._process.wait()}") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the cpu device with other runtimes.")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--icd", action="append", default=[], metavar="NAME=FILE")
    args = parser.parse_args()
    for name in args.cases:
        if name not in CASES:
            parser.error(f"unknown case '{name}'; expected {', '.join(CASES)}")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: args.threads])
    with tempfile.TemporaryDirectory() as folder:
        peers = start_peers(Path(folder), args.icd, args.threads)
        ours = polycl.device("cpu", threads=args.threads)
        print(f"polycl cpu, {args.threads} threads; {args.rounds} rounds, interleaved")
        print(f"this machine: {fma_peak(args.threads):8.1f} GFLOP/s of f32 multiply-adds at most")
        print(f"              {copy_bandwidth(args.threads):8.1f} GB/s copying, reads plus writes")
        for name in args.cases or CASES:
            compare(name, CASES[name], ours, peers, args.rounds)
        for peer in peers:
            peer.close()


def start_peers(folder: Path, icds: list[str], threads: int) -> list[Peer]:
    """The runtimes that this machine has; says which it lacks."""
    limits = {
        "POCL_MAX_PTHREAD_COUNT": str(threads),
        "CL_CONFIG_CPU_TBB_NUM_WORKERS": str(threads),
    }
    wanted: dict[str, Callable[[], dict[str, str]]] = {
        "intel": lambda: intel_environment(folder),
        "pocl": lambda: icd_environment(POCL),
    }
    for text in icds:
        name, _, path = text.partition("=")
        wanted[name] = lambda path=path: icd_environment(Path(path))
    peers: list[Peer] = []
    for name, environment in wanted.items():
        try:
            peers.append(Peer(name, {**limits, **environment()}))
            print(f"{name}: {peers[-1].title}")
        except RuntimeError as error:
            print(f"{name}: left out: {error}")
    return peers


def icd_environment(path: Path) -> dict[str, str]:
    if not path.is_file():
        raise RuntimeError(f"there is no {path}")
    return {"OCL_ICD_VENDORS": str(path)}


def intel_environment(folder: Path) -> dict[str, str]:
    """Finds the runtime's libraries; the .icd file in its package has a wrong path."""
    paths: list[Path] = []
    for distribution, library in INTEL.items():
        try:
            found = [f for f in files(distribution) or () if f.name == library]
        except PackageNotFoundError:
            found = []
        if not found:
            raise RuntimeError(f"the package '{distribution}' is not installed")
        paths.append(Path(str(found[0].locate())).resolve())
    icd = folder / "intel.icd"
    icd.write_text(f"{paths[0]}\n")
    folders = [str(path.parent) for path in paths]
    if inherited := os.environ.get("LD_LIBRARY_PATH"):
        folders.append(inherited)
    return {"OCL_ICD_VENDORS": str(icd), "LD_LIBRARY_PATH": os.pathsep.join(folders)}


def compare(name: str, case: Case, ours: Any, peers: list[Peer], rounds: int) -> None:
    """Build everywhere, check the results of one launch, then time."""
    source = (EXAMPLES / case.file).read_text()
    kernel = polycl.load(source, language="cl").kernel(case.kernel)
    values: dict[str, Any] = {name: parse_data(spec, name) for name, spec in case.args.items()}
    sizes = (case.global_size, case.local_size)
    bound = kernel.bind(
        **values, global_size=case.global_size, local_size=case.local_size, device=ours
    )
    raw = [to_kernel_arg(p, values[p.name]) for p in kernel.parameters]
    sent = [arg.nbytes if isinstance(arg, LocalMemory) else arg for arg in raw]
    ready: list[Peer] = []
    print(f"\n{name}: {case.file}, global size {case.global_size}, local size {case.local_size}")
    for peer in peers:
        try:
            peer.ask("build", source, case.kernel, sent, sizes)
            peer.ask("run")
            ready.append(peer)
        except RuntimeError as error:
            print(f"  {peer.name:<8} left out: {str(error).strip().splitlines()[0]}")
    bound.launch()
    for peer in list(ready):
        wrong = difference(case, raw, peer.ask("read"))
        if wrong is not None:
            print(f"  {peer.name:<8} left out: {wrong}")
            ready.remove(peer)
    runs: dict[str, Callable[[], float]] = {"polycl": lambda: timed(bound.launch)}
    runs.update({peer.name: lambda peer=peer: peer.ask("run") for peer in ready})
    times: dict[str, list[float]] = {who: [] for who in runs}
    for _ in range(rounds):
        for who, run in runs.items():
            times[who].append(run())
    for who, seconds in times.items():
        print(f"  {who:<8} {report(case, seconds)}")
    if ready:
        best = min(min(times[peer.name]) for peer in ready)
        print(f"  polycl is {best / min(times['polycl']):.2f} x as fast as the best peer")


def timed(launch: Callable[[], None]) -> float:
    start = time.perf_counter()
    launch()
    return time.perf_counter() - start


def report(case: Case, seconds: list[float]) -> str:
    best, middle = min(seconds), statistics.median(seconds)
    text = f"{best * 1e3:9.3f} ms min {middle * 1e3:9.3f} ms median"
    if case.flops:
        text += f" {case.flops / best / 1e9:9.2f} GFLOP/s"
    return text + (f" {case.bytes / best / 1e9:8.2f} GB/s" if case.bytes else "")


def difference(case: Case, ours: list[Any], theirs: dict[int, Any]) -> str | None:
    """What is wrong with a peer's buffers, or None."""
    for index, other in theirs.items():
        a, b = (flat(array) for array in (ours[index], other))
        allowed = case.tolerance * max(float(np.abs(a).max()), 1e-30)
        strays = float(np.mean(~(np.abs(a - b) <= allowed)))
        if strays > case.strays:
            return f"{strays:.2%} of the elements of argument {index} differ from polycl's"
    return None


def flat(array: Any) -> Any:
    """The numbers of an array, also of a structured one, as f64."""
    if array.dtype.names is not None:
        array = array.reshape(-1).view(np.float32)
    return array.astype(np.float64).reshape(-1)


if __name__ == "__main__":
    main()
