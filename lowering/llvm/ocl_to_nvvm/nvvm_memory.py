"""Local memory, barriers, and questions about address spaces."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i1, i8, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace, ArrayType, PtrType
from polycl.dialects.ocl.attributes import ASYNC
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.llvm.convert_to_llvm import CONVERTERS as ALL_CONVERTERS
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import address_of
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import POINTER
from polycl.lowering.llvm.ocl_to_nvvm.nvvm_assembly import assembly
from polycl.lowering.llvm.ocl_to_nvvm.nvvm_collectives import own_lanes

LOCAL_BYTES = "nvvm.local_bytes"
"""Attribute (IntegerAttr) of a kernel: the local memory that each launch adds for it. That of its
arguments follows."""

MOST_STATIC = 48 * 1024
"""Bytes of local memory that may have a fixed size, and that any launch may have."""

ALIGNMENT = 128
"""Bytes, of each array in local memory: the alignment of a double16."""

_KIB = 1024
"""The alignment of arrays of whole KiB, which may be matrices of `ocl.wgmma`."""

_SYMBOL = "nvvm.symbol"
"""Attribute (StringAttr) of an `ocl.local_alloc`: the global that is its memory."""
_ADDED = "polycl_local"
"""The global for the local memory that a launch adds."""


def place_local_memory(
    module: ModuleOp, kernel: ocl.KernelOp, local_pointers: bool
) -> dict[str, Attribute]:
    """Make globals of a kernel's local memory; the result are attributes of the kernel."""
    placed = operations_of(kernel.body, ocl.LocalAllocOp)
    # Arrays of whole KiB are first, and so at whole KiB.
    placed.sort(key=lambda op: size_of(ocl.pointee_of(op.result)) % _KIB != 0)
    sizes = [round_up(size_of(ocl.pointee_of(op.result)), ALIGNMENT) for op in placed]
    is_added = sum(sizes) > MOST_STATIC and not local_pointers
    start = 0
    for number, (op, size) in enumerate(zip(placed, sizes, strict=True)):
        if is_added:
            pointee = ocl.pointee_of(op.result)
            b = Build(op)
            Rewriter.replace_op(op, [], [_added(module, b, b.index(start), pointee)])
            start += size
            continue
        name = f"{kernel.sym_name.data}.local.{number}"
        op.attributes[_SYMBOL] = StringAttr(name)
        nbytes = size_of(ocl.pointee_of(op.result))
        _add_global(module, name, nbytes, "internal")
    if not local_pointers:
        for parameter in kernel.args:
            type = parameter.type
            if isinstance(type, PtrType) and type.address_space is AddressSpace.LOCAL:
                b = Build(kernel, InsertPoint.at_start(kernel.body.blocks[0]))
                uses = list(parameter.uses)
                offset = Rewriter.replace_value_with_new_type(parameter, i64)
                memory = _added(module, b, b.as_index(offset), type.pointee)
                for use in uses:
                    use.operation.operands[use.index] = memory
    return {LOCAL_BYTES: IntegerAttr(start, i64)} if start else {}


def _added(module: ModuleOp, b: Build, offset: SSAValue, pointee: Attribute) -> SSAValue:
    """A pointer to the byte `offset` of what a launch adds."""
    _add_global(module, _ADDED, 0, "external")
    alloc = ocl.LocalAllocOp(ArrayType(1, i8))
    alloc.attributes[_SYMBOL] = StringAttr(_ADDED)
    bytes = b.emit(ocl.CastOp(b.emit(alloc), PtrType(i8, AddressSpace.LOCAL)))
    moved = b.emit(ocl.OffsetOp(bytes, offset))
    return b.emit(ocl.CastOp(moved, PtrType(pointee, AddressSpace.LOCAL)))


def _add_global(module: ModuleOp, name: str, nbytes: int, linkage: str) -> None:
    names = {op.sym_name.data for op in module.ops if isinstance(op, llvm.GlobalOp)}
    if name not in names:
        type = llvm.LLVMArrayType(nbytes, i8)
        module.body.block.insert_op_before(
            llvm.GlobalOp(
                type, name, linkage, addr_space=3, alignment=ALIGNMENT if nbytes % _KIB else _KIB
            ),
            _first(module),
        )


def _first(module: ModuleOp) -> Operation:
    first = module.body.block.first_op
    assert first is not None
    return first


def _local_alloc(op: ocl.LocalAllocOp, low: FunctionLowering) -> SSAValue:
    symbol = op.attributes.get(_SYMBOL)
    if not isinstance(symbol, StringAttr):
        raise error_at(op, "local memory in a function: run inline-functions before ocl-to-nvvm")
    return low.address_of(symbol.data, op.result.type)


def _barrier(op: ocl.BarrierOp, low: FunctionLowering) -> None:
    """It orders the accesses of the work-group to all memory."""
    if op.is_sub_group:
        low.intrinsic_void("llvm.nvvm.bar.warp.sync", [own_lanes(op, low)])
    else:
        zero = low.constant(0, i32)
        low.intrinsic_void("llvm.nvvm.barrier.cta.sync.aligned.all", [zero])


_COPY = {4: "ca.shared.global.4", 8: "ca.shared.global.8", 16: "cg.shared.global.16"}
"""By the number of bytes. Those of 16 do not go through the cache of the multiprocessor."""


def _store(op: ocl.StoreOp, low: FunctionLowering) -> None:
    """A store, or an asynchronous copy."""
    load = op.value.owner
    nbytes = size_of(op.value.type)
    if not (
        ASYNC in op.attributes
        and isinstance(load, ocl.LoadOp)
        and ocl.space_of(load.pointer) is AddressSpace.GLOBAL
        and ocl.space_of(op.pointer) is AddressSpace.LOCAL
        and nbytes in _COPY
    ):
        ALL_CONVERTERS[ocl.StoreOp](op, low)
        return
    target, aligned = address_of(low, op.pointer, op.index)
    source, also_aligned = address_of(low, load.pointer, load.index)
    if min(aligned, also_aligned) < nbytes:
        ALL_CONVERTERS[ocl.StoreOp](op, low)
        return
    low.intrinsic_void(f"llvm.nvvm.cp.async.{_COPY[nbytes]}", [target, source])


def _commit(op: ocl.CommitCopiesOp, low: FunctionLowering) -> None:
    low.intrinsic_void("llvm.nvvm.cp.async.commit.group", [])


def _wait(op: ocl.WaitCopiesOp, low: FunctionLowering) -> None:
    pending = low.constant(op.pending.value.data, i32)
    low.intrinsic_void("llvm.nvvm.cp.async.wait.group", [pending])
    if op.for_products is not None:
        assembly(low, "fence.proxy.async.shared::cta;")


_IS_IN = {
    AddressSpace.GLOBAL: "global",
    AddressSpace.LOCAL: "shared",
    AddressSpace.PRIVATE: "local",
}


def _is_in(op: ocl.IsInOp, low: FunctionLowering) -> SSAValue:
    pointer = low.value(op.pointer)
    if pointer.type != POINTER:
        pointer = low.new(llvm_ext.AddrSpaceCastOp, [pointer], POINTER)
    return low.intrinsic_named(f"llvm.nvvm.isspacep.{_IS_IN[op.space]}", [pointer], i1)


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.LocalAllocOp: _local_alloc,
    ocl.StoreOp: _store,
    ocl.CommitCopiesOp: _commit,
    ocl.WaitCopiesOp: _wait,
    ocl.BarrierOp: _barrier,
    ocl.IsInOp: _is_in,
    ocl.PrefetchOp: lambda op, low: None,
}
