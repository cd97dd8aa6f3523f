"""What the passes on the `wg` form share: sizes, constants at the top of a function, loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import wg
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.wg.attributes import SPREAD
from polycl.errors import PolyclError, error_at
from polycl.lowering.build import Build

Size3 = tuple[int, int, int]


def local_size_of(function: wg.FuncOp) -> Size3:
    """The local size: that of the attribute, which no region exceeds, else that of all regions."""
    regions = operations_of(function.body, wg.ParallelOp)
    if function.local_size is not None:
        x, y, z = (int(size) for size in function.local_size.get_values())
        for region in regions:
            sizes = [constant_index(size) for size in region.sizes]
            if any(s is not None and s > n for s, n in zip(sizes, (x, y, z), strict=True)):
                # A tile may exceed the remaining work-items; its other lanes are masked off then.
                if region.step is None and SPREAD not in region.attributes:
                    raise _wrong_size(region, sizes, (x, y, z))
        return x, y, z
    found: Size3 | None = None
    for region in regions:
        x, y, z = (constant_index(size) for size in region.sizes)
        if x is None or y is None or z is None:
            raise error_at(
                region,
                f"the local size of '{function.sym_name.data}' is not constant; "
                "run ocl-set-local-size{size=X,Y,Z} before ocl-to-wg",
            )
        # A region with steps is for a part of the work-items.
        if region.step is not None:
            continue
        if found not in (None, (x, y, z)):
            raise _wrong_size(region, (x, y, z), found)
        found = x, y, z
    return found or (1, 1, 1)


def _wrong_size(region: wg.ParallelOp, found: Sequence[int | None], expected: Size3) -> PolyclError:
    have, want = ("x".join(map(str, size)) for size in (found, expected))
    return error_at(region, f"a parallel region of size {have} in a function for {want}")


class IndexConstants:
    """Numbers of type index: one constant for each, at the top of the function."""

    def __init__(self, function: wg.FuncOp):
        self._function = function
        self._known: dict[int, SSAValue] = {}

    def __call__(self, value: int) -> SSAValue:
        if value not in self._known:
            top = Build(self._function, InsertPoint.at_start(self._function.body.block))
            self._known[value] = top.index(value)
            self._known[value].name_hint = f"c{value}"
        return self._known[value]


def operations_for(values: Sequence[SSAValue], loop: scf.ForOp) -> list[Operation]:
    """The operations inside of a loop that compute these values, in order."""
    needed: set[Operation] = set()
    pending = list(values)
    while pending:
        op = pending.pop().owner
        if isinstance(op, Operation) and loop.is_ancestor(op) and op not in needed:
            needed.add(op)
            pending += op.operands
    return [op for op in operations_in(loop.body) if op in needed]


def erase_unused(body: Block) -> None:
    """Erase what nothing uses of a body that only reads."""
    for op in reversed(list(body.ops)):
        if op.results and not any(result.first_use for result in op.results):
            Rewriter.erase_op(op)


def run_from(
    region: wg.ParallelOp, dimension: int, first: SSAValue, count: SSAValue
) -> wg.ParallelOp:
    """Make a region run for `count` work-items from `first` on."""
    region.operands[dimension] = count
    id = region.local_ids[dimension]
    moved = arith.AddiOp(id, first)
    moved.location = region.location
    id.replace_all_uses_with(moved.result)
    moved.operands[0] = id
    Rewriter.insert_op(moved, InsertPoint.at_start(region.body.block))
    return region
