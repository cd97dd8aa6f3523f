"""`ocl-expand-images`: images become memory, and their accesses plain code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    FloatAttr,
    FunctionType,
    IntegerAttr,
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

from polycl.dialects.ocl import (
    AddressSpace,
    ConcatOp,
    ImageField,
    ImageKind,
    ImageQueryOp,
    ImageReadOp,
    ImageType,
    ImageWriteOp,
    KernelLike,
    PtrType,
    SamplerOp,
    SamplerType,
)
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
        case ImageType():
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
        library(Path(__file__).with_name("image_functions.mlir"), PREFIX).add_to(module, needed)


def _expand_function(function: KernelLike | FuncOp, needed: set[str]) -> None:
    old = function.function_type
    inputs = [expanded_type(type) for type in old.inputs]
    function.properties["function_type"] = FunctionType.from_lists(inputs, list(old.outputs))
    for op in list(function.body.walk()):
        replacement = _replacement(op, needed)
        if replacement is None:
            continue
        for new in replacement:
            new.location = op.location
        Rewriter.replace_op(op, replacement)
    # Last: the replacement of an operation depends on the type of its image.
    for op in [function, *function.body.walk()]:
        _expand_values(op.results)
        for region in op.regions:
            for block in region.blocks:
                _expand_values(block.args)


def _expand_values(values: Sequence[SSAValue]) -> None:
    for value in list(values):
        if isinstance(value.type, ImageType | SamplerType):
            Rewriter.replace_value_with_new_type(value, expanded_type(value.type))


def _replacement(op: Operation, needed: set[str]) -> list[Operation] | None:
    match op:
        case SamplerOp():
            return [arith.ConstantOp(op.bits)]
        case ImageReadOp():
            return _read(op, needed)
        case ImageWriteOp():
            new = _Operations()
            place = new.pixel(op.image, op.at)
            name = f"write_{_kind(op.color.type)}"
            return [*new.made, _call(name, [op.image, place, op.color], [], needed)]
        case ImageQueryOp():
            number = arith.ConstantOp(IntegerAttr(list(ImageField).index(op.field.data), i32))
            return [number, _call("query", [op.image, number.result], [i32], needed)]
        case _:
            return None


class _Operations:
    """Operations that replace one, and the coordinates that the functions take."""

    def __init__(self) -> None:
        self.made: list[Operation] = []

    def add(self, op: Operation) -> SSAValue:
        self.made.append(op)
        return op.results[0]

    def number(self, value: float, type: Attribute) -> SSAValue:
        if type == f32:
            return self.add(arith.ConstantOp(FloatAttr(value, f32)))
        return self.add(arith.ConstantOp(IntegerAttr(int(value), i32)))

    def lanes(self, at: SSAValue) -> list[SSAValue]:
        if not isinstance(at.type, VectorType):
            return [at]
        element = at.type.element_type
        count = at.type.element_count()
        return [self.add(vector.ExtractOp(at, [lane], element)) for lane in range(count)]

    def pixel(self, image: SSAValue, at: SSAValue, layer: SSAValue | None = None) -> SSAValue:
        """Integer coordinates as x, y and z; `layer` is the number of an array's image."""
        zero = self.number(0, i32)
        match _image_kind(image), self.lanes(at):
            case ImageKind.IMAGE1D_ARRAY, [x, number]:
                parts = [x, zero, layer or number, zero]
            case ImageKind.IMAGE2D_ARRAY, [x, y, number, _]:
                parts = [x, y, layer or number, zero]
            case _, parts:
                parts = [*parts, zero, zero, zero][:4]
        return self.add(ConcatOp(parts, VectorType(i32, [4])))


def _read(op: ImageReadOp, needed: set[str]) -> list[Operation]:
    new = _Operations()
    image, at, result = op.image, op.at, op.result.type
    kind, color = _image_kind(image), _kind(result)
    element = at.type.element_type if isinstance(at.type, VectorType) else at.type
    sampler = op.sampler or new.number(_NEAREST, i32)
    layer = None
    if kind in (ImageKind.IMAGE1D_ARRAY, ImageKind.IMAGE2D_ARRAY):
        number = new.lanes(at)[1 if kind is ImageKind.IMAGE1D_ARRAY else 2]
        name = "layer_float" if element == f32 else "layer_int"
        layer = new.add(_call(name, [image, number], [i32], needed))
    if element == i32:
        operands = [image, sampler, new.pixel(image, at, layer)]
        new.add(_call(f"fetch_{color}", operands, [result], needed))
    elif kind is ImageKind.IMAGE3D:
        new.add(_call(f"space_{color}", [image, sampler, at], [result], needed))
    else:
        plane = at
        if kind is not ImageKind.IMAGE2D:
            x = new.lanes(at)[0]
            # The middle of the only row, whether coordinates are normalized or not.
            y = new.lanes(at)[1] if kind is ImageKind.IMAGE2D_ARRAY else new.number(0.5, f32)
            plane = new.add(ConcatOp([x, y], VectorType(f32, [2])))
        operands = [image, sampler, plane, layer or new.number(0, i32)]
        new.add(_call(f"read_{color}", operands, [result], needed))
    return new.made


def _image_kind(image: SSAValue) -> ImageKind:
    assert isinstance(image.type, ImageType)
    return image.type.kind


def _kind(color: Attribute) -> str:
    return "float" if color == VectorType(f32, [4]) else "int"


def _call(
    name: str, operands: list[SSAValue], results: list[Attribute], needed: set[str]
) -> CallOp:
    needed.add(PREFIX + name)
    return CallOp(PREFIX + name, operands, results)
