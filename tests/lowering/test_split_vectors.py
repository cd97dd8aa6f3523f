"""`split-vectors` keeps every bit of what is computed with vectors of coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SOURCE = """
kernel void move(global const int *in, global int *out, int w, int h, int by) {
  T2 at = (T2)(get_global_id(0), get_global_id(1)), size = {w, h};
  if (any(at >= size)) return;
  T2 one = (T2)(by, 1);
  T2 left = min(max(at - one, (T2)(0)), size - 1), right = clamp(at + one, (T2)(0), size - 1);
  T2 middle = (at << (T2)(1)) >> (T2)(2), rest = (at * 3) % size;
  T2 other = at == middle ? rest : at.yx & (T2)(3);
  int2 narrow = convert_int2(other) - convert_int2(rest);
  int sum = in[left.y * w + left.x] + 3 * in[right.y * w + right.x];
  if (all(narrow <= (int2)(5)) || isequal((float)left.x, 2.0f)) sum += narrow.x;
  out[at.y * w + at.x] = sum + 7 * (int)rest.x + 11 * (int)other.y + narrow.y;
}
"""
BEFORE = "inline-functions,promote-private-memory,ocl-set-local-size{size=16,2,1},ocl-to-wg"


@pytest.mark.parametrize("type", ["int2", "uint2", "long2", "ulong2"])
@pytest.mark.parametrize("by", [1, -2])
def test_keeps_every_bit(type: str, by: int):
    kernel = polycl.load(SOURCE, [f"-DT2={type}"], language="cl").kernel("move")
    values = np.random.default_rng(1).integers(-100, 100, 30 * 7).astype(np.int32)

    def run(device: str, pipeline: str | None = None) -> np.ndarray:
        out = np.zeros_like(values)
        kernel(
            values, out, np.int32(30), np.int32(7), np.int32(by),
            global_size=(32, 8), local_size=(16, 2),
            device=polycl.device(device), pipeline=pipeline,
        )  # fmt: skip
        return out

    expected = run("interp")
    found = run("interp", f"{BEFORE},ocl-expand-builtins,split-vectors")
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(run("cpu"), expected)
