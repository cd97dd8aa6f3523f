"""Math functions (OpenCL 1.2, section 6.12.2) with a formula in other functions.

Functions that `math` and libm lack (`sinpi`, `rootn`, `pown`, `powr`, ...) are computed from
others: for f16 and f32 in f64, rounded once at the end; edge cases as in
section 7.5.1. `native_*` and `half_*` are the plain functions.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float16Type, f16, f32, f64, i32
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue

from polycl.analysis.llvm.libm import LIBM_BUILTINS
from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import BUILTINS, FUNCTIONS
from polycl.dialects.vec import element_of, same_shape
from polycl.lowering.build import Build
from polycl.lowering.ocl.float_format import float_format
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule, Values


def _mad(e: Build, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
    """a * b + c, which the target may contract."""
    return e.addf(e.mulf(a, b), c)


def _fdim(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """x <= y ? 0 : x - y, so NaN for NaN."""
    is_less = e.compare("ole", x, y)
    return e.select(is_less, e.constant(0.0, x.type), e.subf(x, y))


def _fract(e: Build, x: SSAValue) -> Values:
    """fmin(x - floor(x), largest number below 1) and floor(x); zeros and NaN are kept.

    An infinity gives a zero of its sign.
    """
    floor = e.emit(math.FloorOp(x))
    below_one = e.constant(1.0 - 2.0 ** -(float_format(x.type).mantissa + 1), x.type)
    zero = e.constant(0.0, x.type)
    fraction = e.minf(e.subf(x, floor), below_one)
    fraction = e.select(e.is_infinite(x), e.copysign(zero, x), fraction)
    fraction = e.select(e.compare("ueq", x, zero), x, fraction)
    return [fraction, floor]


def _modf(e: Build, x: SSAValue) -> Values:
    """x - trunc(x) with the sign of x, and trunc(x); an infinity gives a zero of its sign."""
    whole = e.emit(math.TruncOp(x))
    zero = e.constant(0.0, x.type)
    part = e.select(e.is_infinite(x), zero, e.subf(x, whole))
    return [e.copysign(part, x), whole]


def _sincos(e: Build, x: SSAValue) -> Values:
    """sin(x), cos(x)."""
    return [e.emit(math.SinOp(x)), e.emit(math.CosOp(x))]


def _by_magnitude(e: Build, x: SSAValue, y: SSAValue, *, larger: bool) -> SSAValue:
    """The one with the larger (smaller) magnitude; fmax (fmin) where they are equal."""
    of_x, of_y = e.absf(x), e.absf(y)
    predicate = "ogt" if larger else "olt"
    otherwise = e.maxf(x, y) if larger else e.minf(x, y)
    rest = e.select(e.compare(predicate, of_y, of_x), y, otherwise)
    return e.select(e.compare(predicate, of_x, of_y), x, rest)


def _as_op(op: Callable[..., Operation]) -> Callable[[Build, SSAValue], SSAValue]:
    return lambda e, x: e.emit(op(x))


_ESTIMATED = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_RECIP, FastMathFlag.APPROX_FUNC])


def _divide(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """x / y, which may be a product with an estimate of the reciprocal of y."""
    return e.emit(arith.DivfOp(x, y, flags=_ESTIMATED))


def _recip(e: Build, x: SSAValue) -> SSAValue:
    """1 / x."""
    return _divide(e, e.constant(1.0, x.type), x)


def _power(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.emit(math.PowFOp(x, y))


def _powr(e: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    """x^y as exp(y * log(x)): pow(|x|, y), but NaN where that has no limit.

    NaN for x < 0, for NaN, for 0^0, inf^0 and 1^inf.
    """
    zero, one = e.constant(0.0, x.type), e.constant(1.0, x.type)
    size = e.absf(x)
    no_log = e.or_(e.compare("olt", x, zero), e.compare("uno", x, y))
    extreme = e.or_(e.compare("oeq", size, zero), e.is_infinite(x))
    open_0 = e.and_(e.compare("oeq", y, zero), extreme)
    open_1 = e.and_(e.compare("oeq", x, one), e.is_infinite(y))
    is_nan = e.or_(no_log, e.or_(open_0, open_1))
    return e.select(is_nan, e.constant(numbers.nan, x.type), _power(e, size, y))


def _pown(e: Build, x: SSAValue, n: SSAValue) -> SSAValue:
    """pow(x, n) in f64, in which every n is exact and so keeps its parity."""
    power = _power(e, e.to_float(x, f64), e.int_to_float(n, f64, signed=True))
    return e.to_float(power, element_of(x.type))


def _rootn(e: Build, x: SSAValue, n: SSAValue) -> SSAValue:
    """pow(|x|, 1/n) in f64, times |x| to the power of what 1/n lacks there.

    It has the sign of x for odd n, and is NaN for even n and x < 0, and for n = 0.
    """
    wide = e.to_float(x, f64)
    one, degree = e.constant(1.0, wide.type), e.int_to_float(n, f64, signed=True)
    size, inverse = e.absf(wide), e.divf(one, degree)
    power = _power(e, size, inverse)
    rest = e.emit(math.FmaOp(e.negf(inverse), degree, one))
    lacking = e.mulf(e.divf(rest, degree), e.emit(math.LogOp(size)))
    root = e.addf(power, e.mulf(power, lacking))
    has_log = e.and_(
        e.compare("ogt", size, e.constant(0.0, wide.type)),
        e.compare("olt", size, e.constant(numbers.inf, wide.type)),
    )
    root = e.select(has_log, root, power)
    nan = e.constant(numbers.nan, wide.type)
    zero = e.constant(0, n.type)
    is_odd = e.compare("ne", e.and_(n, e.constant(1, n.type)), zero)
    is_below = e.compare("olt", wide, e.constant(0.0, wide.type))
    even = e.select(e.or_(is_below, e.compare("eq", n, zero)), nan, root)
    result = e.select(is_odd, e.copysign(root, wide), even)
    return e.to_float(result, element_of(x.type))


def _turn(e: Build, x: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """sin and cos of pi * r, and the quarter q in 0..3, where x = r + q/2 (mod 2), |r| <= 1/4.

    The reduction is exact. NaN and infinities give NaN everywhere.
    """
    two, half = e.constant(2.0, x.type), e.constant(0.5, x.type)
    turns = e.emit(math.TruncOp(e.mulf(x, half)))
    angle = e.subf(x, e.mulf(turns, two))
    quarters = e.emit(math.RoundEvenOp(e.mulf(angle, two)))
    rest = e.subf(angle, e.mulf(quarters, half))
    radians = e.mulf(rest, e.constant(numbers.pi, x.type))
    full = e.emit(math.FloorOp(e.mulf(quarters, e.constant(0.25, x.type))))
    quarter = e.subf(quarters, e.mulf(full, e.constant(4.0, x.type)))
    return e.emit(math.SinOp(radians)), e.emit(math.CosOp(radians)), quarter


def _choose(e: Build, quarter: SSAValue, values: Sequence[SSAValue]) -> SSAValue:
    """`values[quarter]`; the last one if `quarter` is NaN, as all values are then."""
    result = values[-1]
    for number in reversed(range(len(values) - 1)):
        is_it = e.compare("oeq", quarter, e.constant(float(number), quarter.type))
        result = e.select(is_it, values[number], result)
    return result


def _sin_turn(e: Build, x: SSAValue) -> SSAValue:
    """sin(pi * x): of an integer, a zero with the sign of x."""
    sin, cos, quarter = _turn(e, x)
    result = _choose(e, quarter, [sin, cos, e.negf(sin), e.negf(cos)])
    zero = e.constant(0.0, x.type)
    return e.select(e.compare("oeq", result, zero), e.copysign(zero, x), result)


def _cos_turn(e: Build, x: SSAValue) -> SSAValue:
    """cos(pi * x): of an integer and a half, +0."""
    sin, cos, quarter = _turn(e, x)
    result = _choose(e, quarter, [cos, e.negf(sin), e.negf(cos), sin])
    zero = e.constant(0.0, x.type)
    return e.select(e.compare("oeq", result, zero), zero, result)


def _in_f64(function: Callable[[Build, SSAValue], SSAValue]) -> Rule:
    """Evaluate in f64, round once."""

    def rule(e: Build, x: SSAValue) -> SSAValue:
        return e.to_float(function(e, e.to_float(x, f64)), element_of(x.type))

    return rule


def _tan_turn(e: Build, x: SSAValue) -> SSAValue:
    """sin(pi * x) / cos(pi * x)."""
    return e.divf(_sin_turn(e, x), _cos_turn(e, x))


def _over_pi(op: Callable[..., Operation]) -> Callable[..., SSAValue]:
    """op(x) / pi."""
    return lambda e, *args: e.divf(e.emit(op(*args)), e.constant(numbers.pi, args[0].type))


def _atan2pi(e: Build, y: SSAValue, x: SSAValue) -> SSAValue:
    """atan2(y, x) / pi in f64."""
    element = element_of(y.type)
    y, x = (e.to_float(value, f64) for value in (y, x))
    return e.to_float(_over_pi(math.Atan2Op)(e, y, x), element)


def _call_libm(e: Build, name: str, *args: SSAValue) -> SSAValue:
    """A function of libm, which has f32 and f64 only: an f16 is computed as f32."""
    type = args[0].type
    if not isinstance(element_of(type), Float16Type):
        return e.builtin(name, args, [type])[0]
    wide = [e.to_float(value, f32) for value in args]
    return e.to_float(e.builtin(name, wide, [wide[0].type])[0], f16)


def _libm(name: str) -> Rule:
    def rule(e: Build, *args: SSAValue) -> SSAValue | None:
        """The call itself stays, unless it is on f16 or has another name."""
        is_call = isinstance(e.source, ocl.BuiltinOp) and e.source.function.data == name
        if is_call and not isinstance(element_of(args[0].type), Float16Type):
            return None
        return _call_libm(e, name, *args)

    return rule


def _remquo(e: Build, x: SSAValue, y: SSAValue) -> Values:
    """remainder(x, y), and the 7 low bits of the quotient q with its sign; 0 where that is NaN.

    With a = |x| and b = |y|, (fmod(a, 128 b) - remainder(a, b)) / b is a number of 0..128, which
    is |q| modulo 128. The quotients are exact enough to round their difference to it.
    """
    element = element_of(x.type)
    x, y = (e.to_float(value, f32) if element == f16 else value for value in (x, y))
    type = x.type
    (rest,) = e.builtin("remainder", [x, y], [type])
    a, b = e.absf(x), e.absf(y)
    (low,) = e.builtin("fmod", [a, e.mulf(b, e.constant(128.0, type))], [type])
    rest_of_sizes = e.select(e.compare("olt", x, e.constant(0.0, type)), e.negf(rest), rest)
    quotient = e.emit(math.RoundEvenOp(e.subf(e.divf(low, b), e.divf(rest_of_sizes, b))))
    quotient = e.select(e.is_nan(quotient), e.constant(0.0, type), quotient)
    bits = e.float_to_int(quotient, 32, signed=True)
    bits = e.and_(bits, e.constant(127, bits.type))
    negative = e.is_negative(e.xor(e.bits(x), e.bits(y)))
    return [e.to_float(rest, element), e.select(negative, e.neg(bits), bits)]


def _lgamma_r(e: Build, x: SSAValue) -> Values:
    """lgamma(x) and the sign of gamma(x): -1 for -0 and where floor(x) is negative and odd.

    1 at the poles, which are the negative integers, and for NaN.
    """
    logarithm = _call_libm(e, "lgamma", x)
    zero, one = e.constant(0.0, x.type), e.constant(1.0, x.type)
    floor = e.emit(math.FloorOp(x))
    half = e.emit(math.FloorOp(e.mulf(floor, e.constant(0.5, x.type))))
    is_odd = e.compare("oeq", e.subf(floor, e.mulf(half, e.constant(2.0, x.type))), one)
    below_zero = e.compare("olt", x, zero)
    between = e.and_(below_zero, e.compare("one", x, floor))
    is_minus_zero = e.and_(e.compare("oeq", x, zero), e.is_negative(e.bits(x)))
    negative = e.or_(is_minus_zero, e.and_(between, is_odd))
    sign = same_shape(i32, x.type)
    return [logarithm, e.select(negative, e.constant(-1, sign), e.constant(1, sign))]


_PLAIN: dict[str, Rule] = {
    "divide": _divide,
    "exp10": _libm("exp10"),
    "powr": _powr,
    "recip": _recip,
    **{row.name: _as_op(row.operation) for row in FUNCTIONS if row.operation is not None},
    "sqrt": lambda e, x: e.emit(math.SqrtOp(x, _ESTIMATED)),
}
"""The functions that `native_` and `half_` functions stand for."""

RULES: dict[str, Rule] = {
    "mad": _mad,
    "fdim": _fdim,
    "fract": _fract,
    "modf": _modf,
    "sincos": _sincos,
    "lgamma_r": _lgamma_r,
    "remquo": _remquo,
    "maxmag": partial(_by_magnitude, larger=True),
    "minmag": partial(_by_magnitude, larger=False),
    "powr": _powr,
    "pown": _pown,
    "rootn": _rootn,
    "sinpi": _in_f64(_sin_turn),
    "cospi": _in_f64(_cos_turn),
    "tanpi": _in_f64(_tan_turn),
    "asinpi": _in_f64(_over_pi(math.AsinOp)),
    "acospi": _in_f64(_over_pi(math.AcosOp)),
    "atanpi": _in_f64(_over_pi(math.AtanOp)),
    "atan2pi": _atan2pi,
    **{name: _libm(name) for name in LIBM_BUILTINS},
    **{name: _PLAIN[row.plain] for name, row in BUILTINS.items() if row.plain != name},
}
