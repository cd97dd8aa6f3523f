"""sin, cos, tan and sincos, for all finite arguments.

x = (n + r) pi/2 with |r| <= 1/2: n modulo 4 selects sin or cos of r pi/2, and the sign. The method
that finds n and r depends on the size of x only, so a result depends on its own argument only. From
x of moderate size n pi/2 is subtracted in three parts (W. J. Cody and W. Waite, "Software manual
for the elementary functions", 1980). Larger ones are computed in a branch that is skipped if there
are none.

For a large f32, n + r = x 2/pi is computed in f64 with 106 bits of 2/pi, without the bits
that make multiples of 4 with every f32 of the size of x (M. Payne and R. Hanek,
"Radian reduction for trigonometric functions", 1983). So the result is exact to 2^-56, and no f32
is nearer than 2^-33 to a multiple of pi/2. The ranges of x are chosen by selects. For f64 see
angle_f64.py, for f32 without f64 angle_words.py.
"""

from __future__ import annotations

from collections.abc import Callable

from polycl.lowering.llvm.expand_math.angle_f64 import reduce_large_f64
from polycl.lowering.llvm.expand_math.angle_words import reduce_large_by_words
from polycl.lowering.llvm.expand_math.coefficients import F64
from polycl.lowering.llvm.expand_math.math_values import (
    Int,
    Real,
    Rule,
    minus_multiple,
    round_to_int,
)

SMALL = 2.0**16
"""f32 below are of moderate size; all f16 are."""

SMALL_F64 = 2.0**32


def reduce_small(x: Real) -> tuple[Real, Int]:
    """r pi/2 and n (its low bits) of |x| below SMALL or SMALL_F64. NaN for infinities and NaN.

    With the first of the three parts the difference has no rounding error: it is below 1, and a
    multiple of the last places of x and of that part. The second part's difference is rounded as r
    is. The third part counts if x is next to a multiple of pi/2.
    """
    size = abs(x)
    parts = x.table("HALF_PI")
    n = round_to_int(size, 1.0 / sum(parts))
    return minus_multiple(size, n.number, parts, 16), n.bits


def reduce_large(x: Real) -> tuple[Real, Int]:
    """r pi/2 and n (its low bits) of |x|, any f32. NaN for infinities and NaN."""
    size = abs(x)
    wide = size.to_f64()
    limits, highs, lows = (F64[f"TWO_OVER_PI_{part}"] for part in ("LIMIT", "HIGH", "LOW"))
    high, low = wide.constant(highs[0]), wide.constant(lows[0])
    for limit, next_high, next_low in zip(limits, highs[1:], lows[1:], strict=False):
        beyond = size >= limit
        high, low = beyond.choose(next_high, high), beyond.choose(next_low, low)
    turns = wide * high
    error = wide.fma(high, -turns)
    n = round_to_int(turns)
    r = (turns - n.number) + wide.fma(low, error)
    return (r * sum(r.table("HALF_PI"))).to_f32(), n.bits.resized(32)


def reduce_angle(x: Real) -> tuple[Real, Int]:
    """As `reduce_small`, of any x."""
    large = abs(x) >= x.pick(SMALL, SMALL_F64)
    single = reduce_large if x.is_fused else reduce_large_by_words
    return large.if_rare(x.pick(single, reduce_large_f64), x, reduce_small(x))


def reduce_limited(x: Real) -> tuple[Real, Int]:
    """As `reduce_small`; r is 0 for finite |x| from SMALL on (OpenCL 1.2, section 6.12.2)."""
    r, n = reduce_small(x)
    return (abs(x) > SMALL).choose(abs(x) * 0.0, r), n


def sin_and_cos(r: Real) -> tuple[Real, Real]:
    """Of |r| <= pi/4: r + r^3 p(r^2) and 1 - r^2/2 + r^4 q(r^2)."""
    z = r * r
    sin = (r * z).fma(z.polynomial("SIN"), r)
    cos = (z * z).fma(z.polynomial("COS"), z.fma(-0.5, 1.0))
    return sin, cos


def quarter(n: Int, sin: Real, cos: Real) -> Real:
    """sin, cos, -sin, -cos for n = 0, 1, 2, 3 modulo 4."""
    odd = (n & 1).compare("ne", 0)
    return odd.choose(cos, sin).xor_sign((n & 2) << sin.pick(30, 62))


Reduction = Callable[[Real], tuple[Real, Int]]


def _small(x: Real, y: Real) -> Real:
    """An odd function's value y of |x| with the sign of x; x itself if x^3 does not count.

    In f32 the formula gives x then.
    """
    y = y.xor_sign(x.sign_bit())
    return (abs(x) < 2.0**-30).choose(x, y) if x.is_f64 else y


def _sin(reduce: Reduction) -> Rule:
    def sin(x: Real) -> Real:
        """The sign of x times sin |x|."""
        r, n = reduce(x)
        return _small(x, quarter(n, *sin_and_cos(r)))

    return sin


def _cos(reduce: Reduction) -> Rule:
    def cos(x: Real) -> Real:
        """sin(|x| + pi/2)."""
        r, n = reduce(x)
        return quarter(n + 1, *sin_and_cos(r))

    return cos


def _sincos(reduce: Reduction) -> Rule:
    def sincos(x: Real) -> tuple[Real, Real]:
        """Both, with one reduction."""
        r, n = reduce(x)
        sin, cos = sin_and_cos(r)
        return _small(x, quarter(n, sin, cos)), quarter(n + 1, sin, cos)

    return sincos


def _tan(reduce: Reduction) -> Rule:
    def tan(x: Real) -> Real:
        """sin(r) / cos(r) for even n, -cos(r) / sin(r) for odd n."""
        r, n = reduce(x)
        sin, cos = sin_and_cos(r)
        odd = (n & 1).compare("ne", 0)
        quotient = odd.choose(cos, sin) / odd.choose(sin, cos)
        return _small(x, quotient.xor_sign(n << x.pick(31, 63)))

    return tan


_MAKERS = {"sin": _sin, "cos": _cos, "tan": _tan, "sincos": _sincos}
DOUBLE: dict[str, Rule] = {name: make(reduce_angle) for name, make in _MAKERS.items()}
HALF: dict[str, Rule] = {name: make(reduce_small) for name, make in _MAKERS.items()}
"""All f16 are of moderate size."""

SINGLE: dict[str, Rule] = (
    DOUBLE
    | {f"native_{name}": HALF[name] for name in ("sin", "cos", "tan")}
    | {f"half_{name}": _MAKERS[name](reduce_limited) for name in ("sin", "cos", "tan")}
)
