"""Values that may be unset: variables without a value on a path, and what comes of them.

`UnsetValues` finds them. `track_unset_values` lets the kernel compute whether they are: each has
a bit, which is carried where the value is, in private variables that become values again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import arith, scf, ub, vector
from xdsl.dialects.builtin import UnitAttr, VectorType, i1, i8
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.forward import ForwardAnalysis
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import ocl
from polycl.lowering.build import Build

Places: TypeAlias = frozenset[int]
"""The elements of a vector that may be unset; of another value, 0 if it may be."""

SET: Places = frozenset()


class UnsetValues(ForwardAnalysis[Places]):
    """The places of each value in a kernel that may be unset."""

    unknown = SET

    def __init__(self, kernel: ocl.KernelLike):
        super().__init__()
        self.visit_block(kernel.body.block)

    def of_operation(self, op: Operation) -> Places:
        type = op.results[0].type if op.results else None
        match op:
            case ub.PoisonOp():
                return _all(op.result.type)
            case vector.InsertOp() if not op.dynamic_position:
                (place,) = op.static_position.get_values()
                rest = self.of(op.dest) - {place}
                return rest | {place} if self.of(op.source) else rest
            case vector.ExtractOp() if not op.dynamic_position:
                (place,) = op.static_position.get_values()
                return frozenset({0}) if place in self.of(op.vector) else SET
            case vector.ShuffleOp():
                first, count = op.v1.type, 0
                assert isinstance(first, VectorType)
                count = first.element_count()
                both = self.of(op.v1) | {count + place for place in self.of(op.v2)}
                mask = op.mask.get_values()
                return frozenset(to for to, place in enumerate(mask) if place in both)
            case ocl.Collective():
                # Of an unset operand, which is reported, it takes zero.
                return SET
            case _ if type is None or op.regions:
                return SET
            case _:
                found = frozenset[int]().union(*map(self.of, op.operands))
                shapes = {_count(operand.type) for operand in op.operands}
                return found if shapes == {_count(type)} or not found else _all(type)

    def joined(self, a: Places, b: Places) -> Places:
        return a | b

    def decided(self, fact: Places, by: Sequence[SSAValue]) -> Places:
        # A condition may not be unset: that is a finding of its own.
        return fact

    def counter(self, loop: scf.ForOp) -> Places:
        return SET


def _count(type: Attribute) -> int:
    return type.element_count() if isinstance(type, VectorType) else 1


def _all(type: Attribute) -> Places:
    return frozenset(range(_count(type)))


IS_UNSET = "check.unset"
"""Key of the attribute of a branch, still without a body, that is taken if a value is unset."""


def track_unset_values(kernel: ocl.KernelOp) -> None:
    """Insert branches before the uses that the interpreter reports: a branch, a loop's bounds, an
    address, what is stored or printed. What is unset becomes zero."""
    facts = UnsetValues(kernel)
    poison = [op for op in kernel.body.walk() if isinstance(op, ub.PoisonOp)]
    if poison:
        _Tracker(facts).track(kernel)
    for op in poison:
        Rewriter.replace_op(op, [], [zero(Build(op), op.result.type)])


def zero(build: Build, type: Attribute) -> SSAValue:
    """Any value of a type."""
    if isinstance(type, ocl.PtrType):
        return build.emit(ocl.NullOp(type))
    if isinstance(type, ocl.EventType):
        return build.emit(ocl.NullEventOp())
    if isinstance(type, ocl.StructType):
        return build.emit(ocl.LoadOp(build.emit(ocl.AllocaOp(type))))
    return build.constant(0, type)


class _Tracker:
    def __init__(self, facts: UnsetValues):
        self._facts = facts
        self._bits: dict[SSAValue, SSAValue] = {}

    def track(self, kernel: ocl.KernelOp) -> None:
        first = kernel.body.block.first_op
        assert first is not None
        self._start = Build(first, InsertPoint.before(first))
        self._visit(kernel.body.block)

    def _visit(self, block: Block) -> None:
        for op in list(block.ops):
            for value in _reported(op):
                self._report(op, value)
            match op:
                case scf.ForOp():
                    slots = self._slots(op.results, op.iter_args, op)
                    self._enter(op.body.block, op.body.block.args[1:], slots)
                    self._store(slots, terminator(op.body.block).operands, op.body.block)
                    self._leave(op, slots)
                case scf.WhileOp():
                    before, after = op.before_region.block, op.after_region.block
                    starts = self._slots(before.args, op.arguments, op)
                    self._enter(before, before.args, starts)
                    slots = self._slots(op.results, None, op)
                    self._store(slots, condition_of(op).args, before)
                    self._enter(after, after.args, slots)
                    self._store(starts, terminator(after).operands, after)
                    self._leave(op, slots)
                case scf.IfOp():
                    slots = self._slots(op.results, None, op)
                    for region in op.regions:
                        for inner in region.blocks:
                            self._visit(inner)
                            self._store(slots, terminator(inner).operands, inner)
                    self._leave(op, slots)
                case _:
                    for region in op.regions:
                        for inner in region.blocks:
                            self._visit(inner)

    def _slots(
        self, values: Sequence[SSAValue], starts: Sequence[SSAValue] | None, op: Operation
    ) -> list[SSAValue | None]:
        """A variable for the bit of each value that may be unset, with that of its start."""
        slots: list[SSAValue | None] = []
        for value in values:
            is_needed = bool(self._facts.of(value))
            slots.append(self._start.emit(ocl.AllocaOp(i8)) if is_needed else None)
        if starts is not None:
            build = Build(op)
            for slot, value in zip(slots, starts, strict=True):
                if slot is not None:
                    build.emit_void(ocl.StoreOp(self._byte(value, build), slot))
        return slots

    def _enter(
        self, block: Block, arguments: Sequence[SSAValue], slots: Sequence[SSAValue | None]
    ) -> None:
        build = Build(block.first_op, InsertPoint.at_start(block))
        for argument, slot in zip(arguments, slots, strict=True):
            if slot is not None:
                self._bits[argument] = _is_one(build, slot)
        self._visit(block)

    def _store(
        self, slots: Sequence[SSAValue | None], values: Sequence[SSAValue], block: Block
    ) -> None:
        build = Build(terminator(block))
        bytes = [
            None if slot is None else self._byte(value, build)
            for slot, value in zip(slots, values, strict=True)
        ]
        for slot, byte in zip(slots, bytes, strict=True):
            if slot is not None and byte is not None:
                build.emit_void(ocl.StoreOp(byte, slot))

    def _leave(self, op: Operation, slots: Sequence[SSAValue | None]) -> None:
        build = Build(op, InsertPoint.after(op))
        for result, slot in zip(op.results, slots, strict=True):
            if slot is not None:
                self._bits[result] = _is_one(build, slot)

    def _byte(self, value: SSAValue, build: Build) -> SSAValue:
        bit = self._bit(value)
        if bit is None:
            return build.constant(0, i8)
        return build.select(bit, build.constant(1, i8), build.constant(0, i8))

    def _bit(self, value: SSAValue) -> SSAValue | None:
        """Whether a value is unset; None: it is not."""
        if not self._facts.of(value):
            return None
        if value not in self._bits:
            owner = value.owner
            assert isinstance(owner, Operation)
            build = Build.after(value)
            match owner:
                case ub.PoisonOp():
                    bit = build.constant(1, i1)
                case arith.SelectOp():
                    no = build.constant(0, i1)
                    sides = [self._bit(side) or no for side in (owner.lhs, owner.rhs)]
                    bit = build.select(owner.cond, *sides)
                    chooses = self._bit(owner.cond)
                    bit = bit if chooses is None else build.or_(bit, chooses)
                case _:
                    bit = None
                    for operand in owner.operands:
                        other = self._bit(operand)
                        if other is not None:
                            bit = other if bit is None else build.or_(bit, other)
                    bit = bit if bit is not None else build.constant(1, i1)
            self._bits[value] = bit
        return self._bits[value]

    def _report(self, op: Operation, value: SSAValue) -> None:
        bit = self._bit(value)
        if bit is None:
            return
        body = Block()
        branch = scf.IfOp(bit, (), [body])
        Build(op, InsertPoint.at_end(body)).emit_void(scf.YieldOp())
        branch.attributes[IS_UNSET] = UnitAttr()
        Build(op).emit_void(branch)


def _is_one(build: Build, slot: SSAValue) -> SSAValue:
    return build.compare("ne", build.emit(ocl.LoadOp(slot)), build.constant(0, i8))


def _reported(op: Operation) -> Sequence[SSAValue]:
    """The operands of an operation that the interpreter may report."""
    match op:
        case scf.ForOp():
            return op.operands[:3]
        case scf.ConditionOp():
            return op.operands[:1]
        case (
            ocl.LoadOp()
            | ocl.VLoadOp()
            | ocl.StoreOp()
            | ocl.VStoreOp()
            | ocl.AtomicRMWOp()
            | ocl.AtomicCmpXchgOp()
            | ocl.PrintfOp()
            | ocl.GroupReduceOp()
            | ocl.GroupScanOp()
            | scf.IfOp()
            | scf.IndexSwitchOp()
        ):
            return op.operands
        case _:
            return ()
