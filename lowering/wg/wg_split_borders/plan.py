"""Which choices make the addresses of a region consecutive, and what is asked for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.borders import (
    PLACE,
    Choices,
    Chosen,
    Quotients,
    Remainder,
    Typical,
    choices_of,
    comparisons_of,
)
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.wg.lifting import NotLiftable
from polycl.lowering.wg.wg_split_guards import GroupCheck
from polycl.lowering.wg.wg_vectorize.accesses import Access, accessed_type, accesses_in

_MOST_INTERLEAVED = 4
"""The elements of a record, such as the colours of a pixel, that are read together."""

_MOST_GUESSES = 12
"""How many sets of arguments that may be distances are tried."""

_LEAST_SIZE = 16
"""A number of the source that may be the size of an array."""

_MOST_SIZES = 3
"""How many of them are tried."""

_NEAR = 1
"""An id that is tried at last, for groups of many elements of a small array."""

_RANGE = 1 << 30
"""Sums with a larger number ask whether what is cut to 32 bits fits them."""


@dataclass
class Piece:
    """Choices, and what is assumed for them."""

    choices: Choices
    widened: list[arith.ExtUIOp]
    """Zero extensions of numbers that are not negative."""
    conditions: list[Linear]
    """Sums that are not negative."""
    masks: list[SSAValue]
    """Values that are a power of two less one."""


Small = dict[Remainder, Quotients]
"""The least and the largest quotient of remainders, in a group near the array."""


@dataclass
class Plan:
    whole: Piece
    """For groups without a border."""
    inside: Piece
    """For an interval of work-items."""
    always: Piece
    """For all of them, whatever the launch: that `x + 1` is not negative, say."""
    small: Small
    """Of remainders whose least and largest quotient a group can compute."""
    is_small: SSAValue | None
    """Whether they are right for all work-items of the group, an i1; None if they always are."""


@dataclass(frozen=True)
class Place:
    """Where in an array an access is: of a field, it is the place of the record."""

    array: SSAValue
    index: SSAValue
    size: int
    """The bytes that one step of the index moves."""

    @classmethod
    def of(cls, op: Access) -> Place | None:
        """None if there is no index."""
        if op.index is not None:
            return cls(op.pointer, op.index, size_of(accessed_type(op)))
        pointer = op.pointer
        while isinstance(pointer.owner, ocl.MemberOp):
            pointer = pointer.owner.pointer
        match pointer.owner:
            case ocl.OffsetOp(pointer=array, index=index) if pointer is not op.pointer:
                return cls(array, index, stride_of(pointer_type(pointer).pointee))
            case _:
                return None


def places_of(accesses: Iterable[Access]) -> list[Place]:
    return [place for op in accesses if (place := Place.of(op))]


class Planner:
    def __init__(
        self,
        region: wg.ParallelOp,
        function: wg.FuncOp,
        facts: Uniformity,
        dimension: int,
        check: GroupCheck,
    ):
        self._region, self._function, self._facts = region, function, facts
        self._dimension, self._check = dimension, check
        self._typical = Typical(region, frozenset())
        self._kept: set[arith.ExtUIOp] = set()
        """Zero extensions about which nothing can be asked."""

    def plan(self, accesses: Sequence[Access]) -> Plan | None:
        choices = self._guess(accesses)
        inside = self._liftable(_with_comparisons(choices, self._is_along), accesses)
        if not self.consecutive(inside.choices, accesses) or not self._has_border(inside):
            return None
        every = accesses_in(self._region.body)
        indices = [place.index for place in places_of(every)]
        others = choices_of(indices, self._typical, self._facts, self._region)
        others = _with_comparisons(others, lambda op: not self._is_along(op))
        whole = self._liftable({**others, **inside.choices}, accesses)
        always = self._always({**others, **choices})
        inside.choices = {**always.choices, **inside.choices}
        if not self.consecutive(whole.choices, accesses):
            whole = inside
        return Plan(whole, inside, always, *self._small_quotients(whole.choices))

    def _always(self, choices: Choices) -> Piece:
        """The choices that need no conditions."""
        found: dict[Operation, int] = {}
        chosen = self._chosen(found)
        # What an operation is computed from comes first.
        for op in operations_in(self._region.body):
            if op not in choices:
                continue
            before = len(chosen.conditions)
            found[op] = choices[op]
            chosen.require(op)
            conditions = chosen.bounded(chosen.conditions[before:])
            is_decided = all(compare in found for compare in _comparisons_for(op))
            if chosen.masks or not is_decided or not all(map(chosen.is_natural, conditions)):
                del found[op]
                # What else is computed from the same values asks again.
                chosen = self._chosen(found)
        return Piece(found, [], [], [])

    def _small_quotients(self, choices: Choices) -> tuple[Small, SSAValue | None]:
        """Those of remainders, in a range from border to border."""
        found: Small = {}
        kinds = (arith.RemSIOp, arith.RemUIOp, arith.AndIOp, scf.WhileOp)
        for op in operations_of(self._region.body, *kinds):
            quotients = self._typical.quotients(op) if op in choices else None
            if quotients is None or self._when_small({op: quotients}, found) is None:
                continue
            found[op] = quotients
        tests = self._when_small(found, found)
        return found, self._check.conjunction(tests) if tests else None

    def _when_small(self, quotients: Small, known: Small) -> list[SSAValue] | None:
        """Tests that they are right for all work-items; None if the group cannot compute them."""
        chosen = self._chosen({})
        for op, range in quotients.items():
            chosen.require_quotient(op, range)
        chosen.forget_remainders(known)
        if not self._are_liftable(chosen.conditions, chosen):
            return None
        tests = [self._check.is_natural(sum) for sum in chosen.strongest()]
        return tests + [is_mask(self._check, mask) for mask in dict.fromkeys(chosen.masks)]

    def consecutive(self, choices: Choices, accesses: Sequence[Access]) -> dict[Access, int]:
        """The accesses that are consecutive under choices or a few elements apart: how many."""
        chosen = self._chosen(choices)
        steps = {op: self._step(op, chosen) for op in accesses}
        return {op: step for op, step in steps.items() if step}

    def _step(self, op: Access, chosen: Chosen) -> int:
        """The elements from one work-item to the next, negative where they go backwards; 0 if they
        are not known, or many."""
        place = Place.of(op)
        assert place is not None
        id, index = self._region.local_ids[self._dimension], place.index
        if self._facts.small_buffers:
            # Then an unsigned index does not wrap between lanes.
            if isinstance(index.owner, arith.IndexCastOp):
                index = index.owner.input
            if isinstance(index.owner, arith.ExtUIOp):
                index = index.owner.input
        factors = dict(evaluate(index, chosen).factors)
        step = factors.pop(id, 0)
        if step < 0 and ocl.space_of(op.pointer) is ocl.AddressSpace.CONSTANT:
            return 0  # `wg-order-tables` turns tables around.
        is_near = 1 <= abs(step) <= _MOST_INTERLEAVED and all(map(self._is_uniform, factors))
        return step if is_near else 0

    def _is_uniform(self, value: SSAValue) -> bool:
        return self._facts.lanes(value).strides[self._dimension] == 0

    def _has_border(self, piece: Piece) -> bool:
        """Whether work-items differ: the same selection for all of them is for `wg-unswitch`, and
        that a number fits its type is no border of any data."""
        conditions = [sum for sum in piece.conditions if abs(sum.number) < _RANGE]
        return any(not all(map(self._is_uniform, sum.atoms)) for sum in conditions) or any(
            self._is_along(op) and not isinstance(op, arith.SelectOp | scf.IfOp)
            for op in piece.choices
        )

    def _is_along(self, op: Operation) -> bool:
        """Whether a choice differs between the lanes of a vector."""
        return not all(map(self._is_uniform, op.operands))

    def _guess(self, accesses: Sequence[Access]) -> Choices:
        """The choices of a typical work-item for the arguments that make most of the addresses.

        Which arguments are sizes, and which are distances between neighbours, is not known; nor
        which numbers are, so that a work-item may be beyond an array's end, where addresses wrap.
        Of equal choices those are right whose neighbours are near.
        """
        indices = [place.index for place in places_of(accesses)]
        found = sources(indices)
        arguments = [
            v for v in self._function.args if v in found and isinstance(v.type, IntegerType)
        ]
        # Sizes may be numbers of the source, too.
        constants = [op for op in self._function.walk() if isinstance(op, arith.ConstantOp)]
        numbers = [constant_value(op.result) or 0 for op in constants]
        sizes = sorted({number for number in numbers if _LEAST_SIZE <= number < PLACE})
        # Of places that are as good, one below the sizes: `x != 1023` is below there, too.
        # At last the second group: groups of another dimension may have many elements each.
        places = [*(size // 2 for size in sizes[:_MOST_SIZES]), PLACE, _NEAR]
        sets = chain(*(combinations(arguments, count) for count in range(3)))
        best, least = {}, (0, 0, 0, 0)
        for distances, place in islice(product(sets, places), _MOST_GUESSES):
            typical = Typical(self._region, frozenset(distances), place)
            choices = choices_of(indices, typical, self._facts, self._region)
            if not choices and not best:
                break
            rows = self.consecutive(choices, accesses)
            # Rows that are read backwards may be reflections at a border.
            forward = [op for op, step in rows.items() if step > 0]
            backward = 0 if forward else len(rows)
            rank = (-len(forward), -backward, *self._remoteness(choices, forward or list(rows)))
            if rank < least:
                best, least, self._typical = choices, rank, typical
        return best

    def _remoteness(self, choices: Choices, accesses: Sequence[Access]) -> tuple[int, int]:
        """How far the addresses of accesses are from the work-item: in values, and in numbers."""
        chosen = self._chosen(choices)
        sums = [evaluate(place.index, chosen) for place in places_of(accesses)]
        return sum(len(s.coefficients) for s in sums), sum(abs(s.number) for s in sums)

    def _liftable(self, choices: Choices, accesses: Sequence[Access]) -> Piece:
        """Without the choices whose conditions the group cannot compute."""
        left = dict(choices)
        while True:
            chosen = self._chosen(left)
            wrong = next((op for op in left if not self._is_liftable(op, chosen)), None)
            if wrong is None:
                if self._keep_extensions(accesses, chosen):
                    continue
                break
            del left[wrong]
            if isinstance(wrong, arith.CmpiOp):
                # A selection needs all of its comparisons.
                left = {op: c for op, c in left.items() if not _is_decided_by(op, wrong)}
        return Piece(left, chosen.widened, chosen.strongest(), chosen.masks)

    def _keep_extensions(self, accesses: Sequence[Access], chosen: Chosen) -> bool:
        """Adds the assumptions of addresses; or notes the extensions that must be kept."""
        for op in accesses:
            before, widened = len(chosen.conditions), len(chosen.widened)
            is_row = self._step(op, chosen) != 0
            if is_row and self._are_liftable(chosen.conditions[before:], chosen):
                continue
            if is_row and len(chosen.widened) > widened:
                self._kept.update(chosen.widened[widened:])
                return True
            # No row, or one of numbers that are cut: what was chosen has asked for itself.
            del chosen.conditions[before:], chosen.widened[widened:]
        return False

    def _chosen(self, choices: Choices) -> Chosen:
        return Chosen(choices, self._region, self._typical, self._kept)

    def _is_liftable(self, op: Operation, chosen: Chosen) -> bool:
        before = len(chosen.conditions)
        chosen.require(op)
        return self._are_liftable(chosen.conditions[before:], chosen)

    def _are_liftable(self, conditions: Sequence[Linear], chosen: Chosen) -> bool:
        try:
            for mask in chosen.masks:
                self._check.lifted(mask)
        except NotLiftable:
            return False
        return self._check.can_ask(chosen.bounded(conditions))


def _comparisons_for(op: Operation) -> Iterator[arith.CmpiOp | None]:
    """Those that a selection or branch needs; None for anything else that decides it."""
    if isinstance(op, scf.IfOp | arith.SelectOp):
        yield from comparisons_of(op.operands[0])


def _with_comparisons(choices: Choices, wanted: Callable[[Operation], bool]) -> Choices:
    """The choices that are wanted, and those for the comparisons that they need."""
    found = [op for op in choices if wanted(op)]
    return {
        op: choice
        for op, choice in choices.items()
        if op in found or any(_is_decided_by(other, op) for other in found)
    }


def _is_decided_by(op: Operation, compare: Operation) -> bool:
    if isinstance(op, scf.IfOp | arith.SelectOp) and isinstance(compare, arith.CmpiOp):
        return compare.result in sources([op.operands[0]])
    return False


def smallest(check: GroupCheck, sum: Linear) -> tuple[SSAValue, int]:
    """The smallest value of a sum over the work-items, as a value and a number to add to it.

    The number may be larger than what `GroupCheck` adds.
    """
    return check.smallest(sum - sum.number), sum.number


def is_mask(check: GroupCheck, mask: SSAValue) -> SSAValue:
    """Whether a value is 0 or a power of two less one: it and the next share no bit."""
    value = check.lifted(mask)
    next = check.add(value, check.constant(1, value.type))
    zero = check.constant(0, value.type)
    return check.compare("eq", check.and_(value, next), zero)
