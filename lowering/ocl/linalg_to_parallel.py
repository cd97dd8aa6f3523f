"""`linalg-to-parallel`: operations of `linalg` on memrefs become parallel loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import cf, func, linalg, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, ModuleOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.ocl.affine_to_scf import affine_value


@dataclass(frozen=True)
class LinalgToParallelPass(ModulePass):
    """Turn each `linalg` operation on memrefs into `scf.parallel` and loops over its reductions.

    ```
    linalg.matmul                        scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step .. {
      ins(%a, %b : ..)                     %first = memref.load %c[%i, %j]
      outs(%c : memref<?x?xf32>)   ->      %sum = scf.for %k = %c0 to %l step %c1
                                               iter_args(%old = %first) -> (f32) { .. }
                                           memref.store %sum, %c[%i, %j]
                                         }
    ```

    The iterators that are `parallel` are dimensions of the `scf.parallel`, in their order; the
    others are loops inside, in their order, which carry what they compute. Sizes come from the
    operands' shapes, as in xDSL's `convert-linalg-to-loops`, which makes sequential loops of all
    iterators. An operation without parallel iterators becomes loops.

    Where several dimensions give the size of a loop, they are asserted to be equal.

    Raises:
        PolyclError: located: tensors, a map from which no sizes follow, or a parallel iterator
            that no output has.
    """

    name = "linalg-to-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in list(op.walk()):
            if nested.name.startswith("linalg.") and not _is_in_body(nested):
                _Lowering(nested).run()


def _is_in_body(op: Operation) -> bool:
    return isinstance(op, linalg.ops.YieldOp | linalg.ops.IndexOp)


class _Lowering:
    """One operation."""

    def __init__(self, op: Operation):
        self._op = op
        self._build = Build(op)
        for value in (*op.operands, *op.results):
            if not isinstance(value.type, MemRefType) and value.type.name == "tensor":
                raise error_at(
                    op,
                    f"'{op.name}' on {value.type}: expected memrefs; run mlir-opt "
                    "--one-shot-bufferize before",
                )
        self._outs = 1
        match op:
            case LinalgStructuredOperation():
                self._maps = [attr.data for attr in op.get_indexing_maps()]
                self._parallel = [
                    kind.data is linalg.attrs.IteratorType.PARALLEL
                    for kind in op.get_iterator_types()
                ]
                self._outs = len(op.outputs)
            case linalg.ops.ReduceOp():
                dims = len(self._shape(op.input))
                reduced = op.dimensions.get_values()
                self._parallel = [dim not in reduced for dim in range(dims)]
                self._maps = [AffineMap.identity(dims), _without(dims, reduced)]
            case linalg.ops.BroadcastOp():
                dims = len(self._shape(op.init))
                self._parallel = [True] * dims
                self._maps = [_without(dims, op.dimensions.get_values()), AffineMap.identity(dims)]
            case _:
                raise error_at(op, f"'{op.name}' is not supported by linalg-to-parallel")
        self._first_output = len(op.operands) - self._outs
        taken = len(op.regions[0].block.args)
        if taken != len(op.operands):
            raise error_at(
                op, f"'{op.name}': expected a body with {len(op.operands)} arguments, got {taken}"
            )
        if isinstance(op, linalg.ops.PoolingNchwMaxOp):
            # xDSL 0.74 takes the maximum with the window, of which only the shape counts.
            _, window, maximum = op.body.block.args
            window.replace_all_uses_with(maximum)

    def _shape(self, value: SSAValue) -> Sequence[int]:
        assert isinstance(value.type, MemRefType)
        return value.type.get_shape()

    def run(self) -> None:
        """Replace the operation."""
        op, build = self._op, self._build
        sizes = [self._size(dim) for dim in range(len(self._parallel))]
        # Each is replaced by the counter of its loop.
        dims = list(sizes)
        outer = [dim for dim, parallel in enumerate(self._parallel) if parallel]
        inner = [dim for dim, parallel in enumerate(self._parallel) if not parallel]
        self._refuse_races(outer)
        zero, one = (build.index(0), build.index(1)) if sizes else (None, None)
        if outer:
            assert zero is not None and one is not None
            body = Block(arg_types=[IndexType()] * len(outer))
            starts, steps = [zero] * len(outer), [one] * len(outer)
            ends = [sizes[dim] for dim in outer]
            build.emit_void(scf.ParallelOp(starts, ends, steps, Region(body)))
            for dim, argument in zip(outer, body.args, strict=True):
                dims[dim] = argument
            with build.inside(body):
                self._in_parallel(dims, inner, sizes, zero, one)
                build.emit_void(scf.ReduceOp())
        else:
            self._in_parallel(dims, inner, sizes, zero, one)
        Rewriter.erase_op(op)

    def _size(self, dim: int) -> SSAValue:
        """The size of a loop: that of a dimension which it indexes alone."""
        places = [
            (value, position)
            for value, map_ in zip(self._op.operands, self._maps, strict=True)
            for position, expression in enumerate(map_.results)
            if expression == AffineExpr.dimension(dim)
        ]
        if not places:
            raise error_at(
                self._op,
                f"'{self._op.name}': no operand has a dimension that is the loop d{dim} alone, "
                "which would give its size",
            )
        first = self._dimension(*places[0])
        if isinstance(self._op.parent_op(), func.FuncOp):
            for place in dict.fromkeys(places[1:]):
                self._assert_equal(first, places[0], place)
        return first

    def _dimension(self, value: SSAValue, position: int) -> SSAValue:
        size = self._shape(value)[position]
        if size != DYNAMIC_INDEX:
            return self._build.index(size)
        return self._build.emit(memref.DimOp(value, self._build.index(position)))

    def _assert_equal(
        self, size: SSAValue, first: tuple[SSAValue, int], other: tuple[SSAValue, int]
    ) -> None:
        """Two sizes of one loop are equal; the verifier has compared those that are known."""
        sizes = [self._shape(value)[position] for value, position in (first, other)]
        if other == first or DYNAMIC_INDEX not in sizes:
            return
        equal = self._build.compare("eq", size, self._dimension(*other))
        dims = [
            f"dimension {position} of {f'%{v.name_hint}' if v.name_hint else 'an operand'}"
            for v, position in (first, other)
        ]
        message = f"{self._op.name}: {dims[0]} and {dims[1]} differ"
        self._build.emit_void(cf.AssertOp(equal, message))

    def _refuse_races(self, outer: Sequence[int]) -> None:
        for map_ in self._maps[self._first_output :]:
            for dim in outer:
                if not any(_tells_apart(result, dim) for result in map_.results):
                    raise error_at(
                        self._op,
                        f"'{self._op.name}': iterations of the parallel loop d{dim} may write the "
                        'same element of an output; expected that iterator to be "reduction"',
                    )

    def _in_parallel(
        self,
        dims: list[SSAValue],
        inner: Sequence[int],
        sizes: Sequence[SSAValue],
        zero: SSAValue | None,
        one: SSAValue | None,
    ) -> None:
        """What an iteration of the parallel loops does: load, reduce, store."""
        outputs = range(self._first_output, len(self._op.operands))
        carries = not any(self._maps[k].used_dims() & set(inner) for k in outputs)
        block = self._op.regions[0].blocks[0]
        olds = [block.args[k] for k in outputs] if len(block.args) > self._first_output else []
        carried: list[SSAValue] = []
        if carries:
            needed = bool(inner) or any(old.uses for old in olds)
            carried = [self._load(k, dims) for k in outputs] if needed else []
        outermost: scf.ForOp | None = None
        blocks: list[Block] = []
        values = list(carried) if carries and inner else []
        for dim in inner:
            assert zero is not None and one is not None
            body = Block(arg_types=[IndexType(), *(value.type for value in values)])
            loop = scf.ForOp(zero, sizes[dim], one, values, Region(body))
            self._build.emit_void(loop)
            if blocks:
                end = scf.YieldOp(*loop.results)
                end.location = self._op.location
                blocks[-1].add_op(end)
            outermost = outermost or loop
            dims[dim], values = body.args[0], list(body.args[1:])
            blocks.append(body)
            self._build = Build(self._op, body)
        results = self._body(dims, values if inner and carries else carried)
        if inner:
            if not carries:
                self._store(results, outputs, dims)
            self._build.emit_void(scf.YieldOp(*(results if carries else ())))
            assert outermost is not None
            self._build = Build.after(outermost.results[0]) if carries else self._build
            if carries:
                self._build.source = self._op
                self._store(list(outermost.results), outputs, dims)
        else:
            self._store(results, outputs, dims)

    def _body(self, dims: Sequence[SSAValue], carried: Sequence[SSAValue]) -> list[SSAValue]:
        """The operation's body for one iteration; the values that it yields."""
        block = self._op.regions[0].blocks[0]
        for position, argument in enumerate(block.args):
            if not argument.uses:
                continue
            if position >= self._first_output and carried:
                value = carried[position - self._first_output]
            elif isinstance(self._op.operands[position].type, MemRefType):
                value = self._load(position, dims)
            else:
                value = self._op.operands[position]
            argument.replace_all_uses_with(value)
        for nested in list(block.walk()):
            if isinstance(nested, linalg.ops.IndexOp):
                number = nested.dim.value.data
                if not 0 <= number < len(dims):
                    raise error_at(nested, f"'{nested.name}' {number}: there are {len(dims)} loops")
                nested.results[0].replace_all_uses_with(dims[number])
                Rewriter.erase_op(nested)
        end = block.last_op
        assert end is not None
        results = list(end.operands)
        for nested in list(block.ops):
            if nested is end:
                continue
            nested.detach()
            # Operations of hidden regions have no place in the text.
            place = nested.location
            self._build.emit_void(nested)
            if self._op.name in ("linalg.generic", "linalg.reduce"):
                nested.location = place
        return results

    def _load(self, position: int, dims: Sequence[SSAValue]) -> SSAValue:
        value = self._op.operands[position]
        return self._build.emit(memref.LoadOp.get(value, self._indices(position, dims)))

    def _store(
        self, results: Sequence[SSAValue], outputs: Sequence[int], dims: Sequence[SSAValue]
    ) -> None:
        for position, value in zip(outputs, results, strict=True):
            indices = self._indices(position, dims)
            target = self._op.operands[position]
            self._build.emit_void(memref.StoreOp.get(value, target, indices))

    def _indices(self, position: int, dims: Sequence[SSAValue]) -> list[SSAValue]:
        return [
            dims[e.position] if isinstance(e, AffineDimExpr) else affine_value(self._build, e, dims)
            for e in self._maps[position].results
        ]


def _without(dims: int, dropped: Sequence[int]) -> AffineMap:
    kept = tuple(AffineExpr.dimension(dim) for dim in range(dims) if dim not in dropped)
    return AffineMap(dims, 0, kept)


def _tells_apart(result: AffineExpr, dim: int) -> bool:
    """Whether different values of a loop give different values of an index."""
    lossy = (
        AffineBinaryOpKind.Mod,
        AffineBinaryOpKind.FloorDiv,
        AffineBinaryOpKind.CeilDiv,
    )
    return result.used_dims() == {dim} and not any(
        isinstance(part, AffineBinaryOpExpr) and part.kind in lossy for part in result.dfs()
    )
