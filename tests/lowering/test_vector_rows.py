"""Vectors of OpenCL C as rows, and as one vector for each element: the same results."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import Device

BODIES = {
    "elementwise": "v = v * v + w;",
    "splat": "v = v * (E)(a[i].x + i) + (V)(s);",
    "scalar condition": "v = a[i].x > w.y ? v : w;",
    "vector condition": "v = v > w ? v + w : v - w;",
    "swizzle": "v = v.@ + w;",
    "element": "v.y = w.x; v += w;",
    "all elements": "&; v += a[i];",
    "all elements of some work-items": "if (i % 3) { &; v += a[i]; }",
    "sum of elements": "v += (E)(w.x + w.y);",
    "loop": "for (int k = 0; k < 5; ++k) v = v * (E)3 + a[i + k];",
    "divergent loop": "for (int k = 0; k < i % 7; ++k) v = v + a[i + k];",
    "while": "int k = 0; while (v.x < 40 && k < 9) { v += w; ++k; }",
    "branch": "if (i % 3 == 1) v = v + w; else v = a[i + 1] * w;",
    "branch without else": "if (v.x > w.y) { v = v + w * w; b[i] = w; }",
    "early return": "if (i == 21) return; v += w;",
    "gather": "v += a[(7 * i) % 40];",
    "masked gather": "if (i % 3) v += a[(7 * i) % 40];",
    "every second": "if (i < 30) v += a[2 * i];",
    "scatter": "if (i < 16) b[44 + (7 * i) % 16] = w;",
    "to one place": "if (i / 11 == 2) b[50] = (V)(s);",
    "division": "if (i % 2) v = v / (w + (E)1);",
    "conversion": "v = C(convert_int&(v) * 3 + i) + w;",
    "reinterpret": "v = as_V(as_V(v) + w);",
    "bits of others": "v = as_V((BITS)(as_BITS(v) ^ (as_BITS(w) >> 3)));",
    "bits of others in a branch": "if (i % 3) { BITS x = as_BITS(v + w); x += x; v = as_V(x); }",
    "bits of ids": "v = as_V((BITS)(as_BITS(v) + (WIDE)i));",
    "break": "for (int k = 0; k < 9; ++k) { if (v.y > 50) break; v += a[i + k]; }",
}
WIDE = {"uchar": "ushort", "short": "uint", "int": "ulong", "float": "ulong", "double": "ulong"}
"""Integers whose vectors of half as many elements have the bits, but for doubles."""
SWIZZLES = {2: "yx", 4: "wzxy", 8: "s76543210", 16: "s0123456789abcdef"}
TYPES = [*itertools.product(("float", "int", "uchar", "short"), (2, 4, 8)), ("double", 2)]


def source(element: str, count: int, body: str) -> str:
    vector = f"{element}{count}"
    half = count // 2 if element != "double" else count
    # The last are set first, one of them twice.
    numbers = ["0", *reversed("0123456789abcdef"[:count])]
    for old, new in {
        "&;": " ".join(f"v.s{n} = w.s{n} * ({element})i + v.s0;" for n in numbers),
        "BITS": f"{WIDE[element]}{half if half > 1 else ''}",
        "WIDE": WIDE[element],
        "as_V": f"as_{vector}",
        "convert_int&": f"convert_int{count}",
        "C(": f"convert_{vector}(",
        "(E)": f"({element})",
        "(V)": f"({vector})",
        "@": SWIZZLES[count],
    }.items():
        body = body.replace(old, new)
    return (
        f"kernel void k(global const {vector} *a, global {vector} *b, {element} s) {{\n"
        f"  int i = get_global_id(0);\n  {vector} v = a[i], w = b[i];\n  {body}\n  b[i] = v;\n}}\n"
    )


def results(text: str, element: str, count: int, local: int, device: Device) -> np.ndarray:
    kernel = polycl.load(text, language="cl").kernel("k")
    dtype = kernel.parameter("a").dtype.base
    values = np.random.default_rng(3).integers(0, 9, (60, count + (count == 3))).astype(dtype)
    b = values[::-1].copy()
    kernel(values, b, dtype.type(3), global_size=44, local_size=local, device=device)
    return b


def compare(element: str, count: int, body: str, local: int) -> None:
    text = source(element, count, body)
    expected = results(text, element, count, local, polycl.device("interp"))
    found = results(text, element, count, local, polycl.device("cpu", contract=False))
    np.testing.assert_array_equal(found, expected, err_msg=text)


@pytest.mark.parametrize("name", BODIES)
def test_one_statement(name: str) -> None:
    """Each with two types, groups that are whole tiles or not."""
    random.seed(name)
    for (element, count), local in zip(random.sample(TYPES, 2), (44, 22), strict=True):
        compare(element, count, BODIES[name], local)


@pytest.mark.parametrize("seed", range(8))
def test_some_statements(seed: int) -> None:
    random.seed(seed)
    element, count = random.choice(TYPES)
    body = "\n  ".join(f"{{ {text} }}" for text in random.sample(list(BODIES.values()), 4))
    compare(element, count, body, random.choice((4, 11, 22, 44)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 500))
def test_many_statements(seed: int) -> None:
    test_some_statements(seed)


@pytest.mark.parametrize("count", [2, 4, 8, 16])
def test_elements_that_each_work_item_chooses(count: int) -> None:
    text = f"""
kernel void k(global const uint{count} *a, global uint{count} *b, uint s) {{
  int i = get_global_id(0);
  b[i] = shuffle(a[i], b[i]) + s * shuffle2(b[i], a[i + 1], a[i]);
}}
"""
    expected = results(text, "uint", count, 44, polycl.device("interp"))
    found = results(text, "uint", count, 44, polycl.device("cpu"))
    np.testing.assert_array_equal(found, expected)


BACKWARDS = {
    "read": "b[i] = a[last - i] + b[i];",
    "written": "b[last - i] = a[i] + (V)(i);",
    "read by some": "if (i % 3) b[i] = a[last - i];",
    "written by some": "if (i % 3 && i < last - 2) b[last - i] = a[i];",
    "read packed": "vstore@(vload@(last - i, (global const E *)a), i, (global E *)b);",
    "written packed": "if (i % 5) vstore@(a[last - i], last - i, (global E *)b);",
    "elements": "V v = a[last - i]; b[last - i] = (V)(v.y + v.x);",
    "loop": "for (int y = 0; y < 2; ++y) b[i] = b[i] + a[last - i + y];",
    "turned around": "if (2 * i < last) { V v = b[i]; b[i] = b[last - i]; b[last - i] = v; }",
}


@pytest.mark.parametrize("features", [[], ["avx512"]])
@pytest.mark.parametrize("count", [2, 3, 4, 8, 16])
@pytest.mark.parametrize("element", ["uchar", "short", "int", "float", "long"])
def test_lanes_in_the_opposite_order(element: str, count: int, features: list[str]) -> None:
    """All in two types, some in others."""
    names = list(BACKWARDS)
    if (element, count) not in (("short", 3), ("uchar", 4)):
        names = random.Random(f"{element}{count}").sample(names, 2)
    for name in names:
        body = BACKWARDS[name].replace("@", str(count)).replace("V", f"{element}{count}")
        text = (
            f"kernel void k(global const {element}{count} *a, global {element}{count} *b, "
            f"{element} s) {{\n  int i = get_global_id(0), last = get_global_size(0) - 1;\n"
            f"  {body.replace('E', element)}\n}}\n"
        )
        device = CpuDevice(threads=1, enable=["vectors"], without_features=features)
        expected = results(text, element, count, 44, polycl.device("interp"))
        found = results(text, element, count, 44, device)
        np.testing.assert_array_equal(found, expected, err_msg=text)
