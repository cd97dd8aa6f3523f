"""Rules for copies: which elements are copied in which order, and by whom.

A copy is a map whose function is the identity; of arrays of arrays, also one of copies of its rows.
`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import TupleType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType, NatAttr
from polycl.dialects.pattern.memory import needs_in_block
from polycl.lowering.pattern.rules.build import element_of, make_lambda
from polycl.lowering.pattern.rules.conditions import condition, expect, producer, short, used_once
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.rule import Counts, Refused, Rewrite, Sizes, function_rule


@condition("f is the identity")
def copies(op: Operation, sizes: Environment) -> None:
    assert isinstance(op, pattern.MapBase)
    if not _is_copy(op):
        raise Refused("the function of this map is not the identity")


def _is_copy(op: pattern.MapBase) -> bool:
    block = op.body.block
    if len(block.args) != 1 or len(op.yielded) != 1:
        return False
    (value,) = op.yielded
    if value is block.args[0]:
        return True
    rows = value.owner
    return isinstance(rows, pattern.MapBase) and rows.input is block.args[0] and _is_copy(rows)


@condition("the elements are arrays")
def of_rows(op: Operation, sizes: Environment) -> None:
    if not isinstance(element_of(op.operands[0]), ArrayType):
        raise Refused("the elements are not arrays")


@condition("the rows have n elements")
def of_n_elements(op: Operation, sizes: Environment) -> None:
    of_rows.check(op, sizes)
    row = element_of(op.operands[0])
    assert isinstance(row, ArrayType)
    if row.size != sizes["n"]:
        raise Refused(f"the rows have {row.size} elements, not {sizes['n']}")


@condition("X reads an array of pairs")
def of_pairs(op: Operation, sizes: Environment) -> None:
    first = op.operands[0].type if op.operands else None
    element = first.element_type if isinstance(first, ArrayType) else None
    if not isinstance(element, TupleType) or len(element.types) != 2:
        raise Refused(f"expected {short(op)} to read an array of pairs")


def _row_sizes(op: Operation) -> list[NatAttr]:
    row = element_of(op.operands[0]) if isinstance(op, pattern.MapBase) else None
    return [row.size] if isinstance(row, ArrayType) else []


@function_rule("x.copy-rows")
def copy_rows(op: Operation) -> Rewrite:
    """map(id) -> map(map(id))

    The elements are arrays.

    An equation cannot state it: the identity is no argument of a pattern on the left.
    """
    op = expect(op, pattern.MapOp)
    copies.check(op, {})
    of_rows.check(op, {})

    def rewrite(b: Builder) -> SSAValue:
        def row(b: Builder, value: SSAValue) -> SSAValue:
            return b.insert(pattern.MapOp(value, _identity(element_of(value)))).result

        return b.insert(pattern.MapOp(op.input, make_lambda([element_of(op.input)], row))).result

    return rewrite


def _identity(type):  # pyright: ignore
    return make_lambda([type], lambda b, value: value)


@function_rule("x.parts")
def parts(op: Operation) -> Rewrite:
    """X -> X o zip(map(\\a,b: a), map(\\a,b: b))

    X reads an array of pairs.

    An equation cannot state it: it changes what X reads, not X.
    """
    of_pairs.check(op, {})
    pairs = op.operands[0]

    def rewrite(b: Builder) -> list[SSAValue]:
        def part(number: int) -> SSAValue:
            element = element_of(pairs)
            assert isinstance(element, TupleType)
            body = make_lambda(list(element.types), lambda b, *values: values[number])
            return b.insert(pattern.MapOp(pairs, body)).result

        both = b.insert(pattern.ZipOp(part(0), part(1))).result
        copy = op.clone()
        copy.operands[0] = both
        return list(b.insert(copy).results)

    return rewrite


@function_rule("x.local-out")
def view_in_local(op: Operation) -> Rewrite:
    """p o toLocal(f) -> toLocal(p o f)

    p is split, join, transpose or asScalar. toLocal has no other marks, and its value no other
    uses.

    An equation cannot state it: toLocal has no function in the IR, but marks a value.
    """
    op = expect(op, pattern.TransposeOp, pattern.SplitOp, pattern.JoinOp, pattern.AsScalarOp)
    mark = producer(op.input, pattern.ToLocalOp)
    used_once(mark)
    if mark.elements_ahead or mark.padding or mark.swizzled is not None:
        raise Refused("toLocal has further marks, which are of its own elements")

    def rewrite(b: Builder) -> SSAValue:
        view = b.insert(op.clone({op.input: mark.input})).results[0]
        return b.insert(pattern.ToLocalOp(view)).result

    return rewrite


@function_rule("x.ahead", n=Counts(lambda _: (1, 2, 3)))
def ahead(op: Operation, n: int) -> Rewrite:
    """toLocal(f) -> toLocal-ahead^n(f)

    In the function of a reduce-seq; f does not depend on the accumulator.

    An equation cannot state it: toLocal-ahead is a mark of toLocal, which computes the same.
    """
    op = expect(op, pattern.ToLocalOp)
    around = op.parent_op()
    if not isinstance(around, pattern.ReduceSeqOp):
        raise Refused("it is not in the function of a reduce_seq")
    if any(value in around.accumulator_args for value in needs_in_block(op)):
        raise Refused("it depends on the accumulator")
    if op.elements_ahead or n < 1:
        raise Refused("it is marked already" if op.elements_ahead else f"n = {n} is less than 1")

    swizzled = op.swizzled is not None
    return lambda b: b.insert(pattern.ToLocalOp(op.input, n, op.padding, swizzled=swizzled)).result


@function_rule("x.pad", n=Counts(lambda _: (1, 4)))
def pad(op: Operation, n: int) -> Rewrite:
    """toLocal(f) -> toLocal-pad^n(f)

    f makes an array.

    An equation cannot state it: toLocal-pad is a mark of toLocal, which computes the same.
    """
    op = expect(op, pattern.ToLocalOp)
    if n < 1:
        raise Refused(f"n = {n} is less than 1")
    _has_no_layout(op)

    return lambda b: b.insert(pattern.ToLocalOp(op.input, op.elements_ahead, n)).result


@function_rule("x.swizzle")
def swizzle(op: Operation) -> Rewrite:
    """toLocal(f) -> toLocal-swizzled(f)

    f makes an array.

    An equation cannot state it: toLocal-swizzled is a mark of toLocal, which computes the same.
    """
    op = expect(op, pattern.ToLocalOp)
    _has_no_layout(op)
    return lambda b: b.insert(pattern.ToLocalOp(op.input, op.elements_ahead, swizzled=True)).result


def _has_no_layout(op: pattern.ToLocalOp) -> None:
    if op.padding or op.swizzled is not None:
        raise Refused("it is padded already" if op.padding else "it is swizzled already")


RULES = (
    view_in_local,
    ahead,
    pad,
    swizzle,
    copy_rows,
    rule(
        "x.copy-join",
        "map(f) -> split^n o map(id) o join",
        [copies, of_n_elements],
        n=Sizes(_row_sizes),
    ),
    rule("x.copy-transpose", "map(f) -> transpose o map(id) o transpose", [copies, of_rows]),
    parts,
)
