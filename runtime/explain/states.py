"""A kernel in three states on its way through the passes, which is where its facts come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.cpu.compile import no_collection
from polycl.backends.device import NDRange
from polycl.backends.pipeline import run_passes
from polycl.dialects import ocl
from polycl.lowering.ocl.ocl_expand_images import expand_images
from polycl.lowering.ocl.ocl_expand_pipes import expand_pipes
from polycl.lowering.ocl.ocl_to_wg import OclToWgPass
from polycl.lowering.wg.wg_spread_loops import WgSpreadLoopsPass
from polycl.lowering.wg.wg_to_scf import WgToScfPass
from polycl.remarks import Remark, collect_remarks


@dataclass(frozen=True)
class States:
    """A kernel between passes."""

    work_item: ocl.KernelLike
    """The program of one work-item, with all calls inlined: right before `ocl-to-wg`."""
    group: ModuleOp
    """The program of a group, with each function of the math library written out: before passes
    make several versions of it."""
    vectors: ModuleOp
    """The same with vectors, right before its regions become loops."""
    remarks: Sequence[Remark]


class Snapshots:
    """Copies of a module from right before some passes."""

    def __init__(self) -> None:
        self._found: dict[str, ModuleOp] = {}

    def note(self, step: ModulePass, module: ModuleOp) -> None:
        """`step` runs next."""
        if step.name in _BEFORE:
            self._found.setdefault(step.name, module.clone())

    def states(self, kernel: str, remarks: Sequence[Remark]) -> States | None:
        """The states of a kernel, or None if there was no such pass."""
        if not set(_BEFORE) <= self._found.keys():
            return None
        work_item, group, vectors = (self._found[name] for name in _BEFORE)
        return States(find_kernel(work_item, kernel), group, vectors, remarks)


def states_of(
    module: ModuleOp, kernel: str, ndrange: NDRange, passes: Sequence[ModulePass]
) -> States | None:
    """The states that `passes` make of a kernel; None if they are none of the device `cpu`.

    Raises:
        PolyclError: a pass does not support the kernel.
    """
    snapshots = Snapshots()
    module = only_kernel(module, kernel)
    expand_images(module, dict(ndrange.facts.images))
    expand_pipes(module)
    with no_collection(), collect_remarks() as remarks:
        for step in passes:
            snapshots.note(step, module)
            if step.name == WgToScfPass.name:
                break
            # What follows would find an invalid module; verifying takes as long as the passes.
            run_passes(module, (step,), _unchecked)
    return snapshots.states(kernel, remarks)


_BEFORE = (OclToWgPass.name, WgSpreadLoopsPass.name, WgToScfPass.name)


def _unchecked(module: ModuleOp) -> None:
    pass
