"""`wg-unroll-rows`: what short loops access beside each other is in one block."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.ocl.share_values import share_values
from polycl.lowering.ocl.simplify_loops import unroll
from polycl.lowering.wg.before_vectors import ROW_BYTES
from polycl.lowering.wg.wg_vectorize.accesses import Access, access_stride, accessed_type
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes
from polycl.remarks import emit_remark

MOST_COPIES = 8
"""Of the body of the innermost loop."""

MOST_OPERATIONS = 400
"""Of all copies of a loop's body."""


@dataclass(frozen=True)
class WgUnrollRowsPass(ModulePass):
    """Unroll short loops along a row of each work-item's own.

    ```
    scf.for %k = %c0 to %c2 step %c1 {           %v = ocl.load %a[2 * %x]
      %v = ocl.load %a[2 * %x + %k]         ->   ocl.store %v, %t[2 * %x]
      ocl.store %v, %t[2 * %x + %k]              %w = ocl.load %a[2 * %x + 1]
    }                                            ocl.store %w, %t[2 * %x + 1]
    ```

    LLVM would unroll them, but after `wg-vectorize`, which loads whole rows and shuffles them where
    it sees all elements together, and other passes look for neighbours in one block. Loops inside
    of such a loop are unrolled, too. Loops that read where data say stay: `wg-vectorize` measures
    these.
    """

    name = "wg-unroll-rows"

    small_buffers: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            facts = None
            for region in operations_of(function.body, wg.ParallelOp):
                loops = [] if region.step is not None else _short_loops(region)
                if not loops:
                    continue
                facts = facts or Uniformity(function, small_buffers=self.small_buffers)
                dimension = best_dimension(region, facts, largest_sizes(region))
                if dimension is None:
                    continue
                along = [loop for loop in loops if _is_along_rows(loop, facts, dimension)]
                outermost = [
                    loop
                    for loop in along
                    if not any(outer is not loop and outer.is_ancestor(loop) for outer in along)
                ]
                for loop in outermost:
                    emit_remark(loop, self.name, "a short row: unrolled")
                    _unroll(loop)
                if outermost:
                    facts = None
                    # Neighbours are known by what they have in common.
                    share_values(region.body.block)


def _short_loops(region: wg.ParallelOp) -> list[scf.ForOp]:
    """Loops of few iterations that have none but such inside."""
    found: list[scf.ForOp] = []
    for loop in operations_of(region.body, scf.ForOp):
        copies = prod(_iterations(inner) for inner in operations_of(loop, scf.ForOp, scf.WhileOp))
        if 0 < copies <= MOST_COPIES and copies * len(operations_in(loop)) <= MOST_OPERATIONS:
            found.append(loop)
    return found


def _iterations(loop: scf.ForOp | scf.WhileOp) -> int:
    """The number of iterations between constants; 0 if it is not known."""
    if isinstance(loop, scf.WhileOp) or constant_value(loop.lb) is None:
        return 0
    return trip_count(loop) or 0


def _is_along_rows(loop: scf.ForOp, facts: Uniformity, dimension: int) -> bool:
    """Whether it goes on by one element in a row of each work-item's own, which is too short for
    `wg-read-rows`, and nowhere by data."""
    along = LoopStrides(loop)
    accesses = operations_of(loop.body, ocl.LoadOp, ocl.StoreOp)
    return not any(along.of(at).x is VARYING for op in accesses for at in _address(op)) and any(
        access_stride(along, op, 0) == (size := size_of(accessed_type(op)))
        and size * _iterations(loop) < ROW_BYTES
        and access_stride(facts, op, dimension) not in (0, size)
        for op in accesses
    )


def _address(op: Access) -> list[SSAValue]:
    return [op.pointer] if op.index is None else [op.pointer, op.index]


def _unroll(loop: scf.ForOp) -> None:
    first, step = constant_value(loop.lb), constant_value(loop.step)
    assert first is not None and step is not None
    for inner in operations_of(loop.body, scf.ForOp):
        if inner.parent is loop.body.block:
            _unroll(inner)
    unroll(loop, range(first, first + _iterations(loop) * step, step))
