"""Neighbours that share elements (`p[x / 2]`), rows under masks, and loops that end by data: as the
interpreter has them, at any offset."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.device import Device

INDICES = {
    "x / 2": "int x = get_global_id(0);",
    "x >> 2": "int x = get_global_id(0);",
    "x / 4u": "uint x = get_global_id(0);",
    "7 + x / 8": "size_t x = get_global_id(0);",
    "(x >> 3) + 5": "long x = get_global_id(0);",
    "40 + (x - 37) / 2": "int x = get_global_id(0);",
    "40 + ((x - 37) >> 1)": "int x = get_global_id(0);",
    "(x - 37u) / 2 % 64": "uint x = get_global_id(0);",
    "get_global_id(1) / 2 * 30 + x / 2": "int x = get_global_id(0);",
    "x ^ 1": "int x = get_global_id(0);",
    "45 ^ x": "uint x = get_global_id(0);",
    "(x ^ 3 * (size_t)get_group_id(0)) + 2": "size_t x = get_global_id(0);",
    "x ^ 16 * get_group_id(0)": "ulong x = get_global_id(0);",
    "(uchar)x ^ 64": "int x = get_global_id(0);",
    "(x - 37 ^ 5) + 48": "long x = get_global_id(0);",
}


@pytest.fixture(scope="module")
def cpu() -> Device:
    return polycl.device("cpu")


def _both(text: str, cpu: Device, *inputs: np.ndarray, offset: int = 0) -> None:
    """The last input is the output: the same on both devices, bit for bit."""
    kernel = polycl.load(text, language="cl").kernel("k")
    found: list[np.ndarray] = []
    for device in (polycl.device("interp"), cpu):
        *given, out = inputs
        out = out.copy()
        kernel(*given, out, global_size=192, local_size=64, global_offset=offset, device=device)
        found.append(out)
    assert np.array_equal(found[0], found[1])


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("offset", [0, 1, 16])
def test_neighbours_share_elements(index: str, offset: int, cpu: Device) -> None:
    text = (
        f"kernel void k(global const uchar *p, global int *o)"
        f"{{ {INDICES[index]} o[x] = p[{index}] * 3; }}"
    )
    p = np.arange(256, dtype=np.uint8)[::-1].copy()
    _both(text, cpu, p, np.zeros(256, np.int32), offset=offset)


STRIDED = {
    "load": "if (x < m[0]) o[x] = p[2 * x];",
    "store": "if (x % 3 != 1) o[2 * x] = p[x];",
    "both": "if ((int)p[x] & 4) { o[3 * x] = p[3 * x + 1] + p[3 * x]; o[3 * x + 1] = p[x]; }",
    "loop": "for (int s = 0; s < (int)p[x] % 4; s++) o[4 * x + s] = p[4 * x + s] - s;",
    "last": "if (x == m[0]) o[8 * x] = p[8 * x + 7];",
}


@pytest.mark.parametrize("body", STRIDED)
@pytest.mark.parametrize("type", ["uchar", "int", "double"])
def test_strided_accesses_under_masks(body: str, type: str, cpu: Device) -> None:
    text = (
        f"kernel void k(global const {type} *p, global const int *m, global {type} *o)"
        f"{{ int x = get_global_id(0); {STRIDED[body]} }}"
    )
    dtype = {"uchar": np.uint8, "int": np.int32, "double": np.float64}[type]
    p = (np.arange(192 * 8) * 7 % 250).astype(dtype)
    _both(text, cpu, p, np.array([101], np.int32), np.zeros(192 * 8, dtype))


LOOPS = {
    "sum": "int s = 0; for (int k = p[x]; k < p[x + 1]; k++) s += v[k];",
    "gather": "int s = 0; for (int k = p[x]; k < p[x + 1]; k++) s += v[v[k] % 99];",
    "least": "int s = 99; for (int k = p[x]; k != p[x + 1]; ++k) { if (v[k] < s) s = v[k]; }",
    "last": "int s = 0; for (int k = p[x + 1]; k > p[x]; k--) s = s * 3 + v[k];",
    "written": "int s = 0; o[x] = 3; for (int k = 0; k < o[x]; k++) { s += k; o[x] -= k == 1; }",
    "inclusive": "int s = 0; for (uint k = p[x]; k <= (uint)p[x + 1]; k++) s += max(v[k], 3);",
}


@pytest.mark.parametrize("body", LOOPS)
def test_loops_that_end_by_data(body: str, cpu: Device) -> None:
    text = (
        "kernel void k(global const int *p, global const int *v, global int *o)"
        f"{{ int x = get_global_id(0); {LOOPS[body]} o[x] = s; }}"
    )
    lengths = np.arange(193) * 5 % 11
    starts = np.cumsum(lengths, dtype=np.int32)
    v = (np.arange(starts[-1] + 9) * 31 % 101).astype(np.int32)
    _both(text, cpu, starts, v, np.zeros(192, np.int32))
