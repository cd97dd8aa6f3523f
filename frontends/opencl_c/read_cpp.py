"""C++ for OpenCL: classes, references, templates and overloads as the typed tree of C.

libclang shows the instances of templates where they are called, with their bodies. So every
function is read when the first call of it is. In the tree, a reference is a pointer, a method is a
function whose first parameter is the object's address (`__generic` unless it is qualified), and a
base class is the first field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import clang_api, tree
from polycl.frontends.opencl_c.clang_api import CursorKind
from polycl.frontends.opencl_c.initializers import InitList, resolve
from polycl.frontends.opencl_c.printed import PrintedTokens
from polycl.frontends.opencl_c.read_expressions import (
    COMMON_READERS,
    ExpressionReader,
    loaded,
    mark_address_taken,
)
from polycl.frontends.opencl_c.source import Location, location_of
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable, is_place
from polycl.frontends.opencl_c.types import (
    BASE,
    VOID,
    CType,
    Kind,
    TypeTable,
    has_value,
    is_reference,
    pointer_to,
    space_of,
    this_space,
)

METHODS = (CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)
FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CONSTRUCTOR, *METHODS)
_CASTS = (
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_CONST_CAST_EXPR,
    CursorKind.CXX_REINTERPRET_CAST_EXPR,
    CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
    CursorKind.CXX_ADDRSPACE_CAST_EXPR,
)


_OPERATORS = (
    CursorKind.BINARY_OPERATOR,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
    CursorKind.CONDITIONAL_OPERATOR,
    CursorKind.UNARY_OPERATOR,
)
"""What can be a place in C++, and is none in C."""


def declarations(cursor: Cursor) -> list[Cursor]:
    """What a translation unit or namespace declares, in namespaces and `extern "C"`, too."""
    found: list[Cursor] = []
    for child in clang_api.children(cursor):
        if child.kind in (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC):
            found += declarations(child)
        else:
            found.append(child)
    return found


def this_type(types: TypeTable, method: Cursor) -> CType:
    """The type of `this` in a method or constructor."""
    record = types.of(method.semantic_parent.type, location_of(method))
    return pointer_to(record, this_space(method.type.spelling))


class CppReader(ExpressionReader):
    """Reads the expressions of one function of C++ for OpenCL."""

    def __init__(
        self,
        types: TypeTable,
        variables: dict[tuple[int, int], Variable],
        functions: dict[tuple[int, int], str],
        printed: PrintedTokens,
        require: Callable[[Cursor], str],
        captures: dict[tuple[int, int], list[tuple[int, int]]],
    ):
        super().__init__(types, variables, functions, printed)
        self.require = require
        """Has the function of a declaration read, and returns its name."""
        self.captures = captures
        """The class of a lambda -> the variables that its fields hold, in order."""
        self.fields: dict[tuple[int, int], str] = {}
        """In a lambda: the fields for the variables outside of it."""
        self.bound_result: CType | None = None
        """The type of a result that is a reference."""
        self.this: Variable | None = None
        """The address of the object, in a method."""
        self.readers = _READERS

    # References

    def _named(self, cursor: Cursor, where: Location) -> Expr:
        parts = clang_api.children(cursor)
        target = clang_api.referenced(cursor)
        if target.kind is CursorKind.INVALID_FILE and parts:
            # The value of a template's parameter.
            return self.expr(parts[-1])
        field = self.fields.get(clang_api.key_of(target))
        if field is not None:
            return self._captured(target, field, where)
        if target.kind is CursorKind.VAR_DECL and clang_api.key_of(target) not in self.variables:
            return self._constant(cursor, target, where)
        return self._dereferenced(self._reference(cursor, where), target.type, where)

    def _constant(self, cursor: Cursor, target: Cursor, where: Location) -> Expr:
        """A `constexpr` variable of a class, or of a function that the lambda is in."""
        value = clang_api.evaluate(cursor)
        if value is None:
            raise UnsupportedError(
                f"'{target.spelling}' is not supported here: the static variables of a class can "
                "only be constants; pass it as an argument",
                *where,
            )
        self.printed.name(target.spelling)
        return tree.Const(where, self.type_of(cursor, where), value)

    def _dereferenced(self, expr: Expr, declared: Any, where: Location) -> Expr:
        if not is_reference(declared):
            return expr
        return tree.Index(where, expr.type.element, loaded(expr))

    def place(self, cursor: Cursor) -> Expr:
        """A place if C++ says so: conditions, assignments and `++i` are places, too."""
        inner = cursor
        while inner.kind in (CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR):
            parts = clang_api.children(inner)
            if len(parts) != 1:
                break
            inner = parts[0]
        where = location_of(inner)
        type = clang_api.type_of(inner)
        if inner.kind not in _OPERATORS or not self.types.has_space(type):
            return self.expr(cursor)
        element = self.types.of(type, where)
        if inner.kind is CursorKind.CONDITIONAL_OPERATOR:
            pointer = pointer_to(element, space_of(type.get_canonical()))
            first, second, third = clang_api.children(inner)
            condition = self.value(first)
            with self.block_expressions.under_condition():
                then, otherwise = self.bound(pointer, second), self.bound(pointer, third)
            chosen = tree.Conditional(where, pointer, condition, then, otherwise)
            return tree.Index(where, element, chosen)
        expr = self.expr(cursor)
        if is_place(expr):
            return expr
        changes = isinstance(expr, tree.Assign | tree.CompoundAssign | tree.Increment)
        if not changes or not is_place(expr.place) or _has_effects(expr.place):
            raise UnsupportedError(
                "this expression is not supported as a reference or as a target; use a variable",
                *where,
            )
        mark_address_taken(expr.place)
        pointer = pointer_to(element, tree.space_of(expr.place))
        address = tree.AddressOf(where, pointer, expr.place)
        return tree.Index(where, element, tree.Comma(where, pointer, expr, address))

    def bound(self, type: CType, cursor: Cursor) -> Expr:
        """The address to which a reference of `type` (a pointer) is bound."""
        expr = self.place(cursor)
        where = expr.location
        if isinstance(expr, InitList):
            expr = resolve(expr.type, expr)
        first = None
        if not is_place(expr):
            first, expr = self._to_memory(expr)
        mark_address_taken(expr)
        space = tree.space_of(expr)
        address = tree.AddressOf(where, pointer_to(expr.type, space), expr)
        value = self._cast(address, type, where) if space is not type.space else address
        return value if first is None else tree.Comma(where, type, first, value)

    def returned(self, cursor: Cursor) -> Expr:
        if self.bound_result is None:
            return super().returned(cursor)
        return self.bound(self.bound_result, cursor)

    # Lambdas

    def enter(self, method: Cursor, this: Variable) -> None:
        """Begin a method, whose object is at the address `this`."""
        self.this = this
        captured = self.captures.get(clang_api.key_of(method.semantic_parent), ())
        self.fields = {key: f"anon{number}" for number, key in enumerate(captured)}

    def _captured(self, target: Cursor, field: str, where: Location) -> Expr:
        self.printed.name(target.spelling)
        assert self.this is not None
        own = tree.Index(where, self.this.type.element, tree.read(self.this, where))
        type = own.type.field(field)
        expr = tree.Member(where, type, own, field)
        if type.kind is not Kind.POINTER or is_pointer(target.type):
            return expr
        return tree.Index(where, type.element, loaded(expr))

    def _lambda(self, cursor: Cursor, where: Location) -> Expr:
        """The object of a lambda: its fields are the captured variables or their addresses."""
        self.printed.skip_lambda()
        type = self.type_of(cursor, where)
        fields = list(cursor.type.get_fields())
        captured = _captured_by(cursor)
        if len(fields) != len(captured):
            raise UnsupportedError(
                "this lambda captures more than variables, which is not supported", *where
            )
        declaration = cursor.type.get_declaration()
        self.captures[clang_api.key_of(declaration)] = [clang_api.key_of(c) for c in captured]
        entries: dict[str | int, Expr] = {}
        for number, (field, target) in enumerate(zip(fields, captured, strict=True)):
            variable = self.variables[clang_api.key_of(target)]
            place: Expr = tree.VarRef(where, variable.type, variable)
            place = self._dereferenced(place, target.type, where)
            name = f"anon{number}"
            if is_reference(field.type):
                mark_address_taken(place)
                address = pointer_to(place.type, tree.space_of(place))
                entries[name] = self._cast(
                    tree.AddressOf(where, address, place), type.field(name), where
                )
            else:
                entries[name] = loaded(place)
        return tree.Aggregate(where, type, entries)

    # Objects

    def _this(self, cursor: Cursor, where: Location) -> Expr:
        if self.this is None:
            raise UnsupportedError("'this' is not supported here", *where)
        return tree.read(self.this, where)

    def _field(self, cursor: Cursor, where: Location) -> Expr:
        target = clang_api.referenced(cursor)
        if target.kind is not CursorKind.FIELD_DECL:
            return self._constant(cursor, target, where)
        base = self._object(cursor, where)
        return self._dereferenced(self.field_of(base, cursor, where), target.type, where)

    def _object(self, member: Cursor, where: Location) -> Expr:
        """What a member is a part of: an expression, or the method's own object."""
        parts = [c for c in clang_api.children(member) if clang_api.is_expression(c.kind)]
        base = self.expr(parts[0]) if parts else self._this(member, where)
        if base.type.kind is Kind.POINTER:
            return tree.Index(where, base.type.element, loaded(base))
        return base

    def to_base(self, derived: Expr, base: CType) -> Expr:
        """The part of an object that a base class has."""
        while not derived.type.same_value(base):
            name, type = derived.type.fields[0]
            assert name == BASE
            derived = tree.Member(derived.location, type, derived, name)
        return derived

    def _converted(self, cursor: Cursor, where: Location) -> Expr:
        children = clang_api.children(cursor)
        if not children:
            return self._unwritten_value(cursor, where)
        own = self.type_of(cursor, where)
        if len(children) == 1 and own.kind is Kind.STRUCT:
            operand = self.expr(children[0])
            if isinstance(operand, InitList):
                return resolve(own, operand)
            if operand.type.kind is Kind.STRUCT:
                found = self.to_base(operand, own)
                return found if self.types.has_space(clang_api.type_of(cursor)) else loaded(found)
        return self._unexposed(cursor, where)

    def _unwritten_value(self, cursor: Cursor, where: Location) -> Expr:
        """`int()`, and the value of a field that a list does not have."""
        value = clang_api.evaluate(cursor)
        if value is None:
            raise UnsupportedError(
                "clang does not know this initial value; write it in place", *where
            )
        return tree.Const(where, self.type_of(cursor, where), value)

    def _cpp_cast(self, cursor: Cursor, where: Location) -> Expr:
        operand = clang_api.children(cursor)[-1]
        if self.types.has_space(clang_api.type_of(cursor)):
            return self.expr(operand)
        type = self.type_of(cursor, where)
        if type.is_record:
            return resolve(type, self.value(operand))
        if cursor.kind is CursorKind.CXX_REINTERPRET_CAST_EXPR and Kind.POINTER not in (
            type.kind,
            self.type_of(operand, where).kind,
        ):
            return tree.Reinterpret(where, type, self.value(operand))
        return self._explicit_cast(cursor, where)

    # Calls

    def _called(self, cursor: Cursor, where: Location) -> Expr:
        target = clang_api.referenced(cursor)
        if clang_api.kind_of(target) not in FUNCTIONS:
            return self._call(cursor, where)
        if target.kind is CursorKind.CONSTRUCTOR:
            return self._constructed(cursor, target, where)
        is_known = clang_api.key_of(target) in self.functions or target.get_definition() is not None
        if target.kind is CursorKind.FUNCTION_DECL and not is_known:
            # What clang declares itself is not among the declarations of the source.
            return self._call(cursor, where)
        operands = clang_api.children(cursor)
        addresses: list[Expr] = []
        callee = next(c for c in operands if _refers_to(c, target))
        operands.remove(callee)
        if target.kind in METHODS and not target.is_static_method():
            addresses, operands = self._receiver(callee, target, operands, where)
            if target.spelling == "operator=" and _is_implicit(target):
                self._check_copied(target.semantic_parent)
                place = tree.Index(where, addresses[0].type.element, addresses[0])
                return tree.Assign(where, place.type, place, self.value(operands[0]))
        # An operator is printed as such.
        if target.spelling.isidentifier():
            is_member = callee.kind is CursorKind.MEMBER_REF_EXPR
            (self.printed.member if is_member else self.printed.name)(target.spelling)
        return self._result(target, [*addresses, *self._arguments(target, operands)], where)

    def _receiver(
        self, callee: Cursor, target: Cursor, operands: list[Cursor], where: Location
    ) -> tuple[list[Expr], list[Cursor]]:
        """The address of a method's object, and the operands that are left."""
        type = this_type(self.types, target)
        if callee.kind is CursorKind.MEMBER_REF_EXPR:
            parts = [c for c in clang_api.children(callee) if clang_api.is_expression(c.kind)]
            if not parts:
                return [self._cast(self._this(callee, where), type, where)], operands
            if self.type_of(parts[0], where).kind is Kind.POINTER:
                return [self._cast(self.value(parts[0]), type, where)], operands
            return [self.bound(type, parts[0])], operands
        return [self.bound(type, operands[0])], operands[1:]

    def _arguments(self, target: Cursor, operands: list[Cursor]) -> list[Expr]:
        types = target.type.get_canonical().argument_types()
        result: list[Expr] = []
        for number, (type, operand) in enumerate(zip(types, operands, strict=True)):
            outer = self.printed
            if operand.kind is CursorKind.UNEXPOSED_EXPR and not clang_api.children(operand):
                # The call does not write it.
                parameter = list(target.get_arguments())[number]
                operand = clang_api.initializer(parameter) or operand
                self.printed = PrintedTokens(clang_api.pretty_printed(parameter))
            if is_reference(type):
                result.append(self.bound(self.types.of(type, location_of(operand)), operand))
            else:
                result.append(self.stored(self.value(operand)))
            self.printed = outer
        return result

    def _result(self, target: Cursor, arguments: list[Expr], where: Location) -> Expr:
        name = self.require(target)
        result = self.types.of(target.result_type, where)
        call = tree.Call(where, result, name, arguments)
        self.calls.append(call)
        return self._dereferenced(call, target.result_type, where)

    def _constructed(self, cursor: Cursor, target: Cursor, where: Location) -> Expr:
        operands = [c for c in clang_api.children(cursor) if clang_api.is_expression(c.kind)]
        type = self.type_of(cursor, where)
        if type.kind is Kind.ARRAY:
            raise UnsupportedError(
                "an array whose elements have constructors is not supported", *where
            )
        if _is_implicit(target):
            if operands:
                self._check_copied(target.semantic_parent)
                return self.value(operands[0])
            return self.default_value(target.semantic_parent, where)
        if type.needs_memory:
            variable = self.block_expressions.temporary(type, where)
            place: Expr = tree.VarRef(where, type, variable)
            first = self.construct(place, cursor, where)
            return tree.Comma(where, type, first, tree.Load(where, type, place))
        first, place = self._to_memory(_zero(type, where))
        mark_address_taken(place)
        made = tree.Comma(where, VOID, first, self.construct(place, cursor, where))
        return tree.Comma(where, type, made, tree.Load(where, type, place))

    def construct(self, place: Expr, cursor: Cursor, where: Location) -> Expr:
        """The call of a constructor of the source on an object."""
        target = clang_api.referenced(cursor)
        operands = [c for c in clang_api.children(cursor) if clang_api.is_expression(c.kind)]
        pointer = this_type(self.types, target)
        mark_address_taken(place)
        space = tree.space_of(place)
        address: Expr = tree.AddressOf(where, pointer_to(place.type, space), place)
        if space is not pointer.space:
            address = self._cast(address, pointer, where)
        call = tree.Call(
            where, VOID, self.require(target), [address, *self._arguments(target, operands)]
        )
        self.calls.append(call)
        return call

    def default_value(self, record: Cursor, where: Location) -> Expr:
        """An object that an implicit constructor makes: its fields have their initial values."""
        type = self.types.of(record.type, where)
        entries: dict[str | int, Expr] = {}
        if type.fields and type.fields[0][0] == BASE:
            base = next(c for c in record.get_children() if c.kind is CursorKind.CXX_BASE_SPECIFIER)
            entries[BASE] = self.default_value(base.type.get_declaration(), where)
        if any(_is_written(c) and _takes_nothing(c) for c in _constructors(record)):
            raise UnsupportedError(
                f"'{type.spelling}' needs its constructor: construct it explicitly", *where
            )
        for field in record.type.get_fields():
            initial = self.field_value(field, where)
            if initial is not None:
                entries[field.spelling] = initial
        return _zero(type, where) if not entries else tree.Aggregate(where, type, entries)

    def field_value(self, field: Cursor, where: Location) -> Expr | None:
        """What a field's declaration initializes it with, or None."""
        type = self.types.of(field.type, where)
        if has_value(field):
            # An array has its sizes in front of it.
            parts = [c for c in clang_api.children(field) if clang_api.is_expression(c.kind)]
            outer, self.printed = self.printed, PrintedTokens(clang_api.pretty_printed(field))
            value = resolve(type, self.value(parts[-1]))
            self.printed = outer
            return value
        element = field.type.get_canonical()
        record = element.get_declaration()
        if type.kind is Kind.STRUCT and list(_constructors(record)):
            return self.default_value(record, where)
        return None

    def initializers(self, constructor: Cursor) -> list[Stmt]:
        """The statements that initialize bases and fields, in front of a constructor's body."""
        where = location_of(constructor)
        assert self.this is not None
        own = tree.Index(where, self.this.type.element, tree.read(self.this, where))
        record = constructor.semantic_parent
        written: dict[str, tuple[Cursor, Cursor]] = {}
        parts = [c for c in clang_api.children(constructor) if c.kind is not CursorKind.PARM_DECL]
        for before, value in zip(parts, parts[1:], strict=False):
            if before.kind is CursorKind.MEMBER_REF:
                written[before.spelling] = before, value
            elif before.kind is CursorKind.TYPE_REF and value.kind is CursorKind.CALL_EXPR:
                written[BASE] = before, value
        result: list[Stmt] = []
        for name, type in own.type.fields:
            place = tree.Member(where, type, own, name)
            if name in written:
                field, value = written[name]
                if is_reference(clang_api.referenced(field).type):
                    result.append(_set(place, self.bound(type, value)))
                elif _is_own_constructor(value):
                    call = self.construct(place, value, location_of(value))
                    result.append(tree.Evaluate(where, call))
                else:
                    result.append(_set(place, resolve(type, self.value(value))))
                continue
            initial = self._unwritten(record, name, where)
            if initial is not None:
                result.append(_set(place, initial))
        return result

    def _unwritten(self, record: Cursor, name: str, where: Location) -> Expr | None:
        if name == BASE:
            base = next(c for c in record.get_children() if c.kind is CursorKind.CXX_BASE_SPECIFIER)
            return self.default_value(base.type.get_declaration(), where)
        for field in record.type.get_fields():
            if field.spelling == name:
                return self.field_value(field, where)
        return None

    def _check_copied(self, record: Cursor) -> None:
        """Refuse implicit copies of objects whose parts have copies of their own."""
        for part in _parts(record):
            if any(_copies(method) and _is_written(method) for method in part.get_children()):
                raise UnsupportedError(
                    f"an implicit copy of '{record.spelling}' is not supported, since "
                    f"'{part.spelling}' has a copy constructor or assignment",
                    *location_of(record),
                )


def _parts(record: Cursor) -> list[Cursor]:
    """The classes of a class's fields and of what it inherits, at all depths."""
    types = [field.type.get_canonical() for field in record.type.get_fields()]
    bases = [c for c in record.get_children() if c.kind is CursorKind.CXX_BASE_SPECIFIER]
    types += [base.type.get_canonical() for base in bases]
    found: list[Cursor] = []
    for type in types:
        while type.kind is clang_api.TypeKind.CONSTANTARRAY:
            type = type.element_type
        if type.kind is clang_api.TypeKind.RECORD:
            found += [type.get_declaration(), *_parts(type.get_declaration())]
    return found


def _copies(method: Cursor) -> bool:
    """Whether it is a constructor or an assignment that copies or moves an object."""
    if method.kind is CursorKind.CONSTRUCTOR:
        return method.is_copy_constructor() or method.is_move_constructor()
    return method.kind is CursorKind.CXX_METHOD and method.spelling == "operator="


def _set(place: Expr, value: Expr) -> Stmt:
    where = value.location
    return tree.Evaluate(where, tree.Assign(where, place.type, place, value))


def _zero(type: CType, where: Location) -> Expr:
    if type.is_scalar or type.kind is Kind.POINTER:
        return tree.Const(where, type, 0)
    if type.kind is Kind.VECTOR:
        return tree.VectorLiteral(where, type, [tree.Const(where, type.element, 0)])
    return tree.Aggregate(where, type, {})


def _has_effects(expr: Expr) -> bool:
    """Whether an expression does more than to read."""
    effects = (
        tree.Assign,
        tree.CompoundAssign,
        tree.Increment,
        tree.Call,
        tree.BuiltinCall,
        tree.Comma,
    )
    return isinstance(expr, effects) or any(_has_effects(e) for e in tree.children(expr))


def is_pointer(type: Any) -> bool:
    """Whether it is a pointer that the source has written."""
    return type.get_canonical().kind is clang_api.TypeKind.POINTER


def _captured_by(cursor: Cursor) -> list[Cursor]:
    """The variables that a lambda captures: explicitly, then as its body uses them first."""
    inside: set[tuple[int, int]] = set()
    found: dict[tuple[int, int], Cursor] = {}

    def visit(part: Cursor) -> None:
        if part.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            inside.add(clang_api.key_of(part))
        elif part.kind in (CursorKind.DECL_REF_EXPR, CursorKind.VARIABLE_REF):
            target = clang_api.referenced(part)
            key = clang_api.key_of(target)
            is_variable = target.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
            if is_variable and key not in inside and target.semantic_parent.kind in FUNCTIONS:
                found.setdefault(key, target)
        for child in clang_api.children(part):
            visit(child)

    visit(cursor)
    return list(found.values())


def _refers_to(cursor: Cursor, target: Cursor) -> bool:
    """Whether an operand of a call is the callee: a name, perhaps converted to a pointer."""
    while cursor.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        children = clang_api.children(cursor)
        if len(children) != 1:
            return False
        cursor = children[0]
    named = cursor.kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR)
    return named and clang_api.key_of(clang_api.referenced(cursor)) == clang_api.key_of(target)


def _constructors(record: Cursor) -> list[Cursor]:
    return [c for c in record.get_children() if c.kind is CursorKind.CONSTRUCTOR]


def _is_implicit(method: Cursor) -> bool:
    """Whether clang has made a constructor or an assignment (or was told to: `= default`)."""
    return not _is_written(method)


def _is_written(method: Cursor) -> bool:
    # What clang makes itself is where the class is; in a macro, only its own numbers tell places.
    own, record = clang_api.location(method), clang_api.location(method.semantic_parent)
    return own.int_data != record.int_data and not method.is_default_method()


def _takes_nothing(constructor: Cursor) -> bool:
    return not list(constructor.get_arguments()) and not constructor.is_default_method()


def _is_own_constructor(cursor: Cursor) -> bool:
    target = clang_api.referenced(cursor)
    is_call = cursor.kind is CursorKind.CALL_EXPR
    return is_call and target.kind is CursorKind.CONSTRUCTOR and not _is_implicit(target)


_READERS = {
    **COMMON_READERS,
    **dict.fromkeys((kind.value for kind in _CASTS), CppReader._cpp_cast),
    CursorKind.DECL_REF_EXPR.value: CppReader._named,
    CursorKind.MEMBER_REF_EXPR.value: CppReader._field,
    CursorKind.CXX_THIS_EXPR.value: CppReader._this,
    CursorKind.LAMBDA_EXPR.value: CppReader._lambda,
    CursorKind.UNEXPOSED_EXPR.value: CppReader._converted,
    CursorKind.CALL_EXPR.value: CppReader._called,
    CursorKind.CXX_NULL_PTR_LITERAL_EXPR.value: lambda reader, cursor, where: tree.Const(
        where, reader.type_of(cursor, where), 0
    ),
}
