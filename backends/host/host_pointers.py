"""The host's arrays as pointers, which the writer of OpenCL C supports."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, MemRefType, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.dialects import host
from polycl.dialects.ocl import AddressSpace, CastOp, LoadOp, PtrType, StoreOp
from polycl.errors import error_at

CONST = "ocl.const"
HOST = "ocl.host"
"""Attribute of the host's functions."""


def use_pointers(function: FuncOp) -> None:
    """Replace `memref` of one dimension by pointers, in place.

    Allocations and deallocations have another type; arrays that are only read are const.

    Raises:
        PolyclError: located: a size that is unknown in C.
    """
    function.attributes[HOST] = UnitAttr()
    if not function.body.blocks:
        return
    constant = [_is_read_only(argument) for argument in function.body.blocks[0].args]
    known = function.arg_attrs or [DictionaryAttr({})] * len(constant)
    function.arg_attrs = ArrayAttr(
        DictionaryAttr({**attributes.data, **({CONST: UnitAttr()} if c else {})})
        for attributes, c in zip(known, constant, strict=True)
    )
    for block in (b for op in [function, *function.walk()] for r in op.regions for b in r.blocks):
        for argument in block.args:
            _retype(argument)
    for op in list(function.walk()):
        for result in op.results:
            _retype(result)
        _replace(op)
    function.function_type = FunctionType.from_lists(
        [_pointer(type) for type in function.function_type.inputs],
        [_pointer(type) for type in function.function_type.outputs],
    )


def _is_read_only(value: SSAValue) -> bool:
    if not isinstance(value.type, MemRefType):
        return False
    readers = (memref.LoadOp, memref.DeallocOp, host.WriteOp)
    return all(isinstance(use.operation, readers) for use in value.uses)


def _pointer(type: Attribute) -> Attribute:
    if not isinstance(type, MemRefType):
        return type
    return PtrType(type.element_type, AddressSpace.PRIVATE)


def _retype(value: SSAValue) -> None:
    if isinstance(value.type, MemRefType):
        Rewriter.replace_value_with_new_type(value, _pointer(value.type))


def _replace(op: Operation) -> None:
    match op:
        case memref.LoadOp():
            new: Operation = LoadOp(op.memref, op.indices[0])
            new.results[0].name_hint = op.res.name_hint
        case memref.StoreOp():
            new = StoreOp(op.value, op.memref, op.indices[0])
        case host.ViewOp():
            assert isinstance(op.result.type, PtrType)
            new = CastOp(op.pointer, op.result.type)
        case memref.CastOp():
            Rewriter.replace_op(op, [], [op.source])
            return
        case memref.DimOp() | memref.CopyOp():
            raise error_at(op, f"'{op.name}': the size of an array is unknown in C; pass it")
        case _:
            return
    new.location = op.location
    Rewriter.replace_op(op, new)
