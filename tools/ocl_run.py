"""ocl-run: runs one kernel of a file on data from the command line; times and compares it."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from polycl.backends.cache import cache_in, current_cache
from polycl.backends.device import Device
from polycl.backends.phases import collect_phases
from polycl.columns import RUN_MODES, RUN_TABLES, RUN_TOOLS
from polycl.dialects.ocl import AddressSpace
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks
from polycl.runtime.devices import devices
from polycl.runtime.kernel import BoundKernel, Kernel
from polycl.runtime.program import Program, load, one_kernel
from polycl.tools.cl_options import cl_options, split_cl_options
from polycl.tools.driver import UsageError, run_tool, safely
from polycl.tools.run_arguments import read_arguments
from polycl.tools.run_devices import (
    DeviceRun,
    Launch,
    aligned,
    copies,
    cycles_of,
    device_options,
    open_devices,
    run_on,
    show_comparison,
    time_line,
    timed,
    times_line,
)
from polycl.tools.run_options import PROG, parse_launches
from polycl.tools.run_results import wanted_results
from polycl.tools.simulate import simulate


def main() -> None:
    """The console script."""
    sys.exit(run_tool(PROG, lambda: run(sys.argv[1:])))


def run(arguments: Sequence[str]) -> None:
    """Run the command line `arguments`.

    Raises:
        PolyclError: something does not fit, or the results of two devices differ.
    """
    rest, split = split_cl_options(arguments)
    # What follows may be the name of the file.
    rest = ["--check=all" if word == "--check" else word for word in rest]
    args = parse_launches(rest)
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
            f"--compare {args.compare}: with several --device, --compare has no name, and follows "
            "FILE"
        )
    if len(set(names)) < len(names):
        raise UsageError(f"--device: a device is named twice: {', '.join(names)}")
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
        simulate(args, options)
        return
    with collect_phases() as import_phases:
        program, import_time = timed(
            lambda: load(Path(args.input_file), options, kernels=args.kernels)
        )
    if args.list:
        print(kernel_list(program))
        print(f"\n{cache_line()}\n\n{device_list()}")
        return
    if args.tolerance is not None and not (args.compare is not None or args.check_each_pass):
        raise UsageError("--tolerance needs --compare or --check-each-pass")
    given = device_options(args)
    args.device = args.device or "cpu"
    for mode in RUN_MODES.values():
        if mode()(args, program, given):
            return
    if args.launches and not args.sweep:
        raise UsageError("--and: several launches are for --sweep KEY=VALUES")
    kernel = _kernel(args, program)
    if args.plan is not None:
        RUN_TOOLS["plan"]()(args, kernel)
        return
    is_checked = args.plot is not None and "check" in given and not args.plot_kind
    draws = args.sweep or args.cluster is not None or is_checked
    if not draws and (args.plot or args.plot_kind or args.plot_option):
        RUN_TOOLS["plot"]()(args, kernel)
        return
    _run_kernel(args, options, kernel, given, Took("import", import_time, import_phases))


def _kernel(args: argparse.Namespace, program: Program) -> Kernel:
    if args.global_size is None:
        raise UsageError("which index space? expected --global N, NxM or NxMxK")
    return one_kernel(program, args.kernel).assuming(*args.assume)


def _no_file(args: argparse.Namespace) -> NoReturn:
    for option in ("stats", "compare", "explain"):
        if getattr(args, option):
            raise UsageError(f"--{option} {getattr(args, option)}: FILE comes before --{option}")
    raise UsageError("which file? expected a .cl, .mlir, .c or .sim file; see 'ocl-run --help'")


@dataclass(frozen=True)
class Took:
    """The seconds of a step, and of its phases."""

    step: str
    seconds: float
    phases: Mapping[str, float] = field(default_factory=dict[str, float])

    def show(self, with_phases: bool) -> None:
        print(time_line(self.step, self.seconds))
        for name, seconds in self.phases.items() if with_phases else ():
            print(time_line(f"  {name}", seconds, 26))


def _run_kernel(
    args: argparse.Namespace,
    options: Sequence[str],
    kernel: Kernel,
    given: dict[str, Any],
    imported: Took,
) -> None:
    """Launch one kernel on its device and on those that it is compared with; print and write."""
    launch = _launch(args, kernel, args.seed)
    values, bind = launch.values, launch.bind
    show_results = wanted_results(args, kernel, values)

    if args.cluster is not None:
        RUN_TOOLS["cluster"]()(args, kernel, values)
        show_results()
        return
    if args.sweep:
        launches = [launch]
        for other in args.launches:
            program = load(Path(other.input_file), options, kernels=args.kernels)
            launches.append(_launch(other, _kernel(other, program), args.seed))
        RUN_TOOLS["sweep"]()(args, launches)
        return
    simulated = args.stats is not None or args.schedule is not None
    if simulated:
        RUN_TOOLS["check-report"]()(args)
    if args.explain is not None or args.annotate:
        _explainer().check_options(args)
    others = [args.compare] if args.compare else args.devices[1:]
    target, *other_devices = open_devices([args.device, *others], given)
    if args.check_each_pass:
        # Late: few runs need it.
        from polycl.tools.run_checks import check_each_pass

        check_each_pass(args, options, kernel, values, target)

    for_timing = copies(values) if args.time else {}
    for_lines = copies(values) if args.annotate else {}
    for_comparison = [copies(values) for _ in others]
    with collect_phases() as compile_phases:
        bound, compile_time = timed(lambda: bind(target, values, args.pipeline))
    if args.save_temps is not None:
        # Late: few runs need it.
        from polycl.tools.save_temps import save_temps

        save_temps(args.save_temps, kernel, target, bound, args.pipeline)
    run_time = _first_run(args, bound)

    _print_title(args, kernel, bound)
    imported.show(args.time_phases)
    Took("compile", compile_time, compile_phases).show(args.time_phases)
    Took("first run", run_time).show(False)
    if "check" in given:
        print(f"  {'checks':<12}no errors found{_proofs(args, bound)}")
    if simulated:
        RUN_TOOLS["report"]()(args, target, bound)
    if args.time:
        again = bind(target, for_timing, args.pipeline)
        print(times_line([timed(again.launch)[1] for _ in range(args.time)]))
    if args.explain is not None:
        _explainer().explain(args, bound)
    if args.annotate:
        _explainer().annotate(args, given, for_lines, bind)
    if others:
        first = DeviceRun(args.device, values, compile_time, run_time, cycles_of(target))
        launches = zip(others, other_devices, for_comparison, strict=True)
        runs = [first, *(run_on(name, on, data, bind) for name, on, data in launches)]
        show_comparison(args, runs)
    show_results()


def _launch(args: argparse.Namespace, kernel: Kernel, seed: int | None) -> Launch:
    def bind(on: Device, data: dict[str, Any], pipeline: str | None = None) -> BoundKernel:
        return kernel.bind(
            **data,
            global_size=args.global_size,
            local_size=args.local_size,
            global_offset=args.offset,
            device=on,
            pipeline=pipeline,
        )

    values = read_arguments(kernel, args.arg, math.prod(args.global_size), seed)
    return Launch(kernel.name, values, bind)


def _explainer() -> Any:
    # Late: few runs need it.
    from polycl.tools import run_explain

    return run_explain


def _first_run(args: argparse.Namespace, bound: BoundKernel) -> float:
    """Launch; print warnings of the checks, and write all findings where they are wanted."""
    if args.check is None and not args.check_strict:
        return timed(bound.launch)[1]
    # Late: few runs need it.
    from polycl.backends.interp.checks import CheckError
    from polycl.backends.interp.checks.sarif import write_sarif

    try:
        _, seconds = timed(bound.launch)
    except CheckError as error:
        if args.sarif is not None:
            write_sarif(args.sarif, error.findings)
        raise
    findings: Sequence[Any] = getattr(bound.compiled, "findings", ())
    for finding in findings:
        print(finding, file=sys.stderr)
    if args.sarif is not None:
        write_sarif(args.sarif, findings)
    return seconds


def _proofs(args: argparse.Namespace, bound: BoundKernel) -> str:
    """What was proved of a launch with checks, which is also drawn where that is wanted."""
    from polycl.backends.cpu.checked import CheckedExecutable
    from polycl.lowering.ocl.ocl_insert_checks.decisions import summary
    from polycl.tools.check_picture import write_picture

    executable = bound.compiled
    if not isinstance(executable, CheckedExecutable):
        if args.plot is not None:
            raise UsageError("--check --plot draws launches in native code: expected --device cpu")
        return ""
    if executable.decisions is None:
        why = executable.why_judged(bound.args, bound.ndrange)
        if args.plot is not None:
            raise PolyclError(f"nothing to draw: the interpreter checks this launch, since {why}")
        return f", by the interpreter: {why}"
    if args.plot is not None:
        write_picture(Path(args.plot), executable.decisions, args.input_file)
    return f"; {summary(executable.decisions)}"


def _print_title(args: argparse.Namespace, kernel: Kernel, bound: BoundKernel) -> None:
    space = bound.ndrange
    rank = space.work_dim
    threads = f" ({args.threads} threads)" if args.threads else ""
    print(
        f"{kernel.name} on {args.device}{threads}: global size {_x(space.global_size[:rank])}, "
        f"local size {_x(space.local_size[:rank])}"
    )


def kernel_list(program: Program) -> str:
    """A table of the kernels of `program` with their parameters."""
    tables = [_kernel_table(kernel) for kernel in program.kernels.values()]
    if not tables:
        tables += map(RUN_TABLES["function"](), program.functions.values())
    tables += map(RUN_TABLES["host function"](), program.hosts.values())
    return "\n\n".join(tables) or f"{program.name} has no kernels"


def cache_line() -> str:
    """The folder of the cache, and its size."""
    cache = current_cache()
    if cache is None:
        return "cache: off"
    entries, size = cache.size()
    return (
        f"cache: {cache.folder}, {entries} entries, "
        f"{size / 2**20:.1f} of {cache.limit / 2**20:.0f} MiB"
    )


def device_list() -> str:
    """The values of `--device` on this machine."""
    # Late: the search for OpenCL platforms loads them.
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
    return f"{title}\n{aligned(rows)}".rstrip()


def _x(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


if __name__ == "__main__":
    main()
