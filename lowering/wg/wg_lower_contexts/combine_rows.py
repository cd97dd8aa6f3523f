"""Reductions and scans on memory: row by row, each row one vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    UnitAttr,
    VectorType,
    i1,
    i8,
    i64,
)
from xdsl.ir import SSAValue

from polycl.dialects import wg
from polycl.dialects.ocl import NO_CONTRACT, CombineKind
from polycl.dialects.ocl.collectives import identity_of
from polycl.lowering.build import Build, is_float
from polycl.lowering.combining import combining_operation
from polycl.lowering.wg.building import IndexConstants

_LANES = 16
"""The lanes of a vector that holds several narrower rows."""


class Rows:
    """The rows of one operation; the arrays are given by the pointers to their first elements."""

    def __init__(
        self,
        op: wg.Combination,
        source: SSAValue,
        target: SSAValue | None,
        active: SSAValue | None,
        count: int,
        index: IndexConstants,
    ):
        self.op = op
        self.source, self.target, self.active = source, target, active
        self.count = count
        self.index = index
        assert isinstance(op.source.type, wg.ContextType)
        self.element = op.source.type.element
        self.lanes = max(op.row, _LANES) if isinstance(op, wg.ReduceRowsOp) else op.row
        self.type = VectorType(self.element, [self.lanes])

    def lower(self) -> SSAValue | None:
        """Emit the operation before it, on memory; its result, if it has one."""
        build = Build(self.op)
        match self.op:
            case wg.ReduceOp():
                (total,) = self._each_row(build, [self._identity(build)], self._add_row)
                return build.element(self._reduced(build, total, self.lanes), 0)
            case wg.ScanOp(whole=whole):
                first = build.constant(self._identity_value, self.element)
                self._each_row(build, [first] if whole is not None else [], self._scan_row)
            case _:
                self._each_row(build, [], self._reduce_row)
        return None

    def _each_row(
        self,
        build: Build,
        carried: Sequence[SSAValue],
        body: Callable[[Build, SSAValue, int, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """`body` for each row, with its start, its number of elements, and carried values."""
        rest = self.count % self.lanes
        full = self.count - rest
        if full == self.lanes:
            carried = body(build, self.index(0), self.lanes, carried)
        elif full:
            bounds = self.index(0), self.index(full), self.index(self.lanes)
            carried = build.carry(
                bounds, carried, lambda start, *values: body(build, start, self.lanes, values)
            )
        if rest:
            carried = body(build, self.index(full), rest, carried)
        return carried

    # Bodies

    def _add_row(
        self, build: Build, start: SSAValue, count: int, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        return [self._combine(build, carried[0], self._load(build, start, count))]

    def _reduce_row(
        self, build: Build, start: SSAValue, count: int, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        row = self._load(build, start, count)
        self._store(build, self._reduced(build, row, self.op.row), start, count)
        return []

    def _scan_row(
        self, build: Build, start: SSAValue, count: int, carried: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        assert isinstance(self.op, wg.ScanOp)
        row = self._load(build, start, count)
        identity = self._identity(build)
        distance = 1
        while distance < self.lanes:
            # The identity before the first elements changes nothing.
            row = self._combine(build, self._moved(build, row, identity, distance), row, distance)
            distance *= 2
        before = identity
        if carried:
            before = build.splat(carried[0], self.type)
            row = self._combine(build, before, row)
            carried = [build.element(row, self.lanes - 1)]
        if self.op.exclusive is not None:
            row = self._moved(build, row, before, 1)
            if is_float(self.element) and self.op.kind.data is CombineKind.ADD:
                # The identity is -0.0, but the sum of nothing is 0.0.
                row = self._combine(build, row, build.constant(0.0, self.type))
        self._store(build, row, start, count)
        return carried

    # Parts

    def _reduced(self, build: Build, row: SSAValue, width: int) -> SSAValue:
        """Each part of `width` elements combined: halves, then quarters, and so on."""
        distance = width // 2
        while distance:
            places = [i ^ distance for i in range(self.lanes)]
            other = self._shuffled(build, row, row, places)
            row = self._combine(build, row, other)
            distance //= 2
        return row

    def _moved(self, build: Build, row: SSAValue, before: SSAValue, by: int) -> SSAValue:
        """The elements moved up by some places; the places below are those of `before`."""
        lanes = self.lanes
        places = [i - by if i >= by else lanes + i for i in range(lanes)]
        return self._shuffled(build, row, before, places)

    def _shuffled(self, build: Build, x: SSAValue, y: SSAValue, places: Sequence[int]) -> SSAValue:
        mask = DenseArrayBase.from_list(i64, places)
        return build.emit(vector.ShuffleOp(x, y, mask, result_type=self.type))

    def _combine(self, build: Build, x: SSAValue, y: SSAValue, from_lane: int = 0) -> SSAValue:
        kind = self.op.kind.data
        op = combining_operation(kind, self.element)(x, y)
        op.attributes[NO_CONTRACT] = UnitAttr()
        combined = build.emit(op)
        if from_lane and kind in (CombineKind.MIN, CombineKind.MAX) and is_float(self.element):
            # The smaller one of infinity and NaN is infinity.
            keep = [int(lane >= from_lane) for lane in range(self.lanes)]
            combined = build.select(self._flags(build, keep), combined, y)
        return combined

    @property
    def _identity_value(self) -> int | float:
        return identity_of(self.op.kind.data, self.element)

    def _identity(self, build: Build) -> SSAValue:
        return build.constant(self._identity_value, self.type)

    def _flags(self, build: Build, flags: Sequence[int]) -> SSAValue:
        type = VectorType(i1, [len(flags)])
        return build.emit(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, flags)))

    def _mask(self, build: Build, count: int) -> SSAValue | None:
        """The lanes that have an element; None: all of them."""
        if count == self.lanes:
            return None
        return self._flags(build, [int(lane < count) for lane in range(self.lanes)])

    def _load(self, build: Build, start: SSAValue, count: int) -> SSAValue:
        """A row; the identity where there is no element, or its work-item is not active."""
        mask = self._mask(build, count)
        row = build.emit(wg.LoadOp(self.source, start, self.lanes, mask))
        if self.active is not None:
            # A lane without an element loads zero.
            flags = build.emit(wg.LoadOp(self.active, start, self.lanes, mask))
            zeros = build.constant(0, VectorType(i8, [self.lanes]))
            mask = build.compare("ne", flags, zeros)
        return row if mask is None else build.select(mask, row, self._identity(build))

    def _store(self, build: Build, row: SSAValue, start: SSAValue, count: int) -> None:
        assert self.target is not None
        mask = self._mask(build, count)
        build.emit_void(wg.StoreOp(row, self.target, start, mask))
