"""The work of passes grows with the size of a kernel, not faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.context import Context

import polycl
from polycl.analysis.ocl.evaluate import Domain
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import NDRange

SIZE = (64, 1, 1)


def rounds_of_a_hash(count: int) -> str:
    """Each sum is a part of all that follow."""
    lines = "".join(
        f"t = d + (a >> {1 + k % 7} | a << {31 - k % 7}) + (b ^ c);\n"
        "d = c; c = b + t; b = a; a = t + d;\n"
        for k in range(count)
    )
    return f"""kernel void k(global uint *p) {{
      size_t i = get_global_id(0);
      uint a = p[4 * i], b = p[4 * i + 1], c = p[4 * i + 2], d = p[4 * i + 3], t;
      {lines} p[4 * i] = a; p[4 * i + 1] = b; p[4 * i + 2] = c; p[4 * i + 3] = d;
    }}"""


def steps_between_barriers(count: int) -> str:
    lines = "".join(
        f"barrier(CLK_LOCAL_MEM_FENCE);\n"
        f"p = 2 * l - l % {4 + 4 * (k % 2)}; if (t[p] > t[p + 4]) t[p] = t[p + 4] + {k};\n"
        for k in range(count)
    )
    return f"""kernel void k(global uchar *a) {{
      local uchar t[256];
      uint l = get_local_id(0), p;
      t[l] = a[get_global_id(0)];
      {lines} a[get_global_id(0)] = t[l];
    }}"""


def work(
    monkeypatch: pytest.MonkeyPatch, source: str, names: tuple[str, ...], counted: Any, method: str
) -> int:
    """How often passes call a method, without what the others do."""
    module, calls = polycl.load(source).module, 0
    original: Callable[..., Any] = getattr(counted, method)

    def count(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*args)

    for step in cpu_pipeline(NDRange(SIZE, SIZE), contract=True):
        with monkeypatch.context() as patch:
            if step.name in names:
                patch.setattr(counted, method, count)
            step.apply(Context(), module)
    return calls


@pytest.mark.parametrize(
    ("source", "names", "counted", "method"),
    [
        (rounds_of_a_hash, ("index-arithmetic", "wg-split-ids"), Domain, "leaf"),
        (
            steps_between_barriers,
            ("wg-split-ids", "wg-narrow-values"),
            Uniformity,
            "of_operation",
        ),
    ],
)
def test_work_grows_with_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
    source: Callable[[int], str],
    names: tuple[str, ...],
    counted: Any,
    method: str,
):
    some, twice = (work(monkeypatch, source(count), names, counted, method) for count in (8, 16))
    assert 0 < twice < 2.5 * some
