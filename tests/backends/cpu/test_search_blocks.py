"""Searches that skip blocks of an array (`wg-search-blocks`), beside the interpreter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

SEARCH = """
kernel void find(global const T *sums, global const T *u, global int *out, int n) {
  int i = get_global_id(0), found = -1;
  for (int x = 0; x < n; x++)
    if (sums[x] OP u[i]) { found = x; break; }
  out[i] = found;
}
"""

FLAG = """
kernel void find(global const int *sums, global const int *u, global int *out, int n) {
  int i = get_global_id(0), last = 7, x = 2;
  bool found = false;
  while (x < n && !found) {
    if (u[i] < sums[x]) { found = true; last = x * 3; }
    x++;
  }
  out[i] = found ? last : ~last;
}
"""

REFUSED = {
    "an array of each work-item": "if (sums[x + i] > u[i]) { found = x; break; }",
    "a sum": "{ if (sums[x] > u[i]) break; found += x; }",
    "the counter is read": "{ if (sums[x] > u[i]) break; found = x; }",
    "added to what was found": "if (sums[x] > u[i]) { found += x; break; }",
    "not always kept": "if (sums[x] > u[i]) { if (x > 2) found = x; break; }",
    "another array": "if (sums[x] > u[i]) { found = u[x]; break; }",
    "divisions": "if (sums[x] > u[i]) { found = 90 / (x - n); break; }",
    "no order": "if (sums[x] == u[i]) { found = x; break; }",
    "no end": "if (sums[x] > u[i]) { found = x; }",
    "volatile": "if (*(volatile global const int *)(sums + x) > u[i]) { found = x; break; }",
}


def _arrays(type: str) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Elements and values, in which most searches go through several blocks."""
    random = np.random.default_rng(1)
    dtype = {"float": "f4", "double": "f8", "int": "i4", "uint": "u4"}[type]
    values = np.sort(random.integers(0, 4000, 331))
    wanted = np.append(random.choice(values, 40), [0, 3999, 4000, 1, 3900])
    if dtype[0] != "f":
        return values.astype(dtype), wanted.astype(dtype)
    elements, numbers = values.astype(dtype), wanted.astype(dtype)
    elements[::7], numbers[3] = np.nan, np.nan
    elements[64:192], numbers[4] = np.nan, np.inf
    return elements, numbers


def _is_as_interpreted(
    source: str, elements: NDArray[np.generic], wanted: NDArray[np.generic], size: int
) -> bool:
    """Compares the results; returns whether blocks are searched."""
    find = polycl.load(source).kernel("find")
    results = []
    for device in ("interp", "cpu"):
        out = np.zeros(wanted.size, np.int32)
        with collect_remarks() as remarks:
            find(elements, wanted, out, size, global_size=out.size, device=device)
        results.append(list(out))
    assert results[0] == results[1]
    return "searches blocks" in "".join(map(str, remarks))


@pytest.mark.parametrize(
    ("type", "comparison", "first"),
    [("float", ">=", 0), ("double", "<", 5), ("int", ">", 3), ("uint", "<=", 0)],
)
def test_searches_in_blocks(type: str, comparison: str, first: int) -> None:
    """Blocks begin anywhere in the array, and elements and values may be NaN."""
    elements, wanted = _arrays(type)
    if comparison[0] == "<":
        elements = elements[::-1].copy()
    elements = elements[first:]
    source = SEARCH.replace("T ", f"{type} ").replace("OP", comparison)
    for size in (elements.size, 17, 1, 0):
        assert _is_as_interpreted(source, elements, wanted, size)


def test_first_of_many() -> None:
    """Elements in no order, of which most blocks have several that are found."""
    elements = np.random.default_rng(3).integers(0, 100, 300).astype(np.int32)
    wanted = np.arange(80, 102, dtype=np.int32)
    assert _is_as_interpreted(
        SEARCH.replace("T ", "int ").replace("OP", ">"), elements, wanted, 300
    )


@pytest.mark.parametrize("size", [331, 3, 0])
def test_flag_is_read_after_the_loop(size: int) -> None:
    assert _is_as_interpreted(FLAG, *_arrays("int"), size)


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_refused(body: str) -> None:
    elements, wanted = _arrays("int")
    source = SEARCH.replace("T ", "int ").replace(
        "if (sums[x] OP u[i]) { found = x; break; }", body
    )
    assert not _is_as_interpreted(source, elements, wanted[:10], 10)
