"""How ocl-run runs a host program: its arguments, the times of its commands, its results."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from polycl.backends.device import Device
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError
from polycl.runtime.host.host_program import HostFunction
from polycl.runtime.host.recorded_data import TOLERANCE, differences
from polycl.runtime.program import Program
from polycl.tools.driver import UsageError
from polycl.tools.run_arguments import read_arguments
from polycl.tools.run_devices import (
    DeviceRun,
    aligned,
    copies,
    cycles_of,
    open_devices,
    show_comparison,
    time_line,
    timed,
    times_line,
)
from polycl.tools.run_options import refuse
from polycl.tools.run_results import wanted_results

_FOR_KERNELS = (
    *("global_size", "local_size", "offset", "assume", "check_each_pass"),
    *("sweep", "stats", "schedule", "plot"),
)


def find_host(program: Program, name: str | None, has_size: bool) -> HostFunction | None:
    """The named host function; without a name the only one, unless there is an index space, which
    is for kernels. Raises UsageError."""
    if name is not None:
        return None if name in program.kernels else program.hosts.get(name)
    if has_size or not program.hosts:
        return None
    if len(program.hosts) > 1:
        raise UsageError(f"choose a function by --function; it has: {', '.join(program.hosts)}")
    return program.host()


def run_if_meant(args: argparse.Namespace, program: Program, options: Mapping[str, Any]) -> bool:
    """Run the host function of the command line, if there is one."""
    if args.global_size is not None and (not args.kernel or args.kernel in program.kernels):
        return False
    host = find_host(program, args.kernel, args.global_size is not None)
    if host is not None:
        run_host(args, host, options)
    return host is not None


def run_host(args: argparse.Namespace, host: HostFunction, options: Mapping[str, Any]) -> None:
    """Run, time, compare and print by the command line; `options` are for the devices."""
    refuse(args, _FOR_KERNELS, f"is for kernels; '{host.name}' is a host function")
    if args.pipeline:
        module = host.module.clone()
        run_pipeline(module, args.pipeline)
        host = Program(module).host(host.name)
    values = _arguments(args, host)
    show_results = wanted_results(args, host, values)
    others = [args.compare] if args.compare else args.devices[1:]
    first, *other_devices = open_devices([args.device, *others], options)
    for_timing = [copies(values) for _ in range(args.time or 0)]
    for_comparison = [copies(values) for _ in others]

    run, result = _run(args.device, first, host, values)
    print(f"{host.name} on {args.device}")
    print(time_line("first run", run.run_time, 24))
    if for_timing:
        times = [_run(args.device, first, host, copy)[0].run_time for copy in for_timing]
        print(times_line(times, 24))
    for command in host.times:
        often = f"  {command.count} times" if command.count > 1 else ""
        print(time_line(f"  {command.command}", command.seconds, 24) + often)
    if result is not None:
        print(f"  result: {result}")
    _show_recorded(host, values)
    if others:
        launches = zip(others, other_devices, for_comparison, strict=True)
        runs = [run, *(_run(name, on, host, data)[0] for name, on, data in launches)]
        show_comparison(args, runs)
    show_results()


def _arguments(args: argparse.Namespace, host: HostFunction) -> dict[str, Any]:
    """The arguments of the command line, and recorded ones for those that are not given."""
    if not host.recorded:
        return read_arguments(host, args.arg, 1024, args.seed)
    given = read_arguments(host, args.arg, 1024, args.seed, all_needed=False)
    recorded = {n: array.first() for n, array in host.recorded.items() if n not in given}
    return {p.name: (given | recorded)[p.name] for p in host.parameters}


def _show_recorded(host: HostFunction, values: dict[str, Any]) -> None:
    """Compare what was read with the recorded run. Raises PolyclError where it differs."""
    found = differences(host.recorded, values)
    if not found:
        return
    far = {name: distance for name, distance in found.items() if distance is not None}
    same = len(found) - len(far)
    print(f"  {same} of {len(found)} reads gave the recorded bits")
    for name, distance in far.items():
        print(f"  {name}: differs by {distance:.2g} of its largest number")
    wrong = [name for name, distance in far.items() if distance > TOLERANCE]
    if wrong:
        raise PolyclError(
            f"'{host.name}' reads other data than the recorded run: {', '.join(wrong)}"
        )


def host_table(host: HostFunction) -> str:
    """A host function with its parameters and results."""
    rows = [(p.name, p.dtype_text, "array" if p.space else "value") for p in host.parameters]
    results = (f"  -> {type}" for type in host.results)
    return "\n".join([f"{host.name}  (host)", *([aligned(rows)] if rows else []), *results])


def _run(
    name: str, on: Device, host: HostFunction, values: dict[str, Any]
) -> tuple[DeviceRun, Any]:
    """A call, its time, and its result."""
    result, seconds = timed(lambda: host(*values.values(), device=on))
    return DeviceRun(name, values, 0.0, seconds, cycles_of(on)), result
