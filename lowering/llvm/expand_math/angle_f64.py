"""An f64 angle modulo pi/2, for all finite arguments (M. Payne and R. Hanek, "Radian reduction for
trigonometric functions", 1983).

x 2/pi = 4k + n + r is needed with an absolute error of 2^-118: some f64 is as near as 2^-61 to a
multiple of pi/2. 2/pi is cut into chunks of 44 bits, and x, times a power of 2^44, is brought into
2^54 .. 2^98: there it is a multiple of 4, so that the chunks before the binary point make
multiples of 4 and only five of them count. A tree of selects finds the five.
"""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.coefficients import CHUNK, F64
from polycl.lowering.llvm.expand_math.math_values import Int, Real, power_of_two, round_to_int

_SMALLEST = -34
"""2^-34 is the smallest argument; the functions of smaller ones are x and 1."""

_WINDOW = 5
_LAST_INDEX = (1023 - _SMALLEST) // CHUNK


def reduce_large_f64(x: Real) -> tuple[Real, Int]:
    """r pi/2 and n (its low bits) of |x|, |r| <= 1/2. NaN for infinities and NaN.

    The products x c_k are split at the bits 2^-42 and 2^-84. The sums of the parts above
    2^-42 (without multiples of 4) and of those between the two bits are exact; the rest is small.
    """
    size = abs(x).at_least(2.0**_SMALLEST)
    index = _index(size)
    scaled = size * power_of_two(index * -CHUNK + (54 - _SMALLEST), x.type)
    chunks = _window(index, size)
    factors = [scaled, *(scaled * 2.0 ** (-CHUNK * k) for k in range(1, _WINDOW))]
    products = [factor * chunk for factor, chunk in zip(factors, chunks, strict=True)]
    errors = [
        factor.fma(chunk, -product)
        for factor, chunk, product in zip(factors[:4], chunks, products, strict=False)
    ]
    # Multiples of 2^-42, whatever x is.
    top = _modulo_4(products[0]) + _modulo_4(errors[0])
    high_1, middle_1 = _split(_modulo_4(products[1]), -42)
    high_2, middle_2 = _split(errors[1], -42)
    high_3, rest = _split(products[2], -42)
    turns = top + high_1 + high_2 + high_3
    middle_3, low_1 = _split(rest, -84)
    middle_4, low_2 = _split(errors[2], -84)
    middle_5, low_3 = _split(products[3], -84)
    middle = (middle_1 + middle_2 + middle_3 + middle_4) + middle_5
    low = low_1 + low_2 + low_3 + errors[3] + products[4]
    n = round_to_int(turns)
    fraction = turns - n.number
    r = fraction + middle
    r_low = ((fraction - r) + middle) + low
    high, least = x.table("HALF_PI")[:2]
    return r.fma(high, r.fma(least, r_low * high)), n.bits


def _index(size: Real) -> Int:
    """(exponent of x + 34) / 44, rounded down: 0 .. 24."""
    exponent = size.bits().shift_right_logical(52) - (1023 + _SMALLEST)
    # 745 / 2^15 is so near to 1/44 that every quotient here is rounded to the right integer.
    return (exponent * 745).shift_right_logical(15)


def _window(index: Int, like: Real) -> list[Real]:
    """The chunks from `index` on, found bit by bit of the index, the uppermost first."""
    chunks = [like.constant(chunk) for chunk in F64["TWO_OVER_PI_CHUNKS"]]
    step = 1 << (_LAST_INDEX.bit_length() - 1)
    while step:
        is_set = (index & step).compare("ne", 0)
        # Later steps reach step - 1 farther. No index reaches beyond the last chunk.
        chunks = [
            is_set.choose(chunks[k + step], chunks[k]) if k + step < len(chunks) else chunks[k]
            for k in range(min(step - 1 + _WINDOW, len(chunks)))
        ]
        step //= 2
    return chunks


def _modulo_4(x: Real) -> Real:
    """x without the nearest multiple of 4, exactly."""
    return (x * 0.25).round_even().fma(-4.0, x)


def _split(x: Real, last: int) -> tuple[Real, Real]:
    """A multiple of 2^last, and the rest of at most 2^last; for |x| < 2^(last + 52)."""
    magic = 1.5 * 2.0 ** (52 + last)
    high = (x + magic) - magic
    return high, x - high
