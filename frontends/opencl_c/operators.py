"""Arithmetic, comparisons and shifts on values of their common type."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.vec import element_of, splat_of
from polycl.frontends.opencl_c.builder import Builder, constant_of
from polycl.frontends.opencl_c.types import CType, Kind

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

_FLOAT: dict[str, type] = {
    "+": arith.AddfOp,
    "-": arith.SubfOp,
    "*": arith.MulfOp,
    "/": arith.DivfOp,
}
_FUSED = arith.AddfOp | arith.SubfOp | arith.MulfOp
_INTEGER: dict[str, type] = {
    "+": arith.AddiOp,
    "-": arith.SubiOp,
    "*": arith.MuliOp,
    "&": arith.AndIOp,
    "|": arith.OrIOp,
    "^": arith.XOrIOp,
    "<<": arith.ShLIOp,
}
_BY_SIGN: dict[str, tuple[type, type]] = {
    "/": (arith.DivSIOp, arith.DivUIOp),
    "%": (arith.RemSIOp, arith.RemUIOp),
    ">>": (arith.ShRSIOp, arith.ShRUIOp),
}
_ORDERED = {"==": "oeq", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "!=": "une"}
_SIGNED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
_UNSIGNED = {"==": "eq", "!=": "ne", "<": "ult", "<=": "ule", ">": "ugt", ">=": "uge"}


def arithmetic(
    b: Builder, op: str, left: SSAValue, right: SSAValue, type: CType, *, may_fuse: bool = True
) -> SSAValue:
    """`left op right`; `type` is the type of both; vectors are computed by element.

    `may_fuse`: see `tree.Binary`.
    """
    element = type.element if type.kind is Kind.VECTOR else type
    if element.kind is Kind.FLOAT:
        value = b.op(_FLOAT[op], left, right)
        if isinstance(value.owner, _FUSED) and not may_fuse:
            value.owner.attributes[ocl.NO_CONTRACT] = UnitAttr()
        return value
    if op in ("<<", ">>"):
        right = _masked(b, right, element.width)
    kind = _INTEGER[op] if op in _INTEGER else _BY_SIGN[op][0 if element.signed else 1]
    return b.op(kind, left, right)


def _masked(b: Builder, amount: SSAValue, width: int) -> SSAValue:
    """The shift amount modulo the width (OpenCL 1.2, section 6.3j)."""
    number = constant_of(amount) if element_of(amount.type) is amount.type else splat_of(amount)
    if isinstance(number, int) and 0 <= number < width:
        return amount
    return b.op(arith.AndIOp, amount, b.constant(width - 1, amount.type))


def comparison(b: Builder, op: str, left: SSAValue, right: SSAValue, type: CType) -> SSAValue:
    """The comparison of numbers of one type, as i1 or a vector of them."""
    element = type.element if type.kind is Kind.VECTOR else type
    if element.kind is Kind.FLOAT:
        return b.compare(arith.CmpfOp, _ORDERED[op], left, right)
    predicates = _SIGNED if element.signed else _UNSIGNED
    return b.compare(arith.CmpiOp, predicates[op], left, right)


def negate(b: Builder, value: SSAValue, type: CType) -> SSAValue:
    element = type.element if type.kind is Kind.VECTOR else type
    if element.kind is Kind.FLOAT:
        return b.op(arith.NegfOp, value)
    return b.op(arith.SubiOp, b.constant(0, value.type), value)
