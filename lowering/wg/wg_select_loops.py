"""`wg-select-loops`: loops that reflect a coordinate into an array are selections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.hulls import Hulls
from polycl.analysis.wg.single_iterations import SingleIterations
from polycl.analysis.wg.wrapping_loops import WrappingLoop
from polycl.dialects import wg
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.wg.two_versions import MOST_OPERATIONS, is_too_large, mark_rare, two_versions
from polycl.lowering.wg.wg_split_guards import GroupCheck
from polycl.remarks import emit_remark

_MOST_OPERATIONS = 16
"""Of a loop: more would take longer than a branch around them."""

_MOST_CARRIED = 2
"""Numbers that a loop carries."""

_MOST_OPERATIONS_OF_REGION = 1000
"""With its loops: without them it is shorter, and groups hardly ever run it with them."""


@dataclass(frozen=True)
class WgSelectLoopsPass(ModulePass):
    """Select in place of loops that run at most once, in groups for which that is so.

    ```
    int i = x - 1;                            if the whole group is near the array:
    while (i < 0 || i >= n)             ->      i = i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
      i = i < 0 ? -i : 2 * n - 2 - i;
    ```

    An array may be smaller than the distance to a neighbour, so a reflection is a loop; most arrays
    are not. After one iteration the loop's test fails where sums are not negative, on each path
    through the test and the iteration: -i is below n if i + n is positive, and it is not negative
    since i is. Some always hold: `while (i < 0) i = -i;` never runs twice. The group asks for the
    others at its corners, as it asks that nothing wraps around; before that it asks whether no loop
    runs at all. Loops that add or subtract a step are left to `wg-split-borders`, which knows how
    often they run.
    """

    name = "wg-select-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                most = _MOST_OPERATIONS_OF_REGION
                if _small_loops(region) and not is_too_large(region, self.name, most):
                    self._select(region, function)

    def _select(self, region: wg.ParallelOp, function: wg.FuncOp) -> None:
        before = region.clone()
        check = GroupCheck(region, Uniformity(function))
        count, test = _replaced(region, check, is_inside=False)
        text = f"{count} loop{'s' if count > 1 else ''} of at most one iteration"
        if test is not None:
            # Groups in which no loop has an iteration are most: they are asked for first.
            Rewriter.replace_op(region, before)
            check.erase_unused()
            region = _after_inside(before, function)
            before = region.clone()
            check = GroupCheck(region, Uniformity(function))
            count, test = _replaced(region, check, is_inside=False)
            assert test is not None
            two_versions(region, test)
            mark_rare(before, MOST_OPERATIONS)
            Rewriter.replace_op(region, before)
            region, text = before, f"{text}, in groups near an array"
        else:
            # Its uses of arrays would count.
            before.erase()
        check.erase_unused()
        if count:
            emit_remark(region, self.name, text)


def _after_inside(region: wg.ParallelOp, function: wg.FuncOp) -> wg.ParallelOp:
    """Give groups in which no loop has an iteration a version of their own; that for others."""
    before = region.clone()
    check = GroupCheck(region, Uniformity(function))
    count, test = _replaced(region, check, is_inside=True)
    if test is not None and count == len(_small_loops(before)):
        split = two_versions(region, test).parent_op()
        assert split is not None
        split.attributes[LIKELY] = UnitAttr()
    Rewriter.replace_op(region, before)
    check.erase_unused()
    return before


def _replaced(
    region: wg.ParallelOp, check: GroupCheck, *, is_inside: bool
) -> tuple[int, SSAValue | None]:
    """Replace loops that run at most once, or never: how many, and whether the group may.

    There is nothing to ask where all of them always do.
    """
    hulls = Hulls(region)
    count = 0
    for loop in _small_loops(region):
        asked, known = len(hulls.conditions), dict(hulls.known)
        unrolled = _Unrolled.of(loop)
        once = SingleIterations(region, hulls, unrolled.starts)
        if is_inside:
            is_known = once.require_none(unrolled.runs)
        else:
            is_known = once.require(unrolled.runs, unrolled.again)
        if is_known and check.can_ask(hulls.bounded(hulls.conditions[asked:])):
            left = unrolled.before if is_inside else unrolled.selected(Build(loop))
            Rewriter.replace_op(loop, [], list(left))
            count += 1
        else:
            del hulls.conditions[asked:]
            hulls.known = known
    erase_unused(region.body)
    tests = [check.is_natural(sum) for sum in hulls.strongest()] if count else []
    return count, check.conjunction(tests) if tests else None


def _small_loops(region: wg.ParallelOp) -> list[scf.WhileOp]:
    if region.step is not None:
        return []
    return [loop for loop in operations_of(region.body, scf.WhileOp) if _is_small(loop)]


def _is_small(loop: scf.WhileOp) -> bool:
    """Whether a loop computes a few integers only."""
    bodies = [*loop.before_region.block.ops, *loop.after_region.block.ops]
    types = [*loop.operand_types, *loop.result_types]
    return (
        len(bodies) <= _MOST_OPERATIONS
        and len(loop.arguments) <= _MOST_CARRIED
        and all(isinstance(type, IntegerType | IndexType) and bits_of(type) > 1 for type in types)
        and all(is_speculatable(op) for op in bodies if op.next_op is not None)
        and WrappingLoop.of(loop) is None
    )


@dataclass
class _Unrolled:
    """The first test of a loop, its first iteration and its second test, computed before it."""

    starts: Sequence[SSAValue]
    runs: SSAValue
    """Whether there is an iteration."""
    again: SSAValue
    """Whether there is another one."""
    before: Sequence[SSAValue]
    """What the loop leaves without an iteration."""
    after: Sequence[SSAValue]
    """What it leaves after one."""

    @classmethod
    def of(cls, loop: scf.WhileOp) -> _Unrolled:
        test, iteration = loop.before_region.block, loop.after_region.block
        runs, *before = _copied(loop, test, loop.arguments)
        carried = _copied(loop, iteration, before)
        again, *after = _copied(loop, test, carried)
        return cls(loop.arguments, runs, again, before, after)

    def selected(self, build: Build) -> list[SSAValue]:
        """What the loop leaves."""
        pairs = zip(self.after, self.before, strict=True)
        return [x if x is y else _selected(build, self.runs, x, y) for x, y in pairs]


def _copied(loop: scf.WhileOp, block: Block, args: Sequence[SSAValue]) -> list[SSAValue]:
    """What a block of a loop passes on, computed before the loop."""
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, args, strict=True))
    build = Build(loop)
    for op in list(block.ops)[:-1]:
        build.emit_void(op.clone(values))
    return [values.get(value, value) for value in terminator(block).operands]


def _selected(build: Build, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
    """`condition ? x : y`, in which no condition decides about another one."""
    op = condition.owner
    if not isinstance(op, arith.OrIOp):
        return build.select(condition, _given(x, condition, True), y)
    first, second = op.operands
    if _given(x, second, True) is not x:
        first, second = second, first
    other = _selected(build, second, _given(x, first, False), y)
    return _selected(build, first, x, other)


def _given(value: SSAValue, condition: SSAValue, outcome: bool) -> SSAValue:
    """A value where a condition has an outcome: one side of a selection by it."""
    op = value.owner
    if isinstance(op, arith.SelectOp) and _are_alike(op.cond, condition):
        return op.lhs if outcome else op.rhs
    return value


def _are_alike(a: SSAValue, b: SSAValue) -> bool:
    """Whether two comparisons are about the same values, or constants."""
    x, y = a.owner, b.owner
    if not isinstance(x, arith.CmpiOp) or not isinstance(y, arith.CmpiOp):
        return a is b
    return predicate_of(x) == predicate_of(y) and all(
        v is w or constant_value(v) is not None and constant_value(v) == constant_value(w)
        for v, w in zip(x.operands, y.operands, strict=True)
    )
