"""A kernel as a function of a target that launches kernels itself: what such targets share."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    VectorType,
    i8,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace, KernelLike, PtrType, StructType, UnionType
from polycl.dialects.ocl.attributes import is_scalar
from polycl.dialects.ocl.layout import align_of, round_up, size_of
from polycl.errors import error_at
from polycl.lowering.build import Build


def kernel_function(
    kernel: KernelLike, convention: str, passthrough: Sequence[Attribute] = ()
) -> FuncOp:
    """The function of a kernel with its parameters, which the driver of the target calls.

    A vector or a structure is passed `byval`: as bytes in the layout of OpenCL. The kernel's body
    is taken from it.

    Raises:
        PolyclError: located: the kernel is not at the level of work-items.
    """
    if not isinstance(kernel, ocl.KernelOp):
        raise error_at(
            kernel,
            f"expected an ocl.kernel, got '{kernel.name}': leave out ocl-to-wg and wg passes",
        )
    attributes = [_pass_by_value(kernel, index) for index in range(len(kernel.args))]
    for op in operations_of(kernel.body, ocl.ReturnOp):
        Rewriter.replace_op(op, ReturnOp())
    function = FuncOp(
        kernel.sym_name.data,
        FunctionType.from_lists([arg.type for arg in kernel.args], []),
        kernel.detach_region(kernel.body),
        arg_attrs=ArrayAttr(map(DictionaryAttr, attributes)),
    )
    function.location = kernel.location
    function.attributes = dict(kernel.attributes)
    function.attributes[llvm_ext.CALLING_CONVENTION] = StringAttr(convention)
    if passthrough:
        function.attributes["passthrough"] = ArrayAttr(passthrough)
    return function


def _pass_by_value(kernel: ocl.KernelOp, index: int) -> dict[str, Attribute]:
    """The attributes of a parameter, which becomes a pointer if its value is not a scalar."""
    parameter, type = kernel.args[index], kernel.args[index].type
    if isinstance(type, PtrType):
        return _facts(type, kernel.param_attrs[index])
    if isinstance(type, IndexType) or is_scalar(type):
        return {}
    if not isinstance(type, VectorType | StructType | UnionType):
        raise error_at(
            kernel, f"a parameter of type {type}: run ocl-expand-images, ocl-expand-pipes"
        )
    # A vector of 3 elements takes the place of 4.
    nbytes = round_up(size_of(type), align_of(type))
    start = InsertPoint.at_start(kernel.body.blocks[0])
    uses = list(parameter.uses)
    pointer = Rewriter.replace_value_with_new_type(parameter, PtrType(type, AddressSpace.PRIVATE))
    if uses:
        value = Build(kernel, start).emit(ocl.LoadOp(pointer))
        value.name_hint = pointer.name_hint
        for use in uses:
            use.operation.operands[use.index] = value
    return {
        "llvm.align": IntegerAttr(align_of(type), i64),
        # Intel's platform takes the size of a structure only.
        "llvm.byval": llvm.LLVMStructType.from_type_list([llvm.LLVMArrayType(nbytes, i8)]),
    }


def _facts(type: PtrType, given: dict[str, Attribute]) -> dict[str, Attribute]:
    """What LLVM may assume of a pointer: what it points to is aligned, and with `restrict` nothing
    else points there (OpenCL C is C99 here, section 6.7.3.1)."""
    facts: dict[str, Attribute] = {"llvm.align": IntegerAttr(align_of(type.pointee), i64)}
    if "ocl.restrict" in given:
        facts["llvm.noalias"] = UnitAttr()
    if "ocl.const" in given or type.address_space is AddressSpace.CONSTANT:
        facts["llvm.readonly"] = UnitAttr()
    return facts
