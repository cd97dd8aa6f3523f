"""Coarsening all kernels of a module, each with its launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.common_subexpression_elimination import cse

from polycl.dialects import ocl
from polycl.dialects.host.launches import LaunchOp
from polycl.errors import PolyclError
from polycl.lowering.host.coarsening.coarse_dependence import sees_groups
from polycl.lowering.host.coarsening.coarse_kernel import CannotMerge, Emit, Merge, coarsen
from polycl.lowering.host.coarsening.coarse_launches import (
    Configuration,
    change_ndrange,
    copy_of,
    launches_of,
)
from polycl.lowering.host.coarsening.value_numbers import share_loads
from polycl.lowering.ocl.ocl_to_wg import check_structured
from polycl.lowering.ocl.pure_extensions import pure_extensions
from polycl.lowering.ocl.remove_dead_values import remove_dead_values
from polycl.remarks import emit_remark

Choose: TypeAlias = Callable[[ocl.KernelOp, Configuration], Merge | None]
"""How to coarsen a kernel for its launches of one configuration."""


def coarsen_launches(module: ModuleOp, choose: Choose, name: str, emit: Emit | None = None) -> None:
    """Coarsen the kernels that the module's host code launches. A kernel gets a copy for each
    different choice of `choose` for its launches."""
    launches = launches_of(module)
    for kernel in [k for k in module.ops if isinstance(k, ocl.KernelOp)]:
        found = launches.get(kernel.sym_name.data)
        if not found:
            continue
        try:
            check_structured(kernel)
        except PolyclError as error:
            emit_remark(kernel, name, f"left as it is: {error}")
            continue
        wanted: dict[Merge | None, list[LaunchOp]] = {}
        chosen: dict[Configuration, Merge | None] = {}
        for launch in found:
            key = Configuration.of(launch)
            if key not in chosen:
                chosen[key] = choose(kernel, key)
            wanted.setdefault(chosen[key], []).append(launch)
        merges = [merge for merge in wanted if merge is not None]
        for merge in merges:
            is_last = merge is merges[-1] and None not in wanted
            _coarsen(module, kernel, merge, wanted[merge], name, emit, keep=not is_last)


def _coarsen(
    module: ModuleOp,
    kernel: ocl.KernelOp,
    merge: Merge,
    launches: Sequence[LaunchOp],
    name: str,
    emit: Emit | None,
    *,
    keep: bool,
) -> None:
    one = copy_of(kernel, module) if keep else kernel
    groups = sees_groups(one, merge.dimension)
    try:
        coarse = coarse_kernel(one, merge, emit)
    except CannotMerge as reason:
        emit_remark(kernel, name, f"left as it is: {reason}")
        if keep:
            one.detach()
            one.erase()
        return
    for launch in launches:
        change_ndrange(launch, coarse, merge, groups)
    where = "xyz"[merge.dimension]
    emit_remark(coarse, name, f"{merge.factor} work-items along {where} are merged")


def coarse_kernel(kernel: ocl.KernelOp, merge: Merge, emit: Emit | None = None) -> ocl.KernelOp:
    """`coarsen`, after which merged work-items share what is the same. Raises CannotMerge."""
    coarse = coarsen(kernel, merge, emit)
    with pure_extensions(coarse):
        cse(coarse)
    share_loads(coarse)
    remove_dead_values(coarse)
    return coarse
