"""`arith` and `ub`: integers, floats, comparisons and conversions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from xdsl.dialects import arith, llvm, ub, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import vec
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.ocl import NO_CONTRACT
from polycl.dialects.vec import count_of, same_shape, vector_of
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm.estimates_to_llvm import divide
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import bits_of, llvm_type

_SAME_OPERANDS: dict[type[Operation], type[Operation]] = {
    arith.AddiOp: llvm.AddOp,
    arith.SubiOp: llvm.SubOp,
    arith.MuliOp: llvm.MulOp,
    arith.AndIOp: llvm.AndOp,
    arith.OrIOp: llvm.OrOp,
    arith.XOrIOp: llvm.XOrOp,
    arith.ShLIOp: llvm.ShlOp,
    arith.ShRUIOp: llvm.LShrOp,
    arith.ShRSIOp: llvm.AShrOp,
}

_CONTRACTIBLE: dict[type[Operation], type[llvm.AbstractFloatArithOp]] = {
    arith.AddfOp: llvm.FAddOp,
    arith.SubfOp: llvm.FSubOp,
    arith.MulfOp: llvm.FMulOp,
}

_MIN_MAX: dict[type[Operation], str] = {
    arith.MinSIOp: "smin",
    arith.MaxSIOp: "smax",
    arith.MinUIOp: "umin",
    arith.MaxUIOp: "umax",
    # C's fmin and fmax: a NaN counts as missing. Of -0 and +0 either is the result (C99, F.9.9.2;
    # the interpreter orders them): `minimumnum`, which orders them, branches on each sign.
    arith.MinnumfOp: "minnum",
    arith.MaxnumfOp: "maxnum",
    arith.MinimumfOp: "minimum",
    arith.MaximumfOp: "maximum",
}

_DIVISIONS: dict[type[Operation], tuple[Callable[[SSAValue, SSAValue], Operation], bool]] = {
    arith.DivSIOp: (llvm.SDivOp, True),
    arith.RemSIOp: (llvm.SRemOp, True),
    arith.DivUIOp: (llvm.UDivOp, False),
    arith.RemUIOp: (llvm.URemOp, False),
}

_CASTS: dict[type[Operation], type[Operation]] = vec.with_vectors(
    {
        arith.ExtSIOp: llvm.SExtOp,
        arith.ExtUIOp: llvm.ZExtOp,
        arith.TruncIOp: llvm.TruncOp,
        arith.SIToFPOp: llvm.SIToFPOp,
        arith.UIToFPOp: llvm_ext.UIToFPOp,
        arith.FPToSIOp: llvm_ext.FPToSIOp,
        arith.FPToUIOp: llvm_ext.FPToUIOp,
        arith.ExtFOp: llvm.FPExtOp,
        arith.BitcastOp: llvm.BitcastOp,
    }
)


def _constant(op: arith.ConstantOp, low: FunctionLowering) -> SSAValue:
    type = llvm_type(op.result.type)
    value = op.value
    match value:
        case DenseIntOrFPElementsAttr() if isinstance(type, VectorType):
            if value.type != type:
                numbers: Any = value.get_values()
                value = DenseIntOrFPElementsAttr.from_list(type, numbers)
        case IntegerAttr() | FloatAttr():
            return low.constant(value.value.data, type)
        case _:
            raise error_at(op, f"a constant of type {op.result.type} has no form in LLVM")
    return low.new(llvm.ConstantOp, [], type, {"value": value})


def _same_operands(op: Operation, low: FunctionLowering) -> SSAValue:
    args = low.values_of(op.operands)
    return low.new(_SAME_OPERANDS[type(op)], args, args[0].type)


def _negate(op: Operation, low: FunctionLowering) -> SSAValue:
    x = low.value(op.operands[0])
    return low.new(llvm.FNegOp, [x], x.type, {"fastmathFlags": low.float_flags()})


def _contractible(op: Operation, low: FunctionLowering) -> SSAValue:
    # LLVM's flag is for a product and a sum that become one operation. Where it has moved a sign
    # from the product to the sum, it gives the product the flag of the sum, so that a sum has none
    # whose products round.
    may_fuse = isinstance(op, arith.MulfOp) or any(map(_is_fused_product, op.operands))
    x, y = low.values_of(op.operands)
    return low.float_binary(_CONTRACTIBLE[type(op)], x, y, may_fuse)


def _is_fused_product(value: SSAValue) -> bool:
    owner = value.owner
    while isinstance(owner, arith.NegfOp):
        owner = owner.operand.owner
    return isinstance(owner, arith.MulfOp) and NO_CONTRACT not in owner.attributes


def _min_max(op: Operation, low: FunctionLowering) -> SSAValue:
    args = low.values_of(op.operands)
    return low.intrinsic(_MIN_MAX[type(op)], args, of=args[0].type)


def _divide(op: Operation, low: FunctionLowering) -> SSAValue:
    """An undefined integer division may have any result (OpenCL 1.2, section 6.3.a), but not trap.

    Unless the divisor is known to be safe, a division by 0 divides by 1, and so does one by -1 that
    would overflow. What a remainder, and a vector by one number, is divided by does not depend on
    the dividend, so that the reciprocal of an argument is computed once. Divisions of type index
    are made by the compiler only.
    """
    divide, signed = _DIVISIONS[type(op)]
    x, y = low.values_of(op.operands)
    is_remainder = isinstance(op, arith.RemSIOp | arith.RemUIOp)
    is_long = low.conventions.converts and bits_of(x.type) == 64 and count_of(x.type) >= 4
    if isinstance(op.operands[1].type, IndexType) or _is_safe_divisor(op.operands[1]):
        if is_long and not _is_power_of_two(op.operands[1]):
            least = min(map(abs, _constants(op.operands[1])), default=0)
            return _long_division(low, x, y, signed, is_remainder, least)
        return low.emit(divide(x, y))
    by_reciprocal = isinstance(x.type, VectorType) and bits_of(x.type) <= 32
    by_one_number = by_reciprocal and isinstance(op.operands[1].owner, vector.BroadcastOp)
    one = low.constant(1, y.type)
    unsafe = low.icmp("eq", y, low.constant(0, y.type))
    negates = low.icmp("eq", y, low.constant(-1, y.type)) if signed else None
    if negates is not None:
        overflows = negates
        if not (is_remainder or by_one_number):
            lowest = low.constant(-(1 << (bits_of(x.type) - 1)), x.type)
            overflows = low.emit(llvm.AndOp(low.icmp("eq", x, lowest), negates))
        unsafe = low.emit(llvm.OrOp(unsafe, overflows))
    y = low.select(unsafe, one, y)
    if is_long:
        return _long_division(low, x, y, signed, is_remainder)
    if not by_reciprocal:
        return low.emit(divide(x, y))
    quotient = _float_quotient(low, x, y, signed)
    if is_remainder:
        return low.emit(llvm.SubOp(x, low.emit(llvm.MulOp(quotient, y))))
    if by_one_number and negates is not None:
        negative = low.emit(llvm.SubOp(low.constant(0, x.type), x))
        quotient = low.select(negates, negative, quotient)
    return quotient


def _float_quotient(low: FunctionLowering, x: SSAValue, y: SSAValue, signed: bool) -> SSAValue:
    """`x / y` toward zero, of integers of at most 32 bits: vectors have no division of integers.

    It is `(|x| + 1/2) * (1 / |y|)` with the sign of both, rounded toward zero. No integer is closer
    to `(|x| + 1/2) / |y|` than `1 / (2 |y|)`, and the two roundings move it by less than
    `2 * 2**-53 * (2**32 + 1) / |y|`; for 16 bits, in f32, by `2 * 2**-24 * (2**16 + 1) / |y|`.
    """
    type = same_shape(f64 if bits_of(x.type) == 32 else f32, x.type)
    to_float, to_integer = (
        (llvm.SIToFPOp, llvm_ext.FPToSIOp) if signed else (llvm_ext.UIToFPOp, llvm_ext.FPToUIOp)
    )
    dividend, divisor = (low.new(to_float, [value], type) for value in (x, y))
    half = low.constant(0.5, type)
    if signed:
        half = low.intrinsic("copysign", [half, dividend], of=type)
    inverse = low.new(llvm.FDivOp, [low.constant(1.0, type), divisor], type)
    moved = low.float_binary(llvm.FAddOp, dividend, half, may_fuse=False)
    product = low.float_binary(llvm.FMulOp, moved, inverse, may_fuse=False)
    return low.new(to_integer, [product], x.type)


def _long_division(
    low: FunctionLowering,
    x: SSAValue,
    y: SSAValue,
    signed: bool,
    is_remainder: bool,
    least: int = 0,
) -> SSAValue:
    """The quotient or rest of integers of 64 bits, toward zero, by divisors of at least `least`.

    With u = 2**-53, the inverse of `|y|` is taken too small by 8 u, so that with at most five
    roundings a product with it is too small, by at least 2 u and at most 14 u of itself. The
    first quotient leaves less than `|y| + 14 u |x|`, thus less than `28674 |y|`, and less than
    `2 |y|` if `y` is large; so does the second one.
    """
    type = same_shape(f64, x.type)
    negative_x, negative_y = (_sign(low, value) if signed else None for value in (x, y))
    rest, divisor = _flipped(low, x, negative_x), _flipped(low, y, negative_y)
    one = low.constant(1.0, type)
    inverse = low.new(llvm.FDivOp, [one, low.new(llvm_ext.UIToFPOp, [divisor], type)], type)
    smaller = low.constant(1 - 2.0**-50, type)
    inverse = low.float_binary(llvm.FMulOp, inverse, smaller, may_fuse=False)
    parts: list[SSAValue] = []
    for _ in range(1 if least > 14 << 11 else 2):
        dividend = low.new(llvm_ext.UIToFPOp, [rest], type)
        product = low.float_binary(llvm.FMulOp, dividend, inverse, may_fuse=False)
        parts.append(low.new(llvm_ext.FPToUIOp, [product], x.type))
        rest = low.emit(llvm.SubOp(rest, low.emit(llvm.MulOp(parts[-1], divisor))))
    if is_remainder:
        # What is subtracted too much is larger than any rest.
        less = low.emit(llvm.SubOp(rest, divisor))
        return _flipped(low, low.intrinsic("umin", [rest, less], of=x.type), negative_x)
    quotient = reduce(lambda a, b: low.emit(llvm.AddOp(a, b)), parts)
    is_less = low.icmp("ult", rest, divisor)
    more = low.emit(llvm.AddOp(quotient, low.constant(1, x.type)))
    quotient = low.select(is_less, quotient, more)
    if negative_x is None or negative_y is None:
        return quotient
    return _flipped(low, quotient, low.emit(llvm.XOrOp(negative_x, negative_y)))


def _sign(low: FunctionLowering, x: SSAValue) -> SSAValue:
    """-1 for a negative number, 0 for others."""
    return low.emit(llvm.AShrOp(x, low.constant(bits_of(x.type) - 1, x.type)))


def _flipped(low: FunctionLowering, x: SSAValue, sign: SSAValue | None) -> SSAValue:
    """-x where `sign` is -1, x where it is 0."""
    return x if sign is None else low.emit(llvm.SubOp(low.emit(llvm.XOrOp(x, sign)), sign))


def _is_safe_divisor(value: SSAValue) -> bool:
    return all(number not in (0, -1) for number in _constants(value) or (0,))


def _is_power_of_two(value: SSAValue) -> bool:
    return all(abs(number).bit_count() == 1 for number in _constants(value) or (0,))


def _constants(value: SSAValue) -> Sequence[int]:
    """The elements of a constant, or the one that all of them are; none, if it is no constant."""
    while isinstance(value.owner, vector.BroadcastOp):
        value = value.owner.source
    if not isinstance(value.owner, arith.ConstantOp):
        return ()
    constant: Any = value.owner.value
    return constant.get_values() if hasattr(constant, "get_values") else [constant.value.data]


def _compare_floats(op: vec.AnyCmpf, low: FunctionLowering) -> SSAValue:
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    if predicate in ("false", "true"):
        return low.constant(predicate == "true", llvm_type(op.result.type))
    return low.fcmp(predicate, *low.values_of(op.operands))


def _cast(op: Operation, low: FunctionLowering) -> SSAValue:
    source = low.value(op.operands[0])
    result = llvm_type(op.results[0].type)
    return source if source.type == result else low.new(_CASTS[type(op)], [source], result)


def _index_cast(op: vec.AnyIndexCast, low: FunctionLowering) -> SSAValue:
    """`index` has 64 bits; a narrower integer is extended by its sign, as in MLIR."""
    source, result = low.value(op.input), llvm_type(op.result.type)
    have, want = bits_of(source.type), bits_of(result)
    if have == want:
        return source
    return low.new(llvm.SExtOp if have < want else llvm.TruncOp, [source], result)


def truncate_float(low: FunctionLowering, x: SSAValue, result: Attribute) -> SSAValue:
    """`x` rounded once to a narrower format.

    x86 has no instruction from f64 to f16, and not every system has a library function for it.
    The f64 is first rounded to an odd f32, so that only the second rounding counts (S. Boldo and
    G. Melquiond, "When double rounding is odd", 2005).
    """
    if bits_of(x.type) != 64 or bits_of(result) != 16:
        return low.emit(llvm.FPTruncOp(x, result))
    single, word = same_shape(f32, x.type), same_shape(i32, x.type)
    rounded = low.emit(llvm.FPTruncOp(x, single))
    back = low.emit(llvm.FPExtOp(rounded, x.type))
    inexact = low.fcmp("one", back, x)
    away = low.fcmp(
        "ogt",
        low.intrinsic("fabs", [back], of=x.type),
        low.intrinsic("fabs", [x], of=x.type),
    )
    bits = low.emit(llvm.BitcastOp(rounded, word))
    toward_zero = low.emit(llvm.SubOp(bits, low.emit(llvm.ZExtOp(away, word))))
    odd = low.emit(llvm.OrOp(toward_zero, low.constant(1, word)))
    kept = low.select(inexact, odd, bits)
    return low.emit(llvm.FPTruncOp(low.emit(llvm.BitcastOp(kept, single)), result))


def widen_float(low: FunctionLowering, x: SSAValue, bits: int) -> SSAValue:
    """`x` in the format with `bits` bits, exactly."""
    if bits_of(x.type) == bits:
        return x
    return low.emit(llvm.FPExtOp(x, same_shape(f64 if bits == 64 else f32, x.type)))


def _add_with_carry(op: arith.AddUIExtendedOp, low: FunctionLowering) -> tuple[SSAValue, SSAValue]:
    x, y = low.values_of(op.operands)
    total = low.emit(llvm.AddOp(x, y))
    return total, low.icmp("ult", total, x)


def _multiply_extended(
    op: arith.MulSIExtendedOp | arith.MulUIExtendedOp, low: FunctionLowering
) -> tuple[SSAValue, SSAValue]:
    extend = llvm.SExtOp if isinstance(op, arith.MulSIExtendedOp) else llvm.ZExtOp
    x, y = low.values_of(op.operands)
    width = bits_of(x.type)
    wide = same_shape(IntegerType(2 * width), x.type)
    product = low.emit(llvm.MulOp(low.emit(extend(x, wide)), low.emit(extend(y, wide))))
    high = low.emit(llvm.LShrOp(product, low.constant(width, wide)))
    return low.emit(llvm.TruncOp(product, x.type)), low.emit(llvm.TruncOp(high, x.type))


_MOST_CHOSEN = 128
"""The bits of the vectors of one work-item."""

_MASKS = (8, 16, 32, 64)
"""The bits of mask registers."""


def _select(op: arith.SelectOp, low: FunctionLowering) -> SSAValue:
    """x86 has a branch for a choice of vectors by one truth value, which is mispredicted where that
    depends on data; it has none where each element has its own.
    """
    condition, x, y = low.values_of(op.operands)
    if isinstance(x.type, VectorType):
        bits, count = bits_of(x.type), count_of(x.type)
        given = op.cond.owner
        if isinstance(given, vector.BroadcastOp) and bits > 1 and count in _MASKS:
            # The bits of a mask register; LLVM makes vectors of numbers of a splat of truth values
            # between a value and its complement or negative, and a mask of these again.
            number = low.emit(llvm.SExtOp(low.value(given.source), IntegerType(count)))
            condition = low.new(llvm.BitcastOp, [number], condition.type)
        elif not isinstance(condition.type, VectorType) and 1 < bits * count <= _MOST_CHOSEN:
            # LLVM would take a splat of truth values for the one.
            number = low.emit(llvm.SExtOp(condition, IntegerType(bits)))
            numbers = low.splat(number, vector_of(number.type, count))
            condition = low.icmp("slt", numbers, low.constant(0, numbers.type))
    return low.select(condition, x, y)


CONVERTERS: dict[type[Operation], Converter] = vec.with_vectors(
    {
        **dict.fromkeys(_SAME_OPERANDS, _same_operands),
        **dict.fromkeys(_CONTRACTIBLE, _contractible),
        arith.DivfOp: divide,
        arith.NegfOp: _negate,
        **dict.fromkeys(_MIN_MAX, _min_max),
        **dict.fromkeys(_DIVISIONS, _divide),
        **dict.fromkeys(_CASTS, _cast),
        arith.ConstantOp: _constant,
        arith.CmpiOp: lambda op, low: low.icmp(predicate_of(op), *low.values_of(op.operands)),
        arith.CmpfOp: _compare_floats,
        arith.SelectOp: _select,
        arith.IndexCastOp: _index_cast,
        arith.TruncFOp: lambda op, low: truncate_float(
            low, low.value(op.input), llvm_type(op.result.type)
        ),
        arith.AddUIExtendedOp: _add_with_carry,
        arith.MulSIExtendedOp: _multiply_extended,
        arith.MulUIExtendedOp: _multiply_extended,
        ub.PoisonOp: lambda op, low: low.poison(low.type(op.result.type)),
    }
)
