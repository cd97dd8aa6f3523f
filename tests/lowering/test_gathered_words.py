"""Elements of one and two bytes anywhere in memory: as the interpreter has them, at any alignment,
and without touching a page that has none of them. Under masks words are gathered, and on some
processors without masks, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gathers import between_pages, compare, kernel_of
from polycl.backends.cpu import pipeline
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import Device
from polycl.lowering.wg.wg_vectorize.cycles import cycles_of

ITEMS = 256

TYPES = {
    "uchar": np.uint8,
    "char": np.int8,
    "ushort": np.uint16,
    "short": np.int16,
    "half": np.float16,
}


@pytest.fixture(scope="module", params=["znver4", "emeraldrapids"])
def cpu(request: pytest.FixtureRequest) -> Iterator[Device]:
    """Code with the costs of a processor, of which the second gathers words without masks."""
    assert cycles_of("emeraldrapids").gathers_words
    assert not cycles_of("znver4").gathers_words
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "table_of", lambda _: request.param)
        yield CpuDevice(enable=["vectors"])


def _places(count: int) -> NDArray[np.int32]:
    """Of elements, and as many outside on both sides."""
    return np.random.default_rng(0).integers(-count, 2 * count, ITEMS).astype(np.int32)


def _elements(count: int, type: type) -> NDArray[Any]:
    return (np.arange(count) * 37 % 251).astype(type)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("skipped", range(4))
def test_any_alignment(name: str, skipped: int, cpu: Device) -> None:
    load = "vload_half(at[i], p)" if name == "half" else "p[at[i]]"
    text = f"""
    kernel void k(global const {name} *p, global const int *at, int n, global float *out) {{
      int i = get_global_id(0);
      float v = -1;
      if (at[i] >= 0 && at[i] < n) v = {load};
      out[i] = v;
    }}"""
    p = _elements(100 + skipped, TYPES[name])[skipped:]
    compare(
        kernel_of(text),
        cpu,
        ITEMS,
        p,
        _places(len(p)),
        np.int32(len(p)),
        np.zeros(ITEMS, np.float32),
    )


@pytest.mark.parametrize("declared", ["local uchar t[67]", "uchar t[67]"])
def test_memory_of_the_group_and_of_a_work_item(declared: str, cpu: Device) -> None:
    text = f"""
    kernel void k(global const uchar *p, global const int *at, int n, global int *out) {{
      {declared};
      int i = get_global_id(0);
      for (int j = 0; j < 67; j++) t[j] = p[j] ^ j;
      barrier(CLK_LOCAL_MEM_FENCE);
      int v = -1;
      if (at[i] >= 0 && at[i] < n) v = t[at[i]] - t[n - 1 - at[i]];
      out[i] = v;
    }}"""
    p = _elements(67, np.uint8)
    compare(kernel_of(text), cpu, ITEMS, p, _places(67), np.int32(67), np.zeros(ITEMS, np.int32))


def test_pairs_of_bytes_at_odd_addresses(cpu: Device) -> None:
    text = """
    kernel void k(global const uchar *p, global const int *at, int n, global uchar2 *out) {
      int i = get_global_id(0);
      uchar2 v = 7;
      if (at[i] >= 0 && at[i] < n - 1) v = vload2(0, p + at[i]);
      out[i] = v;
    }"""
    p = _elements(101, np.uint8)[1:]
    compare(
        kernel_of(text), cpu, ITEMS, p, _places(100), np.int32(100), np.zeros(2 * ITEMS, np.uint8)
    )


def test_fields_of_records_of_odd_size(cpu: Device) -> None:
    text = """
    typedef struct __attribute__((packed)) { uchar a; short b; } S;
    kernel void k(global const S *p, global const int *at, int n, global int *out) {
      int i = get_global_id(0);
      int v = -1;
      if (at[i] >= 0 && at[i] < n) v = p[at[i]].b * 3 + p[at[i]].a;
      out[i] = v;
    }"""
    p = _elements(300, np.uint8).view(np.dtype([("a", "u1"), ("b", "i2")]))
    compare(kernel_of(text), cpu, ITEMS, p, _places(100), np.int32(100), np.zeros(ITEMS, np.int32))


@pytest.mark.parametrize("name", ["uchar", "ushort"])
@pytest.mark.parametrize("at_end", [False, True])
def test_other_pages_are_left_alone(name: str, at_end: bool, cpu: Device) -> None:
    """An array at the end or the start of its page, between pages that nothing may read."""
    size = np.dtype(TYPES[name]).itemsize
    count = 6 // size
    p = between_pages(6, TYPES[name], at_end=at_end)
    p[:] = _elements(count, TYPES[name])
    text = f"""
    kernel void k(global const {name} *p, global const int *at, int n, global int *out) {{
      int i = get_global_id(0);
      int v = -1;
      if (at[i] >= 0 && at[i] < n) v = p[at[i]];
      out[i] = v;
    }}"""
    compare(
        kernel_of(text), cpu, ITEMS, p, _places(count), np.int32(count), np.zeros(ITEMS, np.int32)
    )


@pytest.mark.parametrize("name", ["uchar", "char", "short", "half"])
@pytest.mark.parametrize("skipped", range(4))
def test_without_a_mask(name: str, skipped: int, cpu: Device) -> None:
    load = "vload_half(at[i], p)" if name == "half" else "p[at[i]]"
    text = f"""
    kernel void k(global const {name} *p, global const int *at, global float *out) {{
      int i = get_global_id(0);
      out[i] = {load};
    }}"""
    p = _elements(100 + skipped, TYPES[name])[skipped:]
    compare(kernel_of(text), cpu, ITEMS, p, _places(len(p)) % len(p), np.zeros(ITEMS, np.float32))


def test_far_from_the_start(cpu: Device) -> None:
    """Distances up to 2^32 bytes, of which numbers of 32 bits are negative from the middle on."""
    p = np.zeros((1 << 32) - 5000, np.uint8)
    at = np.random.default_rng(0).integers(0, len(p), ITEMS).astype(np.uint32)
    at[:2] = 0, len(p) - 1
    p[at] = np.arange(ITEMS) % 200
    text = """
    kernel void k(global const uchar *p, global const uint *at, global uchar *out) {
      int i = get_global_id(0);
      if (i % 7) out[i] = p[at[i]];
    }"""
    out = np.zeros(ITEMS, np.uint8)
    kernel_of(text)(p, at, out, global_size=ITEMS, local_size=64, device=cpu)
    assert (out == np.where(np.arange(ITEMS) % 7, p[at], 0)).all()


def test_what_is_before_a_field(cpu: Device) -> None:
    text = """
    typedef struct { int head[4]; uchar bytes[16]; } S;
    kernel void k(global const uchar *p, global const int *at, int n, global int *out) {
      int i = get_global_id(0);
      global const uchar *bytes = ((global const S *)p)->bytes;
      int v = -1;
      if (at[i] >= 0 && at[i] < n) v = bytes[at[i] - 16];
      out[i] = v;
    }"""
    p = _elements(32, np.uint8)
    compare(kernel_of(text), cpu, ITEMS, p, _places(32), np.int32(32), np.zeros(ITEMS, np.int32))
