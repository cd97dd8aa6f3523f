"""`convert-gpu-to-ocl`: kernels of MLIR's `gpu` dialect become `ocl.kernel`s."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, gpu, memref
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects.parents import parents
from polycl.errors import error_at
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_functions import convert_helper, convert_kernel
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_memory import Scope
from polycl.lowering.ocl.convert_gpu_to_ocl.memrefs import constant_data
from polycl.remarks import emit_remark

_KERNEL = "gpu.kernel"
_BLOCK_SIZES = ("known_block_size", "gpu.known_block_size", "gpu.workgroup_size")

_Function = func.FuncOp | gpu.FuncOp


@dataclass(frozen=True)
class ConvertGpuToOclPass(ModulePass):
    """Turn `gpu.func` kernels, and `func.func`s marked `gpu.kernel`, into `ocl.kernel`s.

    A memref parameter becomes a pointer; the sizes, strides and the offset that its type leaves
    open become i64 parameters after all others; a launch takes them from the shape of the array.
    Memory attributions become `ocl.local_alloc` and `ocl.alloca`, a known block size
    `reqd_work_group_size`. Functions that a kernel calls are converted, too. Functions with
    `gpu.launch_func` stay, for `convert-gpu-launches`; other code of the host is removed, with a
    remark. docs/passes/convert-gpu-to-ocl.md has the mapping.

    ```
    gpu.func @scale(%x: memref<?xf32>) kernel {    ocl.kernel @scale(%x: !ocl.ptr<f32, global>
                                                      {..}, %x_size0: i64 {..}) {
      %i = gpu.global_id x                            %i = ocl.global_id 0 : index
      %v = memref.load %x[%i] : memref<?xf32>  ->     %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
      ...                                             ...
      gpu.return                                      ocl.return
    }                                              }
    ```

    Raises:
        PolyclError: located: an operation, a type, a layout or a memory space that has no
            translation, or a memref that passes through control flow.
    """

    name = "convert-gpu-to-ocl"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = [k for k in op.walk() if isinstance(k, _Function) and _is_kernel(k)]
        if not kernels:
            _refuse_launches(op)
            return
        names = _Names(op, kernels)
        before = list(op.ops)
        for scope in (op, *(m for m in before if isinstance(m, gpu.ModuleOp))):
            _convert_scope(scope, names, [k for k in kernels if k.parent_op() is scope])
        _remove_rest(before, self.name, _host_functions(op))


class _Names:
    """Names that are unique in the converted module."""

    def __init__(self, module: ModuleOp, kernels: Iterable[_Function]):
        self._taken: set[str] = set()
        for kernel in kernels:
            name = kernel.sym_name.data
            if name in self._taken:
                raise error_at(kernel, f"two kernels are named '{name}'; rename one of them")
            self._taken.add(name)

    def unique(self, op: Operation, name: str) -> str:
        """A name for `op`: its own, or one with the name of its module before it."""
        parent = op.parent_op()
        if name in self._taken and isinstance(parent, gpu.ModuleOp):
            name = f"{parent.sym_name.data}_{name}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _is_kernel(op: _Function) -> bool:
    return _KERNEL in op.attributes or (isinstance(op, gpu.FuncOp) and op.kernel is not None)


def _refuse_launches(module: ModuleOp) -> None:
    for op in module.walk():
        if isinstance(op, gpu.LaunchOp):
            raise error_at(
                op,
                "'gpu.launch' has its kernel inside of host code; expected a gpu.func: run "
                "mlir-opt --gpu-kernel-outlining before",
            )


def _convert_scope(scope: ModuleOp | gpu.ModuleOp, names: _Names, kernels: list[_Function]) -> None:
    """Add the converted kernels of `scope`, and the symbols that they use, to the outer module."""
    ops = list(scope.body.block.ops)
    functions = {f.sym_name.data: f for f in ops if isinstance(f, _Function)}
    globals_ = {g.sym_name.data: g for g in ops if isinstance(g, memref.GlobalOp)}
    used = _reachable(kernels, functions | globals_)
    symbols = {name: name if op in kernels else names.unique(op, name) for name, op in used.items()}
    known = Scope(functions, globals_, symbols)
    for op in used.values():
        name = symbols[_symbol(op)]
        match op:
            case memref.GlobalOp() if op.constant is None:
                continue
            case memref.GlobalOp():
                new: Operation = constant_data(op, name)
            case _ if op in kernels:
                new = convert_kernel(op, known, name, _block_size(op))
            case _:
                new = convert_helper(op, known, name)
        place = scope if isinstance(scope, gpu.ModuleOp) else op
        Rewriter.insert_op(new, InsertPoint.before(place))


def _symbol(op: _Function | memref.GlobalOp) -> str:
    return op.sym_name.data


def _reachable(
    kernels: list[_Function], symbols: Mapping[str, _Function | memref.GlobalOp]
) -> dict[str, _Function | memref.GlobalOp]:
    """The kernels, and the functions and globals that they use, in the order of the source."""
    found: set[str] = set()
    open_ = [kernel.sym_name.data for kernel in kernels]
    while open_:
        name = open_.pop()
        op = symbols.get(name)
        is_declared_only = isinstance(op, _Function) and not op.body.blocks
        if name in found or op is None or is_declared_only:
            continue
        found.add(name)
        for nested in op.walk():
            if isinstance(nested, func.CallOp):
                open_.append(nested.callee.string_value())
            elif isinstance(nested, memref.GetGlobalOp):
                open_.append(nested.name_.string_value())
    return {name: op for name, op in symbols.items() if name in found}


def _block_size(op: _Function) -> tuple[int, ...] | None:
    """The block size that the kernel or a module around it states."""
    for where in (op, *parents(op)):
        for name in _BLOCK_SIZES:
            size = where.attributes.get(name)
            if size is None:
                continue
            sizes = [int(n) for n in size.get_values()] if isinstance(size, DenseArrayBase) else []
            if not 1 <= len(sizes) <= 3 or any(n < 1 for n in sizes):
                raise error_at(op, f"{name} = {size}: expected 1 to 3 positive sizes")
            return tuple(sizes + [1] * (3 - len(sizes)))
    return None


def _host_functions(module: ModuleOp) -> set[str]:
    """The functions that launch kernels, and those that they call."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    found: set[str] = set()
    open_ = [name for name, function in functions.items() if _launches(function)]
    while open_:
        name = open_.pop()
        if name in functions and name not in found:
            found.add(name)
            calls = (op for op in functions[name].walk() if isinstance(op, func.CallOp))
            open_ += [call.callee.string_value() for call in calls]
    return found


def _launches(function: func.FuncOp) -> bool:
    return any(isinstance(op, gpu.LaunchFuncOp) for op in function.walk())


def _remove_rest(ops: Iterable[Operation], pass_name: str, kept: Container[str] = ()) -> None:
    """Remove converted functions, host code but for functions in `kept`, and unused symbols."""
    for op in ops:
        match op:
            case gpu.ModuleOp():
                for nested in op.body.block.ops:
                    if not isinstance(nested, _Function | memref.GlobalOp):
                        raise error_at(nested, f"'{nested.name}' in a gpu.module is not supported")
                _remove_rest(list(op.body.block.ops), pass_name)
            case func.FuncOp() if op.sym_name.data in kept:
                continue
            case func.FuncOp() | gpu.FuncOp() if op.regions and op.body.blocks:
                name = op.sym_name.data
                emit_remark(op, pass_name, f"'{name}' is called by no kernel: removed as host code")
            case func.FuncOp() | gpu.FuncOp() | memref.GlobalOp():
                pass  # converted or declared only
            case _:
                continue
        Rewriter.erase_op(op)
