"""`wg-keep-loops`: loops that end elsewhere for each work-item, and short sums along rows, are not
unrolled."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.lane_stride import VARYING, Lanes
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import UNROLL
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import is_hoistable
from polycl.lowering.wg.wg_vectorize.loop_vectors import SHORT, vectorizes_alone
from polycl.remarks import emit_remark

_LONGEST = 64
"""Iterations of a loop that LLVM may still unroll as a whole."""


@dataclass(frozen=True)
class WgKeepLoopsPass(ModulePass):
    """Tell LLVM not to unroll loops whose trip count is data of each work-item.

    ```
    %end = ocl.load %starts[%next]                 %end = ocl.load %starts[%next]
    scf.for %k = %start to %end step %c1 {    ->   scf.for %k = %start to %end step %c1 {
      ...                                            ...
    }                                              } {ocl.unroll = -1 : i32}
    ```

    A loop that is unrolled eight times is two: one for every eight iterations, and one for those
    that are left. Where the processor cannot predict where they end, it fails twice for each
    work-item instead of once: rows of a sparse matrix, segments, neighbours in a graph take up to
    1.3 times as long. Trip counts that are computed from ids are predicted, but for those at a
    border. Where such a loop gathers, LLVM makes no vectors of it either (-2). Where it compares
    neighbours, as one that counts words or runs, it makes them one at a time (-7): by default four
    vectors are an iteration, and what is left, half of 64 elements, runs one by one.

    LLVM unrolls loops of few iterations before it makes vectors of what is left. A sum of integers
    over a row of 16 to 64 elements, as the differences of two blocks of bytes, which one work-item
    computes, is not unrolled at all (-3): its iterations are the vector then. It begins at 0, and
    what was there before is added afterwards: the sum of a vector alone is one or two instructions
    for bytes, and the next row need not wait for it.
    """

    name = "wg-keep-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in operations_of(op, wg.FuncOp):
            free = [
                loop
                for region in operations_of(function, wg.ParallelOp)
                for loop in operations_of(region, scf.ForOp)
                if UNROLL not in loop.attributes
            ]
            for loop in free:
                if _is_short_sum(loop):
                    _sum_from_zero(loop)
                    loop.attributes[UNROLL] = IntegerAttr(-3, i32)
                    emit_remark(loop, self.name, "not unrolled: its iterations are a vector")
            loops = [loop for loop in free if _ends_by_data(loop)]
            facts = Uniformity(function) if loops else None
            for loop in loops:
                if facts is not None and _ends_by_data(loop, facts):
                    hint = -2 if _gathers(loop) else -7 if _compares_neighbours(loop) else -1
                    loop.attributes[UNROLL] = IntegerAttr(hint, i32)
                    emit_remark(loop, self.name, "not unrolled: each work-item ends it elsewhere")


def _is_short_sum(loop: scf.ForOp) -> bool:
    """Whether LLVM makes vectors of a loop that it would unroll: of sums of integers only."""
    count = trip_count(loop)
    return (
        count is not None
        and SHORT <= count <= _LONGEST
        and len(loop.results) > 0
        and all(isinstance(result.type, IntegerType) for result in loop.results)
        and not any(map(_does_more, loop.body.block.ops))
        and vectorizes_alone(loop, LoopStrides(loop))
    )


def _sum_from_zero(loop: scf.ForOp) -> None:
    """Begin the sums of a loop at 0, and add what they began with after it."""
    yields = terminator(loop.body.block)
    for argument, yielded, result in zip(
        loop.body.block.args[1:], yields.operands, loop.results, strict=True
    ):
        add, start = yielded.owner, loop.operands[argument.index + 2]
        if (
            not isinstance(add, arith.AddiOp)
            or not argument.has_one_use()
            or argument not in add.operands
            or not yielded.has_one_use()
            or constant_value(start) == 0
        ):
            continue
        loop.operands[argument.index + 2] = Build(loop).constant(0, start.type)
        whole = Build.after(result).add(result, start)
        result.replace_uses_with_if(whole, lambda use: use.operation is not whole.owner)


def _does_more(op: Operation) -> bool:
    """Whether an operation does more than to read or compute."""
    return not (isinstance(op, ocl.LoadOp | scf.YieldOp) or is_side_effect_free(op))


def _ends_by_data(loop: scf.ForOp, facts: Uniformity | None = None) -> bool:
    """Whether the trip count is computed from what each work-item reads at a place of its own; or,
    without `facts`, from what it reads."""
    pending: list[SSAValue] = [loop.lb, loop.ub, loop.step]
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen or (facts is not None and facts.is_uniform(value)):
            continue
        seen.add(value)
        if isinstance(value.owner, ocl.LoadOp):
            return True
        if isinstance(value.owner, Operation):
            pending += value.owner.operands
    return False


def _gathers(loop: scf.ForOp) -> bool:
    """Whether iterations access memory in no order: vectors of them would cost more than they save,
    and split the loop again."""
    strides = LoopStrides(loop)
    accesses = operations_of(loop, ocl.LoadOp, ocl.StoreOp)
    return any(_address(access, strides).x is VARYING for access in accesses)


def _compares_neighbours(loop: scf.ForOp) -> bool:
    """Whether a loop carries integers that depend on nothing before the last iteration. LLVM makes
    vectors of those, but none of what they leave over."""
    return any(
        isinstance(argument.type, IntegerType)
        and argument.first_use is not None
        and not is_hoistable(yielded, loop)
        and not _depends(yielded, argument, loop)
        for argument, yielded in zip(
            loop.body.block.args[1:], terminator(loop.body.block).operands, strict=True
        )
    )


def _depends(value: SSAValue, on: SSAValue, loop: scf.ForOp) -> bool:
    """Whether an iteration of a loop computes `value` from `on`, or may do so."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value is on:
            return True
        owner = value.owner
        if value not in seen and isinstance(owner, Operation) and loop.is_ancestor(owner):
            pending += [operand for op in owner.walk() for operand in op.operands]
        seen.add(value)
    return False


def _address(access: ocl.LoadOp | ocl.StoreOp, strides: LoopStrides) -> Lanes:
    base = strides.of(access.pointer)
    return base if access.index is None else base + strides.of(access.index)
