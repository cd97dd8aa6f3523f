"""`ocl-split-guards`: groups whose work-items all pass a guard, or all take a step of a loop, run
what has barriers without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.evaluate import Domain, evaluate, same
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.parallel_regions import CUTS, ops_around_barriers
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import OPPOSITES, predicate_of
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.kernel import ENQUEUED_LOCAL_SIZE
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.count_from_zero import count_alike
from polycl.lowering.ocl.moving import execute_if, replace_by_block
from polycl.lowering.ocl.ocl_to_wg import in_lock_step
from polycl.remarks import emit_remark

MOST_OPERATIONS = 400
"""The most operations of a branch that is copied."""

_INT, _LONG = (range(-(1 << bits - 1), 1 << bits - 1) for bits in (32, 64))
_IDS = range(1 << 31)
"""A launch checks it."""


@dataclass(frozen=True)
class OclSplitGuardsPass(ModulePass):
    """Give groups in which all work-items pass a guard a copy of what it guards.

    ```
    %in = arith.cmpi slt, %i, %n : i32
    scf.if %in { A; ocl.barrier; B }
    ```

    becomes, in groups of 64 work-items,

    ```
    %all = arith.andi (%first < %n), (%first + 63 < %n)
    scf.if %all {
      A; ocl.barrier; B
    } else {
      scf.if %in { A; ocl.barrier; B }
    }
    ```

    The new condition is the same for the group, so that `ocl-to-wg` places the first branch around
    the parallel regions of its copy, whose work-items ask nothing; those of the second version ask
    a flag in each region. What has no barriers is for `wg-split-guards`.

    A guard is made of comparisons, with `&&` (for the other side, `if (i >= n) return;`, with
    `||`), of sums and products of ids and of values that are the same for the group. As long as no
    number wraps, such a comparison holds for all work-items if it holds for those at the corners
    of the group. There the numbers are computed in 64 bits, and a group for which one of them would
    not fit its own type runs the second version.

    Loops with barriers in steps of the group, as `for (i = get_local_id(0); i < n; i += 64)`, are
    split, too: all work-items of the group have a place in each of the first `n / 64` steps, which
    a loop counts from 0. The one that is left, and all of them where a number would not fit, is the
    loop as it was, behind a test of the group.
    """

    name = "ocl-split-guards"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            if kernel.required_size is None or len(kernel.body.blocks) != 1:
                continue
            _join_guards(kernel)
            seen: set[Operation] = set()
            while (control := _divergent(kernel, seen)) is not None:
                seen.add(control)
                if isinstance(control, scf.IfOp):
                    _split(kernel, control)
                else:
                    seen.update(_split_steps(kernel, control))


def _join_guards(kernel: ocl.KernelOp) -> None:
    """`if (a) { if (b) A }` becomes `if (a & b) A` where A has a barrier."""
    around = ops_around_barriers(kernel.body)
    for inner in operations_of(kernel.body, scf.IfOp):
        outer = inner.parent_op()
        if inner not in around or not isinstance(outer, scf.IfOp):
            continue
        block = inner.parent
        assert block is not None
        *before, last, _ = block.ops
        if last is not inner or block is not outer.true_region.block:
            continue
        if not all(map(_has_one_side, (outer, inner))) or not all(map(is_speculatable, before)):
            continue
        for op in before:
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(outer))
        inner.operands[0] = Build(outer).and_(outer.cond, inner.cond)
        replace_by_block(outer, block)


def _has_one_side(branch: scf.IfOp) -> bool:
    return not branch.results and all(len(block.ops) == 1 for block in branch.false_region.blocks)


def _divergent(kernel: ocl.KernelOp, seen: set[Operation]) -> scf.IfOp | scf.ForOp | None:
    """The next branch with a barrier that all work-items of a group reach and perhaps not all
    take, or loop that they perhaps leave one before the other."""
    around = ops_around_barriers(kernel.body)
    candidates = [
        op
        for op in operations_of(kernel.body, scf.IfOp, scf.ForOp)
        if op in around and op not in seen
    ]
    if not candidates:
        return None
    facts = Uniformity(kernel)
    for op in candidates:
        if isinstance(op, scf.IfOp):
            is_divergent = not facts.is_uniform(op.cond)
        else:
            is_divergent = facts.is_uniform(op.ub) and not facts.is_uniform(op.lb)
        parent = op.parent_op()
        if is_divergent and parent is not None and in_lock_step(parent, facts):
            return op
    return None


def _split(kernel: ocl.KernelOp, branch: scf.IfOp) -> None:
    name = OclSplitGuardsPass.name
    if sum(len(operations_in(region)) for region in branch.regions) > MOST_OPERATIONS:
        emit_remark(branch, name, f"guard kept: more than {MOST_OPERATIONS} operations")
        return
    test = _GroupTest(kernel, branch)
    side = _side_with_barrier(kernel, branch)
    try:
        all = test.holds(branch.cond, wanted=side is branch.true_region)
    except _Refusal as refusal:
        test.erase()
        emit_remark(branch, name, f"guard kept: {refusal}")
        return
    all.name_hint = "all"
    emit_remark(branch, name, "split: without the guard where all work-items pass")
    _version(branch, all, branch.regions.index(side))


def _side_with_barrier(kernel: ocl.KernelOp, branch: scf.IfOp) -> Region:
    around = ops_around_barriers(kernel.body)
    has_barrier = any(isinstance(op, CUTS) or op in around for op in branch.true_region.block.ops)
    return branch.true_region if has_barrier else branch.false_region


def _version(branch: scf.IfOp, all: SSAValue, side: int) -> None:
    """`if all { one side of the branch } else { the branch }`."""
    copy = branch.clone()
    execute_if(branch, all, lambda build: build.emit_all(copy), wanted=False)
    replace_by_block(copy, copy.regions[side].block)


def _split_steps(kernel: ocl.KernelOp, loop: scf.ForOp) -> list[Operation]:
    """Take the steps of a loop in which each work-item has a place out of it; the loop that is
    left, if any."""
    name = OclSplitGuardsPass.name
    step = evaluate(loop.step, Numbers())
    if step is None or not isinstance(loop.lb.type, IndexType):
        return []
    if len(operations_in(loop.body)) > MOST_OPERATIONS:
        emit_remark(loop, name, f"loop kept: more than {MOST_OPERATIONS} operations")
        return []
    test = _GroupTest(kernel, loop)
    try:
        length = test.length_of_whole_steps(loop, step)
    except _Refusal as refusal:
        test.erase()
        emit_remark(loop, name, f"loop kept: {refusal}")
        return []
    emit_remark(loop, name, "split: steps in which all work-items have a place are counted alike")
    whole = loop.clone()
    test.emit_all(whole)
    whole.operands[0] = length.start
    count_alike(whole, length.whole)
    # What is left, if anything.
    rest = loop.clone()
    block = Block()
    inside = Build(loop, InsertPoint.at_end(block))
    rest.operands[0] = inside.add(loop.lb, length.whole)
    for position, result in enumerate(whole.results, start=3):
        rest.operands[position] = result
    inside.emit_all(rest)
    inside.emit_void(scf.YieldOp(*rest.results))
    other = Block([scf.YieldOp(*whole.results)])
    branch = scf.IfOp(length.has_rest, loop.result_types, Region(block), Region(other))
    Rewriter.replace_op(loop, branch)
    return [rest]


class _Refusal(Exception):
    """Why a guard or a loop stays."""


@dataclass(frozen=True)
class _Length:
    start: SSAValue
    """Of each work-item, without sums that might wrap if the next one is not 0."""
    whole: SSAValue
    """Of the steps in which each work-item has a place, as a difference of counters."""
    has_rest: SSAValue
    """Whether there may be others."""


class _GroupTest(Build):
    """Computes before a branch whether its condition is as wanted for all work-items, and before a
    loop how many steps they take together."""

    def __init__(self, kernel: ocl.KernelOp, branch: scf.IfOp | scf.ForOp):
        super().__init__(branch, constants={})
        self.facts = Uniformity(kernel)
        assert kernel.required_size is not None
        self.sizes = kernel.required_size
        enqueued = kernel.attributes.get(ENQUEUED_LOCAL_SIZE)
        self._steps = enqueued.get_values() if isinstance(enqueued, DenseArrayBase) else self.sizes
        self._first: dict[int, SSAValue] = {}
        self._added: list[Operation] = []

    def emit_void(self, op: Operation) -> None:
        self._added.append(op)
        super().emit_void(op)

    def erase(self) -> None:
        for op in reversed(self._added):
            Rewriter.erase_op(op)

    def holds(self, condition: SSAValue, *, wanted: bool) -> SSAValue:
        """An i1 of the group that is true only if all work-items find the condition as wanted."""
        if self.facts.is_uniform(condition):
            return condition if wanted else self.not_(condition)
        owner = condition.owner
        match owner:
            case arith.CmpiOp():
                predicate = predicate_of(owner)
                return self._compares(owner, predicate if wanted else OPPOSITES[predicate])
            case arith.XOrIOp() if constant_value(owner.rhs) in (1, -1):
                return self.holds(owner.lhs, wanted=not wanted)
            case arith.AndIOp() | arith.OrIOp() if isinstance(owner, arith.AndIOp) == wanted:
                return self.and_(*(self.holds(side, wanted=wanted) for side in owner.operands))
            case _:
                raise _Refusal("it is more than comparisons with &&")

    def _compares(self, compare: arith.CmpiOp, predicate: str) -> SSAValue:
        if predicate in ("eq", "ne"):
            raise _Refusal("it asks for equality")
        first = _Corner(self, frozenset())
        tests = [first.compares(compare, predicate)]
        tests += [corner.compares(compare, predicate) for corner in self._others(first)]
        return reduce(self.and_, tests)

    def _others(self, first: _Corner) -> list[_Corner]:
        """The other corners that differ in a comparison at the first one."""
        dimensions = sorted(first.dimensions)
        return [
            _Corner(self, frozenset(last))
            for count in range(1, len(dimensions) + 1)
            for last in combinations(dimensions, count)
        ]

    def length_of_whole_steps(self, loop: scf.ForOp, step: int) -> _Length:
        """How long a loop runs in which work-items begin less than a step after the first one, who
        all have the same step and end."""
        first = _Corner(self, frozenset())
        first_start, bound = first.start(loop.lb), self.index(1 << 62)
        zero, size = self.index(0), self.index(step)
        is_unsigned = UNSIGNED in loop.attributes
        fits = [*first.fits, self.compare("slt", loop.ub, bound)]
        for value in (first_start, loop.ub):
            least = zero if is_unsigned else self.sub(zero, bound)
            fits.append(self.compare("sge", value, least))
        for corner in self._others(first):
            place = self.sub(corner.start(loop.lb), first_start)
            fits += [*corner.fits, self.compare("ult", place, size)]
        length = self.max(self.sub(loop.ub, first_start), zero, signed=True)
        whole = self.mul(self.emit(arith.DivUIOp(length, size)), size)
        all_fit = reduce(self.and_, fits)
        whole = self.select(all_fit, whole, zero)
        start = loop.lb
        if not all(isinstance(stride, int) for stride in self.facts.lanes(start).strides):
            start = _Corner(self, None).start(start)
        # Where a number does not fit, the length is not that of the loop.
        has_rest = self.or_(self.compare("ne", whole, length), self.not_(all_fit))
        return _Length(start, whole, has_rest)

    def first_id(self, dimension: int) -> SSAValue:
        """The global id of the group's first work-item."""
        if dimension not in self._first:
            step = self.index(int(self._steps[dimension]))
            start = self.mul(self.emit(ocl.GroupIdOp(dimension)), step)
            self._first[dimension] = self.add(start, self.emit(ocl.GlobalOffsetOp(dimension)))
        return self._first[dimension]


@dataclass(frozen=True)
class _Number:
    """An index that equals a value modulo the width of the value's type."""

    index: SSAValue
    least: int
    most: int
    dimensions: frozenset[int] = frozenset()
    """Those of the ids that it changes with."""


class _Corner(Domain[_Number]):
    """The numbers that the work-item at one corner of the group computes, without wrapping.

    A sum of ids, or a product of numbers that change with different ids, is between its values for
    the first and the last id if one id changes: so all numbers of the group are between those at
    its corners, and where these fit a type, all do.
    """

    def __init__(self, test: _GroupTest, last: frozenset[int] | None):
        """`last` are the dimensions in which it has the last id, not the first; None if it is each
        work-item, not one at a corner."""
        super().__init__()
        self._test = test
        self._last = last
        self.fits: list[SSAValue] = []
        """What must be true for numbers to fit their types."""
        self.dimensions: frozenset[int] = frozenset()
        """Of the ids that a comparison depends on."""

    def compares(self, op: arith.CmpiOp, predicate: str) -> SSAValue:
        sides = [self._side(side, signed=predicate.startswith("s")) for side in op.operands]
        return reduce(self._test.and_, self.fits, self._test.compare(predicate, *sides))

    def start(self, value: SSAValue) -> SSAValue:
        """An index, if the `fits` are true."""
        number = evaluate(value, self)
        self.dimensions |= number.dimensions
        return number.index

    def _side(self, value: SSAValue, *, signed: bool) -> SSAValue:
        """A side of a comparison, which may be any number if it is the same for all."""
        if self._test.facts.is_uniform(value):
            return self._test.as_index(value) if signed else self._test.unsigned_index(value)
        number = self._fitting(evaluate(value, self), _numbers(value, signed=signed))
        self.dimensions |= number.dimensions
        return number.index

    def _fitting(self, number: _Number, numbers: range) -> _Number:
        """A number that is required to be one of some."""
        least, most = max(number.least, numbers.start), min(number.most, numbers.stop - 1)
        for predicate, bound, known in (("sge", least, number.least), ("sle", most, number.most)):
            if bound != known:
                fits = self._test.compare(predicate, number.index, self._test.index(bound))
                self.fits.append(fits)
        return _Number(number.index, least, most, number.dimensions)

    def number(self, number: int, value: SSAValue) -> _Number:
        return _Number(self._test.index(number), number, number)

    def leaf(self, value: SSAValue) -> _Number | None:
        owner = value.owner
        if isinstance(owner, ocl.GlobalIdOp | ocl.LocalIdOp):
            return self._id(owner)
        if constant_value(value) is not None or not self._test.facts.is_uniform(value):
            return super().leaf(value)
        all = _numbers(value, signed=True)
        number = _Number(self._test.as_index(value), all.start, all.stop - 1)
        return self._fitting(number, _INT)

    def _id(self, op: ocl.GlobalIdOp | ocl.LocalIdOp) -> _Number:
        dimension, test = op.dimension, self._test
        size = test.sizes[dimension]
        if self._last is None:
            return _Number(op.result, 0, _IDS.stop - 1, frozenset({dimension}))
        id = test.index(size - 1 if dimension in self._last else 0)
        if isinstance(op, ocl.GlobalIdOp):
            id = test.add(test.first_id(dimension), id)
        return _Number(id, 0, _IDS.stop - 1, frozenset({dimension} if size > 1 else ()))

    def opaque(self, value: SSAValue) -> _Number:
        raise _Refusal("it is more than sums and products of ids and of values of the group")

    def sum(self, op: Operation, x: _Number, y: _Number) -> _Number | None:
        index = self._test.add(x.index, y.index)
        return _combined(index, [x.least + y.least, x.most + y.most], x, y)

    def difference(self, op: Operation, x: _Number, y: _Number) -> _Number | None:
        index = self._test.sub(x.index, y.index)
        return _combined(index, [x.least - y.most, x.most - y.least], x, y)

    def product(self, op: Operation, x: _Number, y: _Number) -> _Number | None:
        if x.dimensions & y.dimensions:
            return None
        x, y = (self._fitting(side, _INT) for side in (x, y))
        ends = [a * b for a in (x.least, x.most) for b in (y.least, y.most)]
        return _combined(self._test.mul(x.index, y.index), ends, x, y)

    def shifted(self, op: arith.ShLIOp, x: _Number, y: _Number) -> _Number | None:
        bits = constant_value(op.rhs)
        if bits is None or not 0 <= bits < bits_of(op.result.type):
            return None
        factor = _Number(self._test.index(1 << bits), 1 << bits, 1 << bits)
        return self.product(op, x, factor)

    def extended(self, op: arith.ExtSIOp | arith.ExtUIOp, x: _Number) -> _Number:
        return self._fitting(x, _numbers(op.input, signed=isinstance(op, arith.ExtSIOp)))

    def cast(self, op: arith.IndexCastOp, x: _Number) -> _Number:
        is_wider = bits_of(op.result.type) > bits_of(op.input.type)
        return self._fitting(x, _numbers(op.input, signed=True)) if is_wider else x

    rules = {
        arith.AddiOp: sum,
        arith.SubiOp: difference,
        arith.MuliOp: product,
        arith.ShLIOp: shifted,
        arith.ExtSIOp: extended,
        arith.ExtUIOp: extended,
        arith.IndexCastOp: cast,
        arith.TruncIOp: same,
    }


def _combined(index: SSAValue, ends: Sequence[int], x: _Number, y: _Number) -> _Number | None:
    """A number between the least and the largest of `ends`, if it fits an index."""
    least, most = min(ends), max(ends)
    if least not in _LONG or most not in _LONG:
        return None
    return _Number(index, least, most, x.dimensions | y.dimensions)


def _numbers(value: SSAValue, *, signed: bool) -> range:
    """Those of a value's type that fit an index."""
    bits = bits_of(value.type)
    if signed:
        return range(-(1 << (bits - 1)), 1 << (bits - 1))
    return range(min(1 << bits, 1 << 63))
