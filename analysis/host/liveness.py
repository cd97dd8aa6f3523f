"""Liveness and redundancy of memory on the graph of host and kernels ([ppopencl19], section 3.2.2).

Memory, an array of the host or a buffer of the device, is live where a path leads to a use of its
contents with no definition of the whole memory before it. A transfer or fill whose target is not
live after it is dead.

Two memories are equal where, on all paths, one was transferred to the other as a whole, and neither
was changed since. A transfer between equal memory is redundant.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

from xdsl.dialects import memref, scf
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.host.def_use import (
    NO_EFFECT,
    Accesses,
    DefUse,
    Effect,
    effects,
    is_whole,
    made,
    memory_of,
)
from polycl.dialects import host

Pair: TypeAlias = frozenset[SSAValue]
"""Two memories with the same contents, by their representatives."""

TRANSFERS = (host.WriteOp, host.ReadOp, host.CopyOp, host.FillOp)

_KNOWN = (
    *TRANSFERS,
    *NO_EFFECT,
    host.BufferOp,
    host.TransposeOp,
    host.LaunchOp,
    memref.AllocOp,
    memref.AllocaOp,
    memref.LoadOp,
    memref.StoreOp,
    memref.CopyOp,
    ReturnOp,
)
"""Operations whose memory is that of their operands and results; others may keep it."""


class Liveness:
    """The live and the equal memory around the operations of a host function."""

    def __init__(self, function: FuncOp, accesses: Accesses):
        known = DefUse(function, accesses)
        self.objects = known.objects
        self.live: dict[Operation, frozenset[SSAValue]] = {}
        """The memory that is live after each operation, by its representatives."""
        self.equal: dict[Operation, frozenset[Pair]] = {}
        """What is equal before each operation."""
        self._find = known.classes.find
        self._accesses = accesses
        self._shared = {
            self._find(value)
            for op in function.walk()
            if not isinstance(op, _KNOWN)
            for value in memory_of((*op.operands, *op.results))
        }
        """Memory that code which is not known may see at any time."""
        self._live_before(function.body.block, frozenset())
        self._equal_after(function.body.block, frozenset())

    def name(self, memory: SSAValue) -> str:
        """The names of the objects that `memory` may be."""
        objects = self.objects[self._find(memory)]
        return " or ".join(dict.fromkeys(value.name_hint or "?" for value in objects))

    def is_dead(self, op: Operation) -> bool:
        """Whether nothing uses what a transfer or fill defines."""
        if not isinstance(op, TRANSFERS):
            return False
        target = self._find(op.target)
        return target not in self._shared and target not in self.live[op]

    def is_redundant(self, op: Operation) -> bool:
        """Whether a transfer of whole memory defines what its target has already."""
        pair = self._transferred(op)
        return pair is not None and pair in self.equal[op]

    def _transferred(self, op: Operation) -> Pair | None:
        """The memory that is equal after a transfer."""
        if not isinstance(op, host.WriteOp | host.ReadOp | host.CopyOp) or not is_whole(op):
            return None
        pair = frozenset((self._find(op.source), self._find(op.target)))
        exact = len(pair) == 2 and all(len(self.objects[m]) == 1 for m in pair)
        return pair if exact and not pair & self._shared else None

    def _effects(self, op: Operation) -> list[tuple[SSAValue, Effect]]:
        return [(self._find(e.memory), e) for e in effects(op, self._accesses)]

    def _killed(self, op: Operation) -> frozenset[SSAValue]:
        """The memory of whose earlier contents nothing is left after `op`."""
        found = {self._find(value) for value in made(op)}
        if isinstance(op, host.WriteOp | host.CopyOp | host.FillOp) and is_whole(op):
            found.add(self._find(op.target))
        return frozenset(memory for memory in found if len(self.objects[memory]) == 1)

    # Backwards: what is live

    def _live_before(self, block: Block, live: frozenset[SSAValue]) -> frozenset[SSAValue]:
        for op in reversed(list(block.ops)):
            self.live[op] = live
            match op:
                case scf.IfOp():
                    arms = [b for region in op.regions for b in region.blocks]
                    ways = [self._live_before(arm, live) for arm in arms]
                    live = frozenset().union(*ways, () if len(arms) == 2 else live)
                case scf.ForOp():
                    # Two iterations reach the fixed point: what is live in the first stays so.
                    for _iteration in range(2):
                        live |= self._live_before(op.body.block, live)
                case scf.WhileOp():
                    after = live
                    for _iteration in range(2):
                        live = self._live_before(op.before_region.block, after)
                        after |= self._live_before(op.after_region.block, live)
                    live = self._live_before(op.before_region.block, after)
                case _:
                    used = {memory for memory, effect in self._effects(op) if effect.is_used}
                    live = (live - self._killed(op)) | used
        return live

    # Forwards: what is equal

    def _equal_after(self, block: Block, equal: frozenset[Pair]) -> frozenset[Pair]:
        for op in block.ops:
            self.equal[op] = equal
            match op:
                case scf.IfOp():
                    arms = [b for region in op.regions for b in region.blocks]
                    ways = [self._equal_after(arm, equal) for arm in arms]
                    ways += [] if len(arms) == 2 else [equal]
                    equal = reduce(frozenset.intersection, ways)
                case scf.ForOp():
                    # What an iteration destroys is not equal at its beginning: until none does.
                    while (again := equal & self._equal_after(op.body.block, equal)) != equal:
                        equal = again
                case scf.WhileOp():
                    tested = self._equal_after(op.before_region.block, equal)
                    while True:
                        again = equal & self._equal_after(op.after_region.block, tested)
                        if again == equal:
                            break
                        equal = again
                        tested = self._equal_after(op.before_region.block, equal)
                    equal = tested
                case _:
                    equal = self._after(op, equal)
        return equal

    def _after(self, op: Operation, equal: frozenset[Pair]) -> frozenset[Pair]:
        if self.is_redundant(op):
            return equal
        changed = {memory for memory, effect in self._effects(op) if effect.is_defined}
        changed |= {self._find(value) for value in made(op)}
        equal = frozenset(pair for pair in equal if not pair & changed)
        pair = self._transferred(op)
        return equal if pair is None else equal | {pair}
