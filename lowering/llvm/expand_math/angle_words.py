"""A large f32 angle modulo pi/2 in integers of 32 and 64 bits, where there is no f64.

x = m 2^E with a whole m of 24 bits. Of 2/pi the bits count that are below 4 after the product with
2^E: the 96 from there on, w, are three words. m w modulo 2^96 is x 2/pi modulo 4, exact to 2^-70:
its two uppermost bits are n, the rest is a fraction of pi/2 (M. Payne and R. Hanek, "Radian
reduction for trigonometric functions", 1983).
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32

from polycl.lowering.llvm.expand_math.coefficients import CHUNK, F64
from polycl.lowering.llvm.expand_math.math_values import Int, Real

_FIRST = 120
"""The biased exponent of x for which w begins with the first word: 31 zeros, and then 2/pi."""


def _words() -> tuple[int, ...]:
    """32 zeros, then the fraction bits of 2/pi."""
    _, _, *chunks = F64["TWO_OVER_PI_CHUNKS"]
    bits = 0
    for chunk in chunks:
        bits = bits << CHUNK | int(chunk * 2.0**CHUNK)
    length = CHUNK * len(chunks)
    return (0, *(bits >> (length - 32 * i) & 0xFFFFFFFF for i in range(1, 8)))


def reduce_large_by_words(x: Real) -> tuple[Real, Int]:
    """r pi/2 and n of |x|, |r| <= 1/2, for |x| of 2^-7 and more. NaN for infinities and NaN."""
    size = abs(x)
    bits = size.bits()
    position = bits.shift_right_logical(23) - _FIRST
    shift = position & 31
    window = [_chosen(position.shift_right_logical(5), k) for k in range(4)]
    # Shifted by 1 first: a shift by 32 is none.
    w = [
        high.shifted_left(shift) | low.shift_right_logical(1).shifted_right(shift ^ 31)
        for high, low in zip(window, window[1:], strict=False)
    ]
    m = bits & 0x7FFFFF | 0x800000
    low, carry = m.times_unsigned(w[2])
    middle, more = m.times_unsigned(w[1])
    middle = middle + carry
    carry = middle.compare("ult", carry).choose_int(more + 1, more)
    top = m * w[0] + carry
    n = (top + 0x20000000).shift_right_logical(30)
    # The fraction, a number with a sign: its upper and its lower word.
    upper = (top << 2) | middle.shift_right_logical(30)
    lower = (middle << 2) | low.shift_right_logical(30)
    fraction = (upper.resized(64) << 32) | lower.extended(64)
    r = fraction.to_float(f32) * 2.0**-64
    return r * sum(r.table("HALF_PI")) + (size - size), n


def _chosen(index: Int, k: int) -> Int:
    """Word index + k, for an index of 0 .. 4."""
    words = _words()
    found = index.constant(words[k])
    for i in range(1, 5):
        if i + k < len(words):
            found = index.compare("eq", i).choose_int(words[i + k], found)
    return found
