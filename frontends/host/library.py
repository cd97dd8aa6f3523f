"""Functions of C's library -> operations (C99, sections 7.12, 7.20 and 7.21)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from polycl.dialects.ocl.builtins import FUNCTIONS, Fact
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.host.host_types import scalar_of
from polycl.frontends.host.read import VARIABLE_ARRAY
from polycl.frontends.host.rewriting import variable_of
from polycl.frontends.opencl_c.builder import INDEX, constant_of
from polycl.frontends.opencl_c.builtins import TABLE as OPENCL
from polycl.frontends.opencl_c.conversions import to_memory
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr
from polycl.frontends.opencl_c.types import CType, Kind

if TYPE_CHECKING:
    from polycl.frontends.host.emit_host import HostEmitter

Emit = Callable[[Any, BuiltinCall], SSAValue | None]
"""The first argument is an emitter; of functions on arrays, a HostEmitter."""

HARMLESS = frozenset(
    "printf fprintf puts putchar fputs fflush perror clock time gettimeofday clock_gettime "
    "difftime exit abort srand rand srand48 drand48 sprintf snprintf strstr strlen strcmp "
    "clGetDeviceInfo clGetKernelWorkGroupInfo clGetEventProfilingInfo".split()
)
"""Functions for output and measurement, which need no remark."""

_NAMES = [row.name for row in FUNCTIONS if Fact.C in row.facts]
MATH = frozenset(_NAMES) | {f"{name}f" for name in _NAMES}
"""The functions of math.h that are operations."""


def new_array(e: HostEmitter, call: BuiltinCall, element: CType) -> SSAValue | None:
    """The array that a call allocates, or None."""
    scalar, _ = scalar_of(element)
    memory = scalar.memory
    match call.name:
        case "malloc" | "aligned_alloc":
            return e.array(e.elements(call.arguments[-1], memory), memory)
        case "calloc":
            count, size = (e.index(argument) for argument in call.arguments)
            bytes = e.product(count, size)
            step = e.constant(stride_of(memory), INDEX)
            # Mostly `calloc(n, sizeof(T))`.
            exact = constant_of(size) == stride_of(memory)
            number = count if exact else e.op(arith.DivUIOp, bytes, step)
            array = e.array(number, memory)
            zero = to_memory(e, e.zero(scalar), memory)
            e.fill(array, e.constant(0, INDEX), number, zero)
            return array
        case name if name == VARIABLE_ARRAY:
            return e.array(e.index(call.arguments[0]), memory)
        case _:
            return None


def _unused_array(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    return new_array(e, call, call.type.element)


def _free(e: HostEmitter, call: BuiltinCall) -> None:
    variable = variable_of(call.arguments[0])
    if variable is not None and not variable.in_memory and variable not in e.values:
        # For example the text of the kernels, which is not read here.
        return
    array, _ = e.pointer(call.arguments[0])
    e.add(memref.DeallocOp.get(array))


def _copy(e: HostEmitter, call: BuiltinCall) -> None:
    target, source, size = call.arguments
    to, to_offset = e.pointer(target)
    start, start_offset = e.pointer(source)
    if to.type != start.type:
        raise UnsupportedError(
            f"{call.name} between arrays of different elements is not supported", *call.location
        )

    def turn(index: SSAValue) -> None:
        value = e.load_from(start, _moved(e, index, start_offset))
        e.store_to(value, to, _moved(e, index, to_offset))

    e.loop(e.constant(0, INDEX), _number(e, to, size), turn)


def _number(e: HostEmitter, array: SSAValue, size: Expr) -> SSAValue:
    assert isinstance(array.type, MemRefType)
    return e.elements(size, array.type.element_type)


def _moved(e: HostEmitter, index: SSAValue, offset: SSAValue | None) -> SSAValue:
    return index if offset is None else e.index_sum(offset, index)


def _set(e: HostEmitter, call: BuiltinCall) -> None:
    target, byte, size = call.arguments
    array, offset = e.pointer(target)
    assert isinstance(array.type, MemRefType)
    element = array.type.element_type
    known = constant_of(e.emit(byte))
    if stride_of(element) > 1 and known != 0:
        raise UnsupportedError(
            "memset of elements of several bytes is supported with 0 only; use a loop",
            *call.location,
        )
    value = (
        e.constant(0, element) if known == 0 else e.op(arith.TruncIOp, e.emit(byte), type=element)
    )
    low = e.constant(0, INDEX) if offset is None else offset
    e.fill(array, low, e.index_sum(low, _number(e, array, size)), value)


def _math(name: str) -> Emit:
    def emit(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
        return OPENCL[name](e, BuiltinCall(call.location, call.type, name, call.arguments))

    return emit


def _absolute(e: HostEmitter, call: BuiltinCall) -> SSAValue:
    value = e.emit(call.arguments[0])
    negated = e.op(arith.SubiOp, e.constant(0, value.type), value)
    return e.op(arith.MaxSIOp, value, negated)


def _nothing(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    return None if call.type.kind is Kind.VOID else e.constant(0, call.type.value)


TABLE: dict[str, Emit] = {
    **{name: _math(name) for name in _NAMES},
    **{f"{name}f": _math(name) for name in _NAMES},
    **dict.fromkeys(("malloc", "calloc", "aligned_alloc"), _unused_array),
    **dict.fromkeys(("abs", "labs"), _absolute),
    **dict.fromkeys(("memcpy", "memmove"), _copy),
    "memset": _set,
    "free": _free,
    "fflush": _nothing,
}
