"""The text of a derivation, parsed: one step a line.

```
tune n = 64 128 256                // a tunable and the values worth a try, the default first
size N divisible_by ?n             // from here on, for such sizes only; or: size N = ?n*M
def tile(k) = {                    // a macro; its places start at that of the call
  3c n=k @
}
tile(?n) @map                      // rule or macro, parameters, place
try 3f.map @everywhere             // where it does not apply, go on
repeat 3e @split                   // as often as it applies
expect "map(map(f)) o split-64"    // the paper's notation; strings of further lines are added
```

Values are polynomials in size variables, tunables `?n` and the parameters of the macro, with
division, and without blanks: `n=262144/?w`. Places are in `places.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from polycl.diagnostics import unknown_name
from polycl.dialects.pattern import NatAttr, nat
from polycl.errors import SourceError
from polycl.lowering.pattern_rules.places import Place, PlaceError, parse_place

Environment = Mapping[str, NatAttr]
"""The values of tunables, by `?name`, and of a macro's parameters, by name."""

Mode = Literal["once", "try", "repeat"]


class DerivationError(SourceError):
    """A step of a derivation is wrong or does not apply; at its place in the script."""


@dataclass(frozen=True)
class Position:
    """A place in a script; line and column count from 1."""

    filename: str
    line: int
    col: int
    source_line: str

    def error(
        self,
        message: str,
        notes: Sequence[str] = (),
        kind: type[DerivationError] = DerivationError,
    ) -> DerivationError:
        return kind(
            message,
            self.filename,
            self.line,
            self.col,
            source_line=self.source_line,
            notes=notes,
        )


@dataclass(frozen=True)
class Expression:
    """A size, to be computed when the values of tunables and parameters are known."""

    text: str
    position: Position
    evaluate: Callable[[Environment], NatAttr]


@dataclass(frozen=True)
class Apply:
    """`RULE name=value ... @place`."""

    rule: str
    arguments: Mapping[str, Expression]
    place: Place
    mode: Mode
    position: Position


@dataclass(frozen=True)
class Call:
    """`MACRO(value, ...) @place`."""

    macro: str
    arguments: Sequence[Expression]
    place: Place
    mode: Mode
    position: Position


@dataclass(frozen=True)
class Expect:
    """`expect "text"`: the whole expression in the paper's notation; white space is all one."""

    text: str
    position: Position


@dataclass(frozen=True)
class Assume:
    """`size variable = value`, `size variable divisible_by value`."""

    variable: str
    relation: Literal["=", "divisible_by"]
    value: Expression
    position: Position


Statement = Apply | Call | Expect | Assume


@dataclass(frozen=True)
class Macro:
    """`def name(parameter, ...) = { statements }`."""

    name: str
    parameters: Sequence[str]
    body: list[Statement]


@dataclass(frozen=True)
class Tunable:
    """`tune name = value ...`; one that is only used, as `?name`, has no values."""

    name: str
    values: tuple[int, ...]
    position: Position


@dataclass
class Script:
    """What a text says, in order."""

    statements: list[Statement] = field(default_factory=list[Statement])
    macros: dict[str, Macro] = field(default_factory=dict[str, Macro])
    tunables: dict[str, Tunable] = field(default_factory=dict[str, Tunable])


def parse_script(
    text: str, filename: str, rules: Mapping[str, Sequence[str]], line: int = 1
) -> Script:
    """The steps of `text`.

    Args:
        rules: The names of the parameters of each rule, by the rule's name.
        line: The number of its first line in the file.

    Raises:
        DerivationError: at the place of the first thing that is not understood.
    """
    return _Parser(filename, rules).parse(text, line)


_NAME = r"[A-Za-z_]\w*"
_RULE = r"[A-Za-z0-9][\w.\-]*"


class _Line:
    """One line that is read from left to right; comments are cut off."""

    def __init__(self, text: str, filename: str, number: int):
        self._source = text
        self._filename = filename
        self._number = number
        comment = re.match(r'(?:[^"/]|"[^"]*"|/(?!/))*', text)
        self._text = (comment.group() if comment else text).rstrip()
        self._at = 0
        self._skip_blanks()

    def accept(self, pattern: str, *, blanks: bool = True) -> str | None:
        """What is next if it matches `pattern`, and blanks after it."""
        found = re.compile(pattern).match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        if blanks:
            self._skip_blanks()
        return found.group()

    def expect(self, pattern: str, what: str, *, blanks: bool = True) -> str:
        found = self.accept(pattern, blanks=blanks)
        if found is None:
            rest = self._text[self._at :]
            got = f"'{rest}'" if rest else "the end of the line"
            raise self.here.error(f"expected {what}, got {got}")
        return found

    def end(self) -> None:
        self.expect("$", "the end of the line")

    @property
    def at_end(self) -> bool:
        return self._at == len(self._text)

    @property
    def here(self) -> Position:
        return Position(self._filename, self._number, self._at + 1, self._source)

    def text_since(self, position: Position) -> str:
        return self._text[position.col - 1 : self._at].rstrip()

    def _skip_blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1


class _Parser:
    def __init__(self, filename: str, rules: Mapping[str, Sequence[str]]):
        self._filename = filename
        self._rules = rules
        self._script = Script()
        self._body: list[Statement] = self._script.statements
        self._open: Position | None = None  # of the macro that the lines belong to

    def parse(self, text: str, first_line: int) -> Script:
        for number, content in enumerate(text.splitlines(), first_line):
            line = _Line(content, self._filename, number)
            if not line.at_end:
                self._statement(line)
                line.end()
        if self._open is not None:
            raise self._open.error("expected '}' after the lines of this macro, got the end")
        return self._script

    def _statement(self, line: _Line) -> None:
        start = line.here
        if line.accept(r"\}"):
            if self._open is None:
                raise start.error("'}' closes nothing: no 'def' is open")
            self._open, self._body = None, self._script.statements
        elif line.accept(r"def\b"):
            self._def(line, start)
        elif line.accept(r"tune\b"):
            self._tune(line)
        elif line.accept(r"size\b"):
            variable = line.expect(_NAME, "a size variable, as in 'size N = 64*M'")
            found = line.expect("=|divisible_by", "'=' or 'divisible_by'")
            relation = "=" if found == "=" else "divisible_by"
            self._body.append(Assume(variable, relation, self._expression(line), start))
        elif line.accept(r"expect\b"):
            text = line.expect(r'"[^"]*"', 'the expected expression in "..."')
            self._body.append(Expect(text[1:-1], start))
        elif text := line.accept(r'"[^"]*"'):
            self._continue_expect(text[1:-1], start)
        else:
            mode = line.accept(r"(try|repeat)\b")
            self._step(line, "try" if mode == "try" else "repeat" if mode else "once")

    def _continue_expect(self, text: str, start: Position) -> None:
        match self._body:
            case [*_, Expect() as last]:
                self._body[-1] = Expect(f"{last.text} {text}", last.position)
            case _:
                raise start.error("a string goes on with an 'expect', which is not before it")

    def _def(self, line: _Line, start: Position) -> None:
        if self._open is not None:
            raise start.error("a macro cannot be defined within another")
        name = line.expect(_NAME, "the name of the macro")
        parameters: list[str] = []
        line.expect(r"\(", "'('")
        while not line.accept(r"\)"):
            parameters.append(line.expect(_NAME, "the name of a parameter or ')'"))
            line.accept(",")
        line.expect("=", "'='")
        line.expect(r"\{", "'{' and the end of the line")
        if name in self._script.macros:
            raise start.error(f"the macro '{name}' is defined already")
        macro = self._script.macros[name] = Macro(name, parameters, [])
        self._open, self._body = start, macro.body

    def _tune(self, line: _Line) -> None:
        start = line.here
        name = line.expect(_NAME, "the name of the tunable, as in 'tune n = 64 128'")
        line.expect("=", "'='")
        values = [int(line.expect(r"\d+", "a number"))]
        while number := line.accept(r"\d+"):
            values.append(int(number))
        self._script.tunables[name] = Tunable(name, tuple(values), start)

    def _step(self, line: _Line, mode: Mode) -> None:
        start = line.here
        name = line.expect(_RULE, "a rule, a macro, 'expect', 'size', 'tune' or 'def'")
        if line.accept(r"\("):
            self._call(line, name, mode, start)
            return
        if name not in self._rules:
            raise start.error(unknown_name("rule", name, self._rules))
        arguments: dict[str, Expression] = {}
        here = line.here
        while key := line.accept(_NAME + r"(?==)", blanks=False):
            if key not in self._rules[name]:
                have = ", ".join(self._rules[name]) or "none"
                raise here.error(f"rule {name} has no parameter '{key}'; its parameters: {have}")
            line.expect("=", "'='", blanks=False)
            arguments[key] = self._expression(line)
            here = line.here
        self._body.append(Apply(name, arguments, self._place(line), mode, start))

    def _call(self, line: _Line, name: str, mode: Mode, start: Position) -> None:
        macro = self._script.macros.get(name)
        if macro is None:
            raise start.error(unknown_name("macro", name, self._script.macros))
        if self._open is not None and macro.body is self._body:
            raise start.error(f"the macro '{name}' cannot use itself")
        arguments: list[Expression] = []
        while not line.accept(r"\)"):
            arguments.append(self._expression(line))
            line.accept(r",")
        if len(arguments) != len(macro.parameters):
            raise start.error(
                f"macro '{name}' takes {len(macro.parameters)} values, got {len(arguments)}"
            )
        self._body.append(Call(name, arguments, self._place(line), mode, start))

    def _place(self, line: _Line) -> Place:
        """What follows `@`; without one, the result."""
        if not line.at_end:
            line.expect("@", "'@' and a place, or the end of the line", blanks=False)
        start = line.here
        text = line.accept(r"\S*") or ""
        try:
            return parse_place(text)
        except PlaceError as error:
            raise start.error(str(error)) from error

    def _expression(self, line: _Line) -> Expression:
        """A sum of products of numbers, names, `?names` and parentheses."""
        start = line.here
        evaluate = self._sum(line)
        text = line.text_since(start)
        line.accept(r"\s*")
        return Expression(text, start, evaluate)

    def _sum(self, line: _Line) -> Callable[[Environment], NatAttr]:
        value = self._product(line)
        while sign := line.accept(r"[+-]", blanks=False):
            value = _combine(value, sign, self._product(line), line.here)
        return value

    def _product(self, line: _Line) -> Callable[[Environment], NatAttr]:
        value = self._atom(line)
        while sign := line.accept(r"[*/]", blanks=False):
            here = line.here
            value = _combine(value, sign, self._atom(line), here)
        return value

    def _atom(self, line: _Line) -> Callable[[Environment], NatAttr]:
        here = line.here
        if line.accept(r"\(", blanks=False):
            value = self._sum(line)
            line.expect(r"\)", "')'", blanks=False)
            return value
        if number := line.accept(r"\d+", blanks=False):
            constant = nat(int(number))
            return lambda _: constant
        name = line.expect(rf"\??{_NAME}", "a number, a size variable or ?tunable", blanks=False)
        if not name.startswith("?"):
            return lambda values: values[name] if name in values else nat(name)
        self._script.tunables.setdefault(name[1:], Tunable(name[1:], (), here))

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
            case _:
                quotient = a.quotient(b)
                if quotient is None:
                    raise position.error(f"{b} does not divide {a}")
                return quotient

    return evaluate
