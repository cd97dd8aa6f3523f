"""`fuse-products`: which products and sums are one operation is decided before anything else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp, UnitAttr, f32, f64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects.inside import Kinds, operations_in
from polycl.dialects.ocl import NO_CONTRACT
from polycl.dialects.relaxed import permits
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build

_Sum = arith.AddfOp | arith.SubfOp
_SUMS_AND_PRODUCTS = Kinds(arith.AddfOp, arith.SubfOp, arith.MulfOp)


@dataclass(frozen=True)
class FuseProductsPass(ModulePass):
    """Make one `math.fma` of each product that is added at once, where that is allowed.

    ```
    %p = arith.mulf %x, %y : f32           %s = math.fma %x, %y, %z : f32
    %s = arith.addf %p, %z : f32     ->
    ```

    OpenCL C allows it within an expression (OpenCL 1.2, section 6.12.13: FP_CONTRACT). All other
    sums and products are rounded on their own from here on (`ocl.no_contract`). LLVM would decide
    otherwise in vectors, where branches are gone, than in the code of one work-item: so, a kernel
    has the same results, to the last bit, whatever passes follow and however it is launched. Sums
    that may be reassociated (`fastmath<reassoc>`), which no order fixes, are left to LLVM. A
    product of `half` is not fused: processors have no such instruction in general.
    """

    name = "fuse-products"

    allowed_ulp: ClassVar[float] = inf
    """Where terms cancel, the error is not bounded in ULP; integers do not change."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fuse_products(operations_in(op))


def fuse_products(operations: Iterable[Operation]) -> None:
    """Fuse sums among the operations of a function, in this order."""
    found = [op for op in operations if _SUMS_AND_PRODUCTS[type(op)]]
    for op in found:
        if isinstance(op, _Sum) and _is_free(op):
            _fuse(op)
    for op in found:
        # Others are fused.
        if op.parent is not None and _is_free(op):
            op.attributes[NO_CONTRACT] = UnitAttr()


def _is_free(op: Operation) -> bool:
    return NO_CONTRACT not in op.attributes and not permits(op, FastMathFlag.REASSOC)


def _fuse(sum: _Sum) -> None:
    for position, value in enumerate(sum.operands):
        signs = _signs(value)
        product = (signs[-1].operand if signs else value).owner
        if not (isinstance(product, arith.MulfOp) and _is_fusible(product, sum)):
            continue
        x, term = product.lhs, sum.operands[1 - position]
        build = Build(sum)
        if (len(signs) + (isinstance(sum, arith.SubfOp) and position == 1)) % 2:
            x = build.negf(x)
        if isinstance(sum, arith.SubfOp) and position == 0:
            term = build.negf(term)
        Rewriter.replace_op(sum, [], [build.emit(math.FmaOp(x, product.rhs, term))])
        for op in (*signs, product):
            Rewriter.erase_op(op)
        return


def _signs(value: SSAValue) -> list[arith.NegfOp]:
    """The changes of sign between a product and `value`, the last one first."""
    found: list[arith.NegfOp] = []
    while isinstance(value.owner, arith.NegfOp) and value.has_one_use():
        found.append(value.owner)
        value = value.owner.operand
    return found


def _is_fusible(product: arith.MulfOp, sum: Operation) -> bool:
    """Whether nothing else reads a product, so that it is in the expression of the sum."""
    return (
        product.parent is sum.parent
        and product.result.has_one_use()
        and element_of(product.result.type) in (f32, f64)
        and _is_free(product)
    )
