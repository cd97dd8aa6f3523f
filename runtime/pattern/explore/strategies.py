"""The strategies of the search, as data: `strategies.toml` lists them, `strategies.deriv` has their
macros of rules [lift15, section 6].

A strategy is independent of the program: it is applied at a kind of pattern, and leaves the values
of its parameters open. The search finds out which strategies pay, and in which order.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xdsl.ir import Operation

from polycl.dialects.pattern import MapOp, NatAttr, ReduceOp
from polycl.runtime.pattern.explore.draft import Draft, Inapplicable, inside, size_of
from polycl.runtime.pattern.explore.machines import Machine
from polycl.runtime.pattern.explore.space import AtMost, powers_of_two

_TABLE = Path(__file__).with_name("strategies.toml")
_MACROS = Path(__file__).with_name("strategies.deriv")
_KINDS: Mapping[str, type[Operation]] = {"map": MapOp, "reduce": ReduceOp}


@dataclass(frozen=True)
class Number:
    """A parameter: a number, or with `of` the size of chunks of a pattern's input."""

    name: str
    values: tuple[int, ...]
    typical: int | str | None = None
    """The value in drafts; "lanes": that of the machine; None: the parameter is symbolic there."""
    of: str = ""
    """The place of the pattern, from that of the strategy on."""

    def typical_on(self, machine: Machine) -> int | None:
        if self.typical == "lanes":
            # A GPU's work-items load four numbers at once.
            return 4 if machine.is_gpu else machine.lanes
        return int(self.typical) if self.typical is not None else None


@dataclass(frozen=True)
class Strategy:
    """One strategy; `strategies.toml` explains the fields."""

    macro: str
    about: str
    equation: str
    kind: type[Operation]
    cuts: tuple[Number, ...] = ()
    numbers: tuple[Number, ...] = ()
    limits: tuple[tuple[str, int, str], ...] = ()
    device: str = ""
    """"gpu" where it is for these only."""
    everywhere: bool = False

    def apply(self, draft: Draft, at: str, machine: Machine) -> Draft:
        """The draft after the strategy at a place. Raises Inapplicable where it cannot be used."""
        draft = draft.noted(f"{self.about} at @{at}")
        size = _size(draft, at)
        places = [at]
        if self.everywhere:
            # The innermost first, which changes no place of the others.
            alike = [place for op, place in draft.sites(self.kind) if size_of(op) == size]
            places = sorted(alike, key=lambda place: -place.count("/"))
            if len(places) < 2 or at != places[-1]:
                raise Inapplicable(f"there are not several of {size} elements")
        names: dict[str, str] = {}
        for cut in self.cuts:
            place = inside(at, *filter(None, cut.of.split("/")))
            typical = cut.typical_on(machine)
            draft, chunk, _ = draft.cut(_size(draft, place), cut.values, cut.name, typical)
            names[cut.name] = chunk
        arguments: list[str] = []
        rest: dict[str, NatAttr] = {}
        for cut in self.cuts:
            # What other cuts leave: both may be of one size.
            place = inside(at, *filter(None, cut.of.split("/")))
            whole = rest.get(place) or _size(draft, place)
            chunk = draft.value(names[cut.name])
            left = whole.exact_div(chunk)
            if left is None:
                raise Inapplicable(f"{chunk} chunks of {whole} elements")
            rest[place] = left
            arguments += [names[cut.name], draft.text(left)]
        for number in self.numbers:
            typical = number.typical_on(machine) or number.values[0]
            draft, name = draft.choose(number.name, number.values, typical)
            names[number.name] = f"?{name}"
            arguments.append(f"?{name}")
        for left, right, what in self.limits:
            text = re.sub(r"[A-Za-z]\w*", lambda m: names[m[0]].removeprefix("?"), left)
            draft = draft.limited(AtMost(text, str(right), what))
        draft = draft.defined(definitions(self.macro))
        for place in places:
            draft = draft.step(f"{self.macro}({', '.join(arguments)}) @{place}")
        return draft


def _size(draft: Draft, at: str) -> NatAttr:
    for kind in _KINDS.values():
        for op, place in draft.sites(kind):
            if place == at:
                return size_of(op)
    raise Inapplicable(f"nothing at @{at}")


@cache
def strategies() -> tuple[Strategy, ...]:
    """All of them, in the order of the table."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return tuple(map(_strategy, table["strategies"]))


def strategy(about: str) -> Strategy:
    """The one of this description."""
    return next(each for each in strategies() if each.about == about)


def _strategy(row: Mapping[str, Any]) -> Strategy:
    limits = [(limit["left"], limit["right"], limit["what"]) for limit in row.get("limits", ())]
    return Strategy(
        row["macro"],
        row["about"],
        row["equation"],
        _KINDS[row["at"]],
        tuple(map(_number, row.get("cuts", ()))),
        tuple(map(_number, row.get("numbers", ()))),
        tuple(limits),
        row.get("device", ""),
        row.get("everywhere", False),
    )


def _number(row: Mapping[str, Any]) -> Number:
    values = row.get("values") or powers_of_two(row["least"], row["most"])
    return Number(row["name"], tuple(values), row.get("typical"), row.get("of", ""))


# ---- macros ----


@cache
def definitions(macro: str) -> tuple[str, ...]:
    """The definitions of a macro and of those that it uses, before their uses."""
    texts = _macros()
    found: dict[str, str] = {}

    def visit(name: str) -> None:
        text = texts[name]
        for used in re.findall(r"^\s*(?:try |repeat )?(\w+)\(", text.partition("\n")[2], re.M):
            if used not in found:
                visit(used)
        found[name] = text

    visit(macro)
    return tuple(found.values())


@cache
def _macros() -> Mapping[str, str]:
    """The text of each definition, without comments."""
    text = re.sub(r"^\s*(//.*)?\n", "", _MACROS.read_text(encoding="utf-8"), flags=re.M)
    return {m[1]: m[0] for m in re.finditer(r"^def (\w+)\(.*?^\}", text, re.M | re.S)}


def successors(draft: Draft, machine: Machine) -> Iterator[Draft]:
    """The drafts of each strategy at each place where it applies."""
    for each in strategies():
        if each.device == "gpu" and not machine.is_gpu:
            continue
        for _, at in list(draft.sites(each.kind)):
            try:
                yield each.apply(draft, at, machine)
            except Inapplicable:
                continue
