"""Whether vectors pay: what a tile costs as vectors, and what it costs one work-item at a time.

In cycles of one core (`cycles.py`). Only the comparison matters, and only where accesses are
scattered over memory: a gather takes longer than the loads that it replaces, and lanes that are
masked off take as long as active ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import cast

from xdsl.dialects import arith, func, math, scf, vector
from xdsl.dialects.builtin import AnyFloat, IntegerType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.calls import called_functions, callee_of
from polycl.analysis.ocl.integers import wrapped
from polycl.analysis.ocl.lane_stride import ALL_VARYING, VARYING, Stride
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.speculation import INTEGER_DIVISIONS, is_shift_or_mask
from polycl.analysis.ocl.tables import WORD_LANES, in_planes, pairs_of, table_of
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import Kinds, operations_in
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.relaxed import is_relaxed
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.wg.wg_vectorize.chases import is_chase
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, Cycles, cycles_of
from polycl.lowering.wg.wg_vectorize.data_values import is_by_data, is_by_ids
from polycl.lowering.wg.wg_vectorize.lane_addresses import pointer_stride
from polycl.lowering.wg.wg_vectorize.near_lanes import is_near
from polycl.lowering.wg.wg_vectorize.repeated_rows import tile_index
from polycl.lowering.wg.wg_vectorize.vector_memory import (
    MOST_STEPS,
    Access,
    access_stride,
    accessed_type,
    gap_of,
    is_counter,
    is_gathered_as_row,
    runs_of_access,
)

LINE = 64
"""Bytes of a cache line."""

LOOP_WEIGHT = 8
"""How often a loop's body is taken to run, where it is not known."""

SHORT = 16
"""Iterations of a loop that LLVM unrolls: there are no vectors of them."""

SMALL = 8
"""The bytes of a lane up to which a gather reads all of them at once."""

LEAST_GATHERED = 4
"""The bytes of the smallest elements that processors gather; smaller ones are read one by one."""

NEAR_TESTS = 8
"""For each register, operations that test whether lanes read what is near, and load it."""

_DIVERGENT_LOOP = 1.5
"""How much longer a loop runs for the slowest lane than for the mean one."""

_BRANCH_TAKEN = 0.5

_RARELY_TAKEN = 0.5, 0.25
"""By some lane of a tile, and by one work-item, where a branch asks for equality."""

DIVISION_LINKS = 4
"""Operations on floats that wait for each other as long as an integer division takes."""

ARITHMETIC = ("arith.", "math.", "vec.")
"""The dialects of most operations, by name: `isinstance` is slow for xDSL's classes."""

_DIVISIONS = Kinds(*INTEGER_DIVISIONS)
_FLOAT_DIVISIONS = Kinds(arith.DivfOp, math.SqrtOp)
_ACCESSES = Kinds(ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp)

MOST_CHOSEN = 8
"""Operations of branches that LLVM computes both, to choose between the results."""

CHOICE = 5
"""Operations that a choice of vectors by one truth value becomes: a number for each element."""

LARGE = 3000
"""Operations of a body and of what it calls, above which it takes seconds to compile as vectors,
where each becomes three on the average."""

LARGE_GAIN = 1.5
"""A large body must be this many times as fast as vectors: the costs are estimates."""


_SUMS = (
    arith.AddiOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MuliOp,
    arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp,
)  # fmt: skip

_NEUTRAL = (arith.AddiOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MuliOp)
"""Those of which LLVM makes vectors where some iterations are left out."""

_MEMORY = Access | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp


class Verdict(Enum):
    """Whether vectors pay, or why they do not."""

    PAYS = "vectors pay"
    COSTS_MORE = "accesses all over memory cost more than vectors save"
    TOO_LARGE = "a body of this size takes too long to compile for what vectors save"


@dataclass
class Costs:
    """Cycles for a tile."""

    vector: float = 0
    scalar: float = 0

    def add(self, other: Costs, vector: float, scalar: float) -> None:
        self.vector += other.vector * vector
        self.scalar += other.scalar * scalar


@dataclass(frozen=True)
class _Tile:
    facts: Uniformity
    dimension: int
    lanes: int
    strides: Mapping[Operation, int]
    cycles: Cycles
    loop: LoopStrides | None = None
    """What is known of the innermost loop with a counter."""
    is_row: bool = False
    """Whether LLVM makes vectors of that loop where one work-item runs it."""
    masks: bool = True
    """Whether the processor has AVX-512."""
    tables: bool = True
    """Whether it looks elements of small tables up in registers."""
    is_masked: bool = False
    """Whether the operations are those of a branch that some lanes may not take."""
    skips: bool = False
    """Whether no work-item does what a branch on data has it do or leave."""
    calls: dict[func.FuncOp, Costs] = field(default_factory=dict[func.FuncOp, Costs])
    """What a call of each function costs."""

    def inside(self, op: Operation) -> _Tile:
        """The same for the operations in a loop or a branch."""
        match op:
            case scf.ForOp():
                loop = LoopStrides(op)
                return replace(self, loop=loop, is_row=vectorizes_alone(op, loop))
            case scf.IfOp() if self.stride_of(op.cond) != 0:
                return replace(self, is_masked=True)
            case _:
                return self

    def stride_of_access(self, op: Access) -> int | None:
        known = self.strides.get(op)
        return access_stride(self.facts, op, self.dimension) if known is None else known

    def is_uniform(self, value: SSAValue) -> bool:
        return self.stride_of(value) == 0

    def stride_of(self, value: SSAValue) -> Stride:
        return self.facts.lanes(value).strides[self.dimension]


def tile_costs(
    body: Block,
    facts: Uniformity,
    dimension: int,
    lanes: int,
    strides: Mapping[Operation, int] | None = None,
    *,
    cycles: Cycles | None = None,
    masks: bool = True,
    tables: bool = True,
    skips: bool = False,
) -> Costs:
    """What a tile of `lanes` work-items costs.

    `strides` are those, in bytes, of accesses of which more is known than `facts` say; `cycles`
    are the numbers of the processor. Without
    `masks`, the processor has AVX2 only: LLVM's own vectors count there (measured for AVX2).
    Without `tables`, small arrays of constants are memory like any other. With `skips`, no
    work-item does what an `if` on data has it do or leave: that few do is the best case of vectors.
    """
    cycles = cycles or cycles_of(DEFAULT)
    tile = _Tile(
        facts, dimension, lanes, strides or {}, cycles, masks=masks, tables=tables, skips=skips
    )
    costs = _of_block(body, tile)
    if not masks and dimension == 0 and _neighbours_vectorize_alone(body, tile):
        costs.scalar *= tile.cycles.along_neighbours
    return costs


def operation_costs(
    body: Block,
    facts: Uniformity,
    dimension: int,
    lanes: int,
    strides: Mapping[Operation, int] | None = None,
    *,
    masks: bool = True,
) -> dict[Operation, Costs]:
    """What each operation of a body costs a tile of `lanes` work-items each time that they execute
    it, in the order of the text; arguments as of `tile_costs`. Operations with regions cost nothing
    themselves."""
    found: dict[Operation, Costs] = {}

    def visit(block: Block, tile: _Tile) -> None:
        for op in block.ops:
            if not op.regions:
                found[op] = _of_operation(op, tile)
                continue
            inside = tile.inside(op)
            for region in op.regions:
                for inner in region.blocks:
                    visit(inner, inside)

    visit(body, _Tile(facts, dimension, lanes, strides or {}, cycles_of(DEFAULT), masks=masks))
    return found


def is_dense(body: Block, facts: Uniformity, dimension: int, lanes: int) -> bool:
    """Whether LLVM may well make vectors of the work-items along a dimension: they access numbers
    near each other, and take the same branches."""
    return _neighbours_vectorize_alone(body, _Tile(facts, dimension, lanes, {}, cycles_of(DEFAULT)))


SCATTERED_GAIN = 1.2
"""The least gain of vectors whose elements are all over memory: what they wait for, and what LLVM
makes of neighbouring operations of one work-item, is not in the costs."""


def verdict_of(costs: Costs, body: Block, least_gain: float = 1) -> Verdict:
    """Whether a tile of such costs is faster as vectors, by so much."""
    if costs.vector * least_gain > costs.scalar:
        return Verdict.COSTS_MORE
    if costs.vector * LARGE_GAIN > costs.scalar and _size(body) > LARGE:
        return Verdict.TOO_LARGE
    return Verdict.PAYS


def vectors_pay(
    body: Block,
    facts: Uniformity,
    dimension: int,
    lanes: int,
    strides: Mapping[Operation, int] | None = None,
    *,
    cycles: Cycles | None = None,
) -> Verdict:
    """Whether a tile of `lanes` work-items is faster as vectors; arguments as of `tile_costs`."""
    return verdict_of(tile_costs(body, facts, dimension, lanes, strides, cycles=cycles), body)


def _size(body: Block) -> int:
    """The operations of a body and of all functions that it calls."""
    home = body.parent_op()
    assert home is not None
    return sum(len(operations_in(part)) for part in (home, *called_functions(home)))


def _of_block(block: Block, tile: _Tile, share: float = 1) -> Costs:
    """`share` is that of the work-items that reach the block."""
    total = Costs()
    for op in block.ops:
        if not op.regions:
            total.add(_of_operation(op, tile, share), 1, 1)
            continue
        divergent = any(tile.stride_of(v) != 0 for v in _decisions(op))
        if isinstance(op, scf.IfOp) and _is_guard(op.cond, tile):
            # Neighbours agree, but for those on both sides of the bound.
            divergent = False
        loops = isinstance(op, scf.ForOp | scf.WhileOp)
        weight = _iterations(op)
        inside = tile.inside(op)
        if loops:
            total.scalar += weight * tile.lanes * tile.cycles.chained * _chain(op)
            total.scalar += weight * tile.lanes * tile.cycles.chased * is_chase(op)
        for region in op.regions:
            for inner in region.blocks:
                if not divergent:
                    costs = _of_block(inner, inside, share)
                    is_row = isinstance(op, scf.ForOp) and inside.is_row
                    alone = tile.cycles.along_loop if is_row else 1
                    total.add(costs, weight, weight * alone)
                elif loops:
                    costs = _of_block(inner, inside, share)
                    total.add(costs, weight * _DIVERGENT_LOOP, weight)
                elif tile.skips and _may_be_left(op, tile):
                    break
                else:
                    rare = inner is op.regions[0].block and _is_rare(op)
                    by_tile, by_one = _RARELY_TAKEN if rare else (1, _BRANCH_TAKEN)
                    # Of the many cases of a switch, a tile takes as many as it has lanes.
                    reach = min(1, tile.lanes * share * by_one) / min(1, tile.lanes * share)
                    costs = _of_block(inner, inside, share * by_one)
                    total.add(costs, min(by_tile, reach), by_one)
                    if inner is op.regions[0].block and not rare and _is_mispredicted(op, tile):
                        total.scalar += tile.lanes * tile.cycles.mispredicted
    return total


def _is_mispredicted(op: Operation, tile: _Tile) -> bool:
    """Whether an `if` may have one outcome as well as the other: comparisons of ids with bounds
    have the same one for most neighbours."""
    return (
        isinstance(op, scf.IfOp)
        and _is_branch(op)
        and not is_by_ids(op.cond, tile.facts, tile.dimension)
    )


def _is_branch(op: Operation) -> bool:
    """Whether what an `if` does is no mere choice, which one work-item makes without a branch."""
    inside = [inner for region in op.regions for inner in operations_in(region)]
    return len(inside) > MOST_CHOSEN or any(isinstance(inner, _MEMORY) for inner in inside)


def _chain(loop: Operation) -> int:
    """How many operations wait for each other from one iteration to the next: on floats, and where
    no floats are carried, integer divisions, of which each takes as long as several of those."""
    floats = [n for n, v in enumerate(loop.results) if isinstance(element_of(v.type), AnyFloat)]
    if not isinstance(loop, scf.ForOp):
        return len(floats[:1])
    body, each = loop.body.block, 1 if floats else 0
    depth: dict[SSAValue, int] = dict.fromkeys(body.args[1:], 0)
    for op in body.ops:
        before = [depth[operand] for operand in op.operands if operand in depth]
        if before and not op.regions:
            divides = isinstance(op, INTEGER_DIVISIONS) and constant_value(op.rhs) is None
            links = DIVISION_LINKS if divides else each
            depth.update(dict.fromkeys(op.results, max(before) + links))
    yielded = terminator(body).operands
    carried = floats or range(len(yielded))
    return max([each, *(depth.get(yielded[number], each) for number in carried)])


def _iterations(op: Operation) -> float:
    """How often the body of `op` runs for each time that `op` is reached."""
    count = trip_count(op) if isinstance(op, scf.ForOp) else None
    if count is not None:
        return max(1, count)
    return LOOP_WEIGHT if isinstance(op, scf.ForOp | scf.WhileOp) else 1


def _is_guard(condition: SSAValue, tile: _Tile) -> bool:
    """Whether neighbours are compared with a bound: both sides grow by known numbers, if at all."""
    match condition.owner:
        case arith.CmpiOp(lhs=lhs, rhs=rhs) as comparison:
            ordered = predicate_of(comparison) not in ("eq", "ne")
            return ordered and all(isinstance(tile.stride_of(side), int) for side in (lhs, rhs))
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
            lhs, rhs = condition.owner.operands
            return _is_guard(lhs, tile) and _is_guard(rhs, tile)
        case _:
            return tile.stride_of(condition) == 0


def vectorizes_alone(op: Operation, steps: LoopStrides | None) -> bool:
    """Whether LLVM makes vectors of the iterations of a loop that one work-item runs: what it
    writes lies side by side, or is sums of integers (of floats, where options let these be
    reassociated), and what it reads is near to that of the next iteration, or the same.
    """
    return (
        isinstance(op, scf.ForOp)
        and steps is not None
        and all(_is_sum(op, number) for number in range(len(op.results)))
        and accesses_rows(op, steps)
    )


def accesses_rows(loop: scf.ForOp, steps: LoopStrides) -> bool:
    """Whether LLVM makes vectors of the iterations of a loop but for what it carries."""
    count = trip_count(loop)
    if count is not None and count < SHORT:
        return False
    body = loop.body.block
    if any(inner.regions or isinstance(inner, func.CallOp) for inner in body.ops):
        return False
    accesses = [inner for inner in body.ops if isinstance(inner, Access)]
    if not (loop.results or any(isinstance(access, ocl.StoreOp) for access in accesses)):
        return False
    for access in accesses:
        stride, size = access_stride(steps, access, 0), size_of(accessed_type(access))
        if count_of(accessed_type(access)) > 1:
            return False
        if isinstance(access, ocl.StoreOp):
            # Private memory has no other work-items beside it.
            if stride != size or ocl.space_of(access.pointer) == ocl.AddressSpace.PRIVATE:
                return False
        elif stride is None or abs(stride) > MOST_STEPS * size:
            return False
    return True


def _neighbours_vectorize_alone(body: Block, tile: _Tile) -> bool:
    """Whether LLVM makes vectors of the loop over work-items: they take the same branches, all
    loops are unrolled, and neighbours access numbers near each other."""
    for op in operations_in(body):
        if isinstance(op, Access):
            stride, type = tile.stride_of_access(op), accessed_type(op)
            if stride is None or count_of(type) > 1 or abs(stride) > MOST_STEPS * size_of(type):
                return False
        elif isinstance(op, scf.ForOp):
            count = trip_count(op)
            if count is None or count >= SHORT:
                return False
        elif op.regions and not (isinstance(op, scf.IfOp) and tile.stride_of(op.cond) == 0):
            return False
        elif isinstance(op, func.CallOp | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp | ocl.PrintfOp):
            return False
    return True


def _is_sum(loop: scf.ForOp, number: int) -> bool:
    """Whether the loop adds to what it carries, or the like, in any order with the same result; or
    does so in some iterations only, as one that counts."""
    carried = loop.body.block.args[number + 1]
    new = wrapped(terminator(loop.body.block).operands[number])
    users = {use.operation for use in carried.uses}
    kinds = _SUMS
    if isinstance(choice := new.owner, arith.SelectOp) and carried in (choice.lhs, choice.rhs):
        new = choice.rhs if choice.lhs is carried else choice.lhs
        users.discard(choice)
        kinds = _NEUTRAL if new.has_one_use() else ()
        return isinstance(new.owner, kinds) and users == {new.owner}
    return (isinstance(new.owner, kinds) or is_relaxed_sum(new.owner)) and users == {new.owner}


def is_relaxed_sum(op: Operation | Block) -> bool:
    """Whether an operation is a sum or a product of floats that options let be reassociated."""
    is_sum = isinstance(op, arith.AddfOp | arith.SubfOp | arith.MulfOp)
    return is_sum and is_relaxed(op)


def _decisions(op: Operation) -> tuple[SSAValue, ...]:
    match op:
        case scf.IfOp():
            return (op.cond,)
        case scf.ForOp():
            return op.lb, op.ub, op.step
        case scf.WhileOp():
            condition = op.before_region.block.last_op
            assert isinstance(condition, scf.ConditionOp)
            return (condition.condition,)
        case _:
            return ()


def _is_rare(op: Operation) -> bool:
    """Whether an `if` asks for equality to do something; one that does something else otherwise
    chooses between the two."""
    return (
        isinstance(op, scf.IfOp)
        and _asks_for_equality(op.cond)
        and not any(isinstance(inner, _MEMORY) for inner in operations_in(op.false_region))
    )


def _may_be_left(op: Operation, tile: _Tile) -> bool:
    """Whether an `if` asks what a work-item has read, and does nothing otherwise."""
    return (
        isinstance(op, scf.IfOp)
        and len(operations_in(op.false_region)) <= 1
        and is_by_data(op.cond, tile.facts, tile.dimension, private=False)
    )


def _asks_for_equality(condition: SSAValue) -> bool:
    match condition.owner:
        case arith.CmpiOp() as comparison:
            # Truth values are equal as often as not.
            return predicate_of(comparison) == "eq" and not _is_truth(comparison.lhs)
        case arith.AndIOp() as both:
            return _asks_for_equality(both.lhs) or _asks_for_equality(both.rhs)
        case _:
            return False


def _is_truth(value: SSAValue) -> bool:
    if isinstance(value.owner, arith.ExtUIOp):
        value = value.owner.input
    return value.type == i1


def _of_operation(op: Operation, tile: _Tile, share: float = 1) -> Costs:
    lanes = tile.lanes
    if not op.name.startswith(ARITHMETIC):
        if _ACCESSES[type(op)]:
            return _of_access(cast(Access, op), tile)
        if isinstance(op, ocl.AtomicRMWOp) and is_counter(op, tile.is_uniform):
            one = tile.is_uniform(op.pointer)
            return Costs(
                tile.cycles.alone if one else lanes * share * tile.cycles.counted,
                lanes * tile.cycles.counted_alone,
            )
        if isinstance(op, ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp | ocl.PrintfOp):
            by_lane = (
                share * tile.cycles.alone_in_branches if tile.is_masked else 2 * tile.cycles.alone
            )
            if isinstance(op, ocl.PrintfOp):
                jump = 0.0
            else:
                jump = _jump(op, tile, pointer_stride(tile.facts, op.pointer, tile.dimension))
            return Costs(lanes * by_lane, lanes * (tile.cycles.alone + jump))
        if isinstance(op, func.CallOp):
            return _of_call(callee_of(op), tile)
    if type(op) is arith.ConstantOp or not op.results:
        return Costs()
    widest = max(_registers(result.type, 1) for result in op.results)
    scalar = lanes * _scalar_cost(op, tile.cycles) * widest
    if all(isinstance(tile.stride_of(result), int) for result in op.results):
        return Costs(_scalar_cost(op, tile.cycles), scalar)
    registers = max(_registers(result.type, lanes) for result in op.results)
    if _DIVISIONS[type(op)] and constant_value(op.operands[1]) is None:
        if _bytes(element_of(op.results[0].type)) > 4:
            return Costs(scalar + lanes * tile.cycles.lane_moved, scalar)
        inverse = 0 if tile.stride_of(op.operands[1]) == 0 else 2 * tile.cycles.division
        return Costs(2 * registers * (inverse + tile.cycles.by_inverse), scalar)
    if not op.name.startswith(ARITHMETIC) and (
        isinstance(op, vector.ExtractOp | vector.InsertOp) and op.dynamic_position
    ):
        choices = max(count_of(operand.type) for operand in op.operands)
        return Costs(
            registers * choices * _vector_cost(op, tile.cycles), lanes * tile.cycles.picked
        )
    return Costs(registers * _vector_cost(op, tile.cycles), scalar)


def _of_call(callee: func.FuncOp, tile: _Tile) -> Costs:
    if callee not in tile.calls:
        facts = Uniformity(callee, parameters=[ALL_VARYING] * len(callee.args))
        tile.calls[callee] = _of_block(callee.body.block, replace(tile, facts=facts))
    return tile.calls[callee]


def _scalar_cost(op: Operation, cycles: Cycles) -> float:
    if _DIVISIONS[type(op)] and not is_shift_or_mask(op):
        is_known = constant_value(op.operands[1]) is not None
        return cycles.by_constant * cycles.scalar if is_known else cycles.integer_division
    if type(op) is arith.SelectOp and count_of(op.result.type) > 1:
        return CHOICE * cycles.scalar
    return cycles.division if _FLOAT_DIVISIONS[type(op)] else cycles.scalar


def _vector_cost(op: Operation, cycles: Cycles) -> float:
    if _DIVISIONS[type(op)] and not is_shift_or_mask(op):
        return cycles.by_constant * cycles.vector
    return 2 * cycles.division if _FLOAT_DIVISIONS[type(op)] else cycles.vector


@cache
def _registers(type: Attribute, lanes: int) -> float:
    element = element_of(type)
    size = 0.5 if element == i1 else _bytes(element)
    return max(1.0, count_of(type) * lanes * size / 64)


def _jump(
    op: Access | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, tile: _Tile, stride: int | None
) -> float:
    """What one work-item pays where its loop goes on to another cache line each time, which it
    shares with its neighbours."""
    if tile.loop is None or stride == 0 or stride is None or abs(stride) >= LINE:
        return 0
    if ocl.space_of(op.pointer) != ocl.AddressSpace.GLOBAL:
        return 0
    if isinstance(op, Access):
        step = access_stride(tile.loop, op, 0)
    else:
        step = pointer_stride(tile.loop, op.pointer, 0)
    return tile.cycles.jumped if step is None or abs(step) >= LINE else 0


def _conflict(op: Access, tile: _Tile, stride: int | None) -> float:
    """What each lane pays where each writes along a row of its own in global memory, which one
    work-item would write as a whole: all lanes come back to their lines, which share a set where
    rows lie a power of two apart. Their length is no known number."""
    if tile.loop is None or not tile.is_row or stride is not None:
        return 0
    if ocl.space_of(op.pointer) != ocl.AddressSpace.GLOBAL:
        return 0
    if any(tile.stride_of(index) is VARYING for index in _indices(op)):
        return 0
    step = access_stride(tile.loop, op, 0)
    return tile.cycles.jumped / 2 if step and abs(step) < LINE else 0


def _is_row(op: Access, tile: _Tile) -> bool:
    """Whether all lanes use the same element, each of its own array."""
    return all(tile.is_uniform(index) for index in _indices(op))


def _indices(op: Access) -> Iterator[SSAValue]:
    """Of an access, and of the pointers that its pointer comes from."""
    pointer = op.pointer
    if op.index is not None:
        yield op.index
    while isinstance(pointer.owner, ocl.OffsetOp | ocl.CastOp | ocl.MemberOp):
        if isinstance(pointer.owner, ocl.OffsetOp):
            yield pointer.owner.index
        pointer = pointer.owner.pointer


def _bytes(element: Attribute) -> int:
    return size_of(element) if isinstance(element, IntegerType | AnyFloat) else 8


def _of_access(op: Access, tile: _Tile) -> Costs:
    lanes = tile.lanes
    type = accessed_type(op)
    stride = tile.stride_of_access(op)
    scalar = lanes * (tile.cycles.access * _registers(type, 1) + _jump(op, tile, stride))
    if isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.volatile is not None:
        return Costs(lanes * tile.cycles.alone, scalar)
    if stride == 0:
        return Costs(tile.cycles.access, scalar)
    if isinstance(type, ocl.StructType):
        return Costs(lanes * tile.cycles.alone, scalar)
    size = _bytes(element_of(type))
    if stride == count_of(type) * size:
        shuffles = (count_of(type) - 1).bit_length()
        return Costs(
            _registers(type, lanes) * (tile.cycles.access + shuffles * tile.cycles.shuffled), scalar
        )
    if stride == -size and count_of(type) == 1:
        return Costs(_registers(type, lanes) * (tile.cycles.access + tile.cycles.reversed), scalar)
    steps = gap_of(stride, size)
    if steps is not None and count_of(type) == 1:
        return Costs(tile.cycles.strided * steps * _registers(type, lanes), scalar)
    if isinstance(op, ocl.LoadOp) and op.index is not None and count_of(type) == 1:
        found = tile_index(op.index, lanes, tile.stride_of)
        if found is not None:
            each = tile.cycles.access + tile.cycles.repeated
            if found.is_partner:
                each += tile.cycles.reversed * (lanes.bit_length() - 1)
            return Costs(_registers(type, lanes) * each, scalar)
    table = table_of(op.pointer) if tile.tables and isinstance(op, ocl.LoadOp) else None
    if table is not None:
        if in_planes(table):
            return Costs(tile.cycles.words * -(-lanes // WORD_LANES), scalar)
        each = tile.cycles.narrowed + tile.cycles.permuted * pairs_of(table)
        return Costs(_registers(type, lanes) * each, scalar)
    runs = runs_of_access(op, lanes, tile.facts, tile.dimension, tile.masks)
    if runs is not None:
        each = 2 * tile.cycles.access * _registers(type, lanes) + tile.cycles.repeated
        return Costs(runs.most(lanes) * each, scalar)
    if isinstance(op, ocl.LoadOp) and tile.tables and is_near(op, lanes, tile.stride_of):
        each = tile.cycles.access + tile.cycles.narrowed + tile.cycles.permuted
        return Costs(_registers(type, lanes) * (each + NEAR_TESTS * tile.cycles.vector), scalar)
    if ocl.space_of(op.pointer) == ocl.AddressSpace.PRIVATE and _is_row(op, tile):
        # The lanes' elements lie side by side where they use them one by one.
        return Costs(tile.cycles.access * _registers(type, lanes), scalar)
    count = count_of(type)
    if is_gathered_as_row(count) and count * size > SMALL:
        each = tile.cycles.row * _registers(type, 1)
        if stride is None:
            each += (
                tile.cycles.address
                if isinstance(op, ocl.LoadOp | ocl.VLoadOp)
                else 2 * tile.cycles.address
            )
        shuffles = _registers(type, lanes) * (count - 1).bit_length()
        return Costs(lanes * each + shuffles * tile.cycles.shuffled, scalar)
    if is_gathered_as_row(count):
        size, count = count * size, 1
    each = tile.cycles.gathered(size) * count
    if isinstance(op, ocl.LoadOp) and size * count < LEAST_GATHERED:
        if tile.masks and (tile.is_masked or tile.cycles.gathers_words):
            each = tile.cycles.gathered_word * count
        elif _is_beside_another(op, size):
            return Costs(lanes * tile.cycles.gathered_beside, scalar)
    if isinstance(op, ocl.StoreOp | ocl.VStoreOp):
        each *= _scattering(size, tile)
        each += _conflict(op, tile, stride)
    if ocl.space_of(op.pointer) == ocl.AddressSpace.GLOBAL:
        each += tile.cycles.line_fetched * _lines(op, stride, size)
    return Costs(lanes * each, scalar)


def _lines(op: Access, stride: int | None, size: int) -> float:
    """How many lines of a buffer a gather fetches for each lane: neighbours may share one, or
    another gather has read in it."""
    if isinstance(op, ocl.LoadOp) and _is_beside_another(op, size):
        return 0
    return 1 if stride is None else min(1, abs(stride) / LINE)


def _scattering(size: int, tile: _Tile) -> float:
    """How many times as long as a lane of a gather one of a scatter takes. Elements that are too
    small for either are read and stored one by one."""
    if not tile.masks:
        return tile.cycles.stored_by_lane
    return tile.cycles.scattered if size >= LEAST_GATHERED else 1


def _is_beside_another(op: ocl.LoadOp, size: int) -> bool:
    """Whether a load of the same block has read an element nearby, at a known distance."""
    block = op.parent
    if block is None or op.index is None:
        return False
    place = linear(op.index)
    for other in block.ops:
        if other is op:
            return False
        if isinstance(other, ocl.LoadOp) and other.pointer is op.pointer and other.index:
            distance = linear(other.index) - place
            if not distance.factors and abs(distance.number) * size < LINE:
                return True
    return False
