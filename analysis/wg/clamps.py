"""Bounds of loops as the largest or smallest of several terms: `max(0, x - r)`, `min(w, x + r)`.

Numbers are integers as mathematics has them: signed arithmetic that overflows is undefined in C.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.lane_stride import Lanes
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
    """Sign (1 or -1) and value of what is added."""

    def shifted(self, sign: int, by: SSAValue) -> Term:
        return Term(self.value, (*self.shifts, (sign, by)))

    def lanes(self, facts: Uniformity) -> Lanes:
        """How the term grows from one work-item to the next."""
        result = facts.lanes(self.value)
        for sign, by in self.shifts:
            result = result + facts.lanes(by) if sign > 0 else result - facts.lanes(by)
        return result

    @property
    def bits(self) -> int:
        """How many bits hold the term, its sign included; 64 or more where that is not known."""
        values = [self.value, *(by for _, by in self.shifts)]
        return max(map(bits_of, values)) + len(self.shifts)


def largest_of(value: SSAValue) -> list[Term]:
    """Terms whose maximum `value` is; only itself, where nothing else is known."""
    return _terms(value, "max")


def smallest_of(value: SSAValue) -> list[Term]:
    """Terms whose minimum `value` is."""
    return _terms(value, "min")


def _terms(value: SSAValue, kind: str) -> list[Term]:
    owner = value.owner
    pair = _operands_of(value, kind)
    if pair is not None:
        return [term for operand in pair for term in _terms(operand, kind)]
    match owner:
        case arith.IndexCastOp() | arith.ExtSIOp() if _width(owner.operands[0]) <= _width(value):
            inner = _terms(owner.operands[0], kind)
            return inner if len(inner) > 1 else [Term(value)]
        case arith.AddiOp() | arith.SubiOp():
            sign = 1 if isinstance(owner, arith.AddiOp) else -1
            left = _terms(owner.lhs, kind)
            if len(left) > 1:
                return [term.shifted(sign, owner.rhs) for term in left]
            right = _terms(owner.rhs, kind) if sign > 0 else []
            if len(right) > 1:
                return [term.shifted(1, owner.lhs) for term in right]
        case _:
            pass
    return [Term(value)]


_SIGNED = {"slt": "min", "sle": "min", "sgt": "max", "sge": "max"}
"""What `a < b ? a : b` is, by the predicate."""


def _operands_of(value: SSAValue, kind: str) -> tuple[SSAValue, SSAValue] | None:
    """The two values of which `value` is the larger or smaller one."""
    owner = value.owner
    match owner:
        case arith.MaxSIOp() if kind == "max":
            return owner.lhs, owner.rhs
        case arith.MinSIOp() if kind == "min":
            return owner.lhs, owner.rhs
        case arith.SelectOp():
            return _chosen(owner.cond, owner.lhs, owner.rhs, kind)
        case scf.IfOp():
            position = list(owner.results).index(value)  # pyright: ignore[reportArgumentType]
            values: list[SSAValue] = []
            for region in owner.regions:
                block = region.block
                assert block.last_op is not None
                choice = block.last_op.operands[position]
                if _is_within(choice, owner) and not isinstance(choice.owner, arith.ConstantOp):
                    return None
                values.append(choice)
            return _chosen(owner.cond, values[0], values[1], kind)
        case _:
            return None


def _is_within(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and op.is_ancestor(owner)


def _chosen(
    condition: SSAValue, then: SSAValue, orelse: SSAValue, kind: str
) -> tuple[SSAValue, SSAValue] | None:
    """`then` and `orelse`, if the condition compares them so that one is always the larger."""
    compare = condition.owner
    if not isinstance(compare, arith.CmpiOp):
        return None
    found = _SIGNED.get(predicate_of(compare))
    if found is None:
        return None
    if _same(compare.rhs, then) and _same(compare.lhs, orelse):
        found = "max" if found == "min" else "min"
    elif not (_same(compare.lhs, then) and _same(compare.rhs, orelse)):
        return None
    return (then, orelse) if found == kind else None


_PURE = (arith.ConstantOp, arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.IndexCastOp)


def _same(a: SSAValue, b: SSAValue) -> bool:
    """Whether two values are computed in the same way from the same values."""
    if a is b:
        return True
    x, y = a.owner, b.owner
    if not isinstance(x, _PURE) or not isinstance(y, _PURE) or type(x) is not type(y):
        return False
    return (
        a.type == b.type
        and x.properties == y.properties
        and all(_same(p, q) for p, q in zip(x.operands, y.operands, strict=True))
    )


def _width(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else 64


_QUERIES = (
    ocl.GroupIdOp,
    ocl.GlobalOffsetOp,
    ocl.GlobalSizeOp,
    ocl.LocalSizeOp,
    ocl.NumGroupsOp,
)


def bits_of(value: SSAValue) -> int:
    """How many bits hold an integer, its sign included."""
    owner = value.owner
    width = _width(value)
    number = constant_value(value)
    if number is not None:
        return number.bit_length() + 1
    if isinstance(owner, _QUERIES):
        return ID_BITS
    match owner:
        case arith.IndexCastOp() | arith.ExtSIOp():
            return min(width, bits_of(owner.operands[0]))
        case arith.ExtUIOp():
            return min(width, _width(owner.input) + 1)
        case arith.MaxSIOp() | arith.MinSIOp():
            return max(bits_of(owner.lhs), bits_of(owner.rhs))
        case arith.AddiOp() | arith.SubiOp():
            return min(width, max(bits_of(owner.lhs), bits_of(owner.rhs)) + 1)
        case arith.MuliOp():
            return min(width, bits_of(owner.lhs) + bits_of(owner.rhs))
        case Operation():
            return width
        case _:
            parent = owner.parent_op()
            if isinstance(parent, scf.ForOp) and value is owner.args[0]:
                return max(bits_of(parent.lb), bits_of(parent.ub))
            return ID_BITS if isinstance(parent, wg.ParallelOp) else width
