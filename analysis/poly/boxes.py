"""The bounding boxes of a set: an upper bound of its points, as products of affine expressions.

The exact number is a piecewise quasi-polynomial, which takes 65 ms and 54 kB for one access of a
convolution (barvinok). Boxes suffice to compare subkernels ([split16], section 4.1). [split16]
uses interval arithmetic. Here each convex piece has its own box by rational projection, which is
never larger and often smaller: `0 <= j < i < 2a` has `[2a-1]*[2a-1]`, in [split16] `4a^2`.
"""

from __future__ import annotations

import islpy as isl

from polycl.dialects.poly.score import Box, Extent, canonical_affine

_SET, _PARAM = isl.dim_type.set, isl.dim_type.param


def boxes(found: isl.Set, context: isl.Set) -> list[Box]:
    """A box for each of the disjoint convex pieces of `found`, for `ScoreAttr.of`.

    An extent is the least number of points between a lower and an upper bound of a dimension;
    there are none if it is negative. Bounds that are redundant in `context`, a set of parameters,
    are left out, and so are extents of 1. Constraints of a piece on parameters alone are ignored,
    so its box is too large for some parameters. The order of the pieces and of the extents does not
    depend on the form of the set.
    """
    pieces = found.intersect_params(context).coalesce()
    if pieces.n_basic_set() > 1:
        pieces = pieces.make_disjoint().coalesce()
    return sorted(_box(piece, context) for piece in pieces.get_basic_sets())


def _box(piece: isl.BasicSet, context: isl.Set) -> Box:
    piece = piece.remove_divs().remove_redundancies()
    extents: list[Extent] = []
    for position in range(piece.dim(_SET)):
        extent = _extent(_only(piece, position), context)
        # A loop with an unknown end has no bound, and counts as one iteration.
        if extent not in ((), ("1",)):
            extents.append(extent)
    return tuple(sorted(extents))


def _only(piece: isl.BasicSet, position: int) -> isl.BasicSet:
    """The rational projection onto one dimension, which is convex."""
    for other in reversed(range(piece.dim(_SET))):
        if other != position:
            piece = piece.remove_dims(_SET, other, 1)
    return piece.remove_redundancies()


def _extent(line: isl.BasicSet, context: isl.Set) -> Extent:
    """The number of points of a set with one dimension."""
    lower: list[isl.Aff] = []
    upper: list[isl.Aff] = []
    for constraint in line.get_constraints():
        if not constraint.involves_dims(_SET, 0, 1):
            continue
        bound = constraint.get_bound(_SET, 0).project_domain_on_params()
        if constraint.is_equality() or constraint.is_lower_bound(_SET, 0):
            lower.append(bound.ceil())
        if constraint.is_equality() or constraint.is_upper_bound(_SET, 0):
            upper.append(bound.floor())
    candidates = {
        canonical_affine(_text(count)): count
        for count in (end.sub(start).add_constant_val(1) for end in upper for start in lower)
    }
    kept = dict(sorted(candidates.items()))
    for text, count in [*kept.items()]:
        if any(is_natural(count.sub(kept[o]), context) for o in kept if o != text):
            del kept[text]
    return tuple(kept)


def _text(count: isl.Aff) -> str:
    text = str(count)
    return text[text.index("[(") + 2 : text.rindex(")]")]


def is_natural(found: isl.Aff, context: isl.Set) -> bool:
    """Whether an expression of parameters is never negative in the context."""
    context = context.align_params(found.get_domain_space())
    # A tenth of the time that a comparison of sets takes.
    return context.min_val(found.align_params(context.get_space())).is_nonneg()
