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
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import pattern
from polycl.lowering.pattern.rules.build import (
    Values,
    constant,
    element_of,
    fit,
    inline,
    make_lambda,
    size_of,
)
from polycl.lowering.pattern.rules.comparisons import (
    EQUAL,
    GREATER,
    UNORDERED,
    Key,
    Outcomes,
    all_outcomes,
    compared_parts,
    is_true,
    next_key,
    ways_to_compare,
)
from polycl.lowering.pattern.rules.conditions import expect
from polycl.lowering.pattern.rules.rule import Refused, Rewrite, function_rule


@dataclass(frozen=True)
class Choice:
    """A function that yields its accumulator or its element, by the order of some parts."""

    keys: tuple[Key, ...]
    """Each decides where those before it are equal."""
    first: bool
    """Where all are equal, the accumulator is kept."""
    restarts: bool
    """Where one of two keys is NaN, the element is kept, and otherwise the accumulator."""


def choice_of(op: pattern.ReduceOp) -> Choice:
    """What a function of a reduction chooses, for each of the ways in which its arguments compare.

    It only compares and selects, so that these are all that it depends on.
    """
    args, values = op.body.block.args, op.yielded
    first, unsigned = compared_parts(op.body.block)
    second = args[len(first) :]
    table: list[tuple[Outcomes, bool]] = []
    for outcomes in all_outcomes({part: ways_to_compare(args[part].type) for part in unsigned}):
        kept = [_follow(value, first, outcomes) for value in values]
        if kept not in (list(first), list(second)):
            raise Refused("it mixes parts of both arguments")
        table.append((outcomes, kept == list(first)))
    keys: list[Key] = []
    restarts = False
    while len(keys) < len(unsigned):
        part, keeps = next_key(table, [p for p in unsigned if p not in [k.part for k in keys]])
        if keys and UNORDERED in keeps:
            raise Refused("it compares floats where other parts are equal")
        restarts = restarts or not keeps.get(UNORDERED, True)
        keys.append(Key(part, unsigned[part], keeps[GREATER]))
        table = [row for row in table if row[0][part] == EQUAL]
    return Choice(tuple(keys), table[0][1], restarts)


def _follow(value: SSAValue, accumulator: Values, outcomes: Outcomes) -> SSAValue:
    """The argument that `value` is where the parts compare so."""
    while isinstance(owner := value.owner, arith.SelectOp):
        value = owner.lhs if is_true(owner.cond, accumulator, outcomes) else owner.rhs
    if isinstance(owner, Operation):
        raise Refused(f"it yields the result of {owner.name}, expected one of its arguments")
    return value


@function_rule("x.choose")
def choose_by_position(op: Operation) -> Rewrite:
    r"""reduce(f,z) x -> map(\k,p: if p is a position then f(s, x[p]) else s) o reduce(g,e) o map(\k,i: if k is NaN or i <= q then e else k,i) o zip(keys of x, generate(id))

    f yields one of its arguments, by comparisons of the same part, the key, of both, and of further
    parts that are integers where it is equal. g keeps the better key, and of equal ones the first or
    last position, as f does; e is worse than all. Where f keeps the element if a key is NaN, q is
    the last position of a NaN, and s = x[q]; where it keeps the accumulator, or without a NaN,
    q = -1 and s = z.

    An equation cannot state it: g, e and q depend on what f compares.
    """  # noqa: E501
    op = expect(op, pattern.ReduceOp)
    size = size_of(op.input)
    if not size.is_constant or not 0 < size.value < 2**31:
        raise Refused(f"expected a number of elements whose positions are of 32 bits, got {size}")
    choice = choice_of(op)
    types = [op.yielded[key.part].type for key in choice.keys]
    if any(isinstance(type, IndexType) for type in types):
        raise Refused("expected keys that are integers or floats, got index")
    count = len(op.yielded)

    def rewrite(b: Builder) -> SSAValue:
        def number(b: Builder, value: float, type: Attribute = i32) -> SSAValue:
            return b.insert(constant(value, type)).result

        def keys(b: Builder, x: SSAValue) -> list[SSAValue]:
            parts = fit(b, [x], count)
            return [parts[key.part] for key in choice.keys]

        def worst(b: Builder) -> Values:
            pairs = zip(choice.keys, types, strict=True)
            nowhere = 2**31 - 1 if choice.first else -1
            return [
                *(number(b, worst_key(key, type), type) for key, type in pairs),
                number(b, nowhere),
            ]

        def position(b: Builder, i: SSAValue) -> SSAValue:
            return b.insert(arith.IndexCastOp(i, i32)).result

        positions = b.insert(pattern.GenerateOp(size, make_lambda([IndexType()], position))).result
        numbered = b.insert(pattern.ZipOp(op.input, positions)).result
        numbered_types = [element_of(op.input), i32]
        last = _last_nan(b, numbered, numbered_types, keys) if choice.restarts else None

        def candidate(b: Builder, x: SSAValue, i: SSAValue) -> Values:
            values = [*keys(b, x), i]
            if last is not None:
                out = b.insert(arith.CmpiOp(i, first_of(b, last), "sle")).result
            elif isinstance(types[0], AnyFloat):
                out = b.insert(arith.CmpfOp(values[0], values[0], "uno")).result
            else:
                return values
            return select(b, out, worst(b), values)

        def better(b: Builder, *args: SSAValue) -> Values:
            old, new = args[: len(types) + 1], args[len(types) + 1 :]
            before = "slt" if choice.first else "sgt"
            takes = b.insert(arith.CmpiOp(new[-1], old[-1], before)).result
            for key, x, y in reversed([*zip(choice.keys, new, old, strict=False)]):
                better, same = compare(b, key, x, y)
                takes = b.insert(arith.AndIOp(same, takes)).result
                takes = b.insert(arith.OrIOp(better, takes)).result
            return select(b, takes, new, old)

        def chosen(b: Builder, *args: SSAValue) -> Values:
            p = args[-1]
            zero = number(b, 0)
            start = fit(b, [op.init], count)
            if last is not None:
                q = first_of(b, last)
                some = b.insert(arith.CmpiOp(q, zero, "sge")).result
                q = b.insert(arith.MaxSIOp(q, zero)).result
                nan = fit(b, [b.insert(pattern.AtOp(op.input, q)).result], count)
                start = select(b, some, nan, start)
            found = b.insert(arith.CmpiOp(p, worst(b)[-1], "ne")).result
            p = b.insert(arith.SelectOp(found, p, zero)).result
            x = fit(b, [b.insert(pattern.AtOp(op.input, p)).result], count)
            return select(b, found, inline(b, op.body, [*start, *x]), start)

        candidates = b.insert(
            pattern.MapOp(numbered, make_lambda(numbered_types, candidate))
        ).result
        start = b.insert(pattern.TupleOp(*worst(b))).result
        body = make_lambda([*types, i32, *types, i32], better)
        best = pattern.ReduceOp(candidates, start, body, assoc=True, comm=True, neutral=True)
        found = b.insert(best).result
        return b.insert(pattern.MapOp(found, make_lambda([*types, i32], chosen))).result

    return rewrite


def worst_key(key: Key, type: Attribute) -> float:
    """A key that no key is worse than."""
    if isinstance(type, AnyFloat):
        return -math.inf if key.largest else math.inf
    assert isinstance(type, IntegerType)
    if key.unsigned:
        return 0 if key.largest else -1
    half = 2 ** (type.width.data - 1)
    return -half if key.largest else half - 1


def compare(b: Builder, key: Key, x: SSAValue, y: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Whether x is better than y, and whether they are equal; neither is NaN."""
    relation = "gt" if key.largest else "lt"
    if isinstance(x.type, AnyFloat):
        ops = arith.CmpfOp(x, y, f"o{relation}"), arith.CmpfOp(x, y, "oeq")
    else:
        sign = "u" if key.unsigned else "s"
        ops = arith.CmpiOp(x, y, sign + relation), arith.CmpiOp(x, y, "eq")
    return b.insert(ops[0]).result, b.insert(ops[1]).result


def select(b: Builder, condition: SSAValue, yes: Values, no: Values) -> Values:
    pairs = zip(yes, no, strict=True)
    return [b.insert(arith.SelectOp(condition, one, other)).result for one, other in pairs]


def first_of(b: Builder, x: SSAValue) -> SSAValue:
    return b.insert(pattern.AtOp(x, b.insert(constant(0, IndexType())).result)).result


def _last_nan(
    b: Builder,
    numbered: SSAValue,
    types: Sequence[Attribute],
    keys: Callable[[Builder, SSAValue], list[SSAValue]],
) -> SSAValue:
    """The last position of a NaN as an array of one; less than 0 without one."""

    def place(b: Builder, x: SSAValue, i: SSAValue) -> SSAValue:
        k = keys(b, x)[0]
        nan = b.insert(arith.CmpfOp(k, k, "uno")).result
        return select(b, nan, [i], [b.insert(constant(-1, i32)).result])[0]

    def latest(b: Builder, p: SSAValue, q: SSAValue) -> SSAValue:
        return b.insert(arith.MaxSIOp(p, q)).result

    places = b.insert(pattern.MapOp(numbered, make_lambda(types, place))).result
    least = b.insert(constant(-(2**31), i32)).result
    body = make_lambda([i32, i32], latest)
    return b.insert(pattern.ReduceOp(places, least, body, assoc=True, comm=True)).result


RULES = (choose_by_position,)
