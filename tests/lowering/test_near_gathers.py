"""Elements that neighbours read near each other, or not: as the interpreter has them, under masks,
and without touching a page that has none of them."""

from __future__ import annotations

import numpy as np
import pytest

from gathers import between_pages, compare, kernel_of
from polycl.backends.cpu import pipeline
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import Device

ITEMS = 128
COUNT = 4096
"""The elements of what is read from."""

TYPES = {
    "uchar": np.uint8,
    "short": np.int16,
    "uint": np.uint32,
    "float": np.float32,
    "long": np.int64,
    "uchar4": (np.uint8, 4),
    "short2": (np.int16, 2),
    "uchar3": (np.uint8, 4),
}
"""Of what is read: elements, or small vectors, which count as one."""

INDICES = {
    "fraction": "(int)(i * s)",
    "integer": "i * (int)(s * 8) >> 3",
    "unsigned": "(uint)i * (uint)(s * 8 + 99) >> 5",
    "divided": "i * (int)(s * 7) / 7",
    "wide": "(long)(i * s)",
    "clamped": "clamp((int)(i * s - 3.0f), -20, 9)",
    "wrapped": "(int)(i * s) % 7",
    "pointer": "0",
}

STEPS = (0.3, 1.2, 13.7, -0.4, -5.0)


@pytest.fixture(scope="module")
def cpu() -> Device:
    return CpuDevice(enable=["vectors"])


def _elements(name: str, count: int = COUNT) -> np.ndarray:
    type = np.dtype(TYPES[name])
    return np.random.default_rng(0).integers(0, 100, (count, *type.shape)).astype(type.base)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("index", INDICES)
def test_steps(name: str, index: str, cpu: Device) -> None:
    place = "(int)(i * s)" if index == "pointer" else "2000"
    kernel = kernel_of(f"""
    kernel void k(global const {name} *p, float s, global {name} *out) {{
      int i = get_global_id(0);
      global const {name} *q = p + {place};
      out[i] = q[{INDICES[index]}] + q[{INDICES[index]} + 1];
    }}""")
    for step in STEPS:
        p = _elements(name, 8192)
        at = 4000 if index == "pointer" else 0
        compare(
            kernel,
            cpu,
            ITEMS,
            p[at:],
            np.float32(abs(step) if at else step),
            np.zeros((ITEMS, *p.shape[1:]), p.dtype),
        )


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("guard", ["i < n", "i >= n", "flags[i]", "flags[i] && i % 16"])
def test_masks(name: str, guard: str, cpu: Device) -> None:
    kernel = kernel_of(f"""
    kernel void k(global const {name} *p, global const uchar *flags, int n, float s,
                  global {name} *out) {{
      int i = get_global_id(0);
      {name} v = 7;
      if ({guard}) for (int j = 0; j < 3; j++) v += p[(int)(i * s) + j];
      out[i] = v;
    }}""")
    flags = np.random.default_rng(1).integers(0, 4, ITEMS).astype(np.uint8)
    for step in (0.4, 1.0, 3.0):
        p = _elements(name)
        compare(
            kernel,
            cpu,
            ITEMS,
            p,
            flags,
            np.int32(77),
            np.float32(step),
            np.zeros((ITEMS, *p.shape[1:]), p.dtype),
        )


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("guard", ["true", "i >= 3"])
def test_other_pages_are_left_alone(name: str, at_end: bool, guard: str, cpu: Device) -> None:
    """An array at the end or the start of its page, between pages that nothing may read."""
    elements = _elements(name, 100)
    p = between_pages(elements.nbytes, elements.dtype, at_end=at_end)
    p = p.reshape(elements.shape)
    p[:] = elements
    kernel = kernel_of(f"""
    kernel void k(global const {name} *p, float s, global {name} *out) {{
      int i = get_global_id(0);
      {name} v = 1;
      if ({guard}) v = p[(int)(i * s)] + p[99 - (int)(i * s)];
      out[i] = v;
    }}""")
    for step in (0.1, 0.38):
        compare(kernel, cpu, ITEMS, p, np.float32(step), np.zeros((ITEMS, *p.shape[1:]), p.dtype))


@pytest.mark.parametrize("name", ["uchar", "short"])
def test_apart_by_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On some processors lanes that are not near each other gather words."""
    monkeypatch.setattr(pipeline, "table_of", lambda _: "emeraldrapids")
    test_steps(name, "fraction", CpuDevice(enable=["vectors"]))
