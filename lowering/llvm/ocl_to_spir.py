"""`ocl-to-spir`: kernels in the LLVM dialect, with the functions that LLVM writes as SPIR-V."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    VectorType,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import KernelLike
from polycl.dialects.ocl.layout import align_of, size_of
from polycl.dialects.vec import count_of
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm import CONVERTERS, convert_module
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import (
    Conventions,
    Converter,
    FunctionLowering,
)
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import move
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import Spaces, bits_of, mangled
from polycl.lowering.llvm.kernel_functions import kernel_function

SPACES = Spaces(private=0, global_=1, constant=2, local=3, generic=4)
"""LLVM's numbers, for SPIR-V as for OpenCL."""

_SYMBOL = "spir.symbol"
"""Attribute (StringAttr) of an `ocl.local_alloc`: the global that is its memory."""

_LOCAL_FENCE, _GLOBAL_FENCE = 1, 2
"""CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE."""


@dataclass(frozen=True)
class OclToSpirPass(ModulePass):
    """Convert kernels, one work-item each, for LLVM's target SPIR-V.

    ```
    ocl.kernel @k(%x: !ocl.ptr<f32, global>) {     llvm.func @k(%x: !llvm.ptr<1>) ... {
      %i = ocl.global_id 0 : index            ->     %i = llvm.call @_Z13get_global_idj(%c0)
      ocl.barrier local                              llvm.call @_Z7barrierj(%c1)
    ```

    Queries and barriers are calls of OpenCL C's functions, whose names LLVM knows. Work-items of a
    work-group compute together by `ocl-expand-collectives`. The formulas of `expand-math` and
    `ocl-expand-builtins` replace OpenCL's own functions, so that all devices compute alike.

    Raises:
        PolyclError: located: an operation without a form in SPIR-V, such as those of sub-groups.
    """

    name = "ocl-to-spir"

    contract: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        conventions = Conventions(
            CONVERTERS | _CONVERTERS,
            contract=self.contract,
            spaces=SPACES,
            aligned_buffers=True,
            scopes=("workgroup", "device"),
            has_libm=False,
        )

        def kernel(old: KernelLike) -> FuncOp:
            for number, alloc in enumerate(operations_of(old.body, ocl.LocalAllocOp)):
                name = f"{old.sym_name.data}.local.{number}"
                alloc.attributes[_SYMBOL] = StringAttr(name)
                pointee = ocl.pointee_of(alloc.result)
                type = llvm.LLVMArrayType(size_of(pointee), i8)
                memory = llvm.GlobalOp(
                    type, name, "internal", SPACES.local, alignment=max(16, align_of(pointee))
                )
                op.body.block.insert_op_before(memory, old)
            return kernel_function(old, "spir_kernel")

        convert_module(op, conventions, kernel)


_QUERIES: dict[type[Operation], str] = {
    ocl.GlobalIdOp: "_Z13get_global_idj",
    ocl.LocalIdOp: "_Z12get_local_idj",
    ocl.GroupIdOp: "_Z12get_group_idj",
    ocl.GlobalSizeOp: "_Z15get_global_sizej",
    ocl.LocalSizeOp: "_Z14get_local_sizej",
    ocl.EnqueuedLocalSizeOp: "_Z23get_enqueued_local_sizej",
    ocl.NumGroupsOp: "_Z14get_num_groupsj",
    ocl.GlobalOffsetOp: "_Z17get_global_offsetj",
}
"""The functions of OpenCL C, by their mangled names."""


def _query(op: ocl.GlobalIdOp, low: FunctionLowering) -> SSAValue | None:
    return low.call_builtin(_QUERIES[type(op)], [low.constant(op.dimension, i32)], i64)


def _work_dim(op: ocl.WorkDimOp, low: FunctionLowering) -> SSAValue:
    found = low.call_builtin("_Z12get_work_dimv", [], i32)
    assert found is not None
    return low.emit(llvm.ZExtOp(found, i64))


def _barrier(op: ocl.BarrierOp, low: FunctionLowering) -> None:
    if op.is_sub_group:
        raise error_at(op, "a barrier of a sub-group has no form in SPIR-V here yet")
    flags = (op.local is not None) * _LOCAL_FENCE | (op.global_ is not None) * _GLOBAL_FENCE
    low.call_builtin("_Z7barrierj", [low.constant(flags or _LOCAL_FENCE, i32)])


def _local_alloc(op: ocl.LocalAllocOp, low: FunctionLowering) -> SSAValue:
    symbol = op.attributes.get(_SYMBOL)
    if not isinstance(symbol, StringAttr):
        raise error_at(op, "local memory in a function: run inline-functions before ocl-to-spir")
    return low.address_of(symbol.data, op.result.type)


def _refuse(what: str) -> Converter:
    def refuse(op: Operation, low: FunctionLowering) -> SSAValue:
        raise error_at(op, f"'{op.name}': {what}")

    return refuse


def _as_builtin(name: str) -> Callable[[arith.MinnumfOp, FunctionLowering], SSAValue]:
    """fmin and fmax of OpenCL: LLVM has no SPIR-V of its own operations."""

    def convert(op: arith.MinnumfOp, low: FunctionLowering) -> SSAValue:
        def call(*args: SSAValue) -> SSAValue:
            letter = {"f16": "Dh", "f32": "f", "f64": "d"}[mangled(args[0].type)]
            found = low.call_builtin(f"_Z4{name}{letter * 2}", args, args[0].type)
            assert found is not None
            return found

        args = low.values_of(op.operands)
        return low.each_element(call, args, args[0].type)

    return convert


def _extend(op: arith.ExtUIOp | arith.ExtSIOp, low: FunctionLowering) -> SSAValue:
    """Where a wider integer was truncated, a mask or two shifts in the width of the result: LLVM 22
    makes a mask in another width, and Intel's platform forgets the sign."""
    source, result = low.value(op.input), low.type(op.result.type)
    truncated = source.owner
    if not isinstance(truncated, llvm.TruncOp) or isinstance(result, VectorType):
        return low.new(EXTENSIONS[type(op)], [source], result)
    wide = truncated.arg
    if bits_of(wide.type) < bits_of(result):
        wide = low.emit(llvm.ZExtOp(wide, result))
    elif bits_of(wide.type) > bits_of(result):
        wide = low.emit(llvm.TruncOp(wide, result))
    if isinstance(op, arith.ExtUIOp):
        return low.emit(llvm.AndOp(wide, low.constant((1 << bits_of(source.type)) - 1, result)))
    above = low.constant(bits_of(result) - bits_of(source.type), result)
    return low.emit(llvm.AShrOp(low.emit(llvm.ShlOp(wide, above)), above))


EXTENSIONS: dict[type[Operation], type[Operation]] = {
    arith.ExtUIOp: llvm.ZExtOp,
    arith.ExtSIOp: llvm.SExtOp,
}


def _select(op: arith.SelectOp, low: FunctionLowering) -> SSAValue:
    """Between vectors by one condition: LLVM 22 forgets to repeat it for each element."""
    condition, x, y = low.values_of(op.operands)
    type = x.type
    if isinstance(type, VectorType) and not isinstance(condition.type, VectorType):
        repeated = VectorType(i1, type.get_shape())
        first = low.insert_element(low.poison(repeated), condition, 0)
        condition = low.shuffle(first, low.poison(repeated), [0] * count_of(type))
    return low.select(condition, x, y)


def _printf(op: ocl.PrintfOp, low: FunctionLowering) -> SSAValue:
    data = op.format.data.encode("latin-1", "replace") + b"\0"
    name = f"polycl.format.{len(low.symbols.added)}"
    type = llvm.LLVMArrayType(len(data), i8)
    values = DenseIntOrFPElementsAttr(TensorType(i8, [len(data)]), BytesAttr(data))
    low.symbols.added.append(
        llvm.GlobalOp(
            type, name, "internal", SPACES.constant, constant=True, value=values, alignment=1
        )
    )
    pointer = SPACES.pointer(ocl.AddressSpace.CONSTANT)
    # A format is a pointer to characters, and not to an array.
    text = move(
        low, low.emit(llvm.AddressOfOp(SymbolRefAttr(name), pointer)), low.constant(0, i64), 1
    )
    function = llvm.LLVMFunctionType([pointer], i32, is_variadic=True)
    low.symbols.declared.setdefault(
        "printf", llvm.FuncOp("printf", function, llvm.LinkageAttr("external"))
    )
    args = low.values_of(op.arguments)
    return low.emit(llvm.CallOp("printf", text, *args, return_type=i32))


_NO_SUB_GROUPS = _refuse("sub-groups have no form in SPIR-V here yet")

_CONVERTERS: dict[type[Operation], Converter] = {
    **dict.fromkeys(_QUERIES, _query),
    ocl.WorkDimOp: _work_dim,
    ocl.BarrierOp: _barrier,
    ocl.LocalAllocOp: _local_alloc,
    ocl.PrefetchOp: lambda op, low: None,
    ocl.PrintfOp: _printf,
    ocl.GroupReduceOp: _NO_SUB_GROUPS,
    ocl.GroupScanOp: _NO_SUB_GROUPS,
    ocl.GroupShuffleOp: _NO_SUB_GROUPS,
    ocl.IsInOp: _refuse("the address space of a generic pointer is not known here"),
    arith.ExtUIOp: _extend,
    arith.ExtSIOp: _extend,
    arith.SelectOp: _select,
    arith.MinnumfOp: _as_builtin("fmin"),
    arith.MaxnumfOp: _as_builtin("fmax"),
}
