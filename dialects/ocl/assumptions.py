"""Facts about a kernel's arguments, which a user states as text: `width >= 64 and 2*vs < width`.

    assumption = comparison {("and" | "&&") comparison}
    comparison = sum relation sum {relation sum}        relation: < <= > >= = == !=
    sum        = product {("+" | "-") product}
    product    = factor {"*" factor} | number name | factor ("%" | "mod") number
    factor     = {"-"} (number | name | "(" sum ")")

At most one factor of a product is not a constant: a sum is affine. Names are the kernel's integer
arguments and SIZES. Numbers have no bounds: nothing wraps. An argument has its value in C, so an
unsigned one is not negative; it is less than 2^63. `n % 8` is 0 to 7 for negative n, too.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from polycl.diagnostics import unknown_name

SIZES = tuple(f"{size}{d}" for size in ("local_size", "global_size") for d in range(3))
"""The sizes of a launch, which an assumption may name besides arguments."""

_WORDS = ("and", "or", "not", "mod")
_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(<=|>=|==|!=|&&|[-+*%()<>=])|(\S))")
_RELATIONS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "<": ("<", operator.lt),
    "<=": ("<=", operator.le),
    ">": (">", operator.gt),
    ">=": (">=", operator.ge),
    "=": ("=", operator.eq),
    "==": ("=", operator.eq),
    "!=": ("!=", operator.ne),
}
"""Each relation in isl's syntax, and as a function."""


class AssumptionError(ValueError):
    """A text is not an assumption; located at a character."""

    def __init__(self, message: str, text: str, offset: int):
        self.message = f"assumption: {message}"
        self.place = f"  {text}\n  {' ' * offset}^"
        """The text, and a caret below the place."""
        super().__init__(f"{self.message}\n{self.place}")


@dataclass(frozen=True)
class Assumption:
    """A parsed assumption."""

    text: str
    names: tuple[str, ...]
    """The names in it, in the order in which they first appear."""

    comparisons: tuple[tuple[str, Callable[[Mapping[str, int]], bool]], ...]
    """Each in isl's syntax, with the names between braces, and whether it holds for values."""

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it is true for these values of its names."""
        return all(holds(values) for _, holds in self.comparisons)

    def isl_text(self, names: Mapping[str, str]) -> str:
        """The set of parameters for which it holds, in isl's syntax.

        `names` maps a name to another name or to a number; other names stay.
        """
        new = {name: names.get(name, name) for name in self.names}
        parameters = sorted({name for name in new.values() if not name.isdecimal()})
        conditions = " and ".join(text.format_map(new) for text, _ in self.comparisons)
        return f"[{', '.join(parameters)}] -> {{ : {conditions} }}"


@lru_cache(maxsize=256)
def parse_assumption(text: str) -> Assumption:
    """Read `text`; raises AssumptionError."""
    return _Parser(text).read()


def check_assumption(text: str, known: Iterable[str]) -> None:
    """Raise AssumptionError where `text` is malformed or names none of `known` nor of SIZES."""
    known = [*known, *SIZES]
    for name in parse_assumption(text).names:
        if name not in known:
            found = re.search(rf"(?<![A-Za-z_]){name}\b", text)
            assert found is not None
            raise AssumptionError(
                unknown_name("integer argument", name, known), text, found.start()
            )


@dataclass(frozen=True)
class _Value:
    at: Callable[[Mapping[str, int]], int]
    isl: str
    is_constant: bool


class _Parser:
    def __init__(self, text: str):
        self.text = text
        self.names: dict[str, None] = {}
        matches = list(_TOKEN.finditer(text))
        for match in matches:
            if match[4]:
                raise AssumptionError(f"unexpected '{match[4]}'", text, match.end() - 1)
        self.tokens = [(match[0].strip(), match.end() - len(match[0].strip())) for match in matches]
        self.tokens.append(("", len(text.rstrip())))
        self.place = 0

    @property
    def token(self) -> str:
        return self.tokens[self.place][0]

    def accept(self, *tokens: str) -> str:
        """Consume the next token if it is one of `tokens`; else ""."""
        token = self.token
        if not token or token not in tokens:
            return ""
        self.place += 1
        return token

    def error(self, message: str, place: int | None = None) -> AssumptionError:
        offset = self.tokens[self.place if place is None else place][1]
        return AssumptionError(message, self.text, offset)

    def expected(self, what: str) -> AssumptionError:
        got = f"'{self.token}'" if self.token else "the end"
        return self.error(f"expected {what}, got {got}")

    def read(self) -> Assumption:
        comparisons = self.comparison()
        while self.accept("and", "&&"):
            comparisons += self.comparison()
        if self.token:
            raise self.expected("'and' or the end")
        return Assumption(self.text, tuple(self.names), tuple(comparisons))

    def comparison(self) -> list[tuple[str, Callable[[Mapping[str, int]], bool]]]:
        left = self.sum()
        found: list[tuple[str, Callable[[Mapping[str, int]], bool]]] = []
        while not found or self.token in _RELATIONS:
            if self.token not in _RELATIONS:
                raise self.expected("a comparison")
            sign, relation = _RELATIONS[self.accept(*_RELATIONS)]
            right = self.sum()
            found.append((f"{left.isl} {sign} {right.isl}", _compared(relation, left, right)))
            left = right
        return found

    def sum(self) -> _Value:
        left = self.product()
        while sign := self.accept("+", "-"):
            function = operator.add if sign == "+" else operator.sub
            left = _combined(function, left, sign, self.product())
        return left

    def product(self) -> _Value:
        number, start = self.tokens[self.place]
        left = self.factor()
        is_single = True
        if number.isdecimal() and self.tokens[self.place][1] == start + len(number):
            if self.token.isidentifier():
                left, is_single = _combined(operator.mul, left, "*", self.factor()), False
        while self.accept("*"):
            place = self.place
            right = self.factor()
            if not (left.is_constant or right.is_constant):
                raise self.error("a product of two arguments is not affine", place)
            left, is_single = _combined(operator.mul, left, "*", right), False
        if self.token in ("%", "mod") and not is_single:
            raise self.error("put the product before '%' in parentheses")
        return self.remainder(left) if self.accept("%", "mod") else left

    def remainder(self, left: _Value) -> _Value:
        modulus = int(self.token) if self.token.isdecimal() else 0
        if modulus < 1:
            raise self.expected("a positive number after '%'")
        self.place += 1
        text = f"({left.isl} mod {modulus})"
        return _Value(lambda v: left.at(v) % modulus, text, left.is_constant)

    def factor(self) -> _Value:
        if self.accept("-"):
            inner = self.factor()
            return _Value(lambda v: -inner.at(v), f"(-{inner.isl})", inner.is_constant)
        return self.atom()

    def atom(self) -> _Value:
        token = self.token
        if self.accept("("):
            inner = self.sum()
            if not self.accept(")"):
                raise self.expected("')'")
            return inner
        if token.isdecimal():
            self.place += 1
            return _Value(lambda _: int(token), token, True)
        if token.isidentifier() and token not in _WORDS:
            self.place += 1
            self.names[token] = None
            return _Value(lambda v: v[token], f"{{{token}}}", False)
        raise self.expected("a number or an argument's name")


def _combined(function: Callable[[int, int], int], a: _Value, sign: str, b: _Value) -> _Value:
    text = f"({a.isl} {sign} {b.isl})"
    return _Value(lambda v: function(a.at(v), b.at(v)), text, a.is_constant and b.is_constant)


def _compared(
    relation: Callable[[int, int], bool], a: _Value, b: _Value
) -> Callable[[Mapping[str, int]], bool]:
    return lambda values: relation(a.at(values), b.at(values))
