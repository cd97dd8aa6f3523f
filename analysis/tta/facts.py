"""The facts at the begin of a block of the program, which relate program and function.

The first edge to a block defines all facts that hold on it, and other edges remove the facts that
do not hold on them. At the fixed point, the remaining facts hold on all paths, since each edge was
proved from the facts before it.

The scheduler need not provide them. It tells the registers of values, so that the first block of a
loop begins with the facts that are likely to remain, and blocks are executed fewer times. Facts
that it is wrong about are missing, never wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from polycl.analysis.tta.path import Path
from polycl.analysis.tta.run_function import Code, Live, Number
from polycl.analysis.tta.run_schedule import Arriving, Place, Previous, Slot
from polycl.analysis.tta.symbolic_memory import Refused
from polycl.analysis.tta.terms import MASK, Term, Terms
from polycl.dialects.tta import Register

Fact: TypeAlias = tuple[Number, int] | int
"""A value of the function, with the number of steps after the block that begins; or a constant."""

Facts: TypeAlias = dict[Place, tuple[Fact, ...]]
"""The facts that each place equals; other places are unknown."""

Relation: TypeAlias = tuple[tuple[int, int], ...]
"""For each live value its class and a constant: values of a class differ by constants (0:
constants)."""

Home: TypeAlias = Register | int
"""A register, or the address of a spilled value."""

UNSURE = (Arriving, Previous)
"""Such a place without a fact is unknown: a result that may arrive makes a port unknown, and so
does a possible old value of a register."""


@dataclass
class Known:
    """All facts at the begin of a block of the program."""

    code: Code
    """The block of the function that begins at the same time."""
    facts: Facts
    relation: Relation
    """The relation of the values that are live at its begin."""
    choices: tuple[bool | None, ...] = ()
    """The known branch decisions at the end of the block and the following blocks."""
    done: int = 0
    """The stores of the block and the following blocks that have happened, as bits."""
    never: int = 0
    """The stores whose conditions are false, so that it does not matter whether they happen."""

    def met(self, other: Known) -> Known:
        """The facts that hold on both of two edges to a block."""
        if (self.done ^ other.done) & ~(self.never | other.never):
            raise Refused(
                "a store of a later iteration happened on one edge to the next block only"
            )
        count = 0
        while self.choices[: count + 1] == other.choices[: count + 1] and count < len(self.choices):
            count += 1
        relation = _met_relations(self.code.live, self.relation, other.relation)
        facts = _met_facts(self.facts, other.facts)
        return Known(
            code=self.code,
            facts=facts,
            relation=relation,
            choices=self.choices[:count],
            done=self.done & ~self.never | other.done & ~other.never,
            never=self.never & other.never,
        )

    def widened(self, homes: Mapping[Number, Collection[Home]]) -> Known:
        """What is likely to hold on all edges to a loop's first block, from the first edge to it:
        its arguments are unrelated, and each value is in its home only.

        More may hold. Values without `homes` may be anywhere.
        """
        facts: Facts = {}
        for place, every in self.facts.items():
            if isinstance(place, UNSURE):
                facts[place] = every
            elif isinstance(place, Register | Slot):
                home = place.address if isinstance(place, Slot) else place
                kept = [f for f in every if isinstance(f, tuple)]
                kept = [f for f in kept if home in homes.get(f[0], (home,))]
                if kept:
                    facts[place] = tuple(kept)
        keys: list[tuple[object, int]] = []
        for value, (number, offset) in zip(self.code.live, self.relation, strict=True):
            changes = value.number in self.code.changing
            keys.append((value, 0) if changes else (number or None, offset))
        return replace(self, facts=facts, relation=_numbered(self.code.live, keys))

    def begin(self, terms: Terms) -> tuple[Path, dict[Place, Term]]:
        """The path that begins here, and the terms of the program's places."""
        entry = _leaves(self.code.live, self.relation, terms)
        several = [facts for facts in self.facts.values() if len(facts) > 1]
        while True:
            path = Path(self.code, entry, terms)
            for choice in self.choices:
                path.go(choice)
            # All facts of a place are equal, so they become one term.
            groups = [{_term(f, path) for f in facts} for facts in several]
            united = [terms.unite(group) for group in groups if len(group) > 1]
            if not any(united):
                break
        places: dict[Place, Term] = {}
        for place, facts in self.facts.items():
            places[place] = _term(facts[0], path) if facts else terms.unknown()
        return path, places


def _term(fact: Fact, path: Path) -> Term:
    if isinstance(fact, int):
        return path.terms.constant(fact)
    value, step = fact
    while step >= len(path.steps) and path.extend(()):
        pass
    return path.steps[step].values[value]


def known_at(path: Path, at: int, places: Mapping[Place, Term], done: int) -> Known:
    """The facts at the begin of step `at` of a path."""
    first = path.steps[at]
    names: dict[Term, list[Fact]] = {}
    for value, term in first.entry.items():
        names.setdefault(term, []).append((value, 0))
    if at + 1 < len(path.steps):
        for ahead, step in enumerate(path.steps[at:]):
            for number in step.code.results:
                names.setdefault(step.values[number], []).append((number, ahead))
    facts: Facts = {}
    for place, term in places.items():
        found = names.get(term, [])
        constant = path.terms.value(term)
        if constant is not None:
            found = [*found, constant]
        if found or isinstance(place, UNSURE):
            facts[place] = tuple(found)
    return Known(
        code=first.code,
        facts=facts,
        relation=_numbered(
            first.code.live, [path.terms.split(term) for term in first.entry.values()]
        ),
        choices=tuple(path.choices[at:]),
        done=done >> first.first_store,
        never=path.memory.never >> first.first_store,
    )


def _met_facts(one: Facts, other: Facts) -> Facts:
    found: Facts = {}
    for place, facts in one.items():
        allowed = other.get(place, ())
        both = facts if facts == allowed else tuple(f for f in facts if f in allowed)
        if both or isinstance(place, UNSURE):
            found[place] = both
    for place in other:
        if place not in one and isinstance(place, UNSURE):
            found[place] = ()
    return found


# Values that differ by constants.


def _numbered(live: Sequence[Live], keys: Sequence[tuple[object, int]]) -> Relation:
    """The relation of values with class keys (None: constants) and constants.

    Classes are numbered in order, those of conditions first: such a class has only values that are
    equal to it.
    """
    classes: dict[object, tuple[int, int]] = {}
    found: list[tuple[int, int]] = list(keys)  # pyright: ignore[reportAssignmentType]
    for boolean in (True, False):
        for i, (value, (key, offset)) in enumerate(zip(live, keys, strict=True)):
            if value.boolean is not boolean:
                continue
            if key is None:
                found[i] = 0, offset
                continue
            if boolean or (key, offset) in classes:
                key = key, offset
            number, first = classes.setdefault(key, (len(classes) + 1, offset))
            found[i] = number, (offset - first) & MASK
    return tuple(found)


def _met_relations(live: Sequence[Live], one: Relation, other: Relation) -> Relation:
    if one == other:
        return one
    keys: list[tuple[object, int]] = []
    for (number, offset), (second, second_offset) in zip(one, other, strict=True):
        distance = (offset - second_offset) & MASK
        same = number == second == distance == 0
        keys.append((None if same else (number, second, distance), offset))
    return _numbered(live, keys)


def _leaves(live: Sequence[Live], relation: Relation, terms: Terms) -> dict[Number, Term]:
    """A leaf for each class, and the terms of all values."""
    first: dict[int, Term] = {0: terms.zero}
    found: dict[Number, Term] = {}
    for value, (number, offset) in zip(live, relation, strict=True):
        if number not in first:
            first[number] = terms.leaf(value, boolean=value.boolean)
        found[value.number] = first[number]
        if offset:
            found[value.number] = terms.plus(first[number], offset)
    return found
