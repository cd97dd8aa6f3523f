"""`wg-jam`: several rows and vectors of work-items share the body of a parallel region."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from math import prod

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.parents import parents
from polycl.lowering.wg.merged_items.item_dependence import dependence_of
from polycl.lowering.wg.merged_items.item_emitter import JamEmitter, Tiles
from polycl.lowering.wg.wg_jam.in_place import reads_row_before
from polycl.lowering.wg.wg_jam.jam_cost import AVX2, AVX512, GAIN, CostModel
from polycl.lowering.wg.wg_vectorize.both_forms import measured
from polycl.remarks import emit_remark

ROWS = (1, 2, 3, 4, 5, 6, 7, 8, 16)
VECTORS = (1, 2, 3, 4, 6, 8)
MOST_INTERLEAVED = 4
"""Vectors in flight without a loop: more of them do not fit the registers."""


@dataclass(frozen=True)
class WgJamPass(ModulePass):
    """Run `rows` x `vectors` tiles of a vectorised region at once, inside of its loops.

    What is the same for several tiles is done once for them. With `rows=2`, the load of `B` and
    the loop serve two rows of the result:

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) step (16, 1, 1) {
      %s = scf.for %k = ... iter_args(%s0 = %zero) -> (vector<16xf32>) {
        %a = ocl.load %A[%y, %k]  : f32
        %b = wg.load %B[%k, %x]   : vector<16xf32>
        %s1 = %s0 + %a * %b
    ```

    becomes

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) step (16, 2, 1) {
      %s, %t = scf.for %k = ... iter_args(%s0 = %zero, %t0 = %zero) -> (...) {
        %a = ocl.load %A[%y, %k]
        %a1 = ocl.load %A[%y + 1, %k]
        %b = wg.load %B[%k, %x]
        %s1 = %s0 + %a * %b
        %t1 = %t0 + %a1 * %b
    ```

    Vectors lie along the dimension of the region's step, rows along another one. A loop whose
    trip count differs between rows or vectors stays apart for each; one that runs while any lane
    is on goes on while any lane of any tile is; one that LLVM unrolls for a tile is unrolled for
    several (`ocl.unroll = -6`), though they are longer. Of tiles in a loop that runs while any lane
    is on, rows are chosen before vectors. Where the program measures whether vectors
    pay (`wg.choose`), and a loop has a branch or a loop that lanes leave, with a loop inside, it
    measures, too, whether several tiles share it, of which all wait for the last lane. Without the
    options a cost model chooses (`jam_cost.py`); only regions with loops are jammed then,
    `wg-interleave` is for the others. `avx512` is whether the processor has 32 vector registers of
    512 bits, or else 16 of 256.
    """

    name = "wg-jam"

    rows: int | None = None
    vectors: int | None = None
    avx512: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for option in (self.rows, self.vectors):
            if option is not None and option < 1:
                raise PassFailedException(f"{self.name}: sizes must be positive, got {option}")
        chosen_here = self.rows is None and self.vectors is None
        for region in operations_of(op, wg.ParallelOp):
            if not chosen_here:
                jam(region, self.rows or 1, self.vectors or 1, self.name)
            elif region.step is not None:
                choose_and_jam(region, self.name, loops=True, avx512=self.avx512)


def choose_and_jam(region: wg.ParallelOp, name: str, *, loops: bool, avx512: bool) -> None:
    """Jam a region as the cost model decides, if it has loops or has none, as asked."""
    if bool(operations_of(region.body, CallOp)):
        emit_remark(region, name, "not jammed: what the functions that it calls need is not known")
        return
    if loops != bool(operations_of(region.body, scf.ForOp, scf.WhileOp)):
        return
    if any(_counts(op) for op in operations_of(region.body, ocl.AtomicRMWOp)):
        # Their addresses come out of several vectors in turns, too late for the loads that follow:
        # a histogram of floats takes four to seven times as long (measured with Zen 4).
        emit_remark(region, name, "not jammed: work-items add to counters one after the other")
        return
    vector = vector_dimension(region)
    row = row_dimension(region, vector)
    number = None if row is None else region.local_ids[row]
    waits = not loops and number is not None and reads_row_before(region.body.block, number)
    sizes = [
        (rows, vectors)
        for rows in ROWS
        for vectors in VECTORS
        if _divides(region, row, rows) and _divides(region, vector, vectors)
        if loops or vectors <= MOST_INTERLEAVED
        if loops or rows <= (MOST_INTERLEAVED if waits else 1)
    ]
    if not set(sizes) - {(1, 1)}:
        return
    registers = AVX512 if avx512 else AVX2
    dependence = dependence_of(region, row, vector)
    tiles_before = _tiles(region, vector) if waits else None
    model = CostModel(region, dependence, registers, number, tiles_before)
    if model.is_divergent:
        # Neighbours end alike: the loop runs less often for a block of four rows than for a row
        # four times as long (measured with Zen 4: rays that march take 272 us in the former, 382
        # alone, 509 in the latter).
        sizes.sort(key=lambda size: (prod(size), size[1]))
    best, cycles = (1, 1), model.cycles(1, 1)
    alone = cycles
    for size in sizes:
        if model.fits(*size):
            gain = model.gain_of_first() if best == (1, 1) else GAIN
            if (jammed := model.cycles(*size)) < gain * cycles:
                best, cycles = size, jammed
    emit_remark(region, name, f"estimated cycles of a tile: {cycles:.0f}, alone {alone:.0f}")
    if best != (1, 1):
        apart = region.clone() if loops and _is_measured(region) and _may_wait(region) else None
        together = jam(region, *best, name)
        if apart is not None and together is not None:
            _measure(together, apart, name)


def _is_measured(region: wg.ParallelOp) -> bool:
    """Whether the program measures if vectors pay in a region."""
    branch = region.parent_op()
    return isinstance(branch, scf.IfOp) and isinstance(branch.cond.owner, wg.ChooseOp)


def _may_wait(region: wg.ParallelOp) -> bool:
    """Whether lanes that have left wait again and again for a loop of others: of several tiles,
    more do."""
    for loop in operations_of(region.body, scf.ForOp, scf.WhileOp):
        around = [loop, *takewhile(lambda parent: parent is not region, parents(loop))]
        ends = [n for n, op in enumerate(around) if n > 0 and _is_left(op)]
        if any(isinstance(op, scf.ForOp | scf.WhileOp) for n in ends for op in around[n:]):
            return True
    return False


def _is_left(op: Operation) -> bool:
    """Whether a branch or a loop runs while any lane is on."""
    match op:
        case scf.IfOp():
            return isinstance(op.cond.owner, wg.AnyLaneOp)
        case scf.WhileOp():
            return isinstance(condition_of(op).condition.owner, wg.AnyLaneOp)
        case _:
            return False


def _measure(together: wg.ParallelOp, apart: wg.ParallelOp, name: str) -> None:
    """Let the program measure whether several tiles share a body, or each has its own."""
    copy = together.clone()
    both = measured(together, Block([copy]), copy.res, [apart], vectors_first=True, within=True)
    branch = next(op for op in both.ops if isinstance(op, scf.IfOp))
    emit_remark(together, name, "measured while it runs: tiles wait for lanes of others")
    Rewriter.inline_block(both, InsertPoint.before(together))
    Rewriter.replace_op(together, [], branch.results)


def _counts(op: ocl.AtomicRMWOp) -> bool:
    """Whether an atomic operation is a load and a store in truth, as of `wg-local-atomics`."""
    return ocl.space_of(op.pointer) is ocl.AddressSpace.LOCAL


def vector_dimension(region: wg.ParallelOp) -> int:
    """The dimension with the largest step; x where none has one."""
    steps = region.steps
    return steps.index(max(steps))


def row_dimension(region: wg.ParallelOp, vector: int) -> int | None:
    """The first other dimension with several work-items."""
    for dimension in range(3):
        size = constant_index(region.sizes[dimension])
        if dimension != vector and size is not None and size > 1:
            return dimension
    return None


def _divides(region: wg.ParallelOp, dimension: int | None, count: int) -> bool:
    if count == 1:
        return True
    size = None if dimension is None else constant_index(region.sizes[dimension])
    if dimension is None or size is None:
        return False
    return size % (region.steps[dimension] * count) == 0


def _tiles(region: wg.ParallelOp, dimension: int) -> int:
    """How many tiles lie along a dimension; 1 if it is not known."""
    return max(1, (constant_index(region.sizes[dimension]) or 1) // region.steps[dimension])


def jam(region: wg.ParallelOp, rows: int, vectors: int, name: str) -> wg.ParallelOp | None:
    """Replace a region by one whose body is for `rows` x `vectors` of its tiles, which is returned,
    if they divide the group."""
    vector = vector_dimension(region)
    row = row_dimension(region, vector)
    if not _divides(region, row, rows) or not _divides(region, vector, vectors):
        emit_remark(
            region, name, f"not jammed: {rows} x {vectors} tiles do not divide the work-group"
        )
        return None
    if rows == vectors == 1:
        return None
    emit_remark(region, name, f"{rows} rows x {vectors} vectors share one body")
    return share_body(region, row, vector, rows, vectors)


def share_body(
    region: wg.ParallelOp, row: int | None, vector: int, rows: int, vectors: int
) -> wg.ParallelOp:
    """Replace a region by one whose body is for `rows` tiles along `row`, `vectors` along `vector`.

    The numbers divide those of the region's tiles along these dimensions.
    """
    steps = list(region.steps)
    steps[vector] *= vectors
    if row is not None:
        steps[row] *= rows
    new = wg.ParallelOp(region.sizes, results=[r.type for r in region.res], step=steps)
    new.location = region.location
    new.attributes = dict(region.attributes)
    tiles = Tiles(tuple(range(rows)), tuple(range(vectors)))
    emitter = JamEmitter(dependence_of(region, row, vector), new.body.block, tiles)
    for dimension, (old, id) in enumerate(zip(region.local_ids, new.local_ids, strict=True)):
        id.name_hint = old.name_hint
        for place in tiles.places(emitter.dependence.of(old)):
            number = place[0] if dimension == row else place[1]
            step = region.steps[dimension]
            moved = id
            if number > 0:
                moved = emitter.add(id, emitter.index(number * step))
            emitter.bind(old, place, moved)
    emitter.merge_block(region.body.block, tiles)
    yielded = [emitter.value(value, (0, 0)) for value in region.yielded.values]
    emitter.emit_void(wg.YieldOp(yielded))
    Rewriter.insert_op(new, InsertPoint.before(region))
    Rewriter.replace_op(region, [], new.res)
    return new
