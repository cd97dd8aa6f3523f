"""`polycl completion SHELL`: what a shell needs to complete options of polycl's tools."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from polycl.errors import PolyclError


def _polycl() -> argparse.ArgumentParser:
    from polycl.tools.polycl import command_parser

    return command_parser()


def _ocl_run() -> argparse.ArgumentParser:
    from polycl.tools.run_options import run_parser

    return run_parser()


def _ocl_opt() -> argparse.ArgumentParser:
    from polycl.tools.ocl_opt import option_parser

    return option_parser()


# A tool is loaded only if it is asked for.
_TOOLS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "polycl": _polycl,
    "ocl-run": _ocl_run,
    "ocl-opt": _ocl_opt,
}


def add_completion(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "completion",
        help="print what completes options in a shell",
        description="Print a script that completes the options of a tool; for bash: "
        "polycl completion bash --tool ocl-run > ocl-run.bash, to be sourced",
    )
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    parser.add_argument("--tool", choices=tuple(_TOOLS), default="polycl", help="default: polycl")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> None:
    try:
        import shtab
    except ImportError:
        raise PolyclError("completion needs the package shtab: pip install shtab") from None
    print(shtab.complete(_TOOLS[args.tool](), args.shell))
