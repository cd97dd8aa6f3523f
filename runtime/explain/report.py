"""The text of an explanation, for terminals."""

from __future__ import annotations

from collections.abc import Iterator

from polycl.analysis.ocl.lane_stride import UNKNOWN
from polycl.analysis.ocl.work_counts import show
from polycl.remarks import Remark
from polycl.runtime.explain.explanation import Explanation
from polycl.runtime.explain.facts import Place


def report(found: Explanation, colours: bool = False) -> str:
    """The report; with `colours`, causes and remedies stand out."""
    return "\n".join(_lines(found, _Paint(colours)))


def remarks_of(found: Explanation, is_measured: bool) -> list[Remark]:
    """The report as remarks of source lines: advice, the bound, and the share of each place."""
    facts, roof = found.facts, found.roofline
    remarks = [Remark(each.location, "explain", str(each)) for each in found.advice]
    if is_measured and facts.location is not None:
        text = (
            f"bound by {roof.bound}: {_seconds(roof.seconds)} at least; memory "
            f"{_seconds(roof.memory_seconds)}, multiply-adds {_seconds(roof.flop_seconds)}, "
            f"instructions {_seconds(roof.instruction_seconds)}"
        )
        remarks.append(Remark(facts.location, "explain", text))
    for place in facts.places:
        if place.share >= 0.005:
            text = f"{place.share:.1%} of the estimated time: {_text(place)}"
            remarks.append(Remark(place.location, "explain", text))
    return remarks


class _Paint:
    def __init__(self, on: bool):
        self._on = on

    def __call__(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._on else text


def _lines(found: Explanation, paint: _Paint) -> Iterator[str]:
    facts = found.facts
    if found.advice:
        yield "What to change"
        for advice in found.advice:
            yield paint("1", f"{_where(advice.location)}: {advice.message} [{advice.cause}]")
            yield from _source(found, advice.location)
            yield paint("32", f"    -> {advice.remedy}")
        yield ""
    yield "Line by line, for each work-item"
    last = 0
    for place in facts.places:
        if place.kind == "arithmetic" and place.share < 0.005:
            continue
        if place.location[1] != last:
            last = place.location[1]
            yield f"{place.location[0]}:{last}:"
            yield from _source(found, place.location, caret=False)
        yield f"  {_share(place)}  {_text(place)}"
    yield ""
    yield from _cost(found)
    yield ""
    yield from _bounds(found)


def _where(location: tuple[str, int, int]) -> str:
    return ":".join(map(str, location))


def _source(
    found: Explanation, location: tuple[str, int, int], caret: bool = True
) -> Iterator[str]:
    file, line, column = location
    own = found.facts.location
    if own is None or file != own[0] or not 0 < line <= len(found.source):
        return
    text = found.source[line - 1]
    yield f"    {text}"
    if caret:
        blank = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
        yield f"    {blank}^"


def _share(place: Place) -> str:
    return f"{place.share:6.1%}" if place.share >= 0.0005 else "      "


def _text(place: Place) -> str:
    if place.is_access:
        what = f"{place.kind} of {place.array}"
        if place.space != "global":
            what += f" ({place.space})"
        parts = [f"{what}: {_times(place)} of {place.size} bytes", f"neighbours {_apart(place)}"]
        if place.in_loop:
            parts.append(f"iterations {_distance(place.iterations, place.size)}")
        if place.made:
            parts.append(", ".join(place.made))
        return "; ".join(parts)
    if place.kind == "arithmetic":
        return "operations"
    if place.kind == "barrier":
        return f"barrier: {_times(place)}"
    parts = [f"{place.kind}: {_times(place)}"]
    if place.inside >= 0.0005:
        parts[0] += f", {place.inside:.1%} inside"
    if place.taken is not None:
        many = f"{place.taken:.0%} of the work-items take it"
        parts.append(many if place.kind == "branch" else f"{place.taken:,.4g} iterations")
    if place.uniform:
        parts.append("all work-items of a group decide alike")
    elif place.mixed is None:
        parts.append("neighbours may decide differently")
    elif place.kind == "branch":
        parts.append(f"{place.mixed:.0%} of 16 neighbours decide differently")
    else:
        parts.append(f"the longest of 16 neighbours takes {place.mixed:.3g} times the mean")
    return "; ".join(parts)


def _times(place: Place) -> str:
    return f"{place.times:,.4g} x"


def _apart(place: Place) -> str:
    if place.neighbours is None and place.lanes is not None and place.lanes.x is UNKNOWN:
        return "a constant distance apart that is not known"
    return _distance(place.neighbours, place.size)


def _distance(distance: int | None, size: int) -> str:
    if distance is None:
        return "at places that are not known"
    if distance == 0:
        return "at the same address"
    if distance == size:
        return "consecutive"
    return f"{distance:+,} bytes apart"


def _cost(found: Explanation) -> Iterator[str]:
    """The polynomials."""
    yield "Cost of a launch, as polynomials of its arguments and sizes"
    for name, count in found.cost.items():
        text = show(count)
        if text != "0":
            what = f"{name} operations" if not name.startswith("bytes") else name
            yield f"  {what}: {text}"
    for name, value in found.facts.unknown.items():
        yield f"  [{name}] is taken for {value:,.3g}"


def _bounds(found: Explanation) -> Iterator[str]:
    roof, facts = found.roofline, found.facts
    threads = "one thread" if facts.threads == 1 else f"{facts.threads} threads"
    yield f"What bounds it, on this machine with {threads}"
    yield (
        f"  memory: {_bytes(roof.traffic)} at {roof.level.bandwidth:,.0f} GB/s of {roof.level.name}"
        f": {_seconds(roof.memory_seconds)}"
    )
    yield (
        f"  multiply-adds: {roof.flops:,.4g} operations at {roof.limits.multiply_adds:,.0f} "
        f"GFLOP/s: {_seconds(roof.flop_seconds)}"
    )
    how = f"in vectors of {facts.lanes} work-items" if facts.lanes > 1 else "without vectors"
    yield (
        f"  instructions: {facts.cycles:,.4g} cycles for each work-item, {how}: "
        f"{_seconds(roof.instruction_seconds)} (estimated)"
    )
    for refusal in facts.refusals if facts.lanes == 1 else ():
        yield f"    {refusal}"
    for choice in facts.choices:
        yield f"    {choice}"
    yield f"  bound by {roof.bound}"


def _bytes(count: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:,.3g} {unit}"
    return f"{count:.0f} bytes"


def _seconds(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"
