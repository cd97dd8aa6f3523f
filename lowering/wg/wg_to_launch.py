"""`wg-to-launch`: a work-group's code becomes a function that runs a range of work-groups."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl, wg
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.wg.launch_abi import (
    PRINTF_FORMATS,
    PRINTF_HEADER,
    SCRATCH_ALIGNMENT,
    SCRATCH_BYTES,
    args_block,
    is_local_pointer,
    printf_record,
)
from polycl.remarks import emit_remark

BYTES = PtrType(i8, AddressSpace.GLOBAL)
STACK_LIMIT = 64 * 1024
"""Bytes of a kernel's memory that may lie on the stack; the rest lies in the scratch memory."""


@dataclass(frozen=True)
class WgToLaunchPass(ModulePass):
    """Turn `wg.func @k(...)` into `func.func @k(%args, %scratch, %begin, %end)`.

    It runs the work-groups whose linear ids are `begin` to `end - 1`, x fastest or in the order
    that `group_order` says. Arguments and the sizes of the launch are read from the args block
    (`polycl.lowering.wg.launch_abi`):

    ```
    wg.func @k(%x: !ocl.ptr<f32, global>) {      func.func @k(%args, %scratch, %begin, %end) {
      %g = ocl.group_id 0                          %x = ocl.load %args[0 bytes]
      ...                                    ->    %nx = ocl.load %args[56 bytes]
                                                   scf.for %group = %begin to %end step %c1 {
                                                     %g = arith.remui %group, %nx
    ```

    Local memory and private memory lie on the stack while they are small (at most `stack` bytes),
    else in the scratch memory of the thread, as does what `local` pointer parameters point to.
    `ocl.printf` writes a record into a buffer that the host prints after the launch.

    Raises:
        PolyclError: located: parallel regions are left (run wg-to-scf before), or a local size
            that is not constant.
    """

    name = "wg-to-launch"

    stack: int = STACK_LIMIT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.walk() if isinstance(f, wg.FuncOp)]:
            for inner in function.body.walk():
                if isinstance(inner, wg.ParallelOp | wg.ContextOp):
                    raise error_at(inner, f"'{inner.name}' is left: run wg-to-scf before")
            launch = _Launch(function, self.stack)
            Rewriter.replace_op(function, launch.function, [])


class _Launch:
    """Builds the function of one kernel."""

    def __init__(self, kernel: wg.FuncOp, stack: int):
        self.kernel = kernel
        self.stack_limit = stack
        self.block = args_block(list(kernel.function_type.inputs))
        order = kernel.group_order
        self.order = (0, 1, 2) if order is None else order.get_values()
        types = [BYTES, BYTES, IndexType(), IndexType()]
        self.entry = Block(arg_types=types)
        self.args, self.scratch, self.begin, self.end = self.entry.args
        for arg, name in zip(self.entry.args, ("args", "scratch", "begin", "end"), strict=True):
            arg.name_hint = name
        self.prologue = Block()
        """What is done once for all groups: it is put in front of the loop."""
        self.group = Block()
        """What every group starts with."""
        self.anchor: Operation = kernel
        self.stack_bytes = 0
        self.scratch_bytes = 0
        self.formats: list[Attribute] = []
        self._fields: dict[str, SSAValue] = {}
        self._group_ids: dict[int, SSAValue] = {}
        self.function = self._build()

    def _build(self) -> FuncOp:
        body = Block(arg_types=[IndexType()])
        self.group_id = body.args[0]
        self.group_id.name_hint = "group"
        arguments = [self._parameter(i) for i in range(len(self.kernel.args))]
        for op in list(self.kernel.body.walk()):
            self.anchor = op
            self._rewrite(op)
        self.anchor = self.kernel
        source = self.kernel.body.block
        if source.last_op is not None:
            Rewriter.erase_op(source.last_op)
        one = self._index(1, self.prologue)
        Rewriter.inline_block(source, InsertPoint.at_end(body), arguments)
        self._add(scf.YieldOp(), body)
        assert body.first_op is not None
        body.insert_ops_before(_detached(self.group), body.first_op)
        for op in _detached(self.prologue):
            self.entry.add_op(op)
        self._add(scf.ForOp(self.begin, self.end, one, [], Region(body)), self.entry)
        self._add(FuncReturnOp(), self.entry)
        function = FuncOp(
            self.kernel.sym_name.data,
            FunctionType.from_lists([arg.type for arg in self.entry.args], []),
            Region(self.entry),
        )
        function.location = self.kernel.location
        function.attributes = dict(self.kernel.attributes)
        function.attributes[SCRATCH_BYTES] = IntegerAttr(self.scratch_bytes, i64)
        if self.formats:
            function.attributes[PRINTF_FORMATS] = ArrayAttr(self.formats)
        return function

    # Adding operations

    def _add(self, op: Operation, block: Block) -> None:
        op.location = self.anchor.location
        block.add_op(op)

    def _value(self, op: Operation, block: Block, name: str | None = None) -> SSAValue:
        self._add(op, block)
        op.results[0].name_hint = name
        return op.results[0]

    def _index(self, value: int, block: Block) -> SSAValue:
        constant = arith.ConstantOp(IntegerAttr(value, IndexType()))
        return self._value(constant, block, f"c{value}")

    def _at(self, base: SSAValue, offset: int, type: PtrType, block: Block) -> SSAValue:
        """The address `offset` bytes after `base`, a pointer to bytes, as another pointer."""
        if offset:
            base = self._value(ocl.OffsetOp(base, self._index(offset, block)), block)
        return self._view(base, type, block)

    def _view(self, pointer: SSAValue, type: PtrType, block: Block) -> SSAValue:
        """`pointer` as a pointer of `type`; between address spaces through the generic one."""
        if ocl.pointer_type(pointer).space != type.space:
            generic = PtrType(type.pointee, AddressSpace.GENERIC)
            pointer = self._value(ocl.CastOp(pointer, generic), block)
        return self._value(ocl.CastOp(pointer, type), block)

    def _read(self, offset: int, type: Attribute, name: str | None) -> SSAValue:
        """A value of the args block, read once for all groups."""
        pointer = PtrType(type, AddressSpace.GLOBAL)
        address = self._at(self.args, offset, pointer, self.prologue)
        return self._value(ocl.LoadOp(address), self.prologue, name)

    # Arguments and queries

    def _parameter(self, position: int) -> SSAValue:
        parameter = self.kernel.args[position]
        offset, name = self.block.offsets[position], parameter.name_hint
        if not is_local_pointer(parameter.type):
            return self._read(offset, parameter.type, name)
        nbytes = self._to_index(self._read(offset, i64, None), self.prologue)
        memory = self._value(ocl.OffsetOp(self.scratch, nbytes), self.prologue)
        local = self._view(memory, ocl.pointer_type(parameter), self.prologue)
        local.name_hint = name
        return local

    def _to_index(self, value: SSAValue, block: Block, name: str | None = None) -> SSAValue:
        return self._value(arith.IndexCastOp(value, IndexType()), block, name)

    def _field(self, name: str) -> SSAValue:
        """One of the launch's sizes."""
        if name not in self._fields:
            value = self._read(self.block.field(name), i64, None)
            query, _, dimension = name.partition(".")
            hint = f"{query}_{'xyz'[int(dimension)]}" if dimension else query
            self._fields[name] = self._to_index(value, self.prologue, hint)
        return self._fields[name]

    def _group_id(self, dimension: int) -> SSAValue:
        """group = (z * num_groups.1 + y) * num_groups.0 + x, or in another `group_order`."""
        if dimension not in self._group_ids:
            value = self.group_id
            for faster in self.order[: self.order.index(dimension)]:
                value = self._value(
                    arith.DivUIOp(value, self._field(f"num_groups.{faster}")), self.group
                )
            if dimension != self.order[-1]:
                size = self._field(f"num_groups.{dimension}")
                value = self._value(arith.RemUIOp(value, size), self.group)
            value.name_hint = f"group_{'xyz'[dimension]}"
            self._group_ids[dimension] = value
        return self._group_ids[dimension]

    # Operations of the body

    def _rewrite(self, op: Operation) -> None:
        match op:
            case ocl.GroupIdOp():
                self._replace(op, self._group_id(op.dimension))
            case ocl.GlobalSizeOp() | ocl.LocalSizeOp() | ocl.NumGroupsOp() | ocl.GlobalOffsetOp():
                query = op.name.removeprefix("ocl.")
                self._replace(op, self._field(f"{query}.{op.dimension}"))
            case ocl.WorkDimOp():
                self._replace(op, self._field("work_dim"))
            case ocl.LocalAllocOp() | ocl.AllocaOp():
                self._allocate(op)
            case ocl.PrintfOp():
                self._printf(op)
            case _:
                pass

    def _replace(self, op: Operation, value: SSAValue) -> None:
        hint = value.name_hint
        Rewriter.replace_op(op, [], [value])
        value.name_hint = hint

    def _allocate(self, op: ocl.LocalAllocOp | ocl.AllocaOp) -> None:
        type = op.result.type
        assert isinstance(type, PtrType)
        nbytes = size_of(type.pointee)
        name = op.result.name_hint
        if self.stack_bytes + nbytes > self.stack_limit:
            offset = round_up(self.scratch_bytes, SCRATCH_ALIGNMENT)
            self.scratch_bytes = offset + nbytes
            if self.stack_limit:
                emit_remark(
                    op,
                    WgToLaunchPass.name,
                    f"{nbytes} bytes of {type.address_space.value} memory lie in the scratch "
                    f"memory: a kernel has at most {self.stack_limit} bytes on the stack",
                )
            memory = self._at(self.scratch, offset, type, self.prologue)
        else:
            self.stack_bytes += nbytes
            memory = self._value(ocl.AllocaOp(type.pointee), self.prologue)
            if isinstance(op, ocl.LocalAllocOp):
                memory = self._view(memory, type, self.prologue)
        memory.name_hint = name
        Rewriter.replace_op(op, [], [memory])

    def _printf(self, op: ocl.PrintfOp) -> None:
        """Reserve room in the buffer by an atomic addition; write the record where it fits."""
        arguments = [self._storable(op, value) for value in op.arguments]
        types = [value.type for value in arguments]
        offsets, nbytes = printf_record(types)
        buffer = self._printf_buffer()
        build = Build(op)
        size = build.constant(nbytes, i64)
        used = build.emit(ocl.AtomicRMWOp(ocl.AtomicKind.ADD, buffer, size))
        capacity = build.emit(ocl.LoadOp(buffer, build.index(1)))
        end = build.add(used, size)
        fits = build.compare("ule", end, capacity)
        record, full = Block(), Block()
        status = scf.IfOp(fits, [i32], [record], [full])
        Rewriter.insert_op(status, InsertPoint.before(op))
        header = self._index(PRINTF_HEADER, record)
        start = self._value(arith.AddiOp(self._to_index(used, record), header), record)
        first = self._value(ocl.OffsetOp(self._view(buffer, BYTES, record), start), record)
        position = IntegerAttr(len(self.formats), i64)
        number = self._value(arith.ConstantOp(position), record)
        for value, offset in zip((number, *arguments), (0, *offsets), strict=True):
            pointer = PtrType(value.type, AddressSpace.GLOBAL)
            self._add(ocl.StoreOp(value, self._at(first, offset, pointer, record)), record)
        for block, result in ((record, 0), (full, -1)):
            value = self._value(arith.ConstantOp(IntegerAttr(result, i32)), block)
            self._add(scf.YieldOp(value), block)
        self.formats.append(ArrayAttr([op.format, ArrayAttr(types)]))
        Rewriter.replace_op(op, [], [status.results[0]])

    def _storable(self, op: ocl.PrintfOp, value: SSAValue) -> SSAValue:
        return Build(op).index_cast(value, i64) if isinstance(value.type, IndexType) else value

    def _printf_buffer(self) -> SSAValue:
        name = "printf_buffer"
        if name not in self._fields:
            type = PtrType(i64, AddressSpace.GLOBAL)
            self._fields[name] = self._read(self.block.field(name), type, name)
        return self._fields[name]


def _detached(block: Block) -> list[Operation]:
    """The operations of `block`, taken out of it."""
    ops = list(block.ops)
    for op in ops:
        op.detach()
    return ops
