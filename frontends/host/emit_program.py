"""The functions of a whole program -> operations; its memory is C's.

Pointers are `!ocl.ptr`, as in kernels; a transfer has a view of what a pointer points to. Functions
that the program does not define here are called in C: `host.opaque` with the attribute `in_c`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i8, i32, i64
from xdsl.ir import SSAValue

from polycl.dialects import host, ocl
from polycl.dialects.host.launches import FILE, FIXED, IN_C
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.host import library
from polycl.frontends.host.calls import C_CALL, MAP_INVALIDATE, MAP_WRITE
from polycl.frontends.host.commands import Command, buffer_element
from polycl.frontends.host.emit_host import CommandEmitter
from polycl.frontends.host.host_launches import Launches
from polycl.frontends.host.host_types import ADDRESS, is_setup
from polycl.frontends.host.read import VARIABLE_ARRAY, HostSource
from polycl.frontends.host.rewriting import variable_of, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builtins import emit_builtin
from polycl.frontends.opencl_c.conversions import convert
from polycl.frontends.opencl_c.counted import is_limit
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.places import Place
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind, passed_type, pointer_type

if TYPE_CHECKING:
    pass

_MACROS = frozenset("isnan isinf isfinite isnormal isunordered signbit".split())
"""Macros of math.h for which clang has builtins."""

_API = re.compile(r"cl[A-Z]")

_LARGE = 1 << 14
"""Bytes; larger variables of `main` are not on the stack."""


class ProgramEmitter(CommandEmitter):
    """Emits the statements of a program with C's memory."""

    def __init__(self, liveness: Liveness, launches: Launches, source: HostSource):
        super().__init__(liveness, launches)
        self.source = source
        self._maps: dict[SSAValue, tuple[SSAValue, SSAValue | None, SSAValue, int]] = {}
        """Of the pointer to a mapped buffer: the array, the offset, the count, the flags."""

    # Memory.

    def allocate(self, variable: Variable) -> None:
        """Define the address of a variable in memory, at the start of the function."""
        self.location = variable.location
        if variable in self.source.in_c:
            if variable.type.kind is Kind.VOID:
                self._check_function(variable)
            file = self.source.statics.get(variable, "")
            type = pointer_type(variable.type.memory, ocl.AddressSpace.PRIVATE)
            self.set_slot(variable, self.value(host.ExternOp(variable.name, type, file)))
        elif is_setup(variable.type):
            self._check_object(variable.type)
            type = pointer_type(i64, ocl.AddressSpace.PRIVATE)
            self.slots[variable] = self.value(host.ExternOp(variable.type.spelling, type))
        elif variable.type.kind is Kind.HANDLE:
            raise UnsupportedError(
                f"the address of '{variable.name}', a {variable.type.spelling}, is passed to a "
                "function that uses no OpenCL",
                *variable.location,
            )
        elif size_of(variable.type.memory) > _LARGE:
            bytes = Const(variable.location, LONG, size_of(variable.type.memory))
            memory = self._called("malloc", [bytes], ADDRESS)
            assert memory is not None
            type = pointer_type(variable.type.memory, ocl.AddressSpace.PRIVATE)
            self.set_slot(variable, self.op(ocl.CastOp, memory, type=type))
        else:
            self.set_slot(variable, self.value(ocl.AllocaOp(variable.type.memory)))

    def _check_function(self, function: Variable) -> None:
        """Refuse the address of a function that uses OpenCL: C would call the original."""
        name = function.name
        is_used = name in self.source.functions or name in self.source.refused
        if is_used or _API.match(name):
            raise UnsupportedError(
                f"the address of '{name}', which uses OpenCL, is not supported", *function.location
            )

    def _object(self, type: CType) -> SSAValue:
        """The program's context, queue, ..., as an address."""
        self._check_object(type)
        assert isinstance(ADDRESS.value, ocl.PtrType)
        return self.value(host.ObjectOp(type.spelling, ADDRESS.value))

    def _check_object(self, type: CType) -> None:
        if type.spelling not in host.OBJECTS:
            raise UnsupportedError(
                f"a {type.spelling} is not passed to functions in C; only "
                f"{', '.join(host.OBJECTS)} are",
                *self.location,
            )

    def get(self, variable: Variable) -> SSAValue:
        if variable not in self.values and variable.type.kind is not Kind.HANDLE:
            # Its value is undefined: zero, without a warning of the C compiler.
            if not variable.type.needs_memory:
                self.values[variable] = self.zero(variable.type)
        return super().get(variable)

    def address(self, place: Expr, type: CType) -> SSAValue:
        if isinstance(place, tree.String):
            found = pointer_type(i8, ocl.AddressSpace.PRIVATE)
            return self.value(host.TextOp(place.text, found))
        return super().address(place, type)

    def _load_whole(self, place: Place) -> SSAValue:
        _refuse_handle(self, place)
        return super()._load_whole(place)

    def _store_whole(self, place: Place, value: SSAValue) -> None:
        _refuse_handle(self, place)
        super()._store_whole(place, value)

    def _declare(self, variable: Variable, initializer: Expr | None) -> None:
        if is_setup(variable.type):
            if initializer is not None:
                self.effect(initializer)
            return
        super()._declare(variable, initializer)

    def _assign(self, target: Expr, source: Expr) -> SSAValue:
        if is_setup(target.type):
            self.effect(source)
            return self.constant(0, i8)
        return super()._assign(target, source)

    def _cast(self, operand: Expr, type: CType) -> SSAValue | None:
        if is_setup(operand.type) and type.kind in (Kind.INT, Kind.POINTER):
            return convert(self, self._object(operand.type), ADDRESS, type)
        return super()._cast(operand, type)

    # Functions.

    def library(self, call: BuiltinCall) -> SSAValue | None:
        if call.name in library.MATH or call.name in ("abs", "labs"):
            return library.TABLE[call.name](self, call)
        if call.name in _MACROS or is_limit(call):
            return emit_builtin(self, call)
        if call.name == VARIABLE_ARRAY:
            (count,) = call.arguments
            wide = tree.Cast(count.location, LONG, count)
            size = Const(call.location, LONG, stride_of(call.type.element.memory))
            bytes = tree.Binary(call.location, LONG, "*", wide, size)
            memory = self._called("malloc", [bytes], ADDRESS)
            assert memory is not None
            return self.op(ocl.CastOp, memory, type=call.type.value)
        return self._called(call.name.removeprefix(C_CALL), call.arguments, call.type)

    def _called(self, name: str, arguments: Sequence[Expr], type: CType) -> SSAValue | None:
        """A call of a function in C."""
        values: list[SSAValue] = []
        for argument in arguments:
            plain = without_casts(argument)
            if is_setup(plain.type):
                values.append(self._object(plain.type))
            elif argument.type.kind is Kind.HANDLE and not name.startswith("clGet"):
                raise UnsupportedError(
                    f"'{name}', which uses no OpenCL, gets a {argument.type.spelling}",
                    *argument.location,
                )
            else:
                values.append(self.emit(argument))
        if is_setup(type):
            raise UnsupportedError(
                f"'{name}', which uses no OpenCL, returns a {type.spelling}", *self.location
            )
        results = [] if type.kind is Kind.VOID else [passed_type(type)]
        op = host.OpaqueOp(name, values, results)
        op.attributes[IN_C] = UnitAttr()
        fixed = self.source.variadic.get(name)
        if fixed is not None:
            op.attributes[FIXED] = IntegerAttr(fixed, i32)
        file = self.source.kept.get(name, "")
        if file:
            op.attributes[FILE] = StringAttr(file)
        self.add(op)
        return op.results_[0] if results else None

    # Commands.

    def commands(self) -> dict[str, Command]:
        own: dict[str, Command] = {"map": _map, "unmap": _unmap, "release": _release}
        return {**super().commands(), **own}

    def host_memory(self, pointer: Expr, buffer: SSAValue) -> tuple[SSAValue, SSAValue | None]:
        return self._view(self.emit(pointer), buffer), None

    def _view(self, pointer: SSAValue, buffer: SSAValue) -> SSAValue:
        return self.value(host.ViewOp(pointer, buffer_element(buffer)))

    def map_buffer(self, call: BuiltinCall) -> SSAValue:
        """Mapped memory: new memory to which the buffer is read."""
        buffer = self.emit(call.arguments[0])
        offset = self.part(self.elements(call.arguments[1], buffer_element(buffer)))
        count = self.elements(call.arguments[2], buffer_element(buffer))
        memory = self._called("malloc", [call.arguments[2]], ADDRESS)
        assert memory is not None
        array = self._view(memory, buffer)
        how = call.arguments[3]
        flags = int(how.value) if isinstance(how, Const) else MAP_WRITE
        if not flags & MAP_INVALIDATE:
            op = host.ReadOp(buffer, array, source_offset=offset, count=count)
            self.add(op).attributes["mapped"] = UnitAttr()
        self._maps[memory] = array, offset, count, flags
        if memory.type == call.type.value:
            return memory
        return self.op(ocl.CastOp, memory, type=call.type.value)

    def unmap_buffer(self, call: BuiltinCall) -> None:
        """The write of mapped memory to its buffer, where it may be changed."""
        buffer, memory = self.emit(call.arguments[0]), self.emit(call.arguments[1])
        while isinstance(memory.owner, ocl.CastOp):
            memory = memory.owner.pointer
        found = self._maps.get(memory)
        if found is None:
            raise UnsupportedError(
                "it is not certain that this is the result of clEnqueueMapBuffer: use a variable "
                "for each mapping, whose address is not taken",
                *call.location,
            )
        array, offset, count, flags = found
        if flags & (MAP_WRITE | MAP_INVALIDATE):
            op = host.WriteOp(array, buffer, target_offset=offset, count=count)
            self.add(op).attributes["mapped"] = UnitAttr()


def _map(e: ProgramEmitter, call: BuiltinCall) -> SSAValue | None:
    return e.map_buffer(call)


def _unmap(e: ProgramEmitter, call: BuiltinCall) -> SSAValue | None:
    e.unmap_buffer(call)
    return None


def _release(e: ProgramEmitter, call: BuiltinCall) -> SSAValue | None:
    """A variable that never gets a buffer, or on some paths only, is not released."""
    variable = variable_of(call.arguments[0])
    if variable is None or variable in e.values:
        e.add(host.ReleaseOp(e.emit(call.arguments[0])))
    return None


def _refuse_handle(e: ProgramEmitter, place: Place) -> None:
    type = place.type
    if place.pointer is not None and type.kind is Kind.HANDLE and not is_setup(type):
        raise UnsupportedError(
            f"a {type.spelling} in memory is not followed: it is in an array with a computed "
            "index, in memory from malloc, or its address is kept",
            *e.location,
        )
