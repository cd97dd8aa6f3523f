"""`polycl port`: what recorded runs teach about their launches, for POLYCL_PORT."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from polycl.errors import PolyclError
from polycl.runtime.host.port.decisions import PLATFORMS, Decision, default_folder, keep
from polycl.tools.driver import quiet_parser
from polycl.tools.host.record_command import recorded_logs

EXAMPLES = """\
example:
  POLYCL_RECORD=run polycl icd run ./program
  polycl port run
  POLYCL_PORT=polycl-cpu polycl icd run ./program
"""


def add_port(commands: Any) -> None:
    """Add the command to those of `polycl`."""
    parser = commands.add_parser(
        "port",
        help="decide how launches of recorded runs run faster",
        description="Try the launches of each recorded run in a folder: with the values of their "
        "arguments as constants, in other groups, without passes. What is faster and has the same "
        "results is kept, and POLYCL_PORT applies it to the next run of the program.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    quiet_parser(parser, "polycl port")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--platform", choices=PLATFORMS, default=PLATFORMS[0])
    parser.add_argument(
        "-o", dest="output", type=Path, metavar="FOLDER",
        help="keep decisions there, for POLYCL_PORT=FOLDER; default: in the cache",
    )  # fmt: skip
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> None:
    # Late: it imports the compiler.
    from polycl.runtime.host.port.trials import decide

    output = args.output or default_folder(args.platform)
    if output is None:
        raise PolyclError("there is no cache (POLYCL_CACHE_DIR is empty); name a folder by -o")
    decisions: list[Decision] = []
    for log in recorded_logs(args.folder):
        for outcome in decide(log):
            decisions.append(outcome.decision)
            print(outcome.text)
            for note in outcome.notes:
                print(f"  dropped: {note}")
    for file in keep(decisions, output):
        print(f"wrote {file}")
