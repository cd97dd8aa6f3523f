"""What the parser gets in place of an operation's class."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation
from xdsl.parser import Parser


def reader(
    op: type[Operation],
    parse: Callable[[Parser], Operation],
    create: Callable[..., Operation] | None = None,
) -> type[Operation]:
    """A class that is never instantiated: `parse` reads the custom syntax of `op`, and `create`
    makes the operation of what its generic syntax says."""
    members = {"parse": staticmethod(parse), "create": staticmethod(create or op.create)}
    return type(op.__name__, (op,), members)
