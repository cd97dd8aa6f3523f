"""How many tiles are worth jamming: a model of one core, in cycles for each tile.

The costs are those of a core with two vector units and two loads in a cycle (measured for Zen 4
and 5; others differ in the numbers, not in the order of the choices). A body is bounded by what
its operations take, and by the chain of those that wait for each other: the latter is shared by
the tiles that are in flight together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from xdsl.dialects import arith, math, scf, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.intervals import ANY, interval
from polycl.analysis.ocl.lane_stride import UNKNOWN, VARYING
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.sliding import ends_of, is_fused, slides
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.trip_count import trip_count
from polycl.dialects import ocl, vec, wg
from polycl.dialects.inside import Kinds, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.wg.merged_items.item_dependence import VECTOR, Axes, Dependence
from polycl.lowering.wg.merged_items.unrolled import is_unrolled
from polycl.lowering.wg.wg_jam.in_place import reads_tile_before
from polycl.lowering.wg.wg_jam.spills import Step, moves_to_stack


@dataclass(frozen=True)
class Registers:
    """The vector registers of a processor."""

    count: int
    bits: int
    spill: float
    """To write one to the stack, or to read it, beside other work (measured with AVX2: a sorting
    network, an FFT, two kinds of pricing)."""

    first_gain: float
    """Several tiles must cost less than this share of what one does: a body with less to share has
    more moves between registers than it saves (with AVX-512 mri-q loses 5 % with two tiles; with
    AVX2 a transpose takes 2.2 times as long, a flux of cells 1.8). A body that waits for memory
    has time for them: see `CostModel.gain_of_first`."""

    stream: float
    """Bytes of global memory for each cycle, above which memory bounds a region without loops, or
    with such as are unrolled and store (a copy of eight parts takes two thirds of the time), and
    tiles that load together and store together disturb its streams (measured with Zen 4: stencils
    of 9 bytes and more take up to 1.6 times as long with four tiles, filters and pricing of less
    are faster; no such case is known with AVX2)."""

    far: float
    """For each access that goes on by a page or more in a loop, as columns of a matrix do: a
    processor prefetches nothing, but vectors side by side wait together (measured with Zen 4:
    systems of linear equations, one for each work-item and interleaved, 1.3, 2.4 and 4.3 times as
    fast with two, four and eight vectors; with AVX2, columns of a product and of a stencil became
    1.4 to 1.7 times slower by more vectors)."""

    @property
    def free(self) -> int:
        """Constants have some."""
        return self.count - FOR_CONSTANTS

    def free_in(self, body: Block, own: int) -> int:
        """In a loop whose constants are known, and which has `own` values of a tile at once: where
        these are few, LLVM computes one tile after the other, and needs no more (measured with
        Zen 4: convolutions, of which a tile has two, take 0.89 to 0.95 of the time with all
        registers but one, n-body, of which it has five, 1.04)."""
        return self.count - min(FOR_CONSTANTS, max(1, own - 1 + len(_constants(body))))

    def of(self, value: SSAValue) -> int:
        """How many hold a value of a tile."""
        bits = getattr(element_of(value.type), "bitwidth", 64)
        # A mask lies in a register of its own kind.
        return 0 if bits == 1 else max(1, count_of(value.type) * bits // self.bits)


FOR_CONSTANTS = 3
"""Registers: other constants are read again, as operands in memory."""

AVX512 = Registers(32, 512, 0.6, 0.9, 8.0, 4.0)
AVX2 = Registers(16, 256, 0.3, 0.85, inf, 0.0)

GAIN = 0.95
"""More tiles must cost less than this share of what fewer do."""

UNROLLED = 16
"""Iterations of a loop that LLVM unrolls."""

LOOP_WEIGHT = 16
"""How often a loop's body is taken to run."""

WINDOW = 96
"""Operations that a core looks ahead: it starts a tile before the one before it is done."""

MOST_OPERATIONS = 2500
"""In a jammed body: what is longer takes too long to compile."""

OVERLAP = 0.25
"""The share of the smaller of work and waiting that the other does not hide."""

IN_TURNS = 0.68
"""LLVM orders operations anew where registers are short, so that tiles take turns in part only: of
the moves to the stack that a second tile adds, this share remains with very many tiles (measured:
0.34 with two, 0.51 with four)."""

LOOP_SPILL = 1.0
"""To write a register to the stack and to read it again in each iteration of a loop (measured: a
matrix product with 16 registers)."""

WAYS = 8
"""The lines of a set of the first-level cache."""

CROWDED = 1.5
"""For each load of more rows than that. Rows a power of two apart are in one set, where loads take
six cycles longer (measured with Zen 4: in groups of 16 x 16, convolutions of 5 x 5 and 9 x 9 take
1.7 to 1.9 times as long with 16 rows as with 8); one width in four is taken to be one."""

CROWDED_LANE = 1.0
"""For each lane of a gather that goes on along rows, one row a lane, where there are more rows than
two sets have lines: they are fetched anew in each iteration (measured with Zen 4: a product with a
transposed matrix of 512 or 1024 columns takes 2.4 to 3 times as long with four vectors of 16 rows
as with one, 2 to 4 cycles a lane; one of 520 columns 0.95 of it; one width in four is taken to be
a power of two)."""

PAGE = 4096
"""Bytes."""

MOST_DIVERGENT = 4
"""Tiles in a loop that goes on while any lane is on: those that are done wait for the others."""

LATENCY = 4.0
QUICK = 1.0
"""Of logic, choices and sums of integers."""
_LATE: dict[type[Operation], float] = {arith.DivfOp: 13.0, math.SqrtOp: 20.0}
_AT_ONCE = Kinds(
    arith.AddiOp,
    arith.AndIOp,
    arith.CmpiOp,
    arith.MaxSIOp,
    arith.MaxUIOp,
    arith.MinSIOp,
    arith.MinUIOp,
    arith.OrIOp,
    arith.SelectOp,
    arith.ShLIOp,
    arith.ShRSIOp,
    arith.ShRUIOp,
    arith.SubiOp,
    arith.XOrIOp,
    vec.SelectOp,
)
_SLOW: dict[type[Operation], float] = {
    arith.DivfOp: 5,
    math.SqrtOp: 8,
    wg.GatherOp: 16,
    wg.ScatterOp: 24,
}
_FREE = Kinds(vector.BroadcastOp, arith.ConstantOp, scf.YieldOp, scf.ConditionOp, wg.YieldOp)


@dataclass(frozen=True)
class _Costed:
    """An operation: along which axes it differs, how often it runs, what it takes."""

    axes: Axes
    weight: int
    cycles: float
    is_stream: bool
    """Whether each row reads memory of its own in a loop."""
    is_shared: bool
    """Whether all rows read the same memory in a loop."""
    is_far: bool
    """Whether each iteration of a loop is in another page."""
    rows_of_lanes: int
    """How many rows it goes on along in a loop, each lane along its own; 0 for other operations."""
    slides: bool
    """Whether it is for the next row what it will be in the next iteration: `wg-carry-loads`."""

    def copies(self, rows: int, vectors: int) -> float:
        """How many times it is there in each iteration."""
        if self.slides:
            return copies(self.axes, 1, vectors) * (1 + (rows - 1) / LOOP_WEIGHT)
        return copies(self.axes, rows, vectors)


def copies(axes: Axes, rows: int, vectors: int) -> int:
    """How many times something is there that differs along `axes`."""
    return (rows if axes.row else 1) * (vectors if axes.vector else 1)


class CostModel:
    """The cost of one region, for any number of rows and vectors.

    Two units of 512 bits are four of 256: what an operation takes does not depend on the registers.
    """

    def __init__(
        self,
        region: wg.ParallelOp,
        dependence: Dependence,
        registers: Registers,
        row: SSAValue | None = None,
        at_once: int | None = None,
    ):
        """`at_once` is how many tiles may be in flight alone, if the next one waits for what they
        write, other than of its own row."""
        self._dependence = dependence
        self._row = row
        """The number of a row."""
        self._sliding: set[SSAValue] = set()
        """Vectors that are for the next row what they will be in the next iteration."""
        self._registers = registers
        self._operations: list[_Costed] = []
        self._bytes_moved = 0
        """Of global memory, by all lanes of a tile."""
        self._chains: list[tuple[int, float, int]] = []
        """Of each loop: how often its body runs, the cycles of its longest chain, its length."""
        self._loops: list[tuple[Block, int, int, int]] = []
        """Bodies, how often they run, the values that one tile has at once on its way through
        them (those that take several registers are computed part by part), and the registers for
        them and for what they keep."""
        arrays = operations_of(region.body, ocl.AllocaOp)
        self._arrays = sum(_array_registers(op, registers) for op in arrays)
        """The registers of a tile's private arrays, once LLVM has unrolled the loops over them."""
        self._measure(region.body.block, 1)
        self._moves = (0.0, 0.0) if self._loops else _moves_to_stack(region.body.block, registers)
        """In a region without loops: the moves of registers to and from the stack for one tile
        alone, and how many more there are if it takes turns with another one."""
        self.count = len(self._operations)
        self._kept: dict[Block, tuple[Sequence[tuple[Axes, int]], bool]] = {}
        """What `_keeps` has found."""
        # Fewer rows fit the registers of AVX2. Scalars, as in rows of a matrix product, stay in a
        # line for many iterations.
        many = registers.count >= AVX512.count
        rows_of_vectors = any(op.is_stream and op.axes.vector for op in self._operations)
        shared = any(op.is_shared for op in self._operations)
        self._shared_streams = int(many and rows_of_vectors and shared)
        waits = not self._loops and reads_tile_before(region.body.block)
        self._at_once = 1 if waits else inf if at_once is None else at_once
        """How many tiles may be in flight alone: the next one waits for what they write."""
        loops = operations_of(region.body, scf.ForOp, scf.WhileOp)
        # Memory does not bound tiles that wait for each other.
        streams = not waits and all(map(_is_unrolled_copy, loops))
        self._is_stream = streams and self._bytes_moved > registers.stream * self.cycles(1, 1)
        self._has_scatters = bool(operations_of(region.body, wg.ScatterOp))
        loads = operations_of(region.body, wg.LoadOp)
        self._has_masked_loads = not self._loops and any(load.mask for load in loads)
        self.is_divergent = any(
            isinstance(condition_of(op).condition.owner, wg.AnyLaneOp)
            for op in operations_of(region.body, scf.WhileOp)
        )
        """Whether a loop runs while any lane of any tile is on."""

    def gain_of_first(self) -> float:
        """Several tiles must cost less than this share of what one does.

        Where each iteration is in another page, several rows are in flight, too (measured with
        Zen 4: a stencil along the columns of a volume, of which a tile has one vector, takes half
        the time with four rows, of which the model expects 0.92).
        """
        waits = self._registers.far > 0 and any(op.is_far for op in self._operations)
        return GAIN if waits else self._registers.first_gain

    def cycles(self, rows: int, vectors: int) -> float:
        """For one tile."""
        tiles = rows * vectors
        work = sum(op.weight * op.cycles * op.copies(rows, vectors) for op in self._operations)
        if rows + self._shared_streams > WAYS:
            streams = (op for op in self._operations if op.is_stream)
            work += CROWDED * sum(op.weight * copies(op.axes, rows, vectors) for op in streams)
        for op in self._operations:
            lanes = op.rows_of_lanes * copies(op.axes, rows, vectors)
            if lanes > 2 * WAYS:
                work += CROWDED_LANE * op.weight * lanes
        far = (op for op in self._operations if op.is_far)
        work += self._registers.far * sum(op.weight * copies(op.axes, rows, 1) for op in far)
        alone, beside = self._moves
        work += self._registers.spill * tiles * (alone + IN_TURNS * (1 - 1 / tiles) * beside)
        work += LOOP_SPILL * sum(
            weight * max(0, self._kept_registers(body, rows, vectors) + own - free)
            for body, weight, own, free in self._loops
        )
        waiting = 0.0
        for weight, chain, length in self._chains:
            in_flight = max(tiles, min(WINDOW / length, self._at_once))
            waiting += weight * chain / (tiles if weight > 1 else in_flight)
        work /= tiles
        return max(work, waiting) + OVERLAP * min(work, waiting)

    def fits(self, rows: int, vectors: int) -> bool:
        """Whether the body is not too long, and what loops carry stays in registers.

        Where there are few registers, it need not: `cycles` has what that costs. But then a scatter
        is a branch for each lane, and what all other tiles keep goes to the stack meanwhile; and a
        load under a mask is no operand of what uses it: LLVM loads those of all tiles first.
        """
        if self.count * rows * vectors > MOST_OPERATIONS:
            return False
        if self._is_stream and rows * vectors > 1:
            return False
        if self.is_divergent and rows * vectors > MOST_DIVERGENT:
            return False
        few = self._registers.count < AVX512.count
        if few and rows * vectors > 1 and (self._has_scatters or self._has_masked_loads):
            return False
        if self._arrays * rows * vectors > self._registers.count:
            return False
        return self._registers.count < AVX512.count or all(
            self._kept_registers(body, rows, vectors) + own <= free
            for body, _, own, free in self._loops
        )

    def _measure(
        self,
        block: Block,
        weight: int,
        loops: Sequence[LoopStrides] = (),
        is_whole: bool = True,
    ) -> None:
        """`is_whole` is whether the loops around the block are unrolled, if there are any."""
        length = 0
        for op in operations_in(block):
            length += not _FREE[type(op)]
        self._chains.append((weight, self._chain(block), max(1, length)))
        self._measure_operations(block, weight, loops, is_whole)

    def _measure_operations(
        self, block: Block, weight: int, loops: Sequence[LoopStrides], is_whole: bool
    ) -> None:
        """`loops` is what is known of the loops with a counter around the block."""
        for op in block.ops:
            for region in op.regions:
                for inner in region.blocks:
                    if isinstance(op, scf.ForOp | scf.WhileOp):
                        often = weight * LOOP_WEIGHT
                        at_once = _most_at_once(inner)
                        free = self._registers.free
                        if not _is_crossed(op):
                            free = self._registers.free_in(inner, at_once)
                        self._loops.append((inner, often, at_once, free))
                        own = (LoopStrides(op),) if isinstance(op, scf.ForOp) else ()
                        if isinstance(op, scf.ForOp) and self._row is not None:
                            self._sliding |= slides(op, self._row, self._differs)
                        whole = is_whole and isinstance(op, scf.ForOp) and is_unrolled(op, 1)
                        self._measure(inner, often, (*loops, *own), whole)
                    else:
                        # A branch's chain is a part of the body's around it.
                        self._measure_operations(inner, weight, loops, is_whole)
            if isinstance(op, _Access):
                self._bytes_moved += weight * _bytes_of_global(op)
            if not op.regions and not _FREE[type(op)]:
                axes = self._dependence.of_operation(op)
                reads = weight > 1 and _reads_global(op)
                slides_on = any(result in self._sliding for result in op.results)
                goes_on = axes.row and not slides_on
                is_stream, is_shared = reads and goes_on, reads and not goes_on
                # Where an outer loop stays near, lines that it has read before are in the cache.
                # The accesses of a loop that is unrolled wait together anyway.
                waits = axes.vector and bool(loops) and not is_whole
                is_far = waits and all(_is_far(op, loop) for loop in loops)
                rows_of_lanes = _rows_of_lanes(op, loops[-1]) if loops else 0
                self._operations.append(
                    _Costed(
                        axes,
                        weight,
                        0.0 if is_whole and loops and _is_hoisted(op, axes) else _cycles(op),
                        is_stream,
                        is_shared,
                        is_far,
                        rows_of_lanes,
                        slides_on,
                    )
                )

    def _chain(self, block: Block) -> float:
        """The cycles of the longest chain of vector operations from start to end of a block."""
        if isinstance(block.parent_op(), scf.ForOp | scf.WhileOp):
            return self._carried_chain(block)
        depth: dict[SSAValue, float] = {}
        longest = 0.0
        for op in operations_in(block):
            before = max((depth.get(operand, 0.0) for operand in op.operands), default=0.0)
            is_vector = any(isinstance(result.type, VectorType) for result in op.results)
            takes = _latency(op) if is_vector else 0.0
            for result in op.results:
                depth[result] = before + takes
            longest = max(longest, before + takes)
        return longest

    def _carried_chain(self, block: Block) -> float:
        """The longest chain from what a loop carries to what it carries on."""
        depth: dict[SSAValue, float] = {
            arg: 0.0 for arg in block.args if isinstance(arg.type, VectorType)
        }
        for op in operations_in(block):
            reached = [depth[operand] for operand in op.operands if operand in depth]
            if not reached:
                continue
            branch = op.parent_op()
            if isinstance(op, scf.YieldOp) and isinstance(branch, scf.IfOp):
                for result, operand in zip(branch.results, op.operands, strict=True):
                    depth[result] = max(depth.get(result, 0.0), depth.get(operand, 0.0))
            takes = _latency(op)
            # A product that is added at once is one fused operation.
            if is_fused(op):
                takes = 0.0
            for result in op.results:
                depth[result] = max(reached) + takes
        assert block.last_op is not None
        return max((depth.get(value, 0.0) for value in block.last_op.operands), default=0.0)

    def _kept_registers(self, body: Block, rows: int, vectors: int) -> int:
        """The vector registers that a loop's body keeps from one iteration to the next."""
        if body not in self._kept:
            self._kept[body] = self._keeps(body)
        kept, shared_by_rows = self._kept[body]
        total = sum(copies(axes, rows, vectors) * registers for axes, registers in kept)
        sliding = sum(map(self._registers.of, self._carried(body)))
        return total + (vectors if shared_by_rows else 0) + (rows - 1) * vectors * sliding

    def _differs(self, value: SSAValue) -> bool:
        """Whether a value differs between rows."""
        return self._dependence.of(value).row

    def _carried(self, body: Block) -> list[SSAValue]:
        """The sliding vectors of a body that all rows but the last keep for the next iteration."""
        return ends_of({v for v in self._sliding if v.owner.parent is body})

    def _keeps(self, body: Block) -> tuple[Sequence[tuple[Axes, int]], bool]:
        """The axes and the registers of what a body keeps, and whether rows share its loads."""
        values = {value for value in kept_values(body) if isinstance(value.type, VectorType)}
        kept = [
            (self._dependence.of(value), self._registers.of(value))
            for value in values
            if not isinstance(value.owner, vector.BroadcastOp)
        ]
        shared_by_rows = any(
            isinstance(op, ocl.LoadOp | wg.LoadOp) and self._dependence.of_operation(op) == VECTOR
            for op in body.ops
        )
        return kept, shared_by_rows


def _moves_to_stack(body: Block, registers: Registers) -> tuple[float, float]:
    """For one tile: the moves if it is alone, and those that are added if two take turns."""
    one, two = (_moves_in_turns(body, tiles, registers) / tiles for tiles in (1, 2))
    return one, max(0.0, two - one)


def _moves_in_turns(body: Block, tiles: int, registers: Registers) -> int:
    """The registers that are written to the stack and read again where tiles take turns, operation
    by operation."""
    sizes: dict[object, int] = {}
    steps: list[Step] = []
    for op in operations_in(body):
        if isinstance(op, arith.ConstantOp | vector.BroadcastOp):
            continue
        reads = [v for v in op.operands if isinstance(v.type, VectorType)]
        results = () if is_fused(op) else op.results
        makes = [v for v in results if isinstance(v.type, VectorType)]
        for tile in range(tiles):
            steps.append(Step([(v, tile) for v in reads], [(v, tile) for v in makes]))
            sizes |= {(v, tile): registers.of(v) for v in makes}
    return moves_to_stack(steps, sizes, registers.free)


def _is_hoisted(op: Operation, axes: Axes) -> bool:
    """Whether LLVM takes an operation that all tiles share out of the loop over tiles."""
    return not (axes.row or axes.vector) and op.name.startswith(("arith.", "math.", "vec."))


def _reads_global(op: Operation) -> bool:
    if not isinstance(op, ocl.LoadOp | ocl.VLoadOp | wg.LoadOp):
        return False
    return _is_global(op.pointer)


def _is_far(op: Operation, loop: LoopStrides) -> bool:
    """Whether neighbours access a row of global memory, the next iteration one of another page."""
    if not isinstance(op, wg.LoadOp | wg.StoreOp) or not _is_global(op.pointer):
        return False
    base, step = loop.of(op.pointer).x, loop.of(op.index).x
    if isinstance(base, int) and isinstance(step, int):
        return abs(base + step * size_of(ocl.pointee_of(op.pointer))) >= PAGE
    return UNKNOWN in (base, step) and VARYING not in (base, step)


def _rows_of_lanes(op: Operation, loop: LoopStrides) -> int:
    """The lanes of a gather from global memory that stay in their lines in the next iteration."""
    if not isinstance(op, wg.GatherOp) or not _is_global(op.pointer):
        return 0
    indices = op.indices
    # Unsigned numbers are extended last: costs take it that they do not wrap.
    while isinstance(indices.owner, vec.IndexCastOp | vec.ExtUIOp):
        indices = indices.owner.operands[0]
    base, step = loop.of(op.pointer).x, loop.of(indices).x
    if base != 0 or not isinstance(step, int):
        return 0
    return count_of(op.indices.type) if 0 < abs(step * wg.stride_in_bytes(op)) < LINE else 0


_Access = ocl.LoadOp | wg.LoadOp | ocl.StoreOp | wg.StoreOp


def _bytes_of_global(op: _Access) -> int:
    """What an access reads or writes for all lanes."""
    value = op.result if isinstance(op, ocl.LoadOp | wg.LoadOp) else op.value
    is_vector = isinstance(value.type, VectorType)
    return _bytes_of(value) if is_vector and _is_global(op.pointer) else 0


def _is_unrolled_copy(loop: Operation) -> bool:
    """Whether LLVM unrolls a loop, so that what it stores goes on in as many streams."""
    count = trip_count(loop) if isinstance(loop, scf.ForOp) else None
    stores = operations_of(loop, ocl.StoreOp, wg.StoreOp)
    return count is not None and count <= UNROLLED and any(map(_bytes_of_global, stores))


def _is_global(pointer: SSAValue) -> bool:
    return ocl.space_of(pointer) in (ocl.AddressSpace.GLOBAL, ocl.AddressSpace.CONSTANT)


def _array_registers(op: ocl.AllocaOp, all_registers: Registers) -> int:
    """The registers of a private array: 0 where it is memory, as no register has a number that is
    computed, or as it does not fit."""
    elements = _elements(op.result)
    if not elements:
        return 0
    # Each element has a register of its own, even if all lanes of it do not fill one.
    element = min(elements, key=_bytes_of)
    count = stride_of(ocl.pointee_of(op.result)) // _bytes_of(element)
    registers = count * all_registers.of(element)
    return registers if registers <= all_registers.free else 0


def _elements(pointer: SSAValue) -> list[SSAValue] | None:
    """What is read and written through a pointer; None unless the numbers of all elements are known
    after loops are unrolled."""
    found: list[SSAValue] = []
    for use in pointer.uses:
        match use.operation:
            case ocl.CastOp() as op:
                inside = _elements(op.result)
            case ocl.OffsetOp() as op:
                inside = None if interval(op.index) == ANY else _elements(op.result)
            case wg.LoadOp() as op:
                inside = None if interval(op.index) == ANY else [op.result]
            case wg.StoreOp() as op:
                inside = None if interval(op.index) == ANY else [op.value]
            case _:
                inside = None
        if inside is None:
            return None
        found += inside
    return found


def _bytes_of(value: SSAValue) -> int:
    return count_of(value.type) * size_of(element_of(value.type))


def kept_values(body: Block) -> Iterable[SSAValue]:
    """What a loop carries, and what its body uses from outside."""
    yield from body.args
    for op in operations_in(body):
        for operand in op.operands:
            if not body.is_ancestor(operand.owner):
                yield operand


def _constants(body: Block) -> set[object]:
    """The vectors that a loop's body uses and that are one number in all lanes, from before it."""
    found: set[object] = set()
    for op in operations_in(body):
        for operand in op.operands:
            if not isinstance(operand.type, VectorType):
                continue
            match operand.owner:
                case arith.ConstantOp() as constant:
                    found.add(constant.value)
                case vector.BroadcastOp() as one if not body.is_ancestor(one.source.owner):
                    found.add(one.source)
                case _:
                    pass
    return found


def _is_crossed(loop: Operation) -> bool:
    """Whether vectors from before a loop are used after it: more registers, or moves to the stack
    (measured with Zen 4: convolutions of 256 columns, of which half of the groups select sums at a
    border after each inner loop, take 1.05 to 1.13 times as long with all registers but one)."""
    around: Operation | None = loop
    while around is not None:
        after = around.next_op
        while after is not None:
            for op in operations_in(after):
                if any(_is_made_before(around, operand) for operand in op.operands):
                    return True
            after = after.next_op
        around = around.parent_op()
        if not isinstance(around, scf.IfOp):
            return False
    return False


def _is_made_before(op: Operation, value: SSAValue) -> bool:
    owner = value.owner
    if not isinstance(value.type, VectorType) or isinstance(
        owner, arith.ConstantOp | vector.BroadcastOp
    ):
        return False
    if isinstance(owner, Operation) and owner.parent is op.parent:
        return owner.is_before_in_block(op)
    block = owner if isinstance(owner, Block) else owner.parent
    return block is not None and block.is_ancestor(op)


def _most_at_once(body: Block) -> int:
    """The largest number of registers of 512 bits that hold what operations of the body have made.

    For one tile: where registers are short, LLVM schedules the tiles one after the other.
    """
    last: dict[SSAValue, Operation] = {}
    ops = [op for op in operations_in(body) if not isinstance(op, arith.ConstantOp)]
    for op in ops:
        for operand in op.operands:
            last[operand] = op
    ends: dict[Operation, list[SSAValue]] = {}
    for value, op in last.items():
        ends.setdefault(op, []).append(value)
    made: set[SSAValue] = set()
    held = most = 0
    for op in ops:
        for value in ends.get(op, ()):
            if value in made:
                held -= AVX512.of(value)
        for result in () if is_fused(op) else op.results:
            if isinstance(result.type, VectorType) and result in last:
                made.add(result)
                held += AVX512.of(result)
        most = max(most, held)
    return most


def _latency(op: Operation) -> float:
    if _FREE[type(op)]:
        return 0.0
    return QUICK if _AT_ONCE[type(op)] else _LATE.get(type(op), LATENCY)


def _cycles(op: Operation) -> float:
    if type(op) in _SLOW:
        return _SLOW[type(op)]
    if is_fused(op):
        return 0.0
    operands_and_results = (*op.operands, *op.results)
    widths = [AVX512.of(v) for v in operands_and_results if isinstance(v.type, VectorType)]
    if widths:
        return 0.5 * max(1, *widths)
    return 0.5 if isinstance(op, ocl.LoadOp | ocl.StoreOp) else 0.25
