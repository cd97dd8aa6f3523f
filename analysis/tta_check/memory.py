"""The memory of a block: which accesses of the function must keep their order.

The function's accesses are in its order. Those of the program come later, cycle by cycle, and each
must be one of them: `run_load` and `run_store` say which one it is, and refuse it where a store
that may overlap comes too early or too late. Sets of stores are bits of an integer.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from polycl.analysis.tta_check.terms import Term, Terms
from polycl.dialects.tta import OPSET, AliasAttr


class Refused(Exception):
    """The program is not proved to do what the function does; the message says where."""


@dataclass(frozen=True)
class Access:
    """A load or store of the function."""

    operation: str
    address: Term
    alias: AliasAttr | None
    value: Term | None = None
    """What is stored."""
    condition: Term | None = None
    """Of a store: whether it happens; None if always."""
    position: int = 0
    """How many stores of the block come before."""

    @property
    def size(self) -> int:
        return OPSET[self.operation].size


class Memory:
    """All accesses of a block of the function."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self.stores: list[Access] = []
        self._loads: dict[tuple[str, Term], list[Access]] = defaultdict(list)
        self._same: dict[tuple[str, Term, Term | None, Term | None], list[int]] = defaultdict(list)
        self._overlapping: dict[Access, int] = {}

    # The function's side.

    def load(self, operation: str, address: Term, alias: AliasAttr | None) -> Term:
        access = Access(operation, address, alias, position=len(self.stores))
        known = self._loads[operation, address]
        if access not in known:
            known.append(access)
        return self._loaded(access)

    def store(
        self,
        operation: str,
        address: Term,
        value: Term,
        alias: AliasAttr | None,
        condition: Term | None,
    ) -> None:
        access = Access(operation, address, alias, value, condition, len(self.stores))
        self._same[operation, address, value, condition].append(len(self.stores))
        self.stores.append(access)

    def _loaded(self, access: Access) -> Term:
        """The last store before that may overlap says which content it is."""
        before = range(access.position - 1, -1, -1)
        last = next((i for i in before if not self._apart(access, self.stores[i])), -1)
        return self.terms.load(access.operation, access.address, last + 1)

    # The program's side.

    @property
    def all_stores(self) -> int:
        return (1 << len(self.stores)) - 1

    def run_load(self, operation: str, address: Term, done: int) -> Term:
        """What a load reads when the stores `done` have happened, those of earlier cycles."""
        known = self._loads.get((operation, address))
        if not known:
            text = self.terms.text(address)
            raise Refused(f"'{operation}' reads the address {text}, which the function does not")
        for access in known:
            overlapping = self._overlap(access)
            if overlapping & done == overlapping & _first(access.position):
                return self._loaded(access)
        raise Refused(self._disorder(known[0], done))

    def run_store(
        self,
        operation: str,
        address: Term,
        value: Term,
        condition: Term | None,
        done: int,
        running: int,
    ) -> int:
        """Which store it is, as a bit; `running` are those that have begun, `done` are over."""
        for i in self._same.get((operation, address, value, condition), ()):
            if not running & 1 << i:
                break
        else:
            text, content = self.terms.text(address), self.terms.text(value)
            when = "" if condition is None else f" if {self.terms.text(condition)}"
            raise Refused(
                f"'{operation}' stores {content} at {text}{when}, which the function does not "
                "(or not once more)"
            )
        store = self.stores[i]
        before = _first(i)
        if self._overlap(store) & before & ~done:
            raise Refused(self._disorder(store, done))
        return 1 << i

    def missing(self, done: int) -> Access | None:
        """A store that did not happen."""
        return next((s for i, s in enumerate(self.stores) if not done & 1 << i), None)

    def describe(self, access: Access) -> str:
        content = "" if access.value is None else f" of {self.terms.text(access.value)}"
        return f"'{access.operation}'{content} at {self.terms.text(access.address)}"

    def _disorder(self, access: Access, done: int) -> str:
        overlapping = self._overlap(access)
        before = _first(access.position)
        early = overlapping & before & ~done
        other = early or overlapping & done & ~before
        what = self.describe(self.stores[(other & -other).bit_length() - 1])
        way = "before" if early else "behind"
        return f"{self.describe(access)} is {way} {what}, which may overlap"

    def _overlap(self, access: Access) -> int:
        """The stores that may overlap with an access, all of the block."""
        found = self._overlapping.get(access)
        if found is None:
            found = sum(
                1 << i for i, store in enumerate(self.stores) if not self._apart(access, store)
            )
            self._overlapping[access] = found
        return found

    def _apart(self, one: Access, other: Access) -> bool:
        """Whether two accesses never touch the same byte."""
        if one.alias is not None and other.alias is not None and one.alias.excludes(other.alias):
            return True
        if one.condition is not None and other.condition is not None:
            if one.condition == self.terms.inverse(other.condition):
                return True
        terms, start = self.terms.summands(one.address)
        other_terms, other_start = self.terms.summands(other.address)
        if terms != other_terms:
            return False
        distance = (other_start - start) % (1 << 32)
        return distance >= one.size and (1 << 32) - distance >= other.size


def _first(count: int) -> int:
    return (1 << count) - 1
