"""`tta-share-addresses`: neighbouring work-items share one address plus constant offsets."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.common_subexpression_elimination import cse

from polycl.dialects import ocl
from polycl.lowering.build import Build
from polycl.lowering.ocl.pure_extensions import pure_extensions
from polycl.lowering.tta.carried_values import fills_index

_index = IndexType()
_Cast = arith.IndexCastOp | arith.ExtUIOp | arith.ExtSIOp | arith.TruncIOp


@dataclass(frozen=True)
class TtaShareAddressesPass(ModulePass):
    """Add the constant part of an index last, and compute the rest once.

    ```
    %i = arith.addi %row, %x                    %p = ocl.offset %a[%row']
    %j = arith.addi %row, %c1                   %v = ocl.load %p[%c0]
    %v = ocl.load %a[%i]                   ->   %w = ocl.load %p[%c1]
    %w = ocl.load %a[%j]                        // where %x is 0
    ```

    In the code that `wg-replicate` makes, the ids of work-items are constants. Each address is then
    one addition, and the scheduler sees that different constants are different addresses. As
    `tta-reduce-strength`, this pass relies on an index of 32 bits, and is for this device only.
    """

    name = "tta-share-addresses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            _fold(inner)
        for inner in list(op.walk()):
            if isinstance(inner, ocl.LoadOp | ocl.StoreOp | ocl.OffsetOp):
                _split(inner)
        with pure_extensions(op):
            cse(op)


def _fold(op: Operation) -> None:
    """Folds operations on constants, modulo 2^n, and the identities x + 0, x * 1 and x * 0."""
    if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp | _Cast):
        return
    type = op.results[0].type
    values = [_constant_of(operand) for operand in op.operands]
    match op, values:
        case arith.AddiOp() | arith.SubiOp(), [_, 0]:
            Rewriter.replace_op(op, [], [op.operands[0]])
        case arith.AddiOp(), [0, _]:
            Rewriter.replace_op(op, [], [op.operands[1]])
        case arith.MuliOp(), [1, _]:
            Rewriter.replace_op(op, [], [op.operands[1]])
        case arith.MuliOp(), [_, 1]:
            Rewriter.replace_op(op, [], [op.operands[0]])
        case arith.MuliOp(), [0, _] | [_, 0]:
            _replace(op, 0, type)
        case arith.AddiOp(), [int(left), int(right)]:
            _replace(op, left + right, type)
        case arith.SubiOp(), [int(left), int(right)]:
            _replace(op, left - right, type)
        case arith.MuliOp(), [int(left), int(right)]:
            _replace(op, left * right, type)
        case arith.IndexCastOp(), [int(value)] if value >= 0:
            _replace(op, value, type)
        case arith.ExtUIOp() | arith.ExtSIOp(), [int(value)] if value >= 0:
            _replace(op, value, type)
        case _:
            pass


def _replace(op: Operation, value: int, type: Attribute) -> None:
    if isinstance(type, IntegerType):
        if type.width.data < 32:
            return
        half = 1 << type.width.data - 1
        value = (value + half) % (2 * half) - half
    assert isinstance(type, IntegerType | IndexType)
    Rewriter.replace_op(op, arith.ConstantOp(IntegerAttr(value, type)))


def _split(op: ocl.LoadOp | ocl.StoreOp | ocl.OffsetOp) -> None:
    if op.index is None or _constant_of(op.index) is not None:
        return
    constant = _constant_part(op.index)
    if constant == 0:
        return
    rest = _rest(op.index, Build(op))
    base = ocl.OffsetOp(op.pointer, rest)
    number = arith.ConstantOp(IntegerAttr(constant, _index))
    Rewriter.insert_op([base, number], InsertPoint.before(op))
    base.location = op.location
    op.operands[op.operands.index(op.index)] = number.result
    op.operands[op.operands.index(op.pointer)] = base.result


def _constant_part(value: SSAValue) -> int:
    """The sum of the constant terms of a value."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as attribute):
            return attribute.value.data
        case arith.AddiOp(lhs=left, rhs=right):
            return _constant_part(left) + _constant_part(right)
        case arith.SubiOp(lhs=left, rhs=right):
            return _constant_part(left) - _constant_part(right)
        case arith.IndexCastOp() | arith.ExtUIOp() | arith.ExtSIOp() | arith.TruncIOp() as op:
            inner = op.operands[0]
            return _constant_part(inner) if fills_index(inner) and fills_index(value) else 0
        case _:
            return 0


def _rest(value: SSAValue, build: Build) -> SSAValue:
    """A value without its constant part, as an index."""
    match value.owner:
        case arith.ConstantOp():
            return build.index(0)
        case arith.AddiOp() | arith.SubiOp() as op if _constant_part(value) != 0:
            left, right = _rest(op.lhs, build), _rest(op.rhs, build)
            if _constant_of(right) == 0:
                return left
            if _constant_of(left) == 0 and isinstance(op, arith.AddiOp):
                return right
            return build.emit(type(op)(left, right))
        case arith.IndexCastOp() | arith.ExtUIOp() | arith.ExtSIOp() | arith.TruncIOp() as op if (
            fills_index(op.operands[0]) and fills_index(value)
        ):
            return _rest(op.operands[0], build)
        case _:
            return build.as_index(value)


def _constant_of(value: SSAValue) -> int | None:
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as attribute):
            return attribute.value.data
        case _:
            return None
