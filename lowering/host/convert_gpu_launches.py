"""`convert-gpu-launches`: functions that launch `gpu` kernels become functions of the host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, gpu, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, SymbolTable

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import host, ocl
from polycl.dialects.ocl.attributes import is_scalar
from polycl.dialects.ocl.kernel import PARAM_IMPLIED
from polycl.errors import PolyclError, error_at
from polycl.lowering.build import Build
from polycl.lowering.ocl.outline_launches import refuse_options
from polycl.lowering.wg.group_shape import best_group
from polycl.remarks import emit_remark

_VIEWS = (
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.GetGlobalOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
    memref.ViewOp,
)
_STRUCTURE = (scf.ForOp, scf.IfOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp)


@dataclass(frozen=True)
class ConvertGpuLaunchesPass(ModulePass):
    """Turn functions with `gpu.launch_func` of `ocl.kernel`s into functions of the `host` dialect.

    ```
    func.func @f(%x: memref<?xf32>) {        func.func @f(%x: memref<?xf32>,
      ...                                                 %x_size0: index {ocl.implied = ..}) {
      gpu.launch_func @k::@k                   %d = host.buffer %x_size0 : !host.buffer<f32>
          blocks in (..) threads in (..) ->    host.write %x to %d : ..
          args(%x : memref<?xf32>)             host.launch @k global [..] (%d, ..) : ..
      return                                   host.read %d to %x : ..
    }                                          host.release %d ; func.return }
    ```

    A memref argument is an array of one dimension, in row-major order; its open sizes are further
    arguments, which a caller may leave out. `memref.alloc` is a buffer. A launch whose kernel
    depends on no groups has no local size: the device chooses one. A launch of no block is none.

    With `optional`, a function that cannot be converted is removed, with a remark.

    Raises:
        PolyclError: located: an operation or a type that the host's side cannot have.
    """

    name = "convert-gpu-launches"

    optional: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, func.FuncOp)]:
            if not any(isinstance(nested, gpu.LaunchFuncOp) for nested in function.walk()):
                continue
            copy = function.clone()
            Rewriter.insert_op(copy, InsertPoint.after(function))
            try:
                _Conversion(copy).run()
            except PolyclError as error:
                if not self.optional:
                    raise
                why = str(error).splitlines()[0]
                emit_remark(function, self.name, f"removed as host code: {why}")
                copy.detach()
                copy.erase(safe_erase=False)
            Rewriter.erase_op(function)
        _erase_uncalled(op)
        op.attributes.pop("gpu.container_module", None)


@dataclass
class _Array:
    """A memref of the host's side: its buffer, and its sizes."""

    buffer: SSAValue
    sizes: Sequence[SSAValue]


class _Conversion:
    """One function."""

    def __init__(self, function: func.FuncOp):
        self._function = function
        self._arrays: dict[SSAValue, _Array] = {}

    def run(self) -> None:
        function = self._function
        self._check()
        entry = function.body.block
        old, names = list(entry.args), [a.name_hint or f"arg{k}" for k, a in enumerate(entry.args)]
        start = Build(function, InsertPoint.at_start(entry))
        new: list[tuple[SSAValue, SSAValue]] = []
        attributes: list[dict[str, Attribute]] = []
        for argument, name in zip(old, names, strict=True):
            type = argument.type
            if isinstance(type, MemRefType):
                type = MemRefType(_stored(type), [_count(type)])
            fresh = entry.insert_arg(type, len(entry.args))
            fresh.name_hint = name
            attributes.append({})
            new.append((argument, fresh))
        back: list[tuple[SSAValue, SSAValue]] = []
        for (argument, fresh), name in zip(new, names, strict=True):
            if not isinstance(argument.type, MemRefType):
                argument.replace_all_uses_with(fresh)
                continue
            sizes: list[SSAValue] = []
            for dim, size in enumerate(argument.type.get_shape()):
                if size != DYNAMIC_INDEX:
                    sizes.append(start.index(size))
                    continue
                number = entry.insert_arg(IndexType(), len(entry.args))
                number.name_hint = f"{name}_size{dim}"
                attributes.append({PARAM_IMPLIED: StringAttr(f"{name}.size{dim}")})
                sizes.append(number)
            buffer = self._buffer(start, argument, sizes)
            start.emit_void(host.WriteOp(fresh, buffer))
            if self._is_written(argument):
                back.append((buffer, fresh))
        for nested in list(function.body.walk()):
            if nested.parent is not None:
                self._convert(nested)
        end = entry.last_op
        assert isinstance(end, func.ReturnOp)
        finish = Build(end)
        for buffer, array in back:
            finish.emit_void(host.ReadOp(buffer, array))
        for array in self._arrays.values():
            if array.buffer.owner is not None and _is_at_top(array.buffer, entry):
                finish.emit_void(host.ReleaseOp(array.buffer))
        _erase_unused(function.body)
        for argument in old:
            entry.erase_arg(argument)
        function.properties["function_type"] = FunctionType.from_lists(entry.arg_types, [])
        function.properties["arg_attrs"] = ArrayAttr(map(DictionaryAttr, attributes))

    def _check(self) -> None:
        function = self._function
        name = function.sym_name.data
        if function.function_type.outputs:
            raise error_at(
                function,
                f"function '{name}' launches kernels and returns "
                f"{', '.join(map(str, function.function_type.outputs))}; expected results in "
                "arrays that are arguments",
            )
        if len(function.body.blocks) != 1:
            raise error_at(
                function,
                f"function '{name}' launches kernels and has branches between blocks; expected "
                "scf.if, scf.for and scf.while: run mlir-opt --lift-cf-to-scf before",
            )
        for argument in function.body.block.args:
            if isinstance(argument.type, MemRefType):
                if not isinstance(argument.type.layout, NoneAttr):
                    raise error_at(
                        function,
                        f"argument '{argument.name_hint}' of '{name}' is {argument.type}; expected "
                        "no layout: the array of a caller is in row-major order",
                    )
            elif argument.type not in (IndexType(), i1) and not is_scalar(argument.type):
                raise error_at(
                    function,
                    f"argument '{argument.name_hint}' of '{name}' is {argument.type}; expected a "
                    "memref or a number",
                )

    def _buffer(self, build: Build, array: SSAValue, sizes: Sequence[SSAValue]) -> SSAValue:
        """A new buffer for `array`."""
        assert isinstance(array.type, MemRefType)
        static = [constant_index(size) for size in sizes]
        if all(size is not None for size in static):
            count = build.index(_count(array.type, static))
        else:
            count = sizes[0]
            for size in sizes[1:]:
                count = build.mul(count, size)
        buffer = build.emit(host.BufferOp(count, _stored(array.type)))
        buffer.name_hint = f"{array.name_hint}_buffer" if array.name_hint else None
        self._arrays[array] = _Array(buffer, sizes)
        return buffer

    def _convert(self, op: Operation) -> None:
        build = Build(op)
        match op:
            case gpu.LaunchFuncOp():
                self._launch(op)
                Rewriter.erase_op(op)
            case memref.AllocOp() | memref.AllocaOp():
                assert isinstance(op.memref.type, MemRefType)
                given = iter(op.dynamic_sizes)
                sizes = [
                    next(given) if size == DYNAMIC_INDEX else build.index(size)
                    for size in op.memref.type.get_shape()
                ]
                self._buffer(build, op.memref, sizes)
            case memref.DeallocOp():
                array = self._array(op.memref, op)
                build.emit_void(host.ReleaseOp(array.buffer))
                Rewriter.erase_op(op)
            case memref.DimOp():
                array = self._array(op.source, op)
                dim = constant_index(op.index)
                if dim is None or not 0 <= dim < len(array.sizes):
                    raise error_at(op, f"'{op.name}': expected a constant dimension of the array")
                Rewriter.replace_op(op, [], [array.sizes[dim]])
            case _ if isinstance(op, (*_VIEWS, *_STRUCTURE, func.ReturnOp)):
                pass
            case _ if op.name.startswith(("arith.", "math.", "host.")) or op.name == "cf.assert":
                pass
            case _:
                raise error_at(
                    op,
                    f"'{op.name}' is not supported in a function that launches kernels; expected "
                    "launches, memref.alloc, numbers, scf.for, scf.if and scf.while",
                )

    def _array(self, value: SSAValue, user: Operation) -> _Array:
        found = self._arrays.get(value)
        if found is None:
            raise error_at(
                user,
                f"'{user.name}' uses {value.type}, which is neither an argument of the function "
                "nor allocated in it",
            )
        return found

    def _launch(self, op: gpu.LaunchFuncOp) -> None:
        build, kernel = Build(op), self._kernel(op)
        memory: list[SSAValue] = []
        numbers: list[SSAValue] = []
        for value in op.kernelOperands:
            if not isinstance(value.type, MemRefType):
                memory.append(_passed(build, value))
                continue
            array = self._array(value, op)
            memory.append(array.buffer)
            for size, known in zip(array.sizes, value.type.get_shape(), strict=True):
                if known == DYNAMIC_INDEX:
                    numbers.append(build.index_cast(size, i64))
        grid = [build.as_index(v) for v in (op.gridSizeX, op.gridSizeY, op.gridSizeZ)]
        block = [build.as_index(v) for v in (op.blockSizeX, op.blockSizeY, op.blockSizeZ)]
        rank = max(
            [
                d + 1
                for d in range(3)
                if constant_index(grid[d]) != 1 or constant_index(block[d]) != 1
            ]
            or [1]
        )
        sizes = [
            g if constant_index(b) == 1 else build.mul(g, b)
            for g, b in zip(grid[:rank], block[:rank], strict=True)
        ]
        local = [] if best_group(kernel) is not None else block[:rank]
        launch = host.LaunchOp(kernel.sym_name.data, sizes, local, [*memory, *numbers])
        open_ = [size for size in sizes if constant_index(size) is None]
        if open_:
            holds: SSAValue | None = None
            for size in open_:
                some = build.compare("sgt", size, build.index(0))
                holds = some if holds is None else build.and_(holds, some)
            assert holds is not None
            then = Block()
            build.emit_void(scf.IfOp(holds, [], Region(then)))
            build = Build(op, then)
            build.emit_void(launch)
            build.emit_void(scf.YieldOp())
        else:
            build.emit_void(launch)

    def _kernel(self, op: gpu.LaunchFuncOp) -> ocl.KernelOp:
        refuse_options(op)
        name = op.kernel.string_value().rpartition(".")[2]
        found = SymbolTable.lookup_symbol(self._function, name)
        if not isinstance(found, ocl.KernelOp):
            raise error_at(op, f"'{op.name}': there is no kernel {op.kernel} in the module")
        count = sum(
            1 + (t.get_shape().count(DYNAMIC_INDEX) if isinstance(t, MemRefType) else 0)
            for t in op.kernelOperands.types
        )
        if count != len(found.param_names):
            raise error_at(
                op,
                f"'{op.name}': kernel '{name}' has {len(found.param_names)} parameters "
                f"({', '.join(found.param_names)}), got {count} arguments",
            )
        return found

    def _is_written(self, array: SSAValue) -> bool:
        """Whether a kernel that gets an array of the function may write to it."""
        for use in array.uses:
            if isinstance(use.operation, gpu.LaunchFuncOp):
                kernel = self._kernel(use.operation)
                operands = list(use.operation.kernelOperands)
                places = [k for k, operand in enumerate(operands) if operand is array]
                if any(_may_write(kernel.body.blocks[0].args[k]) for k in places):
                    return True
        return False


def _erase_uncalled(module: ModuleOp) -> None:
    """Erase declarations that only removed functions called."""
    called = {o.callee.string_value() for o in module.walk() if isinstance(o, func.CallOp)}
    for op in list(module.ops):
        if isinstance(op, func.FuncOp) and op.is_declaration and op.sym_name.data not in called:
            Rewriter.erase_op(op)


def _may_write(pointer: SSAValue) -> bool:
    for use in pointer.uses:
        match use.operation:
            case ocl.LoadOp() | ocl.VLoadOp():
                pass
            case ocl.CastOp() | ocl.OffsetOp():
                if _may_write(use.operation.results[0]):
                    return True
            case _:
                return True
    return False


def _is_at_top(buffer: SSAValue, entry: Block) -> bool:
    """Whether a buffer lives until the end of the function."""
    owner = buffer.owner
    is_released = any(isinstance(use.operation, host.ReleaseOp) for use in buffer.uses)
    return isinstance(owner, Operation) and owner.parent is entry and not is_released


def _stored(type: MemRefType) -> Attribute:
    """The type of an element in memory."""
    element = type.element_type
    return i64 if isinstance(element, IndexType) else i8 if element == i1 else element


def _count(type: MemRefType, sizes: Sequence[int | None] | None = None) -> int:
    """How many elements an array has; DYNAMIC_INDEX if that is not known."""
    count = 1
    for size in type.get_shape() if sizes is None else sizes:
        if size is None or size == DYNAMIC_INDEX:
            return DYNAMIC_INDEX
        count *= size
    return count


def _passed(build: Build, value: SSAValue) -> SSAValue:
    """A number as kernels take it."""
    if isinstance(value.type, IndexType):
        return build.index_cast(value, i64)
    return build.emit(arith.ExtUIOp(value, i8)) if value.type == i1 else value


def _erase_unused(body: Region) -> None:
    """Erase views and numbers that only kernels used, and memory that has become a buffer."""
    for op in reversed(list(body.walk())):
        is_unused = not any(result.uses for result in op.results)
        is_ours = op.name.startswith(("arith.", "memref."))
        if is_unused and is_ours and not op.has_trait(IsTerminator):
            Rewriter.erase_op(op)
