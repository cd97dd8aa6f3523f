"""Sums of ids with large numbers, cut to 32 bits (`int x = get_global_id(0) + 2147483640u`)."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SUMS = (
    "get_local_id(0) + 2147483640u",
    "2147483640ul - get_global_id(0) + 20",
    "get_global_id(0) + 4294967290u",
    "get_global_id(0) * 100000000",
    "get_local_id(0) * 16807ul * 16807 + 5",
    "(get_global_id(0) + 1048570) * 4096",
    "get_group_id(0) * 2147483632u + get_local_id(0) * 8",
)

USES = """
  if (x >= 0) s += 1;
  if (x < 50 + n) s += 2;
  if ((uint)x < 50u) s += 4;
  if ((long)x <= 2147483648l + n) s += 8;
  s += (int)((long)x / 7) * 16;
  s += (int)(((long)x + 1) % 5);
  out[2 * g + 1] = (x + 3) / 2;
"""
"""Each in a kernel of its own: one that a pass leaves may hide another."""


def _kernel(number: int, sum: str, use: str, type: str) -> str:
    return f"""
    kernel void k{number}(int n, global int *out) {{
      size_t g = get_global_id(0);
      {type} x = {sum};
      int s = 0;
      {use}
      out[2 * g] = s;
    }}"""


@pytest.mark.parametrize("sum", SUMS)
def test_what_is_left_of_a_sum(sum: str) -> None:
    uses = USES.strip().splitlines()
    kernels = [(use, type) for use in uses[:5] for type in ("int", "uint")][
        :: 1 + SUMS.index(sum) % 2
    ]
    kernels += [("\n".join(uses), "int")]
    text = "".join(_kernel(i, sum, *each) for i, each in enumerate(kernels))
    program = polycl.load(text, language="cl")
    interp, cpu = polycl.device("interp"), polycl.device("cpu")
    for i, (use, type) in enumerate(kernels):
        found: list[list[int]] = []
        for device in (interp, cpu):
            out = np.zeros(96, np.int32)
            program.kernel(f"k{i}")(np.int32(0), out, global_size=48, local_size=16, device=device)
            found.append(out.tolist())
        assert found[0] == found[1], (type, use)


WIDE = """
kernel void k(TYPE n, TYPE w, global TYPE *out) {
  size_t g = get_global_id(0);
  for (TYPE i = n + (TYPE)get_group_id(0) * get_local_size(0) + get_local_id(0), k = 0; k < 3;
       k++, i += get_num_groups(0) * get_local_size(0)) {
    out[6 * g + 2 * k] = i / w;
    out[6 * g + 2 * k + 1] = i % w;
  }
}"""


@pytest.mark.parametrize("type", ["long", "ulong"])
@pytest.mark.parametrize("width", [5, 48, 64, 2**40])
def test_sums_of_64_bits_are_divided_as_they_are(type: str, width: int) -> None:
    dtype = np.dtype({"long": np.int64, "ulong": np.uint64}[type])
    kernel = polycl.load(WIDE.replace("TYPE", type), language="cl").kernel("k")
    # Unsigned sums wrap.
    numbers = [0, 40, 2**31 - 60, 2**32 - 50, 2**62, np.iinfo(dtype).max - (96 * 4 * (type < "u"))]
    if type == "long":
        numbers += [-40, -(2**31), -(2**62)]
    for number in numbers:
        found: list[list[int]] = []
        for device in ("interp", "cpu"):
            out = np.zeros(6 * 96, dtype)
            values = dtype.type(number), dtype.type(width)
            kernel(*values, out, global_size=96, local_size=16, device=device)
            found.append(out.tolist())
        assert found[0] == found[1], number


ARGUMENTS = (
    "get_global_id(0) + b",
    "get_local_id(0) * 2 + p[0]",
    "b - get_global_id(0)",
    "get_global_id(0) + min(b, b - 1)",
    "get_global_id(0) + b / 2",
    "get_global_id(0) + (b > 3 ? b : 3)",
    "get_global_id(0) + (b & -16)",
    "get_global_id(0) + (long)(p[0] * 0.5)",
)
BOUNDS = """
kernel void k(TYPE b, global TYPE *p, global long *out) {
  size_t g = get_global_id(0);
  int x = SUM;
  out[4 * g] = x <= b;
  out[4 * g + 1] = (long)x / 7;
  out[4 * g + 2 + ((long)x < 0)] += 2;
  TYPE j = b + g;
  for (int k = 0; (int)j <= (int)b + 20 && k < 8; k++, j++) out[4 * g] += 10;
}"""


@pytest.mark.parametrize("type", ["long", "ulong"])
@pytest.mark.parametrize("sum", ARGUMENTS)
def test_numbers_of_64_bits_in_a_sum_that_is_cut(sum: str, type: str) -> None:
    """An argument may be any number: a sum with it wraps between two neighbours."""
    text = BOUNDS.replace("TYPE", type).replace("SUM", sum)
    kernel = polycl.load(text, language="cl").kernel("k")
    dtype = np.dtype({"long": np.int64, "ulong": np.uint64}[type])
    for number in (3, 2**31 - 8, 2**31 + 3, 2**32 - 9, 2**33 - 4, -(2**31) - 4):
        argument = np.int64(number).astype(dtype)
        found: list[list[int]] = []
        for device in ("interp", "cpu"):
            out = np.zeros(64, np.int64)
            values = argument, np.full(1, argument), out
            kernel(*values, global_size=16, local_size=16, device=device)
            found.append(out.tolist())
        assert found[0] == found[1], number
