"""Sorts by one work-item: by the bits of keys, or short runs in registers, then merges of two runs
each."""

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
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.radix_sort_code import RadixSort, sorting_bytes
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
        bytes = sorting_bytes(op, size)
        other = out
        if size > _RUN and len(bytes) != 1:
            other = gen.allocate(op, type, scope.sizes, AddressSpace.GLOBAL)
        if bytes:
            source = _array(scope.view(op.input, gen.emitter))
            RadixSort(gen, op, scope, bytes).run(source, _array(out), _array(other))
        else:
            _MergeSort(gen, op, scope, size).run(_array(out), _array(other))
        if out is not place:
            gen.copy(out, place, type, scope.sizes)


@dataclass
class _MergeSort:
    """A stable sort of `size` elements; whatever the function says of them, none gets lost."""

    gen: KernelGenerator
    op: pattern.SortOp
    scope: Scope
    size: int

    def __post_init__(self):
        self.emitter = self.gen.emitter

    def run(self, out: ArrayView, other: ArrayView) -> None:
        """Sort the input to `out`, by turns between it and `other`."""
        levels = self.levels
        source, target = (out, other) if levels % 2 == 0 else (other, out)
        self._sort_runs(source)

        def two_levels(number: Expr) -> None:
            self._merge_all(source, target, number * 2)
            self._merge_all(target, source, number * 2 + 1)

        if levels > 1:
            self.gen.each(integer(levels // 2), two_levels)
        if levels % 2:
            self._merge_all(source, target, integer(levels - 1))

    @property
    def short_runs(self) -> int:
        return -(-self.size // _RUN)

    @property
    def levels(self) -> int:
        """How often the number of runs is halved, until there is one."""
        return max(self.short_runs - 1, 0).bit_length()

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
        """Odd-even transposition: as many steps as elements; each compares every other pair."""
        values = [self._load(source, self.emitter.index(first + place)) for place in range(count)]
        for number in range(count):
            for left in range(number % 2, count - 1, 2):
                x, y = values[left : left + 2]
                swapped = self._is_before(y, x)
                values[left] = self._select(swapped, y, x)
                values[left + 1] = self._select(swapped, x, y)
        for place, value in enumerate(values):
            self._store(value, target, self.emitter.index(first + place))

    # Merges

    def _merge_all(self, source: ArrayView, target: ArrayView, level: Expr) -> None:
        """Merge neighbouring runs, of which there are 2^(levels - level), nearly equally long."""
        emitter, size = self.emitter, integer(self.size)
        shift = emitter.index(integer(self.levels) - level)
        count = emitter.result(arith.ShLIOp(emitter.index(integer(1)), shift))

        def start_of(run: Expr) -> Expr:
            """Several short runs each, at least one."""
            before = emitter.index(run * self.short_runs)
            short = emitter.result(arith.ShRUIOp(before, shift))
            bounds = Range(integer(0), integer(self.short_runs))
            return minimum(emitter.opaque(short, bounds) * _RUN, size, emitter.env)

        def one(pair: Expr) -> None:
            runs = [emitter.index(start_of(pair * 2 + place)) for place in range(3)]
            self._merge(source, target, *runs)

        half = emitter.result(arith.ShRUIOp(count, emitter.index(integer(1))))
        pairs = Range(integer(1), integer(self.short_runs))
        self.gen.each(emitter.opaque(half, pairs), one)

    def _merge(
        self,
        source: ArrayView,
        target: ArrayView,
        first: SSAValue,
        middle: SSAValue,
        end: SSAValue,
    ) -> None:
        """Merge two runs from both ends at the same time: neither direction waits for the other.

        The shorter run has as many elements as there are steps, so that no step is after the end of
        a run. Where the function is no order, as a comparison with NaN, both directions may take
        the same element: then what they have done is done again.
        """
        emitter, add, sub = self.emitter, self._add, self._sub
        one = emitter.index(integer(1))
        count = emitter.result(arith.MinUIOp(sub(middle, first), sub(end, middle)))
        lowest, highest = add(first, middle), add(middle, end)

        def step(k: Expr, places: Sequence[SSAValue]) -> Sequence[SSAValue]:
            """Of the run on the right, the next element, and the one after the last that is left;
            together both runs move on by one."""
            number, (right, after) = emitter.index(k), places
            left = sub(add(lowest, number), right)
            x, y = self._load(source, left), self._load(source, right)
            takes = self._is_before(y, x)
            self._store(self._select(takes, y, x), target, add(first, number))
            left, last = sub(sub(sub(highest, number), after), one), sub(after, one)
            x, y = self._load(source, left), self._load(source, last)
            keeps = self._is_before(y, x)
            self._store(self._select(keeps, x, y), target, sub(sub(end, one), number))
            return [add(right, self._number(takes)), add(last, self._number(keeps))]

        right, after = emitter.loop(self._expr(count), [middle, end], step)
        left, left_end = sub(add(lowest, count), right), sub(sub(highest, count), after)
        are_apart = emitter.result(
            arith.AndIOp(
                emitter.result(arith.CmpiOp(left, left_end, "ule")),
                emitter.result(arith.CmpiOp(right, after, "ule")),
            )
        )
        rest = (left, left_end, right, after), (first, middle, middle, end)
        self._merge_rest(
            source, target, middle, *(emitter.select(are_apart, x, y) for x, y in zip(*rest))
        )

    def _merge_rest(
        self,
        source: ArrayView,
        target: ArrayView,
        middle: SSAValue,
        left: SSAValue,
        left_end: SSAValue,
        right: SSAValue,
        right_end: SSAValue,
    ) -> None:
        """Merge what is left of two runs, of which the one on the right starts at `middle`."""
        emitter, add, sub = self.emitter, self._add, self._sub
        both, last = add(left, right), emitter.index(integer(self.size - 1))
        start = sub(both, middle)

        def step(k: Expr, places: Sequence[SSAValue]) -> Sequence[SSAValue]:
            (right,) = places
            left = sub(add(both, emitter.index(k)), right)
            # What is read after the end of a run is not used.
            x, y = (
                self._load(source, emitter.result(arith.MinUIOp(place, last)))
                for place in (left, right)
            )
            has_right = emitter.result(arith.CmpiOp(right, right_end, "ult"))
            no_left = emitter.result(arith.CmpiOp(left, left_end, "uge"))
            is_next = emitter.result(arith.OrIOp(no_left, self._is_before(y, x)))
            takes = emitter.result(arith.AndIOp(has_right, is_next))
            self._store(self._select(takes, y, x), target, add(start, emitter.index(k)))
            return [add(right, self._number(takes))]

        count = add(sub(left_end, left), sub(right_end, right))
        emitter.loop(self._expr(count), [right], step)

    # Numbers

    def _add(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.emitter.result(arith.AddiOp(x, y))

    def _sub(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.emitter.result(arith.SubiOp(x, y))

    def _number(self, flag: SSAValue) -> SSAValue:
        """1 or 0."""
        number = self.emitter.result(arith.ExtUIOp(flag, i64))
        return self.emitter.result(arith.IndexCastOp(number, IndexType()))

    def _expr(self, number: SSAValue) -> Expr:
        """A place, or a number of elements."""
        return self.emitter.opaque(number, Range(integer(0), integer(self.size)))

    # Elements

    def _load(self, array: ArrayView, place: SSAValue) -> View:
        return load_scalars(self.emitter, array.at(self.emitter, self._expr(place)))

    def _store(self, value: View, array: ArrayView, place: SSAValue) -> None:
        target = array.at(self.emitter, self._expr(place))
        self.gen.copy(value, target, self.op.element_type, self.scope.sizes)

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
