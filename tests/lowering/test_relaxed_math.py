"""Options that permit other results of float arithmetic: what changes, and by how much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.backends.cpu import pipeline
from polycl.backends.cpu.device import CpuDevice
from polycl.dialects.relaxed import is_relaxed
from polycl.frontends.opencl_c import import_programs, read_source
from polycl.frontends.opencl_c.options import parse_options

RELAXED = ["-cl-fast-relaxed-math"]
INFINITY, NAN = np.float32(np.inf), np.float32(np.nan)

BODIES = {
    "sum of a row": """
        float s = 0; for (int k = 0; k < n; k++) s += x[i * n + k]; y[i] = s;""",
    "product of rows": """
        float s = 0; for (int k = 0; k < n; k++) s += x[i * n + k] * x[k]; y[i] = s;""",
    "mean and variance": """
        float s = 0, q = 0;
        for (int k = 0; k < n; k++) { float v = x[i * n + k]; s += v; q -= v * v; }
        y[i] = s / n - q / n;""",
    "product of a row": """
        float s = 1; for (int k = 0; k < n; k++) s *= 0.5f + x[i * n + k] * 0.4f; y[i] = s;""",
    "one work-item": """
        if (get_local_id(0) == 0) {
          float s = 0; for (int k = 0; k < n; k++) s += x[i + k] * x[k]; y[i] = s; }""",
    "chain": """
        float s = x[i]; for (int k = 0; k < n; k++) { s = 3 - s; s = 2 - s * 0.9f; } y[i] = s;""",
    "mad": """
        float s = x[i]; for (int k = 0; k < n; k++) s = mad(s, 0.25f, x[k]); y[i] = s;""",
    "division": """
        float s = x[i]; for (int k = 0; k < n; k++) s = 1 / (s + x[k]) + x[i] / (s + 2);
        y[i] = s;""",
    "division by a number of the group": """
        float s = x[i]; for (int k = 0; k < n; k++) s = s / x[0] / 3 + 1; y[i] = s;""",
    "roots": """
        float s = x[i]; for (int k = 0; k < n; k++) s = sqrt(s) + 1 / sqrt(s + x[k]); y[i] = s;""",
    "normal vector": """
        float a = x[i], b = x[i + 1], c = x[i + 2], l = sqrt(a * a + b * b + c * c);
        y[i] = a / l + 10 * (b / l) - c / l;""",
    "native": """
        float s = x[i];
        for (int k = 0; k < n; k++) s = native_divide(s, x[k] + 1) + half_recip(native_sqrt(s));
        y[i] = s;""",
    "iterations by lane": """
        float s = x[i]; int k = 0; for (; k < 60 && s < 9; k++) s = s * s + x[i + 1] / s;
        y[i] = s;""",
    "vectors": """
        float4 v = vload4(i & 15, x); v = v / (v.yzwx + x[i]) / x[0] + normalize(v);
        y[i] = dot(v, v.wzyx) / length(v);""",
    "smallest": """
        float m = INFINITY, l = -INFINITY;
        for (int k = 0; k < n; k++) { if (x[i * n + k] < m) m = x[i * n + k];
          l = fmax(l, x[i * n + k]); }
        y[i] = isinf(m) || isinf(-l) ? -1 : m / l;""",
    "no smallest": """
        float m = INFINITY; for (int k = 0; k < n; k++) if (x[k] > 9) m = x[k];
        y[i] = m == INFINITY ? 7 : isnan(m) ? 8 : m;""",
}


@pytest.fixture(params=[False, True], ids=["divides", "estimates"])
def estimates(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With both decisions about divisions, whatever this processor is."""
    slowly = request.param and pipeline.has_feature("avx512vl")
    monkeypatch.setattr(pipeline, "divides_slowly", lambda: slowly)


def kernel(body: str, options: list[str]) -> Any:
    return polycl.load(
        "kernel void k(global const float *x, global float *y, int n) {"
        f" int i = get_global_id(0); {body} }}",
        options,
    ).kernel("k")


def run(function: Any, x: NDArray[np.float32], n: int, **options: Any) -> NDArray[np.float32]:
    y = np.zeros(128, np.float32)
    device = CpuDevice(threads=1, **options)
    function(x, y, n, global_size=128, local_size=32, device=device)
    return y


@pytest.mark.usefixtures("estimates")
@pytest.mark.parametrize("name", BODIES)
def test_results_are_near_those_of_the_interpreter(name: str) -> None:
    n = 37
    x = np.random.default_rng(5).uniform(0.4, 1.6, 128 * n).astype(np.float32)
    function = kernel(BODIES[name], RELAXED)
    expected = np.zeros(128, np.float32)
    function(x, expected, n, global_size=128, local_size=32, device="interp")
    for options in ({}, {"disable": pipeline.FOR_SPEED}, {"without_features": ["avx512"]}):
        np.testing.assert_allclose(run(function, x, n, **options), expected, rtol=3e-5)
    # Without contraction each operation rounds on its own, whatever the options permit.
    assert run(function, x, n, contract=False).tobytes() == expected.tobytes()


SPECIAL = np.array(
    [0.0, -0.0, 1, -1, 3, INFINITY, -INFINITY, NAN, 2**-62, 2**62, 1e-38, 3e38, 2**-126, 1e-45],
    np.float32,
)


@pytest.mark.usefixtures("estimates")
def test_hypot_has_the_same_bits() -> None:
    """Its root may come from an estimate, without any option."""
    rng = np.random.default_rng(8)
    x = np.exp2(rng.uniform(-149, 128, 8192)).astype(np.float32)
    y = np.exp2(rng.uniform(-149, 128, 8192)).astype(np.float32)
    y[::2] = x[::2] * rng.uniform(0.1, 1, 4096).astype(np.float32)
    pairs = [
        (x, y),
        np.meshgrid(SPECIAL, SPECIAL),
        # Many of these sums are squares, or near one.
        np.meshgrid(
            np.arange(-5, 600, dtype=np.float32), np.array([0, 3, 4, 119, 4095], np.float32)
        ),
    ]
    function = polycl.load(
        "kernel void k(global const float *x, global const float *y, global float *out, int n) {"
        " int i = get_global_id(0); if (i < n) out[i] = hypot(x[i], y[i]); }"
    ).kernel("k")
    with np.errstate(all="ignore"):
        for a, b in pairs:
            a, b, size = a.ravel(), b.ravel(), a.size
            found = np.zeros(size, np.float32)
            whole = -(-size // 64) * 64
            function(a, b, found, size, global_size=whole, local_size=64, device=CpuDevice())
            expected = np.sqrt(a.astype(np.float64) ** 2 + b.astype(np.float64) ** 2)
            expected[np.isinf(a) | np.isinf(b)] = np.inf
            np.testing.assert_array_equal(found, expected.astype(np.float32))


def test_rsqrt_of_doubles_is_within_its_limit() -> None:
    """From estimates, where lanes are doubles: 2 ULP, and special numbers as they are."""
    x = np.exp2(np.random.default_rng(9).uniform(-1070, 1023, 16384))
    x[:7] = [0.0, -0.0, np.inf, np.nan, -1.0, 5e-324, 1.7e308]
    function = polycl.load(
        "kernel void k(global const double *x, global double *y) {"
        " int i = get_global_id(0); y[i] = rsqrt(x[i]); }"
    ).kernel("k")
    found = np.zeros(x.size)
    function(x, found, global_size=x.size, local_size=64, device=CpuDevice())
    with np.errstate(all="ignore"):
        exact = 1 / np.sqrt(x.astype(np.longdouble))
        np.testing.assert_array_equal(found[:5], [np.inf, -np.inf, 0, np.nan, np.nan])
        assert np.max(np.abs(found - exact)[5:] / np.spacing(found[5:])) < 1.7


@pytest.mark.usefixtures("estimates")
@pytest.mark.parametrize("value", ["1 / v", "w / v", "1 / sqrt(v)", "sqrt(v)", "w / sqrt(v)"])
def test_special_numbers_are_those_of_the_exact_operation(value: str) -> None:
    x = np.resize(SPECIAL, 128)
    function = kernel(f"float v = x[i], w = 1.5f; w = v == 0 ? 1 : w; y[i] = {value};", RELAXED)
    exact = kernel(f"float v = x[i], w = 1.5f; w = v == 0 ? 1 : w; y[i] = {value};", [])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(run(function, x, 0), run(exact, x, 0), rtol=3e-7, atol=1e-44)


def test_without_an_option_there_are_no_flags() -> None:
    for options in ([], ["-cl-mad-enable"], ["-cl-finite-math-only"], ["-cl-denorms-are-zero"]):
        for body in BODIES.values():
            if "native" not in body:
                assert "fastmath" not in str(kernel(body, options).module)


def test_code_is_kept_for_each_set_of_options() -> None:
    x = np.random.default_rng(6).uniform(0.4, 1.6, 128).astype(np.float32)
    results = [run(kernel(BODIES["chain"], options), x, 9) for options in ([], RELAXED, [])]
    assert results[0].tobytes() == results[2].tobytes() != results[1].tobytes()


def test_relaxed_code_has_no_other_flags() -> None:
    """Passes may leave flags out of operations, and add none to their own."""
    body = "y[i] = exp(x[i]) + pow(x[i], x[i + 1]) / n;"
    module = kernel(body, RELAXED).module
    assert sum(map(is_relaxed, module.walk())) == 2


def test_linked_sources_have_the_options_of_their_own() -> None:
    texts = {
        "kernel.cl": "float f(float); kernel void k(global float *x) { x[0] = f(x[0]) + 1; }",
        "function.cl": "float f(float x) { return x * x; }",
    }
    options = {"kernel.cl": [], "function.cl": RELAXED}
    programs = [
        read_source(text, name, parse_options(options[name]), whole=True)
        for name, text in texts.items()
    ]
    module = import_programs(programs)
    assert [op.name for op in module.walk() if is_relaxed(op)] == ["arith.mulf"]


def test_launches_give_the_same_bits_while_forms_are_measured() -> None:
    x = np.random.default_rng(7).uniform(0.4, 1.6, 4096).astype(np.float32)
    function = kernel(BODIES["iterations by lane"], RELAXED)
    results: set[bytes] = set()
    y = np.zeros(4096 - 2, np.float32)
    for _ in range(40):
        function(x, y, 0, global_size=4094, local_size=23, device="cpu")
        results.add(y.tobytes())
    assert len(results) == 1
