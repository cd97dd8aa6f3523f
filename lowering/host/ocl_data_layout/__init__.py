"""The pass `ocl-data-layout`: [ppopencl19], Algorithm 3."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.host.buffers import Group, buffer_groups
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.layout import Comparison, compared
from polycl.analysis.host.plan import Plan, plans, shapes
from polycl.analysis.host.platforms import Platform, platform_option
from polycl.analysis.host.samples import frequency
from polycl.dialects import host, ocl
from polycl.lowering.host.coarsening.vector_factor import is_worth_packing, stays_apart
from polycl.lowering.host.ocl_data_layout.host_layout import (
    HostChange,
    host_change,
    host_only_change,
    rewrite_host,
)
from polycl.lowering.host.ocl_data_layout.kernel_layout import can_give_rows, rewrite_kernels
from polycl.remarks import emit_remark

LEAST_SAVED = 0.1
"""A change that saves a smaller share of lines may cost more, since compilers then vectorize along
another dimension (as for the multipliers of gaussian, where few kernels gain)."""


@dataclass(frozen=True)
class OclDataLayoutPass(ModulePass):
    """Give buffers the layout that suits a platform, in kernels and on the host (Algorithm 3).

    ```
    for all kernel objects A
      curRD = CalculateRD(kernel, A);                  if curRD = 0, leave it
      otherRD = CalculateRD(kernel in the other layout, A)
      if otherRD < curRD: take the other layout, and shuffle A on the host
    ```

    A buffer is continuous, `a[i * N + j]`, or coalesced, `a[j * M + i]`: a matrix, whose rows and
    columns are exchanged. For a serial platform:

    ```
    %at = i + j * %A                              %at = j + i * %N
    memref.store %v, %h[%at]               ->     memref.store %v, %h[%at]
    host.write %h to %d                            host.write %h to %d
    host.launch @k (%d)                            host.launch @k (%d)
      ocl.load %n[tid + j * A]                      ocl.load %n[j + tid * N]
    ```

    The host's array changes with the buffer if loops of the host fill it, as here; otherwise there
    is a `host.transpose` after the write and before the read. For GPUs, and for CPUs that vectorize
    but have slow gathers, the layout is that in which neighbours read neighbouring elements.

    All buffers that may be one object, and all launches, change together. A buffer that is not
    proved to be a matrix, or whose transposes cost more than the change saves, keeps its layout,
    with a remark. If buffers keep their layout, an array of the host whose loops jump from line to
    line may get the other one, on platforms with a cost of such a jump (`host_line`; not in
    [ppopencl19]): the device transposes it or, for a GPU, whose kernels would gain nothing by it,
    the host. If kernels access each element too seldom for that, their buffer gets the host's
    order. If they change, an array whose loops would jump keeps its layout.

    `always` changes all layouts that can be changed, regardless of the gain: for tests.
    `cache_line` replaces the platform's.
    """

    name = "ocl-data-layout"

    platform: str = "amd-cpu"
    always: bool = False
    cache_line: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = platform_option(self.platform, self.name)
        if self.cache_line is not None:
            target = replace(target, cache_line=self.cache_line)
        pending = [inner for inner in op.walk() if isinstance(inner, host.BufferOp)]
        while pending:
            # The analysis is repeated: a change of one group may change the indices of others.
            (group,) = (g for g in buffer_groups(op) if pending[0] in g.buffers)
            self._change(group, Program(op), target)
            pending = [buffer for buffer in pending if buffer not in group.buffers]

    def _change(self, group: Group, program: Program, target: Platform) -> None:
        found, why = plans(group, program)
        if not found:
            self._keep(group, f"layout kept: {why}", program, target)
            return
        kernels = [program.kernel(launch).kernel for launch, _ in group.bindings]
        if target.is_serial and all(
            isinstance(kernel, ocl.KernelOp) and stays_apart(kernel, target) for kernel in kernels
        ):
            # Nobody makes vectors of them: reuse counts, and not what neighbours access.
            target = replace(target, gathers=True)
        choices: list[tuple[float, Plan, Comparison]] = []
        for plan in found:
            both = compared(plan, target, program)
            choices.append((gain(both, target), plan, both))
        best, plan, both = max(choices, key=lambda choice: choice[0])
        numbers = _numbers(both, target)
        change = host_change(plan, program, target)
        spares = best <= 0 and _spares_transposes(plan, both, change, program, target)
        if best <= 0 and not spares and not self.always:
            text = f"{plan.kinds[0]} layout kept on {target.name}: {numbers}"
            self._keep(group, text, program, target)
            return
        if change.refusal is None and not can_give_rows(plan, program):
            change.refusal = "a launch cannot compute the number of rows"
        if change.refusal is not None:
            self._keep(group, f"layout kept: {change.refusal}", program, target)
            return
        transposes = sum(frequency(op, program, both.samples) for op in change.transposed)
        worth = spares or both.uses * saved(both, target) > target.transpose * transposes
        if not worth and not self.always:
            text = (
                f"layout kept: {numbers}, but kernels access an element about "
                f"{both.uses:.3g} times, transposed about {transposes:.3g} times"
            )
            self._keep(group, text, program, target)
            return
        shape = plan.shape
        rewrite_host(plan, change, program)
        rewrite_kernels(plan, program)
        now, other = plan.kinds
        self._remark(
            group,
            f"{now} -> {other} on {target.name}, {shape} -> {shape.columns} x {shape.rows}: "
            f"{numbers}; {_done(change)}",
        )

    def _keep(self, group: Group, text: str, program: Program, target: Platform) -> None:
        """The buffers keep their layout; arrays of the host may get the other one."""
        self._remark(group, text)
        for shape in shapes(group, program)[0] if target.host_line else ():
            plan = Plan(group, shape)
            change = host_only_change(plan, program, target)
            if change.folded:
                rewrite_host(plan, change, program)
                names = " and ".join(array.name_hint or "an array" for array in change.folded)
                who = "host" if change.on_host else "device"
                text = f"the host's loops use it in the other order; the {who} transposes it"
                emit_remark(group.buffers[0], self.name, f"{names}: {text}")
                return

    def _remark(self, group: Group, text: str) -> None:
        emit_remark(group.buffers[0], self.name, f"{group.name}: {text}")


def gain(both: Comparison, target: Platform) -> float:
    """The gain of the other layout; at most 0 if it is not better."""
    if target.wants_neighbours:
        now, other = both.lines if saved(both, target) > LEAST_SAVED else (0.0, 0.0)
    else:
        now, other = both.distance
        if now == other and now > 0:
            now, other = both.mean
    return now - other


def saved(both: Comparison, target: Platform) -> float:
    """The share of a kernel's accesses, or of their lines, that the other layout saves."""
    now, other = both.lines
    return 1 - other / now if target.wants_neighbours and now else 1.0


def _spares_transposes(
    plan: Plan, both: Comparison, change: HostChange, program: Program, target: Platform
) -> bool:
    """Whether kernels lose less by the other layout than it costs to transpose what the host fills
    in that order. Each of `lanes` neighbours that reads another line is an access more, unless
    vectors pay all the same: then only if the line is fetched for it."""
    if not target.wants_neighbours or change.refusal is not None or change.transposed:
        return False
    apart = host_only_change(plan, program, target)
    transposes = sum(frequency(op, program, both.samples) for op in apart.transposed)
    cost = target.transpose * (target.host_access if apart.on_host else 1)
    lanes = max(target.together, target.simd_bits // 32)
    kernels = [program.kernel(launch).kernel for launch, _ in plan.group.bindings]
    packs = all(isinstance(k, ocl.KernelOp) and is_worth_packing(k, target) for k in kernels)
    now, other = both.fetched if packs else both.lines
    return both.uses * (other - now) / lanes < cost * transposes


def _numbers(both: Comparison, target: Platform) -> str:
    if target.wants_neighbours:
        return f"{both.lines[0]:.3g} -> {both.lines[1]:.3g} lines a step"
    return f"reuse distance {both.distance[0]:.3g} -> {both.distance[1]:.3g}"


def _done(change: HostChange) -> str:
    folded = [array.name_hint or "an array" for array in change.folded]
    parts = [f"the host's loops use {name} in the new order" for name in folded]
    if change.transposed:
        parts.append(f"{len(change.transposed)} transfers are transposed")
    return "; ".join(parts) or "nothing is transferred"
