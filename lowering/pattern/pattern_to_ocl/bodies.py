"""The code of a function: its operations in order, in all scopes at once.

A map that is unrolled has a scope for each element. Each operation of its function is generated for
all scopes in turn, and a loop in the function is one loop for all scopes: so one loop has several
independent accumulators.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr
from polycl.dialects import pattern
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.destinations import (
    destinations,
    item_levels,
    mark_of,
)
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.grid_order import GRID, refuse_unordered_reads
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kinds import (
    COMPUTING,
    has_parallel,
    is_computed_when_read,
)
from polycl.lowering.pattern.pattern_to_ocl.layouts import LAYOUTS, read_view
from polycl.lowering.pattern.pattern_to_ocl.scalars import emit_scalar, emit_vect
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.streams import is_streamed, stream_view
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    Computed,
    Memory,
    NotOwned,
    TupleView,
    Value,
    View,
    has_fragments,
    size_expr,
)

Places = Sequence[Sequence[View]]
"""For each yielded value: a place for each scope."""


def emit_block(
    gen: KernelGenerator,
    block: Block,
    scopes: Sequence[Scope],
    outs: Places | None,
    done: Collection[Operation] = (),
) -> list[list[View]]:
    """The code of `block` in each of `scopes`, but for the operations that are `done`; the yielded
    values are written to `outs`.

    Returns the views of the yielded values, a list for each scope.
    """
    terminator = block.last_op
    assert isinstance(terminator, pattern.YieldOp)
    values = list(terminator.values)
    plan = destinations(block, values, outs or [], scopes, gen.emitter) if outs else None
    places = plan.places if plan else {}
    copied = {value for value, _ in plan.copies} if plan else set[SSAValue]()
    for op in block.ops:
        if has_parallel(op, GRID):
            refuse_unordered_reads(op, copied)
    for op in block.ops:
        if isinstance(op, pattern.ToLocalOp) and op not in done and _has_own_layout(op):
            places = _in_local_memory(gen, op, scopes) | places
    for op in block.ops:
        if op is not terminator and op not in done:
            emit(gen, op, scopes, places)
    if plan is not None:
        for value, places in plan.copies:
            for scope, place in zip(scopes, places, strict=True):
                source = scope.view(value, gen.emitter)
                gen.copy(source, place, value.type, scope.sizes)
    return [[scope.view(value, gen.emitter) for value in values] for scope in scopes]


def _has_own_layout(op: pattern.ToLocalOp) -> bool:
    """Whether the elements are in another order than where they are computed, or apart."""
    return bool(op.padding) or isinstance(op.input.owner, pattern.TransposeOp)


def _in_local_memory(
    gen: KernelGenerator, op: pattern.ToLocalOp, scopes: Sequence[Scope]
) -> dict[SSAValue, list[View]]:
    """The places of the results that make the value of `op`."""
    type = op.result.type
    assert isinstance(type, pattern.ArrayType) and op.parent is not None
    outs = [[gen.allocate_local(op, type, scope.sizes) for scope in scopes]]
    plan = destinations(op.parent, [op.input], outs, scopes, gen.emitter)
    if plan.copies:
        raise error_at(op, "its input is not computed here")
    return plan.places


def emit(
    gen: KernelGenerator,
    op: Operation,
    scopes: Sequence[Scope],
    places: dict[SSAValue, list[View]],
) -> None:
    """The code of one operation; `places` has the destinations of results."""
    if isinstance(op, COMPUTING):
        emit_pattern(gen, op, scopes, places.get(op.results[0]))
        return
    for scope in scopes:
        _emit_simple(gen.emitter, op, scope)


def _emit_simple(emitter: Emitter, op: Operation, scope: Scope) -> None:
    """The code of an operation without a loop: a view or scalar code."""
    if isinstance(op, LAYOUTS):
        operands = [scope.view(operand, emitter) for operand in op.operands]
        for result in op.results:
            scope.bind(result, read_view(emitter, op, result, operands, scope.sizes))
    elif isinstance(op, pattern.VectOp):
        emit_vect(emitter, op, scope)
    else:
        emit_scalar(emitter, op, scope)


def emit_pattern(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: list[View] | None
) -> None:
    """The code of a pattern that computes; its result is in `places`, or in new memory."""
    (result,) = op.results
    if places is None:
        if isinstance(op, pattern.ScanOp) and is_streamed(op):
            for scope in scopes:
                scope.bind(result, stream_view(op, scope))
            return
        if is_computed_when_read(op):
            for scope in scopes:
                scope.bind(result, computed_when_read(op, scope))
            return
        mark = mark_of(result)
        levels = item_levels(result)
        places = [gen.allocate(op, result.type, scope.sizes, mark, levels) for scope in scopes]
    emitter = GENERATORS.get(type(op))
    if emitter is None:
        raise error_at(op, f"'{op.name}' cannot be lowered to OpenCL")

    def run() -> None:
        try:
            emitter(gen, op, scopes, places)
        except NotOwned as error:
            message = f"it accesses {error}; in private memory only one work-item has it"
            raise error_at(op, message) from error

    if gen.by_group and not has_parallel(op) and not _reads_fragments(gen, op, scopes):
        gen.alone(run)
    else:
        run()
    for scope, place in zip(scopes, places, strict=True):
        scope.bind(result, place)


def _reads_fragments(gen: KernelGenerator, op: Operation, scopes: Sequence[Scope]) -> bool:
    """Whether the work-items of a sub-group have parts of what `op` copies."""
    if not isinstance(op, pattern.MapBase):
        return False
    return has_fragments(scopes[0].view(op.input, gen.emitter))


def computed_when_read(op: Operation, scope: Scope) -> ArrayView:
    """The result of a map or a generation whose elements are computed where they are read."""
    assert isinstance(op, pattern.MapOp | pattern.GenerateOp)
    assert isinstance(op.result.type, pattern.ArrayType)

    def at(emitter: Emitter, i: Expr) -> View:
        inner = Scope(scope)
        if isinstance(op, pattern.MapOp):
            source = scope.view(op.input, emitter)
            assert isinstance(source, ArrayView)
            inner.bind_parts(op.element_args, source.at(emitter, i))
        else:
            inner.bind(op.body.block.args[0], Computed(lambda emitter: emitter.index(i)))
        for nested in op.body.block.ops:
            if isinstance(nested, COMPUTING):
                inner.bind(nested.results[0], computed_when_read(nested, inner))
            elif not isinstance(nested, pattern.YieldOp):
                _emit_simple(emitter, nested, inner)
        return tuple_view([inner.view(value, emitter) for value in op.yielded])

    return ArrayView(size_expr(op.result.type.size, scope.sizes), at)


def tuple_view(views: Sequence[View]) -> View:
    """Several yielded values are a tuple."""
    return views[0] if len(views) == 1 else TupleView(tuple(views))


def tuple_parts(view: View, count: int) -> list[View]:
    """The places of the `count` values of a function that are the parts of `view`."""
    if count == 1:
        return [view]
    assert isinstance(view, TupleView)
    return list(view.parts)


def load_scalars(emitter: Emitter, view: View) -> View:
    """The scalars in `view` as values, which are loaded here and not again in loops."""
    match view:
        case Memory() | Computed():
            return Value(emitter.value(view))
        case TupleView():
            return TupleView(tuple(load_scalars(emitter, part) for part in view.parts))
        case _:
            return view


Emit = Callable[[KernelGenerator, Operation, Sequence[Scope], Sequence[View]], None]

GENERATORS: dict[type[Operation], Emit] = {}
"""The code generators of the patterns; their modules fill it."""
