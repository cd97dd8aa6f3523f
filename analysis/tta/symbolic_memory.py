"""The memory on a path: which accesses of the function must keep their order.

The function's accesses are in its order. Those of the program come later, cycle by cycle, and each
must be one of them: `run_load` and `run_store` say which one it is, and refuse it where a store
that may overlap comes too early or too late. Sets of stores are bits of an integer.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TypeAlias

from polycl.analysis.tta.terms import Term, Terms
from polycl.dialects.tta import OPSET, AliasAttr

StoreKey: TypeAlias = tuple[str, Term, Term, Term | None]
"""The operation of a store, its address, what it stores, and its condition."""


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
    """How many stores come before."""
    step: int = 0
    """The block of the path, counted from 0."""
    parallel: bool = False
    """Whether this step is a round of a loop whose rounds never touch the same bytes."""

    @property
    def size(self) -> int:
        return OPSET[self.operation].size


class Memory:
    """All accesses of some blocks of the function that are executed one after the other."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self.stores: list[Access] = []
        self.step = 0
        """That of the accesses which are added now, and whether it is `parallel` to others."""
        self.parallel = False
        self.never = 0
        """Stores whose condition is never true."""
        self._loads: dict[tuple[str, Term], dict[Access, Term]] = defaultdict(dict)
        """By operation and address: what each of them reads, told by the last store before that
        may overlap."""
        self._same: dict[StoreKey, list[int]] = defaultdict(list)
        self._overlapping: dict[Access, int] = {}

    def copy(self) -> Memory:
        """Another one, to go on differently."""
        copy = Memory(self.terms)
        copy.stores = list(self.stores)
        copy.never = self.never
        copy._loads.update((key, dict(known)) for key, known in self._loads.items())
        copy._same.update((key, list(known)) for key, known in self._same.items())
        return copy

    # The function's side.

    def load(self, operation: str, address: Term, alias: AliasAttr | None) -> Term:
        access = self._access(operation, address, alias)
        before = range(access.position - 1, -1, -1)
        last = next((i for i in before if not self._apart(access, self.stores[i])), -1)
        term = self.terms.load(operation, address, last + 1)
        known = self._loads[operation, address]
        if access not in known:
            known[access] = term
        return term

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

    # The program's side.

    def run_load(self, operation: str, address: Term, done: int) -> Term:
        """What a load reads when the stores `done` have happened, those of earlier cycles."""
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
        """Which store it is, as a bit; `running` are those that have begun, `done` are over."""
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
        """One of the `first` stores that did not happen."""
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
        if one.step != other.step and one.parallel and other.parallel:
            return True
        if one.alias is not None and other.alias is not None:
            # Regions are those of one execution of a block.
            if one.alias.excludes_set(other.alias) or (
                one.step == other.step and one.alias.excludes(other.alias)
            ):
                return True
        if other.condition == self.terms.zero:
            return True
        if one.condition is not None and other.condition is not None:
            if one.condition == self.terms.inverse(other.condition):
                return True
        distance = (self.terms.sum(other.address) - self.terms.sum(one.address)).constant
        return distance is not None and distance >= one.size and (1 << 32) - distance >= other.size


def _first(count: int) -> int:
    return (1 << count) - 1
