"""A loop in steps of the group, such as one that fills a tile: each iteration has a work-item."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.addresses import address_of, are_apart, size_of_access
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in
from polycl.dialects.wg.attributes import SPREAD
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused, is_hoistable, replace_by_block
from polycl.lowering.wg.wg_split_rows import QUOTIENTS, REMAINDERS

MOST_WORK_ITEMS = 4096
"""Of a region: the elements of a tile."""

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp)


class LoopInSteps:
    """A loop from the number of a work-item in steps of their number, to `end`: 0 if it is none."""

    def __init__(self, region: wg.ParallelOp, loop: scf.ForOp, distinct: bool):
        self._region = region
        self._loop = loop
        self._distinct = distinct
        self.counter = loop.body.block.args[0]
        self.end = self._find_end()

    def may_spread(self) -> bool:
        """Whether its body is the same as that of a work-item for each iteration, whose number it
        divides by a constant."""
        if not self.end or self.end > MOST_WORK_ITEMS:
            return False
        divisions = [op for op in operations_in(self._loop) if isinstance(op, _DIVISIONS)]
        if all(self._divided(op.results[0]) is None for op in divisions):
            return False
        return self._depends_on_counter_alone() and self._is_independent()

    def spread(self) -> None:
        """Run the body for a work-item for each iteration."""
        region, build = self._region, Build(self._region)
        zero = Build(region, InsertPoint.at_start(region.body.block)).index(0)
        # All that is left of the ids is the same for all of them.
        for id in region.local_ids:
            id.replace_all_uses_with(zero)
        for dimension, size in enumerate((self.end, 1, 1)):
            region.operands[dimension] = build.index(size)
        replace_by_block(self._loop, self._loop.body.block, [region.local_ids[0]])
        region.attributes[SPREAD] = UnitAttr()
        erase_unused(region.body)

    def _find_end(self) -> int:
        sizes = [constant_index(size) or 0 for size in self._region.sizes]
        ids = self._region.local_ids
        start = linear(self._loop.lb, {i: range(n) for i, n in zip(ids, sizes, strict=True)})
        factors = accumulate(sizes[:2], int.__mul__, initial=1)
        number = {i: f for i, f, n in zip(ids, factors, sizes, strict=True) if n != 1}
        step, end = constant_index(self._loop.step), constant_index(self._loop.ub)
        is_number = start.number == 0 and dict(start.factors) == number
        return end if end and end > prod(sizes) > 1 and is_number and step == prod(sizes) else 0

    def _depends_on_counter_alone(self) -> bool:
        """Whether nothing in the region depends on the ids but by the numbers of iterations."""
        unknown: set[SSAValue] = set(self._region.local_ids)
        for op in operations_in(self._region.body):
            if op is self._loop or unknown.isdisjoint(op.operands):
                continue
            if op.regions or op.has_trait(IsTerminator) or not is_side_effect_free(op):
                return False
            for result in op.results:
                # In `(x + id) - id` it cancels out.
                factors = linear(result).factors
                if result in factors or not unknown.isdisjoint(factors):
                    unknown.add(result)
        return True

    def _is_independent(self) -> bool:
        """Whether no iteration accesses what another one of the same work-item writes."""
        loads: list[SSAValue] = []
        arrays: dict[SSAValue, list[tuple[Linear, int]]] = {}
        for op in operations_in(self._loop):
            if isinstance(op, ocl.LoadOp | ocl.StoreOp):
                if op.volatile is not None:
                    return False
                root, place = address_of(op)
                if isinstance(op, ocl.LoadOp):
                    loads.append(root)
                else:
                    arrays.setdefault(root, []).append((place, size_of_access(op)))
            elif not (op.regions or op.has_trait(IsTerminator) or is_side_effect_free(op)):
                return False
        written = list(arrays)
        return all(
            are_apart(root, other, self._distinct)
            for number, root in enumerate(written)
            for other in (*loads, *written[:number])
        ) and all(map(self._are_apart, arrays.values()))

    def _are_apart(self, places: Sequence[tuple[Linear, int]]) -> bool:
        """Whether each iteration writes places of its own in an array."""
        first, _ = places[0]
        offsets = [((place - first).constant, size) for place, size in places]
        known = [(offset, offset + size) for offset, size in offsets if offset is not None]
        moves = self._moves(first)
        if len(known) < len(places) or moves is None:
            return False
        width = max(end for _, end in known) - min(begin for begin, _ in known)
        # Each goes on by more than the shorter ones can sum up to.
        for factor, length in sorted(moves):
            if factor < width:
                return False
            width += factor * (length - 1)
        return True

    def _moves(self, place: Linear) -> list[tuple[int, int]] | None:
        """By how much a place moves with each number that an iteration has of its own, and how many
        there are; None if two iterations may have the same ones."""
        rows: dict[int, int] = {}
        columns: dict[int, int] = {}
        along = place.factors.get(self.counter, 0)
        for value, factor in place.factors.items():
            if (divisor := self._divided(value)) is not None:
                parts = rows if isinstance(_uncast(value).owner, QUOTIENTS) else columns
                parts[divisor] = parts.get(divisor, 0) + factor
            elif value is not self.counter and not is_hoistable(value, self._loop):
                return None
        if along:
            # With quotients that have the same sign it grows all the more.
            grows = not columns and all(factor * along >= 0 for factor in rows.values())
            return [(abs(along), self.end)] if grows else None
        if len(rows) != 1 or rows.keys() != columns.keys():
            return None
        [(divisor, row)], [column] = rows.items(), columns.values()
        return [(abs(column), min(divisor, self.end)), (abs(row), -(-self.end // divisor))]

    def _divided(self, value: SSAValue) -> int | None:
        """By which constant the counter is divided, if a value is its quotient or remainder."""
        op = _uncast(value).owner
        if not isinstance(op, _DIVISIONS):
            return None
        number = constant_value(op.operands[1])
        dividend = linear(op.operands[0], {self.counter: range(self.end)})
        if number is None or dividend.number or dict(dividend.factors) != {self.counter: 1}:
            return None
        if isinstance(op, arith.AndIOp):
            number = number + 1 if number & (number + 1) == 0 else 0
        elif isinstance(op, arith.ShRSIOp | arith.ShRUIOp):
            number = 1 << number if 0 <= number < 31 else 0
        return number if 0 < number < 1 << 31 else None


_DIVISIONS = (*QUOTIENTS, *REMAINDERS)


def _uncast(value: SSAValue) -> SSAValue:
    """What is extended: numbers of iterations are small."""
    while isinstance(value.owner, _CASTS):
        value = value.owner.operands[0]
    return value
