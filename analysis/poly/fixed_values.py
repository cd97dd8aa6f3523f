"""Values of a kernel whose sizes and arguments are numbers (`poly-fix-launch`): as in the machine.

Integers of fewer than 64 bits wrap, so `n - 1u - i`, `i * 1664525u % 63u` and `i - 5u < 10u` are
what they are in C. `&`, `|`, `^` and shifts are remainders and quotients by powers of two. A value
that would wrap more than a few times is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import OpResult, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.poly.index import Index
from polycl.analysis.poly.spaces import Space
from polycl.analysis.poly.values import Values, affine_part, bits_of
from polycl.dialects.poly.isl_context import isl_context

_MOST_WRAPS = 4
"""Pieces of a value that wraps."""
_MOST_RUNS = 2
"""Runs of ones in a mask; `i & 0xF0F` has two."""
_BITWISE = arith.AndIOp | arith.OrIOp | arith.XOrIOp
_UNSIGNED_DIVISIONS = arith.DivUIOp | arith.RemUIOp | arith.ShRUIOp
_CASTS = arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp | arith.TruncIOp


class FixedValues(Values):
    """The values in a body of a kernel, with machine integers."""

    def _computed(self, value: SSAValue, space: Space, unsigned: bool) -> Index | None:
        bits = bits_of(value)
        if bits > 64:
            return None
        if constant_value(value) is not None or not isinstance(value, OpResult):
            return super()._computed(value, space, unsigned)
        if not isinstance(value.type, IntegerType | IndexType):
            return None
        if unsigned and bits < 64:
            return self._wrapped(self.index(value, space), value, space, 0)
        op = value.op
        match op:
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp():
                return self._cast(op, space)
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
                return self._bitwise(op, space)
            case arith.DivUIOp() | arith.RemUIOp() | arith.ShRUIOp() if bits < 64:
                return self._unsigned_division(op, space)
            case arith.ShRSIOp():
                amount, shifted = constant_value(op.rhs), self._affine(op.lhs, space)
                if amount is None or shifted is None or not 0 <= amount < min(bits, 63):
                    return None
                return Index.affine(shifted.div(space.number(1 << amount)).floor())
            case math.AbsIOp():
                inside = self._affine(op.operands[0], space)
                return None if inside is None else Index.affine(inside.max(inside.neg()).coalesce())
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() | arith.ShLIOp():
                found = super()._computed(value, space, False)
                return self._wrapped(found, value, space, -1 << (bits - 1))
            case _:
                return super()._computed(value, space, False)

    def _affine(self, value: SSAValue, space: Space, unsigned: bool = False) -> isl.PwAff | None:
        return affine_part(self.index(value, space, unsigned))

    def _cast(self, op: _CASTS, space: Space) -> Index | None:
        to = bits_of(op.results[0])
        source = op.operands[0]
        if bits_of(source) == 1:
            where = self.condition(source, space)
            if where is None:
                return None
            true = space.number(1 if isinstance(op, arith.ExtUIOp) else -1)
            other = space.number(0).intersect_domain(where.complement())
            return Index.affine(true.intersect_domain(where).union_add(other))
        inside = self.index(source, space, isinstance(op, arith.ExtUIOp))
        if to >= bits_of(source):
            return inside
        return self._wrapped(inside, op.results[0], space, -1 << (to - 1))

    def _wrapped(
        self, index: Index | None, value: SSAValue, space: Space, low: int
    ) -> Index | None:
        """A number as what is left of it in the type of `value`, whose least value is `low`."""
        bits, number = bits_of(value), affine_part(index)
        if bits == 64 or number is None:
            return index if bits == 64 else None
        ends = _ends(number, self._around(value, space))
        if ends is None:
            # The counter of a loop with unknown bounds fits in its type.
            op = value.owner
            is_counter = isinstance(op, arith.IndexCastOp) and bits_of(op.input) == 64
            return index if is_counter and low else None
        first, last = (end - low >> bits for end in ends)
        if first == last == 0:
            return index
        if last - first >= _MOST_WRAPS:
            return None
        found: isl.PwAff | None = None
        for wraps in range(first, last + 1):
            rest = number.sub(space.number(wraps << bits))
            inside = rest.ge_set(space.number(low)).intersect(
                rest.lt_set(space.number(low + (1 << bits)))
            )
            piece = rest.intersect_domain(inside)
            found = piece if found is None else found.union_add(piece)
        assert found is not None
        return Index.affine(found.coalesce())

    def _unsigned_division(self, op: _UNSIGNED_DIVISIONS, space: Space) -> Index | None:
        number, value = constant_value(op.rhs), self._affine(op.lhs, space, unsigned=True)
        is_shift = isinstance(op, arith.ShRUIOp)
        if value is None or number is None or number < (0 if is_shift else 1):
            return None
        by = space.number(1 << number if is_shift else number)
        # Neither is negative.
        found = value.tdiv_r(by) if isinstance(op, arith.RemUIOp) else value.tdiv_q(by)
        return Index.affine(found.coalesce())

    def _bitwise(self, op: _BITWISE, space: Space) -> Index | None:
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            mask, value = constant_value(other), self._affine(one, space)
            if mask is None:
                continue
            both = None if value is None else _masked(value, mask, bits_of(one), space)
            if value is None or both is None or isinstance(op, arith.AndIOp):
                return None if both is None else Index.affine(both.coalesce())
            # Without a carry: what both have counts once, or not at all.
            total = value.add(space.number(signed(mask, bits_of(one))))
            times = 1 if isinstance(op, arith.OrIOp) else 2
            return Index.affine(total.sub(both.scale_val(_val(times))).coalesce())
        if isinstance(op, arith.AndIOp):
            return None
        return self._disjoint(op, space)

    def _disjoint(self, op: _BITWISE, space: Space) -> Index | None:
        """`high << 4 | low` is a sum where no bit is in both."""
        around = self._around(op.results[0], space)
        sides = self._affine(op.lhs, space), self._affine(op.rhs, space)
        for high, low in (sides, sides[::-1]):
            if high is None or low is None:
                return None
            ends = _ends(low, around)
            if ends is None or ends[0] < 0:
                continue
            unit = _val(1 << ends[1].bit_length())
            if around.is_subset(high.mod_val(unit).zero_set()):
                return Index.affine(high.add(low).coalesce())
        return None

    def may(self, value: SSAValue, space: Space, truth: bool) -> isl.Set:
        known = self.condition(value, space)
        if known is not None:
            return known if truth else known.complement()
        owner = value.owner
        match owner:
            case arith.AndIOp() | arith.OrIOp():
                one, other = (self.may(side, space, truth) for side in owner.operands)
                both = isinstance(owner, arith.AndIOp) is truth
                return (one.intersect(other) if both else one.union(other)).coalesce()
            case arith.XOrIOp() if constant_value(owner.rhs):
                return self.may(owner.lhs, space, not truth)
            case scf.IfOp() if isinstance(value, OpResult):
                found = space.empty
                for region, taken in zip(owner.regions, (True, False), strict=True):
                    result = terminator(region.block).operands[value.index]
                    taken_set = self.may(owner.cond, space, taken)
                    found = found.union(taken_set.intersect(self.may(result, space, truth)))
                return found.coalesce()
            case _:
                return space.universe

    def _terms(self, value: SSAValue, kind: str, space: Space) -> list[Index] | None:
        owner = None if (value, False) in self._leaves else value.owner
        if isinstance(owner, arith.AddiOp | arith.SubiOp) and bits_of(value) < 64:
            # A sum of terms may wrap where the sum of the values does not.
            index = self.index(value, space)
            return None if index is None else [index]
        if isinstance(owner, arith.IndexCastOp) and bits_of(value) < bits_of(owner.input):
            index = self.index(value, space)
            return None if index is None else [index]
        return super()._terms(value, kind, space)


def _masked(value: isl.PwAff, mask: int, bits: int, space: Space) -> isl.PwAff | None:
    """`value & mask`: for each run of ones from bit a to below bit b, `value mod 2^b - value mod
    2^a`. A run up to the sign is without end."""
    total = space.number(0)
    runs = list(_runs(mask, bits))
    if len(runs) > _MOST_RUNS:
        return None
    for start, end in runs:
        if start > 62 or 62 < end < bits:
            return None
        upper = value if end == bits else value.mod_val(_val(1 << end))
        total = total.add(upper).sub(value.mod_val(_val(1 << start)))
    return total


def _runs(mask: int, bits: int) -> Iterator[tuple[int, int]]:
    """The runs of ones: the first bit, and the one after the last."""
    place = 0
    while place < bits:
        start = place
        while place < bits and mask >> place & 1:
            place += 1
        if place > start:
            yield start, place
        place += 1


def _ends(value: isl.PwAff, domain: isl.Set) -> tuple[int, int] | None:
    """The least and the greatest value on a set; None if it has no bounds."""
    least: list[int] = []
    most: list[int] = []
    for where, aff in value.get_pieces():
        part = domain.intersect(where)
        if part.is_empty():
            continue
        low, high = part.min_val(aff), part.max_val(aff)
        if not low.is_int() or not high.is_int():
            return None
        least.append(low.to_python())
        most.append(high.to_python())
    return (min(least), max(most)) if least else (0, 0)


def signed(number: int, bits: int) -> int:
    """A number as a signed integer of so many bits."""
    return (number + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def _val(number: int) -> isl.Val:
    return isl.Val.int_from_si(isl_context(), number)
