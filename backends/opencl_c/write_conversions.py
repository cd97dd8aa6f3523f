"""Conversions between arithmetic types."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1

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
        return found if unsigned else _sign_of(found)
    narrow = w.type_of(op.input).signed(unsigned)
    if vec.element_of(op.input.type) == i1:
        mask = w.convert(found, target.signed())
        if unsigned:
            mask = binary("&", text.BIT_AND, mask, text.integer(1, INT), target.signed())
        return text.reinterpret(mask, target)
    if target.lanes > 1:
        exact = text.reinterpret(found, narrow)
        wide = target.signed(unsigned)
        return text.reinterpret(w.call(f"convert_{wide}", exact, type=wide), target)
    if found.literal is not None:
        return text.integer(text.integer(found.literal, narrow).literal or 0, target)
    return _widened(found, narrow)


def _sign_of(condition: Expr) -> Expr:
    """An i1 as a signed number: -1 or 0."""
    return text.choice(condition, text.integer(-1, INT), text.integer(0, INT), INT)


def _widened(found: Expr, narrow: Number) -> Expr:
    """A number of type `narrow` where a wider one is expected: C extends it at its use."""
    type = found.number
    keeps = not type.is_float and type.width < narrow.width and type.is_unsigned
    return found if keeps else cast(found, narrow)


@EXPRESSIONS.of(arith.IndexCastOp)
def _index_cast(w: Writer, op: vec.AnyIndexCast) -> Expr:
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if found.literal is not None:
        return text.integer(found.literal, target)
    if is_condition(op.input):
        return _sign_of(found)
    source = w.type_of(op.input)
    if source.width < target.width and not isinstance(op.input.owner, QUERIES):
        return _widened(found, source.signed())
    # A launch ensures that ids fit in their variables.
    return found if target.width == 64 else cast(found, target)


@EXPRESSIONS.of(arith.TruncIOp)
def _truncate(w: Writer, op: vec.AnyTruncI) -> Expr:
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if target == BOOL:
        bit = binary("&", text.BIT_AND, found, text.integer(1, INT), found.number)
        return binary("!=", text.EQUAL, bit, text.integer(0, INT), BOOL)
    if target.lanes > 1:
        source = found.number.signed(target.is_unsigned)
        if vec.element_of(op.result.type) == i1:
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
        found = _sign_of(found)
    elif not is_condition(op.input):
        found = of_sign(found, w.type_of(op.input).signed(unsigned))
    return _converted(w, found, target)


def _converted(w: Writer, found: Expr, target: Number) -> Expr:
    if target.lanes > 1:
        return w.call(f"convert_{target}", found, type=target)
    return text.unary(f"({target})", found, target)


@EXPRESSIONS.of(arith.FPToSIOp, arith.FPToUIOp)
def _to_integer(w: Writer, op: vec.AnyFPToSI | vec.AnyFPToUI) -> Expr:
    target = w.type_of(op.result)
    exact = target if target == BOOL else target.signed(isinstance(op, vec.AnyFPToUI))
    return _converted(w, w.expression(op.input), exact)


@EXPRESSIONS.of(arith.ExtFOp, arith.TruncFOp)
def _float_cast(w: Writer, op: vec.AnyExtF | vec.AnyTruncF) -> Expr:
    target = w.type_of(op.result)
    found = w.expression(op.input)
    if "half" in (target.name, found.number.name):
        w.shared.extensions.add("cl_khr_fp16")
    return _converted(w, found, target)


@EXPRESSIONS.of(arith.BitcastOp, ocl.BitcastOp)
def _bitcast(w: Writer, op: arith.BitcastOp | ocl.BitcastOp) -> Expr:
    return text.reinterpret(w.exact(op.operands[0]), w.type_of(op.results[0]))
