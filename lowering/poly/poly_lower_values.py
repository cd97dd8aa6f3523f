"""`poly-lower-values`: guards, expressions and scores become arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import poly
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget, isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at
from polycl.lowering.poly.codegen.isl_values import emit_contains, emit_eval, emit_score, score_of
from polycl.lowering.poly.codegen.scope import Scope

BUDGET = 1_000_000
"""The budget of isl for one value, about a second."""


@dataclass(frozen=True)
class PolyLowerValuesPass(ModulePass):
    """Turn `poly.contains`, `poly.eval` and `poly.score` into `arith`.

    ```
    %b = poly.contains #poly.set<"[n] -> { R[x] : 3 <= x < n }"> (%x) [%n] params ["n"]
    ```

    becomes

    ```
    %c3 = arith.constant 3 : index
    %0 = arith.cmpi sge, %x, %c3 : index
    %1 = arith.cmpi slt, %x, %n : index
    %b = arith.andi %0, %1 : i1
    ```

    Raises:
        PolyclError: located: a set or an expression is too complicated for isl.
    """

    name = "poly-lower-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, poly.ContainsOp | poly.EvalOp | poly.ScoreOp):
                try:
                    with isl_budget(BUDGET):
                        value = _lowered(inner)
                except BudgetExceeded as error:
                    raise error_at(inner, str(error)) from error
                Rewriter.replace_op(inner, [], [value])


def _lowered(op: poly.ContainsOp | poly.EvalOp | poly.ScoreOp) -> SSAValue:
    scope = Scope(op, InsertPoint.before(op))
    env = dict(zip(names_of(op.params), op.arguments, strict=True))
    match op:
        case poly.ContainsOp():
            return scope.condition(emit_contains(op.set.isl, op.ids, scope, env))
        case poly.EvalOp():
            return scope.value(emit_eval(op.expression.isl, op.ids, scope, env))
        case poly.ScoreOp():
            anything = isl.Set.read_from_str(isl_context(), "{ : }")
            score = scope.value(emit_score(score_of(op.score, anything), scope, env))
            cast: Operation = arith.IndexCastOp(score, i64)
            scope.add_void(cast)
            return cast.results[0]
