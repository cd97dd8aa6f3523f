"""`wg-unroll-twos`: loops of one or two iterations, as work-items differ, are branches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.intervals import bounds
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copied
from polycl.remarks import emit_remark

MOST_ITERATIONS = 2

MOST_OPERATIONS = 200
"""Of all copies of a loop's body."""


@dataclass(frozen=True)
class WgUnrollTwosPass(ModulePass):
    """Make branches of a loop whose bound differs between work-items, and is known to be small.

    ```
    %odd = arith.andi %x, %c1                    %odd = arith.andi %x, %c1
    %n = arith.addi %odd, %c1                    %n = arith.addi %odd, %c1
    %s = scf.for %k = %c0 to %n step %c1         %v = ocl.load %p[%c0]
        iter_args(%t = %t0) {                    %t1 = arith.addf %t0, %v
      %v = ocl.load %p[%k]                 ->    %more = arith.cmpi slt, %c1, %n
      %u = arith.addf %t, %v                     %s = scf.if %more {
      scf.yield %u                                 %w = ocl.load %p[%c1]
    }                                              %t2 = arith.addf %t1, %w
                                                   scf.yield %t2
                                                 } else { scf.yield %t1 }
    ```

    The interpolation of multigrid, between one or two points along each dimension, is such a loop.
    As a vector it would go on until its last lane ends, with a mask that it computes anew. Where
    all work-items have one bound, LLVM unrolls the loop.
    """

    name = "wg-unroll-twos"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            loops = [loop for loop in operations_of(function.body, scf.ForOp) if _counters(loop)]
            facts = Uniformity(function) if loops else None
            # The innermost first: the others copy what became of them.
            for loop in reversed(loops):
                assert facts is not None
                if not facts.is_uniform(loop.ub) and _is_small(loop):
                    emit_remark(loop, self.name, "two iterations at most: branches")
                    _unroll(loop)


def _counters(loop: scf.ForOp) -> range:
    """The counter in all iterations that any work-item may have; none if that is not known, or if
    there are too many."""
    first, step, bound = (constant_value(value) for value in (loop.lb, loop.step, loop.ub))
    if first is None or not step or step < 0 or bound is not None:
        return range(0)
    _, most = bounds(loop.ub)
    return range(first, int(most), step) if most <= first + step * MOST_ITERATIONS else range(0)


def _is_small(loop: scf.ForOp) -> bool:
    inside = operations_in(loop)
    has_memory = any(isinstance(op, ocl.AllocaOp) for op in inside)
    return not has_memory and MOST_ITERATIONS * len(inside) <= MOST_OPERATIONS


def _unroll(loop: scf.ForOp) -> None:
    least, _ = bounds(loop.ub)
    build, body = Build(loop), loop.body.block
    values: Sequence[SSAValue] = loop.iter_args
    for number in _counters(loop):
        counter = build.constant(number, loop.lb.type)
        if number < least:
            values = copied(body, [counter, *values], build.point)
            continue
        runs, before = build.compare("slt", counter, loop.ub), values
        args = [counter, *before]
        values = build.choose(runs, lambda: copied(body, args, build.point), lambda: before)
    Rewriter.replace_op(loop, [], values)
