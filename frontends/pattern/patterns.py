"""The patterns, each a function that builds an operation.

Sizes and functions come first, the array last; without the array a pattern is a function of it.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType, i1
from xdsl.ir import Attribute, Region, SSAValue

from polycl.dialects import pattern as ir
from polycl.dialects.pattern.lambdas import yielded_type
from polycl.dialects.pattern.types import nats_in, parts_of, scalar_of, width_of
from polycl.frontends.pattern.arithmetic import as_index
from polycl.frontends.pattern.flags import is_associative
from polycl.frontends.pattern.functions import (
    MISSING,
    Pattern,
    as_parts,
    as_value,
    body_of,
)
from polycl.frontends.pattern.sizes import SizeLike
from polycl.frontends.pattern.trace import add, check_sizes, current, emit, fail, size_here
from polycl.frontends.pattern.types import type_text
from polycl.frontends.pattern.values import Number, Value, array_of, numeric_like, result

Function: TypeAlias = (
    Callable[[Value], Any]
    | Callable[[Value, Value], Any]
    | Callable[[Value, Value, Value], Any]
    | Callable[[Value, Value, Value, Value], Any]
    | Callable[[Value, Value, Value, Value, Value], Any]
    | Callable[[Value, Value, Value, Value, Value, Value], Any]
)
"""A function of the user: of values, with a value or a tuple as the result."""


def _element(x: Value) -> Attribute:
    assert isinstance(x.type, ir.ArrayType)
    return x.type.element_type


def _map(kind: type[ir.MapBase], f: Function, x: Value, **options: Any) -> Value:
    what = kind.name.removeprefix("pattern.")
    array = array_of(x, what)
    body, attributes = body_of(what, f, [_element(array)])
    return result(emit(kind, array.ssa, body, attributes=attributes, **options))


@Pattern
def map(f: Function, x: Value = MISSING) -> Value:
    """f of every element: `T[n] -> U[n]` with a function `T -> U`. A function of several parameters
    takes a tuple apart.
    """
    return _map(ir.MapOp, f, x)


@Pattern
def map_workgroup(f: Function, x: Value = MISSING, *, dim: int = 0) -> Value:
    """`map-workgroup(f)`: each work-group applies f to other elements."""
    return _map(ir.MapWorkgroupOp, f, x, dim=dim)


@Pattern
def map_local(f: Function, x: Value = MISSING, *, dim: int = 0) -> Value:
    """`map-local(f)`: each work-item of a group applies f to other elements."""
    return _map(ir.MapLocalOp, f, x, dim=dim)


@Pattern
def map_global(f: Function, x: Value = MISSING, *, dim: int = 0) -> Value:
    """`map-global(f)`: each work-item applies f to other elements."""
    return _map(ir.MapGlobalOp, f, x, dim=dim)


@Pattern
def map_seq(f: Function, x: Value = MISSING, *, unroll: bool = False) -> Value:
    """`map-seq(f)`: a loop of one work-item."""
    return _map(ir.MapSeqOp, f, x, unroll=unroll)


def _reduction(
    what: str, f: Function, init: Any, x: Value
) -> tuple[SSAValue, SSAValue, Region, dict[str, Attribute]]:
    """The operands of a reduction, its function and attributes. Raises SourceError."""
    array = array_of(x, what)
    element = _element(array)
    if isinstance(init, tuple):
        # Of another number of accumulators than the elements have parts, numbers of Python are
        # of the type of the elements.
        parts = parts_of(element)
        types = parts if len(init) == len(parts) else [element] * len(init)
        pairs = builtins.zip(init, types, strict=True)
        start = Value(None, [as_value(part, f, type) for part, type in pairs])
    else:
        start = init if isinstance(init, Value) else numeric_like(init, element)
    types = [start.type, element]
    if what != "reduce_seq" and start.type != element:
        raise fail(
            f"{what}: the initial value has the type {type_text(start.type)}, the elements have "
            f"the type {type_text(element)}; expected one type: convert it, or write reduce_seq, "
            "whose function takes another type of accumulator"
        )
    body, attributes = body_of(what, f, types, start.type)
    found = yielded_type(body)
    if found != start.type:
        raise fail(
            f"{what}: the function returns {type_text(found)}, expected {type_text(start.type)}, "
            "the type of the initial value; convert one of them"
        )
    return array.ssa, start.ssa, body, attributes


def _order(body: Region, assoc: bool | None, comm: bool | None) -> tuple[bool, bool]:
    """Whether f is associative and commutative: as stated, else as its operations tell."""
    known = is_associative(body)
    return known if assoc is None else assoc, known if comm is None else comm


@Pattern
def reduce(
    f: Function,
    init: Any,
    x: Value = MISSING,
    *,
    assoc: bool | None = None,
    comm: bool | None = None,
    neutral: bool = False,
) -> Value:
    """All elements combined by a function `(T, T) -> T`, from left to right: an array of one.

    Rules may combine them in other orders if f is associative (up to the rounding of floats) and
    commutative. Both are known of +, *, min, max, &, | and ^, and stated for others. `neutral`
    states that f(init, x) = x.
    """
    array, start, body, attributes = _reduction("reduce", f, init, x)
    assoc, comm = _order(body, assoc, comm)
    return result(
        emit(
            ir.ReduceOp,
            array,
            start,
            body,
            assoc=assoc,
            comm=comm,
            neutral=neutral,
            attributes=attributes,
        )
    )


@Pattern
def scan(
    f: Function,
    init: Any,
    x: Value = MISSING,
    *,
    exclusive: bool = False,
    assoc: bool | None = None,
    comm: bool | None = None,
    neutral: bool = False,
) -> Value:
    """The reductions of all beginnings: element i combines init and the elements 0 to i, or with
    `exclusive` those before i. The flags are those of `reduce`.
    """
    array, start, body, attributes = _reduction("scan", f, init, x)
    assoc, comm = _order(body, assoc, comm)
    return result(
        emit(
            ir.ScanOp,
            array,
            start,
            body,
            exclusive=exclusive,
            assoc=assoc,
            comm=comm,
            neutral=neutral,
            attributes=attributes,
        )
    )


@Pattern
def scatter(
    f: Function,
    indices: Value,
    into: Value,
    x: Value = MISSING,
    *,
    assoc: bool | None = None,
    comm: bool | None = None,
) -> Value:
    """The array `into`, whose element at the index of each element of x is combined with it, in
    order, by a function `(old, new)`. The flags are those of `reduce`.
    """
    elements, places = array_of(x, "scatter"), array_of(indices, "scatter")
    start = array_of(into, "scatter")
    element = _element(start)
    if not isinstance(_element(places), IntegerType | IndexType):
        found = type_text(_element(places))
        raise fail(
            f"scatter: expected indices that are integers, got {found}; convert them: map(i32, ids)"
        )
    if x.shape[0].nat != indices.shape[0].nat:
        raise fail(
            f"scatter: {x.shape[0]} elements have {indices.shape[0]} indices, expected one for "
            "each; take or pad one of them, or give both parameters the same size variable"
        )
    if _element(elements) != element:
        raise fail(
            f"scatter: the elements have the type {type_text(_element(elements))}, those of the "
            f"array that they go into {type_text(element)}; expected one type: convert one of them "
            "by a map"
        )
    body, attributes = body_of("scatter", f, [element, element], element)
    assoc, comm = _order(body, assoc, comm)
    return result(
        emit(
            ir.ScatterOp,
            elements.ssa,
            places.ssa,
            start.ssa,
            body,
            assoc=assoc,
            comm=comm,
            attributes=attributes,
        )
    )


@Pattern
def filter(f: Function, x: Value = MISSING) -> Value:
    """The elements for which f holds, then the others, and an array of the number of the former."""
    array = array_of(x, "filter")
    op = emit(ir.FilterOp, array.ssa, _condition("filter", f, [_element(array)]))
    return Value(None, [Value(op.result), Value(op.count)])


@Pattern
def sort(before: Function, x: Value = MISSING) -> Value:
    """The elements in the order of a function of two: whether the first comes before the second.
    Equal elements keep their order.
    """
    array = array_of(x, "sort")
    body = _condition("sort", before, [_element(array)] * 2)
    return result(emit(ir.SortOp, array.ssa, body))


def _condition(what: str, f: Function, types: list[Attribute]) -> Region:
    body, _ = body_of(what, f, types)
    found = yielded_type(body)
    if found != i1:
        raise fail(
            f"{what}: the function returns {type_text(found)}, expected a truth value, i1; "
            "write a comparison"
        )
    return body


@Pattern
def part_red(
    f: Function,
    init: Any,
    m: SizeLike,
    x: Value = MISSING,
    *,
    assoc: bool | None = None,
    comm: bool | None = None,
    neutral: bool = False,
) -> Value:
    """`part-red(f, init)`: m elements, each the reduction of a chunk. f is associative, and init
    neutral.
    """
    array, start, body, attributes = _reduction("part_red", f, init, x)
    parts = size_here(m)
    if parts.is_constant and parts.value < 1:
        raise fail(f"part_red: expected 1 part or more, got {m}")
    _check_divides("part_red", x.shape[0].nat, parts)
    assoc, comm = _order(body, assoc, comm)
    op = ir.PartRedOp(
        array,
        start,
        body,
        parts,
        assoc=assoc,
        comm=comm,
        neutral=neutral,
        attributes=attributes,
    )
    if op.assoc is None:
        raise fail(
            "part_red: only an associative function can be reduced in parts, and that is not known "
            "of this one; write part_red(..., assoc=True) if it is, else reduce"
        )
    if not ir.is_neutral(op):
        raise fail(
            "part_red: each part starts at the initial value, which must be neutral, "
            "f(init, x) = x; that is not known here: write part_red(..., neutral=True) if it is"
        )
    check_sizes(ir.PartRedOp, [ir.array(op.chunk_size, _element(x))])
    return result(add(op))


@Pattern
def reduce_seq(f: Function, init: Any, x: Value = MISSING, *, unroll: bool = False) -> Value:
    """`reduce-seq(f, init)`: a loop of one work-item, with a function `(U, T) -> U`."""
    array, start, body, attributes = _reduction("reduce_seq", f, init, x)
    return result(emit(ir.ReduceSeqOp, array, start, body, unroll=unroll, attributes=attributes))


def zip(*arrays: Value) -> Value:
    """Arrays of one size as an array of tuples."""
    if len(arrays) == 1 and arrays[0].is_tuple:
        arrays = arrays[0].parts
    found = [array_of(x, "zip").ssa for x in arrays]
    remedy = "take or pad one of them, or give both parameters the same size variable"
    if len(found) < 2:
        remedy = "write zip(x, y)"
    return result(emit(ir.ZipOp, *found, remedy=remedy))


@Pattern
def unzip(x: Value = MISSING) -> Value:
    """An array of tuples as a tuple of arrays."""
    op = emit(ir.UnzipOp, array_of(x, "unzip").ssa)
    return Value(None, [Value(output) for output in op.outputs])


@Pattern
def split(n: SizeLike, x: Value = MISSING) -> Value:
    """The outermost dimension in rows of n elements, which divides its size."""
    array, size = array_of(x, "split"), size_here(n)
    _check_divides("split", x.shape[0].nat, size)
    return result(emit(ir.SplitOp, array.ssa, size, remedy=_DIVIDE))


def _check_divides(what: str, size: ir.NatAttr, n: ir.NatAttr) -> None:
    """Check numbers; `emit` checks other sizes. Raises SourceError."""
    part = size.quotient(n)
    if part is not None and part.is_constant and part.denominator != 1:
        raise fail(f"{what}: {n} does not divide the size {size}; {_DIVIDE}")


_DIVIDE = "choose a divisor, or take or pad the array to a multiple"


@Pattern
def join(x: Value = MISSING) -> Value:
    """The two outermost dimensions as one."""
    return result(emit(ir.JoinOp, array_of(x, "join").ssa))


@Pattern
def transpose(x: Value = MISSING) -> Value:
    """Rows as columns."""
    return result(emit(ir.TransposeOp, array_of(x, "transpose").ssa))


@Pattern
def slide(size: SizeLike, x: Value = MISSING, *, step: SizeLike = 1) -> Value:
    """Windows of `size` elements, each `step` elements after the previous one."""
    array = array_of(x, "slide").ssa
    return result(emit(ir.SlideOp, array, size_here(size), size_here(step)))


@Pattern
def pad(
    left: SizeLike,
    right: SizeLike,
    x: Value = MISSING,
    *,
    mode: Literal["clamp", "mirror", "wrap", "constant"] = "clamp",
    value: Number | None = None,
) -> Value:
    """Elements before and after: the nearest (`clamp`), those at the edge in reverse (`mirror`),
    those at the other edge (`wrap`), or `value` (`constant`, which it implies).
    """
    array = array_of(x, "pad")
    if value is not None:
        mode = "constant"
    padding = None if value is None else numeric_like(value, _element(array)).ssa
    remedy = "write pad(l, r, value=0.0) for a constant, take or drop for fewer elements"
    return result(
        emit(
            ir.PadOp,
            array.ssa,
            size_here(left),
            size_here(right),
            mode,
            padding,
            remedy=remedy,
        )
    )


@Pattern
def take(n: SizeLike, x: Value = MISSING) -> Value:
    """The first n elements."""
    return result(emit(ir.TakeOp, array_of(x, "take").ssa, size_here(n), remedy=_AS_A_SUM))


@Pattern
def drop(n: SizeLike, x: Value = MISSING) -> Value:
    """All but the first n elements."""
    return result(emit(ir.DropOp, array_of(x, "drop").ssa, size_here(n), remedy=_AS_A_SUM))


_AS_A_SUM = "an array that has them for all sizes is, say, Array[f32, N + 1]"


@Pattern
def reorder(x: Value = MISSING) -> Value:
    """The same elements in an order that rules may choose."""
    return result(emit(ir.ReorderOp, array_of(x, "reorder").ssa))


@Pattern
def reorder_stride(s: SizeLike, x: Value = MISSING) -> Value:
    """`reorder-stride-s`: out[i] = in[i / n + s * (i mod n)], of n * s elements."""
    array, stride = array_of(x, "reorder_stride"), size_here(s)
    _check_divides("reorder_stride", x.shape[0].nat, stride)
    return result(emit(ir.ReorderStrideOp, array.ssa, stride, remedy=_DIVIDE))


@Pattern
def gather(x: Value, indices: Value = MISSING) -> Value:
    """The elements at the indices in another array."""
    array, places = array_of(x, "gather"), array_of(indices, "gather")
    return result(emit(ir.GatherOp, array.ssa, places.ssa, remedy="convert them: map(i32, ids)"))


@Pattern
def at(i: Number, x: Value = MISSING) -> Value:
    """One element, as x[i]."""
    array = array_of(x, "at")
    return result(emit(ir.AtOp, array.ssa, as_index(i, x.shape[0].nat).ssa))


def generate(n: SizeLike, f: Function) -> Value:
    """An array of n elements that are a function of their index."""
    body, _ = body_of("generate", f, [IndexType()])
    return result(emit(ir.GenerateOp, size_here(n), body))


def tuple_of(*values: Value) -> Value:
    """Values as one tuple. A Python tuple of values is one, too."""
    if len(values) < 2:
        raise fail(f"tuple_of: expected two values or more, got {len(values)}")
    return Value(None, as_parts(values))


@Pattern
def get(number: int, x: Value = MISSING) -> Value:
    """A part of a tuple, as x[number]; of an array of tuples the array of that part."""
    if isinstance(x, Value) and isinstance(x.type, ir.ArrayType):
        return unzip(x)[number]
    return x[number]


@Pattern
def iterate(n: SizeLike, f: Function, x: Value = MISSING) -> Value:
    """f applied n times. It keeps the type of its array, or makes the array k times smaller.

    A function that keeps the type may take the number of the iteration, from 0, too, and n may be
    a size.
    """
    array = array_of(x, "iterate")
    assert isinstance(array.type, ir.ArrayType)
    count = size_here(n)
    if count.is_constant and (count.denominator != 1 or count.value < 0):
        raise fail(f"iterate: expected a number of iterations, got {n!r}")
    types = [array.type, IndexType()] if _takes_number(f) else [array.type]
    body, attributes = body_of("iterate", f, types)
    found = yielded_type(body)
    if found == array.type:
        return result(emit(ir.IterateOp, array.ssa, count, body, attributes=attributes))
    if len(types) > 1 or not count.is_constant:
        raise fail(
            f"iterate: the function returns {type_text(found)} for {type_text(array.type)}; "
            "expected the same type, as the number of iterations is a size or the function takes "
            "the number of the iteration"
        )
    same_elements = isinstance(found, ir.ArrayType) and found.element_type == _element(array)
    factor = array.type.size.quotient(found.size) if isinstance(found, ir.ArrayType) else None
    if not same_elements or factor is None or not factor.is_constant or factor.denominator != 1:
        raise fail(
            f"iterate: the function returns {type_text(found)} for {type_text(array.type)}; "
            "expected the same type, or one of the same elements, and a number of times fewer"
        )
    # The function is built again, for k*S elements with a size variable S of its own.
    symbol = _new_variable()
    argument = ir.ArrayType(ir.nat(symbol) * factor, array.type.element_type)
    body, attributes = body_of("iterate", f, [argument])
    remedy = f"the size must be a multiple of {factor}^{count}"
    return result(
        emit(ir.IterateOp, array.ssa, count, body, symbol, attributes=attributes, remedy=remedy)
    )


def _takes_number(f: Function) -> bool:
    """Whether a function of iterations has a second parameter."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in parameters) == 2


def _new_variable() -> str:
    """A size variable that no parameter has, nor an `iterate` around."""
    used: set[str] = set(current().assumptions)
    for block in current().blocks:
        for value in (*block.args, *(r for op in block.ops for r in op.results)):
            used |= {name for size in nats_in(value.type) for name in size.variables}
    return next(name for name in ("S", *(f"S{i}" for i in range(1, 1000))) if name not in used)


# ---- memory, vectors and fragments ----


@Pattern
def to_local(x: Value = MISSING, *, ahead: int = 0, pad: int = 0, swizzled: bool = False) -> Value:
    """`toLocal(f)`: in the work-group's local memory."""
    array = array_of(x, "to_local").ssa
    return result(emit(ir.ToLocalOp, array, ahead, pad, swizzled=swizzled))


@Pattern
def to_global(x: Value = MISSING) -> Value:
    """`toGlobal(f)`: in global memory."""
    return result(emit(ir.ToGlobalOp, array_of(x, "to_global").ssa))


@Pattern
def to_private(x: Value = MISSING) -> Value:
    """`toPrivate(f)`: in the work-item's own memory."""
    return result(emit(ir.ToPrivateOp, array_of(x, "to_private").ssa))


@Pattern
def as_vector(n: int, x: Value = MISSING) -> Value:
    """`asVector-n`: the innermost dimension as vectors."""
    array = array_of(x, "as_vector")
    _check_divides("as_vector", x.shape[-1].nat, ir.nat(n))
    return result(emit(ir.AsVectorOp, array.ssa, n, remedy=_DIVIDE))


@Pattern
def as_scalar(x: Value = MISSING) -> Value:
    """`asScalar`: vectors of the innermost dimension as scalars."""
    return result(emit(ir.AsScalarOp, array_of(x, "as_scalar").ssa))


@Pattern
def vect(f: Function, x: Value = MISSING) -> Value:
    """`vect-n(f)`: a function of scalars on all lanes of a vector, or of a tuple of vectors."""
    vectors = list(x.parts) if isinstance(x, Value) else []
    widths = {width_of(vector.type) for vector in vectors}
    if not vectors or not all(isinstance(v.type, VectorType) for v in vectors) or len(widths) > 1:
        raise fail(f"vect: expected vectors of one width, got {x}; as_vector(n, x) makes them")
    body, attributes = body_of("vect", f, [scalar_of(vector.type) for vector in vectors])
    op = emit(ir.VectOp, [vector.ssa for vector in vectors], body, attributes=attributes)
    outputs = [Value(output) for output in op.outputs]
    return outputs[0] if len(outputs) == 1 else Value(None, outputs)


def mma(a: Value, b: Value, c: Value) -> Value:
    """`mma`: the product of small matrices that is added to a third: tensor cores compute it."""
    operands = [array_of(x, "mma").ssa for x in (a, b, c)]
    return result(emit(ir.MmaOp, *operands))
