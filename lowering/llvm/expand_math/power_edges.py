"""pow, powr, pown and rootn at their edges, given |x|^y, for floats of any format.

As C99, annex F.9.4.4, and OpenCL 1.2, section 7.5.1, have them. |x|^y is 2^(y log2|x|), where
log2(0) = -inf and 0 * inf = NaN.
"""

from __future__ import annotations

import math

from polycl.lowering.llvm.expand_math.math_values import Int, Real
from polycl.lowering.ocl.float_format import float_format


def signed_pow(x: Real, y: Real, size: Real) -> Real:
    """|x|^y, negative for x < 0 and odd y, NaN for x < 0 if y is not an integer."""
    half = y * 0.5
    is_integer = y.trunc().equals(y)
    is_odd = is_integer & half.trunc().compare("one", half)
    signed = size.xor_sign(is_odd.choose_int(x.sign_bit(), 0))
    finite_below = (x < 0.0) & (x > -math.inf)
    is_nan = finite_below & y.trunc().compare("une", y)
    signed = is_nan.choose(math.nan, signed)
    unit = abs(x).equals(1.0) & abs(y).equals(math.inf)
    is_one = y.equals(0.0) | x.equals(1.0) | unit
    return is_one.choose(1.0, signed)


def signed_powr(x: Real, size: Real) -> Real:
    """|x|^y, NaN for x < 0. The formula gives the other special cases: 0 * inf = NaN."""
    return (x < 0.0).choose(math.nan, size)


def _sign_if_odd(x: Real, n: Int) -> Int:
    """The sign bit of x where n is odd."""
    width = float_format(x.type).width
    return x.sign_bit() & (n.resized(width) << (width - 1))


def signed_pown(x: Real, n: Int, size: Real) -> Real:
    """|x|^n, negative for x < 0 and odd n; 1 for n = 0."""
    return n.compare("eq", 0).choose(1.0, size.xor_sign(_sign_if_odd(x, n)))


def signed_rootn(x: Real, n: Int, size: Real) -> Real:
    """|x|^(1/n), negative for x < 0 and odd n; NaN for x < 0 and even n, and for n = 0."""
    is_even = (n & 1).compare("eq", 0)
    is_nan = n.compare("eq", 0) | (is_even & (x < 0.0))
    return is_nan.choose(math.nan, size.xor_sign(_sign_if_odd(x, n)))
