"""Rules that state filter and sort by other patterns; without a derivation, kernels are made so."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, Region, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr
from polycl.dialects.pattern.types import is_scalar, parts_of
from polycl.lowering.pattern.rules.build import (
    Values,
    constant,
    element_of,
    fit,
    inline,
    make_lambda,
    size_of,
)
from polycl.lowering.pattern.rules.conditions import expect
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, function_rule

_INDEX = IndexType()


@function_rule("x.filter")
def filter_by_places(op: Operation) -> Rewrite:
    r"""filter(p)(x) -> scatter(\old,new: new)(x, map(\x,k,i: if p(x) then k else n0 + i - k)(zip(x, ks, generate(id))), x), n, where ks = scan-exclusive(+,0)(fs), n = reduce(+,0)(fs), fs = map(\x: if p(x) then 1 else 0)(x)

    ks[i] is the number of elements before element i for which p holds.

    An equation cannot state it: its left-hand side has two results.
    """  # noqa: E501
    op = expect(op, pattern.FilterOp)

    def holds(b: Builder, element: Values) -> SSAValue:
        (value,) = inline(b, op.body, fit(b, element, len(op.body.block.args)))
        return value

    def rewrite(b: Builder) -> Values:
        zero, one = (b.insert(constant(number, _INDEX)).result for number in (0, 1))

        def flag(b: Builder, x: SSAValue) -> SSAValue:
            return b.insert(arith.SelectOp(holds(b, [x]), one, zero)).result

        def flags() -> SSAValue:
            # Twice the same: what is used once is computed where it is read, and not stored.
            return _mapped(b, op.input, flag)

        scan = pattern.ScanOp(flags(), zero, _sum(), exclusive=True, assoc=True, comm=True)
        places = b.insert(scan).result
        count = b.insert(pattern.ReduceOp(flags(), zero, _sum(), assoc=True, comm=True)).result

        def place(b: Builder, x: SSAValue, k: SSAValue, i: SSAValue) -> SSAValue:
            n = b.insert(pattern.AtOp(count, zero)).result
            end = b.insert(arith.AddiOp(n, i)).result
            other = b.insert(arith.SubiOp(end, k)).result
            return b.insert(arith.SelectOp(holds(b, [x]), k, other)).result

        all_three = pattern.ZipOp(op.input, places, _indices(b, size_of(op.input)))
        types = [element_of(op.input), _INDEX, _INDEX]
        targets = pattern.MapOp(b.insert(all_three).result, make_lambda(types, place))
        element = element_of(op.input)
        newer = make_lambda([element] * 2, lambda b, old, new: new)
        target = b.insert(targets).result
        return [b.insert(pattern.ScatterOp(op.input, target, op.input, newer)).result, count]

    return rewrite


@function_rule("x.sort")
def sort_by_network(op: Operation) -> Rewrite:
    r"""sort(before)(x) -> iterate^(t*t)(\v,s: map(\k: v[if before(v[max(k,q)], v[min(k,q)]) then q else k])(generate(id)))(x), where 2^t is the least power of 2 that is at least N, j = s mod t, p = k xor (2^(t-j)-1), q = if p < N then p else k

    N is a number. Each step compares pairs of elements and exchanges them where needed: the balanced
    periodic network of Dowd, Perl, Rudolph and Saks (JACM 1989). Unless equal elements cannot be told
    apart, each element is sorted with its index, which decides where neither is before the other.

    An equation cannot state it: the number of steps is a logarithm.
    """  # noqa: E501
    op = expect(op, pattern.SortOp)
    size = size_of(op.input)
    if not size.is_constant:
        raise Refused(f"the number of steps depends on the size {size}; expected a number")

    def rewrite(b: Builder) -> SSAValue:
        if _has_equal_elements_only(op):
            return _network(b, op.input, size.value, op.body)
        pairs = b.insert(pattern.ZipOp(op.input, _indices(b, size))).result
        sorted_ = _network(b, pairs, size.value, _with_index(op))
        return b.insert(pattern.UnzipOp(sorted_)).results[0]

    return rewrite


def _has_equal_elements_only(op: pattern.SortOp) -> bool:
    """Whether elements of which neither is before the other are equal."""
    (value,) = op.yielded
    compared = value.owner
    return (
        isinstance(compared, arith.CmpiOp)
        and isinstance(op.element_type, IntegerType | IndexType)
        and set(compared.operands) == set(op.body.block.args)
    )


def _with_index(op: pattern.SortOp) -> Region:
    """The order of elements with their indices."""
    element = op.element_type

    def before(b: Builder, x: SSAValue, i: SSAValue, y: SSAValue, j: SSAValue) -> SSAValue:
        count = len(op.argument_groups[0])

        def is_before(first: SSAValue, second: SSAValue) -> SSAValue:
            parts = [*fit(b, [first], count), *fit(b, [second], count)]
            return inline(b, op.body, parts)[0]

        first, second = is_before(x, y), is_before(y, x)
        earlier = b.insert(arith.CmpiOp(i, j, "slt")).result
        no = b.insert(arith.ConstantOp.from_int_and_width(0, 1)).result
        tie = b.insert(arith.SelectOp(second, no, earlier)).result
        yes = b.insert(arith.ConstantOp.from_int_and_width(1, 1)).result
        return b.insert(arith.SelectOp(first, yes, tie)).result

    return make_lambda([element, _INDEX, element, _INDEX], before)


def _network(b: Builder, input: SSAValue, size: int, before: Region) -> SSAValue:
    """`input` after all steps."""
    depth = (size - 1).bit_length()
    if depth == 0:
        return input

    def step(b: Builder, values: SSAValue, number: SSAValue) -> SSAValue:
        def number_of(value: int) -> SSAValue:
            return b.insert(constant(value, _INDEX)).result

        # Blocks of 2^(depth - j) elements, in step j of each period.
        period = b.insert(arith.RemUIOp(number, number_of(depth))).result
        whole = number_of((1 << depth) - 1)
        mask = b.insert(arith.ShRUIOp(whole, period)).result
        limit = number_of(size)

        def element(b: Builder, k: SSAValue) -> SSAValue:
            mirrored = b.insert(arith.XOrIOp(k, mask)).result
            exists = b.insert(arith.CmpiOp(mirrored, limit, "ult")).result
            other = b.insert(arith.SelectOp(exists, mirrored, k)).result
            if all(map(is_scalar, parts_of(element_of(values)))):
                return _exchanged(b, values, before, k, other)
            low = b.insert(arith.MinUIOp(k, other)).result
            high = b.insert(arith.MaxUIOp(k, other)).result
            ends = [b.insert(pattern.AtOp(values, place)).result for place in (high, low)]
            count = len(before.block.args) // 2
            parts = [part for end in ends for part in fit(b, [end], count)]
            (swapped,) = inline(b, before, parts)
            source = b.insert(arith.SelectOp(swapped, other, k)).result
            return b.insert(pattern.AtOp(values, source)).result

        return _mapped(b, _indices(b, size_of(values)), element)

    body = make_lambda([input.type, _INDEX], step)
    return b.insert(pattern.IterateOp(input, depth * depth, body)).result


def _exchanged(
    b: Builder, values: SSAValue, before: Region, k: SSAValue, other: SSAValue
) -> SSAValue:
    """Element k of scalars, or of tuples of them, after an exchange with another one."""
    count = len(before.block.args) // 2
    mine, theirs = (
        fit(b, [b.insert(pattern.AtOp(values, place)).result], count) for place in (k, other)
    )

    def selected(condition: SSAValue, first: Values, second: Values) -> Values:
        pairs = zip(first, second, strict=True)
        return [b.insert(arith.SelectOp(condition, x, y)).result for x, y in pairs]

    is_high = b.insert(arith.CmpiOp(k, other, "ugt")).result
    high, low = selected(is_high, mine, theirs), selected(is_high, theirs, mine)
    (swapped,) = inline(b, before, [*high, *low])
    return fit(b, selected(swapped, theirs, mine), 1)[0]


def _indices(b: Builder, size: NatAttr) -> SSAValue:
    """The array 0, 1, 2, ..."""
    return b.insert(pattern.GenerateOp(size, make_lambda([_INDEX], lambda b, i: i))).result


def _mapped(b: Builder, input: SSAValue, make: Callable[..., SSAValue]) -> SSAValue:
    return b.insert(pattern.MapOp(input, make_lambda([element_of(input)], make))).result


def _sum() -> Region:
    return make_lambda([_INDEX] * 2, lambda b, x, y: b.insert(arith.AddiOp(x, y)).result)


RULES = (filter_by_places, sort_by_network)
