"""Loops in steps of the group that fill a tile: as interpreted, also where places repeat."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

FILLS = {
    "rows": ("k = FLAT; k < 180; k += 64", "t[k / 18 * 18 + k % 18] = f(k / 18, k % 18);"),
    "number": ("k = FLAT; k < 180; k += 64", "t[k] = f(k / 18, k - k / 18 * 18);"),
    "pitch": ("k = FLAT; k < 180; k += 64", "t[k + k / 18] = f(k / 18, k % 18);"),
    "columns": ("k = FLAT; k < 180; k += 64", "t[k % 18 * 10 + k / 18] = f(k / 18, k % 18);"),
    "part of a row": ("k = FLAT; k < 175; k += 64", "t[k] = f(k / 16, k & 15);"),
    "shifts": ("k = FLAT; k < 128; k += 64", "t[(k >> 4) * 17 + (k & 15)] = f(k >> 4, k & 15);"),
    "pairs": ("k = FLAT; k < 90; k += 64", "t[2 * k] = f(k / 9, k % 9); t[2 * k + 1] = k;"),
    "size": (
        "k = FLAT; k < (int)(get_local_size(0) + 2) * 10; k += 64",
        "t[k] = f(k / (int)(get_local_size(0) + 2), k % 10);",
    ),
    "guard": ("k = FLAT; k < 180; k += 64", "if (k % 18 < w) t[k] = f(k / 18, k % 18);"),
}
"""Each iteration writes places of its own."""

KEPT = {
    "same place": ("k = FLAT; k < 180; k += 64", "t[k % 64] = f(k / 18, k % 18);"),
    "own place": ("k = FLAT; k < 180; k += 64", "t[FLAT] = k / 18;"),
    "id": ("k = FLAT; k < 180; k += 64", "t[k] = f(k / 18, k % 18) + lx;"),
    "read": ("k = FLAT; k < 180; k += 64", "t[k] = k < 64 ? k % 18 : t[k - 64] + 1;"),
    "later": ("k = FLAT + 1; k < 180; k += 64", "t[k] = f(k / 18, k % 18);"),
    "part of the group": ("k = FLAT; k < 180; k += 32", "if (lx < 16) t[k] = k / 18;"),
}
"""Work-items keep the order of their iterations."""

FLATS = {
    (16, 4): "ly * 16 + lx",
    (64, 1): "lx",
    (8, 8): "mad24(ly, (int)get_local_size(0), lx)",
}


def _kernel(head: str, body: str, flat: str) -> polycl.Kernel:
    text = f"""
    kernel void k(global const int *in, global int *out, int w, int h) {{
      local int t[256];
      int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
      int number = get_local_id(1) * get_local_size(0) + lx;
      for (int k = number; k < 256; k += 64) t[k] = -1;
      barrier(CLK_LOCAL_MEM_FENCE);
#define f(r, c) in[clamp(y - ly + (r) - 1, 0, h - 1) * w + clamp(x - lx + (c) - 1, 0, w - 1)]
      for (int {head.replace("FLAT", flat)}) {{ {body.replace("FLAT", "number")} }}
      barrier(CLK_LOCAL_MEM_FENCE);
      int group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
      for (int k = number; k < 256; k += 64) out[group * 256 + k] = t[k];
    }}"""
    return polycl.load(text, language="cl").kernel("k")


def _spreads(kernel: polycl.Kernel, local: tuple[int, int]) -> bool:
    """Whether the loop that fills the tile is spread; the results are those of the interpreter."""
    w, h = 32, 16
    found: list[np.ndarray] = []
    numbers = np.random.default_rng(0).integers(0, 99, w * h).astype(np.int32)
    with collect_remarks() as remarks:
        for device in ("interp", "cpu"):
            out = np.zeros(w * h * 4, np.int32)
            kernel(
                *(numbers, out, np.int32(w), np.int32(h)),
                global_size=(w * h // 8, 8),
                local_size=local,
                device=device,
            )
            found.append(out)
    assert np.array_equal(found[0], found[1])
    return any("spread over" in str(remark) for remark in remarks)


@pytest.mark.parametrize("fill", FILLS)
def test_each_step_has_a_work_item(fill: str) -> None:
    head, body = FILLS[fill]
    assert _spreads(_kernel(head, body, FLATS[16, 4]), (16, 4))


@pytest.mark.parametrize("local", FLATS)
def test_groups_of_any_shape(local: tuple[int, int]) -> None:
    assert _spreads(_kernel(*FILLS["rows"], FLATS[local]), local)


@pytest.mark.parametrize("fill", KEPT)
def test_steps_keep_their_order(fill: str) -> None:
    head, body = KEPT[fill]
    assert not _spreads(_kernel(head, body, FLATS[16, 4]), (16, 4))
