"""Which subkernel a launch runs, and which one no launch needs."""

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
"""What a vectorized subkernel counts without a score: more than the scalar one."""


def decision(kernel: poly.KernelOp, values: Mapping[str, int]) -> str:
    """The name of the subkernel that runs where the parameters have these values.

    The one that counts most, and the first one of several. The scalar one counts 1, one whose
    dimension has fewer work-items than a tile counts 0, others what their score says. Without
    scores it is the first one that has a full tile.

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
    """The subkernels that are there to choose from, in order."""
    found = [op for op in kernel.body.block.ops if isinstance(op, poly.SubkernelOp)]
    for op in kernel.body.block.ops:
        if isinstance(op, poly.DispatchOp):
            by_name = {subkernel.sym_name.data: subkernel for subkernel in found}
            return [by_name[symbol.string_value()] for symbol in op.subkernels]
    return found


def group_size(kernel: poly.KernelOp, dimension: int) -> str | int:
    """How many work-items a group has along a dimension: the parameter's name, or the number."""
    name = f"L{dimension}"
    sizes = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
    number = constant_value(sizes[name]) if name in sizes else None
    return name if number is None else number


@dataclass(frozen=True)
class Rival:
    """A subkernel that there may be: along a dimension with a width, or the scalar one, width 1."""

    name: str
    dimension: int
    width: int
    score: ScoreAttr


def may_win(
    kernel: poly.KernelOp, rivals: Sequence[Rival], tell: Callable[[str], None]
) -> list[Rival]:
    """Those of which no other one counts as much at least wherever they have a full tile.

    Of two that always count the same, the first one stays. `tell` is told why one does not.
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
                tell(f"{loser.name} dropped: {winner.name} counts as much at least")
                break
    return kept


def _has_full_tile(kernel: poly.KernelOp, rival: Rival) -> isl.Set:
    """For which parameters a dimension has as many work-items as a tile."""
    size = group_size(kernel, rival.dimension)
    header = f"[{size}] -> " if isinstance(size, str) else ""
    return isl.Set.read_from_str(isl_context(), f"{header}{{ : {size} >= {rival.width} }}")


def is_at_least(one: ScoreAttr, other: ScoreAttr, context: isl.Set) -> bool:
    """Whether `one` is proven never to be less than `other` in the context.

    The points of each box of `other` are set against those of boxes of `one` that are as large:
    the same box first, then those whose extents isl shows not to be smaller.
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
    """Which extents are at most which others, for the parameters in a context."""

    def __init__(self, context: isl.Set):
        self._context = context
        self._known: dict[tuple[str, str], bool] = {}

    def fits(self, box: Box, larger: Box) -> bool:
        """Whether each extent of a box is at most another one of `larger`, in some order."""
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
        """Whether the least of `extent` is at most each expression of `other`."""
        return extent == other or all(any(self._is_less(a, b) for a in extent) for b in other)

    def _is_less(self, a: str, b: str) -> bool:
        if a == b:
            return True
        if (a, b) not in self._known:
            ((_, difference),) = value_of(b).sub(value_of(a)).get_pieces()
            self._known[a, b] = is_natural(difference, self._context)
        return self._known[a, b]
