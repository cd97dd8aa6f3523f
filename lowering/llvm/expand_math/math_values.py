"""Formulas over SSA values: `Real`, `Int` and `Bool` have the operators of Python.

Each is a scalar or a vector; every operator makes one operation of `arith` or `math`, so
`x * x + 1` is two operations with two roundings. None may be contracted (`ocl.no_contract`): a
formula writes `fma` to fuse, and the bits of a function do not depend on the target.

For processors that would have to compute `fma` and f64 from smaller steps there is a second form of
the functions of f32, without both (`MathBuild.fused` is false): `fma` is a product and a sum
there, and what needs the error of a product asks for it by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import frexp
from typing import TypeAlias, TypeVar, cast

import numpy as np
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IntegerAttr, UnitAttr, f32, f64, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.dialects import vec
from polycl.dialects.ocl import NO_CONTRACT
from polycl.dialects.ocl.attributes import SCALES
from polycl.dialects.vec import element_of, width_of
from polycl.lowering.build import Build, Constants, is_float
from polycl.lowering.llvm.expand_math.coefficients import F32, F64
from polycl.lowering.ocl.float_format import float_format

_INEXACT = arith.FastMathFlagsAttr([FastMathFlag.APPROX_FUNC])
_ROUNDED = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, math.SqrtOp)


class MathBuild(Build):
    """Inserts operations that are rounded as they are written; each constant once."""

    def __init__(
        self,
        source: Operation,
        constants: Constants | None = None,
        *,
        fused: bool = True,
        tables: bool = True,
    ):
        """`fused`: `fma` of f32 rounds once, and f64 may be used. `tables`: numbers may be looked
        up."""
        super().__init__(source, constants={} if constants is None else constants)
        self.fused = fused
        self.tables = tables

    def emit_void(self, op: Operation) -> None:
        if isinstance(op, _ROUNDED):
            op.attributes[NO_CONTRACT] = UnitAttr()
        super().emit_void(op)


@dataclass(frozen=True)
class _Value:
    e: MathBuild
    ssa: SSAValue

    @property
    def type(self) -> Attribute:
        return self.ssa.type


T = TypeVar("T")
RealLike: TypeAlias = "Real | float"
IntLike: TypeAlias = "Int | int"
Values = TypeVar("Values", bound="tuple[Real | Int, ...]")


@dataclass(frozen=True)
class Bool(_Value):
    """One i1 for each element."""

    def __and__(self, other: Bool) -> Bool:
        return Bool(self.e, self.e.and_(self.ssa, other.ssa))

    def __or__(self, other: Bool) -> Bool:
        return Bool(self.e, self.e.or_(self.ssa, other.ssa))

    def __xor__(self, other: Bool) -> Bool:
        return Bool(self.e, self.e.xor(self.ssa, other.ssa))

    def choose(self, yes: RealLike, no: RealLike) -> Real:
        """`yes` where this is true, else `no`; one of them at least is a value."""
        like = yes if isinstance(yes, Real) else no
        assert isinstance(like, Real)
        return Real(self.e, self.e.select(self.ssa, like.operand(yes), like.operand(no)))

    def choose_int(self, yes: IntLike, no: IntLike) -> Int:
        like = yes if isinstance(yes, Int) else no
        assert isinstance(like, Int)
        return Int(self.e, self.e.select(self.ssa, like.operand(yes), like.operand(no)))

    def if_rare(self, yes: Callable[[Real], Values], x: Real, no: Values) -> Values:
        """`yes(x)` where this is true, else `no`: it is computed only if this is true anywhere.

        Each element depends on its own x alone.
        """
        end = scf.YieldOp()
        assert self.e.source is not None
        end.location = self.e.source.location
        block = Block([end])
        # Constants of the branch are not visible after it.
        constants = dict(self.e.constants or {})
        inside = MathBuild(end, constants, fused=self.e.fused, tables=self.e.tables)
        pairs = zip(yes(Real(inside, x.ssa)), no, strict=True)
        end.operands = [inside.select(self.ssa, a.ssa, b.ssa) for a, b in pairs]
        otherwise = scf.YieldOp(*(value.ssa for value in no))
        otherwise.location = end.location
        anywhere = reduce(self.e.or_, self.e.elements(self.ssa))
        types = [value.type for value in no]
        branch = scf.IfOp(anywhere, types, Region(block), Region(Block([otherwise])))
        self.e.emit(branch)
        results = (type(b)(self.e, ssa) for b, ssa in zip(no, branch.results, strict=True))
        return cast(Values, tuple(results))


def _int_operator(
    emit: Callable[[Build, SSAValue, SSAValue], SSAValue],
) -> Callable[[Int, IntLike], Int]:
    return lambda self, other: Int(self.e, emit(self.e, self.ssa, self.operand(other)))


@dataclass(frozen=True)
class Int(_Value):
    """Signless integers; they wrap."""

    def operand(self, value: IntLike) -> SSAValue:
        return value.ssa if isinstance(value, Int) else self.e.constant(value, self.type)

    def _make(self, ssa: SSAValue) -> Int:
        return Int(self.e, ssa)

    __add__ = _int_operator(Build.add)
    __sub__ = _int_operator(Build.sub)
    __mul__ = _int_operator(Build.mul)
    __and__ = _int_operator(Build.and_)
    __or__ = _int_operator(Build.or_)
    __xor__ = _int_operator(Build.xor)

    def __rsub__(self, other: int) -> Int:
        return self._make(self.e.sub(self.operand(other), self.ssa))

    def __lshift__(self, bits: int) -> Int:
        return self._make(self.e.shl(self.ssa, bits))

    def __rshift__(self, bits: int) -> Int:
        """The sign is kept."""
        return self._make(self.e.shr(self.ssa, bits, signed=True))

    def shift_right_logical(self, bits: int) -> Int:
        return self._make(self.e.shr(self.ssa, bits, signed=False))

    def shifted_left(self, bits: Int) -> Int:
        return self._make(self.e.emit(arith.ShLIOp(self.ssa, bits.ssa)))

    def shifted_right(self, bits: Int) -> Int:
        return self._make(self.e.emit(arith.ShRUIOp(self.ssa, bits.ssa)))

    def times_unsigned(self, other: Int) -> tuple[Int, Int]:
        """The product without signs: its lower and its upper half."""
        op = arith.MulUIExtendedOp(self.ssa, other.ssa)
        self.e.emit(op)
        return self._make(op.low), self._make(op.high)

    def extended(self, bits: int) -> Int:
        """By zeros."""
        return self._make(self.e.resize(self.ssa, bits, signed=False))

    def compare(self, predicate: str, other: IntLike) -> Bool:
        return Bool(self.e, self.e.compare(predicate, self.ssa, self.operand(other)))

    def constant(self, value: int) -> Int:
        """A constant of this value's type."""
        return self._make(self.operand(value))

    def resized(self, bits: int) -> Int:
        """Extended by the sign, or cut."""
        return self._make(self.e.resize(self.ssa, bits, signed=True))

    def choose_number(self, table: Sequence[float], type: Attribute) -> Real:
        """The number of a float type at this index, of which the low bits count; there are 2^n."""
        element = cast("AnyFloat", element_of(type))
        numbers = DenseArrayBase.from_list(element, table)
        return Real(self.e, self.e.emit(vec.LookupOp(self.ssa, numbers)))

    def as_float(self, type: Attribute) -> Real:
        """The float of type `type` with these bits."""
        return Real(self.e, self.e.from_bits(self.ssa, type))

    def to_float(self, element: Attribute) -> Real:
        """The number as a float."""
        return Real(self.e, self.e.int_to_float(self.ssa, element, signed=True))


def _real_operator(
    emit: Callable[[Build, SSAValue, SSAValue], SSAValue],
) -> Callable[[Real, RealLike], Real]:
    return lambda self, other: Real(self.e, emit(self.e, self.ssa, self.operand(other)))


def _real_function(op: Callable[[SSAValue], Operation]) -> Callable[[Real], Real]:
    return lambda self: Real(self.e, self.e.emit(op(self.ssa)))


def _comparison(predicate: str) -> Callable[[Real, RealLike], Bool]:
    return lambda self, other: self.compare(predicate, other)


@dataclass(frozen=True)
class Real(_Value):
    """Floats of one format."""

    def operand(self, value: RealLike) -> SSAValue:
        return value.ssa if isinstance(value, Real) else self.e.constant(float(value), self.type)

    def _make(self, ssa: SSAValue) -> Real:
        return Real(self.e, ssa)

    __add__ = __radd__ = _real_operator(Build.addf)
    __sub__ = _real_operator(Build.subf)
    __mul__ = __rmul__ = _real_operator(Build.mulf)
    __truediv__ = _real_operator(Build.divf)

    def __rsub__(self, other: float) -> Real:
        return self._make(self.e.subf(self.operand(other), self.ssa))

    def __rtruediv__(self, other: float) -> Real:
        return self._make(self.e.divf(self.operand(other), self.ssa))

    def __neg__(self) -> Real:
        return self._make(self.e.negf(self.ssa))

    def __abs__(self) -> Real:
        return self._make(self.e.absf(self.ssa))

    def fma(self, factor: RealLike, summand: RealLike) -> Real:
        """self * factor + summand, rounded once, or twice if not fused."""
        if not self.is_fused:
            return self * factor + summand
        op = math.FmaOp(self.ssa, self.operand(factor), self.operand(summand))
        return self._make(self.e.emit(op))

    @property
    def is_fused(self) -> bool:
        return self.e.fused or self.is_f64

    def product_error(self, factor: Real, product: Real) -> Real:
        """self * factor - product, exactly, where the product is self * factor rounded.

        Without `fma` both factors are cut in halves whose products are exact (T. J. Dekker, "A
        floating-point technique for extending the available precision", 1971). They are below
        2^115, and the error is no denormal.
        """
        if self.is_fused:
            return self.fma(factor, -product)
        a, a_low = self._halves()
        b, b_low = factor._halves()
        return ((a * b - product) + a * b_low + a_low * b) + a_low * b_low

    def _halves(self) -> tuple[Real, Real]:
        """12 and 11 bits that make up an f32."""
        shifted = self * 4097.0
        high = shifted - (shifted - self)
        return high, self - high

    def minus_product(self, a: Real, b: Real) -> Real:
        """self - a * b without an error, where both are nearly equal."""
        if self.is_fused:
            return (-a).fma(b, self)
        product = a * b
        return (self - product) - a.product_error(b, product)

    sqrt = _real_function(math.SqrtOp)
    sqrt_to_round = _real_function(lambda x: math.SqrtOp(x, _INEXACT))
    """A root that only becomes an `f32`."""
    trunc = _real_function(math.TruncOp)
    round_even = _real_function(math.RoundEvenOp)

    def copysign(self, sign: Real) -> Real:
        return self._make(self.e.copysign(self.ssa, sign.ssa))

    def compare(self, predicate: str, other: RealLike) -> Bool:
        """Of `arith.cmpf`: `olt` is false for NaN, `ult` true."""
        return Bool(self.e, self.e.compare(predicate, self.ssa, self.operand(other)))

    __lt__ = _comparison("olt")
    __gt__ = _comparison("ogt")
    __ge__ = _comparison("oge")
    equals = _comparison("oeq")

    def at_most(self, high: float) -> Real:
        """min(self, high); NaN stays NaN."""
        return (self > high).choose(high, self)

    def at_least(self, low: float) -> Real:
        """max(self, low); NaN stays NaN."""
        return (self < low).choose(low, self)

    def table(self, name: str) -> list[float]:
        """The numbers of coefficients.toml for this value's format."""
        return self.pick(F32, F64)[name]

    def polynomial(self, coefficients: str | Sequence[float]) -> Real:
        """c[0] + c[1] self + c[2] self^2 + ... by Horner's rule; there are two at least."""
        if isinstance(coefficients, str):
            coefficients = self.table(coefficients)
        *rest, before, last = coefficients
        result = self.fma(last, before)
        for coefficient in reversed(rest):
            result = result.fma(self, coefficient)
        return result

    def bits(self) -> Int:
        return Int(self.e, self.e.bits(self.ssa))

    def to_int(self, bits: int) -> Int:
        """Toward zero; undefined for what the integer does not hold."""
        return Int(self.e, self.e.float_to_int(self.ssa, bits, signed=True))

    def xor_sign(self, sign: Int) -> Real:
        """The sign flipped where the uppermost bit of `sign` is set; its other bits are 0."""
        return (self.bits() ^ sign).as_float(self.type)

    def sign_bit(self) -> Int:
        """The uppermost bit; the others are 0."""
        return self.bits() & float_format(self.type).sign_mask

    def constant(self, value: float) -> Real:
        """A constant of this value's type."""
        return self._make(self.operand(value))

    def to_f64(self) -> Real:
        return self._make(self.e.to_float(self.ssa, f64))

    def to_f32(self) -> Real:
        return self._make(self.e.to_float(self.ssa, f32))

    @property
    def is_f64(self) -> bool:
        return element_of(self.type) == f64

    def pick(self, single: T, double: T) -> T:
        """The one of two things that belongs to this value's format."""
        return double if self.is_f64 else single


Rule: TypeAlias = Callable[..., "Real | tuple[Real | Int, ...]"]
"""A function of `Real`s (the second argument of `pown` and `rootn` is an `Int`)."""


def wrap(e: MathBuild, value: SSAValue) -> Real | Int:
    """`value` with operators."""
    return Real(e, value) if is_float(value.type) else Int(e, value)


@dataclass(frozen=True)
class Rounding:
    """A float rounded to an integer in two additions."""

    number: Real
    bits: Int
    """The low bits of number * 2^fraction as an integer, as wide as the float. Nothing is undefined
    for NaN."""
    fraction: int = 0
    """The bits of the number after the point."""


def round_to_int(x: Real, factor: RealLike = 1.0, fraction: int = 0) -> Rounding:
    """The integer nearest to x * factor, which is below half of 2^mantissa in size, or the nearest
    number with some bits of a fraction.

    c = 1.5 * 2^mantissa has units as its last place: in x * factor + c the fraction is rounded
    away, and the mantissa's low bits are the integer's.
    """
    magic = 1.5 * 2.0 ** (float_format(x.type).mantissa - fraction)
    shifted = x.fma(factor, magic) if factor != 1.0 else x + magic
    number = shifted - magic
    # All bits of 1.5 * 2^mantissa but the mantissa's uppermost one are 0.
    return Rounding(number, shifted.bits(), fraction)


def power_of_two(exponent: Int, type: Attribute) -> Real:
    """2^exponent of a float type for exponents of normal numbers."""
    form = float_format(type)
    return ((exponent + form.bias) << form.mantissa).as_float(type)


def scale(x: Real, exponent: Int) -> Real:
    """x * 2^exponent for |exponent| <= 2 * bias, rounded once.

    In two steps: half of the exponent always fits, and the first product is exact where x is
    not far from 1. The bits of a rounding will do: those above the exponent are shifted out.
    """
    half = exponent >> 1
    return x * power_of_two(half, x.type) * power_of_two(exponent - half, x.type)


def zero_exponent(type: Attribute) -> int:
    """The exponent with which `scale_near_one` gives 0: the smallest one that it may have."""
    return -4 * float_format(type).bias // 3


def scale_near_one(y: Real, n: Rounding, x: Real) -> Real:
    """y * 2^exponent rounded once, for y from 1/2 to 2.1; NaN where x is, which is finite else.

    The exponent is n rounded down. It is from `zero_exponent` to bias + 2. A quarter of it is added
    to the bits of y, which would make a number of NaN, and y is multiplied by the power of the
    rest. The bits of that power are 0 at `zero_exponent`: y * 0 is 0 at once, and a product that
    underflows takes many processors a hundred times as long.

    Where one instruction does all this, `convert-to-llvm` takes it for vectors.
    """
    exponent = n.bits >> n.fraction if n.fraction else n.bits
    quarter = n.bits >> (n.fraction + 2)
    near = (y.bits() + (quarter << float_format(y.type).mantissa)).as_float(y.type)
    result = near.fma(power_of_two(exponent - quarter, y.type), x - x)
    if isinstance(result.ssa.owner, math.FmaOp):
        result.ssa.owner.attributes[SCALES] = IntegerAttr(n.fraction, i64)
    return result


def minus_multiple(x: Real, n: Real, step: Sequence[float], bits: int) -> Real:
    """x - n step, where the step is a sum of floats and n a whole number of at most `bits` bits.

    Without `fma` the step is cut into other parts, whose products with n are exact but for the
    last one's.
    """
    if not x.is_fused:
        step = short_parts(step, 24 - bits)
    for part in step:
        x = n.fma(-part, x)
    return x


def short_parts(parts: Sequence[float], bits: int) -> list[float]:
    """A sum of f32 in parts of so many bits and a last one of 24, to 2^-68 of the whole."""
    rest = sum(Fraction(float(np.float32(part))) for part in parts)
    found: list[float] = []
    smallest = abs(rest) / 2**44
    while abs(rest) > smallest:
        _, exponent = frexp(float(rest))
        unit = Fraction(2) ** (exponent - bits)
        part = round(rest / unit) * unit
        found.append(float(part))
        rest -= part
    return [*found, float(np.float32(float(rest)))]


def low_bits(rounding: Rounding) -> Int:
    """The integer of a rounding with its sign: its size is below a quarter of 2^mantissa."""
    width = width_of(rounding.bits.type)
    spare = width - float_format(rounding.number.type).mantissa + 1
    return (rounding.bits << spare) >> spare
