"""The rule for tensor cores."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float16Type
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType, nat
from polycl.dialects.pattern.mma import STEPS, work_items_of
from polycl.lowering.pattern.rules.build import make_lambda, size_of
from polycl.lowering.pattern.rules.conditions import expect, producer
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, function_rule


@function_rule("x.mma")
def multiply_fragments(op: Operation) -> Rewrite:
    """at0 o reduce-seq(\\acc,(p,q): acc + p * q,z) -> mma(transpose o p, transpose o q, z)

    acc has 16 x 8 elements of f32, p 16 and q 8 of f16, which are extended; or acc 64 x n, p 64 and
    q n. N is a multiple of 16.

    An equation cannot state it: the function is arithmetic of scalars with certain types.
    """
    op = expect(op, pattern.AtOp)
    sums = producer(op.input, pattern.ReduceSeqOp)
    steps = size_of(sums.input).quotient(nat(STEPS))
    if steps is None or steps.denominator != 1 or size_of(sums.result) != nat(1):
        raise Refused(f"it adds {size_of(sums.input)} products, expected a multiple of {STEPS}")
    rows = _rows_of_outer_product(sums)
    if work_items_of(*_sizes(sums.init)) is None:
        raise Refused(
            f"the sums are {sums.init.type}, expected 16 x 8 of f32, or 64 x a multiple of 8"
        )

    def rewrite(b: Builder) -> SSAValue:
        def part(number: int) -> SSAValue:
            types = [arg.type for arg in sums.element_args]
            body = make_lambda(types, lambda b, *values: values[number])
            steps = b.insert(pattern.MapOp(sums.input, body)).result
            return b.insert(pattern.TransposeOp(steps)).result

        return b.insert(pattern.MmaOp(part(rows), part(1 - rows), sums.init)).result

    return rewrite


def _sizes(value: SSAValue) -> tuple[int | None, int | None]:
    type = value.type
    if isinstance(type, ArrayType) and isinstance(type.element_type, ArrayType):
        rows, columns = type.size, type.element_type.size
        if rows.is_constant and columns.is_constant:
            return rows.value, columns.value
    return None, None


def _rows_of_outer_product(sums: pattern.ReduceSeqOp) -> int:
    """The number of p in the pair. Raises Refused where the function is another one."""
    accs, elements = sums.accumulator_args, sums.element_args
    if len(accs) != 1 or len(elements) != 2 or len(sums.yielded) != 1:
        raise Refused("expected a function of sums and a pair")
    rows = 0 if _is_zipped(sums.yielded[0], elements[0]) else 1
    row_args = _mapped(sums.yielded[0], accs[0], elements[rows])
    over_rows = sums.yielded[0].owner
    assert isinstance(over_rows, pattern.MapBase)
    one_args = _mapped(over_rows.yielded[0], row_args[0], elements[1 - rows])
    over_columns = over_rows.yielded[0].owner
    assert isinstance(over_columns, pattern.MapBase)
    total = over_columns.yielded[0].owner
    if not isinstance(total, arith.AddfOp):
        raise Refused("expected a sum")
    others = [value for value in total.operands if value is not one_args[0]]
    product = others[0].owner if len(others) == 1 else None
    if not isinstance(product, arith.MulfOp):
        raise Refused("expected the sum of the accumulator and a product")
    factors = {_extended(value) for value in product.operands}
    if factors != {row_args[1], one_args[1]}:
        raise Refused("expected the product of two elements of f16, which are extended to f32")
    return rows


def _is_zipped(value: SSAValue, second: SSAValue) -> bool:
    over = value.owner
    pairs = over.input.owner if isinstance(over, pattern.MapBase) else None
    return isinstance(pairs, pattern.ZipOp) and second in pairs.inputs


def _mapped(value: SSAValue, first: SSAValue, second: SSAValue) -> list[SSAValue]:
    """The arguments of f in `map(f) o zip(first, second)`."""
    over = value.owner
    pairs = over.input.owner if isinstance(over, pattern.MapBase) else None
    if (
        not isinstance(over, pattern.MapBase)
        or not isinstance(pairs, pattern.ZipOp)
        or list(pairs.inputs) != [first, second]
        or len(over.element_args) != 2
        or len(over.yielded) != 1
    ):
        raise Refused("expected a map over a zip of the sums and a part of the pair")
    return list(over.element_args)


def _extended(value: SSAValue) -> SSAValue | None:
    owner = value.owner
    if isinstance(owner, arith.ExtFOp) and owner.operands[0].type == Float16Type():
        return owner.operands[0]
    return None


RULES = (multiply_fragments,)
