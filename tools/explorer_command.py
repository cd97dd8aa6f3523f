"""`polycl explorer`: a kernel on each level between its source and machine code, in the browser."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from polycl.runtime.devices import device
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.page import Page, explored
from polycl.runtime.kernel import Kernel
from polycl.runtime.program import load, one_kernel
from polycl.tools.cl_options import add_cl_options, cl_options
from polycl.tools.driver import add_safety_options, quiet_parser, safely
from polycl.tools.run_arguments import named_specs, read_arguments
from polycl.tools.run_options import sizes

EXAMPLE = """\
example:
  polycl explorer examples/blur.cl --export blur.html
"""


def add_explorer(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command to those of `polycl`."""
    _add_options(
        commands.add_parser(
            "explorer",
            help="show a kernel after each pass, in the browser",
            description="Show a kernel on every level between its source and machine code: what "
            "each pass changed, what became of each source line, and what passes say of it.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=EXAMPLE,
        )
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    quiet_parser(parser, "polycl explorer")
    parser.set_defaults(run=_run)
    add = parser.add_argument
    add("file", metavar="FILE", help="a .cl or .mlir file")
    add("--kernel", metavar="NAME", help="which kernel; may be left out if there is one only")
    add("--global", dest="global_size", metavar="SIZE", type=sizes, help="1048576 or 64x64")
    add("--local", dest="local_size", metavar="SIZE", type=sizes, help="chosen if left out")
    add("--offset", metavar="IDS", type=sizes, help="first global id in each dimension")
    add(
        "--arg",
        metavar="NAME=SPEC",
        action="append",
        default=[],
        help="an argument, as for ocl-run; without sizes and arguments a launch is guessed",
    )
    add("--export", metavar="FILE.html", type=Path, required=True, help="write the page and exit")
    add_cl_options(parser)
    add_safety_options(parser)


def _run(args: argparse.Namespace) -> None:
    with safely(args):
        page = page_of(args)
        page.save(args.export)
    print(f"wrote {args.export}")


def page_of(args: argparse.Namespace) -> Page:
    """The page of the file that the command line names. Raises PolyclError."""
    program = load(Path(args.file), cl_options(args))
    kernel = one_kernel(program, args.kernel)
    source = Path(args.file).read_text(encoding="utf-8", errors="replace")
    return explored(program, source, kernel.name, launch_of(args, kernel), device("cpu"))


def launch_of(args: argparse.Namespace, kernel: Kernel) -> Launch:
    """What the command line says of the launch. Raises PolyclError."""
    values = texts = None
    if args.arg:
        texts = named_specs("--arg", args.arg, kernel)
        values = read_arguments(kernel, args.arg, math.prod(args.global_size or (1024,)))
    return Launch(args.global_size, args.local_size, args.offset, values, texts)
