"""The body of a kernel for several work-items at once.

Values that are the same for all work-items are computed once, and a uniform branch or loop has the
bodies of all (`lowering/wg/merged_items`). This module adds the constructs that a parallel region
does not have: ids, private memory, and divergent branches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, vec
from polycl.dialects.comparisons import predicate_of
from polycl.lowering.host.coarsening.coarse_dependence import (
    KernelDependence,
    is_inside,
    shared_loads,
)
from polycl.lowering.host.coarsening.zero import zero_of
from polycl.lowering.wg.merged_items.item_dependence import VECTOR
from polycl.lowering.wg.merged_items.item_emitter import ALL, JamEmitter, Tiles

SINGLE = -2
"""The position of a work-item that is executed alone, in a loop."""

ONE = Tiles((0,), (SINGLE,))

Id = type[Operation]
"""`ocl.GlobalIdOp` or `ocl.LocalIdOp`."""

_FREE = vec.both(
    *(arith.ConstantOp, arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
)


class CoarseEmitter(JamEmitter):
    """Emits operations of a kernel for `factor` merged work-items."""

    dependence: KernelDependence

    def __init__(self, dependence: KernelDependence, block: Block, factor: int):
        self.tiles = Tiles((0,), tuple(range(factor)))
        super().__init__(dependence, block, self.tiles)
        self._ids: dict[tuple[Id, int], SSAValue] = {}
        self._done: set[Operation] = set()

    def set_first_id(self, kind: Id, first: SSAValue) -> None:
        """Let `first` be the id of the first of the merged work-items; the others follow it."""
        self._ids[kind, 0] = first
        for place in self.tiles.vectors[1:]:
            self._ids[kind, place] = self.add(first, self.index(place))

    def bind_done(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Replace the result of `op` by `values`: one for each work-item, or one for all."""
        self._done.add(op)
        for place in self.tiles.places(self.dependence.of(op.results[0])):
            self.bind(op.results[0], place, values[max(place[1], 0)])
        self.bind(op.results[0], (ALL, SINGLE), values[0])

    def product(self, a: SSAValue, number: int) -> SSAValue:
        return self.mul(a, self.index(number))

    def either(self, condition: SSAValue, then: Callable[[], None], orelse: Callable[[], None]):
        """A branch without results."""
        first, second = Region(self._block(then)), Region(self._block(orelse))
        self.emit_void(scf.IfOp(condition, [], first, second))

    def one_by_one(self, count: SSAValue, body: Callable[[], None]) -> None:
        """A loop over the first `count` of the merged work-items; `body` emits for ONE."""
        block = Block(arg_types=[IndexType()])

        def emit() -> None:
            for kind in {kind for kind, _ in self._ids}:
                self._ids[kind, SINGLE] = self.add(self._ids[kind, 0], block.args[0])
            body()

        bounds = self.index(0), count, self.index(1)
        self.emit_void(scf.ForOp(*bounds, [], Region(self._block(emit, block))))

    def _block(self, emit: Callable[[], None], block: Block | None = None) -> Block:
        block = block or Block()
        with self.inside(block):
            emit()
            self.emit_void(scf.YieldOp())
        return block

    # Operations

    def merge(self, op: Operation, tiles: Tiles) -> None:
        self.source = op
        if op in self._done:
            return
        match op:
            case ocl.GlobalIdOp() | ocl.LocalIdOp() if self.dependence.of(op.result):
                for place in tiles.places(VECTOR):
                    self.bind(op.result, place, self._ids[type(op), place[1]])
            case scf.IfOp() if len(tiles.vectors) > 1 and self.dependence.splits(op):
                self._branch(op, tiles)
            case _:
                super().merge(op, tiles)

    def _branch(self, op: scf.IfOp, tiles: Tiles) -> None:
        """A divergent branch.

        If its condition depends on ids, as in `if (id < n)`, most often all work-items take it and
        share its body. Otherwise each has its own body; common loads are executed once if any
        work-item is active.
        """
        if self._is_guard(op):
            self._all_or_each(op, tiles)
        else:
            self._take_apart(op, tiles)

    def _is_guard(self, op: scf.IfOp) -> bool:
        shares = any(
            not isinstance(inner, _FREE) and not self.dependence.of_operation(inner)
            for region in op.regions
            for inner in region.walk()
            if inner.results
        )
        return shares and self.dependence.recomputed([op.cond]) is not None

    def _take_apart(self, op: scf.IfOp, tiles: Tiles) -> None:
        loaded = self._load_if_any(op, shared_loads(op, self.dependence), tiles)
        for part in tiles.apart(VECTOR):
            self._if(op, part)
        self._done.difference_update(loaded)

    def _all_or_each(self, op: scf.IfOp, tiles: Tiles) -> None:
        every = self._holds(op.cond, tiles, every=True)
        then = self._body(Block(), op.true_region.block, op.results, tiles)
        orelse = Block()
        with self.inside(orelse):
            self.source = op
            if (needed := self._live_in(op)) is not None and tiles == self.tiles:
                self.one_by_one(self.index(len(tiles.vectors)), lambda: self._single(needed, op))
            else:
                self._take_apart(op, tiles)
            self.source = op
            self.emit_void(scf.YieldOp(*self._flat(op.results, op.results, tiles)))
        new = scf.IfOp(every, self._types(op.results, tiles), Region(then), Region(orelse))
        self.emit_void(new)
        self._bind_all(op.results, tiles, new.results)

    def _holds(self, condition: SSAValue, tiles: Tiles, *, every: bool) -> SSAValue:
        """Whether a condition holds for all work-items, or for any. If it compares a value that
        grows with the id to one that is the same for all, the first or last work-item decides."""
        owner = condition.owner
        combine = arith.AndIOp if every else arith.OrIOp
        if not self.dependence.of(condition):
            return self.value(condition, (0, tiles.vectors[0]))
        if isinstance(owner, combine):
            left, right = (self._holds(v, tiles, every=every) for v in (owner.lhs, owner.rhs))
            return self.emit(combine(left, right))
        if isinstance(owner, arith.XOrIOp) and constant_value(owner.rhs) in (1, -1):
            other = self._holds(owner.lhs, tiles, every=not every)
            return self.xor(other, self.value(owner.rhs, (0, 0)))
        places = tiles.vectors
        if isinstance(owner, arith.CmpiOp):
            places = self._deciding(owner, tiles, every)
        values = (self.value(condition, (0, place)) for place in places)
        return reduce(self.and_ if every else self.or_, values)

    def _deciding(self, op: arith.CmpiOp, tiles: Tiles, every: bool) -> Sequence[int]:
        left, right = self.dependence.stride(op.lhs), self.dependence.stride(op.rhs)
        name = predicate_of(op)
        # As unsigned numbers, ids may have wrapped in between.
        if not (isinstance(left, int) and isinstance(right, int) and name[0] == "s"):
            return tiles.vectors
        grows = left - right if name[1] == "l" else right - left
        return tiles.vectors[-1:] if (grows > 0) == every else tiles.vectors[:1]

    def _single(self, needed: Sequence[Operation], op: Operation) -> None:
        for inner in (*needed, op):
            self.merge(inner, ONE)

    def _live_in(self, op: scf.IfOp) -> list[Operation] | None:
        """The operations for a branch without results, if they need nothing but ids."""
        if op.results:
            return None
        values = {op.cond: None}
        for inner in op.walk():
            values |= {v: None for v in inner.operands if not is_inside(v, op)}
        return self.dependence.recomputed(list(values))

    def _load_if_any(
        self, op: scf.IfOp, shared: Sequence[Operation], tiles: Tiles
    ) -> Sequence[Operation]:
        """Emit `shared` in a branch for any work-item that takes `op`; returns its loads."""
        loads = [load for load in shared if isinstance(load, ocl.LoadOp | ocl.VLoadOp)]
        if not loads:
            return []
        some = self._holds(op.cond, tiles, every=False)
        then, orelse = Block(), Block()
        with self.inside(then):
            for inner in shared:
                self.merge(inner, tiles)
            self.source = op
            self.emit_void(scf.YieldOp(*(self.value(load.result, (ALL, ALL)) for load in loads)))
        with self.inside(orelse):
            zeros = [zero_of(load.result.type) for load in loads]
            self.emit_void(scf.YieldOp(*(self.emit(zero) for zero in zeros if zero is not None)))
        new = scf.IfOp(some, [x.result.type for x in loads], Region(then), Region(orelse))
        self.emit_void(new)
        for load, result in zip(loads, new.results, strict=True):
            self.bind(load.result, (ALL, ALL), result)
        self._done.update(loads)
        return loads
