"""`tta-if-convert`: small branches become selects and guarded stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects.tta import LoadOp, StoreOp
from polycl.lowering.build import Build
from polycl.lowering.tta.word_builder import constant_of


@dataclass(frozen=True)
class TtaIfConvertPass(ModulePass):
    """Execute small branches unconditionally, with selects and guarded stores.

    ```
      cf.cond_br %c, ^then, ^end(%x)              %y = arith.addi %x, %x
    ^then:                                        tta.store "st32" %p, %y if %c
      %y = arith.addi %x, %x               ->     %z = arith.select %c, %y, %x
      tta.store "st32" %p, %y                     cf.br ^end(%z)
      cf.br ^end(%y)
    ```

    The processor's jumps take effect four cycles later, and a block ends when its results are
    ready. So a few more operations cost less, and large blocks keep more units busy. A branch may
    have up to `most` operations. A branch with a load at an address that is not constant is kept,
    since the address may be out of range. A block with one predecessor is merged into that.
    """

    name = "tta-if-convert"

    most: int = 16

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, FuncOp)]:
            _Conversion(function, self.most).run()


class _Conversion:
    def __init__(self, function: FuncOp, most: int):
        self.region = function.body
        self.most = most
        self.before: dict[Block, int] = dict.fromkeys(function.body.blocks, 0)
        """The number of edges to each block."""
        for block in function.body.blocks:
            for successor in _successors(block):
                self.before[successor] += 1

    def run(self) -> None:
        # Inner branches mostly follow outer ones.
        pending = list(self.region.blocks)
        while pending:
            block = pending.pop()
            if block.parent is not self.region:
                continue
            while self._join(block) or self._convert(block):
                # A branch to this block may be small enough now.
                pending += [b for b in self.region.blocks if block in _successors(b)]

    def _join(self, block: Block) -> bool:
        """Append the only successor, if it has no other predecessor."""
        last = block.last_op
        if not isinstance(last, cf.BranchOp):
            return False
        target = last.successor
        if target is block or self.before[target] != 1 or target is self.region.blocks[0]:
            return False
        arguments = list(last.arguments)
        Rewriter.erase_op(last)
        Rewriter.inline_block(target, InsertPoint.at_end(block), arguments)
        return True

    def _convert(self, block: Block) -> bool:
        last = block.last_op
        if not isinstance(last, cf.ConditionalBranchOp) or last.then_block is last.else_block:
            return False
        then, otherwise = last.then_block, last.else_block
        sides = [
            (then, list(last.then_arguments), True),
            (otherwise, list(last.else_arguments), False),
        ]
        small = [self._is_small(side, block) for side, _, _ in sides]
        ends = [_end(side) if fits else side for (side, _, _), fits in zip(sides, small)]
        if small[0] and ends[0] is otherwise:
            small[1], ends[1] = False, otherwise
        elif small[1] and ends[1] is then:
            small[0], ends[0] = False, then
        if ends[0] is not ends[1] or ends[0] is None:
            return False
        condition = last.cond
        values: list[Sequence[SSAValue]] = []
        for (side, arguments, when), inside in zip(sides, small, strict=True):
            values.append(self._take(side, arguments, last, when) if inside else arguments)
        build = Build(last)
        chosen = [_select(build, condition, a, b) for a, b in zip(*values, strict=True)]
        branch = cf.BranchOp(ends[0], *chosen)
        branch.location = last.location
        Rewriter.replace_op(last, branch)
        self.before[ends[0]] = sum(_successors(b).count(ends[0]) for b in self.region.blocks)
        return True

    def _is_small(self, side: Block, block: Block) -> bool:
        if self.before[side] != 1 or side is block or _end(side) is None or _end(side) is side:
            return False
        operations = [op for op in side.ops if not isinstance(op, arith.ConstantOp)]
        return len(operations) - 1 <= self.most and all(
            not isinstance(op, LoadOp) or constant_of(op.address) is not None for op in operations
        )

    def _take(
        self, side: Block, arguments: Sequence[SSAValue], last: Operation, when: bool
    ) -> list[SSAValue]:
        """Move the operations of a side before the branch; the values that it passes on."""
        assert isinstance(last, cf.ConditionalBranchOp)
        end = side.last_op
        assert isinstance(end, cf.BranchOp)
        for op in list(side.ops):
            if isinstance(op, StoreOp):
                self._guard(op, last.cond, when)
        Rewriter.inline_block(side, InsertPoint.before(last), arguments)
        values = list(end.arguments)
        Rewriter.erase_op(end)
        return values

    def _guard(self, store: StoreOp, condition: SSAValue, when: bool) -> None:
        build = Build(store)
        if not when:
            condition = build.xor(condition, build.constant(1, i1))
        if store.condition is not None:
            condition = build.and_(condition, store.condition)
        new = StoreOp(store.operation.data, store.address, store.value, condition, store.alias)
        new.location = store.location
        new.attributes = dict(store.attributes)
        Rewriter.replace_op(store, new)


def _select(build: Build, c: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
    if a is b:
        return a
    x, y = constant_of(a), constant_of(b)
    if a.type == i1 and x == 1 and y == 0:
        return c
    if a.type == i1 and x == 1:
        return build.or_(c, b)
    if a.type == i1 and y == 0:
        return build.and_(c, a)
    return build.select(c, a, b)


def _successors(block: Block) -> list[Block]:
    return list(block.last_op.successors) if block.last_op is not None else []


def _end(block: Block) -> Block | None:
    """The only successor of a block with an unconditional branch."""
    return block.last_op.successor if isinstance(block.last_op, cf.BranchOp) else None
