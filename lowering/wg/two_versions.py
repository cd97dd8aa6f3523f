"""A copy of a region that runs where the group has some property."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i64
from xdsl.ir import Block, Region, SSAValue

from polycl.dialects import wg
from polycl.dialects.inside import operations_in
from polycl.dialects.wg.attributes import LANES, RARE
from polycl.lowering.build import Build
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
    types = [result.type for result in region.res]
    then, orelse = Block(), Block()
    split = scf.IfOp(condition, types, Region(then), Region(orelse))
    Build(region).emit_void(split)
    for old, new in zip(region.res, split.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    region.detach()
    for block, version in ((then, copy), (orelse, region)):
        block.add_op(version)
        Build(region, block).emit_void(scf.YieldOp(*version.res))
    return copy
