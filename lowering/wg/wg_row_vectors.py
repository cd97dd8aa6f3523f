"""`wg-row-vectors`: short loops along rows are vectors of one work-item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import address_of, are_apart, size_of_access
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.wg.before_vectors import Access
from polycl.lowering.wg.loop_rows import LoopRows, computed_in, is_row
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import tile_costs
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.remarks import emit_remark

_LANES = (16, 8, 4)
"""Elements of OpenCL C's vectors, the most first."""

MOST = 64
"""Iterations of a loop that LLVM may unroll as a whole."""


@dataclass(frozen=True)
class WgRowVectorsPass(ModulePass):
    """Compute short rows of a work-item as vectors, where work-items run one by one.

    ```
    scf.for %k = %c0 to %c8 step %c1 {             %q = ocl.vload %row : vector<8xi8>
      %q = ocl.load %row[%k] : i8                  %f = arith.uitofp %q : vector<8xf32>
      %f = arith.uitofp %q : f32            ->     %r = arith.mulf %scales, %f
      %r = arith.mulf %scale, %f                   ocl.vstore %r, %out
      ocl.store %r, %out[%k]
    }
    ```

    LLVM unrolls loops of up to 16 iterations, and computes one element after the other then. The
    number of iterations is a constant, and all accesses are to global or local memory, by one
    element in each iteration. No iteration reads what an earlier one writes; with `distinct`,
    buffers of different parameters do not overlap. What a tile costs decides: where
    `wg-vectorize` would make lanes of the work-items all the same, the loops stay as they are.
    """

    name = "wg-row-vectors"

    distinct: bool = False
    small_buffers: bool = False
    masks: bool = True
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                if region.step is None and self._rows(region):
                    self._edit_if_cheaper(region, function)

    def _rows(self, region: wg.ParallelOp) -> list[scf.ForOp]:
        loops = operations_of(region.body, scf.ForOp)
        return [loop for loop in loops if _is_short_row(loop, self.distinct)]

    def _edit_if_cheaper(self, region: wg.ParallelOp, function: wg.FuncOp) -> None:
        facts = Uniformity(function, small_buffers=self.small_buffers)
        dimension = best_dimension(region, facts, largest_sizes(region))
        if dimension is None:
            return
        before = self._costs(region, facts, dimension)
        trial = region.clone()
        Build(region).emit_void(trial)
        rows = self._rows(trial)
        for loop in rows:
            _make_vectors(loop)
        erase_unused(trial.body)
        facts = Uniformity(function, small_buffers=self.small_buffers)
        after = self._costs(trial, facts, dimension)
        if after[1] < min(*before, after[0]):
            for loop in self._rows(region):
                emit_remark(loop, self.name, "a short row: a vector")
            Rewriter.erase_op(region)
        else:
            Rewriter.erase_op(trial)

    def _costs(
        self, region: wg.ParallelOp, facts: Uniformity, dimension: int
    ) -> tuple[float, float]:
        """Of a work-item as a lane, and on its own."""
        size = largest_sizes(region)[dimension] or 1
        width = natural_width(region, facts, dimension, size)
        cycles = cycles_of(self.processor)
        costs = tile_costs(
            region.body.block, facts, dimension, width, cycles=cycles, masks=self.masks
        )
        return costs.vector / width, costs.scalar / width


def _lanes_of(loop: scf.ForOp) -> int | None:
    """The elements of vectors that make up the iterations of a short loop."""
    count = trip_count(loop)
    if count is None or not 0 < count <= MOST:
        return None
    return next((lanes for lanes in _LANES if count % lanes == 0), None)


def _is_short_row(loop: scf.ForOp, distinct: bool) -> bool:
    lanes = _lanes_of(loop)
    if lanes is None or loop.results or constant_value(loop.step) != 1:
        return False
    body = loop.body.block
    accesses = [op for op in body.ops if isinstance(op, Access)]
    stores = [op for op in accesses if isinstance(op, ocl.StoreOp)]
    return (
        bool(stores)
        and all(
            op in accesses or is_side_effect_free(op) and not op.regions
            for op in body.ops
            if op is not terminator(body)
        )
        and all(is_row(op, loop) and _is_shared(op) for op in accesses)
        and all(
            _keep_order(store, other, accesses, lanes, distinct)
            for store in stores
            for other in accesses
            if other is not store
        )
        and _elements(loop, stores) is not None
    )


def _is_shared(op: Access) -> bool:
    """Whether it accesses shared memory: elements of private memory may be in registers."""
    return ocl.space_of(op.pointer) != ocl.AddressSpace.PRIVATE


def _keep_order(
    store: ocl.StoreOp, other: Access, accesses: Sequence[Access], lanes: int, distinct: bool
) -> bool:
    """Whether an access and a store do the same where each does all iterations at once."""
    (root, place), (its_root, its_place) = address_of(store), address_of(other)
    if are_apart(root, its_root, distinct):
        return True
    distance = (its_place - place).constant if root is its_root else None
    if distance is None or size_of_access(store) != size_of_access(other):
        return False
    reads_first = isinstance(other, ocl.LoadOp) and accesses.index(other) < accesses.index(store)
    return (
        distance == 0
        or abs(distance) >= lanes * size_of_access(store)
        # What is read was not written yet by an iteration before.
        or (reads_first and distance > 0)
    )


def _elements(loop: scf.ForOp, stores: Sequence[ocl.StoreOp]) -> list[Operation] | None:
    """What computes the elements that are stored; None if it needs the counter, or has no form."""
    computed = computed_in([store.value for store in stores], loop)
    counter = loop.body.block.args[0]
    if computed is None or any(store.value is counter for store in stores):
        return None
    values = [value for op in computed for value in (*op.operands, *op.results)]
    return None if any(isinstance(value.type, IndexType) for value in values) else computed


def _make_vectors(loop: scf.ForOp) -> None:
    """Replace a loop by vectors: a loop over them, where there are several."""
    lanes = _lanes_of(loop)
    stores = operations_of(loop.body, ocl.StoreOp)
    computed = _elements(loop, stores)
    assert lanes is not None and computed is not None
    build, first = Build(loop), loop.lb
    if trip_count(loop) != lanes:
        block = Block(arg_types=[loop.lb.type])
        step = build.constant(lanes, loop.lb.type)
        build.emit_void(scf.ForOp(loop.lb, loop.ub, step, [], block))
        build, (first,) = Build(loop, block), block.args
    rows = LoopRows(loop, lanes, build, first)
    for op in loop.body.block.ops:
        if isinstance(op, ocl.LoadOp):
            rows.load(op)
        elif isinstance(op, ocl.StoreOp):
            rows.store(op)
        elif op in computed:
            rows.compute(op)
    if first is not loop.lb:
        build.emit_void(scf.YieldOp())
    Rewriter.erase_op(loop)
