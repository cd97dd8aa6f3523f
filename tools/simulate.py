"""`ocl-run x.sim`: runs a simulator file of Oclgrind, and prints what Oclgrind prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polycl.backends.interp.buffers import Unset, WriteOnly
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.program import load
from polycl.runtime.simfile import SimArgument, SimFile, dump
from polycl.tools.run_devices import device_options, open_devices
from polycl.tools.run_options import refuse, refuse_kernel_options

_NOT_HERE = (
    *("kernel", "global_size", "local_size", "offset", "arg", "assume", "seed", "out", "prints"),
    *("time", "compare", "tolerance", "list", "check_each_pass", "sarif"),
)
"""The options of `ocl-run` that a simulator file replaces."""


def simulate(args: argparse.Namespace, options: Sequence[str]) -> None:
    """Run the file `args.input_file` with the OpenCL build `options`.

    Raises:
        PolyclError: the file or the kernel is malformed, or the kernel failed. Where checks
            found something, buffers are printed nevertheless.
    """
    refuse_kernel_options(args, "a .sim file")
    refuse(args, _NOT_HERE, "is not for a .sim file, which specifies the launch itself")
    sim = SimFile(Path(args.input_file))
    kernel = load(sim.program, options).kernel(sim.kernel)
    arguments = sim.arguments(kernel.parameters)
    ndrange = make_ndrange(
        kernel.name, sim.global_size, sim.local_size, required=kernel.required_local_size
    )
    values = [_value(argument) for argument in arguments]
    # The interpreter by default: it refuses what would crash native code.
    (device,) = open_devices([args.device or "interp"], device_options(args))
    bound = kernel.bind_raw(values, ndrange, device, args.pipeline)
    try:
        bound.launch()
    finally:
        # With --check a run continues after an error.
        if args.check or args.check_strict or sys.exc_info()[0] is None:
            print("".join(dump(argument) + "\n" for argument in arguments if argument.dump), end="")


def _value(argument: SimArgument) -> Any:
    value = argument.value
    if argument.access is None:
        return value
    assert isinstance(value, np.ndarray)
    if argument.access == "ro":
        value.flags.writeable = False
        return value
    return value.view(WriteOnly if argument.access == "wo" else Unset)
