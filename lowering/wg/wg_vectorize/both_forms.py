"""A region whose vectors may be slower than what they replace: both forms are there, and the
program measures them while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import IntegerType, UnitAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import AtomicKind
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.parents import parents
from polycl.dialects.relaxed import FASTMATH, has_flags, is_relaxed, permits
from polycl.dialects.wg.attributes import RARE, WITHIN
from polycl.lowering.build import Build
from polycl.lowering.ocl.fuse_products import fuse_products
from polycl.lowering.wg.wg_vectorize.accesses import Access, access_stride, accessed_type, gap_of
from polycl.lowering.wg.wg_vectorize.data_values import is_by_data
from polycl.lowering.wg.wg_vectorize.loop_vectors import is_relaxed_sum, vectorizes_alone
from polycl.lowering.wg.wg_vectorize.tile import Costs

MOST_OPERATIONS = 400
"""The most operations of a region that is there twice: it takes twice as long to compile."""

MOST_OPERATIONS_IF_UNSURE = 1000
"""The same where the estimates are within `UNSURE_LOSS` of each other."""

MOST_LOSS = 2.5
"""Vectors that are estimated to be slower by more are not tried."""

UNSURE_GAIN = 3
UNSURE_LOSS = 1.5
"""Where vectors are estimated to be faster, or slower, by no more than this, they may be either: of
170 kernels that nobody had compiled, 49 were so, of which 15 took 1.15 to 3.3 times as long in the
form that was estimated to be the better one."""

LEAST_REST = 0.1
"""The least share of the time of one work-item that is spent outside of branches on data, where
how often these are taken decides which form is the faster one: a branch of a loop that refills a
generator's state is taken once in hundreds of iterations."""

_BY_LANE = "the iterations of a loop differ by work-item"


def why_measured(
    region: wg.ParallelOp,
    facts: Uniformity,
    dimension: int,
    costs: Costs,
    estimate: Callable[..., Costs],
) -> str | None:
    """Why no estimate says whether vectors pay in a region; None if one does, or if the forms
    could differ in what they compute. `estimate` has the options of `tile_costs`."""
    body = operations_in(region.body)
    is_atomic = any(isinstance(op, ocl.AtomicRMWOp) for op in body)
    loses = costs.vector > costs.scalar
    skipped = estimate(skips=True) if loses or is_atomic else costs
    is_rare_loss = (
        loses
        and skipped.scalar > UNSURE_GAIN * skipped.vector
        and skipped.scalar > LEAST_REST * costs.scalar
    )
    ratio = max(costs.vector, costs.scalar) / max(1, min(costs.vector, costs.scalar))
    is_unsure = ratio < UNSURE_LOSS or is_rare_loss
    most = MOST_OPERATIONS_IF_UNSURE if is_unsure else MOST_OPERATIONS
    if RARE in region.attributes or len(body) > most or not _are_equal(body):
        return None
    if is_rare_loss:
        return "data say how often branches run that cost most"
    if costs.vector > MOST_LOSS * costs.scalar:
        costs = skipped
        if costs.vector > costs.scalar:
            return None
    if is_atomic and (skipped.vector > skipped.scalar) != (costs.vector > costs.scalar):
        return "data say how many work-items change memory atomically"
    for op in body:
        if ends_by_lane(op, facts, dimension):
            return _BY_LANE
        if isinstance(op, scf.ForOp | scf.WhileOp) and any(
            isinstance(inner, ocl.LoadOp)
            and any(is_by_data(operand, facts, dimension) for operand in inner.operands)
            for inner in operations_in(op)
        ):
            return "a loop reads where data say"
        if costs.vector > costs.scalar and _may_be_short(op):
            return "a loop is vectors of its own if it is long"
        if isinstance(op, scf.ForOp) and _reads_at_stride_in_branch(op, facts, dimension):
            return "a loop reads at a stride under a mask"
    if (
        costs.vector < UNSURE_LOSS * costs.scalar
        and costs.scalar < UNSURE_GAIN * costs.vector
        and not any(map(_is_local, body))
    ):
        return "the estimates are near each other"
    return None


def why_part_measured(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> str | None:
    """The same for the part of a group of which vectors are to be made: most groups may run one
    work-item at a time for its loops, and so would this part."""
    body = operations_in(region.body)
    if len(body) > MOST_OPERATIONS or not _are_equal(body):
        return None
    by_lane = any(ends_by_lane(op, facts, dimension) for op in body)
    return _BY_LANE if by_lane else None


def round_alike(region: wg.ParallelOp, fuse: bool) -> None:
    """Take back what options permit of float arithmetic, for forms that compute the same bits: what
    runs must not depend on the time that it took. `fuse` products with sums, which is permitted."""
    relaxed = [o for o in operations_in(region.body) if has_flags(o) and not _is_of_pattern(o)]
    for op in relaxed:
        del op.properties[FASTMATH]
    if fuse:
        fuse_products(relaxed)


def _is_local(op: Operation) -> bool:
    """Whether an access keeps local memory in memory if one work-item does it after the other: that
    of vectors may be registers, for the whole group."""
    return isinstance(op, Access) and ocl.space_of(op.pointer) == ocl.AddressSpace.LOCAL


def _are_equal(body: list[Operation]) -> bool:
    """Whether vectors and single work-items compute the same bits: no result depends on the order
    of work-items, or on which functions there are for vectors. What prints does so in the order of
    work-items, and so does an atomic operation whose result is used, or beside one of another kind.
    Counters in global memory are those of each thread (`wg-private-counters`) where there is one
    form, one work-item at a time.
    """
    kinds = {op.kind.data for op in body if isinstance(op, ocl.AtomicRMWOp)}
    if len(kinds) > 1:
        return False
    for op in body:
        match op:
            case func.CallOp() | ocl.PrintfOp() | math.RsqrtOp() | ocl.AtomicCmpXchgOp():
                return False
            case ocl.AtomicRMWOp() if not _is_in_any_order(op):
                return False
            case arith.AddfOp() | arith.MulfOp() if _is_of_pattern(op):
                return False
            case scf.ForOp() if any(map(is_relaxed_sum, op.body.ops)) and _is_vectors(op):
                return False
            case _:
                pass
    return True


def _is_in_any_order(op: ocl.AtomicRMWOp) -> bool:
    """Whether several of one kind leave the same in memory in any order, and nobody sees more."""
    if op.kind.data == AtomicKind.XCHG or not isinstance(op.value.type, IntegerType):
        return False
    is_counter = op.kind.data == AtomicKind.ADD and not ocl.is_own_atomic(op)
    return op.result.first_use is None and not is_counter


def _is_of_pattern(op: Operation) -> bool:
    """Whether `wg-scan-rows` may change the order of sums or products in one of the forms."""
    return permits(op, FastMathFlag.REASSOC) and not is_relaxed(op)


def _reads_at_stride_in_branch(loop: scf.ForOp, facts: Uniformity, dimension: int) -> bool:
    """Whether a branch that lanes may leave reads each second, fourth, ... element, as that of a
    convolution with a stride does which asks for the border: rows under masks are read for each of
    the loads, while one work-item's branches are foreseen, and its loop is unrolled."""
    for load in operations_of(loop, ocl.LoadOp):
        stride = access_stride(facts, load, dimension)
        if gap_of(stride, size_of(accessed_type(load))) is not None and any(
            isinstance(parent, scf.IfOp) and facts.lanes(parent.cond).strides[dimension] != 0
            for parent in takewhile(lambda parent: parent is not loop, parents(load))
        ):
            return True
    return False


def _may_be_short(op: Operation) -> bool:
    """Whether LLVM makes vectors of a loop's iterations, if there are enough: no one knows."""
    return isinstance(op, scf.ForOp) and trip_count(op) is None and _is_vectors(op)


def _is_vectors(loop: scf.ForOp) -> bool:
    return vectorizes_alone(loop, LoopStrides(loop))


def ends_by_lane(op: Operation, facts: Uniformity, dimension: int) -> bool:
    """Whether work-items leave a loop after different numbers of iterations, which data decide:
    bounds that grow with ids differ little between neighbours."""
    match op:
        case scf.WhileOp():
            decisions: tuple[SSAValue, ...] = (condition_of(op).condition,)
        case scf.ForOp():
            decisions = (op.lb, op.ub, op.step)
        case _:
            return False
    return any(facts.lanes(value).strides[dimension] is VARYING for value in decisions)


def measured(
    region: wg.ParallelOp,
    vectors: Block,
    results: Sequence[SSAValue],
    others: Sequence[Operation],
    *,
    vectors_first: bool,
    within: bool = False,
) -> Block:
    """A block that runs the code of the block `vectors`, with its results, or the operations
    `others`, with those of the last one, whichever is faster. The first one runs until something is
    measured, which is earlier where the choice is `within` another one."""
    new = Build(region, Block())
    inside = sum(isinstance(op, wg.ChooseOp) for op in operations_in(vectors))
    choice = wg.ChooseOp(_number(region) + inside)
    if within:
        choice.attributes[WITHIN] = UnitAttr()
    new.emit_void(choice)
    Build(region, vectors).emit_void(scf.YieldOp(*results))
    other = Build(region, Block())
    for op in others:
        other.emit_void(op)
    other.emit_void(scf.YieldOp(*others[-1].results))
    first, second = Region(vectors), Region(other.block)
    if not vectors_first:
        first, second = second, first
    new.emit_void(scf.IfOp(choice.first, [result.type for result in region.res], first, second))
    new.emit_void(wg.ChosenOp(choice.first))
    return new.block


def if_any(region: wg.ParallelOp, dimension: int, block: Block) -> Block:
    """What runs a block if the part `region` of a group has work-items: no time is one, too."""
    new = Build(region, Block())
    some = new.compare("ne", region.sizes[dimension], new.index(0))
    Build(region, block).emit_void(scf.YieldOp())
    new.emit_void(scf.IfOp(some, [], Region(block)))
    return new.block


def _number(region: wg.ParallelOp) -> int:
    """The number of the next choice in a kernel."""
    function = next(op for op in parents(region) if isinstance(op, wg.FuncOp))
    return len(operations_of(function.body, wg.ChooseOp))
