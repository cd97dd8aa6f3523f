"""Scalar code in the notation of [lift15]: `acc + abs(a)`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, VectorType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import vec

INFIX = {
    "arith.mulf": ("*", 3),
    "arith.muli": ("*", 3),
    "arith.divf": ("/", 3),
    "arith.divsi": ("/", 3),
    "arith.divui": ("/", 3),
    "arith.remsi": ("%", 3),
    "arith.remui": ("%", 3),
    "arith.addf": ("+", 2),
    "arith.addi": ("+", 2),
    "arith.subf": ("-", 2),
    "arith.subi": ("-", 2),
}
"""The operations with a symbol, and its precedence."""

CALLS = {
    "math.absf": "abs",
    "math.absi": "abs",
    "arith.negf": "neg",
    "arith.maximumf": "max",
    "arith.maxnumf": "max",
    "arith.maxsi": "max",
    "arith.maxui": "max",
    "arith.minimumf": "min",
    "arith.minnumf": "min",
    "arith.minsi": "min",
    "arith.minui": "min",
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.mulf": "mult",
    "arith.muli": "mult",
}
"""The operations whose function has another name."""

COMMUTATIVE = {"+", "*", "max", "min"}

# The last two letters count: the notation has neither signs nor ordered comparisons.
COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}


def function_name(op: Operation) -> str:
    """The name of a scalar operation as a function."""
    return CALLS.get(op.name) or op.name.partition(".")[2]


def symbol(op: Operation) -> str:
    """The text of an operation of two operands: `+`, or a name."""
    return INFIX[op.name][0] if op.name in INFIX else function_name(op)


def literal(value: SSAValue) -> str | None:
    """The text of a constant; None for other operations."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp):
        return None
    match op.value:
        case FloatAttr() as number:
            return f"{number.value.data:g}"
        case IntegerAttr() as number:
            return str(number.value.data)
        case DenseIntOrFPElementsAttr() as dense if dense.is_splat():
            assert isinstance(value.type, VectorType)
            return f"vectorize-{value.type.get_shape()[0]}({dense.get_values()[0]:g})"
        case _:
            return "constant"


def is_comparison(op: Operation) -> bool:
    """Whether the operation compares two numbers."""
    return isinstance(op, vec.AnyCmpf | vec.AnyCmpi)


def scalar_text(op: Operation, operand: Callable[[SSAValue, int], str], level: int) -> str:
    """A scalar operation as an expression.

    `operand(value, level)` gives the text of an operand, in parentheses where it binds weaker
    than `level`; the result is in parentheses where it binds weaker than `level`.
    """
    if op.name in INFIX and len(op.operands) == 2:
        sign, own = INFIX[op.name]
        left, right = operand(op.operands[0], own), operand(op.operands[1], own + 1)
        text = f"{left} {sign} {right}"
        return f"({text})" if own < level else text
    if isinstance(op, vec.AnyCmpf | vec.AnyCmpi):
        names = (
            CMPF_COMPARISON_OPERATIONS
            if isinstance(op, vec.AnyCmpf)
            else CMPI_COMPARISON_OPERATIONS
        )
        name = names[op.predicate.value.data]
        sign = COMPARISONS.get(name[-2:], name)
        text = f"{operand(op.lhs, 2)} {sign} {operand(op.rhs, 2)}"
        return f"({text})" if level > 1 else text
    if isinstance(op, vec.AnySelect):
        condition, then, other = (operand(value, 1) for value in op.operands)
        text = f"if {condition} then {then} else {other}"
        return f"({text})" if level > 0 else text
    return f"{function_name(op)}({', '.join(operand(value, 0) for value in op.operands)})"
