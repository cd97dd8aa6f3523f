"""The dependence graph of a basic block for the scheduler.

A `Value` is the result of an operation of the machine, or the content of a register when the block
begins. Constants are Python integers: they need neither a register nor a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field

from xdsl.ir import Operation

from polycl.dialects.tta import OPSET, AliasAttr, Kind, Register
from polycl.lowering.tta.memory_map import SPILL, SPILL_END

SELECT = "select"
"""Two guarded moves into a register; inputs: condition, value if true, value if false."""
COPY = "copy"
"""A move of the input into `Value.target` for the blocks that follow."""
GUARD = "guard"
"""A move of the input into a register that can guard moves."""
JUMP = "jump"
"""The jump at the end of the block, with a guard if it is conditional."""
ENTRY = "entry"
"""A register's content at the beginning of the block, in `Value.target`."""


@dataclass(eq=False, repr=False)
class Value:
    """One operation and its result."""

    index: int
    """Position in the program order of the block."""
    operation: str
    inputs: tuple[Operand, ...] = ()
    guard: Operand | None = None
    """The condition of a store, select or jump."""
    target: Register | None = None
    alias: AliasAttr | None = None
    boolean: bool = False
    """Whether the result is 0 or 1: it may stay in a register of one bit."""
    guards: bool = False
    """Whether the result guards moves, and so needs a guard register."""
    after: list[tuple[Value, int]] = field(default_factory=list[tuple["Value", int]])
    """The memory accesses that come before this one, each with the least distance in cycles."""
    before: list[tuple[Value, int]] = field(default_factory=list[tuple["Value", int]])
    """The inverse of `after`."""
    users: list[Value] = field(default_factory=list["Value"])
    """The readers of the value, once for each operand (a guard is an operand)."""
    root: bool = False
    """Whether the value is placed on its own, not together with its only user."""
    reader: Value | None = None
    """For a root: the root that needs it first."""
    unit: int | None = None
    """Which of the units that have the operation executes it, where that is decided before."""
    live_out: bool = False
    """For an ENTRY: whether the following blocks read the register unchanged."""
    source: Operation | None = None
    """The operation that it is made from, for messages."""

    def __repr__(self) -> str:
        return f"{self.index}: {self.operation}"

    @property
    def operands(self) -> Iterable[Operand]:
        return self.inputs if self.guard is None else (*self.inputs, self.guard)

    @property
    def is_store(self) -> bool:
        semantics = OPSET.get(self.operation)
        return semantics is not None and semantics.kind is Kind.STORE


def tree_of(root: Value) -> Iterator[Value]:
    """A root and the values that are placed together with it."""
    work = [root]
    while work:
        value = work.pop()
        yield value
        work += [o for o in value.operands if isinstance(o, Value) and not o.root]


Operand = Value | int


@dataclass
class Graph:
    """A block: its values in program order, the copies for its successors and the jump last."""

    values: list[Value] = field(default_factory=list[Value])
    entries: dict[Register, Value] = field(default_factory=dict[Register, Value])
    jump: Value | None = None

    def add(self, value: Value) -> Value:
        """Appends a value, and adds it to the users of its operands."""
        for operand in value.operands:
            if isinstance(operand, Value):
                operand.users.append(value)
        if isinstance(value.guard, Value):
            value.guard.guards = True
        self.values.append(value)
        return value

    def replaced(self, value: Value) -> Value | None:
        """What the register that a copy writes has at the begin, if anything reads it."""
        if value.operation != COPY or value.target is None:
            return None
        return self.entries.get(value.target)

    def positions(self) -> dict[Value, int]:
        return {value: i for i, value in enumerate(self.values)}

    def copy(self) -> Graph:
        """An equal graph: placement changes the one that it is given."""
        new = {value: copy(value) for value in (*self.entries.values(), *self.values)}
        for value in new.values():
            value.inputs = tuple(new[o] if isinstance(o, Value) else o for o in value.inputs)
            if isinstance(value.guard, Value):
                value.guard = new[value.guard]
            value.users = [new[user] for user in value.users]
            value.after = [(new[other], distance) for other, distance in value.after]
            value.before = [(new[other], distance) for other, distance in value.before]
        return Graph(
            [new[value] for value in self.values],
            {register: new[value] for register, value in self.entries.items()},
            None if self.jump is None else new[self.jump],
        )


def order_memory(graph: Graph) -> None:
    """Fills `after`: a load is ordered after earlier stores, a store after all earlier accesses."""
    accesses: list[tuple[Value, bool, tuple[Operand, int], int]] = []
    for value in graph.values:
        semantics = OPSET.get(value.operation)
        if semantics is None or semantics.kind not in (Kind.LOAD, Kind.STORE):
            continue
        stores = semantics.kind is Kind.STORE
        place = base_and_offset(value.inputs[0])
        for other, other_stores, other_place, size in accesses:
            if not (stores or other_stores):
                continue
            if _apart(value, place, semantics.size, other, other_place, size):
                continue
            # Loads of a cycle read before its stores write.
            distance = 1 if other_stores else 0
            value.after.append((other, distance))
            other.before.append((value, distance))
        accesses.append((value, stores, place, semantics.size))


def _apart(
    value: Value,
    place: tuple[Operand, int],
    size: int,
    other: Value,
    other_place: tuple[Operand, int],
    other_size: int,
) -> bool:
    """Whether two accesses never overlap."""
    if value.alias is not None and other.alias is not None and value.alias.excludes(other.alias):
        return True
    if _is_slot(place) != _is_slot(other_place):
        return True
    if place[0] is not other_place[0] and place[0] != other_place[0]:
        return False
    # The difference counts modulo the address space, as additions wrap around.
    distance = (other_place[1] - place[1]) % (1 << 32)
    return distance >= size and (1 << 32) - distance >= other_size


def _is_slot(place: tuple[Operand, int]) -> bool:
    """Whether an address is that of a spilled value, which the function itself never accesses."""
    return place[0] == 0 and SPILL <= place[1] < SPILL_END


def base_and_offset(address: Operand) -> tuple[Operand, int]:
    """An address as a value plus a constant; the value of a constant address is 0."""
    offset = 0
    while isinstance(address, Value) and address.operation in ("add", "sub"):
        left, right = address.inputs
        if isinstance(right, int):
            offset += right if address.operation == "add" else -right
            address = left
        elif isinstance(left, int) and address.operation == "add":
            offset += left
            address = right
        else:
            break
    return (0, offset + address) if isinstance(address, int) else (address, offset)
