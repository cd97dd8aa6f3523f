"""`carry-indices`: a loop carries an index in the width of addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, i32
from xdsl.ir import BlockArgument, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import passes_all_on, terminator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import with_results

_Step = arith.AddiOp | arith.SubiOp


@dataclass(frozen=True)
class CarryIndicesPass(ModulePass):
    """Carry an index of 32 bits, which each iteration of a `while` accesses memory at, as `index`.

    ```
    scf.while (%j = %start) : (i32) {           %from = arith.index_cast %start : i32 to index
      %more = arith.cmpi slt, %j, %n : i32      scf.while (%i = %from) : (index) {
      scf.condition(%more) %j                     %j = arith.index_cast %i : index to i32
    } do {                                        %more = arith.cmpi slt, %j, %n : i32
      %i = arith.index_cast %j : i32 to index     scf.condition(%more) %i
      ocl.store %v, %p[%i]                   -> } do {
      %next = arith.addi %j, %step : i32          ocl.store %v, %p[%i]
      scf.yield %next                             %next = arith.addi %i, %wide : index
    }                                             scf.yield %next
                                                }
    ```

    The sign extension is gone from the chain of operations that the next iteration waits for. It is
    the same number, also of an unsigned variable: each iteration accesses memory at its index, and
    a sum that wraps leads to an element at least 2^31 further on.
    """

    name = "carry-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.WhileOp):
            if passes_all_on(loop):
                _carry(loop, list(_indices(loop)))


def _indices(loop: scf.WhileOp) -> Iterator[tuple[int, _Step]]:
    """The numbers of the values that a loop carries as indices, and what they grow by."""
    tested, body = loop.before_region.block.args, loop.after_region.block
    for number, (value, following) in enumerate(
        zip(body.args, terminator(body).operands, strict=True)
    ):
        if value.type != i32:
            continue
        match following.owner:
            case arith.AddiOp() as step if value in step.operands:
                pass
            case arith.SubiOp(lhs=lhs) as step if lhs is value:
                pass
            case _:
                continue
        if step.parent is body and (_is_accessed(value) or _is_accessed(tested[number])):
            yield number, step


def _is_accessed(value: BlockArgument) -> bool:
    """Whether each iteration accesses memory at an index."""
    casts = [use.operation for use in value.uses if isinstance(use.operation, arith.IndexCastOp)]
    accesses = [use.operation for cast in casts for use in cast.results[0].uses]
    return any(
        isinstance(access, ocl.LoadOp | ocl.StoreOp)
        and access.index is not None
        and access.index.owner in casts
        and access.parent is value.block
        for access in accesses
    )


def _carry(loop: scf.WhileOp, indices: Sequence[tuple[int, _Step]]) -> None:
    """Carry values as indices."""
    operands, types = list(loop.operands), list(loop.result_types)
    for number, step in indices:
        operands[number] = _widened(operands[number], Build(loop))
        types[number] = IndexType()
        wide = type(step)(_widened(step.lhs, Build(step)), _widened(step.rhs, Build(step)))
        wide.location = step.location
        Rewriter.insert_op(wide, InsertPoint.before(step))
        terminator(loop.after_region.block).operands[number] = wide.result
        if step.result.first_use is None:
            Rewriter.erase_op(step)
        for block in (loop.before_region.block, loop.after_region.block):
            argument = block.args[number]
            uses = [use for use in argument.uses if not isinstance(use.operation, scf.ConditionOp)]
            index = Rewriter.replace_value_with_new_type(argument, IndexType())
            _use_narrow(index, uses)
    new = with_results(loop, operands, types)
    for old, result in zip(loop.results, new.results, strict=True):
        is_wide = result.type != old.type
        old.replace_all_uses_with(
            Build.after(result).emit(arith.IndexCastOp(result, i32)) if is_wide else result
        )
    Rewriter.erase_op(loop)


def _widened(value: SSAValue, b: Build) -> SSAValue:
    return b.emit(arith.IndexCastOp(value, IndexType()))


def _use_narrow(index: SSAValue, uses: Sequence[Use]) -> None:
    """Use an index where the same number was used in 32 bits."""
    kept: list[Use] = []
    for use in uses:
        user = use.operation
        if isinstance(user, arith.IndexCastOp) and user.result.type == IndexType():
            Rewriter.replace_op(user, [], [index])
        else:
            kept.append(use)
    if kept:
        narrow = Build.after(index).emit(arith.IndexCastOp(index, i32))
        for use in kept:
            use.operation.operands[use.index] = narrow
