"""`remove-dead-values`: a value that no effect of a kernel needs is not computed or carried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in
from polycl.lowering.ocl.moving import with_results

_Control: TypeAlias = scf.IfOp | scf.ForOp | scf.WhileOp
_CONTROL = (scf.IfOp, scf.ForOp, scf.WhileOp)


@dataclass(frozen=True)
class RemoveDeadValuesPass(ModulePass):
    """Remove results and loop-carried values that no effect needs, and what only they use.

    ```
    %a, %b = scf.for ... iter_args(%x = %0, %y = %1) {    %a = scf.for ... iter_args(%x = %0) {
      %z = arith.addf %y, %x                         ->
      scf.yield %x, %z                                      scf.yield %x
    }                                                     }
    ```

    (`%b` is not used.) Fields of structs that a kernel sets and never reads are such values.
    Loads that are not volatile have no effect; loops that may not end, `scf.while`, have one.
    Bodies of several blocks are left as they are: `lift-cf-to-scf` runs before.
    """

    name = "remove-dead-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, ocl.KernelOp | FuncOp):
                remove_dead_values(function)


def remove_dead_values(function: ocl.KernelOp | FuncOp) -> None:
    """Apply the pass to one function."""
    if len(function.body.blocks) == 1:
        body = function.body.block
        _remove(body, _Living(body))


class _Living:
    """The operations and values that effects need, found by following operands backwards."""

    def __init__(self, body: Block) -> None:
        self.ops: set[Operation] = set()
        self._values: set[SSAValue] = set()
        self._pending: list[SSAValue] = []
        for op in operations_in(body):
            if _has_effect(op):
                self._keep(op)
        while self._pending:
            self._follow(self._pending.pop())

    def live(self, values: Sequence[SSAValue]) -> list[int]:
        """The indices of the values that are needed."""
        return [i for i, value in enumerate(values) if value in self._values]

    def _need(self, *values: SSAValue) -> None:
        self._pending += [value for value in values if value not in self._values]
        self._values.update(values)

    def _keep(self, op: Operation) -> None:
        while op not in self.ops:
            self.ops.add(op)
            match op:
                case scf.IfOp():
                    self._need(op.cond)
                case scf.ForOp():
                    self._need(op.lb, op.ub, op.step)
                case scf.WhileOp():
                    self._need(condition_of(op).condition)
                case _:
                    self._need(*op.operands)
            parent = op.parent_op()
            if not isinstance(parent, _CONTROL):
                return
            op = parent

    def _follow(self, value: SSAValue) -> None:
        """Mark the operands of `value` as needed, through control flow."""
        if isinstance(value, OpResult):
            self._keep(value.op)
        owner = value.owner.parent_op() if isinstance(value, BlockArgument) else value.owner
        assert isinstance(value, OpResult | BlockArgument)
        number = value.index
        match owner:
            case scf.IfOp():
                self._need(*(terminator(region.block).operands[number] for region in owner.regions))
            case scf.ForOp():
                number -= isinstance(value, BlockArgument)
                if number >= 0:
                    self._need(owner.iter_args[number], owner.body.block.args[number + 1])
                    self._need(owner.results[number], terminator(owner.body.block).operands[number])
            case scf.WhileOp():
                before, after = owner.before_region.block, owner.after_region.block
                if value in before.args:
                    self._need(owner.arguments[number], terminator(after).operands[number])
                else:
                    self._need(owner.results[number], after.args[number])
                    self._need(condition_of(owner).args[number])
            case _:
                pass


def _has_effect(op: Operation) -> bool:
    match op:
        case scf.IfOp() | scf.ForOp():
            return False
        case scf.WhileOp():
            return True
        case scf.YieldOp() | scf.ConditionOp() if isinstance(op.parent_op(), _CONTROL):
            return False
        case ocl.LoadOp():
            return op.volatile is not None
        case ocl.VLoadOp() | ocl.AllocaOp():
            return False
        case _:
            # An operation with other regions needs everything in them.
            inside = not isinstance(op.parent_op(), (*_CONTROL, ocl.KernelOp, FuncOp))
            return inside or bool(op.regions) or not is_side_effect_free(op)


def _remove(body: Block, living: _Living) -> None:
    ops = list(body.walk(reverse=True, region_first=True))
    kept = [_Narrowing(op, living) for op in ops if isinstance(op, _CONTROL) and op in living.ops]
    # First the uses of dead values, then their definitions.
    for control in kept:
        control.narrow_uses()
    for op in ops:
        is_end = isinstance(op, scf.YieldOp | scf.ConditionOp) and op.parent_op() in living.ops
        if op not in living.ops and not is_end:
            Rewriter.erase_op(op)
    for control in kept:
        control.narrow_definitions()


class _Narrowing:
    """Control flow that passes on only values that are needed."""

    def __init__(self, op: _Control, living: _Living) -> None:
        self._op = op
        self._results = living.live(op.results)
        self._after_first = [0, *(i + 1 for i in self._results)]
        # For each block of a loop, the indices of the arguments that it needs.
        self._arguments: dict[Block, list[int]] = {}
        match op:
            case scf.ForOp():
                self._arguments[op.body.block] = self._after_first
            case scf.WhileOp():
                before = op.before_region.block
                self._arguments[before] = living.live(before.args)
                self._arguments[op.after_region.block] = self._results
            case scf.IfOp():
                pass

    def narrow_uses(self) -> None:
        op = self._op
        match op:
            case scf.IfOp():
                for region in op.regions:
                    for block in region.blocks:
                        _keep_operands(terminator(block), self._results)
            case scf.ForOp():
                _keep_operands(op, [0, 1, 2, *(i + 3 for i in self._results)])
                _keep_operands(terminator(op.body.block), self._results)
            case scf.WhileOp():
                carried = self._arguments[op.before_region.block]
                _keep_operands(op, carried)
                _keep_operands(terminator(op.before_region.block), self._after_first)
                _keep_operands(terminator(op.after_region.block), carried)

    def narrow_definitions(self) -> None:
        op = self._op
        for block, needed in self._arguments.items():
            for argument in [a for a in block.args if a.index not in needed]:
                block.erase_arg(argument)
        if len(self._results) == len(op.results):
            return
        if isinstance(op, scf.IfOp) and not self._results:
            otherwise = op.false_region.block
            if otherwise.first_op is otherwise.last_op:
                op.false_region.erase_block(otherwise)
        results = [op.results[i] for i in self._results]
        new = with_results(op, op.operands, [result.type for result in results])
        for old, result in zip(results, new.results, strict=True):
            old.replace_all_uses_with(result)
        Rewriter.erase_op(op)


def _keep_operands(op: Operation, numbers: list[int]) -> None:
    op.operands = [op.operands[i] for i in numbers]
