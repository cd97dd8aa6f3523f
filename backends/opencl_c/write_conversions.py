"""Conversions: from one arithmetic type to another."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, i1

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import BOOL, INT, Number
from polycl.backends.opencl_c.folding import QUERIES
from polycl.backends.opencl_c.text import Expr, binary, cast, of_sign
from polycl.backends.opencl_c.write_arithmetic import is_condition
from polycl.backends.opencl_c.writer import Expressions, Writer
from polycl.dialects import ocl, vec

EXPRESSIONS = Expressions()


@EXPRESSIONS.of(arith.ExtSIOp, arith.ExtUIOp)
def _extend(w: Writer, op: vec.AnyExtSI | vec.AnyExtUI) -> Expr:
    unsigned = isinstance(op, vec.AnyExtUI)
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if is_condition(op.input):
        if unsigned:
            return found
        one = text.integer(-1, INT)
        return text.choice(found, one, text.integer(0, INT), INT)
    source = w.type_of(op.input)
    if isinstance(op.input.type, VectorType) and op.input.type.element_type == i1:
        mask = w.convert(found, target.signed())
        if unsigned:
            mask = binary("&", text.BIT_AND, mask, text.integer(1, INT), target.signed())
        return text.reinterpret(mask, target)
    if target.lanes > 1:
        exact = text.reinterpret(found, source.signed(unsigned))
        wide = target.signed(unsigned)
        return text.reinterpret(w.call(f"convert_{wide}", exact, type=wide), target)
    if found.literal is not None:
        value = text.integer(found.literal, source.signed(unsigned)).literal
        return text.integer(value or 0, target)
    narrow = source.signed(unsigned)
    # C widens it by itself where it is used, and keeps the value.
    return found if found.type == narrow or _keeps(found.number, narrow) else cast(found, narrow)


def _keeps(found: Number, wanted: Number) -> bool:
    """Whether a value of type `found` is the same number in `wanted`."""
    return not found.is_float and found.width < wanted.width and found.is_unsigned


@EXPRESSIONS.of(arith.IndexCastOp)
def _index_cast(w: Writer, op: vec.AnyIndexCast) -> Expr:
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if found.literal is not None:
        return text.integer(found.literal, target)
    if is_condition(op.input):
        return text.choice(found, text.integer(-1, INT), text.integer(0, INT), INT)
    if isinstance(op.input.owner, QUERIES):
        # A launch makes sure that ids fit in the variable that has one.
        return found if target.width == 64 else cast(found, target)
    if w.type_of(op.input).width < target.width:
        narrow = w.type_of(op.input).signed()
        return (
            found if found.type == narrow or _keeps(found.number, narrow) else cast(found, narrow)
        )
    if target.width == 64:
        return found
    return cast(found, target)


@EXPRESSIONS.of(arith.TruncIOp)
def _truncate(w: Writer, op: vec.AnyTruncI) -> Expr:
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if target == BOOL:
        bit = binary("&", text.BIT_AND, found, text.integer(1, INT), found.number)
        return binary("!=", text.EQUAL, bit, text.integer(0, INT), BOOL)
    if target.lanes > 1:
        source = found.number.signed(target.is_unsigned)
        if isinstance(op.result.type, VectorType) and op.result.type.element_type == i1:
            one = binary("&", text.BIT_AND, found, text.integer(1, INT), found.number)
            return w.convert(binary("!=", text.EQUAL, one, text.integer(0, INT), source), target)
        return w.call(f"convert_{target}", text.reinterpret(found, source), type=target)
    return cast(found, target)


@EXPRESSIONS.of(arith.SIToFPOp, arith.UIToFPOp)
def _to_float(w: Writer, op: vec.AnySIToFP | vec.AnyUIToFP) -> Expr:
    unsigned = isinstance(op, vec.AnyUIToFP)
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if is_condition(op.input) and not unsigned:
        found = text.choice(found, text.integer(-1, INT), text.integer(0, INT), INT)
    elif not is_condition(op.input):
        found = of_sign(found, w.type_of(op.input).signed(unsigned))
    if target.lanes > 1:
        return w.call(f"convert_{target}", found, type=target)
    return Expr(f"({target}){found.at(text.UNARY)}", target, text.UNARY, found.reads)


@EXPRESSIONS.of(arith.FPToSIOp, arith.FPToUIOp)
def _to_integer(w: Writer, op: vec.AnyFPToSI | vec.AnyFPToUI) -> Expr:
    target = w.type_of(op.result)
    exact = target if target == BOOL else target.signed(isinstance(op, vec.AnyFPToUI))
    found = w.expression(op.input)
    if target.lanes > 1:
        return w.call(f"convert_{exact}", found, type=exact)
    return Expr(f"({exact}){found.at(text.UNARY)}", exact, text.UNARY, found.reads)


@EXPRESSIONS.of(arith.ExtFOp, arith.TruncFOp)
def _float_cast(w: Writer, op: vec.AnyExtF | vec.AnyTruncF) -> Expr:
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if "half" in (target.name, found.number.name):
        w.shared.extensions.add("cl_khr_fp16")
    if target.lanes > 1:
        return w.call(f"convert_{target}", found, type=target)
    return Expr(f"({target}){found.at(text.UNARY)}", target, text.UNARY, found.reads)


@EXPRESSIONS.of(arith.BitcastOp, ocl.BitcastOp)
def _bitcast(w: Writer, op: arith.BitcastOp | ocl.BitcastOp) -> Expr:
    target = w.type_of(op.results[0])
    found = w.exact(op.operands[0])
    return text.reinterpret(found, target)
