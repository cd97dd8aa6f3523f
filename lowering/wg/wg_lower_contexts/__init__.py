"""`wg-lower-contexts`: context arrays become memory of the work-group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp, i1, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.wg.building import IndexConstants, local_size_of
from polycl.lowering.wg.wg_lower_contexts.combine_rows import Rows


@dataclass(frozen=True)
class WgLowerContextsPass(ModulePass):
    """Give the slots of context arrays addresses.

    ```
    %c = wg.context : !wg.context<f32>          %c = ocl.alloca : !ocl.ptr<!ocl.array<256 x f32>>
    wg.parallel (%x, %y, %z) in ... {      ->   wg.parallel (%x, %y, %z) in ... {
      %v = wg.get %c[%x, %y, %z]                  %i = %y * 64 + %x
                                                  %v = ocl.load %c[%i]
    ```

    Work-item (x, y, z) has the slot [(z * Ly + y) * Lx + x] of a context array, so neighbours
    along x are neighbours in memory. A slot of i1 is an i8, one of index an i64. Reductions and
    scans (`wg.reduce`, `wg.reduce_rows`, `wg.scan`) are vector operations on rows of that memory.

    With `most`, the local size is read at the launch: Lx and Ly are `ocl.local_size`, and a context
    array has `most` slots, the largest number of work-items of a group.

    Raises:
        PolyclError: located: the local size is not constant, and without `most`, or there is a
            reduction or scan.
    """

    name = "wg-lower-contexts"

    most: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            lower_contexts(function, IndexConstants(function), self.most)


def lower_contexts(function: wg.FuncOp, index: IndexConstants, most: int | None = None) -> None:
    """Replace the context arrays of one function; see the pass."""
    contexts = operations_of(function.body, wg.ContextOp)
    if not contexts:
        return
    size: Sequence[SSAValue | int]
    if most is None:
        size = local_size_of(function)
        most = math.prod(size)
    else:
        top = Build(function, InsertPoint.at_start(function.body.block))
        size = [top.emit(ocl.LocalSizeOp(dimension)) for dimension in range(3)]
    arrays: dict[SSAValue, _ContextArray] = {
        context.result: _ContextArray(context, size, most, index) for context in contexts
    }
    for op in operations_of(function.body, wg.Combination):
        if isinstance(size[0], SSAValue):
            raise error_at(op, f"'{op.name}' needs a constant local size: run ocl-set-local-size")
        _combine(op, arrays, index)
    for array in arrays.values():
        array.rewrite()


def _combine(
    op: wg.Combination, arrays: Mapping[SSAValue, _ContextArray], index: IndexConstants
) -> None:
    target = op.target if isinstance(op, wg.ReduceRowsOp | wg.ScanOp) else None
    source, into, active = (
        None if array is None else arrays[array].first for array in (op.source, target, op.active)
    )
    assert source is not None
    result = Rows(op, source, into, active, arrays[op.source].most, index).lower()
    Rewriter.replace_op(op, [], [] if result is None else [result])


class _ContextArray:
    """One context array and the operations on it."""

    def __init__(
        self,
        op: wg.ContextOp,
        size: Sequence[SSAValue | int],
        most: int,
        index: IndexConstants,
    ):
        assert isinstance(op.result.type, wg.ContextType)
        self.op = op
        self.size = size
        self.most = most
        self.index = index
        self.element = op.result.type.element
        build = Build(op)
        array = build.emit(ocl.AllocaOp(ocl.ArrayType(most, self.stored)))
        self.first = build.emit(
            ocl.CastOp(array, ocl.PtrType(self.stored, ocl.AddressSpace.PRIVATE))
        )
        """The address of the first slot."""
        self.first.name_hint = op.result.name_hint

    @property
    def stored(self) -> Attribute:
        """The element as it lies in memory."""
        if self.element == i1:
            return i8
        return i64 if isinstance(self.element, IndexType) else self.element

    def rewrite(self) -> None:
        for use in list(self.op.result.uses):
            self._rewrite_use(use.operation, self.first)
        Rewriter.erase_op(self.op)

    def _rewrite_use(self, op: Operation, first: SSAValue) -> None:
        build = Build(op)
        match op:
            case wg.GetOp():
                slot = self._linear(build, op.ids)
                value = self._from_memory(build, build.emit(ocl.LoadOp(first, slot)))
                Rewriter.replace_op(op, [], [value])
            case wg.PutOp():
                slot = self._linear(build, op.ids)
                build.emit_void(ocl.StoreOp(self._to_memory(build, op.value), first, slot))
                Rewriter.erase_op(op)
            case wg.SlotOp():
                slot = self._linear(build, op.ids)
                Rewriter.replace_op(op, [], [build.emit(ocl.OffsetOp(first, slot))])
            case wg.PeekOp():
                value = self._from_memory(build, build.emit(ocl.LoadOp(first, op.index)))
                Rewriter.replace_op(op, [], [value])
            case wg.AnyOp():
                Rewriter.replace_op(op, [], [self._any(build, first)])
            case _:
                raise error_at(op, f"'{op.name}' does not know what to do with a context array")

    def _linear(self, build: Build, ids: Sequence[SSAValue]) -> SSAValue:
        """(z * Ly + y) * Lx + x, without the dimensions of size 1."""
        total: SSAValue | None = None
        for dimension in (2, 1, 0):
            size = self.size[dimension]
            if size == 1:
                continue
            id = ids[dimension]
            if total is None:
                total = id
                continue
            scaled = build.mul(total, self._value(size))
            total = build.add(scaled, id)
        return self.index(0) if total is None else total

    def _value(self, size: SSAValue | int) -> SSAValue:
        return self.index(size) if isinstance(size, int) else size

    def _count(self, build: Build) -> SSAValue:
        """The number of work-items of the group."""
        x, y, z = self.size
        if isinstance(x, int):
            return self.index(self.most)
        return build.mul(build.mul(x, self._value(y)), self._value(z))

    def _to_memory(self, build: Build, value: SSAValue) -> SSAValue:
        if self.element == i1:
            return build.resize(value, 8, signed=False)
        return build.index_cast(value, self.stored)

    def _from_memory(self, build: Build, value: SSAValue) -> SSAValue:
        if self.element == i1:
            return build.resize(value, 1, signed=False)
        return build.index_cast(value, self.element)

    def _any(self, build: Build, first: SSAValue) -> SSAValue:
        """Whether any slot holds true: all of them, combined by `or`."""

        def with_slot(number: SSAValue, any: SSAValue) -> Sequence[SSAValue]:
            return [build.or_(any, build.emit(ocl.LoadOp(first, number)))]

        bounds = self.index(0), self._count(build), self.index(1)
        (any,) = build.carry(bounds, [build.constant(0, i8)], with_slot)
        return build.resize(any, 1, signed=False)
