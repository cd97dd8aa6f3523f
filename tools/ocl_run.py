"""ocl-run: runs one kernel of a file on data from the command line; times and compares it."""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from polycl.backends.cache import cache_in, current_cache
from polycl.backends.device import Device
from polycl.backends.phases import collect_phases
from polycl.columns import RUN_MODES, RUN_TABLES, RUN_TOOLS
from polycl.dialects.ocl import AddressSpace
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks
from polycl.runtime.devices import devices
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
from polycl.tools.run_options import PROG, refuse_kernel_options, run_parser
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


def _cache(args: argparse.Namespace) -> AbstractContextManager[None]:
    if args.no_cache:
        return cache_in(None)
    return nullcontext() if args.cache_dir is None else cache_in(args.cache_dir)


def _run(args: argparse.Namespace, options: Sequence[str]) -> None:
    if args.machine_list:
        print(RUN_TOOLS["machine-list"]()(args.machine, args.buses))
        return
    if args.write_adf:
        RUN_TOOLS["write-adf"]()(args.write_adf, args.machine, args.buses)
        return
    if args.input_file is None:
        _no_file(args)
    if args.input_file.endswith(".sim"):
        refuse_kernel_options(args, "a .sim file")
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
    if _checks(args) and args.devices not in ([], ["interp"]):
        raise UsageError(f"--check runs on the device interp, not on {', '.join(args.devices)}")
    args.device = args.device or ("interp" if _checks(args) else "cpu")
    given = _device_options(args)
    for mode in RUN_MODES.values():
        if mode()(args, program, given):
            return
    if args.global_size is None:
        raise UsageError("which index space? expected --global N, NxM or NxMxK")
    kernel = one_kernel(program, args.kernel).assuming(*args.assume)
    if not args.sweep and (args.plot or args.plot_kind or args.plot_option):
        RUN_TOOLS["plot"]()(args, kernel)
        return
    _run_kernel(args, options, kernel, given, Took("import", import_time, import_phases))


def _no_file(args: argparse.Namespace) -> NoReturn:
    for option in ("stats", "compare"):
        if getattr(args, option):
            raise UsageError(f"--{option} {getattr(args, option)}: FILE comes before --{option}")
    raise UsageError("which file? expected a .cl, .mlir, .c or .sim file; see 'ocl-run --help'")


def _checks(args: argparse.Namespace) -> bool:
    return args.check or args.check_strict


@dataclass(frozen=True)
class Took:
    """The seconds of a step, and of its phases."""

    step: str
    seconds: float
    phases: Mapping[str, float] = field(default_factory=dict[str, float])

    def show(self, with_phases: bool) -> None:
        print(f"  {self.step:<12}{_ms(self.seconds)}")
        for name, seconds in self.phases.items() if with_phases else ():
            print(f"    {name:<24}{_ms(seconds)}")


def _run_kernel(
    args: argparse.Namespace,
    options: Sequence[str],
    kernel: Kernel,
    given: dict[str, Any],
    imported: Took,
) -> None:
    """Launch one kernel on its device and on those that it is compared with; print and write."""
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
        RUN_TOOLS["sweep"]()(args, values, bind, _copies)
        return
    simulated = args.stats is not None or args.schedule is not None
    if simulated:
        RUN_TOOLS["check-report"]()(args)
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

    _print_title(args, kernel, bound)
    imported.show(args.time_phases)
    Took("compile", compile_time, compile_phases).show(args.time_phases)
    Took("first run", run_time).show(False)
    if _checks(args):
        print(f"  {'checks':<12}no errors found")
    if simulated:
        RUN_TOOLS["report"]()(args, target, bound)
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


def _print_title(args: argparse.Namespace, kernel: Kernel, bound: BoundKernel) -> None:
    space = bound.ndrange
    rank = space.work_dim
    threads = f" ({args.threads} threads)" if args.threads else ""
    print(
        f"{kernel.name} on {args.device}{threads}: global size {_x(space.global_size[:rank])}, "
        f"local size {_x(space.local_size[:rank])}"
    )


def _device_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the devices that the command line gives."""
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
    if _checks(args):
        given["check"] = "strict" if args.check_strict else True
    return given


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
        tables += map(RUN_TABLES["function"](), program.functions.values())
    tables += map(RUN_TABLES["host function"](), program.hosts.values())
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
