"""Unrolling the loops that count elements of an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.parents import parents
from polycl.lowering.ocl.known_steps import (
    fold_known,
    known_steps,
    operations_between,
    unroll_times,
)
from polycl.lowering.ocl.promote_private_arrays.accesses import (
    Loop,
    accesses_of,
    loops_around,
)
from polycl.lowering.ocl.promote_private_arrays.limits import MOST_ELEMENTS, MOST_OPERATIONS
from polycl.lowering.ocl.promote_private_arrays.ragged_loops import (
    counters_of,
    guard_iterations,
)
from polycl.lowering.ocl.simplify_loops import unroll


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

    def loops(self) -> list[Loop]:
        """In the order of the text."""
        return operations_of(self._kernel.body, scf.ForOp, scf.WhileOp)

    def replaced(self, old: int, new: Sequence[Operation]) -> None:
        """Take note of operations that are in the place of `old` ones."""
        self.operations += sum(1 for op in new for _ in op.walk()) - old
        if "facts" in self.__dict__:
            for op in new:
                self.facts.visit(op)


def _rounds(loop: Loop, numbers: Numbers) -> Sequence[Mapping[SSAValue, int | None]]:
    """What the counters of a loop can be in each iteration; `numbers` are known around it."""
    if isinstance(loop, scf.WhileOp):
        # The condition is false the last time.
        steps = known_steps(loop, numbers, MOST_ELEMENTS)
        return [{}] * MOST_OPERATIONS if steps is None else steps[:-1]
    return [{loop.body.block.args[0]: number} for number in counters_in(loop, numbers)]


def counters_in(loop: scf.ForOp, numbers: Numbers) -> range:
    """The counters of a known loop, at most; `numbers` are known around it."""
    lb, ub, step = (evaluate(value, numbers) for value in (loop.lb, loop.ub, loop.step))
    if lb is None or ub is None:
        within = counters_of(loop)
        assert within is not None
        lb = within.start if lb is None else lb
        ub = within.stop if ub is None else ub
    assert step is not None
    return range(lb, ub, step)


def copies_in(loops: Set[Loop]) -> dict[Loop, int]:
    """How often the body of each loop is there after all were unrolled."""
    used = {one for loop in loops for one in loops_around(loop)}
    copies: dict[Loop, int] = {}
    for loop in loops:
        outer = [one for one in loops if one.is_ancestor(loop)]
        outer.sort(key=lambda one: sum(other.is_ancestor(one) for other in loops))
        copies[loop] = _bodies(outer, used, {})
    return copies


def _bodies(nest: Sequence[Loop], used: Set[Loop], known: Mapping[SSAValue, int | None]) -> int:
    """How often the innermost of nested loops runs; other loops depend on those in `used`."""
    if not nest:
        return 1
    rounds = _rounds(nest[0], Numbers(known))
    if nest[0] not in used:
        return len(rounds) * _bodies(nest[1:], used, known)
    if len(rounds) > MOST_ELEMENTS:
        return MOST_OPERATIONS * len(rounds)
    return sum(_bodies(nest[1:], used, {**known, **round}) for round in rounds)


def own_operations(op: Operation, loops: Set[Loop]) -> int:
    """The number of operations in one, without those in `loops` in it."""
    return sum(
        1 + (0 if inner in loops else own_operations(inner, loops))
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def copies_of(op: Operation, copies: Mapping[Loop, int]) -> int:
    """How often an operation is there after loops were unrolled."""
    around = (loop for loop in parents(op) if isinstance(loop, scf.ForOp | scf.WhileOp))
    return next((copies[loop] for loop in around if loop in copies), 1)


def unroll_all(array: ocl.AllocaOp | ocl.AddressOfOp, kernel: Kernel) -> None:
    """Unroll the loops whose counters are in known indices. Those whose bounds have other counters
    follow when these are numbers."""
    while True:
        loops = {
            loop
            for access in accesses_of(array.result) or ()
            for loop in access.loops or ()
            if not loops_around(loop)
        }
        if not loops:
            return
        # The innermost first: it is copied with what was unrolled.
        for loop in reversed(kernel.loops()):
            if loop in loops:
                _unroll(loop, kernel)


def _unroll(loop: Loop, kernel: Kernel) -> None:
    before, after = loop.prev_op, loop.next_op
    block, old = loop.parent, sum(1 for _ in loop.walk())
    assert block is not None
    if isinstance(loop, scf.ForOp):
        counters = counters_in(loop, Numbers())
        guard_iterations(loop)
        unroll(loop, counters)
    else:
        unroll_times(loop, len(_rounds(loop, Numbers())))
    # What conditions on numbers keep from happening may be an access before an array.
    fold_known(operations_between(block, before, after))
    kernel.replaced(old, operations_between(block, before, after))
