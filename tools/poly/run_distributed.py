"""ocl-run --plan and --cluster: a launch that is cut for several machines."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

from polycl.runtime.figures.files import check_kind
from polycl.runtime.kernel import Kernel
from polycl.runtime.poly.distribute.cluster import connected
from polycl.runtime.poly.distribute.launcher import DistributedKernel
from polycl.tools.run_arguments import read_arguments
from polycl.tools.run_options import refuse

_NOT_PLANNED = ("stats", "schedule", "compare", "time", "out", "prints", "plot_kind", "pipeline")
_NOT_DISTRIBUTED = (
    "stats",
    "schedule",
    "compare",
    "time",
    "plot_kind",
    "sweep",
    "pipeline",
    "check",
)


def plan(args: argparse.Namespace, kernel: Kernel) -> None:
    """Print, and draw if wanted, how a launch is cut for numbers of workers.

    Raises:
        PolyclError: it cannot be cut, or an option does not fit.
    """
    refuse(args, _NOT_PLANNED, "does not go with --plan, which runs nothing")
    if args.plot is not None:
        check_kind(Path(args.plot))
    values = read_arguments(kernel, args.arg, math.prod(args.global_size), args.seed)
    distributed = DistributedKernel(kernel)
    planned: Any = None
    for workers in args.plan:
        planned = distributed.plan(**values, **_sizes(args), workers=workers)
        print(planned)
    if args.plot is not None:
        planned.plot(args.plot)


def run_on_cluster(args: argparse.Namespace, kernel: Kernel, values: dict[str, Any]) -> None:
    """Launch on the workers of --cluster; print what moved.

    Raises:
        PolyclError: no cluster answers, the launch cannot be cut, or it failed.
    """
    refuse(args, _NOT_DISTRIBUTED, "does not go with --cluster")
    if args.plot is not None:
        check_kind(Path(args.plot))
    with connected(args.cluster, args.worker_memory) as client:
        distributed = DistributedKernel(
            kernel, client, device=args.device, progress=sys.stderr.isatty()
        )
        distributed(**values, **_sizes(args))
        print(distributed.report)
        assert distributed.report is not None
        if args.plot is not None:
            distributed.report.plot(args.plot)


def _sizes(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "global_size": args.global_size,
        "local_size": args.local_size,
        "global_offset": args.offset,
    }
