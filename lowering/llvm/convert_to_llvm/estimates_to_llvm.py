"""Reciprocals, also of roots, of vectors from the processor's estimates of 14 bits (AVX-512).

A Newton step follows, two for `double`, after which all but the last bits are right. OpenCL allows
it of `rsqrt`, of
functions whose names begin with `native_` and `half_`, and of each division with
-cl-unsafe-math-optimizations (OpenCL 3.0 C, section 7.4). Reciprocals and roots of 0,
infinity and NaN are exact.
"""

from __future__ import annotations

from math import inf

from xdsl.dialects import arith, llvm, math, vector
from xdsl.dialects.builtin import f32, f64, i8, i16, i32, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, SSAValue

from polycl.dialects.relaxed import permits
from polycl.dialects.vec import count_of, element_of, same_shape
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import bits_of

_LANES = (4, 8, 16)
REGISTER_BITS = 512


def has_estimate(low: FunctionLowering, type: Attribute) -> bool:
    """Whether the processor has estimates for values of this type."""
    return low.conventions.estimate and element_of(type) == f32 and count_of(type) in _LANES


def estimates_doubles(low: FunctionLowering, type: Attribute) -> bool:
    """Whether the processor has estimates for these `double`s, which fill registers: one or two of
    them in a smaller one are divided as quickly."""
    return low.conventions.estimate and element_of(type) == f64 and count_of(type) in (8, 16)


def divide(op: arith.DivfOp, low: FunctionLowering) -> SSAValue:
    """x / y, where permitted as a product of x and 1 / y."""
    x, y = low.values_of(op.operands)
    flags = {"fastmathFlags": low.float_flags()}
    inverse = _inverse(op, low)
    if inverse is None:
        return low.new(llvm.FDivOp, [x, y], x.type, flags)
    return low.new(llvm.FMulOp, [x, inverse], x.type, flags)


def _inverse(op: arith.DivfOp, low: FunctionLowering) -> SSAValue | None:
    """The reciprocal of what an operation divides by; None where a division is as good."""
    if not (low.conventions.relaxed and permits(op, FastMathFlag.ALLOW_RECIP)):
        return None
    may_estimate = permits(op, FastMathFlag.APPROX_FUNC) and has_estimate(low, op.result.type)
    match op.rhs.owner:
        case arith.ConstantOp():
            return None
        case vector.BroadcastOp() as splat:
            # One division for all lanes, which LLVM moves out of a loop.
            scalar = low.value(splat.source)
            flags = {"fastmathFlags": low.float_flags()}
            one = low.constant(1.0, scalar.type)
            inverse = low.new(llvm.FDivOp, [one, scalar], scalar.type, flags)
            return low.splat(inverse, low.type(op.rhs.type))
        case math.SqrtOp() as root if may_estimate and permits(root, FastMathFlag.APPROX_FUNC):
            return reciprocal_root(low, low.value(root.operand))
        case _ if may_estimate and low.conventions.slow_division:
            return _reciprocal(low, low.value(op.rhs))
        case _:
            return None


def _estimate(low: FunctionLowering, function: str, x: SSAValue) -> SSAValue:
    count, width = count_of(x.type), bits_of(element_of(x.type))
    if count * width > REGISTER_BITS:
        halves = range(count // 2), range(count // 2, count)
        low_half, high_half = (_estimate(low, function, low.shuffle(x, x, h)) for h in halves)
        return low.shuffle(low_half, high_half, range(count))
    args = [x, low.constant(0.0, x.type), low.constant(-1, i16 if count == 16 else i8)]
    kind = "ps" if width == 32 else "pd"
    name = f"llvm.x86.avx512.{function}14.{kind}.{count * width}"
    return low.intrinsic_named(name, args, x.type)


def _reciprocal(low: FunctionLowering, x: SSAValue) -> SSAValue:
    """One step y + y (1 - x y), within 1 ULP where 1 / x is a normal number.

    For 0, infinity, NaN and numbers whose reciprocal overflows, the estimate is the result.
    """
    type = x.type
    y = _estimate(low, "rcp", x)
    minus = low.emit(llvm.FNegOp(x))
    error = low.intrinsic("fma", [minus, y, low.constant(1.0, type)], of=type)
    step = low.intrinsic("fma", [y, error, y], of=type)
    return low.select(low.fcmp("ogt", error, low.constant(-1.0, type)), step, y)


def reciprocal_root(low: FunctionLowering, x: SSAValue) -> SSAValue:
    """Steps y + y (1/2 - x (y/2) y) after the estimate of 1 / sqrt(x).

    For 0 and infinity the estimate is exact, and the step is NaN: 1 replaces it, which changes
    neither. Half of y is computed by a subtraction from the exponent; it and the minimum keep the
    units for multiply-adds free. Within 1.7 ULP; OpenCL 1.2, section 7.4, allows 2.
    """
    y = _estimate(low, "rsqrt", x)
    for _ in range(1 if element_of(x.type) == f32 else 2):
        y = _root_step(low, x, y)
    return y


def _root_step(low: FunctionLowering, x: SSAValue, y: SSAValue) -> SSAValue:
    type, is_single = x.type, element_of(x.type) == f32
    bits = same_shape(i32 if is_single else i64, type)
    exponent_one = low.constant(1 << (23 if is_single else 52), bits)
    half_bits = low.emit(llvm.SubOp(low.emit(llvm.BitcastOp(y, bits)), exponent_one))
    minus_half = low.emit(llvm.FNegOp(low.emit(llvm.BitcastOp(half_bits, type))))
    minus_product = low.emit(llvm.FMulOp(x, minus_half))
    step = low.intrinsic("fma", [minus_product, y, low.constant(0.5, type)], of=type)
    one = low.constant(1.0, type)
    step = low.select(low.fcmp("olt", step, one), step, one)
    return low.intrinsic("fma", [y, step, y], of=type)


def root_of_estimate(low: FunctionLowering, x: SSAValue) -> SSAValue:
    """sqrt(x) of `double`s: x y from the estimate y of 1 / sqrt(x), which steps improve together
    with y / 2. The error before the last rounding is below 2^-75: to a `float` it is rounded as the
    exact root is. 0 and infinity are their own roots."""
    type = x.type
    y = _estimate(low, "rsqrt", x)
    root, half = low.emit(llvm.FMulOp(x, y)), low.emit(llvm.FMulOp(y, low.constant(0.5, type)))
    minus_half = low.emit(llvm.FNegOp(half))
    error = low.intrinsic("fma", [minus_half, root, low.constant(0.5, type)], of=type)
    root = low.intrinsic("fma", [root, error, root], of=type)
    half = low.intrinsic("fma", [half, error, half], of=type)
    for _ in range(2):
        rest = low.intrinsic("fma", [low.emit(llvm.FNegOp(root)), root, x], of=type)
        root = low.intrinsic("fma", [rest, half, root], of=type)
    zero = low.fcmp("oeq", x, low.constant(0.0, type))
    infinite = low.fcmp("oeq", x, low.constant(inf, type))
    return low.select(low.emit(llvm.OrOp(zero, infinite)), x, root)
