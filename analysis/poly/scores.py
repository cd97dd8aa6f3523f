"""The score of a vectorized subkernel: the benefit of vectors, as a sum of boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.poly.boxes import boxes
from polycl.analysis.poly.model import Model
from polycl.analysis.poly.partition import without_thin
from polycl.analysis.poly.predicates import consecutive, uniform
from polycl.dialects import ocl, vec
from polycl.dialects.poly import ScoreAttr
from polycl.dialects.poly.score import Box, Term
from polycl.dialects.vec import element_of

_CASTS = vec.both(
    *(arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp), arith.BitcastOp
)

_COMPUTING = ("arith", "math", "vec")


@dataclass(frozen=True)
class Weights:
    """The weight of each point of a box."""

    cons: int = 4
    """An access to neighbouring elements."""
    uni: int = 2
    """An access to the same element."""
    other: int = 1
    """A work-item that computes."""


@dataclass(frozen=True)
class Scored:
    """A score and the accesses in it."""

    value: ScoreAttr
    growth: Mapping[Operation, int]
    """For each access in the score, the growth of its address from lane to lane, in elements."""


def score_of(model: Model, body: Block, dimension: int, width: int, weights: Weights) -> Scored:
    """The score of `body`, the code of `model`, in tiles of `width` along a dimension.

    [split16], equation 1: each access counts for the points where it is consecutive or uniform, and
    not where it is divergent. Two kinds of points are left out. A predicate that holds for no whole
    tile has no benefit: `a[x / 2]` is consecutive for every second lane. A predicate that holds
    only for certain parameters, as `a[x * n]` for `n = 1`, has a box that would count for all.

    The score of [split16] has accesses only, so a kernel without affine accesses has the score 0
    and is not vectorized, however much it computes (section 6.4: bitonic sort). So here each
    work-item that computes counts, too: a work-item with operations on floats or on loaded values.
    This term is the same along all dimensions, so the accesses still decide which dimension is the
    best, but all vectorized subkernels exceed the 1 of the scalar subkernel. The number of
    operations would not change a choice.

    A `width` of 1 is the scalar subkernel, whose score is 1.
    """
    if width == 1:
        return Scored(ScoreAttr.of([((), 1)]), {})
    return _Scoring(model, dimension, width, weights).of(body)


class _Scoring:
    def __init__(self, model: Model, dimension: int, width: int, weights: Weights):
        self._model = model
        self._dimension = dimension
        self._place = model.place_of(dimension)
        self._width = width
        self._weights = weights
        # Most predicates hold in the whole domain, which all operations of a block share.
        self._whole: dict[Block, list[Box]] = {}

    def of(self, body: Block) -> Scored:
        terms: list[Term] = []
        growth: dict[Operation, int] = {}
        for access in self._model.accesses:
            for holds, by, weight in (
                (consecutive, 1, self._weights.cons),
                (uniform, 0, self._weights.uni),
            ):
                found, _ = holds(self._model, access, self._dimension)
                counted = self._boxes(found, access.op)
                terms += [(box, weight) for box in counted]
                if counted:
                    growth.setdefault(access.op, by)
        if _computes(body):
            items = boxes(self._model.items, self._model.context)
            terms += [(box, self._weights.other) for box in items]
        return Scored(ScoreAttr.of(terms), growth)

    def _boxes(self, found: isl.Set, op: Operation) -> list[Box]:
        """The boxes of the points of `found` in whole tiles."""
        block = op.parent
        assert block is not None
        if found.is_empty():
            return []
        domain = self._model.domain_at(op)
        if found is not domain and not domain.is_subset(found):
            return self._boxes_of_tiles(found)
        if block not in self._whole:
            self._whole[block] = self._boxes_of_tiles(domain)
        return self._whole[block]

    def _boxes_of_tiles(self, found: isl.Set) -> list[Box]:
        context = self._model.context
        whole = isl.Set.empty(found.get_space())
        for piece in without_thin(found.coalesce(), context).get_basic_sets():
            if self._holds_in_a_tile(piece):
                whole = whole.union(piece.to_set())
        return boxes(whole, context)

    def _holds_in_a_tile(self, piece: isl.BasicSet) -> bool:
        """Whether a tile has all lanes but the last one, which has no neighbour, in the piece."""
        is_convex = piece.dim(isl.dim_type.div) == 0
        last = self._width - 2
        lanes = (0, last) if is_convex else range(last + 1)
        tiles = isl.BasicSet.universe(piece.get_space())
        for lane in lanes:
            tiles = tiles.intersect(piece.preimage_multi_aff(self._lane(piece.get_space(), lane)))
        return not tiles.is_empty()

    def _lane(self, space: isl.Space, lane: int) -> isl.MultiAff:
        """The map of each tile to the work-item of a lane."""
        identity = isl.MultiAff.identity(isl.Space.map_from_set(space))
        width = isl.Val.int_from_si(space.get_ctx(), self._width)
        first = identity.get_at(self._place).scale_val(width)
        return identity.set_at(self._place, first.add_constant_val(lane))


def _computes(body: Block) -> bool:
    """Whether there are operations, other than casts, on floats or on loaded values."""
    data: set[SSAValue] = set()
    for op in body.walk():
        if isinstance(op, ocl.LoadOp | ocl.VLoadOp):
            data.update(op.results)
        elif isinstance(op, arith.ConstantOp) or op.dialect_name() not in _COMPUTING:
            continue
        elif any(value in data or _is_float(value) for value in op.operands):
            if not isinstance(op, _CASTS):
                return True
            data.update(op.results)
    return False


def _is_float(value: SSAValue) -> bool:
    return isinstance(element_of(value.type), AnyFloat)
