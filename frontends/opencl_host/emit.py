"""Host functions -> `ocl` commands and ordinary code around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Pure

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX, constant_of
from polycl.frontends.opencl_c.conversions import to_memory
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind
from polycl.frontends.opencl_host import library
from polycl.frontends.opencl_host.arrays import ArrayEmitter
from polycl.frontends.opencl_host.calls import (
    MAP_INVALIDATE,
    MAP_READ,
    MAP_WRITE,
    PREFIX,
    UNNAMED,
)
from polycl.frontends.opencl_host.launches import Launches
from polycl.frontends.opencl_host.read import VARIABLE_ARRAY
from polycl.frontends.opencl_host.rewriting import text_of, without_casts
from polycl.frontends.opencl_host.types import EVENT, is_buffer, scalar_of

_SIZE_ARITHMETIC = (arith.MuliOp, arith.AddiOp, arith.SubiOp, arith.DivUIOp, arith.RemUIOp)


class HostEmitter(ArrayEmitter):
    """Emits the statements of a host function."""

    def __init__(self, liveness: Liveness, launches: Launches):
        super().__init__(liveness)
        self.launches = launches
        self._indices: dict[tuple[Block, SSAValue, bool], SSAValue] = {}
        self.mapped: dict[SSAValue, tuple[SSAValue | None, int]] = {}
        """Arrays that buffers are mapped to: (offset in the buffer, how it is mapped)."""

    def get(self, variable: Variable) -> SSAValue:
        if variable.type.kind is Kind.HANDLE and variable not in self.values:
            name = self.launches.arguments.get(variable)
            where = self.location
            if name is not None:
                raise UnsupportedError(f"{name} is not set on all ways to its launch", *where)
            raise UnsupportedError(
                f"'{variable.name}' is no {variable.type.spelling} on all ways to this place",
                *where,
            )
        return super().get(variable)

    def set(self, variable: Variable, value: SSAValue) -> None:
        if isinstance(value.owner, ocl.BufferOp) and value.name_hint == UNNAMED:
            value.name_hint = None
        super().set(variable, value)

    def _expr(self, expr: Expr) -> SSAValue | None:
        match expr:
            case BuiltinCall(name=name) if name.startswith(f"{PREFIX}query:"):
                return self.opaque(name.partition(":")[2], [], expr.type)
            case BuiltinCall(name=name) if name.startswith(PREFIX):
                return _COMMANDS[name.removeprefix(PREFIX)](self, expr)
            case BuiltinCall():
                return self._library(expr)
            case tree.Cast(operand=operand, type=type) if type.kind is Kind.HANDLE:
                return self.effect(operand)
            case _:
                return super()._expr(expr)

    def _assign(self, target: Expr, source: Expr) -> SSAValue:
        if isinstance(target, tree.VarRef) and target.variable in self.launches.arguments:
            variable = target.variable
            value = self._argument(self.emit(source), variable)
            self.values[variable] = value
            return value
        return super()._assign(target, source)

    def _argument(self, value: SSAValue, variable: Variable) -> SSAValue:
        """A value as a kernel's argument: the same bytes."""
        wanted = variable.type.value
        if isinstance(wanted, ocl.LocalMemoryType):
            return self.value(ocl.LocalMemoryOp(self.as_index(value)))
        if value.type == wanted or isinstance(wanted, ocl.BufferType):
            return value
        name = self.launches.arguments[variable]
        if isinstance(value.type, ocl.StructType) and isinstance(wanted, ocl.StructType):
            return self._same_struct(value, wanted, name)
        numbers = IntegerType | Float32Type | Float64Type
        if not (isinstance(value.type, numbers) and isinstance(wanted, numbers)):
            raise UnsupportedError(f"{name} is a {wanted}, got a {value.type}", *self.location)
        if value.type == IntegerType(1):
            return to_memory(self, value, wanted)
        return self.op(arith.BitcastOp, value, type=wanted)

    def _same_struct(self, value: SSAValue, wanted: ocl.StructType, name: str) -> SSAValue:
        """A struct of the host as the kernel's of the same layout, whose name differs."""
        assert isinstance(value.type, ocl.StructType)
        fields = list(zip(value.type.fields, wanted.fields, strict=False))
        if size_of(value.type) != size_of(wanted) or any(a != b for (_, a), (_, b) in fields):
            raise UnsupportedError(
                f"{name} is a {wanted}, got a {value.type} of another layout", *self.location
            )
        result = self.poison(wanted)
        for (own, _), (other, _) in fields:
            part = self.value(ocl.ExtractOp(value, own))
            result = self.value(ocl.InsertOp(part, result, other))
        return result

    # Functions of C, and unknown ones.

    def _library(self, call: BuiltinCall) -> SSAValue | None:
        emit = library.TABLE.get(call.name)
        if emit is not None:
            return emit(self, call)
        return self.unknown(call)

    def condition_here(self, expr: Expr) -> SSAValue:
        plain = without_casts(expr)
        if plain.type.kind is Kind.POINTER and isinstance(plain, BuiltinCall):
            # Whether what an unknown function gives is null.
            number = BuiltinCall(plain.location, LONG, plain.name, plain.arguments)
            value = self.unknown(number)
            assert value is not None
            return self.truth_of(value, LONG)
        return super().condition_here(expr)

    def new_array(self, call: BuiltinCall, element: CType) -> SSAValue | None:
        if call.name == f"{PREFIX}map":
            return _map(self, call, element)
        is_known = call.name in library.TABLE or call.name == VARIABLE_ARRAY
        return library.new_array(self, call, element) if is_known else self.unknown(call)

    def unknown(self, call: BuiltinCall) -> SSAValue | None:
        """A call of a function that is not known."""
        operands: list[SSAValue] = []
        texts: list[str] = []
        for argument in call.arguments:
            text = text_of(argument)
            if text is not None:
                texts.append(text.text)
            elif argument.type.kind is Kind.POINTER:
                operands += self._operands_of_pointer(argument)
            elif is_buffer(argument.type) or argument.type is EVENT:
                operands.append(self.emit(argument))
            elif argument.type.kind is not Kind.HANDLE:
                operands.append(self.emit(argument))
        return self.opaque(call.name, operands, call.type, texts)

    def _operands_of_pointer(self, argument: Expr) -> list[SSAValue]:
        try:
            array, offset = self.pointer(argument)
        except UnsupportedError:
            if isinstance(argument, Const | tree.Cast):
                return []
            raise
        return [array] if offset is None else [array, offset]

    def opaque(
        self, name: str, operands: Sequence[SSAValue], type: CType, texts: Sequence[str] = ()
    ) -> SSAValue | None:
        """A call that is not understood."""
        has_value = type.kind not in (Kind.VOID, Kind.HANDLE)
        op = ocl.OpaqueOp(name, operands, [type.value] if has_value else [])
        if texts:
            op.attributes["texts"] = ArrayAttr(map(StringAttr, texts))
        self.add(op)
        return op.results[0] if has_value else None

    # Numbers of bytes and of elements.

    def to_index(self, value: SSAValue, signed: bool) -> SSAValue:
        if isinstance(value.owner, arith.ExtSIOp):
            value, signed = value.owner.input, True
        key = (self.block, value, signed)
        if key not in self._indices:
            self._indices[key] = self._size(value) or super().to_index(value, signed)
        return self._indices[key]

    def _size(self, value: SSAValue) -> SSAValue | None:
        """Arithmetic on a size_t as arithmetic on index, which has as many bits."""
        owner = value.owner
        if value.type != i64 or not isinstance(owner, _SIZE_ARITHMETIC):
            return None
        if owner.parent is not self.block:
            return None
        a, b = self.to_index(owner.lhs, True), self.to_index(owner.rhs, True)
        if isinstance(owner, arith.MuliOp):
            return self.product(a, b)
        if isinstance(owner, arith.AddiOp | arith.SubiOp):
            return self.index_sum(a, b, 1 if isinstance(owner, arith.AddiOp) else -1)
        return self.op(type(owner), a, b)

    def as_index(self, value: SSAValue) -> SSAValue:
        """An integer of the host, a size, as index."""
        if value.type == INDEX:
            return value
        assert isinstance(value.type, IntegerType)
        return self.to_index(value, value.type.width.data >= 64)

    def elements(self, size: Expr, element: Attribute) -> SSAValue:
        """How many elements so many bytes are."""
        value = self.emit(size)
        step = stride_of(element)
        found = self._quotient(value, step)
        if found is not None:
            return found
        whole = self.to_index(value, size.type.signed)
        return self.op(arith.DivUIOp, whole, self.constant(step, INDEX))

    def _quotient(self, value: SSAValue, step: int) -> SSAValue | None:
        """`value / step` where the value is a product of a multiple of `step`."""
        constant = constant_of(value)
        if isinstance(constant, int):
            return self.constant(constant // step, INDEX) if constant % step == 0 else None
        if step == 1:
            return self.as_index(value)
        owner = value.owner
        match owner:
            case arith.MuliOp():
                for a, b in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
                    found = self._quotient(a, step)
                    if found is not None:
                        return self.product(found, self.as_index(b))
            case arith.AddiOp():
                a, b = self._quotient(owner.lhs, step), self._quotient(owner.rhs, step)
                if a is not None and b is not None:
                    return self.index_sum(a, b)
            case arith.ExtSIOp() | arith.ExtUIOp():
                return self._quotient(owner.input, step)
            case arith.IndexCastOp() if owner.input.type == INDEX:
                return self._quotient(owner.input, step)
            case _:
                pass
        return None

    def part(self, value: SSAValue) -> SSAValue | None:
        """An offset, or None where it is zero."""
        return None if constant_of(value) == 0 else value


def _element(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, ocl.BufferType)
    return buffer.type.element


def _count(
    e: HostEmitter, size: Expr, buffer: SSAValue, offset: SSAValue | None
) -> SSAValue | None:
    """The number of elements to transfer, None for all behind the offset."""
    count = e.elements(size, _element(buffer))
    made = buffer.owner
    if offset is None and isinstance(made, ocl.BufferOp) and same(made.count, count):
        return None
    return count


def same(a: SSAValue, b: SSAValue) -> bool:
    """Whether two values are computed in the same way."""
    if a is b:
        return True
    x, y = a.owner, b.owner
    if not (isinstance(x, Operation) and isinstance(y, Operation) and x.has_trait(Pure)):
        return False
    if type(x) is not type(y) or len(x.results) != 1 or a.type != b.type:
        return False
    if x.properties != y.properties or len(x.operands) != len(y.operands):
        return False
    return all(map(same, x.operands, y.operands))


def _events(e: HostEmitter, call: BuiltinCall, first: int) -> list[SSAValue]:
    return [e.emit(event) for event in call.arguments[first:]]


def _add(e: HostEmitter, call: BuiltinCall, op: Operation) -> SSAValue | None:
    e.add(op)
    return op.results[0] if call.type is EVENT else None


def _buffer(e: HostEmitter, call: BuiltinCall) -> SSAValue:
    assert isinstance(call.type.value, ocl.BufferType)
    element = call.type.value.element
    return e.value(ocl.BufferOp(e.elements(call.arguments[0], element), element))


def _transfer(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    offset = e.part(e.elements(call.arguments[1], _element(buffer)))
    count = _count(e, call.arguments[2], buffer, offset)
    array, start = e.pointer(call.arguments[3])
    after, event = _events(e, call, 4), call.type is EVENT
    if call.name == f"{PREFIX}write":
        op = ocl.WriteOp(
            array,
            buffer,
            source_offset=start,
            target_offset=offset,
            count=count,
            after=after,
            event=event,
        )
    else:
        op = ocl.ReadOp(
            buffer,
            array,
            source_offset=offset,
            target_offset=start,
            count=count,
            after=after,
            event=event,
        )
    return _add(e, call, op)


def _copy(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    source, target = (e.emit(argument) for argument in call.arguments[:2])
    start = e.part(e.elements(call.arguments[2], _element(source)))
    offset = e.part(e.elements(call.arguments[3], _element(target)))
    count = _count(e, call.arguments[4], target, offset)
    op = ocl.CopyOp(
        source,
        target,
        source_offset=start,
        target_offset=offset,
        count=count,
        after=_events(e, call, 5),
        event=call.type is EVENT,
    )
    return _add(e, call, op)


def _fill(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    element = _element(buffer)
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
    after, event = _events(e, call, 4), call.type is EVENT
    op = ocl.FillOp(buffer, value, offset=offset, count=count, after=after, event=event)
    return _add(e, call, op)


def _launch(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    launch = e.launches.launches[id(call)]
    rest = iter(call.arguments)

    def indices(wanted: bool) -> list[SSAValue]:
        return [e.index(next(rest)) for _ in range(launch.rank)] if wanted else []

    global_size, offset, local = (
        indices(True),
        indices(launch.has_offset),
        indices(launch.has_local),
    )
    arguments = [e.emit(next(rest)) for _ in range(launch.arguments)]
    op = ocl.HostLaunchOp(
        launch.kernel.name,
        global_size,
        local,
        arguments,
        global_offset=offset,
        after=[e.emit(event) for event in rest],
        event=call.type is EVENT,
    )
    return _add(e, call, op)


def _wait(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    e.add(ocl.WaitOp(_events(e, call, 0)))
    return None


def _finish(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    e.add(ocl.FinishOp())
    return None


def _release(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    e.add(ocl.ReleaseOp(e.emit(call.arguments[0])))
    return None


def _map(e: HostEmitter, call: BuiltinCall, element: CType) -> SSAValue:
    """Mapped memory: an array that the buffer is read to, and written from when it is unmapped."""
    buffer = e.emit(call.arguments[0])
    own, _ = scalar_of(element)
    memory = _element(buffer) if own.kind is Kind.VOID else own.memory
    offset = e.part(e.elements(call.arguments[1], _element(buffer)))
    array = e.array(e.elements(call.arguments[2], memory), memory)
    how = call.arguments[3]
    flags = int(how.value) if isinstance(how, Const) else MAP_READ | MAP_WRITE
    if not flags & MAP_INVALIDATE:
        count = e.elements(call.arguments[2], _element(buffer))
        after = _events(e, call, 4)
        op = ocl.ReadOp(buffer, array, source_offset=offset, count=count, after=after)
        e.add(op).attributes["mapped"] = UnitAttr()
    e.mapped[array] = offset, flags
    return array


def _unmap(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    array, _ = e.pointer(call.arguments[1])
    if array not in e.mapped:
        raise UnsupportedError("this is not what clEnqueueMapBuffer gave", *call.location)
    offset, flags = e.mapped[array]
    if flags & (MAP_WRITE | MAP_INVALIDATE):
        made = array.owner
        assert isinstance(made, memref.AllocOp) and isinstance(array.type, MemRefType)
        count = made.dynamic_sizes[0]
        own, other = (stride_of(t) for t in (array.type.element_type, _element(buffer)))
        if own % other == 0:
            count = e.product(count, e.constant(own // other, INDEX))
        else:
            bytes = e.product(count, e.constant(own, INDEX))
            count = e.op(arith.DivUIOp, bytes, e.constant(other, INDEX))
        op = ocl.WriteOp(array, buffer, target_offset=offset, count=count)
        e.add(op).attributes["mapped"] = UnitAttr()
    e.add(memref.DeallocOp.get(array))
    return None


def _sub_buffer(e: HostEmitter, call: BuiltinCall) -> SSAValue | None:
    buffer = e.emit(call.arguments[0])
    region = e.emit(call.arguments[1])
    origin, size = (e.value(ocl.ExtractOp(region, name)) for name in ("origin", "size"))
    op = ocl.OpaqueOp("clCreateSubBuffer", [buffer, origin, size], [buffer.type])
    e.add(op)
    return op.results[0]


_COMMANDS: dict[str, Callable[[HostEmitter, BuiltinCall], SSAValue | None]] = {
    "buffer": _buffer,
    "write": _transfer,
    "read": _transfer,
    "copy": _copy,
    "fill": _fill,
    "launch": _launch,
    "wait": _wait,
    "finish": _finish,
    "release": _release,
    "unmap": _unmap,
    "sub_buffer": _sub_buffer,
}
