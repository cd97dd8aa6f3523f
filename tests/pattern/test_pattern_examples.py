"""The pattern programs in examples/pattern, on the interpreter, against numpy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.dialects.pattern import hierarchy_errors
from polycl.lowering.pattern.rules.derivation import Derivation

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "pattern"


# Of scripts for sizes that are numbers.
SIZES = {
    "matmul.any.deriv": {"M": 64, "K": 16, "N": 128},
    "matmul.parts.deriv": {"M": 64, "K": 777, "N": 128},
    "matmul.blocks.deriv": {"M": 9, "K": 5, "N": 17},
    "matmul_batch.gpu.deriv": {"L": 2, "M": 64, "K": 16, "N": 128},
}
DERIVATIONS = sorted(path.name for path in EXAMPLES.glob("*.deriv"))


def run(name: str, *args: Any) -> Any:
    return polycl.load(EXAMPLES / f"{name}.mlir").function(name)(*args)


def numbers(*shape: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def test_scal_has_the_bits_of_numpy():
    x = numbers(1000)
    assert (run("scal", 2.5, x) == np.float32(2.5) * x).all()


def test_asum_adds_from_left_to_right():
    x = numbers(1000)
    expected = np.add.accumulate(np.abs(x))[-1]
    assert run("asum", x) == [expected]


def test_asum_of_a_large_array():
    x = numbers(100_000)
    assert run("asum", x)[0] == pytest.approx(float(np.abs(x).sum(dtype=np.float64)), rel=1e-5)


def test_dot():
    x, y = numbers(500), numbers(500, seed=1)
    assert run("dot", x, y) == [np.add.accumulate(x * y)[-1]]


def test_gemv():
    a, x, y = numbers(13, 21), numbers(21, seed=1), numbers(13, seed=2)
    rows = np.add.accumulate(a * x, axis=1)[:, -1]
    expected = np.float32(1.5) * rows + np.float32(-2) * y
    assert (run("gemv", a, x, y, 1.5, -2.0) == expected).all()


def test_matmul():
    a, b = numbers(5, 7), numbers(7, 6, seed=1)
    products = a[:, :, None] * b[None, :, :]
    assert (run("matmul", a, b) == np.add.accumulate(products, axis=1)[:, -1]).all()


def test_stencil2d():
    grid, weights = numbers(6, 9), numbers(9, seed=1)
    padded = np.pad(grid, 1, mode="edge")
    expected = np.zeros_like(grid)
    for k in range(9):
        i, j = divmod(k, 3)
        expected += padded[i : i + 6, j : j + 9] * weights[k]
    assert (run("stencil2d", grid, weights) == expected).all()


def test_black_scholes():
    prices = np.linspace(10, 100, 50, dtype=np.float32)
    strike, years, rate, volatility = 40.0, 0.5, 0.03, 0.2
    call, put = run("black_scholes", prices, strike, years, rate, volatility)

    def normal(d: float) -> float:
        return (1 + math.erf(d / math.sqrt(2))) / 2

    for number, price in enumerate(map(float, prices)):
        deviation = volatility * math.sqrt(years)
        d1 = (math.log(price / strike) + (rate + volatility**2 / 2) * years) / deviation
        present = strike * math.exp(-rate * years)
        assert call[number] == pytest.approx(
            price * normal(d1) - present * normal(d1 - deviation), abs=2e-5
        )
        assert put[number] == pytest.approx(
            present * normal(deviation - d1) - price * normal(-d1), abs=2e-5
        )


def test_md():
    rng = np.random.default_rng(3)
    p = np.zeros((20, 4), np.float32)
    p[:, :3] = rng.uniform(0, 4, (20, 3))
    others = [rng.permutation(np.delete(np.arange(20), i))[:8] for i in range(20)]
    ids = np.array(others, np.int32)
    cutoff2, lj1, lj2 = 9.0, 1.5, 2.0
    forces = run("md", p, ids, cutoff2, lj1, lj2)
    d = p[:, None, :].astype(float) - p[ids]
    r2 = (d * d).sum(axis=2)
    assert (r2 < cutoff2).any()
    assert (r2 > cutoff2).any()
    scale = np.where(r2 < cutoff2, r2**-4 * (lj1 * r2**-3 - lj2), 0)
    expected = (d * scale[:, :, None]).sum(axis=1)
    np.testing.assert_allclose(forces, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("script", DERIVATIONS)
def test_what_is_derived_is_nested_as_opencl_nests(script: str):
    name = "asum" if script.startswith("figure") else script.partition(".")[0]
    program = polycl.load(EXAMPLES / f"{name}.mlir").module
    derived = Derivation.read(EXAMPLES / script).replay(program, name, sizes=SIZES.get(script))
    assert list(hierarchy_errors(derived)) == []
