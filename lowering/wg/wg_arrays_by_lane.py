"""`wg-arrays-by-lane`: an element of a private array lies beside that of the next work-item."""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.build import Build
from polycl.lowering.wg.building import IndexConstants, local_size_of
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgArraysByLanePass(ModulePass):
    """Give private arrays that live across barriers the layout that vectors of work-items read.

    ```
    %c = wg.context : ... 9 x f32               %c = ocl.alloca : ... 576 x f32
    wg.parallel (%x, ...) in (64, 1, 1) {       wg.parallel (%x, ...) in (64, 1, 1) {
      %s = wg.slot %c[%x, ...]             ->     %p = ocl.offset %c[%x]
      %p = ocl.cast %s                            %j = %i * 64
      %v = ocl.load %p[%i]                        %v = ocl.load %p[%j]
    ```

    That is all accesses to the array are to one scalar each, whose index is the same for all
    work-items, or for those of rows along x that fill a cache line: with another index each of them
    would touch the lines of many others. The local size is constant.
    """

    name = "wg-arrays-by-lane"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            contexts = [
                context
                for context in operations_of(function.body, wg.ContextOp)
                if _scalar_of(context) is not None
            ]
            if not contexts:
                continue
            facts = Uniformity(function)
            x, y, z = local_size_of(function)
            if x == 1:
                continue
            index = IndexConstants(function)
            for context in contexts:
                accesses = _accesses(context, facts, x)
                if accesses:
                    emit_remark(context, self.name, "private array: element by element of all")
                    _rewrite(context, accesses, (x, y, z), index)


def _scalar_of(context: wg.ContextOp) -> Attribute | None:
    """The type of the elements of an array of scalars."""
    assert isinstance(context.result.type, wg.ContextType)
    array = context.result.type.element
    if isinstance(array, ocl.ArrayType) and isinstance(array.element, IntegerType | AnyFloat):
        return array.element
    return None


def _accesses(context: wg.ContextOp, facts: Uniformity, row: int) -> list[ocl.LoadOp | ocl.StoreOp]:
    """All accesses to the array; none if one of them is of another kind. A `row` of work-items are
    neighbours along x."""
    scalar = _scalar_of(context)
    assert scalar is not None
    along = slice(0, 1) if row * size_of(scalar) >= LINE else slice(0, 3)
    found: list[ocl.LoadOp | ocl.StoreOp] = []
    for slot in context.result.uses:
        if not isinstance(slot.operation, wg.SlotOp):
            return []
        for cast in slot.operation.result.uses:
            if not isinstance(cast.operation, ocl.CastOp):
                return []
            if ocl.pointee_of(cast.operation.result) != scalar:
                return []
            for use in cast.operation.result.uses:
                access = use.operation
                if not isinstance(access, ocl.LoadOp | ocl.StoreOp):
                    return []
                value = access.result if isinstance(access, ocl.LoadOp) else access.value
                if access.pointer != cast.operation.result or value.type != scalar:
                    return []
                if access.index is not None and any(facts.lanes(access.index).strides[along]):
                    return []
                found.append(access)
    return found


def _rewrite(
    context: wg.ContextOp,
    accesses: list[ocl.LoadOp | ocl.StoreOp],
    size: tuple[int, int, int],
    index: IndexConstants,
) -> None:
    assert isinstance(context.result.type, wg.ContextType)
    array = context.result.type.element
    assert isinstance(array, ocl.ArrayType)
    items = math.prod(size)
    for access in accesses:
        if access.index is not None:
            at = list(access.operands).index(access.index)
            access.operands[at] = Build(access).mul(access.index, index(items))
    build = Build(context)
    memory = build.emit(ocl.AllocaOp(ocl.ArrayType(items * array.size.data, array.element)))
    first = build.emit(ocl.CastOp(memory, ocl.PtrType(array.element, ocl.AddressSpace.PRIVATE)))
    first.name_hint = context.result.name_hint
    for use in list(context.result.uses):
        slot = use.operation
        assert isinstance(slot, wg.SlotOp)
        build = Build(slot)
        number = _number(build, slot, size, index)
        element = build.emit(ocl.OffsetOp(first, number))
        for cast in list(slot.result.uses):
            Rewriter.replace_op(cast.operation, [], [element])
        Rewriter.erase_op(slot)
    Rewriter.erase_op(context)


def _number(
    build: Build, slot: wg.SlotOp, size: tuple[int, int, int], index: IndexConstants
) -> SSAValue:
    """(z * Ly + y) * Lx + x, without the dimensions of size 1."""
    x, y, z = slot.ids
    if size[2] > 1:
        y = build.add(build.mul(z, index(size[1])), y)
    return build.add(build.mul(y, index(size[0])), x) if size[1] * size[2] > 1 else x
