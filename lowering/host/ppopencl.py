"""`ppopencl`: transform a program of host and kernels for a platform."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.host.platforms import platform_option
from polycl.lowering.host.ocl_data_layout import OclDataLayoutPass
from polycl.lowering.host.ocl_holistic_vectorize import OclHolisticVectorizePass
from polycl.lowering.host.ocl_remove_transfers import OclRemoveTransfersPass
from polycl.lowering.host.ocl_reorganize_threads import OclReorganizeThreadsPass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.promote_loop_memory import PromoteLoopMemoryPass
from polycl.lowering.ocl.promote_private_memory import PromotePrivateMemoryPass
from polycl.lowering.ocl.remove_dead_values import RemoveDeadValuesPass
from polycl.lowering.ocl.simplify_loops import SimplifyLoopsPass


@dataclass(frozen=True)
class PpopenclPass(ModulePass):
    """Transform host and kernels together, in the order of [ppopencl19], section 3.3:

    1. `ocl-reorganize-threads`: redundant work of neighbours is executed once,
    2. `ocl-data-layout`: the layout of buffers follows the order of accesses,
    3. `ocl-holistic-vectorize`: neighbours along x become vectors.

    The first determines the accesses that the second sees, and both determine the continuous
    accesses for the third. Work-items along x are merged once: by the third if it applies, else by
    the first. Before, calls are inlined, variables in memory become values, and
    `ocl-remove-transfers` removes transfers that are dead or redundant.

    args:
        platform: a name of analysis/host/platforms.toml.
        reorganize, layout, vectorize: whether to do each of the three.
    """

    name = "ppopencl"

    platform: str = "pocl-cpu"
    reorganize: bool = True
    layout: bool = True
    vectorize: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        platform_option(self.platform, self.name)
        for step in self.passes():
            step.apply(ctx, op)

    def passes(self) -> tuple[ModulePass, ...]:
        """The passes, in order."""
        steps: list[ModulePass] = [
            LiftCfToScfPass(),
            InlineFunctionsPass(),
            PromotePrivateMemoryPass(),
            PromoteLoopMemoryPass(),
            SimplifyLoopsPass(),
            RemoveDeadValuesPass(),
            OclRemoveTransfersPass(),
        ]
        if self.reorganize:
            steps.append(OclReorganizeThreadsPass(self.platform, before_vectors=self.vectorize))
        if self.layout:
            steps.append(OclDataLayoutPass(self.platform))
        if self.vectorize:
            steps.append(OclHolisticVectorizePass(self.platform))
        return tuple(steps)
