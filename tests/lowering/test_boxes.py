"""Ids that are divided into columns, rows and planes: groups of any size, borders of any form."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

SOURCE = """
int inside(int i, int n) { if (i < 0) return 0; if (i >= n) return n - 1; return i; }
kernel void box(global const uint *in, global uint *out, int width, int height, int depth) {
  ID w = width, h = height, d = depth, i = get_global_id(0);
  ID x = i % w, y = i / w % h, z = i / (w * h);
  if (z >= d) return;
#define AT(x, y, z) in[((z) * h + (y)) * w + (x)]
  out[i] = 3 * AT(LESS(x, w), y, z) + 5 * AT(MORE(x, w), y, z) + 7 * AT(x, LESS(y, h), z)
           + 11 * AT(x, MORE(y, h), z) + 13 * AT(x, y, LESS(z, d)) + 17 * AT(x, y, MORE(z, d));
}
"""
FORMS = {
    "?:": "-DID=int -DLESS(i,n)=((i)>0?(i)-1:0) -DMORE(i,n)=((i)<(n)-1?(i)+1:(n)-1)",
    "size_t": "-DID=size_t -DLESS(i,n)=((i)>0?(i)-1:0) -DMORE(i,n)=min((i)+1,(n)-1)",
    "function": "-DID=int -DLESS(i,n)=inside((i)-1,n) -DMORE(i,n)=inside((i)+1,n)",
    "wrap": "-DID=uint -DLESS(i,n)=(((i)+(n)-1)%(n)) -DMORE(i,n)=(((i)+1)%(n))",
}


def expected(values: np.ndarray, *, wraps: bool) -> np.ndarray:
    padded = np.pad(values, 1, mode="wrap" if wraps else "edge")
    result = np.zeros_like(values)
    for axis, factors in ((2, (3, 5)), (1, (7, 11)), (0, (13, 17))):
        for factor, start in zip(factors, (0, 2), strict=True):
            window = [slice(1, -1)] * 3
            window[axis] = slice(start, start + values.shape[axis])
            result += np.uint32(factor) * padded[tuple(window)]
    return result


@pytest.mark.parametrize("local", [64, 1024])
@pytest.mark.parametrize("form", FORMS)
def test_boxes(form: str, local: int):
    kernel = polycl.load(SOURCE, FORMS[form].split(), language="cl").kernel("box")
    for width, height, depth in ((64, 4, 5), (16, 3, 11), (50, 7, 3), (7, 9, 12), (1500, 2, 2)):
        shape = depth, height, width
        values = np.arange(width * height * depth, dtype=np.uint32).reshape(shape)
        values *= np.uint32(2654435761)
        out = np.zeros_like(values)
        size = -(-values.size // local) * local
        kernel(values, out, width, height, depth, global_size=size, local_size=local)
        np.testing.assert_array_equal(out, expected(values, wraps=form == "wrap"))


@pytest.mark.parametrize("form", FORMS)
def test_each_row_of_a_group_is_read_in_rows(form: str):
    """Whether a group is in one row, or a part of it: inside of the border, or under masks."""
    values, out = np.zeros((2, 4, 64), np.uint32), np.zeros((2, 4, 64), np.uint32)
    with collect_remarks() as remarks:
        polycl.load(SOURCE, FORMS[form].split(), language="cl").kernel("box")(
            values, out, 64, 4, 2, global_size=1024, local_size=1024
        )
    split = [r for r in remarks if r.pass_name == "wg-split-borders"]
    selected = [r for r in remarks if r.pass_name == "wg-select-loads"]
    # A remainder is not a selection: parts are split, too.
    assert len(split) >= 2 if form == "wrap" else split and selected
