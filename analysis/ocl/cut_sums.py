"""`(int)(get_global_id(0) + 2147483640u)`: sums of ids that 32 bits may not hold."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntAttr, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, OpResult, SSAValue

LARGEST_NUMBER = 1 << 24
LARGEST_FACTOR = 1 << 14
"""Of a sum of ids that is taken to fit 32 bits. A launch checks that the ids do. A sum is mostly an
index, of memory that has fewer elements; with larger numbers it is rather a hash or a seed."""

_DEPTH = 32
"""Operations of a sum that are looked at, one after the other."""


def may_wrap(op: arith.TruncIOp | arith.IndexCastOp) -> bool:
    """Whether a cast of a sum of ids from 64 to 32 bits or less may cut off a part of it."""
    if not _is_cut(op):
        return False
    found = _terms(op.input, _DEPTH, {})
    return found is None or found.number > LARGEST_NUMBER or found.factor > LARGEST_FACTOR


def _is_cut(op: arith.TruncIOp | arith.IndexCastOp) -> bool:
    source, result = op.input.type, op.results[0].type
    is_wide = isinstance(source, IndexType) or source == IntegerType(64)
    return is_wide and isinstance(result, IntegerType) and result.width.data < 64


@dataclass(frozen=True)
class _Terms:
    """The numbers of a sum, without their signs: what is added, and what an id is multiplied by."""

    number: int
    factor: int

    def plus(self, other: _Terms) -> _Terms:
        return _Terms(self.number + other.number, max(self.factor, other.factor))

    def times(self, other: _Terms) -> _Terms:
        number = self.number * other.number
        if self.factor and other.factor:
            return _Terms(number, self.factor * other.factor)
        return _Terms(number, self.factor * other.number + other.factor * self.number)


_LEAF = _Terms(0, 1)
_SUMS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp)
_OF_BOTH = (
    *_SUMS,
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp),
    *(arith.MinSIOp, arith.MinUIOp, arith.MaxSIOp, arith.MaxUIOp),
)
"""Operations whose results are at most the sum or the product of their operands."""
_SMALLER = (
    *(arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp),
    *(arith.ShRSIOp, arith.ShRUIOp),
)
"""Operations whose results are at most their first operands."""


def _terms(value: SSAValue, depth: int, known: dict[SSAValue, _Terms | None]) -> _Terms | None:
    """None if there are too many operations."""
    if depth == 0:
        return None
    if value not in known:
        known[value] = _computed(value, depth - 1, known)
    return known[value]


def _computed(value: SSAValue, depth: int, known: dict[SSAValue, _Terms | None]) -> _Terms | None:
    """Ids and numbers of 32 bits are small; what else has 64 bits, such as an argument, is not."""
    op = value.owner
    match op:
        case arith.ConstantOp(value=IntegerAttr() as number):
            return _Terms(abs(number.value.data), 0)
        case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp():
            return _terms(op.input, depth, known)
        case _ if isinstance(value.type, IndexType) and not isinstance(op, _SUMS):
            # Passes choose between parts of a group; numbers of the source have 64 bits.
            return _LEAF
        case _ if isinstance(op, _SMALLER):
            return _terms(op.operands[0], depth, known)
        case arith.AndIOp(
            rhs=OpResult(op=arith.ConstantOp(value=IntegerAttr(value=IntAttr(data=mask))))
        ) if mask >= 0:
            return _terms(op.lhs, depth, known) or _Terms(mask, 0)
        case arith.SelectOp():
            x, y = (_terms(chosen, depth, known) for chosen in op.operands[1:])
            return x and y and x.plus(y)
        case _ if isinstance(op, _OF_BOTH):
            return _of_both(op, depth, known)
        case _:
            return None if value.type == i64 else _LEAF


def _of_both(op: Operation, depth: int, known: dict[SSAValue, _Terms | None]) -> _Terms | None:
    x, y = (_terms(operand, depth, known) for operand in op.operands)
    if x is None or y is None:
        return None
    match op:
        case arith.MuliOp():
            return x.times(y)
        case arith.ShLIOp() if y.factor:
            return x
        case arith.ShLIOp():
            return x.times(_Terms(1 << min(y.number, 63), 0))
        case _:
            return x.plus(y)
