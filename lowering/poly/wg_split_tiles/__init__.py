"""`wg-split-tiles`: index-set splitting of regions into interior tiles and border tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Facts, Uniformity, constant_index
from polycl.dialects import vec, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.wg.attributes import LANES
from polycl.lowering.wg.two_versions import is_too_large
from polycl.lowering.wg.wg_vectorize.accesses import (
    Access,
    access_stride,
    accessed_type,
    accesses_in,
)
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import Verdict, vectors_pay
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, natural_width
from polycl.remarks import emit_remark

LEAST_WIDTH = 4
"""The least vector width for which splitting pays."""

_PIECEWISE = vec.both(
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.SelectOp,
    arith.RemSIOp,
    arith.RemUIOp,
    scf.IfOp,
)
"""Operations that make an address piecewise linear."""

_LINEAR = vec.both(
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.ShLIOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
)
"""Linear operations of addresses."""


@dataclass(frozen=True)
class WgSplitTilesPass(ModulePass):
    """Split regions with piecewise linear addresses: input space splitting [split16] in one pass.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
      %l = arith.maxsi %left, %c0            // a neighbour, or the border itself
      %v = ocl.load %in[%l]
    ```

    becomes

    ```
    scf.if %inside {                         // no tile of the group touches a border
      wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) { %v = ocl.load %in[%left] ... }
    } else {
      wg.parallel (%x, %y, %z) in (%n, ...) { ... }     // the tiles that do not
      scf.for ... { wg.parallel ... }                   // as it was, for those that do
    }
    ```

    The pass runs `poly-normalize`, `poly-extract`, `poly-split`, `poly-materialize` and
    `poly-lower-codelet` for one region, if that pays: if an access that is not consecutive in all
    tiles is consecutive in the interior. Guards and divergent loop bounds alone are not a reason:
    `wg-split-guards` and `wg-rebase-loops` handle these. Regions of more than 400 operations are
    not split.
    """

    name = "wg-split-tiles"

    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = [r for r in operations_of(function.body, wg.ParallelOp) if self._may_split(r)]
            if regions:
                facts, shared = Uniformity(function, small_buffers=self.small_buffers), Facts()
                for region in regions:
                    self._split(region, function, facts, shared)

    def _may_split(self, region: wg.ParallelOp) -> bool:
        # One with lanes is a part of a region that was split.
        if region.step is not None or region.res or LANES in region.attributes:
            return False
        return not is_too_large(region, self.name)

    def _split(
        self, region: wg.ParallelOp, function: wg.FuncOp, facts: Uniformity, shared: Facts
    ) -> None:
        sizes = [constant_index(size) for size in region.sizes]
        dimension = best_dimension(region, facts, sizes)
        if dimension is None:
            return
        size = sizes[dimension]
        assert size is not None
        jumping = list(_jumping(region, facts, dimension))
        width = natural_width(region, facts, dimension, size) if jumping else 0
        if width < LEAST_WIDTH:
            return
        strides: dict[Operation, int] = {op: size_of(accessed_type(op)) for op in jumping}
        cycles = cycles_of(self.processor)
        verdict = vectors_pay(region.body.block, facts, dimension, width, strides, cycles=cycles)
        if verdict is not Verdict.PAYS:
            emit_remark(region, self.name, f"not split: {verdict.value}")
            return
        # isl takes a tenth of a second to load, so only kernels that need it load it.
        from polycl.lowering.poly.wg_split_tiles.region import split_region

        emit_remark(region, self.name, split_region(region, function, shared, dimension, width))


def _jumping(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> Iterator[Access]:
    """The accesses that are not consecutive because of piecewise linear addresses."""
    for op in accesses_in(region.body):
        if op.index is not None:
            stride = access_stride(facts, op, dimension)
            is_regular = stride in (0, size_of(accessed_type(op)))
            if not is_regular and _is_piecewise(op.index, region, facts, dimension):
                yield op


def _is_piecewise(
    value: SSAValue, region: wg.ParallelOp, facts: Uniformity, dimension: int
) -> bool:
    """Whether the part of an index that differs between neighbours is piecewise linear."""
    todo, seen = [value], {value}
    jumps = False
    while todo:
        op = todo.pop().owner
        # An id, a loop counter, or a uniform value.
        if not isinstance(op, Operation) or not region.is_ancestor(op):
            continue
        operands = list(op.operands)
        if isinstance(op, scf.IfOp) and op.false_region.blocks:
            operands += [v for r in op.regions for v in terminator(r.block).operands]
        elif not isinstance(op, _LINEAR + _PIECEWISE):
            return False
        jumps = jumps or isinstance(op, _PIECEWISE)
        for operand in operands:
            is_number = isinstance(operand.type, IndexType | IntegerType) and operand.type != i1
            if is_number and operand not in seen and facts.lanes(operand).strides[dimension] != 0:
                seen.add(operand)
                todo.append(operand)
    return jumps
