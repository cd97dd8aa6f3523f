"""`count-loops`: a loop that moves by constants to a bound that nothing changes is counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_apart
from polycl.analysis.ocl.of_arguments import is_size
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.count_loops.early_breaks import test_first
from polycl.lowering.ocl.count_loops.passed import pass_all_on
from polycl.lowering.ocl.count_loops.run import run
from polycl.lowering.ocl.count_loops.turns import (
    LARGEST_STEP,
    Iteration,
    Turns,
    end_surely,
    index_of,
    is_certain,
    iteration_of,
    turns_of,
)
from polycl.lowering.ocl.equal_rows import Row, row_of, sums_integers
from polycl.lowering.ocl.loop_versions import is_small, keep_beside
from polycl.lowering.ocl.moving import hoisted
from polycl.remarks import emit_remark

_HARMLESS = (
    *(ocl.LoadOp, ocl.VLoadOp, ocl.AllocaOp),
    *(scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp),
)
_TOGETHER = (ocl.BarrierOp, ocl.GroupReduceOp, ocl.GroupScanOp, ocl.GroupShuffleOp)
"""Work-items leave loops with these by the same test."""


@dataclass(frozen=True)
class CountLoopsPass(ModulePass):
    """Make a counted loop of one that goes on by constants to a bound that nothing changes.

    ```
    %j = scf.while (%i = %start) {                   %n = ocl.load %p
      %n = ocl.load %p                               scf.for %t = %start to %n step %c1 {
      %go = arith.cmpi slt, %i, %n              ->     ... %t ...
      scf.condition(%go) %i                          }
    } do {                                           %j = arith.maxsi %start, %n
      ... %i ...
      scf.yield %i + %c1
    }
    ```

    A bound in memory is read once. Such a loop is `for (i = start; i < *p; i++)`. It may store to
    memory that the bound is not in:
    of another address space, and, with `distinct`, of another parameter, since the launch checks
    that buffers do not overlap. A loop with barriers or atomic operations stays. The bound is read
    at least once in any case. Counters have 32 bits, or are signed. A condition that stores
    something itself stays.

    Other loops run as often as their test says, wherever it is and whatever they move, up or down:
    `while (i > 0) s += a[--i]`, `while (p < end) s += *p++`, `do ... while (--n)`,
    `for (;;) { ...; if (++i == n) break; }`. What they move is carried (`index-by-counter` computes
    it from the number of the iteration):

    ```
    %r:2 = scf.while (%n = %m, %q = %p) {            %k = arith.maxui (%m - 1) + 1, 1
      ... %q ...                                     %r:2 = scf.for %t = 0 to %k step 1
      %n1 = %n - 1                              ->       iter_args(%n = %m, %q = %p) {
      %go = arith.cmpi ne, %n1, 0                      ... %q ...
      scf.condition(%go) %n1, %q + 4                   scf.yield %n - 1, %q + 4
    } do { yield }                                   }
    ```

    A loop may have several tests, as `k < 4 && i + k < n`; `if (i + k >= n) break;` at the start of
    an iteration is one (`early_breaks.py`). The loop runs as often as the test that ends it first
    says. Where one test allows a few iterations, and others compare ids, each iteration is guarded
    (`run.py`): a loop over four elements of each work-item is the same for all of them.

    Steps other than 1 and -1 may go past the largest number: they are counted if they are signed,
    or pointers, and unsigned ones to a bound of the kernel's arguments where they meet it. Sizes of
    the launch are steps, too: `for (; p < end; p += get_global_size(0))`, and so is what is
    computed from the kernel's arguments. The loop is counted where such a step is positive and no
    sum goes past the largest number; a copy of it, as it was, runs elsewhere.
    So is a loop along a row of `size_t` (`k = row * n; k < (row + 1) * n`), whose length is that of
    all work-items where no sum of the launch wraps (`equal_rows.py`).
    """

    name = "count-loops"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # The innermost first: the bound of an outer loop may be computed in it.
        for loop in reversed(operations_of(op, scf.WhileOp)):
            self._count(loop)

    def _count(self, loop: scf.WhileOp) -> None:
        loop = pass_all_on(loop)
        is_alone = not operations_of(loop, *_TOGETHER)
        if is_alone:
            test_first(loop)
        iteration = iteration_of(loop)
        turns = [] if iteration is None else turns_of(loop, iteration)
        if iteration is not None and len(turns) == 1 and is_alone and is_small(loop):
            if (row := _row_of(turns[0], loop, iteration)) is not None:
                keep_beside(loop, row.is_whole(Build(loop)))
                emit_remark(loop, self.name, "runs along a row that is as long for all work-items")
                run(loop, iteration, [replace(turns[0], length=row.count(Build(loop)))])
                return
        if self._reads_bound_once(loop):
            return
        if iteration is not None and turns and (is_alone or len(turns) == 1):
            if not is_certain(turns[0]):
                if not is_alone or not is_small(loop):
                    return
                keep_beside(loop, end_surely(turns[0], loop))
            emit_remark(loop, self.name, "runs a number of times that is known before it")
            run(loop, iteration, turns)

    def _reads_bound_once(self, loop: scf.WhileOp) -> bool:
        """Count to a bound from a start; whether that was possible."""
        before, after = loop.before_region.block, loop.after_region.block
        test = condition_of(loop).condition.owner
        if not isinstance(test, arith.CmpiOp) or not passes_all_on(loop):
            return False
        if not all(_only_reads(op) for op in before.ops):
            return False
        counters = [i for i, value in enumerate(before.args) if value is test.lhs]
        if not counters or not self._is_fixed(test.rhs, loop):
            return False
        place, predicate = counters[0], predicate_of(test)
        step = terminator(after).operands[place].owner
        if not isinstance(step, arith.AddiOp) or step.lhs is not after.args[place]:
            return False
        is_unit, is_read_here = constant_value(step.rhs) == 1, loop.is_ancestor(test.rhs.owner)
        if not is_unit and (is_read_here or loop.results[place].first_use):
            return False
        is_signed = predicate == "slt"
        if not (is_signed or predicate == "ult") or not _is_positive(step.rhs):
            return False
        if not is_signed and loop.is_ancestor(step.rhs.owner) and constant_value(step.rhs) is None:
            return False
        if test.lhs.type != i32 and not (is_signed and test.lhs.type == IntegerType(64)):
            return False
        what = "a number that is read once" if is_read_here else "a number"
        emit_remark(loop, self.name, f"counts to {what}")
        amount = hoisted(step.rhs, loop)
        _replace(loop, place, hoisted(test.rhs, loop), amount, is_signed)
        return True

    def _is_fixed(self, value: SSAValue, loop: scf.WhileOp) -> bool:
        """Whether a value that the condition computes is the same in each iteration."""
        owner = value.owner
        if not loop.is_ancestor(owner):
            return True
        if isinstance(owner, Block) or owner.parent is not loop.before_region.block:
            return False
        is_kept = isinstance(owner, ocl.LoadOp) and self._is_kept(owner, loop)
        if owner.regions or not (is_kept or is_side_effect_free(owner)):
            return False
        return all(self._is_fixed(operand, loop) for operand in owner.operands)

    def _is_kept(self, load: ocl.LoadOp, loop: scf.WhileOp) -> bool:
        """Whether no operation of a loop can change what is loaded."""
        return load.volatile is None and all(
            are_apart(op.pointer, load.pointer, self.distinct)
            if isinstance(op, ocl.StoreOp | ocl.VStoreOp)
            else isinstance(op, _HARMLESS) or is_side_effect_free(op)
            for op in loop.walk()
        )


def _row_of(turns: Turns, loop: scf.WhileOp, iteration: Iteration) -> Row | None:
    """The row along which a loop of unsigned numbers counts one by one."""
    if turns.predicate not in ("ult", "slt") or isinstance(turns.start.type, ocl.PtrType):
        return None
    if not turns.is_tested_first or (turns.step, turns.ahead, turns.size) != (1, 0, None):
        return None
    pairs = zip(iteration.start, iteration.end, loop.arguments, strict=True)
    if sums_integers((now, next) for now, next, first in pairs if first is not turns.start):
        return None
    return row_of(turns.start, turns.bound, loop, is_signed=turns.predicate == "slt")


def _only_reads(op: Operation) -> bool:
    """Whether an operation of the condition can go with it."""
    if isinstance(op, ocl.LoadOp):
        return op.volatile is None
    return isinstance(op, ocl.VLoadOp | scf.ConditionOp) or is_side_effect_free(op)


def _is_positive(step: SSAValue) -> bool:
    """Whether a step is a small positive constant, or a size of the launch."""
    number = constant_value(step)
    return is_size(step) if number is None else 0 < number <= LARGEST_STEP


def _replace(
    loop: scf.WhileOp, place: int, bound: SSAValue, step: SSAValue, is_signed: bool
) -> None:
    start, build = loop.arguments[place], Build(loop)
    others = [value for i, value in enumerate(loop.arguments) if i != place]
    after = loop.after_region.block
    body = Block(arg_types=[IndexType(), *(value.type for value in others)])
    step = index_of(build, step, is_signed)
    low, high = (index_of(build, value, is_signed) for value in (start, bound))
    counted = scf.ForOp(low, high, step, others, Region(body))
    counted.attributes = dict(loop.attributes)
    build.emit_void(counted)
    is_read = loop.results[place].first_use is not None
    last = build.max(start, bound, signed=is_signed) if is_read else start
    inside = Build(counted, InsertPoint.at_end(body))
    counter = inside.index_cast(body.args[0], start.type)
    counter.name_hint = after.args[place].name_hint
    carried: list[SSAValue] = list(body.args[1:])
    carried.insert(place, counter)
    Rewriter.inline_block(after, InsertPoint.at_end(body), carried)
    end = terminator(body)
    stepped = end.operands[place].owner
    end.operands = [value for i, value in enumerate(end.operands) if i != place]
    if isinstance(stepped, arith.AddiOp) and stepped.result.first_use is None:
        Rewriter.erase_op(stepped)
    _use_as_index(counter, body.args[0], is_signed)
    ends: list[SSAValue] = list(counted.results)
    ends.insert(place, last)
    Rewriter.replace_op(loop, [], ends)


def _use_as_index(counter: SSAValue, index: SSAValue, is_signed: bool) -> None:
    """Extend a counter, which is between two numbers of its type, by using the index itself."""
    for use in list(counter.uses):
        op = use.operation
        if isinstance(op, arith.IndexCastOp if is_signed else arith.ExtUIOp):
            Rewriter.replace_op(op, [], [Build(op).index_cast(index, op.result.type)])
