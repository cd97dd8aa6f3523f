"""What a work-item executes at most."""

from __future__ import annotations

import pytest

from polycl.analysis.ocl.work_bound import most_operations
from polycl.dialects.ocl import KernelLike
from polycl.frontends.opencl_c import import_source


def bound(body: str, more: str = "") -> int | None:
    module = import_source(f"{more}\nkernel void k(global float *x, int n) {{ {body} }}")
    (kernel,) = [op for op in module.ops if isinstance(op, KernelLike)]
    return most_operations(kernel.body)


def test_loops_and_calls_repeat() -> None:
    once = bound("x[0] *= 2;")
    assert once is not None
    ten = bound("for (int i = 0; i < 10; i++) x[0] *= 2;")
    calls = bound(
        "f(x); f(x);", "void f(global float *x) { for (int i = 0; i < 10; i++) x[0] *= 2; }"
    )
    assert ten is not None
    assert ten >= 10 * (once - 1)
    assert calls is not None
    assert calls >= 20 * (once - 1)


def test_long_operations_and_vectors_count_more() -> None:
    short, long = bound("x[0] = x[1] + x[2];"), bound("x[0] = sin(x[1]);")
    wide = bound("vstore16(vload16(0, x) + vload16(1, x), 0, x);")
    assert short is not None
    assert long is not None
    assert wide is not None
    assert long > 2 * short
    assert wide > 10 * short


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) x[i] = 0;",
        "while (x[0] > 0) x[0] -= 1;",
        "again: x[0] -= 1; if (x[0] > 0) goto again;",
        "if (n) { for (int i = 0; i < n; i++) x[i] = 0; }",
    ],
)
def test_no_bound(body: str) -> None:
    assert bound(body) is None
