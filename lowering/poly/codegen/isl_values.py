"""Guards, expressions and scores as arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import islpy as isl
from xdsl.ir import SSAValue

from polycl.analysis.ocl.linear import Linear
from polycl.dialects.poly import ScoreAttr
from polycl.dialects.poly.isl_context import isl_context
from polycl.dialects.poly.score import value_of
from polycl.lowering.poly.codegen.isl_ast import (
    Env,
    condition_of,
    emit_condition,
    emit_value,
    expression_of,
)
from polycl.lowering.poly.codegen.scope import Condition, Scope
from polycl.symbolic import integer


@dataclass(frozen=True)
class Extent:
    """The minimum of some values."""

    values: tuple[isl.AstExpr, ...]
    is_natural: bool
    """Whether it is known not to be negative; a negative extent counts as 0."""


Score: TypeAlias = Sequence[tuple[int, Sequence[Extent]]]
"""Weights, and the extents of their boxes."""


def score_of(score: ScoreAttr, known: isl.Set) -> Score:
    """A score with extents as isl expressions, for the parameters in `known`."""
    return [(weight, [_extent(extent, known) for extent in box]) for box, weight in score.data]


def _extent(extent: Sequence[str], known: isl.Set) -> Extent:
    values = [value_of(expression) for expression in extent]
    is_natural = all(known.is_subset(value.nonneg_set()) for value in values)
    return Extent(tuple(expression_of(value) for value in values), is_natural)


def emit_score(score: Score, scope: Scope, env: Env) -> Linear:
    """The sum of the weighted boxes."""
    total = integer(0)
    for weight, box in score:
        product = integer(1)
        for extent in box:
            least = scope.least([emit_value(value, scope, env) for value in extent.values])
            if not extent.is_natural:
                least = scope.most([least, integer(0)])
            product = scope.product(product, least)
        total += weight * product
    return total


def emit_contains(found: isl.Set, ids: Sequence[SSAValue], scope: Scope, env: Env) -> Condition:
    """Whether a point is in a set."""
    names = [f"id{i}" for i in range(len(ids))]
    for i, name in enumerate(names):
        found = found.set_dim_name(isl.dim_type.set, i, name)
    place = found.dim(isl.dim_type.param)
    found = found.move_dims(isl.dim_type.param, place, isl.dim_type.set, 0, len(ids)).params()
    everything = isl.Set.universe(found.get_space())
    env = {**env, **dict(zip(names, ids, strict=True))}
    return emit_condition(condition_of(found, everything), scope, env)


def emit_eval(value: isl.PwAff, ids: Sequence[SSAValue], scope: Scope, env: Env) -> Linear:
    """The value of an expression at a point."""
    names = [f"id{i}" for i in range(len(ids))]
    for i, name in enumerate(names):
        value = value.set_dim_id(isl.dim_type.in_, i, isl.Id(name, context=isl_context()))
    place = value.dim(isl.dim_type.param)
    value = value.move_dims(isl.dim_type.param, place, isl.dim_type.in_, 0, len(ids))
    env = {**env, **dict(zip(names, ids, strict=True))}
    return emit_value(expression_of(value.project_domain_on_params()), scope, env)
