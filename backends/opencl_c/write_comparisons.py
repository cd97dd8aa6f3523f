"""Comparisons, and choices between two values."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import BOOL, INT, Number, is_number
from polycl.backends.opencl_c.folding import QUERIES
from polycl.backends.opencl_c.text import Expr, binary, cast, of_sign, typed
from polycl.backends.opencl_c.write_arithmetic import inverted, is_condition, negated
from polycl.backends.opencl_c.writer import Expressions, Writer
from polycl.dialects import vec
from polycl.dialects.comparisons import predicate_of
from polycl.errors import error_at

EXPRESSIONS = Expressions()


@EXPRESSIONS.of(arith.CmpiOp)
def _compare_integers(w: Writer, op: vec.AnyCmpi) -> Expr:
    predicate = predicate_of(op)
    a, b = w.expression(op.lhs), w.expression(op.rhs)
    sign = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}[predicate[-2:]]
    level = text.EQUAL if predicate in ("eq", "ne") else text.LESS
    if is_condition(op.lhs):
        if predicate not in ("eq", "ne"):
            raise error_at(op, "the order of two i1 has no operator in OpenCL C")
        return binary(sign, level, a, b, BOOL)
    if predicate[0] == "u" and is_natural(op.lhs) and is_natural(op.rhs):
        predicate = f"s{predicate[1:]}"
    type = w.type_of(op.lhs)
    if type.lanes > 1:
        operand = type.signed(predicate[0] == "u")
        a, b = (text.reinterpret(w.convert(e, type), operand) for e in (a, b))
        a, b = text.vector_operands(a, b)
        return binary(sign, level, a, b, type.signed())
    if level == text.EQUAL and type.width >= 32:
        a, b = text.arithmetic(a, b, type)
    else:
        operand = type.signed(predicate[0] == "u" if level == text.LESS else type.is_unsigned)
        a, b = of_sign(a, operand), of_sign(b, operand)
    return binary(sign, level, a, b, BOOL)


def is_natural(value: SSAValue) -> bool:
    """Whether an index is known to be at least 0, so that its comparisons need no sign."""
    owner = value.owner
    match owner:
        case arith.ConstantOp(value=IntegerAttr() as number):
            return number.value.data >= 0
        case arith.AddiOp() | arith.MuliOp():
            return isinstance(value.type, IndexType) and all(map(is_natural, owner.operands))
        case Block():
            loop = owner.parent_op()
            return isinstance(loop, scf.ForOp) and owner.args[0] is value and is_natural(loop.lb)
        case _:
            return isinstance(owner, QUERIES)


_FLOAT_COMPARISONS = {
    "oeq": ("==", False),
    "ogt": (">", False),
    "oge": (">=", False),
    "olt": ("<", False),
    "ole": ("<=", False),
    "une": ("!=", False),
    "ugt": ("<=", True),
    "uge": ("<", True),
    "ult": (">=", True),
    "ule": (">", True),
    "one": ("islessgreater", False),
    "ueq": ("islessgreater", True),
    "ord": ("isordered", False),
    "uno": ("isunordered", False),
}
"""The operator or function, and whether its result is negated."""


@EXPRESSIONS.of(arith.CmpfOp)
def _compare_floats(w: Writer, op: vec.AnyCmpf) -> Expr:
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    type = w.type_of(op.results[0])
    a, b = w.expression(op.lhs), w.expression(op.rhs)
    scalar = type.lanes == 1
    if predicate in ("false", "true"):
        value = text.integer(-(predicate == "true"), type.element)
        return value if scalar else text.splat(value, type)
    sign, is_negated = _FLOAT_COMPARISONS[predicate]
    if sign.isalpha():
        found = w.call(sign, a, b, type=type)
    else:
        level = text.EQUAL if sign in ("==", "!=") else text.LESS
        found = binary(sign, level, *text.vector_operands(a, b), type)
    if not is_negated:
        return found
    return negated(found) if scalar else inverted(found)


@EXPRESSIONS.of(arith.SelectOp)
def _select(w: Writer, op: vec.AnySelect) -> Expr:
    condition = w.expression(op.cond)
    if isinstance(op, vec.SelectOp):
        type = w.type_of(op.result)
        a, b = w.exactly(op.lhs, type), w.exactly(op.rhs, type)
        mask = w.convert(condition, Number("int", type.lanes)) if type.is_float else condition
        mask = w.convert(mask, type.signed())
        return w.call("select", b, a, mask, type=type)
    return _either(w, condition, op.lhs, op.rhs, op.result)


def _either(w: Writer, condition: Expr, lhs: SSAValue, rhs: SSAValue, result: SSAValue) -> Expr:
    """`result` as `condition ? lhs : rhs`."""
    a, b = w.expression(lhs), w.expression(rhs)
    if not is_number(result.type):
        return text.as_pointer(text.choice(condition, a, b, None))
    type = w.type_of(result)
    if type == BOOL:
        if b.text == "false":
            return binary("&&", text.AND, condition, a, BOOL)
        if a.text == "true":
            return binary("||", text.OR, condition, b, BOOL)
        if (a.text, b.text) == ("false", "true"):
            return negated(condition)
        return text.choice(condition, a, b, BOOL)
    if type.lanes > 1 or type.is_float:
        return text.choice(condition, w.convert(a, type), w.convert(b, type), type)
    a, b = _same_scalar(a, type), _same_scalar(b, type)
    if type.width < 32:
        # C promotes both to int.
        return cast(text.choice(condition, a, b, INT), type)
    return text.choice(condition, a, b, type)


def _same_scalar(expr: Expr, type: Number) -> Expr:
    if expr.literal is not None:
        literal = text.integer(expr.literal, type)
        return typed(literal) if type.width == 64 or type.is_unsigned else literal
    return cast(expr, type) if expr.type != type else expr


@EXPRESSIONS.of(scf.IfOp)
def _choice(w: Writer, op: scf.IfOp) -> Expr:
    (a,), (b,) = (terminator(region.block).operands for region in op.regions)
    return _either(w, w.expression(op.cond), a, b, op.results[0])
