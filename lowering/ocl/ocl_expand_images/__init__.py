"""`ocl-expand-images`: images become memory, and their accesses plain code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FunctionType,
    ModuleOp,
    VectorType,
    f32,
    i8,
    i32,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.function_library import library

PREFIX = "image."
"""The prefix of the functions of image_functions.mlir, which no function of C has."""

_NEAREST = 0x10
"""The sampler of a read without one: integer coordinates inside of the image."""


@dataclass(frozen=True)
class OclExpandImagesPass(ModulePass):
    """Replace images by pointers to their headers, and operations on them by function calls.

    ```
    %c = ocl.image_read %i, %at with %s : !ocl.image<image2d, read>, vector<2xf32> -> vector<4xf32>
    ```

    becomes `%c = func.call @image.read_float(%i, %s, %at)`, where %i is a pointer and %s an i32.
    The functions (image_functions.cl) implement OpenCL 1.2, section 8, for every format, filter
    and address mode. Only called ones are added to the module.
    """

    name = "ocl-expand-images"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_images(op)


def expanded_type(type: Attribute) -> Attribute:
    """The type that replaces an image or sampler; another type stays."""
    match type:
        case ocl.ImageType():
            return ocl.PtrType(i8, ocl.AddressSpace.GLOBAL)
        case ocl.SamplerType():
            return i32
        case _:
            return type


def expand_images(module: ModuleOp) -> None:
    """Expand all images of the module in place."""
    needed: set[str] = set()
    for function in list(module.ops):
        if isinstance(function, ocl.KernelLike | FuncOp):
            _expand_function(function, needed)
    if needed:
        library(Path(__file__).with_name("image_functions.mlir"), PREFIX).add_to(module, needed)


def _expand_function(function: ocl.KernelLike | FuncOp, needed: set[str]) -> None:
    old = function.function_type
    inputs = [expanded_type(type) for type in old.inputs]
    function.properties["function_type"] = FunctionType.from_lists(inputs, list(old.outputs))
    for op in list(function.body.walk()):
        value = _replacement(op, _Calls(op, needed))
        if value is not None:
            Rewriter.replace_op(op, [], value)
    # Last: the replacement of an operation depends on the type of its image.
    for op in [function, *function.body.walk()]:
        _expand_values(op.results)
        for region in op.regions:
            for block in region.blocks:
                _expand_values(block.args)


def _expand_values(values: Sequence[SSAValue]) -> None:
    for value in list(values):
        if isinstance(value.type, ocl.ImageType | ocl.SamplerType):
            Rewriter.replace_value_with_new_type(value, expanded_type(value.type))


def _replacement(op: Operation, new: _Calls) -> Sequence[SSAValue] | None:
    """The results of the operations that replace `op`; None if it stays."""
    match op:
        case ocl.SamplerOp():
            return [new.emit(arith.ConstantOp(op.bits))]
        case ocl.ImageReadOp():
            return _read(op, new)
        case ocl.ImageWriteOp():
            place = new.pixel(op.image, op.at)
            return new.call(f"write_{_kind(op.color.type)}", op.image, place, op.color)
        case ocl.ImageQueryOp():
            number = new.constant(list(ocl.ImageField).index(op.field.data), i32)
            return new.call("query", op.image, number, result=i32)
        case _:
            return None


class _Calls(Build):
    """Calls of functions that replace an operation, and the coordinates that they take."""

    def __init__(self, op: Operation, needed: set[str]):
        super().__init__(op)
        self._needed = needed

    def call(
        self, name: str, *operands: SSAValue, result: Attribute | None = None
    ) -> Sequence[SSAValue]:
        self._needed.add(PREFIX + name)
        call = CallOp(PREFIX + name, operands, [] if result is None else [result])
        self.emit_void(call)
        return call.results

    def pixel(self, image: SSAValue, at: SSAValue, layer: SSAValue | None = None) -> SSAValue:
        """Integer coordinates as x, y and z; `layer` is the number of an array's image."""
        zero = self.constant(0, i32)
        match _image_kind(image), self.elements(at):
            case ocl.ImageKind.IMAGE1D_ARRAY, [x, number]:
                parts = [x, zero, layer or number, zero]
            case ocl.ImageKind.IMAGE2D_ARRAY, [x, y, number, _]:
                parts = [x, y, layer or number, zero]
            case _, parts:
                parts = [*parts, zero, zero, zero][:4]
        return self.emit(ocl.ConcatOp(parts, VectorType(i32, [4])))


def _read(op: ocl.ImageReadOp, new: _Calls) -> Sequence[SSAValue]:
    image, at, result = op.image, op.at, op.result.type
    kind, color = _image_kind(image), _kind(result)
    element = element_of(at.type)
    sampler = op.sampler or new.constant(_NEAREST, i32)
    layer = None
    if kind in (ocl.ImageKind.IMAGE1D_ARRAY, ocl.ImageKind.IMAGE2D_ARRAY):
        number = new.elements(at)[1 if kind is ocl.ImageKind.IMAGE1D_ARRAY else 2]
        name = "layer_float" if element == f32 else "layer_int"
        (layer,) = new.call(name, image, number, result=i32)
    if element == i32:
        pixel = new.pixel(image, at, layer)
        return new.call(f"fetch_{color}", image, sampler, pixel, result=result)
    if kind is ocl.ImageKind.IMAGE3D:
        return new.call(f"space_{color}", image, sampler, at, result=result)
    plane = at
    if kind is not ocl.ImageKind.IMAGE2D:
        x = new.elements(at)[0]
        # The middle of the only row, whether coordinates are normalized or not.
        y = new.elements(at)[1] if kind is ocl.ImageKind.IMAGE2D_ARRAY else new.constant(0.5, f32)
        plane = new.emit(ocl.ConcatOp([x, y], VectorType(f32, [2])))
    layer = layer or new.constant(0, i32)
    return new.call(f"read_{color}", image, sampler, plane, layer, result=result)


def _image_kind(image: SSAValue) -> ocl.ImageKind:
    assert isinstance(image.type, ocl.ImageType)
    return image.type.kind


def _kind(color: Attribute) -> str:
    return "float" if color == VectorType(f32, [4]) else "int"
