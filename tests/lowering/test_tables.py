"""Tables of constants that lanes look up in registers: as the interpreter has them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

BYTES = {
    "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4,
    "long": 8, "ulong": 8, "double": 8,
}  # fmt: skip

MOST = {1: 256, 2: 1024, 4: 256, 8: 64}
"""The elements of the largest table that is looked up, by the bytes of one."""


def _numbers(type: str, count: int) -> str:
    sign = 1 if type.startswith("u") else -1
    return ", ".join(str(sign * (i * 37 % 128) if i % 2 else i * 11 % 128) for i in range(count))


@pytest.mark.parametrize("type", BYTES)
def test_elements_are_those_of_the_table(type: str) -> None:
    """An element; under a mask; by an element of the table; from a place on that all share."""
    most = MOST[BYTES[type]]
    cpu, interp = polycl.device("cpu"), polycl.device("interp")
    rng = np.random.default_rng(1)
    p, m = rng.integers(0, 256, 64).astype(np.uint8), np.array([5], np.int32)
    # One register that is not full, a pair that is not, more pairs, all; and one element too many.
    for count in (3, most // 8 + 1, most // 4 + 1, most // 2 + 1, most, most + 1):
        text = (
            f"#define N {count}\nconstant {type} T[N] = {{{_numbers(type, count)}}};\n"
            "kernel void k(global const uchar *p, global const int *m, global int *o) {"
            "int x = get_global_id(0); o[x] = T[p[x] * 9 % N];"
            "if (p[x] & 4) o[64 + x] = T[p[x] % N]; else o[64 + x] = p[x];"
            "o[128 + x] = T[(uchar)(int)T[p[x] % N] % N] - T[(p[x] * 3) % N];"
            "o[192 + x] = T[m[0] % 3 + p[x] % (N - 2)]; }"
        )
        kernel = polycl.load(text, language="cl").kernel("k")
        found = [np.zeros(256, np.int32) for _ in range(2)]
        for device, out in zip((interp, cpu), found, strict=True):
            kernel(p, m, out, global_size=64, local_size=64, device=device)
        np.testing.assert_array_equal(found[0], found[1], f"{count} numbers")


@pytest.mark.parametrize("local_size", [8, 16, 32, 40, 128])
def test_words_by_their_bytes(local_size: int) -> None:
    """Any number of lanes looks words up that two bytes of others are the indices of."""
    text = f"""
    constant uint T[200] = {{{_numbers("uint", 199)}, 0x89abcdef}};
    kernel void k(global uint *x) {{
      uint v = x[get_global_id(0)];
      for (int i = 0; i < 3; i++) v = T[(v & 255) % 200] * 77 ^ T[(v >> 9) % 200] ^ v << 3;
      x[get_global_id(0)] = v;
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    found = [np.arange(5 * local_size, dtype=np.uint32) * np.uint32(0x9E3779B1) for _ in range(2)]
    for name, x in zip(("interp", "cpu"), found, strict=True):
        kernel(x, global_size=len(x), local_size=local_size, device=polycl.device(name))
    np.testing.assert_array_equal(found[0], found[1])
