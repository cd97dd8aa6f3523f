"""Rows as long for all work-items, where nothing wraps or is cut, and steps of unsigned numbers:
judged by the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

BEFORE = "inline-functions,split-structs,promote-private-memory"
AFTER = f"{BEFORE},count-loops,count-from-zero,index-by-counter"

ROWS = {
    "product": "for (T k = i * n; k < (i + 1) * n; k++)",
    "sum": "T b = i * n; for (T k = b; k < b + n; ++k)",
    "constant": "T b = i * m; for (T k = b; k < b + 5u; ++k)",
    "moved": "T b = i * n + m; for (T k = b; k < b + n; ++k)",
    "group": "T b = (T)get_group_id(0) * m + (T)get_local_id(0) * n; for (T k = b; k < b + n; ++k)",
    "steps": "T b = i * n; for (T k = b; k < b + n; k += 3u)",
    "while": "T k = 2u * i * n, e = k + n; while (k < e)",
    "one less": "if (n) for (T k = i * n; k < i * n + n - 1; k++)",
    "fewer": "T b = i * n; if (n > 2) for (T k = b; k < (i + 1) * n - 3; k++)",
    "mixed": "T b = i * (uint)n; for (T k = b; k < b + (uint)n; ++k)",
}
"""Each work-item has a row of its own, of as many elements."""

CUT = {
    "least": "T b = i * n, e = min(b + n, m); for (T k = b; k < e; k++)",
    "choice": "T e = (i + 1) * n > m ? m : (i + 1) * n; for (T k = i * n; k < e; k++)",
    "branch": "T e = (i + 1) * n; if (m <= e) e = m; for (T k = i * n; k < e; k++)",
    "quotient": "T t = m & 63, p = (t + 3) / 4; for (T k = i * p; k < min(t, i * p + p); k++)",
}
"""The same, but rows end at a limit."""

OTHERS = {
    "lengths": "for (T k = i * n; k < i * n + i; k++)",
    "data": "for (T k = at[i]; k < at[i + 1]; k++)",
    "less": "T b = i * n - m; for (T k = b; k < b + 5u; k++)",
    "same": "for (T k = m; k < m + n; k++)",
    "longest": "T b = i * n, e = max(b + n, m); for (T k = b; k < e; k++)",
    "tested last": "T k = i * n; do",
}
"""Rows of other lengths, or whose start may be below 0, or is the same."""

STEPS = {
    "pairs": "for (T k = 0; k + 1 < n; k += 2)",
    "of an argument": "for (T k = m & 7; k < n; k += 5)",
    "down": "for (T k = n; k > 4u; k -= 3)",
    "two": "for (T j = 0, k = 1; j < n; j += 4, k += 2)",
    "do": "T k = 1; if (n) do",
    "moved in the condition": "T k = n; while (k--)",
    "up": "T k = 0; while (k++ < n)",
    "read behind it": "T k = n; for (; k-- > 0u; s += 3); s += (uint)k; if (s & 1)",
}
"""Steps that pass the bound, or in which what is tested moves."""

TYPES = {"uint": np.uint32, "ulong": np.uint64, "int": np.int32, "long": np.int64}
LARGE = 0x55555555, 0xFFFFFFFB, 0x20000000, 0x1FFFFFFF, 0x7FFFFFFF, 0x80000000


def large(type: str) -> list[int]:
    """Numbers whose sums and products wrap."""
    return [number << 32 | number if type == "ulong" else number for number in LARGE]


def check(loop: str, type: str, counts: list[tuple[int, int]]) -> set[str]:
    """Compare what the passes make of a loop with the loop; the passes that did something."""
    last = "while (k++ < i * n + n);" if "i * n" in loop else "while (k < n);"
    text = f"""
    typedef {type} T;
    kernel void rows(global uint *out, global const int *at, T n, T m) {{
      T i = get_global_id(0);
      uint s = i;
      {loop} {{ s = s * 31u + (uint)k; {"k += 2;" if loop.startswith("T k = 1") else ""}
        {"++k;" if loop.startswith("T k = 2u") else ""} }}
      {last if loop.endswith("do") else ""}
      out[i] = s;
    }}"""
    kernel = polycl.load(text, language="cl").kernel("rows")
    at = np.array([3, 5, 9, 9, 20], np.int32)
    with collect_remarks() as remarks:
        for n, m in counts:
            found: list[list[int]] = []
            for pipeline in (BEFORE, AFTER):
                out = np.zeros(4, np.uint32)
                given = [TYPES[type](number) for number in (n, m)]
                where = {"global_size": 4, "local_size": 2, "device": "interp"}
                kernel(out, at, *given, **where, pipeline=pipeline)
                found.append(out.tolist())
            assert found[0] == found[1], (n, m)
    return {remark.pass_name for remark in remarks}


@pytest.mark.parametrize("type", ["uint", "ulong"])
@pytest.mark.parametrize("name", ROWS)
def test_rows_count_alike(name: str, type: str):
    changed = check(ROWS[name], type, [(n, m) for n in (0, 1, 6) for m in (0, 9, *large(type))])
    # The importer counts in steps that are not 1, for numbers of 32 bits.
    assert changed & {"count-from-zero", "count-loops"} or (name, type) == ("steps", "ulong")


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", CUT)
def test_rows_are_cut(name: str, type: str):
    sizes = (0, 9, 23, *large(type)) if type[0] == "u" else (-5, 0, 9, 23)
    changed = check(CUT[name], type, [(n, m) for n in (0, 1, 6) for m in sizes])
    assert changed & {"count-from-zero", "count-loops"}


@pytest.mark.parametrize("type", ["uint", "ulong"])
@pytest.mark.parametrize("name", OTHERS)
def test_other_rows(name: str, type: str):
    assert "count-from-zero" not in check(OTHERS[name], type, [(0, 0), (5, 2), (6, 7)])


@pytest.mark.parametrize("type", ["uint", "ulong"])
@pytest.mark.parametrize("name", STEPS)
def test_steps_pass_the_bound(name: str, type: str):
    counts = [(n, m) for n in (0, 1, 2, 7, 16) for m in (0, 3)]
    changed = check(STEPS[name], type, counts)
    # Of 32 bits, those that are tested as they are carried are counted by the importer.
    assert "count-loops" in changed or type == "uint"


def test_steps_that_wrap():
    """From 0xffff8000 the next number is 0x7fff, and 65,538 follow until one reaches the bound."""
    check("for (T k = m; k < n; k += 65535)", "uint", [(0xFFFFFF00, 0xFFFF8000), (9, 4)])


@pytest.mark.timeout(120)
def test_a_limit_of_many_steps():
    """Each of its numbers is read twice by the next one."""
    rounds = "".join(f"e ^= e << {1 + k % 7}; " for k in range(64))
    row = "for (T k = i * n; k < min(i * n + n, e); k++)"
    assert "count-from-zero" in check(f"T e = m; {rounds} {row}", "uint", [(3, 0), (3, 7)])
