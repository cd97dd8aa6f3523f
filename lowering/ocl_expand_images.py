"""`ocl-expand-images`: images become memory, and what reads and writes them plain code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, math, scf, ub, vector
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, VectorType, f32, i8, i32
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl
from polycl.dialects.ocl import (
    AddressSpace,
    Image2DType,
    ImageField,
    ImageQueryOp,
    ImageReadOp,
    ImageWriteOp,
    KernelLike,
    PtrType,
    SamplerOp,
    SamplerType,
)

PREFIX = "image."
"""In front of the functions of image_functions.mlir, so that no function of C has their names."""

_NEAREST = 0x10
"""The sampler of a read without one: pixels, which lie inside."""


@dataclass(frozen=True)
class OclExpandImagesPass(ModulePass):
    """Replace images by pointers to their blocks, and operations on them by function calls.

    ```
    %c = ocl.image_read %i, %at with %s : !ocl.image2d<read>, vector<2xf32> -> vector<4xf32>
    ```

    becomes `%c = func.call @image.read_float(%i, %s, %at)`, where %i is a pointer and %s an i32.
    The functions (image_functions.cl) hold the rules of OpenCL 1.2, section 8, for every format,
    filter and address mode. Only those that are called come into the module.
    """

    name = "ocl-expand-images"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_images(op)


def expanded_type(type: Attribute) -> Attribute:
    """What stands for an image or sampler; another type is as it was."""
    match type:
        case Image2DType():
            return PtrType(i8, AddressSpace.GLOBAL)
        case SamplerType():
            return i32
        case _:
            return type


def expand_images(module: ModuleOp) -> None:
    """Expand all images of the module in place."""
    needed: set[str] = set()
    for function in list(module.ops):
        if isinstance(function, KernelLike | FuncOp):
            _expand_function(function, needed)
    if needed:
        _add_functions(module, needed)


def _expand_function(function: KernelLike | FuncOp, needed: set[str]) -> None:
    old = function.function_type
    inputs = [expanded_type(type) for type in old.inputs]
    function.properties["function_type"] = FunctionType.from_lists(inputs, list(old.outputs))
    for block in function.body.blocks:
        _expand_values(block.args)
    for op in list(function.body.walk()):
        for region in op.regions:
            for block in region.blocks:
                _expand_values(block.args)
        replacement = _replacement(op, needed)
        if replacement is None:
            _expand_values(op.results)
            continue
        for new in replacement:
            new.location = op.location
        Rewriter.replace_op(op, replacement)


def _expand_values(values: Sequence[SSAValue]) -> None:
    for value in list(values):
        if isinstance(value.type, Image2DType | SamplerType):
            Rewriter.replace_value_with_new_type(value, expanded_type(value.type))


def _replacement(op: Operation, needed: set[str]) -> list[Operation] | None:
    match op:
        case SamplerOp():
            return [arith.ConstantOp(op.bits)]
        case ImageReadOp():
            before: list[Operation] = []
            sampler = op.sampler
            if sampler is None:
                before = [arith.ConstantOp(IntegerAttr(_NEAREST, i32))]
                sampler = before[0].results[0]
            verb = "read" if op.at.type == VectorType(f32, [2]) else "fetch"
            name = f"{verb}_{_kind(op.result.type)}"
            operands = [op.image, sampler, op.at]
            return [*before, _call(name, operands, [op.result.type], needed)]
        case ImageWriteOp():
            name = f"write_{_kind(op.color.type)}"
            return [_call(name, [op.image, op.at, op.color], [], needed)]
        case ImageQueryOp():
            number = arith.ConstantOp(IntegerAttr(list(ImageField).index(op.field.data), i32))
            return [number, _call("query", [op.image, number.result], [i32], needed)]
        case _:
            return None


def _kind(color: Attribute) -> str:
    return "float" if color == VectorType(f32, [4]) else "int"


def _call(
    name: str, operands: list[SSAValue], results: list[Attribute], needed: set[str]
) -> CallOp:
    needed.add(PREFIX + name)
    return CallOp(PREFIX + name, operands, results)


@cache
def _functions() -> dict[str, FuncOp]:
    """The functions of image_functions.mlir by their prefixed names."""
    context = Context()
    for dialect in (
        *(builtin.Builtin, arith.Arith, func.Func, math.Math, scf.Scf, ub.UB, vector.Vector),
        ocl.OCL,
    ):
        context.load_dialect(dialect)
    path = Path(__file__).with_name("image_functions.mlir")
    module = Parser(context, path.read_text(encoding="utf-8"), path.name).parse_module()
    found: dict[str, FuncOp] = {}
    for function in module.walk():
        if isinstance(function, CallOp):
            name = PREFIX + function.callee.string_value()
            function.callee = builtin.SymbolRefAttr(name)
        elif isinstance(function, FuncOp):
            function.sym_name = builtin.StringAttr(PREFIX + function.sym_name.data)
            found[function.sym_name.data] = function
    return found


def _add_functions(module: ModuleOp, needed: set[str]) -> None:
    """Copy the functions and those that they call, in their order, to the module's beginning."""
    library = _functions()
    wanted = set(needed)
    for name in reversed(library):
        if name in wanted:
            for op in library[name].walk():
                if isinstance(op, CallOp):
                    wanted.add(op.callee.string_value())
    present = {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}
    copies = [f.clone() for name, f in library.items() if name in wanted - present]
    first = module.body.block.first_op
    point = InsertPoint.before(first) if first else InsertPoint.at_end(module.body.block)
    Rewriter.insert_op(copies, point)
