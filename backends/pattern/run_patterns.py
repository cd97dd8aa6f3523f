"""`pattern`: arrays are Python lists, tuples and vectors are Python tuples.

Every pattern makes a new list, from left to right: a reduction combines the elements in the order
of the array. The level of a map and the memory of a value do not matter: `map_local` is `map`, and
`to_local` is the identity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

from xdsl.dialects.builtin import TupleType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from polycl.backends.interp.elementwise import whole, width_of
from polycl.backends.interp.floats import round_f32
from polycl.backends.interp.integers import signed
from polycl.backends.interp.ops.run_control import values_of
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import EndHandler, OpHandler, Step, Translator
from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr
from polycl.dialects.pattern.lambdas import yielded
from polycl.dialects.pattern.types import innermost

Values = list[Any]


def _size(size: NatAttr) -> Callable[[Frame], int]:
    """The value of a size while a program runs: slot 0 of the frame has the variables."""
    if size.is_constant:
        value = size.value
        return lambda frame: value
    return lambda frame: size.evaluate(frame[0].sizes)


def _function(
    t: Translator, body: Region, groups: Sequence[Sequence[SSAValue]]
) -> Callable[..., Any]:
    """A function as `call(frame, value for each group)`; a group of several takes a tuple apart."""
    slots = [t.slots(group) for group in groups]
    run = t.region(body).run
    single = len(yielded(body)) == 1

    def set_args(frame: Frame, values: Sequence[Any]) -> None:
        for group, value in zip(slots, values, strict=True):
            if len(group) == 1:
                frame[group[0]] = value
            else:
                for slot, part in zip(group, value, strict=True):
                    frame[slot] = part

    if single and len(slots) == 1 and len(slots[0]) == 1:
        ((only,),) = slots

        def call_simple(frame: Frame, value: Any) -> Any:
            frame[only] = value
            return run(frame)[0]

        return call_simple

    def call(frame: Frame, *values: Any) -> Any:
        set_args(frame, values)
        result = run(frame)
        return result[0] if single else result

    return call


def _map(op: pattern.MapBase, t: Translator) -> Step:
    source, target = t.slot(op.input), t.slot(op.result)
    function = _function(t, op.body, [op.element_args])

    def step(frame: Frame) -> None:
        frame[target] = [function(frame, element) for element in frame[source]]

    return step


def _reduce(op: pattern.ReduceBase, t: Translator) -> Step:
    source, init, target = t.slot(op.input), t.slot(op.init), t.slot(op.result)
    function = _function(t, op.body, op.argument_groups)

    def step(frame: Frame) -> None:
        accumulator = frame[init]
        for element in frame[source]:
            accumulator = function(frame, accumulator, element)
        frame[target] = [accumulator]

    return step


def _part_red(op: pattern.PartRedOp, t: Translator) -> Step:
    source, init, target = t.slot(op.input), t.slot(op.init), t.slot(op.result)
    function = _function(t, op.body, op.argument_groups)
    chunk_size = _size(op.chunk_size)

    def step(frame: Frame) -> None:
        results: Values = []
        for chunk in _chunks(frame[source], chunk_size(frame)):
            accumulator = frame[init]
            for element in chunk:
                accumulator = function(frame, accumulator, element)
            results.append(accumulator)
        frame[target] = results

    return step


def _scan(op: pattern.ScanOp, t: Translator) -> Step:
    source, init, target = t.slot(op.input), t.slot(op.init), t.slot(op.result)
    function = _function(t, op.body, op.argument_groups)
    exclusive = op.exclusive is not None

    def step(frame: Frame) -> None:
        accumulator = frame[init]
        results: Values = []
        for element in frame[source]:
            before, accumulator = accumulator, function(frame, accumulator, element)
            results.append(before if exclusive else accumulator)
        frame[target] = results

    return step


def _chunks(values: Values, size: int) -> list[Values]:
    return [values[i : i + size] for i in range(0, len(values), size)]


def _iterate(op: pattern.IterateOp, t: Translator) -> Step:
    source, target = t.slot(op.input), t.slot(op.result)
    function = _function(t, op.body, [[arg] for arg in op.body.block.args])
    factor, count, counted = _size(op.factor), _size(op.n), op.number is not None

    def step(frame: Frame) -> None:
        values = frame[source]
        if count(frame) < 0:
            raise run_error(op, frame[0], f"the number of iterations is {count(frame)}")
        for i in range(count(frame)):
            if op.symbol is not None:
                frame[0].sizes[op.symbol.data] = len(values) // factor(frame)
            values = function(frame, values, i) if counted else function(frame, values)
        frame[target] = values

    return step


def _generate(op: pattern.GenerateOp, t: Translator) -> Step:
    target, count = t.slot(op.result), _size(op.size)
    function = _function(t, op.body, [op.body.block.args])

    def step(frame: Frame) -> None:
        frame[target] = [function(frame, i) for i in range(count(frame))]

    return step


def _vect(op: pattern.VectOp, t: Translator) -> Step:
    sources, targets = t.slots(op.inputs), t.slots(op.outputs)
    lanes = t.slots(op.body.block.args)
    run = t.region(op.body).run

    def step(frame: Frame) -> None:
        results: list[tuple[Any, ...]] = []
        for values in zip(*[frame[source] for source in sources], strict=True):
            for slot, value in zip(lanes, values, strict=True):
                frame[slot] = value
            results.append(run(frame))
        for target, vector in zip(targets, zip(*results, strict=True), strict=True):
            frame[target] = vector

    return step


# ---- views ----


def _zip(op: pattern.ZipOp, t: Translator) -> Step:
    return whole(op, t, lambda *arrays: list(zip(*arrays, strict=True)))


def _unzip(op: pattern.UnzipOp, t: Translator) -> Step:
    source, targets = t.slot(op.input), t.slots(op.outputs)

    def step(frame: Frame) -> None:
        # There may be no element.
        for number, target in enumerate(targets):
            frame[target] = [element[number] for element in frame[source]]

    return step


def _sized(op: Operation, t: Translator, view: Callable[..., Any], *sizes: NatAttr) -> Step:
    """A view of the first operand that depends on sizes; `view(values, *sizes)`."""
    source, target = t.slot(op.operands[0]), t.slot(op.results[0])
    values = [_size(size) for size in sizes]

    def step(frame: Frame) -> None:
        try:
            frame[target] = view(frame[source], *[value(frame) for value in values])
        except ValueError as error:
            raise run_error(op, frame[0], str(error)) from None

    return step


def _split(op: pattern.SplitOp, t: Translator) -> Step:
    # As many chunks as the type has, of no elements, too.
    def split(values: Values, size: int, chunks: int) -> list[Values]:
        return [values[i * size : (i + 1) * size] for i in range(chunks)]

    return _sized(op, t, split, op.size, _outer_size(op))


def _outer_size(op: pattern.OneToOneOp) -> NatAttr:
    """The number of elements of the result."""
    assert isinstance(op.result.type, pattern.ArrayType)
    return op.result.type.size


def _take(op: pattern.TakeOp, t: Translator) -> Step:
    return _sized(op, t, lambda values, size: values[:size], op.size)


def _drop(op: pattern.DropOp, t: Translator) -> Step:
    return _sized(op, t, lambda values, size: values[size:], op.size)


def _mma(op: pattern.MmaOp, t: Translator) -> Step:
    """The sums go from left to right."""

    def sums(a: list[Values], b: list[Values], c: list[Values]) -> list[Values]:
        return [
            [_sum_of_products(x, y, start) for y, start in zip(b, starts, strict=True)]
            for x, starts in zip(a, c, strict=True)
        ]

    return whole(op, t, sums)


def _sum_of_products(x: Values, y: Values, start: float) -> float:
    for u, v in zip(x, y, strict=True):
        start = round_f32(start + round_f32(u * v))
    return start


def _join(op: pattern.JoinOp, t: Translator) -> Step:
    return whole(op, t, lambda rows: [element for row in rows for element in row])


def _same(op: Operation, t: Translator) -> Step:
    return whole(op, t, lambda values: values)


def _reorder_stride(op: pattern.ReorderStrideOp, t: Translator) -> Step:
    def reorder(values: Values, stride: int) -> Values:
        n = len(values) // stride
        return [values[i // n + stride * (i % n)] for i in range(len(values))]

    return _sized(op, t, reorder, op.stride)


def _transpose(op: pattern.TransposeOp, t: Translator) -> Step:
    def transpose(rows: list[Values], size: int) -> list[Values]:
        return [list(column) for column in zip(*rows, strict=True)] if rows else [[]] * size

    return _sized(op, t, transpose, _outer_size(op))


def _slide(op: pattern.SlideOp, t: Translator) -> Step:
    def slide(values: Values, size: int, step: int) -> list[Values]:
        if len(values) - size + step < 0:
            raise ValueError(f"a window of {size} elements is larger than {len(values)} elements")
        return [values[i : i + size] for i in range(0, len(values) - size + 1, step)]

    return _sized(op, t, slide, op.size, op.step)


def _pad(op: pattern.PadOp, t: Translator) -> Step:
    source, target = t.slot(op.input), t.slot(op.result)
    fill = None if op.value is None else t.slot(op.value)
    left, right = _size(op.left), _size(op.right)
    index = _PADDED[op.mode.data]

    def step(frame: Frame) -> None:
        values = frame[source]
        if not values and fill is None and left(frame) + right(frame):
            raise run_error(op, frame[0], f"no elements to pad with ({op.mode.data})")
        outside = None if fill is None else frame[fill]
        places = [index(i, len(values)) for i in range(-left(frame), len(values) + right(frame))]
        frame[target] = [outside if place is None else values[place] for place in places]

    return step


def _mirrored(i: int, n: int) -> int:
    i %= 2 * n
    return i if i < n else 2 * n - 1 - i


_PADDED: dict[str, Callable[[int, int], int | None]] = {
    "clamp": lambda i, n: min(max(i, 0), n - 1),
    "mirror": _mirrored,
    "wrap": lambda i, n: i % n,
    "constant": lambda i, n: i if 0 <= i < n else None,
}
"""For each mode the source of the element at index i of the padded array."""


def _index(op: Operation, index_type: Attribute) -> Callable[[Frame, Values, int], int]:
    """The place of an element, with a check."""
    read = signed(width_of(index_type))

    def index(frame: Frame, values: Values, index: int) -> int:
        place = read(index)
        if not 0 <= place < len(values):
            message = f"index {place} is outside of the array of {len(values)} elements"
            raise run_error(op, frame[0], message)
        return place

    return index


def _element(op: Operation, index_type: Attribute) -> Callable[[Frame, Values, int], Any]:
    """Reads one element, with a check."""
    place = _index(op, index_type)
    return lambda frame, values, index: values[place(frame, values, index)]


def _at(op: pattern.AtOp, t: Translator) -> Step:
    source, index, target = t.slot(op.input), t.slot(op.index), t.slot(op.result)
    element = _element(op, op.index.type)

    def step(frame: Frame) -> None:
        frame[target] = element(frame, frame[source], frame[index])

    return step


def _gather(op: pattern.GatherOp, t: Translator) -> Step:
    source, indices, target = t.slot(op.input), t.slot(op.indices), t.slot(op.result)
    assert isinstance(op.indices.type, pattern.ArrayType)
    element = _element(op, op.indices.type.element_type)

    def step(frame: Frame) -> None:
        values = frame[source]
        frame[target] = [element(frame, values, index) for index in frame[indices]]

    return step


def _scatter(op: pattern.ScatterOp, t: Translator) -> Step:
    source, indices, init = t.slots([op.input, op.indices, op.init])
    target = t.slot(op.result)
    assert isinstance(op.indices.type, pattern.ArrayType)
    read = _index(op, op.indices.type.element_type)
    function = _function(t, op.body, op.argument_groups)

    def step(frame: Frame) -> None:
        results = list(frame[init])
        for element, index in zip(frame[source], frame[indices], strict=True):
            place = read(frame, results, index)
            results[place] = function(frame, results[place], element)
        frame[target] = results

    return step


def _filter(op: pattern.FilterOp, t: Translator) -> Step:
    source, target, number = t.slot(op.input), t.slot(op.result), t.slot(op.count)
    function = _function(t, op.body, op.argument_groups)

    def step(frame: Frame) -> None:
        values = frame[source]
        holds = [bool(function(frame, value)) for value in values]
        frame[target] = [v for v, yes in zip(values, holds, strict=True) if yes] + [
            v for v, yes in zip(values, holds, strict=True) if not yes
        ]
        frame[number] = [sum(holds)]

    return step


def _sort(op: pattern.SortOp, t: Translator) -> Step:
    source, target = t.slot(op.input), t.slot(op.result)
    before = _function(t, op.body, op.argument_groups)

    def step(frame: Frame) -> None:
        def compare(a: Any, b: Any) -> int:
            return -1 if before(frame, a, b) else int(bool(before(frame, b, a)))

        frame[target] = sorted(frame[source], key=cmp_to_key(compare))

    return step


def _tuple(op: pattern.TupleOp, t: Translator) -> Step:
    return whole(op, t, lambda *values: values)


def _get(op: pattern.GetOp, t: Translator) -> Step:
    part = op.part
    return whole(op, t, lambda values: values[part])


# ---- vectors ----


def _innermost(value: Values, depth: int, change: Callable[[Values], Values]) -> Values:
    """`change` of the innermost of `depth` nested arrays."""
    if depth == 1:
        return change(value)
    return [_innermost(row, depth - 1, change) for row in value]


def _depth(type: Attribute) -> int:
    return 1 + _depth(type.element_type) if isinstance(type, pattern.ArrayType) else 0


def _as_vector(op: pattern.AsVectorOp, t: Translator) -> Step:
    depth, n = _depth(op.input.type), op.width
    is_tuple = isinstance(innermost(op.result.type), TupleType)

    def vectors(values: Values) -> Values:
        chunks = _chunks(values, n)
        if is_tuple:
            return [tuple(zip(*chunk, strict=True)) for chunk in chunks]
        return [tuple(chunk) for chunk in chunks]

    return whole(op, t, lambda values: _innermost(values, depth, vectors))


def _as_scalar(op: pattern.AsScalarOp, t: Translator) -> Step:
    depth = _depth(op.input.type)
    is_tuple = isinstance(innermost(op.result.type), TupleType)

    def scalars(values: Values) -> Values:
        if is_tuple:
            return [parts for vectors in values for parts in zip(*vectors, strict=True)]
        return [scalar for vector in values for scalar in vector]

    return whole(op, t, lambda values: _innermost(values, depth, scalars))


OPERATIONS: dict[type[Operation], OpHandler] = {
    pattern.MapOp: _map,
    pattern.MapWorkgroupOp: _map,
    pattern.MapLocalOp: _map,
    pattern.MapGlobalOp: _map,
    pattern.MapSeqOp: _map,
    pattern.ReduceOp: _reduce,
    pattern.ReduceSeqOp: _reduce,
    pattern.PartRedOp: _part_red,
    pattern.ScanOp: _scan,
    pattern.ScatterOp: _scatter,
    pattern.FilterOp: _filter,
    pattern.SortOp: _sort,
    pattern.IterateOp: _iterate,
    pattern.GenerateOp: _generate,
    pattern.VectOp: _vect,
    pattern.ZipOp: _zip,
    pattern.UnzipOp: _unzip,
    pattern.SplitOp: _split,
    pattern.JoinOp: _join,
    pattern.TakeOp: _take,
    pattern.DropOp: _drop,
    pattern.MmaOp: _mma,
    pattern.ReorderOp: _same,
    pattern.ReorderStrideOp: _reorder_stride,
    pattern.TransposeOp: _transpose,
    pattern.SlideOp: _slide,
    pattern.PadOp: _pad,
    pattern.AtOp: _at,
    pattern.GatherOp: _gather,
    pattern.TupleOp: _tuple,
    pattern.GetOp: _get,
    pattern.ToLocalOp: _same,
    pattern.ToGlobalOp: _same,
    pattern.ToPrivateOp: _same,
    pattern.AsVectorOp: _as_vector,
    pattern.AsScalarOp: _as_scalar,
}

TERMINATORS: dict[type[Operation], EndHandler] = {pattern.YieldOp: values_of}
