"""What functions decide that only compare parts of two elements: a table of all ways to compare.

A reduction that keeps one of two elements, and a sort, are by the order of some parts, their keys.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import AnyFloat, IntegerAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern.types import is_scalar
from polycl.lowering.pattern.rules.build import Values
from polycl.lowering.pattern.rules.rule import Refused

LESS, EQUAL, GREATER, UNORDERED = range(4)
"""How a part of the first element compares with that of the second one."""

_MOST = 3

_ORDERED = {
    "eq": {EQUAL},
    "ne": {LESS, GREATER},
    "lt": {LESS},
    "le": {LESS, EQUAL},
    "gt": {GREATER},
    "ge": {GREATER, EQUAL},
}


@dataclass(frozen=True)
class Key:
    """A part of the elements that decides, unless it is equal."""

    part: int
    unsigned: bool
    largest: bool
    """Whether the larger one is better, or before the other."""


Outcomes = Mapping[int, int]
"""How the parts that are compared do so."""

Table = Sequence[tuple[Outcomes, bool]]
"""What is decided for each of them."""


def keys_of(op: pattern.SortOp) -> tuple[Key, ...]:
    """The parts by which a sort orders elements; each decides where those before it are equal.

    With NaN there is no order. Raises Refused where the function decides by something else.
    """
    block, (before,) = op.body.block, op.yielded
    first, unsigned = compared_parts(block)
    table = [
        (outcomes, is_true(before, first, outcomes))
        for outcomes in all_outcomes({part: (LESS, EQUAL, GREATER) for part in unsigned})
    ]
    keys: list[Key] = []
    while len(keys) < len(unsigned):
        part, decides = next_key(table, [p for p in unsigned if p not in [k.part for k in keys]])
        keys.append(Key(part, unsigned[part], decides[GREATER]))
        table = [row for row in table if row[0][part] == EQUAL]
    if table[0][1]:
        raise Refused("equal elements are before each other")
    return tuple(keys)


def compared_parts(block: Block) -> tuple[Values, dict[int, bool]]:
    """The parts of the first element, and those that are compared, and whether as unsigned
    numbers, of a function of two elements."""
    args = block.args
    count = len(args) // 2
    first, both = args[:count], set(args)
    if not all(is_scalar(arg.type) for arg in args):
        raise Refused("expected a function of scalars, or of tuples of scalars")
    unsigned: dict[int, set[bool]] = {}
    for inner in block.ops:
        if not isinstance(inner, arith.CmpfOp | arith.CmpiOp):
            continue
        a, b = inner.operands
        if not isinstance(a, BlockArgument) or not isinstance(b, BlockArgument):
            raise Refused("it compares other values than parts of its arguments")
        part = a.index % count
        if not {a, b} <= both or {a, b} != {args[part], args[count + part]}:
            raise Refused("it does not compare a part of one argument with that of the other")
        name, signs = _predicate(inner), unsigned.setdefault(part, set())
        if isinstance(inner, arith.CmpiOp) and name not in ("eq", "ne"):
            signs.add(name[0] == "u")
    if not 0 < len(unsigned) <= _MOST or any(len(signs) > 1 for signs in unsigned.values()):
        raise Refused(f"expected comparisons of up to {_MOST} parts, each signed or unsigned")
    return first, {part: signs == {True} for part, signs in unsigned.items()}


def ways_to_compare(type: Attribute) -> Sequence[int]:
    ways = [LESS, EQUAL, GREATER]
    return [*ways, UNORDERED] if isinstance(type, AnyFloat) else ways


def all_outcomes(ways: Mapping[int, Sequence[int]]) -> Iterator[Outcomes]:
    for each in itertools.product(*ways.values()):
        yield dict(zip(ways, each, strict=True))


def next_key(table: Table, parts: Sequence[int]) -> tuple[int, dict[int, bool]]:
    """The part that decides alone unless it is equal, and what it decides for each way but that."""
    for part in parts:
        found: dict[int, set[bool]] = {}
        for outcomes, decided in table:
            found.setdefault(outcomes[part], set()).add(decided)
        del found[EQUAL]
        decides = {way: all(each) for way, each in found.items() if len(each) == 1}
        if len(decides) == len(found) and decides[LESS] != decides[GREATER]:
            return part, decides
    raise Refused("no part decides alone whether the larger or the smaller one is taken")


def is_true(condition: SSAValue, first: Values, outcomes: Outcomes) -> bool:
    """The value of a condition where the parts compare so."""
    owner = condition.owner
    match owner:
        case arith.CmpfOp() | arith.CmpiOp():
            assert isinstance(owner.lhs, BlockArgument)
            outcome = outcomes[owner.lhs.index % len(first)]
            swapped = owner.lhs not in first and outcome in (LESS, GREATER)
            return _holds(owner, LESS + GREATER - outcome if swapped else outcome)
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
            a, b = (is_true(side, first, outcomes) for side in owner.operands)
            if isinstance(owner, arith.XOrIOp):
                return a != b
            return (a and b) if isinstance(owner, arith.AndIOp) else (a or b)
        case arith.SelectOp():
            chosen = owner.lhs if is_true(owner.cond, first, outcomes) else owner.rhs
            return is_true(chosen, first, outcomes)
        case arith.ConstantOp(value=IntegerAttr() as number):
            return number.value.data != 0
        case _:
            name = owner.name if isinstance(owner, Operation) else "an argument"
            raise Refused(f"its choice depends on {name}")


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


def _predicate(op: arith.CmpfOp | arith.CmpiOp) -> str:
    names = (
        CMPF_COMPARISON_OPERATIONS if isinstance(op, arith.CmpfOp) else CMPI_COMPARISON_OPERATIONS
    )
    return names[op.predicate.value.data]
