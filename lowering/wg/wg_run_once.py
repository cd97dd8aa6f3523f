"""`wg-run-once`: work-items that all do the same run once."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.addresses import are_apart, root_of
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark

_TERMINATORS = (scf.YieldOp, scf.ConditionOp, wg.YieldOp)


@dataclass(frozen=True)
class WgRunOncePass(ModulePass):
    """Run a region for one work-item of each dimension whose id it does not read.

    ```
    wg.parallel (%x, %y, %z) in (%c16, %c4, %c1) {      wg.parallel (%x, %y, %z) in (%c16, %c1, ...
      %v = ocl.load %p[%x]                          ->    %v = ocl.load %p[%x]
      ocl.store %v, %q[%x]                                ocl.store %v, %q[%x]
    }                                                   }
    ```

    Such work-items load the same, compute the same, and store the same to the same places, so that
    one of them does it for all, if none loads what another one has stored: all loads are of
    memory that the region does not store to, or of private memory. With `distinct`, buffers of
    different parameters do not overlap. Each atomic operation, volatile access and line of printf
    counts, and a function that is called may have any of them: these regions stay.
    """

    name = "wg-run-once"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            # The sizes no longer tell the local size.
            if function.local_size is None:
                continue
            for region in operations_of(function.body, wg.ParallelOp):
                unread = [d for d in range(3) if _is_unread(region, d)]
                if unread and region.step is None and self._may_repeat(region):
                    _run_once(region, unread)

    def _may_repeat(self, region: wg.ParallelOp) -> bool:
        """Whether it makes no difference how often the region runs, if it is once or more."""
        ops = operations_in(region.body)
        if not all(map(_is_known, ops)):
            return False
        stored = _shared_roots(ops, ocl.StoreOp)
        loaded = _shared_roots(ops, ocl.LoadOp)
        return all(are_apart(a, b, self.distinct) for a in stored for b in loaded)


def _is_unread(region: wg.ParallelOp, dimension: int) -> bool:
    is_one = constant_value(region.sizes[dimension]) == 1
    return not is_one and not list(region.local_ids[dimension].uses)


def _is_known(op: Operation) -> bool:
    """Whether an operation has no effects but those of plain loads and stores."""
    if isinstance(op, ocl.LoadOp | ocl.StoreOp):
        return op.volatile is None
    if isinstance(op, (ocl.AllocaOp, scf.IfOp, scf.ForOp, scf.WhileOp, *_TERMINATORS)):
        return True
    return is_side_effect_free(op)


def _shared_roots(
    ops: list[Operation], kind: type[ocl.LoadOp] | type[ocl.StoreOp]
) -> set[SSAValue]:
    """What the accesses of a kind access that is not a work-item's own."""
    roots = {root_of(op.pointer) for op in ops if isinstance(op, kind)}
    return {root for root in roots if ocl.space_of(root) is not ocl.AddressSpace.PRIVATE}


def _run_once(region: wg.ParallelOp, dimensions: list[int]) -> None:
    one = Build(region).index(1)
    for dimension in dimensions:
        region.operands[dimension] = one
    along = " and ".join("xyz"[d] for d in dimensions)
    emit_remark(region, WgRunOncePass.name, f"work-items along {along} do the same: one runs")
