"""The operations around an operation or a value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue


def parents(op: Operation) -> Iterator[Operation]:
    """The operations that contain `op`, the innermost first."""
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def is_in_loop(op: Operation, region: Operation) -> bool:
    """Whether a loop in `region` contains `op`."""
    around = takewhile(lambda parent: parent is not region, parents(op))
    return any(isinstance(parent, scf.ForOp | scf.WhileOp) for parent in around)


def owner_of(value: SSAValue) -> Operation:
    """The operation that computes `value`, or whose region has it as an argument."""
    op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    assert op is not None
    return op
