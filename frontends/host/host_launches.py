"""The kernel and the arguments of each launch, and the elements of each buffer.

An argument of a kernel object is a variable that `clSetKernelArg` assigns and each launch reads, so
that it is live across loops and branches like other variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerType, i8, i64
from xdsl.ir import Attribute
from xdsl.utils.disjoint_set import DisjointSet

from polycl.dialects import host
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.kernel import KernelLike
from polycl.dialects.ocl.layout import size_of
from polycl.errors import SourceError, UnsupportedError
from polycl.frontends.host.calls import PREFIX, QUERY
from polycl.frontends.host.host_types import (
    KERNEL,
    LOCAL_MEMORY,
    array_type,
    buffer_type,
    is_buffer,
    scalar_of,
)
from polycl.frontends.host.rewriting import (
    NewVariable,
    assignments,
    change_statements,
    expressions_in,
    text_of,
    variable_of,
    without_casts,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import expressions_of, walk, walk_statements
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import CType, Kind, unsigned_of


@dataclass(eq=False)
class KernelObject:
    """The result of one clCreateKernel."""

    name: str
    kernel: KernelLike
    arguments: dict[int, Variable] = field(default_factory=dict)

    def parameter(self, index: int) -> str:
        return f"argument {index} ('{self.kernel.param_names[index]}') of kernel '{self.name}'"


@dataclass(frozen=True)
class Launch:
    """The operands of a call "launch": sizes, arguments, events, in this order."""

    kernel: KernelObject
    rank: int
    has_offset: bool
    has_local: bool
    arguments: int


@dataclass
class Launches:
    """The launches of a function, and the variables of their kernels' arguments."""

    launches: dict[int, Launch] = field(default_factory=dict)
    """By the id of the call."""
    arguments: dict[Variable, str] = field(default_factory=dict)
    """The variables of arguments, and their names in messages."""


def number_kernels(body: list[Stmt]) -> dict[int, BuiltinCall]:
    """Replace each clCreateKernel by a constant, for constant propagation.

    Returns the calls by their constants.
    """
    found: dict[int, BuiltinCall] = {}

    def change(expr: Expr) -> Expr:
        if isinstance(expr, BuiltinCall) and expr.name == f"{PREFIX}kernel":
            number = len(found) + 1
            found[number] = expr
            return Const(expr.location, KERNEL, number)
        return expr

    change_statements(body, change)
    return found


def resolve_launches(
    body: list[Stmt],
    created: Mapping[int, BuiltinCall],
    kernels: Mapping[str, KernelLike],
    new_variable: NewVariable,
) -> Launches:
    """Make the arguments of kernels variables in the statements.

    Raises:
        SourceError: a kernel that the kernel file does not have, an argument of the wrong size.
        UnsupportedError: it is not certain which kernel is launched.
    """
    objects = {number: _object(call, kernels) for number, call in created.items()}
    resolver = _Resolver(objects, new_variable)
    for statement in walk_statements(body):
        resolver.visit(statement)
    _find_array_types(body)
    _find_elements(body, resolver.found)
    return resolver.found


def _object(call: BuiltinCall, kernels: Mapping[str, KernelLike]) -> KernelObject:
    text = text_of(call.arguments[0])
    if text is None:
        raise UnsupportedError("the name of a kernel must be a string literal", *call.location)
    kernel = kernels.get(text.text)
    if kernel is None:
        have = ", ".join(kernels) or "none"
        raise SourceError(f"there is no kernel '{text.text}'; its kernels: {have}", *call.location)
    return KernelObject(text.text, kernel)


class _Resolver:
    def __init__(self, objects: Mapping[int, KernelObject], new_variable: NewVariable):
        self.objects = objects
        self.new_variable = new_variable
        self.found = Launches()

    def visit(self, statement: Stmt) -> None:
        for call in (node for expr in expressions_of(statement) for node in walk(expr)):
            if not isinstance(call, BuiltinCall):
                continue
            if call.name == f"{PREFIX}set_argument" and isinstance(statement, tree.Evaluate):
                statement.expr = self._argument(call)
            elif call.name == f"{PREFIX}launch":
                self._launch(call)
            elif call.name.startswith(QUERY) and (given := call.arguments[-1]).type is KERNEL:
                found = self.objects.get(int(given.value)) if isinstance(given, Const) else None
                call.arguments[-1] = (
                    Const(call.location, KERNEL, 0)
                    if found is None
                    else tree.String(call.location, KERNEL, found.name)
                )

    def _object(self, value: Expr) -> KernelObject:
        """The kernel object of an expression."""
        value = without_casts(value)
        found = self.objects.get(int(value.value)) if isinstance(value, Const) else None
        if found is None:
            raise UnsupportedError(
                "it is not certain which kernel this is; use a separate variable for each "
                "kernel, set before loops and branches",
                *value.location,
            )
        return found

    def _argument(self, call: BuiltinCall) -> Expr:
        given, index, size, is_local, value = call.arguments
        found = self._object(given)
        where = call.location
        number = without_casts(index)
        if not isinstance(number, Const):
            raise UnsupportedError("the index of an argument must be a constant", *where)
        position = int(number.value)
        types = found.kernel.function_type.inputs.data
        if not 0 <= position < len(types):
            raise SourceError(
                f"kernel '{found.name}' has {len(types)} parameters, there is no argument "
                f"{position}",
                *where,
            )
        type, name = types[position], found.parameter(position)
        variable = found.arguments.get(position)
        if variable is None:
            variable = self._variable(found, position, type, value.type)
        wants_local = variable.type is LOCAL_MEMORY
        if bool(is_local.value if isinstance(is_local, Const) else 0) != wants_local:
            expected = "local memory, NULL as its value" if wants_local else "a value, not NULL"
            raise SourceError(f"{name} is {expected}", *where)
        if not wants_local:
            self._check_size(type, name, size, value)
            value = _low_bytes(value, type)
        return tree.assignment(variable, value, where)

    def _variable(
        self, found: KernelObject, position: int, type: Attribute, given: CType
    ) -> Variable:
        match type:
            case PtrType() if type.address_space is AddressSpace.LOCAL:
                known = LOCAL_MEMORY
            case PtrType():
                known = buffer_type(type.pointee)
            case _ if given.value == type:
                known = given
            case _:
                known = CType(Kind.HANDLE, type, i64, str(type))
        name = found.kernel.param_names[position]
        variable = self.new_variable(name, known, ("", 0, 0))
        found.arguments[position] = variable
        self.found.arguments[variable] = found.parameter(position)
        return variable

    def _check_size(self, type: Attribute, name: str, size: Expr, value: Expr) -> None:
        given = without_casts(size)
        wanted = size_of(type)
        if isinstance(type, PtrType) != is_buffer(value.type):
            expected = "a buffer" if isinstance(type, PtrType) else f"a value of {wanted} bytes"
            raise SourceError(f"{name} is {expected}, got '{value.type.spelling}'", *value.location)
        if isinstance(given, Const) and given.value != wanted:
            raise SourceError(f"{name} has {wanted} bytes, got {given.value}", *size.location)

    def _launch(self, call: BuiltinCall) -> None:
        given, rank, has_offset, has_local, *rest = call.arguments
        found = self._object(given)
        number, offset, local = (
            int(flag.value) if isinstance(flag, Const) else 0
            for flag in (rank, has_offset, has_local)
        )
        sizes = number * (1 + offset + local)
        arguments: list[Expr] = []
        for position in range(len(found.kernel.param_names)):
            variable = found.arguments.get(position)
            if variable is None:
                raise SourceError(
                    f"{found.parameter(position)} is not set before this launch", *call.location
                )
            arguments.append(tree.read(variable, call.location))
        call.arguments = [*rest[:sizes], *arguments, *rest[sizes:]]
        self.found.launches[id(call)] = Launch(
            found, number, bool(offset), bool(local), len(arguments)
        )


def _low_bytes(value: Expr, type: Attribute) -> Expr:
    """The value of an argument that is the first bytes of a wider variable, as `&n` of a `long` is
    for an `int`; bytes are in little-endian order."""
    if isinstance(type, PtrType) or value.type.kind is not Kind.INT:
        return value
    if not isinstance(type, IntegerType) or value.type.width <= type.width.data:
        return value
    return tree.Cast(value.location, unsigned_of(value.type, type.width.data), value)


def _find_elements(body: list[Stmt], launches: Launches) -> None:
    """Give each variable of a buffer the element type of the kernels' parameters, else that of the
    arrays of its transfers."""
    given = list(assignments(body))
    variables = [node.variable for node in expressions_in(body) if isinstance(node, tree.VarRef)]
    same = DisjointSet(list(dict.fromkeys([*variables, *(variable for variable, _ in given)])))
    by_kernels: list[tuple[Variable, Attribute]] = []
    by_host: list[tuple[Variable, Attribute]] = []
    for variable, value in given:
        mapped = without_casts(value)
        if isinstance(mapped, BuiltinCall) and mapped.name == f"{PREFIX}map":
            by_host += _seen(mapped, variable.type)
        for source in _sources(value) if is_buffer(variable.type) else []:
            if variable in launches.arguments:
                assert isinstance(variable.type.value, host.BufferType)
                by_kernels.append((source, variable.type.value.element))
            else:
                same.union(variable, source)
    for call in expressions_in(body):
        if isinstance(call, BuiltinCall) and call.name in (f"{PREFIX}write", f"{PREFIX}read"):
            array = without_casts(call.arguments[3]).type
            by_host += [] if scalar_of(array.element)[0].kind is Kind.VOID else _seen(call, array)

    def element_of(variable: Variable) -> Attribute:
        for seen in (by_kernels, by_host):
            elements = {e for source, e in seen if same.connected(variable, source)}
            if elements:
                return elements.pop() if len(elements) == 1 else i8
        return i8

    buffers = [(variable, value) for variable, value in given if is_buffer(variable.type)]
    for variable, value in buffers:
        if variable not in launches.arguments:
            variable.type = buffer_type(element_of(variable))
        for node in walk(value):
            if isinstance(node, BuiltinCall | tree.Conditional) and is_buffer(node.type):
                node.type = variable.type
    for variable in launches.arguments:
        if is_buffer(variable.type):
            seen = {
                source.type
                for target, value in buffers
                if target is variable
                for source in _sources(value)
            }
            # Buffers with different element types in kernels are buffers of bytes.
            if len(seen) == 1:
                (variable.type,) = seen


def _find_array_types(body: list[Stmt]) -> None:
    """The pointee of `void *` from a function around malloc, from its conversions."""
    pointers = [(v, variable_of(value)) for v, value in assignments(body)]
    changed = True
    while changed:
        changed = False
        for variable, source in pointers:
            if source is None or source.type.value != array_type(i8):
                continue
            is_void = source.type.element.kind is Kind.VOID
            if is_void and variable.type.kind is Kind.POINTER:
                if variable.type.element.kind is not Kind.VOID:
                    source.type, changed = variable.type, True


def _seen(call: BuiltinCall, host: CType) -> list[tuple[Variable, Attribute]]:
    """The element type of a command's buffers, from the type of the host's memory."""
    element, _ = scalar_of(host.element)
    return [(source, element.memory) for source in _sources(call.arguments[0])]


def _sources(value: Expr) -> list[Variable]:
    """The variables of buffers that an expression may read."""
    return [
        node.variable
        for node in walk(value)
        if isinstance(node, tree.VarRef) and is_buffer(node.variable.type)
    ]
