"""`ocl-run --device A --device B --compare`: one launch on several devices, and a table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polycl.backends.device import Device
from polycl.errors import PolyclError
from polycl.runtime.compare import Difference, compare
from polycl.runtime.devices import default_device, device, options_of
from polycl.runtime.images import Image, array_of
from polycl.runtime.kernel import BoundKernel


def open_devices(names: Sequence[str], options: Mapping[str, Any]) -> list[Device]:
    """The devices by name. Of several, each is given those of the options that it has.

    Raises:
        ArgumentError: there is no such device, or an option that none of them has.
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
class DeviceRun:
    """What a launch on one device gave, and how long it took in seconds."""

    name: str
    values: Mapping[str, Any]
    """All arguments, after the launch."""
    compile_time: float
    run_time: float
    cycles: int | None
    """Where the device counts them."""


def run_on(
    name: str, on: Device, values: dict[str, Any], bind: Callable[..., BoundKernel]
) -> DeviceRun:
    """One launch by the device's own passes; `bind` takes the device and the arguments."""
    start = time.perf_counter()
    bound = bind(on, values)
    compiled = time.perf_counter()
    bound.launch()
    return DeviceRun(name, values, compiled - start, time.perf_counter() - compiled, cycles_of(on))


def cycles_of(on: Device) -> int | None:
    """Of the last launch, if the device counts cycles."""
    result = getattr(on, "result", None)
    return getattr(result, "cycles", None)


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
    return f"{_aligned(times)}\n\n{_aligned(rows)}"


def short_comparison(first: DeviceRun, other: DeviceRun) -> str:
    """A line for each array."""
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
        if isinstance(value, np.ndarray | Image):
            array = array_of(value)
            for run in runs[1:]:
                difference = compare(array, array_of(run.values[name]))
                found.append((name, run.name, difference, array.size))
    return found


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"
