"""What became of the checks of each access, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.memory import space_of
from polycl.errors import location_of
from polycl.lowering.ocl.ocl_insert_checks.accesses import READ, SHARED, WRITE, Access

Verdict: TypeAlias = Literal["proved", "hoisted", "checked"]
"""Whether an access needs no check, shares one that is made before it, or has its own."""

VERDICTS: tuple[Verdict, ...] = ("proved", "hoisted", "checked")

_WORDS = {
    "proved": "needs no check",
    "hoisted": "is checked before its loop, or by another access of the same place",
    "checked": "is checked",
}


@dataclass(frozen=True)
class Decision:
    """The decision about one access."""

    location: tuple[str, int, int] | None
    """File, line and column."""
    verdict: Verdict
    text: str


def decide(
    access: Access,
    name: str,
    verdict: Verdict,
    *,
    inside: bool,
    written: bool,
    alone: bool | None,
    set: bool | None,
) -> Decision:
    """The decision about an access to the object `name`, with what is known: whether it is `inside`
    of the object, whether the object is `written`, and if so, `alone` by one work-item at a time,
    and whether what is read was `set`; None: that was not asked."""
    space = space_of(access.root)
    whom = "of a group " if space is AddressSpace.LOCAL else ""
    facts: list[tuple[bool | None, str, str]] = [
        (inside, "all work-items are inside of it", "a work-item may be outside of it")
    ]
    if space in SHARED and not written:
        facts.append((True, "nothing writes it", ""))
    elif space in SHARED:
        facts.append((alone, f"no work-items {whom}race on it", f"work-items {whom}may race on it"))
    if space in (AddressSpace.LOCAL, AddressSpace.PRIVATE) and access.kind != WRITE:
        facts.append((set, "it was set before", "it may be unset"))
    known = [text for holds, text, _ in facts if holds is True]
    open = [text for holds, _, text in facts if holds is False]
    verb = "read" if access.kind == READ else "write" if access.kind == WRITE else "update"
    reasons = known if verdict == "proved" else open or known
    text = f"{verb} of '{name}' {_WORDS[verdict]}: {', and '.join(reasons)}"
    return Decision(location_of(access.op), verdict, text)


def name_of(access: Access, names: Sequence[str], arguments: Sequence[object]) -> str:
    """What the source calls the object of an access."""
    for name, argument in zip(names, arguments, strict=False):
        if argument is access.root:
            return name
    hint = access.root.name_hint
    if hint is not None:
        return hint
    return "local memory" if isinstance(access.root.owner, ocl.LocalAllocOp) else "private memory"


def summary(decisions: Iterable[Decision]) -> str:
    """`12 accesses: 9 proved, 2 hoisted, 1 checked`."""
    counts = Counter(decision.verdict for decision in decisions)
    total = counts.total()
    parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
    return f"{total} access{'es' if total != 1 else ''}" + (
        f": {', '.join(parts)}" if parts else ""
    )
