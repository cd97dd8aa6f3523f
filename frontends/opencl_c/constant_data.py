"""Initial values of program-scope data as attributes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import Attribute

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import field_offsets, stride_of
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import constant_attribute
from polycl.frontends.opencl_c.constants import convert, fold_binary, fold_unary
from polycl.frontends.opencl_c.tree import Const, Expr, Variable
from polycl.frontends.opencl_c.types import CType, Kind

FindAddress = Callable[[Expr], Attribute | None]
"""The attribute for an address, if it is one that data can hold."""


def constant_value(
    type: CType, value: Expr | None, find_address: FindAddress = lambda value: None
) -> Attribute:
    """The attribute for an object of `type`; no value means zeros.

    Raises:
        UnsupportedError: the value is not a constant, or an address that `find_address` does not
            know.
    """
    if type.is_scalar:
        number = 0 if value is None else _number(value)
        return constant_attribute(number, type.memory)
    if type.kind is Kind.POINTER:
        if value is None or is_null(value):
            return IntegerAttr(0, i64)
        address = find_address(value)
        if address is None:
            raise UnsupportedError(
                "this address is not supported in an initialiser; expected a null pointer, or in a "
                "variable in global memory, the address of one in global memory",
                *value.location,
            )
        return address
    if type.kind is Kind.VECTOR:
        return ArrayAttr(constant_attribute(n, type.element.memory) for n in _lanes(type, value))
    entries: dict[str | int, Expr] = {}
    if isinstance(value, tree.Aggregate):
        entries = value.entries
    elif value is not None:
        raise _not_constant(value)
    if type.kind is Kind.ARRAY:
        zero = constant_value(type.element, None)
        return ArrayAttr(
            constant_value(type.element, entries[n], find_address) if n in entries else zero
            for n in range(type.count)
        )
    if type.kind is Kind.UNION:
        name, field = type.fields[0]
        if any(key != name for key in entries) and value is not None:
            raise UnsupportedError(
                "constant data of a union is supported for its first field only", *value.location
            )
        return ArrayAttr([constant_value(field, entries.get(name), find_address)])
    if type.kind is Kind.STRUCT:
        assert isinstance(type.memory, ocl.StructType)
        return ArrayAttr(
            constant_value(type.field(name), entries.get(name), find_address)
            if name in dict(type.fields)
            else _no_bytes(memory)
            for name, memory in type.memory.fields
        )
    where = value.location if value is not None else ("", 0, 0)
    raise UnsupportedError(f"constant data of type '{type.spelling}' is not supported", *where)


def is_null(value: Expr) -> bool:
    """Whether the expression is a null pointer constant, or zero."""
    while isinstance(value, tree.Cast):
        value = value.operand
    return isinstance(value, Const) and value.value == 0


def pointed_byte(pointer: Expr) -> tuple[Variable, int] | None:
    """The variable that a constant pointer points into, and the number of bytes before that
    place; None: it is no constant."""
    match pointer:
        case tree.AddressOf(place=place):
            return _byte_of(place)
        case tree.Cast(operand=operand) if operand.type.kind is Kind.POINTER:
            return pointed_byte(operand)
        case tree.Binary(op="+" | "-" as op, left=left, right=right):
            if left.type.kind is not Kind.POINTER:
                left, right = right, left
            return _moved(left, right, -1 if op == "-" else 1)
        case _:
            return None


def _byte_of(place: Expr) -> tuple[Variable, int] | None:
    match place:
        case tree.VarRef(variable=variable):
            return variable, 0
        case tree.Index(pointer=pointer, index=None):
            return pointed_byte(pointer)
        case tree.Index(pointer=pointer, index=Expr() as index):
            return _moved(pointer, index, 1)
        case tree.Member(base=base, field=name):
            found = _byte_of(base)
            memory = base.type.memory
            if found is None or not isinstance(memory, ocl.StructType | ocl.UnionType):
                return None
            names = [field for field, _ in memory.fields]
            return found[0], found[1] + field_offsets(memory)[names.index(name)]
        case _:
            return None


def _moved(pointer: Expr, by: Expr, sign: int) -> tuple[Variable, int] | None:
    found = pointed_byte(pointer) if pointer.type.kind is Kind.POINTER else None
    number = _folded(by)
    if found is None or not isinstance(number, int):
        return None
    return found[0], found[1] + sign * number * stride_of(pointer.type.element.memory)


def _no_bytes(padding: Attribute) -> Attribute:
    assert isinstance(padding, ocl.ArrayType)
    return ArrayAttr([constant_attribute(0, padding.element)] * padding.size.data)


def _lanes(type: CType, value: Expr | None) -> list[int | float]:
    match value:
        case None:
            return [0] * type.count
        case tree.VectorLiteral(parts=parts):
            return [lane for part in parts for lane in _part_lanes(part)]
        case tree.Cast(operand=operand) if operand.type.is_scalar:
            return [_number(operand)] * type.count
        case _:
            raise _not_constant(value)


def _part_lanes(part: Expr) -> list[int | float]:
    return _lanes(part.type, part) if part.type.kind is Kind.VECTOR else [_number(part)]


def _number(value: Expr) -> int | float:
    if isinstance(value, tree.Cast) and value.operand.type.is_scalar:
        number = convert(_number(value.operand), value.type)
    else:
        number = _folded(value)
    if number is None:
        raise _not_constant(value)
    return number


def _folded(value: Expr) -> int | float | None:
    """A constant expression's value, rounded to the type of the expression at each step."""
    match value:
        case Const(value=number):
            return number
        case tree.Cast(operand=operand, type=type) if operand.type.is_scalar:
            number = _folded(operand)
            return None if number is None else convert(number, type)
        case tree.Unary(op=op, operand=operand):
            number = _folded(operand)
            if number is None or op == "!":
                return None if number is None else int(number == 0)
            folded = fold_unary(op, Const(value.location, operand.type, number), value.type)
            return None if folded is None else folded.value
        case tree.Logical(op=op, left=left, right=right):
            number = _folded(left)
            if number is not None and (number != 0) == (op == "&&"):
                number = _folded(right)
            return None if number is None else int(number != 0)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            number = _folded(condition)
            return None if number is None else _folded(then if number != 0 else otherwise)
        case tree.Binary():
            return _folded_binary(value)
        case _:
            return None


_COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _folded_binary(value: tree.Binary) -> int | float | None:
    op, left, right = value.op, value.left, value.right
    if not (left.type.is_scalar and right.type.is_scalar):
        return None
    a, b = _folded(left), _folded(right)
    if a is None or b is None:
        return None
    if op in _COMPARISONS:
        return int(_COMPARISONS[op](a, b))
    if value.type.kind is not Kind.FLOAT:
        x, y = Const(left.location, left.type, a), Const(right.location, right.type, b)
        folded = fold_binary(op, x, y, value.type)
        return None if folded is None else folded.value
    if op == "/":
        return convert(_quotient(a, b), value.type)
    return convert({"+": a + b, "-": a - b, "*": a * b}[op], value.type)


def _quotient(a: float, b: float) -> float:
    """IEEE division: by zero it gives infinity or NaN."""
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def _not_constant(value: Expr) -> UnsupportedError:
    return UnsupportedError("this initialiser is not a constant", *value.location)
