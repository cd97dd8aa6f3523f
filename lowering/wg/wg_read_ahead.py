"""`wg-read-ahead`: loops that end by what they read of a row read it 16 bytes at a time."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, ModuleOp, i1, i64
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_apart, is_parameter, root_of
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.vec import vector_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.counted_searches import CountedSearch
from polycl.lowering.ocl.simplify_breaks import ends_loop, is_not
from polycl.lowering.ocl.simplify_loops import copy_of
from polycl.lowering.wg.before_vectors import ROW_BYTES, Edit, edit_for_vectors, is_far
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT
from polycl.remarks import emit_remark

MOST_OPERATIONS = 1000
"""Of a loop's body after it was copied."""


@dataclass(frozen=True)
class WgReadAheadPass(ModulePass):
    """Let a loop that ends by what it reads of a work-item's own row go on by 16 bytes.

    ```
    %h = scf.while (%i = %zero, %g = %start) {     %h = scf.while (%n = %zero, %live = true,
                                                                   %g = %start) {
      %c = ocl.load %text[16 * %x + %i]              scf.condition(%live)
      scf.condition(%c != 0) %i, %g                } do {
    } do {                                   ->      %row = ocl.vload (%text + 16 * %x + %n)[0]
      %d = f(%g, %text[16 * %x + %i])                %go = %live && %row[0] != 0
      scf.yield %i + 1, %d                           %d = scf.if %go { f(%g, %row[0]) } else { %g }
    }                                                ... // the same with %row[1] to %row[15]
                                                     scf.yield %n + 16, %go15, %d15
                                                   }
    ```

    One work-item after the other, the end of each row is a branch that is mispredicted; in vectors,
    single elements of the rows would be gathered. Now a block of each row is loaded at once, and
    work-items whose loop has ended keep what they have. A block that the loop would not have read
    to its end lies in one page with an element that it does read, as its address is a multiple of
    16: rows begin at multiples of 16 bytes from a parameter, and the region has another version for
    parameters that are not aligned. A loop that runs for one block at most is none afterwards.
    """

    name = "wg-read-ahead"

    distinct: bool = False
    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        aligned: dict[wg.ParallelOp, list[SSAValue]] = {}

        def find(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> list[Edit]:
            edits: list[Edit] = []
            aligned[region] = []
            for loop in operations_of(region.body, scf.WhileOp):
                rows = _Rows.of(loop, self.distinct)
                if rows and all(is_far(group.first, facts, dimension) for group in rows.groups):
                    edits.append((loop, rows.rewrite))
                    aligned[region] += [group.root for group in rows.groups]
            return edits

        def is_aligned(region: wg.ParallelOp) -> SSAValue:
            build = Build(region)
            bits: SSAValue | None = None
            for root in dict.fromkeys(aligned[region]):
                address = build.emit(ocl.PtrToIntOp(root))
                bits = address if bits is None else build.or_(bits, address)
            assert bits is not None
            low = build.and_(bits, build.constant(ROW_BYTES - 1, i64))
            return build.compare("eq", low, build.constant(0, i64))

        for loop in edit_for_vectors(
            op,
            find,
            small_buffers=self.small_buffers,
            processor=self.processor,
            may_edit=lambda region: bool(operations_of(region.body, scf.WhileOp)),
            condition_of=is_aligned,
        ):
            emit_remark(loop, self.name, f"reads {ROW_BYTES} bytes of a row at once")


@dataclass
class _Group:
    """Loads from one place, which goes on by an element in each iteration."""

    root: SSAValue
    first: ocl.LoadOp
    loads: list[ocl.LoadOp] = field(default_factory=list[ocl.LoadOp])


@dataclass(frozen=True)
class _Rows:
    """A loop, and what it reads row by row."""

    loop: scf.WhileOp
    steps: dict[int, tuple[int, int]]
    """By how much values that are carried grow in each iteration, by their numbers: before the
    condition, and in all."""
    groups: Sequence[_Group]
    count: int
    """The elements of a block."""

    @classmethod
    def of(cls, loop: scf.WhileOp, distinct: bool) -> _Rows | None:
        if not all(map(_is_known, operations_in(loop)[1:])):
            return None
        if len(condition_of(loop).args) != len(loop.arguments):
            # A value of the body has no carried value at its place.
            return None
        steps = {
            number: step
            for number in range(len(loop.arguments))
            if (step := _step_of(loop, number)) is not None
        }
        if not _may_stay(loop, steps):
            return None
        groups: dict[Hashable, _Group] = {}
        for load in operations_of(loop, ocl.LoadOp):
            place = _Place(loop, steps, load)
            if place.is_row():
                key = place.key(load.pointer), place.key(load.index)
                group = groups.setdefault(key, _Group(root_of(place.start), load))
                group.loads.append(load)
        found: list[_Group] = []
        rows: set[SSAValue] = set()
        for group in groups.values():
            if _is_certain(loop, group.first, rows):
                found.append(group)
                rows.update(load.result for load in group.loads)
        sizes = {size_of(load.result.type) for group in found for load in group.loads}
        # Others would be gathered for all lanes as long as one goes on.
        if len(sizes) != 1 or len(rows) < len(operations_of(loop, ocl.LoadOp)):
            return None
        for store in operations_of(loop, ocl.StoreOp):
            if not all(are_apart(store.pointer, group.root, distinct) for group in found):
                return None
        count = ROW_BYTES // sizes.pop()
        if count * len(operations_in(loop)) > MOST_OPERATIONS:
            return None
        return cls(loop, steps, found, count)

    def rewrite(self) -> None:
        loop, build = self.loop, Build(self.loop)
        kept = [
            number
            for number in range(len(loop.arguments))
            if number not in self.steps or loop.results[number].first_use is not None
        ]
        start = [loop.arguments[number] for number in kept]
        on, zero = build.constant(1, i1), build.index(0)
        if self._runs_once():
            _, results = self._block(build, zero, on, dict(zip(kept, start, strict=True)))
        else:
            types = [zero.type, i1, *(value.type for value in start)]
            test, body = Block(arg_types=types), Block(arg_types=types)
            outer = scf.WhileOp([zero, on, *start], types, Region(test), Region(body))
            build.emit_void(outer)
            test.add_op(scf.ConditionOp(test.args[1], *test.args))
            with build.inside(body):
                n, live, *values = body.args
                live, new = self._block(build, n, live, dict(zip(kept, values, strict=True)))
                n = build.add(n, build.index(self.count))
                build.emit_void(scf.YieldOp(n, live, *(new[number] for number in kept)))
            results = dict(zip(kept, outer.results[2:], strict=True))
        for number, result in enumerate(loop.results):
            if number in results:
                result.replace_all_uses_with(results[number])
        Rewriter.erase_op(loop)

    def _runs_once(self) -> bool:
        """Whether a block has all that the loop reads."""
        for number in self.steps:
            search = CountedSearch.of(self.loop.before_region.block.args[number])
            rounds = None if search is None else search.rounds.constant
            if rounds is not None and rounds <= self.count:
                return True
        return False

    def _block(
        self, build: Build, n: SSAValue, live: SSAValue, values: dict[int, SSAValue]
    ) -> tuple[SSAValue, dict[int, SSAValue]]:
        """The iterations from number `n` on: whether the loop goes on, and what it carries."""
        loop = self.loop
        before, after = loop.before_region.block, loop.after_region.block
        first = {number: self._moved(build, number, n) for number in self.steps}
        rows: dict[SSAValue, SSAValue] = {}
        for group in self.groups:
            args = [first.get(i) or values[i] for i in range(len(before.args))]
            row = self._row(build, group, args, {k: build.element(r, 0) for k, r in rows.items()})
            rows.update((load.result, row) for load in group.loads)
        passed = condition_of(loop).args
        for number in range(self.count):
            elements = {old: build.element(row, number) for old, row in rows.items()}
            at = {i: self._plus(build, x, number * self.steps[i][1]) for i, x in first.items()}
            args = [at.get(i) or values[i] for i in range(len(before.args))]
            later = {i: self._plus(build, x, self.steps[i][0]) for i, x in at.items()}
            later = {i: x for i, x in values.items() if passed[i] is before.args[i]} | later
            others = [i for i in range(len(passed)) if i not in later]
            found = [condition_of(loop).condition, *(passed[i] for i in others)]
            live, *new = build.choose(
                live,
                partial(_copied, build, before, args, elements, found),
                lambda found=found: [build.constant(0, value.type) for value in found],
            )
            later |= dict(zip(others, new, strict=True))
            args = [later[i] for i in range(len(args))]
            new = [terminator(after).operands[i] for i in values]

            def stays(values: dict[int, SSAValue] = values) -> Sequence[SSAValue]:
                # A flag that only the loop reads is not read again.
                off = build.constant(0, i1)
                return [
                    off if value.type == i1 and loop.results[i].first_use is None else value
                    for i, value in values.items()
                ]

            new = build.choose(live, partial(_copied, build, after, args, elements, new), stays)
            values = dict(zip(values, new, strict=True))
        return live, values

    def _row(
        self,
        build: Build,
        group: _Group,
        args: Sequence[SSAValue],
        elements: dict[SSAValue, SSAValue],
    ) -> SSAValue:
        """A block of a row, where the loop reads its first element."""
        load, loop = group.first, self.loop
        known = {**dict(zip(loop.before_region.block.args, args, strict=True)), **elements}
        type = vector_of(load.result.type, self.count)
        pointer = _slice(build, load.pointer, loop, known)
        if load.index is not None:
            pointer = build.emit(ocl.OffsetOp(pointer, _slice(build, load.index, loop, known)))
        condition: SSAValue | None = None
        for needed, holds in _conditions(loop, load) or ():
            value = _slice(build, needed, loop, known)
            value = value if holds else build.not_(value)
            condition = value if condition is None else build.and_(condition, value)
        if condition is None:
            return build.emit(ocl.VLoadOp(pointer, build.index(0), type))
        return build.choose(
            condition,
            lambda: [build.emit(ocl.VLoadOp(pointer, build.index(0), type))],
            lambda: [build.constant(0, type)],
        )[0]

    def _moved(self, build: Build, number: int, n: SSAValue) -> SSAValue:
        """What grows by a step, at the start of iteration `n`."""
        start, (_, step) = self.loop.arguments[number], self.steps[number]
        if constant_value(n) == 0 or step == 0:
            return start
        by = n if step == 1 else build.mul(n, build.index(step))
        if isinstance(start.type, ocl.PtrType):
            return build.emit(ocl.OffsetOp(start, by))
        return build.add(start, build.index_cast(by, start.type))

    def _plus(self, build: Build, value: SSAValue, by: int) -> SSAValue:
        if by == 0:
            return value
        if isinstance(value.type, ocl.PtrType):
            return build.emit(ocl.OffsetOp(value, build.index(by)))
        return build.add(value, build.constant(by, value.type))


def _is_known(op: Operation) -> bool:
    """Whether an operation of the loop may be copied, and its order with rows is known."""
    if isinstance(op, ocl.LoadOp | ocl.StoreOp):
        return op.volatile is None
    kinds = (scf.IfOp, scf.YieldOp, scf.ConditionOp)
    return isinstance(op, kinds) or (not op.regions and is_side_effect_free(op))


def _may_stay(loop: scf.WhileOp, steps: Mapping[int, tuple[int, int]]) -> bool:
    """Whether what is read after the loop is what it carries as the condition is computed, and what
    the condition computes for the body may be any number where the loop has ended."""
    carried = loop.before_region.block.args
    for number, value in enumerate(condition_of(loop).args):
        if value is not carried[number]:
            is_number = isinstance(value.type, IntegerType | IndexType | AnyFloat)
            if loop.results[number].first_use or not (is_number or number in steps):
                return False
    return True


def _step_of(loop: scf.WhileOp, number: int) -> tuple[int, int] | None:
    """By how much a carried value grows before the condition, and in each iteration, if it goes on
    and that is known."""
    condition, end = condition_of(loop), terminator(loop.after_region.block)
    if loop.arguments[number].type == i1:
        # A flag is tested before it is known whether the loop goes on.
        return None
    first = _growth(loop, condition.args[number], loop.before_region.block.args[number])
    second = _growth(loop, end.operands[number], loop.after_region.block.args[number])
    return None if first is None or second is None else (first, first + second)


def _growth(loop: scf.WhileOp, value: SSAValue, start: SSAValue) -> int | None:
    """`value - start`, where the loop goes on."""
    if value is start:
        return 0
    match value.owner:
        case arith.AddiOp(lhs=before, rhs=rhs) | ocl.OffsetOp(pointer=before, index=rhs):
            by = constant_value(rhs)
        case arith.SubiOp(lhs=before, rhs=rhs):
            by = constant_value(rhs)
            by = None if by is None else -by
        case scf.IfOp() as branch:
            side = _side_to_go_on(loop, branch)
            if side is None:
                return None
            before, by = terminator(side).operands[branch.results.index(value)], 0
        case _:
            return None
    growth = _growth(loop, before, start)
    return None if by is None or growth is None else growth + by


def _side_to_go_on(loop: scf.WhileOp, branch: scf.IfOp) -> Block | None:
    """The side of a branch without which the loop ends."""
    if not branch.false_region.blocks:
        return None
    then, orelse = branch.true_region.block, branch.false_region.block
    if _needs(condition_of(loop).condition, branch) or _breaks(loop, orelse):
        return then
    if _breaks(loop, then):
        return orelse
    # A flag that was set before.
    tested = loop.before_region.block.args
    for number, value in enumerate(terminator(loop.after_region.block).operands):
        if ends_loop(condition_of(loop).condition, tested[number]):
            if is_not(branch.cond, value):
                return then
            if branch.cond is value:
                return orelse
    return None


def _breaks(loop: scf.WhileOp, side: Block) -> bool:
    """Whether a side of a branch sets a flag that ends the loop."""
    goes_on, after = condition_of(loop).condition, loop.after_region.block
    for number, value in enumerate(terminator(side).operands):
        if value.type != i1 or constant_value(value) not in (1, -1):
            continue
        branch = side.parent_op()
        while isinstance(branch, scf.IfOp):
            assert branch.parent is not None
            uses = [use for use in branch.results[number].uses]
            end = [use for use in uses if use.operation is terminator(branch.parent)]
            if not end:
                break
            number = end[0].index
            if branch.parent is after:
                if ends_loop(goes_on, loop.before_region.block.args[number]):
                    return True
                break
            branch = branch.parent.parent_op()
    return False


# Which loads read rows


@dataclass(frozen=True)
class _Growth:
    """A number of elements: by how much it grows in each iteration, and what it is at the start,
    which is `rest` modulo a power of two."""

    step: int
    modulus: int
    rest: int

    def plus(self, other: _Growth) -> _Growth:
        modulus = min(self.modulus, other.modulus)
        return _Growth(self.step + other.step, modulus, (self.rest + other.rest) % modulus)

    def times(self, factor: int, most: int) -> _Growth:
        modulus = min(most, self.modulus * (factor & -factor)) if factor else most
        return _Growth(self.step * factor, modulus, self.rest * factor % modulus)


class _Place:
    """The address of a load, in elements from a parameter."""

    def __init__(self, loop: scf.WhileOp, steps: Mapping[int, tuple[int, int]], load: ocl.LoadOp):
        self._loop, self._steps, self._load = loop, steps, load
        self._size = size_of(load.result.type) if _is_number(load) else 1
        self._count = ROW_BYTES // self._size
        self.start = self._start(load.pointer)

    def is_row(self) -> bool:
        """Whether the load goes on by an element in each iteration, from a multiple of a block."""
        load = self._load
        spaces = (ocl.AddressSpace.GLOBAL, ocl.AddressSpace.CONSTANT)
        if not _is_number(load) or ocl.space_of(load.pointer) not in spaces:
            return False
        growth = self._pointer(load.pointer)
        if growth is not None and load.index is not None:
            growth = self._moved(growth, load.pointer, load.index)
        return growth == _Growth(1, self._count, 0)

    def key(self, value: SSAValue | None) -> Hashable:
        """Equal for values that are equal in the same iteration."""
        if value is None:
            return None
        owner = value.owner
        if isinstance(owner, Block):
            if isinstance(value, BlockArgument) and owner.parent_op() is self._loop:
                return "carried", value.index
            return value
        number = constant_value(value)
        if number is not None:
            return number, value.type
        if not self._loop.is_ancestor(owner) or owner.regions or isinstance(owner, ocl.LoadOp):
            return value
        operands = tuple(self.key(operand) for operand in owner.operands)
        return owner.name, tuple(owner.properties.items()), value.type, operands

    def _start(self, pointer: SSAValue) -> SSAValue:
        """The pointer before the loop."""
        root = root_of(pointer)
        while isinstance(root, BlockArgument) and root.block.parent_op() is self._loop:
            root = root_of(self._loop.arguments[root.index])
        return root

    def _pointer(self, pointer: SSAValue) -> _Growth | None:
        owner = pointer.owner
        match owner:
            case ocl.OffsetOp():
                before = self._pointer(owner.pointer)
                return before and self._moved(before, owner.pointer, owner.index)
            case ocl.CastOp():
                return self._pointer(owner.pointer)
            case _:
                pass
        if isinstance(pointer, BlockArgument) and pointer.block.parent_op() is self._loop:
            growth = self._carried(pointer)
            before = None if growth is None else self._pointer(self._loop.arguments[pointer.index])
            unit = stride_of(ocl.pointee_of(pointer))
            if growth is None or before is None or unit % self._size:
                return None
            return before.plus(growth.times(unit // self._size, self._count))
        return _Growth(0, self._count, 0) if is_parameter(pointer) else None

    def _moved(self, growth: _Growth, pointer: SSAValue, index: SSAValue) -> _Growth | None:
        unit = stride_of(ocl.pointee_of(pointer))
        by = self._index(index)
        if by is None or unit % self._size:
            return None
        return growth.plus(by.times(unit // self._size, self._count))

    def _index(self, value: SSAValue) -> _Growth | None:
        number = constant_value(value)
        if number is not None:
            return _Growth(0, self._count, number % self._count)
        unknown = _Growth(0, 1, 0)
        owner = value.owner
        if isinstance(owner, Block):
            if not isinstance(value, BlockArgument) or owner.parent_op() is not self._loop:
                return unknown
            growth = self._carried(value)
            start = self._index(self._loop.arguments[value.index])
            return growth and start and start.plus(growth)
        if not self._loop.is_ancestor(owner):
            return self._sum(owner) or unknown
        return self._sum(owner)

    def _carried(self, value: BlockArgument) -> _Growth | None:
        """By how much a value has grown since the loop began."""
        if value.index not in self._steps:
            return None
        before, step = self._steps[value.index]
        is_before = value.block is self._loop.before_region.block
        return _Growth(step, self._count, 0 if is_before else before % self._count)

    def _sum(self, op: Operation) -> _Growth | None:
        match op:
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                x, y = self._index(lhs), self._index(rhs)
                return x and y and x.plus(y)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                for side, other in ((lhs, rhs), (rhs, lhs)):
                    factor = constant_value(other)
                    if factor is not None:
                        x = self._index(side)
                        return x and x.times(factor, self._count)
                return None
            case arith.ShLIOp(lhs=lhs, rhs=rhs):
                bits = constant_value(rhs)
                x = self._index(lhs)
                return x and bits is not None and x.times(1 << bits, self._count) or None
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp():
                x = self._index(op.operands[0])
                # A block of numbers from a multiple of its size on does not wrap.
                return x if x and (x.step == 0 or x == _Growth(1, self._count, 0)) else None
            case _:
                return None


def _is_number(load: ocl.LoadOp) -> bool:
    type = load.result.type
    return isinstance(type, IntegerType | AnyFloat) and size_of(type) in (1, 2, 4)


# Whether a row's first element is read


def _is_certain(loop: scf.WhileOp, load: ocl.LoadOp, rows: AbstractSet[SSAValue]) -> bool:
    """Whether the loop ends where it does not read an element, on conditions that may be computed
    before from `rows`."""
    needed = _conditions(loop, load)
    return needed is not None and all(_is_simple(value, loop, rows) for value, _ in needed)


def _conditions(loop: scf.WhileOp, load: ocl.LoadOp) -> list[tuple[SSAValue, bool]] | None:
    """What is true or false where the loop makes a load. Where one is not, the loop ends; None if
    it goes on otherwise."""
    before, after = loop.before_region.block, loop.after_region.block
    found: list[tuple[SSAValue, bool]] = []
    block = load.parent
    while block is not before and block is not after:
        branch = None if block is None else block.parent_op()
        if not isinstance(branch, scf.IfOp) or _side_to_go_on(loop, branch) is not block:
            return None
        found.insert(0, (branch.cond, block is branch.true_region.block))
        block = branch.parent
    return found if block is before else [(condition_of(loop).condition, True), *found]


def _needs(value: SSAValue, branch: scf.IfOp) -> bool:
    """Whether a condition is false unless a branch is taken."""
    match value.owner:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            return _needs(lhs, branch) or _needs(rhs, branch)
        case scf.IfOp() as op if (inner := _second_condition(op, value)) is not None:
            return op is branch or _needs(op.cond, branch) or _needs(inner, branch)
        case _:
            return False


def _second_condition(op: scf.IfOp, result: SSAValue) -> SSAValue | None:
    """y of `x && y`, as branches compute it."""
    if not op.false_region.blocks:
        return None
    number = op.results.index(result)
    otherwise = terminator(op.false_region.block).operands[number]
    is_and = result.type == i1 and constant_value(otherwise) == 0
    return terminator(op.true_region.block).operands[number] if is_and else None


def _is_simple(value: SSAValue, loop: scf.WhileOp, rows: AbstractSet[SSAValue]) -> bool:
    """Whether `_slice` can compute a condition: of the loop's loads it needs `rows` only."""
    if isinstance(value, BlockArgument) and value.block is loop.after_region.block:
        return _is_simple(condition_of(loop).args[value.index], loop, rows)
    owner = value.owner
    if isinstance(owner, Block) or not loop.is_ancestor(owner) or value in rows:
        return True
    if isinstance(owner, scf.IfOp) and value.type != i1:
        side = _side_to_go_on(loop, owner)
        number = owner.results.index(value)
        return side is not None and _is_simple(terminator(side).operands[number], loop, rows)
    if isinstance(owner, scf.IfOp):
        second = _second_condition(owner, value)
        return second is not None and all(_is_simple(x, loop, rows) for x in (owner.cond, second))
    return not isinstance(owner, ocl.LoadOp) and all(
        _is_simple(x, loop, rows) for x in owner.operands
    )


def _slice(
    build: Build, value: SSAValue, loop: scf.WhileOp, known: dict[SSAValue, SSAValue]
) -> SSAValue:
    """A value of the loop, computed before it."""
    owner = value.owner
    if value in known:
        return known[value]
    if isinstance(value, BlockArgument) and owner is loop.after_region.block:
        known[value] = _slice(build, condition_of(loop).args[value.index], loop, known)
    elif isinstance(owner, Block) or not loop.is_ancestor(owner):
        known[value] = value
    elif isinstance(owner, scf.IfOp) and value.type != i1:
        side = _side_to_go_on(loop, owner)
        assert side is not None
        number = owner.results.index(value)
        known[value] = _slice(build, terminator(side).operands[number], loop, known)
    elif isinstance(owner, scf.IfOp):
        second = _second_condition(owner, value)
        assert second is not None
        sides = (_slice(build, x, loop, known) for x in (owner.cond, second))
        known[value] = build.and_(*sides)
    else:
        for operand in owner.operands:
            _slice(build, operand, loop, known)
        build.emit_void(owner.clone(known))
    return known[value]


# Copies


def _copied(
    build: Build,
    block: Block,
    args: Sequence[SSAValue],
    elements: dict[SSAValue, SSAValue],
    results: Sequence[SSAValue],
) -> Sequence[SSAValue]:
    """What a copy of a block has instead of `results`, with known elements instead of loads."""
    known = copy_of(block, args, InsertPoint.at_end(build.block))
    for old, element in elements.items():
        copy = known.get(old)
        if copy is not None and isinstance(copy.owner, Operation):
            Rewriter.replace_op(copy.owner, [], [element])
            known[old] = element
    return [known.get(value, value) for value in results]
