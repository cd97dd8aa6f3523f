"""Structured control flow as a tree.

A tree is a sequence of items. It visits each node of its source graph at one place, and sets the
choices that later branches and loops depend on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Choice:
    """A variable that remembers which of `arms` ways control has taken.

    `origin` is the node of the source graph that it comes from.
    """

    number: int
    arms: int
    name: str
    origin: int


@dataclass(frozen=True)
class Leaf:
    """The code of a node of the source graph."""

    node: int


@dataclass(frozen=True)
class Pass:
    """The assignments of the edge with number `slot` out of `node` in the source graph."""

    node: int
    slot: int


@dataclass(frozen=True)
class Set:
    """`choice` becomes `value`."""

    choice: Choice
    value: int


@dataclass(frozen=True, eq=False)
class Branch:
    """The arm that `decider`, a node or a choice, selects."""

    decider: int | Choice
    arms: list[Items]


@dataclass(frozen=True, eq=False)
class Loop:
    """`before`; then, while `decider` is `stays`, `after` and `before` again."""

    before: Items
    decider: int | Choice
    stays: int
    after: Items


Action: TypeAlias = Pass | Set
Item: TypeAlias = Leaf | Pass | Set | Branch | Loop
Items: TypeAlias = list[Item]


def origin_of(decider: int | Choice) -> int:
    """The node of the source graph that a branch or loop comes from."""
    return decider if isinstance(decider, int) else decider.origin
