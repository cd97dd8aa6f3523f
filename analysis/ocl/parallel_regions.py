"""Cut a kernel at its barriers into parallel regions.

The result is a tree of items in program order. It refers to the kernel's own operations and
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator, MemoryEffectKind

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.effects import effects_of, is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.dialects.parents import parents
from polycl.errors import error_at

COMBINATIONS = (ocl.GroupReduceOp, ocl.GroupScanOp)

CUTS = (
    *(ocl.BarrierOp, ocl.WaitEventsOp, ocl.AsyncCopyOp),
    *(*COMBINATIONS, ocl.GroupShuffleOp),
)
"""Operations that all work-items of a group, or those that are active, reach together."""

MATERIALISED = (ocl.GlobalIdOp, ocl.LocalIdOp, ocl.AllocaOp)
"""Operations that are copied into each parallel region that uses them."""

MAY_TRAP = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)


@dataclass(eq=False)
class Slot:
    """A context array: one value of `type` for each work-item."""

    type: Attribute
    name: str | None = None


@dataclass(eq=False)
class Mask:
    """The work-items that are active, as a context array of i1."""

    slot: Slot = field(default_factory=lambda: Slot(i1, "active"))


@dataclass(eq=False)
class ParallelRegion:
    """Operations that each work-item executes without a barrier."""

    mask: Mask | None
    in_loop: bool
    """Whether a loop with a barrier runs this region several times."""
    siblings: list[Item]
    """The items of its block, itself included."""
    ops: list[Operation] = field(default_factory=list[Operation])
    puts: list[tuple[Slot, SSAValue]] = field(default_factory=list[tuple[Slot, SSAValue]])
    """Values that are stored in context arrays at the end of the region."""
    mask_puts: list[tuple[Mask, SSAValue | None, bool]] = field(
        default_factory=list[tuple[Mask, SSAValue | None, bool]]
    )
    """(mask, value, wanted): the active work-items where value == wanted (None: all of them)."""
    _known_writes: tuple[int, bool] = (0, False)
    """How many of the operations have been asked, and whether one of them may write."""

    @property
    def writes_memory(self) -> bool:
        """Whether an operation that was added so far may write."""
        asked, writes = self._known_writes
        writes = writes or any(_may_write(op) for op in self.ops[asked:])
        self._known_writes = len(self.ops), writes
        return writes


@dataclass(eq=False)
class GroupOp:
    """An operation that runs once for the group."""

    op: Operation


@dataclass(eq=False)
class Combined:
    """A reduction or a scan, which runs once for the group."""

    op: ocl.GroupReduceOp | ocl.GroupScanOp
    source: Slot
    """The operands of the work-items."""
    target: Slot | None
    """Their results; None where the result is a value of the group."""
    mask: Mask | None


@dataclass(eq=False)
class Branch:
    """An `scf.if` with a barrier inside."""

    op: scf.IfOp
    then: Sequence[Item]
    orelse: Sequence[Item]
    divergent: bool
    """The regions inside are masked and both sides run, one after the other."""


@dataclass(eq=False)
class CountedLoop:
    """An `scf.for` with a barrier inside; its bounds are values of the group."""

    op: scf.ForOp
    body: Sequence[Item]
    mask: Mask | None
    """The work-items that enter it; None where all do."""


@dataclass(eq=False)
class WhileLoop:
    """An `scf.while` with a barrier inside."""

    op: scf.WhileOp
    before: Sequence[Item]
    after: Sequence[Item]
    mask: Mask | None
    """The work-items still in the loop; None where the condition is uniform."""


Item: TypeAlias = ParallelRegion | GroupOp | Combined | Branch | CountedLoop | WhileLoop


class _Cursor:
    """The items of one block as they are found; a barrier closes the open region."""

    def __init__(self, mask: Mask | None, in_loop: bool):
        self.items: list[Item] = []
        self.mask = mask
        self.in_loop = in_loop
        self.open: ParallelRegion | None = None

    def region(self) -> ParallelRegion:
        """The open region; a new one where none is open."""
        if self.open is None:
            self.open = ParallelRegion(self.mask, self.in_loop, self.items)
            self.items.append(self.open)
        return self.open

    def close(self) -> None:
        self.open = None

    def add_group_op(self, op: Operation) -> None:
        # Before the open region: it does not depend on the region.
        position = len(self.items) - (self.open is not None)
        self.items.insert(position, GroupOp(op))

    def add(self, item: Item) -> None:
        self.close()
        self.items.append(item)


class Plan:
    """The parallel regions of one kernel whose body is structured and has no calls.

    Raises:
        PolyclError: located, at an operation that a work-group cannot execute.
    """

    def __init__(self, kernel: ocl.KernelOp, facts: Uniformity):
        self.facts = facts
        self.region_of: dict[Operation, ParallelRegion] = {}
        self.slots: dict[SSAValue, Slot] = {}
        """The context arrays of loop-carried values, and of results of loops, branches and
        collective functions."""
        self.sources: dict[SSAValue, Slot] = {}
        """The context arrays of values that work-items read of others."""
        self._put_in: dict[SSAValue, ParallelRegion] = {}
        """The regions that store them."""
        self._read_inside: dict[Operation, list[SSAValue]] = {}
        """For an operation of the block of such a value: the operation, or one in it, reads it."""
        for op in operations_of(kernel.body, ocl.GroupShuffleOp):
            self._read_inside.setdefault(_beside_value(op), []).append(op.value)
        self.group_values: set[SSAValue] = set(kernel.args)
        """Values that exist once for the group."""
        self.group_uses: set[SSAValue] = set()
        """Values that the group's control flow and its copies read: those of the control flow are
        proven uniform, and the program must see to it that those of copies are the same."""
        self._around_barriers = ops_around_barriers(kernel.body)
        self.items: Sequence[Item] = self._block(kernel.body.block, None, False).items

    def _block(self, block: Block, mask: Mask | None, in_loop: bool) -> _Cursor:
        cursor = _Cursor(mask, in_loop)
        for op in block.ops:
            if not op.has_trait(IsTerminator):
                self._op(op, cursor)
        return cursor

    def _op(self, op: Operation, cursor: _Cursor) -> None:
        for value in self._read_inside.get(op, ()):
            self._pass_on(value, cursor)
        match op:
            case ocl.BarrierOp() | ocl.WaitEventsOp():
                cursor.close()
            case ocl.AsyncCopyOp():
                self._async_copy(op, cursor)
            case ocl.GroupReduceOp() | ocl.GroupScanOp():
                self._combine(op, cursor)
            case _ if op in self._around_barriers:
                self._control(op, cursor)
            case _ if isinstance(op, MATERIALISED):
                pass
            case _ if self._runs_once(op, cursor):
                cursor.add_group_op(op)
                self.group_values.update(op.results)
            case _:
                region = cursor.region()
                region.ops.append(op)
                self.region_of[op] = region

    def _runs_once(self, op: Operation, cursor: _Cursor) -> bool:
        if isinstance(op, ocl.LocalAllocOp):
            return True
        if op.regions or not all(operand in self.group_values for operand in op.operands):
            return False
        if not all(self.facts.is_uniform(result) for result in op.results):
            return False
        if isinstance(op, ocl.LoadOp | ocl.VLoadOp):
            written = cursor.open is not None and cursor.open.writes_memory
            return cursor.mask is None and not written
        # Under a mask, perhaps no work-item executes it.
        speculatable = cursor.mask is None or not isinstance(op, MAY_TRAP)
        return bool(op.results) and is_side_effect_free(op) and speculatable

    def _pass_on(self, value: SSAValue, cursor: _Cursor) -> None:
        """Store a value where other work-items read it; regions that follow can read it."""
        if value not in self.sources and isinstance(value.owner, COMBINATIONS):
            if value in self.slots:
                self.sources[value] = self.slots[value]
                return
        if value not in self.sources:
            self._put_in[value] = self._home(value) or cursor.region()
            self.sources[value] = Slot(value.type, value.name_hint)
            self._put_in[value].puts.append((self.sources[value], value))
        if self._put_in.get(value) is cursor.open:
            cursor.close()

    def _home(self, value: SSAValue) -> ParallelRegion | None:
        """The region that computes a value."""
        return None if isinstance(value.owner, Block) else self.region_of.get(value.owner)

    def _combine(self, op: ocl.GroupReduceOp | ocl.GroupScanOp, cursor: _Cursor) -> None:
        if op.value in self.slots and isinstance(op.value.owner, COMBINATIONS):
            source = self.slots[op.value]
        elif self._home(op.value) is not None:
            self._pass_on(op.value, cursor)
            source = self.sources[op.value]
        else:
            # Other branches may put the same value: each has an array.
            source = Slot(op.value.type, op.value.name_hint)
            cursor.region().puts.append((source, op.value))
        target = None
        if self.facts.is_uniform(op.result):
            self.group_values.add(op.result)
        else:
            target = self._new_slot(op.result)
        cursor.add(Combined(op, source, target, cursor.mask))

    def _async_copy(self, op: ocl.AsyncCopyOp, cursor: _Cursor) -> None:
        if cursor.mask is not None:
            raise error_at(
                op,
                "an async copy under a condition that is not proven uniform is not supported; "
                "make the condition uniform",
            )
        for name, operand in (("target", op.target), ("source", op.source), ("count", op.count)):
            # Of other values, which the program must make the same, there is one for the group.
            if isinstance(operand.owner, MATERIALISED) and not self.facts.is_uniform(operand):
                raise error_at(
                    op,
                    f"the {name} of an async copy must be the same for all work-items of a "
                    "group; it is a work-item's id",
                )
        self.group_uses.update(op.operands)
        self.group_values.add(op.result)
        cursor.add(GroupOp(op))

    # Control flow around barriers

    def _control(self, op: Operation, cursor: _Cursor) -> None:
        match op:
            case scf.IfOp() if self._is_group_condition(op.cond, cursor.mask):
                cursor.add(self._uniform_branch(op, cursor))
            case scf.IfOp():
                cursor.add(self._divergent_branch(op, cursor))
            case scf.ForOp():
                cursor.add(self._counted_loop(op, cursor))
            case scf.WhileOp():
                cursor.add(self._while_loop(op, cursor))
            case _:
                raise error_at(
                    op, f"a barrier inside '{op.name}' is not supported; use scf.if, for or while"
                )

    def _is_group_condition(self, condition: SSAValue, mask: Mask | None) -> bool:
        return self.facts.is_uniform(condition) and (mask is None or condition in self.group_values)

    def _uniform_branch(self, op: scf.IfOp, cursor: _Cursor) -> Branch:
        self.group_uses.add(op.cond)
        then = self._region(op.true_region, cursor.mask, cursor.in_loop)
        orelse = self._region(op.false_region, cursor.mask, cursor.in_loop)
        self._branch_results(op, then, orelse, carried=cursor.mask is None)
        return Branch(op, then.items, orelse.items, divergent=False)

    def _divergent_branch(self, op: scf.IfOp, cursor: _Cursor) -> Branch:
        masks = Mask(), Mask()
        cursor.region().mask_puts += [(masks[0], op.cond, True), (masks[1], op.cond, False)]
        cursor.close()
        then = self._region(op.true_region, masks[0], cursor.in_loop)
        orelse = self._region(op.false_region, masks[1], cursor.in_loop)
        self._branch_results(op, then, orelse, carried=False)
        return Branch(op, then.items, orelse.items, divergent=True)

    def _region(self, region: Region, mask: Mask | None, in_loop: bool) -> _Cursor:
        return self._block(region.block, mask, in_loop) if region.blocks else _Cursor(mask, in_loop)

    def _branch_results(
        self, op: scf.IfOp, then: _Cursor, orelse: _Cursor, *, carried: bool
    ) -> None:
        for index, result in enumerate(op.results):
            values = [terminator(region.block).operands[index] for region in op.regions]
            if carried and self.facts.is_uniform(result):
                self.group_values.add(result)
                self.group_uses.update(values)
                continue
            slot = self._new_slot(result)
            for side, value in zip((then, orelse), values, strict=True):
                side.region().puts.append((slot, value))

    def _counted_loop(self, op: scf.ForOp, cursor: _Cursor) -> CountedLoop:
        induction, *carried = op.body.block.args
        self.group_values.add(induction)
        self.group_uses.update((op.lb, op.ub, op.step))
        for arg, result, init in zip(carried, op.results, op.iter_args, strict=True):
            if self._carry(arg, init, cursor):
                self.group_values.add(result)
            else:
                self.slots[result] = self.slots[arg]
        body = self._block(op.body.block, cursor.mask, True)
        self._yield(carried, terminator(op.body.block).operands, body)
        return CountedLoop(op, body.items, cursor.mask)

    def _while_loop(self, op: scf.WhileOp, cursor: _Cursor) -> WhileLoop:
        before, after = op.before_region.block, op.after_region.block
        condition = terminator(before)
        assert isinstance(condition, scf.ConditionOp)
        lock_step = cursor.mask is None and self.facts.is_uniform(condition.condition)
        mask = None if lock_step else Mask()
        for arg, init in zip(before.args, op.arguments, strict=True):
            self._carry(arg, init, cursor, lock_step)
        if mask is not None:
            cursor.region().mask_puts.append((mask, None, True))
        head = self._block(before, mask, True)
        for value, arg, result in zip(condition.args, after.args, op.results, strict=True):
            self._condition_value(value, arg, result, head, lock_step)
        if mask is None:
            self.group_uses.add(condition.condition)
        else:
            head.region().mask_puts.append((mask, condition.condition, True))
        body = self._block(after, mask, True)
        self._yield(before.args, terminator(after).operands, body)
        return WhileLoop(op, head.items, body.items, mask)

    def _carry(
        self, arg: SSAValue, init: SSAValue, cursor: _Cursor, lock_step: bool = True
    ) -> bool:
        """Carry `arg` through a loop: as a value of the group, or in a context array."""
        if lock_step and cursor.mask is None and self.facts.is_uniform(arg):
            self.group_values.add(arg)
            self.group_uses.add(init)
            return True
        cursor.region().puts.append((self._new_slot(arg), init))
        return False

    def _yield(self, args: Sequence[SSAValue], values: Sequence[SSAValue], end: _Cursor) -> None:
        """The values carried by the loop into `args`."""
        for arg, value in zip(args, values, strict=True):
            if arg in self.group_values:
                self.group_uses.add(value)
            elif value is not arg and self.slots.get(value) is not self.slots[arg]:
                end.region().puts.append((self.slots[arg], value))

    def _condition_value(
        self, value: SSAValue, arg: SSAValue, result: SSAValue, head: _Cursor, lock_step: bool
    ) -> None:
        """An operand of `scf.condition`: an argument of the body and a result of the loop."""
        if lock_step and self.facts.is_uniform(arg) and self.facts.is_uniform(result):
            self.group_values.update((arg, result))
            self.group_uses.add(value)
            return
        # A value carried by the loop stays in its array.
        carried = self.slots.get(value) if value.owner is head_block(arg) else None
        if carried is None:
            carried = self._slot_of_next(arg) or self._new_slot(arg)
            head.region().puts.append((carried, value))
        self.slots[arg] = self.slots[result] = carried

    def _slot_of_next(self, arg: SSAValue) -> Slot | None:
        """The array of what the body of `do ... while` passes on as it is, if nothing else needs
        the old value: it is stored once."""
        head = head_block(arg)
        assert head is not None and isinstance(arg.owner, Block)
        passed = terminator(head).operands
        for next, value in zip(head.args, terminator(arg.owner).operands, strict=True):
            if value is arg and next in self.slots and next not in passed:
                return self.slots[next]
        return None

    def _new_slot(self, value: SSAValue) -> Slot:
        slot = self.slots[value] = Slot(value.type, value.name_hint)
        return slot


def head_block(after_arg: SSAValue) -> Block | None:
    """The block that decides the loop whose body has `after_arg`."""
    block = after_arg.owner
    assert isinstance(block, Block)
    loop = block.parent_op()
    return loop.before_region.block if isinstance(loop, scf.WhileOp) else None


def ops_around_barriers(body: Region) -> set[Operation]:
    """The operations inside `body` that have a barrier (or another cut) inside.

    The cut of a shuffle is in the block of the value that is read: a loop that reads a value from
    before the loop has none.
    """
    around: set[Operation] = set()
    for op in operations_of(body, *CUTS):
        cut = _beside_value(op) if isinstance(op, ocl.GroupShuffleOp) else op
        around.update(takewhile(lambda parent: parent is not body.parent_op(), parents(cut)))
    return around


def _beside_value(op: ocl.GroupShuffleOp) -> Operation:
    """The shuffle, or the operation around it, in the block of the value that it reads."""
    owner = op.value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    return next(around for around in (op, *parents(op)) if around.parent is block)


def _may_write(op: Operation) -> bool:
    effects = effects_of(op)
    return effects is None or any(effect.kind == MemoryEffectKind.WRITE for effect in effects)
