"""Whether vectors pay: what a tile costs as vectors, and what it costs one work-item at a time.

In cycles of one core (`cycles.py`). Only the comparison matters, and only where accesses are
scattered over memory: a gather takes longer than the loads that it replaces, and lanes that are
masked off take as long as active ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import cast

from xdsl.dialects import arith, func, math, scf, vector
from xdsl.dialects.builtin import AnyFloat, i1
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.calls import called_functions, callee_of
from polycl.analysis.ocl.lane_stride import ALL_VARYING
from polycl.analysis.ocl.speculation import INTEGER_DIVISIONS, is_shift_or_mask
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, element_number
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import Kinds, operations_in
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.wg.wg_vectorize.access_costs import (
    access_costs,
    bytes_of,
    jump_cost,
    registers_of,
)
from polycl.lowering.wg.wg_vectorize.accesses import MOST_STEPS, Access, accessed_type
from polycl.lowering.wg.wg_vectorize.atomic_lanes import is_for_all_lanes
from polycl.lowering.wg.wg_vectorize.chases import is_chase
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, Cycles, cycles_of
from polycl.lowering.wg.wg_vectorize.data_values import is_by_data, is_by_ids
from polycl.lowering.wg.wg_vectorize.lane_addresses import pointer_stride
from polycl.lowering.wg.wg_vectorize.loop_vectors import SHORT
from polycl.lowering.wg.wg_vectorize.tile import LOOP_WEIGHT, Costs, Tile

_DIVERGENT_LOOP = 1.5
"""How much longer a loop runs for the slowest lane than for the mean one."""


_BRANCH_TAKEN = 0.5


_RARELY_TAKEN = 0.5, 0.25
"""By some lane of a tile, and by one work-item, where a branch asks for equality."""


DIVISION_LINKS = 4
"""Operations on floats that wait for each other as long as a division takes."""


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


_MEMORY = Access | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp


class Verdict(Enum):
    """Whether vectors pay, or why they do not."""

    PAYS = "vectors pay"
    COSTS_MORE = "accesses all over memory cost more than vectors save"
    TOO_LARGE = "a body of this size takes too long to compile for what vectors save"


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
    tile = Tile(
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

    def visit(block: Block, tile: Tile) -> None:
        for op in block.ops:
            if not op.regions:
                found[op] = _of_operation(op, tile)
                continue
            inside = tile.inside(op)
            for region in op.regions:
                for inner in region.blocks:
                    visit(inner, inside)

    visit(body, Tile(facts, dimension, lanes, strides or {}, cycles_of(DEFAULT), masks=masks))
    return found


def is_dense(body: Block, facts: Uniformity, dimension: int, lanes: int) -> bool:
    """Whether LLVM may well make vectors of the work-items along a dimension: they access numbers
    near each other, and take the same branches."""
    return _neighbours_vectorize_alone(body, Tile(facts, dimension, lanes, {}, cycles_of(DEFAULT)))


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


def _of_block(block: Block, tile: Tile, share: float = 1) -> Costs:
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
        sides = op.regions
        if LIKELY in op.attributes:
            sides, divergent = op.regions[:1], False
        loops = isinstance(op, scf.ForOp | scf.WhileOp)
        weight = _iterations(op)
        inside = tile.inside(op)
        if loops:
            total.scalar += weight * tile.lanes * tile.cycles.chained * _chain(op)
            total.scalar += weight * tile.lanes * tile.cycles.chased * is_chase(op)
        for region in sides:
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


def _is_mispredicted(op: Operation, tile: Tile) -> bool:
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
    no floats are carried, integer divisions. A division takes as long as several others."""
    floats = [n for n, v in enumerate(loop.results) if isinstance(element_of(v.type), AnyFloat)]
    if not isinstance(loop, scf.ForOp):
        return len(floats[:1])
    body, each = loop.body.block, 1 if floats else 0
    depth: dict[SSAValue, int] = dict.fromkeys(body.args[1:], 0)
    for op in body.ops:
        before = [depth[operand] for operand in op.operands if operand in depth]
        if before and not op.regions:
            divides = isinstance(op, INTEGER_DIVISIONS) and element_number(op.rhs) is None
            slow = divides or _FLOAT_DIVISIONS[type(op)]
            links = DIVISION_LINKS if slow else each
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


def _is_guard(condition: SSAValue, tile: Tile) -> bool:
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


def _neighbours_vectorize_alone(body: Block, tile: Tile) -> bool:
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


def _may_be_left(op: Operation, tile: Tile) -> bool:
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


def _of_operation(op: Operation, tile: Tile, share: float = 1) -> Costs:
    lanes = tile.lanes
    if not op.name.startswith(ARITHMETIC):
        if _ACCESSES[type(op)]:
            return access_costs(cast(Access, op), tile)
        if isinstance(op, ocl.AtomicRMWOp) and is_for_all_lanes(op, tile.is_uniform):
            one = tile.is_uniform(op.pointer)
            alike = op.result.first_use is None and one and tile.is_uniform(op.value)
            counts = ocl.is_own_atomic(op) or alike
            return Costs(
                tile.cycles.alone if one else lanes * share * tile.cycles.counted,
                lanes * (tile.cycles.counted_alone if counts else tile.cycles.alone),
            )
        if isinstance(op, ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp | ocl.PrintfOp):
            by_lane = (
                share * tile.cycles.alone_in_branches if tile.is_masked else 2 * tile.cycles.alone
            )
            if isinstance(op, ocl.PrintfOp):
                jump = 0.0
            else:
                jump = jump_cost(op, tile, pointer_stride(tile.facts, op.pointer, tile.dimension))
            return Costs(lanes * by_lane, lanes * (tile.cycles.alone + jump))
        if isinstance(op, func.CallOp):
            return _of_call(callee_of(op), tile)
    if type(op) is arith.ConstantOp or not op.results:
        return Costs()
    widest = max(registers_of(result.type, 1) for result in op.results)
    scalar = lanes * _scalar_cost(op, tile.cycles) * widest
    if all(isinstance(tile.stride_of(result), int) for result in op.results):
        return Costs(_scalar_cost(op, tile.cycles), scalar)
    registers = max(registers_of(result.type, lanes) for result in op.results)
    if _DIVISIONS[type(op)] and element_number(op.operands[1]) is None:
        inverse = 0 if tile.stride_of(op.operands[1]) == 0 else 2 * tile.cycles.division
        if bytes_of(element_of(op.results[0].type)) > 4:
            if not tile.masks:
                return Costs(scalar + lanes * tile.cycles.lane_moved, scalar)
            # Two products with the inverse, and what the first one leaves.
            return Costs(registers * (inverse + 3 * tile.cycles.by_inverse), scalar)
        return Costs(2 * registers * (inverse + tile.cycles.by_inverse), scalar)
    if not op.name.startswith(ARITHMETIC) and (
        isinstance(op, vector.ExtractOp | vector.InsertOp) and op.dynamic_position
    ):
        choices = max(count_of(operand.type) for operand in op.operands)
        return Costs(
            registers * choices * _vector_cost(op, tile.cycles), lanes * tile.cycles.picked
        )
    return Costs(registers * _vector_cost(op, tile.cycles), scalar)


def _of_call(callee: func.FuncOp, tile: Tile) -> Costs:
    if callee not in tile.calls:
        facts = Uniformity(callee, parameters=[ALL_VARYING] * len(callee.args))
        tile.calls[callee] = _of_block(callee.body.block, replace(tile, facts=facts))
    return tile.calls[callee]


def _scalar_cost(op: Operation, cycles: Cycles) -> float:
    if _DIVISIONS[type(op)] and not is_shift_or_mask(op):
        is_known = element_number(op.operands[1]) is not None
        return cycles.by_constant * cycles.scalar if is_known else cycles.integer_division
    if type(op) is arith.SelectOp and count_of(op.result.type) > 1:
        return CHOICE * cycles.scalar
    return cycles.division if _FLOAT_DIVISIONS[type(op)] else cycles.scalar


def _vector_cost(op: Operation, cycles: Cycles) -> float:
    if _DIVISIONS[type(op)] and not is_shift_or_mask(op):
        return cycles.by_constant * cycles.vector
    return 2 * cycles.division if _FLOAT_DIVISIONS[type(op)] else cycles.vector
