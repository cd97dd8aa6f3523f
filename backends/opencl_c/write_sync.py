"""Barriers, atomics, copies by a work-group, images and printf."""

from __future__ import annotations

import json
import re

from xdsl.ir import Operation, SSAValue

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import INT, Number, is_number
from polycl.backends.opencl_c.text import Expr
from polycl.backends.opencl_c.writer import Expressions, Statements, Writer
from polycl.dialects import ocl
from polycl.dialects.ocl import AtomicKind, FenceOrder, ImageField, ImageKind
from polycl.dialects.ocl.kernel import UNSIGNED
from polycl.dialects.ocl.sync import FLOAT_ATOMICS
from polycl.errors import error_at

EXPRESSIONS = Expressions()
STATEMENTS = Statements()


def _flags(op: ocl.BarrierOp | ocl.FenceOp) -> str:
    names = ["CLK_LOCAL_MEM_FENCE"] * (op.local is not None)
    names += ["CLK_GLOBAL_MEM_FENCE"] * (op.global_ is not None)
    return " | ".join(names) or "0"


@STATEMENTS.of(ocl.BarrierOp)
def _barrier(w: Writer, op: ocl.BarrierOp) -> None:
    name = "barrier"
    if op.is_sub_group:
        w.shared.extensions.add("cl_khr_subgroups")
        name = "sub_group_barrier"
    w.line(f"{name}({_flags(op)});")


_FENCES = {
    FenceOrder.ACQUIRE: "read_mem_fence",
    FenceOrder.RELEASE: "write_mem_fence",
    FenceOrder.ACQ_REL: "mem_fence",
}


@STATEMENTS.of(ocl.FenceOp)
def _fence(w: Writer, op: ocl.FenceOp) -> None:
    # A fence of no memory orders nothing.
    if op.local is not None or op.global_ is not None:
        w.line(f"{_FENCES[op.order.data]}({_flags(op)});")


def _word(
    w: Writer, op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, unsigned: bool | None = None
) -> tuple[Expr, Number]:
    """The pointer of an atomic operation, and the type of its operands."""
    at = op.pointer
    found = w.expression(at)
    signed = w.shared.signs.of(at)
    type = w.number(ocl.pointee_of(at), signed, at)
    if type.width < 32:
        raise error_at(op, f"OpenCL C has no atomics on {type}")
    if type.width == 64:
        w.shared.extensions |= {"cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"}
    if unsigned is not None and unsigned != signed:
        type = type.signed(unsigned)
        found = text.unary(
            f"({w.shared.types.pointer(ocl.pointer_type(at), unsigned)})", found, None
        )
    return found, type


@EXPRESSIONS.of(ocl.AtomicRMWOp)
def _atomic(w: Writer, op: ocl.AtomicRMWOp) -> Expr:
    kind = op.kind.data
    is_extreme = kind.value[1:] in ("min", "max") and kind not in FLOAT_ATOMICS
    unsigned = kind.value[0] == "u" if is_extreme else None
    at, type = _word(w, op, unsigned)
    value = w.exactly(op.value, type)
    if kind in FLOAT_ATOMICS or type.name == "double":
        return w.call(_float_atomic(w, op, type), at, value, type=type)
    name = kind.value[1:] if unsigned is not None else kind.value
    if _is_generic(op):
        return w.call(_generic_atomic(w, name, type), at, value, type=type)
    prefix = "atom" if type.width == 64 else "atomic"
    return w.call(f"{prefix}_{name}", at, value, type=type)


def _is_generic(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp) -> bool:
    return ocl.space_of(op.pointer) == ocl.AddressSpace.GENERIC


_RELAXED = "memory_order_relaxed, memory_scope_device"


def _generic_atomic(w: Writer, kind: str, type: Number) -> str:
    """Only the atomics of OpenCL 2.0 take generic pointers, and only to atomic types."""
    name = f"atomic_{kind}_generic_{type}"
    function = "atomic_exchange" if kind == "xchg" else f"atomic_fetch_{kind}"
    w.helper(
        name,
        f"{type} {name}({type} *p, {type} value) {{\n"
        f"  return {function}_explicit((volatile atomic_{type} *)p, value, {_RELAXED});\n}}\n",
    )
    return name


def _generic_compare_exchange(w: Writer, type: Number) -> str:
    name = f"atomic_cmpxchg_generic_{type}"
    w.helper(
        name,
        f"{type} {name}({type} *p, {type} expected, {type} desired) {{\n"
        f"  atomic_compare_exchange_strong_explicit((volatile atomic_{type} *)p, &expected, "
        f"desired, memory_order_relaxed, {_RELAXED});\n"
        "  return expected;\n}\n",
    )
    return name


_NEW_FLOATS = {
    AtomicKind.FADD: "old + value",
    AtomicKind.FMIN: "fmin(old, value)",
    AtomicKind.FMAX: "fmax(old, value)",
}


def _float_atomic(w: Writer, op: ocl.AtomicRMWOp, type: Number) -> str:
    """OpenCL 1.2 has no atomics for floats except an exchange: a loop of compare and exchange."""
    space = w.shared.types.space(ocl.space_of(op.pointer))
    kind = op.kind.data.value.removeprefix("f")
    bits, prefix = ("ulong", "atom") if type.width == 64 else ("uint", "atomic")
    compare_exchange, pointer = f"{prefix}_cmpxchg", f"volatile {space} {bits} *"
    if _is_generic(op):
        compare_exchange, pointer = _generic_compare_exchange(w, Number(bits)), f"{bits} *"
    new = _NEW_FLOATS.get(op.kind.data, "value")
    name = f"atomic_{kind}_{space}_{type}".replace("__", "_")
    w.helper(
        name,
        f"{type} {name}({space} {type} *p, {type} value) {{\n"
        f"  {type} old, seen = *(volatile {space} {type} *)p;\n"
        "  do {\n"
        "    old = seen;\n"
        f"    seen = as_{type}({compare_exchange}(({pointer})p, as_{bits}(old), "
        f"as_{bits}({new})));\n"
        f"  }} while (as_{bits}(seen) != as_{bits}(old));\n"
        "  return old;\n}\n",
    )
    return name


@EXPRESSIONS.of(ocl.AtomicCmpXchgOp)
def _compare_exchange(w: Writer, op: ocl.AtomicCmpXchgOp) -> Expr:
    at, type = _word(w, op)
    expected, desired = w.exactly(op.expected, type), w.exactly(op.desired, type)
    if _is_generic(op):
        return w.call(_generic_compare_exchange(w, type), at, expected, desired, type=type)
    prefix = "atom" if type.width == 64 else "atomic"
    return w.call(f"{prefix}_cmpxchg", at, expected, desired, type=type)


@EXPRESSIONS.of(ocl.AsyncCopyOp)
def _async_copy(w: Writer, op: ocl.AsyncCopyOp) -> Expr:
    arguments = [w.expression(v) for v in (op.target, op.source, op.count)]
    name = "async_work_group_copy"
    if op.stride is not None:
        name = "async_work_group_strided_copy"
        arguments.append(w.expression(op.stride))
    return w.call(name, *arguments, w.expression(op.event))


@STATEMENTS.of(ocl.WaitEventsOp)
def _wait(w: Writer, op: ocl.WaitEventsOp) -> None:
    w.call_line("wait_group_events", w.expression(op.count), w.expression(op.events))


_SPECIFIER = re.compile(r"%[-+ #0]*\d*(?:\.\d*)?(v\d+)?(hh|hl|h|l)?([a-zA-Z%])")


@EXPRESSIONS.of(ocl.PrintfOp)
def _printf(w: Writer, op: ocl.PrintfOp) -> Expr:
    """Each argument has the type that the format specifies."""
    specifiers = [m for m in _SPECIFIER.finditer(op.format.data) if m[3] != "%"]
    arguments: list[Expr] = []
    for index, value in enumerate(op.arguments):
        code = specifiers[index][3] if index < len(specifiers) else ""
        if not is_number(value.type):
            arguments.append(w.expression(value))
            continue
        type = w.type_of(value)
        if not type.is_float and type.name != "bool":
            type = type.signed(code in "ouxX" or (code not in "dic" and type.is_unsigned))
        arguments.append(w.exactly(value, type))
    # For the characters of a string of OpenCL C, JSON has the escapes of C.
    format = json.dumps(op.format.data, ensure_ascii=True)
    format = re.sub(r"\\u00(..)", lambda m: f"\\{int(m[1], 16):03o}", format)
    return w.call("printf", Expr(format), *arguments, type=INT)


_ADDRESSES = {
    0: "CLK_ADDRESS_NONE",
    2: "CLK_ADDRESS_CLAMP_TO_EDGE",
    4: "CLK_ADDRESS_CLAMP",
    6: "CLK_ADDRESS_REPEAT",
    8: "CLK_ADDRESS_MIRRORED_REPEAT",
}


@STATEMENTS.of(ocl.SamplerOp)
def _sampler(w: Writer, op: ocl.SamplerOp) -> None:
    bits = op.bits.value.data
    parts = [
        "CLK_NORMALIZED_COORDS_TRUE" if bits & 1 else "CLK_NORMALIZED_COORDS_FALSE",
        _ADDRESSES.get(bits & 0xE, ""),
        "CLK_FILTER_LINEAR" if bits & 0x20 else "CLK_FILTER_NEAREST",
    ]
    if not parts[1] or bits & ~0x3F:
        raise error_at(op, f"a sampler with the bits {bits:#x} is unknown")
    name = w.name(w.name_for(op.result) if op.result.name_hint else "sampler")
    w.line(f"const sampler_t {name} = {' | '.join(parts)};")
    w.bind_expression(op.result, Expr(name, reads=frozenset({name})))


def _place(w: Writer, at: SSAValue) -> Expr:
    found = w.exact(at)
    return found if found.number.is_float else text.reinterpret(found, found.number.signed())


def _color(w: Writer, op: Operation, color: SSAValue) -> tuple[str, Number]:
    """The suffix of the function that reads or writes a color, and the color's type."""
    type = w.type_of(color)
    if type.is_float:
        return "f", type
    unsigned = UNSIGNED in op.attributes
    return "ui" if unsigned else "i", type.signed(unsigned)


@EXPRESSIONS.of(ocl.ImageReadOp)
def _image_read(w: Writer, op: ocl.ImageReadOp) -> Expr:
    kind, type = _color(w, op, op.result)
    sampler = [] if op.sampler is None else [w.expression(op.sampler)]
    at = _place(w, op.at)
    return w.call(f"read_image{kind}", w.expression(op.image), *sampler, at, type=type)


@STATEMENTS.of(ocl.ImageWriteOp)
def _image_write(w: Writer, op: ocl.ImageWriteOp) -> None:
    kind, type = _color(w, op, op.color)
    place, color = _place(w, op.at), w.exactly(op.color, type)
    w.call_line(f"write_image{kind}", w.expression(op.image), place, color)


@EXPRESSIONS.of(ocl.ImageQueryOp)
def _image_query(w: Writer, op: ocl.ImageQueryOp) -> Expr:
    assert isinstance(op.image.type, ocl.ImageType)
    image = w.expression(op.image)
    kind = op.image.type.kind.of_colours
    is_array = kind in (ImageKind.IMAGE1D_ARRAY, ImageKind.IMAGE2D_ARRAY)
    name = {
        ImageField.WIDTH: "width",
        ImageField.HEIGHT: "height",
        ImageField.CHANNEL_ORDER: "channel_order",
        ImageField.CHANNEL_TYPE: "channel_data_type",
        ImageField.DEPTH: "array_size" if is_array else "depth",
    }[op.field.data]
    found = w.call(f"get_image_{name}", image, type=INT)
    # The size of an array is a size_t.
    return text.unary("(int)", found, INT) if is_array else found
