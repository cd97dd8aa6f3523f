"""Guards, expressions and scores as arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl
from xdsl.ir import SSAValue

from polycl.analysis.linear import Linear
from polycl.dialects.poly import ScoreAttr
from polycl.dialects.poly.isl_context import isl_context
from polycl.dialects.poly.score import value_of
from polycl.lowering.poly_codegen.ast import Env, condition_of, emit_condition, emit_value
from polycl.lowering.poly_codegen.scope import Condition, Scope


def emit_score(score: ScoreAttr, scope: Scope, env: Env, known: isl.Set | None = None) -> Linear:
    """The sum of the weighted boxes, for the parameters in `known`."""
    total = Linear({})
    for box, weight in score.data:
        extents = [_extent(extent, scope, env, known) for extent in box]
        total = total.plus(reduce(scope.product, extents, Linear({}, 1)), weight)
    return total


def _extent(extent: Sequence[str], scope: Scope, env: Env, known: isl.Set | None) -> Linear:
    values = [value_of(expression) for expression in extent]
    least = scope.least([emit_value(value, scope, env) for value in values])
    if known is not None and all(known.is_subset(value.nonneg_set()) for value in values):
        return least
    return scope.most([least, Linear({})])


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
    return emit_value(value.project_domain_on_params(), scope, env)
