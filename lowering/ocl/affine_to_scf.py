"""`affine-to-scf`: loops and accesses of `affine` become those of `scf` and `memref`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.errors import error_at
from polycl.lowering.build import Build


@dataclass(frozen=True)
class AffineToScfPass(ModulePass):
    """Turn `affine.parallel` into `scf.parallel`, and all else of `affine` likewise.

    ```
    affine.parallel (%i) = (0) to (%n) {       scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %v = affine.load %x[%i + 1] : ..    ->     %j = arith.addi %i, %c1 : index
      ...                                        %v = memref.load %x[%j] : ..
    ```

    xDSL's `lower-affine` knows neither `affine.parallel` and `affine.if`, nor bounds with operands.

    Raises:
        PolyclError: located: an operation of `affine` that has no translation here.
    """

    name = "affine-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in list(op.walk()):
            if not nested.name.startswith("affine."):
                continue
            lower = _LOWERINGS.get(type(nested))
            if lower is None:
                raise error_at(nested, f"'{nested.name}' is not supported by affine-to-scf")
            lower(nested)


def affine_value(
    build: Build,
    expression: AffineExpr,
    dims: Sequence[SSAValue],
    symbols: Sequence[SSAValue] = (),
) -> SSAValue:
    """The value of an affine expression: operations at `build`."""
    match expression:
        case AffineConstantExpr():
            return build.index(expression.value)
        case AffineDimExpr():
            return dims[expression.position]
        case AffineSymExpr():
            return symbols[expression.position]
        case AffineBinaryOpExpr():
            left = affine_value(build, expression.lhs, dims, symbols)
            right = affine_value(build, expression.rhs, dims, symbols)
            match expression.kind:
                case AffineBinaryOpKind.Add:
                    return build.add(left, right)
                case AffineBinaryOpKind.Mul:
                    return build.mul(left, right)
                case AffineBinaryOpKind.FloorDiv:
                    return build.alike(arith.FloorDivSIOp, left, right)
                case AffineBinaryOpKind.CeilDiv:
                    return build.alike(arith.CeilDivSIOp, left, right)
                case AffineBinaryOpKind.Mod:
                    # Never negative: the divisor is positive.
                    quotient = build.alike(arith.FloorDivSIOp, left, right)
                    return build.sub(left, build.mul(quotient, right))
        case _:
            raise AssertionError(f"an unknown kind of affine expression: {expression}")


def _values(build: Build, map_: AffineMap, operands: Sequence[SSAValue]) -> list[SSAValue]:
    dims, symbols = operands[: map_.num_dims], operands[map_.num_dims :]
    return [affine_value(build, result, dims, symbols) for result in map_.results]


def _extreme(
    build: Build, values: Sequence[SSAValue], kind: type[arith.MaxSIOp | arith.MinSIOp]
) -> SSAValue:
    """The largest or the smallest of some bounds."""
    result = values[0]
    for value in values[1:]:
        result = build.alike(kind, result, value)
    return result


def _apply(op: affine.ApplyOp) -> None:
    values = _values(Build(op), op.map.data, op.mapOperands)
    Rewriter.replace_op(op, [], values)


def _min(op: affine.MinOp) -> None:
    build = Build(op)
    least = _extreme(build, _values(build, op.map.data, op.arguments), arith.MinSIOp)
    Rewriter.replace_op(op, [], [least])


def _load(op: affine.LoadOp) -> None:
    build = Build(op)
    loaded = build.emit(memref.LoadOp.get(op.memref, _values(build, op.map.data, op.indices)))
    Rewriter.replace_op(op, [], [loaded])


def _store(op: affine.StoreOp) -> None:
    build = Build(op)
    indices = _values(build, op.map.data, op.indices)
    build.emit_void(memref.StoreOp.get(op.value, op.memref, indices))
    Rewriter.erase_op(op)


def _vector_load(op: affine.VectorLoadOp) -> None:
    build = Build(op)
    indices = _values(build, op.map.data, op.indices)
    new = vector.LoadOp(op.memref, indices, op.result.type)
    Rewriter.replace_op(op, [], [build.emit(new)])


def _vector_store(op: affine.VectorStoreOp) -> None:
    build = Build(op)
    indices = _values(build, op.map.data, op.indices)
    build.emit_void(vector.StoreOp(op.value, op.memref, indices))
    Rewriter.erase_op(op)


def _yield(op: affine.YieldOp) -> None:
    build = Build(op)
    if isinstance(op.parent_op(), scf.ParallelOp):
        build.emit_void(scf.ReduceOp())
    else:
        build.emit_void(scf.YieldOp(*op.arguments))
    Rewriter.erase_op(op)


def _for(op: affine.ForOp) -> None:
    build = Build(op)
    low = _values(build, op.lowerBoundMap.data, op.lowerBoundOperands)
    high = _values(build, op.upperBoundMap.data, op.upperBoundOperands)
    start = _extreme(build, low, arith.MaxSIOp)
    end = _extreme(build, high, arith.MinSIOp)
    step = build.index(op.step.value.data)
    loop = scf.ForOp(start, end, step, op.inits, op.detach_region(op.body))
    build.emit_void(loop)
    _close(loop.body.block, op)
    Rewriter.replace_op(op, [], loop.results)


def _close(block: Block, op: Operation) -> None:
    """MLIR leaves the terminator of a region out where it takes nothing."""
    if not isinstance(block.last_op, affine.YieldOp):
        Build(op, block).emit_void(affine.YieldOp.create())
        end = block.last_op
        assert isinstance(end, affine.YieldOp)
        _yield(end)


def _parallel(op: affine.ParallelOp) -> None:
    if op.results:
        raise error_at(
            op,
            "'affine.parallel' with reductions is not supported; write an affine.for that carries "
            "the result, or scf.parallel with scf.reduce",
        )
    build = Build(op)
    below, above = op.lowerBoundsMap.data, op.upperBoundsMap.data
    count = below.num_dims + below.num_symbols
    low = _values(build, below, op.map_operands[:count])
    high = _values(build, above, op.map_operands[count:])
    starts, ends = (
        _grouped(build, values, groups.get_values(), kind)
        for values, groups, kind in (
            (low, op.lowerBoundsGroups, arith.MaxSIOp),
            (high, op.upperBoundsGroups, arith.MinSIOp),
        )
    )
    steps = [build.index(step.value.data) for step in op.steps]
    loop = scf.ParallelOp(starts, ends, steps, op.detach_region(op.body))
    build.emit_void(loop)
    _close(loop.body.block, op)
    Rewriter.erase_op(op)


def _grouped(
    build: Build,
    values: Sequence[SSAValue],
    groups: Sequence[int],
    kind: type[arith.MaxSIOp | arith.MinSIOp],
) -> list[SSAValue]:
    rest = iter(values)
    return [_extreme(build, [next(rest) for _ in range(count)], kind) for count in groups]


def _if(op: affine.IfOp) -> None:
    build, condition = Build(op), op.condition.data
    dims, symbols = op.args[: condition.num_dims], op.args[condition.num_dims :]
    holds: SSAValue | None = None
    for constraint in condition.constraints:
        left = affine_value(build, constraint.lhs, dims, symbols)
        right = affine_value(build, constraint.rhs, dims, symbols)
        kind = "eq" if constraint.kind.name == "eq" else f"s{constraint.kind.name}"
        this = build.compare(kind, left, right)
        holds = this if holds is None else build.and_(holds, this)
    if holds is None:
        raise error_at(op, "'affine.if' has a set without constraints")
    then, otherwise = op.then_region, op.else_region
    op.detach_region(then)
    op.detach_region(otherwise)
    new = scf.IfOp(holds, op.result_types, then, otherwise)
    build.emit_void(new)
    for region in new.regions:
        for block in region.blocks:
            _close(block, op)
    Rewriter.replace_op(op, [], new.results)


_LOWERINGS: dict[type[Operation], Callable[..., None]] = {
    affine.ApplyOp: _apply,
    affine.ForOp: _for,
    affine.IfOp: _if,
    affine.LoadOp: _load,
    affine.MinOp: _min,
    affine.ParallelOp: _parallel,
    affine.StoreOp: _store,
    affine.VectorLoadOp: _vector_load,
    affine.VectorStoreOp: _vector_store,
    affine.YieldOp: _yield,
}
