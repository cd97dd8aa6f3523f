"""The cost of input space splitting at compile time: `python -m bench.poly_compile_time [FILE...]`.

Milliseconds of each pass for each kernel, the least of some rounds, which all start with the same
module, as the passes of the cpu pipeline in front leave it. Groups have 64 work-items, or 16 x 16
where a kernel asks for ids of dimension 1, or as many as the kernel requires; with `--any-size`
their size is a parameter. The time is that of the processor. What the passes remember of a text of
isl is forgotten between rounds. Without files: all of tests/kernels and bench/kernels.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import re
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import polycl
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import NDRange
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.dialects import ocl, wg
from polycl.dialects.poly.score import canonical_affine
from polycl.errors import PolyclError

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "tests" / "kernels", ROOT / "bench" / "kernels", ROOT / "bench/kernels/study")

PASSES = (
    "poly-normalize",
    "poly-extract{annotate=false}",
    "poly-split{score=true}",
    "poly-materialize",
    "poly-lower-codelet",
)

LIMIT, MEDIAN = 100, 15
"""Milliseconds for the slowest kernel and for half of them."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--any-size", action="store_true", help="the local size is a parameter")
    parser.add_argument("--profile", action="store_true", help="where the time goes")
    arguments = parser.parse_args(argv)
    files = arguments.files or sorted(f for folder in FOLDERS for f in folder.glob("*.cl"))
    passes = parse_passes(",".join(PASSES))
    profile = cProfile.Profile()
    gc.freeze()
    totals: list[float] = []
    print("  ".join(f"{step.name.removeprefix('poly-'):>14}" for step in passes), "total", sep="  ")
    for path in files:
        for name, module in kernels(path, any_size=arguments.any_size):
            measure(module, passes)
            if arguments.profile:
                profile.enable()
            rounds = [measure(module, passes) for _ in range(arguments.rounds)]
            profile.disable()
            times = [min(column) for column in zip(*rounds, strict=True)]
            totals.append(sum(times))
            columns = "  ".join(f"{ms:14.2f}" for ms in times)
            print(f"{columns}  {sum(times):5.1f}  {path.stem}:{name}", flush=True)
    over = sum(total > LIMIT for total in totals)
    print(
        f"{len(totals)} kernels: median {median(totals):.1f} ms (at most {MEDIAN} wanted), "
        f"slowest {max(totals):.1f} ms; {over} above {LIMIT} ms"
    )
    if arguments.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
    return 0


def kernels(path: Path, *, any_size: bool) -> Iterator[tuple[str, ModuleOp]]:
    """The kernels of a file, each alone in a module, as poly-normalize gets them."""
    try:
        loaded = polycl.load(path, options(path)).module
    except PolyclError as error:
        print(f"{path.name} left out: {error}", file=sys.stderr)
        return
    for name in [op.sym_name.data for op in loaded.ops if isinstance(op, ocl.KernelOp)]:
        module = loaded.clone()
        kernel = next(
            op for op in module.ops if isinstance(op, ocl.KernelOp) and op.sym_name.data == name
        )
        for op in list(module.ops):
            if isinstance(op, ocl.KernelOp) and op is not kernel:
                op.detach()
        size = local_size(kernel)
        front = cpu_pipeline(NDRange(size, size), contract=False)
        names = [step.name for step in front]
        front = front[: names.index("wg-lower-contexts") + 1]
        if any_size:
            front = tuple(step for step in front if step.name != "ocl-set-local-size")
        try:
            run_passes(module, front)
        except PolyclError as error:
            print(f"{path.name}: {name} left out: {error}", file=sys.stderr)
            continue
        if any(isinstance(op, wg.ParallelOp) for op in module.walk()):
            yield name, module


def options(path: Path) -> list[str]:
    """The build options of the file's first LAUNCH line; the type of ids is `bench`'s macro."""
    text = path.read_text()
    found = re.search(r'options="([^"]*)"', text)
    return [f"-I{path.parent}", "-DID=int", *(found[1].split() if found else [])]


def local_size(kernel: ocl.KernelOp) -> tuple[int, int, int]:
    """A usual size for a group of this kernel."""
    if kernel.required_size is not None:
        return kernel.required_size
    ids = (op for op in kernel.walk() if isinstance(op, ocl.LocalIdOp | ocl.GlobalIdOp))
    return (16, 16, 1) if any(op.dimension == 1 for op in ids) else (64, 1, 1)


def measure(module: ModuleOp, passes: Sequence[ModulePass]) -> list[float]:
    """Milliseconds of each pass. A new thread knows none of the texts that others have read."""

    def run() -> list[float]:
        copy = module.clone()
        context = Context()
        times: list[float] = []
        for step in passes:
            start = time.thread_time()
            step.apply(context, copy)
            times.append((time.thread_time() - start) * 1e3)
        return times

    canonical_affine.cache_clear()
    gc.collect()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


if __name__ == "__main__":
    sys.exit(main())
