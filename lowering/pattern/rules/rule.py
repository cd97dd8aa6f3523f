"""Rewrite rules.

Most rules are equations (`equations.py`). The others are functions from an operation and parameters
to the rewrite, which has not run yet; they raise `Refused` with the reason where the rule does not
apply. So a search for matches does not change a program.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.pattern import NatAttr, nat

Rewrite = Callable[[Builder], SSAValue | Sequence[SSAValue]]
"""Inserts the right-hand side before the operation; returns the replacements of its results."""


class Refused(Exception):
    """A rule does not apply; the message has the reason."""


@dataclass(frozen=True)
class Sizes:
    """A parameter that is a size; `candidates` are the sizes to try at an operation."""

    candidates: Callable[[Operation], Iterable[NatAttr]]
    default: NatAttr | None = None

    def coerce(self, value: int | str | NatAttr) -> NatAttr:
        return nat(value)


@dataclass(frozen=True)
class Counts:
    """A parameter that is a plain number."""

    candidates: Callable[[Operation], Iterable[int]]
    default: int | None = None

    def coerce(self, value: int | str | NatAttr) -> int:
        size = nat(value)
        if not size.is_constant or size.denominator != 1:
            raise Refused(f"expected an integer, got the size {size}")
        return size.value


@dataclass(frozen=True)
class PatternRule:
    """One named rewrite of pattern expressions."""

    name: str
    equation: str
    conditions: str
    parameters: Mapping[str, Sizes | Counts]
    find: Callable[..., Rewrite]

    def match(self, op: Operation, **values: int | str | NatAttr) -> Rewrite:
        """The rewrite at `op`, which has not run yet. Raises `Refused`."""
        for name in values:
            if name not in self.parameters:
                have = ", ".join(self.parameters) or "none"
                raise Refused(f"there is no parameter '{name}'; the parameters: {have}")
        given: dict[str, int | NatAttr] = {}
        for name, parameter in self.parameters.items():
            if name in values:
                given[name] = parameter.coerce(values[name])
            elif parameter.default is not None:
                given[name] = parameter.default
            else:
                raise Refused(f"the parameter '{name}' has no value")
        return self.find(op, **given)

    def bindings(self, op: Operation) -> Iterator[dict[str, NatAttr | int]]:
        """The candidate parameters with which the rule applies at `op`."""
        choices = [list(p.candidates(op)) for p in self.parameters.values()]
        for chosen in itertools.product(*choices):
            values = dict(zip(self.parameters, chosen, strict=True))
            try:
                self.match(op, **values)
            except Refused:
                continue
            yield values

    def apply(
        self, op: Operation, rewriter: PatternRewriter, **values: int | str | NatAttr
    ) -> None:
        """Rewrite at `op`, and remove dead operations. Raises `Refused`."""
        rewrite = self.match(op, **values)
        previous, operands = op.prev_op, list(op.operands)
        rewriter.insertion_point = InsertPoint.before(op)
        results = rewrite(rewriter)
        _locate_new(op, previous)
        rewriter.replace(op, [], [results] if isinstance(results, SSAValue) else results)
        _erase_dead(rewriter, operands)

    def pattern(self, **values: int | str | NatAttr) -> RewritePattern:
        """The rule as a rewrite pattern of xDSL. Rules that grow a program (3a, 3c, 3d.split...)
        apply to their own results: a greedy driver would not terminate."""
        return _AsPattern(self, values)


@dataclass(frozen=True)
class _AsPattern(RewritePattern):
    rule: PatternRule
    values: Mapping[str, int | str | NatAttr]

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        try:
            self.rule.apply(op, rewriter, **self.values)
        except Refused:
            return


def function_rule(
    name: str, **parameters: Sizes | Counts
) -> Callable[[Callable[..., Rewrite]], PatternRule]:
    """Make a rule of a function. Its docstring has three parts: the equation, the conditions, and
    the reason why an equation cannot state it."""

    def decorate(find: Callable[..., Rewrite]) -> PatternRule:
        equation, conditions, _ = inspect.cleandoc(find.__doc__ or "").split("\n\n", 2)
        return PatternRule(name, equation, " ".join(conditions.split()), parameters, find)

    return decorate


def _locate_new(op: Operation, previous: Operation | None) -> None:
    """Gives new operations the source location of `op`."""
    new = previous.next_op if previous is not None else op.parent and op.parent.first_op
    while new is not None and new is not op:
        for inner in new.walk():
            if isinstance(inner.location, UnknownLoc):
                inner.location = op.location
        new = new.next_op


def _erase_dead(rewriter: PatternRewriter, values: Iterable[SSAValue]) -> None:
    for value in values:
        owner = value.owner
        if not isinstance(owner, Operation) or owner.parent is None:
            continue
        if all(not result.uses for result in owner.results) and is_side_effect_free(owner):
            operands = list(owner.operands)
            captured = [v for inner in owner.walk() if inner is not owner for v in inner.operands]
            rewriter.erase(owner)
            _erase_dead(rewriter, [*operands, *captured])
