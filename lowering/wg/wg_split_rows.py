"""`wg-split-rows`: groups within one row of `id % width` and `id / width` run without divisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, UnitAttr, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.uniformity import Uniformity, constant_index, constant_value
from polycl.analysis.wg.clamps import bits_of
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.wg.attributes import ROWS_END
from polycl.lowering.build import Build
from polycl.lowering.wg.lifting import GroupBuilder, NotLiftable
from polycl.lowering.wg.naturals import is_natural
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_split_guards import (
    LARGE_FACTOR,
    SAFE_BITS,
    depends_on_group,
    is_large,
)
from polycl.remarks import emit_remark

SHORTEST_ROW = 16
"""Fewer work-items do not fill a vector."""

MOST_OPERATIONS_IN_PARTS = 150
"""A larger region has no version that runs row by row."""

QUOTIENTS = (arith.DivSIOp, arith.DivUIOp, arith.ShRSIOp, arith.ShRUIOp)
REMAINDERS = (arith.RemSIOp, arith.RemUIOp, arith.AndIOp)
_PARTNERS = (arith.OrIOp, arith.XOrIOp)
"""A partner's number, `i ^ distance`: rows are as long as the lowest bit of the distance."""
_DIVISIONS = (*QUOTIENTS, *REMAINDERS, *_PARTNERS)
"""Divisions, shifts and masks that divide by a power of two, and what is the same sum in a row."""
_SIGNED = (arith.DivSIOp, arith.RemSIOp)
_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)


_WRAPS = "wg.wraps"
"""The attribute of a division that is left to `wg-split-borders`, in other versions, too."""


_SUMS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp)


def _is_of_64_bits(value: SSAValue) -> bool:
    """Whether the kernel adds a value in 64 bits, as is done for the group: both wrap alike."""
    if not isinstance(value.type, IndexType) and value.type != i64:
        return False
    op = value.owner
    if isinstance(op, (*_SUMS, arith.IndexCastOp)):
        return all(map(_is_of_64_bits, op.operands))
    return not (isinstance(op, _CASTS) and isinstance(op.operands[0].owner, (*_SUMS, *_CASTS)))


@dataclass(frozen=True)
class WgSplitRowsPass(ModulePass):
    """Give groups whose work-items are all in one row a region without divisions.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
      %i = arith.addi %first, %x : index
      %column = arith.remui %i, %width : index
      %row = arith.divui %i, %width : index
    ```

    becomes

    ```
    %first_column = arith.remui %first, %width : index
    %row = arith.divui %first, %width : index
    scf.if (%first_column + 63 < %width) {
      wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
        %column = arith.addi %first_column, %x : index
        ...
    } else {
      scf.while ... { wg.parallel ... }             // the same for the part of the group in a row
    }
    ```

    Neighbours then have neighbouring columns, and the row is the same for all. Where rows have
    less than 16 work-items, the region runs as it was. The dividend is a sum of a local id, of
    remainders, and of what the group knows; the divisor is the same for the group. All divisions of
    a region are asked for together; then those of the first version whose dividend was not such a
    sum, but is one there: `id % (width * height) / width` where the group is in one image. Regions
    of more than 400 operations stay whole; those of more than 150, and those with results, run as
    they were unless the group is in one row.

    A remainder of what was added to a remainder by the same number, as `(i % width + 1) % width`,
    is no row but a border of it, which is for `wg-split-borders`.

    `%i | %distance` and `%i ^ %distance`, of which an address is made, are sums in rows as long as
    the lowest bit of the distance: each number there has the same bits from that one on.
    """

    name = "wg-split-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = [
                region
                for region in operations_of(function.body, wg.ParallelOp)
                if region.step is None
                and ROWS_END not in region.attributes
                and any(map(_may_divide, operations_of(region.body, *_DIVISIONS)))
                and not is_too_large(region, self.name)
            ]
            while regions:
                facts = Uniformity(function)
                found = [self._split(region, facts) for region in regions]
                regions = [whole for whole in found if whole is not None]

    def _split(self, region: wg.ParallelOp, facts: Uniformity) -> wg.ParallelOp | None:
        """The version for groups in one row, if there is one now."""
        found = operations_of(region.body, *_DIVISIONS)
        found = [op for op in found if not facts.is_uniform(op.results[0])]
        are_partners = [isinstance(op, _PARTNERS) for op in found]
        addresses = in_addresses(region) if any(are_partners) else set[SSAValue]()
        divisions = [
            op
            for op, is_partner in zip(found, are_partners, strict=True)
            if (not is_partner or op.results[0] in addresses) and _may_divide(op)
        ]
        if not divisions:
            return None
        group = _Group(region, facts)
        rows: dict[Operation, _Row] = {}
        for op in divisions:
            try:
                rows[op] = group.row_of(op, rows)
            except (_Refusal, NotLiftable) as refusal:
                reason = str(refusal) or "it depends on more than arguments and ids"
                emit_remark(op, self.name, f"division kept: {reason}")
        whole: wg.ParallelOp | None = None
        if rows:
            emit_remark(region, self.name, "split: without divisions where a group is in one row")
            whole = two_versions(
                region, reduce(group.and_, dict.fromkeys(row.fits for row in rows.values()))
            )
            _replace_divisions(whole, region, rows)
            if not region.res and len(operations_in(region.body)) <= MOST_OPERATIONS_IN_PARTS:
                _split_in_parts(region, rows)
            region.attributes[ROWS_END] = UnitAttr()
        group.erase_unused()
        return whole


def _may_divide(op: Operation) -> bool:
    """Whether it may be a division, and rows are not known to be short."""
    if _WRAPS in op.attributes:
        return False
    number = constant_value(op.operands[1])
    if isinstance(op, _PARTNERS):
        is_wide = isinstance(op.result.type, IndexType) or bits_of(op.result) >= 32
        return is_wide and (number is None or number & -number >= SHORTEST_ROW)
    if isinstance(op, arith.AndIOp):
        if number is None:
            return _is_one_less(op.rhs)
        return number & (number + 1) == 0 and number + 1 >= SHORTEST_ROW
    if isinstance(op, arith.ShRSIOp | arith.ShRUIOp):
        return number is None or 1 << number >= SHORTEST_ROW
    return number is None or number >= SHORTEST_ROW


def _is_column(value: SSAValue, width: SSAValue) -> bool:
    """Whether a value is the remainder by a width, or by the same constant."""
    op = value.owner
    if not isinstance(op, REMAINDERS):
        return False
    number = constant_value(width)
    return (
        op.operands[1] is width or number is not None and constant_value(op.operands[1]) == number
    )


def _is_one_less(value: SSAValue) -> bool:
    """Whether a value is `n - 1`, as in the mask of a remainder by a power of two."""
    owner = value.owner
    if isinstance(owner, arith.SubiOp):
        return constant_value(owner.rhs) == 1
    return isinstance(owner, arith.AddiOp) and constant_value(owner.rhs) == -1


def in_addresses(region: wg.ParallelOp) -> set[SSAValue]:
    """The values of which addresses in a region are computed by arithmetic."""
    accesses = operations_of(region.body, ocl.LoadOp, ocl.StoreOp, ocl.OffsetOp)
    todo = [op.index for op in accesses if op.index is not None]
    found = set(todo)
    while todo:
        op = todo.pop().owner
        if isinstance(op, Operation) and op.name.startswith("arith."):
            new = [operand for operand in op.operands if operand not in found]
            found.update(new)
            todo += new
    return found


class _Refusal(Exception):
    """Why a division stays."""


@dataclass(frozen=True)
class _Dividend:
    known: SSAValue
    """What the group knows of it for the first work-item, an index."""
    step: int
    """That part of each next work-item is larger by this."""
    remainders: tuple[tuple[Operation, int], ...]
    """Other divisions whose remainders it adds, and how often."""


@dataclass(frozen=True)
class _Row:
    """What the group knows of a division; all are of type index but `fits`, an i1."""

    dividend: _Dividend
    first: SSAValue
    """The dividend of the first work-item."""
    factor: int
    """The dividend of each next work-item along x is larger by this."""
    bits: SSAValue | None
    """The distance of a partner."""
    divisor: SSAValue
    """At least 1; 1 if there is no such division."""
    quotient: SSAValue
    """Of all work-items, if `fits`."""
    remainder: SSAValue
    """Of the first work-item."""
    is_small: SSAValue
    """Whether no dividend is negative or beyond 32 bits, to which the kernel may cut results."""
    fits: SSAValue
    """Whether they are small and the quotients are the same."""


class _Group(GroupBuilder):
    """Computes before a region what the group knows of its divisions."""

    def __init__(self, region: wg.ParallelOp, facts: Uniformity):
        super().__init__(region)
        self._facts = facts
        self._rows: dict[tuple[object, ...], _Row] = {}

    def row_of(self, op: Operation, rows: Mapping[Operation, _Row]) -> _Row:
        """`rows` are those of the divisions before."""
        dividend, divisor = op.operands
        if isinstance(op, _PARTNERS) and self._facts.is_uniform(dividend):
            dividend, divisor = divisor, dividend
        if not self._facts.is_uniform(divisor):
            raise _Refusal("its divisor differs between work-items")
        if any(_is_column(value, divisor) for value in linear(dividend).factors):
            op.attributes[_WRAPS] = UnitAttr()
            raise _Refusal("its dividend is near a column of such a row: it wraps at a border")
        # A partner is asked to be natural below, where its sum is known.
        if not isinstance(op, (*_SIGNED, *_PARTNERS)):
            if not is_natural(dividend):
                raise _Refusal("unsigned arithmetic may wrap")
            while isinstance(dividend.owner, _CASTS):
                dividend = dividend.owner.operands[0]
        by_bits = isinstance(op, (arith.AndIOp, arith.ShRSIOp, arith.ShRUIOp, *_PARTNERS))
        kind = type(op) if by_bits else None
        key = (linear(dividend), divisor, isinstance(op, _SIGNED), kind)
        if key not in self._rows:
            width, bits = row_width(self, op, divisor)
            self._rows[key] = self._row(self._sum(dividend, rows), rows, width, bits)
        return self._rows[key]

    def _sum(self, dividend: SSAValue, rows: Mapping[Operation, _Row]) -> _Dividend:
        ids: list[SSAValue] = list(self._region.local_ids)
        x, others = ids[0], ids[1:]
        sum, factor = linear(dividend), 0
        is_wide = _is_of_64_bits(dividend)
        terms: list[tuple[SSAValue | None, int]] = []
        remainders: list[tuple[Operation, int]] = []
        for value, times in sum.factors.items():
            if value is x:
                factor = times
            elif isinstance(value.owner, REMAINDERS) and value.owner in rows:
                remainders.append((value.owner, times))
            elif value in others and self._size(others.index(value) + 1) == 1:
                continue
            elif not self._facts.is_uniform(value):
                raise _Refusal("its dividend is no sum of an id along x and of values of the group")
            elif not is_wide and (bits_of(value) > SAFE_BITS or is_large(value, times)):
                raise _Refusal("its dividend adds large numbers, so that the sum may wrap")
            else:
                terms.append((self.as_index(self.lifted(value)), times))
        known = [value for value, _ in terms if value is not None]
        if not any(depends_on_group(value, set(), or_iteration=True) for value in known):
            raise _Refusal("it does not depend on which group it is")
        terms += [(None, sum.number)] if sum.number else []
        return _Dividend(self.linear(terms), factor, tuple(remainders))

    def _size(self, dimension: int) -> int | None:
        return constant_index(self._region.sizes[dimension])

    def _row(
        self,
        dividend: _Dividend,
        rows: Mapping[Operation, _Row],
        width: SSAValue,
        bits: SSAValue | None,
    ) -> _Row:
        factor = dividend.step + sum(rows[op].factor * times for op, times in dividend.remainders)
        one, size = self.index(1), self._size(0)
        if not 0 < factor < LARGE_FACTOR or size is None:
            raise _Refusal("its dividend does not grow along x")
        first = _first(self, dividend, rows)
        # Nothing divides by 0, or a negative number, where the kernel might not.
        divisor = self.max(width, one, signed=True)
        quotient, remainder = _divided(self, first, divisor)
        last = self.add(remainder, self.index(factor * (size - 1)))
        is_in_row = self.compare("slt", last, width)
        is_small = self.compare("ult", first, self.index(2**31 - factor * (size - 1)))
        fits = self.and_(is_in_row, is_small)
        if dividend.remainders:
            is_small = self._is_small(dividend, rows, size)
        return _Row(dividend, first, factor, bits, divisor, quotient, remainder, is_small, fits)

    def _is_small(self, dividend: _Dividend, rows: Mapping[Operation, _Row], size: int) -> SSAValue:
        """Whether a dividend is natural and below 2^31 in all rows, whatever its remainders are."""
        one = self.index(1)
        others = dividend.remainders
        largest = [(self.sub(rows[op].divisor, one), times) for op, times in others]
        last = self.add(dividend.known, self.index(dividend.step * (size - 1)))
        ends = [
            self.min(dividend.known, last, signed=True),
            self.max(dividend.known, last, signed=True),
        ]
        least = self.linear([(ends[0], 1), *((v, times) for v, times in largest if times < 0)])
        most = self.linear([(ends[1], 1), *((v, times) for v, times in largest if times > 0)])
        is_below = self.compare("slt", most, self.index(2**31))
        return self.and_(self.compare("sle", self.index(0), least), is_below)


def _first(
    build: Build, dividend: _Dividend, rows: Mapping[Operation, _Row], start: SSAValue | None = None
) -> SSAValue:
    """The dividend of the first work-item, or of the one with the id `start`."""
    if start is None and not dividend.remainders:
        return dividend.known
    moved = [] if start is None else [(start, dividend.step)]
    remainders = [(rows[op].remainder, times) for op, times in dividend.remainders]
    return build.linear([(dividend.known, 1), *moved, *remainders])


def row_width(
    build: GroupBuilder, op: Operation, divisor: SSAValue
) -> tuple[SSAValue, SSAValue | None]:
    """By what is divided, as an index; 0 if it is no division. And a partner's distance."""
    divisor, zero, one = build.lifted(divisor), build.index(0), build.index(1)
    if isinstance(op, _SIGNED):
        return build.as_index(divisor), None
    divisor = build.unsigned_index(divisor)
    if isinstance(op, _PARTNERS):
        lowest = build.and_(divisor, build.sub(zero, divisor))
        is_small = build.compare("ult", divisor, build.index(2**31))
        return build.select(is_small, lowest, zero), divisor
    if isinstance(op, arith.AndIOp):
        width = build.add(divisor, one)
        is_power = build.compare("eq", build.and_(divisor, width), zero)
        return build.select(is_power, width, zero), None
    if isinstance(op, arith.ShRSIOp | arith.ShRUIOp):
        # A shift by 63 or more would be undefined here.
        is_small = build.compare("slt", divisor, build.index(SAFE_BITS))
        return build.shl(one, build.select(is_small, divisor, build.index(SAFE_BITS))), None
    return divisor, None


def _divided(build: Build, dividend: SSAValue, divisor: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Quotient and remainder of natural numbers."""
    quotient = build.emit(arith.DivUIOp(dividend, divisor))
    return quotient, build.emit(arith.RemUIOp(dividend, divisor))


def _split_in_parts(region: wg.ParallelOp, rows: dict[Operation, _Row]) -> None:
    """Runs the group row by row, unless rows are short."""
    build = Build(region, constants={})
    tests: list[SSAValue] = []
    for row in dict.fromkeys(rows.values()):
        shortest = build.index(SHORTEST_ROW * row.factor)
        tests.append(build.compare("sge", row.divisor, shortest))
        tests.append(row.is_small)
    copy = two_versions(region, reduce(build.and_, tests))
    build = Build(copy, constants={})
    before, body = Block(arg_types=[IndexType()]), Block(arg_types=[IndexType()])
    build.emit_void(scf.WhileOp([build.index(0)], [IndexType()], Region(before), Region(body)))
    (start,) = before.args
    with build.inside(before):
        build.emit_void(scf.ConditionOp(build.compare("slt", start, copy.sizes[0]), start))
    (start,) = body.args
    start.name_hint = "start"
    with build.inside(body):
        size = build.sub(copy.sizes[0], start)
        parts: dict[_Row, _Row] = {}
        of_part: dict[Operation, _Row] = {}
        for op, row in rows.items():
            if row in parts:
                of_part[op] = parts[row]
                continue
            first = _first(build, row.dividend, of_part, start)
            quotient, remainder = _divided(build, first, row.divisor)
            part = replace(row, first=first, quotient=quotient, remainder=remainder)
            of_part[op] = parts[row] = part
            left = build.sub(row.divisor, remainder)
            if row.factor > 1:
                rounded_up = build.add(left, build.index(row.factor - 1))
                left = build.emit(arith.DivUIOp(rounded_up, build.index(row.factor)))
            size = build.min(size, left, signed=True)
        copy.detach()
        body.add_op(copy)
        copy.operands[0] = size
        build.emit_void(scf.YieldOp(build.add(start, size)))
    inner = Build(copy, InsertPoint.at_start(copy.body.block))
    x = copy.local_ids[0]
    moved = inner.add(start, x)
    x.replace_uses_with_if(moved, lambda use: use.operation is not moved.owner)
    _replace_divisions(copy, region, of_part)


def _replace_divisions(
    copy: wg.ParallelOp, region: wg.ParallelOp, rows: dict[Operation, _Row]
) -> None:
    order = operations_of(region.body, *_DIVISIONS)
    copies = operations_of(copy.body, *_DIVISIONS)
    for op, division in zip(order, copies, strict=True):
        if op in rows:
            _replace(division, rows[op], copy)


def _replace(op: Operation, row: _Row, region: wg.ParallelOp) -> None:
    """A division by its quotient or remainder, also where the result is extended."""
    build = Build(op)
    value = row.quotient
    if not isinstance(op, QUOTIENTS):
        first = row.remainder
        if row.bits is not None:
            before = Build(region)
            is_or = isinstance(op, arith.OrIOp)
            first = (before.or_ if is_or else before.xor)(row.first, row.bits)
        value = build.linear([(first, 1), (region.local_ids[0], row.factor)])
        value.name_hint = op.results[0].name_hint
    for user in _extensions(op):
        wide = build.index_cast(value, user.results[0].type)
        Rewriter.replace_op(user, [], [wide])
    Rewriter.replace_op(op, [], [build.index_cast(value, op.results[0].type)])


def _extensions(op: Operation) -> Iterator[Operation]:
    """The casts of a division's result to 64 bits: a natural number, it is the same there."""
    for use in list(op.results[0].uses):
        user = use.operation
        if isinstance(user, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
            if user.results[0].type in (IndexType(), i64):
                yield user
