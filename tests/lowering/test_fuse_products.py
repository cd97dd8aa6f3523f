"""`fuse-products`: a kernel has the same results, to the last bit, however it was compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.pipeline import FOR_SPEED
from polycl.backends.pipeline import make_context, run_pipeline
from polycl.frontends.mlir.mlir_text import parse_mlir

SOURCES = {
    "loop": """
        float s = 0; for (int j = 0; j < 20; j++) s += x[i + j] * x[j];
        y[i] = s;""",
    "uniform products": "y[i] = x[0] * x[1] + x[i] - x[2] * x[3] * x[i + 1];",
    "branches": """
        float s = x[i];
        if (i & 3) s = s * x[i + 1] + x[i + 2]; else s -= s * x[i + 3];
        y[i] = s;""",
    "iterations by lane": """
        float s = 1; for (int j = 0; j < i % 23; j++) s = s * x[j] + x[i];
        y[i] = s;""",
    "gathers": """
        float s = 0; for (int j = 0; j < 9; j++) s += x[(i * 7 + j * j) & 63] * x[j];
        y[i] = s;""",
    "vectors": """
        float4 v = vload4(i & 15, x); v = v * v.yzwx + x[i];
        y[i] = dot(v, v.wzyx) - v.x * v.y;""",
    "doubles": """
        double d = x[i] / 3.0, square = d * d;
        for (int j = 0; j < 5; j++) d = d * x[j] - x[i + j];
        y[i] = (d * d - square) + 1e20 * (x[i] / 3.0 * (x[i] / 3.0) - square);""",
    "signs": "y[i] = -(x[i] * x[i + 1]) - -(x[i + 2] * x[i + 3]);",
    "neighbours": """
        local float t[64]; int l = get_local_id(0);
        t[l] = x[l & 7]; barrier(CLK_LOCAL_MEM_FENCE);
        y[i] = t[l & 3] * x[i] + t[(l + 1) & 3] * x[i + 1] + t[(l + 2) & 3];""",
    "complex": """
        float2 z = 0; int j = 0;
        for (; j < 40 && z.x * z.x + z.y * z.y < 4; j++)
          z = (float2)(z.x * z.x - z.y * z.y + x[i], 2 * z.x * z.y + x[i + 1]);
        y[i] = z.x + j;""",
}
WAYS = {
    "without passes for speed": {"disable": FOR_SPEED},
    "for any size": {"any_size": True},
    "without AVX-512": {"without_features": ["avx512"]},
}


@pytest.mark.parametrize("name", SOURCES)
def test_all_ways_give_the_same_bits(name: str) -> None:
    kernel = polycl.load(
        "kernel void k(global const float *x, global float *y) { int i = get_global_id(0);"
        f"{SOURCES[name]} }}"
    ).kernel("k")
    x = np.random.default_rng(5).uniform(-1.2, 1.2, 160).astype(np.float32)

    def results(local_size: int, **options: Any) -> bytes:
        y = np.zeros(128, np.float32)
        device = CpuDevice(threads=1, **options)
        kernel(x, y, global_size=128, local_size=local_size, device=device)
        return y.tobytes()

    expected = results(64)
    assert results(8) == expected
    for way, options in WAYS.items():
        assert results(64, **options) == expected, way
    assert results(64, contract=False) != expected


def test_sums_in_any_order_are_left() -> None:
    text = """
    func.func @sum(%x: f32, %y: f32) -> f32 {
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %p, %y fastmath<reassoc> : f32
      func.return %s : f32
    }"""
    module = parse_mlir(make_context(), text.encode(), "<text>")
    run_pipeline(module, "fuse-products")
    assert "fma" not in str(module)
