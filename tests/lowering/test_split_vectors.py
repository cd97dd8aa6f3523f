"""`split-vectors` keeps every bit of what is computed with vectors of coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SOURCE = """
kernel void move(global const int *in, global int *out, int w, int h, int by) {
  T2 at = (T2)(get_global_id(0), get_global_id(1)), size = {w, h};
  if (any(at >= size)) return;
  T2 one = (T2)(by, 1);
  T2 left = min(max(at - one, (T2)(0)), size - 1), right = clamp(at + one, (T2)(0), size - 1);
  T2 middle = (at << (T2)(1)) >> (T2)(2), rest = (at * 3) % size;
  T2 other = at == middle ? rest : at.yx & (T2)(3);
  int2 narrow = convert_int2(other) - convert_int2(rest);
  int sum = in[left.y * w + left.x] + 3 * in[right.y * w + right.x];
  if (all(narrow <= (int2)(5)) || isequal((float)left.x, 2.0f)) sum += narrow.x;
  out[at.y * w + at.x] = sum + 7 * (int)rest.x + 11 * (int)other.y + narrow.y;
}
"""
BEFORE = "inline-functions,promote-private-memory,ocl-set-local-size{size=16,2,1},ocl-to-wg"


@pytest.mark.parametrize("type", ["int2", "uint2", "long2", "ulong2"])
@pytest.mark.parametrize("by", [1, -2])
def test_keeps_every_bit(type: str, by: int):
    kernel = polycl.load(SOURCE, [f"-DT2={type}"], language="cl").kernel("move")
    values = np.random.default_rng(1).integers(-100, 100, 30 * 7).astype(np.int32)

    def run(device: str, pipeline: str | None = None) -> np.ndarray:
        out = np.zeros_like(values)
        kernel(
            values, out, np.int32(30), np.int32(7), np.int32(by),
            global_size=(32, 8), local_size=(16, 2),
            device=device, pipeline=pipeline,
        )  # fmt: skip
        return out

    expected = run("interp")
    found = run("interp", f"{BEFORE},ocl-expand-builtins,split-vectors")
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(run("cpu"), expected)


LOOPS = {
    "window": "for (T2 d = -1; d.y <= 1; d.y++) for (d.x = -1; d.x <= 1; d.x++)"
    " s = s * 3 + in[AT(clamp(p + d, (T2)0, n - 1))];",
    "row": "T2 at = (T2)(0, p.y); while (at.x < n.x) { s = s * 5 + in[AT(at)]; at.x++; }"
    " s += at.x;",
    "no iteration": "T2 at = (T2)(9, p.y); for (; at.x < 3; at.x++) s += in[AT(at)]; s += at.y;",
    "do": "T2 at = p % 3; do { s ^= in[AT(at)]; at.x += 2; at.y++; } while (at.y < 6);"
    " s += AT(at);",
    "turned": "T2 at = p % 4, by = (T2)(1, 2); for (int k = 0; k < 3; k++)"
    " { s = s * 3 + in[AT(at)]; at += by; by = by.yx; }",
    "broken off": "for (T2 at = (T2)(0, 1); at.x < n.x; at.x += 3)"
    " { if (in[AT(at)] > 90) break; s += in[AT(at)]; }",
    "beside each other": "T2 a = p % 3, b = a + (T2)1; while (a.x < 9) {"
    " s += in[AT(a)] * in[AT(b)]; a = b; b.x += 2; b.y += 1; } s += a.x * 100 + b.y;",
    "exchanged": "T2 a = (T2)(1, 2), b = (T2)(3, 5); for (int k = 0; k < 5; k++) {"
    " s = s * 3 + in[AT(a)] - b.y; T2 c = a; a = b; b = c; b.y += a.x; } s += a.y;",
    "from memory": "T2 at = (T2)(in[3], in[4]) & (T2)3; while (at.x < 9)"
    " { s += at.y; at += (T2)(1, in[at.x]) & (T2)3; }",
}
"""Loops that carry a vector."""


@pytest.mark.parametrize("type", ["int2", "ulong2"])
def test_loops_keep_every_bit(type: str) -> None:
    text = "#define AT(q) ((q).y * 30 + (q).x)\n" + "".join(
        f"""
        kernel void k{number}(global const int *in, global int *out) {{
          T2 p = (T2)(get_global_id(0), get_global_id(1)), n = (T2)(30, 7);
          int s = 0;
          {loop.replace("-1;", "0;") if type == "ulong2" else loop}
          out[AT(p)] = s;
        }}"""
        for number, loop in enumerate(LOOPS.values())
    )
    program = polycl.load(text, [f"-DT2={type}"], language="cl")
    values = np.random.default_rng(1).integers(-100, 100, 30 * 12).astype(np.int32)
    before = "inline-functions,split-structs,promote-private-memory"
    for number, name in enumerate(LOOPS):
        found: list[list[int]] = []
        for device, pipeline in (
            ("interp", before),
            ("interp", f"{before},split-carried-vectors,count-loops"),
            ("cpu", None),
        ):
            out = np.zeros_like(values)
            program.kernel(f"k{number}")(
                values, out, global_size=(5, 2), device=device, pipeline=pipeline
            )
            found.append(out.tolist())
        assert found[0] == found[1] == found[2], name


BRANCHES = {
    "tables": "T2 q = p + ((p.y & 1) ? (T2)(1, 0) : (T2)(0, 1)); s = in[AT(q)] + 3 * AT(q);",
    "computed": "T2 q = p; if (in[AT(p)] > 0) { s = in[5]; q = (T2)(s & 3, p.x); }"
    " s += in[AT(q)] - q.y;",
    "nested": "T2 q = (T2)(1, 2); if (p.x > 1) { if (in[AT(p)] > 9) q = p.yx; else q += p; }"
    " T2 r = q.x > 2 ? q + (T2)1 : p; s = AT(r) * 3 + q.y; out[AT(q) + 60] = 7;",
    "whole": "T2 q = in[AT(p)] > 0 ? p : (T2)(3, s); vstore2(convert_int2(q), 40 + AT(p), out);"
    " s = q.x;",
    "from memory": "T2 q = in[AT(p)] > 0 ? (T2)(in[1], in[2]) & (T2)7 : p; s = in[AT(q)];",
    "several": "T2 q = p, r = (T2)(2, 1); int k = 4;"
    " if (p.x < 3) { T2 t = q; q = r; r = t; k = 9; }"
    " s = in[AT(q)] * k - AT(r);",
}
"""Branches that choose a vector."""


@pytest.mark.parametrize("type", ["int2", "ulong2"])
def test_branches_keep_every_bit(type: str) -> None:
    text = "#define AT(q) ((q).y * 30 + (q).x)\n" + "".join(
        f"""
        kernel void k{number}(global const int *in, global int *out) {{
          T2 p = (T2)(get_global_id(0), get_global_id(1));
          int s = 0;
          {branch}
          out[AT(p)] = s;
        }}"""
        for number, branch in enumerate(BRANCHES.values())
    )
    program = polycl.load(text, [f"-DT2={type}"], language="cl")
    values = np.random.default_rng(1).integers(-100, 100, 30 * 12).astype(np.int32)
    before = "inline-functions,promote-private-memory,ocl-set-local-size{size=5,1,1},ocl-to-wg"
    for number, name in enumerate(BRANCHES):
        found: list[list[int]] = []
        for device, pipeline in (
            ("interp", None),
            ("interp", f"{before},ocl-expand-builtins,split-vectors"),
            ("cpu", None),
        ):
            out = np.zeros_like(values)
            program.kernel(f"k{number}")(
                values,
                out,
                global_size=(5, 1) if name == "nested" else (5, 2),
                local_size=(5, 1),
                device=device,
                pipeline=pipeline,
            )
            found.append(out.tolist())
        assert found[0] == found[1] == found[2], name
