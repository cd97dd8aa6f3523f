"""One state of a module, ready to be executed on trials."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.interp import InterpDevice
from polycl.backends.interp.state import StepLimit
from polycl.errors import PolyclError, SourceError
from polycl.runtime.check_passes.trial import Trial
from polycl.runtime.compare import Difference, compare
from polycl.runtime.images import Image, array_of
from polycl.runtime.program import Program


class NotExecutable(Exception):
    """The interpreter does not run a kernel of this level, or not for these sizes."""


@dataclass(frozen=True)
class Results:
    """The results of a launch."""

    arrays: Mapping[str, np.ndarray[Any, Any]]
    printed: tuple[str, ...]
    """Lines of printf, sorted: the order of the work-items is free."""


@dataclass(frozen=True)
class Trap:
    """A launch failed."""

    message: str
    location: tuple[str, int, int] | None
    too_long: bool = False
    """It took more operations than allowed."""

    @staticmethod
    def of(error: PolyclError) -> Trap:
        """The trap for `error`."""
        if isinstance(error, SourceError):
            return Trap(error.message, (error.filename, error.line, error.col))
        return Trap(str(error), None, isinstance(error, StepLimit))


Outcome: TypeAlias = Results | Trap


class State:
    """A copy of a module on the interpreter; launches stop after `max_steps` operations.

    With `check`, races, uses of uninitialised memory and similar errors are traps.
    """

    def __init__(self, module: ModuleOp, max_steps: int | None, check: bool = False):
        self.module = module.clone()
        self._program = Program(self.module)
        self._device = InterpDevice(max_steps, check)

    def run(self, trial: Trial) -> Outcome:
        """Executes `trial`. Raises NotExecutable where it cannot be launched at all."""
        kernel = self._program.kernels.get(trial.kernel)
        if kernel is None:
            raise NotExecutable(f"@{trial.kernel} is no longer a kernel")
        values = trial.values()
        self._program.reset_variables()
        if set(values) != {p.name for p in kernel.parameters}:
            raise NotExecutable(f"@{trial.kernel} has other parameters now")
        try:
            bound = kernel.bind(
                *(values[p.name] for p in kernel.parameters),
                global_size=trial.global_size,
                local_size=trial.local_size,
                global_offset=trial.offset,
                device=self._device,
            )
        except PolyclError as error:
            raise NotExecutable(str(error)) from error
        printed = StringIO()
        try:
            with redirect_stdout(printed):
                bound.launch()
        except PolyclError as error:
            return Trap.of(error)
        arrays = {k: array_of(v) for k, v in values.items() if isinstance(v, np.ndarray | Image)}
        return Results(arrays, tuple(sorted(printed.getvalue().splitlines())))


@dataclass(frozen=True)
class Change:
    """How an outcome differs from the one before."""

    message: str
    parameter: str | None = None
    """The buffer that differs."""
    location: tuple[str, int, int] | None = None


def change_of(before: Results, after: Outcome, tolerance: float = 0) -> Change | None:
    """The first difference of more than `tolerance` ULP; None where there is none."""
    if isinstance(after, Trap):
        return Change(f"it fails now: {after.message}", location=after.location)
    for name, array in before.arrays.items():
        difference = compare(array, after.arrays[name])
        if difference is not None and _worst(difference, array.dtype) > tolerance:
            return Change(
                f"{name}{difference.first} was {difference.left} before the pass and is "
                f"{difference.right} after it ({difference.count} of {difference.total} elements "
                "differ)",
                parameter=name,
            )
    # Another rounding prints other digits.
    if before.printed != after.printed and not tolerance:
        return Change(f"printf: {_first_difference(before.printed, after.printed)}")
    return None


def _worst(difference: Difference, dtype: np.dtype[Any]) -> float:
    """The largest difference in ULP; infinite for integers."""
    return difference.max_ulp if dtype.kind == "f" else math.inf


def _first_difference(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    for line in before:
        if before.count(line) != after.count(line):
            return (
                f"the line '{line}' was printed {before.count(line)} times before the pass and "
                f"{after.count(line)} times after it"
            )
    extra = next(line for line in after if line not in before)
    return f"the line '{extra}' is printed after the pass, but not before it"
