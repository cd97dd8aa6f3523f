"""ocl-run: runs one kernel of a file on data from the command line; times and compares it."""

from __future__ import annotations

import argparse
import math
import re
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
from polycl.tools import run_arguments
from polycl.tools.cl_options import add_cl_options, cl_options, split_cl_options
from polycl.tools.driver import (
    UsageError,
    add_safety_options,
    non_negative,
    positive,
    quiet_parser,
    run_tool,
    safely,
)
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
from polycl.tools.run_results import check_outputs, select_values, write_outputs
from polycl.tools.simulate import simulate

PROG = "ocl-run"

EXAMPLE = """\
example:
  ocl-run saxpy.cl --kernel saxpy --global 1048576 --local 256 --arg x=rand:f32:1048576 \\
    --arg y=@y.npy --arg a=2.0 --out y=out.npy --time 20 --compare interp
"""


def main() -> None:
    """The console script."""
    sys.exit(run_tool(PROG, lambda: run(sys.argv[1:])))


def run(arguments: Sequence[str]) -> None:
    """Everything that the command line `arguments` ask for.

    Raises:
        PolyclError: something does not fit, or the results of two devices differ.
    """
    rest, split = split_cl_options(arguments)
    args = _parser().parse_args(rest)
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
    for option in ("machine", "buses", "wg_method", "unroll", "stats", "schedule", "sweep"):
        if getattr(args, option) not in (None, []):
            raise UsageError(f"--{option.replace('_', '-')} is for kernels, not for {what}")


def _cache(args: argparse.Namespace) -> AbstractContextManager[None]:
    if args.no_cache:
        return cache_in(None)
    return nullcontext() if args.cache_dir is None else cache_in(args.cache_dir)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Run one kernel of an OpenCL C or MLIR file.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_argument_help() + EXAMPLE,
        allow_abbrev=False,
    )
    quiet_parser(parser, PROG)
    add = parser.add_argument
    add(
        "input_file",
        metavar="FILE",
        nargs="?",
        help="a .cl or .mlir file, or a .sim file of Oclgrind",
    )
    add(
        "--list",
        action="store_true",
        help="show the kernels of FILE, the cache and the devices, and exit",
    )
    add("--kernel", metavar="NAME", help="which kernel; may be left out if there is only one")
    add("--global", dest="global_size", metavar="SIZE", type=_sizes, help="1048576 or 64x64")
    add("--local", dest="local_size", metavar="SIZE", type=_sizes, help="chosen if left out")
    add("--offset", metavar="IDS", type=_sizes, help="first global id in each dimension")
    add("--arg", metavar="NAME=SPEC", action="append", default=[], help="an argument: see below")
    add(
        "--assume",
        metavar="TEXT",
        action="append",
        default=[],
        help="what holds for every launch, say 'width >= 64': compile for that only",
    )
    add("--seed", type=int, metavar="N", help="other numbers in all rand, bits and perm arrays")
    add(
        "--out",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="write an array to a .npy or .png file when everything has succeeded",
    )
    add(
        "--print",
        dest="prints",
        metavar="NAME[..]",
        action="append",
        default=[],
        help="print an array or a part of it, say y[:8]",
    )
    add(
        "--device",
        metavar="NAME",
        action="append",
        help=f"{', '.join(devices())}, or opencl:NAME as --list shows them (default: cpu); with "
        "--compare as often as one likes",
    )
    add("--threads", type=positive, metavar="N", help="threads of the cpu device (default: all)")
    add("--no-contract", action="store_true", help="round a * b and a * b + c, as interp does")
    add("--debug-info", action="store_true", help="tell debuggers the source lines of the code")
    add("--machine", metavar="NAME", help="of the tta device: paper, minimal, wide or an .adf file")
    add("--buses", type=positive, metavar="N", help="how many the machine of the tta device has")
    add(
        "--wg-method",
        choices=("loops", "horizontal", "replicate"),
        help="how work-items share the processor of the tta device",
    )
    add("--unroll", type=positive, metavar="N", help="work-items next to each other on tta")
    add(
        "--sweep",
        metavar="KEY=VALUES",
        action="append",
        default=[],
        help="run all variants of the tta device: buses=8..32 (doubling), unroll=1,2,4, "
        "wg-method=loops,horizontal; print cycles, and draw speed-ups with --plot FILE",
    )
    add(
        "--machine-list",
        action="store_true",
        help="show the machines of the tta device, and that of --machine, and exit",
    )
    add(
        "--stats",
        metavar="JSON",
        nargs="?",
        const="",
        help="of the tta device: cycles, and how busy blocks, buses, units and register files "
        "were; printed, or written to a .json file",
    )
    add(
        "--schedule",
        metavar="HTML",
        help="of the tta device: write a page with the moves of each block, cycle by bus",
    )
    add("-p", "--pipeline", help="passes instead of the device's own, as ocl-opt -p takes them")
    add("--time", type=positive, metavar="N", help="run N times more, on copies, and time that")
    add(
        "--compare",
        metavar="DEVICE",
        nargs="?",
        const="",
        help="run on DEVICE, too, with its own passes, and compare; exit code 1 on a difference; "
        "without DEVICE: compare those of several --device, and show a table",
    )
    add("--tolerance", type=non_negative, metavar="ULP", help="allowed difference (default: 0)")
    add(
        "--check-each-pass",
        action="store_true",
        help="first execute the kernel on interp, with these arguments, before and after each "
        "pass, and stop at the first pass that changes a result",
    )
    add("--check", action="store_true", help="run on interp and tell of races and other errors")
    add("--check-strict", action="store_true", help="the same, with warnings as errors")
    add("--time-phases", action="store_true", help="show how long each pass and phase took")
    add(
        "--plot",
        metavar="FILE",
        help="draw how the kernel is split for these sizes and arguments, and do not run it; an "
        ".svg file, or .png or .pdf with matplotlib. Arguments that do not matter may be left out",
    )
    add(
        "--plot-kind",
        metavar="KIND",
        help="codelets (default), domain, access, dispatch, or table, which is a text",
    )
    add(
        "--plot-option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="what to draw: see docs/pictures.md",
    )
    cache = parser.add_mutually_exclusive_group()
    cache.add_argument(
        "--cache-dir", metavar="DIR", help="where to keep what was compiled (default: see --list)"
    )
    cache.add_argument("--no-cache", action="store_true", help="compile all, and keep nothing")
    add("--remarks", action="store_true", help="say on stderr what the passes decided, and why")
    add_safety_options(parser)
    add_cl_options(parser)
    return parser


def _argument_help() -> str:
    from polycl.runtime import dataspec

    data = (dataspec.__doc__ or "").partition("\n\n")[2]
    own = (run_arguments.__doc__ or "").partition("SPEC is")[2].partition("\n\n")[2]
    head, _, tail = data.partition("\n\nT is one of")
    return (
        f"the SPEC of an argument:\n\n{_outer(head)}\n{_outer(own.rstrip())}\n\n"
        f"T is one of{tail}\n\n"
    )


def _outer(text: str) -> str:
    """The indented lines of a docstring."""
    return "\n".join(line[2:] for line in text.splitlines() if line.startswith("    "))


def _sizes(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+([x,]\d+){0,2}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no size; expected N, NxM or NxMxK")
    return tuple(int(n) for n in re.split("[x,]", text))


def _run(args: argparse.Namespace, options: Sequence[str]) -> None:
    if args.machine_list:
        from polycl.tools.run_tta import machine_list

        print(machine_list(args.machine, args.buses))
        return
    if args.input_file is None:
        for option in ("stats", "compare"):
            if getattr(args, option):
                raise UsageError(
                    f"--{option} {getattr(args, option)}: FILE comes before --{option}"
                )
        raise UsageError("which file? expected a .cl, .mlir or .sim file; see 'ocl-run --help'")
    if args.input_file.endswith(".sim"):
        _one_device(args, "a .sim file")
        simulate(args, options)
        return
    with collect_phases() as import_phases:
        program, import_time = _timed(lambda: load(Path(args.input_file), options))
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
    if not program.kernels or (args.kernel and args.kernel not in program.kernels):
        # Late, as most files have kernels.
        from polycl.tools.run_function import find_function, run_function

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
        from polycl.tools.run_plot import plot

        plot(args, kernel)
        return
    values = read_arguments(kernel, args.arg, math.prod(args.global_size), args.seed)
    outputs = check_outputs(kernel, values, args.out)
    selected = select_values(kernel, values, args.prints)
    given: dict[str, Any] = {"threads": args.threads} if args.threads else {}
    if args.no_contract:
        given["contract"] = False
    if args.debug_info:
        given["debug_info"] = True
    for option in ("machine", "buses", "wg_method", "unroll"):
        if getattr(args, option) is not None:
            given[option] = getattr(args, option)
    if checks:
        given["check"] = "strict" if args.check_strict else True

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
        from polycl.tools.run_sweep import sweep

        sweep(args, values, bind, _copies)
        return
    simulated = args.stats is not None or args.schedule is not None
    if simulated:
        from polycl.tools import run_tta

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
        from polycl.tools import run_tta

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
        from polycl.tools.run_function import function_table

        tables = [function_table(function) for function in program.functions.values()]
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
    from polycl.backends.opencl_c.platforms import platform_list

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
