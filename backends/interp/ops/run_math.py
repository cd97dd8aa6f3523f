"""`math`: the C library's functions, exact arithmetic, and bit counts."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable

from xdsl.dialects import math
from xdsl.ir import Operation

from polycl.analysis.llvm.libm import MATH_OPS
from polycl.backends.interp import integers
from polycl.backends.interp.elementwise import (
    elementwise,
    format_of,
    handlers,
    on_floats,
    on_integers,
    width_of,
)
from polycl.backends.interp.floats import F64, Format
from polycl.backends.libm import libm

_EXACT: dict[type[Operation], Callable[[Format], Callable[..., float]]] = {
    math.AbsFOp: lambda _: numbers.fabs,
    math.CopySignOp: lambda _: numbers.copysign,
    math.SqrtOp: lambda f: f.sqrt,
    math.RsqrtOp: lambda f: lambda x: f.div(1.0, f.sqrt(x)),
    math.FmaOp: lambda f: f.fma,
}

_COUNTS: dict[type[Operation], Callable[[int], integers.Unary]] = {
    math.AbsIOp: integers.absolute,
    math.CountLeadingZerosOp: integers.leading_zeros,
    math.CountTrailingZerosOp: integers.trailing_zeros,
    math.CtPopOp: lambda _: int.bit_count,
}


def root(x: float, n: int) -> float:
    """The `n`th root of |x| with the sign of `x`, in binary64.

    pow(|x|, 1/n), times |x| to the power of what 1/n lacks as a number of 53 bits.
    """
    size, inverse = abs(x), 1.0 / n
    y = libm("pow", 64, 2)(size, inverse)
    if 0.0 < size < numbers.inf:
        lacking = F64.fma(-inverse, float(n), 1.0) / n
        y += y * (lacking * libm("log", 64)(size))
    return numbers.copysign(y, x)


def library_function(base: str, to: Format, arity: int) -> Callable[..., float]:
    """The C library's function for a format; for binary16, that for binary32, rounded."""
    if base == "cbrt" and to.bits == 64:
        # That of glibc is off by up to 4 units in the last place; OpenCL allows 2.
        return lambda x: root(x, 3)
    if to.bits != 16:
        return libm(base, to.bits, arity)
    function, rounding = libm(base, 32, arity), to.round
    return lambda *arguments: rounding(function(*arguments))


def _library(op: Operation) -> Callable[..., float]:
    to = format_of(op.results[0].type)
    return library_function(MATH_OPS[type(op)], to, len(op.operands))


def _ipowi(op: math.IPowIOp) -> integers.Binary:
    width = width_of(op.result.type)
    mask = (1 << width) - 1
    read = integers.signed(width)

    def power(base: int, exponent: int) -> int:
        x, n = read(base), read(exponent)
        if n >= 0:
            return pow(x, n, 1 << width)
        if x == 0:
            raise integers.UndefinedOperation(f"integer division by zero: 0 to the power of {n}")
        # 1 / x**-n, rounded toward zero.
        return (x ** (n & 1) if abs(x) == 1 else 0) & mask

    return power


def _fpowi(op: math.FPowIOp) -> Callable[[float, int], float]:
    to, width = format_of(op.result.type), width_of(op.operands[1].type)
    # Every i32 is exact in binary64, and so keeps its parity.
    power, read, rounding = libm("pow", 64, 2), integers.signed(width), to.round
    return lambda x, n: rounding(power(x, float(read(n))))


OPERATIONS = handlers(
    elementwise,
    {
        **dict.fromkeys(MATH_OPS, _library),
        **on_floats(_EXACT),
        **on_integers(_COUNTS),
        math.IPowIOp: _ipowi,
        math.FPowIOp: _fpowi,
    },
)
