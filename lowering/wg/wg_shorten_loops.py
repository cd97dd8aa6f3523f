"""`wg-shorten-loops`: a loop runs for the iterations that pass its guard, and no others."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.clamps import bits_of
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import erase_unused, execute_if, hoisted, is_hoistable
from polycl.lowering.wg.wg_split_guards import (
    LARGE_NUMBER,
    SAFE_BITS,
    Guard,
    conjuncts,
    is_large,
    settle,
)
from polycl.remarks import emit_remark
from polycl.symbolic import integer

LEAST = 16
"""Iterations below which a loop of known length stays: LLVM unrolls it as a whole."""


@dataclass(frozen=True)
class WgShortenLoopsPass(ModulePass):
    """Make what a guard asks of the counter the bounds of the loop.

    ```
    scf.for %k = %c0 to %n step %c1 {              %first = max(0, -%x)
      %i = arith.addi %x, %k                       %end = min(%n, %w - %x)
      if 0 <= %i && %i < %w {                ->    scf.for %k = %first to %end step %c1 {
        ... in[%i] ...                               %i = arith.addi %x, %k
      }                                              ... in[%i] ...
    }                                              }
    ```

    Taps that are inside of an image, elements above a diagonal, earlier places in a sequence:
    iterations that do nothing are not run, and the others are a row without branches. The loop
    counts by one, nothing but the guarded part of its body changes anything, and what it carries
    passes unchanged where the guard fails. The counter occurs in the guard once, plus or minus what
    the loop does not change. A part of the guard that does not depend on the counter is a branch
    around the loop, which may be a guard of the next loop.

    The bounds may differ for each work-item, so that the pass follows `wg-vectorize`.
    """

    name = "wg-shorten-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in operations_of(op, wg.FuncOp):
            shortened = False
            # The innermost first: the guard of an outer loop may come from it.
            for loop in reversed(operations_of(function, scf.ForOp)):
                while _shorten(loop):
                    shortened = True
            if shortened:
                erase_unused(function.body)


def _shorten(loop: scf.ForOp) -> bool:
    """Take one comparison out of the guard of a loop; False if there is none."""
    count = trip_count(loop)
    if constant_value(loop.step) != 1 or not isinstance(loop.lb.type, IndexType):
        return False
    found = None if UNSIGNED in loop.attributes else _guard_of(loop)
    if found is None or (count is not None and count < LEAST):
        return False
    branch, wanted = found
    for guard in conjuncts(branch.cond, wanted=wanted):
        if not loop.is_ancestor(guard.compare):
            continue
        if is_hoistable(guard.compare.result, loop):
            _branch_around(loop, guard)
            return True
        if (sum := _sum(loop, guard)) is not None:
            _clip(loop, sum)
            settle(guard.compare.result, guard.wanted)
            emit_remark(loop, WgShortenLoopsPass.name, "runs for what passes its guard")
            return True
    return False


def _guard_of(loop: scf.ForOp) -> tuple[scf.IfOp, bool] | None:
    """The branch that contains all that a loop does, and the outcome for which it does it."""
    body = loop.body.block
    branches: list[scf.IfOp] = []
    for op in body.ops:
        if isinstance(op, scf.IfOp) and not _only_reads(op):
            branches.append(op)
        elif not (isinstance(op, scf.YieldOp) or _only_reads(op)):
            return None
    if not branches:
        # A branch that only computes what the loop carries.
        owners = {value.owner for value in terminator(body).operands}
        branches = [op for op in body.ops if isinstance(op, scf.IfOp) and op in owners]
    if len(branches) != 1:
        return None
    (branch,) = branches
    for wanted, side in ((True, branch.false_region), (False, branch.true_region)):
        if _passes_on(loop, branch, side):
            return branch, wanted
    return None


def _only_reads(op: Operation) -> bool:
    """Whether an operation changes nothing, so that it can be left out where nobody uses it."""
    if isinstance(op, ocl.LoadOp):
        return op.volatile is None
    if isinstance(op, scf.IfOp):
        return all(_only_reads(inner) for inner in operations_in(op) if inner is not op)
    return isinstance(op, ocl.VLoadOp | scf.YieldOp) or is_side_effect_free(op)


def _passes_on(loop: scf.ForOp, branch: scf.IfOp, side: Region) -> bool:
    """Whether an iteration that takes one side of a branch changes nothing."""
    ops = list(side.block.ops) if side.blocks else []
    if not all(map(_only_reads, ops)):
        return False
    yielded: dict[SSAValue, SSAValue] = {}
    if ops:
        yielded.update(zip(branch.results, ops[-1].operands, strict=True))
    end, carried = terminator(loop.body.block), loop.body.block.args[1:]
    return all(
        yielded.get(value, value) is arg for value, arg in zip(end.operands, carried, strict=True)
    )


def _sum(loop: scf.ForOp, guard: Guard) -> Linear | None:
    """The sum that is not negative where a guard is as wanted, if it is plus or minus the counter
    and what is known before the loop; None otherwise."""
    if guard.asks_for_equality:
        return None
    predicate, lhs, rhs = guard.sides()
    if predicate not in ("slt", "sle"):
        return None
    sum = linear(rhs) - linear(lhs) - integer(1 if predicate == "slt" else 0)
    counter = loop.body.block.args[0]
    others = [(value, factor) for value, factor in sum.factors.items() if value is not counter]
    if abs(sum.factors.get(counter, 0)) != 1 or abs(sum.number) >= LARGE_NUMBER:
        return None
    for value, factor in others:
        if bits_of(value) > SAFE_BITS or is_large(value, factor) or not is_hoistable(value, loop):
            return None
    return sum


def _clip(loop: scf.ForOp, sum: Linear) -> None:
    """Leave out the iterations for which a sum is negative."""
    counter, build = loop.body.block.args[0], Build(loop)
    # The counter is at least, or less than, what is left of the sum on the other side.
    sign = sum.factors[counter]
    terms: list[tuple[SSAValue | None, int]] = [
        (build.as_index(hoisted(value, loop)), -sign * factor)
        for value, factor in sum.factors.items()
        if value is not counter
    ]
    number = -sum.number if sign > 0 else sum.number + 1
    if number or not terms:
        terms.append((None, number))
    bound = build.linear(terms)
    if sign > 0:
        loop.operands[0] = build.max(loop.lb, bound, signed=True)
    else:
        loop.operands[1] = build.min(loop.ub, bound, signed=True)


def _branch_around(loop: scf.ForOp, guard: Guard) -> None:
    """Run a loop only if a comparison that it does not change is as wanted."""
    build, condition = Build(loop), hoisted(guard.compare.result, loop)
    if not guard.wanted:
        condition = build.not_(condition)
    settle(guard.compare.result, guard.wanted)
    execute_if(loop, condition, lambda _: loop.iter_args)
