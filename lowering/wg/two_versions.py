"""A copy of a region that runs where the group has some property."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i64
from xdsl.ir import SSAValue

from polycl.dialects import wg
from polycl.dialects.inside import operations_in
from polycl.dialects.wg.attributes import LANES, RARE
from polycl.lowering.ocl.moving import execute_if
from polycl.remarks import emit_remark

MOST_OPERATIONS = 400
"""The most operations of a region that is copied."""


def is_too_large(region: wg.ParallelOp, name: str, most: int = MOST_OPERATIONS) -> bool:
    """Whether a region is not copied for its size, which is a remark of the pass `name`."""
    if len(operations_in(region.body)) <= most:
        return False
    emit_remark(region, name, f"not split: more than {most} operations")
    return True


def mark_rare(region: wg.ParallelOp, most: int) -> None:
    """Note that groups hardly ever run a region: one of more than `most` operations has no vectors,
    so that the other version is compiled as if it was alone."""
    region.attributes[RARE] = UnitAttr()
    if len(operations_in(region.body)) > most:
        region.attributes[LANES] = DenseArrayBase.from_list(i64, [1, 1, 1])


def two_versions(region: wg.ParallelOp, condition: SSAValue) -> wg.ParallelOp:
    """Replace a region by `if condition { a copy of it } else { the region }`; the copy."""
    copy = region.clone()
    execute_if(region, condition, lambda build: build.emit_all(copy), wanted=False)
    return copy
