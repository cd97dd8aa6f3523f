"""The groups in which a kernel runs best, where it cannot tell in which groups it runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, VectorType, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.calls import called_functions
from polycl.analysis.ocl.lane_stride import UNIFORM, VARYING, Lanes, Stride, depends_on
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.collectives import Collective
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.parents import parents
from polycl.errors import PolyclError
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.ocl_find_global_ids import find_global_ids
from polycl.lowering.ocl.select_truths import SelectTruthsPass
from polycl.lowering.wg.wg_vectorize.accesses import (
    Access,
    access_stride,
    accessed_type,
    accesses_in,
    is_of_one,
)
from polycl.lowering.wg.wg_vectorize.loop_vectors import SHORT
from polycl.lowering.wg.wg_vectorize.profit import LOOP_WEIGHT

Size3: TypeAlias = tuple[int, int, int]

ROW = 64
"""Work-items along the dimension in which neighbours are neighbours in memory."""
LOOP_ROW = 256
"""The same where each iteration of a loop is a row, far from the last one, or data end a loop."""
ROWS = 4
"""Rows of a group whose loops read what rows share."""
TILE = 8
"""Work-items in both dimensions where neighbours along either are neighbours in memory."""
FAR_ROW = 16
"""Work-items of a row, a vector of them, where no neighbours are neighbours in memory."""

_FAR = 16
"""What an access costs that is far from the one of the neighbour, in neighbouring ones."""
_SAME = 1 / 16
_MOSTLY_FAR, _OFTEN_FAR = 12, 3
"""What an access costs in kernels whose rows are short, the latter in a long loop: the lines that a
long row reads in each iteration leave the cache before the next one."""
_BETTER = 2
"""A dimension is the one of the rows if its accesses cost so many times less."""

_MOST_OPERATIONS = 2000
"""Of a kernel with its functions: the analysis takes time."""
_MOST_INLINED = 300
"""The same, for a kernel whose functions' accesses count: they are inlined in a copy."""
_MOST_PRIVATE_BYTES = 4096
"""Of a work-item: more would leave the cache, times the lanes of a vector."""

_GROUP_QUERIES = (
    ocl.LocalIdOp,
    ocl.GroupIdOp,
    ocl.LocalSizeOp,
    ocl.EnqueuedLocalSizeOp,
    ocl.NumGroupsOp,
)
_SHOWS_GROUP = (
    ocl.LocalAllocOp,
    ocl.BarrierOp,
    ocl.AsyncCopyOp,
    ocl.WaitEventsOp,
    ocl.SubGroupOp,
    Collective,
    # What one work-item does before or after another can be seen.
    ocl.PrintfOp,
    ocl.PipeReserveOp,
    ocl.PipePacketOp,
    ocl.PipeCommitOp,
    ocl.FenceOp,
)

_IMAGES = (ocl.ImageReadOp, ocl.ImageWriteOp)
"""Each reads or writes whole pixels, which are no faster in long rows."""


def best_group(kernel: ocl.KernelLike) -> Size3 | None:
    """The local size that suits a kernel best, 0 along dimensions whose ids it does not read; None
    if its groups must be those of the launch.

    The kernel sees global ids and sizes only, no local memory, barriers or queries of the group,
    so that it does the same in groups of any shape; `ocl-find-global-ids` finds those that are
    computed. One dimension is long: the one along which neighbours access neighbours in memory,
    longer where each iteration of a loop is a row: in loops that go on by the global size, or down
    the columns of a matrix where the kernel has one dimension; there also if data end a loop.
    Others are 1: rows of one group would share sets of the cache, and be more streams than a
    processor prefetches. If it has long loops, rows share what these read: there are 4. If
    neighbours are neighbours in memory along one dimension here, and along another there (a
    transpose), the group is a square.

    A kernel stays as it is that prints, uses a pipe or a fence, may wait for another work-item
    (atomic operations and volatile reads in loops), accesses images, or has much private memory.
    """
    if not isinstance(kernel, ocl.KernelOp) or any(map(_is_local, kernel.function_type.inputs)):
        return None
    ops = operations_in(kernel.body)
    if len(ops) > _MOST_OPERATIONS or any(map(_shows_group, ops)):
        return None
    functions = called_functions(kernel)
    for function in functions:
        ops += operations_in(function.body)
        # A function of several blocks has a goto, one of none is not defined.
        if len(ops) > _MOST_OPERATIONS or len(function.body.blocks) != 1:
            return None
    if any(isinstance(op, _GROUP_QUERIES) for op in ops):
        kernel, *functions = _with_global_ids(kernel, functions)
        ops = [op for function in (kernel, *functions) for op in operations_in(function.body)]
        if any(isinstance(op, _GROUP_QUERIES) for op in ops):
            return None
    used = sorted({op.dimension for op in ops if isinstance(op, ocl.GlobalIdOp)})
    if not used or any(isinstance(op, _IMAGES) for op in ops):
        return None
    if any(map(_shows_group, ops)) or _private_bytes(ops) > _MOST_PRIVATE_BYTES:
        return None
    if functions and len(ops) <= _MOST_INLINED:
        kernel = _inlined(kernel)
    if any(map(_is_truth, ops)):
        kernel = _without_truths(kernel)
    facts = _Usual(kernel)
    has_rows = any(map(_is_grid_loop, ops))
    if len(used) == 1:
        has_rows = has_rows or _has_loop_of_rows(kernel, facts, used[0])
        has_rows = has_rows or _has_loop_by_data(kernel, facts, used[0])
    row = LOOP_ROW if has_rows else ROW
    return _shape(_costs(kernel, facts, used), used, row, any(map(_is_long_loop, ops)))


def _shape(found: list[_Cost], used: list[int], row: int, has_long_loops: bool) -> Size3:
    costs = [_mean(found, dimension) for dimension in range(3)]
    first, *others = sorted(used, key=lambda d: (costs[d], d))
    size = [int(d in used) for d in range(3)]
    is_far = costs[first] > (_OFTEN_FAR if has_long_loops else _MOSTLY_FAR)
    # Neighbours along a dimension whose accesses are all far share nothing.
    most = max(_BETTER * costs[first], _FAR if is_far else 0)
    shares = others and any(cost.may_be_nearer(others[0], first) for cost in found)
    if shares and costs[others[0]] < most:
        size[first] = size[others[0]] = TILE
    elif is_far:
        size[first] = FAR_ROW
    else:
        size[first] = row
        if others and has_long_loops:
            size[others[0]] = ROWS
    return size[0], size[1], size[2]


def _with_global_ids(
    kernel: ocl.KernelOp, functions: list[FuncOp]
) -> tuple[ocl.KernelOp, *tuple[FuncOp, ...]]:
    """Copies, in a module of their own, in which computed global ids are found."""
    copy, copies = kernel.clone(), [function.clone() for function in functions]
    ModuleOp([copy, *copies])
    for function in (copy, *copies):
        find_global_ids(function, NON_UNIFORM not in kernel.attributes)
    return copy, *copies


def _is_local(type: object) -> bool:
    return isinstance(type, ocl.PtrType) and type.address_space is ocl.AddressSpace.LOCAL


def _shows_group(op: Operation) -> bool:
    """Whether a kernel with `op` may see in which groups it runs."""
    return isinstance(op, _SHOWS_GROUP) or _may_wait(op)


def _may_wait(op: Operation) -> bool:
    """Whether a work-item may wait here until another one has done something."""
    is_volatile = isinstance(op, ocl.LoadOp) and op.volatile is not None
    if not is_volatile and not op.name.startswith("ocl.atomic"):
        return False
    around = list(parents(op))
    in_blocks = any(len(region.blocks) > 1 for parent in around for region in parent.regions)
    return in_blocks or any(isinstance(parent, scf.WhileOp) for parent in around)


def _private_bytes(ops: list[Operation]) -> int:
    pointers = [op.result.type for op in ops if isinstance(op, ocl.AllocaOp)]
    return sum(size_of(type.pointee) for type in pointers if isinstance(type, ocl.PtrType))


def _is_long_loop(op: Operation) -> bool:
    """Whether a loop reads much, and more for a work-item than its own outputs need."""
    if isinstance(op, scf.ForOp) and not _is_of_grid(op.step):
        count = trip_count(op)
        return count is None or count > SHORT
    return isinstance(op, scf.WhileOp) and not _bounds_coordinate(op)


def _bounds_coordinate(loop: scf.WhileOp) -> bool:
    """Whether a loop wraps or reflects a coordinate, so that it hardly ever runs: it carries one
    integer, which it compares with bounds, and reads nothing."""
    types = [*loop.operand_types, *loop.result_types]
    if len(types) != 2 or not all(isinstance(type, IntegerType | IndexType) for type in types):
        return False
    inside = [op for op in operations_in(loop) if op is not loop]
    compares = [op for op in inside if isinstance(op, arith.CmpiOp)]
    return all(map(_only_computes, inside)) and not any(map(_asks_for_equality, compares))


def _only_computes(op: Operation) -> bool:
    return isinstance(op, scf.IfOp) or op.has_trait(IsTerminator) or is_speculatable(op)


def _asks_for_equality(op: arith.CmpiOp) -> bool:
    return predicate_of(op) in ("eq", "ne")


def _is_grid_loop(op: Operation) -> bool:
    """Whether the iterations of a loop are further outputs: `wg-hoist-grid-loops` turns it."""
    return isinstance(op, scf.ForOp) and not op.iter_args and _is_of_grid(op.step)


def _is_of_grid(step: SSAValue) -> bool:
    """Whether a loop goes on by the global size: its iterations are further outputs."""
    while isinstance(step.owner, arith.IndexCastOp | arith.TruncIOp | arith.ExtUIOp):
        step = step.owner.operands[0]
    return isinstance(step.owner, ocl.GlobalSizeOp)


def _has_loop_of_rows(kernel: ocl.KernelOp, facts: Uniformity, dimension: int) -> bool:
    """Whether neighbours access neighbouring elements in each iteration of a long loop, such as one
    down the columns of a matrix."""
    for access in accesses_in(kernel.body):
        if ocl.space_of(access.pointer) is ocl.AddressSpace.PRIVATE:
            continue
        stride = access_stride(facts, access, dimension)
        is_row = stride is not None and abs(stride) == size_of(accessed_type(access))
        # Rows that only some read are masked, which more vectors do more often.
        around = takewhile(lambda op: not isinstance(op, scf.IfOp), parents(access))
        if is_row and any(_is_long_loop(op) and _goes_on(access, op) for op in around):
            return True
    return False


def _has_loop_by_data(kernel: ocl.KernelOp, facts: Uniformity, dimension: int) -> bool:
    """Whether work-items leave a loop after numbers of iterations of their own: lanes that have
    left take the next ones of the group, of which there are to be many (`wg-vectorize`)."""
    return any(
        isinstance(op, scf.WhileOp)
        and not _bounds_coordinate(op)
        and not any(isinstance(around, scf.WhileOp | scf.ForOp) for around in parents(op))
        and facts.lanes(condition_of(op).condition).strides[dimension] is VARYING
        for op in operations_in(kernel.body)
    )


def _goes_on(access: Access, loop: Operation) -> bool:
    """Whether each iteration reads another row; a window that slides reads most of the last one."""
    if not isinstance(loop, scf.ForOp):
        return True
    step = access_stride(LoopStrides(loop), access, 0)
    return step is None or abs(step) >= LINE


def _inlined(kernel: ocl.KernelOp) -> ocl.KernelOp:
    """A copy of the kernel that calls no functions; the kernel, if these cannot be inlined."""
    copy = kernel.clone()
    module = ModuleOp(Region(Block([copy, *(f.clone() for f in called_functions(kernel))])))
    try:
        InlineFunctionsPass().apply(Context(), module)
    except PolyclError:
        return kernel
    return copy


def _is_truth(op: Operation) -> bool:
    """Whether an operation makes the number 0 or 1 of a comparison."""
    return isinstance(op, arith.ExtSIOp | arith.ExtUIOp) and op.input.type == i1


def _without_truths(kernel: ocl.KernelOp) -> ocl.KernelOp:
    """A copy in which addresses are selected instead of computed with truth values."""
    copy = kernel.clone()
    SelectTruthsPass().apply(Context(), ModuleOp([copy]))
    return copy


_BOUNDED = (
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
)


class _Usual(Uniformity):
    """Strides as they are for most work-items: no number wraps or reaches its bound."""

    def visit(self, op: Operation) -> None:
        super().visit(op)
        if isinstance(op, scf.WhileOp) and _bounds_coordinate(op):
            self.set_all(op.results, self.lanes(op.arguments[0]))

    def of_operation(self, op: Operation) -> Lanes:
        match op:
            case arith.ExtUIOp() | arith.ExtSIOp():
                return self.lanes(op.input)
            case ocl.BuiltinOp(arguments=[x, y]) if op.function.data in ("s_mul24", "u_mul24"):
                return self._product(x, y)
            case ocl.BuiltinOp(arguments=[x, y, z]) if op.function.data in ("s_mad24", "u_mad24"):
                return self._product(x, y) + self.lanes(z)
            case ocl.BuiltinOp(arguments=[x]) if op.function.data == "s_abs":
                return self.lanes(x)
            case vector.ExtractOp() if (scalar := _scalar(op)) is not None:
                return self.lanes(scalar)
            case ocl.BuiltinOp(function=function) if function.data in ("s_clamp", "u_clamp"):
                return self._bounded(op)
            case _ if isinstance(op, _BOUNDED):
                return self._bounded(op)
            case arith.AndIOp(lhs=lhs, rhs=rhs) if self._is_mask(rhs):
                return self.lanes(lhs)
            case arith.DivSIOp(lhs=lhs, rhs=rhs) | arith.DivUIOp(lhs=lhs, rhs=rhs) if (
                self._is_width(rhs)
            ):
                return _row_of(self.lanes(lhs))
            case _:
                return super().of_operation(op)

    def chosen(self, condition: SSAValue, then: SSAValue, orelse: SSAValue) -> Lanes:
        found = self._like_either(then, orelse) if self._is_border(condition) else None
        return found or super().chosen(condition, then, orelse)

    def _product(self, x: SSAValue, y: SSAValue) -> Lanes:
        if self.is_uniform(x):
            x, y = y, x
        if self.is_uniform(y):
            return self.lanes(x).scaled(constant_value(y))
        return depends_on(self.lanes(x), self.lanes(y))

    def _is_border(self, condition: SSAValue) -> bool:
        """Whether ids are compared, so that the outcome is the same for most work-items."""
        match condition.owner:
            case arith.CmpiOp() as comparison:
                sides = [self.lanes(operand).strides for operand in comparison.operands]
                return VARYING not in chain(*sides)
            case arith.AndIOp() | arith.OrIOp() as both:
                return all(map(self._is_border, both.operands))
            case _:
                return False

    def _bounded(self, op: Operation) -> Lanes:
        return self._like_either(*op.operands) or super().of_operation(op)

    def _like_either(self, *values: SSAValue) -> Lanes | None:
        """The strides of those that differ between work-items, the same forwards or backwards: a
        coordinate is mirrored at a border."""
        sides = list(dict.fromkeys(self.lanes(value) for value in values))
        sides = [lanes for lanes in sides if lanes != UNIFORM] or [UNIFORM]
        if len(sides) == 2 and sides[0] == sides[1].scaled(-1):
            sides.pop()
        return sides[0] if len(sides) == 1 else None

    def _is_mask(self, value: SSAValue) -> bool:
        """Whether `i & value` may wrap an index around an array with a power of two of rows."""
        number = constant_value(value)
        return self.is_uniform(value) if number is None else number + 1 >= ROW

    def _is_width(self, value: SSAValue) -> bool:
        """Whether `i / value` may be the row of element `i` of an array."""
        number = constant_value(value)
        return self.is_uniform(value) if number is None else number >= ROW


def _row_of(lanes: Lanes) -> Lanes:
    """The strides of `i / width`: neighbouring elements are mostly in one row."""
    return Lanes(*(0 if stride in (-1, 1) else stride for stride in lanes.strides)).blurred()


def _scalar(op: vector.ExtractOp) -> SSAValue | None:
    """What is extracted from a vector of scalars, such as coordinates in an `int2`."""
    owner, position = op.vector.owner, op.static_position.get_values()[0]
    if not isinstance(owner, ocl.ConcatOp) or not 0 <= position < len(owner.operands):
        return None
    is_vector = any(isinstance(part.type, VectorType) for part in owner.operands)
    return None if is_vector else owner.operands[position]


@dataclass(frozen=True)
class _Cost:
    """What an access of a work-item costs beside that of its neighbour along each dimension; None
    where it is not known how far apart they are."""

    weight: int
    along: tuple[float | None, ...]

    def may_be_nearer(self, other: int, first: int) -> bool:
        """Whether neighbours along another dimension may be nearer than those along the first."""
        mine, its = self.along[first], self.along[other]
        return mine is None or (its is not None and its < mine)


def _costs(kernel: ocl.KernelOp, facts: Uniformity, used: list[int]) -> list[_Cost]:
    costs: list[_Cost] = []
    for access in accesses_in(kernel.body):
        if ocl.space_of(access.pointer) is ocl.AddressSpace.PRIVATE:
            continue
        # Indices from memory tell nothing, nor do those that are divided and scaled by arguments.
        found = [[lanes.strides[d] for lanes in _lanes(facts, access)] for d in used]
        if VARYING in found[-1] and not any(map(_is_known, found)):
            continue
        size = size_of(accessed_type(access))
        along: list[float | None] = []
        for dimension in range(3):
            stride = access_stride(facts, access, dimension)
            if stride is None or is_of_one(access, stride):
                along.append(None)
            else:
                along.append(min(_FAR, max(_SAME, abs(stride) / size)))
        costs.append(_Cost(_weight(access), tuple(along)))
    return costs


def _mean(costs: list[_Cost], dimension: int) -> float:
    weights = sum(cost.weight for cost in costs)
    along = [(cost.weight, cost.along[dimension]) for cost in costs]
    total = sum(weight * (_FAR if one is None else one) for weight, one in along)
    return total / weights if weights else _FAR


def _is_known(strides: Iterable[Stride]) -> bool:
    return all(isinstance(stride, int) for stride in strides)


def _lanes(facts: Uniformity, access: Access) -> list[Lanes]:
    values = [access.pointer] if access.index is None else [access.pointer, access.index]
    return [facts.lanes(value) for value in values]


def _weight(op: Operation) -> int:
    weight = 1
    for parent in parents(op):
        weight *= LOOP_WEIGHT if isinstance(parent, scf.ForOp | scf.WhileOp) else 1
    return weight
