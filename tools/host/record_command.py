"""`polycl record`: what POLYCL_RECORD wrote -> programs of host and kernels."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from polycl.errors import PolyclError
from polycl.runtime.host.driver_log import read_log
from polycl.tools.driver import UsageError, quiet_parser

EXAMPLES = """\
example:
  POLYCL_RECORD=run polycl icd run ./program
  polycl record run
  ocl-run run/program.mlir --compare interp
"""


def add_record(commands: Any) -> None:
    """Add the command to those of `polycl`."""
    parser = commands.add_parser(
        "record",
        help="make programs of host and kernels from recorded runs",
        description="Make a program of host and kernels from each recorded run in a folder: "
        "NAME.mlir from NAME.log, which the OpenCL driver writes for POLYCL_RECORD=DIR.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    quiet_parser(parser, "polycl record")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="write to this file")
    parser.add_argument(
        "--unfolded", action="store_true", help="leave commands that repeat out of loops"
    )
    parser.set_defaults(run=_run)


def recorded_logs(folder: Path) -> list[Path]:
    """The recorded runs in a folder, or the one that is named. Raises PolyclError without one."""
    logs = [folder] if folder.is_file() else sorted(folder.glob("*.log"))
    if not logs:
        raise PolyclError(
            f"{folder}: there is no recorded run in it; record one by "
            f"POLYCL_RECORD={folder} polycl icd run PROGRAM "
            "(POLYCL_DEVICE_TYPE=gpu for a program that looks for GPUs only)"
        )
    return logs


def _run(args: argparse.Namespace) -> None:
    logs = recorded_logs(args.folder)
    if args.output is not None and len(logs) > 1:
        raise UsageError(f"-o takes one run; {args.folder} has {len(logs)}: name a file NAME.log")
    for log in logs:
        module = read_log(log, fold=not args.unfolded)
        output = args.output or log.with_suffix(".mlir")
        if output.resolve().parent != log.resolve().parent:
            raise UsageError(f"-o {output}: it must be in the folder of its data, {log.parent}")
        output.write_text(str(module) + "\n", encoding="utf-8")
        print(f"wrote {output}")
