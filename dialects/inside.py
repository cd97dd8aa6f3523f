"""The operations inside of an operation, a region or a block, as lists.

xDSL's `walk` is a generator inside of a generator for each operation, and `isinstance` is slow for
its classes, which are abstract base classes: for passes that have little to do, that is their time.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

T = TypeVar("T", bound=Operation)


def operations_in(root: Operation | Region | Block) -> list[Operation]:
    """The operations of `root`, itself included, in the order of `walk`."""
    found: list[Operation] = []
    if isinstance(root, Block):
        _append(root, found)
        return found
    if isinstance(root, Operation):
        found.append(root)
    for region in root.regions if isinstance(root, Operation) else (root,):
        for block in region.blocks:
            _append(block, found)
    return found


def operations_of(root: Operation | Region | Block, *kinds: type[T]) -> list[T]:
    """Those of `operations_in(root)` that are instances of one of the classes."""
    wanted = _kinds(kinds)
    found = [op for op in operations_in(root) if wanted[type(op)]]
    return cast("list[T]", found)


class Kinds(dict[type, bool]):
    """Some classes of operations, for what is asked of each operation:

    >>> _LOOPS = Kinds(scf.ForOp, scf.WhileOp)
    >>> _LOOPS[type(op)]  # isinstance(op, scf.ForOp | scf.WhileOp), found once for each class
    """

    def __init__(self, *kinds: type[Operation]):
        super().__init__()
        self._kinds = kinds

    def __missing__(self, kind: type) -> bool:
        self[kind] = found = issubclass(kind, self._kinds)
        return found


@cache
def _kinds(kinds: tuple[type[Operation], ...]) -> Kinds:
    return Kinds(*kinds)


def _append(block: Block, found: list[Operation]) -> None:
    op = block.first_op
    while op is not None:
        found.append(op)
        for region in op.regions:
            inner = region.first_block
            while inner is not None:
                _append(inner, found)
                inner = inner.next_block
        op = op.next_op


def functions_of(module: ModuleOp, *kinds: type[T]) -> list[T]:
    """The functions of a module that are instances of one of the classes: no operation has others
    inside."""
    wanted = _kinds(kinds)
    return cast("list[T]", [op for op in module.ops if wanted[type(op)]])
