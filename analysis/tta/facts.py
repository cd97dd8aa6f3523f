"""The facts at the begin of a block of the program, which relate program and function.

The scheduler does not provide them. The first edge to a block defines all facts that hold on it,
and other edges remove the facts that do not hold on them. At the fixed point, the remaining facts
hold on all paths, since each edge was proved from the facts before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, SSAValue

from polycl.analysis.tta.path import Path
from polycl.analysis.tta.run_schedule import Arriving, Place, Previous
from polycl.analysis.tta.symbolic_memory import Refused
from polycl.analysis.tta.terms import MASK, Term, Terms

Fact: TypeAlias = tuple[SSAValue, int] | int
"""A value of the function, with the number of steps after the block that begins; or a constant."""

Facts: TypeAlias = dict[Place, tuple[Fact, ...]]
"""The facts that each place equals; other places are unknown."""

Relation: TypeAlias = dict[SSAValue, tuple[int, int]]
"""For each value its class and a constant: values of a class differ by constants (0: constants)."""


@dataclass
class Known:
    """All facts at the begin of a block of the program."""

    block: Block
    """The block of the function that begins at the same time."""
    facts: Facts
    relation: Relation
    """The relation of the values that are live at the begin of `block`."""
    choices: tuple[bool | None, ...] = ()
    """The known branch decisions at the end of `block` and the following blocks."""
    done: int = 0
    """The stores of `block` and the following blocks that have happened, as bits."""
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
        relation = _met_relations(self.relation, other.relation)
        facts = _met_facts(self.facts, other.facts)
        return Known(
            block=self.block,
            facts=facts,
            relation=relation,
            choices=self.choices[:count],
            done=self.done & ~self.never | other.done & ~other.never,
            never=self.never & other.never,
        )

    def begin(
        self, live: Mapping[Block, Sequence[SSAValue]], terms: Terms
    ) -> tuple[Path, dict[Place, Term]]:
        """The path that begins here, and the terms of the program's places."""
        entry = _leaves(self.relation, terms)
        while True:
            path = Path(self.block, entry, live, terms)
            for choice in self.choices:
                path.go(choice)
            # All facts of a place are equal, so they become one term.
            groups = [{_term(f, path) for f in facts} for facts in self.facts.values()]
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
            for op in step.block.ops:
                for value in op.results:
                    if value in step.values:
                        names.setdefault(step.values[value], []).append((value, ahead))
    facts: Facts = {}
    for place, term in places.items():
        found = names.get(term, [])
        constant = path.terms.value(term)
        if constant is not None:
            found = [*found, constant]
        if found or isinstance(place, Arriving | Previous):
            facts[place] = tuple(found)
    return Known(
        block=first.block,
        facts=facts,
        relation=_relation(first.entry, path.terms),
        choices=tuple(path.choices[at:]),
        done=done >> first.first_store,
        never=path.memory.never >> first.first_store,
    )


def _met_facts(one: Facts, other: Facts) -> Facts:
    found: Facts = {}
    for place in one.keys() | other.keys():
        allowed = set(other.get(place, ()))
        both = tuple(fact for fact in one.get(place, ()) if fact in allowed)
        # A result that may arrive makes a port unknown; so does a possible old value of a register.
        if both or isinstance(place, Arriving | Previous):
            found[place] = both
    return found


# Values that differ by constants.


def _numbered(keys: Iterable[tuple[SSAValue, object, int]]) -> Relation:
    """The relation of values with class keys (None: constants) and constants, numbered in order."""
    classes: dict[object, tuple[int, int]] = {}
    found: Relation = {}
    conditions: list[tuple[SSAValue, object, int]] = []
    others: list[tuple[SSAValue, object, int]] = []
    for item in keys:
        (conditions if item[0].type == i1 else others).append(item)
    # The class of a condition has only values that are equal to it.
    for i, (value, key, offset) in enumerate((*conditions, *others)):
        if key is None:
            found[value] = 0, offset
            continue
        if i < len(conditions) or (key, offset) in classes:
            key = key, offset
        number, first = classes.setdefault(key, (len(classes) + 1, offset))
        found[value] = number, (offset - first) & MASK
    return found


def _relation(values: Mapping[SSAValue, Term], terms: Terms) -> Relation:
    return _numbered((value, *terms.split(term)) for value, term in values.items())


def _met_relations(one: Relation, other: Relation) -> Relation:
    keys: list[tuple[SSAValue, object, int]] = []
    for value, (number, offset) in one.items():
        second, second_offset = other[value]
        distance = (offset - second_offset) & MASK
        same = number == second == distance == 0
        key = None if same else (number, second, distance)
        keys.append((value, key, offset))
    return _numbered(keys)


def _leaves(relation: Relation, terms: Terms) -> dict[SSAValue, Term]:
    """A leaf for each class, and the terms of all values."""
    first: dict[int, Term] = {0: terms.zero}
    found: dict[SSAValue, Term] = {}
    for value, (number, offset) in relation.items():
        if number not in first:
            first[number] = terms.leaf(Named(value), boolean=value.type == i1)
        found[value] = first[number]
        if offset:
            found[value] = terms.plus(first[number], offset)
    return found


class Named:
    """A value that prints as in messages."""

    def __init__(self, value: SSAValue):
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.value is other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return f"%{self.value.name_hint or '...'}"
