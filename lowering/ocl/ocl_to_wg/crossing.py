"""How a value is passed from the parallel region that computes it to another one.

One rule: a uniform value is a plain result of its region; a cheap one is recomputed where it
is used; any other is stored in a context array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.calls import callee_of
from polycl.analysis.ocl.parallel_regions import (
    MATERIALISED,
    Branch,
    Combined,
    CountedLoop,
    GroupOp,
    Item,
    ParallelRegion,
    Plan,
    Slot,
    WhileLoop,
)
from polycl.analysis.ocl.speculation import is_shift_or_mask
from polycl.dialects import ocl, vec
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.builtins import BUILTINS, Fact
from polycl.dialects.ocl.debug import VARIABLE
from polycl.dialects.parents import parents
from polycl.dialects.vec import element_of

# One or two cycles each; recomputing some of them costs less than memory for all work-items.
_CHEAP = vec.both(
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.ShLIOp,
    arith.ShRUIOp,
    arith.ShRSIOp,
    arith.CmpiOp,
    arith.SelectOp,
    arith.IndexCastOp,
    arith.TruncIOp,
    arith.ExtUIOp,
    arith.ExtSIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
    ocl.OffsetOp,
    ocl.CastOp,
    ocl.MemberOp,
    ocl.PtrToIntOp,
    ocl.IntToPtrOp,
)

_MAX_RECOMPUTED_OPS = 8
_MAX_RECOMPUTED_OF_ADDRESS = 24
"""Of a pointer or an index: neighbours access neighbours where it is computed from their ids, and
gather where it comes from memory."""

_POINTER_STEPS = (ocl.OffsetOp, ocl.CastOp, ocl.MemberOp)


class Crossing:
    """For each value of a plan: whether and how it leaves its region."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self.results: set[SSAValue] = set()
        """Uniform values that are results of their region."""
        self.slots: dict[SSAValue, Slot] = dict(plan.slots)
        """Values that are stored in a context array."""
        self._outlives: dict[ocl.AllocaOp, bool] = {}
        """What `needs_context` has found."""
        self._regions = list(_regions(plan.items))
        self._put_in: dict[SSAValue, list[ParallelRegion]] = {}
        for region in self._regions:
            for value in [v for _, v in region.puts] + [v for _, v, _ in region.mask_puts]:
                if value is not None:
                    self._put_in.setdefault(value, []).append(region)
        for region in self._regions:
            self._put_early(region)
        for region in self._regions:
            for op in region.ops:
                for value in op.results:
                    self._classify(value, region)

    def _put_early(self, last: ParallelRegion) -> None:
        """Store a value in its array where it is computed, if nothing reads the old one later.

        Without this, a value that a loop carries across a barrier would have two arrays: one up to
        the end of the iteration, and that of the loop.
        """
        puts = list(last.puts)
        last.puts = []
        for slot, value in puts:
            if self._can_put_early(slot, value, last):
                self.slots[value] = slot
                self._put_in[value].remove(last)
            else:
                last.puts.append((slot, value))

    def _can_put_early(self, slot: Slot, value: SSAValue, last: ParallelRegion) -> bool:
        home = self._home(value)
        if home is None or home is last or home.siblings is not last.siblings:
            return False
        if value in self.slots or self._is_result(value) or self._recompute(value):
            return False
        start, end = (home.siblings.index(region) for region in (home, last))
        later = set(_regions(home.siblings[start + 1 : end + 1]))
        # After `last` the array holds another value, for what is recomputed of this one, too.
        within, recomputed = later.union([home]), self._recomputable([value], value)
        if not all(within.issuperset(self._used_in(v)) for v in recomputed):
            return False
        holders = [holder for holder, used in self.slots.items() if used is slot]
        if any(not later.isdisjoint(self._used_in(v)) for v in self._recomputable(holders, value)):
            return False
        # In its own region: no read after the operation that computes it.
        assert isinstance(value.owner, Operation)
        after = home.ops[home.ops.index(value.owner) + 1 :]
        read = {
            operand for op in after for inner in operations_in(op) for operand in inner.operands
        }
        read.update(v for _, v in home.puts)
        read.update(v for _, v, _ in home.mask_puts if v is not None)
        return read.isdisjoint(holders)

    def _recomputable(self, holders: list[SSAValue], newcomer: SSAValue) -> list[SSAValue]:
        """The values whose recomputation may read the holders' array; without `newcomer`."""
        found = list(holders)
        for value in found:
            for use in value.uses:
                if _is_cheap(use.operation):
                    found += [
                        r for r in use.operation.results if r is not newcomer and r not in found
                    ]
        return found

    def _classify(self, value: SSAValue, home: ParallelRegion) -> None:
        if value in self.slots:
            return
        if value in self._plan.group_uses:
            self.results.add(value)
        elif all(region is home for region in self._used_in(value)):
            return
        elif self._is_result(value):
            self.results.add(value)
        elif not self._recompute(value):
            slot = self._plan.sources.get(value) or Slot(value.type, value.name_hint)
            if (slot, value) in home.puts:
                # Others read it there: one array is enough.
                home.puts.remove((slot, value))
            self.slots[value] = slot

    def _used_in(self, value: SSAValue) -> list[ParallelRegion]:
        """The regions whose operations or puts read `value`."""
        found, region_of = list(self._put_in.get(value, ())), self._plan.region_of
        for use in value.uses:
            if isinstance(use.operation, ocl.GroupShuffleOp) and use.index == 1:
                # It reads what the region before has put.
                continue
            around = (use.operation, *parents(use.operation))
            found += [region_of[op] for op in around if op in region_of][:1]
        return found

    def _is_result(self, value: SSAValue) -> bool:
        region = self._home(value)
        unmasked = region is not None and region.mask is None
        return unmasked and self._plan.facts.is_uniform(value)

    def _home(self, value: SSAValue) -> ParallelRegion | None:
        owner = value.owner
        return None if isinstance(owner, Block) else self._plan.region_of.get(owner)

    def _recompute(self, value: SSAValue) -> bool:
        """Whether `value` is cheap to recompute; its uniform inputs become results."""
        is_address = isinstance(value.type, ocl.PtrType | IndexType)
        most = _MAX_RECOMPUTED_OF_ADDRESS if is_address else _MAX_RECOMPUTED_OPS
        ops: set[Operation] = set()
        uniform_inputs: list[SSAValue] = []
        stack = [value]
        while stack:
            current = stack.pop()
            if current in self._plan.group_values or current in self.slots:
                continue
            owner = current.owner
            if isinstance(owner, MATERIALISED):
                continue
            if self._is_result(current):
                uniform_inputs.append(current)
                continue
            if isinstance(owner, Block) or owner not in self._plan.region_of:
                return False
            if not _is_cheap(owner):
                return False
            ops.add(owner)
            if len(ops) > most:
                return False
            stack.extend(owner.operands)
        self.results.update(uniform_inputs)
        return True

    # Private memory

    def needs_context(self, alloca: ocl.AllocaOp) -> bool:
        """Whether private memory must outlive one run of one region."""
        if alloca not in self._outlives:
            self._outlives[alloca] = self._outlives_a_region(alloca)
        return self._outlives[alloca]

    def _outlives_a_region(self, alloca: ocl.AllocaOp) -> bool:
        if VARIABLE in alloca.attributes:
            # It is only written, and again in each region.
            return False
        regions: set[ParallelRegion] = set()
        stack: list[SSAValue] = [alloca.result]
        while stack:
            pointer = stack.pop()
            if pointer in self._put_in:
                return True
            regions.update(self._used_in(pointer))
            for use in pointer.uses:
                op = use.operation
                if isinstance(op, _POINTER_STEPS):
                    stack.append(op.result)
                elif not _only_accesses(op, use.index):
                    return True
        return len(regions) > 1 or any(region.in_loop for region in regions)


def _is_cheap(op: Operation) -> bool:
    if isinstance(op, ocl.BuiltinOp):
        # `mul24` and the like.
        is_integer = isinstance(element_of(op.res[0].type), IntegerType)
        return is_integer and Fact.CHEAP in BUILTINS[op.function.data].facts
    return isinstance(op, _CHEAP) or is_shift_or_mask(op)


def _only_accesses(op: Operation, operand_index: int) -> bool:
    """Whether `op` reads or writes through its operand and keeps no copy of the address."""
    match op:
        case ocl.LoadOp() | ocl.VLoadOp() | ocl.PrefetchOp() | ocl.WaitEventsOp():
            return True
        case ocl.StoreOp() | ocl.VStoreOp():
            return operand_index == 1
        case CallOp():
            return _keeps_no_copy(callee_of(op).body.block.args[operand_index])
        case _:
            return False


def _keeps_no_copy(parameter: SSAValue) -> bool:
    """Whether a function only reads and writes through one of its parameters."""
    stack = [parameter]
    while stack:
        for use in stack.pop().uses:
            op = use.operation
            if isinstance(op, _POINTER_STEPS):
                stack.append(op.result)
            elif not _only_accesses(op, use.index):
                return False
    return True


def _regions(items: Sequence[Item]) -> Iterator[ParallelRegion]:
    """All parallel regions in program order."""
    for item in items:
        match item:
            case ParallelRegion():
                yield item
            case GroupOp() | Combined():
                pass
            case Branch():
                yield from _regions(item.then)
                yield from _regions(item.orelse)
            case CountedLoop():
                yield from _regions(item.body)
            case WhileLoop():
                yield from _regions(item.before)
                yield from _regions(item.after)
