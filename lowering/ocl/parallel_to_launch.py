"""`parallel-to-launch`: parallel loops, and the code between them, become launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, gpu, memref, scf, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects.parents import parents
from polycl.errors import error_at
from polycl.lowering.build import Build

_ACCESSES = (
    memref.LoadOp,
    memref.StoreOp,
    memref.AtomicRMWOp,
    vector.LoadOp,
    vector.StoreOp,
)


@dataclass(frozen=True)
class ParallelToLaunchPass(ModulePass):
    """Make a `gpu.launch` of each outermost `scf.parallel`, with a work-item for each iteration.

    ```
    scf.parallel (%i) = (%c0) to (%n)          gpu.launch blocks (.., .., ..) in (%n, %c1, %c1)
        step (%c1) {                             threads (.., .., ..) in (%c1, %c1, %c1) {
      memref.store %v, %x[%i] : ..       ->      %i = gpu.global_id x
    }                                            memref.store %v, %x[%i] : ..
                                                 gpu.terminator }
    ```

    The last dimension is `x`; of more than three, all but the last two share `z`. Blocks have one
    work-item: no code depends on the groups, so that a device chooses them. Code between
    parallel loops that accesses memory is a launch of one work-item, and so is an `scf.parallel`
    that reduces, whose iterations run in order. `memref.copy` is a parallel loop. Loops
    and branches around parallel loops stay: they are code of the host.

    Raises:
        PolyclError: located: a value that such code reads from memory is needed by the host.
    """

    name = "parallel-to-launch"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and "gpu.kernel" not in function.attributes:
                for nested in list(function.walk()):
                    if isinstance(nested, memref.CopyOp) and not _is_in_launch(nested):
                        _copy_in_parallel(nested)
                for nested in list(function.walk()):
                    if isinstance(nested, scf.ParallelOp) and (
                        nested.initVals or _is_in_launch(nested)
                    ):
                        sequential(nested)
                for block in function.body.blocks:
                    _launch_in(block)


def _is_in_launch(op: Operation) -> bool:
    return any(isinstance(parent, gpu.LaunchOp | scf.ParallelOp) for parent in parents(op))


def _launch_in(block: Block) -> None:
    """Launches for the operations of a block of the host."""
    stretch: list[Operation] = []
    for op in list(block.ops):
        if isinstance(op, scf.ParallelOp | gpu.LaunchOp) or _has_launches(op):
            _launch_stretch(stretch)
            stretch = []
            if isinstance(op, scf.ParallelOp):
                _launch_parallel(op)
            elif not isinstance(op, gpu.LaunchOp):
                for region in op.regions:
                    for inner in region.blocks:
                        _launch_in(inner)
        elif not op.has_trait(IsTerminator):
            stretch.append(op)
    _launch_stretch(stretch)


def _has_launches(op: Operation) -> bool:
    return any(
        isinstance(nested, scf.ParallelOp | gpu.LaunchOp | gpu.LaunchFuncOp) for nested in op.walk()
    )


def _copy_in_parallel(op: memref.CopyOp) -> None:
    build, type = Build(op), op.source.type
    if not isinstance(type, MemRefType):
        raise error_at(op, f"'{op.name}' of {type}: expected a ranked memref")
    shape = type.get_shape()
    body = Block(arg_types=[IndexType()] * len(shape))
    if shape:
        sizes = [
            build.emit(memref.DimOp(op.source, build.index(dim)))
            if size == DYNAMIC_INDEX
            else build.index(size)
            for dim, size in enumerate(shape)
        ]
        zero, one = build.index(0), build.index(1)
        rank = len(shape)
        build.emit_void(scf.ParallelOp([zero] * rank, sizes, [one] * rank, Region(body)))
    inside = Build(op, body) if shape else build
    value = inside.emit(memref.LoadOp.get(op.source, body.args))
    inside.emit_void(memref.StoreOp.get(value, op.destination, body.args))
    if shape:
        inside.emit_void(scf.ReduceOp())
    Rewriter.erase_op(op)


def sequential(op: scf.ParallelOp) -> None:
    """Make loops of a parallel one; they carry what it reduces."""
    build, end = Build(op), op.body.block.last_op
    assert isinstance(end, scf.ReduceOp)
    values: Sequence[SSAValue] = op.initVals
    outermost: scf.ForOp | None = None
    counters: list[SSAValue] = []
    for low, high, step in zip(op.lowerBound, op.upperBound, op.step, strict=True):
        body = Block(arg_types=[IndexType(), *(value.type for value in values)])
        loop = scf.ForOp(low, high, step, values, Region(body))
        build.emit_void(loop)
        if outermost is not None:
            build.emit_void(scf.YieldOp(*loop.results))
        outermost = outermost or loop
        counters.append(body.args[0])
        values = body.args[1:]
        build = Build(op, body)
    assert outermost is not None
    innermost = build.block
    for argument, counter in zip(op.body.block.args, counters, strict=True):
        argument.replace_all_uses_with(counter)
    for nested in list(op.body.block.ops):
        if nested is not end:
            nested.detach()
            innermost.add_op(nested)
    results: list[SSAValue] = []
    for region, old, new in zip(end.reductions, values, end.args, strict=True):
        combine = region.block
        last = combine.last_op
        assert isinstance(last, scf.ReduceReturnOp)
        for argument, value in zip(combine.args, (old, new), strict=True):
            argument.replace_all_uses_with(value)
        for nested in list(combine.ops):
            if nested is not last:
                nested.detach()
                innermost.add_op(nested)
        results.append(last.result)
    Build(op, innermost).emit_void(scf.YieldOp(*results))
    Rewriter.replace_op(op, [], outermost.results)


def _launch_parallel(op: scf.ParallelOp) -> None:
    outside = Build(op)
    bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
    extents = [_extent(outside, *bound) for bound in bounds]
    one = outside.index(1)
    shared = extents[:-2] if len(extents) > 3 else []
    sizes = extents[len(shared) :]
    if shared:
        product = shared[0]
        for extent in shared[1:]:
            product = outside.mul(product, extent)
        sizes = [product, *sizes]
    grid = [*reversed(sizes), one, one][:3]
    body = Block(arg_types=[IndexType()] * 12)
    launch = gpu.LaunchOp(Region(body), grid, [one] * 3)
    outside.emit_void(launch)
    inside = Build(op, body)
    names = ["z", "y", "x"][-len(sizes) :]
    ids = [
        inside.emit(gpu.GlobalIdOp(gpu.DimensionAttr(gpu.DimensionEnum(name)))) for name in names
    ]
    if shared:
        ids = [*_split(inside, ids[0], shared), *ids[1:]]
    for id, argument, low, step in zip(
        ids, op.body.block.args, op.lowerBound, op.step, strict=True
    ):
        index = inside.add(low, inside.mul(id, step)) if not _is(low, 0) or not _is(step, 1) else id
        index.name_hint = argument.name_hint
        argument.replace_all_uses_with(index)
    for nested in list(op.body.block.ops):
        if not isinstance(nested, scf.ReduceOp):
            nested.detach()
            body.add_op(nested)
    inside.emit_void(gpu.TerminatorOp())
    Rewriter.erase_op(op)


def _split(build: Build, id: SSAValue, extents: Sequence[SSAValue]) -> list[SSAValue]:
    """The indices of several dimensions from the id that they share; the last one is fastest."""
    found: list[SSAValue] = []
    for extent in reversed(extents[1:]):
        found.append(build.alike(arith.RemUIOp, id, extent))
        id = build.alike(arith.DivUIOp, id, extent)
    return [id, *reversed(found)]


def _extent(build: Build, low: SSAValue, high: SSAValue, step: SSAValue) -> SSAValue:
    """How many iterations a loop has."""
    count = high if _is(low, 0) else build.sub(high, low)
    return count if _is(step, 1) else build.alike(arith.CeilDivSIOp, count, step)


def _is(value: SSAValue, number: int) -> bool:
    return constant_index(value) == number


def _launch_stretch(ops: Sequence[Operation]) -> None:
    """A launch of one work-item, from the first of `ops` that accesses memory to the last."""
    places = [k for k, op in enumerate(ops) if any(isinstance(o, _ACCESSES) for o in op.walk())]
    if not places:
        return
    ops = ops[places[0] : places[-1] + 1]
    moved = [op for op in ops if not _stays(op)]
    for op in moved:
        for use in (use for result in op.results for use in result.uses):
            if not any(other.is_ancestor(use.operation) for other in moved):
                raise error_at(
                    op,
                    f"'{use.operation.name}' needs what this reads from memory, outside of a "
                    "parallel loop; pass the value as an argument",
                )
    place = InsertPoint.after(ops[-1])
    outside = Build(ops[0], place)
    one = outside.index(1)
    body = Block(arg_types=[IndexType()] * 12)
    outside.emit_void(gpu.LaunchOp(Region(body), [one] * 3, [one] * 3))
    for op in moved:
        op.detach()
        body.add_op(op)
    Build(ops[0], body).emit_void(gpu.TerminatorOp())


def _stays(op: Operation) -> bool:
    """Whether an operation between accesses is one of the host: memory, and what it needs."""
    memory = (memref.AllocOp, memref.AllocaOp, memref.DeallocOp, memref.DimOp, cf.AssertOp)
    if isinstance(op, memory):
        return True
    is_number = op.name.startswith("arith.") or op.name.startswith("memref.")
    return is_number and not isinstance(op, _ACCESSES) and not _depends_on_memory(op)


def _depends_on_memory(op: Operation) -> bool:
    """Whether a value of `op` comes from an access or from a loop."""
    return any(
        isinstance(value.owner, _ACCESSES)
        or (isinstance(value.owner, Operation) and bool(value.owner.regions))
        or (isinstance(value.owner, Operation) and _depends_on_memory(value.owner))
        for value in op.operands
        if isinstance(value.owner, Operation) and value.owner.parent is op.parent
    )
