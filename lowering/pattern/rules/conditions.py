"""The side conditions of rules, which raise `Refused`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr, nat
from polycl.dialects.pattern.neutral import is_neutral, neutral_elements
from polycl.dialects.pattern.sizes import SizeAttr, exact_div, is_integer, sizes_of
from polycl.dialects.pattern.types import ArrayType
from polycl.lowering.pattern.rules.expressions import Environment, Expression, parse_expression
from polycl.lowering.pattern.rules.lines import Line
from polycl.lowering.pattern.rules.rule import Refused

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Condition:
    """A condition on a match of the left-hand side of an equation."""

    text: str
    check: Callable[[Operation, Environment], None]
    """Called with the operation and the values of the equation's sizes; raises `Refused`."""


def condition(text: str) -> Callable[[Callable[[Operation, Environment], None]], Condition]:
    """Make a condition of the function that checks it."""
    return lambda check: Condition(text, check)


def divides(divisor: str, size: str = "N", what: str = "") -> Condition:
    """One size divides another; `what` names the divisor in the message."""
    a, b = _size(divisor), _size(size)

    def check(op: Operation, sizes: Environment) -> None:
        divide(op, b.evaluate(sizes), a.evaluate(sizes), what or divisor)

    return Condition(f"{divisor} divides {size}", check)


def _size(text: str) -> Expression:
    return parse_expression(Line(text, "<condition>", 1))


def holds(text: str, message: str) -> Condition:
    """`m is N` or `m is not N`; the message has the values of variables in braces."""
    left, right = map(_size, re.split(" is not | is ", text))

    def check(op: Operation, sizes: Environment) -> None:
        if (left.evaluate(sizes) == right.evaluate(sizes)) == (" not " in text):
            raise Refused(message.format(**sizes))

    return Condition(text, check)


def _declared(flag: str, word: str) -> Condition:
    def check(op: Operation, sizes: Environment) -> None:
        if flag not in op.properties:
            raise Refused(f"the function of this {short(op)} is not declared {word} ('{flag}')")

    return Condition(f"f is {word}", check)


associative = _declared("assoc", "associative")
commutative = _declared("comm", "commutative")


@condition("z is neutral")
def neutral(op: Operation, sizes: Environment) -> None:
    """The initial value may be used several times."""
    assert isinstance(op, pattern.ReduceOp | pattern.PartRedOp | pattern.ScanOp)
    if not is_neutral(op):
        raise Refused(
            f"the initial value of this {short(op)} is not known to be neutral, f(z, x) = x, and"
            " would count several times; declare it 'neutral' if it is"
        )


@condition("f has a neutral element e")
def has_neutral(op: Operation, sizes: Environment) -> None:
    """It is the initial value, or f is an operation whose neutral element is known."""
    assert isinstance(op, pattern.ReduceBase | pattern.ScatterOp)
    if isinstance(op, pattern.ReduceBase) and is_neutral(op) or neutral_elements(op) is not None:
        return
    remedy = (
        ""
        if isinstance(op, pattern.ScatterOp)
        else ("; declare the initial value 'neutral' if it is one")
    )
    raise Refused(
        f"the function of this {short(op)} has no neutral element that is known, e with"
        f" f(e, x) = x{remedy}"
    )


# ---- for functions and the matching of equations ----


def short(op: Operation | type[Operation]) -> str:
    """A pattern's name in places; a description of a base class."""
    name = getattr(op, "name", None)
    return name.removeprefix("pattern.") if name else "any map"


def expect(op: Operation, *kinds: type[OpT]) -> OpT:
    """`op`, if it is one of these patterns."""
    for kind in kinds:
        if isinstance(op, kind):
            return op
    raise Refused(f"expected {' or '.join(map(short, kinds))}, got {short(op)}")


def producer(value: SSAValue, *kinds: type[OpT]) -> OpT:
    """The operation that makes `value`, if it is one of these patterns."""
    owner = value.owner
    wanted = " or ".join(map(short, kinds))
    if not isinstance(owner, Operation):
        raise Refused(f"expected an input made by {wanted}, got an argument")
    for kind in kinds:
        if isinstance(owner, kind):
            return owner
    raise Refused(f"expected an input made by {wanted}, got one made by {short(owner)}")


def only(op: pattern.MapBase, kind: type[OpT]) -> OpT:
    """The only operation in the function of `op`."""
    (*ops, _) = op.body.block.ops
    if len(ops) == 1 and isinstance(ops[0], kind) and op.yielded == tuple(ops[0].results):
        return ops[0]
    raise Refused(f"expected a function that is one {short(kind)}; x.fission separates the rest")


def used_once(op: Operation) -> None:
    """Checks that the value has no other uses, which would compute it again."""
    if not op.results[0].has_one_use():
        raise Refused(f"the value of {short(op)} has other uses, which would compute it again")


def divide(op: Operation, size: NatAttr, divisor: NatAttr, what: str) -> NatAttr:
    """`size / divisor`, which must be exact; `what` names the divisor in the message."""
    sizes = sizes_of(op)
    if not is_integer(divisor, sizes):
        raise Refused(f"{what} = {divisor} is not known to be an integer")
    if divisor.is_constant and divisor.value < 1:
        raise Refused(f"{what} = {divisor} is not positive")
    result = exact_div(size, divisor, sizes)
    if result is None:
        raise Refused(f"{what} = {divisor} does not divide the size {size}{_remedy(size, divisor)}")
    return result


def _remedy(size: NatAttr, divisor: NatAttr) -> str:
    """The statement of a derivation that would make a division exact; empty without one."""
    quotient = size.quotient(divisor)
    if quotient is None or quotient.is_constant:
        return ""
    variable = quotient.variables[0]
    return f"; it does for some sizes: 'size {variable} divisible_by {quotient.denominator}'"


def needs_any(op: Operation, values: Sequence[SSAValue]) -> bool:
    """Whether `op` uses one of the values in its lambda, or as an operand other than the first."""
    wanted = set(values)
    if wanted.intersection(op.operands[1:]):
        return True
    return any(wanted.intersection(inner.operands) for inner in op.walk() if inner is not op)


def divisors(op: Operation) -> Iterator[NatAttr]:
    """The sizes that divide the size of the first operand, without 1 and the size itself."""
    if not op.operands or not isinstance(op.operands[0].type, ArrayType):
        return
    size, sizes = op.operands[0].type.size, sizes_of(op)
    candidates = [nat(n) for n in divisors_of(_content(size, sizes))]
    for variable in size.variables:
        rest = size.exact_div(variable)
        if rest is not None:
            candidates += [nat(variable) * n for n in divisors_of(_content(rest, {}))]
    for candidate in candidates:
        if candidate not in (nat(1), size) and exact_div(size, candidate, sizes) is not None:
            yield candidate


def divisors_of(number: int) -> list[int]:
    """All divisors, sorted."""
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)})


def _content(size: NatAttr, sizes: Mapping[str, SizeAttr]) -> int:
    """The greatest known divisor of `size`."""
    terms = [
        coefficient * math.prod(sizes[v].divisible_by.data for v in variables if v in sizes)
        for variables, coefficient in size.terms
    ]
    return math.gcd(*terms) // size.denominator
