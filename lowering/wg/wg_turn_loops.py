"""`wg-turn-loops`: neighbouring iterations of a loop become neighbouring work-items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp, UnitAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import address_of, is_parameter, size_of_access
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.wg.attributes import SPREAD
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused, hoisted, is_hoistable
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_spread_loops import Access, only_loop
from polycl.lowering.wg.wg_vectorize.accesses import access_stride
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import LOOP_WEIGHT, tile_costs
from polycl.remarks import emit_remark

TILE = 64
"""Iterations that become work-items at a time: what they read is read again for the next row."""

LEAST = 16
"""Iterations below which the loop stays: they are lanes of one vector."""

GAIN = 1.1
"""How much cheaper the turned region must be: the costs are estimates."""

_TERMINATORS = (scf.YieldOp, scf.ConditionOp, wg.YieldOp)


@dataclass(frozen=True)
class WgTurnLoopsPass(ModulePass):
    """Let the iterations of a loop that is all that work-items do be work-items along x.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
      scf.for %j = %c0 to %n step %c1 {
        ... out[%x * %n + %j] ...
      }
    }
    ```

    becomes

    ```
    scf.for %first = %c0 to %n step %c64 {
      wg.parallel (%k, %x, %y) in (%c64, %c64, %c1) {
        %j = %first + %k
        if %j < %n { ... out[%x * %n + %j] ... }
      }
    }
    ```

    Where each work-item writes a row of its own, neighbouring work-items are far from each other in
    memory, and neighbouring iterations are next to each other. All stores must be like that, the
    loop counts by one, its range is the same for all work-items, and it carries no values. It has
    a loop or a branch in it: LLVM makes vectors of others. Nothing that is consecutive along x may
    be scattered along the loop, as in a transpose. What the body costs as vectors in both
    directions decides then (`profit.py`). If the number of
    iterations is not known, the region is there twice, and the old one runs where they are few.

    Iterations must be independent: in a buffer that the loop writes, no iteration accesses what
    another one does, and nothing is read before the loop. With `distinct`, buffers of different
    parameters do not overlap. `masks` and `processor` are as of `wg-vectorize`.
    """

    name = "wg-turn-loops"

    distinct: bool = False
    masks: bool = True
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            # Where the local size is an attribute, the sizes of regions need not tell it.
            if function.local_size is None:
                continue
            for region in operations_of(function.body, wg.ParallelOp):
                loop = _row_loop(region) if region.step is None else None
                if loop is not None and self._can_turn(region, loop, function):
                    self._turn_if_cheaper(region, loop, function)

    def _can_turn(self, region: wg.ParallelOp, loop: scf.ForOp, function: wg.FuncOp) -> bool:
        count = trip_count(loop)
        if count is not None and count < LEAST:
            return False
        if not isinstance(loop.lb.type, IndexType) or constant_index(loop.step) != 1:
            return False
        if constant_index(region.sizes[2]) != 1 or is_too_large(region, self.name):
            return False
        if not all(is_hoistable(bound, region) for bound in (loop.lb, loop.ub)):
            return False
        stores = operations_of(loop, ocl.StoreOp)
        counter = loop.body.block.args[0]
        steps = [(address_of(op)[1].factors.get(counter, 0), size_of_access(op)) for op in stores]
        if not steps or any(step != size for step, size in steps):
            return False
        if not _are_independent(region, loop, self.distinct):
            emit_remark(loop, self.name, "not turned: iterations may access the same elements")
            return False
        # LLVM makes vectors of other loops, without going through memory in blocks.
        return any(op.regions for op in operations_in(loop.body))

    def _turn_if_cheaper(self, region: wg.ParallelOp, loop: scf.ForOp, function: wg.FuncOp) -> None:
        facts, cycles = Uniformity(function), cycles_of(self.processor)
        before = tile_costs(region.body.block, facts, 0, LEAST, cycles=cycles, masks=self.masks)
        strides = _strides(region, facts)
        trial = region.clone()
        Build(region).emit_void(trial)
        around = _turn(trial)
        facts = Uniformity(function)
        after = tile_costs(trial.body.block, facts, 0, LEAST, cycles=cycles, masks=self.masks)
        pairs = zip(strides, _strides(trial, facts), strict=True)
        scatters = any(old == size and new not in (0, size) for (old, size), (new, _) in pairs)
        count = trip_count(loop)
        cost = after.vector * (count or LOOP_WEIGHT)
        text = f"estimated cycles of {LEAST} work-items: {cost:.0f} along the loop, "
        text += f"{min(before.vector, before.scalar):.0f} as it is"
        emit_remark(loop, self.name, text)
        Rewriter.erase_op(around)
        erase_unused(function.body)
        if scatters or cost * GAIN >= min(before.vector, before.scalar):
            return
        emit_remark(loop, self.name, "turned: iterations are neighbours")
        if count is None:
            build = Build(region)
            lb, ub = (hoisted(bound, region) for bound in (loop.lb, loop.ub))
            many = build.compare("sge", build.sub(ub, lb), build.index(LEAST))
            region = two_versions(region, many)
        _turn(region)


def _row_loop(region: wg.ParallelOp) -> scf.ForOp | None:
    """The loop that is all that a region does, but for guards, and what is read before it."""
    return only_loop(region, ocl.LoadOp)


def _are_independent(region: wg.ParallelOp, loop: scf.ForOp, distinct: bool) -> bool:
    """Whether no iteration of a work-item accesses what another one of it writes."""
    for op in operations_in(region.body):
        if isinstance(op, Access):
            if op.volatile is not None or not is_parameter(address_of(op)[0]):
                return False
        elif not (op.regions or isinstance(op, _TERMINATORS) or is_side_effect_free(op)):
            return False
    accesses: dict[SSAValue, list[Access]] = {}
    for op in operations_of(region.body, ocl.LoadOp, ocl.StoreOp):
        accesses.setdefault(address_of(op)[0], []).append(op)
    if not distinct and len(accesses) > 1:
        return False
    written = {address_of(op)[0] for op in operations_of(loop, ocl.StoreOp)}
    # What is read before the loop is read again for the next iterations.
    return all(
        all(loop.is_ancestor(op) for op in accesses[root]) and _are_apart(accesses[root], loop)
        for root in written
    )


def _are_apart(accesses: Sequence[Access], loop: scf.ForOp) -> bool:
    """Whether each iteration has elements of its own."""
    counter = loop.body.block.args[0]
    for a, b in combinations_with_replacement(accesses, 2):
        start, other = address_of(a)[1], address_of(b)[1]
        step, distance = start.factors.get(counter, 0), (start - other).constant
        if step <= 0 or other.factors.get(counter, 0) != step or distance is None:
            return False
        if any(not is_hoistable(atom, loop) for atom in start.atoms - {counter}):
            return False
        sizes = size_of_access(a), size_of_access(b)
        nearest = -(distance // step)
        for number in (nearest - 1, nearest, nearest + 1):
            if number and -sizes[0] < distance + number * step < sizes[1]:
                return False
        if max(sizes) > step:
            return False
    return True


def _strides(region: wg.ParallelOp, facts: Uniformity) -> list[tuple[int | None, int]]:
    """How far apart neighbours along x access memory, and the bytes that they access."""
    accesses = operations_of(region.body, ocl.LoadOp, ocl.StoreOp)
    return [(access_stride(facts, op, 0), size_of_access(op)) for op in accesses]


def _turn(region: wg.ParallelOp) -> scf.ForOp:
    """Turn a region whose loop can be turned; the loop around it."""
    loop = _row_loop(region)
    assert loop is not None
    build = Build(region)
    lb, ub = (hoisted(bound, region) for bound in (loop.lb, loop.ub))
    body = Block(arg_types=[IndexType()])
    (first,) = body.args
    first.name_hint = "first"
    around = scf.ForOp(lb, ub, build.index(TILE), [], Region(body))
    around.location = loop.location
    size = build.index(TILE)
    zero = build.index(0)
    build.emit_void(around)
    region.detach()
    body.add_op(region)
    Build(loop, body).emit_void(scf.YieldOp())
    x, y, z = region.local_ids
    z.replace_all_uses_with(zero)
    y.replace_all_uses_with(z)
    x.replace_all_uses_with(y)
    for dimension, value in enumerate((size, *region.sizes[:2])):
        region.operands[dimension] = value
    region.attributes[SPREAD] = UnitAttr()

    inner = Build(loop)
    counter = inner.add(first, x)
    counter.name_hint = loop.body.block.args[0].name_hint
    then = Block()
    guard = scf.IfOp(inner.compare("slt", counter, ub), [], Region(then))
    Rewriter.insert_op(guard, InsertPoint.before(loop))
    Rewriter.inline_block(loop.body.block, InsertPoint.at_end(then), [counter])
    Rewriter.erase_op(loop)
    return around
