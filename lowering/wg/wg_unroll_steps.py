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
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.speculation import INTEGER_DIVISIONS
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.borders import Typical
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import UNROLL
from polycl.dialects.wg.attributes import LANES
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copy_of
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, cycles_of
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

    Where local ids are divided by what a loop carries (`l / h * 2 * h + l % h`), it is unrolled
    whatever is read after it: divisions by known numbers are shifts.
    """

    name = "wg-unroll-steps"

    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            facts = None
            for loop in operations_of(function.body, scf.WhileOp):
                if loop.parent_op() is not function:
                    continue
                divides = _divides_ids(loop)
                if not divides and not _scales_ids(loop):
                    continue
                facts = facts or Uniformity(function)
                steps = _steps(loop)
                if not steps or (len(steps) - 1) * len(operations_in(loop)) > MOST_OPERATIONS:
                    continue
                if not divides and not _ends_in_one(loop):
                    if any(
                        _is_vectorized(region, facts, self.processor) for region in _regions(loop)
                    ):
                        continue
                    for region in _regions(loop):
                        region.attributes[LANES] = DenseArrayBase.from_list(i64, [1, 1, 1])
                        region.attributes[UNROLL] = IntegerAttr(-2, i32)
                # One that ends after its regions runs them in its last iteration, too.
                number = len(steps) - _is_pure(loop.before_region.block)
                emit_remark(loop, self.name, f"unrolled: {number} known steps")
                _unroll(loop, steps)


def _scales_ids(loop: scf.WhileOp) -> bool:
    """Whether a local id is multiplied by what the loop carries."""
    carried = {*loop.before_region.block.args, *loop.after_region.block.args}
    for region in _regions(loop):
        ids = set(region.local_ids)
        for op in operations_of(region.body, arith.MuliOp):
            sides = [sources((operand,)) for operand in op.operands]
            for one, other in (sides, reversed(sides)):
                if one & ids and other & carried:
                    return True
    return False


def _divides_ids(loop: scf.WhileOp) -> bool:
    """Whether a local id is divided by what the loop carries."""
    carried = {*loop.before_region.block.args, *loop.after_region.block.args}
    for region in _regions(loop):
        ids = set(region.local_ids)
        for op in operations_of(region.body, *INTEGER_DIVISIONS):
            if sources((op.lhs,)) & ids and sources((op.rhs,)) & carried:
                return True
    return False


def _regions(loop: scf.WhileOp) -> list[wg.ParallelOp]:
    return operations_of(loop, wg.ParallelOp)


def _is_vectorized(region: wg.ParallelOp, facts: Uniformity, processor: str) -> bool:
    """Whether the work-items of a region are lanes even if the steps are not known."""
    sizes = largest_sizes(region)
    dimension = best_dimension(region, facts, sizes)
    if dimension is None:
        return False
    body = region.body.block
    width = natural_width(region, facts, dimension, sizes[dimension] or 1)
    costs = tile_costs(body, facts, dimension, width, cycles=cycles_of(processor))
    return verdict_of(costs, body, SCATTERED_GAIN) is Verdict.PAYS


def _ends_in_one(loop: scf.WhileOp) -> bool:
    """Whether what is accessed in local memory that the loop accesses does not depend on local ids
    after it."""
    arrays = {root_of(op.pointer) for op in operations_of(loop, ocl.LoadOp, ocl.StoreOp)}
    arrays = {root for root in arrays if ocl.space_of(root) is ocl.AddressSpace.LOCAL}
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


class _Numbers(Domain[int | None]):
    """The values of integers that are known; None for others."""

    def number(self, number: int, value: SSAValue) -> int | None:
        return signed(number, value.type)

    def opaque(self, value: SSAValue) -> int | None:
        return None

    rules = Typical.rules


@dataclass(frozen=True)
class _Step:
    """What a loop carries to an iteration, and what that passes on from its condition."""

    begins_with: Sequence[int]
    passes: Sequence[int]


def _steps(loop: scf.WhileOp) -> list[_Step]:
    """The known numbers of each iteration, at the last of which the loop ends; empty if they are
    not known, or if there are too many."""
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = terminator(before), terminator(after)
    values = [evaluate(value, _Numbers()) for value in loop.arguments]
    found: list[_Step] = []
    while len(found) <= MOST_STEPS:
        numbers = _Numbers()
        numbers.known.update(zip(before.args, values, strict=True))
        goes_on, *passed = [evaluate(operand, numbers) for operand in condition.operands]
        if goes_on is None or None in (*values, *passed):
            return []
        found.append(
            _Step([v for v in values if v is not None], [v for v in passed if v is not None])
        )
        if not goes_on:
            return found
        numbers = _Numbers()
        numbers.known.update(zip(after.args, passed, strict=True))
        values = [evaluate(operand, numbers) for operand in end.operands]
    return []


def _unroll(loop: scf.WhileOp, steps: Sequence[_Step]) -> None:
    for number, step in enumerate(steps):
        _copy(loop, loop.before_region.block, step.begins_with)
        if number + 1 < len(steps):
            _copy(loop, loop.after_region.block, step.passes)
    last = _constants(loop, steps[-1].passes, [result.type for result in loop.results])
    Rewriter.replace_op(loop, [], last)


def _copy(loop: scf.WhileOp, block: Block, numbers: Sequence[int]) -> None:
    """One of the loop's blocks for known arguments, before the loop."""
    if _is_pure(block):
        # Nothing but what the numbers are computed from.
        return
    args = _constants(loop, numbers, [arg.type for arg in block.args])
    first = loop.prev_op
    copy_of(block, args, InsertPoint.before(loop))
    copies: list[Operation] = []
    op = loop.prev_op
    while op is not None and op is not first:
        copies = operations_in(op) + copies
        op = op.prev_op
    known = _Numbers()
    for op in copies:
        _fold(op, known)


def _is_pure(block: Block) -> bool:
    return all(is_side_effect_free(op) for op in block.ops if op is not block.last_op)


def _constants(
    loop: scf.WhileOp, numbers: Sequence[int], types: Sequence[Attribute]
) -> list[SSAValue]:
    build = Build(loop)
    return [build.constant(number, type) for number, type in zip(numbers, types, strict=True)]


def _fold(op: Operation, numbers: _Numbers) -> None:
    """Make a known result a constant."""
    if isinstance(op, arith.ConstantOp) or op.regions or len(op.results) != 1:
        return
    result = op.results[0]
    if isinstance(result.type, IntegerType | IndexType):
        number = evaluate(result, numbers)
        if number is not None:
            Rewriter.replace_op(op, [], [Build(op).constant(number, result.type)])
