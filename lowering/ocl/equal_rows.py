"""Rows that are as long for all work-items, where no sum wraps and none is cut at a limit:
`for (uint k = row * n; k < min((row + 1) * n, total); k++)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.evaluate import SUMS, same
from polycl.analysis.ocl.of_arguments import IDS, is_of_arguments
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.sliding import Index
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl
from polycl.dialects.comparisons import MIRRORED, predicate_of
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted
from polycl.lowering.ocl.polynomials import Polynomials

_LARGEST = 1 << 31
"""Every row ends before this element: then no sum and no product wraps."""
_LARGEST_NUMBER = 1 << 16

_EXTREMES = (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)


class _Unsigned(Polynomials):
    """Numbers modulo 2 to the power of their width: what is extended may have wrapped."""

    def cast(self, op: arith.IndexCastOp, x: Index) -> Index | None:
        is_exact = _width(op.result) <= _width(op.input)
        return x if is_exact else None

    rules = {
        **SUMS,
        arith.MuliOp: Polynomials.product,
        arith.TruncIOp: same,
        arith.IndexCastOp: cast,
    }


@dataclass(frozen=True)
class Row:
    """A loop from `end - length` to `end`, which work-items have in common but for where it is."""

    sums: _Unsigned
    end: Index
    length: Index
    limit: SSAValue | None = None
    """Where the loop ends if that is before `end`."""

    def is_whole(self, build: Build) -> SSAValue:
        """Whether no sum of any work-item wraps, and no row of the group ends at the limit."""
        cap = build.index(_LARGEST)
        most = _most if self.limit is None else _most_of_group
        last = self._sum(self.end, build, most)
        if self.limit is None:
            is_whole = build.compare("ult", last, cap)
        else:
            limit = build.unsigned_index(self.limit)
            is_in_range = build.compare("ult", limit, cap)
            is_whole = build.and_(is_in_range, build.compare("ule", last, limit))
        if self.length.number < 0:
            count = self._sum(self.length, build, _most)
            less = build.compare("uge", count, build.index(-self.length.number))
            is_whole = build.and_(is_whole, less)
        return is_whole

    def _sum(
        self, index: Index, build: Build, most: Callable[[Build, SSAValue], SSAValue]
    ) -> SSAValue:
        """What an index is at most, without a number that is subtracted; no more than a few times
        the largest element."""
        cap, terms = build.index(_LARGEST), list[SSAValue]()
        for factors, number in index.coefficients.items():
            if number < 0:
                continue
            term = build.index(number)
            for place, factor in enumerate(factors):
                value = build.min(most(build, self.sums.values[factor]), cap, signed=False)
                is_first = number == 1 and not place
                term = value if is_first else build.min(build.mul(term, value), cap, signed=False)
            terms.append(term)
        return reduce(build.add, terms) if terms else build.index(0)

    def count(self, build: Build) -> SSAValue:
        """The number of iterations."""
        return self.sums.built(self.length, build)


def row_of(
    first: SSAValue, bound: SSAValue, loop: Operation, *, is_signed: bool = False
) -> Row | None:
    """The row from one number to another along which a loop counts, if its start is computed of
    ids, and its length of the kernel's arguments alone, or it ends before that at a number that is:
    `last = min(first + n, total)`. A row of signed numbers without such an end is known otherwise.
    """
    if (ends := _minimum(bound)) is None:
        return None if is_signed else _whole_row(first, bound, loop)
    for end, limit in (ends, ends[::-1]):
        if is_of_arguments(limit, not loop.is_ancestor(limit.owner)):
            row = _whole_row(first, end, loop)
            return row and replace(row, limit=hoisted(limit, loop))
    return None


def _minimum(value: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The two numbers of which a value is the smaller one."""
    match value.owner:
        case arith.MinSIOp(lhs=x, rhs=y) | arith.MinUIOp(lhs=x, rhs=y):
            return x, y
        case arith.SelectOp(cond=test, lhs=x, rhs=y):
            pass
        case scf.IfOp(cond=test) as branch if len(branch.results) == 1 and all(
            len(region.blocks) == 1 and len(region.block.ops) == 1 for region in branch.regions
        ):
            x, y = (terminator(region.block).operands[0] for region in branch.regions)
        case _:
            return None
    compare = test.owner
    if not isinstance(compare, arith.CmpiOp):
        return None
    order = predicate_of(compare)
    if same_value(compare.lhs, y) and same_value(compare.rhs, x):
        order = MIRRORED[order]
    elif not (same_value(compare.lhs, x) and same_value(compare.rhs, y)):
        return None
    return (x, y) if order[1:] in ("lt", "le") else None


def _whole_row(first: SSAValue, bound: SSAValue, loop: Operation) -> Row | None:
    sums = _Unsigned()
    start, end = sums.of(first), sums.of(bound)
    length = end - start
    numbers = *start.coefficients.values(), *(length - length.number).coefficients.values()
    if not all(0 <= number <= _LARGEST_NUMBER for number in numbers):
        return None
    if abs(length.number) > _LARGEST_NUMBER:
        return None
    ids = [value for value in sums.values_of(start) if isinstance(_uncast(value).owner, IDS)]
    others = [value for value in sums.values_of(end) if value not in ids]
    if not ids or set(ids) & set(sums.values_of(length)):
        return None
    if not all(is_of_arguments(value, not loop.is_ancestor(value.owner)) for value in others):
        return None
    known: dict[SSAValue, SSAValue] = {}
    sums.values = [hoisted(value, loop, known) for value in sums.values]
    return Row(sums, end, length)


def sums_integers(carried: Iterable[tuple[SSAValue, SSAValue]]) -> bool:
    """Whether all that a loop carries, as it is and as it is next, are sums of integers, or one of
    two integers: LLVM makes vectors of such rows, one work-item after the other, wherever they
    end."""
    pairs = list(carried)
    return bool(pairs) and all(_sums_integer(*pair) for pair in pairs)


def _sums_integer(value: SSAValue, next: SSAValue) -> bool:
    if not isinstance(value.type, IntegerType):
        return False
    match next.owner:
        case arith.AddiOp(lhs=x, rhs=y) | arith.SelectOp(lhs=x, rhs=y):
            return value in (x, y)
        case scf.IfOp() as branch:
            sides = (terminator(region.block).operands for region in branch.regions)
            return any(side[branch.results.index(next)] is value for side in sides)  # pyright: ignore[reportArgumentType]
        case _:
            return isinstance(next.owner, _EXTREMES) and value in next.owner.operands


def _width(value: SSAValue) -> int:
    return 64 if isinstance(value.type, IndexType) else width_of(value.type)


def _uncast(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, arith.IndexCastOp | arith.ExtUIOp | arith.ExtSIOp):
        value = value.owner.operands[0]
    return value


def _most(build: Build, value: SSAValue) -> SSAValue:
    """What a value is at most, in any work-item."""
    match _uncast(value).owner:
        case ocl.GlobalIdOp(dim=dim):
            offset = build.emit(ocl.GlobalOffsetOp(dim.value.data))
            return build.add(offset, build.emit(ocl.GlobalSizeOp(dim.value.data)))
        case ocl.LocalIdOp(dim=dim):
            return build.emit(ocl.LocalSizeOp(dim.value.data))
        case ocl.GroupIdOp(dim=dim):
            return build.emit(ocl.NumGroupsOp(dim.value.data))
        case _:
            return build.unsigned_index(value)


def _most_of_group(build: Build, value: SSAValue) -> SSAValue:
    """What a value is at most, in a work-item of the group."""
    match _uncast(value).owner:
        case ocl.GlobalIdOp(dim=dim):
            group = build.emit(ocl.GroupIdOp(dim.value.data))
            size = build.emit(ocl.EnqueuedLocalSizeOp(dim.value.data))
            offset = build.emit(ocl.GlobalOffsetOp(dim.value.data))
            first = build.add(build.mul(group, size), offset)
            return build.add(first, _last_local_id(build, dim.value.data))
        case ocl.LocalIdOp(dim=dim):
            return _last_local_id(build, dim.value.data)
        case _:
            return build.unsigned_index(value)


def _last_local_id(build: Build, dim: int) -> SSAValue:
    return build.sub(build.emit(ocl.LocalSizeOp(dim)), build.index(1))
