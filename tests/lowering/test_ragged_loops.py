"""Loops over elements of private arrays that begin or end where data say, as interpreted."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.frontends.opencl_c import import_source

PROMOTE = (
    "inline-functions,promote-private-memory,remove-dead-values,count-loops,index-by-counter,"
    "promote-private-arrays"
)

LOOPS = {
    "up": "for (T j = a; j < b; j++) v[j] = v[j + 1] + 3;",
    "from an id": "for (T j = l; j < b; j++) s += v[j]--;",
    "from an argument": "for (T j = n; j < b; j++) v[j] = v[j + 1];",
    "to data": "for (T j = 0; j < b; j++) { s = s * 3 + v[j]; v[j] = s; }",
    "down": "for (T j = b; j > a; j--) v[j] = v[j - 1];",
    "down to one": "for (T j = b; j > 0; --j) v[j] += v[j - 1];",
    "while": "T j = a; while (j < b) { v[j] = v[j + 1]; s ^= v[j] << j; j++; } s += j;",
    "not equal": "for (T j = min(a, b); j != b; j++) v[j] ^= s += v[j + 1];",
    "by rounds": "for (int t = 0; t < (int)b - (int)a; t++) v[a + t] = v[a + t + 1] * 3;",
    "by rounds, down": "for (int t = 0; t < (int)b - (int)a; t++) v[b - t] = v[b - t - 1];",
    "two indices": "for (T j = a; j < b; j++) v[j] = v[7 - j];",
    "in a loop": "while (n--) { for (T j = a; j < b; j++) v[j] = v[j + 1]; v[7] = n; }",
    "search": "v[7] = 5; T j = max(a, (T )0) & 7; while (v[j] != 5) j++; s = j;",
    "search down": "v[0] = 5; T j = max(b, (T )0) & 7; for (; v[j] != 5; j--) s += v[j]; s -= j;",
    "search a part": "T j = a; while (j < b && v[j] != 5) j++; s = j;",
    "search and put": "v[7] = 99; int j = 0; while (v[j] < s % 64) j++; v[j] = s;",
}
"""Of an array `v` of eight elements; `a` and `b` are from 0 to 7, or there is no iteration."""

OTHER_LOOPS = {
    "end": "for (T j = a; j < b; j++) { if (v[j] > 40) break; v[j + 1] -= v[j]; }",
    "up by a pointer": "for (int *p = v + a; p < v + b; p++) p[0] = p[1];",
    "a guard inside": "for (T j = a; j < b; j++) if (v[j] & 1) v[j + 1] = v[j] / 2;",
    "in steps": "for (int r = 0; r < 4; r++) for (T j = a; j + r < b; j++) v[j] += v[j + r];",
    "in twos": "for (T j = a; j < b; j += 2) v[j] = v[j + 1];",
}
"""The same, which stay in memory: indices are outside, or not known, and twelve are too many to
choose from in a loop."""

TYPES = {"int": np.int32, "uint": np.uint32, "char": np.int8, "uchar": np.uint8, "long": np.int64}


def source(loop: str, count: int = 8) -> str:
    return f"""kernel void f(global const T *from, global const T *to, global int *x, int n) {{
      int i = get_global_id(0), l = get_local_id(0) & 7, v[{count}], s = x[8 * i];
      T a = from[i], b = to[i];
      for (int k = 0; k < {count}; k++) v[k] = x[8 * i + (k & 7)];
      {loop}
      for (int k = 0; k < 8; k++) x[8 * i + k] = v[k] + s;
    }}"""


def has_array(loop: str, count: int = 8) -> bool:
    module = import_source(source(loop, count).replace("T ", "int ").encode(), "k.cl")
    run_pipeline(module, PROMOTE)
    return any(isinstance(op, ocl.AllocaOp) for op in module.walk())


def ends(loop: str, dtype: type[np.integer]) -> np.ndarray:
    """Pairs of bounds, with the largest and smallest numbers where there is no iteration."""
    pairs = [(a, b) for a in (0, 1, 4, 6, 7) for b in (0, 3, 6, 7)]
    most, least = int(np.iinfo(dtype).max), int(np.iinfo(dtype).min)
    if not any(sum in loop for sum in ("(int)", "+ a", "+ r", "min")):
        pairs += [(most, 3), (most, 0), (most, 7), (most - 1, 6)]
        if least < 0:
            pairs += [(0, least), (1, least + 1), (6, least + 7)]
    return np.array(pairs, dtype).T.copy()


def result(program: polycl.Program, bounds: np.ndarray, device: str) -> np.ndarray:
    count = bounds.shape[1]
    x = np.random.default_rng(1).integers(-9, 99, 8 * count, np.int32)
    program.kernel("f")(*bounds, x, 3, global_size=count, local_size=count, device=device)
    return x


@pytest.mark.parametrize("name", [*LOOPS, *OTHER_LOOPS])
def test_as_interpreted(name: str) -> None:
    loop = {**LOOPS, **OTHER_LOOPS}[name]
    on_cpu = list(TYPES)[sum(map(ord, name)) % len(TYPES)]
    for type in dict.fromkeys(("int", on_cpu)):
        dtype = TYPES[type]
        module = import_source(source(loop).replace("T ", type + " ").encode(), "k.cl")
        bounds = ends(loop, dtype)
        expected = result(polycl.Program(module.clone()), bounds, "interp")
        if type == on_cpu:
            found = result(polycl.Program(module.clone()), bounds, "cpu")
            assert (found == expected).all(), type
        run_pipeline(module, PROMOTE)
        found = result(polycl.Program(module), bounds, "interp")
        assert (found == expected).all(), type


@pytest.mark.parametrize("loop", LOOPS)
def test_is_in_registers(loop: str) -> None:
    assert not has_array(LOOPS[loop])


@pytest.mark.parametrize("loop", OTHER_LOOPS)
def test_stays_in_memory(loop: str) -> None:
    assert has_array(OTHER_LOOPS[loop], 12)


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("for (int j = a; j < b; j++) { barrier(1); v[j] = v[j + 1]; }", 12),
        ("for (int j = a; j < b; j++) v[j] = v[j + 1];", 17),
    ],
)
def test_unlike_work_items(loop: str, count: int) -> None:
    """All work-items reach a barrier, and long arrays do not fit the registers."""
    assert has_array(loop, count)
