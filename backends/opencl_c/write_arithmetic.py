"""Operators of C: what `arith` computes, on scalars and on vectors."""

from __future__ import annotations

from itertools import count
from typing import Any

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    i1,
)
from xdsl.ir import Operation, SSAValue

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import BOOL, INT, Number, is_number
from polycl.backends.opencl_c.text import (
    Expr,
    as_pointer,
    binary,
    cast,
    of_sign,
    swizzle,
    typed,
)
from polycl.backends.opencl_c.writer import Expressions, Writer
from polycl.dialects import ocl, vec
from polycl.errors import error_at

EXPRESSIONS = Expressions()

_FLOAT: dict[type[Operation], tuple[str, int]] = {
    arith.AddfOp: ("+", text.SUM),
    arith.SubfOp: ("-", text.SUM),
    arith.MulfOp: ("*", text.PRODUCT),
    arith.DivfOp: ("/", text.PRODUCT),
}
_WRAPPING: dict[type[Operation], tuple[str, int]] = {
    arith.AddiOp: ("+", text.SUM),
    arith.SubiOp: ("-", text.SUM),
    arith.MuliOp: ("*", text.PRODUCT),
    arith.AndIOp: ("&", text.BIT_AND),
    arith.OrIOp: ("|", text.BIT_OR),
    arith.XOrIOp: ("^", text.BIT_XOR),
}
_LOGIC: dict[type[Operation], tuple[str, int]] = {
    arith.AddiOp: ("!=", text.EQUAL),
    arith.SubiOp: ("!=", text.EQUAL),
    arith.MuliOp: ("&&", text.AND),
    arith.AndIOp: ("&&", text.AND),
    arith.OrIOp: ("||", text.OR),
    arith.XOrIOp: ("!=", text.EQUAL),
}
_SIGNED: dict[type[Operation], tuple[str, bool]] = {
    arith.DivSIOp: ("/", False),
    arith.DivUIOp: ("/", True),
    arith.RemSIOp: ("%", False),
    arith.RemUIOp: ("%", True),
}
"""The operator, and whether its operands are unsigned."""


def is_condition(value: SSAValue) -> bool:
    return value.type == i1


def _result(w: Writer, op: Operation) -> Number:
    return w.type_of(op.results[0])


@EXPRESSIONS.of(*_FLOAT)
def _float(w: Writer, op: Operation) -> Expr:
    sign, level = _FLOAT[type(op)]
    a, b = text.vector_operands(*(w.expression(operand) for operand in op.operands))
    _check_half(w, op)
    if (sign, level) == ("-", text.SUM) and b.text.startswith("-"):
        b = Expr(f"({b.text})", b.type, reads=b.reads)
    return binary(sign, level, a, b, _result(w, op))


def _check_half(w: Writer, op: Operation) -> None:
    if any(is_number(v.type) and w.type_of(v).name == "half" for v in op.results):
        w.shared.extensions.add("cl_khr_fp16")


@EXPRESSIONS.of(*_WRAPPING)
def _wrapping(w: Writer, op: Operation) -> Expr:
    """Sums, products and bitwise operations, whose bits do not depend on the sign."""
    a, b = (w.expression(operand) for operand in op.operands)
    result = op.results[0]
    if is_condition(result):
        return _logic(op, a, b)
    sign, level = _WRAPPING[type(op)]
    target = _result(w, op)
    if isinstance(op, arith.AddiOp) and b.literal is not None and target.lanes == 1:
        # x + -1 is x - 1.
        value = text.integer(b.literal, target.signed()).literal or 0
        if value < 0 and value != -(1 << (target.width - 1)):
            sign, b = "-", text.integer(-value, target)
    if isinstance(op, arith.XOrIOp) and b.splat is not None and b.splat.literal == -1:
        return inverted(a)
    if isinstance(op, arith.XOrIOp) and target.lanes == 1:
        if b.literal is not None and b.literal % (1 << target.width) == (1 << target.width) - 1:
            a = a if a.number.width == target.width else cast(a, target)
            return _narrowed(inverted(a), target)
    if _may_overflow(w, op):
        target = target.signed(unsigned=True)
    a, b = (e if e.literal is None else text.integer(e.literal, target) for e in (a, b))
    if target.lanes > 1 and not a.number.width == b.number.width == target.width:
        # The elements of masks may have other widths.
        a, b = w.convert(a, target), w.convert(b, target)
    a, b = text.arithmetic(a, b, target)
    if target.lanes > 1:
        return binary(sign, level, a, b, target)
    if target.width == 16 and isinstance(op, arith.MuliOp):
        # The product of two unsigned shorts does not fit in int.
        a = cast(a, text.UINT)
    return _narrowed(binary(sign, level, a, b, text.widened(a, b)), target)


def _narrowed(found: Expr, type: Number) -> Expr:
    """A result that C computes in int, where `type` is narrower."""
    return found if type.width >= 32 else cast(found, type)


def _may_overflow(w: Writer, op: Operation) -> bool:
    """Whether the result may wrap, which C's sums of signed integers must not."""
    if not w.shared.signs.wraps or not isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        return False
    flags = op.overflow_flags
    is_id = isinstance(vec.element_of(op.result.type), IndexType)
    return not is_id and (flags is None or arith.IntegerOverflowFlag.NSW not in flags.data)


def _logic(op: Operation, a: Expr, b: Expr) -> Expr:
    """On i1. C may skip the right operand, which has no effects."""
    if isinstance(op, arith.XOrIOp):
        for one, other in ((a, b), (b, a)):
            if other.text == "true":
                return negated(one)
    sign, level = _LOGIC[type(op)]
    return binary(sign, level, a, b, BOOL)


def negated(condition: Expr) -> Expr:
    if condition.text.startswith("!") and condition.level == text.UNARY:
        return Expr(condition.text[1:], BOOL, text.UNARY, condition.reads)
    return text.unary("!", condition, BOOL)


def _amount(w: Writer, op: arith.ShLIOp | arith.ShRSIOp | arith.ShRUIOp) -> Expr:
    """The amount, without a mask of the IR that OpenCL C applies itself (modulo the width)."""
    masked = op.rhs.owner
    width = w.type_of(op.lhs).width
    if isinstance(masked, arith.AndIOp) and masked in w.folding.folded and width >= 32:
        mask = w.expression(masked.rhs)
        if (mask.splat or mask).literal == width - 1:
            return w.expression(masked.lhs)
    return w.expression(op.rhs)


@EXPRESSIONS.of(arith.ShLIOp)
def _shift_left(w: Writer, op: arith.ShLIOp) -> Expr:
    type = _result(w, op)
    a, b = w.expression(op.lhs), _amount(w, op)
    if type.lanes > 1:
        a, b = text.reinterpret(a, type), text.reinterpret(b, type)
        return binary("<<", text.SHIFT, a, b, type)
    if a.literal is not None or a.number.width != type.width:
        a = typed(cast(a, type))
    return _narrowed(binary("<<", text.SHIFT, a, b, a.number if type.width >= 32 else INT), type)


@EXPRESSIONS.of(arith.ShRSIOp, arith.ShRUIOp)
def _shift_right(w: Writer, op: arith.ShRSIOp | arith.ShRUIOp) -> Expr:
    unsigned = isinstance(op, arith.ShRUIOp)
    type = w.type_of(op.lhs).signed(unsigned)
    a, b = of_sign(w.expression(op.lhs), type), _amount(w, op)
    if type.lanes > 1:
        return binary(">>", text.SHIFT, a, text.reinterpret(b, type), type)
    if a.literal is not None:
        a = typed(a)
    if a.number.width < type.width:
        a = cast(a, type)
    return _narrowed(binary(">>", text.SHIFT, a, b, type if type.width >= 32 else INT), type)


@EXPRESSIONS.of(*_SIGNED)
def _signed(w: Writer, op: Operation) -> Expr:
    sign, unsigned = _SIGNED[type(op)]
    type_ = w.type_of(op.results[0]).signed(unsigned)
    a, b = (of_sign(w.expression(operand), type_) for operand in op.operands)
    if type_.lanes > 1:
        return binary(sign, text.PRODUCT, *text.vector_operands(a, b), type_)
    if a.literal is not None and b.literal is not None:
        a = typed(a)
    if type_.width == 64 and text.widened(a, b).width < 64:
        a = cast(a, type_)
    return _narrowed(binary(sign, text.PRODUCT, a, b, text.widened(a, b)), type_)


@EXPRESSIONS.of(arith.FloorDivSIOp, arith.CeilDivSIOp, arith.CeilDivUIOp)
def _rounded_division(w: Writer, op: Operation) -> Expr:
    """Quotients rounded down or up, by a function for each type."""
    unsigned = isinstance(op, arith.CeilDivUIOp)
    type_ = _result(w, op).signed(unsigned)
    if type_.lanes > 1:
        raise error_at(op, "of vectors cannot be written in OpenCL C; expected scalars")
    up = not isinstance(op, arith.FloorDivSIOp)
    name = f"{'ceil' if up else 'floor'}_div_{type_}"
    test = f"(a % b != 0 && (a < 0) {'==' if up else '!='} (b < 0))"
    if unsigned:
        test = "(a % b != 0)"
    w.helper(
        name,
        f"{type_} {name}({type_} a, {type_} b) {{\n"
        f"  return a / b {'+' if up else '-'} {test};\n}}\n",
    )
    arguments = (w.exactly(operand, type_) for operand in op.operands)
    return w.call(name, *arguments, type=type_)


@EXPRESSIONS.of(vec.LookupOp)
def _lookup(w: Writer, op: vec.LookupOp) -> Expr:
    """A number of a table, by a function for each table and type."""
    type, index = _result(w, op), w.type_of(op.index).signed()
    _check_half(w, op)
    numbers = ", ".join(text.floating(x, type.element).text for x in op.table.get_values())
    last = len(op.table) - 1
    lanes = [swizzle([lane], type.lanes) for lane in range(type.lanes)] if type.lanes > 1 else [""]

    def definition(name: str) -> str:
        found = ", ".join(f"{name}_table[i{lane} & {last}]" for lane in lanes)
        return (
            f"constant {type.element} {name}_table[{last + 1}] = {{{numbers}}};\n"
            f"{type} {name}({index} i) {{\n"
            f"  return {f'({type})({found})' if type.lanes > 1 else found};\n}}\n"
        )

    names = (f"lookup_{type}_{number}" for number in count(1))
    helpers = w.shared.helpers
    name = next(x for x in names if helpers.get(x) in (None, definition(x)))
    w.helper(name, definition(name))
    return w.call(name, w.exactly(op.index, index), type=type)


def inverted(mask: Expr) -> Expr:
    """All bits inverted, which negates a mask."""
    return text.unary("~", mask, mask.type)


@EXPRESSIONS.of(arith.ConstantOp)
def _constant(w: Writer, op: arith.ConstantOp) -> Expr:
    value, type = op.value, w.type_of(op.result)
    match value:
        case IntegerAttr():
            return text.integer(value.value.data, type)
        case FloatAttr():
            return text.floating(value.value.data, type)
        case DenseIntOrFPElementsAttr():
            values: list[Any] = list(value.get_values())
            if type.lanes > 1 and value.get_element_type() == i1:
                values = [-(int(v) & 1) for v in values]
            elements = [_number(v, type.element) for v in values]
            if value.is_splat():
                return text.splat(elements[0], type)
            inside = ", ".join(typed(element).text for element in elements)
            return Expr(f"({type})({inside})", type)
        case _:
            raise error_at(op, f"a constant {value} cannot be written in OpenCL C")


def _number(value: float, type: Number) -> Expr:
    return text.floating(value, type) if type.is_float else text.integer(int(value), type)


@EXPRESSIONS.of(ub.PoisonOp)
def _poison(w: Writer, op: ub.PoisonOp) -> Expr:
    """Any value will do."""
    type = op.result.type
    if isinstance(type, ocl.PtrType):
        return null(w, op.result)
    if not is_number(type):
        name = w.shared.types.base(type, False)
        return Expr(f"({name}){{0}}")
    found = w.type_of(op.result)
    zero = _number(0, found.element)
    return zero if found.lanes == 1 else text.splat(zero, found)


def null(w: Writer, pointer: SSAValue) -> Expr:
    return as_pointer(Expr(f"({w.pointer_type(pointer)})0", None, text.UNARY))


@EXPRESSIONS.of(arith.NegfOp)
def _negate(w: Writer, op: arith.NegfOp) -> Expr:
    found = w.expression(op.operand)
    _check_half(w, op)
    inner = f"({found.text})" if found.text.startswith("-") else found.at(text.UNARY)
    return Expr(f"-{inner}", found.type, text.UNARY, found.reads)


@EXPRESSIONS.of(arith.MinSIOp, arith.MinUIOp, arith.MaxSIOp, arith.MaxUIOp)
def _least_or_most(w: Writer, op: Operation) -> Expr:
    name = "min" if isinstance(op, arith.MinSIOp | arith.MinUIOp) else "max"
    type = _result(w, op).signed(isinstance(op, arith.MinUIOp | arith.MaxUIOp))
    return w.call(name, *(w.exactly(operand, type) for operand in op.operands), type=type)


@EXPRESSIONS.of(arith.MinnumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MaximumfOp)
def _least_or_most_float(w: Writer, op: Operation) -> Expr:
    """`minnumf` ignores a NaN as `fmin` does; `minimumf` propagates it and orders zeros."""
    a, b = (w.exact(operand) for operand in op.operands)
    type = _result(w, op)
    least = isinstance(op, arith.MinnumfOp | arith.MinimumfOp)
    name = "fmin" if least else "fmax"
    if isinstance(op, arith.MinnumfOp | arith.MaxnumfOp):
        return w.call(name, a, b, type=type)
    if type.lanes > 1:
        raise error_at(op, "of vectors cannot be written in OpenCL C; expected scalars")
    helper = f"{'minimum' if least else 'maximum'}_{type}"
    zeros = f"signbit(a) {'?' if least else '? b :'} {'a : b' if least else 'a'}"
    w.helper(
        helper,
        f"{type} {helper}({type} a, {type} b) {{\n"
        f"  if (isunordered(a, b)) return a + b;\n"
        f"  return a == b ? ({zeros}) : {name}(a, b);\n}}\n",
    )
    return w.call(helper, a, b, type=type)
