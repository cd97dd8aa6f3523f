"""The two layouts of a group of buffers, and the reuse of each on a platform.

A plan is a matrix that is proved to contain all kernels' accesses to the group. The other layout
has rows and columns exchanged. `compared` walks the accesses of both (`CalculateRD` of
[ppopencl19], Algorithm 3), and counts the accesses to an element for each transfer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.kernel_access import Access, Branch, Item, KernelAccesses, Loop
from polycl.analysis.host.matrix import Cell
from polycl.analysis.host.plan import Plan
from polycl.analysis.host.platforms import Platform
from polycl.analysis.host.reuse_distance import (
    ROUNDS,
    Reuse,
    Sizes,
    evaluate_or_none,
    reuse_of,
)
from polycl.analysis.host.samples import frequency, host_samples, sizes_of
from polycl.analysis.ocl.index_expr import Expr
from polycl.dialects import host


@dataclass(frozen=True)
class Comparison:
    """Both layouts of a group on a platform."""

    distance: tuple[float, float]
    """The reuse distances, now and in the other layout."""

    mean: tuple[float, float]
    """The means of all distances, which decide between equal reuse distances."""

    lines: tuple[float, float]
    """The mean number of lines that a step of the order touches."""

    fetched: tuple[float, float]
    """The mean number of lines that a step fetches into the cache."""

    uses: float
    """The number of accesses of kernels to an element."""

    samples: Mapping[str, int]
    """The sizes, with examples for unknown ones."""


def compared(plan: Plan, platform: Platform, program: Program) -> Comparison:
    """Walk the accesses of a group in both layouts, all launches by their weight."""
    samples = host_samples(plan, program)
    rows = evaluate_or_none(plan.shape.rows, samples) or ROUNDS
    columns = evaluate_or_none(plan.shape.columns, samples) or ROUNDS
    total = 0.0
    sums = [0.0] * 8
    vectors = None
    if platform.is_serial and platform.wants_neighbours:
        # A pass makes vectors of the work-items: these are its steps.
        vectors = replace(platform, mode="data-parallel", lanes=max(1, platform.simd_bits // 32))
    by_buffer: dict[tuple[host.LaunchOp, SSAValue], list[int]] = {}
    for launch, number in plan.group.bindings:
        by_buffer.setdefault((launch, launch.arguments[number]), []).append(number)
    for (launch, _buffer), numbers in by_buffer.items():
        kernel = program.kernel(launch)
        sizes = sizes_of(launch, program, samples)
        sizes = replace(sizes, fastest=vector_dimension(kernel, platform, sizes))
        now, other = reuses(kernel, numbers, platform, sizes, plan.cells, rows)
        executed = frequency(launch, program, samples) * accesses_of(kernel, numbers, sizes)
        total += executed
        parts = (now.distance, other.distance, now.lines, other.lines, now.mean, other.mean)
        parts = (*parts, now.fetched, other.fetched)
        if vectors is not None:
            wide, wider = reuses(kernel, numbers, vectors, sizes, plan.cells, rows)
            parts = (*parts[:2], wide.lines, wider.lines, *parts[4:6], wide.fetched, wider.fetched)
        sums = [s + executed * part for s, part in zip(sums, parts, strict=True)]
    means = [s / total if total else 0.0 for s in sums]
    return Comparison(
        distance=(means[0], means[1]),
        lines=(means[2], means[3]),
        mean=(means[4], means[5]),
        fetched=(means[6], means[7]),
        uses=total / (rows * columns),
        samples=samples,
    )


def vector_dimension(kernel: KernelAccesses, platform: Platform, sizes: Sizes) -> int:
    """The dimension along which the platform's compiler vectorizes: the first, or, where it may
    choose, the one along which the steps of the kernel touch the fewest lines."""
    if not platform.chooses_dimension:
        return 0
    pointers = sorted({access.parameter for access in kernel.accesses})

    def lines(d: int) -> float:
        turned = replace(sizes, fastest=d)
        return sum(reuse_of(kernel, [pointer], platform, turned).lines for pointer in pointers)

    return min((d for d in range(3) if sizes.local_size[d] > 1), key=lines, default=0)


def reuses(
    kernel: KernelAccesses,
    parameters: list[int],
    platform: Platform,
    sizes: Sizes,
    cells: Mapping[Operation, Cell],
    rows: int,
) -> tuple[Reuse, Reuse]:
    """The reuse of parameters now, and with rows and columns exchanged."""

    def exchanged(access: Access, values: Mapping[str, int]) -> int | None:
        cell = cells[access.op]
        row, column = (evaluate_or_none(e, values) for e in (cell.row, cell.column))
        return None if row is None or column is None else column * rows + row

    now = reuse_of(kernel, parameters, platform, sizes)
    return now, reuse_of(kernel, parameters, platform, sizes, exchanged)


def accesses_of(kernel: KernelAccesses, parameters: list[int], sizes: Sizes) -> float:
    """The number of accesses of a launch, with the trip counts of the first work-item."""
    lane: dict[str, int] = dict(sizes.values)
    items = 1
    for d in range(3):
        whole, part = sizes.global_size[d], sizes.local_size[d]
        items *= whole
        lane |= {f"gid{d}": 0, f"lid{d}": 0, f"group{d}": 0, f"offset{d}": 0}
        lane |= {f"gsize{d}": whole, f"lsize{d}": part, f"groups{d}": -(-whole // part)}
    return items * _executed(kernel.nest(), frozenset(parameters), lane)


def _executed(items: tuple[Item, ...], parameters: frozenset[int], lane: dict[str, int]) -> float:
    total = 0.0
    seen: set[Expr] = set()
    for item in items:
        match item:
            case Access():
                if item.parameter in parameters and item.index not in seen:
                    seen.add(item.index)
                    total += 1
            case Loop():
                rounds: int | None = ROUNDS
                inner = dict(lane)
                if item.counter is not None and isinstance(item.op, scf.ForOp):
                    low, high, step = (evaluate_or_none(e, lane) for e in item.bounds)
                    if high is not None and step:
                        rounds = max(0, -(-(high - (low or 0)) // step))
                    inner[item.counter] = low or 0
                total += rounds * _executed(item.body, parameters, inner)
            case Branch():
                total += max(_executed(arm, parameters, lane) for arm in item.arms)
            case _:
                pass
    return total
