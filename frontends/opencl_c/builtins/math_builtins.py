"""Math, common and geometric functions (OpenCL 1.2, sections 6.12.2, 6.12.4 and 6.12.5)."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.frontends.opencl_c.builder import with_element
from polycl.frontends.opencl_c.builtins.table import (
    Emit,
    by_sign,
    call_named,
    element_type,
    named,
    operands,
    operation,
    signed_named,
)
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import Kind

_OPERATIONS = {
    "acos": math.AcosOp,
    "acosh": math.AcoshOp,
    "asin": math.AsinOp,
    "asinh": math.AsinhOp,
    "atan": math.AtanOp,
    "atan2": math.Atan2Op,
    "atanh": math.AtanhOp,
    "cbrt": math.CbrtOp,
    "ceil": math.CeilOp,
    "copysign": math.CopySignOp,
    "cos": math.CosOp,
    "cosh": math.CoshOp,
    "erf": math.ErfOp,
    "exp": math.ExpOp,
    "exp2": math.Exp2Op,
    "expm1": math.ExpM1Op,
    "fabs": math.AbsFOp,
    "floor": math.FloorOp,
    "fma": math.FmaOp,
    "fmax": arith.MaxnumfOp,
    "fmin": arith.MinnumfOp,
    "log": math.LogOp,
    "log10": math.Log10Op,
    "log1p": math.Log1pOp,
    "log2": math.Log2Op,
    "pow": math.PowFOp,
    "rint": math.RoundEvenOp,
    "round": math.RoundOp,
    "rsqrt": math.RsqrtOp,
    "sin": math.SinOp,
    "sinh": math.SinhOp,
    "sqrt": math.SqrtOp,
    "tan": math.TanOp,
    "tanh": math.TanhOp,
    "trunc": math.TruncOp,
}
_NATIVE = "cos divide exp exp2 exp10 log log2 log10 powr recip rsqrt sin sqrt tan"
_NAMED = (
    "acospi asinpi atan2pi atanpi cospi cross degrees distance dot erfc exp10 fast_distance "
    "fast_length fast_normalize fdim fmod hypot ilogb length lgamma logb mad maxmag minmag mix "
    "nextafter normalize powr radians remainder sign sinpi smoothstep step tanpi tgamma "
    + " ".join(f"{kind}_{name}" for kind in ("half", "native") for name in _NATIVE.split())
)
_TWO_RESULTS = ("fract", "frexp", "lgamma_r", "modf", "remquo", "sincos")


def _two_results(function: str) -> Emit:
    """A function that stores its second result through its last argument."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        *arguments, target = call.arguments
        values = [e.emit(argument) for argument in arguments]
        pointer = e.emit(target)
        first, second = call_named(e, function, values)
        e.store_to(second, pointer)
        return first

    return emit


def _with_exponent(function: str) -> Emit:
    """A function whose second argument is an int for each lane, or one for all."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        value, exponent = (e.emit(argument) for argument in call.arguments)
        if isinstance(value.type, VectorType) and not isinstance(exponent.type, VectorType):
            exponent = e.broadcast(exponent, with_element(exponent.type, value.type))
        return call_named(e, function, [value, exponent])[0]

    return emit


def _nan(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return e.value(ocl.BuiltinOp("nan", operands(e, call), [call.type.value]))


def _for_both(floats: Emit, integers: Emit) -> Emit:
    """`min`, `max` and `clamp` exist for floats and integers."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue | None:
        is_float = element_type(call.type).kind is Kind.FLOAT
        return (floats if is_float else integers)(e, call)

    return emit


TABLE: dict[str, Emit] = (
    {name: operation(make) for name, make in _OPERATIONS.items()}
    | {name: named(name) for name in _NAMED.split()}
    | {name: _two_results(name) for name in _TWO_RESULTS}
    | {name: _with_exponent(name) for name in ("ldexp", "pown", "rootn")}
    | {
        "nan": _nan,
        "min": _for_both(operation(arith.MinnumfOp), by_sign(arith.MinSIOp, arith.MinUIOp)),
        "max": _for_both(operation(arith.MaxnumfOp), by_sign(arith.MaxSIOp, arith.MaxUIOp)),
        "clamp": _for_both(named("clamp"), signed_named("clamp")),
    }
)
