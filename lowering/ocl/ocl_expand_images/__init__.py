"""`ocl-expand-images`: images become memory, and their accesses plain code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl.image_header import ImageFormat
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_images.known_images import (
    PREFIX,
    Known,
    SamplerBits,
    functions,
    specialised,
    specialised_name,
)
from polycl.lowering.ocl.ocl_expand_images.origins import Origins

_SPECIALISED = tuple(PREFIX + name for name in ("read_", "fetch_", "space_", "write_"))
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
    and address mode. Only called ones are added to the module. Where the sampler is a constant, or
    a device tells the format of an image, the function is one for these (`known_images.py`).
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


def expand_images(
    module: ModuleOp, given: Mapping[int, ImageFormat | SamplerBits] | None = None
) -> None:
    """Expand all images of the module in place.

    `given` has formats of images and samplers that the kernel gets, by the number of the parameter:
    the code is for these only.
    """
    origins = Origins(module, given or {})
    found = [f for f in module.ops if isinstance(f, ocl.KernelLike | FuncOp)]
    # Before anything is replaced: what is known of an image depends on other functions.
    known: dict[Operation, Known] = {
        op: _known(op, origins)
        for function in found
        for op in operations_of(function.body, ocl.ImageReadOp, ocl.ImageWriteOp)
    }
    needed: dict[str, tuple[str, Known]] = {}
    for function in found:
        _expand_function(function, known, needed)
    if general := [name for name, what in needed.values() if what == Known()]:
        functions().add_to(module, general)
    for name, what in needed.values():
        if what != Known():
            module.body.block.add_op(specialised(name, what).clone())


def _known(op: ocl.ImageReadOp | ocl.ImageWriteOp, origins: Origins) -> Known:
    format = origins.known(op.image)
    if isinstance(op, ocl.ImageWriteOp):
        return Known(format)
    bits = (_NEAREST,) if op.sampler is None else origins.known(op.sampler)
    return Known(format, None if bits is None else bits[0])


def _expand_function(
    function: ocl.KernelLike | FuncOp,
    known: dict[Operation, Known],
    needed: dict[str, tuple[str, Known]],
) -> None:
    old = function.function_type
    inputs = [expanded_type(type) for type in old.inputs]
    function.properties["function_type"] = FunctionType.from_lists(inputs, list(old.outputs))
    for op in operations_in(function.body):
        value = _replacement(op, _Calls(op, known.get(op, Known()), needed))
        if value is not None:
            Rewriter.replace_op(op, [], value)
    # Last: the replacement of an operation depends on the type of its image.
    for op in operations_in(function):
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
            color = op.color
            if color.type == f32:
                color = new.splat(color, VectorType(f32, [4]))
            return new.call(f"write_{_kind(color.type)}", op.image, place, color)
        case ocl.ImageQueryOp():
            number = new.constant(list(ocl.ImageField).index(op.field.data), i32)
            return new.call("query", op.image, number, result=i32)
        case _:
            return None


class _Calls(Build):
    """Calls of functions that replace an operation, and the coordinates that they take."""

    def __init__(self, op: Operation, known: Known, needed: dict[str, tuple[str, Known]]):
        super().__init__(op)
        self._known = known
        self._needed = needed

    def call(
        self, name: str, *operands: SSAValue, result: Attribute | None = None
    ) -> Sequence[SSAValue]:
        name = PREFIX + name
        known = self._known if name.startswith(_SPECIALISED) else Known()
        called = specialised_name(name, known)
        self._needed[called] = name, known
        call = CallOp(called, operands, [] if result is None else [result])
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
    """The colour, or the first number of it if the pixels are depths."""
    if op.result.type != f32:
        return _read_color(op, op.result.type, new)
    (color,) = _read_color(op, VectorType(f32, [4]), new)
    return [new.elements(color)[0]]


def _read_color(op: ocl.ImageReadOp, result: Attribute, new: _Calls) -> Sequence[SSAValue]:
    image, at = op.image, op.at
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
    return image.type.kind.of_colours


def _kind(color: Attribute) -> str:
    return "float" if color == VectorType(f32, [4]) else "int"
