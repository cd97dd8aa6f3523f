"""Powers with a constant exponent, which are products: close to the exact ones, edges as in C99."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

EXPONENTS = (-7, -1.5, -0.5, 0, 0.5, 2, 3.5)
EDGES = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-30, -1e-30, 1e-44, 1e38, 1e20, -1e20)


def source(type: str) -> str:
    lines: list[str] = []
    for at, exponent in enumerate(EXPONENTS):
        lines.append(f"pows[{at} * n + i] = pow(x[i], ({type}){exponent});")
        lines.append(f"powrs[{at} * n + i] = powr(x[i], ({type}){exponent});")
        if isinstance(exponent, int):
            lines.append(f"powns[{at} * n + i] = pown(x[i], {exponent});")
    pointers = ", ".join(f"global {type}* {name}" for name in ("x", "pows", "powrs", "powns"))
    return (
        f"kernel void powers({pointers}) {{"
        f"int i = get_global_id(0), n = get_global_size(0); {' '.join(lines)} }}"
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_powers(dtype: type[np.floating]) -> None:
    type_ = "float" if dtype is np.float32 else "double"
    kernel = polycl.load(source(type_).encode(), language="cl").kernel("powers")
    random = np.random.default_rng(1)
    x = np.array([*EDGES, *np.exp(random.uniform(-40, 40, 83)) * random.choice([-1, 1], 83)], dtype)
    found = [np.ones((len(EXPONENTS), len(x)), dtype) for _ in range(3)]
    kernel(x, *found, global_size=len(x), device="cpu")
    pows, powrs, powns = found
    with np.errstate(all="ignore"):
        for at, exponent in enumerate(EXPONENTS):
            exact = np.power(x.astype(np.longdouble), exponent)
            check(pows[at], exact, x)
            if isinstance(exponent, int):
                check(powns[at], exact, x)
            positive = np.where(x < 0, np.nan, np.power(np.abs(x.astype(np.longdouble)), exponent))
            undefined = np.isnan(x) | (exponent == 0) & ((x == 0) | (x == np.inf))
            check(powrs[at], np.where(undefined, np.nan, positive), x)


def check(found: np.ndarray, exact: np.ndarray, x: np.ndarray) -> None:
    """Within 8 ulp; zeros have their sign."""
    right = exact.astype(found.dtype)
    near = np.abs(found - exact) <= 8 * np.spacing(np.abs(right))
    same = (found == right) & (np.signbit(found) == np.signbit(right))
    wrong = ~(near & (right != 0) | same | np.isnan(found) & np.isnan(right))
    assert not wrong.any(), (x[wrong], found[wrong], right[wrong])
