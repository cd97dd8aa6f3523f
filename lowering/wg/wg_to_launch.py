"""`wg-to-launch`: a work-group's code becomes a function that runs a range of work-groups."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.calls import called_functions
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.debug import VARIABLE, source_variable
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.errors import error_at, location_of
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
PRINTF_BUFFER = PtrType(i64, AddressSpace.GLOBAL)
STACK_LIMIT = 64 * 1024
"""Bytes of a kernel's memory that may lie on the stack; the rest lies in the scratch memory."""


_REWRITTEN = (
    ocl.GroupIdOp,
    ocl.GlobalSizeOp,
    ocl.LocalSizeOp,
    ocl.EnqueuedLocalSizeOp,
    ocl.NumGroupsOp,
    ocl.GlobalOffsetOp,
    ocl.WorkDimOp,
    ocl.LocalAllocOp,
    ocl.AllocaOp,
    ocl.PrintfOp,
    CallOp,
)


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

    The loop of a function without group ids, such as one of a single work-item, is kept from being
    vectorized (`ocl.unroll = -2`).

    Local memory and private memory lie on the stack while they are small (at most `stack` bytes),
    else in the scratch memory of the thread, as does what `local` pointer parameters point to.
    `ocl.printf` writes a record into a buffer that the host prints after the launch. A function
    that prints, or calls one that does, gets the buffer as its last parameter.

    Raises:
        PolyclError: located: parallel regions are left (run wg-to-scf before), or a local size
            that is not constant.
    """

    name = "wg-to-launch"

    stack: int = STACK_LIMIT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        printing = _Printing(op)
        for function in functions_of(op, wg.FuncOp):
            for inner in operations_of(function.body, wg.ParallelOp, wg.ContextOp):
                raise error_at(inner, f"'{inner.name}' is left: run wg-to-scf before")
            launch = _Launch(function, self.stack, printing)
            Rewriter.replace_op(function, launch.function, [])
        printing.finish()


class _Code(Build):
    """Code at the end of a block."""

    def index(self, number: int) -> SSAValue:
        return _named(super().index(number), f"c{number}")

    def at(self, base: SSAValue, offset: int, type: PtrType) -> SSAValue:
        """The address `offset` bytes after `base`, a pointer to bytes, as another pointer."""
        if offset:
            base = self.emit(ocl.OffsetOp(base, self.index(offset)))
        return self.view(base, type)

    def view(self, pointer: SSAValue, type: PtrType) -> SSAValue:
        """`pointer` as a pointer of `type`; between address spaces through the generic one."""
        if ocl.space_of(pointer) != type.address_space:
            generic = PtrType(type.pointee, AddressSpace.GENERIC)
            pointer = self.emit(ocl.CastOp(pointer, generic))
        return self.emit(ocl.CastOp(pointer, type))


def _named(value: SSAValue, name: str | None) -> SSAValue:
    value.name_hint = name
    return value


class _Printing:
    """The printf operations of a module, whose formats all kernels of the module share."""

    def __init__(self, module: ModuleOp):
        self.formats: list[Attribute] = []
        self.kernels: list[FuncOp] = []
        """Those that print, or call a function that does."""
        functions = functions_of(module, FuncOp)
        printing = {f for f in functions if operations_of(f.body, ocl.PrintfOp)}
        if printing:
            printing = {f for f in functions if printing.intersection((f, *called_functions(f)))}
        self._names = {function.sym_name.data for function in printing}
        for function in functions:
            if function in printing:
                self._add_buffer(function)

    def is_printing(self, call: CallOp) -> bool:
        return call.callee.string_value() in self._names

    def _add_buffer(self, function: FuncOp) -> None:
        block = function.body.block
        buffer = block.insert_arg(PRINTF_BUFFER, len(block.args))
        buffer.name_hint = "printf_buffer"
        inputs = [arg.type for arg in block.args]
        function.function_type = FunctionType.from_lists(
            inputs, function.function_type.outputs.data
        )
        for op in operations_of(function.body, ocl.PrintfOp, CallOp):
            if isinstance(op, ocl.PrintfOp):
                self.write(op, buffer)
            elif self.is_printing(op):
                _pass_also(op, buffer)

    def finish(self) -> None:
        """Give the formats to the kernels."""
        for kernel in self.kernels:
            kernel.attributes[PRINTF_FORMATS] = ArrayAttr(self.formats)

    def write(self, op: ocl.PrintfOp, buffer: SSAValue) -> None:
        """Reserve room in the buffer by an atomic addition; write the record where it fits."""
        arguments = [_storable(op, value) for value in op.arguments]
        types = [value.type for value in arguments]
        offsets, nbytes = printf_record(types)
        build = Build(op)
        size = build.constant(nbytes, i64)
        used = build.emit(ocl.AtomicRMWOp(ocl.AtomicKind.ADD, buffer, size))
        capacity = build.emit(ocl.LoadOp(buffer, build.index(1)))
        end = build.add(used, size)
        fits = build.compare("ule", end, capacity)
        record, full = _Code(op, Block()), _Code(op, Block())
        status = build.emit(scf.IfOp(fits, [i32], [record.block], [full.block]))
        header = record.index(PRINTF_HEADER)
        start = record.add(record.as_index(used), header)
        first = record.emit(ocl.OffsetOp(record.view(buffer, BYTES), start))
        number = record.constant(len(self.formats), i64)
        for value, offset in zip((number, *arguments), (0, *offsets), strict=True):
            address = record.at(first, offset, PtrType(value.type, AddressSpace.GLOBAL))
            record.emit_void(ocl.StoreOp(value, address))
        for code, result in ((record, 0), (full, -1)):
            code.emit_void(scf.YieldOp(code.constant(result, i32)))
        self.formats.append(ArrayAttr([op.format, ArrayAttr(types)]))
        Rewriter.replace_op(op, [], [status])


def _storable(op: ocl.PrintfOp, value: SSAValue) -> SSAValue:
    return Build(op).index_cast(value, i64) if isinstance(value.type, IndexType) else value


def _pass_also(call: CallOp, argument: SSAValue) -> None:
    operands = [*call.arguments, argument]
    Rewriter.replace_op(call, CallOp(call.callee, operands, call.result_types))


class _Launch:
    """Builds the function of one kernel."""

    def __init__(self, kernel: wg.FuncOp, stack: int, printing: _Printing):
        self.kernel = kernel
        self.stack_limit = stack
        self.printing = printing
        self.block = args_block(list(kernel.function_type.inputs))
        order = kernel.group_order
        self.order = (0, 1, 2) if order is None else order.get_values()
        types = [BYTES, BYTES, IndexType(), IndexType()]
        self.entry = Block(arg_types=types)
        self.args, self.scratch, self.begin, self.end = self.entry.args
        for arg, name in zip(self.entry.args, ("args", "scratch", "begin", "end"), strict=True):
            arg.name_hint = name
        self.once = _Code(kernel, Block())
        """What is done once for all groups: it is put in front of the loop."""
        self.each = _Code(kernel, Block())
        """What every group starts with."""
        self.stack_bytes = 0
        self.scratch_bytes = 0
        self._fields: dict[str, SSAValue] = {}
        self._variables: dict[Attribute, SSAValue] = {}
        """The memory for each variable that a debugger shows."""
        self._arguments: list[SSAValue] = []
        self._stored: tuple[SSAValue, SSAValue] | None = None
        """The argument that was stored last for a debugger, and its memory."""
        self._group_ids: dict[int, SSAValue] = {}
        self.function = self._build()

    def _build(self) -> FuncOp:
        body = Block(arg_types=[IndexType()])
        self.group_id = body.args[0]
        self.group_id.name_hint = "group"
        arguments = [self._parameter(i) for i in range(len(self.kernel.args))]
        self._arguments = arguments
        for op in operations_of(self.kernel.body, *_REWRITTEN):
            self.once.source = self.each.source = op
            self._rewrite(op)
        self.once.source = self.kernel
        self._mark_start()
        source = self.kernel.body.block
        if source.last_op is not None:
            Rewriter.erase_op(source.last_op)
        one = self.once.index(1)
        Rewriter.inline_block(source, InsertPoint.at_end(body), arguments)
        Build(self.kernel, body).emit_void(scf.YieldOp())
        assert body.first_op is not None
        body.insert_ops_before(_detached(self.each.block), body.first_op)
        self.entry.add_ops(_detached(self.once.block))
        end = Build(self.kernel, self.entry)
        groups = scf.ForOp(self.begin, self.end, one, [], Region(body))
        if not self.group_id.uses:
            # Without its own loops, which LLVM may unroll, it would be vectorized: what is the
            # same for all lanes is found in a time that grows exponentially with its operations.
            groups.attributes[ocl.UNROLL] = IntegerAttr(-2, i32)
        end.emit_void(groups)
        end.emit_void(FuncReturnOp())
        function = FuncOp(
            self.kernel.sym_name.data,
            FunctionType.from_lists([arg.type for arg in self.entry.args], []),
            Region(self.entry),
        )
        function.location = self.kernel.location
        function.attributes = dict(self.kernel.attributes)
        function.attributes[SCRATCH_BYTES] = IntegerAttr(self.scratch_bytes, i64)
        if "printf_buffer" in self._fields:
            self.printing.kernels.append(function)
        return function

    def _read(self, offset: int, type: Attribute, name: str | None) -> SSAValue:
        """A value of the args block, read once for all groups."""
        address = self.once.at(self.args, offset, PtrType(type, AddressSpace.GLOBAL))
        return _named(self.once.emit(ocl.LoadOp(address)), name)

    def _parameter(self, position: int) -> SSAValue:
        parameter = self.kernel.args[position]
        offset, name = self.block.offsets[position], parameter.name_hint
        if not is_local_pointer(parameter.type):
            return self._read(offset, parameter.type, name)
        nbytes = self.once.as_index(self._read(offset, i64, None))
        memory = self.once.emit(ocl.OffsetOp(self.scratch, nbytes))
        return _named(self.once.view(memory, ocl.pointer_type(parameter)), name)

    def _field(self, name: str) -> SSAValue:
        """One of the launch's sizes."""
        if name not in self._fields:
            value = self._read(self.block.field(name), i64, None)
            query, _, dimension = name.partition(".")
            hint = f"{query}_{'xyz'[int(dimension)]}" if dimension else query
            self._fields[name] = _named(self.once.as_index(value), hint)
        return self._fields[name]

    def _group_id(self, dimension: int) -> SSAValue:
        """group = (z * num_groups.1 + y) * num_groups.0 + x, or in another `group_order`."""
        if dimension not in self._group_ids:
            value = self.group_id
            in_parts = NON_UNIFORM in self.kernel.attributes
            count = "part_groups" if in_parts else "num_groups"
            for faster in self.order[: self.order.index(dimension)]:
                size = self._field(f"{count}.{faster}")
                value = self.each.emit(arith.DivUIOp(value, size))
            if dimension != self.order[-1]:
                size = self._field(f"{count}.{dimension}")
                value = self.each.emit(arith.RemUIOp(value, size))
            if in_parts:
                value = self.each.add(value, self._field(f"first_group.{dimension}"))
            self._group_ids[dimension] = _named(value, f"group_{'xyz'[dimension]}")
        return self._group_ids[dimension]

    # Operations of the body

    def _rewrite(self, op: Operation) -> None:
        match op:
            case ocl.GroupIdOp():
                self._replace(op, self._group_id(op.dimension))
            case (
                ocl.GlobalSizeOp()
                | ocl.LocalSizeOp()
                | ocl.EnqueuedLocalSizeOp()
                | ocl.NumGroupsOp()
                | ocl.GlobalOffsetOp()
            ):
                query = op.name.removeprefix("ocl.")
                self._replace(op, self._field(f"{query}.{op.dimension}"))
            case ocl.WorkDimOp():
                self._replace(op, self._field("work_dim"))
            case ocl.LocalAllocOp() | ocl.AllocaOp():
                self._allocate(op)
            case ocl.PrintfOp():
                self.printing.write(op, self._printf_buffer())
            case CallOp() if self.printing.is_printing(op):
                _pass_also(op, self._printf_buffer())
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
        variable = op.attributes.get(VARIABLE)
        if variable is not None:
            # Each region has its own, but a debugger reads one.
            memory = self._variables.get(variable)
            if memory is None:
                new = op.clone()
                memory = self._variables[variable] = self.once.emit(new)
                new.location = op.location
                self._store_argument(op, memory)
            Rewriter.replace_op(op, [], [memory])
            return
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
            memory = self.once.at(self.scratch, offset, type)
        else:
            self.stack_bytes += nbytes
            memory = self.once.emit(ocl.AllocaOp(type.pointee))
            if isinstance(op, ocl.LocalAllocOp):
                memory = self.once.view(memory, type)
        Rewriter.replace_op(op, [], [_named(memory, name)])

    def _store_argument(self, op: Operation, memory: SSAValue) -> None:
        """Where a debugger stops at a function, before any work-item runs, it shows arguments."""
        shown = source_variable(op)
        if shown is None or not shown.argument or shown.is_address:
            return
        value = self._arguments[shown.argument - 1]
        if value.type == ocl.pointee_of(memory):
            self._stored = value, memory
            store = ocl.StoreOp(value, memory, volatile=True)
            self.once.emit_void(store)
            store.location = self.kernel.location

    def _mark_start(self) -> None:
        """Let a debugger stop at the function after the stores of its arguments, at the first
        instruction with a line: the last store is repeated."""
        location = location_of(self.kernel)
        if self._stored is not None and location is not None:
            store = ocl.StoreOp(*self._stored, volatile=True)
            self.once.emit_void(store)
            store.location = FileLineColLoc(
                StringAttr(location[0]), IntAttr(location[1]), IntAttr(0)
            )

    def _printf_buffer(self) -> SSAValue:
        name = "printf_buffer"
        if name not in self._fields:
            self._fields[name] = self._read(self.block.field(name), PRINTF_BUFFER, name)
        return self._fields[name]


def _detached(block: Block) -> list[Operation]:
    """The operations of `block`, taken out of it."""
    ops = list(block.ops)
    for op in ops:
        op.detach()
    return ops
