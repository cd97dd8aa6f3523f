"""`wg-interleave`: red and black points in place, several rows at once."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

ROWS = {
    "array of rows": ("local float t[H + 2][W + 2];", "t[y + {}][x + {}]"),
    "one row": ("local float t[(H + 2) * (W + 2)];", "t[(y + {}) * (W + 2) + x + {}]"),
}


@pytest.mark.parametrize("form", ROWS)
@pytest.mark.parametrize("size", [(16, 16), (32, 6), (8, 8)])
@pytest.mark.parametrize("mask", ["(x + y) % 2 == colour", "x % 2 != 0"])
def test_rows_in_place(form: str, size: tuple[int, int], mask: str):
    width, height = size
    array, element = ROWS[form]

    def at(row: int, column: int) -> str:
        return element.format(row, column)

    text = f"""#define W {width}
    #define H {height}
    kernel void k(global float *p) {{
      {array}
      int x = get_local_id(0), y = get_local_id(1);
      global float *mine = p + get_group_id(0) * (W + 2) * (H + 2);
      local float *all = &{at(0, 0)} - y * (W + 2) - x;
      for (int i = y * W + x; i < (W + 2) * (H + 2); i += W * H) all[i] = mine[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int colour = 0; colour < 4; colour++) {{
        if ({mask.replace("colour", "(colour & 1)")})
          {at(1, 1)} = ({at(0, 1)} + {at(2, 1)} + {at(1, 0)} + {at(1, 2)}) * 0.25f - {at(1, 1)};
        barrier(CLK_LOCAL_MEM_FENCE);
      }}
      mine[(y + 1) * (W + 2) + x + 1] = {at(1, 1)};
    }}"""
    if mask == "x % 2 != 0":
        # Those above and below are of one colour with it.
        text = text.replace(f"({at(0, 1)} + {at(2, 1)} + ", "(")
    results: list[np.ndarray] = []
    remarks = []
    for device in (polycl.device("cpu", threads=1, contract=False), polycl.device("interp")):
        p = np.random.default_rng(3).random(2 * (width + 2) * (height + 2), np.float32)
        with collect_remarks() as found:
            polycl.load(text).kernel("k")(
                p, global_size=(2 * width, height), local_size=size, device=device
            )
        remarks.extend(str(remark) for remark in found)
        results.append(p)
    assert (results[0] == results[1]).all()
    if size == (16, 16) and "colour" in mask:
        assert any("4 rows x 1 vectors share one body [wg-interleave]" in r for r in remarks)


@pytest.mark.parametrize("size", [(80, 7), (66, 3), (33, 5)])
def test_a_stencil_in_place(size: tuple[int, int]):
    text = """kernel void k(global float *p, int w, int h, int colour) {
      int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
      if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1 || ((x + y) & 1) != colour) return;
      p[i] += ((p[i - 1] + p[i + 1]) + (p[i - w] + p[i + w])) * 0.25f;
    }"""
    width, height = size
    start = np.random.default_rng(3).random(width * height, np.float32)
    remarks, results = [], []
    for device in (polycl.device("cpu", threads=1, contract=False), polycl.device("interp")):
        p = start.copy()
        with collect_remarks() as found:
            for colour in (0, 1, 0):
                polycl.load(text).kernel("k")(
                    p, width, height, colour, global_size=size, device=device
                )
        remarks.extend(str(remark) for remark in found)
        results.append(p)
    assert (results[0] == results[1]).all()
    if width == 80:
        assert any("vectors share one body [wg-interleave]" in r for r in remarks)
