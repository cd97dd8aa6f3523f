"""`ocl-run --explain` and `--annotate`: why a kernel takes its time."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polycl.backends.device import Device
from polycl.errors import PolyclError
from polycl.runtime.devices import device
from polycl.runtime.explain.annotate import annotated
from polycl.runtime.explain.report import report
from polycl.runtime.kernel import BoundKernel
from polycl.tools.driver import UsageError

Bind = Callable[[Device, dict[str, Any], "str | None"], BoundKernel]


def check_options(args: argparse.Namespace) -> None:
    """Raises UsageError where the options do not fit each other."""
    option = "--explain" if args.explain is not None else "--annotate"
    if args.device != "cpu" or args.check is not None or args.check_strict:
        raise UsageError(f"{option} is for the device cpu without checks")
    if args.explain and not args.explain.endswith(".json"):
        raise UsageError(f"--explain {args.explain}: expected a .json file, or nothing")


def explain(args: argparse.Namespace, bound: BoundKernel) -> None:
    """Print why the launch takes its time, or write it as JSON."""
    found = bound.explain()
    if not args.explain:
        print()
        print(report(found, colours=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
        return
    try:
        Path(args.explain).write_text(json.dumps(found.data(), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise PolyclError(f"cannot write '{args.explain}': {error.strerror}") from error
    print(f"wrote {args.explain}")


def annotate(args: argparse.Namespace, given: dict[str, Any], values: Any, bind: Bind) -> None:
    """Print the source with the time of each line, measured on one thread."""
    with_lines = device("cpu", **{**given, "threads": 1, "debug_info": True})
    found = annotated(bind(with_lines, values, args.pipeline))
    try:
        source = Path(args.input_file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise PolyclError(f"cannot read '{args.input_file}': {error.strerror}") from error
    print()
    print(found.text(args.input_file, source))
