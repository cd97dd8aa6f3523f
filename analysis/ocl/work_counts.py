"""How often the operations of a kernel run, as polynomials of its arguments and sizes.

An operation in `for (int k = 0; k < n; k++)` runs n times for each work-item. Counts are exact
for loops that start at all, whose bounds are sums and products of arguments, sizes, ids and the
counters of other loops. What the text does not decide has a name: `share of line 5` is how many of
the work-items that reach a branch take it, `iterations of line 7` those of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import TypeAlias

from xdsl.dialects import arith, func, scf
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from polycl.analysis.ocl.calls import callee_of
from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate, same
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.errors import location_of
from polycl.symbolic import Poly

Count: TypeAlias = Poly[str, Fraction]
"""A polynomial of names: `n`, `global size x`, `id x`, `share of line 5`."""

ITERATIONS = 8.0
"""Of a loop, where nothing is known of them."""
SHARE = 0.5
"""Of the work-items that take a branch, where nothing is known of it."""


def number(value: int | Fraction) -> Count:
    return Poly([((), Fraction(value))])


def name(text: str) -> Count:
    return Poly([((text,), Fraction(1))])


@dataclass(frozen=True)
class Unknown:
    """What a name of a count is, if it is no argument, size or id."""

    op: Operation
    """The branch or loop."""
    typical: float
    """Its value where nothing is known."""


@dataclass(frozen=True)
class _Loop:
    """A loop around an operation: its counter goes from 0 to below `count`."""

    counter: str
    count: Count


@dataclass
class WorkCounts:
    """The counts of a kernel on the level `ocl`, whose control flow is structured."""

    kernel: ocl.KernelLike
    executions: dict[Operation, Count] = field(default_factory=dict[Operation, Count])
    """How often a work-item executes an operation. It may depend on the work-item's ids."""
    unknown: dict[str, Unknown] = field(default_factory=dict[str, Unknown])
    """The branches and loops that have names."""
    quotients: dict[str, tuple[Count, Count]] = field(
        default_factory=dict[str, tuple[Count, Count]]
    )
    """The names of quotients, rounded up: dividend and divisor."""

    def __post_init__(self) -> None:
        self._numbers = _Numbers(self.kernel, self.quotients)
        self._block(self.kernel.body.block, number(1), ())

    def of(self, op: Operation) -> Count:
        return self.executions.get(op, number(0))

    def total(self, count: Count) -> Count:
        """The sum of a count over all work-items of a launch without an offset, whose groups have
        one size."""
        for d in "xyz":
            ids = f"id {d}", f"group id {d}", f"local id {d}"
            group, local = name(ids[1]), name(ids[2])
            if count.atoms.isdisjoint(ids[1:]):
                count = summed(count, ids[0], name(f"global size {d}"))
                continue
            places = {ids[0]: group * name(f"local size {d}") + local, ids[1]: group, ids[2]: local}
            count = count.substitute(lambda atom, places=places: places.get(atom) or name(atom))
            count = summed(count, ids[1], name(f"groups {d}"))
            count = summed(count, ids[2], name(f"local size {d}"))
        return count

    def value(
        self, count: Count, known: Mapping[str, float], shares: Mapping[Operation, float]
    ) -> float:
        """A count as a number, for these arguments, sizes and ids, and what is known of branches
        (the share that takes one) and loops (their iterations)."""

        def of(atom: str) -> float:
            if atom in known:
                return known[atom]
            if atom in self.quotients:
                top, by = (part.evaluate(of) for part in self.quotients[atom])
                return -(-top // by) if by else 0.0
            found = self.unknown.get(atom)
            return 0.0 if found is None else shares.get(found.op, found.typical)

        return max(0.0, float(count.evaluate(of)))

    def _block(self, block: Block, share: Count, loops: tuple[_Loop, ...]) -> None:
        for op in block.ops:
            count = share
            for loop in reversed(loops):
                count = summed(count, loop.counter, loop.count)
            self.executions[op] = self.executions.get(op, number(0)) + count
            match op:
                case func.CallOp():
                    self._region(callee_of(op).body, share, loops)
                case scf.IfOp() if location_of(op) == location_of(self.kernel):
                    # The compiler's guard for work-items that the launch does not have.
                    self._region(op.true_region, share, loops)
                case scf.IfOp():
                    taken = self._name("share", op, SHARE)
                    self._region(op.true_region, share * taken, loops)
                    self._region(op.false_region, share * (number(1) - taken), loops)
                case scf.ForOp():
                    counter = f"t{len(loops)}"
                    self._region(op.body, share, (*loops, _Loop(counter, self._trips(op, counter))))
                case scf.WhileOp():
                    trips = self._name("iterations", op, ITERATIONS)
                    # The condition is computed once more than it holds.
                    before, after = _Loop("", trips + number(1)), _Loop("", trips)
                    self._region(op.before_region, share, (*loops, before))
                    self._region(op.after_region, share, (*loops, after))
                case _:
                    for region in op.regions:
                        self._region(region, share, loops)

    def _region(self, region: Region, share: Count, loops: tuple[_Loop, ...]) -> None:
        for block in region.blocks:
            self._block(block, share, loops)

    def _name(self, what: str, op: Operation, typical: float) -> Count:
        location = location_of(op)
        text = f"{what} of line {location[1] if location is not None else '?'}"
        while text in self.unknown and self.unknown[text].op is not op:
            text += "'"
        self.unknown[text] = Unknown(op, typical)
        return name(text)

    def _trips(self, loop: scf.ForOp, counter: str) -> Count:
        """The iterations of a loop; its counter is known from now on."""
        first, end, step = (self._numbers.of(value) for value in (loop.lb, loop.ub, loop.step))
        self._numbers.known[loop.body.block.args[0]] = first + name(counter) * step
        distance = end - first
        if any(atom.startswith("?") for part in (distance, step) for atom in part.atoms):
            return self._name("iterations", loop, ITERATIONS)
        found = self._numbers.quotient(distance, step)
        return self._name("iterations", loop, ITERATIONS) if found is None else found


class _Numbers(Domain[Count]):
    """Integers of a kernel by the names of arguments, sizes and ids; others begin with `?`."""

    def __init__(self, kernel: ocl.KernelLike, quotients: dict[str, tuple[Count, Count]]):
        super().__init__()
        self._quotients = quotients
        for text, argument in zip(kernel.param_names, kernel.args, strict=True):
            self.known[argument] = name(text)

    def of(self, value: SSAValue) -> Count:
        return evaluate(value, self)

    def number(self, number: int, value: SSAValue) -> Count:
        return Poly([((), Fraction(number))])

    def opaque(self, value: SSAValue) -> Count:
        owner = value.owner
        if isinstance(value, BlockArgument) or not isinstance(owner, _QUERIES):
            return name(f"?{len(self.known)}")
        return name(f"{_QUERY_NAMES[type(owner)]} {'xyz'[owner.dimension]}")

    def quotient(self, top: Count, by: Count) -> Count | None:
        """The quotient, rounded up; None if it would depend on the counter of a loop."""
        if top.constant is not None and by.constant:
            return number(-(-top.constant // by.constant))
        if by == number(1):
            return top
        if by.constant and all(not c % by.constant for c in top.coefficients.values()):
            return top.mapped(lambda c: c / by.constant)
        if any(_is_counter(atom) for part in (top, by) for atom in part.atoms):
            return None
        above, below = (
            text if part.constant is not None else f"({text})"
            for part, text in ((top, show(top)), (by, show(by)))
        )
        text = f"⌈{above} / {below}⌉"
        self._quotients[text] = top, by
        return name(text)

    def product(self, op: Operation, x: Count, y: Count) -> Count:
        return x * y

    def shifted(self, op: Operation, x: Count, y: Count) -> Count | None:
        places = constant_value(op.operands[1])
        return x * number(1 << places) if places is not None and 0 <= places < 64 else None

    def divided(self, op: Operation, x: Count, y: Count) -> Count | None:
        if any(atom.startswith("?") for part in (x, y) for atom in part.atoms):
            return None
        # Rounded down it is the quotient of x - y + 1, rounded up.
        return self.quotient(x - y + number(1), y)

    def halved(self, op: Operation, x: Count, y: Count) -> Count | None:
        places = constant_value(op.operands[1])
        if places is None or not 0 <= places < 64:
            return None
        return self.divided(op, x, number(1 << places))

    rules = {
        **SUMS,
        **dict.fromkeys((arith.ExtSIOp, arith.ExtUIOp, arith.IndexCastOp, arith.TruncIOp), same),
        arith.MuliOp: product,
        arith.ShLIOp: shifted,
        **dict.fromkeys((arith.DivSIOp, arith.DivUIOp), divided),
        **dict.fromkeys((arith.ShRSIOp, arith.ShRUIOp), halved),
    }


_QUERY_NAMES: dict[type[Operation], str] = {
    ocl.GlobalIdOp: "id",
    ocl.LocalIdOp: "local id",
    ocl.GroupIdOp: "group id",
    ocl.GlobalSizeOp: "global size",
    ocl.LocalSizeOp: "local size",
    ocl.EnqueuedLocalSizeOp: "local size",
    ocl.NumGroupsOp: "groups",
    ocl.GlobalOffsetOp: "offset",
}
_QUERIES = (
    ocl.GlobalIdOp,
    ocl.LocalIdOp,
    ocl.GroupIdOp,
    ocl.GlobalSizeOp,
    ocl.LocalSizeOp,
    ocl.EnqueuedLocalSizeOp,
    ocl.NumGroupsOp,
    ocl.GlobalOffsetOp,
)


def _is_counter(atom: str) -> bool:
    return atom[0] == "t" and atom[1:].isdigit()


def summed(count: Count, counter: str, end: Count) -> Count:
    """The sum of a polynomial over a counter from 0 to below `end` (Faulhaber's formula)."""
    powers: dict[int, Count] = {}
    for monomial, factor in count.coefficients.items():
        rest = tuple(atom for atom in monomial if atom != counter)
        power = len(monomial) - len(rest)
        powers[power] = powers.get(power, number(0)) + Poly([(rest, factor)])
    total = number(0)
    for power, coefficient in powers.items():
        total = total + coefficient * _sum_of_powers(power, end)
    return total


def _sum_of_powers(power: int, end: Count) -> Count:
    total, factor = number(0), number(1)
    for exponent in range(1, power + 2):
        factor = factor * end
        j = power + 1 - exponent
        total = total + factor * number(comb(power + 1, j) * _bernoulli(j) / (power + 1))
    return total


@cache
def _bernoulli(index: int) -> Fraction:
    """The Bernoulli number, that of 1 is -1/2."""
    if index == 0:
        return Fraction(1)
    terms = (comb(index + 1, k) * _bernoulli(k) for k in range(index))
    return -sum(terms, Fraction(0)) / (index + 1)


def show(count: Count, rename: Callable[[str], str] = str) -> str:
    """The polynomial as text: `2 n^2 + n / 2`."""
    terms: list[str] = []
    for monomial, factor in count.terms:
        powers = {atom: monomial.count(atom) for atom in monomial}
        parts = [
            _quoted(rename(atom)) + (f"^{power}" if power > 1 else "")
            for atom, power in powers.items()
        ]
        size = abs(factor)
        if size.numerator != 1 or not parts:
            parts.insert(0, f"{size.numerator:,}")
        text = " ".join(parts) + (f" / {size.denominator}" if size.denominator > 1 else "")
        sign = "-" if factor < 0 else "+" if terms else ""
        terms.append(f"{sign} {text}" if terms else f"{sign}{text}")
    return " ".join(terms) or "0"


def _quoted(atom: str) -> str:
    return f"[{atom}]" if " " in atom and atom[0] != "⌈" else atom
