"""Pointers, loads and stores."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float16Type, VectorType, f16, f32, f64
from xdsl.ir import SSAValue

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c import write_conversions as conversions
from polycl.backends.opencl_c.c_types import BOOL, INT, LONG, Number, identifier, is_number
from polycl.backends.opencl_c.text import (
    Expr,
    Pointer,
    as_pointer,
    assignment,
    binary,
    reads_of,
    swizzle,
)
from polycl.backends.opencl_c.write_arithmetic import null
from polycl.backends.opencl_c.writer import Expressions, Statements, Writer
from polycl.dialects import ocl, vec
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import align_of
from polycl.dialects.vec import count_of
from polycl.errors import error_at

EXPRESSIONS = Expressions()
STATEMENTS = Statements()


def pointer(w: Writer, value: SSAValue) -> Pointer:
    found = w.expression(value)
    assert isinstance(found, Pointer)
    return found


def place(at: Pointer, index: Expr | None = None) -> Expr:
    """The object that `at` points to, or the one `index` objects further."""
    if index is not None and index.literal == 0:
        index = None
    if at.lanes:
        lane = 0 if index is None else index.literal
        if lane is not None and 0 <= lane < at.lanes:
            return Expr(f"{at.vector}{swizzle([lane], at.lanes)[1:]}", reads=at.reads)
    if at.place:
        if index is None:
            return Expr(at.place, reads=at.reads)
        return _element(f"(&{at.place})", at, index)
    assert at.base is not None
    base, offset = at.base, at.offset
    if offset is not None and index is not None:
        wide = 64 in (offset.number.width, index.number.width)
        if not (wide or (offset.literal is not None and index.literal is not None)):
            # The sum of two ints could overflow.
            return _element(f"({at.text})", at, index)
        index = binary("+", text.SUM, offset, index, LONG)
    else:
        index = index or offset
    if index is not None:
        return _element(base.at(text.ATOM), base, index)
    if at.decays:
        return Expr(f"{base.at(text.ATOM)}[0]", reads=base.reads)
    return text.unary("*", base, None)


def _element(array: str, pointer: Expr, index: Expr) -> Expr:
    return Expr(f"{array}[{index.text}]", reads=reads_of(pointer, index))


def address(of: Expr) -> Pointer:
    """The address of an object."""
    return Pointer(f"&{of.text}", None, text.UNARY, of.reads, place=of.at(text.ATOM))


def _index(w: Writer, op: ocl.LoadOp | ocl.StoreOp) -> Expr | None:
    return None if op.index is None else w.expression(op.index)


def _volatile(w: Writer, op: ocl.LoadOp | ocl.StoreOp) -> Pointer:
    """The pointer of a load or store, cast to volatile where the access is volatile."""
    at = pointer(w, op.pointer)
    if op.volatile is None:
        return at
    type = w.pointer_type(op.pointer, volatile=True)
    return as_pointer(Expr(f"({type})({at.text})", None, text.UNARY, at.reads))


@EXPRESSIONS.of(ocl.LoadOp)
def _load(w: Writer, op: ocl.LoadOp) -> Expr:
    if isinstance(op.result.type, Float16Type) and _is_extended(op.result):
        index = _index(w, op) or text.integer(0, INT)
        return w.call("vload_half", index, pointer(w, op.pointer), type=Number("float"))
    found = place(_volatile(w, op), _index(w, op))
    return _value(w, op.result, found, w.shared.signs.of(op.pointer))


def _value(w: Writer, result: SSAValue, found: Expr, unsigned: bool) -> Expr:
    if isinstance(result.type, ocl.PtrType):
        return as_pointer(found)
    if not is_number(result.type):
        return found
    type = w.number(result.type, unsigned, result)
    return Expr(found.text, type, found.level, found.reads)


def _is_extended(value: SSAValue) -> bool:
    """Whether a half is used as a float only, which all devices support."""
    return all(
        isinstance(use.operation, vec.AnyExtF) and vec.element_of(use.operation.result.type) == f32
        for use in value.uses
    )


@EXPRESSIONS.of(arith.ExtFOp)
def _extended(w: Writer, op: vec.AnyExtF) -> Expr:
    """`vload_half` has extended a half that is in memory."""
    if isinstance(op.input.owner, ocl.LoadOp | ocl.VLoadOp) and _is_extended(op.input):
        return w.expression(op.input)
    return conversions.EXPRESSIONS[arith.ExtFOp](w, op)


def _stored_half(w: Writer, value: SSAValue) -> tuple[Expr, str] | None:
    """The float that a stored half is rounded from, and the suffix of the rounding."""
    owner = value.owner
    if vec.element_of(value.type) != f16 or not w.folding.is_folded(value):
        return None
    match owner:
        case vec.TruncFOp() | arith.TruncFOp():
            source, suffix = owner.input, ""
        case ocl.ConvertOp():
            source = owner.source
            suffix = "" if owner.rounding is None else f"_{owner.rounding.data.value}"
        case _:
            return None
    return (w.expression(source), suffix) if vec.element_of(source.type) in (f32, f64) else None


@STATEMENTS.of(ocl.StoreOp)
def _store(w: Writer, op: ocl.StoreOp) -> None:
    half = _stored_half(w, op.value)
    if half is not None:
        index = _index(w, op) or text.integer(0, INT)
        w.call_line(f"vstore_half{half[1]}", half[0], index, pointer(w, op.pointer))
        return
    target = place(_volatile(w, op), _index(w, op))
    value = stored_value(w, op.value, w.shared.signs.of(op.pointer))
    w.line(f"{target.text} = {value.text};" if op.volatile else assignment(target.text, value))


def stored_value(w: Writer, value: SSAValue, unsigned: bool) -> Expr:
    """`value` for an assignment to memory whose integers have the given sign."""
    found = w.expression(value)
    if found.type is None or not is_number(value.type):
        return found
    return w.fitting(found, w.number(value.type, unsigned, value))


@EXPRESSIONS.of(ocl.OffsetOp)
def _offset(w: Writer, op: ocl.OffsetOp) -> Pointer:
    at, index = pointer(w, op.pointer), w.expression(op.index)
    if at.place or at.offset is not None:
        return address(place(at, index))
    assert at.base is not None
    found = binary("+", text.SUM, at.base, index, LONG)
    return Pointer(found.text, None, text.SUM, found.reads, base=at.base, offset=index)


@EXPRESSIONS.of(ocl.MemberOp)
def _member(w: Writer, op: ocl.MemberOp) -> Pointer:
    at = pointer(w, op.pointer)
    return address(Expr(f"{_inside(at)}{identifier(op.field.data)}", reads=at.reads))


def _inside(at: Pointer) -> str:
    """The prefix of a part of the object that `at` points to: `p->` or `x.`."""
    if not at.place and at.offset is None and not at.decays and at.base is not None:
        return f"{at.base.at(text.ATOM)}->"
    return f"{place(at).at(text.ATOM)}."


@EXPRESSIONS.of(ocl.CastOp)
def _cast(w: Writer, op: ocl.CastOp) -> Pointer:
    at = pointer(w, op.pointer)
    source, target = op.pointer.type, op.result.type
    assert isinstance(source, ocl.PtrType)
    assert isinstance(target, ocl.PtrType)
    alike = w.shared.signs.of(op.pointer) == w.shared.signs.of(op.result)
    if source.space == target.space and isinstance(source.pointee, ocl.ArrayType):
        if source.pointee.element == target.pointee and alike:
            # An array decays to the address of its first element.
            return replace(as_pointer(place(at)), decays=True)
    if source == target and alike:
        return at
    elements = as_pointer(text.unary(f"({w.pointer_type(op.result)})", at, None))
    vector = source.pointee
    if isinstance(vector, VectorType) and vector.element_type == target.pointee and alike:
        return replace(elements, vector=_inside(at), lanes=vector.element_count())
    return elements


def _accessed_as(memory: SSAValue) -> int:
    """The largest alignment of the types by which `memory` is accessed, vectors for example."""
    users = [use.operation for use in memory.uses]
    views = [op.result for op in users if isinstance(op, ocl.CastOp | ocl.OffsetOp)]
    return max([align_of(ocl.pointee_of(memory)), *map(_accessed_as, views)])


@STATEMENTS.of(ocl.AllocaOp, ocl.LocalAllocOp)
def _alloca(w: Writer, op: ocl.AllocaOp | ocl.LocalAllocOp) -> None:
    space = "local" if ocl.space_of(op.result) is AddressSpace.LOCAL else ""
    name = w.name(w.name_for(op.result))
    pointee = ocl.pointee_of(op.result)
    declared = w.shared.types.declare(pointee, w.shared.signs.of(op.result), name, space)
    alignment = _accessed_as(op.result)
    if alignment > align_of(pointee):
        declared += f" __attribute__((aligned({alignment})))"
    w.line(f"{declared};")
    w.bind_expression(op.result, address(Expr(name, reads=frozenset({name}))))


@EXPRESSIONS.of(ocl.AddressOfOp)
def _address_of(w: Writer, op: ocl.AddressOfOp) -> Pointer:
    return address(Expr(identifier(op.symbol.root_reference.data)))


@EXPRESSIONS.of(ocl.VLoadOp)
def _vload(w: Writer, op: ocl.VLoadOp) -> Expr:
    type = w.number(op.result.type, w.shared.signs.of(op.pointer), op.result)
    at, index = pointer(w, op.pointer), w.expression(op.index)
    if type.name == "half":
        if not _is_extended(op.result):
            w.shared.extensions.add("cl_khr_fp16")
        else:
            found = Number("float", type.lanes)
            return w.call(f"vload_half{type.lanes}", index, at, type=found)
    return w.call(f"vload{type.lanes}", index, at, type=type)


@STATEMENTS.of(ocl.VStoreOp)
def _vstore(w: Writer, op: ocl.VStoreOp) -> None:
    at, index = pointer(w, op.pointer), w.expression(op.index)
    lanes = count_of(op.value.type)
    half = _stored_half(w, op.value)
    if half is not None:
        w.call_line(f"vstore_half{lanes}{half[1]}", half[0], index, at)
    else:
        type = w.number(op.value.type, w.shared.signs.of(op.pointer), op.value)
        w.call_line(f"vstore{lanes}", w.exactly(op.value, type), index, at)


@EXPRESSIONS.of(ocl.NullOp)
def _null(w: Writer, op: ocl.NullOp) -> Expr:
    return null(w, op.result)


@EXPRESSIONS.of(ocl.NullEventOp)
def _null_event(w: Writer, op: ocl.NullEventOp) -> Expr:
    return Expr("0")


@EXPRESSIONS.of(ocl.PtrToIntOp)
def _to_integer(w: Writer, op: ocl.PtrToIntOp) -> Expr:
    type = w.type_of(op.result)
    return text.unary(f"({type})", w.expression(op.pointer), type)


@EXPRESSIONS.of(ocl.IsInOp)
def _is_in(w: Writer, op: ocl.IsInOp) -> Expr:
    found = w.call(f"to_{op.space.value}", w.expression(op.pointer))
    return binary("!=", text.EQUAL, found, Expr("0"), BOOL)


@EXPRESSIONS.of(ocl.IntToPtrOp)
def _from_integer(w: Writer, op: ocl.IntToPtrOp) -> Pointer:
    return as_pointer(text.unary(f"({w.pointer_type(op.result)})", w.expression(op.address), None))


@EXPRESSIONS.of(ocl.ExtractOp)
def _extract(w: Writer, op: ocl.ExtractOp) -> Expr:
    found = w.expression(op.struct)
    indices = "".join(f"[{place}]" for place in op.indices)
    name = identifier(op.field.data)
    field = Expr(f"{found.at(text.ATOM)}.{name}{indices}", reads=found.reads)
    return _value(w, op.result, field, w.shared.signs.of(op.result))


@STATEMENTS.of(ocl.InsertOp)
def _insert(w: Writer, op: ocl.InsertOp) -> None:
    if isinstance(op.result.type, ocl.UnionType):
        raise error_at(op, "a union is not a value")
    w.copies([op.result], [op.struct])
    target = w.expression(op.result).text
    record = op.struct.type
    assert isinstance(record, ocl.StructType)
    unsigned = w.shared.signs.of_field(record, op.field.data)
    value = stored_value(w, op.value, unsigned)
    w.line(assignment(f"{target}.{identifier(op.field.data)}", value))


@STATEMENTS.of(ocl.PrefetchOp)
def _prefetch(w: Writer, op: ocl.PrefetchOp) -> None:
    w.call_line("prefetch", w.expression(op.pointer), w.expression(op.count))
