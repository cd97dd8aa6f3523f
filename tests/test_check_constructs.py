"""Constructs of all kinds with checks in native code: findings and results as interpreted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.interp.checks import CheckError
from test_compiled_checks import findings, launched

# The code is the same for all threads.
pytestmark = pytest.mark.usefixtures("kept_code")

KERNELS = {
    "sum of the group": "y[i] = work_group_reduce_add(x[i]);",
    "sum of the sub-group": "y[i] = sub_group_reduce_add(x[i]);",
    "scan": "y[i] = work_group_scan_inclusive_add(x[i]) + sub_group_scan_exclusive_max(x[i]);",
    "queries": "y[i] = get_sub_group_id() * 100 + get_sub_group_local_id();",
    "in a loop": "for (int k = 0; k < 3; k++) y[i] += work_group_reduce_max(x[i] + k);",
    "one total for each group": "int s = work_group_reduce_add(x[i]); if (l == 0) y[w] = s;",
    "one for all groups": "int s = work_group_reduce_add(x[i]); if (l == 0) y[0] = s;",
    "orders nothing": "t[l] = x[i]; y[i] = sub_group_reduce_add(1) + t[l ^ 1];",
    "outside": "y[i] = x[i + work_group_reduce_add(1)];",
    "of an unset value": "int v; if (x[i] > 40) v = 1; y[i] = work_group_reduce_add(v);",
    "not all of the group": "if (x[i] < 9) y[i] = work_group_reduce_add(1);",
    "not all of the sub-group": "if (x[i] < 9) y[i] = sub_group_reduce_add(1);",
    "chosen array": "global const int *p = i & 1 ? x : y; y[i] = p[i];",
    "chosen local array": "t[l] = x[i]; u[l] = i; local int *p = x[i] > 20 ? t : u; y[i] = p[l];",
    "chosen in a branch": "global int *p = y; if (x[i] > 9) p = z; p[i] = x[i];",
    "outside of the chosen array": "global int *p = y; if (x[i] > 9) p = z; p[i + 64] = 1;",
    "outside of one, inside of the other": (
        "local int *p = t; if (x[i] > 200) p = u; p[l] = 1; if (x[0] == 0) y[i] = p[l + 32];"
    ),
    "race in the chosen array": "global int *p = y; if (x[i] > 9) p = z; p[i / 2] = i;",
    "two work-items in different arrays": "global int *p = y; if (i & 1) p = z; p[i / 2] = i;",
    "null": "global int *p = 0; if (x[i] > 9) p = y; if (x[i] > 9) p[i] = 1;",
    "null is used": "global int *p = 0; if (x[i] > 9) p = y; p[i] = 1;",
    "exchanged in a loop": (
        "local int *p = t, *q = u; p[l] = x[i]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int k = 1; k < 32; k *= 2) { q[l] = p[l] + (l >= k ? p[l - k] : 0);"
        "barrier(CLK_LOCAL_MEM_FENCE); local int *o = p; p = q; q = o; } y[i] = p[l];"
    ),
    "exchanged in a loop without a barrier": (
        "local int *p = t, *q = u; p[l] = x[i]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int k = 1; k < 32; k *= 2) { q[l] = p[l] + (l >= k ? p[l - k] : 0);"
        "local int *o = p; p = q; q = o; } y[i] = p[l];"
    ),
    "in a loop while": (
        "global const int *p = x; int s = 0; while (s < 100) { s += p[i] + 1;"
        "p = p == x ? z : x; } y[i] = s;"
    ),
    "any kind of memory": "int m[2] = {1, 2}; int *p = m; if (i & 1) p = t; *p = 1; y[i] = 2;",
    "one place in a loop": "for (int k = 0; k < 4; k++) z[x[i] / 2 * 2] += x[k] * (i % 2 == 0);",
    "one place in a loop of no iterations": "for (int k = 4; k < x[0]; k++) z[x[i] + 900] = k;",
    "one place outside": (
        "for (int k = 0; k < 4; k++) for (int j = k; j < 4; j++) z[x[i] + 60] = j;"
    ),
    "one place of different work-items": "for (int k = 0; k < x[3]; k++) z[x[i] * i] += k;",
    "read and written": "z[x[i] ^ 1] = z[x[i] ^ 1] + 1;",
    "read, and written elsewhere": "int v = z[x[i] ^ 1]; z[x[i]] = v + 1;",
    "local, outside, read and written": "t[x[i] & 63] = i; t[x[i] & 63] += 1; y[i] = t[x[i] & 63];",
    "local, unset, read and written": "t[x[i] & 31] += 1; y[i] = t[x[i] & 31];",
    "struct": "P p = {1, 2}, q = p; q.b += i; P r = x[i] > 5 ? p : q; y[i] = r.a + r.b;",
    "field that nothing sets": "P p, q; p.a = i; q = p; y[i] = q.a;",
    "field that nothing sets is used": "P p, q; p.a = i; q = p; y[i] = q.b;",
    "struct outside, no field is used": "P p = ((global const P *)x)[i]; y[i] = 1;",
    "struct in part outside": "P p = *(global const P *)(x + i); y[i] = p.a;",
    "whole sub-groups": "if (get_sub_group_id() == 1) y[i] = sub_group_reduce_add(1);",
}


@pytest.mark.parametrize("name", KERNELS)
def test_findings_and_results_agree(name: str, tmp_path: Path) -> None:
    path = tmp_path / "k.cl"
    path.write_text(
        "typedef struct { int a, b; } P;"
        "kernel void k(global const int *x, global int *y, global int *z) { local int t[32], u[32];"
        "int i = get_global_id(0), l = get_local_id(0), w = get_group_id(0);"
        f"\n{KERNELS[name]} }}\n"
    )
    x = np.arange(64, dtype=np.int32)
    kernel = polycl.load(path, ["-cl-std=CL3.0"]).kernel("k")
    devices = [polycl.device("cpu", check=True, threads=threads) for threads in (1, 4)]
    results: list[tuple[object, np.ndarray]] = []
    for device in (polycl.device("interp", check=True), *devices):
        y, z = np.zeros(64, np.int32), np.zeros(64, np.int32)
        executable = launched(kernel.bind(x, y, z, global_size=64, local_size=32, device=device))
        if isinstance(executable, CheckedExecutable):
            assert executable.why == ""
        results.append((findings(executable), np.concatenate([y, z])))
    (expected, interpreted), *others = results
    for found, computed in others:
        assert found == expected
        if not expected:
            np.testing.assert_array_equal(computed, interpreted)


IMAGES = {
    "blur": "float4 s = 0; for (int d = -1; d < 2; d++) s += read_imagef(a, n, (int2)(x + d, y));"
    "write_imagef(b, at, s);",
    "two write one pixel": "write_imagef(b, (int2)(x / 2, y), (float4)(x));",
    "outside": "write_imagef(b, (int2)(x + 1, y), (float4)(x));",
    "an unset colour": "float4 v; if (x > 3) v = 1; write_imagef(b, at, v);",
}


@pytest.mark.parametrize("kind", ["f4", "u1"])
@pytest.mark.parametrize("name", IMAGES)
def test_images(name: str, kind: str) -> None:
    source = (
        "kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t n) {"
        "int x = get_global_id(0), y = get_global_id(1); int2 at = (int2)(x, y);"
        f"\n{IMAGES[name]} }}\n"
    )
    results: list[tuple[object, np.ndarray]] = []
    for device in ("interp", "cpu"):
        random = np.random.default_rng(1)
        pixels = (random.random((8, 8, 4)) * 100).astype(kind)
        image, copy = polycl.Image(pixels), polycl.Image(np.zeros((8, 8, 4), kind))
        bound = (
            polycl.load(source)
            .kernel("k")
            .bind(
                image,
                copy,
                polycl.Sampler("clamp", "nearest"),
                global_size=(8, 8),
                local_size=(4, 4),
                device=polycl.device(device, check=True),
            )
        )
        executable = launched(bound)
        if isinstance(executable, CheckedExecutable):
            assert executable.why == ""
        results.append((findings(executable), copy.array))
    assert results[0][0] == results[1][0]
    if not results[0][0]:
        np.testing.assert_array_equal(results[0][1], results[1][1])


def test_a_kernel_that_begins_with_accesses() -> None:
    source = (
        "kernel void k(global int *x, global int *y) { int v = *x, w = *y; if (v == w) *y = 1; }"
    )
    x, y = np.zeros(1, np.int32), np.zeros(1, np.int32)
    device = polycl.device("cpu", check=True)
    bound = polycl.load(source).kernel("k").bind(x, y, global_size=1, local_size=1, device=device)
    executable = launched(bound)
    assert isinstance(executable, CheckedExecutable)
    assert (executable.why, executable.findings, y[0]) == ("", (), 1)
    with pytest.raises(CheckError):
        polycl.load(source).kernel("k")(
            x, y[:0], global_size=1, local_size=1, device=polycl.device("cpu", check=True)
        )


STRUCTS = {
    "initialised": "P p = {i, 2}; y[i] = p.a + p.b;",
    "of ids": "const Q q = {get_local_id(0), get_group_id(0)}; t[q.a] = q.b; y[i] = t[q.a];",
    "field by field": "P p; p.a = i; p.b = 2; y[i] = p.a + p.b;",
    "one field only": "P p; p.a = i; y[i] = p.a;",
    "in a struct": "R r = {{i, 1}, {2, 3}}; r.p.b += i; y[i] = r.p.a + r.p.b + r.q.a;",
    "after a barrier": "P p = {i, 2}; barrier(CLK_LOCAL_MEM_FENCE); y[i] = p.a + p.b;",
    "set in a branch": "P p; if (i & 1) p = (P){i, 1}; else p = (P){2, i}; y[i] = p.a + p.b;",
    "carried by a loop": (
        "P p = {0, 1}; for (int k = 0; k < 4; k++) p = (P){p.b, p.a + k}; y[i] = p.a;"
    ),
    "of a function": "P p = swapped((P){i, 7}); y[i] = p.a;",
}


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_are_not_suspected(name: str) -> None:
    source = (
        "typedef struct { int a, b; } P; typedef struct { size_t a, b; } Q;"
        "typedef struct { P p; P q; } R; P swapped(P p) { P q = {p.b, p.a}; return q; }"
        "kernel void k(global int *y) { local int t[32]; int i = get_global_id(0);"
        f"{STRUCTS[name]} }}"
    )
    results: list[np.ndarray] = []
    for device in ("interp", "cpu"):
        y = np.zeros(64, np.int32)
        on = polycl.device(device, check=True)
        bound = polycl.load(source).kernel("k").bind(y, global_size=64, local_size=32, device=on)
        executable = launched(bound)
        if isinstance(executable, CheckedExecutable):
            assert (executable.why, executable.suspects) == ("", 0)
        assert not executable.findings
        results.append(y)
    np.testing.assert_array_equal(results[0], results[1])


@pytest.mark.parametrize("target", ["t", "y"])
def test_the_largest_groups(target: str) -> None:
    """Work-items are told apart by all bits of their numbers."""
    items = 8192
    source = (
        "kernel void k(global const int *at, global int *y) {"
        f"local int t[{items}]; {target}[at[get_global_id(0)]] = 1; }}"
    )
    for other, suspects in ((None, 0), (1, 1), (items // 2, 1)):
        at = np.arange(items, dtype=np.int32)
        if other is not None:
            at[0] = at[other]
        y = np.zeros(items, np.int32)
        device = polycl.device("cpu", check="race")
        bound = (
            polycl.load(source)
            .kernel("k")
            .bind(at, y, global_size=items, local_size=items, device=device)
        )
        executable = launched(bound)
        assert isinstance(executable, CheckedExecutable)
        assert (executable.why, executable.suspects) == ("", suspects)
        assert [f.kind for f in executable.findings] == ["race"] * suspects
