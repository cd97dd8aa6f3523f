"""The choice of a subkernel for a launch, and the subkernels that no launch chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.poly.boxes import is_natural
from polycl.dialects import poly
from polycl.dialects.poly import ScoreAttr
from polycl.dialects.poly.isl_context import isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.dialects.poly.score import Box, Extent, value_of

UNSCORED = 2
"""The score of a vectorized subkernel without a score: more than that of the scalar one."""


def decision(kernel: poly.KernelOp, values: Mapping[str, int]) -> str:
    """The name of the subkernel that runs for these values of the parameters.

    It is the first one with the highest score. The scalar subkernel has the score 1, and one whose
    dimension has fewer work-items than a tile has the score 0. Without scores, it is the first one
    that has a full tile.

    Raises:
        KeyError: a parameter of a score or of a size is not in `values`.
        ValueError: the kernel has no subkernels.
    """
    choices = subkernels(kernel)
    if not choices:
        raise ValueError(f"the kernel '{kernel.sym_name.data}' has no subkernels yet")

    def count(subkernel: poly.SubkernelOp) -> int:
        width = subkernel.width.value.data
        if width == 1:
            return 1
        size = group_size(kernel, subkernel.along.value.data)
        if (values[size] if isinstance(size, str) else size) < width:
            return 0
        return UNSCORED if subkernel.score is None else subkernel.score.evaluate(values)

    return max(choices, key=count).sym_name.data


def subkernels(kernel: poly.KernelOp) -> list[poly.SubkernelOp]:
    """The subkernels to choose from, in order."""
    found = [op for op in kernel.body.block.ops if isinstance(op, poly.SubkernelOp)]
    for op in kernel.body.block.ops:
        if isinstance(op, poly.DispatchOp):
            by_name = {subkernel.sym_name.data: subkernel for subkernel in found}
            return [by_name[symbol.string_value()] for symbol in op.subkernels]
    return found


def group_size(kernel: poly.KernelOp, dimension: int) -> str | int:
    """The size of a group along a dimension: the name of a parameter, or a number."""
    name = f"L{dimension}"
    sizes = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
    number = constant_value(sizes[name]) if name in sizes else None
    return name if number is None else number


@dataclass(frozen=True)
class Rival:
    """A candidate subkernel: along a dimension with a width, or the scalar one with width 1."""

    name: str
    dimension: int
    width: int
    score: ScoreAttr


def may_win(
    kernel: poly.KernelOp, rivals: Sequence[Rival], tell: Callable[[str], None]
) -> list[Rival]:
    """The candidates that may have the highest score.

    A candidate is dropped if another one has at least its score wherever it has a full tile. Of two
    with equal scores, the first one is kept. `tell` gets the reason for each dropped one.
    """
    kept = list(rivals)
    for loser in reversed(rivals):
        where = kernel.known.intersect(_has_full_tile(kernel, loser))
        if where.is_empty() and len(kept) > 1:
            kept.remove(loser)
            tell(f"{loser.name} dropped: no group has a full tile for it")
            continue
        for winner in kept:
            if (
                winner is not loser
                and where.is_subset(_has_full_tile(kernel, winner))
                and is_at_least(winner.score, loser.score, where)
            ):
                kept.remove(loser)
                tell(f"{loser.name} dropped: {winner.name} scores at least as much")
                break
    return kept


def _has_full_tile(kernel: poly.KernelOp, rival: Rival) -> isl.Set:
    """The parameters for which a dimension has at least as many work-items as a tile."""
    size = group_size(kernel, rival.dimension)
    header = f"[{size}] -> " if isinstance(size, str) else ""
    return isl.Set.read_from_str(isl_context(), f"{header}{{ : {size} >= {rival.width} }}")


def is_at_least(one: ScoreAttr, other: ScoreAttr, context: isl.Set) -> bool:
    """Whether `one` is proven to be at least `other` in the context.

    Each box of `other` is matched with boxes of `one` that are at least as large: the same box
    first, then boxes whose extents isl proves to be at least as large.
    """
    order = _Order(context)
    left = dict(one.data)
    rest: list[tuple[Box, int]] = []
    for box, weight in other.data:
        used = min(weight, left.get(box, 0))
        left[box] = left.get(box, 0) - used
        if weight > used:
            rest.append((box, weight - used))
    for box, weight in rest:
        for larger in left:
            if weight and left[larger] and order.fits(box, larger):
                used = min(weight, left[larger])
                left[larger] -= used
                weight -= used
        if weight:
            return False
    return True


class _Order:
    """The order of extents for the parameters in a context."""

    def __init__(self, context: isl.Set):
        self._context = context
        self._known: dict[tuple[str, str], bool] = {}

    def fits(self, box: Box, larger: Box) -> bool:
        """Whether the extents of a box are at most those of `larger`, in some order."""
        length = max(len(box), len(larger))
        padded = [*box, *[("1",)] * (length - len(box))]
        others = [*larger, *[("1",)] * (length - len(larger))]
        return self._fits(padded, others)

    def _fits(self, extents: Sequence[Extent], others: Sequence[Extent]) -> bool:
        if not extents:
            return True
        first, *rest = extents
        return any(
            self._is_at_most(first, other) and self._fits(rest, [*others[:i], *others[i + 1 :]])
            for i, other in enumerate(others)
        )

    def _is_at_most(self, extent: Extent, other: Extent) -> bool:
        """Whether the minimum of `extent` is at most each expression of `other`."""
        return extent == other or all(any(self._is_less(a, b) for a in extent) for b in other)

    def _is_less(self, a: str, b: str) -> bool:
        if a == b:
            return True
        if (a, b) not in self._known:
            ((_, difference),) = value_of(b).sub(value_of(a)).get_pieces()
            self._known[a, b] = is_natural(difference, self._context)
        return self._known[a, b]
