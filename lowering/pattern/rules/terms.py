r"""The notation of rules: terms, and the parser of equations.

| term | is |
|---|---|
| `p o q` | p applied to the result of q; `id` is the empty composition |
| `map(f)`, `reduce(f,z)`, `split^n`, ... | a pattern of the table `PATTERNS`, its sizes above it |
| `f`, `g`; `z`; `k`, `m`, `n`, `s` | a function, an initial value, sizes: one letter |
| `e` | the neutral element of f; z, where z is neutral |
| `N` | the size of the array that the first pattern on the left reads |
| `X` | any pattern |
| `map-k` | a map of any kind, of the same kind and dimension throughout |
| `vect^n(f)`, `vect^n(z)` | f on vectors of n, a vector of n times z |
| `z^n` | an array of n times z |
| `\x,y: f(x,g(y))` | a function; on the right only |
| `p \| q -> r` | p or q becomes r; several equations are separated by commas |

A parallel map is along the dimension `dim`. A pattern on the right has the properties (dimension,
unrolled or not, associative or not) that the same pattern, or its function, has on the left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xdsl.ir import Operation

from polycl.diagnostics import unknown_name
from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr, nat
from polycl.dialects.pattern.types import width_of
from polycl.lowering.pattern.rules.build import element_of, size_of
from polycl.lowering.pattern.rules.expressions import Expression, parse_expression
from polycl.lowering.pattern.rules.lines import NAME, Line, Position


@dataclass(frozen=True)
class Pattern:
    """How a pattern is written."""

    op: type[Operation]
    arguments: int = 0
    sizes: tuple[Callable[[Any], NatAttr], ...] = ()
    implied: bool = False
    """Whether the type of the input determines the size, which is then on the left only."""


PATTERNS: dict[str, Pattern] = {
    "map": Pattern(pattern.MapOp, 1),
    "map-k": Pattern(pattern.MapBase, 1),
    "map-workgroup": Pattern(pattern.MapWorkgroupOp, 1),
    "map-local": Pattern(pattern.MapLocalOp, 1),
    "map-global": Pattern(pattern.MapGlobalOp, 1),
    "map-seq": Pattern(pattern.MapSeqOp, 1),
    "map-seq-unroll": Pattern(pattern.MapSeqOp, 1),
    "reduce": Pattern(pattern.ReduceOp, 2),
    "part-red": Pattern(pattern.PartRedOp, 2, (lambda op: size_of(op.result),)),
    "reduce-seq": Pattern(pattern.ReduceSeqOp, 2),
    "reduce-seq-unroll": Pattern(pattern.ReduceSeqOp, 2),
    "scan": Pattern(pattern.ScanOp, 2),
    "scan-exclusive": Pattern(pattern.ScanOp, 2),
    "iterate": Pattern(pattern.IterateOp, 1, (lambda op: op.n,)),
    "split": Pattern(pattern.SplitOp, 0, (lambda op: op.size,)),
    "join": Pattern(pattern.JoinOp, 0, (lambda op: op.input_type.element_type.size,), implied=True),
    "reorder": Pattern(pattern.ReorderOp),
    "reorder-stride": Pattern(pattern.ReorderStrideOp, 0, (lambda op: op.stride,)),
    "transpose": Pattern(pattern.TransposeOp),
    "slide": Pattern(pattern.SlideOp, 0, (lambda op: op.size, lambda op: op.step)),
    "zip": Pattern(pattern.ZipOp, 2),
    "asVector": Pattern(pattern.AsVectorOp, 0, (lambda op: nat(op.width),)),
    "asScalar": Pattern(
        pattern.AsScalarOp, 0, (lambda op: nat(width_of(element_of(op.input)) or 0),), True
    ),
    "vect": Pattern(pattern.VectOp, 1, (lambda op: nat(op.width),)),
    "toGlobal": Pattern(pattern.ToGlobalOp, 1),
    "toLocal": Pattern(pattern.ToLocalOp, 1),
    "toPrivate": Pattern(pattern.ToPrivateOp, 1),
}


@dataclass(frozen=True)
class Term:
    """`name^size(argument,...)`: a pattern or a variable; slide has its sizes in parentheses."""

    name: str
    sizes: tuple[Expression, ...] = ()
    arguments: tuple[Function, ...] = ()

    def __str__(self) -> str:
        sizes = [size.text for size in self.sizes]
        above = f"^{sizes.pop()}" if len(sizes) == 1 else ""
        inside = ",".join([*sizes, *map(str, self.arguments)])
        return f"{self.name}{above}({inside})" if inside else f"{self.name}{above}"


@dataclass(frozen=True)
class Function:
    """A composition of terms, with the parameters of a written function."""

    terms: tuple[Term, ...]
    parameters: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = f"\\{','.join(self.parameters)}: " if self.parameters else ""
        return head + (" o ".join(map(str, self.terms)) or "id")

    @cached_property
    def variable(self) -> str | None:
        """The name, where it is a single variable."""
        if self.parameters or len(self.terms) != 1 or str(self) in PATTERNS:
            return None
        return self.terms[0].name if str(self) == self.terms[0].name else None


@dataclass(frozen=True)
class Equation:
    """`left | left ... -> right`."""

    lefts: tuple[Function, ...]
    right: Function

    def __str__(self) -> str:
        return f"{' | '.join(map(str, self.lefts))} -> {self.right}"


def parse_equations(text: str, rule: str, parameters: Collection[str] = ()) -> list[Equation]:
    """The equations of a rule with these parameters.

    Raises:
        SourceError: at the first malformed place, such as an unknown pattern, or a variable of the
            right-hand side that is not on the left.
    """
    line = Line(text, f"<{rule}>", 1)
    equations = [_Parser(line, parameters).equation()]
    while line.accept(","):
        equations.append(_Parser(line, parameters).equation())
    line.end()
    return equations


class _Parser:
    def __init__(self, line: Line, parameters: Collection[str]):
        self._line = line
        self._known = {*parameters, "N", "e"}
        self._on_the_left = True

    def equation(self) -> Equation:
        given, known = self._known, list[set[str]]()
        lefts: list[Function] = []
        while not lefts or self._line.accept(r"\|"):
            self._known, here = set(given), self._line.here
            lefts.append(self._chain())
            if str(lefts[-1]) != "X":
                _check_left(lefts[-1], here, set())
            known.append(self._known)
        self._line.expect("->", "'->' and the right-hand side")
        self._known, self._on_the_left = set.intersection(*known), False
        return Equation(tuple(lefts), self._chain())

    def _chain(self, parameters: tuple[str, ...] = ()) -> Function:
        if self._line.accept(r"id\b"):
            return Function((), parameters)
        terms = [self._term()]
        while self._line.accept(r"o\b"):
            terms.append(self._term())
        return Function(tuple(terms), parameters)

    def _term(self) -> Term:
        line, here = self._line, self._line.here
        name = line.expect(r"[A-Za-z]\w*(-[a-z]+)*", "a pattern or a variable", blanks=False)
        if name not in PATTERNS:
            self._variable(name, here)
        sizes: list[Expression] = []
        arguments: list[Function] = []
        if line.accept(r"\^", blanks=False):
            sizes.append(self._size())
        if line.accept(r"\("):
            in_parentheses = name in PATTERNS and len(PATTERNS[name].sizes) == 2
            while True:
                if in_parentheses:
                    sizes.append(self._size())
                else:
                    arguments.append(self._function())
                if not line.accept(","):
                    break
            line.expect(r"\)", "',' or ')'", blanks=False)
        line.accept(r"\s*")
        term = Term(name, tuple(sizes), tuple(arguments))
        if name in PATTERNS:
            self._check(term, PATTERNS[name], here)
        return term

    def _function(self) -> Function:
        line, here = self._line, self._line.here
        if not line.accept(r"\\"):
            return self._chain()
        if self._on_the_left:
            raise here.error("a function can only be written out on the right-hand side")
        names = [line.expect(NAME, "the name of a parameter")]
        while line.accept(","):
            names.append(line.expect(NAME, "the name of a parameter"))
        line.expect(":", "':' and the value of the function")
        outer, self._known = self._known, self._known.union(names)
        function = self._chain(tuple(names))
        self._known = outer
        return function

    def _size(self) -> Expression:
        here = self._line.here
        size = parse_expression(self._line)
        for name in size.variables:
            self._variable(name, here)
        return size

    def _variable(self, name: str, here: Position) -> None:
        if self._on_the_left and len(name) == 1:
            self._known.add(name)
        elif name not in self._known:
            raise here.error(unknown_name("pattern or variable", name, (*PATTERNS, *self._known)))

    def _check(self, term: Term, pattern: Pattern, here: Position) -> None:
        if len(term.arguments) != pattern.arguments:
            found = len(term.arguments)
            raise here.error(f"{term.name} takes {pattern.arguments} arguments, got {found}")
        written = {len(pattern.sizes)}
        if pattern.implied:
            written = {0, 1} if self._on_the_left else {0}
        elif self._on_the_left:
            written |= {0}
        if len(term.sizes) not in written:
            expected = " or ".join(map(str, sorted(written)))
            raise here.error(f"{term.name} takes {expected} sizes here, got {len(term.sizes)}")


def _check_left(function: Function, here: Position, seen: set[str]) -> None:
    """A left-hand side has patterns; their functions are a variable, a pattern, or one of each."""
    for term in function.terms:
        if term.name not in PATTERNS or PATTERNS[term.name].op in (pattern.VectOp, pattern.ZipOp):
            raise here.error(f"expected a pattern to match, got {term}")
        for argument in term.arguments:
            parts = [Function((part,)) for part in argument.terms]
            patterns = [part for part in parts if part.variable is None]
            if len(parts) not in (1, 2) or len(patterns) > 1:
                raise here.error(
                    f"expected a variable, a pattern, or one after the other: {argument}"
                )
            for name in (part.variable for part in parts):
                if name in seen:
                    raise here.error(f"the variable {name} is on the left twice")
                seen |= {name} if name else set()
            for part in patterns:
                _check_left(part, here, seen)
