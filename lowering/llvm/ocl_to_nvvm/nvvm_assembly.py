"""PTX in the LLVM dialect, for instructions that LLVM has no intrinsic for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.ir import Attribute, SSAValue

from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import FunctionLowering


def assembly(
    low: FunctionLowering,
    text: str,
    constraints: Sequence[str] = (),
    operands: Sequence[SSAValue] = (),
    result: Attribute | None = None,
) -> SSAValue | None:
    """A statement that may access memory; `constraints` are LLVM's, of the result first."""
    op = llvm.InlineAsmOp(
        text,
        ",".join([*constraints, "~{memory}"]),
        operands,
        [] if result is None else [result],
        has_side_effects=True,
    )
    low.emit_void(op)
    return op.res
