"""The memory on a path, and the order that its accesses must keep.

The accesses of the function are recorded in program order. The accesses of the program follow,
cycle by cycle, and each must match one of them: `run_load` and `run_store` find it, and refuse an
access if a store that may overlap comes too early or too late. Sets of stores are bits of an
integer.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TypeAlias

from polycl.analysis.tta.terms import MASK, Term, Terms
from polycl.dialects.tta import OPSET, AliasAttr

StoreKey: TypeAlias = tuple[str, Term, Term, Term | None]
"""The operation of a store, its address, what it stores, and its condition."""


class Refused(Exception):
    """The program is not proved equivalent to the function."""


@dataclass(frozen=True)
class Access:
    """A load or store of the function."""

    operation: str
    address: Term
    alias: AliasAttr | None
    value: Term | None = None
    """The stored value."""
    condition: Term | None = None
    """The condition of a store; None if it is unconditional."""
    position: int = 0
    """The number of stores before."""
    step: int = 0
    """The index of the step of the path."""
    parallel: bool = False
    """Whether this step is an iteration of a loop whose iterations never access the same bytes."""

    @property
    def size(self) -> int:
        return OPSET[self.operation].size


class Memory:
    """All accesses of the blocks of a path."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self.stores: list[Access] = []
        self.step = 0
        """The step of the accesses that are added next, and whether it is `parallel`."""
        self.parallel = False
        self.never = 0
        """Stores whose condition is never true."""
        self._loads: dict[tuple[str, Term], dict[Access, Term]] = defaultdict(dict)
        """By operation and address: the loads and the terms that they read, which depend on the
        last earlier store that may overlap."""
        self._same: dict[StoreKey, list[int]] = defaultdict(list)
        self._overlapping: dict[Access, int] = {}

    def copy(self) -> Memory:
        copy = Memory(self.terms)
        copy.stores = list(self.stores)
        copy.never = self.never
        copy._loads.update((key, dict(known)) for key, known in self._loads.items())
        copy._same.update((key, list(known)) for key, known in self._same.items())
        return copy

    # Accesses of the function.

    def load(self, operation: str, address: Term, alias: AliasAttr | None) -> Term:
        access = self._access(operation, address, alias)
        known = self._loads[operation, address]
        if access not in known:
            known[access] = self._read(access, known)
        return known[access]

    def _read(self, access: Access, known: dict[Access, Term]) -> Term:
        """The term of a load: that of an earlier load of these bytes if no store between may
        overlap. What is known of one of the two holds for both."""
        before = range(access.position - 1, -1, -1)
        last = next((i for i in before if not self._apart(access, self.stores[i])), -1)
        for other, term in known.items():
            between = self.stores[other.position : last + 1]
            if all(self._apart(other, store) or self._apart(access, store) for store in between):
                return term
        return self.terms.load(access.operation, access.address, last + 1)

    def store(
        self,
        operation: str,
        address: Term,
        value: Term,
        alias: AliasAttr | None,
        condition: Term | None,
    ) -> None:
        if condition == self.terms.zero:
            self.never |= 1 << len(self.stores)
        else:
            self._same[operation, address, value, condition].append(len(self.stores))
        self.stores.append(self._access(operation, address, alias, value, condition))
        self._overlapping.clear()

    def _access(
        self,
        operation: str,
        address: Term,
        alias: AliasAttr | None,
        value: Term | None = None,
        condition: Term | None = None,
    ) -> Access:
        position = len(self.stores)
        return Access(
            operation, address, alias, value, condition, position, self.step, self.parallel
        )

    # Accesses of the program.

    def run_load(self, operation: str, address: Term, done: int) -> Term:
        """The value of a load after the stores `done` of earlier cycles."""
        known = self._loads.get((operation, address))
        if not known:
            text = self.terms.text(address)
            raise Refused(f"'{operation}' reads the address {text}, which the function does not")
        for access, term in known.items():
            overlapping = self._overlap(access)
            if overlapping & done == overlapping & _first(access.position):
                return term
        raise Refused(self._disorder(next(iter(known)), done))

    def run_store(self, access: StoreKey, done: int, running: int) -> int:
        """The matching store, as a bit; `running` are the started, `done` the finished stores."""
        operation, address, value, condition = access
        for i in self._same.get(access, ()):
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

    def missing(self, first: int, done: int) -> Access | None:
        """The first of the `first` stores that did not happen; None if all happened."""
        missing = _first(first) & ~done & ~self.never
        return self.stores[(missing & -missing).bit_length() - 1] if missing else None

    def describe(self, access: Access) -> str:
        content = "" if access.value is None else f" of {self.terms.text(access.value)}"
        return f"'{access.operation}'{content} at {self.terms.text(access.address)}"

    def _disorder(self, access: Access, done: int) -> str:
        overlapping = self._overlap(access)
        before = _first(access.position)
        early = overlapping & before & ~done
        other = early or overlapping & done & ~before
        what = self.describe(self.stores[(other & -other).bit_length() - 1])
        way = "before" if early else "after"
        return f"{self.describe(access)} is {way} {what}, which may overlap"

    def _overlap(self, access: Access) -> int:
        """The stores of the path that may overlap with an access."""
        found = self._overlapping.get(access)
        if found is None:
            found = sum(
                1 << i for i, store in enumerate(self.stores) if not self._apart(access, store)
            )
            self._overlapping[access] = found
        return found

    def _apart(self, one: Access, other: Access) -> bool:
        """Whether two accesses never overlap."""
        if one.step != other.step and one.parallel and other.parallel:
            return True
        if one.alias is not None and other.alias is not None:
            # Regions are comparable within one execution of a block only.
            if one.alias.excludes_set(other.alias) or (
                one.step == other.step and one.alias.excludes(other.alias)
            ):
                return True
        if other.condition == self.terms.zero:
            return True
        if one.condition is not None and other.condition is not None:
            if one.condition == self.terms.inverse(other.condition):
                return True
        base, number = self.terms.split(one.address)
        other_base, other_number = self.terms.split(other.address)
        distance = (other_number - number) & MASK
        return base == other_base and one.size <= distance <= (1 << 32) - other.size


def _first(count: int) -> int:
    return (1 << count) - 1
