"""Unrolling the loops that count elements of an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.lowering.ocl.moving import replace_by_block
from polycl.lowering.ocl.promote_private_arrays.accesses import accesses_of, loops_in
from polycl.lowering.ocl.promote_private_arrays.limits import MOST_ELEMENTS, MOST_OPERATIONS
from polycl.lowering.ocl.simplify_loops import unroll

_RELATIONS = {"slt": lt, "sle": le, "sgt": gt, "sge": ge, "eq": eq, "ne": ne}


class Kernel:
    """What is known of a kernel, brought up to date where loops are unrolled."""

    def __init__(self, kernel: ocl.KernelOp):
        operations = list(kernel.body.walk())
        self.operations = len(operations)
        self.has_barriers = any(isinstance(op, ocl.BarrierOp) for op in operations)
        self._kernel = kernel

    @cached_property
    def facts(self) -> Uniformity:
        return Uniformity(self._kernel)

    def replaced(self, old: int, new: Sequence[Operation]) -> None:
        """Take note of operations that are in the place of `old` ones."""
        self.operations += sum(1 for op in new for _ in op.walk()) - old
        if "facts" in self.__dict__:
            for op in new:
                self.facts.visit(op)


def _rounds(loop: scf.ForOp, counters: Mapping[SSAValue, int]) -> range:
    lb, ub = (_number(linear(bound), counters) for bound in (loop.lb, loop.ub))
    step = constant_value(loop.step)
    assert step is not None
    return range(lb, ub, step)


def _number(number: Linear, counters: Mapping[SSAValue, int]) -> int:
    return number.number + sum(factor * counters[value] for value, factor in number.factors.items())


def copies_in(loops: set[scf.ForOp]) -> dict[scf.ForOp, int]:
    """How often the body of each loop is there after all were unrolled."""
    used = {
        value for loop in loops for bound in (loop.lb, loop.ub) for value in linear(bound).factors
    }
    copies: dict[scf.ForOp, int] = {}
    for loop in loops:
        outer = [one for one in loops if one.is_ancestor(loop)]
        outer.sort(key=lambda one: sum(other.is_ancestor(one) for other in loops))
        copies[loop] = _bodies(outer, used, {})
    return copies


def _bodies(nest: Sequence[scf.ForOp], used: set[SSAValue], counters: dict[SSAValue, int]) -> int:
    """How often the innermost of nested loops runs; `used` are the counters in bounds."""
    if not nest:
        return 1
    counter = nest[0].body.block.args[0]
    rounds = _rounds(nest[0], counters)
    if counter not in used:
        return len(rounds) * _bodies(nest[1:], used, counters)
    if len(rounds) > MOST_ELEMENTS:
        return MOST_OPERATIONS * len(rounds)
    return sum(_bodies(nest[1:], used, {**counters, counter: number}) for number in rounds)


def own_operations(op: Operation, loops: set[scf.ForOp]) -> int:
    """The number of operations in one, without those in `loops` in it."""
    return sum(
        1 + (0 if inner in loops else own_operations(inner, loops))
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def copies_of(op: Operation, copies: Mapping[scf.ForOp, int]) -> int:
    """How often an operation is there after loops were unrolled."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, scf.ForOp) and parent in copies:
            return copies[parent]
        parent = parent.parent_op()
    return 1


def unroll_all(array: ocl.AllocaOp | ocl.AddressOfOp, kernel: Kernel) -> None:
    """Unroll the loops whose counters are in known indices. Those whose bounds have other counters
    follow when these are numbers."""
    while True:
        loops = {
            loop
            for access in accesses_of(array.result) or ()
            if access.is_known
            for loop in loops_in(access.place)
            if not linear(loop.lb).factors and not linear(loop.ub).factors
        }
        if not loops:
            return
        # The innermost first: it is copied with what was unrolled.
        while loops:
            loop = next(one for one in loops if not any(one.is_ancestor(o) for o in loops - {one}))
            loops.remove(loop)
            _unroll(loop, kernel)


def _unroll(loop: scf.ForOp, kernel: Kernel) -> None:
    before, after = loop.prev_op, loop.next_op
    block, old = loop.parent, sum(1 for _ in loop.walk())
    assert block is not None
    unroll(loop, _rounds(loop, {}))
    for op in _between(block, before, after):
        _drop_unreached(op)
    kernel.replaced(old, _between(block, before, after))


def _between(
    block: Block, before: Operation | None, after: Operation | None
) -> Sequence[Operation]:
    ops: list[Operation] = []
    op = block.first_op if before is None else before.next_op
    while op is not None and op is not after:
        ops.append(op)
        op = op.next_op
    return ops


def _drop_unreached(op: Operation) -> None:
    """Drop what conditions on numbers keep from happening, such as an access before an array."""
    for inner in list(op.walk()):
        if isinstance(inner, scf.IfOp) and inner.parent is not None:
            block = _known_branch(inner)
            if block is not None:
                replace_by_block(inner, block)


def _known_branch(op: scf.IfOp) -> Block | None:
    """The branch that is taken, if the condition compares numbers."""
    test = op.cond.owner
    if not isinstance(test, arith.CmpiOp):
        return None
    x, y = linear(test.lhs), linear(test.rhs)
    relation = _RELATIONS.get(predicate_of(test))
    if x.factors or y.factors or relation is None:
        return None
    region = op.true_region if relation(x.number, y.number) else op.false_region
    return region.block if region.blocks else Block([scf.YieldOp()])
