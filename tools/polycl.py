"""polycl: commands such as `polycl explore`; `polycl.columns` lists them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from polycl.columns import COMMANDS
from polycl.tools.driver import add_version, quiet_parser, run_tool

PROG = "polycl"


def main() -> None:
    """The console script."""
    sys.exit(run_tool(PROG, lambda: run(sys.argv[1:])))


def run(arguments: Sequence[str]) -> None:
    """Run the command line `arguments`. Raises PolyclError."""
    args = command_parser().parse_args(arguments)
    args.run(args)


def command_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(description="The commands of polycl.")
    quiet_parser(parser, PROG)
    add_version(parser)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in COMMANDS.values():
        add()(commands)
    return parser


if __name__ == "__main__":
    main()
