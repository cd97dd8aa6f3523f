"""`count-from-zero`: loops along rows that begin elsewhere for each work-item count alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.sliding import Index
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.equal_rows import Row, row_of, sums_integers
from polycl.lowering.ocl.loop_versions import is_small, keep_beside
from polycl.lowering.ocl.polynomials import Polynomials
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class CountFromZeroPass(ModulePass):
    """Count from 0 in a loop whose length is the same for all work-items, unlike its start.

    ```
    %first = arith.muli %row, %n                   scf.for %j = %c0 to %n step %c1 {
    %end = arith.addi %first, %n             ->      %k = arith.addi %first, %j
    scf.for %k = %first to %end step %c1 {           ... %k ...
      ... %k ...                                   }
    }
    ```

    So `for (k = row * n; k < (row + 1) * n; k++) s += a[k];` is a loop of the group, like
    `for (k = 0; k < n; k++) s += a[row * n + k];`. Both ends are polynomials, whose difference the
    work-items have in common; in C, signed arithmetic does not overflow. Unsigned arithmetic may
    wrap: such a loop counts from 0 in launches in which no sum does, and a copy of it, as it was,
    runs in others. So is a loop that ends at a limit (`min(first + n, total)`), in groups in which
    none does. Sums of integers stay: LLVM makes vectors of their rows. Starts that grow by known
    numbers from one work-item to the next are left to `wg-rebase-loops`, but for loops with
    barriers, which are to be loops of the group: `for (i = get_local_id(0); i < 64; i += 16)`
    counts from 0 to 64 in groups of 16 work-items, each of which has its place in each step.
    """

    name = "count-from-zero"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            facts: Uniformity | None = None
            # The outermost first: the start of an inner one may depend on its counter.
            for loop in operations_of(kernel.body, scf.ForOp):
                if constant_value(loop.lb) is not None or not isinstance(loop.lb.type, IndexType):
                    continue
                facts = facts or Uniformity(kernel)
                ends = Polynomials()
                if all(isinstance(stride, int) for stride in facts.lanes(loop.lb).strides):
                    length = _length_in_steps(loop, ends, kernel.required_size)
                elif UNSIGNED not in loop.attributes:
                    length = ends.of(loop.ub) - ends.of(loop.lb)
                else:
                    continue
                if length is not None and all(map(facts.is_uniform, ends.values_of(length))):
                    count_alike(loop, ends.built(length, Build(loop)))
                    facts.visit_new(loop)
                    emit_remark(loop, self.name, "the length is the same for all work-items")
                elif row := _row(loop):
                    keep_beside(loop, row.is_whole(Build(loop)))
                    count_alike(loop, row.count(Build(loop)))
                    facts = None
                    emit_remark(loop, self.name, "the length is the same if no row is cut")


def _length_in_steps(
    loop: scf.ForOp, ends: Polynomials, sizes: Sequence[int] | None
) -> Index | None:
    """The length of a loop with barriers, whole steps in each of which every work-item has a place
    by its local ids; None for another one."""
    if sizes is None or not operations_of(loop.body, *CUTS):
        return None
    step = ends.of(loop.step).constant
    start, end = ends.of(loop.lb), ends.of(loop.ub)
    place = start.where(
        lambda factors: any(isinstance(ends.values[f].owner, ocl.LocalIdOp) for f in factors)
    )
    first = start - place
    length = end - first
    if UNSIGNED in loop.attributes and (
        first.constant is None or first.number < 0 or (length.constant or -1) < 0
    ):
        return None  # Sums of other values may wrap.
    last_place = 0
    for factors, number in place.coefficients.items():
        id = ends.values[factors[0]].owner
        if len(factors) > 1 or number < 0 or not isinstance(id, ocl.LocalIdOp):
            return None
        last_place += number * (sizes[id.dim.value.data] - 1)
    if step is None or last_place >= step:
        return None
    is_whole = all(number % step == 0 for number in length.coefficients.values())
    return length if is_whole else None


def _row(loop: scf.ForOp) -> Row | None:
    """The row of a loop whose ends are unsigned numbers of 32 bits, or cut at a limit."""
    if operations_of(loop.body, *CUTS) or not is_small(loop):
        return None
    _, *carried = loop.body.block.args
    if sums_integers(zip(carried, terminator(loop.body.block).operands, strict=True)):
        return None
    casts = loop.lb.owner, loop.ub.owner
    if not all(isinstance(cast, arith.IndexCastOp) for cast in casts):
        return None
    first, bound = (cast.operands[0] for cast in casts)  # pyright: ignore[reportAttributeAccessIssue]
    wide = first.owner, bound.owner
    if not all(isinstance(cast, arith.ExtUIOp) for cast in wide):
        return row_of(first, bound, loop, is_signed=True)
    return row_of(wide[0].operands[0], wide[1].operands[0], loop)  # pyright: ignore[reportAttributeAccessIssue]


def count_alike(loop: scf.ForOp, length: SSAValue) -> None:
    """Count from 0 to `length`."""
    first, counter = loop.lb, loop.body.block.args[0]
    uses = list(counter.uses)
    inside = Build(loop, InsertPoint.at_start(loop.body.block))
    place = inside.add(first, counter)
    place.name_hint = counter.name_hint
    for use in uses:
        use.operation.operands[use.index] = place
    # The sum of narrow numbers is known to later passes.
    narrow = first.owner.input if isinstance(first.owner, arith.IndexCastOp) else None
    for use in list(place.uses):
        op = use.operation
        if narrow and isinstance(op, arith.IndexCastOp) and op.result.type == narrow.type:
            at = Build(op)
            Rewriter.replace_op(op, [], [at.add(narrow, at.index_cast(counter, narrow.type))])
    loop.operands[0], loop.operands[1] = Build(loop).index(0), length
