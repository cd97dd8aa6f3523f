"""The views of patterns that only rearrange.

`read_view` computes the view of a result from those of the operands. `write_views` is its inverse:
from the destination of a result to those of the operands. It exists for invertible patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, div, integer, maximum, minimum, mod
from polycl.dialects import pattern
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.pattern.types import ArrayType, innermost, width_of
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter, Unbound
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    Computed,
    Lanes,
    Limited,
    Memory,
    TupleView,
    View,
    size_expr,
)

LAYOUTS = (
    pattern.ZipOp,
    pattern.UnzipOp,
    pattern.SplitOp,
    pattern.JoinOp,
    pattern.TakeOp,
    pattern.DropOp,
    pattern.ReorderOp,
    pattern.ReorderStrideOp,
    pattern.TransposeOp,
    pattern.SlideOp,
    pattern.PadOp,
    pattern.GatherOp,
    pattern.AtOp,
    pattern.TupleOp,
    pattern.GetOp,
    pattern.AsVectorOp,
    pattern.AsScalarOp,
    pattern.ToMemoryBase,
)
"""Patterns without code of their own."""

SPACES: dict[type[Operation], AddressSpace] = {
    pattern.ToLocalOp: AddressSpace.LOCAL,
    pattern.ToGlobalOp: AddressSpace.GLOBAL,
    pattern.ToPrivateOp: AddressSpace.PRIVATE,
}

Sizes = Mapping[str, Expr]


def read_view(
    emitter: Emitter, op: Operation, result: SSAValue, operands: Sequence[View], sizes: Sizes
) -> View:
    """The view of `result`, from those of the operands of `op`."""
    first = operands[0]
    match op:
        case pattern.ZipOp():
            arrays = [_array(view) for view in operands]

            def zipped(emitter: Emitter, i: Expr) -> View:
                return TupleView(tuple(array.at(emitter, i) for array in arrays))

            return ArrayView(arrays[0].size, zipped)
        case pattern.UnzipOp():
            return _part_of_each(_array(first), [r is result for r in op.results].index(True))
        case pattern.SplitOp():
            return _split(_array(first), size_expr(op.size, sizes))
        case pattern.JoinOp():
            return _join(_array(first), _inner_size(op.input.type, sizes))
        case pattern.ReorderOp() | pattern.ToMemoryBase():
            return first
        case pattern.TakeOp():
            return ArrayView(size_expr(op.size, sizes), _array(first).at)
        case pattern.DropOp():
            size, rest = size_expr(op.size, sizes), size_expr(_type(result).size, sizes)
            return ArrayView(rest, lambda emitter, i: _array(first).at(emitter, i + size))
        case pattern.ReorderStrideOp():
            stride, chunk = size_expr(op.stride, sizes), size_expr(op.chunk, sizes)
            return _strided(_array(first), stride, chunk)
        case pattern.TransposeOp():
            return _transpose(_array(first), _inner_size(op.input.type, sizes))
        case pattern.SlideOp():
            size, step = size_expr(op.size, sizes), size_expr(op.step, sizes)
            return _slide(_array(first), size_expr(_type(result).size, sizes), size, step)
        case pattern.PadOp():
            return _pad(op, operands, sizes)
        case pattern.GatherOp():
            return _gather(_array(first), _array(operands[1]))
        case pattern.AtOp():
            return _at(emitter, _array(first), operands[1])
        case pattern.TupleOp():
            return TupleView(tuple(operands))
        case pattern.GetOp():
            assert isinstance(first, TupleView)
            return first.parts[op.part]
        case pattern.AsVectorOp():
            return _innermost(first, op.input.type, lambda a: _as_vector(a, op.width))
        case pattern.AsScalarOp():
            width = _width(op)
            return _innermost(first, op.input.type, lambda a: _as_scalar(a, width))
        case _:
            raise error_at(op, f"'{op.name}' has no view")


def is_layout(op: Operation) -> bool:
    """Whether `op` only rearranges and `write_views` may have the destinations of its operands."""
    return isinstance(op, LAYOUTS) or isinstance(op, pattern.MapOp) and _row_steps(op) is not None


def _row_steps(op: pattern.MapOp) -> list[Operation] | None:
    """The patterns in the function of a map that only rearranges rows, in reverse order."""
    if len(op.body.block.args) != 1 or len(op.yielded) != 1:
        return None
    steps: list[Operation] = []
    (value,) = op.yielded
    while value is not op.body.block.args[0]:
        owner = value.owner
        if not isinstance(owner, Operation) or not isinstance(value.type, ArrayType):
            return None
        rows = isinstance(owner, pattern.MapOp) and _row_steps(owner) is not None
        if not (rows or isinstance(owner, _INVERTIBLE)):
            return None
        steps.append(owner)
        value = owner.operands[0]
    return steps


_INVERTIBLE = (
    pattern.SplitOp,
    pattern.JoinOp,
    pattern.TakeOp,
    pattern.DropOp,
    pattern.ReorderOp,
    pattern.ReorderStrideOp,
    pattern.TransposeOp,
    pattern.AsVectorOp,
    pattern.AsScalarOp,
)


def _write_rows(steps: Sequence[Operation], out: ArrayView, sizes: Sizes) -> ArrayView:
    def row(emitter: Emitter, i: Expr) -> View:
        place = out.at(emitter, i)
        for step in steps:
            views = write_views(step, step.results[0], place, sizes)
            assert views is not None
            (place,) = views
        return place

    return ArrayView(out.size, row)


def write_views(op: Operation, result: SSAValue, out: View, sizes: Sizes) -> list[View] | None:
    """The destinations of the operands of `op` for which `result` is in `out`."""
    match op:
        case pattern.ZipOp():
            return [_part_of_each(_array(out), i) for i in range(len(op.inputs))]
        case pattern.TupleOp():
            assert isinstance(out, TupleView)
            return list(out.parts)
        case pattern.SplitOp():
            return [_join(_array(out), size_expr(op.size, sizes))]
        case pattern.JoinOp():
            return [_split(_array(out), _inner_size(op.input.type, sizes))]
        case pattern.ReorderOp() | pattern.ToMemoryBase():
            return [out]
        case pattern.TakeOp():
            return [_taken(_array(out), size_expr(op.input_type.size, sizes))]
        case pattern.DropOp():
            return [_rest_of(_array(out), size_expr(op.size, sizes))]
        case pattern.ReorderStrideOp():
            # out[i] = in[i / n + s * (i mod n)]: in[k] goes to out[k / s + n * (k mod s)].
            stride, chunk = size_expr(op.stride, sizes), size_expr(op.chunk, sizes)
            return [_strided(_array(out), chunk, stride)]
        case pattern.TransposeOp():
            return [_transpose(_array(out), _inner_size(op.result.type, sizes))]
        case pattern.MapOp():
            steps = _row_steps(op)
            return None if steps is None else [_write_rows(steps, _array(out), sizes)]
        case pattern.AsVectorOp():
            return [_innermost(out, op.result.type, lambda a: _as_scalar(a, op.width))]
        case pattern.AsScalarOp():
            width = _width(op)
            return [_innermost(out, op.result.type, lambda a: _as_vector(a, width))]
        case _:
            return None


def _array(view: View) -> ArrayView:
    assert isinstance(view, ArrayView), view
    return view


def _type(value: SSAValue) -> ArrayType:
    assert isinstance(value.type, ArrayType)
    return value.type


def _inner_size(type: Attribute, sizes: Sizes) -> Expr:
    assert isinstance(type, ArrayType) and isinstance(type.element_type, ArrayType)
    return size_expr(type.element_type.size, sizes)


def _width(op: pattern.AsScalarOp) -> int:
    width = width_of(innermost(op.input.type))
    assert width is not None
    return width


def _part_of_each(array: ArrayView, part: int) -> ArrayView:
    def at(emitter: Emitter, i: Expr) -> View:
        element = array.at(emitter, i)
        assert isinstance(element, TupleView)
        return element.parts[part]

    return ArrayView(array.size, at)


def _taken(array: ArrayView, size: Expr) -> ArrayView:
    """`size` elements of which only those of `array` are written."""
    last = array.size - 1

    def at(emitter: Emitter, i: Expr) -> View:
        inside = minimum(i, last, emitter.env)
        element = array.at(emitter, inside)
        return element if inside == i else _limited(element, i, array.size)

    return ArrayView(size, at)


def _rest_of(array: ArrayView, size: Expr) -> ArrayView:
    """`size` elements that are not written, and those of `array`."""

    def at(emitter: Emitter, i: Expr) -> View:
        return _limited(array.at(emitter, i - size), size - 1, i)

    return ArrayView(size + array.size, at)


def _limited(view: View, i: Expr, limit: Expr) -> View:
    """The place `view`, which is written where i is below `limit`."""
    match view:
        case Memory():
            return Limited(view, ((i, limit),))
        case Limited():
            return Limited(view.place, (*view.limits, (i, limit)))
        case TupleView():
            return TupleView(tuple(_limited(part, i, limit) for part in view.parts))
        case Lanes():
            return Lanes(tuple(_limited(part, i, limit) for part in view.parts))
        case ArrayView():
            return ArrayView(view.size, lambda emitter, j: _limited(view.at(emitter, j), i, limit))
        case _:
            raise TypeError(f"nothing can be written to {view}")


def _split(array: ArrayView, size: Expr) -> ArrayView:
    # The types were checked: the size divides the array's.
    return _slide(array, div(array.size, size, {}), size, size)


def _join(array: ArrayView, size: Expr) -> ArrayView:
    def at(emitter: Emitter, i: Expr) -> View:
        row = _array(array.at(emitter, div(i, size, emitter.env)))
        return row.at(emitter, mod(i, size, emitter.env))

    return ArrayView(array.size * size, at)


def _strided(array: ArrayView, stride: Expr, chunk: Expr) -> ArrayView:
    def at(emitter: Emitter, i: Expr) -> View:
        outer, inner = div(i, chunk, emitter.env), mod(i, chunk, emitter.env)
        return array.at(emitter, outer + stride * inner)

    return ArrayView(array.size, at)


def _transpose(array: ArrayView, inner: Expr) -> ArrayView:
    def column(emitter: Emitter, j: Expr) -> View:
        return ArrayView(array.size, lambda emitter, i: _array(array.at(emitter, i)).at(emitter, j))

    return ArrayView(inner, column)


def _slide(array: ArrayView, count: Expr, size: Expr, step: Expr) -> ArrayView:
    def window(emitter: Emitter, i: Expr) -> View:
        return ArrayView(size, lambda emitter, j: array.at(emitter, i * step + j))

    return ArrayView(count, window)


def _pad(op: pattern.PadOp, operands: Sequence[View], sizes: Sizes) -> ArrayView:
    array = _array(operands[0])
    left, size = size_expr(op.left, sizes), array.size
    total = size_expr(_type(op.result).size, sizes)

    def at(emitter: Emitter, i: Expr) -> View:
        env, place = emitter.env, i - left
        last = size - 1
        match op.mode.data:
            case "clamp" | "constant":
                inside = maximum(minimum(place, last, env), integer(0), env)
            case "wrap":
                # Whole arrays are added before the padding, so that no index is negative.
                before = size * (div(left, size, env) + 1)
                inside = mod(place + before, size, env)
            case _:
                # c b a | a b c | c b a: a pattern that repeats after two arrays.
                before = size * 2 * (div(left, size * 2, env) + 1)
                turn = mod(place + before, size * 2, env)
                inside = minimum(turn, size * 2 - 1 - turn, env)
        element = array.at(emitter, inside)
        if op.mode.data != "constant" or inside == place:
            return element
        return _unless_outside(element, operands[1], place, inside)

    return ArrayView(total, at)


def _unless_outside(element: View, value: View, place: Expr, inside: Expr) -> View:
    """`element` where `place` is inside of the array, and `value` where it is outside."""
    match element, value:
        case TupleView(), TupleView():
            pairs = zip(element.parts, value.parts, strict=True)
            return TupleView(tuple(_unless_outside(e, v, place, inside) for e, v in pairs))
        case ArrayView(), ArrayView():

            def at(emitter: Emitter, i: Expr) -> View:
                parts = element.at(emitter, i), value.at(emitter, i)
                return _unless_outside(*parts, place, inside)

            return ArrayView(element.size, at)
        case _:
            return Computed(
                lambda emitter: emitter.select(
                    emitter.equal(place, inside), emitter.value(element), emitter.value(value)
                )
            )


def _gather(array: ArrayView, indices: ArrayView) -> ArrayView:
    def at(emitter: Emitter, i: Expr) -> View:
        return _at(emitter, array, indices.at(emitter, i))

    return ArrayView(indices.size, at)


def _at(emitter: Emitter, array: ArrayView, index: View) -> View:
    """The element at an index that is known at run time; it is within the array."""
    if array.size == integer(1):
        return array.at(emitter, integer(0))
    bounds = Range(integer(0), array.size - 1)
    return array.at(emitter, emitter.opaque(emitter.value(index), bounds))


def _innermost(view: View, type: Attribute, change: Callable[[ArrayView], ArrayView]) -> View:
    """`change` of the innermost arrays in `view`, which has the type `type`."""
    assert isinstance(type, ArrayType)
    array, inner = _array(view), type.element_type
    if not isinstance(inner, ArrayType):
        return change(array)

    def at(emitter: Emitter, i: Expr) -> View:
        return _innermost(array.at(emitter, i), inner, change)

    return ArrayView(array.size, at)


def _as_vector(array: ArrayView, width: int) -> ArrayView:
    def at(emitter: Emitter, i: Expr) -> View:
        start = i * width
        # Whether the elements are consecutive follows from the one at a symbolic lane.
        lane = emitter.fresh("lane", Range(integer(0), integer(width - 1)))
        try:
            probe: View | None = array.at(emitter, start + lane)
        except Unbound:
            # An index that is loaded needs a number.
            probe = None

        def one(lane: int) -> View:
            return array.at(emitter, start + lane)

        return _vector(probe, lane, [one(k) for k in range(width)])

    return ArrayView(div(array.size, integer(width), {}), at)


def _vector(probe: View | None, lane: Expr, scalars: Sequence[View]) -> View:
    """A vector of `scalars`; `probe` is the one at the variable `lane`."""
    first = scalars[0]
    if isinstance(first, TupleView):
        parts: list[View] = []
        for k in range(len(first.parts)):
            part_probe = probe.parts[k] if isinstance(probe, TupleView) else None
            lanes = [view.parts[k] for view in scalars if isinstance(view, TupleView)]
            parts.append(_vector(part_probe, lane, lanes))
        return TupleView(tuple(parts))
    if isinstance(probe, Memory):
        start = probe.index - lane
        if not (start.variables & lane.variables):
            return Memory(probe.buffer, start, VectorType(probe.type, [len(scalars)]))
    return Lanes(tuple(scalars))


def _as_scalar(array: ArrayView, width: int) -> ArrayView:
    def at(emitter: Emitter, i: Expr) -> View:
        number = integer(width)
        lane = mod(i, number, emitter.env)
        return _lane(array.at(emitter, div(i, number, emitter.env)), lane)

    return ArrayView(array.size * width, at)


def _lane(vector_view: View, lane: Expr) -> View:
    """One scalar of a vector, or of each vector of a tuple."""
    match vector_view:
        case TupleView():
            return TupleView(tuple(_lane(part, lane) for part in vector_view.parts))
        case Memory():
            assert isinstance(vector_view.type, VectorType)
            scalar = vector_view.type.element_type
            return Memory(vector_view.buffer, vector_view.index + lane, scalar)
        case Lanes() if lane.constant is not None:
            return vector_view.parts[lane.constant]
        case _:
            return Computed(lambda emitter: emitter.element(emitter.value(vector_view), lane))
