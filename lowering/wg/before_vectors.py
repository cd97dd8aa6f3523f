"""Changes of a region that pay only where `wg-vectorize` makes vectors of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects import vector
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import vector_of
from polycl.lowering.build import Build
from polycl.lowering.wg.two_versions import two_versions
from polycl.lowering.wg.wg_vectorize.accesses import access_stride, accessed_type, gap_of
from polycl.lowering.wg.wg_vectorize.cycles import cycles_of
from polycl.lowering.wg.wg_vectorize.profit import Verdict, vectors_pay
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width

Access: TypeAlias = ocl.LoadOp | ocl.StoreOp

ROW_BYTES = 16
"""What a processor loads and shuffles at once, whatever its vectors have."""

Edit: TypeAlias = "tuple[Operation, Callable[[], None]]"
"""What an edit is about, and the edit."""

Find: TypeAlias = Callable[[wg.ParallelOp, Uniformity, int], Sequence[Edit]]
"""The edits of a region whose work-items along a dimension may become lanes."""


def edit_for_vectors(
    module: ModuleOp,
    find: Find,
    *,
    small_buffers: bool,
    processor: str,
    may_edit: Callable[[wg.ParallelOp], bool] = lambda region: True,
    condition_of: Callable[[wg.ParallelOp], SSAValue | None] | None = None,
) -> list[Operation]:
    """Edit the regions of which vectors are made then, and no other ones: what this was about.
    `processor` is as of `wg-vectorize`.

    `may_edit` is whether a region may have edits at all, which is known without facts.

    With `condition_of`, the edited version of a region runs where its condition holds, which is
    computed before, and the region as it was otherwise. It always holds where there is none.
    """
    done: list[Operation] = []
    cycles = cycles_of(processor)
    for function in functions_of(module, wg.FuncOp):
        facts = None
        for region in operations_of(function.body, wg.ParallelOp):
            if region.step is not None or not may_edit(region):
                continue
            facts = facts or Uniformity(function, small_buffers=small_buffers)
            sizes = largest_sizes(region)
            dimension = best_dimension(region, facts, sizes)
            edits = () if dimension is None else find(region, facts, dimension)
            if dimension is None or not edits:
                continue
            before = region.clone()
            for _, edit in edits:
                edit()
            facts.visit_changed(region)
            width = natural_width(region, facts, dimension, sizes[dimension] or 1)
            verdict = vectors_pay(region.body.block, facts, dimension, width, cycles=cycles)
            if verdict is Verdict.PAYS:
                done += [op for op, _ in edits]
                condition = None if condition_of is None else condition_of(region)
                if condition is None:
                    # Its uses of values would count.
                    before.erase()
                    continue
                two_versions(region, condition)
                facts = None
            Rewriter.replace_op(region, before)
            if facts is not None:
                facts.visit(before)
    return done


def is_far(op: Access, facts: Uniformity, dimension: int) -> bool:
    """Whether the elements of neighbouring work-items are gathered one by one."""
    type = accessed_type(op)
    if op.volatile is not None or not isinstance(type, IntegerType | AnyFloat):
        return False
    size, stride = size_of(type), access_stride(facts, op, dimension)
    if size not in (1, 2, 4, 8) or ocl.space_of(op.pointer) == ocl.AddressSpace.PRIVATE:
        return False
    return stride is None or abs(stride) > size and gap_of(stride, size) is None


def first_element(build: Build, op: Access, known: Mapping[SSAValue, SSAValue]) -> SSAValue:
    """The pointer to what `op` accesses, where its operands have the values in `known`."""
    pointer = known.get(op.pointer, op.pointer)
    if op.index is None:
        return pointer
    return build.emit(ocl.OffsetOp(pointer, known.get(op.index, op.index)))


def joined(build: Build, elements: Sequence[SSAValue]) -> SSAValue:
    """A vector of OpenCL C of scalars."""
    row = build.emit(vector.BroadcastOp(elements[0], vector_of(elements[0].type, len(elements))))
    for number, element in enumerate(elements[1:], 1):
        row = build.emit(vector.InsertOp(element, row, [number]))
    return row
