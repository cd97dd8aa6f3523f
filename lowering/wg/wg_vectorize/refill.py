"""Lanes that have left a loop take the next work-items, instead of waiting for the slowest one."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, UnitAttr, i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl import AtomicKind
from polycl.dialects.parents import parents
from polycl.dialects.vec import element_of
from polycl.dialects.wg.attributes import REFILLED
from polycl.lowering.build import Build
from polycl.lowering.wg.wg_vectorize.both_forms import ends_by_lane

LANES_AT_ONCE = 32
"""Work-items that run at once: two vectors of 32 bits hide a part of each other's latency."""

MOST = 120
"""A region with as many operations takes long to compile a third time, and keeps more values of so
many lanes than there are registers."""

TURNS = 4
"""Work-items for each lane, at least: those of the last turn wait for the slowest one."""

_SLOW = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.DivfOp, math.SqrtOp)


class Refill:
    """A region of `LANES_AT_ONCE` work-items that does the same as one of many.

    ```
    wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) {     ocl.store 0, %taken
      %n = ... %x ...                                   wg.parallel (%l, ...) in (%c32, %c1, %c1) {
      %r = scf.while (%a = %n) {                          scf.while (%alive, %inside, %t, %a) {
        scf.condition(%c) %a                                scf.condition(%alive)
      } do {                                              } do {
        ...                                                 unless %inside:
      }                                             ->        %t = ocl.atomic_rmw add %taken, 1
      ocl.store %r, %out[%x]                                  if %t < 256: %a = ... %t ...
    }                                                       if %t < 256:
                                                              %inside, %a = scf.while (%a) ...
                                                              unless %inside: store %a, %out[%t]
                                                            scf.yield %t < 256, %inside, %t, %a
    ```

    The inner loop may stop for a work-item that is still inside (`wg.refilled`): vectors stop when
    half of their lanes have left, which take the next work-items then. A work-item that goes on
    computes the condition again, of the same values.
    """

    region: wg.ParallelOp

    def __init__(self, region: wg.ParallelOp, loop: scf.WhileOp, sizes: Sequence[int]):
        self._old, self._loop, self._sizes = region, loop, sizes
        ops = list(region.body.block.ops)
        at = ops.index(loop)
        self._before, self._after = ops[:at], ops[at + 1 : -1]
        self._again: list[Operation] = []
        """What is computed again, where the loop is entered again, rather than carried."""
        known: set[SSAValue] = set(region.local_ids)
        for op in self._before:
            is_quick = is_side_effect_free(op) and not op.regions and not isinstance(op, _SLOW)
            if is_quick and all(x in known or not region.is_ancestor(x.owner) for x in op.operands):
                self._again.append(op)
                known.update(op.results)
        made = {result for op in self._before for result in op.results} - known
        later = [op for op in operations_in(loop) if op is not loop]
        later += [inner for op in self._after for inner in operations_in(op)]
        used = dict.fromkeys(operand for op in later for operand in op.operands)
        self._kept = [value for value in used if value in made]
        """What is carried with a work-item, beside the values of its loop."""
        self._start = [*loop.arguments, *self._kept]

    @classmethod
    def of(cls, region: wg.ParallelOp, facts: Uniformity, dimension: int) -> Refill | None:
        """The new region, right before `region`; None if that has not one loop, which work-items
        leave after numbers of iterations of their own, or if not enough of them."""
        sizes = [constant_index(size) or 0 for size in region.sizes]
        if any(size & (size - 1) for size in sizes) or region.res:
            return None
        if not TURNS * LANES_AT_ONCE <= prod(sizes) < 1 << 31:
            return None
        body = operations_in(region.body)
        loops = [op for op in body if isinstance(op, scf.WhileOp | scf.ForOp)]
        loop = loops[0] if len(loops) == 1 else None
        if not isinstance(loop, scf.WhileOp) or len(body) >= MOST:
            return None
        if loop.parent is not region.body.block or not ends_by_lane(loop, facts, dimension):
            return None
        # Memory of a work-item's own would be that of the next one.
        if any(isinstance(op, ocl.AllocaOp) or "volatile" in op.properties for op in body):
            return None
        if not all(map(_may_be_repeated, operations_in(loop.before_region))):
            return None
        new = cls(region, loop, sizes)
        if not all(
            isinstance(element_of(x.type), IntegerType | IndexType | AnyFloat) for x in new._start
        ):
            return None
        new._insert()
        return new

    def erase(self) -> None:
        """Take the new region back."""
        for op in reversed([*self._memory, *self._made]):
            Rewriter.erase_op(op)

    def detached(self, tile: Operation) -> Sequence[Operation]:
        """What the region needs before it, and `tile`, which has taken its place."""
        for op in (found := [*self._made[:-1], tile]):
            op.detach()
        return found

    def _insert(self) -> None:
        self.function = next(op for op in parents(self._old) if isinstance(op, wg.FuncOp))
        top = Build(self._old, InsertPoint.at_start(self.function.body.block))
        array = ocl.LocalAllocOp(ocl.ArrayType(1, i32))
        memory = ocl.CastOp(top.emit(array), ocl.PtrType(i32, ocl.AddressSpace.LOCAL))
        taken = top.emit(memory)
        taken.name_hint = "taken"
        self._memory = array, memory
        e = Build(self._old, Block())
        e.emit_void(ocl.StoreOp(e.constant(0, i32), taken))
        one = e.index(1)
        self.region = wg.ParallelOp([e.index(LANES_AT_ONCE), one, one])
        self.region.attributes = dict(self._old.attributes)
        e.emit_void(self.region)
        self._made = list(e.block.ops)
        with e.inside(self.region.body.block):
            zeros = [e.constant(0, value.type) for value in self._start]
            types = [i1, i1, i32, *(value.type for value in self._start)]
            first, second = Block(arg_types=types), Block(arg_types=types)
            start = [e.constant(1, i1), e.constant(0, i1), e.constant(0, i32), *zeros]
            with e.inside(first):
                e.emit_void(scf.ConditionOp(first.args[0], *first.args))
            with e.inside(second):
                e.emit_void(scf.YieldOp(*self._turn(e, second.args, taken)))
            e.emit_void(scf.WhileOp(start, types, Region(first), Region(second)))
            e.emit_void(wg.YieldOp([]))
        Rewriter.inline_block(e.block, InsertPoint.before(self._old))

    def _turn(self, e: Build, args: Sequence[SSAValue], taken: SSAValue) -> Sequence[SSAValue]:
        """A work-item enters the loop, and leaves it; with what it goes on."""
        _, inside, number, *state = args
        count = e.constant(prod(self._sizes), i32)

        def take() -> Sequence[SSAValue]:
            next = e.emit(ocl.AtomicRMWOp(AtomicKind.ADD, taken, e.constant(1, i32)))
            exists = e.compare("ult", next, count)
            return next, *e.choose(exists, lambda: self._begin(e, next), lambda: state)

        number, *state = e.choose(inside, lambda: (number, *state), take)
        exists = e.compare("ult", number, count)
        carried = state[: len(self._loop.arguments)]
        inside, *carried = e.choose(
            exists, lambda: self._run(e, number, state), lambda: (e.constant(0, i1), *carried)
        )
        return exists, inside, number, *carried, *state[len(carried) :]

    def _begin(self, e: Build, number: SSAValue) -> Sequence[SSAValue]:
        """With which values a work-item enters the loop, and what is kept for it."""
        values = self._numbered(e, number)
        for op in self._before:
            e.emit_void(op.clone(values))
        return [values.get(value, value) for value in self._start]

    def _run(self, e: Build, number: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The loop, and what follows it if it is done; whether it is not, and what it carries."""
        values = self._numbered(e, number)
        for op in self._again:
            e.emit_void(op.clone(values))
        start, kept = state[: len(self._loop.arguments)], state[len(self._loop.arguments) :]
        values.update(zip(self._kept, kept, strict=True))
        copy = self._loop.clone(values)
        carried, condition = copy.before_region.block.args, condition_of(copy)
        passed, added = list(condition.args), [condition.condition, *carried]
        condition.operands = [condition.condition, *passed, *added]
        types = [value.type for value in added]
        for type in types:
            copy.after_region.block.insert_arg(type, len(copy.after_region.block.args))
        types = [*(result.type for result in copy.results), *types]
        regions = copy.before_region, copy.after_region
        loop = scf.WhileOp(start, types, *map(copy.detach_region, regions))
        loop.attributes = {**copy.attributes, REFILLED: UnitAttr()}
        copy.erase()
        e.emit_void(loop)
        inside, *left = loop.results[len(passed) :]
        # What the loop carries needs no copy for the work-items that have left it.
        same: dict[SSAValue, SSAValue] = dict(zip(carried, left, strict=True))
        for old, value, result in zip(self._loop.results, passed, loop.results, strict=False):
            values[old] = same.get(value, result)

        def finish() -> Sequence[SSAValue]:
            for op in self._after:
                e.emit_void(op.clone(values))
            return ()

        e.choose(inside, tuple, finish)
        return [inside, *left]

    def _numbered(self, e: Build, number: SSAValue) -> dict[SSAValue, SSAValue]:
        """The ids of the work-item with a number."""
        ids: dict[SSAValue, SSAValue] = {}
        for id, size in zip(self._old.local_ids, self._sizes, strict=True):
            ids[id] = e.unsigned_index(e.and_(number, e.constant(size - 1, i32)))
            number = e.shr(number, size.bit_length() - 1, signed=False)
        return ids


def _may_be_repeated(op: Operation) -> bool:
    """Whether an operation of a condition does the same when it is done again at once."""
    is_read = isinstance(op, ocl.LoadOp | scf.IfOp | scf.YieldOp | scf.ConditionOp)
    return is_read or is_side_effect_free(op)
