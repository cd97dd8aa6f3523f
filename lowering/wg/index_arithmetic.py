"""`index-arithmetic`: 64-bit arithmetic on ids is arithmetic on indices."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_in
from polycl.lowering.build import Build


@dataclass(frozen=True)
class IndexArithmeticPass(ModulePass):
    """Compute in `index` where all operands of 64-bit arithmetic are indices or constants.

    ```
    %g = arith.index_cast %group : index to i64      %0 = arith.muli %group, %c64 : index
    %0 = arith.muli %g, %c64 : i64                   %1 = arith.addi %0, %x : index
    %l = arith.index_cast %x : index to i64     ->   %i = arith.index_cast %1 : index to i32
    %1 = arith.addi %0, %l : i64
    %i = arith.trunci %1 : i64 to i32
    ```

    An index has 64 bits, so both are the same number; `get_group_id(0) * get_local_size(0) +
    get_local_id(0)` then looks like the global id.
    """

    name = "index-arithmetic"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for inner in operations_in(function.body):
                _rewrite(inner)
            for inner in reversed(operations_in(function.body)):
                if isinstance(inner, arith.IndexCastOp) and inner.result.first_use is None:
                    Rewriter.erase_op(inner)


def _rewrite(op: Operation) -> None:
    match op:
        case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() if op.result.type == i64:
            sides = [_as_index(operand) for operand in op.operands]
            if None in sides or all(constant_value(operand) is not None for operand in op.operands):
                return
            build = Build(op)
            lhs, rhs = (_constant_or(side, build) for side in sides)
            value = build.emit(type(op)(lhs, rhs))
            value.name_hint = op.result.name_hint
            Rewriter.replace_op(op, [], [build.index_cast(value, i64)])
        case arith.TruncIOp() | arith.IndexCastOp():
            source = op.input.owner
            if op.input.type == i64 and isinstance(source, arith.IndexCastOp):
                value = Build(op).index_cast(source.input, op.result.type)
                if value.name_hint is None:
                    value.name_hint = op.result.name_hint
                Rewriter.replace_op(op, [], [value])
        case _:
            pass


def _as_index(value: SSAValue) -> SSAValue | int | None:
    """The index that was cast, or a number."""
    number = constant_value(value)
    if number is not None:
        return number
    owner = value.owner
    if isinstance(owner, arith.IndexCastOp) and owner.input.type == IndexType():
        return owner.input
    return None


def _constant_or(value: SSAValue | int | None, build: Build) -> SSAValue:
    assert value is not None
    return build.index(value) if isinstance(value, int) else value
