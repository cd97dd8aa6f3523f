"""`count-up`: rows that are written from their ends have the same elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

BODIES = {
    "copy": "for (int k = n; k-- > 0;) y[64 * i + k] = x[64 * i + k] * 2;",
    "last": "for (int k = n - 1; k >= 0; k--) y[64 * i + k] = x[3] + x[64 * i + k];",
    "same": "for (int k = n; k-- > 0;) x[k * 1 + 8] = x[k + 8] + y[k];",
    "stride": "for (int k = n; k-- > 0;) y[2 * k + 1] = x[64 * i + k];",
    # These stay: an iteration reads what another one has written, or all write to one element.
    # An unsigned sum may wrap.
    "uint": "for (uint k = n; k-- > 0;) y[64 * i + k] = x[64 * i + k] * 2;",
    "chain": "for (int k = n; k-- > 0;) x[k] = x[k + 1] + y[k];",
    "ahead": "for (int k = n; k-- > 1;) x[k] = x[k - 1] + y[k];",
    "one": "for (int k = n; k-- > 0;) y[64 * i] = x[64 * i + k];",
    "table": "for (int k = n; k-- > 0;) y[(int)x[k] & 3] = x[k];",
    "up": "for (int k = n; k-- > 0;) y[k] = x[n - k];",
}
STAY = ("uint", "chain", "ahead", "one", "table", "up")


@pytest.mark.parametrize("body", BODIES)
def test_results_are_those_of_the_interpreter(body: str):
    source = f"""kernel void rows(global float *x, global float *y, int n) {{
      int i = get_global_id(0);
      {BODIES[body]}
    }}"""
    rows = polycl.load(source, language="cl").kernel("rows")
    # Work-items of other bodies write to the same elements.
    count = 4 if body in ("copy", "uint", "last") else 1
    with collect_remarks() as remarks:
        for n in (0, 1, 31):
            results: list[list[np.ndarray[Any, Any]]] = []
            for device in ("cpu", "interp"):
                arrays = [np.arange(256, dtype=np.float32) * k + 1 for k in (1, 3)]
                rows(*arrays, n, global_size=count, device=device)
                results.append(arrays)
            for found, right in zip(*results, strict=True):
                assert found.tobytes() == right.tobytes()
    turned = any(remark.pass_name == "count-up" for remark in remarks)
    assert turned == (body not in STAY)
