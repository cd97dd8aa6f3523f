"""`wg-unroll-steps`: loops of a group in known steps, such as those of a tree, are unrolled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IntegerAttr, ModuleOp, i32, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.speculation import INTEGER_DIVISIONS
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import UNROLL
from polycl.dialects.vec import element_of
from polycl.dialects.wg.attributes import LANES
from polycl.lowering.ocl.known_steps import (
    fold_known,
    known_steps,
    operations_between,
    unroll_times,
)
from polycl.lowering.ocl.simplify_loops import unroll
from polycl.lowering.wg.wg_split_rows import QUOTIENTS, REMAINDERS, in_addresses
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import SCATTERED_GAIN, Verdict, tile_costs, verdict_of
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.lowering.wg.wg_vectorize.tile import Costs
from polycl.remarks import emit_remark

MOST_STEPS = 10
MOST_OPERATIONS = 600
"""After unrolling: the levels of a tree have 20 to 40 operations each."""
MOST_OPERATIONS_IN_ROWS = 1600
"""The same where ids are divided. (Measured: steps of Fourier transforms, of a hundred operations
each, run 3 to 6 times as fast in rows.)"""


@dataclass(frozen=True)
class WgUnrollStepsPass(ModulePass):
    """Unroll a loop over regions in which a known number that it carries, or counts, scales local
    ids.

    ```
    scf.while (%s = %c1) : %s < %c256 {        wg.parallel (%x, ...) in (128, 1, 1) {
      wg.parallel (%x, ...) in (256 / (2 * %s), 1, 1) {    %i = %x * 2
        %i = %x * (2 * %s)                ->     %t[%i] += %t[%i + 1]
        %t[%i] += %t[%i + %s]                  }
      }                                        wg.parallel (%x, ...) in (64, 1, 1) {
      %s * 2                                     %i = %x * 4
    }                                            %t[%i] += %t[%i + 2]
                                               }
                                               ...
    ```

    Then the distances between the elements that neighbouring work-items access are known, and so
    are the sizes of the regions; `wg-compact-trees` goes on from there. Loops that run more than
    ten times stay, and so do those in which nothing depends on a product of a local id and what
    they carry: neighbours are neighbours in memory there.

    That is if elements of the loop's arrays are read for the whole group only after it, as the sum
    of a tree is. Where work-items read all elements, as those of a scan, they want them where they
    are: then a loop is unrolled whose accesses are all over memory, and its regions run one
    work-item after the other. Vectors of each second or fourth element would be stored under a
    mask, and the processor does not pass them on to the loads of the next step. Counted loops stay
    then.

    Where a region runs for as many work-items as the loop carries (`if (l < d) t[l] += t[l + d];`),
    the loop is unrolled, too: no vector has a mask then. So are other trees, as
    `x = l < d ? t[l + d] : 0; barrier(...); t[l] += x;`, or `t[2 * l] + t[2 * l + 1]` of all
    `l < d`: `wg-clip-items` finds who has to run.

    Where work-items run by a remainder of their id and by what the loop carries (`if (l & d)`,
    `if ((l & 15) < d)`), it is unrolled whatever is read after it: `wg-clip-items` makes rows of
    those that run.

    Where local ids are divided by what a loop carries (`l / h * 2 * h + l % h`, or by shifts and
    masks), it is unrolled whatever is read after it: rows of known lengths are split by
    `wg-split-ids`.
    """

    name = "wg-unroll-steps"

    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            # Loops in an unrolled one begin with known numbers.
            while self._unroll_some(function):
                pass

    def _unroll_some(self, function: wg.FuncOp) -> bool:
        """Unroll the loops whose steps are known; whether there were any."""
        facts, is_changed = None, False
        for loop in operations_of(function.body, scf.WhileOp, scf.ForOp):
            if loop.parent_op() is not function:
                continue
            divides, scales = _divides_ids(loop), _scales_ids(loop)
            limits = _limits_ids(loop) or _limits_rows(loop)
            if not (divides or scales or limits or _is_tree(loop)):
                continue
            rounds = _rounds(loop)
            most = MOST_OPERATIONS_IN_ROWS if divides else MOST_OPERATIONS
            if not rounds or (rounds - 1) * len(operations_in(loop)) > most:
                continue
            if scales and not divides and not _ends_in_one(loop, ocl.AddressSpace.LOCAL):
                if isinstance(loop, scf.ForOp):
                    continue
                facts = facts or Uniformity(function)
                if any(_is_vectorized(region, facts, self.processor) for region in _regions(loop)):
                    continue
                for region in _regions(loop):
                    region.attributes[LANES] = DenseArrayBase.from_list(i64, [1, 1, 1])
                    region.attributes[UNROLL] = IntegerAttr(-2, i32)
            before, after = loop.prev_op, loop.next_op
            if isinstance(loop, scf.ForOp):
                emit_remark(loop, self.name, f"unrolled: {rounds} known steps")
                first, step = constant_value(loop.lb) or 0, constant_value(loop.step) or 1
                unroll(loop, range(first, first + rounds * step, step))
            else:
                # One that ends after its regions runs them in its last iteration, too.
                number = rounds - _is_pure(loop.before_region.block)
                emit_remark(loop, self.name, f"unrolled: {number} known steps")
                unroll_times(loop, rounds - 1)
            fold_known(operations_between(function.body.block, before, after))
            is_changed = True
        return is_changed


_Loop: TypeAlias = scf.WhileOp | scf.ForOp

_OF_GROUP = (ocl.AddressSpace.LOCAL, ocl.AddressSpace.PRIVATE)


def _carried(loop: _Loop) -> set[SSAValue]:
    """What a loop carries, and its counter."""
    return {arg for region in loop.regions for block in region.blocks for arg in block.args}


def _scales_ids(loop: _Loop) -> bool:
    """Whether a local id is multiplied by what the loop carries."""
    carried = _carried(loop)
    for region in _regions(loop):
        ids = set(region.local_ids)
        for op in operations_of(region.body, arith.MuliOp):
            sides = [sources((operand,)) for operand in op.operands]
            for one, other in (sides, reversed(sides)):
                if one & ids and other & carried:
                    return True
    return False


def _limits_ids(loop: _Loop) -> bool:
    """Whether a region runs for as many work-items as what the loop carries says."""
    carried = _carried(loop)
    return any(sources(region.sizes) & carried for region in _regions(loop))


def _limits_rows(loop: _Loop) -> bool:
    """Whether a branch asks for a remainder of the id and for what the loop carries."""
    carried = _carried(loop)
    for region in _regions(loop):
        ids = set(region.local_ids)
        rests = [
            op.results[0]
            for op in operations_of(region.body, *REMAINDERS)
            if sources(op.operands) & ids
        ]
        for branch in operations_of(region.body, scf.IfOp):
            on = sources((branch.cond,))
            if on & carried and not on.isdisjoint(rests):
                return True
    return False


def _divides_ids(loop: _Loop) -> bool:
    """Whether a local id is divided by what the loop carries, or an address is computed from what a
    shift or a mask leaves."""
    carried = _carried(loop)
    for region in _regions(loop):
        ids = set(region.local_ids)
        for op in operations_of(region.body, *QUOTIENTS, *REMAINDERS):
            sides = [sources((operand,)) for operand in op.operands]
            if isinstance(op, arith.AndIOp) and sides[1] & ids:
                sides.reverse()
            if sides[0] & ids and sides[1] & carried:
                if isinstance(op, INTEGER_DIVISIONS) or op.results[0] in in_addresses(region):
                    return True
    return False


def _is_tree(loop: _Loop) -> bool:
    """Whether what work-items exchange, or who does so, depends on their ids and on what the loop
    carries, and all that it leaves is read at one place."""
    carried = _carried(loop)
    if not _ends_in_one(loop, *_OF_GROUP):
        return False
    found = False
    for region in _regions(loop):
        ids = set(region.local_ids)
        places: list[SSAValue] = []
        for op in operations_in(region.body):
            if isinstance(op, ocl.StoreOp) and ocl.space_of(op.pointer) not in _OF_GROUP:
                return False
            if isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.index is not None:
                places.append(op.index)
            elif isinstance(op, scf.IfOp):
                places.append(op.cond)
        depends_on = (sources((place,)) for place in places)
        found = found or any(on & ids and on & carried for on in depends_on)
    return found


def _regions(loop: _Loop) -> list[wg.ParallelOp]:
    return operations_of(loop, wg.ParallelOp)


def _is_vectorized(region: wg.ParallelOp, facts: Uniformity, processor: str) -> bool:
    """Whether the work-items of a region are lanes even if the steps are not known. One work-item
    has all addresses and guards of known steps as constants."""
    sizes = largest_sizes(region)
    dimension = best_dimension(region, facts, sizes)
    if dimension is None:
        return False
    body = region.body.block
    width = natural_width(region, facts, dimension, sizes[dimension] or 1)
    cycles = cycles_of(processor)
    costs = tile_costs(body, facts, dimension, width, cycles=cycles)
    known = tile_costs(body, facts, dimension, width, cycles=replace(cycles, scalar=0)).scalar
    known += width * cycles.scalar * sum(map(_is_of_floats, operations_in(body)))
    return verdict_of(Costs(costs.vector, known), body, SCATTERED_GAIN) is Verdict.PAYS


def _is_of_floats(op: Operation) -> bool:
    return bool(op.results) and isinstance(element_of(op.results[0].type), AnyFloat)


def _ends_in_one(loop: _Loop, *spaces: ocl.AddressSpace) -> bool:
    """Whether what is accessed in memory that the loop accesses, in some address spaces, does not
    depend on local ids after it."""
    arrays = {root_of(op.pointer) for op in operations_of(loop, ocl.LoadOp, ocl.StoreOp)}
    arrays = {root for root in arrays if ocl.space_of(root) in spaces}
    op = loop.next_op
    while op is not None:
        for region in operations_of(op, wg.ParallelOp):
            sizes = zip(region.local_ids, region.sizes, strict=True)
            ids = {id for id, size in sizes if constant_value(size) != 1}
            for access in operations_of(region.body, ocl.LoadOp, ocl.StoreOp):
                place = [access.pointer] if access.index is None else [access.pointer, access.index]
                if root_of(access.pointer) in arrays and sources(place) & ids:
                    return False
        op = op.next_op
    return bool(arrays)


def _rounds(loop: _Loop) -> int:
    """How often the condition of a loop is computed, or a counted one runs; 0 if it or what the
    loop carries is not known each time, or if that is too often."""
    if isinstance(loop, scf.ForOp):
        count = trip_count(loop)
        is_known = constant_value(loop.lb) is not None and not loop.iter_args
        return count if is_known and count is not None and count <= MOST_STEPS else 0
    steps = known_steps(loop, Numbers(), MOST_STEPS)
    if steps is None or any(None in step.values() for step in steps):
        return 0
    return len(steps)


def _is_pure(block: Block) -> bool:
    return all(is_side_effect_free(op) for op in block.ops if op is not block.last_op)
