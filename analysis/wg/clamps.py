"""Bounds of loops as the largest or smallest of several terms: `max(0, x - r)`, `min(w, x + r)`.

Numbers are mathematical integers: signed overflow is undefined in C.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.intervals import bounds
from polycl.analysis.ocl.lane_stride import Lanes
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.comparisons import predicate_of

ID_BITS = 33
"""Ids and sizes are below 2^31 (a launch checks it), so sums of two of them fit these bits."""


@dataclass(frozen=True)
class Term:
    """`value`, sign-extended, plus and minus some others."""

    value: SSAValue
    shifts: tuple[tuple[int, SSAValue], ...] = ()
    """Sign (1 or -1) and value of each summand."""

    def shifted(self, sign: int, by: SSAValue) -> Term:
        return Term(self.value, (*self.shifts, (sign, by)))

    def lanes(self, facts: Uniformity) -> Lanes:
        """The strides of the term between consecutive work-items."""
        result = facts.lanes(self.value)
        for sign, by in self.shifts:
            result = result + facts.lanes(by) if sign > 0 else result - facts.lanes(by)
        return result

    @property
    def bits(self) -> int:
        """The number of bits of the term, its sign included; 64 or more if unknown."""
        values = [self.value, *(by for _, by in self.shifts)]
        return max(map(bits_of, values)) + len(self.shifts)


def largest_of(value: SSAValue) -> Sequence[Term]:
    """Terms whose maximum is `value`; only `value` itself if nothing else is known."""
    return evaluate(value, _Extremes("max"))


def smallest_of(value: SSAValue) -> Sequence[Term]:
    """Terms whose minimum is `value`."""
    return evaluate(value, _Extremes("min"))


class _Extremes(Domain[Sequence[Term]]):
    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind

    def leaf(self, value: SSAValue) -> Sequence[Term] | None:
        owner = value.owner
        if not isinstance(owner, scf.IfOp) or not isinstance(value, OpResult):
            return None
        sides = [terminator(region.block).operands[value.index] for region in owner.regions]
        if any(_is_computed_in(owner, side) for side in sides):
            return None
        if _chosen(owner.cond, sides[0], sides[1]) != self.kind:
            return None
        return [term for side in sides for term in evaluate(side, self)]

    def opaque(self, value: SSAValue) -> Sequence[Term]:
        return [Term(value)]

    def extreme(self, op: Operation, x: Sequence[Term], y: Sequence[Term]) -> object:
        return [*x, *y] if op.name == f"arith.{self.kind}si" else None

    def select(self, op: arith.SelectOp, _: object, x: Sequence[Term], y: Sequence[Term]) -> object:
        return [*x, *y] if _chosen(op.cond, op.lhs, op.rhs) == self.kind else None

    def cast(self, op: arith.IndexCastOp | arith.ExtSIOp, x: Sequence[Term]) -> object:
        return x if _width(op.input) <= _width(op.result) and len(x) > 1 else None

    def sum(self, op: arith.AddiOp, x: Sequence[Term], y: Sequence[Term]) -> object:
        if len(x) == 1 and len(y) > 1:
            return [term.shifted(1, op.lhs) for term in y]
        return [term.shifted(1, op.rhs) for term in x] if len(x) > 1 else None

    def difference(self, op: arith.SubiOp, x: Sequence[Term], _: object) -> object:
        return [term.shifted(-1, op.rhs) for term in x] if len(x) > 1 else None

    rules = {
        arith.MaxSIOp: extreme, arith.MinSIOp: extreme, arith.SelectOp: select,
        arith.IndexCastOp: cast, arith.ExtSIOp: cast,
        arith.AddiOp: sum, arith.SubiOp: difference,
    }  # fmt: skip


_SIGNED = {"slt": "min", "sle": "min", "sgt": "max", "sge": "max"}
"""The kind of `a < b ? a : b` by the predicate."""


def _is_computed_in(op: Operation, value: SSAValue) -> bool:
    owner = value.owner
    is_inside = isinstance(owner, Operation) and op.is_ancestor(owner)
    return is_inside and not isinstance(owner, arith.ConstantOp)


def _chosen(condition: SSAValue, then: SSAValue, orelse: SSAValue) -> str | None:
    """Whether `then` or `orelse` is chosen as the larger or the smaller one: "max" or "min"."""
    compare = condition.owner
    if not isinstance(compare, arith.CmpiOp):
        return None
    found = _SIGNED.get(predicate_of(compare))
    if same_value(compare.lhs, then) and same_value(compare.rhs, orelse):
        return found
    if found is not None and same_value(compare.rhs, then) and same_value(compare.lhs, orelse):
        return "max" if found == "min" else "min"
    return None


def _width(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else 64


_QUERIES = (
    ocl.GroupIdOp,
    ocl.GlobalOffsetOp,
    ocl.GlobalSizeOp,
    ocl.LocalSizeOp,
    ocl.EnqueuedLocalSizeOp,
    ocl.NumGroupsOp,
)


def bits_of(value: SSAValue) -> int:
    """The number of bits of an integer, its sign included."""
    return evaluate(value, _Bits())


def _is_positive(value: SSAValue) -> bool:
    """Whether a number is a positive constant, or the larger of one and something else."""
    owner = value.owner
    numbers = owner.operands if isinstance(owner, arith.MaxSIOp) else [value]
    return any((constant_value(number) or 0) > 0 for number in numbers)


def _bits_of_number(number: float) -> int:
    return int(number).bit_length() + 1


class _Bits(Domain[int]):
    def number(self, number: int, value: SSAValue) -> int:
        return _bits_of_number(number)

    def leaf(self, value: SSAValue) -> int | None:
        op = value.owner
        if isinstance(op, arith.DivUIOp | arith.RemUIOp) and isinstance(op.lhs.owner, _QUERIES):
            # No more than what is divided, which is natural.
            return ID_BITS
        return ID_BITS if isinstance(op, _QUERIES) else super().leaf(value)

    def opaque(self, value: SSAValue) -> int:
        if not isinstance(value, BlockArgument):
            ends = bounds(value)
            return _width(value) if inf in map(abs, ends) else max(map(_bits_of_number, ends))
        parent = value.block.parent_op()
        if isinstance(parent, scf.ForOp) and value.index == 0:
            return max(evaluate(parent.lb, self), evaluate(parent.ub, self))
        return ID_BITS if isinstance(parent, wg.ParallelOp) else _width(value)

    def remainder(self, op: arith.RemUIOp, _: int, y: int) -> int:
        return y if _is_positive(op.rhs) else _width(op.result)

    rules = {
        arith.RemUIOp: remainder,
        arith.IndexCastOp: lambda _, op, x: min(_width(op.result), x),
        arith.ExtSIOp: lambda _, op, x: min(_width(op.result), x),
        arith.ExtUIOp: lambda _, op, x: min(_width(op.result), _width(op.input) + 1),
        arith.MaxSIOp: lambda _, op, x, y: max(x, y),
        arith.MinSIOp: lambda _, op, x, y: max(x, y),
        arith.AddiOp: lambda _, op, x, y: min(_width(op.result), max(x, y) + 1),
        arith.SubiOp: lambda _, op, x, y: min(_width(op.result), max(x, y) + 1),
        arith.MuliOp: lambda _, op, x, y: min(_width(op.result), x + y),
    }
