"""`carry-distances`: a loop with barriers carries how far an address has moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.parallel_regions import ops_around_barriers
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import negated
from polycl.lowering.ocl.ocl_to_wg import in_lock_step
from polycl.remarks import emit_remark

Step = tuple[SSAValue, bool]
"""An amount, and whether it is subtracted."""


@dataclass(frozen=True)
class CarryDistancesPass(ModulePass):
    """Carry the distance of a pointer or an integer from its start where all work-items agree.

    ```
    %p = scf.for ... iter_args(%q = %start) {      %d = scf.for ... iter_args(%e = %c0) {
      ... %q ...                                     %q = ocl.offset %start[%e]
      ocl.barrier local                              ... %q ...
      %r = ocl.offset %q[%n]               ->        ocl.barrier local
      scf.yield %r                                   %f = arith.addi %e, %n
    }                                                scf.yield %f
                                                   }
                                                   %p = ocl.offset %start[%d]
    ```

    Each work-item has its own start, but the steps are the same for all of them. After a barrier
    the pointer would be a value from a context array, of which nothing is known. The distance is
    one value for the group, and a start that is cheap to compute from ids shows that neighbours
    read neighbouring elements.

    Sums of integers wrap in the same way in any order. Loops without a barrier, and those that not
    all work-items run together, stay.
    """

    name = "carry-distances"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            if len(kernel.body.blocks) != 1:
                continue
            around = ops_around_barriers(kernel.body)
            if not around:
                continue
            facts = Uniformity(kernel)
            # The innermost first: an outer loop adds what they have moved.
            for loop in reversed(operations_of(kernel.body, scf.ForOp, scf.WhileOp)):
                if loop not in around:
                    continue
                if not in_lock_step(loop, facts):
                    continue
                found = [c for i in range(len(loop.results)) if (c := _carried(loop, i, facts))]
                for carried in found:
                    _carry_distance(loop, carried)
                    hint = carried.start.name_hint or "a value"
                    emit_remark(loop, self.name, f"carries how far '{hint}' has moved")
                if found:
                    facts = Uniformity(kernel)


@dataclass(frozen=True)
class _Part:
    """A block of a loop: the value that it starts with, and the steps to what it ends with."""

    block: Block
    argument: int
    end: int
    """The operand of the terminator."""
    steps: Sequence[Step]


@dataclass(frozen=True)
class _Carried:
    number: int
    """Of the loop's result."""
    operand: int
    start: SSAValue
    parts: Sequence[_Part]


def _carried(loop: scf.ForOp | scf.WhileOp, number: int, facts: Uniformity) -> _Carried | None:
    """A value that differs between work-items, but moves by the same steps for all of them."""
    if isinstance(loop, scf.ForOp):
        operand, places = 3 + number, [(loop.body.block, number + 1, number)]
    else:
        before, after = loop.before_region.block, loop.after_region.block
        if len(before.args) != len(after.args):
            return None
        operand, places = number, [(before, number, number + 1), (after, number, number)]
    start = loop.operands[operand]
    if not isinstance(start.type, ocl.PtrType | IntegerType | IndexType):
        return None
    if facts.is_uniform(start):
        return None
    parts: list[_Part] = []
    for block, argument, end in places:
        steps = steps_between(terminator(block).operands[end], block.args[argument], facts)
        if steps is None:
            return None
        parts.append(_Part(block, argument, end, steps))
    return _Carried(number, operand, start, parts) if any(p.steps for p in parts) else None


def steps_between(value: SSAValue, start: SSAValue, facts: Uniformity) -> list[Step] | None:
    """The amounts that are added to `start` to get `value`, the same for all work-items."""
    steps: list[Step] = []
    while value is not start:
        match value.owner:
            case ocl.OffsetOp(pointer=before, index=amount):
                less = negated(amount)
                steps.append((amount, False) if less is None else (less, True))
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                is_first = lhs is start or constant_value(rhs) is not None
                before, amount = (lhs, rhs)
                if not is_first and facts.is_uniform(lhs):
                    before, amount = rhs, lhs
                steps.append((amount, False))
            case arith.SubiOp(lhs=before, rhs=amount):
                steps.append((amount, True))
            case _:
                return None
        value = before
    return steps if all(facts.is_uniform(amount) for amount, _ in steps) else None


def _carry_distance(loop: scf.ForOp | scf.WhileOp, carried: _Carried) -> None:
    start = carried.start
    type: Attribute = IndexType() if isinstance(start.type, ocl.PtrType) else start.type
    loop.operands[carried.operand] = Build(loop).constant(0, type)
    for part in carried.parts:
        argument = Rewriter.replace_value_with_new_type(part.block.args[part.argument], type)
        end = terminator(part.block)
        uses = [u for u in argument.uses if (u.operation, u.index) != (end, part.end)]
        _add_start(start, argument, uses, InsertPoint.at_start(part.block))
        build = Build(loop, InsertPoint.before(end))
        distance: SSAValue = argument
        for amount, is_subtracted in reversed(part.steps):
            distance = (build.sub if is_subtracted else build.add)(distance, amount)
        end.operands[part.end] = distance
    result = Rewriter.replace_value_with_new_type(loop.results[carried.number], type)
    _add_start(start, result, list(result.uses), InsertPoint.after(loop))


def _add_start(
    start: SSAValue, distance: SSAValue, uses: Sequence[Use], place: InsertPoint
) -> None:
    """Use `start` moved by `distance` instead of `distance`."""
    if not uses:
        return
    assert place.insert_before is not None
    build = Build(place.insert_before, place)
    if isinstance(start.type, ocl.PtrType):
        moved = build.emit(ocl.OffsetOp(start, distance))
    else:
        moved = build.add(start, distance)
    moved.name_hint = distance.name_hint
    for use in uses:
        use.operation.operands[use.index] = moved
