"""Maps and generated arrays."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from polycl.analysis.ocl.index_arith import Expr, integer
from polycl.dialects import pattern
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.bodies import (
    GENERATORS,
    emit_block,
    load_scalars,
    tuple_parts,
)
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.kinds import has_parallel
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    Value,
    View,
    has_fragments,
    size_expr,
)


def _emit_map(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    assert isinstance(op, pattern.MapBase)
    size = _size(op, scopes)
    inputs = [scope.view(op.input, gen.emitter) for scope in scopes]

    def elements(*indices: Expr) -> None:
        """The function for all of these elements."""
        inner: list[Scope] = []
        outs: list[list[View]] = []
        for scope, source, place in zip(scopes, inputs, places, strict=True):
            assert isinstance(source, ArrayView) and isinstance(place, ArrayView)
            for i in indices:
                child = Scope(scope)
                element = load_scalars(gen.emitter, source.at(gen.emitter, i))
                child.bind_parts(op.element_args, element)
                inner.append(child)
                outs.append(tuple_parts(place.at(gen.emitter, i), len(op.yielded)))
        emit_block(gen, op.body.block, inner, list(zip(*outs, strict=True)))

    if isinstance(op, pattern.ParallelMapBase):
        is_local = isinstance(op, pattern.MapLocalOp)
        inner = pattern.MapLocalOp | pattern.MmaOp
        nested = is_local and (
            any(isinstance(o, inner) for o in op.body.walk()) or any(map(has_fragments, inputs))
        )
        first = op.first_item if isinstance(op, pattern.MapGlobalOp) else 0
        gen.parallel(type(op), op.dimension, size, elements, nested=nested, first=first)
    elif isinstance(op, pattern.MapSeqOp) and op.unroll is not None:
        if size.constant is None:
            raise error_at(op, f"cannot unroll a map of {size} elements; give the sizes")
        elements(*map(integer, range(size.constant)))
    else:
        gen.each(size, elements, shared=has_parallel(op))


def _emit_generate(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    """The elements of a generated array that is not computed when it is read."""
    assert isinstance(op, pattern.GenerateOp)
    size = _size(op, scopes)

    def one(i: Expr) -> None:
        inner = [Scope(scope) for scope in scopes]
        outs: list[list[View]] = []
        for scope, place in zip(inner, places, strict=True):
            assert isinstance(place, ArrayView)
            scope.bind(op.body.block.args[0], Value(gen.emitter.index(i)))
            outs.append(tuple_parts(place.at(gen.emitter, i), len(op.yielded)))
        emit_block(gen, op.body.block, inner, list(zip(*outs, strict=True)))

    gen.each(size, one)


def _size(op: pattern.MapBase | pattern.GenerateOp, scopes: Sequence[Scope]) -> Expr:
    assert isinstance(op.result.type, pattern.ArrayType)
    return size_expr(op.result.type.size, scopes[0].sizes)


for _kind in (
    pattern.MapOp,
    pattern.MapSeqOp,
    pattern.MapGlobalOp,
    pattern.MapLocalOp,
    pattern.MapWorkgroupOp,
):
    GENERATORS[_kind] = _emit_map
GENERATORS[pattern.GenerateOp] = _emit_generate
