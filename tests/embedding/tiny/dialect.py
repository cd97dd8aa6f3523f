"""The `tiny` dialect, whose operation works on polycl's pointers."""

from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def

from polycl.dialects.ocl import PtrType


@irdl_op_definition
class SquareOp(IRDLOperation):
    """Each work-item squares its element: `tiny.square %x : !ocl.ptr<f32, global>`."""

    name = "tiny.square"

    buffer = operand_def(PtrType)

    assembly_format = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        super().__init__(operands=[buffer])


TINY = Dialect("tiny", [SquareOp])
