"""`loops-to-parallel`: loops whose iterations are independent become parallel ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from polycl.lowering.build import Build
from polycl.remarks import emit_remark

_KNOWN = ("arith", "math", "scf", "vec", "vector", "ub")
_MEMORY = (memref.LoadOp, memref.StoreOp, memref.DimOp)


@dataclass(frozen=True)
class LoopsToParallelPass(ModulePass):
    """Make `scf.parallel` of the outermost loops of a function whose iterations are independent.

    ```
    scf.for %i = %c0 to %n step %c1 {          scf.parallel (%i, %j) = (%c0, %c0)
      scf.for %j = %c0 to %m step %c1 {            to (%n, %m) step (%c1, %c1) {
        %v = memref.load %x[%j, %i]        ->      %v = memref.load %x[%j, %i]
        memref.store %v, %y[%i, %j]                memref.store %v, %y[%i, %j]
      } }                                        }
    ```

    Iterations are independent if the loop carries no value and, for each array that it writes, all
    its accesses use the loop's counter, or the counter plus one value from outside, as the index
    of the same dimension. Different arguments are different arrays, as `linalg` and `affine`
    assume it, too. Loops directly inside of one another become one `scf.parallel`. A loop that
    stays sequential has a remark that says why.
    """

    name = "loops-to-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and "gpu.kernel" not in function.attributes:
                for block in function.body.blocks:
                    self._block(block)
                nests = [op for op in function.walk() if isinstance(op, scf.ParallelOp)]
                for nest in nests:
                    if nest.parent is not None:
                        _join(nest)

    def _block(self, block: Block) -> None:
        for op in list(block.ops):
            if isinstance(op, scf.ForOp):
                why = _why_sequential(op)
                if not why:
                    new = _parallel(op)
                    self._inner(new.body.block)
                    continue
                emit_remark(op, self.name, f"this loop stays sequential: {why}")
            if isinstance(op, scf.ForOp | scf.IfOp):
                for region in op.regions:
                    for inner in region.blocks:
                        self._block(inner)

    def _inner(self, block: Block) -> None:
        """A loop that is all that a parallel one contains may be another dimension of it."""
        loops = [op for op in block.ops if not op.has_trait(IsTerminator) and not _is_pure(op)]
        if len(loops) == 1 and isinstance(loops[0], scf.ForOp) and not _why_sequential(loops[0]):
            self._inner(_parallel(loops[0]).body.block)


def _is_pure(op: Operation) -> bool:
    """Whether an operation may run before a loop that it is in: a division may fail."""
    may_fail = "div" in op.name or "rem" in op.name
    return (op.name.startswith("arith.") and not may_fail) or isinstance(op, memref.DimOp)


def _why_sequential(loop: scf.ForOp) -> str:
    """The reason why the iterations of a loop depend on one another, or ""."""
    if loop.results:
        return "it carries a value from iteration to iteration"
    accesses: dict[SSAValue, list[memref.LoadOp | memref.StoreOp]] = {}
    for op in loop.body.walk():
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            accesses.setdefault(_root(op.memref), []).append(op)
        elif op.name.partition(".")[0] not in _KNOWN and not isinstance(op, _MEMORY):
            return f"'{op.name}' in it may access any memory"
        elif op.name in ("vector.load", "vector.store"):
            return f"'{op.name}' accesses several elements"
    stores = [op for ops in accesses.values() for op in ops if isinstance(op, memref.StoreOp)]
    if not stores:
        return "it stores nothing"
    for array in {_root(op.memref): None for op in stores}:
        if _is_made_in(array, loop):
            continue
        if any(op.memref is not array for op in accesses[array]):
            return f"it accesses {_named(array)} through views"
        if not _separates(loop, accesses[array]):
            return f"its iterations may access the same elements of {_named(array)}"
    return ""


def _named(array: SSAValue) -> str:
    return f"%{array.name_hint}" if array.name_hint else "an array"


def _root(value: SSAValue) -> SSAValue:
    """The array of which a memref is a view."""
    while isinstance(value.owner, Operation) and value.owner.operands:
        sources = [v for v in value.owner.operands if isinstance(v.type, MemRefType)]
        if len(sources) != 1:
            break
        value = sources[0]
    return value


def _is_made_in(array: SSAValue, loop: scf.ForOp) -> bool:
    """Whether each iteration has an array of its own."""
    return isinstance(array.owner, memref.AllocOp | memref.AllocaOp) and loop.is_ancestor(
        array.owner
    )


def _separates(loop: scf.ForOp, accesses: Sequence[memref.LoadOp | memref.StoreOp]) -> bool:
    """Whether a dimension tells which iteration accesses an element."""
    counter = loop.body.block.args[0]
    rank = len(accesses[0].indices)
    for dim in range(rank):
        shifts = [_shift(op.indices[dim], counter, loop) for op in accesses]
        if all(shift == shifts[0] and shift is not None for shift in shifts):
            return True
    return False


def _shift(index: SSAValue, counter: SSAValue, loop: scf.ForOp) -> tuple[object, ...] | None:
    """What an index adds to the counter: nothing, or a value from outside; None if it is neither.

    Constants are compared by their numbers.
    """
    if index is counter:
        return ()
    op = index.owner
    if not isinstance(op, arith.AddiOp | arith.SubiOp):
        return None
    left, right = op.operands
    if isinstance(op, arith.AddiOp) and left is not counter:
        left, right = right, left
    if left is not counter:
        return None
    constant = right.owner
    if isinstance(constant, arith.ConstantOp):
        return (op.name, str(constant.value))
    inside = isinstance(constant, Block | Operation) and loop.is_ancestor(constant)
    return None if inside else (op.name, id(right))


def _parallel(loop: scf.ForOp) -> scf.ParallelOp:
    region = loop.detach_region(loop.body)
    end = region.block.last_op
    assert end is not None
    Build(loop, region.block).emit_void(scf.ReduceOp())
    Rewriter.erase_op(end)
    new = scf.ParallelOp([loop.lb], [loop.ub], [loop.step], region)
    Build(loop).emit_void(new)
    new.body.block.args[0].name_hint = region.block.args[0].name_hint
    Rewriter.erase_op(loop)
    return new


def _join(outer: scf.ParallelOp) -> None:
    """Make one loop of `outer` and those that are all that it contains."""
    while True:
        rest = list(outer.body.block.ops)[:-1]
        inner = rest.pop() if rest else None
        if not isinstance(inner, scf.ParallelOp) or inner.initVals or outer.initVals:
            return
        if not all(map(_is_pure, rest)):
            return
        for op in rest:
            if not any(outer.is_ancestor(operand.owner) for operand in op.operands):
                op.detach()
                Rewriter.insert_op(op, InsertPoint.before(outer))
        bounds = (*inner.lowerBound, *inner.upperBound, *inner.step)
        if any(outer.is_ancestor(bound.owner) for bound in bounds):
            return
        outer = _joined(outer, inner)


def _joined(outer: scf.ParallelOp, inner: scf.ParallelOp) -> scf.ParallelOp:
    block = outer.body.block
    for argument in inner.body.block.args:
        new = block.insert_arg(argument.type, len(block.args))
        argument.replace_all_uses_with(new)
    end = block.last_op
    assert end is not None
    Rewriter.erase_op(end)
    for op in list(inner.body.block.ops):
        op.detach()
        block.add_op(op)
    joined = scf.ParallelOp(
        [*outer.lowerBound, *inner.lowerBound],
        [*outer.upperBound, *inner.upperBound],
        [*outer.step, *inner.step],
        outer.detach_region(outer.body),
    )
    Build(outer).emit_void(joined)
    Rewriter.erase_op(inner)
    Rewriter.erase_op(outer)
    return joined
