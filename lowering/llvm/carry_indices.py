"""`carry-indices`: a loop carries an index in the width of addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, i32
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.cut_sums import LARGEST_NUMBER
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import is_hoistable, with_results

_Step = arith.AddiOp | arith.SubiOp
_SIGNED = (2, 3, 4, 5)
"""Comparisons of signed numbers: <, <=, >, >=."""


@dataclass(frozen=True)
class CarryIndicesPass(ModulePass):
    """Carry an index of 32 bits, which each iteration of a `while` accesses memory at, as `index`;
    it may add to it what the loop does not change.

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
    a sum that wraps leads to an element at least 2^31 further on. For the same reason, comparisons
    of signed numbers are of the wide ones, of the index itself or of the sum that is accessed at,
    if the index moves by a small number.
    """

    name = "carry-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.WhileOp):
            if passes_all_on(loop):
                _carry(loop, list(_indices(loop)))


@dataclass(frozen=True)
class _Index:
    """A value that a loop carries as an index."""

    number: int
    step: _Step
    compared: list[_Step | None]
    """The sums of it that memory is accessed at, None for itself, if they are compared as such."""


def _indices(loop: scf.WhileOp) -> Iterator[_Index]:
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
        sums = [*_accessed(value, loop), *_accessed(tested[number], loop)]
        if step.parent is body and sums:
            yield _Index(number, step, sums if _is_small(step) else [])


def _is_small(step: _Step) -> bool:
    amounts = [constant_value(operand) for operand in step.operands]
    return any(amount is not None and abs(amount) <= LARGEST_NUMBER for amount in amounts)


def _accessed(value: BlockArgument, loop: scf.WhileOp) -> Iterator[_Step | None]:
    """The sums of an index that each iteration accesses memory at; None for the index itself."""
    for use in value.uses:
        cast = use.operation
        if not isinstance(cast, arith.IndexCastOp):
            continue
        for user in [use.operation for use in cast.result.uses]:
            if _accesses(user, cast.result, value):
                yield None
            elif (
                isinstance(user, _Step)
                and any(_accesses(use.operation, user.result, value) for use in user.result.uses)
                and is_hoistable(user.rhs if user.lhs is cast.result else user.lhs, loop)
            ):
                yield user


def _accesses(op: Operation, index: SSAValue, value: BlockArgument) -> bool:
    """Whether `op`, in each iteration, accesses memory at an index."""
    return (
        isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.index is index and op.parent is value.block
    )


def _carry(loop: scf.WhileOp, indices: Sequence[_Index]) -> None:
    """Carry values as indices."""
    operands, types = list(loop.operands), list(loop.result_types)
    for carried in indices:
        number, step = carried.number, carried.step
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
            _use_narrow(index, uses, carried.compared)
    new = with_results(loop, operands, types)
    for old, result in zip(loop.results, new.results, strict=True):
        is_wide = result.type != old.type
        old.replace_all_uses_with(
            Build.after(result).emit(arith.IndexCastOp(result, i32)) if is_wide else result
        )
    Rewriter.erase_op(loop)


def _widened(value: SSAValue, b: Build) -> SSAValue:
    return b.emit(arith.IndexCastOp(value, IndexType()))


def _use_narrow(index: SSAValue, uses: Sequence[Use], compared: Sequence[_Step | None]) -> None:
    """Use an index where the same number was used in 32 bits."""
    narrow = Build.after(index).emit(arith.IndexCastOp(index, i32))
    for use in uses:
        user = use.operation
        if isinstance(user, arith.IndexCastOp) and user.result.type == IndexType():
            Rewriter.replace_op(user, [], [index])
        else:
            user.operands[use.index] = narrow
    for use in list(narrow.uses):
        user = use.operation
        if user.parent is None:
            # It had the index twice.
            continue
        if _is_signed_test(user) and None in compared:
            _extend(user, use.index, index)
        elif isinstance(user, _Step) and any(_is_same(user, use.index, sum) for sum in compared):
            wide = type(user)(*_operands(user, use.index, index))
            Rewriter.insert_op(wide, InsertPoint.before(user))
            for test in [use for use in user.result.uses if _is_signed_test(use.operation)]:
                _extend(test.operation, test.index, wide.result)
            for unused in (user, wide):
                if unused.result.first_use is None:
                    Rewriter.erase_op(unused)
    if narrow.first_use is None and isinstance(narrow.owner, Operation):
        Rewriter.erase_op(narrow.owner)


def _is_signed_test(op: Operation) -> bool:
    return isinstance(op, arith.CmpiOp) and op.predicate.value.data in _SIGNED


def _is_same(narrow: _Step, number: int, wide: _Step | None) -> bool:
    """Whether two sums of an index, one of which is operand `number`, have the same other part."""
    if wide is None or type(narrow) is not type(wide):
        return False
    other, added = narrow.operands[1 - number], wide.operands[1 - number]
    known = constant_value(other)
    if known is not None:
        return known == constant_value(added)
    return isinstance(added.owner, arith.IndexCastOp) and same_value(added.owner.input, other)


def _extend(test: Operation, number: int, index: SSAValue) -> None:
    """Compare an index, and the other operand of 32 bits as one."""
    assert isinstance(test, arith.CmpiOp)
    wide = arith.CmpiOp(*_operands(test, number, index), test.predicate.value.data)
    Rewriter.replace_op(test, wide)


def _operands(op: arith.CmpiOp | _Step, number: int, index: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Both operands as indices, of which one is known."""
    other = _widened(op.operands[1 - number], Build(op))
    return (other, index) if number else (index, other)
