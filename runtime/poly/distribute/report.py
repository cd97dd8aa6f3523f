"""Plans and runs as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polycl.runtime.poly.distribute.chunks import part_text
from polycl.runtime.poly.distribute.footprint import place_of
from polycl.runtime.poly.distribute.plan import Plan

if TYPE_CHECKING:
    from polycl.runtime.poly.distribute.launch import Report

_LONGEST = 4
"""Chunks of a report, those that took longest."""
_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def bytes_text(count: int) -> str:
    """A number of bytes for readers: `1.5 MB`."""
    number, unit = float(count), 0
    while number >= 1000 and unit + 1 < len(_UNITS):
        number, unit = number / 1000, unit + 1
    return f"{count} B" if unit == 0 else f"{number:.4g} {_UNITS[unit]}"


def plan_text(plan: Plan) -> str:
    """The table of `--plan`: the cut, and the bytes of each buffer."""
    footprint = plan.footprint
    launch = footprint.ndrange
    cut = "x".join(map(str, plan.cut[: launch.work_dim]))
    groups = "x".join(map(str, launch.num_groups[: launch.work_dim]))
    largest = max(chunk.nbytes() for chunk in plan.chunks)
    lines = [
        f"{footprint.kernel.name}: {groups} work-groups in {len(plan.chunks)} chunks ({cut}) on "
        f"{plan.workers} worker{'s' * (plan.workers != 1)}; the largest chunk has "
        f"{bytes_text(largest)}"
    ]
    rows: list[tuple[str, ...]] = [
        ("buffer", "size", "sent", "returned", "moved", "bound", "moved/bound")
    ]
    for t in plan.traffic:
        sizes = map(bytes_text, (t.whole, t.sent, t.returned, t.moved, t.bound))
        rows.append((t.name, *sizes, _ratio(t.moved, t.bound)))
    if len(plan.traffic) > 1:
        total = [sum(getattr(t, what) for t in plan.traffic) for what in ("sent", "returned")]
        sizes = map(bytes_text, (*total, plan.moved, plan.bound))
        rows.append(("all", "", *sizes, _ratio(plan.moved, plan.bound)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    for position, reduction in footprint.reductions.items():
        name = footprint.kernel.parameters[position].name
        lines.append(
            f"  '{name}' is a reduction by atomic {reduction.kind.value}: partial results are "
            "combined"
        )
    for touch, reason in footprint.remarks:
        lines.append(f"{place_of(touch)}: remark: {reason}")
    return "\n".join(lines)


def _ratio(moved: int, bound: int) -> str:
    return f"{moved / bound:.3f}" if bound else "-"


def report_text(report: Report) -> str:
    """The plan, what moved, and the time of the chunks."""
    plan, seconds = report.plan, report.seconds
    lines = [plan_text(plan)]
    if report.moved != plan.moved:
        parameters = plan.footprint.kernel.parameters
        moved = (
            f"{parameters[position].name} {bytes_text(sent + report.returned[position])}"
            for position, sent in report.sent.items()
        )
        lines.append(f"  {bytes_text(report.moved)} moved: {', '.join(moved)}")
    lines.append(
        f"  chunks took {_ms(min(seconds))} to {_ms(max(seconds))}, {_ms(sum(seconds))} together"
    )
    for chunk in sorted(plan.chunks, key=lambda chunk: -seconds[chunk.number])[:_LONGEST]:
        lines.append(
            f"    {_ms(seconds[chunk.number])}: chunk {chunk.number + 1}, "
            f"{part_text(chunk.part)}, on {report.workers[chunk.number]}"
        )
    return "\n".join(lines)


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
