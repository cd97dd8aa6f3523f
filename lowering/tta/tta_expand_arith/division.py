"""Division of words without a loop over bits: by shifts, half of a product, or a reciprocal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, f32, i32
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build

Multiply: TypeAlias = Callable[[SSAValue, SSAValue], SSAValue]
"""The lower half of a product of words."""

BELOW = np.float32(1 - 2**-20)
"""What a reciprocal is multiplied by, so that a quotient of it is never too large: the three
roundings of a reciprocal and those of the dividend and of the product are below 2^-21 in all."""


@dataclass(frozen=True)
class Divisor:
    """A divisor of words: its size, and 1 / size, a little less."""

    size: SSAValue
    number: int | None
    """The size, if it is known; else `reciprocal` is not None."""

    reciprocal: SSAValue | None
    sign: SSAValue | None
    """All bits are those of the sign; None if it is not negative."""


@dataclass
class Done:
    """What the divisions of a function have computed so far."""

    divisors: dict[tuple[SSAValue, bool], Divisor] = field(default_factory=dict)
    """By the value and whether it is signed; not constants."""

    results: dict[tuple[Block, SSAValue, SSAValue, bool], tuple[SSAValue, SSAValue]] = field(
        default_factory=dict
    )
    """Quotients and remainders of a block: programs often need both."""


@dataclass(frozen=True)
class Division:
    """Divides words where the processor has `operations`; without floats, by constants only.

    Let r be less than 1 / d by a factor of 2^-19.4 at most. Then a * r, rounded down, is a quotient
    that is too small by at most a * r * 2^-19.4 + 1: below 2^13 for words, and at most 1 for
    numbers of 16 bits. What is left of words is divided by the same r; then at most 1 is missing.
    """

    build: Build
    multiply: Multiply
    multiplies: bool
    """Whether there are `mul` and `mulhiu`."""

    def known(self, value: SSAValue, *, signed: bool) -> Divisor | None:
        """A constant divisor, or None."""
        number = constant_value(value)
        if number is None:
            return None
        width = 32 if isinstance(value.type, IndexType) else min(width_of(value.type), 32)
        size = abs(number) if signed else number & (1 << width) - 1
        if size == 0:
            return None
        build = self.build
        reciprocal = build.constant(float(np.float32(1 / size) * BELOW), f32)
        sign = build.constant(-1, i32) if signed and number < 0 else None
        return Divisor(build.constant(size, i32), size, reciprocal, sign)

    def is_exact(self, divisor: Divisor) -> bool:
        """Whether no float is needed."""
        number = divisor.number
        return number is not None and (self.multiplies or number & (number - 1) == 0)

    def signed(self, a: SSAValue, divisor: Divisor, bits: int) -> tuple[SSAValue, SSAValue]:
        """The quotient and the remainder, which has the sign of `a`."""
        build = self.build
        sign = build.shr(a, 31, signed=True)
        quotient, rest = self.unsigned(self._with_sign(a, sign), divisor, bits)
        signs = sign if divisor.sign is None else build.xor(sign, divisor.sign)
        return self._with_sign(quotient, signs), self._with_sign(rest, sign)

    def _with_sign(self, size: SSAValue, sign: SSAValue) -> SSAValue:
        """-size where all bits of `sign` are set. It is its own inverse."""
        return self.build.sub(self.build.xor(size, sign), sign)

    def unsigned(self, a: SSAValue, divisor: Divisor, bits: int) -> tuple[SSAValue, SSAValue]:
        """The quotient and the remainder of a number of up to `bits` bits."""
        build, number = self.build, divisor.number
        if number is not None and number & (number - 1) == 0:
            quotient = build.shr(a, number.bit_length() - 1, signed=False)
            return quotient, build.and_(a, build.constant(number - 1, i32))
        if number is not None and self.multiplies:
            quotient = self._upper_half(a, number)
            return quotient, build.sub(a, build.mul(quotient, divisor.size))
        assert divisor.reciprocal is not None
        quotient, rest = self._lower_quotient(a, divisor)
        if bits > 16:
            more, rest = self._lower_quotient(rest, divisor)
            quotient = build.add(quotient, more)
        fits = build.compare("uge", rest, divisor.size)
        one = build.resize(fits, 32, signed=False)
        left = build.select(fits, build.sub(rest, divisor.size), rest)
        return build.add(quotient, one), left

    def _lower_quotient(self, a: SSAValue, divisor: Divisor) -> tuple[SSAValue, SSAValue]:
        """A quotient that is not too large, and what it leaves."""
        build = self.build
        assert divisor.reciprocal is not None
        scaled = build.mulf(build.int_to_float(a, f32, signed=False), divisor.reciprocal)
        quotient = build.float_to_int(scaled, 32, signed=False)
        if divisor.number is not None:
            product = build.mul(quotient, divisor.size)
        else:
            product = self.multiply(quotient, divisor.size)
        return quotient, build.sub(a, product)

    def _upper_half(self, a: SSAValue, number: int) -> SSAValue:
        """The quotient by a constant, not a power of two (Warren, Hacker's Delight, 10-9)."""
        build = self.build
        for shift in range(number.bit_length()):
            factor = -(-(1 << 32 + shift) // number)
            if factor < 1 << 32 and factor * number - (1 << 32 + shift) <= 1 << shift:
                return build.shr(self._high(a, factor), shift, signed=False)
        # The factor has 33 bits.
        shift = number.bit_length()
        factor = ((1 << 32) * ((1 << shift) - number)) // number + 1
        high = self._high(a, factor)
        half = build.shr(build.sub(a, high), 1, signed=False)
        return build.shr(build.add(half, high), shift - 1, signed=False)

    def _high(self, a: SSAValue, factor: int) -> SSAValue:
        op = arith.MulUIExtendedOp(a, self.build.constant(factor, i32))
        self.build.emit(op)
        return op.high
