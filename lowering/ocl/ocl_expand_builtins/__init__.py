"""`ocl-expand-builtins`: builtins, conversions and vector literals become plain arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_expand_builtins import expand_bits as bits
from polycl.lowering.ocl.ocl_expand_builtins import expand_common as common
from polycl.lowering.ocl.ocl_expand_builtins import expand_float as math
from polycl.lowering.ocl.ocl_expand_builtins import expand_float_bits as float_bits
from polycl.lowering.ocl.ocl_expand_builtins import expand_geometric as geometric
from polycl.lowering.ocl.ocl_expand_builtins import expand_integer as integer
from polycl.lowering.ocl.ocl_expand_builtins import expand_relational as relational
from polycl.lowering.ocl.ocl_expand_builtins.expand_convert import expand_convert
from polycl.lowering.ocl.ocl_expand_builtins.expand_vector import (
    expand_concat,
    expand_shuffle,
    expand_shuffle2,
)
from polycl.lowering.ocl.ocl_expand_builtins.rule import Rule

RULES: dict[str, Rule] = (
    integer.RULES
    | common.RULES
    | geometric.RULES
    | relational.RULES
    | float_bits.RULES
    | math.RULES
    | bits.RULES
)
"""How each builtin of `BUILTINS` is expanded."""


@dataclass(frozen=True)
class OclExpandBuiltinsPass(ModulePass):
    """Write builtins, explicit conversions, vector literals and shuffles in upstream's operations.

    ```
    %c = ocl.builtin "u_add_sat"(%x, %y) : (i32, i32) -> i32
    ```

    becomes

    ```
    %0 = arith.addi %x, %y : i32
    %1 = arith.cmpi ult, %0, %x : i32
    %2 = arith.constant -1 : i32
    %c = arith.select %1, %2, %0 : i32
    ```

    Results are the same bit by bit; locations are kept. Functions that are libm's here (`fmod`,
    `lgamma` and others) stay, on f32 and f64; an f16 is widened for them. `ocl.bitcast` stays as
    well. Dot products of bytes stay with `keep_dots`, for processors that have an instruction.
    """

    name = "ocl-expand-builtins"

    keep_dots: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # The last ones first: a shuffle sees the literal that is its mask.
        for inner in reversed(operations_in(op)):
            if isinstance(inner, ocl.ConcatOp) and not inner.result.uses:
                Rewriter.erase_op(inner)
                continue
            if self.keep_dots and is_dot_product(inner):
                continue
            results = _expand(inner)
            if results is not None:
                Rewriter.replace_op(inner, [], results)


def is_dot_product(op: Operation) -> bool:
    """Whether `op` is a dot product of bytes."""
    return isinstance(op, ocl.BuiltinOp) and BUILTINS[op.function.data].is_dot_product


def _expand(op: Operation) -> Sequence[SSAValue] | None:
    """The values that replace the results of `op`, or None where it stays."""
    match op:
        case ocl.BuiltinOp():
            if op.function.data not in RULES:
                raise error_at(op, f"builtin '{op.function.data}' has no expansion")
            results = RULES[op.function.data](Build(op), *op.arguments)
            return [results] if isinstance(results, SSAValue) else results
        case ocl.ConvertOp():
            return [expand_convert(Build(op), op)]
        case ocl.ConcatOp():
            return [expand_concat(Build(op), op)]
        case ocl.ShuffleOp():
            return [expand_shuffle(Build(op), op)]
        case ocl.Shuffle2Op():
            return [expand_shuffle2(Build(op), op)]
        case _:
            return None
