"""Images: both devices against a model of section 8 of OpenCL 1.2, in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.frontends.opencl_c import import_source
from polycl.lowering.ocl import ocl_expand_images

DEVICES = ("interp", "cpu")
W, H = 5, 3


def device(name: str) -> polycl.Device:
    return polycl.device(name) if name == "interp" else polycl.device(name, contract=False)


def pixels(dtype: str, channels: int = 4) -> NDArray[Any]:
    random = np.random.default_rng(7)
    if dtype.startswith("float"):
        return random.uniform(-2, 2, (H, W, channels)).astype(dtype)
    info = np.iinfo(dtype)
    values = random.integers(info.min, info.max, (H, W, channels), endpoint=True)
    values[0, 0, 0], values[0, 1, 0] = info.min, info.max
    return values.astype(dtype)


def as_floats(array: NDArray[Any]) -> NDArray[np.float32]:
    """Section 8.3.1.1."""
    if array.dtype.kind == "f":
        return array.astype(np.float32)
    scale = np.float32(np.iinfo(array.dtype).max)
    return np.maximum(array.astype(np.float32) / scale, np.float32(-1)).astype(np.float32)


def wrapped(at: int, size: int, address: str) -> int:
    """The pixel at an integer coordinate; -1 and `size` have the border colour."""
    if address == "clamp_to_edge":
        return min(max(at, 0), size - 1)
    return min(max(at, -1), size)


def model(
    floats: NDArray[np.float32],
    s: np.float32,
    t: np.float32,
    address: str,
    linear: bool,
    normalized: bool,
) -> NDArray[np.float32]:
    """Section 8.2 for an rgba image; each step in float."""
    f = np.float32

    def texel(i: int, j: int) -> NDArray[np.float32]:
        inside = 0 <= i < W and 0 <= j < H
        return floats[j, i] if inside else np.zeros(4, f)

    def coordinate(s: np.float32, size: int) -> np.float32:
        if not normalized:
            return s
        if address == "repeat":
            return f(s - np.floor(s)) * f(size)
        if address == "mirrored_repeat":
            return f(abs(f(s - f(2) * np.rint(f(0.5) * s)))) * f(size)
        return s * f(size)

    def nearest(s: np.float32, size: int) -> int:
        at = int(np.floor(coordinate(s, size)))
        if address == "repeat":
            return at - size if at > size - 1 else at
        return min(at, size - 1) if address == "mirrored_repeat" else wrapped(at, size, address)

    def pair(u: np.float32, size: int) -> tuple[int, int]:
        low = int(np.floor(u - f(0.5)))
        if address == "repeat":
            return low + size if low < 0 else low, low + 1 - size if low + 1 > size - 1 else low + 1
        if address == "mirrored_repeat":
            return max(low, 0), min(low + 1, size - 1)
        return wrapped(low, size, address), wrapped(low + 1, size, address)

    if not linear:
        return texel(nearest(s, W), nearest(t, H))
    u, v = coordinate(s, W), coordinate(t, H)
    (i0, i1), (j0, j1) = pair(u, W), pair(v, H)
    a, b = (f(x - f(0.5)) - np.floor(f(x - f(0.5))) for x in (u, v))
    one = f(1)
    sum = (one - a) * (one - b) * texel(i0, j0)
    sum = sum + a * (one - b) * texel(i1, j0)
    sum = sum + (one - a) * b * texel(i0, j1)
    return sum + a * b * texel(i1, j1)


READ = """
kernel void k(read_only image2d_t image, sampler_t s, global const float2 *at, global float4 *out) {
  size_t g = get_global_id(0);
  out[g] = read_imagef(image, s, at[g]);
}
"""


@pytest.mark.parametrize("filter", ["nearest", "linear"])
@pytest.mark.parametrize(
    ("address", "normalized"),
    [
        *((address, True) for address in ("clamp_to_edge", "clamp", "repeat", "mirrored_repeat")),
        ("clamp_to_edge", False),
        ("clamp", False),
    ],
)
def test_filters_and_address_modes(address: str, normalized: bool, filter: str) -> None:
    array = pixels("float32")
    steps = np.linspace(-1.7, 2.6, 9, dtype=np.float32)
    at = np.stack(np.meshgrid(steps, steps[:7]), axis=-1).reshape(-1, 2).astype(np.float32)
    if not normalized:
        at = (at * np.array([W, H], np.float32)).astype(np.float32)
    at = np.ascontiguousarray(at)
    sampler = polycl.Sampler(address, filter, normalized)
    expected = np.array(
        [model(array, s, t, address, filter == "linear", normalized) for s, t in at], np.float32
    )
    kernel = polycl.load(READ).kernel("k")
    for name in DEVICES:
        out = np.zeros((len(at), 4), np.float32)
        kernel(polycl.Image(array), sampler, at, out, global_size=len(at), device=device(name))
        assert np.array_equal(out, expected), name


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "float16", "float32"])
def test_float_formats_read_and_write(dtype: str) -> None:
    source = """
    kernel void k(read_only image2d_t from, write_only image2d_t to, global float4 *out) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      float4 color = read_imagef(from, at);
      out[at.y * get_image_width(from) + at.x] = color;
      write_imagef(to, at, color * 1.25f);
      write_imagef(to, at + 100, color);
    }"""
    array = pixels(dtype)
    expected = as_floats(array)
    for name in DEVICES:
        target = polycl.Image(np.zeros_like(array))
        out = np.zeros((H, W, 4), np.float32)
        polycl.load(source).kernel("k")(
            polycl.Image(array), target, out, global_size=(W, H), device=device(name)
        )
        assert np.array_equal(out, expected)
        scaled = expected * np.float32(1.25)
        if array.dtype.kind != "f":
            info = np.iinfo(dtype)
            scaled = np.clip(np.rint(scaled * np.float32(info.max)), info.min, info.max)
        assert np.array_equal(target.array, scaled.astype(dtype))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32"])
def test_integer_formats_read_and_write(dtype: str) -> None:
    suffix = "ui" if dtype.startswith("u") else "i"
    type = "uint4" if dtype.startswith("u") else "int4"
    source = f"""
    constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t from, write_only image2d_t to, global {type} *out) {{
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      {type} color = read_image{suffix}(from, s, at - (int2)(1, 0));
      out[at.y * get_image_dim(from).x + at.x] = color;
      write_image{suffix}(to, at, color + color);
    }}"""
    array = pixels(dtype)
    expected = np.zeros((H, W, 4), np.uint32 if suffix == "ui" else np.int32)
    expected[:, 1:] = array[:, :-1]
    for name in DEVICES:
        target = polycl.Image(np.zeros_like(array), normalized=False)
        out = np.zeros_like(expected)
        polycl.load(source).kernel("k")(
            polycl.Image(array, normalized=False),
            target,
            out,
            global_size=(W, H),
            device=device(name),
        )
        assert np.array_equal(out, expected)
        info = np.iinfo(dtype)
        doubled = (expected + expected).astype(np.int64)
        assert np.array_equal(target.array, np.clip(doubled, info.min, info.max))


def test_integers_of_floats_are_their_bits() -> None:
    """The standard leaves them undefined; programs keep doubles in pixels of two floats so."""
    source = """
    constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t from, global double *out) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      out[at.y * get_image_width(from) + at.x] = as_double2(read_imagei(from, s, at)).x;
    }"""
    expected = np.random.default_rng(3).uniform(-2, 2, (H, W))
    image = polycl.Image(expected.view(np.float32).reshape(H, W, 2), channels="rg")
    for name in DEVICES:
        out = np.zeros_like(expected)
        polycl.load(source).kernel("k")(image, out, global_size=(W, H), device=device(name))
        assert np.array_equal(out, expected)


@pytest.mark.parametrize(
    ("channels", "color", "border"),
    [
        ("r", [1, 0, 0, 1], [0, 0, 0, 1]),
        ("a", [0, 0, 0, 1], [0, 0, 0, 0]),
        ("rg", [1, 2, 0, 1], [0, 0, 0, 1]),
        ("ra", [1, 0, 0, 2], [0, 0, 0, 0]),
        ("rgb", [1, 2, 3, 1], [0, 0, 0, 1]),
        ("rgba", [1, 2, 3, 4], [0, 0, 0, 0]),
        ("bgra", [3, 2, 1, 4], [0, 0, 0, 0]),
        ("argb", [2, 3, 4, 1], [0, 0, 0, 0]),
        ("intensity", [1, 1, 1, 1], [0, 0, 0, 0]),
        ("luminance", [1, 1, 1, 1], [0, 0, 0, 1]),
    ],
)
def test_channel_orders(channels: str, color: list[int], border: list[int]) -> None:
    source = """
    kernel void k(read_only image2d_t image, write_only image2d_t copy, sampler_t s,
                  global float4 *o) {
      o[0] = read_imagef(image, s, (int2)(0, 0));
      o[1] = read_imagef(image, s, (int2)(-1, 0));
      write_imagef(copy, (int2)(0, 0), o[0]);
    }"""
    count = {"r": 1, "a": 1, "rg": 2, "ra": 2, "rgb": 3, "intensity": 1, "luminance": 1}
    array = np.arange(1, count.get(channels, 4) + 1, dtype=np.float32).reshape(1, 1, -1)
    for name in DEVICES:
        out = np.zeros((2, 4), np.float32)
        copy = polycl.Image(np.zeros_like(array), channels)
        polycl.load(source).kernel("k")(
            polycl.Image(array, channels),
            copy,
            polycl.Sampler("clamp"),
            out,
            global_size=1,
            device=device(name),
        )
        assert out.tolist() == [color, border]
        assert np.array_equal(copy.array, array)


def test_arguments_are_checked() -> None:
    kernel = polycl.load(READ).kernel("k")
    at, out = np.zeros((1, 2), np.float32), np.zeros((1, 4), np.float32)
    with pytest.raises(polycl.ArgumentError, match="expected a polycl.Image, got an array"):
        kernel(out, polycl.Sampler(), at, out, global_size=1)
    with pytest.raises(polycl.ArgumentError, match="expected a polycl.Sampler, got int 3"):
        kernel(polycl.Image(np.zeros((2, 2), np.uint8)), 3, at, out, global_size=1)
    with pytest.raises(polycl.ArgumentError, match="cannot hold float64"):
        polycl.Image(np.zeros((2, 2)))
    with pytest.raises(polycl.ArgumentError, match="cannot have channels='rgba'"):
        polycl.Image(np.zeros((2, 2, 3), np.uint8), "rgba")
    with pytest.raises(polycl.ArgumentError, match="needs normalized=True"):
        polycl.Sampler("repeat")


TWO_FORMATS = """
constant sampler_t EDGE = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
float4 texel(read_only image2d_t image, sampler_t s, float2 at) {
  return read_imagef(image, s, at);
}
kernel void k(read_only image2d_t one, read_only image2d_t other, sampler_t s,
              write_only image2d_t to, global const float2 *at) {
  int g = get_global_id(0);
  float4 sum = texel(one, s, at[g]) + texel(other, EDGE, at[g]) + texel(one, EDGE, at[g]);
  write_imagef(to, (int2)(g - 1, 0), sum);
}
"""


def test_code_for_all_formats_is_that_for_one() -> None:
    """Of a function's parameter nothing is known if calls pass images of different formats."""
    places = [0.3, 1.5, -2, 7, np.nan, np.inf, -np.inf, 1e20, 2**31]
    at = np.array([(x, y) for x in places for y in places], np.float32)
    sampler = polycl.Sampler("clamp", "linear")
    kernel = polycl.load(TWO_FORMATS).kernel("k")
    for one, other in (("uint8", "float32"), ("uint8", "uint8"), ("float16", "int16")):
        results: list[NDArray[Any]] = []
        for name in DEVICES:
            to = polycl.Image(np.zeros((1, len(at), 2), np.float32))
            images = polycl.Image(pixels(one)), polycl.Image(pixels(other, 1))
            kernel(*images, sampler, to, at, global_size=len(at), device=device(name))
            results.append(to.array.copy())
        np.testing.assert_array_equal(results[0], results[1])


def test_a_launch_with_another_format_is_other_code() -> None:
    kernel = polycl.load("""kernel void k(read_only image2d_t in, global float4 *out, sampler_t s) {
      out[get_global_id(0)] = read_imagef(in, s, (int2)((int)get_global_id(0) - 1, 0));
    }""").kernel("k")
    for channels, dtype in (
        ("rgba", "uint8"),
        ("bgra", "uint8"),
        ("rg", "float32"),
        ("a", "int16"),
    ):
        array = pixels(dtype, len(channels))
        for address in ("clamp", "clamp_to_edge"):
            expected, found = np.zeros((W + 2, 4), np.float32), np.zeros((W + 2, 4), np.float32)
            image, sampler = polycl.Image(array, channels), polycl.Sampler(address)
            for out, name in ((expected, "interp"), (found, "cpu")):
                kernel(image, out, sampler, global_size=W + 2, device=name)
            np.testing.assert_array_equal(found, expected)


def test_a_guard_that_always_holds() -> None:
    """Ids of the largest group are never negative; `inside` asks."""
    kernel = polycl.load("""kernel void k(read_only image2d_t in, write_only image2d_t out) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at, read_imagef(in, at));
    }""").kernel("k")
    array = np.arange(2 * 8192, dtype=np.float32).reshape(2, 8192)
    out = polycl.Image(np.zeros_like(array))
    kernel(polycl.Image(array), out, global_size=(8192, 2), local_size=(8192, 1))
    np.testing.assert_array_equal(out.array, array)


def test_image_functions_are_those_of_the_source() -> None:
    folder = Path(ocl_expand_images.__file__).parent
    module = import_source((folder / "image_functions.cl").read_bytes(), "image_functions.cl")
    text = (folder / "image_functions.mlir").read_text(encoding="utf-8")
    assert str(module).strip() == text.strip(), (
        "write it again: ocl-opt image_functions.cl > image_functions.mlir"
    )
