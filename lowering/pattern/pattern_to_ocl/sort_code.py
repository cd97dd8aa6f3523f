"""Sorts by one work-item: short runs in registers, then merges of two runs each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, integer, minimum
from polycl.dialects import pattern
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.pattern.pattern_to_ocl.bodies import GENERATORS, emit_block, load_scalars
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator, ceil_div
from polycl.lowering.pattern.pattern_to_ocl.reduction_code import as_views, registers
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import ArrayView, View, is_limited

_RUN = 8
"""The elements that are sorted in registers, before merges."""


def _emit_sort(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    assert isinstance(op, pattern.SortOp)
    type = op.result.type
    for scope, place in zip(scopes, places, strict=True):
        out = place
        if is_limited(place, gen.emitter):
            out = gen.allocate(op, type, scope.sizes, AddressSpace.GLOBAL)
        size = _array(out).size.constant
        # Others have been sorted by a network, or refused.
        assert size is not None
        other = out
        if size > _RUN:
            other = gen.allocate(op, type, scope.sizes, AddressSpace.GLOBAL)
        _Sort(gen, op, scope, size).run(_array(out), _array(other))
        if out is not place:
            gen.copy(out, place, type, scope.sizes)


@dataclass
class _Sort:
    """A stable sort of `size` elements; whatever the function says of them, none gets lost."""

    gen: KernelGenerator
    op: pattern.SortOp
    scope: Scope
    size: int

    def __post_init__(self):
        self.emitter = self.gen.emitter

    def run(self, out: ArrayView, other: ArrayView) -> None:
        """Sort the input to `out`, by turns between it and `other`."""
        levels = (-(-self.size // _RUN) - 1).bit_length() if self.size else 0
        source, target = (out, other) if levels % 2 == 0 else (other, out)
        self._sort_runs(source)

        def two_levels(number: Expr) -> None:
            self._merge_all(source, target, number * 2)
            self._merge_all(target, source, number * 2 + 1)

        if levels > 1:
            self.gen.each(integer(levels // 2), two_levels)
        if levels % 2:
            self._merge_all(source, target, integer(levels - 1))

    # Short runs

    def _sort_runs(self, target: ArrayView) -> None:
        source = _array(self.scope.view(self.op.input, self.emitter))
        whole, rest = divmod(self.size, _RUN)

        def one(number: Expr) -> None:
            self._sort_run(source, target, number * _RUN, _RUN)

        if whole:
            self.gen.each(integer(whole), one)
        self._sort_run(source, target, integer(whole * _RUN), rest)

    def _sort_run(self, source: ArrayView, target: ArrayView, first: Expr, count: int) -> None:
        """As many rounds as elements, in each of which every other two neighbours are compared."""
        values = [self._load(source, first + place) for place in range(count)]
        for number in range(count):
            for left in range(number % 2, count - 1, 2):
                x, y = values[left : left + 2]
                swapped = self._is_before(y, x)
                values[left] = self._select(swapped, y, x)
                values[left + 1] = self._select(swapped, x, y)
        for place, value in enumerate(values):
            self._store(value, target, first + place)

    # Merges

    def _merge_all(self, source: ArrayView, target: ArrayView, level: Expr) -> None:
        """Merge runs of 2^level short ones.

        Two merges are done in turns, a step each: one need not wait for what the other compares.
        """
        emitter, size = self.emitter, integer(self.size)
        shift = arith.ShLIOp(emitter.index(integer(_RUN)), emitter.index(level))
        run = emitter.opaque(emitter.result(shift), Range(integer(_RUN), size * 2))

        def one(number: Expr) -> None:
            start, *ends = (
                minimum((number * 4 + place) * run, size, emitter.env) for place in range(5)
            )
            first, second = (start, ends[0], ends[1]), (ends[1], ends[2], ends[3])
            # The second two runs are as long, or shorter: the array ends in them.
            together = second[2] - second[0]

            def both(k: Expr, places: Sequence[SSAValue]) -> Sequence[SSAValue]:
                return [
                    *self._step(source, target, first, k, places[:2]),
                    *self._step(source, target, second, k, places[2:]),
                ]

            def rest(k: Expr, places: Sequence[SSAValue]) -> Sequence[SSAValue]:
                return self._step(source, target, first, together + k, places)

            starts = [emitter.index(each) for each in (*first[:2], *second[:2])]
            places = emitter.loop(together, starts, both)
            emitter.loop(first[2] - first[0] - together, places[:2], rest)

        self.gen.each(ceil_div(size, run * 4, emitter), one)

    def _step(
        self,
        source: ArrayView,
        target: ArrayView,
        runs: tuple[Expr, Expr, Expr],
        k: Expr,
        places: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """Element k of two runs together, of which `places` come next; the next places."""
        emitter = self.emitter
        start, middle, end = runs
        left, right = places
        # What is read of a run that has ended is not used.
        x, y = (self._load(source, self._inside(place)) for place in places)
        has_right = emitter.result(arith.CmpiOp(right, emitter.index(end), "ult"))
        no_left = emitter.result(arith.CmpiOp(left, emitter.index(middle), "uge"))
        is_next = emitter.result(arith.OrIOp(no_left, self._is_before(y, x)))
        takes = emitter.result(arith.AndIOp(has_right, is_next))
        self._store(self._select(takes, y, x), target, start + k)
        one = emitter.result(arith.ExtUIOp(takes, i64))
        moved = emitter.result(arith.IndexCastOp(one, IndexType()))
        following = emitter.result(arith.AddiOp(right, moved))
        # Together they have moved on by one.
        other = emitter.result(arith.SubiOp(emitter.index(integer(1)), moved))
        return [emitter.result(arith.AddiOp(left, other)), following]

    def _inside(self, place: SSAValue) -> Expr:
        """The place, or that of the last element of the array."""
        last = integer(self.size - 1)
        clamped = arith.MinUIOp(place, self.emitter.index(last))
        return self.emitter.opaque(self.emitter.result(clamped), Range(integer(0), last))

    # Elements

    def _load(self, array: ArrayView, place: Expr) -> View:
        return load_scalars(self.emitter, array.at(self.emitter, place))

    def _store(self, value: View, array: ArrayView, place: Expr) -> None:
        self.gen.copy(value, array.at(self.emitter, place), self.op.element_type, self.scope.sizes)

    def _select(self, condition: SSAValue, x: View, y: View) -> View:
        pairs = zip(registers(x, self.emitter), registers(y, self.emitter), strict=True)
        values = [self.emitter.select(condition, *pair) for pair in pairs]
        (view,) = as_views(values, self.op.element_type, 1)
        return view

    def _is_before(self, x: View, y: View) -> SSAValue:
        inner = Scope(self.scope)
        for args, element in zip(self.op.argument_groups, (x, y), strict=True):
            inner.bind_parts(args, element)
        ((result,),) = emit_block(self.gen, self.op.body.block, [inner], None)
        return self.emitter.value(result)


def _array(view: View) -> ArrayView:
    assert isinstance(view, ArrayView)
    return view


GENERATORS[pattern.SortOp] = _emit_sort
