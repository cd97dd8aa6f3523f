"""Collective functions and sub-groups with checks in native code, against the interpreter's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.checked import CheckedExecutable
from test_compiled_checks import findings, launched

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
    "whole sub-groups": "if (get_sub_group_id() == 1) y[i] = sub_group_reduce_add(1);",
}


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("name", KERNELS)
def test_findings_and_results_agree(name: str, threads: int, tmp_path: Path) -> None:
    path = tmp_path / "k.cl"
    path.write_text(
        "kernel void k(global const int *x, global int *y) { local int t[32];"
        "int i = get_global_id(0), l = get_local_id(0), w = get_group_id(0);"
        f"\n{KERNELS[name]} }}\n"
    )
    x = np.arange(64, dtype=np.int32)
    results: list[tuple[object, np.ndarray]] = []
    for device in ("interp", "cpu"):
        y = np.zeros(64, np.int32)
        options = {"threads": threads} if device == "cpu" else {}
        bound = (
            polycl.load(path, ["-cl-std=CL3.0"])
            .kernel("k")
            .bind(
                x,
                y,
                global_size=64,
                local_size=32,
                device=polycl.device(device, check=True, **options),
            )
        )
        executable = launched(bound)
        if isinstance(executable, CheckedExecutable):
            assert executable.why == ""
        results.append((findings(executable), y))
    assert results[0][0] == results[1][0]
    if not results[0][0]:
        np.testing.assert_array_equal(results[0][1], results[1][1])
