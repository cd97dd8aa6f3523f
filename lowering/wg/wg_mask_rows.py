"""`wg-mask-rows`: short rows are one vector under a mask."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import UNROLL
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_vectorize.loop_vectors import vectorizes_alone
from polycl.remarks import emit_remark

SHORT = 16
"""Iterations that one vector of 512 bits has for elements of 32 bits. With more, a vector and the
rest one by one is faster than two vectors under masks (measured with Zen 4: 17)."""


@dataclass(frozen=True)
class WgMaskRowsPass(ModulePass):
    """Copy a region with a loop over a row, of which LLVM makes vectors, for short rows.

    ```
                                              %count = arith.subi %end, %start
                                              %is_short = arith.cmpi ule, %count, %c16
                                              scf.if %is_short {
                                                wg.parallel (%x, %y, %z) in ... {
                                                  scf.for %j = ... {
                                                    ...
                                                  } {ocl.unroll = -5 : i32}
                                                }
                                              } else {
    wg.parallel (%x, %y, %z) in ... {           wg.parallel (%x, %y, %z) in ... {
      scf.for %j = %start to %end step %c1 {      scf.for %j = ... {
        ... out[%row + %j] ...              ->      ...
      }                                           }
    }                                           }
                                              }
    ```

    LLVM runs the last iterations of a loop, which do not fill a vector, one by one: rows of ten
    classes have no others. As a vector under a mask they take half of the time; longer rows would
    take up to 1.4 times as long. The number of iterations is one that the group knows; with both
    loops in one region, fewer registers would be left for what is constant in them. Nothing changes
    without `masks`: the processor stores slowly under them (AVX2).
    """

    name = "wg-mask-rows"

    masks: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.masks:
            return
        for region in operations_of(op, wg.ParallelOp):
            rows = [loop for loop in operations_of(region, scf.ForOp) if _is_row(loop, region)]
            if region.step is None and rows and not is_too_large(region, self.name):
                emit_remark(rows[0], self.name, "short rows are one vector under a mask")
                _copy_for_short(region, rows[0])


def _is_row(loop: scf.ForOp, region: wg.ParallelOp) -> bool:
    """Whether LLVM makes vectors of the iterations, whose number only the group knows."""
    return (
        UNROLL not in loop.attributes
        and trip_count(loop) is None
        and constant_index(loop.step) == 1
        and all(is_hoistable(bound, region) for bound in _widest(loop, region))
        and vectorizes_alone(loop, LoopStrides(loop))
    )


def _widest(loop: scf.ForOp, region: wg.ParallelOp) -> tuple[SSAValue, SSAValue]:
    """Bounds that the group knows, where there are any, of a loop that may run for a part of what
    is between them: `wg-shorten-loops` begins and ends it where a work-item passes a guard."""

    def outer(bound: SSAValue, clip: type[arith.MaxSIOp | arith.MinSIOp]) -> SSAValue:
        while isinstance(bound.owner, clip) and not is_hoistable(bound, region):
            bound = bound.owner.lhs
        return bound

    return outer(loop.lb, arith.MaxSIOp), outer(loop.ub, arith.MinSIOp)


def _copy_for_short(region: wg.ParallelOp, row: scf.ForOp) -> None:
    """All rows between the bounds of `row` are masked in the copy."""
    build = Build(region)
    known: dict[SSAValue, SSAValue] = {}
    start, end = (hoisted(bound, region, known, build.point) for bound in _widest(row, region))
    count = build.sub(end, start)
    copy = two_versions(region, build.compare("ule", count, build.index(SHORT)))
    for loop, masked in zip(
        operations_of(region, scf.ForOp), operations_of(copy, scf.ForOp), strict=True
    ):
        if (loop.lb, loop.ub) == (row.lb, row.ub) and _is_row(loop, region):
            masked.attributes[UNROLL] = IntegerAttr(-5, i32)
