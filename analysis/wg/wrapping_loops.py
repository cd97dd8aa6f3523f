"""Loops that wrap a coordinate into an array, as `while (x < 0) x += n;`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.comparisons import MIRRORED, predicate_of

_SUMS = ("slt", "sle")
_DIFFERENCES = ("sge", "sgt", "uge", "ugt")
"""The comparisons with which loops that add, and that subtract, continue."""


@dataclass(frozen=True)
class WrappingLoop:
    """`while (x < bound) x += step;` or `while (x >= bound) x -= step;`, with `<=` and `>`, too."""

    start: SSAValue
    predicate: str
    """Where the loop continues: slt, sle, sge, sgt, uge, ugt."""
    bound: SSAValue
    step: SSAValue

    @property
    def sign(self) -> int:
        """1 if the loop adds the step, -1 if it subtracts."""
        return 1 if self.predicate in _SUMS else -1

    def stops_from(self, bound: Linear) -> Linear:
        """The least `sign * x` with which the loop stops."""
        return bound * self.sign + int(self.predicate.endswith(("le", "ge")))

    @classmethod
    def of(cls, loop: scf.WhileOp) -> WrappingLoop | None:
        """None if a loop does anything else. The bound and the step may be constants inside it."""
        if len(loop.arguments) != 1 or not passes_all_on(loop):
            return None
        compare, change = _only(loop, 0), _only(loop, 1)
        if not isinstance(compare, arith.CmpiOp):
            return None
        if not isinstance(change, arith.AddiOp | arith.SubiOp):
            return None
        (tested,), (carried,) = loop.before_region.block.args, loop.after_region.block.args
        [result] = terminator(loop.after_region.block).operands
        if condition_of(loop).condition is not compare.result or result is not change.result:
            return None
        predicate, lhs, bound = predicate_of(compare), compare.lhs, compare.rhs
        if lhs is not tested:
            lhs, bound, predicate = bound, lhs, MIRRORED[predicate]
        value, step = change.lhs, change.rhs
        if isinstance(change, arith.AddiOp) and value is not carried:
            value, step = step, value
        continues = _SUMS if isinstance(change, arith.AddiOp) else _DIFFERENCES
        if predicate not in continues or bits_of(tested.type) < 32:
            return None
        if lhs is not tested or bound is tested or value is not carried or step is carried:
            return None
        return cls(loop.arguments[0], predicate, bound, step)


def _only(loop: scf.WhileOp, region: int) -> Operation | None:
    """The operation before the terminator of a region, if there are no others but constants."""
    *ops, _ = loop.regions[region].block.ops
    left = [op for op in ops if not op.results or constant_value(op.results[0]) is None]
    return left[0] if len(left) == 1 else None
