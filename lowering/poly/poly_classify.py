"""`poly-classify`: marks accesses with the work-items for which they are consecutive or uniform."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.poly.model import Access, Model, model_of
from polycl.analysis.poly.predicates import consecutive, uniform
from polycl.dialects import poly
from polycl.errors import error_at
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class PolyClassifyPass(ModulePass):
    """Mark each access with its regularity along dimension `dim`; nothing else changes.

    ```
    %v = ocl.load %in[%i]
    ```

    becomes

    ```
    %v = ocl.load %in[%i] {poly.access = #poly.access<read @in, #poly.index<...>,
        cons = #poly.set<"[G0, r] -> { R[y, x, k] : x >= r - G0 }">, uni = ..., exact>}
    ```

    and a remark such as `in: consecutive iff x >= -G0 + r`. An access whose address is not an index
    polynomial, and whose stride the uniformity analysis does not know, is divergent.
    """

    name = "poly-classify"

    dim: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [k for k in op.walk() if isinstance(k, poly.KernelOp)]:
            if not 0 <= self.dim < len(kernel.work_items):
                raise error_at(
                    kernel, f"{self.name}: dim is {self.dim}, but the kernel has no such dimension"
                )
            model = model_of(kernel)
            for access in model.accesses:
                self._classify(model, access)

    def _classify(self, model: Model, access: Access) -> None:
        cons, is_all_cons = consecutive(model, access, self.dim)
        uni, is_all_uni = uniform(model, access, self.dim)
        found: list[str] = []
        sets: list[poly.SetAttr] = []
        for kind, where in (("consecutive", cons), ("uniform", uni)):
            short = where.gist(access.domain).coalesce()
            sets.append(poly.SetAttr.of(short if not where.is_empty() else where))
            if access.domain.is_subset(where):
                found.append(kind)
            elif not where.is_empty():
                found.append(f"{kind} iff {_condition(sets[-1])}")
        index = poly.IndexAttr(None) if access.index is None else access.index.attribute()
        access.op.attributes["poly.access"] = poly.AccessAttr(
            access.direction, access.array, index, sets[0], sets[1], is_all_cons and is_all_uni
        )
        text = ", ".join(found) or "divergent"
        emit_remark(access.op, self.name, f"{access.array}: {text}")


def _condition(found: poly.SetAttr) -> str:
    """The condition of a set."""
    inside = found.data[found.data.index("{") + 1 : found.data.rindex("}")]
    pieces = [piece.partition(" : ")[2].strip() for piece in inside.split(";")]
    return " or ".join(pieces) if all(pieces) else "always"
