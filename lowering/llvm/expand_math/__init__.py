"""`expand-math`: transcendental functions become arithmetic that vectorizes."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, math
from xdsl.dialects.builtin import ModuleOp, f16, f32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.llvm.libm import MATH_OPS
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build, is_float
from polycl.lowering.llvm.expand_math import (
    error_function,
    exponential,
    exponential_by_table,
    gamma,
    hyperbolic,
    inverse_hyperbolic,
    inverse_trigonometric,
    logarithm,
    logarithm_by_table,
    power,
    remainders,
    trigonometric,
    turns,
)
from polycl.lowering.llvm.expand_math.known_power import (
    known_exponent,
    known_power,
    known_powr,
)
from polycl.lowering.llvm.expand_math.math_values import MathBuild, Real, Rule, wrap

_FAMILIES = (
    exponential,
    logarithm,
    power,
    trigonometric,
    turns,
    inverse_trigonometric,
    hyperbolic,
    inverse_hyperbolic,
    error_function,
    gamma,
    remainders,
)

SINGLE: dict[str, Rule] = {
    name: rule for family in _FAMILIES for name, rule in family.SINGLE.items()
}
"""The functions of f32 by their OpenCL names."""

HALF: dict[str, Rule] = SINGLE | trigonometric.HALF
"""The functions of f16, which are computed in f32."""

UNFUSED: dict[str, Rule] = {
    name: rule
    for name, rule in (SINGLE | power.UNFUSED | gamma.UNFUSED).items()
    if name not in remainders.SINGLE
}
"""The functions of f32 without f64."""

DOUBLE: dict[str, Rule] = {
    name: rule for family in _FAMILIES for name, rule in family.DOUBLE.items()
}
"""The functions of f64."""

BY_TABLE: dict[str, Rule] = exponential_by_table.RULES | logarithm_by_table.RULES
"""Functions of all formats by small tables."""


MOST_OPERATIONS = 500
"""Of one expansion: less often than this allows, a function cannot exceed a budget."""


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """Write transcendental functions in `arith` and `math.fma`, without calls.

    ```
    %y = math.exp2 %x : vector<16xf32>
    ```

    becomes some 20 operations on `vector<16xf32>` and `vector<16xi32>`. The error of each function
    is below the limit of OpenCL 1.2, section 7.4 (docs/math-accuracy.md), infinities, NaN, zeros
    and denormals are as section 7.5.1 and C99 specify. The operations carry `ocl.no_contract`: the
    result does not depend on whether the target fuses multiplications and additions.

    Expensive code for rare arguments is in an `scf.if`: the reduction of large angles, and
    logarithms of numbers that are not positive and normal. For vectors it runs if any element needs
    it, and the other elements keep their results: each result depends on its own argument only.
    `sin` and `cos` of one number in one block become `sincos`, which reduces it once. Powers with a
    small constant exponent are products: `pow(x, 2)` is `x * x`.

    With `fused=false`, functions of f32 are written without `math.fma` and without f64, for
    processors that have neither: they are within OpenCL's limits, too, with larger errors.

    `ocl.builtin` (`sinpi`, `pown`, `native_exp`, ...) is expanded, too, so this pass runs before
    `ocl-expand-builtins`. `lgamma` and `remquo` of f64, which are calls, and `math.sqrt`,
    `math.rsqrt`, which are arithmetic, stay.

    `exp`, `log` and their like look numbers up in tables of 16 f32 or 8 f64 (`vec.lookup`), which
    are in registers where there is AVX2 or AVX-512. With `tables=false`, or without `fused`, they
    are longer polynomials, for processors whose lanes would read memory.

    With a `budget`, a function whose copies would have more than that many operations together is
    expanded once, in a `func.func` that is called. Its result is the same in every bit.
    """

    name = "expand-math"

    fused: bool = True
    tables: bool = True
    budget: int | None = None

    allowed_ulp: ClassVar[int] = 16
    """The largest error of a result: OpenCL's limit for pow."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _join_sin_and_cos(op)
        _multiply_known_powers(op, self.fused)
        if self.budget is not None:
            _call_frequent(op, self.budget, self)
        for inner in operations_in(op):
            results = _expand(inner, self)
            if results is not None:
                Rewriter.replace_op(inner, [], results)


def _call_frequent(module: ModuleOp, budget: int, options: ExpandMathPass) -> None:
    """Make calls of what occurs so often that its expansions would exceed the budget."""
    found: dict[tuple[object, ...], list[Operation]] = {}
    for op in operations_in(module):
        name = _function(op)
        if name is not None and len(op.results) == 1:
            types = (*(operand.type for operand in op.operands), op.results[0].type)
            found.setdefault((name, types, tuple(op.properties.items())), []).append(op)
    for number, ((name, *_), ops) in enumerate(found.items()):
        if len(ops) == 1 or len(ops) * MOST_OPERATIONS <= budget:
            continue
        function = _as_function(ops[0], f"math.{name}.{number}", options)
        if function is None or len(ops) * len(operations_in(function.body)) <= budget:
            continue
        Rewriter.insert_op(function, InsertPoint.at_start(module.body.block))
        for op in ops:
            call = func.CallOp(function.sym_name.data, op.operands, op.result_types)
            call.location = op.location
            Rewriter.replace_op(op, call)


def _as_function(op: Operation, name: str, options: ExpandMathPass) -> func.FuncOp | None:
    """A function that computes what `op` does, expanded; None where `op` stays as it is."""
    types = [operand.type for operand in op.operands], [result.type for result in op.results]
    body = Block(arg_types=types[0])
    copy = op.clone(dict(zip(op.operands, body.args, strict=True)))
    body.add_op(copy)
    results = _expand(copy, options)
    if results is None:
        return None
    Rewriter.erase_op(copy)
    body.add_op(func.ReturnOp(*results))
    function = func.FuncOp(name, types, Region(body), visibility="private")
    function.location = op.location
    return function


def _join_sin_and_cos(module: ModuleOp) -> None:
    """Replace both by a `sincos` at the place of the first."""
    first: dict[tuple[Block | None, SSAValue], math.SinOp | math.CosOp] = {}
    for op in operations_of(module, math.SinOp, math.CosOp):
        partner = first.setdefault((op.parent, op.operand), op)
        if type(partner) is type(op):
            continue
        type_ = op.result.type
        both = ocl.BuiltinOp("sincos", [op.operand], [type_, type_])
        Build(partner).emit_void(both)
        del first[(op.parent, op.operand)]
        for old in (partner, op):
            Rewriter.replace_op(old, [], [both.res[0 if isinstance(old, math.SinOp) else 1]])


def _multiply_known_powers(module: ModuleOp, fused: bool) -> None:
    """Write powers of f32 and f64 with a known exponent as products."""
    for op in operations_in(module):
        name = (_function(op) or "").removeprefix("native_").removeprefix("half_")
        if name not in ("pow", "pown", "powr") or element_of(op.results[0].type) == f16:
            continue
        exponent = known_exponent(op.operands[1])
        # powr(0, 0) and powr(inf, 0) are NaN.
        if exponent is None or (name == "powr" and exponent == 0):
            continue
        power = known_powr if name == "powr" else known_power
        x = Real(MathBuild(op, fused=fused), op.operands[0])
        Rewriter.replace_op(op, [], [power(x, exponent).ssa])


def _function(op: Operation) -> str | None:
    """The OpenCL name of the function that `op` computes."""
    match op:
        case ocl.BuiltinOp():
            return op.function.data
        case _:
            return MATH_OPS.get(type(op))


def _rules(element: Attribute, options: ExpandMathPass) -> Mapping[str, Rule]:
    """The functions of a format."""
    if element == f16:
        rules = HALF
    elif element == f32:
        rules = SINGLE if options.fused else UNFUSED
    else:
        rules = DOUBLE
    return ChainMap(BY_TABLE, rules) if options.tables and options.fused else rules


def _expand(op: Operation, options: ExpandMathPass) -> Sequence[SSAValue] | None:
    name = _function(op)
    if name is None or not is_float(op.results[0].type):
        return None
    element = element_of(op.results[0].type)
    rules = _rules(element, options)
    # native_ and half_ forms without a rule have that of the function.
    rule = rules.get(name, rules.get(name.removeprefix("native_").removeprefix("half_")))
    if rule is None:
        return None
    e = MathBuild(op, fused=options.fused, tables=options.tables and options.fused)
    widens = element == f16
    arguments = [
        e.to_float(value, f32) if widens and is_float(value.type) else value
        for value in op.operands
    ]
    found = rule(*(wrap(e, value) for value in arguments))
    values = [found] if isinstance(found, Real) else found
    return [
        e.to_float(value.ssa, f16) if widens and isinstance(value, Real) else value.ssa
        for value in values
    ]
