"""Which patterns make loops, which are distributed among work-items, and which make no code."""

from __future__ import annotations

from xdsl.ir import Operation

from polycl.dialects import pattern

COMPUTING = (
    pattern.MapBase,
    pattern.ReduceBase,
    pattern.ScatterOp,
    pattern.SortOp,
    pattern.IterateOp,
    pattern.GenerateOp,
    pattern.MmaOp,
)
"""Patterns that make loops."""


_PARALLEL = (pattern.ParallelMapBase, pattern.MmaOp)


def has_parallel(op: Operation, kinds: tuple[type[Operation], ...] = _PARALLEL) -> bool:
    """Whether the work of `op` is distributed among work-items, by patterns of these kinds."""
    return any(isinstance(o, kinds) for o in op.walk())


def is_computed_when_read(op: Operation) -> bool:
    """Whether each element is computed where it is read: an unordered map without loops."""
    return isinstance(op, pattern.MapOp | pattern.GenerateOp) and all(
        is_computed_when_read(nested) if isinstance(nested, COMPUTING) else True
        for nested in op.body.block.ops
    )
