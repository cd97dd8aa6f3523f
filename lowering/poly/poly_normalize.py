"""`poly-normalize`: loop normalization, so that loops of work-items count from 0 in steps of 1."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.clamps import bits_of
from polycl.dialects import poly, wg
from polycl.lowering.build import Build

SAFE_BITS = 62
"""The difference of two numbers of at most this many bits fits 64."""


@dataclass(frozen=True)
class PolyNormalizePass(ModulePass):
    """Let every loop of a work-item count its iterations.

    ```
    scf.for %i = %left to %end step %c1 { ... }
    ```

    becomes

    ```
    %n = arith.subi %end, %left : index
    scf.for %k = %c0 to %n step %c1 {
      %i = arith.addi %left, %k : index
      ...
    }
    ```

    Then work-items with different lower bounds do the same in the same iteration: if their trip
    counts are equal, the loop is uniform, and their accesses in an iteration are consecutive. Loops
    whose step is not constant are not changed.
    """

    name = "poly-normalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for region in [r for r in op.walk() if isinstance(r, wg.ParallelOp | poly.KernelOp)]:
            normalize(region.body)


def normalize(body: Region) -> None:
    """Normalizes the loops in the program of a work-item."""
    for loop in [op for op in body.walk() if isinstance(op, scf.ForOp)]:
        step = constant_value(loop.step)
        is_normal = step == 1 and constant_value(loop.lb) == 0
        if step is not None and step > 0 and not is_normal and loop.lb.type == IndexType():
            _normalize(loop, step)


def _normalize(loop: scf.ForOp, step: int) -> None:
    before = Build(loop)
    end = loop.ub
    if max(bits_of(loop.lb), bits_of(loop.ub)) > SAFE_BITS:
        # The difference could wrap for a loop without iterations whose end is far below its start.
        end = before.max(loop.ub, loop.lb, signed=True)
    trips = before.sub(end, loop.lb)
    if step > 1:
        trips = before.add(trips, before.index(step - 1))
        trips = before.emit(arith.DivSIOp(trips, before.index(step)))
    inside = Build(loop, InsertPoint.at_start(loop.body.block))
    counter = loop.body.block.args[0]
    number: SSAValue = counter
    if step > 1:
        number = inside.mul(counter, inside.index(step))
    first = number.owner if step > 1 else None
    old = inside.add(loop.lb, number)
    old.name_hint, counter.name_hint = counter.name_hint, "k"
    own = {old.owner, first}
    counter.replace_uses_with_if(old, lambda use: use.operation not in own)
    loop.operands[0], loop.operands[1] = before.index(0), trips
    loop.operands[2] = before.index(1)
