"""What work-items of different groups must not exchange within a kernel.

OpenCL has no barrier for all work-items: what a `map_global` or `map_workgroup` inside of another
one computes is for the result only. (On the host, each map has a kernel of its own, and the next
kernel may read all of its result.)
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.layouts import is_layout

GRID = (pattern.MapGlobalOp, pattern.MapWorkgroupOp)
"""The maps whose work-items do not wait for each other."""


def refuse_unordered_reads(op: Operation, copied: Collection[SSAValue]) -> None:
    """Refuse to read the result of `op`, part of a kernel, with one of `GRID` in it.

    `copied`: the yielded values of the block that are not computed in their destination.

    Raises:
        PolyclError: located, at what reads the result.
    """
    around = op.parent_op()
    if isinstance(around, pattern.IterateOp):
        raise _error(around, "it reads what its previous iteration computed", op)
    (result,) = op.results
    values = [result]
    while values:
        value = values.pop()
        if value in copied:
            raise _error(op, "its result is not written in place, and its copy reads it", op)
        for use in value.uses:
            reader = use.operation
            if reader.parent is op.parent and is_layout(reader):
                values += reader.results
            elif not _is_harmless(reader, value, op):
                raise _error(reader, "it reads what other work-items computed", op)


def _is_harmless(reader: Operation, value: SSAValue, op: Operation) -> bool:
    """Whether `reader` yields `value`, or each work-item reads the element that it has written."""
    if reader.parent is not op.parent:
        return False
    if isinstance(reader, pattern.YieldOp):
        return True
    if not isinstance(op, GRID) or not isinstance(reader, GRID) or value is not op.result:
        return False
    return (type(reader), reader.dimension) == (type(op), op.dimension)


def _error(reader: Operation, what: str, op: Operation) -> Exception:
    return error_at(
        reader,
        f"'{reader.name}': {what} ('{op.name}' inside of a kernel), and there is no barrier for "
        "the work-items of different groups; compute the array before the outer map, or by a "
        "'pattern.map_local' in a 'pattern.map_workgroup'",
    )
