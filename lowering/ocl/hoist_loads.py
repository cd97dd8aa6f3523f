"""`hoist-loads`: what both sides of a branch read, one element or one of each anywhere in an array,
is read once before the branch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.same_value import same_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.ocl.scattered import Scattered
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class HoistLoadsPass(ModulePass):
    """Read once before a branch what both of its sides read.

    ```
    %v = scf.if %inside -> (i32) {          %a = ocl.load %p[%i]
      %a = ocl.load %p[%i]                  %v = scf.if %inside -> (i32) {
      %b = ocl.load %p[%j]                    %b = ocl.load %p[%j]
      %s = arith.addi %a, %b          ->      %s = arith.addi %a, %b
      scf.yield %s                            scf.yield %s
    } else {                                } else {
      %c = ocl.load %p[%i]                    scf.yield %a
      scf.yield %c                          }
    }
    ```

    Where work-items disagree about the branch, two loads under masks become one without a mask.
    Elements anywhere in one array (`v = take ? p[a++] : p[b++];`) are one, too,
    at an index that the condition selects: neighbours gather once. Before the loads, neither side
    may do more than read.
    """

    name = "hoist-loads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            scattered = Scattered(function)
            # The innermost first: what they read first may move on.
            for branch in reversed(operations_of(function.body, scf.IfOp)):
                if len(branch.false_region.blocks) == 1:
                    _hoist(branch)
                    _select(branch, scattered)


def _hoist(branch: scf.IfOp) -> None:
    others = list(_first_loads(branch.false_region.block))
    for load in list(_first_loads(branch.true_region.block)):
        other = next((other for other in others if _is_same(load, other, branch)), None)
        if other is None:
            continue
        others.remove(other)
        emit_remark(load, HoistLoadsPass.name, "both sides of a branch read this: it is read once")
        value = hoisted(load.result, branch)
        for one in (load, other):
            Rewriter.replace_op(one, [], [value])


def _select(branch: scf.IfOp, scattered: Scattered) -> None:
    """Read before a branch one element of those anywhere in an array that each side reads."""
    others = list(_first_loads(branch.false_region.block))
    for load in list(_first_loads(branch.true_region.block)):
        other = next((other for other in others if _is_alike(load, other, branch, scattered)), None)
        if other is None:
            continue
        others.remove(other)
        emit_remark(load, HoistLoadsPass.name, "each side of a branch gathers: one does before it")
        known: dict[SSAValue, SSAValue] = {}
        pointer = hoisted(load.pointer, branch, known)
        assert load.index is not None and other.index is not None
        indices = [hoisted(index, branch, known) for index in (load.index, other.index)]
        index = arith.SelectOp(branch.cond, *indices)
        before = ocl.LoadOp(pointer, index.result)
        before.location = load.location
        Rewriter.insert_op([index, before], InsertPoint.before(branch))
        for one in (load, other):
            Rewriter.replace_op(one, [], [before.result])


def _first_loads(block: Block) -> Iterator[ocl.LoadOp]:
    """The loads before which a block does nothing but read."""
    for op in block.ops:
        if isinstance(op, ocl.LoadOp) and op.volatile is None:
            yield op
        elif not is_side_effect_free(op):
            return


def _is_same(load: ocl.LoadOp, other: ocl.LoadOp, branch: scf.IfOp) -> bool:
    if load.result.type != other.result.type or not same_value(load.pointer, other.pointer):
        return False
    if load.index is None or other.index is None:
        return load.index is other.index and is_hoistable(load.pointer, branch)
    values = load.pointer, load.index
    return same_value(load.index, other.index) and all(is_hoistable(v, branch) for v in values)


def _is_alike(load: ocl.LoadOp, other: ocl.LoadOp, branch: scf.IfOp, scattered: Scattered) -> bool:
    if load.result.type != other.result.type or not same_value(load.pointer, other.pointer):
        return False
    values = [v for v in (load.pointer, load.index, other.index) if v is not None]
    return scattered(load.index, other.index) and all(is_hoistable(v, branch) for v in values)
