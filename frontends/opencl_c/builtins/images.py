"""Images (OpenCL 1.2, section 6.12.14)."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType, i64
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import ImageField
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.conversions import convert
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import INT


def _read(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    image, *sampler, at = [e.emit(argument) for argument in call.arguments]
    return e.value(ocl.ImageReadOp(image, at, sampler[0] if sampler else None, call.type.value))


def _write(e: ExpressionEmitter, call: BuiltinCall) -> None:
    image, at, color = call.arguments
    target, place = e.emit(image), e.emit(at)
    e.add(ocl.ImageWriteOp(e.emit(color), target, place))


def _query(field: ImageField) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        return e.value(ocl.ImageQueryOp(field, e.emit(call.arguments[0])))

    return emit


def _dimensions(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    image = e.emit(call.arguments[0])
    sizes = [e.value(ocl.ImageQueryOp(f, image)) for f in (ImageField.WIDTH, ImageField.HEIGHT)]
    assert isinstance(call.type.value, VectorType)
    if call.type.value.element_type == i64:
        sizes = [convert(e, size, INT, call.type.element) for size in sizes]
    return e.value(ocl.ConcatOp(sizes, call.type.value))


TABLE: dict[str, Emit] = {
    "read_imagef": _read,
    "read_imagei": _read,
    "read_imageui": _read,
    "write_imagef": _write,
    "write_imagei": _write,
    "write_imageui": _write,
    "get_image_width": _query(ImageField.WIDTH),
    "get_image_height": _query(ImageField.HEIGHT),
    "get_image_channel_data_type": _query(ImageField.CHANNEL_TYPE),
    "get_image_channel_order": _query(ImageField.CHANNEL_ORDER),
    "get_image_dim": _dimensions,
}
