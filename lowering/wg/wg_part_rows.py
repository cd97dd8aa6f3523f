"""`wg-part-rows`: a loop that writes a row of each work-item's own gets a region of its own."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted
from polycl.lowering.wg.wg_vectorize.accesses import access_stride
from polycl.lowering.wg.wg_vectorize.loop_vectors import accesses_rows, vectorizes_alone
from polycl.remarks import emit_remark

LEAST_WORK_ITEMS = 8
"""Of a group: fewer do not fill a vector."""

MOST_BYTES = 4
"""Of what a loop carries: with eight lanes, rows cost as much to read as sums take one by one."""

_MAY_WAIT = (ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp, ocl.FenceOp, func.CallOp)


@dataclass(frozen=True)
class WgPartRowsPass(ModulePass):
    """Put barriers without fences around loops over rows that are vectors of one work-item.

    ```
    %s = scf.for %j = ... iter_args(%p = %zero) {     the same
      ... %p + in[%row + %j] ...
    }
                                                  ->  ocl.barrier
    scf.for %j = ... { out[%row + %j] = ... }         scf.for %j = ... { out[%row + %j] = ... }
    ```

    `ocl-to-wg`, which runs after it, cuts the kernel at barriers. A sum of floats has an order, so
    that vectors of work-items compute it; what writes rows is best as vectors of the iterations,
    which lie side by side. In one region all loops have the same vectors, and rows would be
    scattered. Work-items between barriers are independent, so that any order of them is right.

    A loop that writes its row and sums what it writes becomes two: the second one reads the row.

    This is for kernels, as `wg-interchange` is, if they have no atomics. A loop is in no other one,
    but for one that does no more than to write such rows (the planes of a group of channels), and
    beside it is one that carries floats, or what it has found, for as many iterations in all
    work-items.
    """

    name = "wg-part-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            size = kernel.required_size
            if size is None or size[0] * size[1] * size[2] < LEAST_WORK_ITEMS:
                continue
            # A work-item that holds a lock must not wait for one that wants it.
            if (
                len(kernel.body.blocks) == 1
                and any(map(_stores_of, operations_of(kernel.body, scf.ForOp)))
                and not operations_of(kernel.body, *_MAY_WAIT)
            ):
                _part_block(kernel.body.block, Uniformity(kernel, small_buffers=True))


def _part_block(block: Block, facts: Uniformity) -> None:
    for branch in [op for op in block.ops if isinstance(op, scf.IfOp)]:
        for side in branch.regions:
            for inner in side.blocks:
                _part_block(inner, facts)
    loops = [op for op in block.ops if isinstance(op, scf.ForOp)]
    rows = [loop for loop in loops if _writes_rows(loop, facts)]
    for loop in rows:
        if loop.results:
            if _is_for_lanes(loop, facts):
                _set_apart(_without_sums(loop))
        elif any(other not in rows and _is_for_lanes(other, facts) for other in loops):
            _set_apart(loop)


def _writes_rows(loop: scf.ForOp, facts: Uniformity) -> bool:
    """Whether the iterations of a loop that stores are vectors, but for sums of what it stores, and
    work-items write to different places; or whether a loop holds such loops, and does no more."""
    if inner := [op for op in loop.body.block.ops if isinstance(op, scf.ForOp)]:
        others = [op for op in loop.body.block.ops if op not in inner]
        return (
            not loop.results
            and all(not row.results and _writes_rows(row, facts) for row in inner)
            and all(map(_only_reads, others))
        )
    stores = _stores_of(loop)
    if not any(access_stride(facts, op, axis) != 0 for op in stores for axis in range(3)):
        return False
    return accesses_rows(loop, LoopStrides(loop)) and _is_separable(loop)


def _only_reads(op: Operation) -> bool:
    return isinstance(op, ocl.LoadOp | scf.YieldOp) or (
        all(map(_only_reads, operations_in(op)[1:]))
        if isinstance(op, scf.IfOp)
        else is_side_effect_free(op)
    )


def _stores_of(loop: scf.ForOp) -> list[ocl.StoreOp]:
    return [op for op in loop.body.block.ops if isinstance(op, ocl.StoreOp)]


def _is_for_lanes(loop: scf.ForOp, facts: Uniformity) -> bool:
    """Whether a loop is best as vectors of work-items: iterations wait for each other."""
    return (
        bool(loop.results)
        and all(size_of(result.type) <= MOST_BYTES for result in loop.results)
        and all(facts.is_uniform(bound) for bound in (loop.lb, loop.ub, loop.step))
        and bool(operations_of(loop, ocl.LoadOp))
        and not operations_of(loop, *CUTS)
        and not vectorizes_alone(loop, LoopStrides(loop))
    )


def _set_apart(loop: scf.ForOp) -> None:
    emit_remark(loop, WgPartRowsPass.name, "in a region of its own: it writes rows")
    block = loop.parent
    assert block is not None
    ops = list(block.ops)
    place = ops.index(loop)
    for others, point in (
        (ops[:place], InsertPoint.before(loop)),
        (ops[place + 1 : -1], InsertPoint.after(loop)),
    ):
        if not all(map(is_side_effect_free, others)):
            Build(loop, point).emit_void(ocl.BarrierOp())


# Sums of what is stored


def _is_separable(loop: scf.ForOp) -> bool:
    """Whether what a loop carries is computed from its counter and from what it stores."""
    if not loop.results:
        return True
    stores = operations_of(loop.body, ocl.StoreOp)
    if len(stores) != 1 or stores[0].volatile is not None:
        return False
    return all(map(is_side_effect_free, _of_sums(loop))) and _reads_what_is_stored(loop, stores[0])


def _of_sums(loop: scf.ForOp) -> list[Operation]:
    """The operations that depend on what a loop carries."""
    carried: set[SSAValue] = set(loop.body.block.args[1:])
    found: list[Operation] = []
    for op in list(loop.body.block.ops)[:-1]:
        if not carried.isdisjoint(op.operands):
            carried.update(op.results)
            found.append(op)
    return found


def _reads_what_is_stored(loop: scf.ForOp, store: ocl.StoreOp) -> bool:
    """Whether sums, and where they are read, need nothing from memory but what the loop stores."""
    seen: set[SSAValue] = set()
    values = [*terminator(loop.body.block).operands, *store.operands[1:]]
    while values:
        value = values.pop()
        if value in seen or not loop.is_ancestor(value.owner):
            continue
        seen.add(value)
        if isinstance(value.owner, Operation) and value is not store.value:
            if not is_side_effect_free(value.owner):
                return False
            values += value.owner.operands
    return store.value in seen


def _without_sums(loop: scf.ForOp) -> scf.ForOp:
    """Compute the sums in a loop of their own, from the row; the loop that writes the row."""
    (store,) = operations_of(loop.body, ocl.StoreOp)
    body = loop.body.block
    inner = Block(arg_types=body.arg_types)
    for new, old in zip(inner.args, body.args, strict=True):
        new.name_hint = old.name_hint
    build = Build(store, inner)
    known: dict[SSAValue, SSAValue] = dict(zip(body.args, inner.args, strict=True))

    def again(value: SSAValue) -> SSAValue:
        return hoisted(value, loop, known, build.point)

    index = None if store.index is None else again(store.index)
    known[store.value] = build.emit(ocl.LoadOp(again(store.pointer), index))
    known[store.value].name_hint = store.value.name_hint
    build.emit_void(scf.YieldOp(*map(again, terminator(body).operands)))
    build = Build(loop, InsertPoint.after(loop))
    sums = scf.ForOp(loop.lb, loop.ub, loop.step, loop.iter_args, Region(inner))
    build.emit_void(sums)
    for result, sum in zip(loop.results, sums.results, strict=True):
        result.replace_all_uses_with(sum)
    for op in reversed(_of_sums(loop)):
        Rewriter.erase_op(op, safe_erase=False)
    Rewriter.replace_op(terminator(body), scf.YieldOp())
    for argument in reversed(body.args[1:]):
        body.erase_arg(argument)
    row = scf.ForOp(loop.lb, loop.ub, loop.step, [], loop.detach_region(loop.body))
    Build(loop).emit_void(row)
    Rewriter.erase_op(loop)
    return row
