"""The functions of `expand-math` with references, limits and samples for their accuracy tests.

mpmath judges, in 160 bits, one number at a time. numpy's `longdouble` is fast enough to look
through dense samples for what mpmath should judge; its 64 bits are 2^11 times finer than an f64.
It also decides which results are infinite, NaN, or zero, and the sign of a zero, as C99 does.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from polycl.lowering.llvm.expand_math import BY_TABLE
from polycl.lowering.llvm.expand_math.logarithm_by_table import LEAST

mp: Any = mpmath.mp
"""Its functions have no types."""
mp.prec = 160

Array = NDArray[Any]
LONG = np.longdouble
PI = LONG("3.14159265358979323846264338327950288")


@dataclass(frozen=True)
class Function:
    """One function of OpenCL C."""

    name: str
    exact: Callable[..., Any]
    """Of mpmath's numbers, where the result is a finite number other than 0."""

    reference: Callable[..., Array]
    """Of arrays of `longdouble`."""

    limit: float
    """The ULP that OpenCL 1.2, section 7.4, allows for f32."""

    arguments: str = "F"
    """`F` for a float, `I` for an int."""

    domain: float = np.inf
    """The largest |x| for which the function is meant."""


def _quarters(x: Array, sin: bool) -> Array:
    size = np.abs(x)
    turn = size - 2 * np.floor(size / 2)
    n = np.rint(2 * turn)
    r = (turn - n / 2) * PI
    phase = (n + (0 if sin else 1)) % 4
    values = [np.sin(r), np.cos(r), -np.sin(r), -np.cos(r)]
    y = np.select([phase == i for i in range(4)], values, np.nan)
    return np.where(y == 0, LONG(0), y)


def sinpi(x: Array) -> Array:
    return np.copysign(LONG(1), x) * _quarters(x, sin=True)


def cospi(x: Array) -> Array:
    return _quarters(x, sin=False)


def powr(x: Array, y: Array) -> Array:
    undefined = (x < 0) | np.isnan(x) | np.isnan(y) | ((x == 1) & np.isinf(y))
    undefined |= (y == 0) & ((x == 0) | np.isinf(x))
    return np.where(undefined, np.nan, np.power(np.abs(x), y))


def rootn(x: Array, n: Array) -> Array:
    odd = n % 2 != 0
    root = np.power(np.abs(x), 1 / n.astype(LONG))
    y = np.where(odd, np.copysign(root, x), root)
    return np.where((n == 0) | (~odd & (x < 0)), np.nan, y)


def mp_cbrt(x: Any) -> Any:
    return mp.sign(x) * mp.cbrt(abs(x))


def mp_rootn(x: Any, n: Any) -> Any:
    return mp.sign(x) ** n * mp.power(abs(x), 1 / n)


def mp_atan2pi(y: Any, x: Any) -> Any:
    return mp.atan2(y, x) / mp.pi


def _of_libm(name: str) -> Callable[[Array], Array]:
    """A function of C's math library on f64: numpy has no erf."""
    function = ctypes.CDLL(ctypes.util.find_library("m"))[name]
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return lambda x: np.array([function(float(v)) for v in x.flat], LONG).reshape(x.shape)


FUNCTIONS = (
    Function("exp", mp.exp, np.exp, 3),
    Function("exp2", lambda x: mp.power(2, x), np.exp2, 3),
    Function("exp10", lambda x: mp.power(10, x), lambda x: np.power(LONG(10), x), 3),
    Function("expm1", mp.expm1, np.expm1, 3),
    Function("log", mp.log, np.log, 3),
    Function("log2", lambda x: mp.log(x, 2), np.log2, 3),
    Function("log10", mp.log10, np.log10, 3),
    Function("log1p", mp.log1p, np.log1p, 2),
    Function("pow", mp.power, np.power, 16, "FF"),
    Function("powr", mp.power, powr, 16, "FF"),
    Function("pown", mp.power, lambda x, n: np.power(x, n.astype(LONG)), 16, "FI"),
    Function("rootn", mp_rootn, rootn, 16, "FI"),
    Function("cbrt", mp_cbrt, np.cbrt, 2),
    Function("rsqrt", lambda x: 1 / mp.sqrt(x), lambda x: 1 / np.sqrt(x), 2),
    Function("hypot", mp.hypot, np.hypot, 4, "FF"),
    Function("sin", mp.sin, np.sin, 4),
    Function("cos", mp.cos, np.cos, 4),
    Function("tan", mp.tan, np.tan, 5),
    Function("native_sin", mp.sin, np.sin, 8192, domain=2**16),
    Function("native_cos", mp.cos, np.cos, 8192, domain=2**16),
    Function("native_tan", mp.tan, np.tan, 8192, domain=2**16),
    Function("sinpi", mp.sinpi, sinpi, 4),
    Function("cospi", mp.cospi, cospi, 4),
    Function("tanpi", lambda x: mp.sinpi(x) / mp.cospi(x), lambda x: sinpi(x) / cospi(x), 6),
    Function("asin", mp.asin, np.arcsin, 4),
    Function("acos", mp.acos, np.arccos, 4),
    Function("atan", mp.atan, np.arctan, 5),
    Function("atan2", mp.atan2, np.arctan2, 6, "FF"),
    Function("asinpi", lambda x: mp.asin(x) / mp.pi, lambda x: np.arcsin(x) / PI, 5),
    Function("acospi", lambda x: mp.acos(x) / mp.pi, lambda x: np.arccos(x) / PI, 5),
    Function("atanpi", lambda x: mp.atan(x) / mp.pi, lambda x: np.arctan(x) / PI, 5),
    Function("atan2pi", mp_atan2pi, lambda y, x: np.arctan2(y, x) / PI, 6, "FF"),
    Function("sinh", mp.sinh, np.sinh, 4),
    Function("cosh", mp.cosh, np.cosh, 4),
    Function("tanh", mp.tanh, np.tanh, 5),
    Function("asinh", mp.asinh, np.arcsinh, 4),
    Function("acosh", mp.acosh, np.arccosh, 4),
    Function("atanh", mp.atanh, np.arctanh, 5),
    Function("erf", mp.erf, _of_libm("erf"), 16),
    Function("erfc", mp.erfc, _of_libm("erfc"), 16),
    Function("tgamma", mp.gamma, _of_libm("tgamma"), 16),
    Function("lgamma", lambda x: mp.re(mp.loggamma(x)), _of_libm("lgamma"), 16),
)

SPECIAL = (
    0.0, 1.0, np.inf, 2.0, 0.5, 1.5, 3.0, 2.5, 7.0, 0.75, 1e-3, 10.0, 88.7, 89.5, 103.9, 1e10,
    8388609.0, 16777217.0, 16777215.0, 2.0**31, 1e38,
)  # fmt: skip


def special(dtype: Any) -> Array:
    """Values at the edges, of both signs, and NaN."""
    info = np.finfo(dtype)
    own = [info.max, info.tiny, info.smallest_subnormal, info.eps, 1 - info.epsneg, 1 + info.eps]
    values = np.array([*SPECIAL, *own], np.float64)
    with np.errstate(over="ignore"):
        return np.concatenate([values, -values, [np.nan]]).astype(dtype)


def floats(dtype: Any, count: int, seed: int) -> Array:
    """Dense where functions bend, sparse over the whole format, and the special ones."""
    random = np.random.default_rng(seed)
    bits = f"u{np.dtype(dtype).itemsize}"
    part = count // 6
    parts = [
        random.integers(0, np.iinfo(bits).max, part, bits, endpoint=True).view(dtype),
        random.normal(0, 3, part),
        random.uniform(-1.1, 1.1, part),
        random.uniform(-110, 110, part),
        1 + random.normal(0, 0.01, part),
        np.exp2(random.uniform(-30, 30, part)) * random.choice([-1, 1], part),
        special(dtype),
    ]
    with np.errstate(over="ignore"):
        return np.concatenate([np.asarray(values).astype(dtype) for values in parts])


def table_edges(name: str, dtype: Any) -> Array:
    """Floats next to where `expand-math` changes from one number of a table to the next.

    For exp and its like that is at half of a sixteenth (f64: an eighth) of a power, for the others
    at such parts of a mantissa.
    """
    bits, info = f"u{np.dtype(dtype).itemsize}", np.finfo(dtype)
    places = 8 if dtype == np.float64 else 16
    if name.startswith("exp"):
        base = {"exp2": 2.0, "exp10": 10.0}.get(name, np.e)
        edges = ((np.arange(-64, 64) + 0.5) / places * np.log(2) / np.log(base)).astype(dtype)
    else:
        least = np.array(LEAST[dtype == np.float64], dtype).view(bits)
        parts = np.arange(places + 1) * (2**info.nmant // places)
        mantissas = (least + parts.astype(bits)).view(dtype)
        edges = np.concatenate([np.ldexp(mantissas, e) for e in (-40, -1, 0, 1, 40)]).astype(dtype)
    near = edges.view(bits)[:, None] + np.arange(-3, 4).astype(bits)
    return near.ravel().view(dtype)


@cache
def hard_angles(dtype: Any) -> Array:
    """For each exponent the float that is nearest to a multiple of pi/2, relative to the multiple.

    m 2^e = k pi/2: m and k are the last convergent of pi/2 / 2^e that the mantissa holds.
    """
    info = np.finfo(dtype)
    found: list[Array] = []
    with mp.workprec(info.maxexp + 300):
        for exponent in range(-info.nmant, info.maxexp - info.nmant):
            rest = mp.pi / 2 / mp.mpf(2) ** exponent
            before, mantissa = 0, 1
            while True:
                whole = int(mp.floor(rest))
                before, mantissa = mantissa, whole * mantissa + before
                if mantissa >> (info.nmant + 1):
                    break
                rest = 1 / (rest - whole)
            found.append(np.ldexp(dtype(before), exponent))
    return np.array(found, dtype)


def arguments(function: Function, dtype: Any, count: int) -> list[Array]:
    """The sample for a function: for two arguments also each special value with each one.

    The special values come last.
    """
    first = floats(dtype, count, seed=1)
    if function.name in ("sin", "cos", "tan"):
        first = np.concatenate([first, hard_angles(dtype)])
    by_table = (*BY_TABLE, "pow", "powr", "pown", "rootn")
    if function.name in by_table and dtype != np.float16:
        first = np.concatenate([first, table_edges(function.name, dtype)])
    if len(function.arguments) == 1:
        return [first[~(np.abs(first) > function.domain)]]
    a, b = np.meshgrid(special(dtype), special(dtype))
    second = np.random.default_rng(2).permutation(first)
    pair = [np.concatenate([first, a.ravel()]), np.concatenate([second, b.ravel()])]
    if function.arguments == "FI":
        with np.errstate(invalid="ignore"):
            small = np.rint(np.clip(np.nan_to_num(pair[1].astype("f8")), -(2.0**31), 2.0**31 - 1))
        pair[1] = small.astype(np.int32)
    return pair


def ulp_errors(got: Array, reference: Array) -> NDArray[np.float64]:
    """How far `got` is off, in units of the last place of the reference (section 7.4).

    Infinite where one is NaN or infinite and the other is not (but infinity is right where the
    reference rounds to it), and where zeros differ in their sign.
    """
    info = np.finfo(got.dtype)
    with np.errstate(all="ignore"):
        nearest = reference.astype(got.dtype)
        exponent = np.floor(np.log2(np.maximum(np.abs(reference), LONG(info.tiny))))
        unit = np.exp2(exponent - info.nmant)
        error = np.abs(got.astype(LONG) - reference) / unit
    both_nan = np.isnan(got) & np.isnan(reference)
    same = (got == nearest) & (np.signbit(got) == np.signbit(reference))
    wrong_zero = (got == 0) & (reference == 0) & ~same
    error = np.where(np.isnan(error) | wrong_zero, np.inf, error)
    too_large = np.abs(reference) >= LONG(info.max)
    beyond = np.isinf(got) & too_large & (np.signbit(got) == np.signbit(reference))
    error = np.where(both_nan | beyond, 0, error)
    # Equal infinities; else the error of the nearest float itself counts.
    return np.where(same & np.isinf(got), 0, error).astype(np.float64)


def reference_of(function: Function, values: list[Array]) -> Array:
    """In `longdouble`."""
    with np.errstate(all="ignore"):
        return function.reference(*(v.astype(LONG) if v.dtype.kind == "f" else v for v in values))


def exact_errors(
    function: Function, values: list[Array], got: Array, reference: Array
) -> NDArray[np.float64]:
    """As `ulp_errors`, by mpmath, which knows finite numbers without a sign of zero.

    The reference judges where it or an argument is NaN, infinite or 0.
    """
    errors = ulp_errors(got, reference)
    ordinary = np.isfinite(got)
    for numbers in (reference, *values):
        ordinary &= np.isfinite(numbers) & (numbers != 0)
    for i in np.flatnonzero(ordinary):
        y = function.exact(*(mp.mpf(value[i].item()) for value in values))
        errors[i] = abs(mp.mpf(got[i].item()) - y) / _unit(y, got.dtype)
    return errors


def _unit(y: Any, dtype: Any) -> Any:
    """The last place of floats near y."""
    info = np.finfo(dtype)
    exponent = mp.frexp(y)[1] - 1
    return mp.ldexp(1, max(exponent, int(info.minexp)) - info.nmant)
