"""Colours that differ in hue for most eyes and in lightness for all, also on a grey printer."""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """How a class is filled."""

    fill: str
    hatch: str = ""


CODELETS = {
    "interior": Look("#a8d8c8"),
    "uniform": Look("#b9b04f"),
    "full": Look("#a8d8c8"),
    "mixed": Look("#e8a33d", "/"),
    "divergent": Look("#b5452c", "x"),
    "partial": Look("#6f83ab"),
    "scalar": Look("#6f83ab"),
}
"""Codelets by name: the darker, the slower. Orange and red are after Okabe and Ito."""

OTHERS = (Look("#cfb3d8"), Look("#8fb7de"), Look("#8c6d5a"))
"""For names that are not in the table, in order."""

IDLE = Look("#f1f1f1")
"""Work-items without effects."""

ACCESSES = {"cons": "#1b7f5f", "uni": "#2f5f9e", "div": "#b5452c"}
"""Arrows of an access."""

SUBKERNELS = (Look("#9cc4e4"), Look("#b486b8", "/"), Look("#8c6d5a", "x"))
"""Subkernels along dimension 0, 1, 2; not the colours of codelets."""

SCALAR = Look("#c4c4c4")
"""The subkernel of one lane."""


def looks(names: list[str]) -> list[Look]:
    """A look for each name, different for different ones."""
    others = [name for name in dict.fromkeys(names) if name not in CODELETS]
    more = {name: OTHERS[i % len(OTHERS)] for i, name in enumerate(others)}
    return [CODELETS.get(name) or more[name] for name in names]
