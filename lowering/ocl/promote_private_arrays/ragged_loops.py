"""Loops over the elements of a private array that begin or end where data say."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.counters_within import counters_within
from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.lowering.build import Build

_SMALL = 1 << 30


def counter_of(loop: scf.ForOp) -> SSAValue:
    return loop.body.block.args[0]


def counters_of(loop: scf.ForOp) -> range | None:
    """Between what numbers the counter is, by the arrays that all iterations access, whatever the
    bounds of the loop are; None if that is not known, or all work-items have to do each iteration.
    """
    if constant_value(loop.step) != 1 or any(isinstance(op, CUTS) for op in loop.walk()):
        return None
    return counters_within(loop.body.block, counter_of(loop))


def guard_iterations(loop: scf.ForOp) -> None:
    """Let a loop do nothing outside of bounds that are not known, so that it can have others."""
    bounds = [("sge", loop.lb), ("slt", loop.ub)]
    bounds = [(test, bound) for test, bound in bounds if evaluate(bound, Numbers()) is None]
    if not bounds:
        return
    block = loop.body.block
    counter, *carried = block.args
    end = terminator(block)
    guarded = Block()
    for op in list(block.ops)[:-1]:
        op.detach()
        guarded.add_op(op)
    guarded.add_op(scf.YieldOp(*end.operands))
    build = Build(loop, InsertPoint.before(end))
    tests = [_compared(build, test, counter, bound) for test, bound in bounds]
    condition = tests[0] if len(tests) == 1 else build.and_(*tests)
    otherwise = Region(Block([scf.YieldOp(*carried)])) if carried else Region()
    branch = scf.IfOp(condition, [v.type for v in carried], Region(guarded), otherwise)
    build.emit_void(branch)
    Rewriter.replace_op(end, scf.YieldOp(*branch.results))


def _compared(build: Build, test: str, counter: SSAValue, bound: SSAValue) -> SSAValue:
    """`counter test bound`, in 32 bits if the bound is such a number plus a constant: twice as many
    are compared at once."""
    sum = linear(bound)
    value, factor = next(iter(sum.factors.items()), (bound, 0))
    is_narrow = value.type == i32 and len(sum.factors) == 1 and abs(sum.number) <= _SMALL
    if not is_narrow or factor not in (1, -1):
        return build.compare(test, counter, bound)
    rest = build.linear([(counter, factor), (None, -factor * sum.number)])
    rest = build.index_cast(rest, i32)
    return build.compare(test, *((rest, value) if factor == 1 else (value, rest)))
