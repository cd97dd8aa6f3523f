"""Readers: classes that replace the classes of operations for xDSL's parser."""

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
    makes the operation from its generic syntax."""
    members = {"parse": staticmethod(parse), "create": staticmethod(create or op.create)}
    return type(op.__name__, (op,), members)
