"""Images (OpenCL 1.2, section 6.12.14)."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr, VectorType, f16, f32, i32, i64
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import ImageField
from polycl.dialects.ocl.kernel import UNSIGNED
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.conversions import convert
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import FLOAT, INT, CType, Kind

_COLOR = VectorType(f32, [4])
FLOAT4 = CType(Kind.VECTOR, _COLOR, _COLOR, "float4", count=4, find_element=lambda: FLOAT)


def _read(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    image, *sampler, at = [e.emit(argument) for argument in call.arguments]
    color = VectorType(i32, [4]) if call.type.element.kind is Kind.INT else VectorType(f32, [4])
    if call.type.kind is Kind.FLOAT:
        color = f32  # of a depth image
    read = ocl.ImageReadOp(image, at, sampler[0] if sampler else None, color)
    _mark(read, call.type)
    value = e.value(read)
    return value if color == call.type.value else convert(e, value, FLOAT4, call.type)


def _write(e: ExpressionEmitter, call: BuiltinCall) -> None:
    image, at, color = call.arguments
    target, place = e.emit(image), e.emit(at)
    value = e.emit(color)
    if color.type.element.memory == f16:
        value = convert(e, value, color.type, FLOAT4)
    write = ocl.ImageWriteOp(value, target, place)
    _mark(write, color.type)
    e.add(write)


def _mark(op: Operation, color: CType) -> None:
    """Mark `read_imageui` and `write_imageui`, whose colors are of the types of signed ones."""
    if not color.element_signed:
        op.attributes[UNSIGNED] = UnitAttr()


def _query(field: ImageField) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        value = e.value(ocl.ImageQueryOp(field, e.emit(call.arguments[0])))
        return convert(e, value, INT, call.type)

    return emit


def _dimensions(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    image = e.emit(call.arguments[0])
    assert isinstance(call.type.value, VectorType)
    fields = [ImageField.WIDTH, ImageField.HEIGHT]
    if call.type.count == 4:
        fields.append(ImageField.DEPTH)
    sizes = [e.value(ocl.ImageQueryOp(field, image)) for field in fields]
    if call.type.count == 4:
        sizes.append(e.constant(0, i32))
    if call.type.value.element_type == i64:
        sizes = [convert(e, size, INT, call.type.element) for size in sizes]
    return e.value(ocl.ConcatOp(sizes, call.type.value))


TABLE: dict[str, Emit] = {
    **{f"read_image{element}": _read for element in ("f", "i", "ui", "h")},
    **{f"write_image{element}": _write for element in ("f", "i", "ui", "h")},
    "get_image_width": _query(ImageField.WIDTH),
    "get_image_height": _query(ImageField.HEIGHT),
    "get_image_depth": _query(ImageField.DEPTH),
    "get_image_array_size": _query(ImageField.DEPTH),
    "get_image_channel_data_type": _query(ImageField.CHANNEL_TYPE),
    "get_image_channel_order": _query(ImageField.CHANNEL_ORDER),
    "get_image_dim": _dimensions,
}
