"""Which kernel each launch launches, with which arguments; and what each buffer consists of.

An argument of a kernel object is a variable that `clSetKernelArg` assigns and each launch reads,
so that loops and branches pass it on as they do all variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count

from xdsl.dialects.builtin import i8, i64
from xdsl.ir import Attribute

from polycl.dialects import host
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.kernel import KernelLike
from polycl.dialects.ocl.layout import size_of
from polycl.errors import SourceError, UnsupportedError
from polycl.frontends.host.calls import PREFIX, QUERY
from polycl.frontends.host.host_types import (
    KERNEL,
    LOCAL_MEMORY,
    buffer_type,
    is_buffer,
    scalar_of,
)
from polycl.frontends.host.rewriting import (
    expressions_in,
    read,
    text_of,
    variable_of,
    without_casts,
    write,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import assigned, bodies_of, expressions_of, walk
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import CType, Kind


@dataclass(eq=False)
class KernelObject:
    """What one clCreateKernel gives."""

    name: str
    kernel: KernelLike
    arguments: dict[int, Variable] = field(default_factory=dict)

    def parameter(self, index: int) -> str:
        return f"argument {index} ('{self.kernel.param_names[index]}') of kernel '{self.name}'"


@dataclass(frozen=True)
class Launch:
    """What the operands of a call "launch" are: sizes, arguments, events, in this order."""

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
    """The variables that stand for arguments, and what to call them."""


_Objects = Mapping[Variable, KernelObject]


def resolve_launches(
    body: list[Stmt], kernels: Mapping[str, KernelLike]
) -> tuple[list[Stmt], Launches]:
    """The statements with the arguments of kernels as variables.

    Raises:
        SourceError: a kernel that the kernel file does not have, an argument of the wrong size.
        UnsupportedError: it is not certain which kernel is launched.
    """
    resolver = _Resolver(kernels)
    body, _ = resolver.list(body, {})
    _find_array_types(body)
    _find_elements(body, resolver.found)
    return body, resolver.found


class _Resolver:
    def __init__(self, kernels: Mapping[str, KernelLike]):
        self.kernels = kernels
        self.found = Launches()
        self._numbers = count(3_000_000)

    def list(self, statements: list[Stmt], objects: _Objects) -> tuple[list[Stmt], _Objects]:
        out: list[Stmt] = []
        for statement in statements:
            kept, objects = self._statement(statement, objects)
            out += kept
        return out, objects

    def _statement(self, statement: Stmt, objects: _Objects) -> tuple[list[Stmt], _Objects]:
        self._name_asked(statement, objects)
        match statement:
            case tree.Declare(variable=variable, initializer=value) if variable.type is KERNEL:
                return [], self._with(objects, variable, value)
            case tree.Evaluate(
                expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)
            ) if variable.type is KERNEL:
                return [], self._with(objects, variable, value)
            case tree.Evaluate(expr=expr):
                call = expr.value if isinstance(expr, tree.Assign) else expr
                if isinstance(call, BuiltinCall) and call.name == f"{PREFIX}set_argument":
                    return [self._argument(call, objects)], objects
                if isinstance(call, BuiltinCall) and call.name == f"{PREFIX}launch":
                    self._launch(call, objects)
            case tree.If():
                statement.then, a = self.list(statement.then, objects)
                statement.otherwise, b = self.list(statement.otherwise, objects)
                objects = {v: o for v, o in a.items() if b.get(v) is o}
            case tree.While() | tree.DoWhile() | tree.CountedLoop() | tree.Block():
                changed = assigned(statement.body)
                objects = {v: o for v, o in objects.items() if v not in changed}
                statement.body, inner = self.list(statement.body, objects)
                if isinstance(statement, tree.DoWhile | tree.Block):
                    objects = inner
            case _:
                pass
        return [statement], objects

    def _name_asked(self, statement: Stmt, objects: _Objects) -> None:
        """Put the names of kernels into questions about them, where they are certain."""
        for call in (node for expr in expressions_of(statement) for node in walk(expr)):
            if isinstance(call, BuiltinCall) and call.name.startswith(QUERY):
                variable = variable_of(call.arguments[-1])
                kernel = None if variable is None else objects.get(variable)
                if kernel is not None:
                    call.arguments[-1] = tree.String(call.location, KERNEL, kernel.name)

    def _with(self, objects: _Objects, variable: Variable, value: Expr | None) -> _Objects:
        if value is None:
            return objects
        return {**objects, variable: self._object(value, objects)}

    def _object(self, value: Expr, objects: _Objects) -> KernelObject:
        """The kernel object that an expression stands for."""
        value = without_casts(value)
        where = value.location
        if isinstance(value, BuiltinCall) and value.name == f"{PREFIX}kernel":
            text = text_of(value.arguments[0])
            if text is None:
                raise UnsupportedError("the name of a kernel must be a string literal", *where)
            kernel = self.kernels.get(text.text)
            if kernel is None:
                have = ", ".join(self.kernels) or "none"
                raise SourceError(f"there is no kernel '{text.text}'; its kernels: {have}", *where)
            return KernelObject(text.text, kernel)
        variable = variable_of(value)
        found = None if variable is None else objects.get(variable)
        if found is None:
            raise UnsupportedError(
                "it is not certain which kernel this is; use a variable of its own for each "
                "kernel, set in front of loops and branches",
                *where,
            )
        return found

    def _argument(self, call: BuiltinCall, objects: _Objects) -> Stmt:
        given, index, size, is_local, value = call.arguments
        found = self._object(given, objects)
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
        return write(variable, value)

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
        variable = Variable(name, known, next(self._numbers), ("", 0, 0))
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

    def _launch(self, call: BuiltinCall, objects: _Objects) -> None:
        given, rank, has_offset, has_local, *rest = call.arguments
        found = self._object(given, objects)
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
            arguments.append(read(variable, call.location))
        call.arguments = [*rest[:sizes], *arguments, *rest[sizes:]]
        self.found.launches[id(call)] = Launch(
            found, number, bool(offset), bool(local), len(arguments)
        )


class _Classes:
    """Buffers that may be one another, and the elements that are seen in them."""

    def __init__(self) -> None:
        self._parents: dict[Variable, Variable] = {}
        self.kernel_elements: dict[Variable, list[Attribute]] = {}
        self.host_elements: dict[Variable, list[Attribute]] = {}

    def find(self, variable: Variable) -> Variable:
        while (parent := self._parents.get(variable)) is not None:
            variable = parent
        return variable

    def join(self, a: Variable, b: Variable) -> None:
        a, b = self.find(a), self.find(b)
        if a is b:
            return
        self._parents[b] = a
        for elements in (self.kernel_elements, self.host_elements):
            _add(elements.setdefault(a, []), elements.pop(b, []))

    def see(
        self,
        elements: dict[Variable, list[Attribute]],
        variable: Variable,
        element: Attribute,
    ) -> None:
        _add(elements.setdefault(self.find(variable), []), [element])

    def element(self, variable: Variable) -> Attribute:
        root = self.find(variable)
        for elements in (self.kernel_elements, self.host_elements):
            seen = elements.get(root, [])
            if seen:
                return seen[0] if len(seen) == 1 else i8
        return i8


def _add(elements: list[Attribute], more: Iterable[Attribute]) -> None:
    elements += [element for element in more if element not in elements]


def _find_elements(body: list[Stmt], launches: Launches) -> None:
    """Give each variable for a buffer the type of what kernels see in it."""
    classes = _Classes()
    assignments = [
        (variable, value) for variable, value in _assignments(body) if is_buffer(variable.type)
    ]
    for variable, value in assignments:
        for source in _sources(value):
            if variable in launches.arguments:
                assert isinstance(variable.type.value, host.BufferType)
                classes.see(classes.kernel_elements, source, variable.type.value.element)
            else:
                classes.join(variable, source)
    for variable, value in _assignments(body):
        mapped = without_casts(value)
        if isinstance(mapped, BuiltinCall) and mapped.name == f"{PREFIX}map":
            for source in _sources(mapped.arguments[0]):
                element, _ = scalar_of(variable.type.element)
                classes.see(classes.host_elements, source, element.memory)
    for call in expressions_in(body):
        if isinstance(call, BuiltinCall) and call.name in (f"{PREFIX}write", f"{PREFIX}read"):
            for source in _sources(call.arguments[0]):
                element, _ = scalar_of(without_casts(call.arguments[3]).type.element)
                if element.kind is not Kind.VOID:
                    classes.see(classes.host_elements, source, element.memory)
    for variable, value in assignments:
        if variable not in launches.arguments:
            variable.type = buffer_type(classes.element(variable))
        for node in walk(value):
            if isinstance(node, BuiltinCall | tree.Conditional) and is_buffer(node.type):
                node.type = variable.type
    for variable in launches.arguments:
        if is_buffer(variable.type):
            seen = {
                source.type
                for target, value in assignments
                if target is variable
                for source in _sources(value)
            }
            # Buffers that some kernel sees as something else are their bytes.
            if len(seen) == 1:
                (variable.type,) = seen


def _find_array_types(body: list[Stmt]) -> None:
    """`void *` from a function around malloc is a pointer to what it becomes one to."""
    pointers = [(v, variable_of(value)) for v, value in _assignments(body)]
    changed = True
    while changed:
        changed = False
        for variable, source in pointers:
            is_void = source is not None and source.type.element.kind is Kind.VOID
            if source is not None and is_void and variable.type.kind is Kind.POINTER:
                if variable.type.element.kind is not Kind.VOID:
                    source.type, changed = variable.type, True


def _assignments(body: list[Stmt]) -> list[tuple[Variable, Expr]]:
    found: list[tuple[Variable, Expr]] = []

    def visit(statements: list[Stmt]) -> None:
        for statement in statements:
            if isinstance(statement, tree.Declare) and statement.initializer is not None:
                found.append((statement.variable, statement.initializer))
            for expr in expressions_of(statement):
                for node in walk(expr):
                    if isinstance(node, tree.Assign) and isinstance(node.place, tree.VarRef):
                        found.append((node.place.variable, node.value))
            for inner in bodies_of(statement):
                visit(inner)

    visit(body)
    return found


def _sources(value: Expr) -> list[Variable]:
    """The variables whose buffers an expression may be."""
    return [
        node.variable
        for node in walk(value)
        if isinstance(node, tree.VarRef) and is_buffer(node.variable.type)
    ]
