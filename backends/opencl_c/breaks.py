"""Loops that a flag ends, as `break` and `return` do in structured control flow, get a `break`.

```
bool stop = false;
while (!stop && i < n) {              while (i < n) {
  if (x[i] < 0) {                       if (x[i] < 0) {
    stop = true;                 =>       break;
  }                                     }
  if (!stop) {                          i += 1;
    i += 1;                           }
  }
}
```

Where a flag is set, and nothing that is left of the iteration is written if it is, the loop can be
left at once: all variables are what they would be at its end. A flag that is read after the loop is
set nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.backends.opencl_c.folding import Effect, Effects, Folding
from polycl.backends.opencl_c.variables import Variables


class Breaks:
    """What leaves the loops of one function."""

    def __init__(self, body: Block, folding: Folding, variables: Variables, effects: Effects):
        self._folding = folding
        self._variables = variables
        self._effects = effects
        self.ends: set[Block] = set()
        """Blocks that end with `break`."""
        self.after: dict[Operation, SSAValue] = {}
        """Loops after which the loop around them is left if the flag is set."""
        self._false: set[SSAValue] = set()
        """Arguments that are flags which the condition of their loop has tested."""
        self._never_set: set[SSAValue] = set()
        """Flags whose loop is left wherever they are set."""
        self._dropped: set[SSAValue] = set()
        """Variables of flags that nothing reads."""
        loops = [op for op in body.walk() if isinstance(op, scf.WhileOp)]
        for loop in loops:
            self._false |= set(self._tested_arguments(loop))
        for loop in loops:
            for flag in dict.fromkeys(map(_negated, _terms(condition_of(loop).condition))):
                if flag is not None:
                    self._leave(loop, flag)

    def is_dropped(self, value: SSAValue) -> bool:
        """Whether a value is a flag without a variable."""
        return self._variables.of(value) in self._dropped

    def is_void(self, condition: SSAValue) -> bool:
        """Whether a condition is that a flag is not set which is never set there."""
        flag = _negated(condition)
        return flag is not None and flag in self._never_set

    def _tested_arguments(self, loop: scf.WhileOp) -> Iterator[SSAValue]:
        condition, end = condition_of(loop), terminator(loop.after_region.block)
        tested = set(map(_negated, _terms(condition.condition)))
        for inside, value in zip(loop.after_region.block.args, condition.args, strict=True):
            if value in tested:
                yield inside
                # A `do` loop tests the flag at its end.
                before = loop.before_region.block.args
                for argument, start, next in zip(before, loop.arguments, end.operands, strict=True):
                    if next is inside and self._is_false(start):
                        yield argument

    def _is_false(self, value: SSAValue) -> bool:
        return value in self._false or _constant(value) is False

    def _leave(self, loop: scf.WhileOp, flag: SSAValue) -> None:
        """Leave `loop` wherever the flag that its condition tests is set, if it can be at all these
        places."""
        before, after = loop.before_region.block, loop.after_region.block
        condition, found = condition_of(loop), _Places(loop)
        value, block = flag, before
        if flag.owner is before:
            # It is tested before the body, and changed there.
            place = list(before.args).index(flag)  # pyright: ignore[reportArgumentType]
            if not self._is_false(loop.arguments[place]):
                return
            value, block = terminator(after).operands[place], after
            found.flags.add(flag)
        if not self._find(value, block, found):
            return
        self.ends |= found.ends
        self.after |= found.after
        self._never_set |= found.flags
        handed_on = [
            pair
            for *pair, value in zip(after.args, loop.results, condition.args, strict=True)
            if value is flag
        ]
        if not any(result.uses.get_length() for _, result in handed_on):
            tested_before = self._false.intersection(before.args)
            self._drop(found.flags.union(tested_before, *handed_on))

    def _find(self, value: SSAValue, block: Block, found: _Places) -> bool:
        """Find all places where a flag may be set that is `value` at the end of `block`."""
        if self._is_false(value) or value in found.flags:
            return True
        if _constant(value):
            found.ends.add(block)
            return self._is_left_behind(block, {value}, found.loop)
        owner = value.owner
        if not isinstance(value, OpResult) or not found.loop.is_ancestor(value.owner):
            return False
        match owner:
            case scf.IfOp() if owner not in self._folding.choices and owner.false_region.blocks:
                found.flags.add(value)
                sides = [region.block for region in owner.regions]
                return all(
                    self._find(terminator(side).operands[value.index], side, found)
                    for side in sides
                )
            case scf.WhileOp():
                found.flags.add(value)
                found.after[owner] = value
                return self._is_left(owner, {value}, found.loop)
            case _:
                return False

    # What is written until the end of a loop if flags are set

    def _is_left(self, op: Operation, flags: set[SSAValue], loop: scf.WhileOp) -> bool:
        """Whether it is nothing after `op`."""
        block = op.parent
        assert block is not None
        flags = set(flags)
        later = op.next_op
        while later is not None and later is not block.last_op:
            if later not in self._folding.folded and not self._is_nothing(later, flags):
                return False
            later = later.next_op
        targets, sources = _copies(block, loop)
        if not self._are_nothing(targets, sources, flags):
            return False
        return self._is_left_behind(block, flags, loop)

    def _is_left_behind(self, block: Block, flags: set[SSAValue], loop: scf.WhileOp) -> bool:
        """Whether it is nothing after what `block` yields."""
        parent = block.parent_op()
        if isinstance(parent, scf.IfOp) and parent not in self._folding.choices:
            targets, sources = _copies(block, loop)
            return self._is_left(parent, _set_by(targets, sources, flags), loop)
        if parent is not loop:
            return False
        if block is loop.before_region.block:
            return True
        before = loop.before_region.block
        flags = _set_by(*_copies(block, loop), flags)
        statements = self._folding.statements(before)
        has_writes = any(self._effects.of(op) is Effect.WRITES for op in statements)
        return not has_writes and self._are_nothing(*_copies(before, loop), flags)

    def _is_nothing(self, op: Operation, flags: set[SSAValue]) -> bool:
        """Whether a statement changes neither memory nor a variable that is read later; the flags
        that it has then are added."""
        if not op.regions:
            own = all(len(self._variables.members(result)) == 1 for result in op.results)
            return own and self._effects.of(op) is not Effect.WRITES
        if not isinstance(op, scf.IfOp) or not any(_negated(t) in flags for t in _terms(op.cond)):
            return False
        if not op.false_region.blocks:
            return True
        block = op.false_region.block
        values = terminator(block).operands
        if self._folding.statements(block) or not self._are_nothing(op.results, values, flags):
            return False
        flags |= _set_by(op.results, values, flags)
        return True

    def _are_nothing(
        self, targets: Iterable[SSAValue], sources: Iterable[SSAValue], flags: set[SSAValue]
    ) -> bool:
        variables = {self._variables.of(flag) for flag in flags}
        for target, source in zip(targets, sources, strict=True):
            variable = self._variables.of(target)
            is_set = _constant(source) is True and variable in variables
            is_same = variable is self._variables.of(source)
            if not is_set and (not is_same or self._folding.is_folded(source)):
                return False
        return True

    # Flags that are never read

    def _drop(self, flags: set[SSAValue]) -> None:
        variables = {self._variables.of(flag) for flag in flags}
        members = {member for value in variables for member in self._variables.members(value)}
        if members <= flags and all(map(self._is_tested_in_vain, flags)):
            self._dropped |= variables

    def _is_tested_in_vain(self, flag: SSAValue) -> bool:
        return all(
            isinstance(use.operation, scf.YieldOp | scf.ConditionOp)
            or (
                _negated(use.operation.results[0]) is flag
                and self._is_condition(use.operation.results[0])
            )
            for use in flag.uses
        )

    def _is_condition(self, value: SSAValue) -> bool:
        """Whether a value is a part of conditions, and of nothing else."""
        if not self._folding.is_folded(value):
            return False
        for use in value.uses:
            match use.operation:
                case scf.IfOp() as op if op not in self._folding.choices:
                    pass
                case scf.ConditionOp() if use.index == 0:
                    pass
                case arith.AndIOp() as op if self._is_condition(op.result):
                    pass
                case _:
                    return False
        return True


class _Places:
    """Where a flag of a loop may be set."""

    def __init__(self, loop: scf.WhileOp):
        self.loop = loop
        self.flags: set[SSAValue] = set()
        """All values that it has."""
        self.ends: set[Block] = set()
        self.after: dict[Operation, SSAValue] = {}


def _copies(block: Block, loop: scf.WhileOp) -> tuple[list[SSAValue], list[SSAValue]]:
    """The values that get what a block of `loop`, or of a branch, yields at its end."""
    last = terminator(block)
    if isinstance(last, scf.ConditionOp):
        return list(loop.after_region.block.args), list(last.args)
    if block is loop.after_region.block:
        return list(loop.before_region.block.args), list(last.operands)
    parent = block.parent_op()
    assert parent is not None
    return list(parent.results), list(last.operands)


def _set_by(
    targets: Iterable[SSAValue], sources: Iterable[SSAValue], flags: set[SSAValue]
) -> set[SSAValue]:
    """The targets that are set flags."""
    pairs = zip(targets, sources, strict=True)
    return {target for target, source in pairs if _constant(source) or source in flags}


def _terms(condition: SSAValue) -> Iterator[SSAValue]:
    owner = condition.owner
    if isinstance(owner, arith.AndIOp):
        yield from _terms(owner.lhs)
        yield from _terms(owner.rhs)
    else:
        yield condition


def _negated(value: SSAValue) -> SSAValue | None:
    """x, if `value` is !x."""
    owner = value.owner
    return owner.lhs if isinstance(owner, arith.XOrIOp) and _constant(owner.rhs) else None


def _constant(value: SSAValue) -> bool | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return bool(owner.value.value.data)
    return None


__all__ = ["Breaks"]
