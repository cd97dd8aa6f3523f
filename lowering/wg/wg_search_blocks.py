"""`wg-search-blocks`: a search skips blocks of elements none of which it may find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import (
    I64,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ModuleOp,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.comparisons import MIRRORED, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copied, copy_of
from polycl.remarks import emit_remark

BLOCK = 16
"""Elements that are read at once, and skipped together."""

_MIRRORED_FLOATS = {"oge": "ole", "ogt": "olt", "ole": "oge", "olt": "ogt"}


@dataclass(frozen=True)
class WgSearchBlocksPass(ModulePass):
    """Search for an element that is larger (or smaller) than a value in blocks of 16 elements.

    ```
    %r, %x, %found = scf.while (...) {          scf.while (...) {
      %c = !%found && %x < %n                     %c = !%found && %x < %n
    } do {                                      } do {
      %e = ocl.load %a[%x]                        %m = the largest of %a[%x], ..., %a[%x + 15]
      %h = arith.cmpf oge, %e, %u         ->      %h = arith.cmpf oge, %m, %u
      scf.if %h { %x, true }                      scf.if %h {
        else { %r, false }                          from %x + 15 down to %x: the body as it was }
      %x + 1                                      min(%x + 16, %n), %h
    }                                           }
    ```

    Until an element is found, an iteration must change nothing but the counter, which nothing reads
    after the loop, and it reads only the one array beside what is the same in all iterations. What
    is kept of an element must not depend on what was kept before (`sum += x`). The array and the
    counter are the same for all work-items, so that the largest element is found once for all lanes
    of a vector.

    Blocks begin where their address is a multiple of their size: elements that the search would not
    have reached are in a page that it reads from. In the first block, the first element of the
    search stands for those before it. After the last whole block the others are searched in any
    case. A block is searched backwards, so that what is found first remains, and no lane must ask
    for each element whether it is done.
    """

    name = "wg-search-blocks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            searches = [_Search.of(loop) for loop in operations_of(function.body, scf.WhileOp)]
            if not any(searches):
                continue
            facts = Uniformity(function)
            for search in searches:
                if search is not None and facts.is_uniform(search.load.pointer):
                    loop = search.loop
                    emit_remark(loop, self.name, f"searches blocks of {BLOCK} elements")
                    search.rewrite()


@dataclass(frozen=True)
class _Search:
    loop: scf.WhileOp
    counter: int
    """Its place among the values that are carried."""
    limit: arith.CmpiOp
    """Whether the counter is below its bound."""
    flags: tuple[int, ...]
    """The places of what becomes true where an element is found, and ends the loop."""
    load: ocl.LoadOp
    predicate: str
    """Of the comparison of the element with `value` that holds where it is found."""
    value: SSAValue

    @classmethod
    def of(cls, loop: scf.WhileOp) -> _Search | None:
        before, after = loop.before_region.block, loop.after_region.block
        condition = condition_of(loop)
        if not passes_all_on(loop):
            return None
        if not all(is_side_effect_free(op) for op in before.ops if op is not condition):
            return None
        conjuncts = _conjuncts(condition.condition)
        counters = [i for i, arg in enumerate(after.args) if _counts(loop, i, arg)]
        flags = tuple(i for i in range(len(after.args)) if _is_flag(loop, i, conjuncts))
        hits = {
            hit
            for i, arg in enumerate(after.args)
            if i not in counters
            for hit in [_hit(loop, i, i in flags)]
            if hit is not arg
        }
        if len(counters) != 1 or len(hits) != 1 or not flags:
            return None
        limit = _limit(conjuncts, before.args[counters[0]], loop)
        hit = hits.pop()
        if limit is None or hit is None:
            return None
        search = cls._compared(loop, counters[0], limit, flags, hit)
        if search is None or not all(map(search._may_be_repeated, operations_in(after))):
            return None
        return search

    @classmethod
    def _compared(
        cls,
        loop: scf.WhileOp,
        counter: int,
        limit: arith.CmpiOp,
        flags: tuple[int, ...],
        hit: SSAValue,
    ) -> _Search | None:
        match hit.owner:
            case arith.CmpfOp() as op:
                predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
                mirrored = _MIRRORED_FLOATS
            case arith.CmpiOp() as op:
                predicate, mirrored = predicate_of(op), MIRRORED
            case _:
                return None
        if predicate not in mirrored or predicate in ("eq", "ne"):
            return None
        after = loop.after_region.block
        for element, value, name in (
            (op.lhs, op.rhs, predicate),
            (op.rhs, op.lhs, mirrored[predicate]),
        ):
            load = element.owner
            if (
                isinstance(load, ocl.LoadOp)
                and isinstance(load.result.type, IntegerType | Float32Type | Float64Type)
                and ocl.space_of(load.pointer) in (AddressSpace.GLOBAL, AddressSpace.CONSTANT)
                and not loop.is_ancestor(load.pointer.owner)
                and load.index is not None
                and linear(load.index) == linear(after.args[counter])
                and _is_fixed(value, after)
            ):
                return cls(loop, counter, limit, flags, load, name, value)
        return None

    def _may_be_repeated(self, op: Operation) -> bool:
        """Whether an operation may be executed for elements that the search does not reach."""
        if isinstance(op, ocl.LoadOp):
            is_known = op is self.load or _is_fixed(op.result, self.loop.after_region.block)
            return is_known and op.volatile is None
        return isinstance(op, scf.IfOp | scf.YieldOp) or is_speculatable(op)

    def rewrite(self) -> None:
        """Make the loop one over blocks, with a loop over the elements of a block in it."""
        loop, place = self.loop, self.counter
        types = [value.type for value in loop.arguments]
        test, body = (Block(arg_types=types) for _ in range(2))
        outer = scf.WhileOp(loop.arguments, types, Region(test), Region(body))
        Rewriter.insert_op(outer, InsertPoint.before(loop))
        condition = condition_of(loop)
        copies = copy_of(loop.before_region.block, test.args, InsertPoint.at_end(test))
        test.add_op(scf.ConditionOp(copies[condition.condition], *test.args))
        build = Build(loop, body)
        first = body.args[place]
        start = build.emit(ocl.OffsetOp(self.load.pointer, build.as_index(first)))
        before = build.and_(
            build.shr(build.emit(ocl.PtrToIntOp(start)), self._element_bits, signed=False),
            build.constant(BLOCK - 1, i64),
        )
        before = build.index_cast(build.as_index(before), first.type)
        up_to_border = build.sub(build.constant(BLOCK, first.type), before)
        count = build.min(build.sub(self.limit.rhs, first), up_to_border, signed=True)
        is_whole = build.compare("eq", count, up_to_border)
        may_be_found = self._may_be_found(build, start, before, is_whole)
        end = build.add(first, count)
        # Flags that nothing reads after the loop need not be carried through the block.
        new = {i: may_be_found for i in self.flags if not loop.results[i].first_use} | {place: end}
        others = [i for i in range(len(types)) if i not in new]
        results = build.choose(
            may_be_found,
            lambda: self._one_by_one(build, body.args, others, end, count),
            lambda: [body.args[i] for i in others],
        )
        new |= dict(zip(others, results, strict=True))
        build.emit_void(scf.YieldOp(*(new[i] for i in range(len(types)))))
        Rewriter.replace_op(loop, [], list(outer.results))

    @property
    def _element_bits(self) -> int:
        """The logarithm of an element's size."""
        return size_of(self.load.result.type).bit_length() - 1

    def _may_be_found(
        self, build: Build, start: SSAValue, before: SSAValue, is_whole: SSAValue
    ) -> SSAValue:
        """Whether one of the elements from `start` to the end of a block, which `before` others
        precede in it, is what is looked for; true where the search ends before that."""

        def of_block() -> Sequence[SSAValue]:
            extreme = self._extreme(build, start, before)
            value = _copied(build, self.value, self.loop.after_region.block)
            return [build.compare(self.predicate, extreme, value)]

        return build.choose(is_whole, of_block, lambda: [build.constant(1, i1)])[0]

    def _extreme(self, build: Build, start: SSAValue, before: SSAValue) -> SSAValue:
        """The largest or smallest of these elements, which is never NaN unless all are."""
        row = VectorType(self.load.result.type, [BLOCK])
        block = build.emit(ocl.OffsetOp(start, build.sub(build.index(0), build.as_index(before))))
        first = build.splat(build.emit(ocl.LoadOp(start)), row)
        places = VectorType(i32, [BLOCK])
        numbers = DenseIntOrFPElementsAttr.from_list(places, range(BLOCK))
        skipped = build.splat(build.resize(before, 32, signed=True), places)
        counts = build.compare("sge", build.emit(arith.ConstantOp(numbers)), skipped)
        best = build.select(counts, build.emit(ocl.VLoadOp(block, build.index(0), row)), first)
        while count_of(best.type) > 1:
            half = count_of(best.type) // 2
            type = VectorType(self.load.result.type, [half])
            low, high = (
                build.emit(vector.ShuffleOp(best, best, _positions(start, half), result_type=type))
                for start in (0, half)
            )
            best = self._larger(build, low, high)
        return build.element(best, 0)

    def _larger(self, build: Build, x: SSAValue, y: SSAValue) -> SSAValue:
        """What is rather found."""
        wants_large = self.predicate[1:] in ("ge", "gt")
        if isinstance(self.load.result.type, AnyFloat):
            return build.maxf(x, y) if wants_large else build.minf(x, y)
        signed = self.predicate[0] == "s"
        choose = build.max if wants_large else build.min
        return choose(x, y, signed=signed)

    def _one_by_one(
        self,
        build: Build,
        args: Sequence[SSAValue],
        others: Sequence[int],
        end: SSAValue,
        count: SSAValue,
    ) -> Sequence[SSAValue]:
        """What the loop carries in `others` after the last `count` elements before `end`."""
        after = self.loop.after_region.block
        one = build.index(1)

        def iteration(number: SSAValue, *values: SSAValue) -> Sequence[SSAValue]:
            number = build.index_cast(build.add(number, one), end.type)
            carried = dict(zip(others, values, strict=True))
            carried = {**dict(enumerate(args)), **carried, self.counter: build.sub(end, number)}
            results = copied(after, [carried[i] for i in range(len(args))], build.point)
            new = [results[i] for i in others]
            # What was found later is found, too.
            return [
                build.or_(carried[i], value) if i in self.flags else value
                for i, value in zip(others, new, strict=True)
            ]

        bounds = build.index(0), build.as_index(count), one
        return build.carry(bounds, [args[i] for i in others], iteration)


def _positions(start: int, count: int) -> DenseArrayBase[I64]:
    return DenseArrayBase.from_list(i64, range(start, start + count))


def _conjuncts(condition: SSAValue) -> list[SSAValue]:
    """Values all of which hold where the loop goes on."""
    if isinstance(condition.owner, arith.AndIOp):
        return [*_conjuncts(condition.owner.lhs), *_conjuncts(condition.owner.rhs)]
    return [condition]


def _counts(loop: scf.WhileOp, place: int, arg: BlockArgument) -> bool:
    """Whether a carried value goes up by one from a number that is not negative, and is not read
    after the loop."""
    if not isinstance(arg.type, IntegerType | IndexType) or arg.type == i1:
        return False
    step = linear(terminator(loop.after_region.block).operands[place]) - linear(arg)
    start = constant_value(loop.arguments[place])
    return (
        not step.factors
        and step.number == 1
        and start is not None
        and start >= 0
        and loop.results[place].first_use is None
    )


def _limit(
    conjuncts: Sequence[SSAValue], counter: BlockArgument, loop: scf.WhileOp
) -> arith.CmpiOp | None:
    """The comparison that keeps the counter below a bound."""
    for value in conjuncts:
        match value.owner:
            case arith.CmpiOp(lhs=lhs, rhs=rhs) as op if predicate_of(op) == "slt":
                if lhs is counter and not loop.is_ancestor(rhs.owner):
                    return op
            case _:
                pass
    return None


def _hit(loop: scf.WhileOp, place: int, is_flag: bool) -> SSAValue | None:
    """On which condition a carried value changes: itself if never, None if that is not known, or if
    what it was is read: all elements of a block that may be found come by, not only the first."""
    arg = loop.after_region.block.args[place]
    next = terminator(loop.after_region.block).operands[place]
    if next is arg:
        return arg
    branch = next.owner
    if not isinstance(branch, scf.IfOp) or not branch.false_region.blocks:
        return None
    end, at = terminator(branch.false_region.block), branch.results.index(next)
    if any(use.operation is not end or use.index != at for use in arg.uses):
        return None
    return branch.cond if end.operands[at] is arg or is_flag else None


def _is_flag(loop: scf.WhileOp, place: int, conjuncts: Sequence[SSAValue]) -> bool:
    """Whether a carried value is false while the loop goes on, and a condition makes it true."""
    next = terminator(loop.after_region.block).operands[place]
    branch = next.owner
    if not isinstance(branch, scf.IfOp) or not branch.false_region.blocks:
        return False
    at = branch.results.index(next)
    then, orelse = (
        terminator(region.block).operands[at]
        for region in (branch.true_region, branch.false_region)
    )
    return (
        constant_value(then) in (1, -1)
        and (orelse is loop.after_region.block.args[place] or constant_value(orelse) == 0)
        and any(_is_not(value, loop.before_region.block.args[place]) for value in conjuncts)
    )


def _is_not(value: SSAValue, of: SSAValue) -> bool:
    match value.owner:
        case arith.XOrIOp(lhs=lhs, rhs=rhs):
            return lhs is of and value.type == i1 and constant_value(rhs) in (1, -1)
        case _:
            return False


def _is_fixed(value: SSAValue, body: Block) -> bool:
    """Whether a value of the body does not depend on what the loop carries."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner is not body
    if owner.parent is not body:
        return not body.is_ancestor(owner)
    return not owner.regions and all(_is_fixed(operand, body) for operand in owner.operands)


def _copied(build: Build, value: SSAValue, body: Block) -> SSAValue:
    """A fixed value of the body, computed once more."""
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not body:
        return value
    operands = [_copied(build, operand, body) for operand in owner.operands]
    copy = owner.clone(dict(zip(owner.operands, operands, strict=True)))
    build.emit_void(copy)
    return copy.results[owner.results.index(value)]
