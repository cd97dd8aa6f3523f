"""A kernel as sets: for which work-items and rounds each operation runs, and what it accesses.

Seeds/001, section 5. What is not affine is over-approximated (section 5.1): a branch or a loop that
isl cannot say may run for all work-items, an address that it cannot say is unknown. Integers are
read as the rest of the compiler reads them: signed arithmetic does not overflow, ids and loop
counters fit where they are narrowed. Unsigned values are used where they are proven to be at
least 0, or, of 64 bits, by what the comparison of two's complements says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from polycl.analysis.polyhedral.index import Index, parameter
from polycl.analysis.polyhedral.spaces import Space, shift
from polycl.analysis.terminators import condition_of, terminator
from polycl.analysis.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, poly, wg
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at

Leaf = tuple[SSAValue, bool]
"""A value from outside of the kernel, and whether it is read as an unsigned number."""


@dataclass(frozen=True)
class Access:
    """A read or a write of memory."""

    op: Operation
    direction: str
    """`read` or `write`."""
    array: str
    domain: isl.Set
    """The work-items and rounds for which it runs: `R[y, x, k]`."""
    index: Index | None
    """The element, in elements of the accessed type; None where isl cannot say it."""
    is_exact: bool
    """Whether the domain is exact, not an over-approximation."""


@dataclass(frozen=True)
class Control:
    """The body of a loop, or one side of a branch."""

    op: Operation
    domain: isl.Set
    """For which work-items and rounds it runs, where `is_known`; else it runs for no others."""
    is_known: bool
    decides: tuple[SSAValue, ...]
    """The values that decide how often it runs."""
    is_first: bool = True
    """False for the other side of a branch."""

    @property
    def is_loop(self) -> bool:
        return not isinstance(self.op, scf.IfOp)


class Facts:
    """What the compiler's own analysis knows of functions, found out when it is asked for.

    A pass with several kernels in a function shares it; what a function has become since the first
    question is not in it.
    """

    def __init__(self) -> None:
        self._found: dict[ocl.KernelLike, Uniformity] = {}

    def of(self, function: ocl.KernelLike) -> Uniformity:
        if function not in self._found:
            self._found[function] = Uniformity(function)
        return self._found[function]


class Model:
    """What is known of a body of a kernel; see `model_of`."""

    def __init__(
        self,
        body: Block,
        names: tuple[str, ...],
        leaves: Mapping[Leaf, str],
        context: isl.Set,
        items: isl.Set,
        function: ocl.KernelLike | None,
        facts: Facts,
    ):
        self.names = names
        self.context = context
        self.accesses: list[Access] = []
        self.controls: list[Control] = []
        self.effects: list[Operation] = []
        """The operations for whose sake the body runs: writes, and what is not known."""
        self._function = function
        self._facts = facts
        self._leaves = leaves
        self.parameters = parameters = tuple(dict.fromkeys(leaves.values()))
        self._root = Space.of(names, parameters)
        self._spaces: dict[Block, Space] = {body: self._root}
        self._domains: dict[Block, tuple[isl.Set, bool]] = {}
        self._indices: dict[tuple[SSAValue, bool], tuple[Index | None, Space]] = {}
        self._conditions: dict[SSAValue, tuple[isl.Set | None, Space]] = {}
        self._taken = {*names, *parameters}
        self.items = items.intersect_params(context)
        for place, argument in enumerate(body.args):
            self._indices[argument, False] = Index.affine(self._root.dimension(place)), self._root
        self._visit_block(body, self._root, self.items, True)

    @property
    def facts(self) -> Uniformity | None:
        """What the compiler's own analysis knows, where the kernel stands in a function."""
        return None if self._function is None else self._facts.of(self._function)

    def place_of(self, dimension: int) -> int:
        """The place of a dimension of the NDRange among the ids, which stand outermost first."""
        return len(self.names) - 1 - dimension

    def index_of(self, value: SSAValue) -> Index | None:
        """A value as an index polynomial over the counters around its definition."""
        return self._index(value, self._space_of(value))

    def condition_of(self, value: SSAValue) -> isl.Set | None:
        """Where an `i1` is true, over the counters around its definition."""
        return self._condition(value, self._space_of(value))

    def domain_at(self, op: Operation) -> isl.Set:
        """Where an operation runs at most."""
        block = op.parent
        assert block is not None
        return self._domains[block][0]

    def is_known_at(self, op: Operation) -> bool:
        """Whether `domain_at` is exact."""
        block = op.parent
        assert block is not None
        return self._domains[block][1]

    # ---- the walk ----

    def _visit_block(self, block: Block, space: Space, domain: isl.Set, known: bool) -> None:
        self._spaces[block] = space
        self._domains[block] = domain, known
        for op in block.ops:
            match op:
                case scf.ForOp():
                    self._visit_for(op, space, domain, known)
                case scf.IfOp():
                    self._visit_if(op, space, domain, known)
                case scf.WhileOp():
                    decides = (condition_of(op).condition,)
                    self.controls.append(Control(op, domain, False, decides))
                    for region in op.regions:
                        self._visit_block(region.block, space, domain, False)
                case _:
                    self._visit_op(op, space, domain, known)

    def _visit_op(self, op: Operation, space: Space, domain: isl.Set, known: bool) -> None:
        match op:
            case ocl.LoadOp() | ocl.VLoadOp():
                self._add_access(op, "read", space, domain, known)
            case ocl.StoreOp() | ocl.VStoreOp():
                self._add_access(op, "write", space, domain, known)
                self.effects.append(op)
            case _:
                if not op.has_trait(IsTerminator) and not _is_free(op):
                    self.effects.append(op)
        for region in op.regions:
            for block in region.blocks:
                self._visit_block(block, space, domain, False)

    def _visit_for(self, op: scf.ForOp, space: Space, domain: isl.Set, known: bool) -> None:
        body = op.body.block
        inner = space.with_counter(self._counter_name(body.args[0]))
        self._spaces[body] = inner
        counter = Index.affine(inner.dimension(len(inner.dimensions) - 1))
        rounds = inner.lifted(domain, space).intersect(counter.value.nonneg_set())
        step = constant_value(op.step)
        first = self._index(op.lb, inner)
        is_known = step is not None and step > 0
        if step is not None and first is not None:
            self._indices[body.args[0], False] = first + counter.scaled(step), inner
        if is_known:
            assert step is not None
            more = self._less(op.lb, op.ub, inner, counter.scaled(step))
            is_known = more is not None
            if more is not None:
                rounds = rounds.intersect(more).coalesce()
        self.controls.append(Control(op, rounds, is_known, (op.lb, op.ub, op.step)))
        self._visit_block(body, inner, rounds, known and is_known)

    def _visit_if(self, op: scf.IfOp, space: Space, domain: isl.Set, known: bool) -> None:
        condition = self._condition(op.cond, space)
        then = orelse = domain
        if condition is not None:
            then = domain.intersect(condition).coalesce()
            orelse = domain.subtract(condition).coalesce()
        for region, part in ((op.true_region, then), (op.false_region, orelse)):
            if not region.blocks:
                continue
            if len(region.block.ops) > 1:
                first = region is op.true_region
                known_part = condition is not None
                self.controls.append(Control(op, part, known_part, (op.cond,), first))
            self._visit_block(region.block, space, part, known and condition is not None)

    def _counter_name(self, counter: BlockArgument) -> str:
        hint = counter.name_hint or "k"
        name, number = hint, 1
        while name in self._taken:
            number += 1
            name = f"{hint}{number}"
        self._taken.add(name)
        return name

    def _add_access(
        self, op: Operation, direction: str, space: Space, domain: isl.Set, known: bool
    ) -> None:
        assert isinstance(op, ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp)
        base, index = self._address(op, space)
        self.accesses.append(Access(op, direction, _array_name(base), domain, index, known))

    def _address(self, op: AccessOp, space: Space) -> tuple[SSAValue, Index | None]:
        """The array of an access and the place in it; elements of vloadn are whole vectors."""
        pointer = op.pointer
        zero = Index.affine(space.number(0))
        index = zero if op.index is None else self._index(op.index, space)
        unit = pointer.type
        while isinstance(pointer.owner, ocl.OffsetOp | ocl.CastOp | ocl.MemberOp):
            if isinstance(pointer.owner, ocl.OffsetOp) and pointer.type == unit:
                more = self._index(pointer.owner.index, space)
                index = None if index is None or more is None else index + more
            elif not isinstance(pointer.owner, ocl.CastOp):
                index = None
            pointer = pointer.owner.operands[0]
            if pointer.type != unit:
                index = None
        if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
            index = None
        owner = pointer.owner
        if (owner.parent if isinstance(owner, Operation) else owner) in self._spaces:
            # Private memory, or a pointer that was read: each work-item has its own.
            index = None
        return pointer, index

    def stride(self, access: Access, dimension: int) -> int | None:
        """By how many elements the address grows from one work-item to the next, as the compiler's
        own analysis of lanes knows it."""
        op = access.op
        assert isinstance(op, ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp)
        if self.facts is None:
            return None
        accessed = op.result.type if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value.type
        size = stride_of(accessed)
        lanes = self.facts.lanes(op.pointer)
        if op.index is not None:
            lanes += self.facts.lanes(op.index).scaled(size)
        stride = lanes.strides[dimension]
        return stride // size if isinstance(stride, int) and stride % size == 0 else None

    def is_uniform(self, values: Sequence[SSAValue], dimension: int) -> bool:
        """Whether neighbours along a dimension agree about values, as far as facts know."""
        facts = self.facts
        return facts is not None and all(facts.lanes(v).strides[dimension] == 0 for v in values)

    # ---- values ----

    def _space_of(self, value: SSAValue) -> Space:
        block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
        assert block is None or isinstance(block, Block)
        return self._spaces.get(block, self._root) if block is not None else self._root

    def _index(self, value: SSAValue, space: Space, unsigned: bool = False) -> Index | None:
        # Ids and parameters of 64 bits: a comparison reads the two's complement itself.
        if _bits(value) == 64 and (
            isinstance(value, BlockArgument) or (value, False) in self._leaves
        ):
            unsigned = False
        key = value, unsigned
        if key not in self._indices:
            own = self._space_of(value)
            name = self._leaves.get(key)
            if name is not None:
                index = Index.affine(self._root.parameter(name))
                own = self._root
            else:
                index = self._computed(value, own, unsigned)
            self._indices[key] = index, own
        index, own = self._indices[key]
        return None if index is None else space.lifted_index(index, own)

    def _computed(self, value: SSAValue, space: Space, unsigned: bool) -> Index | None:
        number = constant_value(value)
        if number is not None:
            if unsigned and number < 0:
                number += 1 << _bits(value)
            return Index.affine(space.number(number))
        if not isinstance(value, OpResult) or not isinstance(value.type, IntegerType | IndexType):
            return None
        if unsigned and _bits(value) < 64:
            return self._computed_unsigned(value, space)
        owner = value.op
        match owner:
            case arith.AddiOp() | arith.SubiOp():
                lhs, rhs = self._index(owner.lhs, space), self._index(owner.rhs, space)
                if lhs is None or rhs is None:
                    return None
                return lhs + rhs if isinstance(owner, arith.AddiOp) else lhs - rhs
            case arith.MuliOp():
                return self._product(owner.lhs, owner.rhs, space)
            case arith.ShLIOp():
                amount = constant_value(owner.rhs)
                lhs = self._index(owner.lhs, space)
                return None if lhs is None or amount is None else lhs.scaled(1 << amount)
            case arith.MaxSIOp() | arith.MinSIOp():
                return self._extreme(owner, self._index(owner.lhs, space), space)
            case arith.MaxUIOp() | arith.MinUIOp():
                if not self._is_nonnegative(owner.operands, space):
                    return None
                return self._extreme(owner, self._index(owner.lhs, space), space)
            case arith.DivSIOp() | arith.RemSIOp() | arith.FloorDivSIOp():
                return self._division(owner, space)
            case arith.DivUIOp() | arith.RemUIOp() | arith.ShRUIOp():
                ok = self._is_nonnegative(owner.operands[:1], space)
                return self._division(owner, space) if ok else None
            case arith.IndexCastOp() | arith.ExtSIOp() if not _is_narrow(owner.input):
                return self._index(owner.input, space)
            case arith.IndexCastOp() | arith.ExtSIOp():
                # C has no arithmetic in 8 or 16 bits: what is computed there is cut off.
                return None
            case arith.TruncIOp() if not _is_narrow(value):
                return self._index(owner.input, space)
            case arith.ExtUIOp():
                return self._index(owner.input, space, unsigned=True)
            case arith.SelectOp():
                return self._choice(owner.cond, owner.lhs, owner.rhs, space)
            case scf.IfOp() if owner.false_region.blocks:
                then, orelse = (terminator(r.block).operands for r in owner.regions)
                return self._choice(owner.cond, then[value.index], orelse[value.index], space)
            case _:
                return None

    def _computed_unsigned(self, value: OpResult, space: Space) -> Index | None:
        """The unsigned reading of less than 64 bits: of what is proven not to wrap."""
        owner = value.op
        match owner:
            case arith.IndexCastOp() | arith.TruncIOp() if not _is_narrow(value):
                inside = owner.input
            case arith.ExtUIOp():
                return self._index(owner.input, space, unsigned=True)
            case arith.RemUIOp() | arith.DivUIOp() | arith.ShRUIOp():
                # Of what is at least 0, so that the result is, too.
                return self._index(value, space)
            case _:
                return None
        return self._index(inside, space) if self._is_nonnegative([inside], space) else None

    def _is_nonnegative(self, values: Sequence[SSAValue], space: Space) -> bool:
        for value in values:
            index = _affine(self._index(value, space))
            if index is None:
                return False
            around = self._around(value, space)
            if not around.is_subset(index.nonneg_set()):
                return False
        return True

    def _around(self, value: SSAValue, space: Space) -> isl.Set:
        """Where a value is computed at most, as far as it has been found out yet."""
        block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
        known = self._domains.get(block) if isinstance(block, Block) else None
        if known is None:
            return space.lifted(self.items, self._root)
        return space.lifted(known[0], self._space_of(value))

    def _product(self, lhs: SSAValue, rhs: SSAValue, space: Space) -> Index | None:
        for value, factor in ((lhs, rhs), (rhs, lhs)):
            number = constant_value(factor)
            index = self._index(value, space)
            if number is not None:
                return None if index is None else index.scaled(number)
        for value, factor in ((lhs, rhs), (rhs, lhs)):
            index, shared = self._index(value, space), self._shared(factor)
            if index is None or shared is None:
                continue
            total = Index.affine(space.number(0))
            for name, times in shared.items():
                total += (index if name is None else index.times(name)).scaled(times)
            return total
        return None

    def _shared(self, value: SSAValue) -> dict[str | None, int] | None:
        """A value from outside as a sum of parameters; None stands for the number."""
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
            case arith.IndexCastOp() | arith.ExtSIOp() if not _is_narrow(owner.input):
                return self._shared(owner.input)
            case arith.ExtUIOp():
                name = self._leaves.get((owner.input, True))
                return None if name is None else {name: 1}
            case _:
                return None

    def _extreme(self, op: Operation, lhs: Index | None, space: Space) -> Index | None:
        a, b = _affine(lhs), _affine(self._index(op.operands[1], space))
        if a is None or b is None:
            return None
        is_max = isinstance(op, arith.MaxSIOp | arith.MaxUIOp)
        return Index.affine((a.max(b) if is_max else a.min(b)).coalesce())

    def _division(self, op: Operation, space: Space) -> Index | None:
        divisor = constant_value(op.operands[1])
        value = _affine(self._index(op.operands[0], space))
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
        """Of a division by a parameter, as in `(x + 1) % n` and `(x - 1 + n) % n`.

        It is known only for dividends below the divisor; or, where these are no two neighbours, for
        those below twice the divisor.
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
                return Index({(): value.intersect_domain(same)}, is_partial=True)
        return Index({(): value.sub(by).intersect_domain(once)}, is_partial=True)

    def remainder_cases(self, op: Operation) -> tuple[isl.Set, isl.Set] | None:
        """Where the rest of a division is the dividend, and where it is that less the divisor."""
        space = self._space_of(op.results[0])
        value, by = _affine(self._index(op.operands[0], space)), self._divisor(op, space)
        if value is None or by is None:
            return None
        same = value.nonneg_set().intersect(value.lt_set(by))
        if isinstance(op, arith.RemSIOp):
            # C rounds to zero: what is negative leaves a negative rest.
            below = value.neg()
            same = same.union(below.nonneg_set().intersect(below.lt_set(by)))
        elif not self._is_nonnegative(op.operands[:1], space):
            return None
        over = value.sub(by)
        return same.coalesce(), over.nonneg_set().intersect(over.lt_set(by))

    def _divisor(self, op: Operation, space: Space) -> isl.PwAff | None:
        """The divisor of a rest, where it is one expression."""
        if not isinstance(op, arith.RemSIOp | arith.RemUIOp):
            return None
        by = _affine(self._index(op.operands[1], space, isinstance(op, arith.RemUIOp)))
        return None if by is None or by.n_piece() != 1 else by

    def _choice(
        self, condition: SSAValue, then: SSAValue, orelse: SSAValue, space: Space
    ) -> Index | None:
        where = self._condition(condition, space)
        a, b = self._index(then, space), self._index(orelse, space)
        if where is None or a is None or b is None:
            return None
        first = a.mapped(lambda c: c.intersect_domain(where))
        other = where.complement()
        second = b.mapped(lambda c: c.intersect_domain(other))
        monomials = dict.fromkeys([*a.terms, *b.terms])
        nothing = space.number(0)
        return Index(
            {
                m: first.terms.get(m, nothing.intersect_domain(where))
                .union_add(second.terms.get(m, nothing.intersect_domain(other)))
                .coalesce()
                for m in monomials
            },
            a.is_partial or b.is_partial,
        )

    # ---- conditions ----

    def _condition(self, value: SSAValue, space: Space) -> isl.Set | None:
        if value not in self._conditions:
            own = self._space_of(value)
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
                lhs, rhs = self._condition(owner.lhs, space), self._condition(owner.rhs, space)
                if lhs is None or rhs is None:
                    return None
                if isinstance(owner, arith.AndIOp):
                    return lhs.intersect(rhs)
                if isinstance(owner, arith.OrIOp):
                    return lhs.union(rhs).coalesce()
                return lhs.subtract(rhs).union(rhs.subtract(lhs)).coalesce()
            case arith.SelectOp():
                where = self._condition(owner.cond, space)
                lhs, rhs = self._condition(owner.lhs, space), self._condition(owner.rhs, space)
                if where is None or lhs is None or rhs is None:
                    return None
                return where.intersect(lhs).union(rhs.subtract(where)).coalesce()
            case _:
                return None

    def _comparison(self, op: arith.CmpiOp, space: Space) -> isl.Set | None:
        predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
        lhs, rhs = op.lhs, op.rhs
        if not isinstance(lhs.type, IntegerType | IndexType) or _bits(lhs) < 32:
            return None
        if predicate in ("eq", "ne"):
            a, b = self._index(lhs, space), self._index(rhs, space)
            difference = None if a is None or b is None else _affine(a - b)
            if difference is None:
                return None
            return difference.zero_set() if predicate == "eq" else difference.non_zero_set()
        if predicate[1:] in ("gt", "ge"):
            lhs, rhs = rhs, lhs
        strict = predicate[1:] in ("lt", "gt")
        if predicate[0] == "s":
            return self._less(lhs, rhs, space, strict=strict)
        a = _affine(self._index(lhs, space, unsigned=True))
        b = _affine(self._index(rhs, space, unsigned=True))
        if a is None or b is None:
            return None
        less = a.lt_set(b) if strict else a.le_set(b)
        if _bits(lhs) < 64:
            return less
        # Two numbers of 64 bits, read as signed: negative ones are the large ones.
        first, second = a.nonneg_set(), b.nonneg_set()
        alike = first.intersect(second).union(first.union(second).complement())
        return alike.intersect(less).union(first.subtract(second)).coalesce()

    def _less(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        space: Space,
        more: Index | None = None,
        strict: bool = True,
    ) -> isl.Set | None:
        """Where `lhs + more < rhs`; a maximum on the left makes several comparisons, no pieces."""
        left, right = self._terms(lhs, "max", space), self._terms(rhs, "min", space)
        if left is None or right is None:
            return None
        found = space.universe
        for a in left:
            for b in right:
                difference = _affine(b - a if more is None else b - a - more)
                if difference is None:
                    return None
                found = found.intersect(difference.pos_set() if strict else difference.nonneg_set())
        return found

    def _terms(self, value: SSAValue, kind: str, space: Space) -> list[Index] | None:
        """The terms of which a value is the maximum or minimum."""
        owner = None if (value, False) in self._leaves else value.owner
        other = "min" if kind == "max" else "max"
        match owner:
            case arith.MaxSIOp() | arith.MinSIOp() if owner.name == f"arith.{kind}si":
                lhs, rhs = (self._terms(side, kind, space) for side in owner.operands)
                return None if lhs is None or rhs is None else lhs + rhs
            case arith.IndexCastOp() | arith.ExtSIOp() if not _is_narrow(owner.input):
                return self._terms(owner.input, kind, space)
            case arith.AddiOp():
                lhs, rhs = (self._terms(side, kind, space) for side in owner.operands)
                return None if lhs is None or rhs is None else [a + b for a in lhs for b in rhs]
            case arith.SubiOp():
                lhs = self._terms(owner.lhs, kind, space)
                rhs = self._terms(owner.rhs, other, space)
                return None if lhs is None or rhs is None else [a - b for a in lhs for b in rhs]
            case _:
                index = self._index(value, space)
                return None if index is None else [index]


AccessOp = ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp


def model_of(
    kernel: poly.KernelOp,
    body: Region | None = None,
    items: isl.Set | None = None,
    facts: Facts | None = None,
) -> Model:
    """The model of a kernel, or of a `body` that is the program of its work-items, too.

    `items` are the work-items that run it, `R[y, x]`; without them all of the kernel do. `facts`
    are those that other models of the function use.
    """
    names = names_of(kernel.work_items)
    if items is None:
        items = all_items(kernel)
    items = items.set_tuple_name("R")
    block = (kernel.body if body is None else body).block
    function = kernel.parent_op()
    while function is not None and not isinstance(function, wg.FuncOp):
        function = function.parent_op()
    return Model(block, names, leaves_of(kernel), kernel.known, items, function, facts or Facts())


def all_items(kernel: poly.KernelOp) -> isl.Set:
    """The work-items of a group, `R[y, x]`: dimension d has as many as the operand `L<d>` says.

    Raises:
        PolyclError: there is no such operand.
    """
    names = names_of(kernel.work_items)
    sizes = dict(zip(names_of(kernel.params), kernel.arguments, strict=True))
    space = Space.of(names, ())
    items = space.universe
    for place in range(len(names)):
        size = f"L{len(names) - 1 - place}"
        if size not in sizes:
            raise error_at(kernel, f"expected the size of the group as an operand named '{size}'")
        number = constant_value(sizes[size])
        item = space.dimension(place)
        if number is None:
            end = parameter(space.space, size)
        else:
            end = space.number(number)
        items = items.intersect(item.nonneg_set()).intersect(item.lt_set(end))
    return items


def leaves_of(kernel: poly.KernelOp) -> dict[Leaf, str]:
    """The parameters by the values that they are: an operand may be a cast of an argument.

    An operand that is a number is one in all sets, too.
    """
    found: dict[Leaf, str] = {}
    for value, name in zip(kernel.arguments, names_of(kernel.params), strict=True):
        if constant_value(value) is not None:
            continue
        found[value, False] = name
        unsigned = False
        owner = value.owner
        while isinstance(owner, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
            unsigned = unsigned or isinstance(owner, arith.ExtUIOp)
            found.setdefault((owner.input, unsigned), name)
            owner = owner.input.owner
    return found


def _is_free(op: Operation) -> bool:
    return isinstance(op, ocl.AllocaOp) or is_side_effect_free(op)


def _affine(index: Index | None) -> isl.PwAff | None:
    """The affine part of an index whose products cancel out, and which is known everywhere."""
    if index is None or index.is_partial:
        return None
    for monomial, coefficient in index.terms.items():
        if monomial and not coefficient.plain_is_equal(coefficient.sub(coefficient)):
            return None
    return index.value


def _bits(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else 64


def _is_narrow(value: SSAValue) -> bool:
    return _bits(value) < 32


def _array_name(pointer: SSAValue) -> str:
    return pointer.name_hint or "memory"
