"""`ocl-expand-collectives`: what a work-group does together, by local memory and barriers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import AddressSpace, ArrayType, CombineKind, PtrType, sub_group_size_of
from polycl.dialects.ocl.collectives import identity_of
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.combining import combining_operation
from polycl.lowering.ocl.ocl_expand_sub_groups import linear_id


@dataclass(frozen=True)
class OclExpandCollectivesPass(ModulePass):
    """Write the collective operations of work-groups, and async copies, for single work-items.

    ```
                                            %memory[own] = %x; barrier
    %s = ocl.group_reduce work_group   ->   %part = the sum of %memory[n], n = own % 16, step 16
             add %x : f32                   %parts[own % 16] = %part; barrier
                                            %s = the sum of %parts, in halves
    ```

    Floats are combined in the order of the dialect, so that the results have the same bits. An
    async copy becomes a loop in which each work-item copies every n-th element; to wait for events
    is a barrier. Operations of sub-groups stay, and calls are inlined before.

    Raises:
        PolyclError: located: the local size is not constant (`ocl-set-local-size`), which is the
            size of the local memory.
    """

    name = "ocl-expand-collectives"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            kinds = (ocl.GroupReduceOp, ocl.GroupScanOp, ocl.GroupShuffleOp)
            for inner in operations_of(kernel.body, *kinds):
                if not inner.is_sub_group:
                    result = _Group(kernel, inner).result()
                    Rewriter.replace_op(inner, [], [result])
            for copy in operations_of(kernel.body, ocl.AsyncCopyOp):
                _copy(copy)
            for wait in operations_of(kernel.body, ocl.WaitEventsOp):
                barrier = ocl.BarrierOp(local=True, global_=True)
                barrier.location = wait.location
                Rewriter.replace_op(wait, barrier)


class _Group(Build):
    """One operation of a work-group."""

    def __init__(self, kernel: ocl.KernelOp, op: ocl.Collective):
        super().__init__(op)
        if kernel.required_size is None:
            raise error_at(op, f"'{op.name}' of a work-group needs a constant local size")
        self.op = op
        self.size = kernel.required_size
        self.count = prod(self.size)
        self.width = sub_group_size_of(kernel)
        self.own = linear_id(self, _local_ids(self), [self.index(number) for number in self.size])

    def result(self) -> SSAValue:
        op = self.op
        memory = self._memory(self.count, op.value.type)
        self._write(memory, self.own, op.value)
        match op:
            case ocl.GroupReduceOp():
                return self._reduced(op.kind.data, memory)
            case ocl.GroupScanOp():
                return self._scanned(op, memory)
            case _:
                assert isinstance(op, ocl.GroupShuffleOp)
                value = self._read(memory, op.index)
                self._barrier()
                return value

    def _reduced(self, kind: CombineKind, memory: SSAValue) -> SSAValue:
        """Rows of sub-groups are added up element by element, then the halves of the sum."""
        type, width = self.op.value.type, self.width
        column = self.and_(self.own, self.index(width - 1))
        nothing = self.constant(identity_of(kind, type), type)
        limit, step = self.index(self.count), self.index(width)

        def add(at: SSAValue, total: SSAValue) -> Sequence[SSAValue]:
            return [_combine(self, kind, total, self._read(memory, at))]

        (total,) = self.carry((column, limit, step), [nothing], add)
        parts = self._memory(width, type)
        # Work-items with the same column write the same value.
        self._write(parts, column, total)
        row = [self._read(parts, self.index(n)) for n in range(width)]
        while len(row) > 1:
            half = len(row) // 2
            row = [_combine(self, kind, row[n], row[n + half]) for n in range(half)]
        self._barrier()
        return row[0]

    def _scanned(self, op: ocl.GroupScanOp, memory: SSAValue) -> SSAValue:
        """Each row is scanned in steps of 1, 2, 4, ...; then come the rows before it."""
        kind, value, width = op.kind.data, op.value, self.width
        column = self.and_(self.own, self.index(width - 1))
        distance = 1
        while distance < width:
            step = self.index(distance)
            inside = self.compare("uge", column, step)
            from_ = self.emit(arith.SelectOp(inside, self.sub(self.own, step), self.own))
            before = self._read(memory, from_)
            self._barrier()
            combined = _combine(self, kind, before, value)
            value = self.emit(arith.SelectOp(inside, combined, value))
            self._write(memory, self.own, value)
            distance *= 2
        nothing = self.constant(identity_of(kind, value.type), value.type)
        row = self.sub(self.own, column)

        def last(at: SSAValue, total: SSAValue) -> Sequence[SSAValue]:
            end = self.add(at, self.index(width - 1))
            return [_combine(self, kind, total, self._read(memory, end))]

        (rows,) = self.carry((self.index(0), row, self.index(width)), [nothing], last)
        value = _combine(self, kind, rows, value)
        self._barrier()
        if op.exclusive is None:
            return value
        self._write(memory, self.own, value)
        one = self.index(1)
        is_first = self.compare("eq", self.own, self.index(0))
        from_ = self.emit(arith.SelectOp(is_first, self.own, self.sub(self.own, one)))
        value = self.emit(arith.SelectOp(is_first, nothing, self._read(memory, from_)))
        self._barrier()
        if kind is CombineKind.ADD and not isinstance(value.type, IntegerType):
            value = self.emit(arith.AddfOp(value, self.constant(0.0, value.type)))
        return value

    def _memory(self, count: int, type: Attribute) -> SSAValue:
        """Local memory for `count` values."""
        array = self.emit(ocl.LocalAllocOp(ArrayType(count, type)))
        return self.emit(ocl.CastOp(array, PtrType(type, AddressSpace.LOCAL)))

    def _write(self, memory: SSAValue, at: SSAValue, value: SSAValue) -> None:
        """After it all work-items can read what all have written."""
        self.emit_void(ocl.StoreOp(value, memory, at))
        self._barrier()

    def _read(self, memory: SSAValue, at: SSAValue) -> SSAValue:
        return self.emit(ocl.LoadOp(memory, at))

    def _barrier(self) -> None:
        self.emit_void(ocl.BarrierOp(local=True))


def _combine(b: Build, kind: CombineKind, x: SSAValue, y: SSAValue) -> SSAValue:
    return b.alike(combining_operation(kind, x.type), x, y)


def _local_ids(b: Build) -> Sequence[SSAValue]:
    return [b.emit(ocl.LocalIdOp(dimension)) for dimension in range(3)]


def _copy(op: ocl.AsyncCopyOp) -> None:
    """Each work-item copies the elements at its linear id, and then every n-th, where n is the
    number of work-items."""
    b = Build(op)
    sizes = [b.emit(ocl.LocalSizeOp(dimension)) for dimension in range(3)]
    own = linear_id(b, _local_ids(b), sizes)
    count = b.mul(b.mul(sizes[0], sizes[1]), sizes[2])
    with b.loop(own, op.count, count) as at:
        far = at if op.stride is None else b.mul(at, op.stride)
        into_local = ocl.space_of(op.target) is AddressSpace.LOCAL
        value = b.emit(ocl.LoadOp(op.source, far if into_local else at))
        b.emit_void(ocl.StoreOp(value, op.target, at if into_local else far))
    Rewriter.replace_op(op, [], [op.event])
