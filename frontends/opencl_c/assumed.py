"""`__builtin_assume(n % 8 == 0)` in a kernel -> an assumption on the kernel's arguments."""

from __future__ import annotations

from collections.abc import Iterator

from polycl.dialects.ocl.assumptions import AssumptionError, check_assumption
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import assigned
from polycl.frontends.opencl_c.operators import COMPARISONS
from polycl.frontends.opencl_c.tree import Expr, Function, Stmt
from polycl.frontends.opencl_c.types import CType, Kind


def assumed(kernel: Function) -> list[str]:
    """The assumptions that every work-item of a kernel reaches, as texts of `ocl.kernel`.

    Others state nothing about a launch, and are dropped: a builtin of clang promises no use.
    """
    fixed = set(kernel.parameters) - assigned(kernel.body)
    names = {parameter: parameter.name for parameter in fixed if not parameter.in_memory}
    found: list[str] = []
    for condition in _conditions(kernel.body):
        text = _text(condition, names)
        if text is None:
            continue
        try:
            check_assumption(text, names.values())
        except AssumptionError:
            continue  # not affine
        found.append(text)
    return found


def _conditions(body: list[Stmt]) -> Iterator[Expr]:
    """What is assumed before the first statement that may leave or branch."""
    for statement in body:
        match statement:
            case tree.Evaluate(expr=tree.BuiltinCall(name="__builtin_assume", arguments=[expr])):
                yield expr
            case tree.Evaluate() | tree.Declare():
                pass
            case _:
                return


def _text(expr: Expr, names: dict[tree.Variable, str]) -> str | None:
    """The expression in the language of assumptions, in which nothing wraps."""
    match expr:
        case tree.Const(value=int(value)):
            return str(value)
        case tree.Load(place=tree.VarRef(variable=variable)):
            return names.get(variable) if variable.type.kind is Kind.INT else None
        case tree.Cast(operand=operand, type=type) if _keeps_value(operand, type):
            return _text(operand, names)
        case tree.Logical(op="&&", left=left, right=right):
            return _joined(left, "and", right, names)
        case tree.Binary(op=op, left=left, right=right) if op in COMPARISONS:
            return _joined(left, op, right, names)
        case tree.Binary(op="%", left=left, right=tree.Const(value=int(value))) if value > 0:
            # A negative remainder is 0 where the mathematical one is, and differs elsewhere.
            text = None if left.type.signed else _text(left, names)
            return None if text is None else f"({text}) % {value}"
        case tree.Binary(op="+" | "-" | "*" as op, left=left, right=right) if expr.type.signed:
            text = _joined(left, op, right, names)
            return None if text is None else f"({text})"
        case _:
            return None


def _keeps_value(operand: Expr, type: CType) -> bool:
    source = operand.type
    if type.kind is Kind.BOOL:
        return isinstance(operand, tree.Binary | tree.Logical) and operand.type.kind is Kind.INT
    if not (source.is_integer and type.is_integer):
        return False
    return (
        source.signed == type.signed
        and type.width >= source.width
        or (type.signed and type.width > source.width)
    )


def _joined(left: Expr, op: str, right: Expr, names: dict[tree.Variable, str]) -> str | None:
    if isinstance(left, tree.Binary) and left.op == "%" and left.type.signed:
        match op, left.right, right:
            case "==", tree.Const(value=int(divisor)), tree.Const(value=0) if divisor > 0:
                dividend = _text(left.left, names)
                return None if dividend is None else f"({dividend}) % {divisor} == 0"
        return None
    first, second = _text(left, names), _text(right, names)
    return None if first is None or second is None else f"{first} {op} {second}"
