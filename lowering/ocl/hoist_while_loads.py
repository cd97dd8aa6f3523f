"""`hoist-while-loads`: an element that each iteration of a `while` reads is read once before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_apart
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable, take_side
from polycl.lowering.ocl.simplify_loops import copy_of, known_outcome
from polycl.remarks import emit_remark

_NUMBERS = (IntegerType, AnyFloat)
_HARMLESS = (scf.ForOp, scf.IfOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp, ocl.AllocaOp)


@dataclass(frozen=True)
class HoistWhileLoadsPass(ModulePass):
    """Read before an `scf.while` what each of its iterations reads at the same address.

    ```
    scf.while (%d = %d0) {                       %v = ocl.load %p[%i]
      %c = arith.cmpf ogt, %d, %least            scf.while (%d = %d0) {
      scf.condition(%c) %d                         %c = arith.cmpf ogt, %d, %least
    } do {                                         scf.condition(%c) %d
      %v = ocl.load %p[%i]                  ->   } do {
      %q = math.sqrt %v                            %q = math.sqrt %v
      %e = arith.mulf %d, %q                       %e = arith.mulf %d, %q
      scf.yield %e                                 scf.yield %e
    }                                            }
    ```

    The lanes of a vector leave such a loop one after the other: their loads are under a mask that
    changes, so that LLVM moves neither these out of the loop nor what is computed of them, as it
    does with what all work-items read at one address. What only the second part of a loop reads is
    read if the condition holds at first, which is computed before the loop unless it is known. The
    loop writes nothing that may be there, and does nothing with memory but to read and write. With
    `distinct`, buffers of different parameters do not overlap: the launch checks it.
    """

    name = "hoist-while-loads"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            loops = operations_of(function.body, scf.WhileOp)
            facts = Uniformity(function) if loops else None
            # The innermost first: what they read first may move on.
            for loop in reversed(loops):
                assert facts is not None
                _hoist(loop, facts, self.distinct)


def _hoist(loop: scf.WhileOp, facts: Uniformity, distinct: bool) -> None:
    inside = operations_in(loop)
    if not all(map(_is_known, inside)):
        return
    stores = [op for op in inside if isinstance(op, ocl.StoreOp)]

    def loads_of(block: Block) -> list[ocl.LoadOp]:
        """Those at addresses that the loop does not change, nor what is there."""
        found: list[ocl.LoadOp] = []
        for op in block.ops:
            if not isinstance(op, ocl.LoadOp) or not isinstance(op.result.type, _NUMBERS):
                continue
            if all(map(facts.is_uniform, op.operands)):
                continue
            known = [load.result for load in found]
            if all(is_hoistable(value, loop, known) for value in op.operands) and all(
                are_apart(op.pointer, store.pointer, distinct) for store in stores
            ):
                found.append(op)
        return found

    test = loop.before_region.block
    _move(loads_of(test), loop, InsertPoint.before(loop))
    if all(map(_may_be_copied, test.ops)) and (loads := loads_of(loop.after_region.block)):
        _move_if_it_runs(loads, loop)


def _is_known(op: Operation) -> bool:
    if isinstance(op, ocl.LoadOp | ocl.StoreOp):
        return op.volatile is None
    return isinstance(op, _HARMLESS) or is_side_effect_free(op)


def _may_be_copied(op: Operation) -> bool:
    """Whether an operation of a loop's condition may run once more: it writes nothing, and has no
    loop inside."""
    return not any(
        isinstance(inner, scf.ForOp | scf.WhileOp | ocl.StoreOp | ocl.AllocaOp)
        for inner in operations_in(op)
    )


def _move_if_it_runs(loads: Sequence[ocl.LoadOp], loop: scf.WhileOp) -> None:
    """Read at once what the second part of a loop reads, if the condition holds at first."""
    block, last = loop.parent, loop.prev_op
    assert block is not None
    first = copy_of(loop.before_region.block, loop.arguments, InsertPoint.before(loop))
    condition = condition_of(loop).condition
    types = [load.result.type for load in loads]
    read, instead = Block(), Block()
    guard = scf.IfOp(first.get(condition, condition), types, Region(read), Region(instead))
    guard.location = loads[0].location
    Rewriter.insert_op(guard, InsertPoint.before(loop))
    values = _move(loads, loop, InsertPoint.at_end(read), guard.results)
    Build(guard, read).emit_void(scf.YieldOp(*values))
    zeros = Build(guard, instead)
    zeros.emit_void(scf.YieldOp(*(zeros.constant(0, type) for type in types)))
    # What is known of the first iteration, such as a counter that starts below its bound.
    op = last.next_op if last is not None else block.first_op
    while op is not loop:
        assert op is not None
        following = op.next_op
        if isinstance(op, scf.IfOp) and (outcome := known_outcome(op.cond)) is not None:
            take_side(op, op.regions[0 if outcome else 1])
        op = following


def _move(
    loads: Sequence[ocl.LoadOp],
    loop: scf.WhileOp,
    point: InsertPoint,
    results: Sequence[SSAValue] | None = None,
) -> list[SSAValue]:
    """Read at `point`; the loop uses `results` in place of what is read there, which is returned,
    or that itself."""
    known: dict[SSAValue, SSAValue] = {}
    values: list[SSAValue] = []
    for load in loads:
        emit_remark(load, HoistWhileLoadsPass.name, "a loop reads this again: it is read once")
        values.append(hoisted(load.result, loop, known, point))
    for number, load in enumerate(loads):
        Rewriter.replace_op(load, [], [(results or values)[number]])
    return values
