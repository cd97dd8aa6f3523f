"""`length`, `distance` and `normalize`: results are the interpreter's, also in vectors of which
some lanes overflow or underflow, and right to a few units."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import polycl
from polycl.backends.device import Device

TYPES = {"float": np.float32, "double": np.float64}
LIMITS = {
    "float": (2.0**-149, 2.0**-126, 2.0**-50, 2.0**62, 2.0**64, 2.0**127),
    "double": (2.0**-1074, 2.0**-1022, 2.0**-450, 2.0**511, 2.0**512, 2.0**1023),
}
"""Of all numbers, of normal ones, and of those whose squares are in range."""

SOURCE = """
kernel void all(global const T4 *x, global T *lengths, global T4 *units, global T *sums) {
  int g = get_global_id(0);
  T4 v = x[g];
  lengths[3 * g] = length(v);
  lengths[3 * g + 1] = distance(v.xy, v.zw);
  lengths[3 * g + 2] = length(v.y);
  units[g] = (T4)(normalize(v.xyz), normalize(v.w));
  T sum = 0;
  for (int i = 0; i < g % 5; i++) sum += distance(x[g ^ i].xyz, (T3)(i));
  sums[g] = sum;
}
"""


def _rows(type: str) -> np.ndarray:
    near = [x * f for x in LIMITS[type] for f in (0.75, 1, 1.25)]
    rare = list(itertools.product([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, *near[::4]], repeat=2))
    random = np.random.default_rng(1)
    usual = random.standard_normal((len(rare), 2))
    rows = np.concatenate([np.concatenate([rare, usual], 1), random.choice(near, (64, 4))])
    # Most vectors have lanes of both kinds, some have one.
    rows = np.concatenate([random.permutation(rows), random.standard_normal((64, 4))])
    return np.ascontiguousarray(rows[: len(rows) // 64 * 64].astype(TYPES[type]))


def _results(type: str, rows: np.ndarray, device: Device) -> list[np.ndarray]:
    names = {f"T{n}": f"{type}{n}" for n in ("", 3, 4)}
    options = [f"-D{name}={value}" for name, value in names.items()]
    kernel = polycl.load(SOURCE, options=options).kernel("all")
    count = len(rows)
    out = [np.zeros(shape, rows.dtype) for shape in (3 * count, (count, 4), count)]
    kernel(rows, *out, global_size=count, local_size=64, device=device)
    return out


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("disable", [[], ["wg-vectorize"]])
def test_results_are_the_interpreters(type: str, disable: list[str]) -> None:
    rows = _rows(type)
    cpu = polycl.device("cpu", contract=False, disable=disable)
    for got, want in zip(
        _results(type, rows, cpu), _results(type, rows, polycl.device("interp")), strict=True
    ):
        np.testing.assert_array_equal(got, want)
        assert (np.signbit(got) == np.signbit(want))[~np.isnan(want)].all()


@pytest.mark.parametrize("type", TYPES)
def test_no_length_in_range_overflows(type: str) -> None:
    rows = _rows(type)
    rows = rows[np.isfinite(rows).all(1)]
    rows = rows[: len(rows) // 64 * 64]
    lengths, units, _ = _results(type, rows, polycl.device("cpu"))
    wide = rows.astype(np.longdouble)
    # `longdouble` has no more exponents than it needs here.
    want = np.sqrt((wide * wide).sum(1))
    eps, tiny = np.finfo(rows.dtype).eps, np.finfo(rows.dtype).smallest_subnormal
    with np.errstate(over="ignore"):
        overflows = np.isinf(want.astype(rows.dtype))
    assert (np.abs(lengths[::3] - want) <= 4 * eps * want + tiny)[~overflows].all()
    size = np.sqrt((wide[:, :3] ** 2).sum(1))[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = np.where(size == 0, wide[:, :3], wide[:, :3] / size)
    assert (np.abs(units[:, :3] - unit) <= 4 * eps * np.abs(unit) + 4 * tiny).all()
