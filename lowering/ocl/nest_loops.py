"""`nest-loops`: a loop over the elements of a window, one after the other, is one over rows."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.remarks import emit_remark

MOST_ITERATIONS = 1 << 10
"""Of a window. A loop over more is rather along rows, which vectors read as a whole."""

_BITS = MOST_ITERATIONS.bit_length()

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
_QUOTIENTS = (arith.DivSIOp, arith.DivUIOp)
_REMAINDERS = (arith.RemSIOp, arith.RemUIOp)


@dataclass(frozen=True)
class NestLoopsPass(ModulePass):
    """Make two loops of one whose counter is divided into a row and a column.

    ```
    scf.for %k = %c0 to %c72 step %c1 {            scf.for %q = %c0 to %c24 step %c1 {
      %i = arith.remsi %k, %c3                       scf.for %i = %c0 to %c3 step %c1 {
      %j = arith.divsi %k, %c3                ->       %k = %q * 3 + %i
      ... %i ... %j ... %k ...                         ... %i ... %q ... %k ...
    }                                                }
                                                   }
    ```

    So `for (k = 0; k < 9; k++) s += in[(y + k / 3) * w + x + k % 3]` is what it is with a loop for
    rows and one for columns: addresses go on by the same amount in each iteration, and what a row
    needs is computed once for it. The order of the iterations is kept. The outer loop may be
    divided again (`k / 9`, `k / 3 % 3`). The number of iterations is known, and a multiple of the
    divisor. Loops with barriers stay.
    """

    name = "nest-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            parts, outer = 1, loop
            while (divisor := _divisor(outer)) is not None:
                outer, parts = _nest(outer, divisor), parts + 1
            if parts > 1:
                emit_remark(outer, self.name, f"{parts} loops, by the divisions of its counter")


def _divisor(loop: scf.ForOp) -> int | None:
    """The least number by which the counter is divided both ways: quotient and remainder."""
    count = trip_count(loop)
    if count is None or not 1 < count <= MOST_ITERATIONS:
        return None
    if (constant_index(loop.lb), constant_index(loop.step)) != (0, 1):
        return None
    divisions = _divisions(loop.body.block.args[0])
    if not divisions or operations_of(loop.body, *CUTS):
        return None
    rests = {number for op, number in divisions if isinstance(op, _REMAINDERS)}
    quotients = {number for op, number in divisions if isinstance(op, _QUOTIENTS)}
    found = (
        number
        for number in sorted(rests)
        if count % number == 0
        and number < count
        and any(other % number == 0 for other in quotients)
    )
    return next(found, None)


def _divisions(counter: SSAValue) -> list[tuple[Operation, int]]:
    """The divisions of a counter by constants, and the constants."""
    found: list[tuple[Operation, int]] = []
    values = [counter]
    while values:
        for use in values.pop().uses:
            op = use.operation
            if isinstance(op, _CASTS):
                type = op.results[0].type
                # Narrower numbers wrap.
                if type == IndexType() or width_of(type) > _BITS:
                    values.append(op.results[0])
            elif isinstance(op, _QUOTIENTS + _REMAINDERS) and use.index == 0:
                number = constant_value(op.operands[1])
                if number is not None and number > 1:
                    found.append((op, number))
    return found


def _nest(loop: scf.ForOp, divisor: int) -> scf.ForOp:
    """The outer one of two loops, of which the inner one has `divisor` iterations."""
    count = trip_count(loop)
    assert count is not None
    divisions = _divisions(loop.body.block.args[0])
    build, old = Build(loop), loop.body.block
    zero, one = build.index(0), build.index(1)
    carried = [value.type for value in loop.iter_args]
    outer_body, inner_body = (Block(arg_types=[IndexType(), *carried]) for _ in range(2))
    many = build.index(count // divisor)
    outer = scf.ForOp(zero, many, one, loop.iter_args, Region(outer_body))
    inner_end = build.index(divisor)
    inner = scf.ForOp(zero, inner_end, one, outer_body.args[1:], Region(inner_body))
    outer.attributes, inner.attributes = dict(loop.attributes), dict(loop.attributes)
    build.emit_void(outer)
    in_outer = Build(loop, outer_body)
    in_outer.emit_void(inner)
    in_outer.emit_void(scf.YieldOp(*inner.results))
    row, column = outer_body.args[0], inner_body.args[0]
    row.name_hint = column.name_hint = old.args[0].name_hint
    in_rows, in_columns = Build(loop, InsertPoint.before(inner)), Build(loop, inner_body)
    number = in_columns.add(in_columns.mul(row, inner_end), column)
    Rewriter.inline_block(old, InsertPoint.at_end(inner_body), [number, *inner_body.args[1:]])
    start = InsertPoint.after(number.owner)  # pyright: ignore[reportArgumentType]
    in_columns = Build(loop, start)
    for op, by in divisions:
        if by % divisor:
            continue
        type = op.results[0].type
        part = in_rows.index_cast(row, type)
        if by != divisor:
            kind = arith.DivUIOp if isinstance(op, _QUOTIENTS) else arith.RemUIOp
            part = in_rows.alike(kind, part, in_rows.constant(by // divisor, type))
        if isinstance(op, _REMAINDERS):
            rest = in_columns.index_cast(column, type)
            if by != divisor:
                first = in_rows.mul(part, in_rows.constant(divisor, type))
                rest = in_columns.add(first, rest)
            part = rest
        Rewriter.replace_op(op, [], [part])
    Rewriter.replace_op(loop, [], outer.results)
    erase_unused(outer.body)
    return outer
