"""asin, acos, atan, atan2 and their forms over pi.

Each is q pi/2 +- t with a whole number q: q and t are found first, then they are added in radians
or, for the forms over pi, as q/2 +- t/pi.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from polycl.lowering.llvm.expand_math.math_values import Bool, Real, Rule

Sum = Callable[[Real, Real], Real]
"""Of q and t, the angle in some unit."""


def _radians(q: Real, t: Real) -> Real:
    """q pi/2 + t; just t for q = 0."""
    high, low = q.table("HALF_PI")[:2]
    return q.fma(high, q.fma(low, t))


def _over_pi(q: Real, t: Real) -> Real:
    """q/2 + t/pi."""
    high, low = q.table("INVERSE_PI")
    return q.fma(0.5, t.fma(high, t * low))


def _asin_parts(x: Real) -> tuple[Real, Real]:
    """z and asin(s), where s = |x| and z = 0 up to 1/2, and s = sqrt((1 - |x|)/2), z = 1 above.

    asin(s) = s + s^3 p(s^2), and asin |x| = pi/2 - 2 asin(sqrt((1 - |x|)/2)). NaN above 1.
    """
    size = abs(x)
    is_large = size > 0.5
    half = size.fma(-0.5, 0.5)
    square = is_large.choose(half, size * size)
    s = is_large.choose(half.sqrt(), size)
    rest = square.polynomial("ASIN")
    return is_large.choose(size.constant(1.0), 0.0), (s * square).fma(rest, s)


def _asin(add: Sum) -> Rule:
    def asin(x: Real) -> Real:
        """t, or pi/2 - 2t; with the sign of x."""
        z, t = _asin_parts(x)
        return add(z, z.equals(0.0).choose(t, t * -2.0)).copysign(x)

    return asin


def _acos(add: Sum) -> Rule:
    def acos(x: Real) -> Real:
        """pi/2 - t for |x| <= 1/2 (t has the sign of x), 2t above, pi - 2t below."""
        z, t = _asin_parts(x)
        is_small = z.equals(0.0)
        quarters = is_small.choose(1.0, (x < 0.0).choose(x.constant(2.0), 0.0))
        signed = is_small.choose(-t, t * 2.0).xor_sign(x.sign_bit())
        return add(quarters, signed)

    return acos


def _atan_of_ratio(add: Sum, y: Real, x: Real, q: Real, swap: Bool) -> Real:
    """q pi/2 + atan(y/x) for 0 <= y and 0 <= x; atan(a/b) = pi/2 - atan(b/a), if `swap`.

    The smaller one over the larger one is t <= 1: atan(t) = t + t^3 p(t^2). 0/0 counts as 0, and
    inf/inf as 1.
    """
    small, large = swap.choose(x, y), swap.choose(y, x)
    t = small / large
    t = small.equals(math.inf).choose(1.0, t)
    t = large.equals(0.0).choose(0.0, t)
    square = t * t
    angle = (t * square).fma(square.polynomial("ATAN"), t)
    return add(swap.choose(q + 1.0, q), swap.choose(-angle, angle))


def _atan(add: Sum) -> Rule:
    def atan(x: Real) -> Real:
        """atan |x|, with the sign of x."""
        zero, one = x.constant(0.0), x.constant(1.0)
        return _atan_of_ratio(add, abs(x), one, zero, abs(x) > 1.0).copysign(x)

    return atan


def _atan2(add: Sum) -> Rule:
    def atan2(y: Real, x: Real) -> Real:
        """atan(|y|/|x|) for x > 0, pi - atan(|y|/|x|) for x < 0 or x = -0; the sign of y.

        The second is pi/2 + atan(|x|/|y|): the sides change places.
        """
        is_left = x.bits().compare("slt", 0)
        up, right = abs(y), abs(x)
        far, near = is_left.choose(right, up), is_left.choose(up, right)
        q = is_left.choose(x.constant(1.0), 0.0)
        # From pi, not from pi/2, where both sides are equal: they may be 0.
        swap = (far > near) | (is_left & far.equals(near))
        angle = _atan_of_ratio(add, far, near, q, swap).copysign(y)
        # The comparisons of the sides may have lost a NaN.
        return x.compare("uno", y).choose(math.nan, angle)

    return atan2


SINGLE: dict[str, Rule] = {
    "asin": _asin(_radians),
    "acos": _acos(_radians),
    "atan": _atan(_radians),
    "atan2": _atan2(_radians),
    "asinpi": _asin(_over_pi),
    "acospi": _acos(_over_pi),
    "atanpi": _atan(_over_pi),
    "atan2pi": _atan2(_over_pi),
}
DOUBLE: dict[str, Rule] = SINGLE
