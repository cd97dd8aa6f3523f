"""Images of one and three dimensions, arrays of images and buffers as images, on both devices."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import polycl
from polycl.errors import ArgumentError

DEVICES = ("interp", "cpu")
LINE = np.array([[1, 2], [4, 8], [16, 32]], np.float32)
"""Two channels, the shape of one row of three pixels."""


def texel(line: np.ndarray, at: int) -> list[float]:
    color = line[at] if 0 <= at < len(line) else (0, 0)
    return [float(color[0]), float(color[1]), 0.0, 1.0]


@pytest.mark.parametrize("device", DEVICES)
def test_one_dimension(device: str) -> None:
    source = """
    kernel void k(read_only image1d_t image, read_only image1d_buffer_t buffer,
                  write_only image1d_t copy, sampler_t s, global float4 *o, global int *sizes) {
      int i = get_global_id(0);
      o[i] = read_imagef(image, s, i - 1);
      o[i + 5] = read_imagef(image, s, i - 0.75f);
      o[i + 10] = read_imagef(buffer, i % 3);
      write_imagef(copy, i, 2.0f * o[i]);
      sizes[0] = get_image_width(image);
      sizes[1] = get_image_width(buffer);
    }"""
    kernel = polycl.load(source).kernel("k")
    image = polycl.Image(LINE, kind="image1d")
    copy = polycl.Image(np.zeros((3, 2), np.float32), kind="image1d")
    out, sizes = np.zeros((15, 4), np.float32), np.zeros(2, np.int32)
    buffer = polycl.Image(LINE, kind="image1d_buffer")
    sampler = polycl.Sampler("clamp", "linear")
    kernel(image, buffer, copy, sampler, out, sizes, global_size=5, device=device)
    assert out[:5].tolist() == [texel(LINE, i - 1) for i in range(5)]
    # 0.25 below a pixel's middle lies a quarter of the one before it.
    mixed = [
        0.25 * np.array(texel(LINE, i - 2)) + 0.75 * np.array(texel(LINE, i - 1)) for i in range(5)
    ]
    mixed = [[*m[:3], 1.0] for m in mixed]
    assert out[5:10].tolist() == [m if np.any(m[:2]) else [0, 0, 0, 1] for m in mixed]
    assert out[10:].tolist() == [texel(LINE, i % 3) for i in range(5)]
    assert np.array_equal(copy.array[0], 2 * out[0, :2])
    assert sizes.tolist() == [3, 3]


@pytest.mark.parametrize("device", DEVICES)
def test_three_dimensions(device: str) -> None:
    source = """
    kernel void k(read_only image3d_t image, sampler_t nearest, sampler_t linear,
                  global const float4 *at, global float4 *o, global int4 *sizes) {
      int i = get_global_id(0);
      o[3 * i] = read_imagef(image, nearest, at[i]);
      o[3 * i + 1] = read_imagef(image, linear, at[i]);
      o[3 * i + 2] = read_imagef(image, nearest, convert_int4_rtn(at[i]));
      sizes[0] = get_image_dim(image);
      sizes[1] = (int4)(get_image_depth(image));
    }"""
    kernel = polycl.load(source).kernel("k")
    array = np.random.default_rng(3).integers(-9, 9, (4, 3, 2, 1)).astype(np.float32)
    quarters = [-0.75, 0.0, 0.5, 1.25, 3.5]
    at = np.array([(*p, 0) for p in itertools.product(quarters, repeat=3)], np.float32)
    out, sizes = np.zeros((len(at), 3, 4), np.float32), np.zeros((2, 4), np.int32)
    samplers = [polycl.Sampler("clamp_to_edge", filter) for filter in ("nearest", "linear")]
    image = polycl.Image(array, kind="image3d")
    kernel(image, *samplers, at, out, sizes, global_size=len(at), device=device)
    top = np.array([1, 2, 3])  # the last pixel in x, y and z

    def pixel(x: int, y: int, z: int) -> float:
        x, y, z = np.clip([x, y, z], 0, top)
        return float(array[z, y, x, 0])

    for (x, y, z, _), (nearest, linear, fetched) in zip(at, out, strict=True):
        corner = np.floor([x, y, z]).astype(int)
        assert nearest.tolist() == fetched.tolist() == [pixel(*corner), 0, 0, 1]
        low = np.floor(np.array([x, y, z]) - 0.5).astype(int)
        a = np.array([x, y, z]) - 0.5 - low
        expected = sum(
            float(np.prod([a[d] if step[d] else 1 - a[d] for d in range(3)])) * pixel(*(low + step))
            for step in itertools.product((0, 1), repeat=3)
        )
        assert linear.tolist() == [expected, 0, 0, 1]
    assert sizes.tolist() == [[2, 3, 4, 0], [4, 4, 4, 4]]


@pytest.mark.parametrize("device", DEVICES)
def test_arrays(device: str) -> None:
    source = """
    kernel void k(read_only image2d_array_t planes, read_only image1d_array_t lines,
                  write_only image2d_array_t copy, sampler_t s, global uint4 *o,
                  global ulong *sizes) {
      int x = get_global_id(0), n = get_global_id(1);
      int at = n * get_global_size(0) + x;
      // A place between images is that of the nearest one; beyond the last it is the last one.
      o[3 * at] = read_imageui(planes, s, (float4)(x, 1, n + 0.25f, 0));
      o[3 * at + 1] = read_imageui(lines, s, (int2)(x, n));
      o[3 * at + 2] = read_imageui(planes, s, (int4)(x, 0, n, 0));
      write_imageui(copy, (int4)(x, 1, n, 0), o[3 * at]);
      sizes[0] = get_image_array_size(planes);
      sizes[1] = get_image_array_size(lines);
    }"""
    kernel = polycl.load(source).kernel("k")
    array = np.arange(12, dtype=np.uint16).reshape(3, 2, 2)
    planes = polycl.Image(array, normalized=False, kind="image2d_array")
    lines = polycl.Image(array[:, 0], normalized=False, kind="image1d_array")
    copy = polycl.Image(np.zeros_like(array), normalized=False, kind="image2d_array")
    out, sizes = np.zeros((4, 2, 3, 4), np.uint32), np.zeros(2, np.uint64)
    kernel(planes, lines, copy, polycl.Sampler(), out, sizes, global_size=(2, 4), device=device)
    last = [0, 1, 2, 2]
    assert np.array_equal(out[:, :, 0, 0], array[last, 1])
    assert np.array_equal(out[:, :, 1, 0], array[last, 0])
    assert np.array_equal(out[:, :, 2, 0], array[last, 0])
    assert np.array_equal(copy.array[:, 1], array[:, 1])
    assert not copy.array[:, 0].any()
    assert sizes.tolist() == [3, 3]


@pytest.mark.parametrize("device", DEVICES)
def test_half(device: str) -> None:
    source = """
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(read_only image2d_t image, write_only image2d_t copy) {
      int2 at = (int2)(get_global_id(0), 0);
      write_imageh(copy, at, read_imageh(image, at) + (half4)(1.0h));
    }"""
    array = np.array([[0.5, 1000.25, -2]], np.float16)
    copy = polycl.Image(np.zeros_like(array))
    polycl.load(source).kernel("k")(polycl.Image(array), copy, global_size=3, device=device)
    assert np.array_equal(copy.array, array + np.float16(1))


def test_kinds_are_checked() -> None:
    with pytest.raises(polycl.ArgumentError, match=r"shape \(depth, height, width\) or"):
        polycl.Image(np.zeros((2, 2), np.uint8), kind="image3d")
    with pytest.raises(polycl.ArgumentError, match="unknown kind='2d'"):
        polycl.Image(np.zeros((2, 2), np.uint8), kind="2d")
    kernel = polycl.load("kernel void k(read_only image3d_t i) {}").kernel("k")
    with pytest.raises(polycl.ArgumentError, match="kind='image3d', got 'image2d'"):
        kernel(polycl.Image(np.zeros((2, 2), np.uint8)), global_size=1)


DEPTHS = """
constant sampler_t linear = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP;
constant sampler_t nearest = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
float nearer(read_only image2d_depth_t image, float2 at) { return read_imagef(image, linear, at); }
kernel void k(read_only image2d_depth_t image, read_only image2d_array_depth_t images,
              write_only image2d_depth_t copy, write_only image2d_array_depth_t copies,
              global float *o, global int *sizes) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(copy, at, read_imagef(image, at));
  write_imagef(copies, (int4)(at, 1, 0), read_imagef(images, nearest, (int4)(at, 1, 0)) / 2);
  if (at.x || at.y)
    return;
  o[0] = nearer(image, (float2)(1, 2));
  o[1] = read_imagef(image, nearest, (int2)(-1, 2));
  o[2] = read_imagef(images, nearest, (float4)(1.5f, 2.5f, 0.9f, 0));
  o[3] = read_imagef(images, (int4)(1, 2, 0, 0));
  sizes[0] = get_image_channel_order(image) - CLK_DEPTH;
  sizes[1] = get_image_channel_data_type(copy);
  sizes[2] = get_image_dim(images).y;
  sizes[3] = get_image_array_size(copies);
}"""


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", ["float32", "uint16"])
def test_depths(dtype: str, device: str) -> None:
    numbers = np.random.default_rng(1).random((2, 3, 5))
    array = (numbers * (65535 if dtype == "uint16" else 1)).astype(dtype)
    depths = (array / np.float32(65535 if dtype == "uint16" else 1)).astype(np.float32)
    kernel = polycl.load(DEPTHS).kernel("k")
    image = polycl.Image(array[0], kind="image2d_depth")
    images = polycl.Image(array, kind="image2d_array_depth")
    copy = polycl.Image(np.zeros_like(array[0]), kind="image2d_depth")
    copies = polycl.Image(np.zeros_like(array), kind="image2d_array_depth")
    out, sizes = np.zeros(4, np.float32), np.zeros(4, np.int32)
    kernel(image, images, copy, copies, out, sizes, global_size=(5, 3), device=device)
    assert np.array_equal(copy.array, array[0])
    assert not copies.array[0].any()
    half = depths[1] / 2
    expected = np.rint(half * np.float32(65535)) if dtype == "uint16" else half
    assert np.array_equal(copies.array[1], expected)
    block = depths[0, 1:3, 0:2]
    assert out[0] == pytest.approx(block.mean(), rel=1e-6)
    assert out[1:].tolist() == [0, depths[1, 2, 1], depths[0, 2, 1]]
    assert sizes.tolist() == [0, 0x10DE if dtype == "float32" else 0x10D3, 3, 2]


def test_depths_are_checked() -> None:
    with pytest.raises(ArgumentError, match="holds float32, or uint16 with normalized=True"):
        polycl.Image(np.zeros((4, 4), np.int32), kind="image2d_depth")
    with pytest.raises(ArgumentError, match="an image2d cannot have channels='depth'"):
        polycl.Image(np.zeros((4, 4), np.float32), channels="depth")
    with pytest.raises(ArgumentError, match="an image2d_depth cannot have channels='r'"):
        polycl.Image(np.zeros((4, 4), np.float32), channels="r", kind="image2d_depth")
