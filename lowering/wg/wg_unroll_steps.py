"""`wg-unroll-steps`: loops of a group in known steps, such as those of a tree, are unrolled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.analysis.wg.borders import Typical
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import UNROLL
from polycl.dialects.wg.attributes import LANES
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copy_of
from polycl.lowering.wg.wg_vectorize.profit import (
    SCATTERED_GAIN,
    Verdict,
    tile_costs,
    verdict_of,
)
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.remarks import emit_remark

MOST_STEPS = 10
MOST_OPERATIONS = 600
"""After unrolling: the levels of a tree have 20 to 40 operations each."""


@dataclass(frozen=True)
class WgUnrollStepsPass(ModulePass):
    """Unroll a loop over regions in which a known number that it carries scales local ids.

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
    mask, and the processor does not pass them on to the loads of the next step.
    """

    name = "wg-unroll-steps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            facts = Uniformity(function)
            for loop in operations_of(function.body, scf.WhileOp):
                if loop.parent_op() is not function or not _scales_ids(loop):
                    continue
                steps = _steps(loop)
                if not steps or (len(steps) - 1) * len(operations_in(loop)) > MOST_OPERATIONS:
                    continue
                if not _ends_in_one(loop):
                    if any(_is_vectorized(region, facts) for region in _regions(loop)):
                        continue
                    for region in _regions(loop):
                        region.attributes[LANES] = DenseArrayBase.from_list(i64, [1, 1, 1])
                        region.attributes[UNROLL] = IntegerAttr(-2, i32)
                emit_remark(loop, self.name, f"unrolled: {len(steps) - 1} known steps")
                _unroll(loop, steps)


def _scales_ids(loop: scf.WhileOp) -> bool:
    """Whether a local id is multiplied by what the loop carries."""
    carried = set(loop.after_region.block.args)
    for region in _regions(loop):
        ids = set(region.local_ids)
        for op in operations_of(region.body, arith.MuliOp):
            sides = [sources((operand,)) for operand in op.operands]
            for one, other in (sides, reversed(sides)):
                if one & ids and other & carried:
                    return True
    return False


def _regions(loop: scf.WhileOp) -> list[wg.ParallelOp]:
    return operations_of(loop.after_region, wg.ParallelOp)


def _is_vectorized(region: wg.ParallelOp, facts: Uniformity) -> bool:
    """Whether the work-items of a region are lanes even if the steps are not known."""
    sizes = largest_sizes(region)
    dimension = best_dimension(region, facts, sizes)
    if dimension is None:
        return False
    body = region.body.block
    width = natural_width(region, facts, dimension, sizes[dimension] or 1)
    costs = tile_costs(body, facts, dimension, width)
    return verdict_of(costs, body, SCATTERED_GAIN) is Verdict.PAYS


def _ends_in_one(loop: scf.WhileOp) -> bool:
    """Whether what is accessed in local memory that the loop accesses does not depend on local ids
    after it."""
    arrays = {root_of(op.pointer) for op in operations_of(loop, ocl.LoadOp, ocl.StoreOp)}
    arrays = {root for root in arrays if ocl.space_of(root) is ocl.AddressSpace.LOCAL}
    op = loop.next_op
    while op is not None:
        for region in operations_of(op, wg.ParallelOp):
            ids = set(region.local_ids)
            for access in operations_of(region.body, ocl.LoadOp, ocl.StoreOp):
                place = [access.pointer] if access.index is None else [access.pointer, access.index]
                if root_of(access.pointer) in arrays and sources(place) & ids:
                    return False
        op = op.next_op
    return bool(arrays)


class _Numbers(Domain[int | None]):
    """The values of integers that are known; None for others."""

    def number(self, number: int, value: SSAValue) -> int | None:
        return signed(number, value.type)

    def opaque(self, value: SSAValue) -> int | None:
        return None

    rules = Typical.rules


def _steps(loop: scf.WhileOp) -> list[Sequence[int]]:
    """What the loop carries to each iteration and, at last, out of it; empty if that is not known,
    or if there are too many."""
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = terminator(before), terminator(after)
    values: Sequence[int | None] = [evaluate(value, _Numbers()) for value in loop.arguments]
    found: list[Sequence[int]] = []
    if not all(op is condition or is_side_effect_free(op) for op in before.ops):
        return []
    while len(found) <= MOST_STEPS:
        numbers = _Numbers()
        numbers.known.update(zip(before.args, values, strict=True))
        goes_on, *passed = [evaluate(operand, numbers) for operand in condition.operands]
        known = [value for value in passed if value is not None]
        if goes_on is None or len(known) < len(passed):
            return []
        found.append(known)
        if not goes_on:
            return found
        numbers = _Numbers()
        numbers.known.update(zip(after.args, known, strict=True))
        values = [evaluate(operand, numbers) for operand in end.operands]
    return []


def _unroll(loop: scf.WhileOp, steps: Sequence[Sequence[int]]) -> None:
    build, types = Build(loop), [result.type for result in loop.results]
    values: list[list[SSAValue]] = [
        [build.constant(number, type) for number, type in zip(step, types, strict=True)]
        for step in steps
    ]
    for carried in values[:-1]:
        first = loop.prev_op
        copy_of(loop.after_region.block, carried, InsertPoint.before(loop))
        copies: list[Operation] = []
        op = loop.prev_op
        while op is not None and op is not first:
            copies = operations_in(op) + copies
            op = op.prev_op
        numbers = _Numbers()
        for op in copies:
            _fold(op, numbers)
    Rewriter.replace_op(loop, [], values[-1])


def _fold(op: Operation, numbers: _Numbers) -> None:
    """Make a known result a constant."""
    if isinstance(op, arith.ConstantOp) or op.regions or len(op.results) != 1:
        return
    result = op.results[0]
    if isinstance(result.type, IntegerType | IndexType):
        number = evaluate(result, numbers)
        if number is not None:
            Rewriter.replace_op(op, [], [Build(op).constant(number, result.type)])
