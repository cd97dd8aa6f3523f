"""Which operations become parts of the expressions that use them, and which become statements.

An operation is folded into its only user where no write between the two changes what it reads.
Values that have a name in the source stay variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum

from xdsl.dialects import arith, func, scf, ub, vector
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike, IsTerminator

from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl, vec
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.vec import count_of

MOST = 14
"""The limit for the operations of one expression."""


class Effect(IntEnum):
    NONE = 0
    READS = 1
    WRITES = 2


_READS = (ocl.LoadOp, ocl.VLoadOp, ocl.ImageReadOp)
_FREE = (ub.PoisonOp, ocl.NullOp, ocl.NullEventOp, ocl.AddressOfOp)
_DECLARATIONS = (ocl.AllocaOp, ocl.LocalAllocOp)
_CASTS = vec.both(arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, ocl.CastOp)


class Effects:
    """What operations, and calls of the module's functions, do to memory."""

    def __init__(self, functions: Mapping[str, func.FuncOp]):
        self._functions = functions
        self._known: dict[Operation, Effect] = {}

    def of(self, op: Operation) -> Effect:
        """What `op`, with its regions, does to memory."""
        if op not in self._known:
            self._known[op] = self._find(op)
        return self._known[op]

    def _find(self, op: Operation) -> Effect:
        if isinstance(op, _READS):
            volatile = isinstance(op, ocl.LoadOp) and op.volatile is not None
            return Effect.WRITES if volatile else Effect.READS
        if isinstance(op, func.CallOp):
            function = self._functions.get(op.callee.root_reference.data)
            return Effect.WRITES if function is None else self.of(function)
        if op.regions:
            inner = (self.of(o) for r in op.regions for b in r.blocks for o in b.ops)
            return max(inner, default=Effect.NONE)
        if is_side_effect_free(op) or op.has_trait(ConstantLike) or op.has_trait(IsTerminator):
            return Effect.NONE
        return Effect.NONE if isinstance(op, (*_FREE, *_DECLARATIONS)) else Effect.WRITES


class Folding:
    """The decisions for one kernel or function."""

    def __init__(self, body: Block, is_expression: Callable[[Operation], bool], effects: Effects):
        self._is_expression = is_expression
        self._effects = effects
        self.folded: set[Operation] = set()
        """The operations that are written where their results are used."""
        self.choices: set[Operation] = set()
        """The `scf.if` operations that are written as `condition ? a : b`."""
        self._leaves: dict[SSAValue, tuple[SSAValue, ...]] = {}
        self._weights: dict[Operation, int] = {}
        self._block(body)

    def is_folded(self, value: SSAValue) -> bool:
        """Whether the operation that computes `value` is written where `value` is used."""
        return isinstance(value.owner, Operation) and value.owner in self.folded

    def leaves(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The variables that the expression for `value` reads."""
        if value not in self._leaves:
            owner = value.owner
            if isinstance(owner, Operation) and owner in self.folded:
                self._leaves[value] = self.operand_leaves(owner)
            else:
                self._leaves[value] = (value,)
        return self._leaves[value]

    def operand_leaves(self, op: Operation) -> tuple[SSAValue, ...]:
        """The variables that `op` and the operations folded into it read."""
        found = dict.fromkeys(leaf for operand in op.operands for leaf in self.leaves(operand))
        if op in self.choices:
            for region in op.regions:
                found |= dict.fromkeys(self.operand_leaves(terminator(region.block)))
        return tuple(found)

    def is_written_inside(self, op: Operation) -> bool:
        """Whether `op` is an expression of C."""
        return op in self.choices if op.regions else self._is_expression(op)

    def statements(self, block: Block) -> list[Operation]:
        """The operations of a block that are not folded, without the terminator."""
        return [op for op in block.ops if op not in self.folded and op is not block.last_op]

    def _block(self, block: Block) -> None:
        for op in block.ops:
            for region in op.regions:
                for inner in region.blocks:
                    self._block(inner)
            if isinstance(op, scf.IfOp) and self._is_choice(op):
                self.choices.add(op)
        positions = {op: position for position, op in enumerate(block.ops)}
        writes = [positions[op] for op in block.ops if self._effects.of(op) is Effect.WRITES]
        roots: dict[Operation, Operation] = {}
        for op in reversed(list(block.ops)):
            if _is_transparent(op):
                self.folded.add(op)
                uses = list(op.results[0].uses)
                if len(uses) == 1 and uses[0].operation.parent is block:
                    user = uses[0].operation
                    if user in roots or user not in self.folded:
                        roots[op] = roots.get(user, user)
            elif self._folds(op, block, positions, writes, roots):
                self.folded.add(op)
        for op in block.ops:
            self._weigh(op)

    def _folds(
        self,
        op: Operation,
        block: Block,
        positions: dict[Operation, int],
        writes: list[int],
        roots: dict[Operation, Operation],
    ) -> bool:
        effect = self._effects.of(op)
        if not self.is_written_inside(op) or len(op.results) != 1 or effect is Effect.WRITES:
            return False
        uses = list(op.results[0].uses)
        if not uses:
            return True
        if len(uses) > 1 and not _shuffles_one(uses[0].operation, op.results[0]):
            return False
        user, index = uses[0].operation, uses[0].index
        if user.parent is not block or (user in self.folded and user not in roots):
            return False
        if _is_rounded_before(user, op):
            return False
        if _is_named(op.results[0]) and not isinstance(
            user, scf.YieldOp | scf.ConditionOp | func.ReturnOp
        ):
            return False
        root = roots.get(user, user)
        # The upper bound and the step are evaluated in each iteration.
        if isinstance(root, scf.ForOp) and index in (1, 2) and user is root and effect:
            return False
        if effect is Effect.READS:
            first, last = positions[op], positions[root]
            if any(first < write < last for write in writes):
                return False
            if root.regions and user is not root and not isinstance(root, scf.IfOp):
                return False
        roots[op] = root
        return True

    def _weigh(self, op: Operation) -> None:
        """Split an expression of more than MOST operations."""
        parts = [o.owner for o in op.operands if isinstance(o.owner, Operation)]
        parts = [part for part in parts if part in self.folded]
        weight = sum(self._weights.get(part, 0) for part in parts) + (not _is_transparent(op))
        if op in self.choices:
            weight += sum(self._weights.get(terminator(r.block), 0) for r in op.regions)
        while weight > MOST and not op.has_trait(IsTerminator):
            parts = [p for p in parts if p in self.folded and not _is_transparent(p)]
            if not parts:
                break
            heaviest = max(parts, key=lambda part: self._weights.get(part, 0))
            weight -= self._weights.get(heaviest, 0)
            self.folded.discard(heaviest)
        self._weights[op] = weight

    def _is_choice(self, op: scf.IfOp) -> bool:
        if len(op.results) != 1 or not op.false_region.blocks:
            return False
        weight = 0
        for region in op.regions:
            last = terminator(region.block)
            (value,) = last.operands
            if _is_named(value) and value.name_hint == op.results[0].name_hint:
                if not isinstance(value.owner, Operation) or value.owner.parent is not last.parent:
                    # This branch leaves the variable unchanged.
                    return False
            if self.statements(region.block):
                return False
            weight += self._weights.get(last, 0)
        is_record = isinstance(op.results[0].type, ocl.StructType)
        return weight <= MOST and not is_record


QUERIES = (ocl.GlobalIdOp, ocl.LocalIdOp, ocl.GroupIdOp, ocl.GlobalSizeOp, ocl.LocalSizeOp,
            ocl.EnqueuedLocalSizeOp, ocl.NumGroupsOp, ocl.GlobalOffsetOp)  # fmt: skip


def _shuffles_one(user: Operation, value: SSAValue) -> bool:
    """Whether `user` is a swizzle of `value` and its only user."""
    if not isinstance(user, vector.ShuffleOp) or any(u.operation is not user for u in value.uses):
        return False
    return all(lane < count_of(user.v1.type) for lane in user.mask.get_values())


def naming_cast(value: SSAValue) -> arith.IndexCastOp | None:
    """The cast of `int x = get_global_id(0)` where the id has other uses, too.

    The variable serves all uses, since a launch ensures that ids fit.
    """
    if not isinstance(value.owner, QUERIES) or value.has_one_use():
        return None
    for use in value.uses:
        cast = use.operation
        if isinstance(cast, arith.IndexCastOp) and _is_named(cast.result):
            return cast
    return None


def _is_transparent(op: Operation) -> bool:
    """Whether `op` costs nothing, so that it is written again at each use."""
    if isinstance(op, (arith.ConstantOp, *_FREE)):
        return True
    if isinstance(op, vector.BroadcastOp):
        return isinstance(op.source.owner, arith.ConstantOp)
    if isinstance(op, ocl.MemberOp):
        return not _is_named(op.result)
    if isinstance(op, ocl.OffsetOp):
        index = op.index
        is_atom = isinstance(index.owner, Block | arith.ConstantOp) or _is_named(index)
        return is_atom and not _is_named(op.result)
    if not isinstance(op, _CASTS):
        return False
    result, source = op.results[0], op.operands[0]
    if not isinstance(result.type, IntegerType | IndexType | ocl.PtrType):
        return False
    if naming_cast(source) is op:
        return True
    return not _is_named(result) or result.name_hint == source.name_hint


def _is_rounded_before(user: Operation, op: Operation) -> bool:
    """Whether `user` could be fused with the product `op` if both were one expression."""
    is_kept = isinstance(op, arith.MulfOp) and ocl.NO_CONTRACT in op.attributes
    return is_kept and isinstance(user, arith.AddfOp | arith.SubfOp | arith.NegfOp)


def _is_named(value: SSAValue) -> bool:
    return value.name_hint is not None
