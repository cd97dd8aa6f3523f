"""An expression whose parts are constants -> a constant.

Objects of the API and arrays are never null: every call is assumed to succeed, so that the handling
of errors is under false conditions.
"""

from __future__ import annotations

from polycl.dialects.ocl import PtrType
from polycl.frontends.host.calls import PREFIX
from polycl.frontends.host.host_types import SETUP, is_setup
from polycl.frontends.host.rewriting import is_null, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.constants import fold_binary, fold_cast, fold_unary
from polycl.frontends.opencl_c.effects import has_effects
from polycl.frontends.opencl_c.operators import COMPARISONS
from polycl.frontends.opencl_c.tree import Const, Expr
from polycl.frontends.opencl_c.types import INT, Kind

_ALLOCATIONS = ("malloc", "calloc", "aligned_alloc")


def folded(expr: Expr) -> Expr:
    """The expression, whose parts are folded, itself folded."""
    where = expr.location
    match expr:
        case tree.Cast(operand=operand, type=type):
            return fold_cast(operand, type) or expr
        case tree.Unary(op="!", operand=operand):
            known = truth_of(operand)
            return expr if known is None else Const(where, INT, int(not known))
        case tree.Unary(op=op, operand=operand, type=type):
            return fold_unary(op, operand, type) or expr
        case tree.Binary(op=op, left=left, right=right) if op in COMPARISONS:
            return _comparison(expr, op, left, right)
        case tree.Binary(op=op, left=left, right=right, type=type):
            return fold_binary(op, left, right, type) or expr
        case tree.Logical(op=op, left=left, right=right):
            return _logical(expr, op, left, right)
        case tree.Conditional(condition=condition):
            known = truth_of(condition)
            return expr if known is None else expr.then if known else expr.otherwise
        case tree.Comma(first=first, second=second) if not has_effects(first):
            return second
        case tree.CompoundAssign(op="|" | "+" | "-" | "^", value=Const(value=0), place=place):
            return tree.Load(where, expr.type, place)
        case tree.Index(pointer=pointer, index=index):
            return _index(expr, pointer, index)
        case tree.Load(type=type) if is_setup(type) and type is not SETUP:
            # Objects for the setup of a device are not followed.
            return Const(where, type, 1)
        case tree.Load(place=place) if not tree.is_place(place):
            # A value has replaced the variable.
            return place
        case tree.AddressOf(place=tree.Index(pointer=pointer, index=index)) if (
            index is None or is_null(index)
        ):
            return pointer if pointer.type.element.kind is not Kind.ARRAY else expr
        case _:
            return expr


def truth_of(expr: Expr) -> bool | None:
    """Whether a condition holds, if known."""
    plain = without_casts(expr)
    if isinstance(plain.type.value, PtrType):
        return _truth_of_address(plain)
    match plain:
        case Const(value=value) if plain.type.kind is not Kind.POINTER:
            return value != 0
        case tree.BuiltinCall(name=name) if not name.startswith((PREFIX, *_ALLOCATIONS)):
            return None
        case _ if plain.type.kind in (Kind.HANDLE, Kind.POINTER):
            return None if is_null(plain) else True
        case _:
            return None


def _truth_of_address(pointer: Expr) -> bool | None:
    """Whether a pointer in C's memory is not null, if known."""
    match pointer:
        case Const(value=value):
            return value != 0
        case tree.AddressOf(place=tree.VarRef() | tree.String()):
            return True
        case _:
            return None


def _index(expr: Expr, pointer: Expr, index: Expr | None) -> Expr:
    """`(&x)[0]` is x."""
    pointer = without_casts(pointer)
    if index is not None and not is_null(index):
        return expr
    if isinstance(pointer, tree.AddressOf) and pointer.place.type.kind is not Kind.ARRAY:
        if pointer.place.type.memory == expr.type.memory:
            return pointer.place
    return expr


def _comparison(expr: Expr, op: str, left: Expr, right: Expr) -> Expr:
    where = expr.location
    if op in ("==", "!=") and (is_null(left) or is_null(right)):
        other = left if is_null(right) else right
        if without_casts(other).type.kind in (Kind.HANDLE, Kind.POINTER):
            known = truth_of(other)
            if known is not None:
                return Const(where, INT, int(known == (op == "!=")))
    if not (isinstance(left, Const) and isinstance(right, Const)):
        return expr
    a, b = left.value, right.value
    holds = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    return Const(where, INT, int(holds))


def _logical(expr: tree.Logical, op: str, left: Expr, right: Expr) -> Expr:
    known, decides = truth_of(left), op == "||"
    if known is decides:
        return Const(expr.location, INT, int(decides))
    other = truth_of(right)
    if known is not None:
        return right if other is None else Const(expr.location, INT, int(other))
    if other is (not decides):
        return left
    return expr
