"""What a pass changed, by the texts before and after it.

Values are renamed by each pass that adds or removes one before them, and indented by each that adds
a loop around them: lines are compared without names and indentation first, and then the names of
equal lines, which must correspond one to one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_VALUE = re.compile(r"%[\w.$-]+|\^\w+")
"""The name of a value or of a block."""

_TOP_LEVEL = re.compile(r"  ?\S|\S")
"""The first line of a function, from which on names are others'."""

LONG = 1000
"""Lines from which on an exact comparison takes too long: its time grows with the square."""


@dataclass(frozen=True)
class Changes:
    """The lines that a pass added and removed."""

    added: frozenset[int]
    """Lines of the text after it, from 0."""
    removed: tuple[tuple[int, int], ...]
    """A line of the text before it, and the line of the text after it that follows."""
    kept: Mapping[int, int]
    """Line of the text after it -> the same line of the text before it."""


def changes(before: Sequence[str], after: Sequence[str]) -> Changes:
    """What is different in `after`."""
    if before == after:
        return Changes(frozenset(), (), {i: i for i in range(len(after))})
    old, new = ([_VALUE.sub("%", text).strip() for text in lines] for lines in (before, after))
    names = _Names()
    added: set[int] = set()
    removed: list[tuple[int, int]] = []
    kept: dict[int, int] = {}
    # Of long texts, lines that are there very often belong to no match of their own.
    matcher = SequenceMatcher(None, old, new, autojunk=len(new) > LONG)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind != "equal":
            removed += [(line, j) for line in range(i, i_end)]
            added.update(range(j, j_end))
            continue
        for k in range(i_end - i):
            if names.correspond(before[i + k], after[j + k]):
                kept[j + k] = i + k
            else:
                removed.append((i + k, j + k))
                added.add(j + k)
    return Changes(frozenset(added), tuple(removed), kept)


class _Names:
    """Which name of the text after a pass is which of the text before it."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def correspond(self, before: str, after: str) -> bool:
        """Whether two lines that are equal without names have the same ones. A name that was not
        seen before is new."""
        if _TOP_LEVEL.match(before):
            self._known.clear()
        pairs = zip(_VALUE.findall(before), _VALUE.findall(after), strict=True)
        return all([self._known.setdefault(old, new) == new for old, new in pairs])
