"""ocl-run's options of the device tta: its machines, and the reports of a launch."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polycl.backends.device import Device
from polycl.backends.tta.device import TtaDevice, named_machine
from polycl.backends.tta.interpreter import Result
from polycl.backends.tta.launch import TtaExecutable
from polycl.backends.tta.machine_table import aligned, machine_table, operation_table
from polycl.backends.tta.schedule_page import BlockRun, schedule_page
from polycl.backends.tta.statistics import Statistics, statistics
from polycl.backends.tta.try_methods import TriedExecutable
from polycl.dialects.tta import PRESETS, to_adf
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import Schedule
from polycl.runtime.kernel import BoundKernel
from polycl.tools.driver import UsageError


def machine_list(machine: str | None, buses: int | None) -> str:
    """The presets, and `machine` if it is another one, with the operations of its units."""
    machines = {name: preset() for name, preset in PRESETS.items()}
    if machine is None and buses is None:
        return machine_table(machines)
    given = named_machine(machine or "paper", buses)
    name = _name(machine, buses)
    return f"{machine_table({**machines, name: given})}\n\n{name}:\n{operation_table(given)}"


def write_adf(path: str, machine: str | None, buses: int | None) -> None:
    """Write `machine` as an architecture definition, which `--machine` reads again."""
    _write(path, to_adf(named_machine(machine or "paper", buses)))


def _name(machine: str | None, buses: int | None) -> str:
    return (machine or "paper") + (f" buses={buses}" if buses is not None else "")


@dataclass(frozen=True)
class Launch:
    """A finished launch."""

    schedule: Schedule
    result: Result
    dispatch: int
    """The cycles of the same launch without work-groups: only the arguments are read."""

    @property
    def blocks(self) -> list[BlockRun]:
        """The runs of blocks in program order; blocks without names have no bound."""
        bounds = {bound.block: bound for bound in self.schedule.bounds}
        found: list[BlockRun] = []
        program = self.schedule.program
        for block, runs in zip(program.blocks, self.result.block_counts, strict=True):
            cycles = len(block.instructions)
            bound = bounds.get(block.name or "")
            limit, least = bound.bounds[0] if bound is not None else ("", cycles)
            found.append(BlockRun(block.name or "jump", runs, cycles, limit, least))
        return found

    def causes(self) -> dict[str, int]:
        """The cycles by what bounds the blocks, the longest first; of these, what the schedules
        take longer than their bounds, and the cycles that the processor waited for memory."""
        found: Counter[str] = Counter()
        for block in self.blocks:
            found[block.limit or "jumps"] += block.runs * block.bound
        over = sum(block.runs * (block.cycles - block.bound) for block in self.blocks)
        stalls = self.result.accesses.stalls
        rest = {"schedule": over, "memory": stalls}
        return {**dict(found.most_common()), **{key: n for key, n in rest.items() if n}}

    def statistics(self) -> Statistics:
        return statistics(self.schedule.program, self.result)


def launch_of(device: TtaDevice, bound: BoundKernel) -> Launch:
    """The last launch of `bound` on the device."""
    schedule, result = device.schedule, device.result
    assert schedule is not None
    assert result is not None
    executable = bound.executable
    assert isinstance(executable, TtaExecutable | TriedExecutable)
    executable.dispatch(bound.args, bound.ndrange)
    empty = device.result
    assert empty is not None
    device.result = result
    return Launch(schedule, result, empty.with_stalls)


def check_options(args: argparse.Namespace) -> None:
    """Refuse options before the launch that would fail after it. Raises UsageError."""
    for option, kind in (("stats", ".json"), ("schedule", ".html")):
        value = getattr(args, option)
        if value is None:
            continue
        if args.device != "tta":
            raise UsageError(f"--{option}: expected --device tta as the first, got {args.device}")
        if value == "":
            continue
        path = Path(value)
        if path.suffix != kind:
            raise UsageError(
                f"--{option} {value}: expected a name that ends in {kind}"
                + ("; FILE comes before --stats" if option == "stats" else "")
            )
        if not path.parent.is_dir():
            raise UsageError(f"cannot write '{value}': there is no folder '{path.parent}'")


def report(args: argparse.Namespace, device: Device, bound: BoundKernel) -> None:
    """Print and write the reports of the last launch that the command line requests."""
    assert isinstance(device, TtaDevice)
    launch = launch_of(device, bound)
    if args.schedule is not None:
        program = launch.schedule.program
        machine = _name(args.machine, args.buses)
        title = f"{program.name} on {machine}: {launch.result.with_stalls} cycles"
        _write(args.schedule, schedule_page(program, launch.blocks, title))
    if args.stats == "":
        print(stats_text(launch))
    elif args.stats is not None:
        _write(args.stats, json.dumps(stats_json(launch), indent=2) + "\n")


def stats_text(launch: Launch) -> str:
    """Cycles, their causes, and blocks; then text as OpenASIP's `info proc stats`."""
    scheduled, total = launch.result.cycles, launch.result.with_stalls
    rows = [["block", "runs", "cycles", "of all", "bound", "achieved"]]
    for block in launch.blocks:
        share = f"{100 * block.runs * block.cycles / scheduled:.1f} %"
        bound = f"{block.limit} {block.bound}" if block.limit else ""
        rows.append(
            [block.name, str(block.runs), str(block.runs * block.cycles), share, bound]
            + [str(block.cycles)]
        )
    causes = [["cause", "cycles", "of all"]]
    for cause, cycles in launch.causes().items():
        causes.append([cause, str(cycles), f"{100 * cycles / total:.1f} %"])
    seen = launch.result.accesses
    memory = f"memory: {seen.count} accesses, {seen.misses} misses\n" if seen.count else ""
    return (
        f"cycles: {total}, without dispatch {total - launch.dispatch}\n{memory}\n"
        f"{aligned(causes)}\n\n{aligned(rows)}\n\n{launch.statistics().as_text().rstrip()}"
    )


def stats_json(launch: Launch) -> dict[str, Any]:
    """The content of `stats_text` as data."""
    return {
        "kernel": launch.schedule.program.name,
        "dispatch_cycles": launch.dispatch,
        "causes": launch.causes(),
        "memory": vars(launch.result.accesses),
        "blocks": [vars(block) for block in launch.blocks],
        **launch.statistics().as_json(),
    }


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise PolyclError(f"cannot write '{name}': {error.strerror}") from error
    print(f"wrote {name}")
