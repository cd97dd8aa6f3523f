"""`wg-vectorize`: a parallel region runs for several neighbouring work-items at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i32,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import UNROLL
from polycl.dialects.wg.attributes import LANES, RARE
from polycl.lowering.build import Build
from polycl.lowering.ocl.uncalled_functions import erase_uncalled
from polycl.lowering.wg.building import run_from
from polycl.lowering.wg.wg_vectorize.both_forms import (
    if_any,
    measured,
    round_alike,
    why_measured,
    why_part_measured,
)
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, Cycles, cycles_of
from polycl.lowering.wg.wg_vectorize.lane_values import NotVectorizable, Scalar
from polycl.lowering.wg.wg_vectorize.masked_control import emit_ops
from polycl.lowering.wg.wg_vectorize.owned_elements import orders_memory
from polycl.lowering.wg.wg_vectorize.profit import (
    SCATTERED_GAIN,
    Verdict,
    is_dense,
    tile_costs,
    verdict_of,
)
from polycl.lowering.wg.wg_vectorize.refill import LANES_AT_ONCE, Refill
from polycl.lowering.wg.wg_vectorize.row_values import values_as_rows
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter
from polycl.lowering.wg.wg_vectorize.vector_functions import VectorFunctions
from polycl.remarks import emit_remark

SMALL = 40
"""Operations of a body that is there several times, for the last work-items."""


@dataclass(frozen=True)
class WgVectorizePass(ModulePass):
    """Run each parallel region for `width` work-items at once, along dimension `dim`.

    Values that are the same for neighbouring work-items stay scalars, the others become vectors
    with one element for each work-item. With `width=16`:

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
      %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
      %w = arith.mulf %v, %s : f32
    ```

    becomes

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) step (16, 1, 1) {
      %s16 = vector.broadcast %s : f32 to vector<16xf32>
      %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<16xf32>
      %w = arith.mulf %v, %s16 : vector<16xf32>
    ```

    Neighbours in a tile with a border (`i / 18 * width + i % 18`) are in runs: each of them is one
    access under a mask, in place of a gather (`runs.py`).

    A vector of OpenCL C is one vector for each of its elements, or one with all elements of all
    work-items in the order of memory, whichever takes fewer shuffles (`row_values.py`).

    Where the work-items disagree about a branch or a loop, masks select the active ones: nothing
    is read or written for one that is masked off. What no vector can do (atomics, printf,
    structs) is done lane after lane. Work-items that do not fill a tile get a region of their own:
    the narrowest vectors that hold them, under a mask if these have more lanes. Without `width`, a
    vector has 512 bits of the widest type that the work-items read or write, or of the one in
    which most is computed, and there are none where they do not pay (`profit.py`), unless `always`
    asks for them; without `dim`, it is the dimension with the cheapest accesses to memory.

    `small_buffers` states that no buffer reaches 2^32 bytes: a 32-bit index does not wrap from one
    lane to the next, then, as none of them would name an element. With `distinct`, buffers
    of different parameters do not overlap: neighbouring elements are read at once though others are
    written in between. Without `masks`, the processor stores slowly under masks: a lane that is off
    writes its element as it is where the work-item has read it before, which means that no other
    one writes it; what a guard of ids contains is there twice, for tiles in which all lanes pass
    it, too, unless most groups run another version of the region (`wg.rare`); and where LLVM could
    make vectors of neighbours as well, there are none unless they are much faster. With `tables`,
    elements of small arrays of constants are looked up in registers.

    Costs are those of `processor`: LLVM's name for it, or a file (`cycles.py`).

    With `both`, a region for which no estimate says whether vectors pay, as data decide or the
    estimates are near each other, stays beside them, and the program measures which of the two
    forms is faster (`both_forms.py`):

    ```
    %first = wg.choose 0
    scf.if %first {
      wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) step (16, 1, 1) { ... }
    } else {
      wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) { ... }
    }
    wg.chosen %first
    ```

    Of a loop that work-items leave after different numbers of iterations, there may be a third
    form, whose lanes take the next work-items when they have left it (`refill.py`).

    All compute the same bits: what options of the program permit of float arithmetic is taken back
    there, but for products that `fuse` makes one operation with sums.

    Where a region has the attribute `wg.lanes`, that decides: `array<i64: 1, 8, 1>` is a width of 8
    along y, `array<i64: 1, 1, 1>` leaves it as it is. Both forms are there where data end a loop.

    Atomic operations of lanes on memory that only this thread sees are one operation (`wg.update`);
    those on one element, whose order nobody sees, are done once for all lanes.

    Context arrays are memory already: `wg-lower-contexts` runs before. A region that cannot be
    vectorised stays as it is; a remark gives the reason. So does one with a loop that waits for a
    lock, say: the lane that has it would wait for the others.
    """

    name = "wg-vectorize"

    width: int | None = None
    dim: int | None = None
    small_buffers: bool = False
    distinct: bool = False
    masks: bool = True
    tables: bool = True
    always: bool = False
    both: bool = False
    fuse: bool = True
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.dim not in (None, 0, 1, 2):
            raise PassFailedException(f"{self.name}: dim must be 0, 1 or 2, got {self.dim}")
        if self.width is not None and self.width not in (2, 4, 8, 16, 32, 64):
            raise PassFailedException(
                f"{self.name}: width must be a power of two from 2 to 64, got {self.width}"
            )
        cycles = cycles_of(self.processor)
        functions = VectorFunctions(
            op, small_buffers=self.small_buffers, masks=self.masks, distinct=self.distinct
        )
        for function in functions_of(op, wg.FuncOp):
            facts = Uniformity(function, small_buffers=self.small_buffers)
            for region in operations_of(function.body, wg.ParallelOp):
                if region.step is None:
                    is_part = LANES in region.attributes
                    told = self._told(region)
                    told._vectorize(region, facts, functions, cycles, is_part=is_part)
        erase_uncalled(op)

    def _told(self, region: wg.ParallelOp) -> WgVectorizePass:
        """The options for a region: those that its attribute specifies, if it has one."""
        lanes = region.attributes.pop(LANES, None)
        if lanes is None:
            return self
        assert isinstance(lanes, DenseArrayBase)
        counts = [int(count) for count in lanes.get_values()]
        width = max(counts)
        return replace(self, width=width, dim=counts.index(width))

    def _vectorize(
        self,
        region: wg.ParallelOp,
        facts: Uniformity,
        functions: VectorFunctions,
        cycles: Cycles,
        *,
        is_part: bool,
    ) -> None:
        if self.width == 1:
            emit_remark(region, self.name, "not vectorised, as its attribute says")
            return
        sizes = largest_sizes(region)
        dimension = self.dim if self.dim is not None else best_dimension(region, facts, sizes)
        size = None if dimension is None else sizes[dimension]
        is_told = self.dim is not None and self.width is not None
        has_several = is_told if size is None else size > 1
        if dimension is None or not has_several:
            emit_remark(region, self.name, "not vectorised: no dimension has several work-items")
            return
        width = self.width or natural_width(region, facts, dimension, size or 1, self.tables)
        reason, pays = None, True
        if is_part and self.both:
            reason = why_part_measured(region, facts, dimension)
        elif self.width is None:
            body = region.body.block
            estimate = partial(
                tile_costs,
                body,
                facts,
                dimension,
                width,
                cycles=cycles,
                masks=self.masks,
                tables=self.tables,
            )
            costs = estimate()
            emit_remark(
                region,
                self.name,
                f"estimated cycles of {width} work-items: {costs.vector:.0f} as vectors, "
                f"{costs.scalar:.0f} one by one",
            )
            dense = is_dense(body, facts, dimension, width)
            verdict = verdict_of(costs, body, 1 if dense else SCATTERED_GAIN)
            pays = verdict is Verdict.PAYS or self.always
            if self.both and not self.always and verdict is not Verdict.TOO_LARGE:
                reason = why_measured(region, facts, dimension, costs, estimate)
            if not pays and reason is None:
                emit_remark(region, self.name, f"not vectorised: {verdict.value}")
                if verdict is Verdict.COSTS_MORE and not dense:
                    _keep_scalar(region)
                return
        if reason is not None:
            round_alike(region, self.fuse)
        try:
            tiles = _tiles(region, facts, dimension, width, functions)
        except NotVectorizable as error:
            emit_remark(error.op, self.name, f"not vectorised: {error.reason}")
            return
        emit_remark(
            region, self.name, f"vectorised along {'xyz'[dimension]} for {width} work-items"
        )
        full = next(op for op in tiles.ops if isinstance(op, wg.ParallelOp))
        results: Sequence[SSAValue] = full.res
        if reason is not None:
            plain = region.clone()
            if not pays:
                _keep_scalar(plain)
            if self.masks and (other := _refilled(region, dimension, facts, functions)):
                # Where vectors are estimated to lose, the third form is tried before them: launches
                # may end before all three are measured.
                tiles = measured(region, tiles, [], other, vectors_first=pays, within=True)
                emit_remark(region, self.name, "so are lanes that take the next work-items")
            tiles = measured(region, tiles, full.res, [plain], vectors_first=pays)
            results = next(op.results for op in tiles.ops if isinstance(op, scf.IfOp))
            if is_part:
                tiles = if_any(region, dimension, tiles)
            emit_remark(
                region, self.name, f"vectors and one by one, measured while it runs: {reason}"
            )
        Rewriter.inline_block(tiles, InsertPoint.before(region))
        Rewriter.replace_op(region, [], results)


def _refilled(
    region: wg.ParallelOp, dimension: int, facts: Uniformity, functions: VectorFunctions
) -> Sequence[Operation]:
    """The vectors of a region whose lanes take the next work-items, with what they need before
    them; nothing, where they would not gain."""
    form = Refill.of(region, facts, dimension)
    if form is None:
        return []
    new_facts = Uniformity(form.function, small_buffers=facts.small_buffers)
    try:
        tile = _tile(form.region, new_facts, 0, LANES_AT_ONCE, functions, form.region.sizes[0])
    except NotVectorizable:
        form.erase()
        return []
    Rewriter.replace_op(form.region, [tile], [])
    return form.detached(tile)


def _keep_scalar(region: wg.ParallelOp) -> None:
    """Nor should LLVM make vectors, which takes gathers to be cheaper; it may unroll."""
    region.attributes[UNROLL] = IntegerAttr(-4, i32)


def _tiles(
    region: wg.ParallelOp,
    facts: Uniformity,
    dimension: int,
    width: int,
    functions: VectorFunctions,
) -> Block:
    """A block with the region for all full tiles, and that for the work-items of the last one."""
    size = constant_index(region.sizes[dimension])
    if size is None:
        return _tiles_of_any_size(region, facts, dimension, width, functions)
    rest = size % width
    full = size - rest
    new = Build(region, Block())
    if full:
        end = region.sizes[dimension] if rest == 0 else new.index(full)
        new.emit_void(_tile(region, facts, dimension, width, functions, end))
    if rest:
        start = new.index(full) if full else None
        while width // 2 >= rest:
            width //= 2
        end = new.index(width)
        if width == 1 and start is not None:
            new.emit_void(run_from(region.clone(), dimension, start, end))
        else:
            count = None if width == rest else rest
            new.emit_void(_tile(region, facts, dimension, width, functions, end, start, count))
    return new.block


def _tiles_of_any_size(
    region: wg.ParallelOp,
    facts: Uniformity,
    dimension: int,
    width: int,
    functions: VectorFunctions,
) -> Block:
    """The same for a size that the group computes; a part without work-items does not run."""
    if region.res:
        raise NotVectorizable(region, "results of a region whose size is not constant")
    size = region.sizes[dimension]
    new = Build(region, Block())
    if _is_multiple(size, width):
        new.emit_void(_tile(region, facts, dimension, width, functions, size))
        return new.block
    lanes = new.index(width)
    rest = new.emit(arith.RemUIOp(size, lanes))
    full = new.sub(size, rest)
    new.emit_void(_tile(region, facts, dimension, width, functions, full))
    if len(operations_in(region.body)) > SMALL:
        is_left = new.compare("ne", rest, new.index(0))
        last = _tile(region, facts, dimension, width, functions, lanes, full, rest)
        new.emit_void(scf.IfOp(is_left, [], [last, scf.YieldOp()]))
        return new.block
    # Half as wide, and so on: a vector that is read is a part of one that was written before,
    # which a processor passes on at once, as it does not where masks are.
    start = full
    while width > 1:
        width //= 2
        piece = new.index(width)
        has = new.and_(rest, piece)
        is_left = new.compare("ne", has, new.index(0))
        if width > 1:
            last = _tile(region, facts, dimension, width, functions, piece, start)
        else:
            last = run_from(region.clone(), dimension, start, piece)
        new.emit_void(scf.IfOp(is_left, [], [last, scf.YieldOp()]))
        start = new.add(start, has)
    return new.block


def _is_multiple(size: SSAValue, width: int) -> bool:
    """Whether a size is a multiple of `width`: a product with one, a sum or choice of several.

    A part of a group at a border is, if the group is.
    """
    number = constant_index(size)
    if number is not None:
        return number % width == 0
    match size.owner:
        case arith.MuliOp(operands=factors):
            return any(_is_multiple(x, width) for x in factors)
        case arith.AddiOp() | arith.SubiOp() | arith.MinSIOp() | arith.MaxSIOp() as op:
            return all(_is_multiple(x, width) for x in op.operands)
        case arith.SelectOp(lhs=yes, rhs=no):
            return _is_multiple(yes, width) and _is_multiple(no, width)
        case _:
            return False


def _tile(
    region: wg.ParallelOp,
    facts: Uniformity,
    dimension: int,
    width: int,
    functions: VectorFunctions,
    end: SSAValue,
    first: SSAValue | None = None,
    count: SSAValue | int | None = None,
) -> wg.ParallelOp:
    """The region for tiles of `width` work-items from number `first` on; `count` of them exist."""
    sizes = [end if d == dimension else size for d, size in enumerate(region.sizes)]
    steps = [width if d == dimension else 1 for d in range(3)]
    types = [result.type for result in region.res]
    new = wg.ParallelOp(sizes, results=types, step=steps)
    new.location = region.location
    new.attributes = dict(region.attributes)
    rows = values_as_rows(region.body.block, facts, dimension)
    e = Emitter(facts, dimension, width, new.body.block, functions, rows)
    e.source = region
    e.is_rare = new.attributes.pop(RARE, None) is not None
    e.may_write_back = not functions.masks and not orders_memory(region)
    for d, (old, id) in enumerate(zip(region.local_ids, new.local_ids, strict=True)):
        id.name_hint = old.name_hint
        scalar: SSAValue = id
        if d == dimension and first is not None:
            scalar = e.add(id, first)
        e.values[old] = Scalar(scalar, int(d == dimension))
    if isinstance(count, int):
        e.mask = e.per_lane([int(lane < count) for lane in range(width)], IntegerType(1))
    elif count is not None:
        numbers = e.lane_numbers(IndexType(), 1)
        e.mask = e.compare("ult", numbers, e.splat(count))
    emit_ops(e, region.body.block)
    e.source = region
    e.emit_void(wg.YieldOp([e.lane(value, 0) for value in region.yielded.values]))
    return new
