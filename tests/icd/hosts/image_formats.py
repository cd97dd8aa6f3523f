"""A host program: each image format of the driver, against the same conversions in numpy.

`test_images.py` runs it with an environment in which the loader finds the driver only.
"""

from __future__ import annotations

import numpy as np
import pyopencl as cl

FLAGS, ORDER, TYPE = cl.mem_flags, cl.channel_order, cl.channel_type
KIND = cl.mem_object_type
_101010_2, _ABGR, _ARGB, _DEPTH = 0x10E0, 0x10C3, 0x10B7, 0x10BD
"""What pyopencl has no names for: CL_UNORM_INT_101010_2, CL_ABGR, CL_ARGB and CL_DEPTH."""

_DTYPES = {
    TYPE.SNORM_INT8: np.int8,
    TYPE.SNORM_INT16: np.int16,
    TYPE.UNORM_INT8: np.uint8,
    TYPE.UNORM_INT16: np.uint16,
    TYPE.SIGNED_INT8: np.int8,
    TYPE.SIGNED_INT16: np.int16,
    TYPE.SIGNED_INT32: np.int32,
    TYPE.UNSIGNED_INT8: np.uint8,
    TYPE.UNSIGNED_INT16: np.uint16,
    TYPE.UNSIGNED_INT32: np.uint32,
    TYPE.HALF_FLOAT: np.float16,
    TYPE.FLOAT: np.float32,
    TYPE.UNORM_SHORT_565: np.uint16,
    TYPE.UNORM_SHORT_555: np.uint16,
    TYPE.UNORM_INT_101010: np.uint32,
    _101010_2: np.uint32,
}
_PACKED = {
    TYPE.UNORM_SHORT_565: (5, 6, 5),
    TYPE.UNORM_SHORT_555: (5, 5, 5),
    TYPE.UNORM_INT_101010: (10, 10, 10),
    _101010_2: (10, 10, 10, 2),
}
_NORMALIZED = (TYPE.SNORM_INT8, TYPE.SNORM_INT16, TYPE.UNORM_INT8, TYPE.UNORM_INT16)
_CHANNELS = {
    ORDER.R: "r",
    ORDER.A: "a",
    ORDER.RG: "rg",
    ORDER.RA: "ra",
    ORDER.RGB: "rgb",
    ORDER.RGBA: "rgba",
    ORDER.BGRA: "bgra",
    _ARGB: "argb",
    _ABGR: "abgr",
    ORDER.sRGBA: "rgba",
    ORDER.sBGRA: "bgra",
    ORDER.INTENSITY: "r",
    ORDER.LUMINANCE: "r",
    _DEPTH: "r",
}

_SRGB = (ORDER.sRGBA, ORDER.sBGRA)

context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
random = np.random.default_rng(5)


def kind_of(type: int) -> str:
    """Of read_image*: f, i or ui."""
    if type in (TYPE.SIGNED_INT8, TYPE.SIGNED_INT16, TYPE.SIGNED_INT32):
        return "i"
    if type in (TYPE.UNSIGNED_INT8, TYPE.UNSIGNED_INT16, TYPE.UNSIGNED_INT32):
        return "ui"
    return "f"


def channels(type: int, pixels: np.ndarray) -> np.ndarray:
    """The pixels' channels as numbers of the kernel."""
    if type in _PACKED:
        rest, found = pixels[..., 0].astype(np.uint32), []
        for bits in reversed(_PACKED[type]):
            found.append((rest & ((1 << bits) - 1)).astype(np.float32) / np.float32(2**bits - 1))
            rest = rest >> bits
        return np.stack(found[::-1], axis=-1)
    if type in _NORMALIZED:
        scaled = pixels.astype(np.float32) / np.float32(np.iinfo(pixels.dtype).max)
        return np.maximum(scaled, np.float32(-1))
    return pixels.astype({"f": np.float32, "i": np.int32, "ui": np.uint32}[kind_of(type)])


def colors(order: int, type: int, pixels: np.ndarray) -> np.ndarray:
    """What a kernel reads from the pixels."""
    found = channels(type, pixels)
    result = np.zeros((*pixels.shape[:-1], 4), found.dtype)
    names = _CHANNELS[order]
    if "a" not in names:
        result[..., 3] = 1
    for n, name in enumerate(names):
        result[..., "rgba".index(name)] = found[..., n]
    if order in _SRGB:
        encoded = np.rint(result[..., :3] * 255).astype(np.float64) / 255
        linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
        result[..., :3] = linear.astype(np.float32)
    if order in (ORDER.LUMINANCE, ORDER.INTENSITY):
        result[..., 1:3] = found
    if order == ORDER.INTENSITY:
        result[..., 3] = found[..., 0]
    return result


def encoded(order: int, type: int, color: np.ndarray) -> np.ndarray:
    """The pixel that has the colour."""
    if order in _SRGB:
        low = np.clip(color[:3].astype(np.float64), 0, 1)
        high = np.where(low < 0.0031308, 12.92 * low, 1.055 * low ** (1 / 2.4) - 0.055)
        color = np.array([*high, color[3]], np.float32)
    values = np.array([color["rgba".index(name)] for name in _CHANNELS[order]])
    dtype = np.dtype(_DTYPES[type])
    if type in _PACKED:
        word = 0
        for value, bits in zip(values, _PACKED[type], strict=True):
            top = np.float32(2**bits - 1)
            word = word << bits | int(np.clip(np.rint(np.float32(value) * top), 0, top))
        return np.array([word], dtype)
    if type in _NORMALIZED:
        info = np.iinfo(dtype)
        values = np.rint(values.astype(np.float32) * np.float32(info.max))
        return np.clip(values, info.min, info.max).astype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.clip(values.astype(np.int64), info.min, info.max).astype(dtype)
    return values.astype(dtype)


def random_pixels(format: cl.ImageFormat, shape: tuple[int, ...]) -> np.ndarray:
    order, type = format.channel_order, format.channel_data_type
    dtype = np.dtype(_DTYPES[type])
    count = 1 if type in _PACKED else len(_CHANNELS[order])
    if dtype.kind == "f":
        return random.uniform(-9, 9, (*shape, count)).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, (*shape, count), dtype, endpoint=True)


_FORMAT_KERNELS = """
kernel void read_KIND(read_only image2d_t image, global TYPE4 *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * get_image_width(image) + x] = read_imageKIND(image, (int2)(x, y));
}
kernel void write_KIND(write_only image2d_t image, TYPE4 color) {
  write_imageKIND(image, (int2)(get_global_id(0), get_global_id(1)), color);
}
"""
_DEPTH_KERNELS = """
kernel void read_depth(read_only image2d_depth_t image, global float4 *out) {
  int x = get_global_id(0), y = get_global_id(1);
  float depth = read_imagef(image, (int2)(x, y));
  out[y * get_image_width(image) + x] = (float4)(depth, 0, 0, 1);
}
kernel void write_depth(write_only image2d_depth_t image, float4 color) {
  write_imagef(image, (int2)(get_global_id(0), get_global_id(1)), color.x);
}
"""
_FILLS = {
    "f": [(0.1, 0.5, 0.9, 0.3), (-2, 3, -0.75, 0.0), (0.5019, -0.5019, 1 / 3, 70000)],
    "i": [(1, -2, 3, -4), (300, -300, 70000, -70000), (2**31 - 1, -(2**31), 0, -1)],
    "ui": [(1, 2, 3, 4), (300, 255, 70000, 65535), (2**32 - 1, 0, 2**31, 256)],
}


def check_formats() -> None:
    """Each supported format, read back, by kernels, written by kernels, filled."""
    types = {"f": "float", "i": "int", "ui": "uint"}
    source = "".join(
        _FORMAT_KERNELS.replace("KIND", kind).replace("TYPE", type) for kind, type in types.items()
    )
    program = cl.Program(context, source + _DEPTH_KERNELS).build()
    shape = (5, 7)
    formats = cl.get_supported_image_formats(context, FLAGS.READ_ONLY, KIND.IMAGE2D)
    required = {(ORDER.RGBA, type) for type in _DTYPES if type not in _PACKED}
    assert required | {(ORDER.BGRA, TYPE.UNORM_INT8)} <= {
        (format.channel_order, format.channel_data_type) for format in formats
    }
    for format in formats:
        order, type = format.channel_order, format.channel_data_type
        pixels = random_pixels(format, shape)
        image = cl.create_image(
            context, FLAGS.READ_WRITE | FLAGS.COPY_HOST_PTR, format, shape[::-1], hostbuf=pixels
        )
        assert np.array_equal(read(image, pixels), pixels), format
        kind = kind_of(type)
        kernels = "depth" if order == _DEPTH else kind
        expected = colors(order, type, pixels)
        out = np.zeros_like(expected)
        buffer = cl.Buffer(context, FLAGS.WRITE_ONLY, out.nbytes)
        getattr(program, f"read_{kernels}")(queue, shape[::-1], None, image, buffer)
        cl.enqueue_copy(queue, out, buffer)
        assert np.array_equal(out, expected), (format, out, expected)
        for values in _FILLS[kind]:
            color = np.array(values, {"f": np.float32, "i": np.int32, "ui": np.uint32}[kind])
            with np.errstate(over="ignore"):  # 70000 is infinity as a half
                expected_pixels = np.broadcast_to(encoded(order, type, color), pixels.shape)
            cl.enqueue_fill_image(queue, image, color, (0, 0), shape[::-1])
            assert np.array_equal(read(image, pixels), expected_pixels), (format, values)
            if order in _SRGB:  # kernels do not write them
                continue
            cl.enqueue_copy(queue, image, pixels, origin=(0, 0), region=shape[::-1])
            getattr(program, f"write_{kernels}")(queue, shape[::-1], None, image, color)
            assert np.array_equal(read(image, pixels), expected_pixels), (format, values)


def read(image: cl.Image, like: np.ndarray) -> np.ndarray:
    """The pixels of a 2D image."""
    out = np.zeros_like(like)
    cl.enqueue_copy(queue, out, image, origin=(0, 0), region=like.shape[1::-1])
    return out


def check_view() -> None:
    """An image of another one's pixels: linear ones as sRGB."""
    linear = cl.ImageFormat(ORDER.RGBA, TYPE.UNORM_INT8)
    pixels = random_pixels(linear, (5, 7))
    image = cl.create_image(
        context, FLAGS.READ_WRITE | FLAGS.COPY_HOST_PTR, linear, (7, 5), hostbuf=pixels
    )
    descriptor = cl.ImageDescriptor()
    descriptor.image_type = KIND.IMAGE2D
    descriptor.shape = (7, 5, 0)
    descriptor.array_size = 0
    descriptor.pitches = (7 * 4, 0)
    descriptor.buffer = image
    format = cl.ImageFormat(ORDER.sRGBA, TYPE.UNORM_INT8)
    view = cl.Image(context, FLAGS.READ_ONLY, format, desc=descriptor)
    color = np.array([0.2, 0.4, 0.6, 0.8], np.float32)
    cl.enqueue_fill_image(queue, view, color, (1, 1), (2, 2))
    pixels[1:3, 1:3] = encoded(ORDER.sRGBA, TYPE.UNORM_INT8, color)
    assert np.array_equal(read(image, pixels), pixels)


check_formats()
check_view()
print("good")
