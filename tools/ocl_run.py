"""ocl-run: runs one kernel of a file on data from the command line; times and compares it."""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from polycl.backends.cache import cache_in, current_cache
from polycl.backends.device import Device
from polycl.backends.phases import collect_phases
from polycl.dialects.ocl import AddressSpace
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks
from polycl.runtime.devices import default_device, devices
from polycl.runtime.images import Image
from polycl.runtime.kernel import BoundKernel, Kernel
from polycl.runtime.program import Program, load, one_kernel
from polycl.tools.cl_options import cl_options, split_cl_options
from polycl.tools.driver import UsageError, run_tool, safely
from polycl.tools.run_arguments import read_arguments
from polycl.tools.run_devices import (
    DeviceRun,
    check_tolerance,
    comparison,
    cycles_of,
    open_devices,
    run_on,
    short_comparison,
)
from polycl.tools.run_options import PROG, run_parser
from polycl.tools.run_results import check_outputs, select_values, write_outputs
from polycl.tools.simulate import simulate


def main() -> None:
    """The console script."""
    sys.exit(run_tool(PROG, lambda: run(sys.argv[1:])))


def run(arguments: Sequence[str]) -> None:
    """Everything that the command line `arguments` ask for.

    Raises:
        PolyclError: something does not fit, or the results of two devices differ.
    """
    rest, split = split_cl_options(arguments)
    args = run_parser().parse_args(rest)
    args.devices, args.device = _devices(args)
    with safely(args), _cache(args):
        if not args.remarks:
            _run(args, cl_options(args, split))
            return
        with collect_remarks() as remarks:
            try:
                _run(args, cl_options(args, split))
            finally:
                for remark in remarks:
                    print(remark, file=sys.stderr)


def _devices(args: argparse.Namespace) -> tuple[list[str], str | None]:
    """The devices of --device, and the one whose results are printed and written."""
    names: list[str] = args.device or []
    if len(names) > 1 and args.compare is None:
        raise UsageError(f"{len(names)} devices need --compare; else expected one --device")
    if args.compare == "" and len(names) < 2:
        raise UsageError("compare with what? expected --compare DEVICE, or several --device")
    if args.compare and len(names) > 1 and args.input_file is not None:
        raise UsageError(
            f"--compare {args.compare}: with several --device, --compare has no name, and stands "
            "behind FILE"
        )
    if len(set(names)) < len(names):
        raise UsageError(f"--device: one is named twice: {', '.join(names)}")
    return names, names[0] if names else None


def _one_device(args: argparse.Namespace, what: str) -> None:
    """Refuse what is only there for kernels."""
    if len(args.devices) > 1:
        raise UsageError(f"several --device are for kernels, not for {what}")
    tta = ("machine", "buses", "wg_method", "unroll", "pipeline_loops")
    for option in (*tta, "stats", "schedule", "sweep"):
        if getattr(args, option) not in (None, []):
            raise UsageError(f"--{option.replace('_', '-')} is for kernels, not for {what}")


def _cache(args: argparse.Namespace) -> AbstractContextManager[None]:
    if args.no_cache:
        return cache_in(None)
    return nullcontext() if args.cache_dir is None else cache_in(args.cache_dir)


def _run(args: argparse.Namespace, options: Sequence[str]) -> None:
    if args.machine_list:
        from polycl.tools.tta.run_tta import machine_list

        print(machine_list(args.machine, args.buses))
        return
    if args.input_file is None:
        for option in ("stats", "compare"):
            if getattr(args, option):
                raise UsageError(
                    f"--{option} {getattr(args, option)}: FILE comes before --{option}"
                )
        raise UsageError("which file? expected a .cl, .mlir, .c or .sim file; see 'ocl-run --help'")
    if args.input_file.endswith(".sim"):
        _one_device(args, "a .sim file")
        simulate(args, options)
        return
    with collect_phases() as import_phases:
        program, import_time = _timed(
            lambda: load(Path(args.input_file), options, kernels=args.kernels)
        )
    if args.list:
        print(kernel_list(program))
        print(f"\n{cache_line()}\n\n{device_list()}")
        return
    if args.tolerance is not None and not (args.compare is not None or args.check_each_pass):
        raise UsageError("--tolerance needs --compare or --check-each-pass")
    checks = args.check or args.check_strict
    if checks and args.devices not in ([], ["interp"]):
        raise UsageError(f"--check runs on the device interp, not on {', '.join(args.devices)}")
    args.device = args.device or ("interp" if checks else "cpu")
    given = _device_options(args, checks)
    if args.global_size is None or (args.kernel and args.kernel not in program.kernels):
        # Late, as most files have kernels.
        from polycl.tools.host.run_host import find_host, run_host

        host = find_host(program, args.kernel, args.global_size is not None)
        if host is not None:
            run_host(args, host, given)
            return
    if not program.kernels or (args.kernel and args.kernel not in program.kernels):
        # Late, as most files have kernels.
        from polycl.tools.pattern.run_function import find_function, run_function

        function = find_function(program, args.kernel)
        if function is not None:
            _one_device(args, "a pattern program")
            run_function(args, function, default_device(args.device))
            return
    if args.global_size is None:
        raise UsageError("which index space? expected --global N, NxM or NxMxK")
    kernel = one_kernel(program, args.kernel).assuming(*args.assume)
    if not args.sweep and (args.plot or args.plot_kind or args.plot_option):
        # Late: what it needs takes a while to load.
        from polycl.tools.poly.run_plot import plot

        plot(args, kernel)
        return
    values = read_arguments(kernel, args.arg, math.prod(args.global_size), args.seed)
    outputs = check_outputs(kernel, values, args.out)
    selected = select_values(kernel, values, args.prints)

    def bind(on: Device, data: dict[str, Any], pipeline: str | None = None) -> BoundKernel:
        return kernel.bind(
            **data,
            global_size=args.global_size,
            local_size=args.local_size,
            global_offset=args.offset,
            device=on,
            pipeline=pipeline,
        )

    if args.sweep:
        from polycl.tools.tta.run_sweep import sweep

        sweep(args, values, bind, _copies)
        return
    simulated = args.stats is not None or args.schedule is not None
    if simulated:
        from polycl.tools.tta import run_tta

        run_tta.check_options(args)
    others = [args.compare] if args.compare else args.devices[1:]
    target, *other_devices = open_devices([args.device, *others], given)

    if args.check_each_pass:
        # In its own file, and late: few runs want it.
        from polycl.tools.run_checks import check_each_pass

        check_each_pass(args, options, kernel, values, target)

    for_timing = _copies(values) if args.time else {}
    for_comparison = [_copies(values) for _ in others]
    with collect_phases() as compile_phases:
        bound, compile_time = _timed(lambda: bind(target, values, args.pipeline))
    _, run_time = _timed(bound.launch)
    for finding in getattr(bound.executable, "findings", ()):
        print(finding, file=sys.stderr)

    space = bound.ndrange
    rank = space.work_dim
    threads = f" ({args.threads} threads)" if args.threads else ""
    print(
        f"{kernel.name} on {args.device}{threads}: global size {_x(space.global_size[:rank])}, "
        f"local size {_x(space.local_size[:rank])}"
    )
    print(f"  {'import':<12}{_ms(import_time)}")
    if args.time_phases:
        _print_phases(import_phases)
    print(f"  {'compile':<12}{_ms(compile_time)}")
    if args.time_phases:
        _print_phases(compile_phases)
    print(f"  {'first run':<12}{_ms(run_time)}")
    if checks:
        print(f"  {'checks':<12}no errors found")
    if simulated:
        from polycl.tools.tta import run_tta

        run_tta.report(args, target, bound)
    if args.time:
        again = bind(target, for_timing, args.pipeline)
        times = [_timed(again.launch)[1] for _ in range(args.time)]
        print(
            f"  {f'{args.time} runs':<12}{_ms(min(times))} min, "
            f"{_ms(statistics.median(times)).strip()} median"
        )
    if others:
        first = DeviceRun(args.device, values, compile_time, run_time, cycles_of(target))
        launches = zip(others, other_devices, for_comparison, strict=True)
        runs = [first, *(run_on(name, on, data, bind) for name, on, data in launches)]
        print(short_comparison(first, runs[1]) if args.compare else comparison(runs))
        check_tolerance(runs, args.tolerance or 0)
    for text, part in selected:
        print(f"{text} = {part}")
    write_outputs(values, outputs)


def _device_options(args: argparse.Namespace, checks: bool) -> dict[str, Any]:
    """What the options say of the devices."""
    given: dict[str, Any] = {"threads": args.threads} if args.threads else {}
    if args.no_contract:
        given["contract"] = False
    if args.debug_info:
        given["debug_info"] = True
    for option in ("machine", "buses", "wg_method", "unroll"):
        if getattr(args, option) is not None:
            given[option] = getattr(args, option)
    if args.pipeline_loops is not None:
        given["pipeline_loops"] = args.pipeline_loops == "yes"
    if checks:
        given["check"] = "strict" if args.check_strict else True
    return given


def _print_phases(seconds: dict[str, float]) -> None:
    for name, took in seconds.items():
        print(f"    {name:<24}{_ms(took)}")


def _timed(what: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = what()
    return result, time.perf_counter() - start


def _copies(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.copy() if isinstance(v, np.ndarray | Image) else v for k, v in values.items()}


def kernel_list(program: Program) -> str:
    """The kernels of `program` with their parameters, as a table."""
    tables = [_kernel_table(kernel) for kernel in program.kernels.values()]
    if not tables:
        from polycl.tools.pattern.run_function import function_table

        tables = [function_table(function) for function in program.functions.values()]
    if program.hosts:
        from polycl.tools.host.run_host import host_table

        tables += [host_table(host) for host in program.hosts.values()]
    return "\n\n".join(tables) or f"{program.name} has no kernels"


def cache_line() -> str:
    """Where the cache is, and how full."""
    cache = current_cache()
    if cache is None:
        return "cache: off"
    entries, size = cache.size()
    return (
        f"cache: {cache.folder}, {entries} entries, "
        f"{size / 2**20:.1f} of {cache.limit / 2**20:.0f} MiB"
    )


def device_list() -> str:
    """What `--device` takes here."""
    # Late: to look for OpenCL platforms loads them.
    from polycl.backends.opencl_c.opencl_platforms import platform_list

    try:
        platforms = platform_list()
    except PolyclError as error:
        platforms = f"  {error}"
    return f"devices: {', '.join(devices())}\n{platforms}"


def _kernel_table(kernel: Kernel) -> str:
    title = kernel.name
    if kernel.required_local_size is not None:
        title += f"  (reqd_work_group_size {_x(kernel.required_local_size)})"
    rows = [
        (
            p.name,
            p.spelling or str(p.type),
            "value" if p.space is None else p.space.value,
            "read only" if p.const and p.space is AddressSpace.GLOBAL else "",
            p.dtype_text,
        )
        for p in kernel.parameters
    ]
    title += "".join(f"\n  assumes {text}" for text in kernel.assumptions)
    widths = [max(len(row[i]) for row in rows) for i in range(5)] if rows else []
    lines = [
        "  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True) if w).rstrip()
        for row in rows
    ]
    return "\n".join([title, *lines])


def _x(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:>10.3f} ms"


if __name__ == "__main__":
    main()
