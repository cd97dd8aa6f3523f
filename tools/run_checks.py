"""`ocl-run --check-each-pass`: the passes of a launch, judged on its own arguments."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.device import Device
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.runtime.check_passes.trial import GivenTrial
from polycl.runtime.kernel import Kernel
from polycl.tools.driver import UsageError
from polycl.tools.pass_checking import PassJudge
from polycl.tools.run_arguments import named_specs


def check_each_pass(
    args: argparse.Namespace,
    options: Sequence[str],
    kernel: Kernel,
    values: Mapping[str, Any],
    device: Device,
) -> None:
    """Executes the launch of the command line before and after each pass of `device`.

    Raises:
        PolyclError: a pass changed a result, or failed.
    """
    # The interpreter chooses the local size where none is given.
    bound = kernel.bind(
        *(values[p.name] for p in kernel.parameters),
        global_size=args.global_size,
        local_size=args.local_size,
        global_offset=args.offset,
        device=InterpDevice(),
    )
    local_size = bound.ndrange.local_size
    passes = parse_passes(args.pipeline) if args.pipeline else device.own_passes(bound.ndrange)
    if not passes:
        raise UsageError(f"--check-each-pass: device '{args.device}' runs no passes; say -p PASSES")
    texts = named_specs("--arg", args.arg, kernel)
    rank = bound.ndrange.work_dim
    trial = GivenTrial(kernel.name, args.global_size, local_size[:rank], args.offset, texts, values)
    if args.seed is not None:
        options = [*options, "--seed", str(args.seed)]
    for text in args.assume:
        options = [*options, "--assume", text]
    judge = PassJudge("ocl-run", args.input_file, options, passes, [trial], args.tolerance or 0)
    module = only_kernel(kernel.module, kernel.name)
    judge.start(module)
    for step in passes:
        run_passes(module, (step,))
        judge.after(step, module)
