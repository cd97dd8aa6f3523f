"""The options of ocl-run."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from polycl.runtime.devices import devices
from polycl.tools import run_arguments
from polycl.tools.cl_options import add_cl_options
from polycl.tools.driver import (
    UsageError,
    add_safety_options,
    add_version,
    non_negative,
    positive,
    quiet_parser,
)

PROG = "ocl-run"

EXAMPLE = """\
example:
  ocl-run saxpy.cl --kernel saxpy --global 1048576 --local 256 --arg x=rand:f32:1048576 \\
    --arg y=@y.npy --arg a=2.0 --out y=out.npy --time 20 --compare interp
"""


OF_LAUNCH = ("input_file", "kernel", "global_size", "local_size", "offset", "arg", "assume")
"""The options that each launch of a set has for itself."""


def parse_launches(words: Sequence[str]) -> argparse.Namespace:
    """The options of a command line. `launches` has those of the launches that follow `--and`;
    their other options hold for all launches. Raises UsageError."""
    parser = run_parser()
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "--and":
            parts.append([])
        else:
            parts[-1].append(word)
    args, *launches = map(parser.parse_args, parts)
    for launch in launches:
        launch.input_file = launch.input_file or args.input_file
        for name, value in vars(launch).items():
            default = parser.get_default(name)
            if name in OF_LAUNCH or value == default:
                continue
            old = getattr(args, name)
            if isinstance(value, list):
                value = [*(old or []), *value]  # pyright: ignore[reportUnknownVariableType]
            elif old != default:
                raise UsageError(f"{flag(name)} is given twice; it holds for all launches")
            setattr(args, name, value)
    args.launches = launches
    return args


def run_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Run one kernel of an OpenCL C or MLIR file.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_argument_help() + EXAMPLE,
        allow_abbrev=False,
    )
    quiet_parser(parser, PROG)
    add = parser.add_argument
    several = partial(add, action="append", default=[])
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
    several(
        "-k",
        "--kernels",
        metavar="FILE",
        help="the file with the kernels of a .c host program, if not the one that it names",
    )
    add("--kernel", metavar="NAME", help="which kernel; may be left out if there is only one")
    add("--function", dest="kernel", metavar="NAME", help="the same, for a function of the host")
    add("--global", dest="global_size", metavar="SIZE", type=sizes, help="1048576 or 64x64")
    add("--local", dest="local_size", metavar="SIZE", type=sizes, help="chosen if left out")
    add("--offset", metavar="IDS", type=sizes, help="first global id in each dimension")
    several("--arg", metavar="NAME=SPEC", help="an argument: see below")
    several(
        "--assume",
        metavar="TEXT",
        help="what holds for every launch, say 'width >= 64': compile for that only",
    )
    add("--seed", type=int, metavar="N", help="other numbers in all rand, bits and perm arrays")
    several(
        "--out",
        metavar="NAME=FILE",
        help="write an array to a .npy or .png file when everything has succeeded",
    )
    several(
        "--print",
        dest="prints",
        metavar="NAME[..]",
        help="print an array or a part of it, say y[:8]",
    )
    add(
        "--device",
        metavar="NAME",
        action="append",
        help=f"{', '.join(devices())}, or opencl:NAME as --list shows them (default: cpu); may be "
        "given several times with --compare",
    )
    add("--threads", type=positive, metavar="N", help="threads of the cpu device (default: all)")
    add("--no-contract", action="store_true", help="round a * b and a * b + c, as interp does")
    add("--debug-info", action="store_true", help="tell debuggers the source lines of the code")
    add_machine_options(parser)
    several(
        "--sweep",
        metavar="KEY=VALUES",
        help="run all variants of the tta device: buses=8..32 (doubling), unroll=1,2,4, "
        "wg-method=loops,horizontal; print cycles, and draw speed-ups with --plot FILE",
    )
    # For the help: parse_launches takes it.
    add(
        "--and",
        action="store_true",
        help="of --sweep: another launch follows, with a FILE (default: the same), --kernel, "
        "--global, --local, --offset and --arg of its own; each variant runs all launches",
    )
    add(
        "--machine-list",
        action="store_true",
        help="show the machines of the tta device, and that of --machine, and exit",
    )
    add(
        "--write-adf",
        metavar="FILE",
        help="write --machine as an architecture definition of OpenASIP, and exit",
    )
    add(
        "--stats",
        metavar="JSON",
        nargs="?",
        const="",
        help="of the tta device: cycles, and the utilisation of blocks, buses, units and register "
        "files; printed, or written to a .json file",
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
    add(
        "--check",
        metavar="KIND,...",
        nargs="?",
        help="report races and other errors; --check=KIND,...: of these kinds (docs/oracle.md)",
    )
    add("--sarif", metavar="FILE", help="with --check: also write what was found as SARIF")
    add("--check-strict", action="store_true", help="the same, with warnings as errors")
    add(
        "--save-temps",
        metavar="DIR",
        type=Path,
        help="write the kernel after each pass of the cpu device, its LLVM IR, assembly and ELF "
        "object into DIR",
    )
    add("--time-phases", action="store_true", help="show how long each pass and phase took")
    add(
        "--plot",
        metavar="FILE",
        help="draw how the kernel is split for these sizes and arguments, and do not run it; an "
        ".svg file, or .png or .pdf with matplotlib. Unused arguments may be left out",
    )
    add(
        "--plot-kind",
        metavar="KIND",
        help="codelets (default), domain, access, dispatch, or table, which is a text",
    )
    several(
        "--plot-option",
        metavar="KEY=VALUE",
        help="what to draw: see docs/poly/pictures.md",
    )
    add(
        "--cluster",
        metavar="ADDRESS",
        help="cut the launch into chunks for the workers of a dask cluster: the address of its "
        "scheduler, or local:N for N processes of this machine (docs/distribute.md)",
    )
    add("--worker-memory", metavar="SIZE", help="the limit of each worker of local:N, say 2GB")
    add(
        "--plan",
        metavar="N,...",
        type=numbers,
        help="print how the launch would be cut for N workers and what would move, and do not run "
        "it; --plot FILE draws it for the last N, or what a --cluster did",
    )
    cache = parser.add_mutually_exclusive_group()
    cache.add_argument(
        "--cache-dir", metavar="DIR", help="where to keep what was compiled (default: see --list)"
    )
    cache.add_argument("--no-cache", action="store_true", help="compile all, and keep nothing")
    add(
        "--explain",
        metavar="JSON",
        nargs="?",
        const="",
        help="show what each access and branch of the kernel does and costs, what bounds it on "
        "this machine, and what to change; printed, or written to a .json file (docs/explain.md)",
    )
    add("--annotate", action="store_true", help="show the source with the measured time per line")
    add("--remarks", action="store_true", help="print to stderr what the passes decided, and why")
    add_safety_options(parser)
    add_cl_options(parser)
    add_version(parser)
    return parser


def numbers(text: str) -> list[int]:
    """`10,100,1000` as numbers."""
    return [positive(part) for part in text.split(",")]


def add_machine_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the device tta."""
    add = parser.add_argument
    add(
        "--machine",
        metavar="NAME",
        help="of the tta device: paper, minimal, wide, 'paper buses=16 multipliers=2', or an .adf "
        "file",
    )
    add("--buses", type=positive, metavar="N", help="how many the machine of the tta device has")
    add(
        "--wg-method",
        choices=("loops", "interchange", "horizontal", "replicate", "auto"),
        help="how work-items share the processor of the tta device",
    )
    add(
        "--memory",
        metavar="TEXT",
        help="a cache of the tta device, say 'sets=64 ways=2 line=32 miss=20': cycles of misses",
    )
    add("--unroll", type=positive, metavar="N", help="work-items in one iteration on tta")
    add(
        "--pipeline-loops",
        choices=("yes", "no"),
        help="whether iterations of loops overlap on tta (default: unless work-items run one after "
        "another)",
    )


_FLAGS = {"global_size": "--global", "local_size": "--local", "prints": "--print"}


def refuse(args: argparse.Namespace, options: Iterable[str], why: str) -> None:
    """Raises UsageError if one of `options`, named as in `args`, is given; `why` follows it."""
    for option in options:
        value = getattr(args, option)
        if value is not None and value is not False and value != []:
            raise UsageError(f"{flag(option)} {why}")


def flag(option: str) -> str:
    """An option as it is written on the command line."""
    return _FLAGS.get(option, "--" + option.replace("_", "-"))


def refuse_kernel_options(args: argparse.Namespace, what: str) -> None:
    """Refuse the options that are for kernels only, where `what` is run. Raises UsageError."""
    if len(args.devices) > 1:
        raise UsageError(f"several --device are for kernels, not for {what}")
    tta = ("machine", "buses", "wg_method", "unroll", "pipeline_loops", "memory")
    refuse(args, (*tta, "stats", "schedule", "sweep"), f"is for kernels, not for {what}")


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


def sizes(text: str) -> tuple[int, ...]:
    """Sizes such as `64x64`, for argparse."""
    if not re.fullmatch(r"\d+([x,]\d+){0,2}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; expected N, NxM or NxMxK")
    return tuple(int(n) for n in re.split("[x,]", text))
