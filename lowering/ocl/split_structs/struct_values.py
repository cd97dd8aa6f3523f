"""Struct values become the values of their leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, scf, ub
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import with_results
from polycl.lowering.ocl.split_structs.leaves import (
    elements_of,
    has_array,
    is_split,
    joined,
    leaves_in,
    leaves_of,
    split_types,
)

_CONTROL = (scf.IfOp, scf.ForOp, scf.WhileOp, scf.IndexSwitchOp)


def split_values(body: Block) -> None:
    """Split the struct values of a function."""
    _Values().rewrite(body)


class _Values:
    """Replaces the struct values of one body; definitions come before their uses."""

    def __init__(self) -> None:
        self._leaves: dict[SSAValue, Sequence[SSAValue]] = {}
        self._gone: set[SSAValue] = set()
        self._replaced: list[Operation] = []
        self._arguments: list[BlockArgument] = []
        self._made: list[Operation] = []

    def rewrite(self, body: Block) -> None:
        for op in operations_in(body):
            if _has_structs(op):
                self._rewrite(op)
        for op in reversed(self._replaced):
            Rewriter.erase_op(op)
        for argument in self._arguments:
            argument.block.erase_arg(argument)
        erase_unused(self._made)

    def _rewrite(self, op: Operation) -> None:
        at = Build(op)
        match op:
            case ocl.LoadOp():
                volatile, name = op.volatile is not None, op.result.name_hint
                leaves = self._loads(self._element(op), at, name, volatile=volatile)
                self._replace(op, list(leaves))
            case ocl.StoreOp() if op.value in self._gone or not has_array(op.value.type):
                volatile, leaves = op.volatile is not None, iter(self._of(op.value))
                self._store(leaves, self._element(op), at, volatile=volatile)
                self._replace(op, [])
            case ocl.ExtractOp() if is_split(op.struct.type):
                place = leaves_in(op.struct.type, op.field.data, op.indices)
                self._replace(op, self._of(op.struct)[place])
            case ocl.InsertOp() if is_split(op.struct.type):
                leaves = list(self._of(op.struct))
                leaves[leaves_in(op.struct.type, op.field.data)] = self._of(op.value)
                self._replace(op, leaves)
            case arith.SelectOp():
                pairs = zip(self._of(op.lhs), self._of(op.rhs), strict=True)
                leaves = [self._make(arith.SelectOp(op.cond, a, b), at) for a, b in pairs]
                self._replace(op, leaves)
            case ub.PoisonOp():
                types = split_types([op.result.type])
                self._replace(op, [self._make(ub.PoisonOp(type), at) for type in types])
            case scf.IfOp() | scf.ForOp() | scf.WhileOp() | scf.IndexSwitchOp():
                self._control(op)
            case scf.YieldOp() | scf.ConditionOp() if isinstance(op.parent_op(), _CONTROL):
                op.operands = self._all(op.operands)
            case _:
                op.operands = [self._whole(value, op) for value in op.operands]

    def _control(self, op: Operation) -> None:
        """Control flow with a result and an argument for each leaf."""
        for region in op.regions:
            for block in region.blocks:
                for argument in list(block.args):
                    self._argument(block, argument)
        new = with_results(op, self._all(op.operands), split_types(op.result_types))
        results = iter(new.results)
        for old in op.results:
            self._define(old, [next(results) for _ in split_types([old.type])])
        self._replaced.append(op)

    def _argument(self, block: Block, old: BlockArgument) -> None:
        if not is_split(old.type):
            return
        leaves: list[SSAValue] = []
        for type in split_types([old.type]):
            leaf = block.insert_arg(type, old.index)
            leaf.location = old.location
            leaves.append(leaf)
        self._define(old, leaves)
        self._arguments.append(old)

    # Structs and their leaves

    def _of(self, value: SSAValue) -> Sequence[SSAValue]:
        """The leaves of a struct that is split; any other value itself."""
        if not is_split(value.type):
            return (value,)
        if value not in self._leaves:
            # A parameter, or the result of an operation on whole structs.
            self._leaves[value] = list(self._extracts(value, Build.after(value)))
        return self._leaves[value]

    def _all(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [leaf for value in values for leaf in self._of(value)]

    def _define(self, old: SSAValue, leaves: Sequence[SSAValue]) -> None:
        """Use `leaves` for `old` from here on."""
        if not is_split(old.type):
            (new,) = leaves
            if old.name_hint is not None:
                new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
            return
        for leaf, (path, _) in zip(leaves, leaves_of(old.type), strict=True):
            if leaf.name_hint is None:
                leaf.name_hint = joined(old.name_hint, path)
        self._leaves[old] = leaves
        self._gone.add(old)

    def _replace(self, op: Operation, leaves: Sequence[SSAValue]) -> None:
        if op.results:
            self._define(op.results[0], leaves)
        self._replaced.append(op)

    def _extracts(self, value: SSAValue, at: Build) -> Iterator[SSAValue]:
        """The leaves of a struct that stays whole."""
        if not isinstance(value.type, ocl.StructType):
            yield value
            return
        for name, type in value.type.fields:
            for places, part in elements_of(type):
                field = self._make(ocl.ExtractOp(value, name, places), at)
                field.name_hint = joined(value.name_hint, name, *map(str, places))
                yield from self._extracts(field, at)

    def _whole(self, value: SSAValue, user: Operation) -> SSAValue:
        """The whole struct, built from its leaves for an operation that takes it."""
        if value not in self._gone:
            return value
        at = Build(user)
        if not has_array(value.type):
            return self._built(value.type, iter(self._of(value)), at)
        memory = self._make(ocl.AllocaOp(value.type), at)
        self._store(iter(self._of(value)), memory, at, volatile=False)
        return self._make(ocl.LoadOp(memory), at)

    def _built(self, type: Attribute, leaves: Iterator[SSAValue], at: Build) -> SSAValue:
        if not isinstance(type, ocl.StructType):
            return next(leaves)
        struct = self._make(ub.PoisonOp(type), at)
        for name, field in type.fields:
            struct = self._make(ocl.InsertOp(self._built(field, leaves, at), struct, name), at)
        return struct

    # Memory

    def _loads(
        self, pointer: SSAValue, at: Build, name: str | None, *, volatile: bool
    ) -> Iterator[SSAValue]:
        parts = self._parts(pointer, at)
        if parts is None:
            value = self._make(ocl.LoadOp(pointer, volatile=volatile), at)
            value.name_hint = name
            yield value
            return
        for part, address in parts:
            yield from self._loads(address, at, joined(name, part), volatile=volatile)

    def _store(
        self, leaves: Iterator[SSAValue], pointer: SSAValue, at: Build, *, volatile: bool
    ) -> None:
        parts = self._parts(pointer, at)
        if parts is None:
            at.emit_void(ocl.StoreOp(next(leaves), pointer, volatile=volatile))
            return
        for _, address in parts:
            self._store(leaves, address, at, volatile=volatile)

    def _parts(self, pointer: SSAValue, at: Build) -> Iterator[tuple[str, SSAValue]] | None:
        """The name and the address of each part of an aggregate; None for a leaf."""
        type = pointer_type(pointer)
        match type.pointee:
            case ocl.StructType() as struct:
                names = [name for name, _ in struct.fields]
                return ((n, self._make(ocl.MemberOp(pointer, n), at)) for n in names)
            case ocl.ArrayType() as array:
                first = self._make(ocl.CastOp(pointer, ocl.PtrType(array.element, type.space)), at)
                numbers = range(array.size.data)
                return ((str(i), self._moved(first, i, at)) for i in numbers)
            case _:
                return None

    def _moved(self, pointer: SSAValue, count: int, at: Build) -> SSAValue:
        if count == 0:
            return pointer
        index = self._make(arith.ConstantOp(IntegerAttr(count, IndexType())), at)
        return self._make(ocl.OffsetOp(pointer, index), at)

    def _element(self, op: ocl.LoadOp | ocl.StoreOp) -> SSAValue:
        if op.index is None:
            return op.pointer
        return self._make(ocl.OffsetOp(op.pointer, op.index), Build(op))

    def _make(self, op: Operation, at: Build) -> SSAValue:
        self._made.append(op)
        return at.emit(op)


def _has_structs(op: Operation) -> bool:
    arguments = (a for region in op.regions for block in region.blocks for a in block.args)
    return any(is_split(value.type) for value in (*op.operands, *op.results, *arguments))


def erase_unused(ops: Sequence[Operation]) -> None:
    """Erase operations without uses, except volatile loads."""
    for op in reversed(ops):
        volatile = isinstance(op, ocl.LoadOp) and op.volatile is not None
        if not volatile and all(result.first_use is None for result in op.results):
            Rewriter.erase_op(op)
