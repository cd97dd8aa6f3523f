"""`wg-narrow-values`: random arithmetic on bytes and shorts, and bits of words, as interpreted."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

ITEMS = 64
READ = ("(int)a[i]", "(int)b[i]", "(int)s[i]", "a[i + 1]", "b[i + 3]", "(uint)a[i]", "(int)t[i]",
        "convert_int3(vload3(0, a + i)).y", "convert_int2(vload2(0, s + i)).x",
        "convert_uint4(vload4(1, a + i)).w")  # fmt: skip
BINARY = ("+", "+", "-", "-", "*", "&", "|", "^")
CALLS = (
    "min((int)({0}), (int)({1}))", "max((int)({0}), (int)({1}))",
    "min((uint)({0}), (uint)({1}))", "max((uint)({0}), (uint)({1}))",
)  # fmt: skip
UNARY = ("({0}) >> {n}", "({0}) << {n}", "(int)abs((int)({0}))", "({0}) / {d}", "({0}) & {m}",
         "-({0})", "clamp((int)({0}), -{m}, {m})", "(uint)({0}) >> {n}")  # fmt: skip
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")


def numbers(rng: random.Random) -> dict[str, int]:
    """What a unary operation shifts, divides and masks by."""
    return {
        "n": rng.randrange(1, 9),
        "d": rng.choice((3, 7, 16, 255)),
        "m": rng.choice((7, 255, 4095)),
    }


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(READ) if rng.random() < 0.75 else str(rng.choice((1, 3, 17, 128, 255)))
    kind = rng.random()
    first = expression(rng, depth - 1)
    if kind < 0.3:
        return f"({rng.choice(UNARY).format(first, **numbers(rng))})"
    second = expression(rng, depth - 1)
    if kind < 0.8:
        return f"(({first}) {rng.choice(BINARY)} ({second}))"
    if kind < 0.9:
        return f"({rng.choice(CALLS).format(first, second)})"
    other = expression(rng, depth - 1)
    return f"(({first}) {rng.choice(COMPARISONS)} ({second}) ? ({other}) : ({first}))"


def choice(rng: random.Random) -> str:
    """Both sides of a comparison with a number: what they compute may fit because of it."""
    read = "a[i]", "(int)b[i]", "(int)s[i]", "(int)t[i]", "(uint)t[i]", "(a[i] - 7)"
    x, y = rng.sample(read, 2)
    ends = (-32768, -1, 0, 1, 127, 128, 255, 256, 32767, 32768, 65535)
    test = f"({x}) {rng.choice(COMPARISONS)} {rng.choice(ends)}"
    if rng.random() < 0.4:
        other = f"({x}) {rng.choice(COMPARISONS)} {rng.choice(ends)}"
        test = f"({test}) {rng.choice(('&&', '||'))} !({other})"
    sides = [
        rng.choice((
            "2 * ({x}) * ({y}) / 255", "({x}) / 3", "(({x}) * ({x}) >> 3)", "(255 - ({x})) * 2 / 7",
            "({x}) + 1 < ({y}) ? ({x}) * 5 : ({x}) - 300", "({y}) / 5", "max((int)({x}) << 2, 5)",
            "(({x}) == 3 ? ({x}) * ({y}) / 3 : ({y}) & 15)",
        )).format(x=x, y=y)
        for _ in range(2)
    ]  # fmt: skip
    return f"(({test}) ? {sides[0]} : {sides[1]})"


def kernel(rng: random.Random, name: str) -> str:
    results = expression(rng, 3), choice(rng)
    lines = [f"out[4 * {ITEMS} * {n} + i] = {value};" for n, value in enumerate(results)]
    return (
        f"kernel void {name}(global const uchar *a, global const char *b, global const short *s,"
        " global const ushort *t, global int *out, global uchar *bytes) {"
        f" int i = get_global_id(0); bytes[i] = {expression(rng, 4)};"
        f" if (s[i] < 200) bytes[i] ^= {choice(rng)}; {' '.join(lines)} }}\n"
    )


@pytest.mark.parametrize("seed", range(3))
def test_random_arithmetic(seed: int) -> None:
    rng, data = random.Random(seed), np.random.default_rng(seed)
    names = [f"k{number}" for number in range(12)]
    program = polycl.load("".join(kernel(rng, name) for name in names), language="cl")
    # All bits, and the ends of each type.
    a = data.integers(0, 256, ITEMS + 8, dtype=np.uint8)
    b = data.integers(-128, 128, ITEMS + 8, dtype=np.int8)
    s = data.integers(-(1 << 15), 1 << 15, ITEMS + 8, dtype=np.int16)
    t = data.integers(0, 1 << 16, ITEMS + 8, dtype=np.uint16)
    for array in (a, b, s, t):
        limits = np.iinfo(array.dtype)
        array[:4] = limits.max, limits.min, limits.max, limits.min
    narrowed = 0
    for name in names:
        found: list[tuple[np.ndarray, np.ndarray]] = []
        for device in ("interp", "cpu"):
            out, few = np.zeros(8 * ITEMS, np.int32), np.zeros(ITEMS, np.uint8)
            with collect_remarks() as remarks:
                program.kernel(name)(
                    a, b, s, t, out, few,
                    global_size=ITEMS, local_size=ITEMS, device=polycl.device(device),
                )  # fmt: skip
            narrowed += any(remark.pass_name == "wg-narrow-values" for remark in remarks)
            found.append((out, few))
        for expected, result in zip(*found, strict=True):
            np.testing.assert_array_equal(result, expected, name)
    assert narrowed >= 3


V_READ = ("convert_int4(a[i])", "convert_int4(b[i])", "convert_int4(s[i])", "convert_int4(t[i])",
          "convert_int4(a[i].wzxy)", "(int4)(a[i].w)", "(int4)(a[i].x, 3, b[i].y, s[i].z)",
          "(int4)(255 - a[i].w)", "(int4)(1, 2, 255, 70000)")  # fmt: skip
V_UNARY = ("({0}) >> {n}", "({0}) << {n}", "convert_int4(abs({0}))", "({0}) / {d}", "({0}) & {m}",
           "-({0})", "clamp({0}, (int4)(-{m}), (int4)({m}))", "({0}).zwyx",
           "as_int4(as_uint4({0}) >> {n}u)", "({0}) / (int4)(3, 5, 255, 7)")  # fmt: skip
V_CALLS = "min({0}, {1})", "max({0}, {1})"


def vector_expression(rng: random.Random, depth: int) -> str:
    if depth == 0:
        number = f"(int4)({rng.choice((1, 3, 17, 128, 255))})"
        return rng.choice(V_READ) if rng.random() < 0.75 else number
    kind = rng.random()
    first = vector_expression(rng, depth - 1)
    if kind < 0.35:
        return f"({rng.choice(V_UNARY).format(first, **numbers(rng))})"
    second = vector_expression(rng, depth - 1)
    if kind < 0.75:
        return f"(({first}) {rng.choice(BINARY)} ({second}))"
    if kind < 0.85:
        return f"({rng.choice(V_CALLS).format(first, second)})"
    test = f"({first}) {rng.choice(COMPARISONS)} ({second})"
    return f"(({test}) ? ({first}) * 2 / 255 : (255 - ({first})) * ({second}) / 255)"


def vector_kernel(rng: random.Random, name: str) -> str:
    """Branches for all work-items and for some, and components that are set alone."""
    blend = "(convert_int4(a[i]) * (int4)(a[i].w) + convert_int4(t[i] & (ushort4)255)" \
            " * (int4)(255 - a[i].w) + 127) / 255"  # fmt: skip
    first = rng.choice((vector_expression(rng, 2), blend))
    return (
        f"kernel void {name}(global const uchar4 *a, global const char4 *b,"
        " global const short4 *s, global const ushort4 *t, global int4 *out, global uchar4 *bytes,"
        f" int mode) {{ int i = get_global_id(0); int4 v;"
        f" if (mode == 0) v = {first}; else v = {vector_expression(rng, 2)};"
        f" v.{rng.choice('xyzw')} = {vector_expression(rng, 1)}.{rng.choice('xyzw')};"
        f" int4 w = {vector_expression(rng, 3)};"
        f" if (s[i].x < 20) {{ w = {vector_expression(rng, 2)}; w.z = 7; }}"
        f" bytes[i] = convert_uchar4(v); bytes[i + {ITEMS}] = convert_uchar4(w);"
        f" out[i] = {vector_expression(rng, 2)}; }}\n"
    )


@pytest.mark.parametrize("seed", range(2))
def test_random_vectors(seed: int) -> None:
    rng, data = random.Random(seed), np.random.default_rng(seed)
    names = [f"k{number}" for number in range(10)]
    program = polycl.load("".join(vector_kernel(rng, name) for name in names), language="cl")
    types = np.uint8, np.int8, np.int16, np.uint16
    arrays = [data.integers(*_ends(type), (ITEMS, 4), dtype=type) for type in types]
    for array in arrays:
        array[0], array[1] = _ends(array.dtype)[0], _ends(array.dtype)[1] - 1
    narrowed = 0
    for number, name in enumerate(names):
        found: list[tuple[np.ndarray, np.ndarray]] = []
        for device in ("interp", "cpu"):
            out, few = np.zeros((ITEMS, 4), np.int32), np.zeros((2 * ITEMS, 4), np.uint8)
            with collect_remarks() as remarks:
                program.kernel(name)(
                    *arrays, out, few, number % 2,
                    global_size=ITEMS, local_size=ITEMS, device=polycl.device(device),
                )  # fmt: skip
            narrowed += any(remark.pass_name == "wg-narrow-values" for remark in remarks)
            found.append((out, few))
        for expected, result in zip(*found, strict=True):
            np.testing.assert_array_equal(result, expected, name)
    assert narrowed >= 3


def _ends(type: Any) -> tuple[int, int]:
    limits = np.iinfo(type)
    return int(limits.min), int(limits.max) + 1


def test_values_across_branches_and_loops() -> None:
    """What a branch chooses, what a loop carries, and what is compared outside of the loop."""
    text = """
    kernel void k(global const uchar *a, global uchar *out, int n) {
      int i = get_global_id(0), sum = 0, most = 0;
      for (int k = 0; k < n; k++) {
        int v = (a[i + k] * 3 + a[i + k + 1] + 2) >> 2;
        if (v > 128) sum += v - 128; else most = max(most, v);
      }
      out[i] = most > (sum & 255) ? most : 255 - (sum & 255);
    }"""
    kernel = polycl.load(text, language="cl").kernel("k")
    a = np.random.default_rng(1).integers(0, 256, 200, dtype=np.uint8)
    results = [np.zeros(128, np.uint8) for _ in range(2)]
    for name, out in zip(("interp", "cpu"), results, strict=True):
        kernel(a, out, 9, global_size=128, local_size=64, device=polycl.device(name))
    np.testing.assert_array_equal(results[0], results[1])


WORDS = (
    "(ulong)p[w + 1] << 32 | p[w]",
    "((ulong)p[w + 1] << 32) + p[w]",
    "upsample(p[w + 1], p[w])",
    "(ulong)p[w] ^ (ulong)s[w] << 32",
    "(long)s[w + 1] << 32 | (long)s[w]",  # The lower word has a sign: no window.
    "(ulong)p[w + 1] << 31 | p[w]",
)
PARTS = (
    "(uint)(two >> (pos & 31))",
    "(uint)(two >> pos % 32) & ((1u << bits) - 1)",
    "(uint)(two >> (pos & 31) & (1ul << bits) - 1)",
    "(int)((long)two >> (pos & 31))",
    "(uint)(two >> (32 - (pos & 31)))",
    "(uint)(two << (pos & 31) >> 32)",
    "(uint)((long)(two << (pos & 31)) >> 32)",
    "(uchar)(two >> (pos & 31))",
    "(uint)(two >> 9)",
    "(uint)(two >> (pos & 63))",  # May be all above the lower word.
    "(uint)(two >> (33 - (pos & 31)))",
    "(uint)(two << (pos & 31) >> 31)",
    "(uint)(two >> (bits & 31)) + (uint)(two >> (bits & 31) >> 32)",
)


WIDE = {4, 5, *(len(WORDS) + number for number in (9, 10, 11, 12))}
"""The numbers of those that are not computed in 32 bits."""


def test_windows_of_two_words() -> None:
    """Bits of two words, for each shift: computed in 32 bits, if they are below 32 of them."""
    cases = [(words, PARTS[0]) for words in WORDS] + [(WORDS[0], part) for part in PARTS]
    head = "kernel void {}(global const {} *p, global const {} *s, global {} *out, uint bits) {{"
    lines = [
        head.format("k", "uint", "int", "uint"),
        "uint i = get_global_id(0), pos, w; ulong two;",
        *(
            f"pos = i * bits + {number}, w = pos >> 5; two = {words};"
            f" out[{ITEMS} * {number} + i] = {part};"
            for number, (words, part) in enumerate(cases)
        ),
        "}",
        head.format("v", "uint4", "uint4", "uint4"),
        "uint i = get_global_id(0);",
        "ulong4 two = convert_ulong4(p[i + 1]) << 32ul | convert_ulong4(p[i]);",
        "out[i] = convert_uint4(two >> convert_ulong4(s[i] & 31)); }",
    ]
    program = polycl.load("\n".join(lines), language="cl")
    p = np.random.default_rng(3).integers(0, 1 << 32, (ITEMS, 4), dtype=np.uint32)
    for name, arrays in (
        ("k", (p.ravel(), p[::-1].ravel().view(np.int32))),
        ("v", (p, p[::-1].copy())),
    ):
        found = list[np.ndarray]()
        for device in ("interp", "cpu"):
            out = np.zeros(ITEMS * len(cases), np.uint32)
            with collect_remarks() as remarks:
                program.kernel(name)(
                    *arrays, out.reshape(-1, 4) if name == "v" else out, 11,
                    global_size=ITEMS - 1, device=polycl.device(device),
                )  # fmt: skip
            found.append(out)
        np.testing.assert_array_equal(found[1], found[0])
        windows = {
            remark.location[1] - 3
            for remark in remarks
            if remark.location is not None and "two words" in remark.message
        }
        assert windows == (set(range(len(cases))) - WIDE if name == "k" else {len(cases) + 4})
