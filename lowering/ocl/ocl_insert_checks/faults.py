"""Divisions, shifts and positions in vectors that have no meaning."""

from __future__ import annotations

from functools import reduce

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build

DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
)
SHIFTS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)


def fault_of(op: Operation, build: Build) -> SSAValue | None:
    """Whether an operation on numbers has no result, in any element; None: it always has one."""
    match op:
        case vector.ExtractOp() | vector.InsertOp():
            fault = _position_fault(op, build)
        case _:
            test = _division_fault if isinstance(op, DIVISIONS) else _shift_fault
            fault = test(op, build)
    if fault is None or not isinstance(fault.type, VectorType):
        return fault
    return reduce(build.or_, build.elements(fault))


def _division_fault(op: Operation, build: Build) -> SSAValue | None:
    """Whether a division has no result: by zero, or the smallest number by -1."""
    dividend, divisor = op.operands
    by = constant_value(divisor)
    is_signed = isinstance(op, arith.DivSIOp | arith.RemSIOp)
    if by is not None and by != 0 and not (by == -1 and is_signed):
        return None
    fault = build.compare("eq", divisor, build.constant(0, divisor.type))
    if is_signed and isinstance(element_of(divisor.type), IntegerType):
        width = element_of(divisor.type).width.data  # pyright: ignore[reportAttributeAccessIssue]
        least = build.compare("eq", dividend, build.constant(-(1 << (width - 1)), dividend.type))
        minus_one = build.compare("eq", divisor, build.constant(-1, divisor.type))
        fault = build.or_(fault, build.and_(least, minus_one))
    return fault


def _shift_fault(op: Operation, build: Build) -> SSAValue | None:
    """Whether a shift is by the width of the type or more: the importer takes the rest."""
    amount = op.operands[1]
    if isinstance(amount.owner, arith.AndIOp):
        amount = amount.owner.lhs
    element = element_of(amount.type)
    if not isinstance(element, IntegerType):
        return None
    width, by = element.width.data, constant_value(amount)
    if by is not None and 0 <= by < width:
        return None
    return build.compare("uge", amount, build.constant(width, amount.type))


def _position_fault(op: vector.ExtractOp | vector.InsertOp, build: Build) -> SSAValue | None:
    """Whether a vector has no such element."""
    if not op.dynamic_position:
        return None
    source = op.vector if isinstance(op, vector.ExtractOp) else op.dest
    (position,) = op.dynamic_position
    assert isinstance(source.type, VectorType)
    return build.compare("uge", position, build.index(source.type.element_count()))
