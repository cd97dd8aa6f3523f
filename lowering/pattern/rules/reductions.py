"""Rules for reductions that the paper leaves out, but its Figure 9 and a fast gemv need."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polycl.dialects.pattern import (
    ArrayType,
    AsScalarOp,
    AsVectorOp,
    GenerateOp,
    JoinOp,
    MapOp,
    PartRedOp,
    ReduceOp,
    SplitOp,
    TransposeOp,
    ZipOp,
    nat,
)
from polycl.dialects.pattern.neutral import is_neutral
from polycl.dialects.pattern.types import is_scalar
from polycl.lowering.pattern.rules.build import (
    call_reducer,
    element_of,
    make_lambda,
    one,
    size_of,
)
from polycl.lowering.pattern.rules.conditions import (
    associative,
    commutative,
    divide,
    expect,
    neutral,
    only,
)
from polycl.lowering.pattern.rules.opencl import WIDTHS, check_vectorizable, vect_lambda
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, rule
from polycl.lowering.pattern.rules.vectors import splat


@rule("x.reduce-one")
def reduce_one_is_id(op: Operation) -> Rewrite:
    """reduce(f,z) -> id

    Of an array of one; z is neutral.
    """
    op = expect(op, ReduceOp, PartRedOp)
    neutral(op)
    if size_of(op.input) != one():
        raise Refused(f"it reduces {size_of(op.input)} elements, expected 1")
    return lambda b: op.input


@rule("x.part-red-vect", n=WIDTHS)
def part_red_vectorized(op: Operation, n: int) -> Rewrite:
    """part-red(f,z) -> asScalar o part-red(vect^n(f), vect^n(z)) o asVector^n

    n divides the size and m; f is arithmetic on scalars, associative and commutative.
    """
    op = expect(op, PartRedOp)
    associative(op)
    commutative(op)
    divide(op, size_of(op.input), nat(n), "n")
    m = divide(op, size_of(op.result), nat(n), "n")
    if not is_scalar(op.init.type):
        raise Refused(f"there are no vectors of {op.init.type}")
    check_vectorizable(op.body)

    def rewrite(b: Builder) -> SSAValue:
        vectors = b.insert(AsVectorOp(op.input, n)).result
        part = PartRedOp(
            vectors,
            splat(b, op.init, n),
            vect_lambda(op, n),
            m,
            assoc=True,
            comm=True,
            neutral=is_neutral(op),
        )
        return b.insert(AsScalarOp(b.insert(part).result)).result

    return rewrite


@rule("x.accumulators")
def part_red_accumulators(op: Operation) -> Rewrite:
    """part-red(f,z) -> join o reduce(\\accs,xs: map(f) o zip(accs,xs), z^m) o split^m

    m accumulators go through the array side by side: result i combines the elements i, i+m,
    i+2m... m divides the size; f is associative and commutative.
    """
    op = expect(op, PartRedOp)
    associative(op)
    commutative(op)
    m = size_of(op.result)
    divide(op, size_of(op.input), m, "m")
    if m == one():
        raise Refused("it leaves one element: there would be one accumulator")

    def rewrite(b: Builder) -> SSAValue:
        rows = b.insert(SplitOp(op.input, m)).result
        return b.insert(JoinOp(_reduce_rows(b, op, rows))).result

    return rewrite


@rule("x.map-reduce")
def map_reduce_interchanged(op: Operation) -> Rewrite:
    """map(reduce(f,z)) -> transpose o reduce(\\accs,xs: map(f) o zip(accs,xs), z^m) o transpose

    The rows are reduced side by side: an accumulator for each. z is the same for all rows.
    """
    op = expect(op, MapOp)
    reduction = only(op, ReduceOp)
    if reduction.input is not op.body.block.args[0] or len(op.body.block.args) != 1:
        raise Refused("the function reduces something else than its argument")
    if reduction.init.owner in (op.body.block, *op.body.block.ops):
        raise Refused("the initial value depends on the row")

    def rewrite(b: Builder) -> SSAValue:
        columns = b.insert(TransposeOp(op.input)).result
        return b.insert(TransposeOp(_reduce_rows(b, reduction, columns))).result

    return rewrite


def _reduce_rows(b: Builder, op: ReduceOp | PartRedOp, rows: SSAValue) -> SSAValue:
    """The reduction of an array of rows, element by element: an array of one row."""
    row = element_of(rows)
    assert isinstance(row, ArrayType)

    def combine(b: Builder, accumulators: SSAValue, elements: SSAValue) -> SSAValue:
        pairs = b.insert(ZipOp(accumulators, elements)).result
        return b.insert(MapOp(pairs, make_lambda([op.init.type] * 2, call_f))).result

    def call_f(b: Builder, accumulator: SSAValue, element: SSAValue):
        return call_reducer(b, op, [accumulator], [element])

    start = make_lambda([IndexType()], lambda b, _: op.init)
    result = ReduceOp(
        rows,
        b.insert(GenerateOp(row.size, start)).result,
        make_lambda([row, row], combine),
        assoc=op.assoc is not None,
        comm=op.comm is not None,
        neutral=is_neutral(op),
    )
    return b.insert(result).result
