"""`polycl explore`: finds a fast derivation of a pattern program."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from polycl.runtime.devices import devices
from polycl.tools.driver import (
    UsageError,
    add_safety_options,
    positive,
    quiet_parser,
    safely,
)

EXAMPLE = """\
example:
  polycl explore asum.mlir --size N=16777216 --threads 2 --time 600 --database asum.jsonl \\
    --out asum.deriv --plot asum.svg
"""


def add_explore(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command to those of `polycl`."""
    _add_options(
        commands.add_parser(
            "explore",
            help="search for a fast derivation of a pattern program",
            description="Search over derivations of a pattern program: which rules, where, with "
            "which parameters. What is built gives the program's results, and is timed.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=EXAMPLE,
        )
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    quiet_parser(parser, "polycl explore")
    parser.set_defaults(run=_run)
    add = parser.add_argument
    add("program", metavar="PROGRAM", type=Path, help="an .mlir file with a pattern program")
    add("--function", metavar="NAME", help="which function; may be left out if there is one only")
    add(
        "--size",
        metavar="NAME=N",
        action="append",
        default=[],
        type=_named_number,
        help="the value of a size variable, for the runs that are timed",
    )
    add(
        "--arg",
        metavar="NAME=SPEC",
        action="append",
        default=[],
        type=_named,
        help="what fills an argument, as for ocl-run, with * for the shape: rand:f32:*:0.5:2 "
        "(default: -1, 0 and 1, most of them 0, so that sums are exact in any order)",
    )
    add("--device", metavar="NAME", default="cpu", help=f"{', '.join(devices())} (default: cpu)")
    add("--threads", type=positive, metavar="N", help="threads of the cpu device (default: all)")
    add(
        "--dry-run",
        action="store_true",
        help="run nothing: the cost model's estimates are taken for times",
    )
    add("--time", type=positive, metavar="S", default=600, help="seconds (default: 600)")
    add("--trials", type=positive, metavar="N", default=200, help="at most (default: 200)")
    add("--depth", type=positive, metavar="N", default=3, help="strategies to combine (default: 3)")
    add("--seed", type=int, metavar="N", default=0, help="another order of search")
    add("--tolerance", type=float, metavar="R", default=1e-4, help="relative error (default: 1e-4)")
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument("--jobs", type=positive, metavar="N", default=1, help="building processes")
    workers.add_argument("--scheduler", metavar="URL", help="of a dask cluster: tcp://host:8786")
    add("--database", metavar="FILE", type=Path, help="keep the trials; go on from those in it")
    add("--out", metavar="FILE", type=Path, help="write the best derivation, for pattern-derive")
    add("--plot", metavar="FILE", type=Path, help="plot time over trials: .svg or .png")
    add("--no-progress", action="store_true", help="no progress bar")
    add_safety_options(parser)


def _run(args: argparse.Namespace) -> None:
    with safely(args, expected=True):
        _explore(args)


def _explore(args: argparse.Namespace) -> None:
    # Late: `--help` does not need it.
    from polycl.runtime.pattern.explore import explore

    device_options = {"threads": args.threads} if args.threads else {}
    if device_options and args.device != "cpu":
        raise UsageError(f"--threads goes with the device cpu, not with {args.device}")
    found = explore(
        args.program,
        function=args.function,
        sizes=dict(args.size),
        arguments=dict(args.arg),
        device=args.device,
        device_options=device_options,
        dry_run=args.dry_run,
        seconds=args.time,
        trials=args.trials,
        depth=args.depth,
        seed=args.seed,
        tolerance=args.tolerance,
        jobs=args.jobs,
        scheduler=args.scheduler,
        database=args.database,
        progress=not args.no_progress and sys.stderr.isatty(),
    )
    print(found.report())
    if args.plot is not None:
        found.plot(args.plot)
    if found.best is None:
        raise UsageError("no derivation was found that runs and gives the right result")
    if args.out is not None:
        args.out.write_text(found.script())
    else:
        print(f"\n{found.script()}", end="")


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def _named_number(text: str) -> tuple[str, int]:
    name, value = _named(text)
    if not re.fullmatch(r"\d+", value):
        raise argparse.ArgumentTypeError(f"'{value}' is not a size")
    return name, int(value)
