"""`poly.contains` as `affine.if`, `poly.eval` as `affine.apply` and `affine.min`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import islpy as isl
from xdsl.dialects import affine
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.rewriter import Rewriter

from polycl.dialects.poly import ContainsOp, EvalOp
from polycl.dialects.poly.kernel import names_of
from polycl.lowering.build import Build
from polycl.lowering.poly.poly_to_affine.affine_expressions import (
    Names,
    constraints_of,
    expression_of,
)


def _named(op: ContainsOp | EvalOp, dimensions: Sequence[str]) -> Names:
    ids = dict(zip(dimensions, op.ids, strict=True))
    return Names(ids, dict(zip(names_of(op.params), op.arguments, strict=True)))


def export_contains(op: ContainsOp) -> None:
    """Replace a test by one branch for each convex part of the set."""
    build = Build(op)
    result: SSAValue | None = None
    for part in op.set.isl.compute_divs().coalesce().get_basic_sets():
        inside = _if(op, build, part, _named(op, op.set.dimensions), i1, _true, _false)
        result = inside if result is None else build.or_(result, inside)
    Rewriter.replace_op(op, [], [_false(build) if result is None else result])


def _true(build: Build) -> SSAValue:
    return build.constant(1, i1)


def _false(build: Build) -> SSAValue:
    return build.constant(0, i1)


def export_eval(op: EvalOp) -> None:
    """Replace an expression: one, the least or the largest of some, or one of several by case."""
    build = Build(op)
    value = op.expression.isl.coalesce()
    pieces = value.get_pieces()
    dimensions = op.expression.dimensions
    bounds: list[isl.PwAff] = []
    for _, aff in pieces:
        if not any(isl.PwAff.from_aff(aff).plain_is_equal(known) for known in bounds):
            bounds.append(isl.PwAff.from_aff(aff))

    def is_extreme(join: Callable[[isl.PwAff, isl.PwAff], isl.PwAff]) -> bool:
        found = bounds[0]
        for bound in bounds[1:]:
            found = join(found, bound)
        return found.intersect_domain(value.domain()).is_equal(value)

    names = _named(op, dimensions)
    if is_extreme(isl.PwAff.min):
        terms = [expression_of(aff, names) for bound in bounds for _, aff in bound.get_pieces()]
        result = _apply(build, terms, names)
    elif is_extreme(isl.PwAff.max):
        terms = [-expression_of(aff, names) for bound in bounds for _, aff in bound.get_pieces()]
        least = _apply(build, terms, names)
        negated = Names({"least": least}, {})
        result = _apply(build, [-negated.expression("least")], negated)
    else:
        result = _choice(build, op, pieces)
    Rewriter.replace_op(op, [], [result])


def _choice(build: Build, op: EvalOp, pieces: Sequence[tuple[isl.Set, isl.Aff]]) -> SSAValue:
    """The value of the piece that has the point; it is in the last one if in no other."""
    (domain, aff), *others = pieces
    parts = domain.compute_divs().get_basic_sets()

    def value(build: Build) -> SSAValue:
        names = _named(op, op.expression.dimensions)
        return _apply(build, [expression_of(aff, names)], names)

    def behind(build: Build, left: Sequence[isl.BasicSet]) -> SSAValue:
        if not left:
            return _choice(build, op, others)
        names = _named(op, op.expression.dimensions)
        return _if(op, build, left[0], names, IndexType(), value, lambda b: behind(b, left[1:]))

    return behind(build, parts) if others else value(build)


def _apply(build: Build, terms: Sequence[AffineExpr], names: Names) -> SSAValue:
    """The least of some terms."""
    kind = affine.ApplyOp if len(terms) == 1 else affine.MinOp
    return build.emit(kind(names.operands, names.map(terms)))


def _if(
    op: ContainsOp | EvalOp,
    build: Build,
    part: isl.BasicSet,
    names: Names,
    type: Attribute,
    then: Callable[[Build], SSAValue],
    orelse: Callable[[Build], SSAValue],
) -> SSAValue:
    """A value that depends on whether the point is in a convex set."""
    constraints = constraints_of(part, names)
    if not constraints:
        return then(build)
    regions: list[Region] = []
    for side in (then, orelse):
        block = Block()
        inner = Build(op, block)
        inner.emit_void(affine.YieldOp.get(side(inner)))
        regions.append(Region(block))
    return build.emit(
        affine.IfOp.build(
            operands=[names.operands],
            result_types=[[type]],
            properties={"condition": names.set(constraints)},
            regions=regions,
        )
    )
