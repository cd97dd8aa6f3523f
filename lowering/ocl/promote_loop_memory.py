"""`promote-loop-memory`: an address that a loop reads and writes is kept in a register."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice, takewhile
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_spaces_apart, root_of
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl import KernelLike
from polycl.dialects.parents import parents
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import carry_also, hoisted, is_hoistable
from polycl.remarks import emit_remark

MOST_PLACES = 64
"""Of a loop. More values do not fit the registers."""

_Access = ocl.LoadOp | ocl.StoreOp
_HARMLESS = (scf.YieldOp, scf.ConditionOp, ocl.AllocaOp)


@dataclass(frozen=True)
class PromoteLoopMemoryPass(ModulePass):
    """Carry the value at a loop-invariant address through an `scf.for` that loads and stores it.

    ```
    scf.for %k = ... {                               %s0 = ocl.load %c[%i]
      %s = ocl.load %c[%i]                           %s = scf.for ... iter_args(%s1 = %s0) {
      %t = arith.addf %s, %p                   ->      %t = arith.addf %s1, %p
      ocl.store %t, %c[%i]                             scf.yield %t
    }                                                }
                                                     ocl.store %s, %c[%i]
    ```

    The load and the store are in a branch where the loop may have no iterations. Where the address
    was stored before (`%c[%i] = 0`), and nothing since then may have accessed it, that value is the
    first, and one store behind is for both. Other work-items cannot see the difference: they would
    race. No other access of the loop may touch the address. An access with another address space,
    to other memory that the kernel allocates, or to another field of the same struct does not touch
    it. With `distinct`, buffers of different parameters do not either: the launch checks that they
    do not overlap. A loop keeps at most 64 addresses.
    """

    name = "promote-loop-memory"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, KernelLike):
            _promote_in(kernel.body, self.distinct)


@dataclass
class _Place:
    """An address that does not change in a loop, and the accesses there."""

    pointer: SSAValue
    index: SSAValue | None
    type: Attribute
    accesses: list[_Access] = field(default_factory=list[_Access])

    @property
    def is_stored(self) -> bool:
        return any(isinstance(op, ocl.StoreOp) for op in self.accesses)

    def is_at(self, op: _Access) -> bool:
        if not same_value(self.pointer, op.pointer):
            return False
        if self.index is None or op.index is None:
            return self.index is op.index
        return same_value(self.index, op.index)


def _promote_in(region: Region, distinct: bool) -> None:
    """Promote in all loops, outer loops first: an address is accessed as rarely as possible."""
    for block in region.blocks:
        op = block.first_op
        while op is not None:
            if isinstance(op, scf.ForOp):
                # A loop that carries one more value is a new operation, as are the loops in it.
                op = _promote(op, distinct)
            for inner in op.regions:
                _promote_in(inner, distinct)
            op = op.next_op


def _promote(loop: scf.ForOp, distinct: bool) -> scf.ForOp:
    accesses = _accesses_in(loop)
    if accesses is None:
        return loop
    memories = _memories(accesses)
    places = (
        place
        for place in _places(loop, accesses)
        if all(_is_apart(place.pointer, other) for other in _others(place, memories, distinct))
        and all(_is_in_loops_only(op, loop) for op in place.accesses)
    )
    return _carry(loop, list(islice(places, MOST_PLACES)), distinct)


@dataclass
class _Memory:
    """What a loop accesses through pointers that lead back to one value."""

    kind: Literal["own", "parameter", "unknown"]
    """Whether the kernel allocates it, or gets it."""
    pointers: dict[SSAValue, list[_Access]] = field(default_factory=lambda: defaultdict(list))
    """The accesses by their pointers: many have the same."""


def _memories(accesses: list[_Access]) -> dict[SSAValue, _Memory]:
    found: dict[SSAValue, _Memory] = {}
    for op in accesses:
        root = root_of(op.pointer)
        if root not in found:
            found[root] = _Memory(_kind_of(root))
        found[root].pointers[op.pointer].append(op)
    return found


def _others(place: _Place, memories: dict[SSAValue, _Memory], distinct: bool) -> Iterator[SSAValue]:
    """The pointers of accesses that might disturb those at a place, the likeliest first."""
    own = memories[root_of(place.pointer)]
    there = set(place.accesses)
    for memory in (own, *memories.values()):
        if _are_apart(own, memory, distinct):
            continue
        for pointer, ops in memory.pointers.items():
            rest = (op for op in ops if op not in there)
            if any(place.is_stored or isinstance(op, ocl.StoreOp) for op in rest):
                yield pointer


def _accesses_in(loop: scf.ForOp) -> list[_Access] | None:
    """All accesses to memory; None if some are not plain loads and stores."""
    accesses: list[_Access] = []
    for op in loop.body.walk():
        if isinstance(op, _Access):
            if op.volatile is not None:
                return None
            accesses.append(op)
        elif op.regions:
            if not isinstance(op, scf.ForOp | scf.IfOp | scf.WhileOp):
                return None
        elif not is_side_effect_free(op) and not isinstance(op, _HARMLESS):
            return None
    return accesses


def _places(loop: scf.ForOp, accesses: list[_Access]) -> list[_Place]:
    # Those of one array at numbers are told apart by the number.
    places: dict[tuple[SSAValue, int | None], list[_Place]] = defaultdict(list)
    for op in accesses:
        type = op.result.type if isinstance(op, ocl.LoadOp) else op.value.type
        if not isinstance(type, IntegerType | AnyFloat):
            continue
        if not is_hoistable(op.pointer, loop):
            continue
        if op.index is not None and not is_hoistable(op.index, loop):
            continue
        number = None if op.index is None else constant_value(op.index)
        nearby = places[root_of(op.pointer), number]
        for place in nearby:
            if place.is_at(op):
                place.accesses.append(op)
                break
        else:
            nearby.append(_Place(op.pointer, op.index, type, [op]))
    return [place for nearby in places.values() for place in nearby]


def _is_in_loops_only(op: Operation, loop: scf.ForOp) -> bool:
    """Whether an access is made in every iteration: it is nested only in loops, and their trip
    counts are known before `loop`."""
    return all(
        isinstance(parent, scf.ForOp)
        and is_hoistable(parent.lb, loop)
        and is_hoistable(parent.ub, loop)
        for parent in takewhile(lambda parent: parent is not loop, parents(op))
    )


# Aliases


def _are_apart(a: _Memory, b: _Memory, distinct: bool) -> bool:
    if a is b or "unknown" in (a.kind, b.kind):
        return False
    return distinct or "own" in (a.kind, b.kind)


def _is_apart(a: SSAValue, b: SSAValue) -> bool:
    """Whether accesses through two pointers never touch each other, wherever those lead."""
    return are_spaces_apart(ocl.space_of(a), ocl.space_of(b)) or _is_another_field(a, b)


def _is_elsewhere(place: _Place, op: _Access, distinct: bool) -> bool:
    """Whether an access outside of the loop never touches a place."""
    root, other = root_of(place.pointer), root_of(op.pointer)
    if root is not other and _are_apart(
        _Memory(_kind_of(root)), _Memory(_kind_of(other)), distinct
    ):
        return True
    return _is_apart(place.pointer, op.pointer)


def _kind_of(root: SSAValue) -> Literal["own", "parameter", "unknown"]:
    owner = root.owner
    if isinstance(owner, ocl.LocalAllocOp | ocl.AllocaOp):
        return "own"
    is_parameter = isinstance(owner, Block) and isinstance(owner.parent_op(), KernelLike)
    return "parameter" if is_parameter else "unknown"


def _is_another_field(a: SSAValue, b: SSAValue) -> bool:
    """Whether two pointers are to different fields of the same struct."""
    x, y = a.owner, b.owner
    if not isinstance(x, ocl.MemberOp) or not isinstance(y, ocl.MemberOp):
        return False
    is_struct = isinstance(ocl.pointee_of(x.pointer), ocl.StructType)
    return is_struct and x.field != y.field and same_value(x.pointer, y.pointer)


# Carrying


def _carry(loop: scf.ForOp, places: Sequence[_Place], distinct: bool) -> scf.ForOp:
    """Keep places in values while `loop` runs; returns the loop that carries them."""
    carried = _Carried()
    starts: list[SSAValue] = []
    ends: list[tuple[ocl.StoreOp, scf.IfOp | None]] = []
    for place in places:
        first = place.accesses[0]
        emit_remark(first, PromoteLoopMemoryPass.name, "in a register while the loop runs")
        before = _stored_before(loop, place, places, distinct)
        runs = None if before is not None else _runs(loop, place)
        pointer = hoisted(place.pointer, loop)
        index = None if place.index is None else hoisted(place.index, loop)
        build = Build(first, InsertPoint.before(loop))
        if before is not None:
            start = before.value
        else:
            load = ocl.LoadOp(pointer, index)
            start = build.emit(load) if runs is None else load_if_runs(build, runs, load)
        if not place.is_stored:
            for op in place.accesses:
                Rewriter.replace_op(op, [], [start])
            continue
        if before is not None:
            Rewriter.erase_op(before)
        carried.add(place, loop)
        starts.append(start)
        # Of the first value, until the loop has its results.
        end = ocl.StoreOp(start, pointer, index)
        after = None if runs is None else scf.IfOp(runs, [], [end, scf.YieldOp()])
        end.location = place.accesses[-1].location
        if after is not None:
            after.location = end.location
        ends.append((end, after))
    if not starts:
        return loop
    new = _threaded(loop, carried, starts)
    for (store, after), result in zip(ends, new.results[-len(ends) :], strict=True):
        store.operands[0] = result
        Rewriter.insert_op(after or store, InsertPoint.after(new))
    return new


def _stored_before(
    loop: scf.ForOp, place: _Place, places: Sequence[_Place], distinct: bool
) -> ocl.StoreOp | None:
    """The store to a place before `loop`, where nothing between them reads or writes it."""
    apart = [other for other in places if place.is_stored or other.is_stored]
    op = loop.prev_op
    while op is not None:
        if isinstance(op, _Access) and op.volatile is None:
            if isinstance(op, ocl.StoreOp) and place.is_at(op):
                return op if op.value.type == place.type else None
            is_elsewhere = isinstance(op, ocl.StoreOp) and any(other.is_at(op) for other in apart)
            if not is_elsewhere and not _is_elsewhere(place, op, distinct):
                return None
        elif op.regions or not is_side_effect_free(op):
            return None
        op = op.prev_op
    return None


def load_if_runs(build: Build, runs: SSAValue, load: ocl.LoadOp) -> SSAValue:
    """What is loaded if the loop has iterations; 0 otherwise."""
    type = load.result.type
    return build.choose(runs, lambda: [build.emit(load)], lambda: [build.constant(0, type)])[0]


@dataclass
class _Carried:
    """Places that loops carry, by their numbers."""

    types: list[Attribute] = field(default_factory=list[Attribute])
    at: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The place of each access."""
    by: dict[Operation, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The places that each loop carries."""

    def add(self, place: _Place, loop: scf.ForOp) -> None:
        number = len(self.types)
        self.types.append(place.type)
        self.by[loop].append(number)
        for op in place.accesses:
            self.at[op] = number
            for inner in _loops_around(op, loop):
                if number not in self.by[inner][-1:]:
                    self.by[inner].append(number)


def _runs(loop: scf.ForOp, place: _Place) -> SSAValue | None:
    """Whether the place is accessed at all: every loop around an access has an iteration.

    None if it is known to be.
    """
    chains = list(dict.fromkeys(tuple(_loops_around(op, loop)) for op in place.accesses))
    if () in chains:
        chains = [()]
    build = Build(loop)
    total: SSAValue | None = None
    for chain in chains:
        unknown = [inner for inner in (loop, *chain) if not trip_count(inner)]
        if not unknown:
            return None
        runs = reduce(build.and_, (_has_iterations(inner, build) for inner in unknown))
        total = runs if total is None else build.or_(total, runs)
    assert total is not None
    return total


def _has_iterations(inner: scf.ForOp, build: Build) -> SSAValue:
    assert isinstance(loop := build.source, scf.ForOp)
    return build.compare("slt", hoisted(inner.lb, loop), hoisted(inner.ub, loop))


def _loops_around(op: Operation, loop: scf.ForOp) -> Iterator[scf.ForOp]:
    for parent in takewhile(lambda parent: parent is not loop, parents(op)):
        assert isinstance(parent, scf.ForOp)
        yield parent


def _threaded(loop: scf.ForOp, carried: _Carried, starts: Sequence[SSAValue]) -> scf.ForOp:
    """The loop with its places as further values."""
    numbers = carried.by[loop]
    types = [carried.types[number] for number in numbers]
    body = loop.body.block
    current: dict[int, SSAValue] = {
        number: body.insert_arg(type, len(body.args))
        for number, type in zip(numbers, types, strict=True)
    }
    for op in list(body.ops):
        if isinstance(op, ocl.LoadOp) and op in carried.at:
            Rewriter.replace_op(op, [], [current[carried.at[op]]])
        elif isinstance(op, ocl.StoreOp) and op in carried.at:
            current[carried.at[op]] = op.value
            Rewriter.erase_op(op)
        elif isinstance(op, scf.ForOp) and op in carried.by:
            inside = carried.by[op]
            results = _threaded(op, carried, [current[number] for number in inside]).results
            current.update(zip(inside, results[-len(inside) :], strict=True))
    end = terminator(body)
    end.operands = [*end.operands, *current.values()]
    return carry_also(loop, starts)
