"""Runs functions of the `pattern` dialect: the semantics of pattern programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.func import FuncOp

from polycl.backends.interp.buffers import AddressMap
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.state import Budget
from polycl.backends.interp.translate import Handlers, Program
from polycl.backends.pattern import run_patterns as patterns
from polycl.backends.pattern.pattern_arrays import array_of, value_of
from polycl.errors import LaunchError

PATTERN_HANDLERS = Handlers(
    operations={**HANDLERS.operations, **patterns.OPERATIONS},
    terminators={**HANDLERS.terminators, **patterns.TERMINATORS},
)


class _Sizes(dict[str, int]):
    """The values of the size variables."""

    def __missing__(self, variable: str) -> int:
        raise LaunchError(f"the size variable {variable} has no value: it is in no argument's type")


class PatternRun:
    """The state of a running function."""

    def __init__(self, name: str, sizes: Mapping[str, int]):
        self.name = name
        self.sizes = _Sizes(sizes)
        """The values of the size variables; those of an `iterate` change."""
        self.addresses = AddressMap()

    def __str__(self) -> str:
        sizes = ", ".join(f"{name} = {value}" for name, value in self.sizes.items())
        return f"function @{self.name}" + (f" with {sizes}" if sizes else "")


def run_pattern_function(
    function: FuncOp,
    args: Sequence[Any],
    sizes: Mapping[str, int],
    max_steps: int | None = None,
) -> tuple[Any, ...]:
    """The results of a function, as numpy data; so are `args`, whose shapes fit `sizes`.

    Raises:
        LaunchError: for example an index is outside of its array.
        UnsupportedError: the interpreter does not have one of the operations.
        StepLimit: more than `max_steps` operations were executed.
    """
    budget = None if max_steps is None else Budget(max_steps)
    code = Program(PATTERN_HANDLERS, budget).function(function, function)
    types = zip(function.function_type.inputs, args, strict=True)
    values = [value_of(type, arg) for type, arg in types]
    # In the place of a work-item.
    run: Any = PatternRun(function.sym_name.data, sizes)
    results = code.call(run, values)
    outputs = zip(function.function_type.outputs, results, strict=True)
    return tuple(array_of(type, result) for type, result in outputs)
