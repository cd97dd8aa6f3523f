"""Which values of the function are in which places where blocks of the program begin.

Nobody hands that over: it is found as the scheduler's registers are used. A place holds a set of
values that all equal what is in it: first all that do on the first edge to the block, then those
that still do on the others. What is left when nothing changes any more holds on all paths, as it
was proved for each edge from what holds before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from polycl.analysis.tta_check.machine import Arriving, Place, Previous
from polycl.analysis.tta_check.terms import Term, Terms

Fact: TypeAlias = SSAValue | int
"""A value of the function, or a constant."""

Facts: TypeAlias = dict[Place, frozenset[Fact]]
"""What each place equals; nothing is known of places that are not there."""


def facts_of(
    places: Mapping[Place, Term], values: Iterable[tuple[SSAValue, Term]], terms: Terms
) -> Facts:
    """What places at the end of a block are for the next one, where `values` live."""
    names: dict[Term, set[Fact]] = defaultdict(set)
    for value, term in values:
        names[term].add(value)
    found: Facts = {}
    for place, term in places.items():
        facts = set(names.get(term, ()))
        constant = terms.value(term)
        if constant is not None:
            facts.add(constant)
        if facts or isinstance(place, Arriving | Previous):
            found[place] = frozenset(facts)
    return found


def met(one: Facts, other: Facts) -> Facts:
    """What holds on both of two ways to a block."""
    found: Facts = {}
    for place in one.keys() | other.keys():
        both = one.get(place, frozenset()) & other.get(place, frozenset())
        # What may come to a port makes it unknown; so does what a register may have held.
        if both or isinstance(place, Arriving | Previous):
            found[place] = both
    return found


def entry_terms(
    facts: Facts, live: Iterable[SSAValue], terms: Terms
) -> tuple[dict[SSAValue, Term], dict[Place, Term]]:
    """The function's values and the program's places where a block begins.

    Values that are in one place are the same.
    """
    same: dict[Fact, Fact] = {}

    def first(fact: Fact) -> Fact:
        while fact in same:
            fact = same[fact]
        return fact

    for group in facts.values():
        firsts = {first(fact) for fact in group}
        # A constant says the most; there is one at most in a group of what is possible.
        best = next((f for f in firsts if isinstance(f, int)), next(iter(firsts), None))
        same.update((f, best) for f in firsts if f is not best and best is not None)

    def term(fact: Fact) -> Term:
        fact = first(fact)
        if isinstance(fact, int):
            return terms.constant(fact)
        return terms.leaf(Named(fact), boolean=fact.type == i1)

    places = {
        place: term(next(iter(group))) if group else terms.unknown()
        for place, group in facts.items()
    }
    return {value: term(value) for value in live}, places


class Named:
    """A value, as messages write it."""

    def __init__(self, value: SSAValue):
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.value is other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return f"%{self.value.name_hint or '...'}"
