"""`wg-to-scf`: parallel regions become loops over the work-items of the group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf, ub
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import UNROLL
from polycl.lowering.build import Build
from polycl.lowering.wg.building import IndexConstants, local_size_of
from polycl.lowering.wg.wg_lower_contexts import lower_contexts


@dataclass(frozen=True)
class WgToScfPass(ModulePass):
    """Turn `wg.parallel` into loops and context arrays into memory.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {      scf.for %y = %c0 to %c4 step %c1 {
      %v = wg.get %c[%x, %y, %z] : ...             ->     scf.for %x = %c0 to %c64 step %c1 {
    }                                                       %i = %y * 64 + %x
                                                            %v = ocl.load %c[%i] : ...
    ```

    z is outermost, x innermost; a dimension of size 1 has no loop. Work-item (x, y, z) has the
    slot [(z * Ly + y) * Lx + x] of a context array; a slot of i1 is an i8, one of index an i64.
    Async copies become loops, and waiting for them nothing. A local size that is read at the launch
    is the loops' bound; then `wg-lower-contexts` runs before, with the option `most`.

    Raises:
        PolyclError: located: the local size is not constant, and there are context arrays or
            regions with steps.
    """

    name = "wg-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            if not _reads_sizes(function):
                local_size_of(function)
            index = IndexConstants(function)
            lower_contexts(function, index)
            kinds = (wg.ParallelOp, ocl.AsyncCopyOp, ocl.WaitEventsOp)
            for inner in operations_of(function.body, *kinds):
                match inner:
                    case wg.ParallelOp():
                        _rewrite_parallel(inner, index)
                    case ocl.AsyncCopyOp():
                        _rewrite_copy(inner, index)
                    case ocl.WaitEventsOp():
                        Rewriter.erase_op(inner)


def _reads_sizes(function: wg.FuncOp) -> bool:
    """Whether each region has one work-item a step, and a size that is not constant."""
    regions = operations_of(function.body, wg.ParallelOp)
    return function.local_size is None and all(
        region.step is None and None in map(constant_index, region.sizes) for region in regions
    )


def _rewrite_parallel(op: wg.ParallelOp, index: IndexConstants) -> None:
    """The nest of loops; the results go through all of them."""
    steps = op.steps
    loops_along = [constant_index(op.sizes[d]) != steps[d] for d in range(3)]
    build = Build(op)
    zero = index(0)
    values: Sequence[SSAValue] = ()
    if any(loops_along):
        values = [build.emit(ub.PoisonOp(result.type)) for result in op.res]
    ids = [zero, zero, zero]
    loops: list[scf.ForOp] = []
    for dimension in (2, 1, 0):
        if not loops_along[dimension]:
            continue
        body = Block(arg_types=[IndexType(), *(value.type for value in values)])
        body.args[0].name_hint = op.local_ids[dimension].name_hint
        loop = scf.ForOp(zero, op.sizes[dimension], index(steps[dimension]), values, Region(body))
        build.emit_void(loop)
        loops.append(loop)
        build = Build(op, body)
        ids[dimension] = body.args[0]
        values = body.args[1:]
    yielded = op.yielded
    yielded.detach()
    if loops and UNROLL in op.attributes:
        loops[-1].attributes[UNROLL] = op.attributes[UNROLL]
    if loops:
        innermost = loops[-1].body.block
        Rewriter.inline_block(op.body.block, InsertPoint.at_end(innermost), ids)
    else:
        Rewriter.inline_block(op.body.block, InsertPoint.before(op), ids)
    results: Sequence[SSAValue] = list(yielded.values)
    for loop in reversed(loops):
        Build(op, loop.body.block).emit_void(scf.YieldOp(*results))
        results = loop.results
    Rewriter.replace_op(op, [], results)
    yielded.erase()


def _rewrite_copy(op: ocl.AsyncCopyOp, index: IndexConstants) -> None:
    """`target[i * a] = source[i * b]`, the stride on the side in global memory."""
    build = Build(op)
    with build.loop(index(0), op.count, index(1)) as i:
        target, source = i, i
        if op.stride is not None:
            strided = build.mul(i, op.stride)
            if ocl.space_of(op.source) == ocl.AddressSpace.GLOBAL:
                source = strided
            else:
                target = strided
        value = build.emit(ocl.LoadOp(op.source, source))
        build.emit_void(ocl.StoreOp(value, op.target, target))
    Rewriter.replace_op(op, [], [op.event])
