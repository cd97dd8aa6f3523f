"""Vectors: literals, elements, swizzles."""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import SSAValue

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import BOOL, INT, Number
from polycl.backends.opencl_c.text import Expr, binary, reads_of, swizzle
from polycl.backends.opencl_c.writer import Expressions, Statements, Writer
from polycl.dialects import ocl
from polycl.dialects.vec import count_of
from polycl.errors import error_at

EXPRESSIONS = Expressions()
STATEMENTS = Statements()


def _is_mask(value: SSAValue) -> bool:
    return isinstance(value.type, VectorType) and value.type.element_type == i1


def _elements(vector: Expr, lanes: list[int]) -> Expr:
    width = vector.number.lanes
    type = vector.number.times(len(lanes))
    if lanes == list(range(width)):
        return vector
    if vector.splat is not None:
        return vector.splat if len(lanes) == 1 else text.splat(vector.splat, type)
    return Expr(f"{vector.at(text.ATOM)}{swizzle(lanes, width)}", type, reads=vector.reads)


@EXPRESSIONS.of(vector.BroadcastOp)
def _broadcast(w: Writer, op: vector.BroadcastOp) -> Expr:
    type = w.type_of(op.vector)
    found = w.expression(op.source)
    if isinstance(op.source.type, VectorType):
        raise error_at(op, "broadcasts a vector; expected a scalar")
    if op.source.type == i1:
        minus, zero = text.integer(-1, type.element), text.integer(0, type.element)
        return text.splat(text.choice(found, minus, zero, type.element), type)
    return text.splat(w.convert(found, type.element), type)


@EXPRESSIONS.of(vector.ExtractOp)
def _extract(w: Writer, op: vector.ExtractOp) -> Expr:
    found = w.expression(op.vector)
    position = _position(op)
    if isinstance(position, int):
        element = _elements(found, [position])
    else:
        exact, type = w.exact(op.vector), w.type_of(op.vector)
        name = f"element_of_{type}"
        w.helper(
            name,
            f"{type.element} {name}({type} v, long i) {{\n"
            f"  union {{ {type} v; {type.element} e[{type.lanes}]; }} u;\n"
            "  u.v = v;\n"
            "  return u.e[i];\n}\n",
        )
        element = w.call(name, exact, w.expression(position), type=type.element)
    if _is_mask(op.vector):
        return binary("!=", text.EQUAL, element, text.integer(0, INT), BOOL)
    return element


def _position(op: vector.ExtractOp | vector.InsertOp) -> int | SSAValue:
    positions = op.get_mixed_position()
    if len(positions) != 1:
        raise error_at(op, "of a vector with several dimensions; OpenCL C's have one")
    return positions[0]


@STATEMENTS.of(vector.InsertOp)
def _insert(w: Writer, op: vector.InsertOp) -> None:
    position = _position(op)
    type = w.type_of(op.result)
    w.copies([op.result], [op.dest])
    target = w.expression(op.result)
    value = w.expression(op.source)
    if _is_mask(op.result):
        value = text.choice(value, text.integer(-1, INT), text.integer(0, INT), type.element)
    elif value.literal is not None:
        value = text.integer(value.literal, type.element)
    if isinstance(position, int):
        w.line(f"{target.text}{swizzle([position], type.lanes)} = {value.text};")
        return
    name = f"with_element_{type}"
    w.helper(
        name,
        f"{type} {name}({type} v, {type.element} x, long i) {{\n"
        f"  union {{ {type} v; {type.element} e[{type.lanes}]; }} u;\n"
        "  u.v = v;\n"
        "  u.e[i] = x;\n"
        "  return u.v;\n}\n",
    )
    exact = w.convert(value, type.element)
    found = w.call(name, target, exact, w.expression(position), type=type)
    w.line(f"{target.text} = {found.text};")


@EXPRESSIONS.of(vector.ShuffleOp)
def _shuffle(w: Writer, op: vector.ShuffleOp) -> Expr:
    type = w.type_of(op.result)
    a, b = (w.convert(w.expression(v), w.type_of(v)) for v in (op.v1, op.v2))
    first = a.number.lanes
    mask = [int(lane) for lane in op.mask.get_values()]
    parts: list[tuple[Expr, list[int]]] = []
    for lane in mask:
        source, lane = (a, lane) if lane < first else (b, lane - first)
        if parts and parts[-1][0] is source:
            parts[-1][1].append(lane)
        else:
            parts.append((source, [lane]))
    pieces: list[Expr] = []
    for source, lanes in parts:
        # A run whose length no vector type has is split into its elements.
        whole = lanes == list(range(source.number.lanes)) or len(lanes) in (1, 2, 3, 4, 8, 16)
        for group in [lanes] if whole else [[lane] for lane in lanes]:
            pieces.append(text.reinterpret(_elements(source, group), type.times(len(group))))
    return pieces[0] if len(pieces) == 1 else _literal(type, pieces)


def _literal(type: Number, pieces: list[Expr]) -> Expr:
    inside = ", ".join(text.typed(piece).text for piece in pieces)
    return Expr(f"({type})({inside})", type, reads=reads_of(*pieces))


@EXPRESSIONS.of(ocl.ConcatOp)
def _concat(w: Writer, op: ocl.ConcatOp) -> Expr:
    type = w.type_of(op.result)
    pieces: list[Expr] = []
    for part in op.parts:
        lanes = count_of(part.type)
        found = w.expression(part)
        wanted = type.times(lanes)
        if lanes == 1 and found.literal is not None:
            found = text.integer(found.literal, type.element)
        elif lanes > 1:
            found = text.reinterpret(found, wanted)
        elif found.number.width > type.width or found.number != wanted:
            found = text.cast(found, type.element)
        pieces.append(found)
    literals = {piece.text for piece in pieces}
    if len(literals) == 1 and all(piece.number.lanes == 1 for piece in pieces):
        if not pieces[0].reads or pieces[0].level == text.ATOM:
            return text.splat(pieces[0], type)
    return _literal(type, pieces)


@EXPRESSIONS.of(ocl.ShuffleOp, ocl.Shuffle2Op)
def _shuffle_at_run_time(w: Writer, op: ocl.ShuffleOp | ocl.Shuffle2Op) -> Expr:
    sources = [op.source] if isinstance(op, ocl.ShuffleOp) else [op.x, op.y]
    type = w.type_of(op.result)
    mask = w.type_of(op.mask).signed(unsigned=True)
    wanted = type.times(w.type_of(sources[0]).lanes)
    selector = w.exactly(op.mask, mask)
    if mask.width != type.width:
        # The elements of the mask must be as wide as those of the sources.
        mask = type.signed(unsigned=True)
        selector = w.call(f"convert_{mask}", selector, type=mask)
    name = "shuffle" if isinstance(op, ocl.ShuffleOp) else "shuffle2"
    values = (w.exactly(source, wanted) for source in sources)
    return w.call(name, *values, selector, type=type)
