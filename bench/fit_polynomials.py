"""Fit the polynomials of `expand-math`, and write `lowering/llvm/expand_math/coefficients.toml`.

    python bench/fit_polynomials.py            # write the file
    python bench/fit_polynomials.py --check    # fail if the file differs from what is fitted

Each is the minimax polynomial (Remez's exchange algorithm in 80 decimal digits) of a function on
an interval, weighted so that the error counts as a relative error of what the caller computes
with it; its coefficients are rounded to the format that they are used in.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from mpmath import mp, mpf

mp.dps = 80

Function = Callable[[Any], Any]

FILE = Path(__file__).resolve().parents[1] / "lowering/llvm/expand_math/coefficients.toml"
NEAR_ZERO = mpf(10) ** -25
"""Stands for 0, where the quotients that are fitted have a limit but no value."""


@dataclass(frozen=True)
class Fit:
    """One polynomial to be fitted."""

    name: str
    formula: str
    function: Function
    low: Any
    high: Any
    degree: int
    weight: Function
    bits: int = 32


def remez(fit: Fit) -> tuple[list[Any], Any]:
    """The coefficients, lowest degree first, and the largest weighted error."""
    count = fit.degree + 2
    middle, half = (mpf(fit.high) + fit.low) / 2, (mpf(fit.high) - fit.low) / 2
    grid = [middle - half * mp.cos(mp.pi * i / (30 * count)) for i in range(30 * count + 1)]
    grid = [x if abs(x) > NEAR_ZERO else NEAR_ZERO for x in grid]
    values = [fit.function(x) for x in grid]
    weights = [abs(fit.weight(x)) for x in grid]
    points = [round(i * (len(grid) - 1) / (count - 1)) for i in range(count)]
    points[0] += 0 if weights[0] > 1e-9 else 3
    coefficients: list[Any] = []
    for _ in range(12):
        matrix, right = mpmath.matrix(count, count), mpmath.matrix(count, 1)
        for row, i in enumerate(points):
            for power in range(count - 1):
                matrix[row, power] = weights[i] * grid[i] ** power
            matrix[row, count - 1] = (-1) ** row
            right[row] = weights[i] * values[i]
        solution = mp.lu_solve(matrix, right)
        coefficients = list(solution[: count - 1])
        errors = [
            w * (mp.polyval(coefficients[::-1], x) - v)
            for x, v, w in zip(grid, values, weights, strict=True)
        ]
        extrema = _alternating(errors, count)
        if len(extrema) < count or extrema == points:
            break
        points = extrema
    return coefficients, max(abs(error) for error in errors)


def _alternating(errors: list[Any], count: int) -> list[int]:
    """Where the error is largest between changes of its sign: `count` neighbours."""
    extrema: list[int] = []
    for i, error in enumerate(errors):
        if extrema and (error > 0) == (errors[extrema[-1]] > 0):
            if abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = i
        else:
            extrema.append(i)
    while len(extrema) > count:
        first, last = abs(errors[extrema[0]]), abs(errors[extrema[-1]])
        extrema.pop(0 if first < last else -1)
    return extrema


def rounded(x: Any, bits: int) -> str:
    """The shortest text of the nearest f32 or f64."""
    value = float(x)
    return repr(value) if bits == 64 else str(np.float32(value))


def one(_: Any) -> Any:
    return mpf(1)


def _root(z: Any) -> Any:
    return mp.sqrt(z)


LN2 = mp.log(2)
SQRT_HALF = mp.sqrt(mpf(1) / 2)
LOG_RANGE = (SQRT_HALF * mpf("0.99999") - 1, 2 * SQRT_HALF * mpf("1.00001") - 1)
HALF_LN2 = LN2 / 2 * mpf("1.0001")
QUARTER = (mp.pi / 4 * mpf("1.016")) ** 2
ATANH_RANGE = ((2 * SQRT_HALF - 1) / (2 * SQRT_HALF + 1) * mpf("1.0001")) ** 2


def _odd_rest(function: Function, slope: Any = 1) -> Function:
    """(f(t) - slope t) / t^3 as a function of z = t^2."""
    return lambda z: (function(_root(z)) - slope * _root(z)) / _root(z) ** 3


def _odd_weight(function: Function) -> Function:
    """An error e of the rest is one of e t^3 / f(t)."""
    return lambda z: _root(z) ** 3 / function(_root(z))


def _log_weight(f: Any) -> Any:
    return f**3 / mp.log1p(f)


PARTS = {32: 16, 64: 8}
"""The numbers of a table, by the bits of a float."""

LOGS = (("LOG", LN2), ("LOG2", mpf(1)), ("LOG10", mp.log10(2)))
"""Logarithms by tables: their names, and that of 2."""

BITS_OF_STEP = {
    32: {"LOG": 17, "LOG2": 16, "LOG10": 18},
    64: {"LOG": 43, "LOG2": 42, "LOG10": 44},
}
"""The bits after the point of what the exponent of a number is multiplied by, and of what is added
to it: the sum is exact."""


def _exp_fits() -> Iterable[Fit]:
    for name, base in (("EXP", mp.e), ("EXP2", mpf(2)), ("EXP10", mpf(10))):
        slope = mp.log(base)
        for bits, degree in ((32, 2), (64, 6)):
            size = LN2 / slope / PARTS[bits] / 2 * mpf("1.001")
            yield Fit(
                f"{name}_REST", f"(b^r - 1) / r, b^|r| <= 2^(1/{2 * PARTS[bits]})",
                lambda r, slope=slope: mp.expm1(r * slope) / r, -size, size, degree,
                lambda r, slope=slope: r / mp.exp(r * slope), bits)  # fmt: skip


def _log_fits() -> Iterable[Fit]:
    for name, of_two in LOGS:
        slope = of_two / LN2
        for bits, degree in ((32, 3), (64, 9)):
            low, high = _range_of_f(name, bits)
            yield Fit(
                f"{name}_REST",
                f"(log_b(1 + f) - f slope) / f^2, {float(low):.4f} <= f <= {float(high):.4f}",
                lambda f, slope=slope: (mp.log1p(f) - f) * slope / f**2, low, high, degree,
                lambda f, slope=slope: f**2 / (mp.log1p(f) * slope), bits)  # fmt: skip


LEAST = {32: mpf(11) / 16, 64: mpf(17) / 24}
"""The least number of the parts. Of f32, one ends at 1 and one begins there; of f64, one is as long
below 1 as above."""


def _pow_fits() -> Iterable[Fit]:
    for bits, degree in ((32, 3), (64, 10)):
        low, high = _range_of_f("LOG2", bits)
        yield Fit(
            "POW_REST",
            f"(log(1 + f) - f + f^2/2) / (-f^3/2), {float(low):.4f} <= f <= {float(high):.4f}",
            lambda f: (mp.log1p(f) - f + f**2 / 2) / (-f**3 / 2), low, high, degree,
            lambda f: (f**3 / 2) / mp.log1p(f), bits)  # fmt: skip


def _range_of_f(name: str, bits: int) -> tuple[Any, Any]:
    ends = [x * c - 1 for low, high, c in chosen_factors(name, bits) for x in (low, high)]
    return min(ends), max(ends)


@cache
def chosen_factors(name: str, bits: int) -> Sequence[tuple[Any, Any, Any]]:
    """Of each part of the numbers m that `LEAST` begins its bounds and a float c, nearly 1/m: such
    that -log_b(c) is as near to a number with `BITS_OF_STEP` as one in the neighbourhood."""
    slope = dict(LOGS)[name] / LN2
    mantissa = 23 if bits == 32 else 52
    unit, grid = mpf(2) ** -(mantissa + 1), mpf(2) ** BITS_OF_STEP[bits][name]
    # Numbers below 1 have twice as many bits as those above.
    # A part that ends above 1 is half as long below it for each of its floats.
    parts = PARTS[bits]
    below = int((1 - LEAST[bits]) * 2 * parts)
    places = [LEAST[bits] + mpf(i) / (2 * parts) for i in range(below + 1)]
    above = mpf(1) / parts - 2 * (1 - places[-1])
    places += [1 + above + mpf(i) / parts for i in range(parts - below)]
    found: list[tuple[Any, Any, Any]] = []
    for low, high in pairwise(places):
        if low <= 1 <= high:
            found.append((low, high, mpf(1)))
            continue
        middle = 2 / (low + high)
        step = unit if middle < 1 else 2 * unit
        middle = mp.nint(middle / step) * step
        first = -mp.log(middle) * slope * grid
        reach = int(min(mpf("0.004") * grid * slope, 3000))
        best = None
        for target in range(int(first) - reach, int(first) + reach + 1):
            c = mp.nint(mp.exp(-target / (slope * grid)) / step) * step
            error = abs(-mp.log(c) * slope * grid - target)
            if best is None or error < best[0]:
                best = error, c
        assert best is not None
        found.append((low, high, best[1]))
    return found


def log_tables(bits: int) -> list[str]:
    lines: list[str] = []
    for name, of_two in LOGS:
        factors = [c for _, _, c in chosen_factors(name, bits)]
        slope, grid = of_two / LN2, mpf(2) ** BITS_OF_STEP[bits][name]
        step = mp.nint(of_two * grid) / grid
        logs = [-mp.log(c) * slope for c in factors]
        short_logs = [mp.nint(log * grid) / grid for log in logs]
        rests = [log - short for log, short in zip(logs, short_logs, strict=True)]
        worst = max(abs(rest) for rest in rests)
        lines += [
            f"# For {name} by tables: factors c of the parts of m, and -log_b(c),",
            f"# short numbers with errors below 2^{float(mp.log(worst, 2)):.1f}; the logarithm",
            "# of 2, short, and the rest of it; and 1 / log(b).",
            *numbers(f"{name}_C", [rounded(c, bits) for c in factors]),
            *numbers(f"{name}_L", [rounded(short, bits) for short in short_logs]),
            f"{name}_STEP = [{rounded(step, bits)}, {rounded(of_two - step, bits)}]",
            f"{name}_SLOPE = [{', '.join(Sum('', '', slope, 2, bits).texts())}]",
        ]
        if name == "LOG2":
            lines += ["# What is left of its logarithms, for pow.",
                      *numbers("LOG2_L_REST", [rounded(rest, bits) for rest in rests])]  # fmt: skip
        lines.append("")
    return lines


def power_table(bits: int) -> list[str]:
    parts = PARTS[bits]
    powers = [rounded(mpf(2) ** (mpf(i) / parts), bits) for i in range(parts)]
    return [f"# 2^(i/{parts}).", *numbers("POWERS", powers), ""]


FITS = (
    Fit("EXP", "(e^r - 1 - r) / r^2, |r| <= ln(2)/2",
        lambda r: (mp.expm1(r) - r) / r**2, -HALF_LN2, HALF_LN2, 4,
        lambda r: r**2 / mp.exp(r)),
    Fit("EXP2", "(2^r - 1) / r, |r| <= 1/2",
        lambda r: mp.expm1(r * LN2) / r, -0.5, 0.5, 5, lambda r: r / mp.exp(r * LN2)),
    Fit("EXP10", "(10^r - 1) / r, |r| <= log10(2)/2",
        lambda r: mp.expm1(r * mp.log(10)) / r, -0.1506, 0.1506, 5,
        lambda r: r / mp.exp(r * mp.log(10))),
    Fit("EXPM1", "(e^r - 1 - r) / r^2, |r| <= ln(2)/2, for e^r - 1",
        lambda r: (mp.expm1(r) - r) / r**2, -HALF_LN2, HALF_LN2, 5,
        lambda r: r**2 / mp.expm1(r)),
    Fit("SINH", "(sinh(r) - r) / r^3 of z = r^2, |r| <= ln(2)/2",
        _odd_rest(mp.sinh), 0, HALF_LN2**2, 2, _odd_weight(mp.sinh)),
    Fit("COSH", "(cosh(r) - 1 - z/2) / z^2 of z = r^2, |r| <= ln(2)/2",
        lambda z: (mp.cosh(_root(z)) - 1 - z / 2) / z**2, 0, HALF_LN2**2, 1, lambda z: z**2),
    Fit("LOG", "(log(1 + f) - f + f^2/2) / f^3, sqrt(1/2) <= 1 + f <= sqrt(2)",
        lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3, *LOG_RANGE, 8, _log_weight),
    Fit("SIN", "(sin(r) - r) / r^3 of z = r^2, |r| <= 1.016 pi/4",
        _odd_rest(mp.sin), 0, QUARTER, 2, _odd_weight(mp.sin)),
    Fit("COS", "(cos(r) - 1 + z/2) / z^2 of z = r^2, |r| <= 1.016 pi/4",
        lambda z: (mp.cos(_root(z)) - 1 + z / 2) / z**2, 0, QUARTER, 2,
        lambda z: z**2 / mp.cos(_root(z))),
    Fit("SINPI", "(sin(pi r) - pi r) / r^3 of z = r^2, |r| <= 1/4",
        _odd_rest(lambda r: mp.sin(mp.pi * r), mp.pi), 0, 0.0625, 3,
        _odd_weight(lambda r: mp.sin(mp.pi * r))),
    Fit("COSPI", "(cos(pi r) - 1) / z of z = r^2, |r| <= 1/4",
        lambda z: (mp.cos(mp.pi * _root(z)) - 1) / z, 0, 0.0625, 3, lambda z: z),
    Fit("ATAN", "(atan(t) - t) / t^3 of z = t^2, |t| <= 1",
        _odd_rest(mp.atan), 0, 1, 8, _odd_weight(mp.atan)),
    Fit("ASIN", "(asin(t) - t) / t^3 of z = t^2, |t| <= 1/2",
        _odd_rest(mp.asin), 0, 0.25, 5, _odd_weight(mp.asin)),
    Fit("ERF", "(erf(t) - t) / t of z = t^2, |t| <= 1",
        lambda z: mp.erf(_root(z)) / _root(z) - 1, 0, 1, 7,
        lambda z: _root(z) / mp.erf(_root(z))),
    Fit("ERF_TAIL", "log(1 - erf(t)), 1 <= t <= 4, for 1 - e^p",
        lambda t: mp.log(mp.erfc(t)), 0.99, 4.0, 8, lambda t: mp.erfc(t) / mp.erf(t)),
    Fit("ERFC", "erfc(t) e^(t^2) (1 + 2t) of u = (t - 4) / (t + 4), 0 <= t <= 10.1",
        lambda u: mp.erfc(_from_u(u)) * mp.exp(_from_u(u) ** 2) * (1 + 2 * _from_u(u)),
        -1, mpf("6.1") / mpf("14.1"), 10,
        lambda u: 1 / (mp.erfc(_from_u(u)) * mp.exp(_from_u(u) ** 2) * (1 + 2 * _from_u(u)))),
    Fit("POW", "(atanh(s) - s - s^3/3) / s^5 of z = s^2, s = f / (2 + f) as for LOG",
        lambda z: (mp.atanh(_root(z)) - _root(z) - _root(z) ** 3 / 3) / _root(z) ** 5,
        0, ATANH_RANGE, 2, lambda z: _root(z) ** 5 / mp.atanh(_root(z))),
    Fit("EXP", "(e^r - 1 - r) / r^2, |r| <= ln(2)/2",
        lambda r: (mp.expm1(r) - r) / r**2, -HALF_LN2, HALF_LN2, 10,
        lambda r: r**2 / mp.exp(r), 64),
    Fit("LOG", "(atanh(s) - s) / s^3 of z = s^2, s = f / (2 + f) as for LOG",
        _odd_rest(mp.atanh), 0, ATANH_RANGE, 6, _odd_weight(mp.atanh), 64),
    Fit("POW", "(atanh(s) - s - s^3/3) / s^5 of z = s^2, s = f / (2 + f) as for LOG",
        lambda z: (mp.atanh(_root(z)) - _root(z) - _root(z) ** 3 / 3) / _root(z) ** 5,
        0, ATANH_RANGE, 6, lambda z: _root(z) ** 5 / mp.atanh(_root(z)), 64),
    Fit("SINH", "(sinh(r) - r) / r^3 of z = r^2, |r| <= ln(2)/2",
        _odd_rest(mp.sinh), 0, HALF_LN2**2, 4, _odd_weight(mp.sinh), 64),
    Fit("COSH", "(cosh(r) - 1 - z/2) / z^2 of z = r^2, |r| <= ln(2)/2",
        lambda z: (mp.cosh(_root(z)) - 1 - z / 2) / z**2, 0, HALF_LN2**2, 3, lambda z: z**2, 64),
    Fit("SIN", "(sin(r) - r) / r^3 of z = r^2, |r| <= 1.016 pi/4",
        _odd_rest(mp.sin), 0, QUARTER, 5, _odd_weight(mp.sin), 64),
    Fit("COS", "(cos(r) - 1 + z/2) / z^2 of z = r^2, |r| <= 1.016 pi/4",
        lambda z: (mp.cos(_root(z)) - 1 + z / 2) / z**2, 0, QUARTER, 5,
        lambda z: z**2 / mp.cos(_root(z)), 64),
    Fit("ATAN", "(atan(t) - t) / t^3 of z = t^2, |t| <= 1",
        _odd_rest(mp.atan), 0, 1, 19, _odd_weight(mp.atan), 64),
    Fit("ASIN", "(asin(t) - t) / t^3 of z = t^2, |t| <= 1/2",
        _odd_rest(mp.asin), 0, 0.25, 12, _odd_weight(mp.asin), 64),
    Fit("ERF", "(erf(t) - t) / t of z = t^2, |t| <= 1",
        lambda z: mp.erf(_root(z)) / _root(z) - 1, 0, 1, 11,
        lambda z: _root(z) / mp.erf(_root(z)), 64),
    Fit("ERF_TAIL", "log(1 - erf(t)), 1 <= t <= 6, for 1 - e^p",
        lambda t: mp.log(mp.erfc(t)), 0.99, 6.0, 18, lambda t: mp.erfc(t) / mp.erf(t), 64),
    Fit("ERFC", "erfc(t) e^(t^2) (1 + 2t) of u = (t - 4) / (t + 4), 0 <= t <= 27.3",
        lambda u: mp.erfc(_from_u(u)) * mp.exp(_from_u(u) ** 2) * (1 + 2 * _from_u(u)),
        -1, mpf("23.3") / mpf("31.3"), 22,
        lambda u: 1 / (mp.erfc(_from_u(u)) * mp.exp(_from_u(u) ** 2) * (1 + 2 * _from_u(u))), 64),
    Fit("GAMMA", "gamma(1 + a) e^b b^(-a - 1/2), b = a + 1, of u = (a - 3/2) / (a + 3/2)",
        lambda u: mp.exp(_stirling_rest(_from_u(u, 1.5))), -1, mpf("198.5") / mpf("201.5"), 18,
        lambda u: mp.exp(-_stirling_rest(_from_u(u, 1.5))), 64),
    *_exp_fits(),
    *_log_fits(),
    *_pow_fits(),
)  # fmt: skip


@dataclass(frozen=True)
class Sum:
    """A number as an unevaluated sum of floats, each the nearest to what the former leave."""

    name: str
    formula: str
    value: Any
    parts: int
    bits: int = 32

    def texts(self) -> list[str]:
        rest, parts = self.value, list[str]()
        for _ in range(self.parts):
            part = rounded(rest, self.bits)
            parts.append(part)
            rest -= mpf(float(np.float32(part)) if self.bits == 32 else float(part))
        return parts


SUMS = (
    Sum("LN2", "log(2)", LN2, 2),
    Sum("LOG10_2", "log10(2)", mp.log10(2), 2),
    Sum("LOG2_E", "1 / log(2)", 1 / LN2, 2),
    Sum("LOG10_E", "1 / log(10)", 1 / mp.log(10), 2),
    Sum("PI", "pi", mp.pi, 2),
    Sum("HALF_PI", "pi / 2", mp.pi / 2, 3),
    Sum("INVERSE_PI", "1 / pi", 1 / mp.pi, 2),
    Sum("TWO_OVER_LN2", "2 / log(2)", 2 / LN2, 2),
    Sum("THIRD", "1 / 3", mpf(1) / 3, 2),
    Sum("LN2", "log(2)", LN2, 2, 64),
    Sum("LOG10_2", "log10(2)", mp.log10(2), 2, 64),
    Sum("LOG2_E", "1 / log(2)", 1 / LN2, 2, 64),
    Sum("LOG10_E", "1 / log(10)", 1 / mp.log(10), 2, 64),
    Sum("LN10", "log(10)", mp.log(10), 2, 64),
    Sum("TWO_OVER_LN2", "2 / log(2)", 2 / LN2, 2, 64),
    Sum("THIRD", "1 / 3", mpf(1) / 3, 2, 64),
    Sum("HALF_PI", "pi / 2", mp.pi / 2, 3, 64),
    Sum("PI", "pi", mp.pi, 2, 64),
    Sum("INVERSE_PI", "1 / pi", 1 / mp.pi, 2, 64),
)


def bands() -> list[str]:
    """2/pi for each range of |x|, without the bits that make multiples of 4 of an f32.

    The last place of x in 2^e .. 2^(e+1) is 2^(e-23): times a bit of weight 2^(25-e) or more it is
    a multiple of 4 quarter turns. The rest of 2/pi, as a sum of two f64, times x is below 2^47.
    """
    limits = (46, 68, 90, 112, 128)
    sums = list[list[str]]()
    for low in (None, *limits[:-1]):
        value = 2 / mp.pi
        if low is not None:
            unit = mpf(2) ** (25 - low)
            value -= mp.floor(value / unit) * unit
        sums.append(Sum("", "", value, 2, 64).texts())
    high, low = zip(*sums, strict=True)
    return [
        "# 2/pi without the bits that make whole turns of |x| below a limit: the limits, and the",
        "# high and the low part of the number for each.",
        *numbers("TWO_OVER_PI_LIMIT", [repr(2.0**limit) for limit in limits]),
        *numbers("TWO_OVER_PI_HIGH", high),
        *numbers("TWO_OVER_PI_LOW", low),
        "",
    ]


CHUNK = 44
"""The bits of a chunk of 2/pi."""


def chunks() -> list[str]:
    """2/pi in chunks of 44 bits, each scaled to 0..1, with two zeros in front for small angles.

    For the largest f64 27 chunks are needed (lowering/llvm/expand_math/angle_f64.py).
    """
    count = 27
    with mp.workprec(count * CHUNK + 64):
        bits = int(mp.floor(2 / mp.pi * mpf(2) ** (count * CHUNK)))
    parts = [(bits >> (CHUNK * i)) % 2**CHUNK for i in reversed(range(count))]
    return [
        f"# 2/pi = the sum of c[i + 2] 2^(-{CHUNK} i), i = 0, 1, ...",
        *numbers("TWO_OVER_PI_CHUNKS", [repr(part / 2**CHUNK) for part in [0, 0, *parts]]),
        "",
    ]


def _from_u(u: Any, middle: float = 4) -> Any:
    """t of u = (t - 4) / (t + 4), or another middle than 4."""
    return middle * (1 + u) / (1 - u)


def _stirling_rest(a: Any) -> Any:
    return mp.loggamma(a + 1) - (a + 0.5) * mp.log(a + 1) + a + 1


def numbers(name: str, values: Iterable[str]) -> list[str]:
    """The lines of one entry."""
    return [f"{name} = [", *(f"    {value}," for value in values), "]"]


def render() -> str:
    lines = [
        "# Constants as sums of floats, and minimax polynomials from the constant term upwards.",
        "# Written by bench/fit_polynomials.py. The error of a polynomial is relative to the",
        "# function that is computed with it, before the coefficients were rounded.",
        "",
        "# The bits of each of TWO_OVER_PI_CHUNKS.",
        f"CHUNK = {CHUNK}",
        "",
    ]
    for bits in (32, 64):
        lines += [f"[f{bits}]", ""]
        for sum in SUMS:
            if sum.bits == bits:
                text = ", ".join(sum.texts())
                lines += [f"# {sum.formula}", f"{sum.name} = [{text}]", ""]
        if bits == 64:
            lines += bands() + chunks()
        lines += power_table(bits) + log_tables(bits)
        for fit in FITS:
            if fit.bits == bits:
                lines += _fitted(fit)
    return "\n".join(lines)


def _fitted(fit: Fit) -> list[str]:
    coefficients, error = remez(fit)
    size = float(mp.log(error, 2))
    print(f"{fit.name:10} f{fit.bits} degree {fit.degree:2} error 2^{size:.1f}", file=sys.stderr)
    return [
        f"# {fit.formula}; error 2^{size:.1f}.",
        *numbers(fit.name, [rounded(c, fit.bits) for c in coefficients]),
        "",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    text = render()
    if check:
        return int(FILE.read_text() != text)
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
