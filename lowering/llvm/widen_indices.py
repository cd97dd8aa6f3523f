"""`widen-indices`: indices are computed in the width of addresses."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, i32
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.uniformity import Facts, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in
from polycl.dialects.ocl import KernelLike
from polycl.dialects.ocl.layout import stride_of
from polycl.lowering.build import Build

_ARITHMETIC = (arith.AddiOp, arith.SubiOp, arith.MuliOp)

LEAST_GATHERED = 4
"""The bytes of the smallest elements of which processors have gathers."""

_SMALL_QUERIES = (
    ocl.GlobalIdOp,
    ocl.LocalIdOp,
    ocl.GroupIdOp,
    ocl.GlobalSizeOp,
    ocl.LocalSizeOp,
    ocl.EnqueuedLocalSizeOp,
    ocl.NumGroupsOp,
    ocl.GlobalOffsetOp,
)


@dataclass(frozen=True)
class WidenIndicesPass(ModulePass):
    """Compute in `index` if the result of 32-bit arithmetic is sign-extended to an index.

    ```
    %k1 = arith.index_cast %k : index to i32
    %0 = arith.muli %y, %n : i32                  %wide = arith.index_cast %n : i32 to index
    %1 = arith.addi %0, %k1 : i32           ->    %0 = arith.muli %y_wide, %wide : index
    %2 = arith.index_cast %1 : i32 to index       %1 = arith.addi %0, %k : index
    ```

    Then loops extend no numbers, and later passes see addresses that grow by a constant. In C,
    signed arithmetic does not overflow, so both give the same number; ids and loop counters are
    small (a launch checks the range of the ids). Unsigned arithmetic may wrap: it is extended by
    zeros, and stays. So do the indices of gathers, which take 32 bits of each lane.
    """

    name = "widen-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, KernelLike):
            _Widening().rewrite(kernel)


class _Widening(Domain[SSAValue]):
    """The widened values of one kernel: each i32 as an index."""

    def rewrite(self, kernel: KernelLike) -> None:
        facts = Facts()
        for op in operations_in(kernel.body):
            if not isinstance(op, arith.IndexCastOp) or op.result.type != IndexType():
                continue
            if op.input.type != i32 or not isinstance(op.input.owner, _ARITHMETIC):
                continue
            if not (_is_gathered(op) and _is_anywhere(op.input, kernel, facts)):
                Rewriter.replace_op(op, [], [evaluate(op.input, self)])
        for op in reversed(operations_in(kernel.body)):
            if isinstance(op, (*_ARITHMETIC, arith.IndexCastOp)):
                if op.results[0].first_use is None:
                    Rewriter.erase_op(op)

    def leaf(self, value: SSAValue) -> SSAValue | None:
        number = constant_value(value)
        if number is None or not isinstance(value.owner, arith.ConstantOp):
            return None
        return _after(value, arith.ConstantOp(IntegerAttr(number, IndexType())))

    def opaque(self, value: SSAValue) -> SSAValue:
        owner = value.owner
        if isinstance(owner, arith.IndexCastOp) and _is_small(owner.input):
            return owner.input
        return _after(value, arith.IndexCastOp(value, IndexType()))

    rules = dict.fromkeys(
        _ARITHMETIC, lambda _, op, lhs, rhs: _after(op.result, type(op)(lhs, rhs))
    )


def _is_gathered(op: arith.IndexCastOp) -> bool:
    """Whether accesses at an index may be gathers: there are none of smaller elements."""
    accesses = [use.operation for use in op.result.uses]
    return all(
        isinstance(access, ocl.LoadOp | ocl.StoreOp)
        and stride_of(ocl.pointee_of(access.pointer)) >= LEAST_GATHERED
        for access in accesses
    )


def _is_anywhere(index: SSAValue, kernel: KernelLike, facts: Facts) -> bool:
    """Whether neighbours' elements are wherever data say, and stay there in loops: a gather takes
    32 bits of each lane in half of the registers."""
    leaves: list[SSAValue] = []
    waiting = [index]
    while waiting:
        value = waiting.pop()
        if isinstance(value.owner, _ARITHMETIC):
            waiting += value.owner.operands
        else:
            leaves.append(value)
    if any(_is_carried(leaf) for leaf in leaves):
        return False
    data = [leaf for leaf in leaves if _is_data(leaf)]
    return bool(data) and any(facts.of(kernel).lanes(leaf).x is VARYING for leaf in data)


def _is_carried(leaf: SSAValue) -> bool:
    """Whether a loop counts or carries the value."""
    if isinstance(leaf.owner, arith.IndexCastOp):
        leaf = leaf.owner.input
    return isinstance(leaf, BlockArgument) and isinstance(
        leaf.block.parent_op(), scf.ForOp | scf.WhileOp
    )


def _is_data(leaf: SSAValue) -> bool:
    """Whether a number comes from memory or from a float, perhaps through comparisons."""
    seen: set[SSAValue] = set()
    waiting = [leaf]
    while waiting:
        value = waiting.pop()
        owner = value.owner
        if value in seen or not isinstance(owner, Operation):
            continue
        seen.add(value)
        if isinstance(owner, arith.FPToSIOp | arith.FPToUIOp | ocl.LoadOp):
            return True
        if owner.name.startswith("arith.") and not owner.regions:
            waiting += owner.operands
    return False


def _after(value: SSAValue, op: Operation) -> SSAValue:
    """Insert `op`, which gets the name of `value`, after its definition."""
    result = Build.after(value).emit(op)
    result.name_hint = value.name_hint
    return result


def _is_small(value: SSAValue) -> bool:
    """Whether an index is an id, a loop counter or a sum of them, and so fits 32 bits."""
    if isinstance(value, BlockArgument):
        parent = value.block.parent_op()
        counts = isinstance(parent, scf.ForOp) and value.index == 0
        return counts or isinstance(parent, wg.ParallelOp)
    match value.owner:
        case arith.AddiOp() | arith.MuliOp() as op:
            return _is_small(op.lhs) and _is_small(op.rhs)
        case arith.ConstantOp(value=IntegerAttr()):
            return True
        case arith.IndexCastOp() as op:
            return op.input.type == i32 and isinstance(op.input.type, IntegerType)
        case owner:
            return isinstance(owner, _SMALL_QUERIES)
