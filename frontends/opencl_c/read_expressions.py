"""libclang's expression cursors -> the typed tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import clang_api, tree
from polycl.frontends.opencl_c.block_expressions import BlockExpressions
from polycl.frontends.opencl_c.clang_api import CursorKind
from polycl.frontends.opencl_c.compiler_atomics import is_atomic, read_atomic
from polycl.frontends.opencl_c.compiler_builtins import UNEVALUATED, read_builtin
from polycl.frontends.opencl_c.constants import fold_binary, fold_cast, fold_unary
from polycl.frontends.opencl_c.contraction import Contraction
from polycl.frontends.opencl_c.effects import has_effects
from polycl.frontends.opencl_c.generic_selections import selected
from polycl.frontends.opencl_c.initializers import InitList, path_to_field, resolve
from polycl.frontends.opencl_c.pipe_calls import is_pipe_call, read_pipe_call
from polycl.frontends.opencl_c.printed import PrintedTokens, lanes_of
from polycl.frontends.opencl_c.read_initializers import read_items
from polycl.frontends.opencl_c.source import Location, location_of
from polycl.frontends.opencl_c.string_literals import string_text
from polycl.frontends.opencl_c.tree import Expr, Variable, is_place
from polycl.frontends.opencl_c.types import (
    CHAR,
    INT,
    LONG,
    ULONG,
    CType,
    Kind,
    TypeTable,
    is_unnamed,
    pointer_to,
    space_of,
)

_LITERALS = (
    CursorKind.INTEGER_LITERAL,
    CursorKind.FLOATING_LITERAL,
    CursorKind.CHARACTER_LITERAL,
    CursorKind.CXX_BOOL_LITERAL_EXPR,
    CursorKind.CXX_UNARY_EXPR,
)
_VALUE_OPERATORS = (
    CursorKind.UNARY_OPERATOR,
    CursorKind.BINARY_OPERATOR,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
    CursorKind.CONDITIONAL_OPERATOR,
)
_CONSTANT_BUILTINS = {
    "__builtin_huge_val": float("inf"),
    "__builtin_inf": float("inf"),
    "__builtin_nan": float("nan"),
    "__builtin_nans": float("nan"),
}
_PRECISION = re.compile(r"(?<=val|inf|nan|ans)(f|f16)$")
"""The suffix of a constant's type."""


@dataclass(frozen=True)
class _EnumConstant:
    name: str
    value: int


_REFUSED = {
    CursorKind.ADDR_LABEL_EXPR: "addresses of labels are",
    CursorKind.BLOCK_EXPR: "blocks are",
}


class ExpressionReader:
    """Reads the expressions of one function, each cursor in source order."""

    def __init__(
        self,
        types: TypeTable,
        variables: dict[tuple[int, int], Variable],
        functions: dict[tuple[int, int], str],
        printed: PrintedTokens,
    ):
        self.types = types
        self.variables = variables
        self.functions = functions
        self.printed = printed
        self._referenced: dict[int, Variable | _EnumConstant] = {}
        """The targets of references, by the address of clang's declaration."""
        self.block_expressions = BlockExpressions(self)
        self.calls: list[tree.Call] = []
        self.readers = COMMON_READERS
        self.contraction = Contraction.ALWAYS
        """What applies to the expression that is read."""

    def value(self, cursor: Cursor) -> Expr:
        """The expression as a value: a place is loaded where clang's tree has no conversion."""
        expr = self.expr(cursor)
        # A string that is not converted to a pointer is the initial value of an array.
        if expr.type.kind is Kind.ARRAY and is_place(expr) and not isinstance(expr, tree.String):
            return self._decay(expr)
        return loaded(expr)

    def returned(self, cursor: Cursor) -> Expr:
        """The value that a function returns."""
        return self.stored(self.value(cursor))

    def stored(self, value: Expr) -> Expr:
        """The value, made in memory if it is a list with an array or union in it."""
        if isinstance(value, InitList):
            value = resolve(value.type, value)
        if not isinstance(value, tree.Aggregate) or not value.type.needs_memory:
            return value
        first, place = self._to_memory(value)
        return tree.Comma(value.location, value.type, first, loaded(place))

    def place(self, cursor: Cursor) -> Expr:
        """The expression that an operator changes, or takes the address of."""
        return self.expr(cursor)

    def expr(self, cursor: Cursor) -> Expr:
        """The expression, which may be a place."""
        where = location_of(cursor)
        read = self.readers.get(cursor._kind_id)
        if read is None:
            what = _REFUSED.get(clang_api.kind_of(cursor), "this kind of expression is")
            raise UnsupportedError(f"{what} not supported", *where)
        return read(self, cursor, where)

    def _parentheses(self, cursor: Cursor, where: Location) -> Expr:
        return self.expr(clang_api.children(cursor)[0])

    def _conditional(self, cursor: Cursor, where: Location) -> Expr:
        first, second, third = clang_api.children(cursor)
        condition = self.value(first)
        with self.block_expressions.under_condition():
            then, otherwise = self.stored(self.value(second)), self.stored(self.value(third))
        then, otherwise, type = self._unsigned(then, otherwise, self.type_of(cursor, where))
        return tree.Conditional(where, type, condition, then, otherwise)

    def _unsigned(self, left: Expr, right: Expr, type: CType) -> tuple[Expr, Expr, CType]:
        """The operands and the type of an operator after C's usual conversions, in which clang has
        `long long` for what is `long` or `ulong` here."""
        types = left.type, right.type
        if ULONG not in types or LONG not in (*types, type):
            return left, right, type
        left, right = (self._cast(one, ULONG, one.location) for one in (left, right))
        return left, right, ULONG if type == LONG else type

    def _statement_expression(self, cursor: Cursor, where: Location) -> Expr:
        return self.block_expressions.read(clang_api.children(cursor)[0], where)

    def _explicit_cast(self, cursor: Cursor, where: Location) -> Expr:
        operand = self.value(clang_api.children(cursor)[-1])
        return self._cast(operand, self.type_of(cursor, where), where)

    def _compound_literal(self, cursor: Cursor, where: Location) -> Expr:
        type = self.type_of(cursor, where)
        self.printed.begin_literal(clang_api.type_of(cursor).spelling)
        value = resolve(type, self.expr(clang_api.children(cursor)[-1]))
        self.printed.end_literal()
        return self._literal_in_memory(value) if type.needs_memory else value

    def _literal_in_memory(self, value: Expr) -> Expr:
        variable = self.block_expressions.temporary(value.type, value.location)
        variable.in_memory = True
        return tree.Literal(value.location, value.type, variable, value)

    def _string_literal(self, cursor: Cursor, where: Location) -> Expr:
        return tree.String(where, self.type_of(cursor, where), string_text(cursor))

    def type_of(self, cursor: Cursor, where: Location) -> CType:
        type = clang_api.type_of(cursor)
        if self.types.is_array(type) and clang_api.kind_of(cursor) in _VALUE_OPERATORS:
            element = type.get_canonical().element_type
            return pointer_to(self.types.of(element, where), space_of(element))
        return self.types.of(type, where)

    def _literal(self, cursor: Cursor, where: Location) -> Expr:
        if clang_api.kind_of(cursor) is CursorKind.CXX_UNARY_EXPR:
            # The operand of sizeof is not evaluated, but its names are printed.
            with self._unevaluated():
                for child in clang_api.children(cursor):
                    if child.kind.is_expression():
                        self.expr(child)
        value = clang_api.evaluate(cursor)
        if value is None:
            raise UnsupportedError("clang does not know the value of this constant", *where)
        type = self.type_of(cursor, where)
        if type == LONG and isinstance(value, int) and value < 0:
            # A decimal literal of 2^63 and more is a `long long` of 128 bits for clang.
            type, value = ULONG, value + 2**64
        literal = tree.Const(where, type, value)
        return fold_cast(literal, type) or literal

    def _reference(self, cursor: Cursor, where: Location) -> Expr:
        target = clang_api.referenced(cursor)
        known = self._referenced.get(target.data[0])
        if known is None:
            known = self._referenced[target.data[0]] = self._find_referenced(target, where)
        self.printed.name(known.name)
        if isinstance(known, Variable):
            if known.value is None:
                return tree.VarRef(where, known.type, known)
            return tree.Const(where, known.type, known.value)
        return tree.Const(where, self.type_of(cursor, where), known.value)

    def _find_referenced(self, target: Cursor, where: Location) -> Variable | _EnumConstant:
        """The variable or enumeration constant of a declaration."""
        if target.kind is CursorKind.ENUM_CONSTANT_DECL:
            return _EnumConstant(target.spelling, target.enum_value)
        variable = self.variables.get(clang_api.key_of(target))
        if variable is not None:
            return variable
        if target.kind is CursorKind.FUNCTION_DECL:
            raise UnsupportedError(
                f"using function '{target.spelling}' as a value is not supported", *where
            )
        raise UnsupportedError(f"'{target.spelling}' is not supported here", *where)

    def _unexposed(self, cursor: Cursor, where: Location) -> Expr:
        """Implicit conversions, swizzles and `as_type` are all UNEXPOSED_EXPR with one child."""
        children = clang_api.children(cursor)
        # A conversion begins where its operand does, as_type at its own name.
        if not children or clang_api.begin_of(cursor) != clang_api.begin_of(children[0]):
            return self._construct(cursor, children, where)
        if len(children) == 4:
            return self._elvis(cursor, children, where)
        if len(children) != 1:
            raise UnsupportedError("this kind of expression is not supported", *where)
        child = children[0]
        operand = self.expr(child)
        type = clang_api.type_of(cursor)
        if self.types.is_array(type) and operand.type.kind is Kind.POINTER:
            # libclang shows the type with which the source declares an array parameter.
            return loaded(operand)
        vector = operand.type.element if operand.type.kind is Kind.POINTER else operand.type
        if vector.kind is Kind.VECTOR and self._is_swizzle(cursor, child, operand):
            return self._swizzle(cursor, operand, where)
        is_value = not self.types.has_space(type)
        if isinstance(operand, tree.String) and self.types.is_array(type):
            return operand
        if operand.type.kind is Kind.ARRAY and not is_place(operand):
            first, array = self._to_memory(operand)
            pointer = self._decay(array)
            return tree.Comma(where, pointer.type, first, pointer)
        if is_place(operand):
            if operand.type.kind is Kind.ARRAY:
                return self._decay(operand)
            if not is_value:
                return operand
            operand = loaded(operand)
        if isinstance(operand, InitList):
            return operand
        return self._cast(operand, self.types.of(type, where), where)

    def _construct(self, cursor: Cursor, children: list[Cursor], where: Location) -> Expr:
        """An operator of clang that is written as a call; some have types as operands."""
        name = self.printed.construct()
        match name, children:
            case "__builtin_astype", [operand]:
                return tree.Reinterpret(where, self.type_of(cursor, where), self.value(operand))
            case "__builtin_convertvector", [operand]:
                value, type = self.value(operand), self.type_of(cursor, where)
                return tree.BuiltinCall(where, type, f"convert_{type.spelling}", [value])
            case "__builtin_shufflevector", [first, second, *indices]:
                return self._shuffle_vector(cursor, [first, second], indices, where)
            case "__builtin_choose_expr", [condition, then, otherwise]:
                with self._unevaluated():
                    self.expr(condition)
                if clang_api.evaluate(condition):
                    chosen = self.expr(then)
                    with self._unevaluated():
                        self.expr(otherwise)
                    return chosen
                with self._unevaluated():
                    self.expr(then)
                return self.expr(otherwise)
            case _ if is_atomic(name):
                type = self.type_of(cursor, where)
                blocks = self.block_expressions
                return read_atomic(name, type, children, self.value, blocks, where)
            case _:
                value = clang_api.evaluate(cursor)
                if value is None:
                    raise UnsupportedError(f"builtin '{name}' is not supported", *where)
                self.printed.skip_operands()
                return tree.Const(where, self.type_of(cursor, where), value)

    @contextmanager
    def _unevaluated(self) -> Iterator[None]:
        """Within it, expressions are read in step with the printed text, and then dropped."""
        calls = list(self.calls)
        with self.block_expressions.under_condition():
            yield
        self.calls = calls

    def _shuffle_vector(
        self, cursor: Cursor, vectors: list[Cursor], indices: list[Cursor], where: Location
    ) -> Expr:
        """`__builtin_shufflevector(a, b, ...)`: lanes of a, then of b; an index of -1 is any."""
        type = self.type_of(cursor, where)
        parts: list[Expr] = []
        first: list[Expr] = []
        for vector in vectors:
            value = self.value(vector)
            variable = self.block_expressions.temporary(value.type, where)
            first.append(tree.assignment(variable, value, where))
            parts.append(tree.read(variable, where))
        count = parts[0].type.count
        lanes: list[Expr] = []
        for index in indices:
            number = max(int(clang_api.evaluate(index) or 0), 0)
            part = parts[number // count]
            lanes.append(tree.Lanes(where, type.element, part, (number % count,)))
        value = tree.VectorLiteral(where, type, lanes)
        return tree.Comma(where, type, first[0], tree.Comma(where, type, first[1], value))

    def _elvis(self, cursor: Cursor, children: list[Cursor], where: Location) -> Expr:
        """`a ?: b`: clang shows a, its truth, its value and b."""
        type = self.type_of(cursor, where)
        first = self.value(children[0])
        variable = self.block_expressions.temporary(first.type, where)
        load = tree.read(variable, where)
        with self.block_expressions.under_condition():
            otherwise = self.value(children[3])
        chosen = tree.Conditional(where, type, load, self._cast(load, type, where), otherwise)
        return tree.Comma(where, type, tree.assignment(variable, first, where), chosen)

    def _is_swizzle(self, cursor: Cursor, child: Cursor, operand: Expr) -> bool:
        """Whether the cursor selects lanes of its operand (a vector or a pointer to one), as
        opposed to a conversion."""
        type = clang_api.type_of(cursor)
        own = self.types.of(type, operand.location)
        is_lvalue = self.types.has_space(type)
        vector = operand.type
        if vector.kind is Kind.POINTER:
            # A pointer converts to pointers and bool, never to an element or a vector.
            return own.kind in (Kind.VECTOR, Kind.INT, Kind.FLOAT)
        if own.kind is Kind.VOID:
            return False
        if own.value != vector.value:
            is_part = own.kind is Kind.VECTOR and own.element.value == vector.element.value
            return is_part or own.value == vector.element.value
        if own.element_signed != vector.element_signed:
            return False
        # A swizzle of all lanes, or a load. Some places have no address space.
        if self.types.has_space(clang_api.type_of(child)):
            return is_lvalue
        if not _in_macro(cursor):
            return clang_api.end_of(cursor) != clang_api.end_of(child)
        if not is_place(operand) and not _may_be_place(child):
            return True
        # The text of a macro has one end.
        return self.printed.has_suffix(_brackets_around(child))

    def _swizzle(self, cursor: Cursor, base: Expr, where: Location) -> Expr:
        if base.type.kind is Kind.POINTER:
            base = tree.Index(base.location, base.type.element, base)
        name = self.printed.suffix()
        type = self.type_of(cursor, where)
        lanes = lanes_of(name, base.type.count)
        count = type.count if type.kind is Kind.VECTOR else 1
        if lanes is None or len(lanes) != count:
            raise UnsupportedError(f"cannot follow the swizzle '.{name}' through a macro", *where)
        if is_place(base) and len(set(lanes)) < len(lanes):
            base = loaded(base)
        return tree.Lanes(where, type, base, lanes)

    def _decay(self, array: Expr) -> Expr:
        pointer = pointer_to(array.type.element, tree.space_of(array))
        return tree.AddressOf(array.location, pointer, array)

    def _subscript(self, cursor: Cursor, where: Location) -> Expr:
        first, second = clang_api.children(cursor)
        base = self.expr(first)
        if base.type.kind is Kind.VECTOR:
            type = self.type_of(cursor, where)
            return tree.Element(where, type, base, self.value(second))
        index = self.value(second)
        # C allows `2[p]`.
        pointer, index = (base, index) if base.type.kind is Kind.POINTER else (index, base)
        return tree.Index(where, pointer.type.element, pointer, index)

    def _member(self, cursor: Cursor, where: Location) -> Expr:
        base = self.expr(clang_api.children(cursor)[0])
        if base.type.kind is Kind.POINTER:
            base = tree.Index(base.location, base.type.element, base)
        return self.field_of(base, cursor, where)

    def field_of(self, base: Expr, cursor: Cursor, where: Location) -> Expr:
        """The field of a struct or union that a cursor names."""
        name = clang_api.spelling(clang_api.referenced(cursor))
        if is_unnamed(name):
            return base
        self.printed.member(name)
        if base.type.flexible is not None and base.type.flexible[0] == name:
            return self._flexible_array(base, where)
        path = path_to_field(base.type, name)
        if path is None:
            raise UnsupportedError(f"cannot find field '{name}'", *where)
        first = None
        if path[-1][1].kind is Kind.ARRAY and not is_place(base):
            # An array has an address: that of its first element.
            first, base = self._to_memory(base)
            for field, type in path:
                base = tree.Member(where, type, base, field)
            address = self._decay(base)
            return tree.Comma(where, address.type, first, address)
        if base.type.kind is Kind.UNION and not is_place(base):
            # Only memory has parts that overlap.
            first, base = self._to_memory(base)
        for field, type in path:
            base = tree.Member(where, type, base, field)
        return base if first is None else tree.Comma(where, base.type, first, loaded(base))

    def _flexible_array(self, base: Expr, where: Location) -> Expr:
        """The address of the elements after a struct, of a flexible array member."""
        assert base.type.flexible is not None
        _, offset, element = base.type.flexible
        if not is_place(base):
            raise UnsupportedError("a struct value has no elements behind it", *where)
        mark_address_taken(base)
        space = tree.space_of(base)
        address = tree.AddressOf(where, pointer_to(base.type, space), base)
        start = tree.Cast(where, pointer_to(CHAR, space), address)
        moved = tree.Binary(where, start.type, "+", start, tree.Const(where, INT, offset))
        return tree.Cast(where, pointer_to(element, space), moved)

    def _to_memory(self, value: Expr) -> tuple[Expr, Expr]:
        """The assignment of a value to a new variable, and the variable.

        Of a field, it is the value that has it, and the variable's field.
        """
        where = value.location
        if isinstance(value, tree.Member):
            first, base = self._to_memory(value.base)
            return first, tree.Member(where, value.type, base, value.field)
        variable = self.block_expressions.temporary(value.type, where)
        place = tree.VarRef(where, variable.type, variable)
        return tree.assignment(variable, value, where), place

    def _unary(self, cursor: Cursor, where: Location) -> Expr:
        child = clang_api.children(cursor)[0]
        operator = clang_api.unary_operator(cursor)
        type = self.type_of(cursor, where)
        if operator in clang_api.INCREMENTS:
            return tree.Increment(where, type, self.place(child), *clang_api.INCREMENTS[operator])
        match clang_api.UNARY_SPELLING.get(operator):
            case "&":
                place = self.place(child)
                if _is_compound_literal(child) and not is_place(place):
                    place = self._literal_in_memory(place)
                if not is_place(place):
                    raise UnsupportedError("the address of a temporary is not supported", *where)
                mark_address_taken(place)
                return tree.AddressOf(where, type, place)
            case "*":
                pointer = self.value(child)
                return tree.Index(where, pointer.type.element, pointer)
            case "+":
                return self.value(child)
            case "-" | "~" | "!" as op:
                operand = self.value(child)
                return fold_unary(op, operand, type) or tree.Unary(where, type, op, operand)
            case _:
                raise UnsupportedError("this unary operator is not supported", *where)

    def _binary(self, cursor: Cursor, where: Location) -> Expr:
        first, second = clang_api.children(cursor)
        op = clang_api.binary_operator(cursor)
        type = self.type_of(cursor, where)
        if op == "=":
            place = self.place(first)
            return tree.Assign(where, type, place, self.stored(self.value(second)))
        if op == ",":
            unused = self.expr(first)
            with self.block_expressions.under_condition():
                return tree.Comma(where, type, unused, self.value(second))
        left = self.value(first)
        if op in ("&&", "||"):
            with self.block_expressions.under_condition():
                return tree.Logical(where, type, op, left, self.value(second))
        right = self.value(second)
        if op not in ("<<", ">>"):
            left, right, type = self._unsigned(left, right, type)
        elif left.type == ULONG:
            type = ULONG
        self._contract(left, right)
        found = fold_binary(op, left, right, type)
        return found or tree.Binary(where, type, op, left, right, self._may_fuse(op))

    def _compound(self, cursor: Cursor, where: Location) -> Expr:
        first, second = clang_api.children(cursor)
        op = clang_api.binary_operator(cursor).removesuffix("=")
        place, value = self.place(first), self.value(second)
        # The right side already has the common type; a shift has the promoted type of its left.
        compute = place.type if place.type.kind in (Kind.POINTER, Kind.VECTOR) else value.type
        if op in ("<<", ">>") and place.type.is_integer:
            compute = place.type if place.type.width >= 32 else INT
        type = self.type_of(cursor, where)
        self._contract(value)
        return tree.CompoundAssign(where, type, op, place, value, compute, self._may_fuse(op))

    def _may_fuse(self, op: str) -> bool:
        """Whether the result of an operation may be fused where its value leaves the expression."""
        if self.contraction is Contraction.EXPRESSION:
            return op != "*"
        return self.contraction is Contraction.ALWAYS

    def _contract(self, *operands: Expr) -> None:
        """Allow products to be fused with the sum that they are operands of. An operand of another
        operator does not leave the expression, either."""
        if self.contraction is Contraction.EXPRESSION:
            for operand in operands:
                while isinstance(operand, tree.Unary):
                    operand = operand.operand
                if isinstance(operand, tree.Binary):
                    operand.may_fuse = True

    def _generic(self, cursor: Cursor, where: Location) -> Expr:
        with self._selected(cursor, where) as chosen:
            return self.expr(chosen)

    @contextmanager
    def _selected(self, cursor: Cursor, where: Location) -> Iterator[Cursor]:
        """The expression that a `_Generic` selection is, in step with the printed text."""
        operand, *values = clang_api.children(cursor)
        selection = self.printed.generic()
        # clang also allows a type as the operand, which is no cursor.
        is_known = len(values) == len(selection.types)
        number = selected(operand, selection.types) if is_known else None
        if number is None or not _has_type_of(values[number], cursor):
            raise UnsupportedError(
                "cannot tell which expression of _Generic is selected: expected types that are "
                "names, such as float4 or global const int *",
                *where,
            )
        self.printed.go_to(selection.starts[number])
        yield values[number]
        self.printed.go_to(selection.end + 1)

    def _call(self, cursor: Cursor, where: Location) -> Expr:
        callee, *operands = clang_api.children(cursor)
        callee = _without_conversions(callee)
        if clang_api.kind_of(callee) is not CursorKind.GENERIC_SELECTION_EXPR:
            target = clang_api.referenced(callee)
            self.printed.name(clang_api.spelling(target))
            return self._call_of(target, cursor, operands, where)
        with self._selected(callee, where) as chosen:
            target = clang_api.referenced(chosen)
            self.printed.name(clang_api.spelling(target))
        return self._call_of(target, cursor, operands, where)

    def _call_of(
        self, target: Cursor, cursor: Cursor, operands: list[Cursor], where: Location
    ) -> Expr:
        if clang_api.kind_of(target) is not CursorKind.FUNCTION_DECL:
            raise UnsupportedError("calls through a pointer are not supported", *where)
        name = clang_api.spelling(target)
        type = self.type_of(cursor, where)
        if name in UNEVALUATED:
            return self._unevaluated_call(cursor, name, operands, type, where)
        arguments = [self.stored(self.value(operand)) for operand in operands]
        if name.startswith("__builtin_"):
            number = _CONSTANT_BUILTINS.get(_PRECISION.sub("", name))
            if number is not None:
                return tree.Const(where, type, number)
            return read_builtin(name, type, arguments, self.block_expressions, where)
        if is_pipe_call(name):
            return read_pipe_call(name, arguments, self.block_expressions, where)
        function = self.functions.get(clang_api.key_of(target))
        if function is not None:
            call = tree.Call(where, type, function, arguments)
            self.calls.append(call)
            return call
        return tree.BuiltinCall(where, type, name, arguments)

    def _unevaluated_call(
        self, cursor: Cursor, name: str, operands: list[Cursor], type: CType, where: Location
    ) -> Expr:
        with self._unevaluated():
            arguments = [self.value(operand) for operand in operands]
        if type.kind is Kind.VOID:
            kept = [] if any(map(has_effects, arguments)) else arguments
            return tree.BuiltinCall(where, type, name, kept)
        value = clang_api.evaluate(cursor)
        if value is None and name != "__builtin_constant_p":
            raise UnsupportedError(f"builtin '{name}' is not supported here", *where)
        return tree.Const(where, type, value or 0)

    def _cast(self, operand: Expr, type: CType, where: Location) -> Expr:
        if operand.type.same_value(type) and type.kind not in (Kind.VOID, Kind.POINTER):
            return operand
        return fold_cast(operand, type) or tree.Cast(where, type, operand)

    def init_list(self, cursor: Cursor, where: Location) -> InitList:
        items = read_items(cursor, lambda item: loaded(self.expr(item)), self.printed)
        return InitList(where, self.type_of(cursor, where), items)


_Reader = Callable[[Any, Cursor, Location], Expr]
_READERS_OF_KINDS: dict[Any, _Reader] = {
    **dict.fromkeys(_LITERALS, ExpressionReader._literal),
    CursorKind.PAREN_EXPR: ExpressionReader._parentheses,
    CursorKind.DECL_REF_EXPR: ExpressionReader._reference,
    CursorKind.UNEXPOSED_EXPR: ExpressionReader._unexposed,
    CursorKind.ARRAY_SUBSCRIPT_EXPR: ExpressionReader._subscript,
    CursorKind.MEMBER_REF_EXPR: ExpressionReader._member,
    CursorKind.UNARY_OPERATOR: ExpressionReader._unary,
    CursorKind.BINARY_OPERATOR: ExpressionReader._binary,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: ExpressionReader._compound,
    CursorKind.CONDITIONAL_OPERATOR: ExpressionReader._conditional,
    CursorKind.StmtExpr: ExpressionReader._statement_expression,
    CursorKind.CALL_EXPR: ExpressionReader._call,
    CursorKind.CSTYLE_CAST_EXPR: ExpressionReader._explicit_cast,
    CursorKind.COMPOUND_LITERAL_EXPR: ExpressionReader._compound_literal,
    CursorKind.INIT_LIST_EXPR: ExpressionReader.init_list,
    CursorKind.STRING_LITERAL: ExpressionReader._string_literal,
    CursorKind.GENERIC_SELECTION_EXPR: ExpressionReader._generic,
}
COMMON_READERS: dict[int, _Reader] = {kind.value: read for kind, read in _READERS_OF_KINDS.items()}
"""By the number of a cursor's kind: what reads it."""


def loaded(expr: Expr) -> Expr:
    """The value of a place; a value is itself, and so is a string."""
    if not is_place(expr) or isinstance(expr, tree.String):
        return expr
    return tree.Load(expr.location, expr.type, expr)


def mark_address_taken(place: Expr) -> None:
    """Keep the variable that a place is a part of in memory."""
    root = tree.root(place)
    if isinstance(root, tree.VarRef):
        root.variable.in_memory = True


def _is_compound_literal(cursor: Cursor) -> bool:
    return clang_api.kind_of(_without_brackets(cursor)) is CursorKind.COMPOUND_LITERAL_EXPR


def _without_conversions(callee: Cursor) -> Cursor:
    """What is called, without conversions and parentheses around it."""
    while clang_api.kind_of(callee) in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        (callee,) = clang_api.children(callee)
    return callee


def _has_type_of(one: Cursor, other: Cursor) -> bool:
    return clang_api.type_of(one) == clang_api.type_of(other)


def _without_brackets(cursor: Cursor) -> Cursor:
    while clang_api.kind_of(cursor) is CursorKind.PAREN_EXPR:
        (cursor,) = clang_api.children(cursor)
    return cursor


_PLACES_WITHOUT_SPACE = (CursorKind.COMPOUND_LITERAL_EXPR, CursorKind.GENERIC_SELECTION_EXPR)


def _brackets_around(cursor: Cursor) -> int:
    count = 0
    while clang_api.kind_of(cursor) is CursorKind.PAREN_EXPR:
        (cursor,) = clang_api.children(cursor)
        count += 1
    return count


def _in_macro(cursor: Cursor) -> bool:
    # clang's source locations have their highest bit set inside macro expansions.
    return bool(cursor.extent.begin_int_data & 0x80000000)


def _may_be_place(cursor: Cursor) -> bool:
    """Whether an expression is a literal, which is in memory, a part of it, or a selected one."""
    while True:
        cursor = _without_brackets(cursor)
        kind = clang_api.kind_of(cursor)
        children = clang_api.children(cursor)
        is_part = kind is CursorKind.UNEXPOSED_EXPR and len(children) == 1
        is_part = is_part and clang_api.begin_of(cursor) == clang_api.begin_of(children[0])
        is_part = is_part or (kind is CursorKind.MEMBER_REF_EXPR and bool(children))
        if not is_part:
            return kind in _PLACES_WITHOUT_SPACE
        cursor = children[0]
