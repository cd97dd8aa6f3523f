"""`wg-copy-rows`: rows that lie a power of two apart are copied next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import MemoryEffectKind

from polycl.analysis.ocl.sliding import Index, Products, rereading_step
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import effects_of
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.dialects.vec import count_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import execute_if
from polycl.lowering.wg.building import erase_unused, operations_for
from polycl.remarks import emit_remark

WAYS = 8
"""The lines of a set of the first-level cache: so many rows stay there without a copy."""

SETS = 4096
"""Bytes: rows that lie a multiple of it apart are in one set."""

LEAST_STEPS = 6
"""Of the outer loop. A copy takes as long as one of them: with five there is no gain on a Zen 4,
and a loss on a Sapphire Rapids, whose sets have twelve lines."""

MOST_ROWS = 40
MOST_STEPS = 33
"""Of the outer loop: the copy of a window is small enough for the first-level cache."""


@dataclass(frozen=True)
class WgCopyRowsPass(ModulePass):
    """Copy the rows of a window before the loops that read them again for each of its columns.

    ```
                                           scf.if (%w is a multiple of 4096 bytes) {
    scf.for %i = %a to %b {                  copy rows %c to %d, columns %a to %b, to %copy
      scf.for %j = %c to %d {                scf.for %i = %a to %b {
        wg.load %in[%j * %w + %i]   ->         scf.for %j = %c to %d {
      }                                          wg.load %copy[(%j - %c) * 96 + %i - %a]
    }                                          }
                                             }
                                           } else { as it was }
    ```

    A set of the first-level cache has eight lines. Rows of a picture whose width is a power of two
    share a set: the first row is not there any more when the next column is read (a convolution of
    17 x 17 of 2048 columns takes 2.3 times as long as one of 2112). What the copy takes is small
    against the loops, which read each row many times: if there are few columns, or so few rows that
    they stay in the cache, there is none.
    """

    name = "wg-copy-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                for loop in operations_of(region.body, scf.ForOp):
                    window = _window(loop)
                    if window is not None:
                        emit_remark(loop, self.name, "copies rows that are a power of two apart")
                        _copy(region, window)


@dataclass(frozen=True)
class _Window:
    """What two loops read: the inner one goes from row to row, the outer one along the rows."""

    outer: scf.ForOp
    inner: scf.ForOp
    first: wg.LoadOp
    """The load in the first row and column."""
    places: Sequence[tuple[int, int]]
    """Of each load of the inner loop that is from the same rows: its row and its column."""
    loads: Sequence[int]
    """The numbers of these loads in the inner loop."""

    @property
    def rows(self) -> int:
        """How many are read in one iteration."""
        return max(row for row, _ in self.places) + 1

    @property
    def columns(self) -> int:
        return max(column for _, column in self.places) + count_of(self.first.result.type)

    @property
    def length(self) -> int:
        """The elements of a row of the copy."""
        return self.columns + MOST_STEPS - 1


def _window(outer: scf.ForOp) -> _Window | None:
    loops = operations_of(outer.body, scf.ForOp)
    if len(loops) != 1 or loops[0].parent_op() is not outer or not _only_reads(outer):
        return None
    (inner,) = loops
    if {constant_value(outer.step), rereading_step(inner)} != {1} or UNSIGNED in outer.attributes:
        return None
    if UNSIGNED in inner.attributes or any(map(outer.is_ancestor, _owners(inner.lb, inner.ub))):
        return None
    products = Products()
    loads = [op for op in inner.body.block.ops if isinstance(op, wg.LoadOp)]
    rows: dict[int, Index] = {}
    distance: Index | None = None
    column, row = outer.body.block.args[0], inner.body.block.args[0]
    for number, load in enumerate(loads):
        if load.mask is not None or any(map(outer.is_ancestor, _owners(load.pointer))):
            return None
        place = products.of(load.index)
        others = [v for v in products.values_of(place) if v not in (column, row)]
        if any(map(outer.is_ancestor, _owners(*others))):
            return None
        # Loads from other memory, such as factors that go on in another way, stay.
        goes_on = products.moved(place, row, 1) - place
        if (products.moved(place, column, 1) - place).constant != 1 or not goes_on.degree:
            continue
        if not rows:
            distance = goes_on
        if goes_on == distance and _is_like(load, loads[next(iter(rows), number)]):
            rows[number] = place
    if distance is None or column in products.values_of(distance):
        return None
    if row in products.values_of(distance):
        return None
    return _of_places(outer, inner, loads, rows, distance)


def _of_places(
    outer: scf.ForOp,
    inner: scf.ForOp,
    loads: Sequence[wg.LoadOp],
    rows: dict[int, Index],
    distance: Index,
) -> _Window | None:
    (start, *_) = rows.values()
    found: dict[int, tuple[int, int]] = {}
    for number, place in rows.items():
        away = _rows_and_columns(place - start, distance)
        if away is not None:
            found[number] = away
    first = min(found, key=lambda number: found[number])
    row, column = found[first]
    places = [(r - row, c - column) for r, c in found.values()]
    if any(c < 0 for _, c in places):
        return None
    return _Window(outer, inner, loads[first], places, list(found))


def _rows_and_columns(difference: Index, distance: Index) -> tuple[int, int] | None:
    """`(r, c)` with `difference == r * distance + c`."""
    monomial, number = distance.terms[0]
    rows = difference.coefficients.get(monomial, 0) // number
    rest = difference - distance * rows
    return None if rest.degree > 0 else (rows, rest.number)


def _is_like(load: wg.LoadOp, other: wg.LoadOp) -> bool:
    return load.pointer is other.pointer and load.result.type == other.result.type


def _owners(*values: SSAValue) -> list[Operation | Block]:
    return [value.owner for value in values]


def _only_reads(op: Operation) -> bool:
    effects = effects_of(op)
    return effects is not None and all(e.kind == MemoryEffectKind.READ for e in effects)


def _copy(region: wg.ParallelOp, window: _Window) -> None:
    """Replace the loops by two versions of them: with a copy of the rows, and without."""
    outer, inner, first = window.outer, window.inner, window.first
    element = pointer_type(first.pointer).pointee
    memory = Build(outer, InsertPoint.at_start(region.body.block))
    array = memory.emit(ocl.AllocaOp(ocl.ArrayType(MOST_ROWS * window.length, element)))
    space = pointer_type(array).address_space
    copy = memory.emit(ocl.CastOp(array, ocl.PtrType(element, space)))
    build = Build(outer, constants={})
    start = _index_at(build, window, inner.lb)
    distance = build.sub(_index_at(build, window, build.add(inner.lb, build.index(1))), start)
    steps, more_rows = build.sub(outer.ub, outer.lb), build.sub(inner.ub, inner.lb)
    rows = build.add(more_rows, build.index(window.rows - 1))
    bytes = build.mul(distance, build.index(size_of(element)))
    tests = [
        build.compare("eq", build.and_(bytes, build.index(SETS - 1)), build.index(0)),
        # Then all that is copied lies between the first and the last element that is read.
        build.compare("sgt", distance, build.index(0)),
        build.compare("sgt", rows, build.index(WAYS)),
        build.compare("sle", rows, build.index(MOST_ROWS)),
        build.compare("sgt", more_rows, build.index(0)),
        build.compare("sge", steps, build.index(LEAST_STEPS)),
        build.compare("sle", steps, build.index(MOST_STEPS)),
    ]
    fast = outer.clone()

    def copied(build: Build) -> Sequence[SSAValue]:
        columns = build.add(steps, build.index(window.columns - 1))
        _copy_rows(build, window, copy, start, distance, rows, columns)
        return build.emit_all(fast)

    execute_if(outer, reduce(build.and_, tests), copied, wanted=False)
    _read_copy(fast, window, copy)


def _index_at(build: Build, window: _Window, row: SSAValue) -> SSAValue:
    """The index of the first element in a row, computed before the loops."""
    copies: dict[SSAValue, SSAValue] = {
        window.outer.body.block.args[0]: window.outer.lb,
        window.inner.body.block.args[0]: row,
    }
    for op in operations_for([window.first.index], window.outer):
        build.emit_void(op.clone(copies))
    return copies.get(window.first.index, window.first.index)


def _copy_rows(
    build: Build,
    window: _Window,
    copy: SSAValue,
    start: SSAValue,
    distance: SSAValue,
    rows: SSAValue,
    columns: SSAValue,
) -> None:
    """Copy in whole vectors; the last one of a row ends where the row ends."""
    lanes = count_of(window.first.result.type)
    zero, one, width = build.index(0), build.index(1), build.index(lanes)
    last = build.sub(columns, width)
    with build.loop(zero, rows, one) as row:
        place = build.add(start, build.mul(row, distance))
        target = build.mul(row, build.index(window.length))

        def copy_one(at: SSAValue) -> None:
            read = build.emit(wg.LoadOp(window.first.pointer, build.add(place, at), lanes))
            build.emit_void(wg.StoreOp(read, copy, build.add(target, at)))

        with build.loop(zero, last, width) as column:
            copy_one(column)
        copy_one(last)


def _read_copy(outer: scf.ForOp, window: _Window, copy: SSAValue) -> None:
    """Make the loops read the copy."""
    (inner,) = operations_of(outer.body, scf.ForOp)
    build = Build(outer, InsertPoint.at_start(inner.body.block))
    row = build.sub(inner.body.block.args[0], inner.lb)
    column = build.sub(outer.body.block.args[0], outer.lb)
    start = build.add(build.mul(row, build.index(window.length)), column)
    loads = [op for op in inner.body.block.ops if isinstance(op, wg.LoadOp)]
    for number, (down, right) in zip(window.loads, window.places, strict=True):
        load = loads[number]
        place = build.add(start, build.index(down * window.length + right))
        lanes = count_of(load.result.type)
        moved = wg.LoadOp(copy, place, lanes)
        moved.location = load.location
        Rewriter.insert_op(moved, InsertPoint.before(load))
        Rewriter.replace_op(load, [], [moved.result])
    erase_unused(inner.body.block)
