"""Calls of the OpenCL API -> their effects on the program's data.

Every call is assumed to succeed, so that its status is the constant CL_SUCCESS, and constant
folding removes the handling of errors. Calls that only get a device, a queue or a compiled program
are removed. Other calls become calls of these names:

    buffer(bytes) -> cl_mem
    write, read(buffer, offset, bytes, host, events...)
    copy(from, to, offset, offset, bytes, events...)
    fill(buffer, pattern, offset, bytes, events...)
    map(buffer, offset, bytes, flags, events...)   unmap(buffer, host, events...)
    set_argument(kernel, index, bytes, is local memory, value)
    launch(kernel, rank, has offset, has local, sizes..., events...)
    kernel(name) -> cl_kernel                   source(texts...)   build(options)
    wait(events...)   finish()   release(buffer)   size(buffer) -> bytes
    query: a property of the device

Sizes and offsets are in bytes. A command with an event is assigned to the event's variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polycl.errors import UnsupportedError
from polycl.frontends.host.host_types import (
    EVENT,
    KERNEL,
    LOCAL_MEMORY,
    MEMORY,
    SETUP,
)
from polycl.frontends.host.rewriting import (
    NewVariable,
    change_all,
    copied,
    dereferenced,
    element_of,
    is_null,
    text_of,
    without_casts,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt
from polycl.frontends.opencl_c.types import INT, LONG, VOID, CType, Kind

PREFIX = "ocl."
"""The prefix of the names above, which no function of C has."""

QUERY = f"{PREFIX}query:"
"""A query of the device: its number; the index of the answer; the kernel."""

C_CALL = "c."
"""The prefix of functions of the API that a whole program calls as it is."""

UNNAMED = "buffer"
"""The name of a buffer until a variable gets it."""

COPY_HOST_POINTER, USE_HOST_POINTER = 1 << 5, 1 << 3
_MEMORY_SIZE = 0x1102
"""CL_MEM_SIZE, a number that no other query has."""
_EXECUTION_STATUS = 0x11D3
"""CL_EVENT_COMMAND_EXECUTION_STATUS: every command has ended when the host sees it."""
_ITEM_SIZES = 0x1005
"""CL_DEVICE_MAX_WORK_ITEM_SIZES, three numbers."""
_TEXTS = (*range(0x0900, 0x0905), *range(0x102B, 0x1031), 0x103D, 0x1182, 0x1183, 0x1190)
"""Queries of platforms, devices, builds and kernels whose answers are texts."""
_OF_DEVICE = re.compile(r"clGet(Platform|Device|Context|CommandQueue|Program|ProgramBuild)Info")
MAP_READ, MAP_WRITE, MAP_INVALIDATE = 1, 2, 4


@dataclass
class Context:
    """Where the statements go that a call becomes."""

    before: list[Stmt]
    new_variable: NewVariable
    is_program: bool = False
    """Whether it is a whole program, whose memory is C's."""


_Rewrite = Callable[[BuiltinCall, Context], Expr]


def is_api(expr: Expr) -> bool:
    """Whether an expression is a call of the OpenCL API."""
    return isinstance(expr, BuiltinCall) and expr.name.startswith("cl") and expr.name[2:3].isupper()


def choice_of(expr: Expr) -> tree.Conditional | None:
    """`f(c ? a : b)` as `c ? f(a) : f(b)`, if the condition has no effects.

    This applies to `printf("%s", c ? "yes" : "no")`, and to API calls with `local ? &local : NULL`.
    """
    is_print = isinstance(expr, BuiltinCall) and expr.name in ("printf", "fprintf")
    if not isinstance(expr, BuiltinCall) or not (is_print or is_api(expr)):
        return None
    for place, argument in enumerate(map(without_casts, expr.arguments)):
        if isinstance(argument, tree.Conditional) and argument.type.kind is Kind.POINTER:
            given = argument.then, argument.otherwise
            if all(map(text_of, given)) if is_print else any(map(is_null, given)):
                calls: list[BuiltinCall] = [copied(expr), copied(expr)]
                for call, side in zip(calls, given, strict=True):
                    call.arguments[place] = side
                return tree.Conditional(expr.location, expr.type, argument.condition, *calls)
    return None


def rewrite_call(call: BuiltinCall, context: Context) -> Expr:
    """The value of a call of the API; its effects are added to the context.

    Raises:
        UnsupportedError: a function of the API that this importer does not support.
    """
    is_query = call.name.startswith("clGet") and call.name.endswith("Info")
    found = _query if is_query else _CALLS.get(call.name)
    if found is None:
        raise UnsupportedError(
            f"{call.name} is not supported in host programs; supported are buffers, kernels and "
            "events (docs/host/programs.md has the list)",
            *call.location,
        )
    return found(call, context)


def command(name: str, where: Location, arguments: Sequence[Expr], type: CType = VOID) -> Expr:
    """A call of one of the names above."""
    return BuiltinCall(where, type, PREFIX + name, list(arguments))


def _success(call: BuiltinCall) -> Expr:
    return Const(call.location, INT, 0)


def _add(context: Context, expr: Expr) -> None:
    context.before.append(tree.Evaluate(expr.location, expr))


def _set(context: Context, pointer: Expr, value: Expr) -> None:
    """`*pointer = value`, unless the pointer is null."""
    if is_null(pointer):
        return
    place = dereferenced(pointer)
    assert isinstance(place, tree.Load)
    type = place.place.type
    if value.type.is_scalar and type.is_scalar and not value.type.same_value(type):
        value = tree.Cast(value.location, type, value)
    _add(context, tree.Assign(pointer.location, type, place.place, value))


def _count(expr: Expr, what: str) -> int:
    expr = without_casts(expr)
    if not isinstance(expr, Const):
        raise UnsupportedError(f"expected a constant as {what}", *expr.location)
    return int(expr.value)


def _events(count: Expr, events: Expr) -> list[Expr]:
    if is_null(events) or element_of(events) is not EVENT:
        return []
    number = _count(count, "the number of events")
    return [dereferenced(events, n) for n in range(number)]


def _command(name: str, call: BuiltinCall, context: Context, arguments: Sequence[Expr]) -> Expr:
    """A command whose last three arguments are events to wait for, and one to set."""
    *_, count, events, event = call.arguments
    arguments = [*arguments, *_events(count, events)]
    if is_null(event) or element_of(event) is not EVENT:
        _add(context, command(name, call.location, arguments))
    else:
        _set(context, event, command(name, call.location, arguments, EVENT))
    return _success(call)


def _ignored(call: BuiltinCall, context: Context) -> Expr:
    """A call without effects on data; its error is stored through its pointer."""
    if call.type.kind is Kind.HANDLE:
        _set(context, call.arguments[-1], _success(call))
        return Const(call.location, SETUP, 1)
    return _success(call)


def _query(call: BuiltinCall, context: Context) -> Expr:
    """clGet...Info: numbers that are stored through a pointer, and their size."""
    *_, name, _, value, size = call.arguments
    if context.is_program and _OF_DEVICE.fullmatch(call.name):
        asked = BuiltinCall(call.location, call.type, f"{C_CALL}{call.name}", call.arguments)
        _add(context, asked)
        return _success(call)
    for pointer in (value, size):
        if is_null(pointer) or element_of(pointer).kind not in (Kind.INT, Kind.FLOAT):
            continue
        target, number = without_casts(pointer), without_casts(name)
        question = int(number.value) if isinstance(number, Const) else None
        if isinstance(target, tree.AddressOf) and target.place.type.kind is not Kind.ARRAY:
            _set(context, target, _answer(call, question, target.place.type, pointer is size))
            continue
        for n in range(3 if question == _ITEM_SIZES else 1):
            answer = _answer(call, question, element_of(pointer), False, n)
            _add(context, _set_element(target, n, answer))
    return _success(call)


def _answer(
    call: BuiltinCall, question: int | None, type: CType, is_size: bool, index: int = 0
) -> Expr:
    """The queried number, the first or a later one of several, or their size."""
    where, name = call.location, call.arguments[-4]
    if question in _TEXTS:
        # Texts are unknown: they are empty, with a terminating zero.
        return Const(where, type, int(is_size))
    if question == _EXECUTION_STATUS:
        return _success(call)
    if question == _MEMORY_SIZE:
        return command("size", where, call.arguments[:1], type)
    asked = [a for a in call.arguments[:1] if a.type is KERNEL]
    later = [Const(where, INT, index)] if question == _ITEM_SIZES else []
    return BuiltinCall(where, type, f"{QUERY}{call.name}", [name, *later, *asked])


def _set_element(array: Expr, index: int, value: Expr) -> Expr:
    """`array[index] = value`"""
    where, element = array.location, array.type.element
    place = tree.Index(where, element, array, Const(where, LONG, index))
    return tree.Assign(where, element, place, tree.Cast(where, element, value))


def _ids(call: BuiltinCall, context: Context) -> Expr:
    """clGetPlatformIDs, clGetDeviceIDs: there is one platform and one device."""
    _set(context, call.arguments[-1], Const(call.location, INT, 1))
    return _success(call)


def _source(call: BuiltinCall, context: Context) -> Expr:
    _, count, texts, _, error = call.arguments
    number = _count(count, "the number of texts")
    parts = [dereferenced(texts, n) for n in range(number)]
    _add(context, command("source", call.location, parts))
    _set(context, error, _success(call))
    return Const(call.location, SETUP, 1)


def _build(call: BuiltinCall, context: Context) -> Expr:
    _add(context, command("build", call.location, [call.arguments[3]]))
    return _success(call)


def _kernel(call: BuiltinCall, context: Context) -> Expr:
    _, name, error = call.arguments
    _set(context, error, _success(call))
    return command("kernel", call.location, [name], KERNEL)


def _buffer(call: BuiltinCall, context: Context) -> Expr:
    _, flags, size, host, error = call.arguments
    _set(context, error, _success(call))
    where = call.location
    made = command("buffer", where, [size], MEMORY)
    number = without_casts(flags)
    is_copied = not isinstance(number, Const) or bool(
        int(number.value) & (COPY_HOST_POINTER | USE_HOST_POINTER)
    )
    if is_null(host) or not is_copied:
        return made
    variable = context.new_variable(UNNAMED, MEMORY, where)
    context.before.append(tree.Declare(where, variable, made))
    zero = Const(where, size.type, 0)
    _add(context, command("write", where, [tree.read(variable, where), zero, size, host]))
    return tree.read(variable, where)


def _command_of(name: str, *positions: int) -> _Rewrite:
    """A command with the arguments at these positions."""
    return lambda call, context: _command(
        name, call, context, [call.arguments[position] for position in positions]
    )


def _fill(call: BuiltinCall, context: Context) -> Expr:
    _, buffer, pattern, _, offset, size, *_ = call.arguments
    return _command("fill", call, context, [buffer, dereferenced(pattern), offset, size])


def _launch(call: BuiltinCall, context: Context) -> Expr:
    where = call.location
    if call.name == "clEnqueueTask":
        one = Const(where, INT, 1)
        arguments = [call.arguments[1], one, Const(where, INT, 0), one, one, one]
        return _command("launch", call, context, arguments)
    _, kernel, dimensions, *sizes, _, _, _ = call.arguments
    rank = _count(dimensions, "the number of dimensions")
    if not 1 <= rank <= 3:
        raise UnsupportedError(f"expected 1 to 3 dimensions, got {rank}", *dimensions.location)
    offset, global_size, local_size = sizes
    if is_null(global_size):
        raise UnsupportedError("a launch without a global size is not supported", *where)
    numbers = [dereferenced(global_size, n) for n in range(rank)]
    given: list[Expr] = []
    for pointer in (offset, local_size):
        given.append(Const(where, INT, int(not is_null(pointer))))
        if not is_null(pointer):
            numbers += [dereferenced(pointer, n) for n in range(rank)]
    arguments = [kernel, Const(where, INT, rank), *given, *numbers]
    return _command("launch", call, context, arguments)


def _set_argument(call: BuiltinCall, context: Context) -> Expr:
    kernel, index, size, pointer = call.arguments
    index = change_all(index, lambda expr: _before(expr, context))
    value = size if is_null(pointer) else dereferenced(pointer)
    is_local = Const(call.location, LOCAL_MEMORY, int(is_null(pointer)))
    arguments = [kernel, index, size, is_local, value]
    _add(context, command("set_argument", call.location, arguments))
    return _success(call)


def _before(expr: Expr, context: Context) -> Expr:
    """The value of `n++`, which becomes a separate statement before the call."""
    where = expr.location
    match expr:
        case tree.Increment(place=tree.VarRef(variable=variable), prefix=prefix):
            result = variable
            if not prefix:
                result = context.new_variable(variable.name, variable.type, where)
                context.before.append(tree.Declare(where, result, tree.read(variable, where)))
            _add(context, expr)
            return tree.read(result, where)
        case _:
            return expr


def _wait(call: BuiltinCall, context: Context) -> Expr:
    count, events = call.arguments
    if element_of(events) is not EVENT:
        return _finish(call, context)
    _add(context, command("wait", call.location, _events(count, events)))
    return _success(call)


def _marker(call: BuiltinCall, context: Context) -> Expr:
    """A point after all or some commands: `clEnqueueMarker...`, `...Barrier...`."""
    _, *waited, event = call.arguments
    events = _events(*waited) if waited else []
    if is_null(event) or element_of(event) is not EVENT:
        if events:
            _add(context, command("wait", call.location, events))
    else:
        _set(context, event, command("wait", call.location, events, EVENT))
    return _success(call)


def _finish(call: BuiltinCall, context: Context) -> Expr:
    _add(context, command("finish", call.location, []))
    return _success(call)


def _release(call: BuiltinCall, context: Context) -> Expr:
    _add(context, command("release", call.location, call.arguments))
    return _success(call)


def _map(call: BuiltinCall, context: Context) -> Expr:
    """Mapped memory is an array of the host to and from which the buffer is copied."""
    _, buffer, _, flags, offset, size, count, events, event, error = call.arguments
    where = call.location
    _set(context, error, _success(call))
    how = Const(where, INT, _count(flags, "how to map a buffer"))
    arguments = [buffer, offset, size, how, *_events(count, events)]
    if not is_null(event) and element_of(event) is EVENT:
        _set(context, event, command("wait", where, [], EVENT))
    return command("map", where, arguments, call.type)


def _sub_buffer(call: BuiltinCall, context: Context) -> Expr:
    buffer, _, _, region, error = call.arguments
    _set(context, error, _success(call))
    return command("sub_buffer", call.location, [buffer, dereferenced(region)], MEMORY)


_CALLS: dict[str, _Rewrite] = {
    **dict.fromkeys(
        "clCreateContext clCreateContextFromType clCreateCommandQueue clUnloadCompiler clFlush "
        "clRetainContext clRetainCommandQueue clRetainProgram clRetainKernel clRetainEvent "
        "clCreateCommandQueueWithProperties clReleaseContext clReleaseCommandQueue "
        "clReleaseProgram clReleaseKernel clReleaseEvent clReleaseDevice clUnloadPlatformCompiler "
        "clEnqueueBarrier clCreateProgramWithBinary clSetCommandQueueProperty".split(),
        _ignored,
    ),
    **dict.fromkeys(["clGetPlatformIDs", "clGetDeviceIDs"], _ids),
    "clCreateProgramWithSource": _source,
    "clBuildProgram": _build,
    "clCreateKernel": _kernel,
    "clCreateBuffer": _buffer,
    "clCreateSubBuffer": _sub_buffer,
    "clReleaseMemObject": _release,
    "clSetKernelArg": _set_argument,
    "clEnqueueWriteBuffer": _command_of("write", 1, 3, 4, 5),
    "clEnqueueReadBuffer": _command_of("read", 1, 3, 4, 5),
    "clEnqueueCopyBuffer": _command_of("copy", 1, 2, 3, 4, 5),
    "clEnqueueFillBuffer": _fill,
    "clEnqueueNDRangeKernel": _launch,
    "clEnqueueTask": _launch,
    "clEnqueueMapBuffer": _map,
    "clEnqueueUnmapMemObject": _command_of("unmap", 1, 2),
    "clWaitForEvents": _wait,
    "clEnqueueMarker": _marker,
    "clEnqueueMarkerWithWaitList": _marker,
    "clEnqueueBarrierWithWaitList": _marker,
    "clFinish": _finish,
}
