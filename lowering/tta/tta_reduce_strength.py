"""`tta-reduce-strength`: linear functions of a loop's counter are carried by the loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i8, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.transforms.loop_invariant_code_motion import move_loop_invariant_code

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.ocl import PtrType
from polycl.dialects.ocl.layout import stride_of
from polycl.lowering.ocl.pure_extensions import pure_extensions
from polycl.lowering.tta.carried_values import LoopBuild, fills_index

MOST = 24
"""The most addresses that a loop may carry: each takes a register while the loop runs."""

_index = IndexType()


@dataclass(frozen=True)
class TtaReduceStrengthPass(ModulePass):
    """Replace linear functions of a loop's counter by values that the loop carries.

    ```
    scf.for %k = %lb to %n step %c1 {           %p = ocl.offset %a[%lb * %width + %x]
      %row = arith.muli %k, %width              scf.for ... iter_args(%q = %p) {
      %at = arith.addi %row, %x            ->     %v = ocl.load %q
      %v = ocl.load %a[%at]                       %next = ocl.offset %q[%width]
    }                                             scf.yield %next
                                                }
    ```

    Two kinds of values are replaced: addresses of loads, stores and `ocl.offset`, unless there are
    more than MOST, and the remaining products. A select by a loop-invariant condition is linear if
    both its sides are.

    An index has 32 bits here, as an address of the processor, so only the lower half of 64-bit
    values counts. So this pass is for this device only. `tta-hoist-invariants` runs before. Inner
    loops come first: their initial values are carried by the loop around.
    """

    name = "tta-reduce-strength"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in [o for o in op.walk(region_first=True) if isinstance(o, scf.ForOp)]:
            with pure_extensions(loop):
                move_loop_invariant_code(loop)
            if loop.lb.type == _index:
                _Loop(loop).reduce()


class _Loop:
    """A loop, and which values are linear functions of its counter, modulo 2^32."""

    def __init__(self, loop: scf.ForOp):
        self.loop = loop
        self.build = LoopBuild(loop)
        self.known: dict[SSAValue, bool] = {loop.body.block.args[0]: True}
        self.starts: dict[SSAValue, SSAValue] = {loop.body.block.args[0]: loop.lb}
        self.steps: dict[SSAValue, SSAValue | None] = {loop.body.block.args[0]: loop.step}
        self.carried: list[tuple[SSAValue, SSAValue, Callable[[SSAValue], SSAValue]]] = []
        """The new block argument, its initial value, and a function that makes its next value."""

    def reduce(self) -> None:
        self._addresses()
        for op in list(self.loop.body.walk()):
            if isinstance(op, arith.MuliOp) and op.result.type != i64 and self._varies(op.result):
                self._product(op)
        if self.carried:
            self._rebuild()

    # What changes.

    def _addresses(self) -> None:
        found: dict[tuple[SSAValue, SSAValue], list[ocl.LoadOp | ocl.StoreOp | ocl.OffsetOp]] = {}
        for op in self.loop.body.walk():
            if isinstance(op, ocl.LoadOp | ocl.StoreOp | ocl.OffsetOp) and op.index is not None:
                if not self.build.has(op.pointer) and self._varies(op.index):
                    found.setdefault((op.pointer, op.index), []).append(op)
        if len(found) > MOST:
            return
        for (pointer, index), ops in found.items():
            step = self._step(index)
            assert step is not None
            start = self.build.emit(ocl.OffsetOp(pointer, self._start(index)))
            assert isinstance(pointer.type, PtrType)
            size = self.build.index(stride_of(pointer.type.pointee))
            bytes_ = self._times(step, size)

            def following(value: SSAValue, by: SSAValue = bytes_) -> SSAValue:
                return self._moved(value, by)

            carried = self._carry(start, following)
            for op in ops:
                match op:
                    case ocl.LoadOp():
                        new = ocl.LoadOp(carried)
                        Rewriter.replace_op(op, new)
                    case ocl.StoreOp():
                        new = ocl.StoreOp(op.value, carried)
                        Rewriter.replace_op(op, new)
                    case ocl.OffsetOp():
                        new = None
                        Rewriter.replace_op(op, [], [carried])
                if new is not None:
                    new.location = op.location
                    new.attributes = dict(op.attributes)

    def _product(self, op: arith.MuliOp) -> None:
        step = self._step(op.result)
        assert step is not None

        def following(value: SSAValue) -> SSAValue:
            return self.build.end.add(value, step)

        carried = self._carry(self._start(op.result), following)
        if op.result.type == _index:
            Rewriter.replace_op(op, [], [carried])
        else:
            Rewriter.replace_op(op, arith.IndexCastOp(carried, op.result.type))

    def _carry(self, start: SSAValue, following: Callable[[SSAValue], SSAValue]) -> SSAValue:
        block = self.loop.body.block
        argument = block.insert_arg(start.type, len(block.args))
        self.carried.append((argument, start, following))
        return argument

    def _rebuild(self) -> None:
        ends = [following(argument) for argument, _, following in self.carried]
        self.build.also_carry([start for _, start, _ in self.carried], ends)

    # What is linear.

    def _varies(self, value: SSAValue) -> bool:
        return self.build.has(value) and self._linear(value) and self._depends(value)

    def _depends(self, value: SSAValue) -> bool:
        """Whether a linear value depends on the counter."""
        if value == self.loop.body.block.args[0]:
            return True
        owner = value.owner
        return (
            self.build.has(value)
            and isinstance(owner, Operation)
            and any(self._depends(operand) for operand in owner.operands)
        )

    def _linear(self, value: SSAValue) -> bool:
        if not self.build.has(value):
            return True
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self._is_linear(value)
        return found

    def _is_linear(self, value: SSAValue) -> bool:
        match value.owner:
            case arith.AddiOp(lhs=left, rhs=right) | arith.SubiOp(lhs=left, rhs=right):
                return self._linear(left) and self._linear(right)
            case arith.MuliOp(lhs=left, rhs=right):
                return (
                    self._linear(left)
                    and self._linear(right)
                    and not (self.build.has(left) and self.build.has(right))
                )
            case arith.SelectOp(cond=condition, lhs=left, rhs=right):
                return (
                    isinstance(value.type, IndexType | IntegerType)
                    and not self.build.has(condition)
                    and self._linear(left)
                    and self._linear(right)
                )
            case (
                arith.IndexCastOp(input=inner)
                | arith.ExtUIOp(input=inner)
                | arith.ExtSIOp(input=inner)
                | arith.TruncIOp(input=inner)
            ):
                return fills_index(inner) and fills_index(value) and self._linear(inner)
            case _:
                return False

    def _start(self, value: SSAValue) -> SSAValue:
        """The value in the first iteration, as an index, computed before the loop."""
        if not self.build.has(value):
            return self.build.as_index(value)
        if value not in self.starts:
            self.starts[value] = self._make_start(value)
        return self.starts[value]

    def _make_start(self, value: SSAValue) -> SSAValue:
        match value.owner:
            case arith.AddiOp() as op:
                return self._plus(self._start(op.lhs), self._start(op.rhs))
            case arith.SubiOp() as op:
                return self.build.sub(self._start(op.lhs), self._start(op.rhs))
            case arith.MuliOp() as op:
                return self._times(self._start(op.lhs), self._start(op.rhs))
            case arith.SelectOp() as op:
                return self.build.select(op.cond, self._start(op.lhs), self._start(op.rhs))
            case Operation() as op:
                return self._start(op.operands[0])
            case Block():
                raise AssertionError("not a linear value")

    def _step(self, value: SSAValue) -> SSAValue | None:
        """How much a value grows in each iteration; None if it does not."""
        if not self.build.has(value):
            return None
        if value not in self.steps:
            self.steps[value] = self._make_step(value)
        return self.steps[value]

    def _make_step(self, value: SSAValue) -> SSAValue | None:
        match value.owner:
            case arith.AddiOp() as op:
                left, right = self._step(op.lhs), self._step(op.rhs)
                if left is None or right is None:
                    return left or right
                return self._plus(left, right)
            case arith.SubiOp() as op:
                left, right = self._step(op.lhs), self._step(op.rhs)
                if right is None:
                    return left
                return self.build.sub(left or self.build.index(0), right)
            case arith.MuliOp() as op:
                grows, factor = (op.lhs, op.rhs) if self.build.has(op.lhs) else (op.rhs, op.lhs)
                step = self._step(grows)
                return None if step is None else self._times(step, self.build.as_index(factor))
            case arith.SelectOp() as op:
                left, right = (self._step(v) or self.build.index(0) for v in (op.lhs, op.rhs))
                return self.build.select(op.cond, left, right)
            case Operation() as op:
                return self._step(op.operands[0])
            case Block():
                raise AssertionError("not a linear value")

    # New operations.

    def _moved(self, pointer: SSAValue, size: SSAValue) -> SSAValue:
        """A pointer plus a number of bytes."""
        assert isinstance(pointer.type, PtrType)
        plain = PtrType(i8, pointer.type.address_space)
        end = self.build.end
        moved = end.emit(ocl.OffsetOp(end.emit(ocl.CastOp(pointer, plain)), size))
        return end.emit(ocl.CastOp(moved, pointer.type))

    def _plus(self, left: SSAValue, right: SSAValue) -> SSAValue:
        if constant_index(left) == 0:
            return right
        return left if constant_index(right) == 0 else self.build.add(left, right)

    def _times(self, left: SSAValue, right: SSAValue) -> SSAValue:
        values = constant_index(left), constant_index(right)
        if 0 in values:
            return self.build.index(0)
        if values[0] == 1:
            return right
        return left if values[1] == 1 else self.build.mul(left, right)
