"""A launch's addresses, computed for its work-items: the integers of a kernel, as numpy arrays.

What decides where a kernel goes and what it accesses mostly depends on ids and arguments only, and
those of one launch are numbers. `EvaluatedLaunch` runs this part of the kernel, all work-items at
once, and gives the addresses of each access to an observer. What depends on memory is not known: a
branch on it may take both sides, a loop any number of iterations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.analysis.ocl.number_arrays import (
    Lanes,
    Numbers,
    chosen,
    computed,
    is_integer,
    wrapped,
)
from polycl.analysis.ocl.parallel_regions import ops_around_barriers
from polycl.analysis.ocl.subscripts import subscripts
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.collectives import CombineKind, GroupScope
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type

MOST_WORK = 1 << 26
"""Numbers that are computed at most: up to half a second."""
_PER_OPERATION = 1000
"""What an operation of numpy costs itself, in numbers."""


class NotEvaluated(Exception):
    """A launch is too large, or its control flow of another kind."""


class Clock:
    """How many barriers of a kind each work-item has passed.

    Inside of a branch or loop that a group may leave out, barriers order what is inside. After it,
    they order nothing: what came before may be as young as what comes next.
    """

    def __init__(self, items: int):
        self.now: Numbers = np.zeros(items, np.int64)
        self.since: Numbers = self.now
        """The first time that no barrier separates from now, in any case."""
        self.uncertain: list[tuple[Numbers, Numbers]] = []
        """`since` and `now` at the start of each part that may be left out."""

    def pass_barrier(self, lanes: Lanes) -> None:
        self.now = self.now + lanes
        self.since = np.where(lanes, self.now, self.since)

    def enter(self) -> None:
        self.uncertain.append((self.since, self.now))

    def leave(self) -> None:
        self.since = self.uncertain.pop()[0]


class Observer(Protocol):
    """What a launch is evaluated for."""

    def observe(self, op: Operation) -> None:
        """One of the operations may run now; in the order of one work-item."""
        ...

    def enter(self) -> None:
        """A part begins that a group executes as a whole, or leaves out."""
        ...

    def leave(self) -> None:
        """That part ends."""
        ...


class EvaluatedLaunch:
    """The part of a kernel that leads to the operations `at`, for all work-items of a launch.

    With `one_group` for those of any one group: then group ids are not known, if there are several,
    but those of `group`. `memory` has the arrays of arguments that no work-item writes: integers
    that are read from them are known.

    `run` does it. All work-items of a group decide alike about what has barriers inside.
    """

    def __init__(
        self,
        kernel: ocl.KernelLike,
        launch: LaunchNumbers,
        at: Iterable[Operation],
        observer: Observer,
        *,
        one_group: bool,
        most_work: int = MOST_WORK,
        group: Sequence[int] | None = None,
        memory: Mapping[SSAValue, NDArray[Any]] | None = None,
    ):
        self._memory = memory or {}
        self._observer = observer
        self._around_barriers = ops_around_barriers(kernel.body)
        self._at = frozenset(at)
        self._values: dict[SSAValue, Numbers | None] = {}
        self._most_work = most_work
        self.work = 0
        """What has been computed."""
        local = launch.local_size
        self.group_items = int(np.prod(local))
        """The number of work-items of a group."""
        groups = (1, 1, 1) if one_group else launch.num_groups
        self.items = int(np.prod(groups)) * self.group_items
        """The number of work-items: the groups follow each other, x first."""
        number = np.arange(self.items, dtype=np.int64)
        inner, outer = number % self.group_items, number // self.group_items
        self._launch = launch
        self._local: list[Numbers] = []
        self._group: list[Numbers | None] = []
        for size, count, all_groups in zip(local, groups, launch.num_groups, strict=True):
            self._local.append(inner % size)
            self._group.append(outer % count if count == all_groups else None)
            inner, outer = inner // size, outer // count
        if one_group and group is not None:
            self._group = [np.full(self.items, number, np.int64) for number in group]
        self.may = np.ones(self.items, np.bool_)
        """The work-items that may be where the evaluation is."""
        self.must = self.may
        """Those that are, in any case."""
        self.barriers = Clock(self.items)
        """All of them."""
        self.fences = {
            space: Clock(self.items) for space in (AddressSpace.LOCAL, AddressSpace.GLOBAL)
        }
        """Those that order the memory of a space."""
        self._needed = _slice(kernel, self._at)
        for argument, value in zip(kernel.args, launch.arguments, strict=True):
            if isinstance(argument.type, ocl.PtrType):
                self._values[argument] = np.int64(0)  # pyright: ignore[reportArgumentType]
            elif isinstance(argument.type, IntegerType) and value is not None:
                self._values[argument] = wrapped(np.array(value, np.int64), argument.type)
        self._kernel = kernel

    def run(self) -> None:
        """Evaluate it.

        Raises:
            NotEvaluated: it is too large.
        """
        with np.errstate(all="ignore"):
            self._block(self._kernel.body.block)

    def of(self, value: SSAValue) -> Numbers | None:
        """Its value where the evaluation is: of a pointer the distance to the start of its object,
        in bytes; None if it is not known."""
        return self._values.get(value)

    def spend(self, work: int) -> None:
        """Count work.

        Raises:
            NotEvaluated: it was too much.
        """
        self.work += work + _PER_OPERATION
        if self.work > self._most_work:
            raise NotEvaluated

    # Control flow.

    def _block(self, block: Block) -> None:
        for op in block.ops:
            if op not in self._needed:
                continue
            self.spend(self.items)
            if op in self._at:
                self._observer.observe(op)
            match op:
                case ocl.BarrierOp():
                    self._barrier(op)
                case scf.IfOp():
                    self._branch(op)
                case scf.ForOp():
                    self._for(op)
                case scf.WhileOp():
                    self._while(op)
                case _ if op.regions:
                    raise NotEvaluated
                case _ if len(op.results) == 1:
                    self._values[op.results[0]] = self._computed(op)
                case _:
                    self._set(op.results, [None] * len(op.results))

    def _barrier(self, op: ocl.BarrierOp) -> None:
        self.barriers.pass_barrier(self.may)
        for space, fence in ((AddressSpace.LOCAL, op.local), (AddressSpace.GLOBAL, op.global_)):
            if fence is not None:
                self.fences[space].pass_barrier(self.may)

    def _set(self, values: Sequence[SSAValue], numbers: Sequence[Numbers | None]) -> None:
        for value, number in zip(values, numbers, strict=True):
            self._values[value] = number

    def _inside(self, block: Block, where: Numbers | Lanes | None) -> bool:
        """Visit a block with the work-items for which `where` holds; None: that is not known.

        Returns whether there may be any.
        """
        may, must = self.may, self.must
        if where is None:
            together = block.parent_op() in self._around_barriers
            # Whoever is there does what is inside.
            self.must = must if together else np.zeros_like(must)
        else:
            lanes = np.asarray(where, np.bool_)
            self.may, self.must = may & lanes, must & lanes
        runs = bool(self.may.any())
        if runs:
            self._block(block)
        self.may, self.must = may, must
        return runs

    def _enter(self) -> None:
        self._observer.enter()
        for clock in (self.barriers, *self.fences.values()):
            clock.enter()

    def _leave(self) -> None:
        self._observer.leave()
        for clock in (self.barriers, *self.fences.values()):
            clock.leave()

    def _branch(self, op: scf.IfOp) -> None:
        condition = self.of(op.cond)
        is_left_out = condition is None and op in self._around_barriers
        results: list[list[Numbers | None] | None] = []
        for side, region in zip((1, 0), op.regions, strict=True):
            if is_left_out:
                self._enter()
            runs = bool(region.blocks) and self._inside(
                region.block, None if condition is None else condition == side
            )
            if is_left_out:
                self._leave()
            results.append([*map(self.of, terminator(region.block).operands)] if runs else None)
        then, orelse = results
        for place, result in enumerate(op.results):
            if then is None or orelse is None:
                side = then or orelse
                self._values[result] = None if side is None else side[place]
            else:
                self._values[result] = chosen(condition, then[place], orelse[place])

    def _for(self, op: scf.ForOp) -> None:
        body = op.body.block
        counter, carried = body.args[0], body.args[1:]
        now, end, step = self.of(op.lb), self.of(op.ub), self.of(op.step)
        if now is None or end is None or step is None:
            self._values[counter] = None
            self._repeat(op, carried, op.iter_args, [body])
            return
        self._set(carried, [*map(self.of, op.iter_args)])
        while True:
            self.spend(self.items)
            runs = now < end
            if not np.any(self.may & runs):
                break
            self._values[counter] = now
            self._inside(body, runs)
            values = map(self.of, terminator(body).operands)
            olds = map(self.of, carried)
            self._set(
                carried, [chosen(runs, new, old) for new, old in zip(values, olds, strict=True)]
            )
            now = now + step
        self._set(op.results, [*map(self.of, carried)])

    def _while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        condition = condition_of(op)
        may, must = self.may, self.must
        self._set(before.args, [*map(self.of, op.arguments)])
        results: list[Numbers | None] | None = None
        while self.may.any():
            self.spend(self.items)
            self._block(before)
            runs = self.of(condition.condition)
            if runs is None:
                self.may, self.must = may, must
                self._repeat(op, before.args, op.arguments, [before, after])
                return
            values = [*map(self.of, condition.args)]
            # Those that leave have these results.
            results = (
                values
                if results is None
                else [chosen(self.may, new, old) for new, old in zip(values, results, strict=True)]
            )
            self._set(after.args, values)
            lanes = np.asarray(runs, np.bool_)
            self.may, self.must = self.may & lanes, self.must & lanes
            if not self.may.any():
                break
            self._block(after)
            news = map(self.of, terminator(after).operands)
            olds = [*map(self.of, before.args)]
            self._set(
                before.args,
                [chosen(self.may, new, old) for new, old in zip(news, olds, strict=True)],
            )
        self.may, self.must = may, must
        self._set(op.results, results or [None] * len(op.results))

    def _repeat(
        self,
        op: scf.ForOp | scf.WhileOp,
        carried: Sequence[SSAValue],
        start: Sequence[SSAValue],
        blocks: Sequence[Block],
    ) -> None:
        """A loop of unknown length: iterations until one is as the one before. What an iteration
        changes is not known in the next one."""
        is_left_out = op in self._around_barriers
        if is_left_out:
            self._enter()
        now = [*map(self.of, start)]
        before: list[Numbers | None] | None = None
        while before is None or any(a is not b for a, b in zip(before, now, strict=True)):
            before = now
            self._set(carried, now)
            for block in blocks:
                if block is not blocks[0]:
                    self._set(block.args, [*map(self.of, terminator(blocks[0]).operands[1:])])
                self._inside(block, None)
            after = map(self.of, terminator(blocks[-1]).operands)
            now = [
                old if old is not None and new is not None and np.array_equal(old, new) else None
                for old, new in zip(now, after, strict=True)
            ]
        # One more, after an iteration that is like all others.
        self._set(carried, now)
        for block in blocks:
            self._inside(block, None)
        if is_left_out:
            self._leave()
        self._set(op.results, now if isinstance(op, scf.ForOp) else [None] * len(op.results))

    # Values.

    def _computed(self, op: Operation) -> Numbers | None:
        launch = self._launch
        match op:
            case arith.ConstantOp():
                if not isinstance(op.value, IntegerAttr):
                    return None
                return wrapped(np.array(op.value.value.data, np.int64), op.result.type)
            case ocl.LocalIdOp():
                return self._local[op.dimension]
            case ocl.GroupIdOp():
                return self._group[op.dimension]
            case ocl.GlobalIdOp():
                d = op.dimension
                group = self._group[d]
                if group is None:
                    return None
                return group * launch.local_size[d] + self._local[d] + launch.global_offset[d]
            case ocl.GlobalSizeOp():
                return np.array(launch.global_size[op.dimension])
            case ocl.LocalSizeOp() | ocl.EnqueuedLocalSizeOp():
                return np.array(launch.local_size[op.dimension])
            case ocl.NumGroupsOp():
                return np.array(launch.num_groups[op.dimension])
            case ocl.GlobalOffsetOp():
                return np.array(launch.global_offset[op.dimension])
            case ocl.AllocaOp() | ocl.LocalAllocOp() | ocl.AddressOfOp():
                return np.array(0)
            case ocl.CastOp():
                return self.of(op.pointer)
            case ocl.MemberOp():
                pointer = self.of(op.pointer)
                return None if pointer is None else pointer + op.offset
            case ocl.OffsetOp():
                pointer, index = self.of(op.pointer), self.of(op.index)
                if pointer is None or index is None:
                    return None
                return pointer + index * stride_of(pointer_type(op.pointer).pointee)
            case ocl.LoadOp():
                return self._loaded(op)
            case arith.SelectOp():
                return chosen(self.of(op.cond), self.of(op.lhs), self.of(op.rhs))
            case ocl.GroupReduceOp():
                return self._reduced(op)
            case _:
                pass
        numbers = [self.of(operand) for operand in op.operands]
        if any(number is None for number in numbers):
            return None
        return computed(op, *numbers)  # pyright: ignore[reportArgumentType]

    def _loaded(self, op: ocl.LoadOp) -> Numbers | None:
        """What work-items read of memory that nobody writes, where all of it is in bounds."""
        array = self._memory.get(root_of(op.pointer))
        place = self.of(op.pointer)
        index = None if op.index is None else self.of(op.index)
        type = op.result.type
        if array is None or place is None or not isinstance(type, IntegerType):
            return None
        if op.index is not None and index is None:
            return None
        size = size_of(type)
        places = place if index is None else place + index * stride_of(ocl.pointee_of(op.pointer))
        places = np.where(self.may, places, 0)
        if np.any((places < 0) | (places + size > array.nbytes) | (places % size != 0)):
            return None
        elements = array.view(np.uint8).reshape(-1)[: array.nbytes // size * size]
        numbers = elements.view(f"i{size}")[places // size].astype(np.int64)
        return wrapped(numbers, type)

    def _reduced(self, op: ocl.GroupReduceOp) -> Numbers | None:
        """The bits of all work-items of each group, combined."""
        own = self.of(op.value)
        kinds = {CombineKind.AND: np.bitwise_and, CombineKind.OR: np.bitwise_or}
        combine = kinds.get(op.kind.data)
        everyone = np.array_equal(self.may, self.must) and self.may.all()
        if own is None or combine is None or not everyone:
            return None
        if op.scope.data is not GroupScope.WORK_GROUP or op.cluster is not None:
            return None
        groups = np.broadcast_to(own, self.items).reshape(-1, self.group_items)
        return np.repeat(combine.reduce(groups, axis=1), self.group_items)


def _slice(kernel: ocl.KernelLike, at: frozenset[Operation]) -> set[Operation]:
    """The operations on which the addresses of `at` depend, and whether they run."""
    needed: set[Operation] = set()
    waiting: list[Operation] = []
    known: set[SSAValue] = set()

    def need(op: Operation) -> None:
        if op not in needed:
            needed.add(op)
            waiting.append(op)

    def need_value(value: SSAValue) -> None:
        if value in known:
            return
        known.add(value)
        owner = value.owner
        if isinstance(value, BlockArgument):
            loop = value.block.parent_op()
            if loop is None or isinstance(loop, ocl.KernelLike):
                return
            need(loop)
            match loop:
                case scf.ForOp() if value.index:
                    need_value(loop.iter_args[value.index - 1])
                    need_value(terminator(loop.body.block).operands[value.index - 1])
                case scf.WhileOp() if value.block is loop.before_region.block:
                    need_value(loop.arguments[value.index])
                    need_value(terminator(loop.after_region.block).operands[value.index])
                case scf.WhileOp():
                    need_value(condition_of(loop).args[value.index])
                case _:
                    pass
            return
        assert isinstance(owner, Operation)
        need(owner)
        place = list(owner.results).index(value)  # pyright: ignore[reportArgumentType]
        match owner:
            case scf.IfOp():
                for region in owner.regions:
                    need_value(terminator(region.block).operands[place])
            case scf.ForOp():
                need_value(owner.body.block.args[place + 1])
            case scf.WhileOp():
                need_value(condition_of(owner).args[place])
            case _ if not owner.regions and _is_number(value.type):
                for operand in owner.operands:
                    if _is_number(operand.type):
                        need_value(operand)
            case _:
                pass

    for op in (*at, *operations_of(kernel.body, ocl.BarrierOp)):
        need(op)
        for value in (getattr(op, "pointer", None), getattr(op, "index", None)):
            if isinstance(value, SSAValue):
                need_value(value)
        for limit in subscripts(op):
            for value, _ in limit.terms:
                need_value(value)
    while waiting:
        op = waiting.pop()
        parent = op.parent_op()
        if parent is not None and not isinstance(parent, ocl.KernelLike):
            need(parent)
        match op:
            case scf.IfOp():
                need_value(op.cond)
            case scf.ForOp():
                for value in (op.lb, op.ub, op.step):
                    need_value(value)
            case scf.WhileOp():
                need_value(condition_of(op).condition)
            case _:
                pass
    return needed


def _is_number(type: Attribute) -> bool:
    return is_integer(type) or isinstance(type, ocl.PtrType)
