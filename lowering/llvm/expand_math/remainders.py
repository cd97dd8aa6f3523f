"""fmod, remainder and remquo, which are exact.

While all whole numbers up to a / b are floats, trunc(a / b), of the rounded quotient, is that of
the true one, or larger by 1 if that is just below a whole number. So a - trunc(a / b) * b is the
result or too small by b. Both are multiples of b's last place and no larger than b: they are
floats, and `fma` makes no error. Larger quotients are rare: f32 is made smaller first, modulo
multiples of b, and f64 is left to libm.
"""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.math_values import Int, Real, Rule

_STEPS = (250, 200, 150, 100, 50, 0)
"""The powers k, largest first: a / b is below 2^277, and after each step below 2^k."""


def _rest(a: Real, b: Real) -> Real:
    """a modulo b, for 0 <= a < 2^mantissa * b: NaN if b is 0, or a or b no number, or infinite."""
    rest = (-(a / b).trunc()).fma(b, a)
    return (rest < 0.0).choose(rest + b, rest)


def _rest_in_steps(a: Real, b: Real) -> Real:
    """a modulo b for any size of their quotient, in f64, which holds 2^50 times an f32."""
    rest, step = a.to_f64(), b.to_f64()
    for k in _STEPS:
        rest = _rest(rest, step * 2.0**k)
    return rest.to_f32()


def _rest_of_libm(a: Real, b: Real) -> Real:
    (rest,) = a.e.builtin("fmod", [a.ssa, b.ssa], [a.type])
    return Real(a.e, rest)


def _modulo(a: Real, b: Real) -> Real:
    """a modulo b for 0 <= a, 0 <= b: a itself if it is smaller, as it is if b is infinite."""

    def of_large(a: Real) -> tuple[Real]:
        divisor = Real(a.e, b.ssa)
        return (a.pick(_rest_in_steps, _rest_of_libm)(a, divisor),)

    is_large = a >= b * a.pick(2.0**24, 2.0**53)
    (rest,) = is_large.if_rare(of_large, a, (_rest(a, b),))
    return (a < b).choose(a, rest)


def fmod(x: Real, y: Real) -> Real:
    """x - trunc(x / y) * y, with the sign of x."""
    return _modulo(abs(x), abs(y)).copysign(x)


def remainder(x: Real, y: Real) -> Real:
    """x - n * y for the whole number n nearest to x / y, the even one of two.

    Of r = |x| modulo 2 |y|, |y| is subtracted if n is 1, twice if it is 2. `r > b - r`, unlike
    `2 * r > b`, is false where b is infinite; b - r is exact where it is near r.
    """
    b = abs(y)
    rest = _modulo(abs(x), b * 2.0)
    once = rest - b
    nearest = (once >= b - once).choose(once - b, once)
    return (rest > b - rest).choose(nearest, rest).xor_sign(x.sign_bit())


def remquo(x: Real, y: Real) -> tuple[Real, Int]:
    """remainder(x, y) of f32, and the 7 low bits of n with its sign, 0 for NaN.

    In f64 the quotient of |x| modulo 128 |y| and |y| is never rounded to a half, and n is exact.
    """
    size = abs(y)
    a, b = _modulo(abs(x), size * 128.0).to_f64(), size.to_f64()
    n = (a / b).round_even()
    # Of an infinite b, 0 * b is NaN.
    rest = n.equals(0.0).choose(a, (-n).fma(b, a))
    bits = (n > 0.0).choose(n, 0.0).to_int(32) & 127
    negative = (x.sign_bit() ^ y.sign_bit()).compare("ne", 0)
    return rest.to_f32().xor_sign(x.sign_bit()), negative.choose_int(0 - bits, bits)


DOUBLE: dict[str, Rule] = {"fmod": fmod, "remainder": remainder}
SINGLE: dict[str, Rule] = DOUBLE | {"remquo": remquo}
