"""`wg-to-scf`: parallel regions become loops over the work-items of the group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf, ub
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, i1, i8, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl, wg
from polycl.errors import error_at

Size3 = tuple[int, int, int]


@dataclass(frozen=True)
class WgToScfPass(ModulePass):
    """Turn `wg.parallel` into loops and context arrays into memory, for a constant local size.

    ```
    wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {      scf.for %y = %c0 to %c4 step %c1 {
      %v = wg.get %c[%x, %y, %z] : ...             ->     scf.for %x = %c0 to %c64 step %c1 {
    }                                                       %i = %y * 64 + %x
                                                            %v = ocl.load %c[%i] : ...
    ```

    z is outermost, x innermost; a dimension of size 1 has no loop. Work-item (x, y, z) has the
    slot [(z * Ly + y) * Lx + x] of a context array; a slot of i1 is an i8, one of index an i64.
    Async copies become loops, and waiting for them nothing.

    Raises:
        PolyclError: located: the local size is not constant.
    """

    name = "wg-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.walk() if isinstance(f, wg.FuncOp)]:
            size = _local_size(function)
            index = _IndexConstants(function)
            for inner in list(function.body.walk()):
                if isinstance(inner, wg.ContextOp):
                    _ContextArray(inner, size, index).rewrite()
            for inner in list(function.body.walk()):
                match inner:
                    case wg.ParallelOp():
                        _rewrite_parallel(inner, size, index)
                    case ocl.AsyncCopyOp():
                        _rewrite_copy(inner, index)
                    case ocl.WaitEventsOp():
                        Rewriter.erase_op(inner)
                    case _:
                        pass


def constant_index(value: SSAValue) -> int | None:
    """The number that `value` is, if an `arith.constant` says so."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as attribute):
            return attribute.value.data
        case _:
            return None


def _local_size(function: wg.FuncOp) -> Size3:
    """The local size: that of the attributes, which the sizes of every region must confirm."""
    found: Size3 | None = None
    if function.local_size is not None:
        x, y, z = function.local_size.get_values()
        found = int(x), int(y), int(z)
    for op in function.body.walk():
        if not isinstance(op, wg.ParallelOp):
            continue
        x, y, z = (constant_index(size) for size in op.sizes)
        if x is None or y is None or z is None:
            raise error_at(
                op,
                f"the local size of '{function.sym_name.data}' is not constant; "
                "run ocl-set-local-size{size=X,Y,Z} before ocl-to-wg",
            )
        if found not in (None, (x, y, z)):
            raise error_at(
                op,
                f"a parallel region of size {_text((x, y, z))} in a function for {_text(found)}",
            )
        found = x, y, z
    return found or (1, 1, 1)


def _text(size: Size3) -> str:
    return "x".join(map(str, size))


class _Builder:
    """Adds operations at a place, with a location."""

    def __init__(self, anchor: Operation, point: InsertPoint):
        self._anchor = anchor
        self._point = point

    def add(self, op: Operation) -> SSAValue:
        self.add_void(op)
        return op.results[0]

    def add_void(self, op: Operation) -> None:
        op.location = self._anchor.location
        Rewriter.insert_op(op, self._point)


class _IndexConstants:
    """Numbers of type index: one constant for each, at the top of the function."""

    def __init__(self, function: wg.FuncOp):
        self._function = function
        self._known: dict[int, SSAValue] = {}

    def __call__(self, value: int) -> SSAValue:
        if value not in self._known:
            top = _Builder(self._function, InsertPoint.at_start(self._function.body.block))
            self._known[value] = top.add(arith.ConstantOp(IntegerAttr(value, IndexType())))
            self._known[value].name_hint = f"c{value}"
        return self._known[value]


class _ContextArray:
    """One context array and the operations on it."""

    def __init__(self, op: wg.ContextOp, size: Size3, index: _IndexConstants):
        assert isinstance(op.result.type, wg.ContextType)
        self.op = op
        self.size = size
        self.index = index
        self.element = op.result.type.element
        self.count = size[0] * size[1] * size[2]

    @property
    def stored(self) -> Attribute:
        """The element as it lies in memory."""
        if self.element == i1:
            return i8
        return i64 if isinstance(self.element, IndexType) else self.element

    def rewrite(self) -> None:
        build = _Builder(self.op, InsertPoint.before(self.op))
        array = build.add(ocl.AllocaOp(ocl.ArrayType(self.count, self.stored)))
        first = build.add(ocl.CastOp(array, ocl.PtrType(self.stored, ocl.AddressSpace.PRIVATE)))
        first.name_hint = self.op.result.name_hint
        for use in list(self.op.result.uses):
            self._rewrite_use(use.operation, first)
        Rewriter.erase_op(self.op)

    def _rewrite_use(self, op: Operation, first: SSAValue) -> None:
        build = _Builder(op, InsertPoint.before(op))
        match op:
            case wg.GetOp():
                slot = self._linear(build, op.ids)
                value = self._from_memory(build, build.add(ocl.LoadOp(first, slot)))
                Rewriter.replace_op(op, [], [value])
            case wg.PutOp():
                slot = self._linear(build, op.ids)
                build.add_void(ocl.StoreOp(self._to_memory(build, op.value), first, slot))
                Rewriter.erase_op(op)
            case wg.SlotOp():
                slot = self._linear(build, op.ids)
                Rewriter.replace_op(op, [], [build.add(ocl.OffsetOp(first, slot))])
            case wg.AnyOp():
                Rewriter.replace_op(op, [], [self._any(build, first)])
            case _:
                raise error_at(op, f"'{op.name}' does not know what to do with a context array")

    def _linear(self, build: _Builder, ids: Sequence[SSAValue]) -> SSAValue:
        """(z * Ly + y) * Lx + x, without the dimensions of size 1."""
        total: SSAValue | None = None
        for dimension in (2, 1, 0):
            if self.size[dimension] == 1:
                continue
            id = ids[dimension]
            if total is None:
                total = id
                continue
            scaled = build.add(arith.MuliOp(total, self.index(self.size[dimension])))
            total = build.add(arith.AddiOp(scaled, id))
        return self.index(0) if total is None else total

    def _to_memory(self, build: _Builder, value: SSAValue) -> SSAValue:
        if self.element == i1:
            return build.add(arith.ExtUIOp(value, i8))
        if isinstance(self.element, IndexType):
            return build.add(arith.IndexCastOp(value, i64))
        return value

    def _from_memory(self, build: _Builder, value: SSAValue) -> SSAValue:
        if self.element == i1:
            return build.add(arith.TruncIOp(value, i1))
        if isinstance(self.element, IndexType):
            return build.add(arith.IndexCastOp(value, IndexType()))
        return value

    def _any(self, build: _Builder, first: SSAValue) -> SSAValue:
        """Whether any slot holds true: all of them, combined by `or`."""
        bounds = self.index(0), self.index(self.count), self.index(1)
        none = build.add(arith.ConstantOp(IntegerAttr(0, i8)))
        body = Block(arg_types=[IndexType(), IntegerType(8)])
        loop = scf.ForOp(*bounds, [none], Region(body))
        inner = _Builder(self.op, InsertPoint.at_end(body))
        flag = inner.add(ocl.LoadOp(first, body.args[0]))
        inner.add_void(scf.YieldOp(inner.add(arith.OrIOp(body.args[1], flag))))
        return build.add(arith.TruncIOp(build.add(loop), i1))


def _rewrite_parallel(op: wg.ParallelOp, size: Size3, index: _IndexConstants) -> None:
    """The nest of loops; the results go through all of them."""
    build = _Builder(op, InsertPoint.before(op))
    zero = index(0)
    values: Sequence[SSAValue] = ()
    if size != (1, 1, 1):
        values = [build.add(ub.PoisonOp(result.type)) for result in op.res]
    ids = [zero, zero, zero]
    loops: list[scf.ForOp] = []
    for dimension in (2, 1, 0):
        if size[dimension] == 1:
            continue
        body = Block(arg_types=[IndexType(), *(value.type for value in values)])
        body.args[0].name_hint = op.local_ids[dimension].name_hint
        loop = scf.ForOp(zero, op.sizes[dimension], index(1), values, Region(body))
        build.add_void(loop)
        loops.append(loop)
        build = _Builder(op, InsertPoint.at_end(body))
        ids[dimension] = body.args[0]
        values = body.args[1:]
    yielded = op.yielded
    yielded.detach()
    if loops:
        innermost = loops[-1].body.block
        Rewriter.inline_block(op.body.block, InsertPoint.at_end(innermost), ids)
    else:
        Rewriter.inline_block(op.body.block, InsertPoint.before(op), ids)
    results: Sequence[SSAValue] = list(yielded.values)
    for loop in reversed(loops):
        end = scf.YieldOp(*results)
        end.location = op.location
        loop.body.block.add_op(end)
        results = loop.results
    Rewriter.replace_op(op, [], results)
    yielded.erase()


def _rewrite_copy(op: ocl.AsyncCopyOp, index: _IndexConstants) -> None:
    """`target[i * a] = source[i * b]`, the stride on the side in global memory."""
    build = _Builder(op, InsertPoint.before(op))
    body = Block(arg_types=[IndexType()])
    build.add_void(scf.ForOp(index(0), op.count, index(1), [], Region(body)))
    inner = _Builder(op, InsertPoint.at_end(body))
    i = body.args[0]
    target, source = i, i
    if op.stride is not None:
        strided = inner.add(arith.MuliOp(i, op.stride))
        assert isinstance(op.source.type, ocl.PtrType)
        if op.source.type.address_space == ocl.AddressSpace.GLOBAL:
            source = strided
        else:
            target = strided
    value = inner.add(ocl.LoadOp(op.source, source))
    inner.add_void(ocl.StoreOp(value, op.target, target))
    inner.add_void(scf.YieldOp())
    Rewriter.replace_op(op, [], [op.event])
