"""`wg-fold-columns`: a work-item of a transpose does several columns, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.addresses import address_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.wg.attributes import LANES
from polycl.lowering.build import Build
from polycl.lowering.wg.before_vectors import ROW_BYTES, Access, is_far
from polycl.lowering.wg.wg_vectorize.accesses import access_stride, accessed_type
from polycl.remarks import emit_remark

LEAST_LANES = 8
"""Work-items along the other dimension, of which vectors are made."""


@dataclass(frozen=True)
class WgFoldColumnsPass(ModulePass):
    """Let a region that transposes run for a few columns in each of its work-items.

    ```
    wg.parallel (%x, %y, %z) in (%c16, %c16, %c1) {
      %v = ocl.load %in[%y * %w + %x]
      ocl.store %v, %out[%x * %h + %y]
    }
    ```

    becomes

    ```
    wg.parallel (%x, %y, %z) in (%c4, %c16, %c1) {
      scf.for %k = %c0 to %c4 step %c1 {
        %column = 4 * %x + %k
        ... %column in the place of %x ...
      }
    }
    ```

    What is consecutive along x is a row of each work-item's own then, which `wg-read-rows` loads by
    16 bytes, and what is consecutive along y is a vector. Otherwise one of both would be accessed
    element by element. If the stores are consecutive along x, it is several rows.

    Work-items are independent, so that they may follow one another in any order. All accesses are
    of one of both kinds, or the same for all work-items; there are no loops, and no branches; what
    is written is not read. With `distinct`, buffers of different parameters do not overlap: the
    launch checks it, and nothing is folded without it.
    """

    name = "wg-fold-columns"

    distinct: bool = False
    small_buffers: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.distinct:
            return
        for function in functions_of(op, wg.FuncOp):
            facts = None
            for region in operations_of(function.body, wg.ParallelOp):
                if not _is_straight(region):
                    continue
                facts = facts or Uniformity(function, small_buffers=self.small_buffers)
                found = _columns(region, facts)
                if found is not None:
                    dimension, count = found
                    kind = "rows" if dimension else "columns"
                    emit_remark(region, self.name, f"{count} {kind} in each work-item")
                    _fold(region, dimension, count)
                    facts = None


def _is_straight(region: wg.ParallelOp) -> bool:
    """Whether a region only reads one set of buffers and writes another one, without branches."""
    if region.step is not None or region.res or LANES in region.attributes:
        return False
    ops = list(region.body.block.ops)[:-1]
    loads = [op for op in ops if isinstance(op, ocl.LoadOp)]
    stores = [op for op in ops if isinstance(op, ocl.StoreOp)]
    if not loads or not stores:
        return False
    if any(not isinstance(op, Access) and not is_side_effect_free(op) or op.regions for op in ops):
        return False
    return {address_of(op)[0] for op in loads}.isdisjoint(address_of(op)[0] for op in stores)


def _columns(region: wg.ParallelOp, facts: Uniformity) -> tuple[int, int] | None:
    """The dimension of which a work-item does several, and how many; None if it does not pay.

    Whole vectors are better written than read: it is the other one than that of the stores.
    """
    along = transposes(operations_of(region.body, ocl.LoadOp, ocl.StoreOp), facts)
    if along is None:
        return None
    folded = 1 if any(isinstance(op, ocl.StoreOp) for op in along[0]) else 0
    if any(isinstance(op, ocl.StoreOp) for op in along[folded]):
        return None
    size, other = (constant_index(region.sizes[dimension]) for dimension in (folded, 1 - folded))
    count = ROW_BYTES // max(size_of(accessed_type(op)) for op in along[folded])
    if size is None or size % count or other is None or other < LEAST_LANES or count < 2:
        return None
    return folded, count


def transposes(
    accesses: Sequence[Access], facts: Uniformity
) -> tuple[list[Access], list[Access]] | None:
    """The accesses in a row along x, and those along y, if there are both and no others."""
    along: tuple[list[Access], list[Access]] = [], []
    for op in accesses:
        strides = [access_stride(facts, op, dimension) for dimension in (0, 1)]
        if strides == [0, 0]:
            continue
        size = size_of(accessed_type(op))
        kinds = [d for d in (0, 1) if strides[d] == size and is_far(op, facts, 1 - d)]
        if not kinds:
            return None
        along[kinds[0]].append(op)
    return along if all(along) else None


def _fold(region: wg.ParallelOp, dimension: int, count: int) -> None:
    size = constant_index(region.sizes[dimension])
    assert size is not None
    region.operands[dimension] = Build(region).index(size // count)
    *ops, _ = region.body.block.ops
    build = Build(region, InsertPoint.at_start(region.body.block))
    body = Block(arg_types=[IndexType()])
    id, (number,) = region.local_ids[dimension], body.args
    first = build.mul(id, build.index(count))
    build.emit_void(scf.ForOp(build.index(0), build.index(count), build.index(1), [], Region(body)))
    for op in ops:
        op.detach()
        body.add_op(op)
    moved = Build(region, InsertPoint.at_start(body)).add(first, number)
    moved.name_hint = id.name_hint
    id.replace_uses_with_if(moved, lambda use: use.operation is not first.owner)
    Build(region, body).emit_void(scf.YieldOp())
