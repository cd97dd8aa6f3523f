"""`tiny-to-ocl`: the tiny dialect in terms of polycl's `ocl` dialect."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import MulfOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from polycl.dialects.ocl import GlobalIdOp, LoadOp, StoreOp
from tiny.dialect import SquareOp


class _LowerSquare(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SquareOp, rewriter: PatternRewriter, /) -> None:
        item = GlobalIdOp(0)
        value = LoadOp(op.buffer, item.result)
        square = MulfOp(value.result, value.result)
        rewriter.replace(op, [item, value, square, StoreOp(square.result, op.buffer, item.result)])


@dataclass(frozen=True)
class TinyToOclPass(ModulePass):
    """Lowers every `tiny.square` to a load, a product and a store."""

    name = "tiny-to-ocl"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(_LowerSquare()).rewrite_module(op)
