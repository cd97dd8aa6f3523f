"""The OpenCL build options that the command lines accept and pass to the importers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def split_cl_options(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the other arguments, the options that start with `-cl-`).

    OpenCL spells its options with one dash, which argparse would read as `-c l-...`. The
    importers check them.
    """
    rest = [arg for arg in args if not arg.startswith("-cl-")]
    return rest, [arg for arg in args if arg.startswith("-cl-")]


def add_cl_options(parser: argparse.ArgumentParser) -> None:
    """Adds -D, -I, -g, -w, -Werror and --cl-std to `parser`."""
    group = parser.add_argument_group("OpenCL C options (for .cl input)")
    for flag, metavar, text in (
        ("-D", "NAME[=VALUE]", "define a macro"),
        ("-I", "DIR", "look for #include files in DIR, too"),
    ):
        group.add_argument(
            flag,
            dest="cl_options",
            metavar=metavar,
            action="append",
            type=lambda value, flag=flag: flag + value,
            default=[],
            help=text,
        )
    for flag, text in (
        ("-g", "for a debugger: not optimised, with variables"),
        ("-gline-tables-only", "for profilers: with source lines"),
        ("-w", "no warnings"),
        ("-Werror", "warnings are errors"),
    ):
        group.add_argument(
            flag, dest="cl_options", action="append_const", const=flag, default=[], help=text
        )
    group.add_argument(
        "--cl-std",
        dest="cl_options",
        metavar="VERSION",
        action="append",
        type=lambda value: "-cl-std=" + value,
        default=[],
        help="language version, say CL1.2 (as -cl-std=CL1.2; other -cl-* options are "
        "accepted as OpenCL spells them)",
    )


def add_host_options(parser: argparse.ArgumentParser) -> None:
    """Adds -k and --function for host programs in C."""
    group = parser.add_argument_group("host programs (for .c input)")
    group.add_argument(
        "-k",
        "--kernels",
        metavar="FILE",
        action="append",
        default=[],
        help="the file with the kernels, if not the one that the program names; may be given "
        "several times",
    )
    group.add_argument(
        "--function",
        metavar="NAME",
        help="the host function to read, with all that it calls (default: each that uses OpenCL "
        "and that no other calls)",
    )


def cl_options(args: argparse.Namespace, split: Sequence[str] = ()) -> list[str]:
    """The build options in `args`, and those that `split_cl_options` found."""
    return [*args.cl_options, *split]
