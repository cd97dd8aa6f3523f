"""`promote-private-arrays`: private arrays whose indices are known become SSA values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.counted_searches import CountedSearch
from polycl.lowering.ocl.moving import replace_by_block
from polycl.lowering.ocl.promote_private_memory import promote
from polycl.lowering.ocl.simplify_loops import copy_of
from polycl.remarks import emit_remark
from polycl.symbolic import integer

MOST_ELEMENTS = 64
"""More values do not fit the registers, whatever their form."""

MOST_OPERATIONS = 3000
"""Of a kernel after its loops are unrolled."""

MOST_ADDED = 400
"""Operations that unrolling adds to a kernel without barriers: LLVM unrolls loops, too."""

MOST_CHOSEN = 16
"""Elements of an array of which work-items access different ones."""

MOST_CHOSEN_IN_LOOPS = 8
"""The same where loops stay around such a load: to compare an index with more numbers takes longer
than to gather from memory."""

MOST_STORED_IN_LOOPS = 4
"""The same where loops stay around such a store."""

MOST_ADDED_FOR_CHOICES = 1500
"""The same as `MOST_ADDED` where such an array would be gathered and scattered."""

MOST_ADDED_FOR_TABLES = 1500
"""The same where all elements are constants: products with them become sums and shifts, and those
with zero need no loads (a filter of 5 x 5 bytes: 2.8 times as fast)."""

_Number: TypeAlias = IntegerAttr[IntegerType] | FloatAttr[AnyFloat]

_SPACES = (ocl.AddressSpace.PRIVATE, ocl.AddressSpace.CONSTANT)
"""Of arrays of a work-item, and of tables."""

_RELATIONS = {"slt": lt, "sle": le, "sgt": gt, "sge": ge, "eq": eq, "ne": ne}


@dataclass(frozen=True)
class PromotePrivateArraysPass(ModulePass):
    """Turn the elements of private arrays into SSA values.

    ```
    %sum = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
    scf.for %i = %c0 to %c2 step %c1 {
      %v = ocl.load %sum[%i]                      %sum0 = arith.addf %sum_0, %a
      %w = arith.addf %v, %a             ->       %sum1 = arith.addf %sum_1, %a
      ocl.store %w, %sum[%i]
    }
    ```

    Loops whose counters are in an index are unrolled, if their bounds are constant or other such
    counters, and the kernel stays below 3000 operations or does not grow, and without barriers
    grows by at most 400, or 1500 if the array is a table of constants. An array of a work-item
    would be memory, where neighbours are far apart after a barrier, and if its elements are
    vectors; what is computed from an element, such as an address, is only known of a value. Arrays
    of more than 64 elements, and arrays whose address escapes or that are read as other types,
    stay. The same holds of tables of the program (`constant int dx[4] = {...}`), but that only
    those of integers are a reason to unroll a loop.

    Then all indices of the array must be known, or those that are not must differ between
    work-items, which would gather and scatter. Of up to 16 elements, one is chosen, of up to 8
    (for stores 4) where loops stay that read neighbouring elements; the kernel may grow by 1500
    operations for that:

    ```
    %v = ocl.load %a[%i]     ->    %v = %i == 1 ? %a_1 : %a_0
    ocl.store %w, %a[%i]           %a_0 = %i == 0 ? %w : %a_0,  %a_1 = %i == 1 ? %w : %a_1
    ```
    """

    name = "promote-private-arrays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, ocl.KernelOp) and len(kernel.body.blocks) == 1:
                # The elements of an array may be indices of others.
                while self._promote_some(kernel):
                    pass

    def _promote_some(self, kernel: ocl.KernelOp) -> bool:
        """Promote the arrays whose indices are known or chosen; whether there were any."""
        promoted: list[ocl.AllocaOp] = []
        is_folded = _fold_tables(kernel)
        allocas = [inner for inner in kernel.body.block.ops if isinstance(inner, ocl.AllocaOp)]
        for alloca in allocas:
            _count_searches(alloca)
        state = _Kernel(kernel)
        for alloca in allocas:
            loops = _loops_to_unroll(alloca, state)
            if loops:
                _unroll_all(alloca, state)
            if loops is not None and _is_promoted(alloca):
                promoted.append(alloca)
        for alloca in promoted:
            emit_remark(alloca, self.name, f"'{alloca.result.name_hint}' is in registers")
            _split(alloca)
        if promoted:
            promote(kernel.body.block)
        return bool(promoted) or is_folded


class _Refusal(Exception):
    """The array stays in memory."""


@dataclass(frozen=True)
class _Access:
    op: ocl.LoadOp | ocl.StoreOp
    element: Linear
    """The number of the element."""
    parts: int = 1
    """Into how many parts each element is divided, which `element` counts then."""
    index: SSAValue | None = None
    """The number of the element as a value, where there is one."""

    @property
    def is_known(self) -> bool:
        """Whether only counters of loops are in the index whose numbers are known."""
        return all(_is_known_counter(value) for value in self.element.factors)


class _Kernel:
    """What is known of a kernel, brought up to date where loops are unrolled."""

    def __init__(self, kernel: ocl.KernelOp):
        operations = list(kernel.body.walk())
        self.operations = len(operations)
        self.has_barriers = any(isinstance(op, ocl.BarrierOp) for op in operations)
        self._kernel = kernel

    @cached_property
    def facts(self) -> Uniformity:
        return Uniformity(self._kernel)

    def replaced(self, old: int, new: Sequence[Operation]) -> None:
        """Take note of operations that are in the place of `old` ones."""
        self.operations += sum(1 for op in new for _ in op.walk()) - old
        if "facts" in self.__dict__:
            for op in new:
                self.facts.visit(op)


def _count_searches(alloca: ocl.AllocaOp) -> None:
    """Let loops have a known number of rounds that look for an element of a small array."""
    pointee = pointer_type(alloca.result).pointee
    if not isinstance(pointee, ocl.ArrayType) or _count(pointee) > MOST_CHOSEN:
        return
    try:
        accesses = list(_accesses(alloca.result, integer(0), _leaf(pointee)))
    except _Refusal:
        return
    done: set[scf.WhileOp] = set()
    for value in dict.fromkeys(value for access in accesses for value in access.element.factors):
        search = CountedSearch.of(value)
        if search is not None and search.loop not in done and _is_short(search):
            done.add(search.loop)
            search.as_for()


def _is_short(search: CountedSearch) -> bool:
    """Whether a search has no more rounds than an array has elements, whatever its start is."""
    rounds = search.rounds
    most = rounds.number
    for value, factor in rounds.factors.items():
        loop = _loop_of(value)
        bounds = [constant_value(bound) for bound in (loop.lb, loop.ub)] if loop else [None]
        if any(bound is None for bound in bounds):
            return False
        most += max(factor * bound for bound in bounds if bound is not None)
    return most <= MOST_CHOSEN


def _loops_to_unroll(alloca: ocl.AllocaOp, kernel: _Kernel) -> set[scf.ForOp] | None:
    """The loops without which all indices of an array may be known, or are to be chosen; None if it
    stays in memory."""
    pointee = pointer_type(alloca.result).pointee
    if not isinstance(pointee, ocl.ArrayType) or _count(pointee) > MOST_ELEMENTS:
        return None
    try:
        accesses = list(_accesses(alloca.result, integer(0), _leaf(pointee)))
    except _Refusal:
        return None
    known = [access for access in accesses if access.is_known]
    chosen = [access for access in accesses if not access.is_known]
    loops = {loop for access in known for loop in _loops_in(access.element)}
    if chosen and not _are_chosen(chosen, _count(pointee), loops, kernel):
        return None
    copies = _copies(loops)
    added = sum((copies[loop] - 1) * _own_operations(loop, loops) for loop in loops)
    # No access is left.
    grown = added - sum(_copies_of(access.op, copies) for access in accesses)
    if grown > max(MOST_OPERATIONS - kernel.operations, 0):
        return None
    most = MOST_ADDED
    if chosen:
        most = MOST_ADDED_FOR_CHOICES
    elif _are_constants(accesses):
        most = MOST_ADDED_FOR_TABLES
    if grown > most and not kernel.has_barriers:
        return None
    return loops


def _fold_tables(kernel: ocl.KernelOp) -> bool:
    """Make known elements of tables of the program numbers; whether there were any.

    Loops are unrolled for tables of integers, which are distances to neighbours often: what is
    computed from them is known, such as an address.
    """
    tables = _shared_tables(kernel)
    if not tables:
        return False
    state = _Kernel(kernel)
    for address in tables:
        if isinstance(_leaf(pointer_type(address.result).pointee), IntegerType):
            if _loops_of_table(address, state):
                _unroll_all(address, state)
    is_folded = False
    for address, elements in tables.items():
        for access in _table_accesses(address):
            number = access.element
            if not number.factors and 0 <= number.number < len(elements):
                value = Build(access.op).emit(arith.ConstantOp(elements[number.number]))
                Rewriter.replace_op(access.op, [], [value])
                is_folded = True
    return is_folded


def _shared_tables(kernel: ocl.KernelOp) -> dict[ocl.AddressOfOp, list[_Number]]:
    """The small tables of numbers that a kernel reads, each by one address at its start, and their
    elements."""
    shared: dict[str, ocl.AddressOfOp] = {}
    found: dict[ocl.AddressOfOp, list[_Number]] = {}
    for op in operations_of(kernel.body, ocl.AddressOfOp):
        name = op.symbol.string_value()
        pointee = pointer_type(op.result).pointee
        if not isinstance(pointee, ocl.ArrayType) or _count(pointee) > MOST_ELEMENTS:
            continue
        if not isinstance(_leaf(pointee), IntegerType | AnyFloat):
            continue
        if name not in shared:
            data = SymbolTable.lookup_symbol(kernel, op.symbol)
            assert isinstance(data, ocl.ConstantDataOp)
            first = Build(kernel, InsertPoint.at_start(kernel.body.block))
            shared[name] = ocl.AddressOfOp(name, pointer_type(op.result))
            first.emit_void(shared[name])
            found[shared[name]] = list(_numbers(data.value))
        Rewriter.replace_op(op, [], [shared[name].result])
    return found


def _numbers(value: Attribute) -> Iterator[_Number]:
    """The elements of an array of arrays."""
    if isinstance(value, ArrayAttr):
        for part in cast(ArrayAttr[Attribute], value):
            yield from _numbers(part)
    else:
        assert isinstance(value, IntegerAttr | FloatAttr)
        yield cast(_Number, value)


def _table_accesses(address: ocl.AddressOfOp) -> list[_Access]:
    try:
        leaf = _leaf(pointer_type(address.result).pointee)
        return list(_accesses(address.result, integer(0), leaf))
    except _Refusal:
        return []


def _loops_of_table(address: ocl.AddressOfOp, kernel: _Kernel) -> bool:
    """Whether there are loops that count the elements of a table, and few enough operations."""
    known = [access for access in _table_accesses(address) if access.is_known]
    loops = {loop for access in known for loop in _loops_in(access.element)}
    copies = _copies(loops)
    added = sum((copies[loop] - 1) * _own_operations(loop, loops) for loop in loops)
    most = min(MOST_ADDED_FOR_TABLES, MOST_OPERATIONS - kernel.operations)
    return bool(loops) and added <= most


def _are_constants(accesses: Sequence[_Access]) -> bool:
    """Whether only numbers are stored to an array."""
    stores = [access.op for access in accesses if isinstance(access.op, ocl.StoreOp)]
    return bool(stores) and all(isinstance(op.value.owner, arith.ConstantOp) for op in stores)


def _are_chosen(
    accesses: Sequence[_Access], count: int, unrolled: set[scf.ForOp], kernel: _Kernel
) -> bool:
    """Whether to choose one of `count` elements is faster than memory, if some loops are unrolled.

    Each index must differ between work-items: else they access neighbouring elements of memory.
    """
    loops = {access.op: _outer_loop(access.op, unrolled) for access in accesses}
    for op, loop in loops.items():
        in_loops = MOST_CHOSEN_IN_LOOPS if isinstance(op, ocl.LoadOp) else MOST_STORED_IN_LOOPS
        if count > (in_loops if loop else MOST_CHOSEN):
            return False
    facts = kernel.facts
    if any(access.index is None or facts.is_uniform(access.index) for access in accesses):
        return False
    return all(_reads_rows(loop, facts) for loop in set(loops.values()) if loop)


def _outer_loop(op: Operation, unrolled: set[scf.ForOp]) -> Operation | None:
    """The innermost loop around an operation that stays."""
    parent = op.parent_op()
    while isinstance(parent, scf.IfOp) or parent in unrolled:
        assert parent is not None
        parent = parent.parent_op()
    return parent if isinstance(parent, scf.ForOp | scf.WhileOp) else None


def _reads_rows(loop: Operation, facts: Uniformity) -> bool:
    """Whether work-items read neighbouring elements in a loop, so that it becomes vectors: one
    work-item alone chooses more slowly than it reads its array."""
    return all(
        op.index is not None and facts.is_uniform(op.pointer) and facts.lanes(op.index).x in (0, 1)
        for op in loop.walk()
        if isinstance(op, ocl.LoadOp)
        and pointer_type(op.pointer).address_space != ocl.AddressSpace.PRIVATE
    )


def _is_promoted(alloca: ocl.AllocaOp) -> bool:
    """Whether all indices of an array are numbers within it, or one of its elements is chosen."""
    pointee = pointer_type(alloca.result).pointee
    accesses = list(_accesses(alloca.result, integer(0), _leaf(pointee)))
    most = _count(pointee)
    return all(
        0 <= access.element.number < most * access.parts
        if not access.element.factors
        else access.index is not None and not access.is_known
        for access in accesses
    )


def _leaf(type: Attribute) -> Attribute:
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return type


def _count(type: Attribute) -> int:
    """The number of elements of an array of arrays; 1 for anything else."""
    count = 1
    while isinstance(type, ocl.ArrayType):
        count *= type.size.data
        type = type.element
    return count


def _accesses(
    pointer: SSAValue, element: Linear, leaf: Attribute, parts: int = 1
) -> Iterator[_Access]:
    """The loads and stores through a pointer to an array, an element of it, or one of the `parts`
    of an element that is a vector.

    Raises:
        _Refusal: there are other uses.
    """
    pointee = pointer_type(pointer).pointee
    if parts == 1 and isinstance(leaf, VectorType) and pointee == leaf.element_type:
        leaf, parts = pointee, stride_of(leaf) // stride_of(pointee)
        element = element * parts
    if _leaf(pointee) != leaf or pointer_type(pointer).address_space not in _SPACES:
        raise _Refusal
    for use in pointer.uses:
        match use.operation:
            case ocl.CastOp() as op:
                yield from _accesses(op.result, element, leaf, parts)
            case ocl.OffsetOp() as op:
                moved = element + linear(op.index) * _count(pointee)
                yield from _accesses(op.result, moved, leaf, parts)
            case ocl.LoadOp() | ocl.StoreOp() as op:
                is_pointer = isinstance(op, ocl.LoadOp) or use.index == 1
                if pointee != leaf or op.volatile is not None or not is_pointer:
                    raise _Refusal
                moved = element if op.index is None else element + linear(op.index)
                is_whole = parts == 1 and element == integer(0)
                yield _Access(op, moved, parts, op.index if is_whole else None)
            case _:
                raise _Refusal


def _is_known_counter(value: SSAValue) -> bool:
    """Whether a value counts from number to number, by a number, once outer loops are unrolled."""
    loop = _loop_of(value)
    if loop is None or constant_value(loop.step) is None:
        return False
    bounds = [linear(loop.lb), linear(loop.ub)]
    return all(_is_known_counter(value) for bound in bounds for value in bound.factors)


def _loop_of(value: SSAValue) -> scf.ForOp | None:
    """The loop of which a value is the counter."""
    loop = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    if isinstance(loop, scf.ForOp) and value is loop.body.block.args[0]:
        return loop
    return None


def _loops_in(number: Linear) -> set[scf.ForOp]:
    """The loops whose counters are in a number, and those in their bounds."""
    found: set[scf.ForOp] = set()
    for value in number.factors:
        if loop := _loop_of(value):
            found |= {loop} | _loops_in(linear(loop.lb)) | _loops_in(linear(loop.ub))
    return found


def _rounds(loop: scf.ForOp, counters: Mapping[SSAValue, int]) -> range:
    lb, ub = (_number(linear(bound), counters) for bound in (loop.lb, loop.ub))
    step = constant_value(loop.step)
    assert step is not None
    return range(lb, ub, step)


def _number(number: Linear, counters: Mapping[SSAValue, int]) -> int:
    return number.number + sum(factor * counters[value] for value, factor in number.factors.items())


def _copies(loops: set[scf.ForOp]) -> dict[scf.ForOp, int]:
    """How often the body of each loop is there after all were unrolled."""
    used = {
        value for loop in loops for bound in (loop.lb, loop.ub) for value in linear(bound).factors
    }
    copies: dict[scf.ForOp, int] = {}
    for loop in loops:
        outer = [one for one in loops if one.is_ancestor(loop)]
        outer.sort(key=lambda one: sum(other.is_ancestor(one) for other in loops))
        copies[loop] = _bodies(outer, used, {})
    return copies


def _bodies(nest: Sequence[scf.ForOp], used: set[SSAValue], counters: dict[SSAValue, int]) -> int:
    """How often the innermost of nested loops runs; `used` are the counters in bounds."""
    if not nest:
        return 1
    counter = nest[0].body.block.args[0]
    rounds = _rounds(nest[0], counters)
    if counter not in used:
        return len(rounds) * _bodies(nest[1:], used, counters)
    if len(rounds) > MOST_ELEMENTS:
        return MOST_OPERATIONS * len(rounds)
    return sum(_bodies(nest[1:], used, {**counters, counter: number}) for number in rounds)


def _own_operations(op: Operation, loops: set[scf.ForOp]) -> int:
    """The number of operations in one, without those in `loops` in it."""
    return sum(
        1 + (0 if inner in loops else _own_operations(inner, loops))
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def _copies_of(op: Operation, copies: Mapping[scf.ForOp, int]) -> int:
    """How often an operation is there after loops were unrolled."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, scf.ForOp) and parent in copies:
            return copies[parent]
        parent = parent.parent_op()
    return 1


def _unroll_all(array: ocl.AllocaOp | ocl.AddressOfOp, kernel: _Kernel) -> None:
    """Unroll the loops whose counters are in known indices. Those whose bounds have other counters
    follow when these are numbers."""
    leaf = _leaf(pointer_type(array.result).pointee)
    while True:
        loops = {
            loop
            for access in _accesses(array.result, integer(0), leaf)
            if access.is_known
            for loop in _loops_in(access.element)
            if not linear(loop.lb).factors and not linear(loop.ub).factors
        }
        if not loops:
            return
        # The innermost first: it is copied with what was unrolled.
        while loops:
            loop = next(one for one in loops if not any(one.is_ancestor(o) for o in loops - {one}))
            loops.remove(loop)
            _unroll(loop, kernel)


def _unroll(loop: scf.ForOp, kernel: _Kernel) -> None:
    before, after = loop.prev_op, loop.next_op
    block, old = loop.parent, sum(1 for _ in loop.walk())
    assert block is not None
    values = list(loop.iter_args)
    for number in _rounds(loop, {}):
        counter = Build(loop).constant(number, loop.lb.type)
        body = loop.body.block
        copies = copy_of(body, [counter, *values], InsertPoint.before(loop))
        values = [copies.get(value, value) for value in terminator(body).operands]
    Rewriter.replace_op(loop, [], values)
    for op in _between(block, before, after):
        _drop_unreached(op)
    kernel.replaced(old, _between(block, before, after))


def _between(
    block: Block, before: Operation | None, after: Operation | None
) -> Sequence[Operation]:
    ops: list[Operation] = []
    op = block.first_op if before is None else before.next_op
    while op is not None and op is not after:
        ops.append(op)
        op = op.next_op
    return ops


def _drop_unreached(op: Operation) -> None:
    """Drop what conditions on numbers keep from happening, such as an access before an array."""
    for inner in list(op.walk()):
        if isinstance(inner, scf.IfOp) and inner.parent is not None:
            block = _known_branch(inner)
            if block is not None:
                replace_by_block(inner, block)


def _split(alloca: ocl.AllocaOp) -> None:
    """Give each element memory of its own."""
    pointee = pointer_type(alloca.result).pointee
    leaf = _leaf(pointee)
    elements: dict[int, SSAValue] = {}

    def element(number: int) -> SSAValue:
        if number not in elements:
            memory = Build(alloca).emit(ocl.AllocaOp(leaf))
            memory.name_hint = f"{alloca.result.name_hint or 'v'}_{number}"
            elements[number] = memory
        return elements[number]

    for access in list(_accesses(alloca.result, integer(0), leaf)):
        if access.element.factors:
            assert access.index is not None
            choice = _Choice(access.index, [element(number) for number in range(_count(pointee))])
            _choose(access.op, choice)
            continue
        number, part = divmod(access.element.number, access.parts)
        build = Build(access.op)
        pointer, index = element(number), None
        if access.parts > 1:
            type = pointer_type(access.op.pointer)
            pointer, index = build.emit(ocl.CastOp(pointer, type)), build.index(part)
        if isinstance(access.op, ocl.LoadOp):
            value = build.emit(ocl.LoadOp(pointer, index))
            Rewriter.replace_op(access.op, [], [value])
        else:
            build.emit_void(ocl.StoreOp(access.op.value, pointer, index))
            Rewriter.erase_op(access.op)
    _erase_unused(alloca)


def _choose(op: ocl.LoadOp | ocl.StoreOp, choice: _Choice) -> None:
    """Replace an access of an element whose number is not known."""
    build = Build(op)
    if isinstance(op, ocl.LoadOp):
        Rewriter.replace_op(op, [], [choice.load(build)])
        return
    for number in sorted(choice.numbers):
        kept = build.emit(ocl.LoadOp(choice.elements[number]))
        value = build.select(choice.is_number(build, number), op.value, kept)
        build.emit_void(ocl.StoreOp(value, choice.elements[number]))
    Rewriter.erase_op(op)


class _Choice:
    """One of the elements of an array, by an index that is not known."""

    def __init__(self, index: SSAValue, elements: Sequence[SSAValue]):
        self.elements = elements
        self._index = _narrowed(index)
        self._steps: list[tuple[SSAValue, int, bool]] | None = []
        """Conditions, and numbers that the index is if they are true (or false), the last first."""
        self._last = 0
        self._follow(self._index)
        self.numbers = {number for _, number, _ in self._steps or ()} | {self._last}
        if self._steps is None:
            self.numbers = set(range(len(elements)))

    def _follow(self, value: SSAValue) -> None:
        """An index such as that of the least element was decided by one comparison for each."""
        offset = 0
        while True:
            number = linear(value) + integer(offset)
            if not number.factors and number.number in range(len(self.elements)):
                self._last = number.number
                return
            offset = number.number
            step = _decision(*number.factors) if list(number.factors.values()) == [1] else None
            assert self._steps is not None
            if step is None or len(self._steps) == len(self.elements):
                self._steps = None
                return
            condition, then, orelse = step
            is_then = not linear(then).factors
            known = linear(then if is_then else orelse) + integer(offset)
            if known.factors or known.number not in range(len(self.elements)):
                self._steps = None
                return
            self._steps.append((condition, known.number, is_then))
            value = orelse if is_then else then

    def load(self, build: Build) -> SSAValue:
        loaded = {n: build.emit(ocl.LoadOp(self.elements[n])) for n in sorted(self.numbers)}
        if self._steps is None:
            value = loaded.pop(0)
            for number, other in loaded.items():
                value = build.select(self.is_number(build, number), other, value)
            return value
        value = loaded[self._last]
        for condition, number, is_then in reversed(self._steps):
            pair = (loaded[number], value) if is_then else (value, loaded[number])
            value = build.select(condition, *pair)
        return value

    def is_number(self, build: Build, number: int) -> SSAValue:
        return build.compare("eq", self._index, build.constant(number, self._index.type))


def _narrowed(index: SSAValue) -> SSAValue:
    """An index in 32 bits, if it was extended: twice as many are compared at once."""
    op = index.owner
    if isinstance(op, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
        source = op.operands[0]
        if source.type == i32 or source.type == i64 and op.results[0].type == IndexType():
            return _narrowed(source)
    return index


def _decision(value: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue] | None:
    """The condition that decides between two values, and these."""
    op = value.owner
    if isinstance(op, arith.SelectOp):
        return op.cond, op.lhs, op.rhs
    if not isinstance(op, scf.IfOp) or not op.false_region.blocks:
        return None
    place = op.results.index(value)
    then, orelse = (
        terminator(region.block).operands[place] for region in (op.true_region, op.false_region)
    )
    is_outside = not any(_is_inside(one, op) for one in (then, orelse) if linear(one).factors)
    return (op.cond, then, orelse) if is_outside else None


def _known_branch(op: scf.IfOp) -> Block | None:
    """The branch that is taken, if the condition compares numbers."""
    test = op.cond.owner
    if not isinstance(test, arith.CmpiOp):
        return None
    x, y = linear(test.lhs), linear(test.rhs)
    relation = _RELATIONS.get(predicate_of(test))
    if x.factors or y.factors or relation is None:
        return None
    region = op.true_region if relation(x.number, y.number) else op.false_region
    return region.block if region.blocks else Block([scf.YieldOp()])


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent_block()
    assert block is not None
    parent = block.parent_op()
    return parent is not None and op.is_ancestor(parent)


def _erase_unused(op: Operation) -> None:
    """Erase an allocation and the pointers into it."""
    for use in list(op.results[0].uses):
        _erase_unused(use.operation)
    Rewriter.erase_op(op)
