"""A rule for reductions that keep one of two elements by a comparison of their keys, as an argmax.

Whether such a function is associative depends on NaN, which compares with nothing: with
`a >= b ? a : b`, whatever follows a NaN is kept. So the function is not reordered. What it keeps is
found by the order of (key, position) instead, which is total once NaN is left out: the reduction
by it is associative, commutative and has a neutral element, and says what the loop would keep.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, IntegerType, i32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern.types import is_scalar
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

LESS, EQUAL, GREATER, UNORDERED = range(4)
"""How the key of the accumulator compares with that of the element."""

_ORDERED = {
    "eq": {EQUAL},
    "ne": {LESS, GREATER},
    "lt": {LESS},
    "le": {LESS, EQUAL},
    "gt": {GREATER},
    "ge": {GREATER, EQUAL},
}


@dataclass(frozen=True)
class Choice:
    """A function that yields its accumulator or its element, by the order of one part of them."""

    key: int
    """Which part of the tuple."""
    unsigned: bool
    largest: bool
    first: bool
    """Of equal keys, the accumulator is kept."""
    restarts: bool
    """Where one of the keys is NaN, the element is kept, and otherwise the accumulator."""


def choice_of(op: pattern.ReduceOp) -> Choice:
    """What a function of a reduction chooses, for each of the ways in which two keys compare."""
    args, values = op.body.block.args, op.yielded
    count = len(values)
    if len(args) != 2 * count or not all(is_scalar(arg.type) for arg in args):
        raise Refused("expected a function of scalars, or of tuples of scalars")
    accumulator, element = args[:count], args[count:]
    keys, unsigned = _compared(op, accumulator, element)
    outcomes = [LESS, EQUAL, GREATER]
    if isinstance(args[keys].type, AnyFloat):
        outcomes.append(UNORDERED)
    keeps: list[bool] = []
    for outcome in outcomes:
        kept = [_follow(value, accumulator, outcome) for value in values]
        if kept == list(accumulator):
            keeps.append(True)
        elif kept == list(element):
            keeps.append(False)
        else:
            raise Refused("it mixes parts of both")
    if keeps[LESS] == keeps[GREATER]:
        raise Refused("it keeps the same one for smaller and for larger keys")
    restarts = len(keeps) == 4 and not keeps[UNORDERED]
    return Choice(keys, unsigned, keeps[GREATER], keeps[EQUAL], restarts)


def _compared(op: pattern.ReduceOp, accumulator: Values, element: Values) -> tuple[int, bool]:
    """The part that all comparisons are of, and whether as unsigned numbers."""
    keys: set[int] = set()
    signs: set[bool] = set()
    both = {*accumulator, *element}
    for inner in op.body.block.ops:
        if not isinstance(inner, arith.CmpfOp | arith.CmpiOp):
            continue
        a, b = inner.operands
        if not isinstance(a, BlockArgument) or not isinstance(b, BlockArgument):
            raise Refused("it compares other values than parts of its arguments")
        if (a in accumulator) == (b in accumulator) or a not in both or b not in both:
            raise Refused("a comparison is not of the accumulator with the element")
        keys |= {a.index % len(accumulator), b.index % len(accumulator)}
        name = _predicate(inner)
        if isinstance(inner, arith.CmpiOp) and name not in ("eq", "ne"):
            signs.add(name[0] == "u")
    if len(keys) != 1 or len(signs) > 1:
        raise Refused("expected comparisons of one part of both arguments, in one way")
    return keys.pop(), signs == {True}


def _predicate(op: arith.CmpfOp | arith.CmpiOp) -> str:
    names = (
        CMPF_COMPARISON_OPERATIONS if isinstance(op, arith.CmpfOp) else CMPI_COMPARISON_OPERATIONS
    )
    return names[op.predicate.value.data]


def _holds(op: arith.CmpfOp | arith.CmpiOp, outcome: int) -> bool:
    """Whether a comparison is true where its sides compare so."""
    name = _predicate(op)
    if name in ("true", "false"):
        return name == "true"
    if name in ("ord", "uno"):
        return (outcome == UNORDERED) == (name == "uno")
    if outcome == UNORDERED:
        return name[0] == "u"
    return outcome in _ORDERED[name[-2:]]


def _follow(value: SSAValue, accumulator: Values, outcome: int) -> SSAValue:
    """The argument that `value` is where the keys compare so."""
    while isinstance(owner := value.owner, arith.SelectOp):
        value = owner.lhs if _is_true(owner.cond, accumulator, outcome) else owner.rhs
    if not isinstance(value, BlockArgument):
        raise Refused(f"it yields the result of {value.owner.name}, expected one of its arguments")
    return value


def _is_true(condition: SSAValue, accumulator: Values, outcome: int) -> bool:
    """The value of a condition where the keys compare so."""
    owner = condition.owner
    match owner:
        case arith.CmpfOp() | arith.CmpiOp():
            swapped = owner.lhs not in accumulator and outcome in (LESS, GREATER)
            return _holds(owner, LESS + GREATER - outcome if swapped else outcome)
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
            a, b = (_is_true(side, accumulator, outcome) for side in owner.operands)
            if isinstance(owner, arith.XOrIOp):
                return a != b
            return (a and b) if isinstance(owner, arith.AndIOp) else (a or b)
        case arith.ConstantOp(value=IntegerAttr() as number):
            return number.value.data != 0
        case _:
            name = owner.name if isinstance(owner, Operation) else "an argument"
            raise Refused(f"its choice depends on {name}")


@function_rule("x.choose")
def choose_by_position(op: Operation) -> Rewrite:
    r"""reduce(f,z) x -> map(\k,p: if p is a position then f(s, x[p]) else s) o reduce(g,e) o map(\k,i: if k is NaN or i <= q then e else k,i) o zip(keys of x, generate(id))

    f yields one of its arguments, by comparisons of the same part, the key, of both. g keeps the
    better key, and of equal ones the first or last position, as f does; e is worse than all. Where f
    keeps the element if a key is NaN, q is the last position of a NaN, and s = x[q]; where it keeps
    the accumulator, or without a NaN, q = -1 and s = z.

    An equation cannot state it: g, e and q depend on what f compares.
    """  # noqa: E501
    op = expect(op, pattern.ReduceOp)
    size = size_of(op.input)
    if not size.is_constant or not 0 < size.value < 2**31:
        raise Refused(f"expected a number of elements whose positions are of 32 bits, got {size}")
    choice = choice_of(op)
    type = op.yielded[choice.key].type
    if isinstance(type, IndexType):
        raise Refused("expected a key that is an integer or a float, got index")
    count = len(op.yielded)

    def rewrite(b: Builder) -> SSAValue:
        def number(b: Builder, value: float, type: Attribute = i32) -> SSAValue:
            return b.insert(constant(value, type)).result

        def key(b: Builder, x: SSAValue) -> SSAValue:
            return fit(b, [x], count)[choice.key]

        def worst(b: Builder) -> Values:
            nowhere = 2**31 - 1 if choice.first else -1
            return [number(b, _worst(choice, type), type), number(b, nowhere)]

        def position(b: Builder, i: SSAValue) -> SSAValue:
            return b.insert(arith.IndexCastOp(i, i32)).result

        positions = b.insert(pattern.GenerateOp(size, make_lambda([IndexType()], position))).result
        numbered = b.insert(pattern.ZipOp(op.input, positions)).result
        types = [element_of(op.input), i32]
        last = _last_nan(b, numbered, types, key) if choice.restarts else None

        def candidate(b: Builder, x: SSAValue, i: SSAValue) -> Values:
            values = [key(b, x), i]
            if last is not None:
                out = b.insert(arith.CmpiOp(i, _first(b, last), "sle")).result
            elif isinstance(type, AnyFloat):
                out = b.insert(arith.CmpfOp(values[0], values[0], "uno")).result
            else:
                return values
            return _select(b, out, worst(b), values)

        def better(b: Builder, k: SSAValue, p: SSAValue, m: SSAValue, q: SSAValue) -> Values:
            better, same = _compare(b, choice, m, k)
            earlier = b.insert(arith.CmpiOp(q, p, "slt" if choice.first else "sgt")).result
            tied = b.insert(arith.AndIOp(same, earlier)).result
            return _select(b, b.insert(arith.OrIOp(better, tied)).result, [m, q], [k, p])

        def chosen(b: Builder, _: SSAValue, p: SSAValue) -> Values:
            zero = number(b, 0)
            start = fit(b, [op.init], count)
            if last is not None:
                q = _first(b, last)
                some = b.insert(arith.CmpiOp(q, zero, "sge")).result
                q = b.insert(arith.MaxSIOp(q, zero)).result
                nan = fit(b, [b.insert(pattern.AtOp(op.input, q)).result], count)
                start = _select(b, some, nan, start)
            found = b.insert(arith.CmpiOp(p, worst(b)[1], "ne")).result
            p = b.insert(arith.SelectOp(found, p, zero)).result
            x = fit(b, [b.insert(pattern.AtOp(op.input, p)).result], count)
            return _select(b, found, inline(b, op.body, [*start, *x]), start)

        candidates = b.insert(pattern.MapOp(numbered, make_lambda(types, candidate))).result
        start = b.insert(pattern.TupleOp(*worst(b))).result
        body = make_lambda([type, i32, type, i32], better)
        best = pattern.ReduceOp(candidates, start, body, assoc=True, comm=True, neutral=True)
        found = b.insert(best).result
        return b.insert(pattern.MapOp(found, make_lambda([type, i32], chosen))).result

    return rewrite


def _worst(choice: Choice, type: Attribute) -> float:
    """A key that no key is worse than."""
    if isinstance(type, AnyFloat):
        return -math.inf if choice.largest else math.inf
    assert isinstance(type, IntegerType)
    if choice.unsigned:
        return 0 if choice.largest else -1
    half = 2 ** (type.width.data - 1)
    return -half if choice.largest else half - 1


def _compare(b: Builder, choice: Choice, x: SSAValue, y: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Whether x is better than y, and whether they are equal; neither is NaN."""
    relation = "gt" if choice.largest else "lt"
    if isinstance(x.type, AnyFloat):
        ops = arith.CmpfOp(x, y, f"o{relation}"), arith.CmpfOp(x, y, "oeq")
    else:
        sign = "u" if choice.unsigned else "s"
        ops = arith.CmpiOp(x, y, sign + relation), arith.CmpiOp(x, y, "eq")
    return b.insert(ops[0]).result, b.insert(ops[1]).result


def _select(b: Builder, condition: SSAValue, yes: Values, no: Values) -> Values:
    pairs = zip(yes, no, strict=True)
    return [b.insert(arith.SelectOp(condition, one, other)).result for one, other in pairs]


def _first(b: Builder, x: SSAValue) -> SSAValue:
    return b.insert(pattern.AtOp(x, b.insert(constant(0, IndexType())).result)).result


def _last_nan(
    b: Builder,
    numbered: SSAValue,
    types: Sequence[Attribute],
    key: Callable[[Builder, SSAValue], SSAValue],
) -> SSAValue:
    """The last position of a NaN as an array of one; less than 0 without one."""

    def place(b: Builder, x: SSAValue, i: SSAValue) -> SSAValue:
        k = key(b, x)
        nan = b.insert(arith.CmpfOp(k, k, "uno")).result
        return _select(b, nan, [i], [b.insert(constant(-1, i32)).result])[0]

    def latest(b: Builder, p: SSAValue, q: SSAValue) -> SSAValue:
        return b.insert(arith.MaxSIOp(p, q)).result

    places = b.insert(pattern.MapOp(numbered, make_lambda(types, place))).result
    least = b.insert(constant(-(2**31), i32)).result
    body = make_lambda([i32, i32], latest)
    return b.insert(pattern.ReduceOp(places, least, body, assoc=True, comm=True)).result


RULES = (choose_by_position,)
