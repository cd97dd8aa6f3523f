"""`ocl-annotate-uniformity`: print the result of the uniformity analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of


@dataclass(frozen=True)
class OclAnnotateUniformityPass(ModulePass):
    """Write the lanes of every value of an `ocl.kernel` or a `wg.func` as attributes.

    An operation gets `ocl.lanes` with one text for each result, and `ocl.arg_lanes` with one for
    each argument of its regions' entry blocks: `uniform`, `varying`, or the stride along each
    dimension that matters, as in `x:1 y:?` (`?`: the stride is uniform, but not a constant).

    ```
    %i = ocl.global_id 0 : index    ->    %i = ocl.global_id 0 {ocl.lanes = ["x:1"]} : index
    ```
    """

    name = "ocl-annotate-uniformity"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, ocl.KernelLike):
            facts = Uniformity(function)

            def texts(values: Sequence[SSAValue], facts: Uniformity = facts) -> ArrayAttr:
                return ArrayAttr(StringAttr(str(facts.lanes(value))) for value in values)

            for inner in function.body.walk():
                if inner.results:
                    inner.attributes["ocl.lanes"] = texts(inner.results)
                args = [arg for r in inner.regions if r.blocks for arg in r.blocks[0].args]
                if args:
                    inner.attributes["ocl.arg_lanes"] = texts(args)
