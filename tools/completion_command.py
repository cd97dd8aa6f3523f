"""`polycl completion SHELL`: what a shell needs to complete options of polycl's tools."""

from __future__ import annotations

import argparse
from typing import Any

from polycl.errors import PolyclError

_TOOLS = ("polycl", "ocl-run")


def add_completion(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "completion",
        help="print what completes options in a shell",
        description="Print a script that completes the options of a tool; for bash: "
        "polycl completion bash --tool ocl-run > ocl-run.bash, to be sourced",
    )
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    parser.add_argument("--tool", choices=_TOOLS, default="polycl", help="default: polycl")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> None:
    try:
        import shtab
    except ImportError:
        raise PolyclError("completion needs the package shtab: pip install shtab") from None
    from polycl.tools.polycl import command_parser
    from polycl.tools.run_options import run_parser

    parser = command_parser() if args.tool == "polycl" else run_parser()
    print(shtab.complete(parser, args.shell))
