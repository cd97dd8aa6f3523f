"""Results of kernels whose arguments are invented: the device `cpu` against the interpreter.

A kernel is compared if all of its parameters are numbers, buffers or local memory, and if the
interpreter finds no error (a race, an access out of bounds, a value that nothing has set) in its
launch; for most kernels the invented arguments mean something.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np

import polycl
from bench.invented import invented_argument
from polycl.backends.device import Size3
from polycl.errors import PolyclError
from polycl.runtime.kernel import Kernel
from polycl.runtime.parameters import Parameter

_ELEMENTS = 2048
"""Of each buffer."""
_SIZE = 4
"""Of integers."""
_LOCAL_SIZES: tuple[Size3, ...] = ((8, 2, 1), (16, 1, 1))
_SECONDS = 8.0
"""For the interpreter, which is slow."""
_TOLERANCE = {2: 1e-2, 4: 1e-4, 8: 1e-9}
"""Relative, by the bytes of a float: functions have errors, which sums multiply."""


@dataclass
class Results:
    """What the kernels of a file did."""

    same: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    """The kernel, its first difference, and the two values."""
    not_compared: dict[str, str] = field(default_factory=dict)
    """A kernel -> the reason."""


class _TooLong(Exception):
    """The interpreter needs too long."""


def compare_results(text: bytes, options: tuple[str, ...], seed: int = 0) -> Results:
    """Launch each kernel of a source on both devices.

    Raises:
        PolyclError: the source cannot be imported.
    """
    program = polycl.load(text, options, language="cl")
    results = Results()
    for name in program.kernels:
        kernel = program.kernel(name)
        required = kernel.required_local_size
        for local in [required] if required else _LOCAL_SIZES:
            why = _compare(kernel, local, seed, results)
            if why is None:
                results.not_compared.pop(name, None)
                break
            results.not_compared[name] = why
    return results


def _compare(kernel: Kernel, local: Size3, seed: int, results: Results) -> str | None:
    """Launch a kernel on both devices; returns why that means nothing, or None."""
    random = np.random.default_rng(seed)
    arguments = [_argument(parameter, random) for parameter in kernel.parameters]
    if any(argument is None for argument in arguments):
        return "its parameters are images, samplers or structures"
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    # Two groups in each dimension that has several work-items.
    whole = tuple(size * min(size, 2) for size in local)
    checked = polycl.device("interp", check="strict")
    try:
        with _limit(_SECONDS):
            kernel(*arguments, global_size=whole, local_size=local, device=checked)
    except (_TooLong, PolyclError, ArithmeticError) as error:
        return str(error) or type(error).__name__
    cpu = polycl.device("cpu", contract=False)
    kernel(*copies, global_size=whole, local_size=local, device=cpu)
    found = _difference(arguments, copies)
    if found is None:
        results.same.append(kernel.name)
    else:
        results.different.append(f"{kernel.name}: {found}")
    return None


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLong(f"the interpreter needs more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _argument(parameter: Parameter, random: np.random.Generator) -> Any:
    """An argument for a parameter; None if it is neither a number nor a buffer of numbers."""
    if parameter.space is not None and parameter.space.value == "local":
        return polycl.Local(64 * 1024 // 4)
    return invented_argument(parameter, random, _ELEMENTS, _SIZE)


def _difference(expected: list[Any], found: list[Any]) -> str | None:
    """The first element that differs, or None."""
    for number, (a, b) in enumerate(zip(expected, found, strict=True)):
        if not isinstance(a, np.ndarray):
            continue
        if a.dtype.kind == "f":
            with np.errstate(all="ignore"):
                limit = _TOLERANCE[a.dtype.itemsize] * np.maximum(1, np.abs(a))
                same = (np.abs(a - b) <= limit) | (a == b) | (np.isnan(a) & np.isnan(b))
        else:
            same = a == b
        if not same.all():
            place = tuple(int(i) for i in np.argwhere(~same)[0])
            return f"argument {number}, element {place}: interp {a[place]}, cpu {b[place]}"
    return None
