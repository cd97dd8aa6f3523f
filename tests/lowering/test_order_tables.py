"""`wg-order-tables`: elements of tables that local ids choose, as the interpreter has them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

ORDERED = {
    "strided": "3 * l + 1",
    "rows": "2 * (l % 10) + 5 * (l / 10)",
    "row and column": "3 * l + 2 * (int)get_local_id(1)",
    "unsigned": "(uint)(l - 3) % 61u",
    "chosen": "l % 2 ? 60 - l : l / 3",
    "shifted": "((l << 2) ^ 21) & 63",
}
OTHERS = {
    "adjacent": "l + 1",
    "backwards": "61 - l",
    "the same": "n % 64",
    "of the group": "2 * l + (int)get_group_id(0)",
    "of an argument": "l * n % 64",
    "undefined for one": "l == 0 ? 3 : 60 / l",
}
TYPES = ("float2", "int", "uchar", "double4", "short3")


def text_of(type: str, index: str, guard: str = "true") -> str:
    numbers = ", ".join(f"({type})({i * 37 % 101})" for i in range(64))
    scalar = type.rstrip("234")
    total = "v" if scalar == type else "v.x * 3 + v.y"
    return f"""
    constant {type} T[64] = {{{numbers}}};
    kernel void k(global int *out, int n) {{
      int l = get_local_id(0);
      size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
      if ({guard}) {{
        {type} v = T[{index}];
        out[i] = (int)({total}) + l;
      }}
    }}"""


def check(text: str, local_size: tuple[int, int]) -> int:
    """How many loads have tables in their order; the results are those of the interpreter."""
    kernel = polycl.load(text, language="cl").kernel("k")
    size = (2 * local_size[0], 2 * local_size[1])
    found = [np.zeros(size[0] * size[1], np.int32) for _ in range(2)]
    with collect_remarks() as remarks:
        for device, out in zip(("interp", "cpu"), found, strict=True):
            kernel(out, 5, global_size=size, local_size=local_size, device=device)
    np.testing.assert_array_equal(found[0], found[1])
    ours = [remark.message for remark in remarks if remark.pass_name == "wg-order-tables"]
    return int(ours[0].rpartition(" ")[2]) if ours else 0


@pytest.mark.parametrize("index", ORDERED)
def test_elements_that_local_ids_choose(index: str) -> None:
    """In groups that fill vectors, and in others; of one row and of several."""
    for number, local_size in enumerate([(16, 1), (20, 1), (5, 4)]):
        text = text_of(TYPES[(number + len(index)) % len(TYPES)], ORDERED[index])
        assert check(text, local_size), local_size


@pytest.mark.parametrize("index", OTHERS)
def test_other_elements(index: str) -> None:
    assert not check(text_of("float2", OTHERS[index]), (20, 1))


def test_outside_of_the_table() -> None:
    """A guard keeps work-items from reading there."""
    assert check(text_of("int", "5 * l", "5 * l < 64"), (20, 1))
    assert check(text_of("int", "9 * l - 40", "9 * l >= 40 && 9 * l < 104"), (20, 1))


def test_large_tables() -> None:
    """All new tables of a kernel have at most 64 KiB: four loads of 512 elements of 32 bytes."""
    others = " + ".join(f"(int)T[{k} * l % 64].x" for k in range(3, 9))
    text = text_of("double4", "9 * l % 64").replace("out[i] =", f"out[i] = {others} +")
    assert check(text, (512, 1)) == 4
