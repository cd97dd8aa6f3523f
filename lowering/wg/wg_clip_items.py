"""`wg-clip-items`: work-items whose results nobody reads do not run, such as those of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.number_arrays import Lanes, Numbers, computed
from polycl.analysis.ocl.numbers import NUMBERS
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.wg.attributes import SPREAD
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused, hoisted, take_side
from polycl.lowering.wg.wg_hoist_grid_loops import has_else
from polycl.remarks import emit_remark

_MOST_ITEMS = 1 << 12
"""Of a region: what each of them does is computed."""


@dataclass(frozen=True)
class WgClipItemsPass(ModulePass):
    """Run a region for the work-items whose results are read later.

    ```
    wg.parallel (%x, ...) in (256, 1, 1) {     wg.parallel (%x, ...) in (8, 1, 1) {
      %v[%x] = %x < 8 ? %t[%x ^ 8] : 0           %v[%x] = %t[%x + 8]
    }                                          }
    wg.parallel (%x, ...) in (256, 1, 1) {  -> wg.parallel (%x, ...) in (8, 1, 1) {
      %t[%x] += %v[%x]                           %t[%x] += %v[%x]
    }                                          }
    // %t[0] to %t[7] are read.                // %t[0] to %t[7] are read.
    ```

    Regions are looked at from the last one to the first. Their sizes are known, and so are the
    numbers that are computed from local ids alone: which elements of local memory and of arrays
    across barriers each work-item reads and stores, and which branches it takes. One that stores
    nothing else than elements that no later region reads, before others store them, need not run,
    if it is not between such that need. Those that need may be in rows, as far apart as the next
    ones, with work-items between them that do nothing, as where `l & 8` is on: x is along a row,
    and y counts rows. For those that run a branch may be known, and an index is a sum of multiples
    of ids and a number, however it was written. Memory that a loop around regions reads is needed
    as a whole, and so is that of a region in which work-items read what others store.
    """

    name = "wg-clip-items"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            # The sizes no longer tell the local size.
            if function.local_size is not None:
                _Liveness(function).visit(function.body.block)


class _Items(Domain["Numbers | None"]):
    """The numbers of each work-item; None for what is not known."""

    def number(self, number: int, value: SSAValue) -> Numbers:
        return np.asarray(signed(number, value.type), np.int64)

    def opaque(self, value: SSAValue) -> Numbers | None:
        return None

    rules = {
        **dict.fromkeys(NUMBERS, lambda _, op, *numbers: computed(op, *numbers)),
        arith.SelectOp: lambda _, op, cond, x, y: np.where(cond, x, y),
    }


class _Liveness:
    """Which elements of the arrays of a group are read by what follows, from the end on."""

    def __init__(self, function: wg.FuncOp):
        self.read: dict[SSAValue, Lanes] = {}
        """By the pointers to the first element of arrays that are loaded and stored by element."""
        for memory in operations_of(function.body, ocl.LocalAllocOp, ocl.AllocaOp):
            if memory.parent_op() is function:
                self._add(memory)

    def _add(self, memory: ocl.LocalAllocOp | ocl.AllocaOp) -> None:
        type, casts = ocl.pointee_of(memory.result), [use.operation for use in memory.result.uses]
        if not isinstance(type, ocl.ArrayType) or len(casts) != 1:
            return
        (cast,) = casts
        if not isinstance(cast, ocl.CastOp) or ocl.pointee_of(cast.result) != type.element:
            return
        for use in cast.result.uses:
            op = use.operation
            if not isinstance(op, ocl.LoadOp | ocl.StoreOp) or op.pointer is not cast.result:
                return
            if op.volatile is not None:
                return
            if isinstance(op, ocl.StoreOp) and op.value is cast.result:
                return
        self.read[cast.result] = np.zeros(type.size.data, np.bool_)

    def visit(self, block: Block) -> None:
        if not self.read:
            return
        for op in reversed(list(block.ops)):
            if isinstance(op, scf.IfOp):
                self._visit_sides(op)
            elif not isinstance(op, wg.ParallelOp) or not self._clip(op):
                for load in operations_of(op, ocl.LoadOp):
                    if load.pointer in self.read:
                        self.read[load.pointer][:] = True

    def _visit_sides(self, branch: scf.IfOp) -> None:
        """What either side reads is read."""
        after, sides = self.read, list[dict[SSAValue, Lanes]]()
        for side in branch.regions:
            self.read = {pointer: read.copy() for pointer, read in after.items()}
            for inner in side.blocks:
                self.visit(inner)
            sides.append(self.read)
        then, orelse = sides
        self.read = {pointer: read | orelse[pointer] for pointer, read in then.items()}

    def _clip(self, region: wg.ParallelOp) -> bool:
        """Run a region for the work-items that are needed; whether what they do is known."""
        sizes = [constant_index(size) or 0 for size in region.sizes]
        if region.step is not None or region.res or not 0 < prod(sizes) <= _MOST_ITEMS:
            return False
        items = _RegionItems(region, sizes)
        if items.exchange(self.read):
            return False
        needed = acting = items.none()
        for op, lanes in items.effects:
            needed, acting = needed | (lanes & self._is_read(op, items)), acting | lanes
        if not needed.any():
            emit_remark(region, WgClipItemsPass.name, "does not run: nobody reads what it stores")
            Rewriter.erase_op(region)
            return True
        if all(op.pointer in self.read for op in items.accesses()):
            # A stride in the cache costs less than those in between.
            acting = needed
        rows = _rows(items.ids, needed, acting)
        runs, steps = (needed, []) if rows else _box(items.ids, needed, acting)
        for op, lanes in items.stores:
            self._replace(op, lanes & runs, items)
        for op, lanes in items.loads:
            self._read(op, lanes & runs, items)
        owned = {p for p, read in self.read.items() if items.have_own(p, len(read), runs)}
        if rows:
            items.run_rows(rows)
        if not runs.all():
            items.simplify(runs, self.read.keys())
        items.store_always(owned)
        for dimension, (first, step, count) in enumerate(steps):
            if count < sizes[dimension]:
                _run_for(region, dimension, first, step, count)
        return True

    def _is_read(self, op: Operation, items: _RegionItems) -> Lanes | bool:
        """For which work-items what an operation does is seen."""
        if not isinstance(op, ocl.StoreOp) or op.pointer not in self.read:
            return True
        read = self.read[op.pointer]
        if read.all() or not read.any():
            return bool(read.all())
        elements = items.places(op)
        if elements is None:
            return True
        is_inside = (elements >= 0) & (elements < len(read))
        return is_inside & read[np.where(is_inside, elements, 0)]

    def _replace(self, op: ocl.StoreOp, lanes: Lanes, items: _RegionItems) -> None:
        """What is stored here is not what regions before have stored."""
        read, elements = self.read.get(op.pointer), items.places(op)
        if read is not None and elements is not None:
            chosen = elements[lanes]
            read[chosen[(chosen >= 0) & (chosen < len(read))]] = False

    def _read(self, op: ocl.LoadOp, lanes: Lanes, items: _RegionItems) -> None:
        read = self.read.get(op.pointer)
        if read is None or read.all() or not lanes.any():
            return
        elements = items.places(op)
        if elements is None:
            read[:] = True
        else:
            chosen = elements[lanes]
            read[chosen[(chosen >= 0) & (chosen < len(read))]] = True


class _RegionItems:
    """What the work-items of a region do, by what is known of their ids."""

    def __init__(self, region: wg.ParallelOp, sizes: list[int]):
        self.region = region
        self.ids: Numbers = np.indices(sizes).reshape(3, -1)
        self.effects: list[tuple[Operation, Lanes]] = []
        """What they do except for loads, and for which of them that may be."""
        self.stores: list[tuple[ocl.StoreOp, Lanes]] = []
        """Those of the effects of which it is known for which of them they are."""
        self.loads: list[tuple[ocl.LoadOp, Lanes]] = []
        self._choices: list[tuple[scf.IfOp | arith.SelectOp, Lanes]] = []
        self._numbers = _Items()
        self._numbers.known.update(zip(region.local_ids, self.ids, strict=True))
        self._visit(region.body.block, ~self.none(), True)

    def none(self) -> Lanes:
        return np.zeros(self.ids.shape[1], np.bool_)

    def _of(self, value: SSAValue) -> Numbers | None:
        found = evaluate(value, self._numbers)
        return None if found is None else np.broadcast_to(found, self.ids.shape[1:])

    def places(self, op: ocl.LoadOp | ocl.StoreOp) -> Numbers | None:
        """The elements that an operation accesses."""
        return np.zeros(self.ids.shape[1], np.int64) if op.index is None else self._of(op.index)

    def exchange(self, arrays: Mapping[SSAValue, Lanes]) -> bool:
        """Whether one of them loads an element that another one stores, with no barrier: they race,
        unless they are taken for vectors, as in sums for GPUs that end without barriers."""
        owners: dict[SSAValue, Numbers] = {}
        numbers = np.arange(self.ids.shape[1])
        for op, lanes in (*self.effects, *self.loads):
            if not isinstance(op, ocl.LoadOp | ocl.StoreOp) or op.pointer not in arrays:
                continue
            places = self.places(op)
            if places is None:
                continue
            count = len(arrays[op.pointer])
            lanes = lanes & (places >= 0) & (places < count)
            owner = owners.setdefault(op.pointer, np.full(count, -1))
            if isinstance(op, ocl.StoreOp):
                owner[places[lanes]] = numbers[lanes]
                continue
            found = owner[places[lanes]]
            if np.any((found >= 0) & (found != numbers[lanes])):
                return True
        return False

    def accesses(self) -> list[ocl.LoadOp | ocl.StoreOp]:
        ops = [op for op, _ in (*self.effects, *self.loads)]
        return [op for op in ops if isinstance(op, ocl.LoadOp | ocl.StoreOp)]

    def _visit(self, block: Block, lanes: Lanes, is_known: bool) -> None:
        for op in block.ops:
            match op:
                case scf.IfOp():
                    self._choices.append((op, lanes))
                    condition = self._of(op.cond)
                    for side, takes in zip(op.regions, (1, 0), strict=True):
                        here = lanes if condition is None else lanes & (condition == takes)
                        for inner in side.blocks:
                            self._visit(inner, here, is_known and condition is not None)
                case ocl.LoadOp() if op.volatile is None:
                    self.loads.append((op, lanes))
                case arith.SelectOp():
                    self._choices.append((op, lanes))
                case scf.ForOp() | scf.WhileOp():
                    for inner in (block for side in op.regions for block in side.blocks):
                        self._visit(inner, lanes, False)
                case ocl.AllocaOp():
                    pass
                case _ if op.has_trait(IsTerminator) or is_side_effect_free(op):
                    pass
                case _:
                    self.effects.append((op, lanes))
                    if isinstance(op, ocl.StoreOp) and is_known:
                        self.stores.append((op, lanes))
                    self.loads += [(load, lanes) for load in operations_of(op, ocl.LoadOp)]

    def run_rows(self, rows: _Rows) -> None:
        """Run for the ids of rows: along x in a row, along y from one row to the next."""
        region, old = self.region, self.ids[0]
        x, y, _ = region.local_ids
        inner, before = Build(region, InsertPoint.at_start(region.body.block)), Build(region)
        zero = inner.index(0)
        y.replace_all_uses_with(zero)
        sum = inner.linear([(y, rows.period), (x, 1)])
        id = inner.add(sum, inner.index(rows.first))
        x.replace_uses_with_if(id, lambda use: use.operation is not sum.owner)
        region.operands[0], region.operands[1] = before.index(rows.width), before.index(rows.count)
        region.attributes[SPREAD] = UnitAttr()
        row, column = np.divmod(old - rows.first, rows.period)
        self.ids = np.stack([column, row, np.zeros_like(row)])
        self._numbers.known.update(zip((x, y, id, zero), (column, row, old, 0 * old), strict=True))
        text = f"runs for {rows.count} rows of {rows.width} work-items along x"
        emit_remark(region, WgClipItemsPass.name, f"{text}: nobody reads what others store")

    def simplify(self, runs: Lanes, arrays: AbstractSet[SSAValue]) -> None:
        """Decide branches that are known for the work-items that run, and make indices of arrays
        sums."""
        for op, lanes in (*self.effects, *self.loads):
            if isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.pointer in arrays:
                self._simplify_index(op, lanes & runs)
        # The inner ones first.
        for choice, lanes in reversed(self._choices):
            condition, runs_here = self._of(choice.cond), lanes & runs
            if condition is None or not runs_here.any():
                continue
            taken = condition[runs_here]
            if (taken != taken[0]).any():
                continue
            if isinstance(choice, scf.IfOp):
                take_side(choice, choice.regions[0 if taken[0] else 1])
            else:
                side = choice.lhs if taken[0] else choice.rhs
                Rewriter.replace_op(choice, [], [side])
        erase_unused(self.region.body)

    def store_always(self, owned: AbstractSet[SSAValue]) -> None:
        """Where a branch on data stores to elements that its work-item has read, in arrays of which
        each has its own, store what is there in the other case."""
        for branch in operations_of(self.region.body, scf.IfOp):
            *ops, _ = branch.true_region.block.ops
            if branch.results or has_else(branch):
                continue
            stores = [op for op in ops if isinstance(op, ocl.StoreOp)]
            if not all(op in stores or is_speculatable(op) for op in ops):
                continue
            kept = [self._read_before(op, branch) for op in stores if op.pointer in owned]
            if not stores or len(kept) < len(stores) or None in kept:
                continue
            build = Build(branch)
            for store, load in zip(stores, kept, strict=True):
                assert load is not None
                value, index = hoisted(store.value, branch), store.index
                index = None if index is None else hoisted(index, branch)
                value = build.select(branch.cond, value, load.result)
                always = ocl.StoreOp(value, store.pointer, index)
                always.location = store.location
                build.emit_void(always)
            Rewriter.erase_op(branch)

    def have_own(self, pointer: SSAValue, size: int, runs: Lanes) -> bool:
        """Whether each element of an array is accessed by one work-item at most of those that
        run."""
        owners, numbers = np.full(size, -1), np.arange(self.ids.shape[1])
        for op, lanes in (*self.effects, *self.loads):
            if not isinstance(op, ocl.LoadOp | ocl.StoreOp) or op.pointer is not pointer:
                continue
            places, lanes = self.places(op), lanes & runs
            if places is None:
                return False
            chosen = places[lanes]
            if np.any((chosen < 0) | (chosen >= size)):
                return False
            others = owners[chosen]
            if np.any((others >= 0) & (others != numbers[lanes])):
                return False
            owners[chosen] = numbers[lanes]
            if np.any(owners[chosen] != numbers[lanes]):
                return False
        return True

    def _read_before(self, store: ocl.StoreOp, branch: scf.IfOp) -> ocl.LoadOp | None:
        """The load of the element that a branch stores to, which nothing has stored to since."""
        places, op = self.places(store), branch.prev_op
        while op is not None:
            if isinstance(op, ocl.LoadOp) and op.pointer is store.pointer and op.volatile is None:
                found = self.places(op)
                if found is not None and places is not None and np.array_equal(found, places):
                    return op
            if any(other.pointer is store.pointer for other in operations_of(op, ocl.StoreOp)):
                return None
            op = op.prev_op
        return None

    def _simplify_index(self, op: ocl.LoadOp | ocl.StoreOp, lanes: Lanes) -> None:
        """Make an index a sum of multiples of ids and a number, if it is."""
        places = self.places(op)
        if places is None or op.index is None or not lanes.any():
            return
        sizes = [int(ids.max()) + 1 for ids in self.ids[:, lanes]]
        local = self.region.local_ids
        ranges: dict[SSAValue, range] = dict(zip(local, map(range, sizes), strict=True))
        if set(linear(op.index, ranges).factors) <= set(local):
            return
        numbers, ids = places[lanes], self.ids[:, lanes]
        factors = [_factor(numbers, ids, dimension) for dimension in range(3)]
        number = int(numbers[0]) - sum(f * int(i) for f, i in zip(factors, ids[:, 0], strict=True))
        if (numbers != np.tensordot(factors, ids, 1) + number).any():
            return
        build = Build(op)
        index = build.index(number)
        for id, factor in zip(local, factors, strict=True):
            if factor:
                index = build.add(build.mul(id, build.index(factor)), index)
        op.operands[len(op.operands) - 1] = index


def _factor(numbers: Numbers, ids: Numbers, dimension: int) -> int:
    """How much more a number is for the next id along a dimension, if that is always the same."""
    others = [d for d in range(3) if d != dimension]
    is_alike = (ids[others] == ids[others, :1]).all(0) & (ids[dimension] != ids[dimension][0])
    if not is_alike.any():
        return 0
    other = int(np.argmax(is_alike))
    distance = int(ids[dimension][other] - ids[dimension][0])
    return int(numbers[other] - numbers[0]) // distance


@dataclass(frozen=True)
class _Rows:
    """The ids `first + period * row + column` along x."""

    first: int
    period: int
    width: int
    count: int


def _rows(ids: Numbers, needed: Lanes, acting: Lanes) -> _Rows | None:
    """The needed work-items, if they are rows along x, between which others do nothing."""
    if ids[1:].any() or (acting & ~needed).any():
        return None
    wanted = ids[0][needed]
    gaps = np.flatnonzero(np.diff(wanted) > 1)
    if not len(gaps) or not gaps[0]:
        return None
    width, first = int(gaps[0]) + 1, int(wanted[0])
    count, period = len(wanted) // width, int(wanted[width]) - first
    starts = first + period * np.arange(count)
    places = (starts[:, None] + np.arange(width)).reshape(-1)
    return _Rows(first, period, width, count) if np.array_equal(places, wanted) else None


def _box(ids: Numbers, needed: Lanes, acting: Lanes) -> tuple[Lanes, list[tuple[int, int, int]]]:
    """The work-items between the first and the last needed one along each dimension; in steps, if
    those in between do nothing: neighbours are vectors. With the first id, the step and the number
    of ids of each dimension."""
    runs, steps = np.ones_like(needed), []
    for along in ids:
        wanted = np.unique(along[needed])
        first, last = int(wanted[0]), int(wanted[-1])
        step = int(np.gcd.reduce(np.diff(wanted))) or 1
        inside = (along >= first) & (along <= last)
        is_between = inside & ((along - first) % step != 0)
        if (acting & is_between).any():
            step, is_between = 1, np.zeros_like(needed)
        runs &= inside & ~is_between
        steps.append((first, step, (last - first) // step + 1))
    return runs, steps


def _run_for(region: wg.ParallelOp, dimension: int, first: int, step: int, count: int) -> None:
    """Run for `count` ids from `first` in steps."""
    id, body = region.local_ids[dimension], region.body.block
    if step > 1 or first:
        build = Build(region, InsertPoint.at_start(body))
        scaled = arith.MuliOp(id, build.index(step))
        build.emit_void(scaled)
        place = arith.AddiOp(scaled.result, build.index(first))
        build.emit_void(place)
        id.replace_uses_with_if(place.result, lambda use: use.operation is not scaled)
    region.operands[dimension] = Build(region).index(count)
    emit_remark(
        region,
        WgClipItemsPass.name,
        f"runs for {count} work-items along {'xyz'[dimension]}: nobody reads what others store",
    )
