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
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ModuleOp,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.comparisons import MIRRORED, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copy_of
from polycl.remarks import emit_remark

BLOCK = 64
"""Elements that are skipped together."""

WIDTH = 16
"""Elements that are read at once."""

_MIRRORED_FLOATS = {"oge": "ole", "ogt": "olt", "ole": "oge", "olt": "ogt"}


@dataclass(frozen=True)
class WgSearchBlocksPass(ModulePass):
    """Search for an element that is larger (or smaller) than a value in blocks of 64 elements.

    ```
    %r, %x, %found = scf.while (...) {          scf.while (...) {
      %c = !%found && %x < %n                     %c = !%found && %x < %n
    } do {                                      } do {
      %e = ocl.load %a[%x]                        %m = the largest of %a[%x], ..., %a[%x + 63]
      %h = arith.cmpf oge, %e, %u         ->      scf.if (arith.cmpf oge, %m, %u) {
      scf.if %h { %x, true }                        the loop as it was, up to %x + 64
        else { %r, false }                        }
      %x + 1                                      min(%x + 64, %n)
    }                                           }
    ```

    Until an element is found, an iteration must change nothing but the counter, which nothing reads
    after the loop. Where the counter is the same for all work-items, as in a search of each in one
    array, the largest element is found once for all lanes of a vector. Blocks begin where their
    address is a multiple of their size: elements that the search would not have reached are in a
    page that it reads from. What comes before the first block, and after the last one, is searched
    one by one.

    A search that ends within its first blocks takes longer, so that the pass is for kernels of
    which that is known (`polycl port`).
    """

    name = "wg-search-blocks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for loop in operations_of(function.body, scf.WhileOp):
                search = _Search.of(loop)
                if search is not None:
                    emit_remark(loop, self.name, f"searches blocks of {BLOCK} elements")
                    search.rewrite()


@dataclass(frozen=True)
class _Search:
    loop: scf.WhileOp
    counter: int
    """Its place among the values that are carried."""
    bound: SSAValue
    """The counter stays below it."""
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
        if not all(map(_only_reads, operations_in(after))):
            return None
        conjuncts = _conjuncts(condition.condition)
        counters = [i for i, arg in enumerate(after.args) if _counts(loop, i, arg)]
        hits = {
            hit
            for i, arg in enumerate(after.args)
            if i not in counters
            for hit in [_hit(loop, i, arg, conjuncts)]
            if hit is not arg
        }
        if len(counters) != 1 or len(hits) != 1:
            return None
        bound = _bound(conjuncts, before.args[counters[0]], loop)
        hit = hits.pop()
        if bound is None or hit is None:
            return None
        return cls._compared(loop, counters[0], bound, hit)

    @classmethod
    def _compared(
        cls, loop: scf.WhileOp, counter: int, bound: SSAValue, hit: SSAValue
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
                and not _is_inside(load.pointer, loop)
                and load.index is not None
                and linear(load.index) == linear(after.args[counter])
                and _is_fixed(value, after)
            ):
                return cls(loop, counter, bound, load, name, value)
        return None

    def rewrite(self) -> None:
        """Put the loop into one over blocks."""
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
        size = build.constant(BLOCK, first.type)
        place_in_block = build.and_(
            build.shr(build.emit(ocl.PtrToIntOp(start)), self._element_bits, signed=False),
            build.constant(BLOCK - 1, i64),
        )
        up_to_border = build.sub(size, self._as_counter(build, place_in_block))
        left = build.sub(self.bound, first)
        count = build.min(left, up_to_border, signed=True)
        end = build.add(first, count)
        is_whole = build.compare("eq", count, size)
        may_be_found = self._may_be_found(build, start, body.args, is_whole)
        others = [i for i in range(len(types)) if i != place]
        then, orelse = Block(), Block()
        branch = scf.IfOp(may_be_found, [types[i] for i in others], Region(then), Region(orelse))
        build.emit_void(branch)
        with build.inside(then):
            inner = self._one_by_one(build, body.args, end)
            build.emit_void(scf.YieldOp(*(inner.results[i] for i in others)))
        with build.inside(orelse):
            build.emit_void(scf.YieldOp(*(body.args[i] for i in others)))
        results = iter(branch.results)
        build.emit_void(
            scf.YieldOp(*(end if i == place else next(results) for i in range(len(types))))
        )
        Rewriter.replace_op(loop, [], list(outer.results))

    @property
    def _element_bits(self) -> int:
        """The logarithm of an element's size."""
        return size_of(self.load.result.type).bit_length() - 1

    def _as_counter(self, build: Build, number: SSAValue) -> SSAValue:
        return build.index_cast(build.as_index(number), self.bound.type)

    def _may_be_found(
        self, build: Build, start: SSAValue, args: Sequence[SSAValue], is_whole: SSAValue
    ) -> SSAValue:
        """Whether an element of the block that begins at the counter may be what is looked for."""
        then, orelse = Block(), Block()
        test = scf.IfOp(is_whole, [i1], Region(then), Region(orelse))
        build.emit_void(test)
        with build.inside(then):
            extreme = self._extreme(build, start)
            value = _copied(build, self.value, self.loop.after_region.block, args)
            found = build.compare(self.predicate, extreme, value)
            build.emit_void(scf.YieldOp(found))
        with build.inside(orelse):
            build.emit_void(scf.YieldOp(build.constant(1, i1)))
        return test.results[0]

    def _extreme(self, build: Build, start: SSAValue) -> SSAValue:
        """The largest or smallest element of a block, which is never NaN unless all are."""
        row = VectorType(self.load.result.type, [WIDTH])
        rows = [build.emit(ocl.VLoadOp(start, build.index(i), row)) for i in range(BLOCK // WIDTH)]
        while len(rows) > 1:
            rows = [self._larger(build, x, y) for x, y in zip(rows[::2], rows[1::2], strict=True)]
        best = rows[0]
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

    def _one_by_one(self, build: Build, args: Sequence[SSAValue], end: SSAValue) -> scf.WhileOp:
        """The loop as it was, up to the end of a block."""
        loop, types = self.loop, [arg.type for arg in args]
        test, body = (Block(arg_types=types) for _ in range(2))
        inner = scf.WhileOp(args, types, Region(test), Region(body))
        build.emit_void(inner)
        copies = copy_of(loop.before_region.block, test.args, InsertPoint.at_end(test))
        with build.inside(test):
            is_before = build.compare("slt", test.args[self.counter], end)
            goes_on = build.and_(copies[condition_of(loop).condition], is_before)
            build.emit_void(scf.ConditionOp(goes_on, *test.args))
        after = loop.after_region.block
        copies = copy_of(after, body.args, InsertPoint.at_end(body))
        with build.inside(body):
            results = terminator(after).operands
            build.emit_void(scf.YieldOp(*(copies.get(value, value) for value in results)))
        return inner


def _positions(start: int, count: int) -> DenseArrayBase[I64]:
    return DenseArrayBase.from_list(i64, range(start, start + count))


def _only_reads(op: Operation) -> bool:
    if isinstance(op, ocl.LoadOp):
        return op.volatile is None
    return isinstance(op, scf.IfOp | scf.YieldOp) or is_side_effect_free(op)


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


def _bound(
    conjuncts: Sequence[SSAValue], counter: BlockArgument, loop: scf.WhileOp
) -> SSAValue | None:
    """What the counter is less than."""
    for value in conjuncts:
        match value.owner:
            case arith.CmpiOp(lhs=lhs, rhs=rhs) as op if predicate_of(op) == "slt":
                if lhs is counter and not _is_inside(rhs, loop):
                    return rhs
            case _:
                pass
    return None


def _hit(
    loop: scf.WhileOp, place: int, arg: BlockArgument, conjuncts: Sequence[SSAValue]
) -> SSAValue | None:
    """On which condition a carried value changes: itself if never, None if that is not known."""
    next = terminator(loop.after_region.block).operands[place]
    if next is arg:
        return arg
    branch = next.owner
    if not isinstance(branch, scf.IfOp) or not branch.false_region.blocks:
        return None
    at = branch.results.index(next)
    otherwise = terminator(branch.false_region.block).operands[at]
    if otherwise is arg or (
        constant_value(otherwise) == 0
        and any(_is_not(value, loop.before_region.block.args[place]) for value in conjuncts)
    ):
        return branch.cond
    return None


def _is_not(value: SSAValue, of: SSAValue) -> bool:
    match value.owner:
        case arith.XOrIOp(lhs=lhs, rhs=rhs):
            return lhs is of and value.type == i1 and constant_value(rhs) in (1, -1)
        case _:
            return False


def _is_inside(value: SSAValue, loop: scf.WhileOp) -> bool:
    owner = value.owner
    if isinstance(owner, Block):
        parent = owner.parent_op()
        return parent is not None and loop.is_ancestor(parent)
    return loop.is_ancestor(owner)


def _is_fixed(value: SSAValue, body: Block) -> bool:
    """Whether a value of the body does not depend on what the loop carries."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner is not body
    if owner.parent is not body:
        return not body.is_ancestor(owner)
    return not owner.regions and all(_is_fixed(operand, body) for operand in owner.operands)


def _copied(build: Build, value: SSAValue, body: Block, args: Sequence[SSAValue]) -> SSAValue:
    """A fixed value of the body, computed once more."""
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not body:
        return value
    operands = [_copied(build, operand, body, args) for operand in owner.operands]
    copy = owner.clone(dict(zip(owner.operands, operands, strict=True)))
    build.emit_void(copy)
    return copy.results[owner.results.index(value)]
