"""Rows of unsigned numbers: `for (uint k = row * n; k < (row + 1) * n; k++)`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.evaluate import SUMS, same
from polycl.analysis.ocl.of_arguments import IDS, is_of_arguments
from polycl.analysis.ocl.sliding import Index
from polycl.dialects import ocl
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted
from polycl.lowering.ocl.polynomials import Polynomials

_LARGEST = 1 << 31
"""No row ends behind this element: then no sum and no product wraps."""
_LARGEST_NUMBER = 1 << 16


class _Unsigned(Polynomials):
    """Numbers modulo 2 to the power of their width: what is extended may have wrapped."""

    def cast(self, op: arith.IndexCastOp, x: Index) -> Index | None:
        is_exact = _width(op.result) <= _width(op.input)
        return x if is_exact else None

    rules = {
        **SUMS,
        arith.MuliOp: Polynomials.product,
        arith.TruncIOp: same,
        arith.IndexCastOp: cast,
    }


@dataclass(frozen=True)
class Row:
    """A loop from `end - length` to `end`, which work-items have in common but for where it is."""

    sums: _Unsigned
    end: Index
    length: Index

    def is_in_range(self, build: Build) -> SSAValue:
        """Whether no sum of any work-item of the launch wraps."""
        cap = build.index(_LARGEST)
        terms: list[SSAValue] = []
        for factors, number in self.end.coefficients.items():
            term = build.index(number)
            for place, factor in enumerate(factors):
                most = build.min(_most(build, self.sums.values[factor]), cap, signed=False)
                is_first = number == 1 and not place
                term = most if is_first else build.min(build.mul(term, most), cap, signed=False)
            terms.append(term)
        return build.compare("ult", reduce(build.add, terms), cap)

    def count(self, build: Build) -> SSAValue:
        """The number of iterations."""
        return self.sums.built(self.length, build)


def row_of(first: SSAValue, bound: SSAValue, loop: Operation) -> Row | None:
    """The row from one unsigned number to another along which a loop counts, if its start is
    computed of ids, and its length of the kernel's arguments alone."""
    sums = _Unsigned()
    start, end = sums.of(first), sums.of(bound)
    length = end - start
    numbers = *start.coefficients.values(), *length.coefficients.values()
    if not all(0 <= number <= _LARGEST_NUMBER for number in numbers):
        return None
    ids = [value for value in sums.values_of(start) if isinstance(_uncast(value).owner, IDS)]
    others = [value for value in sums.values_of(end) if value not in ids]
    if not ids or not all(map(is_of_arguments, others)) or set(ids) & set(sums.values_of(length)):
        return None
    known: dict[SSAValue, SSAValue] = {}
    sums.values = [hoisted(value, loop, known) for value in sums.values]
    return Row(sums, end, length)


def _width(value: SSAValue) -> int:
    return 64 if isinstance(value.type, IndexType) else width_of(value.type)


def _uncast(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, arith.IndexCastOp | arith.ExtUIOp | arith.ExtSIOp):
        value = value.owner.operands[0]
    return value


def _most(build: Build, value: SSAValue) -> SSAValue:
    """What a value is at most, in any work-item."""
    match _uncast(value).owner:
        case ocl.GlobalIdOp(dim=dim):
            offset = build.emit(ocl.GlobalOffsetOp(dim.value.data))
            return build.add(offset, build.emit(ocl.GlobalSizeOp(dim.value.data)))
        case ocl.LocalIdOp(dim=dim):
            return build.emit(ocl.LocalSizeOp(dim.value.data))
        case ocl.GroupIdOp(dim=dim):
            return build.emit(ocl.NumGroupsOp(dim.value.data))
        case _:
            return build.unsigned_index(value)
