"""`wg-split-guards`: groups in which all work-items pass their guards run without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp, UnitAttr, i1
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.uniformity import (
    Uniformity,
    constant_index,
    constant_value,
)
from polycl.analysis.wg.borders import Chosen, Typical
from polycl.analysis.wg.clamps import bits_of
from polycl.analysis.wg.counters import counter_range
from polycl.dialects import ocl, vec, wg
from polycl.dialects.comparisons import OPPOSITES, SWAPPED, predicate_of
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.parents import parents
from polycl.dialects.wg.attributes import RARE
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import take_side
from polycl.lowering.wg.lifting import GroupBuilder, NotLiftable
from polycl.lowering.wg.naturals import is_natural
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.remarks import emit_remark
from polycl.symbolic import atom

SAFE_BITS = 48
LARGE_FACTOR = 1 << 10
LARGE_NUMBER = 1 << 30
"""Values of so many bits, times smaller factors, and smaller numbers are added in 64 bits."""


FAR = 1 << 48
"""Of a counter whose range is not known."""


def is_large(value: SSAValue, factor: int) -> bool:
    """Whether sums of a product may wrap in 64 bits: ids are narrow, and times the size of a group
    they are not."""
    size = abs(factor)
    return (
        size >= LARGE_FACTOR
        and bits_of(value) + size.bit_length() > SAFE_BITS + LARGE_FACTOR.bit_length() - 1
    )


@dataclass(frozen=True)
class WgSplitGuardsPass(ModulePass):
    """Give groups in which no work-item is stopped by a guard a region without the guards.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
      %i = arith.addi %first, %x : index
      %in = arith.cmpi slt, %i, %n : index
      scf.if %in { A }
    }
    ```

    becomes

    ```
    %last = %first + 63
    %all = arith.cmpi slt, %last, %n : index
    scf.if %all {
      wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) { A }
    } else {
      wg.parallel ...                               // as it was
    }
    ```

    A guard is a comparison of sums of local ids, of counters of loops with the same range for all
    work-items, and of values that are the same for the group: it holds for all if it holds at the
    corner of the group, and at the end of the loop, where it is the closest. Sums of ids that are
    not to be equal differ for all if they do so in the same direction. It may be a part of
    a condition with `&&`; for the other side of a branch (`if (i >= n) return;`), of one with
    `||`. All guards of a region are asked for together, and each region is split once; guards
    that do not depend on which group it is stay, unless all work-items of every group pass. Regions
    of more than 400 operations stay whole.

    Where guards in loops are the same for a row of work-items, and others differ there, groups that
    pass the former have a version without these, too: a filter's windows are whole columns at the
    left and right border of a picture, under a mask that stays (a convolution of 5 x 5 takes 0.55
    of the time there).
    """

    name = "wg-split-guards"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = [
                region
                for region in operations_of(function.body, wg.ParallelOp)
                if region.step is None
                and operations_of(region.body, scf.IfOp)
                and not is_too_large(region, self.name)
            ]
            if not regions:
                continue
            facts = Uniformity(function)
            for region in regions:
                self._split(region, facts)

    def _split(self, region: wg.ParallelOp, facts: Uniformity) -> None:
        guards = list(_guards(region, facts))
        if not guards:
            return
        check = GroupCheck(region, facts)
        found: dict[Operation, bool] = {}
        is_rare = True
        tests: dict[Operation, SSAValue] = {}
        for guard in guards:
            # The side of a branch that no work-item takes is gone.
            if not region.is_ancestor(guard.compare):
                continue
            try:
                if check.always_holds(guard):
                    emit_remark(guard.compare, self.name, "guard dropped: all work-items pass")
                    settle(guard.compare.result, guard.wanted)
                    continue
                test = check.holds_for_all(guard)
                if _never_holds(test):
                    raise Refusal("it stops a work-item of each group")
            except Refusal as refusal:
                emit_remark(guard.compare, self.name, f"guard kept: {refusal}")
                continue
            except NotLiftable:
                reason = "it depends on more than arguments and ids"
                emit_remark(guard.compare, self.name, f"guard kept: {reason}")
                continue
            is_rare = is_rare and not guard.wants_difference and facts.is_uniform(guard.sides()[2])
            found[guard.compare] = guard.wanted
            tests[guard.compare] = test
        if found:
            count = f"{len(found)} guard{'s' if len(found) > 1 else ''}"
            emit_remark(region, self.name, f"split: without {count} where all work-items pass")
            # Bounds from above fail in the last groups only. Where there are bounds from below,
            # too, a row of the launch may be one group, with both borders.
            of_rows = {} if is_rare else _of_rows(region, found)
            all_pass = check.conjunction(list(tests.values()))
            rows_pass = check.conjunction([tests[op] for op in of_rows], "rows")
            _version(region, all_pass, found)
            if of_rows:
                emit_remark(
                    region, self.name, f"split: without {len(of_rows)} of them where rows pass"
                )
                _version(region, rows_pass, of_rows)
            if is_rare:
                region.attributes[RARE] = UnitAttr()
        check.erase_unused()


class Refusal(Exception):
    """Why a guard stays."""


@dataclass(frozen=True)
class Guard:
    """A comparison, and the outcome that most work-items are expected to have."""

    compare: arith.CmpiOp | vec.CmpiOp
    wanted: bool

    @property
    def asks_for_equality(self) -> bool:
        return predicate_of(self.compare) in ("eq", "ne")

    @property
    def wants_difference(self) -> bool:
        """Whether both sides are expected to differ: `x != 0`, or `x == 0` on the rare side."""
        return predicate_of(self.compare) == ("ne" if self.wanted else "eq")

    def sides(self) -> tuple[str, SSAValue, SSAValue]:
        """Predicate (slt, sle, ult or ule), left and right side of what is expected to hold."""
        predicate = predicate_of(self.compare)
        if self.asks_for_equality:
            raise Refusal("it asks for equality")
        if not self.wanted:
            predicate = OPPOSITES[predicate]
        if predicate in SWAPPED:
            return SWAPPED[predicate], self.compare.rhs, self.compare.lhs
        return predicate, self.compare.lhs, self.compare.rhs


def _never_holds(test: SSAValue) -> bool:
    """Whether a test of the group fails whatever its number and the arguments are: it asks whether
    each work-item runs all iterations of a loop that is as long as its first one needs, say."""
    for guard in conjuncts(test, wanted=True):
        if guard.asks_for_equality:
            continue
        predicate, lhs, rhs = guard.sides()
        distance = (linear(rhs) - linear(lhs)).constant
        if distance is not None and predicate in ("slt", "sle"):
            if distance < int(predicate == "slt"):
                return True
    return False


def _guards(region: wg.ParallelOp, facts: Uniformity) -> Iterator[Guard]:
    """The comparisons on which the larger side of some branch runs."""
    branches = [op for op in operations_of(region.body, scf.IfOp) if not facts.is_uniform(op.cond)]
    if not branches:
        return
    seen: set[Operation] = set()
    numbers = _numbers_of_operations(region.body)
    for op in branches:
        sizes = [numbers[side] for side in op.regions]
        for guard in conjuncts(op.cond, wanted=sizes[0] >= sizes[-1]):
            inside = region.is_ancestor(guard.compare)
            if inside and guard.compare not in seen and not facts.is_uniform(guard.compare.result):
                seen.add(guard.compare)
                yield guard


def _numbers_of_operations(body: Region) -> dict[Region, int]:
    """The number of operations in each region inside `body`, counted once for all of them."""
    numbers: dict[Region, int] = {}
    for op in body.walk(region_first=True):
        for region in op.regions:
            inner = [op for block in region.blocks for op in block.ops]
            numbers[region] = len(inner) + sum(numbers[r] for op in inner for r in op.regions)
    return numbers


def conjuncts(condition: SSAValue, *, wanted: bool) -> Iterator[Guard]:
    """The comparisons that must all have their outcome so that `condition` is as wanted."""
    owner = condition.owner
    match owner:
        case arith.CmpiOp() | vec.CmpiOp():
            yield Guard(owner, wanted)
        case arith.XOrIOp() if constant_value(owner.rhs) in (1, -1):
            yield from conjuncts(owner.lhs, wanted=not wanted)
        case arith.AndIOp() if wanted:
            yield from conjuncts(owner.lhs, wanted=True)
            yield from conjuncts(owner.rhs, wanted=True)
        case arith.OrIOp() if not wanted:
            yield from conjuncts(owner.lhs, wanted=False)
            yield from conjuncts(owner.rhs, wanted=False)
        case _:
            return


class GroupCheck(GroupBuilder):
    """Computes for the group, before a region, whether comparisons hold for all work-items."""

    def __init__(self, region: wg.ParallelOp, facts: Uniformity, *, of_launch: bool = False):
        """`of_launch` is whether they are to hold for all groups: LLVM asks once for all then."""
        super().__init__(region)
        self._facts = facts
        self._of_launch = of_launch

    def conjunction(self, tests: Sequence[SSAValue], name: str = "all") -> SSAValue:
        result = reduce(self.and_, tests) if tests else self.constant(1, i1)
        result.name_hint = name
        return result

    def always_holds(self, guard: Guard) -> bool:
        """Whether it is known without the group that all work-items pass a guard."""
        if guard.wants_difference:
            return False
        predicate, lhs, rhs = guard.sides()
        if predicate.startswith("u"):
            return False
        sum = linear(rhs) - linear(lhs)
        least = sum.number - int(predicate == "slt")
        for value, factor in sum.factors.items():
            numbers = self._numbers(value)
            if numbers is None:
                return False
            least += factor * (numbers[0] if factor > 0 else numbers[-1])
        return least >= 0

    def _numbers(self, value: SSAValue) -> range | None:
        """What a local id or a counter of a loop may be; None for anything else."""
        owner = value.owner
        if owner is self._region.body.block:
            assert isinstance(value, BlockArgument)
            size = constant_index(self._region.sizes[value.index])
            return range(size) if size else None
        loop = owner.parent_op() if isinstance(owner, Block) else None
        if not isinstance(loop, scf.ForOp) or value is not loop.body.block.args[0]:
            return None
        lb, ub = linear(loop.lb).constant, linear(loop.ub).constant
        step = constant_index(loop.step)
        if lb is None or ub is None or step is None or step <= 0:
            return None
        return range(lb, ub, step) or None

    def holds_for_all(self, guard: Guard) -> SSAValue:
        """An i1: whether the guard holds at its worst corner."""
        if guard.wants_difference:
            return self._always_differ(guard.compare)
        try:
            return self._at_corner(guard)
        except Refusal as refusal:
            found = self._in_range(guard)
            if found is None:
                raise refusal
            return found

    def _in_range(self, guard: Guard) -> SSAValue | None:
        """The same with tests that nothing wraps, for unsigned numbers and those of 64 bits."""
        choices: dict[Operation, int] = {guard.compare: int(guard.wanted)}
        chosen = Chosen(choices, self._region, Typical(self._region, frozenset()))
        chosen.require(guard.compare)
        values = {value for sum in chosen.conditions for value in sum.factors}
        if not any(depends_on_group(value, set()) for value in values):
            return None
        conditions = chosen.strongest()
        if any((sum.constant or 0) < 0 for sum in conditions):
            return None
        try:
            return self.conjunction([self.is_natural(sum) for sum in conditions])
        except (Refusal, NotLiftable):
            return None

    def can_ask(self, conditions: Iterable[Linear]) -> bool:
        """Whether `is_natural` can be asked of sums, none of which is negative whatever the ids."""
        try:
            for sum in conditions:
                if sum.constant is not None and sum.constant < 0:
                    return False
                self.smallest(sum - sum.number)
        except (Refusal, NotLiftable):
            return False
        return True

    def is_natural(self, sum: Linear) -> SSAValue:
        """Whether a sum, whose number may be large, is not negative for all work-items."""
        least = self.smallest(sum - sum.number)
        return self.compare("sle", self.index(-sum.number), least)

    def _at_corner(self, guard: Guard) -> SSAValue:
        predicate, lhs, rhs = guard.sides()
        if predicate.startswith("u"):
            return self._unsigned(predicate, lhs, rhs)
        # lhs < rhs where rhs - lhs is smallest.
        return self._positive(linear(rhs) - linear(lhs), strict=predicate == "slt")

    def _always_differ(self, compare: arith.CmpiOp | vec.CmpiOp) -> SSAValue:
        """Whether one side is larger than the other one for all work-items."""
        sum = linear(compare.lhs) - linear(compare.rhs)
        self._check_depends_on_group(sum)
        if any(bits_of(value) > SAFE_BITS for value in sum.factors):
            raise Refusal("it adds 64-bit numbers that may be anything, so that sums may wrap")
        if any(_is_counter(value) for value in sum.factors):
            raise Refusal("it asks for equality with what a loop computes")
        zero, least = self.index(0), self.smallest(sum)
        most = self.sub(zero, self.smallest(-sum))
        above, below = self.compare("slt", zero, least), self.compare("slt", most, zero)
        if isinstance(type := compare.lhs.type, IntegerType) and type.bitwidth < 64:
            # Numbers that are so far apart are the same in fewer bits.
            wrap = 1 << type.bitwidth
            above = self.and_(above, self.compare("slt", most, self.index(wrap)))
            below = self.and_(below, self.compare("slt", self.index(-wrap), least))
        return self.or_(above, below)

    def _unsigned(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """For ids, which are never negative, below something that is the same for all."""
        if not self._facts.is_uniform(rhs) or not is_natural(lhs):
            raise Refusal("unsigned arithmetic may wrap")
        # The largest left side is where its negative is smallest.
        negative = -linear(lhs)
        self._check_depends_on_group(negative)
        largest = self.sub(self.index(0), self.smallest(negative))
        bound = self.lifted(rhs)
        return self.compare(predicate, largest, self.unsigned_index(bound))

    def _positive(self, sum: Linear, *, strict: bool) -> SSAValue:
        self._check_depends_on_group(sum)
        wide = [value for value in sum.factors if bits_of(value) > SAFE_BITS]
        if not wide:
            return self.compare(_less(strict), self.index(0), self.smallest(sum))
        # A number that may be anything stays alone on its side, so that nothing wraps.
        value = wide[0]
        if len(wide) > 1 or abs(sum.factors[value]) != 1 or not self._facts.is_uniform(value):
            raise Refusal("it adds 64-bit numbers that may be anything, so that sums may wrap")
        rest = self.smallest(sum - sum.factors[value] * atom(value))
        alone = self.as_index(self.lifted(value))
        if sum.factors[value] > 0:
            negative = self.sub(self.index(0), rest)
            return self.compare(_less(strict), negative, alone)
        return self.compare(_less(strict), alone, rest)

    def _check_depends_on_group(self, sum: Linear) -> None:
        if not any(depends_on_group(value, set()) for value in sum.factors):
            raise Refusal("it does not depend on which group it is")

    def smallest(self, sum: Linear) -> SSAValue:
        """The smallest value of a sum over the work-items and the counters of loops."""
        result, number = None, sum.number
        if abs(number) >= LARGE_NUMBER:
            raise Refusal("a number is large, so that sums may wrap")
        for value, factor in sum.factors.items():
            if is_large(value, factor):
                raise Refusal("a factor is large, so that sums may wrap")
            worst = self._worst(value, smallest=factor > 0)
            known = constant_value(worst)
            if known is not None:
                number += factor * known
                continue
            before = [] if result is None else [(result, 1)]
            result = self.linear([*before, (self.as_index(worst), factor)])
        if result is None:
            return self.index(number)
        return self.add(result, self.index(number)) if number else result

    def _worst(self, value: SSAValue, *, smallest: bool) -> SSAValue:
        """The smallest or largest of one value, as known to the group."""
        owner = value.owner
        if owner is self._region.body.block:
            dimension = self._region.local_ids.index(value)  # pyright: ignore[reportArgumentType]
            return self.index(0) if smallest else self._before(self._region.sizes[dimension])
        loop = owner.parent_op() if isinstance(owner, Block) else None
        if isinstance(loop, scf.WhileOp) and owner is loop.after_region.block:
            return self._worst_of_while(loop, value, smallest=smallest)
        if isinstance(loop, scf.ForOp) and self._region.is_ancestor(loop):
            if value is not loop.body.block.args[0]:
                raise Refusal("it depends on what a loop computes")
            bound = loop.lb if smallest else loop.ub
            if not self._facts.is_uniform(bound):
                raise Refusal("it depends on a loop whose range differs between work-items")
            return self.lifted(bound) if smallest else self._last(loop)
        if not self._facts.is_uniform(value):
            raise Refusal("what it compares is no sum of ids and of values of the group")
        if self._of_launch and isinstance(owner, ocl.GroupIdOp):
            groups = self.emit(ocl.NumGroupsOp(owner.dimension))
            return self.index(0) if smallest else self._before(groups)
        return self.lifted(value)

    def _worst_of_while(self, loop: scf.WhileOp, value: SSAValue, *, smallest: bool) -> SSAValue:
        """For a counter that grows by a number while it is below a bound."""
        range = counter_range(loop, value)
        if range is None or not all(map(self._facts.is_uniform, (range.first, range.bound))):
            raise Refusal("it depends on what a loop computes")
        worst = self.as_index(self.lifted(range.first if smallest else range.bound))
        if range.is_strict and not smallest:
            worst = self.sub(worst, self.index(1))
        if not range.is_unsigned:
            return worst
        # Numbers from the half of the range on would be negative: nothing is known then.
        far = self.index(-FAR if smallest else FAR)
        is_small = self.compare("sle", self.index(0), worst)
        return self.select(is_small, worst, far)

    def _last(self, loop: scf.ForOp) -> SSAValue:
        """The last value of a counter, if the loop has iterations."""
        last = self._before(self.lifted(loop.ub))
        if constant_value(loop.step) == 1:
            return last
        if not self._facts.is_uniform(loop.lb) or not self._facts.is_uniform(loop.step):
            return last
        # In steps of a grid the last iteration may be far below the bound.
        first, last = self.as_index(self.lifted(loop.lb)), self.as_index(last)
        step = self.max(self.as_index(self.lifted(loop.step)), self.index(1), signed=True)
        distance = self.max(self.sub(last, first), self.index(0), signed=True)
        return self.sub(last, self.emit(arith.RemUIOp(distance, step)))

    def _before(self, value: SSAValue) -> SSAValue:
        """`value - 1`."""
        number = constant_value(value)
        if number is not None:
            return self.index(number - 1)
        return self.add(self.as_index(value), self.index(-1))


def _is_counter(value: SSAValue) -> bool:
    """Whether a loop carries a value."""
    owner = value.owner
    return isinstance(owner, Block) and isinstance(owner.parent_op(), scf.ForOp | scf.WhileOp)


def _less(strict: bool) -> str:
    return "slt" if strict else "sle"


def depends_on_group(value: SSAValue, seen: set[SSAValue], *, or_iteration: bool = False) -> bool:
    """Whether a value may differ between groups, or between iterations of a loop around one."""
    owner = value.owner
    if value in seen:
        return False
    seen.add(value)
    if isinstance(owner, Block):
        return or_iteration and isinstance(owner.parent_op(), scf.ForOp)
    if isinstance(owner, ocl.GroupIdOp):
        return True
    return any(
        depends_on_group(operand, seen, or_iteration=or_iteration) for operand in owner.operands
    )


# Two versions of a region


def _of_rows(region: wg.ParallelOp, found: dict[Operation, bool]) -> dict[Operation, bool]:
    """The guards that a row of work-items passes as a whole, if some of them are in loops, and if
    there are others."""
    x = region.local_ids[0]
    of_rows = {
        op: wanted
        for op, wanted in found.items()
        if not any(x in linear(side).factors for side in op.operands)
    }
    around = [parent for op in of_rows for parent in parents(op) if region.is_ancestor(parent)]
    in_loops = any(isinstance(op, scf.ForOp | scf.WhileOp) for op in around)
    return of_rows if in_loops and len(of_rows) < len(found) else {}


def _version(region: wg.ParallelOp, all: SSAValue, found: dict[Operation, bool]) -> None:
    """`if all { the region without the comparisons } else { the region }`."""
    order = operations_of(region.body, arith.CmpiOp)
    fast = two_versions(region, all)
    copies = operations_of(fast.body, arith.CmpiOp)
    wanted = [(copy, found[op]) for op, copy in zip(order, copies, strict=True) if op in found]
    for compare, outcome in wanted:
        # Another one may have taken its branch away.
        if fast.is_ancestor(compare):
            settle(compare.result, outcome)


def settle(value: SSAValue, outcome: bool) -> None:
    """Simplify what uses an i1 that is known."""
    assert isinstance(value.owner, Operation)
    while (use := value.first_use) is not None:
        user = use.operation
        match user:
            case scf.IfOp():
                take_side(user, user.regions[0 if outcome else 1])
            case arith.AndIOp() | arith.OrIOp():
                other = user.operands[1 - use.index]
                # The side that does not matter for `and` is true, for `or` false.
                if outcome == isinstance(user, arith.AndIOp):
                    Rewriter.replace_op(user, [], [other])
                else:
                    settle(user.results[0], outcome)
            case arith.XOrIOp() if constant_value(user.rhs) in (1, -1):
                settle(user.results[0], not outcome)
            case arith.SelectOp() if use.index == 0:
                Rewriter.replace_op(user, [], [user.lhs if outcome else user.rhs])
            case _:
                user.operands[use.index] = Build(user).constant(int(outcome), i1)
    Rewriter.erase_op(value.owner)
