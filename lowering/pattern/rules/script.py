"""The text of a derivation, parsed: one step a line.

```
tune n = 64 128 256                // a tunable and its values, the default first
tune n = 512 where N >= 100000     // another default where the size is a number of at least this
tune n = 256 where N < 64 and lanes >= 16    // lanes: the floats of a device's vector
tune h = align 64 where N >= 100000  // the elements before an address that is a multiple of 64
size N divisible_by ?n             // for such sizes only; or: size N = ?n*M
def tile(k) = {                    // a macro; its places start at that of the call
  3c n=k @
}
tile(?n) @map                      // rule or macro, parameters, place
try 3f.map @everywhere             // not an error where it does not apply
tile(8) @map where M >= 9          // for such sizes only
repeat 3e @split                   // as often as it applies
expect "map(map(f)) o split-64"    // the notation of [lift15]; further lines may continue it
```

Values are polynomials in size variables, tunables `?n` and the parameters of the macro, with
division, and without blanks: `n=262144/?w`. Places are in `places.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polycl.diagnostics import unknown_name
from polycl.lowering.pattern.rules.expressions import Expression, parse_expression
from polycl.lowering.pattern.rules.lines import NAME, Line, Position
from polycl.lowering.pattern.rules.places import Place, PlaceError, parse_place
from polycl.lowering.pattern.rules.where import LANES, SizeCondition, all_hold, parse_where

Mode = Literal["once", "try", "repeat"]


@dataclass(frozen=True)
class Apply:
    """`RULE name=value ... @place`."""

    rule: str
    arguments: Mapping[str, Expression]
    place: Place
    mode: Mode
    position: Position
    where: tuple[SizeCondition, ...] = ()


@dataclass(frozen=True)
class Call:
    """`MACRO(value, ...) @place`."""

    macro: str
    arguments: Sequence[Expression]
    place: Place
    mode: Mode
    position: Position
    where: tuple[SizeCondition, ...] = ()


@dataclass(frozen=True)
class Expect:
    """`expect "text"`: the whole expression in the notation of [lift15], up to white space."""

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
    """`tune name = value ...`; a tunable that is only used, as `?name`, has no values."""

    name: str
    values: tuple[int, ...]
    position: Position
    by_size: tuple[tuple[int, tuple[SizeCondition, ...]], ...] = ()
    """Other defaults, each with its conditions; a later one comes first."""
    aligned: tuple[int, tuple[SizeCondition, ...]] | None = None
    """Bytes, and the conditions under which the value is the number of elements of the first array
    before an address that is a multiple of so many bytes."""

    def alignment(self, sizes: Mapping[str, int]) -> int:
        """The bytes of which the address of the first array is to be seen as a multiple; 1: any."""
        if self.aligned is None:
            return 1
        bytes, where = self.aligned
        return bytes if all_hold(where, sizes) else 1

    def default(self, sizes: Mapping[str, int], lanes: int = 0) -> int | None:
        """The value without another one given, for these sizes, as far as they are known, and
        vectors of so many floats."""
        for value, where in reversed(self.by_size):
            if all_hold(where, {**sizes, LANES: lanes}):
                return value
        return self.values[0] if self.values else None


@dataclass
class Script:
    """The statements of a text in order."""

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
        DerivationError: at the first malformed place.
    """
    return _Parser(filename, rules).parse(text, line)


_RULE = r"[A-Za-z0-9][\w.\-]*"


class _Parser:
    def __init__(self, filename: str, rules: Mapping[str, Sequence[str]]):
        self._filename = filename
        self._rules = rules
        self._script = Script()
        self._body: list[Statement] = self._script.statements
        self._open: Position | None = None  # of the macro with the current lines

    def parse(self, text: str, first_line: int) -> Script:
        for number, content in enumerate(text.splitlines(), first_line):
            line = Line(content, self._filename, number)
            if not line.at_end:
                self._statement(line)
                line.end()
        if self._open is not None:
            raise self._open.error("expected '}' after the lines of this macro, got the end")
        return self._script

    def _statement(self, line: Line) -> None:
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
            variable = line.expect(NAME, "a size variable, as in 'size N = 64*M'")
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

    def _def(self, line: Line, start: Position) -> None:
        if self._open is not None:
            raise start.error("a macro cannot be defined within another")
        name = line.expect(NAME, "the name of the macro")
        parameters: list[str] = []
        line.expect(r"\(", "'('")
        while not line.accept(r"\)"):
            parameters.append(line.expect(NAME, "the name of a parameter or ')'"))
            line.accept(",")
        line.expect("=", "'='")
        line.expect(r"\{", "'{' and the end of the line")
        if name in self._script.macros:
            raise start.error(f"the macro '{name}' is defined already")
        macro = self._script.macros[name] = Macro(name, parameters, [])
        self._open, self._body = start, macro.body

    def _tune(self, line: Line) -> None:
        start = line.here
        name = line.expect(NAME, "the name of the tunable, as in 'tune n = 64 128'")
        line.expect("=", "'='")
        known = self._script.tunables.get(name)
        aligns = line.accept(r"align\b") is not None
        values = [int(line.expect(r"\d+", "a number"))]
        while number := line.accept(r"\d+"):
            values.append(int(number))
        if aligns and (len(values) != 1 or values[0] < 1 or values[0] & (values[0] - 1)):
            raise start.error("expected one power of two, as in 'tune n = align 64 where N >= 8'")
        where = parse_where(line)
        if not where:
            if aligns:
                example = f"tune {name} = align {values[0]} where N >= 1000"
                raise start.error(f"expected sizes for which it holds: '{example}'")
            if known is not None and known.by_size:
                raise start.error(f"'{name}' has values for some sizes before its default")
            self._script.tunables[name] = Tunable(name, tuple(values), start)
            return
        if known is None or not known.values:
            default = 0 if aligns else values[0]
            raise start.error(f"expected the default first: 'tune {name} = {default}'")
        if len(values) != 1:
            raise start.error("expected one value for these sizes")
        if aligns:
            self._script.tunables[name] = replace(known, aligned=(values[0], where))
            return
        by_size = (*known.by_size, (values[0], where))
        self._script.tunables[name] = replace(known, by_size=by_size)

    def _step(self, line: Line, mode: Mode) -> None:
        start = line.here
        name = line.expect(_RULE, "a rule, a macro, 'expect', 'size', 'tune' or 'def'")
        if line.accept(r"\("):
            self._call(line, name, mode, start)
            return
        if name not in self._rules:
            raise start.error(unknown_name("rule", name, self._rules))
        arguments: dict[str, Expression] = {}
        here = line.here
        while key := line.accept(NAME + r"(?==)", blanks=False):
            if key not in self._rules[name]:
                have = ", ".join(self._rules[name]) or "none"
                raise here.error(f"rule {name} has no parameter '{key}'; its parameters: {have}")
            line.expect("=", "'='", blanks=False)
            arguments[key] = self._expression(line)
            here = line.here
        place, where = self._place(line), parse_where(line, of_step=True)
        self._body.append(Apply(name, arguments, place, mode, start, where))

    def _call(self, line: Line, name: str, mode: Mode, start: Position) -> None:
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
        place, where = self._place(line), parse_where(line, of_step=True)
        self._body.append(Call(name, arguments, place, mode, start, where))

    def _place(self, line: Line) -> Place:
        """The place after `@`; without one, the result."""
        if line.at_end or line.accept(r"(?=where\b)") is not None:
            return parse_place("")
        line.expect("@", "'@' and a place, or the end of the line", blanks=False)
        start = line.here
        text = line.accept(r"\S*") or ""
        try:
            return parse_place(text)
        except PlaceError as error:
            raise start.error(str(error)) from error

    def _expression(self, line: Line) -> Expression:
        found = parse_expression(line)
        for name in found.tunables:
            self._script.tunables.setdefault(name, Tunable(name, (), found.position))
        return found
