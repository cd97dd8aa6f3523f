"""`tta-widen-loops`: loops whose bounds may not fit a 32-bit index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED

MOST = 1 << 30
"""The most iterations of one part, times the step."""

_BY_ALL_BITS = (
    *(arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp),
    *(arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.ShRSIOp, arith.ShRUIOp),
)

_index = IndexType()
_Range: TypeAlias = tuple[int, int]
"""The least and the greatest possible value."""

_WORD: _Range = (-(1 << 31), (1 << 31) - 1)
_LONG: _Range = (-(1 << 63), (1 << 63) - 1)


@dataclass(frozen=True)
class TtaWidenLoopsPass(ModulePass):
    """Count in 64 bits if 32 may not be enough.

    ```
    %ub = arith.index_cast %n : i64 to index        %size = %n - %lb, or 0 : i64
    scf.for %i = %lb to %ub step %c1 {              scf.for %done = 0 to %size step 2^30 : i64 {
      ... %i ...                             ->       %part = min(%size - %done, 2^30)
    }                                                 scf.for %t = 0 to %part step %c1 {
                                                        ... %lb + %done + %t ...
    ```

    `scf.for` counts in `index`, which has 32 bits on the simulated processor. A counter of type
    `long` may start at any number, so the loop is split into parts of at most 2^30, each of which
    counts from 0 in 32 bits; nearly all loops have one part. If the step is not constant, the whole
    loop counts in 64 bits. Loops whose bounds are not negative and fit `uint` get the attribute
    `unsignedCmp`, which `scf-to-cf` reads.

    Indices that are computed from 64-bit numbers are computed in 64 bits if their upper half
    counts. In C, `int` does not overflow, and no size or id exceeds the memory, so sums of such
    numbers fit 32 bits.
    """

    name = "tta-widen-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Outer loops first: then the bounds of inner loops are seen to be wide.
        for loop in [o for o in op.walk() if isinstance(o, scf.ForOp)]:
            if loop.lb.type == _index:
                _widen(loop)
        for inner in list(op.walk()):
            _compute_in_64_bits(inner)


def _widen(loop: scf.ForOp) -> None:
    bounds = [_range_of(value) for value in (loop.lb, loop.ub)]
    low, high = min(r[0] for r in bounds), max(r[1] for r in bounds)
    step = constant_index(loop.step)
    if low >= _WORD[0] and high <= _WORD[1] and _fits(_range_of(loop.step)):
        return
    if low >= 0 and high < 1 << 32 and step == 1:
        loop.attributes[UNSIGNED] = UnitAttr()
        _cast_by_zeros(loop.body.block.args[0])
    elif step is not None and 0 < step <= MOST:
        _split(loop, step)
    else:
        _count_in_64_bits(loop)


def _cast_by_zeros(counter: SSAValue) -> None:
    for use in list(counter.uses):
        if isinstance(use.operation, arith.IndexCastOp) and use.operation.result.type == i64:
            word = arith.IndexCastOp(counter, i32)
            Rewriter.replace_op(use.operation, [word, arith.ExtUIOp(word.result, i64)])


def _split(loop: scf.ForOp, step: int) -> None:
    build = _Builder(loop)
    most = build.constant(MOST // step * step, i64)
    lb, ub = (build.as_i64(bound) for bound in (loop.lb, loop.ub))
    zero = build.constant(0, i64)
    # The difference may have 64 bits: 2^62 iterations take years.
    size = build.min(build.sub(ub, lb), build.constant(1 << 62, i64), signed=False)
    size = build.select(build.compare("slt", lb, ub), size, zero)

    types = [value.type for value in loop.iter_args]
    outer_block = Block(arg_types=[i64, *types])
    outer = scf.ForOp(zero, size, most, loop.iter_args, Region(outer_block))
    outer.location = loop.location
    done, *carried = outer_block.args

    build.point = InsertPoint.at_end(outer_block)
    first = build.add(lb, done)
    rest = build.min(build.sub(size, done), most, signed=True)
    part = build.as_index(rest)
    inner_loop = scf.ForOp(
        build.index(0),
        part,
        build.index(step),
        carried,
        loop.detach_region(loop.body),
    )
    inner_loop.location = loop.location
    inner_loop.attributes = dict(loop.attributes)
    Rewriter.insert_op([inner_loop, scf.YieldOp(*inner_loop.results)], build.point)

    body = inner_loop.body.block
    count = body.args[0]
    build.point = InsertPoint.before(inner_loop)
    start = build.as_index(first)
    _replace_counter(
        count,
        _Builder(loop, InsertPoint.at_start(body)),
        lambda b: b.add(start, count),
        lambda b: b.add(first, b.index_cast(count, i64)),
    )
    Rewriter.replace_op(loop, outer)


def _count_in_64_bits(loop: scf.ForOp) -> None:
    build = _Builder(loop)
    lb, ub, step = (build.as_i64(value) for value in (loop.lb, loop.ub, loop.step))
    inits, body = list(loop.iter_args), loop.detach_region(loop.body)
    old = body.block.args[0]
    counter = body.block.insert_arg(i64, 0)
    _replace_counter(
        old,
        _Builder(loop, InsertPoint.at_start(body.block)),
        lambda b: b.as_index(counter),
        lambda b: counter,
    )
    body.block.erase_arg(old)
    new = scf.ForOp(lb, ub, step, inits, body)
    new.location = loop.location
    new.attributes = dict(loop.attributes)
    Rewriter.replace_op(loop, new)


def _compute_in_64_bits(op: Operation) -> None:
    """Widens an operation that depends on all bits: comparisons, quotients, casts to 64 bits."""
    if not op.operands or op.operands[0].type != _index or isinstance(op, scf.ForOp):
        return
    if all(_fits(_range_of(operand)) for operand in op.operands if operand.type == _index):
        return
    build = _Builder(op)
    match op:
        case arith.IndexCastOp() if op.result.type == i64:
            Rewriter.replace_op(op, [], [build.as_i64(op.input)])
        case arith.CmpiOp():
            new = arith.CmpiOp(build.as_i64(op.lhs), build.as_i64(op.rhs), op.predicate.value.data)
            Rewriter.replace_op(op, [], [build.emit(new)])
        case _ if isinstance(op, _BY_ALL_BITS):
            operands = [build.as_i64(op.lhs), build.as_i64(op.rhs)]
            new = build.emit(type(op).create(operands=operands, result_types=[i64]))
            Rewriter.replace_op(op, [], [build.as_index(new)])
        case _:
            pass


def _replace_counter(
    counter: SSAValue,
    build: _Builder,
    narrow: Callable[[_Builder], SSAValue],
    wide: Callable[[_Builder], SSAValue],
) -> None:
    """Replaces all uses of a counter: casts to i64 by `wide`, the others by `narrow`."""
    uses = list(counter.uses)
    casts = [
        use.operation
        for use in uses
        if isinstance(use.operation, arith.IndexCastOp) and use.operation.result.type == i64
    ]
    others = [use for use in uses if use.operation not in casts]
    if others:
        value = narrow(build)
        for use in others:
            use.operation.operands[use.index] = value
    if casts:
        value = wide(build)
        for cast in casts:
            Rewriter.replace_op(cast, [], [value])


class _Builder(Build):
    def as_i64(self, value: SSAValue) -> SSAValue:
        """An index with all its bits."""
        match value.owner:
            case arith.IndexCastOp(input=inner) if inner.type == i64:
                return inner
            case (
                arith.AddiOp() | arith.SubiOp() | arith.MuliOp() | arith.MinSIOp() | arith.MaxSIOp()
            ) as op if not _fits(_range_of(value)):
                operands = [self.as_i64(op.lhs), self.as_i64(op.rhs)]
                return self.emit(type(op).create(operands=operands, result_types=[i64]))
            case arith.SelectOp() as op if not _fits(_range_of(value)):
                return self.select(op.cond, self.as_i64(op.lhs), self.as_i64(op.rhs))
            case _:
                return self.index_cast(value, i64)


# Ranges


def _fits(found: _Range) -> bool:
    return _WORD[0] <= found[0] and found[1] <= _WORD[1]


def _range_of(value: SSAValue, depth: int = 16) -> _Range:
    """The range of a 64-bit integer, or of an index as if it had 64 bits."""
    widest = _WORD if value.type == _index else _LONG
    if depth == 0:
        return _LONG
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as number):
            return number.value.data, number.value.data
        case arith.IndexCastOp(input=inner) if inner.type in (_index, i64):
            return _range_of(inner, depth - 1)
        case arith.ExtSIOp(input=inner) | arith.IndexCastOp(input=inner):
            assert isinstance(inner.type, IntegerType)
            half = 1 << inner.type.width.data - 1
            return -half, half - 1
        case arith.ExtUIOp(input=inner):
            assert isinstance(inner.type, IntegerType)
            return 0, (1 << inner.type.width.data) - 1
        case (
            arith.AddiOp() | arith.SubiOp() | arith.MuliOp() | arith.MinSIOp() | arith.MaxSIOp()
        ) as op:
            a, b = (_range_of(operand, depth - 1) for operand in (op.lhs, op.rhs))
            found = _combined(op, a, b)
        case arith.SelectOp() as op:
            a, b = (_range_of(operand, depth - 1) for operand in (op.lhs, op.rhs))
            found = min(a[0], b[0]), max(a[1], b[1])
        case _:
            return widest
    if value.type == _index and _fits(a) and _fits(b):
        # A sum of sizes is a size, which fits an index.
        return max(found[0], _WORD[0]), min(found[1], _WORD[1])
    return found if _LONG[0] <= found[0] and found[1] <= _LONG[1] else _LONG


def _combined(op: Operation, a: _Range, b: _Range) -> _Range:
    match op:
        case arith.AddiOp():
            return a[0] + b[0], a[1] + b[1]
        case arith.SubiOp():
            return a[0] - b[1], a[1] - b[0]
        case arith.MinSIOp():
            return min(a[0], b[0]), min(a[1], b[1])
        case arith.MaxSIOp():
            return max(a[0], b[0]), max(a[1], b[1])
        case _:
            products = [x * y for x in a for y in b]
            return min(products), max(products)
