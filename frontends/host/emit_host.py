"""Host functions -> `host` commands and ordinary code around them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    Float32Type,
    Float64Type,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, SSAValue

from polycl.dialects import host, ocl
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.host import library
from polycl.frontends.host.arrays import ArrayEmitter, Pointer
from polycl.frontends.host.calls import (
    PREFIX,
    QUERY,
    UNNAMED,
)
from polycl.frontends.host.commands import COMMANDS, Command, map_buffer, unmap_array
from polycl.frontends.host.formats import with_texts
from polycl.frontends.host.host_launches import Launches
from polycl.frontends.host.host_types import EVENT, array_type, is_buffer
from polycl.frontends.host.read import VARIABLE_ARRAY
from polycl.frontends.host.rewriting import text_of, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX, constant_of
from polycl.frontends.opencl_c.builtins import emit_builtin
from polycl.frontends.opencl_c.conversions import to_bool, to_memory
from polycl.frontends.opencl_c.counted import is_limit
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.statements import StatementEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind

_SIZE_ARITHMETIC = (arith.MuliOp, arith.AddiOp, arith.SubiOp, arith.DivUIOp, arith.RemUIOp)


class CommandEmitter(StatementEmitter):
    """Emits statements with commands; the host's memory is that of a subclass."""

    def __init__(self, liveness: Liveness, launches: Launches):
        super().__init__(liveness)
        self.launches = launches
        self._indices: dict[tuple[Block, SSAValue, bool], SSAValue] = {}

    @abstractmethod
    def library(self, call: BuiltinCall) -> SSAValue | None:
        """A call of a function that is none of the API."""

    @abstractmethod
    def host_memory(self, pointer: Expr, buffer: SSAValue) -> tuple[SSAValue, SSAValue | None]:
        """The array and the offset of the host's side of a transfer."""

    def array(self, count: SSAValue, element: Attribute) -> SSAValue:
        """A new array of the host."""
        return self.value(memref.AllocOp([count], [], array_type(element)))

    def commands(self) -> dict[str, Command]:
        """How the commands of calls.py become operations."""
        return COMMANDS

    def product(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a * b` of two index values."""
        x, y = constant_of(a), constant_of(b)
        if isinstance(x, int) and isinstance(y, int):
            return self.constant(x * y, INDEX)
        return a if y == 1 else b if x == 1 else self.op(arith.MuliOp, a, b)

    def get(self, variable: Variable) -> SSAValue:
        if variable.type.kind is Kind.HANDLE and variable not in self.values:
            name = self.launches.arguments.get(variable)
            where = self.location
            if name is not None:
                raise UnsupportedError(f"{name} is not set on all paths to its launch", *where)
            raise UnsupportedError(
                f"'{variable.name}' is not a {variable.type.spelling} on all paths to this place",
                *where,
            )
        return super().get(variable)

    def set(self, variable: Variable, value: SSAValue) -> None:
        if isinstance(value.owner, host.BufferOp) and value.name_hint == UNNAMED:
            value.name_hint = None
        super().set(variable, value)

    def _expr(self, expr: Expr) -> SSAValue | None:
        match expr:
            case BuiltinCall(name=name) if name.startswith(QUERY):
                names = [t.text for t in map(text_of, expr.arguments) if t is not None]
                asked = [self.emit(a) for a in expr.arguments if a.type.kind is not Kind.HANDLE]
                return self.opaque(name.removeprefix(QUERY), asked, expr.type, names)
            case BuiltinCall(name=name) if name.startswith(PREFIX):
                return self.commands()[name.removeprefix(PREFIX)](self, expr)
            case BuiltinCall():
                return self.library(expr)
            case Const(type=type) if is_buffer(type):
                raise UnsupportedError("there is no buffer in this cl_mem yet", *expr.location)
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
        if isinstance(wanted, host.LocalMemoryType):
            return self.value(host.LocalMemoryOp(self.to_index(value, True)))
        if value.type == wanted or isinstance(wanted, host.BufferType):
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

    def opaque(
        self, name: str, operands: Sequence[SSAValue], type: CType, texts: Sequence[str] = ()
    ) -> SSAValue | None:
        """A call without an operation of its own."""
        has_value = type.kind not in (Kind.VOID, Kind.HANDLE)
        op = host.OpaqueOp(name, operands, [type.value] if has_value else [])
        if texts:
            op.attributes["texts"] = ArrayAttr(map(StringAttr, texts))
        self.add(op)
        return op.results[0] if has_value else None

    # Numbers of bytes and of elements.

    def to_index(self, value: SSAValue, signed: bool) -> SSAValue:
        if value.type == INDEX:
            return value
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

    def elements(self, size: Expr, element: Attribute) -> SSAValue:
        """A number of bytes as a number of elements."""
        value, signed = self.emit(size), size.type.signed
        step = stride_of(element)
        found = self._quotient(value, step, signed)
        if found is not None:
            return found
        whole = self.to_index(value, signed)
        return self.op(arith.DivUIOp, whole, self.constant(step, INDEX))

    def _quotient(self, value: SSAValue, step: int, signed: bool) -> SSAValue | None:
        """`value / step` where the value is a product of a multiple of `step`."""
        constant = constant_of(value)
        if isinstance(constant, int):
            return self.constant(constant // step, INDEX) if constant % step == 0 else None
        if step == 1:
            return self.to_index(value, signed)
        owner = value.owner
        match owner:
            case arith.MuliOp():
                for a, b in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
                    found = self._quotient(a, step, signed)
                    if found is not None:
                        return self.product(found, self.to_index(b, signed))
            case arith.AddiOp():
                a, b = (self._quotient(side, step, signed) for side in (owner.lhs, owner.rhs))
                if a is not None and b is not None:
                    return self.index_sum(a, b)
            case arith.ExtSIOp() | arith.ExtUIOp():
                return self._quotient(owner.input, step, isinstance(owner, arith.ExtSIOp))
            case arith.IndexCastOp() if owner.input.type == INDEX:
                return self._quotient(owner.input, step, True)
            case _:
                pass
        return None

    def part(self, value: SSAValue) -> SSAValue | None:
        """An offset, or None where it is zero."""
        return None if constant_of(value) == 0 else value


class HostEmitter(CommandEmitter, ArrayEmitter):
    """Emits the statements of a host function whose memory is arrays."""

    def __init__(self, liveness: Liveness, launches: Launches):
        super().__init__(liveness, launches)
        self.mapped: dict[SSAValue, tuple[SSAValue | None, int]] = {}
        """Arrays of mapped buffers: (offset in the buffer, flags of the mapping)."""

    def commands(self) -> dict[str, Command]:
        return {**COMMANDS, "unmap": unmap_array}

    def host_memory(self, pointer: Expr, buffer: SSAValue) -> Pointer:
        return self.pointer(pointer)

    def library(self, call: BuiltinCall) -> SSAValue | None:
        if is_limit(call):
            return emit_builtin(self, call)
        emit = library.TABLE.get(call.name)
        if emit is not None:
            return emit(self, call)
        return self.unknown(call)

    def condition_here(self, expr: Expr) -> SSAValue:
        plain = without_casts(expr)
        if plain.type.kind is Kind.POINTER and isinstance(plain, BuiltinCall):
            # Whether the result of an unknown function is null.
            number = BuiltinCall(plain.location, LONG, plain.name, plain.arguments)
            value = self.unknown(number)
            assert value is not None
            return to_bool(self, value, LONG)
        return super().condition_here(expr)

    def new_array(self, call: BuiltinCall, element: CType) -> SSAValue | None:
        if call.name == f"{PREFIX}map":
            return map_buffer(self, call, element)
        is_known = call.name in library.TABLE or call.name == VARIABLE_ARRAY
        return library.new_array(self, call, element) if is_known else self.unknown(call)

    def unknown(self, call: BuiltinCall) -> SSAValue | None:
        """A call of an unknown function."""
        operands: list[SSAValue] = []
        texts: list[str] = []
        arguments = call.arguments
        if call.name == "printf":
            arguments = with_texts(arguments)
        for argument in arguments:
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
