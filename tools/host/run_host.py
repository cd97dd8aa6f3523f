"""What ocl-run does with a host program: its arguments, where its time goes, its results."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from polycl.backends.device import Device
from polycl.backends.pipeline import run_pipeline
from polycl.runtime.host.host_program import HostFunction
from polycl.runtime.program import Program
from polycl.tools.driver import UsageError
from polycl.tools.run_arguments import read_arguments
from polycl.tools.run_devices import (
    DeviceRun,
    check_tolerance,
    comparison,
    cycles_of,
    open_devices,
    short_comparison,
)
from polycl.tools.run_results import check_outputs, select_values, write_outputs

# Each with what it is if it is not given.
_FOR_KERNELS: dict[str, tuple[str, Any]] = {
    "--global": ("global_size", None),
    "--local": ("local_size", None),
    "--offset": ("offset", None),
    "--assume": ("assume", []),
    "--check-each-pass": ("check_each_pass", False),
    "--sweep": ("sweep", []),
    "--stats": ("stats", None),
    "--schedule": ("schedule", None),
    "--plot": ("plot", None),
}


def find_host(program: Program, name: str | None, has_size: bool) -> HostFunction | None:
    """The host function that is meant: the named one; without a name the only one, unless there
    is an index space, which is for kernels. Raises UsageError."""
    if name is not None:
        return None if name in program.kernels else program.hosts.get(name)
    if has_size or not program.hosts:
        return None
    if len(program.hosts) > 1:
        raise UsageError(f"say which function by --function; it has: {', '.join(program.hosts)}")
    return program.host()


def run_if_meant(args: argparse.Namespace, program: Program, options: Mapping[str, Any]) -> bool:
    """Run the host function that the command line means, if it means one."""
    if args.global_size is not None and (not args.kernel or args.kernel in program.kernels):
        return False
    host = find_host(program, args.kernel, args.global_size is not None)
    if host is not None:
        run_host(args, host, options)
    return host is not None


def run_host(args: argparse.Namespace, host: HostFunction, options: Mapping[str, Any]) -> None:
    """Run, time, compare and print as the command line says; `options` are for the devices."""
    for option, (key, default) in _FOR_KERNELS.items():
        if getattr(args, key) != default:
            raise UsageError(f"{option} is for kernels; '{host.name}' is a host function")
    if args.pipeline:
        module = host.module.clone()
        run_pipeline(module, args.pipeline)
        host = Program(module).host(host.name)
    values = read_arguments(host, args.arg, 1024, args.seed)
    outputs = check_outputs(host, values, args.out)
    selected = select_values(host, values, args.prints)
    others = [args.compare] if args.compare else args.devices[1:]
    first, *other_devices = open_devices([args.device, *others], options)
    for_timing = [_copies(values) for _ in range(args.time or 0)]
    for_comparison = [_copies(values) for _ in others]

    run, result = _run(args.device, first, host, values)
    print(f"{host.name} on {args.device}")
    print(f"  {'first run':<24}{_ms(run.run_time)}")
    if for_timing:
        times = [_run(args.device, first, host, copy)[0].run_time for copy in for_timing]
        median = _ms(statistics.median(times)).strip()
        print(f"  {f'{args.time} runs':<24}{_ms(min(times))} min, {median} median")
    for command in host.times:
        often = f"  {command.count} times" if command.count > 1 else ""
        print(f"    {command.command:<22}{_ms(command.seconds)}{often}")
    if result is not None:
        print(f"  result: {result}")
    if others:
        launches = zip(others, other_devices, for_comparison, strict=True)
        runs = [run, *(_run(name, on, host, data)[0] for name, on, data in launches)]
        print(short_comparison(run, runs[1]) if args.compare else comparison(runs))
        check_tolerance(runs, args.tolerance or 0)
    for text, part in selected:
        print(f"{text} = {part}")
    write_outputs(values, outputs)


def host_table(host: HostFunction) -> str:
    """A host function with its parameters and results."""
    rows = [(p.name, p.dtype_text, "array" if p.space else "value") for p in host.parameters]
    widths = [max(len(row[i]) for row in rows) if rows else 0 for i in range(3)]
    lines = [
        "  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([f"{host.name}  (host)", *lines, *(f"  -> {type}" for type in host.results)])


def _run(
    name: str, on: Device, host: HostFunction, values: dict[str, Any]
) -> tuple[DeviceRun, Any]:
    """A call, its time, and its result."""
    start = time.perf_counter()
    result = host(*values.values(), device=on)
    seconds = time.perf_counter() - start
    return DeviceRun(name, values, 0.0, seconds, cycles_of(on)), result


def _copies(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in values.items()}


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:>10.3f} ms"
