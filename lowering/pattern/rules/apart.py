"""Splits the function of a map at its first or its last pattern."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.ir import Operation, Region, SSAValue

from polycl.dialects.pattern import MapBase, YieldOp
from polycl.dialects.pattern.paper import camel
from polycl.lowering.pattern.rules.build import make_lambda
from polycl.lowering.pattern.rules.conditions import needs_any, producer, short
from polycl.lowering.pattern.rules.rule import Refused


def first(op: MapBase, kind: type[Operation]) -> Operation:
    """The pattern of the element, which has no other uses in the function."""
    args = op.body.block.args
    uses = [use.operation for arg in args for use in arg.uses]
    if len(args) != 1 or len(uses) != 1 or not isinstance(uses[0], kind):
        raise Refused(f"expected a function that needs its argument for {camel(kind)} only")
    return uses[0]


def last(op: MapBase, kind: type[Operation]) -> Operation:
    """The pattern that makes the yielded value."""
    if len(op.yielded) != 1:
        raise Refused("expected a function that yields one array")
    made = producer(op.yielded[0], kind)
    if made.parent is not op.body.block:
        raise Refused("the function yields what was made outside of it")
    return made


def any_last(op: MapBase) -> Operation:
    """The last pattern, if it depends on the element by its first operand only."""
    if len(op.yielded) != 1 or not isinstance(last := op.yielded[0].owner, Operation):
        raise Refused("the function yields no value of a pattern")
    if last.parent is not op.body.block or not last.operands or len(last.results) != 1:
        raise Refused("the function does not end in a pattern of one value")
    middle = last.operands[0]
    if not isinstance(middle.owner, Operation) or middle.owner.parent is not op.body.block:
        raise Refused(f"{short(last)} is all that the function does")
    if not middle.has_one_use() or not last.results[0].has_one_use():
        raise Refused(f"the input or the value of {short(last)} has other uses")
    inside = [value for inner in op.body.block.ops for value in inner.results]
    if needs_any(last, [v for v in (*op.body.block.args, *inside) if v is not middle]):
        raise Refused(f"{short(last)} needs more of the element than its first operand")
    return last


def without_first(body: Region) -> Region:
    """A copy of a function that takes the result of its first pattern."""
    copy = body.clone()
    (arg,) = copy.block.args
    (use,) = arg.uses
    old = use.operation
    old.results[0].replace_all_uses_with(copy.block.insert_arg(old.results[0].type, 1))
    old.detach()
    old.erase()
    copy.block.erase_arg(arg)
    return copy


def without_last(body: Region) -> Region:
    """A copy of a function that yields the operand of its last pattern."""
    copy = body.clone()
    end = copy.block.last_op
    assert isinstance(end, YieldOp) and isinstance(old := end.values[0].owner, Operation)
    end.operands[0] = old.operands[0]
    if not old.results[0].uses:
        old.detach()
        old.erase()
    return copy


def alone(op: Operation) -> Region:
    """A function that is one pattern, of its first operand."""

    def apply(b: Builder, element: SSAValue) -> SSAValue:
        return b.insert(op.clone({op.operands[0]: element})).results[0]

    return make_lambda([op.operands[0].type], apply)
