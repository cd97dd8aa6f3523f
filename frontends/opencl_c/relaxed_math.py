"""Build options that permit other results of float arithmetic (OpenCL 3.0, section 5.8.4.3).

No operation says that there are no NaNs and infinities, which -cl-finite-math-only permits:
programs that are built with it do begin their minima with INFINITY.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects import arith, math
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Region
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.relaxed import FASTMATH, UNSAFE

PERMITTED: dict[str, tuple[FastMathFlag, ...]] = {
    "-cl-fast-relaxed-math": UNSAFE,
    "-cl-no-signed-zeros": (FastMathFlag.NO_SIGNED_ZEROS,),
    "-cl-unsafe-math-optimizations": UNSAFE,
}
"""What the options permit of each operation. -cl-mad-enable is in `contraction.py`."""


def relax(body: Region, permitted: Collection[FastMathFlag]) -> None:
    """Give the float arithmetic of a function the flags, but where the pragma FP_CONTRACT is OFF:
    who asks for each rounding does not want others."""
    if not permitted:
        return
    flags = arith.FastMathFlagsAttr([flag for flag in FastMathFlag if flag in permitted])
    if FastMathFlag.REASSOC in permitted:
        for op in operations_of(body, ocl.BuiltinOp):
            if op.function.data == "mad":
                _write_out(op)
    arithmetic = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.NegfOp)
    for op in operations_of(body, *arithmetic, math.SqrtOp, math.RsqrtOp):
        if ocl.NO_CONTRACT not in op.attributes:
            op.properties[FASTMATH] = flags


def _write_out(mad: ocl.BuiltinOp) -> None:
    """`mad(a, b, c)` is a product and a sum, of any accuracy."""
    a, b, c = mad.arguments
    product = arith.MulfOp(a, b)
    sum = arith.AddfOp(product, c)
    product.location = sum.location = mad.location
    Rewriter.replace_op(mad, [product, sum], [sum.result])
