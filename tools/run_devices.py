"""The devices of a command line, the times of what runs on them, and how their results differ."""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from polycl.backends.device import Device
from polycl.errors import PolyclError
from polycl.runtime.compare import Difference, compare
from polycl.runtime.devices import default_device, device, options_of
from polycl.runtime.images import Image, array_of
from polycl.runtime.kernel import BoundKernel
from polycl.runtime.pipes import Pipe
from polycl.tools.driver import UsageError

T = TypeVar("T")


def device_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the devices that the command line gives. Raises UsageError."""
    given = machine_options(args)
    if args.threads is not None:
        given["threads"] = args.threads
    if args.no_contract:
        given["contract"] = False
    if args.debug_info:
        given["debug_info"] = True
    if args.check is not None or args.check_strict:
        if args.devices not in ([], ["cpu"], ["interp"]):
            raise UsageError(
                f"--check runs on the devices cpu and interp, not on {', '.join(args.devices)}"
            )
        given["check"] = "strict" if args.check_strict else args.check
    elif args.sarif is not None:
        raise UsageError("--sarif needs --check or --check-strict")
    return given


def machine_options(args: argparse.Namespace) -> dict[str, Any]:
    """Those of `add_machine_options`."""
    names = ("machine", "buses", "wg_method", "unroll", "memory")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    if args.pipeline_loops is not None:
        given["pipeline_loops"] = args.pipeline_loops == "yes"
    return given


def open_devices(names: Sequence[str], options: Mapping[str, Any]) -> list[Device]:
    """The devices by name. Of several, each gets the options that it has.

    Raises:
        ArgumentError: there is no such device, or none of them has one of the options.
    """
    if not options:
        return [default_device(name) for name in names]
    if len(names) == 1:
        return [device(names[0], **options)]
    own = [{k: v for k, v in options.items() if k in options_of(name)} for name in names]
    for option, value in options.items():
        if not any(option in chosen for chosen in own):
            device(names[0], **{option: value})
    return [device(n, **chosen) for n, chosen in zip(names, own, strict=True)]


@dataclass(frozen=True)
class Launch:
    """A kernel with its arguments; `bind` takes a device and copies of them."""

    kernel: str
    values: dict[str, Any]
    bind: Callable[..., BoundKernel]


@dataclass(frozen=True)
class DeviceRun:
    """The results of a launch on one device, and its times in seconds."""

    name: str
    values: Mapping[str, Any]
    """All arguments, after the launch."""
    compile_time: float
    run_time: float
    cycles: int | None
    """None where the device does not count them."""


def run_on(
    name: str, on: Device, values: dict[str, Any], bind: Callable[..., BoundKernel]
) -> DeviceRun:
    """One launch with the device's own passes; `bind` takes the device and the arguments."""
    bound, compile_time = timed(lambda: bind(on, values))
    _, run_time = timed(bound.launch)
    return DeviceRun(name, values, compile_time, run_time, cycles_of(on))


def cycles_of(on: Device) -> int | None:
    """The cycles of the last launch; None if the device does not count them."""
    result = getattr(on, "result", None)
    return getattr(result, "cycles", None)


def timed(what: Callable[[], T]) -> tuple[T, float]:
    """The result of a call, and its seconds."""
    start = time.perf_counter()
    result = what()
    return result, time.perf_counter() - start


def time_line(what: str, seconds: float, width: int = 12) -> str:
    """`  first run       1.234 ms`"""
    return f"  {what:<{width}}{seconds * 1e3:>10.3f} ms"


def times_line(seconds: Sequence[float], width: int = 12) -> str:
    """`  20 runs         1.234 ms min, 1.345 ms median`"""
    first = time_line(f"{len(seconds)} runs", min(seconds), width)
    return f"{first} min, {_ms(statistics.median(seconds))} median"


def copies(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with arrays, images and pipes of their own."""
    return {
        k: v.copy() if isinstance(v, np.ndarray | Image | Pipe) else v for k, v in values.items()
    }


def show_comparison(args: argparse.Namespace, runs: Sequence[DeviceRun]) -> None:
    """Print how the runs differ from the first. Raises PolyclError if by more than allowed."""
    print(short_comparison(*runs) if args.compare else comparison(runs))
    check_tolerance(runs, args.tolerance or 0)


def comparison(runs: Sequence[DeviceRun]) -> str:
    """The times of each device, and how the arrays of the others differ from the first one's."""
    times = [["device", "compile", "run", "cycles"]]
    for run in runs:
        cycles = "-" if run.cycles is None else str(run.cycles)
        times.append([run.name, _ms(run.compile_time), _ms(run.run_time), cycles])
    first = runs[0]
    rows = [["array", "device", "differ", "max ULP", "max abs", "first at", first.name, "other"]]
    for name, other, difference, size in _differences(runs):
        if difference is None:
            rows.append([name, other, f"0 of {size}", "0", "0", "-", "-", "-"])
            continue
        ulp = f"{difference.max_ulp:.0f}" if math.isfinite(difference.max_ulp) else "NaN"
        rows.append(
            [name, other, f"{difference.count} of {difference.total}", ulp]
            + [f"{difference.max_abs:.3g}", difference.first]
            + [str(difference.left), str(difference.right)]
        )
    return f"{aligned(times)}\n\n{aligned(rows)}"


def short_comparison(first: DeviceRun, other: DeviceRun) -> str:
    """How two runs differ: a line for each array."""
    return "\n".join(
        f"  {name}: {difference or 'bit-identical'} ({first.name} and {other.name})"
        for name, _, difference, _ in _differences([first, other])
    )


def check_tolerance(runs: Sequence[DeviceRun], tolerance: float) -> None:
    """Raises PolyclError where arrays differ by more ULP."""
    worst = max((d.max_ulp for _, _, d, _ in _differences(runs) if d is not None), default=0.0)
    if worst > tolerance:
        much = f"{worst:.0f} ULP" if math.isfinite(worst) else "NaN on one side"
        names = " and ".join(run.name for run in runs)
        raise PolyclError(
            f"the results of {names} differ by {much}; --tolerance allows {tolerance:g}"
        )


def _differences(runs: Sequence[DeviceRun]) -> list[tuple[str, str, Difference | None, int]]:
    found: list[tuple[str, str, Difference | None, int]] = []
    for name, value in runs[0].values.items():
        # The order in which work-items write packets into a pipe is not determined.
        if isinstance(value, np.ndarray | Image):
            array = array_of(value)
            for run in runs[1:]:
                difference = compare(array, array_of(run.values[name]))
                found.append((name, run.name, difference, array.size))
    return found


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """A table, indented, without its empty columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True) if w).rstrip()
        for row in rows
    )


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"
