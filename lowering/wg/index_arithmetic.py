"""`index-arithmetic`: 64-bit arithmetic on ids is arithmetic on indices."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i32, i64
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.cut_sums import may_wrap
from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.intervals import LARGEST, Bounds, Interval, interval
from polycl.analysis.ocl.linear import Linear, Sums
from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in
from polycl.lowering.build import Build


@dataclass(frozen=True)
class IndexArithmeticPass(ModulePass):
    """Compute in `index` where all operands of 64-bit arithmetic are indices or constants.

    ```
    %g = arith.index_cast %group : index to i64      %0 = arith.muli %group, %c64 : index
    %0 = arith.muli %g, %c64 : i64                   %1 = arith.addi %0, %x : index
    %l = arith.index_cast %x : index to i64     ->   %i = arith.index_cast %1 : index to i32
    %1 = arith.addi %0, %l : i64
    %i = arith.trunci %1 : i64 to i32
    ```

    An index has 64 bits, so both are the same number; `get_group_id(0) * get_local_size(0) +
    get_local_id(0)` then looks like the global id. So does an `uint` that is extended, where ids
    and counters of loops, which are below 2^31, make sums from 0 to 2^32 - 1. A sum that 32 bits
    may not hold (`get_local_id(0) + 2147483640u`) is cut as before. `l | 64` of a local id below 64
    is `l + 64`, `y << 9 | x & 511` is a sum, and `~x` is `-1 - x`.
    """

    name = "index-arithmetic"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            compute_in_index(function.body, function)


def compute_in_index(body: Region, function: wg.FuncOp) -> None:
    """What the pass does, in a part of a function."""
    # One of each for all: what a value depends on comes before it, and does not change again. Of
    # a hash function's sums each is a part of all that follow.
    sums, ranges = Sums(), Bounds()
    for op in operations_in(body):
        if isinstance(op, arith.ExtUIOp | arith.ExtSIOp) and _is_counter(op.input):
            _extend_counter(op)
        elif isinstance(op, arith.ExtUIOp):
            _extend(op, function, sums)
        elif isinstance(op, arith.OrIOp | arith.XOrIOp):
            _add_bits(op, function, sums, ranges)
        else:
            _rewrite(op)
    for op in reversed(operations_in(body)):
        if isinstance(op, arith.IndexCastOp) and op.result.first_use is None:
            Rewriter.erase_op(op)


def _rewrite(op: Operation) -> None:
    match op:
        case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() if op.result.type == i64:
            sides = [_as_index(operand) for operand in op.operands]
            if None in sides or all(constant_value(operand) is not None for operand in op.operands):
                return
            build = Build(op)
            lhs, rhs = (_constant_or(side, build) for side in sides)
            value = build.emit(type(op)(lhs, rhs))
            value.name_hint = op.result.name_hint
            Rewriter.replace_op(op, [], [build.index_cast(value, i64)])
        case arith.TruncIOp() | arith.IndexCastOp():
            source = op.input.owner
            if op.input.type != i64 or may_wrap(op):
                return
            if isinstance(source, arith.IndexCastOp):
                value = Build(op).index_cast(source.input, op.result.type)
                if value.name_hint is None:
                    value.name_hint = op.result.name_hint
                Rewriter.replace_op(op, [], [value])
        case _:
            pass


def _extend(op: arith.ExtUIOp, function: wg.FuncOp, sums: Sums) -> None:
    """Compute an unsigned sum of 32 bits that does not wrap as an index."""
    if op.input.type != i32 or op.result.type != i64:
        return
    sum = evaluate(op.input, sums)
    least, most = _bounds(sum, function)
    if sum.factors and 0 <= least and most < 1 << 32:
        build = Build(op)
        constant = [(None, sum.number)] if sum.number else []
        value = build.linear([*sum.factors.items(), *constant])
        value.name_hint = value.name_hint or op.input.name_hint
        Rewriter.replace_op(op, [], [build.index_cast(value, i64)])


def _add_bits(
    op: arith.OrIOp | arith.XOrIOp, function: wg.FuncOp, sums: Sums, ranges: Bounds
) -> None:
    """Make a sum of an `or` of numbers that share no bit: all bits of one are above the other's;
    and of `~x`, which is `-1 - x`."""
    for low, high in (op.operands, reversed(op.operands)):
        if not isinstance(low.type, IntegerType | IndexType) or bits_of(low.type) == 1:
            continue
        if isinstance(op, arith.XOrIOp) and constant_value(high) == -1:
            Rewriter.replace_op(op, arith.SubiOp(high, low))
            return
        above = _lowest_bit(high)
        found = (_bounds(evaluate(low, sums), function), evaluate(low, ranges))
        if any(0 <= least and most < above for least, most in found):
            Rewriter.replace_op(op, arith.AddiOp(low, high))
            return


def _lowest_bit(value: SSAValue) -> int:
    """A power of two that divides a number, which is not negative if it is constant."""
    number = constant_value(value)
    if number is not None:
        return number & -number if number > 0 else 1
    op = value.owner
    amount = constant_value(op.rhs) if isinstance(op, arith.ShLIOp) else None
    return 1 << amount if amount is not None and 0 <= amount < bits_of(value.type) else 1


def _bounds(sum: Linear, function: wg.FuncOp) -> tuple[float, float]:
    """The least and the largest value of a sum of ids and counters; infinite for any other one."""
    if any(value.type != IndexType() for value in sum.factors):
        return -inf, inf
    least: float = sum.number
    most: float = sum.number
    for value, factor in sum.factors.items():
        low, high = _range(value, function)
        least += factor * (low if factor > 0 else high)
        most += factor * (high if factor > 0 else low)
    return least, most


def _is_counter(value: SSAValue) -> bool:
    """Whether an index was cast to a type that holds it, as a non-negative number."""
    return isinstance(value.owner, arith.IndexCastOp) and interval(value)[0] >= 0


def _extend_counter(op: arith.ExtUIOp | arith.ExtSIOp) -> None:
    """Cast a counter, say of type `uchar`, at once to the type that it is extended to."""
    assert isinstance(op.input.owner, arith.IndexCastOp)
    value = Build(op).index_cast(op.input.owner.input, op.result.type)
    value.name_hint = op.result.name_hint
    Rewriter.replace_op(op, [], [value])


def _range(value: SSAValue, function: wg.FuncOp) -> Interval:
    """The bounds of an id or a counter; infinite for anything else."""
    owner = value.owner
    home = owner.parent_op() if isinstance(owner, Block) else None
    match owner:
        case ocl.GroupIdOp():
            sizes = function.local_size
            size = 1 if sizes is None else sizes.get_values()[owner.dimension]
            return 0, (LARGEST - 1) // size
        case ocl.GlobalOffsetOp():
            return 0, LARGEST - 1
        case _ if isinstance(home, wg.ParallelOp) and isinstance(value, BlockArgument):
            size = constant_index(home.sizes[value.index])
            return (0, LARGEST - 1) if size is None else (0, size - 1)
        case _:
            return interval(value)


def _as_index(value: SSAValue) -> SSAValue | int | None:
    """The index that was cast, or a number."""
    number = constant_value(value)
    if number is not None:
        return number
    owner = value.owner
    if isinstance(owner, arith.IndexCastOp) and owner.input.type == IndexType():
        return owner.input
    return None


def _constant_or(value: SSAValue | int | None, build: Build) -> SSAValue:
    assert value is not None
    return build.index(value) if isinstance(value, int) else value
