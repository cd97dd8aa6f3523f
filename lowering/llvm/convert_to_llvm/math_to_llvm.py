"""`math` and the `ocl.builtin`s that `ocl-expand-builtins` keeps: intrinsics and library calls."""

from __future__ import annotations

from xdsl.dialects import arith, llvm, math
from xdsl.dialects.builtin import IntegerAttr, VectorType, i1, i8, i16, i32
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polycl.analysis.llvm.libm import LIBM_BUILTINS, MATH_OPS, symbol
from polycl.dialects import llvm as llvm_ext
from polycl.dialects import vec
from polycl.dialects.ocl import BuiltinOp
from polycl.dialects.ocl.attributes import SCALES
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.dialects.relaxed import permits
from polycl.dialects.vec import count_of, element_of, same_shape
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm.arith_to_llvm import truncate_float, widen_float
from polycl.lowering.llvm.convert_to_llvm.estimates_to_llvm import (
    estimates_doubles,
    has_estimate,
    reciprocal_root,
    root_of_estimate,
)
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import (
    Converter,
    FunctionLowering,
    Results,
)
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import bits_of
from polycl.lowering.ocl.float_format import float_format

_INTRINSICS: dict[type[Operation], str] = {
    math.AbsFOp: "fabs",
    math.CeilOp: "ceil",
    math.CopySignOp: "copysign",
    math.CtPopOp: "ctpop",
    math.FloorOp: "floor",
    math.RoundEvenOp: "roundeven",
    math.RoundOp: "round",
    math.TruncOp: "trunc",
}
"""Exact operations: intrinsics even where the library has a function."""

_WITH_FLAG: dict[type[Operation], str] = {
    math.AbsIOp: "abs",
    math.CountLeadingZerosOp: "ctlz",
    math.CountTrailingZerosOp: "cttz",
}
"""Intrinsics with a flag that makes the special case (the lowest number, zero) poison."""


def _intrinsic(op: Operation, low: FunctionLowering) -> SSAValue:
    args = low.values_of(op.operands)
    return low.intrinsic(_INTRINSICS[type(op)], args, of=args[0].type)


def _with_flag(op: Operation, low: FunctionLowering) -> SSAValue:
    arg = low.value(op.operands[0])
    return low.intrinsic(_WITH_FLAG[type(op)], [arg, low.constant(0, i1)], of=arg.type)


def _library(op: Operation, low: FunctionLowering) -> SSAValue:
    args = low.values_of(op.operands)
    return library_call(low, MATH_OPS[type(op)], args)


def library_call(low: FunctionLowering, base: str, args: list[SSAValue]) -> SSAValue:
    """The library's function `base` on floats of one type, element by element.

    An f16 is widened to f32 and the result rounded.
    """
    result = args[0].type
    width = max(bits_of(result), 32)
    wide = [widen_float(low, arg, width) for arg in args]

    def call(*scalars: SSAValue) -> SSAValue:
        return low.call(symbol(base, width), scalars, scalars[0].type)

    value = low.each_element(call, wide, wide[0].type)
    return value if value.type == result else truncate_float(low, value, result)


def _fma(op: math.FmaOp, low: FunctionLowering) -> SSAValue:
    fraction = op.attributes.get(SCALES)
    if (
        low.conventions.scales
        and isinstance(fraction, IntegerAttr)
        and isinstance(op.a.type, VectorType)
    ):
        parts = _scaled_parts(op)
        if parts is not None:
            y, moved = low.values_of(parts)
            return _scaled(low, y, moved, fraction.value.data)
    a, b, c = low.values_of(op.operands)
    if bits_of(a.type) != 16:
        return low.intrinsic("fma", [a, b, c], of=a.type)
    # The product of two f16 is exact in f64, and so is the sum wherever its last bits matter.
    wide = [widen_float(low, x, 64) for x in (a, b, c)]
    product = low.emit(llvm.FMulOp(wide[0], wide[1]))
    return truncate_float(low, low.emit(llvm.FAddOp(product, wide[2])), a.type)


def _scaled_parts(op: math.FmaOp) -> tuple[SSAValue, SSAValue] | None:
    """What `scale_near_one` of `expand-math` scales, and the sum that has the exponent as its low
    bits; None where passes have written it in another way."""
    match op.a.owner:
        case arith.BitcastOp(
            input=OpResult(
                op=arith.AddiOp(
                    lhs=OpResult(op=arith.BitcastOp(input=y)),
                    rhs=OpResult(
                        op=arith.ShLIOp(
                            lhs=OpResult(
                                op=arith.ShRSIOp(lhs=OpResult(op=arith.BitcastOp(input=moved)))
                            )
                        )
                    ),
                )
            )
        ):
            return y, moved
        case _:
            return None


def _scaled(low: FunctionLowering, y: SSAValue, moved: SSAValue, fraction: int) -> SSAValue:
    """y * 2^n by the instruction of AVX-512, in 128, 256 or 512 bits. It rounds n down.

    Where LLVM's own vectors of a loop would be the faster code, there is a scalar here.
    """
    type = y.type
    # All low bits of this number are 0.
    magic = low.constant(1.5 * 2.0 ** (float_format(type).mantissa - fraction), type)
    args = [y, low.float_binary(llvm.FSubOp, moved, magic, may_fuse=False)]
    have, width = count_of(type), bits_of(type)
    bits = next((bits for bits in (128, 256, 512) if bits >= have * width), None)
    if bits is None:
        half = have // 2
        first, second = (
            _scaled(low, low.shuffle(y, y, part), low.shuffle(moved, moved, part), fraction)
            for part in (range(half), range(half, have))
        )
        return low.shuffle(first, second, range(have))
    count = bits // width
    wide = VectorType(element_of(type), [count])
    if type != wide:
        args = [low.resized(value, count) for value in args]
    args += [low.poison(wide), low.constant(-1, i16 if count == 16 else i8)]
    if bits == 512:
        # Rounded as the control register specifies.
        args.append(low.constant(4, i32))
    name = f"llvm.x86.avx512.mask.scalef.{'ps' if width == 32 else 'pd'}.{bits}"
    scaled = low.intrinsic_named(name, args, wide)
    return scaled if type == wide else low.resized(scaled, have)


def square_root(low: FunctionLowering, x: SSAValue) -> SSAValue:
    if bits_of(x.type) != 16:
        return low.intrinsic("sqrt", [x], of=x.type)
    wide = widen_float(low, x, 32)
    return truncate_float(low, low.intrinsic("sqrt", [wide], of=wide.type), x.type)


def _sqrt(op: math.SqrtOp, low: FunctionLowering) -> SSAValue:
    """The root; of `double`s that is rounded to `float`, as `hypot` is, from an estimate."""
    x = low.value(op.operand)
    is_rounded = all(isinstance(use.operation, vec.TruncFOp) for use in op.result.uses)
    may_estimate = low.conventions.slow_division and permits(op, FastMathFlag.APPROX_FUNC)
    if is_rounded and may_estimate and estimates_doubles(low, x.type):
        return root_of_estimate(low, x)
    return square_root(low, x)


def _rsqrt(op: math.RsqrtOp, low: FunctionLowering) -> SSAValue:
    """1 / sqrt(x), rounded twice; or from an estimate."""
    x = low.value(op.operand)
    is_usual = count_of(x.type) == 16 or permits(op, FastMathFlag.APPROX_FUNC)
    if (is_usual and has_estimate(low, x.type)) or estimates_doubles(low, x.type):
        return reciprocal_root(low, x)
    root = square_root(low, x)
    return low.emit(llvm.FDivOp(low.constant(1.0, root.type), root))


def _builtin(op: BuiltinOp, low: FunctionLowering) -> Results:
    name = op.function.data
    args = low.values_of(op.arguments)
    match name:
        case "lgamma_r":
            return _lgamma_r(low, args)
        case "remquo":
            return _remquo(low, args)
        case _ if BUILTINS[name].is_dot_product and count_of(args[0].type) <= 16:
            return _dot_product(low, name.split("_")[2], *args)
        case _ if name in LIBM_BUILTINS and len(args) == len(op.operands) and _all_floats(op):
            return library_call(low, name, args)
        case _:
            raise error_at(
                op, f"builtin '{name}' has no form in LLVM: run ocl-expand-builtins before"
            )


def _dot_product(low: FunctionLowering, signs: str, x: SSAValue, y: SSAValue) -> SSAValue:
    """For each number of 32 bits, the sum of the products of its bytes, of which x's and y's have
    these `signs`.

    The instruction multiplies unsigned by signed bytes. Of others the uppermost bit of a factor is
    inverted, which adds or subtracts 128; then 128 times the sum of the other factors is wrong.
    """
    type = x.type
    have = count_of(type)
    count = next(n for n in (4, 8, 16) if n >= have)
    wide, bytes = VectorType(i32, [count]), VectorType(i8, [4 * count])
    if not isinstance(type, VectorType):
        x, y = (low.insert_element(low.poison(wide), value, 0) for value in (x, y))
    elif have != count:
        x, y = (low.resized(value, count) for value in (x, y))
    top = low.constant(_TOP_BITS, wide)

    def dot(unsigned: SSAValue, signed: SSAValue) -> SSAValue:
        factors = [low.emit(llvm.BitcastOp(value, bytes)) for value in (unsigned, signed)]
        name = f"llvm.x86.avx512.vpdpbusd.{32 * count}"
        return low.intrinsic_named(name, [low.constant(0, wide), *factors], wide)

    match signs:
        case "us":
            result = dot(x, y)
        case "su":
            result = dot(y, x)
        case "ss":
            moved = low.emit(llvm.XOrOp(x, top))
            result = low.emit(llvm.SubOp(dot(moved, y), dot(top, y)))
        case _:
            moved = low.emit(llvm.XOrOp(y, top))
            result = low.emit(llvm.SubOp(dot(x, moved), dot(x, top)))
    if not isinstance(type, VectorType):
        return low.extract_element(result, 0)
    return result if have == count else low.resized(result, have)


_TOP_BITS = -0x7F7F7F80
"""The uppermost bit of each of four bytes."""


def _all_floats(op: BuiltinOp) -> bool:
    return all(value.type == op.res[0].type for value in op.arguments)


def _lgamma_r(low: FunctionLowering, args: list[SSAValue]) -> tuple[SSAValue, SSAValue]:
    """The library's function stores its second result, an int, through a pointer."""
    result = args[0].type
    name = symbol("lgamma", bits_of(result)) + "_r"
    slot = low.allocate(4, 4)
    ints: list[SSAValue] = []

    def call(*scalars: SSAValue) -> SSAValue:
        value = low.call(name, [*scalars, slot], scalars[0].type)
        ints.append(low.emit(llvm.LoadOp(slot, i32, 4)))
        return value

    value = low.each_element(call, args, result)
    return value, _gather(low, ints, same_shape(i32, result))


def _gather(low: FunctionLowering, scalars: list[SSAValue], type: Attribute) -> SSAValue:
    if len(scalars) == 1:
        return scalars[0]
    vector = low.poison(type)
    for i, scalar in enumerate(scalars):
        vector = low.insert_element(vector, scalar, i)
    return vector


def _remquo(low: FunctionLowering, args: list[SSAValue]) -> tuple[SSAValue, SSAValue]:
    """The IEEE remainder, and the sign and the low 7 bits of the quotient (6.12.2).

    The library gives 3 bits only. fmod(|x|, 128 |y|) keeps the low 7 bits of the quotient, and its
    difference to the remainder is a multiple of y, so that the division is exact.
    f32 is computed in f64, where 128 |y| does not overflow.
    """
    x, y = args
    type = x.type
    remainder = library_call(low, "remainder", args)
    wide = [widen_float(low, value, 64) for value in (x, y, remainder)]
    wide_type = wide[0].type
    size = low.intrinsic("fabs", [wide[0]], of=wide_type)
    step = low.intrinsic("fabs", [wide[1]], of=wide_type)
    scaled = low.emit(llvm.FMulOp(step, low.constant(128.0, wide_type)))
    rest = low.select(
        low.fcmp("olt", size, scaled), size, library_call(low, "fmod", [size, scaled])
    )
    # The remainder of |x|: that of x, negated for x < 0.
    negative = low.fcmp("olt", wide[0], low.constant(0.0, wide_type))
    left = low.select(negative, low.emit(llvm.FNegOp(wide[2])), wide[2])
    multiple = low.emit(llvm.FSubOp(rest, left))
    quotient = low.intrinsic("roundeven", [low.emit(llvm.FDivOp(multiple, step))], of=wide_type)
    finite = low.fcmp(
        "olt", low.intrinsic("fabs", [quotient], of=wide_type), low.constant(256.0, wide_type)
    )
    safe = low.select(finite, quotient, low.constant(0.0, wide_type))
    integer = same_shape(i32, type)
    bits = low.emit(
        llvm.AndOp(low.emit(llvm_ext.FPToSIOp(safe, integer)), low.constant(127, integer))
    )
    differ = low.emit(llvm.XOrOp(negative, low.fcmp("olt", wide[1], low.constant(0.0, wide_type))))
    minus = low.emit(llvm.SubOp(low.constant(0, integer), bits))
    return remainder, low.select(differ, minus, bits)


CONVERTERS: dict[type[Operation], Converter] = {
    **dict.fromkeys(MATH_OPS, _library),
    **dict.fromkeys(_INTRINSICS, _intrinsic),
    **dict.fromkeys(_WITH_FLAG, _with_flag),
    math.FmaOp: _fma,
    math.SqrtOp: _sqrt,
    math.RsqrtOp: _rsqrt,
    BuiltinOp: _builtin,
}
