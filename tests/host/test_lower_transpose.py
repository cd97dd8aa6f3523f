"""`ocl-lower-transpose`: the launch and the loops against numpy, for shapes and element types."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import polycl
from launches import sampled
from polycl.backends.cpu import CpuDevice
from polycl.runtime.host.host_program import HostFunction

TYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f32": np.float32,
    "f64": np.float64,
    "vector<4xi16>": np.dtype((np.int16, 4)),
    "vector<3xf32>": np.dtype((np.float32, 4)),
    '!ocl.struct<"p", {a: i32, b: i16, c: i16}>': np.dtype([("a", "i4"), ("b", "i2"), ("c", "i2")]),
}
"""Elements of buffers, and what they are in memory: three floats take the place of four."""

DEVICES = ("cpu", "interp", "opencl:intel")


@cache
def device(name: str) -> polycl.Device:
    return CpuDevice(threads=2) if name == "cpu" else polycl.device(name)


@cache
def turning(element: str) -> HostFunction:
    """A host that transposes `x` on the device to `y`, and on the host to `z`."""
    text = """
func.func @f(%x: memref<?xT>, %y: memref<?xT>, %z: memref<?xT>, %r: index, %c: index) {
  %n = arith.muli %r, %c : index
  %d = host.buffer %n : !host.buffer<T>
  host.write %x to %d : memref<?xT>, !host.buffer<T>
  %e = host.transpose %d rows %r columns %c : !host.buffer<T>
  host.read %e to %y : !host.buffer<T>, memref<?xT>
  %t = host.transpose %x rows %r columns %c : memref<?xT>
  host.write %t to %d : memref<?xT>, !host.buffer<T>
  host.read %d to %z : !host.buffer<T>, memref<?xT>
  func.return
}
"""
    text = text.replace("<?xT>", f"<?x{element}>").replace("<T>", f"<{element}>")
    return polycl.load(text, language="mlir").host("f")


def check(element: str, rows: int, columns: int, on: str) -> None:
    """Bytes, whatever they are as numbers, but no NaN: its bits need not stay."""
    type = np.dtype(TYPES[element])
    raw = np.random.default_rng(rows * 41 + columns).integers(
        0, 127, (rows, columns, type.itemsize), dtype=np.uint8
    )
    if element == "vector<3xf32>":
        # What lies between the elements is nobody's.
        raw[:, :, 12:] = 0
    scalar, width = (type.subdtype or (type, (1,)))[0], type.itemsize
    expected = raw.transpose(1, 0, 2).copy()
    arrays = [raw.copy(), np.zeros_like(raw), np.zeros_like(raw)]
    x, y, z = (a.reshape(-1).view(scalar) for a in arrays)
    turning(element)(x, y, z, rows, columns, device=device(on))
    np.testing.assert_array_equal(arrays[0], raw)
    for found in arrays[1:]:
        found = found.reshape(columns, rows, width)
        if element == "vector<3xf32>":
            found[:, :, 12:] = 0
        np.testing.assert_array_equal(found, expected)


SHAPES = ((1, 1), (1, 33), (33, 1), (16, 16), (33, 47), (40, 3))


@pytest.mark.parametrize("case", sampled(list(product(TYPES, SHAPES, DEVICES)), 4))
def test_edges_of_tiles(case: tuple[str, tuple[int, int], str]):
    """16 x 16 elements are a work-item's, or 16 rows a work-item's and 16 columns a group's."""
    element, shape, on = case
    check(element, *shape, on)


@settings(max_examples=30)
@example("i8", 16, 1, "cpu")
@example("f64", 1, 16, "opencl:intel")
@given(
    st.sampled_from(sorted(TYPES)),
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from(DEVICES),
)
def test_any_shape(element: str, rows: int, columns: int, on: str):
    check(element, rows, columns, on)
