"""The commands of calls.py -> operations of the `host` dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypedDict

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import Pure

from polycl.dialects import host, ocl
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.host.calls import MAP_INVALIDATE, MAP_READ, MAP_WRITE, PREFIX
from polycl.frontends.host.host_types import EVENT, scalar_of
from polycl.frontends.opencl_c.builder import INDEX
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr
from polycl.frontends.opencl_c.types import CType, Kind

if TYPE_CHECKING:
    from polycl.frontends.host.emit_host import CommandEmitter, HostEmitter


def buffer_element(buffer: SSAValue) -> Attribute:
    """The type of a buffer's elements."""
    assert isinstance(buffer.type, host.BufferType)
    return buffer.type.element


def _count(
    e: CommandEmitter, size: Expr, buffer: SSAValue, offset: SSAValue | None
) -> SSAValue | None:
    """The number of elements to transfer, None for all after the offset."""
    count = e.elements(size, buffer_element(buffer))
    made = buffer.owner
    if offset is None and isinstance(made, host.BufferOp) and same(made.count, count):
        return None
    return count


def same(a: SSAValue, b: SSAValue) -> bool:
    """Whether two values are computed in the same way."""
    if a is b:
        return True
    x, y = a.owner, b.owner
    if not (isinstance(x, Operation) and isinstance(y, Operation)):
        return False
    # xDSL 0.74 gives sign extensions no trait.
    if not x.has_trait(Pure) and not isinstance(x, arith.ExtSIOp):
        return False
    if type(x) is not type(y) or len(x.results) != 1 or a.type != b.type:
        return False
    if x.properties != y.properties or len(x.operands) != len(y.operands):
        return False
    return all(map(same, x.operands, y.operands))


class _Events(TypedDict):
    """The events a command waits for, and whether it has an event."""

    after: list[SSAValue]
    event: bool


def _events(e: CommandEmitter, call: BuiltinCall, first: int) -> _Events:
    return {"after": [e.emit(a) for a in call.arguments[first:]], "event": call.type is EVENT}


def _add(e: CommandEmitter, call: BuiltinCall, op: Operation) -> SSAValue | None:
    e.add(op)
    return op.results[0] if call.type is EVENT else None


def _buffer(e: CommandEmitter, call: BuiltinCall) -> SSAValue:
    assert isinstance(call.type.value, host.BufferType)
    element = call.type.value.element
    return e.value(host.BufferOp(e.elements(call.arguments[0], element), element))


def _size(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    made = buffer.owner
    if not isinstance(made, host.BufferOp):
        return e.opaque("clGetMemObjectInfo", [buffer], call.type)
    nbytes = e.product(made.count, e.constant(stride_of(buffer_element(buffer)), INDEX))
    return e.from_index(nbytes, call.type.value)


def _transfer(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    offset = e.part(e.elements(call.arguments[1], buffer_element(buffer)))
    count = _count(e, call.arguments[2], buffer, offset)
    array, start = e.host_memory(call.arguments[3], buffer)
    events = _events(e, call, 4)
    if call.name == f"{PREFIX}write":
        op = host.WriteOp(
            array, buffer, source_offset=start, target_offset=offset, count=count, **events
        )
    else:
        op = host.ReadOp(
            buffer, array, source_offset=offset, target_offset=start, count=count, **events
        )
    return _add(e, call, op)


def _copy(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    source, target = (e.emit(argument) for argument in call.arguments[:2])
    start = e.part(e.elements(call.arguments[2], buffer_element(source)))
    offset = e.part(e.elements(call.arguments[3], buffer_element(target)))
    count = _count(e, call.arguments[4], target, offset)
    events = _events(e, call, 5)
    op = host.CopyOp(
        source, target, source_offset=start, target_offset=offset, count=count, **events
    )
    return _add(e, call, op)


def _fill(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    element = buffer_element(buffer)
    value = e.emit(call.arguments[1])
    if value.type != element:
        if size_of(value.type) != size_of(element):
            raise UnsupportedError(
                f"a buffer of {element} is filled with a value of its own size only, got "
                f"{value.type}",
                *call.location,
            )
        value = e.op(arith.BitcastOp, value, type=element)
    offset = e.part(e.elements(call.arguments[2], element))
    count = _count(e, call.arguments[3], buffer, offset)
    op = host.FillOp(buffer, value, offset=offset, count=count, **_events(e, call, 4))
    return _add(e, call, op)


def _launch(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    launch = e.launches.launches[id(call)]
    end = launch.rank * (1 + launch.has_offset + launch.has_local)
    sizes = [e.index(size) for size in call.arguments[:end]]
    last = end + launch.arguments
    arguments = [e.emit(argument) for argument in call.arguments[end:last]]
    op = host.LaunchOp(
        launch.kernel.name,
        sizes[: launch.rank],
        sizes[end - launch.rank :] if launch.has_local else [],
        arguments,
        global_offset=sizes[launch.rank : 2 * launch.rank] if launch.has_offset else [],
        **_events(e, call, last),
    )
    return _add(e, call, op)


def _wait(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    if events := _events(e, call, 0)["after"]:
        e.add(host.WaitOp(events))
    return _done(e, call)


def _done(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    """An event of ended commands, if it is used."""
    return e.value(ocl.NullEventOp()) if call.type is EVENT else None


def _finish(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    e.add(host.FinishOp())
    return None


def _release(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    e.add(host.ReleaseOp(e.emit(call.arguments[0])))
    return None


def map_buffer(e: HostEmitter, call: BuiltinCall, element: CType) -> SSAValue:
    """Mapped memory: an array to which the buffer is read, and from which unmapping writes it."""
    buffer = e.emit(call.arguments[0])
    own, _ = scalar_of(element)
    memory = buffer_element(buffer) if own.kind is Kind.VOID else own.memory
    offset = e.part(e.elements(call.arguments[1], buffer_element(buffer)))
    array = e.array(e.elements(call.arguments[2], memory), memory)
    how = call.arguments[3]
    flags = int(how.value) if isinstance(how, Const) else MAP_READ | MAP_WRITE
    if not flags & MAP_INVALIDATE:
        count = e.elements(call.arguments[2], buffer_element(buffer))
        after = _events(e, call, 4)["after"]
        op = host.ReadOp(buffer, array, source_offset=offset, count=count, after=after)
        e.add(op).attributes["mapped"] = UnitAttr()
    e.mapped[array] = offset, flags
    return array


def unmap_array(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    array, _ = e.pointer(call.arguments[1])
    if array not in e.mapped:
        raise UnsupportedError("this is not the result of clEnqueueMapBuffer", *call.location)
    offset, flags = e.mapped[array]
    if flags & (MAP_WRITE | MAP_INVALIDATE):
        made = array.owner
        assert isinstance(made, memref.AllocOp) and isinstance(array.type, MemRefType)
        count = made.dynamic_sizes[0]
        own, other = (stride_of(t) for t in (array.type.element_type, buffer_element(buffer)))
        if own % other == 0:
            count = e.product(count, e.constant(own // other, INDEX))
        else:
            bytes = e.product(count, e.constant(own, INDEX))
            count = e.op(arith.DivUIOp, bytes, e.constant(other, INDEX))
        op = host.WriteOp(array, buffer, target_offset=offset, count=count)
        e.add(op).attributes["mapped"] = UnitAttr()
    e.add(memref.DeallocOp.get(array))
    return _done(e, call)


def _sub_buffer(e: CommandEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    region = e.emit(call.arguments[1])
    origin, size = (e.value(ocl.ExtractOp(region, name)) for name in ("origin", "size"))
    op = host.OpaqueOp("clCreateSubBuffer", [buffer, origin, size], [buffer.type])
    e.add(op)
    return op.results[0]


Command = Callable[[Any, BuiltinCall], SSAValue | None]
"""The first argument is an emitter, perhaps of the one class for which it is."""

COMMANDS: dict[str, Command] = {
    "buffer": _buffer,
    "write": _transfer,
    "read": _transfer,
    "copy": _copy,
    "fill": _fill,
    "launch": _launch,
    "wait": _wait,
    "finish": _finish,
    "release": _release,
    "size": _size,
    "sub_buffer": _sub_buffer,
}
"""The commands by their names, without the prefix."""
