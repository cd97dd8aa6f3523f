"""The conversion of the operations in a kernel: accesses, queries, barriers, calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import arith, gpu, memref, scf, vector
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from polycl.dialects import ocl
from polycl.dialects.gpu_ext import ATOMIC_KINDS
from polycl.dialects.ocl.collectives import verify_combination
from polycl.errors import error_at
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_memory import Memory, read, write
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_types import stored_type
from polycl.lowering.ocl.convert_gpu_to_ocl.memref_views import Number, View, ViewBuild, known

OpHandler: TypeAlias = "Callable[[Any, Memory], None]"

Query: TypeAlias = gpu.ThreadIdOp | gpu.BlockIdOp | gpu.BlockDimOp | gpu.GridDimOp | gpu.GlobalIdOp

_QUERIES: dict[
    type[Operation],
    type[ocl.LocalIdOp | ocl.GroupIdOp | ocl.LocalSizeOp | ocl.NumGroupsOp | ocl.GlobalIdOp],
] = {
    gpu.ThreadIdOp: ocl.LocalIdOp,
    gpu.BlockIdOp: ocl.GroupIdOp,
    gpu.BlockDimOp: ocl.LocalSizeOp,
    gpu.GridDimOp: ocl.NumGroupsOp,
    gpu.GlobalIdOp: ocl.GlobalIdOp,
}

_ATOMICS = {
    "addf": ocl.AtomicKind.FADD,
    "addi": ocl.AtomicKind.ADD,
    "assign": ocl.AtomicKind.XCHG,
    "maxs": ocl.AtomicKind.SMAX,
    "maxu": ocl.AtomicKind.UMAX,
    "mins": ocl.AtomicKind.SMIN,
    "minu": ocl.AtomicKind.UMIN,
    "ori": ocl.AtomicKind.OR,
    "andi": ocl.AtomicKind.AND,
    "xori": ocl.AtomicKind.XOR,
}


_COMBINES: dict[type[Operation], ocl.CombineKind] = {
    arith.AddfOp: ocl.CombineKind.ADD,
    arith.AddiOp: ocl.CombineKind.ADD,
    arith.MulfOp: ocl.CombineKind.MUL,
    arith.MuliOp: ocl.CombineKind.MUL,
    arith.MinSIOp: ocl.CombineKind.MIN,
    arith.MaxSIOp: ocl.CombineKind.MAX,
    arith.MinUIOp: ocl.CombineKind.UMIN,
    arith.MaxUIOp: ocl.CombineKind.UMAX,
    arith.MinnumfOp: ocl.CombineKind.MIN,
    arith.MaxnumfOp: ocl.CombineKind.MAX,
    arith.AndIOp: ocl.CombineKind.AND,
    arith.OrIOp: ocl.CombineKind.OR,
    arith.XOrIOp: ocl.CombineKind.XOR,
}
"""What the body of a `gpu.all_reduce` may do."""


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    for old, new in zip(op.results, values, strict=True):
        if old.name_hint is not None and not isinstance(new.owner, Block):
            new.name_hint = old.name_hint
    Rewriter.replace_op(op, [], list(values))


def _query(op: Query, memory: Memory) -> None:
    dimension = "xyz".index(str(op.dimension.data))
    _replace(op, [ViewBuild(op).emit(_QUERIES[type(op)](dimension))])


def _barrier(op: gpu.BarrierOp, memory: Memory) -> None:
    # gpu.barrier orders the accesses to all memory that work-items share.
    ViewBuild(op).emit_void(ocl.BarrierOp(local=True, global_=True))
    Rewriter.erase_op(op)


def _all_reduce(op: gpu.AllReduceOp, memory: Memory) -> None:
    kind = None if op.op is None else ocl.CombineKind(op.op.data.value)
    if kind is None:
        combine, *rest = op.body.block.ops
        same = set(combine.operands) == set(op.body.block.args)
        if len(rest) == 1 and same and list(rest[0].operands) == list(combine.results):
            kind = _COMBINES.get(type(combine))
    if kind is None:
        raise error_at(
            op,
            f"'{op.name}' with this body is not supported; expected one operation on both "
            f"arguments, of {', '.join(combine.name for combine in _COMBINES)}",
        )
    try:
        verify_combination(kind, op.operand.type)
    except VerifyException as error:
        raise error_at(op, f"'{op.name}': {error}") from None
    _replace(
        op, [ViewBuild(op).emit(ocl.GroupReduceOp(ocl.GroupScope.WORK_GROUP, kind, op.operand))]
    )


def _linear(emitter: ViewBuild, view: View, indices: Sequence[SSAValue]) -> Number:
    return emitter.dot(view.offset, [known(i) for i in indices], view.strides)


def _load(op: memref.LoadOp, memory: Memory) -> None:
    view, emitter = memory.view(op.memref, op), ViewBuild(op)
    index = _linear(emitter, view, op.indices)
    _replace(op, [read(emitter, view, index, op.res.type)])


def _store(op: memref.StoreOp, memory: Memory) -> None:
    view, emitter = memory.view(op.memref, op), ViewBuild(op)
    write(emitter, op.value, view, _linear(emitter, view, op.indices))
    Rewriter.erase_op(op)


def _vector_place(
    op: vector.LoadOp | vector.StoreOp, memory: Memory
) -> tuple[ViewBuild, SSAValue, SSAValue]:
    """The address where a vector access starts, as a pointer, and 0."""
    assert isinstance(op.base.type, MemRefType)
    stored_type(op, op.result.type if isinstance(op, vector.LoadOp) else op.vector.type)
    view, emitter = memory.view(op.base, op), ViewBuild(op)
    if view.strides[-1:] != (1,):
        raise error_at(op, f"'{op.name}' of {op.base.type}: expected a last dimension of stride 1")
    start = emitter.value(_linear(emitter, view, op.indices))
    pointer = emitter.emit(ocl.OffsetOp(view.pointer, start))
    return emitter, pointer, emitter.value(0)


def _vector_load(op: vector.LoadOp, memory: Memory) -> None:
    emitter, pointer, zero = _vector_place(op, memory)
    _replace(op, [emitter.emit(ocl.VLoadOp(pointer, zero, op.result.type))])


def _vector_store(op: vector.StoreOp, memory: Memory) -> None:
    emitter, pointer, zero = _vector_place(op, memory)
    emitter.emit_void(ocl.VStoreOp(op.vector, pointer, zero))
    Rewriter.erase_op(op)


def _dim(op: memref.DimOp, memory: Memory) -> None:
    view, emitter = memory.view(op.source, op), ViewBuild(op)
    dim = known(op.index)
    if isinstance(dim, int):
        if not 0 <= dim < len(view.sizes):
            raise error_at(op, f"{op.source.type} has no dimension {dim}")
        _replace(op, [emitter.value(view.sizes[dim])])
        return
    result = emitter.value(view.sizes[0])
    for number, size in enumerate(view.sizes[1:], 1):
        same = emitter.compare("eq", dim, emitter.value(number))
        result = emitter.select(same, emitter.value(size), result)
    _replace(op, [result])


def _rank(op: memref.RankOp, memory: Memory) -> None:
    rank = len(memory.view(op.source, op).sizes)
    _replace(op, [ViewBuild(op).value(rank)])


def _metadata(op: memref.ExtractStridedMetaDataOp, memory: Memory) -> None:
    view, emitter = memory.view(op.source, op), ViewBuild(op)
    memory.view(op.base_buffer, op)
    for old, new in (
        (op.offset, view.offset),
        *zip(op.sizes, view.sizes, strict=True),
        *zip(op.strides, view.strides, strict=True),
    ):
        if old.uses:
            old.replace_all_uses_with(emitter.value(new))


def _address(op: memref.ExtractAlignedPointerAsIndexOp, memory: Memory) -> None:
    view, emitter = memory.view(op.source, op), ViewBuild(op)
    address = emitter.emit(ocl.PtrToIntOp(view.pointer))
    _replace(op, [emitter.as_index(address)])


def _dealloc(op: memref.DeallocOp, memory: Memory) -> None:
    # Its memref.alloc is workgroup memory, which ends with the group; others are refused.
    memory.view(op.memref, op)
    Rewriter.erase_op(op)


def _copy(op: memref.CopyOp, memory: Memory) -> None:
    """A loop for each dimension."""
    source, target = memory.view(op.source, op), memory.view(op.destination, op)
    assert isinstance(op.source.type, MemRefType)
    emitter, element = ViewBuild(op), op.source.type.element_type
    zero, one = emitter.value(0), emitter.value(1)
    indices: list[SSAValue] = []
    for size in source.sizes:
        body = Block([end := scf.YieldOp()], arg_types=[IndexType()])
        end.location = op.location
        emitter.emit_void(scf.ForOp(zero, emitter.value(size), one, [], Region(body)))
        indices.append(body.args[0])
        emitter = ViewBuild(op, InsertPoint.before(end))
    value = read(emitter, source, _linear(emitter, source, indices), element)
    write(emitter, value, target, _linear(emitter, target, indices))
    Rewriter.erase_op(op)


def _atomic_rmw(op: memref.AtomicRMWOp, memory: Memory) -> None:
    number = op.kind.value.data
    name = ATOMIC_KINDS[number] if 0 <= number < len(ATOMIC_KINDS) else str(number)
    if name not in _ATOMICS:
        raise error_at(
            op, f"'{op.name}' of kind {name} is not supported; expected {', '.join(_ATOMICS)}"
        )
    view, emitter = memory.view(op.memref, op), ViewBuild(op)
    pointer = view.pointer
    index = _linear(emitter, view, op.indices)
    if index != 0:
        pointer = emitter.emit(ocl.OffsetOp(pointer, emitter.value(index)))
    _replace(op, [emitter.emit(ocl.AtomicRMWOp(_ATOMICS[name], pointer, op.value))])


OPERATIONS: dict[type[Operation], OpHandler] = {
    **{query: _query for query in _QUERIES},
    gpu.AllReduceOp: _all_reduce,
    gpu.BarrierOp: _barrier,
    memref.AtomicRMWOp: _atomic_rmw,
    memref.CopyOp: _copy,
    memref.DeallocOp: _dealloc,
    memref.DimOp: _dim,
    memref.ExtractAlignedPointerAsIndexOp: _address,
    memref.ExtractStridedMetaDataOp: _metadata,
    memref.LoadOp: _load,
    memref.RankOp: _rank,
    memref.StoreOp: _store,
    vector.LoadOp: _vector_load,
    vector.StoreOp: _vector_store,
}
