"""Why a launch takes the time that it takes: the facts, the bounds and the advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polycl.analysis.ocl.work_counts import Count, show
from polycl.backends.cpu.machine_limits import MachineLimits, machine_limits
from polycl.backends.device import Device, KernelArg, NDRange
from polycl.backends.pipeline import parse_passes
from polycl.errors import ArgumentError
from polycl.lowering.wg.wg_unit_strides import WgUnitStridesPass
from polycl.runtime.explain.causes import Advice, advice_of
from polycl.runtime.explain.collect import facts_of
from polycl.runtime.explain.facts import Facts
from polycl.runtime.explain.roofline import Roofline, roofline_of, set_shares
from polycl.runtime.explain.states import States, states_of

if TYPE_CHECKING:
    from polycl.runtime.kernel import Kernel


@dataclass(frozen=True)
class Explanation:
    """What `explain` found. `str` is the report; notebooks show it, too."""

    facts: Facts
    advice: Sequence[Advice]
    roofline: Roofline
    source: Sequence[str] = ()
    """The lines of the kernel's file, if it can be read."""

    @property
    def cost(self) -> Mapping[str, Count]:
        """Operations and bytes of a whole launch, as polynomials of arguments and sizes."""
        return self.facts.total_counts

    @property
    def cost_of_item(self) -> Mapping[str, Count]:
        """The same of one work-item."""
        return self.facts.operation_counts

    def __str__(self) -> str:
        from polycl.runtime.explain.report import report

        return report(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def data(self) -> dict[str, Any]:
        """The content as JSON."""
        facts, roof = self.facts, self.roofline
        return {
            "kernel": facts.kernel,
            "global_size": list(facts.ndrange.global_size),
            "local_size": list(facts.ndrange.local_size),
            "threads": facts.threads,
            "lanes": facts.lanes,
            "places": [
                {
                    "file": place.location[0],
                    "line": place.location[1],
                    "column": place.location[2],
                    "kind": place.kind,
                    "array": place.array,
                    "space": place.space,
                    "bytes": place.size,
                    "bytes_between_neighbours": place.neighbours,
                    "bytes_between_iterations": place.iterations if place.in_loop else None,
                    "uniform": place.uniform,
                    "taken": place.taken,
                    "mixed": place.mixed,
                    "made": list(place.made),
                    "executions": place.times,
                    "executions_symbolic": show(place.count),
                    "cycles": place.cycles,
                    "share": place.share,
                    "share_inside": place.inside,
                }
                for place in facts.places
            ],
            "advice": [
                {
                    "cause": each.cause,
                    "file": each.location[0],
                    "line": each.location[1],
                    "column": each.location[2],
                    "message": each.message,
                    "remedy": each.remedy,
                }
                for each in self.advice
            ],
            "cost": {name: show(count) for name, count in self.cost.items()},
            "cost_of_item": {name: show(count) for name, count in self.cost_of_item.items()},
            "assumed": dict(facts.unknown),
            "roofline": {
                "bound": roof.bound,
                "level": roof.level.name,
                "bytes": roof.traffic,
                "flops": roof.flops,
                "seconds": {
                    "memory": roof.memory_seconds,
                    "multiply-adds": roof.flop_seconds,
                    "instructions": roof.instruction_seconds,
                },
                "limits": {
                    "multiply_adds_gflops": roof.limits.multiply_adds,
                    "cycle_seconds": roof.limits.cycle_seconds,
                    "bandwidth_gbs": {level.name: level.bandwidth for level in roof.limits.levels},
                },
            },
        }


def explain(
    kernel: Kernel,
    args: Sequence[KernelArg],
    ndrange: NDRange,
    device: Device,
    *,
    pipeline: str | None = None,
    keeps_groups: bool = False,
) -> Explanation:
    """Why a launch of a kernel in the groups of `ndrange` takes its time. Nothing runs.

    Raises:
        ArgumentError: the device is none whose passes go through groups and vectors.
        PolyclError: a pass does not support the kernel.
    """
    if device.name != "cpu":
        raise ArgumentError(
            f"device '{device.name}': expected device 'cpu'; only its costs are known"
        )
    part = ndrange.parts()[0]
    passes = device.own_passes(part) if pipeline is None else parse_passes(pipeline)
    if not any(isinstance(arg, int | np.integer) and arg == 1 for arg in args):
        # No version for strides of 1 runs.
        passes = [step for step in passes if step.name != WgUnitStridesPass.name]
    states = states_of(kernel.module, kernel.name, part, passes)
    if states is None:
        raise ArgumentError(
            "the passes have none of the states that are explained; expected those of device "
            "'cpu', with ocl-to-wg, wg-spread-loops and wg-to-scf among them"
        )
    limits = machine_limits(device.threads)
    return explained(states, args, ndrange, device.threads, limits, keeps_groups=keeps_groups)


def explained(
    states: States,
    args: Sequence[KernelArg],
    ndrange: NDRange,
    threads: int,
    limits: MachineLimits,
    *,
    keeps_groups: bool,
) -> Explanation:
    """The explanation of a kernel on a machine with these limits."""
    facts = facts_of(states, args, ndrange, threads=threads, keeps_groups=keeps_groups)
    roof = roofline_of(facts, limits)
    set_shares(facts, roof)
    return Explanation(facts, advice_of(facts), roof, _source_of(facts))


def _source_of(facts: Facts) -> Sequence[str]:
    if facts.location is None:
        return ()
    try:
        with open(facts.location[0], encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return ()
