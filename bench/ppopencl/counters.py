"""`python -m bench.ppopencl.counters`: the counters of [ppopencl19], without the hardware's.

Figure 14 of the paper relates speedups to the numbers of vector arithmetic instructions
(`varith_ins`) and of loads (`load_ins`), scalar or vector; Table 5 shows the cache behaviour of lbm
in two layouts. Here operations are counted as `ocl-run --explain` counts them, as polynomials of
each launch's arguments and sizes, in the kernels that a program launches: before the passes, and
after those of a setting for a platform. The cache is a model: what the work-items of some groups
access, one after the other or in vectors, goes through a cache of 64-byte lines.

The paper's figure has no numbers in its text, only what is said of it; Table 5 has.
"""

from __future__ import annotations

import argparse
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import AnyFloat, ModuleOp, VectorType
from xdsl.ir import Operation

import polycl
from bench.ppopencl.settings import PROGRAMS, SETTINGS, transformed
from bench.programs.inputs import SIZES, inputs
from bench.report import print_columns
from polycl.analysis.host.platforms import platforms
from polycl.analysis.ocl.launch_accesses import group_accesses
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.analysis.ocl.module_parts import find_kernel
from polycl.analysis.ocl.work_counts import WorkCounts
from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.checked import launch_numbers
from polycl.backends.device import Device, Executable, KernelArg, NDRange
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import element_of
from polycl.errors import PolyclError
from polycl.runtime.explain.collect import branch_shares, known_names
from polycl.runtime.explain.estimates import CONTROL
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.traces import traces_of

LOADS = (ocl.LoadOp, ocl.VLoadOp)
STORES = (ocl.StoreOp, ocl.VStoreOp)
LINE = 64
MOST_GROUPS = 64
"""Groups of a launch that are looked at, spread over it, for the branches they take."""


@dataclass
class Counters:
    """The totals of all launches of a program."""

    arith: float = 0
    """Operations on floats, one for each vector."""
    varith: float = 0
    """Those on vectors among them (`varith_ins`)."""
    load: float = 0
    """Loads, scalar and vector (`load_ins`)."""
    store: float = 0
    bytes: float = 0
    """What loads and stores access."""

    def add(self, kernel: ocl.KernelLike, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Count a launch."""
        counts = WorkCounts(kernel)
        numbers = launch_numbers(args, ndrange)
        known = known_names(kernel, numbers)
        shares = _shares(kernel, numbers)
        items = float(np.prod(ndrange.global_size))
        for op in operations_in(kernel.body):
            times = items * counts.value(counts.of(op), known, shares)
            if isinstance(op, LOADS):
                self.load += times
                self.bytes += times * _bytes(op.results[0].type)
            elif isinstance(op, STORES):
                self.store += times
                self.bytes += times * _bytes(op.operands[0].type)
            elif _is_arithmetic(op):
                self.arith += times
                self.varith += times * isinstance(op.results[0].type, VectorType)


def _shares(kernel: ocl.KernelLike, launch: LaunchNumbers) -> dict[Operation, float]:
    """The mean over groups of the share of work-items that takes a branch."""
    found: dict[Operation, list[float]] = {}
    groups = list(np.ndindex(*reversed(launch.num_groups)))
    for group in groups[:: -(-len(groups) // MOST_GROUPS)]:
        here = group_accesses(kernel, launch, {}, group[::-1])
        for op, share in branch_shares(kernel, here).items():
            found.setdefault(op, []).append(share)
    return {op: sum(shares) / len(shares) for op, shares in found.items()}


def _is_arithmetic(op: Operation) -> bool:
    """Whether an operation computes floats; copies and constants do not."""
    if not op.results or not op.operands or isinstance(op, CONTROL):
        return False
    is_float = isinstance(element_of(op.results[0].type), AnyFloat)
    computes = op.name.startswith(("arith.", "math.", "vec.", "ocl.builtin"))
    return is_float and computes and not op.name.endswith("select")


def _bytes(type: Any) -> int:
    return size_of(type)


@dataclass
class _Counted(Executable):
    """A kernel that is counted, and run."""

    kernel: ocl.KernelLike
    inner: Executable
    counters: Counters

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.counters.add(self.kernel, args, ndrange)
        self.inner.run(args, ndrange)


@dataclass(eq=False)
class CountingDevice(Device):
    """The device `cpu`, with counters of what it launches."""

    counters: Counters = field(default_factory=Counters)
    inner: CpuDevice = field(default_factory=CpuDevice)
    name: str = "counting"

    def compile(
        self,
        module: ModuleOp,
        kernel: str,
        ndrange: NDRange,
        pipeline: str | None = None,
    ) -> Executable:
        inner = self.inner.compile(module, kernel, ndrange, pipeline)
        return _Counted(find_kernel(module, kernel), inner, self.counters)


def counted(name: str, setting: str, platform: str, size: str) -> Counters:
    """The counters of one run of a program."""
    device = CountingDevice()
    arguments = inputs(name, size)  # pyright: ignore[reportArgumentType]
    transformed(name, setting, platform)(**arguments, device=device)
    return device.counters


@dataclass(frozen=True)
class Order:
    """How a platform executes work-items, its first-level cache, and its row of Table 5."""

    platform: str
    width: int
    """The work-items that execute an access together."""
    bytes: int
    ways: int
    paper: tuple[float, float]
    """Misses, or their rate, in the continuous and in the coalesced layout."""

    @property
    def name(self) -> str:
        order = "one by one" if self.width == 1 else f"vectors of {self.width}"
        return f"{order}, {self.bytes >> 10} KiB in {self.ways} ways"


ORDERS = (
    Order("AMD CPUs", 1, 65536, 2, (3.63e11, 1.81e12)),
    Order("Tilera", 1, 32768, 2, (6.58e12, 6.74e12)),
    Order("Intel CPUs", 8, 32768, 8, (8.02e10, 5.47e10)),
    Order("Xeon Phi", 16, 32768, 8, (0.335, 0.151)),
)
"""The caches are those of Opterons of the time (K10), TileGX, Sandy Bridge and Knights Corner; the
paper does not say which models it measured."""

GRID = (120, 120, 150)
"""Of Parboil's data for lbm, and GROUPS neighbouring rows of it."""
GROUPS = 3


def misses(module: ModuleOp, order: Order) -> tuple[int, int]:
    """(misses, accesses) of neighbouring groups of lbm's kernel in a cache that starts empty."""
    kernel = polycl.Program(module).kernels["collide_and_stream"]
    found = find_kernel(kernel.module, kernel.name)
    accesses = [op for op in operations_in(found.body) if isinstance(op, (*LOADS, *STORES))]
    nx, ny, nz = GRID
    cells = [np.zeros(20 * nx * ny * nz, np.float32) for _ in range(2)]
    values = {"in": cells[0], "out": cells[1], "nx": nx, "ny": ny, "nz": nz, "omega": 1.5}
    size = (nx - 2, ny - 2, nz - 2)
    sets = order.bytes // LINE // order.ways
    cache: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(sets)]
    missed = total = 0
    for row in range(GROUPS):
        launch = Launch(size, (nx - 2, 1, 1), values=values, group=(0, row, 0))
        traces = traces_of(kernel, kernel.module, [[op] for op in accesses], launch)
        for first in range(0, nx - 2, order.width):
            for op, trace in zip(accesses, traces, strict=True):
                array = int(isinstance(op, STORES)) << 40
                for item in range(first, min(first + order.width, nx - 2)):
                    for at_once in trace:
                        if (place := at_once[item]) is None:
                            continue
                        total += 1
                        line = (array + place) // LINE
                        ways = cache[line % sets]
                        missed += line not in ways
                        ways[line] = ways.pop(line, None)
                        if len(ways) > order.ways:
                            ways.popitem(last=False)
    return missed, total


def _ratio(after: float, before: float) -> str:
    return f"{after / before:.2f}" if before else "-"


def print_operations(programs: Sequence[str], setting: str, platform: str, size: str) -> None:
    """A row for each program: before, and after divided by before (Figure 14)."""
    print(f"After '{setting}' for {platform}; the part after the slash is relative to before.")
    rows = [["program", "arith", "varith_ins", "load_ins", "store_ins", "bytes"]]
    for name in programs:
        try:
            before = counted(name, "original", platform, size)
            after = counted(name, setting, platform, size)
        except PolyclError as error:
            rows.append([name, str(error).splitlines()[0]])
            continue
        pairs = [(getattr(before, f), getattr(after, f)) for f in before.__dataclass_fields__]
        cells = [f"{new:.3g} / {_ratio(new, old)}" for old, new in pairs]
        rows.append([name, *cells])
    width = max(map(len, rows))
    print_columns([row + [""] * (width - len(row)) for row in rows])


def print_layouts() -> None:
    """lbm in both layouts, beside Table 5."""
    continuous = transformed("lbm", "original", "intel-rt").module
    coalesced = transformed("lbm", "layout", "intel-rt").module
    rows = [["lbm", "continuous", "coalesced", "ratio", "Table 5: ratio", "of"]]
    for order in ORDERS:
        (old, total), (new, _) = misses(continuous, order), misses(coalesced, order)
        cells = [f"{old} of {total}", f"{new}", _ratio(new, old)]
        rows.append([order.name, *cells, _ratio(*reversed(order.paper)), order.platform])
    print_columns(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    names = sorted(path.name for path in PROGRAMS.iterdir() if (path / "host.c").exists())
    parser.add_argument("programs", nargs="*", help=f"default: all, {', '.join(names)}")
    parser.add_argument("--setting", choices=[*SETTINGS], default="vectorize")
    parser.add_argument("--platform", choices=[*platforms()], default="amd-cpu")
    parser.add_argument("--size", choices=SIZES, default="small")
    args = parser.parse_args()
    print_operations(args.programs or names, args.setting, args.platform, args.size)
    print()
    print_layouts()


if __name__ == "__main__":
    main()
