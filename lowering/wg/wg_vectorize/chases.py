"""Loops that wait for memory in each iteration: searches in sorted arrays, trees, lists."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in, operations_of

_Load = ocl.LoadOp | ocl.VLoadOp


def is_chase(loop: Operation) -> bool:
    """Whether an address of a buffer depends on what an iteration before has read there."""
    match loop:
        case scf.ForOp():
            carried = loop.body.block.args[1:]
            following = terminator(loop.body.block).operands
        case scf.WhileOp():
            carried = loop.before_region.block.args
            following = terminator(loop.after_region.block).operands
        case _:
            return False
    loads = [op for op in operations_of(loop, ocl.LoadOp, ocl.VLoadOp) if _is_far(op)]
    if not loads or not carried:
        return False
    read = _depending(loop, (load.result for load in loads))
    found = [arg for arg, next in zip(carried, following, strict=True) if next in read]
    reached = _depending(loop, found) if found else set[SSAValue]()
    return any(operand in reached for load in loads for operand in load.operands)


def _is_far(load: _Load) -> bool:
    """Whether what is read may be in no first-level cache: work-items have little memory of their
    own."""
    return ocl.space_of(load.pointer) in (ocl.AddressSpace.GLOBAL, ocl.AddressSpace.CONSTANT)


def _depending(loop: Operation, values: Iterable[SSAValue]) -> set[SSAValue]:
    """The values in a loop that depend on some, in one iteration."""
    found = set(values)
    for op in operations_in(loop):
        if op is loop:
            continue
        if isinstance(op, scf.ConditionOp) and isinstance(loop, scf.WhileOp):
            if op is condition_of(loop):
                after = loop.after_region.block.args
                found.update(a for a, v in zip(after, op.args, strict=True) if v in found)
        elif any(operand in found for operand in op.operands):
            found.update(op.results)
            found.update(arg for block in _blocks(op) for arg in block.args)
            if isinstance(op, scf.YieldOp) and (home := op.parent_op()) is not loop:
                assert home is not None
                if isinstance(home, scf.IfOp):
                    results = zip(home.results, op.operands, strict=True)
                    found.update([result for result, value in results if value in found])
                else:
                    found.update(home.results)
    return found


def _blocks(op: Operation) -> Iterable[Block]:
    return (block for region in op.regions for block in region.blocks)
