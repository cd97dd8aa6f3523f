"""Reductions, and functions that are applied several times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TupleType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, div, integer, mod
from polycl.dialects import pattern
from polycl.dialects.ocl import AddressSpace
from polycl.lowering.pattern.pattern_to_ocl.bodies import (
    GENERATORS,
    emit_block,
    load_scalars,
    tuple_parts,
    tuple_view,
)
from polycl.lowering.pattern.pattern_to_ocl.copies_ahead import CopiesAhead
from polycl.lowering.pattern.pattern_to_ocl.destinations import item_levels, mark_of
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import has_arrays
from polycl.lowering.pattern.pattern_to_ocl.kinds import has_parallel
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    Computed,
    TupleView,
    Value,
    View,
    buffers_in,
    is_limited,
    leaves_of,
    size_expr,
)

_MOST_UNROLLED = 8
"""The iterations of one size that have separate code."""

_MOST_PRIVATE = 4096
"""The elements of an array that a work-item has for its iterations; larger ones are global."""

_IN_REGISTERS = 32
"""Loops over private arrays of at most this size are unrolled, so that they become registers."""


def _emit_reduce(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    assert isinstance(op, pattern.ReduceBase)
    emitter = gen.emitter
    inputs = [_array(scope.view(op.input, emitter)) for scope in scopes]
    outs = [_array(place).at(emitter, integer(0)) for place in places]
    _reduce(gen, op, scopes, inputs, outs)


def _emit_part_red(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    """Result i is the reduction of the i-th chunk."""
    assert isinstance(op, pattern.PartRedOp) and isinstance(op.result.type, pattern.ArrayType)
    emitter = gen.emitter
    inputs = [_array(scope.view(op.input, emitter)) for scope in scopes]
    count = size_expr(op.result.type.size, scopes[0].sizes)
    chunk = div(inputs[0].size, count, {})

    def one(i: Expr) -> None:
        chunks = [_chunk(array, i, chunk) for array in inputs]
        outs = [_array(place).at(emitter, i) for place in places]
        _reduce(gen, op, scopes, chunks, outs)

    gen.each(count, one)


def _chunk(array: ArrayView, i: Expr, size: Expr) -> ArrayView:
    return ArrayView(size, lambda emitter, j: array.at(emitter, i * size + j))


def _reduce(
    gen: KernelGenerator,
    op: pattern.ReduceBase,
    scopes: Sequence[Scope],
    inputs: Sequence[ArrayView],
    outs: Sequence[View],
) -> None:
    emitter, type = gen.emitter, op.init.type
    inits = [scope.view(op.init, emitter) for scope in scopes]
    if has_arrays(type):
        _reduce_in_memory(gen, op, scopes, inputs, inits, outs)
        return

    def step(i: Expr, accumulators: Sequence[View]) -> list[View]:
        elements = [array.at(emitter, i) for array in inputs]
        return combined(gen, op, scopes, accumulators, elements)

    finals = _carried(gen, op, inputs, inits, step)
    for scope, final, out in zip(scopes, finals, outs, strict=True):
        gen.copy(final, out, type, scope.sizes)


def combined(
    gen: KernelGenerator,
    op: pattern.ReduceBase,
    scopes: Sequence[Scope],
    accumulators: Sequence[View],
    elements: Sequence[View],
    places: Sequence[View] | None = None,
) -> list[View]:
    """The function of an accumulator and an element in each scope; written to `places`."""
    inner: list[Scope] = []
    for scope, accumulator, element in zip(scopes, accumulators, elements, strict=True):
        child = Scope(scope)
        child.bind_parts(op.accumulator_args, accumulator)
        child.bind_parts(op.element_args, load_scalars(gen.emitter, element))
        inner.append(child)
    parts = None
    if places is not None:
        split = [tuple_parts(place, len(op.yielded)) for place in places]
        parts = list(zip(*split, strict=True))
    results = emit_block(gen, op.body.block, inner, parts)
    return [tuple_view(views) for views in results]


def _carried(
    gen: KernelGenerator,
    op: pattern.ReduceBase,
    arrays: Sequence[ArrayView],
    inits: Sequence[View],
    step: Callable[[Expr, Sequence[View]], list[View]],
) -> list[View]:
    """The accumulators after `step` for all elements of the first of `arrays`, in registers."""
    emitter, type = gen.emitter, op.init.type
    size = arrays[0].size
    if _is_unrolled(op, arrays, emitter):
        assert size.constant is not None
        finals = [load_scalars(emitter, view) for view in inits]
        for i in range(size.constant):
            finals = step(integer(i), finals)
        return finals
    starts = [value for view in inits for value in registers(view, emitter)]

    def one_round(i: Expr, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        results = step(i, as_views(values, type, len(inits)))
        return [value for view in results for value in registers(view, emitter)]

    ends = emitter.loop(size, starts, one_round)
    return as_views(ends, type, len(inits))


def _reduce_in_memory(
    gen: KernelGenerator,
    op: pattern.ReduceBase,
    scopes: Sequence[Scope],
    inputs: Sequence[ArrayView],
    inits: Sequence[View],
    outs: Sequence[View],
) -> None:
    """Accumulators that are arrays: two buffers take turns."""
    emitter, type = gen.emitter, op.init.type
    # The destination of the result may be slow memory.
    space = mark_of(op.result) if gen.by_group else None
    levels = item_levels(op.yielded[0]) if len(op.yielded) == 1 else []
    old = [gen.allocate(op, type, scope.sizes, space, levels) for scope in scopes]
    new = [gen.allocate(op, type, scope.sizes, space, levels) for scope in scopes]
    for scope, init, place in zip(scopes, inits, old, strict=True):
        gen.copy(init, place, type, scope.sizes)

    ahead = CopiesAhead(gen, op, scopes, inputs)

    def one(i: Expr) -> None:
        inner: list[Scope] = []
        for scope, array, accumulator in zip(scopes, inputs, old, strict=True):
            child = Scope(scope)
            child.bind_parts(op.accumulator_args, accumulator)
            child.bind_parts(op.element_args, load_scalars(emitter, array.at(emitter, i)))
            inner.append(child)
        ahead.step(i, inner)
        parts = [tuple_parts(place, len(op.yielded)) for place in new]
        emit_block(gen, op.body.block, inner, list(zip(*parts, strict=True)), ahead.done)
        for scope, source, place in zip(scopes, new, old, strict=True):
            gen.copy(source, place, type, scope.sizes)

    ahead.start()
    if _is_unrolled(op, inputs, emitter):
        assert inputs[0].size.constant is not None
        for i in range(inputs[0].size.constant):
            one(integer(i))
    else:
        gen.each(inputs[0].size, one, shared=gen.by_group, unroll=_unrolled_later(op))
    ahead.finish(old)
    for scope, source, out in zip(scopes, old, outs, strict=True):
        gen.copy(source, out, type, scope.sizes)


def _emit_scan(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    assert isinstance(op, pattern.ScanOp)
    emitter, type = gen.emitter, op.init.type
    inputs = [_array(scope.view(op.input, emitter)) for scope in scopes]
    inits = [scope.view(op.init, emitter) for scope in scopes]
    outs = [_array(place) for place in places]
    if has_arrays(type):
        _scan_in_memory(gen, op, scopes, inputs, inits, outs)
        return

    def step(i: Expr, accumulators: Sequence[View]) -> list[View]:
        elements = [array.at(emitter, i) for array in inputs]
        results = [
            load_scalars(emitter, view)
            for view in combined(gen, op, scopes, accumulators, elements)
        ]
        if op.assoc is not None:
            _allow_any_order(op, results, emitter)
        written = results if op.exclusive is None else accumulators
        for scope, value, out in zip(scopes, written, outs, strict=True):
            gen.copy(value, out.at(emitter, i), type, scope.sizes)
        return results

    _carried(gen, op, [*inputs, *outs], inits, step)


def _allow_any_order(op: pattern.ScanOp, results: Sequence[View], emitter: Emitter) -> None:
    """Mark sums and products of floats by which an associative function combines its arguments."""
    for view in results:
        for value, yielded, *both in zip(
            registers(view, emitter), op.yielded, op.accumulator_args, op.element_args, strict=True
        ):
            owner, source = value.owner, yielded.owner
            if (
                isinstance(owner, arith.AddfOp | arith.MulfOp)
                and isinstance(source, Operation)
                and set(source.operands) == set(both)
            ):
                owner.fastmath = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])


def _scan_in_memory(
    gen: KernelGenerator,
    op: pattern.ScanOp,
    scopes: Sequence[Scope],
    inputs: Sequence[ArrayView],
    inits: Sequence[View],
    outs: Sequence[ArrayView],
) -> None:
    """Accumulators that are arrays: each is the previous element of the result."""
    emitter, type = gen.emitter, op.init.type
    size, shared = inputs[0].size, gen.by_group
    results = [
        gen.allocate(op, op.result.type, scope.sizes, AddressSpace.GLOBAL)
        if any(is_limited(view, emitter) for view in outs)
        else out
        for scope, out in zip(scopes, outs, strict=True)
    ]
    rows = [_array(view) for view in results]

    def write(i: Expr, element: Expr, accumulators: Sequence[View]) -> None:
        elements = [array.at(emitter, element) for array in inputs]
        places = [row.at(emitter, i) for row in rows]
        combined(gen, op, scopes, accumulators, elements, places)

    if op.exclusive is None:
        write(integer(0), integer(0), inits)
    else:
        for scope, init, row in zip(scopes, inits, rows, strict=True):
            gen.copy(init, row.at(emitter, integer(0)), type, scope.sizes)

    def one(before: Expr) -> None:
        i = before + 1
        element = i if op.exclusive is None else before
        write(i, element, [row.at(emitter, before) for row in rows])

    if size != integer(1):
        gen.each(size - 1, one, shared=shared)
    for scope, row, out in zip(scopes, rows, outs, strict=True):
        if row is not out:
            gen.copy(row, out, op.result.type, scope.sizes)


def _emit_iterate(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    """Iterations have separate code, since sizes differ; every other one uses the same memory."""
    assert isinstance(op, pattern.IterateOp)
    if op.symbol is None and not (op.n.is_constant and op.count <= _MOST_UNROLLED):
        _emit_repeat(gen, op, scopes, places)
        return
    current = [scope.view(op.input, gen.emitter) for scope in scopes]
    factor = size_expr(op.factor, scopes[0].sizes)
    size = _array(current[0]).size
    if op.count == 0:
        for scope, source, place in zip(scopes, current, places, strict=True):
            gen.copy(source, place, op.result.type, scope.sizes)
    for iteration in range(op.count):
        size = div(size, factor, gen.emitter.env)
        symbols = {} if op.symbol is None else {op.symbol.data: size}
        inner = [Scope(scope, symbols) for scope in scopes]
        for scope, view in zip(inner, current, strict=True):
            _bind_iteration(op, scope, view, integer(iteration))
        (value,) = op.yielded
        if iteration == op.count - 1:
            outs = list(places)
        else:
            mark = mark_of(value) or mark_of(op.result)
            outs = [gen.allocate(op, value.type, scope.sizes, mark) for scope in inner]
        emit_block(gen, op.body.block, inner, [outs])
        current = outs


def _emit_repeat(
    gen: KernelGenerator,
    op: pattern.IterateOp,
    scopes: Sequence[Scope],
    places: Sequence[View],
) -> None:
    """Iterations between arrays of one size: a loop over pairs of them, between two arrays."""
    emitter, type = gen.emitter, op.result.type
    count = size_expr(op.n, scopes[0].sizes)
    (value,) = op.yielded
    space = mark_of(value) or mark_of(op.result)
    if space is None and not _is_small(type, scopes[0]):
        space = AddressSpace.GLOBAL
    first = [gen.allocate(op, type, scope.sizes, space) for scope in scopes]
    second = [gen.allocate(op, type, scope.sizes, space) for scope in scopes]
    for scope, place in zip(scopes, first, strict=True):
        gen.copy(scope.view(op.input, emitter), place, type, scope.sizes)

    def once(sources: Sequence[View], targets: Sequence[View], number: Expr) -> None:
        inner = [Scope(scope) for scope in scopes]
        for scope, view in zip(inner, sources, strict=True):
            _bind_iteration(op, scope, view, number)
        emit_block(gen, op.body.block, inner, [targets])

    def twice(i: Expr) -> None:
        once(first, second, i * 2)
        once(second, first, i * 2 + 1)

    def last(_: Expr) -> None:
        once(first, second, count - 1)
        for scope, source, place in zip(scopes, second, first, strict=True):
            gen.copy(source, place, type, scope.sizes)

    shared = gen.by_group
    gen.each(div(count, integer(2), emitter.env), twice, shared=shared)
    rest = mod(count, integer(2), emitter.env)
    if rest == integer(1):
        once(first, places, count - 1)
        return
    if rest != integer(0):
        gen.each(rest, last, shared=shared)
    for scope, source, place in zip(scopes, first, places, strict=True):
        gen.copy(source, place, type, scope.sizes)


def _bind_iteration(op: pattern.IterateOp, scope: Scope, view: View, number: Expr) -> None:
    """Bind the arguments of the function."""
    scope.bind(op.arg, view)
    if op.number is not None:
        scope.bind(op.number, Computed(lambda emitter: emitter.index(number)))


def _is_small(type: Attribute, scope: Scope) -> bool:
    """Whether a value may be in private memory."""
    counts = [leaf.count.constant for leaf in leaves_of(type, scope.sizes)]
    return all(count is not None and count <= _MOST_PRIVATE for count in counts)


def _array(view: View) -> ArrayView:
    assert isinstance(view, ArrayView)
    return view


def _is_unrolled(op: pattern.ReduceBase, arrays: Sequence[ArrayView], emitter: Emitter) -> bool:
    count = arrays[0].size.constant
    if count is None or count == 1:
        return count == 1
    if isinstance(op, pattern.ReduceSeqOp) and op.unroll is not None:
        return not has_parallel(op)
    if count > _IN_REGISTERS or has_parallel(op):
        return False
    buffers = [buffer for array in arrays for buffer in buffers_in(array, emitter)]
    return any(buffer.space is AddressSpace.PRIVATE for buffer in buffers)


def _unrolled_later(op: pattern.ReduceBase) -> bool:
    """Whether the loop of a group is to be unrolled, which is left to LLVM."""
    return isinstance(op, pattern.ReduceSeqOp) and op.unroll is not None


def registers(view: View, emitter: Emitter) -> list[SSAValue]:
    """The scalars and vectors of an accumulator."""
    if isinstance(view, TupleView):
        return [value for part in view.parts for value in registers(part, emitter)]
    return [emitter.value(view)]


def as_views(values: Sequence[SSAValue], type: Attribute, count: int) -> list[View]:
    """The accumulators of all scopes, from the values of a loop."""
    rest = list(values)

    def take(type: Attribute) -> View:
        if isinstance(type, TupleType):
            return TupleView(tuple(take(part) for part in type.types))
        return Value(rest.pop(0))

    return [take(type) for _ in range(count)]


GENERATORS[pattern.ReduceSeqOp] = _emit_reduce
GENERATORS[pattern.ReduceOp] = _emit_reduce
GENERATORS[pattern.PartRedOp] = _emit_part_red
GENERATORS[pattern.ScanOp] = _emit_scan
GENERATORS[pattern.IterateOp] = _emit_iterate
