"""The IEEE 754 binary formats."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Attribute

from polycl.dialects.vec import width_of


@dataclass(frozen=True)
class FloatFormat:
    """An IEEE 754 binary format."""

    width: int
    mantissa: int
    """Bits of the mantissa that are stored."""

    @property
    def bias(self) -> int:
        return (1 << (self.width - self.mantissa - 2)) - 1

    @property
    def exponent_mask(self) -> int:
        return (2 * self.bias + 1) << self.mantissa

    @property
    def mantissa_mask(self) -> int:
        return (1 << self.mantissa) - 1

    @property
    def sign_mask(self) -> int:
        return 1 << (self.width - 1)

    @property
    def smallest_normal(self) -> float:
        return 2.0 ** (1 - self.bias)


_MANTISSA = {16: 10, 32: 23, 64: 52}


def float_format(type: Attribute) -> FloatFormat:
    """The format of a float's or a float vector's elements."""
    width = width_of(type)
    return FloatFormat(width, _MANTISSA[width])
