"""Evaluates isl sets and expressions at many points at once, with numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import TypeAlias

import islpy as isl
import numpy as np
from numpy.typing import NDArray

Coordinates: TypeAlias = Mapping[str, "int | NDArray[np.int64]"]
"""Values of parameters and dimensions by name: integers, or arrays that broadcast together."""

Values: TypeAlias = "int | NDArray[np.int64]"
Truth: TypeAlias = "bool | NDArray[np.bool_]"

_PARAMETERS, _DIMENSIONS, _INPUTS, _FLOORS = (
    isl.dim_type.param,
    isl.dim_type.set,
    isl.dim_type.in_,
    isl.dim_type.div,
)


def contains(found: isl.Set, at: Coordinates) -> Truth:
    """Which points are in the set, in the shape to which the used values of `at` broadcast.

    A column of `y` and a row of `x` give a grid; a bound of `x` alone is computed on the row.

    Raises:
        KeyError: a parameter or a dimension of the set is not in `at`.
    """
    parts = [_in_part(part, at) for part in found.compute_divs().get_basic_sets()]
    return reduce(or_, parts, False)


def evaluate(found: isl.PwAff, at: Coordinates) -> tuple[Values, Truth]:
    """The values of the expression (0 where it is undefined), and where it is defined.

    Raises:
        KeyError: as `contains`.
    """
    values: Values = 0
    defined: Truth = False
    for domain, piece in found.get_pieces():
        here = contains(domain, at)
        values = np.where(here, _affine(piece, at, _floors(piece, at)), values)
        defined = defined | here
    return values, defined


def _in_part(part: isl.BasicSet, at: Coordinates) -> Truth:
    constraints = part.get_constraints()
    if not constraints:
        return True
    floors = _floors(constraints[0], at)
    truths: list[Truth] = []
    for constraint in constraints:
        value = _sum(constraint, at, _DIMENSIONS, floors)
        truths.append(value == 0 if constraint.is_equality() else value >= 0)
    return reduce(and_, truths)


def _floors(found: isl.Aff | isl.Constraint, at: Coordinates) -> list[Values]:
    """The values of the integer divisions in an expression; each may use those before it."""
    floors: list[Values] = []
    for i in range(found.get_local_space().dim(_FLOORS)):
        floors.append(_affine(found.get_div(i), at, floors))
    return floors


def _affine(aff: isl.Aff, at: Coordinates, floors: Sequence[Values]) -> Values:
    denominator = aff.get_denominator_val()
    value = _sum(aff.scale_val(denominator), at, _INPUTS, floors)
    return value // denominator.to_python()


def _sum(
    found: isl.Aff | isl.Constraint, at: Coordinates, dims: isl.dim_type, floors: Sequence[Values]
) -> Values:
    """The constant plus coefficients times parameters, dimensions and integer divisions."""
    total: Values = found.get_constant_val().to_python()
    for kind in (_PARAMETERS, dims, _FLOORS):
        for i in range(found.get_local_space().dim(kind)):
            factor = found.get_coefficient_val(kind, i).to_python()
            if factor:
                value = floors[i] if kind == _FLOORS else at[found.get_dim_name(kind, i) or ""]
                total = total + factor * value
    return total
