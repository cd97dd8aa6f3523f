"""Plans and runs as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polycl.runtime.poly.distribute.footprint import place_of
from polycl.runtime.poly.distribute.plan import Plan

if TYPE_CHECKING:
    from polycl.runtime.poly.distribute.launch import Report

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
    """What a launch moved, and the time of its chunks."""
    plan = report.plan
    parameters = plan.footprint.kernel.parameters
    lines = [
        f"{plan.footprint.kernel.name}: {len(plan.chunks)} chunks on {plan.workers} workers; "
        f"{bytes_text(report.moved)} moved, at least {bytes_text(plan.bound)}"
    ]
    for position, sent in report.sent.items():
        returned = report.returned[position]
        lines.append(
            f"  {parameters[position].name}: {bytes_text(sent)} sent, {bytes_text(returned)} "
            "returned"
        )
    longest = max(report.seconds)
    lines.append(
        f"  chunks took {min(report.seconds) * 1e3:.3g} to {longest * 1e3:.3g} ms, "
        f"{sum(report.seconds) * 1e3:.3g} ms together"
    )
    return "\n".join(lines)
