"""Lanes in runs of neighbours (`p[x / 18 * w + x % 18]`): as the interpreter has them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.device import Device

INDICES = {
    "x / 18 * w + x % 18": "int x = get_global_id(0);",
    "x / 9 * 27 + x % 9": "uint x = get_local_id(0);",
    "(x / 7) * (size_t)w + x % 7": "size_t x = get_local_id(0);",
    "(x - 3u) % 12u + (x - 3u) / 12u * 20u": "uint x = get_global_id(0) + 3;",
    "x / 20 * 40 + x % 20 - 5": "uint x = get_local_id(0) + 5;",
    "x / 100 * 300 + x / 10 % 10 * 15 + x % 10": "int x = get_local_id(0);",
    "x / 60 * 70 + x % 60 / 12 * 13 + x % 60 % 12": "int x = get_local_id(0);",
    "(x >> 3) * w + (x & 7)": "long x = get_global_id(0) + 5;",
    "min(x / 24, 3) * w + x % 24": "int x = get_local_id(0);",
    "(40 - x / 11) * w + x % 11": "int x = get_local_id(0);",
    "x / 18 * w + 17 - x % 18": "int x = get_local_id(0);",
    "(x - 20) / 18 * 30 + (x - 20) % 18 + 60": "int x = get_global_id(0);",
    "(uchar)(x / 5) * 9 + x % 5": "int x = get_local_id(0);",
    "((uchar)x / 18) * 20 + (uchar)x % 18": "int x = get_global_id(0);",
    "x % 48 / 6 * 20 + (x % 48 * 1u + 12) % 6 + x / 48 * 300": "uint x = get_local_id(0);",
    "x / 18 * w + x % 9": "int x = get_local_id(0);",
    "x / 12 * 24 + x % 18": "int x = get_local_id(0);",
}

SHARED = {"x / 18 * w + x % 9", "x / 12 * 24 + x % 18", "((uchar)x / 18) * 20 + (uchar)x % 18"}
"""Those that give two work-items the same place."""


@pytest.fixture(scope="module")
def cpu() -> Device:
    return polycl.device("cpu")


def _both(text: str, cpu: Device, *inputs: object, offset: int = 0) -> None:
    """The last input is the output: the same on both devices, bit for bit."""
    kernel = polycl.load(text, language="cl").kernel("k")
    found: list[np.ndarray] = []
    for device in (polycl.device("interp"), cpu):
        *given, out = inputs
        assert isinstance(out, np.ndarray)
        out = out.copy()
        kernel(*given, out, global_size=192, local_size=96, global_offset=offset, device=device)
        found.append(out)
    assert np.array_equal(found[0], found[1])


TYPES = {
    "uchar": np.uint8,
    "short": np.int16,
    "float": np.float32,
    "double": np.float64,
    "float2": np.float32,
    "uchar4": np.uint8,
}


LAUNCHES = [
    (index, type)
    for number, index in enumerate(INDICES)
    for type in {"float": 0, [*TYPES][number % len(TYPES)]: 0}
]


@pytest.mark.parametrize(("index", "type"), LAUNCHES)
def test_loads_of_runs(index: str, type: str, cpu: Device) -> None:
    text = (
        f"kernel void k(global const {type} *p, int w, global {type} *o) {{ {INDICES[index]}"
        f" size_t l = get_global_id(0); if (l % 23 != 4) o[l] = p[{index}];"
        f" o[l + 200] = p[{index}]; }}"
    )
    width = int(type[-1]) if type[-1].isdigit() else 1
    p = (np.arange(4000 * width) * 7 % 251).astype(TYPES[type])
    _both(text, cpu, p.reshape(-1, width) if width > 1 else p, 33, _out(width, TYPES[type]))


@pytest.mark.parametrize(
    ("index", "type"), [launch for launch in LAUNCHES if launch[0] not in SHARED]
)
def test_stores_of_runs(index: str, type: str, cpu: Device) -> None:
    """Through local memory, of which each group has its own."""
    text = (
        f"kernel void k(global const {type} *p, int w, global {type} *o) {{ {INDICES[index]}"
        f" local {type} t[4000]; size_t l = get_local_id(0);"
        f" for (int i = l; i < 4000; i += 96) t[i] = ({type})(1); barrier(CLK_LOCAL_MEM_FENCE);"
        f" if (l % 23 != 4) t[{index}] = p[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        f" if (get_group_id(0) == 1) for (int i = l; i < 4000; i += 96) o[i] = t[i]; }}"
    )
    width = int(type[-1]) if type[-1].isdigit() else 1
    p = (np.arange(200 * width) * 7 % 251 + 2).astype(TYPES[type])
    _both(text, cpu, p.reshape(-1, width) if width > 1 else p, 33, _out(width, TYPES[type]))


@pytest.mark.parametrize("steps", [3, 6, 7])
@pytest.mark.parametrize("type", ["uchar", "short"])
def test_steps_under_a_mask(type: str, steps: int, cpu: Device) -> None:
    """Up to the last element of the buffer; lanes by the width of what they are compared with."""
    accesses = "".join(
        f"{wide} v{k} = p[l + 7]; if (v{k} > 99) o[l * {steps} + {k}] += p[l * {steps} + {k}];"
        for k, wide in enumerate(("short", "int", "double"))
    )
    text = (
        f"kernel void k(global const {type} *p, int w, global {type} *o)"
        f" {{ int l = get_global_id(0); {accesses} }}"
    )
    p = (np.arange(200 * steps) * 7 % 251).astype(TYPES[type])
    _both(text, cpu, p, 33, np.ones(191 * steps + 3, TYPES[type]))


def test_vectors_of_three_bytes_under_a_mask(cpu: Device) -> None:
    """32 lanes of 96 bytes: LLVM's code generator ends."""
    text = (
        "kernel void k(global const char *p, int w, global char *o) { int x = get_global_id(0);"
        " if (x % 3 == 0) { char3 v = vload3(x, p); vstore3(v + (char3)(1), x, o); } }"
    )
    p = (np.arange(600) * 7 % 251 - 125).astype(np.int8)
    _both(text, cpu, p, 33, np.ones(600, np.int8))


def _out(width: int, dtype: type) -> np.ndarray:
    return np.zeros((4000, width) if width > 1 else 4000, dtype)


@pytest.mark.parametrize("side", [10, 18, 21])
@pytest.mark.parametrize("offset", [0, 5])
def test_tiles_with_borders(side: int, offset: int, cpu: Device) -> None:
    """The usual loop that fills a tile, as rows, and as a local array of two dimensions."""
    text = f"""
    kernel void k(global const float *p, int w, global float *o) {{
      local float a[{side * side}]; local float b[{side}][{side}];
      int l = get_local_id(0), g = get_group_id(0);
      for (int i = l; i < {side * side}; i += 96) {{
        int r = i / {side}, c = i % {side};
        a[i] = p[(r + g) * w + c];
        b[r][c] = p[(r + g + 3) * w + c + 1];
      }}
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = l; i < {side * side}; i += 96)
        o[g * 500 + i] = a[{side * side} - 1 - i] + b[i % {side}][i / {side}];
    }}"""
    p = np.arange(4000, dtype=np.float32)
    _both(text, cpu, p, 40, np.zeros(4000, np.float32), offset=offset)


WRAPPED = {
    "uint x = get_global_id(0) + 4294967290u;": "x % 18u",
    "int x = get_local_id(0) + 2147483640u;": "x / 18 * w + x % 18 + 20",
    "uint l = get_local_id(0) + get_group_id(0) * 268435452u; int x = l;": "x % 18 + 20",
    "int x = get_local_id(0) + w;": "((x % 18) + 18) / 18 * 18 + x % 18",
}


@pytest.mark.parametrize("id", WRAPPED)
def test_numbers_that_wrap(id: str, cpu: Device) -> None:
    text = f"""
    kernel void k(global const int *p, int w, global int *out) {{
      {id}
      out[get_global_id(0)] = p[{WRAPPED[id]}];
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    found: list[list[int]] = []
    for device in (polycl.device("interp"), cpu):
        out = np.zeros(1024, np.int32)
        p = np.arange(400, dtype=np.int32)
        kernel(p, np.int32(0), out, global_size=1024, local_size=256, device=device)
        found.append(out.tolist())
    assert found[0] == found[1]
