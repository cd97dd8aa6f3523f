"""C conversions between values, as `arith` and `ocl` operations."""

from __future__ import annotations

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IntegerType, VectorType, i32, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.vec import element_of
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c.builder import Builder, constant_of
from polycl.frontends.opencl_c.types import ULONG, CType, Kind, innermost, vector_type

_DEPTH = 8
"""Operations of a sum of 64 bits that are looked at, one after the other."""

_FAR = 1 << 40
"""No loop counts so far."""


def convert(b: Builder, value: SSAValue, source: CType, target: CType) -> SSAValue:
    """The value converted as C converts `source` to `target`.

    Raises:
        UnsupportedError: a conversion that this compiler does not support.
    """
    if target.kind is Kind.BOOL:
        return to_bool(b, value, source)
    match source.kind, target.kind:
        case Kind.POINTER, Kind.POINTER:
            return _pointer(b, value, source, target)
        case Kind.POINTER, Kind.INT:
            return convert(b, b.op(ocl.PtrToIntOp, value, type=i64), ULONG, target)
        case ((Kind.INT | Kind.BOOL), Kind.POINTER):
            return _int_to_pointer(b, value, source, target)
        case ((Kind.INT | Kind.BOOL | Kind.FLOAT), Kind.VECTOR):
            return b.broadcast(convert(b, value, source, target.element), target.value)
        case Kind.VECTOR, Kind.VECTOR if source.count == target.count:
            return convert_numbers(b, value, source.element, target.element)
        case ((Kind.INT | Kind.BOOL | Kind.FLOAT), (Kind.INT | Kind.FLOAT)):
            return convert_numbers(b, value, source, target)
        case ((Kind.INT | Kind.BOOL), Kind.EVENT) if constant_of(value) == 0:
            return b.value(ocl.NullEventOp())
        case (Kind.INT, Kind.SAMPLER) if isinstance(constant_of(value), int):
            return b.value(ocl.SamplerOp(int(constant_of(value) or 0)))
        case _ if value.type == target.value:
            return value
        case _:
            raise UnsupportedError(
                f"conversion of '{source.spelling}' to '{target.spelling}' is not supported",
                *b.location,
            )


def convert_numbers(b: Builder, value: SSAValue, source: CType, target: CType) -> SSAValue:
    """Convert a scalar, or each element of a vector; `source` and `target` are scalar types."""
    shaped: Attribute = target.value
    if isinstance(value.type, VectorType):
        shaped = vector_type(target.value, value.type.get_shape()[0])
    if value.type == shaped:
        if target.signed and not source.signed and _may_be_sum(b, value):
            # Passes would take it for a signed sum, which does not wrap.
            if element_of(shaped) != i32:
                return b.op(ocl.BitcastOp, value, type=shaped)
            wide = i64
            if isinstance(value.type, VectorType):
                wide = vector_type(i64, value.type.get_shape()[0])
            return b.op(arith.TruncIOp, b.op(arith.ExtUIOp, value, type=wide), type=shaped)
        return value
    constant = constant_of(value)
    if isinstance(constant, int) and target.kind is Kind.INT:
        if not source.signed:
            constant %= 1 << source.width
        return b.constant(constant, shaped)
    if target.kind is Kind.FLOAT:
        if source.kind is Kind.FLOAT:
            widens = target.width > source.width
            return b.op(arith.ExtFOp if widens else arith.TruncFOp, value, type=shaped)
        return b.op(arith.SIToFPOp if source.signed else arith.UIToFPOp, value, type=shaped)
    if source.kind is Kind.FLOAT:
        return b.op(arith.FPToSIOp if target.signed else arith.FPToUIOp, value, type=shaped)
    return _resize(b, value, source, target, shaped)


def _may_be_sum(b: Builder, value: SSAValue) -> bool:
    """Whether an unsigned value is a sum that may wrap, or can be one once functions are inlined,
    memory is promoted and loops are counted."""
    if value.type == i64 and _range(b, value, _DEPTH) is not None:
        return False
    match value.owner:
        case arith.ConstantOp() | arith.IndexCastOp() | arith.ExtUIOp() | arith.FPToUIOp():
            return False
        case arith.AndIOp() | arith.ShRUIOp() | arith.DivUIOp() | arith.RemUIOp() as op:
            return constant_of(op.rhs) in (None, -1, 0, 1)
        case vector.ExtractOp() as op:
            return _may_be_sum(b, op.vector)
        case _:
            return value not in b.arguments and element_of(value.type) in (i32, i64)


def _range(b: Builder, value: SSAValue, depth: int) -> tuple[int, int] | None:
    """The least and the most of a sum of 64 bits of ids and numbers of fewer bits, which does not
    wrap as a signed one; None if it may."""
    match value.owner:
        case arith.ConstantOp():
            number = constant_of(value)
            return (number, number) if isinstance(number, int) else None
        case arith.IndexCastOp(input=id) if id in b.nonnegative:
            return 0, (1 << 31) - 1
        case arith.IndexCastOp(input=BlockArgument()):
            # The counter of a loop.
            return -_FAR, _FAR
        case arith.ExtUIOp(input=SSAValue(type=IntegerType() as type)):
            return 0, (1 << type.bitwidth) - 1
        case arith.ExtSIOp(input=SSAValue(type=IntegerType() as type)):
            half = 1 << type.bitwidth - 1
            return -half, half - 1
        case Operation(operands=[lhs, rhs]) as op if depth:
            x, y = (_range(b, operand, depth - 1) for operand in (lhs, rhs))
        case _:
            return None
    if x is None or (y is None and not isinstance(op, arith.DivUIOp | arith.RemUIOp)):
        return None
    match op, y:
        case arith.AddiOp(), (low, high):
            ends = x[0] + low, x[1] + high
        case arith.SubiOp(), (low, high):
            ends = x[0] - high, x[1] - low
        case arith.MuliOp(), _ if y is not None:
            products = [one * other for one in x for other in y]
            ends = min(products), max(products)
        case ((arith.DivUIOp() | arith.RemUIOp()), _) if x[0] >= 0:
            ends = 0, x[1]
        case _:
            return None
    return ends if -(1 << 63) <= ends[0] and ends[1] < 1 << 63 else None


def _resize(
    b: Builder, value: SSAValue, source: CType, target: CType, shaped: Attribute
) -> SSAValue:
    if target.width < source.width:
        owner = value.owner
        # A size_t query that is truncated: cast the id directly.
        if isinstance(owner, arith.IndexCastOp) and target.width >= 32 and source.width == 64:
            if owner.input.type != value.type and owner.input in b.nonnegative:
                return b.from_index(owner.input, target.value)
        if b.wide_ids and target.width == 32 and value.type == i64:
            # Passes take a truncated id for the id, and not if its bits were chosen before.
            value = b.op(arith.AndIOp, value, b.constant((1 << 32) - 1, i64))
        return b.op(arith.TruncIOp, value, type=shaped)
    if not isinstance(value.type, VectorType):
        counter = b.original_index(value, source.signed)
        if counter is not None and target.width == 64:
            return b.from_index(counter, target.value)
    return b.op(arith.ExtSIOp if source.signed else arith.ExtUIOp, value, type=shaped)


def to_bool(b: Builder, value: SSAValue, source: CType) -> SSAValue:
    """`value != 0` as an i1."""
    match source.kind:
        case Kind.BOOL:
            return value
        case Kind.POINTER:
            value = b.op(ocl.PtrToIntOp, value, type=i64)
            return b.compare(arith.CmpiOp, "ne", value, b.constant(0, i64))
        case Kind.FLOAT:
            return b.compare(arith.CmpfOp, "une", value, b.constant(0, value.type))
        case _:
            # `(int)condition != 0` is the condition.
            owner = value.owner
            if isinstance(owner, arith.ExtUIOp) and owner.input.type == IntegerType(1):
                return owner.input
            return b.compare(arith.CmpiOp, "ne", value, b.constant(0, value.type))


def _pointer(b: Builder, value: SSAValue, source: CType, target: CType) -> SSAValue:
    assert isinstance(target.value, ocl.PtrType)
    if value.type != target.value:
        if isinstance(value.owner, ocl.NullOp):
            return b.value(ocl.NullOp(target.value))
        value = b.op(ocl.CastOp, value, type=target.value)
    return with_sign(b, value, source.element, target.element)


def with_sign(b: Builder, pointer: SSAValue, source: CType, target: CType) -> SSAValue:
    """A pointer to integers that were written with another sign: to passes, values of this memory
    are none, so that an unsigned sum is not taken for a signed one. Other memory is read anew."""
    if ocl.space_of(pointer) not in (AddressSpace.PRIVATE, AddressSpace.GENERIC):
        return pointer
    was, is_now = innermost(source), innermost(target)
    if is_now.kind is not Kind.INT or is_now.width < 32:
        return pointer
    if was.kind is not Kind.VOID and (was.kind is not Kind.INT or was.width < 32):
        return pointer
    if was.kind is Kind.INT and was.signed == is_now.signed:
        return pointer
    return b.op(ocl.CastOp, pointer, type=pointer.type)


def _int_to_pointer(b: Builder, value: SSAValue, source: CType, target: CType) -> SSAValue:
    assert isinstance(target.value, ocl.PtrType)
    if constant_of(value) == 0:
        return b.value(ocl.NullOp(target.value))
    return b.op(ocl.IntToPtrOp, convert(b, value, source, ULONG), type=target.value)


def from_memory(b: Builder, value: SSAValue, type: CType) -> SSAValue:
    """A loaded value in the form of an SSA value of its type."""
    if value.type == type.value:
        return value
    if type.kind is Kind.BOOL:
        return b.compare(arith.CmpiOp, "ne", value, b.constant(0, value.type))
    return _pointer(b, value, type, type)


def to_memory(b: Builder, value: SSAValue, memory: Attribute) -> SSAValue:
    """A value in the form of memory of type `memory`."""
    if value.type == memory:
        return value
    if isinstance(memory, ocl.PtrType):
        return b.op(ocl.CastOp, value, type=memory)
    assert isinstance(memory, IntegerType)
    constant = constant_of(value)
    if constant is not None:
        return b.constant(constant, memory)
    return b.op(arith.ExtUIOp, value, type=memory)
