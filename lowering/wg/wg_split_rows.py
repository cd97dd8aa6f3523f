"""`wg-split-rows`: groups within one row of `id % width` and `id / width` run without divisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.wg.attributes import ROWS_END
from polycl.lowering.build import Build
from polycl.lowering.wg.lifting import GroupBuilder, NotLiftable
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_split_guards import (
    LARGE_FACTOR,
    SAFE_BITS,
    depends_on_group,
    is_natural,
)
from polycl.remarks import emit_remark

SHORTEST_ROW = 16
"""Fewer work-items do not fill a vector."""

MOST_OPERATIONS_IN_PARTS = 150
"""A larger region has no version that runs row by row."""

_QUOTIENTS = (arith.DivSIOp, arith.DivUIOp, arith.ShRSIOp, arith.ShRUIOp)
_DIVISIONS = (*_QUOTIENTS, arith.RemSIOp, arith.RemUIOp, arith.AndIOp)
"""Divisions, and shifts and masks that divide by a power of two."""
_SIGNED = (arith.DivSIOp, arith.RemSIOp)
_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)


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
    less than 16 work-items, the region runs as it was. The dividend is a sum of a local id and of
    what the group knows; the divisor is the same for the group. All divisions of a region are
    asked for together; then those of the first version whose dividend was not such a sum, but is
    one there: `id % (width * height) / width` where the group is in one image. Regions of more than
    400 operations stay whole; those of more than 150, and those with results, run as they were
    unless the group is in one row.
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
        divisions = operations_of(region.body, *_DIVISIONS)
        divisions = [
            op for op in divisions if _may_divide(op) and not facts.is_uniform(op.results[0])
        ]
        if not divisions:
            return None
        group = _Group(region, facts)
        rows: dict[Operation, _Row] = {}
        for op in divisions:
            try:
                rows[op] = group.row_of(op)
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
    number = constant_value(op.operands[1])
    if isinstance(op, arith.AndIOp):
        if number is None:
            return _is_one_less(op.rhs)
        return number & (number + 1) == 0 and number + 1 >= SHORTEST_ROW
    if isinstance(op, arith.ShRSIOp | arith.ShRUIOp):
        return number is None or 1 << number >= SHORTEST_ROW
    return number is None or number >= SHORTEST_ROW


def _is_one_less(value: SSAValue) -> bool:
    """Whether a value is `n - 1`, as in the mask of a remainder by a power of two."""
    owner = value.owner
    if isinstance(owner, arith.SubiOp):
        return constant_value(owner.rhs) == 1
    return isinstance(owner, arith.AddiOp) and constant_value(owner.rhs) == -1


class _Refusal(Exception):
    """Why a division stays."""


@dataclass(frozen=True)
class _Row:
    """What the group knows of a division; all are of type index but `fits`, an i1."""

    first: SSAValue
    """The dividend of the first work-item."""
    factor: int
    """The dividend of each next work-item along x is larger by this."""
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

    def row_of(self, op: Operation) -> _Row:
        dividend, divisor = op.operands
        if not self._facts.is_uniform(divisor):
            raise _Refusal("its divisor differs between work-items")
        if not isinstance(op, _SIGNED):
            if not is_natural(dividend):
                raise _Refusal("unsigned arithmetic may wrap")
            while isinstance(dividend.owner, _CASTS):
                dividend = dividend.owner.operands[0]
        kind = type(op) if isinstance(op, arith.AndIOp | arith.ShRSIOp | arith.ShRUIOp) else None
        key = (linear(dividend), divisor, isinstance(op, _SIGNED), kind)
        if key not in self._rows:
            self._rows[key] = self._row(*self._first(dividend), self._width(op))
        return self._rows[key]

    def _width(self, op: Operation) -> SSAValue:
        """By what is divided, as an index; 0 if it is no division."""
        divisor, zero, one = self.lifted(op.operands[1]), self.index(0), self.index(1)
        if isinstance(op, _SIGNED):
            return self.as_index(divisor)
        divisor = self.unsigned_index(divisor)
        if isinstance(op, arith.AndIOp):
            width = self.add(divisor, one)
            is_power = self.compare("eq", self.and_(divisor, width), zero)
            return self.select(is_power, width, zero)
        if isinstance(op, arith.ShRSIOp | arith.ShRUIOp):
            # A shift by 63 or more would be undefined here.
            is_small = self.compare("slt", divisor, self.index(SAFE_BITS))
            return self.shl(one, self.select(is_small, divisor, self.index(SAFE_BITS)))
        return divisor

    def _first(self, dividend: SSAValue) -> tuple[SSAValue, int]:
        """The dividend of the first work-item, and how much it grows along x."""
        ids: list[SSAValue] = list(self._region.local_ids)
        x, others = ids[0], ids[1:]
        sum, factor = linear(dividend), 0
        terms: list[tuple[SSAValue | None, int]] = []
        for value, times in sum.factors.items():
            if value is x:
                factor = times
            elif value in others and self._size(others.index(value) + 1) == 1:
                continue
            elif not self._facts.is_uniform(value):
                raise _Refusal("its dividend is no sum of an id along x and of values of the group")
            elif bits_of(value) > SAFE_BITS or abs(times) >= LARGE_FACTOR:
                raise _Refusal("its dividend adds large numbers, so that the sum may wrap")
            else:
                terms.append((self.as_index(self.lifted(value)), times))
        if not any(value is not None and depends_on_group(value, set()) for value, _ in terms):
            raise _Refusal("it does not depend on which group it is")
        if not 0 < factor < LARGE_FACTOR or self._size(0) is None:
            raise _Refusal("its dividend does not grow along x")
        terms += [(None, sum.number)] if sum.number else []
        return self.linear(terms), factor

    def _size(self, dimension: int) -> int | None:
        return constant_index(self._region.sizes[dimension])

    def _row(self, first: SSAValue, factor: int, width: SSAValue) -> _Row:
        one, size = self.index(1), self._size(0)
        assert size is not None
        # Nothing divides by 0, or a negative number, where the kernel might not.
        divisor = self.max(width, one, signed=True)
        quotient, remainder = _divided(self, first, divisor)
        last = self.add(remainder, self.index(factor * (size - 1)))
        is_in_row = self.compare("slt", last, width)
        is_small = self.compare("ult", first, self.index(2**31 - factor * (size - 1)))
        fits = self.and_(is_in_row, is_small)
        return _Row(first, factor, divisor, quotient, remainder, is_small, fits)


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
        for row in dict.fromkeys(rows.values()):
            first = build.linear([(row.first, 1), (start, row.factor)])
            quotient, remainder = _divided(build, first, row.divisor)
            parts[row] = _Row(
                first, row.factor, row.divisor, quotient, remainder, row.is_small, row.fits
            )
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
    _replace_divisions(copy, region, {op: parts[row] for op, row in rows.items()})


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
    if not isinstance(op, _QUOTIENTS):
        value = build.linear([(row.remainder, 1), (region.local_ids[0], row.factor)])
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
