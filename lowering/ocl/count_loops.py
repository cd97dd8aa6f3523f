"""`count-loops`: a loop to a bound in memory that nothing changes is a counted loop."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_apart
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted
from polycl.remarks import emit_remark

_HARMLESS = (
    *(ocl.LoadOp, ocl.VLoadOp, ocl.AllocaOp),
    *(scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp),
)


@dataclass(frozen=True)
class CountLoopsPass(ModulePass):
    """Read the bound of a loop once, and count to it, where no iteration can change it.

    ```
    %j = scf.while (%i = %start) {                   %n = ocl.load %p
      %n = ocl.load %p                               scf.for %t = %start to %n step %c1 {
      %go = arith.cmpi slt, %i, %n              ->     ... %t ...
      scf.condition(%go) %i                          }
    } do {                                           %j = arith.maxsi %start, %n
      ... %i ...
      scf.yield %i + %c1
    }
    ```

    Such a loop is `for (i = start; i < *p; i++)`. It may store to memory that the bound is not in:
    of another address space, and, with `distinct`, of another parameter, since the launch checks
    that buffers do not overlap. A loop with barriers or atomic operations stays. The bound is read
    at least once in any case. Counters have 32 bits, or are signed. A condition that stores
    something itself stays.
    """

    name = "count-loops"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # The innermost first: the bound of an outer loop may be computed in it.
        for loop in reversed(operations_of(op, scf.WhileOp)):
            self._count(loop)

    def _count(self, loop: scf.WhileOp) -> None:
        before, after = loop.before_region.block, loop.after_region.block
        test = condition_of(loop).condition.owner
        if not isinstance(test, arith.CmpiOp) or not passes_all_on(loop):
            return
        if not all(_only_reads(op) for op in before.ops):
            return
        counters = [i for i, value in enumerate(before.args) if value is test.lhs]
        is_read_here = loop.is_ancestor(test.rhs.owner)
        if not counters or not is_read_here or not self._is_fixed(test.rhs, loop):
            return
        place, predicate = counters[0], predicate_of(test)
        step = terminator(after).operands[place].owner
        if not isinstance(step, arith.AddiOp) or constant_value(step.rhs) != 1:
            return
        is_signed = predicate == "slt"
        if step.lhs is not after.args[place] or not (is_signed or predicate == "ult"):
            return
        if test.lhs.type == i32 or is_signed and test.lhs.type == IntegerType(64):
            emit_remark(loop, self.name, "counts to a number that is read once")
            _replace(loop, place, hoisted(test.rhs, loop), is_signed)

    def _is_fixed(self, value: SSAValue, loop: scf.WhileOp) -> bool:
        """Whether a value that the condition computes is the same in each iteration."""
        owner = value.owner
        if not loop.is_ancestor(owner):
            return True
        if isinstance(owner, Block) or owner.parent is not loop.before_region.block:
            return False
        is_kept = isinstance(owner, ocl.LoadOp) and self._is_kept(owner, loop)
        if owner.regions or not (is_kept or is_side_effect_free(owner)):
            return False
        return all(self._is_fixed(operand, loop) for operand in owner.operands)

    def _is_kept(self, load: ocl.LoadOp, loop: scf.WhileOp) -> bool:
        """Whether no operation of a loop can change what is loaded."""
        return load.volatile is None and all(
            are_apart(op.pointer, load.pointer, self.distinct)
            if isinstance(op, ocl.StoreOp | ocl.VStoreOp)
            else isinstance(op, _HARMLESS) or is_side_effect_free(op)
            for op in loop.walk()
        )


def _only_reads(op: Operation) -> bool:
    """Whether an operation of the condition can go with it."""
    if isinstance(op, ocl.LoadOp):
        return op.volatile is None
    return isinstance(op, ocl.VLoadOp | scf.ConditionOp) or is_side_effect_free(op)


def _replace(loop: scf.WhileOp, place: int, bound: SSAValue, is_signed: bool) -> None:
    start, build = loop.arguments[place], Build(loop)
    as_index = build.as_index if is_signed else build.unsigned_index
    others = [value for i, value in enumerate(loop.arguments) if i != place]
    after = loop.after_region.block
    body = Block(arg_types=[IndexType(), *(value.type for value in others)])
    counted = scf.ForOp(as_index(start), as_index(bound), build.index(1), others, Region(body))
    counted.attributes = dict(loop.attributes)
    build.emit_void(counted)
    last = build.max(start, bound, signed=is_signed)
    inside = Build(counted, InsertPoint.at_end(body))
    counter = inside.index_cast(body.args[0], start.type)
    counter.name_hint = after.args[place].name_hint
    carried: list[SSAValue] = list(body.args[1:])
    carried.insert(place, counter)
    Rewriter.inline_block(after, InsertPoint.at_end(body), carried)
    end = terminator(body)
    end.operands = [value for i, value in enumerate(end.operands) if i != place]
    ends: list[SSAValue] = list(counted.results)
    ends.insert(place, last)
    Rewriter.replace_op(loop, [], ends)
