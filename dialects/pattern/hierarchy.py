"""OpenCL's thread hierarchy: the legal nestings of parallel maps.

[lift15, section 4.2]: "Our implementation maintains context information to ensure the thread
hierarchy is respected." The rules:

- A map_local is inside a map_workgroup, and not inside a map_local of its dimension. Along a
  dimension without a map_workgroup there is one group.
- A mma is computed like a map_local of dimension 0 with 32 elements, or 128.
- A map_workgroup is not inside a map_workgroup of its dimension, a map_local or a map_global.
- A map_global is not inside a map_global of its dimension, a map_workgroup or a map_local.
- A map_workgroup or map_global is not in the function of a map_seq, a reduction or a scatter: there
  is no barrier for all work-items of a kernel.
- No parallel map is in the function of a filter or a sort.
- A to_local marks the result of a map_local, inside a map_workgroup.

One work-item of the group computes the code that is in a map_workgroup but not in a map_local.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from polycl.dialects.pattern.maps import (
    MapBase,
    MapGlobalOp,
    MapLocalOp,
    MapSeqOp,
    MapWorkgroupOp,
    ParallelMapBase,
)
from polycl.dialects.pattern.memory import ToLocalOp
from polycl.dialects.pattern.permutations import PermutationBase
from polycl.dialects.pattern.reductions import ReduceBase
from polycl.dialects.pattern.scatter import ScatterOp
from polycl.dialects.pattern.values import OneToOneOp


def may_lower_to(op: MapBase, level: type[MapBase], dim: int = 0) -> bool:
    """Whether the map `op` may become a map of class `level` along dimension `dim`."""
    return why_not_lower_to(op, level, dim) is None


def why_not_lower_to(op: MapBase, level: type[MapBase], dim: int = 0) -> str | None:
    """The reason why the map `op` cannot become one of class `level`, or None."""
    reason = _misplaced(level, dim, _enclosing(op))
    if reason is not None or not issubclass(level, ParallelMapBase | MapSeqOp):
        return reason
    # The maps inside it would have one map more around them.
    for inner in op.body.walk():
        if isinstance(inner, ParallelMapBase):
            around = [(type(outer), _dim(outer)) for outer in _parents(inner, until=op)]
            reason = _misplaced(
                type(inner), inner.dimension, [*around, (level, dim), *_enclosing(op)]
            )
            if reason is not None:
                return f"'{inner.name}' inside: {reason}"
    return None


def hierarchy_errors(root: Operation) -> Iterator[tuple[Operation, str]]:
    """All violations of the hierarchy in `root`, each with its operation."""
    for op in root.walk():
        if isinstance(op, ParallelMapBase):
            reason = _misplaced(type(op), op.dimension, _enclosing(op))
            if reason is not None:
                yield op, reason
        if isinstance(op, ToLocalOp):
            reason = _not_local(op)
            if reason is not None:
                yield op, reason


def _misplaced(
    level: type[Operation], dim: int, around: list[tuple[type[Operation], int]]
) -> str | None:
    """The reason why a map of class `level` is illegal inside the operations `around`, from inside
    out."""
    if not issubclass(level, ParallelMapBase):
        return None
    if (level, dim) in around:
        return f"it stands in another '{level.name}' of dimension {dim}"
    classes = [cls for cls, _ in around]
    for cls in classes:
        if issubclass(cls, PermutationBase):
            return f"it stands in a '{cls.name}', whose function one work-item runs"
    if level is MapLocalOp:
        if MapWorkgroupOp not in classes:
            return "expected a 'pattern.map_workgroup' around it"
        return None
    forbidden = (
        (MapLocalOp, MapGlobalOp) if level is MapWorkgroupOp else (MapLocalOp, MapWorkgroupOp)
    )
    for other in forbidden:
        if other in classes:
            return f"it stands in a '{other.name}', whose work-items are chosen already"
    for cls in classes:
        if cls is MapSeqOp or issubclass(cls, ReduceBase | ScatterOp):
            return f"it stands in a '{cls.name}', which one work-item or work-group runs"
    return None


def _not_local(op: ToLocalOp) -> str | None:
    """The reason why a value cannot be in local memory."""
    if not is_in(op, MapWorkgroupOp):
        return "local memory belongs to a work-group; expected a 'pattern.map_workgroup' around it"
    if not isinstance(producer(op.input), MapLocalOp):
        return "expected the result of a 'pattern.map_local', which a work-group computes together"
    return None


def producer(value: SSAValue) -> Operation | None:
    """The operation that computes `value`, without the views of its result."""
    owner = value.owner
    while isinstance(owner, OneToOneOp):
        owner = owner.input.owner
    return owner if isinstance(owner, Operation) else None


def _parents(op: Operation, until: Operation | None = None) -> Iterator[Operation]:
    """The operations around `op`, from inside out, up to `until`, which is excluded."""
    parent = op.parent_op()
    while parent is not None and parent is not until:
        yield parent
        parent = parent.parent_op()


def _enclosing(op: Operation) -> list[tuple[type[Operation], int]]:
    return [(type(parent), _dim(parent)) for parent in _parents(op)]


def _dim(op: Operation) -> int:
    return op.dimension if isinstance(op, ParallelMapBase) else 0


def is_in(op: Operation, level: type[Operation]) -> bool:
    """Whether an operation of class `level` is around `op`."""
    return any(isinstance(parent, level) for parent in _parents(op))
