"""`tta-hoist-invariants`: loop-invariant operations move out of loops."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.loop_invariant_code_motion import LoopInvariantCodeMotionPass

from polycl.lowering.ocl.pure_extensions import pure_extensions


@dataclass(frozen=True)
class TtaHoistInvariantsPass(ModulePass):
    """Move operations without effects out of loops: xDSL's `licm`, for `arith.extsi` as well.

    ```
    scf.for ... {                                %x = arith.extsi %a : i32 to i64
      %x = arith.extsi %a : i32 to i64    ->     scf.for ... {
    ```
    """

    name = "tta-hoist-invariants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with pure_extensions(op):
            LoopInvariantCodeMotionPass().apply(ctx, op)
