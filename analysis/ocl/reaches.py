"""The bytes that a launch certainly accesses, from what the source proves about its accesses.

`polycl.analysis.ocl.proved_accesses` finds the accesses of a kernel; here they are numbers of one
launch. An access counts if there is a witness: a work-item, and iterations of the loops, for which
all conditions around the access hold. So what is found happens, if the kernel ends. This module
needs no IR: launches of a source from the cache use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from polycl.symbolic import Poly

Form: TypeAlias = Poly[str, int]
"""A polynomial over the numbers of a launch, and over the variables of a witness."""

# The numbers of a launch in dimension d: the global and local size, the number of groups, the
# offset; argument i.
GLOBAL, LOCAL, GROUPS, OFFSET, ARGUMENT = "global{}", "local{}", "groups{}", "offset{}", "arg{}"
# The variables of a work-item; loops have others.
GLOBAL_ID, LOCAL_ID, GROUP_ID = "gid{}", "lid{}", "grp{}"

Affine: TypeAlias = tuple[dict[str, int], int]
"""Variables with their factors, and a number."""


@dataclass(frozen=True)
class ProvedAccess:
    """An access of every work-item, and in every iteration, for which the conditions hold."""

    array: int | str
    """The position of a parameter, or the name of an array of the kernel."""

    nbytes: int | None
    """The size of an array of the kernel; None for a parameter."""

    size: int
    """The bytes that are accessed."""

    word: str
    """What it does: reads, writes, updates."""

    place: Form
    """The first byte."""

    conditions: tuple[Form, ...]
    """What is at least 0."""

    location: str
    """Its place in the source; "" if it is not known."""


@dataclass(frozen=True)
class Witness:
    """An access of a launch that happens."""

    access: ProvedAccess
    start: int
    """The first byte."""

    values: Mapping[str, int]
    """The variables."""

    @property
    def end(self) -> int:
        return self.start + self.access.size


def numbers_of(
    global_size: Sequence[int],
    local_size: Sequence[int],
    num_groups: Sequence[int],
    offset: Sequence[int],
) -> dict[str, int]:
    """The numbers of an index space."""
    rows = ((GLOBAL, global_size), (LOCAL, local_size), (GROUPS, num_groups), (OFFSET, offset))
    return {name.format(d): number for name, row in rows for d, number in enumerate(row)}


def reaches(accesses: Sequence[ProvedAccess], numbers: Mapping[str, int]) -> list[Witness]:
    """For each array the witness that reaches furthest, and one in front of it if there is any."""
    best: dict[tuple[int | str, bool], Witness] = {}
    for access in accesses:
        bound = [_bind(form, numbers) for form in (access.place, *access.conditions)]
        if not all(bound):
            continue
        place, *conditions = [affine for affine in bound if affine is not None]
        for sign in (1, -1):
            values = _extreme(place, conditions, sign)
            if values is None:
                break
            found = Witness(access, _value(place, values), values)
            if sign < 0 and found.start >= 0:
                continue
            key = access.array, sign > 0
            known = best.get(key)
            if known is None or (found.end > known.end if sign > 0 else found.start < known.start):
                best[key] = found
    return [*best.values()]


def _bind(form: Form, numbers: Mapping[str, int]) -> Affine | None:
    """The form with the numbers of a launch; None if variables are multiplied."""
    factors: dict[str, int] = {}
    rest = 0
    for monomial, factor in form.coefficients.items():
        variable = None
        for atom in monomial:
            number = numbers.get(atom)
            if number is not None:
                factor *= number
            elif variable is None:
                variable = atom
            else:
                return None
        if variable is None:
            rest += factor
        elif factor:
            factors[variable] = factors.get(variable, 0) + factor
    return {variable: factor for variable, factor in factors.items() if factor}, rest


def _value(form: Affine, values: Mapping[str, int]) -> int:
    return form[1] + sum(factor * values[name] for name, factor in form[0].items())


def _extreme(place: Affine, conditions: Sequence[Affine], sign: int) -> dict[str, int] | None:
    """Values for which the conditions hold, and the place is as large (or small) as was found.

    Each variable in turn gets the end of its range, the one that moves the place most first; then
    the ranges of the others follow.
    """
    ranges: dict[str, tuple[float, float]] = {}
    for factors, _ in (place, *conditions):
        for name in factors:
            ranges[name] = -inf, inf
    for _ in range(3):
        if not _narrow(ranges, conditions):
            break
    for name in sorted(ranges, key=lambda name: -abs(place[0].get(name, 0))):
        low, high = ranges[name]
        factor = sign * place[0].get(name, 0)
        chosen = high if factor > 0 else low
        if low > high or abs(chosen) == inf:
            return None
        ranges[name] = chosen, chosen
        _narrow(ranges, conditions)
    values = {name: int(low) for name, (low, high) in ranges.items() if low == high}
    if len(values) < len(ranges) or any(_value(form, values) < 0 for form in conditions):
        return None
    return values


def _narrow(ranges: dict[str, tuple[float, float]], conditions: Sequence[Affine]) -> bool:
    """Leave out what no condition allows; returns whether there was any."""
    changed = False
    for factors, rest in conditions:
        for name, factor in factors.items():
            others = rest + sum(
                other * ranges[variable][other > 0]
                for variable, other in factors.items()
                if variable != name
            )
            if others == inf:
                continue
            low, high = ranges[name]
            # factor * name + others >= 0.
            bound = -(others // factor) if factor > 0 else others // -factor
            narrowed = (max(low, bound), high) if factor > 0 else (low, min(high, bound))
            changed |= narrowed != (low, high)
            ranges[name] = narrowed
    return changed
