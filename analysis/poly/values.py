"""Values of a kernel as index polynomials, and conditions as sets.

As in the rest of the compiler, signed arithmetic does not overflow, and ids and loop counters are
not truncated. Unsigned values are used if they are proven to be at least 0. Unsigned comparisons of
64 bits are expressed by the comparison of two's complements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value, is_narrow
from polycl.analysis.poly.index import Index
from polycl.analysis.poly.spaces import Space, shift
from polycl.dialects.comparisons import predicate_of
from polycl.symbolic import Poly

Leaf = tuple[SSAValue, bool]
"""A value from outside the kernel, and whether it is read as an unsigned number."""

ARITHMETIC = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.ShLIOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.ShRUIOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.CmpiOp,
    arith.SelectOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
)
"""The operations on integers that the model supports."""


class Values:
    """The values in a body of a kernel.

    The model fills `spaces` and `domains` for each block, outer blocks first, and defines the block
    arguments.
    """

    def __init__(self, names: tuple[str, ...], leaves: Mapping[Leaf, str], items: isl.Set):
        self.names = names
        self.items = items
        self.root = Space.of(names, tuple(dict.fromkeys(leaves.values())))
        """The space of the work-items."""
        self.spaces: dict[Block, Space] = {}
        """The space of each block."""
        self.domains: dict[Block, isl.Set] = {}
        """The domain of each block, or a superset of it."""
        self._leaves = leaves
        self._indices: dict[Leaf, tuple[Index | None, Space]] = {}
        self._conditions: dict[SSAValue, tuple[isl.Set | None, Space]] = {}

    def define(self, value: SSAValue, index: Index, space: Space) -> None:
        self._indices[value, False] = index, space

    def saved(self) -> tuple[Any, Any]:
        """What is known of values; see `restore`."""
        return {**self._indices}, {**self._conditions}

    def restore(self, saved: tuple[Any, Any]) -> None:
        """Forgets what became known since `saved`."""
        self._indices, self._conditions = saved

    def space_of(self, value: SSAValue) -> Space:
        block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
        assert block is None or isinstance(block, Block)
        return self.spaces.get(block, self.root) if block is not None else self.root

    def index(self, value: SSAValue, space: Space, unsigned: bool = False) -> Index | None:
        # For 64-bit ids and parameters, the comparison uses the two's complement.
        if bits_of(value) == 64 and (
            isinstance(value, BlockArgument) or (value, False) in self._leaves
        ):
            unsigned = False
        key = value, unsigned
        if key not in self._indices:
            own = self.space_of(value)
            name = self._leaves.get(key)
            if name is not None:
                index = Index.affine(self.root.parameter(name))
                own = self.root
            else:
                index = self._computed(value, own, unsigned)
            self._indices[key] = index, own
        index, own = self._indices[key]
        return None if index is None else space.lifted_index(index, own)

    def _computed(self, value: SSAValue, space: Space, unsigned: bool) -> Index | None:
        number = constant_value(value)
        if number is not None:
            bits = bits_of(value)
            if unsigned and number < 0:
                number += 1 << bits
            elif not unsigned and bits > 1 and number >> (bits - 1) == 1:
                # `(size_t)-3` is written as a large number.
                number -= 1 << bits
            if number >> 63 not in (0, -1):
                # The code that is generated from sets computes with signed 64-bit numbers.
                return None
            return Index.affine(space.number(number))
        if not isinstance(value, OpResult) or not isinstance(value.type, IntegerType | IndexType):
            return None
        if unsigned and bits_of(value) < 64:
            return self._computed_unsigned(value, space)
        owner = value.op
        match owner:
            case arith.AddiOp() | arith.SubiOp():
                lhs, rhs = self.index(owner.lhs, space), self.index(owner.rhs, space)
                if lhs is None or rhs is None:
                    return None
                return lhs + rhs if isinstance(owner, arith.AddiOp) else lhs - rhs
            case arith.MuliOp():
                return self._product(owner.lhs, owner.rhs, space)
            case arith.ShLIOp():
                amount = constant_value(owner.rhs)
                lhs = self.index(owner.lhs, space)
                return None if lhs is None or amount is None else lhs.scaled(1 << amount)
            case arith.MaxSIOp() | arith.MinSIOp():
                return self._extreme(owner, self.index(owner.lhs, space), space)
            case arith.MaxUIOp() | arith.MinUIOp():
                if not self._is_nonnegative(owner.operands, space):
                    return None
                return self._extreme(owner, self.index(owner.lhs, space), space)
            case arith.DivSIOp() | arith.RemSIOp() | arith.FloorDivSIOp():
                return self._division(owner, space)
            case arith.DivUIOp() | arith.RemUIOp() | arith.ShRUIOp():
                ok = self._is_nonnegative(owner.operands[:1], space)
                return self._division(owner, space) if ok else None
            case arith.IndexCastOp() | arith.ExtSIOp() if not is_narrow(owner.input):
                return self.index(owner.input, space)
            case arith.IndexCastOp() | arith.ExtSIOp():
                # C has no 8- or 16-bit arithmetic, so such a value was truncated.
                return None
            case arith.TruncIOp() if not is_narrow(value):
                return self.index(owner.input, space)
            case arith.ExtUIOp():
                return self.index(owner.input, space, unsigned=True)
            case arith.SelectOp():
                return self._choice(owner.cond, owner.lhs, owner.rhs, space)
            case scf.IfOp() if owner.false_region.blocks:
                then, orelse = (terminator(r.block).operands for r in owner.regions)
                return self._choice(owner.cond, then[value.index], orelse[value.index], space)
            case _:
                return None

    def _computed_unsigned(self, value: OpResult, space: Space) -> Index | None:
        """The unsigned value with less than 64 bits, if it is proven not to wrap."""
        owner = value.op
        match owner:
            case arith.IndexCastOp() | arith.TruncIOp() if not is_narrow(value):
                inside = owner.input
            case arith.ExtUIOp():
                return self.index(owner.input, space, unsigned=True)
            case arith.RemUIOp() | arith.DivUIOp() | arith.ShRUIOp():
                # The operands are at least 0, so the result is as well.
                return self.index(value, space)
            case _:
                return None
        return self.index(inside, space) if self._is_nonnegative([inside], space) else None

    def _is_nonnegative(self, values: Sequence[SSAValue], space: Space) -> bool:
        for value in values:
            index = affine_part(self.index(value, space))
            if index is None:
                return False
            around = self._around(value, space)
            if not around.is_subset(index.nonneg_set()):
                return False
        return True

    def _around(self, value: SSAValue, space: Space) -> isl.Set:
        """The domain in which a value is computed, or a superset, as far as it is known yet."""
        block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
        known = self.domains.get(block) if isinstance(block, Block) else None
        if known is None:
            return space.lifted(self.items, self.root)
        return space.lifted(known, self.space_of(value))

    def _product(self, lhs: SSAValue, rhs: SSAValue, space: Space) -> Index | None:
        for value, factor in ((lhs, rhs), (rhs, lhs)):
            number = constant_value(factor)
            index = self.index(value, space)
            if number is not None:
                return None if index is None else index.scaled(number)
        for value, factor in ((lhs, rhs), (rhs, lhs)):
            index, shared = self.index(value, space), self._shared(factor)
            if index is None or shared is None:
                continue
            total = Index.affine(space.number(0))
            for name, times in shared.items():
                total += (index if name is None else index.times(name)).scaled(times)
            return total
        return None

    def _shared(self, value: SSAValue) -> dict[str | None, int] | None:
        """A value from outside as a sum of parameters; the key None has the constant."""
        number = constant_value(value)
        if number is not None:
            return {None: number}
        name = self._leaves.get((value, False))
        if name is not None:
            return {name: 1}
        owner = value.owner
        match owner:
            case arith.AddiOp() | arith.SubiOp():
                lhs, rhs = self._shared(owner.lhs), self._shared(owner.rhs)
                if lhs is None or rhs is None:
                    return None
                sign = 1 if isinstance(owner, arith.AddiOp) else -1
                for key, times in rhs.items():
                    lhs[key] = lhs.get(key, 0) + sign * times
                return {None: 0, **{key: times for key, times in lhs.items() if times}}
            case arith.IndexCastOp() | arith.ExtSIOp() if not is_narrow(owner.input):
                return self._shared(owner.input)
            case arith.ExtUIOp():
                name = self._leaves.get((owner.input, True))
                return None if name is None else {name: 1}
            case _:
                return None

    def _extreme(self, op: Operation, lhs: Index | None, space: Space) -> Index | None:
        a, b = affine_part(lhs), affine_part(self.index(op.operands[1], space))
        if a is None or b is None:
            return None
        is_max = isinstance(op, arith.MaxSIOp | arith.MaxUIOp)
        return Index.affine((a.max(b) if is_max else a.min(b)).coalesce())

    def _division(self, op: Operation, space: Space) -> Index | None:
        divisor = constant_value(op.operands[1])
        value = affine_part(self.index(op.operands[0], space))
        if value is None:
            return None
        if divisor is None:
            return self._remainder(value, op, space)
        if divisor <= 0:
            return None
        if isinstance(op, arith.ShRUIOp):
            divisor = 1 << divisor
        by = space.number(divisor)
        match op:
            case arith.RemSIOp() | arith.RemUIOp():
                return Index.affine(value.tdiv_r(by).coalesce())
            case arith.FloorDivSIOp():
                return Index.affine(value.div(by).floor())
            case _:
                return Index.affine(value.tdiv_q(by).coalesce())

    def _remainder(self, value: isl.PwAff, op: Operation, space: Space) -> Index | None:
        """The remainder of a division by a parameter, as in `(x + 1) % n` and `(x - 1 + n) % n`.

        It is known for dividends below the divisor; or, if these include no two neighbours, for
        dividends from the divisor to below twice the divisor.
        """
        cases = self.remainder_cases(op)
        by = self._divisor(op, space)
        if cases is None or by is None:
            return None
        same, once = cases
        for place in range(len(self.names)):
            next = same.preimage_multi_aff(shift(space.space, place))
            differs = value.involves_dims(isl.dim_type.in_, place, 1)
            if (
                differs
                and not next.intersect(same)
                .intersect(self._around(op.results[0], space))
                .is_empty()
            ):
                return Index.affine(value.intersect_domain(same), is_partial=True)
        return Index.affine(value.sub(by).intersect_domain(once), is_partial=True)

    def remainder_cases(self, op: Operation) -> tuple[isl.Set, isl.Set] | None:
        """Where the rest of a division is the dividend, and where it is that less the divisor."""
        space = self.space_of(op.results[0])
        value, by = affine_part(self.index(op.operands[0], space)), self._divisor(op, space)
        if value is None or by is None:
            return None
        same = value.nonneg_set().intersect(value.lt_set(by))
        if isinstance(op, arith.RemSIOp):
            # C rounds to zero: a negative dividend has a negative remainder.
            below = value.neg()
            same = same.union(below.nonneg_set().intersect(below.lt_set(by)))
        elif not self._is_nonnegative(op.operands[:1], space):
            return None
        over = value.sub(by)
        return same.coalesce(), over.nonneg_set().intersect(over.lt_set(by))

    def _divisor(self, op: Operation, space: Space) -> isl.PwAff | None:
        """The divisor of a remainder, if it is one affine expression."""
        if not isinstance(op, arith.RemSIOp | arith.RemUIOp):
            return None
        by = affine_part(self.index(op.operands[1], space, isinstance(op, arith.RemUIOp)))
        return None if by is None or by.n_piece() != 1 else by

    def _choice(
        self, condition: SSAValue, then: SSAValue, orelse: SSAValue, space: Space
    ) -> Index | None:
        where = self.condition(condition, space)
        a, b = self.index(then, space), self.index(orelse, space)
        if where is None or a is None or b is None:
            return None
        first = a.mapped(lambda c: c.intersect_domain(where))
        other = where.complement()
        second = b.mapped(lambda c: c.intersect_domain(other))
        monomials = dict.fromkeys([*a.terms, *b.terms])
        nothing = space.number(0)
        one, two = nothing.intersect_domain(where), nothing.intersect_domain(other)
        joined = (
            (m, first.terms.get(m, one).union_add(second.terms.get(m, two)).coalesce())
            for m in monomials
        )
        return Index(Poly(joined), a.is_partial or b.is_partial)

    def may(self, value: SSAValue, space: Space, truth: bool) -> isl.Set:
        """A set that contains all points where a condition is true, or those where it is false."""
        known = self.condition(value, space)
        if known is None:
            return space.universe
        return known if truth else known.complement()

    def condition(self, value: SSAValue, space: Space) -> isl.Set | None:
        if value not in self._conditions:
            own = self.space_of(value)
            self._conditions[value] = self._computed_condition(value, own), own
        found, own = self._conditions[value]
        return None if found is None else space.lifted(found, own)

    def _computed_condition(self, value: SSAValue, space: Space) -> isl.Set | None:
        number = constant_value(value)
        if number is not None:
            return space.universe if number else space.empty
        owner = value.owner
        match owner:
            case arith.CmpiOp():
                return self._comparison(owner, space)
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
                lhs, rhs = self.condition(owner.lhs, space), self.condition(owner.rhs, space)
                if lhs is None or rhs is None:
                    return None
                if isinstance(owner, arith.AndIOp):
                    return lhs.intersect(rhs)
                if isinstance(owner, arith.OrIOp):
                    return lhs.union(rhs).coalesce()
                return lhs.subtract(rhs).union(rhs.subtract(lhs)).coalesce()
            case arith.SelectOp():
                where = self.condition(owner.cond, space)
                lhs, rhs = self.condition(owner.lhs, space), self.condition(owner.rhs, space)
                if where is None or lhs is None or rhs is None:
                    return None
                return where.intersect(lhs).union(rhs.subtract(where)).coalesce()
            case _:
                return None

    def _comparison(self, op: arith.CmpiOp, space: Space) -> isl.Set | None:
        predicate = predicate_of(op)
        lhs, rhs = op.lhs, op.rhs
        if not isinstance(lhs.type, IntegerType | IndexType) or bits_of(lhs) < 32:
            return None
        if predicate in ("eq", "ne"):
            a, b = self.index(lhs, space), self.index(rhs, space)
            difference = None if a is None or b is None else affine_part(a - b)
            if difference is None:
                return None
            return difference.zero_set() if predicate == "eq" else difference.non_zero_set()
        if predicate[1:] in ("gt", "ge"):
            lhs, rhs = rhs, lhs
        strict = predicate[1:] in ("lt", "gt")
        if predicate[0] == "s":
            return self.less(lhs, rhs, space, strict=strict)
        a = affine_part(self.index(lhs, space, unsigned=True))
        b = affine_part(self.index(rhs, space, unsigned=True))
        if a is None or b is None:
            return None
        less = a.lt_set(b) if strict else a.le_set(b)
        if bits_of(lhs) < 64:
            return less
        # Two 64-bit numbers, read as signed: negative numbers are the large ones.
        first, second = a.nonneg_set(), b.nonneg_set()
        alike = first.intersect(second).union(first.union(second).complement())
        return alike.intersect(less).union(first.subtract(second)).coalesce()

    def less(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        space: Space,
        more: Index | None = None,
        strict: bool = True,
    ) -> isl.Set | None:
        """The set with `lhs + more < rhs`; maxima on the left become conjunctions, not pieces."""
        left, right = self._terms(lhs, "max", space), self._terms(rhs, "min", space)
        if left is None or right is None:
            return None
        found = space.universe
        for a in left:
            for b in right:
                difference = affine_part(b - a if more is None else b - a - more)
                if difference is None:
                    return None
                found = found.intersect(difference.pos_set() if strict else difference.nonneg_set())
        return found

    def _terms(self, value: SSAValue, kind: str, space: Space) -> list[Index] | None:
        """The terms whose maximum or minimum (`kind`) is a value."""
        owner = None if (value, False) in self._leaves else value.owner
        other = "min" if kind == "max" else "max"
        match owner:
            case arith.MaxSIOp() | arith.MinSIOp() if owner.name == f"arith.{kind}si":
                lhs, rhs = (self._terms(side, kind, space) for side in owner.operands)
                return None if lhs is None or rhs is None else lhs + rhs
            case arith.IndexCastOp() | arith.ExtSIOp() if not is_narrow(owner.input):
                return self._terms(owner.input, kind, space)
            case arith.AddiOp():
                lhs, rhs = (self._terms(side, kind, space) for side in owner.operands)
                return None if lhs is None or rhs is None else [a + b for a in lhs for b in rhs]
            case arith.SubiOp():
                lhs = self._terms(owner.lhs, kind, space)
                rhs = self._terms(owner.rhs, other, space)
                return None if lhs is None or rhs is None else [a - b for a in lhs for b in rhs]
            case _:
                index = self.index(value, space)
                return None if index is None else [index]


def affine_part(index: Index | None) -> isl.PwAff | None:
    """The affine value of an index that is known everywhere and whose products cancel out."""
    if index is None or index.is_partial:
        return None
    for monomial, coefficient in index.terms.items():
        if monomial and not coefficient.plain_is_equal(coefficient.sub(coefficient)):
            return None
    return index.value


def bits_of(value: SSAValue) -> int:
    """The width of an integer; that of an index is 64."""
    return value.type.width.data if isinstance(value.type, IntegerType) else 64
