"""A pass that is wrong in a way that one chooses."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, ModuleOp, StringAttr, f32
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl


@dataclass(frozen=True)
class BreakPass(ModulePass):
    """Makes the error that its option names, at every place where it can."""

    name = "test-break"

    how: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            _break(inner, self.how)


def _break(op: Operation, how: str) -> None:
    match how, op:
        case "swap", arith.SubfOp() | arith.SubiOp():
            op.operands = (op.operands[1], op.operands[0])
        case "unsigned", arith.DivSIOp():
            Rewriter.replace_op(op, arith.DivUIOp(op.lhs, op.rhs))
        case "barrier", ocl.BarrierOp():
            Rewriter.erase_op(op)
        case "print", ocl.PrintfOp():
            op.properties["format"] = StringAttr(f"? {op.format.data}")
        case "nan", arith.SubfOp() if op.lhs is op.rhs:
            Rewriter.replace_op(op, arith.ConstantOp(FloatAttr(0.0, f32)))
        case "index", ocl.StoreOp() if op.index is not None:
            far = arith.ConstantOp(IntegerAttr(1 << 20, IndexType()))
            total = arith.AddiOp(op.index, far.result)
            Rewriter.insert_op([far, total], InsertPoint.before(op))
            op.operands = (op.operands[0], op.operands[1], total.result)
        case "bound", scf.ForOp():
            one = arith.ConstantOp(IntegerAttr(1, IndexType()))
            more = arith.AddiOp(op.ub, one.result)
            Rewriter.insert_op([one, more], InsertPoint.before(op))
            op.operands = (op.operands[0], more.result, *op.operands[2:])
        case _:
            pass
