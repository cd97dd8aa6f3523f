"""`ocl-run x.sim`: what a simulator file of Oclgrind says, printed as Oclgrind prints it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polycl.backends.device import Device
from polycl.backends.interp.buffers import Unset, WriteOnly
from polycl.runtime.devices import default_device, device
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.program import load
from polycl.runtime.simfile import SimArgument, SimFile, dump
from polycl.tools.driver import UsageError

_NOT_HERE = {
    "kernel": "--kernel",
    "global_size": "--global",
    "local_size": "--local",
    "offset": "--offset",
    "arg": "--arg",
    "assume": "--assume",
    "seed": "--seed",
    "out": "--out",
    "prints": "--print",
    "time": "--time",
    "compare": "--compare",
    "tolerance": "--tolerance",
    "list": "--list",
    "check_each_pass": "--check-each-pass",
}
"""Options of `ocl-run` by their names in the parsed arguments that a simulator file replaces."""


def simulate(args: argparse.Namespace, options: Sequence[str]) -> None:
    """Run the file `args.input_file` with the OpenCL build `options`.

    Raises:
        PolyclError: the file or the kernel is malformed, or the kernel failed. Where checks
            found something, buffers are printed nevertheless.
    """
    for name, flag in _NOT_HERE.items():
        if getattr(args, name, None):
            raise UsageError(f"{flag} does not go with a .sim file, which says all of that itself")
    sim = SimFile(Path(args.input_file))
    kernel = load(sim.program, options).kernel(sim.kernel)
    arguments = sim.arguments(kernel.parameters)
    ndrange = make_ndrange(
        kernel.name, sim.global_size, sim.local_size, required=kernel.required_local_size
    )
    values = [_value(argument) for argument in arguments]
    bound = kernel.bind_raw(values, ndrange, _device(args), args.pipeline)
    try:
        bound.launch()
    finally:
        # A run under --check goes on after what it found.
        if args.check or args.check_strict or sys.exc_info()[0] is None:
            print("".join(dump(argument) + "\n" for argument in arguments if argument.dump), end="")


def _device(args: argparse.Namespace) -> Device:
    """The interpreter by default: it refuses what would crash native code."""
    name = args.device or "interp"
    given: dict[str, Any] = {"threads": args.threads} if args.threads else {}
    if args.no_contract:
        given["contract"] = False
    if args.check or args.check_strict:
        if name != "interp":
            raise UsageError(f"--check runs on the device interp, not on {name}")
        given["check"] = "strict" if args.check_strict else True
    return device(name, **given) if given else default_device(name)


def _value(argument: SimArgument) -> Any:
    match argument.access:
        case "ro":
            assert isinstance(argument.value, np.ndarray)
            argument.value.flags.writeable = False
            return argument.value
        case "wo":
            assert isinstance(argument.value, np.ndarray)
            return argument.value.view(WriteOnly)
        case "noinit":
            assert isinstance(argument.value, np.ndarray)
            return argument.value.view(Unset)
        case _:
            return argument.value
