"""A partial derivation: its steps, its tunables, and the resulting program.

Open sizes are symbolic in that program: a tunable `?n` is a size variable `n`. So one draft is for
all values, and the rules check their conditions for all values. Tunables that must be numbers, such
as the size of a vector, have a typical value instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from polycl.dialects.pattern import ArrayType, NatAttr, nat
from polycl.dialects.pattern.types import nats_in
from polycl.errors import PolyclError
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.runtime.pattern.explore.space import Constraint, Divides, Space, Tunable, near_divisors


class Inapplicable(Exception):
    """A step does not apply."""


@dataclass(frozen=True)
class Choice:
    """A tunable of a draft."""

    tunable: Tunable
    typical: int | None
    """The value in the draft's program; None where it is symbolic."""

    @property
    def name(self) -> str:
        return self.tunable.name


@dataclass(frozen=True)
class Plan:
    """The decisions of a draft: numbers and texts, which can be sent to other processes."""

    steps: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    limits: tuple[Constraint, ...] = ()
    multiples: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """For each split size variable: its name, that of the variable that replaces it, and the
    tunables by whose product that variable is multiplied."""
    moves: tuple[str, ...] = ()
    """The strategies, for people."""

    @property
    def script(self) -> str:
        """The derivation, with `?name` where a tunable stands."""
        return "".join(f"{line}\n" for line in self.steps)

    @property
    def kind(self) -> tuple[str, ...]:
        """The strategies, without their places and order."""
        return tuple(sorted(move.partition(" at ")[0] for move in self.moves))

    def space(self, sizes: Mapping[str, int], limits: tuple[Constraint, ...] = ()) -> Space:
        """The legal combinations of the tunables' values."""
        divisions = tuple(Divides("*".join(factors), root) for root, _, factors in self.multiples)
        roots = {factor: root for root, _, factors in self.multiples for factor in factors}
        tunables = tuple(
            # A symbolic size may be any number.
            replace(c.tunable, values=near_divisors(c.tunable.values, sizes[roots[c.name]]))
            if c.typical is None and c.name in roots
            else c.tunable
            for c in self.choices
        )
        return Space(tunables, (*divisions, *self.limits, *limits), tuple(sorted(sizes.items())))

    def environment(self, sizes: Mapping[str, int], values: Mapping[str, int]) -> dict[str, int]:
        """The values of all size variables of the program, where the function's have `sizes`."""
        known = {**sizes, **values}
        for root, left, factors in self.multiples:
            number = sizes[root]
            for factor in factors:
                number //= values[factor]
            known[left] = number
        return known


@dataclass(frozen=True)
class Draft:
    """A partial derivation; it is immutable, and each step makes a new one."""

    module: ModuleOp
    """The program after the steps."""
    origin: ModuleOp
    """The high-level program."""
    name: str
    """Of the function."""
    plan: Plan = Plan()

    @staticmethod
    def of(origin: ModuleOp, name: str, plan: Plan) -> Draft:
        """The draft of `plan` for a program. Raises Inapplicable."""
        draft = Draft(origin, origin, name, replace(plan, steps=()))
        for line in plan.steps:
            draft = draft.step(line)
        return draft

    @cached_property
    def function(self) -> FuncOp:
        return find_function(self.module, self.name)

    # ---- steps ----

    def step(self, line: str) -> Draft:
        """After one more line of the script. Raises Inapplicable."""
        if line.startswith(("//", "def ")):
            return self._changed(steps=(*self.plan.steps, line))
        used = set(re.findall(r"\?(\w+)", line))
        values: dict[str, int | str | NatAttr] = {
            c.name: nat(c.name) if c.typical is None else c.typical
            for c in self.plan.choices
            if c.name in used
        }
        calls = "(" in line.partition("@")[0]
        macros = [step for step in self.plan.steps if calls and step.startswith("def ")]
        try:
            # Candidates are verified when they are built; drafts are too many.
            derivation = Derivation.parse("\n".join([*macros, line]))
            module = derivation.replay(self.module, self.name, values, verify=False)
        except PolyclError as error:
            raise Inapplicable(f"{line}: {error}") from error
        plan = replace(self.plan, steps=(*self.plan.steps, line))
        return Draft(module, self.origin, self.name, plan)

    def _changed(self, **changes: Any) -> Draft:
        return replace(self, plan=replace(self.plan, **changes))

    def tried(self, line: str) -> Draft:
        """After the line, where it applies."""
        try:
            return self.step(line)
        except Inapplicable:
            return self

    def noted(self, move: str) -> Draft:
        """With a comment before the steps that follow."""
        return self.step(f"// {move}")._changed(moves=(*self.plan.moves, move))

    def defined(self, definitions: Sequence[str]) -> Draft:
        """With these definitions of macros, for the steps that follow."""
        new = tuple(text for text in definitions if text not in self.plan.steps)
        return self._changed(steps=(*self.plan.steps, *new))

    # ---- tunables ----

    def choose(self, prefix: str, values: tuple[int, ...], typical: int | None = None):
        """A new tunable: the draft with it, and its name."""
        taken = {c.name for c in self.plan.choices} | self.size_variables
        number = 1
        while f"{prefix}{number}" in taken or f"?{prefix}{number}" in self._text:
            number += 1
        name = f"{prefix}{number}"
        choice = Choice(Tunable(name, values), typical)
        return self._changed(choices=(*self.plan.choices, choice)), name

    def limited(self, constraint: Constraint) -> Draft:
        return self._changed(limits=(*self.plan.limits, constraint))

    def cut(
        self, size: NatAttr, values: tuple[int, ...], prefix: str = "n", typical: int | None = None
    ) -> tuple[Draft, str, str]:
        """A size as a product: the draft, and the texts of the two factors.

        The first factor is a new tunable. A size variable of the function becomes a multiple of it,
        and a tunable a product of two. Raises Inapplicable.
        """
        symbols = {c.name for c in self.plan.choices if c.typical is None}
        for variable in size.variables:
            rest = size.exact_div(nat(variable))
            if rest is None or variable in rest.variables:
                continue
            if variable in symbols:
                draft, inner, outer = self._cut_tunable(variable, values, prefix, typical)
                return draft, f"?{inner}", draft.text(rest * nat(outer))
            draft, inner = self.choose(prefix, values, typical)
            left = draft._new_variable(variable)
            draft = draft._multiple(variable, left, inner)
            draft = draft.step(f"size {variable} = ?{inner}*{left}")
            return draft, f"?{inner}", draft.text(rest * nat(left))
        raise Inapplicable(f"the size {size} is fixed")

    def _multiple(self, variable: str, left: str, factor: str) -> Draft:
        for i, (root, rest, factors) in enumerate(self.plan.multiples):
            if rest == variable:
                new = (root, left, (*factors, factor))
                others = self.plan.multiples
                return self._changed(multiples=(*others[:i], new, *others[i + 1 :]))
        return self._changed(multiples=(*self.plan.multiples, (variable, left, (factor,))))

    def _cut_tunable(
        self, name: str, values: tuple[int, ...], prefix: str, typical: int | None
    ) -> tuple[Draft, str, str]:
        old = next(c for c in self.plan.choices if c.name == name)
        draft, inner = self.choose(prefix, values, typical)
        draft, outer = draft.choose("n", old.tunable.values)

        def rewritten(text: str) -> str:
            return re.sub(rf"\?{name}\b", f"?{inner}*?{outer}", text)

        multiples = tuple(
            (root, left, tuple(f for g in factors for f in ((inner, outer) if g == name else (g,))))
            for root, left, factors in draft.plan.multiples
        )
        steps = tuple(map(rewritten, draft.plan.steps))
        choices = tuple(c for c in draft.plan.choices if c.name != name)
        plan = replace(draft.plan, steps=steps, choices=choices, multiples=multiples)
        fresh = Draft.of(self.origin, self.name, plan)
        return fresh, inner, outer

    def _new_variable(self, old: str) -> str:
        base = old.rstrip("0123456789")
        number = 1
        while f"{base}{number}" in self.size_variables or f"{base}{number}" in self._text:
            number += 1
        return f"{base}{number}"

    @property
    def _text(self) -> str:
        return "\n".join(self.plan.steps)

    @cached_property
    def size_variables(self) -> set[str]:
        """The variables in the types of the function, including those for tunables."""
        return {
            variable
            for op in self.function.walk()
            for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
            for size in nats_in(value.type)
            for variable in size.variables
        }

    def value(self, text: str) -> NatAttr:
        """The tunable `?name` in the program: a size variable, or its typical value."""
        choice = next(c for c in self.plan.choices if f"?{c.name}" == text)
        return nat(choice.name if choice.typical is None else choice.typical)

    def text(self, size: NatAttr) -> str:
        """The text of a size in a script."""
        names = {c.name for c in self.plan.choices}
        return re.sub(
            r"[A-Za-z_]\w*",
            lambda m: f"?{m[0]}" if m[0] in names else m[0],
            str(size).replace(" ", ""),
        )

    # ---- places ----

    def sites(self, kind: type[Operation]) -> Iterator[tuple[Operation, str]]:
        """The operations of one kind, with their places; the nearest to the result first."""
        return ((op, at) for op, at in places(self.function).items() if isinstance(op, kind))


def places(function: FuncOp) -> dict[Operation, str]:
    """The place of each operation that the result depends on, as a path; shortest first."""
    last = function.body.block.last_op
    assert last is not None
    found: dict[Operation, str] = {}
    queue: list[tuple[Operation, str]] = []
    for i, value in enumerate(last.operands):
        if isinstance(value.owner, Operation):
            queue.append((value.owner, f"ret{i}" if i else ""))
    for op, at in queue:
        if op in found:
            continue
        found[op] = at
        for i, value in enumerate(op.operands):
            if isinstance(value.owner, Operation):
                queue.append((value.owner, inside(at, f"in{i or ''}")))
        if op.regions and op.regions[0].blocks:
            end = op.regions[0].block.last_op
            for i, value in enumerate(end.operands if end is not None else ()):
                if isinstance(value.owner, Operation):
                    queue.append((value.owner, inside(at, f"fn{i or ''}")))
    return found


def inside(at: str, *parts: str) -> str:
    """A path that goes on."""
    return "/".join([*([at] if at else []), *parts])


def size_of(op: Operation) -> NatAttr:
    """The size of a pattern's input."""
    type = op.operands[0].type
    assert isinstance(type, ArrayType)
    return type.size
