"""The pass `poly-to-affine`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects.poly import ContainsOp, EvalOp, KernelOp
from polycl.errors import error_at
from polycl.lowering.poly.poly_to_affine.affine_expressions import NotAffine
from polycl.lowering.poly.poly_to_affine.affine_loops import export_kernel
from polycl.lowering.poly.poly_to_affine.affine_values import export_contains, export_eval


@dataclass(frozen=True)
class PolyToAffinePass(ModulePass):
    """Convert sets, expressions and kernels to MLIR's `affine` dialect, for other projects.

    ```
    poly.codelet lanes 8 along 0 class ... domain "{ interior[y, t] : 0 <= y < L1 and ... }" {
    ^bb0(%y: index, %x: index):
      ...
    ```

    becomes

    ```
    affine.for %y = 0 to %L1 {
      affine.for %t = max affine_map<()[s0, s1] -> (0, ...)>()[...] to min ... {
        affine.for %x = affine_map<(d0) -> (d0 * 8)>(%t) to affine_map<(d0) -> (d0 * 8 + 8)>(%t) {
          ...
        } {poly.class = #poly.class<tile = full, mem = cons, ctl = uniform>}
    ```

    A kernel becomes loops over all its work-items; a split kernel becomes the loops of its first
    subkernel. A domain of several convex sets has loops for each. `poly.contains` becomes
    `affine.if`; `poly.eval` becomes `affine.apply`, `affine.min`, or a choice by `affine.if`. The
    code of a work-item is not changed.

    Raises:
        PolyclError: with its location: an operation of `poly` that is not affine, such as
            `poly.score`, which is a product.
    """

    name = "poly-to-affine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # The code of a kernel is copied into its loops, so its values come first.
        inside = [inner for inner in op.walk() if isinstance(inner, ContainsOp | EvalOp)]
        for inner in [*inside, *(k for k in op.walk() if isinstance(k, KernelOp))]:
            try:
                match inner:
                    case ContainsOp():
                        export_contains(inner)
                    case EvalOp():
                        export_eval(inner)
                    case KernelOp():
                        export_kernel(inner)
                        Rewriter.erase_op(inner)
            except NotAffine as reason:
                raise error_at(inner, f"'{inner.name}': {reason}") from None
        for inner in op.walk():
            if inner.name.startswith("poly."):
                raise error_at(
                    inner,
                    f"'{inner.name}' has no form in the affine dialect; poly-to-affine runs "
                    "before poly-materialize and takes sets, expressions and kernels",
                )
