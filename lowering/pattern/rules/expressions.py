"""Values in a script: sizes made of numbers, size variables, tunables and macro parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from polycl.dialects.pattern import NatAttr, nat
from polycl.lowering.pattern.rules.lines import NAME, Line, Position

Environment = Mapping[str, NatAttr]
"""The values of tunables, by `?name`, and of a macro's parameters, by name."""


@dataclass(frozen=True)
class Expression:
    """A size that depends on the values of tunables and parameters."""

    text: str
    position: Position
    evaluate: Callable[[Environment], NatAttr]

    @property
    def tunables(self) -> list[str]:
        """The names of the tunables in it."""
        return re.findall(r"\?(\w+)", self.text)

    @cached_property
    def variables(self) -> list[str]:
        """The names in it that are not tunables."""
        return re.findall(rf"(?<![?\w]){NAME}", self.text)


def parse_expression(line: Line) -> Expression:
    """Reads `sum ::= product (('+' | '-') product)*`, without blanks; blanks after it.

    Products are with `*`, `/`, which must leave no remainder, and `%`, of numbers only.
    """
    start = line.here
    evaluate = _sum(line)
    text = line.text_since(start)
    line.accept(r"\s*")
    return Expression(text, start, evaluate)


def _sum(line: Line) -> Callable[[Environment], NatAttr]:
    value = _product(line)
    while sign := line.accept(r"[+-]", blanks=False):
        value = _combine(value, sign, _product(line), line.here)
    return value


def _product(line: Line) -> Callable[[Environment], NatAttr]:
    value = _atom(line)
    while sign := line.accept(r"[*/%]", blanks=False):
        here = line.here
        value = _combine(value, sign, _atom(line), here)
    return value


def _atom(line: Line) -> Callable[[Environment], NatAttr]:
    here = line.here
    if line.accept(r"\(", blanks=False):
        value = _sum(line)
        line.expect(r"\)", "')'", blanks=False)
        return value
    if number := line.accept(r"\d+", blanks=False):
        constant = nat(int(number))
        return lambda _: constant
    name = line.expect(rf"\??{NAME}", "a number, a size variable or ?tunable", blanks=False)
    if not name.startswith("?"):
        return lambda values: values[name] if name in values else nat(name)

    def look_up(values: Environment) -> NatAttr:
        if name not in values:
            raise here.error(f"the tunable {name} has no value: give one, say {name[1:]}=64")
        return values[name]

    return look_up


def _combine(
    left: Callable[[Environment], NatAttr],
    sign: str,
    right: Callable[[Environment], NatAttr],
    position: Position,
) -> Callable[[Environment], NatAttr]:
    def evaluate(values: Environment) -> NatAttr:
        a, b = left(values), right(values)
        match sign:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "%":
                if not (a.is_constant and b.is_constant and b.value > 0):
                    raise position.error(f"expected numbers before and after '%', got {a} and {b}")
                return nat(a.value % b.value)
            case _:
                quotient = a.quotient(b)
                if quotient is None or (quotient.is_constant and quotient.denominator != 1):
                    raise position.error(f"{b} does not divide {a}")
                return quotient

    return evaluate
