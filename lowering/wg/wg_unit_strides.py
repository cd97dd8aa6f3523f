"""`wg-unit-strides`: groups whose arrays have the stride 1 read and write rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.remarks import emit_remark

_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)


@dataclass(frozen=True)
class WgUnitStridesPass(ModulePass):
    """Give a region whose neighbours are an argument apart a version in which they are adjacent.

    ```
    wg.parallel (%x, %y, %z) in ... {            %one = arith.cmpi eq, %inc, %c1 : index
      %at = arith.muli %x, %inc : index          scf.if %one {
      ocl.load %p[%at]                             wg.parallel (%x, %y, %z) in ... {
    }                                       ->       ocl.load %p[%x]
                                                   }
                                                 } else {
                                                   wg.parallel ...                  // as it was
                                                 }
    ```

    Functions on vectors (BLAS) and on pictures take such arguments, and mostly get 1. The product
    is an address without what loops count: `row * width + k` is the place of a row, whose width is
    not 1. It may be one with multiples of another argument: `x * stride + k * dilation` is a tap of
    a convolution. All strides of a region have to be 1. A region of more than 400 operations stays
    whole.
    """

    name = "wg-unit-strides"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = [
                region
                for region in operations_of(function.body, wg.ParallelOp)
                if any(_argument(value) for op in _products(region) for value in op.operands)
            ]
            if not regions:
                continue
            facts = Uniformity(function)
            for region in regions:
                found = [_stride(op, region, facts) for op in _products(region)]
                strides = dict.fromkeys(stride for stride in found if stride is not None)
                if not strides or is_too_large(region, self.name):
                    continue
                emit_remark(region, self.name, "two versions: neighbours are adjacent in one")
                build = Build(region)
                tests = [build.compare("eq", s, build.constant(1, s.type)) for s in strides]
                copy = two_versions(region, reduce(build.and_, tests))
                for product, stride in zip(_products(copy), found, strict=True):
                    if stride is not None:
                        factor = product.operands[_argument(product.lhs) is stride]
                        Rewriter.replace_op(product, [], [factor])


def _products(region: wg.ParallelOp) -> list[arith.MuliOp]:
    return operations_of(region.body, arith.MuliOp)


def _stride(op: arith.MuliOp, region: wg.ParallelOp, facts: Uniformity) -> SSAValue | None:
    """The argument by which an address grows from one neighbour to the next."""
    for number, stride in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        argument = _argument(stride)
        if argument is not None and facts.lanes(number).x == 1 and _is_address(op.result, region):
            return argument
    return None


def _argument(value: SSAValue) -> SSAValue | None:
    """The integer argument of the function that `value` is."""
    while isinstance(value.owner, _CASTS):
        value = value.owner.operands[0]
    block = value.owner
    is_argument = isinstance(block, Block) and isinstance(block.parent_op(), wg.FuncOp)
    return value if is_argument else None


def _is_address(value: SSAValue, region: wg.ParallelOp) -> bool:
    """Whether memory is accessed at a value, plus what is the same in all iterations of loops."""
    for use in value.uses:
        user = use.operation
        match user:
            case ocl.LoadOp() | ocl.StoreOp():
                if user.index is value:
                    return True
            case arith.AddiOp() | arith.SubiOp():
                if not _counts(user.operands[1 - use.index], region) and _is_address(
                    user.result, region
                ):
                    return True
            case _ if isinstance(user, _CASTS) and _is_address(user.results[0], region):
                return True
            case _:
                pass
    return False


def _counts(value: SSAValue, region: wg.ParallelOp) -> bool:
    """Whether a value may be another one in each iteration of a loop in the region."""
    todo, seen = [value], {value}
    while todo:
        owner = todo.pop().owner
        if owner is region.body.block or not region.is_ancestor(owner):
            continue
        if isinstance(owner, arith.MuliOp) and any(map(_argument, owner.operands)):
            # A counter times another argument, a dilation, does not count elements of a row.
            continue
        if isinstance(owner, Block) or owner.regions:
            return True
        todo += [operand for operand in owner.operands if operand not in seen]
        seen.update(owner.operands)
    return False
