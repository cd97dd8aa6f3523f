"""Gathers by numbers of 32 bits: elements of any size, numbers of any type, and lanes that are off
have any number."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice

ITEMS = 64


@pytest.mark.parametrize("words", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("number", ["uint", "int", "ulong", "ushort"])
def test_results_are_the_interpreters(words: int, number: str) -> None:
    text = f"""
    typedef struct {{ int v[{words}]; }} Record;
    kernel void k(global const Record *p, global const {number} *at, int n, global int *out) {{
      int i = get_global_id(0), s = -1;
      {number} k = at[i];
      if (k < n) s = p[k].v[{words - 1}];
      while (k < n) {{ s += p[k].v[0] + p[k * 3 % n].v[{words // 2}]; k += 1 + (i & 3); }}
      out[i] = s;
    }}"""
    type = {"uint": np.uint32, "int": np.int32, "ulong": np.uint64, "ushort": np.uint16}[number]
    rng = np.random.default_rng(1)
    at = rng.integers(0, 60, ITEMS).astype(type)
    at[::5] = np.iinfo(type).max
    kernel = polycl.load(text).kernel("k")
    p = rng.integers(0, 1000, (50, words)).astype(np.int32).view(kernel.dtype("p")).reshape(-1)
    results: list[np.ndarray] = []
    for device in (CpuDevice(threads=1, enable=["vectors"]), polycl.device("interp")):
        out = np.zeros(ITEMS, np.int32)
        kernel(p, at, 50, out, global_size=ITEMS, local_size=ITEMS, device=device)
        results.append(out)
    assert (results[0] == results[1]).all()
