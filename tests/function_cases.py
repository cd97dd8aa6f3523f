"""The functions of OpenCL C with what they are, element by element, for tests on all types and
widths.

A signature has a letter for each argument and, after `>`, each result; all results after the first
are written through pointers:

    T  the type itself: a scalar or vector     E  its element type, a scalar in any case
    S  signed integers as wide as its elements U  unsigned integers as wide as its elements
    W  integers twice as wide                  I  as many `int`; i one `int`
    B  truth: 1 for a scalar, all bits for an element of a vector, stored as S

References get an array for each argument, of one row per work-item, and return one for each
result. Those of integers get Python's integers.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

import math_cases
from math_cases import LONG, Array

INTEGERS = {
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
}
FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}
TYPES: dict[str, Any] = INTEGERS | FLOATS


def as_integer(type: str, letter: str) -> str:
    """The integer type that a letter means."""
    size = np.dtype(TYPES[type]).itemsize * (2 if letter == "W" else 1)
    name = {1: "char", 2: "short", 4: "int", 8: "long"}[size]
    signed = letter in "SB" or (letter == "W" and not type.startswith("u"))
    return name if signed else "u" + name


@dataclass(frozen=True)
class Row:
    """A function, of one signature."""

    name: str
    signature: str
    reference: Callable[..., Any]
    types: Sequence[str]
    ulp: float = 0
    """How far the result may be off the reference, which is one of `longdouble` then."""
    inputs: Callable[..., Sequence[Array]] = field(default=lambda *arrays: arrays)
    """Makes arguments for which the function is defined of any."""
    signed_zeros: bool = True
    """Whether the sign of a zero is defined."""

    @property
    def arguments(self) -> str:
        return self.signature.partition(">")[0]

    @property
    def results(self) -> str:
        return self.signature.partition(">")[2]


@dataclass(frozen=True)
class Integer:
    """A type of integers."""

    bits: int
    signed: bool

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1

    def clamp(self, value: int) -> int:
        low = -(1 << (self.bits - 1)) if self.signed else 0
        return min(max(value, low), low + self.mask)


def _each(function: Callable[..., int]) -> Callable[..., Array]:
    """A reference of a function of Python's integers, which gets the type first."""

    def reference(*arrays: Array) -> Array:
        first = arrays[0].dtype
        type = Integer(8 * first.itemsize, first.kind == "i")
        lists = [array.ravel().tolist() for array in np.broadcast_arrays(*arrays)]
        values = [function(type, *row) for row in zip(*lists, strict=True)]
        return np.array(values, object).reshape(np.broadcast_shapes(*(a.shape for a in arrays)))

    return reference


def _rotate(t: Integer, x: int, y: int) -> int:
    y %= t.bits
    return (x & t.mask) << y | (x & t.mask) >> (t.bits - y)


def _limits(x: Array, low: Array, high: Array) -> Sequence[Array]:
    return x, np.minimum(low, high), np.maximum(low, high)


def _of_24_bits(*arrays: Array) -> Sequence[Array]:
    shifted = [a >> 8 for a in arrays[:2]]
    return [*shifted, *arrays[2:]]


_ALL, _SMALL, _WORDS = tuple(INTEGERS), tuple(INTEGERS)[:6], ("int", "uint")
_I: dict[tuple[str, str], Callable[..., int]] = {
    ("abs", "T>U"): lambda t, x: abs(x),
    ("abs_diff", "TT>U"): lambda t, x, y: abs(x - y),
    ("add_sat", "TT>T"): lambda t, x, y: t.clamp(x + y),
    ("sub_sat", "TT>T"): lambda t, x, y: t.clamp(x - y),
    ("mad_sat", "TTT>T"): lambda t, x, y, z: t.clamp(x * y + z),
    ("hadd", "TT>T"): lambda t, x, y: (x + y) >> 1,
    ("rhadd", "TT>T"): lambda t, x, y: (x + y + 1) >> 1,
    ("clz", "T>T"): lambda t, x: t.bits - (x & t.mask).bit_length(),
    ("ctz", "T>T"): lambda t, x: (x & -x).bit_length() - 1 if x else t.bits,
    ("popcount", "T>T"): lambda t, x: (x & t.mask).bit_count(),
    ("mul_hi", "TT>T"): lambda t, x, y: x * y >> t.bits,
    ("mad_hi", "TTT>T"): lambda t, x, y, z: (x * y >> t.bits) + z,
    ("rotate", "TT>T"): _rotate,
    ("bit_reverse", "T>T"): lambda t, x: int(f"{x & t.mask:0{t.bits}b}"[::-1], 2),
    **{
        (name, f"T{second}>T"): function
        for second in "TE"
        for name, function in (
            ("max", lambda t, x, y: max(x, y)),
            ("min", lambda t, x, y: min(x, y)),
        )
    },
}
INTEGER_ROWS = (
    *(Row(name, signature, _each(f), _ALL) for (name, signature), f in _I.items()),
    *(
        Row("clamp", s, _each(lambda t, x, a, b: min(max(x, a), b)), _ALL, inputs=_limits)
        for s in ("TTT>T", "TEE>T")
    ),
    Row("upsample", "TU>W", _each(lambda t, x, y: x << t.bits | y), _SMALL),
    Row("mul24", "TT>T", _each(lambda t, x, y: x * y), _WORDS, inputs=_of_24_bits),
    Row("mad24", "TTT>T", _each(lambda t, x, y, z: x * y + z), _WORDS, inputs=_of_24_bits),
)


def rounded(value: Fraction, dtype: Any, mode: str = "rte") -> Any:
    """The float of a format that a rational number is rounded to."""
    info = np.finfo(dtype)
    if value == 0:
        return dtype(0)
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, int(info.minexp)) - info.nmant)
    result = to_integer(value / unit, mode) * unit
    sign = -1 if value < 0 else 1
    largest = Fraction(float(info.max))
    if abs(result) <= largest:
        return dtype(sign * float(abs(result)))
    inward = mode == "rtz" or mode == ("rtp" if value < 0 else "rtn")
    return dtype(sign * (float(largest) if inward else math.inf))


def to_integer(value: Fraction, mode: str) -> int:
    """A rational number rounded to an integer: `rte`, `rtz`, `rtp` or `rtn`."""
    return {"rte": round, "rtz": math.trunc, "rtp": math.ceil, "rtn": math.floor}[mode](value)


def _exactly(function: Callable[..., Fraction], other: Callable[..., Any]) -> Callable[..., Array]:
    """A reference by rational numbers, and another where one is infinite, NaN or the result 0."""

    def one(*values: Any) -> Any:
        if all(np.isfinite(value) for value in values):
            exact = function(*(Fraction(value.item()) for value in values))
            if exact != 0:
                return rounded(exact, type(values[0]))
        return other(*values)

    def reference(*arrays: Array) -> Array:
        rows = [array.ravel() for array in np.broadcast_arrays(*arrays)]
        found = [one(*values) for values in zip(*rows, strict=True)]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        return np.array(found, arrays[0].dtype).reshape(shape)

    return reference


def _remainder(x: Any, y: Any) -> float:
    return math.nan if np.isnan(x + y) or np.isinf(x) or y == 0 else math.remainder(x, y)


def _remquo(x: Array, y: Array) -> tuple[Array, Array]:
    remainders = np.vectorize(_remainder, [float])(x, y).astype(x.dtype)

    def quotient(x: Any, y: Any) -> int:
        if not np.isfinite(x) or not np.isfinite(y) or y == 0:
            return 0
        whole = round(Fraction(x) / Fraction(y))
        return (abs(whole) & 127) * (-1 if whole < 0 else 1)

    return remainders, np.vectorize(quotient, [int])(x.astype("f8"), y.astype("f8"))


def _round(x: Array) -> Array:
    whole = np.trunc(x)
    return np.copysign(whole + np.where(np.abs(x - whole) >= 0.5, np.copysign(1, x), 0), x)


def _fract(x: Array) -> tuple[Array, Array]:
    whole = np.floor(x)
    below_one = np.nextafter(x.dtype.type(1), x.dtype.type(0))
    part = np.where(np.isinf(x), np.copysign(0, x), np.minimum(x - whole, below_one))
    return np.where(x == 0, x, part), whole


def _by_size(pick: Callable[[Array, Array], Array], largest: bool) -> Callable[..., Array]:
    def reference(x: Array, y: Array) -> Array:
        a, b = (np.abs(x), np.abs(y)) if largest else (np.abs(y), np.abs(x))
        return np.where(a > b, x, np.where(b > a, y, pick(x, y)))

    return reference


def _ilogb(x: Array) -> Array:
    ordinary = np.isfinite(x) & (x != 0)
    exponents = np.frexp(np.where(ordinary, x, 1))[1] - 1
    # The header of clang: FP_ILOGB0 is INT_MIN, FP_ILOGBNAN is INT_MAX.
    return np.where(ordinary, exponents, np.where(x == 0, -(2**31), 2**31 - 1))


def _logb(x: Array) -> Array:
    ordinary = np.isfinite(x) & (x != 0)
    exponents = np.frexp(np.where(ordinary, x, 1))[1] - 1
    return np.where(ordinary, exponents, np.where(x == 0, -np.inf, x * x))


def _sign(x: Array) -> Array:
    return np.where(np.isnan(x), 0, np.where(x == 0, x, np.copysign(1, x)))


def _finite(*arrays: Array) -> Sequence[Array]:
    return [np.where(np.isfinite(a), a, 1).astype(a.dtype) for a in arrays]


def _numbers(*arrays: Array) -> Sequence[Array]:
    return [np.where(np.isnan(a), 1, a).astype(a.dtype) for a in arrays]


def _small_exponents(x: Array, n: Array) -> Sequence[Array]:
    return x, n % 4500 - 2250


def _smooth(low: Array, high: Array, x: Array) -> Array:
    low, high, x = (np.asarray(a, LONG) for a in (low, high, x))
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def _edges(low: Array, high: Array, x: Array) -> Sequence[Array]:
    """Edges 0 and 1 to 2, so that the quotient has one rounding."""
    size = np.where(np.isfinite(high), high, 0).astype("f8")
    above = (1 + np.abs(np.sin(size))).astype(high.dtype)
    return np.zeros_like(low), above, np.abs(np.where(np.isfinite(x), x, 1)).astype(x.dtype)


_F = tuple(FLOATS)
_EXACT: dict[tuple[str, str], Callable[..., Any]] = {
    ("fabs", "T>T"): np.abs,
    ("ceil", "T>T"): np.ceil,
    ("floor", "T>T"): np.floor,
    ("rint", "T>T"): np.rint,
    ("trunc", "T>T"): np.trunc,
    ("round", "T>T"): _round,
    ("copysign", "TT>T"): np.copysign,
    ("fdim", "TT>T"): lambda x, y: np.where(x <= y, 0, x - y),
    ("fmod", "TT>T"): np.fmod,
    ("remainder", "TT>T"): lambda x, y: _remquo(x, y)[0],
    ("remquo", "TT>TI"): _remquo,
    ("fma", "TTT>T"): _exactly(lambda x, y, z: x * y + z, lambda x, y, z: x * y + z),
    ("ilogb", "T>I"): _ilogb,
    ("logb", "T>T"): _logb,
    ("modf", "T>TT"): np.modf,
    ("fract", "T>TT"): _fract,
    ("nextafter", "TT>T"): np.nextafter,
    ("nan", "U>T"): lambda n: np.full(n.shape, np.nan),
    ("sign", "T>T"): _sign,
    ("step", "TT>T"): lambda edge, x: np.where(x < edge, 0, 1),
    ("step", "ET>T"): lambda edge, x: np.where(x < edge, 0, 1),
}
_EITHER_ZERO: dict[tuple[str, str], Callable[..., Any]] = {
    ("fmax", "TT>T"): np.fmax,
    ("fmin", "TT>T"): np.fmin,
    ("fmax", "TE>T"): np.fmax,
    ("fmin", "TE>T"): np.fmin,
    ("maxmag", "TT>T"): _by_size(np.fmax, largest=True),
    ("minmag", "TT>T"): _by_size(np.fmin, largest=False),
}
_LARGE = 8192
"""Units of the last place that OpenCL allows for functions with the prefix `half_`."""
_TRUTHS: dict[tuple[str, str], Callable[..., Any]] = {
    ("isequal", "TT>B"): operator.eq,
    ("isnotequal", "TT>B"): operator.ne,
    ("isgreater", "TT>B"): operator.gt,
    ("isgreaterequal", "TT>B"): operator.ge,
    ("isless", "TT>B"): operator.lt,
    ("islessequal", "TT>B"): operator.le,
    ("islessgreater", "TT>B"): lambda x, y: (x < y) | (x > y),
    ("isordered", "TT>B"): lambda x, y: (x == x) & (y == y),
    ("isunordered", "TT>B"): lambda x, y: (x != x) | (y != y),
    ("isnan", "T>B"): np.isnan,
    ("isinf", "T>B"): np.isinf,
    ("isfinite", "T>B"): np.isfinite,
    ("isnormal", "T>B"): lambda x: np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).tiny),
    ("signbit", "T>B"): np.signbit,
}


def _truth(predicate: Callable[..., Array]) -> Callable[..., Array]:
    def reference(*arrays: Array) -> Array:
        return predicate(*arrays) * (1 if arrays[0].shape[1] == 1 else -1)

    return reference


def _math_row(function: math_cases.Function, name: str, limit: float) -> Row:
    def reference(*arrays: Array) -> Array:
        return math_cases.reference_of(function, list(arrays))

    domain = min(function.domain, 2.0**16 if limit > 100 and name != "sin" else np.inf)

    def inputs(*arrays: Array) -> Sequence[Array]:
        return [
            np.where(np.abs(a) > min(domain, np.finfo(a.dtype).max), 1, a).astype(a.dtype)
            if a.dtype.kind == "f" and np.isfinite(domain)
            else a
            for a in arrays
        ]

    signature = function.arguments.replace("F", "T") + ">T"
    types = ("float",) if name.startswith(("half_", "native_")) else _F
    return Row(name, signature, reference, types, limit, inputs)


def _longs(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arrays: function(*(np.asarray(array, LONG) for array in arrays))


_BY_NAME = {function.name: function for function in math_cases.FUNCTIONS}
_FAST = ("cos", "exp", "exp10", "exp2", "log", "log10", "log2", "powr", "rsqrt", "sin", "tan")
FLOAT_ROWS = (
    *(Row(name, s, f, _F) for (name, s), f in _EXACT.items()),
    *(Row(name, s, f, _F, signed_zeros=False) for (name, s), f in _EITHER_ZERO.items()),
    *(Row(name, s, _truth(f), _F) for (name, s), f in _TRUTHS.items()),
    *(
        Row(name, s, f, _F, inputs=_numbers, signed_zeros=False)
        for s in ("TT>T", "TE>T")
        for name, f in (("max", np.fmax), ("min", np.fmin))
    ),
    *(
        Row(
            "clamp",
            s,
            lambda x, a, b: np.fmin(np.fmax(x, a), b),
            _F,
            inputs=lambda *arrays: _limits(*_numbers(*arrays)),
            signed_zeros=False,
        )
        for s in ("TTT>T", "TEE>T")
    ),
    Row("frexp", "T>TI", np.frexp, _F, inputs=_finite),
    *(
        Row(
            "ldexp",
            s,
            lambda x, n: np.array(
                [
                    rounded(Fraction(a.item()) * Fraction(2) ** int(b), type(a))
                    if np.isfinite(a) and a != 0
                    else a
                    for a, b in zip(*(v.ravel() for v in np.broadcast_arrays(x, n)), strict=True)
                ],
                x.dtype,
            ).reshape(x.shape),
            _F,
            inputs=_small_exponents,
        )
        for s in ("TI>T", "Ti>T")
    ),
    Row("degrees", "T>T", _longs(lambda x: x * (180 / math_cases.PI)), _F, 3),
    Row("radians", "T>T", _longs(lambda x: x * (math_cases.PI / 180)), _F, 3),
    Row("smoothstep", "TTT>T", _smooth, _F, 12, inputs=_edges),
    Row("smoothstep", "EET>T", _smooth, _F, 12, inputs=_edges),
    Row("sqrt", "T>T", _longs(np.sqrt), _F, 3),
    *(
        Row(f"{kind}_{name}", s, _longs(f), ("float",), _LARGE, inputs=_finite)
        for kind in ("half", "native")
        for name, s, f in (
            ("sqrt", "T>T", np.sqrt),
            ("recip", "T>T", lambda x: 1 / x),
            ("divide", "TT>T", lambda x, y: x / y),
        )
    ),
    Row(
        "sincos",
        "T>TT",
        _longs(lambda x: (np.sin(x), np.cos(x))),
        _F,
        4,
        inputs=lambda x: [np.where(np.abs(x) > 1000, 1, x).astype(x.dtype)],
    ),
    Row(
        "lgamma_r",
        "T>TI",
        lambda x: (_BY_NAME["lgamma"].reference(x), np.ones(x.shape, np.int32)),
        _F,
        16,
        inputs=lambda x: [np.where((x > 0) & (x < 30), x, 2.5).astype(x.dtype)],
    ),
    *(_math_row(f, f.name, f.limit) for f in math_cases.FUNCTIONS),
    *(
        _math_row(_BY_NAME[name], f"{kind}_{name}", _LARGE)
        for kind in ("half", "native")
        for name in _FAST
        if f"{kind}_{name}" not in _BY_NAME
    ),
)


def _choose(x: Array, y: Array, c: Array) -> Array:
    """`select`: a scalar asks for any bit, an element of a vector for the most significant."""
    truth = c != 0 if c.shape[1] == 1 else c.view(f"i{c.itemsize}") < 0
    return np.where(truth, y, x)


def _bits(x: Array, y: Array, c: Array) -> Array:
    a, b, mask = (np.ascontiguousarray(v).view(f"u{v.itemsize}") for v in (x, y, c))
    return ((a & ~mask) | (b & mask)).view(x.dtype)


def _quiet(*arrays: Array) -> Sequence[Array]:
    """No signalling NaN: the interpreter makes a quiet one of it as it reads it."""
    floats = arrays[0].dtype.kind == "f"
    return [np.where(a != a, a.dtype.type(np.nan), a) for a in arrays] if floats else arrays


CHOICE_ROWS = (
    Row("select", "TTS>T", _choose, tuple(TYPES)),
    Row("select", "TTU>T", _choose, tuple(TYPES)),
    Row("bitselect", "TTT>T", _bits, tuple(TYPES), inputs=_quiet),
)
ROWS = (*INTEGER_ROWS, *FLOAT_ROWS, *CHOICE_ROWS)
